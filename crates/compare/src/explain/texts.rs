//! Which lines read differently in the two versions.
//!
//! A change moves control flow, so instructions beside it are not the same either, though nobody touched their lines. What
//! somebody wrote or took away is the likelier cause. Functions are compared with their partners, wherever they moved to;
//! what is outside of functions is compared file by file.

use super::macros::{Macros, headers};
use change::Changes;
use change::lines::extent;
use imara_diff::{Algorithm, Diff, Hunk, Token};
use ir::module::Module;
use report::explain::Kind;
use report::model::Place;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;

/// A line of a file, as debug info names the file.
pub(super) type Spot = (String, u32);

/// The sources of both versions, and what reads differently in them.
#[derive(Default)]
pub(super) struct Texts {
    sources: Sources,
    /// Lines of changed functions.
    functions: Vec<Pair>,
    /// Whole files.
    files: Vec<Pair>,
    differing: FxHashSet<Spot>,
    /// Lines that read differently and have no code of their own, such as labels of a `switch`: file, the last line of the
    /// function, and line.
    labels: Vec<(String, u32, u32)>,
    macros: Macros,
}

/// The same part of both versions, without empty lines.
struct Pair {
    lines: [Vec<Spot>; 2],
    hunks: Vec<Hunk>,
}

impl Texts {
    /// Looks at the sources, where they can be read.
    pub(super) fn new(old: &Module, new: &Module, changes: &Changes) -> Texts {
        let mut texts = Texts::default();
        let mut files: Vec<[String; 2]> = Vec::new();
        let mut covered: FxHashSet<Spot> = FxHashSet::default();
        for change in &changes.functions {
            let (Some(old_id), Some(new_id)) = (change.old, change.new) else { continue };
            let (Some(from), Some(to)) = (extent(old, old_id), extent(new, new_id)) else { continue };
            let both = [from.0.clone(), to.0.clone()];
            if !files.contains(&both) {
                files.push(both);
            }
            if change.diff.is_none() {
                continue;
            }
            let ends = [(from.0.clone(), from.2), (to.0.clone(), to.2)];
            let sides = [from, to].map(|(file, first, last)| {
                let end = texts.sources.closed(&file, last);
                texts.sources.lines(&file, first, end)
            });
            let pair = Pair::new(&sides);
            covered.extend(pair.lines.iter().flatten().cloned());
            let coded: FxHashSet<Spot> = [(old, old_id), (new, new_id)]
                .into_iter()
                .flat_map(|(module, id)| {
                    module.functions[id].body().filter_map(|(_, _, inst)| change::lines::line(module, inst.loc?))
                })
                .collect();
            for (side, (file, end)) in ends.into_iter().enumerate() {
                for (_, line) in pair.differing(side).filter(|spot| !coded.contains(spot)) {
                    texts.labels.push((file.clone(), end, line));
                }
                texts.differing.extend(pair.differing(side));
            }
            texts.functions.push(pair);
        }
        for global in &changes.globals {
            if let (Some((from, _)), Some((to, _))) = (&global.old_line, &global.new_line) {
                let both = [from.clone(), to.clone()];
                if !files.contains(&both) {
                    files.push(both);
                }
            }
        }
        texts.compare_files(files, &covered);
        texts
    }

