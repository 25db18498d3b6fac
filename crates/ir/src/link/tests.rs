#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::id::UnitId;
use crate::parse::parse;
use crate::print::print;

fn linked(texts: &[&str]) -> Result<Module, LinkError> {
    let units = texts.iter().enumerate();
    link(units.map(|(i, text)| parse(&format!("source_filename = \"{i}.c\"\n{text}")).unwrap()).collect())
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_string()).filter(|line| !line.is_empty()).collect()
}

/// Links in the order given; the print has these lines.
fn check(texts: &[&str], expect: &str) {
    let module = linked(texts).unwrap();
    assert_eq!(lines(&print(&module)), lines(expect));
    check_ids(&module);
}

fn check_error(texts: &[&str], expect: &str) {
    assert_eq!(linked(texts).unwrap_err().to_string(), expect);
}

/// Symbols and what they stand for name each other.
fn check_ids(module: &Module) {
    for (id, function) in module.functions.iter_ids() {
        assert_eq!(module.symbols[function.symbol].kind, SymbolKind::Function(id));
    }
    for (id, global) in module.globals.iter_ids() {
        assert_eq!(module.symbols[global.symbol].kind, SymbolKind::Variable(id));
    }
    let things =
        module.symbols.iter().filter(|symbol| matches!(symbol.kind, SymbolKind::Function(_) | SymbolKind::Variable(_)));
    assert_eq!(things.count(), module.functions.len() + module.globals.len());
}

#[test]
fn nothing_links_to_nothing() {
    let module = linked(&[]).unwrap();
    assert_eq!(module.symbols.len(), 0);
    assert_eq!(module.attrs.len(), 1);
}

#[test]
fn a_definition_takes_the_place_of_declarations() {
    check(
        &[
            "declare i32 @f(i32)
             @v = external global i32
             define i32 @main() {
               %x = call i32 @f(i32 1)
               ret i32 %x
             }",
            "@v = global i32 7
             define i32 @f(i32 %n) {
               %y = load i32, ptr @v
               ret i32 %y
             }",
            "declare i32 @f(...)
             declare i32 @main()
             declare i32 @nowhere()
             @known = global ptr @nowhere",
        ],
        "@v = global i32 7
         @known = global ptr @nowhere
         define i32 @main() {
         %x = call i32 @f(i32 1)
         ret i32 %x
         }
         define i32 @f(i32 %n) {
         %y = load i32, ptr @v, align 4
         ret i32 %y
         }
         declare i32 @nowhere()",
    );
}

#[test]
fn local_symbols_stay_apart() {
    let unit = |value: u32, name: &str| {
        format!(
            "@v = internal global i32 {value}
             define ptr @{name}() {{
               ret ptr @v
             }}"
        )
    };
    let module = linked(&[&unit(1, "f"), &unit(2, "g")]).unwrap();
    check_ids(&module);
    let contents = |id: SymbolId| match module.symbols[id].kind {
        SymbolKind::Variable(global) => module.consts[module.globals[global].initializer.unwrap()].kind.clone(),
        _ => panic!("no variable"),
    };
    for (function, value) in module.functions.iter().zip([1, 2]) {
        let returned = function.body().next().unwrap().2;
        let crate::inst::InstKind::Ret(Some(value_returned)) = returned.kind else { panic!("no return") };
        assert_eq!(contents(module.as_symbol(value_returned).unwrap()), ConstKind::Int(value));
    }
}

#[test]
fn of_two_definitions_the_stronger_counts() {
    // What `@v` is in each unit, and in the linked module.
    let cases: &[(&[&str], &str)] = &[
        (&["weak global i32 1", "global i32 2"], "global i32 2"),
        (&["global i32 1", "weak global i32 2"], "global i32 1"),
        (&["weak global i32 1", "weak global i32 2"], "weak global i32 1"),
        (&["linkonce_odr global i32 1", "weak_odr global i32 2"], "weak_odr global i32 1"),
        (&["external global i32", "linkonce_odr global i32 2"], "linkonce_odr global i32 2"),
        (&["extern_weak global i32", "external global i32"], "external global i32"),
        (&["available_externally global i32 1", "external global i32"], "available_externally global i32 1"),
        (&["available_externally global i32 1", "global i32 2"], "global i32 2"),
        (&["available_externally global i32 1", "linkonce global i32 2"], "linkonce global i32 2"),
        (&["common global i32 0, align 8", "common global i64 0, align 4"], "common global i64 0, align 8"),
        (&["common global i64 0, align 8", "common global i32 0, align 16"], "common global i64 0, align 16"),
        (&["common global i32 0, align 4", "global i32 3, align 4"], "global i32 3, align 4"),
        (&["weak global i32 1, align 4", "common global i32 0, align 4"], "common global i32 0, align 4"),
        (&["external hidden global i32", "global i32 3"], "hidden global i32 3"),
        (&["protected global i32 3", "external global i32"], "protected global i32 3"),
        (&["unnamed_addr constant i32 3", "external global i32"], "constant i32 3"),
    ];
    for (units, expect) in cases {
        let units: Vec<String> = units.iter().map(|text| format!("@v = {text}")).collect();
        let mut units: Vec<&str> = units.iter().map(String::as_str).collect();
        units.push("@v = external unnamed_addr global i8\n@user = global ptr @v");
        let module = linked(&units).unwrap();
        let text = print(&module);
        assert!(text.lines().any(|line| line == format!("@v = {expect}")), "{units:?} became\n{text}");
        check_ids(&module);
    }
}

