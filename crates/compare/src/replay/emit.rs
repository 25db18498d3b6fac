//! Small steps for adding code to a module.

use ir::attrs::AttrSet;
use ir::constant::{Const, ConstKind};
use ir::id::{ConstId, FuncId, Id, InstId, SymbolId, TypeId, UnitId};
use ir::inst::{Access, Align, Call, Callee, Flags, Inst, InstKind, Tail, Value};
use ir::module::{Block, Function, Global, Linkage, Module, Param, Symbol, SymbolKind, Visibility};
use ir::types::Type;

/// An integer constant.
pub fn int(module: &mut Module, bits: u32, value: u64) -> Value {
    let ty = module.types.int(bits);
    Value::Const(module.consts.intern(Const { ty, kind: ConstKind::Int(u128::from(value)) }))
}

/// The address of a symbol.
pub fn address(module: &mut Module, symbol: SymbolId) -> Value {
    let ty = module.types.ptr();
    Value::Const(module.consts.intern(Const { ty, kind: ConstKind::Symbol(symbol) }))
}

/// A new symbol that other units can see.
pub fn symbol(module: &mut Module, name: &str, kind: SymbolKind) -> SymbolId {
    let name = module.strings.intern_str(name);
    module.symbols.push(Symbol {
        name,
        label: None,
        kind,
        linkage: Linkage::External,
        visibility: Visibility::Default,
        dso_local: false,
        unnamed_addr: false,
        thread_local: None,
        comdat: None,
        unit: UnitId::from_index(0),
    })
}

/// A new function without a body.
pub fn function(module: &mut Module, name: &str, result: TypeId, params: &[TypeId]) -> FuncId {
    let ty = module.types.intern(Type::Function { result, params: params.into(), variadic: false });
    let attrs = module.attrs.intern(AttrSet::default());
    let params = params.iter().map(|&ty| Param { ty, name: None, attrs }).collect();
    let symbol = symbol(module, name, SymbolKind::Missing);
    let id = module.functions.push(Function::declaration(symbol, ty, params, attrs));
    module.symbols[symbol].kind = SymbolKind::Function(id);
    id
}

/// A new variable.
pub fn variable(module: &mut Module, name: &str, ty: TypeId, kind: ConstKind) -> SymbolId {
    let initializer = module.consts.intern(Const { ty, kind });
    any_variable(module, name, ty, Some(initializer))
}

/// A variable that another unit defines.
pub fn outside_variable(module: &mut Module, name: &str, ty: TypeId) -> SymbolId {
    any_variable(module, name, ty, None)
}

fn any_variable(module: &mut Module, name: &str, ty: TypeId, initializer: Option<ConstId>) -> SymbolId {
    let symbol = symbol(module, name, SymbolKind::Missing);
    let id = module.globals.push(Global {
        symbol,
        ty,
        initializer,
        constant: false,
        externally_initialized: false,
        address_space: 0,
        align: Align::from_bytes(8),
        section: None,
        variable: None,
        address_of: None,
    });
    module.symbols[symbol].kind = SymbolKind::Variable(id);
    symbol
}

/// A plain call of a function of this module.
pub fn call(module: &mut Module, callee: FuncId, args: &[Value]) -> (InstKind, TypeId) {
    let attrs = module.attrs.intern(AttrSet::default());
    let function_ty = module.functions[callee].ty;
    let result = module.types.signature(function_ty).map(|(result, ..)| result);
    let result = result.unwrap_or_else(|| module.types.void());
    let symbol = module.functions[callee].symbol;
    let call = Call {
        callee: Callee::Value(address(module, symbol)),
        function_ty,
        args: args.into(),
        arg_attrs: Box::default(),
        result_attrs: attrs,
        attrs,
        convention: 0,
        tail: Tail::None,
        flags: Flags::empty(),
        bundles: Box::default(),
    };
    (InstKind::Call(Box::new(call)), result)
}

/// An instruction that no block lists yet.
pub fn instruction(function: &mut Function, kind: InstKind, ty: TypeId) -> InstId {
    function.insts.push(Inst { kind, ty, loc: None, name: None })
}

/// A function's only block, as it grows.
pub struct Body<'m> {
    /// The module.
    pub module: &'m mut Module,
    function: FuncId,
    insts: Vec<InstId>,
}

impl<'m> Body<'m> {
    /// The body of a function that has none.
    pub fn new(module: &'m mut Module, function: FuncId) -> Body<'m> {
        Body { module, function, insts: Vec::new() }
    }

    /// Appends an instruction; its value.
    pub fn push(&mut self, kind: InstKind, ty: TypeId) -> Value {
        let id = instruction(&mut self.module.functions[self.function], kind, ty);
        self.insts.push(id);
        Value::Inst(id)
    }

    /// Stack memory of that many bytes.
    pub fn buffer(&mut self, bytes: u64) -> Value {
        let i8 = self.module.types.int(8);
        let element = self.module.types.intern(Type::Array(i8, bytes.max(1)));
        let count = int(self.module, 32, 1);
        let ptr = self.module.types.ptr();
        self.push(InstKind::Alloca { element, count, align: Align::from_bytes(64) }, ptr)
    }

    /// That many bytes that are zero.
    pub fn zeros(&mut self, bytes: u64) -> Value {
        let i8 = self.module.types.int(8);
        let ty = self.module.types.intern(Type::Array(i8, bytes.max(1)));
        Value::Const(self.module.consts.intern(Const { ty, kind: ConstKind::Zero }))
    }

    /// An address some bytes behind another.
    pub fn behind(&mut self, base: Value, bytes: u64) -> Value {
        let source = self.module.types.int(8);
        let index = int(self.module, 64, bytes);
        let ptr = self.module.types.ptr();
        self.push(InstKind::Gep { source, base, indices: [index].into(), flags: Flags::empty() }, ptr)
    }

    /// Reads memory.
    pub fn load(&mut self, ty: TypeId, base: Value, bytes: u64) -> Value {
        let ptr = self.behind(base, bytes);
        self.push(InstKind::Load { ptr, access: Access { align: Align::from_bytes(1), ..Access::default() } }, ty)
    }

    /// Writes memory.
    pub fn store(&mut self, value: Value, base: Value, bytes: u64) {
        let ptr = self.behind(base, bytes);
        let void = self.module.types.void();
        let access = Access { align: Align::from_bytes(1), ..Access::default() };
        self.push(InstKind::Store { value, ptr, access }, void);
    }

    /// Calls a function of this module.
    pub fn call(&mut self, callee: FuncId, args: &[Value]) -> Value {
        let (kind, ty) = call(self.module, callee, args);
        self.push(kind, ty)
    }

    /// Returns, which ends the body.
    pub fn ret(mut self, value: Option<Value>) {
        let void = self.module.types.void();
        self.push(InstKind::Ret(value), void);
        self.module.functions[self.function].blocks.push(Block { name: None, insts: self.insts });
    }
}

/// Zero of a type.
pub fn zero(types: &ir::types::Types, ty: TypeId) -> Const {
    let kind = match types[ty] {
        Type::Int(bits) if bits > 128 => ConstKind::WideInt([0].into()),
        Type::Int(_) => ConstKind::Int(0),
        Type::Float(_) => ConstKind::Float(0),
        Type::Ptr(_) => ConstKind::Null,
        _ => ConstKind::Zero,
    };
    Const { ty, kind }
}
