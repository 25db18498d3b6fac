#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::debug::{ExprOp, Field};
use std::fmt::Write;

/// Debug info read from a few lines of metadata.
pub(crate) struct Sample {
    pub tables: Tables,
    pub strings: Strings,
}

/// Reads every line `!N = …`.
pub(crate) fn sample(text: &str) -> Sample {
    let mut nodes = Vec::new();
    let mut pos = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let start = pos + line.len() - trimmed.len();
        if let Some((digits, _)) = trimmed.strip_prefix('!').and_then(|rest| rest.split_once(" ="))
            && let Ok(number) = digits.parse()
        {
            nodes.push(Node { number, pos: start + 1 + digits.len() + 2 });
        }
        pos += line.len();
    }
    let mut strings = Strings::new();
    let tables = read(text, &nodes, &mut strings);
    Sample { tables, strings }
}

impl Sample {
    pub fn ty(&self, number: u32) -> DebugTypeId {
        self.tables.references.ty(Some(number)).unwrap()
    }

    /// What a node has become, in one line.
    fn show(&self, number: u32) -> String {
        let debug = &self.tables.debug;
        match self.tables.references.get(number) {
            None => "nothing".to_owned(),
            Some(Reference::Location(id)) => {
                let places = debug.location_chain(id).map(|id| {
                    let Location { line, column, scope, .. } = debug.locations[id];
                    let scope = scope.map_or("?".to_owned(), |scope| debug.qualified_name(&self.strings, scope));
                    format!("{line}:{column} {scope}")
                });
                places.take(3).collect::<Vec<_>>().join(" <- ")
            }
            Some(Reference::File(id)) => debug.file_path(&self.strings, id),
            Some(Reference::Scope(id)) => self.show_scope(id),
            Some(Reference::Type(id) | Reference::Composite(id, _)) => self.show_type(id),
            Some(Reference::Variable(_) | Reference::GlobalExpression(_)) => match self.tables.variable(number) {
                Some(id) => {
                    let variable = &debug.variables[id];
                    let scope = variable.scope.map(|scope| debug.qualified_name(&self.strings, scope));
                    let ty = variable.ty.map(|ty| debug.type_name(&self.strings, ty));
                    let Variable { arg, line, .. } = *variable;
                    format!("{} arg {arg} line {line} type {ty:?} scope {scope:?}", self.str(variable.name))
                }
                None => "no variable".to_owned(),
            },
            Some(Reference::Expression(None)) => "empty expression".to_owned(),
            Some(Reference::Expression(Some(id))) => self.show_ops(&debug.exprs[id]),
            Some(Reference::Part(_)) => "part".to_owned(),
        }
    }

    fn show_scope(&self, id: ScopeId) -> String {
        let debug = &self.tables.debug;
        let scope = &debug.scopes[id];
        let mut text = format!("{:?} {}", scope.kind, debug.qualified_name(&self.strings, id));
        if let Some(file) = scope.file {
            write!(text, " {}:{}", debug.file_path(&self.strings, file), scope.line).unwrap();
        }
        if let Some(name) = scope.linkage_name {
            write!(text, " @{}", &self.strings[name]).unwrap();
        }
        if let Some(ty) = scope.ty {
            write!(text, " {}", debug.type_name(&self.strings, ty)).unwrap();
        }
        text
    }

