//! Runs cases with a driver: writes them down, starts it, reads what came of them.

use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use build::BuildError;
use build::error::Limit as BuildLimit;
use evidence::Limit;
use exec::case::{CallResult, Datum, End, FaultKind, Input, Memory, Outcome, OutsideCall, Place, Turn, Written};
use sandbox::CaseFilters;

use super::outside::Outside;
use super::pointers::{FUNCTION_SHIFT, OF_INPUT};
use super::wire::{Blob, Reader, TO_ARGV, TO_EARLIER, TO_ENVIRONMENT, Writer};
use super::{Driver, Limits, NO_TIME, Placement, ReplayError, Replayed};

/// Bytes for memory that a program does not initialise, beside zero: numbers of the one are negative, of the other large.
pub const FILLINGS: [u8; 2] = [0xaa, 0x55];

/// First word of a file of cases.
const MAGIC: u64 = 0x3159_414c_5045_5250;

/// Most cases, and about as many bytes, that go to a driver at once.
const BATCH_CASES: usize = 2000;
const BATCH_BYTES: usize = 64 << 20;

/// Exit code of a driver whose records are to be read before it goes on.
const PAUSED: i32 = 75;

/// How often the time limit a case may take by the clock, as `runtime.c` has it, and one more.
const PATIENCE: u32 = 6;

/// How long a driver may take besides running its cases.
const SPARE_TIME: Duration = Duration::from_secs(60);

/// Faults in the order in which `runtime.c` counts them.
const FAULTS: [FaultKind; 19] = [
    FaultKind::NullPointer,
    FaultKind::OutOfBounds,
    FaultKind::WildPointer,
    FaultKind::UseAfterFree,
    FaultKind::DoubleFree,
    FaultKind::InvalidFree,
    FaultKind::ReadOnly,
    FaultKind::Division,
    FaultKind::Unreachable,
    FaultKind::Assertion,
    FaultKind::Panic,
    FaultKind::Abort,
    FaultKind::Uncaught,
    FaultKind::Overflow,
    FaultKind::Shift,
    FaultKind::Conversion,
    FaultKind::Uninitialized,
    FaultKind::BadCall,
    FaultKind::StackOverflow,
];

/// What is worth knowing, by bit of a record.
const NOTES: [(u64, &str); 4] = [
    (2, "the memory afterwards is larger than can be brought back"),
    (4, "the program asked the outside more often than the case answers"),
    (8, "an access was misaligned, or its address is no process's"),
    (16, "not all calls to the outside were recorded"),
];
const TURNS_CUT: u64 = 1;

/// Why a child could not begin, or go on, by code of a record.
const NOT_BEGUN: [&str; 10] = [
    "it ended before its entry was called",
    "its objects are too many or too large",
    "there is no memory for its objects",
    "it assigns something that cannot change",
    "there is no memory",
    "its directory is gone",
    "its files cannot be written",
    "it writes to a formatter through its table of functions",
    "it calls code of Rust's library that is not part of the program",
    "its sandbox could not be set up",
];

/// Runs that differ only in what the program never assigned take other turns: something that was never assigned decided,
/// where they part.
fn stop_where_they_part(seen: &mut Replayed, other: &Replayed) {
    let same = seen.turns.iter().zip(&other.turns).take_while(|(a, b)| a == b).count();
    if same < seen.turns.len().min(other.turns.len()) {
        seen.turns.truncate(same);
        (seen.all_turns, seen.outcome.end) = (true, End::Fault(FaultKind::Uninitialized));
    }
}

impl Driver {
    /// Runs every input; what came of each, in the same order.
    pub fn run(&self, inputs: &[Input], placement: Placement, limits: &Limits) -> Result<Vec<Replayed>, ReplayError> {
        let mut all = self.run_filled(inputs, placement, limits, 0)?;
        let hangs = all.iter().any(|seen| seen.outcome.end == End::Bound(Limit::Time));
        let time = if hangs { limits.time_after_hang } else { limits.time };
        let limits = &Limits { time, ..limits.clone() };
        for fill in FILLINGS.into_iter().filter(|_| self.program.checks) {
            let others = self.run_filled(inputs, placement, limits, fill)?;
            all.iter_mut().zip(&others).for_each(|(seen, other)| stop_where_they_part(seen, other));
        }
        Ok(all)
    }

