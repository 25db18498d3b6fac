//! What looks different is run natively on both builds; only what really differs there is different.

use super::Options;
use super::couple::{Couple, unmarked};
use super::findings::{Evidence, is_confirmed};
use super::natives::{Natives, Version};
use super::shown::{Stage, shown};
use super::witness::{Again, Reading, Witness};
use crate::replay::{self, Placement, ReplayError, Replayed};
use evidence::{Domain, Gap, Grade, Limit, Open};
use exec::case::{self, End, FaultKind, Input, Outcome};
use exec::same::Aspect;
use exec::value::Shape;
use explore::pair::{Compared, Difference};
use ir::id::FuncId;
use ir::module::Module;
use smt::bits::Bits;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Whether inputs are expected to show a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// They are.
    Expected,
    /// They are just tried; what looks like an invalid input shows nothing.
    Tried,
    /// The same for inputs that take long: some may take too long.
    TriedBriefly,
}

/// Whether records lie differently in the two versions: then so does memory that a run makes itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Records {
    /// They do not.
    Same,
    /// They do.
    Changed,
}

/// How inputs are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// For the first time.
    First,
    /// Once more in the same way.
    Repeated,
    /// With a fault where arithmetic is undefined.
    Checked,
    /// With this byte in all memory that the program does not initialise.
    Filled(u8),
}

