//! Files and streams: what `FILE *` and descriptors stand for.
//!
//! A file's bytes are an object of the state, so that known and unknown bytes are treated like any memory. A stream is a
//! place in a file. What is written to standard output, standard error or a file is also an effect.

use super::library::Passing;
use super::text::{Text, constant};
use crate::case::FaultKind;
use crate::contents::{Contents, Unset};
use crate::entry::{Bytes, Shell};
use crate::given::SIZE_OF;
use crate::inputs::{InputObject, Naming, Origin};
use crate::memory::{Kind, Life};
use crate::run::Run;
use crate::state::{Effect, RemarkKind, Stop};
use crate::value::{ObjectId, Pointer, Shape, Value};
use evidence::Limit;
use smt::expr::Expr;
use smt::pool::Reading;

/// Size of a `FILE`.
const FILE_SIZE: u64 = 216;

/// A file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name.
    pub(super) name: Text,
    /// What it holds.
    pub source: Source,
    /// Its bytes, once they were looked at, and how many there are.
    pub(super) data: Option<(ObjectId, Expr)>,
    /// Whether it was removed.
    pub(super) removed: bool,
}

/// What a file holds before anything is written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// What the shell gave as standard input.
    Stdin,
    /// The shell's file of that number.
    Shell(usize),
    /// Nothing yet.
    Empty,
    /// Any bytes: the run began in a function of the program.
    Free,
    /// Nothing can be read from it; all that is written is an effect on the outside.
    Sink,
}

/// An open stream.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    /// Number of its file.
    pub file: usize,
    /// Where it is.
    pub position: u64,
    /// Bytes that were put back, the next one last.
    pub(super) pushed: Vec<Expr>,
    /// Whether the end was seen.
    pub(super) end: bool,
    /// Whether something failed.
    pub(super) error: bool,
    /// Whether the run cleared what was seen before.
    pub(super) cleared: bool,
    /// Whether the run went to a place of its own.
    pub(super) placed: bool,
    pub(super) readable: bool,
    pub(super) writable: bool,
    pub(super) append: bool,
    pub(super) open: bool,
    /// The `FILE` that stands for it.
    pub(super) object: Option<ObjectId>,
}

/// Files and streams when a program begins.
pub(super) fn standard(shell: Option<&Shell>) -> (Vec<File>, Vec<Stream>) {
    let file = |name: &[u8], source| File { name: Text::Known(name.to_vec()), source, data: None, removed: false };
    let mut files = vec![
        file(b"/dev/stdin", if shell.is_some() { Source::Stdin } else { Source::Free }),
        file(b"/dev/stdout", Source::Sink),
        file(b"/dev/stderr", Source::Sink),
    ];
    if let Some(shell) = shell {
        let given = shell.files.iter().enumerate();
        files.extend(given.map(|(number, (name, _))| file(name.as_bytes(), Source::Shell(number))));
    }
    let stream =
        |file: usize| Stream { file, readable: file == 0, writable: file > 0, open: true, ..Stream::default() };
    (files, (0..3).map(stream).collect())
}

impl Run<'_, '_> {
    /// The stream of a descriptor, if it is open.
    pub(super) fn stream(&self, number: usize) -> Option<&Stream> {
        self.state.library.streams.get(number).filter(|stream| stream.open)
    }

    /// The stream of a descriptor, to be changed.
    pub(super) fn stream_mut(&mut self, number: usize) -> Option<&mut Stream> {
        self.library().streams.get_mut(number)
    }

    /// The `FILE` of a stream.
    pub(crate) fn file_object(&mut self, number: usize) -> Pointer {
        if let Some(object) = self.state.library.streams.get(number).and_then(|stream| stream.object) {
            return Pointer::to(object);
        }
        let size = Expr::constant(FILE_SIZE, 64);
        let object = self.state.memory.add(size, 16, Kind::Library, Contents::new(Unset::Zero));
        if let Some(stream) = self.stream_mut(number) {
            stream.object = Some(object);
        }
        Pointer::to(object)
    }

