//! Public functions that others can call no more: renamed ones, and ones that became `static` or hidden.
//!
//! Whoever calls such a function is not part of what is compared, and fails to link. So it has a row as one that is gone has,
//! beside what is known of its body.

use super::findings::Findings;
use super::verdict::{declaration, others_may_call};
use change::FunctionChange;
use evidence::Gap;
use ir::id::FuncId;
use ir::module::{Module, Symbol, SymbolKind, Visibility};
use report::diff::Interface;

/// How a public function went out of sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It has another name.
    Renamed,
    /// It is local to its unit.
    Local,
    /// It is hidden outside of what it is linked into.
    Hidden,
}

impl Lost {
    fn gap(self) -> Gap {
        match self {
            Lost::Renamed => Gap::Renamed,
            Lost::Local => Gap::MadeLocal,
            Lost::Hidden => Gap::MadeHidden,
        }
    }

    /// What a declaration of the new version begins with.
    fn qualifier(self) -> &'static str {
        match self {
            Lost::Renamed => "",
            Lost::Local => "local ",
            Lost::Hidden => "hidden ",
        }
    }
}

/// Whether, and how, a public function of the old version cannot be called by others in the new one.
pub fn lost(function: &FunctionChange, old: &Module, new: &Module) -> Option<Lost> {
    let symbol = |module: &Module, id: FuncId| module.functions[id].symbol;
    let (of_old, of_new) = (symbol(old, function.old?), symbol(new, function.new?));
    if !others_may_call(&old.symbols[of_old]) || still_has(new, old.symbol_name(of_old)) {
        return None;
    }
    let is_now = &new.symbols[of_new];
    match () {
        () if is_now.linkage.is_local() => Some(Lost::Local),
        () if is_now.visibility == Visibility::Hidden => Some(Lost::Hidden),
        () if function.old_name.is_some() => Some(Lost::Renamed),
        () => None,
    }
}

/// Whether a module has something public of that name, such as an alias.
pub(super) fn still_has(module: &Module, name: &str) -> bool {
    let is_there = |symbol: &Symbol| match symbol.kind {
        SymbolKind::Function(id) => module.functions[id].is_defined(),
        SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => true,
        SymbolKind::Variable(_) | SymbolKind::Missing => false,
    };
    let is_public = |symbol: &Symbol| !symbol.linkage.is_local() && symbol.visibility != Visibility::Hidden;
    module.symbols.iter().any(|symbol| module.str(symbol.name) == name && is_there(symbol) && is_public(symbol))
}

/// Says of a function that others cannot call it any more. What differs, or is undecided, stays so.
pub fn mark(findings: &mut Findings, lost: Lost, function: &FunctionChange, old: &Module, new: &Module) {
    let (Some(of_old), Some(of_new)) = (function.old, function.new) else { return };
    let shown = format!("{}{}", lost.qualifier(), declaration(new, of_new));
    findings.interface.get_or_insert_with(|| Interface { old: declaration(old, of_old), new: shown });
    findings.open(lost.gap());
}
