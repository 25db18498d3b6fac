//! Flat memory: one map from addresses to bytes, as a hash-consed log of writes over an unknown beginning.
//!
//! Both versions begin with the same memory, so the same code makes the same term, and equal memories are mostly equal ids.
//! Nothing here needs to know what a pointer points to. What is known of objects serves to see that two accesses do not
//! overlap: distinct variables and locals, or one base with other offsets. Logs have a normal form: writes that provably do not overlap are
//! sorted, and a write that is overwritten is dropped.
//!
//! A call that may do anything is an [`Event`]: memory after it is a function of what is called, with which arguments, in
//! which memory. The world outside (files, clocks, the allocator) is part of memory in this sense.

use crate::keys::Key;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::expr::{Expr, FunctionId, Op, SymbolId, TermId, signed};
use smt::pool::Pool;

/// A memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemId(u32);

/// Something that happens and may change all memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(u32);

/// What a memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Unknown contents.
    Base(u32),
    /// Memory with some bytes replaced; the value's width is a multiple of 8.
    Write {
        /// What it was.
        before: MemId,
        /// Where.
        address: Expr,
        /// What is there now.
        value: Expr,
    },
    /// Memory after an event.
    After(EventId),
    /// One of two, where ways met.
    Choice {
        /// Which.
        condition: Expr,
        /// If it holds.
        then: MemId,
        /// If not.
        otherwise: MemId,
    },
}

/// A call, or another access that can be observed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// What is called.
    pub key: Key,
    /// Its arguments.
    pub args: Box<[Expr]>,
    /// Memory before.
    pub before: MemId,
}

/// What is known of the object that an address symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    /// A variable of the program, distinct from all others.
    Variable {
        /// Whether it never changes.
        constant: bool,
    },
    /// A local of the running function: nothing that existed before points to it.
    Local,
}

/// How two addresses lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distance {
    /// The second is that many bytes behind the first.
    Known(i64),
    /// They are in different objects.
    Distinct,
    Unknown,
}

/// All memories of one proof.
#[derive(Default)]
pub struct Memory {
    nodes: Vec<Node>,
    index: FxHashMap<Node, MemId>,
    events: Vec<Event>,
    event_index: FxHashMap<Event, EventId>,
    reads: FxHashMap<(MemId, Expr, u32, u32), Expr>,
    read_functions: FxHashMap<u32, FunctionId>,
    epochs: FxHashMap<MemId, Expr>,
    numbers: FxHashMap<MemId, Expr>,
    writes: FxHashMap<u32, FunctionId>,
    changes: FxHashMap<Key, FunctionId>,
    /// The symbol that stands for any address where memories are compared.
    pub somewhere: Option<Expr>,
    /// Contents of constants, by address.
    pub contents: FxHashMap<Expr, Box<[u8]>>,
    /// What is known of address symbols.
    pub objects: FxHashMap<Expr, Object>,
    /// Symbols whose values were there before the function began.
    pub from_entry: FxHashSet<SymbolId>,
    entry_only: FxHashMap<TermId, bool>,
    /// Which memory a term depends on, of those that do: reads and outcomes of events.
    pub of_memory: FxHashMap<TermId, MemId>,
    stable: FxHashMap<MemId, bool>,
}

/// Width of the terms that stand for memories.
const NUMBER: u32 = 64;

/// Numbers of memories that there are at cut points begin here: below are those at the entry.
pub const FIRST_VARYING: u32 = 1 << 30;

/// How many writes that may or may not overlap a read looks through.
const MAX_ALIASES: u32 = 12;

/// How far a new write is moved down to its place in the normal form.
const MAX_SORTED: u32 = 64;

/// How many bytes a read that overlaps writes in part is put together of.
const MAX_PIECES: u32 = 64;

/// How deep choices are compared one by one.
const MAX_CHOICES: u32 = 64;

/// How many steps of a log a read takes before it is left to itself.
const MAX_STEPS: usize = 512;

impl Memory {
    /// Memory that never changes: constants of the program.
    pub fn constants(&mut self) -> MemId {
        self.base(u32::MAX)
    }

    /// Memory of unknown contents, known by a number.
    pub fn base(&mut self, number: u32) -> MemId {
        self.intern(Node::Base(number))
    }

