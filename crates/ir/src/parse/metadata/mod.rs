//! Debug info out of a module's metadata nodes, in two linear passes.
//!
//! Nodes refer to each other by number, forwards, backwards and in cycles. The first pass gives every
//! node that has an entry in the model's tables an empty entry, so its id is known; the second one
//! reads each node's fields and fills its entry, references being ids by then. Members, dimensions
//! and lists have no entry: they are read when the type that uses them is.
//!
//! Compilers do not write malformed metadata, but it does no harm: a reference to nothing, or to a
//! node of another kind, is none, and of a malformed node the fields before the flaw are kept.

mod expression;
mod fields;
mod location;
#[cfg(test)]
pub(crate) mod tests;
mod types;

pub use expression::expression_ops;

use crate::debug::{
    DebugInfo, DebugType, DebugTypeKind, Encoding, File, Language, Location, Scope, ScopeKind, Variable,
};
use crate::id::{DebugTypeId, ExprId, FileId, LocId, ScopeId, StrId, Strings, VarId};
use crate::parse::lexer::{Lexer, Token, unescape};
use fields::{Fields, List, read_list};
use rustc_hash::FxHashMap;

/// A numbered metadata node.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its number.
    pub number: u32,
    /// Where its text starts, after the `=`.
    pub pos: usize,
}

/// A translation unit as debug info describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileUnit {
    /// Main source file.
    pub file: Option<FileId>,
    /// The compiler.
    pub producer: Option<StrId>,
    /// The language, such as `DW_LANG_C11`.
    pub language: Option<StrId>,
}

/// The debug info of a module, and what the numbers of its nodes stand for.
#[derive(Debug, Default)]
pub struct Tables {
    /// Debug info.
    pub debug: DebugInfo,
    /// Translation units.
    pub units: Vec<CompileUnit>,
    references: References,
}

impl Tables {
    /// The location of that number.
    pub fn location(&self, number: u32) -> Option<LocId> {
        self.references.location(Some(number))
    }

