//! Output that goes past the buffer of a stream.
//!
//! `printf` keeps what it writes in a buffer, `write` does not, so what reaches a file first depends on how it was written, on
//! what callers wrote before, and on what `fflush` was asked for in between.

use super::{Aspect, Comparer};
use crate::models::library::Passing;
use crate::state::{Effect, End, State};
use evidence::Assumption;

/// What happens to the output of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// So many bytes are kept in a buffer.
    Kept(usize),
    /// So many bytes are written at once.
    AtOnce(usize),
    /// What was kept is written.
    Flushed,
}

impl Comparer<'_, '_> {
    /// Whether output is written in the same way.
    pub(super) fn buffers(&mut self, old_end: &End, new_end: &End) {
        if self.old.library.passing.is_empty() && self.new.library.passing.is_empty() {
            return;
        }
        let mut streams = [written_to(&self.old), written_to(&self.new)].concat();
        streams.sort_unstable();
        streams.dedup();
        for stream in streams {
            let (before, after) = (steps(&self.old, stream), steps(&self.new, stream));
            if before == after {
                continue;
            }
            self.aspect = Aspect::Output(stream);
            let at_once = |step: &Step| matches!(step, Step::AtOnce(_));
            if before.iter().chain(&after).any(at_once) {
                self.unknown("what is written past the buffer of a stream");
            } else if may_lose(&self.old, old_end) || may_lose(&self.new, new_end) {
                self.unknown("output that is lost in the buffer of a stream");
            } else {
                self.result.left_out.insert(Assumption::Flushing);
            }
        }
    }
}

/// Streams with a buffer that were written to.
fn written_to(state: &State) -> Vec<u32> {
    let stream = |effect: &Effect| match effect {
        Effect::Output { stream, .. } | Effect::Opaque { stream, .. } => Some(*stream),
        Effect::Call { .. } => None,
    };
    let has_buffer = |stream: &u32| *stream != STANDARD_ERROR && *stream != Effect::NOWHERE;
    let flushed = state.library.passing.iter().filter_map(|(_, passing)| match passing {
        Passing::Flush(stream) => Some(*stream),
        Passing::AtOnce => None,
    });
    state.effects.to_vec().into_iter().filter_map(stream).chain(flushed).filter(has_buffer).collect()
}

const STANDARD_ERROR: u32 = 2;

fn steps(state: &State, wanted: u32) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut add = |step: Step| match (steps.last_mut(), step) {
        (Some(Step::Kept(all)), Step::Kept(more)) | (Some(Step::AtOnce(all)), Step::AtOnce(more)) => *all += more,
        (Some(Step::Flushed), Step::Flushed) => {}
        _ => steps.push(step),
    };
    let mut passing = state.library.passing.iter().peekable();
    for (index, effect) in state.effects.to_vec().into_iter().enumerate() {
        let mut at_once = false;
        while let Some((_, one)) = passing.next_if(|(at, _)| *at <= index) {
            match one {
                Passing::Flush(stream) if *stream == wanted => add(Step::Flushed),
                Passing::Flush(_) => {}
                Passing::AtOnce => at_once = true,
            }
        }
        let length = match effect {
            Effect::Output { stream, bytes } if *stream == wanted => bytes.len(),
            Effect::Opaque { stream, .. } if *stream == wanted => 1,
            _ => continue,
        };
        add(if at_once { Step::AtOnce(length) } else { Step::Kept(length) });
    }
    if passing.any(|(_, one)| *one == Passing::Flush(wanted)) {
        add(Step::Flushed);
    }
    steps
}

/// Whether a program that ends so leaves its buffers as they are.
fn may_lose(state: &State, end: &End) -> bool {
    let at_once =
        |effect: &Effect| matches!(effect, Effect::Opaque { stream: Effect::NOWHERE, what, .. } if &**what == "_exit");
    match end {
        End::Returned(_) => false,
        End::Exited(_) => state.effects.to_vec().into_iter().any(at_once),
        _ => true,
    }
}
