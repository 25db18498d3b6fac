//! What the tree under comparison may decide: whoever sent it wrote every file in it.

use crate::support::{pathshift, scratch};
use std::path::Path;
use std::process::Output;

const OLD: &str = "int allowed(unsigned uid) { return uid == 0; }\nint other(int x) { return x + x; }\n";
const NEW: &str = "int allowed(unsigned uid) { return uid == 0 || uid == 1337; }\nint other(int x) { return 2 * x; }\n";

fn write(dir: &Path, files: &[(&str, &str)]) {
    for (name, contents) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }
}

fn diff(dir: &Path, args: &[&str]) -> Output {
    pathshift().current_dir(dir).arg("diff").args(args).args(["--timeout", "20"]).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The line of a verdict that was made for one function, under the key of another one.
#[test]
fn edited_rows_of_a_store_change_no_verdict() {
    let dir = scratch();
    write(dir.path(), &[("old.c", OLD), ("new.c", NEW)]);
    let args = ["old.c", "new.c", "--store", "store.db"];
    let first = diff(dir.path(), &args);
    assert!(first.status.code() == Some(1) && !text(&first).contains("ignored"), "{}", text(&first));
    let again = diff(dir.path(), &args);
    assert!(text(&again).contains("2 verdicts are from earlier runs"), "{}", text(&again));
    let store = rusqlite::Connection::open(dir.path().join("store.db")).unwrap();
    let same: (String, Vec<u8>) = store
        .query_row("SELECT verdict, code FROM verdicts WHERE function = 'other'", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .unwrap();
    let forged = rusqlite::params![same.0.replace("other", "allowed"), same.1];
    let edit = "UPDATE verdicts SET verdict = ?1, code = ?2 WHERE function = 'allowed'";
    assert_eq!(store.execute(edit, forged).unwrap(), 1);
    drop(store);
    let last = diff(dir.path(), &args);
    let shown = text(&last);
    assert_eq!(last.status.code(), Some(1), "{shown}");
    assert!(shown.contains("1 row of store.db was ignored: it is not from a run of this user"), "{shown}");
}

/// A store that lies where stores used to be is the tree's.
#[test]
fn nothing_is_read_from_or_written_to_the_tree() {
    let dir = scratch();
    write(dir.path(), &[("old.c", OLD), ("new.c", NEW), (".pathshift/store.db", "not even a store")]);
    assert_eq!(diff(dir.path(), &["old.c", "new.c"]).status.code(), Some(1));
    let shown = text(&diff(dir.path(), &["old.c", "new.c"]));
    assert!(shown.contains("verdicts are from earlier runs"), "{shown}");
    assert_eq!(std::fs::read(dir.path().join(".pathshift/store.db")).unwrap(), b"not even a store");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
}

#[test]
fn without_a_home_nothing_is_kept() {
    let dir = scratch();
    write(dir.path(), &[("old.c", OLD), ("new.c", NEW)]);
    for kept in [None, Some("XDG_CACHE_HOME")] {
        let mut command = pathshift();
        command.current_dir(dir.path()).args(["diff", "old.c", "new.c"]).env_remove("HOME");
        for variable in ["XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
            command.env_remove(variable);
        }
        if let Some(variable) = kept {
            command.env(variable, dir.path().join("cache"));
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains("without a home folder"), "{}", text(&output));
        assert!(!dir.path().join("cache").exists());
    }
}

/// A script that tells that it ran, beside the tree.
fn canary(dir: &Path, name: &str) -> String {
    let (script, told) = (dir.join(name), dir.join(format!("{name}-ran")));
    std::fs::write(&script, format!("#!/bin/sh\ntouch {}\ncat\nexit 0\n", told.display())).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    script.display().to_string()
}

/// What ran.
fn ran(dir: &Path) -> Vec<String> {
    let names = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with("-ran")).collect()
}

fn git(dir: &Path, args: &[&str]) {
    let mut command = std::process::Command::new("git");
    command.current_dir(dir).args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]);
    command.args(args).env("GIT_CONFIG_GLOBAL", "/dev/null");
    assert!(command.status().unwrap().success(), "{args:?}");
}

#[test]
fn settings_of_the_tree_run_and_hide_nothing() {
    let outside = scratch();
    let dir = outside.path().join("tree");
    let evil = canary(outside.path(), "evil");
    let toml = format!(
        "[build]\nclang = \"{evil}\"\ncflags = \"-DX=1 -fplugin={evil} -B{}\"\n[bounds]\nsolver = \"{evil}\"\n\
         [diff]\nignore = [\"value\"]\nignore-functions = [\"allowed\"]\nallow-undecided = true\n",
        outside.path().display()
    );
    write(&dir, &[("old.c", OLD), ("new.c", NEW), ("pathshift.toml", &toml)]);
    let output = diff(&dir, &["old.c", "new.c", "--no-store"]);
    let shown = text(&output);
    assert_eq!((output.status.code(), ran(outside.path())), (Some(1), Vec::new()), "{shown}");
    for what in ["`clang`", "-fplugin=", "-B/", "`solver`", "`ignore`", "`ignore-functions`", "--trust-config"] {
        assert!(shown.contains(what), "{what}\n{shown}");
    }
    // The user's own file says the same, and counts.
    let config = outside.path().join("config");
    write(&config, &[("pathshift/pathshift.toml", "[diff]\nignore-functions = [\"allowed\"]\n")]);
    let mut command = pathshift();
    command.current_dir(&dir).args(["diff", "old.c", "new.c", "--no-store"]).env("XDG_CONFIG_HOME", &config);
    let output = command.output().unwrap();
    let shown = text(&output);
    assert_eq!(output.status.code(), Some(0), "{shown}");
    assert!(shown.contains("DIFFERENT  allowed") && shown.contains("(ignored)"), "{shown}");
}

