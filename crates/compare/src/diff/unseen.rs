//! Changed lines of which nothing is compiled: generic functions without an instance, templates, macros, constants.
//!
//! Verdicts are about compiled functions. Whatever these make of a changed macro or constant is part of them; what other
//! programs make of it is not, and a generic function that nobody uses here has no verdict at all. So that nobody takes
//! silence for a proof, such lines are named.

use super::findings::{Evidence, Findings, line_of};
use super::part::Source;
use change::lines::extent;
use evidence::{Gap, Open};
use imara_diff::{Algorithm, Diff, Token};
use ir::demangle::function_display_name;
use ir::module::Module;
use report::diff::Function;
use report::model::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Most places that are named.
const SHOWN: usize = 6;

/// Most source files of a package that are looked for, and how deep.
const MOST_FILES: usize = 4096;
const DEEP: usize = 8;

/// What is to be said of changed lines that belong to no compiled function.
#[derive(Default)]
pub struct Unseen {
    /// Functions that this build does not have, in which something changed.
    pub functions: Vec<Function>,
    /// The other lines.
    pub note: Option<String>,
}

/// Looks for changed lines that belong to no compiled function. `files` chooses some by the end of their path.
pub fn unseen(
    (old, old_source): (&Module, &Source),
    (new, new_source): (&Module, &Source),
    files: &[String],
) -> Unseen {
    let (mut before, after) = (Files::of(old, old_source), Files::of(new, new_source));
    pair_the_rest(&mut before, &after);
    let is_wanted = |name: &str| files.is_empty() || files.iter().any(|end| Path::new(name).ends_with(end));
    let mut places: Vec<String> = Vec::new();
    let mut found = Unseen::default();
    for (name, path) in &after.paths {
        let Some(old_path) = before.paths.get(name).filter(|old_path| *old_path != path) else { continue };
        if !is_wanted(name) {
            continue;
        }
        let (Some(old_lines), Some(new_lines)) = (old_source.lines(old_path), new_source.lines(path)) else { continue };
        if old_lines == new_lines {
            continue;
        }
        let of_rust = name.ends_with(".rs");
        let [old_code, new_code] = [code(&old_lines, of_rust), code(&new_lines, of_rust)];
        let (gone, added) = differing(&old_code, &new_code);
        let outside = |lines: Vec<u32>, files: &Files, path: &String| -> Vec<u32> {
            let ranges = files.compiled.get(path).map_or(&[][..], Vec::as_slice);
            let within = |line: &u32| ranges.iter().any(|&(first, last)| (first..=last).contains(line));
            lines.into_iter().filter(|line| !within(line)).collect()
        };
        let (of_old, of_new) = (outside(gone, &before, old_path), outside(added, &after, path));
        let shown = new_source.short(path);
        let mut in_functions: BTreeMap<String, Place> = BTreeMap::new();
        let mut split = |lines: Vec<u32>, texts: &[String], file: &str| -> Vec<u32> {
            let owners = functions(texts, of_rust);
            let is_loose = |line: &u32| {
                let owner = owners.get(*line as usize - 1).and_then(Option::as_ref);
                let owner = owner.filter(|name| !before.names.contains(*name) && !after.names.contains(*name));
                let place = Place { file: file.to_owned(), line: *line, column: 0 };
                owner.map(|name| in_functions.entry(name.clone()).or_insert(place)).is_none()
            };
            lines.into_iter().filter(is_loose).collect()
        };
        let loose_new = split(of_new, &new_lines, &shown);
        let loose_old = split(of_old, &old_lines, &old_source.short(old_path));
        let removed = if loose_new.is_empty() { &loose_old[..] } else { &[] };
        places.extend(ranges(&loose_new).into_iter().map(|range| format!("{shown}:{range}")));
        places.extend(ranges(removed).into_iter().map(|range| format!("{shown} (old line {range})")));
        found.functions.extend(in_functions.into_iter().map(|(name, place)| not_built(name, place)));
    }
    if places.is_empty() {
        return found;
    }
    let more = places.len().saturating_sub(SHOWN);
    places.truncate(SHOWN);
    if more > 0 {
        places.push(format!("{more} more"));
    }
    found.note = Some(format!(
        "changed lines outside of functions: {}; compared is what the functions of this build make of them, and nothing is said \
         of what others make of them",
        places.join(", ")
    ));
    found
}

