//! Bitwuzla behind types that own what they point to. The only unsafe code of the crate.
//!
//! The functions of `shim.cpp` throw nothing. They want pointers to live objects, and all objects of one term manager on
//! one thread. The types here see to that: each owns its object; terms and solvers keep their manager alive and meet only
//! those of the same manager; none can leave its thread, as pointers are not [`Send`].

#![allow(unsafe_code)]

use std::ffi::c_char;
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::slice;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

// The SAT solver that Bitwuzla calls; nothing but its objects is used.
use cadical_sys as _;

use crate::Error;

/// Makes sorts and terms, and owns what they share.
pub struct Manager(NonNull<RawManager>);

/// A sort, alive only while a term of it is made.
pub struct Sort {
    raw: NonNull<RawSort>,
    manager: Rc<Manager>,
}

/// A term.
pub struct Term {
    raw: NonNull<RawTerm>,
    manager: Rc<Manager>,
}

/// A solver.
pub struct Solver {
    raw: NonNull<RawSolver>,
    manager: Rc<Manager>,
}

impl Manager {
    pub fn new() -> Result<Rc<Self>, Error> {
        // SAFETY: it has no arguments.
        let raw = unsafe { shim_manager_new() };
        Ok(Rc::new(Self(made(raw)?)))
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: it is owned, and all that points to it is gone, for it would hold a count.
        unsafe { shim_manager_delete(self.0.as_ptr()) }
    }
}

impl Sort {
    pub fn bool(manager: &Rc<Manager>) -> Result<Self, Error> {
        // SAFETY: the manager is alive.
        Self::made(manager, unsafe { shim_sort_bool(manager.0.as_ptr()) })
    }

    pub fn bv(manager: &Rc<Manager>, width: u32) -> Result<Self, Error> {
        // SAFETY: the manager is alive.
        Self::made(manager, unsafe { shim_sort_bv(manager.0.as_ptr(), width) })
    }

    pub fn fp(manager: &Rc<Manager>, exponent: u32, significand: u32) -> Result<Self, Error> {
        // SAFETY: the manager is alive.
        Self::made(manager, unsafe { shim_sort_fp(manager.0.as_ptr(), exponent, significand) })
    }

    pub fn rm(manager: &Rc<Manager>) -> Result<Self, Error> {
        // SAFETY: the manager is alive.
        Self::made(manager, unsafe { shim_sort_rm(manager.0.as_ptr()) })
    }

    pub fn array(index: &Self, element: &Self) -> Result<Self, Error> {
        let manager = &index.manager;
        // SAFETY: the manager and the sorts are alive.
        Self::made(manager, unsafe { shim_sort_array(manager.0.as_ptr(), index.raw.as_ptr(), element.raw.as_ptr()) })
    }

    pub fn fun(domain: &[Self], codomain: &Self) -> Result<Self, Error> {
        let manager = &codomain.manager;
        let domain: Vec<*const RawSort> = domain.iter().map(|sort| sort.raw.as_ptr().cast_const()).collect();
        // SAFETY: the manager and the sorts are alive, and `domain` has as many as is said.
        Self::made(manager, unsafe {
            shim_sort_fun(manager.0.as_ptr(), domain.as_ptr(), domain.len(), codomain.raw.as_ptr())
        })
    }

    fn made(manager: &Rc<Manager>, raw: *mut RawSort) -> Result<Self, Error> {
        Ok(Self { raw: made(raw)?, manager: Rc::clone(manager) })
    }
}

impl Drop for Sort {
    fn drop(&mut self) {
        // SAFETY: it is owned, and its manager is still alive.
        unsafe { shim_sort_delete(self.raw.as_ptr()) }
    }
}

impl Term {
    pub fn symbol(sort: &Sort, name: &str) -> Result<Self, Error> {
        let manager = &sort.manager;
        // SAFETY: the manager and the sort are alive, and the name has as many bytes as is said.
        Self::made(manager, unsafe {
            shim_symbol(manager.0.as_ptr(), sort.raw.as_ptr(), name.as_ptr().cast(), name.len())
        })
    }

    pub fn bool(manager: &Rc<Manager>, value: bool) -> Result<Self, Error> {
        // SAFETY: the manager is alive.
        Self::made(manager, unsafe { shim_bool(manager.0.as_ptr(), value) })
    }

    pub fn bv(manager: &Rc<Manager>, width: u32, value: u64) -> Result<Self, Error> {
        // SAFETY: the manager is alive.
        Self::made(manager, unsafe { shim_bv(manager.0.as_ptr(), width, value) })
    }

    /// From binary digits.
    pub fn wide_bv(manager: &Rc<Manager>, width: u32, digits: &str) -> Result<Self, Error> {
        // SAFETY: the manager is alive, and there are as many digits as is said.
        Self::made(manager, unsafe { shim_bv_wide(manager.0.as_ptr(), width, digits.as_ptr().cast(), digits.len()) })
    }

