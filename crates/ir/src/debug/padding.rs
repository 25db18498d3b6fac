//! Which bytes of a type hold nothing, and which hold floats.

use super::{DebugInfo, DebugTypeKind, Encoding, Field, Language};
use crate::id::{DebugTypeId, StrId, Strings};

/// Most types that are looked at for one byte.
const MAX_VISITS: usize = 1000;

impl DebugInfo {
    /// Whether no field covers a byte of a type. A byte of which bit-fields cover a part is none, and where cases of a Rust
    /// enum or fields of a union overlap, one that covers it is enough. What is not known is no padding. The capacity of a
    /// Rust vector counts as padding, unless an enum tells its cases by it.
    pub fn is_padding(&self, strings: &Strings, ty: DebugTypeId, byte: u64) -> bool {
        let mut todo = vec![(ty, byte)];
        let mut visits = 0;
        while let Some((ty, byte)) = todo.pop() {
            visits += 1;
            if visits > MAX_VISITS {
                return false;
            }
            let ty = &self.types[self.strip(ty)];
            match &ty.kind {
                DebugTypeKind::Record { fields, variants, .. } if !fields.is_empty() || variants.is_some() => {
                    let cases = variants.iter().flat_map(|variants| variants.cases.iter().map(|case| &case.field));
                    let tag = variants.iter().filter_map(|variants| variants.tag.as_ref());
                    let text = |name: Option<StrId>| name.map_or("", |name| &strings[name]);
                    let grows = ty.language == Language::Rust && text(ty.name).starts_with("RawVecInner<");
                    for field in fields.iter().chain(cases).chain(tag) {
                        match inside(field, byte) {
                            None => {}
                            // How much room a vector has is no part of its value.
                            Some(_) if grows && text(field.name) == "cap" => {}
                            Some(inner) => match field.ty {
                                Some(ty) if !field.bit_field && field.bits > 0 => todo.push((ty, inner)),
                                _ => return false,
                            },
                        }
                    }
                }
                DebugTypeKind::Array { element: Some(element), .. } => match self.bits(*element) / 8 {
                    0 => return false,
                    size => todo.push((*element, byte % size)),
                },
                _ => return false,
            }
        }
        true
    }

    /// Whether the capacity of a Rust vector begins at a byte of a type by which an enum tells its cases: `Option<String>` is
    /// none if it is larger than any capacity.
    pub fn is_telling_capacity(&self, strings: &Strings, ty: DebugTypeId, byte: u64) -> bool {
        let text = |name: Option<StrId>| name.map_or("", |name| &strings[name]);
        let (mut capacity, mut tells) = (false, false);
        let mut todo = vec![(ty, byte)];
        for _ in 0..MAX_VISITS {
            let Some((ty, byte)) = todo.pop() else { break };
            let ty = &self.types[self.strip(ty)];
            match &ty.kind {
                DebugTypeKind::Record { fields, variants, .. } => {
                    let cases = variants.iter().flat_map(|variants| variants.cases.iter().map(|case| &case.field));
                    let tag = variants.iter().filter_map(|variants| variants.tag.as_ref());
                    tells |= tag.into_iter().any(|tag| tag.bits == 64 && inside(tag, byte) == Some(0));
                    let grows = ty.language == Language::Rust && text(ty.name).starts_with("RawVecInner<");
                    for field in fields.iter().chain(cases) {
                        match (inside(field, byte), field.ty) {
                            (Some(0), _) if grows && text(field.name) == "cap" => capacity = true,
                            (Some(inner), Some(ty)) => todo.push((ty, inner)),
                            _ => {}
                        }
                    }
                }
                DebugTypeKind::Array { element: Some(element), .. } if self.bits(*element) >= 8 => {
                    todo.push((*element, byte % (self.bits(*element) / 8)));
                }
                _ => {}
            }
        }
        capacity && tells
    }

    /// Bytes of the float of a type that begins at a byte, if one does for certain: where fields overlap, none does.
    pub fn float_at(&self, ty: DebugTypeId, byte: u64) -> Option<u64> {
        let (mut ty, mut byte) = (ty, byte);
        for _ in 0..MAX_VISITS {
            let id = self.strip(ty);
            match &self.types[id].kind {
                DebugTypeKind::Basic(Encoding::Float) => return (byte == 0).then(|| self.bits(id) / 8),
                DebugTypeKind::Record { union: false, fields, variants: None } => {
                    let field = fields.iter().find(|field| inside(field, byte).is_some())?;
                    (ty, byte) = (field.ty.filter(|_| !field.bit_field)?, inside(field, byte)?);
                }
                DebugTypeKind::Array { element: Some(element), .. } => {
                    (ty, byte) = (*element, byte.checked_rem(self.bits(*element) / 8)?);
                }
                _ => return None,
            }
        }
        None
    }
}

/// Where in a field a byte lies. An array without a length reaches as far as its memory does.
fn inside(field: &Field, byte: u64) -> Option<u64> {
    let (first, end) = (field.offset / 8, field.offset.saturating_add(field.bits).div_ceil(8));
    (byte >= first && (byte < end || field.bits == 0)).then(|| byte - first)
}
