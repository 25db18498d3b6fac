//! Regression tests of a function: one for each difference and for each pair of paths that was compared.

use super::Options;
use super::confirm::with_own_names;
use super::couple::{Couple, unmarked};
use super::natives::{Natives, Version};
use crate::replay::{self, Placement};
use crate::suite::emit::{c_file, rust_file};
use crate::suite::{SuiteError, Test, Writer, signature};
use exec::case::{self, End, Outcome, Turn};
use explore::pair::Compared;
use ir::debug::Language;
use ir::id::FuncId;
use ir::module::Module;
use std::collections::BTreeSet;
use std::path::Path;

/// Tests of the new version. What native runs do not confirm is left out.
pub fn of(compared: &Compared, couple: &Couple, id: FuncId, options: &Options, natives: &Natives) -> Vec<Test> {
    let module = &couple.program.module;
    let mut tests = Vec::new();
    for difference in &compared.differences {
        let turns = difference.new.turns.iter().map(|turn| Turn {
            function: unmarked(module.function_label(turn.function)).into(),
            branch: turn.branch,
            side: turn.side,
        });
        let outcome = own_outcome(&difference.new.outcome);
        tests.push(Test { input: with_own_names(&difference.input, couple, false), outcome, turns: turns.collect() });
    }
    for case in &compared.cases {
        let turns = case.turns.iter().map(|turn| Turn { function: unmarked(&turn.function).into(), ..turn.clone() });
        let (input, outcome) = (with_own_names(&case.input, couple, false), own_outcome(&case.outcome));
        tests.push(Test { input, outcome, turns: turns.collect() });
    }
    tests.retain(|test| !matches!(test.outcome.end, End::Bound(_) | End::Unsupported(_) | End::Refused(_)));
    let Some((replaying, limits)) = &options.replay else { return tests };
    let inputs: Vec<case::Input> = tests.iter().map(|test| test.input.clone()).collect();
    let driver = natives.driver(Version::New, id, replaying);
    let seen = driver.and_then(|driver| driver.run(&inputs, Placement::Exact, limits));
    let Ok(seen) = seen else { return Vec::new() };
    let agree =
        |(test, seen): &(Test, replay::Replayed)| replay::does_as_expected(&test.outcome, &seen.outcome).is_ok();
    tests.into_iter().zip(seen).filter(agree).map(|(test, _)| test).collect()
}

/// Writes tests of functions to a folder: a folder for each function, in it the suite and the same tests as source.
pub fn write(dir: &Path, module: &Module, suites: &[(FuncId, Vec<Test>)]) -> Result<(), SuiteError> {
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (id, tests) in suites.iter().filter(|(_, tests)| !tests.is_empty()) {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let display = ir::demangle::function_display_name(module, *id);
        let base: String = display.chars().map(plain).take(80).collect();
        let names = std::iter::once(base.clone()).chain((2..).map(|number| format!("{base}-{number}")));
        let Some(name) = names.into_iter().find(|name| !used.contains(name)) else { continue };
        used.insert(name.clone());
        let folder = dir.join(name);
        let header = signature::header(module, *id);
        let mut writer = Writer::create(&folder, header.clone())?;
        for test in tests {
            writer.push(test)?;
        }
        writer.finish()?;
        let (file, emitted) = if is_rust(module, *id) {
            ("tests.rs", rust_file(module, *id, &header, tests))
        } else {
            ("tests.c", c_file(module, *id, &header, tests))
        };
        let path = folder.join(file);
        std::fs::write(&path, emitted.text).map_err(|error| SuiteError::Io { action: "write", path, error })?;
    }
    Ok(())
}

fn is_rust(module: &Module, id: FuncId) -> bool {
    let debug = &module.debug;
    let ty = module.functions[id].scope.and_then(|scope| debug.scopes[scope].ty);
    ty.is_some_and(|ty| debug.types[ty].language == Language::Rust)
}

/// An outcome with the symbol names that the version has itself.
fn own_outcome(outcome: &Outcome) -> Outcome {
    let mut outcome = outcome.clone();
    let target = |target: &mut case::Target| {
        if let case::Target::Symbol { name, .. } = target {
            *name = unmarked(name).to_owned();
        }
    };
    outcome.result.each_target(&target);
    for memory in outcome.objects.iter_mut().chain(outcome.globals.iter_mut().map(|(_, memory)| memory)) {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
    }
    for (name, _) in &mut outcome.globals {
        *name = unmarked(name).to_owned();
    }
    for call in &mut outcome.calls {
        call.function = unmarked(&call.function).to_owned();
        call.args.iter_mut().for_each(|arg| arg.each_target(&target));
    }
    outcome
}
