//! Instructions in canonical form: what they do, apart from the values and blocks that they name.
//!
//! The form leaves out what changes when nothing else does: numbers of values and blocks, names of locals, lines, debug
//! variables, names and padding of types. Addresses inside objects are byte offsets, so that a field that moved changes
//! the accesses to it, and a field added behind changes nothing. Cases of a switch are in an order of their own.

use crate::canon::{Canon, predicate, takes_line};
use crate::digest::{Digest, Hasher};
use crate::names::is_intrinsic;
use ir::constant::ConstKind;
use ir::id::{BlockId, ConstId, InstId, TypeId};
use ir::inst::{Access, Call, Callee, Inst, InstKind, Value};
use ir::module::{Function, Module};
use ir::types::Type;

/// An instruction in canonical form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    /// Everything but operands and blocks: operation, types, flags, ordering, attributes.
    pub head: Digest,
    /// What is done, regardless of how.
    pub operation: Digest,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// Blocks that control may go to, or those that the operands of a phi come from.
    pub blocks: Vec<BlockId>,
}

/// An operand in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// The result of an instruction.
    Inst(InstId),
    /// A parameter.
    Arg(u32),
    /// A constant.
    Fixed(Digest),
}

/// The canonical form of every instruction of a function, by its id.
pub(crate) fn forms(canon: &Canon<'_>, function: &Function) -> Vec<Form> {
    function.insts.iter().map(|inst| form(canon, inst)).collect()
}

fn form(canon: &Canon<'_>, inst: &Inst) -> Form {
    let mut builder = Builder::new(canon, inst);
    builder.instruction(&inst.kind);
    Form {
        head: builder.head.finish(),
        operation: builder.operation,
        operands: builder.operands,
        blocks: builder.blocks,
    }
}

struct Builder<'c, 'm> {
    canon: &'c Canon<'m>,
    head: Hasher,
    operation: Digest,
    operands: Vec<Operand>,
    blocks: Vec<BlockId>,
}

impl<'c, 'm> Builder<'c, 'm> {
    fn new(canon: &'c Canon<'m>, inst: &Inst) -> Builder<'c, 'm> {
        let mut head = Hasher::new("instruction");
        head.text(keyword(&inst.kind));
        head.digest(canon.ty(inst.ty));
        let operation = head.clone().finish();
        Builder { canon, head, operation, operands: Vec::new(), blocks: Vec::new() }
    }

    fn instruction(&mut self, kind: &InstKind) {
        let canon = self.canon;
        match kind {
            InstKind::Alloca { element, count, align } => {
                self.head.digest(canon.place(*element));
                self.head.word(align.map_or(0, |align| u64::from(align.0) + 1));
                self.value(*count);
            }
            InstKind::Load { ptr, access } => {
                self.access(access);
                self.value(*ptr);
            }
            InstKind::Store { value, ptr, access } => {
                self.access(access);
                self.values([*value, *ptr]);
            }
            InstKind::Gep { source, base, indices, flags } => {
                self.head.word(u64::from(flags.bits()));
                self.value(*base);
                self.indices(*source, indices);
            }
            InstKind::Binary { op, flags, left, right } => {
                self.head.text(op.keyword());
                self.head.word(u64::from(flags.bits()));
                self.values([*left, *right]);
            }
            InstKind::FNeg { value, flags } => {
                self.head.word(u64::from(flags.bits()));
                self.value(*value);
            }
            InstKind::Compare { predicate: compared, flags, left, right } => {
                predicate(&mut self.head, *compared);
                self.head.word(u64::from(flags.bits()));
                self.values([*left, *right]);
            }
            InstKind::Cast { op, value, flags } => {
                self.head.text(op.keyword());
                self.head.word(u64::from(flags.bits()));
                self.value(*value);
            }
            InstKind::Select { condition, then, otherwise, flags } => {
                self.head.word(u64::from(flags.bits()));
                self.values([*condition, *then, *otherwise]);
            }
            InstKind::Phi { incoming, flags } => {
                self.head.word(u64::from(flags.bits()));
                self.values(incoming.iter().map(|(_, value)| *value));
                self.blocks.extend(incoming.iter().map(|(block, _)| *block));
            }
            InstKind::Freeze(value) | InstKind::Resume(value) => self.value(*value),
            InstKind::Call(call) => self.call(call),
            InstKind::Invoke { call, normal, unwind } => {
                self.call(call);
                self.blocks.extend([*normal, *unwind]);
            }
            InstKind::ExtractValue { aggregate, path } => {
                self.path(path);
                self.value(*aggregate);
            }
            InstKind::InsertValue { aggregate, element, path } => {
                self.path(path);
                self.values([*aggregate, *element]);
            }
            InstKind::ExtractElement { vector, index } => self.values([*vector, *index]),
            InstKind::InsertElement { vector, element, index } => self.values([*vector, *element, *index]),
            InstKind::ShuffleVector { left, right, mask } => self.values([*left, *right, *mask]),
            InstKind::AtomicRmw(rmw) => {
                self.head.text(rmw.op.keyword());
                self.access(&rmw.access);
                self.values([rmw.ptr, rmw.value]);
            }
            InstKind::CompareExchange(exchange) => {
                self.access(&exchange.access);
                self.head.text(exchange.failure.keyword());
                self.head.word(u64::from(exchange.weak));
                self.values([exchange.ptr, exchange.expected, exchange.new]);
            }
            InstKind::Fence { ordering, scope } => {
                self.head.text(ordering.keyword());
                self.head.text(scope.map_or("", |scope| canon.module.str(scope)));
            }
            InstKind::VaArg { list } => self.value(*list),
            InstKind::LandingPad { cleanup, clauses } => {
                self.head.word(u64::from(*cleanup));
                for clause in clauses {
                    self.head.word(u64::from(clause.filter));
                    self.head.digest(canon.ty(clause.ty));
                    self.value(clause.value);
                }
            }
            InstKind::Marker(marker) => {
                self.head.word(marker.kind as u64);
                self.values(marker.value);
            }
            InstKind::Ret(value) => self.values(*value),
            InstKind::Br(target) => self.blocks.push(*target),
            InstKind::CondBr { condition, then, otherwise } => {
                self.value(*condition);
                self.blocks.extend([*then, *otherwise]);
            }
            InstKind::Switch { value, default, cases } => {
                self.value(*value);
                self.blocks.push(*default);
                let sorted = sorted_cases(canon.module, cases);
                sorted.iter().for_each(|(case, _)| self.head.digest(canon.constant(*case)));
                self.blocks.extend(sorted.iter().map(|(_, block)| *block));
            }
            InstKind::IndirectBr { address, targets } => {
                self.value(*address);
                self.blocks.extend_from_slice(targets);
            }
            InstKind::Unreachable => {}
            InstKind::Unsupported(unsupported) => self.head.digest(canon.unknown(unsupported.text)),
        }
        // How many there are tells where one list ends and the next begins. A phi has one for each way that leads to it,
        // which says nothing of itself.
        if !matches!(kind, InstKind::Phi { .. }) {
            self.head.word(self.operands.len() as u64);
            self.head.word(self.blocks.len() as u64);
        }
    }

