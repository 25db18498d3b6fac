//! Calls: what both versions know as one function has one outcome for the same arguments in the same memory.
//!
//! An opaque call is a function of its arguments and of memory, and leaves new memory that is one as well. This is sound for
//! whatever it does, since memory stands for the world, too: two runs in which everything before was the same may be given the same
//! world. A call is never dropped from memory, so versions with equal memory have made the same calls, in the same order, under
//! the same conditions; if one of them does not come back or unwinds, it does so in both.
//!
//! Deviation from Godlin and Strichman: calls are no cut points. Where a call of the new version has other terms as
//! arguments than that of the old one, a solver is asked whether they are equal, and the old call's outcome is used if they are.

use crate::guard::conjunction;
use crate::instruction::unsupported;
use crate::keys::{Class, Key, Side, SymbolKey, passing};
use crate::memory::{Event, EventId, MemId};
use crate::prover::{Prover, Sharing, Supposed};
use crate::relation::Mode;
use crate::value::{Shape, Val, shape};
use crate::version::{MAX_COPY, constant};
use crate::walk::{Faulty, Forced, Happening, Walk};
use evidence::{Assumption, Gap};
use ir::attrs::{Attr, AttrFlag, MemoryEffects};
use ir::id::{FuncId, TypeId};
use ir::inst::{Call, Callee, Clause, InstKind, Value};
use smt::expr::Expr;

/// Functions of the C library that neither change memory nor fail, and always return.
const PURE: [&str; 3] = ["abs", "labs", "llabs"];

/// Functions of the C library that read memory behind their arguments, change nothing and always return, given valid memory.
const READING: [&str; 12] = [
    "strlen", "strcmp", "strncmp", "memcmp", "bcmp", "strchr", "strrchr", "memchr", "strstr", "strspn", "strcspn",
    "strnlen",
];

/// Most events of the old version that one of the new version is compared with.
const MAX_CANDIDATES: usize = 4;

