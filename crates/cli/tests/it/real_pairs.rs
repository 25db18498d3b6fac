//! Whole libraries at consecutive versions: every function gets a verdict, every difference is one of native runs.
//!
//! The quick suite compares one small crate. With `PATHSHIFT_FULL=1` all pairs are compared, and with
//! `PATHSHIFT_PAGE=FILE` the results are written as a page: `docs/real-pairs.md` is such a page. `PATHSHIFT_PAIRS`
//! chooses some by name, `PATHSHIFT_SECONDS` says how long each function may take.

use crate::support::{full, pathshift, registry, scratch};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A package of the registry in two versions.
struct Pair {
    name: &'static str,
    /// What the user knows it as.
    title: &'static str,
    package: &'static str,
    old: &'static str,
    new: &'static str,
    /// Where its C files are, and which are part of the library; none for a crate.
    c: Option<C>,
}

struct C {
    folders: [&'static str; 2],
    flags: &'static str,
    left_out: &'static [&'static str],
}

const PAIRS: &[Pair] = &[
    Pair {
        name: "humantime",
        title: "humantime 2.0.0 → 2.0.1",
        package: "humantime",
        old: "2.0.0",
        new: "2.0.1",
        c: None,
    },
    Pair {
        name: "httpdate",
        title: "httpdate 1.0.1 → 1.0.2",
        package: "httpdate",
        old: "1.0.1",
        new: "1.0.2",
        c: None,
    },
    Pair { name: "semver", title: "semver 1.0.3 → 1.0.4", package: "semver", old: "1.0.3", new: "1.0.4", c: None },
    Pair {
        name: "zlib",
        title: "zlib 1.2.11 → 1.3.1 (libz-sys 1.1.12 → 1.1.15)",
        package: "libz-sys",
        old: "1.1.12",
        new: "1.1.15",
        c: Some(C { folders: ["src/zlib"; 2], flags: "-I.", left_out: &[] }),
    },
    Pair {
        name: "lua",
        title: "lua 5.4.7 → 5.4.8 (lua-src 547.0.0 → 548.1.1)",
        package: "lua-src",
        old: "547.0.0",
        new: "548.1.1",
        c: Some(C {
            folders: ["lua-5.4.7", "lua-5.4.8"],
            flags: "-I. -DLUA_USE_POSIX",
            left_out: &["lua", "luac", "onelua", "ltests"],
        }),
    },
];

#[test]
fn every_function_gets_a_verdict() {
    let chosen = std::env::var("PATHSHIFT_PAIRS").unwrap_or_default();
    let is_chosen = |pair: &&Pair| match (chosen.as_str(), full()) {
        ("", false) => pair.name == "httpdate",
        ("", true) => true,
        (names, _) => names.split(',').any(|name| name == pair.name),
    };
    let mut page = String::new();
    for pair in PAIRS.iter().filter(is_chosen) {
        page.push_str(&compare(pair));
    }
    println!("{page}");
    if let Some(path) = std::env::var_os("PATHSHIFT_PAGE") {
        std::fs::write(path, page).unwrap();
    }
}

fn compare(pair: &Pair) -> String {
    let dir = scratch();
    let folders = [(pair.old, 0), (pair.new, 1)].map(|(version, at)| prepare(pair, version, at, dir.path()));
    let seconds = std::env::var("PATHSHIFT_SECONDS").unwrap_or("2".to_owned());
    let started = Instant::now();
    let output = pathshift()
        .arg("diff")
        .args(&folders)
        .args(["--format", "json", "--timeout", &seconds, "--unwind", "6"])
        .output()
        .unwrap();
    let took = started.elapsed();
    let result: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}\n{}", pair.title, String::from_utf8_lossy(&output.stderr)));
    assert_eq!(result["run_state"], "complete", "{}", pair.title);
    let rows = result["functions"].as_array().unwrap();
    let count = |verdict: &str| rows.iter().filter(|row| row["verdict"] == verdict).count();
    for row in rows.iter().filter(|row| row["verdict"] == "different") {
        let confirmed = row["differences"].as_array().unwrap().iter().all(|difference| difference["replayed"] == true);
        assert!(confirmed, "{}: {row:#}", pair.title);
    }
    let mut page = format!("## {}\n\n", pair.title);
    let _ = writeln!(
        page,
        "{} untouched, {} proved the same, {} the same within bounds, {} different, {} undecided, {} with another interface, {} added, {} removed; \
         {:.0?} in all, at most {seconds} s a function.\n",
        result["unchanged"],
        count("same"),
        count("same_within_bounds"),
        count("different"),
        count("undecided"),
        count("interface"),
        count("added"),
        count("removed"),
        took
    );
    let shown = rows.iter().filter(|row| row["changed"] == true || row["verdict"] == "different");
    page.push_str("| function | verdict | ms | |\n|---|---|---:|---|\n");
    for row in shown {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            cell(&row["name"]),
            row["verdict"].as_str().unwrap(),
            row["stats"]["millis"],
            remark(row)
        );
    }
    page.push('\n');
    page
}

/// What the page says of a function.
fn remark(row: &Value) -> String {
    if let Some(difference) = row["differences"].get(0) {
        let inputs = difference["inputs"].as_array().unwrap().iter();
        let inputs: Vec<String> =
            inputs.map(|input| format!("{} = {}", cell(&input["name"]), cell(&input["value"]))).collect();
        let (old, new) = (cell(&difference["old"]["outcome"]), cell(&difference["new"]["outcome"]));
        let kind = difference["kind"].as_str().unwrap();
        return format!(
            "{kind}: given `{}` the old one `{}`, the new one `{}`",
            short(&inputs.join(", ")),
            short(&old),
            short(&new)
        );
    }
    match row["undecided"].get(0) {
        Some(reason) => short(&cell(&reason["reason"])),
        None => String::new(),
    }
}

fn cell(value: &Value) -> String {
    value.as_str().unwrap_or_default().replace('|', "\\|").replace('`', "'")
}

fn short(text: &str) -> String {
    if text.chars().count() <= 100 { text.to_owned() } else { text.chars().take(99).collect::<String>() + "…" }
}

/// A version as a folder that can be built.
fn prepare(pair: &Pair, version: &str, at: usize, dir: &Path) -> PathBuf {
    let copy = registry::writable_copy(pair.package, version, dir);
    let Some(c) = &pair.c else {
        // What cargo published names nothing outside of it.
        return copy;
    };
    let folder = copy.join(c.folders[at]);
    let files = registry::c_files(&folder, |name| !c.left_out.contains(&name));
    let units: Vec<Value> = files
        .iter()
        .map(|file| {
            let name = file.file_name().unwrap().to_str().unwrap();
            serde_json::json!({ "directory": ".", "file": name, "command": format!("cc {} -c {name}", c.flags) })
        })
        .collect();
    std::fs::write(folder.join("compile_commands.json"), serde_json::to_string(&units).unwrap()).unwrap();
    folder
}
