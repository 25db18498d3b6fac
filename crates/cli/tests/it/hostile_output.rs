//! Text of others cannot drive a terminal, forge a line of a result or break out of the form that it is shown in: hostile
//! names, sources, file names, messages and outputs through every verb and every format.

use crate::support::{pathshift, scratch};
use report::escape::is_hidden;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What must not reach anybody: escape sequences for terminals, C1 controls, overrides of the direction, separators of
/// lines, characters without width, and a line break with what looks like a line of ours.
const EVIL: &str = "\x1b[31m\x1b]0;title\x07\r\u{8}\u{7f}\u{9b}2J\u{85}\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}";

/// A line that is forged if a line break of theirs gets through.
const FORGED: &str = "\nFORGED  all  [all inputs]";

/// Codes of our own, which are written if colours were asked for.
const COLOURS: [&str; 10] = [
    "\x1b[0m",
    "\x1b[1m",
    "\x1b[2m",
    "\x1b[36m",
    "\x1b[33m",
    "\x1b[1;31m",
    "\x1b[91m",
    "\x1b[92m",
    "\x1b[94m",
    "\x1b[96m",
];

/// A folder with a temporary folder of its own, so that its name can be looked for.
struct Stage {
    dir: tempfile::TempDir,
    temp: tempfile::TempDir,
}

impl Stage {
    fn new(files: &[(&[u8], String)]) -> Stage {
        let stage = Stage { dir: scratch(), temp: scratch() };
        for (name, text) in files {
            std::fs::write(stage.dir.path().join(OsStr::from_bytes(name)), text).unwrap();
        }
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs the program and looks at every byte that it writes, and at the file that it writes if that is asked for.
    fn check(&self, args: &[&OsStr]) -> Output {
        let mut command: Command = pathshift();
        let output = command.current_dir(self.dir.path()).env("TMPDIR", self.temp.path()).args(args).output().unwrap();
        for bytes in [&output.stdout, &output.stderr] {
            self.check_text(bytes, args);
        }
        assert!(output.status.code().is_some_and(|code| code != 70 && code != 101), "{args:?}: {output:?}");
        output
    }

    fn check_text(&self, bytes: &[u8], args: &[&OsStr]) {
        let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{args:?}: {error}"));
        let coloured = args.contains(&OsStr::new("always"));
        let text = COLOURS.iter().filter(|_| coloured).fold(text.to_owned(), |text, code| text.replace(code, ""));
        let hidden = text.chars().find(|&c| !matches!(c, '\n' | '\t') && is_hidden(c));
        assert_eq!(hidden, None, "{args:?}:\n{}", text.escape_debug());
        assert!(!text.lines().any(|line| line.trim_start().starts_with("FORGED")), "{args:?}:\n{text}");
        let temp = self.temp.path().display().to_string();
        assert!(!text.contains(&temp), "{args:?}: {temp} is in\n{text}");
        let longest = text.lines().map(str::len).max().unwrap_or(0);
        assert!(longest < 1 << 20, "{args:?}: a line of {longest} bytes");
    }

    fn run(&self, words: &[&str]) -> Output {
        self.check(&words.iter().map(OsStr::new).collect::<Vec<_>>())
    }

    /// Every verb in every format on two versions with the function `name`.
    fn every_verb(&self, old: &OsStr, new: &OsStr, name: &str) {
        let given = |words: &[&str], files: &[&OsStr]| {
            let (verb, rest) = words.split_first().unwrap();
            let mut all = vec![OsStr::new(*verb)];
            all.extend(files);
            all.extend(rest.iter().map(OsStr::new));
            self.check(&all)
        };
        let both = [old, new];
        for format in ["text", "markdown", "json"] {
            given(&["diff", "--no-store", "--timeout", "5", "--format", format], &both);
        }
        for format in ["text", "json", "dot", "svg"] {
            given(&["impact", "--no-store", "--format", format, "--color", "always"], &both);
        }
        given(&["ir", "--summary"], &[new]);
        for format in ["text", "json", "llvm"] {
            given(&["ir", "--format", format], &[new]);
        }
        for format in ["text", "csv", "json"] {
            given(&["explore", "--no-store", "-f", name, "--format", format], &[new]);
        }
        let suite = self.path("suite");
        let suite = suite.to_str().unwrap();
        given(&["explore", "--no-store", "--no-replay", "-f", name, "--suite", suite], &[old]);
        for format in ["text", "json"] {
            given(&["signature", "-f", name, "--format", format], &[new]);
            given(&["signature", "-f", name, "--format", format], &both);
            given(&["explain", "-f", name, "--format", format], &both);
            given(&["explain", "--test", suite, "--format", format], &both);
            given(&["coverage", "--suite", suite, "-f", name, "--format", format], &both);
            given(&["select", "--suite", suite, "-f", name, "--format", format], &both);
            given(&["replay", "--suite", suite, "--format", format], &[new]);
            self.run(&["tests", "show", "--suite", suite, "--format", format]);
            let update = ["tests", "update", "--no-store", "--dry-run", "--suite", suite, "--format", format];
            self.check(&update.map(OsStr::new).into_iter().chain([new]).collect::<Vec<_>>());
        }
        given(&["ir", "-f", &format!("no such {EVIL}")], &[new]);
    }
}

/// A text in the quotes of LLVM IR.
fn quoted(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'"' | b'\\' | 0..0x20 | 0x7f.. => format!("\\{byte:02X}"),
        _ => char::from(byte).to_string(),
    };
    text.bytes().map(byte).collect()
}

