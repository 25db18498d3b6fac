//! What of a program would run, or decide what runs, while its driver is loaded: before the wall around a case stands.
//!
//! Constructors that the program declares wait for their case (see [`super::instrument`]). What is left are ways around that:
//! sections that loaders and start-up code look into, and symbols that the loader calls to find out what they are. A program
//! that has such a thing is not run.

use object::read::elf::{ElfFile64, SectionHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolFlags, elf};

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
    resolved.map(|symbol| format!("`{}`, which the loader calls", symbol.name_bytes().unwrap_or(b"?").escape_ascii()))
}

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
