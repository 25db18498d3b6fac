//! Two versions of a function with another signature, on what both of them mean.
//!
//! `int f(int n)` that became `long f(long n)` still takes every `int`, and a `long` says whether the result is the same
//! number. So each version gets a wrapper, and the wrappers have one signature: of two numbers that a parameter may be it
//! takes the narrower, of two results it gives the wider. A parameter that only one version has is whatever it is;
//! parameters that only changed places are known by their names. Where a parameter is a number in one version and a
//! pointer in the other there is no such meaning.

use crate::replay::emit::{self, Body};
use crate::suite::signature::{parameter_variables, result_type};
use evidence::Assumption;
use ir::attrs::{Attr, AttrFlag, AttrSet};
use ir::debug::{DebugTypeKind, Encoding};
use ir::id::{DebugTypeId, FuncId, TypeId};
use ir::inst::{CastOp, Flags, InstKind, Marker, MarkerKind, Value};
use ir::module::Module;
use ir::types::Type;

/// Both versions with a wrapper of the function each.
pub struct Common {
    /// The old version and its wrapper.
    pub old: (Module, FuncId),
    /// The new version and its wrapper.
    pub new: (Module, FuncId),
    /// Whether both take the same parameters: then whatever differs is a difference of what they do.
    pub same_parameters: bool,
    /// What is compared.
    pub scope: Vec<Assumption>,
    /// The parameters of the wrappers.
    pub slots: Vec<Slot>,
}

/// Wraps two versions of a function; nothing if there is no common meaning.
pub fn wrapped((old, old_id): (&Module, FuncId), (new, new_id): (&Module, FuncId)) -> Option<Common> {
    let (old_params, new_params) = (params(old, old_id)?, params(new, new_id)?);
    let mut slots = Vec::new();
    let mut scope = Vec::new();
    for (of_old, of_new) in matched(&old_params, &new_params) {
        let sides = (of_old.map(|index| &old_params[index]), of_new.map(|index| &new_params[index]));
        let (kind, name) = match sides {
            (Some(a), Some(b)) => (narrower(a, b)?, &b.name),
            (Some(only), None) | (None, Some(only)) => (only.number, &only.name),
            (None, None) => continue,
        };
        match sides {
            (Some(a), Some(b)) if a.number.ty != b.number.ty => {
                scope.push(Assumption::Fits { of: name.clone(), ty: kind.ty.to_string() });
            }
            (Some(_), Some(_)) if of_old != of_new => scope.push(Assumption::MovedParameter { of: name.clone() }),
            (Some(_), Some(_)) => {}
            _ => scope.push(Assumption::OneSidedParameter { of: name.clone() }),
        }
        let same_type = matches!(sides, (Some(a), Some(b)) if a.number.ty == b.number.ty);
        slots.push(Slot { kind, name: name.clone(), old: of_old, new: of_new, same_type });
    }
    let result = match (result_of(old, old_id)?, result_of(new, new_id)?) {
        (Some(a), Some(b)) => {
            if a.ty != b.ty {
                scope.push(Assumption::ResultAsNumber);
            }
            Some(wider(a, b)?)
        }
        (None, None) => None,
        _ => {
            scope.push(Assumption::WithoutResult);
            None
        }
    };
    let same_parameters = slots.iter().all(|slot| slot.old.is_some() && slot.new.is_some());
    let old = wrapper(old, old_id, &slots, |slot| slot.old, result)?;
    let new = wrapper(new, new_id, &slots, |slot| slot.new, result)?;
    Some(Common { old, new, same_parameters, scope, slots })
}

/// For each parameter of a function what it is, if it is a number or a pointer.
pub fn numbers(module: &Module, id: FuncId) -> Vec<Option<Number>> {
    let function = &module.functions[id];
    let variables = parameter_variables(function);
    let source = |index: u32| variables.get(&index).and_then(|id| module.debug.variables[*id].ty);
    (0u32..).zip(&function.params).map(|(index, param)| number(module, param.ty, source(index))).collect()
}

/// A type of which it is known how to get to a wider one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// What it is to the machine.
    pub ty: Scalar,
    /// Whether an integer is signed, if that is known.
    pub signed: Option<bool>,
}

/// What a number is to the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// An integer of so many bits.
    Int(u32),
    /// A float.
    Float(ir::types::FloatKind),
    /// A pointer.
    Pointer,
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Int(bits) => write!(f, "{bits} bits"),
            Scalar::Float(kind) => write!(f, "a float of {} bits", kind.bits()),
            Scalar::Pointer => f.write_str("a pointer"),
        }
    }
}

/// A parameter of a version.
struct Parameter {
    number: Number,
    name: String,
}

