//! Ctrl-C and signals to end: the program ends soon, and so do the compilers that it started.

use crate::support::{data, pathshift, scratch};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn kill(signal: &str, process: &str) -> bool {
    Command::new("kill").args([signal, process]).stderr(Stdio::null()).status().unwrap().success()
}

/// Waits for something that is bound to happen.
fn eventually<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(result) = attempt() {
            return result;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn exit_code(child: &mut Child) -> Option<i32> {
    eventually("the program ends", || child.try_wait().unwrap()).code()
}

#[test]
fn compilers_end_with_us() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let dir = scratch();
        let (clang, pid, temp) = (dir.path().join("clang"), dir.path().join("pid"), dir.path().join("temp"));
        // The compiler that sleeps is a grandchild, as behind cargo.
        let script = format!("#!/bin/sh\nsh -c 'echo $$ >{0}.new; mv {0}.new {0}; exec sleep 100'\n", pid.display());
        std::fs::write(&clang, script).unwrap();
        std::fs::set_permissions(&clang, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::create_dir(&temp).unwrap();
        let mut child = pathshift()
            .arg("ir")
            .arg(data("kinds.c"))
            .arg("--clang")
            .arg(&clang)
            .env("TMPDIR", &temp)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let compiler = eventually("the compiler starts", || std::fs::read_to_string(&pid).ok());
        assert!(kill("-0", compiler.trim()));
        kill(signal, &child.id().to_string());
        assert_eq!(exit_code(&mut child), Some(130), "{signal}");
        eventually("the compiler is gone", || (!kill("-0", compiler.trim())).then_some(()));
        assert_eq!(std::fs::read_dir(&temp).unwrap().count(), 0, "temporary files stay after {signal}");
    }
}

#[test]
fn nobody_has_to_wait_for_a_reader() {
    let mut child = pathshift()
        .args(["ir", "--format", "json"])
        .arg(data("kinds.cpp"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The result is longer than a pipe takes: after its first byte the program waits for us.
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none());
    kill("-INT", &child.id().to_string());
    assert_eq!(exit_code(&mut child), Some(130));
}
