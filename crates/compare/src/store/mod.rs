//! What earlier runs found out, in one SQLite file outside of the tree: `~/.cache/pathshift/…/store.db`.
//!
//! Nothing in it is needed: it may be deleted at any time, and then work is done again. Everything in it is keyed by what
//! it is about, never by where it stands:
//!
//! | table | key | holds | bytes |
//! |---|---|---|---|
//! | `formulas` | digest of a set of constraints | values for which they hold, or none (`NULL`: they cannot) | 17 and about 2 a symbol |
//! | `trees` | digest of a function with all it reaches, and of the bounds | the tree of its paths: digests of conditions, sides that can be taken; the suite that was made from it | 9 a forced decision, 12 a fork |
//! | `verdicts` | digests of two versions and of the bounds | the verdict as JSON | as many as the text has |
//! | `impacts` | digests of two programs with their lines, and of what was asked for | what `impact` showed | as many as the text has |
//! | `progress` | digest of a program and of the bounds | paths of an exploration that is not over; gone when it is | as many as the paths take |
//!
//! *Keys.* A digest of a formula ([`smt::pool::digest`]) knows a symbol by its place in the input (third parameter, eight
//! bytes behind the pointer) and neither numbers of terms nor names of functions or lines. A digest of a function
//! ([`change::Hashes`]) does not change when lines move or locals are renamed. So other versions of a program hit.
//!
//! *Answers are checked.* Values are evaluated before they are believed. "Cannot hold" is a fact about formulas, known by
//! 128 bits. Every row carries a code that only the user's own runs can make (`auth`): rows of others, edited rows, and
//! rows that a disk damaged are counted ([`Store::refused`]) and otherwise not there.
//!
//! *Several processes* may use one file: it is written ahead (WAL), writers wait for each other, and every row says the
//! same whoever writes it, so it is written once and never changed. What a run finds out is written every
//! [`FLUSH`] and at its end; a process that is killed loses that much.
//!
//! *A store that is damaged* is set aside as `store.db.damaged-N` and a new one is begun. *A file of a newer pathshift*, or
//! one that is no store, is left as it is. *Too large a file* loses the rows that were not used for longest.

mod auth;
mod formulas;
mod progress;
pub(crate) mod trees;

pub use auth::{Key, KeyError};
pub use progress::{Left, NewRecord, Progress, Record, Step};
pub use trees::StoredTree;

use auth::{Column, Table};
use rusqlite::config::DbConfig;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};
use smt::pool::digest::text;
use std::collections::BTreeSet;
use std::io::Read;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};

/// How often results are written.
pub const FLUSH: Duration = Duration::from_millis(500);

/// The name of the file, in a folder of its own.
pub const FILE: &str = "store.db";

/// The form of the tables; it grows by one when they change.
const SCHEMA: i64 = 2;

/// Tells a store from other SQLite files: `psft`.
const APPLICATION: i64 = 0x7073_6674;

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(20);

