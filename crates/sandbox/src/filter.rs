//! Filters of system calls, as programs that the kernel runs before each call.
//!
//! A filter is a table: for a number, which answers there are and under which conditions. The program that comes of it finds the
//! number by halving, so that neither a call nor installing the filter costs much: the kernel runs a new filter once for each number
//! that there is.

use std::collections::BTreeMap;

/// What the kernel does with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// The call takes place.
    Allow,
    /// It fails with this error number.
    Fail(i32),
    /// The thread gets `SIGSYS` where it makes the call.
    Trap,
    /// The process ends.
    Kill,
}

impl Action {
    pub(crate) fn code(self) -> u32 {
        match self {
            Action::Allow => libc::SECCOMP_RET_ALLOW,
            Action::Fail(error) => libc::SECCOMP_RET_ERRNO | error.unsigned_abs() & libc::SECCOMP_RET_DATA,
            Action::Trap => libc::SECCOMP_RET_TRAP,
            Action::Kill => libc::SECCOMP_RET_KILL_PROCESS,
        }
    }
}

/// What has to hold of one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Its lower 32 bits are that number.
    Is(u8, i32),
    /// They are another number.
    IsNot(u8, i32),
    /// Of these bits it has exactly those.
    Bits(u8, i32, i32),
    /// All 64 bits are zero.
    Null(u8),
    /// Its lower 32 bits are the number of the process that the filter is installed in, which [`Filter::own`] finds.
    IsOwn(u8),
}

/// What becomes of a call: the first answer whose condition holds counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answers {
    /// Answers with their conditions.
    pub some: Vec<(Condition, Action)>,
    /// The answer if none of the conditions holds.
    pub otherwise: Action,
}

impl From<Action> for Answers {
    fn from(otherwise: Action) -> Answers {
        Answers { some: Vec::new(), otherwise }
    }
}

/// A filter as the kernel takes it.
#[derive(Clone, Debug)]
pub struct Filter {
    instructions: Vec<libc::sock_filter>,
    own: Vec<usize>,
}

/// Where the kernel puts what a filter looks at.
const NUMBER: u32 = 0;
const PROCESSOR: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The kernel's name for this kind of processor, where there is a table of calls for it.
#[cfg(target_arch = "x86_64")]
pub(crate) const THIS_PROCESSOR: Option<u32> = Some(0xc000_003e);
#[cfg(target_arch = "aarch64")]
pub(crate) const THIS_PROCESSOR: Option<u32> = Some(0xc000_00b7);
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) const THIS_PROCESSOR: Option<u32> = None;

impl Filter {
    /// A filter with answers to some calls; all others are answered with `other`, calls of another kind of processor end the
    /// process. `None` if there is no table for this kind of processor.
    pub(crate) fn new(calls: &BTreeMap<u32, Answers>, other: Action) -> Option<Filter> {
        let mut filter = Filter { instructions: Vec::new(), own: Vec::new() };
        filter.load(PROCESSOR);
        filter.jump(libc::BPF_JEQ, THIS_PROCESSOR?, 1, 0);
        filter.answer(Action::Kill);
        filter.load(NUMBER);
        filter.search(&ranges(calls, other));
        (filter.instructions.len() <= libc::BPF_MAXINSNS as usize).then_some(filter)
    }

    /// Its instructions.
    pub fn instructions(&self) -> &[libc::sock_filter] {
        &self.instructions
    }

    /// Which instructions have to be given the number of the process before the filter is installed.
    pub fn own(&self) -> &[usize] {
        &self.own
    }

    /// Its instructions as bytes, in the order of the machine.
    pub fn bytes(&self) -> Vec<u8> {
        let bytes = |one: &libc::sock_filter| {
            let [a, b] = one.code.to_ne_bytes();
            let [w, x, y, z] = one.k.to_ne_bytes();
            [a, b, one.jt, one.jf, w, x, y, z]
        };
        self.instructions.iter().flat_map(bytes).collect()
    }

    fn push(&mut self, code: u32, jt: u8, jf: u8, k: u32) {
        self.instructions.push(libc::sock_filter { code: code as u16, jt, jf, k });
    }

    fn load(&mut self, offset: u32) {
        self.push(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset);
    }

    fn jump(&mut self, test: u32, value: u32, then: u8, otherwise: u8) {
        self.push(libc::BPF_JMP | libc::BPF_K | test, then, otherwise, value);
    }

    fn answer(&mut self, action: Action) {
        self.push(libc::BPF_RET | libc::BPF_K, 0, 0, action.code());
    }

    /// Finds the range that the number is in, which is loaded, and answers as that says.
    fn search(&mut self, ranges: &[(u32, Answers)]) {
        match ranges {
            [] => self.answer(Action::Kill),
            [(_, answers)] => self.answer_all(answers),
            _ => {
                let (lower, upper) = ranges.split_at(ranges.len() / 2);
                self.jump(libc::BPF_JGE, upper[0].0, 0, 1);
                let far = self.instructions.len();
                self.push(libc::BPF_JMP | libc::BPF_JA, 0, 0, 0);
                self.search(lower);
                self.instructions[far].k = (self.instructions.len() - far - 1) as u32;
                self.search(upper);
            }
        }
    }

