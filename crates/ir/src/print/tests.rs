#![allow(clippy::unwrap_used)]

use super::{print, print_functions};
use crate::id::{FuncId, Id};
use crate::inst::{InstKind, Value};
use crate::module::{Linkage, Module};
use crate::parse::parse;

fn lines(text: &str) -> String {
    text.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What is read from `input` prints as `expect`, and that again as itself.
#[track_caller]
fn check(input: &str, expect: &str) {
    let text = print(&parse(input).unwrap());
    assert_eq!(lines(&text), lines(expect));
    assert_eq!(print(&parse(&text).unwrap()), text, "reading the print and printing it again");
}

/// Text that is canonical already.
#[track_caller]
fn check_same(text: &str) {
    check(text, text);
}

/// The body of a function of `params` prints as `expect`.
#[track_caller]
fn check_body(params: &str, body: &str, expect: &str) {
    let define = |body: &str| format!("define void @f({params}) {{\nentry:\n{body}\n  ret void\n}}\n");
    check(&define(body), &define(expect));
}

#[test]
fn canonical_text_stays() {
    check_same(
        r#"
target datalayout = "e-m:e-i64:64-i128:128"
target triple = "x86_64-pc-linux-gnu"
%"a b" = type <{ i8, i64 }>
%list = type { ptr, %"a b", [2 x <4 x float>] }
%none = type opaque
$group = comdat any
module asm ".globl x"
@"0" = private unnamed_addr constant [4 x i8] c"a\22\5C\00", align 1
@list = global %list zeroinitializer, section "my sec", comdat($group), align 16
@tls = thread_local(initialexec) global i32 3
@tls2 = internal thread_local global i32 3
@far = addrspace(1) externally_initialized global i32 0
@copy = available_externally constant i32 1
@llvm.used = appending global [3 x ptr] [ptr @list, ptr @external, ptr @weak], section "llvm.metadata"
@late = ifunc void (), ptr @resolver
@other = weak alias i32 (i32), ptr @f
define internal ptr @resolver() {
  ret ptr @maybe
}
define linkonce_odr hidden fastcc zeroext i8 @g(i8 signext %x, ptr byval(%list) align 8 %y) unnamed_addr noinline optnone "target-features"="+sse2" section "code" comdat($group) align 32 gc "shadow-stack" personality ptr @personality {
  ret i8 %x
}
define cc 17 i32 @f(i32 %0) noreturn nounwind {
  switch i32 %0, label %4 [
    i32 1, label %2
    i32 -7, label %4
  ]
2:
  %3 = icmp eq i32 %0, 0
  br i1 %3, label %4, label %end
4:
  %5 = phi i32 [ 5, %1 ], [ 5, %1 ], [ %0, %2 ]
  ret i32 %5
end:
  unreachable
}
@external = external dso_local global i32, align 4
declare extern_weak void @maybe()
declare i32 @personality(...)
@weak = extern_weak hidden global %none
"#,
    );
}

#[test]
fn instructions() {
    let same = |params: &str, body: &str| check_body(params, body, body);
    same("ptr %p", "  %a = alloca i32, i64 8, align 4\n  %b = alloca i8\n  %c = alloca i8, addrspace(5)");
    same("ptr %p", "  %l = load volatile i32, ptr %p, align 4\n  store i32 %l, ptr %p, align 1");
    check_body("ptr %p", "  store i16 1, ptr %p", "  store i16 1, ptr %p, align 2");
    check_body(
        "ptr %p",
        "  %r = atomicrmw add ptr %p, i64 1 seq_cst",
        "  %r = atomicrmw add ptr %p, i64 1 seq_cst, align 8",
    );
    same("ptr %p", "  %l = load atomic i32, ptr %p syncscope(\"one\") acquire, align 4");
    same("ptr %p", "  store atomic volatile i32 1, ptr %p release, align 4");
    same("ptr %p", "  %r = atomicrmw volatile xchg ptr %p, i32 1 syncscope(\"one\") monotonic, align 4");
    same("ptr %p", "  %r = cmpxchg weak volatile ptr %p, i32 0, i32 1 acq_rel monotonic, align 4");
    same("ptr %p", "  fence syncscope(\"one\") seq_cst\n  fence acquire");
    same("ptr %p", "  %g = getelementptr inbounds { i32, i8 }, ptr %p, i64 0, i32 1");
    same("i8 %x", "  %a = add nuw nsw i8 %x, -1\n  %b = lshr exact i8 %a, 1\n  %c = or i8 %a, %b");
    same("float %x", "  %a = fadd fast float %x, %x\n  %b = fneg nnan nsz float %a\n  %c = fcmp ninf oge float %a, %b");
    same(
        "i1 %c",
        "  %s = select i1 %c, { i8, i8 } zeroinitializer, { i8, i8 } poison\n  %v = extractvalue { i8, i8 } %s, 1",
    );
    same("[2 x { i8 }] %x", "  %a = insertvalue [2 x { i8 }] %x, i8 1, 1, 0\n  %b = freeze [2 x { i8 }] %a");
    same(
        "<2 x i8> %v",
        "  %a = extractelement <2 x i8> %v, i32 0\n  %b = insertelement <2 x i8> %v, i8 %a, i64 1\n  \
         %c = shufflevector <2 x i8> %v, <2 x i8> %b, <2 x i32> <i32 3, i32 poison>",
    );
    same("ptr %p", "  %i = ptrtoint ptr %p to i32\n  %q = addrspacecast ptr %p to ptr addrspace(1)");
    same("ptr %list", "  %x = va_arg ptr %list, i32");
}

#[test]
fn calls() {
    check_same(
        r#"
define void @f(ptr %p, ...) personality ptr @printf {
entry:
  %a = call i32 (ptr, ...) @printf(ptr %p, i32 signext 1) nounwind
  tail call fastcc void @sret(ptr sret({ i32, i64 }) align 8 %p, i8 zeroext 1)
  %b = notail call nnan float @sqrt(float 0x3FF0000000000000)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p) ]
  %c = call i32 asm sideeffect "mov $1, $0 # \22", "=r,*m"(ptr elementtype(i32) %p)
  %d = call ptr %p(i32 %c)
  %e = invoke zeroext i8 %d(ptr %p) noinline to label %next unwind label %pad
next:
  musttail call void (ptr, ...) %p(ptr %p, ...)
  ret void
pad:
  %l = landingpad { ptr, i32 } cleanup catch ptr null filter [1 x ptr] [ptr @printf]
  resume { ptr, i32 } %l
}
declare void @llvm.assume(i1)
declare i32 @printf(ptr, ...)
declare float @sqrt(float) nounwind
declare void @sret(ptr sret({ i32, i64 }) align 8, i8 zeroext)
"#,
    );
}

