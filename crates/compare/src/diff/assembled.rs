//! Functions that get to what assembly outside of functions may define, where that assembly changed.
//!
//! The assembly is not read, so what it defines is only known by its name, and that name may stand for something else now. Whatever
//! is found out of such a function speaks of equal things behind equal names, and does not hold.

use super::findings::Findings;
use change::FunctionChange;
use evidence::Gap;
use ir::id::SymbolId;
use ir::module::Module;
use std::collections::BTreeMap;

/// What may be another thing under the same name.
pub struct Assembled<'m> {
    modules: [&'m Module; 2],
    /// What gets to such a name, by version, and the name.
    behind: [BTreeMap<SymbolId, String>; 2],
}

impl<'m> Assembled<'m> {
    /// Looks for what gets to changed assembly.
    pub fn new(old: &'m Module, new: &'m Module) -> Assembled<'m> {
        Assembled { modules: [old, new], behind: change::behind_changed_assembly(old, new) }
    }

    /// Takes back a verdict that speaks of equal things behind equal names.
    pub fn doubt(&self, findings: &mut Findings, function: &FunctionChange) {
        let ids = [function.old, function.new];
        let sides = ids.into_iter().zip(self.modules).zip(&self.behind);
        let name = sides.filter_map(|((id, module), behind)| behind.get(&module.functions[id?].symbol)).next();
        if let Some(symbol) = name.filter(|_| findings.verdict().is_same()) {
            findings.open(Gap::AssemblyChanged { symbol: symbol.clone() });
        }
    }
}
