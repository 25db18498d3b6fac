//! Where functions are entered and left: what everything that goes from call to call asks again and again.

use crate::facts::Facts;
use crate::id::LocationId;
use crate::points_to::ObjectKind;
use ir::attrs::AttrFlag;
use ir::id::{Arena, FuncId, InstId};
use ir::inst::InstKind;
use ir::module::Module;
use rustc_hash::{FxHashMap, FxHashSet};

/// A call, by its function.
pub type Site = (FuncId, InstId);

/// Where functions are entered and left.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// Call sites that may call something unknown.
    pub unknown: Vec<Site>,
    /// Functions that may be called from there.
    pub from_outside: FxHashSet<FuncId>,
    /// For each function where it returns.
    pub returns: Arena<FuncId, Vec<InstId>>,
    /// For each function where it may be left other than by returning, ascending.
    pub leaves: Arena<FuncId, Vec<InstId>>,
    /// For each function the calls that may come back a second time: `setjmp`.
    pub again: Arena<FuncId, Vec<InstId>>,
    /// What the loader runs before `main`, `main`, and what it runs behind it: each finds memory as those before it left it.
    pub stages: Vec<Vec<FuncId>>,
    /// For each variadic function the locations of its variadic arguments.
    pub variadic: FxHashMap<FuncId, Vec<LocationId>>,
}

impl Boundary {
    /// Looks at all functions of a module.
    pub fn new(facts: &Facts) -> Boundary {
        let unknown = facts.calls.sites.iter().filter(|site| site.unknown).map(|site| (site.caller, site.inst));
        let mut boundary = Boundary {
            unknown: unknown.collect(),
            from_outside: facts.calls.from_outside.iter().copied().collect(),
            returns: Arena::new(),
            leaves: Arena::new(),
            again: Arena::new(),
            stages: stages(facts.module),
            variadic: FxHashMap::default(),
        };
        if boundary.unknown.is_empty() {
            boundary.from_outside.clear();
        }
        for (id, function) in facts.module.functions.iter_ids() {
            let matching = |test: &dyn Fn(InstId, &InstKind) -> bool| {
                let found = function.body().filter(|(_, inst, data)| test(*inst, &data.kind));
                let mut found: Vec<InstId> = found.map(|(_, inst, _)| inst).collect();
                found.sort_unstable();
                found
            };
            boundary.returns.push(matching(&|_, kind| matches!(kind, InstKind::Ret(_))));
            boundary.leaves.push(matching(&|inst, kind| match kind {
                InstKind::Resume(_) => true,
                InstKind::Call(_) => facts.end_of_call(id, inst).may_not_return(),
                InstKind::Invoke { .. } => facts.end_of_call(id, inst).exits,
                _ => false,
            }));
            boundary.again.push(matching(&|_, kind| comes_back_again(facts, kind)));
        }
        for (id, location) in facts.effects.locations.iter_ids() {
            if let ObjectKind::Variadic(function) = facts.points_to.objects[location.object].kind {
                boundary.variadic.entry(function).or_default().push(id);
            }
        }
        boundary
    }
}

fn stages(module: &Module) -> Vec<Vec<FuncId>> {
    let is_main = |id: &FuncId| module.function_name(*id) == "main" && module.functions[*id].is_defined();
    vec![module.constructors(), module.functions.ids().filter(is_main).collect(), module.destructors()]
}

fn comes_back_again(facts: &Facts, kind: &InstKind) -> bool {
    let module = facts.module;
    let has = |attrs| module.attrs[attrs].has(AttrFlag::ReturnsTwice);
    let callee = module.called_function(kind).map(|callee| module.functions[callee].attrs);
    kind.call().is_some_and(|call| has(call.attrs)) || callee.is_some_and(has)
}
