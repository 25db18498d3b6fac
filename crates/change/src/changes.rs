//! All that changed between two versions.

use crate::body::signature;
use crate::canon::{Canon, is_known_by_contents};
use crate::diff::{FunctionDiff, diff};
use crate::hashes::{Hashes, uses};
use crate::keys::{Strangers, of_pair};
use crate::lines::{self, Hunk, Line};
use crate::matching::{self, Matching};
use crate::types::{self, TypeChange};
use ir::demangle::{demangle, function_display_name};
use ir::id::{FuncId, GlobalId, Id, SymbolId};
use ir::module::{Module, SymbolKind};

/// All that changed between two versions.
#[derive(Clone, Debug)]
pub struct Changes {
    /// Which symbols are the same.
    pub matching: Matching,
    /// Functions that are defined in a version, in the order of the new one, removed ones last.
    pub functions: Vec<FunctionChange>,
    /// Variables with a name that are defined in a version, likewise.
    pub globals: Vec<GlobalChange>,
    /// Source types that are not the same.
    pub types: Vec<TypeChange>,
    /// Digests of the old version's symbols.
    pub old_hashes: Hashes,
    /// Digests of the new version's symbols, under the names of the old one.
    pub new_hashes: Hashes,
    /// What limits the result.
    pub notes: Vec<String>,
}

/// What became of a function, variable or type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The same in both versions.
    Unchanged,
    /// In both versions, but not the same.
    Changed,
    /// In the new version only.
    Added,
    /// In the old version only.
    Removed,
}

/// A function of one or both versions.
#[derive(Clone, Debug)]
pub struct FunctionChange {
    /// The function in the old version.
    pub old: Option<FuncId>,
    /// The function in the new version.
    pub new: Option<FuncId>,
    /// Name in the new version as the user wrote it, or in the old one if it was removed.
    pub name: String,
    /// Name in the old version, if it has another one.
    pub old_name: Option<String>,
    /// What became of its own code.
    pub kind: Kind,
    /// Whether its type, convention or attributes changed.
    pub signature_changed: bool,
    /// Whether all that it calls and uses is the same too: it behaves the same.
    pub same: bool,
    /// What became of its instructions, if it is in both versions.
    pub diff: Option<FunctionDiff>,
    /// Where it changed; empty without debug info.
    pub hunks: Vec<Hunk>,
    /// Functions that it names whose own code is not the same, as positions in [`Changes::functions`].
    pub uses_functions: Vec<usize>,
    /// Variables that it names whose initial contents or properties are not the same, as positions in
    /// [`Changes::globals`].
    pub uses_globals: Vec<usize>,
}

/// A variable of one or both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalChange {
    /// The variable in the old version.
    pub old: Option<GlobalId>,
    /// The variable in the new version.
    pub new: Option<GlobalId>,
    /// Name in the new version, or in the old one if it was removed.
    pub name: String,
    /// Name in the old version, if it has another one.
    pub old_name: Option<String>,
    /// What became of its type, properties and initial contents.
    pub kind: Kind,
    /// Whether all that its contents point to is the same too.
    pub same: bool,
    /// Where it is declared in the old version.
    pub old_line: Option<Line>,
    /// Where it is declared in the new version.
    pub new_line: Option<Line>,
}

/// Compares two versions of a program. Both should be promoted: the comparison then knows values instead of stack memory.
pub fn compare(old: &Module, new: &Module) -> Changes {
    compare_knowing(old, new, &[])
}

/// The same where it is known of some symbols, old and new, that they are the same one, whatever their names.
pub fn compare_knowing(old: &Module, new: &Module, known: &[(SymbolId, SymbolId)]) -> Changes {
    let matching = matching::find(old, new, known);
    let (old_keys, new_keys) = of_pair(old, new, &matching, Strangers::Distinct);
    let (old_canon, new_canon) = (Canon::beside(old, old_keys, 0, new), Canon::beside(new, new_keys, 1, old));
    let (old_hashes, new_hashes) = (Hashes::under(&old_canon), Hashes::under(&new_canon));
    let versions = Versions { old: old_canon, new: new_canon, old_hashes, new_hashes };
    let pairs = versions.pairs(&matching);
    let mut functions: Vec<FunctionChange> = pairs.iter().filter_map(|pair| versions.function(*pair)).collect();
    let globals: Vec<GlobalChange> = pairs.iter().filter_map(|pair| versions.global(*pair)).collect();
    versions.find_uses(&mut functions, &globals);
    Changes {
        functions,
        globals,
        types: types::compare(old, new),
        notes: notes(old, new),
        matching,
        old_hashes: versions.old_hashes,
        new_hashes: versions.new_hashes,
    }
}

