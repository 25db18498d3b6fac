//! The values of a test for the symbols of its input.

use super::Test;
use exec::entry::{Bytes, Shell};
use exec::inputs::{LeafValue, Origin};
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
                if let Some((name, value)) = given.iter().find(|(name, _)| *name == info.name) {
                    named.insert(name.clone());
                    set(values, symbol, info.width, *value as u128);
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