/// Runs what looks different on both builds. Each cause is confirmed by one of its differences, best by one for which the
/// old version does nothing undefined.
pub fn confirm(
    old: (&Module, FuncId),
    new: (&Module, FuncId),
    stage: &Stage,
    compared: &Compared,
    options: &Options,
    natives: &Natives,
    doubt: Doubt,
) -> Vec<Evidence> {
    let tries = if doubt == Doubt::Expected { MAX_TRIES } else { usize::MAX };
    let chosen = candidates(&compared.differences, tries);
    let differences: Vec<&Difference> = chosen.iter().map(|&index| &compared.differences[index]).collect();
    let unconfirmed = |gap: Gap, count: usize| -> Vec<Evidence> {
        let open = Evidence::Gap(Open { gap, place: None, count: count as u64 });
        let first = differences.first().map(|difference| shown(difference, stage, None, &[]));
        let witness = first.map(|shown| Evidence::Witness { grade: Grade::Unconfirmed, shown });
        [open].into_iter().chain(witness).collect()
    };
    let Some((replaying, limits)) = &options.replay else {
        return unconfirmed(Gap::NotRun, 1);
    };
    let of_new = |difference: &&Difference| with_own_names(&difference.input, stage.couple, false);
    let of_old = |difference: &&Difference| {
        with_own_names(difference.old_input.as_deref().unwrap_or(&difference.input), stage.couple, true)
    };
    let old_inputs: Vec<Input> = differences.iter().map(of_old).collect();
    let new_inputs: Vec<Input> = differences.iter().map(of_new).collect();
    let time_is_over = stage.until;
    let hanging = differences.iter().any(|difference| hangs(difference).is_some());
    let (time, least) = match doubt {
        Doubt::TriedBriefly => (limits.time.min(BRIEFLY), LEAST),
        _ if hanging => (limits.time.min(PATIENCE), LEAST_HANGING),
        _ => (limits.time, LEAST),
    };
    // All runs together have at least that, not each of them.
    let until = Some(time_is_over.max(Instant::now() + least));
    let run = |version: Version, inputs: &[Input], placement: Placement, runs: Runs| {
        let guard_begin = placement == Placement::Begin;
        let time = match runs {
            Runs::First => time,
            // Whether a version does something undefined before it hangs shows soon.
            Runs::Checked if hanging => time.min(AFTER_HANG),
            Runs::Checked => time,
            Runs::Repeated | Runs::Filled(_) => time.min(AGAIN),
        };
        let checks = runs == Runs::Checked || replaying.checks;
        let guarded = replay::Options { guard_begin, checks, until: Some(time_is_over), ..replaying.clone() };
        let id = if version == Version::Old { old.1 } else { new.1 };
        let driver = natives.driver(version, id, &guarded)?;
        let limits = replay::Limits { time, time_after_hang: time.min(AFTER_HANG), until, ..limits.clone() };
        match runs {
            Runs::First | Runs::Repeated | Runs::Checked => driver.run(inputs, placement, &limits),
            Runs::Filled(byte) => driver.run_filled(inputs, placement, &limits, byte),
        }
    };
    let readings: Vec<Reading> =
        differences.iter().map(|difference| Reading::new(difference, stage, new, doubt)).collect();
    let mut found: Vec<Option<Witness>> = (0..differences.len()).map(|_| None).collect();
    let (mut checked, mut late, mut wanted) = (None, false, BTreeSet::new());
    // What a use before the beginning of an object does, only the second placement shows.
    for placement in [Placement::Exact, Placement::Begin] {
        let wants_checks = placement == Placement::Exact;
        // Compilers take most of the time, so all builds are made at once.
        let (seen_old, seen_new, seen_checked) = std::thread::scope(|scope| {
            let run = &run;
            let first = scope.spawn(|| run(Version::Old, &old_inputs, placement, Runs::First));
            let second = wants_checks.then(|| scope.spawn(|| run(Version::Old, &old_inputs, placement, Runs::Checked)));
            let seen_new = run(Version::New, &new_inputs, placement, Runs::First);
            let lost = || Err(ReplayError::Driver { reason: "a thread was lost".to_owned() });
            let second = second.map(|second| second.join().unwrap_or_else(|_| lost()));
            (first.join().unwrap_or_else(|_| lost()), seen_new, second)
        });
        checked = checked.or(seen_checked.and_then(Result::ok));
        let (seen_old, seen_new) = match (seen_old, seen_new) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(error), _) | (_, Err(error)) => {
                return unconfirmed(Gap::CouldNotRun { why: error.to_string() }, 1);
            }
        };
        let (mut places, mut witnesses) = (Vec::new(), Vec::new());
        for (at, (a, b)) in seen_old.iter().zip(&seen_new).enumerate().take(differences.len()) {
            late = late || a.had_no_time() || b.had_no_time();
            wanted.extend([a, b].iter().filter_map(|seen| refused(&seen.outcome)).map(str::to_owned));
            if let Some(witness) = readings[at].witness(a, b).filter(|_| found[at].is_none()) {
                places.push(at);
                witnesses.push((witness, [a, b]));
            }
        }
        let rerun =
            |version: Version, inputs: &[Input], runs: Runs| run(version, inputs, placement, runs).unwrap_or_default();
        let again = |places: &[usize]| Again {
            cases: places.iter().map(|&at| (&readings[at], &old_inputs[at], &new_inputs[at])).collect(),
            run: &rerun,
        };
        let judged = if places.is_empty() { Vec::new() } else { again(&places).judge(witnesses) };
        places.into_iter().zip(judged).for_each(|(at, witness)| found[at] = witness);
        if wants_checks && doubt == Doubt::Expected && !hanging && found.iter().all(Option::is_none) {
            // Zeros may be what the other version puts there.
            let runs: Vec<[&Replayed; 2]> = seen_old.iter().zip(&seen_new).map(|(a, b)| [a, b]).collect();
            let places: Vec<usize> = (0..differences.len()).collect();
            for (at, witness) in again(&places).one_sided(&runs).into_iter().enumerate().take(differences.len()) {
                found[at] = witness;
            }
        }
        let before = |at: usize| {
            let sides = [&differences[at].old, &differences[at].new];
            found[at].is_none() && sides.iter().any(|side| side.outcome.end == End::Fault(FaultKind::OutOfBounds))
        };
        if !(0..differences.len()).any(before) {
            break;
        }
    }
    // Such a run ends where something is undefined for the first time: what comes later, a fault too, follows from that.
    for (at, witness) in found.iter_mut().enumerate() {
        let end = checked.as_ref().and_then(|checked| checked.get(at)).map(|checked| &checked.outcome.end);
        if let Some(witness) = witness
            && matches!(end, Some(End::Fault(FaultKind::Overflow | FaultKind::Shift | FaultKind::Conversion)))
        {
            witness.domain = Domain::New;
        }
    }
    let (mut evidence, mut doubtful) = (Vec::new(), 0);
    for cause in 0..compared.causes {
        let members: Vec<usize> = (0..differences.len()).filter(|&at| differences[at].cause == cause).collect();
        let real: Vec<(usize, &Witness)> = members.iter().filter_map(|&at| Some((at, found[at].as_ref()?))).collect();
        let is_defined = |(_, witness): &&(usize, &Witness)| witness.domain == Domain::Both;
        let Some(&(first, witness)) = real.iter().find(is_defined).or(real.first()) else {
            doubtful += members.len();
            continue;
        };
        let difference = differences[first];
        let mut entry = shown(difference, stage, Some(&witness.seen), &witness.unfit);
        let driver = natives.driver(Version::New, new.1, replaying).ok();
        entry.inputs.retain(|input| !is_a_librarys(&input.name, &difference.input, driver.as_ref()));
        match witness.domain {
            Domain::Both => {}
            Domain::New => entry.kind = evidence::Difference::OldWasUndefined,
            Domain::Old => entry.kind = evidence::Difference::NewIsUndefined,
        }
        let grade = if options.ignored.contains(&entry.kind) { Grade::Ignored } else { Grade::Confirmed };
        evidence.push(Evidence::Witness { grade, shown: entry });
    }
    if !is_confirmed(&evidence) && doubtful > 0 {
        let wanted: Vec<String> = wanted.into_iter().collect();
        let gap = match (late, wanted.is_empty()) {
            (_, false) => Gap::Refused { calls: wanted.join(", ") },
            (true, true) => Gap::NoTimeToRun,
            (false, true) => Gap::NotConfirmed,
        };
        evidence.extend(unconfirmed(gap, doubtful));
    }
    evidence
}

