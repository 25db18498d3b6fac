//! Uses of memory through pointers that were made to lead [into an array](crate::code::Window) of a record that lies differently
//! in the other version: they must not leave it.

use crate::case::FaultKind;
use crate::code::{Code, Window};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{ObjectId, Pointer, Value};
use smt::expr::Expr;

/// Memory that a pointer may be used for.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// In which object.
    pub object: ObjectId,
    /// Where it begins.
    pub start: Expr,
    /// Its bytes.
    pub bytes: u64,
}

impl Run<'_, '_> {
    /// Finds where pointers of an instruction may lead.
    pub(crate) fn open_windows(&mut self, code: &Code, at: u32) {
        for (position, window) in code.windows.get(&at).into_iter().flatten() {
            let region = match window {
                Window::Argument(index) => {
                    self.state.top().and_then(|frame| frame.windows.get(*index as usize).copied().flatten())
                }
                Window::Array { base, start, bytes } => match self.operand(base) {
                    Ok(Value::Ptr(base)) if base.object != ObjectId::NONE => {
                        let start = self.offset(base, *start as u64).offset;
                        Some(Region { object: base.object, start, bytes: *bytes })
                    }
                    _ => None,
                },
            };
            self.worker.windows.extend(region.map(|region| (*position, region)));
        }
    }

    /// Leaves those that hold for all that a library function is given.
    pub(crate) fn narrow_windows(&mut self, args: &[Value]) {
        let open = |position: usize, arg: &Value| match arg {
            Value::Ptr(pointer) if !self.worker.windows.iter().any(|(known, _)| *known == position) => {
                Some(pointer.object)
            }
            _ => None,
        };
        let elsewhere: Vec<ObjectId> = args.iter().enumerate().filter_map(|(at, arg)| open(at, arg)).collect();
        self.worker.windows.retain(|(_, region)| !elsewhere.contains(&region.object));
    }

    /// The windows of a function's parameters.
    pub(crate) fn windows_of(&self, params: usize) -> Vec<Option<Region>> {
        if self.worker.windows.is_empty() {
            return Vec::new();
        }
        let of =
            |index: usize| self.worker.windows.iter().find(|(known, _)| *known == index).map(|(_, region)| *region);
        (0..params).map(of).collect()
    }

    /// Checks that a use of memory stays in the array that it was made for.
    pub(crate) fn check_windows(&mut self, ptr: Pointer, size: u64) -> Result<(), Stop> {
        let pool = &mut self.worker.pool;
        let (mut inside, mut any) = (Expr::bool(false), false);
        for (_, region) in self.worker.windows.iter().filter(|(_, region)| region.object == ptr.object) {
            any = true;
            if let Some(last) = region.bytes.checked_sub(size) {
                let distance = pool.sub(ptr.offset, region.start);
                let fits = pool.ule(distance, Expr::constant(last, 64));
                inside = pool.or(inside, fits);
            }
        }
        if any && !self.decide(inside)? {
            let name = self.describe(ptr.object);
            return Err(self.fault(FaultKind::OutOfBounds, &format!("an array of {name}")));
        }
        Ok(())
    }
}