#[test]
fn what_some_version_lacks_is_left_out_or_said_in_older_words() {
    check_body("i8 %x", "  %a = or disjoint i8 %x, 1", "  %a = or i8 %x, 1");
    check_body("i8 %x", "  %a = zext nneg i8 %x to i16", "  %a = zext i8 %x to i16");
    check_body("i8 %x", "  %a = trunc nuw nsw i8 %x to i1", "  %a = trunc i8 %x to i1");
    check_body("i8 %x", "  %a = icmp samesign ult i8 %x, 3", "  %a = icmp ult i8 %x, 3");
    check_body("ptr %p", "  %a = getelementptr nusw nuw i8, ptr %p, i64 1", "  %a = getelementptr i8, ptr %p, i64 1");
    check_body("ptr %p", "  %a = ptrtoaddr ptr %p to i64", "  %a = ptrtoint ptr %p to i64");
    check(
        "define void @f(ptr noundef nonnull align 8 dereferenceable(4) %p, i32 range(i32 0, 5) inreg %x) memory(none) {
           call void %p(ptr noalias captures(none) align 4 %p) willreturn
           ret void
         }",
        "define void @f(ptr %p, i32 inreg %x) {\n  call void %p(ptr %p)\n  ret void\n}",
    );
}

#[test]
fn intrinsics_have_the_form_that_every_version_reads() {
    check(
        "declare void @llvm.lifetime.start.p0(ptr)
         declare void @llvm.lifetime.end.p0(i64, ptr)
         declare void @llvm.va_start.p0(ptr)
         declare <2 x i8> @llvm.masked.load.v2i8.p0(ptr, <2 x i1>, <2 x i8>)
         declare void @llvm.masked.store.v2i8.p0(<2 x i8>, ptr, <2 x i1>)
         declare void @llvm.experimental.noalias.scope.decl(metadata)
         declare void @llvm.dbg.value(metadata, metadata, metadata)
         define void @f(...) {
         entry:
           %a = alloca i8
           call void @llvm.lifetime.start.p0(ptr %a)
           call void @llvm.experimental.noalias.scope.decl(metadata !0)
           call void @llvm.va_start.p0(ptr %a)
           %v = call <2 x i8> @llvm.masked.load.v2i8.p0(ptr align 2 %a, <2 x i1> zeroinitializer, <2 x i8> poison)
           call void @llvm.masked.store.v2i8.p0(<2 x i8> %v, ptr %a, <2 x i1> zeroinitializer)
           call void @llvm.lifetime.end.p0(i64 1, ptr %a)
           ret void
         }
         !0 = !{}",
        "
define void @f(...) {
entry:
  %a = alloca i8
  call void @llvm.lifetime.start.p0(i64 -1, ptr %a)
  call void @llvm.va_start(ptr %a)
  %v = call <2 x i8> @llvm.masked.load.v2i8.p0(ptr %a, i32 2, <2 x i1> zeroinitializer, <2 x i8> poison)
  call void @llvm.masked.store.v2i8.p0(<2 x i8> %v, ptr %a, i32 1, <2 x i1> zeroinitializer)
  call void @llvm.lifetime.end.p0(i64 -1, ptr %a)
  ret void
}
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare <2 x i8> @llvm.masked.load.v2i8.p0(ptr, i32, <2 x i1>, <2 x i8>)
declare void @llvm.masked.store.v2i8.p0(<2 x i8>, ptr, i32, <2 x i1>)
declare void @llvm.va_start(ptr)",
    );
}