#[test]
fn an_alias_is_a_definition() {
    check(
        &[
            "declare void @f()",
            "@f = alias void (), ptr @g
             define internal void @g() {
               ret void
             }",
        ],
        "@f = alias void (), ptr @g
         define internal void @g() {
         ret void
         }",
    );
}

#[test]
fn two_definitions_of_a_name_are_an_error() {
    let f = "define void @f() {\nret void\n}";
    check_error(&[f, "@v = global i32 1", f], "`f` is defined in `0.c` and in `2.c`");
    check_error(&["@f = global i32 1", f], "`f` is defined in `0.c` and in `1.c`");
    check_error(&["@f = alias i8, ptr @v\n@v = global i8 1", f], "`f` is defined in `0.c` and in `1.c`");
    let main = "define i32 @main() {\nret i32 0\n}";
    check_error(&[main, main], "`main` is defined in `0.c` and in `1.c`");
}

#[test]
fn a_comdat_group_has_one_copy() {
    let unit = "$g = comdat any
                @g = global i32 1, comdat($g)
                @h = weak_odr global ptr @g, comdat($g)";
    check(&[unit, unit], unit);
}

#[test]
fn appending_arrays_are_joined() {
    let unit = |name: &str| {
        format!(
            "@llvm.global_ctors = appending global [1 x {{ i32, ptr, ptr }}] [{{ i32, ptr, ptr }} {{ i32 1, ptr @{name}, ptr null }}]
             declare void @{name}()"
        )
    };
    let empty = "@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer";
    check(
        &[&unit("a"), empty, &unit("b")],
        "@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @a, ptr null }, { i32, ptr, ptr } { i32 1, ptr @b, ptr null }]
         declare void @a()
         declare void @b()",
    );
    let strange = "@llvm.used = appending global [1 x i8] [i8 1]";
    let used = "@llvm.used = appending global [1 x ptr] [ptr null]";
    check_error(&[used, strange], "the parts of `llvm.used` cannot be joined");
}

#[test]
fn structs_of_one_name_are_one_type_if_equal() {
    check(
        &[
            "%s = type { i32 }
             %outer = type { %s, %opaque }
             %opaque = type opaque
             @a = global %s zeroinitializer
             @d = global %outer zeroinitializer",
            "%outer = type { %s }
             %s = type { i64 }
             @b = global %s zeroinitializer
             @e = global %outer zeroinitializer",
            "%s = type { i64 }
             %opaque = type { i8 }
             @c = global %s zeroinitializer
             @f = global %opaque zeroinitializer",
        ],
        "%opaque = type { i8 }
         %outer = type { %s, %opaque }
         %outer.1 = type { %s.1 }
         %s = type { i32 }
         %s.1 = type { i64 }
         @a = global %s zeroinitializer
         @d = global %outer zeroinitializer
         @b = global %s.1 zeroinitializer
         @e = global %outer.1 zeroinitializer
         @c = global %s.1 zeroinitializer
         @f = global %opaque zeroinitializer",
    );
}

#[test]
fn a_struct_that_contains_itself_does_not_hang() {
    let first = "%a = type { %b }\n%b = type opaque\n@v = external global %a";
    let second = "%b = type { [2 x %a] }\n%a = type opaque\n@w = external global %b";
    let module = linked(&[first, second]).unwrap();
    assert_eq!(module.globals.len(), 2);
}

