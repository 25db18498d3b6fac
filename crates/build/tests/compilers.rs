//! Real sources through the real compilers of this machine.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use build::{BuildError, Kind};
use common::{Lab, functions};

#[test]
fn c_keeps_unused_functions() {
    let lab = Lab::new();
    lab.write("a.c", "static int unused(int x) { return x; }\nint used(int x) { return x; }\n");
    let texts = lab.texts("a.c").unwrap();
    assert_eq!(texts.kind, Kind::C);
    assert_eq!(functions(&texts), ["unused", "used"]);
    let text = &texts.units[0].1;
    assert!(text.contains("!DISubprogram(name: \"unused\"") && text.contains("alloca") && !text.contains("optnone"));
    assert!(texts.notes.is_empty() && lab.is_tidy());
}

#[test]
fn flags_of_the_user_come_last() {
    let mut lab = Lab::new();
    lab.write("-a b.c", "int N(int x) { return x; }\n");
    lab.options.cflags = vec!["-DN=named".into(), "-O1".into()];
    let texts = lab.texts("-a b.c").unwrap();
    assert_eq!(functions(&texts), ["named"]);
    assert!(!texts.units[0].1.contains("alloca"));
}

#[test]
fn cpp_is_known_by_its_name() {
    let lab = Lab::new();
    let source =
        "#include <vector>\nint sum(const std::vector<int> &v) { int s = 0; for (int x : v) s += x; return s; }";
    for name in ["a.cpp", "a.cc", "a.C"] {
        lab.write(name, source);
        let texts = lab.texts(name).unwrap();
        assert_eq!(texts.kind, Kind::Cpp);
        assert!(functions(&texts).contains(&"_Z3sumRKSt6vectorIiSaIiEE".to_owned()), "{name}");
    }
}

#[test]
fn rust_is_a_library_or_a_program() {
    let lab = Lab::new();
    let check = |name: &str, source: &str, crate_type: &str, expect: &str| {
        lab.write(name, source);
        let texts = lab.texts(name).unwrap();
        let command = texts.units[0].0.command.clone().unwrap();
        assert!(command.contains(&format!("--crate-type {crate_type} ")), "{command}");
        assert!(functions(&texts).iter().any(|name| name.contains(expect)), "{:?}", functions(&texts));
    };
    check("lib.rs", "fn private(x: u32) -> u32 { x + 1 }", "lib", "private");
    check("program-1.rs", "#![deny(warnings)]\nfn private() {}\nfn main() {}", "bin", "private");
    check("comment.rs", "/*\nfn main() {}\n*/\nfn private() {}", "lib", "private");
    check("named.rs", "#![crate_name = \"other\"]\nfn private() {}", "lib", "private");
    assert!(lab.is_tidy());
}

#[test]
fn compiler_errors_are_the_compilers_words() {
    let lab = Lab::new();
    let check = |name: &str, source: &str, expect: &str, help: Option<&str>| {
        lab.write(name, source);
        let error = lab.texts(name).unwrap_err();
        assert_eq!(error.exit_class().code(), 4);
        let output = error.compiler_output().unwrap();
        let (path, expect) =
            (lab.path(name).display().to_string(), expect.replace("FILE", &lab.path(name).display().to_string()));
        assert!(output.contains(&expect), "{expect} in {output}");
        assert_eq!(error.to_string(), format!("{path} does not compile"));
        assert_eq!(error.help().is_some(), help.is_some());
        assert!(error.help().unwrap_or_default().contains(help.unwrap_or_default()));
    };
    check("a.c", "int f( { return 0; }\n", "FILE:1:8: error: expected parameter declarator", None);
    check("b.c", "#include \"no.h\"\n", "FILE:1:10: fatal error: 'no.h' file not found", Some("include directories"));
    check("c.rs", "fn f() -> u32 { \"\" }\n", "error[E0308]: mismatched types\n --> FILE:1:17\n", None);
    lab.write("p/Cargo.toml", "");
    check("p/d.rs", "use nothing::x;\n", "error[E0432]: unresolved import", Some("name the package"));
}

#[test]
fn ir_text_is_read_as_it_is() {
    let lab = Lab::new();
    lab.write("a.ll", b"; \xff\ndefine void @f() {\n  ret void\n}\n");
    let texts = lab.texts("a.ll").unwrap();
    assert_eq!((texts.kind, functions(&texts)), (Kind::Ir, vec!["f".to_owned()]));
    assert!(texts.notes[0].ends_with("no UTF-8; they were replaced"), "{:?}", texts.notes);
    assert_eq!(texts.units[0].0.ir, Some(lab.path("a.ll")));
}

