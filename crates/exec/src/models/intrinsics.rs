//! LLVM's intrinsics.

use super::{Arguments, Model, Reply};
use crate::case::FaultKind;
use crate::run::Run;
use crate::state::Stop;

/// All of them, by family.
pub const MODELS: &[Model] = &[
    Model { name: "llvm.memcpy", run: copy },
    Model { name: "llvm.memcpy.inline", run: copy },
    Model { name: "llvm.memmove", run: copy },
    Model { name: "llvm.memset", run: fill },
    Model { name: "llvm.memset.inline", run: fill },
    Model { name: "llvm.lifetime.start", run: nothing },
    Model { name: "llvm.lifetime.end", run: nothing },
    Model { name: "llvm.va_start", run: va_start },
    Model { name: "llvm.va_end", run: nothing },
    Model { name: "llvm.va_copy", run: va_copy },
    Model { name: "llvm.assume", run: nothing },
    Model { name: "llvm.expect", run: first },
    Model { name: "llvm.trap", run: trap },
];

fn nothing(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Nothing)
}

fn first(_: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Value(args.value(0)))
}

fn trap(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Err(run.fault(FaultKind::Abort, "trap"))
}

fn copy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let size = args.bits(run, 2)?;
    let size = run.pool().zext(size, 64);
    let most = run.program().options.max_bytes;
    let size = run.number(size, most.min(64), "bytes copied at once")?;
    run.copy_bytes(to, from, size)?;
    Ok(Reply::Nothing)
}

fn fill(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let to = args.pointer(run, 0)?;
    let byte = args.bits(run, 1)?;
    let size = args.bits(run, 2)?;
    let size = run.pool().zext(size, 64);
    let most = run.program().options.max_bytes;
    let size = run.number(size, most.min(64), "bytes written at once")?;
    run.fill_bytes(to, byte, size)?;
    Ok(Reply::Nothing)
}

fn va_start(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let list = args.pointer(run, 0)?;
    run.start_arguments(list)?;
    Ok(Reply::Nothing)
}

fn va_copy(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (to, from) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    run.copy_bytes(to, from, 24)?;
    Ok(Reply::Nothing)
}