/// Whether what is given is the answer of a function that a library brings: natively that one was called.
fn is_a_librarys(name: &str, input: &Input, driver: Option<&replay::Driver>) -> bool {
    let Some((function, _)) = name.split_once('(') else { return false };
    let is_called = input.results.iter().any(|result| result.function == function);
    is_called && driver.is_some_and(|driver| !driver.answers(function))
}

/// What memory that runs made themselves says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Own {
    /// It is a part of the outcome.
    Known,
    /// It is what containers lead to, of which only a part is in them.
    OfContainers,
}

/// Whether native runs, and what they are taken to say, differ as they should.
pub fn really_differ(
    difference: &Difference,
    (records, own): (Records, Own),
    (old, said_old): (&Replayed, &Outcome),
    (new, said_new): (&Replayed, &Outcome),
) -> bool {
    match hangs(difference) {
        Some(true) => is_known(said_new) && is_out_of_time(said_old),
        Some(false) => is_known(said_old) && is_out_of_time(said_new),
        None if parted_before(said_old, said_new) => true,
        None => {
            is_known(said_old)
                && is_known(said_new)
                && (replay::agrees(said_old, said_new).is_err()
                    || throw_differently(said_old, said_new)
                    || fail_with_other_reports(difference, said_old, said_new)
                    || records == Records::Same && own == Own::Known && old.differs_in_own_memory(new))
        }
    }
}

/// Whether a run came to an end of its own.
pub fn is_known(outcome: &Outcome) -> bool {
    !matches!(outcome.end, End::Bound(_) | End::Unsupported(_) | End::Refused(_))
}

/// What a run wanted of the machine, if that stopped it.
fn refused(outcome: &Outcome) -> Option<&str> {
    match &outcome.end {
        End::Refused(what) => Some(what),
        _ => None,
    }
}

/// Whether runs of which one was stopped, because it wanted something of the machine, had parted before: neither could have gone
/// on to what the other one wrote and called.
fn parted_before(old: &Outcome, new: &Outcome) -> bool {
    let stopped = [old, new].map(|outcome| refused(outcome).is_some());
    let comparable = stopped.contains(&true) && [old, new].iter().all(|one| is_known(one) || refused(one).is_some());
    // One that was stopped may have come to more of it, and a fault may have lost what was held back.
    let complete = [old, new].map(|outcome| matches!(outcome.end, End::Returned | End::Exited(_)));
    let contradict = |old_length: usize, new_length: usize, same: usize| {
        same < old_length.min(new_length) || same < old_length && complete[1] || same < new_length && complete[0]
    };
    let texts = |a: &[u8], b: &[u8]| contradict(a.len(), b.len(), a.iter().zip(b).take_while(|(a, b)| a == b).count());
    let same_calls = old.calls.iter().zip(&new.calls).take_while(|(a, b)| a.function == b.function && a.args == b.args);
    comparable
        && (texts(&old.stdout, &new.stdout)
            || texts(&old.stderr, &new.stderr)
            || contradict(old.calls.len(), new.calls.len(), same_calls.count()))
}

/// Whether a run ended because the program wanted it to.
pub fn ends_itself(outcome: &Outcome) -> bool {
    use FaultKind::{Abort, Assertion, Panic, Uncaught};
    matches!(outcome.end, End::Fault(Abort | Assertion | Panic | Uncaught))
}

/// Whether exceptions that nobody caught say something else of themselves.
fn throw_differently(old: &Outcome, new: &Outcome) -> bool {
    let uncaught = |outcome: &Outcome| outcome.end == End::Fault(FaultKind::Uncaught);
    uncaught(old) && uncaught(new) && old.stderr != new.stderr
}

