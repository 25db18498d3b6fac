//! What executes: a worker's pool of expressions and one state.
//!
//! An instruction, or a model of a library function, is a function of the state. Where it needs to know something that
//! the state leaves open, it *asks* ([`Run::choose`], [`Run::decide`]): the run stops, whoever drives it answers, and
//! the instruction is run again from its beginning, now finding the answer at once. So there is no half-done work to
//! save, under one rule: **ask first, change the state afterwards.**

use crate::case::FaultKind;
use crate::contents::{Part, Unset};
use crate::given::SIZE_OF;
use crate::inputs::{Bounds, InputId, Inputs};
use crate::memory::{Kind, Life, Object};
use crate::names::unmarked;
use crate::outside::Known;
use crate::program::Program;
use crate::same::KnownContainers;
use crate::state::{Choice, ChoiceKind, End, Question, RemarkKind, State, Stop};
use crate::value::{ObjectId, Pointer, Shape, Value};
use crate::windows::Region;
use evidence::{Assumption, Limit};
use ir::id::{DebugTypeId, FuncId, InstId, LocId, SymbolId};
use ir::module::SymbolKind;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use smt::expr::{Expr, FunctionId, Op, SymbolId as SmtSymbol};
use smt::pool::{Pool, Reading};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// What one thread executes with. States of one worker share its expressions.
pub struct Worker<'p> {
    /// The program.
    pub program: &'p Program,
    /// Expressions.
    pub pool: Pool,
    /// Objects of the input.
    pub inputs: Inputs,
    /// Sizes of what pointers of the input lead to; those of the program unless something else is said before it runs.
    pub bounds: Bounds,
    /// Whether global variables that can change are inputs; not so if the program starts at its beginning.
    pub free_globals: bool,
    /// Where pointers of the running instruction may lead, by their position among its operands.
    pub(crate) windows: Vec<(usize, Region)>,
    /// Functions of which only the name is known.
    functions: FxHashMap<String, FunctionId>,
    /// Symbols that stand for values that were never assigned, with where they were used.
    pub undefined: Vec<(Expr, Option<LocId>)>,
    /// Symbols that stand for values that were never assigned and are taken to be the same in two versions, by how many values
    /// were asked for before and by width.
    pub unread: BTreeMap<(u32, u32), Expr>,
    /// Symbols that stand for what a run may have forgotten, by number and width.
    unknown: FxHashMap<(usize, u32), Expr>,
    /// Symbols that stand for values that were not computed, each with the skip that it comes from.
    pub skipped: FxHashMap<SmtSymbol, u32>,
    /// For each term that was asked for the skip that it depends on, plus two; one if it depends on none.
    skips_of_terms: Vec<u32>,
    statics: Vec<Option<Rc<Object>>>,
    outside: FxHashMap<String, u32>,
    /// Lengths of bytes of the outside that may be shorter than their bound, by name.
    lengths: FxHashMap<String, Expr>,
    texts: FxHashMap<Expr, Arc<str>>,
    /// Parameters of which only the width is known.
    pub(crate) plain_parameters: FxHashMap<InputId, Expr>,
    /// Containers of the C++ library in types that were asked for.
    pub(crate) known_containers: RefCell<FxHashMap<DebugTypeId, KnownContainers>>,
    /// Functions that both versions share and that are not entered: their result is any number, the same for the same
    /// arguments.
    pub shares: Shares,
    /// Whether numbers in texts of the input are one expression each: fewer paths, harder questions.
    pub whole_numbers: bool,
    /// Selects whose conditions runs are to note.
    pub watched_selects: FxHashSet<(FuncId, InstId)>,
    /// Two versions of a function that are taken to be the same where they are called: that is what is to be proved.
    pub induction: Option<[FuncId; 2]>,
    /// Whether texts of Rust may be other than ASCII.
    pub any_text: bool,
    /// Values of the input in runs on a known one.
    pub concrete: Option<crate::concrete::Concrete>,
    /// Functions that runs began with.
    pub(crate) entries: Vec<FuncId>,
    /// What parameters are taken to lead to.
    pub(crate) parameter_casts: FxHashMap<u32, Vec<DebugTypeId>>,
    /// What fields are cast to, once that is asked for.
    pub(crate) field_casts: Option<FxHashMap<(String, u64), Vec<DebugTypeId>>>,
    /// Addresses of symbols that may be null, as far as they were asked for.
    weak: FxHashMap<SymbolId, Expr>,
    /// Input objects that are the entry's own copies (`byval`): nobody sees what becomes of them.
    pub(crate) copies: FxHashSet<InputId>,
}

