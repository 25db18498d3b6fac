//! `pathshift ir`: the program model as we understand it, as a [`Model`].

use build::Built;
use ir::demangle::{demangle, function_display_name};
use ir::id::{FuncId, LocId, VarId};
use ir::inst::InstKind;
use ir::module::{Function, Module};
use ir::print::listing::Lister;
use report::escape::source_line;
use report::model::{
    Block, Global, Instruction, Model, Outside, Parameter, Place, SCHEMA, Totals, Unit, Unsupported, Variable,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The model of what was built; `chosen` are the functions to show, all of them if empty.
pub fn inspect(input: &str, built: &Built, promoted: usize, chosen: &[FuncId]) -> Model {
    let module = &built.module;
    let all: Vec<FuncId>;
    let shown = if chosen.is_empty() {
        all = module.functions.iter_ids().filter(|(_, f)| f.is_defined()).map(|(id, _)| id).collect();
        &all
    } else {
        chosen
    };
    let mut model = Model {
        schema: SCHEMA,
        input: input.to_string(),
        triple: module.triple.clone(),
        units: units(module),
        totals: totals(module, promoted),
        functions: Vec::new(),
        outside: Vec::new(),
        globals: if chosen.is_empty() { globals(module) } else { Vec::new() },
        unsupported: Vec::new(),
        notes: notes(built),
        sources: BTreeMap::new(),
    };
    let mut outside = BTreeSet::new();
    let mut lister = Lister::new(module);
    for &id in shown {
        let function = &module.functions[id];
        model.functions.push(describe(module, &mut lister, id));
        let name = function_display_name(module, id);
        for (_, _, inst) in function.body() {
            if let Some(text) = module.unsupported(&inst.kind) {
                model.unsupported.push(Unsupported {
                    function: name.clone(),
                    text: text.to_string(),
                    place: inst.loc.and_then(|loc| place(module, loc)),
                });
            }
            if let Some(callee) = module.called_function(&inst.kind)
                && !module.functions[callee].is_defined()
            {
                let symbol = module.function_name(callee).to_string();
                outside.insert(Outside { name: demangle(&symbol), symbol });
            }
        }
    }
    model.outside = outside.into_iter().collect();
    model.sources = sources(&model);
    model
}

fn units(module: &Module) -> Vec<Unit> {
    let text = |id: Option<ir::id::StrId>| id.map(|id| module.str(id).to_string());
    let unit = |unit: &ir::module::Unit| Unit {
        source: module.str(unit.source).to_string(),
        producer: text(unit.producer),
        language: text(unit.language),
    };
    module.units.iter().map(unit).collect()
}

fn totals(module: &Module, promoted: usize) -> Totals {
    let mut totals = Totals { globals: module.globals.len(), promoted, ..Totals::default() };
    for function in module.functions.iter() {
        if !function.is_defined() {
            totals.outside += 1;
            continue;
        }
        totals.functions += 1;
        totals.blocks += function.blocks.len();
        for (_, _, inst) in function.body() {
            if !matches!(inst.kind, InstKind::Marker(_)) {
                totals.instructions += 1;
                totals.unsupported += usize::from(module.unsupported(&inst.kind).is_some());
            }
        }
    }
    totals
}

fn notes(built: &Built) -> Vec<String> {
    let of_text = built.module.notes.iter().map(|note| format!("IR line {}: {}", note.line, note.message));
    built.notes.iter().cloned().chain(of_text).collect()
}

fn describe(module: &Module, lister: &mut Lister<'_>, id: FuncId) -> report::model::Function {
    let function = &module.functions[id];
    let listed = lister.function(id);
    let scope = function.scope;
    let debug = &module.debug;
    let place = scope.and_then(|scope| {
        let file = debug.file_of(scope)?;
        Some(Place { file: debug.file_path(&module.strings, file), line: debug.scopes[scope].line, column: 0 })
    });
    report::model::Function {
        name: function_display_name(module, id),
        symbol: module.function_name(id).to_string(),
        place,
        local: module.symbols[function.symbol].linkage.is_local(),
        returns: returns(module, lister, function),
        parameters: listed.params.into_iter().map(|(value, ty)| Parameter { value, ty }).collect(),
        variables: variables(module, function),
        blocks: listed
            .blocks
            .into_iter()
            .map(|block| Block {
                label: block.label,
                instructions: block
                    .insts
                    .into_iter()
                    .map(|(inst, text)| {
                        let inst = &function.insts[inst];
                        let places = inst.loc.map_or_else(Vec::new, |loc| chain(module, loc));
                        let mut places = places.into_iter();
                        Instruction {
                            text,
                            marker: matches!(inst.kind, InstKind::Marker(_)),
                            unsupported: module.unsupported(&inst.kind).is_some(),
                            place: places.next(),
                            inlined_at: places.collect(),
                        }
                    })
                    .collect(),
            })
            .collect(),
    }
}

/// The result's type as the source says it, else as the IR does.
fn returns(module: &Module, lister: &mut Lister<'_>, function: &Function) -> String {
    let debug = &module.debug;
    let source = function.scope.and_then(|scope| match &debug.types[debug.scopes[scope].ty?].kind {
        ir::debug::DebugTypeKind::Function { types } => match types.first() {
            Some(Some(ty)) => Some(debug.type_name(&module.strings, *ty)),
            _ => Some("void".to_string()),
        },
        _ => None,
    });
    let mut ir = || module.types.signature(function.ty).map_or(String::new(), |(ty, ..)| lister.ty(ty));
    source.unwrap_or_else(&mut ir)
}

/// Variables that the function has markers for, parameters first.
fn variables(module: &Module, function: &Function) -> Vec<Variable> {
    let ids: BTreeSet<VarId> = function
        .body()
        .filter_map(|(_, _, inst)| match &inst.kind {
            InstKind::Marker(marker) => Some(marker.variable),
            _ => None,
        })
        .collect();
    let debug = &module.debug;
    let mut variables: Vec<Variable> = ids
        .into_iter()
        .filter_map(|id| {
            let variable = &debug.variables[id];
            let owner = variable.scope.and_then(|scope| debug.function_of(scope));
            let inlined = owner.filter(|_| owner != function.scope);
            Some(Variable {
                parameter: if inlined.is_some() { 0 } else { variable.arg },
                line: variable.line,
                name: module.str(variable.name?).to_string(),
                ty: variable.ty.map_or_else(|| "?".to_string(), |ty| debug.type_name(&module.strings, ty)),
                inlined_from: inlined.map(|scope| debug.qualified_name(&module.strings, scope)),
            })
        })
        .collect();
    variables.sort_by_key(|v| (v.parameter == 0, v.inlined_from.is_some(), v.parameter, v.line, v.name.clone()));
    variables.dedup();
    variables
}

fn globals(module: &Module) -> Vec<Global> {
    let mut lister = Lister::new(module);
    let mut describe = |global: &ir::module::Global| {
        let symbol = module.symbol_name(global.symbol).to_string();
        let variable = global.variable.map(|id| &module.debug.variables[id]);
        let name = variable.and_then(|v| v.name).map(|id| module.str(id).to_string());
        let source_type = variable.and_then(|v| v.ty).map(|ty| module.debug.type_name(&module.strings, ty));
        Global {
            name: name.unwrap_or_else(|| demangle(&symbol)),
            symbol,
            ty: source_type.unwrap_or_else(|| lister.ty(global.ty)),
            bytes: module.type_layouts.get(global.ty).map(|layout| layout.size),
            constant: global.constant,
            defined: global.initializer.is_some(),
            place: variable.and_then(|v| {
                Some(Place { file: module.debug.file_path(&module.strings, v.file?), line: v.line, column: 0 })
            }),
        }
    };
    module.globals.iter().map(&mut describe).collect()
}

/// Where a location and those it was inlined at are.
fn chain(module: &Module, loc: LocId) -> Vec<Place> {
    module.debug.location_chain(loc).filter_map(|loc| place(module, loc)).collect()
}

fn place(module: &Module, loc: LocId) -> Option<Place> {
    let location = &module.debug.locations[loc];
    let file = module.debug.file_of(location.scope?)?;
    (location.line > 0).then(|| Place {
        file: module.debug.file_path(&module.strings, file),
        line: location.line,
        column: location.column,
    })
}

/// The lines that instructions come from, as far as their files can be read.
fn sources(model: &Model) -> BTreeMap<String, BTreeMap<u32, String>> {
    let mut wanted: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for instruction in model.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions) {
        if let Some(place) = &instruction.place {
            wanted.entry(&place.file).or_default().insert(place.line);
        }
    }
    let mut sources = BTreeMap::new();
    for (file, lines) in wanted {
        // A source that is gone is no error: the model is complete without it.
        let Some(all) = crate::sources::lines(Path::new(file)) else { continue };
        let lines = (1u32..).zip(&all).filter(|(number, _)| lines.contains(number));
        let lines = lines.map(|(number, line)| (number, source_line(line.trim()))).collect();
        sources.insert(file.to_string(), lines);
    }
    sources
}
