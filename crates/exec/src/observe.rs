//! From a finished state and values of its symbols to a case: the input, and what came of it.

mod elsewhere;

use crate::case::{self, CallResult, Datum, Input, Outcome, OutsideCall, Target, Turn, Written};
use crate::contents::{Contents, Part, Unset};
use crate::entry::{Bytes, Shell};
use crate::formatters::{self, FORMATTER};
use crate::inputs::{InputId, InputObject, LeafValue, Origin};
use crate::memory::{Kind, Object};
use crate::models::prelude;
use crate::run::Worker;
use crate::same::Typed;
use crate::state::{Effect, End, State};
use crate::value::{ObjectId, Pointer, Value};
use evidence::Limit;
use ir::id::{FuncId, SymbolId};
use smt::bits::Bits;
use smt::eval::{Evaluator, Model};
use smt::expr::{ArrayId, Expr, Op, SymbolId as SmtSymbol};
use smt::pool::Reading;
use std::sync::Arc;

/// Looks at one finished state with one set of values.
pub struct Observer<'a, 'p> {
    pub(crate) worker: &'a Worker<'p>,
    pub(crate) state: &'a State,
    model: &'a Model,
    evaluator: Evaluator<'a>,
    /// With other values for what was never assigned: what differs from the first depends on it.
    doubter: Option<Evaluator<'a>>,
    /// Scalars of the input that the path looked at.
    touched: Vec<(InputId, u64)>,
    /// Global variables of the outcome as they were when the entry was called.
    pub(crate) changed: Vec<(SymbolId, case::Memory)>,
}

/// Values with which a path is looked at: those of its input, and the same with other ones for what was never assigned.
pub struct Values {
    model: Model,
    doubt: Option<Model>,
}

impl Values {
    /// Values for a worker's symbols.
    pub fn new(worker: &Worker, model: &Model) -> Values {
        let undefined = worker.undefined.iter().map(|(symbol, _)| *symbol).chain(worker.unread.values().copied());
        let undefined: Vec<Expr> = undefined.collect();
        let doubt = (!undefined.is_empty()).then(|| {
            let mut doubt = model.clone();
            for expr in undefined {
                let Expr::Term(id) = expr else { continue };
                let node = worker.pool.node(id);
                if let Op::Symbol(symbol) = node.op {
                    doubt.set(symbol, &Bits::ones(node.width));
                }
            }
            doubt
        });
        Values { model: model.clone(), doubt }
    }
}

impl<'a, 'p> Observer<'a, 'p> {
    /// An observer of a finished state.
    pub fn new(worker: &'a Worker<'p>, state: &'a State, values: &'a Values) -> Observer<'a, 'p> {
        let mut touched: Vec<(InputId, u64)> = state.leaves.iter_back().copied().collect();
        let others = touched.iter().filter_map(|place| Some((place.0, *worker.inputs.together.get(place)?)));
        let others: Vec<_> = others.collect();
        touched.extend(others);
        touched.sort_unstable();
        touched.dedup();
        Observer {
            touched,
            changed: Vec::new(),
            worker,
            state,
            model: &values.model,
            evaluator: Evaluator::new(&worker.pool, &values.model),
            doubter: values.doubt.as_ref().map(|doubt| Evaluator::new(&worker.pool, doubt)),
        }
    }

    /// The value of an expression, if it does not depend on what was never assigned.
    pub fn bits(&mut self, expr: Expr) -> Option<Bits> {
        let value = self.evaluator.value(expr)?;
        match &mut self.doubter {
            Some(doubter) => doubter.value(expr).filter(|other| *other == value),
            None => Some(value),
        }
    }

    fn number(&mut self, expr: Expr) -> Option<u64> {
        if let Expr::Const { bits, .. } = expr {
            return Some(bits);
        }
        if self.doubter.is_none() && self.worker.pool.width(expr) <= 64 {
            return self.evaluator.small(expr);
        }
        self.bits(expr).map(|bits| bits.low())
    }

