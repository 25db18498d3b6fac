//! Changed lines of which nothing is compiled: generic functions without an instance, templates, macros, constants.
//!
//! Verdicts are about compiled functions. Whatever these make of a changed macro or constant is part of them; what other
//! programs make of it is not, and a generic function that nobody uses here has no verdict at all. So that nobody takes
//! silence for a proof, such lines are named.

use super::findings::{Evidence, Findings, line_of};
use super::includes;
use super::left_out::statements;
use super::part::Source;
use change::Changes;
use change::lines::extent;
use evidence::{Gap, Open};
use imara_diff::{Algorithm, Diff, Token};
use ir::demangle::function_display_name;
use ir::id::FuncId;
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

/// What is to be said of changed lines of which nothing is compiled.
#[derive(Default)]
pub struct Unseen {
    /// Functions that this build does not have, in which something changed.
    pub functions: Vec<Function>,
    /// The other lines.
    pub notes: Vec<String>,
}

/// A version with what is known of its sources.
#[derive(Clone, Copy)]
pub struct Version<'a> {
    /// Its code.
    pub module: &'a Module,
    /// Its files.
    pub source: &'a Source,
    /// The files that the compilers were given.
    pub units: &'a [PathBuf],
}

/// Looks for changed lines of which nothing is compiled. `files` chooses some by the end of their path; `for_debugging` says whether
/// Rust code is built with debug assertions.
pub fn unseen([old, new]: [Version; 2], changes: &Changes, files: &[String], for_debugging: bool) -> Unseen {
    let of_both = |of: &dyn Fn(&change::FunctionChange) -> Option<FuncId>| -> FxHashSet<FuncId> {
        let digests = (&changes.old_hashes, &changes.new_hashes);
        let is_same = |change: &&change::FunctionChange| {
            let symbols = change
                .old
                .zip(change.new)
                .map(|(a, b)| (old.module.functions[a].symbol, new.module.functions[b].symbol));
            symbols.is_some_and(|(a, b)| digests.0.full(a) == digests.1.full(b))
        };
        changes.functions.iter().filter(is_same).filter_map(of).collect()
    };
    let mut before = Files::of(old, &of_both(&|change| change.old));
    let after = Files::of(new, &of_both(&|change| change.new));
    pair_the_rest(&mut before, &after);
    let is_wanted = |name: &str| files.is_empty() || files.iter().any(|end| Path::new(name).ends_with(end));
    let (mut places, mut left_out, mut debugging) = (Vec::new(), Vec::new(), Vec::new());
    let mut found = Unseen::default();
    for (name, path) in &after.paths {
        let Some(old_path) = before.paths.get(name).filter(|old_path| *old_path != path) else { continue };
        if !is_wanted(name) {
            continue;
        }
        let (Some(old_lines), Some(new_lines)) = (old.source.lines(old_path), new.source.lines(path)) else { continue };
        if old_lines == new_lines {
            continue;
        }
        let of_rust = name.ends_with(".rs");
        let [old_code, new_code] = [code(&old_lines, of_rust), code(&new_lines, of_rust)];
        let (gone, added) = differing(&old_code, &new_code);
        let sides = [
            Side {
                files: &before,
                path: real(Path::new(old_path)),
                lines: &old_lines,
                shown: old.source.short(old_path),
                of_rust,
            },
            Side {
                files: &after,
                path: real(Path::new(path)),
                lines: &new_lines,
                shown: new.source.short(path),
                of_rust,
            },
        ];
        let mut in_functions: BTreeMap<String, Place> = BTreeMap::new();
        let [mut name_places, mut name_left_out, mut name_debugging] = [&mut places, &mut left_out, &mut debugging]
            .map(|places: &mut Vec<String>| {
                let shown = sides.each_ref().map(|side| side.shown.clone());
                move |[of_old, of_new]: [Vec<u32>; 2]| {
                    // What changed is shown where it is now.
                    let removed = if of_new.is_empty() { &of_old[..] } else { &[] };
                    places.extend(ranges(&of_new).into_iter().map(|range| format!("{}:{range}", shown[1])));
                    places.extend(ranges(removed).into_iter().map(|range| format!("{} (old line {range})", shown[0])));
                }
            });
        let [of_new, of_old] =
            [(&sides[1], &added), (&sides[0], &gone)].map(|(side, lines)| side.loose(lines, &mut in_functions));
        name_places([of_old, of_new]);
        name_left_out([sides[0].left_out(&gone), sides[1].left_out(&added)]);
        if of_rust && for_debugging {
            let of_debugging = |lines: &[String], numbers: Vec<u32>| -> Vec<u32> {
                let is_one = |number: &u32| lines.get(*number as usize - 1).is_some_and(|line| is_for_debugging(line));
                numbers.into_iter().filter(is_one).collect()
            };
            let (gone, added) = differing(&numbered(&old_lines), &numbered(&new_lines));
            let (gone, added) = (of_debugging(&old_lines, gone), of_debugging(&new_lines, added));
            name_debugging([gone, added]);
        }
        found.functions.extend(in_functions.into_iter().map(|(name, place)| not_built(name, place)));
    }
    let said = [
        (
            places,
            "changed lines outside of functions",
            "compared is what the functions of this build make of them, and nothing is said of what others make of them",
        ),
        (
            left_out,
            "changed lines inside of functions of which this build has no code",
            "nothing is said of builds that have",
        ),
        (debugging, "changed lines that speak of debug assertions", "they are not compared for optimised builds"),
    ];
    found.notes.extend(said.into_iter().filter_map(|(places, what, but)| note(places, what, but)));
    found
}

