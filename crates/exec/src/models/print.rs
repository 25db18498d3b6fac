//! `stdio.h`: writing.

use super::format::{Formatted, From, Piece, format};
use super::text::{Text, constant};
use super::{Arguments, Model, Reply, errors};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Pointer, Shape, Value};
use smt::expr::Expr;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "printf", run: |run, args| to_stream(run, args, None, 0, From::Here(1)) },
    Model { name: "vprintf", run: |run, args| to_stream(run, args, None, 0, From::List(1)) },
    Model { name: "fprintf", run: |run, args| to_stream(run, args, Some(0), 1, From::Here(2)) },
    Model { name: "vfprintf", run: |run, args| to_stream(run, args, Some(0), 1, From::List(2)) },
    Model { name: "dprintf", run: |run, args| to_descriptor(run, args, 1, From::Here(2)) },
    Model { name: "vdprintf", run: |run, args| to_descriptor(run, args, 1, From::List(2)) },
    Model { name: "sprintf", run: |run, args| to_memory(run, args, None, 1, From::Here(2)) },
    Model { name: "vsprintf", run: |run, args| to_memory(run, args, None, 1, From::List(2)) },
    Model { name: "snprintf", run: |run, args| to_memory(run, args, Some(1), 2, From::Here(3)) },
    Model { name: "vsnprintf", run: |run, args| to_memory(run, args, Some(1), 2, From::List(3)) },
    Model { name: "asprintf", run: |run, args| to_allocated(run, args, 1, From::Here(2)) },
    Model { name: "vasprintf", run: |run, args| to_allocated(run, args, 1, From::List(2)) },
    Model { name: "__printf_chk", run: |run, args| to_stream(run, args, None, 1, From::Here(2)) },
    Model { name: "__vprintf_chk", run: |run, args| to_stream(run, args, None, 1, From::List(2)) },
    Model { name: "__fprintf_chk", run: |run, args| to_stream(run, args, Some(0), 2, From::Here(3)) },
    Model { name: "__vfprintf_chk", run: |run, args| to_stream(run, args, Some(0), 2, From::List(3)) },
    Model { name: "__sprintf_chk", run: |run, args| to_memory(run, args, None, 3, From::Here(4)) },
    Model { name: "__vsprintf_chk", run: |run, args| to_memory(run, args, None, 3, From::List(4)) },
    Model { name: "__snprintf_chk", run: |run, args| to_memory(run, args, Some(1), 4, From::Here(5)) },
    Model { name: "__vsnprintf_chk", run: |run, args| to_memory(run, args, Some(1), 4, From::List(5)) },
    Model { name: "__asprintf_chk", run: |run, args| to_allocated(run, args, 2, From::Here(3)) },
    Model { name: "__vasprintf_chk", run: |run, args| to_allocated(run, args, 2, From::List(3)) },
    Model { name: "puts", run: puts },
    Model { name: "fputs", run: fputs },
    Model { name: "fputs_unlocked", run: fputs },
    Model { name: "putchar", run: putchar },
    Model { name: "putchar_unlocked", run: putchar },
    Model { name: "putc", run: fputc },
    Model { name: "fputc", run: fputc },
    Model { name: "_IO_putc", run: fputc },
    Model { name: "putc_unlocked", run: fputc },
    Model { name: "fputc_unlocked", run: fputc },
    Model { name: "__overflow", run: overflow },
    Model { name: "fwrite", run: fwrite },
    Model { name: "fwrite_unlocked", run: fwrite },
    Model { name: "write", run: write },
    Model { name: "perror", run: perror },
];

/// The descriptor of standard output.
const OUT: usize = 1;
const ERROR: usize = 2;

fn int(value: i64) -> Reply {
    Reply::Value(Value::int(value as u64, 32))
}

/// What a call returns that wrote so much: its length, or any number if that is not known.
fn written(run: &mut Run, made: &Formatted) -> Reply {
    match made.text() {
        Ok(text) => int(text.len() as i64),
        Err(_) => {
            let mut known = 0;
            let mut args = Vec::new();
            for piece in &made.pieces {
                match piece {
                    Piece::Text(text) => known += text.len() as u64,
                    Piece::Opaque(_, value) => args.push(*value),
                }
            }
            args.push(Expr::constant(known, 64));
            let function = run.worker.function("length of a formatted float");
            Reply::Value(Value::Bits(run.pool().apply(function, &args, 32)))
        }
    }
}

/// Writes what `%n` asks for.
fn write_counts(run: &mut Run, made: &Formatted) -> Result<(), Stop> {
    for &(ptr, count, size) in &made.counts {
        run.store(ptr, &Value::int(count, size * 8), &Shape::Int { bits: size * 8, bytes: size })?;
    }
    Ok(())
}

fn to_stream(run: &mut Run, args: &Arguments, stream: Option<usize>, at: usize, from: From) -> Result<Reply, Stop> {
    let number = match stream {
        Some(index) => {
            let ptr = args.pointer(run, index)?;
            run.stream_at(ptr)?
        }
        None => OUT,
    };
    let made = format(run, args, at, from)?;
    put(run, number, &made)
}

fn to_descriptor(run: &mut Run, args: &Arguments, at: usize, from: From) -> Result<Reply, Stop> {
    let number = args.int(run, 0)?;
    let number = run.number(number, 16, "a descriptor that is not known")? as usize;
    let made = format(run, args, at, from)?;
    run.pass_buffer(number);
    put(run, number, &made)
}

