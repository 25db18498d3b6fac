//! `stdio.h` and `unistd.h`: reading, opening, positions.

use super::text::{Text, constant};
use super::{Arguments, Model, Reply};
use crate::run::Run;
use crate::state::Stop;
use crate::value::{Pointer, Shape, Value};
use smt::expr::{Expr, signed};

/// All of them.
pub const MODELS: &[Model] = &[
    Model { name: "getchar", run: getchar },
    Model { name: "getchar_unlocked", run: getchar },
    Model { name: "getc", run: fgetc },
    Model { name: "fgetc", run: fgetc },
    Model { name: "_IO_getc", run: fgetc },
    Model { name: "getc_unlocked", run: fgetc },
    Model { name: "fgetc_unlocked", run: fgetc },
    Model { name: "__uflow", run: fgetc },
    Model { name: "ungetc", run: ungetc },
    Model { name: "fgets", run: fgets },
    Model { name: "fgets_unlocked", run: fgets },
    Model { name: "__fgets_chk", run: fgets_checked },
    Model { name: "gets", run: gets },
    Model { name: "getline", run: |run, args| get_delimited(run, args, 2, None) },
    Model { name: "getdelim", run: |run, args| get_delimited(run, args, 3, Some(2)) },
    Model { name: "__getdelim", run: |run, args| get_delimited(run, args, 3, Some(2)) },
    Model { name: "fread", run: |run, args| fread(run, args, 0) },
    Model { name: "fread_unlocked", run: |run, args| fread(run, args, 0) },
    Model { name: "__fread_chk", run: |run, args| fread(run, args, 1) },
    Model { name: "read", run: read },
    Model { name: "__read_chk", run: read },
    Model { name: "feof", run: feof },
    Model { name: "feof_unlocked", run: feof },
    Model { name: "ferror", run: ferror },
    Model { name: "ferror_unlocked", run: ferror },
    Model { name: "clearerr", run: clearerr },
    Model { name: "clearerr_unlocked", run: clearerr },
    Model { name: "fopen", run: fopen },
    Model { name: "fopen64", run: fopen },
    Model { name: "fdopen", run: fdopen },
    Model { name: "freopen", run: freopen },
    Model { name: "freopen64", run: freopen },
    Model { name: "fclose", run: fclose },
    Model { name: "fflush", run: fflush },
    Model { name: "fflush_unlocked", run: fflush },
    Model { name: "setvbuf", run: |run, args| buffered(run, args, Reply::Value(Value::int(0, 32))) },
    Model { name: "setbuf", run: |run, args| buffered(run, args, Reply::Nothing) },
    Model { name: "setlinebuf", run: |run, args| buffered(run, args, Reply::Nothing) },
    Model { name: "flockfile", run: nothing },
    Model { name: "funlockfile", run: nothing },
    Model { name: "fseek", run: fseek },
    Model { name: "fseeko", run: fseek },
    Model { name: "fseeko64", run: fseek },
    Model { name: "ftell", run: ftell },
    Model { name: "ftello", run: ftell },
    Model { name: "ftello64", run: ftell },
    Model { name: "rewind", run: rewind },
    Model { name: "fileno", run: fileno },
    Model { name: "fileno_unlocked", run: fileno },
    Model { name: "remove", run: remove },
    Model { name: "unlink", run: remove },
    Model { name: "rename", run: rename },
    Model { name: "tmpfile", run: tmpfile },
    Model { name: "tmpfile64", run: tmpfile },
    Model { name: "open", run: open },
    Model { name: "open64", run: open },
    Model { name: "__open_2", run: open },
    Model { name: "creat", run: creat },
    Model { name: "close", run: close },
    Model { name: "lseek", run: lseek },
    Model { name: "lseek64", run: lseek },
    Model { name: "isatty", run: isatty },
    Model { name: "access", run: can_access },
    Model { name: "fsync", run: succeed },
];

