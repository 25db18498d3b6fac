//! Objects in memory, shared between states and copied when written.

use crate::contents::Contents;
use crate::inputs::InputId;
use crate::value::ObjectId;
use ir::id::{FuncId, LocId};
use smt::expr::Expr;
use std::rc::Rc;

/// An object in memory.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its address, the same in every run; programs that look at addresses are marked as doing so.
    pub base: u64,
    /// Size in bytes, 64 bits.
    pub size: Expr,
    /// What it is.
    pub kind: Kind,
    /// Whether it still exists.
    pub life: Life,
    /// Whether a pointer to it is known not to be null on this path; of memory that was allocated that is taken for granted until
    /// it is used.
    pub present: bool,
    /// Whether the program wrote to it.
    pub written: bool,
    /// Its bytes.
    pub contents: Rc<Contents>,
}

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Stack memory.
    Stack,
    /// Allocated memory.
    Heap,
    /// A global variable.
    Global {
        /// Whether it never changes.
        constant: bool,
    },
    /// A function.
    Function(FuncId),
    /// Memory behind a pointer of the input.
    Input(InputId),
    /// Memory of the C library, such as `errno` or a `FILE`.
    Library,
}

/// Whether an object still exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It does.
    Alive,
    /// It was freed or its function returned, there.
    Ended(Option<LocId>),
}

/// All objects of a state. Cheap to copy: objects lie in chunks that are shared until they are written.
#[derive(Clone)]
pub struct Memory {
    chunks: Vec<Rc<Chunk>>,
    /// How many objects there are, statics included.
    count: u32,
    /// Objects below this id are functions and global variables, made when they are first used.
    statics: u32,
    next_address: u64,
    /// A chunk without objects, shared by all ranges of ids that have ended.
    empty: Rc<Chunk>,
    /// What stands for an object that is not there; no pointer leads to it.
    nothing: Rc<Object>,
}

const CHUNK: usize = 32;

#[derive(Clone)]
struct Chunk([Option<Rc<Object>>; CHUNK]);

/// Space that is left between objects, so that the end of one is never the beginning of another.
const GAP: u64 = 16;

/// Addresses that objects of unknown size get at most.
const UNKNOWN_SIZE: u64 = 1 << 24;

impl Memory {
    /// Memory with `statics` functions and global variables, which end below `next_address`.
    pub fn new(statics: u32, next_address: u64) -> Memory {
        let nothing = Object {
            base: 0,
            size: Expr::constant(0, 64),
            kind: Kind::Library,
            life: Life::Ended(None),
            present: true,
            written: false,
            contents: Rc::default(),
        };
        Memory {
            chunks: Vec::new(),
            count: statics + 1,
            statics: statics + 1,
            next_address,
            empty: Rc::new(Chunk([const { None }; CHUNK])),
            nothing: Rc::new(nothing),
        }
    }

