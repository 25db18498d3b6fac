//! Vectors and strings of C++ as inputs: only such as the library itself could have made.
//!
//! A vector leads to as many elements as it has room for, at most [`Bounds::elements`]. A string leads to memory of its own, as
//! one that was longer once: its characters, at most [`Bounds::characters`], and the zero behind them. That short
//! strings lie in the object itself is left out: what a program can see of a string does not depend on it.
//!
//! [`Bounds::elements`]: crate::inputs::Bounds::elements
//! [`Bounds::characters`]: crate::inputs::Bounds::characters

use crate::containers::{self, Container, Layout, TEXT_LENGTH, TEXT_ROOM, VECTOR_END};
use crate::inputs::{Counted, Extent, InputId, InputObject, Leaf, LeafValue, Naming, Origin};
use crate::program::Program;
use crate::run::Run;
use evidence::Assumption;
use ir::debug::{DebugTypeKind, Encoding};
use ir::id::DebugTypeId;
use smt::expr::Expr;
use smt::pool::Reading;

/// For how many characters a string has room at least that has outgrown the object itself once.
const ROOM: u64 = 30;

impl Run<'_, '_> {
    /// The leaf of a container of the C++ library, or of what one leads to.
    pub(crate) fn cpp_leaf(&mut self, id: InputId, object: &InputObject, extent: &Extent, name: &str) -> Option<Leaf> {
        let module = &self.worker.program.module;
        if let Some(counted) = self.worker.inputs.counted.get(&id).copied().filter(|counted| counted.text) {
            return Some(self.character(extent, name, counted));
        }
        let inner = extent.start % object.element.max(1);
        let Container { start, layout, .. } = containers::around(module, object.ty?, inner)?;
        let begin = extent.start - (inner - start);
        match layout? {
            Layout::Text => self.text_leaf(id, object, extent, name, begin),
            Layout::Vector { element } => self.vector_leaf(id, object, extent, (name, begin), element),
            Layout::Rust { .. } => None,
        }
    }

    fn text_leaf(
        &mut self,
        id: InputId,
        object: &InputObject,
        extent: &Extent,
        name: &str,
        begin: u64,
    ) -> Option<Leaf> {
        let (offset, size) = (extent.start, extent.size);
        let leaf = |value: LeafValue, assume: Option<Expr>| Some(Leaf { offset, size, value, assume, ascii: false });
        let most = self.worker.bounds.characters;
        let room = most.max(ROOM);
        let whole = container_name(name);
        match (offset - begin, size) {
            (0, 8) => {
                let length = self.leaf(id, begin + TEXT_LENGTH, false).ok()?;
                let LeafValue::Bits(count) = length.value else { return None };
                let to = self.worker.inputs.add(InputObject {
                    size: Expr::constant(room + 1, 64),
                    count: room + 1,
                    ..self.elements_of(id, object, extent, name, self.character_type())
                });
                self.worker.inputs.counted.insert(
                    to,
                    Counted { length: count, valid: length.assume.unwrap_or(Expr::bool(true)), text: true },
                );
                leaf(LeafValue::Pointer(to), length.assume)
            }
            (TEXT_LENGTH, 8) => {
                let limit = Assumption::Characters { of: whole.to_owned(), most };
                self.worker.inputs.limits.insert((id, offset), limit);
                let (length, assume) = self.number_of_elements(name, most);
                leaf(LeafValue::Bits(length), Some(assume))
            }
            (at, size) if at >= TEXT_ROOM => {
                // Behind the number of characters is nothing.
                let room = if at == TEXT_ROOM { room } else { 0 };
                self.worker.inputs.limits.insert((id, offset), Assumption::StringWithRoom { of: whole.to_string() });
                leaf(LeafValue::Bits(Expr::constant(room, size * 8)), None)
            }
            _ => None,
        }
    }

