//! Types, constants and symbols of a module as digests that do not depend on how they are numbered or called.
//!
//! A symbol is known by a *key*. Keys come from outside (`keys`): the standard ones are made of names, those of a pair say
//! which symbols of two versions are the same. Within a module every key stands for one symbol, so that bodies that are
//! equal under keys are equal up to a renaming. Constants without a name of their own (string literals) are known by
//! their contents instead: nothing may depend on their address.

use crate::attrs;
use crate::digest::{Digest, Hasher};
use crate::image;
use crate::names::file_name;
use ir::constant::{Const, ConstKind};
use ir::id::{AttrsId, BlockId, ConstId, FuncId, Id, StrId, SymbolId, TypeId};
use ir::inst::Predicate;
use ir::module::{Linkage, Module, SymbolKind};
use ir::types::Type;
use rustc_hash::FxHashSet;

/// Deepest constant that is followed before its parts are known; texts nest less deep.
pub(crate) const MAX_DEPTH: usize = 512;

/// A module under given keys.
pub(crate) struct Canon<'m> {
    pub module: &'m Module,
    /// Of each type what its values are.
    types: Vec<Digest>,
    attrs: Vec<Digest>,
    keys: Vec<Digest>,
    consts: Vec<Digest>,
    /// Makes what cannot be compared differ between versions.
    version: u64,
    /// Names of source files, which string literals may repeat (`__FILE__`).
    files: FxHashSet<String>,
}

impl<'m> Canon<'m> {
    /// A module under `keys`, one for each symbol. Digests of what is known by its text only differ between two values of
    /// `version`.
    pub fn new(module: &'m Module, keys: Vec<Digest>, version: u64) -> Canon<'m> {
        Canon::beside(module, keys, version, module)
    }

    /// The same for one of two versions. A text that names a source file of only one of them is the same text in both.
    pub fn beside(module: &'m Module, keys: Vec<Digest>, version: u64, other: &Module) -> Canon<'m> {
        let mut files = source_files(module);
        files.extend(source_files(other));
        let mut canon =
            Canon { module, types: type_digests(module), attrs: Vec::new(), keys, consts: Vec::new(), version, files };
        let sets = module.attrs.iter_ids();
        canon.attrs = sets.map(|(_, set)| attrs::digest(module, set, |ty| canon.place(ty))).collect();
        canon.key_constants_by_contents();
        for (_, constant) in module.consts.iter_ids() {
            let digest = canon.constant_of(constant, &mut |part| canon.known_constant(part));
            canon.consts.push(digest);
        }
        canon
    }

    /// What symbol it is.
    pub fn key(&self, symbol: SymbolId) -> Digest {
        self.keys[symbol.index()]
    }

    /// A type as values have it: its structure, names aside.
    pub fn ty(&self, ty: TypeId) -> Digest {
        self.types[ty.index()]
    }

    /// A type as memory: size and alignment where they are known.
    pub fn place(&self, ty: TypeId) -> Digest {
        let Some(layout) = self.module.type_layouts.get(ty) else { return self.ty(ty) };
        let mut hasher = Hasher::new("place");
        hasher.word(layout.size);
        hasher.word(layout.align);
        hasher.finish()
    }

    /// A set of attributes.
    pub fn attrs(&self, id: AttrsId) -> Digest {
        self.attrs[id.index()]
    }

    /// A constant with its type.
    pub fn constant(&self, id: ConstId) -> Digest {
        self.consts[id.index()]
    }

    /// A text that the model does not understand: the same only if it names nothing.
    pub fn unknown(&self, text: StrId) -> Digest {
        let text = self.module.str(text);
        let mut hasher = Hasher::new("unknown");
        hasher.text(text);
        if text.contains(['%', '@', '!']) {
            hasher.word(self.version);
        }
        hasher.finish()
    }

    /// What decides the meaning of every function alike: target, layout, assembly.
    pub fn world(&self) -> Digest {
        let mut hasher = Hasher::new("world");
        hasher.text(&self.module.triple);
        hasher.text(&self.module.layout.text);
        self.module.assembly.iter().for_each(|line| hasher.text(self.module.str(*line)));
        hasher.finish()
    }

    /// A constant whose parts may not be known yet.
    pub fn constant_parts_first(&self, id: ConstId, depth: usize) -> Digest {
        match depth.checked_sub(1) {
            Some(depth) => {
                self.constant_of(&self.module.consts[id], &mut |part| self.constant_parts_first(part, depth))
            }
            None => self.never_equal(id),
        }
    }

    /// The text of a string literal without its end, if it names a source file.
    pub fn source_file<'a>(&self, bytes: &'a [u8]) -> Option<&'a str> {
        let text = std::str::from_utf8(bytes.strip_suffix(b"\0").unwrap_or(bytes)).ok()?;
        self.files.contains(text).then(|| file_name(text))
    }

