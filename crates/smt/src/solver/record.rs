//! Questions as SMT-LIB 2 files, for other solvers and for those who look into ours.
//!
//! A file holds one question in a form of its own (see [`canonical`](crate::pool)), and is named by what it
//! says: the same question has the same file, whoever asks it and how often.

use crate::expr::Expr;
use crate::pool::Pool;
use crate::pool::canonical::Copy;
use crate::smtlib::script;
use crate::solver::{Answer, Limits, Solver};
use rustc_hash::FxHasher;
use std::hash::Hasher;
use std::io;
use std::path::{Path, PathBuf};

/// Writes questions into a directory.
#[derive(Debug)]
pub struct Record {
    directory: PathBuf,
    /// How many questions were written.
    pub written: u64,
    /// Why nothing is written any more. Recording never keeps a question from being answered.
    pub failure: Option<io::Error>,
}

impl Record {
    /// Makes the directory if it is not there.
    pub fn new(directory: &Path) -> io::Result<Record> {
        std::fs::create_dir_all(directory)?;
        Ok(Record { directory: directory.to_path_buf(), written: 0, failure: None })
    }

    /// Writes whether `constraints` can hold together, and the answer if it is known.
    pub fn write(&mut self, pool: &Pool, constraints: &[Expr], satisfiable: Option<bool>) {
        if self.failure.is_some() {
            return;
        }
        let copy = Copy::of(pool, constraints);
        let script = script(&copy.pool, &copy.constraints);
        let mut hasher = FxHasher::default();
        hasher.write(script.text.as_bytes());
        let status = match satisfiable {
            Some(true) => "sat",
            Some(false) => "unsat",
            None => "unknown",
        };
        let text = format!("(set-logic ALL)\n(set-info :status {status})\n{}(check-sat)\n(exit)\n", script.text);
        let file = self.directory.join(format!("{:016x}.smt2", hasher.finish()));
        match std::fs::write(file, text) {
            Ok(()) => self.written += 1,
            Err(error) => self.failure = Some(error),
        }
    }
}

/// A solver whose questions are recorded.
pub struct Recorder<S> {
    /// Answers the questions.
    pub solver: S,
    /// Where they are written.
    pub record: Record,
}

impl<S: Solver> Solver for Recorder<S> {
    fn check(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Answer {
        let answer = self.solver.check(pool, constraints, limits);
        let satisfiable = match &answer {
            Answer::Sat(_) => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        };
        self.record.write(pool, constraints, satisfiable);
        answer
    }

    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn fresh(&self) -> Option<Box<dyn Solver>> {
        self.solver.fresh()
    }
}
