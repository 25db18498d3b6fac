//! From changed instructions back to the source.

use crate::diff::{FunctionDiff, Status};
use ir::id::{BlockId, FuncId, InstId, LocId, ScopeId};
use ir::inst::{InstKind, Marker, Value};
use ir::module::{Function, Module};
use std::collections::{BTreeMap, BTreeSet};

/// Lines that changed together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// File of the old lines, as debug info names it; empty if there are none.
    pub old_file: String,
    /// Old lines with removed or changed instructions, ascending.
    pub old_lines: Vec<u32>,
    /// File of the new lines; empty if there are none.
    pub new_file: String,
    /// New lines with added or changed instructions, ascending.
    pub new_lines: Vec<u32>,
}

/// A line of a file, the file as debug info names it.
pub type Line = (String, u32);

/// Where an instruction is, seen from the function that it is in: of inlined code, where it was inlined.
pub fn line(module: &Module, loc: LocId) -> Option<Line> {
    let debug = &module.debug;
    let outermost = debug.location_chain(loc).last()?;
    let location = &debug.locations[outermost];
    let file = debug.file_of(location.scope?)?;
    (location.line > 0).then(|| (debug.file_path(&module.strings, file), location.line))
}

/// The lines of some instructions in a function's own file, ascending.
pub fn lines_of(module: &Module, id: FuncId, insts: impl IntoIterator<Item = InstId>) -> Vec<u32> {
    let function = &module.functions[id];
    let file = function.scope.and_then(|scope| scope_line(module, scope)).map(|(file, _)| file);
    let lines = insts.into_iter().filter_map(|inst| line(module, function.insts[inst].loc?));
    let own = lines.filter(|(other, _)| file.as_ref().is_none_or(|file| file == other));
    let lines: BTreeSet<u32> = own.map(|(_, line)| line).collect();
    lines.into_iter().collect()
}

/// Where a source function begins.
pub fn scope_line(module: &Module, scope: ScopeId) -> Option<Line> {
    let debug = &module.debug;
    let file = debug.file_of(scope)?;
    Some((debug.file_path(&module.strings, file), debug.scopes[scope].line))
}

/// First and last line of a function that has lines.
pub fn extent(module: &Module, id: FuncId) -> Option<(String, u32, u32)> {
    let function = &module.functions[id];
    let (file, start) = scope_line(module, function.scope?)?;
    let lines = function.body().filter_map(|(_, _, inst)| line(module, inst.loc?));
    let (first, last) = lines
        .filter(|(other, _)| *other == file)
        .fold((start, start), |(first, last), (_, line)| (first.min(line), last.max(line)));
    Some((file, first, last))
}

/// The hunks of a function's change, in the order of the new version.
pub(crate) fn hunks(old: &Module, new: &Module, old_id: FuncId, new_id: FuncId, diff: &FunctionDiff) -> Vec<Hunk> {
    let mut left = Lines::of(old, &old.functions[old_id], |inst| diff.of_old(inst).status);
    let mut right = Lines::of(new, &new.functions[new_id], |inst| diff.of_new(inst).status);
    left.mark_edges(&old.functions[old_id], &diff.old_edges);
    right.mark_edges(&new.functions[new_id], &diff.new_edges);
    // Which line of the other version an old line became; where it is several, the first.
    let mut moved: BTreeMap<&Line, &Line> = BTreeMap::new();
    for (inst, line) in &left.of_inst {
        if let Some(partner) = diff.of_old(*inst).partner
            && let Some(new_line) = right.of_inst.get(&partner)
        {
            let entry = moved.entry(line).or_insert(new_line);
            *entry = new_line.min(entry);
        }
    }
    let (old_runs, new_runs) = (left.runs(), right.runs());
    let mut hunks: Vec<(Vec<&Line>, Vec<&Line>)> = new_runs.iter().map(|run| (Vec::new(), run.lines.clone())).collect();
    for run in &old_runs {
        // The run of new lines that one of these became, else the one behind the same line.
        let became: BTreeSet<&Line> = run.lines.iter().filter_map(|line| moved.get(line).copied()).collect();
        let before = run.before.and_then(|line| moved.get(line).copied());
        let home = new_runs.iter().position(|new_run| new_run.lines.iter().any(|line| became.contains(line)));
        let home = home.or_else(|| new_runs.iter().position(|new_run| new_run.before == before));
        match home {
            Some(home) => hunks[home].0.extend(&run.lines),
            None => hunks.push((run.lines.clone(), Vec::new())),
        }
    }
    hunks.into_iter().map(|(old_lines, new_lines)| hunk(&old_lines, &new_lines)).collect()
}

