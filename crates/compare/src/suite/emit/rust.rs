//! Tests as a module of the crate under test.
//!
//! The file goes beside the crate's root as `mod tests_of_x;`, so it sees what is private to the root. Numbers, `char`,
//! `bool`, references to them, slices of them and `&str` can be written; everything else becomes a comment.

use std::fmt::Write;

use exec::case::{Datum, End, FaultKind, Memory, Target};
use ir::debug::DebugTypeKind;
use ir::demangle::function_display_name;
use ir::id::FuncId;
use ir::module::Module;
use smt::bits::Bits;

use super::{Emitted, in_comment, is_identifier};
use crate::suite::{Header, Test, show};

/// Tests of an entry function as a Rust file.
pub fn rust_file(module: &Module, entry: FuncId, header: &Header, tests: &[Test]) -> Emitted {
    let mut emitted = Emitted { text: String::new(), written: 0, left_out: 0 };
    let out = &mut emitted.text;
    let display = function_display_name(module, entry);
    let _ = writeln!(out, "//! Tests of `{}`, with the outcomes that were seen.", in_comment(&display));
    let _ = writeln!(out, "//! A module of the crate's root: `#[cfg(test)] mod tests_of_{};`\n", identifier(&display));
    let writer = match Writer::new(module, entry) {
        Ok(writer) => Some(writer),
        Err(reason) => {
            let _ = writeln!(out, "// No test can be written in Rust: {}.", in_comment(&reason));
            None
        }
    };
    for (number, test) in (1..).zip(tests) {
        let line = in_comment(&show::test(header, test));
        match writer.as_ref().map(|writer| writer.test(test)) {
            Some(Ok(body)) => {
                let panics = if test.outcome.end == End::Returned { "" } else { "#[should_panic]\n" };
                let _ = writeln!(out, "// {line}\n#[test]\n{panics}fn test_{number}() {{\n{body}}}\n");
                emitted.written += 1;
            }
            Some(Err(reason)) => {
                let _ = writeln!(out, "// Not written in Rust: {}.\n// {line}\n", in_comment(&reason));
                emitted.left_out += 1;
            }
            None => {
                let _ = writeln!(out, "// {line}");
                emitted.left_out += 1;
            }
        }
    }
    emitted
}

/// What a value is to Rust.
#[derive(Clone, PartialEq, Eq)]
enum Kind {
    /// A number, `bool` or `char`, by the name of its type.
    Number(String),
    /// A reference to one.
    Reference { to: String, mutable: bool },
    /// A slice of them.
    Slice { of: String, mutable: bool },
    /// A string slice.
    Text,
    /// `()`.
    Unit,
}

struct Writer {
    /// The function's path from the crate's root.
    path: String,
    params: Vec<Kind>,
    result: Kind,
}

impl Writer {
    fn new(module: &Module, entry: FuncId) -> Result<Writer, String> {
        let function = &module.functions[entry];
        let display = function_display_name(module, entry);
        let segments: Vec<&str> = display.split("::").collect();
        if segments.len() < 2 || !segments.iter().all(|segment| is_identifier(segment)) {
            return Err(format!("`{display}` is no function with a path of its own"));
        }
        if segments.last() == Some(&"main") {
            return Err("a program is run, not called".to_owned());
        }
        let local = module.symbols[function.symbol].linkage.is_local();
        if local && segments.len() > 2 {
            return Err(format!("`{display}` is private to its module"));
        }
        let debug = &module.debug;
        let scope = function.scope.ok_or("the function has no debug info")?;
        let Some(DebugTypeKind::Function { types }) = debug.scopes[scope].ty.map(|ty| &debug.types[ty].kind) else {
            return Err("the function's type is not known".to_owned());
        };
        let name = |ty: &Option<ir::id::DebugTypeId>| {
            ty.map_or_else(|| "()".to_owned(), |ty| debug.type_name(&module.strings, ty))
        };
        let mut kinds = types.iter().map(name).map(|name| kind(&name).ok_or(format!("it has to do with a `{name}`")));
        let result = kinds.next().unwrap_or(Ok(Kind::Unit))?;
        if !matches!(result, Kind::Number(_) | Kind::Unit) {
            return Err("it returns a reference".to_owned());
        }
        let path = format!("crate::{}", segments[1..].join("::"));
        Ok(Writer { path, params: kinds.collect::<Result<_, _>>()?, result })
    }

