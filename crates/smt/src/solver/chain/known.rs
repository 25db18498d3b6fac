//! What is known without asking a solver: paths whose values the caller brought, and sets that another run solved.

use super::cache::Cached;
use super::path::{Group, Values};
use super::symbols::{Name, Names, share};
use super::{Chain, Path, small_symbol};
use crate::eval::Model;
use crate::expr::{Expr, SymbolId};
use crate::pool::Pool;
use crate::solver::validate::satisfies;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

/// Sets of constraints that were solved, by their [digest](crate::pool::digest::Digests::of_set).
pub trait Memory {
    /// What is known of a set.
    fn get(&mut self, key: u128) -> Option<Solved>;
    /// Remembers a set.
    fn put(&mut self, key: u128, solved: Solved);
}

/// What a solver said of a set of constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// They do not hold together.
    Unsat,
    /// They do for these values of their symbols, in the order of the symbols' digests.
    Sat(Vec<u64>),
}

impl Chain {
    /// The path with its groups made.
    pub(super) fn grouped<'a>(&mut self, pool: &Pool, path: &'a Path) -> Cow<'a, Path> {
        if !path.loose {
            return Cow::Borrowed(path);
        }
        let mut groups: Vec<(Names, Vec<Expr>)> = Vec::new();
        for &constraint in path.constraints.iter() {
            let mut names = self.sets.of(pool, constraint);
            let mut constraints = vec![constraint];
            let mut apart = Vec::with_capacity(groups.len() + 1);
            for (other, members) in groups {
                if share(&other, &names) {
                    let mut joined: Vec<Name> = other.iter().chain(names.iter()).copied().collect();
                    joined.sort_unstable();
                    joined.dedup();
                    names = joined.into();
                    constraints.extend(members);
                } else {
                    apart.push((other, members));
                }
            }
            apart.push((names, constraints));
            groups = apart;
        }
        let made = groups.into_iter().map(|(names, mut constraints)| {
            constraints.sort_unstable();
            constraints.dedup();
            let values = Values::of(pool, &names, &path.values);
            let smallest = OnceCell::new();
            // Whoever brought the values did not say that they are the smallest.
            Rc::new(Group { names, constraints: constraints.into(), values, exact: false, smallest })
        });
        Cow::Owned(Path { groups: made.collect(), loose: false, ..path.clone() })
    }

    /// What another run found out about constraints. Values are believed only if they fit.
    pub(super) fn recall(&mut self, pool: &Pool, slice: &[Expr], names: &Names, key: u128) -> Option<Cached> {
        match self.memory.as_mut()?.get(key)? {
            Solved::Unsat => Some(self.remember_unsat(slice)),
            Solved::Sat(values) => {
                let symbols = self.by_digest(pool, names)?;
                if symbols.len() != values.len() {
                    return None;
                }
                let mut model = Model::default();
                symbols.into_iter().zip(values).for_each(|(symbol, value)| model.set_small(symbol, value));
                if !satisfies(pool, &model, slice) {
                    return None;
                }
                let values = Values::of(pool, names, &model);
                Some(Cached::Sat(self.remember(names.clone(), slice, values, false)))
            }
        }
    }

    /// Remembers what a solver said, for other runs.
    pub(super) fn keep(&mut self, pool: &Pool, names: &Names, key: Option<u128>, model: Option<&Model>) {
        let Some(key) = key else { return };
        let solved = match model {
            None => Solved::Unsat,
            Some(model) => match self.by_digest(pool, names) {
                Some(symbols) => Solved::Sat(symbols.into_iter().map(|symbol| model.small(symbol)).collect()),
                None => return,
            },
        };
        if let Some(memory) = &mut self.memory {
            memory.put(key, solved);
        }
    }

    /// Symbols in the order of their digests; nothing if there are others than small ones.
    fn by_digest(&self, pool: &Pool, names: &Names) -> Option<Vec<SymbolId>> {
        let mut symbols: Vec<SymbolId> =
            names.iter().map(|&name| small_symbol(pool, name)).collect::<Option<Vec<SymbolId>>>()?;
        symbols.sort_by_key(|&symbol| self.digests.symbol(pool, symbol));
        Some(symbols)
    }
}