/// Largest size of the file in bytes, unless the user says otherwise.
pub const MAX_SIZE: u64 = 512 << 20;

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS formulas (
        key BLOB PRIMARY KEY,        -- digest of the set of constraints, 16 bytes
        model BLOB,                  -- values of its symbols in the order of their digests; NULL: they cannot hold
        used INTEGER NOT NULL,       -- day of the last use, from 1970
        code BLOB NOT NULL           -- authenticates all columns but `used`
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS trees (
        key BLOB PRIMARY KEY,        -- digest of the function, all it reaches, and the bounds
        entry TEXT NOT NULL,         -- its name when the tree was made
        suite BLOB,                  -- digest of the suite whose tests are the paths, in order
        paths INTEGER NOT NULL,      -- how many
        tree BLOB NOT NULL,
        used INTEGER NOT NULL,
        code BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS verdicts (
        key BLOB PRIMARY KEY,        -- digest of both versions and the bounds
        function TEXT NOT NULL,
        verdict TEXT NOT NULL,       -- JSON
        used INTEGER NOT NULL,
        code BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS impacts (
        key BLOB PRIMARY KEY,        -- digest of both programs, and of the form of the output
        shown TEXT NOT NULL,         -- what was printed
        used INTEGER NOT NULL,
        code BLOB NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS progress (
        run BLOB NOT NULL,           -- digest of the program, the entry and the bounds
        number INTEGER NOT NULL,     -- which part
        used INTEGER NOT NULL,
        code BLOB NOT NULL,
        records BLOB NOT NULL,       -- paths that ended: long, so it stands last, and keys are found without it
        PRIMARY KEY (run, number)
    );";

/// The tables.
const TABLE_NAMES: [&str; 5] = ["formulas", "trees", "verdicts", "impacts", "progress"];

/// Today, as rows have it.
const TODAY: &str = "(unixepoch() / 86400)";

/// Why a store cannot be used. Work goes on without it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is of a newer version of pathshift.
    #[error("{} was written by a newer pathshift (form {found}, this one knows {SCHEMA}); it is left as it is", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its form.
        found: i64,
    },
    /// It is a database of another program.
    #[error("{} is not a store of pathshift; it is left as it is", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A folder or file cannot be made or moved.
    #[error("cannot use {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// SQLite says no.
    #[error("cannot use {}: {error}", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: rusqlite::Error,
    },
}

/// A store. Copies share one connection.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    /// Nothing until the file is there: it is made when there is something to write.
    connection: Mutex<Option<Connection>>,
    pending: Mutex<formulas::Pending>,
    key: Key,
    /// Rows that were asked for and are not the user's own.
    refused: Mutex<BTreeSet<(Table, u128)>>,
    max_size: u64,
}

/// What is in a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Bytes of the file.
    pub bytes: u64,
    /// Solved sets of constraints.
    pub formulas: u64,
    /// Of these, sets that cannot hold.
    pub infeasible: u64,
    /// Trees of paths.
    pub trees: u64,
    /// Paths in them.
    pub paths: u64,
    /// Bytes of the trees.
    pub tree_bytes: u64,
    /// Verdicts.
    pub verdicts: u64,
    /// Results of `impact`.
    pub impacts: u64,
    /// Explorations that are not over.
    pub unfinished: u64,
}

impl Store {
    /// Opens a store; one that is not there yet begins when there is something to write. Only rows that were written with
    /// `key` count. The note says if a damaged or an older one was begun anew.
    pub fn open(path: &Path, key: Key) -> Result<(Store, Option<String>), StoreError> {
        let (opened, note) = match path.exists().then(|| connect(path)).transpose() {
            Err(StoreError::Sqlite { error, .. }) if is_damage(&error) && !was_store(path) => {
                return Err(StoreError::Foreign { path: path.to_owned() });
            }
            Err(StoreError::Sqlite { error, .. }) if is_damage(&error) => {
                let aside = set_aside(path)?.display().to_string();
                (None, Some(format!("{} was damaged; it is now {aside}, and a new one is begun", path.display())))
            }
            other => (other?, None),
        };
        let (connection, older) = opened.unzip();
        let inner = Inner {
            path: path.to_owned(),
            connection: Mutex::new(connection),
            pending: Mutex::default(),
            key,
            refused: Mutex::default(),
            max_size: MAX_SIZE,
        };
        Ok((Store { inner: Arc::new(inner) }, note.or(older.flatten())))
    }