    fn test(&self, test: &Test) -> Result<String, String> {
        let input = &test.input;
        match &test.outcome.end {
            End::Returned | End::Fault(FaultKind::Panic) => {}
            End::Exited(_) | End::Fault(_) => return Err("it ends the process".to_owned()),
            End::Bound(_) | End::Unsupported(_) | End::Refused(_) => return Err("its outcome is not known".to_owned()),
        }
        if !input.globals.is_empty() || !input.results.is_empty() || !test.outcome.globals.is_empty() {
            return Err("it needs global variables or answers of the outside".to_owned());
        }
        let (mut out, mut checks) = (String::new(), String::new());
        let mut args = Vec::new();
        let mut values = input.args.iter();
        for (index, kind) in self.params.iter().enumerate() {
            let value = values.next().ok_or("an argument is missing")?;
            args.push(match kind {
                Kind::Number(ty) => match value {
                    Datum::Bits(bits) => literal(bits, ty)?,
                    _ => return Err("an argument has no value in Rust".to_owned()),
                },
                Kind::Unit => "()".to_owned(),
                Kind::Reference { to, mutable } => {
                    let (before, after) = object(test, value, to, None)?;
                    let before = before.first().ok_or("a reference leads to nothing")?;
                    let _ =
                        writeln!(out, "    let {}value_{index}: {to} = {before};", if *mutable { "mut " } else { "" });
                    if *mutable && let Some(after) = after.first() {
                        check(&mut checks, &format!("value_{index}"), after, to);
                    }
                    format!("&{}value_{index}", if *mutable { "mut " } else { "" })
                }
                Kind::Slice { of, mutable } => {
                    let length = length(values.next())?;
                    let (before, after) = object(test, value, of, Some(length))?;
                    let m = if *mutable { "mut " } else { "" };
                    let _ = writeln!(out, "    let {m}value_{index}: [{of}; {length}] = [{}];", before.join(", "));
                    if *mutable && after.len() == length {
                        let _ = writeln!(checks, "    assert_eq!(value_{index}, [{}]);", after.join(", "));
                    }
                    format!("&{m}value_{index}")
                }
                Kind::Text => {
                    let length = length(values.next())?;
                    let bytes = bytes_behind(&input.objects, value, length)?;
                    let text = std::str::from_utf8(bytes).map_err(|_| "a text is no UTF-8")?;
                    format!("{text:?}")
                }
            });
        }
        if values.next().is_some() {
            return Err("its arguments are not those of the function".to_owned());
        }
        let call = format!("{}({})", self.path, args.join(", "));
        let returned = test.outcome.end == End::Returned;
        match (&self.result, &test.outcome.result) {
            (Kind::Number(ty), Datum::Bits(bits)) if returned => {
                let expected = literal(bits, ty)?;
                let _ = writeln!(out, "    let result = {call};");
                check(&mut out, "result", &expected, ty);
            }
            (Kind::Number(_), _) => {
                let _ = writeln!(out, "    let _ = {call};");
            }
            _ => {
                let _ = writeln!(out, "    {call};");
            }
        }
        if returned {
            out.push_str(&checks);
        }
        if !test.outcome.stdout.is_empty() {
            out.push_str("    // What it prints is not looked at.\n");
        }
        Ok(out)
    }
}

fn check(out: &mut String, place: &str, expected: &str, ty: &str) {
    // Floats are equal if their bits are.
    let bits = if ty.starts_with('f') { ".to_bits()" } else { "" };
    let _ = writeln!(out, "    assert_eq!({place}{bits}, ({expected}){bits});");
}

