//! A directory to build things in, and programs to build them with.

#![allow(clippy::unwrap_used, clippy::panic, dead_code)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use build::{BuildError, Environment, Options, Texts};

/// An empty directory with an environment; removed at the end.
pub struct Lab {
    dir: tempfile::TempDir,
    pub env: Environment,
    pub options: Options,
}

impl Lab {
    /// A lab with the programs of this machine.
    pub fn new() -> Lab {
        let path = std::env::var_os("PATH").unwrap();
        Lab::with_path(path)
    }

    /// A lab without any program but those that `script` makes.
    pub fn without_programs() -> Lab {
        let mut lab = Lab::with_path(OsString::new());
        lab.env.path = lab.path("bin").into();
        lab
    }

    fn with_path(path: OsString) -> Lab {
        let dir = tempfile::tempdir().unwrap();
        let env = Environment { path, temp: dir.path().join("tmp"), bitcode_helper: None };
        std::fs::create_dir(&env.temp).unwrap();
        Lab { dir, env, options: Options::default() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, contents).unwrap();
        path
    }

    /// Makes `bin/NAME`, a shell script. The shell writes it, because a file that this process had open for writing
    /// while another test started a program could not be run.
    pub fn script(&self, name: &str, body: &str) {
        let path = self.path("bin").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "printf '#!/bin/sh\n%s\n' \"$1\" > \"$0\" && chmod +x \"$0\""]).arg(&path).arg(body);
        assert!(command.status().unwrap().success());
    }

    /// Runs a program of this machine in the directory.
    pub fn run(&self, program: &str, arguments: &[&str]) {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.dir.path()).stdout(Stdio::null()).stderr(Stdio::null());
        assert!(command.status().unwrap().success(), "{program} {arguments:?}");
    }

    pub fn texts(&self, name: &str) -> Result<Texts, BuildError> {
        build::texts(&self.path(name), &self.options, &self.env)
    }

    /// The error without the directory's name, then its help.
    pub fn error(&self, name: &str) -> String {
        let error = self.texts(name).unwrap_err();
        let help = error.help().map_or(String::new(), |help| format!("\nhelp: {help}"));
        format!("{error}{help}").replace(&self.dir.path().display().to_string(), "DIR")
    }

    /// Whether nothing was left behind.
    pub fn is_tidy(&self) -> bool {
        std::fs::read_dir(&self.env.temp).unwrap().next().is_none()
    }
}

/// The names of all defined functions, sorted.
pub fn functions(texts: &Texts) -> Vec<String> {
    let lines = texts.units.iter().flat_map(|(_, text)| text.lines());
    let mut names: Vec<_> = lines
        .filter(|line| line.starts_with("define "))
        .map(|line| line.split_once('@').unwrap().1.split_once('(').unwrap().0.to_owned())
        .collect();
    names.sort();
    names
}

/// The libLLVM of the installed rustc.
pub fn libllvm() -> PathBuf {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    build::toolchain::libllvm(Path::new(String::from_utf8(output.stdout).unwrap().trim())).unwrap()
}
