//! Compiles the units of a compilation database, `compile_commands.json`.
//!
//! Each unit is compiled in the directory and with the flags that the database gives, by clang instead of the compiler
//! it names, which is never run. The same file with the same flags is compiled once. Flags that could make clang run or load
//! something of the project are left out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde::Deserialize;

use crate::error::BuildError;
use crate::flags::Cleaned;
use crate::input::{Kind, c_language};
use crate::{
    Context, Moved, Unit, UnitInfo, UnitText, Units, Use, clang, flags, process, read_compiled, stays_inside, text,
    toolchain, use_unit,
};

/// How the note begins that a list of units names files which a version does not have.
pub const NOT_THERE: &str = "not in this version, left out: ";

/// Compiles the chosen units of the database and gives the text of each to `use_text`, several at once.
pub(crate) fn compile<T: Send>(path: &Path, context: &Context, use_text: Use<T>) -> Result<Units<T>, BuildError> {
    let (contents, _) = text::decode(text::read(path, context.options.max_bytes)?);
    let plan = plan(path, &contents, &context.options.units, context.options.moved.as_ref())?;
    let (clang, headers) = (toolchain::clang(context)?, clang::headers(context)?);
    let list = in_parallel(&plan.commands, context, |index, command| {
        use_unit(compile_unit(index, command, &clang, &headers, context)?, use_text)
    })?;
    Ok(Units { kind: Kind::CompileCommands, list, notes: plan.notes })
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
    output: Option<String>,
}

/// What has to be compiled.
#[derive(Debug)]
struct Plan {
    commands: Vec<UnitCommand>,
    notes: Vec<String>,
}

/// How to compile one unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UnitCommand {
    directory: PathBuf,
    file: PathBuf,
    flags: Vec<String>,
}

/// The sources that a database lists, as they would be compiled; nothing is.
pub fn sources(path: &Path, contents: &str) -> Result<Vec<PathBuf>, BuildError> {
    Ok(plan(path, contents, &[], None)?.commands.into_iter().map(|unit| unit.file).collect())
}

fn plan(path: &Path, contents: &str, filters: &[String], moved: Option<&Moved>) -> Result<Plan, BuildError> {
    let error = |message: String, help: Option<String>| BuildError::Database { path: path.into(), message, help };
    let entries: Vec<Entry> = serde_json::from_str(contents).map_err(|json| {
        let help = "an array of objects with directory, file, and command or arguments is expected";
        error(json.to_string(), Some(help.to_owned()))
    })?;
    let root = path.parent().unwrap_or(Path::new(""));
    let mut plan = Plan { commands: Vec::new(), notes: Vec::new() };
    let (mut seen, mut other_languages, mut not_there) = (BTreeSet::new(), Vec::new(), Vec::new());
    let mut refused = BTreeSet::new();
    for entry in &entries {
        let words = match (&entry.arguments, &entry.command) {
            (Some(arguments), _) => Some(arguments.clone()),
            (None, Some(command)) => shlex::split(command),
            (None, None) => None,
        };
        let Some(words) = words else {
            let message = format!("{}: neither arguments nor a command that a shell would take", entry.file.display());
            return Err(error(message, None));
        };
        let output = entry.output.as_deref().or_else(|| flags::output(&words)).unwrap_or_default();
        if !is_chosen(&entry.file.to_string_lossy(), output, filters) {
            continue;
        }
        if c_language(&entry.file).is_none() && !words.iter().any(|word| word.starts_with("-xc") || word == "-x") {
            other_languages.push(entry.file.display().to_string());
            continue;
        }
        let mut directory = root.join(&entry.directory);
        let Cleaned { mut flags, refused: own } = flags::clean(&words, &entry.file);
        refused.extend(own);
        let mut file = entry.file.clone();
        if let Some(moved) = moved {
            let from = moved.from.join(path.strip_prefix(&moved.to).unwrap_or(Path::new("")));
            let before = from.parent().unwrap_or(&moved.from).join(&entry.directory);
            flags = moved.flags(&before, &flags, &entry.file);
            file = moved.source(&before, &entry.file);
            if file.starts_with(&moved.to) && !file.exists() {
                not_there.push(entry.file.display().to_string());
                continue;
            }
            directory = moved.directory(&before);
            // A folder in which a build ran is often not part of the source. Nothing is made outside of the copy.
            if stays_inside(&moved.to, &directory) {
                std::fs::create_dir_all(&directory).map_err(|error| BuildError::Io {
                    action: "create",
                    path: directory.clone(),
                    error,
                })?;
            }
        }
        // libtool defines PIC in the second of two compilations that are the same otherwise.
        let key: Vec<_> = flags.iter().filter(|flag| *flag != "-DPIC").cloned().collect();
        if seen.insert((directory.clone(), file.clone(), key)) {
            plan.commands.push(UnitCommand { directory, file, flags });
        }
    }
    if !other_languages.is_empty() {
        plan.notes.push(format!("neither C nor C++, left out: {}", shortened(&other_languages)));
    }
    if !refused.is_empty() {
        let refused: Vec<String> = refused.into_iter().collect();
        let help = "to use them, give them with --cflags";
        plan.notes.push(format!("flags that a project must not choose, left out: {}; {help}", shortened(&refused)));
    }
    if !not_there.is_empty() {
        plan.notes.push(format!("{NOT_THERE}{}", shortened(&not_there)));
    }
    // Whatever is compared with it must not be compared with itself.
    if let Some(moved) = moved
        && !plan.commands.is_empty()
        && !plan.commands.iter().any(|unit| unit.file.starts_with(&moved.to))
    {
        let message = format!("it names no file in {}", moved.from.display());
        return Err(error(message, Some("it was written for another place; write it again".to_owned())));
    }
    if plan.commands.is_empty() {
        let message = if entries.is_empty() { "no unit in it" } else { "no C or C++ unit is chosen" };
        let help = entries.first().map(|entry| format!("the first unit is {}", entry.file.display()));
        return Err(error(message.to_owned(), help));
    }
    Ok(plan)
}