    /// The stream that a `FILE *` stands for.
    pub(super) fn stream_at(&mut self, ptr: Pointer) -> Result<usize, Stop> {
        if self.is_null(ptr)? {
            return Err(self.fault(FaultKind::NullPointer, "a stream"));
        }
        let found = self.state.library.streams.iter().position(|stream| stream.object == Some(ptr.object));
        if let Some(number) = found {
            if self.stream(number).is_none() {
                return Err(self.fault(FaultKind::UseAfterFree, "a stream that was closed"));
            }
            return Ok(number);
        }
        let object = self.object(ptr.object);
        let (kind, life) = (object.kind, object.life);
        match (kind, life) {
            (Kind::Input(id), Life::Alive) => {
                let name = self.worker.inputs.object(id).name.clone();
                self.remark(RemarkKind::Approximate("a stream of the input".to_owned()));
                let number = self.add_stream(Text::Known(name.into_bytes()), Source::Free, (true, true, false));
                if let Some(stream) = self.stream_mut(number) {
                    stream.object = Some(ptr.object);
                }
                Ok(number)
            }
            _ => Err(self.fault(FaultKind::WildPointer, "no stream")),
        }
    }

    /// Opens a new file.
    fn add_stream(&mut self, name: Text, source: Source, access: (bool, bool, bool)) -> usize {
        let file = self.state.library.files.len();
        self.library().files.push(File { name, source, data: None, removed: false });
        self.open_stream(file, access)
    }

    /// Opens a file: the lowest free descriptor. What can be done: read, write, only append.
    pub(super) fn open_stream(&mut self, file: usize, access: (bool, bool, bool)) -> usize {
        let (readable, writable, append) = access;
        let stream = Stream { file, readable, writable, append, open: true, ..Stream::default() };
        let library = self.library();
        match library.streams.iter().position(|stream| !stream.open && stream.object.is_none()) {
            Some(free) => {
                library.streams[free] = stream;
                free
            }
            None => {
                library.streams.push(stream);
                library.streams.len() - 1
            }
        }
    }

    /// The file of a name, if there is one. A name that is not known is compared with each.
    pub(super) fn find_file(&mut self, name: &Text) -> Result<Option<usize>, Stop> {
        for number in 0..self.state.library.files.len() {
            let file = &self.state.library.files[number];
            if file.removed || file.name.len() != name.len() {
                continue;
            }
            let same = match (file.name.known(), name.known()) {
                (Some(a), Some(b)) => Expr::bool(a == b),
                _ => {
                    let pairs: Vec<(Expr, Expr)> = file.name.exprs().into_iter().zip(name.exprs()).collect();
                    let mut all = Expr::bool(true);
                    for (a, b) in pairs {
                        let same = self.pool().eq(a, b);
                        all = self.pool().and(all, same);
                    }
                    all
                }
            };
            if self.decide(same)? {
                return Ok(Some(number));
            }
        }
        if self.state.library.shell.is_some() {
            self.note_missing(name);
            return Ok(None);
        }
        // Nothing is known of the outside: the file may exist or not.
        let Some(known) = name.known() else { return Err(self.unsupported("the name of a file that is not known")) };
        let label = String::from_utf8_lossy(known).into_owned();
        let id = self.free_input(&label, true);
        let object = self.worker.inputs.object(id).clone();
        let missing = object.null(&mut self.worker.pool).unwrap_or(Expr::bool(false));
        if self.decide(missing)? {
            return Ok(None);
        }
        self.library().files.push(File { name: name.clone(), source: Source::Free, data: None, removed: false });
        Ok(Some(self.state.library.files.len() - 1))
    }

    /// Remembers that a file was asked for that never was there.
    fn note_missing(&mut self, name: &Text) {
        let Some(name) = name.known() else { return };
        let library = &self.state.library;
        let was_there = library.files.iter().any(|file| file.name.known() == Some(name));
        if !was_there && !library.missing.iter().any(|known| known == name) {
            let name = name.to_vec();
            self.library().missing.push(name);
        }
    }

