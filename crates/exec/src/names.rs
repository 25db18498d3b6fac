//! Names of symbols in a program that is made of two versions.
//!
//! Whatever a version defines has a mark before its name there, so that both can have it. Models that know functions and types
//! by their names look behind it.

use ir::id::FuncId;
use ir::module::Module;

/// What stands before and behind version and number of a symbol, which stand before its name.
pub const MARK: char = '\u{1}';

/// The name that a symbol has in its own version.
pub fn unmarked(name: &str) -> &str {
    match name.strip_prefix(MARK) {
        Some(rest) => rest.split_once(MARK).map_or(rest, |(_, name)| name),
        None => name,
    }
}

/// What a version is called in the mark of a symbol.
pub const OLD: char = 'o';
/// The same for the new version.
pub const NEW: char = 'n';

/// Whether a symbol is one of the old version.
pub fn is_old(name: &str) -> bool {
    name.strip_prefix(MARK).is_some_and(|rest| rest.starts_with(OLD))
}

/// The name of a function as the user wrote it, whatever version it is of.
pub(crate) fn demangled(module: &Module, function: FuncId) -> String {
    ir::demangle::demangle(unmarked(module.function_name(function)))
}