#[test]
fn settings_are_those_of_the_old_revision() {
    let dir = scratch();
    let dir = dir.path();
    git(dir, &["init", "-q"]);
    write(dir, &[("a.c", "int f(int x) { return x + D; }\n"), ("pathshift.toml", "[build]\ncflags = \"-DD=0\"\n")]);
    git(dir, &["add", "."]);
    git(dir, &["commit", "-qm", "one"]);
    // With D == 0 they are the same, with D == 1 they are not.
    write(dir, &[("a.c", "int f(int x) { return x - D; }\n"), ("pathshift.toml", "[build]\ncflags = \"-DD=1\"\n")]);
    let args = ["--file", "a.c", "--no-store"];
    let check = |range: &[&str]| {
        let output = diff(dir, &[range, &args[..]].concat());
        let shown = text(&output);
        assert_eq!(output.status.code(), Some(0), "{shown}");
        assert!(shown.contains("pathshift.toml is not the same in both versions"), "{shown}");
    };
    check(&[]);
    git(dir, &["commit", "-qam", "two"]);
    check(&["HEAD~1..HEAD"]);
}

/// Everything in a repository's own settings that git would run for what is asked of it.
#[test]
fn git_runs_nothing_that_a_repository_names() {
    let outside = scratch();
    let dir = outside.path().join("tree");
    std::fs::create_dir(&dir).unwrap();
    git(&dir, &["init", "-q"]);
    write(&dir, &[("a.c", OLD), (".gitattributes", "*.c filter=evil diff=evil\n")]);
    git(&dir, &["add", "."]);
    git(&dir, &["commit", "-qm", "one"]);
    for (setting, name) in [
        ("core.fsmonitor", "monitor"),
        ("filter.evil.clean", "clean"),
        ("filter.evil.smudge", "smudge"),
        ("diff.evil.command", "command"),
        ("diff.evil.textconv", "textconv"),
        ("diff.external", "external"),
        ("core.sshCommand", "ssh"),
        ("core.pager", "pager"),
    ] {
        git(&dir, &["config", setting, &canary(outside.path(), name)]);
    }
    git(&dir, &["config", "filter.evil.required", "true"]);
    for hook in ["post-index-change", "post-checkout", "pre-commit", "reference-transaction"] {
        std::fs::copy(canary(outside.path(), hook), dir.join(".git/hooks").join(hook)).unwrap();
    }
    write(&dir, &[("a.c", NEW)]);
    let args = ["--file", "a.c", "--no-store"];
    let output = diff(&dir, &[&["HEAD"], &args[..]].concat());
    assert_eq!((output.status.code(), ran(outside.path())), (Some(1), Vec::new()), "{}", text(&output));
}

#[test]
fn flags_of_a_database_run_nothing() {
    let outside = scratch();
    let dir = outside.path().join("tree");
    let evil = canary(outside.path(), "evil");
    let entry = |file: &str| {
        let dir = dir.join(file);
        let dir = dir.display();
        serde_json::json!([{ "directory": dir.to_string(), "file": "a.c", "arguments":
            [evil.clone(), "-DX", "-wrapper", evil.clone(), format!("-fplugin={evil}"), "-Xclang", "-load", "-Xclang",
             evil.clone(), format!("-B{}", outside.path().display()), "@flags", "-I", "@flags", "-c", "a.c"] }])
        .to_string()
    };
    for (version, source) in [("old", OLD), ("new", NEW)] {
        let files = [("a.c", source), ("flags", "-fplugin=./x.so"), ("compile_commands.json", &entry(version))];
        write(&dir.join(version), &files);
    }
    let output = diff(&dir, &["old", "new", "--no-store"]);
    let shown = text(&output);
    assert_eq!((output.status.code(), ran(outside.path())), (Some(1), Vec::new()), "{shown}");
    assert!(shown.contains("flags that a project must not choose, left out: ") && shown.contains("@flags"), "{shown}");
}