    /// An empty file of a name: a new one, or the old one without its bytes.
    pub(super) fn empty_file(&mut self, name: Text, old: Option<usize>) -> usize {
        let contents = Contents::new(Unset::Zero);
        let object = self.state.memory.add(Expr::constant(0, 64), 16, Kind::Library, contents);
        let data = Some((object, Expr::constant(0, 64)));
        match old {
            Some(number) => {
                self.library().files[number].data = data;
                number
            }
            None => {
                self.library().files.push(File { name, source: Source::Empty, data, removed: false });
                self.state.library.files.len() - 1
            }
        }
    }

    /// The input that stands for a file of which nothing is known.
    fn free_input(&mut self, name: &str, may_miss: bool) -> crate::inputs::InputId {
        let origin = Origin::Outside(self.worker.outside_number(&format!("file {name}")));
        if let Some(id) = self.worker.inputs.find(origin) {
            return id;
        }
        let size = self.worker.pool.symbol_as(format!("{SIZE_OF}{name}"), 64, Reading::Unsigned);
        let address = may_miss.then(|| self.worker.pool.symbol_as(format!("open {name}"), 64, Reading::Address));
        let count = self.worker.bounds.characters;
        self.worker.inputs.add(InputObject {
            name: name.to_owned(),
            naming: Naming::Several,
            ty: None,
            element: 1,
            count,
            size,
            address,
            origin,
            depth: 1,
            terminator: None,
            exact: true,
            align: 16,
            memory: false,
            held: false,
        })
    }

    /// The bytes of a file and how many there are.
    pub(super) fn file_data(&mut self, number: usize) -> (ObjectId, Expr) {
        if let Some(data) = self.state.library.files[number].data {
            return data;
        }
        let file = self.state.library.files[number].clone();
        let name = match number {
            0 => "stdin".to_owned(),
            _ => String::from_utf8_lossy(file.name.known().unwrap_or(b"?")).into_owned(),
        };
        let shell = self.state.library.shell.clone();
        let given = match file.source {
            Source::Stdin => shell.as_deref().map(|shell| &shell.stdin),
            Source::Shell(index) => shell.as_deref().and_then(|shell| shell.files.get(index)).map(|(_, bytes)| bytes),
            _ => None,
        };
        let data = match file.source {
            Source::Stdin | Source::Shell(_) | Source::Empty => {
                let nothing = Bytes::default();
                let bytes = given.unwrap_or(&nothing);
                let length = match bytes {
                    Bytes::Known(known) => known.len() as u64,
                    Bytes::Unknown(length) => *length,
                };
                let object = self.outside_bytes(&name, bytes, false).object;
                let less = file.source == Source::Stdin && matches!(bytes, Bytes::Unknown(_));
                match shell.as_deref() {
                    Some(shell) if shell.or_less && less => {
                        let length = self.worker.unknown_length(&name, length);
                        (object, self.worker.concrete_value(length))
                    }
                    _ => (object, Expr::constant(length, 64)),
                }
            }
            Source::Free => {
                let id = self.free_input(&name, number != 0);
                let size = self.worker.inputs.object(id).size;
                (self.input_object(id), size)
            }
            Source::Sink => (ObjectId::NONE, Expr::constant(0, 64)),
        };
        self.library().files[number].data = Some(data);
        data
    }

    /// The byte that is so many places ahead; `None` at the end.
    pub(super) fn peek(&mut self, number: usize, ahead: u64) -> Result<Option<Expr>, Stop> {
        let Some(stream) = self.stream(number) else { return Ok(None) };
        if !stream.readable {
            return Ok(None);
        }
        let pushed = stream.pushed.len() as u64;
        if ahead < pushed {
            return Ok(Some(stream.pushed[(pushed - 1 - ahead) as usize]));
        }
        let (file, at) = (stream.file, stream.position + ahead - pushed);
        let (object, length) = self.file_data(file);
        if !self.reaches(file, length, at)? {
            return Ok(None);
        }
        let value = self.read(object, Expr::constant(at, 64), 1, false)?;
        Ok(Some(self.bits(&value, 8)?))
    }

