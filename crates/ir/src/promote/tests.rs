#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use crate::debug::ExprOp;
use crate::id::BlockId;
use crate::parse::parse;
use crate::print::print;

/// Declarations that the functions of the tests call.
const DECLARATIONS: &str = "
declare void @use(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare i32 @may_throw(i32)
declare i32 @personality(...)
";

fn promoted(text: &str) -> (Module, Promotion) {
    let mut module = parse(&format!("{text}\n{DECLARATIONS}")).unwrap();
    let promotion = promote(&mut module);
    for function in module.functions.iter() {
        let listed: Vec<InstId> = function.body().map(|(_, id, _)| id).collect();
        assert_eq!(listed, function.insts.ids().collect::<Vec<_>>(), "not compact");
    }
    (module, promotion)
}

/// The lines of the first function's body, without indentation.
fn body(module: &Module) -> String {
    let text = print(module);
    let start = text.find("{\n").unwrap() + 2;
    let end = start + text[start..].find("\n}").unwrap();
    text[start..end].lines().map(|line| line.trim().to_string() + "\n").collect()
}

fn trimmed(text: &str) -> String {
    text.trim().lines().map(|line| line.trim().to_string() + "\n").collect()
}

fn check(function: &str, expect: &str) {
    let (module, promotion) = promoted(function);
    assert_eq!(promotion.left, BTreeMap::new());
    assert_eq!(body(&module), trimmed(expect));
}

fn check_left(function: &str, obstacle: Obstacle) {
    let (module, promotion) = promoted(function);
    assert_eq!(promotion.left, BTreeMap::from([(obstacle, 1)]), "{function}");
    let unchanged = parse(&format!("{function}\n{DECLARATIONS}")).unwrap();
    assert_eq!(body(&module), body(&unchanged));
}

#[test]
fn a_straight_line_needs_no_memory() {
    check(
        "define i32 @f(i32 %n) {
           %a = alloca i32
           %b = alloca i32
           call void @llvm.lifetime.start.p0(i64 4, ptr %a)
           store i32 %n, ptr %a
           %x = load i32, ptr %a
           store i32 %x, ptr %b
           store i32 7, ptr %a
           %y = load i32, ptr %a
           %z = load i32, ptr %b
           %sum = add i32 %y, %z
           call void @llvm.lifetime.end.p0(ptr %a)
           ret i32 %sum
         }",
        "%sum = add i32 7, %n
         ret i32 %sum",
    );
}

#[test]
fn reading_before_writing_is_undefined() {
    check(
        "define i32 @f() {
           %a = alloca i32
           %x = load i32, ptr %a
           ret i32 %x
         }",
        "ret i32 undef",
    );
}

#[test]
fn loops_get_phis_for_what_changes_only() {
    check(
        "define i32 @f(i32 %n, i32 %k) {
         entry:
           %i = alloca i32
           %step = alloca i32
           store i32 0, ptr %i
           store i32 %k, ptr %step
           br label %head
         head:
           %0 = load i32, ptr %i
           %more = icmp slt i32 %0, %n
           br i1 %more, label %body, label %end
         body:
           %1 = load i32, ptr %i
           %2 = load i32, ptr %step
           %3 = add i32 %1, %2
           store i32 %3, ptr %i
           br label %inner
         inner:
           %4 = load i32, ptr %i
           %5 = icmp eq i32 %4, 3
           br i1 %5, label %inner, label %head
         end:
           %6 = load i32, ptr %i
           ret i32 %6
         }",
        "entry:
         br label %head
         head:
         %0 = phi i32 [ 0, %entry ], [ %1, %inner ]
         %more = icmp slt i32 %0, %n
         br i1 %more, label %body, label %end
         body:
         %1 = add i32 %0, %k
         br label %inner
         inner:
         %2 = icmp eq i32 %1, 3
         br i1 %2, label %inner, label %head
         end:
         ret i32 %0",
    );
}

