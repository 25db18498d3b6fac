//! The two versions of a function as one program, made once for all tests.

use super::fit::Parameters;
use super::{ExplainError, Test};
use crate::diff::common::{Slot, wrapped};
use crate::diff::couple::{Couple, unmarked};
use change::Changes;
use exec::changes::global_object;
use exec::program::Program;
use ir::id::{FuncId, SymbolId};
use ir::module::Module;
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// Two versions of a function.
pub(super) struct Versions<'m> {
    /// The old version.
    pub old: Cow<'m, Module>,
    /// The new version.
    pub new: Cow<'m, Module>,
    /// The function in the new version.
    pub function: FuncId,
    /// What changed.
    pub changes: Changes,
    /// Both versions as one program.
    pub couple: Couple,
    /// The function of the old and of the new version in that program.
    pub entries: [FuncId; 2],
    parameters: Parameters,
    /// What the entries take, if they are wrappers because the versions take something else.
    slots: Option<Vec<Slot>>,
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
        let missing = || ExplainError::Missing(new.function_name(new_id).to_owned());
        let parameters = Parameters::new((old, old_id), (new, new_id));
        let is_main = new.function_name(new_id) == "main";
        let (old, new, entries, slots) = if is_main || !parameters.differ() {
            (Cow::Borrowed(old), Cow::Borrowed(new), (old_id, new_id), None)
        } else {
            let Some(common) = wrapped((old, old_id), (new, new_id)) else {
                let name = ir::demangle::function_display_name(new, new_id);
                let why = format!("no value means the same to the parameters that `{name}` has in each of them");
                return Err(ExplainError::DoesNotFit(why));
            };
            let ((old, old_id), (new, new_id)) = (common.old, common.new);
            (Cow::Owned(old), Cow::Owned(new), (old_id, new_id), Some(common.slots))
        };
        let couple = Couple::new(&old, &new, &changes, options.clone())
            .map_err(|error| ExplainError::Link(error.to_string()))?;
        let old_function = couple.old_function(&old, entries.0).ok_or_else(missing)?;
        let new_function = couple.new_function(&new, entries.1).ok_or_else(missing)?;
        let differing = couple.program.differing.clone();
        let entries = [old_function, new_function];
        Ok(Versions { old, new, function: new_id, changes, couple, entries, parameters, slots, differing })
    }

    /// Makes the program ready for a test, and the test ready for the program: it has arguments for both versions. A variable that it gives a value to has that value in both versions, however
    /// they begin.
    pub(super) fn prepare(&mut self, test: &Test) -> Result<Test, ExplainError> {
        let program = &self.couple.program;
        let differs = |symbol: &&SymbolId| !gives(test, program, **symbol);
        let differing = self.differing.iter().filter(differs).copied().collect();
        self.couple.program.differing = differing;
        self.parameters.fit(test, self.slots.as_deref())
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
            given.iter().any(|part| part.name.strip_prefix(&object.name).is_some_and(is_part))
        }
        Test::Shell(_) => false,
    }
}