    /// Asks whether a file has a byte at a place.
    fn reaches(&mut self, file: usize, length: Expr, at: u64) -> Result<bool, Stop> {
        if let Some(length) = length.as_const() {
            return Ok(at < length);
        }
        let bound = self.worker.bounds.characters;
        if at >= bound {
            let ends = self.pool().ule(length, Expr::constant(at, 64));
            if self.decide(ends)? {
                return Ok(false);
            }
            let name =
                String::from_utf8_lossy(self.state.library.files[file].name.known().unwrap_or(b"?")).into_owned();
            return Err(self.bound(Limit::Model(format!("more of {name} than its bound"))));
        }
        let more = self.pool().ult(Expr::constant(at, 64), length);
        self.decide(more)
    }

    /// How many of the next `wanted` bytes there are.
    pub(super) fn available(&mut self, number: usize, wanted: u64) -> Result<u64, Stop> {
        let Some(stream) = self.stream(number) else { return Ok(0) };
        if !stream.readable {
            return Ok(0);
        }
        let (file, position, pushed) = (stream.file, stream.position, stream.pushed.len() as u64);
        let (_, length) = self.file_data(file);
        if let Some(length) = length.as_const() {
            return Ok(wanted.min(pushed + length.saturating_sub(position)));
        }
        let mut count = pushed.min(wanted);
        while count < wanted && self.reaches(file, length, position + count - pushed)? {
            count += 1;
        }
        Ok(count)
    }

    /// The next bytes, which are there.
    pub(super) fn next_bytes(&mut self, number: usize, count: u64) -> Result<Text, Stop> {
        let Some(stream) = self.stream(number) else { return Ok(Text::Known(Vec::new())) };
        if stream.pushed.is_empty() {
            let (file, at) = (stream.file, stream.position);
            let (object, _) = self.file_data(file);
            if let Some(known) = self.object(object).contents.known(at, count) {
                return Ok(Text::Known(known.into_owned()));
            }
        }
        let mut text = Text::Known(Vec::new());
        for ahead in 0..count {
            let byte = self.peek(number, ahead)?.unwrap_or(constant(0));
            text.push(byte);
        }
        Ok(text)
    }

    /// The next known bytes, as many as are at hand.
    pub(super) fn known_next(&mut self, number: usize, most: u64) -> Vec<u8> {
        let Some(stream) = self.stream(number) else { return Vec::new() };
        if !stream.pushed.is_empty() || !stream.readable {
            return Vec::new();
        }
        let (file, at) = (stream.file, stream.position);
        let (object, length) = self.file_data(file);
        let Some(length) = length.as_const() else { return Vec::new() };
        let contents = &self.object(object).contents;
        let count = contents.known_length(at, most.min(length.saturating_sub(at)));
        contents.known(at, count).unwrap_or_default().into_owned()
    }

    /// Goes forward.
    pub(super) fn advance(&mut self, number: usize, count: u64) {
        if let Some(stream) = self.stream_mut(number) {
            let pushed = (stream.pushed.len() as u64).min(count);
            stream.pushed.truncate(stream.pushed.len() - pushed as usize);
            stream.position += count - pushed;
        }
    }

    /// Says that the end of a stream was seen; `feof` inlined by the compiler reads a flag of the `FILE`.
    pub(super) fn mark_end(&mut self, number: usize, end: bool) -> Result<(), Stop> {
        let Some(stream) = self.stream_mut(number) else { return Ok(()) };
        if stream.end == end {
            return Ok(());
        }
        stream.end = end;
        self.mark_flags(number)
    }