/// Compares two versions of a function, in modules whose symbols are matched.
pub fn compare_function(old: &Module, new: &Module, matching: &Matching, pair: (FuncId, FuncId)) -> FunctionDiff {
    let (old_keys, new_keys) = of_pair(old, new, matching, Strangers::Distinct);
    diff(&Canon::beside(old, old_keys, 0, new), &Canon::beside(new, new_keys, 1, old), pair.0, pair.1)
}

/// A symbol of one or both versions.
type Pair = (Option<SymbolId>, Option<SymbolId>);

struct Versions<'m> {
    old: Canon<'m>,
    new: Canon<'m>,
    old_hashes: Hashes,
    new_hashes: Hashes,
}

impl Versions<'_> {
    fn pairs(&self, matching: &Matching) -> Vec<Pair> {
        let named = |module: &Module, symbol: &SymbolId| !is_known_by_contents(module, *symbol);
        let (old, new) = (self.old.module, self.new.module);
        let news = new.symbols.ids().filter(|s| named(new, s)).map(|s| (matching.old_of(s), Some(s)));
        let gone = old.symbols.ids().filter(|s| named(old, s) && matching.new_of(*s).is_none());
        news.chain(gone.map(|s| (Some(s), None))).collect()
    }

    fn equal(&self, (old, new): Pair, digest: impl Fn(&Hashes, SymbolId) -> crate::digest::Digest) -> bool {
        match (old, new) {
            (Some(old), Some(new)) => digest(&self.old_hashes, old) == digest(&self.new_hashes, new),
            _ => false,
        }
    }

    fn function(&self, pair: Pair) -> Option<FunctionChange> {
        let (old, new) = (self.old.module, self.new.module);
        let old_id = pair.0.and_then(|symbol| function_of(old, symbol));
        let new_id = pair.1.and_then(|symbol| function_of(new, symbol));
        let defined = |module: &Module, id: Option<FuncId>| id.filter(|id| module.functions[*id].is_defined());
        let kind = match (defined(old, old_id), defined(new, new_id)) {
            (None, None) => return None,
            (Some(_), Some(_)) if self.equal(pair, Hashes::own) => Kind::Unchanged,
            (Some(_), Some(_)) => Kind::Changed,
            (None, Some(_)) => Kind::Added,
            (Some(_), None) => Kind::Removed,
        };
        let both = defined(old, old_id).zip(defined(new, new_id));
        let diff = both.map(|(left, right)| diff(&self.old, &self.new, left, right));
        let hunks = match (kind, both, &diff) {
            (Kind::Changed, Some((left, right)), Some(diff)) => lines::hunks(old, new, left, right, diff),
            (Kind::Added, ..) => new_id.and_then(|id| lines::whole(new, id)).map(added).into_iter().collect(),
            (Kind::Removed, ..) => old_id.and_then(|id| lines::whole(old, id)).map(removed).into_iter().collect(),
            _ => Vec::new(),
        };
        let old_name = old_id.map(|id| function_display_name(old, id));
        let new_name = new_id.map(|id| function_display_name(new, id));
        let name = new_name.or(old_name.clone()).unwrap_or_default();
        Some(FunctionChange {
            old: old_id,
            new: new_id,
            old_name: old_name.filter(|old_name| *old_name != name),
            name,
            kind,
            signature_changed: old_id
                .zip(new_id)
                .is_some_and(|(left, right)| signature(&self.old, left) != signature(&self.new, right)),
            same: self.equal(pair, Hashes::full),
            diff,
            hunks,
            uses_functions: Vec::new(),
            uses_globals: Vec::new(),
        })
    }

    fn global(&self, pair: Pair) -> Option<GlobalChange> {
        let (old, new) = (self.old.module, self.new.module);
        let old_id = pair.0.and_then(|symbol| variable_of(old, symbol));
        let new_id = pair.1.and_then(|symbol| variable_of(new, symbol));
        let defined =
            |module: &Module, id: Option<GlobalId>| id.is_some_and(|id| module.globals[id].initializer.is_some());
        let kind = match (defined(old, old_id), defined(new, new_id)) {
            (false, false) => return None,
            (true, true) if self.equal(pair, Hashes::own) => Kind::Unchanged,
            (true, true) => Kind::Changed,
            (false, true) => Kind::Added,
            (true, false) => Kind::Removed,
        };
        let old_name = old_id.map(|id| variable_name(old, id));
        let name = new_id.map(|id| variable_name(new, id)).or(old_name.clone()).unwrap_or_default();
        Some(GlobalChange {
            old: old_id,
            new: new_id,
            old_name: old_name.filter(|old_name| *old_name != name),
            name,
            kind,
            same: self.equal(pair, Hashes::full),
            old_line: old_id.and_then(|id| variable_line(old, id)),
            new_line: new_id.and_then(|id| variable_line(new, id)),
        })
    }

    /// Notes which functions name something that is not the same.
    fn find_uses(&self, functions: &mut [FunctionChange], globals: &[GlobalChange]) {
        let mut by_symbol = [Positions::new(self.old.module), Positions::new(self.new.module)];
        for (position, function) in functions.iter().enumerate().filter(|(_, f)| f.kind != Kind::Unchanged) {
            by_symbol[0].set(function.old.map(|id| self.old.module.functions[id].symbol), Changed::Function(position));
            by_symbol[1].set(function.new.map(|id| self.new.module.functions[id].symbol), Changed::Function(position));
        }
        for (position, global) in globals.iter().enumerate().filter(|(_, g)| g.kind != Kind::Unchanged) {
            by_symbol[0].set(global.old.map(|id| self.old.module.globals[id].symbol), Changed::Global(position));
            by_symbol[1].set(global.new.map(|id| self.new.module.globals[id].symbol), Changed::Global(position));
        }
        let all_uses = [uses(self.old.module), uses(self.new.module)];
        for (position, function) in functions.iter_mut().enumerate() {
            let symbols = [
                function.old.map(|id| self.old.module.functions[id].symbol),
                function.new.map(|id| self.new.module.functions[id].symbol),
            ];
            let mut found = Vec::new();
            for ((symbol, positions), uses) in symbols.iter().zip(&by_symbol).zip(&all_uses) {
                let used = symbol.iter().flat_map(|symbol| &uses[symbol.index()]);
                found.extend(used.filter_map(|used| positions.changed[used.index()]));
            }
            found.sort_unstable();
            found.dedup();
            for changed in found {
                match changed {
                    Changed::Function(other) if other != position => function.uses_functions.push(other),
                    Changed::Function(_) => {}
                    Changed::Global(global) => function.uses_globals.push(global),
                }
            }
        }
    }
}

