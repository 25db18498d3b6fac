//! `string.h`: lengths, copies and comparisons.

use super::text::{Reader, Text, constant};
use super::{Arguments, Model, Reply, ctype};
use crate::run::Run;
use crate::state::{ChoiceKind, Stop};
use crate::value::{Pointer, Value};
use smt::expr::Expr;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "strlen", run: strlen },
    Model { name: "strnlen", run: strnlen },
    Model { name: "memcpy", run: copy },
    Model { name: "memmove", run: memmove },
    Model { name: "bcopy", run: bcopy },
    Model { name: "mempcpy", run: mempcpy },
    Model { name: "__mempcpy", run: mempcpy },
    Model { name: "memccpy", run: memccpy },
    Model { name: "memset", run: memset },
    Model { name: "explicit_bzero", run: bzero },
    Model { name: "bzero", run: bzero },
    Model { name: "strcpy", run: strcpy },
    Model { name: "stpcpy", run: stpcpy },
    Model { name: "__stpcpy", run: stpcpy },
    Model { name: "strncpy", run: strncpy },
    Model { name: "stpncpy", run: stpncpy },
    Model { name: "strcat", run: strcat },
    Model { name: "strncat", run: strncat },
    Model { name: "strlcpy", run: strlcpy },
    Model { name: "strlcat", run: strlcat },
    Model { name: "__memcpy_chk", run: copy },
    Model { name: "__memmove_chk", run: memmove },
    Model { name: "__mempcpy_chk", run: mempcpy },
    Model { name: "__memset_chk", run: memset },
    Model { name: "__strcpy_chk", run: strcpy },
    Model { name: "__stpcpy_chk", run: stpcpy },
    Model { name: "__strncpy_chk", run: strncpy },
    Model { name: "__stpncpy_chk", run: stpncpy },
    Model { name: "__strcat_chk", run: strcat },
    Model { name: "__strncat_chk", run: strncat },
    Model { name: "memcmp", run: memcmp },
    Model { name: "bcmp", run: memcmp },
    Model { name: "strcmp", run: strcmp },
    Model { name: "strcoll", run: strcmp },
    Model { name: "strncmp", run: strncmp },
    Model { name: "strcasecmp", run: strcasecmp },
    Model { name: "strncasecmp", run: strncasecmp },
    Model { name: "strxfrm", run: strxfrm },
    Model { name: "strdup", run: strdup },
    Model { name: "__strdup", run: strdup },
    Model { name: "strndup", run: strndup },
    Model { name: "__strndup", run: strndup },
];

fn long(value: u64) -> Reply {
    Reply::Value(Value::int(value, 64))
}

fn pointer(ptr: Pointer) -> Reply {
    Reply::Value(Value::Ptr(ptr))
}

fn strlen(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    Ok(long(run.string_length(ptr, u64::MAX)?))
}

fn strnlen(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let most = args.size(run, 1)?;
    Ok(long(run.string_length(ptr, most)?))
}

fn copy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.size(run, 2)?;
    run.copy_apart(to, from, size)?;
    Ok(pointer(to))
}

fn memmove(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.size(run, 2)?;
    run.copy_bytes(to, from, size)?;
    Ok(pointer(to))
}

fn bcopy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (from, to) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.size(run, 2)?;
    run.copy_bytes(to, from, size)?;
    Ok(Reply::Nothing)
}

fn mempcpy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.size(run, 2)?;
    run.copy_apart(to, from, size)?;
    Ok(pointer(run.offset(to, size)))
}

fn memccpy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let stop = args.character(run, 2)?;
    let most = args.size(run, 3)?;
    let found = super::search::find_byte(run, from, stop, most)?;
    let size = found.map_or(most, |at| at + 1);
    run.copy_apart(to, from, size)?;
    Ok(match found {
        Some(_) => pointer(run.offset(to, size)),
        None => pointer(Pointer::NULL),
    })
}

fn memset(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let to = args.pointer(run, 0)?;
    let byte = args.character(run, 1)?;
    let size = args.size(run, 2)?;
    run.fill_bytes(to, byte, size)?;
    Ok(pointer(to))
}

fn bzero(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let to = args.pointer(run, 0)?;
    let size = args.size(run, 1)?;
    run.fill_bytes(to, constant(0), size)?;
    Ok(Reply::Nothing)
}

/// Copies a string with its end; its length.
fn copy_string(run: &mut Run, to: Pointer, from: Pointer) -> Result<u64, Stop> {
    let length = run.string_length(from, u64::MAX)?;
    run.copy_apart(to, from, length + 1)?;
    Ok(length)
}

fn strcpy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    copy_string(run, to, from)?;
    Ok(pointer(to))
}

fn stpcpy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let length = copy_string(run, to, from)?;
    Ok(pointer(run.offset(to, length)))
}

/// Copies at most `most` bytes of a string and fills the rest with zeros; how many bytes were copied.
fn copy_padded(run: &mut Run, args: &Arguments) -> Result<(Pointer, u64), Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let most = args.size(run, 2)?;
    let length = run.string_length(from, most)?;
    if most > 0 {
        run.access(to, most, true)?;
    }
    run.copy_apart(to, from, length)?;
    let rest = run.offset(to, length);
    run.fill_bytes(rest, constant(0), most - length)?;
    Ok((to, length))
}

fn strncpy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    Ok(pointer(copy_padded(run, args)?.0))
}

fn stpncpy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, length) = copy_padded(run, args)?;
    Ok(pointer(run.offset(to, length)))
}

