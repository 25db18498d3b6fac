#![allow(clippy::unwrap_used, clippy::panic)]

use crate::parse::metadata::tests::sample;

#[track_caller]
fn check_names(text: &str, expect: &[(u32, &str)]) {
    let sample = sample(text);
    for (number, expect) in expect {
        assert_eq!(sample.tables.debug.type_name(&sample.strings, sample.ty(*number)), *expect, "!{number}");
    }
}

/// Checks paths of places, given as offset and size in bits, inside type `!10`.
#[track_caller]
fn check_paths(text: &str, expect: &[(u64, u64, Option<&str>)]) {
    let sample = sample(text);
    for (offset, bits, expect) in expect {
        let path = sample.tables.debug.path_at(&sample.strings, sample.ty(10), *offset, *bits);
        assert_eq!(path.as_deref(), *expect, "{offset}+{bits}");
    }
}

const C: &str = r#"
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!4 = !DIBasicType(name: "long double", size: 128, encoding: DW_ATE_float)
"#;

#[test]
fn c_type_names() {
    let text = r#"
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64)
!11 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !3)
!12 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !10)
!13 = !DIDerivedType(tag: DW_TAG_volatile_type, baseType: !12)
!14 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, elements: !{!15})
!15 = !DISubrange(count: 16)
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !17, size: 64)
!17 = !DICompositeType(tag: DW_TAG_array_type, baseType: !2, elements: !{!15, !18})
!18 = !DISubrange(count: -1)
!19 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !20, size: 64)
!20 = !DISubroutineType(types: !{!10, !16, !2, null})
!21 = !DICompositeType(tag: DW_TAG_structure_type, name: "foo")
!22 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !21, size: 64)
!23 = !DIDerivedType(tag: DW_TAG_typedef, name: "foo_t", baseType: !21)
!24 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !23)
!25 = !DICompositeType(tag: DW_TAG_union_type, name: "u")
!26 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "e")
!27 = !DICompositeType(tag: DW_TAG_enumeration_type)
!28 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null)
!29 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19)
!30 = !DISubroutineType(types: !{null})
"#;
    check_names(
        &format!("{C}{text}"),
        &[
            (10, "const char *"),
            (12, "const char *const"),
            (13, "const char *const volatile"),
            (14, "const char *[16]"),
            (16, "int (*)[16][]"),
            (19, "const char *(*)(int (*)[16][], int, ...)"),
            (22, "struct foo *"),
            (23, "foo_t"),
            (24, "const foo_t"),
            (25, "union u"),
            (26, "enum e"),
            (27, "enum {...}"),
            (28, "void *"),
            (29, "const char *(**)(int (*)[16][], int, ...)"),
            (30, "void ()"),
        ],
    );
}

#[test]
fn cpp_and_rust_type_names() {
    let cpp = r#"
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14)
!10 = !DICompositeType(tag: DW_TAG_class_type, name: "A<int>")
!11 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !10)
!12 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !11)
"#;
    check_names(cpp, &[(10, "A<int>"), (12, "const A<int> &")]);
    let rust = r#"
!0 = distinct !DICompileUnit(language: DW_LANG_Rust)
!10 = !DIBasicType(name: "u8", size: 8, encoding: DW_ATE_unsigned)
!11 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, elements: !{!13})
!12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !10, elements: !{!14})
!13 = !DISubrange(count: 2, lowerBound: 0)
!14 = !DISubrange(count: 3, lowerBound: 0)
!15 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&[[u8; 3]; 2]", baseType: !11)
!16 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10)
!17 = !DISubroutineType(types: !{null, !15})
!18 = !DISubroutineType(types: !{!10})
"#;
    check_names(
        rust,
        &[
            (11, "[[u8; 3]; 2]"),
            (15, "&[[u8; 3]; 2]"),
            (16, "*const u8"),
            (17, "fn(&[[u8; 3]; 2])"),
            (18, "fn() -> u8"),
        ],
    );
}

#[test]
fn file_paths() {
    let check = |name: &str, directory: &str, expect: &str| {
        let sample = sample(&format!("!0 = !DIFile(filename: \"{name}\", directory: \"{directory}\")"));
        let file = sample.tables.debug.files.ids().next().unwrap();
        assert_eq!(sample.tables.debug.file_path(&sample.strings, file), expect);
    };
    check("a.c", "/d", "/d/a.c");
    check("x/a.c", "/d/", "/d/x/a.c");
    check("/x/a.c", "/d", "/x/a.c");
    check("C:\\\\x\\\\a.c", "D:", "C:\\x\\a.c");
    check("a.c", "", "a.c");
    check("<stdin>", "/d", "<stdin>");
}

