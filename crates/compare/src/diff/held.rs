//! Vectors and strings of C++ that a native run left, as what they hold: where that lies says nothing.

use exec::case::{Memory, Outcome, Target};
use exec::containers::{self, Layout, TEXT_LENGTH, VECTOR_END};
use exec::inputs::InputObject;
use exec::program::Program;
use ir::debug::{DebugTypeKind, Encoding};
use ir::id::DebugTypeId;
use ir::module::Module;

use crate::replay::{OwnPlace, Replayed};

/// Deepest nesting of containers.
const DEEPEST: u32 = 4;

/// Whether a type holds a container of which nobody can say what is in it.
pub fn holds_unknown(module: &Module, ty: DebugTypeId) -> bool {
    containers::within(module, ty).iter().any(|container| container.layout.is_none())
}

/// An outcome in which objects with containers have what these hold in place of what they look like: one that is nothing but a
/// container is what it holds, and others have it behind them, each with its length before it. What cannot be read may be
/// anything. Objects come with whether nobody sees what becomes of them.
pub fn with_held(mut outcome: Outcome, seen: &Replayed, objects: &[(&InputObject, bool)], module: &Module) -> Outcome {
    for (memory, (object, unseen)) in outcome.objects.iter_mut().zip(objects) {
        if object.held || *unseen && object.ty.is_some_and(|ty| containers::holds(module, ty)) {
            // It is part of what it is held by, or nobody sees what becomes of it.
            *memory = Memory { bytes: Vec::new(), pointers: Vec::new(), ..memory.clone() };
            continue;
        }
        let Some(ty) = object.ty.filter(|ty| containers::holds(module, *ty)) else { continue };
        if memory.bytes.is_empty() {
            continue;
        }
        let runs = Left { seen, module };
        let size = memory.bytes.len() as u64;
        let mut elements = (0..size / object.element.max(1)).map(|index| index * object.element);
        let held = elements.try_fold(Vec::new(), |mut all, start| {
            all.extend(runs.element(memory, start, object.element, ty, 0)?);
            Some(all)
        });
        memory.pointers.clear();
        match held {
            Some(bytes) => memory.bytes = bytes,
            None => memory.any = vec![(0, size)],
        }
    }
    outcome
}

/// What an object holds that is nothing but a container, after [`with_held`].
pub fn in_words(program: &Program, object: &InputObject, memory: &Memory) -> Option<String> {
    let within = containers::within(&program.module, object.ty?);
    let [container] = within.as_slice() else { return None };
    let layout = container.layout.filter(|layout| layout.bytes() == object.element && memory.any.is_empty())?;
    held_in_words(program, layout, memory.bytes.split_first_chunk::<8>()?.1)
}

/// What containers that are parts of an object hold, where two runs left something else in them, after [`with_held`]; and the
/// object without them.
pub fn parts_in_words(
    program: &Program,
    object: &InputObject,
    memory: &Memory,
    other: &Memory,
) -> Option<(Vec<String>, [Memory; 2])> {
    let within = containers::within(&program.module, object.ty?);
    let size = usize::try_from(object.element).ok()?;
    let is_alone =
        within.first().is_some_and(|first| first.layout.is_some_and(|layout| layout.bytes() == object.element));
    if within.is_empty() || is_alone || object.count != 1 || memory.bytes.len() < size || other.bytes.len() < size {
        return None;
    }
    let mut words = Vec::new();
    let mut rests = [memory, other].map(|memory| &memory.bytes[size..]);
    for container in &within {
        let mut held: [&[u8]; 2] = [&[]; 2];
        for (held, rest) in held.iter_mut().zip(&mut rests) {
            let (length, behind) = rest.split_first_chunk::<8>()?;
            (*held, *rest) = behind.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        }
        if held[0] != held[1] {
            let name = exec::cpp_inputs::name_at(program, object, container.start);
            let text =
                held_in_words(program, container.layout?, held[0]).unwrap_or_else(|| "other elements".to_owned());
            words.push(format!("{name} = {text}"));
        }
    }
    let without = |memory: &Memory| Memory { bytes: memory.bytes[..size].to_vec(), ..memory.clone() };
    Some((words, [without(memory), without(other)]))
}

fn held_in_words(program: &Program, layout: Layout, held: &[u8]) -> Option<String> {
    let module = &program.module;
    let Some(element) = layout.element() else {
        return Some(match layout {
            Layout::Rust { .. } => format!("{:?}", String::from_utf8_lossy(held)),
            _ => format!("\"{}\"", held.escape_ascii()),
        });
    };
    let size = (module.debug.bits(element) / 8).max(1) as usize;
    if size > 8 || containers::holds(module, element) {
        return None;
    }
    let reading = exec::inputs::reading(program, element, size as u32);
    let value = |bytes: &[u8]| {
        let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        smt::show::constant(word, size as u32 * 8, Some(reading))
    };
    let mut values: Vec<String> = held.chunks_exact(size).take(MOST_SHOWN + 1).map(value).collect();
    if values.len() > MOST_SHOWN {
        values[MOST_SHOWN] = "…".to_owned();
    }
    let values = values.join(", ");
    Some(if matches!(layout, Layout::Rust { .. }) { format!("[{values}]") } else { format!("{{{values}}}") })
}

