//! Programs that try to act on the machine, under every verb: nothing of the machine changes.
//!
//! `tests/hostile` has two versions of each, in one file. The paths, numbers and ports in them are those of a canary folder, of a
//! process and of a listening socket that the test makes. Programs are written so that even without a sandbox they would do
//! no more harm than to these.
//!
//! Functions that act on the machine are answered for in native runs, and code that holds assembly is not explored. So that every
//! attack is made for certain, each function is also run by a suite that was made of a harmless one, with assembly in place of
//! the C library's `syscall`.

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

    /// The program's text with the paths and numbers of this machine.
    fn settled(&self, text: &str) -> String {
        let canary = self.folder.path().join("canary");
        text.replace("@CANARY@", canary.to_str().unwrap())
            .replace("@PORT@", &self.stream.local_addr().unwrap().port().to_string())
            .replace("@VICTIM@", &self.victim.id().to_string())
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn write(&self, hostile: &Hostile) -> [PathBuf; 2] {
        ["old", "new"].map(|version| {
            let text = self.settled(&hostile.versions[usize::from(version == "new")]);
            self.put(&format!("{version}.{}", hostile.extension), &text)
        })
    }

    /// Runs a function of C or C++ for certain; what is said of that.
    fn run_for_certain(&mut self, hostile: &Hostile) -> Value {
        let text = self.settled(&hostile.versions[0]);
        let last = text.match_indices("#include").last().map_or(0, |(at, _)| at);
        let line = text[last..].find('\n').map_or(text.len(), |end| last + end + 1);
        let (before, after) = if last > 0 || text.starts_with("#include") { text.split_at(line) } else { ("", &*text) };
        let path = self.put(&format!("certain.{}", hostile.extension), &format!("{before}{BY_ASSEMBLY}{after}"));
        let suite = self.folder.path().join("certain-suite");
        fs::create_dir_all(&suite).unwrap();
        fs::write(suite.join("tests.txt"), SUITE).unwrap();
        let said = self.run(hostile, &["replay", suite.to_str().unwrap(), path.to_str().unwrap(), "--format", "json"]);
        serde_json::from_slice(&said).unwrap_or(Value::Null)
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
        // Both versions may run at once, each in as many drivers as there are jobs, each with what it is allowed to bring back: 64 MiB
        // of records and, behind them, one whose sizes are forged (memory 64 MiB, calls 16, turns 8, output twice 16).
        let jobs = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        let most = most.into_inner();
        assert!(most < 2 * jobs * (200 << 20), "{what}: {most} bytes of files");
        ran.stdout
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// What a harmless function with the signature of all attacks does.
const SUITE: &str = "pathshift suite 1\nentry attack\nprogram 0\nparam x i32\nresult i32\n--\nx=0 -> 0\n";

/// System calls that no function of a library makes.
#[cfg(target_arch = "x86_64")]
const BY_ASSEMBLY: &str = r#"
static long call_by_assembly(long n, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall" : "=a"(result) : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#define CALL_WITH_SIX(n, a, b, c, d, e, f, ...) \
    call_by_assembly((long)(n), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define syscall(...) CALL_WITH_SIX(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
"#;
#[cfg(not(target_arch = "x86_64"))]
const BY_ASSEMBLY: &str = "";

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
        if entry == "attack" && hostile.extension != "rs" {
            machine.run_for_certain(hostile);
        }
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

/// The wall stands around cases whatever the program calls its functions: one that is named as a function that puts it up is either
/// not run, or stopped where it makes a folder.
#[cfg(target_arch = "x86_64")]
#[test]
fn no_program_takes_the_wall_down() {
    let mut machine = Machine::new();
    let all = all();
    let names = ["hide_signal", "alias_of_prctl", "named_in_assembly", "defined_in_assembly", "code_in_a_variable"];
    for name in names {
        let hostile = all.iter().find(|hostile| hostile.name == name).unwrap();
        let said = machine.run_for_certain(hostile);
        let is_refused = said["refused"].as_object().is_some_and(|refused| !refused.is_empty());
        assert!(said.is_null() || is_refused, "{name}: {said:#}");
    }
}

#[test]
fn the_corpus_is_large() {
    let all = all();
    assert!(all.len() >= 40, "{}", all.len());
    for extension in ["c", "cpp", "rs"] {
        assert!(all.iter().filter(|hostile| hostile.extension == extension).count() >= 5, "{extension}");
    }
}
