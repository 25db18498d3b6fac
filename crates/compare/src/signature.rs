//! `pathshift signature`: what a function computes, one line for each way in which its outputs come about.
//!
//! The semantic signature of "Path Exploration based on Symbolic Output", ESEC/FSE 2011: the classes of inputs that
//! [`explore::output`] tells apart, each with the expressions of its outputs. Classes with the same expressions are one
//! case.

mod classes;
mod semantic;
mod words;

pub use semantic::Versions;

use crate::explore::{Options, fault_name, place, scope_of, undecided};
use crate::suite::signature::parameter_variables;
use classes::Classes;
use exec::entry::Entry;
use exec::program::Program;
use exec::state::{ChoiceKind, Effect, End};
use exec::value::Value;
use explore::concolic::{Question, Run};
use explore::dependence::Trace;
use explore::guided::{self, Strategy};
use explore::output::{self, Criterion};
use ir::id::FuncId;
use ir::module::Module;
use report::explore::RunState;
use report::signature::{Case, Comparison, SCHEMA, Signature};
use smt::expr::Expr;
use smt::pool::Reading;
use std::collections::BTreeSet;
use words::Words;

/// The signature of a function; with `versions` it is kept, to be compared with another one.
pub fn signature(
    program: &Program,
    entry: &Entry,
    criterion: &Criterion,
    options: &Options,
    versions: Option<&mut Versions>,
) -> Signature {
    let mut side = versions.map(|versions| versions.begin(parameter_names(&program.module, entry.function)));
    let strategy = Strategy::Output { criterion: criterion.clone(), reorder: true };
    let chain = (options.chain)();
    let mut cases: Vec<(Vec<String>, Classes)> = Vec::new();
    let mut assumed: Vec<String> = Vec::new();
    let mut scope: BTreeSet<String> = BTreeSet::new();
    let found = guided::explore(program, entry, &strategy, &options.explore, chain, |ended, run, trace| {
        let worker = ended.worker;
        scope.extend(scope_of(worker, ended.state));
        let (class, given) = conditions(program, criterion, run, trace);
        let mut words = Words { worker, state: ended.state, class: &class };
        let outputs = outputs(&mut words, criterion, entry.function, ended.end);
        let parts = side.is_some().then(|| semantic::outputs(&mut words, criterion, entry.function, ended.end));
        // What was cut may differ in the rest.
        let is_whole = !outputs.iter().any(|text| text.contains('…'));
        let at = cases.iter().position(|(other, _)| is_whole && *other == outputs).unwrap_or_else(|| {
            cases.push((outputs, Classes::default()));
            cases.len() - 1
        });
        if let (Some(side), Some(parts)) = (&mut side, parts) {
            let unknown = !matches!(ended.end, End::Returned(_) | End::Exited(_) | End::Fault { .. });
            side.add(&worker.pool, at, given.iter().chain(&class).copied(), parts, unknown);
        }
        for condition in given {
            let text = worker.text(condition).to_string();
            if !assumed.contains(&text) {
                assumed.push(text);
            }
        }
        cases[at].1.add(&mut worker.pool, class);
    });
    Signature {
        schema: SCHEMA,
        run_state: if found.stopped.is_some() { RunState::Incomplete } else { RunState::Complete },
        function: ir::demangle::function_display_name(&program.module, entry.function),
        cases: cases.into_iter().map(|(outputs, classes)| Case { conditions: classes.texts(), outputs }).collect(),
        assumed,
        scope: scope.into_iter().collect(),
        paths: found.stats.paths,
        undecided: undecided(&program.module, found.undecided),
    }
}

/// The names of a function's parameters in the source.
pub fn parameter_names(module: &Module, function: FuncId) -> Vec<String> {
    let variables = parameter_variables(&module.functions[function]).into_values();
    variables.filter_map(|id| Some(module.str(module.debug.variables[id].name?).to_owned())).collect()
}

