//! A module made ready to run: where its symbols lie, what they hold, and the code of its functions, prepared on first use.
//!
//! Nothing here changes while programs run, so workers on several threads share it.

use crate::code::{Code, Operand};
use crate::contents::{Contents, Unset};
use crate::models::Table;
use crate::prepare;
use crate::relaid::{InRegisters, Records, Relaid, Types};
use crate::value::{ObjectId, Pointer, Shape, Value};
use crate::variants::Variants;
use ir::constant::ConstKind;
use ir::id::{BlockId, ConstId, DebugTypeId, FuncId, Id, SymbolId, TypeId};
use ir::inst::CastOp;
use ir::module::{Linkage, Module, SymbolKind};
use ir::types::{FloatKind, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::bits::Bits;
use smt::expr::{Expr, FloatFormat};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// A module made ready to run.
pub struct Program {
    /// The module; its stack variables may be promoted or not.
    pub module: Module,
    /// What runs in place of functions that the module only declares.
    pub models: Table,
    /// How programs run.
    pub options: Options,
    /// For a symbol of one version of a program, the symbol of the other version that stands for the same: its contents
    /// are the same input, and pointers to both are equal. Empty for a program by itself.
    pub twins: FxHashMap<SymbolId, SymbolId>,
    /// Variables of both versions, by the symbol that stands for both, that do not begin with the same contents. Each
    /// version begins with its own.
    pub differing: FxHashSet<SymbolId>,
    /// Types of the new version that lie differently in the old one.
    pub relaid: FxHashMap<DebugTypeId, Relaid>,
    /// Types of either version of which nobody can say what they are in the other one.
    pub unclear: FxHashSet<DebugTypeId>,
    /// Enums of Rust whose variants changed.
    pub variants: Variants,
    /// Names of all records that changed.
    pub changed_names: BTreeSet<String>,
    /// Records of the IR whose source types changed.
    pub changed_records: FxHashSet<TypeId>,
    /// How names of pointers to tables of virtual functions begin whose functions lie elsewhere in the other version.
    pub moved_tables: BTreeSet<String>,
    /// Small ones among them.
    pub in_registers: InRegisters,
    /// The same for variables of the new version.
    pub relaid_variables: FxHashMap<SymbolId, Relaid>,
    /// Functions that one version only declares, and of which the other one has the code.
    pub without_code: FxHashSet<FuncId>,
    /// Functions of both versions that are the same and compute a number of numbers, with the one that stands for both.
    pub shared: FxHashMap<FuncId, FuncId>,
    /// Those of them that have no loops and call nothing that has.
    pub straight: FxHashSet<FuncId>,
    /// Those of them that also print.
    pub printing: FxHashSet<FuncId>,
    /// Variables that never change although they are not declared constant.
    pub fixed: FxHashSet<SymbolId>,
    /// Symbols whose address may be null: nobody needs to define them.
    pub weak: FxHashSet<SymbolId>,
    /// Functions without code that use no memory of the program but what they are given.
    pub contained: FxHashSet<FuncId>,
    /// Variables that no pointer leads to.
    pub private: FxHashSet<SymbolId>,
    /// The first type of the old version among the source types.
    pub first_old_type: usize,
    records: OnceLock<FxHashMap<String, [Option<DebugTypeId>; 2]>>,
    codes: Vec<OnceLock<Arc<Code>>>,
    shapes: Vec<OnceLock<Shape>>,
    statics: Vec<Static>,
    /// First address behind the functions and global variables.
    pub(crate) end_of_statics: u64,
}

/// How programs run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether undefined arithmetic is a fault.
    pub check_undefined: bool,
    /// Most calls on the stack.
    pub max_depth: usize,
    /// Most bytes that are copied, searched or formatted at once where each needs an expression.
    pub max_bytes: u64,
    /// Sizes of what pointers of the input lead to.
    pub inputs: crate::inputs::Bounds,
    /// The time that the program is told, in seconds since 1970; without one it may be any.
    pub clock: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            check_undefined: false,
            max_depth: 10_000,
            max_bytes: 1 << 16,
            inputs: crate::inputs::Bounds::default(),
            clock: None,
        }
    }
}

/// Where a symbol lies.
#[derive(Clone, Copy, Debug)]
pub struct Static {
    /// Address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
}

/// Largest number of elements that a value in registers may have.
const MAX_ELEMENTS: u64 = 1 << 16;

/// Deepest nesting of types and constants.
const MAX_NESTING: u32 = 300;

/// Address of the first symbol.
const FIRST_ADDRESS: u64 = 0x10_0000;

