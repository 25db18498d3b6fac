//! What counts for the digest of a function and what does not, one replacement in IR text at a time.

use crate::support::{checked, module, text};
use change::{Digest, Hashes};
use ir::module::Module;

const BASE: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
module asm "nop"
%struct.s = type { i32, i8, i64 }
@.str.1 = private unnamed_addr constant [3 x i8] c"hi\00", align 1
@.str.2 = private unnamed_addr constant [3 x i8] c"ho\00", align 1
@table = internal constant [3 x i32] [i32 1, i32 2, i32 3], align 4
@names = internal constant [2 x ptr] [ptr @.str.1, ptr @.str.2], align 8
@state = global i32 0, align 4
@other = global i32 0, align 4
@local = thread_local global i32 7, align 4
@handlers = internal constant [2 x ptr] [ptr @callee, ptr @second], align 8
@name2 = alias i32, ptr @state
define i32 @f(i32 noundef signext %a, ptr %p, double %d) #0 {
entry:
  %buffer = alloca [4 x i32], align 16
  %sum = add nsw i32 %a, 5
  %field = getelementptr inbounds %struct.s, ptr %p, i32 0, i32 2
  %item = getelementptr inbounds [4 x i32], ptr %buffer, i64 0, i64 1
  store i32 %sum, ptr %item, align 4
  %v = load volatile i64, ptr %field, align 8
  %w = load atomic i32, ptr @state acquire, align 4
  %old = atomicrmw add ptr @state, i32 1 seq_cst, align 4
  fence syncscope("singlethread") release
  %x = cmpxchg weak ptr @other, i32 1, i32 2 acq_rel monotonic, align 4
  %t = trunc i64 %v to i32
  %cmp = icmp slt i32 %t, %w
  br i1 %cmp, label %then, label %else
then:
  %r1 = call fastcc i32 @callee(i32 %t, ptr byval(%struct.s) align 8 %p)
  %r2 = call i32 (ptr, ...) @printf(ptr @.str.1, i32 %r1, ptr %buffer)
  br label %end
else:
  %q = fdiv fast double %d, 2.5
  %i = fptosi double %q to i32
  %tls = load i32, ptr @local, align 4
  %entry2 = load i32, ptr getelementptr inbounds (i8, ptr @table, i64 4), align 4
  %h = load ptr, ptr @handlers, align 8
  %hr = call i32 %h(i32 1)
  %name = load ptr, ptr @names, align 8
  %al = load i32, ptr @name2, align 4
  %sel = select i1 %cmp, i32 %i, i32 %tls
  switch i32 %sel, label %end [
    i32 1, label %then
    i32 2, label %last
  ]
last:
  call void asm sideeffect "nop", "~{memory}"()
  %neg = fneg double %q
  %fr = freeze i32 %entry2
  br label %end
end:
  %phi = phi i32 [ %r2, %then ], [ %i, %else ], [ %fr, %last ]
  ret i32 %phi
}
define internal fastcc i32 @callee(i32 %n, ptr byval(%struct.s) align 8 %p) {
  %z = call i32 @second(i32 %n)
  ret i32 %z
}
define internal i32 @second(i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %stop, label %go
stop:
  ret i32 3
go:
  %m = call fastcc i32 @callee(i32 %n, ptr null)
  ret i32 %m
}
define i32 @unrelated(i32 %n) {
  ret i32 41
}
declare i32 @printf(ptr, ...) #1
attributes #0 = { noinline nounwind uwtable "target-cpu"="x86-64" "target-features"="+cx8,+sse2" }
attributes #1 = { "no-builtin-printf" }
"#;

fn full(module: &Module, name: &str) -> Digest {
    let symbol = module.symbols.ids().find(|symbol| module.symbol_name(*symbol) == name).unwrap();
    Hashes::of(module).full(symbol)
}

fn replaced(from: &str, to: &str) -> Module {
    assert!(BASE.contains(from), "{from}");
    module(&BASE.replacen(from, to, 1))
}