/// A module whose symbol, file, function, parameter and global variable have hostile names.
fn module(limit: u32) -> String {
    let name = |begin: &str| quoted(&format!("{begin}{EVIL}{FORGED}\"'`|<script>"));
    format!(
        r#"source_filename = "{file}"
@"{global}" = global i32 0, !dbg !20
declare i32 @"{outside}"(i32)
define i32 @"{function}"(i32 %"{value}") !dbg !5 {{
"{block}":
  call void @llvm.dbg.value(metadata i32 %"{value}", metadata !9, metadata !DIExpression()), !dbg !10
  %c = icmp ugt i32 %"{value}", {limit}, !dbg !10
  br i1 %c, label %big, label %small, !dbg !10
big:
  store i32 %"{value}", ptr @"{global}", !dbg !11
  %r = call i32 @"{outside}"(i32 1), !dbg !11
  ret i32 %r, !dbg !11
small:
  ret i32 0, !dbg !11
}}
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{{!0}}
!llvm.module.flags = !{{!4}}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "{producer}", isOptimized: false, emissionKind: FullDebug, globals: !21)
!1 = !DIFile(filename: "{file}", directory: "{directory}")
!4 = !{{i32 2, !"Debug Info Version", i32 3}}
!5 = distinct !DISubprogram(name: "{function}", scope: !1, file: !1, line: 3, type: !6, unit: !0, retainedNodes: !8)
!6 = !DISubroutineType(types: !7)
!7 = !{{!12, !12}}
!8 = !{{!9}}
!9 = !DILocalVariable(name: "{parameter}", arg: 1, scope: !5, file: !1, line: 3, type: !12)
!10 = !DILocation(line: 3, scope: !5)
!11 = !DILocation(line: 4, scope: !5)
!12 = !DIBasicType(name: "int{ty}", size: 32, encoding: DW_ATE_signed)
!20 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!21 = !{{!20}}
!22 = distinct !DIGlobalVariable(name: "{global}", scope: !0, file: !1, line: 1, type: !12, isDefinition: true)
"#,
        file = name("file"),
        global = name("global"),
        outside = name("outside"),
        function = name("function"),
        value = name("value"),
        block = name("block"),
        producer = name("producer"),
        directory = name("/directory"),
        parameter = name("parameter"),
        ty = name("type"),
    )
}