fn is_chosen(source: &str, object: &str, filters: &[String]) -> bool {
    let matches = |part: &str| source.contains(part) || object.contains(part);
    let excluded = filters.iter().filter_map(|filter| filter.strip_prefix('!')).any(matches);
    let mut wanted = filters.iter().filter(|filter| !filter.starts_with('!')).peekable();
    !excluded && (wanted.peek().is_none() || wanted.any(|filter| matches(filter)))
}

fn compile_unit(
    index: usize,
    unit: &UnitCommand,
    clang: &Path,
    headers: &Path,
    context: &Context,
) -> Result<UnitText, BuildError> {
    // Collecting the components drops a `.` from the middle.
    let source: PathBuf = unit.directory.join(&unit.file).components().collect();
    if !unit.directory.is_dir() {
        let command = process::display(&process::command(clang, context));
        let stderr = format!("{}: no such directory", unit.directory.display());
        let help = "compile_commands.json was written for another place; write it again".to_owned();
        return Err(BuildError::CompilerFailed { input: source, command, stderr, help: Some(help) });
    }
    let shared = context.options.shared.as_ref();
    if let Some(text) = shared.and_then(|(root, shared)| shared.take(root, &source, &unit.flags)) {
        let info = UnitInfo { source, command: None, ir: None };
        return Ok(UnitText { info, text, generated: true, notes: Vec::new(), compile: Duration::ZERO });
    }
    let ir = context.ir_path(&format!("{index:04}-"), &unit.file);
    let rule = context.scratch.join(format!("{index:04}.d"));
    let run = |flags: &[String]| {
        let mut command = process::command(clang, context);
        command.current_dir(&unit.directory);
        if clang::is_cpp(&unit.file, flags) {
            command.args(clang::CPP_FLAGS).arg("-isystem").arg(headers);
        }
        if shared.is_some() {
            command.arg("-MD").arg("-MF").arg(&rule);
        }
        command.args(flags).args(clang::LENIENT).args(clang::FLAGS).args(&context.options.cflags).arg("-o").arg(&ir);
        process::run(&mut command, context).map(|finished| (command, finished))
    };
    let (mut command, mut finished) = run(&unit.flags)?;
    let mut note = None;
    let rejected = flags::rejected(&finished.stderr);
    if !finished.status.success() && !rejected.is_empty() {
        note = Some(format!("{}: flags that clang does not know, left out: {}", source.display(), rejected.join(" ")));
        let known: Vec<_> = unit.flags.iter().filter(|flag| !rejected.contains(&flag.as_str())).cloned().collect();
        (command, finished) = run(&known)?;
    }
    if !finished.status.success() {
        return Err(finished.failure(&source, &command, None));
    }
    let mut text = read_compiled(&source, process::display(&command), &ir, finished.took, context)?;
    text.notes.extend(note);
    if let Some((root, shared)) = shared {
        let rule = std::fs::read_to_string(&rule).unwrap_or_default();
        shared.put(root, &source, &unit.flags, &unit.directory, &rule, &text.text);
    }
    Ok(text)
}

