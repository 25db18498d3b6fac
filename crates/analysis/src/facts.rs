//! All analyses of a module, and all of a function, in the order in which they need each other.

use crate::calls::{CallGraph, call_graph};
use crate::cfg::{Cfg, cfg};
use crate::control::{ControlDependence, Joins, control_dependence, joins};
use crate::effects::{Effects, effects};
use crate::ends::{CallEnd, Ends, ends};
use crate::externals::{External, externals};
use crate::locations::Overlaps;
use crate::loops::{Loops, loops};
use crate::memory::{Context, MemoryDependence, memory_dependence};
use crate::mod_ref::{ModRef, mod_ref};
use crate::points_to::{PointsTo, Scope, points_to};
use crate::post_dominators::PostDominators;
use crate::uses::{Uses, uses};
use ir::dominators::Dominators;
use ir::id::{Arena, FuncId, InstId};
use ir::module::Module;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of a module as a whole.
#[derive(Clone, Debug)]
pub struct Facts<'m> {
    /// Module, with stack variables promoted.
    pub module: &'m Module,
    /// What functions without a body do.
    pub externals: Arena<FuncId, Option<External>>,
    /// What pointers may point to.
    pub points_to: PointsTo,
    /// Who calls whom.
    pub calls: CallGraph,
    /// Which calls come back.
    pub ends: Ends,
    /// What instructions read and write by themselves.
    pub effects: Effects,
    /// Which locations overlap.
    pub overlaps: Overlaps,
    /// What calls read and write.
    pub mod_ref: ModRef,
}

/// What is known of one function.
#[derive(Clone, Debug)]
pub struct FunctionFacts {
    /// Control flow.
    pub cfg: Cfg,
    /// Which nodes lie on every way to a node.
    pub dominators: Dominators,
    /// Which nodes lie on every way from a node.
    pub post_dominators: PostDominators,
    /// Which decisions a node depends on.
    pub control: ControlDependence,
    /// Which decisions phis depend on.
    pub joins: Joins,
    /// Loops.
    pub loops: Loops,
    /// Who uses a value.
    pub uses: Uses,
    /// Which writes a read may see.
    pub memory: MemoryDependence,
}

/// What is known of functions of one module, each analysed when it is first asked for.
#[derive(Clone, Debug, Default)]
pub struct KnownFunctions {
    of: FxHashMap<FuncId, Rc<FunctionFacts>>,
}

impl KnownFunctions {
    /// What is known of a function that has a body; `facts` are always those of the same module.
    pub fn get(&mut self, facts: &Facts, id: FuncId) -> Rc<FunctionFacts> {
        self.of.entry(id).or_insert_with(|| Rc::new(facts.function(id))).clone()
    }
}

impl<'m> Facts<'m> {
    /// Analyses a module as a whole.
    pub fn new(module: &'m Module, scope: &Scope) -> Facts<'m> {
        let externals = externals(module);
        let points_to = points_to(module, &externals, scope);
        let calls = call_graph(module, &externals, &points_to, scope);
        let ends = ends(module, &externals, &calls);
        let effects = effects(module, &externals, &points_to, &calls);
        let overlaps = Overlaps::new(&effects.locations, &points_to);
        let mod_ref = mod_ref(module, &points_to, &calls, &effects, &overlaps);
        Facts { module, externals, points_to, calls, ends, effects, overlaps, mod_ref }
    }

    /// Analyses one function that has a body.
    pub fn function(&self, id: FuncId) -> FunctionFacts {
        let function = &self.module.functions[id];
        let cfg = cfg(function, |inst| self.end_of_call(id, inst));
        let dominators = Dominators::new(&cfg, 0);
        let post_dominators = PostDominators::of_cfg(&cfg);
        let control = control_dependence(&cfg, &post_dominators);
        let joins = joins(function, &cfg, &control);
        let loops = loops(&cfg, &dominators);
        let memory = memory_dependence(self.memory_context(), id, &cfg, &loops);
        FunctionFacts { cfg, dominators, post_dominators, control, joins, loops, uses: uses(function), memory }
    }

    /// How a call or invoke may end.
    pub fn end_of_call(&self, function: FuncId, inst: InstId) -> CallEnd {
        self.ends.of_call(self.module, &self.calls, function, inst)
    }

    fn memory_context(&self) -> Context<'_> {
        Context {
            module: self.module,
            points_to: &self.points_to,
            calls: &self.calls,
            effects: &self.effects,
            overlaps: &self.overlaps,
            mod_ref: &self.mod_ref,
        }
    }
}
