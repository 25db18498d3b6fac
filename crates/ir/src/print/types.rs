//! Types. The text of each type is made once, when it is first used.

use std::ops::Range;

use super::names::Suffixes;
use super::text::{push_decimal, push_name};
use crate::id::{Arena, Id, NamedTypeId, StrId, TypeId};
use crate::module::Module;
use crate::types::{NamedType, Type};

/// The texts of a module's types, and which named types are used.
pub struct TypeTexts<'m> {
    module: &'m Module,
    /// Text of every type used so far, one after the other.
    text: String,
    /// Where the text of each type is.
    ranges: Vec<Option<Range<usize>>>,
    names: Arena<NamedTypeId, String>,
    used: Vec<bool>,
    /// Used named types whose body was not looked at yet.
    pending: Vec<NamedTypeId>,
}

impl<'m> TypeTexts<'m> {
    /// No type is used yet.
    pub fn new(module: &'m Module) -> Self {
        TypeTexts {
            module,
            text: String::new(),
            ranges: vec![None; module.types.len()],
            names: type_names(module),
            used: vec![false; module.types.named.len()],
            pending: Vec::new(),
        }
    }

    /// Appends the text of a type.
    pub fn push(&mut self, out: &mut String, ty: TypeId) {
        let range = match self.ranges.get(ty.index()) {
            Some(Some(range)) => range.clone(),
            _ => self.make(ty),
        };
        out.push_str(&self.text[range]);
    }

    /// Appends the definitions of all named types used so far and of those that they use.
    pub fn push_definitions(&mut self, out: &mut String) {
        let module = self.module;
        while let Some(id) = self.pending.pop() {
            if let Some(body) = module.types.named[id].body {
                self.make_body(body);
            }
        }
        // By name: their order in the model comes from where they are used.
        let mut ids: Vec<NamedTypeId> = module.types.named.ids().filter(|id| self.used[id.index()]).collect();
        ids.sort_by_key(|&id| &self.names[id]);
        for id in ids {
            out.push('%');
            push_name(out, &self.names[id]);
            out.push_str(" = type ");
            match module.types.named[id].body {
                Some(body) => self.push(out, body),
                None => out.push_str("opaque"),
            }
            out.push('\n');
        }
    }

    fn make_body(&mut self, body: TypeId) {
        if self.ranges[body.index()].is_none() {
            self.make(body);
        }
    }

    /// Makes the text of a type. Its depth is bounded: a named type is its name, whatever is inside.
    fn make(&mut self, ty: TypeId) -> Range<usize> {
        let mut text = String::new();
        self.write(&mut text, ty);
        let start = self.text.len();
        self.text.push_str(&text);
        let range = start..self.text.len();
        self.ranges[ty.index()] = Some(range.clone());
        range
    }

    fn write(&mut self, out: &mut String, ty: TypeId) {
        match &self.module.types[ty] {
            Type::Void => out.push_str("void"),
            Type::Int(bits) => {
                out.push('i');
                push_decimal(out, u128::from(*bits));
            }
            Type::Float(kind) => out.push_str(kind.keyword()),
            Type::Ptr(0) => out.push_str("ptr"),
            Type::Ptr(space) => {
                out.push_str("ptr addrspace(");
                push_decimal(out, u128::from(*space));
                out.push(')');
            }
            Type::Array(element, count) => {
                out.push('[');
                push_decimal(out, u128::from(*count));
                out.push_str(" x ");
                self.push(out, *element);
                out.push(']');
            }
            Type::Vector { element, count, scalable } => {
                out.push_str(if *scalable { "<vscale x " } else { "<" });
                push_decimal(out, u128::from(*count));
                out.push_str(" x ");
                self.push(out, *element);
                out.push('>');
            }
            Type::Struct { fields, packed } => {
                out.push_str(if *packed { "<{" } else { "{" });
                self.write_list(out, fields, " ");
                out.push_str(match (fields.is_empty(), *packed) {
                    (true, true) => "}>",
                    (true, false) => "}",
                    (false, true) => " }>",
                    (false, false) => " }",
                });
            }
            Type::Named(id) => {
                if !std::mem::replace(&mut self.used[id.index()], true) {
                    self.pending.push(*id);
                }
                out.push('%');
                push_name(out, &self.names[*id]);
            }
            Type::Function { result, params, variadic } => {
                self.push(out, *result);
                out.push_str(" (");
                self.write_list(out, params, "");
                if *variadic {
                    out.push_str(if params.is_empty() { "..." } else { ", ..." });
                }
                out.push(')');
            }
            Type::Label => out.push_str("label"),
            Type::Metadata => out.push_str("metadata"),
            Type::Token => out.push_str("token"),
            Type::Other(text) => out.push_str(self.module.str(*text)),
        }
    }

    fn write_list(&mut self, out: &mut String, types: &[TypeId], before_first: &str) {
        for (i, &ty) in types.iter().enumerate() {
            out.push_str(if i == 0 { before_first } else { ", " });
            self.push(out, ty);
        }
    }
}

/// Names of the named types; those of linked units may be equal, so later ones get a suffix.
fn type_names(module: &Module) -> Arena<NamedTypeId, String> {
    let named = &module.types.named;
    let mut owner = rustc_hash::FxHashMap::<StrId, NamedTypeId>::default();
    for (id, ty) in named.iter_ids() {
        owner.entry(ty.name).or_insert(id);
    }
    let taken = |text: &str| module.strings.find(text).is_some_and(|found| owner.contains_key(&found));
    let mut suffixes = Suffixes::default();
    let name_of = |(id, ty): (NamedTypeId, &NamedType)| match module.str(ty.name) {
        name if owner.get(&ty.name) == Some(&id) => name.to_string(),
        name => suffixes.fresh(name, taken),
    };
    named.iter_ids().map(name_of).collect()
}
