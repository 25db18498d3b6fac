//! What `pathshift diff` compares: two files, two folders, or revisions of a git repository as folders of their own.

use crate::args::Diff;
use crate::console::{self, Failure};
use build::git::{self, Repository};
use build::{Environment, Kind, Moved, Shared};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A version of a program.
pub struct Version {
    /// As the user knows it.
    pub shown: String,
    /// What is built.
    pub input: PathBuf,
    /// How it is built.
    pub build: build::Options,
    /// Folders that are left out of paths which are shown.
    pub roots: Vec<PathBuf>,
    /// What limits the result.
    pub notes: Vec<String>,
}

/// Two versions. Folders that were made for them are removed when this is dropped.
pub struct Versions {
    /// The old one.
    pub old: Version,
    /// The new one.
    pub new: Version,
    /// Sources of C and C++ that are not the same in both, from the root of a repository on.
    pub changed_sources: Vec<PathBuf>,
    _scratch: build::Scratch,
    _lock: Option<NoLock>,
}

/// Cargo's lock file that was not there before; it goes again when this is dropped.
struct NoLock(PathBuf);

impl Drop for NoLock {
    fn drop(&mut self) {
        // Whether cargo has written it at all is not known.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Revisions of a git repository, each with the name that the user gave it and its commit.
pub struct Revisions {
    /// The repository.
    pub repository: Repository,
    /// The old revision.
    pub old: (String, String),
    /// The new one; nothing for the work tree.
    pub new: Option<(String, String)>,
}

/// The revisions that the command line names; nothing if it names files or folders.
pub fn revisions(
    args: &Diff,
    here: &Path,
    options: &build::Options,
    machine: &Environment,
) -> Result<Option<Revisions>, Failure> {
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    let is_path = |word: &OsString| Path::new(word).exists();
    if let [old, new] = args.versions.as_slice()
        && (is_path(old) || is_path(new) || git::find(here, options, machine).is_err())
    {
        return Ok(None);
    }
    let (old, new, common) = match args.versions.as_slice() {
        [] => ("HEAD".to_owned(), None, false),
        [one] => match text(one).split_once("...") {
            Some((old, new)) => (or_head(old), Some(or_head(new)), true),
            None => match text(one).split_once("..") {
                Some((old, new)) if !is_path(one) => (or_head(old), Some(or_head(new)), false),
                _ => (text(one), None, false),
            },
        },
        [old, new, ..] => (text(old), Some(text(new)), false),
    };
    let repository = git::find(here, options, machine)?;
    if let [one] = args.versions.as_slice()
        && is_path(one)
        && repository.commit(&old, options, machine).is_err()
    {
        let help = "name two versions: two files, two folders, or a revision".to_owned();
        return Err(Failure::usage(format!("{} is one version only", text(one)), Some(help)));
    }
    let mut old_commit = repository.commit(&old, options, machine)?;
    let commit = |new: String| Ok::<_, Failure>((repository.commit(&new, options, machine)?, new));
    let new = new.map(commit).transpose()?.map(|(commit, new)| (new, commit));
    if let (true, Some((_, new_commit))) = (common, &new) {
        old_commit = repository.merge_base(&old_commit, new_commit, options, machine)?;
    }
    Ok(Some(Revisions { repository, old: (old, old_commit), new }))
}

/// What the command line names.
pub fn resolve(args: &Diff, options: &build::Options, machine: &Environment) -> Result<Versions, Failure> {
    let scratch = build::Scratch::new(&machine.temp).map_err(|error| {
        let message = format!("cannot write to the temporary directory {}: {error}", machine.temp.display());
        Failure::usage(message, Some("name another directory in the variable TMPDIR".to_owned()))
    })?;
    let options = &build::Options { cargo_target: Some(scratch.path().join("target")), ..options.clone() };
    let here = current_folder()?;
    let Some(revisions) = revisions(args, &here, options, machine)? else {
        let [old, new] = args.versions.as_slice() else {
            return Err(Failure::usage("two versions are needed".to_owned(), None));
        };
        let name = Path::new(new).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let version = |path: &OsString| plain(Path::new(path), &name, options, &here);
        return Ok(Versions {
            old: version(old)?,
            new: version(new)?,
            changed_sources: Vec::new(),
            _scratch: scratch,
            _lock: None,
        });
    };
    let Revisions { repository, old: (old, old_commit), new } = revisions;
    let new_commit = new.as_ref().map(|(_, commit)| commit.as_str());
    let checkouts = Checkouts { repository, project: PathBuf::new(), scratch: scratch.path(), options, machine };
    let checkouts = Checkouts { project: project(&checkouts.repository, &here, args)?, ..checkouts };
    let changed = checkouts.repository.only_changed(&old_commit, new_commit, options, machine)?;
    let changed_sources = checkouts.repository.changed_sources(&old_commit, new_commit, options, machine)?;
    let root = checkouts.repository.root.clone();
    let old = checkouts.version(&old, &old_commit, "old")?;
    let (new, lock) = match &new {
        Some((new, commit)) => (checkouts.version(new, commit, "new")?, None),
        None => checkouts.work_tree()?,
    };
    let mut versions = Versions { old, new, changed_sources, _scratch: scratch, _lock: lock };
    if let Some(changed) = changed {
        let shared = Arc::new(Shared::new(changed));
        versions.old.build.shared = Some((checkouts_root(&versions.old, &root), shared.clone()));
        versions.new.build.shared = Some((checkouts_root(&versions.new, &root), shared));
    }
    Ok(versions)
}

/// Where a version's project begins.
fn checkouts_root(version: &Version, root: &Path) -> PathBuf {
    version.build.moved.as_ref().map_or_else(|| root.to_owned(), |moved| moved.to.clone())
}

fn or_head(revision: &str) -> String {
    if revision.is_empty() { "HEAD".to_owned() } else { revision.to_owned() }
}

pub fn current_folder() -> Result<PathBuf, Failure> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    here.map_err(|error| Failure::usage(format!("cannot read the current folder: {error}"), None))
}

/// Folders as paths may name them: as they are, and as the shell calls them.
fn folder_names(folder: &Path) -> Vec<PathBuf> {
    let mut names = vec![folder.to_owned()];
    names.extend(std::path::absolute(folder).ok());
    names.extend(folder.canonicalize().ok());
    names.dedup();
    names
}

/// A file or folder that the user named. Source that speaks of its own name says `name` in both versions.
fn plain(path: &Path, name: &str, options: &build::Options, here: &Path) -> Result<Version, Failure> {
    let input = build::input::classify(path)?;
    let mut build = options.clone();
    let mut roots = folder_names(here);
    roots.extend(std::env::var_os("PWD").map(PathBuf::from));
    match input.kind {
        Kind::C | Kind::Cpp => build.cflags.push(format!("-fmacro-prefix-map={}={name}", path.display())),
        Kind::CompileCommands if path.is_dir() => {
            let names = folder_names(path);
            build.cflags.extend(names.iter().map(|folder| format!("-fmacro-prefix-map={}/=", folder.display())));
            roots.extend(names);
        }
        _ if path.is_dir() => roots.extend(folder_names(path)),
        _ => {}
    }
    Ok(Version { shown: path.display().to_string(), input: path.to_owned(), build, roots, notes: Vec::new() })
}

/// The project in a repository that is compared, from its root on: where the user is, or above; else the file that was named.
fn project(repository: &Repository, here: &Path, args: &Diff) -> Result<PathBuf, Failure> {
    let root = repository.root.canonicalize().unwrap_or_else(|_| repository.root.clone());
    let inside = |path: &Path| path.strip_prefix(&root).map(Path::to_owned).ok();
    let folders = here.ancestors().take_while(|folder| folder.starts_with(&root));
    if let Some(found) = folders.into_iter().find(|folder| build::input::classify(folder).is_ok()) {
        return Ok(inside(found).unwrap_or_default());
    }
    if let [file] = args.files.as_slice()
        && let Some(path) = inside(&here.join(file).canonicalize().unwrap_or_else(|_| here.join(file)))
    {
        return Ok(path);
    }
    let message = format!("nothing to build from {} up to {}", here.display(), root.display());
    let help = "it needs compile_commands.json (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear -- make), Cargo.toml, \
                or one source file named with --file";
    Err(Failure::usage(message, Some(help.to_owned())))
}

/// Revisions as folders.
struct Checkouts<'a> {
    repository: Repository,
    project: PathBuf,
    scratch: &'a Path,
    options: &'a build::Options,
    machine: &'a Environment,
}

