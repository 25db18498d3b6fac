//! Arithmetic, comparisons and conversions, on pointers too.
//!
//! By default arithmetic does what unoptimised code does on the machine: signed overflow wraps, shifts take the distance
//! modulo the register's width. Under `check_undefined` what the language leaves undefined is a fault.

use crate::case::FaultKind;
use crate::inputs::InputId;
use crate::memory::Kind;
use crate::names::demangled;
use crate::relaid::is_laid_alike;
use crate::run::Run;
use crate::same::is_of_rust;
use crate::state::{RemarkKind, Stop};
use crate::value::{ObjectId, Pointer, Shape, Value};
use crate::x87;
use ir::id::FuncId;
use ir::inst::{BinaryOp, CastOp, Flags, FloatPredicate, IntPredicate, Predicate};
use smt::expr::{Expr, FloatFormat, FloatOp, Rounding};

/// Programs are given addresses above this one, and their objects are smaller.
const FARTHEST: i64 = 1 << 46;

impl Run<'_, '_> {
    /// Arithmetic on scalars or vectors.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        flags: Flags,
        left: &Value,
        right: &Value,
        shape: &Shape,
    ) -> Result<Value, Stop> {
        match shape {
            Shape::Many { elements, .. } => {
                let mut results = Vec::with_capacity(elements.len());
                for (index, (_, element)) in elements.iter().enumerate() {
                    let (a, b) = (part(left, index), part(right, index));
                    results.push(self.binary(op, flags, &a, &b, element)?);
                }
                Ok(Value::Many(results.into()))
            }
            Shape::Float { format, bits, .. } => {
                let (a, b) = (self.bits(left, *bits)?, self.bits(right, *bits)?);
                let Some(format) = format else {
                    let (a, b) = (self.known_x87(a)?, self.known_x87(b)?);
                    let Some(result) = x87::binary(op, a, b) else { return Err(self.unsupported(op.keyword())) };
                    return Ok(Value::Bits(self.x87(result)));
                };
                self.float_binary(op, *format, a, b).map(Value::Bits)
            }
            _ => {
                let width = shape.bits().unwrap_or(64);
                if let Some(value) = self.pointer_arithmetic(op, left, right)? {
                    return Ok(value);
                }
                let (a, b) = (self.bits(left, width)?, self.bits(right, width)?);
                self.integer_binary(op, flags, a, b, width).map(Value::Bits)
            }
        }
    }

    fn integer_binary(&mut self, op: BinaryOp, flags: Flags, a: Expr, b: Expr, width: u32) -> Result<Expr, Stop> {
        let checked = self.worker.program.options.check_undefined;
        if checked && flags.contains(Flags::NSW) {
            self.check_overflow(op, a, b, width)?;
        }
        let pool = &mut self.worker.pool;
        Ok(match op {
            BinaryOp::Add => pool.add(a, b),
            BinaryOp::Sub => pool.sub(a, b),
            BinaryOp::Mul => pool.mul(a, b),
            BinaryOp::And => pool.and(a, b),
            BinaryOp::Or => pool.or(a, b),
            BinaryOp::Xor => pool.xor(a, b),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let b = self.shift_distance(b, width, checked)?;
                let pool = &mut self.worker.pool;
                match op {
                    BinaryOp::Shl => pool.shl(a, b),
                    BinaryOp::LShr => pool.lshr(a, b),
                    _ => pool.ashr(a, b),
                }
            }
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                let zero = pool.zero(width);
                let fine = pool.ne(b, zero);
                self.check(fine, FaultKind::Division, "division by zero")?;
                let pool = &mut self.worker.pool;
                // Wider numbers are divided by a function, which wraps as all else does.
                let traps = width <= 64 || checked;
                if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) && traps {
                    let least = least(pool, width);
                    let ones = pool.ones(width);
                    let (is_least, is_minus) = (pool.eq(a, least), pool.eq(b, ones));
                    let both = pool.and(is_least, is_minus);
                    let fine = pool.not(both);
                    self.check(fine, FaultKind::Division, "the quotient does not fit")?;
                }
                let pool = &mut self.worker.pool;
                match op {
                    BinaryOp::UDiv => pool.udiv(a, b),
                    BinaryOp::URem => pool.urem(a, b),
                    BinaryOp::SDiv => pool.sdiv(a, b),
                    _ => pool.srem(a, b),
                }
            }
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
                return Err(self.unsupported(op.keyword()));
            }
        })
    }

    /// A shift's distance as the machine takes it: modulo 32, or 64 for wider numbers. Odd widths were checked by the
    /// compiler's own code.
    fn shift_distance(&mut self, distance: Expr, width: u32, checked: bool) -> Result<Expr, Stop> {
        if checked {
            let limit = self.worker.pool.number(width.into(), width.max(8));
            let limit = if width < 8 { Expr::constant(width.into(), width) } else { limit };
            if width >= 8 {
                let fine = self.worker.pool.ult(distance, limit);
                self.check(fine, FaultKind::Shift, "the distance is not less than the width")?;
            }
            return Ok(distance);
        }
        if !matches!(width, 8 | 16 | 32 | 64 | 128) {
            return Ok(distance);
        }
        let mask = self.worker.pool.number(u64::from(width.max(32)) - 1, width);
        Ok(self.worker.pool.and(distance, mask))
    }

    fn check_overflow(&mut self, op: BinaryOp, a: Expr, b: Expr, width: u32) -> Result<(), Stop> {
        let double = match op {
            BinaryOp::Add | BinaryOp::Sub => width + 1,
            BinaryOp::Mul => width * 2,
            _ => return Ok(()),
        };
        let pool = &mut self.worker.pool;
        let (wide_a, wide_b) = (pool.sext(a, double), pool.sext(b, double));
        let exact = match op {
            BinaryOp::Add => pool.add(wide_a, wide_b),
            BinaryOp::Sub => pool.sub(wide_a, wide_b),
            _ => pool.mul(wide_a, wide_b),
        };
        let cut = pool.extract(exact, 0, width);
        let back = pool.sext(cut, double);
        let fine = pool.eq(exact, back);
        self.check(fine, FaultKind::Overflow, op.keyword())
    }

    fn float_binary(&mut self, op: BinaryOp, format: FloatFormat, a: Expr, b: Expr) -> Result<Expr, Stop> {
        let nearest = Rounding::NearestEven;
        let op = match op {
            BinaryOp::FAdd => FloatOp::Add(format, nearest),
            BinaryOp::FSub => FloatOp::Sub(format, nearest),
            BinaryOp::FMul => FloatOp::Mul(format, nearest),
            BinaryOp::FDiv => FloatOp::Div(format, nearest),
            BinaryOp::FRem => FloatOp::Rem(format),
            other => return Err(self.unsupported(other.keyword())),
        };
        Ok(self.worker.pool.float(op, &[a, b], format.width()))
    }

    /// Arithmetic that keeps a pointer's object, or gives a distance inside one. `None` if the addresses matter.
    fn pointer_arithmetic(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Result<Option<Value>, Stop> {
        Ok(match (op, left, right) {
            (BinaryOp::Add, Value::Ptr(p), Value::Bits(distance))
            | (BinaryOp::Add, Value::Bits(distance), Value::Ptr(p)) => {
                Some(Value::Ptr(Pointer { object: p.object, offset: self.worker.pool.add(p.offset, *distance) }))
            }
            (BinaryOp::Sub, Value::Ptr(p), Value::Bits(distance)) => {
                Some(Value::Ptr(Pointer { object: p.object, offset: self.worker.pool.sub(p.offset, *distance) }))
            }
            (BinaryOp::Sub, Value::Ptr(p), Value::Ptr(q)) if p.object == q.object => {
                Some(Value::Bits(self.worker.pool.sub(p.offset, q.offset)))
            }
            // The low bits of an address are those of the distance as far as the object is aligned.
            (BinaryOp::And, Value::Ptr(p), Value::Bits(Expr::Const { bits, .. })) if p.object != ObjectId::NONE => {
                let base = self.object(p.object).base;
                let align = 1u64 << base.trailing_zeros().min(32);
                if *bits < align.min(16) || !*bits < align.min(16) {
                    self.note_asked_for_alignment(*p);
                }
                if *bits < align.min(16) {
                    Some(Value::Bits(self.worker.pool.and(p.offset, Expr::constant(*bits, 64))))
                } else if !*bits < align.min(16) {
                    Some(Value::Ptr(Pointer {
                        object: p.object,
                        offset: self.worker.pool.and(p.offset, Expr::constant(*bits, 64)),
                    }))
                } else {
                    None
                }
            }
            (BinaryOp::URem, Value::Ptr(p), Value::Bits(Expr::Const { bits, .. }))
                if p.object != ObjectId::NONE && bits.is_power_of_two() && *bits <= 16 =>
            {
                self.note_asked_for_alignment(*p);
                Some(Value::Bits(self.worker.pool.and(p.offset, Expr::constant(bits - 1, 64))))
            }
            _ => None,
        })
    }

    /// A comparison of scalars or vectors.
    pub fn compare(&mut self, predicate: Predicate, left: &Value, right: &Value, shape: &Shape) -> Result<Value, Stop> {
        if let Shape::Many { elements, .. } = shape {
            let mut results = Vec::with_capacity(elements.len());
            for (index, (_, element)) in elements.iter().enumerate() {
                results.push(self.compare(predicate, &part(left, index), &part(right, index), element)?);
            }
            return Ok(Value::Many(results.into()));
        }
        let result = match predicate {
            Predicate::Int(predicate) => {
                if let (Value::Ptr(p), q) | (q, Value::Ptr(p)) = (left, right)
                    && let Some(result) = self.compare_pointers(predicate, *p, q, matches!(left, Value::Ptr(_)))?
                {
                    return Ok(Value::Bits(result));
                }
                let width = shape.bits().unwrap_or(64);
                let (a, b) = (self.bits(left, width)?, self.bits(right, width)?);
                self.compare_integers(predicate, a, b)
            }
            Predicate::Float(predicate) => {
                let width = shape.bits().unwrap_or(64);
                let (a, b) = (self.bits(left, width)?, self.bits(right, width)?);
                let Shape::Float { format: Some(format), .. } = shape else {
                    let (a, b) = (self.known_x87(a)?, self.known_x87(b)?);
                    return Ok(Value::Bits(Expr::bool(x87::compare(predicate, a, b))));
                };
                self.compare_floats(predicate, *format, a, b)
            }
        };
        Ok(Value::Bits(result))
    }

    fn compare_integers(&mut self, predicate: IntPredicate, a: Expr, b: Expr) -> Expr {
        let pool = &mut self.worker.pool;
        match predicate {
            IntPredicate::Eq => pool.eq(a, b),
            IntPredicate::Ne => pool.ne(a, b),
            IntPredicate::Ult => pool.ult(a, b),
            IntPredicate::Ule => pool.ule(a, b),
            IntPredicate::Ugt => pool.ult(b, a),
            IntPredicate::Uge => pool.ule(b, a),
            IntPredicate::Slt => pool.slt(a, b),
            IntPredicate::Sle => pool.sle(a, b),
            IntPredicate::Sgt => pool.slt(b, a),
            IntPredicate::Sge => pool.sle(b, a),
        }
    }

    /// A comparison with a pointer that needs no address. `None` if the addresses matter. `first` says whether `p` is
    /// the left operand.
    fn compare_pointers(
        &mut self,
        predicate: IntPredicate,
        p: Pointer,
        other: &Value,
        first: bool,
    ) -> Result<Option<Expr>, Stop> {
        let q = match other {
            Value::Ptr(q) => *q,
            Value::Bits(bits) => Pointer { object: ObjectId::NONE, offset: *bits },
            _ => return Ok(None),
        };
        if p.object == q.object {
            let (a, b) = if first { (p.offset, q.offset) } else { (q.offset, p.offset) };
            return Ok(Some(self.compare_distances(predicate, p.object, a, b)?));
        }
        let equality = matches!(predicate, IntPredicate::Eq | IntPredicate::Ne);
        let null = Expr::constant(0, 64);
        let same = if equality && (p.object == ObjectId::NONE && p.offset == null) {
            self.note_asked_for_memory(q);
            self.null_condition(q)
        } else if equality && (q.object == ObjectId::NONE && q.offset == null) {
            self.note_asked_for_memory(p);
            self.null_condition(p)
        } else if equality && p.object != ObjectId::NONE && q.object != ObjectId::NONE {
            self.state.told_apart = self.state.told_apart || self.may_lead_to(p, q) || self.may_lead_to(q, p);
            self.note_aliases(p, q);
            let (a, b) = (self.null_condition(p), self.null_condition(q));
            self.worker.pool.and(a, b)
        } else {
            return Ok(None);
        };
        Ok(Some(if predicate == IntPredicate::Eq { same } else { self.worker.pool.not(same) }))
    }

    /// Remembers that the program asks how something is aligned. Only allocated memory is sure to lie at such a multiple;
    /// what the library of Rust makes of the answer is the same for all.
    fn note_asked_for_alignment(&mut self, pointer: Pointer) {
        let kind = self.state.memory.get(pointer.object).map(|object| object.kind);
        let is_allocated = kind == Some(Kind::Heap);
        let module = &self.worker.program.module;
        let of_library = |id: FuncId| {
            let name = demangled(module, id);
            let path = name.trim_start_matches(['<', '&', '[', '*']);
            is_of_rust(module, id) && ["core::", "alloc::", "std::"].iter().any(|library| path.starts_with(library))
        };
        let asked = !is_allocated && !self.state.top().is_some_and(|frame| of_library(frame.code.function));
        self.state.asked_for_alignment = self.state.asked_for_alignment || asked;
        if let (Some(Kind::Input(id)), true) = (kind, asked) {
            self.worker.inputs.asked_for_alignment.insert(id);
        }
    }

    /// Remembers that the program asks whether there was memory.
    fn note_asked_for_memory(&mut self, pointer: Pointer) {
        let object = self.state.memory.get(pointer.object);
        let asked = object.is_some_and(|object| object.kind == Kind::Heap && !object.present);
        self.state.asked_for_memory = self.state.asked_for_memory || asked;
        if asked && self.state.record_visits {
            let depth = self.state.frames.len() as u32;
            let here = self.state.visits.iter_back().find(|visit| visit.depth == depth);
            let here = here.map(|visit| (visit.function, visit.block));
            here.into_iter().for_each(|here| self.state.asked_in.push(here));
        }
    }

    /// Whether a pointer is one of the input, and a caller could have made it lead to where the other one does, which is
    /// left out: what it leads to is an object of its own. What this run made, no caller knows.
    fn may_lead_to(&self, pointer: Pointer, other: Pointer) -> bool {
        let of_input = self.state.inputs.iter().any(|(_, object)| *object == pointer.object);
        let kind = self.state.memory.get(other.object).map(|object| &object.kind);
        of_input && !matches!(kind, Some(Kind::Stack | Kind::Heap))
    }

    /// Remembers that two objects of the input could be one: of the same type, and the pointers lead to their beginnings.
    fn note_aliases(&mut self, p: Pointer, q: Pointer) {
        let kinds = [p, q].map(|pointer| self.state.memory.get(pointer.object).map(|object| object.kind));
        let [Some(Kind::Input(a)), Some(Kind::Input(b))] = kinds else { return };
        let inputs = &mut self.worker.inputs;
        let (a, b) = (inputs.canonical(a), inputs.canonical(b));
        let begin = [p, q].iter().all(|pointer| pointer.offset.as_const() == Some(0));
        let pair = (a.max(b), a.min(b));
        if !begin || a == b || inputs.told_apart.contains(&pair) {
            return;
        }
        let module = &self.worker.program.module;
        let ty = |id: InputId| inputs.object(id).ty.map(|ty| module.debug.strip(ty));
        // Every unit describes the types of a header for itself.
        let alike = ty(a).zip(ty(b)).is_some_and(|(a, b)| a == b || is_laid_alike((module, a), (module, b)));
        if alike {
            inputs.told_apart.insert(pair);
        }
    }

    /// Compares two places of one object by their distances from its beginning. Before the beginning they are negative,
    /// while addresses are not; and a distance that is too large for any object goes once around all addresses.
    fn compare_distances(&mut self, predicate: IntPredicate, object: ObjectId, a: Expr, b: Expr) -> Result<Expr, Stop> {
        let signed = match predicate {
            _ if object == ObjectId::NONE => return Ok(self.compare_integers(predicate, a, b)),
            IntPredicate::Ult => IntPredicate::Slt,
            IntPredicate::Ule => IntPredicate::Sle,
            IntPredicate::Ugt => IntPredicate::Sgt,
            IntPredicate::Uge => IntPredicate::Sge,
            other => return Ok(self.compare_integers(other, a, b)),
        };
        let ranges = [a, b].map(|distance| self.worker.pool.signed_range(distance));
        if ranges.iter().all(|&(low, _)| low >= 0) {
            return Ok(self.compare_integers(signed, a, b));
        }
        if self.is_null(Pointer::to(object))? {
            return Ok(self.compare_integers(predicate, a, b));
        }
        if ranges.iter().all(|&(low, high)| low >= -FARTHEST && high <= FARTHEST) {
            return Ok(self.compare_integers(signed, a, b));
        }
        // As if the object lay so far from the address zero.
        let base = Expr::constant(FARTHEST as u64, 64);
        let pool = &mut self.worker.pool;
        let (a, b) = (pool.add(a, base), pool.add(b, base));
        Ok(self.compare_integers(predicate, a, b))
    }

    fn compare_floats(&mut self, predicate: FloatPredicate, format: FloatFormat, a: Expr, b: Expr) -> Expr {
        let pool = &mut self.worker.pool;
        let nan_a = pool.float(FloatOp::IsNan(format), &[a], 1);
        let nan_b = pool.float(FloatOp::IsNan(format), &[b], 1);
        let unordered = pool.or(nan_a, nan_b);
        let (op, x, y) = match predicate {
            FloatPredicate::False => return Expr::bool(false),
            FloatPredicate::True => return Expr::bool(true),
            FloatPredicate::Uno => return unordered,
            FloatPredicate::Ord => return pool.not(unordered),
            FloatPredicate::Oeq | FloatPredicate::Ueq | FloatPredicate::One | FloatPredicate::Une => {
                (FloatOp::Eq(format), a, b)
            }
            FloatPredicate::Olt | FloatPredicate::Ult => (FloatOp::Lt(format), a, b),
            FloatPredicate::Ole | FloatPredicate::Ule => (FloatOp::Le(format), a, b),
            FloatPredicate::Ogt | FloatPredicate::Ugt => (FloatOp::Lt(format), b, a),
            FloatPredicate::Oge | FloatPredicate::Uge => (FloatOp::Le(format), b, a),
        };
        let ordered = pool.float(op, &[x, y], 1);
        match predicate {
            FloatPredicate::Une => pool.not(ordered),
            FloatPredicate::One => {
                let different = pool.not(ordered);
                let known = pool.not(unordered);
                pool.and(different, known)
            }
            FloatPredicate::Ueq
            | FloatPredicate::Ult
            | FloatPredicate::Ule
            | FloatPredicate::Ugt
            | FloatPredicate::Uge => pool.or(ordered, unordered),
            _ => ordered,
        }
    }

    /// A conversion of a scalar or vector.
    pub fn cast(&mut self, op: CastOp, value: &Value, from: &Shape, to: &Shape) -> Result<Value, Stop> {
        if let (Shape::Many { elements: old, .. }, Shape::Many { elements: new, .. }) = (from, to)
            && old.len() == new.len()
        {
            let mut results = Vec::with_capacity(new.len());
            for (index, ((_, old), (_, new))) in old.iter().zip(new.iter()).enumerate() {
                results.push(self.cast(op, &part(value, index), old, new)?);
            }
            return Ok(Value::Many(results.into()));
        }
        let keeps = matches!(op, CastOp::PtrToInt | CastOp::PtrToAddr | CastOp::IntToPtr | CastOp::AddrSpaceCast);
        if keeps && from.bits() == Some(64) && to.bits() == Some(64) {
            return Ok(match (op, value) {
                (CastOp::IntToPtr, Value::Bits(offset)) => {
                    Value::Ptr(Pointer { object: ObjectId::NONE, offset: *offset })
                }
                (CastOp::PtrToInt | CastOp::PtrToAddr, Value::Ptr(Pointer { object: ObjectId::NONE, offset })) => {
                    Value::Bits(*offset)
                }
                _ => value.clone(),
            });
        }
        if op == CastOp::BitCast {
            return self.bit_cast(value, from, to);
        }
        let (Some(width), Some(old)) = (to.bits(), from.bits()) else {
            return Err(self.unsupported(format!("{} of this type", op.keyword())));
        };
        let bits = self.bits(value, old)?;
        let pool = &mut self.worker.pool;
        let nearest = Rounding::NearestEven;
        let format = |shape: &Shape| match shape {
            Shape::Float { format, .. } => *format,
            _ => None,
        };
        let result = match op {
            CastOp::Trunc => pool.extract(bits, 0, width),
            CastOp::ZExt => pool.zext(bits, width),
            CastOp::SExt => pool.sext(bits, width),
            CastOp::PtrToInt | CastOp::PtrToAddr | CastOp::IntToPtr => {
                if width <= old {
                    pool.extract(bits, 0, width)
                } else {
                    pool.zext(bits, width)
                }
            }
            CastOp::FpToUi | CastOp::FpToSi => {
                let Some(from) = format(from) else {
                    let bits = self.known_x87(bits)?;
                    return self.x87_to_int(bits, op == CastOp::FpToSi, width).map(Value::Bits);
                };
                return self.float_to_int(bits, from, op == CastOp::FpToSi, width).map(Value::Bits);
            }
            CastOp::UiToFp | CastOp::SiToFp => {
                let Some(to) = format(to) else {
                    let signed = op == CastOp::SiToFp;
                    let Some(known) = pool.known(bits).filter(|known| known.width <= 128) else {
                        return Err(self.unsupported("a long double of unknown value"));
                    };
                    let known = if signed { known.sext(128) } else { known };
                    return Ok(Value::Bits(self.x87(x87::from_int(known.low_128(), signed))));
                };
                let op = FloatOp::FromInt { to, signed: op == CastOp::SiToFp, rounding: nearest };
                pool.float(op, &[bits], width)
            }
            CastOp::FpTrunc | CastOp::FpExt => match (format(from), format(to)) {
                (Some(from), Some(to)) => pool.float(FloatOp::Convert { from, to, rounding: nearest }, &[bits], width),
                (Some(from), None) => {
                    let Some(known) = pool.known(bits) else {
                        return Err(self.unsupported("a long double of unknown value"));
                    };
                    self.x87(x87::from_format(known.low_128(), from))
                }
                (None, Some(to)) => {
                    let known = x87::to_format(self.known_x87(bits)?, to);
                    self.worker.pool.bits(&smt::bits::Bits::new(known, width))
                }
                (None, None) => bits,
            },
            CastOp::BitCast | CastOp::AddrSpaceCast => bits,
        };
        Ok(if matches!(to, Shape::Ptr) {
            Value::Ptr(Pointer { object: ObjectId::NONE, offset: result })
        } else {
            Value::Bits(result)
        })
    }

    /// A float as an integer, as unoptimised code on x86 converts it: narrow numbers are converted in a register and cut,
    /// and what does not fit the register becomes the least number. There is no instruction for unsigned numbers of 64 bits:
    /// those that are not among them are converted as signed ones.
    pub fn float_to_int(&mut self, bits: Expr, from: FloatFormat, signed: bool, width: u32) -> Result<Expr, Stop> {
        if self.worker.program.options.check_undefined {
            let fits = self.fits_int(bits, from, signed, width);
            self.check(fits, FaultKind::Conversion, "the number does not fit")?;
            return Ok(self.worker.pool.float(FloatOp::ToInt { from, signed }, &[bits], width));
        }
        let (machine, machine_signed) = machine_int(signed, width);
        let fits = self.fits_int(bits, from, machine_signed, machine);
        let whole = if self.decide(fits)? {
            self.worker.pool.float(FloatOp::ToInt { from, signed: machine_signed }, &[bits], machine)
        } else {
            let least = least(&mut self.worker.pool, machine);
            let exact = machine_signed && machine <= 64;
            match (machine, from) {
                (64, FloatFormat::Single | FloatFormat::Double) if !machine_signed => {
                    let fits = self.fits_int(bits, from, true, 64);
                    let pool = &mut self.worker.pool;
                    let negative = pool.float(FloatOp::ToInt { from, signed: true }, &[bits], 64);
                    pool.ite(fits, negative, least)
                }
                _ => {
                    if !exact {
                        self.remark(RemarkKind::Approximate("conversion of a float that does not fit".to_owned()));
                    }
                    least
                }
            }
        };
        Ok(self.worker.pool.extract(whole, 0, width))
    }

    /// The value of a `long double`, which has to be known.
    fn known_x87(&mut self, bits: Expr) -> Result<u128, Stop> {
        match self.worker.pool.known(bits) {
            Some(known) if known.width == x87::BITS => Ok(known.low_128()),
            Some(_) => Err(self.unsupported("this float type")),
            None => Err(self.unsupported("a long double of unknown value")),
        }
    }

    fn x87(&mut self, bits: u128) -> Expr {
        self.worker.pool.bits(&smt::bits::Bits::new(bits, x87::BITS))
    }

    fn x87_to_int(&mut self, bits: u128, signed: bool, width: u32) -> Result<Expr, Stop> {
        let checked = self.worker.program.options.check_undefined;
        let (machine, machine_signed) = if checked { (width, signed) } else { machine_int(signed, width) };
        match x87::to_int(bits, machine_signed, machine) {
            Some(whole) => {
                let whole = self.worker.pool.bits(&smt::bits::Bits::new(whole, machine));
                Ok(self.worker.pool.extract(whole, 0, width))
            }
            None if checked => Err(self.fault(FaultKind::Conversion, "the number does not fit")),
            None => {
                let least = least(&mut self.worker.pool, machine);
                Ok(self.worker.pool.extract(least, 0, width))
            }
        }
    }

    /// Whether a float, rounded to zero, is an integer of that width.
    pub fn fits_int(&mut self, bits: Expr, format: FloatFormat, signed: bool, width: u32) -> Expr {
        // Bounds are powers of two, exact in every format unless they are beyond its range.
        let exponent = if signed { width - 1 } else { width };
        let pool = &mut self.worker.pool;
        let bias = (1u64 << (format.exponent() - 1)) - 1;
        let nan = pool.float(FloatOp::IsNan(format), &[bits], 1);
        let number = pool.not(nan);
        if u64::from(exponent) > bias {
            // Every finite number fits above; infinities do not.
            let absolute = pool.float_abs(format, bits);
            let infinity = power(pool, format, bias + 1);
            let finite = pool.ult(absolute, infinity);
            let negative = pool.extract(bits, format.width() - 1, 1);
            let minus_one = power(pool, format, 0);
            let minus_one = pool.float_neg(format, minus_one);
            let above = pool.float(FloatOp::Lt(format), &[minus_one, bits], 1);
            let positive = pool.not(negative);
            let low = pool.or(positive, above);
            let low = if signed { Expr::bool(true) } else { low };
            let both = pool.and(finite, low);
            return pool.and(number, both);
        }
        let limit = power(pool, format, u64::from(exponent));
        let below = pool.float(FloatOp::Lt(format), &[bits, limit], 1);
        let above = if signed {
            let negative = pool.float_neg(format, limit);
            // Between the least integer and the one below it there are fractions that round to it, if the format has them.
            if format.significand() > width {
                let one = power(pool, format, 0);
                let under = pool.float(FloatOp::Sub(format, Rounding::NearestEven), &[negative, one], format.width());
                pool.float(FloatOp::Lt(format), &[under, bits], 1)
            } else {
                pool.float(FloatOp::Le(format), &[negative, bits], 1)
            }
        } else {
            let one = power(pool, format, 0);
            let minus_one = pool.float_neg(format, one);
            pool.float(FloatOp::Lt(format), &[minus_one, bits], 1)
        };
        let inside = pool.and(below, above);
        pool.and(number, inside)
    }

    fn bit_cast(&mut self, value: &Value, from: &Shape, to: &Shape) -> Result<Value, Stop> {
        if !matches!(from, Shape::Many { .. }) && !matches!(to, Shape::Many { .. }) {
            return Ok(match (value, to) {
                (Value::Ptr(_), Shape::Float { bits, .. }) => Value::Bits(self.bits(value, *bits)?),
                _ => value.clone(),
            });
        }
        let whole = self.join(value, from)?;
        self.cut(whole, to)
    }

    /// All elements of a vector as one number, the first one lowest.
    fn join(&mut self, value: &Value, shape: &Shape) -> Result<Expr, Stop> {
        let Shape::Many { elements, .. } = shape else { return self.bits(value, shape.bits().unwrap_or(64)) };
        let mut joined: Option<Expr> = None;
        for (index, (_, element)) in elements.iter().enumerate() {
            let bits = self.bits(&part(value, index), element.bits().unwrap_or(8))?;
            joined = Some(match joined {
                Some(low) => self.worker.pool.concat(bits, low),
                None => bits,
            });
        }
        joined.ok_or_else(|| self.unsupported("a vector without elements"))
    }

    fn cut(&mut self, whole: Expr, shape: &Shape) -> Result<Value, Stop> {
        let Shape::Many { elements, .. } = shape else { return Ok(Value::Bits(whole)) };
        let mut low = 0;
        let mut parts = Vec::with_capacity(elements.len());
        for (_, element) in elements.iter() {
            let width = element.bits().unwrap_or(8);
            parts.push(Value::Bits(self.worker.pool.extract(whole, low, width)));
            low += width;
        }
        Ok(Value::Many(parts.into()))
    }

    /// One of two values by a condition.
    pub fn select(&mut self, condition: Expr, then: &Value, otherwise: &Value, shape: &Shape) -> Result<Value, Stop> {
        if let Some(known) = condition.as_const() {
            return Ok(if known == 1 { then.clone() } else { otherwise.clone() });
        }
        if then == otherwise {
            return Ok(then.clone());
        }
        match (then, otherwise, shape) {
            (_, _, Shape::Many { elements, .. }) => {
                let mut results = Vec::with_capacity(elements.len());
                for (index, (_, element)) in elements.iter().enumerate() {
                    results.push(self.select(condition, &part(then, index), &part(otherwise, index), element)?);
                }
                Ok(Value::Many(results.into()))
            }
            (Value::Ptr(p), Value::Ptr(q), _) if p.object == q.object => {
                let offset = self.worker.pool.ite(condition, p.offset, q.offset);
                Ok(Value::Ptr(Pointer { object: p.object, offset }))
            }
            (Value::Ptr(_), _, _) | (_, Value::Ptr(_), _) => {
                Ok(if self.decide(condition)? { then.clone() } else { otherwise.clone() })
            }
            _ => {
                let width = shape.bits().unwrap_or(64);
                let (a, b) = (self.bits(then, width)?, self.bits(otherwise, width)?);
                Ok(Value::Bits(self.worker.pool.ite(condition, a, b)))
            }
        }
    }
}

