//! A difference in words: inputs, and both outcomes as far as they differ.

use super::couple::{Couple, readable, unmarked, without_marks};
use super::part::{Source, parting};
use super::predicted::kind_of;
use crate::explore::{datum, fault_name, place};
use crate::suite::Reading;
use change::Hunk;
use change::lines::{Line, line};
use evidence::{Difference as Kind, Limit};
use exec::case::{self, End, FaultKind, Outcome};
use exec::inputs::{InputObject, RESULT};
use exec::program::Program;
use exec::relaid::{Relaid, Unfit};
use exec::value::Shape;
use explore::pair::{Difference, aspect_name};
use ir::debug::{DebugTypeKind, Encoding};
use ir::id::{BlockId, DebugTypeId, FuncId, SymbolId};
use report::escape::source_line;
use report::model::Place;
use std::collections::BTreeSet;
use std::time::Instant;

/// What is needed to show differences of a function.
pub struct Stage<'a> {
    /// Both versions.
    pub couple: &'a Couple,
    /// How to read results.
    pub reading: Reading,
    /// What results look like.
    pub result: Shape,
    /// Their types, old and new.
    pub result_types: [Option<DebugTypeId>; 2],
    /// The sources, old and new.
    pub sources: &'a (Source, Source),
    /// Where the function changed, or what it uses: shown if nothing better is known.
    pub changed: Vec<&'a Hunk>,
    /// When the time for the function is over.
    pub until: Instant,
}

/// What native runs of both versions did.
pub struct Seen {
    /// The old one.
    pub old: Outcome,
    /// The new one.
    pub new: Outcome,
    /// What they returned, in words of their language, old and new.
    pub results: [Option<String>; 2],
    /// Whether both did what the model of the program predicts.
    pub as_predicted: bool,
}

/// What lies differently in the two versions, by name.
type Moved<'d> = Vec<(&'d str, &'d Relaid)>;

impl Stage<'_> {
    /// An outcome of a version in what both versions have, as it lies in the new one.
    pub fn as_new(&self, mut outcome: Outcome, difference: &Difference, old: bool) -> Outcome {
        let (objects, variables) = self.relaid(difference);
        match old {
            true => exec::relaid::as_new(&mut outcome, &objects, &variables),
            false => exec::relaid::only_common(&mut outcome, &objects, &variables),
        }
        outcome
    }

    /// Numbers of an outcome of the old version that the new one cannot hold.
    pub fn unfit(&self, outcome: &Outcome, difference: &Difference) -> Vec<Unfit> {
        let (objects, variables) = self.relaid(difference);
        exec::relaid::unfit(outcome, &objects, &variables)
    }

    /// Objects of the input and variables that lie differently in the two versions.
    fn relaid<'d>(&'d self, difference: &'d Difference) -> (Moved<'d>, Moved<'d>) {
        let object =
            |(object, relaid): &'d (InputObject, Option<Relaid>)| Some((object.name.as_str(), relaid.as_ref()?));
        let program = &self.couple.program;
        let name = |symbol: SymbolId| unmarked(program.module.symbol_label(symbol));
        let variables = program.relaid_variables.iter().map(|(&symbol, relaid)| (name(symbol), relaid));
        (difference.objects.iter().filter_map(object).collect(), variables.collect())
    }
}

