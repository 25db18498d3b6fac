#![allow(clippy::unwrap_used, clippy::panic)]
//! Small texts in, what the model makes of them out.

use super::*;
use crate::constant::ConstKind;
use crate::id::FuncId;
use crate::id::Id;
use crate::inst::{Flags, InstKind, MarkerKind, Value};
use crate::types::Type;

fn module(text: &str) -> Module {
    parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The kinds of the first function's instructions.
fn body(text: &str) -> (Module, Vec<InstKind>) {
    let module = module(text);
    let function = module.functions.iter().find(|f| f.is_defined()).unwrap();
    let kinds = function.body().map(|(_, _, inst)| inst.kind.clone()).collect();
    (module, kinds)
}

fn check_error(text: &str, line: u32, column: u32, message: &str) {
    let error = parse(text).err().unwrap_or_else(|| panic!("no error in {text}"));
    assert_eq!((error.line, error.column, error.message.as_str()), (line, column, message));
}

#[test]
fn uses_before_definitions_are_resolved() {
    let (_, kinds) = body(
        "define i32 @f(i32 %n) {
         entry:
           br label %loop
         loop:
           %i = phi i32 [ 0, %entry ], [ %next, %loop ]
           %next = add nsw i32 %i, 1
           %done = icmp eq i32 %next, %n
           br i1 %done, label %exit, label %loop
         exit:
           ret i32 %next
         }",
    );
    let InstKind::Phi { incoming, .. } = &kinds[1] else { panic!("{kinds:?}") };
    assert_eq!(incoming[1].1, Value::Inst(crate::id::InstId::from_index(2)));
    assert_eq!(incoming[1].0.index(), 1);
    let InstKind::Binary { flags, .. } = &kinds[2] else { panic!("{kinds:?}") };
    assert_eq!(*flags, Flags::NSW);
}

#[test]
fn a_name_used_before_it_is_given_may_be_that_of_a_parameter() {
    let (_, kinds) = body("define void @f(ptr %p) {\nstore i8 0, ptr %a\n%a = bitcast ptr %p to ptr\nret void\n}");
    let InstKind::Store { ptr, .. } = &kinds[0] else { panic!("{kinds:?}") };
    assert_eq!(*ptr, Value::Arg(0));
}

#[test]
fn blocks_are_in_the_order_of_the_text() {
    let (module, kinds) = body(
        "define void @f(i1 %c) {
           br i1 %c, label %b, label %a
         a:
           ret void
         b:
           unreachable
         }",
    );
    let InstKind::CondBr { then, otherwise, .. } = &kinds[0] else { panic!("{kinds:?}") };
    assert_eq!((then.index(), otherwise.index()), (2, 1));
    let names: Vec<_> = module.functions[FuncId::from_index(0)].blocks.iter().map(|b| b.name).collect();
    assert_eq!(names.iter().map(|n| n.map(|n| module.str(n))).collect::<Vec<_>>(), [None, Some("a"), Some("b")]);
}

#[test]
fn pointers_of_llvm_14_lose_their_pointee() {
    let (module, kinds) = body(
        "%struct.s = type { i32, %struct.s* }
         define i32 @f(%struct.s* %0, i32 (i8*, ...)* %1) {
           %3 = bitcast %struct.s* %0 to i8*
           %4 = call i32 (i8*, ...) %1(i8* %3, i32 1)
           %5 = getelementptr inbounds %struct.s, %struct.s* %0, i32 0, i32 1
           %6 = load %struct.s*, %struct.s** %5, align 8
           ret i32 %4
         }",
    );
    assert_eq!(kinds.len(), 4);
    let InstKind::Call(call) = &kinds[0] else { panic!("{kinds:?}") };
    assert_eq!(call.args[0], Value::Arg(0));
    assert!(module.types.signature(call.function_ty).unwrap().2);
    assert_eq!(module.types[module.functions[FuncId::from_index(0)].params[1].ty], Type::Ptr(0));
}

#[test]
fn three_spellings_of_a_debug_variable() {
    let metadata = "!1 = !DILocalVariable(name: \"x\", scope: !2)\n!2 = distinct !DISubprogram(name: \"f\")\n\
                    !3 = !DILocation(line: 7, column: 3, scope: !2)\n";
    let check = |line: &str, kind: MarkerKind| {
        let text = format!("define void @f(ptr %p, i32 %v) {{\n{line}\nret void\n}}\n{metadata}");
        let (module, kinds) = body(&text);
        let InstKind::Marker(marker) = &kinds[0] else { panic!("{kinds:?}") };
        assert_eq!(marker.kind, kind, "{line}");
        let name = module.debug.variables[marker.variable].name.unwrap();
        assert_eq!(module.str(name), "x");
        let loc = module.functions[FuncId::from_index(0)].insts.iter().next().unwrap().loc.unwrap();
        assert_eq!(module.debug.locations[loc].line, 7);
    };
    let old = "metadata !1, metadata !DIExpression())";
    check(&format!("call void @llvm.dbg.declare(metadata ptr %p, {old}, !dbg !3"), MarkerKind::Declare);
    check(&format!("call void @llvm.dbg.value(metadata i32 %v, {old}, !dbg !3"), MarkerKind::Assign);
    check("#dbg_declare(ptr %p, !1, !DIExpression(), !3)", MarkerKind::Declare);
    check("#dbg_value(i32 %v, !1, !DIExpression(), !3)", MarkerKind::Assign);
    check("#dbg_assign(i32 %v, !1, !DIExpression(), !4, ptr %p, !DIExpression(), !3)", MarkerKind::Assign);
    check("#dbg_value(i32 undef, !1, !DIExpression(DW_OP_deref), !3)", MarkerKind::Assign);
    check("#dbg_value(!DIArgList(i32 %v, i32 1), !1, !DIExpression(), !3)", MarkerKind::Assign);
}

