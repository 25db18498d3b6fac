//! Containers of the libraries of C++ and Rust as inputs and outcomes.
//!
//! What such an object holds is a matter of its code: the pointers and numbers in it depend on each other, and the same text may
//! lie in the object or elsewhere. So no input is made up for one, and one that looks different may hold the same.
//!
//! Two are known well enough: `std::vector` and `std::string` as GNU's library has them ([`Layout`]). As inputs they are made so
//! that what holds for every one of them does ([`crate::cpp_inputs`]), and as outcomes they are compared by what they hold
//! (`same/meaning.rs`). The same goes for vectors and texts of Rust (`rust_inputs.rs`).

use crate::rust_inputs::{field_offset, find_type, first_argument, type_name};
use ir::debug::{DebugInfo, DebugTypeKind, Field, Language};
use ir::id::DebugTypeId;
use ir::module::Module;

/// Deepest nesting of types.
const DEEPEST: u32 = 32;

/// Most elements of an array in which containers are looked for.
const MAX_ELEMENTS: u64 = 256;

/// A container in which it is known what lies where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `std::string`: where the text is, how many characters it has, and either the text itself or how many there is room for.
    Text,
    /// `std::vector`: where its elements begin, where they end, and where its room does.
    Vector {
        /// Type of an element.
        element: DebugTypeId,
    },
    /// `Vec` and `String` of Rust.
    Rust {
        /// Distance of the pointer to the elements.
        pointer: u64,
        /// Distance of their number.
        length: u64,
        /// Type of an element; nothing for characters of a text.
        element: Option<DebugTypeId>,
    },
}

/// Where a text has its number of characters.
pub const TEXT_LENGTH: u64 = 8;

/// Where it has its characters, or how many there is room for elsewhere.
pub const TEXT_ROOM: u64 = 16;

const TEXT_BYTES: u64 = 32;

/// Where a vector has the end of its elements.
pub const VECTOR_END: u64 = 8;

const VECTOR_ROOM: u64 = 16;
const VECTOR_BYTES: u64 = 24;

impl Layout {
    /// Bytes of the container itself.
    pub fn bytes(self) -> u64 {
        match self {
            Layout::Text => TEXT_BYTES,
            Layout::Vector { .. } | Layout::Rust { .. } => VECTOR_BYTES,
        }
    }

    /// Distance of the pointer to what it holds.
    pub fn pointer(self) -> u64 {
        match self {
            Layout::Text | Layout::Vector { .. } => 0,
            Layout::Rust { pointer, .. } => pointer,
        }
    }

    /// Type of what it holds; nothing for characters.
    pub fn element(self) -> Option<DebugTypeId> {
        match self {
            Layout::Text => None,
            Layout::Vector { element } => Some(element),
            Layout::Rust { element, .. } => element,
        }
    }
}

/// A container in an object.
#[derive(Clone, Copy, Debug)]
pub struct Container<'m> {
    /// What the library calls it.
    pub name: &'m str,
    /// Distance from the beginning of the object in bytes.
    pub start: u64,
    /// What lies where, if that is known.
    pub layout: Option<Layout>,
}

/// The container that a byte of a type lies in.
pub fn around(module: &Module, ty: DebugTypeId, at: u64) -> Option<Container<'_>> {
    let debug = &module.debug;
    let (mut ty, mut bit) = (debug.strip(ty), at * 8);
    for _ in 0..DEEPEST {
        if let Some((name, layout)) = container(module, ty) {
            return Some(Container { name, start: at - bit / 8, layout });
        }
        (ty, bit) = match &debug.types[ty].kind {
            DebugTypeKind::Record { fields, .. } => {
                let field = fields.iter().find(|field| covers(debug, field, bit))?;
                (debug.strip(field.ty?), bit - field.offset)
            }
            DebugTypeKind::Array { element: Some(element), .. } => {
                (debug.strip(*element), bit % debug.bits(*element).max(1))
            }
            _ => return None,
        };
    }
    None
}