/// The row of a function that this build does not have.
fn not_built(name: String, place: Place) -> Function {
    let open = Open { gap: Gap::NoCode, place: Some(line_of(place.clone())), count: 1 };
    let findings = Findings { evidence: vec![Evidence::Gap(open)], ..Findings::default() };
    findings.row(Function { name, place: Some(place), changed: true, ..Function::default() })
}

/// For each line the function whose body it is part of, as far as braces tell.
fn functions(lines: &[String], of_rust: bool) -> Vec<Option<String>> {
    let mut owners = Vec::with_capacity(lines.len());
    let mut open: Vec<Option<String>> = Vec::new();
    let (mut header, mut comment, mut directive) = (String::new(), 0, false);
    for line in lines {
        let text = without_comments(line, &mut comment, of_rust);
        let owner = |open: &[Option<String>]| open.iter().flatten().next().cloned();
        let mut found = owner(&open);
        // What the preprocessor is told is no code by itself.
        let is_directive = directive || !of_rust && text.trim_start().starts_with('#');
        directive = is_directive && text.ends_with('\\');
        if is_directive {
            owners.push(found);
            continue;
        }
        let mut quoted = false;
        let mut before = ' ';
        for c in text.chars() {
            let literal = quoted || before == '\'';
            match c {
                '"' if before != '\\' && before != '\'' => quoted = !quoted,
                '{' if !literal => {
                    open.push(function_name(&header, of_rust));
                    found = found.or_else(|| owner(&open));
                    header.clear();
                }
                '}' if !literal => {
                    open.pop();
                    header.clear();
                }
                ';' if !literal => header.clear(),
                _ => header.push(c),
            }
            before = c;
        }
        header.push(' ');
        owners.push(found);
    }
    owners
}

/// The name of the function that a text before a brace begins, if it does.
fn function_name(header: &str, of_rust: bool) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if of_rust {
        let at = header.find("fn ").filter(|&at| !header[..at].ends_with(is_word))?;
        let name: String = header[at + 3..].trim_start().chars().take_while(|&c| is_word(c)).collect();
        return (!name.is_empty()).then_some(name);
    }
    // `(*const table[2])(int) = {` and `struct __attribute__((packed)) head {` are no functions.
    let header = without_attributes(header);
    let (before, rest) = header.split_once('(')?;
    if rest.trim_end().ends_with('=') {
        return None;
    }
    // `int (*find(int x))(int) {`
    let (before, _) =
        rest.trim_start().strip_prefix('*').and_then(|rest| rest.split_once('(')).unwrap_or((before, rest));
    let name: String = before.trim_end().chars().rev().take_while(|&c| is_word(c)).collect();
    let name: String = name.chars().rev().collect();
    const OTHERS: [&str; 9] = ["if", "for", "while", "switch", "catch", "return", "sizeof", "defined", "decltype"];
    let is_function = !name.is_empty() && !OTHERS.contains(&name.as_str()) && !before.contains('=');
    is_function.then_some(name)
}

/// What stands before a brace without `__attribute__((…))`.
fn without_attributes(header: &str) -> String {
    let mut rest = header.to_owned();
    while let Some(at) = rest.find("__attribute__") {
        let mut depth = 0;
        let end = rest[at..].char_indices().find_map(|(index, c)| {
            depth += match c {
                '(' => 1,
                ')' => -1,
                _ => 0,
            };
            (c == ')' && depth == 0).then_some(at + index + 1)
        });
        rest.replace_range(at..end.unwrap_or(rest.len()), " ");
    }
    rest
}

/// The source files of a version that are the user's own.
struct Files {
    /// By the name that both versions may share: where they are.
    paths: BTreeMap<String, String>,
    /// Lines of compiled functions, by path.
    compiled: FxHashMap<String, Vec<(u32, u32)>>,
    /// Names of compiled functions, without what they are part of.
    names: FxHashSet<String>,
}

