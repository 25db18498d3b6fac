//! What is known of memory beside its bytes: which hold nothing, which are floats or capacities, what was never assigned.

use super::MAX_BYTES;
use crate::inputs::InputId;
use crate::run::Worker;
use ir::id::{DebugTypeId, SymbolId};
use ir::module::SymbolKind;
use rustc_hash::FxHashSet;
use smt::expr::{Expr, Op};

/// Memory whose source type is known.
#[derive(Clone, Copy, Debug)]
pub enum Typed {
    /// An object of the input.
    Input(InputId),
    /// A global variable.
    Global(SymbolId),
}

impl Worker<'_> {
    /// Bytes that no field of a type covers, where the type is known; all of those that nobody sees.
    pub(crate) fn padding(&self, typed: Typed) -> Vec<u64> {
        let module = &self.program.module;
        if let Typed::Input(id) = typed
            && self.copies.contains(&id)
        {
            let size = self.inputs.object(id).size.as_const().unwrap_or(0);
            return (0..size.min(MAX_BYTES)).collect();
        }
        let Some((ty, element, size)) = self.source_type(typed) else { return Vec::new() };
        (0..size).filter(|at| module.debug.is_padding(&module.strings, ty, at % element)).collect()
    }

    /// Where capacities of vectors begin that tell cases of an enum apart.
    pub(crate) fn capacities(&self, typed: Typed) -> Vec<u64> {
        let module = &self.program.module;
        let Some((ty, element, size)) = self.source_type(typed) else { return Vec::new() };
        let words = (0..size).step_by(8).filter(|at| at + 8 <= size);
        words.filter(|at| module.debug.is_telling_capacity(&module.strings, ty, at % element)).collect()
    }

    /// Where floats begin, with their bytes, where the type is known.
    pub(crate) fn floats(&self, typed: Typed) -> Vec<(u64, u64)> {
        let debug = &self.program.module.debug;
        let Some((ty, element, size)) = self.source_type(typed) else { return Vec::new() };
        (0..size).filter_map(|at| Some((at, debug.float_at(ty, at % element)?))).collect()
    }

    /// The type of an element, its bytes, and those of all elements, unless they are too many.
    pub(super) fn source_type(&self, typed: Typed) -> Option<(DebugTypeId, u64, u64)> {
        let module = &self.program.module;
        let (ty, element, size) = match typed {
            Typed::Input(id) => {
                let object = self.inputs.object(id);
                (object.ty?, object.element, object.size.as_const()?)
            }
            Typed::Global(symbol) => {
                let SymbolKind::Variable(id) = module.symbols[symbol].kind else { return None };
                let variable = module.globals[id].variable.map(|id| &module.debug.variables[id]);
                let size = self.program.place(symbol).size;
                (variable?.ty?, size, size)
            }
        };
        (size <= MAX_BYTES && element > 0).then_some((ty, element, size))
    }

    /// Whether expressions depend on a value that was never assigned.
    pub fn depends_on_undefined(&self, roots: &[Expr]) -> bool {
        let undefined: FxHashSet<Expr> = self.undefined.iter().map(|(symbol, _)| *symbol).collect();
        self.depends_on(roots, &undefined)
    }

    /// Whether expressions depend on a value that was never assigned and is taken to be the same in both versions.
    pub fn depends_on_unread(&self, roots: &[Expr]) -> bool {
        let unread: FxHashSet<Expr> = self.unread.values().copied().collect();
        self.depends_on(roots, &unread)
    }

    fn depends_on(&self, roots: &[Expr], symbols: &FxHashSet<Expr>) -> bool {
        if symbols.is_empty() {
            return false;
        }
        let (mut todo, mut seen) = (roots.to_vec(), FxHashSet::default());
        while let Some(expr) = todo.pop() {
            let Expr::Term(id) = expr else { continue };
            if !seen.insert(id) {
                continue;
            }
            if symbols.contains(&expr) {
                return true;
            }
            let node = self.pool.node(id);
            match node.op {
                Op::Apply { args, .. } => todo.extend(self.pool.apply_args(args)),
                _ => todo.extend(node.args()),
            }
        }
        false
    }
}
