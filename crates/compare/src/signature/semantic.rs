//! Whether two versions compute the same, however it is written: the classes of inputs of both are laid over each other, and
//! a solver is asked for inputs of two classes whose outputs differ.
//!
//! The terms of both versions are brought into one pool, where parameters are the same if they have the same place, and other
//! inputs if they have the same name. An output that
//! is no expression, such as a pointer, is compared by its text.

use super::classes::Classes;
use super::words::{Words, Written};
use exec::state::{Effect, End};
use exec::value::Value;
use explore::output::Criterion;
use ir::id::FuncId;
use report::signature::{Case, Different};
use smt::expr::{ArrayId, Expr, Op};
use smt::pool::Pool;
use smt::pool::together::{Copied, Together};
use smt::solver::Limits;
use smt::solver::chain::{Chain, Path};
use std::collections::BTreeMap;

/// Most pairs of classes that are compared.
const MOST_PAIRS: usize = 1 << 14;

/// Work that a pair is worth.
const CONFLICTS: u64 = 20_000;
const GATES: usize = 500_000;

/// Most differences that are listed.
const MOST_SHOWN: usize = 32;

/// What is known of the versions that are to be compared.
#[derive(Default)]
pub struct Versions {
    together: Together,
    /// The classes of each version.
    all: Vec<Vec<Class>>,
    /// Names of the parameters of the first version.
    params: Vec<String>,
}

/// A class of inputs of a version.
struct Class {
    /// Number of its case.
    case: usize,
    conditions: Vec<Expr>,
    outputs: BTreeMap<String, Output>,
    /// Whether its runs were not followed to their end.
    unknown: bool,
}

/// An output that both versions may have.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Output {
    /// A number.
    Number {
        /// What it is.
        value: Expr,
        /// What it is if nothing is written.
        before: Option<Expr>,
    },
    /// Something else, as text.
    Text(String),
}

/// A version that is being looked at.
pub(super) struct Side<'v> {
    versions: &'v mut Versions,
    copied: Copied,
    /// Names of parameters here, and what they are called in the first version.
    renamed: Vec<(String, String)>,
}

impl Versions {
    /// Begins another version, whose function has these parameters.
    pub(super) fn begin(&mut self, params: Vec<String>) -> Side<'_> {
        if self.all.is_empty() {
            self.params = params.clone();
        }
        self.all.push(Vec::new());
        // Callers know parameters by their places: names that changed places mean what the others meant.
        let fits = params.len() == self.params.len();
        let pairs = params.into_iter().zip(self.params.iter().cloned());
        let renamed = pairs.filter(|(own, first)| fits && own != first).collect();
        Side { versions: self, copied: Copied::default(), renamed }
    }
}

impl Side<'_> {
    /// Adds a class of inputs: the number of its case, its conditions, and its outputs.
    pub(super) fn add(
        &mut self,
        pool: &Pool,
        case: usize,
        conditions: impl Iterator<Item = Expr>,
        outputs: BTreeMap<String, Output>,
        unknown: bool,
    ) {
        let renamed = &self.renamed;
        let rename = |name: &str| {
            let end = name.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(name.len());
            let (first, rest) = name.split_at(end);
            match renamed.iter().find(|(own, _)| own == first) {
                Some((_, other)) => format!("{other}{rest}"),
                None => name.to_owned(),
            }
        };
        let (together, copied) = (&mut self.versions.together, &mut self.copied);
        let mut copy = |expr: Expr| together.copy(pool, copied, expr, &rename);
        let conditions = conditions.map(&mut copy).collect();
        let renamed_place = |place: String| match place.strip_prefix(MEMORY) {
            Some(name) => format!("{MEMORY}{}", rename(name)),
            None => place,
        };
        let mut place = |(place, output): (String, Output)| match output {
            Output::Number { value, before } => {
                (renamed_place(place), Output::Number { value: copy(value), before: before.map(&mut copy) })
            }
            text => (renamed_place(place), text),
        };
        let outputs = outputs.into_iter().map(&mut place).collect();
        if let Some(classes) = self.versions.all.last_mut() {
            classes.push(Class { case, conditions, outputs, unknown });
        }
    }
}