/// A difference as it is shown; `seen` is what came of native runs, `unfit` what the new version cannot hold of the old
/// outcome.
pub fn shown(difference: &Difference, stage: &Stage, seen: Option<&Seen>, unfit: &[Unfit]) -> report::diff::Difference {
    let module = &stage.couple.program.module;
    let (old_source, new_source) = stage.sources;
    let parting = parting(stage.couple, (&difference.old.turns, old_source), (&difference.new.turns, new_source));
    let own = |place: Option<Place>| place.filter(|place| !is_of_library(place));
    let (old_part, new_part) = parting.unwrap_or_default();
    let (old_part, new_part) = (own(old_part), own(new_part));
    let hunk = hunk_met(difference, stage);
    let expected_old = stage.as_new(difference.old.outcome.clone(), difference, true);
    let expected_new = stage.as_new(difference.new.outcome.clone(), difference, false);
    let native = seen.is_some();
    let as_predicted = seen.is_none_or(|seen| seen.as_predicted);
    let results = seen.map_or([None, None], |seen| seen.results.each_ref().map(Option::as_ref));
    let seen = seen.map(|seen| (&seen.old, &seen.new));
    let (shown_old, shown_new) = seen.unwrap_or((&expected_old, &expected_new));
    let side =
        |expected: &explore::pair::Side, seen: &Outcome, other: &Outcome, part: Option<Place>, source: &Source| {
            let fault = expected.at.and_then(|at| place(module, at));
            let line = fault.clone().filter(|place| !is_of_library(place)).or(part).or(fault);
            let native = native && !stage.couple.program.has_changed_records();
            let result = results[usize::from(std::ptr::eq(expected, &difference.new))];
            let memory = Beside {
                program: &stage.couple.program,
                objects: &difference.objects,
                globals: &difference.input.globals,
                other,
                native,
                result,
            };
            let of =
                |outcome: &Outcome| words(outcome, &expected.detail, &difference.aspects, stage.reading, Some(&memory));
            let outcome = match &expected.outcome.end {
                // What a build does that goes on behind a fault is chance, but it shows that the versions differ.
                End::Fault(_) if !matches!(seen.end, End::Fault(_)) => {
                    format!("{} (this build {})", of(&expected.outcome), of(seen))
                }
                _ => of(seen),
            };
            report::diff::Side {
                outcome,
                source: line.as_ref().and_then(|line| source.line(line)).map(|text| text.trim().to_owned()),
                line: line.map(|line| source.shown(&line)),
            }
        };
    let first = |file: &str, lines: &[u32]| lines.first().map(|&line| Place { file: file.to_owned(), line, column: 0 });
    let old_part = old_part.or_else(|| hunk.and_then(|hunk| first(&hunk.old_file, &hunk.old_lines)));
    let new_part = new_part.or_else(|| hunk.and_then(|hunk| first(&hunk.new_file, &hunk.new_lines)));
    let mut old = side(&difference.old, shown_old, shown_new, old_part, old_source);
    let mut new = side(&difference.new, shown_new, shown_old, new_part, new_source);
    if old.source == new.source {
        // Lines that read alike show nothing; what changed does, unless that is a macro or the like.
        let text = |place: &Option<Place>, source: &Source| {
            place.as_ref().and_then(|place| source.line(place)).map(|text| text.trim().to_owned())
        };
        let old_line = hunk.and_then(|hunk| first(&hunk.old_file, &hunk.old_lines));
        let new_line = hunk.and_then(|hunk| first(&hunk.new_file, &hunk.new_lines));
        (old.source, new.source) = (None, None);
        let texts = (text(&old_line, old_source), text(&new_line, new_source));
        if texts.0 != texts.1 {
            (old.source, new.source) = texts;
            old.line = old_line.map(|line| old_source.shown(&line));
            new.line = new_line.map(|line| new_source.shown(&line));
        }
    }
    for side in [&mut old, &mut new] {
        side.source = side.source.as_deref().map(source_line);
    }
    if old.outcome == new.outcome && !unfit.is_empty() {
        old.outcome = with_numbers(stage, difference, shown_new, unfit, true);
        new.outcome = with_numbers(stage, difference, shown_new, unfit, false);
    }
    if old.outcome == new.outcome {
        // What builds do differently may be something else than what was expected to differ.
        for (side, this, other) in [(&mut old, shown_old, shown_new), (&mut new, shown_new, shown_old)] {
            side.outcome.push_str(&beside_the_expected(this, other));
        }
    }
    let input = |(name, value): &(String, String)| report::diff::Input {
        name: readable(name),
        value: value.clone(),
        any: as_predicted && difference.any.contains(name),
    };
    report::diff::Difference {
        kind: match seen {
            Some((old, new)) if !as_predicted => kind_of(old, new),
            _ => seen_kind(kind(difference), seen),
        },
        inputs: difference.named.iter().map(input).collect(),
        parts: difference.aspects.iter().map(|aspect| unmarked(&aspect_name(aspect)).to_owned()).collect(),
        old,
        new,
        region: difference.region.as_ref().filter(|_| as_predicted).map(|region| report::diff::Region {
            conditions: region.conditions.iter().map(|condition| readable(condition)).collect(),
            exact: region.exact,
            wraps: region.wraps,
        }),
        condition: if as_predicted { difference.condition.clone() } else { Vec::new() },
        replayed: seen.is_some(),
    }
}

