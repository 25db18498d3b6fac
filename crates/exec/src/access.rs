//! Reading and writing memory, every access checked.

use crate::arith::part;
use crate::case::FaultKind;
use crate::contents::{Array, Contents, Part, Unset};
use crate::inputs::InputId;
use crate::memory::{Kind, Life};
use crate::run::Run;
use crate::state::{ChoiceKind, RemarkKind, Stop};
use crate::value::{ObjectId, Pointer, Shape, Value};
use evidence::Assumption;
use smt::expr::Expr;
use smt::pool::Reading;
use std::rc::Rc;

/// Addresses below this are null pointers with a distance.
const NULL_PAGE: u64 = 1 << 16;

/// The farthest place in an object that is followed: what lies before it has to be kept.
const FARTHEST_PLACE: u64 = 1 << 32;

/// Most places that are joined in one expression.
const MAX_CHOICES: usize = 512;

/// Most places that an address may be one of where each is looked at on its own.
const MAX_PLACES: u64 = 4096;

impl Run<'_, '_> {
    /// Reads a value.
    pub fn load(&mut self, ptr: Pointer, shape: &Shape) -> Result<Value, Stop> {
        let size = shape.size();
        if size == 0 {
            return Ok(self.zero(shape));
        }
        let (object, offset) = self.access(ptr, size, false)?;
        let value = self.load_at(object, offset, shape)?;
        self.as_read(value)
    }

    /// Writes a value.
    pub fn store(&mut self, ptr: Pointer, value: &Value, shape: &Shape) -> Result<(), Stop> {
        let size = shape.size();
        if size == 0 {
            return Ok(());
        }
        let (object, offset) = self.access(ptr, size, true)?;
        self.store_at(object, offset, value, shape)
    }

    /// Reads a byte.
    pub fn load_byte(&mut self, ptr: Pointer) -> Result<Expr, Stop> {
        let value = self.load(ptr, &Shape::Int { bits: 8, bytes: 1 })?;
        self.bits(&value, 8)
    }

    /// Writes a byte.
    pub fn store_byte(&mut self, ptr: Pointer, byte: Expr) -> Result<(), Stop> {
        self.store(ptr, &Value::Bits(byte), &Shape::Int { bits: 8, bytes: 1 })
    }

    /// The address `distance` bytes further.
    pub fn offset(&mut self, ptr: Pointer, distance: u64) -> Pointer {
        Pointer { object: ptr.object, offset: self.worker.pool.add(ptr.offset, Expr::constant(distance, 64)) }
    }

    /// Checks that `size` bytes from an address on may be read or written: which object, and where in it.
    pub fn access(&mut self, ptr: Pointer, size: u64, write: bool) -> Result<(ObjectId, Expr), Stop> {
        let ptr = self.resolve(ptr)?;
        if let Some(recorder) = &mut self.state.recorder {
            recorder.accesses(ptr, size, write);
        }
        let object = self.object(ptr.object);
        let (kind, life, present, total) = (object.kind, object.life, object.present, object.size);
        if let Life::Ended(_) = life {
            return Err(self.fault(FaultKind::UseAfterFree, "memory that no longer exists"));
        }
        if !present {
            self.check_present(ptr, kind)?;
        }
        if !self.worker.windows.is_empty() {
            self.check_windows(ptr, size)?;
        }
        match kind {
            Kind::Function(_) => return Err(self.fault(FaultKind::WildPointer, "a function's code")),
            Kind::Global { constant: true } if write => {
                return Err(self.fault(FaultKind::ReadOnly, "memory that never changes"));
            }
            _ => {}
        }
        if let (Expr::Const { bits: offset, .. }, Expr::Const { bits: total, .. }) = (ptr.offset, total)
            && size <= total
            && offset <= total - size
        {
            if offset > FARTHEST_PLACE {
                return Err(self.unsupported("memory of that size"));
            }
            return Ok((ptr.object, ptr.offset));
        }
        let pool = &mut self.worker.pool;
        let last = pool.sub(total, Expr::constant(size, 64));
        let before_end = pool.ule(ptr.offset, last);
        let fits = pool.ule(Expr::constant(size, 64), total);
        let inside = pool.and(before_end, fits);
        if !self.decide_as(inside, ChoiceKind::Check(FaultKind::OutOfBounds))? {
            return Err(match kind {
                Kind::Input(id) if !self.worker.inputs.object(id).exact => {
                    let negative = self.worker.pool.slt(ptr.offset, Expr::constant(0, 64));
                    let before = self.decide(negative)?;
                    let object = self.worker.inputs.object(id);
                    if before && object.name.contains("_vptr$") {
                        return Err(self.unsupported("what class an object of the input is of"));
                    }
                    let what = match object.terminator {
                        _ if before => Assumption::NothingBefore { of: object.name.clone() },
                        Some(most) => Assumption::Characters { of: object.name.clone(), most },
                        None => Assumption::Elements { of: object.name.clone(), most: object.count },
                    };
                    self.out_of_scope(what, before)
                }
                Kind::Global { .. } if self.is_only_declared(ptr.object) => {
                    self.unsupported(format!("{}, whose size is not known here", self.describe(ptr.object)))
                }
                _ => self.fault(FaultKind::OutOfBounds, &self.describe(ptr.object)),
            });
        }
        Ok((ptr.object, ptr.offset))
    }

