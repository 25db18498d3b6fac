//! What two types have in common, and where it lies in each.

use super::{DEEPEST, MOST, Move, Typed, What, class, name, same_layout, same_pointee};
use ir::debug::{DebugTypeKind, Encoding, Field};
use ir::id::DebugTypeId;
use ir::module::Module;

/// For each field of a record of the new version the one of the old version that it is: the one of the same name; a base class
/// by the name of that class; what has neither, by the names in it; and if all that is left in both is of the same types, in
/// order, it was renamed.
fn twins<'f>((old, before): (&Module, &'f [Field]), (new, after): (&Module, &[Field])) -> Vec<Option<&'f Field>> {
    let base = |module: &Module, field: &Field| -> Option<String> {
        let ty = &module.debug.types[module.debug.strip(field.ty?)];
        ty.name.filter(|_| field.name.is_none()).map(|name| module.str(name).to_owned())
    };
    let mut taken: Vec<*const Field> = Vec::new();
    let mut twin = |field: &Field| {
        let class = base(new, field);
        let is_twin = |twin: &&Field| match (field.name, &class) {
            (Some(_), _) => twin.name.is_some() && name(old, twin) == name(new, field),
            (None, Some(_)) => base(old, twin) == class,
            (None, None) => {
                let types = twin.ty.zip(field.ty);
                twin.name.is_none()
                    && base(old, twin).is_none()
                    && types.is_some_and(|(a, b)| have_names_in_common((old, a), (new, b)))
            }
        };
        let found =
            before.iter().filter(|twin| !taken.iter().any(|known| std::ptr::eq(*known, *twin))).find(is_twin)?;
        taken.push(found);
        Some(found)
    };
    let mut found: Vec<Option<&Field>> = after.iter().map(&mut twin).collect();
    let left: Vec<&Field> =
        before.iter().filter(|field| !found.iter().flatten().any(|twin| std::ptr::eq(*twin, *field))).collect();
    let open: Vec<usize> = (0..after.len()).filter(|&index| found[index].is_none()).collect();
    let alike = |(&index, twin): (&usize, &&Field)| {
        let field = &after[index];
        let same = |(a, b): (DebugTypeId, DebugTypeId)| same_layout((old, a), (new, b), 0);
        (field.offset, field.bits, field.bit_field) == (twin.offset, twin.bits, twin.bit_field)
            && twin.ty.zip(field.ty).is_some_and(same)
    };
    if open.len() == left.len() && open.iter().zip(&left).all(alike) {
        for (&index, twin) in open.iter().zip(&left) {
            found[index] = Some(twin);
        }
    }
    found
}

/// Whether records have a field of the same name: without one, they are not the same part of anything.
fn have_names_in_common((old, a): Typed, (new, b): Typed) -> bool {
    let fields = |(module, ty): Typed| -> Vec<String> {
        match &module.debug.types[module.debug.strip(ty)].kind {
            DebugTypeKind::Record { fields, .. } => {
                fields.iter().filter_map(|field| name(module, field).map(str::to_owned)).collect()
            }
            _ => Vec::new(),
        }
    };
    let (before, after) = (fields((old, a)), fields((new, b)));
    before.is_empty() && after.is_empty() || after.iter().any(|name| before.contains(name))
}

/// Goes through two types side by side.
pub(super) struct Walk<'a> {
    pub(super) old: &'a Module,
    pub(super) new: &'a Module,
    pub(super) moves: &'a mut Vec<Move>,
    pub(super) borders: &'a mut Vec<(u64, u64)>,
}