#[test]
fn two_spellings_of_an_intrinsic_become_one() {
    check(
        "declare void @llvm.va_end(ptr)
         declare void @llvm.va_end.p0(ptr)
         define void @f(ptr %p) {
           call void @llvm.va_end.p0(ptr %p)
           call void @llvm.va_end(ptr %p)
           ret void
         }",
        "
define void @f(ptr %p) {
  call void @llvm.va_end(ptr %p)
  call void @llvm.va_end(ptr %p)
  ret void
}
declare void @llvm.va_end(ptr)",
    );
}

#[test]
fn three_way_comparison_becomes_instructions() {
    check(
        "declare <2 x i8> @llvm.scmp.v2i8.v2i32(<2 x i32>, <2 x i32>)
         define <2 x i8> @f(<2 x i32> %x, <2 x i32> %expr.2) {
           %1 = call <2 x i8> @llvm.scmp.v2i8.v2i32(<2 x i32> %x, <2 x i32> %expr.2)
           ret <2 x i8> %1
         }",
        "
define <2 x i8> @f(<2 x i32> %x, <2 x i32> %expr.2) {
  %expr.1 = icmp sgt <2 x i32> %x, %expr.2
  %expr.3 = zext <2 x i1> %expr.1 to <2 x i8>
  %expr.4 = icmp slt <2 x i32> %x, %expr.2
  %expr.5 = zext <2 x i1> %expr.4 to <2 x i8>
  %1 = sub <2 x i8> %expr.3, %expr.5
  ret <2 x i8> %1
}",
    );
}

#[test]
fn constants() {
    let constant = |input: &str, expect: &str| check(&format!("@x = global {input}"), &format!("@x = global {expect}"));
    constant("i1 true", "i1 true");
    constant("i8 255", "i8 -1");
    constant("i128 170141183460469231731687303715884105728", "i128 -170141183460469231731687303715884105728");
    constant("i129 -2", "i129 -2");
    constant("i256 5", "i256 5");
    constant("i256 0", "i256 0");
    constant("double 1.5", "double 0x3FF8000000000000");
    constant("float -0.0", "float 0x8000000000000000");
    constant("float 0x7FF0000020000000", "float 0x7FF0000020000000");
    constant("half 0xH7C01", "half 0xH7C01");
    constant("bfloat 0xR3F80", "bfloat 0xR3F80");
    constant("x86_fp80 0xK3FFF8000000000000001", "x86_fp80 0xK3FFF8000000000000001");
    constant("fp128 0xL00000000000000013FFF000000000000", "fp128 0xL00000000000000013FFF000000000000");
    constant("ppc_fp128 0xM3FF00000000000000000000000000001", "ppc_fp128 0xM3FF00000000000000000000000000001");
    constant("<3 x i8> splat (i8 7)", "<3 x i8> <i8 7, i8 7, i8 7>");
    constant("[2 x i8] c\"\\01\\7F\"", "[2 x i8] c\"\\01\\7F\"");
    constant("{ i8, <{ ptr, i8 }> } { i8 undef, <{ ptr, i8 }> <{ ptr null, i8 poison }> }", {
        "{ i8, <{ ptr, i8 }> } { i8 undef, <{ ptr, i8 }> <{ ptr null, i8 poison }> }"
    });
    constant(
        "ptr getelementptr inbounds ([4 x i16], ptr @x, i64 1, i64 2)",
        "ptr getelementptr inbounds (i8, ptr @x, i64 12)",
    );
    constant("i64 sub (i64 ptrtoint (ptr @x to i64), i64 -4)", "i64 sub (i64 ptrtoint (ptr @x to i64), i64 -4)");
    constant("ptr inttoptr (i64 4 to ptr)", "ptr inttoptr (i64 4 to ptr)");
}

