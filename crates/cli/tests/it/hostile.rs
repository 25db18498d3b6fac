//! Programs that try to act on the machine, under every verb: nothing of the machine changes.
//!
//! `tests/hostile` has two versions of each, in one file. The paths, numbers and ports in them are those of a canary folder, of a
//! process and of a listening socket that the test makes. Programs are written so that even without a sandbox they would do
//! no more harm than to these.

use crate::support::{full, run_timed};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A program in two versions.
struct Hostile {
    name: String,
    extension: String,
    versions: [String; 2],
}

impl Hostile {
    /// What is explored: the function, or the whole program.
    fn entry(&self) -> &'static str {
        if self.versions[0].contains("main(") { "main" } else { "attack" }
    }
}

fn all() -> Vec<Hostile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hostile");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let (old, new) = text.split_once("//// new\n").unwrap();
        Hostile {
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            extension: path.extension().unwrap().to_str().unwrap().to_owned(),
            versions: [old.split_once("//// old\n").unwrap().1.to_owned(), new.to_owned()],
        }
    };
    files.into_iter().map(read).collect()
}

/// What must not change.
struct Machine {
    folder: tempfile::TempDir,
    stream: TcpListener,
    packets: UdpSocket,
    victim: Child,
    before: BTreeMap<PathBuf, (u32, i64, Vec<u8>)>,
}

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().unwrap();
        let canary = folder.path().join("canary");
        fs::create_dir_all(canary.join("empty")).unwrap();
        fs::write(canary.join("file"), "contents").unwrap();
        fs::create_dir(folder.path().join("temp")).unwrap();
        let stream = TcpListener::bind("127.0.0.1:0").unwrap();
        stream.set_nonblocking(true).unwrap();
        let packets = UdpSocket::bind(stream.local_addr().unwrap()).unwrap();
        packets.set_nonblocking(true).unwrap();
        let victim = Command::new("sleep").arg("3600").stdin(Stdio::null()).spawn().unwrap();
        let before = tree(&canary);
        Machine { folder, stream, packets, victim, before }
    }

    fn write(&self, hostile: &Hostile) -> [PathBuf; 2] {
        let canary = self.folder.path().join("canary");
        let settle = |text: &str| {
            text.replace("@CANARY@", canary.to_str().unwrap())
                .replace("@PORT@", &self.stream.local_addr().unwrap().port().to_string())
                .replace("@VICTIM@", &self.victim.id().to_string())
        };
        ["old", "new"].map(|version| {
            let path = self.folder.path().join(format!("{version}.{}", hostile.extension));
            fs::write(&path, settle(&hostile.versions[usize::from(version == "new")])).unwrap();
            path
        })
    }

    /// Runs a verb; nothing may have changed afterwards.
    fn run(&mut self, hostile: &Hostile, args: &[&str]) -> Vec<u8> {
        let what = format!("{} under {}", hostile.name, args.join(" "));
        let temp = self.folder.path().join("temp");
        let mut command = Command::new(env!("CARGO_BIN_EXE_pathshift"));
        command.args(args).env("TMPDIR", &temp).current_dir(self.folder.path());
        let (most, over) = (AtomicU64::new(0), AtomicBool::new(false));
        let ran = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    most.fetch_max(size(&temp), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(20));
                }
            });
            let ran = run_timed(&mut command, Duration::from_secs(600));
            over.store(true, Ordering::Relaxed);
            ran
        });
        let ran = ran.unwrap_or_else(|| panic!("{what} does not end"));
        assert!(ran.code.is_some_and(|code| code < 70), "{what}: {:?}\n{}", ran.code, ran.stderr);
        assert_eq!(tree(&self.folder.path().join("canary")), self.before, "{what}");
        assert!(self.victim.try_wait().unwrap().is_none(), "{what}: the victim has ended");
        assert!(self.stream.accept().is_err(), "{what}: somebody has connected");
        assert!(self.packets.recv(&mut [0]).is_err(), "{what}: somebody has sent a packet");
        assert_eq!(left_behind(&temp), Vec::<String>::new(), "{what}: processes are left");
        let files: Vec<_> = fs::read_dir(&temp).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files, Vec::<PathBuf>::new(), "{what}: files are left");
        let most = most.into_inner();
        assert!(most < 500 << 20, "{what}: {most} bytes of files");
        ran.stdout
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// All files of a folder: mode, time of the last change, contents.
fn tree(folder: &Path) -> BTreeMap<PathBuf, (u32, i64, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let Ok(status) = fs::symlink_metadata(&path) else { continue };
        let contents = if status.is_file() { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        if status.is_dir() {
            open.extend(fs::read_dir(&path).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())));
        }
        found.insert(path, (status.mode(), status.mtime(), contents));
    }
    found
}

