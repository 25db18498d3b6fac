//! Paths of explorations that are not over: what `--resume` goes on from.

use super::{FLUSH, Store, StoreError, TODAY};
use rusqlite::params;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// A path that ended, as an interrupted exploration left it behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its decisions.
    pub way: Vec<Step>,
    /// What it left undecided: which kind, what, and where.
    pub undecided: Option<(u8, String, Option<u32>)>,
    /// What was found, in a form of the caller's.
    pub found: Vec<u8>,
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
    waiting: Vec<Record>,
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
        for part in parts {
            // A part that cannot be read is work to be done again.
            let Ok(part) = postcard::from_bytes::<Vec<(u32, Record)>>(&part) else { continue };
            let mut before: Vec<Step> = Vec::new();
            for (common, mut record) in part {
                before.truncate(common as usize);
                before.append(&mut record.way);
                records.push(Record { way: before.clone(), ..record });
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

    /// Adds a path that ended.
    pub fn push(&self, record: Record) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).waiting.push(record);
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
            // Should it fail, the run itself is none the worse.
            if first && !self.resumed {
                let _ = self.store.end_progress(run);
            }
            let _ = self.write(run, records);
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

    fn write(&self, run: u128, mut records: Vec<Record>) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        // Neighbours have most of their way in common; it is written once.
        records.sort_by(|a, b| a.way.cmp(&b.way));
        let mut before: Vec<Step> = Vec::new();
        let mut part = Vec::with_capacity(records.len());
        for mut record in records {
            let common = before.iter().zip(&record.way).take_while(|(a, b)| a == b).count();
            before.truncate(common);
            before.extend_from_slice(&record.way[common..]);
            record.way.drain(..common);
            part.push((common as u32, record));
        }
        let Ok(bytes) = postcard::to_stdvec(&part) else { return Ok(()) };
        self.store.with(|connection| {
            let insert = format!(
                "INSERT INTO progress SELECT ?1, ifnull(max(number), 0) + 1, ?2, {TODAY} FROM progress WHERE run = ?1"
            );
            connection.execute(&insert, params![run.to_be_bytes(), bytes]).map(|_| ())
        })
    }
}
