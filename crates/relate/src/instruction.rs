//! What instructions compute.
//!
//! Integers are exact; sums wrap, as the machine's do. What is undefined (a shift that is too far, an integer that a float
//! does not fit in) and what solvers are slow at (floating-point arithmetic) is a function of the operands that nothing else is
//! known of: both versions get the same result from the same operands. Such a proof holds for every bit of a NaN.

use crate::keys::Key;
use crate::memory::Object;
use crate::value::{Shape, Val, shape};
use crate::walk::{Access, Faulty, Walk};
use evidence::Gap;
use ir::constant::ConstKind;
use ir::id::TypeId;
use ir::inst::{BinaryOp, CastOp, Flags, FloatPredicate, InstKind, IntPredicate, Predicate, Value};
use ir::module::Module;
use ir::types::{FloatKind, Type};
use smt::expr::{Expr, FloatFormat, FloatOp, Op};

/// Largest value that one access reads or writes, in bits.
const MAX_BITS: u64 = 1 << 13;

impl<'m> Walk<'_, '_, 'm> {
    /// The value that an instruction computes.
    pub fn execute(&mut self, kind: &InstKind, ty: TypeId) -> Result<Val, Gap> {
        let module = self.module();
        match kind {
            InstKind::Alloca { element, count, .. } => self.alloca(kind, *element, *count),
            InstKind::Load { ptr, access } => {
                let address = self.bits(*ptr)?;
                if access.volatile || access.ordering.is_some() {
                    self.prover.uses_threads();
                    let size = module.type_layouts.get(ty).ok_or(unsupported("a type"))?.size;
                    return self.observe(Key::Read(size as u32, access.ordering), &[Val::Bits(address)], ty);
                }
                self.load(self.slot(*ptr), address, ty)
            }
            InstKind::Store { value, ptr, access } => {
                let ty = module.type_of(self.function(), *value);
                let (value, slot, address) = (self.value(*value)?, self.slot(*ptr), self.bits(*ptr)?);
                if access.volatile || access.ordering.is_some() {
                    self.prover.uses_threads();
                    self.happen(Key::Write(access.ordering), &[Val::Bits(address), value])?;
                    return Ok(Val::void());
                }
                self.store(slot, address, &value, ty)?;
                Ok(Val::void())
            }
            InstKind::Gep { source, base, indices, .. } => {
                let base = self.value(*base)?;
                let indices: Vec<(Val, bool)> = self.indices(indices)?;
                self.gep(*source, &base, &indices).map(Val::Bits)
            }
            InstKind::Binary { op, left, right, flags } => {
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                let float = float_kind(module, ty);
                self.lanes(&left, &right, |walk, a, b| walk.binary(*op, *flags, float, a, b))
            }
            InstKind::FNeg { value, .. } => {
                let value = self.value(*value)?;
                let is_pair = float_kind(module, ty) == Some(FloatKind::PpcFp128);
                if is_pair {
                    return Err(unsupported("a pair of doubles"));
                }
                self.lanes(&value, &value, |walk, a, _| {
                    let pool = &mut walk.prover.pool;
                    let width = pool.width(a);
                    let (one, high) = (pool.number(1, width), pool.number(u64::from(width - 1), width));
                    let sign = pool.shl(one, high);
                    Ok(pool.xor(a, sign))
                })
            }
            InstKind::Compare { predicate, left, right, .. } => {
                let float = float_kind(module, module.type_of(self.function(), *left));
                let (left, right) = (self.value(*left)?, self.value(*right)?);
                self.lanes(&left, &right, |walk, a, b| walk.compare(*predicate, float, a, b))
            }
            InstKind::Cast { op, value, .. } => {
                let from = module.type_of(self.function(), *value);
                if *op == CastOp::IntToPtr
                    && let Value::Inst(id) = value
                    && let InstKind::Cast { op: CastOp::PtrToInt, value: original, .. } =
                        self.function().insts[*id].kind
                    && module.type_of(self.function(), original) == ty
                {
                    return self.value(original);
                }
                let value = self.value(*value)?;
                self.cast(*op, &value, from, ty)
            }
            InstKind::Select { condition, then, otherwise, .. } => {
                let (condition, then, otherwise) =
                    (self.value(*condition)?, self.value(*then)?, self.value(*otherwise)?);
                self.select(&condition, &then, &otherwise)
            }
            InstKind::Freeze(value) => self.value(*value),
            InstKind::Call(call) => self.call(kind, call, ty),
            InstKind::ExtractValue { aggregate, path } => {
                let mut value = self.value(*aggregate)?;
                for &index in path.iter() {
                    value = value.part(index as usize).cloned().ok_or(unsupported("a part of a value"))?;
                }
                Ok(value)
            }
            InstKind::InsertValue { aggregate, element, path } => {
                let (aggregate, element) = (self.value(*aggregate)?, self.value(*element)?);
                aggregate.with(path, &element).ok_or(unsupported("a part of a value"))
            }
            InstKind::ExtractElement { vector, index } => {
                let (vector, index) = (self.value(*vector)?, self.bits(*index)?);
                let lane = index.as_const().and_then(|lane| vector.part(lane as usize));
                lane.cloned().ok_or(unsupported("a lane that is not known"))
            }
            InstKind::InsertElement { vector, element, index } => {
                let (vector, element, index) = (self.value(*vector)?, self.value(*element)?, self.bits(*index)?);
                let lane = index.as_const().and_then(|lane| vector.with(&[lane as u32], &element));
                lane.ok_or(unsupported("a lane that is not known"))
            }
            InstKind::ShuffleVector { left, right, mask } => self.shuffle(*left, *right, *mask, ty),
            InstKind::AtomicRmw(rmw) => {
                self.prover.uses_threads();
                let args = [self.value(rmw.ptr)?, self.value(rmw.value)?];
                let ordering = rmw.access.ordering.ok_or(unsupported("an atomic access without an ordering"))?;
                self.observe(Key::Update(rmw.op, ordering), &args, ty)
            }
            InstKind::CompareExchange(exchange) => {
                self.prover.uses_threads();
                let args = [self.value(exchange.ptr)?, self.value(exchange.expected)?, self.value(exchange.new)?];
                let ordering = exchange.access.ordering.ok_or(unsupported("an atomic access without an ordering"))?;
                self.observe(Key::Exchange(ordering, exchange.failure, exchange.weak), &args, ty)
            }
            InstKind::Fence { ordering, .. } => {
                self.prover.uses_threads();
                self.happen(Key::Fence(*ordering), &[])?;
                Ok(Val::void())
            }
            InstKind::VaArg { list } => {
                let list = self.value(*list)?;
                let size = module.type_layouts.get(ty).ok_or(unsupported("a type"))?.size;
                self.observe(Key::VaArg(size as u32), &[list], ty)
            }
            InstKind::LandingPad { cleanup, clauses } => self.landing(*cleanup, clauses, ty),
            _ => Err(unsupported("an instruction")),
        }
    }