    /// The input.
    pub fn input(&mut self) -> Input {
        let mut input = Input { args: Vec::new(), ..Input::default() };
        match self.state.library.shell.clone() {
            Some(shell) => self.shell_input(&shell, &mut input),
            None => {
                for value in self.state.args.iter() {
                    let datum = self.datum(value);
                    input.args.push(datum);
                }
            }
        }
        for (id, object) in self.state.inputs.iter() {
            if self.position(*object).is_some() {
                let memory = self.initial_memory(*id);
                input.objects.push(memory);
            }
        }
        for (index, object) in self.worker.inputs.objects.iter().enumerate() {
            let id = InputId(index as u32);
            if let Some(symbol) = self.worker.variable_of(id, object)
                && self.touched.iter().any(|(object, _)| *object == id)
            {
                let name = self.worker.program.module.symbol_label(symbol).to_owned();
                let memory = self.initial_memory(id);
                input.globals.push((name, memory));
            }
        }
        for effect in self.state.effects.to_vec() {
            if let Effect::Call { function, args, result, written, .. } = effect {
                let name = self.made_name(result.as_ref());
                let result = result.as_ref().map_or(Datum::Any, |result| self.datum(result));
                let writes = self.writes(args, written);
                input.results.push(CallResult { function: function.to_string(), name, result, writes });
            }
        }
        self.elsewhere(&mut input);
        input
    }

    /// What a shell gives to the program.
    fn shell_input(&mut self, shell: &Shell, input: &mut Input) {
        let count = match self.state.args.first() {
            Some(Value::Bits(count)) => self.number(*count).unwrap_or(0) as usize,
            _ => shell.argv.len(),
        };
        for (index, arg) in shell.argv.iter().take(count).enumerate() {
            let mut bytes = self.outside_bytes(&format!("argv[{index}]"), arg);
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            bytes.truncate(end);
            input.argv.push(bytes);
        }
        input.stdin = self.outside_bytes("stdin", &shell.stdin);
        input.files = shell.files.iter().map(|(name, bytes)| (name.clone(), self.outside_bytes(name, bytes))).collect();
    }

    fn outside_bytes(&mut self, name: &str, bytes: &Bytes) -> Vec<u8> {
        if let Bytes::Known(known) = bytes {
            return known.clone();
        }
        let origin = self.worker.known_number(name).map(Origin::Outside);
        let Some(id) = origin.and_then(|origin| self.worker.inputs.find(origin)) else { return Vec::new() };
        let mut bytes = self.initial_memory(id).bytes;
        if let Some(length) = self.worker.known_length(name) {
            bytes.truncate(self.number(length).unwrap_or(0) as usize);
        }
        bytes
    }

    /// What came of it.
    pub fn outcome(&mut self, end: &End) -> Outcome {
        let mut outcome = Outcome {
            end: case::End::Returned,
            result: Datum::Any,
            objects: Vec::new(),
            globals: Vec::new(),
            stdout: Vec::new(),
            stderr: Vec::new(),
            calls: Vec::new(),
        };
        match end {
            End::Returned(value) => {
                if let Some(value) = value {
                    outcome.result = match (self.datum(value), value) {
                        (Datum::Any, Value::Bits(expr)) => self.known_bytes(*expr),
                        (datum, _) => datum,
                    };
                }
            }
            End::Exited(code) => outcome.end = case::End::Exited(self.number(*code).unwrap_or(0) as i32),
            End::Fault { kind, .. } => outcome.end = case::End::Fault(*kind),
            End::Scope { what, .. } => outcome.end = case::End::Bound(Limit::Model(what.to_string())),
            End::Bound { what, .. } => outcome.end = case::End::Bound(what.clone()),
            End::Unsupported { what, .. } => outcome.end = case::End::Unsupported(what.clone()),
            End::Left => outcome.end = case::End::Bound("not followed to its end".into()),
        }
        for (id, object) in self.state.inputs.iter() {
            if self.position(*object).is_some() {
                let copy = self.worker.copies.contains(id);
                let memory = if copy { self.unseen_memory(*id) } else { self.final_memory(*object) };
                outcome.objects.push(memory);
            }
        }
        self.changed.clear();
        for (id, object) in self.state.memory.iter() {
            let Some(symbol) = self.worker.program.object_symbol(id) else { continue };
            let is_own = !prelude::has_variable(&self.worker.program.module, symbol);
            if is_own && object.written && matches!(object.kind, Kind::Global { constant: false }) {
                let (before, after) = (self.memory_before(id, symbol), self.final_memory(id));
                // What they are called says nothing of their contents.
                if (&before.bytes, &before.pointers, &before.any) != (&after.bytes, &after.pointers, &after.any) {
                    let name = self.worker.program.module.symbol_label(symbol).to_owned();
                    outcome.globals.push((name, after));
                    self.changed.push((symbol, before));
                }
            }
        }
        for effect in self.state.effects.to_vec() {
            match effect {
                Effect::Output { stream, bytes } => {
                    let written: Vec<u8> =
                        bytes.iter().map(|&byte| self.number(byte).unwrap_or(b'?'.into()) as u8).collect();
                    match *stream {
                        2 => outcome.stderr.extend(written),
                        1 | FORMATTER => outcome.stdout.extend(written),
                        _ => {}
                    }
                }
                Effect::Call { function, args, .. } => {
                    let args = args.iter().map(|arg| self.datum(arg)).collect();
                    outcome.calls.push(OutsideCall { function: function.to_string(), args, given: Vec::new() });
                }
                Effect::Opaque { .. } => {}
            }
        }
        outcome
    }

