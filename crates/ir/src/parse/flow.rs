//! What must hold of a body as a whole: phis fit the blocks that control comes from, and a value is computed on every
//! way to where it is used.

use super::{Parsed, Parser};
use crate::dominators::Dominators;
use crate::id::{Arena, BlockId, Id, InstId};
use crate::inst::{Inst, InstKind, Value};
use crate::module::Block;
use rustc_hash::FxHashMap;

impl<'t> Parser<'t> {
    /// Checks a body; `places` tells where each block begins. A marker whose value is not computed on every way to it
    /// loses that value.
    pub(super) fn check_flow(
        &self,
        blocks: &Arena<BlockId, Block>,
        insts: &mut Arena<InstId, Inst>,
        places: &[usize],
    ) -> Parsed<()> {
        let mut flow = Flow { blocks, insts, graph: None, lost: Vec::new() };
        if let Err(problem) = flow.check() {
            let place = places.get(problem.block.index()).copied().unwrap_or(self.start);
            let name = problem.value.and_then(|value| insts[value].name);
            let what = name.map_or(problem.what.to_string(), |name| format!("%{}", self.module.str(name)));
            return Err(self.error_at(place, format!("{what} {}", problem.message)));
        }
        for marker in flow.lost {
            if let InstKind::Marker(marker) = &mut insts[marker].kind {
                marker.value = None;
            }
        }
        Ok(())
    }
}

/// Something wrong in a block.
struct Problem {
    block: BlockId,
    /// What is wrong, by its name if it has one.
    value: Option<InstId>,
    what: &'static str,
    message: &'static str,
}

struct Flow<'b> {
    blocks: &'b Arena<BlockId, Block>,
    insts: &'b Arena<InstId, Inst>,
    /// Made when it is needed: unoptimised code uses hardly any value outside of its block.
    graph: Option<Graph>,
    /// Markers whose value is not computed on every way to them.
    lost: Vec<InstId>,
}

struct Graph {
    /// For each block the sources of the edges into it, ascending.
    predecessors: Vec<Vec<usize>>,
    dominators: Dominators,
    /// For each invoke whose result was looked at, whether control comes to its normal block from it alone, or from what
    /// lies behind.
    sole_ways: FxHashMap<InstId, bool>,
}

/// A value used in another block than the one that it is computed in, or before it.
struct FarUse {
    value: InstId,
    /// The block at the end of which the value is needed, or somewhere inside of it.
    block: BlockId,
    user: InstId,
}