    pub fn rm(manager: &Rc<Manager>, mode: u32) -> Result<Self, Error> {
        // SAFETY: the manager is alive.
        Self::made(manager, unsafe { shim_rm(manager.0.as_ptr(), mode) })
    }

    pub fn const_array(sort: &Sort, element: &Self) -> Result<Self, Error> {
        let manager = &sort.manager;
        let element = element.of(manager)?;
        // SAFETY: the manager, the sort and the term are alive.
        Self::made(manager, unsafe { shim_const_array(manager.0.as_ptr(), sort.raw.as_ptr(), element) })
    }

    pub fn new<'a>(
        manager: &Rc<Manager>,
        kind: u32,
        args: impl Iterator<Item = &'a Self>,
        indices: &[u64],
    ) -> Result<Self, Error> {
        let args = args.map(|arg| arg.of(manager)).collect::<Result<Vec<_>, _>>()?;
        // SAFETY: the manager and the terms are alive, and there are as many terms and indices as is said.
        Self::made(manager, unsafe {
            shim_term(manager.0.as_ptr(), kind, args.as_ptr(), args.len(), indices.as_ptr(), indices.len())
        })
    }

    /// A number that no other term of the manager has, nor ever had.
    pub fn id(&self) -> u64 {
        // SAFETY: the term is alive.
        unsafe { shim_term_id(self.raw.as_ptr()) }
    }

    pub fn is_of(&self, manager: &Rc<Manager>) -> bool {
        Rc::ptr_eq(&self.manager, manager)
    }

    pub fn manager(&self) -> &Rc<Manager> {
        &self.manager
    }

    /// As SMT-LIB writes it.
    pub fn text(&self) -> Result<String, Error> {
        // SAFETY: the term is alive.
        done(unsafe { shim_term_text(self.raw.as_ptr()) })?;
        Ok(text())
    }

    fn of(&self, manager: &Rc<Manager>) -> Result<*const RawTerm, Error> {
        if self.is_of(manager) { Ok(self.raw.as_ptr()) } else { Err(Error::Foreign) }
    }

    fn made(manager: &Rc<Manager>, raw: *mut RawTerm) -> Result<Self, Error> {
        Ok(Self { raw: made(raw)?, manager: Rc::clone(manager) })
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        // SAFETY: it is owned, and its manager is still alive.
        unsafe { shim_term_delete(self.raw.as_ptr()) }
    }
}

impl Solver {
    pub fn new(manager: &Rc<Manager>, models: bool, simplify: bool) -> Result<Self, Error> {
        // SAFETY: the manager is alive.
        let raw = unsafe { shim_solver_new(manager.0.as_ptr(), models, simplify) };
        Ok(Self { raw: made(raw)?, manager: Rc::clone(manager) })
    }

    pub fn push(&mut self) -> Result<(), Error> {
        // SAFETY: the solver is alive.
        done(unsafe { shim_solver_push(self.raw.as_ptr()) }).map(drop)
    }

    pub fn pop(&mut self) -> Result<(), Error> {
        // SAFETY: the solver is alive.
        done(unsafe { shim_solver_pop(self.raw.as_ptr()) }).map(drop)
    }

    pub fn assert(&mut self, term: &Term) -> Result<(), Error> {
        let term = term.of(&self.manager)?;
        // SAFETY: the solver and the term are alive.
        done(unsafe { shim_solver_assert(self.raw.as_ptr(), term) }).map(drop)
    }

    /// The result is Bitwuzla's: 10 for satisfiable, 20 for not, 0 for unknown.
    pub fn check<'a>(
        &mut self,
        assumptions: impl Iterator<Item = &'a Term>,
        time: Option<Duration>,
        steps: Option<u64>,
        stop: Option<&AtomicBool>,
    ) -> Result<i64, Error> {
        let assumptions = assumptions.map(|term| term.of(&self.manager)).collect::<Result<Vec<_>, _>>()?;
        // Later than in a century is never: more does not fit into the clock.
        let nanoseconds = time.and_then(|time| u64::try_from(time.as_nanos()).ok()).filter(|time| *time < 1 << 61);
        // SAFETY: the solver and the terms are alive, and there are as many terms as is said. The flag outlives the call,
        // which keeps no pointer to it; it is a byte that is read atomically.
        done(unsafe {
            shim_solver_check(
                self.raw.as_ptr(),
                assumptions.as_ptr(),
                assumptions.len(),
                nanoseconds.is_some(),
                nanoseconds.unwrap_or(0),
                steps.is_some(),
                steps.unwrap_or(0),
                stop.map_or(ptr::null(), |stop| stop.as_ptr().cast_const().cast()),
            )
        })
    }

    /// The bits of a term's value, the most significant first, as digits.
    pub fn value(&mut self, term: &Term) -> Result<String, Error> {
        let term = term.of(&self.manager)?;
        // SAFETY: the solver and the term are alive.
        done(unsafe { shim_solver_value(self.raw.as_ptr(), term) })?;
        Ok(text())
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: it is owned, and its manager is still alive.
        unsafe { shim_solver_delete(self.raw.as_ptr()) }
    }
}