impl Checkouts<'_> {
    /// A revision, written into a folder.
    fn version(&self, shown: &str, commit: &str, name: &str) -> Result<Version, Failure> {
        let folder = self.scratch.join(name);
        let notes = self.repository.write(commit, &folder, self.options, self.machine)?;
        let root = &self.repository.root;
        for name in ["compile_commands.json", "build/compile_commands.json"] {
            take_along(root, &folder, &self.project.join(name));
        }
        for above in self.project.ancestors() {
            take_along(root, &folder, &above.join("Cargo.lock"));
        }
        let mut build = self.options.clone();
        build.moved = Some(Moved { from: root.clone(), to: folder.clone() });
        build.cflags.push(format!("-fmacro-prefix-map={}/=", folder.display()));
        let mut roots = folder_names(&folder);
        roots.iter().for_each(|name| console::name_folder(name, &format!("{shown}:")));
        roots.extend(folder_names(root));
        Ok(Version { shown: shown.to_owned(), input: folder.join(&self.project), build, roots, notes })
    }

    /// The work tree as it is.
    fn work_tree(&self) -> Result<(Version, Option<NoLock>), Failure> {
        let root = &self.repository.root;
        let input = root.join(&self.project);
        let mut build = self.options.clone();
        build.cflags.push(format!("-fmacro-prefix-map={}/=", root.display()));
        let has_lock = self.project.ancestors().any(|above| root.join(above).join("Cargo.lock").exists());
        let is_package = build::input::classify(&input)?.kind == Kind::CargoPackage;
        // Of packages that are one workspace only the root gets a lock file, but then it is usually there.
        let lock = (is_package && !has_lock).then(|| NoLock(input.join("Cargo.lock")));
        let shown = "work tree".to_owned();
        Ok((Version { shown, input, build, roots: folder_names(root), notes: Vec::new() }, lock))
    }
}

/// Copies a file that the build needs and the revision does not have.
fn take_along(from: &Path, to: &Path, file: &Path) {
    let (source, target) = (from.join(file), to.join(file));
    if source.is_file()
        && target.symlink_metadata().is_err()
        && build::stays_inside(to, &target)
        && target.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
    {
        // Should it fail, the build says what is missing.
        let _ = std::fs::copy(source, target);
    }
}