#[test]
fn a_phi_has_an_entry_for_every_edge() {
    check(
        "define i32 @f(i32 %n) {
         entry:
           %a = alloca i32
           store i32 1, ptr %a
           switch i32 %n, label %other [ i32 1, label %join
                                         i32 2, label %join ]
         other:
           store i32 2, ptr %a
           br label %join
         dead:
           br label %join
         join:
           %old = phi i32 [ 5, %entry ], [ 5, %entry ], [ 6, %other ], [ 7, %dead ]
           %x = load i32, ptr %a
           %sum = add i32 %old, %x
           ret i32 %sum
         }",
        "entry:
         switch i32 %n, label %other [
         i32 1, label %join
         i32 2, label %join
         ]
         other:
         br label %join
         dead:
         br label %join
         join:
         %old = phi i32 [ 5, %entry ], [ 5, %entry ], [ 6, %other ], [ 7, %dead ]
         %0 = phi i32 [ 1, %entry ], [ 1, %entry ], [ 2, %other ], [ undef, %dead ]
         %sum = add i32 %old, %0
         ret i32 %sum",
    );
}

#[test]
fn joins_of_equal_values_need_no_phi() {
    // What is stored to `b` on both sides is the same only once `a` is a value.
    check(
        "define i32 @f(i1 %c, i32 %n) {
         entry:
           %a = alloca i32
           %b = alloca i32
           store i32 %n, ptr %a
           br i1 %c, label %left, label %right
         left:
           %0 = load i32, ptr %a
           store i32 %0, ptr %b
           br label %join
         right:
           %1 = load i32, ptr %a
           store i32 %1, ptr %b
           br label %join
         join:
           %2 = load i32, ptr %b
           ret i32 %2
         }",
        "entry:
         br i1 %c, label %left, label %right
         left:
         br label %join
         right:
         br label %join
         join:
         ret i32 %n",
    );
}

#[test]
fn every_way_into_an_irreducible_loop_counts() {
    check(
        "define i32 @f(i1 %c) {
         entry:
           %a = alloca i32
           store i32 1, ptr %a
           br i1 %c, label %left, label %right
         left:
           store i32 2, ptr %a
           br label %right
         right:
           %0 = load i32, ptr %a
           br i1 %c, label %left, label %end
         end:
           %1 = load i32, ptr %a
           ret i32 %1
         }",
        "entry:
         br i1 %c, label %left, label %right
         left:
         br label %right
         right:
         %0 = phi i32 [ 1, %entry ], [ 2, %left ]
         br i1 %c, label %left, label %end
         end:
         ret i32 %0",
    );
}

#[test]
fn an_irreducible_loop_that_changes_nothing_needs_no_phi() {
    // The inner circle of `c` and `d` is redundant only when looked at without `a` and `b`, where a store arrives.
    check(
        "define i32 @f(i1 %p) {
         entry:
           %v = alloca i32
           %w = alloca i32
           store i32 1, ptr %v
           store i32 7, ptr %w
           br i1 %p, label %a, label %b
         a:
           br i1 %p, label %b, label %c
         b:
           store i32 2, ptr %v
           br i1 %p, label %a, label %a
         c:
           br i1 %p, label %d, label %a
         d:
           br i1 %p, label %c, label %e
         e:
           br i1 %p, label %d, label %end
         end:
           %0 = load i32, ptr %v
           %1 = load i32, ptr %w
           %2 = add i32 %0, %1
           ret i32 %2
         }",
        "entry:
         br i1 %p, label %a, label %b
         a:
         %0 = phi i32 [ 1, %entry ], [ 2, %b ], [ 2, %b ], [ %0, %c ]
         br i1 %p, label %b, label %c
         b:
         br i1 %p, label %a, label %a
         c:
         br i1 %p, label %d, label %a
         d:
         br i1 %p, label %c, label %e
         e:
         br i1 %p, label %d, label %end
         end:
         %1 = add i32 %0, 7
         ret i32 %1",
    );
}