impl Walk<'_, '_, '_> {
    /// Something that happens: the event, after which memory may be any.
    pub fn happen(&mut self, key: Key, args: &[Val]) -> Result<(EventId, MemId), Gap> {
        let args: Box<[Expr]> = args.iter().flat_map(Val::leaves).collect();
        let wanted = Event { key, args, before: self.memory };
        let event = match self.partner(&wanted)? {
            Some(event) => event,
            None => self.prover.memory.event_of(wanted),
        };
        self.segment.events.push(Happening { event, inst: self.inst, at: self.at });
        self.memory = self.prover.memory.after(event);
        Ok((event, self.memory))
    }

    /// The event of the other version that this one is, if its terms are others: that which it certainly is; else, where the proof goes on
    /// without states in which versions part, that of the corresponding call.
    fn partner(&mut self, wanted: &Event) -> Result<Option<EventId>, Gap> {
        let Some(others) = self.others else { return Ok(None) };
        let prover = &mut *self.prover;
        let is_candidate = |other: &&Happening| {
            let event = prover.memory.event(other.event);
            event.key == wanted.key && event.args.len() == wanted.args.len()
        };
        let candidates: Vec<&Happening> = others.iter().filter(is_candidate).collect();
        if candidates.iter().any(|other| prover.memory.event(other.event) == wanted) {
            return Ok(None);
        }
        let partner = self.inst.and_then(|inst| prover.diff.of_new(inst).partner);
        let is_partner = |other: &&&Happening| partner.is_some() && other.inst == partner;
        // The corresponding call is most likely the one.
        let first = candidates.iter().filter(is_partner);
        let then = candidates.iter().filter(|other| !is_partner(other));
        let mut forced = None;
        for other in first.chain(then).take(MAX_CANDIDATES) {
            let id = other.event;
            let event = prover.memory.event(id).clone();
            let differs = prover.events_differ(&event, wanted);
            let is_certain = prover.certainly_differ(&event, wanted);
            let mut conditions = self.guard.conjuncts().to_vec();
            conditions.push(differs);
            let holds = prover.oracle.can_hold(&mut prover.pool, &conditions);
            if holds == Some(false) {
                return Ok(Some(id));
            }
            if prover.mode == Mode::Confine && is_partner(&other) {
                let condition = conjunction(&mut prover.pool, &conditions);
                let exact = holds.is_some() && is_certain && !prover.meets_difference;
                let (insts, at) = ([other.inst, self.inst], [other.at, self.at]);
                forced = Some((id, Forced { condition, exact, insts, at }));
                break;
            }
        }
        if prover.mode == Mode::Prove {
            // Nothing that follows makes up for what only one version did.
            let happens = prover.oracle.can_hold(&mut prover.pool, self.guard.conjuncts());
            return if happens == Some(false) { Ok(None) } else { Err(Gap::VersionsPart) };
        }
        Ok(forced.map(|(id, forced)| {
            self.segment.forced.push(forced);
            id
        }))
    }

    /// Something that happens and has a result.
    pub fn observe(&mut self, key: Key, args: &[Val], ty: TypeId) -> Result<Val, Gap> {
        let shape = shape(self.module(), ty).ok_or(unsupported("a type"))?;
        let (event, _) = self.happen(key, args)?;
        Ok(self.prover.result_of(event, &shape))
    }

    /// A call in the middle of a block.
    pub fn call(&mut self, kind: &InstKind, call: &Call, ty: TypeId) -> Result<Val, Gap> {
        let module = self.prover.versions[self.side.index()].module;
        if let Some(callee) = module.called_function(kind) {
            let name = module.function_name(callee);
            if name.starts_with("llvm.") {
                return self.intrinsic(name, call, ty);
            }
        }
        Ok(self.invoke(kind, call, ty)?.0)
    }

    /// A call of a function: its result, and when it unwinds.
    pub fn invoke(&mut self, kind: &InstKind, call: &Call, ty: TypeId) -> Result<(Val, Expr), Gap> {
        let module = self.prover.versions[self.side.index()].module;
        let never = Expr::bool(false);
        let Callee::Value(target) = call.callee else { return Err(Gap::InlineAssembly) };
        let of_call = &module.attrs[call.attrs];
        let returns_twice = |function: &str| Gap::ReturnsTwice { function: function.to_owned() };
        if of_call.has(AttrFlag::ReturnsTwice) {
            let callee = module.called_function(kind).map_or("a function", |callee| module.function_name(callee));
            return Err(returns_twice(callee));
        }
        let mut args: Vec<Val> = Vec::with_capacity(call.args.len() + 1);
        for &arg in call.args.iter() {
            args.push(self.value(arg)?);
        }
        let result = shape(module, ty).ok_or(unsupported("a type"))?;
        let types = call.args.iter().map(|arg| module.type_of(self.function(), *arg));
        let passing = passing(module, call, ty, types);
        let Some(callee) = module.called_function(kind) else {
            let target = self.value(target)?;
            args.insert(0, target);
            let key = self.prover.pointer_key(self.side, call, passing);
            let (event, _) = self.happen(key, &args)?;
            return Ok((self.prover.result_of(event, &result), self.prover.unwinds(event)));
        };
        let name = module.function_name(callee);
        if name.starts_with("llvm.") {
            return Ok((self.intrinsic(name, call, ty)?, never));
        }
        let function = &module.functions[callee];
        if module.attrs[function.attrs].has(AttrFlag::ReturnsTwice) {
            return Err(returns_twice(name));
        }
        let key = match (self.prover.sharing)(self.side, callee) {
            Sharing::Same(assumptions) => {
                self.prover.assumptions.extend(assumptions);
                Key::Function(self.prover.key(self.side, function.symbol), passing)
            }
            Sharing::Differs => {
                self.prover.meets_difference = true;
                match self.prover.key(self.side, function.symbol) {
                    SymbolKey::Both(symbol) if self.prover.mode == Mode::Confine => {
                        let at = self.at.filter(|_| self.side == Side::New);
                        let first = self.prover.supposed.entry(Supposed::Function(symbol)).or_insert(at);
                        *first = first.or(at);
                        Key::Function(SymbolKey::Both(symbol), passing)
                    }
                    _ => Key::Function(SymbolKey::Own(self.side, function.symbol), passing),
                }
            }
        };
        if !function.is_defined() {
            let promised = promised(module, callee);
            if PURE.contains(&name) || promised == Some(MemoryEffects::None) {
                return Ok((self.prover.pure(&key, &args, None, &result), never));
            }
            if READING.contains(&name) || promised == Some(MemoryEffects::Read) {
                let mut leaves: Vec<Expr> = args.iter().flat_map(Val::leaves).collect();
                leaves.push(self.prover.memory.number(&mut self.prover.pool, self.memory));
                self.may_fault(Faulty::Call(key.clone(), leaves));
                return Ok((self.prover.pure(&key, &args, Some(self.memory), &result), never));
            }
            if name == "__assert_fail" && args.len() > 2 {
                self.prover.assumptions.insert(Assumption::AssertionMessage);
                args.remove(2);
            }
        }
        let (event, _) = self.happen(key, &args)?;
        let nounwind = of_call.has(AttrFlag::NoUnwind) || module.attrs[function.attrs].has(AttrFlag::NoUnwind);
        let unwinds = if nounwind { never } else { self.prover.unwinds(event) };
        Ok((self.prover.result_of(event, &result), unwinds))
    }

    /// What a landing pad catches: a function of the call that unwound, whichever it was.
    pub fn landing(&mut self, cleanup: bool, clauses: &[Clause], ty: TypeId) -> Result<Val, Gap> {
        let module = self.prover.versions[self.side.index()].module;
        let mut known = Vec::with_capacity(clauses.len());
        for clause in clauses {
            let symbol = match clause.value {
                Value::Const(id) => module.base_symbol(id),
                _ => return Err(unsupported("a landing pad")),
            };
            if clause.filter {
                return Err(unsupported("an exception filter"));
            }
            known.push((clause.filter, symbol.map(|symbol| self.prover.key(self.side, symbol))));
        }
        let shape = shape(module, ty).ok_or(unsupported("a type"))?;
        Ok(self.prover.pure(&Key::Landing(known, cleanup), &[], Some(self.memory), &shape))
    }

    /// An intrinsic function of LLVM.
    fn intrinsic(&mut self, name: &str, call: &Call, ty: TypeId) -> Result<Val, Gap> {
        let module = self.prover.versions[self.side.index()].module;
        let base = name.trim_start_matches("llvm.");
        let begins =
            |begin: &str| base.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        const NOTHING: [&str; 9] = [
            "lifetime.start",
            "lifetime.end",
            "assume",
            "donothing",
            "experimental.noalias.scope.decl",
            "invariant.start",
            "stackrestore",
            "prefetch",
            "var.annotation",
        ];
        let nothing = NOTHING.iter().any(|known| begins(known)) || begins("dbg");
        let shape = shape(module, ty).ok_or(unsupported("a type"))?;
        if nothing || begins("stacksave") {
            return Ok(Val::build(&shape, &mut |width| Expr::constant(0, width)));
        }
        if call.args.iter().any(|arg| is_metadata(module, *arg)) {
            return Err(unsupported("an intrinsic with metadata"));
        }
        let mut args = Vec::with_capacity(call.args.len());
        for &arg in call.args.iter() {
            args.push(self.value(arg)?);
        }
        if begins("expect") || begins("ptr.annotation") || begins("launder.invariant.group") {
            return args.into_iter().next().ok_or(unsupported("an intrinsic"));
        }
        if crate::version::is_transfer(name) {
            return self.transfer(name, call, &args);
        }
        if let Some(value) = self.prover.arithmetic(base, &args) {
            return Ok(value);
        }
        let key = Key::Intrinsic(name.into());
        // Operations on numbers alone; what else there is may do anything.
        const OPERATIONS: [&str; 44] = [
            "fshl",
            "fshr",
            "bswap",
            "ctpop",
            "ctlz",
            "cttz",
            "bitreverse",
            "uadd.sat",
            "usub.sat",
            "sadd.sat",
            "ssub.sat",
            "ushl.sat",
            "sshl.sat",
            "umul.with.overflow",
            "smul.with.overflow",
            "sqrt",
            "fma",
            "fmuladd",
            "floor",
            "ceil",
            "trunc",
            "rint",
            "nearbyint",
            "round",
            "roundeven",
            "minnum",
            "maxnum",
            "minimum",
            "maximum",
            "pow",
            "powi",
            "exp",
            "exp2",
            "log",
            "log2",
            "log10",
            "sin",
            "cos",
            "is.constant",
            "objectsize",
            "fptosi.sat",
            "fptoui.sat",
            "eh.typeid.for",
            "is.fpclass",
        ];
        if OPERATIONS.iter().any(|known| begins(known)) {
            return Ok(self.prover.pure(&key, &args, None, &shape));
        }
        self.observe(key, &args, ty)
    }

    /// A copy or fill of memory.
    fn transfer(&mut self, name: &str, call: &Call, args: &[Val]) -> Result<Val, Gap> {
        let module = self.prover.versions[self.side.index()].module;
        let [to, from, length, ..] = args else { return Err(unsupported("an intrinsic")) };
        let [into, out_of, ..] = &*call.args else { return Err(unsupported("an intrinsic")) };
        let slots = (self.slot(*into), self.slot(*out_of));
        let (Some(to), Some(from), Some(length)) = (to.bits(), from.bits(), length.bits()) else {
            return Err(unsupported("an intrinsic"));
        };
        let plain = call.args.get(3).and_then(|&volatile| constant(module, volatile)) == Some(0);
        if let Some(bytes) = length.as_const().filter(|&bytes| plain && bytes <= MAX_COPY) {
            if bytes == 0 {
                return Ok(Val::void());
            }
            let value = if name.starts_with("llvm.memset.") {
                let byte = from;
                (1..bytes).fold(byte, |value, _| self.prover.pool.concat(byte, value))
            } else {
                self.may_fault(Faulty::Read(from, bytes));
                if name.starts_with("llvm.memcpy.") {
                    self.may_fault(Faulty::Copy(to, from, bytes));
                }
                self.read(slots.1, from, 0, bytes as u32)
            };
            self.may_fault(Faulty::Write(to, bytes));
            self.write(slots.0, to, 0, value);
            return Ok(Val::void());
        }
        // The alignment that a name or attribute promises does not matter.
        let kind: &str = ["llvm.memcpy", "llvm.memmove", "llvm.memset"]
            .into_iter()
            .find(|begin| name.starts_with(begin))
            .unwrap_or("llvm.memcpy");
        self.happen(Key::Intrinsic(kind.into()), &[Val::Bits(to), Val::Bits(from), Val::Bits(length)])?;
        Ok(Val::void())
    }
}

