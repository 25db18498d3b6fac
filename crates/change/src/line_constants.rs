//! Constants that only say where code stands: `__LINE__` as a number, or in a text (`"toml.c:1234"`).
//!
//! They change with every line that is added above and say nothing of behaviour. [`settle`] finds those that are the line
//! of their own instruction in both versions and gives the new version the numbers of the old one. Whatever compares
//! the versions afterwards, native runs too, sees one and the same number.
//!
//! A number counts if it is exactly the line of its instruction, and if the source asks for the number of its line there, which the
//! caller, who has the sources, says. A call that spans several lines may be at one of the lines below; that counts if the text, or another
//! operand of the instruction, names the source file.

use crate::canon::is_known_by_contents;
use crate::changes::{Changes, Kind};
use crate::lines::Line;
use ir::constant::{Const, ConstKind};
use ir::id::{ConstId, FuncId, InstId, StrId, SymbolId};
use ir::inst::{Inst, InstKind, Value};
use ir::module::{Function, Global, Module, Symbol, SymbolKind};
use ir::types::Type;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A new version whose line numbers are those of the old one.
#[derive(Clone, Debug)]
pub struct Settled {
    /// The new version.
    pub module: Module,
    /// In how many functions numbers moved.
    pub functions: usize,
}

/// How many lines an instruction may begin above the line that it names.
const MAX_SPAN: u64 = 30;

/// What an operand is replaced by.
pub(crate) enum Replacement {
    /// A number of the same type.
    Number(u128),
    /// The address of a text.
    Text(Box<[u8]>),
}

/// Operands of a version by function, instruction and position.
pub(crate) type Replacements = BTreeMap<(FuncId, InstId, usize), Replacement>;

/// Whether what the source says from a line on, down to the line of that number, asks for the number of its line, and does not itself
/// contain it: otherwise a number may only happen to be that of a line.
pub type AsksForLine<'a> = dyn Fn(&Line, u64) -> bool + 'a;

/// The new version with the line numbers of the old one; nothing if none moved. `asks` has the sources of the old and of the new
/// version.
pub fn settle(old: &Module, new: &Module, changes: &Changes, asks: [&AsksForLine<'_>; 2]) -> Option<Settled> {
    let mut replacements = Replacements::new();
    for function in changes.functions.iter().filter(|function| function.kind == Kind::Changed) {
        let (Some(of_old), Some(of_new), Some(diff)) = (function.old, function.new, &function.diff) else { continue };
        let functions = [&old.functions[of_old], &new.functions[of_new]];
        for (_, id, inst) in functions[0].body() {
            if let Some(partner) = diff.of_old(id).partner {
                let pair =
                    [Place::new(old, functions[0], inst), Place::new(new, functions[1], &functions[1].insts[partner])];
                compare(pair, asks, &mut |at, replacement| {
                    replacements.insert((of_new, partner, at), replacement);
                });
            }
        }
    }
    let functions: BTreeSet<FuncId> = replacements.keys().map(|(function, ..)| *function).collect();
    (!replacements.is_empty()).then(|| Settled { module: replaced(new, replacements), functions: functions.len() })
}

/// An instruction and where it stands.
struct Place<'m> {
    module: &'m Module,
    function: &'m Function,
    inst: &'m Inst,
    operands: Vec<Value>,
}

