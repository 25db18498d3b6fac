//! A running program between two instructions, and why it stopped there.

use crate::case::FaultKind;
use crate::code::Code;
use crate::inputs::InputId;
use crate::list::List;
use crate::memory::Memory;
use crate::outside::LastCall;
use crate::value::{ObjectId, Shape, Value};
use crate::windows::Region;
use evidence::{Assumption, Gap, Limit};
use fixedbitset::FixedBitSet;
use ir::id::{BlockId, FuncId, Id, InstId, LocId};
use ir::passing::Class;
use smallvec::SmallVec;
use smt::expr::Expr;
use std::rc::Rc;
use std::sync::Arc;

/// A running program. Cheap to copy: everything large is shared until it is written.
#[derive(Clone)]
pub struct State {
    /// Calls that have not returned, the entry first.
    pub frames: Vec<Rc<Frame>>,
    /// Memory.
    pub memory: Memory,
    /// What was done to the outside, in order.
    pub effects: List<Effect>,
    /// Calls of functions that are not entered because both versions of a program share them.
    pub shared: List<SharedCall>,
    /// What is specific to the C library: open files, the position in standard input, the random seed.
    pub library: Rc<crate::models::Library>,
    /// Answers to the questions of the current instruction, which is run again after each.
    pub(crate) answers: SmallVec<[(Question, u32); 2]>,
    /// The question that is to be answered.
    pub(crate) question: Option<Question>,
    /// Symbols for values that were never assigned, made by the current instruction: it finds them when it is run again.
    pub(crate) fresh: SmallVec<[Expr; 2]>,
    /// How many of them the current run of the instruction has used.
    pub(crate) fresh_used: usize,
    /// How many instructions were executed.
    pub steps: u64,
    /// Things that the outcome depends on beyond its inputs.
    pub remarks: Rc<Vec<Remark>>,
    /// What a landing pad is given: the exception, and which clause handles it.
    pub(crate) unwinding: Option<Value>,
    /// Exceptions that exist.
    pub exceptions: Rc<crate::models::cpp::Exceptions>,
    /// Turns at branches, if they are recorded.
    pub turns: List<Turn>,
    /// Scalars of the input that were looked at: object and distance.
    pub leaves: List<(InputId, u64)>,
    /// Whether turns are recorded.
    pub record_turns: bool,
    /// Blocks that were entered, if they are recorded.
    pub visits: List<Visit>,
    /// Whether blocks that are entered are recorded.
    pub record_visits: bool,
    /// Conditions of selects that are watched, in the order in which they were run.
    pub selected: List<((FuncId, InstId), Expr)>,
    /// Blocks that somebody waits for, of each function by its number.
    pub watched: Option<Arc<Vec<FixedBitSet>>>,
    /// Those of them that were entered.
    pub sightings: List<Sighting>,
    /// Where to stop: the number of calls that have not returned, and the position in the running one.
    pub(crate) until: Option<(usize, u32)>,
    /// Heads of loops of the entry at which to stop as well, once something was executed.
    pub heads: Option<Rc<[u32]>>,
    /// What depended on what, if it is recorded.
    pub recorder: Option<Box<crate::record::Recorder>>,
    /// The entry, before its arguments are made.
    pub(crate) entry: Option<crate::entry::Entry>,
    /// Arguments of the entry.
    pub args: Rc<[Value]>,
    /// Objects of the input that exist in this state.
    pub inputs: Rc<Vec<(InputId, ObjectId)>>,
    /// Whether it is a run of the old one of two versions.
    pub old: bool,
    /// Whether a pointer of the input was found to be another one than the address of something that it could lead to.
    pub told_apart: bool,
    /// Whether the program asked if memory was allocated, which it always is here.
    pub asked_for_memory: bool,
    /// Blocks in which it asked, if blocks that are entered are recorded.
    pub asked_in: List<(FuncId, BlockId)>,
    /// Whether the C library allocated memory, which it may fail to do.
    pub allocated: bool,
    /// Whether a check ended the run that only builds for debugging have.
    pub debug_check: bool,
    /// Whether the program asked at which multiple something lies whose address could be another one.
    pub asked_for_alignment: bool,
    /// The last call that may have changed memory that it was not given.
    pub last_call: Option<LastCall>,
    /// Whether a call to the outside may have used memory that is not followed there.
    pub unfollowed: bool,
}