    /// How many objects there are; ids are below this.
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.count <= 1
    }

    /// Ids from this one on are no functions and global variables.
    pub fn first_dynamic(&self) -> u32 {
        self.statics
    }

    /// Adds an object; its address is chosen here.
    pub fn add(&mut self, size: Expr, align: u64, kind: Kind, contents: Contents) -> ObjectId {
        let id = ObjectId(self.count);
        self.count += 1;
        let align = align.clamp(16, 1 << 32);
        // Addresses may run out where sizes are absurd; nothing is ever read there.
        let base = self.next_address.checked_next_multiple_of(align).unwrap_or(self.next_address);
        let room = size.as_const().unwrap_or(UNKNOWN_SIZE);
        self.next_address = base.saturating_add(room).saturating_add(GAP);
        self.set(
            id,
            Rc::new(Object {
                base,
                size,
                kind,
                life: Life::Alive,
                present: !matches!(kind, Kind::Input(_)),
                written: false,
                contents: Rc::new(contents),
            }),
        );
        id
    }

    /// The object, if it is known here; statics are not before they are first used.
    pub fn get(&self, id: ObjectId) -> Option<&Object> {
        let index = id.0 as usize;
        self.chunks.get(index / CHUNK)?.0[index % CHUNK].as_deref()
    }

    /// The object, or one without bytes that has ended.
    pub fn get_or_nothing(&self, id: ObjectId) -> &Object {
        self.get(id).unwrap_or(&self.nothing)
    }

    /// The object, to be changed.
    pub fn get_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let index = id.0 as usize;
        let chunk = Rc::make_mut(self.chunks.get_mut(index / CHUNK)?);
        chunk.0[index % CHUNK].as_mut().map(Rc::make_mut)
    }

    /// Puts an object in its place.
    pub fn set(&mut self, id: ObjectId, object: Rc<Object>) {
        let index = id.0 as usize;
        while self.chunks.len() <= index / CHUNK {
            self.chunks.push(self.empty.clone());
        }
        Rc::make_mut(&mut self.chunks[index / CHUNK]).0[index % CHUNK] = Some(object);
    }

    /// Ends an object, keeping the fact that it was there.
    pub fn end(&mut self, id: ObjectId, at: Option<LocId>) {
        if let Some(object) = self.get_mut(id) {
            object.life = Life::Ended(at);
            object.contents = Rc::default();
        }
    }

    /// Forgets an object; pointers that are left lead to nothing.
    pub fn forget(&mut self, id: ObjectId) {
        let index = id.0 as usize;
        let Some(chunk) = self.chunks.get_mut(index / CHUNK) else { return };
        Rc::make_mut(chunk).0[index % CHUNK] = None;
        if chunk.0.iter().all(Option::is_none) {
            *chunk = self.empty.clone();
        }
    }

    /// The object, no static, that lies at an address, and the distance in it. Later objects have higher addresses.
    pub fn at_address(&self, address: u64) -> Option<(ObjectId, u64)> {
        let first_chunk = self.statics as usize / CHUNK;
        let chunks = self.chunks.get(first_chunk..)?;
        // Chunks without objects say nothing of their addresses, so this looks at all that have some.
        let objects = chunks.iter().enumerate().rev().flat_map(|(chunk, objects)| {
            objects.0.iter().enumerate().rev().filter_map(move |(i, object)| {
                let id = ((first_chunk + chunk) * CHUNK + i) as u32;
                object.as_deref().filter(|_| id >= self.statics).map(|object| (ObjectId(id), object))
            })
        });
        let (id, object) = objects.into_iter().find(|(_, object)| object.base <= address)?;
        let distance = address - object.base;
        (distance <= object.size.as_const().unwrap_or(UNKNOWN_SIZE)).then_some((id, distance))
    }

    /// Objects that are not the same in `other`, or not there, by id.
    pub fn unlike(&self, other: &Memory) -> Vec<ObjectId> {
        let mut found = Vec::new();
        for chunk in 0..self.chunks.len().max(other.chunks.len()) {
            let (mine, theirs) = (self.chunks.get(chunk), other.chunks.get(chunk));
            if let (Some(mine), Some(theirs)) = (mine, theirs)
                && Rc::ptr_eq(mine, theirs)
            {
                continue;
            }
            for index in 0..CHUNK {
                let object = |objects: Option<&Rc<Chunk>>| objects.and_then(|objects| objects.0[index].clone());
                let same = match (object(mine), object(theirs)) {
                    (Some(mine), Some(theirs)) => Rc::ptr_eq(&mine, &theirs),
                    (mine, theirs) => mine.is_none() && theirs.is_none(),
                };
                if !same {
                    found.push(ObjectId((chunk * CHUNK + index) as u32));
                }
            }
        }
        found
    }

    /// All objects that are known here, by id.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.chunks.iter().enumerate().flat_map(|(chunk, objects)| {
            objects.0.iter().enumerate().filter_map(move |(i, object)| {
                object.as_deref().map(|object| (ObjectId((chunk * CHUNK + i) as u32), object))
            })
        })
    }
}
