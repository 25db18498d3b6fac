//! Confines native runs of code that is under test.
//!
//! Two walls stand around such code. The *driver*, the process that runs one case after the other, is confined by
//! [`Wall::confine`] between `fork` and `exec`, before the first byte of its program is loaded: it can write nowhere but in
//! its scratch folder, reaches no network, and ends when we end. Each *case* runs in a child of the driver, which
//! before it calls anything of the program puts up a second wall with the filters of [`case_filters`]: there, a system call
//! that does more than compute, use memory, read and write descriptors that are open, or end the process, does not
//! take place. The child is stopped where it makes one, and [`syscall_name`] says what it was.
//!
//! Both walls are seccomp filters that deny by default. Landlock, where the kernel has it, bounds files on top. Neither needs a
//! privilege, so they are there for every user of every supported kernel. Without seccomp nothing is run.

mod filter;
mod syscalls;
mod wall;

pub use filter::Filter;
pub use syscalls::{CaseFilters, case_filters, syscall_name};
pub use wall::{Unavailable, Wall, check, end_with_us, settle};