/// What a declaration promises of memory, of a function that always returns.
fn promised(module: &ir::module::Module, function: FuncId) -> Option<MemoryEffects> {
    let attrs = &module.attrs[module.functions[function].attrs];
    let effects = attrs.0.iter().find_map(|attr| match attr {
        Attr::Memory(effects) => Some(*effects),
        _ => None,
    });
    effects.filter(|_| attrs.has(AttrFlag::NoUnwind) && attrs.has(AttrFlag::WillReturn))
}

fn is_metadata(module: &ir::module::Module, value: Value) -> bool {
    matches!(value, Value::Const(id) if matches!(module.consts[id].kind, ir::constant::ConstKind::Metadata(_)))
}

impl Prover<'_, '_> {
    /// One part of what an event results in.
    pub fn outcome(&mut self, event: EventId, part: u32, width: u32) -> Expr {
        let known = self.memory.event(event).clone();
        let mut args = known.args.to_vec();
        args.push(self.memory.number(&mut self.pool, known.before));
        let function = self.function(&known.key, part, width);
        let value = self.pool.apply(function, &args, width);
        self.memory.depends(value, known.before);
        value
    }

    /// The result of an event.
    pub fn result_of(&mut self, event: EventId, shape: &Shape) -> Val {
        let mut part = 0;
        Val::build(shape, &mut |width| {
            part += 1;
            self.outcome(event, part, width)
        })
    }

