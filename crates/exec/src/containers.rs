//! Containers of the libraries of C++ and Rust as inputs and outcomes.
//!
//! What such an object holds is a matter of its code: the pointers and numbers in it depend on each other, and the same text may
//! lie in the object or elsewhere. So no input is made up for one, and one that looks different may hold the same. Vectors and
//! texts of Rust are no such objects: what makes one valid is known.

use ir::debug::{DebugInfo, DebugTypeKind, Field, Language};
use ir::id::DebugTypeId;
use ir::module::Module;

/// Deepest nesting of types.
const DEEPEST: u32 = 32;

/// The container that a byte of a type lies in.
pub(crate) fn around(module: &Module, ty: DebugTypeId, at: u64) -> Option<&str> {
    let debug = &module.debug;
    let (mut ty, mut bit) = (debug.strip(ty), at * 8);
    for _ in 0..DEEPEST {
        if let Some(name) = container(module, ty) {
            return Some(name);
        }
        (ty, bit) = match &debug.types[ty].kind {
            DebugTypeKind::Record { fields, .. } => {
                let covers = |field: &&Field| field.offset <= bit && bit < field.offset + field.bits.max(1);
                let field = fields.iter().find(covers)?;
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

/// Whether a type holds a container.
pub fn holds(module: &Module, ty: DebugTypeId) -> bool {
    let debug: &DebugInfo = &module.debug;
    let mut todo = vec![(debug.strip(ty), 0)];
    while let Some((ty, depth)) = todo.pop() {
        if !matches!(debug.types[ty].language, Language::Cpp | Language::Rust) || depth > DEEPEST {
            continue;
        }
        if container(module, ty).is_some() {
            return true;
        }
        match &debug.types[ty].kind {
            DebugTypeKind::Record { fields, .. } => {
                todo.extend(fields.iter().filter_map(|field| Some((debug.strip(field.ty?), depth + 1))));
            }
            DebugTypeKind::Array { element: Some(element), .. } => todo.push((debug.strip(*element), depth + 1)),
            _ => {}
        }
    }
    false
}

/// Containers of Rust's library, by how their names begin.
const OF_RUST: [&str; 8] =
    ["VecDeque<", "BTreeMap<", "BTreeSet<", "BinaryHeap<", "LinkedList<", "HashMap<", "HashSet<", "RawTable<"];

/// What a container is called: those of the C++ library have an allocator.
fn container(module: &Module, ty: DebugTypeId) -> Option<&str> {
    let ty = &module.debug.types[ty];
    let name = ty.name.map(|name| module.str(name))?;
    let is_one = match ty.language {
        Language::Cpp => name.contains("std::allocator<") && !name.starts_with("allocator"),
        Language::Rust => OF_RUST.iter().any(|start| name.starts_with(start)),
        _ => false,
    };
    let start = name.split('<').next().unwrap_or(name);
    (matches!(ty.kind, DebugTypeKind::Record { .. }) && is_one).then_some(start)
}
