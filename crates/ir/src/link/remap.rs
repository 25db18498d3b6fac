//! From the ids of one module to those of the linked module.
//!
//! Everything is changed in place, id by id, so what has no ids in it needs no mention here.

use rustc_hash::{FxHashMap, FxHashSet};

use super::symbols::Resolution;
use super::types::{self, NamedTypes};
use crate::attrs::Attr;
use crate::constant::{Const, ConstKind};
use crate::debug::{DebugInfo, DebugType, DebugTypeKind, ExprOp, Field, File};
use crate::id::{
    AttrsId, ConstId, DebugTypeId, ExprId, FileId, Id, LocId, ScopeId, StrId, SymbolId, TypeId, UnitId, VarId,
};
use crate::inst::{Access, Call, Callee, Inst, InstKind, Value};
use crate::module::{Function, Global, Module};

/// What was merged so far, by name.
#[derive(Default)]
pub(super) struct Merged {
    types: NamedTypes,
    /// A header is the same file in every unit.
    files: FxHashMap<File, FileId>,
    comdats: FxHashSet<StrId>,
}

/// New ids of one module's parts: a list where equal parts are merged, else a distance.
pub(super) struct Maps {
    strings: Vec<StrId>,
    types: Vec<TypeId>,
    attrs: Vec<AttrsId>,
    consts: Vec<ConstId>,
    symbols: Vec<SymbolId>,
    files: Vec<FileId>,
    exprs: Vec<ExprId>,
    scopes: usize,
    locations: usize,
    variables: usize,
    debug_types: usize,
    units: usize,
}

impl Maps {
    /// Merges what does not depend on symbols: strings, types, attributes, debug info, units and the like.
    pub fn merge_tables(target: &mut Module, merged: &mut Merged, source: &mut Module) -> Maps {
        let strings: Vec<StrId> = source.strings.iter_ids().map(|(_, text)| target.strings.intern_str(text)).collect();
        let types = types::merge(&mut target.types, &mut target.strings, &mut merged.types, &source.types, &strings);
        let mut maps = Maps {
            strings,
            types,
            attrs: Vec::new(),
            consts: Vec::new(),
            symbols: Vec::new(),
            files: Vec::new(),
            exprs: Vec::new(),
            scopes: target.debug.scopes.len(),
            locations: target.debug.locations.len(),
            variables: target.debug.variables.len(),
            debug_types: target.debug.types.len(),
            units: target.units.len(),
        };
        maps.merge_attrs(target, source);
        maps.merge_debug(&mut target.debug, &mut merged.files, std::mem::take(&mut source.debug));
        for mut unit in std::mem::take(&mut source.units) {
            unit.source = maps.str(unit.source);
            unit.producer = unit.producer.map(|id| maps.str(id));
            unit.language = unit.language.map(|id| maps.str(id));
            target.units.push(unit);
        }
        let comdats = source.comdats.iter().map(|&(name, kind)| (maps.str(name), maps.str(kind)));
        target.comdats.extend(comdats.filter(|(name, _)| merged.comdats.insert(*name)));
        target.assembly.extend(source.assembly.iter().map(|&line| maps.str(line)));
        target.notes.append(&mut source.notes);
        maps
    }

    /// Merges constants, once it is known what symbols are.
    pub fn merge_consts(&mut self, target: &mut Module, source: &Module, number: usize, resolution: &Resolution) {
        self.symbols.clone_from(&resolution.ids[number]);
        // The parts of a constant come before it.
        for (_, constant) in source.consts.iter_ids() {
            let kind = match &constant.kind {
                // The blocks of a definition that does not count are gone.
                ConstKind::BlockAddress { function, .. } if !resolution.counts(number, *function) => ConstKind::Poison,
                kind => self.const_kind(kind.clone()),
            };
            self.consts.push(target.consts.intern(Const { ty: self.ty(constant.ty), kind }));
        }
    }

    pub fn str(&self, id: StrId) -> StrId {
        self.strings[id.index()]
    }

    pub fn ty(&self, id: TypeId) -> TypeId {
        self.types[id.index()]
    }

    pub fn constant(&self, id: ConstId) -> ConstId {
        self.consts[id.index()]
    }

    pub fn unit(&self, id: UnitId) -> UnitId {
        moved(id, self.units)
    }

    /// Replaces the ids in a global variable.
    pub fn global(&self, global: &mut Global) {
        global.symbol = self.symbol(global.symbol);
        global.ty = self.ty(global.ty);
        global.initializer = global.initializer.map(|id| self.constant(id));
        global.section = global.section.map(|id| self.str(id));
        global.variable = global.variable.map(|id| self.variable(id));
        global.address_of = global.address_of.map(|id| self.symbol(id));
    }

