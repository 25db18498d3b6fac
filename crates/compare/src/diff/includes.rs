//! The source files of a version: those that debug info or the build names, and those that these name in turn.
//!
//! Debug info has no file of which nothing is compiled, such as a header that holds macros or templates only.

use super::part::Source;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};

/// Most files that are looked for.
const MOST_FILES: usize = 4096;

/// How far above a source file headers are looked for.
const ABOVE: usize = 3;

/// Where headers of the system are.
const OF_SYSTEM: [&str; 2] = ["/usr/include", "/usr/local/include"];

/// Some files and all that they name, each once. Only files for which `is_wanted` holds are followed.
pub fn closure(files: Vec<PathBuf>, source: &Source, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut seen: FxHashSet<PathBuf> = FxHashSet::default();
    let mut todo: Vec<PathBuf> = files;
    todo.retain(|file| seen.insert(file.clone()));
    // Headers lie where other sources do, or above.
    let mut folders: Vec<PathBuf> = Vec::new();
    for file in &todo {
        folders.extend(file.ancestors().skip(1).take(ABOVE).map(Path::to_owned));
    }
    folders.extend(OF_SYSTEM.iter().map(PathBuf::from));
    let mut known: FxHashSet<PathBuf> = FxHashSet::default();
    folders.retain(|folder| is_wanted(folder) && known.insert(folder.clone()));
    let mut places: FxHashMap<String, Option<PathBuf>> = FxHashMap::default();
    let mut found = Vec::new();
    while let Some(file) = todo.pop() {
        let Some(lines) = file.to_str().filter(|_| is_wanted(&file)).and_then(|file| source.lines(file)) else {
            continue;
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut named: Vec<PathBuf> = Vec::new();
        for line in &lines {
            if let Some(name) = included(line) {
                let beside = Some(folder.join(name)).filter(|path| path.is_file());
                let elsewhere = || {
                    let find = || {
                        let mut paths =
                            folders.iter().flat_map(|folder| [folder.join(name), folder.join("include").join(name)]);
                        paths.find(|path| path.is_file())
                    };
                    places.entry(name.to_owned()).or_insert_with(find).clone()
                };
                named.extend(beside.or_else(elsewhere));
            } else if let Some(name) = declared_module(line) {
                // `b` of `a.rs` is `a/b.rs`.
                let below = folder.join(file.file_stem().unwrap_or_default());
                let paths = [folder, &below]
                    .into_iter()
                    .flat_map(|folder| [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")]);
                named.extend(paths.filter(|path| path.is_file()));
            }
        }
        for path in named {
            if seen.len() < MOST_FILES && seen.insert(path.clone()) {
                todo.push(path);
            }
        }
        found.push(file);
    }
    found.sort();
    found
}

/// The file that a line of C includes.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
    let (begin, end) = if rest.starts_with('<') { ('<', '>') } else { ('"', '"') };
    Some(rest.strip_prefix(begin)?.split_once(end)?.0)
}

/// The module that a line of Rust takes from another file.
fn declared_module(line: &str) -> Option<&str> {
    let line = line.trim();
    let rest = line.strip_prefix("pub ").unwrap_or(line);
    let rest = match rest.strip_prefix("pub(") {
        Some(rest) => rest.split_once(')')?.1.trim_start(),
        None => rest,
    };
    let name = rest.strip_prefix("mod ")?.split_once(';')?.0.trim();
    name.chars().all(|c| c.is_alphanumeric() || c == '_').then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_lines_name() {
        assert_eq!(included("# include <a/b.h>"), Some("a/b.h"));
        assert_eq!(included("#include \"a.h\" // x"), Some("a.h"));
        assert_eq!(included("int a;"), None);
        assert_eq!(declared_module("pub(crate) mod a;"), Some("a"));
        assert_eq!(declared_module("mod a;"), Some("a"));
        assert_eq!(declared_module("mod a {"), None);
    }
}