impl<'m> Place<'m> {
    fn new(module: &'m Module, function: &'m Function, inst: &'m Inst) -> Place<'m> {
        let mut operands = Vec::new();
        // Values of phis have no place of their own, and markers do nothing.
        if !matches!(inst.kind, InstKind::Phi { .. } | InstKind::Marker(_)) {
            inst.kind.for_each_operand(|value| operands.push(value));
        }
        Place { module, function, inst, operands }
    }

    fn line(&self) -> Option<u64> {
        let line = self.module.debug.locations[self.inst.loc?].line;
        (line > 0).then_some(u64::from(line))
    }

    /// Where it stands, of inlined code in its own file.
    fn place(&self) -> Option<Line> {
        let debug = &self.module.debug;
        let location = &debug.locations[self.inst.loc?];
        Some((debug.file_path(&self.module.strings, debug.file_of(location.scope?)?), location.line))
    }

    /// Name of the source file, without folders.
    fn file(&self) -> Option<&'m str> {
        let debug = &self.module.debug;
        let file = debug.file_of(debug.locations[self.inst.loc?].scope?)?;
        let name = self.module.str(debug.files[file].name);
        name.rsplit('/').next().filter(|name| !name.is_empty())
    }

    fn number(&self, at: usize) -> Option<u128> {
        match (self.operands.get(at)?, self.module.types.resolve(self.module.type_of(self.function, self.operands[at])))
        {
            (Value::Const(id), Type::Int(16..)) => match self.module.consts[*id].kind {
                ConstKind::Int(number) => Some(number),
                _ => None,
            },
            _ => None,
        }
    }

    /// Contents of a text that an operand is the address of.
    fn text(&self, at: usize) -> Option<&'m [u8]> {
        let Value::Const(id) = *self.operands.get(at)? else { return None };
        let ConstKind::Symbol(symbol) = self.module.consts[id].kind else { return None };
        let SymbolKind::Variable(variable) = self.module.symbols[symbol].kind else { return None };
        match &self.module.consts[self.module.globals[variable].initializer?].kind {
            ConstKind::Bytes(bytes) if is_known_by_contents(self.module, symbol) => Some(bytes),
            _ => None,
        }
    }

    fn names_file(&self) -> bool {
        let Some(file) = self.file() else { return false };
        (0..self.operands.len()).any(|at| self.text(at).is_some_and(|text| contains(text, file.as_bytes())))
    }
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Finds operands of a pair of instructions that are not equal and name the lines that the instructions stand at.
fn compare([old, new]: [Place<'_>; 2], asks: [&AsksForLine<'_>; 2], found: &mut impl FnMut(usize, Replacement)) {
    let is_alike = std::mem::discriminant(&old.inst.kind) == std::mem::discriminant(&new.inst.kind)
        && old.operands.len() == new.operands.len();
    let (Some(old_line), Some(new_line)) = (old.line(), new.line()) else { return };
    if !is_alike || old_line == new_line {
        return;
    }
    let mut names_file = None;
    let mut is_near = |old_number: u64, new_number: u64| {
        let spans = [old_number.checked_sub(old_line), new_number.checked_sub(new_line)];
        match spans {
            [Some(0), Some(0)] => true,
            [Some(a), Some(b)] if a == b && a <= MAX_SPAN => {
                *names_file.get_or_insert_with(|| old.names_file() && new.names_file())
            }
            _ => false,
        }
    };
    let mut is_here = |old_number: u64, new_number: u64| {
        let says =
            |place: &Place<'_>, asks: &AsksForLine<'_>, number| place.place().is_some_and(|line| asks(&line, number));
        is_near(old_number, new_number) && says(&old, asks[0], old_number) && says(&new, asks[1], new_number)
    };
    for at in 0..old.operands.len() {
        if let (Some(a), Some(b)) = (old.number(at), new.number(at)) {
            let numbers = u64::try_from(a).ok().zip(u64::try_from(b).ok());
            if a != b && numbers.is_some_and(|(a, b)| is_here(a, b)) {
                found(at, Replacement::Number(a));
            }
        } else if let (Some(a), Some(b)) = (old.text(at), new.text(at))
            && let Some((a_number, b_number)) = only_numbers_differ(a, b)
            && is_here(a_number, b_number)
        {
            found(at, Replacement::Text(a.into()));
        }
    }
}

