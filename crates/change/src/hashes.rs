//! Digests of whole functions and of everything that they reach.
//!
//! The digest *of its own* says what a symbol is, with the symbols it uses known by their keys. The *full* digest covers
//! what those are too, and so on: if it is equal, behaviour is. Symbols that use each other in a circle are one strongly
//! connected component, whose digest is made of all its members.

use crate::body::{body, signature};
use crate::canon::{Canon, symbols_of_constant};
use crate::digest::{Digest, Hasher};
use crate::form::forms;
use crate::image;
use crate::keys;
use ir::id::{FuncId, Id, SymbolId};
use ir::inst::{InstKind, Value};
use ir::module::{Module, SymbolKind};

/// Digests of a module's symbols.
#[derive(Clone, Debug)]
pub struct Hashes {
    own: Vec<Digest>,
    full: Vec<Digest>,
}

impl Hashes {
    /// The digests of a module by itself, symbols known by their names. They are comparable between modules.
    pub fn of(module: &Module) -> Hashes {
        let canon = Canon::new(module, keys::standard(module), 0);
        Hashes::under(&canon)
    }

    /// What a symbol is by itself: a function's signature and body, a variable's properties and initial contents.
    pub fn own(&self, symbol: SymbolId) -> Digest {
        self.own[symbol.index()]
    }

    /// What a symbol is together with all that it uses, directly or not. Equal digests mean equal behaviour, but for what
    /// mentions the source: places of Rust panics, lines of failed C assertions, and the directories of source files.
    pub fn full(&self, symbol: SymbolId) -> Digest {
        self.full[symbol.index()]
    }

    pub(crate) fn under(canon: &Canon<'_>) -> Hashes {
        let own: Vec<Digest> = canon.module.symbols.ids().map(|symbol| own_digest(canon, symbol)).collect();
        let mut uses = uses(canon.module);
        // The name of a file is nothing that a panic does.
        for symbol in canon.module.symbols.ids().filter(|symbol| image::is_panic_location(canon, *symbol)) {
            uses[symbol.index()].clear();
        }
        let full = full_digests(canon, &own, &uses);
        Hashes { own, full }
    }
}

/// The symbols that each symbol uses, in order, each once.
pub fn uses(module: &Module) -> Vec<Vec<SymbolId>> {
    let mut all: Vec<Vec<SymbolId>> = module.symbols.ids().map(|symbol| direct_uses(module, symbol)).collect();
    // What runs before `main` and behind it belongs to it.
    let hooks: Vec<SymbolId> = module.symbols.ids().filter(|s| list_around_main(module, *s).is_some()).collect();
    for symbol in module.symbols.ids().filter(|symbol| module.symbol_name(*symbol) == "main") {
        all[symbol.index()].extend_from_slice(&hooks);
    }
    all
}

/// Lists of what runs before `main` and behind it, and beginnings of the sections in which programs may lay out such lists themselves.
const AROUND_MAIN: [&str; 7] =
    ["llvm.global_ctors", "llvm.global_dtors", ".preinit_array", ".ctors", ".init_array", ".dtors", ".fini_array"];

/// Which of these lists a variable is, by its position among all kinds of them: first LLVM's of what runs before `main`, then its
/// list of what runs behind it, then sections.
pub fn list_around_main(module: &Module, symbol: SymbolId) -> Option<usize> {
    let SymbolKind::Variable(id) = module.symbols[symbol].kind else { return None };
    let name = module.symbol_name(symbol);
    let section = module.globals[id].section.map(|section| module.str(section));
    AROUND_MAIN.iter().position(|list| match list.strip_prefix('.') {
        Some(_) => section.is_some_and(|section| section.starts_with(list)),
        None => name == *list,
    })
}

