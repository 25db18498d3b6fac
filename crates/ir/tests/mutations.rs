//! Thousands of texts that are nearly IR, through everything that the model does with a text.
//!
//! The same mutants in every run. To go on for longer there are the fuzz targets in `fuzz/`, which do the same; what they
//! found is here too, in few lines each.
#![allow(clippy::unwrap_used, clippy::panic)]

mod mutator;
mod pipeline;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

const SEEDS: [&str; 7] = [
    include_str!("data/instructions.ll"),
    include_str!("data/operations.ll"),
    include_str!("data/globals.ll"),
    include_str!("data/debug_info.ll"),
    include_str!("data/exceptions.ll"),
    include_str!("data/rust.ll"),
    include_str!("data/typed_pointers.ll"),
];

#[test]
fn seeds_are_modules() {
    for seed in SEEDS {
        assert!(pipeline::run(seed));
    }
}

#[test]
fn mutants_are_modules_or_errors() {
    let mutants = if std::env::var_os("PATHSHIFT_FULL").is_some() { 200_000 } else { 20_000 };
    let workers = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let modules: usize = std::thread::scope(|scope| {
        let work =
            |worker: u64| (worker..mutants).step_by(workers as usize).filter(|&number| try_mutant(number)).count();
        let workers: Vec<_> = (0..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum()
    });
    // Mutants that are all rejected at once would test nothing but the first error.
    assert!(modules as u64 > mutants / 10, "only {modules} of {mutants} mutants are modules");
}

/// Whether mutant number `number` is a module. It is saved if something panics.
fn try_mutant(number: u64) -> bool {
    let text = mutator::mutant(&SEEDS, number);
    catch_unwind(AssertUnwindSafe(|| pipeline::run(&text))).unwrap_or_else(|_| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mutant-{number}.ll"));
        std::fs::write(&path, &text).unwrap();
        panic!("mutant {number}, saved as {}", path.display());
    })
}

/// Sends each text through all steps and checks whether it is a module.
#[track_caller]
fn check(is_module: bool, texts: &[&str]) {
    for text in texts {
        assert_eq!(pipeline::run(text), is_module, "{text}");
    }
}

#[test]
fn texts_that_hung() {
    // A sign without a name was no token and no end.
    check(false, &["%", "@", "#", "%\"x", "define void @f() {\n%"]);
    // Metadata is skipped where it makes no sense.
    check(true, &["!1 = %"]);
}

#[test]
fn texts_whose_print_was_none_or_another_one() {
    check(
        true,
        &[
            // The trap that stands in for an unknown instruction was declared out of order.
            "declare void @zebra()\ndefine void @f() {\ncall void @zebra()\nfrob\nret void\n}",
            // Intrinsics may be called without a declaration.
            "define void @f(i32 %x) {\ncall void @llvm.dbg.whatever(metadata i32 %x)\nret void\n}",
            "define void @f(ptr %p) {\n%a = alloca i8\ncall void @llvm.lifetime.start.p0(i64 1, ptr %a)\nret void\n}",
            // What is said in other words in a call can still be named.
            "declare void @llvm.dbg.value(metadata, metadata, metadata)\n@x = global ptr @llvm.dbg.value",
            "declare i8 @llvm.scmp.i8.i32(i32, i32)\ndefine void @f() {\n\
             invoke i8 @llvm.scmp.i8.i32(i32 1, i32 2) to label %a unwind label %a\na:\nret void\n}",
            // A call of an intrinsic with a type of its own.
            "define i8 @f(i64 %x) {\n%r = call i8 @llvm.scmp.i8.i64(i64 %x, i1 1)\nret i8 %r\n}",
            "define float @f(i64 %x) {\n%r = call float @llvm.ucmp.f.i64(i64 %x, i64 1)\nret float %r\n}",
            // Only functions with such names are the same in all units.
            "@llvm.used = private global i8 0",
            // Quotes in the target's text.
            "target triple = \"a\\22b\\5C\"\n@x = global i32 0",
            // An alias of something elsewhere, used or not.
            "declare i32 @g()\n@a = alias i32 (), ptr @g",
            "declare i32 @g()\n@a = alias i32 (), ptr @g\n@x = global ptr @a",
            // Numbered types, and numbers as names.
            "%0 = type { i32 }\n%\"0\" = type { i64 }\n@x = global %0 zeroinitializer\n@y = global %\"0\" zeroinitializer",
            // Expressions that are known by their text name symbols and types.
            "%t = type { i8 }\n@7 = external global i8\n@x = global ptr ptrauth (ptr @7, i32 0)",
            // The type of an unsupported instruction's result comes from a use that may stand before it.
            "define i32 @f(i1 %c) {\nbr i1 %c, label %a, label %b\nb:\nret i32 0\na:\n%x = frob\nret i32 %x\n}",
            "define i32 @f() {\nbr label %b\na:\nret i32 %x\nb:\n%x = frob\nbr label %a\n}",
            "define void @f() addrspace(1) {\nret void\n}",
            // A name may stand for a type that is no struct.
            "%t = type i32\n@x = global %t 7",
        ],
    );
}

