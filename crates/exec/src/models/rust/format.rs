//! Formatting: `print!`, `format!` and what implementations of `Display` and `Debug` call.
//!
//! `fmt::Arguments` are two words: a template and its arguments, or a text and its length, which is then odd. A template is
//! a sequence of pieces of text, each behind its length, and of placeholders. Text is produced where everything in it is
//! a number, character or string of known value. What cannot be told is written as [`Effect::Opaque`].

use super::{path, vec};
use crate::formatters::{DEFAULT_FLAGS, FORMATTER};
use crate::memory::Kind;
use crate::models::{Arguments, Model, Reply};
use crate::names::demangled;
use crate::run::Run;
use crate::state::{Effect, RemarkKind, Stop};
use crate::value::{ObjectId, Pointer, Shape, Value};
use ir::id::FuncId;
use ir::inst::{Callee, InstKind};
use ir::module::SymbolKind;
use smt::expr::Expr;

pub(super) const MODELS: &[Model] = &[
    Model { name: "std::io::stdio::_print", run: |run, args| print(run, args, 1) },
    Model { name: "std::io::stdio::_eprint", run: |run, args| print(run, args, 2) },
    Model { name: "alloc::fmt::format::format_inner", run: format_string },
];

/// Everything that writes to a `Formatter` succeeds. Texts are followed byte by byte, numbers as far as that equal ones give
/// equal text; what else is written is not followed.
pub fn find(path: &str) -> Option<Model> {
    let of_formatter = path
        .strip_prefix("core::fmt::Formatter::")
        .or_else(|| path.strip_prefix("<core::fmt::Formatter as core::fmt::Write>::"));
    match of_formatter {
        Some("write_str") => return Some(Model { name: "formatting", run: write_text }),
        Some("write_fmt") => return Some(Model { name: "formatting", run: write_formatted }),
        None if path == "core::fmt::write" => return Some(Model { name: "formatting", run: write_formatted }),
        _ => {}
    }
    if let Some(ty) = path.strip_suffix("::_fmt")
        && integer(ty).is_some_and(|(bits, signed)| bits <= 64 && !signed)
    {
        return Some(Model { name: "digits", run: write_digits });
    }
    let formatter = path.starts_with("core::fmt::Formatter::")
        || path.starts_with("<core::fmt::Formatter as core::fmt::Write>::")
        || path.starts_with("core::fmt::builders::");
    let implementation = path.ends_with(">::fmt") && path.contains(" as core::fmt::");
    (formatter || implementation).then_some(Model { name: "formatting", run: write_opaque })
}

/// A part of what is formatted.
enum Piece {
    Text(Vec<u8>),
    Value { value: Pointer, formatter: FuncId, options: Options },
}

/// How a placeholder wants its value.
#[derive(Clone, Copy)]
struct Options {
    flags: u32,
    width: Option<u16>,
    precision: Option<u16>,
}

const PLUS: u32 = 1 << 21;
const ALTERNATE: u32 = 1 << 23;
const ZEROS: u32 = 1 << 24;

/// The longest text that is read.
const LONGEST: u64 = 1 << 16;

fn print(run: &mut Run, args: &Arguments, stream: u32) -> Result<Reply, Stop> {
    let pieces = pieces(run, args.value(0), args.value(1))?;
    let Some(pieces) = pieces else { return Err(run.unsupported("a format that is not known")) };
    let mut effects = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => effects.push(output(stream, &text)),
            Piece::Value { value, formatter, options } => match known_text(run, value, formatter, options)? {
                Some(text) => effects.push(output(stream, &text)),
                None => {
                    let what = demangled(&run.program().module, formatter);
                    let args = visible(run, value)?;
                    run.remark(RemarkKind::Approximate("formatted output".to_owned()));
                    effects.push(Effect::Opaque { stream, what: what.into(), args: args.into() });
                }
            },
        }
    }
    for effect in effects {
        run.state.effects.push(effect);
    }
    Ok(Reply::Nothing)
}

