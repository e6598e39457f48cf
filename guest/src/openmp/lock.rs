//! Critical sections, atomic updates of large variables, and locks (OpenMP 5.2, sections 15.2 and
//! 18.9). A lock is handed over to the thread that has waited longest.
#![allow(unsafe_code, reason = "reads and writes the locks of programs")]

use std::{cell::RefCell, collections::BTreeMap, ffi::c_int};

use super::pace::catch_up;
use crate::libc::thread::{self, Why};

/// The critical sections of a rank that are not free: the thread in each, by address.
#[derive(Default)]
struct Sections(RefCell<BTreeMap<usize, u32>>);

fn sections<'a>() -> &'a Sections {
    thread::caller().0.state()
}

/// The key of the critical section without a name, and that of atomic updates.
fn unnamed() -> usize {
    std::ptr::from_ref(sections()) as usize
}

fn atomic() -> usize {
    unnamed() + 1
}

/// Enters a critical section, after the thread that is in it has left.
fn enter(key: usize, why: Why) {
    catch_up();
    let sections = &sections().0;
    if sections.borrow().get(&key).is_none() {
        thread::before_free_lock();
    }
    let holder = sections.borrow().get(&key).copied();
    match holder {
        Some(holder) => _ = thread::wait(key, &why.held_by(holder)),
        None => _ = sections.borrow_mut().insert(key, thread::present()),
    }
}

fn leave(key: usize) {
    catch_up();
    let sections = &sections().0;
    let next = thread::take(key, 1);
    match next.first() {
        Some(thread) => _ = sections.borrow_mut().insert(key, *thread),
        None => _ = sections.borrow_mut().remove(&key),
    }
    thread::hand_over(next, &[key]);
}

extern "C-unwind" fn critical_start() {
    enter(unnamed(), Why::here("omp critical"));
}

extern "C-unwind" fn critical_end() {
    leave(unnamed());
}

extern "C-unwind" fn critical_name_start(name: usize) {
    enter(name, Why::here("omp critical"));
}

extern "C-unwind" fn critical_name_end(name: usize) {
    leave(name);
}

extern "C-unwind" fn atomic_start() {
    enter(atomic(), Why::here("omp atomic"));
}

extern "C-unwind" fn atomic_end() {
    leave(atomic());
}

/// `omp_lock_t`, and in a nested one the number of times it is set. Fortran's variables are as large.
#[repr(C)]
struct Lock {
    /// The thread that has set it, plus one; 0 if it is free.
    owner: u32,
}

#[repr(C)]
struct NestedLock {
    lock: Lock,
    count: u32,
}

unsafe extern "C-unwind" fn init(place: *mut Lock) {
    // SAFETY: the program passes a variable.
    unsafe { place.write(Lock { owner: 0 }) };
}

unsafe extern "C-unwind" fn init_nested(place: *mut NestedLock) {
    // SAFETY: the program passes a variable.
    unsafe { place.write(NestedLock { lock: Lock { owner: 0 }, count: 0 }) };
}

extern "C-unwind" fn destroy(_place: *mut Lock) {}

/// Takes a free lock; returns the owner of another.
fn try_set(place: *mut Lock) -> Result<(), u32> {
    catch_up();
    // SAFETY: the program passes a lock.
    if unsafe { (*place).owner } == 0 {
        thread::before_free_lock();
    }
    // SAFETY: as above; no other thread runs meanwhile.
    let lock = unsafe { &mut *place };
    if lock.owner != 0 {
        return Err(lock.owner - 1);
    }
    lock.owner = thread::present() + 1;
    Ok(())
}

unsafe extern "C-unwind" fn set(place: *mut Lock) {
    let why = Why::here("omp_set_lock");
    if let Err(owner) = try_set(place) {
        thread::wait(place as usize, &why.held_by(owner));
    }
}

