//! Turns the compiler command of a compilation database into flags for clang.
//!
//! The command was written for some compiler, often gcc, to make an optimised object file. What decides the meaning of
//! the program stays (defines, include paths, language, target, dialect); what decides outputs, optimisation, debug
//! info, instrumentation and diagnostics goes, and so do flags that only gcc knows. What the author of the project must not
//! choose ([`crate::allowed`]) goes too, and is told.

use std::path::Path;

use crate::{allowed, process};

/// Flags that stand alone.
const DROP: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-MV",
    "-emit-llvm",
    "-fsyntax-only",
    "-pedantic-errors",
    "-pg",
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-finstrument-functions",
    // Whether code is position independent changes nothing that we look at; without these flags, the two compilations
    // of a file for a static and a shared library are one.
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fno-PIC",
    "-fno-pic",
    "-fno-PIE",
    "-fno-pie",
    "-fconserve-stack",
    "-fno-conserve-stack",
    "-mrecord-mcount",
    "-fstack-usage",
];

/// Flags whose value is the next argument.
const DROP_WITH_VALUE: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-mllvm",
    "--param",
    "-dumpbase",
    "-dumpdir",
    "-include-pch",
    "--serialize-diagnostics",
    "-index-store-path",
];

/// Beginnings of flags.
const DROP_PREFIX: &[&str] = &[
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-Wp,-M",
    "-Werror",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fno-profile",
    "-fcoverage",
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-fno-fat-lto",
    "-fuse-linker-plugin",
    "-save-temps",
    "-ftime-trace",
    "-fplugin",
    "-fpass-plugin",
    "-fembed-bitcode",
    "-fvar-tracking",
    "-fno-var-tracking",
    "-mpreferred-stack-boundary",
    "-mindirect-branch",
    "-fallow-store-data-races",
    "-fno-allow-store-data-races",
    "-fipa",
    "-fno-ipa",
    "-fdump-",
    "-fcallgraph-info",
    "-specs=",
    "--param=",
];

/// Flags for the inner clang that take a value, also behind `-Xclang`.
const DROP_INNER: &[&str] = &["-include-pch", "-load", "-plugin", "-add-plugin"];

/// Programs that start the real compiler.
const LAUNCHERS: &[&str] = &["ccache", "sccache", "distcc", "icecc", "buildcache", "gomacc"];

/// What becomes of a compiler command.
#[derive(Debug)]
pub(crate) struct Cleaned {
    /// The flags that mean something for the IR, and behind them the source file.
    pub flags: Vec<String>,
    /// Flags that a database must not choose.
    pub refused: Vec<String>,
}

/// The flags of a compiler command that mean something for the IR, with the source file as the last word. Other files that
/// the command names are not compiled.
pub(crate) fn clean(command: &[String], file: &Path) -> Cleaned {
    let launchers = command.iter().take_while(|word| LAUNCHERS.contains(&base_name(word))).count();
    let mut words = command.iter().skip(launchers).map(String::as_str);
    let compiler = words.next().unwrap_or_default();
    let mut kept: Vec<String> = Vec::new();
    // A C++ driver takes a .c file for C++; clang has to be told.
    let named_c = file.extension().is_some_and(|extension| extension == "c");
    if named_c && base_name(compiler).contains("++") && !command.iter().any(|word| word.starts_with("-x")) {
        kept.extend(["-x", "c++"].map(str::to_owned));
    }
    while let Some(word) = words.next() {
        if word == "-Xclang" {
            match words.next() {
                Some(inner) if DROP_INNER.contains(&inner) => drop((words.next(), words.next())),
                Some(inner) => kept.extend(["-Xclang", inner].map(str::to_owned)),
                None => {}
            }
        } else if DROP_WITH_VALUE.contains(&word) {
            words.next();
        } else if !is_dropped(word) && word.starts_with(['-', '@']) {
            kept.push(word.to_owned());
            // A value is not to be taken for a flag.
            if allowed::takes_next(word) {
                kept.extend(words.next().map(str::to_owned));
            }
        }
    }
    let allowed::Allowed { mut flags, refused } = allowed::c_flags(&kept);
    flags.push(process::operand(file).to_string_lossy().into_owned());
    Cleaned { flags, refused }
}

/// The object file that a compiler command writes.
pub(crate) fn output(command: &[String]) -> Option<&str> {
    let position = command.iter().position(|word| word == "-o")?;
    command.get(position + 1).map(String::as_str)
}