const ENOENT: u64 = 2;
const EBADF: u64 = 9;
const EEXIST: u64 = 17;
const EINVAL: u64 = 22;
const ENOTTY: u64 = 25;

fn int(value: i64) -> Reply {
    Reply::Value(Value::int(value as u64, 32))
}

fn long(value: i64) -> Reply {
    Reply::Value(Value::int(value as u64, 64))
}

fn succeed(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(int(0))
}

fn fflush(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    if run.is_null(ptr)? {
        for number in 0..run.state.library.streams.len() {
            run.flush(number);
        }
        return Ok(int(0));
    }
    let number = run.stream_at(ptr)?;
    run.flush(number);
    Ok(int(0))
}

/// When output is really written: seen by whoever looks before the program ends.
fn buffered(run: &mut Run, args: &Arguments, reply: Reply) -> Result<Reply, Stop> {
    super::process::told(run, args, "buffers of a stream");
    Ok(reply)
}

fn nothing(_: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    Ok(Reply::Nothing)
}

/// The next byte, or -1.
fn get_byte(run: &mut Run, number: usize) -> Result<Reply, Stop> {
    match run.peek(number, 0)? {
        Some(byte) => {
            run.advance(number, 1);
            Ok(Reply::Value(Value::Bits(run.pool().zext(byte, 32))))
        }
        None => {
            at_end(run, number)?;
            Ok(int(-1))
        }
    }
}

/// Says that the end was seen, or that the stream cannot be read.
fn at_end(run: &mut Run, number: usize) -> Result<(), Stop> {
    if run.stream(number).is_some_and(|stream| stream.readable) {
        return run.mark_end(number, true);
    }
    run.set_errno(EBADF)?;
    run.mark_error(number, true)
}

fn getchar(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    get_byte(run, 0)
}

fn fgetc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    get_byte(run, number)
}

fn ungetc(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let c = args.int(run, 0)?;
    let ptr = args.pointer(run, 1)?;
    let number = run.stream_at(ptr)?;
    let none = run.pool().eq(c, Expr::constant(u64::MAX, 32));
    if run.decide(none)? {
        return Ok(int(-1));
    }
    let byte = run.pool().extract(c, 0, 8);
    run.mark_end(number, false)?;
    if let Some(stream) = run.stream_mut(number) {
        stream.pushed.push(byte);
    }
    Ok(Reply::Value(Value::Bits(run.pool().zext(byte, 32))))
}

/// The bytes of a line with its end, at most so many. Nothing is changed.
fn line(run: &mut Run, number: usize, delimiter: u8, most: u64) -> Result<Text, Stop> {
    let known = run.known_next(number, most);
    if let Some(end) = known.iter().position(|&byte| byte == delimiter) {
        return Ok(Text::Known(known[..=end].to_vec()));
    }
    let mut ahead = known.len() as u64;
    let mut text = Text::Known(known);
    while ahead < most {
        let Some(byte) = run.peek(number, ahead)? else { break };
        text.push(byte);
        ahead += 1;
        let end = run.pool().eq(byte, constant(delimiter));
        if run.decide(end)? {
            break;
        }
    }
    Ok(text)
}

fn fgets(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    read_line(run, args, 1, 2)
}

fn fgets_checked(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    read_line(run, args, 2, 3)
}

fn read_line(run: &mut Run, args: &Arguments, size: usize, stream: usize) -> Result<Reply, Stop> {
    let to = args.pointer(run, 0)?;
    let size = args.int(run, size)?;
    let size = run.number(size, 64, "a length that is not known")?;
    let stream = args.pointer(run, stream)?;
    let number = run.stream_at(stream)?;
    if signed(size, 32) <= 0 {
        return Ok(Reply::Value(Value::NULL));
    }
    let mut text = line(run, number, b'\n', size - 1)?;
    let length = text.len() as u64;
    if length == 0 && size > 1 {
        at_end(run, number)?;
        return Ok(Reply::Value(Value::NULL));
    }
    let short = length < size - 1 && text.byte(text.len() - 1).and_then(Expr::as_const) != Some(b'\n'.into());
    // A line that is shorter and does not end with a newline ends with the file.
    let ended = short && run.peek(number, length)?.is_none();
    text.push(constant(0));
    run.write_text(to, &text)?;
    run.advance(number, length);
    if ended {
        run.mark_end(number, true)?;
    }
    Ok(Reply::Value(Value::Ptr(to)))
}

