//! Verdicts on several functions at once. Each is about its own function alone, so the answers do not depend on how many
//! work, unless time runs out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use super::findings::Findings;
use super::task::Task;
use super::verdict;
use crate::journal::Unit;
use crate::sabotage::fail;
use crate::suite::Test;
use change::FunctionChange;
use evidence::{Assumption, Gap};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What is heard of the work.
pub enum Told {
    /// A function is looked at, by its place in the list.
    Begins(usize),
    /// What is known of it, and tests if they were asked for.
    Said(usize, Box<Findings>, Vec<Test>),
}

/// A function that wants a verdict.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Its place among all functions that were matched.
    pub index: usize,
    /// The function.
    pub function: &'a FunctionChange,
    /// The assumptions that it inherits, if all that it uses is proved to be the same.
    pub inherited: Option<&'a BTreeSet<Assumption>>,
}

/// Finds the verdict on each function of a list, with the time until then shared among them. `hear` is told in the order in
/// which things happen. What an earlier process may have died of is done first, one at a time.
pub fn judge(task: &Task, functions: &[Job], until: Option<Instant>, mut hear: impl FnMut(Told)) {
    let is_suspect = |job: &Job| {
        let journal = task.options.journal.as_ref();
        journal.is_some_and(|journal| journal.is_suspect(&Unit::Function(job.index)))
    };
    let (suspects, others): (Vec<usize>, Vec<usize>) =
        (0..functions.len()).partition(|&place| is_suspect(&functions[place]));
    judge_some(&Work { task, functions, places: &suspects, jobs: 1, until }, &mut hear);
    judge_some(&Work { task, functions, places: &others, jobs: task.options.jobs, until }, &mut hear);
}

/// Functions that several workers share.
struct Work<'a> {
    task: &'a Task<'a>,
    functions: &'a [Job<'a>],
    places: &'a [usize],
    jobs: usize,
    until: Option<Instant>,
}

impl Work<'_> {
    /// Time for the next function, when so many are left: most take less than their share.
    fn time(&self, left: usize) -> Duration {
        let most = self.task.options.time;
        let Some(until) = self.until else { return most };
        let workers = self.jobs.min(left).max(1) as u32;
        let share = until.saturating_duration_since(Instant::now()) * workers * SHARES / left.max(1) as u32;
        most.min(share.max(LEAST))
    }
}

/// How many times its share of the time that is left a function may take.
const SHARES: u32 = 3;

/// Time that a function has when none is left.
const LEAST: Duration = Duration::from_millis(500);

fn judge_some(work: &Work, mut hear: impl FnMut(Told)) {
    let Work { places, jobs, .. } = *work;
    let next = AtomicUsize::new(0);
    let (tell, heard) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, places.len().max(1)) {
            let (tell, next) = (tell.clone(), &next);
            let worker = std::thread::Builder::new().stack_size(STACK);
            if worker.spawn_scoped(scope, move || go_on(work, next, &tell)).is_err() {
                break;
            }
        }
        // What no thread could be had for is done here.
        drop(tell);
        heard.iter().for_each(&mut hear);
    });
    let (tell, heard) = channel();
    go_on(work, &next, &tell);
    drop(tell);
    heard.iter().for_each(hear);
}

/// Stack of a thread that explores.
const STACK: usize = 64 << 20;

fn go_on(work: &Work, next: &AtomicUsize, tell: &Sender<Told>) {
    loop {
        let taken = next.fetch_add(1, Ordering::Relaxed);
        let Some(&place) = work.places.get(taken) else { break };
        // Nobody listens only if the program ends.
        let _ = tell.send(Told::Begins(place));
        let task = Task { time: work.time(work.places.len() - taken), ..*work.task };
        let (row, tests) = journalled(&task, &work.functions[place]);
        let _ = tell.send(Told::Said(place, Box::new(row), tests));
        recover(&task);
    }
}

/// Waits for memory to be given back. Where it is not, another process goes on with the rest.
fn recover(task: &Task) {
    let options = task.options;
    for _ in 0..LOOKS {
        if !options.explore.memory_full.is_set() {
            return;
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
    // What has tests is not kept: another process would do it again.
    if let (Some(journal), Some(renew), false) = (&options.journal, options.renew, options.tests)
        && journal.renews()
    {
        renew();
    }
}

/// How often, and after which times, the memory is looked at when a function is done.
const LOOKS: u32 = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(25);

/// The verdict on a function: from the journal if it is there.
fn journalled(task: &Task, job: &Job) -> (Findings, Vec<Test>) {
    let Some(journal) = &task.options.journal else { return judged(task, job) };
    let unit = Unit::Function(job.index);
    if let Some(row) = journal.row(job.index) {
        return (row.clone(), Vec::new());
    }
    if let Some(death) = journal.failed(&unit) {
        return (Findings::from(death.gap()), Vec::new());
    }
    journal.begins(unit.clone(), !task.options.explore.memory_full.is_set());
    let (row, tests) = judged(task, job);
    // Tests are not kept: whoever wants them finds them again.
    journal.ends(unit, (!task.options.tests).then_some(&row));
    (row, tests)
}

fn judged(task: &Task, job: &Job) -> (Findings, Vec<Test>) {
    if let Some((name, how)) = &task.options.sabotage
        && *name == job.function.name
    {
        fail(*how);
    }
    // A fault of ours in one function must not cost the verdicts on all others.
    let judged = catch_unwind(AssertUnwindSafe(|| verdict::of(task, job.function, job.inherited)));
    judged.unwrap_or_else(|_| (Findings::from(Gap::OwnFailure), Vec::new()))
}