/// The object that a function has made, or why it has not.
fn made<T>(raw: *mut T) -> Result<NonNull<T>, Error> {
    NonNull::new(raw).ok_or_else(|| Error::Rejected(reason()))
}

/// The number that a function has returned, or what went wrong.
fn done(result: i64) -> Result<i64, Error> {
    match result {
        0.. => Ok(result),
        MISUSE => Err(Error::Rejected(reason())),
        _ => Err(Error::Failed(reason())),
    }
}

/// What Bitwuzla says is wrong, without the C++ function that says so.
fn reason() -> String {
    let text = text();
    match text.strip_prefix("invalid call to '").and_then(|text| text.split_once("', ")) {
        Some((_, reason)) => reason.to_string(),
        None => text,
    }
}

/// The text that the last function has left.
fn text() -> String {
    let mut length = 0;
    // SAFETY: the text is this thread's, and stays until the next function is called.
    let bytes = unsafe { slice::from_raw_parts(shim_text(&mut length).cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

#[repr(C)]
struct RawManager(Opaque);
#[repr(C)]
struct RawSort(Opaque);
#[repr(C)]
struct RawTerm(Opaque);
#[repr(C)]
struct RawSolver(Opaque);
type Opaque = [u8; 0];

/// What a function of `shim.cpp` returns when it rejects its arguments.
const MISUSE: i64 = -1;

unsafe extern "C" {
    fn shim_text(length: *mut usize) -> *const c_char;

    fn shim_manager_new() -> *mut RawManager;
    fn shim_manager_delete(manager: *mut RawManager);

    fn shim_sort_delete(sort: *mut RawSort);
    fn shim_sort_bool(manager: *mut RawManager) -> *mut RawSort;
    fn shim_sort_bv(manager: *mut RawManager, width: u32) -> *mut RawSort;
    fn shim_sort_fp(manager: *mut RawManager, exponent: u32, significand: u32) -> *mut RawSort;
    fn shim_sort_rm(manager: *mut RawManager) -> *mut RawSort;
    fn shim_sort_array(manager: *mut RawManager, index: *const RawSort, element: *const RawSort) -> *mut RawSort;
    fn shim_sort_fun(
        manager: *mut RawManager,
        domain: *const *const RawSort,
        arity: usize,
        codomain: *const RawSort,
    ) -> *mut RawSort;

    fn shim_symbol(manager: *mut RawManager, sort: *const RawSort, name: *const c_char, length: usize) -> *mut RawTerm;
    fn shim_bool(manager: *mut RawManager, value: bool) -> *mut RawTerm;
    fn shim_bv(manager: *mut RawManager, width: u32, value: u64) -> *mut RawTerm;
    fn shim_bv_wide(manager: *mut RawManager, width: u32, digits: *const c_char, length: usize) -> *mut RawTerm;
    fn shim_rm(manager: *mut RawManager, mode: u32) -> *mut RawTerm;
    fn shim_const_array(manager: *mut RawManager, sort: *const RawSort, element: *const RawTerm) -> *mut RawTerm;
    fn shim_term(
        manager: *mut RawManager,
        kind: u32,
        args: *const *const RawTerm,
        args_count: usize,
        indices: *const u64,
        indices_count: usize,
    ) -> *mut RawTerm;
    fn shim_term_delete(term: *mut RawTerm);
    fn shim_term_id(term: *const RawTerm) -> u64;
    fn shim_term_text(term: *const RawTerm) -> i64;

    fn shim_solver_new(manager: *mut RawManager, models: bool, simplify: bool) -> *mut RawSolver;
    fn shim_solver_delete(solver: *mut RawSolver);
    fn shim_solver_push(solver: *mut RawSolver) -> i64;
    fn shim_solver_pop(solver: *mut RawSolver) -> i64;
    fn shim_solver_assert(solver: *mut RawSolver, term: *const RawTerm) -> i64;
    fn shim_solver_check(
        solver: *mut RawSolver,
        assumptions: *const *const RawTerm,
        count: usize,
        timed: bool,
        nanoseconds: u64,
        counted: bool,
        steps: u64,
        stop: *const u8,
    ) -> i64;
    fn shim_solver_value(solver: *mut RawSolver, term: *const RawTerm) -> i64;
}
