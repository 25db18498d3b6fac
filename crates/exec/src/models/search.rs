//! `string.h`: finding bytes and strings.

use super::text::{Reader, Text, constant};
use super::{Arguments, Model, Reply, ctype};
use crate::case::FaultKind;
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Pointer, Shape, Value};
use smt::expr::Expr;
use std::rc::Rc;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "memchr", run: memchr },
    Model { name: "rawmemchr", run: rawmemchr },
    Model { name: "memrchr", run: memrchr },
    Model { name: "strchr", run: strchr },
    Model { name: "index", run: strchr },
    Model { name: "strrchr", run: strrchr },
    Model { name: "rindex", run: strrchr },
    Model { name: "strchrnul", run: strchrnul },
    Model { name: "strspn", run: strspn },
    Model { name: "strcspn", run: strcspn },
    Model { name: "strpbrk", run: strpbrk },
    Model { name: "strstr", run: strstr },
    Model { name: "strcasestr", run: strcasestr },
    Model { name: "memmem", run: memmem },
    Model { name: "strtok", run: strtok },
    Model { name: "strtok_r", run: strtok_r },
    Model { name: "__strtok_r", run: strtok_r },
    Model { name: "strsep", run: strsep },
];

fn pointer(ptr: Pointer) -> Reply {
    Reply::Value(Value::Ptr(ptr))
}

/// A place in `ptr`, or null.
fn place(run: &mut Run, ptr: Pointer, at: Option<u64>) -> Reply {
    match at {
        Some(at) => pointer(run.offset(ptr, at)),
        None => pointer(Pointer::NULL),
    }
}

/// Where a byte first occurs in memory.
pub(super) fn find_byte(run: &mut Run, ptr: Pointer, byte: Expr, most: u64) -> Result<Option<u64>, Stop> {
    let mut reader = Reader::new(ptr);
    let mut at = 0;
    while at < most {
        if let Some(wanted) = byte.as_const() {
            let known = reader.known(run, at)?;
            if !known.is_empty() {
                match known.iter().position(|&known| u64::from(known) == wanted) {
                    Some(found) => return Ok(Some(at + found as u64).filter(|&at| at < most)),
                    None => at += known.len() as u64,
                }
                continue;
            }
        }
        let here = reader.byte(run, at)?;
        let same = run.pool().eq(here, byte);
        if run.decide(same)? {
            return Ok(Some(at));
        }
        at += 1;
        if at > run.program().options.max_bytes && most == u64::MAX {
            return Err(run.bound("bytes searched"));
        }
    }
    Ok(None)
}

/// Where a byte first occurs in a string, or else where the string ends.
fn find_in_string(run: &mut Run, ptr: Pointer, byte: Expr) -> Result<(u64, bool), Stop> {
    let mut reader = Reader::new(ptr);
    let mut at = 0;
    loop {
        if let Some(wanted) = byte.as_const() {
            let known = reader.known(run, at)?;
            if !known.is_empty() {
                match known.iter().position(|&known| u64::from(known) == wanted || known == 0) {
                    Some(found) => return Ok((at + found as u64, u64::from(known[found]) == wanted)),
                    None => at += known.len() as u64,
                }
                continue;
            }
        }
        let here = reader.byte(run, at)?;
        let same = run.pool().eq(here, byte);
        if run.decide(same)? {
            return Ok((at, true));
        }
        let end = run.pool().eq(here, constant(0));
        if run.decide(end)? {
            return Ok((at, false));
        }
        at += 1;
        if at > run.program().options.max_bytes {
            return Err(run.bound("length of a string"));
        }
    }
}

fn memchr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let byte = args.character(run, 1)?;
    let most = args.size(run, 2)?;
    let found = find_byte(run, ptr, byte, most)?;
    Ok(place(run, ptr, found))
}

fn rawmemchr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let byte = args.character(run, 1)?;
    let found = find_byte(run, ptr, byte, u64::MAX)?;
    Ok(place(run, ptr, found))
}

