//! A compilation database that was written for another folder: its paths lead to a copy of the project instead.
//!
//! What the copy has is taken from the copy. What it does not have, files that a build has made and nobody tracks, is
//! taken from where the database says.

use std::path::{Component, Path, PathBuf};

/// A project and its copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The folder for which the database was written.
    pub from: PathBuf,
    /// The folder with the copy.
    pub to: PathBuf,
}

/// Flags whose value, joined or as the next word, is a path.
const WITH_PATH: [&str; 7] = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "-I"];

impl Moved {
    /// Where a folder in which a compiler ran is in the copy.
    pub fn directory(&self, path: &Path) -> PathBuf {
        self.copy(path).unwrap_or_else(|| normal(path))
    }

    /// A source file, by its path in the copy.
    pub fn source(&self, directory: &Path, path: &Path) -> PathBuf {
        let whole = directory.join(path);
        self.copy(&whole).unwrap_or_else(|| normal(&whole))
    }

    /// Flags of a compiler that ran in `directory`, which is one of the old folder. Folders are named in full.
    pub fn flags(&self, directory: &Path, flags: &[String], file: &Path) -> Vec<String> {
        let mut moved = Vec::with_capacity(flags.len());
        let mut words = flags.iter();
        while let Some(word) = words.next() {
            if Path::new(word) == file {
                moved.push(self.source(directory, file).to_string_lossy().into_owned());
            } else if let Some(flag) = WITH_PATH.iter().find(|flag| **flag == *word) {
                moved.push((*flag).to_owned());
                moved.extend(words.next().map(|path| self.found(directory, path)));
            } else if let Some((flag, path)) = WITH_PATH
                .iter()
                .find_map(|flag| Some((flag, word.strip_prefix(flag)?)))
                .filter(|(_, path)| *path != "-")
            {
                moved.push(format!("{flag}{}", self.found(directory, path)));
            } else {
                moved.push(word.clone());
            }
        }
        moved
    }

    /// A path, in the copy if it is there.
    fn found(&self, directory: &Path, path: &str) -> String {
        let whole = directory.join(path);
        let copy = self.copy(&whole).filter(|copy| copy.exists());
        copy.unwrap_or_else(|| normal(&whole)).to_string_lossy().into_owned()
    }

    /// Where a path of the project is in the copy, whether it is there or not. Links may lead into the project too.
    fn copy(&self, path: &Path) -> Option<PathBuf> {
        let path = normal(path);
        let inside = |path: &Path| path.strip_prefix(&self.from).map(|inside| self.to.join(inside)).ok();
        inside(&path).or_else(|| inside(&path.canonicalize().ok()?))
    }
}

/// Whether what is written to a path is written below a folder: no link on the way leads elsewhere, wherever the path ends.
pub fn stays_inside(folder: &Path, path: &Path) -> bool {
    let there = path.ancestors().find(|above| above.symlink_metadata().is_ok());
    // A link that leads nowhere has no canonical path.
    let real = there.and_then(|there| there.canonicalize().ok());
    let plain = path.components().all(|component| component != Component::ParentDir);
    plain && folder.canonicalize().is_ok_and(|folder| real.is_some_and(|real| real.starts_with(folder)))
}

/// A path without `.` and `..`, as it is written; links are not looked at.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn links_do_not_lead_out() {
        let dir = tempfile::tempdir().unwrap();
        let tree = dir.path().join("tree");
        std::fs::create_dir_all(tree.join("real")).unwrap();
        for (link, to) in [("out", ".."), ("in", "real"), ("nowhere", "../new"), ("file", "/etc/hostname")] {
            std::os::unix::fs::symlink(to, tree.join(link)).unwrap();
        }
        let check = |path: &str, expect: bool| assert_eq!(stays_inside(&tree, &tree.join(path)), expect, "{path}");
        check("a/b", true);
        check("real/b", true);
        check("in/b", true);
        check("out/b", false);
        check("nowhere", false);
        check("nowhere/b", false);
        check("file", false);
        check("a/../../b", false);
    }

    #[test]
    fn what_the_copy_has_comes_from_the_copy() {
        let dir = tempfile::tempdir().unwrap();
        let (from, to) = (dir.path().join("from"), dir.path().join("to"));
        for path in ["from/include", "from/build/gen", "to/include", "to/src"] {
            std::fs::create_dir_all(dir.path().join(path)).unwrap();
        }
        let moved = Moved { from: from.clone(), to: to.clone() };
        let check = |flags: &str, expect: &str| {
            let words: Vec<String> = flags.split(' ').map(str::to_owned).collect();
            let got = moved.flags(&from.join("build"), &words, Path::new("../src/a.c")).join(" ");
            let got = got.replace(&*to.to_string_lossy(), "TO").replace(&*from.to_string_lossy(), "FROM");
            assert_eq!(got, expect, "{flags}");
        };
        check("-I../include ../src/a.c", "-ITO/include TO/src/a.c");
        check("-I ../include -Igen -I.", "-I TO/include -IFROM/build/gen -IFROM/build");
        check("-isystem /usr/include -DX=1", "-isystem /usr/include -DX=1");
        assert_eq!(moved.directory(&from.join("build")), to.join("build"));
        assert_eq!(moved.directory(Path::new("/elsewhere")), Path::new("/elsewhere"));
    }
}
