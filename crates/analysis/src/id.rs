//! Typed ids of this crate's own things, beside those of the program model.

use ir::id::Id;
use std::fmt;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            fn from_index(index: usize) -> Self {
                // A module's text is bounded far below this, so saturation is never observed.
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A node of a control-flow graph.
    NodeId = "node";
    /// A loop of a function.
    LoopId = "loop";
    /// An abstract object: a piece of memory that the analyses tell apart from others.
    ObjectId = "object";
    /// A location: a part of an abstract object.
    LocationId = "location";
}

impl ObjectId {
    pub(crate) const fn new(index: u32) -> ObjectId {
        ObjectId(index)
    }
}
