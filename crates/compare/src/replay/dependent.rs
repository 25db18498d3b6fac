//! What of a run depends on memory that the program never initialised: runs with other bytes in that memory tell.

use std::collections::{BTreeMap, BTreeSet};

use exec::case::{Datum, End, Memory, Outcome};

/// A part of what came of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// The result, of an aggregate its element with this number, those of inner aggregates counted.
    Result(usize),
    /// An argument of a call to a function outside of the program, counted like results.
    Argument { call: usize, element: usize },
    /// Memory behind a pointer that such a call was given.
    Given { call: usize, pointer: usize },
    /// An object of the input.
    Object(usize),
    /// A global variable that was changed.
    Global(String),
    /// Memory that the run made itself.
    Own(usize),
}

/// How much of a part depends on uninitialised memory.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Share {
    /// All of it.
    All,
    /// These bytes.
    Bytes(BTreeSet<usize>),
}

/// What of a run depends on uninitialised memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependent {
    course: bool,
    parts: BTreeMap<Part, Share>,
}

/// What a part is.
enum Contents<'a> {
    Datum(&'a mut Datum),
    Memory(&'a mut Memory),
    Bytes(&'a mut Vec<u8>),
}

/// Bytes of a pointer.
const WORD: usize = 8;

impl Dependent {
    /// Whether the course of the run depends on uninitialised memory: how it ends, what it writes, which functions outside of the
    /// program it calls.
    pub fn is_course(&self) -> bool {
        self.course
    }

    /// Whether nothing depends on uninitialised memory.
    pub fn is_empty(&self) -> bool {
        !self.course && self.parts.is_empty()
    }

    /// Whether the result depends on uninitialised memory.
    pub fn has_result(&self) -> bool {
        self.parts.keys().any(|part| matches!(part, Part::Result(_)))
    }

    /// Adds what is not the same in another run on the same input, with other bytes in uninitialised memory. Both runs have their
    /// outcome, and the memory that they made themselves.
    pub fn add(&mut self, first: (&Outcome, &[Memory]), other: (&Outcome, &[Memory])) {
        let (a, b) = (first.0, other.0);
        // How far a run got that was stopped says nothing, nor does one that was not run.
        let stopped = |outcome: &Outcome| matches!(outcome.end, End::Bound(_));
        if matches!(b.end, End::Unsupported(_)) || stopped(a) && stopped(b) {
            return;
        }
        let functions = |outcome: &Outcome| outcome.calls.iter().map(|call| call.function.clone()).collect::<Vec<_>>();
        // After a fault runtimes write what they know of the run, such as the number of its thread.
        let same_errors = matches!(a.end, End::Fault(_)) || a.stderr == b.stderr;
        if a.end != b.end || a.stdout != b.stdout || !same_errors || functions(a) != functions(b) {
            self.course = true;
            return;
        }
        let (mut a, mut b) = ((a.clone(), first.1.to_vec()), (b.clone(), other.1.to_vec()));
        let (mut a, mut b) = (parts(&mut a.0, &mut a.1), parts(&mut b.0, &mut b.1));
        let all: BTreeSet<Part> = a.keys().chain(b.keys()).cloned().collect();
        for part in all {
            let share = match (a.remove(&part), b.remove(&part)) {
                (Some(a), Some(b)) => unlike(&a, &b),
                _ => Share::All,
            };
            self.add_share(part, share);
        }
    }

    /// Adds what another one has.
    pub fn extend(&mut self, other: &Dependent) {
        self.course |= other.course;
        other.parts.iter().for_each(|(part, share)| self.add_share(part.clone(), share.clone()));
    }

    fn add_share(&mut self, part: Part, share: Share) {
        let known = self.parts.remove(&part);
        let share = match (known, share) {
            (Some(Share::Bytes(mut known)), Share::Bytes(more)) => {
                known.extend(more);
                Share::Bytes(known)
            }
            (None, share) => share,
            _ => Share::All,
        };
        if share != Share::Bytes(BTreeSet::new()) {
            self.parts.insert(part, share);
        }
    }

    /// Makes everything that depends on uninitialised memory the same in all outcomes for which this is called.
    pub fn blank(&self, outcome: &mut Outcome, own: &mut [Memory]) {
        for (part, mut contents) in parts(outcome, own) {
            if let Some(share) = self.parts.get(&part) {
                blank(&mut contents, share);
            }
        }
        let is_blank = |name: &str| self.parts.get(&Part::Global(name.to_owned())) == Some(&Share::All);
        outcome.globals.retain(|(name, _)| !is_blank(name));
    }
}

/// Everything that came of a run beside its course.
fn parts<'a>(outcome: &'a mut Outcome, own: &'a mut [Memory]) -> BTreeMap<Part, Contents<'a>> {
    let mut parts = BTreeMap::new();
    let mut add_elements = |datum: &'a mut Datum, part: &dyn Fn(usize) -> Part| {
        let mut elements = Vec::new();
        collect_elements(datum, &mut elements);
        parts.extend((0..).map(part).zip(elements.into_iter().map(Contents::Datum)));
    };
    add_elements(&mut outcome.result, &Part::Result);
    let mut given = Vec::new();
    for (call, made) in outcome.calls.iter_mut().enumerate() {
        let mut first = 0;
        for argument in &mut made.args {
            let count = count_elements(argument);
            add_elements(argument, &|element| Part::Argument { call, element: first + element });
            first += count;
        }
        given.extend((0..).zip(&mut made.given).map(|(pointer, bytes)| (Part::Given { call, pointer }, bytes)));
    }
    parts.extend(given.into_iter().map(|(part, bytes)| (part, Contents::Bytes(bytes))));
    let objects = outcome.objects.iter_mut().enumerate().map(|(at, memory)| (Part::Object(at), memory));
    let globals = outcome.globals.iter_mut().map(|(name, memory)| (Part::Global(name.clone()), memory));
    let own = own.iter_mut().enumerate().map(|(at, memory)| (Part::Own(at), memory));
    parts.extend(objects.chain(globals).chain(own).map(|(part, memory)| (part, Contents::Memory(memory))));
    parts
}

fn collect_elements<'a>(datum: &'a mut Datum, out: &mut Vec<&'a mut Datum>) {
    match datum {
        Datum::Many(parts) => parts.iter_mut().for_each(|part| collect_elements(part, out)),
        one => out.push(one),
    }
}