/// Which of the functions that both versions of a program share are not entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shares {
    /// None.
    #[default]
    Nothing,
    /// Those with loops or recursion.
    Loops,
    /// All.
    All,
}

/// What is not known of a copy that overlaps with its source.
pub const OVER_ITSELF: &str = "a copy of memory over a part of itself";

/// How values are called that were never assigned.
pub const UNINITIALISED: &str = "uninitialised#";

/// How symbols are called that stand for what a run may have forgotten.
pub const UNKNOWN: &str = "unknown#";

impl<'p> Worker<'p> {
    /// A worker without expressions.
    pub fn new(program: &'p Program, free_globals: bool) -> Worker<'p> {
        Worker {
            program,
            pool: Pool::new(),
            inputs: Inputs::default(),
            bounds: program.options.inputs.clone(),
            free_globals,
            windows: Vec::new(),
            functions: FxHashMap::default(),
            undefined: Vec::new(),
            unread: BTreeMap::new(),
            unknown: FxHashMap::default(),
            skipped: FxHashMap::default(),
            skips_of_terms: Vec::new(),
            statics: vec![None; program.symbol_count() as usize],
            outside: FxHashMap::default(),
            lengths: FxHashMap::default(),
            texts: FxHashMap::default(),
            plain_parameters: FxHashMap::default(),
            known_containers: RefCell::default(),
            shares: Shares::Nothing,
            whole_numbers: false,
            watched_selects: FxHashSet::default(),
            induction: None,
            concrete: None,
            any_text: false,
            weak: FxHashMap::default(),
            copies: FxHashSet::default(),
            entries: Vec::new(),
            parameter_casts: FxHashMap::default(),
            field_casts: None,
        }
    }

    /// The uninterpreted function of a name.
    pub fn function(&mut self, name: &str) -> FunctionId {
        if let Some(&id) = self.functions.get(name) {
            return id;
        }
        let id = self.pool.function(name);
        self.functions.insert(name.to_owned(), id);
        id
    }

    /// A symbol that stands for what a run may have forgotten; those with other numbers have nothing to do with it.
    pub fn unknown(&mut self, number: usize, width: u32) -> Expr {
        let pool = &mut self.pool;
        *self.unknown.entry((number, width)).or_insert_with(|| pool.symbol(format!("{UNKNOWN}{number}"), width))
    }

    /// Whether expressions depend on such a symbol.
    pub fn mentions_unknown(&self, exprs: &[Expr]) -> bool {
        if self.unknown.is_empty() {
            return false;
        }
        let found = self.pool.symbols_in(exprs);
        found.into_values().any(|symbol| self.unknown.values().any(|known| *known == symbol))
    }

    /// An expression as people write it. The same conditions occur on many paths, so each text is made once.
    pub fn text(&mut self, expr: Expr) -> Arc<str> {
        if let Some(text) = self.texts.get(&expr) {
            return text.clone();
        }
        let text: Arc<str> = smt::show::show(&self.pool, expr).into();
        if self.texts.len() < MAX_TEXTS {
            self.texts.insert(expr, text.clone());
        }
        text
    }

    /// A number for something of the outside, the same for the same name.
    pub fn outside_number(&mut self, name: &str) -> u32 {
        let next = self.outside.len() as u32;
        *self.outside.entry(name.to_owned()).or_insert(next)
    }

    /// Remembers a symbol that stands for a value that was not computed.
    pub(crate) fn note_skipped(&mut self, symbol: Expr, skip: u32) {
        let Expr::Term(id) = symbol else { return };
        if let Op::Symbol(symbol) | Op::ArraySymbol(symbol) = self.pool.node(id).op {
            self.skipped.insert(symbol, skip);
        }
    }

    /// The latest skip that an expression depends on.
    pub fn skip_of(&mut self, expr: Expr) -> Option<u32> {
        let Expr::Term(root) = expr else { return None };
        if self.skipped.is_empty() {
            return None;
        }
        self.skips_of_terms.resize(self.skips_of_terms.len().max(self.pool.len()), 0);
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.skips_of_terms[id.index()] != 0 {
                stack.pop();
                continue;
            }
            let node = self.pool.node(id);
            let args = match node.op {
                Op::Apply { args, .. } => self.pool.apply_args(args),
                _ => node.args(),
            };
            let own = match node.op {
                Op::Symbol(symbol) | Op::ArraySymbol(symbol) => self.skipped.get(&symbol).map_or(1, |skip| skip + 2),
                _ => 1,
            };
            let (mut latest, before) = (own, stack.len());
            for arg in args {
                if let Expr::Term(id) = arg {
                    match self.skips_of_terms[id.index()] {
                        0 => stack.push(*id),
                        known => latest = latest.max(known),
                    }
                }
            }
            if stack.len() == before {
                self.skips_of_terms[id.index()] = latest;
                stack.pop();
            }
        }
        self.skips_of_terms[root.index()].checked_sub(2)
    }