    fn intern(&mut self, node: Node) -> MemId {
        let next = MemId(self.nodes.len() as u32);
        let id = *self.index.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    /// What a memory is.
    pub fn node(&self, id: MemId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// An event.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.0 as usize]
    }

    /// The event of that key with those arguments in that memory.
    pub fn event_of(&mut self, event: Event) -> EventId {
        let next = EventId(self.events.len() as u32);
        let id = *self.event_index.entry(event.clone()).or_insert(next);
        if id == next {
            self.events.push(event);
        }
        id
    }

    /// Memory after an event.
    pub fn after(&mut self, event: EventId) -> MemId {
        self.intern(Node::After(event))
    }

    /// One of two memories.
    pub fn choice(&mut self, pool: &mut Pool, condition: Expr, then: MemId, otherwise: MemId) -> MemId {
        if then == otherwise || condition.is_true() {
            return then;
        }
        if condition.is_false() {
            return otherwise;
        }
        if let Expr::Term(id) = condition
            && pool.node(id).op == Op::Not
        {
            let inner = pool.not(condition);
            return self.intern(Node::Choice { condition: inner, then: otherwise, otherwise: then });
        }
        self.intern(Node::Choice { condition, then, otherwise })
    }

    /// The term that stands for a memory among the arguments of a function. Memories that were made in the same way of what is
    /// equal are equal to a solver.
    pub fn number(&mut self, pool: &mut Pool, id: MemId) -> Expr {
        let mut todo = vec![id];
        while let Some(&at) = todo.last() {
            if self.numbers.contains_key(&at) {
                todo.pop();
                continue;
            }
            let node = self.node(at);
            let open: Vec<MemId> =
                self.below(node).into_iter().flatten().filter(|below| !self.numbers.contains_key(below)).collect();
            if !open.is_empty() {
                todo.extend(open);
                continue;
            }
            let number = match node {
                Node::Base(number) => Expr::constant(u64::from(number), NUMBER),
                Node::Write { before, address, value } => {
                    let before = self.numbers[&before];
                    let width = pool.width(value);
                    let function = *self.writes.entry(width).or_insert_with(|| pool.function("written"));
                    pool.apply(function, &[before, address, value], NUMBER)
                }
                Node::After(event) => {
                    let event = self.event(event).clone();
                    let mut args = event.args.to_vec();
                    args.push(self.numbers[&event.before]);
                    let function = *self.changes.entry(event.key).or_insert_with(|| pool.function("memory after"));
                    pool.apply(function, &args, NUMBER)
                }
                Node::Choice { condition, then, otherwise } => {
                    pool.ite(condition, self.numbers[&then], self.numbers[&otherwise])
                }
            };
            self.numbers.insert(at, number);
            todo.pop();
        }
        self.numbers[&id]
    }

    /// Memories that a memory is made of.
    fn below(&self, node: Node) -> [Option<MemId>; 2] {
        match node {
            Node::Base(_) => [None, None],
            Node::Write { before, .. } => [Some(before), None],
            Node::After(event) => [Some(self.event(event).before), None],
            Node::Choice { then, otherwise, .. } => [Some(then), Some(otherwise)],
        }
    }

    /// Since which event a memory has only been written to: the same term for the same event.
    pub fn epoch(&mut self, pool: &mut Pool, id: MemId) -> Expr {
        let mut todo = vec![id];
        while let Some(&at) = todo.last() {
            if self.epochs.contains_key(&at) {
                todo.pop();
                continue;
            }
            let node = self.node(at);
            let epoch = match node {
                Node::Base(_) | Node::After(_) => self.number(pool, at),
                Node::Write { .. } | Node::Choice { .. } => {
                    let below = self.below(node);
                    let known: Vec<Expr> =
                        below.iter().flatten().filter_map(|id| self.epochs.get(id)).copied().collect();
                    match (node, &known[..]) {
                        (Node::Choice { condition, .. }, [then, otherwise]) => pool.ite(condition, *then, *otherwise),
                        (Node::Write { .. }, [before]) => *before,
                        _ => {
                            todo.extend(below.into_iter().flatten());
                            continue;
                        }
                    }
                }
            };
            self.epochs.insert(at, epoch);
            todo.pop();
        }
        self.epochs[&id]
    }

    /// Memory with a value written to an address.
    pub fn write(&mut self, pool: &mut Pool, memory: MemId, address: Expr, value: Expr) -> MemId {
        if self.read(pool, memory, address, pool.width(value) / 8) == value {
            return memory;
        }
        self.insert(pool, memory, address, value)
    }

    fn insert(&mut self, pool: &mut Pool, memory: MemId, address: Expr, value: Expr) -> MemId {
        let bytes = i64::from(pool.width(value) / 8);
        let mut above: Vec<(Expr, Expr)> = Vec::new();
        let mut below = memory;
        for _ in 0..MAX_SORTED {
            let Node::Write { before, address: other, value: old } = self.node(below) else { break };
            let size = i64::from(pool.width(old) / 8);
            match self.distance(pool, address, other) {
                // It is overwritten.
                Distance::Known(at) if at >= 0 && at + size <= bytes => below = before,
                Distance::Known(at) if at + size <= 0 || at >= bytes => {
                    if other < address {
                        break;
                    }
                    above.push((other, old));
                    below = before;
                }
                Distance::Distinct => {
                    if other < address {
                        break;
                    }
                    above.push((other, old));
                    below = before;
                }
                _ => break,
            }
        }
        let mut result = self.intern(Node::Write { before: below, address, value });
        while let Some((address, value)) = above.pop() {
            result = self.intern(Node::Write { before: result, address, value });
        }
        result
    }

    /// So many bytes at an address, the first one lowest.
    pub fn read(&mut self, pool: &mut Pool, memory: MemId, address: Expr, bytes: u32) -> Expr {
        self.read_within(pool, memory, address, bytes, MAX_ALIASES)
    }

    fn read_within(&mut self, pool: &mut Pool, memory: MemId, address: Expr, bytes: u32, aliases: u32) -> Expr {
        let key = (memory, address, bytes, aliases);
        if let Some(&known) = self.reads.get(&key) {
            return known;
        }
        let value = self.look(pool, memory, address, bytes, aliases);
        self.reads.insert(key, value);
        value
    }

    fn look(&mut self, pool: &mut Pool, memory: MemId, address: Expr, bytes: u32, aliases: u32) -> Expr {
        if let Some(Object::Variable { constant: true }) = self.object_at(pool, address) {
            if let Some(known) = self.known_contents(pool, address, bytes) {
                return known;
            }
            let constants = self.constants();
            return self.unknown(pool, constants, address, bytes);
        }
        let mut at = memory;
        for _ in 0..MAX_STEPS {
            match self.node(at) {
                Node::Base(_) | Node::After(_) => return self.unknown(pool, at, address, bytes),
                Node::Choice { condition, then, otherwise } => {
                    let a = self.read_within(pool, then, address, bytes, aliases);
                    let b = self.read_within(pool, otherwise, address, bytes, aliases);
                    return pool.ite(condition, a, b);
                }
                Node::Write { before, address: written, value } => {
                    let size = pool.width(value) / 8;
                    match self.distance(pool, written, address) {
                        Distance::Known(from) if from >= 0 && from + i64::from(bytes) <= i64::from(size) => {
                            return pool.extract(value, from as u32 * 8, bytes * 8);
                        }
                        Distance::Known(from) if from >= i64::from(size) || from + i64::from(bytes) <= 0 => at = before,
                        Distance::Distinct => at = before,
                        Distance::Known(_) if bytes <= MAX_PIECES => {
                            return self.read_bytes(pool, at, address, bytes, aliases);
                        }
                        Distance::Unknown if aliases > 0 && size == bytes => {
                            return self.read_alias(pool, at, address, bytes, aliases);
                        }
                        _ => return self.unknown(pool, at, address, bytes),
                    }
                }
            }
        }
        self.unknown(pool, at, address, bytes)
    }

    /// A read that overlaps the last write in part.
    fn read_bytes(&mut self, pool: &mut Pool, memory: MemId, address: Expr, bytes: u32, aliases: u32) -> Expr {
        let width = pool.width(address);
        let mut value: Option<Expr> = None;
        for at in 0..bytes {
            let offset = pool.number(u64::from(at), width);
            let place = pool.add(address, offset);
            let byte = self.read_within(pool, memory, place, 1, aliases);
            value = Some(match value {
                Some(low) => pool.concat(byte, low),
                None => byte,
            });
        }
        value.unwrap_or_else(|| Expr::constant(0, 8))
    }

    /// A read that may overlap the last write, which has the same size: all of it, nothing, or something in between.
    fn read_alias(&mut self, pool: &mut Pool, memory: MemId, address: Expr, bytes: u32, aliases: u32) -> Expr {
        let Node::Write { before, address: written, value } = self.node(memory) else {
            return self.unknown(pool, memory, address, bytes);
        };
        let other = self.read_within(pool, before, address, bytes, aliases - 1);
        let same = pool.eq(written, address);
        if bytes == 1 {
            return pool.ite(same, value, other);
        }
        let width = pool.width(address);
        let size = pool.number(u64::from(bytes), width);
        let (behind, front) = (pool.sub(address, written), pool.sub(written, address));
        let (far, near) = (pool.ule(size, behind), pool.ule(size, front));
        let apart = pool.and(far, near);
        let partly = self.unknown(pool, memory, address, bytes);
        let not_same = pool.ite(apart, other, partly);
        pool.ite(same, value, not_same)
    }

    /// Bytes that nobody knows: the same for the same memory and address.
    /// What a constant holds, at a known place inside of it.
    fn known_contents(&self, pool: &mut Pool, address: Expr, bytes: u32) -> Option<Expr> {
        let base = self.base_of(pool, address)?;
        let contents = self.contents.get(&base).filter(|_| bytes <= 8)?;
        let offset = usize::try_from(pool.sub(address, base).as_const()?).ok()?;
        let all = contents.get(offset..offset.checked_add(bytes as usize)?)?;
        let number = all.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        Some(pool.number(number, bytes * 8))
    }

    fn unknown(&mut self, pool: &mut Pool, memory: MemId, address: Expr, bytes: u32) -> Expr {
        let function = *self.read_functions.entry(bytes).or_insert_with(|| pool.function(format!("memory/{bytes}")));
        let number = self.number(pool, memory);
        let value = pool.apply(function, &[number, address], bytes * 8);
        self.depends(value, memory);
        value
    }

    /// Notes that a term depends on a memory that is given to it by its number.
    pub fn depends(&mut self, term: Expr, memory: MemId) {
        if let Expr::Term(id) = term {
            self.of_memory.insert(id, memory);
        }
    }

    /// Whether a term means the same during the whole run of a function: no symbol in it varies, and no memory but the first.
    pub fn is_stable(&mut self, pool: &Pool, varying: &FxHashSet<SymbolId>, root: Expr) -> bool {
        let (mut todo, mut seen) = (vec![root], FxHashSet::default());
        while let Some(expr) = todo.pop() {
            let Expr::Term(id) = expr else { continue };
            if !seen.insert(id) {
                continue;
            }
            let node = pool.node(id);
            match node.op {
                Op::Symbol(symbol) if varying.contains(&symbol) => return false,
                Op::Apply { args, .. } => {
                    if let Some(&memory) = self.of_memory.get(&id)
                        && !self.is_stable_memory(pool, varying, memory)
                    {
                        return false;
                    }
                    todo.extend(pool.apply_args(args));
                }
                _ => todo.extend(node.args()),
            }
        }
        true
    }

    /// The same for a memory.
    pub fn is_stable_memory(&mut self, pool: &Pool, varying: &FxHashSet<SymbolId>, root: MemId) -> bool {
        let mut todo = vec![(root, false)];
        while let Some((id, done)) = todo.pop() {
            if self.stable.contains_key(&id) {
                continue;
            }
            let (below, terms): (Vec<MemId>, Vec<Expr>) = match self.node(id) {
                Node::Base(number) => {
                    self.stable.insert(id, number < FIRST_VARYING || number == u32::MAX);
                    continue;
                }
                Node::Write { before, address, value } => (vec![before], vec![address, value]),
                Node::After(event) => (vec![self.event(event).before], self.event(event).args.to_vec()),
                Node::Choice { condition, then, otherwise } => (vec![then, otherwise], vec![condition]),
            };
            if !done {
                todo.push((id, true));
                todo.extend(below.into_iter().map(|below| (below, false)));
                continue;
            }
            let stable = below.iter().all(|below| self.stable.get(below) == Some(&true))
                && terms.iter().all(|&term| self.is_stable(pool, varying, term));
            self.stable.insert(id, stable);
        }
        self.stable.get(&root) == Some(&true)
    }

    /// The object that an address lies in: code that computes it stays inside the object it begins with.
    pub fn object_at(&self, pool: &Pool, address: Expr) -> Option<Object> {
        self.base_of(pool, address).and_then(|base| self.objects.get(&base)).copied()
    }

    /// The address symbol that an address is computed from.
    pub fn base_of(&self, pool: &Pool, address: Expr) -> Option<Expr> {
        let (mut found, mut todo) = (None, vec![address]);
        for _ in 0..MAX_STEPS {
            let Some(expr) = todo.pop() else { return found };
            let Expr::Term(id) = expr else { continue };
            match pool.node(id).op {
                Op::Add => todo.extend(pool.node(id).args()),
                Op::Symbol(_) if self.objects.contains_key(&expr) && found.replace(expr).is_some() => return None,
                Op::Symbol(_) => {}
                // What is added otherwise is an index, unless it is computed from an address.
                Op::Sub | Op::Ite if self.mentions_object(pool, expr) => return None,
                _ if self.is_made_of_object(pool, expr) => return None,
                _ => {}
            }
        }
        None
    }

    fn mentions_object(&self, pool: &Pool, expr: Expr) -> bool {
        pool.symbols_in(&[expr]).values().any(|symbol| self.objects.contains_key(symbol))
    }

    /// Whether a value is computed from the address of an object. What is read from memory, or returned, is not.
    pub fn is_made_of_object(&self, pool: &Pool, expr: Expr) -> bool {
        let (mut todo, mut seen) = (vec![expr], FxHashSet::default());
        while let Some(expr) = todo.pop() {
            let Expr::Term(id) = expr else { continue };
            if !seen.insert(id) {
                continue;
            }
            match pool.node(id).op {
                Op::Symbol(_) if self.objects.contains_key(&expr) => return true,
                Op::Symbol(_) | Op::Apply { .. } => {}
                _ => todo.extend(pool.node(id).args()),
            }
        }
        false
    }

    fn distance(&mut self, pool: &mut Pool, from: Expr, to: Expr) -> Distance {
        if from == to {
            return Distance::Known(0);
        }
        let width = pool.width(from);
        let difference = pool.sub(to, from);
        if let Some(bytes) = difference.as_const() {
            return Distance::Known(signed(bytes, width));
        }
        if self.are_distinct(pool, from, to) { Distance::Distinct } else { Distance::Unknown }
    }

    /// Whether two addresses certainly lie in different objects.
    pub fn are_distinct(&mut self, pool: &Pool, from: Expr, to: Expr) -> bool {
        match (self.base_of(pool, from), self.base_of(pool, to)) {
            (Some(a), Some(b)) => a != b,
            (Some(a), None) => self.objects.get(&a) == Some(&Object::Local) && self.is_from_entry(pool, to),
            (None, Some(b)) => self.objects.get(&b) == Some(&Object::Local) && self.is_from_entry(pool, from),
            (None, None) => false,
        }
    }

    /// Whether a value was there before the function began, so that it cannot be the address of one of its locals.
    fn is_from_entry(&mut self, pool: &Pool, expr: Expr) -> bool {
        let Expr::Term(root) = expr else { return true };
        let mut todo = vec![(root, false)];
        while let Some((id, done)) = todo.pop() {
            if self.entry_only.contains_key(&id) {
                continue;
            }
            let node = pool.node(id);
            let args: Vec<Expr> = match node.op {
                Op::Apply { function, args } => {
                    let args = pool.apply_args(args);
                    let is_read = self.read_functions.values().any(|read| *read == function);
                    let memory = self.of_memory.get(&id).map(|memory| self.node(*memory));
                    let of_entry = matches!(memory, Some(Node::Base(0 | u32::MAX)));
                    if !is_read || !of_entry {
                        self.entry_only.insert(id, false);
                        continue;
                    }
                    args[1..].to_vec()
                }
                Op::Symbol(symbol) => {
                    self.entry_only.insert(id, self.from_entry.contains(&symbol));
                    continue;
                }
                Op::ArraySymbol(_) => {
                    self.entry_only.insert(id, false);
                    continue;
                }
                _ => node.args().to_vec(),
            };
            let below = || args.iter().filter_map(|arg| if let Expr::Term(id) = arg { Some(*id) } else { None });
            if done {
                let all = below().all(|arg| self.entry_only.get(&arg) == Some(&true));
                self.entry_only.insert(id, all);
            } else {
                todo.push((id, true));
                todo.extend(below().map(|arg| (arg, false)));
            }
        }
        self.entry_only.get(&root) == Some(&true)
    }

    /// A condition without which two memories are the same. True says that nothing is known.
    pub fn differ(&mut self, pool: &mut Pool, a: MemId, b: MemId) -> Expr {
        self.differ_within(pool, a, b, MAX_CHOICES)
    }

    fn differ_within(&mut self, pool: &mut Pool, a: MemId, b: MemId, depth: u32) -> Expr {
        if a == b {
            return Expr::bool(false);
        }
        let Some(depth) = depth.checked_sub(1) else { return self.numbers_differ(pool, a, b) };
        match (self.node(a), self.node(b)) {
            (Node::Choice { condition, then, otherwise }, Node::Choice { condition: c, then: t, otherwise: o })
                if condition == c =>
            {
                let then = self.differ_within(pool, then, t, depth);
                let otherwise = self.differ_within(pool, otherwise, o, depth);
                return pool.ite(condition, then, otherwise);
            }
            (Node::After(x), Node::After(y)) => return self.events_differ(pool, x, y, depth),
            _ => {}
        }
        let (root, other) = (self.root(a), self.root(b));
        if root == other {
            return self.bytes_differ(pool, a, b);
        }
        match (self.node(a), self.node(b)) {
            (Node::Choice { condition, then, otherwise }, _) => {
                let then = self.differ_within(pool, then, b, depth);
                let otherwise = self.differ_within(pool, otherwise, b, depth);
                pool.ite(condition, then, otherwise)
            }
            (_, Node::Choice { condition, then, otherwise }) => {
                let then = self.differ_within(pool, a, then, depth);
                let otherwise = self.differ_within(pool, a, otherwise, depth);
                pool.ite(condition, then, otherwise)
            }
            _ if matches!(self.node(root), Node::Choice { .. }) || matches!(self.node(other), Node::Choice { .. }) => {
                self.bytes_differ(pool, a, b)
            }
            _ => self.numbers_differ(pool, a, b),
        }
    }

    fn numbers_differ(&mut self, pool: &mut Pool, a: MemId, b: MemId) -> Expr {
        let (a, b) = (self.number(pool, a), self.number(pool, b));
        pool.ne(a, b)
    }

    /// A condition without which two events are the same one.
    fn events_differ(&mut self, pool: &mut Pool, a: EventId, b: EventId, depth: u32) -> Expr {
        let (a, b) = (self.event(a).clone(), self.event(b).clone());
        let widths = |event: &Event| event.args.iter().map(|arg| pool.width(*arg)).collect::<Vec<u32>>();
        if a.key != b.key || widths(&a) != widths(&b) {
            return Expr::bool(true);
        }
        let mut any = self.differ_within(pool, a.before, b.before, depth);
        for (x, y) in a.args.iter().zip(&b.args) {
            let differs = pool.ne(*x, *y);
            any = pool.or(any, differs);
        }
        any
    }

    /// What a memory was before its last writes.
    fn root(&self, id: MemId) -> MemId {
        let mut at = id;
        while let Node::Write { before, .. } = self.node(at) {
            at = before;
        }
        at
    }

    /// A condition without which two memories have the same bytes: that of a byte, somewhere, that is not the same.
    fn bytes_differ(&mut self, pool: &mut Pool, a: MemId, b: MemId) -> Expr {
        let Some(width) = self.address_width(pool, a).or_else(|| self.address_width(pool, b)) else {
            return Expr::bool(true);
        };
        let somewhere = pool.symbol("somewhere", width);
        self.somewhere = Some(somewhere);
        let (x, y) = (self.byte(pool, a, somewhere), self.byte(pool, b, somewhere));
        match (x, y) {
            (Some(x), Some(y)) => pool.ne(x, y),
            _ => Expr::bool(true),
        }
    }

    fn address_width(&self, pool: &Pool, memory: MemId) -> Option<u32> {
        let mut at = memory;
        loop {
            at = match self.node(at) {
                Node::Write { address, .. } => return Some(pool.width(address)),
                Node::Choice { then, .. } => then,
                Node::Base(_) | Node::After(_) => return None,
            }
        }
    }

    /// The byte at any address. Exact: a byte is written or it is not.
    fn byte(&mut self, pool: &mut Pool, memory: MemId, at: Expr) -> Option<Expr> {
        let mut known: FxHashMap<MemId, Expr> = FxHashMap::default();
        let mut todo = vec![memory];
        while let Some(&id) = todo.last() {
            if known.contains_key(&id) {
                todo.pop();
                continue;
            }
            let byte = match self.node(id) {
                Node::Base(_) | Node::After(_) => self.unknown(pool, id, at, 1),
                Node::Write { before, address, value } => {
                    let Some(&below) = known.get(&before) else {
                        todo.push(before);
                        continue;
                    };
                    let (width, bits) = (pool.width(at), pool.width(value));
                    let offset = pool.sub(at, address);
                    let size = pool.number(u64::from(bits / 8), width);
                    let inside = pool.ult(offset, size);
                    let written = byte_of(pool, value, offset);
                    pool.ite(inside, written, below)
                }
                Node::Choice { condition, then, otherwise } => {
                    let (Some(&a), Some(&b)) = (known.get(&then), known.get(&otherwise)) else {
                        todo.extend([then, otherwise]);
                        continue;
                    };
                    pool.ite(condition, a, b)
                }
            };
            known.insert(id, byte);
            todo.pop();
            if known.len() > MAX_STEPS {
                return None;
            }
        }
        known.get(&memory).copied()
    }

    /// Memory without the writes since its last event that go to locals: nobody sees them once the function has returned.
    pub fn without_locals(&mut self, pool: &mut Pool, memory: MemId) -> MemId {
        match self.node(memory) {
            Node::Base(_) | Node::After(_) => memory,
            Node::Choice { .. } => {
                let mut known: FxHashMap<MemId, MemId> = FxHashMap::default();
                self.without_locals_of_choices(pool, memory, &mut known)
            }
            Node::Write { .. } => {
                let mut known: FxHashMap<MemId, MemId> = FxHashMap::default();
                self.without_locals_of_choices(pool, memory, &mut known)
            }
        }
    }

    fn without_locals_of_choices(
        &mut self,
        pool: &mut Pool,
        memory: MemId,
        known: &mut FxHashMap<MemId, MemId>,
    ) -> MemId {
        let mut todo = vec![memory];
        while let Some(&id) = todo.last() {
            if known.contains_key(&id) {
                todo.pop();
                continue;
            }
            let result = match self.node(id) {
                Node::Base(_) | Node::After(_) => id,
                Node::Write { before, address, value } => {
                    let Some(&below) = known.get(&before) else {
                        todo.push(before);
                        continue;
                    };
                    match self.object_at(pool, address) {
                        Some(Object::Local) => below,
                        _ if below == before => id,
                        _ => self.intern(Node::Write { before: below, address, value }),
                    }
                }
                Node::Choice { condition, then, otherwise } => {
                    let (Some(&a), Some(&b)) = (known.get(&then), known.get(&otherwise)) else {
                        todo.extend([then, otherwise]);
                        continue;
                    };
                    self.choice(pool, condition, a, b)
                }
            };
            known.insert(id, result);
            todo.pop();
        }
        known.get(&memory).copied().unwrap_or(memory)
    }
}

/// The byte of a value at an offset that is inside of it.
fn byte_of(pool: &mut Pool, value: Expr, offset: Expr) -> Expr {
    let bits = pool.width(value);
    if bits == 8 {
        return value;
    }
    let width = pool.width(offset);
    // The distance in bits, as wide as the value; offsets inside fit.
    let offset = if bits > width { pool.zext(offset, bits) } else { pool.extract(offset, 0, bits) };
    let three = pool.number(3, bits);
    let distance = pool.shl(offset, three);
    let shifted = pool.lshr(value, distance);
    pool.extract(shifted, 0, 8)
}
