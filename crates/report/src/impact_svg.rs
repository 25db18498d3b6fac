//! The same as a picture that needs no other program: boxes in layers, arrows between them.
//!
//! A simple form of K. Sugiyama, S. Tagawa, M. Toda: "Methods for visual understanding of hierarchical system
//! structures", 1981: arrows that close a cycle are set aside, a box stands one layer below the last box that leads to
//! it, and inside of a layer boxes are ordered by the middle of those, in a few sweeps. Arrows that skip layers are drawn
//! beside the boxes.

use crate::escape::Shown;
use crate::impact::Impact;
use crate::impact_graph::{Box, Graph, fill, shown};
use std::fmt::{self, Write};

const CHAR: usize = 7;
const LINE: usize = 15;
const PADDING: usize = 8;
const GAP: usize = 34;
const MARGIN: usize = 24;
/// Characters of a line that are shown, and lines of a box.
const WIDEST: usize = 72;
const TALLEST: usize = 24;
const SWEEPS: usize = 4;

/// The functions that the change reaches inside, below each other.
pub fn svg(impact: &Impact) -> String {
    let impact = &impact.escaped();
    let mut body = String::new();
    let (mut top, mut width) = (MARGIN, 0);
    for function in shown(impact) {
        let layout = Layout::of(&function.graph);
        // Writing to a string cannot fail.
        let _ = draw(&mut body, &function.name, &function.graph, &layout, top);
        top += layout.height + 2 * MARGIN;
        width = width.max(layout.width);
    }
    let (width, height) = (width + 2 * MARGIN, top + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"11\">\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#555\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

/// Where each box is, without the function's own position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Left, top, width and height of each box.
    pub(crate) places: Vec<(usize, usize, usize, usize)>,
    width: usize,
    height: usize,
}

impl Layout {
    pub(crate) fn of(graph: &Graph) -> Layout {
        let count = graph.boxes.len();
        let forward = forward_arrows(graph);
        let layers = layers(count, &forward);
        let depth = layers.iter().max().map_or(0, |last| last + 1);
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth];
        layers.iter().enumerate().for_each(|(index, &layer)| rows[layer].push(index));
        order(&mut rows, &forward, count);
        let sizes: Vec<(usize, usize)> = graph.boxes.iter().map(size).collect();
        let widths: Vec<usize> =
            rows.iter().map(|row| row.iter().map(|&index| sizes[index].0 + GAP).sum::<usize>()).collect();
        let widest = widths.iter().max().copied().unwrap_or(0);
        let mut layout = Layout { places: vec![(0, 0, 0, 0); count], width: widest + GAP, height: 0 };
        let mut top = LINE + PADDING;
        for (row, width) in rows.iter().zip(widths) {
            let mut left = MARGIN + (widest - width) / 2;
            for &index in row {
                layout.places[index] = (left, top, sizes[index].0, sizes[index].1);
                left += sizes[index].0 + GAP;
            }
            top += row.iter().map(|&index| sizes[index].1).max().unwrap_or(0) + GAP;
        }
        layout.height = top;
        layout
    }
}

/// Arrows that close no cycle, as pairs of boxes.
fn forward_arrows(graph: &Graph) -> Vec<(usize, usize)> {
    let count = graph.boxes.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for arrow in graph.arrows.iter().filter(|arrow| arrow.from < count && arrow.to < count) {
        next[arrow.from].push(arrow.to);
    }
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; count];
    let mut forward = Vec::new();
    for root in 0..count {
        if states[root] != State::New {
            continue;
        }
        states[root] = State::Open;
        let mut stack = vec![(root, 0)];
        while let Some((at, done)) = stack.pop() {
            let Some(&to) = next[at].get(done) else {
                states[at] = State::Done;
                continue;
            };
            stack.push((at, done + 1));
            if states[to] != State::Open {
                forward.push((at, to));
            }
            if states[to] == State::New {
                states[to] = State::Open;
                stack.push((to, 0));
            }
        }
    }
    forward
}

/// The layer of each box: one below the last box that leads to it.
fn layers(count: usize, forward: &[(usize, usize)]) -> Vec<usize> {
    let mut incoming = vec![0; count];
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(from, to) in forward {
        incoming[to] += 1;
        next[from].push(to);
    }
    let mut layers = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|&index| incoming[index] == 0).collect();
    while let Some(at) = ready.pop() {
        for &to in &next[at] {
            layers[to] = layers[to].max(layers[at] + 1);
            incoming[to] -= 1;
            if incoming[to] == 0 {
                ready.push(to);
            }
        }
    }
    layers
}

/// Orders the boxes of each layer by the middle of those that lead to them.
fn order(rows: &mut [Vec<usize>], forward: &[(usize, usize)], count: usize) {
    let mut position = vec![0; count];
    let place = |rows: &[Vec<usize>], position: &mut Vec<usize>| {
        for row in rows {
            row.iter().enumerate().for_each(|(place, &index)| position[index] = place);
        }
    };
    place(rows, &mut position);
    for _ in 0..SWEEPS {
        for row in rows.iter_mut().skip(1) {
            let middle = |index: usize| {
                let above: Vec<usize> =
                    forward.iter().filter(|(_, to)| *to == index).map(|(from, _)| position[*from]).collect();
                let fallback = position[index] * 16;
                above
                    .iter()
                    .sum::<usize>()
                    .checked_mul(16)
                    .and_then(|sum| sum.checked_div(above.len()))
                    .unwrap_or(fallback)
            };
            let mut keyed: Vec<(usize, usize)> = row.iter().map(|&index| (middle(index), index)).collect();
            keyed.sort_unstable();
            *row = keyed.into_iter().map(|(_, index)| index).collect();
            row.iter().enumerate().for_each(|(place, &index)| position[index] = place);
        }
    }
}

