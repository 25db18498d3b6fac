//! What stands outside of functions.

use super::function::starts_definition;
use super::lexer::{Token, unescape};
use super::{Parsed, Parser, metadata, without_sign};
use crate::id::{ConstId, Id, ScopeId, StrId, SymbolId, UnitId, VarId};
use crate::inst::Align;
use crate::layout::DataLayout;
use crate::module::{Global, Linkage, Symbol, SymbolKind, Unit, Visibility};
use crate::types::Type;

/// What may stand before the kind of a symbol.
#[derive(Default)]
pub(super) struct Prefix {
    pub linkage: Option<Linkage>,
    pub visibility: Option<Visibility>,
    pub dso_local: bool,
    pub unnamed_addr: bool,
    pub thread_local: Option<StrId>,
    pub comdat: Option<StrId>,
}

impl<'t> Parser<'t> {
    /// The whole text.
    pub(super) fn module(&mut self) -> Parsed<()> {
        let source = self.module.strings.intern_str("");
        self.module.units.push(Unit { source, producer: None, language: None });
        loop {
            match self.token {
                Token::End => return Ok(()),
                Token::Word("define" | "declare") => self.function()?,
                Token::Global(_) => self.global()?,
                Token::Local(_) | Token::LocalNumber(_) => self.type_definition()?,
                Token::MetadataNumber(number) => self.metadata_node(number)?,
                Token::Metadata(_) => self.skip_assignment()?,
                Token::Comdat(_) => self.comdat_definition()?,
                Token::Word("attributes") => self.attribute_group()?,
                Token::Word("source_filename") => {
                    self.bump();
                    self.expect_punct(b'=')?;
                    let source = self.string("a file's name")?;
                    self.module.units[UnitId::from_index(0)].source = source;
                }
                Token::Word("target") => self.target()?,
                Token::Word("module") => {
                    self.bump();
                    self.expect_word("asm")?;
                    let line = self.string("assembly")?;
                    self.module.assembly.push(line);
                }
                Token::Word("uselistorder" | "uselistorder_bb") => self.skip_use_list_order()?,
                Token::Punct(b'^') => self.skip_summary()?,
                _ => {
                    let mut error = self.expected("a definition");
                    error.help =
                        Some("this does not look like LLVM IR text; give a source file, a .ll or a .bc file".into());
                    return Err(error);
                }
            }
        }
    }

    /// A symbol of which nothing but the name is known.
    pub(super) fn new_symbol(&mut self, name: &str) -> Symbol {
        Symbol {
            name: self.module.strings.intern_str(name),
            label: None,
            kind: SymbolKind::Missing,
            linkage: Linkage::External,
            visibility: Visibility::Default,
            dso_local: false,
            unnamed_addr: false,
            thread_local: None,
            comdat: None,
            unit: UnitId::from_index(0),
        }
    }

    pub(super) fn apply_prefix(&mut self, symbol: SymbolId, prefix: Prefix, linkage: Linkage, kind: SymbolKind) {
        let symbol = &mut self.module.symbols[symbol];
        symbol.kind = kind;
        symbol.linkage = linkage;
        symbol.visibility = prefix.visibility.unwrap_or(Visibility::Default);
        let hidden = symbol.visibility != Visibility::Default && linkage != Linkage::ExternWeak;
        symbol.dso_local = prefix.dso_local || linkage.is_local() || hidden;
        symbol.unnamed_addr = prefix.unnamed_addr;
        symbol.thread_local = prefix.thread_local;
        symbol.comdat = prefix.comdat;
    }

    /// Linkage, visibility and the like, in whatever order they come.
    pub(super) fn symbol_prefix(&mut self) -> Parsed<Prefix> {
        let mut prefix = Prefix::default();
        while let Token::Word(word) = self.token {
            match word {
                "dso_local" => prefix.dso_local = true,
                "dso_preemptable" | "default" | "dllimport" | "dllexport" | "local_unnamed_addr" => {}
                "hidden" => prefix.visibility = Some(Visibility::Hidden),
                "protected" => prefix.visibility = Some(Visibility::Protected),
                "unnamed_addr" => prefix.unnamed_addr = true,
                "thread_local" => {
                    self.bump();
                    let mut model = "";
                    if self.eat_punct(b'(') {
                        let Token::Word(word) = self.take() else { return Err(self.expected("a model")) };
                        model = word;
                        self.expect_punct(b')')?;
                    }
                    prefix.thread_local = Some(self.module.strings.intern_str(model));
                    continue;
                }
                _ => match Linkage::from_keyword(word) {
                    Some(linkage) => prefix.linkage = Some(linkage),
                    None => break,
                },
            }
            self.bump();
        }
        Ok(prefix)
    }

