//! Parameters that lead to the same place: pointers of an input lead to objects of their own otherwise, while callers may
//! pass one pointer twice, pointers into one array, or the address of a global variable.

use crate::changes::global_object;
use crate::containers;
use crate::entry::sources;
use crate::inputs::{InputId, InputObject, LeafValue, Origin};
use crate::program::Program;
use crate::relaid::is_laid_alike;
use crate::run::Run;
use crate::rust_inputs::type_name;
use crate::same::is_of_rust;
use ir::attrs::{Attr, AttrFlag};
use ir::constant::ConstKind;
use ir::debug::{DebugTypeKind, Encoding, Qualifier};
use ir::id::{DebugTypeId, FuncId, SymbolId};
use ir::inst::Value;
use ir::module::{Module, SymbolKind};
use std::collections::BTreeSet;

/// A parameter that leads to what something else is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Name of the parameter.
    pub pointer: String,
    /// What it leads to.
    pub to: Place,
    /// Whether one name for it is that of a pointer to something `const`. By convention that is an input, which no caller
    /// lets the function write over by another name; but nothing forbids it.
    pub unusual: bool,
}

impl Overlap {
    /// What the parameter shares memory with, as the source calls it.
    pub fn other(&self, program: &Program) -> String {
        match &self.to {
            Place::Parameter(name, _) => name.clone(),
            Place::Variable(symbol) => global_object(program, *symbol).map_or_else(String::new, |object| object.name),
        }
    }
}

/// What a parameter leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// What another parameter leads to, or so many elements behind that.
    Parameter(String, u64),
    /// A global variable.
    Variable(SymbolId),
}

/// Most ways in which parameters overlap that are thought of, usual and unusual ones.
const MOST: usize = 12;

/// Most functions that are looked at for what they use.
const MAX_FUNCTIONS: usize = 200;

/// Deepest nesting of types.
const DEEPEST: u32 = 16;

/// Functions whose arguments must not overlap.
const APART: [&str; 9] =
    ["memcpy", "strcpy", "strncpy", "strcat", "strncat", "sprintf", "snprintf", "stpcpy", "mempcpy"];

/// A parameter that leads somewhere.
struct Pointer {
    name: String,
    /// What it leads to; nothing for `void`.
    to: Option<DebugTypeId>,
    constant: bool,
    /// Whether it is a reference of Rust, and one that nothing else leads to.
    is_reference: bool,
    is_unique: bool,
}

/// Ways in which a caller may make parameters of both versions of a function lead to the same place, usual ones first.
pub fn possible(program: &Program, [old, new]: [FuncId; 2]) -> Vec<Overlap> {
    let module = &program.module;
    if program.has_changed_records() {
        return Vec::new();
    }
    let mut pointers = pointers(program, [old, new]);
    if is_of_rust(module, new) {
        pointers.retain(|pointer| may_be_shared(module, pointer));
    }
    let uses = Uses::of(module, [old, new]);
    let only_at_begin = Uses::of(module, [old, old]).wants_apart;
    let mut found = Vec::new();
    let lead = |pointer: &Pointer, other: &Pointer, elements: u64| Overlap {
        pointer: pointer.name.clone(),
        to: Place::Parameter(other.name.clone(), elements),
        unusual: pointer.constant || other.constant,
    };
    for (index, first) in pointers.iter().enumerate() {
        for second in &pointers[index + 1..] {
            if first.constant && second.constant || !may_meet(module, first.to, second.to) {
                continue;
            }
            found.push(lead(second, first, 0));
            if is_number(module, first.to) && !only_at_begin {
                found.extend([lead(second, first, 1), lead(first, second, 1), lead(first, second, 2)]);
            }
        }
    }
    for pointer in &pointers {
        for &symbol in &uses.variables {
            let ty = global_object(program, symbol).and_then(|object| object.ty);
            let (Some(to), Some(ty)) = (pointer.to, ty) else { continue };
            if !is_character(module, to) && is_one(module, ty, to) {
                found.push(Overlap {
                    pointer: pointer.name.clone(),
                    to: Place::Variable(program.canonical(symbol)),
                    unusual: pointer.constant,
                });
            }
        }
    }
    let (mut unusual, mut found): (Vec<_>, Vec<_>) = found.into_iter().partition(|overlap| overlap.unusual);
    found.truncate(MOST);
    unusual.truncate(MOST);
    found.append(&mut unusual);
    found
}

