//! Two versions with fewer branches, for proofs that take too long otherwise.
//!
//! What [`ir::merge`] makes of both versions does the same as they do. It is made when it is first needed, for all
//! functions at once, and only proofs that there is no difference are taken from it: differences are shown by the versions
//! as they were written.

use super::Options;
use super::couple::Couple;
use crate::explain::changed_code;
use change::Changes;
use explore::pair::ChangedCode;
use ir::id::{BlockId, FuncId};
use ir::merge::{Folded, merge};
use ir::module::Module;

/// Two versions as one program with fewer branches.
pub struct Merged {
    /// The program.
    pub couple: Couple,
    /// What of it is not the same in both versions.
    pub changed: ChangedCode,
}

/// Makes that program of two versions; nothing if they cannot be one.
pub fn merged((old, new): (&Module, &Module), changes: &Changes, options: &Options, couple: &Couple) -> Option<Merged> {
    let (mut fewer_old, mut fewer_new) = (old.clone(), new.clone());
    let (folded_old, folded_new) = (merge(&mut fewer_old), merge(&mut fewer_new));
    let mut merged = Couple::new(&fewer_old, &fewer_new, changes, options.program.clone()).ok()?;
    for (module, place) in [(old, Couple::old_function as Place), (new, Couple::new_function)] {
        let at = |couple: &Couple, id: FuncId| place(couple, module, id);
        // Both are linked in the same order, and instructions keep their numbers.
        if module.functions.ids().any(|id| at(couple, id) != at(&merged, id)) {
            return None;
        }
    }
    merged.proved.clone_from(&couple.proved);
    merged.program.shared.clone_from(&couple.program.shared);
    merged.sorted.shared.clone_from(&couple.sorted.shared);
    let mut changed = changed_code(old, new, changes, &merged);
    for (module, folded, place) in
        [(old, folded_old, Couple::old_function as Place), (new, folded_new, Couple::new_function)]
    {
        let more = folded.keys().filter_map(|&(id, block)| {
            let linked = place(&merged, module, id)?;
            changed.blocks.contains(&(linked, block)).then(|| (linked, within(&folded, id, block)))
        });
        let more: Vec<(FuncId, BlockId)> = more.collect();
        changed.blocks.extend(more);
    }
    Some(Merged { couple: merged, changed })
}

type Place = fn(&Couple, &Module, FuncId) -> Option<FuncId>;

/// The block that one was folded into, at last.
fn within(folded: &Folded, function: FuncId, mut block: BlockId) -> BlockId {
    for _ in 0..=folded.len() {
        match folded.get(&(function, block)) {
            Some(into) => block = *into,
            None => break,
        }
    }
    block
}
