//! Data layout: sizes, alignments and struct offsets of the target.

use crate::id::{Id, TypeId};
use crate::types::{FloatKind, Type, Types};

/// Sizes and alignments of the target, from the `target datalayout` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataLayout {
    /// The line's text; empty if there was none and LLVM's defaults hold.
    pub text: String,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
    /// Pointer sizes: address space, bits, ABI alignment in bytes, index bits.
    pub pointers: Vec<PointerLayout>,
    /// ABI alignment in bytes of integers, by ascending width.
    pub integers: Vec<(u32, u64)>,
    /// ABI alignment in bytes of floats, by ascending width.
    pub floats: Vec<(u32, u64)>,
    /// ABI alignment in bytes of vectors, by ascending width.
    pub vectors: Vec<(u32, u64)>,
    /// Smallest ABI alignment of a struct.
    pub aggregate_align: u64,
    /// Address space of stack memory.
    pub alloca_space: u32,
    /// Address space of global variables.
    pub global_space: u32,
    /// Address space of functions.
    pub program_space: u32,
}

/// A pointer's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerLayout {
    /// Address space.
    pub space: u32,
    /// Size in bits.
    pub bits: u32,
    /// ABI alignment in bytes.
    pub align: u64,
    /// Width of an offset in bits.
    pub index_bits: u32,
}

impl Default for DataLayout {
    fn default() -> Self {
        DataLayout {
            text: String::new(),
            big_endian: false,
            pointers: vec![PointerLayout { space: 0, bits: 64, align: 8, index_bits: 64 }],
            integers: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
            aggregate_align: 1,
            alloca_space: 0,
            global_space: 0,
            program_space: 0,
        }
    }
}

impl DataLayout {
    /// Reads the text of a `target datalayout` line. Parts that the model does not need are skipped.
    pub fn parse(text: &str) -> DataLayout {
        let mut layout = DataLayout { text: text.to_string(), ..DataLayout::default() };
        for spec in text.split('-') {
            layout.apply(spec);
        }
        layout
    }

    /// The layout as today's LLVM has it for `triple`. LLVM before 18 aligned 128-bit integers to 8 bytes on x86, against
    /// the convention that clang itself kept by padding; LLVM since corrects the line wherever it reads one.
    pub fn upgraded(self, triple: &str) -> DataLayout {
        let x86 = ["x86_64", "i386", "i486", "i586", "i686"].iter().any(|arch| triple.starts_with(arch));
        if !x86 || self.text.is_empty() || self.text.contains("-i128:128") {
            return self;
        }
        // It stands behind the mangling, pointers and integers that the line begins with.
        let specs: Vec<&str> = self.text.split('-').collect();
        let behind = specs.iter().skip(1).take_while(|spec| spec.starts_with(['m', 'p', 'i'])).count() + 1;
        let text = [&specs[..behind], &["i128:128"], &specs[behind..]].concat().join("-");
        DataLayout::parse(&text)
    }

    /// Layout of pointers in `space`; those of space 0 where nothing else is said.
    pub fn pointer(&self, space: u32) -> PointerLayout {
        let found = self.pointers.iter().find(|p| p.space == space);
        let default = || self.pointers.iter().find(|p| p.space == 0);
        found.or_else(default).copied().unwrap_or(PointerLayout { space, bits: 64, align: 8, index_bits: 64 })
    }

    /// ABI alignment in bytes of an integer.
    pub fn int_align(&self, bits: u32) -> u64 {
        // The narrowest entry that is wide enough, else the widest entry.
        let entry = self.integers.iter().find(|(width, _)| *width >= bits).or(self.integers.last());
        entry.map_or(1, |&(_, align)| align)
    }

    fn float_align(&self, kind: FloatKind) -> u64 {
        let bits = kind.bits();
        let exact = self.floats.iter().find(|(width, _)| *width == bits);
        exact.map_or_else(|| u64::from(bits / 8).next_power_of_two(), |&(_, align)| align)
    }

    fn vector_align(&self, bits: u64) -> u64 {
        let exact = self.vectors.iter().find(|(width, _)| u64::from(*width) == bits);
        exact.map_or_else(|| bits.div_ceil(8).checked_next_power_of_two().unwrap_or(1).max(1), |&(_, align)| align)
    }

