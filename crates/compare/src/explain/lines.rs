//! Lines that may be the cause, as they are found, and which of them come first.

use super::Version;
use super::texts::{Spot, Texts};
use crate::diff::shown::is_of_library;
use crate::explore::{function_place, place};
use exec::program::Program;
use exec::record::{Event, EventKind, NOBODY};
use ir::id::{FuncId, Id, InstId};
use report::escape;
use report::explain::{Kind, Line};
use report::model::Place;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

/// Lines that were found.
#[derive(Default)]
pub(super) struct Lines {
    found: BTreeMap<Spot, Found>,
}

#[derive(Clone, Default)]
struct Found {
    kinds: Vec<Kind>,
    /// When it was last executed.
    latest: u32,
    column: u32,
}

impl Found {
    fn add(&mut self, kind: Kind, event: u32) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
        self.latest = self.latest.max(event);
    }
}

impl Lines {
    /// Whether nothing was found.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether no line was found that somebody changed.
    pub(super) fn has_no_change(&self) -> bool {
        let is_change = |kind: &Kind| matches!(kind, Kind::Changed | Kind::Removed);
        !self.found.values().any(|found| found.kinds.iter().any(is_change))
    }

    /// A line that was changed and executed: if it decides something that differs, that is enough to blame the change.
    pub(super) fn add_met(&mut self, place: Place) {
        let found = self.found.entry((place.file, place.line)).or_default();
        let decides = found.kinds.iter().any(|kind| matches!(kind, Kind::Decides | Kind::DecidedBefore));
        found.add(if decides { Kind::Changed } else { Kind::Met }, 0);
    }

    /// The line of an instruction.
    pub(super) fn add(&mut self, program: &Program, side: &Version, at: (FuncId, InstId), kind: Kind, event: u32) {
        if let Some(place) = line_of(program, side, at, event) {
            self.add_place(place, kind, event);
        }
    }

    pub(super) fn add_place(&mut self, place: Place, kind: Kind, event: u32) {
        let found = self.found.entry((place.file, place.line)).or_default();
        found.column = place.column;
        found.add(kind, event);
    }

    /// Nobody changed a line that reads the same in both versions. What computes something else there was changed where
    /// a macro is defined that the line is written with, or else where the function reads differently.
    pub(super) fn attribute(&mut self, texts: &Texts) {
        let is_sure = |kind: &Kind| matches!(kind, Kind::Changed | Kind::Removed);
        let same: Vec<(Spot, Found)> = self
            .found
            .iter()
            .filter(|(spot, found)| found.kinds.iter().any(is_sure) && texts.is_same(spot))
            .map(|(spot, found)| (spot.clone(), found.clone()))
            .collect();
        let is_written = |found: &Found, spot: &Spot| found.kinds.iter().any(is_sure) && texts.differs(&spot.0, spot.1);
        let written: FxHashSet<Spot> =
            self.found.iter().filter(|(spot, found)| is_written(found, spot)).map(|(spot, _)| spot.clone()).collect();
        for (spot, mut found) in same {
            let mut changed = texts.macros(&spot);
            if changed.is_empty() {
                changed = texts.nearest(&spot, |line| written.contains(line));
            }
            for (place, kind) in changed {
                self.add_place(place, kind, found.latest);
            }
            self.found.remove(&spot);
            // The same line of both versions is shown once.
            let is_old_only = found.kinds == [Kind::Removed];
            let shown = texts.in_new(&spot).filter(|_| is_old_only).unwrap_or(spot);
            found.kinds.retain(|kind| !is_sure(kind));
            found.add(Kind::Affected, found.latest);
            let merged = self.found.entry(shown).or_default();
            found.kinds.iter().for_each(|kind| merged.add(*kind, found.latest));
            merged.column = merged.column.max(found.column);
        }
    }

