//! A concrete input as values of a worker's symbols: the way back from a case to the symbols that it came from.
//!
//! Symbols are made up when a path first looks at a part of the input, so their values are looked up bit by bit: each
//! [symbol has a place](Places) in the input, and a [`Given`] input is asked what lies there. What an input does not
//! say is zero, as in a native run. Places also give symbols a name that survives changes of the program: where a symbol
//! lies counts, not what the source calls it.
//!
//! Values are only ever a proposal. Whoever uses them evaluates conditions with them, so a value that is not quite what a
//! native run would see can make a test useless, but no path wrong.

use crate::case::{CallResult, Datum, Input, Memory, Target};
use crate::contents::Part;
use crate::entry::parameter_places;
use crate::inputs::{InputId, LeafValue, Origin};
use crate::names::unmarked;
use crate::run::Worker;
use crate::state::{Effect, State};
use crate::value::Value;
use ir::id::FuncId;
use rustc_hash::FxHashSet;
use smt::bits::Bits;
use smt::eval::{Evaluator, Model};
use smt::expr::{Expr, Op, SymbolId};
use smt::pool::Pool;
use smt::pool::digest::{Digests, mix, text};
use std::rc::Rc;

/// How the names of symbols begin that say how many bytes of the outside there are.
pub(crate) const SIZE_OF: &str = "size of ";

/// Where the symbols of a worker lie in the input.
#[derive(Default)]
pub struct Places {
    of: Vec<Option<Place>>,
    /// Keys of input objects that do not depend on names.
    keys: Vec<u128>,
    /// Keys of symbols: no two may have the same, or different formulas would look alike.
    taken: FxHashSet<u128>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// A scalar: object, distance, bytes.
    Leaf(InputId, u64, u32),
    /// The address of an object that may be null.
    Address(InputId),
    /// How many elements an object has.
    Count(InputId),
    /// The address of a symbol that may be null.
    Weak(ir::id::SymbolId),
}

impl Places {
    /// Looks for symbols that came up since the last time, and names them in digests.
    pub fn update(&mut self, worker: &Worker, digests: &mut Digests) {
        let known = self.of.len();
        if worker.pool.symbol_count() == known {
            return;
        }
        self.of.resize(worker.pool.symbol_count(), None);
        for (index, object) in worker.inputs.objects.iter().enumerate() {
            let id = InputId(index as u32);
            if index == self.keys.len() {
                self.keys.push(self.key(worker, id));
            }
            if let Some(symbol) = object.address.and_then(|address| symbol_of(&worker.pool, address)) {
                self.place(symbol, known, Place::Address(id));
            }
            if let Some(symbol) = worker.inputs.element_count(id).and_then(|count| symbol_of(&worker.pool, count)) {
                self.place(symbol, known, Place::Count(id));
            }
            for leaf in worker.inputs.leaves_of(id) {
                if let LeafValue::Bits(expr) = leaf.value
                    && let Some(symbol) = symbol_of(&worker.pool, expr)
                {
                    self.place(symbol, known, Place::Leaf(id, leaf.offset, leaf.size));
                }
            }
            if let Some(symbol) = worker.plain_parameters.get(&id).and_then(|&expr| symbol_of(&worker.pool, expr)) {
                let bytes = worker.pool.symbol_info(symbol).width.div_ceil(8);
                self.place(symbol, known, Place::Leaf(id, 0, bytes));
            }
        }
        for (of, address) in worker.weak_addresses() {
            if let Some(symbol) = symbol_of(&worker.pool, address) {
                self.place(symbol, known, Place::Weak(of));
            }
        }
        for index in known..self.of.len() {
            let symbol = SymbolId(index as u32);
            let mut key = match self.of[index] {
                Some(Place::Leaf(id, offset, size)) => mix(self.keys[id.0 as usize], mix(offset.into(), size.into())),
                Some(Place::Address(id)) => mix(self.keys[id.0 as usize], 0xadd),
                Some(Place::Count(id)) => mix(self.keys[id.0 as usize], 0xc0),
                Some(Place::Weak(_)) | None => text(&worker.pool.symbol_info(symbol).name),
            };
            while !self.taken.insert(key) {
                key = mix(key, 1);
            }
            digests.name(symbol, key);
        }
    }

