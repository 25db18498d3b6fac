//! Reading a `va_list` without changing it: models ask before they change anything, and a list that was read is
//! indeterminate afterwards.

use crate::run::Run;
use crate::state::Stop;
use crate::value::{Pointer, Shape, Value};
use smt::expr::Expr;

/// Bytes of the save area that hold integers, and those that hold anything: six registers, then eight of twice the size.
pub(crate) const INTEGERS: u64 = 48;
pub(crate) const ALL: u64 = 176;

/// A walk along a `va_list` of the System V convention on x86-64.
pub(crate) struct Walk {
    integer: u64,
    float: u64,
    overflow: Pointer,
    saved: Pointer,
}

impl Walk {
    /// Begins where the list stands.
    pub fn new(run: &mut Run, list: Pointer) -> Result<Walk, Stop> {
        let word = Shape::Int { bits: 32, bytes: 4 };
        let mut numbers = [ALL; 2];
        for (index, number) in numbers.iter_mut().enumerate() {
            let at = run.offset(list, index as u64 * 4);
            let value = run.load(at, &word)?;
            let bits = run.bits(&value, 32)?;
            let Some(known) = bits.as_const() else { return Err(run.unsupported("a va_list that is not known")) };
            *number = known;
        }
        let mut pointers = [Pointer::NULL; 2];
        for (index, pointer) in pointers.iter_mut().enumerate() {
            let at = run.offset(list, 8 + index as u64 * 8);
            let value = run.load(at, &Shape::Ptr)?;
            *pointer = run.pointer(&value)?;
        }
        Ok(Walk { integer: numbers[0], float: numbers[1], overflow: pointers[0], saved: pointers[1] })
    }

    /// The next argument.
    pub fn next(&mut self, run: &mut Run, shape: &Shape) -> Result<Value, Stop> {
        let size = shape.size();
        let is_float = matches!(shape, Shape::Float { .. });
        if is_float && size <= 8 && self.float + 16 <= ALL {
            let at = run.offset(self.saved, self.float);
            self.float += 16;
            return run.load(at, shape);
        }
        if !is_float && self.integer + 8 <= INTEGERS {
            let at = run.offset(self.saved, self.integer);
            self.integer += 8;
            return run.load(at, shape);
        }
        if size > 8 {
            let up = run.offset(self.overflow, 15);
            self.overflow.offset = run.pool().and(up.offset, Expr::constant(!15, 64));
        }
        let value = run.load(self.overflow, shape)?;
        self.overflow = run.offset(self.overflow, size.next_multiple_of(8));
        Ok(value)
    }

    /// Lets the list stand where the walk does.
    pub fn store(&self, run: &mut Run, list: Pointer) -> Result<(), Stop> {
        let word = Shape::Int { bits: 32, bytes: 4 };
        run.store(list, &Value::int(self.integer, 32), &word)?;
        let at = run.offset(list, 4);
        run.store(at, &Value::int(self.float, 32), &word)?;
        let at = run.offset(list, 8);
        run.store(at, &Value::Ptr(self.overflow), &Shape::Ptr)?;
        let at = run.offset(list, 16);
        run.store(at, &Value::Ptr(self.saved), &Shape::Ptr)
    }
}

/// How many registers values take: those for integers, and those for floats. What takes none lies in memory.
#[derive(Clone, Copy, Default)]
pub(crate) struct Registers {
    integers: u64,
    floats: u64,
}

impl Registers {
    /// The place in the save area that the next value has; nothing if it lies in memory.
    pub fn take(&mut self, shape: &Shape) -> Option<u64> {
        let (used, first, size, end) = match shape {
            Shape::Int { bits: ..=64, .. } | Shape::Ptr => (&mut self.integers, 0, 8, INTEGERS),
            Shape::Float { bits: ..=64, .. } => (&mut self.floats, INTEGERS, 16, ALL),
            // A vector.
            Shape::Many { size: ..=16, .. } => (&mut self.floats, INTEGERS, 16, ALL),
            _ => return None,
        };
        let place = first + *used * size;
        (place < end).then(|| {
            *used += 1;
            place
        })
    }

    /// A walk that begins behind these.
    pub fn walk(self, overflow: Pointer, saved: Pointer) -> Walk {
        Walk { integer: self.integers * 8, float: INTEGERS + self.floats * 16, overflow, saved }
    }
}