    /// Bytes that hold nothing of each of the input's objects.
    pub fn padding_of_objects(&self) -> Vec<Vec<u64>> {
        let memory = self.state.inputs.iter().filter(|(_, object)| self.position(*object).is_some());
        memory.map(|(id, _)| self.worker.padding(Typed::Input(*id))).collect()
    }

    /// Where floats begin in the objects of the input, with their bytes.
    pub fn floats_of_objects(&self) -> Vec<Vec<(u64, u64)>> {
        let memory = self.state.inputs.iter().filter(|(_, object)| self.position(*object).is_some());
        memory.map(|(id, _)| self.worker.floats(Typed::Input(*id))).collect()
    }

    /// Where capacities that tell cases of an enum apart begin in the objects of the input.
    pub fn capacities_of_objects(&self) -> Vec<Vec<u64>> {
        let memory = self.state.inputs.iter().filter(|(_, object)| self.position(*object).is_some());
        memory.map(|(id, _)| self.worker.capacities(Typed::Input(*id))).collect()
    }

    /// The same as for floats for global variables that the run wrote.
    pub fn floats_of_globals(&self) -> Vec<(String, Vec<(u64, u64)>)> {
        let program = self.worker.program;
        let written = self.state.memory.iter().filter(|(_, object)| object.written);
        let symbols = written.filter_map(|(id, _)| program.object_symbol(id));
        symbols
            .map(|symbol| (program.module.symbol_label(symbol).to_owned(), self.worker.floats(Typed::Global(symbol))))
            .collect()
    }

    /// Bytes that hold nothing of each global variable that the run wrote.
    pub fn padding_of_globals(&self) -> Vec<(String, Vec<u64>)> {
        let program = self.worker.program;
        let written = self.state.memory.iter().filter(|(_, object)| object.written);
        let symbols = written.filter_map(|(id, _)| program.object_symbol(id));
        symbols
            .map(|symbol| (program.module.symbol_label(symbol).to_owned(), self.worker.padding(Typed::Global(symbol))))
            .collect()
    }

    /// Turns at branches.
    pub fn turns(&self) -> Vec<Turn> {
        turns(&self.worker.program.module, self.state)
    }

    /// Whether an object is what a formatter writes to, of which nobody wants to know.
    fn is_part_of_formatter(&self, object: &InputObject) -> bool {
        let Origin::Pointer(from, at) = object.origin else { return false };
        let ty = self.worker.inputs.object(from).ty;
        let layout = ty.and_then(|ty| formatters::layout(&self.worker.program.module, ty));
        layout.is_some_and(|layout| at == layout.target || at == layout.table)
    }

