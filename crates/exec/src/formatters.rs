//! Formatters of Rust among the inputs: `impl Display` and its like write to one that only their caller knows.
//!
//! What is written to it is followed as output (`models/rust/format.rs`). A native run needs one that works: its table
//! of functions is the replay runtime's, which writes to standard output.

use crate::case::{Memory, Target};
use crate::rust_inputs::{field_offset, type_name};
use ir::debug::{DebugTypeKind, Language};
use ir::id::DebugTypeId;
use ir::module::Module;

/// The stream that stands for a formatter.
pub const FORMATTER: u32 = 0;

/// What the replay runtime calls the table of functions that a formatter writes with.
pub const TABLE: &str = "pathshift_formatter_table";

/// Flags of a formatter that nobody asked for anything: the fill is a space, the alignment is not said.
pub const DEFAULT_FLAGS: u32 = 0x20 | 3 << 29;

/// Where a formatter keeps what, in bytes from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Where the text goes: a pointer and a table of functions.
    pub target: u64,
    /// The same for the table.
    pub table: u64,
    /// How the text is wanted.
    pub flags: u64,
}

/// What lies where if a type is a formatter.
pub fn layout(module: &Module, ty: DebugTypeId) -> Option<Layout> {
    let debug = &module.debug;
    let ty = debug.strip(ty);
    let is_record = matches!(debug.types[ty].kind, DebugTypeKind::Record { .. });
    if !is_record || debug.types[ty].language != Language::Rust || type_name(module, ty) != "Formatter" {
        return None;
    }
    let bytes = |path: &[&str]| field_offset(module, ty, path).map(|bits| bits / 8);
    Some(Layout {
        target: bytes(&["buf", "pointer"])?,
        table: bytes(&["buf", "vtable"])?,
        flags: bytes(&["options", "flags"])?,
    })
}

/// Lets a formatter write to standard output; with default flags if nobody looked at them.
pub(crate) fn make_usable(memory: &mut Memory, layout: Layout, is_looked_at: bool) {
    let Layout { target, table, flags } = layout;
    memory.pointers.retain(|(at, _)| *at != target && *at != table);
    for at in [target, table] {
        memory.pointers.push((at, Target::Symbol { name: TABLE.to_owned(), offset: 0 }));
    }
    memory.pointers.sort_by_key(|(at, _)| *at);
    if !is_looked_at && let Some(bytes) = memory.bytes.get_mut(flags as usize..flags as usize + 4) {
        bytes.copy_from_slice(&DEFAULT_FLAGS.to_le_bytes());
    }
}