fn direct_uses(module: &Module, symbol: SymbolId) -> Vec<SymbolId> {
    let mut found = Vec::new();
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) => found = function_uses(module, id),
        SymbolKind::Variable(id) => {
            let initializer = module.globals[id].initializer;
            initializer.into_iter().for_each(|constant| symbols_of_constant(module, constant, &mut found));
        }
        SymbolKind::Alias { target: constant, .. } | SymbolKind::Ifunc { resolver: constant, .. } => {
            symbols_of_constant(module, constant, &mut found);
        }
        SymbolKind::Missing => {}
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Symbols that a function names, in order of appearance, repeated.
pub fn function_uses(module: &Module, id: FuncId) -> Vec<SymbolId> {
    let function = &module.functions[id];
    let mut found = Vec::new();
    function.personality.into_iter().for_each(|constant| symbols_of_constant(module, constant, &mut found));
    for (_, _, inst) in function.body().filter(|(_, _, inst)| !matches!(inst.kind, InstKind::Marker(_))) {
        inst.kind.for_each_operand(|operand| {
            if let Value::Const(constant) = operand {
                symbols_of_constant(module, constant, &mut found);
            }
        });
    }
    found
}

fn own_digest(canon: &Canon<'_>, symbol: SymbolId) -> Digest {
    let module = canon.module;
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) if module.functions[id].is_defined() => {
            body(canon, id, &forms(canon, &module.functions[id])).digest
        }
        SymbolKind::Function(id) => signature(canon, id),
        SymbolKind::Variable(id) => image::variable(canon, symbol, &module.globals[id]),
        SymbolKind::Alias { ty, target: constant } | SymbolKind::Ifunc { ty, resolver: constant } => {
            let mut hasher = Hasher::new("alias");
            hasher.word(u64::from(matches!(module.symbols[symbol].kind, SymbolKind::Ifunc { .. })));
            hasher.digest(canon.ty(ty));
            hasher.digest(canon.constant(constant));
            hasher.finish()
        }
        SymbolKind::Missing => Hasher::new("missing").finish(),
    }
}

fn full_digests(canon: &Canon<'_>, own: &[Digest], uses: &[Vec<SymbolId>]) -> Vec<Digest> {
    let world = canon.world();
    let mut component_digests: Vec<Option<Digest>> = vec![None; own.len()];
    let mut full = vec![Digest::default(); own.len()];
    for component in components(uses) {
        let mut members: Vec<(Digest, Digest)> = component.iter().map(|s| (canon.key(*s), own[s.index()])).collect();
        let mut below: Vec<Digest> = component
            .iter()
            .flat_map(|symbol| &uses[symbol.index()])
            // Those of this component have none yet.
            .filter_map(|used| component_digests[used.index()])
            .collect();
        members.sort_unstable();
        below.sort_unstable();
        below.dedup();
        let mut hasher = Hasher::new("component");
        hasher.digest(world);
        hasher.word(members.len() as u64);
        for (key, own) in members {
            hasher.digest(key);
            hasher.digest(own);
        }
        below.iter().for_each(|digest| hasher.digest(*digest));
        let digest = hasher.finish();
        for symbol in component {
            component_digests[symbol.index()] = Some(digest);
            let mut hasher = Hasher::new("full");
            hasher.digest(digest);
            hasher.digest(canon.key(symbol));
            full[symbol.index()] = hasher.finish();
        }
    }
    full
}

/// Strongly connected components (Tarjan 1972, without recursion), each behind those that it uses.
pub(crate) fn components(uses: &[Vec<SymbolId>]) -> Vec<Vec<SymbolId>> {
    const NEW: usize = usize::MAX;
    let mut number = vec![NEW; uses.len()];
    let mut low = vec![0; uses.len()];
    let mut on_stack = vec![false; uses.len()];
    let (mut stack, mut path, mut result) = (Vec::new(), Vec::new(), Vec::new());
    let mut count = 0;
    for root in 0..uses.len() {
        if number[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                number[node] = count;
                low[node] = count;
                count += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(next) = uses[node].get(edge).map(|symbol| symbol.index()) {
                path.push((node, edge + 1));
                if number[next] == NEW {
                    path.push((next, 0));
                } else if on_stack[next] {
                    low[node] = low[node].min(number[next]);
                }
                continue;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == number[node] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member] = false;
                    component.push(SymbolId::from_index(member));
                    if member == node {
                        break;
                    }
                }
                component.sort_unstable();
                result.push(component);
            }
        }
    }
    result
}
