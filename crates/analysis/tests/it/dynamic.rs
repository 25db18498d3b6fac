//! The analyses against what really happens when a program runs.
//!
//! Every access must meet an object that points-to foresaw, every read a write that memory dependence foresaw, every
//! call a function that the call graph has. Then single instances of instructions are disturbed: whatever has other
//! values afterwards must be in the forward slice and among what the disturbed one influences, and the disturbed one in
//! its backward slice.

use crate::interpreter::{Disturbance, Interpreter, Stop, Trace};
use analysis::demand::{Goals, demand};
use analysis::facts::{Facts, KnownFunctions};
use analysis::influence::{Cause, Influence, Start, Upward, influence};
use analysis::points_to::{OUTSIDE, Scope};
use analysis::slice::{Node, Slicer};
use ir::id::{FuncId, Id, InstId};
use ir::module::Module;
use ir::print::listing::Lister;

/// What was checked.
#[derive(Debug, Default)]
pub struct Checked {
    pub programs: usize,
    pub disturbances: usize,
    pub differences: usize,
    /// Instructions in forward slices, and instructions of the programs, summed up over all disturbances.
    pub sliced: usize,
    /// The same for what is influenced.
    pub influenced: usize,
    pub all: usize,
    pub skipped: Vec<(String, Stop)>,
}

/// Runs `main` and checks all that was found out about it.
pub fn check_program(module: &Module, name: &str, disturbances: usize, checked: &mut Checked) {
    let main = module.functions.ids().find(|&id| module.function_name(id) == "main").unwrap();
    let mut first = Interpreter::new(module, None);
    match first.run(main) {
        Ok(_) | Err(Stop::Exit) => {}
        Err(stop) => return checked.skipped.push((name.to_string(), stop)),
    }
    checked.programs += 1;
    for scope in [Scope::Library, Scope::Program(vec![main])] {
        let facts = Facts::new(module, &scope);
        let mut slicer = Slicer::new(&facts);
        let mut functions = KnownFunctions::default();
        check_trace(&mut slicer, &first.trace, name);
        let mut random = Random(1);
        let executed: Vec<_> = first.trace.values.iter().filter(|(_, values)| !values.is_empty()).collect();
        for _ in 0..disturbances {
            let (&(function, inst), values) = executed[random.below(executed.len())];
            let instance = random.below(values.len());
            let bits = if random.below(2) == 0 { 1 } else { 1 << random.below(31) };
            let disturbance = Disturbance { function, inst, instance, bits };
            let mut second = Interpreter::new(module, Some(disturbance));
            if let Ok(_) | Err(Stop::Exit) = second.run(main) {
                checked.disturbances += 1;
                let start = Start { insts: vec![(function, Cause::Own, inst)], ..Start::default() };
                let influence = influence(&facts, &mut functions, &start, &Start::default(), Upward::Callers);
                checked.differences +=
                    compare(&mut slicer, &mut functions, &influence, name, &first.trace, &second.trace, disturbance);
                let insts = |id: FuncId| (0..module.functions[id].insts.len()).map(InstId::from_index);
                let influenced = |id: FuncId| insts(id).filter(|&inst| depends(&influence, id, inst)).count();
                checked.influenced += module.functions.ids().map(influenced).sum::<usize>();
                let slice = slicer.forward(&[Node::Inst(function, inst)]);
                checked.sliced += slice.nodes.keys().filter(|node| matches!(node, Node::Inst(..))).count();
                checked.all += module.functions.iter().map(|function| function.insts.len()).sum::<usize>();
            }
        }
    }
}

fn check_trace(slicer: &mut Slicer, trace: &Trace, name: &str) {
    let facts = slicer.facts;
    let module = facts.module;
    for &(function, ptr, kind, offset) in &trace.targets {
        let targets = facts.points_to.of(function, ptr);
        let foreseen = targets.iter().any(|target| {
            let object = &facts.points_to.objects[target.object];
            object.kind == kind && target.offset.is_none_or(|known| known == offset)
        });
        let escaped = facts.points_to.objects.iter().any(|object| object.kind == kind && object.escapes);
        let outside = targets.iter().any(|target| target.object == OUTSIDE);
        assert!(
            foreseen || outside && escaped,
            "{name}: {ptr:?} in {} points to {kind:?} + {offset}, not only to {targets:?}\n{}",
            module.function_name(function),
            listing(module, function),
        );
    }
    for &(function, inst, target) in &trace.calls {
        let site = facts.calls.site(function, inst).unwrap();
        assert!(site.targets.contains(&target), "{name}: {inst:?} calls {}", module.function_name(target));
    }
    for &(function, inst, source) in &trace.sources {
        let known = slicer.function(function);
        let sources = known.memory.sources.get(&inst).cloned().unwrap_or_default();
        assert!(
            sources.contains(&source),
            "{name}: {inst:?} in {} reads what {source:?} wrote, not only {sources:?}\n{}",
            module.function_name(function),
            listing(module, function),
        );
    }
}

/// Whether an instruction itself depends on the start in some call.
fn depends(influence: &Influence, function: FuncId, inst: InstId) -> bool {
    influence.of_function(function).any(|(_, set)| set.insts.contains(inst.index()))
}

fn compare(
    slicer: &mut Slicer,
    functions: &mut KnownFunctions,
    influence: &Influence,
    name: &str,
    first: &Trace,
    second: &Trace,
    disturbance: Disturbance,
) -> usize {
    let start = Node::Inst(disturbance.function, disturbance.inst);
    let slice = slicer.forward(&[start]);
    let nothing = Vec::new();
    let keys: std::collections::BTreeSet<_> = first.values.keys().chain(second.values.keys()).copied().collect();
    let differs = |key: &(FuncId, InstId)| {
        first.values.get(key).unwrap_or(&nothing) != second.values.get(key).unwrap_or(&nothing)
    };
    let mut count = 0;
    for (function, inst) in keys.into_iter().filter(differs) {
        count += 1;
        let module = slicer.facts.module;
        assert!(
            slice.has(function, inst),
            "{name}: {inst:?} of {} depends on {:?} of {}\n{}\n{}",
            module.function_name(function),
            disturbance,
            module.function_name(disturbance.function),
            listing(module, disturbance.function),
            listing(module, function),
        );
        assert!(
            depends(influence, function, inst),
            "{name}: {inst:?} of {} is influenced by {:?} of {}\n{}\n{}",
            module.function_name(function),
            disturbance,
            module.function_name(disturbance.function),
            listing(module, disturbance.function),
            listing(module, function),
        );
        if count % 7 == 1 {
            let goals = Goals { insts: vec![(function, inst)], ..Goals::default() };
            let needed = demand(slicer.facts, functions, &goals, None);
            let has = needed.has(disturbance.function, disturbance.inst);
            assert!(has, "{name}: demand of {function:?} {inst:?} misses {start:?}");
            let back = slicer.backward(&[Node::Inst(function, inst)]);
            assert!(back.nodes.contains_key(&start), "{name}: backward from {function:?} {inst:?} misses {start:?}");
        }
    }
    count
}

fn listing(module: &Module, function: FuncId) -> String {
    let listing = Lister::new(module).function(function);
    let mut text = format!("function {}\n", module.function_name(function));
    for block in listing.blocks {
        text += &format!("{}:\n", block.label);
        for (inst, line) in block.insts {
            text += &format!("    {inst:?}\t{line}\n");
        }
    }
    text
}

/// A generator of numbers that only look random.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}
