//! Seeded regressions: the line that was changed is in the explanation, and the explanation is short.

use compare::explain::{Expected, ExplainError, Number, Options, Part, Test, With, explain};
use ir::module::Module;
use smt::solver::Limits;
use smt::solver::chain::Chain;
use std::path::Path;

#[path = "../../../explore/tests/random/mod.rs"]
mod random;

fn options() -> Options {
    Options {
        explore: explore::options::Options::default(),
        program: exec::program::Options::default(),
        chain: Box::new(|| Chain::new(Vec::new(), Limits::default())),
        with: With::Slice,
    }
}

fn compile(folder: &Path, name: &str, source: &str) -> Module {
    let (from, to) = (folder.join(name), folder.join("t.ll"));
    std::fs::write(&from, source).unwrap();
    let clang = ["clang-19", "clang-16", "clang-15", "clang-14", "clang"].into_iter().find(|name| {
        std::process::Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    let status = std::process::Command::new(clang.unwrap())
        .args(["-g", "-O0", "-w", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", "-o"])
        .arg(&to)
        .arg(&from)
        .status()
        .unwrap();
    assert!(status.success(), "{source}");
    let mut module = ir::parse::parse(&std::fs::read_to_string(&to).unwrap()).unwrap();
    ir::promote::promote(&mut module);
    module
}

/// Changes one line: another operator or number. The text and which of its lines, if there is one to change.
fn seeded(text: &str, seed: usize) -> Option<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let swaps = [(" + ", " - "), (" < ", " <= "), (" > ", " >= "), (" == ", " != "), (" - ", " + "), ("= 1;", "= 4;")];
    for attempt in 0..lines.len() {
        // The first line declares variables, which all have initial values.
        let at = 1 + (seed + attempt) % (lines.len() - 1).max(1);
        let Some(line) = lines.get(at) else { continue };
        let found = (0..swaps.len()).map(|i| swaps[(seed + i) % swaps.len()]).find(|(from, _)| line.contains(from));
        if let Some((from, to)) = found {
            let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            changed[at] = line.replacen(from, to, 1);
            return Some((changed.join("\n") + "\n", at));
        }
    }
    None
}

#[test]
fn seeded_regressions_are_explained() {
    let wanted = if std::env::var_os("PATHSHIFT_FULL").is_some() { 500 } else { 25 };
    const IN_A_FILE: u64 = 10;
    let folder = tempfile::tempdir().unwrap();
    let (mut explained, mut found, mut sizes) = (0, 0, Vec::new());
    for file in 0.. {
        if explained >= wanted || file > 400 {
            break;
        }
        let mut sources = [random::PRELUDE.to_owned(), random::PRELUDE.to_owned()];
        let mut edits = Vec::new();
        for i in 0..IN_A_FILE {
            let seed = 100_000 + file * IN_A_FILE + i;
            let text = random::function(seed, &format!("f{i}"));
            let Some((changed, at)) = seeded(&text, seed as usize) else { continue };
            let before = sources[1].lines().count();
            sources[0].push_str(&text);
            sources[1].push_str(&changed);
            edits.push((format!("f{i}"), before + at + 1));
        }
        let old = compile(folder.path(), "old.c", &sources[0]);
        let new = compile(folder.path(), "new.c", &sources[1]);
        for (name, line) in edits {
            let id = |module: &Module| module.functions.ids().find(|&id| module.function_name(id) == name).unwrap();
            let inputs = [[0, 0, 0], [1, 2, 3], [5, 0, 1], [-1, 4, 2], [3, 3, 3], [6, -2, 5]];
            for [p, q, r] in inputs {
                let part = |(name, value): (&str, i128)| Part {
                    name: name.to_owned(),
                    value: Number::Integer(value),
                    text: value.to_string(),
                    optional: false,
                };
                let test = Test::Named([("p", p), ("q", q), ("r", r)].map(part).to_vec());
                match explain(&old, &new, (id(&old), id(&new)), (&test, &Expected::Nothing), &options()) {
                    Ok(explanation) => {
                        explained += 1;
                        sizes.push(explanation.lines.len());
                        let is_it =
                            |place: &report::model::Place| place.line as usize == line && place.file.ends_with("new.c");
                        found += usize::from(explanation.lines.iter().any(|line| is_it(&line.place)));
                        break;
                    }
                    Err(ExplainError::Same(_) | ExplainError::Unfinished { .. } | ExplainError::Unknown(_)) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    sizes.sort_unstable();
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    assert!(explained >= wanted.min(10), "only {explained} regressions");
    assert!(found * 10 >= explained * 9, "{found} of {explained} regressions have their line");
    assert!(median <= 5, "{median} lines in the median");
}