fn count_elements(datum: &Datum) -> usize {
    match datum {
        Datum::Many(parts) => parts.iter().map(count_elements).sum(),
        _ => 1,
    }
}

/// Where two contents of the same part are not the same.
fn unlike(a: &Contents, b: &Contents) -> Share {
    match (a, b) {
        (Contents::Datum(Datum::Bits(a)), Contents::Datum(Datum::Bits(b))) if a.width == b.width => {
            Share::Bytes(unlike_bytes(&bytes_of(&a.words), &bytes_of(&b.words)))
        }
        (Contents::Datum(a), Contents::Datum(b)) if a == b => Share::Bytes(BTreeSet::new()),
        (Contents::Bytes(a), Contents::Bytes(b)) => Share::Bytes(unlike_bytes(a, b)),
        (Contents::Memory(a), Contents::Memory(b)) => {
            let mut bytes = unlike_bytes(&a.bytes, &b.bytes);
            for one in a.pointers.iter().chain(&b.pointers) {
                if !a.pointers.contains(one) || !b.pointers.contains(one) {
                    bytes.extend((one.0 as usize..).take(WORD));
                }
            }
            Share::Bytes(bytes)
        }
        _ => Share::All,
    }
}

fn unlike_bytes(a: &[u8], b: &[u8]) -> BTreeSet<usize> {
    (0..a.len().max(b.len())).filter(|&at| a.get(at) != b.get(at)).collect()
}