    /// The number that something of the outside has, if it was ever looked at.
    pub(crate) fn known_number(&self, name: &str) -> Option<u32> {
        self.outside.get(name).copied()
    }

    /// What of the outside has a number.
    pub(crate) fn outside_name(&self, number: u32) -> Option<&str> {
        self.outside.iter().find(|(_, known)| **known == number).map(|(name, _)| name.as_str())
    }

    /// How many bytes of the outside there are: any number up to `most`.
    pub(crate) fn unknown_length(&mut self, name: &str, most: u64) -> Expr {
        if let Some(&length) = self.lengths.get(name) {
            return length;
        }
        let symbol = self.pool.symbol_as(format!("{SIZE_OF}{name}"), 64, Reading::Unsigned);
        let most = Expr::constant(most, 64);
        let fits = self.pool.ule(symbol, most);
        let length = self.pool.ite(fits, symbol, most);
        self.lengths.insert(name.to_owned(), length);
        length
    }

    /// How many bytes of the outside of that name there are, if it may be fewer than there is room for.
    pub(crate) fn known_length(&self, name: &str) -> Option<Expr> {
        self.lengths.get(name).copied()
    }

    /// The address of a symbol that may be null.
    pub(crate) fn weak_address(&mut self, symbol: SymbolId) -> Expr {
        let (program, pool) = (self.program, &mut self.pool);
        *self.weak.entry(symbol).or_insert_with(|| {
            let name = unmarked(program.module.symbol_name(symbol));
            pool.symbol_as(format!("&{name}"), 64, Reading::Address)
        })
    }

    /// The same, if anybody has asked for it.
    pub(crate) fn known_weak_address(&self, symbol: SymbolId) -> Option<Expr> {
        self.weak.get(&symbol).copied()
    }

    /// Addresses of symbols that may be null, as far as they were asked for.
    pub(crate) fn weak_addresses(&self) -> impl Iterator<Item = (SymbolId, Expr)> {
        self.weak.iter().map(|(symbol, address)| (*symbol, *address))
    }

    /// The condition under which such a symbol is null.
    fn weak_null(&mut self, symbol: SymbolId) -> Expr {
        let address = self.weak_address(symbol);
        self.pool.eq(address, Expr::constant(0, 64))
    }

