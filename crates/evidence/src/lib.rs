//! What a verdict rests on, as types: assumptions, gaps, kinds of differences, and the evidence made of them.
//!
//! Every assumption, gap and kind of difference is one row of one table ([`assumption`], [`gap`], [`difference`]): its stable
//! code, the line that results show, and the explanation behind it. Texts, JSON, `pathshift explain-code` and
//! `docs/codes.md` are made from the tables, so a new row is added in one place. [`verdict::judge`] is the only writer of a
//! verdict: a pure function of [`Evidence`].
//!
//! Invariant: decisions are made on these types, never on their texts.

pub mod assumption;
pub mod difference;
pub mod gap;
pub mod limit;
mod table;
pub mod verdict;

pub use assumption::Assumption;
pub use difference::{Difference, Domain};
pub use gap::Gap;
pub use limit::Limit;
pub use table::{Row, all_rows, find, like, page};
pub use verdict::{Assumed, Basis, Evidence, Grade, Judgement, Open, Place, Verdict, judge};
