//! The values of a test for the symbols of its input.

use super::Test;
use exec::entry::{Bytes, Shell};
use exec::inputs::{LeafValue, Origin, plain_name};
use exec::run::Worker;
use rustc_hash::FxHashSet;
use smt::bits::Bits;
use smt::eval::Model;
use smt::expr::{Expr, Op, SymbolId};
use smt::pool::Reading;
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

/// A part of an input and its value.
#[derive(Clone, Debug)]
pub struct Part {
    /// What the source calls it.
    pub name: String,
    /// Its value.
    pub value: Number,
    /// The value as it was written.
    pub text: String,
    /// Whether it is left out where the input has no such part, as the length of a text that ends with a zero.
    pub optional: bool,
}

/// A value that a part of an input is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer; a float is given the same number.
    Integer(i128),
    /// Bits as they are.
    Raw(u128),
    /// A float.
    Float(f64),
}

impl Number {
    /// The bits of a value of that width; nothing if there is no room for it, or if it is no such value.
    pub fn bits(self, width: u32, is_float: bool) -> Option<u128> {
        let mask = if width >= 128 { u128::MAX } else { (1u128 << width) - 1 };
        match self {
            Number::Raw(bits) => (bits & mask == bits).then_some(bits),
            Number::Integer(value) if !is_float => {
                let least = if width >= 128 { i128::MIN } else { -1i128 << (width.max(1) - 1) };
                (value >= least && (value < 0 || value as u128 & mask == value as u128)).then_some(value as u128 & mask)
            }
            Number::Integer(value) => Number::Float(value as f64).bits(width, true),
            Number::Float(value) => match width {
                64 if is_float => Some(value.to_bits().into()),
                32 if is_float => Some((value as f32).to_bits().into()),
                _ => None,
            },
        }
    }
}

/// The bytes of a text with the escapes of C.
pub fn unescaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [byte, behind @ ..] = rest {
        rest = behind;
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        let [escape, behind @ ..] = rest else { return None };
        rest = behind;
        bytes.push(match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'x' => {
                let digits = rest.get(..2)?;
                rest = &rest[2..];
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?
            }
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    let [digit @ b'0'..=b'7', behind @ ..] = rest else { break };
                    value = value * 8 + u32::from(digit - b'0');
                    rest = behind;
                }
                u8::try_from(value).ok()?
            }
            other => *other,
        });
    }
    Some(bytes)
}

/// What came of the names of a test's parts.
#[derive(Default)]
pub(super) struct Learnt {
    /// Those that a run looked at.
    pub named: FxHashSet<String>,
    /// A part that has no such value, and its bits.
    pub misfit: Option<(String, u32)>,
}

/// Gives values to the symbols of the test; symbols come up while the program runs.
pub(super) fn learn(worker: &mut Worker, test: &Test, values: &mut Rc<Model>, learnt: &mut Learnt) {
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
                if let Some(part) = given.iter().find(|part| same_part(&part.name, &info.name)) {
                    learnt.named.insert(part.name.clone());
                    let is_float = matches!(info.reading, Reading::Float(_));
                    match part.value.bits(info.width, is_float) {
                        Some(bits) => set(values, symbol, info.width, bits),
                        None => learnt.misfit = Some((format!("{}={}", part.name, part.text), info.width)),
                    }
                }
            }
            for object in &worker.inputs.objects {
                let Some(Expr::Term(address)) = object.address else { continue };
                let node = worker.pool.node(address);
                let Op::Symbol(symbol) = node.op else { continue };
                let is_said = given.iter().any(|part| same_part(&part.name, &object.name));
                // A part that is given behind a pointer is there, and so the pointer is not null.
                if !is_said && given.iter().any(|part| !part.optional && is_behind(&part.name, &object.name)) {
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
pub(super) fn bytes_of<'s>(shell: &'s Shell, name: &str) -> Option<&'s [u8]> {
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

/// Whether two names mean the same part: `*p` is `p[0]`, `p->x` is `p[0].x`, and `s.len` is `s.len()`.
pub(super) fn same_part(one: &str, other: &str) -> bool {
    let first = |name: &str| match plain_name(name.strip_suffix("()").unwrap_or(name)) {
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
    use super::{Number, is_behind, same_part, unescaped};

    #[test]
    fn escapes_of_c() {
        assert_eq!(unescaped("a\\012\\\\\\x41"), Some(b"a\n\\A".to_vec()));
        assert_eq!(unescaped("\\"), None);
    }

    #[test]
    fn numbers_have_room_or_not() {
        for (number, width, is_float, bits) in [
            (Number::Integer(-1), 8, false, Some(0xff)),
            (Number::Integer(255), 8, false, Some(0xff)),
            (Number::Integer(256), 8, false, None),
            (Number::Integer(-129), 8, false, None),
            (Number::Integer(1), 1, false, Some(1)),
            (Number::Integer(1), 32, true, Some(0x3f80_0000)),
            (Number::Raw(1), 32, true, Some(1)),
            (Number::Float(1.5), 32, false, None),
        ] {
            assert_eq!(number.bits(width, is_float), bits, "{number:?} {width}");
        }
    }

    #[test]
    fn names_of_parts() {
        for (one, other, same) in [
            ("x", "x", true),
            ("*p", "p[0]", true),
            ("p->len", "p[0].len", true),
            ("p[1]", "p[0]", false),
            ("s.len", "s.len()", true),
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
