//! Paths of explorations that are not over: what `--resume` goes on from.

use super::{FLUSH, Store, StoreError, TODAY};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

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

/// When records are written first. What takes no longer is as soon done again, and most runs are over by then.
const FIRST: Duration = Duration::from_secs(2);

/// Writes records as they come, every [`FLUSH`].
pub struct Progress {
    store: Store,
    /// Whether what an earlier run wrote stays.
    resumed: bool,
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
    /// Records of a run that was not over.
    pub fn progress(&self, run: u128) -> Result<Vec<Record>, StoreError> {
        let parts: Vec<Vec<u8>> = self.ask(|connection| {
            let mut find = connection.prepare("SELECT records FROM progress WHERE run = ?1 ORDER BY number")?;
            let rows = find.query_map([run.to_be_bytes()], |row| row.get(0))?;
            rows.collect()
        })?;
        let mut records = Vec::new();
        let mut before: BTreeMap<u32, Vec<Step>> = BTreeMap::new();
        for part in &parts {
            let mut rest = part.as_slice();
            while !rest.is_empty() {
                // Behind what cannot be read, ways begin with what is not known: that is work to be done again.
                let Some((record, found)) = read(&mut rest) else { return Ok(records) };
                let way = before.entry(record.worker).or_default();
                way.truncate(record.shared as usize);
                way.extend(record.rest);
                records.push(Record { way: way.clone(), undecided: record.undecided, found: found.to_vec() });
            }
        }
        Ok(records)
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
        Progress { store, resumed, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Adds a path that ended; what was found comes in parts, in a form of the caller's.
    pub fn push(&self, record: &NewRecord, found: &[Cow<[u8]>]) {
        let size: usize = found.iter().map(|part| part.len()).sum();
        let Ok(head) = postcard::to_stdvec(&(record, size)) else { return self.close() };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.closed {
            state.waiting.extend_from_slice(&head);
            found.iter().for_each(|part| state.waiting.extend_from_slice(part));
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
        let mut wait = FIRST;
        loop {
            let (records, over) = {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let waited =
                    self.changed.wait_timeout_while(state, std::mem::replace(&mut wait, FLUSH), |state| !state.over);
                let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
                (std::mem::take(&mut state.waiting), state.over)
            };
            if over && known.is_none() && !self.resumed && !self.cut_short() {
                return;
            }
            let first = known.is_none();
            let run = *known.get_or_insert_with(&run);
            // Should it fail, the run itself is none the worse. What comes then is relative to what is not there.
            let begun = if first && !self.resumed { self.store.end_progress(run) } else { Ok(()) };
            if begun.and_then(|()| self.write(run, &records)).is_err() {
                return self.close();
            }
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

    fn write(&self, run: u128, records: &[u8]) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        self.store.with(|connection| {
            let insert = format!(
                "INSERT INTO progress (run, number, used, records)
                 SELECT ?1, ifnull(max(number), 0) + 1, {TODAY}, ?2 FROM progress WHERE run = ?1"
            );
            connection.execute(&insert, params![run.to_be_bytes(), records]).map(|_| ())
        })
    }
}

/// The next record, and what was found.
fn read<'a>(rest: &mut &'a [u8]) -> Option<(NewRecord, &'a [u8])> {
    let ((record, size), behind) = postcard::take_from_bytes::<(NewRecord, usize)>(rest).ok()?;
    let (found, behind) = behind.split_at_checked(size)?;
    *rest = behind;
    Some((record, found))
}
