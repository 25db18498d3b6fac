//! What a run has found so far, kept where a crash cannot take it.
//!
//! The work is done in a process of its own, started by a supervisor. It writes down which part of the work it begins, and what it has
//! found when that is done, a line of JSON each: a comparison the row of each function, an exploration each path. When that
//! process dies (an abort, a stack overflow, the kernel's out-of-memory killer), the supervisor calls [`bury`], which writes down what
//! the process died of, and starts another one with the same journal. That one takes over what is there, and says of the part that
//! failed that it did. Where several parts were under way, each is done once more, alone, to find the one that fails.

use evidence::Gap;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A part of the work that may fail by itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Unit {
    /// Proofs from any state, which come before all else.
    Relations,
    /// Proofs that changed callees do the same, which come before all rows.
    Callees,
    /// A function, by its place among all that were matched.
    Function(usize),
    /// All of an exploration.
    Exploration,
    /// A path of it, by the order in which paths are found.
    Path(usize),
    /// Native runs of what an exploration has found.
    Replay,
}

impl Unit {
    /// Its number among the parts of its kind, if it is one whose results are kept.
    fn number(&self) -> Option<usize> {
        match *self {
            Unit::Function(number) | Unit::Path(number) => Some(number),
            Unit::Relations | Unit::Callees | Unit::Exploration | Unit::Replay => None,
        }
    }
}

/// Why a part of the work has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Death {
    /// The process ended by that signal.
    Signal(i32),
    /// It used far more memory than it may, in bytes.
    Memory(u64),
    /// It took far more time than it may.
    Time,
    /// It ended itself, with this exit code, because of a defect of ours that it noticed.
    Panic(i32),
}

impl Death {
    /// Why there is no result.
    pub fn gap(self) -> Gap {
        match self {
            Death::Signal(signal) => Gap::AnalysisFailed { signal: signal.unsigned_abs() },
            Death::Panic(_) => Gap::OwnFailure,
            Death::Memory(most) => Gap::MemoryOfProcess { mebibytes: most >> 20 },
            Death::Time => Gap::DidNotStop,
        }
    }
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
enum Record<T> {
    Begins(Unit),
    /// Done, with what was found if it can be taken over.
    Ends(Unit, Option<T>),
    /// The process is about to end for that reason.
    GivesUp(Death),
    /// The process is about to end to get rid of memory that it cannot give back.
    Renews,
    /// Another process took over from one that made way.
    Renewed,
    /// A process died while this was under way, with others.
    Suspect(Unit),
    Failed(Unit, Death),
}

/// The journal of a run that finds `T`s.
pub struct Journal<T> {
    file: Mutex<File>,
    rows: BTreeMap<usize, T>,
    failed: BTreeMap<Unit, Death>,
    suspects: BTreeSet<Unit>,
    under_way: Mutex<BTreeMap<Unit, Instant>>,
    /// Bytes that this process wrote.
    written: AtomicUsize,
    /// Whether there was memory left when the first part of the work began.
    had_room: OnceLock<bool>,
}

impl<T: Serialize + DeserializeOwned> Journal<T> {
    /// Reads what earlier processes wrote, and writes behind it.
    pub fn open(mut file: File) -> io::Result<Journal<T>> {
        let mut journal = Journal {
            rows: BTreeMap::new(),
            failed: BTreeMap::new(),
            suspects: BTreeSet::new(),
            under_way: Mutex::default(),
            written: AtomicUsize::new(0),
            had_room: OnceLock::new(),
            file: Mutex::new(file.try_clone()?),
        };
        for record in read::<T>(&mut file)? {
            match record {
                Record::Ends(unit, Some(row)) => {
                    journal.rows.extend(unit.number().map(|number| (number, row)));
                }
                Record::Failed(unit, death) => {
                    journal.failed.insert(unit, death);
                }
                Record::Suspect(unit) => {
                    journal.suspects.insert(unit);
                }
                Record::Begins(_) | Record::Ends(..) | Record::GivesUp(_) | Record::Renews | Record::Renewed => {}
            }
        }
        Ok(journal)
    }

