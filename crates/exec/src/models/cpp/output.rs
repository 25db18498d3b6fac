//! `std::cout`, `std::cerr` and `std::clog`: what is put into them comes out of the streams of C.
//!
//! Formats are those that a program begins with. What changes them (`std::hex`, `std::setw`) ends a run: it is a function that
//! is refused here, or code of the library's headers that looks into the stream, which is not known. Of streams that are no
//! such variable nothing is known: they are the outside's.

use crate::containers::TEXT_LENGTH;
use crate::models::format::{Formatted, Piece, convert};
use crate::models::text::{Text, constant};
use crate::models::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::{Effect, Stop};
use crate::value::{Pointer, Shape, Value};
use smt::expr::{Expr, FloatFormat, FloatOp, Rounding};

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", run: put_string },
    Model { name: "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c", run: put_character },
    Model { name: "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a", run: put_character },
    Model { name: "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h", run: put_character },
    Model {
        name: "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE",
        run: put_text,
    },
    Model { name: "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", run: put_bytes },
    Model { name: "_ZNSo5writeEPKcl", run: put_bytes },
    Model { name: "_ZNSo3putEc", run: put_character },
    Model { name: "_ZNSolsEs", run: |run, args| put_number(run, args, "hd") },
    Model { name: "_ZNSolsEt", run: |run, args| put_number(run, args, "hu") },
    Model { name: "_ZNSolsEi", run: |run, args| put_number(run, args, "d") },
    Model { name: "_ZNSolsEj", run: |run, args| put_number(run, args, "u") },
    Model { name: "_ZNSolsEl", run: |run, args| put_number(run, args, "ld") },
    Model { name: "_ZNSolsEm", run: |run, args| put_number(run, args, "lu") },
    Model { name: "_ZNSolsEx", run: |run, args| put_number(run, args, "lld") },
    Model { name: "_ZNSolsEy", run: |run, args| put_number(run, args, "llu") },
    Model { name: "_ZNSolsEb", run: |run, args| put_number(run, args, "u") },
    Model { name: "_ZNSolsEd", run: |run, args| put_number(run, args, "g") },
    Model { name: "_ZNSolsEf", run: put_float },
    Model { name: "_ZNSolsEPFRSoS_E", run: apply },
    Model { name: "_ZNSolsEPFRSt8ios_baseS0_E", run: change },
    Model { name: "_ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E", run: change },
    Model { name: "_ZNSo5flushEv", run: flush },
    Model { name: FLUSH, run: flush },
    Model { name: END_OF_LINE, run: end_line },
];

const END_OF_LINE: &str = "_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_";
const FLUSH: &str = "_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_";

/// The stream of C that a stream of C++ stands for.
fn stream(run: &mut Run, args: &Arguments) -> Result<Option<usize>, Stop> {
    let ptr = args.pointer(run, 0)?;
    let program = run.program();
    let Some(symbol) = program.object_symbol(ptr.object).filter(|_| ptr.offset.as_const() == Some(0)) else {
        return Ok(None);
    };
    let number = match program.module.symbol_name(symbol) {
        "_ZSt4cout" => 1,
        "_ZSt4cerr" | "_ZSt4clog" => 2,
        _ => return Ok(None),
    };
    // Functions of the outside may have changed how it formats.
    let is_it = |value: &Value| matches!(value, Value::Ptr(given) if given.object == ptr.object);
    let was_given = |effect: &Effect| {
        matches!(effect, Effect::Call { function, args, .. }
            if args.iter().any(is_it) || function.contains("sync_with_stdio"))
    };
    if run.state.effects.to_vec().into_iter().any(was_given) {
        return Err(run.unsupported("a stream that others may have told to format in another way"));
    }
    Ok(Some(number))
}

/// Every one of these functions returns the stream that it was given.
fn put(run: &mut Run, args: &Arguments, number: usize, text: &Text) -> Result<Reply, Stop> {
    if run.can_write(number)? {
        run.write_stream(number, text)?;
    }
    Ok(Reply::Value(args.value(0)))
}

fn put_string(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = stream(run, args)? else { return Ok(Reply::Outside) };
    let ptr = args.pointer(run, 1)?;
    // The stream would be bad from then on.
    if run.is_null(ptr)? {
        return Err(run.unsupported("a null pointer as text for a stream"));
    }
    let text = run.string(ptr)?;
    put(run, args, number, &text)
}

