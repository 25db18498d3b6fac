//! Who has to do with the floating-point state of a thread: how results are rounded, whether small ones are flushed to zero,
//! and which exceptions were raised.
//!
//! The state is no memory and no input. A program that never changes or reads it computes under the one that it starts
//! with. In any other program what an operation results in depends on what was called before, and every operation leaves
//! flags behind that others may test.

use ir::attrs::{Attr, AttrFlag, AttrSet};
use ir::constant::ConstKind;
use ir::id::{Arena, FuncId, TypeId};
use ir::inst::{BinaryOp, Call, Callee, CastOp, InstKind, Predicate, Value};
use ir::module::Module;
use ir::types::Type;

/// How some code takes part in the floating-point state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FloatUse {
    /// It may change how others compute, or which exceptions count as raised, other than by computing.
    pub changes: bool,
    /// It may ask for the state.
    pub reads: bool,
    /// It computes with floats: what comes of that depends on the state, and may raise exceptions.
    pub computes: bool,
}

impl FloatUse {
    /// What either does.
    pub fn join(self, other: FloatUse) -> FloatUse {
        FloatUse {
            changes: self.changes | other.changes,
            reads: self.reads | other.reads,
            computes: self.computes | other.computes,
        }
    }

    /// Whether it does more than compute as every program does.
    pub fn touches(self) -> bool {
        self.changes || self.reads
    }

    /// Whether it has to do with the state at all.
    pub fn is_any(self) -> bool {
        self.touches() || self.computes
    }
}

/// How a program takes part in the floating-point state.
#[derive(Clone, Debug, Default)]
pub struct FloatState {
    /// What each function does by itself, without those that it calls; of one without a body what is known of it.
    pub of: Arena<FuncId, FloatUse>,
    /// What the program does as a whole.
    pub whole: FloatUse,
}

impl FloatState {
    /// Looks at all functions of a program.
    pub fn new(module: &Module) -> FloatState {
        let of: Arena<FuncId, FloatUse> = module.functions.ids().map(|id| float_use(module, id)).collect();
        let assembly = module.assembly.iter().map(|&line| of_assembly(module.str(line)));
        let whole = of.iter().copied().chain(assembly).fold(FloatUse::default(), FloatUse::join);
        FloatState { of, whole }
    }

    /// Whether what comes of some functions may depend on the state, or others may notice what they leave there: in a program
    /// that never touches it, none does.
    pub fn concerns(&self, functions: impl Iterator<Item = FuncId>) -> bool {
        self.whole.touches() && functions.map(|id| self.of[id]).fold(FloatUse::default(), FloatUse::join).is_any()
    }
}

/// Functions of libraries that change the state.
const CHANGING: [&str; 21] = [
    "fesetround",
    "feclearexcept",
    "feraiseexcept",
    "fesetexcept",
    "fesetexceptflag",
    "feholdexcept",
    "feupdateenv",
    "fesetenv",
    "fesetmode",
    "feenableexcept",
    "fedisableexcept",
    "__setfpucw",
    "_controlfp",
    "_controlfp_s",
    "_control87",
    "_clearfp",
    "_clear87",
    "_fpreset",
    "fpsetround",
    "fpsetmask",
    "fpsetsticky",
];

/// Functions of libraries that ask for it.
const READING: [&str; 11] = [
    "fegetround",
    "fetestexcept",
    "fetestexceptflag",
    "fegetexcept",
    "fegetexceptflag",
    "fegetenv",
    "fegetmode",
    "__flt_rounds",
    "_statusfp",
    "_status87",
    "fpgetround",
];

/// How the names of intrinsics begin that change it, and that ask for it, behind `llvm.`.
const CHANGING_INTRINSICS: [&str; 7] =
    ["set.rounding", "set.fpenv", "reset.fpenv", "set.fpmode", "reset.fpmode", "x86.sse.ldmxcsr", "aarch64.set.fpcr"];
const READING_INTRINSICS: [&str; 6] =
    ["get.rounding", "get.fpenv", "get.fpmode", "flt.rounds", "x86.sse.stmxcsr", "aarch64.get.fpcr"];

/// Instructions of assembly that change the state, and that ask for it.
const CHANGING_INSTRUCTIONS: [&str; 12] = [
    "fldcw", "ldmxcsr", "fldenv", "finit", "fninit", "fclex", "fnclex", "frstor", "fxrstor", "xrstor", "msr fpcr",
    "msr fpsr",
];
const READING_INSTRUCTIONS: [&str; 10] =
    ["stcw", "stmxcsr", "fstsw", "fnstsw", "stenv", "fsave", "fxsave", "xsave", "fpcr", "fpsr"];

/// What a function does by itself.
fn float_use(module: &Module, id: FuncId) -> FloatUse {
    let function = &module.functions[id];
    if !function.is_defined() {
        return of_outside(module.function_name(id));
    }
    let mut found = FloatUse { reads: has_other_mode(module, &module.attrs[function.attrs]), ..FloatUse::default() };
    for (_, _, inst) in function.body() {
        found = found.join(match &inst.kind {
            InstKind::Binary { op, .. } => FloatUse { computes: is_float(*op), ..FloatUse::default() },
            InstKind::Cast { op, .. } => FloatUse { computes: converts(*op), ..FloatUse::default() },
            InstKind::Compare { predicate: Predicate::Float(_), .. } => {
                FloatUse { computes: true, ..FloatUse::default() }
            }
            kind => {
                let is_outside = module.called_function(kind).is_some_and(|id| !module.functions[id].is_defined());
                let mut floats = has_floats(module, inst.ty);
                kind.for_each_operand(|value| floats |= has_floats(module, module.type_of(function, value)));
                // Functions of libraries compute with floats that they are given or return.
                let computes = is_outside && floats;
                let of_itself = kind.call().map_or(FloatUse::default(), |call| of_call(module, call));
                of_itself.join(FloatUse { computes, ..FloatUse::default() })
            }
        });
    }
    found
}