    /// The module of the running version.
    pub fn module(&self) -> &'m Module {
        self.prover.versions[self.side.index()].module
    }

    /// The running function.
    pub fn function(&self) -> &'m ir::module::Function {
        self.prover.versions[self.side.index()].function
    }

    fn alloca(&mut self, kind: &InstKind, element: TypeId, count: Value) -> Result<Val, Gap> {
        let version = self.prover.versions[self.side.index()].clone();
        let local = version.locals.keys().copied().find(|id| std::ptr::eq(&version.function.insts[*id].kind, kind));
        if let Some(local) = local {
            return Ok(Val::Bits(self.prover.local(self.side, local)));
        }
        let size = version.module.type_layouts.get(element).ok_or(unsupported("a type"))?.size;
        let count = self.value(count)?;
        let width = self.prover.address_width(self.side);
        let (event, _) = self.happen(Key::Alloca(size), &[count])?;
        Ok(Val::Bits(self.prover.outcome(event, 0, width)))
    }

    /// Notes an access that may fault, unless it certainly lies inside of an object of known size.
    pub fn may_fault(&mut self, what: Faulty) {
        let inside = match what {
            Faulty::Read(address, bytes) | Faulty::Write(address, bytes) => {
                self.prover.is_inside(address, bytes, matches!(what, Faulty::Write(..)))
            }
            Faulty::Copy(to, from, _) => {
                let prover = &mut *self.prover;
                to == from || prover.memory.are_distinct(&prover.pool, to, from)
            }
            Faulty::Division(..) | Faulty::Call(..) => false,
        };
        if !inside {
            let prover = &mut *self.prover;
            let epoch = prover.memory.epoch(&mut prover.pool, self.memory);
            let (guard, inst, at) = (self.guard.clone(), self.inst, self.at);
            self.segment.accesses.push(Access { guard, what, epoch, inst, at });
        }
    }

    /// Reads a value of a type, of a private local or of all other memory.
    pub fn load(&mut self, slot: Option<usize>, address: Expr, ty: TypeId) -> Result<Val, Gap> {
        let (shape, places) = self.places(ty)?;
        let size = self.module().type_layouts.get(ty).ok_or(unsupported("a type"))?.size;
        self.may_fault(Faulty::Read(address, size));
        let mut places = places.into_iter();
        Ok(Val::build(&shape, &mut |width| {
            let offset = places.next().unwrap_or(0);
            let bytes = width.div_ceil(8);
            let value = self.read(slot, address, offset, bytes);
            self.prover.pool.extract(value, 0, width)
        }))
    }

    /// Writes a value of a type.
    pub fn store(&mut self, slot: Option<usize>, address: Expr, value: &Val, ty: TypeId) -> Result<(), Gap> {
        let (_, places) = self.places(ty)?;
        let size = self.module().type_layouts.get(ty).ok_or(unsupported("a type"))?.size;
        self.may_fault(Faulty::Write(address, size));
        for (leaf, offset) in value.leaves().into_iter().zip(places) {
            let width = self.prover.pool.width(leaf);
            let leaf = self.prover.pool.zext(leaf, width.div_ceil(8) * 8);
            self.write(slot, address, offset, leaf);
        }
        Ok(())
    }

    /// Bytes at an offset from an address.
    pub fn read(&mut self, slot: Option<usize>, address: Expr, offset: u64, bytes: u32) -> Expr {
        let address = self.prover.at(address, offset);
        let memory = match slot {
            Some(slot) => self.slots[slot],
            None => self.memory,
        };
        let prover = &mut *self.prover;
        prover.memory.read(&mut prover.pool, memory, address, bytes)
    }

    /// Writes bytes at an offset from an address.
    pub fn write(&mut self, slot: Option<usize>, address: Expr, offset: u64, value: Expr) {
        let address = self.prover.at(address, offset);
        let memory = slot.map_or(self.memory, |slot| self.slots[slot]);
        let prover = &mut *self.prover;
        let memory = prover.memory.write(&mut prover.pool, memory, address, value);
        match slot {
            Some(slot) => self.slots[slot] = memory,
            None => self.memory = memory,
        }
    }

    /// The private local that an operand is an address of: told by the instruction that computes it, whatever the index.
    pub fn slot(&self, address: Value) -> Option<usize> {
        let Value::Inst(address) = address else { return None };
        let local = self.prover.versions[self.side.index()].local_of.get(&address)?;
        self.prover.slots[self.side.index()].get(local).copied()
    }

    /// The shape of a type and the offset of each of its leaves in memory.
    fn places(&self, ty: TypeId) -> Result<(Shape, Vec<u64>), Gap> {
        let module = self.module();
        let layout = module.type_layouts.get(ty).ok_or(unsupported("a type"))?;
        let shape = shape(module, ty).filter(|_| layout.size * 8 <= MAX_BITS).ok_or(unsupported("a type"))?;
        let mut places = Vec::new();
        if module.layout.big_endian || !leaf_places(module, ty, 0, &mut places) {
            return Err(unsupported("a type in memory"));
        }
        Ok((shape, places))
    }

    fn indices(&mut self, indices: &[Value]) -> Result<Vec<(Val, bool)>, Gap> {
        indices.iter().map(|&index| Ok((self.value(index)?, true))).collect()
    }

    /// An address: a base and indices that walk through a type.
    pub fn gep(&mut self, source: TypeId, base: &Val, indices: &[(Val, bool)]) -> Result<Expr, Gap> {
        let side = self.side;
        self.prover.gep(side, source, base, indices)
    }

    /// Does something with every lane of two values.
    fn lanes(
        &mut self,
        left: &Val,
        right: &Val,
        mut combine: impl FnMut(&mut Self, Expr, Expr) -> Result<Expr, Gap>,
    ) -> Result<Val, Gap> {
        let mut failed = None;
        let value = left.zip(right, &mut |a, b| match combine(self, a, b) {
            Ok(value) => value,
            Err(gap) => {
                failed = Some(gap);
                a
            }
        });
        match failed {
            Some(gap) => Err(gap),
            None => value.ok_or(unsupported("values of several shapes")),
        }
    }

    fn binary(&mut self, op: BinaryOp, flags: Flags, float: Option<FloatKind>, a: Expr, b: Expr) -> Result<Expr, Gap> {
        match op {
            BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SDiv | BinaryOp::SRem => {
                let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
                let fine = b
                    .as_const()
                    .is_some_and(|b| b != 0 && (!signed || b != smt::expr::mask(self.prover.pool.width(a))));
                if !fine {
                    self.may_fault(Faulty::Division(a, b, signed));
                }
            }
            _ => {}
        }
        self.prover.binary(op, flags, float, a, b)
    }

    fn compare(&mut self, predicate: Predicate, float: Option<FloatKind>, a: Expr, b: Expr) -> Result<Expr, Gap> {
        match predicate {
            Predicate::Int(predicate) => Ok(self.prover.compare_ints(predicate, a, b)),
            Predicate::Float(predicate) => self.prover.compare_floats(predicate, float, a, b),
        }
    }

    fn cast(&mut self, op: CastOp, value: &Val, from: TypeId, to: TypeId) -> Result<Val, Gap> {
        let module = self.prover.versions[self.side.index()].module;
        let to_shape = shape(module, to).ok_or(unsupported("a type"))?;
        if op == CastOp::BitCast {
            return self.prover.recast(value, &to_shape).ok_or(unsupported("a cast"));
        }
        let lane = match &to_shape {
            Shape::Bits(width) => *width,
            Shape::Parts(parts) => match parts.first() {
                Some(Shape::Bits(width)) => *width,
                _ => return Err(unsupported("a cast")),
            },
        };
        let kinds = (float_kind(module, from), float_kind(module, to));
        self.lanes(value, value, |walk, a, _| walk.prover.cast(op, a, lane, kinds))
    }

    fn select(&mut self, condition: &Val, then: &Val, otherwise: &Val) -> Result<Val, Gap> {
        match condition {
            Val::Bits(condition) => {
                let (pool, condition) = (&mut self.prover.pool, *condition);
                then.zip(otherwise, &mut |a, b| pool.ite(condition, a, b))
                    .ok_or(unsupported("values of several shapes"))
            }
            Val::Parts(lanes) => {
                let mut chosen = Vec::with_capacity(lanes.len());
                for (index, lane) in lanes.iter().enumerate() {
                    let (Some(a), Some(b)) = (then.part(index), otherwise.part(index)) else {
                        return Err(unsupported("values of several shapes"));
                    };
                    chosen.push(self.select(lane, a, b)?);
                }
                Ok(Val::Parts(chosen.into()))
            }
        }
    }

    fn shuffle(&mut self, left: Value, right: Value, mask: Value, ty: TypeId) -> Result<Val, Gap> {
        let module = self.prover.versions[self.side.index()].module;
        let Value::Const(mask) = mask else { return Err(unsupported("a shuffle")) };
        let (left, right) = (self.value(left)?, self.value(right)?);
        let (Val::Parts(a), Val::Parts(b)) = (&left, &right) else { return Err(unsupported("a shuffle")) };
        let Some(Shape::Parts(lanes)) = shape(module, ty) else { return Err(unsupported("a shuffle")) };
        let mut chosen = Vec::with_capacity(lanes.len());
        for lane in 0..lanes.len() {
            let position = match &module.consts[mask].kind {
                ConstKind::Zero => Some(0),
                ConstKind::Splat(element) => crate::version::constant(module, Value::Const(*element)),
                ConstKind::Aggregate(elements) => {
                    elements.get(lane).and_then(|&element| crate::version::constant(module, Value::Const(element)))
                }
                _ => None,
            };
            let Some(position) = position.map(|position| position as usize) else {
                return Err(unsupported("a shuffle with undefined lanes"));
            };
            let value = a.get(position).or_else(|| b.get(position.wrapping_sub(a.len())));
            chosen.push(value.cloned().ok_or(unsupported("a shuffle"))?);
        }
        Ok(Val::Parts(chosen.into()))
    }
}