    fn show_type(&self, id: DebugTypeId) -> String {
        let ty = &self.tables.debug.types[id];
        let mut text = format!("{} {}:", self.tables.debug.type_name(&self.strings, id), ty.bits);
        match &ty.kind {
            DebugTypeKind::Record { union, fields, variants } => {
                text += if *union { " union" } else { " struct" };
                for field in fields {
                    write!(text, " {}", self.show_field(field)).unwrap();
                }
                if let Some(variants) = variants {
                    let tag = variants.tag.as_ref().map(|tag| self.show_field(tag));
                    write!(text, " by {}", tag.unwrap_or_default()).unwrap();
                    for case in &variants.cases {
                        write!(text, " {:?}=>{}", case.value, self.show_field(&case.field)).unwrap();
                    }
                }
            }
            DebugTypeKind::Enum { values, .. } => {
                for (name, value) in values {
                    write!(text, " {}={value}", &self.strings[*name]).unwrap();
                }
            }
            DebugTypeKind::Other(tag) => write!(text, " {}", &self.strings[*tag]).unwrap(),
            DebugTypeKind::Basic(encoding) => write!(text, " {encoding:?}").unwrap(),
            DebugTypeKind::Pointer { reference, .. } => text += if *reference { " reference" } else { " pointer" },
            DebugTypeKind::Array { counts, .. } => write!(text, " {counts:?}").unwrap(),
            DebugTypeKind::Alias { qualifier, .. } => write!(text, " {qualifier:?}").unwrap(),
            DebugTypeKind::Function { types } => write!(text, " {} types", types.len()).unwrap(),
        }
        text
    }

    fn show_field(&self, field: &Field) -> String {
        let ty = field.ty.map_or("?".to_owned(), |ty| self.tables.debug.type_name(&self.strings, ty));
        let bit_field = if field.bit_field { " bit-field" } else { "" };
        format!("({} {ty} {}+{}{bit_field})", self.str(field.name), field.offset, field.bits)
    }

    fn show_ops(&self, ops: &[ExprOp]) -> String {
        let show = |op: &ExprOp| match op {
            ExprOp::Other(word, operands) => format!("{} {operands:?}", &self.strings[*word]),
            op => format!("{op:?}"),
        };
        ops.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    fn str(&self, id: Option<StrId>) -> &str {
        id.map_or("-", |id| &self.strings[id])
    }
}

#[track_caller]
fn check(text: &str, expect: &[(u32, &str)]) {
    let sample = sample(text);
    for (number, expect) in expect {
        assert_eq!(sample.show(*number), *expect, "!{number}");
    }
}

const UNIT: &str = r#"
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "Some clang \22x\22 version 19", isOptimized: false, runtimeVersion: 0, flags: "-g", enums: !{}, splitDebugInlining: false)
!1 = !DIFile(filename: "src/a.c", directory: "/home/me/", checksumkind: CSK_MD5, checksum: "00", source: "int x = 1; // )")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = distinct !DISubprogram(name: "f", linkageName: "_Z1f", scope: !1, file: !1, line: 10, type: !4, scopeLine: 10, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !6)
!4 = !DISubroutineType(types: !5)
!5 = !{!2, !2, null}
!6 = !{}
"#;

fn check_in_unit(text: &str, expect: &[(u32, &str)]) {
    check(&format!("{UNIT}{text}"), expect);
}

#[test]
fn units_files_and_functions() {
    check_in_unit(
        "",
        &[
            (0, "CompileUnit  /home/me/src/a.c:0"),
            (1, "/home/me/src/a.c"),
            (2, "int 32: Signed"),
            (3, "Function f /home/me/src/a.c:10 @_Z1f int (int, ...)"),
            (4, "int (int, ...) 0: 3 types"),
            (5, "part"),
            (99, "nothing"),
        ],
    );
    let Sample { tables, strings } = sample(UNIT);
    let unit = tables.units[0];
    assert_eq!(&*strings[unit.producer.unwrap()], "Some clang \"x\" version 19");
    assert_eq!(&*strings[unit.language.unwrap()], "DW_LANG_C11");
    assert_eq!(tables.debug.file_path(&strings, unit.file.unwrap()), "/home/me/src/a.c");
    // LLVM 22 may split the language into name and version.
    let Sample { tables, strings } =
        sample("!0 = distinct !DICompileUnit(sourceLanguageName: DW_LNAME_C, sourceLanguageVersion: 202311)");
    assert_eq!(&*strings[tables.units[0].language.unwrap()], "DW_LNAME_C");
}