/// A parameter of the wrappers, and which one it is in each version.
pub struct Slot {
    /// What it is.
    pub kind: Number,
    /// What it is called.
    pub name: String,
    /// Its position in the old version.
    pub old: Option<usize>,
    /// Its position in the new version.
    pub new: Option<usize>,
    /// Whether it has the same type in both.
    same_type: bool,
}

fn params(module: &Module, id: FuncId) -> Option<Vec<Parameter>> {
    let function = &module.functions[id];
    let (_, _, variadic) = module.types.signature(function.ty)?;
    if variadic || module.function_name(id) == "main" {
        return None;
    }
    let variables = parameter_variables(function);
    let mut found = Vec::new();
    for (index, param) in (0u32..).zip(&function.params) {
        let copied = |attr: &Attr| matches!(attr, Attr::Sret(_) | Attr::ByVal(_) | Attr::ByRef(_));
        if module.attrs[param.attrs].0.iter().any(copied) {
            return None;
        }
        let variable = variables.get(&index).map(|id| &module.debug.variables[*id]);
        let name = variable.and_then(|variable| variable.name).or(param.name);
        let name = name.map_or_else(|| format!("arg{index}"), |name| module.str(name).to_owned());
        // A part of a record is no parameter that another one could stand for.
        if found.iter().any(|known: &Parameter| known.name == name) {
            return None;
        }
        let number = number(module, param.ty, variable.and_then(|variable| variable.ty))?;
        found.push(Parameter { number, name });
    }
    Some(found)
}

fn result_of(module: &Module, id: FuncId) -> Option<Option<Number>> {
    let function = &module.functions[id];
    let (ty, _, _) = module.types.signature(function.ty)?;
    if matches!(module.types.resolve(ty), Type::Void) {
        return Some(None);
    }
    number(module, ty, result_type(module, function)).map(Some)
}

fn number(module: &Module, ty: TypeId, source: Option<DebugTypeId>) -> Option<Number> {
    let ty = match module.types.resolve(ty) {
        Type::Int(bits) => Scalar::Int(*bits),
        Type::Float(kind) => Scalar::Float(*kind),
        Type::Ptr(_) => Scalar::Pointer,
        _ => return None,
    };
    Some(Number { ty, signed: source.and_then(|source| is_signed(module, source)) })
}

fn is_signed(module: &Module, ty: DebugTypeId) -> Option<bool> {
    let debug = &module.debug;
    let of = |encoding: &Encoding| match encoding {
        Encoding::Signed | Encoding::SignedChar => Some(true),
        Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Utf | Encoding::Boolean => Some(false),
        Encoding::Float | Encoding::Other => None,
    };
    match &debug.types[debug.strip(ty)].kind {
        DebugTypeKind::Basic(encoding) => of(encoding),
        DebugTypeKind::Enum { base: Some(base), .. } => match &debug.types[debug.strip(*base)].kind {
            DebugTypeKind::Basic(encoding) => of(encoding),
            _ => None,
        },
        DebugTypeKind::Enum { base: None, values } => Some(values.iter().any(|(_, value)| *value < 0)),
        _ => None,
    }
}

/// Pairs of parameters: by name, those left over by position if they are as many.
fn matched(old: &[Parameter], new: &[Parameter]) -> Vec<(Option<usize>, Option<usize>)> {
    let named = |params: &[Parameter], name: &str| params.iter().position(|param| param.name == name);
    let mut left: Vec<usize> = (0..old.len()).filter(|&index| named(new, &old[index].name).is_none()).collect();
    let renamed = new.iter().filter(|param| named(old, &param.name).is_none()).count() == left.len();
    left.reverse();
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for (index, param) in new.iter().enumerate() {
        let partner = named(old, &param.name).or_else(|| if renamed { left.pop() } else { None });
        pairs.push((partner, Some(index)));
    }
    left.reverse();
    pairs.extend(left.into_iter().map(|index| (Some(index), None)));
    pairs
}

/// The type of which every value means something to both parameters.
fn narrower(a: &Parameter, b: &Parameter) -> Option<Number> {
    let (a, b) = (a.number, b.number);
    match (a.ty, b.ty) {
        _ if a.ty == b.ty => Some(b),
        (Scalar::Int(first), Scalar::Int(second)) => {
            let narrow = if first < second { a } else { b };
            narrow.signed.map(|_| narrow)
        }
        (Scalar::Float(first), Scalar::Float(second)) => {
            extends(first, second).then_some(a).or(extends(second, first).then_some(b))
        }
        _ => None,
    }
}

