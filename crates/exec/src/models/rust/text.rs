//! Text: whether bytes are UTF-8, and comparisons of slices.

use crate::case::FaultKind;
use crate::models::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::{RemarkKind, Stop};
use crate::value::{Pointer, Shape, Value};
use smt::expr::Expr;

pub(super) const MODELS: &[Model] = &[
    Model { name: "core::str::converts::from_utf8", run: from_utf8 },
    Model { name: "[u8]::starts_with", run: starts_with },
    Model { name: "[u8]::ends_with", run: ends_with },
    Model { name: "core::slice::copy_from_slice_impl", run: copy_from_slice },
    Model { name: "core::slice::memchr::memchr_aligned", run: memchr },
    Model { name: "core::slice::memchr::memrchr", run: memrchr },
    Model { name: "core::str::count::do_count_chars", run: count_chars },
    Model { name: "core::str::count::char_count_general_case", run: count_chars },
    Model { name: "str::to_lowercase", run: |run, args| change_case(run, args, Case::Lower) },
    Model { name: "alloc::str::to_lowercase", run: |run, args| change_case(run, args, Case::Lower) },
    Model { name: "str::to_uppercase", run: |run, args| change_case(run, args, Case::Upper) },
    Model { name: "alloc::str::to_uppercase", run: |run, args| change_case(run, args, Case::Upper) },
    Model {
        name: "core::unicode::unicode_data::conversions::to_lower",
        run: |run, args| convert(run, args, Case::Lower),
    },
    Model {
        name: "core::unicode::unicode_data::conversions::to_upper",
        run: |run, args| convert(run, args, Case::Upper),
    },
    Model { name: "core::unicode::unicode_data::alphabetic::lookup_slow", run: is_alphabetic },
    Model { name: "core::unicode::unicode_data::n::lookup_slow", run: is_numeric },
];

const WORD: Shape = Shape::Int { bits: 64, bytes: 8 };

/// Bytes from an address on; their number is asked for.
fn bytes(run: &mut Run, from: Pointer, length: Expr) -> Result<Vec<Expr>, Stop> {
    let length = run.length(length, &[(from, false)], "bytes looked at at once")?;
    let mut bytes = Vec::new();
    for i in 0..length {
        let at = run.offset(from, i);
        bytes.push(run.load_byte(at)?);
    }
    Ok(bytes)
}

/// Whether a byte lies between two.
fn between(run: &mut Run, byte: Expr, low: u64, high: u64) -> Result<bool, Stop> {
    let pool = run.pool();
    let above = pool.ule(Expr::constant(low, 8), byte);
    let below = pool.ule(byte, Expr::constant(high, 8));
    let inside = pool.and(above, below);
    run.decide(inside)
}

/// `Result<&str, Utf8Error>` to where the result goes.
fn from_utf8(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (result, text) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let length = args.bits(run, 2)?;
    let bytes = bytes(run, text, length)?;
    let bad = first_bad(run, &bytes)?;
    run.access(result, 24, true)?;
    let set = |run: &mut Run, offset: u64, value: Value, shape: &Shape| {
        let place = run.offset(result, offset);
        run.store(place, &value, shape)
    };
    match bad {
        None => {
            set(run, 0, Value::int(0, 64), &WORD)?;
            set(run, 8, args.value(1), &Shape::Ptr)?;
            set(run, 16, Value::int(bytes.len() as u64, 64), &WORD)?;
        }
        Some((at, wrong)) => {
            set(run, 0, Value::int(1, 64), &WORD)?;
            set(run, 8, Value::int(at as u64, 64), &WORD)?;
            let byte = Shape::Int { bits: 8, bytes: 1 };
            set(run, 16, Value::int(u64::from(wrong.is_some()), 8), &byte)?;
            if let Some(wrong) = wrong {
                set(run, 17, Value::int(wrong, 8), &byte)?;
            }
        }
    }
    Ok(Reply::Nothing)
}

