//! Which attributes a change of behaviour can come from.
//!
//! Everything counts but what is named here. Left out are attributes that only promise something to the optimiser and
//! that compilers add or leave out at will, and those that say how to generate code, not what it does.

use crate::digest::{Digest, Hasher};
use ir::attrs::{Attr, AttrFlag, AttrSet};
use ir::id::TypeId;
use ir::module::Module;

/// What every processor that runs x86-64 code has. Which of these a compiler names differs between its versions; all
/// others may change results (`fma` does).
const X86_64_BASELINE: [&str; 7] = ["+cmov", "+cx8", "+fxsr", "+mmx", "+sse", "+sse2", "+x87"];

/// The digest of a set of attributes, in whatever order they are written. `place` tells a type as memory.
pub(crate) fn digest(module: &Module, set: &AttrSet, place: impl Fn(TypeId) -> Digest) -> Digest {
    let mut parts: Vec<Digest> = set.0.iter().filter_map(|attr| attribute(module, attr, &place)).collect();
    parts.sort_unstable();
    parts.dedup();
    let mut hasher = Hasher::new("attributes");
    hasher.word(parts.len() as u64);
    parts.iter().for_each(|part| hasher.digest(*part));
    hasher.finish()
}

fn attribute(module: &Module, attr: &Attr, place: &impl Fn(TypeId) -> Digest) -> Option<Digest> {
    let mut hasher = Hasher::new("attribute");
    let hash = &mut hasher;
    match *attr {
        Attr::Flag(flag) if is_noise(flag) => return None,
        // How much may be read follows from the type behind the pointer, of which the function may use a part only.
        Attr::Dereferenceable(_) | Attr::DereferenceableOrNull(_) | Attr::Group(_) => return None,
        Attr::Flag(flag) => hash.text(flag.keyword()),
        Attr::Align(bytes) => words(hash, &[1, bytes]),
        Attr::AlignStack(bytes) => words(hash, &[2, bytes]),
        Attr::Sret(ty) => typed(hash, 3, place(ty)),
        Attr::ByVal(ty) => typed(hash, 4, place(ty)),
        Attr::ByRef(ty) => typed(hash, 5, place(ty)),
        Attr::InAlloca(ty) => typed(hash, 6, place(ty)),
        Attr::ElementType(ty) => typed(hash, 7, place(ty)),
        Attr::Range { width, low, high } => {
            words(hash, &[8, u64::from(width)]);
            hash.wide(low);
            hash.wide(high);
        }
        Attr::Memory(effects) => words(hash, &[9, effects as u64]),
        Attr::AllocSize(size, count) => words(hash, &[10, u64::from(size), count.map_or(0, |c| u64::from(c) + 1)]),
        Attr::Text(key, value) => {
            let mut parts: Vec<&str> = value.map_or("", |value| module.str(value)).split(',').collect();
            if module.str(key) == "target-features" {
                parts.retain(|feature| !X86_64_BASELINE.contains(feature));
                if parts.is_empty() {
                    return None;
                }
                parts.sort_unstable();
            }
            words(hash, &[11, parts.len() as u64]);
            hash.text(module.str(key));
            parts.iter().for_each(|part| hash.text(part));
        }
    }
    Some(hasher.finish())
}

fn words(hasher: &mut Hasher, words: &[u64]) {
    words.iter().for_each(|word| hasher.word(*word));
}

fn typed(hasher: &mut Hasher, tag: u64, place: Digest) {
    hasher.word(tag);
    hasher.digest(place);
}

fn is_noise(flag: AttrFlag) -> bool {
    use AttrFlag::*;
    matches!(flag, NoUndef | UwTable | NoInline | AlwaysInline | OptNone | Cold | WillReturn | ImmArg)
}
