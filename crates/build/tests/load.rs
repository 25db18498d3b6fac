//! From real sources to one parsed module.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use build::{BuildError, Built, Kind};
use common::Lab;

fn load(lab: &Lab, name: &str) -> Result<Built, BuildError> {
    build::load(&lab.path(name), &lab.options, &lab.env)
}

/// The names of all defined functions, sorted.
fn functions(built: &Built) -> Vec<&str> {
    let module = &built.module;
    let defined = module.functions.iter().filter(|function| function.is_defined());
    let mut names: Vec<_> = defined.map(|function| module.symbol_name(function.symbol)).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_file_becomes_a_module() {
    let lab = Lab::new();
    lab.write("a.c", "static int g(int x) { return x; }\nint f(int x) { return g(x); }\n");
    let built = load(&lab, "a.c").unwrap();
    assert_eq!(functions(&built), ["f", "g"]);
    assert_eq!((built.kind, built.units.len()), (Kind::C, 1));
    assert!(built.ir_bytes > 1000 && !built.timings.compile.is_zero() && !built.timings.parse.is_zero());
}

#[test]
fn bitcode_is_the_module_of_its_source() {
    let lab = Lab::new();
    lab.write("a.c", "int g(int); int f(int x) { return g(x) + 1; }\n");
    let clang = build::toolchain::find("clang-19", &lab.env.path).map_or("clang", |_| "clang-19");
    lab.run(clang, &["-g", "-c", "-emit-llvm", "a.c", "-o", "a.bc"]);
    let (source, bitcode) = (load(&lab, "a.c").unwrap(), load(&lab, "a.bc").unwrap());
    assert_eq!(bitcode.kind, Kind::Bitcode);
    assert_eq!(functions(&source), functions(&bitcode));
}

fn database(lab: &Lab, files: &[(&str, &str)]) {
    let unit = |(name, source): &(&str, &str)| {
        lab.write(name, source);
        format!(r#"{{"directory": ".", "file": "{name}", "arguments": ["cc", "-c", "{name}"]}}"#)
    };
    let units: Vec<_> = files.iter().map(unit).collect();
    lab.write("compile_commands.json", format!("[{}]", units.join(",")));
}

#[test]
fn units_are_linked() {
    let lab = Lab::new();
    let (a, b) = (
        "int g(int); static int h(void) { return 1; } int main(void) { return g(h()); }",
        "int g(int x) { return x; }",
    );
    database(&lab, &[("a.c", a), ("b.c", b)]);
    let built = load(&lab, ".").unwrap();
    assert_eq!(functions(&built), ["g", "h", "main"]);
    assert_eq!(built.units.len(), 2);
    assert_eq!(built.module.units.len(), 2);
}

#[test]
fn code_of_strings_is_there_and_code_of_streams_is_not() {
    let lab = Lab::new();
    let source = "#include <iostream>\n#include <string>\n\
                  int f(std::string s) { s += 'x'; std::cout << s; return s.find(\"ab\"); }\n";
    let check = |built: Built| {
        let (module, defined) = (&built.module, functions(&built));
        assert!(defined.iter().any(|name| name.contains("basic_string") && name.contains("4find")), "{defined:?}");
        let missing = module.functions.iter().filter(|function| !function.is_defined());
        let missing = missing.map(|function| module.symbol_name(function.symbol));
        let of_string = |name: &&str| {
            ["_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string"].iter().any(|start| name.starts_with(start))
        };
        assert_eq!(missing.filter(of_string).collect::<Vec<_>>(), [""; 0]);
        assert!(!defined.iter().any(|name| name.contains("__ostream_insert")), "{defined:?}");
    };
    lab.write("a.cc", source);
    check(load(&lab, "a.cc").unwrap());
    database(&lab, &[("sub/b.cc", source)]);
    check(load(&lab, "compile_commands.json").unwrap());
}

#[test]
fn two_programs_in_a_database_have_to_be_told_apart() {
    let mut lab = Lab::new();
    let program = "int shared(void); int main(void) { return shared(); }";
    database(&lab, &[("one.c", program), ("two.c", program), ("shared.c", "int shared(void) { return 1; }")]);
    let error = load(&lab, ".").unwrap_err();
    assert!(error.to_string().contains("`main` is defined in"), "{error}");
    assert!(error.help().unwrap().starts_with("there are 2 programs; choose"), "{error:?}");
    assert_eq!(error.exit_class().code(), 4);
    lab.options.units = vec!["!two".into()];
    assert_eq!(functions(&load(&lab, ".").unwrap()), ["main", "shared"]);
}

#[test]
fn bad_ir_has_a_place_and_blame() {
    let lab = Lab::without_programs();
    lab.write("a.ll", "define void @f() {\n  ret void\n");
    let error = load(&lab, "a.ll").unwrap_err();
    assert!(error.to_string().starts_with(&format!("{}:", lab.path("a.ll").display())), "{error}");
    assert_eq!(error.exit_class().code(), 4);
    lab.write("a.c", "int x;");
    lab.script(
        "clang-19",
        "while [ $# -gt 1 ]; do if [ \"$1\" = -o ]; then echo 'define void' > \"$2\"; fi; shift; done",
    );
    assert_eq!(load(&lab, "a.c").unwrap_err().exit_class().code(), 70);
}