/// The flags that clang says it does not know, or not for this target.
pub(crate) fn rejected(stderr: &str) -> Vec<&str> {
    let quoted = |rest: &'_ str| rest.split_once('\'').map(|(flag, _)| flag.len());
    stderr
        .lines()
        .filter_map(|line| {
            let message = line.split_once("error: ")?.1;
            let rest = ["unknown argument: '", "unknown argument '", "unsupported option '"]
                .iter()
                .find_map(|start| message.strip_prefix(start))?;
            rest.get(..quoted(rest)?)
        })
        .collect()
}

fn is_dropped(word: &str) -> bool {
    DROP.contains(&word)
        || DROP_PREFIX.iter().any(|prefix| word.starts_with(prefix))
        || word.strip_prefix("-O").is_some_and(is_level)
        || (word.starts_with("-g") && !word.starts_with("-gcc-"))
        || (word.starts_with("-o") && !word.starts_with("-objc"))
}

/// Whether `-O` before it makes an optimisation level (and not `-ObjC`).
fn is_level(rest: &str) -> bool {
    ["s", "z", "g", "fast", "max"].contains(&rest) || rest.bytes().all(|byte| byte.is_ascii_digit())
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn check(command: &str, expect: &str) {
        let words = shlex::split(command).unwrap();
        let file = words.last().unwrap().clone();
        assert_eq!(clean(&words, Path::new(&file)).flags.join(" "), expect, "{command}");
    }

    #[test]
    fn meaning_stays() {
        check(
            "cc -DX=1 -U Y -I inc -isystem s -std=c99 -include p.h a.c",
            "-DX=1 -U Y -I inc -isystem s -std=c99 -include p.h a.c",
        );
        check(
            "clang -m32 -fshort-enums -fwrapv -funsigned-char -Wall a.c",
            "-m32 -fshort-enums -fwrapv -funsigned-char -Wall a.c",
        );
        check("clang -ObjC -gcc-toolchain /x -Xclang -fcolor a.c", "-ObjC -gcc-toolchain /x -Xclang -fcolor a.c");
    }

    #[test]
    fn outputs_optimisation_and_instrumentation_go() {
        check("cc -o a.o -c a.c", "a.c");
        check("cc -oa.o -S a.c", "a.c");
        check("cc -MD -MT a.o -MF a.d -MP -MQx -Wp,-MMD,a.d a.c", "a.c");
        check("cc -O -O2 -Os -Ofast -g -g3 -ggdb -gdwarf-4 a.c", "a.c");
        check("cc -Werror -Werror=format -pedantic-errors -Wextra a.c", "-Wextra a.c");
        check("cc -fsanitize=address -fno-sanitize-recover=all --coverage -fprofile-arcs -flto=auto a.c", "a.c");
        check("cc -fPIC -fpie a.c", "a.c");
    }

    #[test]
    fn flags_of_one_compiler_go() {
        check("gcc -fconserve-stack -fno-var-tracking -mpreferred-stack-boundary=3 --param x=1 --param=y=2 a.c", "a.c");
        check("clang -Xclang -include-pch -Xclang p.pch -Xclang -load -Xclang p.so -mllvm -x a.c", "a.c");
    }

    #[test]
    fn the_compiler_goes_but_its_language_stays() {
        check("/usr/bin/x86_64-linux-gnu-g++-12 -c a.c", "-x c++ a.c");
        check("g++ -x c a.c", "-x c a.c");
        check("g++ a.cc", "a.cc");
        check("/opt/ccache distcc gcc -c a.c", "a.c");
        check("clang -Xclang -x a.c", "a.c");
    }

    #[test]
    fn what_a_database_must_not_choose_goes() {
        let words = |command: &str| shlex::split(command).unwrap();
        let got = clean(&words("cc -B. -DX @flags other.c -c a.c"), Path::new("a.c"));
        assert_eq!((got.flags.join(" "), got.refused.join(" ")), ("-DX a.c".into(), "-B. @flags".into()));
        // A name can look like a flag, or like a file with flags.
        for name in ["-fplugin=evil.c", "@evil.c"] {
            assert_eq!(clean(&words("cc -c"), Path::new(name)).flags, [format!("./{name}")]);
        }
        check("cc -I -fplugin=x a.c", "-I -fplugin=x a.c");
    }

    #[test]
    fn output_and_rejected_flags_are_found() {
        let words = |command: &str| shlex::split(command).unwrap();
        assert_eq!(output(&words("cc -c a.c -o x/a.o")), Some("x/a.o"));
        assert_eq!(output(&words("cc -c a.c -o")), None);
        let stderr = "clang: error: unknown argument: '-fa'\nclang-19: error: unknown argument '-fb'; did you mean '-fc'?\n\
                      clang: error: unsupported option '-md' for target 'x'\na.c:1:1: error: unknown type name 'e'";
        assert_eq!(rejected(stderr), ["-fa", "-fb", "-md"]);
    }
}
