//! Paths of explorations that are not over: what `--resume` goes on from.

use super::auth::{Column, Table};
use super::{FLUSH, Store, StoreError, TODAY, bytes, whole};
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
    /// What it left undecided, as JSON, and where.
    pub undecided: Option<(String, Option<u32>)>,
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
    /// What it left undecided, as JSON, and where.
    pub undecided: Option<(String, Option<u32>)>,
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

/// Whose part it is, and which of that run's. Paths are written relative to those before them, and another process may
/// write, or forget, parts at any time.
type Head = (u64, u32);

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
        let id = run.to_be_bytes();
        let parts: Vec<(i64, Vec<u8>, Vec<u8>)> = self.ask(|connection| {
            let find = "SELECT number, code, records FROM progress WHERE run = ?1 ORDER BY number";
            let mut find = connection.prepare(find)?;
            let rows = find.query_map([id], |row| Ok((whole(row, 0)?, bytes(row, 1)?, bytes(row, 2)?)))?;
            rows.collect()
        })?;
        let mut left = Left::default();
        // By session: the part that comes next, and by worker the path before.
        let mut sessions: BTreeMap<u64, (u32, BTreeMap<u32, Vec<Step>>)> = BTreeMap::new();
        for (place, code, part) in &parts {
            let row = mix(run, u128::from(place.cast_unsigned()));
            if !self.is_own(Table::Progress, row, &columns(&id, *place, part), code) {
                continue;
            }
            let Ok(((session, number), mut rest)) = postcard::take_from_bytes::<Head>(part) else { continue };
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
        let Ok(mut part) = postcard::to_stdvec::<Head>(&(self.session, number)) else { return Ok(()) };
        part.extend_from_slice(records);
        let id = run.to_be_bytes();
        self.store.with(|connection| {
            // The place is part of what the code speaks of, so nobody else may take it in between.
            connection.execute_batch("BEGIN IMMEDIATE")?;
            let next = "SELECT ifnull(max(number), 0) + 1 FROM progress WHERE run = ?1";
            let place: i64 = connection.query_row(next, [id], |row| row.get(0))?;
            let code = self.store.code(Table::Progress, &columns(&id, place, &part));
            let insert =
                format!("INSERT INTO progress (run, number, used, code, records) VALUES (?1, ?2, {TODAY}, ?3, ?4)");
            connection.execute(&insert, params![id, place, code, part])?;
            connection.execute_batch("COMMIT")
        })
    }
}

/// The columns that the code of a part is made of.
fn columns<'a>(run: &'a [u8; 16], place: i64, records: &'a [u8]) -> [Column<'a>; 3] {
    [Column::Bytes(run), Column::Number(place), Column::Bytes(records)]
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
