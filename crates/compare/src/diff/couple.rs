//! Two versions of a program as one program.
//!
//! Everything that a version defines gets a name of its own, then both are linked. What both only declare, the C library
//! and other outside functions, stays one and the same. Symbols that stand for the same in both versions are *twins*.

use super::machine::Machine;
use super::shared::{self, Sorted};
use super::virtuals;
use change::Changes;
use change::hashes::uses;
use evidence::Assumption;
use exec::contents::{Contents, Part, Unset};
pub use exec::names::unmarked;
use exec::names::{MARK, NEW, OLD};
use exec::program::{Options, Program};
use exec::relaid::{Move, Relaid, Types};
use ir::constant::ConstKind;
use ir::debug::DebugTypeKind;
use ir::demangle::demangle;
use ir::id::{DebugTypeId, FuncId, GlobalId, Id, InstId, SymbolId};
use ir::inst::{InstKind, Value};
use ir::link::{LinkError, link};
use ir::module::{Linkage, Module, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// Two versions as one program.
pub struct Couple {
    /// The program.
    pub program: Program,
    /// What its functions do beside computing.
    pub sorted: Sorted,
    /// Functions of both versions that changed and are proved to do the same for all inputs.
    pub proved: FxHashSet<FuncId>,
    old: FxHashMap<SymbolId, SymbolId>,
    new: FxHashMap<SymbolId, SymbolId>,
    /// What symbols of the old version are called in the new one, if that is something else.
    renamed: FxHashMap<String, String>,
    /// Symbols of one version by their names in the program, and what they are called in the other version, if they are there.
    names: [FxHashMap<String, String>; 2],
    /// What the new and the old version use without defining it.
    used_of_others: [FxHashSet<String>; 2],
    /// Variables that each thread has for itself in one version only, as the new one has them.
    other_threads: FxHashSet<SymbolId>,
    /// For each symbol of the program those that it uses.
    uses: OnceLock<Vec<Vec<SymbolId>>>,
    /// What its functions ask of the machine.
    machine: OnceLock<Machine>,
}

/// Functions that say whether they could write.
const WRITING: [&str; 14] = [
    "dprintf", "fflush", "fprintf", "fputc", "fputs", "fwrite", "printf", "putc", "putchar", "puts", "vdprintf",
    "vfprintf", "vprintf", "write",
];

/// Longest constant that is shown and compared by its contents.
const MAX_TEXT: u64 = 1 << 12;

impl Couple {
    /// Makes one program of two promoted versions.
    pub fn new(old: &Module, new: &Module, changes: &Changes, options: Options) -> Result<Couple, LinkError> {
        let versions = [marked(new, NEW), marked(old, OLD)];
        let used_of_others = [used_of_others(&versions[0]), used_of_others(&versions[1])];
        let linked = exec::models::prelude::link(link(versions.into())?)?;
        let mut by_name: FxHashMap<&str, SymbolId> = FxHashMap::default();
        for id in linked.symbols.ids() {
            by_name.entry(linked.symbol_name(id)).or_insert(id);
        }
        let place = |module: &Module, version: char| -> FxHashMap<SymbolId, SymbolId> {
            let find = |id: SymbolId| by_name.get(&*mark(module, id, version)).map(|&found| (id, found));
            module.symbols.ids().filter_map(find).collect()
        };
        let (old_places, new_places) = (place(old, OLD), place(new, NEW));
        let mut twins = FxHashMap::default();
        for (&of_old, &linked_old) in &old_places {
            if let Some(of_new) = changes.matching.new_of(of_old)
                && let Some(&linked_new) = new_places.get(&of_new)
            {
                twins.insert(linked_old, linked_new);
            }
        }
        // What both versions only declare is one and the same.
        for linked in old_places.values().filter(|linked| new_places.values().any(|other| other == *linked)) {
            twins.insert(*linked, *linked);
        }
        // What neither brings, the library's own, is one and the same too.
        let brought: FxHashSet<SymbolId> = old_places.values().chain(new_places.values()).copied().collect();
        twins.extend(linked.symbols.ids().filter(|id| !brought.contains(id)).map(|id| (id, id)));
        let mut program = Program::new(linked, options);
        program.contained = contained(&program.module);
        // What never changes in one version but does in the other is no constant.
        for (old, new) in &twins {
            if !(program.is_constant(*old) && program.is_constant(*new)) {
                program.fixed.remove(old);
                program.fixed.remove(new);
            }
        }
        let (middle, end) = (new.debug.types.len(), program.module.debug.types.len());
        let module = &program.module;
        let (old_types, new_types) = (Types { module, range: (middle, end) }, Types { module, range: (0, middle) });
        let records = exec::relaid::find(old_types, new_types);
        program.variants = exec::variants::changed(old_types, new_types);
        program.first_old_type = middle;
        program.set_records(records);
        program.moved_tables = virtuals::moved(old, new);
        for (&old, &new) in &twins {
            if let Some(relaid) = relaid_variable(&program, old, new) {
                program.relaid_variables.insert(new, relaid);
            }
        }
        let mut differing = FxHashSet::default();
        for global in changes.globals.iter().filter(|global| !global.same) {
            if let Some((of_old, of_new)) = global.old.zip(global.new)
                && let Some(&linked_old) = old_places.get(&old.globals[of_old].symbol)
                && let Some(&linked_new) = new_places.get(&new.globals[of_new].symbol)
                && !same_beginning(&program, linked_old, linked_new)
            {
                differing.insert(linked_new);
            }
        }
        // The same text says something else of a record whose fields lie elsewhere.
        for (&old, &new) in &twins {
            if program.relaid_variables.contains_key(&new) && !same_beginning(&program, old, new) {
                differing.insert(new);
            }
        }
        program.without_code = without_code(&program, &twins);
        program.twins = twins;
        for function in changes.functions.iter().filter(|function| !function.same) {
            if let Some(id) = function.new
                && let Some(&linked) = new_places.get(&new.functions[id].symbol)
            {
                differing.insert(linked);
            }
        }
        program.differing = differing;
        let mut couple = Couple {
            program,
            old: old_places,
            new: new_places,
            sorted: Sorted::default(),
            proved: FxHashSet::default(),
            renamed: FxHashMap::default(),
            names: Default::default(),
            used_of_others,
            other_threads: FxHashSet::default(),
            uses: OnceLock::new(),
            machine: OnceLock::new(),
        };
        (couple.names, couple.renamed) = (names(&couple.program), renamed(&couple.program));
        let symbols = &couple.program.module.symbols;
        let is_of_thread = |id: SymbolId| symbols[id].thread_local.is_some();
        let others = couple.program.twins.iter().filter(|(old, new)| is_of_thread(**old) != is_of_thread(**new));
        couple.other_threads = others.map(|(_, new)| *new).collect();
        let sorted = shared::sorted(&couple, changes, old, new);
        (couple.program.shared, couple.program.printing) = (sorted.shared.clone(), sorted.printing.clone());
        couple.program.straight = sorted.straight.clone();
        couple.sorted = sorted;
        Ok(couple)
    }

    /// A function of the old version in the program.
    pub fn old_function(&self, module: &Module, id: FuncId) -> Option<FuncId> {
        self.function(self.old.get(&module.functions[id].symbol)?)
    }

    /// A function of the new version in the program.
    pub fn new_function(&self, module: &Module, id: FuncId) -> Option<FuncId> {
        self.function(self.new.get(&module.functions[id].symbol)?)
    }

    /// A variable of the old version and what it became, in the program.
    pub fn variables(
        &self,
        (old, of_old): (&Module, GlobalId),
        (new, of_new): (&Module, GlobalId),
    ) -> Option<[SymbolId; 2]> {
        let of_old = self.old.get(&old.globals[of_old].symbol)?;
        Some([*of_old, *self.new.get(&new.globals[of_new].symbol)?])
    }

    /// What a verdict on two functions takes for granted of the variables that they use, whoever of their callees it is:
    /// one that begins with other contents is as it begins, and one that each thread had for itself, or has now, is one
    /// thread's.
    pub fn taken_for_granted(&self, entries: [FuncId; 2]) -> BTreeSet<Assumption> {
        let module = &self.program.module;
        let seen = self.reached(entries);
        let is_variable = |id: &SymbolId| matches!(module.symbols[*id].kind, SymbolKind::Variable(_));
        let canonical = seen.iter().copied().filter(is_variable).map(|id| self.program.canonical(id));
        let mut found = BTreeSet::new();
        if self.has_changed_variants(entries) {
            let names: Vec<&str> = self.program.variants.names.iter().map(String::as_str).collect();
            found.insert(Assumption::CommonVariants { of: names.join(", ") });
        }
        let uses = |name: &str| seen.iter().any(|&id| unmarked(module.symbol_name(id)) == name);
        if uses("_ZTISt9bad_alloc") && (uses("_Znwm") || uses("_Znam")) {
            found.insert(Assumption::Allocations);
        }
        if self.asks_for_output(entries) {
            found.insert(Assumption::Output);
        }
        // Another definition may take the place of a weak one when programs are linked.
        let is_replaceable = |id: &&SymbolId| {
            matches!(module.symbols[**id].linkage, Linkage::Weak | Linkage::LinkOnce | Linkage::Common)
        };
        for &id in seen.iter().filter(is_replaceable) {
            found.insert(Assumption::NotReplaced { symbol: readable(module.symbol_name(id)) });
        }
        for id in canonical {
            let name = readable(module.symbol_name(id));
            if self.program.differing.contains(&id) && !self.program.is_constant(id) {
                found.insert(Assumption::AsBegun { variable: name.clone() });
            }
            if self.other_threads.contains(&id) {
                found.insert(Assumption::OneThread { variable: name });
            }
        }
        found
    }

    /// What functions of the program ask of the machine.
    pub fn machine(&self) -> &Machine {
        self.machine.get_or_init(|| Machine::new(&self.program.module))
    }

    /// Whether some function that can be reached looks whether it could write.
    pub fn asks_for_output(&self, entries: [FuncId; 2]) -> bool {
        let module = &self.program.module;
        let (mut todo, mut seen) = (entries.to_vec(), FxHashSet::default());
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            let mut writing: FxHashSet<InstId> = FxHashSet::default();
            for (_, inst, contents) in module.functions[id].body() {
                let Some(callee) = module.called_function(&contents.kind) else { continue };
                todo.push(callee);
                let name = unmarked(module.function_name(callee));
                if WRITING.contains(&name.trim_end_matches("_unlocked")) {
                    writing.insert(inst);
                }
            }
            let mut used = false;
            for (_, _, inst) in module.functions[id].body() {
                if !writing.is_empty() && !matches!(inst.kind, InstKind::Marker(_)) {
                    inst.kind
                        .for_each_operand(|value| used |= matches!(value, Value::Inst(of) if writing.contains(&of)));
                }
            }
            if used {
                return true;
            }
        }
        false
    }

    /// Whether functions of the mathematical library can be reached that say in `errno` that something went wrong.
    pub fn computes(&self, entries: [FuncId; 2]) -> bool {
        let module = &self.program.module;
        let is_one = |id: SymbolId| exec::models::math::may_set_errno(module.symbol_name(id));
        self.reached(entries).into_iter().any(is_one)
    }

    /// All symbols that functions use, directly or not.
    pub fn reached(&self, entries: [FuncId; 2]) -> BTreeSet<SymbolId> {
        let module = &self.program.module;
        let uses = self.uses.get_or_init(|| uses(module));
        let mut todo: Vec<SymbolId> = entries.map(|id| module.functions[id].symbol).into();
        let mut seen: BTreeSet<SymbolId> = BTreeSet::new();
        while let Some(symbol) = todo.pop() {
            if seen.insert(symbol) {
                todo.extend(uses.get(symbol.index()).into_iter().flatten());
            }
        }
        seen
    }

    /// Whether some function that can be reached has a variable of an enum whose variants changed.
    fn has_changed_variants(&self, entries: [FuncId; 2]) -> bool {
        let Program { module, variants, .. } = &self.program;
        if variants.names.is_empty() {
            return false;
        }
        let (mut todo, mut seen) = (entries.to_vec(), FxHashSet::default());
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            for (_, _, inst) in module.functions[id].body() {
                todo.extend(module.called_function(&inst.kind));
                if let InstKind::Marker(marker) = &inst.kind
                    && let Some(ty) = module.debug.variables[marker.variable].ty
                    && mentions(module, ty, &|ty| variants.common.contains_key(&ty))
                {
                    return true;
                }
            }
        }
        false
    }

    /// What a symbol of the program is called in a version itself; nothing if it is only in the other one.
    pub fn own_name<'c>(&'c self, name: &'c str, old: bool) -> Option<&'c str> {
        if !name.starts_with(MARK) || exec::names::is_old(name) == old {
            return Some(unmarked(name));
        }
        self.names[usize::from(old)].get(name).map(String::as_str)
    }

    /// Whether a version has nothing to do with a symbol that neither version defines.
    pub fn ignores(&self, name: &str, old: bool) -> bool {
        let [ours, others] = [usize::from(old), usize::from(!old)].map(|version| &self.used_of_others[version]);
        !ours.contains(name) && others.contains(name)
    }

    /// What a symbol of the old version, by its name there, is called in the new one.
    pub fn new_name<'c>(&'c self, old: &'c str) -> &'c str {
        self.renamed.get(old).map_or(old, String::as_str)
    }

    /// The bytes of a constant of a version from a place on, unless there are pointers among them.
    pub fn constant_text(&self, name: &str, offset: i64, old: bool) -> Option<Vec<u8>> {
        let places = if old { &self.old } else { &self.new };
        let is_it = |id: &SymbolId| unmarked(self.program.module.symbol_name(*id)) == name;
        let symbol = places.values().copied().find(is_it)?;
        let SymbolKind::Variable(_) = self.program.module.symbols[symbol].kind else { return None };
        if !self.program.is_constant(symbol) {
            return None;
        }
        let contents = self.program.initial_contents(symbol);
        let byte = |at: u64| match contents.part(at, 1) {
            Part::Bytes(byte) => Some(byte as u8),
            Part::Unset if contents.unset == Unset::Zero => Some(0),
            _ => None,
        };
        let size = self.program.place(symbol).size;
        (size <= MAX_TEXT).then(|| (u64::try_from(offset).ok()?..size).map(byte).collect()).flatten()
    }

    fn function(&self, symbol: &SymbolId) -> Option<FuncId> {
        match self.program.module.symbols[*symbol].kind {
            SymbolKind::Function(id) => Some(id),
            _ => None,
        }
    }
}

