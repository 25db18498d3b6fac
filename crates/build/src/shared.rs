//! Units that are the same in two versions of a project, compiled once.
//!
//! A unit is the same if its command is, and no file that the compiler read for it changed. That files were only changed, none
//! added and none removed, is for the caller to know: a new header could be found in place of another one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What one build leaves for the next.
#[derive(Debug, Default)]
pub struct Shared {
    /// Files that are not the same in both versions, from the root of the project on.
    pub changed: BTreeSet<PathBuf>,
    units: Mutex<BTreeMap<Key, Unit>>,
}

/// Source file and flags, as they would be in any folder.
type Key = (String, Vec<String>);

#[derive(Debug)]
struct Unit {
    text: String,
    changed: bool,
}

impl Shared {
    /// Nothing compiled yet; `changed` are the files that are not the same in both versions.
    pub fn new(changed: BTreeSet<PathBuf>) -> Shared {
        Shared { changed, units: Mutex::default() }
    }

    /// The IR text of a unit, if another version has compiled the same. Each version asks for each of its units once.
    pub(crate) fn take(&self, root: &Path, file: &Path, flags: &[String]) -> Option<String> {
        let mut units = self.units.lock().ok()?;
        let unit = units.remove(&key(root, file, flags))?;
        (!unit.changed).then_some(unit.text)
    }

    /// Leaves a unit for the other version; `rule` is what the compiler wrote of the files that it read.
    pub(crate) fn put(&self, root: &Path, file: &Path, flags: &[String], directory: &Path, rule: &str, text: &str) {
        let read = dependencies(rule).into_iter().map(|path| directory.join(path));
        let mut read = read.map(|path| path.canonicalize().unwrap_or(path)).peekable();
        let root_path = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        // A compiler that says nothing has not said that nothing changed.
        let silent = read.peek().is_none();
        let changed =
            silent || read.any(|path| path.strip_prefix(&root_path).is_ok_and(|inside| self.changed.contains(inside)));
        if let Ok(mut units) = self.units.lock() {
            let text = if changed { String::new() } else { text.to_owned() };
            units.insert(key(root, file, flags), Unit { text, changed });
        }
    }
}

fn key(root: &Path, file: &Path, flags: &[String]) -> Key {
    let root = format!("{}/", root.display());
    let anywhere = |text: &str| text.replace(&root, "");
    (anywhere(&file.to_string_lossy()), flags.iter().map(|flag| anywhere(flag)).collect())
}

/// The files of a rule for make: what stands behind its colon.
fn dependencies(rule: &str) -> Vec<String> {
    let Some((_, list)) = rule.split_once(": ") else { return Vec::new() };
    let (mut files, mut file) = (Vec::new(), String::new());
    let mut letters = list.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&'\n') => {}
            '\\' if matches!(letters.peek(), Some(' ' | '#' | '\\')) => file.extend(letters.next()),
            '$' if letters.peek() == Some(&'$') => file.extend(letters.next()),
            letter if letter.is_whitespace() => {
                if !file.is_empty() {
                    files.push(std::mem::take(&mut file));
                }
            }
            letter => file.push(letter),
        }
    }
    if !file.is_empty() {
        files.push(file);
    }
    files
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn rules_of_make_are_read() {
        let check = |rule: &str, expect: &[&str]| assert_eq!(dependencies(rule), expect, "{rule}");
        check("a.o: a.c b.h \\\n  c.h\n", &["a.c", "b.h", "c.h"]);
        check("a.o: a\\ b.c x$$y.h\n", &["a b.c", "x$y.h"]);
        check("", &[]);
    }

    #[test]
    fn only_what_did_not_change_is_used_again() {
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        for root in [&one, &two] {
            std::fs::create_dir_all(root).unwrap();
            for name in ["a.c", "b.c", "b.h"] {
                std::fs::write(root.join(name), "").unwrap();
            }
        }
        let shared = Shared::new(BTreeSet::from([PathBuf::from("b.h")]));
        let flags = |root: &Path| vec![format!("-I{}/", root.display()), "-DX".to_owned()];
        shared.put(&one, &one.join("a.c"), &flags(&one), &one, "a.o: a.c\n", "A");
        shared.put(&one, &one.join("b.c"), &flags(&one), &one, "b.o: b.c b.h\n", "B");
        let take = |name: &str, flags: &[String]| shared.take(&two, &two.join(name), flags);
        assert_eq!(take("a.c", &["-DY".to_owned()]), None);
        assert_eq!(take("a.c", &flags(&two)), Some("A".to_owned()));
        assert_eq!(take("b.c", &flags(&two)), None);
    }
}
