//! Writes a module as LLVM IR that clang 15 and newer compile.
//!
//! The text is in a conservative dialect: opaque pointers; no debug info and no metadata; attributes
//! inline, and only those that matter for calling conventions and code generation. Whatever some
//! version does not know is left out if it is a mere assumption, and said in older words if not (see
//! `portable`). Equal modules give equal bytes.
//!
//! One rule decides what goes into the text: writing something marks the types, symbols and comdats
//! that it names, and what is marked is written next. The header comes last and is put in front.
//!
//! One thing no text can say: clang takes sizes and alignments from its own target, not from the
//! `datalayout` line. Before LLVM 18 a 128-bit integer is aligned to 8 bytes on x86-64, later to 16.

mod attributes;
mod body;
mod calls;
mod constants;
mod expand;
mod globals;
mod instructions;
pub mod listing;
mod names;
mod portable;
mod text;
mod types;

#[cfg(test)]
mod tests;

use rustc_hash::{FxHashMap, FxHashSet};

use self::names::{BlockAddresses, LocalNames, SymbolNames};
use self::portable::Role;
use self::text::{push_escaped, push_name};
use self::types::TypeTexts;
use crate::constant::{Const, ConstKind};
use crate::id::{ConstId, FuncId, Id, NamedTypeId, StrId, SymbolId, TypeId};
use crate::module::{Module, SymbolKind};
use crate::parse::lexer::unescape;
use crate::types::Type;

/// The whole module as LLVM IR.
pub fn print(module: &Module) -> String {
    let mut printer = Printer::new(module, vec![true; module.functions.len()]);
    // A declaration that nothing refers to says nothing.
    for id in module.symbols.ids() {
        printer.marked[id.index()] = !printer.is_declaration(id);
    }
    // LLVM keeps assembly as one text, which ends where it ends, empty lines or not.
    for line in module.assembly.iter().map(|&line| unescape(module.str(line))).filter(|line| !line.is_empty()) {
        printer.out.push_str("module asm \"");
        push_escaped(&mut printer.out, &line);
        printer.out.push_str("\"\n");
    }
    printer.marked_symbols();
    printer.finish()
}

/// The chosen functions and everything that they need as LLVM IR: other functions become
/// declarations, variables keep their contents.
pub fn print_functions(module: &Module, functions: &[FuncId]) -> String {
    let mut chosen = vec![false; module.functions.len()];
    for id in functions {
        chosen[id.index()] = true;
    }
    let mut printer = Printer::new(module, chosen);
    // The first round only shows what is needed.
    functions.iter().for_each(|&id| printer.mark(module.functions[id].symbol));
    while let Some(symbol) = printer.pending.pop() {
        printer.symbol(symbol);
    }
    printer.out.clear();
    printer.marked_symbols();
    printer.finish()
}

/// The intrinsic that stands in for what cannot be written.
const TRAP: &str = "llvm.trap";

/// The text so far, and what it refers to.
struct Printer<'m> {
    module: &'m Module,
    out: String,
    types: TypeTexts<'m>,
    symbol_names: SymbolNames,
    roles: Vec<Role>,
    /// Address spaces of symbols that are used in another one than the program's.
    spaces: FxHashMap<SymbolId, u32>,
    /// Functions that are written with their body.
    chosen: Vec<bool>,
    /// Symbols that the text defines, so that an alias or a block address can refer to them.
    defined: Vec<bool>,
    /// Symbols that the text refers to.
    marked: Vec<bool>,
    /// Marked symbols that were not looked at yet.
    pending: Vec<SymbolId>,
    comdats: FxHashSet<StrId>,
    /// Types that undeclared symbols are called with.
    called_as: FxHashMap<SymbolId, TypeId>,
    /// The intrinsic that stands in for what cannot be written.
    trap: Option<SymbolId>,
    /// Whether it is used though the module does not declare it.
    undeclared_trap: bool,
    locals: LocalNames,
    block_addresses: BlockAddresses,
    /// Constants that have to become instructions where a function uses them; empty if there are none.
    expands: Vec<bool>,
    /// Constants that are instructions already, and the name of the result.
    expanded: FxHashMap<ConstId, String>,
    /// Symbols and types by name, made when a text has to be searched for names.
    by_name: Option<ByName>,
}