fn gets(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let to = args.pointer(run, 0)?;
    let mut text = line(run, 0, b'\n', u64::MAX)?;
    let length = text.len() as u64;
    if length == 0 {
        at_end(run, 0)?;
        return Ok(Reply::Value(Value::NULL));
    }
    // Within this path the last byte is a newline unless the file ended.
    let ended = run.peek(0, length)?.is_none();
    let last = text.byte(text.len() - 1).unwrap_or(constant(0));
    let newline = run.pool().eq(last, constant(b'\n'));
    let newline = run.decide(newline)?;
    if newline {
        text.truncate(text.len() - 1);
    }
    text.push(constant(0));
    run.write_text(to, &text)?;
    run.advance(0, length);
    if ended && !newline {
        run.mark_end(0, true)?;
    }
    Ok(Reply::Value(Value::Ptr(to)))
}

fn get_delimited(run: &mut Run, args: &Arguments, stream: usize, delimiter: Option<usize>) -> Result<Reply, Stop> {
    let (place, size_place) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let delimiter = match delimiter {
        Some(index) => {
            let byte = args.character(run, index)?;
            match byte.as_const() {
                Some(byte) => byte as u8,
                None => return Err(run.unsupported("getdelim with a delimiter that is not known")),
            }
        }
        None => b'\n',
    };
    let stream = args.pointer(run, stream)?;
    let number = run.stream_at(stream)?;
    let word = Shape::Int { bits: 64, bytes: 8 };
    let old = run.load(place, &Shape::Ptr)?;
    let old = run.pointer(&old)?;
    let size = run.load(size_place, &word)?;
    let size = run.bits(&size, 64)?;
    let mut text = line(run, number, delimiter, u64::MAX)?;
    let length = text.len() as u64;
    if length == 0 {
        at_end(run, number)?;
        return Ok(long(-1));
    }
    let ended = run.peek(number, length)?.is_none();
    let null = run.is_null(old)?;
    let enough = run.pool().ule(Expr::constant(length + 1, 64), size);
    let enough = !null && run.decide(enough)?;
    text.push(constant(0));
    let (to, new_size) = if enough {
        (old, None)
    } else {
        if !null {
            super::alloc::release(run, old)?;
        }
        // glibc begins with 120 bytes and doubles.
        let known = size.as_const().filter(|_| !null).unwrap_or(0);
        let size = (length + 1).max(120).max(known.saturating_mul(2).min(1 << 20));
        (super::alloc::allocate(run, Expr::constant(size, 64), 16, false), Some(size))
    };
    run.write_text(to, &text)?;
    if let Some(size) = new_size {
        run.store(place, &Value::Ptr(to), &Shape::Ptr)?;
        run.store(size_place, &Value::int(size, 64), &word)?;
    }
    run.advance(number, length);
    if ended && text.byte(text.len() - 2).and_then(Expr::as_const) != Some(delimiter.into()) {
        run.mark_end(number, true)?;
    }
    Ok(long(length as i64))
}

/// Reads as many of some bytes as there are.
fn read_bytes(run: &mut Run, number: usize, to: Pointer, wanted: u64) -> Result<u64, Stop> {
    let count = run.available(number, wanted)?;
    let text = run.next_bytes(number, count)?;
    run.write_text(to, &text)?;
    run.advance(number, count);
    Ok(count)
}