    /// What was found of a part that is done.
    pub fn row(&self, index: usize) -> Option<&T> {
        self.rows.get(&index)
    }

    /// What was found of all parts that are done, in their order.
    pub fn rows(&self) -> impl Iterator<Item = &T> {
        self.rows.values()
    }

    /// Why a part of the work is not to be tried again.
    pub fn failed(&self, unit: &Unit) -> Option<Death> {
        self.failed.get(unit).copied()
    }

    /// Whether a part of the work has to be done alone.
    pub fn is_suspect(&self, unit: &Unit) -> bool {
        self.suspects.contains(unit)
    }

    /// Says that a part of the work begins, and whether there is memory left for it.
    pub fn begins(&self, unit: Unit, has_room: bool) {
        self.had_room.get_or_init(|| has_room);
        lock(&self.under_way).insert(unit.clone(), Instant::now());
        self.write::<()>(&Record::Begins(unit));
    }

    /// Says that a part of the work is done. What is given is taken over by later processes, as long as the journal is of a size
    /// that they can read.
    pub fn ends(&self, unit: Unit, found: Option<&T>) {
        lock(&self.under_way).remove(&unit);
        let has_room = self.written.load(Ordering::Relaxed) < MOST_BYTES;
        self.write(&Record::Ends(unit, found.filter(|_| has_room)));
    }

    /// Says why the process is about to end.
    pub fn gives_up(&self, death: Death) {
        self.write::<()>(&Record::GivesUp(death));
    }

    /// Says that the process is about to end, so that another one begins with all of its memory. Only if nothing is under way, and
    /// this process began so: then it has done a part of the work, and the next one has less to do.
    pub fn renews(&self) -> bool {
        let renews = self.had_room.get() == Some(&true) && lock(&self.under_way).is_empty();
        if renews {
            self.write::<()>(&Record::Renews);
        }
        renews
    }

    /// For how long that part of the work has been under way which began first.
    pub fn longest(&self) -> Option<Duration> {
        lock(&self.under_way).values().min().map(Instant::elapsed)
    }

    fn write<U: Serialize>(&self, record: &Record<U>) {
        // Without a journal the work is as good, only less safe.
        if let Ok(bytes) = append(&mut lock(&self.file), record) {
            self.written.fetch_add(bytes, Ordering::Relaxed);
        }
    }
}

/// Most bytes of what was found that a journal holds.
const MOST_BYTES: usize = 256 << 20;

/// What a supervisor is to do after the death of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Start another one.
    GoOn,
    /// No part of the work is to blame: another process would die as this one did.
    GiveUp(Death),
}

/// Writes down what a process died of.
pub fn bury(file: &mut File, death: Death) -> io::Result<Next> {
    let (mut under_way, mut given_up, mut renewed) = (BTreeSet::new(), None, false);
    for record in read::<IgnoredAny>(file)? {
        renewed = matches!(record, Record::Renews);
        match record {
            Record::Begins(unit) => {
                under_way.insert(unit);
            }
            Record::Ends(unit, _) => {
                under_way.remove(&unit);
            }
            Record::GivesUp(reason) => given_up = Some(reason),
            // Nothing of what was under way is to blame.
            Record::Renews | Record::Renewed => under_way.clear(),
            // These end what was written of an earlier process.
            Record::Suspect(unit) | Record::Failed(unit, _) => {
                under_way.remove(&unit);
                given_up = None;
            }
        }
    }
    if renewed {
        append(file, &Record::<()>::Renewed)?;
        return Ok(Next::GoOn);
    }
    let death = given_up.unwrap_or(death);
    let alone = under_way.len() == 1;
    for unit in &under_way {
        let record: Record<()> =
            if alone { Record::Failed(unit.clone(), death) } else { Record::Suspect(unit.clone()) };
        append(file, &record)?;
    }
    Ok(if under_way.is_empty() { Next::GiveUp(death) } else { Next::GoOn })
}

