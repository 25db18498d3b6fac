//! What becomes of native runs that want something of the machine, and of those that cannot be confined.

use crate::support::{folder, run_timed};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

/// What `diff` says of two versions, as text; and its exit code.
fn diff(old: &str, new: &str, more: &[&str]) -> (String, Option<i32>) {
    let (dir, paths) = folder(&[("old.c", old), ("new.c", new)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_pathshift"));
    command.arg("diff").args(&paths).args(["--no-store", "--timeout", "10"]).args(more).current_dir(dir.path());
    let ran = run_timed(&mut command, LIMIT).unwrap();
    (String::from_utf8(ran.stdout).unwrap() + &ran.stderr, ran.code)
}

#[test]
fn a_run_that_is_stopped_decides_nothing() {
    let version = |result: &str| {
        format!(
            "#include <unistd.h>\n#include <sys/syscall.h>\n\
             static long ask(void) {{ long r; __asm__ volatile(\"syscall\" : \"=a\"(r) : \"a\"(41L), \"D\"(2L), \"S\"(1L), \"d\"(0L) \
             : \"rcx\", \"r11\", \"memory\"); return r; }}\n\
             int f(int x) {{ if (x > 3) ask(); return {result}; }}\n"
        )
    };
    let (said, code) = diff(&version("x"), &version("x > 7 ? 1 : x"), &[]);
    assert!(!said.contains("DIFFERENT"), "{said}");
    assert_eq!(code, Some(3), "{said}");
}

#[test]
fn what_differs_before_a_run_is_stopped_is_different() {
    let version = |text: &str| {
        format!(
            "#include <stdio.h>\n#include <fstream>\n\
             extern \"C\" int f(int x) {{ puts(\"{text}\"); std::ofstream(\"/etc/passwd\") << x; return x; }}\n"
        )
    };
    let (dir, paths) = folder(&[("old.cpp", &version("one")), ("new.cpp", &version("two"))]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_pathshift"));
    command.arg("diff").args(&paths).args(["--no-store", "--timeout", "10"]).current_dir(dir.path());
    let ran = run_timed(&mut command, LIMIT).unwrap();
    assert_ne!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn functions_that_act_on_the_machine_answer_what_the_witness_says() {
    let version = |limit: &str| {
        format!(
            "#include <unistd.h>\n#include <sys/stat.h>\n\
             int f(void) {{ return fork() > {limit}; }}\n"
        )
    };
    let (said, code) = diff(&version("0"), &version("1"), &[]);
    assert!(said.contains("DIFFERENT  f") && said.contains("fork() = 1"), "{said}");
    assert_eq!(code, Some(1));
}

const OLD: &str = "int f(int x) { return x; }\n";
const NEW: &str = "int f(int x) { return x == 3 ? 4 : x; }\n";

#[test]
fn nothing_runs_if_the_user_wants_so() {
    let (said, code) = diff(OLD, NEW, &["--no-run"]);
    assert!(said.contains("undecided  f") && said.contains("--no-run"), "{said}");
    assert_eq!(code, Some(3));
}

/// Starts a program under a kernel that seems to have no seccomp.
const WITHOUT_SECCOMP: &str = r#"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_SECCOMP, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 99;
    execv(argv[1], argv + 1);
    return 98;
}
"#;

fn without_seccomp(dir: &Path) -> PathBuf {
    let (source, program) = (dir.join("without.c"), dir.join("without"));
    std::fs::write(&source, WITHOUT_SECCOMP).unwrap();
    assert!(Command::new("cc").arg(&source).arg("-o").arg(&program).status().unwrap().success());
    program
}

#[test]
fn nothing_runs_without_a_sandbox_unless_the_user_wants_so() {
    let (dir, paths) = folder(&[("old.c", OLD), ("new.c", NEW)]);
    let launcher = without_seccomp(dir.path());
    let run = |more: &[&str]| {
        let mut command = Command::new(&launcher);
        command.arg(env!("CARGO_BIN_EXE_pathshift")).arg("diff").args(&paths);
        command.args(["--no-store", "--format", "json"]).args(more).current_dir(dir.path());
        let ran = run_timed(&mut command, LIMIT).unwrap();
        (serde_json::from_slice::<Value>(&ran.stdout).unwrap(), ran.code)
    };
    let (said, code) = run(&[]);
    assert_eq!(said["functions"][0]["verdict"], "undecided", "{said}");
    let reasons = said["functions"][0]["undecided"].to_string();
    assert!(reasons.contains("no sandbox on this machine"), "{reasons}");
    assert_eq!(code, Some(3));
    let (said, code) = run(&["--unsafe-replay"]);
    assert_eq!((said["functions"][0]["verdict"].as_str(), code), (Some("different"), Some(1)), "{said}");
}