#[test]
fn texts_that_later_stages_tripped_over() {
    check(
        false,
        &[
            // A parameter that today's form of the intrinsic has no more.
            "define ptr @llvm.lifetime.start.p0(i64 %n, ptr %p) {\nret ptr %p\n}",
            // Blocks that are nowhere, aliases of themselves.
            "@x = global ptr blockaddress(@f, %nowhere)\ndefine void @f() {\nret void\n}",
            "@x = global ptr blockaddress(@f, %0)\ndeclare void @f()",
            "@a = alias i32, ptr @a",
            "@a = alias i32, ptr @b\n@b = alias i32, getelementptr (i8, ptr @a, i64 1)",
            // A value that two uses before its definition need in two types.
            "define i32 @f() {\nbr label %b\na:\n%y = add i64 %x, 1\nret i32 %x\nb:\n%x = frob\nbr label %a\n}",
            // Types that contain what is no memory, or come too late.
            "%t = type { i8, [2 x %u] }\n%u = type { %t }",
            "%t = type %t",
            "@x = global [2 x void] zeroinitializer",
            "@x = external global { metadata }",
            "@x = external global void ()",
            "@x = global ptr getelementptr (%t, ptr null, i64 1)\n%t = type { i8 }",
            "@x = global i8 0\ntarget datalayout = \"E\"",
        ],
    );
    check(
        true,
        &[
            // A name for a parameter, used before it is given.
            "define void @f(ptr %p) {\nstore i8 0, ptr %a\n%a = bitcast ptr %p to ptr\nret void\n}",
            // Sizes and alignments that no machine has.
            "target datalayout = \"i64:18446744073709551615-p:4294967295:64-v64:1-i8:32\"\n@x = global [9 x i64] zeroinitializer\n\
             @y = global ptr getelementptr (i8, ptr @x, i64 8)",
            "define void @f() {\n%a = alloca [2305843009213693951 x i64]\n%b = alloca <4294967295 x i8388608>\n\
             %x = load <4294967295 x i8388608>, ptr %b\nret void\n}",
            "define void @f() {\n%a = alloca i32, i64 18446744073709551615\nret void\n}",
            "@x = global [1152921504606846976 x i32] zeroinitializer\n@y = global i8388608 undef",
            "!4294967295 = !{}\n!4294967279 = !{!4294967295}\ndefine void @f() !dbg !4294967295 {\nret void, !dbg !DILocation(line: 1, scope: !1)\n}",
            "!1 = !DIDerivedType(tag: DW_TAG_typedef, baseType: !1)\n!1 = !DIFile(filename: \"x\")\n\
             !2 = !DICompositeType(tag: DW_TAG_structure_type, elements: !{!3})\n!3 = !DIDerivedType(tag: DW_TAG_member, baseType: !2, size: 0)",
            "!1 = !DIExpression(DW_OP_LLVM_fragment, 18446744073709551615, 18446744073709551615)\n\
             define void @f(i32 %x) {\n#dbg_value(i32 %x, !2, !DIExpression(DW_OP_LLVM_fragment, 18446744073709551615, 2), !3)\nret void\n}\n\
             !2 = !DILocalVariable(name: \"x\", scope: !3)\n!3 = distinct !DISubprogram(name: \"f\")",
            "",
            "; nothing\0",
        ],
    );
}