/// All containers in a type, ascending.
pub fn within(module: &Module, ty: DebugTypeId) -> Vec<Container<'_>> {
    let debug = &module.debug;
    let mut found = Vec::new();
    let mut todo = vec![(debug.strip(ty), 0u64, 0)];
    while let Some((ty, bit, depth)) = todo.pop() {
        if !matches!(debug.types[ty].language, Language::Cpp | Language::Rust) || depth > DEEPEST {
            continue;
        }
        if let Some((name, layout)) = container(module, ty) {
            found.push(Container { name, start: bit / 8, layout });
            continue;
        }
        match &debug.types[ty].kind {
            DebugTypeKind::Record { fields, .. } => {
                let inner = |field: &Field| Some((debug.strip(field.ty?), bit + field.offset, depth + 1));
                todo.extend(fields.iter().filter_map(inner));
            }
            DebugTypeKind::Array { element: Some(element), .. } => {
                let stride = debug.bits(*element).max(1);
                let count = (debug.types[ty].bits / stride).clamp(1, MAX_ELEMENTS);
                let element = debug.strip(*element);
                todo.extend((0..count).map(|index| (element, bit + index * stride, depth + 1)));
            }
            _ => {}
        }
    }
    found.sort_by_key(|container| container.start);
    found
}

/// Whether a type is a container itself.
pub(crate) fn holds_itself(module: &Module, ty: DebugTypeId) -> bool {
    container(module, module.debug.strip(ty)).is_some()
}

/// Whether a type holds a container.
pub fn holds(module: &Module, ty: DebugTypeId) -> bool {
    !within(module, ty).is_empty()
}

/// The type itself, or the one that has its fields: an instance of a template is only declared where nobody looks into it, and
/// another unit, or the other version, may have done so.
pub(crate) fn complete(module: &Module, ty: DebugTypeId) -> DebugTypeId {
    let debug = &module.debug;
    let known = debug.strip(ty);
    let is_instance = |id: DebugTypeId| {
        let name = debug.types[id].name.map_or("", |name| module.str(name));
        debug.types[id].language == Language::Cpp && name.contains("std::allocator<")
    };
    let has_fields = |id: DebugTypeId| match &debug.types[id].kind {
        DebugTypeKind::Record { fields, .. } => !fields.is_empty() && debug.types[id].bits > 0,
        _ => false,
    };
    if !matches!(debug.types[known].kind, DebugTypeKind::Record { .. }) || has_fields(known) || !is_instance(known) {
        return ty;
    }
    let name = debug.types[known].name.map(|name| module.str(name));
    let is_it = |id: &DebugTypeId| has_fields(*id) && debug.types[*id].name.map(|name| module.str(name)) == name;
    debug.types.ids().find(|id| is_instance(*id) && is_it(id)).unwrap_or(ty)
}

/// Containers of Rust's library, by how their names begin.
const OF_RUST: [&str; 8] =
    ["VecDeque<", "BTreeMap<", "BTreeSet<", "BinaryHeap<", "LinkedList<", "HashMap<", "HashSet<", "RawTable<"];

/// What a container is called, and what lies where in it: those of the C++ library have an allocator. Vectors of Rust are
/// containers only where that is known, since they can be told by their fields as well.
fn container(module: &Module, id: DebugTypeId) -> Option<(&str, Option<Layout>)> {
    let ty = &module.debug.types[id];
    let name = ty.name.map(|name| module.str(name)).filter(|_| matches!(ty.kind, DebugTypeKind::Record { .. }))?;
    let start = name.split('<').next().unwrap_or(name);
    match ty.language {
        Language::Cpp if name.contains("std::allocator<") && !name.starts_with("allocator") => {
            Some((start, layout(module, id)))
        }
        // Bits that a set does not have are zero.
        Language::Cpp if start == "bitset" => Some((start, None)),
        Language::Rust if OF_RUST.iter().any(|start| name.starts_with(start)) => Some((start, None)),
        Language::Rust if is_iterator(module, id) => Some((start, None)),
        Language::Rust if name == "String" || name.starts_with("Vec<") => Some((start, Some(vector(module, id)?))),
        _ => None,
    }
}

/// Whether a record is what Rust's library goes through slices or vectors with: both of its pointers lead into one array.
fn is_iterator(module: &Module, id: DebugTypeId) -> bool {
    let DebugTypeKind::Record { fields, .. } = &module.debug.types[id].kind else { return false };
    let has = |name: &str| fields.iter().any(|field| field.name.is_some_and(|id| module.str(id) == name));
    has("ptr") && (has("end_or_len") || has("buf") && has("end"))
}

