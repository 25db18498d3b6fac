//! Smaller bounds, where the usual ones take too long.
//!
//! The number of paths grows with the size of inputs, and most of what a function does, it does to small ones too. What was
//! proved for these is said with its scope, if there is no time for more; larger inputs are tried. The first step only
//! looks for differences: of inputs that are as small as that, being the same says too little.

use evidence::Gap;
use exec::inputs::Bounds;
use explore::pair::Compared;

/// Elements, characters, levels of pointers and rounds of loops, the smallest first.
const LADDER: [(u64, u64, u32, u32); 2] = [(3, 4, 3, 4), (5, 6, 4, 8)];

/// Bounds with rounds of loops, the smallest first, all of them smaller than the usual ones; and whether being the same
/// within them says enough.
pub fn ladder(usual: &Bounds, unwind: Option<u32>) -> Vec<(Bounds, Option<u32>, bool)> {
    let smaller = (1..).zip(LADDER).map(|(rung, (elements, characters, depth, rounds))| {
        let bounds = Bounds {
            elements: usual.elements.min(elements),
            characters: usual.characters.min(characters),
            depth: usual.depth.min(depth),
            ..usual.clone()
        };
        (bounds, Some(unwind.unwrap_or(rounds).min(rounds)), rung == LADDER.len())
    });
    smaller.filter(|(bounds, rounds, _)| bounds.elements < usual.elements || *rounds < unwind).collect()
}

/// Whether a comparison got to the change, and there is no difference on any input within its bounds.
pub fn is_proof(compared: &Compared) -> bool {
    let within = |gap: &Gap| matches!(gap, Gap::OutOfScope { .. });
    let whole = compared.stopped.is_none() && compared.undecided.keys().all(|(gap, _)| within(gap));
    whole && compared.differences.is_empty() && compared.reached && compared.pairs > 0
}