    fn apply(&mut self, spec: &str) {
        let (head, rest) = spec.split_once(':').unwrap_or((spec, ""));
        let numbers = || rest.split(':').map(|n| n.parse::<u64>().ok());
        let mut chars = head.chars();
        let (kind, tail) = (chars.next(), chars.as_str());
        match kind {
            Some('e') if head == "e" => self.big_endian = false,
            Some('E') if head == "E" => self.big_endian = true,
            Some('p') => {
                // `p[flags][n]`: newer LLVM may put letters before the address space.
                let space = tail.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                let space = if space.is_empty() { Some(0) } else { space.parse().ok() };
                let values: Vec<Option<u64>> = numbers().collect();
                if let (Some(space), Some(Some(bits))) = (space, values.first()) {
                    let bits = *bits as u32;
                    let align = values.get(1).copied().flatten().unwrap_or(u64::from(bits)).max(8) / 8;
                    let index_bits = values.get(3).copied().flatten().map_or(bits, |b| b as u32);
                    self.pointers.retain(|p| p.space != space);
                    self.pointers.push(PointerLayout { space, bits, align, index_bits });
                }
            }
            Some('i' | 'f' | 'v') => {
                if let (Ok(bits), Some(Some(align))) = (tail.parse::<u32>(), numbers().next()) {
                    let table = match kind {
                        Some('i') => &mut self.integers,
                        Some('f') => &mut self.floats,
                        _ => &mut self.vectors,
                    };
                    // A byte is a byte everywhere: addresses are counted in them.
                    let align = if (kind, bits) == (Some('i'), 8) { 1 } else { (align / 8).max(1) };
                    table.retain(|(width, _)| *width != bits);
                    table.push((bits, align));
                    table.sort_unstable();
                }
            }
            Some('a') => {
                if let Some(Some(align)) = numbers().next() {
                    self.aggregate_align = (align / 8).max(1);
                }
            }
            Some('A') => self.alloca_space = tail.parse().unwrap_or(0),
            Some('G') => self.global_space = tail.parse().unwrap_or(0),
            Some('P') => self.program_space = tail.parse().unwrap_or(0),
            _ => {}
        }
    }
}

/// Size and alignment of a type in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeLayout {
    /// Bits of a value.
    pub bits: u64,
    /// Bytes that a store writes.
    pub store_size: u64,
    /// Bytes from one array element to the next.
    pub size: u64,
    /// ABI alignment in bytes.
    pub align: u64,
}

/// Size and alignment of each type of a module.
#[derive(Clone, Debug, Default)]
pub struct TypeLayouts {
    layouts: Vec<Option<TypeLayout>>,
    offsets: rustc_hash::FxHashMap<TypeId, Box<[u64]>>,
}

impl TypeLayouts {
    /// Computes the layout of every type. Types without a size (functions, opaque or endless structs) have none.
    pub fn compute(types: &Types, layout: &DataLayout) -> TypeLayouts {
        let mut result = TypeLayouts::default();
        result.extend(types, layout);
        result
    }

    /// Computes the layout of the types that came since the last call; what was known stays as it was.
    pub fn extend(&mut self, types: &Types, layout: &DataLayout) {
        let known = self.layouts.len();
        self.layouts.resize(types.len(), None);
        // Of the types that are not known yet.
        let mut state = vec![State::New; types.len() - known];
        let mut stack = Vec::new();
        for index in known..types.len() {
            stack.push(TypeId::from_index(index));
            // Depth-first with a stack of our own: chains of named structs can be as long as the file.
            while let Some(&ty) = stack.last() {
                let new = ty.index() - known;
                match state[new] {
                    State::New => {
                        state[new] = State::Open;
                        types.for_each_part(ty, |part| {
                            let is_new = part.index().checked_sub(known).is_some_and(|i| state[i] == State::New);
                            if is_new {
                                stack.push(part);
                            }
                        });
                    }
                    State::Open => {
                        state[new] = State::Done;
                        self.layouts[ty.index()] = self.compute_one(types, layout, ty);
                        stack.pop();
                    }
                    State::Done => {
                        stack.pop();
                    }
                }
            }
        }
    }

    /// Whether the layout of a type was computed, with or without a size as the result.
    pub fn knows(&self, ty: TypeId) -> bool {
        ty.index() < self.layouts.len()
    }

    /// Layout of a type, if it has a size.
    pub fn get(&self, ty: TypeId) -> Option<TypeLayout> {
        self.layouts.get(ty.index()).copied().flatten()
    }

    /// Byte offset of each field of a struct.
    pub fn offsets(&self, ty: TypeId) -> Option<&[u64]> {
        self.offsets.get(&ty).map(|o| &**o)
    }

    /// Byte offset of element `index` of an array, vector or struct, with the element's type.
    pub fn element_offset(&self, types: &Types, ty: TypeId, index: i64) -> Option<(i64, TypeId)> {
        match types.resolve(ty) {
            Type::Array(element, _) | Type::Vector { element, scalable: false, .. } => {
                let size = i64::try_from(self.get(*element)?.size).ok()?;
                Some((size.checked_mul(index)?, *element))
            }
            Type::Struct { fields, .. } => {
                let index = usize::try_from(index).ok()?;
                let offset = *self.offsets(ty)?.get(index)?;
                Some((i64::try_from(offset).ok()?, *fields.get(index)?))
            }
            _ => None,
        }
    }