    /// The parts of the input that the path looked at, as the source names them, with their values. Where these are many,
    /// only those that `conditions` mention or that are not zero.
    pub fn named_inputs(&mut self, conditions: &[Expr]) -> Vec<NamedValue> {
        let mut rows: Vec<(Rank, NamedValue)> = Vec::new();
        let touched = self.touched.clone();
        let mut mentioned: Vec<SmtSymbol> = Vec::new();
        if touched.len() > MANY {
            self.worker.pool.each_symbol(conditions, |symbol, _| mentioned.push(symbol));
            mentioned.sort_unstable();
        }
        let is_mentioned = |symbol: SmtSymbol| touched.len() <= MANY || mentioned.binary_search(&symbol).is_ok();
        // Texts that are shown say how long they are.
        let inputs = &self.worker.inputs;
        let texts = self.state.inputs.iter().filter(|(id, _)| inputs.is_text_with_length(*id));
        let shown_texts: Vec<Expr> = texts.filter_map(|(id, _)| inputs.length_of(*id)).collect();
        for &(id, offset) in &touched {
            let object = self.worker.inputs.object(id);
            let rank = self.rank(id);
            // A string is shown as one.
            if object.terminator.is_some() || is_text(object) || self.worker.inputs.is_text_with_length(id) {
                continue;
            }
            let Some(leaf) = self.worker.inputs.leaf_at(id, offset) else { continue };
            if let Some((name, place)) = self.worker.inputs.leading_into.get(&(id, offset)) {
                rows.push(((rank, offset), (name.as_str().into(), place.clone())));
            }
            if let LeafValue::Variable(of, _) = leaf.value
                && let Some(address) = self.worker.known_weak_address(of)
                && let Some((symbol, _)) = self.symbol_of(address)
            {
                let shown = if self.is_missing(of) { "NULL" } else { "not NULL" };
                let name = self.worker.pool.symbol_info(symbol).name.as_str().into();
                rows.push(((rank, offset), (name, shown.to_owned())));
                continue;
            }
            // Behind the last element is nothing.
            let length = self.worker.inputs.length_of(id).and_then(|length| self.number(length));
            if length.is_some_and(|length| length.saturating_mul(object.element) <= offset) {
                continue;
            }
            if let LeafValue::Bits(expr) = leaf.value
                && !shown_texts.contains(&expr)
                && let Some((symbol, width)) = self.symbol_of(expr)
            {
                let info = self.worker.pool.symbol_info(symbol);
                // How much room a vector has is no part of its value.
                if info.name.contains(".buf.inner.cap") || info.name.contains("->buf.inner.cap") {
                    continue;
                }
                let value = self.model.get(symbol, width);
                // A variable that is zero says something if it does not begin so.
                let begins_otherwise = || {
                    matches!(object.origin, Origin::Global(symbol)
                        if matches!(self.worker.program.initial_contents(symbol).part(offset, leaf.size.into()),
                            Part::Bytes(bytes) if bytes != value.low()))
                };
                let is_parameter = matches!(object.origin, Origin::Parameter(_));
                if value.is_zero() && !is_parameter && !is_mentioned(symbol) && !begins_otherwise() {
                    continue;
                }
                let shown = if width <= 64 {
                    smt::show::constant(value.low(), width, Some(info.reading))
                } else {
                    format!("{:#x}", value.low_128())
                };
                rows.push(((rank, offset), (info.name.as_str().into(), shown)));
            }
        }
        for (position, (id, object)) in self.state.inputs.iter().enumerate() {
            let input = self.worker.inputs.object(*id);
            if !input.memory {
                if let Some(&symbol) = self.worker.plain_parameters.get(id)
                    && let Some((symbol, width)) = self.symbol_of(symbol)
                {
                    let reading = self.worker.pool.symbol_info(symbol).reading;
                    let value = smt::show::constant(self.model.get(symbol, width).low(), width.min(64), Some(reading));
                    rows.push(((position, 0), (input.name.as_str().into(), value)));
                }
                continue;
            }
            if self.is_part_of_formatter(input) {
                continue;
            }
            if self.worker.inputs.is_text_with_length(*id) && !self.worker.inputs.counted.contains_key(id) {
                let length = self.worker.inputs.length_of(*id).and_then(|length| self.number(length)).unwrap_or(0);
                let text = String::from_utf8_lossy(&self.memory_of(*id, length).bytes).escape_debug().to_string();
                rows.push(((position, 0), (input.name.as_str().into(), format!("\"{text}\""))));
                continue;
            }
            if let Some(&counted) = self.worker.inputs.counted.get(id) {
                let length = self.number(counted.length).unwrap_or(0);
                rows.push((
                    (position, 0),
                    match counted.text {
                        true => (input.name.as_str().into(), literal(&self.memory_of(*id, length).bytes)),
                        false => (format!("{}.size()", input.name).into(), length.to_string()),
                    },
                ));
                continue;
            }
            let null = self.target(Pointer::to(*object)) == Some(Target::Null);
            if null {
                rows.push(((position, 0), (input.name.as_str().into(), "NULL".to_owned())));
            } else if input.terminator.is_some() {
                let memory = self.initial_memory(*id);
                // What lies behind the first end of the text may matter too.
                let end = memory.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                rows.push(((position, 0), (input.name.as_str().into(), literal(&memory.bytes[..end]))));
            } else if is_text(input) {
                // As far as it was read.
                let read = touched.iter().filter(|(known, _)| known == id).map(|(_, offset)| offset + 1).max();
                let memory = self.memory_of(*id, read.unwrap_or(0));
                rows.push((
                    (position, 0),
                    (self.worker.inputs.object(*id).name.as_str().into(), literal(&memory.bytes)),
                ));
            } else if !touched.iter().any(|(known, _)| known == id) && !matches!(input.origin, Origin::Parameter(_)) {
                rows.push(((position, 0), (input.name.as_str().into(), "any memory".to_owned())));
            }
        }
        rows.sort_by_key(|(key, _)| *key);
        let answers = self.answers();
        rows.into_iter().map(|(_, row)| row).chain(answers).collect()
    }