/// The first change that one of the runs came to.
fn hunk_met<'s>(difference: &Difference, stage: &Stage<'s>) -> Option<&'s Hunk> {
    let module = &stage.couple.program.module;
    let lines = |side: &explore::pair::Side| -> BTreeSet<Line> {
        let of_block = |&(function, block): &(FuncId, BlockId)| {
            let function = &module.functions[function];
            let insts = function.blocks.get(block).map(|block| block.insts.as_slice()).unwrap_or_default();
            insts.iter().filter_map(|&inst| line(module, function.insts[inst].loc?))
        };
        side.blocks.iter().flat_map(of_block).collect()
    };
    if let [] | [_] = stage.changed[..] {
        return stage.changed.first().copied();
    }
    let (old, new) = (lines(&difference.old), lines(&difference.new));
    let met = |hunk: &&&Hunk| {
        let any = |met: &BTreeSet<Line>, file: &str, lines: &[u32]| {
            lines.iter().any(|&line| met.contains(&(file.to_owned(), line)))
        };
        any(&old, &hunk.old_file, &hunk.old_lines) || any(&new, &hunk.new_file, &hunk.new_lines)
    };
    stage.changed.iter().find(met).or(stage.changed.first()).copied()
}

/// What tells causes apart: the kind of difference and, where several places changed, where runs part.
pub fn cause(difference: &Difference, stage: &Stage, several: bool) -> String {
    let kind = kind(difference);
    if !several {
        return kind.code().to_owned();
    }
    let (old_source, new_source) = stage.sources;
    let parting = parting(stage.couple, (&difference.old.turns, old_source), (&difference.new.turns, new_source));
    format!("{} {parting:?}", kind.code())
}

/// What sort of difference it is.
pub fn kind(difference: &Difference) -> Kind {
    let fault = |end: &End| matches!(end, End::Fault(_));
    let hangs = |end: &End| matches!(end, End::Bound(_));
    if hangs(&difference.old.outcome.end) || hangs(&difference.new.outcome.end) {
        return Kind::Hang;
    }
    match (fault(&difference.old.outcome.end), fault(&difference.new.outcome.end)) {
        (false, true) => Kind::FaultAppears,
        (true, false) => Kind::FaultDisappears,
        (true, true) => Kind::AnotherFault,
        (false, false) => match difference.aspects.first() {
            Some(exec::same::Aspect::Result) => Kind::Value,
            Some(exec::same::Aspect::Memory(name)) if name == RESULT => Kind::Value,
            Some(exec::same::Aspect::Memory(_) | exec::same::Aspect::Global(_)) => Kind::Memory,
            Some(exec::same::Aspect::Output(_)) => Kind::Output,
            Some(exec::same::Aspect::Calls) => Kind::Calls,
            _ => Kind::End,
        },
    }
}

/// The kind of a difference that native runs showed, where the model only knew that there is one.
fn seen_kind(kind: Kind, seen: Option<(&Outcome, &Outcome)>) -> Kind {
    match seen {
        Some((old, new)) if kind == Kind::End && (&old.end, &new.end) == (&End::Returned, &End::Returned) => match () {
            () if old.result != new.result => Kind::Value,
            () if old.stdout != new.stdout => Kind::Output,
            () => Kind::Memory,
        },
        _ => kind,
    }
}

/// Whether a place is in a library that comes with the compiler, which the user did not write.
pub(crate) fn is_of_library(place: &Place) -> bool {
    super::LIBRARIES.iter().any(|part| place.file.contains(part))
}

