//! Callers of what differs. Their own code did not change, so what there is to say of them is through which changed function a
//! difference may reach them, and whether others can see it there.
//!
//! Of the callers of each cause the nearest that others may call are compared: they show what the difference comes to from outside. The rest is counted
//! with its cause instead of being followed one by one (bottom-up summaries: a caller adds nothing to what is known of a change).

use super::findings::Findings;
use super::verdict::others_may_call;
use change::Changes;
use evidence::Verdict;
use ir::id::{Id, SymbolId};
use ir::module::{Module, SymbolKind};
use report::diff::Callers;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Callers that others may call and that are compared, of each cause.
const NEAREST: usize = 3;

/// Names of callers that are listed.
const MAX_NAMES: usize = 8;

/// Which callers are compared, and which only counted.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Callers that are compared.
    pub compared: BTreeSet<usize>,
    /// Callers of each cause, the nearest first, by positions in the list of changes.
    callers: BTreeMap<usize, Vec<usize>>,
    /// Callers that are not compared because they are counted with a cause.
    pub counted: BTreeSet<usize>,
}

/// Functions that name closures of `untold`, by themselves or in others of these: theirs is the row that tells what a closure does.
pub fn hosts(modules: [&Module; 2], changes: &Changes, untold: &BTreeSet<usize>) -> BTreeSet<usize> {
    let callers = callers(modules, changes);
    untold.iter().flat_map(|&closure| &callers[closure]).copied().filter(|caller| !untold.contains(caller)).collect()
}

/// Plans for functions whose own code did not change, of which nothing is proved; `rows` has what is known of others, and those
/// of them that count may be causes.
pub fn plan(
    [old, new]: [&Module; 2],
    changes: &Changes,
    rows: &BTreeMap<usize, Findings>,
    open: &BTreeSet<usize>,
    behind_pointers: &BTreeMap<usize, BTreeSet<usize>>,
    counts: &dyn Fn(usize) -> bool,
) -> Plan {
    let is_cause = |(index, findings): (&usize, &Findings)| {
        let judgement = findings.judgement();
        let differs = matches!(judgement.verdict, Verdict::Different | Verdict::Undecided | Verdict::Interface);
        (differs && !judgement.not_counted && counts(*index)).then_some(*index)
    };
    let causes: BTreeSet<usize> = rows.iter().filter_map(is_cause).collect();
    let mut callers = callers([old, new], changes);
    for (&caller, reached) in behind_pointers {
        for &callee in reached {
            callers[callee].insert(caller);
        }
    }
    // What did not change and calls nothing by name that did gets to a cause through pointers: nothing to report, but on the way.
    let passes = |index: usize| changes.functions[index].same;
    let is_exported = |index: usize| {
        changes.functions[index].new.is_some_and(|id| others_may_call(&new.symbols[new.functions[id].symbol]))
    };
    let mut plan = Plan::default();
    for cause in causes {
        let reached = nearest_first(cause, &callers, open, &passes);
        plan.compared.extend(reached.iter().copied().filter(|&caller| is_exported(caller)).take(NEAREST));
        plan.counted.extend(&reached);
        plan.callers.insert(cause, reached);
    }
    plan.counted = plan.counted.difference(&plan.compared).copied().collect();
    plan
}

impl Plan {
    /// What a report says of the callers of a cause. Of those that were compared, rows tell what came of it.
    pub fn told(
        &self,
        cause: usize,
        new: &Module,
        changes: &Changes,
        rows: &BTreeMap<usize, Findings>,
        name: &dyn Fn(usize) -> String,
    ) -> Option<Callers> {
        let callers = self.callers.get(&cause).filter(|callers| !callers.is_empty())?;
        let is_exported = |index: &&usize| {
            changes.functions[**index].new.is_some_and(|id| others_may_call(&new.symbols[new.functions[id].symbol]))
        };
        let differs = |index: &&usize| {
            self.compared.contains(index)
                && rows.get(index).is_some_and(|findings| findings.verdict() == Verdict::Different)
        };
        let open: Vec<usize> = callers.iter().copied().filter(|index| is_open(rows.get(index))).collect();
        let (exported, own): (Vec<&usize>, Vec<&usize>) = open.iter().partition(is_exported);
        let names = exported.iter().chain(&own).take(MAX_NAMES).map(|index| name(**index)).collect();
        let seen_from = callers.iter().filter(differs).map(|index| name(*index)).collect();
        Some(Callers { count: open.len(), exported: exported.len(), names, seen_from })
    }

    /// Whether a caller has no row of its own: it was not compared, or in vain.
    pub fn hides(&self, index: usize, findings: Option<&Findings>) -> bool {
        (self.counted.contains(&index) || self.compared.contains(&index)) && is_open(findings)
    }
}

/// Whether it is not known what a caller does.
fn is_open(findings: Option<&Findings>) -> bool {
    findings.is_none_or(|findings| findings.verdict() == Verdict::Undecided)
}

/// Open functions that get to a cause through others whose own code is as it was.
fn nearest_first(
    cause: usize,
    callers: &[BTreeSet<usize>],
    open: &BTreeSet<usize>,
    passes: &dyn Fn(usize) -> bool,
) -> Vec<usize> {
    let (mut found, mut seen, mut todo) = (Vec::new(), BTreeSet::from([cause]), VecDeque::from([cause]));
    while let Some(at) = todo.pop_front() {
        for &caller in &callers[at] {
            if (open.contains(&caller) || passes(caller)) && seen.insert(caller) {
                found.extend(open.contains(&caller).then_some(caller));
                todo.push_back(caller);
            }
        }
    }
    found
}

/// Who names each function, in either version, by itself or in the contents of a variable.
fn callers(modules: [&Module; 2], changes: &Changes) -> Vec<BTreeSet<usize>> {
    let mut callers = vec![BTreeSet::new(); changes.functions.len()];
    for (side, module) in modules.into_iter().enumerate() {
        let of = |function: &change::FunctionChange| if side == 0 { function.old } else { function.new };
        let by_symbol: BTreeMap<SymbolId, usize> = changes
            .functions
            .iter()
            .enumerate()
            .filter_map(|(index, function)| Some((module.functions[of(function)?].symbol, index)))
            .collect();
        let uses = change::hashes::uses(module);
        for (&symbol, &index) in &by_symbol {
            let (mut todo, mut seen) = (vec![symbol], BTreeSet::from([symbol]));
            while let Some(at) = todo.pop() {
                for &used in uses.get(at.index()).into_iter().flatten() {
                    if !seen.insert(used) {
                        continue;
                    }
                    match (module.symbols[used].kind, by_symbol.get(&used)) {
                        (_, Some(&callee)) => {
                            callers[callee].insert(index);
                        }
                        (SymbolKind::Function(_), None) => {}
                        (_, None) => todo.push(used),
                    }
                }
            }
        }
    }
    callers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_come_by_their_distance() {
        // 0 is called by 1 and 2, 1 by 3, 3 by itself and 4; 2 is proved.
        let callers = [vec![1, 2], vec![3], vec![5], vec![3, 4], vec![], vec![]];
        let callers: Vec<BTreeSet<usize>> = callers.into_iter().map(|all| all.into_iter().collect()).collect();
        let open = BTreeSet::from([1, 3, 4, 5]);
        assert_eq!(nearest_first(0, &callers, &open, &|_| false), [1, 3, 4]);
        assert_eq!(nearest_first(0, &callers, &open, &|index| index == 2), [1, 3, 5, 4]);
        assert_eq!(nearest_first(5, &callers, &open, &|_| false), Vec::<usize>::new());
    }
}