#[test]
fn locations_and_blocks() {
    check_in_unit(
        r#"
!10 = !DILocation(line: 11, column: 5, scope: !3)
!11 = distinct !DILexicalBlock(scope: !3, file: !1, line: 12, column: 3)
!12 = !DILexicalBlockFile(scope: !11, file: !1, discriminator: 2)
!13 = !DILocation(line: 0, scope: !12)
!14 = distinct !DILocation(line: 13, column: 9, scope: !11, inlinedAt: !15)
!15 = distinct !DILocation(line: 14, column: 1, scope: !3, inlinedAt: !10)
!16 = !DILocation(scope: !3, column: 4, line: 15, isImplicitCode: true)
!17 = !DILocation(line: 16, column: 7, scope: !3, atomGroup: 1, atomRank: 2)
!18 = !DILocation(line: 17, column: 2, scope: !77, inlinedAt: !3)
!19 = !DILocation( line: 18 , column: 2,
   scope: !3 )
!20 = distinct !DISubprogram(linkageName: "_ZThunk", scope: !11, unit: !0)
!21 = distinct !DISubprogram(name: "h", scope: !1, line: 3, unit: !0)
"#,
        &[
            (10, "11:5 f"),
            (11, "Block f /home/me/src/a.c:12"),
            (12, "Block f /home/me/src/a.c:0"),
            (13, "0:0 f"),
            (14, "13:9 f <- 14:1 f <- 11:5 f"),
            (16, "15:4 f"),
            (17, "16:7 f"),
            (18, "17:2 ?"),
            (19, "18:2 f"),
            (20, "Function f::_ZThunk @_ZThunk"),
            (21, "Function h /home/me/src/a.c:3"),
        ],
    );
}

