//! Source types of two versions, by name and then by structure.

use crate::changes::Kind;
use ir::debug::{DebugTypeKind, Field};
use ir::id::DebugTypeId;
use ir::module::Module;
use std::collections::BTreeMap;

/// A struct, union or enumeration that is not the same in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeChange {
    /// Name in the new version, or in the old one if it was removed.
    pub name: String,
    /// Name in the old version, if it has another one.
    pub old_name: Option<String>,
    /// What became of it; a renamed type is unchanged.
    pub kind: Kind,
    /// Size in bits in the old version.
    pub old_bits: Option<u64>,
    /// Size in bits in the new version.
    pub new_bits: Option<u64>,
    /// Fields and named values that are not the same.
    pub members: Vec<MemberChange>,
}

/// A field of a struct or union, or a value of an enumeration, that is not the same in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberChange {
    /// Name; empty for an anonymous struct or a base class.
    pub name: String,
    /// What it was: `int at bit 32`, `= 3`.
    pub old: Option<String>,
    /// What it is.
    pub new: Option<String>,
}

/// What a type is made of, names of types it refers to included.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    bits: u64,
    /// Name and description of each field or value in order.
    members: Vec<(String, String)>,
}

/// Types that are not the same in both versions, by name.
pub(crate) fn compare(old: &Module, new: &Module) -> Vec<TypeChange> {
    let (mut olds, mut news) = (shapes(old), shapes(new));
    for (name, old_shapes) in &mut olds {
        if let Some(new_shapes) = news.get_mut(name) {
            let same: Vec<Shape> = old_shapes.iter().filter(|shape| new_shapes.contains(shape)).cloned().collect();
            // A name that several types share is the same if one of them is.
            if !same.is_empty() {
                old_shapes.clear();
                new_shapes.clear();
            }
        }
    }
    let mut changes = Vec::new();
    let mut removed: BTreeMap<Shape, Vec<String>> = BTreeMap::new();
    for (name, old_shapes) in olds {
        let new_shapes = news.get_mut(&name).map(std::mem::take).unwrap_or_default();
        let (mut left, mut right) = (old_shapes.into_iter(), new_shapes.into_iter());
        loop {
            match (left.next(), right.next()) {
                (Some(old), Some(new)) => changes.push(change(&name, Some(&old), Some(&new))),
                (Some(old), None) => removed.entry(old).or_default().push(name.clone()),
                (None, Some(new)) => changes.push(change(&name, None, Some(&new))),
                (None, None) => break,
            }
        }
    }
    for (name, shape) in news.into_iter().flat_map(|(name, shapes)| shapes.into_iter().map(move |s| (name.clone(), s)))
    {
        match removed.get_mut(&shape).filter(|names| names.len() == 1 && !shape.members.is_empty()).and_then(Vec::pop) {
            Some(old_name) => {
                let renamed = TypeChange {
                    old_name: Some(old_name),
                    kind: Kind::Unchanged,
                    ..change(&name, Some(&shape), Some(&shape))
                };
                changes.push(renamed);
            }
            None => changes.push(change(&name, None, Some(&shape))),
        }
    }
    for (shape, names) in removed {
        changes.extend(names.iter().map(|name| change(name, Some(&shape), None)));
    }
    changes.sort_by(|a, b| a.name.cmp(&b.name));
    changes
}

fn change(name: &str, old: Option<&Shape>, new: Option<&Shape>) -> TypeChange {
    let members = |shape: Option<&Shape>| shape.map_or(Vec::new(), |shape| shape.members.clone());
    let kind = match (old, new) {
        (Some(_), Some(_)) => Kind::Changed,
        (Some(_), None) => Kind::Removed,
        _ => Kind::Added,
    };
    // Members of a type that is in one version only are no changes of their own.
    let (olds, news) = if kind == Kind::Changed { (members(old), members(new)) } else { (Vec::new(), Vec::new()) };
    let find = |members: &[(String, String)], name: &str| {
        members.iter().find(|(other, _)| other == name).map(|(_, description)| description.clone())
    };
    let mut changed = Vec::new();
    for (name, description) in &olds {
        let now = find(&news, name);
        if now.as_ref() != Some(description) {
            changed.push(MemberChange { name: name.clone(), old: Some(description.clone()), new: now });
        }
    }
    for (name, description) in &news {
        if find(&olds, name).is_none() {
            changed.push(MemberChange { name: name.clone(), old: None, new: Some(description.clone()) });
        }
    }
    TypeChange {
        name: name.to_owned(),
        old_name: None,
        kind,
        old_bits: old.map(|shape| shape.bits),
        new_bits: new.map(|shape| shape.bits),
        members: changed,
    }
}

/// The named structs, unions and enumerations of a module; types that several units repeat are one.
fn shapes(module: &Module) -> BTreeMap<String, Vec<Shape>> {
    let debug = &module.debug;
    let mut all: BTreeMap<String, Vec<Shape>> = BTreeMap::new();
    for (id, ty) in debug.types.iter_ids() {
        if ty.name.is_none() {
            continue;
        }
        let members = match &ty.kind {
            // Declared only.
            DebugTypeKind::Record { fields, variants: None, .. } if fields.is_empty() && ty.bits == 0 => continue,
            DebugTypeKind::Record { fields, variants, .. } => {
                let cases = variants.iter().flat_map(|v| v.cases.iter().map(|case| &case.field).chain(&v.tag));
                fields.iter().chain(cases).map(|field| describe(module, field)).collect()
            }
            DebugTypeKind::Enum { values, .. } => {
                values.iter().map(|(name, value)| (module.str(*name).to_owned(), format!("= {value}"))).collect()
            }
            _ => continue,
        };
        let shape = Shape { bits: ty.bits, members };
        let shapes = all.entry(debug.type_name(&module.strings, id)).or_default();
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    all
}

fn describe(module: &Module, field: &Field) -> (String, String) {
    let name = field.name.map_or(String::new(), |name| module.str(name).to_owned());
    let spelled = |ty: DebugTypeId| module.debug.type_name(&module.strings, ty);
    let ty = field.ty.map_or("void".to_owned(), spelled);
    let width = if field.bit_field { format!(":{}", field.bits) } else { String::new() };
    (name, format!("{ty}{width} at bit {}", field.offset))
}
