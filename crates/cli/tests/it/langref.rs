//! LLVM's language reference, construct by construct, with LLVM itself as the judge.
//!
//! The files of `data/langref` hold small modules, each after a line `;;; name`. Lines `;;: …` say what to expect:
//! - `last read by 16`: newer versions of LLVM do not read the text;
//! - `run`: it is a program;
//! - `folded -- why`: LLVM works something out, so its print need not give the same model;
//! - `not printed for 22 -- why`: that version has no words for it;
//! - `trap -- why`: it is not supported, and the print has a trap in its place;
//! - `note -- why`: reading it leaves a note.
//!
//! What some LLVM reads must be read, and give the model that LLVM's own print of it gives, wherever lines end. The print
//! of that model, plain and promoted, must be read by LLVM 16, 19 and 22, and stay what it is on the way through LLVM.

mod programs;

use crate::reprint::libllvm;
use crate::support::{assert_same_lines, clang, data, full, must_run, normal_form, prints, run_limited, scratch};
use ir::debug::ExprOp;
use ir::inst::InstKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

/// Versions that must read our print; the last one is rustc's.
const VERSIONS: [u32; 3] = [16, 19, 22];

/// How long a program may run.
const RUN: Duration = Duration::from_secs(20);

static LIBLLVM: LazyLock<PathBuf> = LazyLock::new(libllvm);

#[derive(Default)]
struct Snippet {
    name: String,
    text: String,
    /// The newest version of LLVM that reads the text.
    judge: u32,
    not_printed_for: Vec<u32>,
    folded: bool,
    trap: bool,
    note: bool,
    run: bool,
}

#[test]
fn instructions() {
    check_file("instructions.ll");
}

#[test]
fn constants() {
    check_file("constants.ll");
    check_file("removed_expressions.ll");
}

#[test]
fn globals() {
    check_file("globals.ll");
}

#[test]
fn functions() {
    check_file("functions.ll");
}

#[test]
fn calls() {
    check_file("calls.ll");
}

#[test]
fn old_pointers() {
    check_file("old_pointers.ll");
}

#[test]
fn text() {
    check_file("text.ll");
}

#[test]
fn debug_info() {
    check_file("debug.ll");
}

#[test]
fn programs_of_our_own() {
    check_file("programs.ll");
}

/// Other machines have other types, conventions and ways to unwind; other options bring other intrinsics and attributes.
#[test]
fn clang_for_every_target_and_option() {
    let targets = [
        "x86_64-linux-gnu",
        "i386-linux-gnu",
        "aarch64-linux-gnu",
        "wasm32",
        "x86_64-pc-windows-msvc",
        "arm64e-apple-ios",
        "riscv64-linux-gnu",
        "powerpc64le-linux-gnu",
        "s390x-linux-gnu",
        "arm-linux-gnueabihf",
        "mips-linux-gnu",
        "sparcv9-linux-gnu",
        "i386-pc-windows-msvc",
        "x86_64-w64-windows-gnu",
        "x86_64-apple-macosx",
        "hexagon",
        "msp430",
        "nvptx64",
        "bpf",
        "avr",
    ];
    let options = [
        "-fsanitize=address",
        "-ffp-model=strict",
        "-O3 -mavx512f",
        "-fprofile-instr-generate -fcoverage-mapping",
        "-fsanitize=undefined",
        "-fsanitize=thread",
        "-fsanitize=memory",
        "-fsanitize=kcfi",
        "-fprofile-arcs",
        "-fxray-instrument",
        "-fstack-protector-all",
        "-fPIC -ftls-model=local-dynamic",
        "-mcmodel=large",
        "-ffast-math",
        "-fno-delete-null-pointer-checks",
        "-ftrivial-auto-var-init=pattern",
        "-fsanitize=safe-stack",
        "-fno-builtin",
        "-m32 -mregparm=3",
        "-O2 -g",
        "-ftrapv",
        "-femulated-tls",
        "-msoft-float -mno-sse",
        "-Oz",
        "-fsanitize-coverage=trace-pc-guard",
        "-flto=thin",
    ];
    let (versions, targets, options) = if full() {
        (&[14, 16, 19][..], &targets[..], &options[..])
    } else {
        (&[19][..], &targets[..6], &options[..4])
    };
    let targets = targets.iter().map(|target| format!("-O1 --target={target}"));
    let builds: Vec<String> = targets.chain(options.iter().map(|flags| flags.to_string())).collect();
    let (dir, mut checked) = (scratch(), 0);
    for version in versions {
        for build in &builds {
            for name in ["unit.c", "unit.cpp"] {
                let what = format!("{name} by clang {version} {build}");
                let mut emit = clang(*version, &["-S", "-emit-llvm", "-o", "-"]);
                let ran = run_limited(emit.args(build.split(' ')).arg(data("langref").join(name)), RUN).unwrap();
                let text = String::from_utf8(ran.stdout).unwrap();
                let file = dir.path().join("own.ll");
                std::fs::write(&file, &text).unwrap();
                // Not every version has every option, nor writes what it can read itself.
                if ran.code != Some(0) || reprint(*version, &file, &text).is_err() {
                    assert!(*version < 19, "{what}: {}", ran.stderr);
                    continue;
                }
                let trap = text.contains(" = cleanuppad ") || text.contains(" = catchpad ");
                // Sanitizers of old put their data in front of functions.
                let note = text.contains(" prologue <{");
                // Old versions know the last bits of an address when they read it.
                let folded = text.contains(" and (i64 ptrtoint (");
                check(&Snippet { text, judge: *version, trap, note, folded, ..Snippet::default() }, &what, dir.path());
                checked += 1;
            }
        }
    }
    println!("{checked} units");
}