/// A gap that names what is not followed.
pub fn unsupported(what: &str) -> Gap {
    Gap::Unsupported { what: what.into() }
}

/// Which floats a type holds, in each lane if it is a vector.
pub fn float_kind(module: &Module, ty: TypeId) -> Option<FloatKind> {
    match module.types.resolve(ty) {
        Type::Float(kind) => Some(*kind),
        Type::Vector { element, .. } => float_kind(module, *element),
        _ => None,
    }
}

/// Offsets of all leaves of a type; false if some do not begin at a byte.
fn leaf_places(module: &Module, ty: TypeId, at: u64, places: &mut Vec<u64>) -> bool {
    let layouts = &module.type_layouts;
    match module.types.resolve(ty) {
        Type::Struct { fields, .. } => {
            let Some(offsets) = layouts.offsets(ty) else { return false };
            fields.iter().zip(offsets).all(|(field, offset)| leaf_places(module, *field, at + offset, places))
        }
        Type::Array(element, count) => {
            let Some(layout) = layouts.get(*element) else { return false };
            (0..*count).all(|index| leaf_places(module, *element, at + index * layout.size, places))
        }
        Type::Vector { element, count, scalable: false } => {
            let Some(layout) = layouts.get(*element) else { return false };
            layout.bits.is_multiple_of(8)
                && (0..*count).all(|index| leaf_places(module, *element, at + index * (layout.bits / 8), places))
        }
        Type::Void => true,
        _ => {
            places.push(at);
            true
        }
    }
}

