//! What each instruction reads and writes by itself; what calls do inside of functions with a body is `mod_ref`'s.
//! Constants are left out.

use crate::address::{Address, address};
use crate::calls::CallGraph;
use crate::externals::External;
use crate::id::LocationId;
use crate::locations::{Location, Locations};
use crate::points_to::{OUTSIDE, ObjectKind, PointsTo, WORLD};
use ir::constant::ConstKind;
use ir::id::{Arena, FuncId, InstId};
use ir::inst::{Call, Callee, InstKind, Value};
use ir::module::{Function, Module};

/// What an instruction reads and writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// Locations that it may read, ascending.
    pub reads: Vec<LocationId>,
    /// Locations that it may write, ascending.
    pub writes: Vec<LocationId>,
    /// The only address that it reads at and the number of bytes, if both are known.
    pub read_at: Option<(Address, u64)>,
    /// The only address that it writes at and the number of bytes, if both are known; it certainly writes all of them,
    /// unless it is a `cmpxchg`.
    pub write_at: Option<(Address, u64)>,
    /// Whether it may do something that cannot be known: unknown code, assembly, an instruction that is not supported.
    pub unknown: bool,
}

/// What the instructions of a module read and write.
#[derive(Clone, Debug)]
pub struct Effects {
    /// All locations.
    pub locations: Locations,
    /// For each function the instructions that have an effect, ascending.
    pub of: Arena<FuncId, Vec<(InstId, Effect)>>,
}

/// What the instructions of a module read and write.
pub fn effects(
    module: &Module,
    externals: &Arena<FuncId, Option<External>>,
    points_to: &PointsTo,
    calls: &CallGraph,
) -> Effects {
    let mut collector = Collector { module, externals, points_to, calls, locations: Locations::default() };
    let of = module.functions.ids().map(|id| collector.function(id)).collect();
    Effects { locations: collector.locations, of }
}

impl Effects {
    /// The effect of an instruction; `None` if it touches no memory by itself.
    pub fn get(&self, function: FuncId, inst: InstId) -> Option<&Effect> {
        let list = &self.of[function];
        list.binary_search_by_key(&inst, |(inst, _)| *inst).ok().map(|at| &list[at].1)
    }
}

struct Collector<'m> {
    module: &'m Module,
    externals: &'m Arena<FuncId, Option<External>>,
    points_to: &'m PointsTo,
    calls: &'m CallGraph,
    locations: Locations,
}

