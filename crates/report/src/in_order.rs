//! Many small texts, made by several threads and taken by one, in their order.
//!
//! The texts of a million paths are made faster by two threads than by one, but a file has one order. Items are cut into
//! batches, which threads get by turns; each thread has a short queue of its own, so the one who takes the batches
//! knows where the next one comes from, and nobody runs far ahead.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, scope};

/// Items that are made at once: so many that waiting for each other costs nothing beside making them.
const BATCH: usize = 256;

/// Batches that a thread makes before somebody takes them.
const AHEAD: usize = 4;

/// Makes something of every batch of `items` on `jobs` threads, and takes what was made in the order of the items. The
/// first error of `take` ends it.
pub fn in_order<T: Send, E>(
    jobs: usize,
    items: &[usize],
    make: impl Fn(&[usize]) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let batches: Vec<&[usize]> = items.chunks(BATCH).collect();
    if jobs <= 1 || batches.len() <= 1 {
        return batches.into_iter().try_for_each(|batch| take(make(batch)));
    }
    let (batches, make) = (&batches, &make);
    scope(|scope| {
        let begin = |job: usize| -> Option<Receiver<T>> {
            let (sender, receiver) = sync_channel(AHEAD);
            let mut own = batches.iter().skip(job).step_by(jobs);
            let work = move || while own.next().is_some_and(|batch| sender.send(make(batch)).is_ok()) {};
            Builder::new().spawn_scoped(scope, work).ok().map(|_| receiver)
        };
        let queues: Vec<Option<Receiver<T>>> = (0..jobs).map(begin).collect();
        for (number, batch) in batches.iter().enumerate() {
            // Where there is no thread, the work is done here.
            let made = queues[number % jobs].as_ref().and_then(|queue| queue.recv().ok());
            take(made.unwrap_or_else(|| make(batch)))?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::{BATCH, in_order};

    fn joined(jobs: usize, count: usize) -> Vec<usize> {
        let items: Vec<usize> = (0..count).collect();
        let mut all = Vec::new();
        let taken = in_order(jobs, &items, <[usize]>::to_vec, |batch| {
            all.extend(batch);
            Ok::<(), ()>(())
        });
        assert_eq!(taken, Ok(()));
        all
    }

    #[test]
    fn what_is_taken_is_in_order() {
        for count in [0, 1, BATCH, BATCH + 1, 100 * BATCH + 7] {
            for jobs in [0, 1, 2, 3, 7] {
                assert_eq!(joined(jobs, count), (0..count).collect::<Vec<_>>(), "{count} by {jobs}");
            }
        }
    }

    #[test]
    fn an_error_ends_it() {
        let items: Vec<usize> = (0..100 * BATCH).collect();
        let mut batches = 0;
        let taken = in_order(2, &items, <[usize]>::len, |_| {
            batches += 1;
            if batches == 3 { Err("full") } else { Ok(()) }
        });
        assert_eq!((taken, batches), (Err("full"), 3));
    }
}
