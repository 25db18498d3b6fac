//! Which flags a tree may choose for the compilers of the user.
//!
//! A tree brings flags along, in `compile_commands.json` and in its settings. Whoever wrote it must not get a compiler to
//! run another program, load a library, read flags from a file or write where it likes. So flags count only if their kind is
//! known to do none of that: what is not in these lists is left out, with a note. Flags that the user gives are not looked at.

/// What becomes of the flags of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Flags that count.
    pub flags: Vec<String>,
    /// Flags that do not.
    pub refused: Vec<String>,
}

/// How the value of a flag is written.
#[derive(Clone, Copy)]
enum Value {
    /// As part of the word: `-std=c99`.
    Joined,
    /// As the next word: `-target x`.
    Next,
    /// Either way: `-Iinclude`, `-I include`.
    Either,
}

/// Flags of C compilers whose value may be anything: definitions, folders and files to read source from, targets.
const C_VALUES: &[(&str, Value)] = &[
    ("-D", Value::Either),
    ("-U", Value::Either),
    ("-I", Value::Either),
    ("-F", Value::Either),
    ("-isystem", Value::Either),
    ("-iquote", Value::Either),
    ("-idirafter", Value::Either),
    ("-include", Value::Either),
    ("-imacros", Value::Either),
    ("-isysroot", Value::Either),
    ("-iprefix", Value::Either),
    ("-iwithprefix", Value::Either),
    ("-iwithprefixbefore", Value::Either),
    ("-iframework", Value::Either),
    ("-cxx-isystem", Value::Either),
    ("--include-directory=", Value::Joined),
    ("-std=", Value::Joined),
    ("--std=", Value::Joined),
    ("-stdlib=", Value::Joined),
    ("--sysroot=", Value::Joined),
    ("--sysroot", Value::Next),
    ("--target=", Value::Joined),
    ("-target", Value::Next),
    ("-arch", Value::Next),
    ("--gcc-toolchain=", Value::Joined),
    ("-gcc-toolchain", Value::Next),
    ("-fmacro-prefix-map=", Value::Joined),
    ("-ffile-prefix-map=", Value::Joined),
    ("-fdebug-prefix-map=", Value::Joined),
    ("-fdebug-compilation-dir=", Value::Joined),
];

/// Flags of C compilers that stand alone.
const C_PLAIN: &[&str] = &[
    "-ansi",
    "-trigraphs",
    "-undef",
    "-pthread",
    "-pipe",
    "-w",
    "-pedantic",
    "-nostdinc",
    "-nostdinc++",
    "-nobuiltininc",
    "-nostdlibinc",
    "-ObjC",
    "-ObjC++",
    "-Qunused-arguments",
    "-no-canonical-prefixes",
    "-traditional-cpp",
];

/// Flags for linkers, which is not run; nobody needs to be told. The second list has a value as its next word.
const LINKER: &[&str] =
    &["-static", "-shared", "-rdynamic", "-s", "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-pie", "-no-pie"];
const LINKER_NEXT: &[&str] = &["-Xlinker", "-l", "-L", "-z", "-T", "-u"];
const LINKER_JOINED: &[&str] = &["-Wl,", "-l", "-L", "-static-lib"];

/// Languages that clang compiles by itself.
const LANGUAGES: &[&str] = &["c", "c++", "cpp-output", "c++-cpp-output"];