/// Where the first bytes that are no character begin, and how many they are; `None` for that at an unexpected end.
fn first_bad(run: &mut Run, bytes: &[Expr]) -> Result<Option<(usize, Option<u64>)>, Stop> {
    let mut at = 0;
    while let Some(&first) = bytes.get(at) {
        if between(run, first, 0, 0x7f)? {
            at += 1;
            continue;
        }
        // Lengths of characters by their first byte, and what the second one may be.
        let kinds: [(u64, u64, usize, u64, u64); 7] = [
            (0xc2, 0xdf, 2, 0x80, 0xbf),
            (0xe0, 0xe0, 3, 0xa0, 0xbf),
            (0xed, 0xed, 3, 0x80, 0x9f),
            (0xe1, 0xef, 3, 0x80, 0xbf),
            (0xf0, 0xf0, 4, 0x90, 0xbf),
            (0xf4, 0xf4, 4, 0x80, 0x8f),
            (0xf1, 0xf3, 4, 0x80, 0xbf),
        ];
        let mut kind = None;
        for (low, high, length, second_low, second_high) in kinds {
            if between(run, first, low, high)? {
                kind = Some((length, second_low, second_high));
                break;
            }
        }
        let Some((length, low, high)) = kind else { return Ok(Some((at, Some(1)))) };
        for i in 1..length {
            let Some(&byte) = bytes.get(at + i) else { return Ok(Some((at, None))) };
            let (low, high) = if i == 1 { (low, high) } else { (0x80, 0xbf) };
            if !between(run, byte, low, high)? {
                return Ok(Some((at, Some(i as u64))));
            }
        }
        at += length;
    }
    Ok(None)
}

fn starts_with(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (text, length) = (args.pointer(run, 0)?, args.bits(run, 1)?);
    let (start, start_length) = (args.pointer(run, 2)?, args.bits(run, 3)?);
    let fits = run.pool().ule(start_length, length);
    if !run.decide(fits)? {
        return Ok(Reply::Value(Value::int(0, 1)));
    }
    let start = bytes(run, start, start_length)?;
    let mut same = Expr::bool(true);
    for (i, byte) in start.into_iter().enumerate() {
        let at = run.offset(text, i as u64);
        let other = run.load_byte(at)?;
        let equal = run.pool().eq(byte, other);
        same = run.pool().and(same, equal);
    }
    Ok(Reply::Value(Value::Bits(same)))
}

fn ends_with(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (text, length) = (args.pointer(run, 0)?, args.bits(run, 1)?);
    let (end, end_length) = (args.pointer(run, 2)?, args.bits(run, 3)?);
    let fits = run.pool().ule(end_length, length);
    if !run.decide(fits)? {
        return Ok(Reply::Value(Value::int(0, 1)));
    }
    let end = bytes(run, end, end_length)?;
    let before = run.pool().sub(length, end_length);
    let from = Pointer { object: text.object, offset: run.pool().add(text.offset, before) };
    let mut same = Expr::bool(true);
    for (i, byte) in end.into_iter().enumerate() {
        let at = run.offset(from, i as u64);
        let other = run.load_byte(at)?;
        let equal = run.pool().eq(byte, other);
        same = run.pool().and(same, equal);
    }
    Ok(Reply::Value(Value::Bits(same)))
}

fn copy_from_slice(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, to_length) = (args.pointer(run, 0)?, args.bits(run, 1)?);
    let (from, from_length) = (args.pointer(run, 2)?, args.bits(run, 3)?);
    let same = run.pool().eq(to_length, from_length);
    run.check(same, FaultKind::Panic, "copy_from_slice: source and destination slices have different lengths")?;
    let length = run.length(from_length, &[(from, false), (to, true)], "bytes copied at once")?;
    run.copy_bytes(to, from, length)?;
    Ok(Reply::Nothing)
}

fn memchr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (wanted, text) = looked_for(run, args)?;
    position(run, wanted, (0u64..).zip(text))
}

fn memrchr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (wanted, text) = looked_for(run, args)?;
    let text: Vec<(u64, Expr)> = (0u64..).zip(text).collect();
    position(run, wanted, text.into_iter().rev())
}

/// A byte, and the text in which it is looked for.
fn looked_for(run: &mut Run, args: &Arguments) -> Result<(Expr, Vec<Expr>), Stop> {
    let wanted = args.bits(run, 0)?;
    let (text, length) = (args.pointer(run, 1)?, args.bits(run, 2)?);
    Ok((wanted, bytes(run, text, length)?))
}

/// Where the first of some bytes is that is the one wanted, as `Option<usize>`.
fn position(run: &mut Run, wanted: Expr, bytes: impl Iterator<Item = (u64, Expr)>) -> Result<Reply, Stop> {
    let option = |tag: u64, at: u64| Ok(Reply::Value(Value::Many([Value::int(tag, 64), Value::int(at, 64)].into())));
    for (at, byte) in bytes {
        let found = run.pool().eq(byte, wanted);
        if run.decide(found)? {
            return option(1, at);
        }
    }
    option(0, 0)
}

fn is_alphabetic(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    property(run, args, "is_alphabetic", char::is_alphabetic)
}

fn is_numeric(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    property(run, args, "is_numeric", char::is_numeric)
}

