//! Partners of symbols whose name is in one version only.
//!
//! In rounds, each of which knows what those before it found: functions that differ in nothing but names of strangers
//! tell which strangers stand in the same place; strangers with equal bodies or contents that no other stranger has are
//! the same. In the end functions that are alike in most of their instructions.

use crate::body::{block_order, body};
use crate::canon::{Canon, is_defined, is_known_by_contents, symbols_of_constant, symbols_of_variable};
use crate::digest::{Digest, Hasher};
use crate::form::{Form, Operand, forms};
use crate::hashes::function_uses;
use crate::image;
use crate::keys::{Strangers, of_pair, shared_names};
use crate::matching::{Matching, kind};
use crate::names::stable_name;
use ir::constant::ConstKind;
use ir::id::{Id, SymbolId};
use ir::inst::{InstKind, Value};
use ir::module::{Module, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// Most rounds; each lets names be told through names told before.
const ROUNDS: usize = 6;

/// Fewest instructions of a function that is recognised by being alike.
const SMALLEST: usize = 8;

/// Which part of the instructions of two functions must be the same, in percent.
const ALIKE: usize = 60;

/// An instruction that so many strangers have tells nothing about who is who.
const COMMON: usize = 24;

/// Adds partners among the defined symbols that have none.
pub(crate) fn find(old: &Module, new: &Module, matching: &mut Matching) {
    for _ in 0..ROUNDS {
        let Some(pair) = Pair::new(old, new, matching) else { return };
        if !pair.same_places(matching) && !pair.same_contents(matching) && !pair.alike(matching) {
            return;
        }
    }
}

/// Symbols without a partner that are defined.
fn strangers(module: &Module, partner: impl Fn(SymbolId) -> Option<SymbolId>) -> Vec<SymbolId> {
    let is_stranger =
        |s: &SymbolId| partner(*s).is_none() && is_defined(module, *s) && !is_known_by_contents(module, *s);
    module.symbols.ids().filter(is_stranger).collect()
}

/// Two versions in which all strangers look alike.
struct Pair<'m> {
    old: Side<'m>,
    new: Side<'m>,
}

struct Side<'m> {
    canon: Canon<'m>,
    strangers: Vec<SymbolId>,
    /// Those of a name that the other version does not have.
    lone: Vec<SymbolId>,
}