    /// The local or global variable of that number.
    pub fn variable(&self, number: u32) -> Option<VarId> {
        match self.references.get(number)? {
            Reference::Variable(id) => Some(id),
            Reference::GlobalExpression(variable) => match self.references.get(variable)? {
                Reference::Variable(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The function, block, namespace, unit or type of that number.
    pub fn scope(&self, number: u32) -> Option<ScopeId> {
        self.references.scope(Some(number))
    }

    /// The address expression of that number; `Some(None)` is the empty one.
    pub fn expression(&self, number: u32) -> Option<Option<ExprId>> {
        match self.references.get(number)? {
            Reference::Expression(id) => Some(id),
            _ => None,
        }
    }
}

/// Reads the debug info in `nodes` of `text`. A node that stands elsewhere in the text in place of a
/// number can be listed under a number that no other node has.
pub fn read(text: &str, nodes: &[Node], strings: &mut Strings) -> Tables {
    let mut reader = Reader {
        text,
        nodes,
        strings,
        debug: DebugInfo::default(),
        units: Vec::new(),
        references: References::new(nodes.len()),
        language: Language::Other,
        // Every node is read once for itself and once where it is used.
        budget: text.len().saturating_mul(4).saturating_add(1 << 16),
    };
    for (index, node) in nodes.iter().enumerate() {
        reader.announce(index, *node);
    }
    for node in nodes {
        reader.fill(*node);
    }
    reader.size_fields();
    Tables { debug: reader.debug, units: reader.units, references: reader.references }
}

/// What a node's number stands for.
#[derive(Clone, Copy, Debug)]
enum Reference {
    Location(LocId),
    File(FileId),
    Scope(ScopeId),
    Type(DebugTypeId),
    /// A type that other things can be declared in.
    Composite(DebugTypeId, ScopeId),
    Variable(VarId),
    /// The global variable of that number.
    GlobalExpression(u32),
    Expression(Option<ExprId>),
    /// The node at that index, which is read where it is used.
    Part(u32),
}

/// What numbers stand for. Compilers number nodes from 0 without gaps.
#[derive(Debug, Default)]
struct References {
    dense: Vec<Option<Reference>>,
    sparse: FxHashMap<u32, Reference>,
}

impl References {
    fn new(nodes: usize) -> Self {
        References { dense: vec![None; nodes], sparse: FxHashMap::default() }
    }

    fn insert(&mut self, number: u32, reference: Reference) {
        match self.dense.get_mut(number as usize) {
            Some(entry) => *entry = Some(reference),
            None => {
                self.sparse.insert(number, reference);
            }
        }
    }

    fn get(&self, number: u32) -> Option<Reference> {
        match self.dense.get(number as usize) {
            Some(entry) => *entry,
            None => self.sparse.get(&number).copied(),
        }
    }

    fn location(&self, number: Option<u32>) -> Option<LocId> {
        match self.get(number?)? {
            Reference::Location(id) => Some(id),
            _ => None,
        }
    }

    fn file(&self, number: Option<u32>) -> Option<FileId> {
        match self.get(number?)? {
            Reference::File(id) => Some(id),
            _ => None,
        }
    }

    fn scope(&self, number: Option<u32>) -> Option<ScopeId> {
        match self.get(number?)? {
            Reference::Scope(id) | Reference::Composite(_, id) => Some(id),
            _ => None,
        }
    }

    fn ty(&self, number: Option<u32>) -> Option<DebugTypeId> {
        match self.get(number?)? {
            Reference::Type(id) | Reference::Composite(id, _) => Some(id),
            _ => None,
        }
    }
}

/// Kinds of nodes that are of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Location,
    File,
    Scope(ScopeKind),
    Variable,
    GlobalExpression,
    Expression,
    Basic,
    /// A type made of another one.
    Derived,
    /// A field or base class of a composite type.
    Member,
    Composite,
    /// What tells the cases of a Rust enum.
    VariantPart,
    Subroutine,
    Subrange,
    Enumerator,
    List,
}

/// The kind of the node at `pos`, and a lexer that stands after the word that tells it.
fn classify(text: &str, pos: usize) -> Option<(Kind, Lexer<'_>)> {
    let mut lexer = Lexer::new(text, pos);
    let mut token = lexer.token();
    if token == Token::Word("distinct") {
        token = lexer.token();
    }
    let word = match token {
        Token::Metadata(word) => word,
        Token::Bang => return Some((Kind::List, lexer)),
        _ => return None,
    };
    let kind = match word {
        "DILocation" => Kind::Location,
        "DIFile" => Kind::File,
        "DICompileUnit" => Kind::Scope(ScopeKind::CompileUnit),
        "DISubprogram" => Kind::Scope(ScopeKind::Function),
        "DILexicalBlock" | "DILexicalBlockFile" => Kind::Scope(ScopeKind::Block),
        "DINamespace" | "DIModule" => Kind::Scope(ScopeKind::Namespace),
        "DILocalVariable" | "DIGlobalVariable" => Kind::Variable,
        "DIGlobalVariableExpression" => Kind::GlobalExpression,
        "DIExpression" => Kind::Expression,
        "DIBasicType" | "DIStringType" => Kind::Basic,
        "DIDerivedType" => match tag(lexer.clone()) {
            "DW_TAG_member" | "DW_TAG_inheritance" | "DW_TAG_friend" | "DW_TAG_variable" => Kind::Member,
            _ => Kind::Derived,
        },
        "DICompositeType" => match tag(lexer.clone()) {
            "DW_TAG_variant_part" => Kind::VariantPart,
            _ => Kind::Composite,
        },
        "DISubroutineType" => Kind::Subroutine,
        "DISubrange" => Kind::Subrange,
        "DIEnumerator" => Kind::Enumerator,
        _ => return None,
    };
    Some((kind, lexer))
}

/// The tag of the node whose fields the lexer stands before. Compilers write it first.
fn tag(mut lexer: Lexer<'_>) -> &str {
    let fields = lexer.clone();
    match (lexer.token(), lexer.token(), lexer.token()) {
        (Token::Punct(b'('), Token::Label("tag"), Token::Word(tag)) => tag,
        _ => Fields::read(&mut { fields }).tag,
    }
}

struct Reader<'t, 'n, 's> {
    text: &'t str,
    nodes: &'n [Node],
    strings: &'s mut Strings,
    debug: DebugInfo,
    units: Vec<CompileUnit>,
    references: References,
    /// Language of the first unit.
    language: Language,
    /// How many more bytes of fields and lists may be read. Only a garbled text, where many nodes use
    /// the same long list or have no end, needs more than there are.
    budget: usize,
}

impl<'t> Reader<'t, '_, '_> {
    /// First pass: gives the node an empty entry.
    fn announce(&mut self, index: usize, node: Node) {
        if location::is_plain(self.bytes(node.pos)) {
            return self.announce_location(node.number);
        }
        let Some((kind, mut lexer)) = classify(self.text, node.pos) else { return };
        let reference = match kind {
            Kind::Location => return self.announce_location(node.number),
            Kind::File => {
                let name = self.strings.intern_str("");
                Reference::File(self.debug.files.push(File { name, directory: None }))
            }
            Kind::Scope(kind) => {
                if kind == ScopeKind::CompileUnit && self.language == Language::Other {
                    self.language = language(self.fields(lexer).language);
                }
                Reference::Scope(self.announce_scope(kind))
            }
            Kind::Composite => Reference::Composite(self.announce_type(), self.announce_scope(ScopeKind::Type)),
            Kind::Basic | Kind::Derived | Kind::Subroutine => Reference::Type(self.announce_type()),
            Kind::Variable => {
                let empty = Variable { name: None, arg: 0, scope: None, file: None, line: 0, ty: None };
                Reference::Variable(self.debug.variables.push(empty))
            }
            Kind::GlobalExpression => match self.fields(lexer).variable {
                Some(variable) => Reference::GlobalExpression(variable),
                None => return,
            },
            Kind::Expression => match expression_ops(&mut lexer, self.strings) {
                Some(ops) if ops.is_empty() => Reference::Expression(None),
                Some(ops) => Reference::Expression(Some(self.debug.exprs.intern(ops))),
                None => return,
            },
            Kind::Member | Kind::VariantPart | Kind::Subrange | Kind::Enumerator | Kind::List => {
                Reference::Part(u32::try_from(index).unwrap_or(u32::MAX))
            }
        };
        self.references.insert(node.number, reference);
    }

    fn announce_location(&mut self, number: u32) {
        let id = self.debug.locations.push(Location { line: 0, column: 0, scope: None, inlined_at: None });
        self.references.insert(number, Reference::Location(id));
    }

    fn announce_scope(&mut self, kind: ScopeKind) -> ScopeId {
        let empty = Scope { kind, name: None, linkage_name: None, file: None, line: 0, parent: None, ty: None };
        self.debug.scopes.push(empty)
    }

    fn announce_type(&mut self) -> DebugTypeId {
        let kind = DebugTypeKind::Basic(Encoding::Other);
        self.debug.types.push(DebugType { name: None, bits: 0, language: Language::Other, kind })
    }

    /// Second pass: fills the node's entry.
    fn fill(&mut self, node: Node) {
        let Some(reference) = self.references.get(node.number) else { return };
        if let Reference::Location(id) = reference {
            self.debug.locations[id] = self.location(node.pos);
            return;
        }
        if matches!(reference, Reference::Part(_) | Reference::GlobalExpression(_) | Reference::Expression(_)) {
            return;
        }
        let Some((kind, lexer)) = classify(self.text, node.pos) else { return };
        let fields = self.fields(lexer);
        match reference {
            Reference::File(id) => {
                let name = self.string(fields.filename).unwrap_or(self.debug.files[id].name);
                self.debug.files[id] = File { name, directory: self.string(fields.directory) };
            }
            Reference::Scope(id) => self.fill_scope(id, &fields),
            Reference::Type(id) => self.debug.types[id] = self.debug_type(kind, &fields),
            Reference::Composite(ty, scope) => {
                self.debug.types[ty] = self.debug_type(kind, &fields);
                self.fill_scope(scope, &fields);
                self.debug.scopes[scope].ty = Some(ty);
            }
            Reference::Variable(id) => {
                self.debug.variables[id] = Variable {
                    name: self.string(fields.name),
                    arg: fields.arg,
                    scope: self.references.scope(fields.scope),
                    file: self.file(&fields),
                    line: fields.line,
                    ty: self.references.ty(fields.ty),
                };
            }
            _ => {}
        }
    }

    fn fill_scope(&mut self, id: ScopeId, fields: &Fields<'t>) {
        let scope = Scope {
            kind: self.debug.scopes[id].kind,
            name: self.string(fields.name),
            linkage_name: self.string(fields.linkage_name),
            file: self.file(fields),
            line: fields.line,
            parent: self.references.scope(fields.scope),
            ty: self.references.ty(fields.ty),
        };
        if scope.kind == ScopeKind::CompileUnit {
            let producer = self.string(fields.producer);
            let language = self.string(fields.language);
            self.units.push(CompileUnit { file: scope.file, producer, language });
        }
        self.debug.scopes[id] = scope;
    }

    /// The file of a node; a scope may be no more than a file.
    fn file(&self, fields: &Fields<'t>) -> Option<FileId> {
        self.references.file(fields.file).or_else(|| self.references.file(fields.scope))
    }

    fn location(&mut self, pos: usize) -> Location {
        if let Some(plain) = location::read_plain(self.bytes(pos)) {
            return Location {
                line: plain.line,
                column: plain.column,
                scope: self.references.scope(Some(plain.scope)),
                inlined_at: self.references.location(plain.inlined_at),
            };
        }
        let fields = match classify(self.text, pos) {
            Some((Kind::Location, lexer)) => self.fields(lexer),
            _ => Fields::default(),
        };
        Location {
            line: fields.line,
            column: fields.column,
            scope: self.references.scope(fields.scope),
            inlined_at: self.references.location(fields.inlined_at),
        }
    }

    fn bytes(&self, pos: usize) -> &'t [u8] {
        self.text.as_bytes().get(pos..).unwrap_or_default()
    }

    /// The fields that the lexer stands before.
    fn fields(&mut self, mut lexer: Lexer<'t>) -> Fields<'t> {
        if self.budget == 0 {
            return Fields::default();
        }
        let start = lexer.pos;
        let fields = Fields::read(&mut lexer);
        self.budget = self.budget.saturating_sub(lexer.pos - start);
        fields
    }

    /// Kind and fields of a node that is read where it is used.
    fn part(&mut self, number: Option<u32>) -> Option<(Kind, Fields<'t>)> {
        let pos = self.part_pos(number?).filter(|_| self.budget > 0)?;
        let (kind, lexer) = classify(self.text, pos)?;
        Some((kind, self.fields(lexer)))
    }

    /// The numbers of a list's elements; `None` for an element that is no node.
    fn list(&mut self, list: Option<List>) -> Vec<Option<u32>> {
        let pos = match list {
            Some(List::Numbered(number)) => self.part_pos(number),
            Some(List::At(pos)) => Some(pos),
            None => None,
        };
        let Some(pos) = pos.filter(|_| self.budget > 0) else { return Vec::new() };
        let mut lexer = Lexer::new(self.text, pos);
        let elements = read_list(&mut lexer);
        self.budget = self.budget.saturating_sub(lexer.pos - pos);
        elements
    }

    fn part_pos(&self, number: u32) -> Option<usize> {
        match self.references.get(number)? {
            Reference::Part(index) => Some(self.nodes.get(index as usize)?.pos),
            _ => None,
        }
    }

    /// A string of the text as a name; an empty one is none.
    fn string(&mut self, text: &str) -> Option<StrId> {
        if text.is_empty() {
            return None;
        }
        if memchr::memchr(b'\\', text.as_bytes()).is_none() {
            return Some(self.strings.intern_str(text));
        }
        Some(self.strings.intern_str(&String::from_utf8_lossy(&unescape(text))))
    }
}

/// The language with that name in debug info.
fn language(word: &str) -> Language {
    let name = word.strip_prefix("DW_LANG_").or_else(|| word.strip_prefix("DW_LNAME_")).unwrap_or(word);
    match name {
        "Rust" => Language::Rust,
        "ObjC" => Language::C,
        _ if name.starts_with("C_plus_plus") || name == "ObjC_plus_plus" => Language::Cpp,
        _ => match name.strip_prefix('C') {
            Some(version) if version.bytes().all(|b| b.is_ascii_digit()) => Language::C,
            _ => Language::Other,
        },
    }
}
