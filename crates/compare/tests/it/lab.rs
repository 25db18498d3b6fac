//! Programs to run cases on.

use std::path::PathBuf;

use build::Environment;
use compare::replay::{Driver, Limits, Options, Placement, Replayed, prepare};
use exec::case::{Datum, Input, Memory, Target};
use ir::module::Module;
use smt::bits::Bits;

/// A directory with an environment; removed at the end.
pub struct Lab {
    pub dir: tempfile::TempDir,
    pub env: Environment,
}

impl Lab {
    pub fn new() -> Lab {
        let dir = tempfile::tempdir().unwrap();
        let env =
            Environment { path: std::env::var_os("PATH").unwrap(), temp: dir.path().into(), bitcode_helper: None };
        Lab { dir, env }
    }

    pub fn write(&self, name: &str, contents: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }

    /// The model of a source text; the file's name tells the language.
    pub fn module(&self, name: &str, source: &str) -> Module {
        let path = self.write(name, source);
        build::load(&path, &build::Options::default(), &self.env)
            .unwrap_or_else(|error| {
                panic!("{error}\n{}", error.compiler_output().unwrap_or_default());
            })
            .module
    }

    /// A driver for the function of that name.
    pub fn driver(&self, module: &Module, function: &str, options: &Options) -> Driver {
        let entry = compare::find::functions(module, function).unwrap()[0];
        prepare(module, entry, options, &self.env).unwrap_or_else(|error| panic!("{error}: {error:?}"))
    }

    /// Compiles a source and runs inputs on a function of it.
    pub fn run(&self, file: &str, source: &str, function: &str, inputs: &[Input]) -> Vec<Replayed> {
        let driver = self.driver(&self.module(file, source), function, &Options::default());
        driver.run(inputs, Placement::Aligned, &limits()).unwrap()
    }
}

/// Short limits, so that a test that hangs does not take long.
pub fn limits() -> Limits {
    Limits { time: std::time::Duration::from_secs(2), ..Limits::default() }
}

pub fn int(value: i128, width: u32) -> Datum {
    Datum::Bits(Bits::new(value as u128, width))
}

pub fn object(index: usize) -> Datum {
    Datum::Pointer(Target::Object { index, offset: 0 })
}

pub fn memory(name: &str, bytes: &[u8]) -> Memory {
    Memory { name: name.to_owned(), bytes: bytes.to_vec(), align: 1, ..Memory::default() }
}

pub fn input(args: &[Datum]) -> Input {
    Input { args: args.to_vec(), ..Input::default() }
}