impl<'m> Pair<'m> {
    /// `None` if a version has no stranger.
    fn new(old: &'m Module, new: &'m Module, matching: &Matching) -> Option<Pair<'m>> {
        let old_strangers = strangers(old, |symbol| matching.new_of(symbol));
        let new_strangers = strangers(new, |symbol| matching.old_of(symbol));
        if old_strangers.is_empty() || new_strangers.is_empty() {
            return None;
        }
        let (old_keys, new_keys) = of_pair(old, new, matching, Strangers::Alike);
        let shared = shared_names(old, new, matching);
        let nameless = |module, strangers: &[SymbolId]| -> Vec<SymbolId> {
            strangers.iter().copied().filter(|symbol| !shared.contains(&*stable_name(module, *symbol))).collect()
        };
        let (old_lone, new_lone) = (nameless(old, &old_strangers), nameless(new, &new_strangers));
        Some(Pair {
            old: Side { canon: Canon::new(old, old_keys, 0), strangers: old_strangers, lone: old_lone },
            new: Side { canon: Canon::new(new, new_keys, 1), strangers: new_strangers, lone: new_lone },
        })
    }

    /// Joins strangers that equal code of partners uses in the same places, and nowhere in others.
    fn same_places(&self, matching: &mut Matching) -> bool {
        let mut places: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
        let mut backwards: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
        let (old, new) = (&self.old, &self.new);
        for (symbol, partner) in users_of_strangers(old, new, matching) {
            for (left, right) in old.strangers_in_order(symbol).into_iter().zip(new.strangers_in_order(partner)) {
                places.entry(left).or_default().insert(right);
                backwards.entry(right).or_default().insert(left);
            }
        }
        let mut found = false;
        for (left, rights) in places {
            let Some(&right) = rights.first().filter(|_| rights.len() == 1) else { continue };
            let alone = backwards.get(&right).is_some_and(|lefts| lefts.len() == 1);
            let same_kind = kind(old.canon.module, left) == kind(new.canon.module, right);
            let same_size = old.size(left) == new.size(right);
            // Of a name that both versions have, partners share it.
            let lone = |side: &Side<'_>, symbol: SymbolId| side.lone.binary_search(&symbol).is_ok();
            let (left_module, right_module) = (old.canon.module, new.canon.module);
            let same_name = lone(old, left) && lone(new, right)
                || stable_name(left_module, left) == stable_name(right_module, right);
            found |= alone && same_kind && same_size && same_name && matching.join(left, right);
        }
        found
    }

    /// Joins strangers that no other stranger of their version equals.
    fn same_contents(&self, matching: &mut Matching) -> bool {
        let (olds, news) = (self.old.by_contents(), self.new.by_contents());
        let mut found = false;
        for (contents, old) in olds {
            if let ([old], Some([new])) = (&old[..], news.get(&contents).map(|new| &new[..])) {
                found |= matching.join(*old, *new);
            }
        }
        found
    }

    /// Joins functions that have most of their instructions in common, the likest first.
    fn alike(&self, matching: &mut Matching) -> bool {
        let (olds, news) = (self.old.instructions(), self.new.instructions());
        let index = index(&olds);
        let mut candidates = Vec::new();
        for (new, instructions) in &news {
            let mut shared: BTreeMap<SymbolId, usize> = BTreeMap::new();
            for instruction in instructions.keys() {
                for old in index.get(instruction).into_iter().flatten() {
                    *shared.entry(*old).or_default() += 1;
                }
            }
            for old in shared.keys() {
                let likeness = likeness(&olds[old], instructions);
                if likeness >= ALIKE {
                    candidates.push((100 - likeness, *old, *new));
                }
            }
        }
        candidates.sort_unstable();
        candidates.iter().fold(false, |found, (_, old, new)| matching.join(*old, *new) | found)
    }
}

/// Instructions with how often a function has them.
type Instructions = BTreeMap<Digest, usize>;

fn index(functions: &BTreeMap<SymbolId, Instructions>) -> BTreeMap<Digest, Vec<SymbolId>> {
    let mut index: BTreeMap<Digest, Vec<SymbolId>> = BTreeMap::new();
    for (symbol, instructions) in functions {
        instructions.keys().for_each(|instruction| index.entry(*instruction).or_default().push(*symbol));
    }
    index.retain(|_, symbols| symbols.len() <= COMMON);
    index
}

/// How many percent of the instructions of two functions are the same.
fn likeness(left: &Instructions, right: &Instructions) -> usize {
    let total: usize = left.values().chain(right.values()).sum();
    let shared: usize = left.iter().map(|(key, count)| count.min(right.get(key).unwrap_or(&0))).sum();
    200 * shared / total.max(1)
}

/// Partners that are equal while strangers look alike, and that use strangers.
fn users_of_strangers(old: &Side<'_>, new: &Side<'_>, matching: &Matching) -> Vec<(SymbolId, SymbolId)> {
    let mut users = Vec::new();
    for symbol in old.canon.module.symbols.ids() {
        let Some(partner) = matching.new_of(symbol) else { continue };
        if old.uses_strangers(symbol) && new.uses_strangers(partner) && old.digest(symbol) == new.digest(partner) {
            users.push((symbol, partner));
        }
    }
    users
}

