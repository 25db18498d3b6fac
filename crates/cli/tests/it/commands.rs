//! The commands as a user types them.

use crate::support::{clang, data, must_run, pathshift, scratch};
use std::process::{Command, Stdio};

fn stdout(command: &mut Command) -> String {
    String::from_utf8(must_run(command)).unwrap()
}

#[test]
fn ir_shows_names_lines_variables_and_instructions() {
    let text = stdout(pathshift().arg("ir").arg(data("kinds.c")).args(["--function", "pick"]));
    for part in ["pick(", "kinds.c:", "switch (c) {", "parameters c: enum color, p: struct packet *", "icmp", "ret i32"]
    {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    assert!(!text.contains("alloca"), "promoted by default:\n{text}");
    let text = stdout(pathshift().args(["ir", "--no-promote", "-f", "pick"]).arg(data("kinds.c")));
    assert!(text.contains("alloca"), "{text}");
}

#[test]
fn ir_as_json_has_the_documented_form() {
    let text = stdout(pathshift().args(["ir", "--format", "json"]).arg(data("kinds.rs")));
    let model: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(model["schema"], "pathshift.ir/1");
    let functions = model["functions"].as_array().unwrap();
    let checked = functions.iter().find(|f| f["name"] == "kinds::checked").unwrap();
    assert_eq!(checked["place"]["line"], 43);
    let names: Vec<_> = checked["variables"].as_array().unwrap().iter().map(|v| v["name"].as_str().unwrap()).collect();
    assert_eq!(&names[..4], ["a", "b", "list", "at"]);
    assert_eq!(model["unsupported"].as_array().unwrap().len(), 0);
}

#[test]
fn assembly_is_named_as_unsupported() {
    let text = stdout(pathshift().args(["ir", "-f", "assembly"]).arg(data("kinds.c")));
    assert!(text.contains("1 unsupported"), "{text}");
    assert!(text.contains("in assembly: asm sideeffect \"addl $1, $0\""), "{text}");
}

#[test]
fn ir_as_llvm_compiles_and_runs() {
    let dir = scratch();
    for (name, version) in [("kinds.c", 19), ("kinds.c", 16), ("kinds.cpp", 19), ("kinds.cpp", 16)] {
        let (ll, program) = (dir.path().join("x.ll"), dir.path().join("x"));
        // `elsewhere` and the like are defined by nobody; the program never uses them.
        must_run(pathshift().args(["ir", "--format", "llvm", "-o"]).arg(&ll).arg(data(name)));
        let mut stub = dir.path().join("stub.c");
        std::fs::write(&stub, "int elsewhere[3]; int other_name(void) { return 1; }").unwrap();
        let object = dir.path().join("stub.o");
        must_run(clang(version, &["-c", "-o"]).arg(&object).arg(&stub));
        stub = dir.path().join("direct");
        must_run(clang(version, &["-o"]).arg(&stub).arg(data(name)).arg(&object).args(["-lm", "-lstdc++"]));
        must_run(clang(version, &["-O0", "-o"]).arg(&program).arg(&ll).arg(&object).args(["-lm", "-lstdc++"]));
        let expected = Command::new(&stub).output().unwrap();
        let found = Command::new(&program).output().unwrap();
        assert_eq!((expected.status.code(), &expected.stdout), (found.status.code(), &found.stdout), "{name}");
        assert!(!expected.stdout.is_empty());
    }
}

#[test]
fn a_directory_with_compile_commands_is_one_module() {
    let dir = scratch();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write(
        "a.c",
        "int twice(int);\nstatic int local(int x) { return x + 1; }\nint main(void) { return twice(local(20)) - 42; }\n",
    );
    write("b.c", "static int local(int x) { return x * 2; }\nint twice(int x) { return local(x) + OFFSET; }\n");
    let directory = dir.path().display();
    write(
        "compile_commands.json",
        &format!(
            r#"[{{"directory": "{directory}", "file": "a.c", "command": "cc -O2 -Wall -c a.c -o a.o"}},
                {{"directory": "{directory}", "file": "b.c", "arguments": ["cc", "-DOFFSET=0", "-c", "b.c"]}}]"#
        ),
    );
    let text = stdout(pathshift().arg("ir").arg(dir.path()).arg("--summary"));
    assert_eq!(text.matches("local").count(), 2, "{text}");
    assert!(text.contains("4 functions"), "{text}");
    let (ll, program) = (dir.path().join("x.ll"), dir.path().join("x"));
    must_run(pathshift().args(["ir", "--format", "llvm", "-o"]).arg(&ll).arg(dir.path()));
    must_run(clang(19, &["-o"]).arg(&program).arg(&ll));
    assert_eq!(Command::new(&program).status().unwrap().code(), Some(0));
}

#[test]
fn a_cargo_package_is_understood() {
    let dir = scratch();
    let package = crate::support::registry::writable_copy("itoa", "1.0.11", dir.path());
    let text = stdout(pathshift().arg("ir").arg(&package).args(["--function", "itoa::Buffer::new"]));
    assert!(text.contains("itoa::Buffer::new"), "{text}");
    std::fs::write(package.join("src/main.rs"), "fn main() { println!(\"{}\", itoa::Buffer::new().format(7)) }")
        .unwrap();
    let flags = ["--rustflags", "--cfg 'feature=\"a $b\"'"];
    let text =
        stdout(pathshift().arg("ir").arg(&package).args(flags).args(["-f", "itoa::main", "-f", "itoa::Buffer::new"]));
    assert!(text.contains("itoa::main") && text.contains("itoa::Buffer::new"), "{text}");
}