/// `-f` flags whose value is a word or a number and never the name of a program, library or file.
const F_VALUES: &[&str] = &[
    "abi-version",
    "align-functions",
    "align-jumps",
    "align-labels",
    "align-loops",
    "bracket-depth",
    "cf-protection",
    "clang-abi-compat",
    "constexpr-depth",
    "constexpr-steps",
    "denormal-fp-math",
    "diagnostics-color",
    "diagnostics-format",
    "error-limit",
    "exceptions",
    "excess-precision",
    "exec-charset",
    "fp-contract",
    "fp-eval-method",
    "fp-exception-behavior",
    "fp-model",
    "gnuc-version",
    "inline-limit",
    "input-charset",
    "lax-vector-conversions",
    "macro-backtrace-limit",
    "max-errors",
    "max-type-align",
    "message-length",
    "ms-compatibility-version",
    "openmp",
    "openmp-version",
    "pack-struct",
    "patchable-function-entry",
    "stack-reuse",
    "strict-flex-arrays",
    "template-backtrace-limit",
    "template-depth",
    "tls-model",
    "trivial-auto-var-init",
    "veclib",
    "visibility",
    "zero-call-used-regs",
];

/// Beginnings of `-f` flags that are never the tree's to choose, with or without a value.
const F_NEVER: &[&str] =
    &["plugin", "pass-plugin", "use-ld", "no-integrated", "module", "modules", "save-optimization"];

/// Flags behind `-Xclang` whose value, behind another `-Xclang`, is a word.
const INNER_NEXT: &[&str] = &["-target-feature", "-target-cpu"];

/// The flags of a C or C++ compiler that a tree may choose. Words that are no flags (files) are refused.
pub fn c_flags(words: &[String]) -> Allowed {
    let mut allowed = Allowed::default();
    let mut rest = words;
    while let Some((word, behind)) = rest.split_first() {
        let (count, verdict) = c_flag(word, behind);
        let (own, behind) = rest.split_at(count.min(rest.len()));
        match verdict {
            Fate::Counts => allowed.flags.extend_from_slice(own),
            Fate::Refused => allowed.refused.extend_from_slice(own),
            Fate::Needless => {}
        }
        rest = behind;
    }
    allowed
}

/// Whether the next word is the value of a flag.
pub(crate) fn takes_next(word: &str) -> bool {
    let next = |(flag, value): &(&str, Value)| *flag == word && !matches!(value, Value::Joined);
    C_VALUES.iter().any(next) || LINKER_NEXT.contains(&word) || word == "-x"
}

/// What becomes of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Counts,
    Refused,
    Needless,
}

/// How many words a flag is, at least one, and what becomes of it.
fn c_flag(word: &str, behind: &[String]) -> (usize, Fate) {
    let counts = |yes: bool| if yes { Fate::Counts } else { Fate::Refused };
    // Compilers read more flags from a file behind `@`, wherever the word stands.
    let next = behind.first().map(String::as_str).filter(|next| !next.starts_with('@'));
    if C_PLAIN.contains(&word) {
        return (1, Fate::Counts);
    }
    if LINKER.contains(&word) {
        return (1, Fate::Needless);
    }
    if LINKER_NEXT.contains(&word) {
        return (2, Fate::Needless);
    }
    match word {
        "-x" => return (2, counts(next.is_some_and(|language| LANGUAGES.contains(&language)))),
        "-Xclang" => return inner(behind),
        _ => {}
    }
    if takes_next(word) {
        return (2, counts(next.is_some()));
    }
    let joined = |(flag, value): &(&str, Value)| word.starts_with(flag) && !matches!(value, Value::Next);
    let is_known = C_VALUES.iter().any(joined)
        || word.strip_prefix("-x").is_some_and(|language| LANGUAGES.contains(&language))
        || word.strip_prefix("-Wp,").is_some_and(only_defines)
        || word.strip_prefix("-W").is_some_and(|rest| is_word(rest, "-+=_"))
        || word.strip_prefix("-m").is_some_and(|rest| !rest.starts_with("llvm") && is_word(rest, "-+=_.,"))
        || word.strip_prefix("-f").is_some_and(is_f_flag);
    if !is_known && LINKER_JOINED.iter().any(|start| word.starts_with(start)) {
        return (1, Fate::Needless);
    }
    (1, counts(is_known))
}

