//! Names as the user writes them: types, functions, files.

use super::{DebugInfo, DebugType, DebugTypeKind, Language, Qualifier, ScopeKind};
use crate::id::{DebugTypeId, FileId, LocId, ScopeId, StrId, Strings};

/// Longest chain of scopes or inlined-at locations that is followed: far more than any compiler
/// writes, and the end of a walk through a cycle.
const MAX_CHAIN: usize = 4096;

/// Longest chain of typedefs and qualifiers that is followed, likewise.
const MAX_ALIASES: usize = 128;

/// Most parts of a qualified name.
const MAX_NAME_PARTS: usize = 64;

/// Most types that one type's name is made of.
const MAX_TYPE_PARTS: usize = 100;

impl DebugInfo {
    /// The type behind typedefs and qualifiers. An alias of `void` is returned itself.
    pub fn strip(&self, ty: DebugTypeId) -> DebugTypeId {
        let target = |id: &DebugTypeId| match self.types[*id].kind {
            DebugTypeKind::Alias { to, .. } => to,
            _ => None,
        };
        std::iter::successors(Some(ty), target).take(MAX_ALIASES).last().unwrap_or(ty)
    }

    /// Size of a type in bits, through typedefs and qualifiers; 0 if unknown.
    pub fn bits(&self, ty: DebugTypeId) -> u64 {
        self.types[self.strip(ty)].bits
    }

    /// The type's name in its language: `unsigned int`, `struct foo *`, `char [16]`, `[u8; 4]`.
    pub fn type_name(&self, strings: &Strings, ty: DebugTypeId) -> String {
        Speller { debug: self, strings, left: MAX_TYPE_PARTS }.name(Some(ty))
    }

    /// Path of a source file: a relative name is joined to its directory.
    pub fn file_path(&self, strings: &Strings, file: FileId) -> String {
        let file = &self.files[file];
        let name = &*strings[file.name];
        let directory = file.directory.map_or("", |id| &*strings[id]);
        // `<stdin>` and the like are no paths.
        if directory.is_empty() || name.starts_with('<') || is_absolute(name) {
            return name.to_owned();
        }
        format!("{}/{name}", directory.trim_end_matches('/'))
    }

    /// Whether a location is in a library that comes with the compiler, where users do not look for mistakes of theirs.
    pub fn is_of_toolchain(&self, strings: &Strings, location: LocId) -> bool {
        let file = self.locations[location].scope.and_then(|scope| self.file_of(scope));
        file.is_some_and(|file| {
            let path = self.file_path(strings, file);
            path.starts_with("/rustc/") || path.contains("/lib/rustlib/src/") || path.contains("/include/c++/")
        })
    }

    /// A location, then the place where its function was inlined, and so on outwards.
    pub fn location_chain(&self, location: LocId) -> impl Iterator<Item = LocId> {
        std::iter::successors(Some(location), |&id| self.locations[id].inlined_at).take(MAX_CHAIN)
    }

    /// A scope, then the one around it, and so on outwards.
    pub fn scope_chain(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> {
        std::iter::successors(Some(scope), |&id| self.scopes[id].parent).take(MAX_CHAIN)
    }

    /// The function that a scope is in, or is.
    pub fn function_of(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scope_chain(scope).find(|&id| self.scopes[id].kind == ScopeKind::Function)
    }

    /// The file that a scope's lines are in.
    pub fn file_of(&self, scope: ScopeId) -> Option<FileId> {
        self.scope_chain(scope).find_map(|id| self.scopes[id].file)
    }

    /// Name of a scope with everything around it: `ns::Class::f`. A block has its function's name.
    pub fn qualified_name(&self, strings: &Strings, scope: ScopeId) -> String {
        let mut parts: Vec<&str> = self
            .scope_chain(scope)
            .filter_map(|id| {
                let scope = &self.scopes[id];
                let unnamed = match scope.kind {
                    ScopeKind::CompileUnit | ScopeKind::Block => return None,
                    ScopeKind::Namespace => "(anonymous namespace)",
                    ScopeKind::Function | ScopeKind::Type => "(anonymous)",
                };
                Some(scope.name.or(scope.linkage_name).map_or(unnamed, |name| &*strings[name]))
            })
            .take(MAX_NAME_PARTS)
            .collect();
        parts.reverse();
        parts.join("::")
    }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.as_bytes().get(1) == Some(&b':')
}

/// Spells a type's name out of the names of the types it is made of.
struct Speller<'a> {
    debug: &'a DebugInfo,
    strings: &'a Strings,
    /// How many more types may be looked at. Bounds the depth too.
    left: usize,
}

impl<'a> Speller<'a> {
    fn name(&mut self, ty: Option<DebugTypeId>) -> String {
        match ty {
            Some(id) if self.debug.types[id].language == Language::Rust => self.rust_name(id),
            _ => self.c_name(ty),
        }
    }

    fn rust_name(&mut self, id: DebugTypeId) -> String {
        let Some(ty) = self.next(id) else { return "..".to_owned() };
        match (&ty.kind, ty.name) {
            (_, Some(name)) => self.str(name).to_owned(),
            (DebugTypeKind::Array { element, counts }, _) => {
                let element = self.rust_part(*element);
                let of = |inner: String, count: &Option<u64>| match count {
                    Some(count) => format!("[{inner}; {count}]"),
                    None => format!("[{inner}]"),
                };
                counts.iter().take(MAX_TYPE_PARTS).rev().fold(element, of)
            }
            (DebugTypeKind::Pointer { to, .. }, _) => format!("*const {}", self.rust_part(*to)),
            (DebugTypeKind::Function { types }, _) => {
                let (result, params) = types.split_first().unwrap_or((&None, &[]));
                let params: Vec<String> = params.iter().map(|param| self.rust_part(*param)).collect();
                let result = result.map(|id| format!(" -> {}", self.rust_part(Some(id)))).unwrap_or_default();
                format!("fn({}){result}", params.join(", "))
            }
            _ => self.unnamed(ty).to_owned(),
        }
    }

