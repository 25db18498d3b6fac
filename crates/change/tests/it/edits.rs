//! Random edits of real C: those that mean nothing change nothing, those that mean something change the function that
//! they are in, at the line that they are at.

use crate::registry::{c_files, source};
use crate::source::{Definition, Token, TokenKind, definitions, join, tokens};
use crate::support::{Random, checked, compile, full, module, reached, text};
use change::Kind;
use ir::debug::DebugTypeKind;
use ir::module::Module;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A C file with the flags that it needs.
struct File {
    path: PathBuf,
    flags: Vec<String>,
    tokens: Vec<Token>,
    definitions: Vec<Definition>,
    module: Module,
    /// Its IR without debug info.
    plain: String,
}

impl File {
    /// The IR text of other contents at the same place.
    fn compile(&self, contents: &str) -> Result<String, String> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(self.path.file_name().unwrap());
        std::fs::write(&path, contents).unwrap();
        compile(19, &path, &self.flags)
    }

    /// The IR text of contents without debug info and names of files: what the compiler makes of them.
    fn compile_plain(&self, contents: &str) -> String {
        let mut flags = self.flags.clone();
        flags.push("-g0".into());
        let file = File {
            flags,
            tokens: Vec::new(),
            definitions: Vec::new(),
            plain: String::new(),
            module: Module::default(),
            path: self.path.clone(),
        };
        without_name(&file.compile(contents).unwrap())
    }
}

fn without_name(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("source_filename") && !line.starts_with("; ModuleID")).collect()
}

fn files() -> Vec<File> {
    let lua = source("lua-src", "547.0.0").join("lua-5.4.7");
    let zlib = source("libz-sys", "1.1.15").join("src/zlib");
    let bzip2 = source("bzip2-sys", "0.1.11+1.0.8").join("bzip2-1.0.8");
    let lz4 = source("lz4-sys", "1.11.1+lz4-1.10.0").join("liblz4/lib");
    let flags = |dir: &Path, more: &str| vec![format!("-I{}", dir.display()), more.to_owned()];
    let bzip2_units = ["blocksort", "huffman", "compress", "decompress", "bzlib"];
    let mut all: Vec<(PathBuf, Vec<String>)> = Vec::new();
    let mut add = |paths: Vec<PathBuf>, flags: Vec<String>| all.extend(paths.into_iter().map(|p| (p, flags.clone())));
    add(c_files(&lua, |_| true), flags(&lua, "-DLUA_USE_POSIX"));
    add(c_files(&zlib, |_| true), flags(&zlib, "-DHAVE_UNISTD_H"));
    add(c_files(&bzip2, |name| bzip2_units.contains(&name)), flags(&bzip2, "-D_FILE_OFFSET_BITS=64"));
    add(c_files(&lz4, |name| name == "lz4" || name == "lz4frame"), flags(&lz4, "-DXXH_NAMESPACE=LZ4_"));
    if !full() {
        all = all.into_iter().step_by(10).collect();
    }
    let load = |(path, flags): (PathBuf, Vec<String>)| {
        let contents = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let tokens = tokens(&contents);
        let mut file = File {
            definitions: definitions(&tokens),
            tokens,
            plain: String::new(),
            module: module(&compile(19, &path, &flags).unwrap()),
            path,
            flags,
        };
        file.plain = file.compile_plain(&contents);
        file
    };
    all.into_iter().map(load).collect()
}

/// An edit that means nothing.
type Edit = fn(&File, &mut Random) -> String;

#[test]
fn edits_that_mean_nothing() {
    let edits: [(&str, Edit); 4] = [
        ("reformat", reformat),
        ("rename locals", rename_locals),
        ("reorder", reorder),
        ("add a function", add_function),
    ];
    let rounds = if full() { 3 } else { 1 };
    let (mut made, mut skipped) = (0, 0);
    for (number, file) in files().iter().enumerate() {
        for round in 0..rounds {
            for (name, edit) in edits {
                let what = format!("{name}, round {round} of {}", file.path.display());
                let contents = edit(file, &mut Random::new((number * 100 + round + 1) as u64));
                let Ok(ir) = file.compile(&contents) else {
                    skipped += 1;
                    continue;
                };
                made += 1;
                let edited = module(&ir);
                let (_, summary) = checked(&file.module, &edited);
                if name != "add a function" {
                    assert_eq!(reached(&file.module, &edited), 0, "{what}: an impact");
                }
                // Static locals are variables, whose new name is told.
                let expected = |line: &&str| {
                    *line == "never_called added" || line.starts_with("variable ") && line.ends_with(") unchanged")
                };
                let result: Vec<String> = text(&summary).lines().filter(|l| !expected(l)).map(str::to_owned).collect();
                assert!(result.is_empty(), "{what}: {result:#?}");
            }
        }
    }
    println!("{made} edits without a change; {skipped} did not compile");
    assert!(made > 3 * skipped);
}