/// All lines of a function that exists in one version only, as a hunk.
pub(crate) fn whole(module: &Module, id: FuncId) -> Option<(String, Vec<u32>)> {
    let lines = Lines::of(module, &module.functions[id], |_| Status::Unchanged);
    let first = lines.of_inst.values().next()?.0.clone();
    let start = module.functions[id].scope.and_then(|scope| scope_line(module, scope));
    let file = start.as_ref().map_or(first, |(file, _)| file.clone());
    let all: BTreeSet<u32> = lines.of_inst.into_values().chain(start).filter(|l| l.0 == file).map(|l| l.1).collect();
    Some((file, all.into_iter().collect()))
}

fn hunk(old: &[&Line], new: &[&Line]) -> Hunk {
    let lines = |lines: &[&Line]| {
        let set: BTreeSet<u32> = lines.iter().map(|line| line.1).collect();
        set.into_iter().collect()
    };
    let file = |lines: &[&Line]| lines.first().map_or(String::new(), |line| line.0.clone());
    Hunk { old_file: file(old), old_lines: lines(old), new_file: file(new), new_lines: lines(new) }
}

/// The lines of one version of a function.
struct Lines {
    of_inst: BTreeMap<InstId, Line>,
    /// Lines with code, and whether it changed.
    changed: BTreeMap<Line, bool>,
    /// Markers behind phis.
    joins: BTreeSet<InstId>,
}

/// Changed lines without an unchanged line with code between them.
struct Run<'a> {
    /// The last unchanged line with code before them.
    before: Option<&'a Line>,
    lines: Vec<&'a Line>,
}

impl Lines {
    fn of(module: &Module, function: &Function, status: impl Fn(InstId) -> Status) -> Lines {
        let mut known: BTreeMap<LocId, Option<Line>> = BTreeMap::new();
        let mut lines = Lines { of_inst: BTreeMap::new(), changed: BTreeMap::new(), joins: joins(function) };
        for (_, id, inst) in function.body() {
            if lines.joins.contains(&id) {
                continue;
            }
            let Some(loc) = inst.loc else { continue };
            let Some(line) = known.entry(loc).or_insert_with(|| line(module, loc)).clone() else { continue };
            *lines.changed.entry(line.clone()).or_default() |= status(id) != Status::Unchanged;
            lines.of_inst.insert(id, line);
        }
        lines
    }

    /// A phi has no line of its own. That of a variable is told by the assignments to it; of any other one what changed is
    /// where the value comes from.
    fn mark_edges(&mut self, function: &Function, edges: &[(InstId, BlockId)]) {
        let joined: BTreeSet<Value> = self.joins.iter().filter_map(|join| marked(function, *join)).collect();
        for (_, block) in edges.iter().filter(|(phi, _)| !joined.contains(&Value::Inst(*phi))) {
            let last = function.blocks[*block].insts.last();
            if let Some(line) = last.and_then(|inst| self.of_inst.get(inst)) {
                self.changed.insert(line.clone(), true);
            }
        }
    }

    fn runs(&self) -> Vec<Run<'_>> {
        let mut runs: Vec<Run<'_>> = Vec::new();
        let (mut before, mut open) = (None, false);
        for (line, changed) in &self.changed {
            match runs.last_mut().filter(|_| open) {
                Some(run) if *changed => run.lines.push(line),
                _ if *changed => runs.push(Run { before, lines: vec![line] }),
                _ => before = Some(line),
            }
            open = *changed;
        }
        runs
    }
}

/// Markers that assign nothing, though they have a line: those behind phis, and those that name parameters.
pub fn silent_markers(module: &Module, function: &Function) -> BTreeSet<InstId> {
    let mut silent = joins(function);
    for (_, id, inst) in function.body() {
        if let InstKind::Marker(Marker { value: Some(Value::Arg(_)), variable, .. }) = inst.kind {
            let variable = &module.debug.variables[variable];
            let is_at_declaration = inst.loc.is_none_or(|loc| module.debug.locations[loc].line == variable.line);
            if variable.arg > 0 && is_at_declaration {
                silent.insert(id);
            }
        }
    }
    silent
}

/// Markers that only repeat that a variable has one of several values from here on; their line is that of its
/// declaration.
fn joins(function: &Function) -> BTreeSet<InstId> {
    let mut joins = BTreeSet::new();
    for block in function.blocks.iter() {
        let mut phis = BTreeSet::new();
        for inst in &block.insts {
            match function.insts[*inst].kind {
                InstKind::Phi { .. } => {
                    phis.insert(*inst);
                }
                InstKind::Marker(Marker { value: Some(Value::Inst(value)), .. }) if phis.contains(&value) => {
                    joins.insert(*inst);
                }
                InstKind::Marker(_) => {}
                _ => break,
            }
        }
    }
    joins
}

/// The value that a marker gives its variable.
fn marked(function: &Function, inst: InstId) -> Option<Value> {
    match function.insts[inst].kind {
        InstKind::Marker(marker) => marker.value,
        _ => None,
    }
}