/// Something that is not the same in both versions, by its position in the result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Changed {
    Function(usize),
    Global(usize),
}

/// What changed, by the symbols of one version; aliases stand for what they name.
struct Positions {
    changed: Vec<Option<Changed>>,
    /// Aliases with what they name.
    aliases: Vec<(SymbolId, SymbolId)>,
}

impl Positions {
    fn new(module: &Module) -> Positions {
        let aliases = module.symbols.iter_ids().filter_map(|(alias, symbol)| match symbol.kind {
            SymbolKind::Alias { target, .. } => Some((alias, module.base_symbol(target)?)),
            _ => None,
        });
        Positions { changed: vec![None; module.symbols.len()], aliases: aliases.collect() }
    }

    fn set(&mut self, symbol: Option<SymbolId>, changed: Changed) {
        let Some(symbol) = symbol else { return };
        self.changed[symbol.index()] = Some(changed);
        for (alias, target) in &self.aliases {
            if *target == symbol {
                self.changed[alias.index()] = Some(changed);
            }
        }
    }
}

fn function_of(module: &Module, symbol: SymbolId) -> Option<FuncId> {
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) => Some(id),
        _ => None,
    }
}

fn variable_of(module: &Module, symbol: SymbolId) -> Option<GlobalId> {
    match module.symbols[symbol].kind {
        SymbolKind::Variable(id) => Some(id),
        _ => None,
    }
}

/// The name of a variable as the user wrote it; that of the symbol if debug info does not know it.
fn variable_name(module: &Module, id: GlobalId) -> String {
    demangle(module.symbol_name(module.globals[id].symbol))
}

fn variable_line(module: &Module, id: GlobalId) -> Option<Line> {
    let variable = &module.debug.variables[module.globals[id].variable?];
    let file = variable.file.or_else(|| module.debug.file_of(variable.scope?))?;
    (variable.line > 0).then(|| (module.debug.file_path(&module.strings, file), variable.line))
}

fn added((new_file, new_lines): (String, Vec<u32>)) -> Hunk {
    Hunk { new_file, new_lines, ..Hunk::default() }
}

fn removed((old_file, old_lines): (String, Vec<u32>)) -> Hunk {
    Hunk { old_file, old_lines, ..Hunk::default() }
}

fn notes(old: &Module, new: &Module) -> Vec<String> {
    let mut notes = Vec::new();
    for (version, module) in [("old", old), ("new", new)] {
        if module.debug.locations.is_empty() && module.functions.iter().any(|function| function.is_defined()) {
            notes
                .push(format!("the {version} version has no debug info: changes are told by instruction, not by line"));
        }
    }
    if old.triple != new.triple || old.layout.text != new.layout.text {
        notes.push(format!("the versions are built for different targets: {} and {}", old.triple, new.triple));
    }
    notes
}