    fn compute_one(&mut self, types: &Types, layout: &DataLayout, ty: TypeId) -> Option<TypeLayout> {
        match &types[ty] {
            Type::Int(bits) => scalar(u64::from(*bits), layout.int_align(*bits)),
            Type::Float(kind) => scalar(u64::from(kind.bits()), layout.float_align(*kind)),
            Type::Ptr(space) => {
                let pointer = layout.pointer(*space);
                scalar(u64::from(pointer.bits), pointer.align)
            }
            Type::Array(element, count) => {
                let element = self.get(*element)?;
                aggregate(element.size.checked_mul(*count)?, element.align)
            }
            Type::Vector { element, count, scalable: false } => {
                let bits = self.get(*element)?.bits.checked_mul(*count)?;
                scalar(bits, layout.vector_align(bits))
            }
            Type::Struct { fields, packed } => {
                let (mut offset, mut align) = (0u64, if *packed { 1 } else { layout.aggregate_align });
                let mut offsets = Vec::with_capacity(fields.len());
                for field in fields {
                    let field = self.get(*field)?;
                    if !packed {
                        offset = offset.checked_next_multiple_of(field.align)?;
                        align = align.max(field.align);
                    }
                    offsets.push(offset);
                    offset = offset.checked_add(field.size)?;
                }
                let layout = aggregate(offset.checked_next_multiple_of(align)?, align)?;
                self.offsets.insert(ty, offsets.into());
                Some(layout)
            }
            Type::Named(id) => {
                let body = types.named[*id].body?;
                if let Some(offsets) = self.offsets.get(&body) {
                    let offsets = offsets.clone();
                    self.offsets.insert(ty, offsets);
                }
                self.get(body)
            }
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// Largest object in bytes, so that sums of a few sizes and sizes in bits fit a number.
const MAX_SIZE: u64 = 1 << 56;

fn scalar(bits: u64, align: u64) -> Option<TypeLayout> {
    let align = align.max(1);
    let store_size = bits.div_ceil(8);
    let size = store_size.checked_next_multiple_of(align).filter(|size| *size <= MAX_SIZE)?;
    Some(TypeLayout { bits, store_size, size, align })
}

fn aggregate(size: u64, align: u64) -> Option<TypeLayout> {
    (size <= MAX_SIZE).then(|| TypeLayout { bits: size * 8, store_size: size, size, align })
}

#[cfg(test)]
mod tests {
    use super::*;

    const X86: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

    #[test]
    fn scalars_follow_the_layout_line() {
        let mut types = Types::default();
        let [i1, i24, i64, i128] = [1, 24, 64, 128].map(|b| types.int(b));
        let x87 = types.intern(Type::Float(FloatKind::X86Fp80));
        let ptr = types.ptr();
        let ptr32 = types.intern(Type::Ptr(270));
        let layouts = TypeLayouts::compute(&types, &DataLayout::parse(X86));
        let get = |ty| layouts.get(ty).map(|l: TypeLayout| (l.store_size, l.size, l.align));
        assert_eq!(get(i1), Some((1, 1, 1)));
        assert_eq!(get(i24), Some((3, 4, 4)));
        assert_eq!(get(i64), Some((8, 8, 8)));
        assert_eq!(get(i128), Some((16, 16, 16)));
        assert_eq!(get(x87), Some((10, 16, 16)));
        assert_eq!(get(ptr), Some((8, 8, 8)));
        assert_eq!(get(ptr32), Some((4, 4, 4)));
    }

    #[test]
    fn old_layouts_of_x86_are_corrected() {
        let old = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";
        let check = |triple, expect| assert_eq!(DataLayout::parse(old).upgraded(triple).text, expect);
        check("x86_64-pc-linux-gnu", X86);
        check("aarch64-unknown-linux-gnu", old);
        assert_eq!(DataLayout::parse(X86).upgraded("x86_64-pc-linux-gnu").text, X86);
        assert_eq!(DataLayout::parse(old).upgraded("x86_64-x").int_align(128), 16);
        assert_eq!(DataLayout::parse(old).int_align(128), 8);
    }

    #[test]
    fn structs_have_padding_unless_packed() {
        let mut types = Types::default();
        let [i8, i32, i64] = [8, 32, 64].map(|b| types.int(b));
        let fields: Box<[TypeId]> = [i8, i64, i32].into();
        let loose = types.intern(Type::Struct { fields: fields.clone(), packed: false });
        let tight = types.intern(Type::Struct { fields, packed: true });
        let layouts = TypeLayouts::compute(&types, &DataLayout::parse(X86));
        assert_eq!(layouts.offsets(loose), Some(&[0, 8, 16][..]));
        assert_eq!(layouts.get(loose).map(|l| l.size), Some(24));
        assert_eq!(layouts.offsets(tight), Some(&[0, 1, 9][..]));
        assert_eq!(layouts.get(tight).map(|l| l.size), Some(13));
    }

    #[test]
    fn endless_and_overflowing_types_have_no_size() {
        let mut types = Types::default();
        let mut strings = crate::id::Strings::default();
        let name = strings.intern_str("loop");
        let id = types.named.push(crate::types::NamedType { name, body: None });
        let named = types.intern(Type::Named(id));
        let body = types.intern(Type::Struct { fields: [named].into(), packed: false });
        types.named[id].body = Some(body);
        let i64 = types.int(64);
        let huge = types.intern(Type::Array(i64, u64::MAX));
        let layouts = TypeLayouts::compute(&types, &DataLayout::default());
        assert_eq!(layouts.get(named), None);
        assert_eq!(layouts.get(body), None);
        assert_eq!(layouts.get(huge), None);
    }
}