/// All records. A line that is no record was not written to its end.
fn read<T: DeserializeOwned>(file: &mut File) -> io::Result<Vec<Record<T>>> {
    let mut text = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut text)?;
    if text.last().is_some_and(|&last| last != b'\n') {
        file.write_all(b"\n")?;
    }
    Ok(text.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

fn append<T: Serialize>(file: &mut File, record: &Record<T>) -> io::Result<usize> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    file.write_all(&line)?;
    Ok(line.len())
}

fn lock<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::diff::Findings;
    use evidence::Gap;

    type Journal = super::Journal<Findings>;

    fn row(variable: &str) -> Findings {
        Findings::from(Gap::BuiltBefore { variable: variable.to_owned() })
    }

    #[test]
    fn the_one_under_way_failed() {
        let mut file = tempfile::tempfile().unwrap();
        let journal = Journal::open(file.try_clone().unwrap()).unwrap();
        journal.begins(Unit::Function(3), true);
        journal.ends(Unit::Function(3), Some(&row("f")));
        journal.begins(Unit::Function(4), true);
        assert_eq!(bury(&mut file, Death::Signal(6)).unwrap(), Next::GoOn);
        let next = Journal::open(file.try_clone().unwrap()).unwrap();
        assert_eq!(next.row(3).and_then(Findings::to_line), row("f").to_line());
        assert_eq!(next.failed(&Unit::Function(4)), Some(Death::Signal(6)));
        // Nothing was under way: there is nothing to leave out.
        assert_eq!(bury(&mut file, Death::Signal(9)).unwrap(), Next::GiveUp(Death::Signal(9)));
    }

    #[test]
    fn a_process_that_is_full_makes_way() {
        let mut file = tempfile::tempfile().unwrap();
        let full = Journal::open(file.try_clone().unwrap()).unwrap();
        full.begins(Unit::Function(1), false);
        full.ends(Unit::Function(1), Some(&row("f")));
        // It was full from the beginning, as the next one would be.
        assert!(!full.renews());
        let journal = Journal::open(file.try_clone().unwrap()).unwrap();
        journal.begins(Unit::Function(2), true);
        assert!(!journal.renews());
        journal.ends(Unit::Function(2), Some(&row("g")));
        assert!(journal.renews());
        assert_eq!(bury(&mut file, Death::Signal(9)).unwrap(), Next::GoOn);
        // The next one does nothing before it dies.
        assert_eq!(bury(&mut file, Death::Signal(9)).unwrap(), Next::GiveUp(Death::Signal(9)));
        let next = Journal::open(file.try_clone().unwrap()).unwrap();
        assert!(next.failed(&Unit::Function(2)).is_none() && next.row(2).is_some());
    }

    #[test]
    fn of_several_each_is_tried_alone() {
        let mut file = tempfile::tempfile().unwrap();
        let journal = Journal::open(file.try_clone().unwrap()).unwrap();
        journal.begins(Unit::Function(1), true);
        journal.begins(Unit::Function(2), true);
        journal.gives_up(Death::Memory(5));
        // It died in the middle of a line.
        file.write_all(b"{\"Begi").unwrap();
        assert_eq!(bury(&mut file, Death::Signal(9)).unwrap(), Next::GoOn);
        let next = Journal::open(file.try_clone().unwrap()).unwrap();
        assert!(next.is_suspect(&Unit::Function(1)) && next.is_suspect(&Unit::Function(2)));
        assert_eq!(next.failed(&Unit::Function(1)), None);
        next.begins(Unit::Function(1), true);
        next.ends(Unit::Function(1), Some(&row("f")));
        next.begins(Unit::Function(2), true);
        assert_eq!(bury(&mut file, Death::Signal(11)).unwrap(), Next::GoOn);
        let last = Journal::open(file).unwrap();
        assert_eq!(last.failed(&Unit::Function(2)), Some(Death::Signal(11)));
    }
}