    /// A function or global variable as it is before anything wrote it.
    pub(crate) fn initial_static(&mut self, symbol: SymbolId) -> Rc<Object> {
        use ir::id::Id;
        if let Some(object) = &self.statics[symbol.index()] {
            return object.clone();
        }
        let program = self.program;
        let place = program.place(symbol);
        let module = &program.module;
        let kind = match module.symbols[symbol].kind {
            SymbolKind::Function(id) => Kind::Function(id),
            _ => Kind::Global { constant: program.is_constant(symbol) },
        };
        let contents = match kind {
            Kind::Global { constant: false }
                if self.free_globals && !program.differing.contains(&program.canonical(symbol)) =>
            {
                self.global_input(symbol);
                crate::contents::Contents::new(Unset::Input)
            }
            Kind::Global { .. } => {
                let contents = program.initial_contents(symbol);
                if contents.unset == Unset::Input {
                    self.global_input(symbol);
                }
                contents
            }
            _ => crate::contents::Contents::default(),
        };
        let object = Rc::new(Object {
            base: place.base,
            size: Expr::constant(place.size, 64),
            kind,
            life: Life::Alive,
            present: true,
            written: false,
            contents: Rc::new(contents),
        });
        self.statics[symbol.index()] = Some(object.clone());
        object
    }
}

/// A symbol of the running instruction.
enum Fresh {
    Known(Expr),
    New(Expr),
}

/// How many texts of expressions are kept.
const MAX_TEXTS: usize = 100_000;

/// A worker and a state that it executes.
pub struct Run<'w, 'p> {
    /// The worker.
    pub worker: &'w mut Worker<'p>,
    /// The state.
    pub state: &'w mut State,
    /// The running instruction's location.
    pub at: Option<LocId>,
}