#[test]
fn parts_of_an_object_become_values_of_their_own() {
    check(
        "%pair = type { i8, { i32, i64 } }
         define i64 @f(ptr %p, i64 %n) {
           %bytes = alloca [16 x i8]
           %end = getelementptr inbounds i8, ptr %bytes, i64 8
           store ptr %p, ptr %bytes
           store i64 %n, ptr %end
           %object = alloca %pair
           %inner = getelementptr %pair, ptr %object, i32 0, i32 1
           %field = getelementptr { i32, i64 }, ptr %inner, i64 0, i32 1
           %back = getelementptr i64, ptr %field, i64 -1
           store i32 5, ptr %back
           store i64 6, ptr %field
           %v0 = load ptr, ptr %bytes
           %v1 = getelementptr i8, ptr %bytes, i64 8
           %v2 = load i64, ptr %v1
           %v3 = load i64, ptr %v0
           %v4 = load i64, ptr %field
           %v5 = add i64 %v2, %v3
           %v6 = add i64 %v4, %v5
           ret i64 %v6
         }",
        "%v3 = load i64, ptr %p, align 4
         %v5 = add i64 %n, %v3
         %v6 = add i64 6, %v5
         ret i64 %v6",
    );
}

#[test]
fn addresses_are_followed_whatever_the_order_of_blocks() {
    check(
        "define i32 @f() {
         entry:
           %a = alloca { i32, [2 x i32] }
           br label %base
         use:
           %last = getelementptr i32, ptr %second, i64 1
           store i32 3, ptr %last
           %x = load i32, ptr %last
           ret i32 %x
         base:
           %second = getelementptr { i32, [2 x i32] }, ptr %a, i64 0, i32 1
           br label %use
         }",
        "entry:
         br label %base
         use:
         ret i32 3
         base:
         br label %use",
    );
}

#[test]
fn one_slot_may_be_read_in_several_ways() {
    check(
        "define i64 @f(float %x, ptr %p, i64 %n) {
           %a = alloca float
           store float %x, ptr %a
           %bits = load i32, ptr %a
           %b = alloca ptr
           store ptr %p, ptr %b
           %address = load i64, ptr %b
           store i64 %n, ptr %b
           %q = load ptr, ptr %b
           %c = alloca <2 x i16>
           store i32 %bits, ptr %c
           %v = load <2 x i16>, ptr %c
           %first = extractelement <2 x i16> %v, i32 0
           %wide = zext i16 %first to i64
           %sum = add i64 %address, %wide
           store i64 %sum, ptr %q
           ret i64 %sum
         }",
        "%1 = bitcast float %x to i32
         %address = ptrtoint ptr %p to i64
         %2 = inttoptr i64 %n to ptr
         %v = bitcast i32 %1 to <2 x i16>
         %first = extractelement <2 x i16> %v, i32 0
         %wide = zext i16 %first to i64
         %sum = add i64 %address, %wide
         store i64 %sum, ptr %2, align 4
         ret i64 %sum",
    );
}

#[test]
fn a_union_of_pointer_integer_and_float_is_an_integer() {
    check(
        "define ptr @f(double %x) {
           %a = alloca i64
           store double %x, ptr %a
           %n = load i64, ptr %a
           %p = load ptr, ptr %a
           ret ptr %p
         }",
        "%1 = bitcast double %x to i64
         %p = inttoptr i64 %1 to ptr
         ret ptr %p",
    );
}

#[test]
fn whole_aggregates_and_odd_widths_are_values_too() {
    check(
        "define { i32, i1 } @f({ i32, i1 } %x, i1 %b, x86_fp80 %l) {
           %a = alloca { i32, i1 }
           %c = alloca i8
           %d = alloca x86_fp80
           store { i32, i1 } %x, ptr %a
           store i1 %b, ptr %c
           store x86_fp80 %l, ptr %d
           %v0 = load { i32, i1 }, ptr %a
           %v1 = load i1, ptr %c
           %v2 = load x86_fp80, ptr %d
           %v3 = insertvalue { i32, i1 } %v0, i1 %v1, 1
           ret { i32, i1 } %v3
         }",
        "%v3 = insertvalue { i32, i1 } %x, i1 %b, 1
         ret { i32, i1 } %v3",
    );
}