fn kind(name: &str) -> Option<Kind> {
    if name == "()" {
        return Some(Kind::Unit);
    }
    if is_number(name) {
        return Some(Kind::Number(name.to_owned()));
    }
    if name == "&str" {
        return Some(Kind::Text);
    }
    let (behind, mutable) = match name.strip_prefix("&mut ") {
        Some(behind) => (behind, true),
        None => (name.strip_prefix('&')?, false),
    };
    match behind.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(of) if is_number(of) => Some(Kind::Slice { of: of.to_owned(), mutable }),
        _ if is_number(behind) => Some(Kind::Reference { to: behind.to_owned(), mutable }),
        _ => None,
    }
}

/// Types of one number, and their widths.
const NUMBERS: [(&str, u32); 16] = [
    ("i8", 8),
    ("i16", 16),
    ("i32", 32),
    ("i64", 64),
    ("i128", 128),
    ("isize", 64),
    ("u8", 8),
    ("u16", 16),
    ("u32", 32),
    ("u64", 64),
    ("u128", 128),
    ("usize", 64),
    ("f32", 32),
    ("f64", 64),
    ("bool", 8),
    ("char", 32),
];

fn width(name: &str) -> Option<u32> {
    NUMBERS.iter().find(|(number, _)| *number == name).map(|(_, width)| *width)
}

fn is_number(name: &str) -> bool {
    width(name).is_some()
}

fn literal(bits: &Bits, ty: &str) -> Result<String, String> {
    let low = bits.low_128();
    Ok(match ty {
        "bool" => (low & 1 == 1).to_string(),
        "char" => {
            let c = u32::try_from(low).ok().and_then(char::from_u32).ok_or("a character is none of Unicode")?;
            format!("{c:?}")
        }
        "f32" | "f64" => format!("{ty}::from_bits({low:#x})"),
        _ if ty.starts_with('i') && bits.is_negative() => {
            let magnitude = bits.neg().low_128();
            // Parentheses, since a method binds tighter than a sign.
            format!("(-{magnitude}{ty})")
        }
        _ => format!("{low}{ty}"),
    })
}

fn length(value: Option<&Datum>) -> Result<usize, String> {
    match value {
        Some(Datum::Bits(bits)) => usize::try_from(bits.low_128()).map_err(|_| "a slice is too long".to_owned()),
        _ => Err("a slice has no length".to_owned()),
    }
}

fn bytes_behind<'o>(objects: &'o [Memory], value: &Datum, count: usize) -> Result<&'o [u8], String> {
    // A slice of nothing may lead anywhere.
    if count == 0 {
        return Ok(&[]);
    }
    let Datum::Pointer(Target::Object { index, offset }) = value else {
        return Err("a reference leads to no object".to_owned());
    };
    let start = usize::try_from(*offset).map_err(|_| "a reference leads before its object")?;
    let memory = objects.get(*index);
    if memory.is_some_and(|memory| !memory.any.is_empty()) {
        return Err("parts of an object were never assigned".to_owned());
    }
    let bytes = memory.and_then(|memory| memory.bytes.get(start..start.checked_add(count)?));
    bytes.ok_or("a reference leads behind its object".to_owned())
}

/// Elements behind a reference before and after; one, or as many as a slice has.
fn object(test: &Test, value: &Datum, ty: &str, length: Option<usize>) -> Result<(Vec<String>, Vec<String>), String> {
    let width = width(ty).ok_or("a type is not known")?;
    let size = width as usize / 8;
    let count = length.unwrap_or(1).checked_mul(size).ok_or("a slice is too long")?;
    let elements = |bytes: &[u8]| -> Result<Vec<String>, String> {
        let value = |chunk: &[u8]| chunk.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(*byte));
        bytes.chunks(size).map(|chunk| literal(&Bits::new(value(chunk), width), ty)).collect()
    };
    let before = elements(bytes_behind(&test.input.objects, value, count)?)?;
    let after = match bytes_behind(&test.outcome.objects, value, count) {
        Ok(bytes) => elements(bytes)?,
        Err(_) => Vec::new(),
    };
    Ok((before, after))
}

fn identifier(name: &str) -> String {
    let last = name.rsplit("::").next().unwrap_or_default();
    last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}
