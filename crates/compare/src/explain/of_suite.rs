//! Which test of a suite is explained: the one that was asked for, or the first one that fails now.
//!
//! To explain a test takes much longer than to run it. So tests of whole programs are run first, on both versions, which
//! also tells the files that they open; only those that show something else, or of which that is not known, are explained.
//! Tests that cannot be followed are passed over.

use super::versions::Versions;
use super::{ExplainError, Options, Test, explain_test};
use crate::find;
use crate::impacted::runs::Runs;
use crate::impacted::suite::Suite;
use exec::case::Input;
use exec::models::prelude;
use exec::program::Program;
use ir::id::FuncId;
use ir::module::Module;
use report::explain::Explanation;

/// Explains the test of that number, counted from 1, of a suite for two promoted versions; without a number the first one
/// on which they differ.
pub fn explain_of_suite(
    old: &Module,
    new: &Module,
    (old_id, suite): (FuncId, &Suite),
    number: Option<usize>,
    options: &Options,
) -> Result<Explanation, ExplainError> {
    let is_main = new.function_name(suite.entry) == "main";
    let programs = if is_main { whole(old, options).zip(whole(new, options)) } else { None };
    let look = |input: &mut Input| {
        let (old, new) = programs.as_ref()?;
        let run = |(program, main): &(Program, FuncId), input: &mut Input| {
            Runs::new(program, *main, suite, options.explore.max_steps).run(input)?.shown()
        };
        Some(run(old, input)? == run(new, input)?)
    };
    let mut versions = Versions::new(old, new, (old_id, suite.entry), &options.program)?;
    let mut explain = |input: &Input| explain_test(&mut versions, &Test::of_suite(input, is_main), options);
    if let Some(number) = number {
        let test = number.checked_sub(1).and_then(|index| suite.tests.get(index));
        let (_, input) = test.ok_or(ExplainError::NoTest { number, tests: suite.tests.len() })?;
        let mut input = input.clone();
        look(&mut input);
        return explain(&input);
    }
    let (mut left, mut why) = (0, None);
    for (_, input) in &suite.tests {
        let mut input = input.clone();
        if look(&mut input) == Some(true) {
            continue;
        }
        match explain(&input) {
            Err(ExplainError::Same(_)) => {}
            // A later test may show what this one cannot.
            Err(error @ (ExplainError::Unfinished { .. } | ExplainError::DoesNotFit(_))) => {
                left += 1;
                why.get_or_insert(error.to_string());
            }
            other => return other,
        }
    }
    let tests = suite.tests.len();
    Err(match why {
        Some(why) => ExplainError::SameWhereFollowed { same: tests - left, left, why },
        None => ExplainError::AllSame(tests),
    })
}

/// A whole program that can be run.
fn whole(module: &Module, options: &Options) -> Option<(Program, FuncId)> {
    let linked = prelude::link(module.clone()).ok()?;
    let main = find::functions(&linked, "main").ok()?.first().copied()?;
    Some((Program::new(linked, options.program.clone()), main))
}
