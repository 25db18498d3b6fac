//! Beginning and end of a program, its surroundings, and what has no effect here: `exit`, `assert`, `getenv`, `time`,
//! `signal`, locales, locks.

use super::{Arguments, Model, Reply};
use crate::case::FaultKind;
use crate::run::Run;
use crate::state::{Effect, End, RemarkKind, Stop};
use crate::value::{Pointer, Shape, Value};
use smt::expr::Expr;
use std::rc::Rc;
use std::sync::Arc;

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "exit", run: exit },
    Model { name: "_exit", run: exit_at_once },
    Model { name: "_Exit", run: exit_at_once },
    Model { name: "quick_exit", run: exit },
    Model { name: "pathshift.exit", run: exit },
    Model { name: "pathshift.next_at_exit", run: next_at_exit },
    Model { name: "atexit", run: atexit },
    Model { name: "__cxa_atexit", run: cxa_atexit },
    Model { name: "abort", run: abort },
    Model { name: "__assert_fail", run: assert_fail },
    Model { name: "__assert", run: assert_fail },
    Model { name: "__stack_chk_fail", run: stack_smashed },
    Model { name: "__chk_fail", run: stack_smashed },
    Model { name: "__fortify_fail", run: stack_smashed },
    Model { name: "getenv", run: getenv },
    Model { name: "secure_getenv", run: getenv },
    Model { name: "time", run: time },
    Model { name: "clock", run: clock },
    Model { name: "gettimeofday", run: gettimeofday },
    Model { name: "clock_gettime", run: clock_gettime },
    Model { name: "getpid", run: getpid },
    Model { name: "signal", run: signal },
    Model { name: "setlocale", run: setlocale },
    Model { name: "localeconv", run: localeconv },
    Model { name: "pthread_mutex_init", run: succeed },
    Model { name: "pthread_mutex_destroy", run: succeed },
    Model { name: "pthread_mutex_lock", run: succeed },
    Model { name: "pthread_mutex_trylock", run: succeed },
    Model { name: "pthread_mutex_unlock", run: succeed },
    Model { name: "pthread_mutexattr_init", run: succeed },
    Model { name: "pthread_mutexattr_settype", run: succeed },
    Model { name: "pthread_mutexattr_destroy", run: succeed },
    Model { name: "pthread_rwlock_init", run: succeed },
    Model { name: "pthread_rwlock_destroy", run: succeed },
    Model { name: "pthread_rwlock_rdlock", run: succeed },
    Model { name: "pthread_rwlock_wrlock", run: succeed },
    Model { name: "pthread_rwlock_unlock", run: succeed },
    Model { name: "pthread_self", run: pthread_self },
    Model { name: "sched_yield", run: succeed },
];

fn exit(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let code = args.int(run, 0)?;
    Err(Stop::End(End::Exited(code)))
}

/// What was not written yet, by callers too, is lost, and nobody is called: the effects tell it from a usual end.
fn exit_at_once(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let code = args.int(run, 0)?;
    told(run, args, "_exit");
    Err(Stop::End(End::Exited(code)))
}

/// Tells of a call that changes nothing here but may do so outside.
pub(super) fn told(run: &mut Run, args: &Arguments, what: &str) {
    let mut numbers: Vec<Expr> = Vec::new();
    for value in args.values.iter() {
        match value {
            Value::Bits(bits) => numbers.push(*bits),
            Value::Ptr(pointer) => numbers.extend([run.identity(pointer.object), pointer.offset]),
            _ => {}
        }
    }
    run.state.effects.push(Effect::Opaque { stream: Effect::NOWHERE, what: what.into(), args: numbers.into() });
}

fn atexit(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let function = args.value(0);
    run.library().at_exit.push((function, None));
    Ok(Reply::Value(Value::int(0, 32)))
}

fn cxa_atexit(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (function, argument) = (args.value(0), args.value(1));
    run.library().at_exit.push((function, Some(argument)));
    Ok(Reply::Value(Value::int(0, 32)))
}

/// Takes the last function that is to be called at the end: writes its argument, returns it or null.
fn next_at_exit(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let place = args.pointer(run, 0)?;
    run.access(place, 8, true)?;
    let Some((function, argument)) = run.library().at_exit.pop() else { return Ok(Reply::Value(Value::NULL)) };
    run.store(place, &argument.unwrap_or(Value::NULL), &Shape::Ptr)?;
    Ok(Reply::Value(function))
}

fn abort(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Err(run.fault(FaultKind::Abort, "abort"))
}