/// The outcome of the other version: only what differs from it is worth to be said of large memory.
pub(crate) struct Beside<'a> {
    /// Both versions.
    pub program: &'a Program,
    /// The objects of the input.
    pub objects: &'a [(InputObject, Option<Relaid>)],
    /// Global variables of the input.
    pub globals: &'a [(String, case::Memory)],
    /// The other outcome.
    pub other: &'a Outcome,
    /// Whether these are outcomes of native runs, in which containers are what they hold.
    pub native: bool,
    /// What was returned, in words.
    pub result: Option<&'a String>,
}

impl Beside<'_> {
    /// The scalars of an object in which the outcomes differ.
    fn object(&self, outcome: &Outcome, memory: &case::Memory) -> Option<String> {
        let (object, _) = self.objects.iter().find(|(object, _)| object.name == memory.name)?;
        let other = self.other.objects.iter().find(|other| other.name == memory.name)?;
        self.listed(object, outcome, memory, other)
    }

    /// What a container holds that is all of an object.
    fn container(&self, outcome: &Outcome, name: &str) -> Option<String> {
        let mut objects = self.objects.iter().filter(|_| self.native);
        let (object, _) = objects.find(|(object, _)| object.name == name)?;
        let memory = outcome.objects.iter().find(|memory| memory.name == name)?;
        super::held::in_words(self.program, object, memory)
    }

    /// The same of a variable.
    fn variable(&self, outcome: &Outcome, name: &str, memory: &case::Memory) -> Option<String> {
        let program = self.program;
        let symbols = &program.module.symbols;
        let is_it = |id: &SymbolId| {
            let full = program.module.symbol_label(*id);
            unmarked(full) == name && !exec::names::is_old(full)
        };
        let object = exec::changes::global_object(program, symbols.ids().find(is_it)?)?;
        let of = |globals: &'_ [(String, case::Memory)]| {
            globals.iter().find(|(known, _)| unmarked(known) == name).map(|(_, memory)| memory.clone())
        };
        // What a run did not change is as it was given; what is not known is not as it is now.
        let unlike = || case::Memory { bytes: memory.bytes.iter().map(|byte| !byte).collect(), ..Default::default() };
        let other = of(&self.other.globals).or_else(|| of(self.globals)).unwrap_or_else(unlike);
        self.listed(&object, outcome, memory, &other)
    }

    fn listed(
        &self,
        object: &InputObject,
        outcome: &Outcome,
        memory: &case::Memory,
        other: &case::Memory,
    ) -> Option<String> {
        // A single number needs no other name.
        let debug = &self.program.module.debug;
        let is_number = |ty: DebugTypeId| match debug.types[debug.strip(ty)].kind {
            DebugTypeKind::Record { .. } | DebugTypeKind::Pointer { .. } => false,
            DebugTypeKind::Basic(encoding) => encoding != Encoding::Float,
            _ => true,
        };
        if memory.bytes.len() <= SMALL && object.ty.is_none_or(is_number) {
            return None;
        }
        let program = self.program;
        let parts = self.native.then(|| super::held::parts_in_words(program, object, memory, other)).flatten();
        let (held, [memory, other]) = parts.unwrap_or_else(|| (Vec::new(), [memory.clone(), other.clone()]));
        let found = exec::changes::differing(program, object, outcome, &memory, &other);
        let part = |(name, value): &exec::observe::NamedValue| match **name == **value {
            // What a pointer of the input leads to is called like the pointer.
            true => format!("{name} as before"),
            false => format!("{name} = {value}"),
        };
        let mut parts: Vec<String> = found.iter().map(part).chain(held).collect();
        if parts.len() > MOST_SCALARS {
            parts.truncate(MOST_SCALARS);
            parts.push("and more".to_owned());
        }
        (!parts.is_empty()).then(|| without_marks(&parts.join(", ")))
    }
}

/// Most scalars of an object that are listed.
const MOST_SCALARS: usize = 6;

/// Objects of no more bytes are shown as a whole.
const SMALL: usize = 8;