    /// When an event unwinds.
    pub fn unwinds(&mut self, event: EventId) -> Expr {
        self.outcome(event, u32::MAX, 1)
    }

    /// The result of a function that depends on nothing but its arguments, and on a memory if one is given.
    pub fn pure(&mut self, key: &Key, args: &[Val], memory: Option<MemId>, shape: &Shape) -> Val {
        let mut args: Vec<Expr> = args.iter().flat_map(Val::leaves).collect();
        args.extend(memory.map(|memory| self.memory.number(&mut self.pool, memory)));
        let mut part = 0;
        Val::build(shape, &mut |width| {
            part += 1;
            let function = self.function(key, part, width);
            let value = self.pool.apply(function, &args, width);
            if let Some(memory) = memory {
                self.memory.depends(value, memory);
            }
            value
        })
    }

    /// How a call through a pointer is known.
    fn pointer_key(&mut self, side: Side, call: &Call, passing: Box<[Class]>) -> Key {
        match (self.behind_pointer)(side, call) {
            Sharing::Same(assumptions) => {
                self.assumptions.extend(assumptions);
                Key::Pointer(passing)
            }
            Sharing::Differs => {
                self.meets_difference = true;
                if self.mode == Mode::Prove {
                    return Key::OwnPointer(side, passing);
                }
                self.supposed.entry(Supposed::Pointers).or_insert(None);
                Key::Pointer(passing)
            }
        }
    }

