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
use std::collections::BTreeSet;
use std::rc::Rc;

/// A part that is linked if the program declares one of these names without defining it.
struct Part {
    /// Names; one with a star at its end stands for all that begin so.
    names: &'static [&'static str],
    text: &'static str,
}

const PARTS: &[Part] = &[
    Part { names: &["qsort", "qsort_r", "bsearch", "lfind"], text: include_str!("prelude/sort.ll") },
    Part { names: &["getopt", "getopt_long", "getopt_long_only"], text: include_str!("prelude/getopt.ll") },
    Part { names: &["atexit", "__cxa_atexit"], text: include_str!("prelude/exit.ll") },
    Part {
        names: &[
            "_ZSt18_Rb_tree_increment*",
            "_ZSt18_Rb_tree_decrement*",
            "_ZSt29_Rb_tree_insert_and_rebalance*",
            "_ZSt28_Rb_tree_rebalance_for_erase*",
            "_ZNSt8__detail15_List_node_base*",
        ],
        text: include_str!("prelude/tree.ll"),
    },
    Part {
        names: &[
            "_ZNSt11logic_error*",
            "_ZNKSt11logic_error*",
            "_ZNSt12domain_error*",
            "_ZNSt16invalid_argument*",
            "_ZNSt12length_error*",
            "_ZNSt12out_of_range*",
            "_ZNSt13runtime_error*",
            "_ZNKSt13runtime_error*",
            "_ZNSt11range_error*",
            "_ZNSt14overflow_error*",
            "_ZNSt15underflow_error*",
        ],
        text: include_str!("prelude/exceptions.ll"),
    },
];

/// Names of the functions with code that [`link`] brings. Natively they are the library's.
pub fn functions(module: &Module) -> BTreeSet<String> {
    let parts = needed(module).filter_map(|part| ir::parse::parse(part.text).ok());
    let names = parts.flat_map(|mut part| {
        label_locals(&mut part);
        let with_code = part.functions.iter_ids().filter(|(_, function)| function.is_defined());
        with_code.map(|(id, _)| part.function_label(id).to_owned()).collect::<Vec<_>>()
    });
    names.collect()
}

/// Links to a program what it needs of the prelude. Ids of the program's functions change if it needs any.
pub fn link(module: Module) -> Result<Module, LinkError> {
    let mut parts: Vec<Module> = needed(&module).filter_map(|part| ir::parse::parse(part.text).ok()).collect();
    if parts.is_empty() {
        return Ok(module);
    }
    for part in &mut parts {
        label_locals(part);
    }
    let mut all = vec![module];
    all.extend(parts);
    ir::link::link(all)
}

/// Local symbols of the prelude leave their names to the program's.
fn label_locals(part: &mut Module) {
    for id in part.symbols.ids() {
        if part.symbols[id].linkage.is_local() {
            let label = format!("{}@{SECTION}", part.symbol_name(id));
            part.symbols[id].label = Some(part.strings.intern_str(&label));
        }
    }
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

fn needed(module: &Module) -> impl Iterator<Item = &'static Part> {
    let missing: Vec<&str> = missing(module).collect();
    let is_missing = |wanted: &str| match wanted.strip_suffix('*') {
        Some(begin) => missing.iter().any(|name| name.starts_with(begin)),
        None => missing.contains(&wanted),
    };
    let parts: Vec<&Part> = PARTS.iter().filter(|part| part.names.iter().any(|name| is_missing(name))).collect();
    parts.into_iter()
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
        windows: Vec::new(),
    }));
    true
}

/// Functions that a module declares and has no code for.
fn missing(module: &Module) -> impl Iterator<Item = &str> {
    module.symbols.iter().filter_map(|symbol| match symbol.kind {
        SymbolKind::Function(id) if !module.functions[id].is_defined() => Some(module.str(symbol.name)),
        _ => None,
    })
}