/// What tells a question from the others of an instruction. An answer belongs to its question, not to its number among
/// the questions: what one run of an instruction found out, the next one may no longer need to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub first: Option<Expr>,
    pub last: Option<Expr>,
    pub count: usize,
}

/// A turn at a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Function.
    pub function: FuncId,
    /// Number of the branch in its function.
    pub branch: u32,
    /// Which successor.
    pub side: u32,
}

/// A block that was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Function.
    pub function: FuncId,
    /// Block.
    pub block: BlockId,
    /// The block before it in the function; `None` if the function begins there, or several ways lead there at once.
    pub from: Option<BlockId>,
    /// How many calls had not returned then, this one included.
    pub depth: u32,
    /// The call that it belongs to, in the function that made it; `None` for the entry.
    pub call: Option<InstId>,
}

/// A block that somebody waited for and that was entered.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// Block.
    pub block: BlockId,
    /// The calls that had not returned, the entry first: the function, and the instruction that it was at.
    pub calls: SmallVec<[(FuncId, Option<InstId>); 6]>,
}

/// A call that has not returned.
#[derive(Clone)]
pub struct Frame {
    /// Its function.
    pub code: Arc<Code>,
    /// Next instruction.
    pub at: u32,
    /// Registers.
    pub registers: Vec<Value>,
    /// Stack memory to end on return.
    pub stack: Vec<ObjectId>,
    /// Arguments beyond the parameters.
    pub varargs: Rc<[VarArg]>,
    /// Rounds of each loop that were the program's choice since the loop was entered.
    pub rounds: SmallVec<[u32; 4]>,
    /// What the caller does with the result.
    pub on_return: OnReturn,
    /// Where its arguments may lead; empty if they may lead anywhere.
    pub windows: Vec<Option<Region>>,
}

/// An argument beyond the parameters.
#[derive(Clone, Debug)]
pub struct VarArg {
    /// Value; a pointer to the memory for an argument that is a copy of memory.
    pub value: Value,
    /// Shape of the value.
    pub shape: Shape,
    /// Size and alignment of the memory that is copied.
    pub copy: Option<(u64, u64)>,
}

/// What a caller does with a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnReturn {
    /// Writes it to a register and goes on behind the call.
    Next(u32),
    /// Writes it to a register and goes along an edge: an `invoke`.
    Edge {
        /// Register.
        dest: u32,
        /// Edge after a return.
        normal: u32,
        /// Edge after an unwind.
        unwind: u32,
    },
    /// Goes on where it stands: a constructor that runs before the entry.
    Nothing,
    /// Ends the run: the entry.
    End,
}

/// Something that was done to the outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Bytes were written to a stream or file: 1 is standard output, 2 standard error.
    Output {
        /// Number of the stream.
        stream: u32,
        /// Bytes, each of 8 bits.
        bytes: Rc<[Expr]>,
    },
    /// A function outside of the program was called.
    Call {
        /// Symbol name of the function.
        function: Rc<str>,
        /// How arguments and result are passed; empty where a model took the place of the function.
        passing: Arc<[Class]>,
        /// Arguments.
        args: Rc<[Value]>,
        /// Memory as it was then: pointers among the arguments lead into it.
        given: Given,
        /// What it returned.
        result: Option<Value>,
        /// Memory that it may have written.
        written: Rc<[Written]>,
        /// Where.
        at: Option<LocId>,
    },
    /// Something was written whose bytes are not known, such as a formatted float of unknown value; equal texts are
    /// written for equal arguments.
    Opaque {
        /// Number of the stream.
        stream: u32,
        /// What wrote it, such as a format.
        what: Rc<str>,
        /// What it depends on.
        args: Rc<[Expr]>,
    },
}