    /// How many rows were asked for that somebody else wrote, or that were edited or damaged. They had no influence.
    pub fn refused(&self) -> usize {
        self.inner.refused.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether a row is the user's own; `row` tells it from others of its table.
    fn is_own(&self, table: Table, row: u128, columns: &[Column], code: &[u8]) -> bool {
        let own = self.inner.key.fits(table, columns, code);
        if !own {
            self.inner.refused.lock().unwrap_or_else(PoisonError::into_inner).insert((table, row));
        }
        own
    }

    /// The code of a row of this user.
    fn code(&self, table: Table, columns: &[Column]) -> [u8; auth::CODE_BYTES] {
        self.inner.key.code(table, columns)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// What is in it.
    pub fn info(&self) -> Result<Info, StoreError> {
        self.ask(|connection| {
            connection.query_row(
                "SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
                    (SELECT count(*) FROM formulas), (SELECT count(*) FROM formulas WHERE model IS NULL),
                    count(*), ifnull(sum(paths), 0), ifnull(sum(length(tree)), 0),
                    (SELECT count(*) FROM verdicts), (SELECT count(DISTINCT run) FROM progress),
                    (SELECT count(*) FROM impacts)
                 FROM trees",
                [],
                |row| {
                    Ok(Info {
                        bytes: row.get(0)?,
                        formulas: row.get(1)?,
                        infeasible: row.get(2)?,
                        trees: row.get(3)?,
                        paths: row.get(4)?,
                        tree_bytes: row.get(5)?,
                        verdicts: row.get(6)?,
                        unfinished: row.get(7)?,
                        impacts: row.get(8)?,
                    })
                },
            )
        })
    }

    /// Forgets everything.
    pub fn clear(&self) -> Result<(), StoreError> {
        self.ask(|connection| {
            connection.execute_batch(
                "BEGIN IMMEDIATE; DELETE FROM formulas; DELETE FROM trees; DELETE FROM verdicts; DELETE FROM impacts;
                 DELETE FROM progress; COMMIT;",
            )?;
            shrink(connection)
        })
    }

    /// The verdict on two versions, as JSON.
    pub fn verdict(&self, key: u128) -> Result<Option<String>, StoreError> {
        let id = key.to_be_bytes();
        let row: Option<[Vec<u8>; 3]> = self.ask(|connection| {
            let find = "SELECT function, verdict, code FROM verdicts WHERE key = ?1";
            connection.query_row(find, [id], |row| Ok([bytes(row, 0)?, bytes(row, 1)?, bytes(row, 2)?])).optional()
        })?;
        Ok(row.and_then(|[function, verdict, code]| {
            let columns = [Column::Bytes(&id), Column::Bytes(&function), Column::Bytes(&verdict)];
            self.is_own(Table::Verdicts, key, &columns, &code).then(|| String::from_utf8(verdict).ok())?
        }))
    }

    /// Remembers a verdict.
    pub fn put_verdict(&self, key: u128, function: &str, verdict: &str) -> Result<(), StoreError> {
        let id = key.to_be_bytes();
        let columns = [Column::Bytes(&id), Column::Bytes(function.as_bytes()), Column::Bytes(verdict.as_bytes())];
        let code = self.code(Table::Verdicts, &columns);
        self.with(|connection| {
            let insert = format!("INSERT OR REPLACE INTO verdicts VALUES (?1, ?2, ?3, {TODAY}, ?4)");
            connection.execute(&insert, params![id, function, verdict, code]).map(|_| ())
        })
    }

    /// What `impact` showed of two programs.
    pub fn impact(&self, key: u128) -> Result<Option<String>, StoreError> {
        let id = key.to_be_bytes();
        let row: Option<[Vec<u8>; 2]> = self.ask(|connection| {
            let find = "SELECT shown, code FROM impacts WHERE key = ?1";
            connection.query_row(find, [id], |row| Ok([bytes(row, 0)?, bytes(row, 1)?])).optional()
        })?;
        Ok(row.and_then(|[shown, code]| {
            let columns = [Column::Bytes(&id), Column::Bytes(&shown)];
            self.is_own(Table::Impacts, key, &columns, &code).then(|| String::from_utf8(shown).ok())?
        }))
    }

    /// Remembers what `impact` shows.
    pub fn put_impact(&self, key: u128, shown: &str) -> Result<(), StoreError> {
        let id = key.to_be_bytes();
        let code = self.code(Table::Impacts, &[Column::Bytes(&id), Column::Bytes(shown.as_bytes())]);
        self.with(|connection| {
            let insert = format!("INSERT OR REPLACE INTO impacts VALUES (?1, ?2, {TODAY}, ?3)");
            connection.execute(&insert, params![id, shown, code]).map(|_| ())
        })
    }

    /// Writes what is still in memory, and forgets what was not used for longest if the file is too large.
    pub fn finish(&self) -> Result<(), StoreError> {
        self.flush_formulas()?;
        self.trim(self.inner.max_size)
    }

    /// Forgets rows until the file has at most so many bytes, those first that were not used for longest.
    pub fn trim(&self, max_size: u64) -> Result<(), StoreError> {
        // Each round halves what is left, so it ends soon.
        for _ in 0..32 {
            if self.info()?.bytes <= max_size {
                return Ok(());
            }
            self.with(|connection| {
                connection.execute_batch("BEGIN IMMEDIATE")?;
                for table in TABLE_NAMES {
                    let key = if table == "progress" { "run" } else { "key" };
                    connection.execute(
                        &format!(
                            "DELETE FROM {table} WHERE {key} IN (SELECT {key} FROM {table} ORDER BY used
                             LIMIT (SELECT (count(*) + 1) / 2 FROM {table}))"
                        ),
                        [],
                    )?;
                }
                connection.execute_batch("COMMIT")?;
                shrink(connection)?;
                connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
            })?;
        }
        Ok(())
    }

    fn with<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let mut connection = self.inner.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if connection.is_none() {
            *connection = Some(connect(&self.inner.path)?.0);
        }
        let Some(connection) = &*connection else { return Err(StoreError::Foreign { path: self.inner.path.clone() }) };
        let result = work(connection);
        if result.is_err() && !connection.is_autocommit() {
            // The next one is not to run inside of what failed.
            let _ = connection.execute_batch("ROLLBACK");
        }
        result.map_err(|error| StoreError::Sqlite { path: self.inner.path.clone(), error })
    }

