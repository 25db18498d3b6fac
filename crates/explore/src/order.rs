//! Which of the open states goes on next.
//!
//! In every order states take turns: one that runs for long without a decision is parked, and goes on when no other state is
//! open. So a path that never ends does not keep others from being looked at.

use crate::options::Order;
use std::collections::VecDeque;

/// Open states in an order.
pub struct Frontier<T> {
    order: Order,
    open: VecDeque<T>,
    /// States that had a long turn, the one that waits longest first.
    parked: VecDeque<T>,
    random: u64,
}

impl<T> Frontier<T> {
    /// A frontier without states.
    pub fn new(order: Order) -> Frontier<T> {
        let seed = match order {
            Order::Random(seed) => seed,
            _ => 0,
        };
        Frontier { order, open: VecDeque::new(), parked: VecDeque::new(), random: seed ^ 0x9e37_79b9_7f4a_7c15 }
    }

    /// Adds the sides of one decision, the first one first.
    pub fn add(&mut self, sides: impl DoubleEndedIterator<Item = T>) {
        match self.order {
            // The first side is to be looked at first, so it comes last.
            Order::DepthFirst | Order::Coverage => self.open.extend(sides.rev()),
            Order::BreadthFirst | Order::Random(_) => self.open.extend(sides),
        }
    }

    /// Adds a state that had a long turn: all others come first.
    pub fn park(&mut self, state: T) {
        self.parked.push_back(state);
    }

    /// Whether states wait that had no long turn yet.
    pub fn has_new(&self) -> bool {
        !self.open.is_empty()
    }

    /// The state that goes on; `fresh` says whether a state is at code that no path has executed.
    pub fn next(&mut self, fresh: impl Fn(&T) -> bool) -> Option<T> {
        if self.open.is_empty() {
            return self.parked.pop_front();
        }
        match self.order {
            Order::DepthFirst => self.open.pop_back(),
            Order::BreadthFirst => self.open.pop_front(),
            Order::Random(_) => {
                let length = self.open.len().max(1) as u64;
                // xorshift: the same on every machine.
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                self.open.swap_remove_back((self.random % length) as usize)
            }
            Order::Coverage => {
                // The latest states are most alike, so only a window of them is looked at.
                let start = self.open.len().saturating_sub(WINDOW);
                let found = (start..self.open.len()).rev().find(|&index| fresh(&self.open[index]));
                match found {
                    Some(index) => self.open.remove(index),
                    None => self.open.pop_back(),
                }
            }
        }
    }

    /// The state that is farthest from being looked at: the best one to give away.
    pub fn give(&mut self) -> Option<T> {
        let given = match self.order {
            Order::DepthFirst | Order::Coverage => self.open.pop_front(),
            Order::BreadthFirst | Order::Random(_) => self.open.pop_back(),
        };
        given.or_else(|| self.parked.pop_back())
    }

    /// Forgets all open states.
    pub fn clear(&mut self) {
        self.open.clear();
        self.parked.clear();
    }

    /// Keeps one of the open states only.
    pub fn keep(&mut self, index: usize) {
        let kept = match index.checked_sub(self.open.len()) {
            None => self.open.swap_remove_back(index),
            Some(parked) => self.parked.remove(parked),
        };
        self.clear();
        self.open.extend(kept);
    }

    /// How many states are open.
    pub fn len(&self) -> usize {
        self.open.len() + self.parked.len()
    }

    /// Whether no state is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty() && self.parked.is_empty()
    }
}

/// How many of the latest states are searched for one at new code.
const WINDOW: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_had_a_long_turn_comes_last() {
        for order in [Order::DepthFirst, Order::BreadthFirst, Order::Random(7), Order::Coverage] {
            let mut frontier = Frontier::new(order);
            frontier.park(1);
            frontier.add([2, 3].into_iter());
            frontier.park(4);
            assert_eq!((frontier.len(), frontier.has_new()), (4, true));
            let mut first = [frontier.next(|_| false), frontier.next(|_| false)];
            first.sort_unstable();
            assert_eq!(first, [Some(2), Some(3)], "{order:?}");
            assert!(!frontier.has_new() && !frontier.is_empty());
            assert_eq!([(); 3].map(|()| frontier.next(|_| false)), [Some(1), Some(4), None]);
        }
    }
}