#[test]
fn functions_are_found_by_what_a_user_would_type() {
    let dir = scratch();
    let check = |name: &str, source: &str, wanted: &[&str], expect: &str| {
        let file = dir.path().join(name);
        std::fs::write(&file, source).unwrap();
        for wanted in wanted {
            let text = stdout(pathshift().arg("ir").arg(&file).args(["--summary", "--function", wanted]));
            assert!(text.contains("shown here: 1 function\n") && text.contains(expect), "{wanted}:\n{text}");
        }
    };
    let cpp = "namespace ns { template <class T> T most(T a, T b) { return a < b ? b : a; }\n\
               int call(int (*f)(int), int x) { return f(x); } }\nint use(int x) { return ns::most(x, 2); }\n";
    check("x.cpp", cpp, &["most", "ns::most", "most<int>", "ns::most<int>(int, int)"], "int ns::most<int>(int, int)");
    check("x.cpp", cpp, &["call", "ns::call", "call(int (*)(int), int)"], "ns::call(int (*)(int), int)");
    let rust = "pub trait Area { fn area(&self) -> u32; }\npub struct Square(pub u32);\n\
                impl Area for Square { fn area(&self) -> u32 { self.0 * self.0 } }\n\
                pub struct Wrap<T>(pub T);\nimpl<T: Copy> Wrap<T> { pub fn get(&self) -> T { self.0 } }\n\
                pub fn use_it() -> u32 { Wrap(3u32).get() + Square(2).area() }\n";
    check("x.rs", rust, &["area", "Square::area", "Area::area"], "<x::Square as x::Area>::area");
    check("x.rs", rust, &["get", "Wrap::get", "x::Wrap::get"], "x::Wrap<T>::get");
}

#[test]
fn flags_reach_the_compilers() {
    let dir = scratch();
    let c = dir.path().join("x.c");
    std::fs::write(&c, "#include \"y.h\"\nint f(void) { return VALUE + OTHER; }\n").unwrap();
    std::fs::create_dir(dir.path().join("inc")).unwrap();
    std::fs::write(dir.path().join("inc/y.h"), "#define OTHER 4\n").unwrap();
    let flags = format!("-DVALUE=38 -I'{}'", dir.path().join("inc").display());
    let text = stdout(pathshift().arg("ir").arg(&c).args(["--cflags", &flags]));
    assert!(text.contains("ret i32 42") || text.contains("38, 4"), "{text}");
    let rs = dir.path().join("x.rs");
    std::fs::write(&rs, "#[cfg(special)]\npub fn only_special() {}\npub fn always() {}\n").unwrap();
    let text = stdout(pathshift().arg("ir").arg(&rs).args(["--rustflags", "--cfg special"]));
    assert!(text.contains("x::only_special"), "{text}");
}

#[test]
fn options_that_say_nothing_about_the_input_are_refused() {
    let dir = scratch();
    std::fs::write(dir.path().join("x.rs"), "pub fn f() {}\n").unwrap();
    std::fs::write(dir.path().join("x.ll"), "@x = global i32 0\n").unwrap();
    let check = |input: &str, args: &[&str], expect: &str| {
        let output = pathshift().current_dir(dir.path()).args(["ir", input]).args(args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.starts_with(&format!("error: {expect}")), "{stderr}");
    };
    check("x.rs", &["--cflags", "-DX"], "--cflags is for C and C++");
    check("x.rs", &["--bin", "x"], "--bin is for a cargo package");
    check("x.rs", &["--unit", "x"], "--unit is for compile_commands.json");
    check("x.ll", &["--rustflags", "-O"], "--rustflags is for Rust");
    check("x.ll", &["--edition", "2024"], "--edition is for a single .rs file");
    check("x.ll", &["--cargo-flags", "--release"], "--cargo-flags is for a cargo package");
    check("x.ll", &["--summary", "--format", "json"], "--summary is for --format text");
    check("nothing.ll", &["--edition", "2024"], "nothing.ll: no such file");
}

#[test]
fn a_wrong_command_line_is_coloured_as_it_asks() {
    let check = |args: &[&str], expect: bool| {
        let output = pathshift().env_remove("NO_COLOR").args(args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.contains('\x1b')), (Some(2), expect), "{args:?}: {stderr}");
    };
    check(&["frob"], false);
    check(&["--color", "always", "frob"], true);
    check(&["frob", "--color=always"], true);
    check(&["frob", "--color=never"], false);
}

#[test]
fn results_are_the_same_bytes_twice() {
    for format in ["text", "json", "llvm"] {
        let run = || stdout(pathshift().args(["ir", "--format", format]).arg(data("kinds.cpp")));
        assert_eq!(run(), run(), "{format}");
    }
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = pathshift()
        .args(["ir", "--format", "json"])
        .arg(data("kinds.cpp"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn doctor_names_what_it_uses() {
    let text = stdout(pathshift().arg("doctor"));
    for part in ["clang", "rustc", "libLLVM", "Ready"] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&stdout(pathshift().args(["doctor", "--format", "json"]))).unwrap();
    assert_eq!(json["ready"], true);
}

#[test]
fn help_and_completions() {
    let help = stdout(pathshift().arg("--help"));
    assert!(help.contains("Exit codes") && help.contains("doctor"), "{help}");
    assert!(stdout(pathshift().args(["ir", "--help"])).contains("Examples:"));
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(pathshift().args(["completions", shell]));
        assert!(script.contains("doctor") && !script.contains("bitcode-to-text"), "{script}");
    }
}