#[test]
fn every_file_is_checked() {
    let own = include_str!("langref.rs");
    for entry in std::fs::read_dir(data("langref")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let used = own.contains(&format!("\"{name}\"")) || include_str!("langref/programs.rs").contains(&name);
        assert!(used, "{name} is in no test");
    }
}

fn check_file(name: &str) {
    let file = std::fs::read_to_string(data("langref").join(name)).unwrap();
    let snippets = snippets(&file);
    let dir = scratch();
    for snippet in &snippets {
        let what = format!("{name}, {}", snippet.name);
        check(snippet, &what, dir.path());
    }
    println!("{name}: {} snippets", snippets.len());
}

/// The modules of a file; what stands before the first one belongs to each of them.
fn snippets(file: &str) -> Vec<Snippet> {
    let mut parts = file.split("\n;;; ");
    let head = parts.next().unwrap();
    parts.map(|part| snippet(head, part)).collect()
}

fn snippet(head: &str, part: &str) -> Snippet {
    let (name, rest) = part.split_once('\n').unwrap();
    let mut snippet = Snippet { name: name.into(), judge: 22, ..Snippet::default() };
    let mut body = String::new();
    for line in rest.split_inclusive('\n') {
        let Some(expectation) = line.trim_end().strip_prefix(";;: ") else {
            body += line;
            continue;
        };
        let (what, why) = expectation.split_once(" -- ").unwrap_or((expectation, ""));
        let (rule, versions) = what.split_at(what.find(|c: char| c.is_ascii_digit()).unwrap_or(what.len()));
        let versions: Vec<u32> = versions.split_whitespace().map(|version| version.parse().unwrap()).collect();
        match rule.trim_end() {
            "last read by" => snippet.judge = versions[0],
            "run" => snippet.run = true,
            "folded" => snippet.folded = true,
            "trap" => snippet.trap = true,
            "note" => snippet.note = true,
            "not printed for" => snippet.not_printed_for = versions,
            _ => panic!("{name}: unknown expectation `{what}`"),
        }
        let exempt = !matches!(rule.trim_end(), "last read by" | "run");
        assert_eq!(exempt, !why.is_empty(), "{name}: an exemption, and only that, has a reason: `{expectation}`");
    }
    snippet.text = format!("{head}\n{body}");
    snippet
}

fn check(snippet: &Snippet, what: &str, dir: &Path) {
    let file = dir.join("own.ll");
    std::fs::write(&file, &snippet.text).unwrap();
    check_lines(snippet, what);
    let what_llvm = format!("{what}, by LLVM {}", snippet.judge);
    let theirs = reprint(snippet.judge, &file, &snippet.text).unwrap_or_else(|error| panic!("{what_llvm}: {error}"));
    if !snippet.folded {
        assert_same_lines(&model(&snippet.text, what), &model(&theirs, &what_llvm), &what_llvm);
    }
    let module = ir::parse::parse(&snippet.text).unwrap();
    assert_eq!(!module.notes.is_empty(), snippet.note, "{what}: {:?}", module.notes);
    let [(_, plain), (_, promoted), _] = prints(&snippet.text, what);
    check_print(snippet, &plain, &format!("{what}, plain"), dir);
    if promoted != plain {
        check_print(snippet, &promoted, &format!("{what}, promoted"), dir);
    }
    if snippet.run {
        check_run(&snippet.text, what, dir);
    }
}