fn is_float(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem)
}

fn converts(op: CastOp) -> bool {
    matches!(op, CastOp::FpTrunc | CastOp::FpExt | CastOp::FpToUi | CastOp::FpToSi | CastOp::UiToFp | CastOp::SiToFp)
}

/// What a call does of itself: who is called has facts of its own.
fn of_call(module: &Module, call: &Call) -> FloatUse {
    match call.callee {
        Callee::Asm(text) => of_assembly(module.str(text)),
        Callee::Value(_) => {
            let reads = call.args.iter().any(|arg| asks_for_state(module, *arg));
            FloatUse { reads, ..FloatUse::default() }
        }
    }
}

fn has_floats(module: &Module, ty: TypeId) -> bool {
    match module.types.resolve(ty) {
        Type::Float(_) => true,
        Type::Vector { element, .. } => matches!(module.types.resolve(*element), Type::Float(_)),
        _ => false,
    }
}

/// Whether metadata of a constrained operation says that the state matters to it.
fn asks_for_state(module: &Module, arg: Value) -> bool {
    let Value::Const(id) = arg else { return false };
    let ConstKind::Metadata(text) = module.consts[id].kind else { return false };
    let text = module.str(text);
    text.contains("round.dynamic") || text.contains("fpexcept.strict")
}

fn of_outside(name: &str) -> FloatUse {
    let (changes, reads) = match name.strip_prefix("llvm.") {
        Some(intrinsic) => {
            let is_one = |starts: &[&str]| starts.iter().any(|start| intrinsic.starts_with(start));
            (is_one(&CHANGING_INTRINSICS), is_one(&READING_INTRINSICS))
        }
        None => (CHANGING.contains(&name), READING.contains(&name)),
    };
    FloatUse { changes, reads, computes: false }
}

/// What assembly does, in any of its dialects.
fn of_assembly(text: &str) -> FloatUse {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    FloatUse { changes: has(&CHANGING_INSTRUCTIONS), reads: has(&READING_INSTRUCTIONS), computes: false }
}

/// Whether a function was compiled for a state that others set up: one in which small numbers are zero, or any at all.
fn has_other_mode(module: &Module, attrs: &AttrSet) -> bool {
    let flushes = |attr: &Attr| match attr {
        Attr::Text(key, Some(value)) => {
            module.str(*key).starts_with("denormal-fp-math") && !module.str(*value).starts_with("ieee")
        }
        _ => false,
    };
    attrs.has(AttrFlag::StrictFp) || attrs.0.iter().any(flushes)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[track_caller]
    fn check(text: &str, changes: bool, reads: bool, computes: bool) {
        let module = ir::parse::parse(text).unwrap();
        assert_eq!(FloatState::new(&module).whole, FloatUse { changes, reads, computes }, "{text}");
    }

    #[test]
    fn who_has_to_do_with_the_state_is_found() {
        check("define i32 @f(i32 %x) { %y = add i32 %x, 1 ret i32 %y }", false, false, false);
        check("define double @f(double %x) { ret double %x }", false, false, false);
        check("define double @f(double %x) { %y = fadd double %x, %x ret double %y }", false, false, true);
        check("define float @f(double %x) { %y = fptrunc double %x to float ret float %y }", false, false, true);
        check(
            "declare double @sqrt(double)\ndefine double @f(double %x) { %y = call double @sqrt(double %x) ret double %y }",
            false,
            false,
            true,
        );
        check("declare i32 @fesetround(i32)", true, false, false);
        check("declare i32 @fetestexcept(i32)", false, true, false);
        check("declare void @llvm.x86.sse.ldmxcsr(ptr)", true, false, false);
        check("declare void @llvm.x86.sse.stmxcsr(ptr)", false, true, false);
        check("declare void @llvm.set.rounding(i32)", true, false, false);
        check(
            "define void @f(ptr %p) { call void asm sideeffect \"fldcw $0\", \"*m\"(ptr elementtype(i16) %p) ret void }",
            true,
            false,
            false,
        );
        check("module asm \"ldmxcsr (%rdi)\"", true, false, false);
        check("define i32 @fesetround(i32 %m) { ret i32 0 }", false, false, false);
        let constrained = |round: &str, except: &str| {
            format!(
                "declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)\n\
                 define double @f(double %x) {{ %y = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, \
                 metadata !\"{round}\", metadata !\"{except}\") ret double %y }}"
            )
        };
        check(&constrained("round.tonearest", "fpexcept.ignore"), false, false, true);
        check(&constrained("round.dynamic", "fpexcept.ignore"), false, true, true);
        check(&constrained("round.tonearest", "fpexcept.strict"), false, true, true);
    }
}