    /// Says that something failed.
    pub(super) fn mark_error(&mut self, number: usize, error: bool) -> Result<(), Stop> {
        let Some(stream) = self.stream_mut(number) else { return Ok(()) };
        stream.error = error;
        self.mark_flags(number)
    }

    fn mark_flags(&mut self, number: usize) -> Result<(), Stop> {
        const END_SEEN: u64 = 0x10;
        const ERROR_SEEN: u64 = 0x20;
        let Some(stream) = self.stream(number) else { return Ok(()) };
        let flags = if stream.end { END_SEEN } else { 0 } | if stream.error { ERROR_SEEN } else { 0 };
        let Some(object) = stream.object else { return Ok(()) };
        if self.object(object).kind != Kind::Library {
            return Ok(());
        }
        self.store(Pointer::to(object), &Value::int(flags, 32), &Shape::Int { bits: 32, bytes: 4 })
    }

    /// Checks whether something can be written; `false` sets the error.
    pub(super) fn can_write(&mut self, number: usize) -> Result<bool, Stop> {
        const EBADF: u64 = 9;
        if self.stream(number).is_some_and(|stream| stream.writable) {
            return Ok(true);
        }
        self.set_errno(EBADF)?;
        self.mark_error(number, true)?;
        Ok(false)
    }

    /// Writes bytes. Nothing is asked.
    pub(super) fn write_stream(&mut self, number: usize, text: &Text) -> Result<(), Stop> {
        if text.len() == 0 || !self.can_write(number)? {
            return Ok(());
        }
        let Some(stream) = self.stream(number) else { return Ok(()) };
        let (file, append) = (stream.file, stream.append);
        self.state.effects.push(Effect::Output { stream: file as u32, bytes: text.exprs().into() });
        if matches!(self.state.library.files[file].source, Source::Sink) {
            return Ok(());
        }
        let (object, length) = self.file_data(file);
        let Some(length) = length.as_const() else {
            return Err(self.unsupported("writing to a file of unknown length"));
        };
        let Some(stream) = self.stream_mut(number) else { return Ok(()) };
        stream.position -= (stream.pushed.len() as u64).min(stream.position);
        stream.pushed.clear();
        let at = if append { length } else { stream.position };
        let end = at + text.len() as u64;
        stream.position = end;
        if end > length {
            let size = Expr::constant(end, 64);
            if let Some(object) = self.state.memory.get_mut(object) {
                object.size = size;
            }
            self.library().files[file].data = Some((object, size));
        }
        match text {
            Text::Known(bytes) => self.write_known(object, at, bytes),
            Text::Mixed(bytes) => {
                for (i, &byte) in bytes.iter().enumerate() {
                    self.write(object, Expr::constant(at + i as u64, 64), 1, Value::Bits(byte))?;
                }
                Ok(())
            }
        }
    }

    /// Says that what is written next does not wait in a buffer.
    pub(super) fn pass_buffer(&mut self, number: usize) {
        let before = self.state.effects.len();
        if self.stream(number).is_some() {
            self.library().passing.push((before, Passing::AtOnce));
        }
    }

    /// Writes what the buffer of a stream holds.
    pub(super) fn flush(&mut self, number: usize) {
        let before = self.state.effects.len();
        if let Some(file) = self.stream(number).map(|stream| stream.file) {
            self.library().passing.push((before, Passing::Flush(file as u32)));
        }
    }

    /// Whether a stream was there before the run: nobody knows what was done with it then.
    pub(super) fn is_used_before(&self, number: usize) -> bool {
        number < 3 && self.begins_anywhere()
    }

    /// Says that something was written whose bytes are not known.
    pub(super) fn write_opaque(&mut self, number: usize, what: &str, args: &[Expr]) {
        let Some(file) = self.stream(number).map(|stream| stream.file) else { return };
        self.state.effects.push(Effect::Opaque { stream: file as u32, what: what.into(), args: args.into() });
    }
}