#[test]
fn phis_stand_before_landing_pads() {
    check(
        "define i32 @f(i32 %n) personality ptr @personality {
         entry:
           %a = alloca i32
           store i32 1, ptr %a
           %0 = invoke i32 @may_throw(i32 1) to label %next unwind label %caught
         next:
           store i32 %0, ptr %a
           %1 = invoke i32 @may_throw(i32 2) to label %end unwind label %caught
         end:
           ret i32 0
         caught:
           %pad = landingpad { ptr, i32 } cleanup
           %2 = load i32, ptr %a
           ret i32 %2
         }",
        "entry:
         %0 = invoke i32 @may_throw(i32 1) to label %next unwind label %caught
         next:
         %1 = invoke i32 @may_throw(i32 2) to label %end unwind label %caught
         end:
         ret i32 0
         caught:
         %2 = phi i32 [ 1, %entry ], [ %0, %next ]
         %pad = landingpad { ptr, i32 } cleanup
         ret i32 %2",
    );
}

#[test]
fn unreachable_code_never_matters_and_never_hangs() {
    check(
        "define i32 @f() {
         entry:
           %a = alloca i32
           store i32 1, ptr %a
           br label %end
         circle:
           %x = load i32, ptr %a
           %y = add i32 %x, 1
           store i32 %y, ptr %a
           %g = getelementptr i8, ptr %g, i64 4
           br i1 true, label %circle, label %end
         end:
           %z = load i32, ptr %a
           ret i32 %z
         }",
        "entry:
         br label %end
         circle:
         %y = add i32 undef, 1
         %g = getelementptr i8, ptr %g, i64 4
         br i1 true, label %circle, label %end
         end:
         ret i32 1",
    );
}

#[test]
fn a_value_used_before_it_is_computed_does_not_hang() {
    check(
        "define i32 @f() {
         entry:
           %a = alloca i32
           ret i32 0
         unreached:
           store i32 %x, ptr %a
           %x = load i32, ptr %a
           ret i32 %x
         }",
        "entry:
         ret i32 0
         unreached:
         ret i32 undef",
    );
}

#[test]
fn what_is_not_understood_stays() {
    let with =
        |rest: &str| format!("define void @f(i64 %n, ptr %p) {{\n%a = alloca [8 x i8], align 8\n{rest}\nret void\n}}");
    let cases = [
        ("store ptr %a, ptr %p", Obstacle::Escapes),
        ("call void @use(ptr %a)", Obstacle::Escapes),
        ("%b = ptrtoint ptr %a to i64", Obstacle::Escapes),
        ("%b = icmp eq ptr %a, null", Obstacle::Escapes),
        ("%b = select i1 true, ptr %a, ptr %p", Obstacle::Escapes),
        ("%b = getelementptr i8, ptr %a, i64 %n\n%c = load i8, ptr %b", Obstacle::Escapes),
        ("%b = getelementptr i8, ptr %a, i64 4\ncall void @use(ptr %b)", Obstacle::Escapes),
        ("%b = load volatile i64, ptr %a", Obstacle::Volatile),
        ("store volatile i64 1, ptr %a", Obstacle::Volatile),
        ("%b = load atomic i64, ptr %a seq_cst, align 8", Obstacle::Volatile),
        ("%b = load i128, ptr %a", Obstacle::OutOfBounds),
        ("%b = getelementptr i8, ptr %a, i64 -1\n%c = load i8, ptr %b", Obstacle::OutOfBounds),
        ("%b = getelementptr i8, ptr %a, i64 8\nstore i8 1, ptr %b", Obstacle::OutOfBounds),
        ("%b = load i64, ptr %a\n%c = load i32, ptr %a", Obstacle::Overlaps),
        ("%b = getelementptr i8, ptr %a, i64 2\n%c = load i32, ptr %b\n%d = load i32, ptr %a", Obstacle::Overlaps),
        ("%b = load i1, ptr %a\n%c = load i8, ptr %a", Obstacle::MixedTypes),
        ("%b = load i7, ptr %a\n%c = load <7 x i1>, ptr %a", Obstacle::MixedTypes),
        ("%b = load double, ptr %a\n%c = load ptr, ptr %a", Obstacle::MixedTypes),
        ("%b = load { i32, i32 }, ptr %a\n%c = load i64, ptr %a", Obstacle::MixedTypes),
        ("%b = load <1 x ptr>, ptr %a\n%c = load i64, ptr %a", Obstacle::MixedTypes),
        ("%b = load <vscale x 1 x i8>, ptr %a", Obstacle::Unsized),
    ];
    for (rest, obstacle) in cases {
        check_left(&with(rest), obstacle);
    }
    check_left("define void @f(i64 %n) {\n%a = alloca i8, i64 %n\nstore i8 1, ptr %a\nret void\n}", Obstacle::Dynamic);
    check_left(
        "define void @f() {\nbr label %b\nb:\n%a = alloca i8\nstore i8 1, ptr %a\nret void\n}",
        Obstacle::Dynamic,
    );
}