/// An outcome in words, as far as it differs.
pub(crate) fn words(
    outcome: &Outcome,
    detail: &str,
    aspects: &[exec::same::Aspect],
    reading: Reading,
    beside: Option<&Beside>,
) -> String {
    let mut parts = Vec::new();
    match &outcome.end {
        End::Returned => {
            if let Some(result) = beside.and_then(|beside| beside.result) {
                parts.push(format!("returns {result}"));
            } else if !matches!(outcome.result, case::Datum::Any) {
                let value = match reading {
                    Reading::None => result(outcome),
                    Reading::Float(width) if is_no_number(&outcome.result, width) => "NaN".to_owned(),
                    reading => crate::suite::show::value(&outcome.result, reading),
                };
                parts.push(format!("returns {value}"));
            } else {
                parts.push("returns".to_owned());
            }
        }
        End::Exited(code) => parts.push(format!("exits with {code}")),
        End::Fault(kind) => parts.push(fault(*kind, detail) + &what_it_says(outcome)),
        End::Bound(Limit::Time) => parts.push("does not end within the limit".to_owned()),
        End::Bound(limit) => parts.push(limit.to_string()),
        End::Unsupported(what) => parts.push(what.clone()),
        End::Refused(what) => parts.push(format!("refused: {what}")),
    }
    for aspect in aspects {
        match aspect {
            exec::same::Aspect::Global(name) => {
                let name = unmarked(name);
                match outcome.globals.iter().find(|(known, _)| unmarked(known) == name) {
                    Some((_, memory)) => {
                        let listed = beside.and_then(|beside| beside.variable(outcome, name, memory));
                        parts.push(listed.unwrap_or_else(|| format!("{name} = {}", bytes(&memory.bytes))));
                    }
                    None => parts.push(format!("{name} as before")),
                }
            }
            // It was said first.
            exec::same::Aspect::Memory(name)
                if name == RESULT && beside.is_some_and(|beside| beside.result.is_some()) => {}
            exec::same::Aspect::Memory(name) => {
                if let Some(held) = beside.and_then(|beside| beside.container(outcome, name)) {
                    match parts.first_mut().filter(|_| name == RESULT) {
                        Some(returns) => *returns = format!("returns {held}"),
                        None => parts.push(format!("{name} = {held}")),
                    }
                } else if let Some(memory) = outcome.objects.iter().find(|memory| memory.name == *name) {
                    let listed = beside.and_then(|beside| beside.object(outcome, memory));
                    parts.push(listed.unwrap_or_else(|| format!("*{name} = {}", bytes(&memory.bytes))));
                }
            }
            exec::same::Aspect::Output(1) => parts.push(format!("prints \"{}\"", outcome.stdout.escape_ascii())),
            exec::same::Aspect::Output(2) => parts.push(format!("reports \"{}\"", outcome.stderr.escape_ascii())),
            exec::same::Aspect::Calls => {
                let calls = outcome.calls.iter().map(|call| {
                    let args = call.args.iter().map(datum).collect::<Vec<_>>().join(", ");
                    format!("{}({})", readable(&call.function), without_marks(&args))
                });
                let calls = calls.collect::<Vec<_>>().join(", ");
                match calls.is_empty() {
                    true if beside.is_some_and(|beside| beside.other.calls.is_empty()) => {}
                    true => parts.push("calls nothing".to_owned()),
                    false => parts.push(format!("calls {calls}")),
                }
            }
            _ => {}
        }
    }
    parts.join(", ")
}

/// A result of which nothing is known but its value.
fn result(outcome: &Outcome) -> String {
    match &outcome.result {
        case::Datum::Pointer(target @ case::Target::Object { index, .. })
            if outcome.objects.get(*index).is_some_and(|object| !object.name.is_empty()) =>
        {
            exec::changes::target(target, outcome)
        }
        value => datum(value),
    }
}