#[test]
fn variables() {
    check_in_unit(
        r#"
!10 = !DILocalVariable(name: "x", arg: 2, scope: !3, file: !1, line: 10, type: !2, flags: DIFlagArtificial | DIFlagObjectPointer, align: 8)
!11 = !DILocalVariable(scope: !3, type: null)
!12 = !DIGlobalVariableExpression(var: !13, expr: !DIExpression(DW_OP_constu, 7, DW_OP_stack_value))
!13 = distinct !DIGlobalVariable(name: "g", linkageName: "_Zg", scope: !0, file: !1, line: 3, type: !2, isLocal: true, isDefinition: true)
!14 = !DIGlobalVariableExpression(var: !14, expr: !15)
!15 = !DIExpression()
"#,
        &[
            (10, r#"x arg 2 line 10 type Some("int") scope Some("f")"#),
            (11, r#"- arg 0 line 0 type None scope Some("f")"#),
            (12, r#"g arg 0 line 3 type Some("int") scope Some("")"#),
            (13, r#"g arg 0 line 3 type Some("int") scope Some("")"#),
            (14, "no variable"),
            (15, "empty expression"),
        ],
    );
}

#[test]
fn records() {
    check_in_unit(
        r#"
!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "point", file: !1, line: 4, size: 96, elements: !11)
!11 = !{!12, !13, !14, !15, !16, null, !99, i32 3, !"text"}
!12 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !10, file: !1, line: 5, baseType: !2, size: 32)
!13 = !DIDerivedType(tag: DW_TAG_member, name: "low", scope: !10, baseType: !2, size: 3, offset: 32, flags: DIFlagPublic | DIFlagBitField, extraData: i64 32)
!14 = !DIDerivedType(tag: DW_TAG_member, name: "shared", baseType: !2, flags: DIFlagPublic | DIFlagStaticMember)
!15 = !DIDerivedType(tag: DW_TAG_member, baseType: !17, size: 32, offset: 64)
!16 = !DIDerivedType(tag: DW_TAG_variable, name: "newer", scope: !10, baseType: !2, flags: DIFlagStaticMember, extraData: i32 4)
!17 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !10, size: 32, elements: !18)
!18 = !{!12}
!19 = !DICompositeType(tag: DW_TAG_structure_type, name: "opaque", flags: DIFlagFwdDecl)
!20 = !DICompositeType(tag: DW_TAG_structure_type, name: "here", size: 32, elements: !{!12})
!21 = !DIDerivedType(baseType: !2, name: "late", size: 32, tag: DW_TAG_member)
!22 = !DICompositeType(tag: DW_TAG_structure_type, name: "odd", size: 32, elements: !23)
!23 = !{!21}
"#,
        &[
            (10, "struct point 96: struct (x int 0+32) (low int 32+3 bit-field) (- union {...} 64+32)"),
            (17, "union {...} 32: union (x int 0+32)"),
            (19, "struct opaque 0: struct"),
            (20, "struct here 32: struct (x int 0+32)"),
            (22, "struct odd 32: struct (late int 0+32)"),
        ],
    );
}

#[test]
fn classes() {
    check(
        r#"
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1)
!1 = !DIFile(filename: "a.cpp", directory: "/d")
!2 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!3 = !DINamespace(name: "ns", scope: null)
!4 = !DINamespace(scope: !3)
!5 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "Base", scope: !4, file: !1, line: 1, size: 32, elements: !6, identifier: "_ZTS4Base")
!6 = !{!7, !8}
!7 = !DIDerivedType(tag: DW_TAG_member, name: "b", scope: !5, baseType: !2, size: 32)
!8 = !DISubprogram(name: "get", linkageName: "_Zget", scope: !5, file: !1, line: 2, type: !9, spFlags: 0)
!9 = !DISubroutineType(types: !10)
!10 = !{null, !11}
!11 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)
!12 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "Derived", scope: !3, size: 128, elements: !13, vtableHolder: !5)
!13 = !{!14, !15, !16, !8}
!14 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !12, baseType: !17, offset: 64, flags: DIFlagPublic, extraData: i32 0)
!15 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !12, baseType: !5, offset: 24, flags: DIFlagPublic | DIFlagVirtual, extraData: i32 0)
!16 = !DIDerivedType(tag: DW_TAG_friend, baseType: !5)
!17 = !DIDerivedType(tag: DW_TAG_typedef, name: "Alias", baseType: !5)
!18 = !DIModule(scope: !3, name: "M", includePath: "/m")
"#,
        &[
            (4, "Namespace ns::(anonymous namespace)"),
            (5, "Base 32: struct (b int 0+32)"),
            (8, "Function ns::(anonymous namespace)::Base::get /d/a.cpp:2 @_Zget void (Base *)"),
            (12, "Derived 128: struct (- Alias 64+32)"),
            (18, "Namespace ns::M"),
        ],
    );
}