/// What is said of some places.
fn note(mut places: Vec<String>, what: &str, but: &str) -> Option<String> {
    let more = places.len().saturating_sub(SHOWN);
    places.truncate(SHOWN);
    if more > 0 {
        places.push(format!("{more} more"));
    }
    (!places.is_empty()).then(|| format!("{what}: {}; {but}", places.join(", ")))
}

/// Whether a line asks for, or is a matter of, debug assertions of Rust.
fn is_for_debugging(line: &str) -> bool {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.into_iter().any(|word| word == "debug_assertions" || word.starts_with("debug_assert"))
}

/// Lines with their numbers, without the space around them.
fn numbered(lines: &[String]) -> Vec<(u32, String)> {
    (1u32..).zip(lines).map(|(number, line)| (number, line.trim().to_owned())).collect()
}

/// A file of one version that the other one has, too.
struct Side<'a> {
    files: &'a Files,
    path: PathBuf,
    lines: &'a [String],
    shown: String,
    of_rust: bool,
}

impl Side<'_> {
    fn compiled(&self) -> &[Compiled] {
        self.files.compiled.get(&self.path).map_or(&[][..], Vec::as_slice)
    }

    /// Lines of no function; of functions that are not compiled, the first one becomes the place of the function.
    fn loose(&self, lines: &[u32], in_functions: &mut BTreeMap<String, Place>) -> Vec<u32> {
        let compiled = self.compiled();
        let is_compiled = |line: &u32| compiled.iter().any(|one| (one.first..=one.last).contains(line));
        let owners = functions(self.lines, self.of_rust);
        // Where the compiler was told other numbers of lines, places say nothing.
        let is_renumbered = !self.of_rust && self.lines.iter().any(|line| renumbers(line));
        let is_loose = |line: &u32| {
            let at = *line as usize - 1;
            let Some(owner) = owners.get(at).and_then(Option::as_ref) else { return true };
            let end = at + owners[at..].iter().take_while(|other| other.as_ref() == Some(owner)).count();
            let has_code = match is_renumbered {
                true => self.files.names.contains(&owner.name),
                false => {
                    let within = owner.first..=end as u32;
                    compiled.iter().any(|one| one.name == owner.name && within.contains(&one.first))
                }
            };
            if !has_code {
                let place = Place { file: self.shown.clone(), line: *line, column: 0 };
                in_functions.entry(owner.full.clone()).or_insert(place);
            }
            has_code
        };
        lines.iter().copied().filter(|line| !is_compiled(line)).filter(is_loose).collect()
    }

    /// Lines of statements that have no code, in functions whose code is the same in both versions.
    fn left_out(&self, lines: &[u32]) -> Vec<u32> {
        let around = |line: u32| self.compiled().iter().filter(move |one| (one.first..=one.last).contains(&line));
        let lines: Vec<u32> = lines
            .iter()
            .copied()
            .filter(|&line| around(line).next().is_some() && around(line).all(|one| one.same))
            .collect();
        if lines.is_empty() {
            return lines;
        }
        let with_code = self.files.with_code.get(&self.path);
        let has_code = |line: u32| with_code.is_some_and(|lines| lines.contains(&line));
        let statements = statements(self.lines, self.of_rust);
        let is_left_out = |line: &u32| {
            let begin = around(*line).map(|one| one.first).max().unwrap_or(0);
            let mut of_line = statements.iter().filter(|one| (one.first..=one.last).contains(line)).peekable();
            of_line.peek().is_some()
                && of_line.all(|one| one.is_left_out(begin) && !(one.first..=one.last).any(has_code))
        };
        lines.into_iter().filter(is_left_out).collect()
    }
}

/// Whether a line tells the compiler the number of the next one.
fn renumbers(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('#') else { return false };
    let rest = rest.trim_start();
    rest.starts_with("line") || rest.starts_with(|c: char| c.is_ascii_digit())
}

