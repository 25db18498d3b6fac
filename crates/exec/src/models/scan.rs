//! `stdio.h`: the `scanf` family.
//!
//! All of the input is looked at before anything is stored: what a directive takes is decided byte by byte, and the stores
//! are done at the end.
//!
//! Where a directive takes nothing, its variable keeps what it has. If that was never initialised, two versions of a program have the
//! same there, as far as they ask for the same: the first value that was asked for in a run of the one is that of the other.

use super::format::From;
use super::numbers::{self, Peek, SPACE};
use super::text::{Reader, Text, constant};
use super::{Arguments, Model, Reply, list};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Pointer, Shape, Value};
use smt::expr::Expr;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "scanf", run: |run, args| from_stream(run, args, None, 0, From::Here(1)) },
    Model { name: "__isoc99_scanf", run: |run, args| from_stream(run, args, None, 0, From::Here(1)) },
    Model { name: "__isoc23_scanf", run: |run, args| from_stream(run, args, None, 0, From::Here(1)) },
    Model { name: "vscanf", run: |run, args| from_stream(run, args, None, 0, From::List(1)) },
    Model { name: "__isoc99_vscanf", run: |run, args| from_stream(run, args, None, 0, From::List(1)) },
    Model { name: "fscanf", run: |run, args| from_stream(run, args, Some(0), 1, From::Here(2)) },
    Model { name: "__isoc99_fscanf", run: |run, args| from_stream(run, args, Some(0), 1, From::Here(2)) },
    Model { name: "__isoc23_fscanf", run: |run, args| from_stream(run, args, Some(0), 1, From::Here(2)) },
    Model { name: "vfscanf", run: |run, args| from_stream(run, args, Some(0), 1, From::List(2)) },
    Model { name: "__isoc99_vfscanf", run: |run, args| from_stream(run, args, Some(0), 1, From::List(2)) },
    Model { name: "sscanf", run: |run, args| from_string(run, args, From::Here(2)) },
    Model { name: "__isoc99_sscanf", run: |run, args| from_string(run, args, From::Here(2)) },
    Model { name: "__isoc23_sscanf", run: |run, args| from_string(run, args, From::Here(2)) },
    Model { name: "vsscanf", run: |run, args| from_string(run, args, From::List(2)) },
    Model { name: "__isoc99_vsscanf", run: |run, args| from_string(run, args, From::List(2)) },
];

fn from_stream(run: &mut Run, args: &Arguments, stream: Option<usize>, at: usize, from: From) -> Result<Reply, Stop> {
    let number = match stream {
        Some(index) => {
            let ptr = args.pointer(run, index)?;
            run.stream_at(ptr)?
        }
        None => 0,
    };
    let format = args.pointer(run, at)?;
    let format = run.known_string(format, "a format")?;
    let mut ended = false;
    let mut peek = |run: &mut Run, at: u64| {
        let byte = run.peek(number, at)?;
        ended |= byte.is_none();
        Ok(byte)
    };
    let scanned = scan(run, args, &format, from, &mut peek)?;
    let reply = scanned.store(run)?;
    run.advance(number, scanned.end);
    if ended {
        run.mark_end(number, true)?;
    }
    run.library().asked_for += scanned.wanted;
    Ok(reply)
}

fn from_string(run: &mut Run, args: &Arguments, from: From) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let format = args.pointer(run, 1)?;
    let format = run.known_string(format, "a format")?;
    let mut reader = Reader::new(ptr);
    let mut end = u64::MAX;
    let mut peek = |run: &mut Run, at: u64| {
        if at >= end {
            return Ok(None);
        }
        let byte = reader.byte(run, at)?;
        let zero = run.pool().eq(byte, constant(0));
        if run.decide(zero)? {
            end = at;
            return Ok(None);
        }
        Ok(Some(byte))
    };
    let scanned = scan(run, args, &format, from, &mut peek)?;
    let reply = scanned.store(run)?;
    run.library().asked_for += scanned.wanted;
    Ok(reply)
}

/// What was found.
struct Scanned {
    stores: Vec<(Pointer, Stored)>,
    /// Variables of numbers that got none: by how many values were asked for before in this call, with their size.
    unread: Vec<(u32, Pointer, u32)>,
    /// How many values the format asks for.
    wanted: u32,
    /// How many directives were assigned, or -1.
    assigned: i64,
    /// How far it went.
    end: u64,
}

enum Stored {
    Number(Expr, u32),
    Text(Text),
}

