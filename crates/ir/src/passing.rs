//! How values are passed to functions and returned, beside their bits: in which registers, how widened, behind which address.

use crate::attrs::{Attr, AttrFlag};
use crate::id::{AttrsId, FuncId, TypeId};
use crate::inst::Call;
use crate::module::Module;
use crate::types::{FloatKind, Type};

/// How a value is passed, beside its bits: calls that pass the same bits in other ways are other calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// An integer or address.
    Integer,
    /// An integer that is widened by its sign, or by zeros, to the size of a register.
    Widened {
        /// By its sign.
        signed: bool,
    },
    /// A floating-point number.
    Float(FloatKind),
    /// A vector of so many elements, whose class follows.
    Vector(u64),
    /// Behind an address, a copy of so many bytes.
    Copy(u64),
    /// Behind an address, memory for the result.
    Result,
    /// Of a type that has no such class.
    Other,
    /// Next parameter, or next field.
    Next,
    /// By a calling convention other than C's.
    Convention(u32),
}

/// How a call passes its arguments and its result.
pub fn passing(module: &Module, call: &Call, result: TypeId, args: impl Iterator<Item = TypeId>) -> Box<[Class]> {
    let mut classes = Vec::new();
    if call.convention != 0 {
        classes.push(Class::Convention(call.convention));
    }
    classes_of(module, result, Some(call.result_attrs), &mut classes);
    for (position, arg) in args.enumerate() {
        classes_of(module, arg, call.arg_attrs.get(position).copied(), &mut classes);
    }
    classes.into()
}

/// Adds the classes of a value of a type that is passed with some attributes.
pub fn classes_of(module: &Module, ty: TypeId, attrs: Option<AttrsId>, classes: &mut Vec<Class>) {
    let in_memory = attrs.into_iter().flat_map(|attrs| &module.attrs[attrs].0).find_map(|attr| match attr {
        Attr::ByVal(ty) | Attr::ByRef(ty) | Attr::InAlloca(ty) => {
            Some(Class::Copy(module.type_layouts.get(*ty).map_or(u64::MAX, |layout| layout.size)))
        }
        Attr::Sret(_) => Some(Class::Result),
        _ => None,
    });
    classes.extend(in_memory);
    let has = |flag| attrs.is_some_and(|attrs| module.attrs[attrs].has(flag));
    if has(AttrFlag::SignExt) || has(AttrFlag::ZeroExt) {
        classes.push(Class::Widened { signed: has(AttrFlag::SignExt) });
    }
    // Deep types come from hostile input only.
    let (mut todo, mut left) = (vec![ty], MAX_CLASSES);
    while let Some(ty) = todo.pop() {
        if left == 0 {
            classes.push(Class::Other);
            break;
        }
        left -= 1;
        match module.types.resolve(ty) {
            Type::Int(_) | Type::Ptr(_) => classes.push(Class::Integer),
            Type::Float(kind) => classes.push(Class::Float(*kind)),
            Type::Vector { element, count, .. } => {
                classes.push(Class::Vector(*count));
                todo.push(*element);
            }
            Type::Array(element, count) => todo.extend((0..*count).take(MAX_CLASSES).map(|_| *element)),
            Type::Struct { fields, .. } => todo.extend(fields.iter().rev()),
            Type::Void => {}
            _ => classes.push(Class::Other),
        }
    }
    classes.push(Class::Next);
}

/// Most parts of a type that are told apart.
const MAX_CLASSES: usize = 4096;

/// How a function is given its arguments, and returns its result.
pub fn of_function(module: &Module, id: FuncId) -> Box<[Class]> {
    let function = &module.functions[id];
    let mut classes = Vec::new();
    if function.convention != 0 {
        classes.push(Class::Convention(function.convention));
    }
    if let Some((result, _, _)) = module.types.signature(function.ty) {
        classes_of(module, result, Some(function.result_attrs), &mut classes);
    }
    for param in &function.params {
        classes_of(module, param.ty, Some(param.attrs), &mut classes);
    }
    classes.into()
}
