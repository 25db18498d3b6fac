//! Global variables of the C library.

use crate::contents::{Contents, Unset};
use crate::memory::{Kind, Life, Object};
use crate::run::Run;
use crate::value::{Pointer, Value};
use ir::id::SymbolId;
use ir::module::SymbolKind;
use smt::expr::Expr;
use std::rc::Rc;

/// What a variable that the program only declares holds at first, if it is one of the library's.
pub(crate) fn library_global(run: &mut Run, symbol: SymbolId) -> Option<Rc<Object>> {
    let program = run.program();
    let SymbolKind::Variable(id) = program.module.symbols[symbol].kind else { return None };
    if program.module.globals[id].initializer.is_some() {
        return None;
    }
    let value = match program.module.symbol_name(symbol) {
        "stdin" => Value::Ptr(run.file_object(0)),
        "stdout" => Value::Ptr(run.file_object(1)),
        "stderr" => Value::Ptr(run.file_object(2)),
        "environ" | "__environ" | "_environ" => Value::Ptr(run.library_memory("environment", 8)),
        "program_invocation_name" | "program_invocation_short_name" | "__progname" => Value::Ptr(program_name(run)),
        _ => return None,
    };
    let place = program.place(symbol);
    let mut contents = Contents::new(Unset::Zero);
    contents.write_cell(0, 8, value);
    Some(Rc::new(Object {
        base: place.base,
        size: Expr::constant(place.size, 64),
        kind: Kind::Global { constant: false },
        life: Life::Alive,
        present: true,
        written: false,
        contents: Rc::new(contents),
    }))
}

fn program_name(run: &mut Run) -> Pointer {
    run.library_memory("program name", 1)
}