impl Walk<'_> {
    /// Adds what both types have; `None` if that is too much.
    pub(super) fn go(
        &mut self,
        old: DebugTypeId,
        new: DebugTypeId,
        at_old: u64,
        at_new: u64,
        depth: u32,
    ) -> Option<()> {
        let (was, is) = (self.old, self.new);
        let (old, new) = (was.debug.strip(old), is.debug.strip(new));
        if depth > DEEPEST || self.moves.len() > MOST {
            return None;
        }
        let (first, second) = (&was.debug.types[old], &is.debug.types[new]);
        if class(&was.debug, old).is_none() && self.borders.len() < MOST {
            self.borders.push((at_old, at_new));
        }
        match (&first.kind, &second.kind) {
            (
                DebugTypeKind::Record { union: false, fields: before, variants: None },
                DebugTypeKind::Record { union: false, fields: after, variants: None },
            ) => {
                let twins = twins((was, before), (is, after));
                for (field, twin) in after.iter().zip(twins) {
                    let Some((twin, (twin_ty, ty))) = twin.and_then(|twin| Some((twin, twin.ty.zip(field.ty)?))) else {
                        continue;
                    };
                    if field.bit_field || twin.bit_field {
                        self.bit_field(before, after, field, twin, at_old, at_new);
                    } else if twin.offset % 8 == 0 && field.offset % 8 == 0 {
                        self.go(twin_ty, ty, at_old + twin.offset / 8, at_new + field.offset / 8, depth + 1)?;
                    }
                }
                Some(())
            }
            (
                DebugTypeKind::Array { element: Some(before), counts },
                DebugTypeKind::Array { element: Some(after), counts: others },
            ) => {
                // An array without a length lies behind the record.
                if counts.len() != others.len() || counts.iter().chain(others).any(Option::is_none) {
                    return Some(());
                }
                let known =
                    |counts: &[Option<u64>]| counts.iter().map(|count| count.unwrap_or(0)).collect::<Vec<u64>>();
                let (counts, others) = (known(counts), known(others));
                self.elements((*before, &counts), (*after, &others), at_old, at_new, depth)
            }
            _ => {
                let bytes = [was.debug.bits(old), is.debug.bits(new)].map(|bits| (bits / 8) as u32);
                let truth = |kind: &DebugTypeKind| matches!(kind, DebugTypeKind::Basic(Encoding::Boolean));
                match (class(&was.debug, old), class(&is.debug, new)) {
                    (Some(What::Integer(..)), Some(What::Integer(..))) if truth(&first.kind) != truth(&second.kind) => {
                        self.add(at_old, at_new, bytes, What::Truth);
                    }
                    (Some(What::Pointer), Some(What::Pointer)) if !same_pointee((was, old), (is, new)) => {
                        self.add(at_old, at_new, bytes, What::Incompatible);
                    }
                    (Some(What::Integer(was_signed, _)), Some(What::Integer(is_signed, _))) => {
                        self.add(at_old, at_new, bytes, What::Integer(was_signed, is_signed));
                    }
                    (Some(a), Some(b)) if a == b && bytes[0] == bytes[1] => self.add(at_old, at_new, bytes, a),
                    // Unions, and whatever else has no scalars of its own.
                    (None, None) if same_layout((was, old), (is, new), depth) => {
                        let step = if bytes[0] % 8 == 0 { 8 } else { 1 };
                        for at in (0..u64::from(bytes[0])).step_by(step) {
                            self.add(at_old + at, at_new + at, [step as u32; 2], What::Pointer);
                        }
                    }
                    _ => self.add(at_old, at_new, bytes, What::Incompatible),
                }
                Some(())
            }
        }
    }

    /// Adds the elements that both arrays have.
    fn elements(
        &mut self,
        (old, counts): (DebugTypeId, &[u64]),
        (new, others): (DebugTypeId, &[u64]),
        at_old: u64,
        at_new: u64,
        depth: u32,
    ) -> Option<()> {
        let (Some((&count, counts)), Some((&other, others))) = (counts.split_first(), others.split_first()) else {
            return self.go(old, new, at_old, at_new, depth + 1);
        };
        let stride = |bits: u64, counts: &[u64]| counts.iter().try_fold(bits / 8, |all, count| all.checked_mul(*count));
        let strides = (stride(self.old.debug.bits(old), counts)?, stride(self.new.debug.bits(new), others)?);
        let first = self.moves.len();
        if count == other {
            self.borders.push((at_old + count * strides.0, at_new + count * strides.1));
        }
        for index in 0..count.min(other) {
            let (at_old, at_new) = (at_old + index * strides.0, at_new + index * strides.1);
            self.elements((old, counts), (new, others), at_old, at_new, depth)?;
            // Scalars that follow each other in both versions are one move.
            if let [one] = self.moves[first..]
                && index == 0
                && (one.old, one.new) == (at_old, at_new)
                && (u64::from(one.old_size), u64::from(one.new_size)) == strides
                && one.old_size == one.new_size
                && one.count == 1
            {
                self.moves[first].count = count.min(other);
                return Some(());
            }
        }
        Some(())
    }

    fn add(&mut self, old: u64, new: u64, [old_size, new_size]: [u32; 2], what: What) {
        if old_size > 0 && new_size > 0 {
            self.moves.push(Move { old, new, old_size, new_size, count: 1, what });
        }
    }

    /// Bytes that hold nothing but bit-fields which lie beside each other as before.
    fn bit_field(&mut self, before: &[Field], after: &[Field], field: &Field, twin: &Field, at_old: u64, at_new: u64) {
        let over = |module: &Module, fields: &[Field], byte: u64| -> Vec<(Option<String>, i64, u64)> {
            let covers = |field: &&Field| field.offset < byte * 8 + 8 && byte * 8 < field.offset + field.bits;
            let place = |field: &Field| {
                (name(module, field).map(str::to_owned), field.offset as i64 - byte as i64 * 8, field.bits)
            };
            fields.iter().filter(covers).map(place).collect()
        };
        let bytes = |field: &Field| field.offset / 8..(field.offset + field.bits).div_ceil(8);
        for (byte, twin_byte) in bytes(field).zip(bytes(twin)) {
            let same =
                over(self.new, after, byte) == over(self.old, before, twin_byte) && field.bit_field && twin.bit_field;
            let what = if same { What::Integer(false, false) } else { What::Incompatible };
            if !self.moves.iter().any(|one| one.new == at_new + byte) {
                self.add(at_old + twin_byte, at_new + byte, [1; 2], what);
            }
        }
    }
}