impl Collector<'_> {
    fn function(&mut self, id: FuncId) -> Vec<(InstId, Effect)> {
        let function = &self.module.functions[id];
        let mut found: Vec<(InstId, Effect)> = function
            .body()
            .filter_map(|(_, inst, _)| self.effect(id, function, inst).map(|effect| (inst, effect)))
            .collect();
        for (_, effect) in &mut found {
            for list in [&mut effect.reads, &mut effect.writes] {
                list.sort_unstable();
                list.dedup();
            }
        }
        found.sort_unstable_by_key(|(inst, _)| *inst);
        found
    }

    fn effect(&mut self, id: FuncId, function: &Function, inst: InstId) -> Option<Effect> {
        let module = self.module;
        let data = &function.insts[inst];
        let size_of = |ty| module.type_layouts.get(ty).map(|layout| layout.store_size);
        match &data.kind {
            InstKind::Load { ptr, .. } => {
                let (reads, read_at) = self.access(id, *ptr, size_of(data.ty));
                Some(Effect { reads, read_at, ..Effect::default() })
            }
            InstKind::Store { value, ptr, .. } => {
                let (writes, write_at) = self.access(id, *ptr, size_of(module.type_of(function, *value)));
                Some(Effect { writes, write_at, ..Effect::default() })
            }
            InstKind::AtomicRmw(rmw) => {
                let (reads, at) = self.access(id, rmw.ptr, size_of(data.ty));
                Some(Effect { writes: reads.clone(), reads, read_at: at.clone(), write_at: at, unknown: false })
            }
            InstKind::CompareExchange(exchange) => {
                let size = size_of(module.type_of(function, exchange.new));
                let (reads, at) = self.access(id, exchange.ptr, size);
                Some(Effect { writes: reads.clone(), reads, read_at: at.clone(), write_at: at, unknown: false })
            }
            InstKind::VaArg { list } => {
                let (mut reads, _) = self.access(id, *list, None);
                let writes = reads.clone();
                reads.push(self.outside());
                reads.extend(self.variadic(id));
                Some(Effect { reads, writes, ..Effect::default() })
            }
            InstKind::Unsupported(_) => {
                let everything = vec![self.outside(), self.world()];
                Some(Effect { reads: everything.clone(), writes: everything, unknown: true, ..Effect::default() })
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call(id, inst, call),
            _ => None,
        }
    }

    fn call(&mut self, caller: FuncId, inst: InstId, call: &Call) -> Option<Effect> {
        let site = self.calls.site(caller, inst)?;
        let (targets, unknown) = (site.targets.clone(), site.unknown);
        let mut effect = Effect { unknown, ..Effect::default() };
        if unknown {
            let everything = [self.outside(), self.world()];
            effect.reads.extend(everything);
            effect.writes.extend(everything);
        }
        if matches!(call.callee, Callee::Asm(_)) {
            for &arg in &call.args {
                let (locations, _) = self.access(caller, arg, None);
                effect.reads.extend_from_slice(&locations);
                effect.writes.extend_from_slice(&locations);
            }
        }
        let is_sole = targets.len() == 1 && !unknown;
        for target in targets.into_iter().filter(|&target| !self.module.functions[target].is_defined()) {
            if let Some(known) = self.externals[target].clone() {
                self.external(caller, call, target, &known, &mut effect);
            }
        }
        effect.write_at = effect.write_at.filter(|_| is_sole);
        let is_empty = effect.reads.is_empty() && effect.writes.is_empty() && !effect.unknown;
        (!is_empty).then_some(effect)
    }

    fn external(&mut self, caller: FuncId, call: &Call, target: FuncId, known: &External, effect: &mut Effect) {
        if known.world.reads {
            effect.reads.push(self.world());
        }
        if known.world.writes {
            effect.writes.push(self.world());
        }
        let name = self.module.function_name(target);
        let length = self.length(name, call);
        for (index, &arg) in call.args.iter().enumerate() {
            let arg_use = known.arg(self.module, call, index);
            if !arg_use.reads && !arg_use.writes {
                continue;
            }
            let (locations, address) = self.access(caller, arg, length);
            if arg_use.reads {
                effect.reads.extend_from_slice(&locations);
            }
            if arg_use.writes {
                effect.writes.extend_from_slice(&locations);
                effect.write_at = address;
            }
            if arg_use.keeps {
                let outside = self.outside();
                effect.reads.push(outside);
                effect.writes.push(outside);
            }
        }
    }

    /// How many bytes a call that fills or copies memory writes to its first argument, and reads from others.
    fn length(&self, name: &str, call: &Call) -> Option<u64> {
        let is_sized = ["llvm.memcpy", "llvm.memmove", "llvm.memset"].iter().any(|prefix| name.starts_with(prefix))
            || ["memcpy", "memmove", "memset", "memcmp", "bcmp"].contains(&name);
        match call.args.get(2).filter(|_| is_sized) {
            Some(Value::Const(id)) => match self.module.consts[*id].kind {
                ConstKind::Int(length) => u64::try_from(length).ok(),
                _ => None,
            },
            _ => None,
        }
    }

    fn world(&mut self) -> LocationId {
        self.locations.intern(Location::whole(WORLD))
    }

    fn outside(&mut self) -> LocationId {
        self.locations.intern(Location::whole(OUTSIDE))
    }

    fn variadic(&mut self, function: FuncId) -> Option<LocationId> {
        let kind = ObjectKind::Variadic(function);
        let object = self.points_to.objects.iter_ids().find(|(_, object)| object.kind == kind)?.0;
        Some(self.locations.intern(Location::whole(object)))
    }

    /// The locations that an access of `size` bytes may touch.
    fn access(&mut self, function: FuncId, ptr: Value, size: Option<u64>) -> (Vec<LocationId>, Option<(Address, u64)>) {
        let made = address(self.module, &self.module.functions[function], ptr, size);
        let length = size.and_then(|size| i64::try_from(size).ok());
        let targets = self.points_to.of(function, ptr);
        let mut found = Vec::with_capacity(targets.len());
        for target in targets {
            // What never changes carries nothing from anywhere to anywhere.
            let object = &self.points_to.objects[target.object];
            if object.constant || matches!(object.kind, ObjectKind::Function(_)) {
                continue;
            }
            let bytes = target.offset.zip(length).and_then(|(start, length)| Some((start, start.checked_add(length)?)));
            let views = made.views.clone().into();
            found.push(self.locations.intern(Location { object: target.object, bytes, views }));
        }
        (found, size.map(|size| (made, size)))
    }
}