impl crate::prover::Prover<'_, '_> {
    /// An address: a base and indices that walk through a type.
    pub fn gep(
        &mut self,
        side: crate::keys::Side,
        source: TypeId,
        base: &Val,
        indices: &[(Val, bool)],
    ) -> Result<Expr, Gap> {
        let module = self.versions[side.index()].module;
        let mut address = base.bits().ok_or(unsupported("a vector of addresses"))?;
        let width = self.pool.width(address);
        let mut ty = source;
        for (position, (index, _)) in indices.iter().enumerate() {
            let index = index.bits().ok_or(unsupported("a vector of addresses"))?;
            let index = self.resize_signed(index, width);
            let stride = if position == 0 {
                module.type_layouts.get(ty).map(|layout| layout.size)
            } else {
                let known = index.as_const().map(|bits| smt::expr::signed(bits, width));
                if let Some(known) = known
                    && let Some((offset, element)) = module.type_layouts.element_offset(&module.types, ty, known)
                {
                    let offset = self.pool.number(offset as u64, width);
                    address = self.pool.add(address, offset);
                    ty = element;
                    continue;
                }
                let Some((stride, element)) = module.type_layouts.element_offset(&module.types, ty, 1) else {
                    return Err(unsupported("an index"));
                };
                if matches!(module.types.resolve(ty), Type::Struct { .. }) {
                    return Err(unsupported("an index"));
                }
                ty = element;
                u64::try_from(stride).ok()
            };
            let stride = stride.ok_or(unsupported("a type"))?;
            let stride = self.pool.number(stride, width);
            let offset = self.pool.mul(index, stride);
            address = self.pool.add(address, offset);
        }
        Ok(address)
    }