fn size(node: &Box) -> (usize, usize) {
    let longest = node.lines.iter().map(|(text, _)| text.chars().count().min(WIDEST)).max().unwrap_or(0).max(4);
    let lines = node.lines.len().clamp(1, TALLEST + 1);
    (longest * CHAR + 2 * PADDING, lines * LINE + 2 * PADDING)
}

fn draw(out: &mut String, name: &str, graph: &Graph, layout: &Layout, top: usize) -> fmt::Result {
    writeln!(out, "<g transform=\"translate(0 {top})\">")?;
    writeln!(out, "<text x=\"{MARGIN}\" y=\"{LINE}\" font-weight=\"bold\" font-size=\"13\">{}</text>", escape(name))?;
    for arrow in &graph.arrows {
        let (Some(from), Some(to)) = (layout.places.get(arrow.from), layout.places.get(arrow.to)) else { continue };
        let (x1, y1) = (from.0 + from.2 / 2, from.1 + from.3);
        let (x2, y2) = (to.0 + to.2 / 2, to.1);
        let bend = GAP / 2;
        let path = if y2 > y1 {
            format!("M{x1} {y1} C{x1} {} {x2} {} {x2} {y2}", y1 + bend, y2.saturating_sub(bend))
        } else {
            // Backward: around the right side.
            let side = (from.0 + from.2).max(to.0 + to.2) + bend;
            format!("M{x1} {y1} C{side} {} {side} {} {x2} {y2}", y1 + GAP, y2.saturating_sub(GAP))
        };
        writeln!(out, "<path d=\"{path}\" fill=\"none\" stroke=\"#555\" marker-end=\"url(#tip)\"/>")?;
        if !arrow.when.is_empty() {
            // Near its beginning, on the side to which it goes.
            let x = if x2 < x1 { x1.saturating_sub(4 + arrow.when.chars().count() * 6) } else { x1 + 4 };
            writeln!(
                out,
                "<text x=\"{x}\" y=\"{}\" fill=\"#555\" font-size=\"9\">{}</text>",
                y1 + 11,
                escape(&arrow.when)
            )?;
        }
    }
    for (node, &(left, y, width, height)) in graph.boxes.iter().zip(&layout.places) {
        writeln!(
            out,
            "<rect x=\"{left}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"#ffffff\" stroke=\"#555\"/>"
        )?;
        for (index, (text, mark)) in node.lines.iter().enumerate() {
            let line = y + PADDING + index * LINE;
            if index == TALLEST {
                let more = node.lines.len() - TALLEST;
                writeln!(out, "<text x=\"{}\" y=\"{}\">and {more} more</text>", left + PADDING, line + 11)?;
                break;
            }
            writeln!(
                out,
                "<rect x=\"{}\" y=\"{line}\" width=\"{}\" height=\"{LINE}\" fill=\"{}\"/>",
                left + 2,
                width - 4,
                fill(*mark)
            )?;
            let text: String = text.chars().take(WIDEST).collect();
            writeln!(
                out,
                "<text x=\"{}\" y=\"{}\" xml:space=\"preserve\">{}</text>",
                left + PADDING,
                line + 11,
                escape(&text)
            )?;
        }
    }
    writeln!(out, "</g>")
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' => out.push(' '),
            // Neither belongs to XML.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact_graph::Arrow;

    fn graph(count: usize, arrows: &[(usize, usize)]) -> Graph {
        let node = |index: usize| Box { lines: vec![(format!("box {index}"), crate::impact::Mark::None)] };
        let arrow = |&(from, to): &(usize, usize)| Arrow { from, to, when: String::new() };
        Graph { boxes: (0..count).map(node).collect(), arrows: arrows.iter().map(arrow).collect() }
    }

    #[test]
    fn boxes_stand_below_what_leads_to_them_and_never_overlap() {
        let check = |count: usize, arrows: &[(usize, usize)], below: &[(usize, usize)]| {
            let layout = Layout::of(&graph(count, arrows));
            for &(upper, lower) in below {
                let (upper, lower) = (layout.places[upper], layout.places[lower]);
                assert!(upper.1 + upper.3 < lower.1, "{arrows:?}: {layout:?}");
            }
            for (index, a) in layout.places.iter().enumerate() {
                for b in &layout.places[index + 1..] {
                    let apart = a.0 + a.2 <= b.0 || b.0 + b.2 <= a.0 || a.1 + a.3 <= b.1 || b.1 + b.3 <= a.1;
                    assert!(apart, "{arrows:?}: {layout:?}");
                }
            }
        };
        check(0, &[], &[]);
        check(1, &[(0, 0)], &[]);
        check(4, &[(0, 1), (0, 2), (1, 3), (2, 3)], &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        // A loop: its end leads back up.
        check(4, &[(0, 1), (1, 2), (2, 1), (1, 3)], &[(0, 1), (1, 2), (1, 3)]);
        check(3, &[(0, 1), (1, 2), (0, 2), (2, 7)], &[(0, 1), (1, 2)]);
    }
}
