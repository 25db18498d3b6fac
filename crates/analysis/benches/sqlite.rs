//! All analyses of a large file of IR: `cargo bench -p pathshift-analysis --bench sqlite -- FILE.ll`.
//!
//! Goal for sqlite (35 MB of IR by clang 19 -g -O0): what is known of the module in 3 seconds, of all functions in 3 more,
//! and slices from anywhere in 2.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

use analysis::calls::call_graph;
use analysis::effects::effects;
use analysis::ends::ends;
use analysis::externals::externals;
use analysis::facts::Facts;
use analysis::hazards::hazards;
use analysis::locations::Overlaps;
use analysis::mod_ref::mod_ref;
use analysis::points_to::{Scope, points_to};
use analysis::slice::{Direction, Node, Slicer};
use ir::inst::InstKind;
use std::time::Instant;

fn main() {
    let Some(path) = std::env::args().skip(1).find(|arg| arg.ends_with(".ll")) else {
        return println!("name a file of LLVM IR");
    };
    let mut clock = Clock(Instant::now());
    let text = std::fs::read_to_string(path).unwrap();
    let mut module = ir::parse::parse(&text).unwrap();
    drop(text);
    clock.lap("parse");
    ir::promote::promote(&mut module);
    clock.lap("promote");
    let before = memory();

    let scope = Scope::Library;
    let externals = externals(&module);
    let points_to = points_to(&module, &externals, &scope);
    clock.lap("points-to");
    let calls = call_graph(&module, &externals, &points_to, &scope);
    clock.lap("calls");
    let ends = ends(&module, &externals, &calls);
    clock.lap("ends");
    let effects = effects(&module, &externals, &points_to, &calls);
    clock.lap("effects");
    let overlaps = Overlaps::new(&effects.locations, &points_to);
    clock.lap("overlaps");
    let mod_ref = mod_ref(&module, &points_to, &calls, &effects, &overlaps);
    clock.lap("mod/ref");
    println!(
        "\n{} objects, {} known outside, {} locations\n{} calls, {} through pointers, {} edges\n",
        points_to.objects.len(),
        points_to.objects.iter().filter(|object| object.escapes).count(),
        effects.locations.len(),
        calls.sites.len(),
        calls.sites.iter().filter(|site| site.indirect).count(),
        calls.sites.iter().map(|site| site.targets.len()).sum::<usize>(),
    );
    let facts = Facts { module: &module, externals, points_to, calls, ends, effects, overlaps, mod_ref };

    clock.lap("");
    hazards(&facts);
    clock.lap("hazards");
    let mut slicer = Slicer::new(&facts);
    let defined: Vec<_> = module.functions.ids().filter(|&id| module.functions[id].is_defined()).collect();
    let pairs: usize =
        defined.iter().map(|&id| slicer.function(id).memory.sources.values().map(Vec::len).sum::<usize>()).sum();
    clock.lap("functions");
    println!("{pairs} pairs of a write and a read\n");

    // From some store, branch or computation of functions all over the module.
    for direction in [Direction::Forward, Direction::Backward] {
        let (mut sizes, mut slowest) = (Vec::new(), 0.0f64);
        for &id in defined.iter().step_by(defined.len().div_ceil(12)) {
            let is_start = |kind: &InstKind| matches!(kind, InstKind::Store { .. } | InstKind::CondBr { .. });
            if let Some((_, inst, _)) = module.functions[id].body().find(|(_, _, inst)| is_start(&inst.kind)) {
                let start = Instant::now();
                let slice = slicer.slice(&[Node::Inst(id, inst)], direction);
                slowest = slowest.max(start.elapsed().as_secs_f64());
                sizes.push(slice.nodes.keys().filter(|node| matches!(node, Node::Inst(..))).count());
            }
        }
        sizes.sort_unstable();
        let middle = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
        println!("{direction:?}: {} slices, median {middle} instructions, slowest {slowest:.2} s", sizes.len());
        clock.lap("slices");
    }
    println!("\nmemory: {} MB, of which {before} MB before", memory());
}

/// Tells how long each step took.
struct Clock(Instant);

impl Clock {
    fn lap(&mut self, what: &str) {
        if !what.is_empty() {
            println!("{what:<12} {:>8.1?}", self.0.elapsed());
        }
        self.0 = Instant::now();
    }
}

/// Most memory that the process ever had, in megabytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<usize>().ok()).unwrap_or(0) / 1024
}