#[test]
fn what_counts() {
    let base = full(&module(BASE), "f");
    let mut missed = Vec::new();
    for (from, to) in [
        ("i64:64-i128:128", "i64:32-i128:128"),
        ("x86_64-pc-linux-gnu", "aarch64-pc-linux-gnu"),
        ("module asm \"nop\"", "module asm \"ret\""),
        ("c\"hi\\00\"", "c\"ha\\00\""),
        ("i32 2, i32 3]", "i32 2, i32 4]"),
        ("[ptr @.str.1, ptr @.str.2]", "[ptr @.str.2, ptr @.str.1]"),
        (
            "@table = internal constant [3 x i32] [i32 1, i32 2, i32 3], align 4",
            "@table = internal global [3 x i32] [i32 1, i32 2, i32 3], align 4",
        ),
        ("[3 x i32] [i32 1, i32 2, i32 3], align 4", "[3 x i32] [i32 1, i32 2, i32 3], align 16"),
        ("@state = global i32 0", "@state = weak global i32 0"),
        ("@state = global i32 0", "@state = global i32 1"),
        ("@state = global i32 0", "@state = external global i32"),
        ("@state = global i32 0, align 4", "@state = global i32 0, section \"x\", align 4"),
        ("@state = global i32 0", "@state = externally_initialized global i32 0"),
        ("thread_local global i32 7", "global i32 7"),
        ("[ptr @callee, ptr @second]", "[ptr @second, ptr @callee]"),
        ("alias i32, ptr @state", "alias i32, ptr @other"),
        ("i32 noundef signext %a", "i32 noundef zeroext %a"),
        ("double %d) #0", "double %d, ...) #0"),
        ("define i32 @f", "define fastcc i32 @f"),
        ("double %d) #0 {", "double %d) #0 section \"x\" {"),
        ("double %d) #0 {", "double %d) #0 personality ptr @unrelated {"),
        ("nounwind uwtable", "nounwind uwtable strictfp"),
        ("+cx8,+sse2", "+cx8,+sse2,+fma"),
        ("alloca [4 x i32], align 16", "alloca [5 x i32], align 16"),
        ("alloca [4 x i32], align 16", "alloca [4 x i32], align 32"),
        ("add nsw i32", "add i32"),
        ("add nsw i32", "sub nsw i32"),
        ("%a, 5", "%a, 6"),
        ("%a, 5", "5, %a"),
        ("type { i32, i8, i64 }", "type { i32, i64, i64 }\n%unused = type { i8 }"),
        ("i32 0, i32 2", "i32 0, i32 1"),
        ("%field = getelementptr inbounds", "%field = getelementptr"),
        ("i64 0, i64 1", "i64 0, i64 2"),
        ("store i32 %sum, ptr %item, align 4", "store i32 %sum, ptr %item, align 2"),
        ("store i32 %sum, ptr %item, align 4", "store volatile i32 %sum, ptr %item, align 4"),
        ("store i32 %sum", "store i32 %a"),
        ("load volatile i64", "load i64"),
        ("acquire, align 4", "seq_cst, align 4"),
        ("atomicrmw add", "atomicrmw sub"),
        ("i32 1 seq_cst", "i32 1 monotonic"),
        ("fence syncscope(\"singlethread\") release", "fence release"),
        ("syncscope(\"singlethread\") release", "syncscope(\"singlethread\") acquire"),
        ("cmpxchg weak", "cmpxchg"),
        ("acq_rel monotonic", "acq_rel acquire"),
        ("@other, i32 1, i32 2", "@state, i32 1, i32 2"),
        ("icmp slt", "icmp ult"),
        ("label %then, label %else", "label %else, label %then"),
        ("call fastcc i32 @callee(i32 %t", "call i32 @callee(i32 %t"),
        ("byval(%struct.s) align 8 %p)\n  %r2", "byval(%struct.s) align 16 %p)\n  %r2"),
        ("%p)\n  %r2", "%p) noreturn\n  %r2"),
        ("call i32 (ptr, ...) @printf(ptr @.str.1", "call i32 (ptr, ...) @printf(ptr @.str.2"),
        ("i32 (ptr, ...) @printf(ptr @.str.1, i32 %r1, ptr %buffer)", "i32 @printf(ptr @.str.1, i32 %r1, ptr %buffer)"),
        ("fdiv fast", "fdiv"),
        ("2.5", "2.0"),
        ("fptosi double %q to i32\n", "fptoui double %q to i32\n"),
        ("i64 4)", "i64 8)"),
        ("%hr = call i32 %h(i32 1)", "%hr = tail call i32 %h(i32 1)"),
        ("i32 1, label %then", "i32 3, label %then"),
        ("i32 2, label %last", "i32 2, label %end"),
        ("asm sideeffect \"nop\"", "asm sideeffect \"ret\""),
        ("asm sideeffect", "asm"),
        ("fneg double %q", "fneg nnan double %q"),
        ("freeze i32 %entry2", "add i32 %entry2, 0"),
        ("[ %r2, %then ], [ %i, %else ]", "[ %a, %then ], [ %i, %else ]"),
        ("ret i32 3", "ret i32 4"),
        ("call fastcc i32 @callee(i32 %n, ptr null)", "call fastcc i32 @callee(i32 0, ptr null)"),
        ("\"no-builtin-printf\"", "noreturn"),
        ("declare i32 @printf(ptr, ...)", "declare extern_weak i32 @printf(ptr, ...)"),
    ] {
        // A switch that loses a way loses it in the phi too.
        let text = BASE.replacen(from, to, 1);
        let text = if from.starts_with("i32 2, label %last") {
            text.replace("[ %i, %else ], [ %fr", "[ %i, %else ], [ %i, %else ], [ %fr")
        } else {
            text
        };
        if full(&module(&text), "f") == base {
            missed.push((from, to));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn what_does_not_count() {
    let base = full(&module(BASE), "f");
    for (from, to) in [
        ("%struct.s = type { i32, i8, i64 }", "%struct.s = type { i32, i8, i64 }\n%more = type { i32 }"),
        ("ret i32 41", "ret i32 42"),
        ("i32 noundef signext %a", "i32 signext %a"),
        ("noinline nounwind uwtable", "nounwind"),
        ("+cx8,+sse2", "+cmov,+cx8,+sse2"),
        ("entry:\n", "entry:\n  %unused = alloca i32, align 4\n"),
    ] {
        assert_eq!(full(&replaced(from, to), "f"), base, "{from} -> {to}");
    }
    let renamed =
        BASE.replace("@.str.1", "@.str.7").replace("%sum", "%total").replace("%then", "%yes").replace("then:", "yes:");
    let renamed = renamed.replace("%struct.s", "%struct.renamed");
    assert_eq!(full(&module(&renamed), "f"), base);
    // Padding instead of a gap.
    let padded = BASE
        .replace("type { i32, i8, i64 }", "type { i32, i8, [3 x i8], i64 }")
        .replace("i32 0, i32 2", "i32 0, i32 3");
    assert_eq!(full(&module(&padded), "f"), base);
    // Cases of a switch, and functions, in another order.
    let cases = BASE.replace(
        "    i32 1, label %then\n    i32 2, label %last\n",
        "    i32 2, label %last\n    i32 1, label %then\n",
    );
    assert_eq!(full(&module(&cases), "f"), base);
    let start = BASE.find("define internal i32 @second").unwrap();
    let end = BASE.find("define i32 @unrelated").unwrap();
    let moved = format!("{}{}\n{}", &BASE[..start], &BASE[end..], &BASE[start..end]);
    assert_eq!(full(&module(&moved), "f"), base);
}

#[test]
fn what_a_circle_reaches() {
    let base = module(BASE);
    for (from, to, changes) in [("ret i32 3", "ret i32 4", true), ("ret i32 41", "ret i32 40", false)] {
        let other = replaced(from, to);
        for name in ["callee", "second", "handlers"] {
            assert_eq!(full(&base, name) != full(&other, name), changes, "{name}: {from} -> {to}");
        }
        assert_eq!(full(&base, "unrelated") != full(&other, "unrelated"), !changes);
    }
}

#[test]
fn contents_are_bytes() {
    let digest = |variable: &str| full(&module(&format!("target datalayout = \"e-i64:64\"\n{variable}")), "x");
    let same = [
        "@x = constant { i32, i32 } { i32 1, i32 0 }, align 4",
        "@x = constant [2 x i32] [i32 1, i32 0], align 4",
        "@x = constant { [4 x i8], i32 } { [4 x i8] c\"\\01\\00\\00\\00\", i32 0 }, align 4",
        "@x = constant { i16, [1 x i16], i32 } { i16 1, [1 x i16] zeroinitializer, i32 0 }, align 4",
    ];
    let first = digest(same[0]);
    same.iter().for_each(|variable| assert_eq!(digest(variable), first, "{variable}"));
    for variable in [
        "@x = constant { i32, i32 } { i32 0, i32 1 }, align 4",
        "@x = constant [3 x i32] [i32 1, i32 0, i32 0], align 4",
        "@x = constant { i32, i32 } { i32 1, i32 undef }, align 4",
        "@x = constant { ptr } { ptr inttoptr (i64 1 to ptr) }, align 4",
    ] {
        assert_ne!(digest(variable), first, "{variable}");
    }
}

#[test]
fn without_debug_info_changes_have_no_lines() {
    let (old, new) = (module(BASE), replaced("%a, 5", "%a, 6"));
    let (_, summary) = checked(&old, &new);
    assert_eq!(text(&summary), "f changed\n");
    assert_eq!(summary.notes.len(), 2);
    assert!(summary.notes[0].contains("no debug info"), "{:?}", summary.notes);
}

#[test]
fn versions_with_nothing_in_common() {
    let other = "define i32 @alone(ptr %p) {\n  %v = load i32, ptr %p\n  ret i32 %v\n}";
    let (_, summary) = checked(&module("define void @first() {\n  ret void\n}"), &module(other));
    assert_eq!(text(&summary), "alone added\nfirst removed\n");
    let (_, summary) = checked(&module(""), &module(""));
    assert_eq!(text(&summary), "");
}

#[test]
fn what_is_known_by_its_text_only_is_never_the_same() {
    let text = |name: &str| format!("define void @f(i32 %{name}) {{\n  mystery i32 %{name}\n  ret void\n}}");
    let (old, new) = (module(&text("a")), module(&text("a")));
    let (changes, _) = checked(&old, &new);
    assert!(!changes.functions[0].same);
}
