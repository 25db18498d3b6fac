//! What several suites need: tools, limits, sources from the registry.

pub mod pairs;
pub mod registry;

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Whether the long suites run.
pub fn full() -> bool {
    std::env::var_os("PATHSHIFT_FULL").is_some()
}

/// The binary under test, with a home of its own: neither settings nor stores of whoever runs the tests count.
pub fn pathshift() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pathshift"));
    let home = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (variable, folder) in [("XDG_CACHE_HOME", "cache"), ("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config")]
    {
        command.env(variable, home.join(folder));
    }
    command.env("NO_COLOR", "1");
    command
}

/// A file of ours beside the tests.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data").join(name)
}

pub fn scratch() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Whether a row, or a result, promises that nothing differs, within bounds or without.
pub fn is_same(row: &serde_json::Value) -> bool {
    matches!(row["verdict"].as_str(), Some("same" | "same_within_bounds"))
}

/// What a program that ended did.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// The signal that ends a process whose processor time is up.
const SIGXCPU: i32 = 24;

/// Runs a command under a limit on processor time, which does not depend on what else the machine does, and a limit on
/// memory; `None` if it took too long.
pub fn run_limited(command: &Command, limit: Duration) -> Option<Ran> {
    // `ulimit` is the shell's, so the program starts through one.
    let mut limited = Command::new("sh");
    let seconds = limit.as_secs().max(1).to_string();
    limited.args(["-c", "ulimit -v 8000000; ulimit -S -t \"$0\"; exec \"$@\"", &seconds]);
    limited.arg(command.get_program()).args(command.get_args());
    if let Some(dir) = command.get_current_dir() {
        limited.current_dir(dir);
    }
    for (key, value) in command.get_envs() {
        if let Some(value) = value {
            limited.env(key, value);
        }
    }
    run_timed(&mut limited, 20 * limit)
}

/// Runs a command for some time by the clock; `None` if it took too long. Native runs reserve more addresses than a limit on memory
/// allows, so commands that are to make them have none.
pub fn run_timed(command: &mut Command, limit: Duration) -> Option<Ran> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let read = |mut from: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).unwrap();
            bytes
        })
    };
    let stdout = read(Box::new(child.stdout.take().unwrap()));
    let stderr = read(Box::new(child.stderr.take().unwrap()));
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            // It may also wait for something that never comes.
            None if start.elapsed() > limit => {
                child.kill().unwrap();
                child.wait().unwrap();
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    if status.signal() == Some(SIGXCPU) {
        return None;
    }
    let stderr = String::from_utf8_lossy(&stderr.join().unwrap()).into_owned();
    Some(Ran { code: status.code(), stdout: stdout.join().unwrap(), stderr })
}

/// Runs a command that must succeed; its standard output.
pub fn must_run(command: &Command) -> Vec<u8> {
    let ran = run_limited(command, Duration::from_secs(600)).unwrap_or_else(|| panic!("{command:?} took too long"));
    assert_eq!(ran.code, Some(0), "{command:?}\n{}", ran.stderr);
    ran.stdout
}

/// A clang with arguments.
pub fn clang(version: u32, args: &[&str]) -> Command {
    let mut command = Command::new(format!("clang-{version}"));
    command.arg("-w").args(args);
    command
}

/// The versions of a module's print: as parsed, promoted, and with fewer branches.
pub fn prints(text: &str, what: &str) -> [(&'static str, String); 3] {
    let mut module = ir::parse::parse(text).unwrap_or_else(|error| panic!("{what}: {error}"));
    let plain = ir::print::print(&module);
    ir::promote::promote(&mut module);
    let promoted = ir::print::print(&module);
    ir::merge::merge(&mut module);
    [("plain", plain), ("promoted", promoted), ("merged", ir::print::print(&module))]
}

/// The model in a form in which equal programs are equal: the print, and where each instruction comes from.
pub fn normal_form(text: &str, what: &str) -> String {
    use std::fmt::Write;
    let module = ir::parse::parse(text).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut out = ir::print::print(&module);
    let debug = &module.debug;
    for (id, function) in module.functions.iter_ids() {
        if !function.is_defined() {
            continue;
        }
        writeln!(out, "; {}", module.function_name(id)).unwrap();
        for (_, _, inst) in function.body() {
            let places: Vec<String> = inst
                .loc
                .iter()
                .flat_map(|&loc| debug.location_chain(loc))
                .map(|loc| format!("{}:{}", debug.locations[loc].line, debug.locations[loc].column))
                .collect();
            let marker = match &inst.kind {
                ir::inst::InstKind::Marker(marker) => {
                    let variable = &debug.variables[marker.variable];
                    let name = variable.name.map_or("?", |name| module.str(name));
                    let ty = variable.ty.map_or(String::new(), |ty| debug.type_name(&module.strings, ty));
                    format!(" {:?} {name}: {ty}", marker.kind)
                }
                _ => String::new(),
            };
            writeln!(out, ";   {}{marker}", places.join(" < ")).unwrap();
        }
    }
    out
}

/// Fails with the first line in which two texts differ.
pub fn assert_same_lines(left: &str, right: &str, what: &str) {
    if left == right {
        return;
    }
    for (number, (l, r)) in left.lines().zip(right.lines()).enumerate() {
        assert_eq!(l, r, "{what}: line {}", number + 1);
    }
    panic!("{what}: {} lines and {} lines", left.lines().count(), right.lines().count());
}

/// A folder with files of that contents.
pub fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = files.iter().map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    });
    let paths = paths.collect();
    (folder, paths)
}

/// The result of `pathshift explore` as JSON.
pub fn explored(file: &Path, function: &str, more: &[&str]) -> serde_json::Value {
    let output =
        pathshift().arg("explore").arg(file).args(["-f", function, "--format", "json"]).args(more).output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(&output.stderr)))
}