fn strcat(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let length = run.string_length(to, u64::MAX)?;
    let end = run.offset(to, length);
    copy_string(run, end, from)?;
    Ok(pointer(to))
}

fn strncat(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let most = args.size(run, 2)?;
    let length = run.string_length(to, u64::MAX)?;
    let mut text = run.string_up_to(from, most)?;
    text.push(constant(0));
    let end = run.offset(to, length);
    run.write_text(end, &text)?;
    Ok(pointer(to))
}

fn strlcpy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.size(run, 2)?;
    let length = run.string_length(from, u64::MAX)?;
    if let Some(room) = size.checked_sub(1) {
        let mut text = run.bytes(from, length.min(room))?;
        text.push(constant(0));
        run.write_text(to, &text)?;
    }
    Ok(long(length))
}

fn strlcat(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.size(run, 2)?;
    let old = run.string_length(to, size)?;
    let length = run.string_length(from, u64::MAX)?;
    if old < size {
        let mut text = run.bytes(from, length.min(size - old - 1))?;
        text.push(constant(0));
        let end = run.offset(to, old);
        run.write_text(end, &text)?;
    }
    Ok(long(old + length))
}

fn strxfrm(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.size(run, 2)?;
    let length = run.string_length(from, u64::MAX)?;
    let part = (length + 1).min(size);
    run.copy_bytes(to, from, part)?;
    Ok(long(length))
}

/// What a comparison does with each pair of bytes.
#[derive(Clone, Copy)]
struct Comparison {
    /// Most bytes.
    most: u64,
    /// Whether a zero ends both.
    text: bool,
    /// Whether letters are compared without case.
    fold: bool,
}

/// The difference of the first two bytes that differ, as glibc returns it.
fn compare(run: &mut Run, left: Pointer, right: Pointer, how: Comparison) -> Result<Reply, Stop> {
    let (mut left, mut right) = (Reader::new(left), Reader::new(right));
    let mut at = 0;
    while at < how.most {
        let a = left.known(run, at)?;
        let b = right.known(run, at)?;
        let both = (a.len().min(b.len()) as u64).min(how.most - at) as usize;
        if both > 0 {
            let lower = |byte: u8| if how.fold { byte.to_ascii_lowercase() } else { byte };
            for (&x, &y) in a.iter().zip(b).take(both) {
                if lower(x) != lower(y) {
                    return Ok(Reply::Value(Value::int((i64::from(lower(x)) - i64::from(lower(y))) as u64, 32)));
                }
                if x == 0 && how.text {
                    return Ok(Reply::Value(Value::int(0, 32)));
                }
            }
            at += both as u64;
            continue;
        }
        let (mut x, mut y) = (left.byte(run, at)?, right.byte(run, at)?);
        if how.fold {
            (x, y) = (ctype::lower_byte(run, x), ctype::lower_byte(run, y));
        }
        let same = run.pool().eq(x, y);
        let differ = run.pool().not(same);
        let zero = run.pool().eq(x, constant(0));
        let answer = if how.text && !matches!((x.as_const(), y.as_const()), (Some(1..), _) | (_, Some(1..))) {
            let end = run.pool().and(same, zero);
            let not_zero = run.pool().not(zero);
            let on = run.pool().and(same, not_zero);
            run.choose(&[differ, end, on], ChoiceKind::Value)?
        } else if run.decide(same)? {
            2
        } else {
            0
        };
        match answer {
            0 => {
                let pool = run.pool();
                let (x, y) = (pool.zext(x, 32), pool.zext(y, 32));
                return Ok(Reply::Value(Value::Bits(pool.sub(x, y))));
            }
            1 => break,
            _ => at += 1,
        }
    }
    Ok(Reply::Value(Value::int(0, 32)))
}

fn memcmp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (left, right) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let most = args.size(run, 2)?;
    if most > 0 {
        run.access(left, most, false)?;
        run.access(right, most, false)?;
        // It may look at all of it, wherever the first difference is.
        run.look_at_last(left, most)?;
        run.look_at_last(right, most)?;
    }
    compare(run, left, right, Comparison { most, text: false, fold: false })
}

fn strcmp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (left, right) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    compare(run, left, right, Comparison { most: u64::MAX, text: true, fold: false })
}

fn strncmp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (left, right) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let most = args.size(run, 2)?;
    compare(run, left, right, Comparison { most, text: true, fold: false })
}

fn strcasecmp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (left, right) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    compare(run, left, right, Comparison { most: u64::MAX, text: true, fold: true })
}

fn strncasecmp(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (left, right) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let most = args.size(run, 2)?;
    compare(run, left, right, Comparison { most, text: true, fold: true })
}

/// Allocates a copy of the first `length` bytes with an end.
fn duplicate(run: &mut Run, from: Pointer, length: u64) -> Result<Reply, Stop> {
    if length > 0 {
        run.access(from, length, false)?;
    }
    let to = super::alloc::allocate(run, Expr::constant(length + 1, 64), 16, false);
    run.copy_bytes(to, from, length)?;
    let end = run.offset(to, length);
    run.write_text(end, &Text::Known(vec![0]))?;
    Ok(super::alloc::might_be_null(run, to))
}

fn strdup(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let from = args.pointer(run, 0)?;
    let length = run.string_length(from, u64::MAX)?;
    duplicate(run, from, length)
}

fn strndup(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let from = args.pointer(run, 0)?;
    let most = args.size(run, 1)?;
    let length = run.string_length(from, most)?;
    duplicate(run, from, length)
}
