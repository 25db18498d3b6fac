//! All analyses of sqlite's IR: `cargo bench -p pathshift-analysis --bench sqlite -- FILE.ll`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

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
    for scope in [analysis::points_to::Scope::Library] {
        let externals = analysis::externals::externals(&module);
        clock.lap("externals");
        let points_to = analysis::points_to::points_to(&module, &externals, &scope);
        clock.lap("points-to");
        let calls = analysis::calls::call_graph(&module, &externals, &points_to, &scope);
        clock.lap("calls");
        let ends = analysis::ends::ends(&module, &externals, &calls);
        clock.lap("ends");
        let effects = analysis::effects::effects(&module, &externals, &points_to, &calls);
        clock.lap("effects");
        let overlaps = analysis::locations::Overlaps::new(&effects.locations, &points_to);
        clock.lap("overlaps");
        let mod_ref = analysis::mod_ref::mod_ref(&module, &points_to, &calls, &effects, &overlaps);
        clock.lap("mod_ref");
        println!(
            "objects {} escaped {}",
            points_to.objects.len(),
            points_to.objects.iter().filter(|o| o.escapes).count()
        );
        println!(
            "sites {} indirect {} edges {}",
            calls.sites.len(),
            calls.sites.iter().filter(|s| s.indirect).count(),
            calls.sites.iter().map(|s| s.targets.len()).sum::<usize>()
        );
        println!("locations {} ", effects.locations.len());
        println!("noreturn {} ", ends.of.iter().filter(|e| !e.returns).count());
        println!("unknown {} ", mod_ref.of.iter().filter(|e| e.unknown).count());
        let facts = analysis::facts::Facts::new(&module, &scope);
        clock.lap("all facts");
        let mut pairs = 0;
        let mut worst = (0, String::new());
        for id in module.functions.ids().filter(|&id| module.functions[id].is_defined()) {
            let start = Instant::now();
            let f = facts.function(id);
            pairs += f.memory.sources.values().map(Vec::len).sum::<usize>();
            worst = worst.max((start.elapsed().as_millis(), module.function_name(id).to_string()));
        }
        clock.lap("functions");
        println!("memory pairs {pairs} worst {worst:?}");
        println!("components {}", calls.bottom_up.len());
    }
    println!("memory: {} MB, before {before} MB", memory());
}

struct Clock(Instant);

impl Clock {
    fn lap(&mut self, what: &str) {
        println!("{what:<12} {:>8.1?}", self.0.elapsed());
        self.0 = Instant::now();
    }
}

/// Most memory that the process ever had, in megabytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<usize>().ok()).unwrap_or(0) / 1024
}
