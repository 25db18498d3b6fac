//! What is known of the memory that versions make for themselves, at places of a proof in lockstep.
//!
//! Byte by byte, and only weaker from one arrival at a place to the next: a byte has a value that never changes, or it is
//! the same in both versions, or it may be anything. Objects of the two versions belong together in the order in which
//! they are made, if their sizes are the same.

use super::Prover;
use exec::contents::{Contents, Part};
use exec::memory::{Kind, Life};
use exec::state::State;
use exec::value::{ObjectId, Value};
use rustc_hash::FxHashMap;
use smt::expr::Expr;
use smt::pool::Pool;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A byte by version, number of the object and distance; what is not here may be anything.
pub(super) type Known = BTreeMap<(usize, usize, u64), Byte>;

/// What stands for bytes: of both versions, or of one.
pub(super) type Symbols = FxHashMap<(Option<usize>, usize, u64), Expr>;

/// What is known of a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Byte {
    /// Its value.
    Fixed(Expr),
    /// It is that of the other version.
    Shared,
}

/// Most bytes of an object.
const MAX_SIZE: u64 = 1024;

impl Prover<'_, '_> {
    /// What is known of own memory now, and was known before.
    pub(super) fn own_memory(&mut self, before: Option<&Known>, states: [&State; 2]) -> Known {
        let objects = states.map(own_objects);
        if objects.iter().all(Vec::is_empty) {
            return Known::new();
        }
        let bytes = [0, 1].map(|version| -> Vec<Vec<Option<Expr>>> {
            let contents = objects[version].iter().map(|&(id, size)| {
                let contents = states[version].memory.get(id).map(|object| object.contents.clone());
                contents.map(|contents| self.bytes_of(&contents, size)).unwrap_or_default()
            });
            contents.collect()
        });
        let mut is_fixed: FxHashMap<Expr, bool> = FxHashMap::default();
        let mut known = Known::new();
        for (version, number, at) in places(&objects) {
            let value_of = |version: usize| *bytes[version].get(number)?.get(at as usize)?;
            let Some(value) = value_of(version) else { continue };
            let alike = objects[0].get(number).map(|it| it.1) == objects[1].get(number).map(|it| it.1);
            let shared = alike && value_of(1 - version) == Some(value);
            let mut fixed = |prover: &Self| *is_fixed.entry(value).or_insert_with(|| prover.is_fixed(&[value]));
            let byte = match before {
                None if fixed(self) => Some(Byte::Fixed(value)),
                None => shared.then_some(Byte::Shared),
                Some(before) => match before.get(&(version, number, at)) {
                    Some(Byte::Fixed(known)) if *known == value => Some(Byte::Fixed(value)),
                    // Both were the same up to now.
                    known @ Some(_) if known == before.get(&(1 - version, number, at)) => {
                        shared.then_some(Byte::Shared)
                    }
                    _ => None,
                },
            };
            known.extend(byte.map(|byte| ((version, number, at), byte)));
        }
        // What only one version still shares is shared no more.
        let lonely = |&(version, number, at): &(usize, usize, u64), byte: &Byte| {
            *byte == Byte::Shared && known.get(&(1 - version, number, at)) != Some(&Byte::Shared)
        };
        let lost: Vec<_> = known.iter().filter(|(place, byte)| lonely(place, byte)).map(|(place, _)| *place).collect();
        known.retain(|place, _| !lost.contains(place));
        known
    }

    /// Gives own memory any contents that fulfil what is known; nothing if that is too much.
    pub(super) fn set_own_memory(&mut self, known: &Known, states: &mut [State; 2]) -> Option<()> {
        let objects = [own_objects(&states[0]), own_objects(&states[1])];
        if objects.iter().flatten().any(|(_, size)| *size > MAX_SIZE) {
            return None;
        }
        for (version, number, at) in places(&objects) {
            let byte = match known.get(&(version, number, at)) {
                Some(Byte::Fixed(value)) => *value,
                Some(Byte::Shared) => self.byte(None, number, at),
                None => self.byte(Some(version), number, at),
            };
            let (id, _) = *objects[version].get(number)?;
            let contents = Rc::make_mut(&mut states[version].memory.get_mut(id)?.contents);
            match byte.as_const() {
                Some(word) => contents.write_word(at, word, 1),
                None => contents.write_cell(at, 1, Value::Bits(byte)),
            }
        }
        Some(())
    }

    fn byte(&mut self, version: Option<usize>, number: usize, at: u64) -> Expr {
        let pool = &mut self.worker.pool;
        let name = || match version {
            Some(version) => format!("byte {at} of {number} in version {version}"),
            None => format!("byte {at} of {number}"),
        };
        let byte = *self.bytes.entry((version, number, at)).or_insert_with(|| pool.symbol(name(), 8));
        self.varying.extend(self.worker.pool.symbols_in(&[byte]).into_keys());
        byte
    }

    /// Bytes as numbers; nothing for those that are none.
    fn bytes_of(&mut self, contents: &Contents, size: u64) -> Vec<Option<Expr>> {
        let bytes: Vec<Option<Expr>> =
            (0..size.min(MAX_SIZE)).map(|at| byte_of(&mut self.worker.pool, contents, at)).collect();
        let mut undefined: FxHashMap<Expr, bool> = FxHashMap::default();
        let mut defined =
            |byte: &Expr| !*undefined.entry(*byte).or_insert_with(|| self.worker.depends_on_undefined(&[*byte]));
        bytes.into_iter().map(|byte| byte.filter(&mut defined)).collect()
    }
}

/// Objects that a version made, in order, with their sizes.
fn own_objects(state: &State) -> Vec<(ObjectId, u64)> {
    let own = state.memory.iter().filter(|(_, object)| object.kind == Kind::Stack && object.life == Life::Alive);
    own.map(|(id, object)| (id, object.size.as_const().unwrap_or(u64::MAX))).collect()
}

fn places(objects: &[Vec<(ObjectId, u64)>; 2]) -> Vec<(usize, usize, u64)> {
    let mut places = Vec::new();
    for (version, objects) in objects.iter().enumerate() {
        for (number, &(_, size)) in objects.iter().enumerate() {
            places.extend((0..size.min(MAX_SIZE)).map(|at| (version, number, at)));
        }
    }
    places
}

fn byte_of(pool: &mut Pool, contents: &Contents, at: u64) -> Option<Expr> {
    let (value, start) = match contents.array {
        Some(array) => {
            let element = u64::from(array.element).max(1);
            (pool.select(array.id, Expr::constant(at / element, 64)), at / element * element)
        }
        None => match contents.part(at, 1) {
            Part::Bytes(word) => return Some(Expr::constant(word, 8)),
            Part::Unset => return None,
            Part::Cell(_) | Part::Mixed => {
                let (start, cell) = contents.cell_at(at)?;
                let Value::Bits(value) = cell.value else { return None };
                (value, start)
            }
        },
    };
    let low = u32::try_from((at - start) * 8).ok()?;
    (low + 8 <= pool.width(value)).then(|| pool.extract(value, low, 8))
}