fn fread(run: &mut Run, args: &Arguments, shift: usize) -> Result<Reply, Stop> {
    let (to, stream) = (args.pointer(run, 0)?, args.pointer(run, 3 + shift)?);
    let (size, count) = (args.size(run, 1 + shift)?, args.size(run, 2 + shift)?);
    let number = run.stream_at(stream)?;
    let Some(total) = size.checked_mul(count).filter(|&total| total > 0) else { return Ok(long(0)) };
    let read = read_bytes(run, number, to, total)?;
    if read < total {
        at_end(run, number)?;
    }
    Ok(long((read / size) as i64))
}

fn descriptor(run: &mut Run, args: &Arguments) -> Result<Option<usize>, Stop> {
    let number = args.int(run, 0)?;
    let number = run.number(number, 16, "a descriptor that is not known")? as usize;
    if run.stream(number).is_some() {
        return Ok(Some(number));
    }
    run.set_errno(EBADF)?;
    Ok(None)
}

fn read(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let to = args.pointer(run, 1)?;
    let size = args.size(run, 2)?;
    let Some(number) = descriptor(run, args)? else { return Ok(long(-1)) };
    if !run.stream(number).is_some_and(|stream| stream.readable) {
        run.set_errno(EBADF)?;
        return Ok(long(-1));
    }
    Ok(long(read_bytes(run, number, to, size)? as i64))
}

/// Whether something holds of a stream that was decided before the run.
fn truth(run: &mut Run, number: usize, what: &str) -> Reply {
    let known = run.left_before(what, number as u64, 1);
    Reply::Value(Value::Bits(run.pool().zext(known, 32)))
}

fn feof(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    let Some(stream) = run.stream(number) else { return Ok(int(0)) };
    // Whoever came to the end before reads nothing any more.
    let open = !stream.end && !stream.cleared && stream.position == 0 && stream.pushed.is_empty();
    if open && run.is_used_before(number) {
        return Ok(truth(run, number, "end seen before"));
    }
    Ok(int(run.stream(number).is_some_and(|stream| stream.end).into()))
}

fn ferror(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    let Some(stream) = run.stream(number) else { return Ok(int(0)) };
    if !stream.error && !stream.cleared && run.is_used_before(number) {
        return Ok(truth(run, number, "error seen before"));
    }
    Ok(int(run.stream(number).is_some_and(|stream| stream.error).into()))
}

fn clearerr(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    clear(run, number)?;
    Ok(Reply::Nothing)
}

/// Forgets what was seen of a stream.
fn clear(run: &mut Run, number: usize) -> Result<(), Stop> {
    run.mark_end(number, false)?;
    run.mark_error(number, false)?;
    if let Some(stream) = run.stream_mut(number) {
        stream.cleared = true;
    }
    Ok(())
}

/// How a file is to be opened.
#[derive(Clone, Copy)]
struct Mode {
    read: bool,
    write: bool,
    append: bool,
    create: bool,
    truncate: bool,
    exclusive: bool,
}

/// Opens the file of a name; asks first which one that is. The descriptor, or an error number.
fn open_name(run: &mut Run, name: Text, mode: Mode) -> Result<Result<usize, u64>, Stop> {
    let found = run.find_file(&name)?;
    let file = match found {
        Some(_) if mode.exclusive && mode.create => return Ok(Err(EEXIST)),
        Some(file) if !mode.truncate => file,
        None if !mode.create => return Ok(Err(ENOENT)),
        old => run.empty_file(name, old),
    };
    Ok(Ok(run.open_stream(file, (mode.read, mode.write, mode.append))))
}

fn parse_mode(text: &[u8]) -> Option<Mode> {
    let plus = text.contains(&b'+');
    let first = *text.first()?;
    let mode = Mode {
        read: first == b'r' || plus,
        write: first != b'r' || plus,
        append: first == b'a',
        create: first != b'r',
        truncate: first == b'w',
        exclusive: text.contains(&b'x'),
    };
    b"rwa".contains(&first).then_some(mode)
}

