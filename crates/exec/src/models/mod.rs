//! What runs in place of functions that the program only declares: the C library, the Rust runtime, intrinsics.
//!
//! A model is an ordinary function in one table. It obeys the rule of [`Run`]: ask first, change the state afterwards,
//! for it is run again after each answer.

mod alloc;
pub mod cpp;
mod ctype;
mod errors;
mod float_text;
mod format;
mod globals;
pub mod harness;
mod input;
mod intrinsics;
mod jumps;
pub(crate) mod library;
pub(crate) mod list;
pub mod math;
mod numbers;
pub mod prelude;
mod print;
mod process;
pub mod rust;
mod scan;
mod search;
mod stdlib;
pub mod streams;
mod string;
mod text;

pub(crate) use globals::library_global;
pub use library::Library;

use crate::run::Run;
use crate::state::Stop;
use crate::value::{Pointer, Shape, Value};
use ir::attrs::{Attr, AttrFlag, MemoryEffects};
use ir::id::FuncId;
use ir::module::Module;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::expr::Expr;

/// What runs in place of a function.
#[derive(Clone, Copy)]
pub struct Model {
    /// Name in the table.
    pub name: &'static str,
    /// What it does.
    pub run: fn(&mut Run, &Arguments) -> Result<Reply, Stop>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// What a model is called with.
pub struct Arguments<'a> {
    /// The function as the program declares it.
    pub function: FuncId,
    /// Arguments.
    pub values: &'a [Value],
    /// Their shapes.
    pub shapes: &'a [Shape],
    /// Shape of the result.
    pub result: &'a Shape,
}

/// How a model ends.
#[derive(Clone, Debug)]
pub enum Reply {
    /// It returns nothing.
    Nothing,
    /// It returns a value.
    Value(Value),
    /// It throws.
    Unwind(Value),
    /// It changed which call runs, and where.
    Jump,
    /// Nothing is known of what it was given: it is a function of the outside as any other.
    Outside,
    /// It calls a function of the program, whose result is its own.
    Call {
        /// Pointer to the function.
        callee: Value,
        /// Arguments.
        args: Vec<Value>,
        /// Their shapes.
        shapes: Vec<Shape>,
    },
}

impl Arguments<'_> {
    /// An argument; one that is missing is undefined.
    pub fn value(&self, index: usize) -> Value {
        self.values.get(index).cloned().unwrap_or(Value::Undef)
    }

    /// An argument as a pointer.
    pub fn pointer(&self, run: &mut Run, index: usize) -> Result<Pointer, Stop> {
        run.pointer(&self.value(index))
    }

    /// An argument as bits of the width that the call gives it.
    pub fn bits(&self, run: &mut Run, index: usize) -> Result<Expr, Stop> {
        let width = self.shapes.get(index).and_then(Shape::bits).unwrap_or(64);
        run.bits(&self.value(index), width)
    }

    /// Width of the result in bits; 0 if there is none.
    pub fn result_bits(&self) -> u32 {
        self.result.bits().unwrap_or(0)
    }
}

/// Which model functions of a module have: those that are only declared, and few others.
pub struct Table {
    by_function: FxHashMap<FuncId, Model>,
    /// Mathematical functions that may set `errno`.
    setting_errno: FxHashSet<FuncId>,
}

impl Table {
    /// Finds the models of a module's declarations.
    pub fn new(module: &Module) -> Table {
        let known: FxHashMap<&str, Model> = all().map(|model| (model.name, model)).collect();
        let mut by_function = FxHashMap::default();
        for (id, function) in module.functions.iter_ids() {
            let name = module.function_name(id);
            if function.is_defined() {
                by_function.extend(instead_of(name).map(|model| (id, model)));
                continue;
            }
            if let Some(model) = find(&known, name)
                .or_else(|| harness::find(name))
                .or_else(|| cpp::find(name))
                .or_else(|| rust::find(&known, module, id))
            {
                by_function.insert(id, model);
            }
        }
        let setting_errno = by_function.keys().copied().filter(|&id| {
            let attrs = &module.attrs[module.functions[id].attrs];
            let is_pure = attrs.has(AttrFlag::ReadNone) || attrs.0.contains(&Attr::Memory(MemoryEffects::None));
            math::may_set_errno(module.function_name(id)) && !is_pure
        });
        Table { setting_errno: setting_errno.collect(), by_function }
    }

    /// Whether a function is one of the mathematical library that may set `errno`.
    pub fn sets_errno(&self, id: FuncId) -> bool {
        self.setting_errno.contains(&id)
    }

    /// The model of a function.
    pub fn get(&self, id: FuncId) -> Option<Model> {
        self.by_function.get(&id).copied()
    }
}

/// The model that takes the place of a function with code.
pub fn instead_of(name: &str) -> Option<Model> {
    rust::checks::instead_of(name).or_else(|| cpp::instead_of(name))
}

/// Every model.
pub fn all() -> impl Iterator<Item = Model> {
    let library = [
        alloc::MODELS,
        ctype::MODELS,
        errors::MODELS,
        harness::MODELS,
        input::MODELS,
        jumps::MODELS,
        print::MODELS,
        process::MODELS,
        scan::MODELS,
        search::MODELS,
        stdlib::MODELS,
        string::MODELS,
    ];
    intrinsics::models()
        .chain(math::models())
        .chain(rust::models())
        .chain(cpp::models())
        .chain(library.into_iter().flatten().copied())
}

/// The model of a symbol: by its name, or by the family of an intrinsic.
fn find(known: &FxHashMap<&str, Model>, name: &str) -> Option<Model> {
    if let Some(model) = known.get(name) {
        return Some(*model);
    }
    if name.starts_with("llvm.") {
        // `llvm.memcpy.p0.p0.i64` is of the family `llvm.memcpy`.
        let mut family = name;
        while let Some((shorter, _)) = family.rsplit_once('.') {
            if let Some(model) = known.get(shorter) {
                return Some(*model);
            }
            family = shorter;
        }
        return None;
    }
    None
}