/// An element of an aggregate; everything in an undefined one is undefined, and so with one that was not computed.
pub(crate) fn part(value: &Value, index: usize) -> Value {
    match value {
        Value::Many(parts) => parts.get(index).cloned().unwrap_or(Value::Undef),
        Value::Skipped(skip) => Value::Skipped(*skip),
        _ => Value::Undef,
    }
}

/// The width and sign of the integer that the machine converts a float to, of which the result is cut.
fn machine_int(signed: bool, width: u32) -> (u32, bool) {
    match (signed, width) {
        (true, ..=32) | (false, ..=16) => (32, true),
        (true, ..=64) | (false, ..=32) => (64, true),
        _ => (width, signed),
    }
}

/// The least signed number.
fn least(pool: &mut smt::pool::Pool, width: u32) -> Expr {
    let bits = smt::bits::Bits::new(1, width).shl(width - 1);
    pool.bits(&bits)
}

/// Two to the power of `exponent` as a float; one beyond the format's range is infinity.
fn power(pool: &mut smt::pool::Pool, format: FloatFormat, exponent: u64) -> Expr {
    let bias = (1u128 << (format.exponent() - 1)) - 1;
    let bits = (u128::from(exponent) + bias) << (format.significand() - 1);
    pool.bits(&smt::bits::Bits::new(bits, format.width()))
}