    /// Numbers that functions outside of the program return, which are part of what is given.
    fn answers(&mut self) -> Vec<NamedValue> {
        let mut found = Vec::new();
        for effect in self.state.effects.to_vec() {
            // What is made up as an input is listed as one.
            if let Effect::Call { result: Some(Value::Bits(result)), .. } = effect
                && matches!(result, Expr::Term(id) if matches!(self.worker.pool.node(*id).op, Op::Apply { .. }))
                && let Some(value) = self.bits(*result).filter(|value| value.width <= 64)
            {
                let pool = &self.worker.pool;
                let reading = smt::show::reading(pool, *result).unwrap_or(Reading::Signed);
                let shown = smt::show::constant(value.low(), value.width, Some(reading));
                found.push((smt::show::show(pool, *result).into(), shown));
            }
        }
        found
    }

    /// Where an object of the input comes in lists: in the order in which the path met it, global variables last.
    fn rank(&self, id: InputId) -> usize {
        use ir::id::Id;
        match self.worker.inputs.object(id).origin {
            Origin::Global(symbol) => (1 << 32) + symbol.index(),
            _ => self.state.inputs.iter().position(|(known, _)| *known == id).unwrap_or(1 << 31),
        }
    }

    /// The symbol that an expression is, or is extended from.
    fn symbol_of(&self, expr: Expr) -> Option<(SmtSymbol, u32)> {
        let Expr::Term(id) = expr else { return None };
        let node = self.worker.pool.node(id);
        match node.op {
            Op::Symbol(symbol) => Some((symbol, node.width)),
            Op::ZExt | Op::SExt => self.symbol_of(node.args()[0]),
            _ => None,
        }
    }

    /// A value as plain data.
    pub fn datum(&mut self, value: &Value) -> Datum {
        match value {
            Value::Bits(expr) => self.bits(*expr).map_or(Datum::Any, Datum::Bits),
            Value::Ptr(pointer) => self.target(*pointer).map_or(Datum::Any, Datum::Pointer),
            Value::Many(parts) => Datum::Many(parts.iter().map(|part| self.datum(part)).collect()),
            Value::Undef | Value::Skipped(_) => Datum::Any,
        }
    }

    /// A number byte by byte, the lowest first, as far as its bytes do not depend on what was never assigned: a small record
    /// with room between its fields is returned so.
    fn known_bytes(&mut self, expr: Expr) -> Datum {
        let (Some(value), Some(doubter)) = (self.evaluator.value(expr), &mut self.doubter) else { return Datum::Any };
        let Some(other) = doubter.value(expr).filter(|value| value.width.is_multiple_of(8)) else { return Datum::Any };
        let byte = |bits: &Bits, at: u32| (bits.words[at as usize / 8] >> (at % 8 * 8)) as u8;
        let bytes = (0..value.width / 8).map(|at| (byte(&value, at), byte(&other, at)));
        let bytes: Vec<Datum> = bytes
            .map(|(one, other)| if one == other { Datum::Bits(Bits::new(one.into(), 8)) } else { Datum::Any })
            .collect();
        if bytes.iter().all(|byte| *byte == Datum::Any) { Datum::Any } else { Datum::Many(bytes) }
    }

    fn target(&mut self, pointer: Pointer) -> Option<Target> {
        let offset = self.number(pointer.offset)?;
        if pointer.object == ObjectId::NONE {
            return Some(if offset == 0 { Target::Null } else { Target::Address(offset) });
        }
        if let Some(symbol) = self.worker.program.object_symbol(pointer.object) {
            if self.is_missing(symbol) {
                return Some(if offset == 0 { Target::Null } else { Target::Address(offset) });
            }
            let name = self.worker.program.module.symbol_label(symbol).to_owned();
            return Some(Target::Symbol { name, offset: offset as i64 });
        }
        let object = self.state.memory.get_or_nothing(pointer.object);
        let Kind::Input(id) = object.kind else { return Some(Target::Own) };
        if let Some(address) = self.worker.inputs.object(id).address
            && self.number(address) == Some(0)
        {
            return Some(if offset == 0 { Target::Null } else { Target::Address(offset) });
        }
        let index = self.position(pointer.object)?;
        Some(Target::Object { index, offset: offset as i64 })
    }