/// Functions without code that use no memory of the program but what they are given: those of libraries.
fn contained(module: &Module) -> FxHashSet<FuncId> {
    // Of the libraries of C++ and Rust, and of their runtimes.
    const LIBRARY: [&str; 9] =
        ["_ZNS", "_ZNKS", "_ZS", "_ZN9__gnu_cxx", "__cxa_", "_Unwind_", "_ZN4core", "_ZN5alloc", "_ZN3std"];
    let known = analysis::externals::externals(module);
    let is_library = |id: FuncId| LIBRARY.iter().any(|begin| module.function_name(id).starts_with(begin));
    let declared = module.functions.ids().filter(|&id| !module.functions[id].is_defined());
    declared.filter(|&id| known[id].is_some() || is_library(id)).collect()
}

/// For symbols of the old version their names in the new one, and the other way round.
fn names(program: &Program) -> [FxHashMap<String, String>; 2] {
    let name = |symbol: SymbolId| program.module.symbol_name(symbol);
    let pair = |from: SymbolId, to: SymbolId| (name(from).to_owned(), unmarked(name(to)).to_owned());
    let twins = || program.twins.iter().filter(|(old, new)| old != new);
    [twins().map(|(&old, &new)| pair(old, new)).collect(), twins().map(|(&old, &new)| pair(new, old)).collect()]
}