    /// Notes that the last of so many bytes of the input is looked at.
    pub(crate) fn look_at_last(&mut self, ptr: Pointer, size: u64) -> Result<(), Stop> {
        if let Some(at) = ptr.offset.as_const().and_then(|offset| offset.checked_add(size - 1))
            && let Kind::Input(id) = self.object(ptr.object).kind
        {
            let leaf = self.leaf(id, at, false)?;
            self.state.leaves.push((id, leaf.offset));
        }
        Ok(())
    }

    /// Whether an object is a variable that the program only declares: others may say that it is larger.
    fn is_only_declared(&self, object: ObjectId) -> bool {
        let module = &self.worker.program.module;
        let symbol = self.worker.program.object_symbol(object);
        symbol.is_some_and(|symbol| match module.symbols[symbol].kind {
            ir::module::SymbolKind::Variable(id) => module.globals[id].initializer.is_none(),
            _ => false,
        })
    }

    /// What an object is to the user.
    pub fn describe(&self, object: ObjectId) -> String {
        let program = self.worker.program;
        if let Some(symbol) = program.object_symbol(object) {
            return program.module.symbol_label(symbol).to_owned();
        }
        match self.state.memory.get_or_nothing(object).kind {
            Kind::Input(id) => self.worker.inputs.object(id).name.clone(),
            Kind::Heap => "allocated memory".to_owned(),
            Kind::Stack => "a local variable".to_owned(),
            _ => "memory".to_owned(),
        }
    }

    /// Finds the object of an address that is a plain number.
    fn resolve(&mut self, ptr: Pointer) -> Result<Pointer, Stop> {
        if ptr.object != ObjectId::NONE {
            return Ok(ptr);
        }
        let Some(address) = ptr.offset.as_const() else {
            let near = self.worker.pool.ult(ptr.offset, Expr::constant(NULL_PAGE, 64));
            if self.decide_as(near, ChoiceKind::Check(FaultKind::NullPointer))? {
                return Err(self.fault(FaultKind::NullPointer, ""));
            }
            return Err(self.unsupported("an address made of an unknown number"));
        };
        if address < NULL_PAGE {
            return Err(self.fault(FaultKind::NullPointer, ""));
        }
        let program = self.worker.program;
        let found = match program.symbol_at(address) {
            Some((symbol, distance)) => Some((program.symbol_object(symbol), distance)),
            None => self.state.memory.at_address(address),
        };
        let Some((object, distance)) = found else {
            return Err(self.fault(FaultKind::WildPointer, &format!("address {address:#x}")));
        };
        self.remark(RemarkKind::Address);
        Ok(Pointer { object, offset: Expr::constant(distance, 64) })
    }

    /// Excludes that a pointer of the input is null.
    fn check_present(&mut self, ptr: Pointer, kind: Kind) -> Result<(), Stop> {
        let null = self.null_condition(ptr);
        let present = self.worker.pool.not(null);
        if !self.decide_as(present, ChoiceKind::Check(FaultKind::NullPointer))? {
            let name = match kind {
                Kind::Input(id) => self.worker.inputs.object(id).name.clone(),
                _ => String::new(),
            };
            return Err(self.fault(FaultKind::NullPointer, &name));
        }
        if let Some(object) = self.state.memory.get_mut(ptr.object) {
            object.present = true;
        }
        Ok(())
    }