#[test]
fn names_of_ir() {
    let files = [(&b"old.ll"[..], module(7)), (b"new.ll", module(9))];
    let stage = Stage::new(&files);
    let name = format!("function{EVIL}{FORGED}\"'`|<script>");
    stage.every_verb(OsStr::new("old.ll"), OsStr::new("new.ll"), &name);
    let llvm = stage.run(&["ir", "--format", "llvm", "new.ll"]);
    // Generated tests are comments: such a function has no name in C or Rust.
    for file in ["tests.c", "tests.rs"] {
        stage.run(&["explore", "--no-store", "--no-replay", "-f", &name, "--emit", file, "new.ll"]);
        let text = std::fs::read(stage.path(file)).unwrap();
        stage.check_text(&text, &[OsStr::new(file)]);
        let text = String::from_utf8(text).unwrap();
        let is_comment =
            |line: &str| line.is_empty() || line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"));
        assert!(text.lines().all(is_comment) && text.contains("FORGED"), "{text}");
    }
    // What is escaped is still the same name to LLVM.
    std::fs::write(stage.path("again.ll"), &llvm.stdout).unwrap();
    assert!(stage.run(&["ir", "--format", "llvm", "again.ll"]).stdout == llvm.stdout);
    let markdown = stage.run(&["diff", "--no-store", "--no-replay", "--format", "markdown", "old.ll", "new.ll"]);
    let markdown = String::from_utf8(markdown.stdout).unwrap();
    assert!(markdown.contains("function\\x1b[31m") && !markdown.contains("<script>\n"), "{markdown}");
    assert!(!outside_of_code(&markdown).contains("<script>"), "{markdown}");
    let svg =
        String::from_utf8(stage.run(&["impact", "--no-store", "--format", "svg", "old.ll", "new.ll"]).stdout).unwrap();
    assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script>"), "{svg}");
}

/// Markdown without its spans of code.
fn outside_of_code(markdown: &str) -> String {
    let mut out = String::new();
    let mut rest = markdown;
    while let Some(begin) = rest.find('`') {
        out.push_str(&rest[..begin]);
        let ticks = rest[begin..].bytes().take_while(|&byte| byte == b'`').count();
        let inside = &rest[begin + ticks..];
        let fence = "`".repeat(ticks);
        let end = inside.match_indices(&fence).map(|(at, _)| at).find(|&at| {
            let alone = |byte: Option<&u8>| byte != Some(&b'`');
            alone(inside.as_bytes().get(at + ticks)) && alone(at.checked_sub(1).map(|at| &inside.as_bytes()[at]))
        });
        rest = end.map_or("", |end| &inside[end + ticks..]);
    }
    out + rest
}

/// A C file with hostile comments, strings, lines and assertions.
fn source(limit: u32) -> String {
    format!(
        "#include <stdio.h>\n#include <assert.h>\n\
         int f(int x) {{ /* {EVIL} */\n\
         if (x > {limit}) {{ /* {EVIL} ``` <b>@everyone</b> */\n\
         printf(\"%s\\n\", \"\\x1b[31m\\nFORGED\\a\\u202e\");\n\
         assert(x != 77 && \"\\x1b]0;x\\a{}\");\n\
         return {limit}; }}\n\
         return x / (x - 3);\n}}\n",
        EVIL.replace('\r', "")
    )
}

#[test]
fn lines_of_sources() {
    let stage = Stage::new(&[(b"old.c", source(5)), (b"new.c", source(6))]);
    stage.every_verb(OsStr::new("old.c"), OsStr::new("new.c"), "f");
    let files: [OsString; 2] = ["old", "new"].map(|name| {
        let mut file = OsString::from(format!("{name}{EVIL}{FORGED}"));
        file.push(OsStr::from_bytes(b"\xff.c"));
        file
    });
    for (file, limit) in files.iter().zip([5, 6]) {
        std::fs::write(stage.dir.path().join(file), source(limit)).unwrap();
    }
    stage.every_verb(&files[0], &files[1], "f");
}

