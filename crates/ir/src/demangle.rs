//! Names as the user wrote them, from names as the linker sees them.
//!
//! Nothing here fails: a name that cannot be demangled is shown as it is.

use std::fmt::{self, Write};

use crate::id::FuncId;
use crate::module::Module;
use crate::parse::lexer::unescape;

/// Longest symbol that is demangled, in bytes.
const MAX_SYMBOL: usize = 4096;

/// Longest result, in bytes: references inside a mangled name can make it grow exponentially.
const MAX_RESULT: usize = 1 << 16;

/// The readable name of a symbol: C++ and Rust names are demangled, the hash of a Rust name is dropped.
/// `symbol` is a name as the model keeps it, escapes not resolved.
pub fn demangle(symbol: &str) -> String {
    let name = plain_name(symbol);
    if name.len() > MAX_SYMBOL {
        return name;
    }
    // Rust first: its older names look like C++ ones.
    rust_name(&name).or_else(|| cpp_name(&name)).unwrap_or(name)
}

/// The path that a Rust symbol stands for, without its hash; nothing if it is no symbol of Rust.
pub fn rust_path(symbol: &str) -> Option<String> {
    rust_name(&plain_name(symbol)).filter(|_| symbol.len() <= MAX_SYMBOL)
}

/// The name to show for a function: demangled, unless it is written in C.
pub fn function_display_name(module: &Module, id: FuncId) -> String {
    let symbol = &module.symbols[module.functions[id].symbol];
    let language = module.units.get(symbol.unit).and_then(|unit| unit.language);
    match language {
        Some(language) if is_c(module.str(language)) => plain_name(module.str(symbol.name)),
        _ => demangle(module.str(symbol.name)),
    }
}

/// The same with the types that an instance of a generic Rust function is for, as debug info has them: `m::conv<u8>`. The
/// older names of Rust have only a hash of them.
pub fn instance_display_name(module: &Module, id: FuncId) -> String {
    let mut name = function_display_name(module, id);
    let scope = module.functions[id].scope.and_then(|scope| module.debug.scopes[scope].name);
    let scope = scope.map(|name| module.str(name)).unwrap_or_default();
    if let Some((plain, types)) = scope.find('<').map(|at| scope.split_at(at))
        && name.strip_suffix(plain).is_some_and(|path| path.ends_with("::"))
    {
        name.push_str(types);
    }
    name
}

/// The name in the object file: escapes resolved, without the byte 1 that keeps LLVM from changing it.
fn plain_name(symbol: &str) -> String {
    let bytes = if symbol.contains('\\') { unescape(symbol) } else { symbol.as_bytes().to_vec() };
    let bytes = bytes.strip_prefix(b"\x01").unwrap_or(&bytes);
    String::from_utf8_lossy(bytes).into_owned()
}

fn rust_name(name: &str) -> Option<String> {
    let demangled = rustc_demangle::try_demangle(name).ok()?;
    let mut result = Bounded(String::new());
    write!(result, "{demangled:#}").ok()?;
    Some(result.0)
}

fn cpp_name(name: &str) -> Option<String> {
    if !name.trim_start_matches('_').starts_with('Z') {
        return None;
    }
    let symbol = cpp_demangle::Symbol::new(name).ok()?;
    let mut result = Bounded(String::new());
    symbol.structured_demangle(&mut result, &cpp_demangle::DemangleOptions::default()).ok()?;
    Some(as_written(result.0))
}

/// Names of the C++ library as people write them: `std::string`, and without allocators that say nothing.
fn as_written(name: String) -> String {
    const NAMES: [(&str, &str); 4] = [
        ("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"),
        ("std::basic_string_view<char, std::char_traits<char> >", "std::string_view"),
        ("std::basic_ostream<char, std::char_traits<char> >", "std::ostream"),
        ("[abi:cxx11]", ""),
    ];
    const ALLOCATOR: &str = ", std::allocator<";
    let mut name = name;
    for (long, short) in NAMES {
        if name.contains(long) {
            name = name.replace(long, short);
        }
    }
    let mut from = 0;
    while let Some(start) = name[from..].find(ALLOCATOR).map(|at| from + at) {
        let mut depth = 1;
        let inner = start + ALLOCATOR.len();
        let end = name[inner..].bytes().position(|byte| {
            depth += i32::from(byte == b'<') - i32::from(byte == b'>');
            depth == 0
        });
        let Some(end) = end.map(|end| inner + end + 1) else { break };
        let rest = name[end..].trim_start();
        if rest.starts_with('>') {
            let space = if name[..start].ends_with('>') { " " } else { "" };
            name = format!("{}{space}{rest}", &name[..start]);
        } else {
            from = end;
        }
    }
    name
}

