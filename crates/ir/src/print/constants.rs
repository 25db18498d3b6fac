//! Constants, in initialisers and as operands.

use super::Printer;
use super::text::{push_decimal, push_escaped, push_hex, push_signed, push_wide};
use crate::constant::{Const, ConstKind};
use crate::id::{ConstId, Id, SymbolId, TypeId};
use crate::inst::{CastOp, Flags, Predicate};
use crate::parse::lexer::{Lexer, Token};
use crate::types::{FloatKind, Type};

/// Most bytes of a vector of equal elements that is written out, so that a short text never becomes an enormous one.
const MAX_SPLAT: u64 = 1 << 10;

impl Printer<'_> {
    /// Writes the type and value of a constant.
    pub fn typed_constant(&mut self, id: ConstId) {
        self.ty(self.module.consts[id].ty);
        self.out.push(' ');
        self.constant(id);
    }

    /// Writes the value of a constant.
    pub fn constant(&mut self, id: ConstId) {
        if let Some(name) = self.expanded.get(&id) {
            self.out.push('%');
            self.out.push_str(name);
            return;
        }
        let module = self.module;
        let Const { ty, kind } = &module.consts[id];
        match kind {
            ConstKind::Int(value) => self.integer(*ty, *value),
            ConstKind::WideInt(words) => push_wide(&mut self.out, words),
            ConstKind::Float(bits) => self.float(*ty, *bits),
            ConstKind::Null => self.out.push_str("null"),
            ConstKind::Undef => self.out.push_str("undef"),
            ConstKind::Poison => self.out.push_str("poison"),
            ConstKind::Zero => self.out.push_str("zeroinitializer"),
            ConstKind::NoToken => self.out.push_str("none"),
            ConstKind::Aggregate(elements) => self.aggregate(*ty, elements),
            ConstKind::Bytes(bytes) => {
                self.out.push_str("c\"");
                push_escaped(&mut self.out, bytes);
                self.out.push('"');
            }
            ConstKind::Splat(element) => self.splat(*ty, *element),
            ConstKind::Symbol(symbol) => self.symbol_name(*symbol),
            ConstKind::BlockAddress { function, block } => {
                let defined = self.defined[function.index()];
                match self.block_addresses.name(*function, *block).filter(|_| defined).map(str::to_string) {
                    Some(name) => {
                        self.out.push_str("blockaddress(");
                        self.symbol_name(*function);
                        self.out.push_str(", %");
                        self.out.push_str(&name);
                        self.out.push(')');
                    }
                    // What LLVM itself makes of the address of a block that is gone.
                    None => {
                        self.out.push_str("inttoptr (i64 1 to ");
                        self.ty(*ty);
                        self.out.push(')');
                    }
                }
            }
            ConstKind::FunctionStub { keyword, function } => {
                self.out.push_str(module.str(*keyword));
                self.out.push(' ');
                self.symbol_name(*function);
            }
            ConstKind::Offset { base, bytes, inbounds } => {
                self.out.push_str(if *inbounds { "getelementptr inbounds (i8, " } else { "getelementptr (i8, " });
                self.typed_constant(*base);
                self.out.push_str(", i64 ");
                push_signed(&mut self.out, i128::from(*bytes));
                self.out.push(')');
            }
            ConstKind::Gep { source, operands, flags } => {
                self.out.push_str(gep_keyword(*flags));
                self.out.push_str(" (");
                self.ty(*source);
                self.out.push_str(", ");
                self.constant_list(operands);
                self.out.push(')');
            }
            ConstKind::Cast { op, value } => {
                self.out.push_str(cast_keyword(*op));
                self.out.push_str(" (");
                self.typed_constant(*value);
                self.out.push_str(" to ");
                self.ty(*ty);
                self.out.push(')');
            }
            ConstKind::Binary { op, flags, left, right } => {
                self.out.push_str(op.keyword());
                self.flags(*flags);
                self.expression_operands(&[*left, *right]);
            }
            ConstKind::Compare { predicate, left, right } => {
                self.comparison(*predicate, Flags::empty());
                self.expression_operands(&[*left, *right]);
            }
            ConstKind::Select(operands) => {
                self.out.push_str("select");
                self.expression_operands(operands);
            }
            ConstKind::Metadata(text) => self.out.push_str(module.str(*text)),
            ConstKind::Unsupported(text) => self.text_with_names(module.str(*text)),
        }
    }

    /// Writes poison flags that every version knows and fast-math flags, each after a space.
    pub fn flags(&mut self, flags: Flags) {
        let known = [(Flags::NUW, " nuw"), (Flags::NSW, " nsw"), (Flags::EXACT, " exact")];
        for (flag, keyword) in known {
            if flags.contains(flag) {
                self.out.push_str(keyword);
            }
        }
        self.fast_math(flags);
    }

    /// Writes fast-math flags, each after a space.
    pub fn fast_math(&mut self, flags: Flags) {
        if flags.contains(Flags::FAST) {
            self.out.push_str(" fast");
            return;
        }
        let known = [
            (Flags::REASSOC, " reassoc"),
            (Flags::NNAN, " nnan"),
            (Flags::NINF, " ninf"),
            (Flags::NSZ, " nsz"),
            (Flags::ARCP, " arcp"),
            (Flags::CONTRACT, " contract"),
            (Flags::AFN, " afn"),
        ];
        for (flag, keyword) in known {
            if flags.contains(flag) {
                self.out.push_str(keyword);
            }
        }
    }

    /// Writes `icmp` or `fcmp`, fast-math flags and the predicate.
    pub fn comparison(&mut self, predicate: Predicate, flags: Flags) {
        let (keyword, condition) = match predicate {
            Predicate::Int(condition) => ("icmp", condition.keyword()),
            Predicate::Float(condition) => ("fcmp", condition.keyword()),
        };
        self.out.push_str(keyword);
        self.fast_math(flags);
        self.out.push(' ');
        self.out.push_str(condition);
    }

    fn expression_operands(&mut self, operands: &[ConstId]) {
        self.out.push_str(" (");
        self.constant_list(operands);
        self.out.push(')');
    }

    fn constant_list(&mut self, constants: &[ConstId]) {
        for (i, &constant) in constants.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.typed_constant(constant);
        }
    }

    fn integer(&mut self, ty: TypeId, value: u128) {
        match self.module.types[ty] {
            Type::Int(1) => self.out.push_str(if value & 1 == 1 { "true" } else { "false" }),
            Type::Int(bits @ 1..=128) => {
                let unused = 128 - bits;
                push_signed(&mut self.out, ((value << unused) as i128) >> unused);
            }
            _ => push_decimal(&mut self.out, value),
        }
    }

    fn float(&mut self, ty: TypeId, bits: u128) {
        let Type::Float(kind) = self.module.types[ty] else { return self.out.push_str("poison") };
        let low = bits & u128::from(u64::MAX);
        let (prefix, bits, digits) = match kind {
            FloatKind::Half => ("0xH", bits, 4),
            FloatKind::BFloat => ("0xR", bits, 4),
            FloatKind::Float => ("0x", u128::from(float_as_double(bits as u32)), 16),
            FloatKind::Double => ("0x", bits, 16),
            FloatKind::X86Fp80 => ("0xK", bits, 20),
            // Least significant word first.
            FloatKind::Fp128 => ("0xL", low << 64 | bits >> 64, 32),
            FloatKind::PpcFp128 => ("0xM", low << 64 | bits >> 64, 32),
        };
        self.out.push_str(prefix);
        push_hex(&mut self.out, bits, digits);
    }

    fn aggregate(&mut self, ty: TypeId, elements: &[ConstId]) {
        let (open, close) = match self.module.types.resolve(ty) {
            Type::Array(..) => ("[", "]"),
            Type::Vector { .. } => ("<", ">"),
            Type::Struct { packed: true, .. } => ("<{ ", " }>"),
            _ => ("{ ", " }"),
        };
        self.out.push_str(open);
        self.constant_list(elements);
        self.out.push_str(close);
    }

    fn splat(&mut self, ty: TypeId, element: ConstId) {
        let start = self.out.len();
        self.typed_constant(element);
        let element = self.out.split_off(start);
        match self.module.types[ty] {
            Type::Vector { count, scalable: false, .. }
                if count.saturating_mul(element.len() as u64 + 2) <= MAX_SPLAT =>
            {
                for i in 0..count {
                    self.out.push_str(if i == 0 { "<" } else { ", " });
                    self.out.push_str(&element);
                }
                self.out.push('>');
            }
            _ => {
                self.out.push_str("shufflevector (");
                self.ty(ty);
                self.out.push_str(" insertelement (");
                self.ty(ty);
                self.out.push_str(" poison, ");
                self.out.push_str(&element);
                self.out.push_str(", i32 0), ");
                self.ty(ty);
                self.out.push_str(" poison, ");
                self.zero_mask(ty);
                self.out.push(')');
            }
        }
    }

    /// Writes text that stands for itself, but for the names of symbols and types, which may be others in this text.
    fn text_with_names(&mut self, text: &str) {
        let mut lexer = Lexer::new(text, 0);
        let mut end = 0;
        loop {
            let start = lexer.skip_space();
            let token = lexer.token();
            if token == Token::End {
                return;
            }
            // One space for all that stands between two tokens: a comment would hide what follows.
            if start > end && end > 0 {
                self.out.push(' ');
            }
            end = lexer.pos;
            let word = &text[start..end];
            let known = match token {
                Token::Global(name) => self.symbol_of(name).map(|symbol| self.symbol_name(symbol)),
                Token::Local(_) | Token::LocalNumber(_) => self.named_type(word),
                _ => None,
            };
            if known.is_none() {
                self.out.push_str(word);
            }
        }
    }

    fn symbol_of(&mut self, name: &str) -> Option<SymbolId> {
        let name = self.module.strings.find(name.strip_prefix('@').unwrap_or(name))?;
        self.by_name().symbols.get(&name).copied()
    }

    fn named_type(&mut self, word: &str) -> Option<()> {
        let name = self.module.strings.find(word.trim_start_matches('%').trim_matches('"'))?;
        let id = *self.by_name().types.get(&name)?;
        self.ty(self.module.types.find(&Type::Named(id))?);
        Some(())
    }

    /// Writes the mask that repeats the first element of a vector of type `ty`.
    pub fn zero_mask(&mut self, ty: TypeId) {
        self.same_shape(ty, "i32");
        self.out.push_str(" zeroinitializer");
    }

    /// Writes the type that has `scalar` where `ty` has its element, or `scalar` if `ty` is no vector.
    pub fn same_shape(&mut self, ty: TypeId, scalar: &str) {
        if let Type::Vector { count, scalable, .. } = *self.module.types.resolve(ty) {
            self.out.push_str(if scalable { "<vscale x " } else { "<" });
            push_decimal(&mut self.out, u128::from(count));
            self.out.push_str(" x ");
            self.out.push_str(scalar);
            self.out.push('>');
        } else {
            self.out.push_str(scalar);
        }
    }
}