/// Where lines end changes nothing.
fn check_lines(snippet: &Snippet, what: &str) {
    let text = &snippet.text;
    let own = model(text, what);
    assert_same_lines(&own, &model(&text.replace('\n', "\r\n"), what), &format!("{what}, with carriage returns"));
    // Only its line tells where an unsupported instruction ends.
    if snippet.trap {
        return;
    }
    assert_same_lines(&own, &model(&text.replace('\n', "\r"), what), &format!("{what}, with carriage returns only"));
    let body: Vec<&str> = text.lines().filter(|line| !line.starts_with(';')).collect();
    if !body.iter().any(|line| line.contains(';')) {
        assert_same_lines(&own, &model(&body.join(" "), what), &format!("{what}, on one line"));
    }
}

fn check_print(snippet: &Snippet, print: &str, what: &str, dir: &Path) {
    let file = dir.join("print.ll");
    std::fs::write(&file, print).unwrap();
    let traps = |text: &str| text.matches("call void @llvm.trap()").count();
    assert_eq!(traps(print) > traps(&snippet.text), snippet.trap, "{what}: a trap in\n{print}");
    for version in VERSIONS {
        let printed = reprint(version, &file, print);
        let expected = !snippet.not_printed_for.contains(&version);
        assert_eq!(printed.is_ok(), expected, "{what}: LLVM {version}: {printed:?}\n{print}");
        // Traps have a comment that says what stood there.
        if let Ok(printed) = printed
            && version == 22
            && !snippet.folded
            && !snippet.trap
        {
            let again = ir::print::print(&ir::parse::parse(&printed).unwrap());
            assert_same_lines(print, &again, &format!("{what}, through LLVM"));
        }
    }
}

/// The print of a program does what the program does.
pub(super) fn check_run(text: &str, what: &str, dir: &Path) {
    let build = |text: &str, level: &str| {
        let (file, program) = (dir.join("program.ll"), dir.join("program"));
        std::fs::write(&file, text).unwrap();
        let mut compile = clang(19, &[level, "-pthread", "-o"]);
        must_run(compile.arg(&program).arg(&file).args(["-lstdc++", "-lm"]));
        run_limited(&Command::new(&program), RUN).unwrap_or_else(|| panic!("{what} took too long"))
    };
    let expected = build(text, "-O0");
    assert!(!expected.stdout.is_empty(), "{what}: {expected:?}");
    for (form, print) in prints(text, what) {
        for level in if full() { &["-O0", "-O2"][..] } else { &["-O0"] } {
            assert_eq!(build(&print, level), expected, "{what}, {form} {level}");
        }
    }
}

/// What LLVM prints of a module that it read and, if it is not rustc's, verified; else its complaint.
fn reprint(version: u32, file: &Path, text: &str) -> Result<String, String> {
    let done = |command: &Command| {
        let ran = run_limited(command, RUN).ok_or("took too long")?;
        if ran.code == Some(0) { Ok(String::from_utf8_lossy(&ran.stdout).into_owned()) } else { Err(ran.stderr) }
    };
    if version == 22 {
        let mut command = crate::support::pathshift();
        command.arg("__bitcode-to-text").arg(&*LIBLLVM).arg(file);
        return done(&command);
    }
    let bitcode = file.with_extension("bc");
    let mut assemble = Command::new(format!("llvm-as-{version}"));
    let mut disassemble = Command::new(format!("llvm-dis-{version}"));
    // LLVM 14 wants to be told about pointers without a pointee.
    if version == 14 && !text.contains('*') {
        assemble.arg("-opaque-pointers");
        disassemble.arg("-opaque-pointers");
    }
    done(assemble.arg(file).arg("-o").arg(&bitcode))?;
    done(disassemble.arg(&bitcode).args(["-o", "-"]))
}

/// The model's normal form, and what each marker says of its variable.
fn model(text: &str, what: &str) -> String {
    let mut result = normal_form(text, what);
    let module = ir::parse::parse(text).unwrap();
    for (_, _, inst) in module.functions.iter().flat_map(|function| function.body()) {
        let InstKind::Marker(marker) = &inst.kind else { continue };
        let ops = marker.expr.map_or(&[][..], |expr| &module.debug.exprs[expr]);
        let op = |op: &ExprOp| match op {
            ExprOp::Other(name, operands) => format!("{} {operands:?}", module.str(*name)),
            op => format!("{op:?}"),
        };
        let ops: Vec<String> = ops.iter().map(op).collect();
        result += &format!("; known {}, then {ops:?}\n", marker.value.is_some());
    }
    result
}
