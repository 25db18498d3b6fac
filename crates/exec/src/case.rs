//! A case: one concrete input of an entry function, and what is expected or was seen to come of it.
//!
//! Plain data without ids of a pool or a module, so that a case can be written to a file, run natively, and
//! compared between two versions of a program.

use evidence::Limit;
use serde::{Deserialize, Serialize};
use smt::bits::Bits;
use std::sync::Arc;

/// One concrete input of an entry function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Input {
    /// One value for each parameter of the entry in the program model.
    pub args: Vec<Datum>,
    /// Memory that pointers of the input lead to; a pointer names it by position.
    pub objects: Vec<Memory>,
    /// Contents that global variables have when the entry is called, by symbol name. Those that are not named have their
    /// initial contents.
    pub globals: Vec<(String, Memory)>,
    /// Arguments of the program, its own name first. Empty unless the entry is `main`.
    pub argv: Vec<Vec<u8>>,
    /// Bytes that can be read from standard input.
    pub stdin: Vec<u8>,
    /// Files that can be opened, by name.
    pub files: Vec<(String, Vec<u8>)>,
    /// What calls to functions outside of the program return, in the order of the calls.
    pub results: Vec<CallResult>,
    /// What these calls do to memory that they are not given.
    #[serde(default)]
    pub elsewhere: Vec<Elsewhere>,
}

/// What a call to a function outside of the program does to memory that it is not given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Elsewhere {
    /// Position of the call in [`Input::results`].
    pub call: usize,
    /// The memory.
    pub place: Place,
    /// What the call writes there; if it only looks at it, of how many bytes.
    pub change: Result<Memory, u64>,
}

/// How a function outside of the program knows memory that it is not given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Place {
    /// It is a global variable or an object of the input.
    Target(Target),
    /// An earlier call was given it.
    Argument {
        /// Position of that call in [`Input::results`].
        call: usize,
        /// Position of the argument, from 0.
        argument: u32,
        /// Distance from where the argument led to, to the beginning of the memory.
        distance: i64,
    },
}

/// A value of an input or an outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Datum {
    /// An integer or the bits of a float.
    Bits(Bits),
    /// A pointer.
    Pointer(Target),
    /// Elements of an aggregate or vector.
    Many(Vec<Datum>),
    /// A value that does not matter or is not known, such as padding or what was never assigned.
    Any,
}

impl Datum {
    /// Changes every pointer in it.
    pub fn each_target(&mut self, change: &dyn Fn(&mut Target)) {
        match self {
            Datum::Pointer(target) => change(target),
            Datum::Many(parts) => parts.iter_mut().for_each(|part| part.each_target(change)),
            _ => {}
        }
    }
}

/// What a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Target {
    /// Nothing.
    Null,
    /// A place in one of the input's objects.
    Object {
        /// Position in [`Input::objects`].
        index: usize,
        /// Distance from its beginning in bytes.
        offset: i64,
    },
    /// A place in a global variable, or a function, by symbol name.
    Symbol {
        /// Name.
        name: String,
        /// Distance from its beginning in bytes.
        offset: i64,
    },
    /// A place in memory that the program itself made, such as an allocation.
    Own,
    /// An address that is no object's.
    Address(u64),
}

/// Contents of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Memory {
    /// What the user calls it: `req`, `*list->next`.
    pub name: String,
    /// Its bytes; those under a pointer are zero.
    pub bytes: Vec<u8>,
    /// Pointers in it by offset, ascending.
    pub pointers: Vec<(u64, Target)>,
    /// Bytes that were never assigned and may be anything: where some begin and how many they are, ascending.
    pub any: Vec<(u64, u64)>,
    /// Alignment of its address in bytes.
    pub align: u64,
}

impl Memory {
    /// Whether a byte may be anything.
    pub fn is_any(&self, at: u64) -> bool {
        self.any.iter().any(|&(start, count)| (start..start + count).contains(&at))
    }
}

/// What a call to a function outside of the program returned.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CallResult {
    /// Symbol name of the function.
    pub function: String,
    /// What the user calls the result, if the call made up an input; else empty.
    pub name: String,
    /// Its result; [`Datum::Any`] for none.
    pub result: Datum,
    /// What it wrote to memory that it was given.
    pub writes: Vec<Written>,
}

/// What a function outside of the program wrote through one of its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Written {
    /// Position of the argument, from 0.
    pub argument: u32,
    /// Distance from where the argument leads to, to the first byte that was written.
    pub distance: i64,
    /// What was written.
    pub memory: Memory,
}