/// Symbols and types by name.
struct ByName {
    symbols: FxHashMap<StrId, SymbolId>,
    types: FxHashMap<StrId, NamedTypeId>,
}

impl<'m> Printer<'m> {
    fn new(module: &'m Module, chosen: Vec<bool>) -> Self {
        let mut locals = LocalNames::default();
        Printer {
            module,
            out: String::new(),
            types: TypeTexts::new(module),
            symbol_names: SymbolNames::new(module),
            roles: roles(module),
            spaces: spaces(module),
            defined: defined(module, &chosen),
            chosen,
            marked: vec![false; module.symbols.len()],
            pending: Vec::new(),
            comdats: FxHashSet::default(),
            called_as: FxHashMap::default(),
            trap: module.symbols.ids().find(|&id| module.symbol_name(id) == TRAP),
            undeclared_trap: false,
            block_addresses: BlockAddresses::new(module, &mut locals),
            locals,
            expands: expand::find(module),
            expanded: FxHashMap::default(),
            by_name: None,
        }
    }

    /// Writes every marked symbol: variables, aliases, functions, declarations.
    fn marked_symbols(&mut self) {
        let module = self.module;
        let kind = |symbol: SymbolId| module.symbols[symbol].kind;
        for (id, global) in module.globals.iter_ids() {
            let symbol = global.symbol;
            if self.is_marked_definition(symbol) && kind(symbol) == SymbolKind::Variable(id) {
                self.global(id);
            }
        }
        // By name, as are declarations: their order in the model comes from where they are used.
        let mut aliases: Vec<SymbolId> = module.symbols.ids().filter(|&id| self.is_marked_definition(id)).collect();
        aliases.retain(|&id| !matches!(kind(id), SymbolKind::Variable(_) | SymbolKind::Function(_)));
        aliases.sort_by_key(|&id| module.symbol_name(id));
        aliases.into_iter().for_each(|id| self.symbol(id));
        for (id, function) in module.functions.iter_ids() {
            let symbol = function.symbol;
            if self.is_marked_definition(symbol) && kind(symbol) == SymbolKind::Function(id) {
                self.function(id);
            }
        }
        // Last, when every use of them has been seen.
        let mut declarations: Vec<SymbolId> = module.symbols.ids().filter(|id| self.marked[id.index()]).collect();
        declarations.retain(|&id| self.is_declaration(id));
        declarations.sort_by_key(|&id| module.symbol_name(id));
        let before_trap = declarations.partition_point(|&id| module.symbol_name(id) < TRAP);
        let after_trap = declarations.split_off(before_trap);
        declarations.into_iter().for_each(|id| self.symbol(id));
        if self.undeclared_trap {
            self.out.push_str("declare void @llvm.trap()");
            let space = module.layout.program_space;
            if space != 0 {
                self.out.push(' ');
                self.address_space(space);
            }
            self.out.push('\n');
        }
        after_trap.into_iter().for_each(|id| self.symbol(id));
    }

    fn is_marked_definition(&self, id: SymbolId) -> bool {
        self.marked[id.index()] && !self.is_declaration(id)
    }

    /// Whether the text only says of a symbol that it is elsewhere.
    fn is_declaration(&self, id: SymbolId) -> bool {
        match self.module.symbols[id].kind {
            SymbolKind::Function(function) => !self.has_body(function),
            SymbolKind::Variable(global) => self.module.globals[global].initializer.is_none(),
            // An alias of something elsewhere is elsewhere, too.
            SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => !self.defined[id.index()],
            SymbolKind::Missing => true,
        }
    }

    fn symbol(&mut self, id: SymbolId) {
        match self.module.symbols[id].kind {
            SymbolKind::Function(function) => self.function(function),
            SymbolKind::Variable(global) => self.global(global),
            SymbolKind::Alias { ty, target } => self.alias(id, ty, target),
            SymbolKind::Ifunc { ty, resolver } => self.ifunc(id, ty, resolver),
            SymbolKind::Missing => self.missing(id),
        }
    }

    fn ty(&mut self, ty: TypeId) {
        self.types.push(&mut self.out, ty);
    }

    fn by_name(&mut self) -> &ByName {
        let module = self.module;
        self.by_name.get_or_insert_with(|| ByName {
            symbols: module.symbols.iter_ids().map(|(id, symbol)| (symbol.name, id)).collect(),
            types: module.types.named.iter_ids().map(|(id, ty)| (ty.name, id)).collect(),
        })
    }

