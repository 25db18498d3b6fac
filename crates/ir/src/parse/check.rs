//! What must fit together: operands, and the types that the instruction or expression around them needs.
//!
//! Later stages rely on these rules and check none of them again.

use super::{Parsed, Parser};
use crate::constant::ConstKind;
use crate::id::{ConstId, TypeId};
use crate::inst::{BinaryOp, CastOp, Predicate, RmwOp, Value};
use crate::types::Type;

impl<'t> Parser<'t> {
    /// Fails with `message` unless `fits`.
    pub(super) fn require(&self, fits: bool, at: usize, message: &str) -> Parsed<()> {
        if fits { Ok(()) } else { Err(self.error_at(at, message.to_string())) }
    }

    /// Fails unless values of type `ty` can be operands.
    pub(super) fn check_operand(&self, ty: TypeId) -> Parsed<()> {
        let fits = !matches!(self.module.types[ty], Type::Void | Type::Function { .. } | Type::Label | Type::Metadata);
        self.require(fits, self.start, "a value of a type that has none")
    }

    /// Fails unless `ty` is the type of something in memory.
    pub(super) fn check_memory(&self, ty: TypeId, at: usize) -> Parsed<()> {
        let outside = matches!(
            self.module.types[ty],
            Type::Void | Type::Function { .. } | Type::Label | Type::Metadata | Type::Token
        );
        self.require(!outside, at, "a type that nothing in memory has")
    }

    /// Fails unless `ty` is a pointer.
    pub(super) fn check_pointer(&self, ty: TypeId, at: usize) -> Parsed<()> {
        self.require(matches!(self.module.types[ty], Type::Ptr(_)), at, "a pointer is needed")
    }

    /// Fails unless `ty` is an integer.
    pub(super) fn check_integer(&self, ty: TypeId, at: usize) -> Parsed<()> {
        self.require(matches!(self.module.types[ty], Type::Int(_)), at, "an integer is needed")
    }

    /// Fails unless both are the same.
    pub(super) fn check_same(&self, first: TypeId, second: TypeId, at: usize) -> Parsed<()> {
        self.require(first == second, at, "the types of the operands differ")
    }

    /// Fails unless `ty` is a floating-point number or a vector of them.
    pub(super) fn check_float(&self, ty: TypeId, at: usize) -> Parsed<()> {
        let fits = matches!(self.scalar(ty), Type::Float(_));
        self.require(fits, at, "floating-point numbers are needed")
    }

    pub(super) fn check_arithmetic(&self, op: BinaryOp, ty: TypeId, at: usize) -> Parsed<()> {
        use BinaryOp::*;
        if matches!(op, FAdd | FSub | FMul | FDiv | FRem) {
            return self.check_float(ty, at);
        }
        self.require(matches!(self.scalar(ty), Type::Int(_)), at, "integers are needed")
    }

    /// Fails unless `atomicrmw` can do `op` to values of type `ty`.
    pub(super) fn check_modified(&self, op: RmwOp, ty: TypeId, at: usize) -> Parsed<()> {
        use RmwOp::*;
        let fits = match op {
            Xchg => matches!(self.module.types[ty], Type::Int(_) | Type::Float(_) | Type::Ptr(_)),
            FAdd | FSub | FMax | FMin | FMaximum | FMinimum => matches!(self.scalar(ty), Type::Float(_)),
            _ => matches!(self.module.types[ty], Type::Int(_)),
        };
        self.require(fits, at, "a type that the operation does not work on")
    }

    pub(super) fn check_comparison(&self, predicate: Predicate, ty: TypeId, at: usize) -> Parsed<()> {
        match predicate {
            Predicate::Float(_) => self.check_float(ty, at),
            Predicate::Int(_) => {
                let fits = matches!(self.scalar(ty), Type::Int(_) | Type::Ptr(_));
                self.require(fits, at, "integers or pointers are needed")
            }
        }
    }

    /// Fails unless a condition can choose between values of type `ty`, all of it or element by element.
    pub(super) fn check_condition(&mut self, condition: TypeId, ty: TypeId, at: usize) -> Parsed<()> {
        let fits = condition == self.types.i1 || condition == self.with_shape_of(ty, self.types.i1);
        self.require(fits, at, "a condition must be of type i1")
    }

