//! From a place inside a type to the field path that the user would write for it.

use super::{DebugInfo, DebugTypeKind, Encoding, Field, Language};
use crate::id::{DebugTypeId, Strings};

/// Deepest nesting of records and arrays that is looked into.
const MAX_DEPTH: usize = 64;

/// Most fields and elements that one search looks at.
const MAX_VISITS: usize = 100_000;

/// A part of a type: what a field path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Field path, such as `.hdr.len` or `[3].x`; empty for the whole.
    pub path: String,
    /// Type of the part, without typedefs and qualifiers; `None` for a row of an array, which has no
    /// type of its own.
    pub ty: Option<DebugTypeId>,
    /// Size of the part in bits.
    pub bits: u64,
    /// Where in the part the bits that were asked for begin.
    pub offset: u64,
    /// Whether the part is exactly what was asked for.
    pub exact: bool,
}

impl DebugInfo {
    /// The field path of a place inside a type, such as `.hdr.len`, `[3].x` or `<Some>.0`; `None` if
    /// the place is padding, spans several fields or is but a piece of a scalar.
    pub fn path_at(&self, strings: &Strings, ty: DebugTypeId, bit_offset: u64, bits: u64) -> Option<String> {
        self.place_at(strings, ty, bit_offset, bits).filter(|place| place.exact).map(|place| place.path)
    }

    /// The innermost part of a type that is a place, else the scalar that the place is a piece of.
    ///
    /// Where parts overlap, in a union or between the cases of a Rust enum, an exact scalar is better
    /// than an exact record or array, any of them is better than a scalar that is larger than the
    /// place, and the first of equals is taken.
    pub fn place_at(&self, strings: &Strings, ty: DebugTypeId, bit_offset: u64, bits: u64) -> Option<Place> {
        let mut search = Search { debug: self, strings, bits, path: String::new(), depth: 0, left: MAX_VISITS };
        search.find(ty, bit_offset).map(|found| found.place)
    }
}

struct Search<'a> {
    debug: &'a DebugInfo,
    strings: &'a Strings,
    bits: u64,
    /// Path to the type that is being looked at.
    path: String,
    depth: usize,
    left: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Quality {
    Piece,
    Aggregate,
    Scalar,
}

struct Found {
    quality: Quality,
    place: Place,
}

/// Keeps the better one; the first of equals.
fn better(first: Option<Found>, second: Option<Found>) -> Option<Found> {
    match (&first, &second) {
        (Some(a), Some(b)) if b.quality > a.quality => second,
        (Some(_), _) => first,
        _ => second,
    }
}