/// The type that holds every value of both results.
fn wider(a: Number, b: Number) -> Option<Number> {
    match (a.ty, b.ty) {
        _ if a.ty == b.ty => Some(b),
        (Scalar::Int(first), Scalar::Int(second)) => {
            let (narrow, wide) = if first < second { (a, b) } else { (b, a) };
            narrow.signed.map(|_| wide)
        }
        (Scalar::Float(first), Scalar::Float(second)) => {
            extends(first, second).then_some(b).or(extends(second, first).then_some(a))
        }
        _ => None,
    }
}

/// Whether one format holds all numbers of another.
fn extends(narrow: ir::types::FloatKind, wide: ir::types::FloatKind) -> bool {
    use ir::types::FloatKind::{Double, Float, Half, X86Fp80};
    matches!((narrow, wide), (Half, Float | Double | X86Fp80) | (Float, Double | X86Fp80) | (Double, X86Fp80))
}

/// A version with a function that calls one of it.
fn wrapper(
    module: &Module,
    id: FuncId,
    slots: &[Slot],
    of: impl Fn(&Slot) -> Option<usize>,
    result: Option<Number>,
) -> Option<(Module, FuncId)> {
    let mut module = module.clone();
    let types: Vec<TypeId> = slots.iter().map(|slot| type_of(&mut module, slot.kind.ty)).collect();
    let result_ty = match result {
        Some(result) => type_of(&mut module, result.ty),
        None => module.types.void(),
    };
    let name = format!("{}.common", module.function_name(id));
    let wrapper = emit::function(&mut module, &name, result_ty, &types);
    let (attrs, scope) = (module.functions[id].attrs, module.functions[id].scope);
    (module.functions[wrapper].attrs, module.functions[wrapper].scope) = (attrs, scope);
    for (index, slot) in slots.iter().enumerate() {
        let name = module.strings.intern_str(&slot.name);
        module.functions[wrapper].params[index].name = Some(name);
        if (slot.kind.signed, matches!(slot.kind.ty, Scalar::Int(_))) == (Some(false), true) {
            let unsigned = AttrSet(Box::new([Attr::Flag(AttrFlag::ZeroExt)]));
            module.functions[wrapper].params[index].attrs = module.attrs.intern(unsigned);
        }
    }
    let variables = parameter_variables(&module.functions[id]);
    let wanted: Vec<TypeId> = module.functions[id].params.iter().map(|param| param.ty).collect();
    let own_result = result_of(&module, id)?;
    let void = module.types.void();
    let mut body = Body::new(&mut module, wrapper);
    let mut args: Vec<Option<Value>> = vec![None; wanted.len()];
    for (index, slot) in slots.iter().enumerate() {
        let Some(at) = of(slot) else { continue };
        let value = Value::Arg(index as u32);
        if wanted[at] == types[index] {
            // What the source says of the parameter holds for this one, if both versions say it.
            if let Some(&variable) = variables.get(&(at as u32)).filter(|_| slot.same_type) {
                let marker = Marker { kind: MarkerKind::Assign, value: Some(value), variable, expr: None };
                body.push(InstKind::Marker(marker), void);
            }
            args[at] = Some(value);
        } else {
            args[at] = Some(body.push(extension(slot.kind, value)?, wanted[at]));
        }
    }
    let args: Vec<Value> = args.into_iter().collect::<Option<_>>()?;
    let (mut kind, ty) = emit::call(body.module, id, &args);
    if let InstKind::Call(call) = &mut kind {
        let callee = &body.module.functions[id];
        call.convention = callee.convention;
        call.result_attrs = callee.result_attrs;
        call.arg_attrs = callee.params.iter().map(|param| param.attrs).collect();
    }
    let value = body.push(kind, ty);
    match (own_result, result) {
        (Some(own), Some(common)) if own.ty != common.ty => {
            let value = body.push(extension(own, value)?, result_ty);
            body.ret(Some(value));
        }
        (_, Some(_)) => body.ret(Some(value)),
        (_, None) => body.ret(None),
    }
    module.type_layouts.extend(&module.types, &module.layout);
    Some((module, wrapper))
}

fn extension(narrow: Number, value: Value) -> Option<InstKind> {
    let op = match (narrow.ty, narrow.signed) {
        (Scalar::Int(_), Some(true)) => CastOp::SExt,
        (Scalar::Int(_), Some(false)) => CastOp::ZExt,
        (Scalar::Float(_), _) => CastOp::FpExt,
        _ => return None,
    };
    Some(InstKind::Cast { op, value, flags: Flags::empty() })
}

fn type_of(module: &mut Module, scalar: Scalar) -> TypeId {
    match scalar {
        Scalar::Int(bits) => module.types.int(bits),
        Scalar::Float(kind) => module.types.intern(Type::Float(kind)),
        Scalar::Pointer => module.types.ptr(),
    }
}
