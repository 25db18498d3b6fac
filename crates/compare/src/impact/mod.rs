//! `pathshift impact`: what a change can reach, line by line, with reasons.

mod graph;
mod why;

use crate::find::{self, NotFound};
use crate::sources;
use analysis::facts::{Facts, FunctionFacts, KnownFunctions};
use analysis::influence::{Cause, Upward, Why};
use analysis::points_to::Scope;
use change::impact::affected::{Feeding, kinds, with_feeding};
use change::impact::{Known, Reach, Versions};
use change::lines::{extent, line, lines_of, silent_markers};
use change::{Changes, FunctionChange, Kind};
use fixedbitset::FixedBitSet;
use ir::demangle::function_display_name;
use ir::id::{FuncId, Id, InstId};
use ir::inst::InstKind;
use ir::module::Module;
use ir::print::listing::Lister;
use report::escape::source_line;
use report::impact::{Affected, Counts, Function, Impact, Line, Mark, SCHEMA, Sides, Touch};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

/// What the change between two promoted modules can reach; `names` chooses functions of either version, all if empty.
pub fn impact(old: &Module, new: &Module, names: &[String]) -> Result<Impact, NotFound> {
    let chosen = choose(old, new, names)?;
    let changes = change::compare(old, new);
    let (old_facts, new_facts) = (Facts::new(old, &Scope::Library), Facts::new(new, &Scope::Library));
    let versions = Versions { old: &old_facts, new: &new_facts, changes: &changes };
    let mut known = Known::default();
    let found = change::impact::impact(&versions, &mut known, Upward::Callers);
    let mut result = Impact { schema: SCHEMA, notes: notes(&changes), ..Impact::default() };
    result.variables = changes.globals.iter().filter(|g| g.kind != Kind::Unchanged).map(|g| g.name.clone()).collect();
    let mut old_side = Side::new(&old_facts, &found.old, &mut known.old);
    let mut new_side = Side::new(&new_facts, &found.new, &mut known.new);
    for change in &changes.functions {
        let is_defined = |module: &Module, id: Option<FuncId>| id.filter(|&id| module.functions[id].is_defined());
        let (side, id) = match (is_defined(new, change.new), is_defined(old, change.old)) {
            (Some(id), _) => (&mut new_side, id),
            (None, Some(id)) => (&mut old_side, id),
            (None, None) => continue,
        };
        let touch = side.touch(change, id);
        count(&mut result.counts, touch);
        let is_chosen = names.is_empty() && touch != Touch::None
            || change.new.is_some_and(|id| chosen.1.contains(&id))
            || change.old.is_some_and(|id| chosen.0.contains(&id));
        if is_chosen {
            let mut function = side.function(change, id, touch, &mut result.sources);
            function.old_lines = change.old.and_then(|id| extent(old, id)).map(|(_, first, last)| (first, last));
            function.new_lines = change.new.and_then(|id| extent(new, id)).map(|(_, first, last)| (first, last));
            result.functions.push(function);
        }
    }
    result.functions.sort_by_key(|function| function.touch);
    Ok(result)
}

/// The functions of those names in the old and the new version; one of them is enough.
fn choose(old: &Module, new: &Module, names: &[String]) -> Result<(BTreeSet<FuncId>, BTreeSet<FuncId>), NotFound> {
    let mut chosen = (BTreeSet::new(), BTreeSet::new());
    for name in names {
        match (find::functions(old, name), find::functions(new, name)) {
            (Err(_), Err(missing)) => return Err(missing),
            (old, new) => {
                // A name of the new version means its function there; the old one then follows.
                chosen.0.extend(old.ok().filter(|_| new.is_err()).into_iter().flatten());
                chosen.1.extend(new.ok().into_iter().flatten());
            }
        }
    }
    Ok(chosen)
}

/// What limits a comparison.
pub(crate) fn notes(changes: &Changes) -> Vec<String> {
    let mut notes = changes.notes.clone();
    let has_common = changes.functions.iter().any(|function| function.diff.is_some());
    if !has_common && !changes.functions.is_empty() {
        notes.push("the versions have no function in common: everything counts as removed or added".to_owned());
    }
    notes
}

fn count(counts: &mut Counts, touch: Touch) {
    match touch {
        Touch::Changed => counts.changed += 1,
        Touch::Impacted => counts.impacted += 1,
        Touch::Called => counts.called += 1,
        Touch::Calls => counts.callers += 1,
        Touch::None => counts.untouched += 1,
    }
}

/// One of the versions.
struct Side<'a, 'm> {
    facts: &'a Facts<'m>,
    reach: &'a Reach,
    known: &'a mut KnownFunctions,
    /// For each function and cause who brings it.
    bringers: BTreeMap<(FuncId, Cause), BTreeSet<FuncId>>,
}

/// What the change reaches in a function.
struct Reached {
    /// Instructions that depend on it, in calls that happen in both versions.
    inside: FixedBitSet,
    /// Calls inside of which something depends on it.
    calls: FixedBitSet,
    /// Whether calls of the function happen depends on it.
    called: bool,
    why: BTreeMap<InstId, Why>,
}