unsafe extern "C-unwind" fn unset(place: *mut Lock) {
    catch_up();
    let next = thread::take(place as usize, 1);
    // SAFETY: the program passes a lock.
    unsafe { (*place).owner = next.first().map_or(0, |thread| thread + 1) };
    thread::hand_over(next, &[place as usize]);
}

unsafe extern "C-unwind" fn test(place: *mut Lock) -> c_int {
    let taken = try_set(place).is_ok();
    if !taken {
        // The thread may be polling.
        thread::give_way();
    }
    c_int::from(taken)
}

fn is_own(place: *mut NestedLock) -> bool {
    // SAFETY: the program passes a lock.
    unsafe { (*place).lock.owner == thread::present() + 1 }
}

/// Changes how often a nested lock is set; returns the new number.
fn count(place: *mut NestedLock, more: i32) -> u32 {
    // SAFETY: the program passes a lock; no other thread runs meanwhile.
    let lock = unsafe { &mut *place };
    lock.count = lock.count.saturating_add_signed(more);
    lock.count
}

unsafe extern "C-unwind" fn set_nested(place: *mut NestedLock) {
    let why = Why::here("omp_set_nest_lock");
    if !is_own(place)
        && let Err(owner) = try_set(place.cast())
    {
        thread::wait(place as usize, &why.held_by(owner));
    }
    count(place, 1);
}

unsafe extern "C-unwind" fn unset_nested(place: *mut NestedLock) {
    if count(place, -1) == 0 {
        // SAFETY: the argument is passed on.
        unsafe { unset(place.cast()) };
    }
}

/// Returns how often the lock is set now, or 0 if another thread has it.
unsafe extern "C-unwind" fn test_nested(place: *mut NestedLock) -> c_int {
    // SAFETY: the argument is passed on.
    if is_own(place) || unsafe { test(place.cast()) } != 0 {
        return count(place, 1) as c_int;
    }
    0
}

/// Returns the functions with a lock as their argument, by the name in C.
fn of_locks() -> [(&'static str, &'static str, usize); 12] {
    [
        ("omp_init_lock", "omp_init_lock_", init as *const () as usize),
        ("omp_init_lock_with_hint", "omp_init_lock_with_hint_", init as *const () as usize),
        ("omp_init_nest_lock", "omp_init_nest_lock_", init_nested as *const () as usize),
        (
            "omp_init_nest_lock_with_hint",
            "omp_init_nest_lock_with_hint_",
            init_nested as *const () as usize,
        ),
        ("omp_destroy_lock", "omp_destroy_lock_", destroy as *const () as usize),
        ("omp_destroy_nest_lock", "omp_destroy_nest_lock_", destroy as *const () as usize),
        ("omp_set_lock", "omp_set_lock_", set as *const () as usize),
        ("omp_set_nest_lock", "omp_set_nest_lock_", set_nested as *const () as usize),
        ("omp_unset_lock", "omp_unset_lock_", unset as *const () as usize),
        ("omp_unset_nest_lock", "omp_unset_nest_lock_", unset_nested as *const () as usize),
        ("omp_test_lock", "omp_test_lock_", test as *const () as usize),
        ("omp_test_nest_lock", "omp_test_nest_lock_", test_nested as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<(&'static str, usize)> {
    let sections = [
        ("GOMP_critical_start", critical_start as *const () as usize),
        ("GOMP_critical_end", critical_end as *const () as usize),
        ("GOMP_critical_name_start", critical_name_start as *const () as usize),
        ("GOMP_critical_name_end", critical_name_end as *const () as usize),
        ("GOMP_atomic_start", atomic_start as *const () as usize),
        ("GOMP_atomic_end", atomic_end as *const () as usize),
    ];
    // A Fortran procedure gets the same address as a function of C.
    let locks = of_locks().into_iter();
    let locks = locks.flat_map(|(c, fortran, address)| [(c, address), (fortran, address)]);
    sections.into_iter().chain(locks).collect()
}