#[test]
fn ir_text_can_be_kept() {
    let mut lab = Lab::new();
    lab.write("a.c", "int f(void) { return 0; }");
    lab.options.keep_ir = Some(lab.path("kept/here"));
    let texts = lab.texts("a.c").unwrap();
    let kept = lab.path("kept/here/a.ll");
    assert_eq!(texts.units[0].0.ir.as_deref(), Some(kept.as_path()));
    assert_eq!(std::fs::read_to_string(kept).unwrap(), texts.units[0].1);
}

#[test]
fn a_database_gives_one_text_a_unit() {
    let mut lab = Lab::new();
    lab.write("src/a.c", "#include \"n.h\"\nint a(void) { return N; }");
    lab.write("src/b.cpp", "int b() { return 1; }");
    lab.write("include/n.h", "#define N 1");
    let database = r#"[
        {"directory": "src", "file": "a.c",
         "command": "gcc -O2 -fconserve-stack -fno-such-flag -Werror -MD -MF a.d -I ../include -c a.c -o a.o"},
        {"directory": "src", "file": "a.c", "command": "gcc -fPIC -fno-such-flag -I ../include -c a.c -o shared/a.o"},
        {"directory": "src", "file": "b.cpp", "arguments": ["g++", "-c", "b.cpp"]},
        {"directory": "src", "file": "c.S", "arguments": ["gcc", "-c", "c.S"]}]"#;
    lab.write("compile_commands.json", database);
    let texts = lab.texts(".").unwrap();
    assert_eq!(functions(&texts), ["_Z1bv", "a"]);
    assert_eq!(texts.units[0].0.source, lab.path("src/a.c"));
    let notes = texts.notes.join("\n");
    assert!(notes.contains("left out: c.S") && notes.contains("left out: -fno-such-flag"), "{notes}");
    assert!(!lab.path("src/a.d").exists() && !lab.path("src/a.o").exists() && lab.is_tidy());

    lab.options.units = vec!["b.cpp".into()];
    assert_eq!(functions(&lab.texts(".").unwrap()), ["_Z1bv"]);
}