/// Symbols of the old version that have another name in the new one: of several units that share a name, some may be new.
fn renamed(program: &Program) -> FxHashMap<String, String> {
    let name = |symbol: SymbolId| unmarked(program.module.symbol_name(symbol));
    let others = program.twins.iter().filter(|(old, new)| name(**old) != name(**new));
    others.map(|(&old, &new)| (name(old).to_owned(), name(new).to_owned())).collect()
}

/// How a variable of the new version goes together with that of the old one, if its fields lie elsewhere there.
fn relaid_variable(program: &Program, old: SymbolId, new: SymbolId) -> Option<Relaid> {
    let module = &program.module;
    let ty = |symbol: SymbolId| match module.symbols[symbol].kind {
        SymbolKind::Variable(id) => module.debug.variables[module.globals[id].variable?].ty,
        _ => None,
    };
    let (old, new) = (ty(old)?, ty(new)?);
    exec::relaid::between((module, old), (module, new))
}

/// Whether two variables certainly begin with the same bytes.
fn same_beginning(program: &Program, old: SymbolId, new: SymbolId) -> bool {
    let (size, other) = (program.place(old).size, program.place(new).size);
    let (a, b) = (program.initial_contents(old), program.initial_contents(new));
    let byte = |contents: &Contents, at: u64| match contents.part(at, 1) {
        Part::Bytes(byte) => Some(byte),
        Part::Unset if contents.unset == Unset::Zero => Some(0),
        _ => None,
    };
    if let Some(relaid) = program.relaid_variables.get(&new) {
        let known = |contents: &Contents, at: u64, size: u32| -> Option<Vec<u64>> {
            (at..at + u64::from(size)).map(|at| byte(contents, at)).collect()
        };
        let same = |one: &Move| match (known(&a, one.old, one.old_size), known(&b, one.new, one.new_size)) {
            // Zero is the same number in any number of bytes.
            (Some(x), Some(y)) => x == y || x.iter().chain(&y).all(|&byte| byte == 0),
            _ => false,
        };
        return relaid.old_size >= size && relaid.new_size >= other && relaid.moves.iter().all(same);
    }
    let written = a.written().max(b.written());
    size == other && (0..written).all(|at| byte(&a, at).is_some_and(|known| byte(&b, at) == Some(known)))
}