    /// The same for questions, to which a store that is not there has no answer.
    fn ask<T: Default>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let there = self.inner.connection.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if there { self.with(work) } else { Ok(T::default()) }
    }
}

/// The bytes of a column that is a text or a blob. Anything else is of somebody who edited the row, and its code will not
/// fit whatever is read.
fn bytes(row: &Row, column: usize) -> rusqlite::Result<Vec<u8>> {
    Ok(optional_bytes(row, column)?.unwrap_or_default())
}

/// The same for a column that may be `NULL`.
fn optional_bytes(row: &Row, column: usize) -> rusqlite::Result<Option<Vec<u8>>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => None,
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes.to_vec()),
        ValueRef::Integer(_) | ValueRef::Real(_) => Some(Vec::new()),
    })
}

/// A column that is a whole number; anything else is of somebody who edited the row.
fn whole(row: &Row, column: usize) -> rusqlite::Result<i64> {
    Ok(row.get_ref(column)?.as_i64().unwrap_or(i64::MIN))
}

/// Opens the file, or makes it. The note says if it was one of an older form.
fn connect(path: &Path) -> Result<(Connection, Option<String>), StoreError> {
    let failed = |error| StoreError::Sqlite { path: path.to_owned(), error };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut maker = std::fs::DirBuilder::new();
        let made = maker.recursive(true).mode(0o700).create(folder);
        made.map_err(|error| StoreError::Io { path: folder.to_owned(), error })?;
    }
    let connection = Connection::open(path).map_err(failed)?;
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    distrust(&connection).map_err(failed)?;
    let number = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
    // One view of the file: another process may be making it.
    let look = || {
        connection.execute_batch("BEGIN")?;
        let tables = number("SELECT count(*) FROM sqlite_schema")?;
        let seen = (number("PRAGMA application_id")?, number("PRAGMA user_version")?, tables);
        connection.execute_batch("COMMIT")?;
        Ok(seen)
    };
    let (application, schema, tables) = look().map_err(failed)?;
    if application != APPLICATION && (application != 0 || tables > 0 || schema != 0) {
        return Err(StoreError::Foreign { path: path.to_owned() });
    }
    if schema > SCHEMA {
        return Err(StoreError::Newer { path: path.to_owned(), found: schema });
    }
    let begin = || {
        if tables > 0 {
            let sound: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
            if sound != "ok" {
                let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
                return Err(rusqlite::Error::SqliteFailure(code, Some(sound)));
            }
        }
        // Modes of the file are set outside of transactions. Two processes may do all of this at once.
        connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        // Rows of older forms carry no code: nobody knows who wrote them.
        let is_older = tables > 0 && number("PRAGMA user_version")? < SCHEMA;
        if is_older {
            connection.execute_batch(&TABLE_NAMES.map(|table| format!("DROP TABLE IF EXISTS {table};")).concat())?;
        }
        connection.execute_batch(&format!(
            "{TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {SCHEMA}; COMMIT;"
        ))?;
        let is_ours = objects(&connection)? == usual_objects()?;
        Ok((is_ours, is_older))
    };
    let (is_ours, is_older) = begin().map_err(failed)?;
    if !is_ours {
        return Err(StoreError::Foreign { path: path.to_owned() });
    }
    let older = || format!("{} was written by an older pathshift; it is begun anew", path.display());
    Ok((connection, is_older.then(older)))
}