    fn answer_all(&mut self, answers: &Answers) {
        for &(condition, action) in &answers.some {
            let argument = |argument: u8| ARGUMENTS + 8 * u32::from(argument);
            // The lower half is the first one: all processors that there is a table for are little-endian.
            match condition {
                Condition::Is(at, value) => {
                    self.load(argument(at));
                    self.jump(libc::BPF_JEQ, value as u32, 0, 1);
                }
                Condition::IsOwn(at) => {
                    self.load(argument(at));
                    self.own.push(self.instructions.len());
                    self.jump(libc::BPF_JEQ, u32::MAX, 0, 1);
                }
                Condition::IsNot(at, value) => {
                    self.load(argument(at));
                    self.jump(libc::BPF_JEQ, value as u32, 1, 0);
                }
                Condition::Bits(at, mask, value) => {
                    self.load(argument(at));
                    self.push(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, 0, 0, mask as u32);
                    self.jump(libc::BPF_JEQ, value as u32, 0, 1);
                }
                Condition::Null(at) => {
                    self.load(argument(at));
                    self.jump(libc::BPF_JEQ, 0, 0, 3);
                    self.load(argument(at) + 4);
                    self.jump(libc::BPF_JEQ, 0, 0, 1);
                }
            }
            self.answer(action);
        }
        self.answer(answers.otherwise);
    }
}

/// All numbers in ascending ranges, each with its first number and the answers that all of its numbers have in common.
fn ranges(calls: &BTreeMap<u32, Answers>, other: Action) -> Vec<(u32, Answers)> {
    let mut ranges = vec![(0, Answers::from(other))];
    let mut begin = |first: u32, answers: Answers| {
        if ranges.last().is_some_and(|(start, _)| *start == first) {
            ranges.pop();
        }
        if ranges.last().is_none_or(|(_, before)| *before != answers) {
            ranges.push((first, answers));
        }
    };
    for (&number, answers) in calls {
        begin(number, answers.clone());
        begin(number + 1, other.into());
    }
    ranges
}

#[cfg(test)]
pub(crate) mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

    use super::*;

    impl Answers {
        /// What becomes of a call with these arguments in a process of that number.
        pub fn to(&self, arguments: [u64; 6], process: u32) -> Action {
            let low = |at: u8| arguments[usize::from(at)] as u32;
            let holds = |condition: &Condition| match *condition {
                Condition::Is(at, value) => low(at) == value as u32,
                Condition::IsNot(at, value) => low(at) != value as u32,
                Condition::Bits(at, mask, value) => low(at) & mask as u32 == value as u32,
                Condition::Null(at) => arguments[usize::from(at)] == 0,
                Condition::IsOwn(at) => low(at) == process,
            };
            self.some.iter().find(|(condition, _)| holds(condition)).map_or(self.otherwise, |(_, action)| *action)
        }
    }

    /// What the kernel would do: the program run step by step.
    pub fn run(filter: &Filter, processor: u32, number: u32, arguments: [u64; 6], process: u32) -> u32 {
        let word = |offset: u32| match offset {
            NUMBER => number,
            PROCESSOR => processor,
            _ => {
                let at = offset - ARGUMENTS;
                (arguments[at as usize / 8] >> (8 * (at % 8))) as u32
            }
        };
        let (mut at, mut value) = (0, 0u32);
        loop {
            let mut one = filter.instructions[at];
            if filter.own.contains(&at) {
                one.k = process;
            }
            at += 1;
            match u32::from(one.code) {
                0x20 => value = word(one.k),
                0x54 => value &= one.k,
                0x05 => at += one.k as usize,
                0x15 => at += usize::from(if value == one.k { one.jt } else { one.jf }),
                0x35 => at += usize::from(if value >= one.k { one.jt } else { one.jf }),
                0x06 => return one.k,
                code => panic!("{code:#x}"),
            }
        }
    }

    #[test]
    fn a_program_answers_as_its_table_says() {
        let some = |condition, action, otherwise| Answers { some: vec![(condition, action)], otherwise };
        let calls = BTreeMap::from([
            (0, Action::Allow.into()),
            (1, Action::Allow.into()),
            (2, Action::Fail(13).into()),
            (7, some(Condition::Is(1, -3), Action::Allow, Action::Trap)),
            (8, some(Condition::IsNot(0, 31), Action::Allow, Action::Fail(1))),
            (9, some(Condition::Bits(2, 0x103, 0x101), Action::Fail(38), Action::Allow)),
            (300, some(Condition::Null(5), Action::Allow, Action::Trap)),
            (301, some(Condition::IsOwn(0), Action::Allow, Action::Trap)),
        ]);
        let filter = Filter::new(&calls, Action::Trap).unwrap();
        let here = THIS_PROCESSOR.unwrap();
        let values = [0, 31, 77, 0x101, 0x1ff, 0xffff_fffd, 1 << 40, (5 << 32) | 31, u64::MAX];
        for number in (0..400).chain([u32::MAX, 1 << 30]) {
            for value in values {
                let arguments = [value; 6];
                let expect = calls.get(&number).map_or(Action::Trap, |answers| answers.to(arguments, 77));
                assert_eq!(run(&filter, here, number, arguments, 77), expect.code(), "{number} {value:#x}");
            }
        }
        // 32-bit calls have other numbers.
        assert_eq!(run(&filter, 0x4000_0003, 0, [0; 6], 77), Action::Kill.code());
    }

    #[test]
    fn neighbours_with_the_same_answer_are_one_range() {
        let calls = (3..200).map(|number| (number, Action::Allow.into())).collect();
        assert_eq!(ranges(&calls, Action::Trap).len(), 3);
        assert_eq!(ranges(&BTreeMap::new(), Action::Trap).len(), 1);
    }
}