impl Side<'_> {
    fn is_stranger(&self, symbol: SymbolId) -> bool {
        self.strangers.binary_search(&symbol).is_ok()
    }

    fn uses_strangers(&self, symbol: SymbolId) -> bool {
        self.named(symbol).into_iter().any(|used| self.is_stranger(used))
    }

    /// Symbols that a symbol names, in the order of the text.
    fn named(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let module = self.canon.module;
        match module.symbols[symbol].kind {
            SymbolKind::Function(id) => function_uses(module, id),
            SymbolKind::Variable(_) => symbols_of_variable(module, symbol),
            _ => Vec::new(),
        }
    }

    /// The strangers that a symbol names, in canonical order: that of equal code in the other version.
    fn strangers_in_order(&self, symbol: SymbolId) -> Vec<SymbolId> {
        let module = self.canon.module;
        let SymbolKind::Function(id) = module.symbols[symbol].kind else {
            return self.named(symbol).into_iter().filter(|used| self.is_stranger(*used)).collect();
        };
        let function = &module.functions[id];
        let mut number = vec![None; function.blocks.len()];
        for (place, block) in block_order(module, function).into_iter().enumerate() {
            number[block.index()] = Some(place);
        }
        let mut found = Vec::new();
        let mut visit = |operand: Value| {
            if let Value::Const(constant) = operand {
                symbols_of_constant(module, constant, &mut found);
            }
        };
        for inst in body(&self.canon, id, &forms(&self.canon, function)).order {
            match &function.insts[inst].kind {
                InstKind::Phi { incoming, .. } => {
                    let mut incoming: Vec<_> =
                        incoming.iter().filter_map(|i| Some((number[i.0.index()]?, i.1))).collect();
                    incoming.sort_by_key(|(place, _)| *place);
                    incoming.into_iter().for_each(|(_, value)| visit(value));
                }
                kind => kind.for_each_operand(&mut visit),
            }
        }
        found.retain(|used| self.is_stranger(*used));
        found
    }

    /// What a symbol is while strangers look alike.
    fn digest(&self, symbol: SymbolId) -> Option<Digest> {
        let module = self.canon.module;
        match module.symbols[symbol].kind {
            SymbolKind::Function(id) => {
                let function = &module.functions[id];
                Some(body(&self.canon, id, &forms(&self.canon, function)).digest)
            }
            SymbolKind::Variable(id) => Some(image::variable(&self.canon, symbol, &module.globals[id])),
            _ => None,
        }
    }

    /// Size of a variable in bytes.
    fn size(&self, symbol: SymbolId) -> Option<u64> {
        let module = self.canon.module;
        let SymbolKind::Variable(id) = module.symbols[symbol].kind else { return None };
        module.type_layouts.get(module.globals[id].ty).map(|layout| layout.size)
    }

    /// Strangers by what they are. Variables that are all zero say too little.
    fn by_contents(&self) -> BTreeMap<(u8, Digest), Vec<SymbolId>> {
        let module = self.canon.module;
        let mut groups: BTreeMap<(u8, Digest), Vec<SymbolId>> = BTreeMap::new();
        for &symbol in &self.lone {
            if let SymbolKind::Variable(id) = module.symbols[symbol].kind
                && let Some(initializer) = module.globals[id].initializer
                && matches!(module.consts[initializer].kind, ConstKind::Zero | ConstKind::Null | ConstKind::Int(0))
            {
                continue;
            }
            if let Some(digest) = self.digest(symbol) {
                groups.entry((kind(module, symbol), digest)).or_default().push(symbol);
            }
        }
        groups
    }

    /// The instructions of each stranger that is a function of some size.
    fn instructions(&self) -> BTreeMap<SymbolId, Instructions> {
        let module = self.canon.module;
        let mut all = BTreeMap::new();
        for &symbol in &self.lone {
            let SymbolKind::Function(id) = module.symbols[symbol].kind else { continue };
            let function = &module.functions[id];
            let forms = forms(&self.canon, function);
            let mut instructions = Instructions::new();
            for (_, id, inst) in function.body() {
                if !matches!(inst.kind, InstKind::Marker(_) | InstKind::Br(_)) {
                    *instructions.entry(with_constants(&forms[id.index()])).or_default() += 1;
                }
            }
            if instructions.values().sum::<usize>() >= SMALLEST {
                all.insert(symbol, instructions);
            }
        }
        all
    }
}

/// An instruction with its constants and parameters, but without the values that it uses.
pub(crate) fn with_constants(form: &Form) -> Digest {
    let mut hasher = Hasher::new("with constants");
    hasher.digest(form.head);
    for operand in &form.operands {
        match operand {
            Operand::Inst(_) => hasher.word(0),
            Operand::Arg(index) => hasher.word(1 + u64::from(*index)),
            Operand::Fixed(digest) => hasher.digest(*digest),
        }
    }
    hasher.finish()
}