/// Gives what is no number the same bits everywhere.
fn one_no_number(float: Option<&mut [u8]>) {
    match float {
        Some(bytes) if bytes.len() == 4 => {
            let value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            if value.is_nan() {
                bytes.copy_from_slice(&f32::NAN.to_le_bytes());
            }
        }
        Some(bytes) => {
            if let Ok(bits) = <[u8; 8]>::try_from(&*bytes)
                && f64::from_le_bytes(bits).is_nan()
            {
                bytes.copy_from_slice(&f64::NAN.to_le_bytes());
            }
        }
        None => {}
    }
}

/// Bytes with their number before them.
fn counted(held: &[u8]) -> Vec<u8> {
    [&(held.len() as u64).to_le_bytes(), held].concat()
}

/// Most elements that are shown.
const MOST_SHOWN: usize = 16;

/// Memory that a run left.
struct Left<'a> {
    seen: &'a Replayed,
    module: &'a Module,
}

impl<'a> Left<'a> {
    /// An element of a type, its containers replaced.
    fn element(&self, memory: &Memory, start: u64, size: u64, ty: DebugTypeId, depth: u32) -> Option<Vec<u8>> {
        let mut bytes = memory.bytes.get(start as usize..)?.get(..size as usize)?.to_vec();
        for (at, _) in &memory.pointers {
            if let Some(under) = at.checked_sub(start).and_then(|at| bytes.get_mut(at as usize..at as usize + 8)) {
                under.fill(0);
            }
        }
        for at in 0..size {
            match (self.float_at(ty, at), at as usize) {
                (Some(4), at) => one_no_number(bytes.get_mut(at..at + 4)),
                (Some(8), at) => one_no_number(bytes.get_mut(at..at + 8)),
                _ => {}
            }
        }
        let within = containers::within(self.module, ty);
        if let [container] = within.as_slice()
            && container.layout?.bytes() == size
        {
            return Some(counted(&self.held(memory, start, container.layout?, depth)?));
        }
        for at in (0..size).filter(|at| self.module.debug.is_padding(&self.module.strings, ty, *at)) {
            bytes[at as usize] = 0;
        }
        for container in within {
            let layout = container.layout?;
            bytes.get_mut(container.start as usize..(container.start + layout.bytes()) as usize)?.fill(0);
            bytes.extend(counted(&self.held(memory, start + container.start, layout, depth)?));
        }
        Some(bytes)
    }

    /// How many bytes a float has that begins there.
    fn float_at(&self, ty: DebugTypeId, at: u64) -> Option<u64> {
        let debug = &self.module.debug;
        let plain = debug.strip(ty);
        match debug.types[plain].kind {
            DebugTypeKind::Basic(Encoding::Float) => (at == 0).then_some(debug.types[plain].bits / 8),
            _ => debug.float_at(ty, at),
        }
    }

    fn held(&self, memory: &Memory, at: u64, layout: Layout, depth: u32) -> Option<Vec<u8>> {
        if depth > DEEPEST {
            return None;
        }
        match layout {
            Layout::Text => {
                let length = memory.bytes.get((at + TEXT_LENGTH) as usize..)?.get(..8)?;
                let length = u64::from_le_bytes(length.try_into().ok()?);
                let (text, from) = self.place(memory, at)?;
                Some(text.bytes.get(from as usize..)?.get(..usize::try_from(length).ok()?)?.to_vec())
            }
            Layout::Rust { pointer, length, element } => {
                let count = memory.bytes.get((at + length) as usize..)?.get(..8)?;
                let count = u64::from_le_bytes(count.try_into().ok()?);
                if count == 0 {
                    return Some(Vec::new());
                }
                let (elements, from) = self.place(memory, at + pointer)?;
                let Some(element) = element else {
                    return Some(elements.bytes.get(from as usize..)?.get(..usize::try_from(count).ok()?)?.to_vec());
                };
                let size = (self.module.debug.bits(element) / 8).max(1);
                let mut all = Vec::new();
                for index in 0..count {
                    all.extend(self.element(elements, from + index * size, size, element, depth + 1)?);
                }
                Some(all)
            }
            Layout::Vector { element } => {
                let is_null = |at: u64| {
                    let word = memory.bytes.get(at as usize..).and_then(|rest| rest.get(..8));
                    word.is_some_and(|word| word.iter().all(|byte| *byte == 0)) && self.place(memory, at).is_none()
                };
                if is_null(at) && is_null(at + VECTOR_END) {
                    return Some(Vec::new());
                }
                let ((first, from), (last, to)) = (self.place(memory, at)?, self.place(memory, at + VECTOR_END)?);
                let size = (self.module.debug.bits(element) / 8).max(1);
                if !std::ptr::eq(first, last) || to < from || !(to - from).is_multiple_of(size) {
                    return None;
                }
                let mut all = Vec::new();
                for start in (from..to).step_by(size as usize) {
                    all.extend(self.element(first, start, size, element, depth + 1)?);
                }
                Some(all)
            }
        }
    }

    /// The memory that a pointer leads to, and how far into it.
    fn place(&self, memory: &Memory, at: u64) -> Option<(&'a Memory, u64)> {
        let (_, target) = memory.pointers.iter().find(|(offset, _)| *offset == at)?;
        match target {
            Target::Object { index, offset } => {
                Some((self.seen.outcome.objects.get(*index)?, u64::try_from(*offset).ok()?))
            }
            Target::Own => {
                let place = OwnPlace::under(memory, at)?;
                Some((self.seen.own.get(place.piece)?, place.distance.into()))
            }
            _ => None,
        }
    }
}