/// What tables of the library say of a character: known of a known one, else the same for the same.
fn property(run: &mut Run, args: &Arguments, name: &str, holds: fn(char) -> bool) -> Result<Reply, Stop> {
    let character = args.bits(run, 0)?;
    if let Some(known) = character.as_const() {
        let holds = char::from_u32(known as u32).is_some_and(holds);
        return Ok(Reply::Value(Value::int(u64::from(holds), 1)));
    }
    let function = run.worker.function(name);
    run.remark(RemarkKind::AnyResult(name.to_owned()));
    let answer = run.pool().apply(function, &[character], 1);
    Ok(Reply::Value(Value::Bits(answer)))
}

/// Small letters, or capitals.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Lower,
    Upper,
}

/// A letter of ASCII in a case, of any width.
fn in_case(run: &mut Run, letter: Expr, case: Case) -> Expr {
    let width = run.pool().width(letter);
    let (first, last) = if case == Case::Lower { (b'A', b'Z') } else { (b'a', b'z') };
    let pool = run.pool();
    let [first, last] = [first, last].map(|letter| Expr::constant(letter.into(), width));
    let (above, below) = (pool.ule(first, letter), pool.ule(letter, last));
    let changes = pool.and(above, below);
    let other = pool.xor(letter, Expr::constant(0x20, width));
    pool.ite(changes, other, letter)
}

/// `fn(&str) -> String`: of a text that is known any, else of one of ASCII.
fn change_case(run: &mut Run, args: &Arguments, case: Case) -> Result<Reply, Stop> {
    let (result, text, length) = (args.pointer(run, 0)?, args.pointer(run, 1)?, args.bits(run, 2)?);
    let bytes = bytes(run, text, length)?;
    let known: Option<Vec<u8>> = bytes.iter().map(|byte| byte.as_const().map(|byte| byte as u8)).collect();
    let known = known.and_then(|known| String::from_utf8(known).ok());
    let changed: Vec<Expr> = match known {
        Some(text) => {
            let text = if case == Case::Lower { text.to_lowercase() } else { text.to_uppercase() };
            text.bytes().map(|byte| Expr::constant(byte.into(), 8)).collect()
        }
        None => {
            let mut changed = Vec::new();
            for byte in bytes {
                let is_ascii = run.pool().ult(byte, Expr::constant(0x80, 8));
                if !run.decide(is_ascii)? {
                    return Err(run.unsupported("capitals and small letters of characters that are not ASCII"));
                }
                changed.push(in_case(run, byte, case));
            }
            changed
        }
    };
    run.access(result, 24, true)?;
    let fill = |run: &mut Run, memory: Pointer| {
        (0..).zip(&changed).try_for_each(|(at, byte)| {
            let place = run.offset(memory, at);
            run.store_byte(place, *byte)
        })
    };
    super::vec::new_string(run, result, changed.len() as u64, fill)?;
    Ok(Reply::Nothing)
}

/// `fn(char) -> [char; 3]`: what a character becomes, zeros behind it.
fn convert(run: &mut Run, args: &Arguments, case: Case) -> Result<Reply, Stop> {
    const CHARACTER: Shape = Shape::Int { bits: 32, bytes: 4 };
    let (result, character) = (args.pointer(run, 0)?, args.bits(run, 1)?);
    let mut becomes = [Expr::constant(0, 32); 3];
    match character.as_const().and_then(|known| char::from_u32(known as u32)) {
        Some(known) => {
            let letters: Vec<char> = match case {
                Case::Lower => known.to_lowercase().collect(),
                Case::Upper => known.to_uppercase().collect(),
            };
            becomes
                .iter_mut()
                .zip(letters)
                .for_each(|(place, letter)| *place = Expr::constant(u32::from(letter).into(), 32));
        }
        None => {
            let is_ascii = run.pool().ult(character, Expr::constant(0x80, 32));
            if !run.decide(is_ascii)? {
                return Ok(Reply::Outside);
            }
            becomes[0] = in_case(run, character, case);
        }
    }
    run.access(result, 12, true)?;
    for (at, letter) in (0..).step_by(4).zip(becomes) {
        let place = run.offset(result, at);
        run.store(place, &Value::Bits(letter), &CHARACTER)?;
    }
    Ok(Reply::Nothing)
}

/// How many characters a text has: bytes that do not go on with one.
fn count_chars(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (text, length) = (args.pointer(run, 0)?, args.bits(run, 1)?);
    let mut count = Expr::constant(0, 64);
    for byte in bytes(run, text, length)? {
        let pool = run.pool();
        let kind = pool.extract(byte, 6, 2);
        let goes_on = pool.eq(kind, Expr::constant(0b10, 2));
        let begins = pool.not(goes_on);
        let one = pool.zext(begins, 64);
        count = pool.add(count, one);
    }
    Ok(Reply::Value(Value::Bits(count)))
}
