//! Paths of explorations that are not over: what `--resume` goes on from.

use super::trees::digest;
use super::{FLUSH, Store, StoreError, TODAY};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use smt::pool::digest::mix;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A path that ended, as an interrupted exploration left it behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its decisions.
    pub way: Vec<Step>,
    /// What it left undecided: which kind, what, and where.
    pub undecided: Option<(u8, String, Option<u32>)>,
    /// What was found, in a form of the caller's.
    pub found: Vec<u8>,
}

/// What an interrupted exploration left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// Paths that ended.
    pub records: Vec<Record>,
    /// Questions that came to the limit on work.
    pub gave_up: BTreeSet<u128>,
}

/// A path that ended, as it is written: next to nothing of it is new, for paths follow each other through the tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewRecord {
    /// Number of the worker that found it.
    pub worker: u32,
    /// How many decisions are those of the path that this worker wrote before.
    pub shared: u32,
    /// The decisions behind these.
    pub rest: Vec<Step>,
    /// What it left undecided: which kind, what, and where.
    pub undecided: Option<(u8, String, Option<u32>)>,
}

/// A decision of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Step {
    /// Side that was taken.
    pub side: u32,
    /// Digest of the conditions.
    pub condition: u64,
    /// Of an open decision the sides that can be taken, if they are known.
    pub sides: Option<Option<Arc<[u32]>>>,
}

/// What a part is made of.
#[derive(Serialize, Deserialize)]
enum Item<R> {
    /// A path; behind it come that many bytes of what was found.
    Path(R, usize),
    /// A question that came to the limit on work.
    GaveUp(u128),
}

/// Whose part it is, which of that run's, and the digest of what comes behind this. Paths are written relative to those before
/// them, another process may write, or forget, parts at any time, and a disk may hold other bytes than were written.
type Head = (u64, u32, u128);

/// When records are written first. What takes no longer is as soon done again, and most runs are over by then.
const FIRST: Duration = Duration::from_secs(2);

/// Writes records as they come, every [`FLUSH`].
pub struct Progress {
    store: Store,
    /// Whether what an earlier run wrote stays.
    resumed: bool,
    /// Tells this run from others.
    session: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Records as they are written.
    waiting: Vec<u8>,
    /// Whether no more records are taken.
    closed: bool,
    over: bool,
    cut_short: bool,
}

impl Store {
    /// What a run left behind that was not over.
    pub fn progress(&self, run: u128) -> Result<Left, StoreError> {
        let parts: Vec<Vec<u8>> = self.ask(|connection| {
            let mut find = connection.prepare("SELECT records FROM progress WHERE run = ?1 ORDER BY number")?;
            let rows = find.query_map([run.to_be_bytes()], |row| row.get(0))?;
            rows.collect()
        })?;
        let mut left = Left::default();
        // By session: the part that comes next, and by worker the path before.
        let mut sessions: BTreeMap<u64, (u32, BTreeMap<u32, Vec<Step>>)> = BTreeMap::new();
        for part in &parts {
            let Ok(((session, number, known), mut rest)) = postcard::take_from_bytes::<Head>(part) else { continue };
            if known != digest_of(session, number, rest) {
                continue;
            }
            let (next, before) = sessions.entry(session).or_default();
            // Behind what is missing or cannot be read, ways begin with what is not known: that is work to be done again.
            if number != *next {
                continue;
            }
            *next = u32::MAX;
            while let Some(item) = read(&mut rest) {
                match item {
                    (Item::GaveUp(question), _) => {
                        left.gave_up.insert(question);
                    }
                    (Item::Path(record, _), found) => {
                        let way = before.entry(record.worker).or_default();
                        way.truncate(record.shared as usize);
                        way.extend(record.rest);
                        left.records.push(Record {
                            way: way.clone(),
                            undecided: record.undecided,
                            found: found.to_vec(),
                        });
                    }
                }
            }
            if rest.is_empty() {
                *next = number + 1;
            }
        }
        Ok(left)
    }

    /// Forgets a run: it is over, or begun again.
    pub fn end_progress(&self, run: u128) -> Result<(), StoreError> {
        let forget = "DELETE FROM progress WHERE run = ?1";
        self.ask(|connection| {
            if connection.execute(forget, [run.to_be_bytes()])? > 0 {
                super::shrink(connection)?;
            }
            Ok(())
        })
    }
}

