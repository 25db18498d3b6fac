//! Functions that only their callers know, and whose parameters changed: what they do is compared in place of the calls.

use super::closures::Side;
use super::findings::Findings;
use change::Changes;
use evidence::{Evidence, Gap, Verdict};
use ir::id::FuncId;
use ir::module::{Module, Visibility};
use std::collections::{BTreeMap, BTreeSet};

/// Functions with other parameters that are local to their unit in both versions, whose address is not taken, and of which every caller is
/// compared. `is_compared` says of others, which have no such row, whether they are.
pub fn told_by_callers(
    old: &Module,
    new: &Module,
    changes: &Changes,
    rows: &BTreeMap<usize, Findings>,
    is_compared: &dyn Fn(usize) -> bool,
) -> BTreeSet<usize> {
    let is_local = |module: &Module, id: Option<FuncId>| id.is_some_and(|id| is_local(module, id));
    let is_candidate = |(index, findings): (&usize, &Findings)| {
        let function = &changes.functions[*index];
        let has_others = findings.evidence.iter().filter_map(Evidence::gap).any(|gap| *gap == Gap::OtherSignature);
        (has_others && is_local(old, function.old) && is_local(new, function.new)).then_some(*index)
    };
    let mut left: BTreeSet<usize> = rows.iter().filter_map(is_candidate).collect();
    if left.is_empty() {
        return left;
    }
    let sides = [
        Side::new(old, &changes.functions, |function| function.old),
        Side::new(new, &changes.functions, |function| function.new),
    ];
    loop {
        let is_told = |caller: &usize| {
            let function = &changes.functions[*caller];
            // What only one version has is compared where the other version has something else.
            let is_alone = function.old.is_none() || function.new.is_none();
            let verdict = rows.get(caller).map(Findings::verdict);
            is_alone || left.contains(caller) || is_compared(*caller) && verdict != Some(Verdict::Interface)
        };
        let holds = |index: &usize| {
            let ids = [changes.functions[*index].old, changes.functions[*index].new];
            sides.iter().zip(ids).all(|(side, id)| id.is_some_and(|id| side.only_called_by(id, &is_told)))
        };
        let rest: BTreeSet<usize> = left.iter().copied().filter(holds).collect();
        if rest.len() == left.len() {
            return rest;
        }
        left = rest;
    }
}

/// Whether only code of its own unit can name a function. A unit of Rust is a whole crate, which hides what is not public.
fn is_local(module: &Module, id: FuncId) -> bool {
    let symbol = &module.symbols[module.functions[id].symbol];
    let of_rust = || module.units[symbol.unit].language.is_some_and(|language| module.str(language) == "DW_LANG_Rust");
    symbol.linkage.is_local() || symbol.visibility == Visibility::Hidden && of_rust()
}
