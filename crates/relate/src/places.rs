//! Names and lines of the source, and what depends on uninitialised memory.

use crate::guard::conjunction;
use crate::memory::{FIRST_VARYING, MemId, Node, Object};
use crate::prover::Prover;
use crate::sources;
use crate::version::Version;
use ir::id::{InstId, LocId};
use ir::inst::{InstKind, Value};
use ir::module::Module;
use rustc_hash::FxHashSet;
use smt::expr::{Expr, Op};
use smt::pool::Reading;

/// What the source calls a value, and how people read it.
pub fn name_of(version: &Version<'_>, inst: InstId) -> (String, Reading) {
    if let Some((name, ty)) = sources::variable(version, Value::Inst(inst)) {
        return (name, sources::reading(version, ty));
    }
    if let Some(named) = sources::call(version, inst) {
        return named;
    }
    let name = version.function.insts[inst].name;
    (name.map_or_else(|| "a value".to_owned(), |name| version.module.str(name).to_owned()), Reading::Signed)
}

/// File and line of a place in the source.
pub fn line(module: &Module, at: LocId) -> Option<(String, u32)> {
    change::lines::line(module, at)
}

/// A condition as far as it is written in the terms of the source: conjuncts over memory without a name are left out. Whether it is all
/// of it; where nothing would be left, it is.
pub fn readable(prover: &mut Prover<'_, '_>, condition: Expr) -> (Expr, bool) {
    let pool = &prover.pool;
    let (mut todo, mut kept, mut all) = (vec![condition], Vec::new(), true);
    while let Some(expr) = todo.pop() {
        match expr {
            Expr::Term(id) if matches!(pool.node(id).op, Op::And) => todo.extend(pool.node(id).args()),
            expr if is_readable(prover, expr) => kept.push(expr),
            _ => all = false,
        }
    }
    if kept.is_empty() {
        return (condition, true);
    }
    kept.reverse();
    (if all { condition } else { conjunction(&mut prover.pool, &kept) }, all)
}

/// Whether all of a term is written in the terms of the source.
fn is_readable(prover: &Prover<'_, '_>, expr: Expr) -> bool {
    let pool = &prover.pool;
    let (mut todo, mut seen) = (vec![expr], FxHashSet::default());
    while let Some(expr) = todo.pop() {
        let Expr::Term(id) = expr else { continue };
        if !seen.insert(id) || pool.called(id).is_some() {
            continue;
        }
        if matches!(pool.node(id).op, Op::Apply { .. }) || prover.memory.somewhere == Some(expr) {
            return false;
        }
        todo.extend(pool.node(id).args());
    }
    true
}

/// Where the function changed first.
pub fn first_changed(prover: &Prover<'_, '_>) -> Option<(String, u32)> {
    let version = &prover.versions[1];
    let changed = version.function.body().find_map(|(_, id, inst)| {
        let changed = prover.diff.of_new(id).status != change::Status::Unchanged;
        (changed && !matches!(inst.kind, InstKind::Marker(_))).then_some(inst.loc).flatten()
    });
    changed.and_then(|at| line(version.module, at))
}

/// Whether a local may be in a memory as it was at the entry: no call was given its address.
fn is_as_begun(prover: &Prover<'_, '_>, memory: MemId, local: Expr) -> bool {
    let (mut todo, mut seen) = (vec![memory], FxHashSet::default());
    while let Some(at) = todo.pop() {
        if !seen.insert(at) {
            continue;
        }
        match prover.memory.node(at) {
            Node::Base(0) => return true,
            Node::Base(_) => {}
            Node::Write { before, .. } => todo.push(before),
            Node::Choice { then, otherwise, .. } => todo.extend([then, otherwise]),
            Node::After(event) => {
                let event = prover.memory.event(event);
                let is_given = |arg: &Expr| prover.pool.symbols_in(&[*arg]).values().any(|symbol| *symbol == local);
                if !event.args.iter().any(is_given) {
                    todo.push(event.before);
                }
            }
        }
    }
    false
}

/// Whether terms or memories depend on values or memory that nobody has initialised.
pub fn is_uninitialised(prover: &Prover<'_, '_>, roots: Vec<Expr>, memories: Vec<MemId>) -> bool {
    let (pool, memory) = (&prover.pool, &prover.memory);
    let (mut terms, mut memories) = (roots, memories);
    let (mut seen, mut seen_memories) = (FxHashSet::default(), FxHashSet::default());
    loop {
        if let Some(expr) = terms.pop() {
            let Expr::Term(id) = expr else { continue };
            if !seen.insert(id) {
                continue;
            }
            match pool.node(id).op {
                Op::Symbol(symbol) if prover.uninitialised.contains(&symbol) => return true,
                Op::Apply { args, .. } => {
                    let args = pool.apply_args(args);
                    terms.extend(args);
                    if let Some(&of) = memory.of_memory.get(&id) {
                        // A read of a local's first memory is one of nothing, and so is one of a local at the entry.
                        if matches!(memory.node(of), Node::Base(number) if (1..FIRST_VARYING).contains(&number)) {
                            return true;
                        }
                        let bases = args.iter().filter_map(|&at| memory.base_of(pool, at));
                        let mut locals = bases.filter(|base| memory.objects.get(base) == Some(&Object::Local));
                        if locals.any(|local| is_as_begun(prover, of, local)) {
                            return true;
                        }
                        memories.push(of);
                    }
                }
                _ => terms.extend(pool.node(id).args()),
            }
        } else if let Some(of) = memories.pop() {
            if !seen_memories.insert(of) {
                continue;
            }
            match memory.node(of) {
                Node::Base(_) => {}
                Node::Write { before, address, value } => {
                    memories.push(before);
                    terms.extend([address, value]);
                }
                Node::After(event) => {
                    let event = memory.event(event);
                    memories.push(event.before);
                    terms.extend(event.args.iter());
                }
                Node::Choice { condition, then, otherwise } => {
                    memories.extend([then, otherwise]);
                    terms.push(condition);
                }
            }
        } else {
            return false;
        }
    }
}