    /// Lines, the likeliest first: what was changed and decides, what was changed, what was removed, what decides; of what
    /// was changed or removed those that read differently before all others. Of these the one that was executed last.
    pub(super) fn ranked(&self, texts: &Texts) -> Vec<Line> {
        let rank = |found: &Found| {
            let has = |kind| found.kinds.contains(&kind);
            let decides = has(Kind::Decides) || has(Kind::DecidedBefore);
            match (has(Kind::Changed) || has(Kind::Affected) || has(Kind::Met), has(Kind::Removed), decides) {
                (true, _, true) => 0,
                (_, true, true) => 1,
                (true, _, false) => 2,
                (false, true, false) => 3,
                (false, false, _) => 4,
            }
        };
        let key = |(file, line): &Spot, found: &Found| {
            let rank = rank(found);
            (rank == 4, !texts.differs(file, *line), rank, Reverse(found.latest))
        };
        let mut all: Vec<(&Spot, &Found)> = self.found.iter().collect();
        all.sort_by(|(a, left), (b, right)| key(a, left).cmp(&key(b, right)).then(a.cmp(b)));
        let line = |(spot, found): (&Spot, &Found)| {
            let mut kinds = found.kinds.clone();
            kinds.sort_unstable();
            Line {
                place: Place { file: spot.0.clone(), line: spot.1, column: found.column },
                source: texts.text(spot).map(escape::source_line).or_else(|| source_line(spot)),
                kinds,
                alternative: None,
            }
        };
        all.into_iter().map(line).collect()
    }
}

/// The line of an instruction that was executed: code that was inlined into a file of the user's has the line there, and
/// what a function of a library does is done where the user's code calls it.
pub(super) fn line_of(program: &Program, side: &Version, at: (FuncId, InstId), event: u32) -> Option<Place> {
    let module = &program.module;
    let own = |(function, inst): (FuncId, InstId)| {
        let chain = module.debug.location_chain(module.functions[function].insts[inst].loc?);
        chain.filter_map(|at| place(module, at)).find(|place| !is_of_library(place))
    };
    let mut at = at;
    let mut event = event;
    while function_place(module, at.0).is_some_and(|place| is_of_library(&place)) {
        if let Some(found) = own(at) {
            return Some(found);
        }
        event = *side.calls.get(event as usize).filter(|call| **call < event)?;
        at = instruction(program, side, event)?;
    }
    own(at)
}

/// For each event that of the call which it happened in.
pub(super) fn calls(events: &[Event]) -> Vec<u32> {
    let mut calls = Vec::with_capacity(events.len());
    let mut stack: Vec<u32> = Vec::new();
    let mut latest = NOBODY;
    for (number, event) in (0u32..).zip(events) {
        match event.kind {
            EventKind::Enter => stack.push(latest),
            EventKind::Leave => {
                stack.pop();
            }
            EventKind::Step => latest = number,
            _ => {}
        }
        calls.push(stack.last().copied().unwrap_or(NOBODY));
    }
    calls
}

/// The instruction of an event.
pub(super) fn instruction(program: &Program, side: &Version, event: u32) -> Option<(FuncId, InstId)> {
    let happened = &side.run.log.events[event as usize];
    if !matches!(happened.kind, EventKind::Step | EventKind::Decision | EventKind::End) {
        return None;
    }
    let code = program.code(happened.function);
    code.insts.get(happened.at as usize).map(|inst| (happened.function, inst.id))
}

/// A line of a source file, if it can be read.
fn source_line((file, line): &Spot) -> Option<String> {
    let lines = crate::sources::lines(Path::new(file))?;
    Some(escape::source_line(lines.get(line.checked_sub(1)? as usize)?.trim()))
}

/// The lines that events of a run have.
pub(super) fn lines_of(program: &Program, side: &Version, events: impl Iterator<Item = u32>) -> FxHashSet<Spot> {
    let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
    let mut lines = FxHashSet::default();
    for event in events {
        if let Some((function, inst)) = instruction(program, side, event)
            && seen.insert((function.index(), inst.index()))
            && let Some(place) = line_of(program, side, (function, inst), event)
        {
            lines.insert((place.file, place.line));
        }
    }
    lines
}