impl Program {
    /// Makes a module ready to run.
    pub fn new(mut module: Module, options: Options) -> Program {
        ir::weak::lower(&mut module);
        let mut address = FIRST_ADDRESS;
        let mut statics = Vec::with_capacity(module.symbols.len());
        for (_, symbol) in module.symbols.iter_ids() {
            let (size, align) = match symbol.kind {
                SymbolKind::Variable(id) => {
                    let global = &module.globals[id];
                    let layout = module.type_layouts.get(global.ty);
                    let natural = layout.map_or(16, |layout| layout.align);
                    (layout.map_or(0, |layout| layout.size), global.align.map_or(natural, |align| align.bytes()))
                }
                _ => (0, 16),
            };
            let base = address.next_multiple_of(align.clamp(16, 1 << 20));
            statics.push(Static { base, size });
            address = base.saturating_add(size).saturating_add(16);
        }
        let weak = module.symbols.ids().filter(|&id| ir::weak::may_be_null(&module, id));
        let read = module.globals.iter().filter_map(|global| global.address_of);
        Program {
            weak: weak.chain(read).collect(),
            first_old_type: usize::MAX,
            records: OnceLock::new(),
            codes: module.functions.iter().map(|_| OnceLock::new()).collect(),
            shapes: (0..module.types.len()).map(|_| OnceLock::new()).collect(),
            twins: FxHashMap::default(),
            differing: FxHashSet::default(),
            relaid: FxHashMap::default(),
            relaid_variables: FxHashMap::default(),
            unclear: FxHashSet::default(),
            variants: Variants::default(),
            changed_names: BTreeSet::new(),
            changed_records: FxHashSet::default(),
            moved_tables: BTreeSet::new(),
            in_registers: InRegisters::default(),
            without_code: FxHashSet::default(),
            shared: FxHashMap::default(),
            straight: FxHashSet::default(),
            printing: FxHashSet::default(),
            fixed: crate::fixed::find(&module),
            contained: FxHashSet::default(),
            private: crate::fixed::private(&module),
            models: Table::new(&module),
            end_of_statics: address.next_multiple_of(4096),
            module,
            options,
            statics,
        }
    }

    /// The code of a function that has some.
    pub fn code(&self, function: FuncId) -> Arc<Code> {
        self.codes[function.index()].get_or_init(|| Arc::new(prepare::prepare(self, function))).clone()
    }

    /// How values of a type lie in memory.
    pub fn shape(&self, ty: TypeId) -> Shape {
        self.nested_shape(ty, 0)
    }

    fn nested_shape(&self, ty: TypeId, depth: u32) -> Shape {
        if depth > MAX_NESTING {
            return Shape::Opaque;
        }
        match self.shapes.get(ty.index()) {
            Some(cell) => match cell.get() {
                Some(shape) => shape.clone(),
                None => {
                    let shape = self.compute_shape(ty, depth);
                    cell.get_or_init(|| shape).clone()
                }
            },
            None => self.compute_shape(ty, depth),
        }
    }

    fn compute_shape(&self, ty: TypeId, depth: u32) -> Shape {
        let types = &self.module.types;
        let Some(layout) = self.module.type_layouts.get(ty) else {
            return if *types.resolve(ty) == Type::Void { Shape::Void } else { Shape::Opaque };
        };
        let bytes = layout.store_size as u32;
        let many = |elements: Vec<(u64, Shape)>, packed_bits| {
            if elements.iter().any(|(_, shape)| *shape == Shape::Opaque) {
                return Shape::Opaque;
            }
            Shape::Many { elements: elements.into(), size: layout.store_size, packed_bits }
        };
        match types.resolve(ty) {
            Type::Int(bits) => Shape::Int { bits: *bits, bytes },
            Type::Float(kind) => Shape::Float { format: float_format(*kind), bits: kind.bits(), bytes },
            Type::Ptr(_) if layout.bits == 64 => Shape::Ptr,
            Type::Array(element, count) if *count <= MAX_ELEMENTS => {
                let step = self.module.type_layouts.get(*element).map_or(0, |layout| layout.size);
                let element = self.nested_shape(*element, depth + 1);
                many((0..*count).map(|i| (i * step, element.clone())).collect(), false)
            }
            Type::Vector { element, count, scalable: false } if *count <= MAX_ELEMENTS => {
                let bits = self.module.type_layouts.get(*element).map_or(0, |layout| layout.bits);
                let element = self.nested_shape(*element, depth + 1);
                let packed = !bits.is_multiple_of(8);
                let step = if packed { 0 } else { bits / 8 };
                many((0..*count).map(|i| (i * step, element.clone())).collect(), packed)
            }
            Type::Struct { fields, .. } => {
                let offsets = self.module.type_layouts.offsets(ty).unwrap_or(&[]);
                let shapes = fields.iter().map(|&field| self.nested_shape(field, depth + 1));
                many(offsets.iter().copied().zip(shapes).collect(), false)
            }
            _ => Shape::Opaque,
        }
    }

