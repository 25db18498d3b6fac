//! A module: one translation unit, or several linked into one.

use crate::attrs::AttrSet;
use crate::constant::{Const, ConstKind};
use crate::debug::DebugInfo;
use crate::id::{
    Arena, AttrsId, BlockId, ConstId, FuncId, GlobalId, InstId, Interner, ScopeId, StrId, Strings, SymbolId, TypeId,
    UnitId, VarId,
};
use crate::inst::{Align, Call, Callee, Inst, InstKind, Value};
use crate::layout::{DataLayout, TypeLayouts};
use crate::types::Types;

/// One translation unit, or several linked into one.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Every string of the module.
    pub strings: Strings,
    /// Target triple; empty if the text named none.
    pub triple: String,
    /// Sizes and alignments of the target.
    pub layout: DataLayout,
    /// Size and alignment of each type.
    pub type_layouts: TypeLayouts,
    /// Types.
    pub types: Types,
    /// Constants.
    pub consts: Interner<ConstId, Const>,
    /// Sets of attributes; the first one is empty.
    pub attrs: Interner<AttrsId, AttrSet>,
    /// Everything that has a name beginning with `@`.
    pub symbols: Arena<SymbolId, Symbol>,
    /// Functions.
    pub functions: Arena<FuncId, Function>,
    /// Global variables.
    pub globals: Arena<GlobalId, Global>,
    /// Comdat groups with their selection kind, in order of definition.
    pub comdats: Vec<(StrId, StrId)>,
    /// Module-level assembly, one entry a line.
    pub assembly: Vec<StrId>,
    /// Debug info.
    pub debug: DebugInfo,
    /// Translation units that went into the module.
    pub units: Arena<UnitId, Unit>,
    /// What the reader of the text skipped or did not understand.
    pub notes: Vec<Note>,
}

/// A translation unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Its source file, as the compiler was given it.
    pub source: StrId,
    /// The compiler, as debug info names it.
    pub producer: Option<StrId>,
    /// The language, as debug info names it (`DW_LANG_C11`).
    pub language: Option<StrId>,
}

/// Something the reader of the text skipped or did not understand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Line in the IR text.
    pub line: u32,
    /// What it was.
    pub message: String,
}

/// What `@name` stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name without the `@`. Local symbols of linked units may share a name.
    pub name: StrId,
    /// A name that no other symbol has, if several share the first one.
    pub label: Option<StrId>,
    /// What it is.
    pub kind: SymbolKind,
    /// Linkage.
    pub linkage: Linkage,
    /// `hidden` or `protected`.
    pub visibility: Visibility,
    /// Whether it is known to be in the same linked object.
    pub dso_local: bool,
    /// Whether its address matters; `local_unnamed_addr` counts as mattering.
    pub unnamed_addr: bool,
    /// Thread-local storage: the model, or an empty string for the default one.
    pub thread_local: Option<StrId>,
    /// Comdat group.
    pub comdat: Option<StrId>,
    /// Unit that it comes from.
    pub unit: UnitId,
}

/// What a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A function.
    Function(FuncId),
    /// A global variable.
    Variable(GlobalId),
    /// Another name for a constant address of that value type.
    Alias {
        /// Type of what is there.
        ty: TypeId,
        /// Address.
        target: ConstId,
    },
    /// A function whose address a resolver function tells at load time.
    Ifunc {
        /// Type of the function.
        ty: TypeId,
        /// Resolver.
        resolver: ConstId,
    },
    /// Used, but nowhere declared.
    Missing,
}

/// Linkages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Visible to other units.
    External,
    /// Not visible to other units, and nameless in the object file.
    Private,
    /// Not visible to other units (`static`).
    Internal,
    /// A copy of a definition elsewhere.
    AvailableExternally,
    /// One of several equal copies, dropped if unused.
    LinkOnce,
    /// One of several equal copies, dropped if unused, all the same by the language's rules.
    LinkOnceOdr,
    /// One of several copies.
    Weak,
    /// One of several copies, all the same by the language's rules.
    WeakOdr,
    /// A C tentative definition.
    Common,
    /// An array that the linker appends to.
    Appending,
    /// A declaration that may stay undefined.
    ExternWeak,
}

impl Linkage {
    /// Whether other units cannot see the symbol.
    pub fn is_local(self) -> bool {
        matches!(self, Linkage::Private | Linkage::Internal)
    }