    fn vector_leaf(
        &mut self,
        id: InputId,
        object: &InputObject,
        extent: &Extent,
        (name, begin): (&str, u64),
        element: DebugTypeId,
    ) -> Option<Leaf> {
        let (offset, size) = (extent.start, extent.size);
        if size != 8 {
            return None;
        }
        if offset >= begin + VECTOR_END {
            let first = self.leaf(id, begin, true).ok()?;
            let LeafValue::Pointer(to) = first.value else { return None };
            if offset > begin + VECTOR_END {
                let limit = Assumption::VectorWithoutRoom { of: container_name(name).to_string() };
                self.worker.inputs.limits.insert((id, offset), limit);
            }
            return Some(Leaf { offset, size, value: LeafValue::End(to), ..first });
        }
        let most = self.worker.bounds.elements;
        let mut made = self.elements_of(id, object, extent, name, Some(element));
        let (length, mut assume) = self.number_of_elements(name, most);
        let pool = &mut self.worker.pool;
        made.size = pool.mul(length, Expr::constant(made.element, 64));
        made.count = most;
        if object.depth >= self.worker.bounds.depth {
            assume = pool.eq(length, Expr::constant(0, 64));
        }
        let to = self.worker.inputs.add(made);
        self.worker.inputs.counted.insert(to, Counted { length, valid: assume, text: false });
        Some(Leaf { offset, size, value: LeafValue::Pointer(to), assume: Some(assume), ascii: false })
    }

    /// How many elements a container has, and that there are not too many. It is a number of few bits, so that it is known of all
    /// that is computed from it how large it can be.
    fn number_of_elements(&mut self, name: &str, most: u64) -> (Expr, Expr) {
        let width = (u64::BITS - most.leading_zeros()).max(1);
        let pool = &mut self.worker.pool;
        let length = pool.symbol_as(format!("{}.size()", container_name(name)), width, Reading::Unsigned);
        let assume = pool.ule(length, Expr::constant(most, width));
        (pool.zext(length, 64), assume)
    }

    /// What a container leads to.
    fn elements_of(
        &self,
        id: InputId,
        object: &InputObject,
        extent: &Extent,
        name: &str,
        ty: Option<DebugTypeId>,
    ) -> InputObject {
        let debug = &self.worker.program.module.debug;
        let element = ty.map_or(1, |ty| (debug.bits(ty) / 8).max(1));
        InputObject {
            name: container_name(name).to_owned(),
            naming: Naming::Several,
            ty,
            element,
            count: 0,
            size: Expr::constant(0, 64),
            address: None,
            origin: Origin::Pointer(id, extent.start),
            depth: object.depth + 1,
            terminator: None,
            exact: true,
            align: 16,
            memory: true,
            held: true,
        }
    }

    /// A character of a string: behind the last one is zero.
    fn character(&mut self, extent: &Extent, name: &str, counted: Counted) -> Leaf {
        let pool = &mut self.worker.pool;
        let symbol = pool.symbol_as(name, 8, Reading::Char);
        let is_end = pool.eq(counted.length, Expr::constant(extent.start, 64));
        let is_zero = pool.eq(symbol, Expr::constant(0, 8));
        let is_inside = pool.not(is_end);
        let ends = pool.or(is_inside, is_zero);
        // Whoever chooses values must not choose another length later.
        let assume = pool.and(ends, counted.valid);
        Leaf { offset: extent.start, size: 1, value: LeafValue::Bits(symbol), assume: Some(assume), ascii: false }
    }

    fn character_type(&self) -> Option<DebugTypeId> {
        let debug = &self.worker.program.module.debug;
        let is_char = |ty: &DebugTypeId| {
            debug.types[*ty].kind == DebugTypeKind::Basic(Encoding::SignedChar) && debug.types[*ty].bits == 8
        };
        debug.types.ids().find(is_char)
    }
}

/// What the user calls the container that begins at a distance in an object.
pub fn name_at(program: &Program, object: &InputObject, start: u64) -> String {
    container_name(&object.part_name(&object.extent(program, start, true))).to_owned()
}

/// What the user calls a container one of whose parts has this name.
fn container_name(name: &str) -> &str {
    let end = ["_M_dataplus", "_M_string_length", "_M_allocated_capacity", "_M_local_buf", "_M_impl", "_M_start"]
        .iter()
        .filter_map(|part| name.find(part))
        .min();
    let whole = end.map_or(name, |end| &name[..end]);
    whole.trim_end_matches("->").trim_end_matches('.')
}
