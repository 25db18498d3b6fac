//! Callers of what is proved to be the same.
//!
//! A function whose own code did not change does the same if all that it uses does, for all inputs: then nobody needs to
//! look at its paths (the rule of regression verification, Godlin and Strichman 2009). Functions that call each other and
//! are otherwise like that are the same together.

use super::findings::Findings;
use super::startup::Built;
use change::hashes::{function_uses, uses};
use change::{Changes, Kind};
use evidence::assumption::Callers;
use evidence::{Assumption, Verdict};
use ir::id::{Id, SymbolId};
use ir::module::{Module, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// Functions without changes of their own that are the same because all they use is, by position, and the assumptions that
/// they inherit from that; `rows` has what is known of those that changed, `behind_pointers` what functions may get to through
/// pointers.
pub fn proved(
    old: &Module,
    new: &Module,
    changes: &Changes,
    built: &Built,
    rows: &BTreeMap<usize, Findings>,
    behind_pointers: &BTreeMap<usize, BTreeSet<usize>>,
) -> BTreeMap<usize, BTreeSet<Assumption>> {
    let itself: BTreeMap<usize, BTreeSet<Assumption>> =
        rows.iter().filter_map(|(index, findings)| Some((*index, inheritable(findings)?))).collect();
    let functions = (0..changes.functions.len())
        .filter_map(|index| Some((new.functions[changes.functions[index].new?].symbol, index)));
    let by_symbol: BTreeMap<SymbolId, usize> = functions.collect();
    let changed_globals: BTreeSet<SymbolId> = changes
        .globals
        .iter()
        .filter(|global| !global.same)
        .filter_map(|global| Some(new.globals[global.new?].symbol))
        .chain(built.variables.iter().copied())
        .collect();
    // Constants that nobody could know by a name are what they hold.
    let matched: BTreeSet<SymbolId> =
        changes.globals.iter().filter_map(|global| Some(new.globals[global.new?].symbol)).collect();
    let is_nameless = |symbol: SymbolId| {
        matches!(new.symbols[symbol].kind, SymbolKind::Variable(_))
            && !matched.contains(&symbol)
            && !is_elsewhere(new, symbol)
    };
    let uses = uses(new);
    let elsewhere: BTreeSet<&str> =
        old.symbols.ids().filter(|id| is_elsewhere(old, *id)).map(|id| old.symbol_name(id)).collect();
    let is_candidate = |index: &usize| {
        let function = &changes.functions[*index];
        if built.differs && function.name == "main" {
            return false;
        }
        function.same || function.kind == Kind::Unchanged && function.old.is_some() && !function.signature_changed
    };
    let mut candidates: BTreeSet<usize> = (0..changes.functions.len()).filter(is_candidate).collect();
    loop {
        let is_proved = |index: &usize| itself.contains_key(index) || candidates.contains(index);
        let holds = |index: &usize| {
            if !behind_pointers.get(index).into_iter().flatten().all(is_proved) {
                return false;
            }
            let Some(id) = changes.functions[*index].new else { return false };
            let used = with_contents(&uses, function_uses(new, id), &is_nameless);
            used.iter().all(|symbol| match by_symbol.get(symbol) {
                Some(used) => is_proved(used),
                // Nothing else that it names changed.
                None if changes.functions[*index].same => true,
                None if is_elsewhere(new, *symbol) => elsewhere.contains(new.symbol_name(*symbol)),
                None => {
                    let is_variable = matches!(new.symbols[*symbol].kind, SymbolKind::Variable(_));
                    is_variable && !changed_globals.contains(symbol)
                }
            })
        };
        let rest: BTreeSet<usize> = candidates.iter().copied().filter(holds).collect();
        if rest.len() == candidates.len() {
            break;
        }
        candidates = rest;
    }
    let used = |index: usize| -> BTreeSet<usize> {
        let id = changes.functions[index].new;
        let used = id.map(|id| with_contents(&uses, function_uses(new, id), &is_nameless)).unwrap_or_default();
        used.iter().filter_map(|symbol| by_symbol.get(symbol).copied()).collect()
    };
    let mut found = inherited(candidates.into_iter().map(|index| (index, used(index))).collect(), &itself);
    found.retain(|&index, _| !changes.functions[index].same);
    found
}

/// The assumptions of a proof, if every caller can rest on it whatever it is called with.
fn inheritable(findings: &Findings) -> Option<BTreeSet<Assumption>> {
    let assumptions: BTreeSet<Assumption> = findings.assumptions().iter().map(|one| one.assumption.clone()).collect();
    let is_proof =
        findings.verdict() == Verdict::Same && assumptions.iter().all(|one| one.callers() == Callers::Inherit);
    is_proof.then_some(assumptions)
}

/// What functions inherit from all that they use, directly or not. `proved` has the assumptions of what is proved by itself.
fn inherited(
    used: BTreeMap<usize, BTreeSet<usize>>,
    proved: &BTreeMap<usize, BTreeSet<Assumption>>,
) -> BTreeMap<usize, BTreeSet<Assumption>> {
    let mut all: BTreeMap<usize, BTreeSet<Assumption>> = used.keys().map(|&index| (index, BTreeSet::new())).collect();
    loop {
        let mut grown = false;
        for (index, callees) in &used {
            let of_callees = callees.iter().flat_map(|callee| proved.get(callee).or(all.get(callee))).flatten();
            let of_callees: BTreeSet<Assumption> = of_callees.cloned().collect();
            if let Some(own) = all.get_mut(index) {
                let before = own.len();
                own.extend(of_callees);
                grown |= own.len() > before;
            }
        }
        if !grown {
            return all;
        }
    }
}

/// Symbols, and those in the contents of some of them.
fn with_contents(
    uses: &[Vec<SymbolId>],
    symbols: Vec<SymbolId>,
    are_opened: &dyn Fn(SymbolId) -> bool,
) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    let mut todo = symbols;
    while let Some(symbol) = todo.pop() {
        if found.insert(symbol) && are_opened(symbol) {
            todo.extend(uses.get(symbol.index()).into_iter().flatten());
        }
    }
    found
}