    fn known_constant(&self, part: ConstId) -> Digest {
        // The parts of a constant come before it.
        self.consts.get(part.index()).copied().unwrap_or_else(|| self.never_equal(part))
    }

    fn never_equal(&self, id: ConstId) -> Digest {
        let mut hasher = Hasher::new("never equal");
        hasher.word(self.version);
        hasher.word(id.index() as u64);
        hasher.finish()
    }

    fn constant_of(&self, constant: &Const, part: &mut dyn FnMut(ConstId) -> Digest) -> Digest {
        let mut hasher = Hasher::new("constant");
        hasher.digest(self.ty(constant.ty));
        let hash = &mut hasher;
        match &constant.kind {
            ConstKind::Int(value) => tagged(hash, 0).wide(*value),
            ConstKind::WideInt(words) => {
                tagged(hash, 1).word(words.len() as u64);
                words.iter().for_each(|word| hash.word(*word));
            }
            ConstKind::Float(bits) => tagged(hash, 2).wide(*bits),
            ConstKind::Null => hash.word(3),
            ConstKind::Undef => hash.word(4),
            ConstKind::Poison => hash.word(5),
            ConstKind::Zero => hash.word(6),
            ConstKind::NoToken => hash.word(7),
            ConstKind::Aggregate(parts) => {
                tagged(hash, 8).word(parts.len() as u64);
                parts.iter().for_each(|p| hash.digest(part(*p)));
            }
            ConstKind::Bytes(bytes) => tagged(hash, 9).bytes(bytes),
            ConstKind::Splat(element) => tagged(hash, 10).digest(part(*element)),
            ConstKind::Symbol(symbol) => tagged(hash, 11).digest(self.key(*symbol)),
            ConstKind::BlockAddress { function, block } => {
                tagged(hash, 12).digest(self.key(*function));
                hash.word(self.block_number(*function, *block));
            }
            ConstKind::FunctionStub { keyword, function } => {
                tagged(hash, 13).text(self.module.str(*keyword));
                hash.digest(self.key(*function));
            }
            ConstKind::Offset { base, bytes, inbounds } => {
                tagged(hash, 14).digest(part(*base));
                hash.word(*bytes as u64);
                hash.word(u64::from(*inbounds));
            }
            ConstKind::Gep { source, operands, flags } => {
                tagged(hash, 15).digest(self.ty(*source));
                hash.word(u64::from(flags.bits()));
                hash.word(operands.len() as u64);
                operands.iter().for_each(|p| hash.digest(part(*p)));
            }
            ConstKind::Cast { op, value } => {
                tagged(hash, 16).text(op.keyword());
                hash.digest(part(*value));
            }
            ConstKind::Binary { op, flags, left, right } => {
                tagged(hash, 17).text(op.keyword());
                hash.word(u64::from(flags.bits()));
                [left, right].into_iter().for_each(|p| hash.digest(part(*p)));
            }
            ConstKind::Compare { predicate: compared, left, right } => {
                predicate(tagged(hash, 18), *compared);
                [left, right].into_iter().for_each(|p| hash.digest(part(*p)));
            }
            ConstKind::Select(parts) => {
                hash.word(19);
                parts.iter().for_each(|p| hash.digest(part(*p)));
            }
            ConstKind::Metadata(text) => tagged(hash, 20).digest(self.unknown(*text)),
            ConstKind::Unsupported(text) => tagged(hash, 21).digest(self.unknown(*text)),
        }
        hasher.finish()
    }

    /// The position of a block whose address is taken, counted as [`crate::body`] does.
    fn block_number(&self, function: SymbolId, block: BlockId) -> u64 {
        let SymbolKind::Function(id) = self.module.symbols[function].kind else { return u64::MAX };
        let order = crate::body::block_order(self.module, &self.module.functions[id]);
        order.iter().position(|b| *b == block).map_or(u64::MAX, |position| position as u64)
    }

