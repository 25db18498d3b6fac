//! What looks different is run natively on both builds; only what really differs there is different.

use super::Options;
use super::couple::{Couple, unmarked};
use super::findings::{Evidence, is_confirmed};
use super::held::{holds_unknown, with_held};
use super::natives::{Natives, Version};
use super::rust_values::{self, Reader};
use super::shown::{Seen, Stage, shown};
use crate::replay::{self, Placement, ReplayError};
use evidence::{Gap, Grade, Limit, Open};
use exec::case::{self, End, FaultKind, Input, Outcome};
use exec::inputs::{InputObject, RESULT};
use exec::relaid::Unfit;
use exec::same::Aspect;
use exec::value::Shape;
use explore::pair::{Compared, Difference};
use ir::id::{DebugTypeId, FuncId};
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
enum Records {
    Same,
    Changed,
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
    let run = |version: Version, id: FuncId, inputs: &[Input], placement: Placement, checks: bool| {
        let guard_begin = placement == Placement::Begin;
        // Whether the old version does something undefined before it hangs shows soon.
        let time = if checks && hanging { time.min(AFTER_HANG) } else { time };
        let checks = checks || replaying.checks;
        let guarded = replay::Options { guard_begin, checks, until: Some(time_is_over), ..replaying.clone() };
        let driver = natives.driver(version, id, &guarded)?;
        let limits = replay::Limits { time, time_after_hang: time.min(AFTER_HANG), until, ..limits.clone() };
        driver.run(inputs, placement, &limits)
    };
    let program = new.0.function_name(new.1) == "main";
    let records = match stage.couple.program.has_changed_records() {
        true => Records::Changed,
        false => Records::Same,
    };
    let of_rust = exec::same::is_of_rust(new.0, new.1);
    let mut found: Vec<Option<Seen>> = (0..differences.len()).map(|_| None).collect();
    let mut unfit: Vec<Vec<Unfit>> = vec![Vec::new(); differences.len()];
    let mut seen_at: Vec<Option<Placement>> = vec![None; differences.len()];
    let (mut checked, mut late, mut wanted) = (None, false, BTreeSet::new());
    // What a use before the beginning of an object does, only the second placement shows.
    for placement in [Placement::Exact, Placement::Begin] {
        let wants_checks = placement == Placement::Exact;
        // Compilers take most of the time, so all builds are made at once.
        let (seen_old, seen_new, seen_checked) = std::thread::scope(|scope| {
            let first = scope.spawn(|| run(Version::Old, old.1, &old_inputs, placement, false));
            let second = wants_checks.then(|| scope.spawn(|| run(Version::Old, old.1, &old_inputs, placement, true)));
            let seen_new = run(Version::New, new.1, &new_inputs, placement, false);
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
        for (at, (a, b)) in seen_old.iter().zip(&seen_new).enumerate().take(differences.len()) {
            let difference = differences[at];
            late = late || a.had_no_time() || b.had_no_time();
            wanted.extend([a, b].iter().filter_map(|seen| refused(&seen.outcome)).map(str::to_owned));
            let module = &stage.couple.program.module;
            // Of copies that were made for the call no byte is seen.
            let unseen = |at: usize, object: &InputObject| {
                let padding = difference.padding.objects.get(at).map_or(0, |bytes| bytes.len() as u64);
                padding > 0 && object.size.as_const() == Some(padding)
            };
            let objects = difference.objects.iter().enumerate();
            let plain: Vec<(&InputObject, bool)> = match records {
                Records::Same => objects.map(|(at, (object, _))| (object, unseen(at, object))).collect(),
                Records::Changed => Vec::new(),
            };
            let said = |one: &replay::Replayed, old: bool| {
                let outcome = with_constants_by_contents(&one.outcome, stage.couple, old);
                let outcome = with_held(outcome, one, &plain, module);
                let outcome = stage.as_new(outcome, difference, old);
                let outcome = without_padding(outcome, difference, &stage.result);
                if program { of_program(outcome) } else { outcome }
            };
            let (mut said_old, mut said_new) = (said(a, true), said(b, false));
            let result = |one: &replay::Replayed, old: bool| {
                let ty = stage.result_types[usize::from(!old)].filter(|_| records == Records::Same)?;
                let constant = |name: &str, offset: i64| stage.couple.constant_text(name, offset, old);
                let reader = Reader { program: &stage.couple.program, seen: one, constant: &constant };
                let at = difference.objects.iter().position(|(object, _)| object.name == RESULT);
                let memory = at.and_then(|at| one.outcome.objects.get(at));
                rust_values::result(&reader, ty, memory, &stage.result)
            };
            let results = [result(a, true), result(b, false)];
            // Values that read alike are the same, wherever they lie.
            if let [Some(first), Some(second)] = &results
                && first == second
                && rust_values::is_whole(first)
            {
                let at = difference.objects.iter().position(|(object, _)| object.name == RESULT);
                for said in [&mut said_old, &mut said_new] {
                    said.result = case::Datum::Any;
                    if let Some(memory) = at.and_then(|at| said.objects.get_mut(at)) {
                        *memory = case::Memory { name: memory.name.clone(), ..case::Memory::default() };
                    }
                }
            }
            let is_place = |outcome: &Outcome| matches!(outcome.result, case::Datum::Pointer(case::Target::Address(_)));
            let placed = is_place(&said_old) || is_place(&said_new);
            // What builds make of memory that is not there shows nothing, be it that they notice or not.
            let all_valid = [&said_old, &said_new, &difference.old.outcome, &difference.new.outcome].map(is_valid);
            let valid = doubt == Doubt::Expected || all_valid == [true; 4] && !placed;
            let has = |is_it: &dyn Fn(&Module, DebugTypeId) -> bool| {
                difference.objects.iter().any(|(object, _)| object.ty.is_some_and(|ty| is_it(module, ty)))
            };
            let (containers, unknown) = (has(&exec::containers::holds), has(&holds_unknown));
            let own = if containers && !of_rust { Own::OfContainers } else { Own::Known };
            let differ = match doubt != Doubt::Expected && (of_rust || unknown) {
                // Vectors have room that is no part of their value, and a number of their own for it.
                true => {
                    is_known(&said_old)
                        && is_known(&said_new)
                        && replay::agrees(&without_memory(&said_old), &without_memory(&said_new)).is_err()
                }
                false => really_differ(difference, (records, own), (a, &said_old), (b, &said_new)),
            };
            let returned = said_old.end == End::Returned && said_new.end == End::Returned;
            let too_large = if returned { stage.unfit(&a.outcome, difference) } else { Vec::new() };
            let differ = differ || !too_large.is_empty();
            // A made-up `FILE` is none that the C library could use.
            let is_stream = |ty: DebugTypeId| exec::relaid::record_behind(module, ty).as_deref() == Some("_IO_FILE");
            let streams = difference.objects.iter().any(|(object, _)| object.ty.is_some_and(is_stream));
            let chance = |side: &explore::pair::Side, said: &Outcome| {
                streams && !matches!(side.outcome.end, End::Fault(_)) && matches!(said.end, End::Fault(_))
            };
            let differ = differ && !chance(&difference.old, &said_old) && !chance(&difference.new, &said_new);
            // Safe code does not use memory that it must not use, and what a program does to end itself is seen: if no build
            // does it, the model was wrong.
            let missed = |side: &explore::pair::Side, said: &Outcome| {
                let seen = matches!(said.end, End::Fault(_) | End::Bound(_));
                (of_rust && !is_valid(&side.outcome) || ends_itself(&side.outcome)) && !seen
            };
            let differ = differ && !missed(&difference.old, &said_old) && !missed(&difference.new, &said_new);
            if found[at].is_none() && valid && differ {
                found[at] = Some(Seen { old: said_old, new: said_new, results });
                (unfit[at], seen_at[at]) = (too_large, Some(placement));
            }
        }
        if found.iter().any(Option::is_some) && !hanging {
            // What is another thing each time, such as the number of a process, is no difference between versions.
            let (again_old, again_new) = (
                run(Version::Old, old.1, &old_inputs, placement, false).unwrap_or_default(),
                run(Version::New, new.1, &new_inputs, placement, false).unwrap_or_default(),
            );
            for at in (0..differences.len()).filter(|&at| seen_at[at] == Some(placement)) {
                let steady = |seen: &[replay::Replayed], again: &[replay::Replayed]| match (seen.get(at), again.get(at))
                {
                    (Some(seen), Some(again)) => {
                        again.had_no_time() || replay::agrees(&seen.outcome, &again.outcome).is_ok()
                    }
                    _ => true,
                };
                if !steady(&seen_old, &again_old) || !steady(&seen_new, &again_new) {
                    found[at] = None;
                }
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
    let undefined = |at: usize| {
        let end = checked.as_ref().and_then(|checked| checked.get(at)).map(|checked| &checked.outcome.end);
        matches!(end, Some(End::Fault(FaultKind::Overflow | FaultKind::Shift | FaultKind::Conversion)))
            && found[at].is_some()
    };
    let (mut evidence, mut doubtful) = (Vec::new(), 0);
    for cause in 0..compared.causes {
        let members: Vec<usize> = (0..differences.len()).filter(|&at| differences[at].cause == cause).collect();
        let real: Vec<usize> = members.iter().copied().filter(|&at| found[at].is_some()).collect();
        let Some(&first) = real.iter().find(|&&at| !undefined(at)).or(real.first()) else {
            doubtful += members.len();
            continue;
        };
        let difference = differences[first];
        let seen = found[first].as_ref();
        let mut entry = shown(difference, stage, seen, &unfit[first]);
        let driver = natives.driver(Version::New, new.1, replaying).ok();
        entry.inputs.retain(|input| !is_a_librarys(&input.name, &difference.input, driver.as_ref()));
        if undefined(first) {
            entry.kind = evidence::Difference::OldWasUndefined;
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
enum Own {
    /// It is a part of the outcome.
    Known,
    /// It is what containers lead to, of which only a part is in them.
    OfContainers,
}

/// Whether native runs, and what they are taken to say, differ as they should.
fn really_differ(
    difference: &Difference,
    (records, own): (Records, Own),
    (old, said_old): (&replay::Replayed, &Outcome),
    (new, said_new): (&replay::Replayed, &Outcome),
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
fn is_known(outcome: &Outcome) -> bool {
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
fn ends_itself(outcome: &Outcome) -> bool {
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

fn without_memory(outcome: &Outcome) -> Outcome {
    Outcome { objects: Vec::new(), globals: Vec::new(), ..outcome.clone() }
}

/// Whether a run did nothing that only an invalid input makes a program do.
fn is_valid(outcome: &Outcome) -> bool {
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
    order.sort_by_key(|(_, difference)| difference.size());
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

/// The same for runs behind one that did not end.
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
fn of_program(mut outcome: Outcome) -> Outcome {
    outcome.objects.clear();
    outcome.globals.clear();
    if let (End::Returned, case::Datum::Bits(code)) = (&outcome.end, &outcome.result) {
        outcome.end = End::Exited(code.low() as u8 as i32);
    }
    outcome.result = case::Datum::Any;
    outcome
}

/// An outcome in which bytes that hold nothing are zero, and what is no number has the same bits everywhere.
fn without_padding(mut outcome: Outcome, difference: &Difference, result: &Shape) -> Outcome {
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
fn with_constants_by_contents(outcome: &Outcome, couple: &Couple, old: bool) -> Outcome {
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