/// Whether runs were expected to write something else to standard error, and did, before they failed. Where a runtime says there
/// why it ends a program, more than what the program wrote differs.
fn fail_with_other_reports(difference: &Difference, old: &Outcome, new: &Outcome) -> bool {
    use FaultKind::{Assertion, Panic, Uncaught};
    let silent =
        |outcome: &Outcome| matches!(&outcome.end, End::Fault(kind) if !matches!(kind, Assertion | Panic | Uncaught));
    let expected = difference.aspects.contains(&Aspect::Output(STANDARD_ERROR));
    expected && silent(old) && silent(new) && old.stderr != new.stderr
}

/// The number of standard error.
const STANDARD_ERROR: u32 = 2;

pub fn without_memory(outcome: &Outcome) -> Outcome {
    Outcome { objects: Vec::new(), globals: Vec::new(), ..outcome.clone() }
}

/// Whether a run did nothing that only an invalid input makes a program do.
pub fn is_valid(outcome: &Outcome) -> bool {
    use FaultKind::*;
    !matches!(
        outcome.end,
        End::Fault(
            NullPointer
                | OutOfBounds
                | WildPointer
                | UseAfterFree
                | DoubleFree
                | InvalidFree
                | ReadOnly
                | BadCall
                | StackOverflow
        )
    )
}

/// Differences that are run: the first ones of each cause.
fn candidates(differences: &[Difference], tries: usize) -> Vec<usize> {
    let mut tried: BTreeMap<usize, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    let mut order: Vec<(usize, &Difference)> = differences.iter().enumerate().collect();
    order.sort_by_key(|(_, difference)| (difference.unread, difference.size()));
    for (index, difference) in order {
        let count = tried.entry(difference.cause).or_default();
        *count += 1;
        let most = if hangs(difference).is_some() { tries.min(MAX_HANGING) } else { tries };
        if *count <= most {
            chosen.push(index);
        }
    }
    chosen
}

/// Most differences of a cause that are run.
const MAX_TRIES: usize = 8;

/// The same of those that are expected not to end: each is waited for.
const MAX_HANGING: usize = 2;

/// How long a run may work that is known to take long.
const BRIEFLY: Duration = Duration::from_millis(100);

/// How long a run may work where one version is expected not to end.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long a run may work that only says what another one rests on: one that ended without much work ends soon again.
const AGAIN: Duration = Duration::from_millis(200);

/// How long a run may work behind one that did not end.
const AFTER_HANG: Duration = Duration::from_millis(500);

/// How long native runs may take by the clock even if no time is left for the function, and where one version is expected
/// not to end: a busy machine takes several times as long as a run works, and a hang has to be seen.
const LEAST: Duration = Duration::from_secs(5);
const LEAST_HANGING: Duration = Duration::from_secs(20);

/// Which version is expected not to end: the old one?
fn hangs(difference: &Difference) -> Option<bool> {
    let hangs = |outcome: &Outcome| matches!(outcome.end, End::Bound(_));
    match (hangs(&difference.old.outcome), hangs(&difference.new.outcome)) {
        (false, false) => None,
        (old, _) => Some(old),
    }
}

fn is_out_of_time(outcome: &Outcome) -> bool {
    outcome.end == End::Bound(Limit::Time)
}

/// An outcome of a whole program: of it the exit code is left, and what it wrote.
pub fn of_program(mut outcome: Outcome) -> Outcome {
    outcome.objects.clear();
    outcome.globals.clear();
    if let (End::Returned, case::Datum::Bits(code)) = (&outcome.end, &outcome.result) {
        outcome.end = End::Exited(code.low() as u8 as i32);
    }
    outcome.result = case::Datum::Any;
    outcome
}

