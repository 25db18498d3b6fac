//! Revisions of a git repository, as folders.
//!
//! A revision is read into an index of its own and written from there into an empty folder. `git worktree` would do the same
//! and leave a note in the repository, which a killed program could not take back; so nothing of the repository is ever
//! written: neither its work tree nor its index, branches or list of work trees.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BuildError;
use crate::{Context, Environment, Options, process};

/// A git repository with a work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repository {
    /// The root of its work tree.
    pub root: PathBuf,
}

/// The repository that a folder is in.
pub fn find(folder: &Path, options: &Options, env: &Environment) -> Result<Repository, BuildError> {
    let missing = |problem: String| BuildError::Git {
        message: format!("{} is not in a git repository", folder.display()),
        help: Some(format!("name two files or two folders; git says: {problem}")),
    };
    let root = ask(folder, &["rev-parse", "--show-toplevel"], None, options, env)?.map_err(missing)?;
    Ok(Repository { root: PathBuf::from(root) })
}

impl Repository {
    /// The commit that a revision names.
    pub fn commit(&self, revision: &str, options: &Options, env: &Environment) -> Result<String, BuildError> {
        let name = format!("{revision}^{{commit}}");
        let found =
            ask(&self.root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name], None, options, env)?;
        found.map_err(|_| {
            let branches =
                ask(&self.root, &["for-each-ref", "--format=%(refname:short)", "--count=5"], None, options, env);
            let names: Vec<String> = match branches {
                Ok(Ok(names)) => names.lines().map(str::to_owned).collect(),
                _ => Vec::new(),
            };
            BuildError::Git {
                message: format!("there is no revision `{revision}` in {}", self.root.display()),
                help: (!names.is_empty()).then(|| format!("there are {}", names.join(", "))),
            }
        })
    }

    /// The commit where the histories of two commits part.
    pub fn merge_base(&self, a: &str, b: &str, options: &Options, env: &Environment) -> Result<String, BuildError> {
        ask(&self.root, &["merge-base", a, b], None, options, env)?.map_err(|_| BuildError::Git {
            message: "the revisions have no common history".to_owned(),
            help: Some("write `..` instead of `...`".to_owned()),
        })
    }

    /// The files that changed from a commit to another one, or to the work tree; nothing is said if files were added or
    /// removed, or if their mode or kind changed.
    pub fn only_changed(
        &self,
        old: &str,
        new: Option<&str>,
        options: &Options,
        env: &Environment,
    ) -> Result<Option<BTreeSet<PathBuf>>, BuildError> {
        let mut args = vec!["diff", "--name-status", "--no-renames", "--ignore-submodules=none", "-z", old];
        args.extend(new);
        let Ok(changes) = ask(&self.root, &args, None, options, env)? else { return Ok(None) };
        if new.is_none() {
            let others = ask(&self.root, &["ls-files", "--others", "--exclude-standard"], None, options, env)?;
            if others.is_ok_and(|others| !others.is_empty()) {
                return Ok(None);
            }
        }
        let fields: Vec<&str> = changes.split('\0').filter(|field| !field.is_empty()).collect();
        let pairs = fields.chunks(2).map(|pair| match pair {
            ["M", path] => Some(PathBuf::from(path)),
            _ => None,
        });
        Ok(pairs.collect())
    }

    /// C and C++ sources, without headers, that are not the same in a commit and another one or the work tree, or that only one of
    /// them has.
    pub fn changed_sources(
        &self,
        old: &str,
        new: Option<&str>,
        options: &Options,
        env: &Environment,
    ) -> Result<Vec<PathBuf>, BuildError> {
        let mut args = vec!["diff", "--name-only", "--no-renames", "-z", old];
        args.extend(new);
        let names = ask(&self.root, &args, None, options, env)?.unwrap_or_default();
        let paths = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
        Ok(paths.filter(|path| crate::input::c_language(path).is_some()).collect())
    }

    /// Writes a commit into an empty folder, submodules that are there included. What could not be written is told.
    pub fn write(
        &self,
        commit: &str,
        folder: &Path,
        options: &Options,
        env: &Environment,
    ) -> Result<Vec<String>, BuildError> {
        let mut notes = Vec::new();
        let mut todo = vec![(self.root.clone(), commit.to_owned(), folder.to_owned(), 0)];
        while let Some((root, commit, folder, depth)) = todo.pop() {
            std::fs::create_dir_all(&folder).map_err(|error| BuildError::Io {
                action: "create",
                path: folder.clone(),
                error,
            })?;
            let index = folder.with_extension("index");
            let failed = |what: &'static str| {
                let shown = format!("{}: git cannot {what} {commit}", root.display());
                move |problem: String| BuildError::Git { message: format!("{shown}: {problem}"), help: None }
            };
            let prefix = format!("--prefix={}/", folder.display());
            ask(&root, &["read-tree", &commit], Some(&index), options, env)?.map_err(failed("read"))?;
            ask(&root, &["checkout-index", "--all", "--quiet", &prefix], Some(&index), options, env)?
                .map_err(failed("write out"))?;
            let list =
                ask(&root, &["ls-files", "--stage", "-z"], Some(&index), options, env)?.map_err(failed("list"))?;
            // The index has served; that it stays would do no harm.
            let _ = std::fs::remove_file(&index);
            for (module, path) in list.split('\0').filter_map(submodule) {
                let there = root.join(path);
                if depth < MAX_DEPTH && there.join(".git").exists() {
                    todo.push((there, module.to_owned(), folder.join(path), depth + 1));
                } else {
                    notes.push(format!("the submodule {path} is not there; what needs it will not build"));
                }
            }
        }
        Ok(notes)
    }
}

/// How deep submodules nest.
const MAX_DEPTH: u32 = 8;

/// Commit and path of a line of `ls-files --stage` that is a submodule.
fn submodule(line: &str) -> Option<(&str, &str)> {
    let (facts, path) = line.split_once('\t')?;
    let mut facts = facts.split(' ');
    (facts.next()? == "160000").then_some((facts.next()?, path))
}

/// What git answers, or its words if it refuses.
fn ask(
    folder: &Path,
    args: &[&str],
    index: Option<&Path>,
    options: &Options,
    env: &Environment,
) -> Result<Result<String, String>, BuildError> {
    let context = Context { options, env, scratch: &env.temp };
    let mut command: Command = process::command("git", &context);
    command.arg("-C").arg(folder).args(args);
    // A hook of git that calls us speaks of its own files.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let finished = match process::run(&mut command, &context) {
        Err(BuildError::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(BuildError::Git {
                message: "git is not installed".to_owned(),
                help: Some("install git, or name two folders".to_owned()),
            });
        }
        other => other?,
    };
    if !finished.status.success() {
        return Ok(Err(finished.problem()));
    }
    let text = String::from_utf8_lossy(&finished.stdout).into_owned();
    Ok(Ok(text.trim_end_matches('\n').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submodules_are_told_from_files() {
        let check = |line: &str, expect: Option<(&str, &str)>| assert_eq!(submodule(line), expect);
        check("100644 0123 0\ta b.c", None);
        check("160000 0123 0\tlib/x", Some(("0123", "lib/x")));
        check("", None);
    }
}