#[test]
fn modules_must_be_for_one_target() {
    let triple = |name: &str| format!("target triple = \"{name}\"");
    let layout = |text: &str| format!("target datalayout = \"{text}\"");
    let (pc, unknown, arm) =
        (triple("x86_64-pc-linux-gnu"), triple("x86_64-unknown-linux-gnu"), triple("aarch64-linux-gnu"));
    assert_eq!(linked(&["", &pc, "", &unknown]).unwrap().triple, "x86_64-pc-linux-gnu");
    check_error(&[&pc, &arm], "modules for different targets: `x86_64-pc-linux-gnu` and `aarch64-linux-gnu`");
    let module = linked(&["@p = external global ptr", &layout("e-p:32:32")]).unwrap();
    let pointer = module.globals.iter().next().unwrap().ty;
    assert_eq!(module.type_layouts.get(pointer).unwrap().size, 4);
    check_error(&[&layout("e"), &layout("E")], "modules with different data layouts: `e` and `E`");
}

#[test]
fn addresses_of_blocks_that_are_gone_are_poison() {
    let unit = |name: &str| {
        format!(
            "@{name} = global ptr blockaddress(@f, %b)
             define linkonce_odr void @f() {{
               br label %b
             b:
               ret void
             }}"
        )
    };
    let module = linked(&[&unit("x"), &unit("y")]).unwrap();
    let kinds: Vec<_> = module.globals.iter().map(|g| &module.consts[g.initializer.unwrap()].kind).collect();
    assert!(matches!(kinds[..], [ConstKind::BlockAddress { .. }, ConstKind::Poison]), "{kinds:?}");
}

#[test]
fn units_debug_info_and_the_rest_come_along() {
    let unit = |function: &str, variable: &str, line: u32| {
        format!(
            "module asm \"# {function}\"
             define void @{function}(i32 %n) !dbg !3 {{
               %a = alloca i32, align 4
               #dbg_declare(ptr %a, !4, !DIExpression(DW_OP_deref), !6)
               store i32 %n, ptr %a, align 4, !dbg !6
               ret void
             }}
             !llvm.dbg.cu = !{{!0}}
             !llvm.module.flags = !{{!7}}
             !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: \"{function}c\", emissionKind: FullDebug)
             !1 = !DIFile(filename: \"{function}.c\", directory: \"/src\")
             !2 = !DIFile(filename: \"common.h\", directory: \"/src\")
             !3 = distinct !DISubprogram(name: \"{function}\", file: !2, line: 1, unit: !0, spFlags: DISPFlagDefinition, type: !8)
             !4 = !DILocalVariable(name: \"{variable}\", scope: !3, file: !2, line: {line}, type: !5)
             !5 = !DIBasicType(name: \"{variable}_t\", size: 32, encoding: DW_ATE_signed)
             !6 = !DILocation(line: {line}, column: 3, scope: !3)
             !7 = !{{i32 2, !\"Debug Info Version\", i32 3}}
             !8 = !DISubroutineType(types: !9)
             !9 = !{{null}}"
        )
    };
    let module = linked(&[&unit("f", "x", 10), &unit("g", "y", 20)]).unwrap();
    let debug = &module.debug;
    let name = |id: Option<crate::id::StrId>| module.str(id.unwrap());
    for (function, (expected, variable, line)) in module.functions.iter().zip([("f", "x", 10), ("g", "y", 20)]) {
        let scope = function.scope.unwrap();
        assert_eq!(name(debug.scopes[scope].name), expected);
        let (_, _, inst) =
            function.body().find(|(_, _, inst)| matches!(inst.kind, crate::inst::InstKind::Marker(_))).unwrap();
        let crate::inst::InstKind::Marker(marker) = inst.kind else { panic!("no marker") };
        let found = &debug.variables[marker.variable];
        assert_eq!(name(found.name), variable);
        assert_eq!(name(debug.types[found.ty.unwrap()].name), format!("{variable}_t"));
        assert_eq!(found.scope, Some(scope));
        assert_eq!(marker.expr.map(|id| debug.exprs[id].len()), Some(1));
        let loc = debug.locations[inst.loc.unwrap()];
        assert_eq!((loc.line, loc.scope), (line, Some(scope)));
        let unit = &module.units[module.symbols[function.symbol].unit];
        assert_eq!(name(unit.producer), format!("{expected}c"));
    }
    let common = debug.files.iter().filter(|file| module.str(file.name) == "common.h").count();
    assert_eq!(common, 1);
    assert_eq!(module.units.ids().collect::<Vec<_>>(), [0, 1].map(UnitId::from_index));
    let assembly: Vec<_> = module.assembly.iter().map(|&line| module.str(line)).collect();
    assert_eq!(assembly, ["# f", "# g"]);
}