#[test]
fn an_obstacle_concerns_its_own_object_only() {
    let (module, promotion) = promoted(
        "define i32 @f(i32 %n) {
           %a = alloca i32
           %b = alloca i32
           store i32 %n, ptr %a
           store i32 %n, ptr %b
           call void @use(ptr %a)
           %x = load i32, ptr %b
           ret i32 %x
         }",
    );
    assert_eq!((promotion.allocas, promotion.slots), (1, 1));
    assert_eq!(promotion.left, BTreeMap::from([(Obstacle::Escapes, 1)]));
    assert!(body(&module).ends_with("call void @use(ptr %a)\nret i32 %n\n"));
}

/// A variable that is written before a chain of many blocks and read behind it; block `i` also goes to `other(i)`.
fn check_chain(other: impl Fn(usize) -> usize) {
    const BLOCKS: usize = 100_000;
    let mut text = String::from("define i32 @f(i1 %c) {\nentry:\n%a = alloca i32\nstore i32 9, ptr %a\nbr label %b0\n");
    for i in 0..BLOCKS {
        text.push_str(&format!("b{i}:\nbr i1 %c, label %b{}, label %b{}\n", i + 1, other(i).min(BLOCKS)));
    }
    text.push_str(&format!("b{BLOCKS}:\n%x = load i32, ptr %a\nret i32 %x\n}}"));
    let (module, promotion) = promoted(&text);
    assert_eq!(promotion.slots, 1);
    let function = module.functions.iter().next().unwrap();
    assert!(function.body().all(|(_, _, inst)| !matches!(inst.kind, InstKind::Phi { .. })));
    let last = function.terminator(BlockId::from_index(BLOCKS + 1)).unwrap();
    let InstKind::Ret(Some(Value::Const(result))) = last.kind else { panic!("not a constant") };
    assert_eq!(module.consts[result].kind, ConstKind::Int(9));
}

#[test]
fn long_chains_of_blocks_are_no_problem() {
    check_chain(|i| i + 1);
}

#[test]
fn long_chains_of_joins_are_no_problem() {
    check_chain(|i| i + 2);
}

#[test]
fn long_chains_of_loops_are_no_problem() {
    check_chain(|i| i);
    check_chain(|i| i.saturating_sub(1));
    check_chain(|i| i / 2);
}

#[test]
fn a_loop_around_everything_is_no_problem() {
    check_chain(|_| 0);
}

#[test]
fn a_tangle_of_loops_is_no_problem() {
    check_chain(|i| i * 7919 % 100_000);
}

/// Debug info of a function with variables `x` of 32 and `wide` of 128 bits.
const DEBUG: &str = r#"
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition, type: !10)
!3 = !DILocalVariable(name: "x", scope: !2, file: !1, line: 2, type: !5)
!4 = !DILocalVariable(name: "wide", scope: !2, file: !1, line: 3, type: !6)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !DIBasicType(name: "wide", size: 128, encoding: DW_ATE_signed)
!7 = !DILocation(line: 2, scope: !2)
!8 = !DILocation(line: 20, scope: !2)
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = !DISubroutineType(types: !11)
!11 = !{null}
!12 = distinct !DISubprogram(name: "g", file: !1, line: 30, unit: !0, spFlags: DISPFlagDefinition, type: !10)
!13 = !DILocation(line: 31, scope: !12, inlinedAt: !8)
!14 = !DILocalVariable(name: "inner", scope: !12, file: !1, line: 30, type: !5)
"#;

