//! Everything that the model does with a text, on a text that may be anything. Shared by the mutation test and the fuzz
//! targets. It panics if a promise is broken: what is read can be printed, what is printed is read again as the same,
//! and nothing on the way panics or makes much of little.

use ir::id::{Arena, FuncId, Id};
use ir::inst::{Callee, InstKind, Value};
use ir::module::{Module, SymbolKind};
use ir::print::listing::Lister;
use ir::{demangle, link, parse, print, promote};

/// How much longer than the text its print may be: a few characters of attributes or a number of a wide vector may stand
/// for many.
const MAX_GROWTH: usize = 256;

/// Sends a text through reading, printing, linking and promotion. Returns whether it is a module.
pub fn run(text: &str) -> bool {
    let Ok(module) = parse::parse(text) else { return false };
    look_at(&module);
    let printed = print_twice(&module);
    assert!(
        printed.len() <= MAX_GROWTH * (text.len() + 1024),
        "{} bytes became {} in the print",
        text.len(),
        printed.len()
    );
    link_with_itself(&module);

    let mut promoted = module;
    promote::promote(&mut promoted);
    look_at(&promoted);
    print_twice(&promoted);
    true
}

/// Prints a module, reads the print and checks that its print is the same, but for comments.
fn print_twice(module: &Module) -> String {
    let first = print::print(module);
    let again = parse::parse(&first).unwrap_or_else(|error| panic!("the print is no module: {error}\n{first}"));
    let second = print::print(&again);
    if !lines(&first).eq(lines(&second)) {
        let (a, b) = lines(&first).zip(lines(&second)).find(|(a, b)| a != b).unwrap_or(("", "(shorter or longer)"));
        panic!("the print of the print differs:\n1: {a}\n2: {b}\n{first}");
    }
    first
}

/// Lines without comments, in which the print shows what it could not say.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with("  ;"))
}

/// Links a module with itself, which mostly fails, and with itself under other names, which must not fail.
fn link_with_itself(module: &Module) {
    let _ = link::link(vec![module.clone(), module.clone()]);
    let mut renamed = module.clone();
    for id in renamed.symbols.ids() {
        let name = renamed.symbol_name(id).to_owned();
        if renamed.symbols[id].kind != SymbolKind::Missing && !name.starts_with("llvm.") {
            renamed.symbols[id].name = renamed.strings.intern_str(&format!("{name}.copy"));
        }
    }
    if let Ok(linked) = link::link(vec![module.clone(), renamed]) {
        look_at(&linked);
        print_twice(&linked);
    }
}

/// Asks a module for all that it knows.
fn look_at(module: &Module) {
    let mut lister = Lister::new(module);
    for (id, function) in module.functions.iter_ids() {
        demangle::function_display_name(module, id);
        let listing = lister.function(id);
        assert_eq!(listing.blocks.len(), function.blocks.len());
        operands_exist(module, id);
    }
    if let Some(id) = module.functions.ids().next() {
        print::print_functions(module, &[id]);
    }
    module.symbols.ids().for_each(|id| drop(demangle::demangle(module.symbol_name(id))));
    look_at_debug_info(module);
}

/// Checks that every operand is there, has a type, and goes to a block that is there.
fn operands_exist(module: &Module, id: FuncId) {
    let function = &module.functions[id];
    for (block, _) in function.blocks.iter_ids() {
        assert!(function.terminator(block).is_some_and(|inst| inst.kind.is_terminator()));
    }
    for (_, _, inst) in function.body() {
        inst.kind.for_each_operand(|value| drop(module.types[module.type_of(function, value)].clone()));
        inst.kind.successors().iter().for_each(|next| assert!(function.blocks.get(*next).is_some()));
        module.called_function(&inst.kind);
        if let InstKind::Call(call) = &inst.kind
            && let Callee::Value(Value::Inst(callee)) = call.callee
        {
            assert!(function.insts.get(callee).is_some());
        }
        if let Some(loc) = inst.loc {
            module.debug.location_chain(loc).count();
        }
    }
}

fn look_at_debug_info(module: &Module) {
    let (debug, strings) = (&module.debug, &module.strings);
    debug.files.ids().for_each(|id| drop(debug.file_path(strings, id)));
    for id in some(&debug.scopes) {
        debug.qualified_name(strings, id);
        debug.function_of(id);
        debug.file_of(id);
    }
    for id in some(&debug.types) {
        debug.type_name(strings, id);
        let bits = debug.bits(id);
        for (offset, size) in [(0, bits), (0, 8), (32, 32), (bits / 2, 1), (u64::MAX - 8, 16)] {
            debug.path_at(strings, id, offset, size);
        }
    }
}

/// The first ids of a table; looking at each costs more than reading it.
fn some<I: Id, T>(table: &Arena<I, T>) -> impl Iterator<Item = I> {
    table.ids().take(200)
}
