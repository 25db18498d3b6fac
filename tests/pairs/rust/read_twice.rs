// An atomic variable that is read twice: the same as long as nobody else writes it.
// same: changes
// scope: no other thread changes what is shared meanwhile
use std::sync::atomic::{AtomicU32, Ordering};
static SEEN: AtomicU32 = AtomicU32::new(0);
//// old
pub fn changes() -> bool {
    let before = SEEN.load(Ordering::SeqCst);
    before != SEEN.load(Ordering::SeqCst)
}
//// new
pub fn changes() -> bool {
    false
}
