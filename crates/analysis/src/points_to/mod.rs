//! What pointers may point to, for a whole module: inclusion-based (L. O. Andersen: "Program Analysis and Specialization
//! for the C Programming Language", 1994), blind to the order of execution and to contexts, aware of fields.
//!
//! - *Objects* are variables, functions, stack and heap memory by the instruction that makes it, and two that stand for
//!   everything else: `Outside`, memory that code outside of the module has or may get hold of, and `World`, the state
//!   of the machine and of libraries, which only functions without a body touch.
//! - A *target* is an object and a distance from its start, or any distance once an index is unknown.
//! - The *outside* is implicit: a pointer from outside is marked instead of having all escaped objects as targets, and a
//!   pointer that goes outside is marked instead of being copied there. So sets stay small however much escapes.
//! - Numbers carry pointers through copies and, where they are as wide as one, through arithmetic. A pointer that is
//!   computed from narrower numbers is one from outside.
//!
//! `constraints` turns the module into constraints, `solver` solves them.

mod constraints;
mod solver;

use crate::externals::External;
use crate::id::ObjectId;
use ir::id::{Arena, ConstId, FuncId, GlobalId, Id, InstId};
use ir::inst::Value;
use ir::module::Module;
use rustc_hash::FxHashMap;

/// Who may call the module's functions, and see its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Anyone: every function may be the one to begin with, and all that is visible outside may be used there.
    Library,
    /// Nobody: the program begins with these functions, and nothing outside knows any other symbol.
    Program(Vec<FuncId>),
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    /// Memory that code outside of the module has, or may get hold of.
    Outside,
    /// The state of the machine and of libraries.
    World,
    /// A global variable.
    Global(GlobalId),
    /// A function.
    Function(FuncId),
    /// Stack memory made by an instruction.
    Stack(FuncId, InstId),
    /// Heap memory made by a call.
    Heap(FuncId, InstId),
    /// The variadic arguments of a function.
    Variadic(FuncId),
}

/// An abstract object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its size in bytes, if it is known.
    pub size: Option<u64>,
    /// Whether it never changes.
    pub constant: bool,
    /// Whether pointers from outside may point to it.
    pub escapes: bool,
    /// Whether it is stack memory that only instructions of its function point to, no parameter and no memory: nobody
    /// but the call that made it has it, however often the function is active.
    pub private: bool,
}

/// What a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// Object.
    pub object: ObjectId,
    /// Distance from its start in bytes; `None` if it may be any.
    pub offset: Option<i64>,
}

/// What the pointers of a module may point to.
#[derive(Clone, Debug)]
pub struct PointsTo {
    /// Objects; the first one is the outside, the second one the world.
    pub objects: Arena<ObjectId, Object>,
    /// Distinct sets of targets, each sorted; the first one is empty.
    sets: Vec<Box<[Target]>>,
    /// For each function where the sets of its parameters and then of its instructions begin.
    starts: Vec<usize>,
    /// The set of each value.
    of_value: Vec<u32>,
    of_const: FxHashMap<ConstId, u32>,
    params: Vec<usize>,
}

/// The object that stands for memory outside of the module.
pub const OUTSIDE: ObjectId = ObjectId::new(0);
/// The object that stands for the state of the machine and of libraries.
pub const WORLD: ObjectId = ObjectId::new(1);

/// Computes what the pointers of a module may point to.
pub fn points_to(module: &Module, externals: &Arena<FuncId, Option<External>>, scope: &Scope) -> PointsTo {
    constraints::generate(module, externals, scope).solve()
}

impl PointsTo {
    /// What a value of a function may point to, sorted. Nothing for one that points nowhere: null, or a number. A pointer
    /// to the outside may also point to every object that escapes.
    pub fn of(&self, function: FuncId, value: Value) -> &[Target] {
        let set = match value {
            Value::Inst(id) => {
                let at = self.starts[function.index()] + self.params[function.index()] + id.index();
                self.of_value.get(at).copied()
            }
            Value::Arg(index) => self.of_value.get(self.starts[function.index()] + index as usize).copied(),
            Value::Const(id) => self.of_const.get(&id).copied(),
        };
        set.and_then(|set| self.sets.get(set as usize)).map_or(&[], |set| set)
    }

    /// Whether two objects may be the same memory.
    pub fn may_be_same(&self, a: ObjectId, b: ObjectId) -> bool {
        a == b || a == OUTSIDE && self.objects[b].escapes || b == OUTSIDE && self.objects[a].escapes
    }
}