/// Whether debug info names C, of any year, as the language.
fn is_c(language: &str) -> bool {
    let year = language.strip_prefix("DW_LANG_C").or(language.strip_prefix("DW_LNAME_C"));
    year.is_some_and(|year| year.bytes().all(|b| b.is_ascii_digit()))
}

/// A string that refuses to grow beyond the longest result.
struct Bounded(String);

impl Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_RESULT {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(symbol: &str, expect: &str) {
        assert_eq!(demangle(symbol), expect);
    }

    #[test]
    fn rust_names_lose_their_hash() {
        check(
            "_ZN4core6option15Option$LT$T$GT$11map_or_else17h0e51d86851ed01e0E",
            "core::option::Option<T>::map_or_else",
        );
        check(
            "_ZN5alloc3str56_$LT$impl$u20$alloc..borrow..ToOwned$u20$for$u20$str$GT$8to_owned17h214696feda0c6b61E",
            "alloc::str::<impl alloc::borrow::ToOwned for str>::to_owned",
        );
        check("_ZN1t1g17hb1288e78c7660035E.llvm.1234567890", "t::g");
        check("_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check", "core::panicking::panic_bounds_check");
        check(
            "_RNvMs4_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner15try_allocate_inCsduwmD7cSIQq_5gimli",
            "<alloc::raw_vec::RawVecInner>::try_allocate_in",
        );
    }

    #[test]
    fn cpp_names_have_their_parameters() {
        check("_Z3addii", "add(int, int)");
        check("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int>::push_back(int&&)");
        check("_ZNSt6vectorIS_IiSaIiEESaIS1_EE5clearEv", "std::vector<std::vector<int> >::clear()");
        check("_Z1fB5cxx11NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", "f(std::string)");
        check("_ZTV5Shape", "{vtable(Shape)}");
        check("_ZN5ShapeD2Ev", "Shape::~Shape()");
        check("_ZNK3$_0clEv", "$_0::operator()() const");
    }

    #[test]
    fn other_names_stay() {
        check("main", "main");
        check("_Zfoo", "_Zfoo");
        check("_Z", "_Z");
        check("", "");
        check("_start", "_start");
        check("llvm.memcpy.p0.p0.i64", "llvm.memcpy.p0.p0.i64");
    }

    #[test]
    fn escapes_and_the_no_mangling_mark_go() {
        check("\\01_fopen", "_fopen");
        check("\\01_Z3addii", "add(int, int)");
        check("na\\C3\\AFve", "naïve");
        check("a\\FFb", "a\u{fffd}b");
    }

    #[test]
    fn overlong_and_hostile_names_are_left_alone() {
        let long = format!("_Z{}", "N".repeat(5000));
        check(&long, &long);
        let deep = format!("_Z1f{}i", "P".repeat(2000));
        check(&deep, &deep);
        // Each parameter is twice as long as the one before.
        let mut doubling = "_Z1fSt4pairIiiE".to_string();
        for back in ('0'..='9').chain('A'..='F') {
            doubling.push_str(&format!("S_IS{back}_S{back}_E"));
        }
        check(&doubling, &doubling);
    }

    #[test]
    fn c_has_its_own_language_names() {
        for (language, expect) in
            [("DW_LANG_C11", true), ("DW_LANG_C", true), ("DW_LANG_C_plus_plus_14", false), ("DW_LANG_Rust", false)]
        {
            assert_eq!(is_c(language), expect, "{language}");
        }
    }
}