/// A text of about a megabyte, made of equal pieces.
fn repeated(head: &str, piece: impl Fn(usize) -> String, tail: &str) -> String {
    let count = (1 << 20) / piece(100_000).len();
    head.to_string() + &(0..count).map(piece).collect::<String>() + tail
}

#[test]
fn a_long_text_takes_no_longer_than_its_length_asks_for() {
    let body = "define void @f(ptr %p, i32 %v, i1 %c) {\n";
    let end = "ret void\n}\n";
    let texts = [
        repeated(body, |i| format!("%x{i} = add wobbly foo bar i32 %v, 1\n"), end),
        repeated(body, |i| format!("%a{} = bitcast ptr %a{i} to ptr\n", i + 1), "ret void\na0:\n}"),
        repeated("", |i| format!("@a{} = alias i32, ptr @a{i}\n", i + 1), "@a0 = global i32 0"),
        repeated("", |i| format!("@x{i} = global i8388608 -{i}\n"), ""),
        repeated("", |i| format!("@x{i} = global <4000000 x i64> splat (i64 {i})\n"), ""),
        repeated(
            "",
            |i| {
                format!(
                    "%t{i} = type {{ i8, i{} }}\n@x{i} = global ptr getelementptr (%t{i}, ptr @y, i64 1)\n",
                    i % 99 + 1
                )
            },
            "",
        ),
        repeated("define void @f(i32 %0) {\n", |i| format!("%{} = freeze i1 0\n", 4000 * (i + 1)), end),
        repeated(
            "define void @f(ptr %0) {\nbr label %2\n",
            |i| format!("{}:\nstore ptr blockaddress(@f, %{}), ptr %0\nbr label %{}\n", i + 2, i + 2, i + 3),
            "",
        ),
        repeated(
            &format!("attributes #0 = {{ \"target-features\"=\"{}\" }}\n", "+x".repeat(100_000)),
            |i| format!("define void @f{i}() #0 {{\nret void\n}}\n"),
            "",
        ),
        repeated(
            "!1 = !DISubrange(count: 3)\n!2 = !{",
            |_| "!1, ".into(),
            "!1}\n!3 = !DICompositeType(tag: DW_TAG_array_type, elements: !2)",
        ),
        repeated(
            body,
            |i| format!("%r{i} = call i64 @llvm.read_register.i64(metadata !{i})\n"),
            &(0..1000).fold(end.to_string(), |text, i| text + &format!("!{i} = !{{!\"r{i}\"}}\n")),
        ),
        repeated(
            body,
            |_| "call void @llvm.write_register.i64(metadata !0, i64 0)\n".into(),
            &format!("{end}!0 = !{{!\"{}\"}}\n", "r".repeat(1 << 20)),
        ),
        "[".repeat(1 << 20),
        format!("@x = global {}", "{".repeat(1 << 20)),
        format!("!0 = {}", "!{".repeat(1 << 20)),
        "\0".repeat(1 << 20),
        format!("@{} = global i32 0", "x".repeat(1 << 20)),
        format!("declare void @_Z{}()", "N1a".repeat(1 << 18)),
    ];
    for text in &texts {
        let start = std::time::Instant::now();
        pipeline::run(text);
        let seconds = start.elapsed().as_secs();
        assert!(seconds < 60, "{seconds} s for {:.80}", text);
    }
}