fn put_character(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = stream(run, args)? else { return Ok(Reply::Outside) };
    let value = args.bits(run, 1)?;
    let mut text = Text::Known(Vec::new());
    text.push(run.pool().extract(value, 0, 8));
    put(run, args, number, &text)
}

/// A `std::string`.
fn put_text(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = stream(run, args)? else { return Ok(Reply::Outside) };
    let string = args.pointer(run, 1)?;
    let data = run.load(string, &Shape::Ptr)?;
    let data = run.pointer(&data)?;
    let at = run.offset(string, TEXT_LENGTH);
    let length = run.load(at, &Shape::Int { bits: 64, bytes: 8 })?;
    let length = run.bits(&length, 64)?;
    let text = bytes(run, data, length)?;
    put(run, args, number, &text)
}

fn put_bytes(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = stream(run, args)? else { return Ok(Reply::Outside) };
    let (data, length) = (args.pointer(run, 1)?, args.bits(run, 2)?);
    let text = bytes(run, data, length)?;
    put(run, args, number, &text)
}

fn bytes(run: &mut Run, data: Pointer, length: Expr) -> Result<Text, Stop> {
    let most = run.program().options.max_bytes;
    let length = run.number(length, most, "a text whose length is not known")?;
    if length == 0 { Ok(Text::Known(Vec::new())) } else { run.bytes(data, length) }
}

fn put_number(run: &mut Run, args: &Arguments, directive: &str) -> Result<Reply, Stop> {
    let Some(number) = stream(run, args)? else { return Ok(Reply::Outside) };
    let value = args.value(1);
    let value = match args.shapes.get(1) {
        Some(Shape::Int { bits, .. }) if *bits < 32 => {
            let narrow = run.bits(&value, *bits)?;
            let is_signed = directive == "hd";
            Value::Bits(if is_signed { run.pool().sext(narrow, 32) } else { run.pool().zext(narrow, 32) })
        }
        _ => value,
    };
    let made = convert(run, directive, value)?;
    write(run, args, number, &made)
}

/// A float is written as the double that it is converted to.
fn put_float(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = stream(run, args)? else { return Ok(Reply::Outside) };
    let single = args.bits(run, 1)?;
    let wider =
        FloatOp::Convert { from: FloatFormat::Single, to: FloatFormat::Double, rounding: Rounding::NearestEven };
    let double = run.pool().float(wider, &[single], 64);
    let made = convert(run, "g", Value::Bits(double))?;
    write(run, args, number, &made)
}

fn write(run: &mut Run, args: &Arguments, number: usize, made: &Formatted) -> Result<Reply, Stop> {
    if run.can_write(number)? {
        for piece in &made.pieces {
            match piece {
                Piece::Text(text) => run.write_stream(number, text)?,
                Piece::Opaque(what, value) => run.write_opaque(number, what, &[*value]),
            }
        }
    }
    Ok(Reply::Value(args.value(0)))
}

/// A function that is put into a stream is called with it.
fn apply(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let function = args.pointer(run, 1)?;
    let Some(id) = run.function_at(function) else { return Ok(Reply::Outside) };
    match run.program().module.function_name(id) {
        END_OF_LINE => end_line(run, args),
        FLUSH => flush(run, args),
        _ if run.program().module.functions[id].is_defined() => {
            Ok(Reply::Call { callee: args.value(1), args: vec![args.value(0)], shapes: vec![Shape::Ptr] })
        }
        _ => Ok(Reply::Outside),
    }
}

/// `std::hex` and the like.
fn change(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    match stream(run, args)? {
        Some(_) => Err(run.unsupported("a stream that is to format in another way")),
        None => Ok(Reply::Outside),
    }
}

fn end_line(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = stream(run, args)? else { return Ok(Reply::Outside) };
    let mut text = Text::Known(Vec::new());
    text.push(constant(b'\n'));
    let reply = put(run, args, number, &text)?;
    run.flush(number);
    Ok(reply)
}

fn flush(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = stream(run, args)? else { return Ok(Reply::Outside) };
    run.flush(number);
    Ok(Reply::Value(args.value(0)))
}