/// Every marker as `block: name operations = value, line`.
fn check_markers(body: &str, expect: &[&str]) {
    let text = format!("define i32 @f(i32 %n, i64 %m, ptr %p) !dbg !2 {{\n{body}\n}}\n{DEBUG}");
    let (module, _) = promoted(&text);
    let function = module.functions.iter().next().unwrap();
    let mut found = Vec::new();
    for (block, _, inst) in function.body() {
        let InstKind::Marker(marker) = inst.kind else { continue };
        assert_eq!(marker.kind, MarkerKind::Assign);
        let name = module.str(module.debug.variables[marker.variable].name.unwrap());
        let value = match marker.value.unwrap() {
            Value::Const(id) => match module.consts[id].kind {
                ConstKind::Int(value) => value.to_string(),
                ref other => format!("{other:?}"),
            },
            Value::Arg(number) => format!("arg{number}"),
            Value::Inst(id) => match function.insts[id].kind {
                InstKind::Phi { .. } => "phi".to_string(),
                _ => format!("{id:?}"),
            },
        };
        let ops: String = marker.expr.map_or_else(String::new, |expr| {
            let op = |op: &ExprOp| match op {
                ExprOp::Deref => " *".to_string(),
                ExprOp::Add(n) => format!(" +{n}"),
                ExprOp::Fragment { offset, bits } => format!(" [{offset}..+{bits}]"),
                other => format!(" {other:?}"),
            };
            module.debug.exprs[expr].iter().map(op).collect()
        });
        let line = inst.loc.map_or("no line".to_string(), |loc| module.debug.locations[loc].line.to_string());
        found.push(format!("{block:?}: {name}{ops} = {value}, {line}"));
    }
    assert_eq!(found, expect);
}

#[test]
fn stores_and_phis_become_assignments() {
    check_markers(
        "entry:
           %a = alloca i32
           #dbg_declare(ptr %a, !3, !DIExpression(), !7)
           store i32 %n, ptr %a
           %c = icmp eq i32 %n, 0
           br i1 %c, label %then, label %end
         then:
           store i32 5, ptr %a, !dbg !8
           br label %end
         end:
           %x = load i32, ptr %a
           ret i32 %x",
        &["bb0: x = arg0, 2", "bb1: x = 5, 20", "bb2: x = phi, no line"],
    );
}

#[test]
fn assignments_to_parts_say_which() {
    check_markers(
        "%a = alloca [16 x i8]
         #dbg_declare(ptr %a, !4, !DIExpression(), !7)
         %b = getelementptr i8, ptr %a, i64 8
         #dbg_declare(ptr %b, !3, !DIExpression(), !7)
         store ptr %p, ptr %a, !dbg !8
         store i64 %m, ptr %b, !dbg !8
         ret i32 0",
        &["bb0: wide [0..+64] = arg2, 20", "bb0: wide [64..+64] = arg1, 20", "bb0: x = arg1, 20"],
    );
}

#[test]
fn expressions_are_kept_or_adapted() {
    let check = |expr: &str, stores: &str, expect: &[&str]| {
        let body = format!(
            "%a = alloca [16 x i8]
             %b = getelementptr i8, ptr %a, i64 8
             #dbg_declare(ptr %a, !4, !DIExpression({expr}), !7)
             {stores}
             ret i32 0"
        );
        check_markers(&body, expect);
    };
    check("DW_OP_deref", "store ptr %p, ptr %a", &["bb0: wide * = arg2, 2"]);
    check("DW_OP_deref, DW_OP_plus_uconst, 4", "store ptr %p, ptr %a", &["bb0: wide +4 * = arg2, 2"]);
    check("DW_OP_plus_uconst, 8, DW_OP_deref", "store ptr %p, ptr %b", &["bb0: wide * = arg2, 2"]);
    check("DW_OP_plus_uconst, 8, DW_OP_deref", "store ptr %p, ptr %a", &[]);
    check("DW_OP_plus_uconst, 8", "store i64 %m, ptr %b", &["bb0: wide = arg1, 2"]);
    check("DW_OP_plus_uconst, 8", "store i64 %m, ptr %a", &[]);
    let fragment = "DW_OP_LLVM_fragment, 64, 64";
    check(fragment, "store i64 %m, ptr %a", &["bb0: wide [64..+64] = arg1, 2"]);
    check(fragment, "store i64 %m, ptr %b", &[]);
    check(fragment, "store i32 %n, ptr %a", &["bb0: wide [64..+32] = arg0, 2"]);
}

