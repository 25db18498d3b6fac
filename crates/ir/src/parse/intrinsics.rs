//! Names of intrinsics, brought to the form of opaque pointers.

use std::borrow::Cow;

/// The name that an intrinsic has today: the suffix of a pointer is its address space alone
/// (`llvm.memcpy.p0i8.p0i8.i64` was LLVM 14's name for `llvm.memcpy.p0.p0.i64`).
pub(super) fn todays_name(name: &str) -> Cow<'_, str> {
    if !name.starts_with("llvm.") || !name.split('.').any(|part| pointer_suffix(part).is_some_and(|n| n < part.len())) {
        return Cow::Borrowed(name);
    }
    let parts: Vec<&str> = name.split('.').map(|part| pointer_suffix(part).map_or(part, |end| &part[..end])).collect();
    Cow::Owned(parts.join("."))
}

/// Where the address space of `p0i8` or `v4p0i8` ends.
fn pointer_suffix(part: &str) -> Option<usize> {
    let digits = |from: usize| part[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut at = 0;
    for vector in ["nxv", "v"] {
        if part.starts_with(vector) && digits(vector.len()) > 0 {
            at = vector.len() + digits(vector.len());
            break;
        }
    }
    let rest = part[at..].strip_prefix('p')?;
    let count = digits(part.len() - rest.len());
    let end = at + 1 + count;
    // What follows must be the pointee: a type's letter, or nothing.
    let pointee = part[end..].bytes().next();
    (count > 0 && matches!(pointee, None | Some(b'i' | b'f' | b'p' | b's' | b'a' | b'v' | b'n' | b'b'))).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointees_are_dropped() {
        let check = |name, expect| assert_eq!(todays_name(name), expect);
        check("llvm.memcpy.p0i8.p0i8.i64", "llvm.memcpy.p0.p0.i64");
        check("llvm.memcpy.p0.p0.i64", "llvm.memcpy.p0.p0.i64");
        check("llvm.masked.load.v4p0i8.p0v4p0i8", "llvm.masked.load.v4p0.p0");
        check("llvm.lifetime.start.p1i8", "llvm.lifetime.start.p1");
        check("llvm.ctpop.i32", "llvm.ctpop.i32");
        check("llvm.x86.sse2.padds.p", "llvm.x86.sse2.padds.p");
        check("memcpy.p0i8", "memcpy.p0i8");
    }
}
