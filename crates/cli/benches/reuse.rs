//! Updating a suite beside exploring the new version in full, for every pair of versions in `examples/`, or with `--real` for
//! functions of lua, zlib and bzip2 that changed from one version to the next.
//!
//! `cargo bench -p pathshift --bench reuse [-- [--real] NAME]` prints a table: time, time in the chain of solvers, questions to it
//! and calls of a solver; what became of the tests. The last column is what the store takes a path.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

#[path = "../tests/it/support/registry.rs"]
#[allow(dead_code)]
mod registry;

use compare::explore::Options;
use compare::store::{Key, Store};
use compare::upkeep::{self, Suite, Updated, Version};
use exec::entry::Entry;
use exec::program::Program;
use ir::id::FuncId;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// As the program itself has it: both ways make millions of small things.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Most paths of a function, and most seconds for it.
const MAX_PATHS: u64 = 200_000;
const SECONDS: u64 = 60;

/// A library in two versions: package, versions, folders with the sources.
struct Library {
    package: &'static str,
    versions: [&'static str; 2],
    folders: [&'static str; 2],
}

const LIBRARIES: [Library; 3] = [
    Library { package: "lua-src", versions: ["547.0.0", "548.1.1"], folders: ["lua-5.4.7", "lua-5.4.8"] },
    Library { package: "libz-sys", versions: ["1.1.12", "1.1.15"], folders: ["src/zlib", "src/zlib"] },
    Library { package: "bzip2-sys", versions: ["0.1.7", "0.1.11+1.0.8"], folders: ["bzip2-1.0.6", "bzip2-1.0.8"] },
];

/// Functions of real libraries that need longer than this are left out.
const REAL_SECONDS: u64 = 10;
const REAL_PATHS: u64 = 5000;

#[derive(Clone, Copy, Default)]
struct Cost {
    seconds: f64,
    solver: f64,
    questions: u64,
    calls: u64,
}

fn main() {
    let real = std::env::args().any(|arg| arg == "--real");
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    println!(
        "{:<34} {:>7} | {:>9} {:>9} {:>8} {:>6} | {:>9} {:>9} {:>8} {:>6} | {:>6} {:>6} {:>6} {:>6} {:>6} | {:>6}",
        "pair",
        "paths",
        "full ms",
        "solver",
        "asked",
        "calls",
        "reuse ms",
        "solver",
        "asked",
        "calls",
        "kept",
        "aimed",
        "obsol",
        "new",
        "taken",
        "bytes"
    );
    let mut sum = [Cost::default(); 2];
    let limits = if real { (REAL_PATHS, REAL_SECONDS) } else { (MAX_PATHS, SECONDS) };
    for (old, new) in if real { real_pairs() } else { pairs(&examples) } {
        let name = |path: &Path| path.strip_prefix(&examples).unwrap_or(path).display().to_string();
        let file = new.file_name().unwrap_or_default().to_string_lossy();
        let title = if real { file.into_owned() } else { format!("{} {file}", name(&old)) };
        if wanted.as_ref().is_some_and(|wanted| !title.contains(wanted.as_str())) {
            continue;
        }
        let (Some(old), Some(new)) = (load(&old), load(&new)) else {
            println!("{title}: does not build");
            continue;
        };
        for (before, after) in changed(&old, &new) {
            let mut options = exec::program::Options::default();
            if real {
                (options.inputs.elements, options.inputs.characters) = (4, 4);
            }
            let programs = [&old, &new].map(|module| Program::new(module.clone(), options.clone()));
            measure(&title, (&programs[0], before), (&programs[1], after), limits, &mut sum);
        }
    }
    let [full, reuse] = sum;
    let less = |full: f64, reuse: f64| if full > 0.0 { 100.0 * (1.0 - reuse / full) } else { 0.0 };
    println!(
        "\nall: {:.1} % less time, {:.1} % less solver time, {:.1} % fewer questions, {:.1} % fewer solver calls",
        less(full.seconds, reuse.seconds),
        less(full.solver, reuse.solver),
        less(full.questions as f64, reuse.questions as f64),
        less(full.calls as f64, reuse.calls as f64),
    );
}

/// Files that both versions of a library have.
fn real_pairs() -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    for library in &LIBRARIES {
        let [old, new] = [0, 1]
            .map(|version| registry::source(library.package, library.versions[version]).join(library.folders[version]));
        for file in registry::c_files(&new, |_| true) {
            let before = old.join(file.file_name().unwrap());
            if before.exists() {
                found.push((before, file));
            }
        }
    }
    found
}

/// Each example's base, or old version, and what it became.
fn pairs(examples: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![examples.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut files = Vec::new();
        for item in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = item.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|end| ["c", "cc", "cpp", "rs", "ll"].iter().any(|known| end == *known))
            {
                files.push(path);
            }
        }
        files.sort();
        // `old` comes behind `new` in the alphabet only.
        if let [new, old] = &files[..]
            && new.file_stem().is_some_and(|stem| stem == "new")
        {
            found.push((old.clone(), new.clone()));
            continue;
        }
        // Each version is a change of the base.
        if let Some((base, versions)) = files.split_first() {
            found.extend(versions.iter().map(|version| (base.clone(), version.clone())));
        }
    }
    found.sort();
    found
}