    /// `@x = …`: a variable, an alias or an ifunc.
    fn global(&mut self) -> Parsed<()> {
        let name_at = self.start;
        let Token::Global(name) = self.take() else { return Err(self.expected("a name")) };
        self.expect_punct(b'=')?;
        let mut prefix = self.symbol_prefix()?;
        let symbol = self.symbol(name);
        if self.module.symbols[symbol].kind != SymbolKind::Missing {
            let name = self.module.symbol_name(symbol);
            return Err(self.error_at(name_at, format!("@{name} is defined twice")));
        }
        let linkage = prefix.linkage.unwrap_or(Linkage::External);
        if self.is_word("alias") || self.is_word("ifunc") {
            let alias = self.is_word("alias");
            self.bump();
            let ty = self.ty()?;
            self.expect_punct(b',')?;
            let at = self.start;
            let target = self.address()?;
            self.check_pointer(self.module.consts[target].ty, at)?;
            self.global_tail(name, &mut prefix, &mut None)?;
            let kind =
                if alias { SymbolKind::Alias { ty, target } } else { SymbolKind::Ifunc { ty, resolver: target } };
            self.apply_prefix(symbol, prefix, linkage, kind);
            self.aliases.push((symbol, name_at));
            return Ok(());
        }
        let address_space = self.address_space()?;
        let externally_initialized = self.eat_word("externally_initialized");
        let constant = self.is_word("constant");
        if !self.eat_word("global") && !self.eat_word("constant") {
            return Err(self.expected("`global`, `constant`, `alias` or `ifunc`"));
        }
        let ty = self.memory_type()?;
        // Only a linkage that is written out makes a declaration.
        let declared = matches!(prefix.linkage, Some(Linkage::External | Linkage::ExternWeak));
        let initializer = if declared { None } else { Some(self.constant(ty)?) };
        let mut global = Some(Global {
            symbol,
            ty,
            initializer,
            constant,
            externally_initialized,
            address_space,
            align: None,
            section: None,
            variable: None,
            address_of: None,
        });
        self.global_tail(name, &mut prefix, &mut global)?;
        if let Some(global) = global {
            let id = self.module.globals.push(global);
            self.apply_prefix(symbol, prefix, linkage, SymbolKind::Variable(id));
        }
        Ok(())
    }

    /// What an alias or ifunc stands for: LLVM writes expressions there without their type.
    fn address(&mut self) -> Parsed<ConstId> {
        let from = self.start;
        let Token::Word(word @ ("bitcast" | "addrspacecast" | "inttoptr" | "getelementptr")) = self.token else {
            return self.typed_constant();
        };
        self.bump();
        self.gep_flags()?;
        self.expect_punct(b'(')?;
        let ty = if word == "getelementptr" {
            self.ty()?;
            self.expect_punct(b',')?;
            let base = self.typed_constant()?;
            self.module.consts[base].ty
        } else {
            self.typed_constant()?;
            self.expect_word("to")?;
            self.ty()?
        };
        self.rewind(from);
        self.constant(ty)
    }

    /// `, section "…", align 8, !dbg !1 …`.
    fn global_tail(&mut self, name: &'t str, prefix: &mut Prefix, global: &mut Option<Global>) -> Parsed<()> {
        while self.is_punct(b',') {
            let comma = self.start;
            self.bump();
            match self.token {
                Token::Word("section") => {
                    self.bump();
                    let section = self.string("a section's name")?;
                    if let Some(global) = global {
                        global.section = Some(section);
                    }
                }
                Token::Word("comdat") => prefix.comdat = Some(self.comdat(name)?),
                Token::Word("align") => {
                    self.bump();
                    let bytes = self.alignment()?;
                    if let Some(global) = global {
                        global.align = Align::from_bytes(bytes);
                    }
                }
                Token::Word("partition" | "code_model") => {
                    self.bump();
                    self.string("a name")?;
                }
                Token::Metadata(_) => {
                    self.rewind(comma);
                    let node = self.attachments()?;
                    if let (Some(global), Some(number)) = (global.as_mut(), node) {
                        global.variable = Some(VarId::from_index(number as usize));
                    }
                }
                // `no_sanitize_address` and the like.
                Token::Word(_) => self.bump(),
                _ => return Err(self.expected("a property of the variable")),
            }
        }
        let mut ignored = Vec::new();
        loop {
            match self.token {
                Token::Word(word) if starts_definition(word) => return Ok(()),
                Token::AttrGroup(_) | Token::Word(_) | Token::String(_) => self.attribute(&mut ignored)?,
                _ => return Ok(()),
            }
        }
    }