/// What lies where in a vector or text of Rust.
fn vector(module: &Module, ty: DebugTypeId) -> Option<Layout> {
    let name = type_name(module, ty);
    let (inner, element) = match name {
        "String" => (&["vec"][..], None),
        _ => {
            let element = find_type(module, first_argument(name)).filter(|element| is_only(module, *element))?;
            (&[][..], Some(element).filter(|element| module.debug.bits(*element) >= 8))
        }
    };
    let at = |path: &[&str]| field_offset(module, ty, &[inner, path].concat()).map(|bits| bits / 8);
    let (pointer, length) = (at(&["buf", "inner", "ptr", "pointer", "pointer"])?, at(&["len"])?);
    let is_whole = module.debug.types[ty].bits / 8 == VECTOR_BYTES && (name == "String" || element.is_some());
    is_whole.then_some(Layout::Rust { pointer, length, element })
}

/// Whether all types of a name are laid out alike: debug info names them without the module that they are of.
fn is_only(module: &Module, ty: DebugTypeId) -> bool {
    let debug = &module.debug;
    let shape = |id: DebugTypeId| match &debug.types[id].kind {
        DebugTypeKind::Record { fields, .. } => {
            (debug.types[id].bits, fields.iter().map(|field| (field.offset, field.bits)).collect())
        }
        _ => (debug.types[id].bits, Vec::new()),
    };
    let (name, own) = (debug.types[ty].name, shape(ty));
    let mut others = debug.types.ids().filter(|id| debug.types[*id].name == name && debug.types[*id].bits > 0);
    others.all(|other| shape(other) == own)
}

/// What lies where in a container: its name alone does not say whose library it is of.
fn layout(module: &Module, ty: DebugTypeId) -> Option<Layout> {
    let debug = &module.debug;
    let name = debug.types[ty].name.map(|name| module.str(name))?;
    let bytes = debug.types[ty].bits / 8;
    let named = |at: u64, wanted: &str| {
        let (field, ty) = scalar(module, ty, at * 8)?;
        (field == wanted).then_some(ty)
    };
    let to = |pointer: DebugTypeId| match debug.types[pointer].kind {
        DebugTypeKind::Pointer { to, .. } => to,
        _ => None,
    };
    if name.starts_with("basic_string<char,") && bytes == TEXT_BYTES {
        named(0, "_M_p")?;
        named(TEXT_LENGTH, "_M_string_length")?;
        return Some(Layout::Text);
    }
    if name.starts_with("vector<") && bytes == VECTOR_BYTES {
        let element = to(named(0, "_M_start")?)?;
        named(VECTOR_END, "_M_finish")?;
        named(VECTOR_ROOM, "_M_end_of_storage")?;
        return (debug.bits(element) >= 8).then_some(Layout::Vector { element });
    }
    None
}

/// The scalar at a bit of a record, and the name of the field that it is.
fn scalar(module: &Module, ty: DebugTypeId, bit: u64) -> Option<(&str, DebugTypeId)> {
    let debug = &module.debug;
    let (mut ty, mut bit, mut name) = (debug.strip(ty), bit, "");
    for _ in 0..DEEPEST {
        let DebugTypeKind::Record { fields, .. } = &debug.types[ty].kind else { return Some((name, ty)) };
        // Allocators take no room, and lie where the first field does.
        let is_empty = |field: &Field| {
            let ty = field.ty.map(|ty| debug.strip(ty));
            ty.is_some_and(|ty| {
                matches!(&debug.types[ty].kind, DebugTypeKind::Record { .. }) && !has_scalar(debug, ty, 0)
            })
        };
        let field = fields.iter().find(|field| covers(debug, field, bit) && !is_empty(field))?;
        name = field.name.map_or("", |name| module.str(name));
        (ty, bit) = (debug.strip(field.ty?), bit - field.offset);
    }
    None
}

/// Whether a record has a field that holds something.
fn has_scalar(debug: &DebugInfo, ty: DebugTypeId, depth: u32) -> bool {
    match &debug.types[ty].kind {
        DebugTypeKind::Record { fields, .. } if depth < DEEPEST => {
            fields.iter().any(|field| field.ty.is_some_and(|ty| has_scalar(debug, debug.strip(ty), depth + 1)))
        }
        DebugTypeKind::Record { .. } => false,
        _ => true,
    }
}

/// Whether a bit lies in a field. Of base classes only the type says how large they are.
fn covers(debug: &DebugInfo, field: &Field, bit: u64) -> bool {
    let bits = if field.bits > 0 { field.bits } else { field.ty.map_or(1, |ty| debug.bits(ty)) };
    field.offset <= bit && bit < field.offset + bits.max(1)
}
