//! Bounds, order and limits of an exploration.

use crate::aim::Aim;
use crate::pursuit::Target;
use smt::solver::{Interrupt, Limits};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How to explore.
#[derive(Clone)]
pub struct Options {
    /// Which open state goes on next.
    pub order: Order,
    /// Most rounds of a loop that are the program's choice; `None` for no bound.
    pub unwind: Option<u32>,
    /// Most instructions on a path.
    pub max_steps: u64,
    /// Most paths.
    pub max_paths: u64,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set while the process uses more memory than it may.
    pub memory_full: Interrupt,
    /// Work of a solver on one question.
    pub limits: Limits,
    /// How many times that work is spent where it was not enough.
    pub harder: u32,
    /// Whether functions that two versions share are not entered.
    pub shares: bool,
    /// Number of threads.
    pub jobs: usize,
    /// What to aim at; everything is explored if there is nothing.
    pub aim: Option<Arc<Aim>>,
    /// Whether the papers' own search is used, which may lose affected behaviour; for one thread, depth first.
    pub literal: bool,
    /// What a directed exploration is to cover: paths that add nothing are left out; for one thread.
    pub target: Option<Target>,
    /// Whether a directed exploration skips what is not affected; `None` to find out whether that pays.
    pub skips: Option<bool>,
    /// Whether paths record the blocks that they enter; directed ones do so as long as they need it themselves.
    pub record_visits: bool,
    /// Whether directed paths remember which of their constraints come from affected instructions.
    pub origins: bool,
    /// After how much work guided exploration stops.
    pub gives_way: GivesWay,
    /// Raised by the user to stop early.
    pub interrupt: Arc<AtomicBool>,
    /// How far it is, for whoever watches.
    pub progress: Arc<Progress>,
}

/// After how much work guided exploration stops ([`crate::estimate`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivesWay {
    /// It does not.
    Never,
    /// When it is more than a small share of what full exploration would be.
    ToFull,
    /// After so much.
    After(u64),
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: Order::DepthFirst,
            unwind: Some(16),
            max_steps: 10_000_000,
            max_paths: u64::MAX,
            deadline: None,
            memory_full: Interrupt::default(),
            limits: Limits::default(),
            harder: 1,
            shares: false,
            jobs: 1,
            aim: None,
            literal: false,
            target: None,
            skips: None,
            record_visits: false,
            origins: false,
            gives_way: GivesWay::Never,
            interrupt: Arc::default(),
            progress: Arc::default(),
        }
    }
}

impl Options {
    /// Why to stop now, if there is a reason other than the number of paths.
    pub fn stop(&self) -> Option<crate::Stopped> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Some(crate::Stopped::Interrupted);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(crate::Stopped::Time);
        }
        self.memory_full.is_set().then_some(crate::Stopped::Memory)
    }
}

/// Which open state goes on next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The latest one.
    DepthFirst,
    /// The oldest one.
    BreadthFirst,
    /// Any, by a seed.
    Random(u64),
    /// One at code that no path has executed.
    Coverage,
}

/// How far an exploration is.
#[derive(Debug, Default)]
pub struct Progress {
    /// Paths that ended.
    pub paths: AtomicU64,
    /// Open states.
    pub open: AtomicU64,
}