    pub(super) fn check_cast(&self, op: CastOp, from: TypeId, to: TypeId, at: usize) -> Parsed<()> {
        let fits = match (op, self.scalar(from), self.scalar(to)) {
            (CastOp::BitCast, ..) => self.same_bits(from, to),
            _ if self.shape(from) != self.shape(to) => false,
            (CastOp::Trunc, Type::Int(from), Type::Int(to)) => from > to,
            (CastOp::ZExt | CastOp::SExt, Type::Int(from), Type::Int(to)) => from < to,
            (CastOp::FpToUi | CastOp::FpToSi, Type::Float(_), Type::Int(_)) => true,
            (CastOp::UiToFp | CastOp::SiToFp, Type::Int(_), Type::Float(_)) => true,
            (CastOp::FpTrunc, Type::Float(from), Type::Float(to)) => from.bits() > to.bits(),
            (CastOp::FpExt, Type::Float(from), Type::Float(to)) => from.bits() < to.bits(),
            (CastOp::PtrToInt | CastOp::PtrToAddr, Type::Ptr(_), Type::Int(_)) => true,
            (CastOp::IntToPtr, Type::Int(_), Type::Ptr(_)) => true,
            (CastOp::AddrSpaceCast, Type::Ptr(from), Type::Ptr(to)) => from != to,
            _ => false,
        };
        if fits { Ok(()) } else { Err(self.error_at(at, format!("`{}` between types that do not fit", op.keyword()))) }
    }

    /// The type of an address that indices of types `indices` make of a base; fails unless they are integers or vectors
    /// of them.
    pub(super) fn check_address(&mut self, base: TypeId, indices: &[TypeId], at: usize) -> Parsed<TypeId> {
        self.require(matches!(self.scalar(base), Type::Ptr(_)), at, "a pointer is needed")?;
        let mut result = base;
        for &index in indices {
            self.require(matches!(self.scalar(index), Type::Int(_)), at, "an index must be an integer")?;
            match (self.shape(result), self.shape(index)) {
                (_, None) => {}
                // A vector of indices makes a vector of addresses.
                (None, Some(_)) => result = self.with_shape_of(index, result),
                (first, second) => self.require(first == second, at, "vectors of different lengths")?,
            }
        }
        Ok(result)
    }

    /// Fails unless indices lead from an object of type `source` to a part of it.
    pub(super) fn check_path(&self, source: TypeId, indices: &[Value], at: usize) -> Parsed<()> {
        self.check_memory(source, at)?;
        let mut inner = source;
        for &index in indices.iter().skip(1) {
            let position = match self.module.types.resolve(inner) {
                Type::Struct { .. } => self.known_position(index),
                _ => Some(0),
            };
            match position.and_then(|position| self.module.types.element(inner, position)) {
                Some(element) => inner = element,
                None => return Err(self.error_at(at, "an index that leads to no part of the type".into())),
            }
        }
        Ok(())
    }

    /// The constant that an index is, alone or in every element of a vector.
    fn known_position(&self, index: Value) -> Option<u64> {
        let Value::Const(mut id) = index else { return None };
        loop {
            match &self.module.consts[id].kind {
                ConstKind::Int(position) => return u64::try_from(*position).ok(),
                ConstKind::Zero => return Some(0),
                ConstKind::Splat(element) => id = *element,
                ConstKind::Aggregate(elements) if elements.iter().all(|element| *element == elements[0]) => {
                    id = *elements.first()?;
                }
                _ => return None,
            }
        }
    }

    /// Fails unless `mask` can choose elements of vectors: a constant vector of i32.
    pub(super) fn check_mask(&self, ty: TypeId, mask: Value, at: usize) -> Parsed<()> {
        use ConstKind::{Aggregate, Poison, Splat, Undef, Unsupported, Zero};
        let constant = |id: ConstId| {
            let kind = &self.module.consts[id].kind;
            matches!(kind, Zero | Undef | Poison | Splat(_) | Aggregate(_) | Unsupported(_))
        };
        let numbers = matches!(self.module.types[ty], Type::Vector { element, .. } if element == self.types.i32);
        let fits = numbers && matches!(mask, Value::Const(id) if constant(id));
        self.require(fits, at, "a mask must be a constant vector of i32")
    }