/// Compiles all units, as many at once as the options allow; results are in the order of the units. If some fail, the
/// error is that of the first one and tells of the others.
fn in_parallel<T: Send>(
    commands: &[UnitCommand],
    context: &Context,
    compile: impl Fn(usize, &UnitCommand) -> Result<Unit<T>, BuildError> + Sync,
) -> Result<Vec<Unit<T>>, BuildError> {
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..context.options.jobs.clamp(1, commands.len().max(1)) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed)
                    && let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(command) = commands.get(index)
                {
                    let result = compile(index, command);
                    if result.as_ref().is_err_and(|error| !matches!(error, BuildError::CompilerFailed { .. })) {
                        stop.store(true, Ordering::Relaxed);
                    }
                    results.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    results.sort_by_key(|(index, _)| *index);
    let (mut units, mut errors) = (Vec::new(), Vec::new());
    for (index, result) in results {
        match result {
            Ok(unit) => units.push(unit),
            Err(error) => errors.push((commands[index].file.display().to_string(), error)),
        }
    }
    let others: Vec<_> = errors.iter().skip(1).map(|(file, _)| file.clone()).collect();
    match errors.into_iter().next() {
        None => Ok(units),
        Some((_, BuildError::CompilerFailed { input, command, stderr, help })) => {
            let help = match others.len() {
                0 => help,
                1 => Some(format!("this unit fails too: {}", others[0])),
                _ => Some(format!("these units fail too: {}", shortened(&others))),
            };
            Err(BuildError::CompilerFailed { input, command, stderr, help })
        }
        Some((_, error)) => Err(error),
    }
}

fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn check(contents: &str, filters: &[&str], expect: &[&str]) {
        let filters: Vec<_> = filters.iter().map(|filter| (*filter).to_owned()).collect();
        let got = match plan(Path::new("db/compile_commands.json"), contents, &filters, None) {
            Ok(plan) => {
                let line = |unit: &UnitCommand| {
                    format!("{}: {}: {}", unit.directory.display(), unit.file.display(), unit.flags.join("|"))
                };
                plan.commands.iter().map(line).chain(plan.notes.iter().cloned()).collect()
            }
            Err(error) => vec![error.to_string()],
        };
        assert_eq!(got, expect, "{contents}");
    }

    #[test]
    fn commands_and_arguments_are_read() {
        check(
            r#"[{"directory": "/d", "file": "a.c", "command": "gcc -c -DX=\"a b\" '-DY=1 2' -o a.o a.c"},
                {"directory": "sub", "file": "../b.cc", "arguments": ["g++", "-O2", "-DZ=\"q\"", "../b.cc"]}]"#,
            &[],
            &["/d: a.c: -DX=a b|-DY=1 2|a.c", "db/sub: ../b.cc: -DZ=\"q\"|../b.cc"],
        );
    }

    #[test]
    fn the_same_unit_is_compiled_once() {
        check(
            r#"[{"directory": "/d", "file": "a.c", "command": "gcc -c a.c -o a.o"},
                {"directory": "/d", "file": "a.c", "command": "gcc -c -fPIC -DPIC -O2 a.c -o a.lo"},
                {"directory": "/d", "file": "a.c", "command": "gcc -c -DWIDE a.c -o w.o"}]"#,
            &[],
            &["/d: a.c: a.c", "/d: a.c: -DWIDE|a.c"],
        );
    }

    #[test]
    fn other_languages_are_left_out_with_a_note() {
        check(
            r#"[{"directory": "/d", "file": "a.c", "command": "cc a.c"},
                {"directory": "/d", "file": "b.S", "command": "cc b.S"},
                {"directory": "/d", "file": "c.inc", "command": "cc -x c c.inc"}]"#,
            &[],
            &["/d: a.c: a.c", "/d: c.inc: -x|c|c.inc", "neither C nor C++, left out: b.S"],
        );
    }

    #[test]
    fn units_are_chosen_by_source_or_object() {
        let db = r#"[{"directory": "/d", "file": "src/a.c", "command": "cc -o one.dir/a.o src/a.c"},
                     {"directory": "/d", "file": "src/b.c", "command": "cc src/b.c", "output": "two.dir/b.o"}]"#;
        let (a, b) = ("/d: src/a.c: src/a.c", "/d: src/b.c: src/b.c");
        check(db, &[], &[a, b]);
        check(db, &["src/a"], &[a]);
        check(db, &["two.dir"], &[b]);
        check(db, &["!two.dir"], &[a]);
        check(db, &["src", "!a.c"], &[b]);
        check(db, &["nothing"], &["db/compile_commands.json: no C or C++ unit is chosen"]);
    }

    #[test]
    fn a_bad_database_is_an_error() {
        check("[]", &[], &["db/compile_commands.json: no unit in it"]);
        check("{}", &[], &["db/compile_commands.json: invalid type: map, expected a sequence at line 1 column 0"]);
        check(r#"[{"directory": "/d"}]"#, &[], &["db/compile_commands.json: missing field `file` at line 1 column 20"]);
        let neither = "db/compile_commands.json: a.c: neither arguments nor a command that a shell would take";
        check(r#"[{"directory": "/d", "file": "a.c"}]"#, &[], &[neither]);
        check(r#"[{"directory": "/d", "file": "a.c", "command": "cc 'a.c"}]"#, &[], &[neither]);
    }
}