#[test]
fn enormous_splats_stay_short() {
    let text = print(&parse("@x = global <4000000000 x i8> splat (i8 7)").unwrap());
    assert!(text.len() < 400, "{} bytes", text.len());
    assert!(text.contains("shufflevector (<4000000000 x i8> insertelement (<4000000000 x i8> poison, i8 7, i32 0)"));
}

#[test]
fn expressions_that_newer_versions_lack_become_instructions() {
    check(
        "@x = global i32 0
         define i64 @f(i1 %c) {
         entry:
           br i1 %c, label %a, label %b
         a:
           br label %b
         b:
           %p = phi i64 [ 1, %entry ], [ mul (i64 ptrtoint (ptr @x to i64), i64 3), %a ]
           %q = phi i64 [ 2, %entry ], [ mul (i64 ptrtoint (ptr @x to i64), i64 3), %a ]
           store i32 select (i1 icmp eq (ptr @x, ptr null), i32 1, i32 2), ptr @x
           %y = load i8, ptr getelementptr (i8, ptr @x, i64 and (i64 ptrtoint (ptr @x to i64), i64 7))
           ret i64 %p
         }
         define { i8, [2 x i8] } @g() {
           ret { i8, [2 x i8] } { i8 1, [2 x i8] [i8 2, i8 shl (i8 ptrtoint (ptr @x to i8), i8 1)] }
         }
         define <2 x i8> @h() {
           ret <2 x i8> splat (i8 shl (i8 ptrtoint (ptr @x to i8), i8 1))
         }",
        "
@x = global i32 0
define i64 @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %expr.1 = mul i64 ptrtoint (ptr @x to i64), 3
  br label %b
b:
  %p = phi i64 [ 1, %entry ], [ %expr.1, %a ]
  %q = phi i64 [ 2, %entry ], [ %expr.1, %a ]
  %expr.3 = icmp eq ptr @x, null
  %expr.2 = select i1 %expr.3, i32 1, i32 2
  store i32 %expr.2, ptr @x, align 4
  %expr.5 = and i64 ptrtoint (ptr @x to i64), 7
  %expr.4 = getelementptr i8, ptr @x, i64 %expr.5
  %y = load i8, ptr %expr.4, align 1
  ret i64 %p
}
define { i8, [2 x i8] } @g() {
  %expr.3 = shl i8 ptrtoint (ptr @x to i8), 1
  %expr.4 = insertvalue [2 x i8] poison, i8 2, 0
  %expr.2 = insertvalue [2 x i8] %expr.4, i8 %expr.3, 1
  %expr.5 = insertvalue { i8, [2 x i8] } poison, i8 1, 0
  %expr.1 = insertvalue { i8, [2 x i8] } %expr.5, [2 x i8] %expr.2, 1
  ret { i8, [2 x i8] } %expr.1
}
define <2 x i8> @h() {
  %expr.2 = shl i8 ptrtoint (ptr @x to i8), 1
  %expr.3 = insertelement <2 x i8> poison, i8 %expr.2, i32 0
  %expr.1 = shufflevector <2 x i8> %expr.3, <2 x i8> poison, <2 x i32> zeroinitializer
  ret <2 x i8> %expr.1
}",
    );
}

#[test]
fn expressions_that_every_version_has_stay() {
    check_same(
        "@x = global i32 0
define i64 @f() {
  %1 = add i64 sub (i64 ptrtoint (ptr @x to i64), i64 3), xor (i64 ptrtoint (ptr @x to i64), i64 1)
  %2 = add nuw i64 %1, add nsw (i64 ptrtoint (ptr getelementptr (i8, ptr @x, i64 -8) to i64), i64 1)
  ret i64 %2
}",
    );
}

