#![allow(clippy::unwrap_used)]
use super::*;
use explore::tree::{End, Mark, MarkKind, Tree};
use smt::solver::chain::Solved;

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep").join(FILE);
    (folder, path)
}

fn key() -> Key {
    static KEY: std::sync::LazyLock<Key> = std::sync::LazyLock::new(|| Key::random().unwrap());
    KEY.clone()
}

fn open(path: &Path) -> Store {
    let (store, note) = Store::open(path, key()).unwrap();
    assert_eq!(note, None);
    store
}

fn tree() -> Tree {
    let mut tree = Tree::new();
    for side in [0, 1] {
        let kind = MarkKind::Fork(Some([0, 1].into()));
        tree.insert(&[&Mark { condition: 77, side, kind }], Some(End::Path), &mut Vec::new());
    }
    tree
}

#[test]
fn what_is_put_is_found_again() {
    let (_folder, path) = folder();
    {
        let store = open(&path);
        let mut memory = store.memory();
        memory.put(1, Solved::Unsat);
        memory.put(2, Solved::Sat(vec![0, 7, u64::MAX]));
        store.put_tree(3, "f", Some(9), &tree()).unwrap();
        store.put_verdict(4, "f", "{}").unwrap();
        store.finish().unwrap();
    }
    let store = open(&path);
    let mut memory = store.memory();
    assert_eq!(memory.get(1), Some(Solved::Unsat));
    assert_eq!(memory.get(2), Some(Solved::Sat(vec![0, 7, u64::MAX])));
    assert_eq!(memory.get(5), None);
    assert_eq!(store.tree(3).unwrap(), Some(StoredTree { tree: tree(), suite: Some(9) }));
    assert_eq!(store.verdict(4).unwrap().as_deref(), Some("{}"));
    let info = store.info().unwrap();
    assert_eq!((info.formulas, info.infeasible, info.trees, info.paths, info.verdicts), (2, 1, 1, 2, 1));
    store.clear().unwrap();
    assert_eq!(store.info().unwrap().formulas, 0);
}