/// The conditions of the outputs, in the order of the run; and what all inputs fulfil.
fn conditions(program: &Program, criterion: &Criterion, run: &Run, trace: &mut Trace) -> (Vec<Expr>, Vec<Expr>) {
    let slice = output::criterion(program, criterion, run, trace);
    let turns = trace.sets.get(slice).into_iter().map(|turn| &trace.turns[turn as usize]);
    let asked = turns.filter_map(|turn| Some(&run.questions[turn.question? as usize]));
    let (given, class): (Vec<_>, Vec<_>) = asked.partition(|question| question.choice.kind == ChoiceKind::Assume);
    let conditions = |questions: Vec<&Question>| {
        let mut all: Vec<Expr> = Vec::new();
        for condition in questions.into_iter().map(Question::condition) {
            if !all.contains(&condition) {
                all.push(condition);
            }
        }
        all
    };
    (conditions(class), conditions(given))
}

/// Two signatures, case by case. Cases are the same if they compute the same, as a solver says; if that cannot be decided, if
/// they read the same.
pub fn compare(old: Signature, new: Signature, versions: Versions) -> Comparison {
    let complete = old.run_state == RunState::Complete && new.run_state == RunState::Complete;
    let mut result = Comparison {
        schema: SCHEMA,
        run_state: if complete { RunState::Complete } else { RunState::Incomplete },
        function: new.function,
        same: Vec::new(),
        rewritten: 0,
        moved: Vec::new(),
        removed: Vec::new(),
        added: Vec::new(),
        different: Vec::new(),
        by_text: None,
        scope: old.scope.into_iter().chain(new.scope).collect::<BTreeSet<_>>().into_iter().collect(),
        undecided: old.undecided.into_iter().chain(new.undecided).collect(),
    };
    let compared = semantic::compare(versions, [&old.cases, &new.cases]);
    let (of_old, of_new) = match compared {
        Ok(compared) => {
            result.different = compared.different;
            (Some(compared.old), Some(compared.new))
        }
        Err(why) => {
            result.by_text = Some(why.to_owned());
            (None, None)
        }
    };
    let differs = |cases: &Option<Vec<bool>>, at: usize| cases.as_ref().is_some_and(|cases| cases[at]);
    let mut left: Vec<Option<Case>> = old.cases.into_iter().map(Some).collect();
    for (number, case) in new.cases.into_iter().enumerate() {
        let is_partner = |other: &Option<Case>| other.as_ref().is_some_and(|other| reads_alike(other, &case));
        let partner = left.iter().position(is_partner);
        let other = partner.and_then(|at| left[at].take());
        let is_same = match (&of_new, partner) {
            (Some(of_new), _) => !of_new[number] && !partner.is_some_and(|at| differs(&of_old, at)),
            (None, _) => other.as_ref().is_some_and(|other| sorted(other) == sorted(&case)),
        };
        match other {
            Some(other) if is_same => {
                result.rewritten += u64::from(sorted(&other) != sorted(&case));
                result.same.push(case);
            }
            Some(other) => result.moved.push((other, case)),
            None if is_same => {
                result.rewritten += 1;
                result.same.push(case);
            }
            None => result.added.push(case),
        }
    }
    // What is left of the old version and computes what the new one does is written in another way.
    let is_gone = |(at, case): (usize, Option<Case>)| case.filter(|_| of_old.is_none() || differs(&of_old, at));
    result.removed = left.into_iter().enumerate().filter_map(is_gone).collect();
    result
}

/// Whether cases have the same outputs, as they are shown; lines may have other numbers.
fn reads_alike(case: &Case, other: &Case) -> bool {
    let without_line = |text: &String| text.split(" in line ").next().unwrap_or_default().to_owned();
    case.outputs.iter().map(without_line).eq(other.outputs.iter().map(without_line))
}

/// The conditions of a case, in an order that says nothing.
fn sorted(case: &Case) -> Vec<Vec<String>> {
    let mut conditions = case.conditions.clone();
    conditions.iter_mut().for_each(|class| class.sort());
    conditions.sort();
    conditions
}