fn bytes_of(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn blank(contents: &mut Contents, share: &Share) {
    match (contents, share) {
        (Contents::Datum(datum), Share::All) => **datum = Datum::Any,
        (Contents::Memory(memory), Share::All) => {
            (memory.bytes, memory.pointers) = (Vec::new(), Vec::new());
        }
        (Contents::Bytes(bytes), Share::All) => bytes.clear(),
        (Contents::Datum(Datum::Bits(bits)), Share::Bytes(at)) => {
            for at in at {
                if let Some(word) = bits.words.get_mut(at / WORD) {
                    *word &= !(0xff << (at % WORD * 8));
                }
            }
        }
        // In the other version it is something else.
        (Contents::Datum(datum), Share::Bytes(_)) => **datum = Datum::Any,
        (Contents::Bytes(bytes), Share::Bytes(at)) => blank_bytes(bytes, at),
        (Contents::Memory(memory), Share::Bytes(at)) => {
            blank_bytes(&mut memory.bytes, at);
            let is_blank = |from: u64| at.range(from as usize..from as usize + WORD).next().is_some();
            memory.pointers.retain(|(from, _)| !is_blank(*from));
        }
    }
}

fn blank_bytes(bytes: &mut [u8], at: &BTreeSet<usize>) {
    for at in at {
        if let Some(byte) = bytes.get_mut(*at) {
            *byte = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::bits::Bits;

    fn outcome(result: u64, object: &[u8], stdout: &str) -> Outcome {
        Outcome {
            end: End::Returned,
            result: Datum::Bits(Bits::new(u128::from(result), 64)),
            objects: vec![Memory { bytes: object.to_vec(), ..Memory::default() }],
            globals: Vec::new(),
            stdout: stdout.as_bytes().to_vec(),
            stderr: Vec::new(),
            calls: Vec::new(),
        }
    }

    fn dependent(a: &Outcome, b: &Outcome) -> Dependent {
        let mut dependent = Dependent::default();
        dependent.add((a, &[]), (b, &[]));
        dependent
    }

    #[test]
    fn bytes_that_depend_on_the_filling_are_blanked_in_both_versions() {
        let (zero, filled) = (outcome(0x0007, &[1, 0, 3], "x"), outcome(0xaa07, &[1, 0xaa, 3], "x"));
        let found = dependent(&zero, &filled);
        assert!(!found.is_empty() && !found.is_course());
        let mut other = outcome(0x1208, &[1, 9, 4], "y");
        found.blank(&mut other, &mut []);
        assert_eq!(other, outcome(0x0008, &[1, 0, 4], "y"));
    }

    #[test]
    fn another_end_or_output_is_another_course() {
        let zero = outcome(0, &[], "0");
        assert!(dependent(&zero, &outcome(0, &[], "-1")).is_course());
        assert!(dependent(&zero, &Outcome { end: End::Exited(1), ..zero.clone() }).is_course());
        // As with numbers of threads in what a runtime says of a fault.
        let fault = Outcome { end: End::Fault(exec::case::FaultKind::Panic), ..zero.clone() };
        assert!(dependent(&fault, &Outcome { stderr: b"thread 7".to_vec(), ..fault.clone() }).is_empty());
        let stopped = Outcome { end: End::Bound(evidence::Limit::Time), ..outcome(0, &[], "00") };
        let earlier = Outcome { stdout: Vec::new(), ..stopped.clone() };
        assert!(dependent(&zero, &stopped).is_course());
        assert!(dependent(&stopped, &earlier).is_empty() && dependent(&zero, &zero).is_empty());
    }

    #[test]
    fn a_variable_that_only_one_filling_changes_counts_for_nothing() {
        let zero = outcome(0, &[], "");
        let changed = vec![("g".to_owned(), Memory { bytes: vec![0xaa], ..Memory::default() })];
        let filled = Outcome { globals: changed, ..zero.clone() };
        let found = dependent(&zero, &filled);
        let mut other = filled.clone();
        found.blank(&mut other, &mut []);
        assert_eq!(other, zero);
    }
}