#[test]
fn paths_in_c_records() {
    // struct { int n; struct { int x, y; }; union { int i; char raw[4]; struct pair { short...} }; unsigned lo:3;
    //          int grid[2][3]; long double ld; struct in { int len; } in[2]; char tail[]; }
    let text = r#"
!10 = !DIDerivedType(tag: DW_TAG_typedef, name: "whole_t", baseType: !11)
!11 = !DICompositeType(tag: DW_TAG_structure_type, name: "whole", size: 768, elements: !{!12, !13, !14, !15, !16, !17, !18, !19})
!12 = !DIDerivedType(tag: DW_TAG_member, name: "n", baseType: !2, size: 32)
!13 = !DIDerivedType(tag: DW_TAG_member, baseType: !20, size: 64, offset: 32)
!14 = !DIDerivedType(tag: DW_TAG_member, name: "u", baseType: !23, size: 32, offset: 96)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "lo", baseType: !2, size: 3, offset: 128, flags: DIFlagBitField, extraData: i64 128)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "grid", baseType: !28, size: 192, offset: 160)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "ld", baseType: !4, size: 128, offset: 384)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "in", baseType: !31, size: 128, offset: 512)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "tail", baseType: !35, offset: 640)
!20 = !DICompositeType(tag: DW_TAG_structure_type, size: 64, elements: !{!21, !22})
!21 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !2, size: 32)
!22 = !DIDerivedType(tag: DW_TAG_member, name: "y", baseType: !2, size: 32, offset: 32)
!23 = !DICompositeType(tag: DW_TAG_union_type, size: 32, elements: !{!24, !25, !26})
!24 = !DIDerivedType(tag: DW_TAG_member, name: "i", baseType: !2, size: 32)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "raw", baseType: !27, size: 32)
!26 = !DIDerivedType(tag: DW_TAG_member, name: "j", baseType: !2, size: 32)
!27 = !DICompositeType(tag: DW_TAG_array_type, baseType: !3, size: 32, elements: !{!30})
!28 = !DICompositeType(tag: DW_TAG_array_type, baseType: !2, size: 192, elements: !{!29, !34})
!29 = !DISubrange(count: 2)
!30 = !DISubrange(count: 4)
!31 = !DICompositeType(tag: DW_TAG_array_type, baseType: !32, size: 128, elements: !{!29})
!32 = !DICompositeType(tag: DW_TAG_structure_type, name: "in", size: 64, elements: !{!33})
!33 = !DIDerivedType(tag: DW_TAG_member, name: "len", baseType: !2, size: 32)
!34 = !DISubrange(count: 3)
!35 = !DICompositeType(tag: DW_TAG_array_type, baseType: !3, elements: !{!36})
!36 = !DISubrange(count: -1)
"#;
    check_paths(
        &format!("{C}{text}"),
        &[
            (0, 768, Some("")),
            (0, 32, Some(".n")),
            (0, 64, None),
            (8, 8, None),
            (32, 32, Some(".x")),
            (64, 32, Some(".y")),
            (32, 64, None),
            (96, 32, Some(".u.i")),
            (104, 8, Some(".u.raw[1]")),
            (96, 16, None),
            (128, 3, Some(".lo")),
            (128, 2, None),
            (131, 1, None),
            (160, 192, Some(".grid")),
            (160, 96, Some(".grid[0]")),
            (256, 96, Some(".grid[1]")),
            (288, 32, Some(".grid[1][1]")),
            (192, 96, None),
            (384, 128, Some(".ld")),
            (384, 80, Some(".ld")),
            (512, 64, Some(".in[0]")),
            (576, 32, Some(".in[1].len")),
            (608, 32, None),
            (648, 8, Some(".tail[1]")),
            (8000, 8, Some(".tail[920]")),
        ],
    );
}

#[test]
fn pieces_are_told_from_exact_places() {
    let sample = sample(&format!(
        "{C}!10 = !DICompositeType(tag: DW_TAG_structure_type, size: 32, elements: !{{!11}})\n!11 = !DIDerivedType(tag: DW_TAG_member, name: \"x\", baseType: !2, size: 32)\n"
    ));
    let place = sample.tables.debug.place_at(&sample.strings, sample.ty(10), 8, 8).unwrap();
    assert_eq!((place.path.as_str(), place.ty, place.bits), (".x", Some(sample.ty(2)), 32));
    assert_eq!((place.offset, place.exact), (8, false));
}

