//! `ctype.h` in the C locale: functions as expressions, and the tables that glibc's macros read.

use super::text::constant;
use super::{Arguments, Model, Reply};
use crate::contents::{Contents, Unset};
use crate::memory::Kind;
use crate::run::Run;
use crate::state::Stop;
use crate::value::{ObjectId, Pointer, Shape, Value};
use smt::expr::Expr;
use std::rc::Rc;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "isupper", run: |run, args| class(run, args, Class::Upper) },
    Model { name: "islower", run: |run, args| class(run, args, Class::Lower) },
    Model { name: "isalpha", run: |run, args| class(run, args, Class::Alpha) },
    Model { name: "isdigit", run: |run, args| class(run, args, Class::Digit) },
    Model { name: "isxdigit", run: |run, args| class(run, args, Class::Xdigit) },
    Model { name: "isspace", run: |run, args| class(run, args, Class::Space) },
    Model { name: "isprint", run: |run, args| class(run, args, Class::Print) },
    Model { name: "isgraph", run: |run, args| class(run, args, Class::Graph) },
    Model { name: "isblank", run: |run, args| class(run, args, Class::Blank) },
    Model { name: "iscntrl", run: |run, args| class(run, args, Class::Cntrl) },
    Model { name: "ispunct", run: |run, args| class(run, args, Class::Punct) },
    Model { name: "isalnum", run: |run, args| class(run, args, Class::Alnum) },
    Model { name: "isascii", run: isascii },
    Model { name: "toascii", run: toascii },
    Model { name: "tolower", run: tolower },
    Model { name: "toupper", run: toupper },
    Model { name: "__ctype_b_loc", run: class_table },
    Model { name: "__ctype_tolower_loc", run: lower_table },
    Model { name: "__ctype_toupper_loc", run: upper_table },
    Model { name: "__ctype_get_mb_cur_max", run: longest_character },
];

/// Classes of characters, numbered as glibc does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Upper,
    Lower,
    Alpha,
    Digit,
    Xdigit,
    Space,
    Print,
    Graph,
    Blank,
    Cntrl,
    Punct,
    Alnum,
}

const CLASSES: [Class; 12] = [
    Class::Upper,
    Class::Lower,
    Class::Alpha,
    Class::Digit,
    Class::Xdigit,
    Class::Space,
    Class::Print,
    Class::Graph,
    Class::Blank,
    Class::Cntrl,
    Class::Punct,
    Class::Alnum,
];

impl Class {
    /// The bit that says in glibc's table that a character is of the class; also what the functions return.
    fn bit(self) -> u64 {
        let number = self as u32;
        if number < 8 { 1 << (number + 8) } else { 1 << (number - 8) }
    }

    fn ranges(self) -> &'static [(u8, u8)] {
        match self {
            Class::Upper => &[(b'A', b'Z')],
            Class::Lower => &[(b'a', b'z')],
            Class::Alpha => &[(b'A', b'Z'), (b'a', b'z')],
            Class::Digit => &[(b'0', b'9')],
            Class::Xdigit => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
            Class::Space => &[(9, 13), (b' ', b' ')],
            Class::Print => &[(32, 126)],
            Class::Graph => &[(33, 126)],
            Class::Blank => &[(9, 9), (32, 32)],
            Class::Cntrl => &[(0, 31), (127, 127)],
            Class::Punct => &[(33, 47), (58, 64), (91, 96), (123, 126)],
            Class::Alnum => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        }
    }
}

fn class(run: &mut Run, args: &Arguments, class: Class) -> Result<Reply, Stop> {
    let c = args.int(run, 0)?;
    let mut any = Expr::bool(false);
    for &(low, high) in class.ranges() {
        let inside = run.in_range(c, low.into(), high.into());
        any = run.pool().or(any, inside);
    }
    // `isdigit` and `isxdigit` alike return the bit of their class.
    let value = run.pool().ite(any, Expr::constant(class.bit(), 32), Expr::constant(0, 32));
    Ok(Reply::Value(Value::Bits(value)))
}