fn output(stream: u32, text: &[u8]) -> Effect {
    Effect::Output { stream, bytes: text.iter().map(|&byte| Expr::constant(byte.into(), 8)).collect() }
}

/// `String` to where the result goes.
fn format_string(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let result = args.pointer(run, 0)?;
    let pieces = pieces(run, args.value(1), args.value(2))?;
    let Some(pieces) = pieces else { return Err(run.unsupported("a format that is not known")) };
    let mut text: Vec<Expr> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(bytes) => text.extend(bytes.iter().map(|&byte| Expr::constant(byte.into(), 8))),
            Piece::Value { value, formatter, options } => match known_text(run, value, formatter, options)? {
                Some(bytes) => text.extend(bytes.iter().map(|&byte| Expr::constant(byte.into(), 8))),
                None => text.extend(unknown_text(run, value, formatter, options)?),
            },
        }
    }
    run.access(result, 24, true)?;
    let length = text.len() as u64;
    vec::new_string(run, result, length, |run, memory| {
        for (i, byte) in text.iter().enumerate() {
            let at = run.offset(memory, i as u64);
            run.store_byte(at, *byte)?;
        }
        Ok(())
    })?;
    Ok(Reply::Nothing)
}

/// What a build does differently that has no formatter of its own.
const WRITES: &str = "what is written to a formatter";

/// Text of a string.
fn write_text(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let text = args.pointer(run, 1)?;
    let length = args.value(2);
    let length = run.bits(&length, 64)?;
    let bytes = text_bytes(run, text, length)?;
    run.remark(RemarkKind::AnyResult(WRITES.to_owned()));
    run.state.effects.push(Effect::Output { stream: FORMATTER, bytes: bytes.into() });
    Ok(Reply::Value(Value::int(0, 1)))
}

/// `write!` to a formatter, or to what it writes to itself: then a table of functions comes with it.
fn write_formatted(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let first = match args.values.len() {
        3 => Some(1),
        4 => {
            let table = args.pointer(run, 1)?;
            matches!(run.object(table.object).kind, Kind::Input(_)).then_some(2)
        }
        _ => None,
    };
    let pieces = match first {
        Some(first) => pieces(run, args.value(first), args.value(first + 1))?,
        None => None,
    };
    let Some(pieces) = pieces else { return write_opaque(run, args) };
    let (mut effects, mut approximate) = (Vec::new(), false);
    for piece in pieces {
        match piece {
            Piece::Text(text) => effects.push(output(FORMATTER, &text)),
            Piece::Value { value, formatter, options } => match known_text(run, value, formatter, options)? {
                Some(text) => effects.push(output(FORMATTER, &text)),
                None => match written(run, value, formatter, options)? {
                    Some(effect) => effects.push(effect),
                    None => {
                        let what = demangled(&run.program().module, formatter);
                        let args = visible(run, value)?;
                        effects.push(Effect::Opaque { stream: FORMATTER, what: what.into(), args: args.into() });
                        approximate = true;
                    }
                },
            },
        }
    }
    let remark = match approximate {
        true => RemarkKind::Approximate("formatted output".to_owned()),
        false => RemarkKind::AnyResult(WRITES.to_owned()),
    };
    run.remark(remark);
    for effect in effects {
        run.state.effects.push(effect);
    }
    Ok(Reply::Value(Value::int(0, 1)))
}