    /// The type of one element of a vector, else the type itself.
    pub(super) fn scalar(&self, ty: TypeId) -> &Type {
        match &self.module.types[ty] {
            Type::Vector { element, .. } => &self.module.types[*element],
            other => other,
        }
    }

    /// Length of a vector, and whether it is scalable.
    fn shape(&self, ty: TypeId) -> Option<(u64, bool)> {
        match self.module.types[ty] {
            Type::Vector { count, scalable, .. } => Some((count, scalable)),
            _ => None,
        }
    }

    /// Whether a value of one type can be read as one of the other.
    fn same_bits(&self, from: TypeId, to: TypeId) -> bool {
        match (self.scalar(from), self.scalar(to)) {
            (Type::Ptr(first), Type::Ptr(second)) => first == second && self.shape(from) == self.shape(to),
            (first, second) => match (scalar_bits(first), scalar_bits(second)) {
                (Some(first), Some(second)) => {
                    let (count, scalable) = self.shape(from).unwrap_or((1, false));
                    let (other_count, other_scalable) = self.shape(to).unwrap_or((1, false));
                    u128::from(count) * u128::from(first) == u128::from(other_count) * u128::from(second)
                        && scalable == other_scalable
                }
                // Of types known by their text only nothing can be said.
                _ => matches!(first, Type::Other(_)) || matches!(second, Type::Other(_)),
            },
        }
    }
}

