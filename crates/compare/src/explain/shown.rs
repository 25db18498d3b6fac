//! A test and what comes of it, in words.
//!
//! Whoever runs a version on an input that is shown sees what is shown of it: so all that either version reads is part of
//! it, and all that the user gave.

use super::Test;
use super::values::{Part, bytes_of, same_part, unescaped};
use crate::diff::couple::{readable, without_marks};
use crate::diff::shown::{Beside, words};
use crate::suite::Reading;
use exec::case::{self, Datum, Outcome};
use exec::entry::{Bytes, Shell};
use exec::inputs::{InputId, InputObject, LeafValue, Origin};
use exec::observe::{Observer, Values};
use exec::relaid::Relaid;
use exec::run::Worker;
use exec::same::{self, Aspect};
use exec::state::End;
use exec::value::Value;
use explore::concolic::{Question, Run};
use ir::id::FuncId;
use report::explore::Input;
use smt::eval::{Evaluator, Model};
use smt::expr::{Expr, Op, SymbolId};

/// What two runs on the same input came to.
pub(super) struct Outcomes {
    /// The outcomes, old and new.
    pub both: [Outcome; 2],
    /// Parts in which they differ.
    pub aspects: Vec<Aspect>,
    /// The input.
    pub inputs: Vec<Input>,
    details: [String; 2],
    /// Whether a value is returned that was never assigned.
    unassigned: [bool; 2],
    objects: Vec<(InputObject, Option<Relaid>)>,
    globals: Vec<(String, case::Memory)>,
}

impl Outcomes {
    /// Looks at two runs that ended.
    pub(super) fn new(
        worker: &mut Worker,
        function: FuncId,
        [old, new]: [&Run; 2],
        values: &Model,
        test: &Test,
        is_endless: bool,
    ) -> Outcomes {
        let compared = match is_endless {
            true => same::Sameness { parts: vec![(Aspect::End, Expr::bool(false))], ..Default::default() },
            false => same::compare(worker, function, (&old.state, &old.end), (&new.state, &new.end)),
        };
        let mut read: Vec<(InputId, u64)> =
            old.state.leaves.iter_back().chain(new.state.leaves.iter_back()).copied().collect();
        read.sort_unstable();
        read.dedup();
        let merged = explore::pair::merged(worker, &new.state, &old.state, &read);
        let worker = &*worker;
        let seen_values = Values::new(worker, values);
        let both = [old, new].map(|run| Observer::new(worker, &run.state, &seen_values).outcome(&run.end));
        let mut evaluator = Evaluator::new(&worker.pool, values);
        let unassigned = [0, 1].map(|side| match &[old, new][side].end {
            End::Returned(Some(Value::Undef)) => true,
            // It has a value, but another one if something was never assigned.
            End::Returned(Some(Value::Bits(expr))) => {
                both[side].result == Datum::Any && evaluator.value(*expr).is_some()
            }
            _ => false,
        });
        let differs = |(aspect, same): &(Aspect, Expr)| (evaluator.holds(*same) == Some(false)).then(|| aspect.clone());
        let mut aspects: Vec<Aspect> = compared.parts.iter().filter_map(differs).collect();
        // What was never assigned may be anything, and so what it should be.
        let is_chance = unassigned[0] != unassigned[1];
        if is_chance && !is_endless && aspects.iter().all(|aspect| !matches!(aspect, Aspect::End | Aspect::Result)) {
            aspects.push(Aspect::Result);
        }
        let mut observer = Observer::new(worker, &merged, &seen_values);
        let globals = observer.input().globals;
        let conditions: Vec<Expr> = old.questions.iter().chain(&new.questions).map(Question::condition).collect();
        let named = observer.named_inputs(&conditions).into_iter();
        let named = named.map(|(name, value)| Input { name: readable(&name).into(), value });
        let inputs = with_test(worker, named.collect(), values, test);
        let objects = merged.inputs.iter().map(|(id, _)| *id).filter(|id| worker.inputs.object(*id).memory);
        let objects = objects.map(|id| (worker.inputs.object(id).clone(), worker.relaid(id).cloned())).collect();
        let details = [detail(&old.end), detail(&new.end)];
        Outcomes { both, aspects, inputs, details, unassigned, objects, globals }
    }

    /// What came of it in a version, as far as the versions differ, or what was printed if they do not.
    pub(super) fn words(&self, worker: &Worker, side: usize, reading: Reading) -> String {
        let outcome = &self.both[side];
        let printed = [Aspect::Output(1)];
        let aspects = match self.aspects.is_empty() && !outcome.stdout.is_empty() {
            true => &printed,
            false => self.aspects.as_slice(),
        };
        let (program, objects, globals) = (worker.program, &self.objects, &self.globals);
        let other = &self.both[1 - side];
        let beside = Beside { program, objects, globals, other, native: false, result: None };
        let shown = words(outcome, &self.details[side], aspects, reading, Some(&beside));
        let shown = without_marks(&shown);
        match self.unassigned[side] {
            true => shown.replacen("returns", "returns a value that was never assigned", 1),
            false => shown,
        }
    }
}