    /// The same once, with one byte in all memory that the program does not initialise: locals, allocations, values that compilers
    /// keep in no memory. [`Driver::run`] has zeros there.
    pub fn run_filled(
        &self,
        inputs: &[Input],
        placement: Placement,
        limits: &Limits,
        fill: u8,
    ) -> Result<Vec<Replayed>, ReplayError> {
        let batches = self.batches(inputs);
        let next = AtomicUsize::new(0);
        let work = || -> Result<Vec<(usize, Vec<Replayed>)>, ReplayError> {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(batch) = batches.get(index) else { return Ok(done) };
                done.push((index, self.run_batch(&inputs[batch.clone()], placement, limits, fill)?));
            }
        };
        let jobs = limits.jobs.clamp(1, batches.len().max(1));
        let mut all = Vec::new();
        std::thread::scope(|scope| -> Result<(), ReplayError> {
            let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            for worker in workers {
                let lost = || ReplayError::Driver { reason: "a thread was lost".to_owned() };
                all.extend(worker.join().map_err(|_| lost())??);
            }
            Ok(())
        })?;
        all.sort_by_key(|(index, _)| *index);
        Ok(all.into_iter().flat_map(|(_, replayed)| replayed).collect())
    }

    fn batches(&self, inputs: &[Input]) -> Vec<Range<usize>> {
        let size = |input: &Input| {
            let memory = input.objects.iter().chain(input.globals.iter().map(|(_, memory)| memory));
            let files = input.files.iter().map(|(_, bytes)| bytes.len());
            256 + input.stdin.len() + memory.map(|memory| memory.bytes.len()).chain(files).sum::<usize>()
        };
        let (mut batches, mut start, mut bytes) = (Vec::new(), 0, 0);
        for (index, input) in inputs.iter().enumerate() {
            if index - start == BATCH_CASES || bytes > BATCH_BYTES {
                batches.push(start..index);
                (start, bytes) = (index, 0);
            }
            bytes += size(input);
        }
        batches.push(start..inputs.len());
        batches
    }

    fn run_batch(
        &self,
        inputs: &[Input],
        placement: Placement,
        limits: &Limits,
        fill: u8,
    ) -> Result<Vec<Replayed>, ReplayError> {
        let dir = tempfile::tempdir_in(self.program.workshop.dir()).map_err(|error| self.io("create", error))?;
        let work = dir.path().join("work");
        std::fs::create_dir(&work).map_err(|error| self.io("create", error))?;
        let (cases, records) = (dir.path().join("cases"), dir.path().join("records"));
        let encoded: Vec<Result<Vec<u8>, String>> = inputs.iter().map(|input| self.encode(input)).collect();
        let runnable: Vec<&[u8]> = encoded.iter().filter_map(|case| case.as_deref().ok()).collect();
        self.write_cases(&cases, &runnable, placement, limits, fill)?;
        let raw = self.run_cases(&cases, &records, &work, runnable.len(), limits)?;
        let mut raw = raw.into_iter();
        let mut replayed = Vec::with_capacity(inputs.len());
        for (input, case) in inputs.iter().zip(encoded) {
            replayed.push(match case {
                Ok(_) => match raw.next().unwrap_or(Err(NO_TIME)) {
                    Ok(record) => self.decode(input, record),
                    Err(reason) => ended(End::Unsupported(reason.to_owned())),
                },
                Err(reason) => ended(End::Unsupported(reason)),
            });
        }
        Ok(replayed)
    }

    /// Runs the driver until every case has its turn, or time is over: one that ends the driver itself has no record.
    fn run_cases(
        &self,
        cases: &Path,
        records: &Path,
        work: &Path,
        count: usize,
        limits: &Limits,
    ) -> Result<Vec<Result<Record, &'static str>>, ReplayError> {
        let mut all: Vec<Result<Record, &'static str>> = Vec::with_capacity(count);
        while all.len() < count {
            let first = all.len();
            // Cases, records and the folder in which cases run lie there together.
            let scratch = cases.parent().unwrap_or(work);
            let arguments = [cases.into(), records.into(), work.into(), OsString::from(first.to_string())];
            let cases = u32::try_from(count - first).unwrap_or(u32::MAX);
            let most = SPARE_TIME + limits.time.saturating_mul(cases).saturating_mul(PATIENCE);
            let left = limits.until.map(|until| until.saturating_duration_since(Instant::now()));
            let timeout = left.map_or(most, |left| left.min(most));
            let ended = match self.program.workshop.run(&self.program.executable, &arguments, scratch, timeout) {
                Ok(ended) => Some(ended),
                Err(BuildError::Limit { limit: BuildLimit::Time { .. } }) if left.is_some() => None,
                Err(error) => return Err(error.into()),
            };
            let bytes = match std::fs::read(records) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
                Err(error) => return Err(self.io("read", error)),
            };
            let _ = std::fs::remove_file(records);
            let mut reader = Reader::new(&bytes);
            while let Some(record) = Record::read(&mut reader) {
                all.push(Ok(record));
            }
            let Some(ended) = ended else {
                all.resize_with(count.max(all.len()), || Err(NO_TIME));
                break;
            };
            if all.len() == first && ended.code.is_some_and(|code| matches!(code, 64..=68 | 70)) {
                return Err(ReplayError::Driver { reason: format!("exit code {}", ended.code.unwrap_or(0)) });
            }
            if all.len() == first && (ended.code == Some(127) || ended.problem.contains("error while loading")) {
                return Err(ReplayError::Driver { reason: ended.problem });
            }
            let paused = ended.code == Some(PAUSED) && all.len() > first;
            if all.len() < count && !paused {
                all.push(Err("the driver was ended during this case"));
            }
        }
        all.truncate(count);
        Ok(all)
    }

    fn write_cases(
        &self,
        path: &Path,
        cases: &[&[u8]],
        placement: Placement,
        limits: &Limits,
        fill: u8,
    ) -> Result<(), ReplayError> {
        let mut writer = Writer::default();
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX).clamp(1, 1 << 40);
        let words = [
            MAGIC,
            millis(limits.time),
            limits.memory,
            limits.output,
            limits.turns,
            limits.result,
            self.entry.result.map_or(0, |(_, size)| size),
            match placement {
                Placement::Aligned => 0,
                Placement::Exact => 1,
                Placement::Begin => 2,
            },
            u64::from(self.entry.program),
            self.program.symbols.facts.len() as u64,
            cases.len() as u64,
            u64::from(fill),
            millis(limits.time_after_hang.min(limits.time)),
            self.entry.number,
            u64::from(self.program.wall.is_some()),
        ];
        words
            .into_iter()
            .chain(self.program.symbols.facts.iter().flatten().copied())
            .for_each(|word| writer.word(word));
        if let Some(CaseFilters { shared, unbounded, bounded }) = &self.program.wall {
            for filter in [shared, unbounded, bounded] {
                writer.bytes(&filter.bytes());
                writer.word(filter.own().len() as u64);
                filter.own().iter().for_each(|&place| writer.word(place as u64));
            }
        }
        for case in cases {
            writer.word(case.len() as u64 / 8);
            writer.out.extend(*case);
        }
        std::fs::write(path, writer.out).map_err(|error| self.io("write", error))
    }

    fn io(&self, action: &'static str, error: std::io::Error) -> ReplayError {
        BuildError::Io { action, path: self.program.workshop.dir().into(), error }.into()
    }

    fn encode(&self, input: &Input) -> Result<Vec<u8>, String> {
        let mut writer = Writer::default();
        let objects = input.objects.len();
        writer.word(objects as u64);
        for memory in &input.objects {
            writer.word(memory.bytes.len() as u64);
            writer.word(memory.align.max(1).next_power_of_two());
            writer.blob(&self.program.symbols.encode_memory(memory, objects)?);
        }
        writer.word(input.globals.len() as u64);
        for (name, memory) in &input.globals {
            let number = self.program.symbols.numbers.get(name).ok_or(format!("the program has no symbol `{name}`"))?;
            writer.word(*number);
            writer.word(memory.bytes.len() as u64);
            writer.blob(&self.program.symbols.encode_memory(memory, objects)?);
        }
        let args = self.encode_args(input)?;
        writer.word(args.bytes.len() as u64);
        writer.blob(&args);
        writer.word(input.argv.len() as u64);
        input.argv.iter().for_each(|arg| writer.bytes(arg));
        writer.bytes(&input.stdin);
        writer.word(input.files.len() as u64);
        for (name, bytes) in &input.files {
            if name.is_empty() || name.contains(['/', '\0']) {
                return Err(format!("a file cannot be called `{name}`"));
            }
            writer.bytes(name.as_bytes());
            writer.bytes(bytes);
        }
        // Answers of functions that the program does not have are never asked for.
        let answered = |result: &CallResult| {
            if let Some(number) = self.program.symbols.numbers.get(&result.function) {
                return Some((*number, self.program.outside.get(number)?));
            }
            let pointer = result.function.strip_prefix('*')?;
            let object = input.objects.iter().position(|object| object.name == pointer)?;
            let fits = |outside: &&Outside| {
                let Some(ty) = outside.result else { return result.result == Datum::Any };
                let size = self.program.module.type_layouts.get(ty).map_or(0, |layout| layout.size);
                let mut blob = Blob { bytes: vec![0; size as usize], pointers: Vec::new() };
                self.program.symbols.write(&self.program.module, ty, &result.result, 0, objects, &mut blob).is_ok()
            };
            let mut answering = self.program.outside.range(OF_INPUT..).map(|(_, outside)| outside);
            Some((OF_INPUT | object as u64, answering.find(fits)?))
        };
        let results: Vec<_> = (0..).zip(&input.results).filter_map(|(at, r)| Some((at, r, answered(r)?))).collect();
        writer.word(results.len() as u64);
        for (at, result, (number, outside)) in results {
            let mut blob = Blob::default();
            if let Some(ty) = outside.result {
                let size = self.program.module.type_layouts.get(ty).map_or(0, |layout| layout.size);
                blob.bytes = vec![0; size as usize];
                self.program.symbols.write(&self.program.module, ty, &result.result, 0, objects, &mut blob)?;
            }
            writer.word(number);
            writer.word(blob.bytes.len() as u64);
            writer.blob(&blob);
            let places = |written: &Written| outside.offsets.get(written.argument as usize).copied();
            let writes: Vec<_> = result.writes.iter().filter_map(|written| Some((written, places(written)?))).collect();
            writer.word(writes.len() as u64);
            for (written, place) in writes {
                writer.word(place);
                writer.word(written.distance as u64);
                writer.word(written.memory.bytes.len() as u64);
                writer.blob(&self.program.symbols.encode_memory(&written.memory, objects)?);
            }
            let earlier = |call: usize, argument: u32| {
                let (number, outside) = answered(input.results.get(call)?)?;
                let same = |other: &&CallResult| other.function == input.results[call].function;
                let nth = input.results[..call].iter().filter(same).count() as u64;
                Some([TO_EARLIER, number, nth << 32 | *outside.offsets.get(argument as usize)?])
            };
            self.encode_elsewhere(&mut writer, input, at, &earlier)?;
        }
        Ok(writer.out)
    }

    /// What a call does to memory that it is not given: for each where that is, a distance from there, whether it is written, its
    /// bytes.
    fn encode_elsewhere(
        &self,
        writer: &mut Writer,
        input: &Input,
        call: usize,
        earlier: &dyn Fn(usize, u32) -> Option<[u64; 3]>,
    ) -> Result<(), String> {
        let mut known = Vec::new();
        for one in input.elsewhere.iter().filter(|one| one.call == call) {
            let place = match &one.place {
                Place::Target(target) => {
                    self.program.symbols.encode(target, input.objects.len()).ok().map(|at| (at, 0))
                }
                Place::Argument { call, argument, distance } => earlier(*call, *argument).map(|at| (at, *distance)),
            };
            known.extend(place.map(|place| (place, &one.change)));
        }
        writer.word(known.len() as u64);
        for ((target, distance), change) in known {
            target.iter().for_each(|&word| writer.word(word));
            writer.word(distance as u64);
            writer.word(u64::from(change.is_ok()));
            match change {
                Ok(memory) => {
                    writer.word(memory.bytes.len() as u64);
                    writer.blob(&self.program.symbols.encode_memory(memory, input.objects.len())?);
                }
                Err(bytes) => {
                    writer.word(*bytes);
                    writer.blob(&Blob { bytes: vec![0; *bytes as usize], pointers: Vec::new() });
                }
            }
        }
        Ok(())
    }

    fn encode_args(&self, input: &Input) -> Result<Blob, String> {
        let entry = &self.entry;
        let mut blob = Blob { bytes: vec![0; entry.size as usize], pointers: Vec::new() };
        if entry.program && (input.args.is_empty() || !input.argv.is_empty()) {
            // The real arguments of a program.
            let count = smt::bits::Bits::new(input.argv.len() as u128, 32);
            let places = entry.params.iter().zip(&entry.offsets).take(3);
            for ((&ty, &at), value) in places.zip([None, Some(TO_ARGV), Some(TO_ENVIRONMENT)]) {
                match value {
                    Some(kind) => blob.pointers.push((at, [kind, 0, 0])),
                    None => self.program.symbols.write(
                        &self.program.module,
                        ty,
                        &Datum::Bits(count.clone()),
                        at,
                        0,
                        &mut blob,
                    )?,
                }
            }
            return Ok(blob);
        }
        if input.args.len() != entry.params.len() {
            return Err(format!("{} arguments are given, not {}", input.args.len(), entry.params.len()));
        }
        for ((&ty, &at), value) in entry.params.iter().zip(&entry.offsets).zip(&input.args) {
            self.program.symbols.write(&self.program.module, ty, value, at, input.objects.len(), &mut blob)?;
        }
        Ok(blob)
    }

    fn decode(&self, input: &Input, record: Record) -> Replayed {
        let mut notes: Vec<String> =
            NOTES.iter().filter(|(bit, _)| record.flags & bit != 0).map(|(_, note)| (*note).to_owned()).collect();
        let end = end(&record, &mut notes);
        let mut outcome = Outcome {
            calls: self.decode_calls(input, &record.calls),
            stdout: record.stdout,
            stderr: record.stderr,
            ..ended(end).outcome
        };
        let mut own = Vec::new();
        if outcome.end == End::Returned && !record.dump.is_empty() {
            match self.decode_dump(input, &record.dump, &mut outcome) {
                Some(found) => own = found,
                None => notes.push("the memory afterwards could not be read".to_owned()),
            }
        }
        if outcome.end == End::Returned && self.entry.program && is_panic(&outcome) {
            outcome.end = End::Fault(FaultKind::Panic);
        }
        let turn = |word: &u64| {
            let branch = self.program.branches.get((word >> 32) as usize)?;
            Some(Turn { side: *word as u32, ..branch.clone() })
        };
        let turns = record.turns.iter().filter_map(turn).collect();
        Replayed { outcome, turns, all_turns: record.flags & TURNS_CUT == 0, notes, own }
    }

    fn decode_calls(&self, input: &Input, bytes: &[u8]) -> Vec<OutsideCall> {
        let mut reader = Reader::new(bytes);
        let mut calls = Vec::new();
        while let Some(number) = reader.word() {
            let Some(blob) = reader.blob() else { break };
            let behind = blob.pointers.iter().map(|_| reader.blob());
            let Some(mut behind) = behind.collect::<Option<Vec<Blob>>>() else { break };
            // What it saw of memory that it was not given.
            let Some(seen) = reader.word() else { break };
            behind.extend((0..seen).map_while(|_| reader.blob()));
            let of_input = number & OF_INPUT != 0;
            let key = if of_input { number >> FUNCTION_SHIFT << FUNCTION_SHIFT } else { number };
            let name = match of_input {
                true => input.objects.get((number ^ key) as usize).map(|object| format!("*{}", object.name)),
                false => self.program.symbols.names.get(number as usize).cloned(),
            };
            let (Some(outside), Some(function)) = (self.program.outside.get(&key), name) else { continue };
            let args = outside.params.iter().zip(&outside.offsets);
            let args = args.map(|(&ty, &at)| self.program.symbols.read(&self.program.module, ty, at, &blob)).collect();
            let given = behind.into_iter().map(|blob| self.program.symbols.decode_memory(blob, "", 1).bytes).collect();
            calls.push(OutsideCall { function, args, given });
        }
        calls
    }

    /// Reads what is left after a run, and gives the memory that it made itself.
    fn decode_dump(&self, input: &Input, bytes: &[u8], outcome: &mut Outcome) -> Option<Vec<Memory>> {
        let mut reader = Reader::new(bytes);
        let result = reader.blob()?;
        if let Some((ty, _)) = self.entry.result {
            outcome.result = self.program.symbols.read(&self.program.module, ty, 0, &result);
        }
        for object in &input.objects {
            let freed = reader.word()? != 0;
            let blob = if freed { Blob::default() } else { reader.blob()? };
            outcome.objects.push(self.program.symbols.decode_memory(blob, &object.name, object.align));
        }
        loop {
            let number = reader.word()?;
            if number == u64::MAX {
                break;
            }
            let blob = reader.blob()?;
            let name = self.program.symbols.names.get(number as usize)?;
            outcome.globals.push((name.clone(), self.program.symbols.decode_memory(blob, name, 1)));
        }
        let mut own = Vec::new();
        for _ in 0..reader.word()? {
            own.push(self.program.symbols.decode_memory(reader.blob()?, "", 1));
        }
        Some(own)
    }
}

