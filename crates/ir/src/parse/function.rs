//! Function headers and bodies in the text.

use super::attributes::function_level;
use super::lexer::Token;
use super::locals::{Body, Name};
use super::{Parsed, Parser};
use crate::attrs::Attr;
use crate::id::{AttrsId, StrId, TypeId};
use crate::inst::{Align, Value};
use crate::module::{Function, Linkage, Param, SymbolKind};
use crate::types::Type;

impl<'t> Parser<'t> {
    /// `define …` or `declare …`.
    pub(super) fn function(&mut self) -> Parsed<()> {
        let defined = self.is_word("define");
        self.bump();
        // A declaration may carry metadata before its linkage.
        self.attached()?;
        let prefix = self.symbol_prefix()?;
        let convention = self.calling_convention()?;
        let result_attrs = self.value_attrs()?;
        let result_attrs = self.attrs(result_attrs);
        let result_at = self.start;
        let result = self.result_type()?;
        self.check_result(result, result_at)?;
        let name_at = self.start;
        let Token::Global(name) = self.token else { return Err(self.expected("a function's name")) };
        if defined && name.starts_with("llvm.") {
            return Err(self.error(format!("@{name} is an intrinsic, which has no body")));
        }
        self.bump();
        let mut body = Body::new(result);
        let variadic = self.params(&mut body)?;
        let mut params: Vec<TypeId> = body.params.iter().map(|param| param.ty).collect();
        if is_lifetime(name) && params.len() == 2 {
            // Today's form has the pointer only.
            params.remove(0);
            body.params.remove(0);
        }
        let ty = self.module.types.intern(Type::Function { result, params: params.into(), variadic });
        let symbol = self.symbol(name);
        let no_attrs = self.no_attrs();
        let mut function =
            Function { result_attrs, convention, ..Function::declaration(symbol, ty, Vec::new(), no_attrs) };
        let mut prefix = prefix;
        prefix.comdat = self.function_tail(&mut function, &mut prefix.unnamed_addr, name)?;
        if defined {
            function.scope = self.attached()?.map(|number| self.raw_scope(number));
            self.expect_punct(b'{')?;
            self.body(&mut body)?;
            let finished = self.finish_body(body)?;
            function.params = finished.params;
            function.blocks = finished.blocks;
            function.insts = finished.insts;
            self.block_addresses.add_function(symbol, finished.labels);
        } else {
            function.params = body.params;
        }
        self.add_function(function, prefix, defined, name_at)
    }

    fn add_function(
        &mut self,
        function: Function,
        prefix: super::toplevel::Prefix,
        defined: bool,
        name_at: usize,
    ) -> Parsed<()> {
        let symbol = function.symbol;
        match self.module.symbols[symbol].kind {
            SymbolKind::Missing => {}
            // Pointers without pointee make one intrinsic of several.
            SymbolKind::Function(_) if self.module.symbol_name(symbol).starts_with("llvm.") && !defined => {
                return Ok(());
            }
            _ => {
                let message = format!("@{} is defined twice", self.module.symbol_name(symbol));
                return Err(self.error_at(name_at, message));
            }
        }
        let id = self.module.functions.push(function);
        let linkage = prefix.linkage.unwrap_or(Linkage::External);
        self.apply_prefix(symbol, prefix, linkage, SymbolKind::Function(id));
        Ok(())
    }

    /// `( ty attrs %name, … )`; true if more may follow.
    fn params(&mut self, body: &mut Body<'t>) -> Parsed<bool> {
        self.expect_punct(b'(')?;
        while !self.eat_punct(b')') {
            if !body.params.is_empty() {
                self.expect_punct(b',')?;
            }
            if self.token == Token::Ellipsis {
                self.bump();
                self.expect_punct(b')')?;
                return Ok(true);
            }
            let ty = self.param_type()?;
            let attrs = self.value_attrs()?;
            let attrs = self.attrs(attrs);
            let name = self.eat_local();
            let index = body.params.len() as u32;
            let text = match name {
                Some(Name::Text(text)) => Some(self.module.strings.intern_str(text)),
                _ => None,
            };
            body.params.push(Param { ty, name: text, attrs });
            self.define(body, name, Value::Arg(index))?;
        }
        Ok(false)
    }

