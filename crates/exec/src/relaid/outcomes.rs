//! Outcomes of the old version as they lie in the new one.

use super::{Relaid, What};
use crate::case::{Memory, Outcome, Target};
use crate::names::unmarked;

/// Turns an outcome of the old version into one that lies as the new version has it, in what both versions have.
pub fn as_new(outcome: &mut Outcome, of_objects: &[(&str, &Relaid)], of_variables: &[(&str, &Relaid)]) {
    let find = |known: &[(&str, &Relaid)], name: &str| -> Option<usize> {
        known.iter().position(|(known, _)| *known == unmarked(name))
    };
    let names: Vec<String> = outcome.objects.iter().map(|memory| memory.name.clone()).collect();
    let target = |target: &mut Target| match target {
        Target::Object { index, offset } if *offset != 0 => {
            let relaid = names.get(*index).and_then(|name| find(of_objects, name)).map(|at| of_objects[at].1);
            if let (Some(relaid), Ok(at)) = (relaid, u64::try_from(*offset)) {
                *offset = relaid.to_new(at).map_or(*offset, |(place, _)| place as i64);
            }
        }
        Target::Symbol { name, offset } if *offset != 0 => {
            let relaid = find(of_variables, name).map(|at| of_variables[at].1);
            if let (Some(relaid), Ok(at)) = (relaid, u64::try_from(*offset)) {
                *offset = relaid.to_new(at).map_or(*offset, |(place, _)| place as i64);
            }
        }
        _ => {}
    };
    outcome.result.each_target(&target);
    outcome.calls.iter_mut().flat_map(|call| call.args.iter_mut()).for_each(|arg| arg.each_target(&target));
    for memory in &mut outcome.objects {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
        if let Some(at) = find(of_objects, &memory.name) {
            *memory = of_objects[at].1.memory(memory);
        }
    }
    for (name, memory) in &mut outcome.globals {
        memory.pointers.iter_mut().for_each(|(_, to)| target(to));
        if let Some(at) = find(of_variables, name) {
            *memory = of_variables[at].1.memory(memory);
        }
    }
}

/// A number of the old version that the new one cannot hold in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The object or variable.
    pub name: String,
    /// Where it lies in the new version.
    pub at: u64,
    /// The number.
    pub value: i128,
}

/// Numbers of an outcome of the old version that the new one cannot hold: whatever it has there is another number.
pub fn unfit(outcome: &Outcome, of_objects: &[(&str, &Relaid)], of_variables: &[(&str, &Relaid)]) -> Vec<Unfit> {
    let objects = outcome.objects.iter().map(|memory| (memory.name.as_str(), memory, of_objects));
    let variables = outcome.globals.iter().map(|(name, memory)| (unmarked(name), memory, of_variables));
    let mut found = Vec::new();
    for (name, memory, known) in objects.chain(variables) {
        if let Some((_, relaid)) = known.iter().find(|(known, _)| *known == name) {
            let unfit = relaid.unfit(memory).into_iter();
            found.extend(unfit.map(|(at, value)| Unfit { name: name.to_owned(), at, value }));
        }
    }
    found
}

/// Leaves of an outcome of the new version what both versions have.
pub fn only_common(outcome: &mut Outcome, of_objects: &[(&str, &Relaid)], of_variables: &[(&str, &Relaid)]) {
    let clear = |memory: &mut Memory, known: &[(&str, &Relaid)], name: &str| {
        let Some((_, relaid)) = known.iter().find(|(known, _)| *known == unmarked(name)) else { return };
        let is_common = |at: u64| relaid.to_old(at).is_some_and(|(_, one)| one.what != What::Incompatible);
        for (at, byte) in (0u64..).zip(&mut memory.bytes) {
            if !is_common(at) {
                *byte = 0;
            }
        }
        memory.pointers.retain(|(at, _)| is_common(*at));
    };
    for memory in &mut outcome.objects {
        let name = memory.name.clone();
        clear(memory, of_objects, &name);
    }
    for (name, memory) in &mut outcome.globals {
        clear(memory, of_variables, name);
    }
}

impl Relaid {
    /// Places in the new version of numbers that it cannot hold, with these.
    fn unfit(&self, old: &Memory) -> Vec<(u64, i128)> {
        let mut found = Vec::new();
        for index in 0..(old.bytes.len() as u64).div_ceil(self.old_size) {
            for one in &self.moves {
                let What::Integer(was_signed, is_signed) = one.what else { continue };
                if was_signed == is_signed && one.old_size <= one.new_size || one.old_size.max(one.new_size) > 8 {
                    continue;
                }
                for element in 0..one.count {
                    let from = index * self.old_size + one.old + element * u64::from(one.old_size);
                    let range = from as usize..(from + u64::from(one.old_size)) as usize;
                    let Some(bytes) = old.bytes.get(range).filter(|_| !old.is_any(from)) else { continue };
                    let raw = bytes.iter().rev().fold(0i128, |sum, byte| sum << 8 | i128::from(*byte));
                    let bits = one.old_size * 8;
                    let value = if was_signed && raw >> (bits - 1) == 1 { raw - (1 << bits) } else { raw };
                    let room = one.new_size * 8 - u32::from(is_signed);
                    let least = if is_signed { -(1i128 << room) } else { 0 };
                    if value < least || value >= 1 << room {
                        let at = index * self.new_size + one.new + element * u64::from(one.new_size);
                        found.push((at, value));
                    }
                }
            }
        }
        found
    }

    /// What both versions have of memory of the old version, as it lies in the new one.
    fn memory(&self, old: &Memory) -> Memory {
        let count = (old.bytes.len() as u64).div_ceil(self.old_size);
        let mut new = Memory { bytes: vec![0; (count * self.new_size) as usize], ..old.clone() };
        new.pointers.clear();
        new.any.clear();
        for index in 0..count {
            for one in self.moves.iter().filter(|one| one.what != What::Incompatible) {
                let (from, to) = (index * self.old_size + one.old, index * self.new_size + one.new);
                if one.count > 1 {
                    let length = u64::from(one.old_size) * one.count;
                    let Some(bytes) = old.bytes.get(from as usize..(from + length) as usize) else { continue };
                    new.bytes[to as usize..(to + length) as usize].copy_from_slice(bytes);
                    let inside = |at: u64| (from..from + length).contains(&at);
                    let any = old.any.iter().filter(|(at, _)| inside(*at));
                    new.any.extend(any.map(|(at, count)| (at - from + to, *count)));
                    let pointers = old.pointers.iter().filter(|(at, _)| inside(*at));
                    new.pointers.extend(pointers.map(|(at, target)| (at - from + to, target.clone())));
                    continue;
                }
                let range = from as usize..(from + u64::from(one.old_size)) as usize;
                let Some(bytes) = old.bytes.get(range) else { continue };
                let negative =
                    matches!(one.what, What::Integer(true, _)) && bytes.last().is_some_and(|&byte| byte > 127);
                for at in 0..one.new_size as usize {
                    let rest = if negative { 0xff } else { 0 };
                    new.bytes[to as usize + at] = bytes.get(at).copied().unwrap_or(rest);
                }
                if old.is_any(from) {
                    new.any.push((to, one.new_size.into()));
                }
                let pointer = old.pointers.iter().find(|(at, _)| *at == from);
                new.pointers.extend(pointer.map(|(_, target)| (to, target.clone())));
            }
        }
        new.pointers.sort_by_key(|(at, _)| *at);
        new.any.sort_unstable();
        new
    }
}
