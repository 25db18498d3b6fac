//! How much memory this program may use, and who sees to it.
//!
//! A thread looks at the resident memory of the process. Above the limit it raises a flag, on which searches and solvers stop
//! as they do when time is over; what they were about is undecided. A process that goes on growing all the same
//! is ended before the machine has no memory left.

use smt::solver::Interrupt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Time between two looks at the memory.
const EVERY: Duration = Duration::from_millis(20);

/// The least default limit: less is no use to anybody.
const LEAST: u64 = 256 << 20;

/// What the process may use above its limit while it comes to its end.
const GRACE: u64 = 256 << 20;

/// The limit in bytes. Unless the user sets one it is half of what is free on the machine and in the control groups of this
/// process; there is none where nobody knows that.
pub fn limit(given: Option<u64>) -> u64 {
    let free = || available().map(|free| free.min(group_room().unwrap_or(u64::MAX)));
    given.or_else(|| Some((free()? / 2).max(LEAST))).unwrap_or(u64::MAX)
}

/// The limit above which the process is ended.
pub fn hard_limit(limit: u64) -> u64 {
    limit.saturating_add((limit / 4).max(GRACE))
}

/// A flag that is set whenever the process uses more than `limit` bytes. `look` is told how much the process uses, again and
/// again, whatever that is.
pub fn watch(limit: u64, look: impl Fn(u64) + Send + 'static) -> Interrupt {
    let full: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let watcher = std::thread::Builder::new().name("memory".to_owned()).spawn(move || {
        loop {
            let used = resident().unwrap_or(0);
            full.store(used > limit, Ordering::Relaxed);
            look(used);
            std::thread::sleep(EVERY);
        }
    });
    // Without the thread nobody ever says that the memory is full.
    Interrupt(watcher.is_ok().then_some(full))
}

/// Bytes of memory that this process occupies, where the system tells.
fn resident() -> Option<u64> {
    kibibytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// Bytes that the machine can still give.
fn available() -> Option<u64> {
    kibibytes(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Bytes that the control groups of this process leave, if they set a limit.
fn group_room() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    groups.lines().filter_map(|line| room_of(line, Path::new("/sys/fs/cgroup"))).min()
}

/// What a line of `/proc/self/cgroup` leaves: the least of the group and of those around it.
fn room_of(line: &str, root: &Path) -> Option<u64> {
    let mut fields = line.splitn(3, ':');
    let (_, controllers, group) = (fields.next()?, fields.next()?, fields.next()?);
    let (root, most, used) = match controllers {
        "" => (root.to_owned(), "memory.max", "memory.current"),
        list if list.split(',').any(|name| name == "memory") => {
            (root.join("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes")
        }
        _ => return None,
    };
    let number = |path: PathBuf| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let own = root.join(group.trim_start_matches('/'));
    let inside = own.ancestors().take_while(|folder| folder.starts_with(&root));
    inside.filter_map(|folder| Some(number(folder.join(most))?.saturating_sub(number(folder.join(used))?))).min()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn groups_inside_each_other_share_their_room() {
        let dir = tempfile::tempdir().unwrap();
        let group = |name: &str, most: &str, used: &str| {
            let folder = dir.path().join(name);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("memory.max"), most).unwrap();
            std::fs::write(folder.join("memory.current"), used).unwrap();
        };
        group("a", "1000\n", "700\n");
        group("a/b", "max\n", "600\n");
        group("a/b/c", "500\n", "100\n");
        assert_eq!(room_of("0::/a/b/c", dir.path()), Some(300));
        assert_eq!(room_of("0::/elsewhere", dir.path()), None);
        assert_eq!(room_of("3:cpu:/a", dir.path()), None);
    }

    #[test]
    fn this_process_has_a_size_and_a_limit() {
        assert!(resident().unwrap() > 1 << 20);
        assert!(limit(None) >= LEAST && limit(None) < u64::MAX);
        assert_eq!(limit(Some(5)), 5);
    }
}
