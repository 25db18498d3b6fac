//! Directed explorations with a goal, and on several threads, beside those without.

use crate::generate::{self, Random};
use crate::{Change, options};
use explore::goals::{Goal, Obligation, covered};
use explore::options::Options;
use explore::pursuit::Target;
use std::collections::BTreeSet;

const PAIRS: u64 = 12;

/// Pairs of random programs, each with the names of its functions.
fn change(seed: u64) -> (Change, Vec<String>) {
    let (mut old, mut new, mut names) = (String::new(), String::new(), Vec::new());
    for pair in 0..PAIRS {
        let mut random = Random::new(seed + pair);
        let program = generate::program(&mut random);
        let edited = generate::edit(&program, &mut random);
        old.push_str(&generate::text(&program, &format!("_{pair}")));
        new.push_str(&generate::text(&edited, &format!("_{pair}")));
        names.push(format!("f_{pair}"));
    }
    (Change::new(&old, &new), names)
}

#[test]
fn a_goal_is_reached_with_fewer_paths() {
    let (change, names) = change(7000);
    let (mut all, mut some) = (0, 0);
    for name in &names {
        for aim in [&change.dise, &change.idise] {
            for goal in [Goal::Statement, Goal::Block, Goal::Branch, Goal::Data, Goal::Path] {
                let reached = |options: &Options| -> (usize, BTreeSet<Obligation>) {
                    let explored =
                        change.explore(name, options, |ended| covered(aim, &change.program, ended.state, goal));
                    (explored.paths.len(), explored.paths.into_iter().flatten().collect())
                };
                let functions = change.program.module.functions.ids().collect();
                let plain = options(Some(aim.clone()));
                let (paths, expect) = reached(&plain);
                let (fewer, found) = reached(&Options { target: Some(Target { goal, functions }), ..plain });
                assert_eq!(found, expect, "{name}: {goal:?}");
                assert!(fewer <= paths);
                if goal == Goal::Statement {
                    (all, some) = (all + paths, some + fewer);
                }
            }
        }
    }
    assert!(some * 2 < all, "{some} of {all} paths");
}

#[test]
fn threads_change_nothing() {
    let (change, names) = change(8000);
    for name in &names {
        for aim in [&change.dise, &change.idise] {
            let with = |jobs: usize| {
                let explored = change.explore(name, &Options { jobs, ..options(Some(aim.clone())) }, |ended| {
                    let model = ended.chain.smallest(&mut ended.worker.pool, ended.witness);
                    let pool = &ended.worker.pool;
                    let condition: Vec<String> =
                        ended.path.constraints.iter().map(|&constraint| smt::show::show(pool, constraint)).collect();
                    // Which symbols there are beside those of the path depends on what else the worker did; they are zero.
                    let values = (0..pool.symbol_count()).map(|index| smt::expr::SymbolId(index as u32));
                    let values = values.map(|id| (id, pool.symbol_info(id)));
                    let values = values.map(|(id, symbol)| (&symbol.name, model.get(id, symbol.width).low()));
                    let values: BTreeSet<String> =
                        values.filter(|(_, value)| *value != 0).map(|value| format!("{value:?}")).collect();
                    // Terms have numbers that depend on the worker, too.
                    let end = match &ended.end {
                        exec::state::End::Returned(_) => "returns".to_owned(),
                        end => format!("{end:?}"),
                    };
                    format!("{condition:?} {values:?} {end}")
                });
                (explored.paths, explored.undecided)
            };
            assert_eq!(with(1), with(3), "{name}");
        }
    }
}
