//! What the C library remembers between calls.

use super::ctype::Tables;
use super::stdlib::Random;
use super::streams::{File, Source, Stream};
use crate::contents::{Contents, Unset};
use crate::entry::{Bytes, Shell};
use crate::memory::Kind;
use crate::run::Run;
use crate::state::{RemarkKind, Stop};
use crate::value::{ObjectId, Pointer, Shape, Value};
use smt::expr::Expr;
use std::rc::Rc;
use std::sync::Arc;

/// What is specific to the C library in a state: open files, positions, seeds.
#[derive(Clone, Debug)]
pub struct Library {
    /// What the shell gave to the program; `None` if the run began in a function of the program.
    pub shell: Option<Arc<Shell>>,
    /// Files by number: standard input, output and error first.
    pub files: Vec<File>,
    /// Open streams by descriptor.
    pub streams: Vec<Stream>,
    /// Names of files that the program asked for and that were not there.
    pub missing: Vec<Vec<u8>>,
    /// Functions to be called when the program ends, in order of their registration, with an argument or without.
    pub at_exit: Vec<(Value, Option<Value>)>,
    pub(super) errno: Option<ObjectId>,
    /// Whether the program asked where `errno` is.
    pub(super) asked_for_errno: bool,
    /// Whether a mathematical function was called that may have set `errno`, which is not modelled.
    pub(super) computed: bool,
    pub(super) tables: Tables,
    /// Where `strtok` goes on.
    pub(crate) token: Pointer,
    pub(super) random: Random,
    /// Places that `longjmp` goes to.
    pub(super) jumps: Vec<super::jumps::Place>,
    /// What passes the buffers of streams, each with the number of effects before it.
    pub(crate) passing: Vec<(usize, Passing)>,
    /// How many values calls of `scanf` and the like asked for.
    pub(super) asked_for: u32,
    /// Memory that results such as `strerror`'s point to, by purpose.
    pub(super) buffers: Vec<(&'static str, ObjectId)>,
}

/// How output gets past the buffer of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passing {
    /// The next output is written at once.
    AtOnce,
    /// What the buffer of a file holds is written.
    Flush(u32),
}

impl Default for Library {
    fn default() -> Self {
        Library::new(None)
    }
}

impl Library {
    /// Whether the program, or a model, used `errno`.
    pub(crate) fn has_errno(&self) -> bool {
        self.errno.is_some()
    }

    /// As it is when a program begins.
    pub fn new(shell: Option<Arc<Shell>>) -> Library {
        let (files, streams) = super::streams::standard(shell.as_deref());
        Library {
            shell,
            files,
            streams,
            missing: Vec::new(),
            at_exit: Vec::new(),
            errno: None,
            asked_for_errno: false,
            computed: false,
            tables: Tables::default(),
            token: Pointer::NULL,
            random: Random::default(),
            jumps: Vec::new(),
            passing: Vec::new(),
            asked_for: 0,
            buffers: Vec::new(),
        }
    }
}

impl Library {
    /// Whether the program asked for standard input, and was given none.
    pub fn reads_empty_input(&self) -> bool {
        let asked = self.files.first().is_some_and(|file| file.source == Source::Stdin && file.data.is_some());
        let is_empty = |bytes: &Bytes| match bytes {
            Bytes::Known(known) => known.is_empty(),
            Bytes::Unknown(length) => *length == 0,
        };
        asked && self.shell.as_ref().is_some_and(|shell| is_empty(&shell.stdin))
    }

    /// What it remembers, and whether another one remembers the same.
    pub(crate) fn unlike(&self, other: &Library) -> [(&'static str, bool); 3] {
        let names = |library: &Library| {
            let names: Vec<_> = library.files.iter().map(|file| (&file.name, file.removed)).collect();
            format!("{names:?}")
        };
        let streams = |library: &Library| {
            let stream = |one: &Stream| Stream { object: None, ..one.clone() };
            format!("{:?}", library.streams.iter().map(stream).collect::<Vec<_>>())
        };
        [
            ("random numbers", format!("{:?}", self.random) == format!("{:?}", other.random)),
            ("open files", streams(self) == streams(other)),
            ("names of files", names(self) == names(other)),
        ]
    }
}

impl Run<'_, '_> {
    /// The library, to be changed.
    pub(crate) fn library(&mut self) -> &mut Library {
        Rc::make_mut(&mut self.state.library)
    }

    /// Memory of the library for a purpose, made when it is first needed.
    pub(crate) fn library_memory(&mut self, purpose: &'static str, size: u64) -> Pointer {
        if let Some((_, object)) = self.state.library.buffers.iter().find(|(known, _)| *known == purpose) {
            return Pointer::to(*object);
        }
        let contents = Contents::new(Unset::Zero);
        let object = self.state.memory.add(Expr::constant(size, 64), 16, Kind::Library, contents);
        self.library().buffers.push((purpose, object));
        Pointer::to(object)
    }

    /// Whether versions of a function are compared, so that nobody knows what was asked of the library before. What a run by
    /// itself is given begins as it does in a program.
    pub(crate) fn begins_anywhere(&self) -> bool {
        self.state.library.shell.is_none() && !self.worker.program.twins.is_empty()
    }

    /// Something that the library remembers of what was asked before, the same in both versions of a program.
    pub(crate) fn left_before(&mut self, what: &str, number: u64, bits: u32) -> Expr {
        let function = self.worker.function(what);
        self.worker.pool.apply(function, &[Expr::constant(number, 64)], bits)
    }

    /// Notes that a mathematical function was called that may set `errno`, or that the program asked where that is. Which of both
    /// came first does not matter: the program may keep the address.
    pub(crate) fn note_errno(&mut self, computed: bool) {
        let library = self.library();
        library.computed |= computed;
        library.asked_for_errno |= !computed;
        if library.computed && library.asked_for_errno {
            self.remark(RemarkKind::Approximate("what mathematical functions leave in `errno`".to_owned()));
        }
    }

    /// Where `errno` is.
    pub(crate) fn errno_place(&mut self) -> Pointer {
        let object = match self.state.library.errno {
            Some(object) => object,
            None => {
                let mut contents = Contents::new(Unset::Zero);
                if self.begins_anywhere() {
                    let before = self.left_before("errno before", 0, 32);
                    contents.write_cell(0, 4, Value::Bits(before));
                }
                let object = self.state.memory.add(Expr::constant(4, 64), 16, Kind::Library, contents);
                self.library().errno = Some(object);
                object
            }
        };
        Pointer::to(object)
    }

    /// The value of `errno`.
    pub(crate) fn errno(&mut self) -> Result<Expr, Stop> {
        let place = self.errno_place();
        let value = self.load(place, &Shape::Int { bits: 32, bytes: 4 })?;
        self.bits(&value, 32)
    }

    /// Sets `errno`. Nothing is asked.
    pub(crate) fn set_errno(&mut self, number: u64) -> Result<(), Stop> {
        let place = self.errno_place();
        self.store(place, &Value::int(number, 32), &Shape::Int { bits: 32, bytes: 4 })
    }
}