    /// Whether a symbol that may be null is.
    fn is_missing(&mut self, symbol: SymbolId) -> bool {
        let address = self.worker.known_weak_address(symbol);
        address.is_some_and(|address| self.number(address) == Some(0))
    }

    /// Where an object is among the input's objects.
    fn position(&self, object: ObjectId) -> Option<usize> {
        let is_one = |id: InputId| self.worker.inputs.object(id).memory && !self.is_of_shell(id);
        let memory = self.state.inputs.iter().filter(|(id, _)| is_one(*id));
        memory.map(|(_, object)| *object).position(|known| known == object)
    }

    /// Whether a shell gives this, which has its own place in an input, unlike memory that an outside function hands out.
    fn is_of_shell(&self, id: InputId) -> bool {
        let Some(shell) = &self.state.library.shell else { return false };
        let InputObject { name, origin, .. } = self.worker.inputs.object(id);
        let is_file = || shell.files.iter().any(|(file, _)| file == name);
        matches!(origin, Origin::Outside(_)) && (name == "stdin" || name.starts_with("argv[") || is_file())
    }

    /// What the user calls the result of a call that made up an input.
    fn made_name(&self, result: Option<&Value>) -> String {
        let symbol = match result {
            Some(Value::Bits(expr)) => self.symbol_of(*expr),
            _ => None,
        };
        symbol.map_or_else(String::new, |(symbol, _)| self.worker.pool.symbol_info(symbol).name.clone())
    }

    /// What a call wrote through its arguments.
    fn writes(&mut self, args: &[Value], written: &[crate::state::Written]) -> Vec<Written> {
        let mut writes = Vec::new();
        for &crate::state::Written { argument, source, size, distance } in written {
            let Some(Value::Ptr(pointer)) = args.get(argument as usize) else { continue };
            let Some(distance) = self.number(distance) else { continue };
            // Behind a null pointer nothing is written.
            if matches!(self.target(*pointer), Some(Target::Null)) {
                continue;
            }
            let size = self.number(size).unwrap_or(0);
            let memory = self.memory_of(source, size);
            writes.push(Written { argument, distance: distance as i64, memory });
        }
        writes
    }

    fn initial_memory(&mut self, id: InputId) -> case::Memory {
        let size = self.worker.inputs.object(id).size;
        let size = self.number(size).unwrap_or(0);
        self.memory_of(id, size)
    }

    /// An input object of which nobody sees what became of it.
    fn unseen_memory(&mut self, id: InputId) -> case::Memory {
        let case::Memory { name, bytes, align, .. } = self.initial_memory(id);
        let size = bytes.len() as u64;
        case::Memory { name, bytes: vec![0; bytes.len()], any: vec![(0, size)], align, pointers: Vec::new() }
    }

    /// The first bytes of an input object.
    fn memory_of(&mut self, id: InputId, size: u64) -> case::Memory {
        let input = self.worker.inputs.object(id);
        let size = size.min(MAX_MEMORY);
        let mut memory = case::Memory {
            name: input.name.clone(),
            bytes: vec![0; size as usize],
            align: input.align,
            ..case::Memory::default()
        };
        if let Origin::Global(symbol) = input.origin {
            self.put_contents(&mut memory, &self.worker.program.initial_contents(symbol), size);
        }
        let touched: Vec<u64> = self.touched.iter().filter(|(known, _)| *known == id).map(|(_, at)| *at).collect();
        for leaf in touched.into_iter().filter_map(|at| self.worker.inputs.leaf_at(id, at)) {
            (0..u64::from(leaf.size)).for_each(|i| remove_pointer(&mut memory, leaf.offset + i));
            match leaf.value {
                LeafValue::Bits(expr) if leaf.size <= 8 => {
                    // Most leaves are a symbol as it is.
                    let word = match expr {
                        Expr::Term(id) => match self.worker.pool.node(id).op {
                            Op::Symbol(symbol) => Some(self.model.small(symbol)),
                            _ => self.evaluator.small(expr),
                        },
                        Expr::Const { bits, .. } => Some(bits),
                    };
                    put_word(&mut memory.bytes, leaf.offset, word.unwrap_or(0), leaf.size);
                }
                LeafValue::Bits(expr) => {
                    if let Some(bits) = self.evaluator.value(expr) {
                        put(&mut memory.bytes, leaf.offset, &bits, leaf.size);
                    }
                }
                LeafValue::Variable(symbol, _) if self.is_missing(symbol) => {}
                LeafValue::Variable(symbol, bytes) => {
                    let name = self.worker.program.module.symbol_label(symbol).to_owned();
                    memory.pointers.push((leaf.offset, Target::Symbol { name, offset: bytes as i64 }));
                }
                LeafValue::Pointer(to) | LeafValue::End(to) | LeafValue::Inside(to, _) => {
                    // Each version has objects of its own for what lies differently in it.
                    let is_it = |known: InputId| known == to || self.worker.inputs.canonical(known) == to;
                    let Some(&(_, object)) = self.state.inputs.iter().find(|(known, _)| is_it(*known)) else {
                        continue;
                    };
                    let offset = match leaf.value {
                        LeafValue::End(to) => self.worker.inputs.object(to).size,
                        LeafValue::Inside(_, bytes) => Expr::constant(bytes, 64),
                        _ => Expr::constant(0, 64),
                    };
                    match self.target(Pointer { object, offset }) {
                        Some(Target::Null) | None => {}
                        Some(target) => memory.pointers.push((leaf.offset, target)),
                    }
                }
            }
        }
        self.make_usable(&mut memory, id);
        memory
    }

