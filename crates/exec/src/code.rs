//! A function prepared for stepping.
//!
//! Blocks lie one behind the other in one list. Phis are gone: each edge carries the moves that they stand for, done at
//! once. Constants are values, `getelementptr` is a distance plus scaled registers, and every call knows what it calls
//! as far as that can be known.

use crate::models::Model;
use crate::value::{Shape, Value};
use ir::id::{BlockId, FuncId, InstId, LocId, StrId};
use ir::inst::{BinaryOp, CastOp, Flags, Predicate, RmwOp};
use ir::passing::Class;
use rustc_hash::FxHashMap;
use smt::bits::Bits;
use std::sync::Arc;

/// A function prepared for stepping.
#[derive(Debug)]
pub struct Code {
    /// The function.
    pub function: FuncId,
    /// Instructions, block after block.
    pub insts: Vec<Inst>,
    /// Edges between blocks.
    pub edges: Vec<Edge>,
    /// How many registers a call needs; the first ones hold the arguments.
    pub registers: u32,
    /// How many parameters it has.
    pub params: u32,
    /// Whether it takes more arguments than its parameters.
    pub variadic: bool,
    /// For each conditional branch and switch, in order of blocks, the loops that it can leave.
    pub branches: Vec<BranchInfo>,
    /// How many loops it has.
    pub loops: u32,
    /// First instruction of each block.
    pub starts: Vec<u32>,
    /// Arrays that an instruction's pointers were made to lead into, by its position and theirs among its operands.
    pub windows: FxHashMap<u32, Vec<(usize, Window)>>,
}

/// An array of a record that lies differently in the other version.
#[derive(Clone, Debug)]
pub enum Window {
    /// It begins so many bytes behind an address.
    Array {
        /// The address.
        base: Operand,
        /// Distance from there.
        start: i64,
        /// Its bytes.
        bytes: u64,
    },
    /// The one that an argument leads into, if it does.
    Argument(u32),
}

/// What is known of a conditional branch or switch.
#[derive(Clone, Debug, Default)]
pub struct BranchInfo {
    /// The innermost loop that one of its sides leaves while another stays.
    pub leaves: Option<u32>,
    /// Which of its sides stay in that loop.
    pub stays: Vec<bool>,
    /// Position where all its ways meet again, those left out that never come to a return.
    pub join: Option<u32>,
}

/// A prepared instruction.
#[derive(Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// Where its result goes; [`NO_REGISTER`] if it has none.
    pub dest: u32,
    /// The instruction in the model.
    pub id: InstId,
    /// Source location.
    pub loc: Option<LocId>,
}

/// The register of results that nobody reads.
pub const NO_REGISTER: u32 = u32::MAX;

/// An edge between blocks.
#[derive(Debug)]
pub struct Edge {
    /// Block that it leaves.
    pub from: BlockId,
    /// Block that it enters.
    pub to: BlockId,
    /// First instruction there.
    pub target: u32,
    /// What the phis there become, all at once.
    pub moves: Vec<(u32, Operand)>,
    /// Loops that it enters from outside.
    pub enters: Vec<u32>,
}

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A register.
    Reg(u32),
    /// A constant; it holds no term of a pool.
    Const(Value),
    /// A constant of more than 64 bits.
    Wide(Box<Bits>),
    /// A constant aggregate with wide parts, or one that is computed from addresses.
    Many(Box<[Operand]>),
    /// A constant that the model knows by its text only.
    Unsupported(StrId),
}