    /// The object that a symbol stands for.
    pub fn symbol_object(&self, symbol: SymbolId) -> ObjectId {
        ObjectId(symbol.index() as u32 + 1)
    }

    /// The symbol that an object is, if it is one.
    pub fn object_symbol(&self, object: ObjectId) -> Option<SymbolId> {
        let index = (object.0 as usize).checked_sub(1)?;
        (index < self.statics.len()).then(|| SymbolId::from_index(index))
    }

    /// Where a symbol lies.
    pub fn place(&self, symbol: SymbolId) -> Static {
        self.statics[symbol.index()]
    }

    /// The symbol that lies at an address, and the distance in it.
    pub fn symbol_at(&self, address: u64) -> Option<(SymbolId, u64)> {
        let index = self.statics.partition_point(|place| place.base <= address).checked_sub(1)?;
        let place = self.statics[index];
        let distance = address - place.base;
        (distance <= place.size).then(|| (SymbolId::from_index(index), distance))
    }

    /// Takes over which records lie differently in the two versions.
    pub fn set_records(&mut self, records: Records) {
        let module = &self.module;
        let changed = |id: &TypeId| {
            let name = crate::casts::record_name(module, &module.types[*id]);
            name.is_some_and(|name| match name.strip_suffix(".base") {
                // The part of a class that derived ones have may be shorter.
                Some(name) => records.has(name, None),
                None => records.has(&name, module.type_layouts.get(*id).map(|layout| layout.size)),
            })
        };
        self.changed_records = (0..module.types.len()).map(TypeId::from_index).filter(changed).collect();
        self.changed_names = records.names;
        self.relaid = records.relaid;
        self.unclear = records.unclear;
        self.in_registers = InRegisters::find(self);
    }

    /// Records by their names, of the new and of the old version.
    pub(crate) fn records_by_name(&self) -> &FxHashMap<String, [Option<DebugTypeId>; 2]> {
        self.records.get_or_init(|| {
            let (module, end) = (&self.module, self.module.debug.types.len());
            let middle = self.first_old_type.min(end);
            let mut found: FxHashMap<String, [Option<DebugTypeId>; 2]> = FxHashMap::default();
            for (version, range) in [(0, middle), (middle, end)].into_iter().enumerate() {
                for (name, ids) in (Types { module, range }).records() {
                    found.entry(name.to_owned()).or_default()[version] = ids.first().copied();
                }
            }
            found
        })
    }

    /// Whether a variable is a record that changed, and nobody can say how: both versions only declare it, as one symbol.
    pub fn is_unclear_variable(&self, symbol: SymbolId) -> bool {
        let SymbolKind::Variable(id) = self.module.symbols[symbol].kind else { return false };
        self.changed_records.contains(&self.module.globals[id].ty)
            && !self.relaid_variables.contains_key(&self.canonical(symbol))
            && self.module.globals[id].initializer.is_none()
    }

    /// Whether the versions have records that lie differently.
    pub fn has_changed_records(&self) -> bool {
        !(self.relaid.is_empty() && self.unclear.is_empty() && self.relaid_variables.is_empty())
    }

    /// Whether a pointer of the input, by its name, is one of a table whose functions lie elsewhere in the other version.
    pub(crate) fn has_moved(&self, name: &str) -> bool {
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_one = |table: &String| {
            name.match_indices(table.as_str()).any(|(at, _)| table.ends_with('$') || ends(&name[at + table.len()..]))
        };
        // Nobody knows what bytes without a name are.
        self.moved_tables.iter().any(is_one) || !self.moved_tables.is_empty() && name.contains("<byte")
    }

    /// The symbol that stands for this one and its twin.
    pub fn canonical(&self, symbol: SymbolId) -> SymbolId {
        self.twins.get(&symbol).copied().unwrap_or(symbol)
    }

    /// How many symbols there are.
    pub fn symbol_count(&self) -> u32 {
        self.statics.len() as u32
    }