/// A text with names as they are in their own version.
pub fn without_marks(text: &str) -> String {
    let mut parts = text.split(MARK);
    let mut out = parts.next().unwrap_or_default().to_owned();
    // Behind each first mark stand version and number, behind each second one the name.
    for (index, part) in parts.enumerate() {
        if index % 2 == 1 {
            out.push_str(part);
        }
    }
    out
}

/// A text with names as the source has them.
pub fn readable(text: &str) -> String {
    let text = without_marks(text);
    let is_mangled = |word: &str| word.starts_with("_Z") || word.starts_with("_R");
    let (mut out, mut rest) = (String::new(), text.as_str());
    while !rest.is_empty() {
        let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let length = rest.find(|c| !of_name(c)).unwrap_or(rest.len());
        let length = if length == 0 { rest.find(of_name).unwrap_or(rest.len()) } else { length };
        let (word, after) = rest.split_at(length);
        out.push_str(&if is_mangled(word) { demangle(word) } else { word.to_owned() });
        rest = after;
    }
    out
}

fn is_defined(module: &Module, id: SymbolId) -> bool {
    match module.symbols[id].kind {
        SymbolKind::Function(id) => module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_some(),
        SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => true,
        SymbolKind::Missing => false,
    }
}

fn mark(module: &Module, id: SymbolId, version: char) -> String {
    if is_defined(module, id) && !module.symbol_name(id).starts_with("llvm.") {
        format!("{MARK}{version}{}{MARK}{}", id.index(), module.symbol_label(id))
    } else {
        module.symbol_name(id).to_owned()
    }
}