    fn load_at(&mut self, object: ObjectId, offset: Expr, shape: &Shape) -> Result<Value, Stop> {
        match shape {
            Shape::Int { bits, bytes } | Shape::Float { bits, bytes, .. } => {
                let value = self.read(object, offset, u64::from(*bytes), false)?;
                Ok(match value {
                    Value::Bits(expr) if bytes * 8 != *bits => Value::Bits(self.worker.pool.extract(expr, 0, *bits)),
                    // A pointer read as a number keeps its object, unless a float was asked for.
                    Value::Ptr(_) if *bits == 64 && !matches!(shape, Shape::Float { .. }) => value,
                    Value::Ptr(_) => Value::Bits(self.bits(&value, *bits)?),
                    other => other,
                })
            }
            Shape::Ptr => {
                let value = self.read(object, offset, 8, true)?;
                Ok(match value {
                    Value::Bits(expr) => Value::Ptr(Pointer { object: ObjectId::NONE, offset: expr }),
                    other => other,
                })
            }
            Shape::Many { elements, packed_bits: false, .. } => {
                let mut values = Vec::with_capacity(elements.len());
                for (distance, element) in elements.iter() {
                    let at = self.worker.pool.add(offset, Expr::constant(*distance, 64));
                    values.push(self.load_at(object, at, element)?);
                }
                Ok(Value::Many(values.into()))
            }
            Shape::Many { elements, size, .. } => {
                let whole = self.read(object, offset, *size, false)?;
                let whole = self.bits(&whole, *size as u32 * 8)?;
                let mut low = 0;
                let mut values = Vec::with_capacity(elements.len());
                for (_, element) in elements.iter() {
                    let width = element.bits().unwrap_or(1);
                    values.push(Value::Bits(self.worker.pool.extract(whole, low, width)));
                    low += width;
                }
                Ok(Value::Many(values.into()))
            }
            Shape::Void => Ok(Value::Undef),
            Shape::Opaque => Err(self.unsupported("a value of a type that is not known")),
        }
    }

    fn store_at(&mut self, object: ObjectId, offset: Expr, value: &Value, shape: &Shape) -> Result<(), Stop> {
        match shape {
            Shape::Int { bits, bytes } | Shape::Float { bits, bytes, .. } => {
                let value = match value {
                    Value::Bits(expr) if bytes * 8 != *bits => Value::Bits(self.worker.pool.zext(*expr, bytes * 8)),
                    Value::Ptr(_) if *bits != 64 => Value::Bits(self.bits(value, *bits)?),
                    other => other.clone(),
                };
                self.write(object, offset, *bytes, value)
            }
            Shape::Ptr => {
                let value = match value {
                    // A number is a number, whatever it is called.
                    Value::Ptr(Pointer { object: ObjectId::NONE, offset }) => Value::Bits(*offset),
                    other => other.clone(),
                };
                self.write(object, offset, 8, value)
            }
            Shape::Many { elements, packed_bits: false, .. } => {
                for (index, (distance, element)) in elements.iter().enumerate() {
                    let part = part(value, index);
                    let at = self.worker.pool.add(offset, Expr::constant(*distance, 64));
                    self.store_at(object, at, &part, element)?;
                }
                Ok(())
            }
            Shape::Many { elements, size, .. } => {
                let mut whole: Option<Expr> = None;
                for (index, (_, element)) in elements.iter().enumerate() {
                    let part = part(value, index);
                    let bits = self.bits(&part, element.bits().unwrap_or(1))?;
                    whole = Some(match whole {
                        Some(low) => self.worker.pool.concat(bits, low),
                        None => bits,
                    });
                }
                let Some(whole) = whole else { return Ok(()) };
                let whole = self.worker.pool.zext(whole, *size as u32 * 8);
                self.write(object, offset, *size as u32, Value::Bits(whole))
            }
            Shape::Void => Ok(()),
            Shape::Opaque => Err(self.unsupported("a value of a type that is not known")),
        }
    }

    /// Reads `size` bytes that are known to lie inside the object.
    pub(crate) fn read(&mut self, object: ObjectId, offset: Expr, size: u64, pointer: bool) -> Result<Value, Stop> {
        if let Some(recorder) = &mut self.state.recorder {
            recorder.reads(object, offset, size);
        }
        self.read_unrecorded(object, offset, size, pointer)
    }