impl Effect {
    /// The stream of what is written nowhere: calls that are told, and that change nothing here.
    pub const NOWHERE: u32 = u32::MAX;
}

/// A call of a function that is not entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCall {
    /// The function that stands for those of both versions.
    pub function: FuncId,
    /// Arguments.
    pub args: Rc<[Expr]>,
    /// How many effects there were before.
    pub effects: usize,
}

/// Memory at the time of a call. It is no part of what makes calls the same: that depends on what they lead to.
#[derive(Clone)]
pub struct Given {
    /// All objects.
    pub memory: Memory,
    /// Objects of the input among them.
    pub inputs: Rc<Vec<(InputId, ObjectId)>>,
    /// The call before, if it may have changed memory that it was not given.
    pub last_call: Option<LastCall>,
}

impl PartialEq for Given {
    fn eq(&self, _: &Given) -> bool {
        true
    }
}

impl std::fmt::Debug for Given {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "memory of {} objects", self.memory.len())
    }
}

/// Something that an outcome depends on beyond its inputs, or that limits what it says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Remark {
    /// What.
    pub kind: RemarkKind,
    /// Where.
    pub at: Option<LocId>,
}

/// Kinds of remarks.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RemarkKind {
    /// The program looked at the address of an object.
    Address,
    /// A value that was never assigned was used.
    Uninitialized,
    /// A function outside of the program was called, of which nothing is known.
    Outside(String),
    /// A function is only known approximately here, and why.
    Approximate(String),
    /// A function's result is taken to be any value, the same for the same arguments.
    AnyResult(String),
}

/// Why a state stopped.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It has to be told which way to go: exactly one of the conditions holds.
    Choose(Choice),
    /// The run is over.
    End(End),
    /// The number of instructions that it was to execute is used up.
    Paused,
    /// It came to where it was to stop.
    Arrived,
}

/// A question: which of several conditions holds. They exclude each other and one of them does.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The conditions.
    pub conditions: SmallVec<[Expr; 2]>,
    /// What the question is about.
    pub kind: ChoiceKind,
    /// Function.
    pub function: FuncId,
    /// Instruction.
    pub inst: InstId,
    /// Where.
    pub at: Option<LocId>,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceKind {
    /// A branch of the program.
    Branch {
        /// Its number in its function.
        branch: u32,
    },
    /// Whether something goes well (0) or is a fault (1).
    Check(FaultKind),
    /// Which of several values something has, where the program does not say `if`: a null pointer, a length.
    Value,
    /// What every valid input fulfils: only the first condition is to be looked at.
    Assume,
}

impl End {
    /// Whether the engine could not go on, whatever the program would have done.
    pub fn is_limit(&self) -> bool {
        matches!(self, End::Bound { .. } | End::Scope { .. } | End::Unsupported { .. })
    }

    /// Where, if it is no regular end.
    pub fn at(&self) -> Option<LocId> {
        match self {
            End::Fault { at, .. } | End::Scope { at, .. } | End::Bound { at, .. } | End::Unsupported { at, .. } => *at,
            End::Returned(_) | End::Exited(_) | End::Left => None,
        }
    }

    /// Why the engine could not go on, if it could not.
    pub fn gap(&self) -> Option<Gap> {
        match self {
            End::Scope { what, .. } => Some(Gap::OutOfScope { bound: what.clone() }),
            End::Bound { what, .. } => Some(Gap::Bound { limit: what.clone() }),
            End::Unsupported { what, .. } => Some(Gap::Unsupported { what: what.clone() }),
            _ => None,
        }
    }
}