    fn place(&mut self, symbol: SymbolId, known: usize, place: Place) {
        let index = symbol.0 as usize;
        if index >= known {
            self.of[index].get_or_insert(place);
        }
    }

    fn key(&self, worker: &Worker, id: InputId) -> u128 {
        let object = worker.inputs.object(id);
        match object.origin {
            Origin::Parameter(number) => mix(1, number.into()),
            Origin::Global(symbol) => mix(2, text(worker.program.module.symbol_label(symbol))),
            // The object that holds a pointer is older than the one that it leads to.
            Origin::Pointer(from, offset) => {
                mix(3, mix(self.keys.get(from.0 as usize).copied().unwrap_or(0), offset.into()))
            }
            Origin::Outside(_) => mix(4, text(&object.name)),
            Origin::Old(new) => mix(5, self.keys.get(new.0 as usize).copied().unwrap_or(0)),
        }
    }
}

/// A concrete input, asked for the values of a worker's symbols.
pub struct Given<'i> {
    input: &'i Input,
    /// Parameters as the memory of their variables, by number.
    parameters: Vec<Memory>,
    /// What calls made up or wrote.
    made: Vec<Memory>,
    /// By input object.
    bound: Vec<Bound>,
    /// Values of the symbols that are known.
    pub model: Rc<Model>,
    /// Whether it has more than the bounds allow, so that no path can be its.
    pub is_beyond: bool,
    symbols: usize,
    calls: usize,
}

/// What an input object is in a concrete input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Nothing,
    Parameter(usize),
    Object(usize),
    Global(usize),
    Made(usize),
    /// A global variable that a pointer leads to and that the input says nothing of.
    Variable(ir::id::SymbolId),
}