/// Bytes of all files of a folder.
fn size(folder: &Path) -> u64 {
    let mut open = vec![folder.to_owned()];
    let mut bytes = 0;
    while let Some(path) = open.pop() {
        let Ok(status) = fs::symlink_metadata(&path) else { continue };
        bytes += status.blocks() * 512;
        if status.is_dir() {
            open.extend(fs::read_dir(&path).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())));
        }
    }
    bytes
}

/// Processes whose program lies, or lay, in a folder.
fn left_behind(folder: &Path) -> Vec<String> {
    let of_folder = |process: fs::DirEntry| {
        let program = fs::read_link(process.path().join("exe")).ok()?;
        program.starts_with(folder).then(|| format!("{}: {}", process.file_name().display(), program.display()))
    };
    let find =
        || -> Vec<String> { fs::read_dir("/proc").unwrap().filter_map(|entry| of_folder(entry.ok()?)).collect() };
    // What was told to end may take a moment.
    for _ in 0..50 {
        if find().is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    find()
}

fn check(name: impl Fn(&str) -> bool) {
    let mut machine = Machine::new();
    for hostile in all().iter().filter(|hostile| name(&hostile.name)) {
        let paths = machine.write(hostile);
        let [old, new] = paths.each_ref().map(|path| path.to_str().unwrap());
        let entry = hostile.entry();
        let bounds = ["--timeout", "3"];
        let said = machine.run(hostile, &[&["diff", old, new, "--format", "json", "--no-store"], &bounds[..]].concat());
        let said: Value = serde_json::from_slice(&said).unwrap();
        assert!(!said["functions"].as_array().unwrap().is_empty(), "{}: {said}", hostile.name);
        machine.run(hostile, &[&["explore", old, "-f", entry, "--no-store"], &bounds[..]].concat());
        if !full() && !["unlink_by_number", "program_writes", "rust_write", "cpp_stream"].contains(&&*hostile.name) {
            continue;
        }
        let suite = machine.folder.path().join("suite");
        let suite = suite.to_str().unwrap();
        machine.run(
            hostile,
            &[&["tests", "generate", old, "-f", entry, "--suite", suite, "--no-store"], &bounds[..]].concat(),
        );
        machine.run(hostile, &["replay", suite, old]);
        machine.run(hostile, &[&["tests", "update", old, new, "--suite", suite, "--no-store"], &bounds[..]].concat());
        machine.run(hostile, &["coverage", old, new, "--suite", suite]);
        machine.run(hostile, &["select", old, new, "--suite", suite]);
        machine.run(hostile, &["explain", old, new, "--suite", suite]);
        machine.run(hostile, &[&["signature", old, "-f", entry], &bounds[..]].concat());
        fs::remove_dir_all(suite).unwrap();
    }
}

/// The corpus in parts, so that they run side by side.
macro_rules! parts {
    ($($name:ident $letters:literal),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                check(|name| $letters.contains(&name[..1]));
            }
        )*
    };
}

parts! {
    hostile_programs_from_a_to_e "abcde",
    hostile_programs_from_f_to_l "fghijkl",
    hostile_programs_from_m_to_q "mnopq",
    hostile_programs_from_r_to_z "rstuvwxyz",
}

#[test]
fn the_corpus_is_large() {
    let all = all();
    assert!(all.len() >= 40, "{}", all.len());
    for extension in ["c", "cpp", "rs"] {
        assert!(all.iter().filter(|hostile| hostile.extension == extension).count() >= 5, "{extension}");
    }
}