    /// Compares whole files and the headers that they include; lines of functions are known better.
    fn compare_files(&mut self, mut files: Vec<[String; 2]>, covered: &FxHashSet<Spot>) {
        let mut at = 0;
        while at < files.len().min(MOST_FILES) {
            let both = files[at].clone();
            let sides = both.each_ref().map(|file| self.sources.lines(file, 1, u32::MAX));
            let pair = Pair::new(&sides);
            for side in [0, 1] {
                self.differing.extend(pair.differing(side).filter(|spot| !covered.contains(spot)));
                self.macros.add(side, &sides[side], &pair.differing(side).collect());
            }
            self.files.push(pair);
            let [from, to] = both.map(|file| headers(Path::new(&file), self.sources.of(&file)));
            for (name, new) in to {
                let old = from.iter().find(|(other, _)| *other == name);
                let both = old.map(|(_, old)| [old.clone(), new]);
                files.extend(both.filter(|both| !files.contains(both)));
            }
            at += 1;
        }
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

    /// Whether a line is known to read the same in both versions.
    pub(super) fn is_same(&self, spot: &Spot) -> bool {
        !self.differing.contains(spot) && self.sources.files.get(&spot.0).is_some_and(|lines| !lines.is_empty())
    }

    /// The text of a line, without the space around it.
    pub(super) fn text(&self, (file, line): &Spot) -> Option<&str> {
        Some(self.sources.files.get(file)?.get(line.checked_sub(1)? as usize)?.as_str())
    }

    /// The line of the new version that a line of the old one became.
    pub(super) fn in_new(&self, spot: &Spot) -> Option<Spot> {
        let mut pairs = self.functions.iter().chain(&self.files);
        pairs.find_map(|pair| {
            let at = pair.lines[0].iter().position(|line| line == spot)? as u32;
            let before = pair.hunks.iter().take_while(|hunk| hunk.before.end <= at);
            let moved = before.last().map_or(at, |hunk| hunk.after.end + (at - hunk.before.end));
            pair.lines[1].get(moved as usize).cloned()
        })
    }

    /// Changed macros that a line is written with.
    pub(super) fn macros(&self, spot: &Spot) -> Vec<(Place, Kind)> {
        self.text(spot).map(|text| self.macros.behind(text)).unwrap_or_default()
    }

    /// The change of a line's function that is nearest to it. Nothing if `is_known` knows a line of the function that reads
    /// differently.
    pub(super) fn nearest(&self, spot: &Spot, is_known: impl Fn(&Spot) -> bool) -> Vec<(Place, Kind)> {
        let found = self.functions.iter().find_map(|pair| {
            let at = |side: usize| pair.lines[side].iter().position(|line| line == spot);
            at(1).map(|at| (pair, 1, at)).or_else(|| Some((pair, 0, at(0)?)))
        });
        let Some((pair, side, at)) = found else { return Vec::new() };
        if pair.differing(0).chain(pair.differing(1)).any(|line| is_known(&line)) {
            return Vec::new();
        }
        let distance = |hunk: &&Hunk| {
            let range = if side == 0 { &hunk.before } else { &hunk.after };
            let at = at as u32;
            if at < range.start { range.start - at } else { at.saturating_sub(range.end.saturating_sub(1)) }
        };
        pair.hunks.iter().min_by_key(distance).map(|hunk| self.written(pair, hunk)).unwrap_or_default()
    }

    /// The lines of a change: those that were written, else those that were taken away.
    fn written(&self, pair: &Pair, hunk: &Hunk) -> Vec<(Place, Kind)> {
        let says_something = |spot: &&Spot| self.text(spot).is_some_and(says_something);
        let of = |side: usize, range: std::ops::Range<u32>, kind: Kind| -> Vec<(Place, Kind)> {
            let lines = pair.lines[side].get(range.start as usize..range.end as usize).unwrap_or_default();
            lines.iter().filter(says_something).map(|spot| (place(spot), kind)).collect()
        };
        let added = of(1, hunk.after.clone(), Kind::Changed);
        if added.is_empty() { of(0, hunk.before.clone(), Kind::Removed) } else { added }
    }

    /// Lines of a declaration that read differently, from its first line to its end: those that were written, else those
    /// that were taken away, else changed macros that it is written with.
    pub(super) fn of_declaration(&self, old: Option<&Spot>, new: &Spot) -> Vec<(Place, Kind)> {
        let within = |first: &Spot, kind: Kind| -> Vec<(Place, Kind)> {
            let lines = self.sources.declaration(first).filter(|spot| self.differing.contains(spot));
            lines.filter(|spot| self.text(spot).is_some_and(says_something)).map(|spot| (place(&spot), kind)).collect()
        };
        let mut found = within(new, Kind::Changed);
        if found.is_empty() {
            found = old.map(|old| within(old, Kind::Removed)).unwrap_or_default();
        }
        if found.is_empty() {
            found = self.sources.declaration(new).flat_map(|spot| self.macros(&spot)).collect();
        }
        found
    }

    /// All lines that read differently: those of changed functions of which `is_executed` knows a line.
    pub(super) fn in_executed(&self, is_executed: impl Fn(&Spot) -> bool) -> Vec<(Place, Kind)> {
        let met = self.functions.iter().filter(|pair| pair.lines.iter().flatten().any(&is_executed));
        let mut found: Vec<(Place, Kind)> =
            met.flat_map(|pair| pair.hunks.iter().flat_map(|hunk| self.written(pair, hunk))).collect();
        let runs = |(place, _): &(Place, Kind)| is_executed(&(place.file.clone(), place.line));
        // Lines without code, such as declarations, only if there is nothing else.
        if found.iter().any(runs) {
            found.retain(runs);
        }
        found
    }
}

/// Most files that are compared.
const MOST_FILES: usize = 256;

/// Whether a line is more than brackets or a comment.
fn says_something(text: &str) -> bool {
    text.contains(char::is_alphanumeric) && !text.starts_with("//") && !text.starts_with("/*")
}

fn place((file, line): &Spot) -> Place {
    Place { file: file.clone(), line: *line, column: 0 }
}

impl Pair {
    fn new(sides: &[Vec<(Spot, String)>; 2]) -> Pair {
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let tokens = sides.each_ref().map(|side| {
            let mut tokens = Vec::with_capacity(side.len());
            for (_, text) in side {
                let next = numbers.len() as u32;
                tokens.push(Token(*numbers.entry(text).or_insert(next)));
            }
            tokens
        });
        let mut diff = Diff::default();
        diff.compute_with(Algorithm::Histogram, &tokens[0], &tokens[1], numbers.len() as u32);
        let lines = sides.each_ref().map(|side| side.iter().map(|(spot, _)| spot.clone()).collect());
        Pair { lines, hunks: diff.hunks().collect() }
    }

