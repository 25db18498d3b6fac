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
    /// Whether a solver came to the limit on work with a question in the run that this one goes on with.
    fn gave_up(&mut self, _question: u128) -> bool {
        false
    }
    /// Remembers a question that came to the limit on work.
    fn give_up(&mut self, _question: u128) {}
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
    /// The path with its groups made, so that questions about it, and about paths that go on from it, cost less.
    pub fn settled(&mut self, pool: &Pool, path: &Path) -> Path {
        self.grouped(pool, path).into_owned()
    }

    /// The path with its groups made.
    pub(super) fn grouped<'a>(&mut self, pool: &Pool, path: &'a Path) -> Cow<'a, Path> {
        if path.grouped == path.constraints.len() {
            return Cow::Borrowed(path);
        }
        let mut groups = path.groups.clone();
        for &constraint in &path.constraints[path.grouped..] {
            let mut names = self.sets.of(pool, constraint);
            let mut constraints = vec![constraint];
            groups.retain(|group| {
                let joins = share(&group.names, &names);
                if joins {
                    let mut joined: Vec<Name> = group.names.iter().chain(names.iter()).copied().collect();
                    joined.sort_unstable();
                    joined.dedup();
                    names = joined.into();
                    constraints.extend_from_slice(&group.constraints);
                }
                !joins
            });
            constraints.sort_unstable();
            constraints.dedup();
            let values = Values::of(pool, &names, &path.values);
            // Whoever brought the values did not say that they are the smallest.
            let smallest = OnceCell::new();
            groups.push(Rc::new(Group { names, constraints: constraints.into(), values, exact: false, smallest }));
        }
        Cow::Owned(Path { groups, grouped: path.constraints.len(), ..path.clone() })
    }

    /// What another run found out about constraints.
    pub(super) fn recall(&mut self, pool: &Pool, slice: &[Expr], names: &Names, key: u128) -> Option<Cached> {
        Some(match self.recall_model(pool, slice, names, key)? {
            None => self.remember_unsat(slice),
            Some(model) => {
                let values = Values::of(pool, names, &model);
                Cached::Sat(self.remember(names.clone(), slice, values, false))
            }
        })
    }

    /// The same as values, or none if they cannot hold. Values are believed only if they fit.
    pub(super) fn recall_model(
        &mut self,
        pool: &Pool,
        slice: &[Expr],
        names: &Names,
        key: u128,
    ) -> Option<Option<Model>> {
        match self.memory.as_mut()?.get(key)? {
            Solved::Unsat => Some(None),
            Solved::Sat(values) => {
                let symbols = self.by_digest(pool, names)?;
                if symbols.len() != values.len() {
                    return None;
                }
                let mut model = Model::default();
                symbols.into_iter().zip(values).for_each(|(symbol, value)| model.set_small(symbol, value));
                satisfies(pool, &model, slice).then_some(Some(model))
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
    pub(super) fn by_digest(&self, pool: &Pool, names: &Names) -> Option<Vec<SymbolId>> {
        let mut symbols: Vec<SymbolId> =
            names.iter().map(|&name| small_symbol(pool, name)).collect::<Option<Vec<SymbolId>>>()?;
        symbols.sort_by_key(|&symbol| self.digests.symbol(pool, symbol));
        Some(symbols)
    }
}