/// What came of an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// How the run ended.
    pub end: End,
    /// What the entry returned; [`Datum::Any`] if nothing.
    pub result: Datum,
    /// The input's objects afterwards, by position.
    pub objects: Vec<Memory>,
    /// Global variables afterwards whose contents changed, by symbol name.
    pub globals: Vec<(String, Memory)>,
    /// Bytes written to standard output.
    pub stdout: Vec<u8>,
    /// Bytes written to standard error.
    pub stderr: Vec<u8>,
    /// Calls to functions outside of the program in order.
    pub calls: Vec<OutsideCall>,
}

/// A call to a function outside of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OutsideCall {
    /// Symbol name of the function.
    pub function: String,
    /// Arguments.
    pub args: Vec<Datum>,
    /// Bytes behind each pointer among the arguments, where a native run saw them; those of pointers are zero.
    #[serde(default)]
    pub given: Vec<Vec<u8>>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum End {
    /// The entry returned.
    Returned,
    /// The program ended itself with that code.
    Exited(i32),
    /// A fault.
    Fault(FaultKind),
    /// A limit was reached first.
    Bound(Limit),
    /// Something that cannot be run was reached.
    Unsupported(String),
    /// A native run was stopped where it called this: it would have acted on the machine.
    Refused(String),
}

/// What can go wrong in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FaultKind {
    /// Memory at or near address zero was used.
    NullPointer,
    /// Memory beside an object was used.
    OutOfBounds,
    /// An address that belongs to no object was used.
    WildPointer,
    /// Memory was used after it was freed, or after its function returned.
    UseAfterFree,
    /// Memory was freed twice.
    DoubleFree,
    /// Something was freed that was not allocated.
    InvalidFree,
    /// Memory that never changes was written.
    ReadOnly,
    /// An integer was divided by zero, or the least one by -1.
    Division,
    /// A point that is never to be reached was reached.
    Unreachable,
    /// An assertion failed.
    Assertion,
    /// A Rust panic.
    Panic,
    /// The program aborted itself.
    Abort,
    /// An exception or panic that nobody catches.
    Uncaught,
    /// Signed arithmetic overflowed; only if that is checked.
    Overflow,
    /// A shift by the width or more; only if that is checked.
    Shift,
    /// A float does not fit the integer that it is converted to; only if that is checked.
    Conversion,
    /// A value that was never assigned decided something; only if that is checked.
    Uninitialized,
    /// A function was called through a pointer to something else, or with other parameters.
    BadCall,
    /// The stack is full.
    StackOverflow,
}

/// A branch that a run took: which one, and which way. The replay of a case is compared with the prediction by these.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turn {
    /// Symbol name of the function.
    pub function: Arc<str>,
    /// Number of the branch among the conditional branches and switches of its function, in order of blocks.
    pub branch: u32,
    /// Which successor: of a conditional branch 0 is the true side; of a switch 0 is the default, then the cases.
    pub side: u32,
}

/// Turns as they are kept in files of our own: a name once, however often a run comes by.
pub mod compact_turns {
    use super::Turn;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    /// Names, and for each turn which name, which branch and which side.
    #[derive(Serialize, Deserialize)]
    struct Compact {
        names: Vec<Arc<str>>,
        turns: Vec<(u32, u32, u32)>,
    }

    /// Writes turns.
    pub fn serialize<S: Serializer>(turns: &[Turn], serializer: S) -> Result<S::Ok, S::Error> {
        let mut compact = Compact { names: Vec::new(), turns: Vec::with_capacity(turns.len()) };
        for turn in turns {
            // A run stays in a function for a while, so the latest names come first.
            let known = compact.names.iter().rposition(|name| *name == turn.function);
            let name = known.unwrap_or_else(|| {
                compact.names.push(turn.function.clone());
                compact.names.len() - 1
            });
            compact.turns.push((name as u32, turn.branch, turn.side));
        }
        compact.serialize(serializer)
    }

    /// Reads turns.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Turn>, D::Error> {
        let Compact { names, turns } = Compact::deserialize(deserializer)?;
        let turn = |(name, branch, side): (u32, u32, u32)| {
            let function = names.get(name as usize).cloned().ok_or_else(|| D::Error::custom("no such name"))?;
            Ok(Turn { function, branch, side })
        };
        turns.into_iter().map(turn).collect()
    }
}
