//! The model as text: functions, and under each source line the instructions that it became.

use crate::escape::Shown;
use crate::model::{Function, Instruction, Model, Place, Variable};
use std::fmt::{self, Write};

/// The whole model. `summary` leaves out the bodies.
pub fn write(model: &Model, summary: bool) -> String {
    let model = &model.escaped();
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_model(&mut out, model, summary);
    out
}

fn write_model(out: &mut String, model: &Model, summary: bool) -> fmt::Result {
    header(out, model)?;
    if summary {
        table(out, model)?;
    } else {
        for function in &model.functions {
            body(out, model, function)?;
        }
    }
    globals(out, model, summary)?;
    outside(out, model)?;
    if !model.unsupported.is_empty() {
        writeln!(out, "\nunsupported (an error only where a path reaches it)")?;
        for item in &model.unsupported {
            writeln!(out, "  {:<24} in {}: {}", place(item.place.as_ref()), item.function, item.text)?;
        }
    }
    for note in &model.notes {
        writeln!(out, "\nnote: {note}")?;
    }
    Ok(())
}

fn header(out: &mut String, model: &Model) -> fmt::Result {
    let t = model.totals;
    writeln!(
        out,
        "{}: {} with {}, {}{}",
        model.input,
        count(t.functions, "function"),
        count(t.blocks, "block"),
        count(t.instructions, "instruction"),
        if t.unsupported == 0 { String::new() } else { format!(", {} unsupported", t.unsupported) },
    )?;
    if model.functions.len() != t.functions {
        writeln!(out, "shown here: {}", count(model.functions.len(), "function"))?;
    }
    let mut compilers: Vec<&str> = model.units.iter().filter_map(|unit| unit.producer.as_deref()).collect();
    compilers.sort_unstable();
    compilers.dedup();
    let target = if model.triple.is_empty() { "unknown target" } else { &model.triple };
    match compilers.as_slice() {
        [] => writeln!(out, "{target}, no debug info: shown by instruction instead of line"),
        some => writeln!(out, "{target}, {}", some.join("; ")),
    }
}

fn table(out: &mut String, model: &Model) -> fmt::Result {
    writeln!(out)?;
    for function in &model.functions {
        let instructions: usize =
            function.blocks.iter().map(|b| b.instructions.iter().filter(|i| !i.marker).count()).sum();
        writeln!(
            out,
            "  {:<24} {:>4} blocks {:>6} instructions  {}",
            place(function.place.as_ref()),
            function.blocks.len(),
            instructions,
            function.name
        )?;
    }
    Ok(())
}

fn body(out: &mut String, model: &Model, function: &Function) -> fmt::Result {
    let local = if function.local { "  (local)" } else { "" };
    let values: Vec<String> = function.parameters.iter().map(|p| format!("{}: {}", p.value, p.ty)).collect();
    writeln!(out, "\n{}({}) -> {}{local}", function.name, values.join(", "), function.returns)?;
    if function.symbol != function.name {
        writeln!(out, "  symbol     {}", function.symbol)?;
    }
    writeln!(out, "  defined    {}", place(function.place.as_ref()))?;
    for (title, parameter) in [("parameters", true), ("variables", false)] {
        let list: Vec<String> =
            function.variables.iter().filter(|v| (v.parameter > 0) == parameter).map(variable).collect();
        if !list.is_empty() {
            writeln!(out, "  {title:<10} {}", list.join(", "))?;
        }
    }
    let mut shown: Option<&Place> = None;
    for block in &function.blocks {
        writeln!(out, "  {}:", block.label)?;
        // Each block repeats its first line, so it can be read on its own.
        shown = shown.filter(|_| false);
        for instruction in &block.instructions {
            if let Some(at) = instruction.place.as_ref()
                && !shown.is_some_and(|last| same_line(last, at))
            {
                source_line(out, model, at, instruction)?;
                shown = Some(at);
            }
            let mark = if instruction.unsupported { "unsupported: " } else { "" };
            writeln!(out, "        {mark}{}", instruction.text)?;
        }
    }
    Ok(())
}

fn source_line(out: &mut String, model: &Model, at: &Place, instruction: &Instruction) -> fmt::Result {
    let text = model.sources.get(&at.file).and_then(|lines| lines.get(&at.line)).map_or("", |line| line.trim());
    let inlined = match instruction.inlined_at.first() {
        Some(outer) => format!("  (inlined at {})", place(Some(outer))),
        None => String::new(),
    };
    let line = format!("    {}  {text}{inlined}", place(Some(at)));
    writeln!(out, "{}", line.trim_end())
}

fn variable(variable: &Variable) -> String {
    let inlined = match &variable.inlined_from {
        Some(function) => format!(" (inlined from {function})"),
        None => String::new(),
    };
    format!("{}: {}{inlined}", variable.name, variable.ty)
}

fn globals(out: &mut String, model: &Model, summary: bool) -> fmt::Result {
    if model.globals.is_empty() {
        return Ok(());
    }
    let (shown, hidden): (Vec<_>, Vec<_>) =
        model.globals.iter().partition(|global| !summary && (global.place.is_some() || !global.constant));
    writeln!(out, "\nglobals ({})", model.globals.len())?;
    for global in shown {
        let constant = if global.constant { "constant " } else { "" };
        let size = global.bytes.map_or(String::new(), |bytes| format!(", {}", count(bytes as usize, "byte")));
        let defined = if global.defined { "" } else { ", defined elsewhere" };
        writeln!(
            out,
            "  {:<24} {constant}{}: {}{size}{defined}",
            place(global.place.as_ref()),
            global.name,
            global.ty
        )?;
    }
    if !hidden.is_empty() && !summary {
        writeln!(out, "  and {} without a name in the source", count(hidden.len(), "constant"))?;
    }
    Ok(())
}

fn outside(out: &mut String, model: &Model) -> fmt::Result {
    if model.outside.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = model.outside.iter().map(|function| function.name.as_str()).collect();
    writeln!(out, "\ncalled, defined elsewhere ({})\n  {}", names.len(), names.join(", "))
}

fn same_line(a: &Place, b: &Place) -> bool {
    a.line == b.line && a.file == b.file
}

/// `file.c:12`, with the file's own name only.
fn place(place: Option<&Place>) -> String {
    match place {
        None => "-".to_string(),
        Some(place) => {
            let name = place.file.rsplit(['/', '\\']).next().unwrap_or(&place.file);
            format!("{name}:{}", place.line)
        }
    }
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