/// Takes a file for what somebody else may have made: it can run nothing, and its pages are checked.
fn distrust(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.pragma_update(None, "cell_size_check", true)
}

/// Tables, indices, views and triggers of a file: kind, name and text.
type Objects = BTreeSet<(String, String, Option<String>)>;

fn objects(connection: &Connection) -> rusqlite::Result<Objects> {
    let mut list = connection.prepare("SELECT type, name, sql FROM sqlite_schema")?;
    let rows = list.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    rows.collect()
}

/// Those of a store that was just made.
fn usual_objects() -> rusqlite::Result<Objects> {
    let fresh = Connection::open_in_memory()?;
    fresh.execute_batch(TABLES)?;
    objects(&fresh)
}

/// Gives free pages back. Each step of the statement frees one, so it has to be stepped to its end.
fn shrink(connection: &Connection) -> rusqlite::Result<()> {
    let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
    let mut rows = vacuum.query([])?;
    while rows.next()?.is_some() {}
    Ok(())
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Whether a file that cannot be read was a store: it is where stores are, or says so at its beginning. Any other file is
/// its owner's, who may have mistyped a name.
fn was_store(path: &Path) -> bool {
    const MAGIC: &[u8] = b"SQLite format 3\0";
    // Where SQLite has the number that tells what wrote a file.
    const AT: usize = 68;
    let mut head = [0; AT + 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let says_so = head.starts_with(MAGIC) && head[AT..] == (APPLICATION as u32).to_be_bytes();
    path.ends_with(FILE) || read.is_ok() && says_so
}

/// Moves a damaged store out of the way.
fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let with = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let free = (1..).map(|number| with(&format!(".damaged-{number}"))).find(|aside| !aside.exists());
    let aside = free.unwrap_or_else(|| with(".damaged"));
    std::fs::rename(path, &aside).map_err(|error| StoreError::Io { path: path.to_owned(), error })?;
    for end in ["-wal", "-shm"] {
        // They belong to the damaged file; most often there are none.
        let _ = std::fs::remove_file(with(end));
    }
    Ok(aside)
}

/// The name of the folder for what is kept of a tree: its own name, so that users find it, and a digest of its whole path.
pub fn folder_name(tree: &Path) -> String {
    let digest = blake3::hash(tree.as_os_str().as_encoded_bytes()).to_hex();
    let name = tree.file_name().unwrap_or_default().to_string_lossy();
    let plain = |letter: char| if letter.is_alphanumeric() || "._-".contains(letter) { letter } else { '_' };
    let name: String = name.chars().take(40).map(plain).collect();
    format!("{name}-{}", digest.as_str().get(..16).unwrap_or_default())
}

/// A digest of the running program. What it found out by following code holds for this build of it: another one may see
/// more, or number paths in another way.
pub fn this_build() -> u128 {
    static BUILD: OnceLock<u128> = OnceLock::new();
    *BUILD.get_or_init(|| {
        let file = std::env::current_exe().and_then(std::fs::metadata).ok();
        let changed = file.as_ref().and_then(|file| file.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        let size = file.as_ref().map_or(0, std::fs::Metadata::len);
        text(&format!("{} {size} {:?}", env!("CARGO_PKG_VERSION"), changed))
    })
}

/// Says when something was last done.
struct Clock(Instant);

impl Default for Clock {
    fn default() -> Self {
        Clock(Instant::now())
    }
}

#[cfg(test)]
mod tests;