/// What an unknown number or text is written as: the number itself, which is all that its text depends on, or the text.
fn written(run: &mut Run, value: Pointer, formatter: FuncId, options: Options) -> Result<Option<Effect>, Stop> {
    let Some((ty, what, references)) = meaning(run, formatter) else { return Ok(None) };
    let mut place = value;
    for _ in 0..references.saturating_sub(u32::from(ty == "str")) {
        let next = run.load(place, &Shape::Ptr)?;
        place = run.pointer(&next)?;
    }
    let Options { flags, width, precision } = options;
    if ty == "str" || ty == "alloc::string::String" {
        if what != "Display" || flags != DEFAULT_FLAGS || width.is_some() || precision.is_some() {
            return Ok(None);
        }
        let bytes = string_bytes(run, place, if ty == "str" { 0 } else { 8 })?;
        return Ok(Some(Effect::Output { stream: FORMATTER, bytes: bytes.into() }));
    }
    let bits = match ty.as_str() {
        "char" | "f32" => 32,
        "bool" => 8,
        "f64" => 64,
        _ => match integer(&ty) {
            Some((bits, _)) => bits,
            None => return Ok(None),
        },
    };
    let value = run.load(place, &Shape::Int { bits, bytes: bits / 8 })?;
    let value = run.bits(&value, bits)?;
    let what = format!("{ty} {what} {flags:x} {width:?} {precision:?}");
    Ok(Some(Effect::Opaque { stream: FORMATTER, what: what.into(), args: [value].into() }))
}

/// A function that writes to a `Formatter`.
fn write_opaque(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = demangled(&run.program().module, args.function);
    if args.result_bits() != 1 {
        // Builders, which return themselves; their own contents are not followed.
        return match args.result {
            Shape::Ptr => Ok(Reply::Value(args.value(0))),
            _ => Err(run.unsupported(name)),
        };
    }
    let mut known = Vec::new();
    for (value, shape) in args.values.iter().zip(args.shapes) {
        match value {
            Value::Bits(expr) => known.push(*expr),
            Value::Ptr(pointer) if matches!(shape, Shape::Ptr) => known.extend(visible(run, *pointer)?),
            _ => {}
        }
    }
    run.remark(RemarkKind::Approximate("formatted output".to_owned()));
    run.state.effects.push(Effect::Opaque { stream: FORMATTER, what: name.into(), args: known.into() });
    Ok(Reply::Value(Value::int(0, 1)))
}

/// The numbers that can be seen from an address on without asking anything.
fn visible(run: &mut Run, pointer: Pointer) -> Result<Vec<Expr>, Stop> {
    let mut seen = Vec::new();
    let (Some(start), Some(size)) = (pointer.offset.as_const(), run.object(pointer.object).size.as_const()) else {
        return Ok(seen);
    };
    let contents = run.object(pointer.object).contents.clone();
    if pointer.object == ObjectId::NONE || contents.array.is_some() {
        return Ok(seen);
    }
    let mut at = start;
    while at < size.min(start.saturating_add(64)) {
        match contents.cell_at(at) {
            Some((_, cell)) => {
                if let Value::Bits(expr) = &cell.value {
                    seen.push(*expr);
                }
                at += u64::from(cell.size).max(1);
            }
            None => {
                if let crate::contents::Part::Bytes(byte) = contents.part(at, 1) {
                    seen.push(Expr::constant(byte, 8));
                }
                at += 1;
            }
        }
    }
    Ok(seen)
}

/// What arguments of a format say, for a message: values that are not known are shown as `{}`.
pub fn describe(run: &mut Run, template: Value, args: Value) -> Result<String, Stop> {
    let Some(pieces) = pieces(run, template, args)? else { return Ok(String::new()) };
    let mut message = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) => message.extend(text),
            Piece::Value { value, formatter, options } => {
                let text = known_text(run, value, formatter, options)?;
                message.extend(text.unwrap_or_else(|| b"{}".to_vec()));
            }
        }
    }
    Ok(String::from_utf8_lossy(&message).into_owned())
}

/// Bytes from an address on, if all are known.
pub fn known_bytes(run: &mut Run, from: Pointer, length: u64) -> Result<Option<Vec<u8>>, Stop> {
    if length == 0 {
        return Ok(Some(Vec::new()));
    }
    if length > LONGEST {
        return Ok(None);
    }
    let (object, offset) = run.access(from, length, false)?;
    let Some(offset) = offset.as_const() else { return Ok(None) };
    if let Some(bytes) = run.object(object).contents.known(offset, length) {
        return Ok(Some(bytes.into_owned()));
    }
    let mut bytes = Vec::new();
    for i in 0..length {
        let at = run.offset(from, i);
        match run.load_byte(at)?.as_const() {
            Some(byte) => bytes.push(byte as u8),
            None => return Ok(None),
        }
    }
    Ok(Some(bytes))
}