impl Progress {
    /// Begins to write down a run, or goes on with it.
    pub fn new(store: Store, resumed: bool) -> Progress {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let session = mix(now, std::process::id().into()) as u64;
        Progress { store, resumed, session, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Adds a path that ended; what was found comes in parts, in a form of the caller's.
    pub fn push(&self, record: &NewRecord, found: &[Cow<[u8]>]) {
        let size: usize = found.iter().map(|part| part.len()).sum();
        let Ok(head) = postcard::to_stdvec(&Item::Path(record, size)) else { return self.close() };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.closed {
            state.waiting.extend_from_slice(&head);
            found.iter().for_each(|part| state.waiting.extend_from_slice(part));
        }
    }

    /// Adds a question that came to the limit on work.
    pub fn give_up(&self, question: u128) {
        let Ok(item) = postcard::to_stdvec(&Item::<()>::GaveUp(question)) else { return };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.closed {
            state.waiting.extend_from_slice(&item);
        }
    }

    /// Takes no more paths: those that come are relative to one that was left out.
    pub fn close(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.closed = true;
    }

    /// Writes what comes until the run [is over](Progress::stop); for a thread of its own. A run that is over sooner
    /// leaves no trace. `run` is asked for the digest of the run when there is something to write.
    pub fn write_all(&self, run: impl Fn() -> u128) {
        let mut known = None;
        let mut wait = if self.resumed { FLUSH } else { FIRST };
        let mut number = 0u32;
        loop {
            let (records, over) = {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let waited =
                    self.changed.wait_timeout_while(state, std::mem::replace(&mut wait, FLUSH), |state| !state.over);
                let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
                (std::mem::take(&mut state.waiting), state.over)
            };
            // An answer must not wait for the next one, which may take long. It is known anyway should this fail.
            let _ = self.store.flush_formulas();
            if over && known.is_none() && !self.resumed && !self.cut_short() {
                return;
            }
            let first = known.is_none();
            let run = *known.get_or_insert_with(&run);
            // Should it fail, the run itself is none the worse. What comes then is relative to what is not there.
            let begun = if first && !self.resumed { self.store.end_progress(run) } else { Ok(()) };
            if begun.and_then(|()| self.write(run, number, &records)).is_err() {
                return self.close();
            }
            number += u32::from(!records.is_empty());
            if over {
                if !self.cut_short() {
                    let _ = self.store.end_progress(run);
                }
                return;
            }
        }
    }

    /// Ends [`Progress::write_all`]. What was written stays if the run was cut short.
    pub fn stop(&self, cut_short: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.over, state.cut_short) = (true, cut_short);
        self.changed.notify_all();
    }

    fn cut_short(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).cut_short
    }

    /// Writes what waits.
    #[cfg(test)]
    pub(super) fn write_waiting(&self, run: u128, number: u32) {
        let records = std::mem::take(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner).waiting);
        assert!(self.write(run, number, &records).is_ok());
    }

    fn write(&self, run: u128, number: u32, records: &[u8]) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        let head: Head = (self.session, number, digest_of(self.session, number, records));
        let Ok(mut part) = postcard::to_stdvec(&head) else { return Ok(()) };
        part.extend_from_slice(records);
        self.store.with(|connection| {
            let insert = format!(
                "INSERT INTO progress (run, number, used, records)
                 SELECT ?1, ifnull(max(number), 0) + 1, {TODAY}, ?2 FROM progress WHERE run = ?1"
            );
            connection.execute(&insert, params![run.to_be_bytes(), part]).map(|_| ())
        })
    }
}

/// The digest of a part.
fn digest_of(session: u64, number: u32, records: &[u8]) -> u128 {
    mix(mix(session.into(), number.into()), digest(records))
}

/// The next item, and what was found.
fn read<'a>(rest: &mut &'a [u8]) -> Option<(Item<NewRecord>, &'a [u8])> {
    let (item, behind) = postcard::take_from_bytes::<Item<NewRecord>>(rest).ok()?;
    let size = match item {
        Item::Path(_, size) => size,
        Item::GaveUp(_) => 0,
    };
    let (found, behind) = behind.split_at_checked(size)?;
    *rest = behind;
    Some((item, found))
}
