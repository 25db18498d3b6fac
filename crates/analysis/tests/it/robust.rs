//! Any module can be analysed, whatever is in it, and slices of it end.

use analysis::facts::Facts;
use analysis::hazards::hazards;
use analysis::points_to::Scope;
use analysis::region::region;
use analysis::slice::{Direction, Node, Slicer};
use ir::module::Module;

/// Asks everything of a module, and of some places in every function.
pub fn analyse(module: &Module) {
    for scope in [Scope::Library, Scope::Program(module.functions.ids().take(1).collect())] {
        let facts = Facts::new(module, &scope);
        let known_hazards = hazards(&facts);
        let mut slicer = Slicer::new(&facts);
        for (id, function) in module.functions.iter_ids().filter(|(_, function)| function.is_defined()) {
            let known = slicer.function(id);
            for node in known.cfg.nodes.ids() {
                region(&facts, &known_hazards, id, &known, node);
            }
            let insts: Vec<_> = function.body().map(|(_, inst, _)| inst).collect();
            for &inst in insts.iter().step_by(insts.len() / 3 + 1) {
                for direction in [Direction::Forward, Direction::Backward] {
                    let start = Node::Inst(id, inst);
                    let slice = slicer.slice(&[start], direction);
                    assert!(slice.why(start).len() == 1);
                    for &node in slice.nodes.keys().step_by(slice.nodes.len() / 5 + 1) {
                        assert!(slice.why(node).last().is_some_and(|(end, _)| *end == start), "{node:?}");
                    }
                }
            }
        }
    }
}
