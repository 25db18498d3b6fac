//! Which lines read differently in the two versions.
//!
//! A change moves control flow, so instructions beside it are not the same either, though nobody touched their lines. What
//! somebody wrote or took away is the likelier cause.

use crate::explore::place;
use change::Changes;
use imara_diff::{Algorithm, Diff, Token};
use ir::id::FuncId;
use ir::module::Module;
use report::model::Place;
use rustc_hash::{FxHashMap, FxHashSet};

/// Lines of changed functions that the other version does not have.
#[derive(Default)]
pub(super) struct Texts {
    differing: FxHashSet<(String, u32)>,
    /// Those that have no code of their own, such as labels of a `switch`: file, the last line of the function, and line.
    labels: Vec<(String, u32, u32)>,
}

impl Texts {
    /// Looks at the sources, where they can be read.
    pub(super) fn new(old: &Module, new: &Module, changes: &Changes) -> Texts {
        let mut sources = Sources::default();
        let mut texts = Texts::default();
        for change in changes.functions.iter().filter(|change| change.diff.is_some()) {
            let (Some(old_id), Some(new_id)) = (change.old, change.new) else { continue };
            let sides = [sources.lines(old, old_id), sources.lines(new, new_id)];
            let mut numbers = FxHashMap::default();
            let tokens = sides.each_ref().map(|side| {
                let number = |(_, _, text): &(String, u32, String)| {
                    let next = numbers.len() as u32;
                    Token(*numbers.entry(text.clone()).or_insert(next))
                };
                side.iter().map(number).collect::<Vec<Token>>()
            });
            let mut diff = Diff::default();
            diff.compute_with(Algorithm::Histogram, &tokens[0], &tokens[1], numbers.len() as u32);
            let removed = (0u32..).zip(&sides[0]).filter(|(at, _)| diff.is_removed(*at));
            let added = (0u32..).zip(&sides[1]).filter(|(at, _)| diff.is_added(*at));
            let lines: Vec<(String, u32)> =
                removed.chain(added).map(|(_, (file, line, _))| (file.clone(), *line)).collect();
            let coded: FxHashSet<(String, u32)> = [(old, old_id), (new, new_id)]
                .into_iter()
                .flat_map(|(module, id)| places(module, id))
                .map(|place| (place.file, place.line))
                .collect();
            for (file, line) in lines.iter().filter(|line| !coded.contains(line)) {
                let end = coded.iter().filter(|(other, _)| other == file).map(|(_, line)| *line).max();
                texts.labels.push((file.clone(), end.unwrap_or(*line), *line));
            }
            texts.differing.extend(lines);
        }
        texts
    }

    /// Counts lines among those that read differently: declarations that may go on behind their first line.
    pub(super) fn add<'p>(&mut self, places: impl Iterator<Item = &'p Place>) {
        self.differing.extend(places.map(|place| (place.file.clone(), place.line)));
    }

    /// Lines without code that read differently and may belong to a decision at a line: where a `switch` goes is said behind it.
    pub(super) fn labels(&self, file: &str, line: u32) -> impl Iterator<Item = u32> {
        let behind = move |(own, end, label): &&(String, u32, u32)| own == file && (line..=*end).contains(label);
        self.labels.iter().filter(behind).map(|(_, _, label)| *label)
    }

    /// Whether a line reads differently, or is not there, in the other version.
    pub(super) fn differs(&self, file: &str, line: u32) -> bool {
        self.differing.contains(&(file.to_owned(), line))
    }
}

/// Where a function has code.
fn places(module: &Module, id: FuncId) -> impl Iterator<Item = Place> {
    module.functions[id].body().filter_map(|(_, _, inst)| place(module, inst.loc?))
}

/// Source files that were read.
#[derive(Default)]
struct Sources {
    files: FxHashMap<String, Vec<String>>,
}

impl Sources {
    /// The lines of a function, from the first to the last one that has code: file, number, text without the space around it.
    fn lines(&mut self, module: &Module, id: FuncId) -> Vec<(String, u32, String)> {
        let mut ranges: FxHashMap<String, (u32, u32)> = FxHashMap::default();
        for place in places(module, id) {
            let range = ranges.entry(place.file).or_insert((place.line, place.line));
            *range = (range.0.min(place.line), range.1.max(place.line));
        }
        let mut all = Vec::new();
        for (file, (first, last)) in ranges {
            let lines = self.files.entry(file.clone()).or_insert_with(|| {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                text.lines().map(|line| line.trim().to_owned()).collect()
            });
            let numbered = (1u32..).zip(lines.iter()).skip_while(|(line, _)| *line < first);
            let within = numbered.take_while(|(line, _)| *line <= last).filter(|(_, text)| !text.is_empty());
            all.extend(within.map(|(line, text)| (file.clone(), line, text.clone())));
        }
        all
    }
}