impl Scanned {
    /// Stores all of it.
    fn store(&self, run: &mut Run) -> Result<Reply, Stop> {
        for (ptr, stored) in &self.stores {
            match stored {
                Stored::Text(text) => run.write_text(*ptr, text)?,
                Stored::Number(value, size) => {
                    let value = run.pool().extract(*value, 0, size * 8);
                    run.store(*ptr, &Value::Bits(value), &Shape::Int { bits: size * 8, bytes: *size })?;
                }
            }
        }
        let before = run.state.library.asked_for;
        for &(number, ptr, size) in &self.unread {
            run.pair_uninitialised(before + number, ptr, size)?;
        }
        Ok(Reply::Value(Value::int(self.assigned as u64, 32)))
    }
}

/// Pointers to store to, in order.
enum Targets<'a> {
    Here(&'a Arguments<'a>, usize),
    List(list::Walk),
}

impl Targets<'_> {
    fn next(&mut self, run: &mut Run) -> Result<Pointer, Stop> {
        let value = match self {
            Targets::Here(args, next) => {
                *next += 1;
                args.value(*next - 1)
            }
            Targets::List(list) => list.next(run, &Shape::Ptr)?,
        };
        run.pointer(&value)
    }
}

/// A directive behind its `%`.
struct Directive {
    skip: bool,
    width: Option<u64>,
    size: u32,
    conversion: u8,
    /// Which bytes a set takes.
    set: Vec<u8>,
}

fn parse_directive(format: &[u8], at: &mut usize) -> Option<Directive> {
    let mut directive = Directive { skip: false, width: None, size: 4, conversion: 0, set: Vec::new() };
    if format.get(*at) == Some(&b'*') {
        directive.skip = true;
        *at += 1;
    }
    let start = *at;
    while format.get(*at).is_some_and(u8::is_ascii_digit) {
        *at += 1;
    }
    if *at > start {
        directive.width = std::str::from_utf8(&format[start..*at]).ok()?.parse().ok().filter(|&width: &u64| width > 0);
    }
    let start = *at;
    while format.get(*at).is_some_and(|byte| b"hlqLjzt".contains(byte)) {
        *at += 1;
    }
    directive.size = match &format[start..*at] {
        b"" => 4,
        b"hh" => 1,
        b"h" => 2,
        b"l" | b"ll" | b"q" | b"j" | b"z" | b"t" => 8,
        _ => 16,
    };
    directive.conversion = *format.get(*at)?;
    *at += 1;
    if directive.conversion == b'[' {
        let negated = format.get(*at) == Some(&b'^');
        *at += usize::from(negated);
        let first = *at;
        let mut members = [false; 256];
        while let Some(&byte) = format.get(*at) {
            if byte == b']' && *at > first {
                break;
            }
            match (format.get(*at + 1), format.get(*at + 2)) {
                (Some(b'-'), Some(&last)) if last != b']' => {
                    (byte..=last).for_each(|member| members[member as usize] = true);
                    *at += 3;
                }
                _ => {
                    members[byte as usize] = true;
                    *at += 1;
                }
            }
        }
        if format.get(*at) != Some(&b']') {
            return None;
        }
        *at += 1;
        directive.set = (0..=255).filter(|&byte| members[byte as usize] != negated).collect();
    }
    b"diouxXpeEfFgGaAcsn[%".contains(&directive.conversion).then_some(directive)
}

fn scan(run: &mut Run, args: &Arguments, format: &[u8], from: From, peek: &mut Peek) -> Result<Scanned, Stop> {
    let mut targets = match from {
        From::Here(first) => Targets::Here(args, first),
        From::List(index) => {
            let list = args.pointer(run, index)?;
            Targets::List(list::Walk::new(run, list)?)
        }
    };
    let mut scanned = Scanned { stores: Vec::new(), unread: Vec::new(), wanted: 0, assigned: 0, end: 0 };
    let mut converted = false;
    let mut at = 0;
    // Whether the input was over before a directive could begin.
    let mut over = false;
    while let Some(&byte) = format.get(at) {
        let begin = at;
        at += 1;
        if byte.is_ascii_whitespace() || byte == 11 {
            scanned.end = numbers::skip_space(run, scanned.end, peek)?;
            continue;
        }
        let mut literal = Some(byte);
        let mut directive = None;
        if byte == b'%' {
            let Some(parsed) = parse_directive(format, &mut at) else {
                return Err(run.unsupported(format!("the format {}", String::from_utf8_lossy(format))));
            };
            literal = (parsed.conversion == b'%').then_some(b'%');
            directive = Some(parsed).filter(|parsed| parsed.conversion != b'%');
            if literal.is_some() {
                scanned.end = numbers::skip_space(run, scanned.end, peek)?;
            }
        }
        if let Some(wanted) = literal {
            match peek(run, scanned.end)? {
                Some(byte) if run.one_of(byte, &[wanted])?.is_some() => scanned.end += 1,
                Some(_) => break,
                None => {
                    over = true;
                    break;
                }
            }
        }
        let Some(directive) = directive else { continue };
        if directive.conversion == b'n' {
            if !directive.skip {
                let ptr = targets.next(run)?;
                run.access(ptr, directive.size.into(), true)?;
                scanned.stores.push((ptr, Stored::Number(Expr::constant(scanned.end, 64), directive.size)));
            }
            continue;
        }
        if !matches!(directive.conversion, b'c' | b'[') {
            scanned.end = numbers::skip_space(run, scanned.end, peek)?;
        }
        if peek(run, scanned.end)?.is_none() {
            over = true;
            at = begin;
            break;
        }
        let Some((stored, end)) = convert(run, &directive, scanned.end, peek)? else {
            at = begin;
            break;
        };
        scanned.end = end;
        converted = true;
        if !directive.skip {
            let ptr = targets.next(run)?;
            let size = match &stored {
                Stored::Number(_, size) => u64::from(*size),
                Stored::Text(text) => text.len() as u64,
            };
            run.access(ptr, size, true)?;
            scanned.stores.push((ptr, stored));
            scanned.assigned += 1;
            scanned.wanted += 1;
        }
    }
    leave_unread(run, &mut scanned, &mut targets, format.get(at..).unwrap_or_default())?;
    if over && !converted {
        scanned.assigned = -1;
    }
    Ok(scanned)
}