/// The same for what stands behind `-Xclang`.
fn inner(behind: &[String]) -> (usize, Fate) {
    match behind {
        [flag, again, value, ..] if INNER_NEXT.contains(&flag.as_str()) && again == "-Xclang" => {
            (4, if is_word(value, "-+_.") { Fate::Counts } else { Fate::Refused })
        }
        [flag, ..] if flag.strip_prefix("-f").is_some_and(is_f_flag) => (2, Fate::Counts),
        _ => (2, Fate::Refused),
    }
}

/// Whether what stands behind `-f` makes a flag of the language or of code generation.
fn is_f_flag(rest: &str) -> bool {
    let (name, value) = rest.split_once('=').map_or((rest, None), |(name, value)| (name, Some(value)));
    let plain = is_word(name, "-+_") && !F_NEVER.iter().any(|never| name.starts_with(never));
    plain && value.is_none_or(|value| F_VALUES.contains(&name) && is_word(value, "-+_.,:"))
}

/// Whether what stands behind `-Wp,` only defines macros.
fn only_defines(rest: &str) -> bool {
    rest.split(',').all(|flag| flag.starts_with("-D") || flag.starts_with("-U"))
}

/// Whether a text has letters, digits and some other characters only.
fn is_word(text: &str, others: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || others.contains(letter))
}

/// Flags of rustc with a value, of which a tree may choose each whose value begins so.
const RUSTC: &[(&str, &[&str])] = &[
    ("--cfg", &[""]),
    ("--check-cfg", &[""]),
    ("--edition", &[""]),
    ("-A", &[""]),
    ("-W", &[""]),
    (
        "-C",
        &[
            "opt-level=",
            "overflow-checks=",
            "overflow-checks",
            "debug-assertions=",
            "debug-assertions",
            "target-cpu=",
            "target-feature=",
        ],
    ),
];

/// The flags of rustc that a tree may choose.
pub fn rustc_flags(words: &[String]) -> Allowed {
    with_values(words, RUSTC, &[])
}

/// Flags of cargo with a value that a tree may choose, and those without.
const CARGO: &[(&str, &[&str])] =
    &[("--features", &[""]), ("-F", &[""]), ("--profile", &[""]), ("--package", &[""]), ("-p", &[""])];
const CARGO_PLAIN: &[&str] =
    &["--all-features", "--no-default-features", "--release", "-r", "--offline", "--locked", "--frozen"];

/// The flags of cargo that a tree may choose.
pub fn cargo_flags(words: &[String]) -> Allowed {
    with_values(words, CARGO, CARGO_PLAIN)
}