    /// Replaces the ids in a function.
    pub fn function(&self, function: &mut Function) {
        function.symbol = self.symbol(function.symbol);
        function.ty = self.ty(function.ty);
        function.result_attrs = self.attrs(function.result_attrs);
        function.attrs = self.attrs(function.attrs);
        function.section = function.section.map(|id| self.str(id));
        function.gc = function.gc.map(|id| self.str(id));
        function.personality = function.personality.map(|id| self.constant(id));
        function.scope = function.scope.map(|id| self.scope(id));
        for param in &mut function.params {
            param.ty = self.ty(param.ty);
            param.name = param.name.map(|id| self.str(id));
            param.attrs = self.attrs(param.attrs);
        }
        for block in function.blocks.iter_mut() {
            block.name = block.name.map(|id| self.str(id));
        }
        function.insts.iter_mut().for_each(|inst| self.inst(inst));
    }

    fn attrs(&self, id: AttrsId) -> AttrsId {
        self.attrs[id.index()]
    }

    fn symbol(&self, id: SymbolId) -> SymbolId {
        self.symbols[id.index()]
    }

    fn file(&self, id: FileId) -> FileId {
        self.files[id.index()]
    }

    fn expr(&self, id: ExprId) -> ExprId {
        self.exprs[id.index()]
    }

    fn scope(&self, id: ScopeId) -> ScopeId {
        moved(id, self.scopes)
    }

    fn loc(&self, id: LocId) -> LocId {
        moved(id, self.locations)
    }

    fn variable(&self, id: VarId) -> VarId {
        moved(id, self.variables)
    }

    fn debug_type(&self, id: DebugTypeId) -> DebugTypeId {
        moved(id, self.debug_types)
    }

    fn merge_attrs(&mut self, target: &mut Module, source: &Module) {
        for (_, set) in source.attrs.iter_ids() {
            let mut set = set.clone();
            for attr in &mut set.0 {
                match attr {
                    Attr::Sret(ty) | Attr::ByVal(ty) | Attr::ByRef(ty) | Attr::InAlloca(ty) | Attr::ElementType(ty) => {
                        *ty = self.ty(*ty)
                    }
                    Attr::Text(key, value) => {
                        *key = self.str(*key);
                        *value = value.map(|id| self.str(id));
                    }
                    Attr::Flag(_)
                    | Attr::Align(_)
                    | Attr::AlignStack(_)
                    | Attr::Dereferenceable(_)
                    | Attr::DereferenceableOrNull(_)
                    | Attr::Range { .. }
                    | Attr::Memory(_)
                    | Attr::AllocSize(..)
                    | Attr::Group(_) => {}
                }
            }
            self.attrs.push(target.attrs.intern(set));
        }
    }

    fn const_kind(&self, mut kind: ConstKind) -> ConstKind {
        let map = |id: &mut ConstId| *id = self.constant(*id);
        match &mut kind {
            ConstKind::Aggregate(parts) => parts.iter_mut().for_each(map),
            ConstKind::Splat(part) => map(part),
            ConstKind::Symbol(symbol) | ConstKind::BlockAddress { function: symbol, .. } => {
                *symbol = self.symbol(*symbol);
            }
            ConstKind::FunctionStub { keyword, function } => {
                *keyword = self.str(*keyword);
                *function = self.symbol(*function);
            }
            ConstKind::Offset { base, .. } => map(base),
            ConstKind::Gep { source, operands, .. } => {
                *source = self.ty(*source);
                operands.iter_mut().for_each(map);
            }
            ConstKind::Cast { value, .. } => map(value),
            ConstKind::Binary { left, right, .. } | ConstKind::Compare { left, right, .. } => {
                [left, right].into_iter().for_each(map);
            }
            ConstKind::Select(operands) => operands.iter_mut().for_each(map),
            ConstKind::Metadata(text) | ConstKind::Unsupported(text) => *text = self.str(*text),
            ConstKind::Int(_)
            | ConstKind::WideInt(_)
            | ConstKind::Float(_)
            | ConstKind::Null
            | ConstKind::Undef
            | ConstKind::Poison
            | ConstKind::Zero
            | ConstKind::NoToken
            | ConstKind::Bytes(_) => {}
        }
        kind
    }

