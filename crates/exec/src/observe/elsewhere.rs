//! What calls to functions outside of the program do to memory that they are not given, for native runs.

use super::Observer;
use crate::case::{Elsewhere, Input, Place, Target};
use crate::inputs::InputId;
use crate::outside::{Known, Since};
use crate::state::Effect;
use crate::value::{Pointer, Value};
use std::collections::BTreeSet;

/// Most bytes of an object that a call looks at.
const MAX_LOOK: u64 = 256;

impl Observer<'_, '_> {
    /// What calls did to memory that they were not given: what runs looked at afterwards was written, and what runs wrote was
    /// looked at.
    pub(super) fn elsewhere(&mut self, input: &mut Input) {
        if !self.worker.bounds.outside_writes {
            return;
        }
        let touched: BTreeSet<InputId> = self.touched.iter().map(|(id, _)| *id).collect();
        let worker = self.worker;
        let mut written: Vec<Known> = Vec::new();
        for (&source, &Since { call, known }) in &worker.inputs.since {
            if !written.contains(&known) {
                written.push(known);
            }
            if !touched.contains(&source) {
                continue;
            }
            let (call, memory) = (call as usize, self.initial_memory(source));
            if let Some(place) = self.place_of(known).filter(|_| call < input.results.len()) {
                input.elsewhere.push(Elsewhere { call, place, change: Ok(memory) });
            }
        }
        for known in written.into_iter().filter(|known| !matches!(known, Known::Argument(..))) {
            let size = match known {
                Known::Input(id) => worker.inputs.object(id).size.as_const(),
                Known::Variable(symbol) => Some(worker.program.place(symbol).size),
                Known::Argument(..) => None,
            };
            let (Some(size), Some(place)) = (size, self.place_of(known)) else { continue };
            for call in 0..input.results.len() {
                let change = Err(size.min(MAX_LOOK));
                input.elsewhere.push(Elsewhere { call, place: place.clone(), change });
            }
        }
        // A call looks at memory before it writes.
        input.elsewhere.sort_by_key(|one| (one.call, one.change.is_ok()));
    }

    fn place_of(&mut self, known: Known) -> Option<Place> {
        match known {
            Known::Variable(symbol) => {
                let name = self.worker.program.module.symbol_label(symbol).to_owned();
                Some(Place::Target(Target::Symbol { name, offset: 0 }))
            }
            Known::Input(id) => {
                let &(_, object) =
                    self.state.inputs.iter().find(|(known, _)| self.worker.inputs.canonical(*known) == id)?;
                match self.target(Pointer::to(object))? {
                    target @ Target::Object { .. } => Some(Place::Target(target)),
                    _ => None,
                }
            }
            Known::Argument(call, argument) => {
                let effects = self.state.effects.to_vec();
                let mut calls = effects.into_iter().filter_map(|effect| match effect {
                    Effect::Call { args, .. } => Some(args),
                    _ => None,
                });
                let Value::Ptr(pointer) = calls.nth(call as usize)?.get(argument as usize)? else { return None };
                let distance = -(pointer.offset.as_const()? as i64);
                Some(Place::Argument { call: call as usize, argument, distance })
            }
        }
    }
}