    /// The address that a symbol stands for, through aliases.
    pub fn symbol_value(&self, symbol: SymbolId) -> Value {
        let mut symbol = symbol;
        let mut distance = 0i64;
        for _ in 0..64 {
            let SymbolKind::Alias { target, .. } = self.module.symbols[symbol].kind else { break };
            let (base, bytes) = match &self.module.consts[target].kind {
                ConstKind::Offset { base, bytes, .. } => (*base, *bytes),
                _ => (target, 0),
            };
            match &self.module.consts[base].kind {
                ConstKind::Symbol(next) => symbol = *next,
                _ => break,
            }
            distance = distance.wrapping_add(bytes);
        }
        Value::Ptr(Pointer { object: self.symbol_object(symbol), offset: Expr::constant(distance as u64, 64) })
    }

    /// A constant as an operand.
    pub fn constant(&self, id: ConstId) -> Operand {
        self.nested_constant(id, 0)
    }

    fn nested_constant(&self, id: ConstId, depth: u32) -> Operand {
        let constant = &self.module.consts[id];
        let text = |text: &str| match self.module.strings.find(text) {
            Some(id) => Operand::Unsupported(id),
            None => Operand::Const(Value::Undef),
        };
        if depth > MAX_NESTING {
            return text("");
        }
        let scalar_bits = || self.module.type_layouts.get(constant.ty).map_or(64, |layout| layout.bits as u32);
        match &constant.kind {
            ConstKind::Int(value) | ConstKind::Float(value) => {
                let width = scalar_bits();
                match width {
                    0..=64 => Operand::Const(Value::int(*value as u64, width.max(1))),
                    _ => Operand::Wide(Box::new(Bits::new(*value, width))),
                }
            }
            ConstKind::WideInt(words) => {
                let width = scalar_bits();
                let stored = Bits::from_words(words, words.len() as u32 * 64);
                Operand::Wide(Box::new(stored.sext(width.max(stored.width)).extract(0, width)))
            }
            ConstKind::Null => Operand::Const(Value::NULL),
            ConstKind::Undef | ConstKind::Poison | ConstKind::NoToken | ConstKind::Metadata(_) => {
                Operand::Const(Value::Undef)
            }
            ConstKind::Zero => zero(&self.shape(constant.ty)),
            ConstKind::Aggregate(parts) => {
                many(parts.iter().map(|&part| self.nested_constant(part, depth + 1)).collect())
            }
            ConstKind::Bytes(bytes) => many(bytes.iter().map(|&b| Operand::Const(Value::int(b.into(), 8))).collect()),
            ConstKind::Splat(part) => match self.shape(constant.ty) {
                Shape::Many { elements, .. } => {
                    let part = self.nested_constant(*part, depth + 1);
                    many(elements.iter().map(|_| part.clone()).collect())
                }
                _ => Operand::Const(Value::Undef),
            },
            ConstKind::Symbol(symbol) | ConstKind::FunctionStub { function: symbol, .. } => {
                let symbol_data = &self.module.symbols[*symbol];
                // What such an address is where nobody defines it, is not known.
                if symbol_data.linkage == Linkage::ExternWeak && symbol_data.thread_local.is_some() {
                    return Operand::Unsupported(symbol_data.name);
                }
                Operand::Const(self.symbol_value(*symbol))
            }
            ConstKind::Offset { base, bytes, .. } => match self.nested_constant(*base, depth + 1) {
                Operand::Const(Value::Ptr(Pointer { object, offset: Expr::Const { bits, .. } })) => {
                    let offset = Expr::constant(bits.wrapping_add(*bytes as u64), 64);
                    Operand::Const(Value::Ptr(Pointer { object, offset }))
                }
                other => other,
            },
            ConstKind::Cast { op, value } => {
                let inner = self.nested_constant(*value, depth + 1);
                match (op, &inner) {
                    (CastOp::PtrToInt | CastOp::PtrToAddr, Operand::Const(Value::Ptr(_))) if scalar_bits() == 64 => {
                        inner
                    }
                    (CastOp::IntToPtr, Operand::Const(Value::Ptr(_))) => inner,
                    (CastOp::IntToPtr, Operand::Const(Value::Bits(Expr::Const { bits, .. }))) => {
                        Operand::Const(Value::Ptr(Pointer {
                            object: ObjectId::NONE,
                            offset: Expr::constant(*bits, 64),
                        }))
                    }
                    (CastOp::BitCast | CastOp::AddrSpaceCast, _) => inner,
                    _ => text(""),
                }
            }
            ConstKind::Unsupported(text) => Operand::Unsupported(*text),
            ConstKind::BlockAddress { function, block } => {
                // A place in the function that no access can use, told apart by the block's number.
                let offset = Expr::constant(block_offset(*block), 64);
                Operand::Const(Value::Ptr(Pointer { object: self.symbol_object(*function), offset }))
            }
            ConstKind::Gep { .. } | ConstKind::Binary { .. } | ConstKind::Compare { .. } | ConstKind::Select(_) => {
                text("")
            }
        }
    }