    fn read_unrecorded(&mut self, object: ObjectId, offset: Expr, size: u64, pointer: bool) -> Result<Value, Stop> {
        let contents = &self.object(object).contents;
        if let Some(at) = offset.as_const() {
            if contents.array.is_none() {
                return match contents.part(at, size) {
                    Part::Bytes(word) => Ok(Value::int(word, size as u32 * 8)),
                    Part::Cell(value) => Ok(value),
                    Part::Unset | Part::Mixed => self.read_mixed(object, at, size, pointer),
                };
            }
        } else if contents.array.is_none() && !self.make_array(object, offset, size)? {
            if let Some(value) = self.read_between_pointers(object, offset, size, pointer)? {
                return Ok(value);
            }
            let place = self.choose_place(object, offset, size)?;
            return self.read(object, Expr::constant(place, 64), size, pointer);
        }
        self.read_array(object, offset, size).map(Value::Bits)
    }

    /// Writes `size` bytes that are known to lie inside the object.
    pub(crate) fn write(&mut self, object: ObjectId, offset: Expr, size: u32, value: Value) -> Result<(), Stop> {
        if let Some(recorder) = &mut self.state.recorder {
            recorder.writes(object, offset, u64::from(size));
        }
        let has_array = self.object(object).contents.array.is_some();
        if let Some(object) = self.state.memory.get_mut(object) {
            object.written = true;
        }
        match offset.as_const() {
            Some(at) if !has_array => {
                self.split_cells(object, at, u64::from(size))?;
                let Some(contents) = self.contents_mut(object) else { return Ok(()) };
                match value {
                    Value::Bits(Expr::Const { bits, .. }) => contents.write_word(at, bits, u64::from(size)),
                    Value::Bits(Expr::Term(_)) | Value::Ptr(_) | Value::Undef | Value::Skipped(_) => {
                        contents.write_cell(at, size, value);
                    }
                    Value::Many(_) => {}
                }
                self.write_known_wide(object, at, size);
                Ok(())
            }
            _ => {
                if matches!(value, Value::Ptr(Pointer { object, .. }) if object != ObjectId::NONE)
                    || !has_array && !self.make_array(object, offset, u64::from(size))?
                {
                    let place = self.choose_place(object, offset, u64::from(size))?;
                    self.end_array(object)?;
                    return self.write(object, Expr::constant(place, 64), size, value);
                }
                let bits = self.bits(&value, size * 8)?;
                self.write_array(object, offset, size, bits)
            }
        }
    }

    /// A cell of more than 64 bits that is known becomes bytes.
    fn write_known_wide(&mut self, object: ObjectId, at: u64, size: u32) {
        if size <= 8 {
            return;
        }
        let Part::Cell(Value::Bits(expr)) = self.object(object).contents.part(at, u64::from(size)) else { return };
        let Some(known) = self.worker.pool.known(expr) else { return };
        let bytes: Vec<u8> = (0..size).map(|i| known.extract(i * 8, 8).low() as u8).collect();
        if let Some(contents) = self.contents_mut(object) {
            contents.write_bytes(at, &bytes);
        }
    }

    /// The contents of an object, to be changed.
    pub(crate) fn contents_mut(&mut self, object: ObjectId) -> Option<&mut Contents> {
        self.object(object);
        self.state.memory.get_mut(object).map(|object| Rc::make_mut(&mut object.contents))
    }

    /// Ends a run that is about to write so far from everything else that there is no room for what lies between.
    pub(crate) fn make_room(&mut self, object: ObjectId, at: u64, size: u64) -> Result<(), Stop> {
        match self.object(object).contents.is_far(at, size) {
            true => Err(self.bound("memory far behind all that was used before")),
            false => Ok(()),
        }
    }

