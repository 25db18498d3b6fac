//! Merges the types of a module into those of another.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::id::{Id, NamedTypeId, StrId, Strings, TypeId};
use crate::types::{NamedType, Type, Types};

/// Named types seen so far.
#[derive(Default)]
pub(super) struct NamedTypes {
    /// Types by the name they had in their modules.
    by_name: FxHashMap<StrId, Vec<NamedTypeId>>,
    /// Names that a type has.
    taken: FxHashSet<StrId>,
}

/// Merges the types of `source` into `target`; returns the new id of each. Named structs are the same if name and body
/// are, and one without a body is the same as any of its name; a different one gets a number behind its name.
pub(super) fn merge(
    target: &mut Types,
    strings: &mut Strings,
    named: &mut NamedTypes,
    source: &Types,
    names: &[StrId],
) -> Vec<TypeId> {
    let mut new_ids: Vec<Option<TypeId>> = vec![None; source.len()];
    let mut open = vec![false; source.len()];
    let mut stack = Vec::new();
    for (id, _) in source.iter_ids() {
        stack.push(id);
        // Parts first, with a stack of our own: chains of named structs can be as long as the file.
        while let Some(&ty) = stack.last() {
            if new_ids[ty.index()].is_none() && !std::mem::replace(&mut open[ty.index()], true) {
                for_each_part(source, ty, |part| {
                    if !open[part.index()] {
                        stack.push(part);
                    }
                });
                continue;
            }
            stack.pop();
            if new_ids[ty.index()].is_some() {
                continue;
            }
            let merged = match &source[ty] {
                Type::Named(id) => {
                    let NamedType { name, body } = source.named[*id];
                    // A struct that contains itself has no size and no use: its body is dropped.
                    let body = body.and_then(|body| new_ids[body.index()]);
                    Type::Named(merge_named(target, strings, named, names[name.index()], body))
                }
                other => {
                    // Where it would contain itself there is nothing, a struct without fields.
                    let nothing = target.intern(Type::Struct { fields: [].into(), packed: false });
                    with_parts(other, |part| new_ids[part.index()].unwrap_or(nothing), names)
                }
            };
            new_ids[ty.index()] = Some(target.intern(merged));
        }
    }
    let void = target.void();
    new_ids.into_iter().map(|id| id.unwrap_or(void)).collect()
}

fn merge_named(
    target: &mut Types,
    strings: &mut Strings,
    named: &mut NamedTypes,
    name: StrId,
    body: Option<TypeId>,
) -> NamedTypeId {
    let same_name = named.by_name.entry(name).or_default();
    for &id in same_name.iter() {
        let known = &mut target.named[id].body;
        if body.is_none() || known.is_none() || *known == body {
            *known = known.or(body);
            return id;
        }
    }
    let mut new_name = name;
    let mut number = same_name.len();
    while !named.taken.insert(new_name) {
        let text = format!("{}.{number}", &strings[name]);
        new_name = strings.intern_str(&text);
        number += 1;
    }
    let id = target.named.push(NamedType { name: new_name, body });
    same_name.push(id);
    id
}

fn for_each_part(types: &Types, ty: TypeId, mut visit: impl FnMut(TypeId)) {
    match &types[ty] {
        Type::Array(element, _) | Type::Vector { element, .. } => visit(*element),
        Type::Struct { fields, .. } => fields.iter().copied().for_each(visit),
        Type::Function { result, params, .. } => {
            visit(*result);
            params.iter().copied().for_each(visit);
        }
        Type::Named(id) => types.named[*id].body.into_iter().for_each(visit),
        Type::Void
        | Type::Int(_)
        | Type::Float(_)
        | Type::Ptr(_)
        | Type::Label
        | Type::Metadata
        | Type::Token
        | Type::Other(_) => {}
    }
}

/// The type with every part and text replaced.
fn with_parts(ty: &Type, map: impl Fn(TypeId) -> TypeId, names: &[StrId]) -> Type {
    match ty {
        Type::Array(element, count) => Type::Array(map(*element), *count),
        Type::Vector { element, count, scalable } => {
            Type::Vector { element: map(*element), count: *count, scalable: *scalable }
        }
        Type::Struct { fields, packed } => {
            Type::Struct { fields: fields.iter().map(|field| map(*field)).collect(), packed: *packed }
        }
        Type::Function { result, params, variadic } => Type::Function {
            result: map(*result),
            params: params.iter().map(|param| map(*param)).collect(),
            variadic: *variadic,
        },
        Type::Other(text) => Type::Other(names[text.index()]),
        other => other.clone(),
    }
}
