//! The result in names, numbers and lines only, ready to be shown.

use crate::changes::{Changes, Kind};
use crate::diff::{FunctionDiff, Status};
use crate::lines::{Hunk, extent};
use crate::types::TypeChange;
use ir::inst::InstKind;
use ir::module::{Function, Module};

/// What changed, ready to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How much there is of everything.
    pub counts: Counts,
    /// Functions that are not the same, or use something that is not, in the order of the new version.
    pub functions: Vec<FunctionSummary>,
    /// Variables that are not the same.
    pub globals: Vec<GlobalSummary>,
    /// Source types that are not the same.
    pub types: Vec<TypeChange>,
    /// What limits the result.
    pub notes: Vec<String>,
}

/// How much there is of everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Functions.
    pub functions: KindCounts,
    /// Functions, changed or not, that behave the same because all that they reach is the same.
    pub same: usize,
    /// Unchanged functions that name something changed.
    pub use_changed: usize,
    /// Variables.
    pub globals: KindCounts,
    /// Source types that are not the same.
    pub types: usize,
    /// Instructions of functions that are in both versions.
    pub instructions: InstructionCounts,
}

/// How many there are of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KindCounts {
    /// The same in both versions, renamed ones included.
    pub unchanged: usize,
    /// In both versions, not the same, renamed ones included.
    pub changed: usize,
    /// In the new version only.
    pub added: usize,
    /// In the old version only.
    pub removed: usize,
    /// Under another name in each version.
    pub renamed: usize,
}

/// How many instructions there are of each status; markers do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstructionCounts {
    /// The same in both versions.
    pub unchanged: usize,
    /// Not the same.
    pub changed: usize,
    /// In the new version only.
    pub added: usize,
    /// In the old version only.
    pub removed: usize,
}

/// A function that is not the same, or uses something that is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSummary {
    /// Name.
    pub name: String,
    /// Name in the old version, if it has another one.
    pub old_name: Option<String>,
    /// What became of its own code.
    pub kind: Kind,
    /// Whether callers see another type, convention or set of promises.
    pub signature_changed: bool,
    /// File, first and last line in the old version.
    pub old_lines: Option<(String, u32, u32)>,
    /// File, first and last line in the new version.
    pub new_lines: Option<(String, u32, u32)>,
    /// Where it changed.
    pub hunks: Vec<Hunk>,
    /// Its instructions.
    pub instructions: InstructionCounts,
    /// Names of functions that it names and that changed.
    pub uses_functions: Vec<String>,
    /// Names of variables that it names and that changed.
    pub uses_globals: Vec<String>,
}

/// A variable that is not the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalSummary {
    /// Name.
    pub name: String,
    /// Name in the old version, if it has another one.
    pub old_name: Option<String>,
    /// What became of it.
    pub kind: Kind,
    /// File and line of its declaration in the old version.
    pub old_line: Option<(String, u32)>,
    /// File and line of its declaration in the new version.
    pub new_line: Option<(String, u32)>,
}

/// Sums up the changes between two modules.
pub fn summarise(old: &Module, new: &Module, changes: &Changes) -> Summary {
    let mut summary = Summary {
        counts: Counts { types: changes.types.len(), ..Counts::default() },
        functions: Vec::new(),
        globals: Vec::new(),
        types: changes.types.clone(),
        notes: changes.notes.clone(),
    };
    let counts = &mut summary.counts;
    for function in &changes.functions {
        counts.functions.count(function.kind, function.old_name.is_some());
        counts.same += usize::from(function.same);
        let instructions = match (function.old, function.new, &function.diff) {
            (Some(left), Some(right), Some(diff)) => {
                count_instructions(&old.functions[left], &new.functions[right], diff)
            }
            _ => InstructionCounts::default(),
        };
        counts.instructions.add(instructions);
        let uses_changed = !function.uses_functions.is_empty() || !function.uses_globals.is_empty();
        counts.use_changed += usize::from(uses_changed && function.kind == Kind::Unchanged);
        if function.kind == Kind::Unchanged && function.old_name.is_none() && !uses_changed {
            continue;
        }
        summary.functions.push(FunctionSummary {
            name: function.name.clone(),
            old_name: function.old_name.clone(),
            kind: function.kind,
            signature_changed: function.signature_changed,
            old_lines: function.old.and_then(|id| extent(old, id)),
            new_lines: function.new.and_then(|id| extent(new, id)),
            hunks: function.hunks.clone(),
            instructions,
            uses_functions: function.uses_functions.iter().map(|i| changes.functions[*i].name.clone()).collect(),
            uses_globals: function.uses_globals.iter().map(|i| changes.globals[*i].name.clone()).collect(),
        });
    }
    for global in &changes.globals {
        counts.globals.count(global.kind, global.old_name.is_some());
        if global.kind != Kind::Unchanged || global.old_name.is_some() {
            summary.globals.push(GlobalSummary {
                name: global.name.clone(),
                old_name: global.old_name.clone(),
                kind: global.kind,
                old_line: global.old_line.clone(),
                new_line: global.new_line.clone(),
            });
        }
    }
    summary
}

impl KindCounts {
    fn count(&mut self, kind: Kind, renamed: bool) {
        self.renamed += usize::from(renamed);
        match kind {
            Kind::Unchanged => self.unchanged += 1,
            Kind::Changed => self.changed += 1,
            Kind::Added => self.added += 1,
            Kind::Removed => self.removed += 1,
        }
    }
}

impl InstructionCounts {
    fn add(&mut self, other: InstructionCounts) {
        self.unchanged += other.unchanged;
        self.changed += other.changed;
        self.added += other.added;
        self.removed += other.removed;
    }
}

fn count_instructions(old: &Function, new: &Function, diff: &FunctionDiff) -> InstructionCounts {
    let mut counts = InstructionCounts::default();
    let is_code = |kind: &InstKind| !matches!(kind, InstKind::Marker(_));
    for (_, id, _) in new.body().filter(|(_, _, inst)| is_code(&inst.kind)) {
        match diff.of_new(id).status {
            Status::Unchanged => counts.unchanged += 1,
            Status::Changed => counts.changed += 1,
            Status::Added => counts.added += 1,
            Status::Removed => counts.removed += 1,
        }
    }
    let removed = |(_, id, inst): &(_, ir::id::InstId, &ir::inst::Inst)| {
        is_code(&inst.kind) && diff.of_old(*id).status == Status::Removed
    };
    counts.removed += old.body().filter(removed).count();
    counts
}