#[test]
fn a_damaged_store_is_set_aside() {
    let (_folder, path) = folder();
    let damage: [fn(&mut Vec<u8>); 3] = [
        |bytes| bytes[..64].fill(0x41),
        |bytes| bytes.truncate(5000),
        |bytes| {
            let length = bytes.len();
            bytes[4096..length].fill(0xff);
        },
    ];
    for (number, damage) in (1..).zip(damage) {
        {
            let store = open(&path);
            let mut memory = store.memory();
            (0..2000).for_each(|key| memory.put(key * 7 + 1, Solved::Unsat));
            store.finish().unwrap();
            store.with(|connection| connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")).unwrap();
        }
        let mut bytes = std::fs::read(&path).unwrap();
        damage(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();
        let (store, note) = Store::open(&path, key()).unwrap();
        assert!(note.unwrap().contains("was damaged"), "damage {number}");
        assert_eq!(store.info().unwrap().formulas, 0);
        assert_eq!(std::fs::read(path.with_file_name(format!("store.db.damaged-{number}"))).unwrap(), bytes);
    }
}

#[test]
fn a_damaged_tree_is_none() {
    let (_folder, path) = folder();
    let store = open(&path);
    store.put_tree(3, "f", None, &tree()).unwrap();
    store.with(|connection| connection.execute("UPDATE trees SET tree = zeroblob(9)", [])).unwrap();
    assert_eq!(store.tree(3).unwrap(), None);
}

/// A table, and whether a row of it is still there.
type Read = (&'static str, fn(&Store) -> bool);

/// Rows of each table, and how to read them back.
fn filled(path: &Path) -> (Store, [Read; 5]) {
    let store = open(path);
    let mut memory = store.memory();
    (1..3).for_each(|key| memory.put(key, Solved::Unsat));
    for key in 1..3 {
        store.put_tree(key, "f", Some(9), &tree()).unwrap();
        store.put_verdict(key, "f", "{}").unwrap();
        store.put_impact(key, "nothing").unwrap();
        let progress = Progress::new(store.clone(), true);
        push(&progress, 0..3, &mut Default::default());
        progress.write_waiting(key, 0);
    }
    store.finish().unwrap();
    let read: [Read; 5] = [
        ("formulas", |store| store.memory().get(1).is_some()),
        ("trees", |store| store.tree(1).unwrap().is_some()),
        ("verdicts", |store| store.verdict(1).unwrap().is_some()),
        ("impacts", |store| store.impact(1).unwrap().is_some()),
        ("progress", |store| store.progress(1).unwrap() != Left::default()),
    ];
    (store, read)
}

/// Whoever can write the file can change an answer in no way but to make it be found again.
#[test]
fn an_edited_row_is_not_there() {
    let edits: [(&str, &[&str]); 5] = [
        ("formulas", &["model = x'0101'", "model = x''", "model = 7", "code = zeroblob(16)", "code = ''"]),
        (
            "trees",
            &["suite = NULL", "suite = zeroblob(16)", "paths = 7", "entry = 'g'", "tree = zeroblob(9)", "paths = 'x'"],
        ),
        ("verdicts", &["verdict = '{\"verdict\":\"same\"}'", "function = 'g'", "verdict = 3", "verdict = x'ff'"]),
        ("impacts", &["shown = ''", "shown = 'other'", "shown = 1.5"]),
        ("progress", &["number = 7", "records = substr(records, 1, 9)", "records = 5"]),
    ];
    for (table, edits) in edits {
        for edit in edits {
            let (_folder, path) = folder();
            let (store, read) = filled(&path);
            assert!(read.iter().all(|(_, read)| read(&store)) && store.refused() == 0);
            let name = if table == "progress" { "run" } else { "key" };
            let sql = format!("UPDATE {table} SET {edit} WHERE {name} = x'00000000000000000000000000000001'");
            assert_eq!(store.with(|connection| connection.execute(&sql, [])).unwrap(), 1, "{sql}");
            let store = open(&path);
            for (other, read) in read {
                assert_eq!(read(&store), other != table, "{sql}: {other}");
            }
            assert_eq!(store.refused(), 1, "{sql}");
        }
    }
}

/// A value that is true of one question is no answer to another one.
#[test]
fn a_value_under_another_key_is_not_there() {
    let (_folder, path) = folder();
    let (store, read) = filled(&path);
    let (one, two) = (1u128.to_be_bytes(), 2u128.to_be_bytes());
    for (table, read) in read {
        let name = if table == "progress" { "run" } else { "key" };
        let sql = format!("DELETE FROM {table} WHERE {name} = ?1");
        store.with(|connection| connection.execute(&sql, [one])).unwrap();
        let sql = format!("UPDATE {table} SET {name} = ?1 WHERE {name} = ?2");
        assert_eq!(store.with(|connection| connection.execute(&sql, [one, two])).unwrap(), 1);
        assert!(!read(&open(&path)), "{table}");
    }
}

/// Rows of others are found again and replaced by the user's own.
#[test]
fn rows_of_another_user_are_replaced() {
    let (_folder, path) = folder();
    let (store, read) = filled(&path);
    let other = || Store::open(&path, Key::random().unwrap()).unwrap().0;
    assert!(read.iter().all(|(_, read)| read(&store) && !read(&other())));
    let replacing = other();
    replacing.memory().put(1, Solved::Unsat);
    replacing.put_verdict(1, "f", "{}").unwrap();
    assert_eq!(replacing.verdict(1).unwrap().as_deref(), Some("{}"));
    assert_eq!(replacing.memory().get(1), Some(Solved::Unsat));
}

/// A file may hold more than rows.
#[test]
fn triggers_views_and_other_tables_make_a_file_foreign() {
    for sql in [
        "CREATE TRIGGER t AFTER INSERT ON verdicts BEGIN DELETE FROM formulas; END",
        "CREATE VIEW v AS SELECT 1",
        "DROP TABLE verdicts; CREATE VIEW verdicts AS SELECT 1 AS key, 'f' AS function, '{}' AS verdict, 0 AS used",
        "DROP TABLE verdicts; CREATE TABLE verdicts (key, function, verdict, used, code)",
    ] {
        let (_folder, path) = folder();
        open(&path).put_verdict(1, "f", "{}").unwrap();
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let error = Store::open(&path, key()).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("is not a store of pathshift"), "{sql}: {error}");
    }
}

#[test]
fn a_store_of_an_older_form_is_begun_anew() {
    let (_folder, path) = folder();
    open(&path).put_verdict(1, "f", "{}").unwrap();
    let older = "DROP TABLE verdicts; CREATE TABLE verdicts (key, function, verdict, used);
                 INSERT INTO verdicts VALUES (zeroblob(16), 'f', '{}', 0); PRAGMA user_version = 1";
    Connection::open(&path).unwrap().execute_batch(older).unwrap();
    let (store, note) = Store::open(&path, key()).unwrap();
    assert!(note.unwrap().contains("an older pathshift; it is begun anew"));
    assert_eq!(store.info().unwrap().verdicts, 0);
    store.put_verdict(1, "f", "{}").unwrap();
    assert_eq!(open(&path).verdict(1).unwrap().as_deref(), Some("{}"));
}

#[test]
fn newer_and_foreign_files_are_left_alone() {
    let (_folder, path) = folder();
    open(&path).put_verdict(1, "f", "{}").unwrap();
    let check = |sql: &str, message: &str| {
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = std::fs::read(&path).unwrap();
        let error = Store::open(&path, key()).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    };
    check("PRAGMA user_version = 99", "written by a newer pathshift (form 99, this one knows 2)");
    check("PRAGMA user_version = 2; PRAGMA application_id = 5", "is not a store of pathshift");
}

/// A name that was mistyped must not move a file of the user's out of its place.
#[test]
fn a_file_that_is_no_store_stays_where_it_is() {
    let (folder, _) = folder();
    let path = folder.path().join("prog.c");
    for contents in [&b"int main(void) { return 0; }"[..], &[0x55; 9000]] {
        std::fs::write(&path, contents).unwrap();
        let error = Store::open(&path, key()).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains("is not a store of pathshift"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), contents);
    }
    // One that says what it is may have any name.
    let path = folder.path().join("other.db");
    open(&path).put_verdict(1, "f", "{}").unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.truncate(5000);
    std::fs::write(&path, &bytes).unwrap();
    assert!(Store::open(&path, key()).unwrap().1.unwrap().contains("was damaged"));
}

#[test]
fn a_large_store_forgets() {
    let (_folder, path) = folder();
    let store = open(&path);
    let mut memory = store.memory();
    (0..40_000).for_each(|key| memory.put(key * 0x1_0000_0001, Solved::Sat(vec![1; 8])));
    store.finish().unwrap();
    let before = store.info().unwrap();
    store.trim(before.bytes / 3).unwrap();
    let after = store.info().unwrap();
    assert!(after.bytes <= before.bytes / 3 && after.formulas > 0, "{before:?} {after:?}");
}

#[test]
fn several_writers_lose_nothing() {
    let (_folder, path) = folder();
    std::thread::scope(|scope| {
        for writer in 0..4u128 {
            let path = &path;
            scope.spawn(move || {
                let store = open(path);
                let mut memory = store.memory();
                for key in 0..300 {
                    memory.put(key, Solved::Unsat);
                    memory.put(1000 * (writer + 1) + key, Solved::Sat(vec![key as u64]));
                    if key % 50 == 0 {
                        store.finish().unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(open(&path).info().unwrap().formulas, 300 + 4 * 300);
}

/// Paths 0 and 1 of a decision, by two workers.
fn record(number: u64) -> Record {
    Record {
        way: vec![
            Step { side: 0, condition: 8, sides: None },
            Step { side: number as u32, condition: 3, sides: Some(Some(vec![0, 1].into())) },
        ],
        undecided: (number == 3).then(|| ("scope".to_owned(), None)),
        found: vec![7; 3],
    }
}

/// Hands records over as workers do.
fn push(progress: &Progress, records: std::ops::Range<u64>, last: &mut [Vec<Step>; 2]) {
    for number in records {
        let Record { way, undecided, found } = record(number);
        let last = &mut last[number as usize % 2];
        let shared = last.iter().zip(&way).take_while(|(a, b)| a == b).count();
        let rest = way[shared..].to_vec();
        *last = way;
        let new = NewRecord { worker: number as u32 % 2, shared: shared as u32, rest, undecided };
        progress.push(&new, &[found[..1].into(), found[1..].into()]);
    }
}

#[test]
fn progress_is_kept_until_the_end() {
    let (_folder, path) = folder();
    let store = open(&path);
    let run = |records: std::ops::Range<u64>, resumed: bool, cut_short: bool| {
        let progress = Progress::new(store.clone(), resumed);
        std::thread::scope(|scope| {
            scope.spawn(|| progress.write_all(|| 5));
            progress.give_up(u128::from(records.start));
            push(&progress, records, &mut Default::default());
            progress.stop(cut_short);
        });
        let Left { records, gave_up } = store.progress(5).unwrap();
        (records, gave_up.into_iter().collect::<Vec<u128>>())
    };
    let records = |range: std::ops::Range<u64>| range.map(record).collect::<Vec<_>>();
    assert_eq!(run(0..10, false, true), (records(0..10), vec![0]));
    assert_eq!(run(10..12, true, true), (records(0..12), vec![0, 10]));
    assert_eq!(run(3..5, false, true), (records(3..5), vec![3]));
    assert_eq!(store.progress(6).unwrap(), Left::default());
    assert_eq!(run(5..9, true, false), (Vec::new(), Vec::new()));
}

/// What a disk made of it is not what was found.
#[test]
fn damaged_progress_is_work_to_be_done_again() {
    let (_folder, path) = folder();
    let store = open(&path);
    let progress = Progress::new(store.clone(), true);
    push(&progress, 0..3, &mut Default::default());
    progress.write_waiting(5, 0);
    let part: Vec<u8> =
        store.ask(|connection| connection.query_row("SELECT records FROM progress", [], |row| row.get(0))).unwrap();
    for at in 0..part.len() {
        let mut damaged = part.clone();
        damaged[at] ^= 4;
        store.ask(|connection| connection.execute("UPDATE progress SET records = ?1", [damaged])).unwrap();
        assert_eq!(store.progress(5).unwrap(), Left::default(), "byte {at}");
    }
    store.ask(|connection| connection.execute("UPDATE progress SET records = ?1", [part])).unwrap();
    assert_eq!(store.progress(5).unwrap().records.len(), 3);
}

/// What another process forgets in the middle of a run does not make its later paths other ones.
#[test]
fn progress_of_two_processes() {
    let (_folder, path) = folder();
    let store = open(&path);
    let [one, other] = [(); 2].map(|()| Progress::new(store.clone(), true));
    let mut last = [(); 2].map(|()| Default::default());
    let mut part = |progress: &Progress, records: std::ops::Range<u64>, number: u32, whose: usize| {
        push(progress, records, &mut last[whose]);
        progress.write_waiting(5, number);
    };
    part(&one, 0..3, 0, 0);
    part(&other, 4..6, 0, 1);
    part(&one, 3..4, 1, 0);
    let records = |numbers: &[u64]| numbers.iter().map(|&number| record(number)).collect::<Vec<_>>();
    assert_eq!(store.progress(5).unwrap().records, records(&[0, 1, 2, 4, 5, 3]));
    store.end_progress(5).unwrap();
    part(&one, 6..8, 2, 0);
    assert_eq!(store.progress(5).unwrap(), Left::default());
    let again = Progress::new(store.clone(), true);
    push(&again, 8..9, &mut Default::default());
    again.write_waiting(5, 0);
    assert_eq!(store.progress(5).unwrap().records, records(&[8]));
}