#[test]
fn rust_enums() {
    check(
        r#"
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1)
!1 = !DIFile(filename: "<unknown>", directory: "")
!2 = !DIBasicType(name: "u8", size: 8, encoding: DW_ATE_unsigned)
!3 = !DICompositeType(tag: DW_TAG_structure_type, name: "E", size: 16, elements: !4, identifier: "1f")
!4 = !{!5}
!5 = !DICompositeType(tag: DW_TAG_variant_part, scope: !3, size: 16, elements: !6, discriminator: !7)
!6 = !{!8, !9, !10, !11, !12}
!7 = !DIDerivedType(tag: DW_TAG_member, scope: !3, baseType: !2, size: 8, flags: DIFlagArtificial)
!8 = !DIDerivedType(tag: DW_TAG_member, name: "A", scope: !5, baseType: !13, size: 16, extraData: i8 -1)
!9 = !DIDerivedType(tag: DW_TAG_member, name: "B", scope: !5, baseType: !13, size: 16, extraData: i128 -1)
!10 = !DIDerivedType(tag: DW_TAG_member, name: "C", scope: !5, baseType: !13, size: 16, extraData: i1 true)
!11 = !DIDerivedType(tag: DW_TAG_member, name: "D", scope: !5, baseType: !13, size: 16)
!12 = !DIDerivedType(tag: DW_TAG_member, name: "ranges", scope: !5, baseType: !13, size: 16, extraData: [2 x i8] [i8 1, i8 3])
!13 = !DICompositeType(tag: DW_TAG_structure_type, name: "Case", scope: !3, size: 16, elements: !{})
!14 = !DICompositeType(tag: DW_TAG_structure_type, name: "One", size: 16, elements: !15)
!15 = !{!16}
!16 = !DICompositeType(tag: DW_TAG_variant_part, scope: !14, elements: !17)
!17 = !{!11}
!18 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "Plain", baseType: !2, size: 8, flags: DIFlagEnumClass, elements: !19)
!19 = !{!20, !21, !22, !2}
!20 = !DIEnumerator(name: "X", value: -3)
!21 = !DIEnumerator(name: "Y", value: 18446744073709551615, isUnsigned: true)
!22 = !DIEnumerator(name: "Z", value: 340282366920938463463374607431768211455, isUnsigned: true)
"#,
        &[
            (
                3,
                "E 16: struct by (- u8 0+8) Some(255)=>(A Case 0+16) \
                 Some(340282366920938463463374607431768211455)=>(B Case 0+16) Some(1)=>(C Case 0+16) None=>(D Case 0+16)",
            ),
            (5, "part"),
            (14, "One 16: struct by  None=>(D Case 0+16)"),
            (18, "Plain 8: X=-3 Y=18446744073709551615 Z=-1"),
        ],
    );
}

#[test]
fn derived_and_array_types() {
    check_in_unit(
        r#"
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!11 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !2, size: 64)
!12 = !DIDerivedType(tag: DW_TAG_rvalue_reference_type, baseType: !2, size: 64)
!13 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !2)
!14 = !DIDerivedType(tag: DW_TAG_typedef, name: "word", file: !1, line: 3, baseType: !13)
!15 = !DIDerivedType(tag: DW_TAG_atomic_type, baseType: !2)
!16 = !DIDerivedType(tag: DW_TAG_ptr_to_member_type, baseType: !2, size: 64, extraData: !2)
!17 = !DICompositeType(tag: DW_TAG_array_type, baseType: !2, size: 192, elements: !18)
!18 = !{!19, !20, !21, !22, !23, !24}
!19 = !DISubrange(count: 2)
!20 = !DISubrange(count: -1)
!21 = !DISubrange(count: !3)
!22 = !DISubrange(lowerBound: 1, upperBound: 3)
!23 = !DISubrange(count: 6, lowerBound: 0)
!24 = !DIGenericSubrange(lowerBound: !DIExpression(DW_OP_deref))
!25 = !DIBasicType(tag: DW_TAG_unspecified_type, name: "decltype(nullptr)")
!26 = !DIBasicType(name: "char32_t", size: 32, encoding: DW_ATE_UTF)
!27 = !DIStringType(name: "character(*)", size: 32)
!28 = !DIDerivedType(tag: DW_TAG_member, name: "far", baseType: !2, size: 18446744073709551616, offset: -8)
!29 = !DICompositeType(tag: DW_TAG_structure_type, name: "wild", size: !30, elements: !{!28})
!30 = !DIExpression()
"#,
        &[
            (10, "void * 64: pointer"),
            (11, "int & 64: reference"),
            (12, "int & 64: reference"),
            (13, "const int 0: Some(Const)"),
            (14, "word 0: None"),
            (15, "_Atomic int 0: Some(Atomic)"),
            (16, "DW_TAG_ptr_to_member_type 64: DW_TAG_ptr_to_member_type"),
            (17, "int [2][][][3][6][] 192: [Some(2), None, None, Some(3), Some(6), None]"),
            (25, "decltype(nullptr) 0: DW_TAG_unspecified_type"),
            (26, "char32_t 32: Utf"),
            (27, "character(*) 32: Other"),
            (29, "struct wild 0: struct (far int 0+32)"),
        ],
    );
}