/// The row of a function that this build does not have.
fn not_built(name: String, place: Place) -> Function {
    let open = Open {
        gap: Gap::NoCode { why: why_no_code(&place.file).to_owned() },
        place: Some(line_of(place.clone())),
        count: 1,
    };
    let findings = Findings { evidence: vec![Evidence::Gap(open)], ..Findings::default() };
    findings.row(Function { name, place: Some(place), changed: true, ..Function::default() })
}

/// Why a build may have no code of a function. Functions that nothing uses are compiled, except where code is only made for types.
fn why_no_code(file: &str) -> &'static str {
    match Path::new(file).extension().and_then(|extension| extension.to_str()) {
        Some("rs") => "it is generic and nothing here uses it, or a condition leaves it out",
        Some("c") => "a condition leaves it out",
        _ => "it is a template and nothing here uses it, or a condition leaves it out",
    }
}

/// A function of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Owner {
    /// Its name.
    name: String,
    /// The same with the type or namespace that it is part of.
    full: String,
    /// The line in which it begins.
    first: u32,
}

/// For each line the function whose body it is part of, as far as braces tell.
fn functions(lines: &[String], of_rust: bool) -> Vec<Option<Owner>> {
    let mut owners = Vec::with_capacity(lines.len());
    // What each open brace belongs to: a function, or a type or namespace.
    let mut open: Vec<(Option<Owner>, Option<String>)> = Vec::new();
    let (mut header, mut first, mut comment, mut directive) = (String::new(), 0, 0, false);
    for (number, line) in (1u32..).zip(lines) {
        let text = without_comments(line, &mut comment, of_rust);
        let owner = |open: &[(Option<Owner>, Option<String>)]| open.iter().find_map(|(owner, _)| owner.clone());
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
                    let scopes = open.iter().filter_map(|(_, scope)| scope.as_deref());
                    let owner_here = function_name(&header, of_rust).map(|name| {
                        let mut full: Vec<&str> = scopes.collect();
                        full.extend(qualifier(&header, &name, of_rust));
                        full.push(&name);
                        let full = full.join("::");
                        Owner { name, full, first: if header.trim().is_empty() { number } else { first } }
                    });
                    let scope = if owner_here.is_some() { None } else { scope_name(&header, of_rust) };
                    open.push((owner_here, scope));
                    found = found.or_else(|| owner(&open));
                    header.clear();
                }
                '}' if !literal => {
                    open.pop();
                    header.clear();
                }
                ';' if !literal => header.clear(),
                _ => {
                    if header.trim().is_empty() && !c.is_whitespace() {
                        first = number;
                    }
                    header.push(c);
                }
            }
            before = c;
        }
        header.push(' ');
        owners.push(found);
    }
    owners
}

/// The type or namespace that a text before a brace begins, if it does.
fn scope_name(header: &str, of_rust: bool) -> Option<String> {
    let text = without_angles(header);
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    if of_rust {
        let mut words: Vec<&str> = words.collect();
        let at = words.iter().position(|word| matches!(*word, "impl" | "trait"))?;
        words.drain(..=at);
        let end = words.iter().position(|word| *word == "where").unwrap_or(words.len());
        let of_type = words[..end].iter().position(|word| *word == "for").map_or(0, |at| at + 1);
        // Of a path the last name is the type's.
        let is_type = |word: &&&str| !matches!(**word, "dyn" | "mut" | "const");
        let mut names = words[of_type..end].iter().filter(is_type);
        return names.next_back().map(|name| (*name).to_owned());
    }
    words.find(|word| matches!(*word, "struct" | "class" | "union" | "namespace"))?;
    words.find(|word| *word != "final" && !word.starts_with("__")).map(str::to_owned)
}

/// The class before the name of a function of C++, as `int A<T>::get()` has it.
fn qualifier<'h>(header: &'h str, name: &str, of_rust: bool) -> Option<&'h str> {
    if of_rust {
        return None;
    }
    let before = header[..header.find(&format!("::{name}"))?].trim_end();
    let before = match before.strip_suffix('>') {
        Some(rest) => &rest[..rest.rfind('<')?],
        None => before,
    };
    let begin = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    Some(&before[begin..]).filter(|class| !class.is_empty())
}