/// A revision can hold links to anywhere; what is put beside it for the build does not follow them.
#[test]
fn links_of_a_revision_do_not_lead_out() {
    let outside = scratch();
    let (dir, home) = (outside.path().join("tree"), outside.path().join("home"));
    std::fs::create_dir_all(&home).unwrap();
    std::fs::create_dir(&dir).unwrap();
    git(&dir, &["init", "-q"]);
    write(&dir, &[("a.c", OLD)]);
    std::os::unix::fs::symlink(home.join("profile"), dir.join("compile_commands.json")).unwrap();
    std::os::unix::fs::symlink(&home, dir.join("made")).unwrap();
    git(&dir, &["add", "."]);
    git(&dir, &["commit", "-qm", "one"]);
    std::fs::remove_file(dir.join("compile_commands.json")).unwrap();
    let entry = |folder: &str| serde_json::json!({ "directory": dir.join(folder), "file": dir.join("a.c"), "command": "cc -c a.c" });
    let list = serde_json::json!([entry("made/deep"), entry("")]).to_string();
    write(&dir, &[("a.c", NEW), ("compile_commands.json", &list)]);
    let output = diff(&dir, &["HEAD", "--no-store"]);
    assert_eq!(std::fs::read_dir(&home).unwrap().count(), 0, "{}", text(&output));
}

/// Everything in a package that cargo would run to build it.
#[test]
fn no_run_runs_nothing_of_a_package() {
    let outside = scratch();
    let evil = canary(outside.path(), "evil");
    let told = outside.path().join("script-ran").display().to_string();
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let script = format!("fn main() {{ std::fs::write({told:?}, \"\").unwrap(); }}\n");
    let source = |body: &str| format!("pub fn f(x: u32) -> u32 {{ {body} }}\n");
    let package = |name: &str, body: &str, extra: &[(&str, &str)]| {
        let dir = outside.path().join(name);
        write(&dir, &[("Cargo.toml", manifest), ("src/lib.rs", &source(body))]);
        write(&dir, extra);
        dir
    };
    let config = format!(
        "[build]\nrustc-wrapper = \"{evil}\"\nrustc = \"{evil}\"\nrustflags = [\"-Clinker={evil}\"]\n[env]\nLD_PRELOAD = \"{evil}\"\n"
    );
    let toolchain = format!("[toolchain]\npath = \"{}\"\n", outside.path().display());
    let settings = [(".cargo/config.toml", config.as_str()), ("rust-toolchain.toml", &toolchain)];
    let run = |old: &Path, new: &Path| {
        let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
        diff(outside.path(), &[old, new, "--no-run", "--no-store", "--cargo-flags=--offline"])
    };
    let output = run(&package("a", "x * 2", &settings), &package("b", "x + x", &settings));
    let shown = text(&output);
    assert_eq!((output.status.code(), ran(outside.path())), (Some(0), Vec::new()), "{shown}");
    assert!(shown.contains("not used because of --no-run: ") && shown.contains(".cargo/config.toml"), "{shown}");
    let output = run(&package("c", "x", &[("build.rs", &script)]), &package("d", "x", &[("build.rs", &script)]));
    let shown = text(&output);
    assert_eq!((output.status.code(), ran(outside.path())), (Some(2), Vec::new()), "{shown}");
    assert!(shown.contains("would run a build script of p, and --no-run forbids it"), "{shown}");
    let macros = "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n";
    write(&outside.path().join("m"), &[("Cargo.toml", macros), ("src/lib.rs", "")]);
    let with_macro = format!("{manifest}[dependencies]\nm = {{ path = \"../m\" }}\n");
    let uses = [("Cargo.toml", with_macro.as_str())];
    let shown = text(&run(&package("e", "x", &uses), &package("f", "x + 0", &uses)));
    assert!(shown.contains("would run a procedural macro of m, and --no-run forbids it"), "{shown}");
    // Otherwise it runs, and the result says so.
    let [old, new] = ["c", "d"].map(|name| outside.path().join(name).display().to_string());
    let shown = text(&diff(outside.path(), &[&old, &new, "--no-store", "--cargo-flags=--offline"]));
    assert!(shown.contains("the build ran a build script of p, without a sandbox; --no-run refuses to"), "{shown}");
    assert!(Path::new(&told).exists(), "{shown}");
}

/// Copies of the source that killed runs left go with the next run.
#[test]
fn a_killed_run_leaves_nothing_for_good() {
    let outside = scratch();
    let temp = outside.path().join("tmp");
    std::fs::create_dir(&temp).unwrap();
    let (clang, begun) = (outside.path().join("clang"), outside.path().join("begun"));
    std::fs::write(&clang, format!("#!/bin/sh\ntouch {}\nexec sleep 5\n", begun.display())).unwrap();
    std::fs::set_permissions(&clang, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    write(outside.path(), &[("old.c", OLD), ("new.c", NEW)]);
    let mut command = pathshift();
    command.current_dir(outside.path()).env("TMPDIR", &temp).args(["diff", "old.c", "new.c", "--no-store"]);
    let mut child = command.args(["--clang", clang.to_str().unwrap()]).spawn().unwrap();
    while !begun.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = || std::fs::read_dir(&temp).unwrap().count();
    assert!(left() > 0);
    // Processes that the killed one had started end a moment after it.
    for _ in 0..100 {
        let mut command = pathshift();
        command.current_dir(outside.path()).env("TMPDIR", &temp).args(["ir", "old.c", "--summary"]);
        assert!(command.output().unwrap().status.success());
        if left() == 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{} folders are left", left());
}