    fn eat_local(&mut self) -> Option<Name<'t>> {
        let name = match self.token {
            Token::LocalNumber(number) => Name::Number(number),
            Token::Local(text) => Name::Text(text),
            _ => return None,
        };
        self.bump();
        Some(name)
    }

    /// Everything between the parameters and the body; returns the comdat.
    fn function_tail(
        &mut self,
        function: &mut Function,
        unnamed_addr: &mut bool,
        name: &'t str,
    ) -> Parsed<Option<StrId>> {
        let mut attrs: Vec<Attr> = Vec::new();
        let mut comdat = None;
        loop {
            match self.token {
                Token::Word("unnamed_addr") => {
                    *unnamed_addr = true;
                    self.bump();
                }
                Token::Word("local_unnamed_addr") => self.bump(),
                Token::Word("addrspace") => {
                    self.address_space()?;
                }
                Token::Word("section") => {
                    self.bump();
                    function.section = Some(self.string("a section's name")?);
                }
                Token::Word("partition") => {
                    self.bump();
                    self.string("a partition's name")?;
                }
                Token::Word("comdat") => comdat = Some(self.comdat(name)?),
                Token::Word("align") => {
                    self.bump();
                    function.align = Align::from_bytes(self.alignment()?);
                }
                Token::Word("gc") => {
                    self.bump();
                    function.gc = Some(self.string("a strategy's name")?);
                }
                Token::Word("prefix" | "prologue") => {
                    let what = if self.is_word("prefix") { "prefix" } else { "prologue" };
                    self.note(format!("{what} data of @{name} is skipped"));
                    self.bump();
                    self.typed_constant()?;
                }
                Token::Word("personality") => {
                    self.bump();
                    function.personality = Some(self.typed_constant()?);
                }
                Token::Word(word) if starts_definition(word) => break,
                Token::Word(_) | Token::String(_) | Token::AttrGroup(_) => self.attribute(&mut attrs)?,
                _ => break,
            }
        }
        function.attrs = self.attrs(function_level(attrs));
        Ok(comdat)
    }

    /// `align 8` or `align(8)`, the word itself already read.
    pub(super) fn alignment(&mut self) -> Parsed<u64> {
        if self.is_punct(b'(') { self.parenthesised("an alignment") } else { self.unsigned("an alignment") }
    }

    /// Instructions and labels up to the closing brace.
    fn body(&mut self, body: &mut Body<'t>) -> Parsed<()> {
        loop {
            match self.token {
                Token::Punct(b'}') => break,
                Token::End => return Err(self.expected("an instruction or `}`")),
                Token::Label(label) => {
                    if !body.is_empty() && !body.needs_block() {
                        return Err(self.error("the block before this label has no end".into()));
                    }
                    let quoted = self.lexer.text().as_bytes()[self.start] == b'"';
                    let bare_number = !quoted && label.bytes().all(|b| b.is_ascii_digit());
                    let number = label.parse().ok().filter(|_| bare_number);
                    let name = number.map_or(Name::Text(label), Name::Number);
                    self.begin_block(body, Some(name))?;
                    self.bump();
                }
                Token::Word("uselistorder" | "uselistorder_bb") => self.skip_use_list_order()?,
                _ => {
                    // A marker behind a terminator starts no block.
                    if body.is_empty() || (body.needs_block() && !matches!(self.token, Token::Record(_))) {
                        self.begin_block(body, None)?;
                    }
                    self.instruction(body)?;
                }
            }
        }
        if body.is_empty() {
            return Err(self.error("a function without blocks".into()));
        }
        if !body.needs_block() {
            return Err(self.error("the last block has no end".into()));
        }
        self.bump();
        Ok(())
    }

    /// Skips what is left of the line, and what its brackets enclose.
    pub(super) fn skip_line(&mut self) -> Parsed<()> {
        loop {
            self.skip_balanced()?;
            if self.at_new_line() || self.token == Token::End {
                return Ok(());
            }
        }
    }

    /// `uselistorder ty v, { 1, 0 }` and `uselistorder_bb @f, %b, { 1, 0 }`: the order of uses means nothing.
    pub(super) fn skip_use_list_order(&mut self) -> Parsed<()> {
        self.bump();
        while self.token != Token::End {
            let order = self.eat_punct(b',') && self.is_punct(b'{');
            self.skip_balanced()?;
            if order {
                break;
            }
        }
        Ok(())
    }

    /// A calling convention's number; 0 if none is named.
    pub(super) fn calling_convention(&mut self) -> Parsed<u32> {
        let Token::Word(word) = self.token else { return Ok(0) };
        if word == "cc" {
            self.bump();
            return self.unsigned("a calling convention's number");
        }
        if let Some(number) = word.strip_prefix("cc").and_then(|digits| digits.parse().ok()) {
            self.bump();
            return Ok(number);
        }
        if word == "riscv_vls_cc" {
            self.bump();
            let bits = if self.is_punct(b'(') { self.parenthesised("a width in bits")? } else { 128 };
            // One for each power of two from 32 on.
            return match bits.is_power_of_two() && (32..=65536).contains(&bits) {
                true => Ok(112 + bits.trailing_zeros() - 5),
                false => Err(self.error("a width that no vector register has".into())),
            };
        }
        if let Some(&(_, number)) = CONVENTIONS.iter().find(|(name, _)| *name == word) {
            self.bump();
            return Ok(number);
        }
        if word.ends_with("cc") && word.len() > 2 {
            self.note(format!("unknown calling convention `{word}` is read as C's"));
            self.bump();
        }
        Ok(0)
    }

    /// The empty set.
    pub(super) fn no_attrs(&mut self) -> AttrsId {
        self.attrs(Vec::new())
    }
}

