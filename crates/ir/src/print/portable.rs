//! What LLVM versions spell differently. Newer ones read the older spelling, so that is what is printed.

use crate::attrs::Attr;
use crate::inst::Call;
use crate::module::Module;

/// How calls of a function, and its declaration, are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Role {
    /// As they are.
    #[default]
    Plain,
    /// Not at all: they only state something about pointers, or about debug info.
    Nothing,
    /// With an argument that newer versions have no more.
    Extra(Extra),
    /// As instructions that older versions know.
    ThreeWayCompare {
        /// Whether the operands are signed.
        signed: bool,
    },
    /// As they are, unless an argument refers to metadata that is not printed.
    Metadata,
}

/// An argument that newer versions have no more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extra {
    /// Its position.
    pub position: usize,
    /// Its type.
    pub ty: &'static str,
    /// The argument, as newer versions count, whose alignment it is; without one it is −1.
    pub align_of: Option<usize>,
}

impl Extra {
    /// The argument's value in a call.
    pub fn value(&self, module: &Module, call: &Call) -> i128 {
        let Some(index) = self.align_of else { return -1 };
        let attrs = call.arg_attrs.get(index).map_or(&[][..], |&id| &module.attrs[id].0);
        let align = attrs.iter().find_map(|attr| match attr {
            Attr::Align(bytes) => Some(i128::from(*bytes)),
            _ => None,
        });
        align.unwrap_or(1)
    }
}

/// The role of a function by its name and number of parameters.
pub fn role(name: &str, params: usize) -> Role {
    let Some(intrinsic) = name.strip_prefix("llvm.") else { return Role::Plain };
    let is = |family: &str| intrinsic.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let align = |position| Role::Extra(Extra { position, ty: "i32", align_of: Some(position - 1) });
    match params {
        _ if is("dbg") || is("fake.use") || is("experimental.noalias.scope.decl") => Role::Nothing,
        1 if is("lifetime.start") || is("lifetime.end") => {
            Role::Extra(Extra { position: 0, ty: "i64", align_of: None })
        }
        2 if is("scmp") || is("ucmp") => Role::ThreeWayCompare { signed: is("scmp") },
        3 if is("masked.load") || is("masked.gather") => align(1),
        3 if is("masked.store") || is("masked.scatter") => align(2),
        _ => Role::Plain,
    }
}

/// The name that all versions know a function by: some intrinsics got a suffix for the address space.
pub fn name(name: &str) -> &str {
    match name {
        "llvm.stacksave.p0" => "llvm.stacksave",
        "llvm.stackrestore.p0" => "llvm.stackrestore",
        "llvm.eh.typeid.for.p0" => "llvm.eh.typeid.for",
        "llvm.thread.pointer.p0" => "llvm.thread.pointer",
        "llvm.va_start.p0" => "llvm.va_start",
        "llvm.va_end.p0" => "llvm.va_end",
        "llvm.va_copy.p0" => "llvm.va_copy",
        _ => name,
    }
}

/// Whether a metadata operand's text refers to a numbered node. Such nodes are not printed.
pub fn refers_to_node(metadata: &str) -> bool {
    let numbered = |(i, _): (usize, &str)| metadata.as_bytes().get(i + 1).is_some_and(u8::is_ascii_digit);
    metadata.match_indices('!').any(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_go_by_whole_words_of_the_name() {
        let check = |name: &str, params, expect| assert_eq!(role(name, params), expect, "{name}");
        check("llvm.dbg.declare", 3, Role::Nothing);
        check("llvm.dbgfoo", 3, Role::Plain);
        check("dbg.declare", 3, Role::Plain);
        check("llvm.ucmp.i8.i32", 2, Role::ThreeWayCompare { signed: false });
        check("llvm.lifetime.end.p5", 1, Role::Extra(Extra { position: 0, ty: "i64", align_of: None }));
        check("llvm.lifetime.end.p5", 2, Role::Plain);
        check("llvm.masked.load.v4i32.p0", 4, Role::Plain);
    }

    #[test]
    fn only_numbered_metadata_is_missing() {
        let check = |text: &str, expect| assert_eq!(refers_to_node(text), expect, "{text}");
        check("!0", true);
        check("!{!\"rsp\", !12}", true);
        check("!{!\"rsp\"}", false);
        check("!\"round.dynamic\"", false);
    }
}
