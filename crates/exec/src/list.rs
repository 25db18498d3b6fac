//! A list that only grows at its end and whose beginning is shared between copies.

use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// A list whose beginning is shared between copies. Copying and appending take the same time whatever its length.
pub struct List<T> {
    last: Option<Rc<Node<T>>>,
    length: usize,
}

/// Items of a node at most: a node that nobody shares takes the next item too, which saves an allocation.
const ITEMS: usize = 4;

struct Node<T> {
    items: SmallVec<[T; ITEMS]>,
    before: Option<Rc<Node<T>>>,
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        List { last: self.last.clone(), length: self.length }
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List { last: None, length: 0 }
    }
}

impl<T> Drop for Node<T> {
    /// Ends long lists without recursion.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.before.take(),
                Err(_) => break,
            }
        }
    }
}

impl<T> List<T> {
    /// Appends an item.
    pub fn push(&mut self, item: T) {
        self.length += 1;
        match self.last.as_mut().and_then(Rc::get_mut).filter(|node| node.items.len() < ITEMS) {
            Some(node) => node.items.push(item),
            None => self.last = Some(Rc::new(Node { items: smallvec![item], before: self.last.take() })),
        }
    }

    /// All items, the latest first.
    pub fn iter_back(&self) -> impl Iterator<Item = &T> {
        let nodes = std::iter::successors(self.last.as_deref(), |node| node.before.as_deref());
        nodes.flat_map(|node| node.items.iter().rev())
    }

    /// All items in order.
    pub fn to_vec(&self) -> Vec<&T> {
        let mut items: Vec<&T> = Vec::with_capacity(self.length);
        items.extend(self.iter_back());
        items.reverse();
        items
    }

    /// How many of its first items it shares with another list, and the items behind these. Takes as long as there are
    /// items that are not shared.
    pub fn since(&self, other: &List<T>) -> (usize, Vec<&T>) {
        let (mut mine, mut left) = (self.last.as_ref(), self.length);
        let (mut theirs, mut their_left) = (other.last.as_ref(), other.length);
        let mut items = Vec::new();
        while let Some(node) = mine {
            match theirs {
                Some(other) if Rc::ptr_eq(node, other) => break,
                Some(other) if their_left > left => {
                    (theirs, their_left) = (other.before.as_ref(), their_left - other.items.len());
                }
                _ => {
                    items.extend(node.items.iter().rev());
                    (mine, left) = (node.before.as_ref(), left - node.items.len());
                }
            }
        }
        items.reverse();
        (left, items)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}

#[cfg(test)]
mod tests {
    use super::List;

    #[test]
    fn copies_share_and_differ() {
        let mut list = List::default();
        list.push(1);
        let mut copy = list.clone();
        list.push(2);
        copy.push(3);
        assert_eq!((list.to_vec(), copy.to_vec()), (vec![&1, &2], vec![&1, &3]));
        drop(copy);
        (4..12).for_each(|item| list.push(item));
        let copy = list.clone();
        list.push(12);
        assert_eq!(copy.iter_back().copied().collect::<Vec<_>>(), [11, 10, 9, 8, 7, 6, 5, 4, 2, 1]);
        assert_eq!((list.len(), list.iter_back().next()), (11, Some(&12)));
    }

    #[test]
    fn what_two_lists_share_is_found_from_their_ends() {
        let mut list = List::default();
        (0..4).for_each(|i| list.push(i));
        let mut longer = list.clone();
        (4..9).for_each(|i| longer.push(i));
        let mut other = list.clone();
        other.push(10);
        let check = |list: &List<i32>, since: &List<i32>, shared: usize, rest: &[i32]| {
            let (count, items) = list.since(since);
            assert_eq!((count, items), (shared, rest.iter().collect()));
        };
        check(&longer, &other, 4, &[4, 5, 6, 7, 8]);
        check(&other, &longer, 4, &[10]);
        check(&longer, &longer, 9, &[]);
        check(&longer, &list, 4, &[4, 5, 6, 7, 8]);
        check(&list, &longer, 4, &[]);
        check(&list, &List::default(), 0, &[0, 1, 2, 3]);
        check(&List::default(), &list, 0, &[]);
    }

    #[test]
    fn a_long_list_ends_without_recursion() {
        let mut list = List::default();
        (0..1_000_000).for_each(|i| list.push(i));
        drop(list);
    }
}