/// Where a byte last occurs among some.
fn find_last(run: &mut Run, text: &Text, byte: Expr) -> Result<Option<u64>, Stop> {
    for at in (0..text.len()).rev() {
        let here = text.byte(at).unwrap_or(constant(0));
        let same = run.pool().eq(here, byte);
        if run.decide(same)? {
            return Ok(Some(at as u64));
        }
    }
    Ok(None)
}

fn memrchr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let byte = args.character(run, 1)?;
    let size = args.size(run, 2)?;
    let text = run.bytes(ptr, size)?;
    let found = find_last(run, &text, byte)?;
    Ok(place(run, ptr, found))
}

fn strchr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let byte = args.character(run, 1)?;
    let (at, found) = find_in_string(run, ptr, byte)?;
    Ok(place(run, ptr, found.then_some(at)))
}

fn strchrnul(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let byte = args.character(run, 1)?;
    let (at, _) = find_in_string(run, ptr, byte)?;
    Ok(place(run, ptr, Some(at)))
}

fn strrchr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let byte = args.character(run, 1)?;
    let mut text = run.string(ptr)?;
    text.push(constant(0));
    let found = find_last(run, &text, byte)?;
    Ok(place(run, ptr, found))
}

/// The condition under which a byte is one of a set.
fn is_in(run: &mut Run, byte: Expr, set: &Text) -> Expr {
    if let (Some(byte), Some(set)) = (byte.as_const(), set.known()) {
        return Expr::bool(set.contains(&(byte as u8)));
    }
    let mut any = Expr::bool(false);
    for member in set.exprs() {
        let same = run.pool().eq(byte, member);
        any = run.pool().or(any, same);
    }
    any
}

/// How many bytes at the beginning of a string are in a set, or are not.
fn span(run: &mut Run, ptr: Pointer, set: &Text, inside: bool) -> Result<u64, Stop> {
    let mut reader = Reader::new(ptr);
    for at in 0.. {
        let byte = reader.byte(run, at)?;
        let end = run.pool().eq(byte, constant(0));
        let member = is_in(run, byte, set);
        let stop = if inside { run.pool().not(member) } else { member };
        let stop = run.pool().or(stop, end);
        if run.decide(stop)? {
            return Ok(at);
        }
    }
    Ok(0)
}

fn spanned(run: &mut Run, args: &Arguments, inside: bool) -> Result<(Pointer, u64), Stop> {
    let (ptr, set) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let set = run.string(set)?;
    Ok((ptr, span(run, ptr, &set, inside)?))
}

fn strspn(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::int(spanned(run, args, true)?.1, 64)))
}

fn strcspn(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::int(spanned(run, args, false)?.1, 64)))
}

fn strpbrk(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (ptr, at) = spanned(run, args, false)?;
    let byte = run.offset(ptr, at);
    let byte = run.load_byte(byte)?;
    let end = run.pool().eq(byte, constant(0));
    let found = !run.decide(end)?;
    Ok(place(run, ptr, found.then_some(at)))
}

/// Where a text first occurs in another one.
fn find_text(run: &mut Run, text: &Text, part: &Text, fold: bool) -> Result<Option<u64>, Stop> {
    if part.len() == 0 {
        return Ok(Some(0));
    }
    if let (Some(text), Some(part), false) = (text.known(), part.known(), fold) {
        return Ok(text.windows(part.len()).position(|window| window == part).map(|at| at as u64));
    }
    let lowered = |run: &mut Run, text: &Text| -> Vec<Expr> {
        text.exprs().into_iter().map(|byte| if fold { ctype::lower_byte(run, byte) } else { byte }).collect()
    };
    let (text, part) = (lowered(run, text), lowered(run, part));
    for (at, window) in text.windows(part.len()).enumerate() {
        let mut all = Expr::bool(true);
        for (&a, &b) in window.iter().zip(&part) {
            let same = run.pool().eq(a, b);
            all = run.pool().and(all, same);
        }
        if run.decide(all)? {
            return Ok(Some(at as u64));
        }
    }
    Ok(None)
}