/// A text without what stands in angle brackets.
fn without_angles(text: &str) -> String {
    let mut deep = 0usize;
    let mut before = ' ';
    let mut found = String::new();
    for c in text.chars() {
        match c {
            '<' => deep += 1,
            '>' if before != '-' => {
                deep = deep.saturating_sub(1);
                found.push(' ');
            }
            _ if deep == 0 => found.push(c),
            _ => {}
        }
        before = c;
    }
    found
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

/// A compiled function of a file.
struct Compiled {
    first: u32,
    last: u32,
    /// Its name, without what it is part of.
    name: String,
    /// Whether both versions have the same code of it and of all that it uses.
    same: bool,
}

/// The source files of a version that are the user's own.
struct Files {
    /// By the name that both versions may share: where they are.
    paths: BTreeMap<String, String>,
    /// Compiled functions, by path without links.
    compiled: FxHashMap<PathBuf, Vec<Compiled>>,
    /// Names of compiled functions, without what they are part of.
    names: FxHashSet<String>,
    /// Lines of which there is code, by path without links.
    with_code: FxHashMap<PathBuf, FxHashSet<u32>>,
}

impl Files {
    fn of(Version { module, source, units }: Version, same: &FxHashSet<FuncId>) -> Files {
        let debug = &module.debug;
        let mut paths = BTreeMap::new();
        let mut packages = BTreeSet::new();
        // The only file that was named is the user's, wherever it is, with what is beside it.
        let home = match units {
            [unit] => unit.parent(),
            _ => None,
        };
        let inside = |path: &Path| {
            let from_home = || Some(path.strip_prefix(home?).ok()?.to_str()?.to_owned());
            source.inside(path.to_str()?).or_else(from_home)
        };
        let is_own = |path: &Path| inside(path).is_some();
        let known = debug.files.ids().map(|id| PathBuf::from(debug.file_path(&module.strings, id)));
        let known: Vec<PathBuf> = known.filter(|path| is_own(path)).collect();
        let named = units.iter().filter(|unit| is_source(unit) && is_own(unit)).chain(&known).cloned();
        // One file may have several paths, of which those of debug info come first.
        let others = includes::closure(named.collect(), source, &is_own);
        let mut seen = BTreeSet::new();
        for path in known.into_iter().chain(others) {
            if !path.is_file() || !seen.insert(real(&path)) {
                continue;
            }
            packages.extend(package_sources(&path));
            if let (Some(name), Some(text)) = (inside(&path), path.to_str()) {
                paths.entry(name).or_insert_with(|| text.to_owned());
            }
        }
        // Whole files of a package may hold nothing but generic code.
        for folder in packages {
            let mut found = Vec::new();
            rust_files(&folder, DEEP, &mut found);
            for path in found.into_iter().filter(|path| seen.insert(real(path))) {
                let path = path.display().to_string();
                let name = source.inside(&path).unwrap_or_default();
                paths.entry(name).or_insert(path);
            }
        }
        let mut spelled: FxHashMap<String, PathBuf> = FxHashMap::default();
        let mut real_path = |path: String| spelled.entry(path).or_insert_with_key(|path| real(Path::new(path))).clone();
        let mut files = Files {
            paths,
            compiled: FxHashMap::default(),
            names: FxHashSet::default(),
            with_code: FxHashMap::default(),
        };
        for id in module.functions.ids().filter(|&id| module.functions[id].is_defined()) {
            let name = last_name(&function_display_name(module, id));
            files.names.insert(name.clone());
            let Some((path, first, last)) = extent(module, id) else { continue };
            let path = real_path(path);
            files.with_code.entry(path.clone()).or_default().insert(first);
            files.compiled.entry(path).or_default().push(Compiled { first, last, name, same: same.contains(&id) });
        }
        let places =
            debug.locations.iter().filter_map(|location| Some((debug.file_of(location.scope?)?, location.line)));
        for (file, line) in places.collect::<BTreeSet<_>>() {
            let path = real_path(debug.file_path(&module.strings, file));
            files.with_code.entry(path).or_default().insert(line);
        }
        files
    }
}

/// The one path of a file that has no links in it; of one that is not there the path itself.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Whether a file that a compiler was given is a source.
fn is_source(path: &Path) -> bool {
    !path.extension().is_some_and(|extension| extension == "ll" || extension == "bc")
}

/// A function's name without namespaces, types and parameters.
fn last_name(name: &str) -> String {
    let name = name.split(['(', '<']).find(|part| !part.is_empty()).unwrap_or(name);
    let name = name.rsplit("::").find(|part| !part.is_empty()).unwrap_or(name);
    name.trim_start_matches('~').to_owned()
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
pub(super) fn without_comments(line: &str, comment: &mut usize, nests: bool) -> String {
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
            let names = found.iter().map(|owner| owner.as_ref().map(|owner| owner.full.as_str()));
            assert_eq!(names.collect::<Vec<_>>(), expect, "{text}");
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
            &[None, Some("S::g"), None, None],
        );
        check(
            "namespace n {\ntemplate<class T>\nint A<T>::g()\n{ return 1; }\nstruct B : A<int> { int h() { return 2; } };\n}\n",
            false,
            &[None, None, None, Some("n::A::g"), Some("n::B::h"), None],
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