#[test]
fn expressions() {
    let check = |text: &str, expect: &str| {
        let sample = sample(&format!("!0 = !DIExpression{text}"));
        assert_eq!(sample.show(0), expect, "{text}");
    };
    check("()", "empty expression");
    check("(DW_OP_deref, DW_OP_plus_uconst, 8)", "Deref, Add(8)");
    check("(DW_OP_constu, 4, DW_OP_minus, DW_OP_stack_value)", "Add(-4), StackValue");
    check("(DW_OP_constu, 4, DW_OP_plus)", "Add(4)");
    check("(DW_OP_constu, 4, DW_OP_mul)", "DW_OP_constu [4], DW_OP_mul []");
    check("(DW_OP_plus_uconst, 18446744073709551615)", "DW_OP_plus_uconst [18446744073709551615]");
    check("(DW_OP_LLVM_fragment, 32, 16)", "Fragment { offset: 32, bits: 16 }");
    check("(DW_OP_LLVM_convert, 8, DW_ATE_signed)", "DW_OP_LLVM_convert [8, 5]");
    check(
        "(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus)",
        "DW_OP_LLVM_arg [0], DW_OP_LLVM_arg [1], DW_OP_plus []",
    );
    check("(7)", "nothing");
    check("(DW_OP_deref", "nothing");
    check("", "nothing");
    check("(DW_OP_deref, 99999999999999999999)", "nothing");
}

#[test]
fn escapes_and_sparse_numbers() {
    check(
        r#"
!4000000000 = !DIFile(filename: "caf\C3\A9 \22q\22\\x", directory: "")
!4294967295 = distinct !DILocation(line: 7, column: 1, scope: !3999999999)
!3999999999 = !DINamespace(name: "far")
"#,
        &[(4_000_000_000, "café \"q\"\\x"), (u32::MAX, "7:1 far"), (1, "nothing")],
    );
}