/// Whether a word begins what stands at the outermost level, and so ends the attributes before it.
pub(super) fn starts_definition(word: &str) -> bool {
    matches!(
        word,
        "define"
            | "declare"
            | "attributes"
            | "source_filename"
            | "target"
            | "module"
            | "uselistorder"
            | "uselistorder_bb"
    )
}

/// Whether a name is one of the lifetime intrinsics, which lost their first argument in LLVM 22.
pub(super) fn is_lifetime(name: &str) -> bool {
    name.starts_with("llvm.lifetime.")
}

/// LLVM's numbers of the calling conventions that have names.
const CONVENTIONS: [(&str, u32); 58] = [
    ("ccc", 0),
    ("fastcc", 8),
    ("coldcc", 9),
    ("ghccc", 10),
    ("webkit_jscc", 12),
    ("anyregcc", 13),
    ("preserve_mostcc", 14),
    ("preserve_allcc", 15),
    ("swiftcc", 16),
    ("cxx_fast_tlscc", 17),
    ("tailcc", 18),
    ("cfguard_checkcc", 19),
    ("swifttailcc", 20),
    ("preserve_nonecc", 21),
    ("x86_stdcallcc", 64),
    ("x86_fastcallcc", 65),
    ("arm_apcscc", 66),
    ("arm_aapcscc", 67),
    ("arm_aapcs_vfpcc", 68),
    ("msp430_intrcc", 69),
    ("x86_thiscallcc", 70),
    ("ptx_kernel", 71),
    ("ptx_device", 72),
    ("spir_func", 75),
    ("spir_kernel", 76),
    ("intel_ocl_bicc", 77),
    ("x86_64_sysvcc", 78),
    ("win64cc", 79),
    ("x86_vectorcallcc", 80),
    ("hhvmcc", 81),
    ("hhvm_ccc", 82),
    ("x86_intrcc", 83),
    ("avr_intrcc", 84),
    ("avr_signalcc", 85),
    ("amdgpu_vs", 87),
    ("amdgpu_gs", 88),
    ("amdgpu_ps", 89),
    ("amdgpu_cs", 90),
    ("amdgpu_kernel", 91),
    ("x86_regcallcc", 92),
    ("amdgpu_hs", 93),
    ("amdgpu_ls", 95),
    ("amdgpu_es", 96),
    ("aarch64_vector_pcs", 97),
    ("aarch64_sve_vector_pcs", 98),
    ("amdgpu_gfx", 100),
    ("aarch64_sme_preservemost_from_x0", 102),
    ("aarch64_sme_preservemost_from_x2", 103),
    ("amdgpu_cs_chain", 104),
    ("amdgpu_cs_chain_preserve", 105),
    ("m68k_rtdcc", 106),
    ("graalcc", 107),
    ("riscv_vector_cc", 110),
    ("aarch64_sme_preservemost_from_x1", 111),
    ("amdgpu_gfx_whole_wave", 124),
    ("cheriot_compartmentcallcc", 125),
    ("cheriot_compartmentcalleecc", 126),
    ("cheriot_librarycallcc", 127),
];