/// `getelementptr` with the flags that every version knows.
pub fn gep_keyword(flags: Flags) -> &'static str {
    if flags.contains(Flags::INBOUNDS) { "getelementptr inbounds" } else { "getelementptr" }
}

/// The keyword of a conversion in every version.
pub fn cast_keyword(op: CastOp) -> &'static str {
    match op {
        // The same number where pointers are no wider than their addresses; else its low part, which is
        // the address, since `ptrtoint` truncates.
        CastOp::PtrToAddr => CastOp::PtrToInt.keyword(),
        _ => op.keyword(),
    }
}

/// The bits of the double that has the value of the float with these bits. Done on bits, so that a NaN
/// keeps its payload and stays signalling.
fn float_as_double(bits: u32) -> u64 {
    let sign = u64::from(bits >> 31) << 63;
    let exponent = u64::from(bits >> 23 & 0xFF);
    let fraction = u64::from(bits & 0x7F_FFFF);
    let magnitude = match (exponent, fraction) {
        (0, 0) => 0,
        (0, _) => {
            // A subnormal float is a normal double.
            let shift = u64::from(fraction.leading_zeros()) - 40;
            (897 - shift) << 52 | (fraction << (shift + 29) & 0xF_FFFF_FFFF_FFFF)
        }
        (0xFF, _) => 0x7FF << 52 | fraction << 29,
        _ => (exponent + 896) << 52 | fraction << 29,
    };
    sign | magnitude
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_doubles_bit_by_bit() {
        for bits in [0, 0x8000_0000, 0x3F80_0000, 0x0000_0001, 0x007F_FFFF, 0x0040_0000, 0x7F7F_FFFF, 0xFF80_0000] {
            assert_eq!(float_as_double(bits), f64::from(f32::from_bits(bits)).to_bits(), "{bits:#x}");
        }
        assert_eq!(float_as_double(0x7F80_0001), 0x7FF0_0000_2000_0000);
        assert_eq!(float_as_double(0xFFC1_2345), 0xFFF8_2468_A000_0000);
    }
}