fn fopen(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (name, mode) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let mode = run.known_string(mode, "a mode")?;
    let name = run.string(name)?;
    let opened = match parse_mode(&mode) {
        Some(mode) => open_name(run, name, mode)?,
        None => Err(EINVAL),
    };
    match opened {
        Ok(number) => Ok(Reply::Value(Value::Ptr(run.file_object(number)))),
        Err(error) => {
            run.set_errno(error)?;
            Ok(Reply::Value(Value::NULL))
        }
    }
}

fn freopen(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (name, mode, stream) = (args.pointer(run, 0)?, args.pointer(run, 1)?, args.pointer(run, 2)?);
    let mode = run.known_string(mode, "a mode")?;
    let old = run.stream_at(stream)?;
    if run.is_null(name)? {
        return Ok(Reply::Value(Value::Ptr(stream)));
    }
    let name = run.string(name)?;
    let opened = match parse_mode(&mode) {
        Some(mode) => open_name(run, name, mode)?,
        None => Err(EINVAL),
    };
    let library = run.library();
    match opened {
        Ok(number) => {
            let mut new = library.streams[number].clone();
            library.streams[number].open = false;
            new.object = library.streams[old].object;
            library.streams[old] = new;
            Ok(Reply::Value(Value::Ptr(stream)))
        }
        Err(error) => {
            library.streams[old].open = false;
            run.set_errno(error)?;
            Ok(Reply::Value(Value::NULL))
        }
    }
}

fn fdopen(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    match descriptor(run, args)? {
        Some(number) => Ok(Reply::Value(Value::Ptr(run.file_object(number)))),
        None => Ok(Reply::Value(Value::NULL)),
    }
}

fn fclose(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    if let Some(stream) = run.stream_mut(number) {
        stream.open = false;
    }
    Ok(int(0))
}

fn close(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = descriptor(run, args)? else { return Ok(int(-1)) };
    if let Some(stream) = run.stream_mut(number) {
        stream.open = false;
    }
    Ok(int(0))
}

/// Moves a stream; the new place, or `None` if it cannot be.
fn seek(run: &mut Run, args: &Arguments, number: usize) -> Result<Option<u64>, Stop> {
    let distance = args.bits(run, 1)?;
    let whence = args.int(run, 2)?;
    let Some(stream) = run.stream(number) else { return Ok(None) };
    let (file, position) = (stream.file, stream.position - (stream.pushed.len() as u64).min(stream.position));
    let (_, length) = run.file_data(file);
    let whence = run.number(whence, 2, "where to seek from")?;
    let from = match whence {
        0 => Expr::constant(0, 64),
        1 => Expr::constant(position, 64),
        2 => length,
        _ => return Ok(None),
    };
    let distance = run.pool().sext(distance, 64);
    let place = run.pool().add(from, distance);
    let zero = Expr::constant(0, 64);
    let negative = run.pool().slt(place, zero);
    if run.decide(negative)? {
        return Ok(None);
    }
    let place = run.number(place, 64, "a place in a file that is not known")?;
    run.mark_end(number, false)?;
    if let Some(stream) = run.stream_mut(number) {
        stream.pushed.clear();
        stream.position = place;
        stream.placed |= whence != 1;
    }
    Ok(Some(place))
}

fn fseek(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    match seek(run, args, number)? {
        Some(_) => Ok(int(0)),
        None => {
            run.set_errno(EINVAL)?;
            Ok(int(-1))
        }
    }
}

fn lseek(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let Some(number) = descriptor(run, args)? else { return Ok(long(-1)) };
    match seek(run, args, number)? {
        Some(place) => Ok(long(place as i64)),
        None => {
            run.set_errno(EINVAL)?;
            Ok(long(-1))
        }
    }
}