    /// Splits the cells that stick out of a range that is about to be written.
    pub(crate) fn split_cells(&mut self, object: ObjectId, at: u64, size: u64) -> Result<(), Stop> {
        self.make_room(object, at, size)?;
        for (start, cell) in self.object(object).contents.cut_cells(at, size) {
            if let Value::Skipped(_) = cell.value {
                // It may be large, and its parts are alike.
                let end = start + u64::from(cell.size);
                let cuts = [start, at.clamp(start, end), (at + size).clamp(start, end), end];
                let Some(contents) = self.contents_mut(object) else { break };
                for pair in cuts.windows(2).filter(|pair| pair[0] < pair[1]) {
                    contents.write_cell(pair[0], (pair[1] - pair[0]) as u32, cell.value.clone());
                }
                continue;
            }
            self.split_cell(object, start, cell.size, &cell.value)?;
        }
        Ok(())
    }

    /// Makes a cell of single bytes, so that some of them can be written.
    fn split_cell(&mut self, object: ObjectId, start: u64, size: u32, value: &Value) -> Result<(), Stop> {
        let whole = match value {
            Value::Undef => None,
            value => Some(self.bits(value, size * 8)?),
        };
        for i in 0..size {
            let byte = match whole {
                Some(whole) => Value::Bits(self.worker.pool.extract(whole, i * 8, 8)),
                None => Value::Undef,
            };
            let Some(contents) = self.contents_mut(object) else { break };
            match byte {
                Value::Bits(Expr::Const { bits, .. }) => contents.write_word(start + u64::from(i), bits, 1),
                byte => contents.write_cell(start + u64::from(i), 1, byte),
            }
        }
        Ok(())
    }

    /// Reads bytes that are of different origins, or were never written.
    fn read_mixed(&mut self, object: ObjectId, at: u64, size: u64, pointer: bool) -> Result<Value, Stop> {
        let unset = self.object(object).contents.unset;
        if unset == Unset::Input {
            self.make_leaves(object, at, size, pointer)?;
            match self.object(object).contents.part(at, size) {
                Part::Bytes(word) => return Ok(Value::int(word, size as u32 * 8)),
                Part::Cell(value) => return Ok(value),
                Part::Unset | Part::Mixed => {}
            }
        } else if unset == Unset::Undefined && self.object(object).contents.part(at, size) == Part::Unset {
            return Ok(Value::Undef);
        }
        let end = at + size;
        if let Some((start, cell)) = self.object(object).contents.cell_at(at)
            && let Value::Skipped(skip) = cell.value
            && end <= start + u64::from(cell.size)
        {
            return Ok(Value::Skipped(skip));
        }
        let mut position = at;
        let mut joined: Option<Expr> = None;
        while position < end {
            let contents = &self.object(object).contents;
            let (piece, length) = if let Some((start, cell)) = contents.cell_at(position) {
                let (cell_size, value) = (cell.size, cell.value.clone());
                let length = (start + u64::from(cell_size)).min(end) - position;
                match value {
                    Value::Skipped(skip) => (self.skipped(skip, length as u32 * 8), length),
                    value => {
                        let whole = self.bits(&value, cell_size * 8)?;
                        (self.worker.pool.extract(whole, (position - start) as u32 * 8, length as u32 * 8), length)
                    }
                }
            } else {
                match contents.known_length(position, (end - position).min(8)) {
                    0 if unset == Unset::Undefined => (self.undefined(8), 1),
                    0 => (Expr::constant(0, 8), 1),
                    length => match contents.part(position, length) {
                        Part::Bytes(word) => (Expr::constant(word, length as u32 * 8), length),
                        _ => (Expr::constant(0, 8), 1),
                    },
                }
            };
            joined = Some(match joined {
                Some(low) => self.worker.pool.concat(piece, low),
                None => piece,
            });
            position += length;
        }
        Ok(Value::Bits(joined.unwrap_or(Expr::constant(0, 8))))
    }

