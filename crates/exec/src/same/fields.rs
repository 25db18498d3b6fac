//! Objects that lie differently in the two versions, compared field by field.

use super::{Aspect, Comparer, float_format};
use crate::case::FaultKind;
use crate::contents::{Part, Unset};
use crate::memory::{Kind, Object};
use crate::names::unmarked;
use crate::relaid::{Move, Relaid, What};
use crate::state::End;
use crate::value::{ObjectId, Pointer, Value};
use evidence::Assumption;
use ir::debug::DebugTypeKind;
use ir::id::SymbolId;
use ir::module::SymbolKind;
use smt::expr::Expr;

/// Most fields of an object that are compared.
const MAX_FIELDS: u64 = 1 << 16;

impl<'p> Comparer<'_, 'p> {
    /// How two objects go together, if they stand for the same and lie differently.
    pub(super) fn relaid(&self, a: ObjectId, b: ObjectId) -> Option<&'p Relaid> {
        let program = self.worker.program;
        if let Some(symbol) = program.object_symbol(b) {
            let same = program.object_symbol(a).is_some_and(|old| program.canonical(old) == symbol);
            return program.relaid_variables.get(&symbol).filter(|_| same);
        }
        let input = |object: &Object| match object.kind {
            Kind::Input(id) => Some(self.worker.inputs.canonical(id)),
            _ => None,
        };
        let new = input(self.new.memory.get_or_nothing(b))?;
        let same = input(self.old.memory.get_or_nothing(a)) == Some(new);
        self.worker.relaid(new).filter(|_| same)
    }

    /// Whether what both versions have of an object is the same.
    pub(super) fn by_fields(&mut self, a: ObjectId, b: ObjectId, relaid: &Relaid) -> Expr {
        self.result.left_out.insert(Assumption::OneSidedFields);
        let [first, second] = [(&self.old, a), (&self.new, b)].map(|(state, id)| state.memory.get_or_nothing(id).size);
        let (Some(first), Some(second)) = (first.as_const(), second.as_const()) else {
            return self.unknown("memory of unknown size");
        };
        let own = self.relaid(a, b).is_none();
        let count = (first / relaid.old_size).min(second / relaid.new_size);
        if own && first / relaid.old_size != second / relaid.new_size {
            return self.unknown("memory of another size");
        }
        let fields: u64 = relaid.moves.iter().map(|one| one.count).sum();
        if count.saturating_mul(fields) > MAX_FIELDS {
            return self.unknown("an object too large to compare");
        }
        let mut all = Expr::bool(true);
        for index in 0..count {
            for one in &relaid.moves {
                let (at_old, at_new) = (index * relaid.old_size + one.old, index * relaid.new_size + one.new);
                for element in 0..one.count {
                    let distance = element * u64::from(one.new_size);
                    let (at_old, at_new) = (at_old + distance, at_new + distance);
                    if self.is_as_before((a, at_old), (b, at_new), one) {
                        continue;
                    }
                    let mut same = self.field((a, at_old), (b, at_new), one);
                    let begin =
                        self.begins_so(true, a, at_old, one.old_size) && self.begins_so(false, b, at_new, one.new_size);
                    if begin && !same.is_true() {
                        same = self.unknown("what a variable begins with");
                    }
                    all = self.worker.pool.and(all, same);
                    if all.is_false() {
                        return all;
                    }
                }
            }
        }
        all
    }

    /// Whether the result is a record that lies differently in the two versions.
    pub(super) fn returns_changed_record(&self) -> bool {
        let program = self.worker.program;
        let ty = self.result_type.map(|ty| program.module.debug.strip(ty));
        ty.is_some_and(|ty| program.relaid.contains_key(&ty) || program.unclear.contains(&ty))
    }

    /// Whether a run left a variable that is a record which lies differently in the two versions: which field it left it from
    /// is not known, and in the other version another one may lie behind that.
    pub(super) fn leaves_changed_record(&self, end: &End) -> bool {
        let End::Fault { kind: FaultKind::OutOfBounds, detail, .. } = end else { return false };
        let program = self.worker.program;
        let module = &program.module;
        let is_record = |symbol: SymbolId| match module.symbols[symbol].kind {
            SymbolKind::Variable(id) => {
                module.globals[id].variable.and_then(|id| module.debug.variables[id].ty).is_some_and(|ty| {
                    matches!(module.debug.types[module.debug.strip(ty)].kind, DebugTypeKind::Record { .. })
                })
            }
            _ => false,
        };
        let is_it = |symbol: SymbolId| unmarked(module.symbol_label(symbol)) == unmarked(detail);
        program.relaid_variables.keys().any(|&symbol| is_it(symbol) && is_record(symbol))
    }

    /// Whether one of two plain addresses is known to be null: then the other one is another address or is not.
    pub(super) fn is_null_or_not(&self, p: Pointer, q: Pointer) -> bool {
        let near = |at: u64| (at as i64).unsigned_abs() < 1 << 16;
        match (p.offset.as_const(), q.offset.as_const()) {
            (Some(p), Some(q)) => (p == 0 || q == 0) && !(near(p) && near(q)),
            (p, q) => p == Some(0) || q == Some(0),
        }
    }

    /// Whether a pointer that is compared is one to a scalar, if that is known: it is for results.
    fn means_scalar(&self) -> Option<bool> {
        let debug = &self.worker.program.module.debug;
        let ty = self.result_type.filter(|_| self.aspect == Aspect::Result)?;
        let DebugTypeKind::Pointer { to: Some(to), .. } = &debug.types[debug.strip(ty)].kind else { return None };
        match &debug.types[debug.strip(*to)].kind {
            DebugTypeKind::Basic(_) | DebugTypeKind::Enum { .. } | DebugTypeKind::Pointer { .. } => Some(true),
            DebugTypeKind::Record { .. } | DebugTypeKind::Array { .. } => Some(false),
            _ => None,
        }
    }

    /// How records go together that the result leads to.
    pub(super) fn own_record(&self) -> Option<&'p Relaid> {
        let program = self.worker.program;
        let debug = &program.module.debug;
        let ty = self.result_type.filter(|_| self.aspect == Aspect::Result)?;
        match &debug.types[debug.strip(ty)].kind {
            DebugTypeKind::Pointer { to: Some(to), .. } => program.relaid.get(&debug.strip(*to)),
            _ => None,
        }
    }

    /// Whether memory that the runs made may be records that lie differently in the two versions.
    pub(super) fn may_be_relaid(&self, a: ObjectId, b: ObjectId) -> bool {
        let [first, second] = [(&self.old, a), (&self.new, b)].map(|(state, id)| state.memory.get_or_nothing(id).size);
        match (first.as_const(), second.as_const()) {
            (Some(old), Some(new)) => self.is_of_relaid(old, new),
            _ => self.worker.program.has_changed_records(),
        }
    }

    /// Whether sizes are those of records that lie differently in the two versions.
    pub(super) fn is_of_relaid(&self, old: u64, new: u64) -> bool {
        let fits = |relaid: &Relaid| old.is_multiple_of(relaid.old_size) || new.is_multiple_of(relaid.new_size);
        self.worker.program.relaid.values().any(fits)
    }

    fn field(&mut self, (a, at_old): (ObjectId, u64), (b, at_new): (ObjectId, u64), one: &Move) -> Expr {
        if one.what == What::Incompatible {
            return self.unknown("a field that is something else in the other version");
        }
        let pointer = one.what == What::Pointer && one.old_size == 8;
        let x = self.read(true, a, at_old, one.old_size.into(), pointer);
        let y = self.read(false, b, at_new, one.new_size.into(), pointer);
        let (Some(x), Some(y)) = (x, y) else { return self.unknown("memory that cannot be read") };
        match (&x, &y, one.what) {
            (Value::Bits(x), Value::Bits(y), What::Integer(was_signed, is_signed))
                if one.old_size != one.new_size || was_signed != is_signed =>
            {
                // Wide enough for every number of either kind.
                let width = one.old_size.max(one.new_size) * 8 + 1;
                let pool = &mut self.worker.pool;
                let [x, y] = [(*x, was_signed), (*y, is_signed)].map(|(value, signed)| match signed {
                    true => pool.sext(value, width),
                    false => pool.zext(value, width),
                });
                pool.eq(x, y)
            }
            (Value::Bits(x), Value::Bits(y), What::Truth) => {
                let width = one.old_size.max(one.new_size) * 8;
                let pool = &mut self.worker.pool;
                let [x, y] = [*x, *y].map(|value| pool.zext(value, width));
                pool.eq(x, y)
            }
            (Value::Bits(p), Value::Bits(q), What::Float) => {
                let same = self.value(&x, &y);
                match float_format(one.new_size.into()) {
                    Some(format) => self.or_no_numbers(same, *p, *q, format),
                    None => same,
                }
            }
            _ => self.value(&x, &y),
        }
    }

    /// Whether a part of a variable is as the program begins with it: nobody can say whether the function made it so.
    fn begins_so(&self, old: bool, object: ObjectId, at: u64, size: u32) -> bool {
        let Some(symbol) = self.worker.program.object_symbol(object) else { return false };
        let state = if old { &self.old } else { &self.new };
        let contents = &state.memory.get_or_nothing(object).contents;
        let initial = self.worker.program.initial_contents(symbol);
        contents.array.is_none() && contents.part(at, size.into()) == initial.part(at, size.into())
    }

    /// Whether neither run wrote a field of the input.
    fn is_as_before(&self, (a, at_old): (ObjectId, u64), (b, at_new): (ObjectId, u64), one: &Move) -> bool {
        let untouched = |object: &Object, at: u64, size: u32| {
            let contents = &object.contents;
            let unset = |at: u64| contents.part(at, 1) == Part::Unset;
            contents.array.is_none()
                && contents.unset == Unset::Input
                && contents.source.is_none()
                && (at..at + u64::from(size)).all(unset)
        };
        untouched(self.old.memory.get_or_nothing(a), at_old, one.old_size)
            && untouched(self.new.memory.get_or_nothing(b), at_new, one.new_size)
    }

    /// Whether pointers lead to the same place of an object, given whether their distances from its beginning are equal.
    pub(super) fn places(&mut self, relaid: Option<&Relaid>, old: Expr, new: Expr, equal: Expr) -> Expr {
        let Some(relaid) = relaid else { return equal };
        match (old.as_const(), new.as_const()) {
            (Some(old), Some(new)) => match relaid.same_place(old, new, self.means_scalar()) {
                Some(same) => Expr::bool(same),
                None => self.unknown("where in a record whose fields moved a pointer leads"),
            },
            _ => self.unknown("where in a record whose fields moved a pointer leads"),
        }
    }
}