fn isascii(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let c = args.int(run, 0)?;
    let inside = run.in_range(c, 0, 127);
    Ok(Reply::Value(Value::Bits(run.pool().zext(inside, 32))))
}

fn toascii(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let c = args.int(run, 0)?;
    Ok(Reply::Value(Value::Bits(run.pool().and(c, Expr::constant(127, 32)))))
}

/// A byte as a small letter if it is a large one.
pub(super) fn lower_byte(run: &mut Run, byte: Expr) -> Expr {
    let large = run.in_range(byte, b'A'.into(), b'Z'.into());
    let pool = run.pool();
    let small = pool.add(byte, constant(32));
    pool.ite(large, small, byte)
}

/// A letter of the other case; what is below -1 counts as the character that it is without its sign.
fn change_case(run: &mut Run, args: &Arguments, from: (u8, u8), by: u64) -> Result<Reply, Stop> {
    let c = args.int(run, 0)?;
    let letter = run.in_range(c, from.0.into(), from.1.into());
    let signed = run.in_range(c, 0xffff_ff80, 0xffff_fffe);
    let pool = run.pool();
    let other = pool.add(c, Expr::constant(by, 32));
    let unsigned = pool.and(c, Expr::constant(0xff, 32));
    let rest = pool.ite(signed, unsigned, c);
    Ok(Reply::Value(Value::Bits(pool.ite(letter, other, rest))))
}

fn tolower(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    change_case(run, args, (b'A', b'Z'), 32)
}

fn toupper(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    change_case(run, args, (b'a', b'z'), 0u64.wrapping_sub(32))
}

fn longest_character(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::int(1, 64)))
}

/// The tables of a state, made on first use: pointers to where character 0 is, by table.
#[derive(Clone, Debug, Default)]
pub struct Tables([Option<ObjectId>; 3]);

/// A table of 384 entries, -128 to 255, behind a pointer to entry 0.
fn table(run: &mut Run, which: usize, size: usize, entry: impl Fn(i32) -> u64) -> Result<Reply, Stop> {
    if let Some(known) = run.state.library.tables.0[which] {
        return Ok(Reply::Value(Value::Ptr(Pointer::to(known))));
    }
    let bytes: Vec<u8> = (-128..256).flat_map(|c| entry(c).to_le_bytes()[..size].to_vec()).collect();
    let length = Expr::constant(bytes.len() as u64, 64);
    let table = run.state.memory.add(length, 16, Kind::Library, Contents::from_bytes(&bytes, Unset::Zero));
    let place = run.state.memory.add(Expr::constant(8, 64), 16, Kind::Library, Contents::new(Unset::Zero));
    let middle = Pointer { object: table, offset: Expr::constant(128 * size as u64, 64) };
    run.store(Pointer::to(place), &Value::Ptr(middle), &Shape::Ptr)?;
    Rc::make_mut(&mut run.state.library).tables.0[which] = Some(place);
    Ok(Reply::Value(Value::Ptr(Pointer::to(place))))
}

fn class_table(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    table(run, 0, 2, |c| {
        let of = |class: &Class| class.ranges().iter().any(|&(low, high)| (i32::from(low)..=high.into()).contains(&c));
        CLASSES.iter().filter(|class| of(class)).map(|class| class.bit()).sum()
    })
}

fn lower_table(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    table(run, 1, 4, |c| changed(c, (b'A', b'Z'), 32))
}

fn upper_table(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    table(run, 2, 4, |c| changed(c, (b'a', b'z'), -32))
}

fn changed(c: i32, from: (u8, u8), by: i32) -> u64 {
    let changed = match c {
        -128..=-2 => c + 256,
        c if (from.0.into()..=from.1.into()).contains(&c) => c + by,
        c => c,
    };
    u64::from(changed as u32)
}
