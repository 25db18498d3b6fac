//! Which test of a suite is explained: the one that was asked for, or the first one that fails now.
//!
//! To explain a test takes much longer than to run it. So tests of whole programs are run first, on both versions, which
//! also tells the files that they open; only those that show something else, or of which that is not known, are explained.
//! Tests that cannot be followed are passed over. Where tests say what they expect, one that passes on the old version
//! comes before others.

use super::versions::Versions;
use super::{Expected, ExplainError, Options, Test, Wanted, explain_test};
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
    let mut explain = |index: usize, input: &Input, wanted: Wanted| {
        let expected = Expected::of_suite(suite.expected.get(index));
        explain_test(&mut versions, &Test::of_suite(input, is_main), (&expected, wanted), options)
    };
    if let Some(number) = number {
        let index = number.checked_sub(1);
        let test = index.and_then(|index| Some((index, suite.tests.get(index)?)));
        let (index, (_, input)) = test.ok_or(ExplainError::NoTest { number, tests: suite.tests.len() })?;
        let mut input = input.clone();
        look(&mut input);
        return explain(index, &input, Wanted::Difference);
    }
    let (mut left, mut why) = (0, None);
    // Tests that show a difference, but no regression: the first of them, and why it is none.
    let (mut other, mut both_fail) = (None, None);
    for (index, (_, input)) in suite.tests.iter().enumerate() {
        let mut input = input.clone();
        if look(&mut input) == Some(true) {
            continue;
        }
        match explain(index, &input, Wanted::Regression) {
            Err(ExplainError::Same(_)) => {}
            Err(ExplainError::OtherPasses(_)) => {
                other.get_or_insert((index, input));
            }
            Err(error @ ExplainError::BothFail { .. }) => {
                both_fail.get_or_insert(error);
            }
            // A later test may show what this one cannot.
            Err(error @ (ExplainError::Unfinished { .. } | ExplainError::DoesNotFit(_))) => {
                left += 1;
                why.get_or_insert(error.to_string());
            }
            other => return other,
        }
    }
    if let Some((index, input)) = other {
        return explain(index, &input, Wanted::Difference);
    }
    let tests = suite.tests.len();
    Err(match (both_fail, why) {
        (Some(both_fail), _) => both_fail,
        (None, Some(why)) => ExplainError::SameWhereFollowed { same: tests - left, left, why },
        (None, None) => ExplainError::AllSame(tests),
    })
}

/// A whole program that can be run.
fn whole(module: &Module, options: &Options) -> Option<(Program, FuncId)> {
    let linked = prelude::link(module.clone()).ok()?;
    let main = find::functions(&linked, "main").ok()?.first().copied()?;
    Some((Program::new(linked, options.program.clone()), main))
}