/// Parameters that are pointers in both versions, and of which nobody promises that nothing else leads there.
fn pointers(program: &Program, versions: [FuncId; 2]) -> Vec<Pointer> {
    let module = &program.module;
    let debug = &module.debug;
    let sources = sources(program, versions[1]);
    let mut found = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let alone = versions.iter().any(|&version| {
            let Some(param) = module.functions[version].params.get(index) else { return true };
            let attrs = &module.attrs[param.attrs];
            let copied = |attr: &Attr| matches!(attr, Attr::Sret(_) | Attr::ByVal(_) | Attr::ByRef(_));
            attrs.has(AttrFlag::NoAlias) || attrs.0.iter().any(copied)
        });
        let Some(ty) = source.ty.filter(|_| !alone && !source.indirect && source.offset == 0) else { continue };
        let DebugTypeKind::Pointer { to, .. } = debug.types[debug.strip(ty)].kind else { continue };
        let known = to.filter(|&to| debug.bits(debug.strip(to)) > 0);
        let is_function = |to: DebugTypeId| matches!(debug.types[debug.strip(to)].kind, DebugTypeKind::Function { .. });
        let unclear = to.is_some_and(|to| is_function(to) || containers::holds(module, to));
        if !unclear && !source.name.is_empty() {
            let text = type_name(module, debug.strip(ty));
            let constant = to.is_some_and(|to| is_const(module, to)) || text.starts_with("*const ");
            let (is_reference, is_unique) = (text.starts_with('&'), text.starts_with("&mut "));
            found.push(Pointer { name: source.name.clone(), to: known, constant, is_reference, is_unique });
        }
    }
    found
}

/// Whether something else may lead to where a pointer of Rust leads to, while one of both writes there: it is no reference, or
/// one to a cell.
fn may_be_shared(module: &Module, pointer: &Pointer) -> bool {
    let debug = &module.debug;
    let holds_cell = |ty: DebugTypeId| {
        let mut todo = vec![(debug.strip(ty), 0)];
        while let Some((ty, depth)) = todo.pop() {
            match &debug.types[ty].kind {
                _ if type_name(module, ty).starts_with("UnsafeCell<") => return true,
                DebugTypeKind::Record { fields, .. } if depth < DEEPEST => {
                    todo.extend(fields.iter().filter_map(|field| Some((debug.strip(field.ty?), depth + 1))));
                }
                _ => {}
            }
        }
        false
    };
    !pointer.is_reference || !pointer.is_unique && pointer.to.is_some_and(holds_cell)
}

fn is_const(module: &Module, ty: DebugTypeId) -> bool {
    let mut ty = ty;
    for _ in 0..8 {
        match module.debug.types[ty].kind {
            DebugTypeKind::Alias { qualifier: Some(Qualifier::Const), .. } => return true,
            DebugTypeKind::Alias { to: Some(to), .. } => ty = to,
            // An array is constant if its elements are.
            DebugTypeKind::Array { element: Some(element), .. } => ty = element,
            _ => return false,
        }
    }
    false
}

fn is_character(module: &Module, ty: DebugTypeId) -> bool {
    let debug = &module.debug;
    matches!(&debug.types[debug.strip(ty)].kind, DebugTypeKind::Basic(_) if debug.bits(debug.strip(ty)) == 8)
}

/// Whether there are usually several behind a pointer: numbers, characters, bytes.
fn is_number(module: &Module, ty: Option<DebugTypeId>) -> bool {
    ty.is_none_or(|ty| matches!(module.debug.types[module.debug.strip(ty)].kind, DebugTypeKind::Basic(_)))
}

/// Whether pointers to two types may lead to the same place: to the same type, or to bytes.
fn may_meet(module: &Module, first: Option<DebugTypeId>, second: Option<DebugTypeId>) -> bool {
    let bytes = |ty: Option<DebugTypeId>| ty.is_none_or(|ty| is_character(module, ty));
    match (first, second) {
        _ if bytes(first) || bytes(second) => bytes(first) && bytes(second),
        (Some(first), Some(second)) => alike(module, first, second),
        _ => false,
    }
}