    fn inst(&self, inst: &mut Inst) {
        inst.ty = self.ty(inst.ty);
        inst.loc = inst.loc.map(|id| self.loc(id));
        inst.name = inst.name.map(|id| self.str(id));
        inst.kind.map_operands(|operand| match operand {
            Value::Const(id) => Value::Const(self.constant(id)),
            other => other,
        });
        match &mut inst.kind {
            InstKind::Alloca { element, .. } => *element = self.ty(*element),
            InstKind::Load { access, .. } | InstKind::Store { access, .. } => self.access(access),
            InstKind::Gep { source, .. } => *source = self.ty(*source),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call(call),
            InstKind::AtomicRmw(rmw) => self.access(&mut rmw.access),
            InstKind::CompareExchange(exchange) => self.access(&mut exchange.access),
            InstKind::Fence { scope, .. } => *scope = scope.map(|id| self.str(id)),
            InstKind::LandingPad { clauses, .. } => {
                clauses.iter_mut().for_each(|clause| clause.ty = self.ty(clause.ty));
            }
            InstKind::Marker(marker) => {
                marker.variable = self.variable(marker.variable);
                marker.expr = marker.expr.map(|id| self.expr(id));
            }
            InstKind::Switch { cases, .. } => cases.iter_mut().for_each(|(case, _)| *case = self.constant(*case)),
            InstKind::Unsupported(unsupported) => unsupported.text = self.str(unsupported.text),
            InstKind::Binary { .. }
            | InstKind::FNeg { .. }
            | InstKind::Compare { .. }
            | InstKind::Cast { .. }
            | InstKind::Select { .. }
            | InstKind::Phi { .. }
            | InstKind::Freeze(_)
            | InstKind::ExtractValue { .. }
            | InstKind::InsertValue { .. }
            | InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. }
            | InstKind::VaArg { .. }
            | InstKind::Ret(_)
            | InstKind::Br(_)
            | InstKind::CondBr { .. }
            | InstKind::IndirectBr { .. }
            | InstKind::Resume(_)
            | InstKind::Unreachable => {}
        }
    }

    fn access(&self, access: &mut Access) {
        access.scope = access.scope.map(|id| self.str(id));
    }

    fn call(&self, call: &mut Call) {
        if let Callee::Asm(text) = &mut call.callee {
            *text = self.str(*text);
        }
        call.function_ty = self.ty(call.function_ty);
        call.arg_attrs.iter_mut().for_each(|id| *id = self.attrs(*id));
        call.result_attrs = self.attrs(call.result_attrs);
        call.attrs = self.attrs(call.attrs);
        for bundle in &mut call.bundles {
            bundle.tag = self.str(bundle.tag);
            bundle.operands.iter_mut().for_each(|(ty, _)| *ty = self.ty(*ty));
        }
    }

    fn merge_debug(&mut self, target: &mut DebugInfo, files: &mut FxHashMap<File, FileId>, source: DebugInfo) {
        for mut file in source.files {
            file.name = self.str(file.name);
            file.directory = file.directory.map(|id| self.str(id));
            self.files.push(*files.entry(file.clone()).or_insert_with(|| target.files.push(file)));
        }
        for (_, ops) in source.exprs.iter_ids() {
            let mut ops = ops.clone();
            for op in &mut ops {
                if let ExprOp::Other(name, _) = op {
                    *name = self.str(*name);
                }
            }
            self.exprs.push(target.exprs.intern(ops));
        }
        for mut scope in source.scopes {
            scope.name = scope.name.map(|id| self.str(id));
            scope.linkage_name = scope.linkage_name.map(|id| self.str(id));
            scope.file = scope.file.map(|id| self.file(id));
            scope.parent = scope.parent.map(|id| self.scope(id));
            scope.ty = scope.ty.map(|id| self.debug_type(id));
            target.scopes.push(scope);
        }
        for mut location in source.locations {
            location.scope = location.scope.map(|id| self.scope(id));
            location.inlined_at = location.inlined_at.map(|id| self.loc(id));
            target.locations.push(location);
        }
        for mut variable in source.variables {
            variable.name = variable.name.map(|id| self.str(id));
            variable.scope = variable.scope.map(|id| self.scope(id));
            variable.file = variable.file.map(|id| self.file(id));
            variable.ty = variable.ty.map(|id| self.debug_type(id));
            target.variables.push(variable);
        }
        for mut ty in source.types {
            self.move_debug_type(&mut ty);
            target.types.push(ty);
        }
    }

    fn move_debug_type(&self, ty: &mut DebugType) {
        let map = |id: &mut Option<DebugTypeId>| *id = id.map(|id| self.debug_type(id));
        ty.name = ty.name.map(|id| self.str(id));
        match &mut ty.kind {
            DebugTypeKind::Basic(_) => {}
            DebugTypeKind::Pointer { to, .. } | DebugTypeKind::Alias { to, .. } => map(to),
            DebugTypeKind::Record { fields, variants, .. } => {
                fields.iter_mut().for_each(|field| self.move_field(field));
                if let Some(variants) = variants {
                    variants.tag.iter_mut().for_each(|field| self.move_field(field));
                    variants.cases.iter_mut().for_each(|case| self.move_field(&mut case.field));
                }
            }
            DebugTypeKind::Array { element, .. } => map(element),
            DebugTypeKind::Enum { base, values } => {
                map(base);
                values.iter_mut().for_each(|(name, _)| *name = self.str(*name));
            }
            DebugTypeKind::Function { types } => types.iter_mut().for_each(map),
            DebugTypeKind::Other(tag) => *tag = self.str(*tag),
        }
    }

    fn move_field(&self, field: &mut Field) {
        field.name = field.name.map(|id| self.str(id));
        field.ty = field.ty.map(|id| self.debug_type(id));
    }
}

fn moved<I: Id>(id: I, distance: usize) -> I {
    I::from_index(id.index() + distance)
}
