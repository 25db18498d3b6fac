//! What the declaration of a C++ function tells of what it does to its arguments.

use ir::attrs::Attr;
use ir::debug::Language;
use ir::id::FuncId;
use ir::module::Module;
use ir::types::Type;

/// Whether a function is written in C++.
pub(crate) fn is_of_cpp(module: &Module, function: FuncId) -> bool {
    let ty = module.functions[function].scope.and_then(|scope| module.debug.scopes[scope].ty);
    ty.is_some_and(|ty| module.debug.types[ty].language == Language::Cpp)
}

/// Whether a function puts a class of the C++ library into the memory that a parameter leads to, as its result.
pub(crate) fn returns_container(module: &Module, function: FuncId, index: usize) -> bool {
    let param = module.functions[function].params.get(index);
    let attrs = param.map(|param| &module.attrs[param.attrs]);
    let result = attrs.and_then(|attrs| {
        attrs.0.iter().find_map(|attr| match attr {
            Attr::Sret(ty) => Some(*ty),
            _ => None,
        })
    });
    let Some(Type::Named(id)) = result.map(|ty| &module.types[ty]) else { return false };
    module.str(module.types.named[*id].name).contains("std::")
}

/// Which parameters of a C++ function lead to what it promises not to change, by its name.
pub(crate) fn constant_parameters(module: &Module, function: FuncId) -> Vec<bool> {
    let name = crate::names::demangled(module, function);
    let count = module.functions[function].params.len();
    let Some((open, close)) = name.find('(').zip(name.rfind(')')).filter(|(open, close)| open < close) else {
        return Vec::new();
    };
    let (mut params, mut depth, mut start) = (Vec::new(), 0, open + 1);
    for (at, byte) in name.bytes().enumerate().take(close + 1).skip(open + 1) {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' | b']' => depth -= 1,
            b')' if at < close => depth -= 1,
            b',' | b')' if depth == 0 => {
                params.push(name[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    params.retain(|param| !param.is_empty());
    let is_constant = |param: &str| param.ends_with("const&") || param.ends_with("const*");
    let result = module.functions[function]
        .params
        .first()
        .is_some_and(|param| module.attrs[param.attrs].0.iter().any(|attr| matches!(attr, Attr::Sret(_))));
    let mut found = vec![false; usize::from(result)];
    match count.checked_sub(params.len() + usize::from(result)) {
        Some(0) => {}
        Some(1) => found.push(name[close..].contains("const")),
        _ => return Vec::new(),
    }
    found.extend(params.into_iter().map(is_constant));
    found
}