impl Search<'_> {
    fn find(&mut self, ty: DebugTypeId, offset: u64) -> Option<Found> {
        if self.depth == MAX_DEPTH || self.left == 0 {
            return None;
        }
        self.depth += 1;
        self.left -= 1;
        let ty = self.debug.strip(ty);
        let found = match &self.debug.types[ty].kind {
            DebugTypeKind::Record { .. } => better(self.in_record(ty, offset), self.whole(ty, offset)),
            DebugTypeKind::Array { element: Some(element), counts } => {
                better(self.in_array(*element, counts, offset), self.whole(ty, offset))
            }
            _ => self.scalar(ty, self.debug.types[ty].bits, offset),
        };
        self.depth -= 1;
        found
    }

    fn in_record(&mut self, ty: DebugTypeId, offset: u64) -> Option<Found> {
        let debug = self.debug;
        let record = &debug.types[ty];
        let DebugTypeKind::Record { fields, variants, .. } = &record.kind else { return None };
        let mut best = None;
        for field in fields {
            let Some(inner) = self.offset_in(field, offset) else { continue };
            let name = self.field_name(field, record.language);
            best = better(best, self.in_field(field, &name, inner));
        }
        let Some(variants) = variants else { return best };
        for case in &variants.cases {
            let Some(inner) = self.offset_in(&case.field, offset) else { continue };
            let name = case.field.name.map(|name| format!("<{}>", &self.strings[name])).unwrap_or_default();
            best = better(best, self.in_field(&case.field, &name, inner));
        }
        // A tag in an unused value of a field is better called by that field's name, hence last.
        if let Some(tag) = &variants.tag
            && let Some(inner) = self.offset_in(tag, offset)
        {
            best = better(best, self.in_field(tag, "<tag>", inner));
        }
        best
    }

    /// Where in a field the place begins, if it lies inside.
    fn offset_in(&mut self, field: &Field, offset: u64) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let inner = offset.checked_sub(field.offset)?;
        let open = field.bits == 0 && field.ty.is_some_and(|ty| self.is_open_array(ty));
        (open || inner.checked_add(self.bits)? <= field.bits).then_some(inner)
    }

    /// Looks into a field, which `name` is the path to.
    fn in_field(&mut self, field: &Field, name: &str, offset: u64) -> Option<Found> {
        let ty = field.ty?;
        let outer_length = self.path.len();
        self.path.push_str(name);
        let length = self.path.len();
        let found =
            if field.bit_field { self.scalar(self.debug.strip(ty), field.bits, offset) } else { self.find(ty, offset) };
        self.path.truncate(outer_length);
        // The user has no name for a base class, an anonymous record or a case as a whole, only for
        // what is in it.
        let nameless = !name.starts_with('.');
        found.filter(|found| !(nameless && found.quality == Quality::Aggregate && found.place.path.len() == length))
    }

    fn in_array(&mut self, element: DebugTypeId, counts: &[Option<u64>], offset: u64) -> Option<Found> {
        let inner_counts = counts.get(1..).unwrap_or_default();
        let mut stride =
            inner_counts.iter().try_fold(self.debug.bits(element), |bits, count| bits.checked_mul((*count)?))?;
        let mut rest = offset;
        let mut best = None;
        let length = self.path.len();
        for (dimension, count) in counts.iter().enumerate() {
            let index = rest.checked_div(stride).filter(|index| {
                // A last member `x[]` or `x[0]` is as long as its object has room for.
                dimension == 0 && matches!(count, None | Some(0)) || count.is_some_and(|count| *index < count)
            });
            let Some(index) = index else { break };
            rest %= stride;
            if rest.checked_add(self.bits).is_none_or(|end| end > stride) {
                break;
            }
            self.path.push_str(&format!("[{index}]"));
            match counts.get(dimension + 1) {
                None => best = better(self.find(element, rest), best),
                Some(inner) => {
                    if rest == 0 && self.bits == stride {
                        best = self.found(Quality::Aggregate, None, stride, 0);
                    }
                    stride = stride.checked_div(inner.unwrap_or(0)).unwrap_or(0);
                }
            }
        }
        self.path.truncate(length);
        best
    }

    /// The type that the search stands at, if it is exactly what is looked for.
    fn whole(&self, ty: DebugTypeId, offset: u64) -> Option<Found> {
        let bits = self.debug.types[ty].bits;
        if offset == 0 && bits == self.bits { self.found(Quality::Aggregate, Some(ty), bits, 0) } else { None }
    }

    fn scalar(&self, ty: DebugTypeId, bits: u64, offset: u64) -> Option<Found> {
        if offset.checked_add(self.bits)? > bits {
            return None;
        }
        // The 80-bit floating-point numbers of x86 are stored with padding after them.
        let padded = self.bits == 80 && matches!(self.debug.types[ty].kind, DebugTypeKind::Basic(Encoding::Float));
        let exact = offset == 0 && (bits == self.bits || padded);
        self.found(if exact { Quality::Scalar } else { Quality::Piece }, Some(ty), bits, offset)
    }

    fn found(&self, quality: Quality, ty: Option<DebugTypeId>, bits: u64, offset: u64) -> Option<Found> {
        let place = Place { path: self.path.clone(), ty, bits, offset, exact: quality != Quality::Piece };
        Some(Found { quality, place })
    }

    fn is_open_array(&self, ty: DebugTypeId) -> bool {
        match &self.debug.types[self.debug.strip(ty)].kind {
            DebugTypeKind::Array { counts, .. } => matches!(counts.first(), Some(None | Some(0))),
            _ => false,
        }
    }

    /// `.name`; nothing for an anonymous record or a base class, whose fields are its owner's too.
    fn field_name(&self, field: &Field, language: Language) -> String {
        let Some(name) = field.name else { return String::new() };
        let name = &*self.strings[name];
        // Debug info calls the fields of a Rust tuple `__0`, `__1`, ….
        let index = name.strip_prefix("__").filter(|index| index.bytes().all(|b| b.is_ascii_digit()));
        match index {
            Some(index) if language == Language::Rust && !index.is_empty() => format!(".{index}"),
            _ => format!(".{name}"),
        }
    }
}
