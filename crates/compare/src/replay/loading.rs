//! What of a program would run, or decide what runs, before the wall around a case stands.
//!
//! Constructors that the program declares wait for their case (see [`super::instrument`]). What is left are ways around that:
//! sections that loaders and start-up code look into, symbols that the loader calls to find out what they are, and symbols that the
//! runtime or start-up code would find in place of the C library's. A program that has such a thing is not run. All other symbols of a
//! program are hidden from libraries, which would call them while they are loaded.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use object::read::elf::{ElfFile64, SectionHeader, Sym};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolFlags, elf};

use super::compile::RUNTIME;

/// What of an object file would take part in loading it, if anything does. A file that cannot be read is told as such.
pub fn takes_part(object: &[u8]) -> Option<String> {
    let Ok(file) = ElfFile64::<Endianness>::parse(object) else {
        return Some("an object file of another form".to_owned());
    };
    let endian = file.endian();
    for section in file.sections() {
        let kind = section.elf_section_header().sh_type(endian);
        let name = section.name_bytes().unwrap_or(b".init");
        if is_of_loaders(kind) || OF_LOADERS.iter().any(|reserved| is_part_of(name, reserved)) {
            return Some(format!("a section `{}`", name.escape_ascii()));
        }
    }
    let resolved = file.symbols().find(|symbol| match symbol.flags() {
        SymbolFlags::Elf { st_info, .. } => st_info.0 & 0xf == elf::STT_GNU_IFUNC.0,
        _ => false,
    });
    if let Some(symbol) = resolved {
        return Some(format!("`{}`, which the loader calls", symbol.name_bytes().unwrap_or(b"?").escape_ascii()));
    }
    let mut names = file.symbols().filter(is_visible).map(|symbol| symbol.name().unwrap_or("?"));
    names.find(|name| is_called_from_outside(name)).map(|name| format!("`{name}`, which the driver calls"))
}

/// Whether other object files find a symbol.
fn is_visible<'a>(symbol: &impl ObjectSymbol<'a>) -> bool {
    !symbol.is_undefined() && !symbol.is_local()
}

/// Whether the runtime or start-up code uses a symbol that the C library brings.
pub fn is_called_from_outside(name: &str) -> bool {
    static OF_RUNTIME: OnceLock<BTreeSet<String>> = OnceLock::new();
    let of_runtime = OF_RUNTIME.get_or_init(|| {
        let Ok(file) = ElfFile64::<Endianness>::parse(RUNTIME) else { return BTreeSet::new() };
        let undefined = file.symbols().filter(|symbol| symbol.is_undefined());
        let names = undefined.filter_map(|symbol| Some(symbol.name().ok()?.to_owned()));
        names.filter(|name| !name.is_empty() && !name.starts_with(super::OWN_PREFIX)).collect()
    });
    of_runtime.contains(name) || OF_START.contains(&name)
}

/// What start-up code of compilers and of the C library uses.
const OF_START: [&str; 15] = [
    "__libc_start_main",
    "__libc_csu_init",
    "__libc_csu_fini",
    "__gmon_start__",
    "__cxa_finalize",
    "__dso_handle",
    "__register_frame_info",
    "__deregister_frame_info",
    "__stack_chk_fail",
    "_ITM_registerTMCloneTable",
    "_ITM_deregisterTMCloneTable",
    "_Jv_RegisterClasses",
    "_dl_relocate_static_pie",
    "_init",
    "_fini",
];

/// Hides all symbols of an object file from the libraries that its program is loaded with.
pub fn hide(object: &mut [u8]) {
    for place in visibilities(object).unwrap_or_default() {
        if let Some(byte) = object.get_mut(place) {
            *byte = *byte & !VISIBILITY | elf::STV_HIDDEN.0;
        }
    }
}

/// The bits of a symbol that say who sees it.
const VISIBILITY: u8 = 3;

/// Where the object file says of its symbols who sees them.
fn visibilities(object: &[u8]) -> Option<Vec<usize>> {
    let file = ElfFile64::<Endianness>::parse(object).ok()?;
    let table = file.elf_symbol_table();
    let start = table.symbols().as_ptr() as usize - object.as_ptr() as usize;
    let size = size_of::<elf::Sym64<Endianness>>();
    let shown = |(_, symbol): &(usize, &elf::Sym64<Endianness>)| {
        !symbol.is_undefined(file.endian())
            && symbol.st_bind() != elf::STB_LOCAL
            && symbol.st_visibility() != elf::STV_INTERNAL
    };
    Some(table.symbols().iter().enumerate().filter(shown).map(|(at, _)| start + at * size + OTHER).collect())
}

/// Where in a symbol the byte is that says who sees it.
const OTHER: usize = 5;

/// Whether loaders and linkers make something of all sections of a kind.
fn is_of_loaders(kind: elf::SectionType) -> bool {
    matches!(
        kind,
        elf::SHT_INIT_ARRAY
            | elf::SHT_FINI_ARRAY
            | elf::SHT_PREINIT_ARRAY
            | elf::SHT_DYNAMIC
            | elf::SHT_DYNSYM
            | elf::SHT_HASH
            | elf::SHT_GNU_HASH
            | SHT_LLVM_DEPENDENT_LIBRARIES
    )
}

/// Libraries to link with, named by the object.
const SHT_LLVM_DEPENDENT_LIBRARIES: elf::SectionType = elf::SectionType(0x6fff_4c04);

/// Names of sections that start-up code, loaders or linkers look into, whatever kind they say they are.
const OF_LOADERS: [&[u8]; 14] = [
    b".init",
    b".fini",
    b".init_array",
    b".fini_array",
    b".preinit_array",
    b".ctors",
    b".dtors",
    b".interp",
    b".dynamic",
    b".dynsym",
    b".got",
    b".plt",
    b".iplt",
    b".deplibs",
];

/// Whether a section has that name, or belongs to those of that name.
fn is_part_of(name: &[u8], reserved: &[u8]) -> bool {
    name.strip_prefix(reserved).is_some_and(|rest| rest.is_empty() || rest[0] == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_a_priority_belong_to_those_without() {
        assert!(is_part_of(b".init_array.00101", b".init_array"));
        assert!(is_part_of(b".ctors", b".ctors"));
        assert!(!is_part_of(b".initial", b".init"));
        assert!(!is_part_of(b".text.init", b".init"));
    }

    #[test]
    fn what_is_no_object_file_takes_part() {
        assert!(takes_part(b"").is_some());
        assert!(takes_part(b"\x7fELF").is_some());
    }
}
