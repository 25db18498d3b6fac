//! The values of a test for the symbols of its input.

use super::Test;
use exec::entry::{Bytes, Shell};
use exec::inputs::{LeafValue, Origin, plain_name};
use exec::run::Worker;
use rustc_hash::FxHashSet;
use smt::bits::Bits;
use smt::eval::Model;
use smt::expr::{Expr, Op, SymbolId};
use std::rc::Rc;

/// The same bytes as unknown ones.
pub(super) fn unknown(shell: &Shell) -> Shell {
    let bytes = |bytes: &Bytes| match bytes {
        Bytes::Known(known) if !known.is_empty() => Bytes::Unknown(known.len() as u64),
        other => other.clone(),
    };
    Shell {
        argv: shell.argv.iter().enumerate().map(|(at, arg)| if at == 0 { arg.clone() } else { bytes(arg) }).collect(),
        stdin: bytes(&shell.stdin),
        files: shell.files.iter().map(|(name, contents)| (name.clone(), bytes(contents))).collect(),
        or_less: false,
    }
}

/// Gives values to the symbols of the test; symbols come up while the program runs.
pub(super) fn learn(worker: &mut Worker, test: &Test, values: &mut Rc<Model>, named: &mut FxHashSet<String>) {
    let set = |values: &mut Rc<Model>, symbol: SymbolId, width: u32, value: u128| {
        let mask = if width >= 128 { u128::MAX } else { (1u128 << width) - 1 };
        let value = Bits::new(value & mask, width);
        if values.get(symbol, width) != value {
            Rc::make_mut(values).set(symbol, &value);
        }
    };
    match test {
        Test::Named(given) => {
            for symbol in (0..worker.pool.symbol_count() as u32).map(SymbolId) {
                let info = worker.pool.symbol_info(symbol);
                if let Some((name, value)) = given.iter().find(|(name, _)| same_part(name, &info.name)) {
                    named.insert(name.clone());
                    set(values, symbol, info.width, *value as u128);
                }
            }
            for object in &worker.inputs.objects {
                let Some(Expr::Term(address)) = object.address else { continue };
                let node = worker.pool.node(address);
                let Op::Symbol(symbol) = node.op else { continue };
                let is_said = given.iter().any(|(name, _)| same_part(name, &object.name));
                // A part that is given behind a pointer is there, and so the pointer is not null.
                if !is_said && given.iter().any(|(name, _)| is_behind(name, &object.name)) {
                    set(values, symbol, node.width, 1);
                }
            }
        }
        // Its values are looked up elsewhere.
        Test::Case(_) => {}
        Test::Shell(shell) => {
            for (index, object) in worker.inputs.objects.iter().enumerate() {
                let Origin::Outside(_) = object.origin else { continue };
                let Some(known) = bytes_of(shell, &object.name) else { continue };
                for leaf in worker.inputs.leaves_of(exec::inputs::InputId(index as u32)) {
                    let LeafValue::Bits(Expr::Term(term)) = leaf.value else { continue };
                    let node = worker.pool.node(term);
                    let Op::Symbol(symbol) = node.op else { continue };
                    let mut value = 0u128;
                    for at in (0..u64::from(leaf.size.min(16))).rev() {
                        let byte = known.get((leaf.offset + at) as usize).copied().unwrap_or(0);
                        value = value << 8 | u128::from(byte);
                    }
                    set(values, symbol, node.width, value);
                }
            }
        }
    }
}

/// What a shell gives under the name of an input object.
fn bytes_of<'s>(shell: &'s Shell, name: &str) -> Option<&'s [u8]> {
    let known = |bytes: &'s Bytes| match bytes {
        Bytes::Known(known) => Some(known.as_slice()),
        Bytes::Unknown(_) => None,
    };
    if let Some(index) = name.strip_prefix("argv[").and_then(|rest| rest.strip_suffix(']')) {
        return shell.argv.get(index.parse::<usize>().ok()?).and_then(known);
    }
    if name == "stdin" {
        return known(&shell.stdin);
    }
    shell.files.iter().find(|(file, _)| file == name).and_then(|(_, bytes)| known(bytes))
}

/// Most bytes of an object whose parts are looked for by name.
const MOST_BYTES: u64 = 1 << 12;

/// Whether a name is one of a part of the input: of an object that was used, though perhaps only written.
pub(super) fn is_part(worker: &Worker, name: &str) -> bool {
    let mut objects = worker.inputs.objects.iter();
    let has = |part: String| same_part(&part, name);
    objects.any(|object| object.part_names(worker.program, MOST_BYTES).into_iter().any(has))
}

/// Whether two names mean the same part: `*p` is `p[0]`, and `p->x` is `p[0].x`.
fn same_part(one: &str, other: &str) -> bool {
    let first = |name: &str| match plain_name(name) {
        name if name.starts_with('*') => format!("{}[0]", &name[1..]),
        name => name,
    };
    one == other || first(one) == first(other)
}

/// Whether a name is one of a part that lies behind a pointer, or behind others that it leads to.
fn is_behind(name: &str, pointer: &str) -> bool {
    let bare = |name: &str| plain_name(name).trim_start_matches(['*', '(']).to_owned();
    let stars = |name: &str| name.chars().take_while(|c| matches!(c, '*' | '(')).filter(|c| *c == '*').count();
    let (part, from) = (bare(name), bare(pointer));
    let Some(rest) = part.strip_prefix(&from) else { return false };
    match rest.is_empty() {
        true => stars(name) > stars(pointer),
        false => rest.starts_with("->") || rest.starts_with(['[', ')']),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_behind, same_part};

    #[test]
    fn names_of_parts() {
        for (one, other, same) in [
            ("x", "x", true),
            ("*p", "p[0]", true),
            ("p->len", "p[0].len", true),
            ("p[1]", "p[0]", false),
            ("*p->next", "p[0].next[0]", true),
        ] {
            assert_eq!(same_part(one, other), same, "{one} {other}");
        }
        for (name, pointer, behind) in [
            ("s[0]", "s", true),
            ("*s", "s", true),
            ("s", "s", false),
            ("size", "s", false),
            ("p->next->len", "p", true),
            ("p->next->len", "p->next", true),
            ("p->next->len", "p[0].next", true),
            ("p->len", "p->next", false),
            ("(*row)[2]", "row", true),
            ("**pp", "*pp", true),
            ("*pp", "*pp", false),
        ] {
            assert_eq!(is_behind(name, pointer), behind, "{name} {pointer}");
        }
    }
}
