//! Variants of Rust enums that both versions know by the same number.
//!
//! A variant is known by its name, and its number is nobody's business: where one is added between others, the numbers
//! behind it change. An input is the same in both versions only if it is the same variant in both.

use crate::relaid::Types;
use ir::debug::{DebugTypeKind, Language};
use ir::id::{DebugTypeId, Id, StrId};
use ir::module::Module;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Enums whose variants changed.
#[derive(Clone, Debug, Default)]
pub struct Variants {
    /// For each such enum of either version the numbers that mean the same in both.
    pub common: FxHashMap<DebugTypeId, Vec<i128>>,
    /// Those of them in which a variant has another number in the other version.
    pub moved: BTreeSet<DebugTypeId>,
    /// Names of all that changed.
    pub names: BTreeSet<String>,
    /// Names of those in which a variant has another number.
    pub moved_names: BTreeSet<String>,
}

/// Compares the enums of two versions.
pub fn changed(old: Types, new: Types) -> Variants {
    let mut found = Variants::default();
    let of_new = enums(new);
    for (name, before) in enums(old) {
        // Several of one name are in different modules, and nobody knows which is which.
        let (&[before], Some(&[after])) = (&before[..], of_new.get(name).map(Vec::as_slice)) else { continue };
        let (old_values, new_values) = (values(old.module, before), values(new.module, after));
        if old_values == new_values {
            continue;
        }
        let common: Vec<i128> = new_values
            .iter()
            .filter(|(name, value)| old_values.get(*name) == Some(value))
            .map(|(_, value)| *value)
            .collect();
        let moves = new_values.iter().any(|(name, value)| old_values.get(name).is_some_and(|before| before != value));
        for id in [before, after] {
            found.common.insert(id, common.clone());
            if moves {
                found.moved.insert(id);
            }
        }
        found.names.insert(name.to_owned());
        if moves {
            found.moved_names.insert(name.to_owned());
        }
    }
    found
}

/// Enums without fields, by name.
fn enums<'m>(types: Types<'m>) -> BTreeMap<&'m str, Vec<DebugTypeId>> {
    let mut named: BTreeMap<&'m str, Vec<DebugTypeId>> = BTreeMap::new();
    for id in (types.range.0..types.range.1).map(DebugTypeId::from_index) {
        let ty = &types.module.debug.types[id];
        if let (Language::Rust, DebugTypeKind::Enum { .. }, Some(name)) = (ty.language, &ty.kind, ty.name) {
            named.entry(types.module.str(name)).or_default().push(id);
        }
    }
    named
}

fn values(module: &Module, id: DebugTypeId) -> BTreeMap<&str, i128> {
    let values = match &module.debug.types[id].kind {
        DebugTypeKind::Enum { values, .. } => values.as_ref(),
        _ => &[],
    };
    values.iter().map(|&(name, value): &(StrId, i128)| (module.str(name), value)).collect()
}
