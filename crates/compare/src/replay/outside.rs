//! What a program uses and nobody brings: functions answer what the case says, variables begin as zero.

use std::collections::BTreeSet;

use ir::attrs::AttrFlag;
use ir::id::{Arena, FuncId, SymbolId, TypeId};
use ir::module::{Linkage, Module, SymbolKind};
use ir::types::Type;

use super::emit::{self, Body};
use super::instrument::lay_out;
use super::wire::Symbols;

/// A function outside of the program.
#[derive(Clone, Debug)]
pub struct Outside {
    /// Types of its fixed parameters.
    pub params: Vec<TypeId>,
    /// Where each lies in a record.
    pub offsets: Vec<u64>,
    /// Type of its result; none if it has none.
    pub result: Option<TypeId>,
}

/// A module that defines what is missing, and what can be told of each function in it by number of its symbol.
pub struct Missing {
    /// The module as LLVM IR.
    pub text: String,
    /// Functions by number.
    pub functions: Vec<(u64, Outside)>,
    /// Numbers of variables.
    pub variables: Vec<u64>,
}

/// Whether any of the names is a function or variable that `module` only declares.
pub fn declares_any(module: &Module, names: &BTreeSet<String>) -> bool {
    missing_symbols(module, names).next().is_some()
}

/// Gives functions that answer what a case says, although a library brings them, names of their own: the runtime and other
/// libraries go on calling the library's.
pub fn rename(module: &mut Module, names: &BTreeSet<String>) {
    missing_symbols(module, names).collect::<Vec<_>>().into_iter().for_each(|id| rename_one(module, id));
}

fn rename_one(module: &mut Module, id: SymbolId) {
    // No compiler makes such a name.
    let name = format!("outside:{}", module.symbol_name(id));
    module.symbols[id].name = module.strings.intern_str(&name);
}

/// Defines the symbols of these names that `module` only declares, those in `renamed` as [`rename`] calls them. Functions for which `is_answered` does not hold end a run that
/// calls them.
pub fn define(
    module: &Module,
    symbols: &Symbols,
    names: &BTreeSet<String>,
    renamed: &BTreeSet<String>,
    is_answered: impl Fn(&str) -> bool,
) -> Missing {
    let wanted: Vec<SymbolId> = missing_symbols(module, names).collect();
    let mut only = module.clone();
    // Everything else is elsewhere.
    for function in only.functions.iter_mut() {
        function.blocks = Arena::new();
        function.insts = Arena::new();
        function.personality = None;
    }
    only.globals.iter_mut().for_each(|global| global.initializer = None);
    only.assembly.clear();
    let runtime = runtime_functions(&mut only);
    let (mut functions, mut variables) = (Vec::new(), Vec::new());
    for id in wanted {
        let name = module.symbol_name(id);
        let Some(&number) = symbols.numbers.get(name) else { continue };
        only.symbols[id].linkage = Linkage::External;
        if renamed.contains(name) {
            rename_one(&mut only, id);
        }
        match only.symbols[id].kind {
            SymbolKind::Variable(global) => {
                let ty = only.globals[global].ty;
                if module.type_layouts.get(ty).is_none() {
                    continue;
                }
                only.globals[global].initializer = Some(only.consts.intern(emit::zero(&only.types, ty)));
                only.globals[global].constant = false;
                variables.push(number);
            }
            SymbolKind::Function(function) if !is_answered(name) => refusing_body(&mut only, function),
            SymbolKind::Function(function) => {
                if let Some(outside) = answering_body(&mut only, function, runtime, number) {
                    functions.push((number, outside));
                }
            }
            _ => {}
        }
    }
    only.type_layouts.extend(&only.types, &only.layout);
    Missing { text: ir::print::print(&only), functions, variables }
}

fn missing_symbols<'a>(module: &'a Module, names: &'a BTreeSet<String>) -> impl Iterator<Item = SymbolId> + 'a {
    module.symbols.iter_ids().filter_map(|(id, symbol)| {
        let declared = match symbol.kind {
            SymbolKind::Function(function) => !module.functions[function].is_defined(),
            SymbolKind::Variable(global) => module.globals[global].initializer.is_none(),
            _ => false,
        };
        (declared && names.contains(module.str(symbol.name))).then_some(id)
    })
}

/// The functions of the runtime that an [`answering_body`] calls.
pub fn runtime_functions(module: &mut Module) -> [FuncId; 2] {
    let answer = answer_function(module);
    let void = module.types.void();
    [answer, emit::function(module, "pathshift_never_returns", void, &[])]
}

fn answer_function(module: &mut Module) -> FuncId {
    let (void, ptr, i64) = (module.types.void(), module.types.ptr(), module.types.int(64));
    emit::function(module, "pathshift_outside", void, &[i64, ptr, i64, ptr, i64])
}

/// A body that ends the run.
fn refusing_body(module: &mut Module, function: FuncId) {
    let void = module.types.void();
    let refuse = emit::function(module, "pathshift_nobody_has", void, &[]);
    let result = module.types.signature(module.functions[function].ty).map(|(result, ..)| result);
    let returned = result.filter(|&result| module.types[result] != Type::Void);
    let nothing = returned.map(|ty| module.consts.intern(emit::zero(&module.types, ty)));
    let mut body = Body::new(module, function);
    body.call(refuse, &[]);
    body.ret(nothing.map(ir::inst::Value::Const));
}

/// A body that records the arguments and returns what the runtime answers.
pub fn answering_body(module: &mut Module, function: FuncId, runtime: [FuncId; 2], number: u64) -> Option<Outside> {
    let [answer, give_up] = runtime;
    let params: Vec<TypeId> = module.functions[function].params.iter().map(|param| param.ty).collect();
    let (offsets, size) = lay_out(module, &params)?;
    let (result, ..) = module.types.signature(module.functions[function].ty)?;
    let returns = module.types[result] != Type::Void;
    let result_size = if returns { module.type_layouts.get(result)?.size } else { 0 };
    let never_returns = module.attrs[module.functions[function].attrs].has(AttrFlag::NoReturn);
    let mut body = Body::new(module, function);
    let (recorded, answered) = (body.buffer(size), body.buffer(result_size));
    // Between arguments lies what was on the stack before, which might look like an address.
    let nothing = body.zeros(size);
    body.store(nothing, recorded, 0);
    for (index, &offset) in (0..).zip(&offsets) {
        body.store(ir::inst::Value::Arg(index), recorded, offset);
    }
    let [number, size, result_size] = [number, size, result_size].map(|word| emit::int(body.module, 64, word));
    body.call(answer, &[number, recorded, size, answered, result_size]);
    if never_returns {
        // Whoever calls it counts on that.
        body.call(give_up, &[]);
    }
    let value = returns.then(|| body.load(result, answered, 0));
    body.ret(value);
    Some(Outside { params, offsets, result: returns.then_some(result) })
}
