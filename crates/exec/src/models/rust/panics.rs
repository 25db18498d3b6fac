//! Panics: a fault with the message as the user would read it, as far as it is known.

use super::{format, path};
use crate::case::FaultKind;
use crate::models::{Arguments, Reply};
use crate::run::Run;
use crate::state::Stop;

/// Any function of the library that never returns.
pub fn panic(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let path = path::plain(&ir::demangle::demangle(run.program().module.function_name(args.function)));
    let message = message(run, args, &path)?;
    let name = path.rsplit("::").next().unwrap_or(&path);
    if PRECONDITIONS.contains(&name) {
        return Err(run.fault(FaultKind::Unreachable, &message));
    }
    run.state.debug_check |= OVERFLOWS.contains(&name);
    Err(run.fault(FaultKind::Panic, &message))
}

/// What builds for debugging call where a program breaks the contract of an unsafe operation: other builds do anything there.
const PRECONDITIONS: [&str; 6] = [
    "panic_nounwind",
    "panic_nounwind_fmt",
    "panic_nounwind_nobacktrace",
    "panic_null_pointer_dereference",
    "panic_misaligned_pointer_dereference",
    "panic_invalid_enum_construction",
];

/// What builds for debugging call where arithmetic overflows: other builds go on with what is left of the number.
const OVERFLOWS: [&str; 6] = [
    "panic_const_add_overflow",
    "panic_const_sub_overflow",
    "panic_const_mul_overflow",
    "panic_const_neg_overflow",
    "panic_const_shl_overflow",
    "panic_const_shr_overflow",
];

fn message(run: &mut Run, args: &Arguments, path: &str) -> Result<String, Stop> {
    let name = path.rsplit("::").next().unwrap_or(path);
    if let Some(what) = name.strip_prefix("panic_const_") {
        return Ok(arithmetic(what));
    }
    let number = |run: &mut Run, index: usize| -> Result<String, Stop> {
        let bits = args.bits(run, index)?;
        Ok(bits.as_const().map_or_else(|| "?".to_owned(), |known| known.to_string()))
    };
    Ok(match name {
        "panic" | "expect_failed" | "begin_panic" | "panic_nounwind" | "panic_display" | "panic_str_2015"
        | "panic_str_literal" => known_text(run, args, 0)?,
        "panic_fmt" | "panic_nounwind_fmt" => format::describe(run, args.value(0), args.value(1))?,
        "panic_bounds_check" => {
            let (index, len) = (number(run, 0)?, number(run, 1)?);
            format!("index out of bounds: the len is {len} but the index is {index}")
        }
        "unwrap_failed" if path.contains("option") => "called `Option::unwrap()` on a `None` value".to_owned(),
        "unwrap_failed" => known_text(run, args, 0)?,
        "slice_start_index_len_fail" => {
            let (index, len) = (number(run, 0)?, number(run, 1)?);
            format!("range start index {index} out of range for slice of length {len}")
        }
        "slice_end_index_len_fail" => {
            let (index, len) = (number(run, 0)?, number(run, 1)?);
            format!("range end index {index} out of range for slice of length {len}")
        }
        "slice_index_order_fail" => {
            let (from, to) = (number(run, 0)?, number(run, 1)?);
            format!("slice index starts at {from} but ends at {to}")
        }
        "slice_index_fail" => {
            let (from, to, len) = (number(run, 0)?, number(run, 1)?, number(run, 2)?);
            format!("range {from}..{to} out of range for slice of length {len}")
        }
        "slice_error_fail" => "range of a string that is out of range or inside a character".to_owned(),
        "len_mismatch_fail" => "copy_from_slice: source and destination slices have different lengths".to_owned(),
        "assert_failed" | "assert_failed_inner" => match args.bits(run, 0)?.as_const() {
            Some(0) => "assertion `left == right` failed".to_owned(),
            Some(1) => "assertion `left != right` failed".to_owned(),
            _ => "assertion failed".to_owned(),
        },
        "panic_already_borrowed" => "already borrowed".to_owned(),
        "panic_already_mutably_borrowed" => "already mutably borrowed".to_owned(),
        "panic_null_pointer_dereference" => "null pointer dereference occurred".to_owned(),
        "panic_misaligned_pointer_dereference" => "misaligned pointer dereference".to_owned(),
        "panic_cannot_unwind" => "panic in a function that cannot unwind".to_owned(),
        "handle_error" | "capacity_overflow" => "capacity overflow".to_owned(),
        other => other.replace('_', " "),
    })
}

/// What an arithmetic operation says of itself.
fn arithmetic(what: &str) -> String {
    match what {
        "div_by_zero" => "attempt to divide by zero".to_owned(),
        "rem_by_zero" => "attempt to calculate the remainder with a divisor of zero".to_owned(),
        "rem_overflow" => "attempt to calculate the remainder with overflow".to_owned(),
        "async_fn_resumed" => "`async fn` resumed after completion".to_owned(),
        _ => match what.strip_suffix("_overflow") {
            Some(op) => {
                let op = match op {
                    "sub" => "subtract",
                    "mul" => "multiply",
                    "div" => "divide",
                    "neg" => "negate",
                    "shl" => "shift left",
                    "shr" => "shift right",
                    other => other,
                };
                format!("attempt to {op} with overflow")
            }
            None => what.replace('_', " "),
        },
    }
}

/// A string given by address and length, if it is known.
fn known_text(run: &mut Run, args: &Arguments, index: usize) -> Result<String, Stop> {
    if args.values.len() < index + 2 {
        return Ok(String::new());
    }
    let (text, length) = (args.pointer(run, index)?, args.bits(run, index + 1)?);
    let Some(length) = length.as_const() else { return Ok(String::new()) };
    Ok(format::known_bytes(run, text, length)?.map_or_else(String::new, |b| String::from_utf8_lossy(&b).into_owned()))
}
