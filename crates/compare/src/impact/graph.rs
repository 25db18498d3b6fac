//! A function's control flow as boxes of source lines.

use analysis::cfg::Way;
use analysis::facts::FunctionFacts;
use change::lines::line;
use ir::id::{FuncId, Id};
use ir::inst::InstKind;
use ir::module::Module;
use ir::print::listing::Lister;
use report::impact::{Line, Mark};
use report::impact_graph::{Arrow, Box, Graph};
use std::collections::BTreeMap;

/// The control flow of a function, with the marks of its lines.
pub(super) fn graph(module: &Module, id: FuncId, known: &FunctionFacts, lines: &[Line], source: &[String]) -> Graph {
    let function = &module.functions[id];
    let by_line: BTreeMap<u32, Mark> = lines.iter().filter_map(|line| Some((line.line?, line.mark))).collect();
    let by_text: BTreeMap<&str, Mark> =
        lines.iter().filter_map(|line| Some((line.instruction.as_deref()?, line.mark))).collect();
    let listing = if source.is_empty() { Some(Lister::new(module).function(id)) } else { None };
    let mut graph = Graph::default();
    for (index, block) in function.blocks.iter().enumerate() {
        let mut shown = Box::default();
        match listing.as_ref().and_then(|listing| listing.blocks.get(index)) {
            Some(block) => {
                let mark = |text: &str| by_text.get(text).copied().unwrap_or_default();
                shown.lines = block.insts.iter().map(|(_, text)| (text.clone(), mark(text))).collect();
            }
            None => {
                let mut last = None;
                for &inst in &block.insts {
                    let data = &function.insts[inst];
                    let is_silent =
                        matches!(data.kind, InstKind::Br(_) | InstKind::Phi { .. } | InstKind::Alloca { .. });
                    let Some((_, number)) = data.loc.filter(|_| !is_silent).and_then(|loc| line(module, loc)) else {
                        continue;
                    };
                    if last == Some(number) {
                        continue;
                    }
                    last = Some(number);
                    let text = source.get((number as usize).wrapping_sub(1)).map_or("", |text| text.trim());
                    let mark = by_line.get(&number).copied().unwrap_or_default();
                    shown.lines.push((format!("{number:>4}  {text}"), mark));
                }
            }
        }
        graph.boxes.push(shown);
    }
    for block in function.blocks.ids() {
        for edge in &known.cfg.successors[known.cfg.last_of(block).index()] {
            if let Some(target) = known.cfg.nodes.get(edge.node) {
                let when = way(edge.way).to_owned();
                graph.arrows.push(Arrow { from: block.index(), to: target.block.index(), when });
            }
        }
    }
    graph
}

fn way(way: Way) -> &'static str {
    match way {
        Way::Then => "true",
        Way::Else => "false",
        Way::Default => "default",
        Way::Case(_) => "case",
        Way::Unwinds => "unwinds",
        Way::Next | Way::Target(_) | Way::Returns | Way::Leaves => "",
    }
}
