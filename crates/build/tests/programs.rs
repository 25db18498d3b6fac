//! How other programs are found, limited and understood, with scripts in their place.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use build::{BuildError, doctor};
use common::Lab;

/// A clang that tells a version and writes an empty module.
fn clang(version: &str) -> String {
    format!(
        "if [ \"$1\" = --version ]; then echo 'Debian clang version {version}'; exit; fi\n\
         while [ $# -gt 0 ]; do if [ \"$1\" = -o ]; then echo '; ModuleID' > \"$2\"; fi; shift; done"
    )
}

#[test]
fn the_newest_clang_is_used() {
    let check = |installed: &[(&str, &str)], expect: Result<&str, &str>| {
        let lab = Lab::without_programs();
        lab.write("a.c", "int x;");
        installed.iter().for_each(|(name, version)| lab.script(name, &clang(version)));
        match expect {
            Ok(name) => {
                let command = lab.texts("a.c").unwrap().units[0].0.command.clone().unwrap();
                assert!(command.starts_with(&format!("{}/{name} ", lab.path("bin").display())), "{command}");
            }
            Err(message) => assert_eq!(lab.texts("a.c").unwrap_err().to_string(), message),
        }
    };
    check(&[("clang-14", "14.0.6"), ("clang-19", "19.1.7"), ("clang-16", "16.0.6")], Ok("clang-19"));
    check(&[("clang-14", "14.0.6"), ("clang", "15.0.0-1ubuntu")], Ok("clang"));
    check(&[("clang-19", "19.1.7"), ("clang", "19.1.7")], Ok("clang-19"));
    check(&[("clang", "22.1.0")], Ok("clang"));
    check(&[("clang", "13.0.1")], Err("no clang 14 or newer (there is 13.0.1) found"));
    check(&[("clang-13", "13.0.1"), ("gcc", "12.2.0")], Err("no clang found"));
}

#[test]
fn versions_are_read_from_what_programs_say() {
    let check = |text: &str, expect: &str| {
        let version = build::toolchain::Version::parse(text).map(|version| version.to_string());
        assert_eq!(version.unwrap_or_default(), expect, "{text}");
    };
    check("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64-pc-linux-gnu", "19.1.7");
    check("Ubuntu clang version 14.0.0-1ubuntu1.1", "14.0.0");
    check("Apple clang version 15.0.0 (clang-1500.3.9.4)", "15.0.0");
    check("clang version 21.0.0git (https://example.org/llvm 0123456)", "21.0.0");
    check("LLVM (http://llvm.org/):\n  LLVM version 19.1.7\n  Optimized build.", "19.1.7");
    check("rustc 1.95.0 (59807616e 2026-04-14)", "1.95.0");
    check("rustc 1.97.0-nightly (abc 2026-04-14)", "1.97.0");
    check("git version 2.39", "2.39.0");
    check("no version 3 here", "");
}

#[test]
fn a_program_that_hangs_is_ended_with_all_it_started() {
    let mut lab = Lab::without_programs();
    lab.write("a.c", "int x;");
    let pid = lab.path("pid");
    lab.script("clang-19", &format!("/bin/sleep 1000 &\necho $! > '{}'\nwait", pid.display()));
    lab.options.timeout = Duration::from_millis(500);
    let start = Instant::now();
    let error = lab.error("a.c");
    assert!(error.starts_with("stopped after 0.5 s: DIR/bin/clang-19 -g -O0"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10));
    let process = format!("/proc/{}/stat", std::fs::read_to_string(pid).unwrap().trim());
    // A killed process may stay as a zombie until its new parent notices.
    let gone = || std::fs::read_to_string(&process).map_or(true, |stat| stat.contains(") Z "));
    assert!(
        (0..100).any(|_| gone() || {
            std::thread::sleep(Duration::from_millis(20));
            false
        }),
        "{process}"
    );
    assert!(lab.is_tidy());
}

#[test]
fn a_program_that_writes_without_end_is_ended() {
    let lab = Lab::without_programs();
    lab.write("a.c", "int x;");
    lab.script("clang-19", "while :; do echo 'error: on and on, on and on, on and on, on and on, on and on' >&2; done");
    let error = lab.error("a.c");
    assert!(error.starts_with("stopped because it wrote more than 16777216 bytes"), "{error}");
}

