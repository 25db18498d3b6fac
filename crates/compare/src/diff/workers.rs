//! Verdicts on several functions at once. Each is about its own function alone, so the answers do not depend on how many
//! work, unless time runs out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use super::shown_name;
use super::verdict::{self, Task, reason_row};
use crate::suite::Test;
use change::FunctionChange;
use report::diff::{Function, Verdict};

/// What is heard of the work.
pub enum Told {
    /// A function is looked at, by its place in the list.
    Begins(usize),
    /// Its verdict, and tests if they were asked for.
    Said(usize, Box<Function>, Vec<Test>),
}

/// Finds the verdict on each function of a list, with whether all that it uses is proved to be the same. `hear` is told in
/// the order in which things happen.
pub fn judge(task: &Task, functions: &[(&FunctionChange, bool)], jobs: usize, mut hear: impl FnMut(Told)) {
    let next = AtomicUsize::new(0);
    let (tell, heard) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, functions.len().max(1)) {
            let (tell, next) = (tell.clone(), &next);
            let worker = std::thread::Builder::new().stack_size(STACK);
            if worker.spawn_scoped(scope, move || work(task, functions, next, &tell)).is_err() {
                break;
            }
        }
        // What no thread could be had for is done here.
        drop(tell);
        heard.iter().for_each(&mut hear);
    });
    let (tell, heard) = channel();
    work(task, functions, &next, &tell);
    drop(tell);
    heard.iter().for_each(hear);
}

/// Stack of a thread that explores.
const STACK: usize = 64 << 20;

fn work(task: &Task, functions: &[(&FunctionChange, bool)], next: &AtomicUsize, tell: &Sender<Told>) {
    loop {
        let place = next.fetch_add(1, Ordering::Relaxed);
        let Some(&(function, proved)) = functions.get(place) else { return };
        // Nobody listens only if the program ends.
        let _ = tell.send(Told::Begins(place));
        // A fault of ours in one function must not cost the verdicts on all others.
        let judged = catch_unwind(AssertUnwindSafe(|| verdict::of(task, function, proved)));
        let (row, tests) = judged.unwrap_or_else(|_| (failed(task, function), Vec::new()));
        let _ = tell.send(Told::Said(place, Box::new(row), tests));
    }
}

fn failed(task: &Task, function: &FunctionChange) -> Function {
    let reason = "pathshift itself failed here; please report it".to_owned();
    let (name, old_name) = shown_name(function, task.old, task.new);
    Function {
        name,
        old_name,
        verdict: Verdict::Undecided,
        undecided: vec![reason_row(reason, None, None, 1)],
        ..Function::default()
    }
}