    /// Makes up the input's bytes in a range that were never looked at on this path.
    fn make_leaves(&mut self, object: ObjectId, at: u64, size: u64, pointer: bool) -> Result<(), Stop> {
        let Some(id) = self.input_of(object) else { return Ok(()) };
        let mut position = at;
        while position < at + size {
            if self.object(object).contents.part(position, 1) != Part::Unset {
                position += 1;
                continue;
            }
            let leaf = self.leaf(id, position, pointer && position == at && size == 8)?;
            self.make_room(object, leaf.offset, leaf.size.into())?;
            let value = self.leaf_value(&leaf)?;
            if self.state.leaves.iter_back().next() != Some(&(id, leaf.offset)) {
                self.state.leaves.push((id, leaf.offset));
            }
            let total = self.most_bytes(object);
            // A leaf of a type that sticks out of the object, or out into what was written: only its free bytes.
            let free = self.object(object).contents.part(leaf.offset, u64::from(leaf.size)) == Part::Unset;
            let inside = total.is_none_or(|total| leaf.offset + u64::from(leaf.size) <= total);
            if free && inside {
                let Some(contents) = self.contents_mut(object) else { return Ok(()) };
                match value {
                    Value::Bits(Expr::Const { bits, .. }) => contents.write_word(leaf.offset, bits, leaf.size.into()),
                    value => contents.write_cell(leaf.offset, leaf.size, value),
                }
            } else {
                let whole = self.bits(&value, leaf.size * 8)?;
                let low = (position - leaf.offset) as u32 * 8;
                let byte = Value::Bits(self.worker.pool.extract(whole, low, 8));
                let Some(contents) = self.contents_mut(object) else { return Ok(()) };
                contents.write_cell(position, 1, byte);
                position += 1;
                continue;
            }
            position = position.max(leaf.offset + u64::from(leaf.size)).max(position + 1);
        }
        Ok(())
    }

    /// The input object that an object of the state stands for.
    pub(crate) fn input_of(&mut self, object: ObjectId) -> Option<InputId> {
        let object_now = self.object(object);
        if let Some(source) = object_now.contents.source {
            return Some(source);
        }
        match object_now.kind {
            Kind::Input(id) => Some(id),
            _ => {
                let symbol = self.worker.program.object_symbol(object)?;
                self.worker.variable_input(symbol)
            }
        }
    }

    /// Reads a number at an unknown place of an object that also holds pointers: one question, whether a pointer is hit,
    /// and where none is, a choice among all other places as one expression.
    fn read_between_pointers(
        &mut self,
        object: ObjectId,
        offset: Expr,
        size: u64,
        pointer: bool,
    ) -> Result<Option<Value>, Stop> {
        let Some(total) = self.object(object).size.as_const().filter(|_| !pointer) else { return Ok(None) };
        let facts = self.worker.pool.facts(offset);
        let contents = self.object(object).contents.clone();
        let pointers: Vec<u64> =
            contents.cells().filter(|(_, cell)| matches!(cell.value, Value::Ptr(_))).map(|(at, _)| at).collect();
        let hit = |at: u64| pointers.iter().any(|&start| at < start + 8 && start < at + size);
        let places: Vec<u64> = (0..=total.saturating_sub(size).min(1 << 16)).filter(|at| facts.contains(*at)).collect();
        let (hits, others): (Vec<u64>, Vec<u64>) = places.into_iter().partition(|&at| hit(at));
        if others.is_empty() || others.len() > MAX_CHOICES {
            return Ok(None);
        }
        let mut any_hit = Expr::bool(false);
        for at in hits {
            let here = self.worker.pool.eq(offset, Expr::constant(at, 64));
            any_hit = self.worker.pool.or(any_hit, here);
        }
        if self.decide(any_hit)? {
            return Ok(None);
        }
        let mut joined: Option<Expr> = None;
        for at in others.into_iter().rev() {
            let value = self.read(object, Expr::constant(at, 64), size, false)?;
            let bits = self.bits(&value, size as u32 * 8)?;
            let here = self.worker.pool.eq(offset, Expr::constant(at, 64));
            joined = Some(match joined {
                Some(rest) => self.worker.pool.ite(here, bits, rest),
                None => bits,
            });
        }
        Ok(joined.map(Value::Bits))
    }

    /// The most bytes that an object can have: its size, or the bound of an input whose size depends on another one.
    fn most_bytes(&mut self, object: ObjectId) -> Option<u64> {
        let (size, kind) = {
            let object = self.object(object);
            (object.size, object.kind)
        };
        match (size.as_const(), kind) {
            (Some(size), _) => Some(size),
            (None, Kind::Input(id)) => {
                let object = self.worker.inputs.object(id);
                object.element.checked_mul(object.count)
            }
            _ => None,
        }
    }

