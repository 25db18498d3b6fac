//! Verdicts of earlier runs.
//!
//! A verdict is known by what both versions of the function are, with all that they use, by the bounds, and by the build of
//! this program. It is shown with lines, names and source text, so these count too: of the function and of every function
//! that it uses. So do the source types of the whole version and its variables that nobody changes, since scopes and padding
//! depend on them. An edit of other code leaves it valid, one of a type or of debug info's names may not. What was undecided is tried
//! again, since there may be more time.

use super::findings::Findings;
use super::task::Task;
use crate::store::{Store, this_build};
use change::hashes::uses;
use change::{FunctionChange, Hashes};
use evidence::{Assumption, Verdict};
use ir::id::{FuncId, Id, SymbolId};
use ir::module::{Module, SymbolKind};
use report::model::Place;
use rustc_hash::FxHashMap;
use smt::pool::digest::{mix, text};
use std::collections::BTreeSet;
use std::path::Path;

/// The form in which findings are kept: another number for another form.
const FORM: u32 = 1;

/// What earlier runs said of two versions.
pub(super) struct Memory<'m> {
    store: &'m Store,
    old: Half<'m>,
    new: Half<'m>,
    /// Whether known verdicts will do; not if tests are to be made.
    recalls: bool,
    bounds: u128,
    recalled: usize,
    failure: Option<String>,
}

/// One version.
struct Half<'m> {
    module: &'m Module,
    hashes: Hashes,
    uses: Vec<Vec<SymbolId>>,
    /// For each symbol a digest of its lines and their text; 0 if it has none.
    looks: Vec<u128>,
    /// Of all functions that a pointer may lead to.
    addressed: u128,
    /// Of what holds for the version as a whole: source types, and variables that nobody changes.
    whole: u128,
}

impl<'m> Memory<'m> {
    pub(super) fn new(store: &'m Store, task: &Task<'m>) -> Memory<'m> {
        let options = task.options;
        let explore = &options.explore;
        let limits = (explore.unwind, explore.max_steps, explore.max_paths, options.replay.is_some(), &options.ignored);
        let couple = task.couple.and_then(|couple| couple.as_ref().ok());
        let moved = couple.map(|couple| &couple.program.moved_tables);
        // A function that computes with floats is judged by what the whole program does with their state.
        let floats = couple.map(|couple| couple.machine().floats.whole.touches());
        Memory {
            store,
            old: Half::new(task.old, &|place| task.sources.0.shown(place)),
            new: Half::new(task.new, &|place| task.sources.1.shown(place)),
            recalls: !options.tests && !options.trace,
            bounds: mix(text(&format!("{:?} {limits:?} {moved:?} {floats:?}", options.program)), this_build()),
            recalled: 0,
            failure: None,
        }
    }

    /// What a verdict is known by. `inherited` has the assumptions of a function of which all that it uses is proved to be the
    /// same.
    pub(super) fn key(&self, function: &FunctionChange, inherited: Option<&BTreeSet<Assumption>>) -> Option<u128> {
        let sides = mix(self.old.key(function.old?), self.new.key(function.new?));
        Some(mix(mix(self.bounds, sides), text(&format!("{FORM} {inherited:?}"))))
    }

    pub(super) fn recall(&mut self, key: u128) -> Option<Findings> {
        let known = match self.store.verdict(key) {
            Ok(known) => known.filter(|_| self.recalls)?,
            Err(error) => {
                self.failure.get_or_insert(error.to_string());
                return None;
            }
        };
        let findings = Findings::from_line(&known)?;
        self.recalled += 1;
        Some(findings)
    }

    /// Keeps a verdict that is one.
    pub(super) fn remember(&mut self, key: u128, name: &str, findings: &Findings) {
        let verdict = findings.verdict();
        let decided = (verdict.is_same() || verdict == Verdict::Different) && findings.gaps().is_empty();
        // What tactics cost is not known to be so again.
        let findings = Findings { trace: Vec::new(), ..findings.clone() };
        let Some(line) = findings.to_line().filter(|_| decided) else { return };
        if let Err(error) = self.store.put_verdict(key, name, &line) {
            self.failure.get_or_insert(error.to_string());
        }
    }

    /// What is to be said of it.
    pub(super) fn note(self) -> Option<String> {
        let recalled = match self.recalled {
            0 => None,
            1 => Some("1 verdict is from an earlier run; `--no-store` finds it again".to_owned()),
            many => Some(format!("{many} verdicts are from earlier runs; `--no-store` finds them again")),
        };
        recalled.or(self.failure)
    }
}

impl<'m> Half<'m> {
    fn new(module: &'m Module, shown: &dyn Fn(&Place) -> Place) -> Half<'m> {
        let (hashes, uses) = (Hashes::of(module), uses(module));
        let mut files = FxHashMap::default();
        let looks = module.symbols.ids().map(|symbol| look(module, symbol, shown, &mut files)).collect();
        let addressed = crate::upkeep::same::addressed(module).into_iter().map(|id| {
            let symbol = module.functions[id].symbol;
            mix(text(module.symbol_label(symbol)), hashes.full(symbol).0)
        });
        let addressed = addressed.fold(0, u128::wrapping_add);
        let types = module.debug.types.iter().fold(0, |sum, ty| mix(sum, text(&format!("{ty:?}"))));
        let fixed = exec::fixed::find(module);
        let fixed = fixed.into_iter().map(|symbol| text(module.symbol_label(symbol))).fold(0, u128::wrapping_add);
        Half { module, hashes, uses, looks, addressed, whole: mix(types, fixed) }
    }

    fn key(&self, function: FuncId) -> u128 {
        let symbol = self.module.functions[function].symbol;
        let mut seen = vec![false; self.uses.len()];
        let mut todo = vec![symbol];
        let mut looks = 0u128;
        while let Some(next) = todo.pop() {
            if !std::mem::replace(&mut seen[next.index()], true) {
                looks = looks.wrapping_add(self.looks[next.index()]);
                todo.extend_from_slice(&self.uses[next.index()]);
            }
        }
        let name = text(self.module.symbol_label(symbol));
        mix(mix(mix(mix(name, self.hashes.full(symbol).0), looks), self.addressed), self.whole)
    }
}

/// Where a function stands, and what its source says.
fn look(
    module: &Module,
    symbol: SymbolId,
    shown: &dyn Fn(&Place) -> Place,
    files: &mut FxHashMap<String, Vec<String>>,
) -> u128 {
    let SymbolKind::Function(id) = module.symbols[symbol].kind else { return 0 };
    let Some((file, first, last)) = change::lines::extent(module, id) else { return 0 };
    let lines =
        files.entry(file.clone()).or_insert_with_key(|file| crate::sources::lines(Path::new(file)).unwrap_or_default());
    let name = shown(&Place { file, line: first, column: 0 }).file;
    let start = mix(mix(text(&name), u128::from(first)), u128::from(last));
    let body = lines.iter().take(last as usize).skip((first as usize).saturating_sub(1));
    body.fold(start, |digest, line| mix(digest, text(line)))
}
