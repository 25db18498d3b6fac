//! The control flow of functions with what a change reaches, for the language of Graphviz.

use crate::escape::{Shown, shown};
use crate::impact::{Function, Impact, Mark, Touch};
use std::fmt::{self, Write};

/// The control flow of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Boxes, the entry first.
    pub boxes: Vec<Box>,
    /// Arrows between boxes.
    pub arrows: Vec<Arrow>,
}

/// Code that runs as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Box {
    /// Its lines of source, or instructions, each with its mark.
    pub lines: Vec<(String, Mark)>,
}

impl Box {
    /// The strongest mark of its lines.
    pub fn mark(&self) -> Mark {
        self.lines.iter().map(|(_, mark)| *mark).max().unwrap_or(Mark::None)
    }
}

/// A way from one box to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrow {
    /// Number of the box where it begins.
    pub from: usize,
    /// Number of the box where it ends.
    pub to: usize,
    /// When control goes that way; empty if always.
    pub when: String,
}

shown! {
    Graph { boxes, arrows }
    Box { lines }
    Arrow { from, to, when }
}

/// The colour of a mark.
pub(crate) fn fill(mark: Mark) -> &'static str {
    match mark {
        Mark::None => "#ffffff",
        Mark::Feeds => "#dff3f5",
        Mark::Impacted => "#fdeeb5",
        Mark::Changed => "#f8c4bd",
    }
}

/// The functions that a picture shows: what was asked for, or those that the change reaches inside.
pub(crate) fn shown(impact: &Impact) -> impl Iterator<Item = &Function> {
    let is_alone = impact.functions.len() == 1;
    let is_shown =
        move |function: &&Function| !function.lines.is_empty() && (is_alone || function.touch <= Touch::Impacted);
    impact.functions.iter().filter(is_shown)
}

/// The functions that the change reaches inside, as one graph for Graphviz.
pub fn dot(impact: &Impact) -> String {
    let impact = &impact.escaped();
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_dot(&mut out, impact);
    out
}

fn write_dot(out: &mut String, impact: &Impact) -> fmt::Result {
    writeln!(out, "digraph impact {{")?;
    writeln!(out, "  node [shape=box, style=filled, fontname=\"monospace\", fontsize=10];")?;
    writeln!(out, "  edge [fontname=\"monospace\", fontsize=9];")?;
    for (index, function) in shown(impact).enumerate() {
        writeln!(out, "  subgraph cluster_{index} {{")?;
        writeln!(out, "    label=\"{}\";", escape(&function.name))?;
        for (number, node) in function.graph.boxes.iter().enumerate() {
            let lines: Vec<String> = node.lines.iter().map(|(text, _)| format!("{}\\l", escape(text))).collect();
            let fill = fill(node.mark());
            writeln!(out, "    f{index}_{number} [label=\"{}\", fillcolor=\"{fill}\"];", lines.concat())?;
        }
        for arrow in &function.graph.arrows {
            let (from, to) = (arrow.from, arrow.to);
            writeln!(out, "    f{index}_{from} -> f{index}_{to} [label=\"{}\"];", escape(&arrow.when))?;
        }
        writeln!(out, "  }}")?;
    }
    writeln!(out, "}}")
}

fn escape(text: &str) -> String {
    let quoted = |c: char| match c {
        '"' | '\\' => vec!['\\', c],
        '\t' => vec![' '],
        // Graphviz replaces HTML entities inside of quotes.
        '&' => "&amp;".chars().collect(),
        other => vec![other],
    };
    text.chars().flat_map(quoted).collect()
}
