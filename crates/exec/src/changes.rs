//! What a run changed of the memory that its caller can see, scalar by scalar, in the words of the source.

use crate::case::{End, Input, Memory, Outcome, Target};
use crate::inputs::{self, InputObject, Naming, Origin};
use crate::names::unmarked;
use crate::observe::{NamedValue, Observer, literal};
use crate::program::Program;
use ir::debug::{DebugTypeKind, Encoding};
use ir::id::SymbolId;
use ir::module::SymbolKind;
use smt::expr::Expr;
use smt::pool::Reading;

/// Most scalars of an object that are listed; one more says that there are others.
const MOST: usize = 32;

impl Observer<'_, '_> {
    /// Scalars that have another value when the entry returns than they had when it was called. The input and the
    /// outcome are what this observer saw. What a program that is over leaves behind nobody sees.
    pub fn changes(&self, input: &Input, outcome: &Outcome) -> Vec<NamedValue> {
        let mut changes = Vec::new();
        if outcome.end != End::Returned || self.state.library.shell.is_some() {
            return changes;
        }
        let program = self.worker.program;
        let list = |object: &InputObject, before: &Memory, after: &Memory, changes: &mut Vec<NamedValue>| {
            Listing { program, object, before, after, outcome }.add(changes);
        };
        let memory = self.state.inputs.iter().map(|(id, _)| self.worker.inputs.object(*id));
        let objects = memory.filter(|object| object.memory);
        for ((object, before), after) in objects.zip(&input.objects).zip(&outcome.objects) {
            if before != after {
                list(object, before, after, &mut changes);
            }
        }
        for ((symbol, before), (_, after)) in self.changed.iter().zip(&outcome.globals) {
            let known = self.worker.variable_input(*symbol);
            match known {
                Some(id) => list(self.worker.inputs.object(id), before, after, &mut changes),
                None => {
                    if let Some(object) = global_object(program, *symbol) {
                        list(&object, before, after, &mut changes);
                    }
                }
            }
        }
        changes
    }
}

/// Scalars of an object that have another value in a second outcome.
pub fn differing(
    program: &Program,
    object: &InputObject,
    outcome: &Outcome,
    memory: &Memory,
    other: &Memory,
) -> Vec<NamedValue> {
    let mut found = Vec::new();
    Listing { program, object, before: other, after: memory, outcome }.add(&mut found);
    found
}

/// The input object that a global variable is.
pub fn global_object(program: &Program, symbol: SymbolId) -> Option<InputObject> {
    let module = &program.module;
    let SymbolKind::Variable(id) = module.symbols[symbol].kind else { return None };
    let variable = module.globals[id].variable.map(|id| &module.debug.variables[id]);
    // Of several variables of one name each says whose it is.
    let label = unmarked(module.symbol_label(symbol));
    let unit = label.find('@').filter(|_| !label.starts_with('"')).map_or("", |at| &label[at..]);
    let name = variable.and_then(|variable| variable.name).map(|name| format!("{}{unit}", module.str(name)));
    let size = program.place(symbol).size;
    Some(InputObject {
        name: name.unwrap_or_else(|| module.symbol_label(symbol).to_owned()),
        naming: Naming::Variable,
        ty: variable.and_then(|variable| variable.ty),
        element: size.max(1),
        count: 1,
        size: Expr::constant(size, 64),
        address: None,
        origin: Origin::Global(program.canonical(symbol)),
        depth: 0,
        terminator: None,
        exact: true,
        align: 16,
        memory: false,
        held: false,
    })
}

/// One object before and after a run.
struct Listing<'a> {
    program: &'a Program,
    object: &'a InputObject,
    before: &'a Memory,
    after: &'a Memory,
    outcome: &'a Outcome,
}

impl Listing<'_> {
    fn add(&self, changes: &mut Vec<NamedValue>) {
        let (mut at, mut count) = (0, 0);
        let size = self.after.bytes.len() as u64;
        while at < size {
            if !self.differs(at) {
                at += 1;
                continue;
            }
            if count == MOST {
                changes.push((self.object.name.as_str().into(), "and more".to_owned()));
                return;
            }
            let extent = self.object.extent(self.program, at, self.pointer_at(&self.after.pointers, at).is_some());
            let name = self.object.part_name(&extent);
            let end = extent.start + u64::from(extent.size);
            let text = self.text_from(at, size);
            if text > at + 1 && name.ends_with(']') {
                let (first, last) = (name.rfind('[').unwrap_or(0), text - at);
                let index: u64 = name[first + 1..name.len() - 1].parse().unwrap_or(0);
                let name = format!("{}[{index}..{}]", &name[..first], index + last - 1);
                changes.push((name.into(), literal(&self.after.bytes[at as usize..text as usize])));
                at = text;
            } else {
                changes.push((name.into(), self.value(&extent)));
                at = end.max(at + 1);
            }
            count += 1;
        }
    }

    fn differs(&self, at: u64) -> bool {
        // Nobody can say which value it has.
        if self.after.is_any(at) {
            return false;
        }
        self.before.bytes.get(at as usize) != self.after.bytes.get(at as usize)
            || self.pointer_at(&self.before.pointers, at) != self.pointer_at(&self.after.pointers, at)
    }

    fn pointer_at<'p>(&self, pointers: &'p [(u64, Target)], at: u64) -> Option<&'p Target> {
        let found = pointers.iter().find(|(start, _)| (*start..*start + 8).contains(&at));
        found.map(|(_, target)| target)
    }

    /// Where characters that changed end, if some begin there.
    fn text_from(&self, at: u64, size: u64) -> u64 {
        let is_character = |at: u64| {
            let extent = self.object.extent(self.program, at, false);
            extent.size == 1 && extent.ty.is_some_and(|ty| inputs::reading(self.program, ty, 1) == Reading::Char)
        };
        (at..size).find(|&at| !self.differs(at) || !is_character(at)).unwrap_or(size)
    }

    fn value(&self, extent: &inputs::Extent) -> String {
        if let Some(target) = self.pointer_at(&self.after.pointers, extent.start) {
            return self::target(target, self.outcome);
        }
        let (start, size) = (extent.start as usize, extent.size as usize);
        let bytes = self.after.bytes.get(start..start + size).unwrap_or_default();
        let word = bytes.iter().rev().fold(0u128, |word, &byte| word << 8 | u128::from(byte));
        let debug = &self.program.module.debug;
        let kind = extent.ty.map(|ty| &debug.types[debug.strip(ty)].kind);
        let reading = extent.ty.map_or(Reading::Unsigned, |ty| inputs::reading(self.program, ty, extent.size));
        match kind {
            Some(DebugTypeKind::Basic(Encoding::Boolean)) if word < 2 => (word == 1).to_string(),
            _ if size > 8 => format!("{word:#x}"),
            _ => smt::show::constant(word as u64, extent.size * 8, Some(reading)),
        }
    }
}

/// What a pointer of an outcome leads to, in the words of the source.
pub fn target(target: &Target, outcome: &Outcome) -> String {
    let behind = |offset: i64| match offset {
        0 => String::new(),
        offset => format!(" {} {}", if offset < 0 { '-' } else { '+' }, offset.unsigned_abs()),
    };
    match target {
        Target::Null => "NULL".to_owned(),
        Target::Object { index, offset } => {
            let name = outcome.objects.get(*index).map_or("", |memory| &memory.name);
            format!("{name}{}", behind(*offset))
        }
        Target::Symbol { name, offset } => format!("&{name}{}", behind(*offset)),
        Target::Own => "new memory".to_owned(),
        Target::Address(address) => format!("{address:#x}"),
    }
}
