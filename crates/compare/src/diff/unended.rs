//! Inputs on which one version ends, and the other one has not ended after many instructions.

use exec::case::End;
use explore::pair::{Compared, Difference, Side};

/// The same inputs, for runs of which nobody says how they end.
pub fn to_its_end(unended: &Compared) -> Compared {
    let mut compared = unended.clone();
    for difference in &mut compared.differences {
        for side in [&mut difference.old, &mut difference.new] {
            if let End::Bound(what) = &side.outcome.end {
                side.outcome.end = End::Unsupported(what.clone());
            }
        }
    }
    compared
}

/// Says that this may be a hang.
pub fn perhaps_hang(unended: &Difference) -> String {
    let is_late = |side: &Side| matches!(side.outcome.end, End::Bound(_));
    let (version, other) = if is_late(&unended.old) { ("old", "new") } else { ("new", "old") };
    let given: Vec<String> = unended.named.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("perhaps a hang: the {version} version has not ended on {}, the {other} one ends at once", given.join(", "))
}