/// Reads a template; `None` if it is not known.
fn pieces(run: &mut Run, template: Value, args: Value) -> Result<Option<Vec<Piece>>, Stop> {
    let template = run.pointer(&template)?;
    let args = run.pointer(&args)?;
    if args.object == ObjectId::NONE {
        let Some(length) = args.offset.as_const().filter(|word| word % 2 == 1) else { return Ok(None) };
        return Ok(known_bytes(run, template, length >> 1)?.map(|text| vec![Piece::Text(text)]));
    }
    let mut reader = Reader { template, at: 0 };
    let (mut pieces, mut next) = (Vec::new(), 0u64);
    for _ in 0..LONGEST {
        let Some(first) = reader.number(run, 1)? else { return Ok(None) };
        match first {
            0 => return Ok(Some(pieces)),
            1..=0x80 => {
                let length = if first == 0x80 { reader.number(run, 2)? } else { Some(first) };
                let Some(length) = length else { return Ok(None) };
                let place = run.offset(template, reader.at);
                let Some(text) = known_bytes(run, place, length)? else { return Ok(None) };
                pieces.push(Piece::Text(text));
                reader.at += length;
            }
            0xc0.. => {
                let mut options = Options { flags: DEFAULT_FLAGS, width: None, precision: None };
                let mut field = |run: &mut Run, bit: u32, size: u64| match first >> bit & 1 {
                    1 => reader.number(run, size),
                    _ => Ok(None),
                };
                let flags = field(run, 0, 4)?;
                let (width, precision, index) = (field(run, 1, 2)?, field(run, 2, 2)?, field(run, 3, 2)?);
                if first >> 4 & 3 != 0 {
                    // Widths that are arguments themselves.
                    return Ok(None);
                }
                options.flags = flags.map_or(options.flags, |flags| flags as u32);
                options.width = width.map(|width| width as u16);
                options.precision = precision.map(|precision| precision as u16);
                let index = index.unwrap_or(next);
                next = index + 1;
                let place = run.offset(args, index * 16);
                let value = run.load(place, &Shape::Ptr)?;
                let value = run.pointer(&value)?;
                let place = run.offset(args, index * 16 + 8);
                let formatter = run.load(place, &Shape::Ptr)?;
                let formatter = run.pointer(&formatter)?;
                let Some(formatter) = run.function_at(formatter) else { return Ok(None) };
                pieces.push(Piece::Value { value, formatter, options });
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

struct Reader {
    template: Pointer,
    at: u64,
}

impl Reader {
    /// The next bytes as a number, if they are known.
    fn number(&mut self, run: &mut Run, size: u64) -> Result<Option<u64>, Stop> {
        let place = run.offset(self.template, self.at);
        self.at += size;
        let bytes = known_bytes(run, place, size)?;
        Ok(bytes.map(|bytes| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))))
    }
}

/// The type and trait that a formatting function is for, and how many references stand before the value.
fn meaning(run: &Run, formatter: FuncId) -> Option<(String, String, u32)> {
    let module = &run.program().module;
    let (mut id, mut references) = (formatter, 0);
    for _ in 0..8 {
        let name = path::plain(&demangled(module, id));
        let inner = name.strip_prefix('<')?.strip_suffix(">::fmt")?;
        let (ty, what) = inner.split_once(" as core::fmt::")?;
        let function = &module.functions[id];
        if let Some(to) = ty.strip_prefix('&')
            && !function.is_defined()
        {
            return Some((to.to_owned(), what.to_owned(), references + 1));
        }
        if !ty.starts_with('&') {
            return Some((ty.to_owned(), what.to_owned(), references));
        }
        // A reference only calls the implementation of what it refers to.
        references += 1;
        let mut callees = function.body().filter_map(|(_, _, inst)| match &inst.kind {
            InstKind::Call(call) => match call.callee {
                Callee::Value(value) => match module.symbols[module.as_symbol(value)?].kind {
                    SymbolKind::Function(id) => Some(id),
                    _ => None,
                },
                Callee::Asm(_) => None,
            },
            _ => None,
        });
        id = callees.find(|&callee| module.function_name(callee).contains("3fmt"))?;
    }
    None
}

/// The text of a value, if all of it is known.
fn known_text(run: &mut Run, value: Pointer, formatter: FuncId, options: Options) -> Result<Option<Vec<u8>>, Stop> {
    let Some((ty, what, references)) = meaning(run, formatter) else { return Ok(None) };
    let mut place = value;
    for _ in 0..references {
        let next = run.load(place, &Shape::Ptr)?;
        // The last reference to a string is two words, read below.
        if ty == "str" {
            break;
        }
        place = run.pointer(&next)?;
    }
    if ty == "str" || ty == "alloc::string::String" {
        let offset = if ty == "str" { 0 } else { 8 };
        let Some(text) = known_string(run, place, offset)? else { return Ok(None) };
        let text = match what.as_str() {
            "Display" => text,
            "Debug" => format!("{text:?}"),
            _ => return Ok(None),
        };
        return Ok(Some(padded_text(text, options).into_bytes()));
    }
    let Some((bits, signed)) = integer(&ty) else { return other(run, place, &ty, &what, options) };
    let value = run.load(place, &Shape::Int { bits, bytes: bits / 8 })?;
    let value = run.bits(&value, bits)?;
    let Some(known) = run.pool().known(value) else { return Ok(None) };
    let raw = known.low_128();
    let negative = signed && known.is_negative();
    let magnitude = if negative { known.neg().low_128() } else { raw };
    let (digits, prefix, negative) = match what.as_str() {
        "Display" | "Debug" if options.flags >> 25 & 3 == 0 => (magnitude.to_string(), "", negative),
        "LowerHex" => (format!("{raw:x}"), "0x", false),
        "UpperHex" => (format!("{raw:X}"), "0x", false),
        "Octal" => (format!("{raw:o}"), "0o", false),
        "Binary" => (format!("{raw:b}"), "0b", false),
        _ => return Ok(None),
    };
    let prefix = if options.flags & ALTERNATE != 0 { prefix } else { "" };
    Ok(Some(padded_number(&digits, prefix, negative, options).into_bytes()))
}

/// Characters, truth values and floats.
fn other(run: &mut Run, place: Pointer, ty: &str, what: &str, options: Options) -> Result<Option<Vec<u8>>, Stop> {
    let bits = match ty {
        "char" | "f32" => 32,
        "bool" => 8,
        "f64" => 64,
        _ => return Ok(None),
    };
    let value = run.load(place, &Shape::Int { bits, bytes: bits / 8 })?;
    let Some(known) = run.bits(&value, bits)?.as_const() else { return Ok(None) };
    let text = match (ty, what) {
        ("bool", "Display" | "Debug") => (known == 1).to_string(),
        ("char", "Display") => char::from_u32(known as u32).unwrap_or('\u{fffd}').to_string(),
        ("char", "Debug") => format!("{:?}", char::from_u32(known as u32).unwrap_or('\u{fffd}')),
        ("f64" | "f32", "Display" | "Debug") if options.flags & (PLUS | ALTERNATE | ZEROS) == 0 => {
            return Ok(Some(pad(float_text(ty, known, what, options.precision), options, 1).into_bytes()));
        }
        _ => return Ok(None),
    };
    Ok(Some(padded_text(text, options).into_bytes()))
}

fn float_text(ty: &str, bits: u64, what: &str, precision: Option<u16>) -> String {
    let precision = precision.map(usize::from);
    match (ty, what, precision) {
        ("f64", "Display", None) => format!("{}", f64::from_bits(bits)),
        ("f64", "Display", Some(p)) => format!("{:.p$}", f64::from_bits(bits)),
        ("f64", _, None) => format!("{:?}", f64::from_bits(bits)),
        ("f64", _, Some(p)) => format!("{:.p$?}", f64::from_bits(bits)),
        (_, "Display", None) => format!("{}", f32::from_bits(bits as u32)),
        (_, "Display", Some(p)) => format!("{:.p$}", f32::from_bits(bits as u32)),
        (_, _, None) => format!("{:?}", f32::from_bits(bits as u32)),
        (_, _, Some(p)) => format!("{:.p$?}", f32::from_bits(bits as u32)),
    }
}

/// Width and sign of an integer type.
fn integer(ty: &str) -> Option<(u32, bool)> {
    Some(match ty {
        "u8" => (8, false),
        "u16" => (16, false),
        "u32" => (32, false),
        "u64" | "usize" => (64, false),
        "u128" => (128, false),
        "i8" => (8, true),
        "i16" => (16, true),
        "i32" => (32, true),
        "i64" | "isize" => (64, true),
        "i128" => (128, true),
        _ => return None,
    })
}

/// The text of a string whose address lies at an offset and its length behind that, if all is known.
fn known_string(run: &mut Run, place: Pointer, offset: u64) -> Result<Option<String>, Stop> {
    let at = run.offset(place, offset);
    let text = run.load(at, &Shape::Ptr)?;
    let text = run.pointer(&text)?;
    let at = run.offset(place, offset + 8);
    let length = run.load(at, &Shape::Int { bits: 64, bytes: 8 })?;
    let Some(length) = run.bits(&length, 64)?.as_const() else { return Ok(None) };
    let Some(bytes) = known_bytes(run, text, length)? else { return Ok(None) };
    Ok(String::from_utf8(bytes).ok())
}

/// The bytes of a string whose address lies at an offset and its length behind that.
fn string_bytes(run: &mut Run, place: Pointer, offset: u64) -> Result<Vec<Expr>, Stop> {
    let at = run.offset(place, offset);
    let text = run.load(at, &Shape::Ptr)?;
    let text = run.pointer(&text)?;
    let at = run.offset(place, offset + 8);
    let length = run.load(at, &Shape::Int { bits: 64, bytes: 8 })?;
    let length = run.bits(&length, 64)?;
    text_bytes(run, text, length)
}

/// So many bytes from an address on.
fn text_bytes(run: &mut Run, text: Pointer, length: Expr) -> Result<Vec<Expr>, Stop> {
    let length = run.length(length, &[(text, false)], "characters formatted at once")?;
    let mut bytes = Vec::new();
    for i in 0..length {
        let at = run.offset(text, i);
        bytes.push(run.load_byte(at)?);
    }
    Ok(bytes)
}

/// The text of a value that is not known: decimal digits, by their number, and bytes of strings of known length.
fn unknown_text(run: &mut Run, value: Pointer, formatter: FuncId, options: Options) -> Result<Vec<Expr>, Stop> {
    let plain = options.flags == DEFAULT_FLAGS && options.width.is_none() && options.precision.is_none();
    let known = meaning(run, formatter).filter(|_| plain);
    let Some((ty, what, references)) = known.filter(|(_, what, _)| what == "Display") else {
        return Err(run.unsupported("the text of a value that is not known"));
    };
    let mut place = value;
    for _ in 0..references.saturating_sub(u32::from(ty == "str")) {
        let next = run.load(place, &Shape::Ptr)?;
        place = run.pointer(&next)?;
    }
    if ty == "str" || ty == "alloc::string::String" {
        return string_bytes(run, place, if ty == "str" { 0 } else { 8 });
    }
    let Some((bits, signed)) = integer(&ty).filter(|(bits, _)| *bits <= 64) else {
        return Err(run.unsupported(format!("the text of an unknown {what} {ty}")));
    };
    let value = run.load(place, &Shape::Int { bits, bytes: bits / 8 })?;
    let value = run.bits(&value, bits)?;
    let negative = if signed { run.pool().extract(value, bits - 1, 1) } else { Expr::bool(false) };
    let negative = run.decide(negative)?;
    let magnitude = if negative { run.pool().neg(value) } else { value };
    let mut text = decimal(run, magnitude)?;
    if negative {
        text.insert(0, Expr::constant(b'-'.into(), 8));
    }
    Ok(text)
}

/// A number as digits at the end of a buffer, as `to_string` writes it: what is returned begins with the first one.
fn write_digits(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let number = args.bits(run, 0)?;
    let text = decimal(run, number)?;
    let buffer = args.pointer(run, 1)?;
    let room = args.bits(run, 2)?.as_const();
    let Some(first) = room.and_then(|room| room.checked_sub(text.len() as u64)) else {
        return Err(run.unsupported("digits into a buffer of unknown length"));
    };
    let first = run.offset(buffer, first);
    run.access(first, text.len() as u64, true)?;
    for (i, digit) in (0u64..).zip(&text) {
        let at = run.offset(first, i);
        run.store_byte(at, *digit)?;
    }
    Ok(Reply::Value(Value::Many([Value::Ptr(first), Value::int(text.len() as u64, 64)].into())))
}

/// Decimal digits of a number, by how many there are.
fn decimal(run: &mut Run, magnitude: Expr) -> Result<Vec<Expr>, Stop> {
    let mut magnitude = run.pool().zext(magnitude, 64);
    let mut digits = 1;
    let mut limit = 10u64;
    loop {
        let below = run.pool().ult(magnitude, Expr::constant(limit, 64));
        if digits == 20 || run.decide(below)? {
            break;
        }
        digits += 1;
        limit = limit.saturating_mul(10);
    }
    let mut text = Vec::new();
    let ten = Expr::constant(10, 64);
    for _ in 0..digits {
        let pool = run.pool();
        let digit = pool.urem(magnitude, ten);
        let digit = pool.extract(digit, 0, 8);
        text.push(pool.add(digit, Expr::constant(b'0'.into(), 8)));
        magnitude = pool.udiv(magnitude, ten);
    }
    text.reverse();
    Ok(text)
}

fn padded_text(text: String, options: Options) -> String {
    let text = match options.precision {
        Some(most) => text.chars().take(most.into()).collect(),
        None => text,
    };
    pad(text, options, 0)
}

fn padded_number(digits: &str, prefix: &str, negative: bool, options: Options) -> String {
    let sign = if negative {
        "-"
    } else if options.flags & PLUS != 0 {
        "+"
    } else {
        ""
    };
    let width = usize::from(options.width.unwrap_or(0));
    if options.flags & ZEROS != 0 {
        let zeros = width.saturating_sub(sign.len() + prefix.len() + digits.len());
        return format!("{sign}{prefix}{}{digits}", "0".repeat(zeros));
    }
    pad(format!("{sign}{prefix}{digits}"), options, 1)
}

/// Fills a text up to its width; `side` is the alignment where none is said: 0 is left, 1 right.
fn pad(text: String, options: Options, side: u32) -> String {
    let missing = usize::from(options.width.unwrap_or(0)).saturating_sub(text.chars().count());
    let fill = char::from_u32(options.flags & 0x1f_ffff).unwrap_or(' ');
    let fill = |count: usize| fill.to_string().repeat(count);
    match options.flags >> 29 & 3 {
        3 if side == 1 => format!("{}{text}", fill(missing)),
        1 => format!("{}{text}", fill(missing)),
        2 => format!("{}{text}{}", fill(missing / 2), fill(missing - missing / 2)),
        _ => format!("{text}{}", fill(missing)),
    }
}
