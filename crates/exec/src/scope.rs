//! What a result holds for, piece by piece: bounds that were chosen, and assumptions about what programs are given.

use crate::inputs::NO_ALIASES;
use std::fmt;

/// A piece of what a result holds for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// Bound: no more elements than that.
    Elements {
        /// What has them.
        of: String,
        /// How many.
        most: u64,
    },
    /// Bound: no more characters than that.
    Characters {
        /// The string.
        of: String,
        /// How many.
        most: u64,
    },
    /// Bound: text of one byte a character.
    Ascii {
        /// The text.
        of: String,
    },
    /// Bound: so many pointers that lead from one object to the next.
    Depth(u32),
    /// Bound: how much room a container has, which is no part of its value.
    Room(String),
    /// Bound: a pointer leads to something known.
    Alias {
        /// The pointer.
        pointer: String,
        /// What it leads to.
        to: String,
    },
    /// Bound: memory beyond it was wanted.
    Beyond(String),
    /// Assumption: no two pointers lead to the same.
    OwnObjects,
    /// Assumption: one version uses more bytes than the other one.
    AtLeast {
        /// What has them.
        of: String,
        /// How many.
        bytes: u64,
    },
    /// Assumption: a record of both versions is the same, field by field.
    Fields {
        /// The record.
        of: String,
    },
    /// Assumption: numbers that fit in both versions.
    Numbers {
        /// What has them.
        of: String,
    },
    /// Assumption: a function outside of the program answers both versions in the same way.
    Answers {
        /// The function.
        function: String,
        /// Whether it may change all that it knows of.
        changes: bool,
    },
    /// Assumption: exceptions are not caught by callers.
    Uncaught,
    /// Assumption: panics are not caught by callers.
    Panics,
    /// Assumption: there is memory.
    Allocations,
    /// Assumption: where objects lie.
    Aligned,
    /// Assumption: something is no part of what is compared.
    LeftOut(&'static str),
}

/// What is assumed of functions of which only a declaration is known.
pub const USES_NOTHING: &str = "uses no variables of the program";

/// The same where they may change all that they know of.
pub const CALLS_NOTHING: &str = "calls nothing of the program";

/// What is taken for granted of addresses.
pub const ALIGNED: &str = "objects lie at multiples of 16 bytes";

/// What is taken for granted of allocations.
pub const ALLOCATIONS: &str = "allocations do not fail";

/// What is taken for granted of panics.
pub const PANICS: &str = "a panic ends the program at once";

impl Scope {
    /// Whether it is a bound that was chosen: nothing was said of what lies beyond it.
    pub fn is_bound(&self) -> bool {
        match self {
            Scope::Elements { .. }
            | Scope::Characters { .. }
            | Scope::Ascii { .. }
            | Scope::Depth(_)
            | Scope::Room(_)
            | Scope::Alias { .. }
            | Scope::Beyond(_) => true,
            Scope::OwnObjects
            | Scope::AtLeast { .. }
            | Scope::Fields { .. }
            | Scope::Numbers { .. }
            | Scope::Answers { .. }
            | Scope::Uncaught
            | Scope::Panics
            | Scope::Allocations
            | Scope::Aligned
            | Scope::LeftOut(_) => false,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Scope::Elements { of, most } => write!(f, "{of}: up to {most} elements"),
            Scope::Characters { of, most } => write!(f, "{of}: strings up to {most} characters"),
            Scope::Ascii { of } => write!(f, "{of}: text of ASCII characters"),
            Scope::Depth(depth) => write!(f, "at most {depth} pointers in a row, the next is null"),
            Scope::Room(what) | Scope::Beyond(what) => f.write_str(what),
            Scope::Alias { pointer, to } => write!(f, "{pointer} is {to}"),
            Scope::OwnObjects => f.write_str(NO_ALIASES),
            Scope::AtLeast { of, bytes } => write!(f, "{of}: at least {bytes} bytes"),
            Scope::Fields { of } => write!(f, "{of}: what both versions have, field by field"),
            Scope::Numbers { of } => write!(f, "{of}: numbers that both versions can hold"),
            Scope::Answers { function, changes } => {
                let rest = if *changes { CALLS_NOTHING } else { USES_NOTHING };
                write!(
                    f,
                    "{function} returns the same whenever it is called with the same arguments, in order, and {rest}"
                )
            }
            Scope::Uncaught => f.write_str("nobody catches what it throws"),
            Scope::Panics => f.write_str(PANICS),
            Scope::Allocations => f.write_str(ALLOCATIONS),
            Scope::Aligned => f.write_str(ALIGNED),
            Scope::LeftOut(what) => f.write_str(what),
        }
    }
}
