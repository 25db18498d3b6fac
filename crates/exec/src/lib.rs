//! One interpreter of the program model: exact, symbolic, and silent about what it is used for.

pub mod case;