#[test]
fn lines_that_claim_to_be_elsewhere() {
    let text = |limit: u32| {
        format!(
            "#line 7 \"\\033[31mevil\\n/\\342\\200\\256.c\"\nint g;\nint f(int x) __asm__(\"f\\033[2J\");\n\
             int f(int x) {{\n#line 9 \"/dev/zero\"\nif (x > {limit})\n return 1;\n g = x;\n return 0; }}\n"
        )
    };
    let stage = Stage::new(&[(b"old.c", text(5)), (b"new.c", text(6))]);
    stage.every_verb(OsStr::new("old.c"), OsStr::new("new.c"), "f");
}

#[test]
fn messages_of_rust() {
    let text = |limit: u32| {
        format!(
            "pub fn f(x: u32) -> u32 {{\n    if x > {limit} {{ // \u{2066}comment\n        \
             panic!(\"\\u{{1b}}[31m{{x}}\\u{{202e}}\\nFORGED\");\n    }}\n    println!(\"\\u{{9b}}{{x}}\");\n    x\n}}\n\
             fn main() {{ std::process::exit(f(std::env::args().count() as u32) as i32) }}\n"
        )
    };
    let stage = Stage::new(&[(b"old.rs", text(5)), (b"new.rs", text(6))]);
    stage.every_verb(OsStr::new("old.rs"), OsStr::new("new.rs"), "f");
}

#[test]
fn errors_of_all_kinds() {
    let cases: &[(&[u8], String)] = &[
        (b"error.c", format!("#error {}\n", EVIL.replace('\r', ""))),
        (b"assert.c", "_Static_assert(0, \"\\x1b[31m\\u202e\");\n".to_owned()),
        (b"type.c", format!("int f(void) {{ return x /* {EVIL} */; }}\n")),
        (b"bad.rs", format!("fn main() {{ let x: u8 = \"{EVIL}\"; }}\n")),
        (b"bad.ll", format!("define i32 @f() {{\n  ret i32 \"{EVIL}\"{EVIL}\n}}\n")),
        (b"worse.ll", format!("{EVIL}{FORGED}\n")),
        (b"bad.bc", format!("BC\u{c0}{EVIL}")),
        (b"ev\x1b[31mil\nFORGED.ll", format!("define {EVIL}\n")),
    ];
    let stage = Stage::new(cases);
    for (name, _) in cases {
        let name = OsStr::from_bytes(name);
        for color in ["always", "never"] {
            stage.check(&[OsStr::new("--color"), OsStr::new(color), OsStr::new("ir"), name]);
            stage.check(&[OsStr::new("diff"), OsStr::new("--color"), OsStr::new(color), name, name]);
        }
    }
    stage.run(&["ir", &format!("missing{EVIL}{FORGED}")]);
    stage.run(&[&format!("verb{EVIL}")]);
    stage.run(&["ir", "x.c", &format!("--option{EVIL}")]);
    stage.run(&["ir", "x.c", "--cflags", &format!("'{EVIL}")]);
    stage.run(&["diff", &format!("HEAD{EVIL}"), &format!("other{EVIL}")]);
    std::fs::write(stage.path("pathshift.toml"), "\"\\u001b[31m\\nFORGED\" = 1\n").unwrap();
    stage.run(&["diff", "error.c", "error.c"]);
    std::fs::remove_file(stage.path("pathshift.toml")).unwrap();
    let database = r#"[{"directory": "/\u001b[31m", "file": "a\u202e\u001b.c", "command": "cc -c a\u001b.c"}]"#;
    std::fs::write(stage.path("compile_commands.json"), database).unwrap();
    stage.run(&["ir", "."]);
    std::fs::write(stage.path("compile_commands.json"), format!("[{{\"{EVIL}")).unwrap();
    stage.run(&["ir", "."]);
    let suite = stage.path("suite");
    std::fs::create_dir(&suite).unwrap();
    for text in [format!("{EVIL}{FORGED}\n"), format!("pathshift suite 1\nentry {EVIL}\n")] {
        for name in ["tests", "suite", "tests.txt"] {
            std::fs::write(suite.join(name), &text).unwrap();
        }
        stage.run(&["tests", "show", "--suite", "suite"]);
        stage.run(&["replay", "--suite", "suite", "error.c"]);
    }
    std::fs::write(stage.path("store"), EVIL).unwrap();
    stage.run(&["store", "info", "--store", "store"]);
}