/// What came of a comparison.
pub(super) struct Compared {
    /// For each case of the old version whether it differs somewhere.
    pub old: Vec<bool>,
    /// For each case of the new version whether it differs somewhere.
    pub new: Vec<bool>,
    /// The differences.
    pub different: Vec<Different>,
}

/// Compares two versions; says why not if that cannot be decided.
pub(super) fn compare(versions: Versions, cases: [&[Case]; 2]) -> Result<Compared, &'static str> {
    let Versions { mut together, all, .. } = versions;
    let [old, new] = all.as_slice() else { return Err("there are no two versions") };
    if together.clashes {
        return Err("inputs of the same name have other types");
    }
    if old.len().saturating_mul(new.len()) > MOST_PAIRS {
        return Err("there are too many cases");
    }
    let mut compared =
        Compared { old: vec![false; cases[0].len()], new: vec![false; cases[1].len()], different: Vec::new() };
    let mut chain = Chain::new(Vec::new(), Limits { conflicts: CONFLICTS, gates: GATES, ..Limits::default() });
    let mut found: BTreeMap<(usize, usize), Classes> = BTreeMap::new();
    for class in new.iter().filter(|class| !class.unknown) {
        let Some(path) = extended(&together.pool, &mut chain, Path::new(), &class.conditions)? else { continue };
        for other in old.iter().filter(|other| !other.unknown) {
            let Some(both) = extended(&together.pool, &mut chain, path.clone(), &other.conditions)? else { continue };
            let differ = differ(&mut together, &other.outputs, &class.outputs)
                .ok_or("an array is written at known places by one version and at others by the other one")?;
            if extended(&together.pool, &mut chain, both, &[differ])?.is_none() {
                continue;
            }
            compared.old[other.case] = true;
            compared.new[class.case] = true;
            let mut conditions = other.conditions.clone();
            conditions.extend(class.conditions.iter().filter(|condition| !other.conditions.contains(condition)));
            conditions.extend((!differ.is_true()).then_some(differ));
            found.entry((other.case, class.case)).or_default().add(&mut together.pool, conditions);
        }
    }
    for ((old, new), classes) in found.into_iter().take(MOST_SHOWN) {
        let outputs = |cases: &[Case], case: usize| cases[case].outputs.clone();
        let (old, new) = (outputs(cases[0], old), outputs(cases[1], new));
        compared.different.push(Different { conditions: classes.texts(), old, new });
    }
    Ok(compared)
}

/// A path with more conditions; nothing if no input fulfils them.
fn extended(pool: &Pool, chain: &mut Chain, path: Path, conditions: &[Expr]) -> Result<Option<Path>, &'static str> {
    let mut path = path;
    for &condition in conditions {
        match chain.extend(pool, &path, condition) {
            Ok(Some(grown)) => path = grown,
            Ok(None) => return Ok(None),
            Err(_) => return Err("the solver gave up"),
        }
    }
    Ok(Some(path))
}

/// When outputs differ; nothing if they are not to be compared.
fn differ(together: &mut Together, old: &BTreeMap<String, Output>, new: &BTreeMap<String, Output>) -> Option<Expr> {
    let mut differ = Expr::bool(false);
    for place in old.keys().chain(new.keys().filter(|place| !old.contains_key(*place))) {
        let pair = match (old.get(place), new.get(place)) {
            (Some(Output::Number { value, .. }), Some(Output::Number { value: other, .. })) => Some((*value, *other)),
            (Some(Output::Number { value, before }), None) | (None, Some(Output::Number { value, before }))
                if place.starts_with(MEMORY) =>
            {
                let stem = place.split(['[', '.', '-']).next().unwrap_or(place);
                let whole = format!("{stem}{ANY}");
                let rest = if old.contains_key(place) { new } else { old };
                let is_mixed = match *place == whole {
                    true => rest.keys().any(|other| other.starts_with(stem)),
                    false => rest.contains_key(&whole),
                };
                if is_mixed {
                    return None;
                }
                let width = together.pool.width(*value);
                Some((*value, before.unwrap_or_else(|| together.symbol(place.trim_start_matches(MEMORY), width))))
            }
            (one, other) => {
                differ = if one == other { differ } else { Expr::bool(true) };
                None
            }
        };
        if let Some((one, other)) = pair {
            let unequal = match together.pool.width(one) == together.pool.width(other) {
                true => together.pool.ne(one, other),
                false => Expr::bool(true),
            };
            differ = together.pool.or(differ, unequal);
        }
    }
    Some(differ)
}