fn put(run: &mut Run, number: usize, made: &Formatted) -> Result<Reply, Stop> {
    if !run.can_write(number)? {
        return Ok(int(-1));
    }
    for piece in &made.pieces {
        match piece {
            Piece::Text(text) => run.write_stream(number, text)?,
            Piece::Opaque(what, value) => run.write_opaque(number, what, &[*value]),
        }
    }
    write_counts(run, made)?;
    Ok(written(run, made))
}

fn to_memory(run: &mut Run, args: &Arguments, size: Option<usize>, at: usize, from: From) -> Result<Reply, Stop> {
    let to = args.pointer(run, 0)?;
    let made = format(run, args, at, from)?;
    let room = match size {
        Some(index) => args.size(run, index)?,
        None => u64::MAX,
    };
    let text = match made.text() {
        Ok(text) => text,
        Err(_) if room == 0 => Text::Known(Vec::new()),
        Err(what) => {
            let what = format!("the text that {what} makes of a float that is not known");
            return Err(run.unsupported(what));
        }
    };
    if room > 0 {
        let mut text = text;
        text.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
        text.push(constant(0));
        run.write_text(to, &text)?;
    }
    write_counts(run, &made)?;
    Ok(written(run, &made))
}

fn to_allocated(run: &mut Run, args: &Arguments, at: usize, from: From) -> Result<Reply, Stop> {
    let place = args.pointer(run, 0)?;
    let made = format(run, args, at, from)?;
    let mut text = match made.text() {
        Ok(text) => text,
        Err(what) => {
            let what = format!("the text that {what} makes of a float that is not known");
            return Err(run.unsupported(what));
        }
    };
    run.access(place, 8, true)?;
    text.push(constant(0));
    let memory = super::alloc::allocate(run, Expr::constant(text.len() as u64, 64), 16, false);
    run.write_text(memory, &text)?;
    run.store(place, &Value::Ptr(memory), &Shape::Ptr)?;
    write_counts(run, &made)?;
    Ok(written(run, &made))
}

fn puts(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let mut text = run.string(ptr)?;
    text.push(constant(b'\n'));
    let length = text.len();
    run.write_stream(OUT, &text)?;
    Ok(int(length as i64))
}

fn fputs(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (ptr, stream) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let text = run.string(ptr)?;
    let number = run.stream_at(stream)?;
    if !run.can_write(number)? {
        return Ok(int(-1));
    }
    run.write_stream(number, &text)?;
    Ok(int(1))
}

fn put_byte(run: &mut Run, number: usize, byte: Expr) -> Result<Reply, Stop> {
    if !run.can_write(number)? {
        return Ok(int(-1));
    }
    let mut text = Text::Known(Vec::new());
    text.push(byte);
    run.write_stream(number, &text)?;
    Ok(Reply::Value(Value::Bits(run.pool().zext(byte, 32))))
}

fn putchar(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let byte = args.character(run, 0)?;
    put_byte(run, OUT, byte)
}

fn fputc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let byte = args.character(run, 0)?;
    let stream = args.pointer(run, 1)?;
    let number = run.stream_at(stream)?;
    put_byte(run, number, byte)
}

/// What `putc_unlocked` calls where the compiler put it in line.
fn overflow(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let stream = args.pointer(run, 0)?;
    let byte = args.character(run, 1)?;
    let number = run.stream_at(stream)?;
    put_byte(run, number, byte)
}

fn fwrite(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (ptr, stream) = (args.pointer(run, 0)?, args.pointer(run, 3)?);
    let (size, count) = (args.size(run, 1)?, args.size(run, 2)?);
    let number = run.stream_at(stream)?;
    let Some(total) = size.checked_mul(count).filter(|&total| total > 0) else {
        return Ok(Reply::Value(Value::int(0, 64)));
    };
    let text = run.bytes(ptr, total)?;
    if !run.can_write(number)? {
        return Ok(Reply::Value(Value::int(0, 64)));
    }
    run.write_stream(number, &text)?;
    Ok(Reply::Value(Value::int(count, 64)))
}

fn write(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let number = args.int(run, 0)?;
    let number = run.number(number, 16, "a descriptor that is not known")? as usize;
    let ptr = args.pointer(run, 1)?;
    let size = args.size(run, 2)?;
    let text = run.bytes(ptr, size)?;
    if !run.can_write(number)? {
        return Ok(Reply::Value(Value::int(u64::MAX, 64)));
    }
    run.pass_buffer(number);
    run.write_stream(number, &text)?;
    Ok(Reply::Value(Value::int(size, 64)))
}

fn perror(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let mut text = if ptr == Pointer::NULL || run.is_null(ptr)? { Text::Known(Vec::new()) } else { run.string(ptr)? };
    if text.len() > 0 {
        text.extend(b": ");
    }
    let number = run.errno()?;
    if number.as_const().is_none() {
        run.write_stream(ERROR, &text)?;
        run.write_opaque(ERROR, "strerror", &[number]);
        run.write_stream(ERROR, &Text::Known(b"\n".to_vec()))?;
        return Ok(Reply::Nothing);
    }
    let message = errors::text(run, number)?;
    text.extend(&message);
    text.push(constant(b'\n'));
    run.write_stream(ERROR, &text)?;
    Ok(Reply::Nothing)
}
