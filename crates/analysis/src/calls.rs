//! The call graph, one edge per call site.
//!
//! A call through a pointer goes to the functions that the pointer may point to and that fit the call. If the pointer
//! may come from outside, the call may also go outside, or to any function that is visible there or whose address got
//! there. While code outside runs that this module calls, it may call functions whose address it got; that it calls
//! others by their names, as if a library knew the programs that use it, is not assumed.

use crate::externals::External;
use crate::points_to::{OUTSIDE, ObjectKind, PointsTo, Scope};
use ir::dominators::Graph;
use ir::id::{Arena, FuncId, Id, InstId};
use ir::inst::{Call, Callee};
use ir::module::{Function, Module};
use ir::types::Type;
use rustc_hash::FxHashMap;

/// A call and whom it may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Function that has the call.
    pub caller: FuncId,
    /// Call or invoke.
    pub inst: InstId,
    /// Functions that it may call, ascending, with and without a body.
    pub targets: Vec<FuncId>,
    /// Whether it may call something that is not in the module, or nobody knows what.
    pub unknown: bool,
    /// Whether the callee is a pointer.
    pub indirect: bool,
}

/// Who calls whom.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// All call sites, by function and then in order.
    pub sites: Vec<CallSite>,
    /// Positions in `sites` of the calls that each function makes.
    pub from: Arena<FuncId, Vec<usize>>,
    /// Positions in `sites` of the calls that may call each function.
    pub to: Arena<FuncId, Vec<usize>>,
    /// Functions that code outside of the module may call when it is called from here, ascending.
    pub from_outside: Vec<FuncId>,
    /// Functions that call each other, callees in front of their callers. Calls through the outside count too.
    pub bottom_up: Vec<Vec<FuncId>>,
    /// Functions that may call themselves, in any number of steps.
    pub recursive: Arena<FuncId, bool>,
    by_inst: FxHashMap<(FuncId, InstId), usize>,
}

/// The call graph of a module.
pub fn call_graph(
    module: &Module,
    externals: &Arena<FuncId, Option<External>>,
    points_to: &PointsTo,
    scope: &Scope,
) -> CallGraph {
    let from_outside = known_outside(module, points_to);
    let pointed = pointed_from_outside(module, &from_outside, scope);
    let mut sites = Vec::new();
    for (caller, function) in module.functions.iter_ids() {
        for (_, inst, data) in function.body() {
            if let Some(call) = data.kind.call() {
                let direct = module.called_function(&data.kind);
                let mut site = match direct {
                    Some(target) => CallSite { caller, inst, targets: vec![target], unknown: false, indirect: false },
                    None => resolve(module, points_to, &pointed, caller, inst, call),
                };
                site.unknown |= site.targets.iter().any(|&target| is_unknown(module, externals, target));
                sites.push(site);
            }
        }
    }
    let mut from: Arena<FuncId, Vec<usize>> = module.functions.iter().map(|_| Vec::new()).collect();
    let mut to = from.clone();
    let mut by_inst = FxHashMap::default();
    for (position, site) in sites.iter().enumerate() {
        from[site.caller].push(position);
        site.targets.iter().for_each(|&target| to[target].push(position));
        by_inst.insert((site.caller, site.inst), position);
    }
    let mut graph =
        CallGraph { sites, from, to, from_outside, bottom_up: Vec::new(), recursive: Arena::new(), by_inst };
    graph.order(module);
    graph
}

impl CallGraph {
    /// The site of a call or invoke.
    pub fn site(&self, caller: FuncId, inst: InstId) -> Option<&CallSite> {
        self.by_inst.get(&(caller, inst)).map(|&position| &self.sites[position])
    }

    /// The call sites that may call a function.
    pub fn callers(&self, function: FuncId) -> impl Iterator<Item = &CallSite> {
        self.to[function].iter().map(|&position| &self.sites[position])
    }