    /// Gives a formatter what a native run needs to write to it.
    fn make_usable(&self, memory: &mut case::Memory, id: InputId) {
        let ty = self.worker.inputs.object(id).ty;
        if let Some(layout) = ty.and_then(|ty| formatters::layout(&self.worker.program.module, ty)) {
            let is_looked_at = self.touched.contains(&(id, layout.flags));
            formatters::make_usable(memory, layout, is_looked_at);
        }
    }

    /// A global variable as it was when the entry was called.
    fn memory_before(&mut self, id: ObjectId, symbol: SymbolId) -> case::Memory {
        if let Some(input) = self.worker.variable_input(symbol) {
            return self.initial_memory(input);
        }
        let size = self.number(self.state.memory.get_or_nothing(id).size).unwrap_or(0).min(MAX_MEMORY);
        let mut memory = case::Memory { bytes: vec![0; size as usize], align: 16, ..case::Memory::default() };
        self.put_contents(&mut memory, &self.worker.program.initial_contents(symbol), size);
        memory
    }

    fn final_memory(&mut self, id: ObjectId) -> case::Memory {
        let object = self.state.memory.get_or_nothing(id).clone();
        let size = self.number(object.size).unwrap_or(0).min(MAX_MEMORY);
        let mut memory = match (self.source(id, &object), self.worker.program.object_symbol(id)) {
            (Some(input), _) => self.initial_memory(input),
            (None, Some(symbol)) => self.memory_before(id, symbol),
            (None, None) => case::Memory { bytes: vec![0; size as usize], align: 16, ..case::Memory::default() },
        };
        memory.bytes.resize(size as usize, 0);
        self.put_contents(&mut memory, &object.contents, size);
        if let Some(input) = self.source(id, &object) {
            self.make_usable(&mut memory, input);
        }
        memory
    }

    /// An element of an array.
    fn element(&mut self, array: ArrayId, index: u64) -> Option<Bits> {
        let mut array = array.0;
        loop {
            let node = *self.worker.pool.node(array);
            match node.op {
                Op::Store if self.number(node.args()[1])? == index => return self.bits(node.args()[2]),
                Op::Store => match node.args()[0] {
                    Expr::Term(below) => array = below,
                    Expr::Const { .. } => return None,
                },
                Op::ArrayTable(table) => {
                    let element = usize::try_from(index).ok().and_then(|at| self.worker.pool.table(table).get(at));
                    return Some(Bits::new(element.copied().unwrap_or(0).into(), node.width));
                }
                Op::ArraySymbol(symbol) => {
                    let elements = self.model.arrays.get(&symbol);
                    let element = elements.and_then(|elements| elements.get(&index).cloned());
                    return Some(element.unwrap_or_else(|| Bits::zero(node.width)));
                }
                _ => return None,
            }
        }
    }

    fn source(&self, id: ObjectId, object: &Object) -> Option<InputId> {
        if let Some(source) = object.contents.source {
            return Some(source);
        }
        match object.kind {
            Kind::Input(id) => Some(id),
            _ => self.worker.variable_input(self.worker.program.object_symbol(id)?),
        }
    }

