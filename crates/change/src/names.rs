//! What symbols are called in both versions.

use ir::demangle::demangle;
use ir::id::SymbolId;
use ir::module::{Module, SymbolKind};
use std::borrow::Cow;

/// The name of a symbol without what changes when nothing else does: the hash in a Rust name, and that pointers are
/// pointers in that of an intrinsic. C++ names stay mangled, because the variants of a constructor share their readable
/// name.
pub(crate) fn stable_name(module: &Module, symbol: SymbolId) -> Cow<'_, str> {
    let name = module.symbol_name(symbol);
    if is_rust(name) {
        Cow::Owned(demangle(name))
    } else if is_intrinsic(module, symbol) && name.contains(".p0") {
        Cow::Owned(name.split('.').filter(|part| *part != "p0").collect::<Vec<_>>().join("."))
    } else {
        Cow::Borrowed(name)
    }
}

/// Which instance of a generic Rust function it is, as debug info says it (`push<u32>`); names of symbols have only a hash.
pub(crate) fn instance(module: &Module, symbol: SymbolId) -> Option<String> {
    let SymbolKind::Function(id) = module.symbols[symbol].kind else { return None };
    let scope = module.functions[id].scope.filter(|_| is_rust(module.symbol_name(symbol)))?;
    // Closures are counted, and the numbers change with every new one.
    let name = Some(module.str(module.debug.scopes[scope].name?)).filter(|name| !name.contains('{'))?;
    // A single file is a crate of that name, and versions may be files of different names.
    let file = file_name(unit_source(module, symbol));
    let own = file.split('.').next().unwrap_or(file).replace('-', "_");
    let mut parts = name.split("::").peekable();
    let mut text = String::new();
    while let Some(part) = parts.next() {
        let before = part.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        let is_own = parts.peek().is_some() && part[before.len()..] == own;
        text.push_str(if is_own { before } else { part });
        text.push_str("::");
    }
    Some(text)
}

/// How many components two paths have in common, from the last one on. Versions lie in different directories.
pub(crate) fn common_tail(left: &str, right: &str) -> usize {
    let parts = |path| str::split(path, ['/', '\\']).rev().filter(|part| !part.is_empty() && *part != ".");
    parts(left).zip(parts(right)).take_while(|(l, r)| l == r).count()
}

/// The last component of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The source file of the unit that a symbol comes from.
pub(crate) fn unit_source(module: &Module, symbol: SymbolId) -> &str {
    module.units.get(module.symbols[symbol].unit).map_or("", |unit| module.str(unit.source))
}

/// Whether a symbol is a function that LLVM itself defines.
pub(crate) fn is_intrinsic(module: &Module, symbol: SymbolId) -> bool {
    matches!(module.symbols[symbol].kind, SymbolKind::Function(_)) && module.symbol_name(symbol).starts_with("llvm.")
}

/// Whether the name has Rust's mangling, of which the older form is C++'s with a hash behind.
fn is_rust(name: &str) -> bool {
    let legacy = |name: &str| {
        let end = name.split_once(".llvm.").map_or(name, |(name, _)| name);
        let hash = end.strip_suffix('E').and_then(|end| end.get(end.len().checked_sub(19)?..));
        name.starts_with("_ZN")
            && hash.and_then(|hash| hash.strip_prefix("17h")).is_some_and(|h| h.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    name.starts_with("_R") || legacy(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_names_are_told_from_others() {
        let check = |name, expect| assert_eq!(is_rust(name), expect, "{name}");
        check("_ZN4core6option15Option$LT$T$GT$11map_or_else17h0e51d86851ed01e0E", true);
        check("_ZN1t1g17hb1288e78c7660035E.llvm.1234567890", true);
        check("_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check", true);
        check("_ZN5ShapeD2Ev", false);
        check("_ZN", false);
        check("main", false);
        check("17h", false);
        check("_ZN\u{e9}17h0e51d86851ed01e0E", true);
    }

    #[test]
    #[allow(clippy::unwrap_used)]
    fn instances_of_generic_functions() {
        let text = "source_filename = \"old.abc-cgu.0\"\n\
            define void @_ZN3old1f17h0123456789abcdefE() unnamed_addr !dbg !2 { ret void }\n\
            define void @plain() !dbg !3 { ret void }\n\
            !llvm.dbg.cu = !{!0}\n\
            !0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, emissionKind: FullDebug)\n\
            !1 = !DIFile(filename: \"old.rs\", directory: \"/\")\n\
            !2 = distinct !DISubprogram(name: \"f<old::P, (u8, cold::Q)>\", scope: !1, file: !1, unit: !0)\n\
            !3 = distinct !DISubprogram(name: \"plain\", scope: !1, file: !1, unit: !0)\n";
        let module = ir::parse::parse(text).unwrap();
        let found: Vec<Option<String>> = module.symbols.ids().map(|symbol| instance(&module, symbol)).collect();
        assert!(found.contains(&Some("f<::P, (u8, cold::Q)>::".to_owned())), "{found:?}");
        assert_eq!(found.iter().flatten().count(), 1);
    }

    #[test]
    fn paths_agree_from_their_end() {
        let check = |left, right, expect| assert_eq!(common_tail(left, right), expect, "{left} {right}");
        check("/a/old/src/x.c", "/b/new/src/x.c", 2);
        check("x.c", "./x.c", 1);
        check("x.c", "y.c", 0);
        check("", "", 0);
    }
}