/// Flags that stand alone, or have a value: the next word, behind `=`, or for short ones joined.
fn with_values(words: &[String], known: &[(&str, &[&str])], plain: &[&str]) -> Allowed {
    let mut allowed = Allowed::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut own = vec![word.clone()];
        let fits = |values: &[&str], value: &str| {
            !value.starts_with('@') && values.iter().any(|start| value.starts_with(start))
        };
        let joined = |(flag, values): &(&str, &[&str])| {
            let value = word.strip_prefix(flag)?;
            let value = if flag.starts_with("--") { value.strip_prefix('=')? } else { value };
            (!value.is_empty()).then(|| fits(values, value))
        };
        let counts = if plain.contains(&word.as_str()) {
            true
        } else if let Some((_, values)) = known.iter().find(|(flag, _)| flag == word) {
            own.extend(words.next().cloned());
            own.get(1).is_some_and(|value| fits(values, value))
        } else {
            known.iter().find_map(joined).unwrap_or(false)
        };
        if counts { allowed.flags.extend(own) } else { allowed.refused.extend(own) }
    }
    allowed
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn check(judge: fn(&[String]) -> Allowed, flags: &str, counts: &str, refused: &str) {
        let got = judge(&shlex::split(flags).unwrap());
        assert_eq!((got.flags.join(" "), got.refused.join(" ")), (counts.into(), refused.into()), "{flags}");
    }

    #[test]
    fn what_decides_the_meaning_of_a_program_counts() {
        for flags in [
            "-DX=1 -D Y -UZ -Iinc -I inc -isystem s -iquote q -include p.h -std=gnu99 -x c++ -xc",
            "-m32 -march=x86-64-v3 -mno-sse -msse4.2 -fshort-enums -fwrapv -funsigned-char -fno-strict-aliasing",
            "-Wall -Wno-unused -Wformat=2 -fvisibility=hidden -ftemplate-depth=900 -fexceptions -pthread -nostdinc",
            "-Wp,-D_FORTIFY_SOURCE=2 -Xclang -fcolor -Xclang -target-feature -Xclang +avx --target=x86_64-linux-gnu",
            "-ffile-prefix-map=/a=/b --sysroot=/x --sysroot /x -target arm-none-eabi -fopenmp -fpack-struct=4",
        ] {
            check(c_flags, flags, flags, "");
        }
        check(c_flags, "-DA -lm -L /x -Wl,-rpath,/x -shared -DB", "-DA -DB", "");
    }

    /// Each of them makes a compiler run, load, read flags from or write what the tree names.
    #[test]
    fn what_runs_or_loads_or_writes_does_not_count() {
        for flags in [
            "-fplugin=./evil.so",
            "-fplugin=evil.so",
            "-fplugin-arg-x-y",
            "-fpass-plugin=./evil.so",
            "-Xclang -load -Xclang ./evil.so",
            "-Xclang -add-plugin -Xclang x",
            "-Xclang -fpass-plugin=./evil.so",
            "-B.",
            "-B .",
            "-wrapper ./evil",
            "--config ./evil.cfg",
            "--config=./evil.cfg",
            "--config-user-dir=.",
            "-specs=./evil",
            "--specs=./evil",
            "-ccc-install-dir .",
            "-ccc-gcc-name ./evil",
            "@flags",
            "-fuse-ld=./evil",
            "--ld-path=./evil",
            "-mllvm --load=./evil.so",
            "-mllvm=-load=./evil.so",
            "-Wp,-load,x",
            "-Wa,--x",
            "-Xpreprocessor -x",
            "-x cuda",
            "-xcuda",
            "--cuda-path=.",
            "-fopenmp-targets=nvptx64",
            "--driver-mode=cl",
            "-cc1",
            "-fmodule-output=/home/me/.profile",
            "-fmodules-cache-path=.",
            "-foptimization-record-file=x",
            "-fproc-stat-report=x",
            "-fcrash-diagnostics-dir=x",
            "-working-directory=/",
            "-resource-dir ./evil",
            "other.c",
            "-o x",
            "-I",
            "-vfsoverlay x",
            "--analyze",
            "-I @flags",
            "-D @flags",
        ] {
            check(c_flags, flags, "", flags);
        }
    }

    #[test]
    fn rust_flags() {
        check(
            rustc_flags,
            "--cfg x --cfg=y -C opt-level=3 -Coverflow-checks=on -A warnings",
            "--cfg x --cfg=y -C opt-level=3 -Coverflow-checks=on -A warnings",
            "",
        );
        for flags in [
            "-C linker=./evil",
            "-Clinker=./evil",
            "--extern x=./evil.so",
            "-L .",
            "-Zcodegen-backend=x",
            "@x",
            "--cfg @x",
            "-C link-arg=x",
            "--sysroot=.",
        ] {
            check(rustc_flags, flags, "", flags);
        }
        check(
            cargo_flags,
            "--features a --features=b -Fc --release --locked",
            "--features a --features=b -Fc --release --locked",
            "",
        );
        for flags in ["--config build.rustc=x", "--config=x", "-Zx", "--manifest-path x", "--target-dir=x", "+evil"] {
            check(cargo_flags, flags, "", flags);
        }
    }
}