#[test]
fn malformed_nodes_do_no_harm() {
    check(
        r#"
!0 = !DIFile(filename: "cut", directory: "/d"
!1 = !DINamespace(name: "kept", scope: (((
!2 = !DINamespace(name: "whole", scope: !1)
!3 = !DINamespace name: "x"
!4 = distinct
!5 = !DIBasicType(name: "int" size: 32)
!6 = !DISubroutineType(types: !2)
!7 = !DICompositeType(tag: DW_TAG_structure_type, name: "self", elements: !7)
!8 = !DICompositeType(tag: DW_TAG_structure_type, name: "wrong", elements: !9)
!9 = !{!9, !8, !0
!10 = !DILocation(line: 99999999999, column: 3, scope: !1)
!11 = !DILocation(line: 5, column: -3, scope: !0, inlinedAt: !1)
!12 = !DINamespace(name: "unclosed
"#,
        &[
            (0, "cut"),
            (1, "Namespace kept"),
            (2, "Namespace kept::whole"),
            (3, "Namespace (anonymous namespace)"),
            (4, "nothing"),
            (5, "int 0: Other"),
            (6, "void () 0: 0 types"),
            (7, "self 0: struct"),
            (8, "wrong 0: struct"),
            (10, "0:3 kept"),
            (11, "5:0 ?"),
            (12, "Namespace (anonymous namespace)"),
        ],
    );
}

#[test]
fn cycles_end() {
    let text = r#"
!0 = distinct !DILocation(line: 1, column: 1, scope: !1, inlinedAt: !0)
!1 = distinct !DILexicalBlock(scope: !2)
!2 = distinct !DILexicalBlock(scope: !1)
!3 = !DINamespace(name: "n", scope: !3)
!4 = !DIDerivedType(tag: DW_TAG_typedef, baseType: !5)
!5 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !4)
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!7 = !DISubroutineType(types: !8)
!8 = !{!7, !7, !7, !7, !7, !7, !7, !7, !7}
!9 = !DICompositeType(tag: DW_TAG_structure_type, size: 64, elements: !10)
!10 = !{!11, !11, !11}
!11 = !DIDerivedType(tag: DW_TAG_member, baseType: !9, size: 64)
!12 = !DICompositeType(tag: DW_TAG_array_type, baseType: !12, size: 64, elements: !13)
!13 = !{!14, !14, !14}
!14 = !DISubrange(count: 1)
"#;
    use_everything(&sample(text));
}

#[test]
fn garbled_text_does_no_harm() {
    let text = r#"
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1)
!1 = !DIFile(filename: "a\22.c", directory: "/d")
!2 = !DICompositeType(tag: DW_TAG_structure_type, name: "s", scope: !0, size: 64, elements: !{!3, !4, !8})
!3 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !5, size: 32, offset: 1, flags: DIFlagBitField | DIFlagPublic)
!4 = !DIDerivedType(tag: DW_TAG_member, baseType: !6, size: 32, offset: 32, extraData: i8 -1)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 32, elements: !7)
!7 = !{!9, !9}
!8 = !DICompositeType(tag: DW_TAG_variant_part, elements: !{!3, !4}, discriminator: !4)
!9 = !DISubrange(count: 2, lowerBound: 0)
!10 = distinct !DILocation(line: 1, column: 1, scope: !11, inlinedAt: !10)
!11 = distinct !DISubprogram(name: "f", scope: !2, type: !12)
!12 = !DISubroutineType(types: !13)
!13 = !{null, !5, null}
!14 = !DIExpression(DW_OP_constu, 1, DW_OP_plus, DW_OP_LLVM_fragment, 0, 8)
"#;
    for end in 0..text.len() {
        use_everything(&sample(&text[..end]));
    }
    for at in 0..text.len() {
        for junk in ["(", ")", "\"", "!", "{", "}", "9", "é", "=", ",", "", "\0"] {
            use_everything(&sample(&format!("{}{junk}{}", &text[..at], &text[at + 1..])));
        }
    }
}

#[test]
fn reading_costs_no_more_than_the_text() {
    let fields = |text: &str| {
        let count = |ty: &DebugType| match &ty.kind {
            DebugTypeKind::Record { fields, .. } => fields.len(),
            _ => 0,
        };
        sample(text).tables.debug.types.iter().map(count).sum::<usize>()
    };
    // Many records with the same long list.
    let mut text = String::new();
    for number in 0..1000 {
        writeln!(text, "!{number} = !DICompositeType(tag: DW_TAG_structure_type, size: 8, elements: !1000)").unwrap();
    }
    writeln!(text, "!1000 = !{{{}!1001}}", "!1001, ".repeat(10_000)).unwrap();
    writeln!(text, "!1001 = !DIDerivedType(tag: DW_TAG_member, name: \"x\", size: 8)").unwrap();
    assert!(fields(&text) < text.len());
    // Many times the same long member.
    let mut text =
        format!("!0 = !DICompositeType(tag: DW_TAG_structure_type, elements: !{{{}!1}})\n", "!1, ".repeat(1000));
    writeln!(text, "!1 = !DIDerivedType(tag: DW_TAG_member, size: 8, name: \"{}\")", "x".repeat(100_000)).unwrap();
    assert!(fields(&text) < 10);
}

fn use_everything(sample: &Sample) {
    let Sample { tables, strings } = sample;
    let debug = &tables.debug;
    for id in debug.types.ids() {
        debug.type_name(strings, id);
        for offset in [0, 1, 32, 33, u64::MAX] {
            for bits in [0, 1, 32, u64::MAX] {
                debug.path_at(strings, id, offset, bits);
            }
        }
    }
    for id in debug.scopes.ids() {
        debug.qualified_name(strings, id);
        debug.function_of(id);
        debug.file_of(id);
    }
    for id in debug.locations.ids() {
        debug.location_chain(id).count();
    }
    for id in debug.files.ids() {
        debug.file_path(strings, id);
    }
}
