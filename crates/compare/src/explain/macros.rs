//! Macros that were changed.
//!
//! No instruction has the line of a `#define`: what a macro stands for is compiled where it is used. A line that computes
//! something else, though it reads the same, may be written with a macro that was changed, or with one that is.

use super::texts::Spot;
use report::explain::Kind;
use report::model::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// The macros of both versions.
#[derive(Default)]
pub(super) struct Macros {
    /// Lines of definitions that read differently, by name, old and new.
    changed: [FxHashMap<String, Vec<Place>>; 2],
    /// Words that a macro stands for.
    stands_for: FxHashMap<String, Vec<String>>,
}

impl Macros {
    /// Looks for definitions in the lines of a file of one version.
    pub(super) fn add(&mut self, side: usize, lines: &[(Spot, String)], differing: &FxHashSet<Spot>) {
        let mut lines = lines.iter().peekable();
        while let Some((spot, text)) = lines.next() {
            let Some((name, mut body)) = definition(text) else { continue };
            let mut spots = vec![spot];
            let mut last = text;
            while last.ends_with('\\')
                && let Some((spot, text)) = lines.next()
            {
                body.extend(words(text).map(str::to_owned));
                spots.push(spot);
                last = text;
            }
            self.stands_for.entry(name.clone()).or_default().extend(body);
            let places = spots.into_iter().filter(|spot| differing.contains(spot));
            let places = places.map(|(file, line)| Place { file: file.clone(), line: *line, column: 0 });
            self.changed[side].entry(name).or_default().extend(places);
        }
    }

    /// Changed definitions that a text is written with; of those that were only shortened or taken away, the old ones.
    pub(super) fn behind(&self, text: &str) -> Vec<(Place, Kind)> {
        let mut names: Vec<&str> = words(text).collect();
        let mut seen: FxHashSet<&str> = names.iter().copied().collect();
        let mut found: Vec<(Place, Kind)> = Vec::new();
        while let Some(name) = names.pop() {
            let [old, new] =
                self.changed.each_ref().map(|changed| changed.get(name).filter(|places| !places.is_empty()));
            match (old, new) {
                (_, Some(places)) => found.extend(places.iter().map(|place| (place.clone(), Kind::Changed))),
                (Some(places), None) => found.extend(places.iter().map(|place| (place.clone(), Kind::Removed))),
                (None, None) => {
                    let words = self.stands_for.get(name).into_iter().flatten().map(String::as_str);
                    names.extend(words.filter(|word| seen.insert(word)));
                }
            }
        }
        found
    }
}

/// The files that a file includes by name, as it names them, where they are.
pub(super) fn headers(file: &Path, lines: &[String]) -> Vec<(String, String)> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let name = |line: &String| {
        let rest = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start().strip_prefix('"')?;
        Some(rest.split_once('"')?.0.to_owned())
    };
    let names = lines.iter().filter_map(name);
    let found = names.map(|name| (folder.join(&name).display().to_string(), name));
    found.filter(|(path, _)| Path::new(path).is_file()).map(|(path, name)| (name, path)).collect()
}

/// The macro that a line defines, and words that it stands for.
fn definition(line: &str) -> Option<(String, Vec<String>)> {
    let rest = line.strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let mut words = words(rest.strip_prefix([' ', '\t'])?).map(str::to_owned);
    Some((words.next()?, words.collect()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::{Macros, definition};
    use rustc_hash::FxHashSet;

    #[test]
    fn definitions() {
        for (line, name) in
            [("#define N 3", Some("N")), ("# define F(x) (x + N)", Some("F")), ("#undef N", None), ("int N;", None)]
        {
            assert_eq!(definition(line).map(|(name, _)| name).as_deref(), name, "{line}");
        }
    }

    #[test]
    fn a_macro_may_stand_for_a_changed_one() {
        let text = ["#define N 3", "#define F(x) \\", "(x + N)", "#define M 4"];
        let lines: Vec<_> =
            (1u32..).zip(text).map(|(line, text)| (("a.h".to_owned(), line), text.to_owned())).collect();
        let differing: FxHashSet<_> = [("a.h".to_owned(), 1)].into_iter().collect();
        let mut macros = Macros::default();
        macros.add(1, &lines, &differing);
        for (line, found) in [("return F(x);", 1), ("return N;", 1), ("return M;", 0)] {
            assert_eq!(macros.behind(line).len(), found, "{line}");
        }
    }
}