fn load(path: &Path) -> Option<ir::module::Module> {
    let temp = std::env::temp_dir();
    let machine = build::Environment { path: std::env::var_os("PATH")?, temp, bitcode_helper: None };
    let mut built = build::load(path, &build::Options::default(), &machine).ok()?;
    ir::promote::promote(&mut built.module);
    Some(built.module)
}

/// Functions in both versions whose behaviour may have changed.
fn changed(old: &ir::module::Module, new: &ir::module::Module) -> Vec<(FuncId, FuncId)> {
    let changes = change::compare(old, new);
    let both = changes.functions.iter().filter(|change| !change.same);
    both.filter_map(|change| Some((change.old?, change.new?))).collect()
}

fn options((paths, seconds): (u64, u64)) -> Options {
    let mut options = Options::default();
    options.explore.max_paths = paths;
    options.explore.deadline = Some(Instant::now() + Duration::from_secs(seconds));
    options
}

fn measure(
    title: &str,
    (old, before): (&Program, FuncId),
    (new, after): (&Program, FuncId),
    limits: (u64, u64),
    sum: &mut [Cost; 2],
) {
    let options = || options(limits);
    let (old_entry, new_entry) = (Entry { function: before, shell: None }, Entry { function: after, shell: None });
    let (was, is) = (Version { program: old, entry: &old_entry }, Version { program: new, entry: &new_entry });
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("store.db"), Key::random().unwrap()).unwrap().0;
    let title = format!("{title} {}", new.module.function_name(after));
    let first = upkeep::generate(was, &options().with_store(Some(store.clone())), String::new());
    let Some(tree) = &first.tree else {
        println!("{title}: too many paths");
        return;
    };
    let digest = 1;
    store.put_tree(upkeep::tree_key(was, &options()), "f", Some(digest), tree).unwrap();
    store.finish().unwrap();
    let bytes = tree.to_bytes().map_or(0, |bytes| bytes.len());
    let full = timed(|| upkeep::generate(is, &options(), String::new()));
    if full.0.tree.is_none() {
        println!("{title}: too many paths");
        return;
    }
    let suite = Suite { tests: &first.tests, digest: Some(digest), name: String::new() };
    let with_store = options().with_store(Some(store.clone()));
    let reuse = timed(|| upkeep::update(Some(was), is, &suite, &with_store, Some(&store)));
    let counts = reuse.0.ledger.counts;
    println!(
        "{title:<34} {:>7} | {:>9.2} {:>9.2} {:>8} {:>6} | {:>9.2} {:>9.2} {:>8} {:>6} | {:>6} {:>6} {:>6} {:>6} {:>6} | {:>6}",
        full.0.tests.len(),
        full.1.seconds * 1e3,
        full.1.solver * 1e3,
        full.1.questions,
        full.1.calls,
        reuse.1.seconds * 1e3,
        reuse.1.solver * 1e3,
        reuse.1.questions,
        reuse.1.calls,
        counts.kept,
        counts.re_aimed,
        counts.obsolete,
        counts.new,
        reuse.0.ledger.reuse.taken,
        bytes / first.tests.len().max(1)
    );
    for (sum, cost) in sum.iter_mut().zip([full.1, reuse.1]) {
        sum.seconds += cost.seconds;
        sum.solver += cost.solver;
        sum.questions += cost.questions;
        sum.calls += cost.calls;
    }
}

/// The best of three runs.
fn timed(work: impl Fn() -> Updated) -> (Updated, Cost) {
    let run = || {
        let started = Instant::now();
        let updated = work();
        let (stats, reuse) = (&updated.ledger.stats, &updated.ledger.reuse);
        let cost = Cost {
            seconds: started.elapsed().as_secs_f64(),
            solver: reuse.solver_us as f64 / 1e6,
            questions: stats.queries,
            calls: stats.solver_calls,
        };
        (updated, cost)
    };
    let runs = [run(), run(), run()];
    let best = |a: &(Updated, Cost), b: &(Updated, Cost)| a.1.seconds.total_cmp(&b.1.seconds);
    runs.into_iter().min_by(best).unwrap()
}