    /// Asks which place of an object an offset is.
    fn choose_place(&mut self, object: ObjectId, offset: Expr, size: u64) -> Result<u64, Stop> {
        let Some(total) = self.most_bytes(object) else {
            return Err(self.unsupported("a pointer at an unknown place in memory of unknown size"));
        };
        let facts = self.worker.pool.facts(offset);
        let places: Vec<u64> = (0..=total.saturating_sub(size).min(1 << 20)).filter(|at| facts.contains(*at)).collect();
        if places.len() as u64 > MAX_PLACES {
            return Err(self.unsupported("a pointer at an unknown place among too many"));
        }
        let conditions: Vec<Expr> =
            places.iter().map(|&at| self.worker.pool.eq(offset, Expr::constant(at, 64))).collect();
        let answer = self.choose(&conditions, ChoiceKind::Value)?;
        Ok(places.get(answer).copied().unwrap_or(0))
    }

    /// An object's contents as an array of such elements, unless pointers in it forbid that.
    pub(crate) fn as_array(&mut self, object: ObjectId, element: u32) -> Result<Option<Array>, Stop> {
        // A place of which only the alignment is known.
        let index = self.worker.pool.symbol_as("place".to_owned(), 64, Reading::Unsigned);
        let offset = self.worker.pool.mul(index, Expr::constant(element.into(), 64));
        let made = self.make_array(object, offset, element.into())?;
        Ok(self.object(object).contents.array.filter(|_| made))
    }

    /// Turns an object's contents into an array, unless pointers in it forbid that.
    fn make_array(&mut self, object: ObjectId, offset: Expr, size: u64) -> Result<bool, Stop> {
        let limit = self.worker.program.options.max_bytes;
        let total = self.most_bytes(object);
        if self.object(object).contents.unset == Unset::Input {
            let Some(total) = total.filter(|&total| total <= limit) else {
                return Err(self.unsupported("an unknown place in a large input"));
            };
            self.make_leaves(object, 0, total, false)?;
        }
        let aligned = matches!(size, 2 | 4 | 8) && self.is_multiple(offset, size);
        let whole = total.is_none_or(|total| total % size == 0);
        let element = if aligned && whole { size } else { 1 };
        let contents = self.object(object).contents.clone();
        if contents.cells().any(|(_, cell)| matches!(cell.value, Value::Ptr(_))) {
            return Ok(false);
        }
        let end = contents.written().next_multiple_of(element).min(total.unwrap_or(u64::MAX));
        if end > 1 << 22 {
            return Err(self.unsupported("an unknown place in a very large object"));
        }
        let width = element as u32 * 8;
        let mut known = Vec::with_capacity((end / element) as usize);
        let mut others = Vec::new();
        for index in 0..end / element {
            match contents.part(index * element, element) {
                Part::Bytes(word) => known.push(word),
                Part::Unset if contents.unset != Unset::Undefined => known.push(0),
                Part::Unset => known.push(0),
                Part::Cell(_) | Part::Mixed => {
                    known.push(0);
                    others.push(index);
                }
            }
        }
        let undefined = contents.unset == Unset::Undefined
            && (total.is_none_or(|total| total > end)
                || (0..end / element).any(|index| contents.part(index * element, element) == Part::Unset));
        let mut id = if undefined {
            let number = self.worker.undefined.len();
            let name = format!("uninitialised#{number}");
            let array = self.worker.pool.array_symbol(name, width, Reading::Unsigned);
            self.worker.undefined.push((Expr::Term(array.0), self.at));
            others =
                (0..end / element).filter(|&index| contents.part(index * element, element) != Part::Unset).collect();
            array
        } else {
            self.worker.pool.array_table(&known, width)
        };
        for index in others {
            // The program reads nothing here, so nothing comes to depend on it.
            let value = self.read_unrecorded(object, Expr::constant(index * element, 64), element, false)?;
            let bits = self.bits(&value, width)?;
            id = self.worker.pool.store(id, Expr::constant(index, 64), bits);
        }
        if let Some(contents) = self.contents_mut(object) {
            *contents = Contents::new(contents.unset);
            contents.array = Some(Array { element: element as u32, id });
        }
        Ok(true)
    }