    /// Replaces the keys of nameless constants, those that others point to first. Of constants that point to each other
    /// in a circle some keep their name.
    fn key_constants_by_contents(&mut self) {
        let mut open = vec![false; self.module.symbols.len()];
        for symbol in self.module.symbols.ids() {
            if open[symbol.index()] || !is_known_by_contents(self.module, symbol) {
                continue;
            }
            let mut stack = vec![(symbol, false)];
            while let Some((symbol, parts_done)) = stack.pop() {
                if parts_done {
                    self.keys[symbol.index()] = image::contents(self, symbol);
                    continue;
                }
                if std::mem::replace(&mut open[symbol.index()], true) {
                    continue;
                }
                stack.push((symbol, true));
                for used in symbols_of_variable(self.module, symbol) {
                    if !open[used.index()] && is_known_by_contents(self.module, used) {
                        stack.push((used, false));
                    }
                }
            }
        }
    }
}

/// Whether a symbol is a constant without a name that anybody could know, and whose address nobody may compare.
pub fn is_known_by_contents(module: &Module, symbol: SymbolId) -> bool {
    let symbol = &module.symbols[symbol];
    let SymbolKind::Variable(id) = symbol.kind else { return false };
    let global = &module.globals[id];
    // The addresses of Rust's tables of methods mean nothing either, says the language.
    let nameless =
        symbol.unnamed_addr || symbol.linkage == Linkage::Private && module.str(symbol.name).starts_with("vtable.");
    let hidden = symbol.linkage.is_local() && symbol.thread_local.is_none();
    nameless && hidden && global.constant && global.initializer.is_some() && !global.externally_initialized
}

/// Whether a symbol has its meaning from this module.
pub(crate) fn is_defined(module: &Module, symbol: SymbolId) -> bool {
    match module.symbols[symbol].kind {
        SymbolKind::Function(id) => module.functions[id].is_defined(),
        SymbolKind::Variable(id) => module.globals[id].initializer.is_some(),
        SymbolKind::Alias { .. } | SymbolKind::Ifunc { .. } => true,
        SymbolKind::Missing => false,
    }
}

/// The symbols in the initial contents of a variable.
pub(crate) fn symbols_of_variable(module: &Module, symbol: SymbolId) -> Vec<SymbolId> {
    let mut found = Vec::new();
    if let SymbolKind::Variable(id) = module.symbols[symbol].kind
        && let Some(initializer) = module.globals[id].initializer
    {
        symbols_of_constant(module, initializer, &mut found);
    }
    found
}

/// Adds the symbols that a constant is made of.
pub fn symbols_of_constant(module: &Module, constant: ConstId, found: &mut Vec<SymbolId>) {
    let mut stack = vec![constant];
    while let Some(constant) = stack.pop() {
        let from = stack.len();
        match &module.consts[constant].kind {
            ConstKind::Symbol(symbol) => found.push(*symbol),
            ConstKind::BlockAddress { function, .. } | ConstKind::FunctionStub { function, .. } => {
                found.push(*function);
            }
            ConstKind::Aggregate(parts) | ConstKind::Gep { operands: parts, .. } => stack.extend_from_slice(parts),
            ConstKind::Splat(part) | ConstKind::Offset { base: part, .. } | ConstKind::Cast { value: part, .. } => {
                stack.push(*part);
            }
            ConstKind::Binary { left, right, .. } | ConstKind::Compare { left, right, .. } => {
                stack.extend([*left, *right]);
            }
            ConstKind::Select(parts) => stack.extend_from_slice(parts),
            _ => {}
        }
        // First part first.
        stack[from..].reverse();
    }
}

/// What of a linkage decides which definition counts; whether others see the name does not.
pub(crate) fn linkage_class(linkage: Linkage) -> u64 {
    match linkage {
        Linkage::External | Linkage::Private | Linkage::Internal => 0,
        Linkage::LinkOnceOdr | Linkage::WeakOdr | Linkage::AvailableExternally => 0,
        Linkage::LinkOnce | Linkage::Weak => 1,
        Linkage::Common => 2,
        Linkage::Appending => 3,
        Linkage::ExternWeak => 4,
    }
}

