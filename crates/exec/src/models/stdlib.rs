//! `stdlib.h`: numbers out of strings, integer arithmetic, random numbers.

use super::numbers::{self, FloatText, Integer};
use super::text::Reader;
use super::{Arguments, Model, Reply};
use crate::case::FaultKind;
use crate::memory::Kind;
use crate::run::Run;
use crate::state::{RemarkKind, Stop};
use crate::value::{Pointer, Shape, Value};
use smt::expr::Expr;
use std::rc::Rc;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "atoi", run: atoi },
    Model { name: "atol", run: atol },
    Model { name: "atoll", run: atol },
    Model { name: "atof", run: atof },
    Model { name: "strtol", run: strtol },
    Model { name: "strtoll", run: strtol },
    Model { name: "strtoimax", run: strtol },
    Model { name: "__isoc23_strtol", run: strtol },
    Model { name: "__isoc23_strtoll", run: strtol },
    Model { name: "strtoul", run: strtoul },
    Model { name: "strtoull", run: strtoul },
    Model { name: "strtoumax", run: strtoul },
    Model { name: "__isoc23_strtoul", run: strtoul },
    Model { name: "__isoc23_strtoull", run: strtoul },
    Model { name: "strtod", run: strtod },
    Model { name: "strtof", run: strtof },
    Model { name: "abs", run: abs },
    Model { name: "labs", run: abs },
    Model { name: "llabs", run: abs },
    Model { name: "imaxabs", run: abs },
    Model { name: "div", run: div },
    Model { name: "ldiv", run: div },
    Model { name: "lldiv", run: div },
    Model { name: "rand", run: rand },
    Model { name: "random", run: rand },
    Model { name: "srand", run: srand },
    Model { name: "srandom", run: srand },
    Model { name: "rand_r", run: rand_r },
    Model { name: "drand48", run: drand48 },
    Model { name: "lrand48", run: lrand48 },
    Model { name: "mrand48", run: mrand48 },
    Model { name: "srand48", run: srand48 },
    Model { name: "htons", run: swap },
    Model { name: "ntohs", run: swap },
    Model { name: "htonl", run: swap },
    Model { name: "ntohl", run: swap },
    Model { name: "ffs", run: ffs },
    Model { name: "ffsl", run: ffs },
    Model { name: "ffsll", run: ffs },
];

const ERANGE: u64 = 34;
const EINVAL: u64 = 22;

fn bits(expr: Expr) -> Reply {
    Reply::Value(Value::Bits(expr))
}

/// An integer in a string, behind white space.
fn integer_at(run: &mut Run, ptr: Pointer, base: u32) -> Result<Option<Integer>, Stop> {
    let mut reader = Reader::new(ptr);
    let mut peek = |run: &mut Run, at: u64| reader.byte(run, at).map(Some);
    let start = numbers::skip_space(run, 0, &mut peek)?;
    numbers::integer(run, start, base, &mut peek)
}

fn atoi(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let value = decimal(run, args)?;
    Ok(bits(run.pool().extract(value, 0, 32)))
}

fn atol(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    Ok(bits(decimal(run, args)?))
}

fn decimal(run: &mut Run, args: &Arguments) -> Result<Expr, Stop> {
    let ptr = args.pointer(run, 0)?;
    if run.worker.whole_numbers
        && let Some(value) = whole_decimal(run, ptr)?
    {
        return Ok(value);
    }
    match integer_at(run, ptr, 10)? {
        Some(integer) => Ok(integer.signed(run)?.0),
        None => Ok(Expr::constant(0, 64)),
    }
}