/// A record of a driver.
struct Record {
    end: u64,
    code: u64,
    flags: u64,
    turns: Vec<u64>,
    calls: Vec<u8>,
    dump: Vec<u8>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Record {
    /// The next record; `None` if there is none, or not all of it.
    fn read(reader: &mut Reader) -> Option<Record> {
        let mut head = [0; 8];
        for word in &mut head {
            *word = reader.word()?;
        }
        let [end, code, flags, turns, calls, dump, stdout, stderr] = head;
        let words = reader.bytes(turns.checked_mul(8)?)?;
        let turns = words.chunks_exact(8).filter_map(|word| Some(u64::from_ne_bytes(word.try_into().ok()?))).collect();
        let mut bytes = |count| Some(reader.bytes(count)?.to_vec());
        Some(Record {
            end,
            code,
            flags,
            turns,
            calls: bytes(calls)?,
            dump: bytes(dump)?,
            stdout: bytes(stdout)?,
            stderr: bytes(stderr)?,
        })
    }
}

/// An outcome that says no more than how it ended.
fn ended(end: End) -> Replayed {
    let outcome = Outcome {
        end,
        result: Datum::Any,
        objects: Vec::new(),
        globals: Vec::new(),
        stdout: Vec::new(),
        stderr: Vec::new(),
        calls: Vec::new(),
    };
    Replayed { outcome, turns: Vec::new(), all_turns: true, notes: Vec::new(), own: Vec::new() }
}

/// Exit code of a Rust program that panicked and unwound, since the library that it runs with unwinds.
const PANIC_CODE: u64 = 101;

/// Whether a Rust program returned because it panicked.
fn is_panic(outcome: &Outcome) -> bool {
    let code = matches!(&outcome.result, Datum::Bits(bits) if bits.low() == PANIC_CODE);
    code && contains(&outcome.stderr, PANICKED)
}

/// What a Rust program says then.
const PANICKED: &str = "panicked at ";

/// What one says that found out about its undefined behaviour.
const PRECONDITION: &str = "unsafe precondition(s) violated";

fn contains(bytes: &[u8], words: &str) -> bool {
    bytes.windows(words.len()).any(|window| window == words.as_bytes())
}

fn end(record: &Record, notes: &mut Vec<String>) -> End {
    let says = |words: &str| contains(&record.stderr, words);
    let panicked = says(PANICKED);
    match record.end {
        0 => End::Returned,
        1 if record.code == PANIC_CODE && panicked => End::Fault(FaultKind::Panic),
        1 => End::Exited(record.code as i32),
        2 => match FAULTS.get(record.code as usize) {
            Some(FaultKind::Abort) if says(PRECONDITION) => End::Fault(FaultKind::Unreachable),
            Some(FaultKind::Abort) if panicked => End::Fault(FaultKind::Panic),
            Some(FaultKind::Abort) if says("terminate called") => End::Fault(FaultKind::Uncaught),
            // The C library's own checks.
            Some(FaultKind::Abort) if says("*** buffer overflow detected") || says("*** stack smashing detected") => {
                End::Fault(FaultKind::OutOfBounds)
            }
            Some(kind) => End::Fault(*kind),
            None => End::Unsupported(format!("fault {}", record.code)),
        },
        3 => {
            notes.push(format!("ended by signal {}", record.code));
            End::Fault(FaultKind::Abort)
        }
        4 => End::Bound(Limit::Time),
        5 => End::Bound(Limit::Output),
        6 => End::Bound(Limit::Memory),
        8 => End::Refused(sandbox::syscall_name(record.code).unwrap_or("a system call").to_owned()),
        _ => {
            let reason = NOT_BEGUN.get(record.code as usize).copied().unwrap_or("it could not begin");
            End::Unsupported(format!("not run: {reason}"))
        }
    }
}