/// Whether calls to a function carry a line of the source among their arguments: what `assert` calls when it fails.
pub(crate) fn takes_line(module: &Module, function: FuncId) -> bool {
    const FAILURES: [&str; 5] = ["__assert_fail", "__assert_rtn", "__assert_func", "__assert", "_assert"];
    !module.functions[function].is_defined() && FAILURES.contains(&module.function_name(function))
}

pub(crate) fn predicate(hasher: &mut Hasher, predicate: Predicate) {
    match predicate {
        Predicate::Int(predicate) => tagged(hasher, 0).text(predicate.keyword()),
        Predicate::Float(predicate) => tagged(hasher, 1).text(predicate.keyword()),
    }
}

fn tagged(hasher: &mut Hasher, tag: u64) -> &mut Hasher {
    hasher.word(tag);
    hasher
}

fn source_files(module: &Module) -> FxHashSet<String> {
    let debug = &module.debug;
    let mut files: FxHashSet<String> = module.units.iter().map(|unit| module.str(unit.source).to_owned()).collect();
    for (id, file) in debug.files.iter_ids() {
        files.insert(module.str(file.name).to_owned());
        files.insert(debug.file_path(&module.strings, id));
    }
    files.remove("");
    files
}

/// Digests of all types. Those that a type is made of come first; names may stand for types that are written later.
fn type_digests(module: &Module) -> Vec<Digest> {
    let types = &module.types;
    let mut digests: Vec<Option<Digest>> = vec![None; types.len()];
    let mut open = vec![false; types.len()];
    let mut stack = Vec::new();
    for (ty, _) in types.iter_ids() {
        stack.push(ty);
        while let Some(&ty) = stack.last() {
            if digests[ty.index()].is_some() {
                stack.pop();
                continue;
            }
            let first = !std::mem::replace(&mut open[ty.index()], true);
            let from = stack.len();
            if first {
                for_each_part(module, ty, |part| {
                    if !open[part.index()] {
                        stack.push(part);
                    }
                });
            }
            if stack.len() == from {
                digests[ty.index()] = Some(type_digest(module, ty, &digests));
                stack.pop();
            }
        }
    }
    digests.into_iter().map(Option::unwrap_or_default).collect()
}

fn for_each_part(module: &Module, ty: TypeId, mut visit: impl FnMut(TypeId)) {
    match &module.types[ty] {
        Type::Function { result, params, .. } => {
            visit(*result);
            params.iter().copied().for_each(visit);
        }
        _ => module.types.for_each_part(ty, visit),
    }
}

fn type_digest(module: &Module, ty: TypeId, digests: &[Option<Digest>]) -> Digest {
    // A part that is not known yet would contain the type itself, which the parser refuses.
    let known = |part: &TypeId| digests[part.index()].unwrap_or_default();
    let mut hasher = Hasher::new("type");
    let hash = &mut hasher;
    match &module.types[ty] {
        Type::Void => hash.word(0),
        Type::Int(bits) => tagged(hash, 1).word(u64::from(*bits)),
        Type::Float(kind) => tagged(hash, 2).text(kind.keyword()),
        Type::Ptr(space) => tagged(hash, 3).word(u64::from(*space)),
        Type::Array(element, count) => {
            tagged(hash, 4).digest(known(element));
            hash.word(*count);
        }
        Type::Vector { element, count, scalable } => {
            tagged(hash, 5).digest(known(element));
            hash.word(*count);
            hash.word(u64::from(*scalable));
        }
        Type::Struct { fields, packed } => {
            tagged(hash, 6).word(u64::from(*packed));
            hash.word(fields.len() as u64);
            fields.iter().for_each(|field| hash.digest(known(field)));
        }
        Type::Named(id) => match &module.types.named[*id].body {
            Some(body) => return known(body),
            None => tagged(hash, 7).text(module.str(module.types.named[*id].name)),
        },
        Type::Function { result, params, variadic } => {
            tagged(hash, 8).digest(known(result));
            hash.word(params.len() as u64);
            params.iter().for_each(|param| hash.digest(known(param)));
            hash.word(u64::from(*variadic));
        }
        Type::Label => hash.word(9),
        Type::Metadata => hash.word(10),
        Type::Token => hash.word(11),
        Type::Other(text) => tagged(hash, 12).text(module.str(*text)),
    }
    hasher.finish()
}
