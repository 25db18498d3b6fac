//! Revisions of a git repository, as folders.
//!
//! A revision is read into an index of its own and written from there into an empty folder. `git worktree` would do the same
//! and leave a note in the repository, which a killed program could not take back; so nothing of the repository is ever
//! written: neither its work tree nor its index, branches or list of work trees.
//!
//! A repository may be a stranger's, and its own settings can name programs: hooks, a monitor of the file system, filters,
//! external diffs, commands for remotes. None of them is run; what the user set for all repositories holds.

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
    /// Filters that its own settings define, and that are not to run.
    filters: Vec<String>,
}

/// Settings that win over those of any repository: nothing that it names is run.
const SAFE: [&str; 4] = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "diff.external=", "core.pager=cat"];

/// What a filter consists of, and what turns it off.
const FILTER: [(&str, &str); 4] = [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")];

/// The repository that a folder is in.
pub fn find(folder: &Path, options: &Options, env: &Environment) -> Result<Repository, BuildError> {
    let missing = |problem: String| BuildError::Git {
        message: format!("{} is not in a git repository", folder.display()),
        help: Some(format!("name two files or two folders; git says: {problem}")),
    };
    let outside = Repository { root: folder.to_owned(), filters: Vec::new() };
    let root = outside.ask(&["rev-parse", "--show-toplevel"], None, options, env)?.map_err(missing)?;
    Repository::at(PathBuf::from(root), options, env)
}

impl Repository {
    /// The repository whose work tree begins at a folder.
    fn at(root: PathBuf, options: &Options, env: &Environment) -> Result<Repository, BuildError> {
        let plain = Repository { root, filters: Vec::new() };
        let args = ["config", "--show-scope", "--name-only", "-z", "--get-regexp", "^filter\\."];
        // Git fails if there are none.
        let names = plain.ask(&args, None, options, env)?.unwrap_or_default();
        let mut filters = own_filters(&names);
        filters.sort_unstable();
        filters.dedup();
        if let Some(name) = filters.iter().find(|name| name.contains('=')) {
            let message = format!("{}: its settings define a filter of the name `{name}`", plain.root.display());
            let help = Some("such a filter cannot be turned off; remove it from .git/config".to_owned());
            return Err(BuildError::Git { message, help });
        }
        Ok(Repository { filters, ..plain })
    }

    /// A file of a commit, from the root on; nothing if it has none of the name.
    pub fn file(
        &self,
        commit: &str,
        path: &Path,
        options: &Options,
        env: &Environment,
    ) -> Result<Option<String>, BuildError> {
        let name = format!("{commit}:{}", path.display());
        Ok(self.ask(&["cat-file", "blob", &name], None, options, env)?.ok())
    }

    /// The commit that a revision names.
    pub fn commit(&self, revision: &str, options: &Options, env: &Environment) -> Result<String, BuildError> {
        let name = format!("{revision}^{{commit}}");
        let found = self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name], None, options, env)?;
        found.map_err(|_| {
            let branches = self.ask(&["for-each-ref", "--format=%(refname:short)", "--count=5"], None, options, env);
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
        self.ask(&["merge-base", a, b], None, options, env)?.map_err(|_| BuildError::Git {
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
        let index = if new.is_none() {
            self.ask(&["ls-files", "--stage", "-z"], None, options, env)?
        } else {
            Ok(String::new())
        };
        // Whether a submodule changed, only git inside of it can tell, under settings of its own.
        if index.is_ok_and(|index| index.split('\0').any(|line| submodule(line).is_some())) {
            return Ok(None);
        }
        let mut args = DIFF.to_vec();
        args.extend(["--name-status", old]);
        args.extend(new);
        let Ok(changes) = self.ask(&args, None, options, env)? else { return Ok(None) };
        if new.is_none() {
            let others = self.ask(&["ls-files", "--others", "--exclude-standard"], None, options, env)?;
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
        let mut args = DIFF.to_vec();
        args.extend(["--name-only", old]);
        args.extend(new);
        let names = self.ask(&args, None, options, env)?.unwrap_or_default();
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
        let mut todo = vec![(self.clone(), commit.to_owned(), folder.to_owned(), 0)];
        while let Some((repository, commit, folder, depth)) = todo.pop() {
            let root = &repository.root;
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
            let ask = |args: &[&str]| repository.ask(args, Some(&index), options, env);
            ask(&["read-tree", &commit])?.map_err(failed("read"))?;
            ask(&["checkout-index", "--all", "--quiet", &prefix])?.map_err(failed("write out"))?;
            let list = ask(&["ls-files", "--stage", "-z"])?.map_err(failed("list"))?;
            // The index has served; that it stays would do no harm.
            let _ = std::fs::remove_file(&index);
            for (module, path) in list.split('\0').filter_map(submodule) {
                let there = root.join(path);
                if depth < MAX_DEPTH && there.join(".git").exists() {
                    let repository = Repository::at(there, options, env)?;
                    todo.push((repository, module.to_owned(), folder.join(path), depth + 1));
                } else {
                    notes.push(format!("the submodule {path} is not there; what needs it will not build"));
                }
            }
        }
        Ok(notes)
    }

    /// What git answers, or its words if it refuses.
    fn ask(
        &self,
        args: &[&str],
        index: Option<&Path>,
        options: &Options,
        env: &Environment,
    ) -> Result<Result<String, String>, BuildError> {
        let context = Context { options, env, scratch: &env.temp };
        let mut command: Command = process::command("git", &context);
        command.arg("-C").arg(&self.root);
        for setting in SAFE {
            command.args(["-c", setting]);
        }
        for (name, (part, value)) in self.filters.iter().flat_map(|name| FILTER.map(|part| (name, part))) {
            command.args(["-c", &format!("filter.{name}.{part}={value}")]);
        }
        command.args(args);
        // A hook of git that calls us speaks of its own files.
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_EXTERNAL_DIFF"] {
            command.env_remove(name);
        }
        // Objects that are not there are not fetched: remotes name commands too.
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none");
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
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
}

/// How versions are compared: by their contents alone.
const DIFF: [&str; 6] = ["diff", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "-z"];

/// How deep submodules nest.
const MAX_DEPTH: u32 = 8;

/// Commit and path of a line of `ls-files --stage` that is a submodule.
fn submodule(line: &str) -> Option<(&str, &str)> {
    let (facts, path) = line.split_once('\t')?;
    let mut facts = facts.split(' ');
    (facts.next()? == "160000").then_some((facts.next()?, path))
}

/// The names of filters that a repository defines itself, from a list of scopes and settings.
fn own_filters(list: &str) -> Vec<String> {
    let fields: Vec<&str> = list.split('\0').collect();
    let settings = fields.chunks(2).filter_map(|pair| match pair {
        ["local" | "worktree", setting] => setting.strip_prefix("filter."),
        _ => None,
    });
    settings.filter_map(|setting| setting.rsplit_once('.')).map(|(name, _)| name.to_owned()).collect()
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

    #[test]
    fn filters_of_the_repository_are_told_from_those_of_the_user() {
        let list = "global\0filter.lfs.smudge\0local\0filter.a.b.clean\0worktree\0filter.c.process\0";
        assert_eq!(own_filters(list), ["a.b", "c"]);
        assert_eq!(own_filters(""), [""; 0]);
    }
}