/// The outputs as expressions.
fn outputs(words: &mut Words, criterion: &Criterion, function: FuncId, end: &End) -> Vec<String> {
    let mut shown = Vec::new();
    match end {
        End::Returned(value) => {
            if matches!(criterion, Criterion::All | Criterion::Result) {
                let value = value.as_ref().map(|value| words.result(function, value));
                let value = value.or_else(|| words.indirect_result(function));
                shown.extend(value.map(|value| format!("returns {value}")));
            }
        }
        End::Exited(code) => {
            shown.push(format!("exits with {}", words.plain(&Value::Bits(*code), Some(Reading::Signed))))
        }
        End::Fault { kind, at, .. } => {
            let line = at.and_then(|at| place(&words.worker.program.module, at)).map(|place| place.line);
            let line = line.map(|line| format!(" in line {line}")).unwrap_or_default();
            shown.push(format!("{}{line}", fault_name(*kind)));
        }
        End::Scope { .. } | End::Bound { .. } | End::Unsupported { .. } => {
            shown.extend(end.gap().map(|gap| format!("not followed: {}", gap.what())));
        }
        End::Left => shown.push("not followed to its end".to_owned()),
    }
    let written = words.memory(function, criterion);
    shown.extend(written.into_iter().map(|part| format!("{} = {}", part.place, part.text)));
    if matches!(criterion, Criterion::All | Criterion::Outside) {
        shown.extend(words.state.effects.to_vec().into_iter().map(|effect| effect_text(words, effect)));
    }
    if shown.is_empty() {
        shown.push("returns".to_owned());
    }
    shown
}

fn effect_text(words: &mut Words, effect: &Effect) -> String {
    match effect {
        Effect::Output { bytes, .. } => {
            let texts: Vec<Result<u8, String>> = bytes
                .iter()
                .map(|byte| byte.as_const().map(|known| known as u8).ok_or_else(|| words.text(*byte)))
                .collect();
            format!("prints \"{}\"", printed(&texts))
        }
        Effect::Opaque { stream, what, args } => {
            let args: Vec<String> =
                args.iter().map(|&arg| words.plain(&Value::Bits(arg), Some(Reading::Signed))).collect();
            let verb = if *stream == Effect::NOWHERE { "calls" } else { "writes" };
            format!("{verb} {what}({})", args.join(", "))
        }
        Effect::Call { function, args, .. } => {
            let args: Vec<String> = args.iter().map(|arg| words.plain(arg, Some(Reading::Signed))).collect();
            format!("calls {function}({})", args.join(", "))
        }
    }
}

/// Bytes that are printed: known ones as they are, others as what they are computed from. The digits of a number are that
/// number.
fn printed(bytes: &[Result<u8, String>]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if let Some((number, digits)) = number_at(&bytes[at..]) {
            text.push_str(&format!("{{{number}}}"));
            at += digits;
            continue;
        }
        match byte {
            Ok(known) => text.extend(std::ascii::escape_default(*known).map(char::from)),
            Err(expression) => text.push_str(&format!("{{{expression}}}")),
        }
        at += 1;
    }
    text
}

/// A number whose digits come next, and how many these are.
fn number_at(bytes: &[Result<u8, String>]) -> Option<(&str, usize)> {
    let digit = |byte: &'_ Result<u8, String>| -> Option<(usize, usize)> {
        let text = byte.as_ref().err()?;
        let inner = text.strip_prefix("(uint8_t)(")?.strip_suffix(" % 10) + 48")?;
        match inner.rsplit_once(" / ") {
            Some((number, divisor)) if divisor.starts_with('1') && divisor[1..].bytes().all(|byte| byte == b'0') => {
                Some((number.len(), divisor.len() - 1))
            }
            _ => Some((inner.len(), 0)),
        }
    };
    const START: usize = "(uint8_t)(".len();
    let (length, first) = digit(bytes.first()?)?;
    let number = bytes[0].as_ref().err()?.get(START..START + length)?;
    for (place, byte) in (0..=first).rev().zip(bytes) {
        let (length, found) = digit(byte)?;
        let same = byte.as_ref().err()?.get(START..START + length)? == number;
        if !same || found != place {
            return None;
        }
    }
    (bytes.len() > first).then_some((number, first + 1))
}

#[cfg(test)]
mod tests {
    use super::printed;

    #[test]
    fn digits_are_numbers() {
        let byte = |text: &str| Err(text.to_owned());
        let digits = [byte("(uint8_t)(n / 10 % 10) + 48"), byte("(uint8_t)(n % 10) + 48"), Ok(b'\n')];
        assert_eq!(printed(&digits), "{n}\\n");
        assert_eq!(printed(&digits[1..]), "{n}\\n");
        assert_eq!(printed(&digits[..1]), "{(uint8_t)(n / 10 % 10) + 48}");
        assert_eq!(printed(&[byte("c")]), "{c}");
    }
}