    /// Turns an array back into cells.
    fn end_array(&mut self, object: ObjectId) -> Result<(), Stop> {
        let Some(array) = self.object(object).contents.array else { return Ok(()) };
        let limit = self.worker.program.options.max_bytes;
        let Some(total) = self.most_bytes(object).filter(|&total| total <= limit) else {
            return Err(self.unsupported("a pointer in memory of unknown size"));
        };
        let element = u64::from(array.element);
        let mut contents = Contents::new(self.object(object).contents.unset);
        for index in 0..total / element {
            match self.worker.pool.select(array.id, Expr::constant(index, 64)) {
                Expr::Const { bits, .. } => contents.write_word(index * element, bits, element),
                expr => contents.write_cell(index * element, array.element, Value::Bits(expr)),
            }
        }
        if let Some(place) = self.contents_mut(object) {
            *place = contents;
        }
        Ok(())
    }

    /// Whether a distance is a multiple of a power of two, whatever its symbols are.
    fn is_multiple(&self, offset: Expr, of: u64) -> bool {
        of.is_power_of_two() && self.worker.pool.facts(offset).zeros & (of - 1) == of - 1
    }

    fn read_array(&mut self, object: ObjectId, offset: Expr, size: u64) -> Result<Expr, Stop> {
        let Some(array) = self.object(object).contents.array else { return Ok(Expr::constant(0, 8)) };
        let element = u64::from(array.element);
        if size.is_multiple_of(element) && self.is_multiple(offset, element) {
            let first = self.element_index(offset, element);
            let mut joined: Option<Expr> = None;
            for i in 0..size / element {
                let index = self.worker.pool.add(first, Expr::constant(i, 64));
                let piece = self.worker.pool.select(array.id, index);
                joined = Some(match joined {
                    Some(low) => self.worker.pool.concat(piece, low),
                    None => piece,
                });
            }
            return Ok(joined.unwrap_or(Expr::constant(0, 8)));
        }
        let mut joined: Option<Expr> = None;
        for i in 0..size {
            let at = self.worker.pool.add(offset, Expr::constant(i, 64));
            let (index, shift) = self.byte_place(at, array.element);
            let pool = &mut self.worker.pool;
            let whole = pool.select(array.id, index);
            let shifted = pool.lshr(whole, shift);
            let byte = pool.extract(shifted, 0, 8);
            joined = Some(match joined {
                Some(low) => pool.concat(byte, low),
                None => byte,
            });
        }
        Ok(joined.unwrap_or(Expr::constant(0, 8)))
    }

    fn write_array(&mut self, object: ObjectId, offset: Expr, size: u32, bits: Expr) -> Result<(), Stop> {
        let Some(array) = self.object(object).contents.array else { return Ok(()) };
        let element = u64::from(array.element);
        let mut id = array.id;
        if u64::from(size).is_multiple_of(element) && self.is_multiple(offset, element) {
            let first = self.element_index(offset, element);
            for i in 0..u64::from(size) / element {
                let pool = &mut self.worker.pool;
                let index = pool.add(first, Expr::constant(i, 64));
                let piece = pool.extract(bits, (i * element) as u32 * 8, array.element * 8);
                id = pool.store(id, index, piece);
            }
        } else {
            for i in 0..size {
                let at = self.worker.pool.add(offset, Expr::constant(i.into(), 64));
                let (index, shift) = self.byte_place(at, array.element);
                let width = array.element * 8;
                let pool = &mut self.worker.pool;
                let whole = pool.select(id, index);
                let byte = pool.extract(bits, i * 8, 8);
                let byte = pool.zext(byte, width);
                let byte = pool.shl(byte, shift);
                let hole = pool.shl(Expr::constant(0xff, width), shift);
                let hole = pool.not(hole);
                let rest = pool.and(whole, hole);
                let whole = pool.or(rest, byte);
                id = pool.store(id, index, whole);
            }
        }
        if let Some(contents) = self.contents_mut(object) {
            contents.array = Some(Array { id, ..array });
        }
        Ok(())
    }

    fn element_index(&mut self, offset: Expr, element: u64) -> Expr {
        self.worker.pool.lshr(offset, Expr::constant(element.trailing_zeros().into(), 64))
    }

    /// The element that a byte is in, and how far up in it, in bits.
    fn byte_place(&mut self, at: Expr, element: u32) -> (Expr, Expr) {
        let pool = &mut self.worker.pool;
        let index = pool.lshr(at, Expr::constant(element.trailing_zeros().into(), 64));
        let inner = pool.and(at, Expr::constant(u64::from(element) - 1, 64));
        let shift = pool.shl(inner, Expr::constant(3, 64));
        (index, pool.extract(shift, 0, element * 8))
    }
}