/// Names of symbols that a version uses and does not define.
fn used_of_others(module: &Module) -> FxHashSet<String> {
    let used = module.consts.iter_ids().filter_map(|(_, constant)| match constant.kind {
        ConstKind::Symbol(symbol) if !is_defined(module, symbol) => Some(module.symbol_name(symbol).to_owned()),
        _ => None,
    });
    used.collect()
}

fn marked(module: &Module, version: char) -> Module {
    let mut module = module.clone();
    // Before both are linked: one of them may declare something weakly, and the other one not.
    ir::weak::lower(&mut module);
    // Lists that a linker appends to are no business of a function.
    for id in module.symbols.ids() {
        let name = mark(&module, id, version);
        let name = module.strings.intern_str(&name);
        let symbol = &mut module.symbols[id];
        (symbol.name, symbol.label, symbol.comdat) = (name, None, None);
    }
    module.comdats.clear();
    module
}

/// Whether a type, or what it is made of or leads to, is one of some types.
pub fn mentions(module: &Module, ty: DebugTypeId, is_one: &dyn Fn(DebugTypeId) -> bool) -> bool {
    let debug = &module.debug;
    let (mut todo, mut seen) = (vec![ty], FxHashSet::default());
    while let Some(ty) = todo.pop() {
        let id = debug.strip(ty);
        if !seen.insert(id) {
            continue;
        }
        if is_one(id) {
            return true;
        }
        match &debug.types[id].kind {
            DebugTypeKind::Pointer { to, .. } => todo.extend(to),
            DebugTypeKind::Array { element, .. } => todo.extend(element),
            DebugTypeKind::Record { fields, variants, .. } => {
                let cases = variants.iter().flat_map(|variants| variants.cases.iter().map(|case| &case.field));
                todo.extend(fields.iter().chain(cases).filter_map(|field| field.ty));
            }
            _ => {}
        }
    }
    false
}

/// Functions that one version only declares, and of which the other one has the code: what they do in the first one is not known.
fn without_code(program: &Program, twins: &FxHashMap<SymbolId, SymbolId>) -> FxHashSet<FuncId> {
    let module = &program.module;
    let function = |symbol: SymbolId| match module.symbols[symbol].kind {
        SymbolKind::Function(id) => Some(id),
        _ => None,
    };
    let is_defined = |id: &FuncId| module.functions[*id].is_defined();
    let pairs = twins.iter().filter_map(|(old, new)| Some([function(*old)?, function(*new)?]));
    pairs.filter(|[old, new]| is_defined(old) != is_defined(new)).flatten().filter(|id| !is_defined(id)).collect()
}