    fn mark(&mut self, id: SymbolId) {
        let id = self.symbol_names.duplicates.get(&id).copied().unwrap_or(id);
        if !std::mem::replace(&mut self.marked[id.index()], true) {
            self.pending.push(id);
        }
    }

    /// Writes the name of a symbol and marks it.
    fn symbol_name(&mut self, id: SymbolId) {
        self.mark(id);
        self.out.push_str(self.symbol_names.get(id));
    }

    /// Writes a call of the trap, which the module may have declared or not.
    fn trap(&mut self) {
        self.out.push_str("  call ");
        let program_space = self.module.layout.program_space;
        let space = self.trap.map_or(program_space, |symbol| self.function_space(symbol));
        if space != 0 || program_space != 0 {
            self.address_space(space);
            self.out.push(' ');
        }
        self.out.push_str("void ");
        match self.trap {
            Some(symbol) => self.symbol_name(symbol),
            None => {
                self.undeclared_trap = true;
                self.out.push_str("@llvm.trap");
            }
        }
        self.out.push_str("()\n");
    }

    fn finish(mut self) -> String {
        let module = self.module;
        let mut text = String::new();
        for (what, value) in [("datalayout", &module.layout.text), ("triple", &module.triple)] {
            if !value.is_empty() {
                text.push_str("target ");
                text.push_str(what);
                text.push_str(" = ");
                text.push('"');
                push_escaped(&mut text, value.as_bytes());
                text.push_str("\"\n");
            }
        }
        self.types.push_definitions(&mut text);
        let mut comdats: Vec<_> = module.comdats.iter().filter(|(name, _)| self.comdats.contains(name)).collect();
        comdats.sort_by_key(|(name, _)| module.str(*name));
        for &&(name, kind) in &comdats {
            text.push('$');
            push_name(&mut text, module.str(name));
            text.push_str(" = comdat ");
            text.push_str(module.str(kind));
            text.push('\n');
        }
        text.reserve(self.out.len());
        text.push_str(&self.out);
        text
    }
}

fn spaces(module: &Module) -> FxHashMap<SymbolId, u32> {
    let space = |ty: TypeId| match module.types[ty] {
        Type::Ptr(space) if space != module.layout.program_space => Some(space),
        _ => None,
    };
    let used = |constant: &Const| match constant.kind {
        ConstKind::Symbol(symbol) => Some((symbol, space(constant.ty)?)),
        _ => None,
    };
    module.consts.iter_ids().filter_map(|(_, constant)| used(constant)).collect()
}

fn roles(module: &Module) -> Vec<Role> {
    let role = |id: SymbolId| {
        let SymbolKind::Function(function) = module.symbols[id].kind else { return Role::Plain };
        let params = &module.functions[function].params;
        match portable::role(module.symbol_name(id), params.len()) {
            Role::Plain if params.iter().any(|param| module.types[param.ty] == Type::Metadata) => Role::Metadata,
            role => role,
        }
    };
    module.symbols.ids().map(role).collect()
}

/// Which symbols a text with the chosen bodies defines. One that stands for another is defined if that is.
fn defined(module: &Module, chosen: &[bool]) -> Vec<bool> {
    let mut known: Vec<Option<bool>> = vec![None; module.symbols.len()];
    for id in module.symbols.ids() {
        let mut chain = Vec::new();
        let mut at = id;
        let defined = loop {
            if let Some(known) = known[at.index()] {
                break known;
            }
            // Of symbols that stand for each other in a circle, none is.
            known[at.index()] = Some(false);
            chain.push(at);
            match module.symbols[at].kind {
                SymbolKind::Function(id) => break chosen[id.index()] && module.functions[id].is_defined(),
                SymbolKind::Variable(id) => break module.globals[id].initializer.is_some(),
                SymbolKind::Missing => break false,
                SymbolKind::Alias { target: address, .. } | SymbolKind::Ifunc { resolver: address, .. } => {
                    match module.base_symbol(address) {
                        Some(base) => at = base,
                        None => break false,
                    }
                }
            }
        };
        chain.into_iter().for_each(|symbol| known[symbol.index()] = Some(defined));
    }
    known.into_iter().map(|defined| defined == Some(true)).collect()
}