/// The number that a text of the input begins with, as one expression: nothing is decided about its digits. `None` if the
/// text is known, or too long for that.
fn whole_decimal(run: &mut Run, ptr: Pointer) -> Result<Option<Expr>, Stop> {
    let Some(length) = text_of_input(run, ptr).filter(|length| *length <= MAX_WHOLE) else { return Ok(None) };
    let (no, mut value) = (Expr::bool(false), Expr::constant(0, 64));
    let (mut started, mut done, mut negative) = (no, no, no);
    for at in 0..length {
        let offset = run.pool().add(ptr.offset, Expr::constant(at, 64));
        let byte = run.load_byte(Pointer { offset, ..ptr })?;
        let mut space = no;
        for &(low, high) in numbers::SPACE {
            let inside = run.in_range(byte, low.into(), high.into());
            space = run.pool().or(space, inside);
        }
        let digit = run.in_range(byte, b'0'.into(), b'9'.into());
        let pool = run.pool();
        let [plus, minus] = [b'+', b'-'].map(|sign| pool.eq(byte, Expr::constant(sign.into(), 8)));
        let live = pool.not(done);
        let before = pool.or(started, done);
        let before = pool.not(before);
        let sign = pool.or(plus, minus);
        let (space, sign, digit) = (pool.and(before, space), pool.and(before, sign), pool.and(live, digit));
        let goes_on = pool.or(space, sign);
        let goes_on = pool.or(goes_on, digit);
        let ends = pool.not(goes_on);
        done = pool.or(done, ends);
        started = pool.or(started, sign);
        started = pool.or(started, digit);
        let minus = pool.and(sign, minus);
        negative = pool.or(negative, minus);
        let number = pool.sub(byte, Expr::constant(b'0'.into(), 8));
        let number = pool.zext(number, 64);
        let next = pool.mul(value, Expr::constant(10, 64));
        let next = pool.add(next, number);
        value = pool.ite(digit, next, value);
    }
    let pool = run.pool();
    let opposite = pool.neg(value);
    Ok(Some(pool.ite(negative, opposite, value)))
}

/// How long a text of the input can be from a place on, if nobody wrote to it.
fn text_of_input(run: &mut Run, ptr: Pointer) -> Option<u64> {
    let object = run.state.memory.get_or_nothing(ptr.object);
    let (Kind::Input(id), false) = (object.kind, object.written) else { return None };
    run.worker.inputs.object(id).terminator?.checked_sub(ptr.offset.as_const()?)
}

/// Longest text whose number is one expression: it has 64 bits whatever its digits are.
const MAX_WHOLE: u64 = 18;

fn strtol(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    string_to_integer(run, args, true)
}

fn strtoul(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    string_to_integer(run, args, false)
}

fn string_to_integer(run: &mut Run, args: &Arguments, signed: bool) -> Result<Reply, Stop> {
    let (ptr, end) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let base = args.int(run, 2)?;
    let base = run.number(base, 36, "a base")?;
    if base == 1 || base > 36 {
        run.set_errno(EINVAL)?;
        return Ok(Reply::Value(Value::int(0, 64)));
    }
    let integer = integer_at(run, ptr, base as u32)?;
    let (value, range) = match &integer {
        Some(integer) if signed => integer.signed(run)?,
        Some(integer) => integer.unsigned(run)?,
        None => (Expr::constant(0, 64), false),
    };
    finish(run, ptr, end, integer.map_or(0, |integer| integer.end), range)?;
    Ok(bits(value))
}

/// Says where a number ended and whether it was out of range.
fn finish(run: &mut Run, ptr: Pointer, end: Pointer, length: u64, range: bool) -> Result<(), Stop> {
    if !run.is_null(end)? {
        run.access(end, 8, true)?;
        let behind = run.offset(ptr, length);
        run.store(end, &Value::Ptr(behind), &Shape::Ptr)?;
    }
    if range {
        run.set_errno(ERANGE)?;
    }
    Ok(())
}

fn float_at(run: &mut Run, ptr: Pointer) -> Result<Option<FloatText>, Stop> {
    let mut reader = Reader::new(ptr);
    let mut peek = |run: &mut Run, at: u64| reader.byte(run, at).map(Some);
    let start = numbers::skip_space(run, 0, &mut peek)?;
    numbers::float(run, start, &mut peek)
}