fn find_string(run: &mut Run, args: &Arguments, fold: bool) -> Result<Reply, Stop> {
    let (ptr, part) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let part = run.string(part)?;
    let text = run.string(ptr)?;
    let found = find_text(run, &text, &part, fold)?;
    Ok(place(run, ptr, found))
}

fn strstr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    find_string(run, args, false)
}

fn strcasestr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    find_string(run, args, true)
}

fn memmem(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (ptr, part) = (args.pointer(run, 0)?, args.pointer(run, 2)?);
    let (size, part_size) = (args.size(run, 1)?, args.size(run, 3)?);
    let text = run.bytes(ptr, size)?;
    let part = run.bytes(part, part_size)?;
    let found = find_text(run, &text, &part, false)?;
    Ok(place(run, ptr, found))
}

/// A token of a string: where it begins, and where the next search begins. Its end is written.
fn token(run: &mut Run, from: Pointer, set: &Text) -> Result<(Option<Pointer>, Pointer), Stop> {
    let skipped = span(run, from, set, true)?;
    let start = run.offset(from, skipped);
    let length = span(run, start, set, false)?;
    if length == 0 {
        // Only delimiters are left, so the byte there is the end.
        return Ok((None, start));
    }
    let end = run.offset(start, length);
    let byte = run.load_byte(end)?;
    let last = run.pool().eq(byte, constant(0));
    if run.decide(last)? {
        return Ok((Some(start), end));
    }
    run.store_byte(end, constant(0))?;
    Ok((Some(start), run.offset(end, 1)))
}

fn strtok(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (given, set) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let from = if run.is_null(given)? { run.state.library.token } else { given };
    if from == Pointer::NULL && run.begins_anywhere() {
        return Err(run.unsupported("strtok, which goes on with a text of before"));
    }
    // Without a text before, the library reads from nowhere.
    if from == Pointer::NULL {
        return Err(run.fault(FaultKind::NullPointer, "strtok without a text"));
    }
    let set = run.string(set)?;
    let (found, next) = token(run, from, &set)?;
    Rc::make_mut(&mut run.state.library).token = next;
    Ok(pointer(found.unwrap_or(Pointer::NULL)))
}

fn strtok_r(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (given, set, saved) = (args.pointer(run, 0)?, args.pointer(run, 1)?, args.pointer(run, 2)?);
    let from = if run.is_null(given)? {
        let saved = run.load(saved, &Shape::Ptr)?;
        run.pointer(&saved)?
    } else {
        given
    };
    if run.is_null(from)? {
        return Err(run.fault(FaultKind::NullPointer, "strtok_r without a text"));
    }
    run.access(saved, 8, true)?;
    let set = run.string(set)?;
    let (found, next) = token(run, from, &set)?;
    run.store(saved, &Value::Ptr(next), &Shape::Ptr)?;
    Ok(pointer(found.unwrap_or(Pointer::NULL)))
}

fn strsep(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (place, set) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let from = run.load(place, &Shape::Ptr)?;
    let from = run.pointer(&from)?;
    if run.is_null(from)? {
        return Ok(pointer(Pointer::NULL));
    }
    let set = run.string(set)?;
    let length = span(run, from, &set, false)?;
    let end = run.offset(from, length);
    let byte = run.load_byte(end)?;
    let last = run.pool().eq(byte, constant(0));
    run.access(place, 8, true)?;
    let next = if run.decide(last)? {
        Pointer::NULL
    } else {
        run.store_byte(end, constant(0))?;
        run.offset(end, 1)
    };
    run.store(place, &Value::Ptr(next), &Shape::Ptr)?;
    Ok(pointer(from))
}