    fn rust_part(&mut self, ty: Option<DebugTypeId>) -> String {
        ty.map_or("()".to_owned(), |id| self.name(Some(id)))
    }

    /// C declares inside out: what is said of the declared thing grows around the place of its name
    /// while the walk goes from the whole type to the type that has a name.
    fn c_name(&mut self, ty: Option<DebugTypeId>) -> String {
        let mut declarator = String::new();
        let mut qualifiers = String::new();
        let mut current = ty;
        let base = loop {
            let Some(id) = current else { break "void".to_owned() };
            let Some(ty) = self.next(id) else { break "...".to_owned() };
            if let Some(name) = ty.name {
                let keyword = match &ty.kind {
                    DebugTypeKind::Record { .. } | DebugTypeKind::Enum { .. } if ty.language == Language::C => {
                        keyword(&ty.kind)
                    }
                    _ => "",
                };
                break format!("{keyword}{}", self.str(name));
            }
            match &ty.kind {
                DebugTypeKind::Pointer { to, reference } => {
                    declarator.insert(0, if *reference { '&' } else { '*' });
                    if self.binds_tighter_than_pointer(*to) {
                        declarator = format!("({declarator})");
                    }
                    current = *to;
                }
                DebugTypeKind::Alias { to, qualifier } => {
                    let word = qualifier.map_or("", qualifier_word);
                    if !word.is_empty() && self.is_unnamed_pointer(*to) {
                        let space = if declarator.starts_with(char::is_alphabetic) { " " } else { "" };
                        declarator = format!("{word}{space}{declarator}");
                    } else if !word.is_empty() {
                        qualifiers = format!("{qualifiers}{word} ");
                    }
                    current = *to;
                }
                DebugTypeKind::Array { element, counts } => {
                    for count in counts.iter().take(MAX_TYPE_PARTS) {
                        let count = count.map(|count| count.to_string()).unwrap_or_default();
                        declarator.push_str(&format!("[{count}]"));
                    }
                    current = *element;
                }
                DebugTypeKind::Function { types } => {
                    let (result, params) = types.split_first().unwrap_or((&None, &[]));
                    declarator = format!("{declarator}({})", self.c_params(params));
                    current = *result;
                }
                _ => break self.unnamed(ty).to_owned(),
            }
        };
        let space = if declarator.is_empty() { "" } else { " " };
        format!("{qualifiers}{base}{space}{declarator}")
    }

    fn c_params(&mut self, params: &[Option<DebugTypeId>]) -> String {
        let mut names = Vec::new();
        for (i, param) in params.iter().enumerate() {
            // A parameter cannot be `void`; the last one then stands for variable arguments.
            names.push(match param {
                None if i + 1 == params.len() => "...".to_owned(),
                param => self.name(*param),
            });
            if self.left == 0 {
                break;
            }
        }
        names.join(", ")
    }

    fn next(&mut self, id: DebugTypeId) -> Option<&'a DebugType> {
        self.left = self.left.checked_sub(1)?;
        Some(&self.debug.types[id])
    }

    fn str(&self, id: StrId) -> &'a str {
        &self.strings[id]
    }

    fn unnamed(&self, ty: &DebugType) -> &'a str {
        match &ty.kind {
            DebugTypeKind::Record { union: true, .. } => "union {...}",
            DebugTypeKind::Record { .. } => "struct {...}",
            DebugTypeKind::Enum { .. } => "enum {...}",
            DebugTypeKind::Other(tag) => self.str(*tag),
            _ => "?",
        }
    }

    /// The type behind unnamed qualifiers.
    fn behind_qualifiers(&self, ty: Option<DebugTypeId>) -> Option<&'a DebugType> {
        let mut ty = &self.debug.types[ty?];
        for _ in 0..MAX_TYPE_PARTS {
            match ty.kind {
                DebugTypeKind::Alias { to, .. } if ty.name.is_none() => ty = &self.debug.types[to?],
                _ => break,
            }
        }
        Some(ty)
    }

    fn is_unnamed_pointer(&self, ty: Option<DebugTypeId>) -> bool {
        self.behind_qualifiers(ty)
            .is_some_and(|ty| ty.name.is_none() && matches!(ty.kind, DebugTypeKind::Pointer { .. }))
    }

    /// Whether `*` before a declarator of this type would be taken for a part of the element or result.
    fn binds_tighter_than_pointer(&self, ty: Option<DebugTypeId>) -> bool {
        self.behind_qualifiers(ty).is_some_and(|ty| {
            ty.name.is_none() && matches!(ty.kind, DebugTypeKind::Array { .. } | DebugTypeKind::Function { .. })
        })
    }
}

fn keyword(kind: &DebugTypeKind) -> &'static str {
    match kind {
        DebugTypeKind::Record { union: true, .. } => "union ",
        DebugTypeKind::Record { .. } => "struct ",
        DebugTypeKind::Enum { .. } => "enum ",
        _ => "",
    }
}

fn qualifier_word(qualifier: Qualifier) -> &'static str {
    match qualifier {
        Qualifier::Const => "const",
        Qualifier::Volatile => "volatile",
        Qualifier::Restrict => "restrict",
        Qualifier::Atomic => "_Atomic",
    }
}