    /// The keyword in LLVM IR; empty for a plain definition.
    pub fn keyword(self) -> &'static str {
        match self {
            Linkage::External => "",
            Linkage::Private => "private",
            Linkage::Internal => "internal",
            Linkage::AvailableExternally => "available_externally",
            Linkage::LinkOnce => "linkonce",
            Linkage::LinkOnceOdr => "linkonce_odr",
            Linkage::Weak => "weak",
            Linkage::WeakOdr => "weak_odr",
            Linkage::Common => "common",
            Linkage::Appending => "appending",
            Linkage::ExternWeak => "extern_weak",
        }
    }

    /// What a keyword stands for.
    pub fn from_keyword(keyword: &str) -> Option<Linkage> {
        Some(match keyword {
            "external" => Linkage::External,
            "private" => Linkage::Private,
            "internal" => Linkage::Internal,
            "available_externally" => Linkage::AvailableExternally,
            "linkonce" => Linkage::LinkOnce,
            "linkonce_odr" => Linkage::LinkOnceOdr,
            "weak" => Linkage::Weak,
            "weak_odr" => Linkage::WeakOdr,
            "common" => Linkage::Common,
            "appending" => Linkage::Appending,
            "extern_weak" => Linkage::ExternWeak,
            _ => return None,
        })
    }
}

/// Visibilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// As the linkage says.
    Default,
    /// Not outside the linked object.
    Hidden,
    /// Outside, but not replaceable.
    Protected,
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Type of its contents.
    pub ty: TypeId,
    /// Initial contents; `None` for a declaration.
    pub initializer: Option<ConstId>,
    /// Whether it never changes.
    pub constant: bool,
    /// Whether something outside may have changed it before the program starts.
    pub externally_initialized: bool,
    /// Address space.
    pub address_space: u32,
    /// Alignment.
    pub align: Option<Align>,
    /// Section.
    pub section: Option<StrId>,
    /// The source variable.
    pub variable: Option<VarId>,
    /// The weak symbol whose address it holds, if it was declared for that ([`crate::weak`]).
    pub address_of: Option<SymbolId>,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Function type.
    pub ty: TypeId,
    /// Parameters.
    pub params: Vec<Param>,
    /// Attributes of the result.
    pub result_attrs: AttrsId,
    /// Attributes of the function.
    pub attrs: AttrsId,
    /// Calling convention; 0 is C.
    pub convention: u32,
    /// Alignment.
    pub align: Option<Align>,
    /// Section.
    pub section: Option<StrId>,
    /// Garbage-collection strategy.
    pub gc: Option<StrId>,
    /// Personality function for unwinding.
    pub personality: Option<ConstId>,
    /// Blocks; the first one is the entry. Empty for a declaration.
    pub blocks: Arena<BlockId, Block>,
    /// Instructions; an instruction that no block lists is dead.
    pub insts: Arena<InstId, Inst>,
    /// The source function.
    pub scope: Option<ScopeId>,
}

impl Function {
    /// A function without a body or properties; `attrs` is the empty set.
    pub fn declaration(symbol: SymbolId, ty: TypeId, params: Vec<Param>, attrs: AttrsId) -> Function {
        Function {
            symbol,
            ty,
            params,
            result_attrs: attrs,
            attrs,
            convention: 0,
            align: None,
            section: None,
            gc: None,
            personality: None,
            blocks: Arena::new(),
            insts: Arena::new(),
            scope: None,
        }
    }

    /// Whether the function has a body.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// The last instruction of a block.
    pub fn terminator(&self, block: BlockId) -> Option<&Inst> {
        self.blocks[block].insts.last().map(|&id| &self.insts[id])
    }

    /// Instructions of all blocks in order.
    pub fn body(&self) -> impl Iterator<Item = (BlockId, InstId, &Inst)> {
        self.blocks
            .iter_ids()
            .flat_map(move |(block, b)| b.insts.iter().map(move |&inst| (block, inst, &self.insts[inst])))
    }
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Type.
    pub ty: TypeId,
    /// Name in the IR text, if it had one.
    pub name: Option<StrId>,
    /// Attributes.
    pub attrs: AttrsId,
}

/// A basic block: instructions, the last of which says where control goes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Block {
    /// Name in the IR text, if it had one.
    pub name: Option<StrId>,
    /// Instructions in order.
    pub insts: Vec<InstId>,
}

impl Module {
    /// The string behind an id.
    pub fn str(&self, id: StrId) -> &str {
        &self.strings[id]
    }

    /// Name of a symbol without the `@`.
    pub fn symbol_name(&self, id: SymbolId) -> &str {
        self.str(self.symbols[id].name)
    }