/// Memory that a function outside of the program may have written.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// Position of the argument that leads there.
    pub argument: u32,
    /// What it holds since then.
    pub source: InputId,
    /// Its size in bytes.
    pub size: Expr,
    /// Distance from where the argument leads to, to its beginning.
    pub distance: Expr,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub enum End {
    /// The entry returned.
    Returned(Option<Value>),
    /// The program ended itself.
    Exited(Expr),
    /// A fault.
    Fault {
        /// What.
        kind: FaultKind,
        /// More about it: the message of a panic, the object.
        detail: String,
        /// Where.
        at: Option<LocId>,
    },
    /// Larger inputs than are looked at: the run is out of scope.
    Scope {
        /// What of the input is too small.
        what: Assumption,
        /// Whether memory before the beginning of an input was asked for, which no larger input has.
        before: bool,
        /// Where.
        at: Option<LocId>,
    },
    /// A limit on work.
    Bound {
        /// Which limit.
        what: Limit,
        /// Where.
        at: Option<LocId>,
    },
    /// Something that cannot be executed.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        at: Option<LocId>,
    },
    /// Whoever drives the run needs no more of it.
    Left,
}

impl State {
    /// The running call.
    pub fn top(&self) -> Option<&Frame> {
        self.frames.last().map(|frame| &**frame)
    }

    /// The running call, to be changed.
    pub(crate) fn top_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut().map(Rc::make_mut)
    }

    /// Answers the question that the state stopped with.
    pub fn answer(&mut self, alternative: u32) {
        if let Some(question) = self.question.take() {
            self.answers.push((question, alternative));
            self.record_decision();
        }
    }

    /// Tells the recorder that the running instruction needed to know something.
    pub(crate) fn record_decision(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.decision();
        }
    }

    /// How many calls to the outside there were.
    pub(crate) fn outside_calls(&self) -> u64 {
        self.effects.iter_back().filter(|effect| matches!(effect, Effect::Call { .. })).count() as u64
    }

    /// Memory as it is now.
    pub(crate) fn given(&self) -> Given {
        Given { memory: self.memory.clone(), inputs: self.inputs.clone(), last_call: self.last_call.clone() }
    }

    /// Forgets questions of the current instruction and their answers.
    pub(crate) fn forget_questions(&mut self) {
        self.answers.clear();
        self.question = None;
        self.fresh.clear();
    }

    /// Whether it is where it was to stop.
    pub(crate) fn has_arrived(&self) -> bool {
        let is_at = |depth: usize, at: &[u32]| {
            self.frames.len() == depth && self.frames.last().is_some_and(|frame| at.contains(&frame.at))
        };
        self.until.is_some_and(|(depth, at)| is_at(depth, &[at]))
            || self.heads.as_ref().is_some_and(|heads| self.steps > 0 && is_at(1, heads))
    }

    /// Records that a block is entered.
    pub(crate) fn visit(&mut self, function: FuncId, block: BlockId, from: Option<BlockId>) {
        if self.record_visits {
            let caller = self.frames.len().checked_sub(2).and_then(|index| self.frames.get(index));
            let call = caller.and_then(|frame| Some(frame.code.insts.get(frame.at as usize)?.id));
            self.visits.push(Visit { function, block, from, depth: self.frames.len() as u32, call });
        }
        let is_watched = |watched: &Arc<Vec<FixedBitSet>>| {
            watched.get(function.index()).is_some_and(|blocks| blocks.contains(block.index()))
        };
        if self.watched.as_ref().is_some_and(is_watched) {
            let call =
                |frame: &Rc<Frame>| (frame.code.function, frame.code.insts.get(frame.at as usize).map(|inst| inst.id));
            self.sightings.push(Sighting { block, calls: self.frames.iter().map(call).collect() });
        }
    }

    /// Counts a round of a loop of the running call that was the program's choice, and says how many there were since the
    /// loop was entered.
    pub fn count_round(&mut self, inner: u32) -> u32 {
        let Some(rounds) = self.top_mut().and_then(|frame| frame.rounds.get_mut(inner as usize)) else { return 0 };
        *rounds += 1;
        *rounds
    }

    /// Adds a remark, once.
    pub fn remark(&mut self, kind: RemarkKind, at: Option<LocId>) {
        let remark = Remark { kind, at };
        if !self.remarks.contains(&remark) {
            Rc::make_mut(&mut self.remarks).push(remark);
        }
    }
}
