//! Random C programs: what our print does must be what the source does.

use crate::support::{clang, full, must_run, prints, run_limited, scratch};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// How many seeds there are and how many programs must have been compared; csmith does not promise that its programs end.
const SHORT: (u32, u32) = (16, 10);
const LONG: (u32, u32) = (480, 300);

/// How long a generated program may run.
const RUN: Duration = Duration::from_secs(1);

/// Each compiler writes IR, optimised and not; we parse, print, compile the print and run it.
#[test]
fn prints_of_random_programs_behave_like_the_source() {
    let (seeds, enough) = if full() { LONG } else { SHORT };
    let (next, compared) = (AtomicU32::new(1), AtomicU32::new(0));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed > seeds {
                        break;
                    }
                    compared.fetch_add(u32::from(check_seed(seed)), Ordering::Relaxed);
                }
            });
        }
    });
    let compared = compared.into_inner();
    println!("{compared} programs of {seeds} agree in 8 builds each, the others did not end in time");
    assert!(compared >= enough, "only {compared} programs of {seeds} ended in time");
}

/// False if the program does not end in time.
fn check_seed(seed: u32) -> bool {
    let dir = scratch();
    let source = dir.path().join("random.c");
    let mut csmith = Command::new("csmith");
    // It leaves a file about the platform where it runs.
    csmith.current_dir(dir.path()).arg("--seed").arg(seed.to_string()).arg("--output").arg(&source);
    must_run(&csmith);
    let include = if Path::new("/usr/include/csmith").exists() { "-I/usr/include/csmith" } else { "-I." };
    let path = source.to_str().unwrap();
    let direct = dir.path().join("direct");
    must_run(&clang(19, &["-O0", include, path, "-o", direct.to_str().unwrap()]));
    let Some(expected) = run_limited(&Command::new(&direct), RUN) else { return false };
    for version in [14, 19] {
        for level in ["-O0", "-O1"] {
            let what = format!("csmith seed {seed}, clang {version} {level}");
            let flags = ["-g", level, "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm", include, path, "-o", "-"];
            let text = String::from_utf8(must_run(&clang(version, &flags))).unwrap();
            for (form, print) in prints(&text, &what) {
                let (ll, program) = (dir.path().join("print.ll"), dir.path().join("print"));
                std::fs::write(&ll, &print).unwrap();
                must_run(&clang(19, &["-O0", ll.to_str().unwrap(), "-o", program.to_str().unwrap()]));
                let found = run_limited(&Command::new(&program), 20 * RUN);
                assert_eq!(found.as_ref(), Some(&expected), "{what}, {form}");
            }
        }
    }
    true
}