impl<'a, 'm> Side<'a, 'm> {
    fn new(facts: &'a Facts<'m>, reach: &'a Reach, known: &'a mut KnownFunctions) -> Side<'a, 'm> {
        let mut bringers: BTreeMap<(FuncId, Cause), BTreeSet<FuncId>> = BTreeMap::new();
        for (&(caller, _), set) in &reach.influence.sets {
            for (&call, marks) in &set.marks {
                let targets = facts.calls.site(caller, call).map_or(&[][..], |site| &site.targets);
                for &target in targets {
                    for cause in marks.causes().filter(|&cause| cause != Cause::Own) {
                        bringers.entry((target, cause)).or_default().insert(caller);
                    }
                }
            }
        }
        Side { facts, reach, known, bringers }
    }

    fn reached(&self, id: FuncId) -> Reached {
        let count = self.facts.module.functions[id].insts.len();
        let mut reached = Reached {
            inside: FixedBitSet::with_capacity(count),
            calls: FixedBitSet::with_capacity(count),
            called: false,
            why: BTreeMap::new(),
        };
        for (cause, set) in self.reach.influence.of_function(id) {
            if cause == Cause::Called {
                reached.called = true;
                continue;
            }
            reached.calls.union_with(&set.calls);
            for inst in set.insts.ones().map(InstId::from_index) {
                match set.why.get(&inst) {
                    // Code outside calls it.
                    Some(Why::Called) => reached.called = true,
                    why => {
                        reached.inside.insert(inst.index());
                        reached.why.entry(inst).or_insert(why.copied().unwrap_or(Why::Start));
                    }
                }
            }
        }
        reached
    }

    fn touch(&self, change: &FunctionChange, id: FuncId) -> Touch {
        let reached = self.reached(id);
        match () {
            () if change.kind != Kind::Unchanged || self.is_renamed(change, id) => Touch::Changed,
            () if !reached.inside.is_clear() => Touch::Impacted,
            () if reached.called => Touch::Called,
            () if !reached.calls.is_clear() => Touch::Calls,
            () => Touch::None,
        }
    }

    /// Whether code outside of the module knew a function by another name: its name is its interface.
    fn is_renamed(&self, change: &FunctionChange, id: FuncId) -> bool {
        let module = self.facts.module;
        change.old_name.is_some() && !module.symbols[module.functions[id].symbol].linkage.is_local()
    }

    fn function(
        &mut self,
        change: &FunctionChange,
        id: FuncId,
        touch: Touch,
        sources: &mut BTreeMap<String, Vec<String>>,
    ) -> Function {
        let module = self.facts.module;
        let known = self.known.get(self.facts, id);
        let reached = self.reached(id);
        let mut all = reached.inside.clone();
        all.union_with(&reached.calls);
        let fed = with_feeding(self.facts, &known, id, &all, Feeding::Data);
        let affected = kinds(module, id, &fed);
        let file = extent(module, id).map(|(file, ..)| file);
        if let Some(file) = &file {
            sources.entry(file.clone()).or_insert_with(|| read_lines(file));
        }
        let changed = Sides {
            old: change.hunks.iter().flat_map(|hunk| hunk.old_lines.iter().copied()).collect(),
            new: change.hunks.iter().flat_map(|hunk| hunk.new_lines.iter().copied()).collect(),
        };
        let own = if change.new.is_some() { &changed.new } else { &changed.old };
        let marked = Marked { own: own.iter().copied().collect(), reached: &reached, fed: &fed };
        let lines = self.lines(id, &known, &marked);
        let source = file.as_ref().and_then(|file| sources.get(file)).map_or(&[][..], Vec::as_slice);
        let callers: BTreeSet<FuncId> = self.facts.calls.callers(id).map(|site| site.caller).collect();
        Function {
            name: change.name.clone(),
            old_name: change.old_name.clone(),
            status: match change.kind {
                Kind::Unchanged if self.is_renamed(change, id) => "renamed",
                Kind::Unchanged => "unchanged",
                Kind::Changed => "changed",
                Kind::Added => "added",
                Kind::Removed => "removed",
            },
            touch,
            file,
            old_lines: None,
            new_lines: None,
            affected: Affected {
                conditions: lines_of(module, id, affected.conditions),
                writes: lines_of(module, id, affected.writes),
            },
            changed,
            called: reached.called,
            impacted_by: self.impacted_by(change, id, &reached),
            callers: callers.into_iter().filter(|&caller| caller != id).map(|caller| self.name(caller)).collect(),
            graph: graph::graph(module, id, &known, &lines, source),
            lines,
        }
    }

    fn name(&self, id: FuncId) -> String {
        function_display_name(self.facts.module, id)
    }