#[test]
fn initialisers_keep_their_expressions() {
    check_same("@x = global i64 mul (i64 ptrtoint (ptr @x to i64), i64 3)\n");
}

#[test]
fn blocks_whose_address_is_taken_have_names() {
    check(
        "define void @f(ptr %0) {
           indirectbr ptr %0, [label %2, label %named]
         2:
           ret void
         named:
           ret void
         }
         define ptr @g(i1 %c) {
           %p = select i1 %c, ptr blockaddress(@f, %2), ptr blockaddress(@f, %named)
           ret ptr %p
         }",
        "
define void @f(ptr %0) {
  indirectbr ptr %0, [label %block.1, label %named]
block.1:
  ret void
named:
  ret void
}
define ptr @g(i1 %c) {
  %p = select i1 %c, ptr blockaddress(@f, %block.1), ptr blockaddress(@f, %named)
  ret ptr %p
}",
    );
}

#[test]
fn missing_symbols_are_declared() {
    let text = print(
        &parse(
            "define void @f() {
               call void @called(i32 1)
               store ptr @called, ptr @stored
               ret void
             }",
        )
        .unwrap(),
    );
    assert!(text.ends_with("}\ndeclare void @called(i32)\n@stored = external global i8\n"), "{text}");
}

#[test]
fn declarations_that_nothing_needs_are_left_out() {
    check("declare void @f()\n@x = external global i8\n@y = global i8 0\n", "@y = global i8 0\n");
}

#[test]
fn unsupported_instructions_trap() {
    let text = print(
        &parse(
            "define i32 @f() {
             entry:
               %x = frobnicate i32 7
               %y = add i32 %x, 2
               br i1 true, label %again, label %other
             again:
               callbr void asm \"\", \"!i\"() to label %fall [label %other]
             fall:
               %z = phi i32 [ 1, %again ]
               ret i32 %z
             other:
               %w = phi i32 [ 1, %again ], [ 2, %entry ]
               ret i32 %w
             }",
        )
        .unwrap(),
    );
    let expect = "
define i32 @f() {
entry:
  ; %x = frobnicate i32 7
  call void @llvm.trap()
  %x = freeze i32 undef
  %y = add i32 %x, 2
  br i1 true, label %again, label %other
again:
  ; callbr void asm \"\", \"!i\"() to label %fall [label %other]
  call void @llvm.trap()
  unreachable
fall:
  %z = freeze i32 undef
  ret i32 %z
other:
  %w = phi i32 [ 2, %entry ]
  ret i32 %w
}
declare void @llvm.trap()";
    assert_eq!(lines(&text), lines(expect));
}

#[test]
fn an_intrinsic_under_two_names_is_declared_once() {
    let check = |text: &str| {
        let once = print(&parse(text).unwrap());
        assert_eq!(once.matches("declare void @llvm.va_end(ptr)").count(), 1, "{once}");
        assert_eq!(print(&parse(&once).unwrap()), once);
    };
    let call = "define void @f(ptr %p) { call void @llvm.va_end.p0(ptr %p) ret void }";
    check(&format!("declare void @llvm.va_end(ptr)\n{call}"));
    check(&format!("{call}\ndeclare void @llvm.va_end(ptr)"));
    check(&format!("declare void @llvm.va_end.p0(ptr)\ndeclare void @llvm.va_end(ptr)\n{call}"));
    check(call);
}