impl Flow<'_> {
    fn check(&mut self) -> Result<(), Problem> {
        let entry = BlockId::from_index(0);
        for (block, contents) in self.blocks.iter_ids() {
            let mut behind_phis = false;
            for &inst in &contents.insts {
                let problem = |message| Problem { block, value: Some(inst), what: "the phi", message };
                match &self.insts[inst].kind {
                    InstKind::Phi { .. } if behind_phis => {
                        return Err(problem("stands behind other instructions of its block"));
                    }
                    InstKind::Phi { incoming, .. } => self.incoming(block, incoming).map_err(problem)?,
                    InstKind::Marker(_) => {}
                    _ => behind_phis = true,
                }
            }
            let mut goes_back = false;
            if let Some(end) = self.terminator(block) {
                end.for_each_successor(|next| goes_back |= next == entry);
            }
            if goes_back {
                let message = "goes back to the entry of the function";
                return Err(Problem { block, value: None, what: "control", message });
            }
        }
        self.uses()
    }

    /// Checks that a phi has an entry for each edge into its block.
    fn incoming(&mut self, block: BlockId, incoming: &[(BlockId, Value)]) -> Result<(), &'static str> {
        let mut entries = incoming.to_vec();
        entries.sort_unstable();
        if entries.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1) {
            return Err("has two values for one block");
        }
        // Nobody knows where an unsupported instruction goes.
        entries.retain(|&(source, _)| !self.goes_anywhere(source));
        let edges = &self.graph().predecessors[block.index()];
        match edges.iter().copied().eq(entries.iter().map(|(source, _)| source.index())) {
            true => Ok(()),
            false => Err("has entries for other blocks than those that lead to it"),
        }
    }

    fn goes_anywhere(&self, block: BlockId) -> bool {
        matches!(self.terminator(block), Some(InstKind::Unsupported(_)))
    }

    fn terminator(&self, block: BlockId) -> Option<&InstKind> {
        self.blocks[block].insts.last().map(|&inst| &self.insts[inst].kind)
    }

    /// Checks that values are computed on every way to their uses.
    fn uses(&mut self) -> Result<(), Problem> {
        for FarUse { value, block, user } in self.far_uses() {
            if self.is_computed(value, block, user) {
                continue;
            }
            if !matches!(self.insts[user].kind, InstKind::Marker(_)) {
                let message = "is used where it may not be computed yet";
                return Err(Problem { block, value: Some(value), what: "a value", message });
            }
            self.lost.push(user);
        }
        Ok(())
    }

    /// Uses that are not obviously fine.
    fn far_uses(&self) -> Vec<FarUse> {
        let mut uses = Vec::new();
        // The instructions of a block are numbered in one go, those of the entry first.
        let entry_end = self.blocks.iter().next().map_or(0, |entry| entry.insts.len());
        for (block, contents) in self.blocks.iter_ids() {
            let Some(start) = contents.insts.first().copied() else { continue };
            for &user in &contents.insts {
                if let InstKind::Phi { incoming, .. } = &self.insts[user].kind {
                    for &(source, value) in incoming {
                        if let Value::Inst(value) = value {
                            uses.push(FarUse { value, block: source, user });
                        }
                    }
                    continue;
                }
                self.insts[user].kind.for_each_operand(|operand| {
                    if let Value::Inst(value) = operand {
                        let here = start <= value && value < user;
                        let in_entry = value.index() < entry_end && block.index() > 0 && !self.is_invoke(value);
                        if !here && !in_entry {
                            uses.push(FarUse { value, block, user });
                        }
                    }
                });
            }
        }
        uses
    }

    fn is_invoke(&self, inst: InstId) -> bool {
        matches!(self.insts[inst].kind, InstKind::Invoke { .. })
    }

    /// Whether a value is computed on every way to its use. What no way leads to may use anything.
    fn is_computed(&mut self, value: InstId, block: BlockId, user: InstId) -> bool {
        let is_phi = matches!(self.insts[user].kind, InstKind::Phi { .. });
        let home = self.home(value);
        if !self.graph().dominators.is_reachable(block.index()) {
            return true;
        }
        if let InstKind::Invoke { normal, .. } = self.insts[value].kind {
            // The result of an invoke is there when control went the normal way.
            return is_phi && home == block && self.home(user) == normal
                || self.graph().dominators.dominates(normal.index(), block.index())
                    && self.is_sole_way(value, home, normal);
        }
        if home == block {
            return is_phi || value < user;
        }
        self.graph().dominators.dominates(home.index(), block.index())
    }

    fn is_sole_way(&mut self, invoke: InstId, home: BlockId, normal: BlockId) -> bool {
        let graph = self.graph();
        if let Some(&known) = graph.sole_ways.get(&invoke) {
            return known;
        }
        let sources = &graph.predecessors[normal.index()];
        let direct = sources.iter().filter(|source| **source == home.index()).count();
        let comes_back = |source: &&usize| graph.dominators.dominates(normal.index(), **source);
        let is_sole = direct == 1 && sources.iter().filter(comes_back).count() == sources.len() - 1;
        graph.sole_ways.insert(invoke, is_sole);
        is_sole
    }

    /// The block of an instruction.
    fn home(&self, inst: InstId) -> BlockId {
        let starts_behind =
            |block: usize| self.blocks[BlockId::from_index(block)].insts.first().is_none_or(|first| *first > inst);
        let (mut low, mut high) = (0, self.blocks.len());
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if starts_behind(middle) { high = middle } else { low = middle }
        }
        BlockId::from_index(low)
    }

    fn graph(&mut self) -> &mut Graph {
        let (blocks, insts) = (self.blocks, self.insts);
        self.graph.get_or_insert_with(|| {
            let mut successors = vec![Vec::new(); blocks.len()];
            let mut predecessors = vec![Vec::new(); blocks.len()];
            for (block, contents) in blocks.iter_ids() {
                let Some(&end) = contents.insts.last() else { continue };
                insts[end].kind.for_each_successor(|next| {
                    successors[block.index()].push(next.index());
                    predecessors[next.index()].push(block.index());
                });
            }
            Graph { predecessors, dominators: Dominators::new(&successors[..], 0), sole_ways: FxHashMap::default() }
        })
    }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use crate::parse::parse;

    /// Reads the blocks as a function; `expect` is the start of the error, or empty.
    #[track_caller]
    fn check(blocks: &str, expect: &str) {
        let text = format!("declare i32 @g()\ndefine i32 @f(i1 %c, i32 %n) {{\n{blocks}\n}}");
        match parse(&text) {
            Ok(_) => assert!(expect.is_empty(), "accepted: {text}"),
            Err(error) => assert!(!expect.is_empty() && error.message.starts_with(expect), "{error}: {text}"),
        }
    }

    #[test]
    fn phis_have_an_entry_for_each_edge() {
        let join = |phi: &str| {
            format!("br i1 %c, label %a, label %b\na:\nbr label %b\nb:\n{phi}\nret i32 %x\nlost:\nbr label %a")
        };
        check(&join("%x = phi i32 [ 1, %0 ], [ 2, %a ]"), "");
        check(&join("%x = phi i32 [ 2, %a ], [ 1, %0 ]"), "");
        check(&join("%x = phi i32 [ 1, %0 ]"), "%x has entries for other blocks");
        check(&join("%x = phi i32 [ 1, %0 ], [ 2, %a ], [ 3, %b ]"), "%x has entries for other blocks");
        check(&join("%x = phi i32 [ 1, %0 ], [ 2, %a ], [ 2, %a ]"), "%x has entries for other blocks");
        check(&join("%x = phi i32 [ 1, %0 ], [ 2, %lost ]"), "%x has entries for other blocks");
        check(&join("%y = add i32 1, 1\n%x = phi i32 [ 1, %0 ], [ 2, %a ]"), "%x stands behind");
        let twice = |phi: &str| format!("br i1 %c, label %a, label %a\na:\n{phi}\nret i32 %x");
        check(&twice("%x = phi i32 [ 1, %0 ], [ 1, %0 ]"), "");
        check(&twice("%x = phi i32 [ 1, %0 ]"), "%x has entries for other blocks");
        check(&twice("%x = phi i32 [ 1, %0 ], [ 2, %0 ]"), "%x has two values for one block");
        // Where an instruction goes that is known by its text only, nobody can say.
        check("frobnicate to label %a\na:\n%x = phi i32 [ 1, %0 ]\nret i32 %x", "");
    }

    #[test]
    fn nothing_leads_back_to_the_entry() {
        check("start:\nbr label %start", "control goes back");
        check("br i1 %c, label %a, label %0\na:\nret i32 1", "control goes back");
    }

    #[test]
    fn values_are_computed_before_they_are_used() {
        check("%y = add i32 %x, 1\n%x = add i32 %n, 1\nret i32 %y", "%x is used where");
        check("%x = add i32 %x, 1\nret i32 %x", "%x is used where");
        let fork = |then: &str, join: &str| {
            format!("br i1 %c, label %a, label %b\na:\n{then}\nbr label %b\nb:\n{join}\nret i32 %n")
        };
        check(&fork("%x = add i32 %n, 1\n%y = add i32 %x, 1", ""), "");
        check(&fork("%x = add i32 %n, 1", "%y = add i32 %x, 1"), "%x is used where");
        check(&fork("%x = add i32 %n, 1", "%y = phi i32 [ %x, %a ], [ 1, %0 ]"), "");
        check(&fork("%x = add i32 %n, 1", "%y = phi i32 [ 1, %a ], [ %x, %0 ]"), "%x is used where");
        check("br label %a\na:\n%x = phi i32 [ 0, %0 ], [ %y, %a ]\n%y = add i32 %x, 1\nbr label %a", "");
        // No way leads there.
        check("ret i32 1\na:\n%x = add i32 %x, 1\nret i32 %x", "");
        check(
            "br label %b\na:\n%x = add i32 1, 1\nbr label %b\nb:\n%p = phi i32 [ 1, %0 ], [ 2, %a ]\nret i32 %x",
            "%x is",
        );
    }

    #[test]
    fn the_result_of_an_invoke_is_there_if_it_returned() {
        let invoke = |normal: &str, unwind: &str| {
            format!(
                "%x = invoke i32 @g() to label %a unwind label %b\na:\n{normal}\nb:\n{unwind}\n%p = landingpad i32 cleanup\nret i32 1"
            )
        };
        check(&invoke("ret i32 %x", ""), "");
        check(&invoke("br i1 %c, label %a2, label %a3\na2:\nret i32 %x\na3:\nbr label %a2", ""), "");
        check(&invoke("ret i32 1", "%y = add i32 %x, 1"), "%x is used where");
        check(&invoke("ret i32 1", "%y = phi i32 [ %x, %0 ]"), "%x is used where");
        check(&invoke("%y = phi i32 [ %x, %0 ]\nret i32 %y", ""), "");
        let shared = "br i1 %c, label %i, label %a\ni:\n%x = invoke i32 @g() to label %a unwind label %b\na:\n";
        let end = "\nb:\n%p = landingpad i32 cleanup\nret i32 1";
        check(&format!("{shared}ret i32 %x{end}"), "%x is used where");
        check(&format!("{shared}%y = phi i32 [ 1, %0 ], [ %x, %i ]\nret i32 %y{end}"), "");
    }

    #[test]
    fn a_marker_does_not_need_its_value() {
        let text = "define void @f(i32 %n) {\n#dbg_value(i32 %x, !1, !DIExpression(), !3)\n%x = add i32 %n, 1\n\
                    #dbg_value(i32 %x, !1, !DIExpression(), !3)\nret void\n}\n\
                    !1 = !DILocalVariable(name: \"x\", scope: !2)\n!2 = distinct !DISubprogram(name: \"f\")\n\
                    !3 = !DILocation(line: 7, column: 3, scope: !2)\n";
        let module = parse(text).unwrap_or_else(|error| panic!("{error}"));
        let listing = crate::print::listing::Lister::new(&module).function(crate::id::Id::from_index(0));
        let lines: Vec<&str> = listing.blocks[0].insts.iter().map(|(_, line)| line.as_str()).collect();
        assert_eq!(lines, ["x = (no longer known)", "%x = add i32 %n, 1", "x = %x", "ret void"]);
    }
}