impl Files {
    fn of(module: &Module, source: &Source) -> Files {
        let debug = &module.debug;
        let mut paths = BTreeMap::new();
        let mut packages = BTreeSet::new();
        for id in debug.files.ids() {
            let path = debug.file_path(&module.strings, id);
            if !Path::new(&path).is_file() || source.inside(&path).is_none() {
                continue;
            }
            packages.extend(package_sources(Path::new(&path)));
            paths.insert(source.inside(&path).unwrap_or_default(), path);
        }
        // Whole files of a package may hold nothing but generic code.
        for folder in packages {
            let mut found = Vec::new();
            rust_files(&folder, DEEP, &mut found);
            for path in found.into_iter().map(|path| path.display().to_string()) {
                let name = source.inside(&path).unwrap_or_default();
                paths.entry(name).or_insert(path);
            }
        }
        let mut compiled: FxHashMap<String, Vec<(u32, u32)>> = FxHashMap::default();
        for (path, first, last) in module.functions.ids().filter_map(|id| extent(module, id)) {
            compiled.entry(path).or_default().push((first, last));
        }
        let names = module.functions.ids().filter(|&id| module.functions[id].is_defined());
        let names = names.map(|id| last_name(&function_display_name(module, id))).collect();
        Files { paths, compiled, names }
    }
}

/// A function's name without namespaces, types and parameters.
fn last_name(name: &str) -> String {
    let name = name.split(['(', '<']).find(|part| !part.is_empty()).unwrap_or(name);
    name.rsplit("::").find(|part| !part.is_empty()).unwrap_or(name).to_owned()
}

/// Files that only one version has: those of one name in two folders are two versions of one file, and so are the last two.
fn pair_the_rest(old: &mut Files, new: &Files) {
    let alone = |one: &Files, other: &Files| -> Vec<String> {
        one.paths.keys().filter(|name| !other.paths.contains_key(*name)).cloned().collect()
    };
    let (before, after) = (alone(old, new), alone(new, old));
    for name in &after {
        let is_version = |other: &&String| match (&before[..], &after[..]) {
            ([_], [_]) => Path::new(*other).extension() == Path::new(name).extension(),
            _ => Path::new(*other).file_name() == Path::new(name).file_name(),
        };
        let mut versions = before.iter().filter(is_version);
        if let (Some(version), None) = (versions.next(), versions.next())
            && let Some(path) = old.paths.remove(version)
        {
            old.paths.insert(name.clone(), path);
        }
    }
}

/// The folder with the sources of the package that a Rust file belongs to.
fn package_sources(file: &Path) -> Option<PathBuf> {
    if file.extension()? != "rs" {
        return None;
    }
    let folder = file.ancestors().skip(1).find(|folder| folder.ends_with("src"))?;
    folder.parent()?.join("Cargo.toml").is_file().then(|| folder.to_owned())
}

fn rust_files(folder: &Path, deep: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if found.len() >= MOST_FILES {
            return;
        }
        if path.is_dir() && deep > 0 {
            rust_files(&path, deep - 1, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && path.is_file() {
            found.push(path);
        }
    }
}

/// Lines that say something, with their numbers, without comments and the space around them: no tests of Rust, nothing that only
/// says where declarations are to be found.
fn code(lines: &[String], of_rust: bool) -> Vec<(u32, String)> {
    let mut code = Vec::new();
    let mut comment = 0usize;
    // Braces that are open within a test, once it has begun.
    let mut test: Option<(bool, i64)> = None;
    for (number, line) in (1u32..).zip(lines) {
        let text = without_comments(line, &mut comment, of_rust);
        let text = text.trim();
        if of_rust && test.is_none() && (text.starts_with("#[cfg(test)]") || text.starts_with("#[test]")) {
            test = Some((false, 0));
        }
        if let Some((begun, open)) = &mut test {
            *open += braces(text);
            *begun |= text.contains('{') || text.ends_with(';');
            if *begun && *open <= 0 {
                test = None;
            }
            continue;
        }
        if text.chars().any(|c| c.is_alphanumeric()) && !names_others(text) {
            code.push((number, text.to_owned()));
        }
    }
    code
}

fn braces(text: &str) -> i64 {
    text.chars().map(|c| i64::from(c == '{') - i64::from(c == '}')).sum()
}

/// Whether a line only brings what is declared elsewhere, or is for the compiler.
fn names_others(text: &str) -> bool {
    const WORDS: [&str; 9] =
        ["#include", "#pragma", "#[", "#![", "use ", "pub use ", "mod ", "pub mod ", "extern crate "];
    WORDS.iter().any(|word| text.starts_with(word))
}

/// A line without its comments; `comment` is how deep in comments the line begins and ends. Comments of Rust nest.
fn without_comments(line: &str, comment: &mut usize, nests: bool) -> String {
    let mut text = String::with_capacity(line.len());
    let mut quoted = false;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied();
        match (c, next) {
            ('*', Some('/')) if *comment > 0 => {
                rest.next();
                *comment -= 1;
            }
            ('/', Some('*')) if !quoted && (*comment == 0 || nests) => {
                rest.next();
                *comment += 1;
            }
            _ if *comment > 0 => {}
            ('/', Some('/')) if !quoted => break,
            ('\\', Some(escaped)) if quoted => {
                rest.next();
                text.extend([c, escaped]);
            }
            _ => {
                // A quote as a character is no beginning of a text.
                quoted ^= c == '"' && !text.ends_with('\'');
                text.push(c);
            }
        }
    }
    text
}

