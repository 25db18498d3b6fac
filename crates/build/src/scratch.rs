//! Folders for temporary files, which hold copies of the source: none of them stays for good.
//!
//! A folder is removed when its owner is dropped. A process that is killed cannot do that, so the first folder that a
//! later process makes removes what dead ones left. Every folder has a file that its owner keeps locked; the lock goes with
//! the process, however it ends. A folder gets its name only once the lock is held, so a folder of that name whose lock
//! is free is nobody's.
//!
//! Names of these folders mean nothing to users: whoever prints asks [`folders`] for them, to leave them out.

use std::fs::File;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

use rustix::fs::{FlockOperation, Mode, OFlags};

/// How names of folders begin.
const PREFIX: &str = "pathshift-";

/// The same until the lock is held.
const NEW_PREFIX: &str = ".pathshift-new-";

/// The file that is locked.
const LOCK: &str = ".lock";

/// All that this process made.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The folders that this process made, those that are gone too.
pub fn folders() -> Vec<PathBuf> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A folder for temporary files that goes when this is dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _lock: File,
}

impl Scratch {
    /// Makes a folder in `temp` that only this user can read.
    pub fn new(temp: &Path) -> io::Result<Scratch> {
        static CLEANED: Once = Once::new();
        CLEANED.call_once(|| remove_abandoned(temp));
        let mode = std::fs::Permissions::from_mode(0o700);
        let new = tempfile::Builder::new().prefix(NEW_PREFIX).permissions(mode).tempdir_in(temp)?;
        let lock = File::create_new(new.path().join(LOCK))?;
        // Where locks are not supported, nobody can take this one either, and the folder stays after a crash.
        let _ = rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive);
        let name = new.path().file_name().unwrap_or_default().to_string_lossy();
        let path = temp.join(format!("{PREFIX}{}", name.strip_prefix(NEW_PREFIX).unwrap_or(&name)));
        std::fs::rename(new.path(), &path)?;
        // It has another name now.
        let _ = new.keep();
        let mut all = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(path.canonicalize().ok().filter(|real| *real != path));
        all.push(path.clone());
        Ok(Scratch { path, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now, the next process removes.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Removes folders of this user whose owners are gone. Whatever cannot be looked at stays.
fn remove_abandoned(temp: &Path) {
    let user = rustix::process::geteuid().as_raw();
    let Ok(entries) = std::fs::read_dir(temp) else { return };
    for entry in entries.flatten() {
        let own = entry.metadata().is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == user);
        if own && entry.file_name().to_string_lossy().starts_with(PREFIX) {
            remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(folder: &Path) {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let path = folder.join(LOCK);
    let Ok(lock) = rustix::fs::open(&path, flags, Mode::empty()).map(File::from) else { return };
    if rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        return;
    }
    // Another process may have removed the folder in the meantime, and a third one made one of the same name.
    let inode = |metadata: io::Result<std::fs::Metadata>| metadata.map(|found| (found.dev(), found.ino())).ok();
    if inode(lock.metadata()).is_some_and(|held| inode(path.symlink_metadata()) == Some(held)) {
        // Whoever may not remove it leaves it.
        let _ = std::fs::remove_dir_all(folder);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn names(temp: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            std::fs::read_dir(temp).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_goes_with_its_owner() {
        let temp = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(temp.path()).unwrap();
        std::fs::write(scratch.path().join("source.c"), "int x;").unwrap();
        let mode = scratch.path().metadata().unwrap().mode();
        assert_eq!((names(temp.path()).len(), mode & 0o777), (1, 0o700));
        drop(scratch);
        assert_eq!(names(temp.path()), [""; 0]);
    }

    #[test]
    fn what_dead_processes_left_goes_and_nothing_else() {
        let temp = tempfile::tempdir().unwrap();
        let alive = Scratch::new(temp.path()).unwrap();
        for (folder, file) in [("pathshift-dead", LOCK), ("pathshift-other", "notes.txt"), ("mine", LOCK)] {
            std::fs::create_dir_all(temp.path().join(folder).join("src")).unwrap();
            std::fs::write(temp.path().join(folder).join(file), "").unwrap();
        }
        std::fs::create_dir(temp.path().join("target")).unwrap();
        std::fs::write(temp.path().join("target").join(LOCK), "").unwrap();
        std::os::unix::fs::symlink(temp.path().join("target"), temp.path().join("pathshift-link")).unwrap();
        std::fs::write(temp.path().join("pathshift-file"), "").unwrap();
        remove_abandoned(temp.path());
        let own = alive.path().file_name().unwrap().to_str().unwrap().to_owned();
        let mut expected = ["mine", "pathshift-file", "pathshift-link", "pathshift-other", "target", &own];
        expected.sort_unstable();
        assert_eq!(names(temp.path()), expected);
    }
}
