//! The two versions of a function as one program, made once for all tests.

use super::{ExplainError, Test};
use crate::diff::couple::{Couple, unmarked};
use change::Changes;
use exec::changes::global_object;
use exec::program::Program;
use ir::id::{FuncId, SymbolId};
use ir::module::Module;
use rustc_hash::FxHashSet;

/// Two versions of a function.
pub(super) struct Versions<'m> {
    /// The old version.
    pub old: &'m Module,
    /// The new version.
    pub new: &'m Module,
    /// The function in the new version.
    pub function: FuncId,
    /// What changed.
    pub changes: Changes,
    /// Both versions as one program.
    pub couple: Couple,
    /// The function of the old and of the new version in that program.
    pub entries: [FuncId; 2],
    /// What is not the same in both versions of the program, whatever a test says.
    differing: FxHashSet<SymbolId>,
}

impl<'m> Versions<'m> {
    /// Makes one program of two promoted versions.
    pub(super) fn new(
        old: &'m Module,
        new: &'m Module,
        (old_id, new_id): (FuncId, FuncId),
        options: &exec::program::Options,
    ) -> Result<Versions<'m>, ExplainError> {
        let changes = change::compare(old, new);
        let couple =
            Couple::new(old, new, &changes, options.clone()).map_err(|error| ExplainError::Link(error.to_string()))?;
        let missing = || ExplainError::Missing(new.function_name(new_id).to_owned());
        let old_function = couple.old_function(old, old_id).ok_or_else(missing)?;
        let new_function = couple.new_function(new, new_id).ok_or_else(missing)?;
        let differing = couple.program.differing.clone();
        let entries = [old_function, new_function];
        Ok(Versions { old, new, function: new_id, changes, couple, entries, differing })
    }

    /// Makes the program ready for a test: a variable that it gives a value to has that value in both versions, however
    /// they begin.
    pub(super) fn prepare(&mut self, test: &Test) {
        let program = &self.couple.program;
        let differs = |symbol: &&SymbolId| !gives(test, program, **symbol);
        let differing = self.differing.iter().filter(differs).copied().collect();
        self.couple.program.differing = differing;
    }
}

/// Whether a test says what a variable holds.
fn gives(test: &Test, program: &Program, symbol: SymbolId) -> bool {
    match test {
        Test::Case(input) => {
            let name = unmarked(program.module.symbol_label(symbol));
            input.globals.iter().any(|(given, _)| given == name)
        }
        Test::Named(given) => {
            let Some(object) = global_object(program, symbol) else { return false };
            let is_part = |rest: &str| rest.is_empty() || rest.starts_with(['.', '[']) || rest.starts_with("->");
            given.iter().any(|(name, _)| name.strip_prefix(&object.name).is_some_and(is_part))
        }
        Test::Shell(_) => false,
    }
}