fn detail(end: &End) -> String {
    match end {
        End::Fault { detail, .. } => detail.clone(),
        _ => String::new(),
    }
}

/// Whether a name is one of what a shell gives.
fn of_outside(worker: &Worker, name: &str) -> bool {
    let mut objects = worker.inputs.objects.iter();
    objects.any(|object| matches!(object.origin, Origin::Outside(_)) && object.name == name)
}

/// Parts that runs read, and those that the test has beside them.
fn with_test(worker: &Worker, read: Vec<Input>, values: &Model, test: &Test) -> Vec<Input> {
    match test {
        Test::Case(_) => read,
        Test::Named(given) => {
            let mut all = read;
            for part in given.iter().filter(|part| !part.optional) {
                if all.iter().any(|input| same_part(&input.name, &part.name)) {
                    continue;
                }
                let is_text = all.iter_mut().any(|input| add_to_text(worker, input, part));
                if !is_text {
                    all.push(Input { name: part.name.as_str().into(), value: part.text.clone() });
                }
            }
            all
        }
        Test::Shell(shell) => {
            let mut all = outside(worker, shell, values);
            let is_known = |input: &Input| all.iter().any(|known| known.name == input.name);
            let others: Vec<Input> =
                read.into_iter().filter(|input| !is_known(input) && !of_outside(worker, &input.name)).collect();
            all.extend(others);
            all
        }
    }
}

/// Whether a part is a byte of a text that is shown. One that nobody read is written into it.
fn add_to_text(worker: &Worker, text: &mut Input, part: &Part) -> bool {
    let index = part.name.strip_prefix(&*text.name).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
    let Some(index) = index.and_then(|index| index.parse::<usize>().ok()) else { return false };
    let quoted = text.value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let mut symbols = (0..worker.pool.symbol_count() as u32).map(SymbolId);
    if quoted.is_some() && symbols.any(|symbol| same_part(&worker.pool.symbol_info(symbol).name, &part.name)) {
        return true;
    }
    let bytes = quoted.filter(|quoted| !quoted.contains("\\u{")).and_then(unescaped);
    let (Some(mut bytes), Some(byte)) = (bytes, part.value.bits(8, false)) else { return false };
    if index >= MOST_BYTES {
        return false;
    }
    bytes.resize(bytes.len().max(index + 1), 0);
    bytes[index] = byte as u8;
    text.value = format!("\"{}\"", bytes.escape_ascii());
    true
}

/// What a shell gives: the bytes of the test, but where a run read them those that it read.
fn outside(worker: &Worker, shell: &Shell, values: &Model) -> Vec<Input> {
    let known = |name: &str| {
        let mut bytes = bytes_of(shell, name).unwrap_or_default().to_vec();
        for (index, object) in worker.inputs.objects.iter().enumerate() {
            if !matches!(object.origin, Origin::Outside(_)) || object.name != name {
                continue;
            }
            for leaf in worker.inputs.leaves_of(InputId(index as u32)) {
                let LeafValue::Bits(Expr::Term(term)) = leaf.value else { continue };
                let node = worker.pool.node(term);
                let Op::Symbol(symbol) = node.op else { continue };
                let value = values.get(symbol, node.width).low_128();
                for at in 0..u64::from(leaf.size.min(16)) {
                    if let Some(byte) = bytes.get_mut((leaf.offset + at) as usize) {
                        *byte = (value >> (8 * at)) as u8;
                    }
                }
            }
        }
        bytes
    };
    let shown = |name: String, bytes: &[u8]| {
        let value = match bytes.len() {
            0..=MOST_BYTES => format!("\"{}\"", bytes.escape_ascii()),
            length => {
                format!("\"{}\" and {} more bytes", bytes[..MOST_BYTES].escape_ascii(), length - MOST_BYTES)
            }
        };
        Input { name: name.into(), value }
    };
    let mut all = Vec::new();
    for index in 1..shell.argv.len() {
        let name = format!("argv[{index}]");
        let bytes = known(&name);
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        all.push(shown(name, &bytes[..end]));
    }
    let stdin = known("stdin");
    if !stdin.is_empty() {
        all.push(shown("stdin".to_owned(), &stdin));
    }
    for (name, bytes) in &shell.files {
        if matches!(bytes, Bytes::Known(_)) {
            all.push(shown(name.clone(), &known(name)));
        }
    }
    all
}

/// Most bytes of a file that are shown.
const MOST_BYTES: usize = 4096;
