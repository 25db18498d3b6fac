//! Path exploration based on symbolic output: one path for each way in which the outputs are computed.
//!
//! D. Qi, H. Nguyen, A. Roychoudhury: "Path Exploration based on Symbolic Output", ESEC/FSE 2011, Algorithm 1. What is
//! searched for is one slice a run, that of the outputs; two inputs with the same relevant-slice condition compute the
//! outputs by the same expressions.
//!
//! *Outputs* are what a caller can observe: the returned value, memory that outlives the run, what was done outside, and
//! how the run ended; so turns that passed by an end belong to the slice too, and so does what could have been a fault
//! even where it was known not to be: the same instruction may be one where other turns are taken. One output can be named
//! instead; then only what it depends on counts, and of ends those alone that were reached. The result depends on all ends:
//! it is there only if none of them was.

use crate::concolic::Run;
use crate::dependence::Trace;
use crate::sets::{SetId, Sets};
use crate::statics::Ways;
use exec::memory::Kind;
use exec::program::Program;
use exec::record::EventKind;
use exec::state::State;

/// Which outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Criterion {
    /// All that can be observed.
    #[default]
    All,
    /// The returned value.
    Result,
    /// A global variable.
    Global(String),
    /// A part of memory, as users write it: of a global variable, or behind a pointer that the function is given. All of the
    /// variable, or of such memory, counts, which may tell more classes apart than there are.
    Part {
        /// The global variable, if it is one.
        variable: Option<String>,
        /// `st.drop`, `p->x`, `*p`.
        name: String,
    },
    /// What is written to standard output and done outside.
    Outside,
    /// What is computed at a line.
    Line(u32),
}

impl Criterion {
    /// Whether all ends of a run are outputs: who ends early does not return.
    pub fn has_ends(&self) -> bool {
        matches!(self, Criterion::All | Criterion::Result)
    }
}

/// The slice of the outputs of a run.
pub fn criterion(program: &Program, criterion: &Criterion, run: &Run, trace: &mut Trace) -> SetId {
    let mut slice = Sets::EMPTY;
    let mut all = events(program, criterion, run, trace);
    if criterion.has_ends() {
        all.extend(might(trace, &|ways| ways.ends));
        all.extend(&trace.risks);
    }
    for event in all {
        slice = trace.sets.union(slice, trace.slices[event as usize]);
    }
    if criterion.has_ends() {
        for turn in 0..trace.turns.len() {
            if trace.turns[turn].passes_end {
                let own = trace.slices[trace.turns[turn].event as usize];
                slice = trace.sets.union(slice, own);
            }
        }
    }
    slice
}

/// The events that the outputs consist of.
pub fn events(program: &Program, criterion: &Criterion, run: &Run, trace: &Trace) -> Vec<u32> {
    let end = run.log.events.len().checked_sub(1).map(|end| end as u32);
    let mut events: Vec<u32> = Vec::new();
    let memory = |wanted: &dyn Fn(exec::value::ObjectId) -> bool| {
        let all = run.log.memory();
        all.into_iter().filter(|(object, _)| wanted(*object)).flat_map(|(_, writers)| writers).collect::<Vec<u32>>()
    };
    match criterion {
        Criterion::All => {
            events.extend(end);
            events.extend(memory(&|object| is_visible(&run.state, object)));
            events.extend(run.log.effects.iter().map(|(event, _)| *event));
            events.extend(trace.visible.iter().map(|branch| branch.event));
            events.extend(&trace.aims);
            events.extend(&trace.risks);
        }
        Criterion::Result => events.extend(end),
        Criterion::Part { variable: None, .. } => {
            events.extend(memory(&|object| matches!(run.state.memory.get_or_nothing(object).kind, Kind::Input(_))));
            events.extend(might(trace, &|ways| ways.visible));
            events.extend(&trace.aims);
            events.extend(end.filter(|_| !matches!(run.end, exec::state::End::Returned(_))));
        }
        Criterion::Global(name) | Criterion::Part { variable: Some(name), .. } => {
            let named = |symbol| program.module.symbol_name(symbol) == name;
            events.extend(memory(&|object| program.object_symbol(object).is_some_and(named)));
            events.extend(might(trace, &|ways| ways.globals.iter().any(|&symbol| named(symbol))));
            events.extend(&trace.aims);
            // A run that ended early has not come to write it.
            events.extend(end.filter(|_| !matches!(run.end, exec::state::End::Returned(_))));
        }
        Criterion::Outside => {
            events.extend(run.log.effects.iter().map(|(event, _)| *event));
            events.extend(might(trace, &|ways| ways.world));
        }
        Criterion::Line(line) => {
            let at_line = |event: &u32| {
                let happened = &run.log.events[*event as usize];
                let code = program.code(happened.function);
                let at = code.insts.get(happened.at as usize).and_then(|inst| inst.loc);
                matches!(happened.kind, EventKind::Step | EventKind::Decision | EventKind::End)
                    && at.is_some_and(|at| program.module.debug.locations[at].line == *line)
            };
            events.extend((0..run.log.events.len() as u32).filter(at_line));
        }
    }
    events
}

/// Branches whose ways might have done something.
pub fn might(trace: &Trace, what: &dyn Fn(&Ways) -> bool) -> Vec<u32> {
    let branches = trace.visible.iter().filter(|branch| branch.ways().is_some_and(what));
    branches.map(|branch| branch.event).collect()
}

/// Whether memory is seen by the caller after the run.
fn is_visible(state: &State, object: exec::value::ObjectId) -> bool {
    matches!(state.memory.get_or_nothing(object).kind, Kind::Global { .. } | Kind::Input(_) | Kind::Heap)
}