#[test]
fn constant_addresses_are_base_plus_bytes() {
    let check = |text: &str, expect: Option<(i64, bool)>| {
        let module = module(&format!(
            "%s = type {{ i8, i32, [4 x i16] }}\n@x = global %s zeroinitializer\n@p = global ptr {text}"
        ));
        let global = module.globals.iter().nth(1).unwrap();
        let found = match module.consts[global.initializer.unwrap()].kind {
            ConstKind::Offset { bytes, inbounds, .. } => Some((bytes, inbounds)),
            ConstKind::Symbol(_) => None,
            ref other => panic!("{other:?}"),
        };
        assert_eq!(found, expect, "{text}");
    };
    check("getelementptr inbounds (%s, ptr @x, i64 0, i32 2, i64 3)", Some((14, true)));
    check("getelementptr (%s, ptr @x, i64 1)", Some((16, false)));
    check("getelementptr (i8, ptr @x, i32 -1)", Some((-1, false)));
    check("getelementptr inbounds (%s, ptr @x, i64 0, i32 0)", None);
    check("getelementptr inbounds nuw (i8, ptr getelementptr inbounds (i8, ptr @x, i64 3), i64 4)", Some((7, true)));
    check("bitcast (ptr getelementptr (i8, ptr @x, i64 2) to ptr)", Some((2, false)));
}

#[test]
fn unknown_things_are_tolerated() {
    let (module, kinds) = body(
        "define noundef range(i32 0, 5) i32 @f(ptr captures(none) frobnicate(1, {2}) \"x\"=\"y\" %p) newattr(7) #0 {
           %a = add wobbly i32 1, 2
           %b = frob i32 %a, { 1, 2 }, !dbg !0
           %c = add i32 %b, 1
           ret i32 %c
         }
         attributes #0 = { nounwind someday(\"x\") noreturn }",
    );
    let InstKind::Unsupported(unsupported) = &kinds[1] else { panic!("{kinds:?}") };
    assert_eq!(module.str(unsupported.text), "%b = frob i32 %a, { 1, 2 }");
    assert!(!unsupported.terminator);
    let function = module.functions.iter().next().unwrap();
    assert!(module.attrs[function.attrs].has(crate::attrs::AttrFlag::NoReturn));
    assert_eq!(function.insts.iter().nth(1).unwrap().ty, function.insts.iter().next().unwrap().ty);
    assert_eq!(module.notes.len(), 1);
}

#[test]
fn block_addresses_find_their_block() {
    let module = module(
        "@table = global [2 x ptr] [ptr blockaddress(@f, %2), ptr blockaddress(@f, %named)]
         define void @f(ptr %0) {
           indirectbr ptr %0, [label %2, label %named]
         2:
           ret void
         named:
           ret void
         }",
    );
    let global = module.globals.iter().next().unwrap();
    let ConstKind::Aggregate(elements) = &module.consts[global.initializer.unwrap()].kind else { panic!() };
    let blocks: Vec<_> = elements
        .iter()
        .map(|&id| match module.consts[id].kind {
            ConstKind::BlockAddress { block, .. } => block.index(),
            ref other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(blocks, [1, 2]);
}

#[test]
fn errors_name_line_column_and_what_was_expected() {
    check_error("define i32 @f() {\n  ret i32 %x\n}", 2, 11, "%x is not defined");
    check_error("define i32 @f(i64 %x) {\n  ret i32 %x\n}", 2, 11, "%x was defined with another type");
    check_error("define void @f() {\n  br label %x\n}", 2, 12, "block %x is not defined");
    check_error("define void @f() {\n  ret", 2, 6, "expected a type, found the end of the text");
    check_error("define void @f() {\n  store i32 1\n}", 3, 1, "expected `,`, found `}`");
    check_error("define void @f() {\n}", 2, 1, "a function without blocks");
    check_error("define void @f() {\n %1 = add i32 1, 1\n}", 3, 1, "the last block has no end");
    check_error("@x = global i32 \"", 1, 17, "expected a value, found a string without an end");
    check_error("hello world", 1, 1, "expected a definition, found `hello`");
    check_error("@x = global i32 0\n@x = global i32 0", 2, 1, "@x is defined twice");
    check_error("@x = global [2 x i8] [i8 1]", 1, 28, "1 elements where the type has 2");
    let deep = format!("@x = global {}i8{} zeroinitializer", "[1 x ".repeat(100_000), "]".repeat(100_000));
    assert_eq!(parse(&deep).unwrap_err().message, "nested more than 256 levels deep");
}

#[test]
fn calls_need_the_arguments_of_their_type() {
    let text = |call: &str| format!("declare i32 @g(i32, ...)\ndefine void @f() {{\n{call}\nret void\n}}");
    assert!(parse(&text("call i32 (i32, ...) @g(i32 1, i64 2)")).is_ok());
    assert!(parse(&text("call i32 (i32, ...) @g()")).is_err());
    assert!(parse(&text("call i32 (i32) @g(i32 1, i32 2)")).is_err());
    assert!(parse(&text("call i32 @g(i32 1) nounwind\n%2 = add i32 1, 1")).is_ok());
}

#[test]
fn named_metadata_behind_a_variable_is_no_attachment() {
    let module = module("@x = global i32 0, align 4, !dbg !0\n\n!llvm.dbg.cu = !{!0}\n!0 = !{}\n");
    assert_eq!(module.globals.len(), 1);
}
