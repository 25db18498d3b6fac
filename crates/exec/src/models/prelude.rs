//! Library functions that call back into the program or that are best said in C: they are linked to it as IR.
//!
//! The sources lie beside their IR, which is what `clang -O1` makes of them, without what names a machine. Variables are in
//! a section of their own: natively they are the C library's, so nobody sees them there.

use crate::run::Run;
use crate::state::{Frame, OnReturn};
use crate::value::Value;
use ir::id::SymbolId;
use ir::link::LinkError;
use ir::module::{Module, SymbolKind};
use smallvec::smallvec;
use std::rc::Rc;

/// A part that is linked if the program declares one of these names without defining it.
struct Part {
    names: &'static [&'static str],
    text: &'static str,
}

const PARTS: &[Part] = &[
    Part { names: &["qsort", "qsort_r", "bsearch", "lfind"], text: include_str!("prelude/sort.ll") },
    Part { names: &["getopt", "getopt_long", "getopt_long_only"], text: include_str!("prelude/getopt.ll") },
    Part { names: &["atexit", "__cxa_atexit"], text: include_str!("prelude/exit.ll") },
];

/// Links to a program what it needs of the prelude. Ids of the program's functions change if it needs any.
pub fn link(module: Module) -> Result<Module, LinkError> {
    let parts: Vec<Module> = needed(&module).filter_map(|part| ir::parse::parse(part.text).ok()).collect();
    if parts.is_empty() {
        return Ok(module);
    }
    let mut all = vec![module];
    all.extend(parts);
    ir::link::link(all)
}

/// Whether a variable is one of the prelude.
pub fn has_variable(module: &Module, symbol: SymbolId) -> bool {
    match module.symbols[symbol].kind {
        SymbolKind::Variable(id) => module.globals[id].section.is_some_and(|section| module.str(section) == SECTION),
        _ => false,
    }
}

/// The section of the prelude's variables.
const SECTION: &str = "pathshift";

/// Whether a program needs anything of the prelude.
pub fn is_needed(module: &Module) -> bool {
    needed(module).next().is_some()
}

fn needed(module: &Module) -> impl Iterator<Item = &'static Part> + '_ {
    PARTS.iter().filter(|part| part.names.iter().any(|name| is_missing(module, name)))
}

/// After `main` returned: begins to call the functions that are registered for the end, if there are any.
pub(crate) fn begin_exit(run: &mut Run, code: Option<&Value>) -> bool {
    let library = &run.state.library;
    if library.at_exit.is_empty() || library.shell.is_none() {
        return false;
    }
    let program = run.program();
    let functions = program.module.functions.iter_ids();
    let mut exits =
        functions.filter(|(id, function)| function.is_defined() && program.module.function_name(*id) == "exit");
    let Some((exit, _)) = exits.next() else { return false };
    let code_of_exit = program.code(exit);
    let mut registers = vec![code.cloned().unwrap_or(Value::int(0, 32))];
    registers.resize(code_of_exit.registers as usize, Value::Undef);
    let rounds = smallvec![0; code_of_exit.loops as usize];
    run.state.frames.push(Rc::new(Frame {
        code: code_of_exit,
        at: 0,
        registers,
        stack: Vec::new(),
        varargs: Rc::new([]),
        rounds,
        on_return: OnReturn::End,
    }));
    true
}

/// Whether a module declares a function of that name and has no code for it.
fn is_missing(module: &Module, name: &str) -> bool {
    let Some(name) = module.strings.find(name) else { return false };
    module.symbols.iter().any(|symbol| match symbol.kind {
        SymbolKind::Function(id) => symbol.name == name && !module.functions[id].is_defined(),
        _ => false,
    })
}