/// Whether a version only declares something.
fn is_elsewhere(module: &Module, symbol: SymbolId) -> bool {
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) => !module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_none(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::findings::Evidence;
    use evidence::{Assumed, Basis, Gap};

    fn proved_under(assumptions: &[Assumption]) -> Findings {
        let assumptions = assumptions.iter().cloned().map(Assumed::from).collect();
        let proof = Evidence::Proof { basis: Basis::Executions, assumptions };
        Findings { evidence: vec![proof], ..Findings::default() }
    }

    #[test]
    fn only_proofs_for_every_caller_are_inherited() {
        let errno = proved_under(&[Assumption::Errno]);
        assert_eq!(inheritable(&errno), Some(BTreeSet::from([Assumption::Errno])));
        assert_eq!(inheritable(&proved_under(&[])), Some(BTreeSet::new()));
        assert_eq!(inheritable(&proved_under(&[Assumption::Errno, Assumption::NoAliases])), None);
        assert_eq!(inheritable(&proved_under(&[Assumption::Capacity])), None);
        assert_eq!(inheritable(&Findings::from(Gap::Time)), None);
    }

    #[test]
    fn assumptions_go_up_the_calls() {
        let set = |assumptions: &[Assumption]| -> BTreeSet<Assumption> { assumptions.iter().cloned().collect() };
        let proved = BTreeMap::from([(0, set(&[Assumption::Errno])), (1, set(&[Assumption::Panics]))]);
        // 2 calls 0, 3 calls 2 and 4, 4 calls 3 and 1, 5 calls nothing of that.
        let used = [(2, vec![0]), (3, vec![2, 4]), (4, vec![3, 1]), (5, vec![])];
        let used = used.into_iter().map(|(index, callees)| (index, callees.into_iter().collect())).collect();
        let both = set(&[Assumption::Errno, Assumption::Panics]);
        let expect = [(2, set(&[Assumption::Errno])), (3, both.clone()), (4, both), (5, set(&[]))];
        assert_eq!(inherited(used, &proved), BTreeMap::from(expect));
    }
}
