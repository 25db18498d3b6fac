//! Everything that has a name beginning with `@`, functions up to their body.

use super::Printer;
use super::attributes::Owner;
use super::body::Body;
use super::portable::Role;
use super::text::{push_decimal, push_name, push_quoted};
use crate::id::{ConstId, FuncId, GlobalId, Id, StrId, SymbolId, TypeId};
use crate::inst::Align;
use crate::module::{Function, Linkage, Visibility};
use crate::types::Type;

impl Printer<'_> {
    /// Whether a function is written with its body.
    pub fn has_body(&self, id: FuncId) -> bool {
        self.chosen[id.index()] && self.module.functions[id].is_defined()
    }

    /// Writes a global variable.
    pub fn global(&mut self, id: GlobalId) {
        let global = &self.module.globals[id];
        let symbol = &self.module.symbols[global.symbol];
        self.out.push_str(self.symbol_names.get(global.symbol));
        self.out.push_str(" = ");
        match (global.initializer, symbol.linkage) {
            (None, Linkage::ExternWeak) => self.out.push_str("extern_weak "),
            (None, _) => self.out.push_str("external "),
            (Some(_), Linkage::ExternWeak) => {}
            (Some(_), linkage) => self.keyword(linkage.keyword()),
        }
        self.preemption(global.symbol);
        self.storage(global.symbol);
        if global.address_space != 0 {
            self.address_space(global.address_space);
            self.out.push(' ');
        }
        if global.externally_initialized {
            self.out.push_str("externally_initialized ");
        }
        self.out.push_str(if global.constant { "constant " } else { "global " });
        self.ty(global.ty);
        if let Some(initializer) = global.initializer {
            self.out.push(' ');
            self.constant(initializer);
        }
        self.section(", ", global.section);
        if global.initializer.is_some() {
            self.comdat(", ", global.symbol);
        }
        self.align(", ", global.align);
        self.out.push('\n');
    }

    /// Writes an alias, as a declaration if the text does not define what it stands for.
    pub fn alias(&mut self, symbol: SymbolId, ty: TypeId, target: ConstId) {
        if self.defined[symbol.index()] {
            self.indirect("alias ", symbol, ty, target);
        } else {
            self.declaration(symbol, ty);
        }
    }

    /// Writes an ifunc, as a declaration if the text does not define its resolver.
    pub fn ifunc(&mut self, symbol: SymbolId, ty: TypeId, resolver: ConstId) {
        if self.defined[symbol.index()] {
            self.indirect("ifunc ", symbol, ty, resolver);
        } else {
            self.declaration(symbol, ty);
        }
    }

    /// Writes a declaration of a symbol that the module does not declare.
    pub fn missing(&mut self, symbol: SymbolId) {
        if self.symbol_names.duplicates.contains_key(&symbol) {
            return;
        }
        match self.called_as.get(&symbol) {
            Some(&ty) => self.declaration(symbol, ty),
            None => {
                self.out.push_str(self.symbol_names.get(symbol));
                self.out.push_str(" = external global i8\n");
            }
        }
    }

    /// Writes a function, with its body if it was chosen.
    pub fn function(&mut self, id: FuncId) {
        let function = &self.module.functions[id];
        let role = self.roles[function.symbol.index()];
        if self.symbol_names.duplicates.contains_key(&function.symbol) {
            return;
        }
        if self.has_body(id) {
            self.out.push_str("\ndefine ");
            match self.module.symbols[function.symbol].linkage {
                Linkage::ExternWeak | Linkage::Common | Linkage::Appending => {}
                linkage => self.keyword(linkage.keyword()),
            }
            Body::print(self, function);
        } else {
            self.out.push_str("declare ");
            if self.module.symbols[function.symbol].linkage == Linkage::ExternWeak {
                self.out.push_str("extern_weak ");
            }
            self.signature(function, |printer, index| {
                if let Role::Extra(extra) = role
                    && extra.position == index
                {
                    printer.out.push_str(extra.ty);
                    printer.out.push_str(", ");
                }
                printer.declared_param(function, index);
            });
            self.out.push('\n');
        }
    }

    /// Writes the head of a function from after its linkage to after its attributes. `param` writes one
    /// parameter.
    pub fn signature(&mut self, function: &Function, mut param: impl FnMut(&mut Self, usize)) {
        let (result, variadic) = match self.module.types.signature(function.ty) {
            Some((result, _, variadic)) => (result, variadic),
            None => (function.ty, false),
        };
        self.preemption(function.symbol);
        self.convention(function.convention);
        self.result_attributes(function.result_attrs);
        self.ty(result);
        self.out.push(' ');
        self.out.push_str(self.symbol_names.get(function.symbol));
        self.out.push('(');
        for index in 0..function.params.len() {
            if index > 0 {
                self.out.push_str(", ");
            }
            param(self, index);
        }
        if variadic {
            self.out.push_str(if function.params.is_empty() { "..." } else { ", ..." });
        }
        self.out.push(')');
        if self.module.symbols[function.symbol].unnamed_addr {
            self.out.push_str(" unnamed_addr");
        }
        let space = self.function_space(function.symbol);
        if space != 0 || self.module.layout.program_space != 0 {
            self.out.push(' ');
            self.address_space(space);
        }
        // LLVM knows better what its own functions do.
        if !self.module.symbol_name(function.symbol).starts_with("llvm.") {
            self.function_attributes(function.attrs, Owner::Function);
        }
    }

    /// Writes section, comdat and alignment of a function with a body.
    pub fn placement(&mut self, function: &Function) {
        self.section(" ", function.section);
        self.comdat(" ", function.symbol);
        self.align(" ", function.align);
        if let Some(gc) = function.gc {
            self.out.push_str(" gc ");
            push_quoted(&mut self.out, self.module.str(gc));
        }
        if let Some(personality) = function.personality {
            self.out.push_str(" personality ");
            self.typed_constant(personality);
        }
    }

    /// The address space of a function, which every use of it tells.
    pub fn function_space(&self, symbol: SymbolId) -> u32 {
        self.spaces.get(&symbol).copied().unwrap_or(self.module.layout.program_space)
    }

    /// Writes `addrspace(n)`.
    pub fn address_space(&mut self, space: u32) {
        self.out.push_str("addrspace(");
        push_decimal(&mut self.out, u128::from(space));
        self.out.push(')');
    }

    /// Writes an alignment after `before`, if there is one.
    pub fn align(&mut self, before: &str, align: Option<Align>) {
        if let Some(align) = align {
            self.out.push_str(before);
            self.out.push_str("align ");
            push_decimal(&mut self.out, u128::from(align.bytes()));
        }
    }

    fn declared_param(&mut self, function: &Function, index: usize) {
        let param = &function.params[index];
        self.ty(param.ty);
        self.value_attributes(param.attrs);
    }

    fn indirect(&mut self, keyword: &str, symbol: SymbolId, ty: TypeId, target: ConstId) {
        self.out.push_str(self.symbol_names.get(symbol));
        self.out.push_str(" = ");
        self.keyword(self.module.symbols[symbol].linkage.keyword());
        self.preemption(symbol);
        self.storage(symbol);
        self.out.push_str(keyword);
        self.ty(ty);
        self.out.push_str(", ");
        self.typed_constant(target);
        self.out.push('\n');
    }

    /// Writes a declaration of a symbol whose contents have type `ty`.
    fn declaration(&mut self, symbol: SymbolId, ty: TypeId) {
        let module = self.module;
        let Type::Function { result, params, variadic } = &module.types[ty] else {
            self.out.push_str(self.symbol_names.get(symbol));
            self.out.push_str(" = external ");
            self.storage(symbol);
            self.out.push_str("global ");
            self.ty(ty);
            self.out.push('\n');
            return;
        };
        self.out.push_str("declare ");
        self.ty(*result);
        self.out.push(' ');
        self.out.push_str(self.symbol_names.get(symbol));
        self.out.push('(');
        for (i, &param) in params.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.ty(param);
        }
        if *variadic {
            self.out.push_str(if params.is_empty() { "..." } else { ", ..." });
        }
        self.out.push_str(")\n");
    }

    fn keyword(&mut self, keyword: &str) {
        if !keyword.is_empty() {
            self.out.push_str(keyword);
            self.out.push(' ');
        }
    }

    /// Writes `dso_local` and visibility; a local symbol has neither.
    fn preemption(&mut self, symbol: SymbolId) {
        let symbol = &self.module.symbols[symbol];
        if symbol.linkage.is_local() {
            return;
        }
        // Visibility implies it, but for a symbol that may stay undefined.
        let implied = symbol.visibility != Visibility::Default && symbol.linkage != Linkage::ExternWeak;
        if symbol.dso_local && !implied {
            self.out.push_str("dso_local ");
        }
        match symbol.visibility {
            Visibility::Default => {}
            Visibility::Hidden => self.out.push_str("hidden "),
            Visibility::Protected => self.out.push_str("protected "),
        }
    }

    /// Writes thread-local storage and `unnamed_addr` of a variable or alias.
    fn storage(&mut self, symbol: SymbolId) {
        let symbol = &self.module.symbols[symbol];
        if let Some(model) = symbol.thread_local {
            self.out.push_str("thread_local");
            let model = self.module.str(model);
            if !model.is_empty() {
                self.out.push('(');
                self.out.push_str(model);
                self.out.push(')');
            }
            self.out.push(' ');
        }
        if symbol.unnamed_addr {
            self.out.push_str("unnamed_addr ");
        }
    }

    fn section(&mut self, before: &str, section: Option<StrId>) {
        if let Some(section) = section {
            self.out.push_str(before);
            self.out.push_str("section ");
            push_quoted(&mut self.out, self.module.str(section));
        }
    }

    fn comdat(&mut self, before: &str, symbol: SymbolId) {
        let symbol = &self.module.symbols[symbol];
        // A copy of a definition elsewhere cannot be in a group.
        if symbol.linkage == Linkage::AvailableExternally {
            return;
        }
        if let Some(comdat) = symbol.comdat {
            self.comdats.insert(comdat);
            self.out.push_str(before);
            self.out.push_str("comdat($");
            push_name(&mut self.out, self.module.str(comdat));
            self.out.push(')');
        }
    }
}
