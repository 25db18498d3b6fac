//! How far accesses of unknown length may go.

use crate::case::FaultKind;
use crate::run::Run;
use crate::state::{ChoiceKind, Stop};
use crate::value::Pointer;
use smt::expr::Expr;

/// Longest access whose length is asked for.
const MOST: u64 = 4096;

impl Run<'_, '_> {
    /// The length of an access to all of `ranges`, which are written where the flag says so: asked for among those that
    /// their objects leave room for; a longer one is a fault.
    pub fn length(&mut self, size: Expr, ranges: &[(Pointer, bool)], what: &str) -> Result<u64, Stop> {
        if let Some(known) = size.as_const() {
            return Ok(known);
        }
        let width = self.worker.pool.width(size);
        let size = if width <= 64 { self.worker.pool.zext(size, 64) } else { self.worker.pool.extract(size, 0, 64) };
        let none = self.worker.pool.eq(size, Expr::constant(0, 64));
        if self.decide(none)? {
            return Ok(0);
        }
        let mut room = MOST.min(self.worker.program.options.max_bytes);
        let mut narrowest = None;
        for &(ptr, write) in ranges {
            let (object, offset) = self.access(ptr, 1, write)?;
            let total = self.object(object).size;
            if let (Some(total), Some(offset)) = (total.as_const(), offset.as_const())
                && total.saturating_sub(offset) < room
            {
                room = total.saturating_sub(offset);
                narrowest = Some((ptr, write));
            }
        }
        let fits = self.worker.pool.ule(size, Expr::constant(room, 64));
        let kind = if narrowest.is_some() { ChoiceKind::Check(FaultKind::OutOfBounds) } else { ChoiceKind::Value };
        if !self.decide_as(fits, kind)? {
            if let Some((ptr, write)) = narrowest {
                self.access(ptr, room + 1, write)?;
            }
            return Err(self.bound(what));
        }
        self.number(size, room, what)
    }
}
