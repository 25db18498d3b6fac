//! Source types out of their nodes.
//!
//! A record's members, an array's dimensions and an enumeration's values are nodes of their own,
//! reached through a list; they have no entry in the model's tables and are read here, where they
//! are used. Nothing is followed further than that, so reading does not recurse.

use super::fields::{Discriminant, Fields};
use super::{Kind, Reader};
use crate::debug::{DebugType, DebugTypeKind, Encoding, Field, Qualifier, Variant, Variants};
use crate::id::{DebugTypeId, StrId};

impl Reader<'_, '_, '_> {
    /// The type of a node of one of the kinds that are types.
    pub(super) fn debug_type(&mut self, kind: Kind, fields: &Fields<'_>) -> DebugType {
        let made_of = match kind {
            Kind::Basic if !matches!(fields.tag, "" | "DW_TAG_base_type") => self.other(fields.tag),
            Kind::Basic => DebugTypeKind::Basic(encoding(fields.encoding)),
            Kind::Subroutine => self.function(fields),
            Kind::Composite => self.composite(fields),
            _ => self.derived(fields),
        };
        DebugType { name: self.string(fields.name), bits: fields.size, language: self.language, kind: made_of }
    }

    /// Gives fields whose node does not tell their size, such as base classes, that of their type.
    pub(super) fn size_fields(&mut self) {
        let mut sizes: Vec<(DebugTypeId, usize, u64)> = Vec::new();
        for (id, ty) in self.debug.types.iter_ids() {
            let DebugTypeKind::Record { fields, .. } = &ty.kind else { continue };
            for (index, field) in fields.iter().enumerate() {
                if let (0, Some(ty)) = (field.bits, field.ty) {
                    sizes.push((id, index, self.debug.bits(ty)));
                }
            }
        }
        for (id, index, bits) in sizes {
            if let DebugTypeKind::Record { fields, .. } = &mut self.debug.types[id].kind {
                fields[index].bits = bits;
            }
        }
    }

    fn derived(&mut self, fields: &Fields<'_>) -> DebugTypeKind {
        let to = self.references.ty(fields.ty);
        let alias = |qualifier| DebugTypeKind::Alias { to, qualifier };
        match fields.tag {
            "DW_TAG_pointer_type" => DebugTypeKind::Pointer { to, reference: false },
            "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type" => DebugTypeKind::Pointer { to, reference: true },
            "DW_TAG_const_type" => alias(Some(Qualifier::Const)),
            "DW_TAG_volatile_type" => alias(Some(Qualifier::Volatile)),
            "DW_TAG_restrict_type" => alias(Some(Qualifier::Restrict)),
            "DW_TAG_atomic_type" => alias(Some(Qualifier::Atomic)),
            "DW_TAG_typedef" | "DW_TAG_template_alias" | "DW_TAG_immutable_type" | "DW_TAG_LLVM_ptrauth_type" => {
                alias(None)
            }
            tag => self.other(tag),
        }
    }

    fn composite(&mut self, fields: &Fields<'_>) -> DebugTypeKind {
        match fields.tag {
            "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type" => self.record(fields),
            "DW_TAG_array_type" => {
                let counts = self.list(fields.list).into_iter().map(|number| self.count(number)).collect();
                DebugTypeKind::Array { element: self.references.ty(fields.ty), counts }
            }
            "DW_TAG_enumeration_type" => {
                let values = self.list(fields.list).into_iter().filter_map(|number| self.enumerator(number)).collect();
                DebugTypeKind::Enum { base: self.references.ty(fields.ty), values }
            }
            tag => self.other(tag),
        }
    }

    fn function(&mut self, fields: &Fields<'_>) -> DebugTypeKind {
        let types = self.list(fields.list).into_iter().map(|number| self.references.ty(number)).collect();
        DebugTypeKind::Function { types }
    }

    fn other(&mut self, tag: &str) -> DebugTypeKind {
        DebugTypeKind::Other(self.strings.intern_str(tag))
    }

    fn record(&mut self, fields: &Fields<'_>) -> DebugTypeKind {
        let mut members = Vec::new();
        let mut variants = None;
        for number in self.list(fields.list) {
            match self.part(number) {
                Some((Kind::Member, part)) => members.extend(self.field(&part)),
                Some((Kind::VariantPart, part)) => variants = Some(Box::new(self.variants(&part))),
                _ => {}
            }
        }
        DebugTypeKind::Record { union: fields.tag == "DW_TAG_union_type", fields: members.into(), variants }
    }

    fn variants(&mut self, variant_part: &Fields<'_>) -> Variants {
        let mut cases = Vec::new();
        for number in self.list(variant_part.list) {
            let Some((Kind::Member, part)) = self.part(number) else { continue };
            let value = match part.discriminant {
                Discriminant::Default => None,
                Discriminant::Value(value) => Some(value),
                Discriminant::Unknown => continue,
            };
            cases.extend(self.field(&part).map(|field| Variant { value, field }));
        }
        let tag = match self.part(variant_part.discriminator) {
            Some((Kind::Member, part)) => self.field(&part),
            _ => None,
        };
        Variants { tag, cases: cases.into() }
    }

    fn field(&mut self, part: &Fields<'_>) -> Option<Field> {
        let placed = match part.tag {
            "DW_TAG_member" => !part.has_flag("DIFlagStaticMember"),
            // What debug info calls the offset of a virtual base is one in the table of virtual functions.
            "DW_TAG_inheritance" => !part.has_flag("DIFlagVirtual"),
            _ => false,
        };
        placed.then(|| Field {
            name: self.string(part.name),
            offset: part.offset,
            bits: part.size,
            bit_field: part.has_flag("DIFlagBitField"),
            ty: self.references.ty(part.ty),
        })
    }

    /// Length of one dimension.
    fn count(&mut self, subrange: Option<u32>) -> Option<u64> {
        let Some((Kind::Subrange, part)) = self.part(subrange) else { return None };
        let from_bounds = |upper: i128| upper.checked_sub(part.lower_bound.unwrap_or(0))?.checked_add(1);
        let count = part.count.or_else(|| part.upper_bound.and_then(from_bounds))?;
        u64::try_from(count).ok()
    }

    fn enumerator(&mut self, number: Option<u32>) -> Option<(StrId, i128)> {
        let Some((Kind::Enumerator, part)) = self.part(number) else { return None };
        Some((self.string(part.name)?, part.value?))
    }
}

fn encoding(word: &str) -> Encoding {
    match word {
        "DW_ATE_signed" => Encoding::Signed,
        "DW_ATE_unsigned" => Encoding::Unsigned,
        "DW_ATE_signed_char" => Encoding::SignedChar,
        "DW_ATE_unsigned_char" => Encoding::UnsignedChar,
        "DW_ATE_UTF" | "DW_ATE_ASCII" | "DW_ATE_UCS" => Encoding::Utf,
        "DW_ATE_boolean" => Encoding::Boolean,
        "DW_ATE_float" => Encoding::Float,
        _ => Encoding::Other,
    }
}
