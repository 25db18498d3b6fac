//! Initial contents of variables, as the bytes that they are.
//!
//! Two initialisers that fill memory alike are equal, however their types and aggregates are written: zeros are left out,
//! everything else is put at its offset.

use crate::canon::{Canon, MAX_DEPTH};
use crate::digest::{Digest, Hasher};
use ir::constant::ConstKind;
use ir::id::{ConstId, SymbolId, TypeId};
use ir::module::{Global, Module, SymbolKind};
use ir::types::Type;

/// The digest of a variable's size, alignment and initial contents.
///
/// Where a Rust panic came from is a constant too; its line and column shift when nothing but a comment changes, and its
/// file is called something else where two files are compared, so that only its message counts, which is another constant.
pub(crate) fn contents(canon: &Canon<'_>, symbol: SymbolId) -> Digest {
    let module = canon.module;
    let SymbolKind::Variable(id) = module.symbols[symbol].kind else { return Digest::default() };
    let global = &module.globals[id];
    let mut hasher = Hasher::new("contents");
    hasher.digest(canon.place(global.ty));
    hasher.word(global.align.map_or(0, |align| u64::from(align.0) + 1));
    let Some(initializer) = global.initializer else { return hasher.finish() };
    if is_panic_location(canon, symbol) {
        hasher.text("location");
    } else if let Some(file) = bytes(module, initializer).and_then(|bytes| canon.source_file(bytes)) {
        // Its length is that of a path which may differ.
        let mut hasher = Hasher::new("file");
        hasher.text(file);
        return hasher.finish();
    } else {
        let mut image = Image { canon, hasher, word: None };
        image.fill(initializer);
        hasher = image.hasher;
    }
    hasher.finish()
}

/// The digest of all that a variable is to those who use it.
pub(crate) fn variable(canon: &Canon<'_>, symbol: SymbolId, global: &Global) -> Digest {
    let properties = &canon.module.symbols[symbol];
    let mut hasher = Hasher::new("variable");
    hasher.digest(contents(canon, symbol));
    hasher.word(u64::from(global.initializer.is_some()));
    hasher.word(u64::from(global.constant));
    hasher.word(u64::from(global.externally_initialized));
    hasher.word(u64::from(global.address_space));
    hasher.word(u64::from(properties.thread_local.is_some()));
    hasher.word(crate::canon::linkage_class(properties.linkage));
    hasher.text(global.section.map_or("", |section| canon.module.str(section)));
    hasher.finish()
}

/// Writes a constant into memory, ascending.
struct Image<'c, 'm> {
    canon: &'c Canon<'m>,
    hasher: Hasher,
    /// The eight bytes that are being written, and which they are.
    word: Option<(u64, u64)>,
}

impl Image<'_, '_> {
    fn fill(&mut self, constant: ConstId) {
        let module = self.canon.module;
        let mut stack = vec![(constant, 0u64)];
        while let Some((id, offset)) = stack.pop() {
            let constant = &module.consts[id];
            let size = module.type_layouts.get(constant.ty).map(|layout| layout.store_size);
            match &constant.kind {
                ConstKind::Zero => {}
                ConstKind::Null if matches!(module.types[constant.ty], Type::Ptr(0)) => {}
                ConstKind::Int(value) | ConstKind::Float(value) if size.is_some_and(|size| size <= 16) => {
                    self.number(*value, size.unwrap_or(0), offset);
                }
                ConstKind::Bytes(bytes) => self.bytes(bytes.iter().copied(), offset),
                ConstKind::Aggregate(parts) => {
                    let from = stack.len();
                    for (index, part) in parts.iter().enumerate() {
                        match element_offset(module, constant.ty, index) {
                            Some(distance) => stack.push((*part, offset.wrapping_add(distance))),
                            None => {
                                stack.truncate(from);
                                self.other(id, offset);
                                break;
                            }
                        }
                    }
                    stack[from..].reverse();
                }
                _ => self.other(id, offset),
            }
        }
        self.flush();
    }

    fn number(&mut self, value: u128, size: u64, offset: u64) {
        let size = size as usize;
        if self.canon.module.layout.big_endian {
            let bytes = value.to_be_bytes();
            self.bytes(bytes[16 - size.min(16)..].iter().copied(), offset);
        } else {
            let bytes = value.to_le_bytes();
            self.bytes(bytes[..size.min(16)].iter().copied(), offset);
        }
    }

    fn bytes(&mut self, bytes: impl Iterator<Item = u8>, offset: u64) {
        for (at, byte) in (offset..).zip(bytes) {
            if byte == 0 {
                continue;
            }
            let place = at / 8;
            let shifted = u64::from(byte) << (at % 8 * 8);
            match &mut self.word {
                Some((current, word)) if *current == place => *word |= shifted,
                _ => {
                    self.flush();
                    self.word = Some((place, shifted));
                }
            }
        }
    }

    /// What is not known as bytes: an address, an undefined value.
    fn other(&mut self, constant: ConstId, offset: u64) {
        self.flush();
        self.hasher.word(1);
        self.hasher.word(offset);
        self.hasher.digest(self.canon.constant_parts_first(constant, MAX_DEPTH));
    }

    fn flush(&mut self) {
        if let Some((place, word)) = self.word.take() {
            self.hasher.word(0);
            self.hasher.word(place);
            self.hasher.word(word);
        }
    }
}

/// Where an element of an array or struct lies; vectors are packed bit by bit, so they are left alone.
fn element_offset(module: &Module, ty: TypeId, index: usize) -> Option<u64> {
    if matches!(module.types.resolve(ty), Type::Vector { .. }) {
        return None;
    }
    let (offset, _) = module.type_layouts.element_offset(&module.types, ty, i64::try_from(index).ok()?)?;
    u64::try_from(offset).ok()
}

/// Whether a variable is a `core::panic::Location`: a pointer to the name of a source file, then its length, a line and a
/// column.
pub(crate) fn is_panic_location(canon: &Canon<'_>, symbol: SymbolId) -> bool {
    let SymbolKind::Variable(id) = canon.module.symbols[symbol].kind else { return false };
    canon.module.globals[id].initializer.is_some_and(|initializer| holds_location(canon, initializer).unwrap_or(false))
}

fn holds_location(canon: &Canon<'_>, initializer: ConstId) -> Option<bool> {
    let module = canon.module;
    let ConstKind::Aggregate(parts) = &module.consts[initializer].kind else { return None };
    let [name, rest] = **parts else { return None };
    let ConstKind::Symbol(name) = module.consts[name].kind else { return None };
    let SymbolKind::Variable(name) = module.symbols[name].kind else { return None };
    let text = bytes(module, module.globals[name].initializer?)?;
    canon.source_file(text)?;
    let text = text.strip_suffix(b"\0").unwrap_or(text);
    let rest = bytes(module, rest)?;
    let length_bytes = rest.len().checked_sub(8)?;
    let pointer_bytes = module.layout.pointer(0).bits as usize / 8;
    let mut length = [0; 8];
    length.get_mut(..length_bytes)?.copy_from_slice(&rest[..length_bytes]);
    if module.layout.big_endian || length_bytes != pointer_bytes || !module.globals[name].constant {
        return None;
    }
    Some(text.ends_with(b".rs") && u64::from_le_bytes(length) == text.len() as u64)
}

fn bytes(module: &Module, constant: ConstId) -> Option<&[u8]> {
    match &module.consts[constant].kind {
        ConstKind::Bytes(bytes) => Some(bytes),
        _ => None,
    }
}