#[test]
fn paths_in_classes() {
    // struct Empty {}; struct Base { int b; char t; }; struct D : Empty, Base { char c; };
    let text = r#"
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus)
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!10 = !DICompositeType(tag: DW_TAG_structure_type, name: "D", size: 64, elements: !{!11, !12, !13})
!11 = !DIDerivedType(tag: DW_TAG_inheritance, baseType: !14)
!12 = !DIDerivedType(tag: DW_TAG_inheritance, baseType: !15)
!13 = !DIDerivedType(tag: DW_TAG_member, name: "c", baseType: !3, size: 8, offset: 40)
!14 = !DICompositeType(tag: DW_TAG_structure_type, name: "Empty", size: 8, elements: !{})
!15 = !DICompositeType(tag: DW_TAG_structure_type, name: "Base", size: 64, elements: !{!16, !17})
!16 = !DIDerivedType(tag: DW_TAG_member, name: "b", baseType: !2, size: 32)
!17 = !DIDerivedType(tag: DW_TAG_member, name: "t", baseType: !3, size: 8, offset: 32)
"#;
    check_paths(
        text,
        &[(0, 32, Some(".b")), (32, 8, Some(".t")), (40, 8, Some(".c")), (0, 8, None), (0, 64, Some(""))],
    );
}

#[test]
fn paths_in_rust_types() {
    // struct S { e: Option<(u32, u8)>, p: Option<&u8> } with a tag of its own and with one in a niche.
    let text = r#"
!0 = distinct !DICompileUnit(language: DW_LANG_Rust)
!2 = !DIBasicType(name: "u32", size: 32, encoding: DW_ATE_unsigned)
!3 = !DIBasicType(name: "u8", size: 8, encoding: DW_ATE_unsigned)
!4 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&u8", baseType: !3, size: 64)
!5 = !DIBasicType(name: "u64", size: 64, encoding: DW_ATE_unsigned)
!10 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", size: 192, elements: !{!11, !12})
!11 = !DIDerivedType(tag: DW_TAG_member, name: "e", baseType: !13, size: 96)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "p", baseType: !23, size: 64, offset: 128)
!13 = !DICompositeType(tag: DW_TAG_structure_type, name: "Option<(u32, u8)>", size: 96, elements: !{!14})
!14 = !DICompositeType(tag: DW_TAG_variant_part, size: 96, elements: !{!15, !16}, discriminator: !17)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "None", baseType: !18, size: 96, extraData: i32 0)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "Some", baseType: !19, size: 96, extraData: i32 1)
!17 = !DIDerivedType(tag: DW_TAG_member, baseType: !2, size: 32, flags: DIFlagArtificial)
!18 = !DICompositeType(tag: DW_TAG_structure_type, name: "None", size: 96, elements: !{})
!19 = !DICompositeType(tag: DW_TAG_structure_type, name: "Some", size: 96, elements: !{!20})
!20 = !DIDerivedType(tag: DW_TAG_member, name: "__0", baseType: !21, size: 64, offset: 32)
!21 = !DICompositeType(tag: DW_TAG_structure_type, name: "(u32, u8)", size: 64, elements: !{!22, !29})
!22 = !DIDerivedType(tag: DW_TAG_member, name: "__0", baseType: !2, size: 32)
!23 = !DICompositeType(tag: DW_TAG_structure_type, name: "Option<&u8>", size: 64, elements: !{!24})
!24 = !DICompositeType(tag: DW_TAG_variant_part, size: 64, elements: !{!25, !26}, discriminator: !27)
!25 = !DIDerivedType(tag: DW_TAG_member, name: "None", baseType: !18, size: 64, extraData: i64 0)
!26 = !DIDerivedType(tag: DW_TAG_member, name: "Some", baseType: !28, size: 64)
!27 = !DIDerivedType(tag: DW_TAG_member, baseType: !5, size: 64, flags: DIFlagArtificial)
!28 = !DICompositeType(tag: DW_TAG_structure_type, name: "Some", size: 64, elements: !{!30})
!29 = !DIDerivedType(tag: DW_TAG_member, name: "__1", baseType: !3, size: 8, offset: 32)
!30 = !DIDerivedType(tag: DW_TAG_member, name: "__0", baseType: !4, size: 64)
"#;
    check_paths(
        text,
        &[
            (0, 96, Some(".e")),
            (0, 32, Some(".e<tag>")),
            (32, 64, Some(".e<Some>.0")),
            (32, 32, Some(".e<Some>.0.0")),
            (64, 8, Some(".e<Some>.0.1")),
            (72, 8, None),
            (128, 64, Some(".p<Some>.0")),
        ],
    );
}