    /// Lines of a side that the other one does not have.
    fn differing(&self, side: usize) -> impl Iterator<Item = Spot> {
        let ranges =
            self.hunks.iter().map(move |hunk| if side == 0 { hunk.before.clone() } else { hunk.after.clone() });
        ranges.flatten().filter_map(move |at| self.lines[side].get(at as usize).cloned())
    }
}

/// Source files that were read.
#[derive(Default)]
struct Sources {
    files: FxHashMap<String, Vec<String>>,
}

impl Sources {
    /// The lines of a file, without the space around them.
    fn of(&mut self, file: &str) -> &[String] {
        self.files.entry(file.to_owned()).or_insert_with(|| {
            let lines = crate::sources::lines(Path::new(file)).unwrap_or_default();
            lines.iter().map(|line| line.trim().to_owned()).collect()
        })
    }

    /// Lines from the first to the last one that are not empty.
    fn lines(&mut self, file: &str, first: u32, last: u32) -> Vec<(Spot, String)> {
        let numbered = (1u32..).zip(self.of(file)).skip_while(|(line, _)| *line < first);
        let within = numbered.take_while(|(line, _)| *line <= last).filter(|(_, text)| !text.is_empty());
        within.map(|(line, text)| ((file.to_owned(), line), text.clone())).collect()
    }

    /// The last of the lines with nothing but brackets that follow a line: whether the end of a function has code of its own
    /// depends on how it returns.
    fn closed(&mut self, file: &str, last: u32) -> u32 {
        let is_close = |text: &str| text.chars().all(|c| matches!(c, '}' | ')' | ']' | ';' | ','));
        let behind = (1u32..).zip(self.of(file)).skip(last as usize);
        behind.take_while(|(_, text)| is_close(text)).map(|(line, _)| line).last().unwrap_or(last)
    }

    /// The lines of a declaration that begins at a line: up to the semicolon that ends it.
    fn declaration(&self, (file, first): &Spot) -> impl Iterator<Item = Spot> {
        let lines = self.files.get(file).map(Vec::as_slice).unwrap_or_default();
        let mut depth = 0i32;
        let mut last = *first;
        'lines: for (line, text) in (1u32..).zip(lines).skip(first.saturating_sub(1) as usize).take(MOST_LINES) {
            last = line;
            let mut quoted = false;
            let mut before = ' ';
            for c in text.chars() {
                match c {
                    '"' if before != '\\' => quoted = !quoted,
                    _ if quoted => {}
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth -= 1,
                    ';' if depth <= 0 => break 'lines,
                    _ => {}
                }
                before = if before == '\\' { ' ' } else { c };
            }
        }
        let file = file.clone();
        (*first..=last).map(move |line| (file.clone(), line))
    }
}

/// Most lines of a declaration.
const MOST_LINES: usize = 100_000;