    /// Initial contents of a global variable.
    pub fn initial_contents(&self, symbol: SymbolId) -> Contents {
        let SymbolKind::Variable(id) = self.module.symbols[symbol].kind else { return Contents::default() };
        let global = &self.module.globals[id];
        let Some(initializer) = global.initializer else { return Contents::new(Unset::Input) };
        let mut contents = Contents::new(Unset::Zero);
        self.lay_out(&mut contents, initializer, 0);
        contents
    }

    /// Writes a constant into contents that are zero.
    fn lay_out(&self, contents: &mut Contents, constant: ConstId, offset: u64) {
        let module = &self.module;
        let mut todo = vec![(constant, offset)];
        while let Some((id, offset)) = todo.pop() {
            let constant = &module.consts[id];
            match &constant.kind {
                ConstKind::Zero | ConstKind::Null | ConstKind::Undef | ConstKind::Poison => {}
                ConstKind::Bytes(bytes) => contents.write_bytes(offset, bytes),
                ConstKind::Aggregate(parts) => {
                    for (i, &part) in parts.iter().enumerate() {
                        let at = module.type_layouts.element_offset(&module.types, constant.ty, i as i64);
                        todo.push((part, offset + at.map_or(0, |(bytes, _)| bytes as u64)));
                    }
                }
                _ => {
                    let size = module.type_layouts.get(constant.ty).map_or(0, |layout| layout.store_size);
                    match self.constant(id) {
                        Operand::Const(Value::Bits(Expr::Const { bits, .. })) => {
                            contents.write_word(offset, bits, size)
                        }
                        Operand::Wide(bits) => {
                            for (i, byte) in (offset..offset + size).enumerate() {
                                contents.write_bytes(byte, &[bits.extract(i as u32 * 8, 8).low() as u8]);
                            }
                        }
                        Operand::Const(value @ Value::Ptr(_)) => contents.write_cell(offset, size as u32, value),
                        Operand::Const(Value::Many(parts)) => self.lay_out_vector(contents, &parts, offset, size),
                        _ => contents.write_cell(offset, size as u32, Value::Undef),
                    }
                }
            }
        }
    }

    fn lay_out_vector(&self, contents: &mut Contents, parts: &[Value], offset: u64, size: u64) {
        let step = size / (parts.len() as u64).max(1);
        for (i, part) in parts.iter().enumerate() {
            if let Value::Bits(Expr::Const { bits, .. }) = part {
                contents.write_word(offset + i as u64 * step, *bits, step);
            }
        }
    }

    /// Whether a symbol never changes.
    pub fn is_constant(&self, symbol: SymbolId) -> bool {
        match self.module.symbols[symbol].kind {
            SymbolKind::Variable(id) => self.module.globals[id].constant || self.fixed.contains(&symbol),
            _ => true,
        }
    }
}

/// The format that a float type is computed in.
pub fn float_format(kind: FloatKind) -> Option<FloatFormat> {
    Some(match kind {
        FloatKind::Half => FloatFormat::Half,
        FloatKind::BFloat => FloatFormat::BFloat,
        FloatKind::Float => FloatFormat::Single,
        FloatKind::Double => FloatFormat::Double,
        FloatKind::Fp128 => FloatFormat::Quad,
        FloatKind::X86Fp80 | FloatKind::PpcFp128 => return None,
    })
}

/// Where in its function the address of a block is.
pub(crate) fn block_offset(block: BlockId) -> u64 {
    block.index() as u64 + 1
}

fn many(parts: Vec<Operand>) -> Operand {
    let values: Option<Vec<Value>> = parts
        .iter()
        .map(|part| match part {
            Operand::Const(value) => Some(value.clone()),
            _ => None,
        })
        .collect();
    match values {
        Some(values) => Operand::Const(Value::Many(values.into())),
        None => Operand::Many(parts.into()),
    }
}

/// All bytes zero.
fn zero(shape: &Shape) -> Operand {
    match shape {
        Shape::Int { bits, .. } | Shape::Float { bits, .. } => match bits {
            0..=64 => Operand::Const(Value::int(0, (*bits).max(1))),
            _ => Operand::Wide(Box::new(Bits::zero(*bits))),
        },
        Shape::Ptr => Operand::Const(Value::NULL),
        Shape::Many { elements, .. } => many(elements.iter().map(|(_, element)| zero(element)).collect()),
        Shape::Void | Shape::Opaque => Operand::Const(Value::Undef),
    }
}
