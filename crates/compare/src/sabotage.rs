//! Failures on demand, for tests of what becomes of the rest.

use std::time::Duration;

/// How a part of the work is made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sabotage {
    /// The process aborts.
    Abort,
    /// The stack overflows.
    Overflow,
    /// Memory is allocated without end.
    Allocate,
    /// It does not end, and asks nobody whether it may go on.
    Hang,
}

/// Fails in the way that was asked for.
pub(crate) fn fail(how: Sabotage) {
    match how {
        Sabotage::Abort => std::process::abort(),
        Sabotage::Overflow => {
            std::hint::black_box(descend(1));
        }
        Sabotage::Allocate => {
            let mut all: Vec<Vec<u8>> = Vec::new();
            loop {
                all.push(std::hint::black_box(vec![1; 16 << 20]));
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        Sabotage::Hang => loop {
            std::thread::sleep(Duration::from_secs(1));
        },
    }
}

#[allow(unconditional_recursion, reason = "a stack that overflows is what is wanted")]
fn descend(depth: u64) -> u64 {
    let frame = std::hint::black_box([depth; 64]);
    descend(depth + 1) + frame[(depth % 64) as usize]
}