    /// A name of a symbol that no other symbol has.
    pub fn symbol_label(&self, id: SymbolId) -> &str {
        let symbol = &self.symbols[id];
        self.str(symbol.label.unwrap_or(symbol.name))
    }

    /// The same for a function.
    pub fn function_label(&self, id: FuncId) -> &str {
        self.symbol_label(self.functions[id].symbol)
    }

    /// Name of a function without the `@`.
    pub fn function_name(&self, id: FuncId) -> &str {
        self.symbol_name(self.functions[id].symbol)
    }

    /// Type of an operand inside `function`.
    pub fn type_of(&self, function: &Function, value: Value) -> TypeId {
        match value {
            Value::Inst(id) => function.insts[id].ty,
            Value::Arg(index) => function.params[index as usize].ty,
            Value::Const(id) => self.consts[id].ty,
        }
    }

    /// The symbol whose address `value` is, if it is one.
    pub fn as_symbol(&self, value: Value) -> Option<SymbolId> {
        match value {
            Value::Const(id) => match self.consts[id].kind {
                ConstKind::Symbol(symbol) => Some(symbol),
                _ => None,
            },
            _ => None,
        }
    }

    /// The symbol that a constant address is made of.
    pub fn base_symbol(&self, address: ConstId) -> Option<SymbolId> {
        let mut address = address;
        loop {
            // The parts of a constant come before it, so this ends.
            address = match &self.consts[address].kind {
                ConstKind::Symbol(symbol) => return Some(*symbol),
                ConstKind::Offset { base, .. } => *base,
                ConstKind::Gep { operands, .. } => *operands.first()?,
                ConstKind::Cast { value, .. } => *value,
                _ => return None,
            }
        }
    }

    /// What of an instruction the model knows by its text only: the instruction itself, assembly that it calls, or a
    /// constant among its operands.
    pub fn unsupported(&self, kind: &InstKind) -> Option<&str> {
        if let InstKind::Unsupported(unsupported) = kind {
            return Some(self.str(unsupported.text));
        }
        if let Some(Call { callee: Callee::Asm(text), .. }) = kind.call() {
            return Some(self.str(*text));
        }
        let mut found = None;
        kind.for_each_operand(|operand| {
            if let Value::Const(id) = operand
                && let ConstKind::Unsupported(text) = self.consts[id].kind
            {
                found = Some(self.str(text));
            }
        });
        found
    }

    /// What runs before `main`, in order.
    pub fn constructors(&self) -> Vec<FuncId> {
        self.listed("llvm.global_ctors")
    }

    /// What runs behind `main`, in some order.
    pub fn destructors(&self) -> Vec<FuncId> {
        self.listed("llvm.global_dtors")
    }

    /// The functions of a list that the loader goes through, by priority, then in order.
    fn listed(&self, name: &str) -> Vec<FuncId> {
        let list = self.symbols.ids().find(|&id| self.symbol_name(id) == name);
        let Some(SymbolKind::Variable(id)) = list.map(|id| self.symbols[id].kind) else { return Vec::new() };
        let Some(list) = self.globals[id].initializer else { return Vec::new() };
        let ConstKind::Aggregate(entries) = &self.consts[list].kind else { return Vec::new() };
        let mut found: Vec<(u128, FuncId)> = Vec::new();
        for &entry in entries.iter() {
            let ConstKind::Aggregate(parts) = &self.consts[entry].kind else { continue };
            let [priority, function, ..] = &parts[..] else { continue };
            if let (ConstKind::Int(priority), ConstKind::Symbol(symbol)) =
                (&self.consts[*priority].kind, &self.consts[*function].kind)
                && let SymbolKind::Function(id) = self.symbols[*symbol].kind
                && self.functions[id].is_defined()
                && self.functions[id].params.is_empty()
            {
                found.push((*priority, id));
            }
        }
        found.sort_by_key(|(priority, _)| *priority);
        found.into_iter().map(|(_, id)| id).collect()
    }

    /// The function that a call calls, if it names one (through aliases too).
    pub fn called_function(&self, kind: &InstKind) -> Option<FuncId> {
        let call = match kind {
            InstKind::Call(call) | InstKind::Invoke { call, .. } => call,
            _ => return None,
        };
        let Callee::Value(mut value) = call.callee else { return None };
        for _ in 0..=self.symbols.len() {
            match self.symbols[self.as_symbol(value)?].kind {
                SymbolKind::Function(id) => return Some(id),
                SymbolKind::Alias { target, .. } => value = Value::Const(target),
                _ => return None,
            }
        }
        None
    }
}