/// An outcome in words of which only numbers are told that the new version cannot hold: those of the old version, or what
/// the new one has in their place.
fn with_numbers(stage: &Stage, difference: &Difference, new: &Outcome, unfit: &[Unfit], old: bool) -> String {
    let program = &stage.couple.program;
    let mut parts = vec![words(new, "", &[], stage.reading, None)];
    for one in unfit.iter().take(MOST_SCALARS) {
        let object = difference.objects.iter().map(|(object, _)| object).find(|object| object.name == one.name);
        let is_it = |id: &SymbolId| unmarked(program.module.symbol_label(*id)) == one.name;
        let variable = || exec::changes::global_object(program, program.module.symbols.ids().find(is_it)?);
        let of_object = new.objects.iter().find(|memory| memory.name == one.name);
        let of_variable = || new.globals.iter().find(|(name, _)| unmarked(name) == one.name).map(|(_, memory)| memory);
        let Some((object, memory)) = object.cloned().or_else(variable).zip(of_object.or_else(of_variable)) else {
            continue;
        };
        // Whatever is not as it is there has that name.
        let mut other = memory.clone();
        other.bytes.iter_mut().skip(one.at as usize).take(1).for_each(|byte| *byte ^= 1);
        for (name, value) in exec::changes::differing(program, &object, new, memory, &other) {
            let value = if old { one.value.to_string() } else { value };
            parts.push(without_marks(&format!("{name} = {value}")));
        }
    }
    parts.join(", ")
}

/// Parts of an outcome that differ from another one, whatever they are.
fn beside_the_expected(outcome: &Outcome, other: &Outcome) -> String {
    let mut parts = Vec::new();
    let names: BTreeSet<&str> = outcome.globals.iter().chain(&other.globals).map(|(name, _)| name.as_str()).collect();
    for name in names {
        let [this, that] = [outcome, other].map(|outcome| outcome.globals.iter().find(|(known, _)| known == name));
        match (this, that) {
            (Some((_, a)), Some((_, b))) if a.bytes == b.bytes => {}
            (Some((_, memory)), _) => parts.push(format!("{} = {}", unmarked(name), bytes(&memory.bytes))),
            (None, _) => parts.push(format!("{} as before", unmarked(name))),
        }
    }
    for memory in &outcome.objects {
        let same = |that: &case::Memory| that.name == memory.name && that.bytes == memory.bytes;
        if !memory.name.is_empty() && !other.objects.iter().any(same) {
            parts.push(format!("*{} = {}", memory.name, bytes(&memory.bytes)));
        }
    }
    if outcome.stdout != other.stdout {
        parts.push(format!("prints \"{}\"", outcome.stdout.escape_ascii()));
    }
    parts.iter().map(|part| format!(", {part}")).collect()
}

/// Whether a float of so many bits is no number.
fn is_no_number(value: &case::Datum, width: u32) -> bool {
    match (value, width) {
        (case::Datum::Bits(bits), 32) => f32::from_bits(bits.low() as u32).is_nan(),
        (case::Datum::Bits(bits), 64) => f64::from_bits(bits.low()).is_nan(),
        _ => false,
    }
}

/// The text of an exception that nobody caught, as a build told it.
fn what_it_says(outcome: &Outcome) -> String {
    const SAYS: &str = "what():  ";
    let told = String::from_utf8_lossy(&outcome.stderr);
    let text = told.split_once(SAYS).and_then(|(_, rest)| rest.lines().next());
    match text.filter(|_| outcome.end == End::Fault(FaultKind::Uncaught)) {
        Some(text) => format!(" \"{}\"", text.escape_default()),
        None => String::new(),
    }
}

fn fault(kind: FaultKind, detail: &str) -> String {
    let detail = &readable(detail);
    if detail.is_empty() { fault_name(kind).to_owned() } else { format!("{}: {detail}", fault_name(kind)) }
}

/// Bytes as people read them: a number if there are few, else text or hexadecimal digits.
fn bytes(bytes: &[u8]) -> String {
    match bytes.len() {
        1 => (bytes[0] as i8).to_string(),
        4 => i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).to_string(),
        8 => {
            let mut word = [0; 8];
            word.copy_from_slice(bytes);
            i64::from_le_bytes(word).to_string()
        }
        _ => format!("\"{}\"", bytes.escape_ascii()),
    }
}