/// Notes the variables that directives of the rest of a format leave as they are.
fn leave_unread(run: &mut Run, scanned: &mut Scanned, targets: &mut Targets, format: &[u8]) -> Result<(), Stop> {
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        at += 1;
        if byte != b'%' {
            continue;
        }
        let Some(directive) = parse_directive(format, &mut at) else { return Ok(()) };
        if directive.skip || directive.conversion == b'%' {
            continue;
        }
        let ptr = targets.next(run)?;
        let size = match directive.conversion {
            b'n' => continue,
            b'c' | b's' | b'[' => None,
            b'p' => Some(8),
            _ => Some(directive.size).filter(|&size| size <= 8),
        };
        scanned.unread.extend(size.map(|size| (scanned.wanted, ptr, size)));
        scanned.wanted += 1;
    }
    Ok(())
}

/// What a directive takes from a place on, and where it ends; `None` if it does not fit.
fn convert(run: &mut Run, directive: &Directive, start: u64, peek: &mut Peek) -> Result<Option<(Stored, u64)>, Stop> {
    let limit = directive.width.map_or(u64::MAX, |width| start.saturating_add(width));
    let mut limited = |run: &mut Run, at: u64| if at < limit { peek(run, at) } else { Ok(None) };
    match directive.conversion {
        b'c' => {
            let count = directive.width.unwrap_or(1);
            let mut text = Text::Known(Vec::new());
            for at in start..start + count {
                match limited(run, at)? {
                    Some(byte) => text.push(byte),
                    None => return Ok(None),
                }
            }
            Ok(Some((Stored::Text(text), start + count)))
        }
        b's' | b'[' => {
            let mut text = Text::Known(Vec::new());
            let ranges = ranges(&directive.set);
            let mut at = start;
            while let Some(byte) = limited(run, at)? {
                let stop = match directive.conversion {
                    b's' => run.is_among(byte, SPACE)?,
                    _ => !run.is_among(byte, &ranges)?,
                };
                if stop {
                    break;
                }
                text.push(byte);
                at += 1;
            }
            if at == start {
                return Ok(None);
            }
            text.push(constant(0));
            Ok(Some((Stored::Text(text), at)))
        }
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'p' => {
            let base = match directive.conversion {
                b'i' => 0,
                b'o' => 8,
                b'x' | b'X' | b'p' => 16,
                _ => 10,
            };
            let Some(integer) = numbers::integer(run, start, base, &mut limited)? else { return Ok(None) };
            let (value, _) = match directive.conversion {
                b'd' | b'i' => integer.signed(run)?,
                _ => integer.unsigned(run)?,
            };
            let size = if directive.conversion == b'p' { 8 } else { directive.size.min(8) };
            Ok(Some((Stored::Number(value, size), integer.end)))
        }
        _ => {
            let Some(float) = numbers::float(run, start, &mut limited)? else { return Ok(None) };
            let stored = match directive.size {
                8 => Stored::Number(Expr::constant(float.double().0, 64), 8),
                4 => Stored::Number(Expr::constant(float.single().0, 32), 4),
                _ => return Err(run.unsupported("a long double that is read")),
            };
            Ok(Some((stored, float.end)))
        }
    }
}

/// A sorted set of bytes as ranges.
fn ranges(set: &[u8]) -> Vec<(u8, u8)> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for &byte in set {
        match ranges.last_mut() {
            Some((_, last)) if *last as u32 + 1 == u32::from(byte) => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
}