impl<'p> Run<'_, 'p> {
    /// The program.
    pub fn program(&self) -> &'p Program {
        self.worker.program
    }

    /// Expressions.
    pub fn pool(&mut self) -> &mut Pool {
        &mut self.worker.pool
    }

    /// Asks which of `conditions` holds; they exclude each other and one of them does.
    pub fn choose(&mut self, conditions: &[Expr], kind: ChoiceKind) -> Result<usize, Stop> {
        // Where an assumption is known not to hold, nobody goes on.
        let goes_on = |known: &usize| *known == 0 || kind != ChoiceKind::Assume;
        if let Some(known) = conditions.iter().position(|condition| condition.is_true()).filter(goes_on) {
            return Ok(known);
        }
        let question =
            Question { first: conditions.first().copied(), last: conditions.last().copied(), count: conditions.len() };
        if let Some((_, answer)) = self.state.answers.iter().find(|(known, _)| *known == question) {
            return Ok(*answer as usize);
        }
        self.state.question = Some(question);
        let (function, inst) = match self.state.top() {
            Some(frame) => (frame.code.function, frame.code.insts[frame.at as usize].id),
            // Only while the entry's arguments are made.
            None => (ir::id::Id::from_index(0), ir::id::Id::from_index(0)),
        };
        let conditions = SmallVec::from_slice(conditions);
        Err(Stop::Choose(Choice { conditions, kind, function, inst, at: self.at }))
    }

    /// Asks whether a condition holds.
    pub fn decide(&mut self, condition: Expr) -> Result<bool, Stop> {
        self.decide_as(condition, ChoiceKind::Value)
    }

    /// Asks whether a condition holds, saying what for.
    pub fn decide_as(&mut self, condition: Expr, kind: ChoiceKind) -> Result<bool, Stop> {
        if let Some(known) = condition.as_const() {
            return Ok(known == 1);
        }
        let not = self.worker.pool.not(condition);
        Ok(self.choose(&[condition, not], kind)? == 0)
    }

    /// Goes on if `fine` holds; where it does not, that is a fault.
    pub fn check(&mut self, fine: Expr, kind: FaultKind, detail: &str) -> Result<(), Stop> {
        if self.decide_as(fine, ChoiceKind::Check(kind))? { Ok(()) } else { Err(self.fault(kind, detail)) }
    }

    /// The number that an expression is: asked for among `0..=most`, beyond which the run is out of bounds.
    pub fn number(&mut self, expr: Expr, most: u64, what: &str) -> Result<u64, Stop> {
        if let Some(known) = expr.as_const() {
            return Ok(known);
        }
        let width = self.worker.pool.width(expr);
        let facts = self.worker.pool.facts(expr);
        let most = if width < 64 { most.min(smt::expr::mask(width)) } else { most };
        // Powers of two first would need fewer questions, but one question with all answers is asked only once.
        let mut conditions = Vec::new();
        let mut numbers = Vec::new();
        for number in 0..=most {
            if facts.contains(number) {
                conditions.push(self.worker.pool.eq(expr, Expr::constant(number, width)));
                numbers.push(number);
            }
        }
        let beyond = self.worker.pool.ult(Expr::constant(most, width), expr);
        conditions.push(beyond);
        let answer = self.choose(&conditions, ChoiceKind::Value)?;
        numbers.get(answer).copied().ok_or_else(|| self.bound(what))
    }

    /// A fault at the running instruction.
    pub fn fault(&self, kind: FaultKind, detail: &str) -> Stop {
        if kind == FaultKind::Panic && self.is_caught() {
            return self.unsupported("a panic that the program catches");
        }
        Stop::End(End::Fault { kind, detail: detail.to_owned(), at: self.place_of_fault() })
    }

    /// Whether `catch_unwind` of Rust was called and has not returned. Programs are built so that a panic ends them, which is not
    /// what happens then.
    fn is_caught(&self) -> bool {
        let module = &self.worker.program.module;
        let catches = |name: &str| name.contains("9panicking12catch_unwind") || name.contains("9panicking3try");
        self.state.frames.iter().any(|frame| catches(module.function_name(frame.code.function)))
    }

    /// The running instruction, or the call in the user's own code that led to it: what panics inside of `unwrap` is the
    /// mistake of whoever calls it.
    fn place_of_fault(&self) -> Option<LocId> {
        let module = &self.worker.program.module;
        let callers = self.state.frames.iter().rev().skip(1).filter_map(|frame| {
            let inst = frame.code.insts.get(frame.at as usize)?;
            inst.loc
        });
        let mut places = self.at.into_iter().chain(callers).flat_map(|at| module.debug.location_chain(at));
        places.find(|&at| !module.debug.is_of_toolchain(&module.strings, at)).or(self.at)
    }

    /// A limit reached at the running instruction.
    pub fn bound(&self, what: impl Into<Limit>) -> Stop {
        Stop::End(End::Bound { what: what.into(), at: self.at })
    }

    /// An input larger than those that are looked at, at the running instruction; `before` says that it is memory before
    /// the input's beginning.
    pub fn out_of_scope(&self, what: Assumption, before: bool) -> Stop {
        Stop::End(End::Scope { what, before, at: self.at })
    }

    /// Something that cannot be executed, at the running instruction.
    pub fn unsupported(&self, what: impl Into<String>) -> Stop {
        Stop::End(End::Unsupported { what: what.into(), at: self.at })
    }

    /// Says that the outcome depends on something beyond its inputs.
    pub fn remark(&mut self, kind: RemarkKind) {
        self.state.remark(kind, self.at);
    }

    /// A value that was never assigned, as a symbol of its own.
    pub fn undefined(&mut self, width: u32) -> Expr {
        let number = self.worker.undefined.len();
        match self.fresh(width, || format!("{UNINITIALISED}{number}")) {
            Fresh::Known(symbol) => symbol,
            Fresh::New(symbol) => {
                self.worker.undefined.push((symbol, self.at));
                self.remark(RemarkKind::Uninitialized);
                symbol
            }
        }
    }

    /// Gives memory of a number that was to be read from outside and was not, if it was never initialised, a value that two versions
    /// have in common: that of the number with this position among all that a run asked for.
    pub(crate) fn pair_uninitialised(&mut self, number: u32, ptr: Pointer, size: u32) -> Result<(), Stop> {
        // A run on chosen values is one on a machine: nothing chose this one.
        let is_chosen = self.worker.concrete.is_some();
        let Some(at) = ptr.offset.as_const().filter(|_| ptr.object != ObjectId::NONE && !is_chosen) else {
            return Ok(());
        };
        let object = self.object(ptr.object);
        let (is_own, is_alive) = (matches!(object.kind, Kind::Stack | Kind::Heap), matches!(object.life, Life::Alive));
        let fits =
            at.checked_add(size.into()).is_some_and(|end| object.size.as_const().is_some_and(|size| end <= size));
        let contents = &object.contents;
        let is_unset = contents.unset == Unset::Undefined && contents.array.is_none();
        if !is_own || !is_alive || !fits || !is_unset || contents.part(at, size.into()) != Part::Unset {
            return Ok(());
        }
        let bits = size * 8;
        let pool = &mut self.worker.pool;
        let name = || format!("{UNINITIALISED}read{number}");
        let known = self.worker.unread.entry((number, bits));
        let symbol = *known.or_insert_with(|| pool.symbol_as(name(), bits, Reading::Unsigned));
        self.store(ptr, &Value::Bits(symbol), &Shape::Int { bits, bytes: size })
    }

    /// A value that was not computed, as a symbol of its own.
    pub fn skipped(&mut self, skip: u32, width: u32) -> Expr {
        let number = self.worker.skipped.len();
        match self.fresh(width, || format!("skipped#{number}")) {
            Fresh::Known(symbol) => symbol,
            Fresh::New(symbol) => {
                self.worker.note_skipped(symbol, skip);
                symbol
            }
        }
    }

    /// A symbol of the running instruction, which finds it again when it is run again.
    fn fresh(&mut self, width: u32, name: impl FnOnce() -> String) -> Fresh {
        let used = self.state.fresh_used;
        self.state.fresh_used += 1;
        if let Some(&symbol) = self.state.fresh.get(used)
            && self.worker.pool.width(symbol) == width
        {
            return Fresh::Known(symbol);
        }
        let symbol = self.worker.pool.symbol_as(name(), width, Reading::Unsigned);
        self.state.fresh.truncate(used);
        self.state.fresh.push(symbol);
        Fresh::New(symbol)
    }

    /// The bits of a scalar. Those of a pointer are its address, which the program thereby has looked at.
    pub fn bits(&mut self, value: &Value, width: u32) -> Result<Expr, Stop> {
        match value {
            Value::Bits(expr) => Ok(*expr),
            Value::Ptr(pointer) => {
                let address = self.address(*pointer)?;
                Ok(if width < 64 { self.worker.pool.extract(address, 0, width) } else { address })
            }
            Value::Undef => Ok(self.undefined(width)),
            Value::Skipped(skip) => Ok(self.skipped(*skip, width)),
            Value::Many(_) => Err(self.unsupported("an aggregate where a number is expected")),
        }
    }

    /// A pointer; a plain number is an address that belongs to no object as far as is known.
    pub fn pointer(&mut self, value: &Value) -> Result<Pointer, Stop> {
        match value {
            Value::Ptr(pointer) => Ok(*pointer),
            Value::Bits(expr) => Ok(Pointer { object: ObjectId::NONE, offset: *expr }),
            Value::Undef => {
                let offset = self.undefined(64);
                Ok(Pointer { object: ObjectId::NONE, offset })
            }
            Value::Skipped(skip) => Ok(Pointer { object: ObjectId::NONE, offset: self.skipped(*skip, 64) }),
            Value::Many(_) => Err(self.unsupported("an aggregate where a pointer is expected")),
        }
    }

    /// The address of a pointer as a number.
    pub fn address(&mut self, pointer: Pointer) -> Result<Expr, Stop> {
        if pointer.object == ObjectId::NONE {
            return Ok(pointer.offset);
        }
        if self.is_null(pointer)? {
            return Ok(pointer.offset);
        }
        self.remark(RemarkKind::Address);
        let base = self.object(pointer.object).base;
        Ok(self.worker.pool.add(pointer.offset, Expr::constant(base, 64)))
    }

    /// The condition under which a pointer is null.
    pub fn null_condition(&mut self, pointer: Pointer) -> Expr {
        let zero = Expr::constant(0, 64);
        if pointer.object == ObjectId::NONE {
            return self.worker.pool.eq(pointer.offset, zero);
        }
        let object = self.object(pointer.object);
        let (present, kind) = (object.present, object.kind);
        match kind {
            Kind::Input(id) if !present => {
                let object = self.worker.inputs.object(id).clone();
                object.null(&mut self.worker.pool).unwrap_or(Expr::bool(false))
            }
            _ => self.weak_symbol(pointer).map_or(Expr::bool(false), |symbol| self.worker.weak_null(symbol)),
        }
    }

    /// The symbol that a pointer leads to, if that may be null.
    fn weak_symbol(&self, pointer: Pointer) -> Option<SymbolId> {
        let program = self.worker.program;
        if program.weak.is_empty() {
            return None;
        }
        program.object_symbol(pointer.object).filter(|symbol| program.weak.contains(symbol))
    }

    /// A value as it was read from memory: what stands there as the address of a weak symbol is null, or that address.
    pub(crate) fn as_read(&mut self, value: Value) -> Result<Value, Stop> {
        if self.worker.program.weak.is_empty() {
            return Ok(value);
        }
        Ok(match value {
            Value::Ptr(pointer) if self.weak_symbol(pointer).is_some() && self.is_null(pointer)? => {
                Value::Ptr(Pointer { object: ObjectId::NONE, offset: pointer.offset })
            }
            Value::Many(parts) => {
                Value::Many(parts.iter().map(|part| self.as_read(part.clone())).collect::<Result<_, _>>()?)
            }
            other => other,
        })
    }

    /// Asks whether a pointer is null.
    pub fn is_null(&mut self, pointer: Pointer) -> Result<bool, Stop> {
        let null = self.null_condition(pointer);
        self.decide(null)
    }

    /// Ends an object: memory that is freed.
    pub(crate) fn end_object(&mut self, object: ObjectId) {
        if let Some(recorder) = &mut self.state.recorder {
            recorder.ends(object);
        }
        self.state.memory.end(object, self.at);
    }

    /// An object as it is now.
    pub fn object(&mut self, id: ObjectId) -> &Object {
        if self.state.memory.get(id).is_none()
            && let Some(symbol) = self.worker.program.object_symbol(id)
        {
            let object = crate::models::library_global(self, symbol);
            let object = object.unwrap_or_else(|| self.worker.initial_static(symbol));
            self.state.memory.set(id, object);
            self.change_since(id, Known::Variable(symbol));
        }
        self.state.memory.get_or_nothing(id)
    }

    /// The function that a pointer leads to, if it is known.
    pub fn function_at(&mut self, pointer: Pointer) -> Option<FuncId> {
        let mut pointer = pointer;
        if pointer.object == ObjectId::NONE {
            let (symbol, distance) = self.worker.program.symbol_at(pointer.offset.as_const()?)?;
            pointer =
                Pointer { object: self.worker.program.symbol_object(symbol), offset: Expr::constant(distance, 64) };
        }
        match self.object(pointer.object).kind {
            Kind::Function(id) if pointer.offset.as_const() == Some(0) => Some(id),
            _ => None,
        }
    }

    /// A value of a shape in which every bit is zero.
    pub fn zero(&mut self, shape: &Shape) -> Value {
        match shape {
            Shape::Int { bits, .. } | Shape::Float { bits, .. } => Value::Bits(self.worker.pool.zero(*bits)),
            Shape::Ptr => Value::NULL,
            Shape::Many { elements, .. } => Value::Many(elements.iter().map(|(_, shape)| self.zero(shape)).collect()),
            Shape::Void | Shape::Opaque => Value::Undef,
        }
    }
}