#[test]
fn padding_is_no_part_that_is_missing() {
    check_markers(
        "%a = alloca x86_fp80
         #dbg_declare(ptr %a, !4, !DIExpression(), !7)
         store x86_fp80 0xK3FFF8000000000000000, ptr %a
         ret i32 0",
        &["bb0: wide = Float(302222231531620438900736), 2"],
    );
}

#[test]
fn a_variable_of_an_inlined_function_keeps_its_place() {
    check_markers(
        "%a = alloca i32
         #dbg_declare(ptr %a, !14, !DIExpression(), !13)
         store i32 %n, ptr %a, !dbg !8
         store i32 4, ptr %a, !dbg !13
         ret i32 0",
        &["bb0: inner = arg0, 31", "bb0: inner = 4, 31"],
    );
}

#[test]
fn a_converted_store_still_assigns_what_was_stored() {
    check_markers(
        "%a = alloca i32
         #dbg_declare(ptr %a, !3, !DIExpression(), !7)
         store float 1.0, ptr %a, !dbg !8
         %x = load i32, ptr %a
         ret i32 %x",
        &["bb0: x = Float(1065353216), 20"],
    );
}

#[test]
fn compacting_drops_and_orders() {
    let mut module = parse(
        "define i32 @f(i32 %n) {
           %a = add i32 %n, 1
           %b = add i32 %a, 2
           %c = add i32 %a, 3
           %d = add i32 %c, 4
           ret i32 %d
         }",
    )
    .unwrap();
    let function = module.functions.iter_mut().next().unwrap();
    let block = function.blocks.iter_mut().next().unwrap();
    // Without `b`, with `c` only used, and `a` behind `d`.
    let [a, _, _, d, ret] = block.insts[..] else { panic!() };
    block.insts = vec![d, a, ret];
    compact(function);
    let names: Vec<_> = function.insts.iter().map(|inst| inst.name.map(|name| &*module.strings[name])).collect();
    assert_eq!(names, [Some("d"), Some("a"), None, Some("c")]);
    let InstKind::Binary { left, .. } = function.insts[InstId::from_index(0)].kind else { panic!() };
    assert_eq!(left, Value::Inst(InstId::from_index(3)));
    let InstKind::Ret(Some(value)) = function.insts[InstId::from_index(2)].kind else { panic!() };
    assert_eq!(value, Value::Inst(InstId::from_index(0)));
}

#[test]
fn what_would_take_far_more_room_as_values_stays() {
    let long = |elements: usize| {
        let constant = vec!["i32 1"; elements].join(", ");
        format!(
            "define [{elements} x i32] @f() {{\n%a = alloca [{elements} x i32]\n\
             store [{elements} x i32] [{constant}], ptr %a\n%x = load [{elements} x i32], ptr %a\n\
             ret [{elements} x i32] %x\n}}"
        )
    };
    let promote = |text: &str| promote(&mut parse(text).unwrap());
    assert_eq!(promote(&long(16)).allocas, 1);
    assert_eq!(promote(&long(100)).left, BTreeMap::from([(Obstacle::TooLarge, 1)]));

    // Every variable differs in every predecessor of the last block.
    let wide = |count: usize| {
        let each = |line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
        format!(
            "define void @f(i32 %n) {{\n{}switch i32 %n, label %end [\n{}]\n{}end:\n{}ret void\n}}",
            each(&|i| format!("%a{i} = alloca i32\n")),
            each(&|i| format!("i32 {i}, label %b{i}\n")),
            each(&|i| format!("b{i}:\nstore i32 {i}, ptr %a{i}\nbr label %end\n")),
            each(&|i| format!("%x{i} = load i32, ptr %a{i}\n")),
        )
    };
    assert_eq!(promote(&wide(50)).allocas, 50);
    let promotion = promote(&wide(2000));
    assert!(promotion.allocas > 50 && promotion.left[&Obstacle::TooLarge] > 1000, "{promotion:?}");
}