/// What an instruction does.
#[derive(Debug)]
pub enum Op {
    /// Arithmetic; `shape` is that of the result.
    Binary {
        /// Operation.
        op: BinaryOp,
        /// Flags.
        flags: Flags,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
        /// Shape of operands and result.
        shape: Shape,
    },
    /// Floating-point negation.
    FNeg {
        /// Operand.
        value: Operand,
        /// Shape.
        shape: Shape,
    },
    /// Comparison.
    Compare {
        /// Predicate.
        predicate: Predicate,
        /// Left operand.
        left: Operand,
        /// Right operand.
        right: Operand,
        /// Shape of the operands.
        shape: Shape,
    },
    /// Conversion.
    Cast {
        /// Operation.
        op: CastOp,
        /// Operand.
        value: Operand,
        /// Shape of the operand.
        from: Shape,
        /// Shape of the result.
        to: Shape,
    },
    /// One of two values.
    Select {
        /// Condition, or a vector of them.
        condition: Operand,
        /// Value if true.
        then: Operand,
        /// Value if false.
        otherwise: Operand,
        /// Shape of the values.
        shape: Shape,
    },
    /// The same value, but no longer undefined.
    Freeze {
        /// Operand.
        value: Operand,
        /// Shape.
        shape: Shape,
    },
    /// Reads memory.
    Load {
        /// Address.
        ptr: Operand,
        /// Shape of the value.
        shape: Shape,
        /// Whether something else may have written there.
        volatile: bool,
    },
    /// Writes memory.
    Store {
        /// Address.
        ptr: Operand,
        /// What.
        value: Operand,
        /// Shape of the value.
        shape: Shape,
        /// Whether something else may look.
        volatile: bool,
    },
    /// Address of a part of an object.
    Gep {
        /// Base address.
        base: Operand,
        /// Distance that is known.
        constant: i64,
        /// Indices with the bytes that each is worth.
        terms: Vec<(Operand, i64)>,
        /// Whether it is a record that lies differently in the other version.
        changed: bool,
    },
    /// Stack memory.
    Alloca {
        /// Bytes of an element.
        size: u64,
        /// Number of elements.
        count: Operand,
        /// Alignment in bytes.
        align: u64,
    },
    /// A call.
    Call(Box<Call>),
    /// Reads an element of an aggregate.
    ExtractValue {
        /// Aggregate.
        aggregate: Operand,
        /// Path.
        path: Box<[u32]>,
    },
    /// Replaces an element of an aggregate.
    InsertValue {
        /// Aggregate.
        aggregate: Operand,
        /// Element.
        element: Operand,
        /// Path.
        path: Box<[u32]>,
        /// Shape of the aggregate.
        shape: Shape,
    },
    /// Reads an element of a vector.
    ExtractElement {
        /// Vector.
        vector: Operand,
        /// Position.
        index: Operand,
        /// Shape of the vector.
        shape: Shape,
    },
    /// Replaces an element of a vector.
    InsertElement {
        /// Vector.
        vector: Operand,
        /// Element.
        element: Operand,
        /// Position.
        index: Operand,
        /// Shape of the vector.
        shape: Shape,
    },
    /// Elements of two vectors; `None` is undefined.
    Shuffle {
        /// First vector.
        left: Operand,
        /// Second vector.
        right: Operand,
        /// Positions in both.
        mask: Box<[Option<u32>]>,
        /// Shape of the operands.
        shape: Shape,
    },
    /// Atomic read, modify, write.
    Rmw {
        /// Operation.
        op: RmwOp,
        /// Address.
        ptr: Operand,
        /// Operand.
        value: Operand,
        /// Shape of the value.
        shape: Shape,
    },
    /// Atomic compare and exchange.
    CompareExchange {
        /// Address.
        ptr: Operand,
        /// Expected value.
        expected: Operand,
        /// New value.
        new: Operand,
        /// Shape of the value.
        shape: Shape,
    },
    /// Next variadic argument.
    VaArg {
        /// The list.
        list: Operand,
        /// Shape of the argument.
        shape: Shape,
    },
    /// What is caught.
    LandingPad {
        /// Whether it also cleans up after what it does not handle.
        cleanup: bool,
        /// Clauses in order.
        clauses: Box<[Clause]>,
    },
    /// Nothing.
    Nothing,

    /// Returns.
    Ret(Option<Operand>),
    /// Goes along an edge.
    Br(u32),
    /// Goes along one of two edges.
    CondBr {
        /// Condition.
        condition: Operand,
        /// Edge if true.
        then: u32,
        /// Edge if false.
        otherwise: u32,
        /// Number among the branches.
        branch: u32,
    },
    /// Goes along an edge by a number.
    Switch {
        /// Number.
        value: Operand,
        /// Edge if no case fits.
        default: u32,
        /// Numbers and their edges.
        cases: Vec<(Bits, u32)>,
        /// Number among the branches.
        branch: u32,
        /// Width of the number.
        width: u32,
    },
    /// Goes along an edge by the address of a block.
    IndirectBr {
        /// Address.
        address: Operand,
        /// The addresses of blocks in their function and the edges to them.
        targets: Vec<(u64, u32)>,
    },
    /// A call that may unwind.
    Invoke {
        /// Call.
        call: Box<Call>,
        /// Edge after a return.
        normal: u32,
        /// Edge after an unwind.
        unwind: u32,
    },
    /// Goes on unwinding with what was caught.
    Resume(Operand),
    /// Never reached.
    Unreachable,
    /// Reaching it is an error.
    Unsupported(StrId),
    /// Reaching it is an error: it works on an integer of more than [`MAX_WIDTH`] bits.
    TooWide,
}