fn scalar_bits(ty: &Type) -> Option<u32> {
    match ty {
        Type::Int(bits) => Some(*bits),
        Type::Float(kind) => Some(kind.bits()),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use crate::parse::parse;

    /// Puts `line` into a function that has a value of every kind, and `!` before a line that must not be accepted.
    fn check(lines: &str) {
        for line in lines.lines().map(str::trim) {
            let (wrong, line) = line.strip_prefix('!').map_or((false, line), |line| (true, line));
            let text = format!(
                "%pair = type {{ i32, i64 }}
                 %open = type opaque
                 declare void @g(i32, ...)
                 define i32 @f(i32 %i, i64 %l, float %f, double %d, ptr %p, <2 x i32> %v, <2 x ptr> %vp, i1 %c,
                               {{ i32, [2 x i8] }} %s, <2 x i1> %vc, %pair %n) {{
                   {line}
                   unreachable
                 a:
                   unreachable
                 b:
                   unreachable
                 }}"
            );
            match parse(&text) {
                Ok(_) => assert!(!wrong, "accepted: {line}"),
                Err(error) => assert!(wrong, "{error}: {line}"),
            }
        }
    }

    #[test]
    fn operands_have_the_types_that_the_operation_needs() {
        check(
            "%x = add i32 %i, 1
             %x = xor <2 x i32> %v, %v
             %x = fadd float %f, 1.0
             !%x = add float %f, 1.0
             !%x = fadd i32 %i, 1
             !%x = add ptr %p, null
             !%x = add { i32, [2 x i8] } %s, %s
             %x = fneg double %d
             !%x = fneg i32 %i
             %x = icmp eq ptr %p, null
             !%x = icmp eq float %f, %f
             !%x = fcmp oeq i32 %i, %i
             %x = select i1 %c, i32 %i, i32 1
             %x = select <2 x i1> %vc, <2 x i32> %v, <2 x i32> %v
             %x = select i1 %c, <2 x i32> %v, <2 x i32> %v
             !%x = select i32 %i, i32 %i, i32 %i
             !%x = select <2 x i1> %vc, i32 %i, i32 %i
             !%x = select i1 %c, i32 %i, i64 %l
             !%x = freeze void undef
             !%x = freeze void () undef
             !%x = freeze label %a
             !%x = freeze metadata !0",
        );
    }

    #[test]
    fn memory_is_accessed_through_pointers() {
        check(
            "%x = load i32, ptr %p
             !%x = load i32, i64 %l
             !load void, ptr %p
             !%x = load void (), ptr %p
             !%x = load label, ptr %p
             store i32 %i, ptr %p
             !store i32 %i, i32 %i
             %x = alloca i32, i64 1152921504606846976
             !%x = alloca void
             !%x = alloca i32, float %f
             !%x = alloca i32, ptr %p
             %x = atomicrmw add ptr %p, i32 1 seq_cst
             %x = atomicrmw xchg ptr %p, ptr %p seq_cst
             %x = atomicrmw fadd ptr %p, float 1.0 seq_cst
             !%x = atomicrmw add ptr %p, float 1.0 seq_cst
             !%x = atomicrmw fadd ptr %p, i32 1 seq_cst
             !%x = atomicrmw add i64 %l, i32 1 seq_cst
             %x = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst
             !%x = cmpxchg ptr %p, i32 1, i64 2 seq_cst seq_cst
             !%x = cmpxchg ptr %p, float 1.0, float 2.0 seq_cst seq_cst
             !%x = va_arg i64 %l, i32",
        );
    }

    #[test]
    fn addresses_lead_to_parts() {
        check(
            "%x = getelementptr i8, ptr %p, i64 %l
             %x = getelementptr %pair, ptr %p, i64 %l, i32 1
             %x = getelementptr [4 x %pair], ptr %p, i64 0, i64 %l, i32 1
             %x = getelementptr %pair, <2 x ptr> %vp, i64 0, i32 1
             %x = getelementptr %pair, ptr %p, <2 x i32> %v, <2 x i32> <i32 1, i32 1>
             !%x = getelementptr %pair, ptr %p, <2 x i32> %v, <2 x i32> <i32 0, i32 1>
             !%x = getelementptr %pair, ptr %p, i64 0, i32 2
             !%x = getelementptr %pair, ptr %p, i64 0, i32 %i
             !%x = getelementptr i32, ptr %p, i64 0, i64 0
             !%x = getelementptr %open, ptr %p, i64 0, i32 0
             !%x = getelementptr i8, i64 %l, i64 1
             !%x = getelementptr i8, ptr %p, float %f
             !%x = getelementptr i8, <2 x ptr> %vp, <3 x i32> zeroinitializer
             %x = extractvalue { i32, [2 x i8] } %s, 1, 1
             !%x = extractvalue { i32, [2 x i8] } %s, 1, 2
             !%x = extractvalue { i32, [2 x i8] } %s, 0, 0
             !%x = extractvalue <2 x i32> %v, 0
             %x = insertvalue { i32, [2 x i8] } %s, i8 1, 1, 0
             !%x = insertvalue { i32, [2 x i8] } %s, i32 1, 1, 0",
        );
    }

    #[test]
    fn vectors_are_taken_apart_by_integers() {
        check(
            "%x = extractelement <2 x i32> %v, i64 %l
             !%x = extractelement <2 x i32> %v, float %f
             !%x = extractelement i32 %i, i32 0
             %x = insertelement <2 x i32> %v, i32 %i, i8 0
             !%x = insertelement <2 x i32> %v, i64 %l, i8 0
             !%x = insertelement <2 x i32> %v, i32 %i, ptr %p
             %x = shufflevector <2 x i32> %v, <2 x i32> poison, <3 x i32> <i32 0, i32 3, i32 poison>
             !%x = shufflevector <2 x i32> %v, <2 x i32> %v, <2 x i32> %v
             !%x = shufflevector <2 x i32> %v, <2 x i32> %v, <2 x i64> zeroinitializer
             !%x = shufflevector <2 x i32> %v, <2 x i32> %v, i32 0
             !%x = shufflevector <2 x i32> %v, <2 x i1> %vc, <2 x i32> zeroinitializer
             !%x = freeze <0 x i32> undef
             !%x = freeze <2 x %pair> undef",
        );
    }

    #[test]
    fn conversions_fit_both_types() {
        check(
            "%x = trunc i64 %l to i32
             !%x = trunc i32 %i to i64
             !%x = trunc i32 %i to i32
             !%x = zext i64 %l to i32
             %x = sext <2 x i32> %v to <2 x i64>
             !%x = sext <2 x i32> %v to <3 x i64>
             !%x = sext <2 x i32> %v to i64
             %x = fptosi float %f to i7
             !%x = fptosi i32 %i to float
             !%x = uitofp float %f to i32
             %x = fptrunc double %d to half
             !%x = fptrunc float %f to double
             !%x = fpext double %d to float
             %x = ptrtoint ptr %p to i8
             !%x = ptrtoint i64 %l to i8
             !%x = inttoptr ptr %p to ptr
             %x = bitcast float %f to i32
             %x = bitcast <2 x i32> %v to double
             !%x = bitcast float %f to i64
             !%x = bitcast i64 %l to ptr
             !%x = bitcast ptr %p to ptr addrspace(1)
             !%x = bitcast %pair %n to i128
             %x = addrspacecast ptr %p to ptr addrspace(1)
             !%x = addrspacecast ptr %p to ptr",
        );
    }

    #[test]
    fn control_goes_by_the_right_values() {
        check(
            "ret i32 %i
             !ret void
             !ret i64 %l
             br i1 %c, label %a, label %b
             !br i32 %i, label %a, label %b
             switch i32 %i, label %a [ i32 1, label %b i32 2, label %b ]
             !switch i32 %i, label %a [ i32 1, label %b i32 1, label %a ]
             !switch i32 %i, label %a [ i64 1, label %b ]
             !switch i32 %i, label %a [ i32 undef, label %b ]
             !switch ptr %p, label %a [ ]
             indirectbr ptr %p, [ label %a ]
             !indirectbr i64 %l, [ label %a ]
             call void (i32, ...) @g(i32 1, float %f)
             !call void (i32, ...) @g(i64 1)
             !call void @g(label %a)
             !call void @g(metadata !0)
             !call label @g()",
        );
    }

    #[test]
    fn constants_fit_their_type() {
        check(
            "store ptr @g, ptr %p
             !store i64 @g, ptr %p
             store [2 x i8] c\"ab\", ptr %p
             !store [2 x i16] c\"ab\", ptr %p
             !store { i8, i8 } c\"ab\", ptr %p
             store <{ i8 }> <{ i8 1 }>, ptr %p
             !store { i8 } <{ i8 1 }>, ptr %p
             !store { i8 } [i8 1], ptr %p
             !store [1 x i8] { i8 1 }, ptr %p
             !store <1 x i8> [i8 1], ptr %p
             !store [1 x i8] <i8 1>, ptr %p
             store %pair { i32 1, i64 2 }, ptr %p
             store <2 x i8> splat (i8 1), ptr %p
             !store <2 x i8> splat (i16 1), ptr %p
             !store [2 x i8] splat (i8 1), ptr %p
             !store i32 none, ptr %p
             store i64 ptrtoint (ptr @g to i64), ptr %p
             !store i32 ptrtoint (ptr @g to i64), ptr %p
             !store ptr bitcast (i64 0 to i64), ptr %p
             !store i64 inttoptr (i64 0 to ptr), ptr %p
             store i64 add (i64 ptrtoint (ptr @g to i64), i64 1), ptr %p
             !store i64 add (i64 1, i32 1), ptr %p
             !store i32 add (i64 1, i64 1), ptr %p
             !store ptr add (ptr @g, ptr @g), ptr %p
             store i1 icmp eq (ptr @g, ptr null), ptr %p
             !store i32 icmp eq (ptr @g, ptr null), ptr %p
             !store i1 icmp eq (ptr @g, i64 0), ptr %p
             !store i32 select (i32 1, i32 1, i32 2), ptr %p
             store ptr getelementptr (%pair, ptr @g, i32 0, i32 1), ptr %p
             !store ptr getelementptr (%pair, ptr @g, i32 0, i32 2), ptr %p
             !store ptr getelementptr (i8, i64 7, i64 0), ptr %p
             !store i64 getelementptr (i8, i64 7, i64 0), ptr %p
             !store ptr addrspace(1) getelementptr (i8, ptr @g, i64 0), ptr %p
             !store i64 blockaddress(@f, %a), ptr %p
             !store i64 no_cfi @g, ptr %p",
        );
    }
}