/// An outcome in which bytes that hold nothing are zero, and what is no number has the same bits everywhere.
pub fn without_padding(mut outcome: Outcome, difference: &Difference, result: &Shape) -> Outcome {
    one_no_number(&mut outcome.result, result);
    let settle = |memory: &mut case::Memory, floats: &[(u64, u64)]| {
        for &(at, size) in floats {
            let Some(bytes) = memory.bytes.get_mut(at as usize..(at + size) as usize) else { continue };
            if let Ok(bits) = <[u8; 4]>::try_from(&*bytes)
                && f32::from_le_bytes(bits).is_nan()
            {
                bytes.copy_from_slice(&f32::NAN.to_le_bytes());
            } else if let Ok(bits) = <[u8; 8]>::try_from(&*bytes)
                && f64::from_le_bytes(bits).is_nan()
            {
                bytes.copy_from_slice(&f64::NAN.to_le_bytes());
            }
        }
    };
    for (memory, floats) in outcome.objects.iter_mut().zip(&difference.padding.floats) {
        settle(memory, floats);
    }
    for (name, memory) in &mut outcome.globals {
        for (_, floats) in difference.padding.global_floats.iter().filter(|(known, _)| unmarked(known) == name) {
            settle(memory, floats);
        }
    }
    for (memory, capacities) in outcome.objects.iter_mut().zip(&difference.padding.capacities) {
        for &at in capacities {
            // Which capacity it is says nothing; what is larger than any is another case.
            if let Some(word) = memory.bytes.get_mut(at as usize..at as usize + 8)
                && word[7] < 0x80
            {
                word.fill(0);
            }
        }
    }
    let clear = |memory: &mut case::Memory, padding: &[u64]| {
        for &at in padding {
            if let Some(byte) = memory.bytes.get_mut(at as usize) {
                *byte = 0;
            }
        }
        memory.pointers.retain(|(at, _)| padding.binary_search(at).is_err());
    };
    for (memory, padding) in outcome.objects.iter_mut().zip(&difference.padding.objects) {
        clear(memory, padding);
    }
    for (name, memory) in &mut outcome.globals {
        for (_, padding) in difference.padding.globals.iter().filter(|(known, _)| unmarked(known) == name) {
            clear(memory, padding);
        }
    }
    outcome
}

/// Gives what is no number the same bits everywhere.
fn one_no_number(result: &mut case::Datum, shape: &Shape) {
    match (result, shape) {
        (case::Datum::Bits(bits), Shape::Float { bits: 64, .. }) if f64::from_bits(bits.low()).is_nan() => {
            *bits = Bits::new(u128::from(f64::NAN.to_bits()), 64);
        }
        (case::Datum::Bits(bits), Shape::Float { bits: 32, .. }) if f32::from_bits(bits.low() as u32).is_nan() => {
            *bits = Bits::new(u128::from(f32::NAN.to_bits()), 32);
        }
        (case::Datum::Many(parts), Shape::Many { elements, .. }) => {
            parts.iter_mut().zip(elements.iter()).for_each(|(part, (_, shape))| one_no_number(part, shape));
        }
        _ => {}
    }
}

/// An outcome in which pointers to constants name what these say: literals of two versions are the same if their text is.
/// Everything else is called as in the new version.
pub fn with_constants_by_contents(outcome: &Outcome, couple: &Couple, old: bool) -> Outcome {
    let mut outcome = outcome.clone();
    let target = |target: &mut case::Target| {
        let case::Target::Symbol { name, offset } = target else { return };
        match couple.constant_text(name, *offset, old) {
            Some(text) => (*name, *offset) = (format!("\"{}\"", text.escape_ascii()), 0),
            None if old => *name = couple.new_name(name).to_owned(),
            None => {}
        }
    };
    for (name, _) in outcome.globals.iter_mut().filter(|_| old) {
        *name = couple.new_name(name).to_owned();
    }
    outcome.result.each_target(&target);
    for memory in outcome.objects.iter_mut().chain(outcome.globals.iter_mut().map(|(_, memory)| memory)) {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
    }
    outcome.calls.iter_mut().flat_map(|call| call.args.iter_mut()).for_each(|arg| arg.each_target(&target));
    outcome
}

/// An input with the symbol names that a version has itself. What is only in the other version keeps its name in the program of
/// both, which neither has: then nothing is run.
pub fn with_own_names(input: &Input, couple: &Couple, old: bool) -> Input {
    let mut input = input.clone();
    // A weak symbol, say, that only the other version knows.
    input.globals.retain(|(name, _)| !couple.ignores(name, old));
    let target = |target: &mut case::Target| {
        if let case::Target::Symbol { name, .. } = target
            && let Some(own) = couple.own_name(name, old)
        {
            *name = own.to_owned();
        }
    };
    input.args.iter_mut().for_each(|arg| arg.each_target(&target));
    for memory in input.objects.iter_mut().chain(input.globals.iter_mut().map(|(_, memory)| memory)) {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
    }
    for one in &mut input.elsewhere {
        if let case::Place::Target(place) = &mut one.place {
            target(place);
        }
        if let Ok(memory) = &mut one.change {
            memory.pointers.iter_mut().for_each(|(_, to)| target(to));
        }
    }
    for (name, _) in &mut input.globals {
        if let Some(own) = couple.own_name(name, old) {
            *name = own.to_owned();
        }
    }
    input
}