/// Most bits of an integer that is computed with. A product of two of these is some 65,000 products of words, a quotient twenty
/// times that: milliseconds, so that whoever looks at the clock between instructions is in time. Numbers of this size
/// are beyond every solver too, unless next to nothing is done with them.
pub const MAX_WIDTH: u32 = 1 << 14;

/// A clause of a landing pad.
#[derive(Debug)]
pub struct Clause {
    /// Whether it handles all but its types.
    pub filter: bool,
    /// Type information, or an array of it for a filter.
    pub types: Operand,
}

/// A prepared call.
#[derive(Debug)]
pub struct Call {
    /// What is called.
    pub target: Target,
    /// Arguments.
    pub args: Vec<Operand>,
    /// Shapes of the arguments.
    pub shapes: Vec<Shape>,
    /// Size and alignment of arguments that are copies of memory (`byval`).
    pub copies: Vec<Option<(u64, u64)>>,
    /// Shape of the result.
    pub result: Shape,
    /// How arguments and result are passed.
    pub passing: Arc<[Class]>,
    /// Whether the callee is said never to return.
    pub no_return: bool,
}

/// What a call calls.
#[derive(Clone, Debug)]
pub enum Target {
    /// A function with code.
    Code(FuncId),
    /// A function whose behaviour is known.
    Model(FuncId, Model),
    /// A function of which only the declaration is known.
    Outside(FuncId),
    /// Whatever the pointer leads to.
    Pointer(Operand),
    /// Assembly.
    Unsupported(StrId),
}

impl Op {
    /// Calls `visit` with every register that the instruction reads, the arguments of calls included.
    pub fn for_each_register(&self, mut visit: impl FnMut(u32)) {
        let mut one = |operand: &Operand| operand.for_each(&mut visit);
        match self {
            Op::Binary { left, right, .. } | Op::Compare { left, right, .. } | Op::Shuffle { left, right, .. } => {
                one(left);
                one(right);
            }
            Op::FNeg { value, .. } | Op::Cast { value, .. } | Op::Freeze { value, .. } | Op::Switch { value, .. } => {
                one(value);
            }
            Op::Select { condition, then, otherwise, .. } => {
                one(condition);
                one(then);
                one(otherwise);
            }
            Op::Load { ptr, .. } => one(ptr),
            Op::Store { ptr, value, .. } | Op::Rmw { ptr, value, .. } => {
                one(ptr);
                one(value);
            }
            Op::Gep { base, terms, .. } => {
                one(base);
                terms.iter().for_each(|(index, _)| one(index));
            }
            Op::Alloca { count, .. } => one(count),
            Op::Call(call) | Op::Invoke { call, .. } => {
                if let Target::Pointer(operand) = &call.target {
                    one(operand);
                }
                call.args.iter().for_each(one);
            }
            Op::ExtractValue { aggregate, .. } => one(aggregate),
            Op::InsertValue { aggregate, element, .. } => {
                one(aggregate);
                one(element);
            }
            Op::ExtractElement { vector, index, .. } => {
                one(vector);
                one(index);
            }
            Op::InsertElement { vector, element, index, .. } => {
                one(vector);
                one(element);
                one(index);
            }
            Op::CompareExchange { ptr, expected, new, .. } => {
                one(ptr);
                one(expected);
                one(new);
            }
            Op::VaArg { list, .. } => one(list),
            Op::Ret(value) => value.iter().for_each(one),
            Op::CondBr { condition, .. } => one(condition),
            Op::IndirectBr { address, .. } => one(address),
            Op::Resume(operand) => one(operand),
            Op::LandingPad { .. } | Op::Nothing | Op::Br(_) | Op::Unreachable | Op::Unsupported(_) | Op::TooWide => {}
        }
    }

    /// The edges that control may follow from here, in order.
    pub fn edges(&self) -> Vec<u32> {
        match self {
            Op::Br(edge) => vec![*edge],
            Op::CondBr { then, otherwise, .. } => vec![*then, *otherwise],
            Op::Switch { default, cases, .. } => {
                std::iter::once(*default).chain(cases.iter().map(|(_, edge)| *edge)).collect()
            }
            Op::IndirectBr { targets, .. } => targets.iter().map(|(_, edge)| *edge).collect(),
            Op::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
            _ => Vec::new(),
        }
    }
}

impl Operand {
    /// Calls `visit` with every register in it.
    pub(crate) fn for_each(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Operand::Reg(register) => visit(*register),
            Operand::Many(parts) => parts.iter().for_each(|part| part.for_each(visit)),
            Operand::Const(_) | Operand::Wide(_) | Operand::Unsupported(_) => {}
        }
    }
}