fn atof(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let value = float_at(run, ptr)?.map_or(0, |float| float.double().0);
    Ok(Reply::Value(Value::int(value, 64)))
}

fn strtod(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (ptr, end) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let float = float_at(run, ptr)?;
    let (value, range) = float.as_ref().map_or((0, false), FloatText::double);
    finish(run, ptr, end, float.map_or(0, |float| float.end), range)?;
    Ok(Reply::Value(Value::int(value, 64)))
}

fn strtof(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (ptr, end) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let float = float_at(run, ptr)?;
    let (value, range) = float.as_ref().map_or((0, false), FloatText::single);
    finish(run, ptr, end, float.map_or(0, |float| float.end), range)?;
    Ok(Reply::Value(Value::int(value, 32)))
}

fn abs(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let value = args.bits(run, 0)?;
    let pool = run.pool();
    let zero = pool.zero(pool.width(value));
    let negative = pool.slt(value, zero);
    let negated = pool.neg(value);
    Ok(bits(pool.ite(negative, negated, value)))
}

/// Quotient and remainder, in one number or two as the convention returns them.
fn div(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (left, right) = (args.bits(run, 0)?, args.bits(run, 1)?);
    let width = run.pool().width(left);
    let zero = run.pool().zero(width);
    let fine = run.pool().ne(right, zero);
    run.check(fine, FaultKind::Division, "division by zero")?;
    let pool = run.pool();
    let (quotient, remainder) = (pool.sdiv(left, right), pool.srem(left, right));
    Ok(match args.result {
        Shape::Many { .. } => Reply::Value(Value::Many([Value::Bits(quotient), Value::Bits(remainder)].into())),
        _ => bits(pool.concat(remainder, quotient)),
    })
}

fn swap(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let value = args.bits(run, 0)?;
    let pool = run.pool();
    let mut swapped = pool.extract(value, 0, 8);
    for low in (8..pool.width(value)).step_by(8) {
        let byte = pool.extract(value, low, 8);
        swapped = pool.concat(swapped, byte);
    }
    Ok(bits(swapped))
}

fn ffs(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let value = args.bits(run, 0)?;
    let pool = run.pool();
    let mut position = Expr::constant(0, 32);
    for bit in (0..pool.width(value)).rev() {
        let set = pool.extract(value, bit, 1);
        position = pool.ite(set, Expr::constant(u64::from(bit) + 1, 32), position);
    }
    Ok(bits(position))
}

/// Random numbers as glibc makes them.
#[derive(Clone, Debug, Default)]
pub struct Random {
    /// The last 31 numbers, the oldest one at `next`; `None` before the first call.
    history: Option<Rc<[u32; 31]>>,
    next: usize,
    /// A seed that is not known, and how many numbers were made of it.
    unknown: Option<(Expr, u64)>,
    /// State of `drand48` and its like.
    linear: u64,
}

/// The additive generator after its first 310 numbers, which are thrown away.
fn seeded(seed: u32) -> ([u32; 31], usize) {
    let mut history = [0u32; 31];
    let mut word = i64::from(if seed == 0 { 1 } else { seed } as i32);
    history[0] = word as u32;
    for place in history.iter_mut().skip(1) {
        let (high, low) = (word / 127_773, word % 127_773);
        word = 16_807 * low - 2_836 * high;
        if word < 0 {
            word += 2_147_483_647;
        }
        *place = word as u32;
    }
    let mut next = 3;
    for _ in 0..310 {
        step(&mut history, &mut next);
    }
    (history, next)
}

/// The next number: the sum of those 31 and 3 places ago.
fn step(history: &mut [u32; 31], next: &mut usize) -> u32 {
    let sum = history[*next].wrapping_add(history[(*next + 28) % 31]);
    history[*next] = sum;
    *next = (*next + 1) % 31;
    sum >> 1
}

