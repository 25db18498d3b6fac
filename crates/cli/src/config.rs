//! `pathshift.toml`: settings that stay the same from run to run.
//!
//! A setting is a word of the command line that stands before those that the user typed: what is typed wins, lists grow.
//!
//! There are two such files. That of the user, in the folder for settings, counts as if it were typed. That of the tree was
//! written by whoever wrote the tree, and a pull request can change it: it sets bounds and flags for compilers, as far as
//! [these run nothing](build::allowed). Programs, and whatever keeps results from being shown or counted, are the user's to
//! choose. Between two revisions the settings are those of the old one.

mod file;

use self::file::{Given, read};
use crate::args::Diff;
use crate::console::Failure;
use crate::environment::{Folder, machine};
use crate::versions::{Revisions, revisions};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The file.
pub const FILE: &str = "pathshift.toml";

/// Largest file that is read.
const MAX_BYTES: usize = 1 << 20;

/// What files say.
#[derive(Debug, Default)]
pub struct Settings {
    /// Words of the command line.
    pub words: Vec<OsString>,
    /// What was not taken, and how to allow it; what changed.
    pub notes: Vec<String>,
}

/// The settings that hold for a comparison in a folder: those of the tree, then those of the user.
pub fn settings(args: &Diff, here: &Path) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    let machine = machine();
    let options = build::Options::default();
    if let Some(revisions) = revisions(args, here, &options, &machine)? {
        let read = |commit: &str, path: &Path| revisions.repository.file(commit, path, &options, &machine);
        let file = of_revisions(&revisions, here, &read, &mut settings.notes)?;
        settings.add_tree(file, args.trust_config)?;
    } else {
        settings.add_tree(on_disk(here)?, args.trust_config)?;
    }
    let own = Folder::Config.path().map(|folder| folder.join(FILE)).filter(|path| path.is_file());
    if let Some(path) = own {
        let file = read_file(path)?;
        let folder = file.folder();
        settings.words.extend(file.read()?.into_iter().flat_map(|given| given.words(&folder)));
    }
    Ok(settings)
}

/// A file with settings.
struct File {
    path: PathBuf,
    text: String,
}

/// A file, in the folder or above it.
fn on_disk(folder: &Path) -> Result<Option<File>, Failure> {
    folder.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file()).map(read_file).transpose()
}

fn read_file(path: PathBuf) -> Result<File, Failure> {
    let unreadable = |problem: String| Failure::usage(format!("cannot read {}: {problem}", path.display()), None);
    let length = std::fs::metadata(&path).map_err(|error| unreadable(error.to_string()))?.len();
    if length > MAX_BYTES as u64 {
        return Err(unreadable(format!("larger than {MAX_BYTES} bytes")));
    }
    let text = std::fs::read_to_string(&path).map_err(|error| unreadable(error.to_string()))?;
    Ok(File { path, text })
}

/// Reads a file of a commit.
type ReadFile<'a> = &'a dyn Fn(&str, &Path) -> Result<Option<String>, build::BuildError>;

/// The file of the old revision, in the folder or above it; behind the root of the repository that on disk. A file that is
/// another one in the new version is told.
fn of_revisions(
    revisions: &Revisions,
    here: &Path,
    read: ReadFile,
    notes: &mut Vec<String>,
) -> Result<Option<File>, Failure> {
    let root = &revisions.repository.root;
    let root = root.canonicalize().unwrap_or_else(|_| root.clone());
    let inside = here.strip_prefix(&root).unwrap_or(Path::new(""));
    let mut found = None;
    for folder in inside.ancestors() {
        let name = folder.join(FILE);
        let old = read(&revisions.old.1, &name)?;
        let new = match &revisions.new {
            Some((_, commit)) => read(commit, &name)?,
            None => std::fs::read_to_string(root.join(&name)).ok(),
        };
        let contents = |text: &Option<String>| text.as_deref().map(|text| text.trim_end().to_owned());
        if contents(&old) != contents(&new) {
            let name = name.display();
            notes.push(format!("{name} is not the same in both versions; the settings are those of the old one"));
        }
        if let (None, Some(text)) = (&found, old) {
            found = Some(File { path: root.join(&name), text });
        }
    }
    if found.is_some() { Ok(found) } else { root.parent().map_or(Ok(None), on_disk) }
}

impl File {
    fn folder(&self) -> PathBuf {
        self.path.parent().map(Path::to_owned).unwrap_or_default()
    }

    /// Its settings.
    fn read(&self) -> Result<Vec<Given>, Failure> {
        read(&self.text).map_err(|problem| {
            let line = self.text.get(..problem.at.start).unwrap_or(&self.text).matches('\n').count() + 1;
            Failure::usage(format!("{}:{line}: {}", self.path.display(), problem.message), problem.help)
        })
    }
}

impl Settings {
    /// Adds what the file of a tree may choose.
    fn add_tree(&mut self, file: Option<File>, trusted: bool) -> Result<(), Failure> {
        let Some(file) = file else { return Ok(()) };
        let folder = file.folder();
        let mut refused = Vec::new();
        for given in file.read()? {
            let given = if trusted { given } else { given.limited_to_tree(&mut refused) };
            self.words.extend(given.words(&folder));
        }
        if !refused.is_empty() {
            let own = Folder::Config.path().map(|own| format!(", or set it in {}", own.join(FILE).display()));
            self.notes.push(format!(
                "{} is part of what is compared, so it must not choose {}; allow it with --trust-config{}",
                file.path.display(),
                refused.join(", "),
                own.unwrap_or_default()
            ));
        }
        Ok(())
    }
}