/// The numbers of two texts that are equal but for one decimal number.
fn only_numbers_differ(a: &[u8], b: &[u8]) -> Option<(u64, u64)> {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    if same == a.len() && same == b.len() {
        return None;
    }
    // Digits that the numbers have in common belong to them.
    let begin = same - a[..same].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let split = |text: &[u8]| {
        let digits = text[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&text[begin..begin + digits]).ok()?.parse::<u64>().ok()?;
        Some((number, begin + digits))
    };
    let ((a_number, a_end), (b_number, b_end)) = (split(a)?, split(b)?);
    (a[a_end..] == b[b_end..]).then_some((a_number, b_number))
}

/// A module with other operands.
pub(crate) fn replaced(new: &Module, replacements: Replacements) -> Module {
    let mut module = new.clone();
    let mut texts: FxHashMap<Box<[u8]>, ConstId> = FxHashMap::default();
    for ((function, inst, at), replacement) in replacements {
        let mut kind = module.functions[function].insts[inst].kind.clone();
        let mut operands = Vec::new();
        kind.for_each_operand(|value| operands.push(value));
        let Value::Const(before) = operands[at] else { continue };
        let after = match replacement {
            Replacement::Number(number) => {
                let ty = module.consts[before].ty;
                module.consts.intern(Const { ty, kind: ConstKind::Int(number) })
            }
            Replacement::Text(bytes) => match texts.get(&bytes) {
                Some(&known) => known,
                None => {
                    let Some(symbol) = module.base_symbol(before) else { continue };
                    let made = add_text(&mut module, symbol, &bytes);
                    texts.insert(bytes, made);
                    made
                }
            },
        };
        let mut position = 0;
        kind.map_operands(|value| {
            position += 1;
            if position == at + 1 { Value::Const(after) } else { value }
        });
        module.functions[function].insts[inst].kind = kind;
    }
    module.type_layouts.extend(&module.types, &module.layout);
    module
}

/// Adds a text that is like another one but for its contents; its address.
fn add_text(module: &mut Module, like: SymbolId, bytes: &[u8]) -> ConstId {
    let byte = module.types.int(8);
    let ty = module.types.intern(Type::Array(byte, bytes.len() as u64));
    let initializer = module.consts.intern(Const { ty, kind: ConstKind::Bytes(bytes.into()) });
    let name = unused_name(module, &format!("{}.line", module.symbol_name(like)));
    let symbol = module.symbols.push(Symbol { name, label: None, ..module.symbols[like].clone() });
    if let SymbolKind::Variable(variable) = module.symbols[like].kind {
        let global = Global { symbol, ty, initializer: Some(initializer), ..module.globals[variable].clone() };
        module.symbols[symbol].kind = SymbolKind::Variable(module.globals.push(global));
    }
    let ptr = module.types.ptr();
    module.consts.intern(Const { ty: ptr, kind: ConstKind::Symbol(symbol) })
}

/// A name that no symbol of a module has.
fn unused_name(module: &mut Module, base: &str) -> StrId {
    let taken = |name: &str| module.symbols.ids().any(|id| module.symbol_label(id) == name);
    let name = (0..).map(|number: u32| format!("{base}.{number}")).find(|name| !taken(name)).unwrap_or_default();
    module.strings.intern_str(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_texts() {
        let differ = |a: &str, b: &str| only_numbers_differ(a.as_bytes(), b.as_bytes());
        assert_eq!(differ("a.c:12\0", "a.c:17\0"), Some((12, 17)));
        assert_eq!(differ("a.c:99: x\0", "a.c:101: x\0"), Some((99, 101)));
        assert_eq!(differ("120", "12"), Some((120, 12)));
        assert_eq!(differ("a.c:12\0", "a.c:12\0"), None);
        assert_eq!(differ("a.c:12\0", "b.c:12\0"), None);
        assert_eq!(differ("a.c:12 at 3", "a.c:13 at 4"), None);
        assert_eq!(differ("a", "a1"), None);
        assert_eq!(differ("", "1"), None);
    }
}