/// White space and comments everywhere.
fn reformat(file: &File, random: &mut Random) -> String {
    let mut out = String::new();
    for token in &file.tokens {
        let spaces = [" ", "\n", "\n\n\t", " /* note */ ", " // note\n", "  "];
        match token.kind {
            TokenKind::Space if token.text.trim().is_empty() && !token.text.contains('\n') => {
                out.push_str(spaces[random.below(spaces.len())]);
            }
            TokenKind::Operator if matches!(&*token.text, ";" | "{" | "}" | ",") => {
                out.push_str(&token.text);
                out.push_str(["", "", "\n", " /* ; */ "][random.below(4)]);
            }
            _ => out.push_str(&token.text),
        }
    }
    out
}

/// Other names for locals and parameters whose name nothing else has.
fn rename_locals(file: &File, random: &mut Random) -> String {
    let module = &file.module;
    let debug = &module.debug;
    let mut taken: BTreeSet<&str> = module.symbols.ids().map(|symbol| module.symbol_name(symbol)).collect();
    for ty in debug.types.iter() {
        taken.extend(ty.name.map(|name| module.str(name)));
        match &ty.kind {
            DebugTypeKind::Record { fields, .. } => {
                taken.extend(fields.iter().filter_map(|f| f.name).map(|n| module.str(n)))
            }
            DebugTypeKind::Enum { values, .. } => taken.extend(values.iter().map(|(name, _)| module.str(*name))),
            _ => {}
        }
    }
    for directive in file.tokens.iter().filter(|token| token.kind == TokenKind::Directive) {
        taken.extend(directive.text.split(|c: char| !c.is_alphanumeric() && c != '_'));
    }
    let locals: BTreeSet<&str> = debug.variables.iter().filter_map(|v| v.name).map(|name| module.str(name)).collect();
    let renamed: BTreeSet<&str> = locals.difference(&taken).copied().filter(|_| random.below(3) > 0).collect();
    let mut tokens = file.tokens.clone();
    let mut before = String::new();
    for token in tokens.iter_mut().filter(|token| token.kind != TokenKind::Space) {
        let text = token.text.clone();
        let is_field = matches!(&*before, "." | "->" | "goto");
        if token.kind == TokenKind::Word && !is_field && renamed.contains(&*text) {
            token.text.push_str("_renamed");
        }
        before = text;
    }
    join(&tokens)
}

/// Functions at the end of the file, with their declaration where they were.
fn reorder(file: &File, random: &mut Random) -> String {
    let moved: Vec<&Definition> = file.definitions.iter().filter(|d| !d.conditional && random.below(3) == 0).collect();
    let mut out = String::new();
    let mut at = 0;
    for definition in &moved {
        out.push_str(&join(&file.tokens[at..definition.body]));
        out.push_str(";\n");
        at = definition.end;
    }
    out.push_str(&join(&file.tokens[at..]));
    for definition in moved.iter().rev() {
        out.push('\n');
        out.push_str(&join(&file.tokens[definition.start..definition.end]));
    }
    out
}

/// A function that nobody calls, in front of all others.
fn add_function(file: &File, _: &mut Random) -> String {
    let at = file.definitions.first().map_or(file.tokens.len(), |definition| definition.start);
    let added = "\nstatic int never_called(const char *s) { return s[0] ? 1 : s[1] + (int)sizeof \"unused\"; }\n";
    format!("{}{added}{}", join(&file.tokens[..at]), join(&file.tokens[at..]))
}