    /// Arithmetic that intrinsics stand for; nothing if it is not known.
    fn arithmetic(&mut self, name: &str, args: &[Val]) -> Option<Val> {
        let operation = name.split('.').next()?;
        let [a, ..] = args else { return None };
        let b = args.get(1);
        let pool = &mut self.pool;
        let overflow = name.contains(".with.overflow");
        match (operation, b) {
            ("umax" | "umin" | "smax" | "smin", Some(b)) => a.zip(b, &mut |a, b| {
                let less = if operation.starts_with('u') { pool.ult(a, b) } else { pool.slt(a, b) };
                if operation.ends_with("max") { pool.ite(less, b, a) } else { pool.ite(less, a, b) }
            }),
            ("abs", _) => a.zip(a, &mut |a, _| {
                let width = pool.width(a);
                let zero = pool.zero(width);
                let (negative, opposite) = (pool.slt(a, zero), pool.neg(a));
                pool.ite(negative, opposite, a)
            }),
            ("fabs", _) => a.zip(a, &mut |a, _| {
                let width = pool.width(a);
                let low = pool.extract(a, 0, width - 1);
                pool.zext(low, width)
            }),
            ("uadd" | "usub" | "sadd" | "ssub", Some(b)) if overflow => {
                let (a, b) = (a.bits()?, b.bits()?);
                let width = pool.width(a);
                let plus = operation.ends_with("add");
                let signed = operation.starts_with('s');
                let widen = |pool: &mut smt::pool::Pool, x: Expr| match signed {
                    true => pool.sext(x, width + 1),
                    false => pool.zext(x, width + 1),
                };
                let (x, y) = (widen(pool, a), widen(pool, b));
                let (whole, cut) = match plus {
                    true => (pool.add(x, y), pool.add(a, b)),
                    false => (pool.sub(x, y), pool.sub(a, b)),
                };
                let back = widen(pool, cut);
                let over = pool.ne(whole, back);
                Some(Val::Parts([Val::Bits(cut), Val::Bits(over)].into()))
            }
            _ => None,
        }
    }
}