    /// `comdat` or `comdat($name)`, the group of the symbol's own name by default.
    pub(super) fn comdat(&mut self, own_name: &str) -> Parsed<StrId> {
        self.bump();
        if !self.eat_punct(b'(') {
            return Ok(self.module.strings.intern_str(without_sign(own_name, '@')));
        }
        let Token::Comdat(name) = self.take() else { return Err(self.expected("a comdat's name")) };
        self.expect_punct(b')')?;
        Ok(self.module.strings.intern_str(name))
    }

    /// `$name = comdat any`.
    fn comdat_definition(&mut self) -> Parsed<()> {
        let Token::Comdat(name) = self.take() else { return Err(self.expected("a comdat's name")) };
        self.expect_punct(b'=')?;
        self.expect_word("comdat")?;
        let Token::Word(kind) = self.take() else { return Err(self.expected("a kind of comdat")) };
        let entry = (self.module.strings.intern_str(name), self.module.strings.intern_str(kind));
        self.module.comdats.push(entry);
        Ok(())
    }

    /// `%name = type …`.
    fn type_definition(&mut self) -> Parsed<()> {
        let at = self.start;
        let name = match self.token {
            Token::Local(name) => name,
            _ => &self.lexer.text()[self.start..self.lexer.pos],
        };
        self.bump();
        self.expect_punct(b'=')?;
        self.expect_word("type")?;
        if self.other_types.contains_key(name) {
            return Err(self.error_at(at, format!("type %{} is defined twice", without_sign(name, '%'))));
        }
        if self.eat_word("opaque") {
            self.named_type(name)?;
            return Ok(());
        }
        let body_at = self.start;
        let body = self.ty()?;
        if !matches!(self.module.types[body], Type::Struct { .. }) {
            let fresh = !self.named_types.contains_key(name);
            self.require(fresh, body_at, "another type than a struct, though the name was used or defined before")?;
            let depth = self.measure_other_type(body, body_at)?;
            self.other_types.insert(name, (body, depth));
            return Ok(());
        }
        let ty = self.named_type(name)?;
        let Some(&id) = self.named_types.get(name) else { return Err(self.expected("a type")) };
        self.require(!self.module.type_layouts.knows(ty), at, "the size of this type may have been needed already")?;
        self.structs.push((ty, at));
        if self.module.types.named[id].body.replace(body).is_some() {
            return Err(self.error_at(at, format!("type %{} is defined twice", without_sign(name, '%'))));
        }
        Ok(())
    }

    fn target(&mut self) -> Parsed<()> {
        // Sizes and offsets that were needed already would be other ones.
        let first = self.module.symbols.is_empty() && self.module.types.named.is_empty();
        self.require(first, self.start, "the target must be told before all definitions")?;
        self.bump();
        let layout = self.is_word("datalayout");
        if !self.eat_word("datalayout") && !self.eat_word("triple") {
            return Err(self.expected("`datalayout` or `triple`"));
        }
        self.expect_punct(b'=')?;
        let Token::String(text) = self.token else { return Err(self.expected("a string")) };
        self.bump();
        let text = String::from_utf8_lossy(&unescape(text)).into_owned();
        if layout {
            self.module.layout = DataLayout::parse(&text);
        } else {
            self.module.triple = text;
        }
        let layout = std::mem::take(&mut self.module.layout);
        self.module.layout = layout.upgraded(&self.module.triple);
        Ok(())
    }

    /// `!7 = …`: remembered now, read when all numbers are known.
    fn metadata_node(&mut self, number: u32) -> Parsed<()> {
        self.bump();
        self.expect_punct(b'=')?;
        self.nodes.push(metadata::Node { number, pos: self.start });
        self.skip_node()
    }

    /// A summary entry: `^0 = module: (…)`.
    fn skip_summary(&mut self) -> Parsed<()> {
        while !matches!(self.token, Token::Label(_) | Token::End) {
            self.bump();
        }
        self.bump();
        self.skip_balanced()
    }

    /// `!name = !{…}`.
    fn skip_assignment(&mut self) -> Parsed<()> {
        self.bump();
        self.expect_punct(b'=')?;
        self.skip_node()
    }

    /// `distinct !DIFile(…)`, `!{…}`, `!"…"` and the like.
    fn skip_node(&mut self) -> Parsed<()> {
        self.eat_word("distinct");
        if !matches!(self.token, Token::Metadata(_) | Token::Bang) {
            return self.skip_line();
        }
        // Most of the text is metadata, so its tokens are not cut.
        match super::lexer::bracket_end(self.lexer.text().as_bytes(), self.lexer.pos) {
            Some(end) => {
                self.rewind(end);
                Ok(())
            }
            None => {
                self.bump();
                self.skip_balanced()
            }
        }
    }

    /// Until the metadata is read, a scope is its node's number.
    pub(super) fn raw_scope(&self, number: u32) -> ScopeId {
        ScopeId::from_index(number as usize)
    }
}