#[test]
fn a_database_tells_of_all_units_that_fail() {
    let lab = Lab::new();
    for name in ["a.c", "b.c", "c.c"] {
        lab.write(name, if name == "b.c" { "int ok;" } else { "int;;wrong" });
    }
    let unit = |name: &str| format!(r#"{{"directory": ".", "file": "{name}", "arguments": ["cc", "{name}"]}}"#);
    lab.write("compile_commands.json", format!("[{},{},{}]", unit("a.c"), unit("b.c"), unit("c.c")));
    let error = lab.texts(".").unwrap_err();
    assert!(error.compiler_output().unwrap().starts_with("a.c:1:"), "{error:?}");
    assert_eq!(error.help().unwrap(), "this unit fails too: c.c");
}

fn package(lab: &Lab) {
    lab.write(
        "p/Cargo.toml",
        "[package]\nname = \"my-package\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    lab.write("p/src/lib.rs", "pub fn in_library() {}\nfn private() {}");
    lab.write("p/src/main.rs", "fn in_program() {}\nfn main() { my_package::in_library() }");
}

#[test]
fn a_package_is_its_binary_with_its_library() {
    let mut lab = Lab::new();
    package(&lab);
    for bin in [None, Some("my-package".to_owned())] {
        lab.options.bin = bin;
        let names = functions(&lab.texts("p").unwrap()).join(" ");
        assert!(["in_library", "private", "in_program"].iter().all(|name| names.contains(name)), "{names}");
    }
    // With several binaries only the library is clear.
    lab.write("p/src/bin/second.rs", "fn in_second() {}\nfn main() {}");
    lab.options.bin = None;
    let texts = lab.texts("p").unwrap();
    let names = functions(&texts).join(" ");
    assert!(names.contains("in_library") && !names.contains("in_program"), "{names}");
    assert_eq!(texts.notes, ["not shown: the binaries my-package, second; choose one with --bin"]);
    lab.options.bin = Some("second".into());
    let names = functions(&lab.texts("p").unwrap()).join(" ");
    assert!(names.contains("in_library") && names.contains("in_second") && !names.contains("in_program"), "{names}");
    assert!(!lab.path("p/target").exists() && lab.is_tidy());
}

#[test]
fn crates_of_the_user_go_into_a_package_and_what_only_builds_it_does_not() {
    let lab = Lab::new();
    package(&lab);
    let member = |name: &str, more: &str| {
        let head = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}");
        lab.write(&format!("{name}/Cargo.toml"), head);
    };
    let user = "[dependencies]\nused = { path = \"../used\" }\nmacros = { path = \"../macros\" }\n\
                [build-dependencies]\nused = { path = \"../used\" }\nbuilder = { path = \"../builder\" }\n[workspace]\n";
    member("p", user);
    lab.write("p/build.rs", "fn in_build_script() {}\nfn main() { builder::in_builder(); in_build_script() }");
    lab.write("p/src/main.rs", "macros::nothing!();\nfn main() { used::in_used(\"a b\") }");
    member("used", "");
    lab.write("used/src/lib.rs", "pub fn in_used(_: &str) {}");
    member("builder", "");
    lab.write("builder/src/lib.rs", "pub fn in_builder() {}");
    member("macros", "[lib]\nproc-macro = true\n");
    let macros = "#[proc_macro]\npub fn nothing(_: proc_macro::TokenStream) -> proc_macro::TokenStream { in_macros() }\n\
                  fn in_macros() -> proc_macro::TokenStream { Default::default() }";
    lab.write("macros/src/lib.rs", macros);
    let texts = lab.texts("p").unwrap();
    let sources: Vec<_> = texts.units.iter().map(|(unit, _)| unit.source.strip_prefix(lab.path("")).unwrap()).collect();
    assert_eq!(sources, ["p/src/lib.rs", "p/src/main.rs", "used/src/lib.rs"].map(std::path::Path::new));
    let module = build::load(&lab.path("p"), &lab.options, &lab.env).unwrap().module;
    let of = |part: &str| module.functions.iter().filter(|f| module.symbol_name(f.symbol).contains(part)).count();
    assert_eq!((of("in_used"), of("in_builder"), of("in_build_script"), of("in_macros")), (1, 0, 0, 0));
    assert!(functions(&lab.texts("macros").unwrap()).join(" ").contains("in_macros"));
}

#[test]
fn a_package_is_compiled_anew_though_its_dependencies_are_kept() {
    let mut lab = Lab::new();
    package(&lab);
    lab.options.cargo_target = Some(lab.path("target"));
    lab.options.keep_ir = Some(lab.path("kept"));
    for _ in 0..2 {
        let names = functions(&lab.texts("p").unwrap()).join(" ");
        assert!(names.contains("in_library") && names.contains("in_program"), "{names}");
        // Cargo does not know of these files and would think that all is done.
        std::fs::remove_dir_all(lab.path("kept")).unwrap();
    }
    lab.write("p/src/lib.rs", "pub fn in_library() {}\npub fn changed() {}");
    assert!(functions(&lab.texts("p").unwrap()).join(" ").contains("changed"));
}

#[test]
fn package_errors_are_cargos_words() {
    let lab = Lab::new();
    package(&lab);
    lab.write("p/src/lib.rs", "pub fn f() -> u32 { \"\" }");
    let error = lab.texts("p").unwrap_err();
    let output = error.compiler_output().unwrap();
    assert!(output.starts_with("error[E0308]: mismatched types\n --> src/lib.rs:1:21\n"), "{output}");
    lab.write("p/Cargo.toml", "[package\n");
    assert!(lab.texts("p").unwrap_err().compiler_output().unwrap().starts_with("error: "));
    lab.write("w/Cargo.toml", "[workspace]\nmembers = [\"m\"]\nresolver = \"2\"");
    lab.write("w/m/Cargo.toml", "[package]\nname = \"m\"\n");
    lab.write("w/m/src/lib.rs", "");
    assert!(lab.error("w").ends_with("/w/m"), "{}", lab.error("w"));
}

#[test]
fn without_compilers_the_error_says_how_to_get_them() {
    let lab = Lab::without_programs();
    let check = |name: &str, contents: &[u8], expect: &str| {
        lab.write(name, contents);
        let got = lab.error(name);
        assert!(got.starts_with(expect) && got.contains("install"), "{got}");
        assert_eq!(lab.texts(name).unwrap_err().exit_class().code(), 4);
    };
    check("a.c", b"int x;", "no clang found\nhelp: install clang 14 or newer");
    check("a.cpp", b"int x;", "no clang found");
    check("a.rs", b"fn f() {}", "no rustc found\nhelp: install Rust");
    check("p/Cargo.toml", b"[package]", "no cargo found");
    let database = br#"[{"directory": ".", "file": "a.c", "command": "cc a.c"}]"#;
    check("compile_commands.json", database, "no clang found");
    check("a.bc", b"BC\xC0\xDE", "DIR/a.bc: bitcode cannot be read: neither rustc's libLLVM nor llvm-dis is installed");
    assert!(lab.is_tidy());
}

#[test]
fn a_chosen_clang_has_to_exist() {
    let mut lab = Lab::new();
    lab.write("a.c", "int x;");
    lab.options.clang = Some("clang-1000".into());
    assert!(matches!(lab.texts("a.c"), Err(BuildError::NoCompiler { what, .. }) if what == "compiler clang-1000"));
}
