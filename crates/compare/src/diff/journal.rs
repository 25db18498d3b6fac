//! What a comparison has found so far, kept where a crash cannot take it.
//!
//! A comparison runs in a process of its own, started by a supervisor. It writes down which function it begins, and each row
//! when it is done, a line of JSON each. When that process dies (an abort, a stack overflow, the kernel's out-of-memory killer),
//! the supervisor calls [`bury`], which writes down what the process died of, and starts another one with the same
//! journal. That one takes over the rows that are there and gives a row without a verdict to the function that failed. Where several
//! functions were under way, each is looked at once more, alone, to find the one that fails.

use report::diff::Function;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// A part of the work that may fail by itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Unit {
    /// Proofs that changed callees do the same, which come before all rows.
    Callees,
    /// A function, by its place among all that were matched.
    Function(usize),
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
}

/// A line of the journal.
#[derive(Serialize, Deserialize)]
enum Record {
    Begins(Unit),
    /// Done; there is a row if it can be taken over.
    Ends(Unit, Option<Box<Function>>),
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

/// The journal of a comparison.
pub struct Journal {
    file: Mutex<File>,
    rows: BTreeMap<usize, Function>,
    failed: BTreeMap<Unit, Death>,
    suspects: BTreeSet<Unit>,
    under_way: Mutex<BTreeMap<Unit, Instant>>,
    /// Whether there was memory left when the first part of the work began.
    had_room: OnceLock<bool>,
}

impl Journal {
    /// Reads what earlier processes wrote, and writes behind it.
    pub fn open(mut file: File) -> io::Result<Journal> {
        let mut journal = Journal {
            rows: BTreeMap::new(),
            failed: BTreeMap::new(),
            suspects: BTreeSet::new(),
            under_way: Mutex::default(),
            had_room: OnceLock::new(),
            file: Mutex::new(file.try_clone()?),
        };
        for record in read(&mut file)? {
            match record {
                Record::Ends(Unit::Function(index), Some(row)) => {
                    journal.rows.insert(index, *row);
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

    /// The row of a function that is done.
    pub fn row(&self, index: usize) -> Option<&Function> {
        self.rows.get(&index)
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
        self.write(&Record::Begins(unit));
    }

    /// Says that a part of the work is done. A row that is given is taken over by later processes.
    pub fn ends(&self, unit: Unit, row: Option<&Function>) {
        lock(&self.under_way).remove(&unit);
        self.write(&Record::Ends(unit, row.cloned().map(Box::new)));
    }

    /// Says why the process is about to end.
    pub fn gives_up(&self, death: Death) {
        self.write(&Record::GivesUp(death));
    }

    /// Says that the process is about to end, so that another one begins with all of its memory. Only if nothing is under way, and
    /// this process began so: then it has done a part of the work, and the next one has less to do.
    pub fn renews(&self) -> bool {
        let renews = self.had_room.get() == Some(&true) && lock(&self.under_way).is_empty();
        if renews {
            self.write(&Record::Renews);
        }
        renews
    }

    /// For how long that part of the work has been under way which began first.
    pub fn longest(&self) -> Option<Duration> {
        lock(&self.under_way).values().min().map(Instant::elapsed)
    }

    fn write(&self, record: &Record) {
        // Without a journal the comparison is as good, only less safe.
        let _ = append(&mut lock(&self.file), record);
    }
}

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
    for record in read(file)? {
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
        append(file, &Record::Renewed)?;
        return Ok(Next::GoOn);
    }
    let death = given_up.unwrap_or(death);
    let alone = under_way.len() == 1;
    for unit in &under_way {
        let record = if alone { Record::Failed(unit.clone(), death) } else { Record::Suspect(unit.clone()) };
        append(file, &record)?;
    }
    Ok(if under_way.is_empty() { Next::GiveUp(death) } else { Next::GoOn })
}

/// All records. A line that is no record was not written to its end.
fn read(file: &mut File) -> io::Result<Vec<Record>> {
    let mut text = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut text)?;
    if text.last().is_some_and(|&last| last != b'\n') {
        file.write_all(b"\n")?;
    }
    Ok(text.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

fn append(file: &mut File, record: &Record) -> io::Result<()> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    file.write_all(&line)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn row(name: &str) -> Function {
        Function { name: name.to_owned(), ..Function::default() }
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
        assert_eq!(next.row(3).map(|row| row.name.as_str()), Some("f"));
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
