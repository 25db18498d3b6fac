//! Texts of error numbers.

use super::text::Text;
use super::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::Value;
use smt::expr::{Expr, signed};

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "__errno_location", run: errno_location },
    Model { name: "strerror", run: strerror },
    Model { name: "strerror_r", run: strerror_r },
    Model { name: "__xpg_strerror_r", run: strerror_xpg },
];

/// What glibc says, by number.
const TEXTS: &str = include_str!("errors.txt");

/// The text of an error number, which has to be known.
pub(super) fn text(run: &mut Run, number: Expr) -> Result<Vec<u8>, Stop> {
    let Some(number) = number.as_const() else { return Err(run.unsupported("an error number that is not known")) };
    let line = TEXTS.lines().find_map(|line| {
        let (known, text) = line.split_once(' ')?;
        (known.parse() == Ok(number)).then(|| text.to_owned())
    });
    Ok(line.unwrap_or_else(|| format!("Unknown error {}", signed(number, 32))).into_bytes())
}

fn errno_location(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    run.note_errno(false);
    Ok(Reply::Value(Value::Ptr(run.errno_place())))
}

fn strerror(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let number = args.int(run, 0)?;
    let mut text = text(run, number)?;
    text.push(0);
    let buffer = run.library_memory("strerror", 64);
    run.write_text(buffer, &Text::Known(text))?;
    Ok(Reply::Value(Value::Ptr(buffer)))
}

fn strerror_r(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    strerror(run, args)
}

fn strerror_xpg(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    const ERANGE: u64 = 34;
    let number = args.int(run, 0)?;
    let to = args.pointer(run, 1)?;
    let size = args.size(run, 2)?;
    let text = text(run, number)?;
    let fits = (text.len() as u64) < size;
    let mut text = Text::Known(text);
    text.truncate(size.saturating_sub(1) as usize);
    if size > 0 {
        text.extend(&[0]);
        run.write_text(to, &text)?;
    }
    Ok(Reply::Value(Value::int(if fits { 0 } else { ERANGE }, 32)))
}
