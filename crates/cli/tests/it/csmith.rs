//! Random C programs: what our print does must be what the source does.

use crate::support::{clang, full, must_run, prints, run_limited, scratch};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Seeds of the short suite; the long one has so many more.
const SHORT: u32 = 12;
const LONG: u32 = 300;

/// How long a generated program may run; csmith does not promise that its programs end.
const RUN: Duration = Duration::from_secs(5);

/// Each compiler writes IR, optimised and not; we parse, print, compile the print and run it.
#[test]
fn prints_of_random_programs_behave_like_the_source() {
    let programs = if full() { LONG } else { SHORT };
    let (mut compared, mut skipped, mut seed) = (0, 0, 0);
    while compared < programs {
        seed += 1;
        match check_seed(seed) {
            true => compared += 1,
            false => skipped += 1,
        }
    }
    println!("{compared} programs agree in 8 builds each, {skipped} did not end in time");
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
                let found = run_limited(&Command::new(&program), 4 * RUN);
                assert_eq!(found.as_ref(), Some(&expected), "{what}, {form}");
            }
        }
    }
    true
}