    fn order(&mut self, module: &Module) {
        let found = crate::components::components(&Calls(self));
        let outside = module.functions.len();
        let functions = |members: &Vec<usize>| {
            let members = members.iter().filter(|&&member| member != outside);
            members.map(|&member| FuncId::from_index(member)).collect()
        };
        self.bottom_up = found.members.iter().map(functions).collect();
        self.bottom_up.retain(|members: &Vec<FuncId>| !members.is_empty());
        self.recursive = module.functions.ids().map(|id| found.cyclic[found.of[id.index()]]).collect();
    }
}

/// Functions by number, then the outside.
struct Calls<'g>(&'g CallGraph);

impl Graph for Calls<'_> {
    fn node_count(&self) -> usize {
        self.0.from.len() + 1
    }

    fn for_each_successor(&self, node: usize, mut visit: impl FnMut(usize)) {
        let outside = self.0.from.len();
        if node == outside {
            return self.0.from_outside.iter().for_each(|target| visit(target.index()));
        }
        for &site in &self.0.from[FuncId::from_index(node)] {
            let site = &self.0.sites[site];
            site.targets.iter().for_each(|target| visit(target.index()));
            if site.unknown {
                visit(outside);
            }
        }
    }
}

/// Functions with a body whose address got outside.
fn known_outside(module: &Module, points_to: &PointsTo) -> Vec<FuncId> {
    let escaped = points_to.objects.iter().filter(|object| object.escapes);
    let functions = escaped.filter_map(|object| match object.kind {
        ObjectKind::Function(id) => Some(id),
        _ => None,
    });
    let mut known: Vec<FuncId> = functions.filter(|&id| module.functions[id].is_defined()).collect();
    known.sort_unstable();
    known
}

/// Functions with a body that a pointer from outside may point to.
fn pointed_from_outside(module: &Module, from_outside: &[FuncId], scope: &Scope) -> Vec<FuncId> {
    let mut known = from_outside.to_vec();
    if *scope == Scope::Library {
        let is_visible = |id: &FuncId| {
            let function = &module.functions[*id];
            function.is_defined() && !module.symbols[function.symbol].linkage.is_local()
        };
        known.extend(module.functions.ids().filter(is_visible));
    }
    known.sort_unstable();
    known.dedup();
    known
}

fn is_unknown(module: &Module, externals: &Arena<FuncId, Option<External>>, target: FuncId) -> bool {
    !module.functions[target].is_defined() && externals[target].is_none()
}

fn resolve(
    module: &Module,
    points_to: &PointsTo,
    pointed: &[FuncId],
    caller: FuncId,
    inst: InstId,
    call: &Call,
) -> CallSite {
    let mut site = CallSite { caller, inst, targets: Vec::new(), unknown: false, indirect: true };
    let Callee::Value(callee) = call.callee else {
        // Assembly calls nobody that we know of, but may do anything.
        site.unknown = true;
        return site;
    };
    for target in points_to.of(caller, callee) {
        if target.object == OUTSIDE {
            site.unknown = true;
        } else if let ObjectKind::Function(id) = points_to.objects[target.object].kind {
            site.targets.push(id);
        }
    }
    if site.unknown {
        site.targets.extend_from_slice(pointed);
    }
    site.targets.retain(|&target| fits(module, call, &module.functions[target]));
    site.targets.sort_unstable();
    site.targets.dedup();
    site
}

/// Whether a function can be called that way; calling one that does not fit is undefined.
fn fits(module: &Module, call: &Call, function: &Function) -> bool {
    let Some((_, given, open)) = module.types.signature(call.function_ty) else { return true };
    let Some((_, wanted, variadic)) = module.types.signature(function.ty) else { return true };
    // A call of a function that was declared without parameters (`f()` in old C) says nothing of them.
    if open && given.is_empty() {
        return true;
    }
    let same_kind = |a: &Type, b: &Type| match (a, b) {
        (Type::Int(a), Type::Int(b)) => a == b || *a <= 32 && *b <= 32,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    let fits = given.iter().zip(wanted).all(|(&a, &b)| same_kind(module.types.resolve(a), module.types.resolve(b)));
    fits && (given.len() == wanted.len() || variadic && given.len() >= wanted.len())
}