#[test]
fn traps_lie_where_functions_do() {
    let text = "target datalayout = \"P271\"\ndefine void @f() { frobnicate i32 7 ret void }";
    let once = print(&parse(text).unwrap());
    assert!(once.contains("call addrspace(271) void @llvm.trap()"), "{once}");
    assert!(once.contains("declare void @llvm.trap() addrspace(271)"), "{once}");
    let again = print(&parse(&once).unwrap());
    let traps =
        |text: &str| text.lines().filter(|line| line.contains("@llvm.trap")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(traps(&once), traps(&again));
}

/// Parses `text` and gives every value, block and type of it the name `same`, and every local symbol.
fn with_equal_names(text: &str) -> Module {
    let mut module = parse(text).unwrap();
    let same = module.strings.intern_str("same");
    for function in module.functions.iter_mut() {
        function.params.iter_mut().for_each(|param| param.name = Some(same));
        function.blocks.iter_mut().for_each(|block| block.name = Some(same));
        function.insts.iter_mut().for_each(|inst| inst.name = Some(same));
    }
    module.symbols.iter_mut().filter(|symbol| symbol.linkage.is_local()).for_each(|symbol| symbol.name = same);
    module.types.named.iter_mut().for_each(|named| named.name = same);
    module
}

#[test]
fn equal_names_get_suffixes() {
    let module = with_equal_names(
        "%a = type { i8 }
         %b = type { %a }
         @same.1 = global %b zeroinitializer
         @x = internal global i8 0
         @y = private global i8 0
         define i8 @f(i8 %x) {
         entry:
           %y = load i8, ptr @y
           store i8 %x, ptr @x
           br label %end
         end:
           ret i8 %y
         }",
    );
    let expect = "
%same = type { i8 }
%same.1 = type { %same }
@same.1 = global %same.1 zeroinitializer
@same = internal global i8 0
@same.2 = private global i8 0
define i8 @f(i8 %same) {
same.1:
  %same.2 = load i8, ptr @same.2, align 1
  store i8 %same, ptr @same, align 1
  br label %same.3
same.3:
  ret i8 %same.2
}";
    assert_eq!(lines(&print(&module)), lines(expect));
}

#[test]
fn a_global_symbol_keeps_its_name_whatever_comes_first() {
    let mut module = parse("@local = internal global i8 0\n@name = global i8 1\n").unwrap();
    let name = module.strings.intern_str("name");
    module
        .symbols
        .iter_mut()
        .filter(|symbol| symbol.linkage == Linkage::Internal)
        .for_each(|symbol| symbol.name = name);
    assert_eq!(print(&module), "@name.1 = internal global i8 0\n@name = global i8 1\n");
}

#[test]
fn dead_values_and_open_blocks_do_no_harm() {
    let mut module = parse("define i8 @f() {\nentry:\n  %x = add i8 1, 2\n  ret i8 %x\n}").unwrap();
    let function = module.functions.iter_mut().next().unwrap();
    let block = function.blocks.iter_mut().next().unwrap();
    let dead = block.insts.remove(0);
    assert!(
        matches!(function.terminator(crate::id::BlockId::from_index(0)).unwrap().kind, InstKind::Ret(Some(Value::Inst(id))) if id == dead)
    );
    assert!(print(&module).contains("ret i8 poison"));
    let function = module.functions.iter_mut().next().unwrap();
    function.blocks.iter_mut().next().unwrap().insts.clear();
    assert!(print(&module).contains("entry:\n  unreachable\n}"));
}

#[test]
fn blocks_that_cannot_be_written_have_no_address() {
    let module = parse(
        "@jump = global ptr blockaddress(@f, %next)
         define void @f() {
           br label %next
         next:
           %pad = cleanuppad within none []
           ret void
         }",
    )
    .unwrap();
    let text = print(&module);
    assert!(text.contains("@jump = global ptr inttoptr (i64 1 to ptr)"), "{text}");
    assert!(parse(&text).is_ok(), "{text}");
}

#[test]
fn chosen_functions_bring_what_they_need() {
    let module = parse(
        "%used = type { ptr, %inner }
         %inner = type { i8 }
         %unused = type { i8 }
         $group = comdat any
         @table = internal global %used { ptr @helper, %inner zeroinitializer }
         @jump = global ptr blockaddress(@helper, %next)
         @unused = global %unused zeroinitializer
         @other = alias void (), ptr @helper
         define internal void @helper() {
           br label %next
         next:
           ret void
         }
         define void @main() comdat($group) {
           call void @other()
           store ptr @jump, ptr @table
           ret void
         }
         define void @unrelated() {
           ret void
         }",
    )
    .unwrap();
    let main = module.functions.ids().find(|&id| module.function_name(id) == "main").unwrap();
    let helper = FuncId::from_index(0);
    let expect = "
%inner = type { i8 }
%used = type { ptr, %inner }
$group = comdat any
@table = internal global %used { ptr @helper, %inner zeroinitializer }
@jump = global ptr inttoptr (i64 1 to ptr)
define void @main() comdat($group) {
  call void @other()
  store ptr @jump, ptr @table, align 8
  ret void
}
declare void @helper()
declare void @other()";
    assert_eq!(lines(&print_functions(&module, &[main])), lines(expect));
    let both = print_functions(&module, &[main, helper, main]);
    for line in [
        "@jump = global ptr blockaddress(@helper, %next)",
        "@other = alias void (), ptr @helper",
        "define internal void @helper()",
    ] {
        assert!(both.contains(line), "{line} in\n{both}");
    }
    assert!(!both.contains("unrelated") && !both.contains("unused"));
}