#[test]
fn single_tokens_change_their_function_and_line() {
    let rounds = if full() { 8 } else { 4 };
    let mut counts = [0usize; 5];
    let [mutants, same, at_line, in_statement, elsewhere] = &mut counts;
    for (number, file) in files().iter().enumerate() {
        for round in 0..rounds {
            let mut random = Random::new((number * 1000 + round + 7) as u64);
            let Some((contents, definition, token)) = mutate(file, &mut random) else { continue };
            let (Ok(ir), line) = (file.compile(&contents), token.line) else { continue };
            *mutants += 1;
            let what = format!("{}:{line} {:?}", file.path.display(), token.text);
            let (changes, summary) = checked(&file.module, &module(&ir));
            if file.compile_plain(&contents) == file.plain {
                // The compiler makes the same of it.
                *same += 1;
                assert_eq!(text(&summary), "", "{what}");
                continue;
            }
            let differing: Vec<&str> =
                changes.functions.iter().filter(|f| f.kind != Kind::Unchanged).map(|f| &*f.name).collect();
            let globals = changes.globals.iter().any(|g| g.kind != Kind::Unchanged);
            let types = !changes.types.is_empty();
            // A macro may stand where a name is expected: `API(f)(int x)`.
            let named = changes.functions.iter().any(|f| f.name == definition.name);
            // What is always inlined is part of everyone who calls it.
            let inlined = join(&file.tokens[definition.start..definition.body]).contains("FORCE_INLINE");
            assert!(
                differing == [&*definition.name]
                    || (!named && differing.len() == 1)
                    || (inlined && !differing.is_empty())
                    || ((globals || types) && differing.len() <= 1),
                "{what} in {}: {}",
                definition.name,
                text(&summary)
            );
            let Some(function) =
                summary.functions.iter().find(|f| f.name == definition.name && f.kind == Kind::Changed)
            else {
                continue;
            };
            let changed = |lines: std::ops::RangeInclusive<u32>| {
                function.hunks.iter().any(|h| h.old_lines.iter().chain(&h.new_lines).any(|l| lines.contains(l)))
            };
            if changed(line..=line) {
                *at_line += 1;
            } else if changed(statement(file, definition, line)) {
                *in_statement += 1;
            } else {
                *elsewhere += 1;
                println!("{what} in {}: changed lines are {:?}", definition.name, function.hunks);
            }
        }
    }
    println!("mutants, same code, line found, statement found, elsewhere: {counts:?}");
    let [_, _, at_line, in_statement, elsewhere] = counts;
    assert!(at_line * 100 >= (at_line + in_statement + elsewhere) * 80, "{counts:?}");
    assert!(elsewhere * 100 <= (at_line + in_statement + elsewhere) * 8, "{counts:?}");
}

/// The file with one operator or number changed, the function it is in, and the token that was there.
fn mutate<'f>(file: &'f File, random: &mut Random) -> Option<(String, &'f Definition, &'f Token)> {
    for _ in 0..200 {
        let definition =
            &file.definitions[random.below(file.definitions.len().max(1)).min(file.definitions.len().checked_sub(1)?)];
        let at = definition.body + random.below(definition.end - definition.body);
        let token = &file.tokens[at];
        let other = match &*token.text {
            "<" => "<=",
            "<=" => "<",
            ">" => ">=",
            ">=" => ">",
            "==" => "!=",
            "!=" => "==",
            "&&" => "||",
            "||" => "&&",
            "+" => "-",
            "-" => "+",
            "+=" => "-=",
            "-=" => "+=",
            "|" => "^",
            "<<" => ">>",
            ">>" => "<<",
            "++" => "--",
            "%" => "/",
            _ if token.kind == TokenKind::Number && token.text.parse::<u32>().is_ok() => "number",
            _ => continue,
        };
        let other =
            if other == "number" { (token.text.parse::<u32>().ok()? + 1).to_string() } else { other.to_owned() };
        let contents = format!("{}{other}{}", join(&file.tokens[..at]), join(&file.tokens[at + 1..]));
        return Some((contents, definition, token));
    }
    None
}

/// The lines of the statement around a line.
fn statement(file: &File, definition: &Definition, line: u32) -> std::ops::RangeInclusive<u32> {
    let ends = file.tokens[definition.body..definition.end]
        .iter()
        .filter(|token| matches!(&*token.text, ";" | "{" | "}"))
        .map(|token| token.line);
    let before = ends.clone().filter(|end| *end < line).max().unwrap_or(line);
    let behind = ends.filter(|end| *end >= line).min().unwrap_or(line);
    before..=behind
}
