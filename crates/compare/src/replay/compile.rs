//! Compiles and links a driver: the program's part, the runtime, and what turns out to be missing.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use build::BuildError;
use build::native::{Ended, Workshop};
use ir::module::Module;

use super::loading;
use super::outside::{self, Missing};
use super::wire::Symbols;
use super::{Options, ReplayError};

/// The runtime, compiled from `runtime.c`.
pub(super) const RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime.o"));

/// Languages whose libraries a program needs.
struct Languages {
    cpp: bool,
    rust: bool,
}

/// Compiles a driver; the executable, and what it defines beside the program.
///
/// Which functions the machine's libraries bring, the linker knows best: those that it misses are defined so that they
/// answer what a case says, and so are those named in `outside`.
pub fn compile(
    workshop: &Workshop,
    original: &Module,
    program: &Module,
    symbols: &Symbols,
    outside: &BTreeSet<String>,
    options: &Options,
) -> Result<(PathBuf, Missing), ReplayError> {
    let languages = languages(original);
    let rust_std = if languages.rust { Some(rust_std(workshop)?) } else { None };
    workshop.write("runtime.o", RUNTIME)?;
    let text = ir::print::print(program);
    let compiler = Compiler { workshop, until: options.until, least: least(text.len()) };
    workshop.write("program.ll", text)?;
    let objects = [compiler.compile("program.ll")?, OsString::from("runtime.o")];
    confine_loading(workshop, &objects[0])?;
    let mut missing: BTreeSet<String> = outside.clone();
    // Code of Rust's library that a dependency has an instance of, or another version of the library: no case says what it does.
    let is_answered = |name: &str| outside.contains(name) || !is_of_rust_library(name);
    let mut defined = outside::define(original, symbols, &missing, outside, is_answered);
    let executable = workshop.dir().join("driver");
    // Two rounds are enough: the first shows what is missing, the second defines it.
    for last in [false, true] {
        let mut parts = objects.to_vec();
        if !missing.is_empty() {
            workshop.write("outside.ll", &defined.text)?;
            parts.push(compiler.compile("outside.ll")?);
        }
        let linked = compiler.link(&parts, &executable, &languages, rust_std.as_deref(), &options.libraries)?;
        if linked.code == Some(0) {
            break;
        }
        let undefined = undefined_names(&linked.problem);
        if last || !outside::declares_any(original, &undefined) {
            return Err(linked.failure("the replay driver", None).into());
        }
        missing.extend(undefined);
        defined = outside::define(original, symbols, &missing, outside, is_answered);
    }
    Ok((executable, defined))
}

/// Nothing of a program runs before its case does: neither loaders nor libraries nor the runtime call it.
fn confine_loading(workshop: &Workshop, object: &OsString) -> Result<(), ReplayError> {
    let path = workshop.dir().join(object);
    let mut bytes = std::fs::read(&path).map_err(|error| BuildError::Io { action: "read", path, error })?;
    if let Some(what) = loading::takes_part(&bytes) {
        return Err(ReplayError::Unsupported { what: format!("code that would run outside of its case: {what}") });
    }
    loading::hide(&mut bytes);
    workshop.write(&object.to_string_lossy(), bytes)?;
    Ok(())
}

fn rust_std(workshop: &Workshop) -> Result<PathBuf, BuildError> {
    workshop.rust_std().ok_or_else(|| BuildError::NoCompiler {
        what: "Rust standard library".to_owned(),
        help: "install Rust with rustup, see https://rustup.rs".to_owned(),
    })
}

/// Clang, with the time that it may take.
struct Compiler<'a> {
    workshop: &'a Workshop,
    until: Option<Instant>,
    least: Duration,
}

/// Time that clang has even if none is left: code of usual size is compiled within it on a busy machine.
fn least(bytes: usize) -> Duration {
    Duration::from_secs(5 + (bytes >> 20) as u64)
}