fn ftell(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    let Some(stream) = run.stream(number) else { return Ok(long(0)) };
    let (place, placed) = (stream.position as i64 - stream.pushed.len() as i64, stream.placed);
    if placed || !run.is_used_before(number) {
        return Ok(long(place));
    }
    let first = run.left_before("place before", number as u64, 64);
    Ok(Reply::Value(Value::Bits(run.pool().add(first, Expr::constant(place as u64, 64)))))
}

fn rewind(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    clear(run, number)?;
    if let Some(stream) = run.stream_mut(number) {
        stream.pushed.clear();
        (stream.position, stream.placed) = (0, true);
    }
    Ok(Reply::Nothing)
}

fn fileno(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let ptr = args.pointer(run, 0)?;
    let number = run.stream_at(ptr)?;
    Ok(int(number as i64))
}

fn remove(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = args.pointer(run, 0)?;
    let name = run.string(name)?;
    match run.find_file(&name)? {
        Some(file) => {
            run.library().files[file].removed = true;
            Ok(int(0))
        }
        None => {
            run.set_errno(ENOENT)?;
            Ok(int(-1))
        }
    }
}

fn rename(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let (from, to) = (args.pointer(run, 0)?, args.pointer(run, 1)?);
    let (from, to) = (run.string(from)?, run.string(to)?);
    if from.known().is_none() || to.known().is_none() || run.state.library.shell.is_none() {
        return Err(run.unsupported("rename of a file that is not known"));
    }
    let (old, replaced) = (run.find_file(&from)?, run.find_file(&to)?);
    let Some(old) = old else {
        run.set_errno(ENOENT)?;
        return Ok(int(-1));
    };
    if let Some(replaced) = replaced.filter(|&replaced| replaced != old) {
        run.library().files[replaced].removed = true;
    }
    run.library().files[old].name = to;
    Ok(int(0))
}

fn tmpfile(run: &mut Run, _: &Arguments) -> Result<Reply, Stop> {
    let file = run.empty_file(Text::Known(Vec::new()), None);
    run.library().files[file].removed = true;
    let number = run.open_stream(file, (true, true, false));
    Ok(Reply::Value(Value::Ptr(run.file_object(number))))
}

fn open(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = args.pointer(run, 0)?;
    let flags = args.int(run, 1)?;
    let Some(flags) = flags.as_const() else { return Err(run.unsupported("open with flags that are not known")) };
    let mode = Mode {
        read: flags & 3 != 1,
        write: flags & 3 != 0,
        append: flags & 0o2000 != 0,
        create: flags & 0o100 != 0,
        truncate: flags & 0o1000 != 0,
        exclusive: flags & 0o200 != 0,
    };
    open_descriptor(run, name, mode)
}

fn creat(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = args.pointer(run, 0)?;
    let mode = Mode { read: false, write: true, append: false, create: true, truncate: true, exclusive: false };
    open_descriptor(run, name, mode)
}

fn open_descriptor(run: &mut Run, name: Pointer, mode: Mode) -> Result<Reply, Stop> {
    let name = run.string(name)?;
    match open_name(run, name, mode)? {
        Ok(number) => Ok(int(number as i64)),
        Err(error) => {
            run.set_errno(error)?;
            Ok(int(-1))
        }
    }
}

/// Nothing is a terminal: neither a test nor a pipe is one.
fn isatty(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let number = descriptor(run, args)?;
    if let Some(number) = number.filter(|number| run.is_used_before(*number)) {
        let known = run.left_before("a terminal", number as u64, 1);
        if run.decide(known)? {
            return Ok(int(1));
        }
    }
    if number.is_some() {
        run.set_errno(ENOTTY)?;
    }
    Ok(int(0))
}

fn can_access(run: &mut Run, args: &Arguments) -> Result<Reply, Stop> {
    let name = args.pointer(run, 0)?;
    let name = run.string(name)?;
    match run.find_file(&name)? {
        Some(_) => Ok(int(0)),
        None => {
            run.set_errno(ENOENT)?;
            Ok(int(-1))
        }
    }
}