    fn value(&mut self, value: Value) {
        self.operands.push(match value {
            Value::Inst(id) => Operand::Inst(id),
            Value::Arg(index) => Operand::Arg(index),
            Value::Const(id) => Operand::Fixed(self.canon.constant(id)),
        });
    }

    fn values(&mut self, values: impl IntoIterator<Item = Value>) {
        values.into_iter().for_each(|value| self.value(value));
    }

    fn access(&mut self, access: &Access) {
        self.head.word(access.align.map_or(0, |align| u64::from(align.0) + 1));
        self.head.word(u64::from(access.volatile));
        self.head.text(access.ordering.map_or("", |ordering| ordering.keyword()));
        self.head.text(access.scope.map_or("", |scope| self.canon.module.str(scope)));
    }

    fn path(&mut self, path: &[u32]) {
        path.iter().for_each(|index| self.head.word(u64::from(*index)));
    }

    /// Indices as a number of bytes, plus values times a number of bytes each.
    fn indices(&mut self, source: TypeId, indices: &[Value]) {
        match byte_offsets(self.canon.module, source, indices) {
            Some((constant, scaled)) => {
                self.head.text("bytes");
                self.head.word(constant as u64);
                for (value, scale) in scaled {
                    self.head.word(scale);
                    self.value(value);
                }
            }
            None => {
                self.head.digest(self.canon.ty(source));
                self.values(indices.iter().copied());
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let canon = self.canon;
        let module = canon.module;
        let callee = match call.callee {
            Callee::Asm(text) => {
                self.head.text(module.str(text));
                None
            }
            Callee::Value(value) => {
                self.value(value);
                module.as_symbol(value)
            }
        };
        let known = callee.is_some_and(|symbol| is_intrinsic(module, symbol));
        self.head.digest(canon.ty(call.function_ty));
        call.arg_attrs.iter().for_each(|attrs| self.head.digest(canon.attrs(*attrs)));
        self.head.digest(canon.attrs(call.result_attrs));
        if !known {
            self.head.digest(canon.attrs(call.attrs));
        }
        self.head.word(u64::from(call.convention));
        self.head.word(call.tail as u64);
        self.head.word(u64::from(call.flags.bits()));
        let lines = callee.is_some_and(|symbol| match module.symbols[symbol].kind {
            ir::module::SymbolKind::Function(id) => takes_line(module, id),
            _ => false,
        });
        for arg in &call.args {
            match arg {
                Value::Const(id) if lines && matches!(module.consts[*id].kind, ConstKind::Int(_)) => {
                    self.operands.push(Operand::Fixed(Hasher::new("line").finish()));
                }
                _ => self.value(*arg),
            }
        }
        for bundle in &call.bundles {
            self.head.text(module.str(bundle.tag));
            self.head.word(bundle.operands.len() as u64);
            for (ty, value) in &bundle.operands {
                self.head.digest(canon.ty(*ty));
                self.value(*value);
            }
        }
    }
}

/// The cases of a switch by ascending value.
pub(crate) fn sorted_cases(module: &Module, cases: &[(ConstId, BlockId)]) -> Vec<(ConstId, BlockId)> {
    let mut sorted = cases.to_vec();
    sorted.sort_by(|(left, _), (right, _)| match (&module.consts[*left].kind, &module.consts[*right].kind) {
        (ConstKind::Int(left), ConstKind::Int(right)) => left.cmp(right),
        (ConstKind::WideInt(left), ConstKind::WideInt(right)) => left.cmp(right),
        (ConstKind::Int(_), _) => std::cmp::Ordering::Less,
        (_, ConstKind::Int(_)) => std::cmp::Ordering::Greater,
        _ => std::cmp::Ordering::Equal,
    });
    sorted
}

/// Constant bytes, and values with the bytes that each counts for; `None` if a size is not known or a base or index is a
/// vector.
fn byte_offsets(module: &Module, source: TypeId, indices: &[Value]) -> Option<(i64, Vec<(Value, u64)>)> {
    let layouts = &module.type_layouts;
    let (mut constant, mut scaled) = (0i64, Vec::new());
    let mut ty = source;
    for (position, index) in indices.iter().enumerate() {
        let known = known_integer(module, *index)?;
        let scale = if position == 0 {
            layouts.get(source)?.size
        } else if let Type::Struct { .. } = module.types.resolve(ty) {
            let (offset, field) = layouts.element_offset(&module.types, ty, known?)?;
            constant = constant.checked_add(offset)?;
            ty = field;
            continue;
        } else {
            let (size, element) = layouts.element_offset(&module.types, ty, 1)?;
            ty = element;
            u64::try_from(size).ok()?
        };
        match known {
            Some(known) => {
                constant = constant.checked_add(i64::try_from(scale).ok()?.checked_mul(known)?)?;
            }
            None => scaled.push((*index, scale)),
        }
    }
    Some((constant, scaled))
}

/// The value of an index if it is a constant integer, which is signed; `None` if it is no integer at all.
#[allow(clippy::option_option)]
fn known_integer(module: &Module, value: Value) -> Option<Option<i64>> {
    let Value::Const(id) = value else { return Some(None) };
    let constant = &module.consts[id];
    let Type::Int(bits) = module.types[constant.ty] else { return None };
    match constant.kind {
        ConstKind::Int(value) if bits <= 64 => {
            let unused = 64 - bits;
            Some(Some(((value as u64) << unused) as i64 >> unused))
        }
        ConstKind::Int(_) | ConstKind::WideInt(_) => None,
        _ => Some(None),
    }
}

fn keyword(kind: &InstKind) -> &'static str {
    match kind {
        InstKind::Alloca { .. } => "alloca",
        InstKind::Load { .. } => "load",
        InstKind::Store { .. } => "store",
        InstKind::Gep { .. } => "getelementptr",
        InstKind::Binary { .. } => "binary",
        InstKind::FNeg { .. } => "fneg",
        InstKind::Compare { .. } => "compare",
        InstKind::Cast { .. } => "cast",
        InstKind::Select { .. } => "select",
        InstKind::Phi { .. } => "phi",
        InstKind::Freeze(_) => "freeze",
        InstKind::Call(_) => "call",
        InstKind::ExtractValue { .. } => "extractvalue",
        InstKind::InsertValue { .. } => "insertvalue",
        InstKind::ExtractElement { .. } => "extractelement",
        InstKind::InsertElement { .. } => "insertelement",
        InstKind::ShuffleVector { .. } => "shufflevector",
        InstKind::AtomicRmw(_) => "atomicrmw",
        InstKind::CompareExchange(_) => "cmpxchg",
        InstKind::Fence { .. } => "fence",
        InstKind::VaArg { .. } => "va_arg",
        InstKind::LandingPad { .. } => "landingpad",
        InstKind::Marker(_) => "marker",
        InstKind::Ret(_) => "ret",
        InstKind::Br(_) => "br",
        InstKind::CondBr { .. } => "condbr",
        InstKind::Switch { .. } => "switch",
        InstKind::IndirectBr { .. } => "indirectbr",
        InstKind::Invoke { .. } => "invoke",
        InstKind::Resume(_) => "resume",
        InstKind::Unreachable => "unreachable",
        InstKind::Unsupported(_) => "unsupported",
    }
}