    fn put_contents(&mut self, memory: &mut case::Memory, contents: &Contents, size: u64) {
        if let Some(array) = contents.array {
            let element = u64::from(array.element);
            for index in 0..size / element {
                if let Some(bits) = self.element(array.id, index) {
                    put(&mut memory.bytes, index * element, &bits, array.element);
                }
            }
            return;
        }
        let mut at = 0;
        let end = contents.written().min(size);
        while at < end {
            match contents.part(at, 1) {
                Part::Bytes(byte) => {
                    memory.bytes[at as usize] = byte as u8;
                    remove_pointer(memory, at);
                    at += 1;
                }
                Part::Unset if contents.unset == Unset::Zero => at += 1,
                Part::Unset => at += 1,
                Part::Cell(_) | Part::Mixed => {
                    let Some((start, cell)) = contents.cell_at(at) else {
                        at += 1;
                        continue;
                    };
                    let cell = cell.clone();
                    (0..u64::from(cell.size)).for_each(|i| remove_pointer(memory, start + i));
                    match &cell.value {
                        Value::Bits(expr) => match self.bits(*expr) {
                            Some(bits) => put(&mut memory.bytes, start, &bits, cell.size),
                            None => put_any(memory, start, cell.size),
                        },
                        Value::Ptr(pointer) => {
                            put(&mut memory.bytes, start, &Bits::zero(cell.size * 8), cell.size);
                            match self.target(*pointer) {
                                Some(Target::Null) => {}
                                Some(target) => memory.pointers.push((start, target)),
                                None => put_any(memory, start, cell.size),
                            }
                        }
                        _ => put_any(memory, start, cell.size),
                    }
                    at = start + u64::from(cell.size);
                }
            }
        }
        memory.pointers.sort_by_key(|(at, _)| *at);
    }
}

/// Most bytes of an object that a case holds.
const MAX_MEMORY: u64 = 1 << 20;

/// What the source calls a part of an input, and its value.
pub type NamedValue = (Arc<str>, String);

/// Where a part of an input comes in a list: its object, then its distance.
type Rank = (usize, u64);

/// Bytes as a string of C. Escapes have three digits, so that what follows cannot belong to them.
pub(crate) fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("\\{byte:03o}")),
        }
    }
    text.push('"');
    text
}

/// Turns of a state at branches.
pub fn turns(module: &ir::module::Module, state: &State) -> Vec<Turn> {
    let mut names: Vec<(FuncId, Arc<str>)> = Vec::new();
    let turn = |turn: &crate::state::Turn| {
        let known = names.iter().rfind(|(id, _)| *id == turn.function).map(|(_, name)| name.clone());
        let function = known.unwrap_or_else(|| {
            let name: Arc<str> = module.function_label(turn.function).into();
            names.push((turn.function, name.clone()));
            name
        });
        Turn { function, branch: turn.branch, side: turn.side }
    };
    state.turns.to_vec().into_iter().map(turn).collect()
}

/// More parts of an input than people want to read.
const MANY: usize = 12;

fn put(bytes: &mut [u8], offset: u64, bits: &Bits, size: u32) {
    for i in 0..size {
        let word = bits.words.get(i as usize / 8).copied().unwrap_or(0);
        if let Some(place) = bytes.get_mut((offset + u64::from(i)) as usize) {
            *place = (word >> (i % 8 * 8)) as u8;
        }
    }
}

fn put_word(bytes: &mut [u8], offset: u64, word: u64, size: u32) {
    for i in 0..size.min(8) {
        if let Some(place) = bytes.get_mut((offset + u64::from(i)) as usize) {
            *place = (word >> (i * 8)) as u8;
        }
    }
}

/// Puts bytes that may be anything; they lie behind those that are known to.
fn put_any(memory: &mut case::Memory, start: u64, size: u32) {
    put(&mut memory.bytes, start, &Bits::zero(size * 8), size);
    let any = &mut memory.any;
    match any.last_mut().filter(|(before, count)| before + *count == start) {
        Some((_, count)) => *count += u64::from(size),
        None => any.push((start, size.into())),
    }
}

fn remove_pointer(memory: &mut case::Memory, at: u64) {
    if memory.pointers.is_empty() {
        return;
    }
    memory.pointers.retain(|(offset, _)| !(*offset..*offset + 8).contains(&at));
}

/// Whether an input is what the outside gives as text: standard input or a file.
fn is_text(object: &InputObject) -> bool {
    object.element == 1 && object.ty.is_none() && object.memory && matches!(object.origin, Origin::Outside(_))
}