    fn resize_signed(&mut self, value: Expr, width: u32) -> Expr {
        let own = self.pool.width(value);
        if own > width { self.pool.extract(value, 0, width) } else { self.pool.sext(value, width) }
    }

    /// Arithmetic on two numbers.
    pub fn binary(
        &mut self,
        op: BinaryOp,
        flags: Flags,
        float: Option<FloatKind>,
        a: Expr,
        b: Expr,
    ) -> Result<Expr, Gap> {
        let width = self.pool.width(a);
        if let Some(kind) = float {
            let detail = u32::from(flags.bits()) << 8 | kind as u32;
            return Ok(self.operation(op.keyword(), detail, &[a, b], width));
        }
        let pool = &mut self.pool;
        Ok(match op {
            BinaryOp::Add => pool.add(a, b),
            BinaryOp::Sub => pool.sub(a, b),
            BinaryOp::Mul => pool.mul(a, b),
            BinaryOp::And => pool.and(a, b),
            BinaryOp::Or => pool.or(a, b),
            BinaryOp::Xor => pool.xor(a, b),
            BinaryOp::UDiv => pool.udiv(a, b),
            BinaryOp::URem => pool.urem(a, b),
            BinaryOp::SDiv => pool.sdiv(a, b),
            BinaryOp::SRem => pool.srem(a, b),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let shifted = match op {
                    BinaryOp::Shl => pool.shl(a, b),
                    BinaryOp::LShr => pool.lshr(a, b),
                    _ => pool.ashr(a, b),
                };
                let limit = pool.number(u64::from(width), width);
                let fine = pool.ult(b, limit);
                if fine.is_true() {
                    return Ok(shifted);
                }
                let far = self.operation(op.keyword(), 0, &[a, b], width);
                self.pool.ite(fine, shifted, far)
            }
            _ => return Err(unsupported("arithmetic")),
        })
    }

    /// A comparison of two numbers or addresses.
    pub fn compare_ints(&mut self, predicate: IntPredicate, a: Expr, b: Expr) -> Expr {
        let is_null = |value: Expr| value.as_const() == Some(0);
        if is_null(a) && self.is_inside_object(b) || is_null(b) && self.is_inside_object(a) {
            // Objects do not lie at address 0.
            match predicate {
                IntPredicate::Eq => return Expr::bool(false),
                IntPredicate::Ne => return Expr::bool(true),
                _ => {}
            }
        }
        let pool = &mut self.pool;
        match predicate {
            IntPredicate::Eq => pool.eq(a, b),
            IntPredicate::Ne => pool.ne(a, b),
            IntPredicate::Ugt => pool.ult(b, a),
            IntPredicate::Uge => pool.ule(b, a),
            IntPredicate::Ult => pool.ult(a, b),
            IntPredicate::Ule => pool.ule(a, b),
            IntPredicate::Sgt => pool.slt(b, a),
            IntPredicate::Sge => pool.sle(b, a),
            IntPredicate::Slt => pool.slt(a, b),
            IntPredicate::Sle => pool.sle(a, b),
        }
    }

    /// A comparison of two floats.
    pub fn compare_floats(
        &mut self,
        predicate: FloatPredicate,
        kind: Option<FloatKind>,
        a: Expr,
        b: Expr,
    ) -> Result<Expr, Gap> {
        let format = match kind {
            Some(FloatKind::Half) => FloatFormat::Half,
            Some(FloatKind::BFloat) => FloatFormat::BFloat,
            Some(FloatKind::Float) => FloatFormat::Single,
            Some(FloatKind::Double) => FloatFormat::Double,
            Some(FloatKind::Fp128) => FloatFormat::Quad,
            Some(kind @ (FloatKind::X86Fp80 | FloatKind::PpcFp128)) => {
                return Ok(self.operation(predicate.keyword(), kind as u32, &[a, b], 1));
            }
            None => return Err(unsupported("a comparison")),
        };
        let pool = &mut self.pool;
        let (x, y) = (pool.float(FloatOp::IsNan(format), &[a], 1), pool.float(FloatOp::IsNan(format), &[b], 1));
        let unordered = pool.or(x, y);
        let ordered = pool.not(unordered);
        use FloatPredicate as P;
        let base = match predicate {
            P::False => Expr::bool(false),
            P::True => Expr::bool(true),
            P::Ord => ordered,
            P::Uno => unordered,
            P::Oeq | P::Ueq => pool.float(FloatOp::Eq(format), &[a, b], 1),
            P::One | P::Une => {
                let equal = pool.float(FloatOp::Eq(format), &[a, b], 1);
                let other = pool.not(equal);
                pool.and(other, ordered)
            }
            P::Ogt | P::Ugt => pool.float(FloatOp::Lt(format), &[b, a], 1),
            P::Oge | P::Uge => pool.float(FloatOp::Le(format), &[b, a], 1),
            P::Olt | P::Ult => pool.float(FloatOp::Lt(format), &[a, b], 1),
            P::Ole | P::Ule => pool.float(FloatOp::Le(format), &[a, b], 1),
        };
        Ok(match predicate {
            P::Ueq | P::Une | P::Ugt | P::Uge | P::Ult | P::Ule => pool.or(base, unordered),
            _ => base,
        })
    }

    /// A conversion of one number to so many bits.
    pub fn cast(
        &mut self,
        op: CastOp,
        a: Expr,
        to: u32,
        (from_kind, to_kind): (Option<FloatKind>, Option<FloatKind>),
    ) -> Result<Expr, Gap> {
        let own = self.pool.width(a);
        let kinds = [from_kind, to_kind].map(|kind| kind.map_or(0, |kind| kind as u32 + 1));
        Ok(match op {
            CastOp::Trunc => self.pool.extract(a, 0, to),
            CastOp::ZExt => self.pool.zext(a, to),
            CastOp::SExt => self.pool.sext(a, to),
            CastOp::PtrToInt | CastOp::PtrToAddr => {
                let original = self.address_of_number(a).unwrap_or(a);
                if own > to { self.pool.extract(original, 0, to) } else { self.pool.zext(original, to) }
            }
            // Where an address that was made of a number points to is not known, whatever the number was computed of.
            CastOp::IntToPtr => {
                let number = if own > to { self.pool.extract(a, 0, to) } else { self.pool.zext(a, to) };
                if number.as_const().is_some() { number } else { self.operation("inttoptr", 0, &[number], to) }
            }
            CastOp::FpToUi | CastOp::FpToSi | CastOp::UiToFp | CastOp::SiToFp | CastOp::FpTrunc | CastOp::FpExt => {
                self.operation(op.keyword(), kinds[0] << 4 | kinds[1], &[a], to)
            }
            CastOp::AddrSpaceCast | CastOp::BitCast => return Err(unsupported("a cast")),
        })
    }

    /// The number that an address was made of.
    fn address_of_number(&self, address: Expr) -> Option<Expr> {
        let Expr::Term(id) = address else { return None };
        let Op::Apply { function, args } = self.pool.node(id).op else { return None };
        (Some(function) == self.known_operation("inttoptr", 0, self.pool.width(address)))
            .then(|| self.pool.apply_args(args)[0])
    }

    /// The same bits in another shape.
    pub fn recast(&mut self, value: &Val, to: &Shape) -> Option<Val> {
        let mut whole: Option<Expr> = None;
        for leaf in value.leaves() {
            whole = Some(match whole {
                Some(low) => self.pool.concat(leaf, low),
                None => leaf,
            });
        }
        let whole = whole?;
        let (mut at, width) = (0, self.pool.width(whole));
        let value = Val::build(to, &mut |bits| {
            let from = at;
            at += bits;
            if at > width { Expr::constant(0, 1) } else { self.pool.extract(whole, from, bits) }
        });
        (at == width).then_some(value)
    }

    /// Whether an access of so many bytes certainly lies inside of an object of known size that can be written if it has to.
    pub fn is_inside(&self, address: Expr, bytes: u64, writes: bool) -> bool {
        let Some(base) = self.memory.base_of(&self.pool, address) else { return false };
        let Some(&size) = self.sizes.get(&base) else { return false };
        if writes && self.memory.objects.get(&base) == Some(&Object::Variable { constant: true }) {
            return false;
        }
        let offset = match address {
            _ if address == base => Some(0),
            Expr::Term(id) => {
                let node = self.pool.node(id);
                match (node.op, node.args()) {
                    (Op::Add, [a, b]) if *a == base => b.as_const(),
                    _ => None,
                }
            }
            Expr::Const { .. } => None,
        };
        offset.is_some_and(|offset| offset.checked_add(bytes).is_some_and(|end| end <= size))
    }
}