fn alike(module: &Module, first: DebugTypeId, second: DebugTypeId) -> bool {
    let debug = &module.debug;
    let (first, second) = (debug.strip(first), debug.strip(second));
    let is_float = |ty: DebugTypeId| matches!(debug.types[ty].kind, DebugTypeKind::Basic(Encoding::Float));
    let is_basic = |ty: DebugTypeId| matches!(debug.types[ty].kind, DebugTypeKind::Basic(_));
    match (is_basic(first), is_basic(second)) {
        (true, true) => debug.bits(first) == debug.bits(second) && is_float(first) == is_float(second),
        (false, false) => first == second || is_laid_alike((module, first), (module, second)),
        _ => false,
    }
}

/// Whether a variable of a type is something, or an array of it.
fn is_one(module: &Module, ty: DebugTypeId, what: DebugTypeId) -> bool {
    match module.debug.types[module.debug.strip(ty)].kind {
        DebugTypeKind::Array { element: Some(element), .. } => alike(module, element, what),
        _ => alike(module, ty, what),
    }
}

/// What functions, and all that they call, use.
struct Uses {
    /// Global variables that may change.
    variables: BTreeSet<SymbolId>,
    /// Whether something is called whose arguments must not overlap.
    wants_apart: bool,
}

impl Uses {
    fn of(module: &Module, entries: [FuncId; 2]) -> Uses {
        let mut uses = Uses { variables: BTreeSet::new(), wants_apart: false };
        let (mut todo, mut seen) = (entries.to_vec(), BTreeSet::new());
        while let Some(id) = todo.pop() {
            if seen.len() >= MAX_FUNCTIONS || !seen.insert(id) {
                continue;
            }
            for (_, _, inst) in module.functions[id].body() {
                inst.kind.for_each_operand(|value| {
                    let Value::Const(id) = value else { return };
                    let base = match &module.consts[id].kind {
                        ConstKind::Symbol(symbol) => Some(*symbol),
                        _ => module.base_symbol(id),
                    };
                    let Some(symbol) = base else { return };
                    if let SymbolKind::Variable(global) = module.symbols[symbol].kind
                        && !module.globals[global].constant
                    {
                        uses.variables.insert(symbol);
                    }
                });
                let Some(callee) = module.called_function(&inst.kind) else { continue };
                let name = module.function_name(callee);
                uses.wants_apart = uses.wants_apart || name.starts_with("llvm.memcpy") || APART.contains(&name);
                todo.push(callee);
            }
        }
        uses
    }
}

impl Program {
    /// What a variable of the new version is in one version.
    pub(crate) fn of_side(&self, symbol: SymbolId, old: bool) -> SymbolId {
        let twin =
            self.twins.iter().filter(|(other, known)| **known == symbol && *other != *known).map(|(other, _)| *other);
        twin.min().filter(|_| old).unwrap_or(symbol)
    }
}

impl Run<'_, '_> {
    /// What a parameter is said to lead into, and how the source would write that.
    pub(crate) fn overlapping(&mut self, object: &InputObject, name: &str) -> Option<(LeafValue, String)> {
        if !matches!(object.origin, Origin::Parameter(_)) {
            return None;
        }
        let overlap = self.worker.bounds.overlaps.iter().find(|overlap| overlap.pointer == name)?;
        match &overlap.to {
            Place::Variable(symbol) => {
                let variable = global_object(self.worker.program, *symbol)?;
                Some((LeafValue::Variable(*symbol), format!("&{}", variable.name)))
            }
            Place::Parameter(other, elements) => {
                let is_it = |object: &InputObject| object.memory && object.name == *other;
                let index = self.worker.inputs.objects.iter().position(is_it)?;
                let (text, elements) = (other.clone(), *elements);
                let to = &mut self.worker.inputs.objects[index];
                let bytes = to.element.saturating_mul(elements);
                if elements == 0 {
                    return Some((LeafValue::Pointer(InputId(index as u32)), text));
                }
                // Nothing lies behind what is not there.
                to.address = None;
                Some((LeafValue::Inside(InputId(index as u32), bytes), format!("{text} + {elements}")))
            }
        }
    }
}