/// A string for a message; what is not known in it is a question mark.
fn message(run: &mut Run, ptr: Pointer) -> String {
    let bytes = run.known_ahead(ptr, 4096);
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

fn assert_fail(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let text = message(run, ptr);
    Err(run.fault(FaultKind::Assertion, &text))
}

fn stack_smashed(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Err(run.fault(FaultKind::OutOfBounds, "a buffer overflow that the program found itself"))
}

fn getenv(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    run.string_length(ptr, u64::MAX)?;
    if run.state.library.shell.is_none() {
        run.remark(RemarkKind::Approximate("the environment is empty".to_owned()));
    }
    Ok(Reply::Value(Value::NULL))
}

/// What the outside tells when it is asked: a number of its own for each call, not negative.
fn outside_number(run: &mut Run, name: &str, width: u32) -> Expr {
    if let Some(now) = run.program().options.clock {
        // Only seconds are told; everything finer, and what is counted from the program's beginning, is zero.
        let is_seconds = name == "time" || name.ends_with("seconds");
        return Expr::constant(if is_seconds { now } else { 0 }, width);
    }
    let number = Expr::constant(run.state.effects.len() as u64, 64);
    let function = run.worker.function(&format!("{name}/{}", width - 1));
    let pool = run.pool();
    let value = pool.apply(function, &[number], width - 1);
    pool.zext(value, width)
}

/// Records a call to the outside.
fn called(run: &mut Run, name: &str, args: &Arguments, result: Value) {
    if run.program().options.clock.is_some() {
        return;
    }
    let effect = Effect::Call {
        function: name.into(),
        passing: Arc::new([]),
        args: args.values.into(),
        given: run.state.given(),
        result: Some(result),
        written: Rc::new([]),
        at: run.at,
    };
    run.state.effects.push(effect);
    run.remark(RemarkKind::Outside(name.to_owned()));
}

fn time(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let place = args.pointer(run, 0)?;
    let stored = !run.is_null(place)?;
    if stored {
        run.access(place, 8, true)?;
    }
    let now = Value::Bits(outside_number(run, "time", 64));
    called(run, "time", args, now.clone());
    if stored {
        run.store(place, &now, &Shape::Int { bits: 64, bytes: 8 })?;
    }
    Ok(Reply::Value(now))
}

fn clock(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let now = Value::Bits(outside_number(run, "clock", 64));
    called(run, "clock", args, now.clone());
    Ok(Reply::Value(now))
}

/// Seconds and a fraction of one.
fn write_time(run: &mut Run, args: &Arguments, name: &str, index: usize, parts: u64) -> Result<Reply, Stop> {
    let place = args.pointer(run, index)?;
    if !run.is_null(place)? {
        run.access(place, 16, true)?;
        let word = Shape::Int { bits: 64, bytes: 8 };
        let seconds = outside_number(run, &format!("{name} seconds"), 64);
        let fraction = outside_number(run, &format!("{name} fraction"), 32);
        let pool = run.pool();
        let fraction = pool.zext(fraction, 64);
        let fraction = pool.urem(fraction, Expr::constant(parts, 64));
        run.store(place, &Value::Bits(seconds), &word)?;
        let behind = run.offset(place, 8);
        run.store(behind, &Value::Bits(fraction), &word)?;
    }
    called(run, name, args, Value::int(0, 32));
    Ok(Reply::Value(Value::int(0, 32)))
}

fn gettimeofday(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    write_time(run, args, "gettimeofday", 0, 1_000_000)
}

fn clock_gettime(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    write_time(run, args, "clock_gettime", 1, 1_000_000_000)
}

fn getpid(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let number = Value::Bits(outside_number(run, "getpid", 32));
    called(run, "getpid", args, number.clone());
    Ok(Reply::Value(number))
}

/// Signals never come; the handler before is the default one.
fn signal(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    told(run, args, "signal");
    Ok(Reply::Value(Value::NULL))
}

fn setlocale(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 1)?;
    if !run.is_null(ptr)? {
        let name = run.known_string(ptr, "a locale")?;
        told(run, args, &format!("setlocale {}", name.escape_ascii()));
        if !matches!(&*name, b"" | b"C" | b"POSIX") {
            return Ok(Reply::Value(Value::NULL));
        }
    }
    let name = run.library_memory("setlocale", 2);
    run.store_byte(name, Expr::constant(b'C'.into(), 8))?;
    Ok(Reply::Value(Value::Ptr(name)))
}

/// The C locale: a point, everything else empty or not told.
fn localeconv(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    let point = run.library_memory("decimal point", 2);
    run.store_byte(point, Expr::constant(b'.'.into(), 8))?;
    let empty = run.library_memory("empty string", 1);
    let place = run.library_memory("localeconv", 96);
    for index in 0..10 {
        let text = if index == 0 { point } else { empty };
        let at = run.offset(place, index * 8);
        run.store(at, &Value::Ptr(text), &Shape::Ptr)?;
    }
    for index in 80..94 {
        let at = run.offset(place, index);
        run.store_byte(at, Expr::constant(127, 8))?;
    }
    Ok(Reply::Value(Value::Ptr(place)))
}

fn succeed(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = run.program().module.function_name(args.function).to_owned();
    told(run, args, &name);
    Ok(Reply::Value(Value::int(0, 32)))
}

fn pthread_self(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(Value::int(1, 64)))
}