fn rand(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let width = args.result_bits().max(32);
    let random = &run.state.library.random;
    if random.history.is_none() && random.unknown.is_none() && run.begins_anywhere() {
        // The seed was given before, the same in both versions.
        let seed = run.left_before("seed", 0, 32);
        Rc::make_mut(&mut run.state.library).random.unknown = Some((seed, 0));
    } else if random.unknown.is_some() && !run.begins_anywhere() {
        run.remark(RemarkKind::Approximate("random numbers of an unknown seed".to_owned()));
    }
    if let Some((seed, count)) = run.state.library.random.unknown {
        let function = run.worker.function("rand");
        let pool = run.pool();
        let number = pool.apply(function, &[seed, Expr::constant(count, 64)], 31);
        let number = pool.zext(number, width);
        Rc::make_mut(&mut run.state.library).random.unknown = Some((seed, count + 1));
        return Ok(bits(number));
    }
    let random = &mut Rc::make_mut(&mut run.state.library).random;
    if random.history.is_none() {
        let (history, next) = seeded(1);
        random.history = Some(Rc::new(history));
        random.next = next;
    }
    let mut next = random.next;
    let number = random.history.as_mut().map_or(0, |history| step(Rc::make_mut(history), &mut next));
    random.next = next;
    Ok(Reply::Value(Value::int(number.into(), width)))
}

fn srand(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let seed = args.int(run, 0)?;
    let random = &mut Rc::make_mut(&mut run.state.library).random;
    match seed.as_const() {
        Some(known) => {
            let (history, next) = seeded(known as u32);
            *random = Random { history: Some(Rc::new(history)), next, unknown: None, linear: random.linear };
        }
        None => random.unknown = Some((seed, 0)),
    }
    Ok(Reply::Nothing)
}

fn rand_r(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let place = args.pointer(run, 0)?;
    let shape = Shape::Int { bits: 32, bytes: 4 };
    run.access(place, 4, true)?;
    let seed = run.load(place, &shape)?;
    let mut next = run.bits(&seed, 32)?;
    let mut result = Expr::constant(0, 32);
    let pool = run.pool();
    for (shift, modulus) in [(0, 2048), (10, 1024), (10, 1024)] {
        let scaled = pool.mul(next, Expr::constant(1_103_515_245, 32));
        next = pool.add(scaled, Expr::constant(12_345, 32));
        let high = pool.lshr(next, Expr::constant(16, 32));
        let part = pool.urem(high, Expr::constant(modulus, 32));
        let shifted = pool.shl(result, Expr::constant(shift, 32));
        result = pool.xor(shifted, part);
    }
    run.store(place, &Value::Bits(next), &shape)?;
    Ok(bits(result))
}

/// The next state of the linear generator.
fn linear(run: &mut Run) -> u64 {
    if run.state.library.random.linear == 0 && run.begins_anywhere() {
        run.remark(RemarkKind::Approximate("random numbers of an unknown seed".to_owned()));
    }
    let random = &mut Rc::make_mut(&mut run.state.library).random;
    random.linear = random.linear.wrapping_mul(0x5_deec_e66d).wrapping_add(0xb) & ((1 << 48) - 1);
    random.linear
}

fn drand48(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    let value = linear(run) as f64 / (1u64 << 48) as f64;
    Ok(Reply::Value(Value::int(value.to_bits(), 64)))
}

fn lrand48(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::int(linear(run) >> 17, 64)))
}

fn mrand48(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    let value = (linear(run) >> 16) as i32;
    Ok(Reply::Value(Value::int(i64::from(value) as u64, 64)))
}

fn srand48(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let seed = args.int(run, 0)?;
    let Some(seed) = seed.as_const() else { return Err(run.unsupported("srand48 with a seed that is not known")) };
    Rc::make_mut(&mut run.state.library).random.linear = seed << 16 | 0x330e;
    Ok(Reply::Nothing)
}
