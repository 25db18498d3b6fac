//! Sets of numbers, each stored once; unions are remembered.

use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set among [`Sets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SetId(pub u32);

/// Sets, each stored once.
#[derive(Clone, Debug)]
pub struct Sets {
    list: Vec<Rc<[u32]>>,
    known: FxHashMap<Rc<[u32]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
}

impl Default for Sets {
    fn default() -> Self {
        let empty: Rc<[u32]> = Rc::new([]);
        Sets {
            list: vec![empty.clone()],
            known: FxHashMap::from_iter([(empty, Sets::EMPTY)]),
            unions: FxHashMap::default(),
        }
    }
}

impl Sets {
    /// The set without elements.
    pub const EMPTY: SetId = SetId(0);

    /// Elements, ascending.
    pub fn get(&self, set: SetId) -> &Rc<[u32]> {
        &self.list[set.0 as usize]
    }

    /// Both together.
    pub fn union(&mut self, a: SetId, b: SetId) -> SetId {
        if a == b || b == Sets::EMPTY {
            return a;
        }
        if a == Sets::EMPTY {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let (left, right) = (self.get(a).clone(), self.get(b).clone());
        let mut joined = Vec::with_capacity(left.len() + right.len());
        let (mut i, mut j) = (0, 0);
        while i < left.len() && j < right.len() {
            let next = left[i].min(right[j]);
            i += usize::from(left[i] == next);
            j += usize::from(right[j] == next);
            joined.push(next);
        }
        joined.extend_from_slice(&left[i..]);
        joined.extend_from_slice(&right[j..]);
        let id = self.intern(joined);
        self.unions.insert(key, id);
        id
    }

    /// With one more element, larger than all others.
    pub fn with_last(&mut self, set: SetId, element: u32) -> SetId {
        let mut elements = self.get(set).to_vec();
        elements.push(element);
        self.intern(elements)
    }

    /// The numbers below another one.
    pub fn all(&mut self, below: u32) -> SetId {
        self.intern((0..below).collect())
    }

    /// Whether all elements of a set are among sorted ones.
    pub fn is_subset(&self, set: SetId, of: &[u32]) -> bool {
        let mut rest = of;
        self.get(set).iter().all(|element| match rest.binary_search(element) {
            Ok(at) => {
                rest = &rest[at + 1..];
                true
            }
            Err(_) => false,
        })
    }

    fn intern(&mut self, elements: Vec<u32>) -> SetId {
        let elements: Rc<[u32]> = elements.into();
        if let Some(&known) = self.known.get(&elements) {
            return known;
        }
        let id = SetId(self.list.len() as u32);
        self.list.push(elements.clone());
        self.known.insert(elements, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::Sets;

    #[test]
    fn unions_are_sets() {
        let mut sets = Sets::default();
        let a = sets.with_last(Sets::EMPTY, 1);
        let b = sets.with_last(a, 4);
        let c = sets.with_last(Sets::EMPTY, 3);
        let all = sets.union(b, c);
        assert_eq!(&**sets.get(all), &[1, 3, 4]);
        assert_eq!(sets.union(c, b), all);
        assert!(sets.is_subset(b, &[0, 1, 4]) && !sets.is_subset(all, &[1, 4]));
    }
}