impl Compiler<'_> {
    fn run(&self, arguments: &[OsString]) -> Result<Ended, BuildError> {
        let left = self.until.map_or(Duration::MAX, |until| until.saturating_duration_since(Instant::now()));
        self.workshop.clang(arguments, left.max(self.least))
    }

    fn compile(&self, source: &str) -> Result<OsString, BuildError> {
        let object = Path::new(source).with_extension("o").into_os_string();
        let arguments = ["-w", "-O0", "-c", source, "-o"].map(OsString::from).into_iter().chain([object.clone()]);
        let ended = self.run(&arguments.collect::<Vec<_>>())?;
        match ended.code {
            Some(0) => Ok(object),
            _ => Err(ended.failure(source, None)),
        }
    }

    fn link(
        &self,
        objects: &[OsString],
        executable: &Path,
        languages: &Languages,
        rust_std: Option<&Path>,
        libraries: &[String],
    ) -> Result<Ended, BuildError> {
        let mut arguments: Vec<OsString> = Vec::new();
        if languages.cpp {
            arguments.push("--driver-mode=g++".into());
        }
        arguments.extend(["-w", "-Wl,--no-demangle", "-Wl,-z,noexecstack", "-o"].map(OsString::from));
        arguments.push(executable.into());
        arguments.extend(objects.iter().cloned());
        if let Some(path) = rust_std {
            let mut rpath = OsString::from("-Wl,-rpath,");
            rpath.push(path.parent().unwrap_or(Path::new("/")));
            arguments.extend([path.as_os_str().to_owned(), rpath]);
        }
        arguments.extend(libraries.iter().map(OsString::from));
        arguments.extend(["-lm", "-lpthread", "-ldl"].map(OsString::from));
        self.run(&arguments)
    }
}

/// Whether a symbol belongs to Rust's own library: it never answers what a case says unless somebody asks for it.
fn is_of_rust_library(symbol: &str) -> bool {
    let rust = symbol.starts_with("_R") || symbol.starts_with("_ZN") && has_rust_hash(symbol);
    let name = ir::demangle::demangle(symbol);
    let path = name.trim_start_matches(['<', '&', '[']);
    rust && ["core::", "alloc::", "std::"].iter().any(|library| path.starts_with(library))
}

/// Whether a mangled name ends in the hash that Rust adds.
fn has_rust_hash(name: &str) -> bool {
    let before = name.len().checked_sub(17).and_then(|end| name.get(..end));
    name.ends_with('E') && before.is_some_and(|name| name.ends_with("17h"))
}

/// Names that a linker says are missing, in the words of GNU ld, gold, lld and mold.
fn undefined_names(messages: &str) -> BTreeSet<String> {
    const WORDS: [&str; 5] = [
        "undefined reference to ",
        "undefined references to ",
        "undefined symbol: ",
        "undefined hidden symbol: ",
        "hidden symbol ",
    ];
    let name = |line: &str| {
        let rest = WORDS.iter().find_map(|word| Some(line.split_once(word)?.1))?;
        let name = rest.trim_start_matches(['`', '\'', '"', ' ']);
        let end = name.find(['\'', '"', '`']).or_else(|| name.find(char::is_whitespace)).unwrap_or(name.len());
        (end > 0).then(|| name[..end].to_owned())
    };
    messages.lines().filter_map(name).collect()
}

fn languages(module: &Module) -> Languages {
    let mut found = Languages { cpp: false, rust: false };
    for unit in module.units.iter() {
        let language = unit.language.map_or("", |id| module.str(id));
        found.rust |= language.contains("Rust");
        found.cpp |= language.contains("C_plus_plus");
    }
    // A module without debug info shows it in its symbols.
    for symbol in module.symbols.iter() {
        let name = module.str(symbol.name);
        let hashed = name.starts_with("_ZN") && has_rust_hash(name);
        found.rust |= name == "rust_eh_personality" || name.starts_with("_RN") || hashed;
        found.cpp |= name == "__gxx_personality_v0";
    }
    found.cpp |= !found.rust && module.symbols.iter().any(|symbol| module.str(symbol.name).starts_with("_Z"));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rusts_own_library_is_told_from_other_crates() {
        let check = |symbol: &str, expect| assert_eq!(is_of_rust_library(symbol), expect, "{symbol}");
        check("_ZN4core9panicking5panic17h0123456789abcdefE", true);
        check("_ZN3std2io5stdio6_print17h0123456789abcdefE", true);
        check("_ZN5hello3foo17h0123456789abcdefE", false);
        check("_ZN4core3fooEv", false);
        check("ask", false);
    }

    #[test]
    fn missing_names_are_found_in_the_words_of_every_linker() {
        let check = |line: &str, expect: &str| {
            assert_eq!(undefined_names(line).into_iter().collect::<Vec<_>>(), [expect], "{line}");
        };
        check("/usr/bin/ld: a.o: in function `f': a.c:(.text+0x5): undefined reference to `ask'", "ask");
        check("a.c:(.text+0x5): more undefined references to `_Z3askv' follow", "_Z3askv");
        check("ld.lld: error: undefined symbol: ask", "ask");
        check("ld.lld: error: undefined hidden symbol: ask", "ask");
        check("/usr/bin/ld: driver: hidden symbol `ask' isn't defined", "ask");
        assert!(undefined_names("clang: error: linker command failed with exit code 1").is_empty());
    }
}