impl<'i> Given<'i> {
    /// An input of a function.
    pub fn new(program: &crate::program::Program, function: FuncId, input: &'i Input) -> Given<'i> {
        Given::at(&parameter_places(program, function), input)
    }

    /// An input of a function whose parameters have these places in the memory of their variables.
    pub fn at(places: &[(u32, u64)], input: &'i Input) -> Given<'i> {
        let mut parameters: Vec<Memory> = Vec::with_capacity(places.len());
        for (datum, &(number, offset)) in input.args.iter().zip(places) {
            let number = number as usize;
            if parameters.len() <= number {
                parameters.resize(number + 1, Memory::default());
            }
            put(&mut parameters[number], offset, datum);
        }
        let mut made = Vec::new();
        for result in &input.results {
            if !result.name.is_empty() {
                let mut memory = Memory { name: result.name.clone(), ..Memory::default() };
                put(&mut memory, 0, &result.result);
                made.push(memory);
            }
            made.extend(result.writes.iter().map(|written| written.memory.clone()));
        }
        made.extend(of_shell(input));
        if input.args.is_empty() && !input.argv.is_empty() {
            parameters.resize(parameters.len().max(1), Memory::default());
            put(&mut parameters[0], 0, &Datum::Bits(Bits::new(input.argv.len() as u128, 32)));
        }
        let (bound, model) = (Vec::new(), Rc::default());
        Given { input, parameters, made, bound, model, is_beyond: false, symbols: 0, calls: 0 }
    }

    /// Gives values to symbols that came up since the last time. `state` is one whose way this input goes.
    pub fn update(&mut self, worker: &Worker, places: &Places, state: &State) {
        for index in self.bound.len()..worker.inputs.objects.len() {
            let id = InputId(index as u32);
            let bound = self.bind(worker, id);
            self.is_beyond |= matches!(bound, Bound::Object(_)) && self.is_larger(worker, id, bound);
            self.bound.push(bound);
        }
        if self.symbols < places.of.len() {
            let mut model = std::mem::take(&mut self.model);
            for index in self.symbols..places.of.len() {
                let symbol = SymbolId(index as u32);
                let info = worker.pool.symbol_info(symbol);
                let width = info.width;
                let value = match places.of[index] {
                    None => match self.size_of_outside(&info.name) {
                        Some(size) => Bits::new(size.into(), width),
                        None => continue,
                    },
                    Some(Place::Address(id)) => {
                        let there = self.bound[id.0 as usize] != Bound::Nothing;
                        Bits::new(u128::from(there), width)
                    }
                    Some(Place::Weak(of)) => {
                        let is_it = |variable: &ir::module::Global| variable.address_of == Some(of);
                        let module = &worker.program.module;
                        let variable = module.globals.iter().find(|variable| is_it(variable));
                        let name = variable.map(|variable| module.symbol_label(variable.symbol));
                        let said = self.input.globals.iter().find(|(known, _)| Some(known.as_str()) == name);
                        let there = said.is_some_and(|(_, memory)| !memory.pointers.is_empty());
                        Bits::new(u128::from(there), width)
                    }
                    Some(Place::Count(id)) => {
                        let bytes =
                            self.memory(self.bound[id.0 as usize]).map_or(0, |memory| memory.bytes.len() as u64);
                        let count = u128::from(bytes / worker.inputs.object(id).element.max(1));
                        self.is_beyond |= width < 64 && count >> width != 0;
                        Bits::new(count, width)
                    }
                    Some(Place::Leaf(id, offset, size)) => {
                        let bound = self.bound[id.0 as usize];
                        let variable = match (bound, worker.inputs.object(id).origin) {
                            (Bound::Variable(symbol), _) | (_, Origin::Global(symbol)) => Some(symbol),
                            _ => None,
                        };
                        let value = read(worker, (self.memory(bound), variable), offset, size);
                        // Numbers of elements have no more bits than the bounds allow.
                        let fits = width >= 128 || value >> width == 0;
                        self.is_beyond |= !fits && width < size * 8 && width > 1;
                        Bits::new(if fits { value } else { value & ((1 << width) - 1) }, width)
                    }
                };
                Rc::make_mut(&mut model).set(symbol, &value);
            }
            self.model = model;
            self.symbols = places.of.len();
        }
        if state.effects.len() > self.calls && !self.input.results.is_empty() {
            self.answer_calls(worker, state);
        }
        self.calls = self.calls.max(state.effects.len());
    }

    /// Whether memory of the input has more bytes than the object that stands for it can have.
    fn is_larger(&self, worker: &Worker, id: InputId, bound: Bound) -> bool {
        let object = worker.inputs.object(id);
        let known = object.size.as_const();
        // A size that the program knows is no bound; what another version had behind it is not looked at.
        if known.is_some() && object.exact {
            return false;
        }
        let most = known.unwrap_or(object.count.saturating_mul(object.element.max(1)));
        self.memory(bound).is_some_and(|memory| memory.bytes.len() as u64 > most)
    }

    /// Functions of which only the name is known return what the input says, call by call.
    fn answer_calls(&mut self, worker: &Worker, state: &State) {
        let calls = state.effects.to_vec().into_iter().filter_map(|effect| match effect {
            Effect::Call { result, .. } => Some(result),
            _ => None,
        });
        for (result, given) in calls.zip(&self.input.results) {
            let (Some(Value::Bits(Expr::Term(id))), Datum::Bits(bits)) = (result, &given.result) else { continue };
            let node = worker.pool.node(*id);
            let Op::Apply { function, args } = node.op else { continue };
            let mut evaluator = Evaluator::new(&worker.pool, &self.model);
            let key: Option<Vec<Bits>> = worker.pool.apply_args(args).iter().map(|&arg| evaluator.value(arg)).collect();
            let Some(key) = key else { continue };
            let bits = Bits::new(bits.low_128(), node.width);
            // The first answer counts: equal arguments have equal results.
            Rc::make_mut(&mut self.model).functions.entry(function).or_default().entry(key).or_insert(bits);
        }
    }

    /// How many bytes of the outside there are, by the name of the symbol that says so.
    fn size_of_outside(&self, symbol: &str) -> Option<u64> {
        let name = symbol.strip_prefix(SIZE_OF)?;
        let bytes = match name {
            "stdin" if !self.input.argv.is_empty() => &self.input.stdin,
            _ => self.input.files.iter().find(|(file, _)| file == name).map(|(_, bytes)| bytes)?,
        };
        Some(bytes.len() as u64)
    }

    fn bind(&self, worker: &Worker, id: InputId) -> Bound {
        let object = worker.inputs.object(id);
        let module = &worker.program.module;
        // Marks tell the versions in one program apart; an input knows nothing of them.
        let named = |name: &str| self.input.globals.iter().position(|(known, _)| known == name).map(Bound::Global);
        let variable = |symbol: ir::id::SymbolId| {
            let said = named(unmarked(module.symbol_label(symbol)));
            said.unwrap_or(Bound::Variable(symbol))
        };
        let by_target = |target: Option<&Target>| match target {
            Some(Target::Object { index, offset: 0 }) if *index < self.input.objects.len() => Bound::Object(*index),
            Some(Target::Symbol { name, offset: 0 }) => {
                let known = module.symbols.ids().find(|&symbol| unmarked(module.symbol_label(symbol)) == name);
                known.map_or(Bound::Nothing, variable)
            }
            _ => Bound::Nothing,
        };
        let initially = |symbol: ir::id::SymbolId, offset: u64| {
            let Part::Cell(Value::Ptr(pointer)) = worker.program.initial_contents(symbol).part(offset, 8) else {
                return Bound::Nothing;
            };
            let target = worker.program.object_symbol(pointer.object).filter(|_| pointer.offset.as_const() == Some(0));
            target.map_or(Bound::Nothing, variable)
        };
        match object.origin {
            Origin::Parameter(number) => {
                let number = number as usize;
                let Some(memory) = self.parameters.get(number) else { return Bound::Nothing };
                // The address of a copy is what is passed in its place.
                if object.memory {
                    by_target(memory.pointers.first().map(|(_, target)| target))
                } else {
                    Bound::Parameter(number)
                }
            }
            Origin::Global(symbol) => named(unmarked(module.symbol_label(symbol))).unwrap_or(Bound::Nothing),
            Origin::Pointer(from, offset) => {
                let origin = worker.inputs.object(from).origin;
                let from = self.bound.get(from.0 as usize).copied().unwrap_or(Bound::Nothing);
                let memory = self.memory(from);
                match (from, origin) {
                    (Bound::Variable(symbol), _) | (Bound::Nothing, Origin::Global(symbol)) => {
                        return initially(symbol, offset);
                    }
                    _ => {}
                }
                let pointer = memory.and_then(|memory| memory.pointers.iter().find(|(at, _)| *at == offset));
                by_target(pointer.map(|(_, target)| target))
            }
            // Nobody compares versions by way of given inputs.
            Origin::Old(_) => Bound::Nothing,
            Origin::Outside(_) => {
                let named = |memory: &Memory| memory.name == object.name;
                // Where a function returned null, there is nothing, whatever is said of what it could have been.
                let is_there = |index: &usize| object.address.is_none() || self.leads_to(*index);
                let given = self.input.objects.iter().position(named).filter(is_there).map(Bound::Object);
                given.or_else(|| self.made.iter().position(named).map(Bound::Made)).unwrap_or(Bound::Nothing)
            }
        }
    }

    /// Whether any pointer of the input leads to one of its objects.
    fn leads_to(&self, object: usize) -> bool {
        let is_it = |target: &Target| matches!(target, Target::Object { index, .. } if *index == object);
        let in_memory = |memory: &Memory| memory.pointers.iter().any(|(_, target)| is_it(target));
        let in_result = |result: &CallResult| {
            has_target(&result.result, &is_it) || result.writes.iter().any(|written| in_memory(&written.memory))
        };
        let Input { args, objects, globals, results, .. } = self.input;
        results.iter().any(in_result)
            || args.iter().any(|arg| has_target(arg, &is_it))
            || objects.iter().chain(globals.iter().map(|(_, memory)| memory)).any(in_memory)
    }

    fn memory(&self, bound: Bound) -> Option<&Memory> {
        match bound {
            Bound::Nothing | Bound::Variable(_) => None,
            Bound::Parameter(number) => self.parameters.get(number),
            Bound::Object(index) => self.input.objects.get(index),
            Bound::Global(index) => self.input.globals.get(index).map(|(_, memory)| memory),
            Bound::Made(index) => self.made.get(index),
        }
    }
}

fn has_target(datum: &Datum, is_it: &dyn Fn(&Target) -> bool) -> bool {
    match datum {
        Datum::Pointer(target) => is_it(target),
        Datum::Many(parts) => parts.iter().any(|part| has_target(part, is_it)),
        Datum::Bits(_) | Datum::Any => false,
    }
}

/// What a shell gives to a program, under the names that the engine has for it.
fn of_shell(input: &Input) -> impl Iterator<Item = Memory> {
    let memory = |name: String, bytes: &[u8]| Memory { name, bytes: bytes.to_vec(), ..Memory::default() };
    let argv = input.argv.iter().enumerate().map(move |(index, arg)| memory(format!("argv[{index}]"), arg));
    let stdin = (!input.argv.is_empty()).then(|| memory("stdin".to_owned(), &input.stdin));
    argv.chain(stdin).chain(input.files.iter().map(move |(name, bytes)| memory(name.clone(), bytes)))
}

/// Some bytes that an input says; else those that a global variable has at the beginning.
fn read(
    worker: &Worker,
    (memory, variable): (Option<&Memory>, Option<ir::id::SymbolId>),
    offset: u64,
    size: u32,
) -> u128 {
    let bytes = u64::from(size.min(16));
    match memory {
        Some(memory) => (0..bytes).rev().fold(0u128, |value, byte| {
            value << 8 | u128::from(memory.bytes.get((offset + byte) as usize).copied().unwrap_or(0))
        }),
        None => variable.map_or(0, |symbol| initial(worker, symbol, offset, bytes)),
    }
}

fn initial(worker: &Worker, symbol: ir::id::SymbolId, offset: u64, bytes: u64) -> u128 {
    let contents = worker.program.initial_contents(symbol);
    (0..bytes).rev().fold(0, |value, byte| {
        let byte = match contents.part(offset + byte, 1) {
            Part::Bytes(byte) => byte as u8,
            _ => 0,
        };
        value << 8 | u128::from(byte)
    })
}

fn put(memory: &mut Memory, offset: u64, datum: &Datum) {
    let mut write = |bits: &Bits| {
        let end = offset as usize + bits.width.div_ceil(8) as usize;
        if memory.bytes.len() < end && end < 1 << 20 {
            memory.bytes.resize(end, 0);
        }
        for (index, byte) in memory.bytes.iter_mut().skip(offset as usize).take(end - offset as usize).enumerate() {
            let word = bits.words.get(index / 8).copied().unwrap_or(0);
            *byte = (word >> (index % 8 * 8)) as u8;
        }
    };
    match datum {
        Datum::Bits(bits) => write(bits),
        Datum::Pointer(target) => memory.pointers.push((offset, target.clone())),
        Datum::Many(_) | Datum::Any => {}
    }
}

/// The symbol that an expression is, or is extended from.
pub(crate) fn symbol_of(pool: &Pool, expr: Expr) -> Option<SymbolId> {
    let Expr::Term(id) = expr else { return None };
    let node = pool.node(id);
    match node.op {
        Op::Symbol(symbol) => Some(symbol),
        Op::ZExt | Op::SExt => symbol_of(pool, *node.args().first()?),
        _ => None,
    }
}