    /// Marked lines; marked instructions without debug info.
    fn lines(&self, id: FuncId, known: &Rc<FunctionFacts>, marked: &Marked) -> Vec<Line> {
        let module = self.facts.module;
        let function = &module.functions[id];
        let Some((file, ..)) = extent(module, id) else { return self.instructions(id, known, marked) };
        let silent = silent_markers(module, function);
        let mut by_line: BTreeMap<u32, Vec<InstId>> = BTreeMap::new();
        for (_, inst, data) in function.body() {
            let is_silent = matches!(data.kind, InstKind::Br(_) | InstKind::Phi { .. } | InstKind::Alloca { .. });
            let place = data.loc.filter(|_| !is_silent && !silent.contains(&inst)).and_then(|loc| line(module, loc));
            if let Some((_, number)) = place.filter(|(other, _)| *other == file) {
                by_line.entry(number).or_default().push(inst);
            }
        }
        for &number in &marked.own {
            by_line.entry(number).or_default();
        }
        let why = why::Explainer { facts: self.facts, known, id };
        let mut lines = Vec::new();
        for (number, insts) in by_line {
            let is_own = marked.own.contains(&number);
            let mark = insts.iter().map(|inst| marked.mark(*inst)).max().unwrap_or_default();
            let (mark, why) = match mark {
                _ if is_own => (Mark::Changed, "changed".to_owned()),
                Mark::None => continue,
                Mark::Feeds if !insts.iter().any(|inst| is_write(&function.insts[*inst].kind)) => continue,
                Mark::Feeds => (mark, "gives a value to what depends on the change".to_owned()),
                // What changed without a line of its own, such as a variable that begins with something else.
                mark => (mark.min(Mark::Impacted), why.line(number, &insts, marked.reached)),
            };
            lines.push(Line { line: Some(number), instruction: None, mark, why });
        }
        lines
    }

    fn instructions(&self, id: FuncId, known: &Rc<FunctionFacts>, marked: &Marked) -> Vec<Line> {
        let why = why::Explainer { facts: self.facts, known, id };
        let listing = Lister::new(self.facts.module).function(id);
        let mut lines = Vec::new();
        for (inst, text) in listing.blocks.into_iter().flat_map(|block| block.insts) {
            let mark = marked.mark(inst);
            if mark != Mark::None {
                let why = match mark {
                    Mark::Feeds => String::new(),
                    _ => why.line(0, &[inst], marked.reached),
                };
                lines.push(Line { line: None, instruction: Some(text), mark, why });
            }
        }
        lines
    }

    /// Through what the change comes to a function.
    fn impacted_by(&self, change: &FunctionChange, id: FuncId, reached: &Reached) -> Vec<String> {
        let mut by = Vec::new();
        let callees: BTreeSet<FuncId> = reached
            .calls
            .ones()
            .filter_map(|call| self.facts.calls.site(id, InstId::from_index(call)))
            .flat_map(|site| site.targets.iter().copied())
            .filter(|&target| self.reach.influence.of_function(target).any(|(_, set)| !set.is_empty()))
            .collect();
        if !callees.is_empty() {
            by.push(format!("it calls {}", self.names(&callees)));
        }
        for ((_, cause), callers) in self.bringers.range((id, Cause::Own)..=(id, Cause::Param(u32::MAX))) {
            let names = self.names(callers);
            by.push(match cause {
                Cause::Own => continue,
                Cause::Memory => format!("memory that {names} pass on"),
                Cause::Called => format!("calls by {names}"),
                Cause::Param(index) => format!("{} from {names}", why::parameter(self.facts.module, id, *index)),
            });
        }
        if change.kind == Kind::Unchanged && change.uses_globals.len() == 1 {
            by.push("a variable that changed".to_owned());
        } else if change.kind == Kind::Unchanged && !change.uses_globals.is_empty() {
            by.push("variables that changed".to_owned());
        }
        if change.signature_changed {
            by.push("its signature changed".to_owned());
        }
        by
    }

    fn names(&self, functions: &BTreeSet<FuncId>) -> String {
        const MOST: usize = 3;
        let names: Vec<String> = functions.iter().take(MOST).map(|&id| self.name(id)).collect();
        match functions.len() {
            count if count > MOST => format!("{} and {} more", names.join(", "), count - MOST),
            _ => names.join(", "),
        }
    }
}

/// What of a function is marked.
struct Marked<'r> {
    /// Lines that changed.
    own: BTreeSet<u32>,
    reached: &'r Reached,
    fed: &'r FixedBitSet,
}

impl Marked<'_> {
    fn mark(&self, inst: InstId) -> Mark {
        let index = inst.index();
        match () {
            () if self.reached.why.get(&inst) == Some(&Why::Start) => Mark::Changed,
            () if self.reached.inside.contains(index) || self.reached.calls.contains(index) => Mark::Impacted,
            () if self.fed.contains(index) => Mark::Feeds,
            () => Mark::None,
        }
    }
}

fn is_write(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Marker(_) | InstKind::Store { .. } | InstKind::Call(_) | InstKind::Invoke { .. })
}

/// The lines of a source file; a source that is gone is no error.
fn read_lines(file: &str) -> Vec<String> {
    let lines = sources::lines(Path::new(file)).unwrap_or_default();
    lines.iter().map(|line| source_line(line)).collect()
}