#[test]
fn long_lines_are_cut() {
    let text = |limit: u32| {
        let long = "x".repeat(5_000_000);
        format!("int f(int x) {{ if (x > {limit}) /* {long} */ return 1; return 0; }}\n")
    };
    let stage = Stage::new(&[(b"old.c", text(5)), (b"new.c", text(6))]);
    for format in ["text", "markdown", "json"] {
        let shown = stage.run(&["diff", "--no-store", "--format", format, "old.c", "new.c"]);
        let shown = String::from_utf8(shown.stdout).unwrap();
        assert!(shown.contains("more characters)"), "{format}: {shown}");
        assert!(shown.len() < 20_000, "{format}: {}", shown.len());
    }
    for words in [
        &["impact", "--no-store", "old.c", "new.c"][..],
        &["impact", "--no-store", "--format", "dot", "old.c", "new.c"],
        &["impact", "--no-store", "--format", "svg", "old.c", "new.c"],
        &["ir", "new.c"],
        &["explain", "-f", "f", "--given", "x=6", "old.c", "new.c"],
    ] {
        let shown = stage.run(words);
        assert!(shown.status.success(), "{words:?}: {}", String::from_utf8_lossy(&shown.stderr));
        assert!(shown.stdout.len() < 20_000, "{words:?}: {}", shown.stdout.len());
    }
    // Errors with their line.
    let long = "x".repeat(5_000_000);
    std::fs::write(stage.path("bad.c"), format!("int f(void) {{ return /* {long} */ x; }}\n")).unwrap();
    std::fs::write(stage.path("bad.ll"), format!("define i32 @f() {{ {long}\n")).unwrap();
    for file in ["bad.c", "bad.ll"] {
        let failed = stage.run(&["ir", file]);
        assert!(failed.stderr.len() < 20_000, "{file}: {}", failed.stderr.len());
    }
}

fn git(dir: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main"];
    let output = Command::new("git").current_dir(dir).args(identity).args(args).output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn temporary_folders_are_not_named() {
    let stage = Stage::new(&[]);
    git(stage.dir.path(), &["init", "-q"]);
    std::fs::create_dir(stage.path("src")).unwrap();
    let database = format!(
        r#"[{{"directory": "{}", "file": "src/a.c", "command": "cc -c src/a.c"}}]"#,
        stage.dir.path().canonicalize().unwrap().display()
    );
    std::fs::write(stage.path("compile_commands.json"), database).unwrap();
    for text in ["int f(int x) { return y; }\n", "int f(int x) { return x }\n", "int f(int x) { return x; }\n"] {
        std::fs::write(stage.path("src/a.c"), text).unwrap();
        git(stage.dir.path(), &["add", "-A"]);
        git(stage.dir.path(), &["commit", "-q", "-m", "change"]);
    }
    let failed = stage.run(&["diff", "--no-store", "HEAD~1"]);
    let message = String::from_utf8(failed.stderr).unwrap();
    assert!(message.contains("HEAD~1:src/a.c:1:"), "{message}");
    let failed = stage.run(&["diff", "--no-store", "HEAD~2", "HEAD"]);
    let message = String::from_utf8(failed.stderr).unwrap();
    assert!(message.contains("HEAD~2:src/a.c:1:"), "{message}");
}
