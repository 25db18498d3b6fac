//! Which packages a cargo package is built with, and what became of them between two versions.
//!
//! Verdicts are about the user's own code. A dependency that got another version may do something else, and every function that
//! uses it with it; nobody compares that, so it has to be said.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use toml::{Table, Value};

/// Dependencies that are not the same in both versions of a package, in words. Those that only tests need do not count.
pub fn changed(old: &Path, new: &Path) -> Vec<String> {
    let (Some(old), Some(new)) = (used(old), used(new)) else { return Vec::new() };
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let versions = |of: &BTreeMap<String, BTreeSet<String>>, name: &String| {
        of.get(name).map(|versions| versions.iter().cloned().collect::<Vec<_>>().join(", "))
    };
    let differing = names.into_iter().filter_map(|name| match (versions(&old, name), versions(&new, name)) {
        (Some(before), Some(after)) if before != after => Some(format!("{name} {before} became {after}")),
        _ => None,
    });
    differing.collect()
}

/// The packages of registries that a package uses, directly or not, with their versions.
fn used(package: &Path) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let manifest = read(&package.join("Cargo.toml"))?;
    let lock = package.ancestors().find_map(|folder| read(&folder.join("Cargo.lock")))?;
    let packages: Vec<&Table> = lock.get("package")?.as_array()?.iter().filter_map(Value::as_table).collect();
    let text = |table: &Table, key: &str| table.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut todo: Vec<String> = Vec::new();
    for (name, wanted) in manifest.get("dependencies").and_then(Value::as_table).into_iter().flatten() {
        let renamed = wanted.as_table().and_then(|wanted| text(wanted, "package"));
        todo.push(renamed.unwrap_or_else(|| name.clone()));
    }
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    while let Some(wanted) = todo.pop() {
        if !seen.insert(wanted.clone()) {
            continue;
        }
        // A lock file names the version where there are several.
        let mut words = wanted.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next());
        for package in &packages {
            let (Some(known), Some(of)) = (text(package, "name"), text(package, "version")) else { continue };
            if known != name || version.is_some_and(|version| version != of) {
                continue;
            }
            if package.contains_key("source") {
                found.entry(known).or_default().insert(of);
            }
            let more = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
            todo.extend(more.filter_map(Value::as_str).map(str::to_owned));
        }
    }
    Some(found)
}

fn read(path: &Path) -> Option<Table> {
    std::fs::read_to_string(path).ok()?.parse().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_with_other_versions_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let write = |version: &str, width: &str, tool: &str| {
            let folder = dir.path().join(version);
            std::fs::create_dir(&folder).unwrap();
            let manifest =
                "[dependencies]\nshown = { package = \"text\", version = \"1\" }\n[dev-dependencies]\ntool = \"1\"\n";
            std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
            let package = |name: &str, version: &str, uses: &str| {
                format!(
                    "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"r\"\ndependencies = [{uses}]\n"
                )
            };
            let lock =
                package("text", "1.0.0", "\"width\"") + &package("width", width, "") + &package("tool", tool, "");
            std::fs::write(folder.join("Cargo.lock"), lock).unwrap();
            folder
        };
        let [a, b, c] = [write("a", "0.1.0", "1.0.0"), write("b", "0.2.0", "1.0.0"), write("c", "0.1.0", "2.0.0")];
        assert_eq!(changed(&a, &b), ["width 0.1.0 became 0.2.0"]);
        assert!(changed(&a, &c).is_empty());
        assert!(changed(&a, dir.path()).is_empty());
    }
}