/// How places in memory begin: what is not written there stays.
const MEMORY: &str = "= ";

/// How places end that are any element of an array.
const ANY: &str = "[…]";

/// The outputs of a run.
pub(super) fn outputs(
    words: &mut Words,
    criterion: &Criterion,
    function: FuncId,
    end: &End,
) -> BTreeMap<String, Output> {
    let mut found = BTreeMap::new();
    match end {
        End::Returned(value) if matches!(criterion, Criterion::All | Criterion::Result) => match value {
            Some(value) => number(words, "result".to_owned(), value, Some(function), &mut found),
            None => {
                let text = words.indirect_result(function).unwrap_or_default();
                found.insert("result".to_owned(), Output::Text(text));
            }
        },
        End::Returned(_) => {}
        End::Exited(code) => number(words, "exit".to_owned(), &Value::Bits(*code), None, &mut found),
        End::Fault { kind, .. } => _ = found.insert(format!("fault {kind:?}"), Output::Text(String::new())),
        End::Scope { .. } | End::Bound { .. } | End::Unsupported { .. } | End::Left => {}
    }
    let written = words.memory(function, criterion);
    for part in written {
        memory(words, part, &mut found);
    }
    if matches!(criterion, Criterion::All | Criterion::Outside) {
        effects(words, &mut found);
    }
    found
}

fn memory(words: &mut Words, part: Written, found: &mut BTreeMap<String, Output>) {
    let Written { place, text, value, before, array } = part;
    let (place, output) = match (array, value) {
        // Arrays are the same if any element is.
        (Some((array, name)), _) => {
            let index = words.any_index(&name);
            let mut initial = array.id;
            while let (Op::Store, &[Expr::Term(before), ..]) =
                (words.worker.pool.node(initial.0).op, words.worker.pool.node(initial.0).args())
            {
                initial = ArrayId(before);
            }
            let value = words.worker.pool.select(array.id, index);
            let before = Some(words.worker.pool.select(initial, index));
            (format!("{MEMORY}{name}{ANY}"), Output::Number { value, before })
        }
        (None, Some(value)) => (format!("{MEMORY}{place}"), Output::Number { value, before }),
        (None, None) => (format!("{MEMORY}{place}"), Output::Text(text)),
    };
    found.insert(place, output);
}

fn effects(words: &mut Words, found: &mut BTreeMap<String, Output>) {
    // How much was written to each stream.
    let mut lengths: BTreeMap<u32, usize> = BTreeMap::new();
    for (count, effect) in words.state.effects.to_vec().into_iter().enumerate() {
        match effect {
            Effect::Output { stream, bytes } => {
                let length = lengths.entry(*stream).or_default();
                for &value in bytes.iter() {
                    let output = Output::Number { value, before: None };
                    found.insert(format!("stream {stream} byte {length}"), output);
                    *length += 1;
                }
            }
            Effect::Opaque { stream, what, args } => {
                let place = format!("stream {stream} text {count}");
                for (at, &arg) in args.iter().enumerate() {
                    found.insert(format!("{place} {at}"), Output::Number { value: arg, before: None });
                }
                found.insert(place, Output::Text(what.to_string()));
            }
            Effect::Call { function, args, .. } => {
                let place = format!("call {count}");
                for (at, arg) in args.iter().enumerate() {
                    number(words, format!("{place} {at}"), arg, None, found);
                }
                found.insert(place, Output::Text(function.to_string()));
            }
        }
    }
}

/// A value, part by part; what is no number as text.
fn number(
    words: &mut Words,
    place: String,
    value: &Value,
    result_of: Option<FuncId>,
    found: &mut BTreeMap<String, Output>,
) {
    match value {
        Value::Bits(value) => _ = found.insert(place, Output::Number { value: *value, before: None }),
        Value::Many(parts) if parts.iter().all(|part| matches!(part, Value::Bits(_))) => {
            for (at, part) in parts.iter().enumerate() {
                number(words, format!("{place} {at}"), part, None, found);
            }
        }
        other => {
            let text = match result_of {
                Some(function) => words.result(function, other),
                None => words.plain(other, None),
            };
            found.insert(place, Output::Text(text));
        }
    }
}