#[test]
fn the_caller_can_stop_it() {
    let lab = Lab::without_programs();
    lab.write("a.c", "int x;");
    lab.script("clang-19", "/bin/sleep 1000");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            lab.options.cancel.store(true, Ordering::Relaxed);
        });
        assert!(matches!(lab.texts("a.c"), Err(BuildError::Cancelled)));
    });
}

#[test]
fn a_compiler_that_crashes_is_an_error() {
    let lab = Lab::without_programs();
    lab.write("a.c", "int x;");
    lab.script("clang-19", "echo 'stack dump' >&2\nkill -SEGV $$");
    let error = lab.texts("a.c").unwrap_err();
    assert_eq!(error.compiler_output(), Some("stack dump\nkilled by signal 11"));
}

#[test]
fn a_compiler_that_writes_nothing_is_an_error() {
    let lab = Lab::without_programs();
    lab.write("a.c", "int x;");
    lab.script("clang-19", "exit 0");
    let error = lab.texts("a.c").unwrap_err();
    assert_eq!(error.compiler_output(), Some("the compiler reported success and wrote no LLVM IR"));
}

#[test]
fn bitcode_goes_to_libllvm_then_to_llvm_dis() {
    let check = |helper: Option<&str>, llvm_dis: Option<&str>, expect: &str| {
        let mut lab = Lab::without_programs();
        lab.write("a.bc", b"BC\xC0\xDE....");
        if let Some(script) = helper {
            lab.script("rustc", &format!("echo '{}'", lab.path("sysroot").display()));
            lab.write("sysroot/lib/libLLVM.so.99", [0; 5000]);
            lab.write("sysroot/lib/libLLVM-99.so", "INPUT(libLLVM.so.99)");
            lab.script("helper", script);
            lab.env.bitcode_helper = Some(vec![lab.path("bin/helper").into(), "word".into()]);
        }
        if let Some(script) = llvm_dis {
            lab.script("llvm-dis-18", script);
        }
        let got = match lab.texts("a.bc") {
            Ok(texts) => texts.units[0].1.replace(&lab.path("").display().to_string(), "DIR/"),
            Err(_) => lab.error("a.bc").split("\nhelp").next().unwrap().to_owned(),
        };
        assert_eq!(got.trim_end(), expect);
    };
    let (works, fails, crashes) = ("echo \"text of $*\"", "echo no >&2; exit 1", "kill -SEGV $$");
    check(Some(works), None, "text of word DIR/sysroot/lib/libLLVM.so.99 DIR/a.bc");
    check(Some("ulimit -v"), None, "4194305");
    check(None, Some(works), "text of -o - DIR/a.bc");
    check(Some(fails), Some(works), "text of -o - DIR/a.bc");
    check(Some(crashes), None, "DIR/a.bc: bitcode cannot be read: libLLVM.so.99: killed by signal 11");
    let both = "DIR/a.bc: bitcode cannot be read: libLLVM.so.99: killed by signal 11; llvm-dis-18: no";
    check(Some(crashes), Some(fails), both);
}

#[test]
fn the_survey_lists_what_is_there_and_how_to_get_the_rest() {
    let lab = Lab::without_programs();
    lab.script("clang-14", &clang("14.0.6"));
    lab.script("clang", &clang("17.0.1"));
    lab.script("cargo", "echo 'cargo 1.95.0 (abc 2026-01-01)'");
    let items = doctor::survey(&lab.env).unwrap();
    let found = |name: &str| {
        let item = items.iter().find(|item| item.name == name).unwrap();
        assert!(!item.install.is_empty() && !item.purpose.is_empty());
        let tool = |tool: &build::toolchain::Tool| {
            format!(
                "{} {}",
                tool.path.file_name().unwrap().display(),
                tool.version.map_or(String::new(), |v| v.to_string())
            )
        };
        item.found.iter().map(tool).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(found("clang"), "clang 17.0.1, clang-14 14.0.6");
    assert_eq!(found("C headers"), "stdio.h ");
    assert_eq!(found("cargo"), "cargo 1.95.0");
    assert_eq!(found("rustc"), "");
    assert_eq!(found("libLLVM"), "");
    assert!(lab.is_tidy());
}
