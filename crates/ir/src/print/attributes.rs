//! Attributes and calling conventions.

use super::Printer;
use super::text::{push_decimal, push_quoted};
use crate::attrs::{Attr, AttrFlag};
use crate::id::{AttrsId, TypeId};

/// What a set of attributes belongs to.
#[derive(Clone, Copy, PartialEq)]
pub enum Owner {
    /// A function.
    Function,
    /// A call.
    Call,
}

impl Printer<'_> {
    /// Writes the attributes of a parameter, argument or result that calling conventions depend on, each
    /// after a space. All others are assumptions, which can be left out.
    pub fn value_attributes(&mut self, id: AttrsId) {
        let attrs = self.in_order(id);
        let in_memory = attrs
            .iter()
            .any(|attr| matches!(attr, Attr::Sret(_) | Attr::ByVal(_) | Attr::ByRef(_) | Attr::InAlloca(_)));
        for attr in attrs {
            match attr {
                Attr::Flag(flag) if is_convention(flag) => self.word(flag.keyword()),
                Attr::Sret(ty) => self.type_attribute("sret", ty),
                Attr::ByVal(ty) => self.type_attribute("byval", ty),
                Attr::ByRef(ty) => self.type_attribute("byref", ty),
                Attr::InAlloca(ty) => self.type_attribute("inalloca", ty),
                Attr::ElementType(ty) => self.type_attribute("elementtype", ty),
                // Elsewhere the alignment is an assumption; here it says where the memory is.
                Attr::Align(bytes) if in_memory => {
                    self.word("align ");
                    push_decimal(&mut self.out, u128::from(bytes));
                }
                Attr::AlignStack(bytes) => self.number_attribute("alignstack", bytes),
                _ => {}
            }
        }
    }

    /// Writes the attributes of a result, each before a space.
    pub fn result_attributes(&mut self, id: AttrsId) {
        let start = self.out.len();
        self.value_attributes(id);
        if self.out.len() > start {
            self.out.remove(start);
            self.out.push(' ');
        }
    }

    /// Writes the attributes of a function or call, each after a space.
    pub fn function_attributes(&mut self, id: AttrsId, owner: Owner) {
        let set = &self.module.attrs[id];
        for attr in self.in_order(id) {
            match attr {
                Attr::Flag(AttrFlag::OptNone) if !set.has(AttrFlag::NoInline) => {}
                Attr::Flag(AttrFlag::Builtin) if owner == Owner::Function => {}
                Attr::Flag(flag) if is_code_generation(flag) => self.word(flag.keyword()),
                Attr::AlignStack(bytes) => self.number_attribute("alignstack", bytes),
                Attr::Text(key, value) => {
                    self.out.push(' ');
                    push_quoted(&mut self.out, self.module.str(key));
                    if let Some(value) = value {
                        self.out.push('=');
                        push_quoted(&mut self.out, self.module.str(value));
                    }
                }
                _ => {}
            }
        }
    }

    /// Writes a calling convention and a space, unless it is C's.
    pub fn convention(&mut self, convention: u32) {
        match convention {
            0 => {}
            8 => self.out.push_str("fastcc "),
            9 => self.out.push_str("coldcc "),
            _ => {
                self.out.push_str("cc ");
                push_decimal(&mut self.out, u128::from(convention));
                self.out.push(' ');
            }
        }
    }

    /// The attributes of a set in an order of their own, each once, so that equal sets print alike. Of two texts for the
    /// same key the later one counts.
    fn in_order(&self, id: AttrsId) -> Vec<Attr> {
        let module = self.module;
        let rank = |attr: &Attr| match *attr {
            Attr::Flag(flag) => (0, flag as usize, ""),
            Attr::Sret(_) => (1, 0, ""),
            Attr::ByVal(_) => (2, 0, ""),
            Attr::ByRef(_) => (3, 0, ""),
            Attr::InAlloca(_) => (4, 0, ""),
            Attr::ElementType(_) => (5, 0, ""),
            Attr::Align(_) => (6, 0, ""),
            Attr::AlignStack(_) => (7, 0, ""),
            Attr::Text(key, _) => (8, 0, module.str(key)),
            // Never printed.
            _ => (9, 0, ""),
        };
        let mut attrs: Vec<Attr> = module.attrs[id].0.iter().rev().copied().collect();
        attrs.sort_by_key(rank);
        attrs.dedup_by_key(|attr| rank(attr));
        attrs
    }

    fn word(&mut self, word: &str) {
        self.out.push(' ');
        self.out.push_str(word);
    }

    fn type_attribute(&mut self, keyword: &str, ty: TypeId) {
        self.word(keyword);
        self.out.push('(');
        self.ty(ty);
        self.out.push(')');
    }

    fn number_attribute(&mut self, keyword: &str, number: u64) {
        self.word(keyword);
        self.out.push('(');
        push_decimal(&mut self.out, u128::from(number));
        self.out.push(')');
    }
}

/// Whether a value's attribute says how it is passed.
fn is_convention(flag: AttrFlag) -> bool {
    use AttrFlag::*;
    matches!(flag, ZeroExt | SignExt | InReg | Nest | SwiftSelf | SwiftError | SwiftAsync)
}

/// Whether a function's attribute is more than an assumption; every LLVM since 15 knows these.
fn is_code_generation(flag: AttrFlag) -> bool {
    use AttrFlag::*;
    matches!(
        flag,
        NoReturn
            | NoUnwind
            | ReturnsTwice
            | Naked
            | AlwaysInline
            | NoInline
            | OptNone
            | StrictFp
            | Cold
            | NoBuiltin
            | Builtin
            | Convergent
            | NullPointerIsValid
            | UwTable
            | PresplitCoroutine
    )
}
