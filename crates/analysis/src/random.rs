//! Random graphs, the same in every run, for tests against slow but obvious definitions.

/// A generator of numbers that only look random.
pub struct Random(pub u64);

impl Random {
    /// The next number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

/// Successors of each node of `count` graphs with up to `most` nodes.
pub fn random_graphs(count: usize, most: usize) -> impl Iterator<Item = Vec<Vec<usize>>> {
    let mut random = Random(7);
    (0..count).map(move |_| {
        let nodes = 1 + random.below(most);
        (0..nodes).map(|_| (0..random.below(4)).map(|_| random.below(nodes)).collect()).collect()
    })
}
