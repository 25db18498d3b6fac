//! Result types as plain data, and how they are written. One file a result, one a way of writing it.
//!
//! The crate computes nothing and knows no sibling: whoever has a result fills these types, whoever
//! has a terminal or a file writes them.

pub mod diff;
pub mod doctor;
pub mod escape;
pub mod explain;
pub mod explore;
pub mod impact;
pub mod impact_graph;
pub mod impact_svg;
pub mod impacted;
pub mod in_order;
pub mod ledger;
mod markdown;
pub mod model;
pub mod model_text;
pub mod replay;
pub mod scope;
pub mod signature;

/// A result as JSON, indented, with a line feed at the end.
pub fn json<T: serde::Serialize>(result: &T) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(result)?;
    text.push('\n');
    Ok(text)
}

/// The same, written as it is made.
pub fn write_json<T: serde::Serialize>(result: &T, mut out: &mut dyn std::io::Write) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut out, result)?;
    out.write_all(b"\n")
}
