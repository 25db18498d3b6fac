//! A prefix of decisions: names a part of the tree of paths in a few bytes.

use std::rc::Rc;

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decision {
    /// Which side was taken.
    pub side: u32,
    /// Whether another side could have been taken too. Where none could, the path's condition does not grow.
    pub open: bool,
}

/// Decisions from the latest to the first, shared between states.
#[derive(Clone, Default)]
pub struct Decisions {
    last: Option<Rc<Node>>,
    length: usize,
}

struct Node {
    decision: Decision,
    before: Option<Rc<Node>>,
}

impl Drop for Node {
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

impl Decisions {
    /// Appends a decision.
    pub fn push(&mut self, decision: Decision) {
        self.last = Some(Rc::new(Node { decision, before: self.last.take() }));
        self.length += 1;
    }

    /// All decisions in order.
    pub fn list(&self) -> Vec<Decision> {
        let mut list = Vec::with_capacity(self.length);
        let mut next = self.last.as_deref();
        while let Some(node) = next {
            list.push(node.decision);
            next = node.before.as_deref();
        }
        list.reverse();
        list
    }

    /// How many decisions there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
}