/// Numbers of the lines that only one version has.
fn differing(old: &[(u32, String)], new: &[(u32, String)]) -> (Vec<u32>, Vec<u32>) {
    let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
    let tokens = [old, new].map(|lines| {
        let mut number = |text| {
            let next = numbers.len() as u32;
            Token(*numbers.entry(text).or_insert(next))
        };
        lines.iter().map(|(_, text)| number(text.as_str())).collect::<Vec<Token>>()
    });
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Histogram, &tokens[0], &tokens[1], numbers.len() as u32);
    let removed = (0u32..).zip(old).filter(|(at, _)| diff.is_removed(*at)).map(|(_, (line, _))| *line);
    let added = (0u32..).zip(new).filter(|(at, _)| diff.is_added(*at)).map(|(_, (line, _))| *line);
    (removed.collect(), added.collect())
}

/// Ascending numbers as ranges: `3-5`, `9`.
fn ranges(lines: &[u32]) -> Vec<String> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if line <= *last + 2 => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let text = |(first, last): (u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.into_iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_no_comments_and_no_tests() {
        let check = |text: &str, of_rust: bool, expect: &[&str]| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let code: Vec<String> = code(&lines, of_rust).into_iter().map(|(_, text)| text).collect();
            assert_eq!(code, expect, "{text}");
        };
        check("int a; // b\n/* c\n d */ int e;\n}\n", false, &["int a;", "int e;"]);
        check("/* a /* b */ int c;\n", false, &["int c;"]);
        check("/* a /* b */ c */ static D: u8 = 0;\n", true, &["static D: u8 = 0;"]);
        check("char *a = \"// no /* comment\";\n", false, &["char *a = \"// no /* comment\";"]);
        check("char a = '\"'; // b\n", false, &["char a = '\"';"]);
        check(
            "use a::b;\n#[cfg(test)]\nmod tests {\n fn a() {\n }\n}\nconst A: u8 = 1;\n",
            true,
            &["const A: u8 = 1;"],
        );
        check("#[cfg(test)]\nmod tests;\nconst A: u8 = 1;\n", true, &["const A: u8 = 1;"]);
    }

    #[test]
    fn braces_tell_functions() {
        let check = |text: &str, of_rust: bool, expect: &[Option<&str>]| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let found = functions(&lines, of_rust);
            assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), expect, "{text}");
        };
        check(
            "int a;\nint f(int x)\n{\n if (x) {\n x++;\n }\n}\nint b;\n",
            false,
            &[None, None, Some("f"), Some("f"), Some("f"), Some("f"), Some("f"), None],
        );
        check("struct s { int a;\n};\nint t[] = {\n1, 2 };\n", false, &[None; 4]);
        check("static int (*const t[2])(int, int) = {\n f, g };\n", false, &[None; 2]);
        check("struct __attribute__((packed)) h {\n int a; };\n", false, &[None; 2]);
        check("int (*find(int x))(int) {\n}\n", false, &[Some("find"); 2]);
        check("__attribute__((noinline)) int f(int x) {\n}\n", false, &[Some("f"); 2]);
        check("#define F(x) do { \\\n } while (0)\nint a;\n", false, &[None; 3]);
        check(
            "impl<T> S<T> {\n pub fn g(&self) -> u8 { '{' as u8 }\n const A: u8 = 1;\n}\n",
            true,
            &[None, Some("g"), None, None],
        );
        assert_eq!(last_name("<a::B as c::D>::decode"), "decode");
        assert_eq!(last_name("a::decode<u8>"), "decode");
        assert_eq!(last_name("ns::f(int)"), "f");
    }

    #[test]
    fn lines_in_a_row_are_a_range() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 12]), ["1-3", "7-9", "12"]);
    }
}
