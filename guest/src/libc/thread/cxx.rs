//! Threads, condition variables and futures of C++, as far as the host's library would start or
//! block system threads; its other functions call those of this folder.
#![allow(unsafe_code, reason = "is called by programs and calls their functions")]

use std::{
    arch::naked_asm,
    ffi::{c_int, c_uint},
    time::Duration,
};

use super::{
    super::{clock, rank::Rank},
    affinity::processors,
    caller::nothing,
    condition::{self, Condition},
    futex, life,
    mutex::Mutex,
    parking::{self, Why},
};
use crate::{loader::symbol::host_symbol, replacement::Replacement};

/// Runs the state of a `std::thread` and destroys it. The state is an object whose virtual table
/// has the deleting destructor in the second entry and the function to run in the third.
#[unsafe(naked)]
unsafe extern "C" fn run_state() {
    naked_asm!(
        "push rbx",
        "mov rbx, rdi",
        "mov rax, [rdi]",
        "call [rax + 16]",
        "mov rdi, rbx",
        "mov rax, [rdi]",
        "call [rax + 8]",
        "xor eax, eax",
        "pop rbx",
        "ret",
    )
}

/// Throws `std::system_error`, as failing functions of the library do.
fn throw(code: c_int) {
    if let Some(address) = host_symbol("_ZSt20__throw_system_errori") {
        // SAFETY: the address is that of this function.
        let throw: extern "C-unwind" fn(c_int) = unsafe { std::mem::transmute(address) };
        throw(code);
    }
}

/// Implements `std::thread::_M_start_thread`, which takes the state out of its owning pointer.
unsafe extern "C-unwind" fn start(place: *mut usize, state: *mut usize, _depends: usize) {
    // SAFETY: the library's header passes a thread and a pointer that owns its state.
    let word = unsafe { state.replace(0) };
    let code = life::begin(place, None, (run_state as *const () as usize, word));
    if code != 0 {
        throw(code);
    }
}

/// Implements `std::thread::join`.
unsafe extern "C-unwind" fn join(place: *mut usize) {
    let why = Why::here("std::thread::join");
    // SAFETY: the program passes a thread, which holds a handle or 0.
    let handle = unsafe { place.read() };
    let code =
        if handle == 0 { libc::EINVAL } else { life::join_as(handle, std::ptr::null_mut(), why) };
    left(place, code);
}

/// Implements `std::thread::detach`.
unsafe extern "C-unwind" fn detach(place: *mut usize) {
    // SAFETY: as in `join`.
    let handle = unsafe { place.read() };
    left(place, if handle == 0 { libc::EINVAL } else { life::detach_handle(handle) });
}

/// Clears the thread object after success, or throws the error.
fn left(place: *mut usize, code: c_int) {
    if code != 0 {
        throw(code);
        return;
    }
    // SAFETY: as in `join`.
    unsafe { place.write(0) };
}

/// Implements `hardware_concurrency`.
extern "C" fn hardware_concurrency() -> c_uint {
    processors()
}

unsafe extern "C" fn begin_condition(place: *mut Condition) {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { condition::init(place, std::ptr::null()) };
}

/// Implements `std::condition_variable::wait`; a lock object begins with the address of its mutex.
unsafe extern "C" fn wait(place: *mut Condition, lock: *const *mut Mutex) {
    let why = Why::here("std::condition_variable::wait");
    // SAFETY: the program passes a lock.
    condition::wait_as(place, unsafe { lock.read() }, &why);
}

/// Waits for the value of a future, at most until a time. Returns false on a timeout.
fn wait_for_value(
    (place, value): (*const u32, c_uint),
    has_end: bool,
    clock: libc::clockid_t,
    (seconds, nanoseconds): (i64, i64),
) -> bool {
    let why = Why::here("std::future::wait");
    let end = libc::timespec { tv_sec: seconds, tv_nsec: nanoseconds };
    let within = match has_end {
        true => Some(clock::left(clock, &raw const end).unwrap_or(Duration::ZERO)),
        false => None,
    };
    futex::wait_at(place, value, &why.within(within)).unwrap_or(true)
}

unsafe extern "C" fn wait_until(
    _base: usize,
    place: *const u32,
    value: c_uint,
    has_end: bool,
    seconds: i64,
    nanoseconds: i64,
) -> bool {
    let end = (seconds, nanoseconds);
    wait_for_value((place, value), has_end, libc::CLOCK_REALTIME, end)
}

unsafe extern "C" fn wait_until_steady(
    _base: usize,
    place: *const u32,
    value: c_uint,
    has_end: bool,
    seconds: i64,
    nanoseconds: i64,
) -> bool {
    let end = (seconds, nanoseconds);
    wait_for_value((place, value), has_end, libc::CLOCK_MONOTONIC, end)
}

/// Tells all who wait for the value of a future: unlike the functions that wait, a static one.
unsafe extern "C" fn tell_all(place: *const u32) {
    parking::wake(place as usize, usize::MAX);
}

fn nanoseconds(clock: libc::clockid_t) -> i64 {
    let rank = Rank::current();
    rank.and_then(|_| clock::reading(clock)).map_or(0, |now| now.as_nanos() as i64)
}

extern "C" fn system_now() -> i64 {
    nanoseconds(libc::CLOCK_REALTIME)
}

extern "C" fn steady_now() -> i64 {
    nanoseconds(libc::CLOCK_MONOTONIC)
}

extern "C" fn sleep(seconds: i64, nanoseconds: i64) {
    let time = libc::timespec { tv_sec: seconds, tv_nsec: nanoseconds };
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { clock::nanosleep(&raw const time, std::ptr::null_mut()) };
}

extern "C" fn old_start() {
    parking::refuse("it starts a thread as C++ compilers before GCC 6 do");
}

extern "C" fn at_thread_exit() {
    parking::refuse("it has something told when a thread has ended (at_thread_exit)");
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("_ZNSt6thread20hardware_concurrencyEv", hardware_concurrency as *const () as usize),
        ("_ZNSt18condition_variableC1Ev", begin_condition as *const () as usize),
        ("_ZNSt18condition_variableC2Ev", begin_condition as *const () as usize),
        ("_ZNSt18condition_variableD1Ev", nothing as *const () as usize),
        ("_ZNSt18condition_variableD2Ev", nothing as *const () as usize),
        ("_ZNSt6chrono3_V212system_clock3nowEv", system_now as *const () as usize),
        ("_ZNSt6chrono3_V212steady_clock3nowEv", steady_now as *const () as usize),
        (
            "_ZNSt6thread15_M_start_threadESt10shared_ptrINS_10_Impl_baseEEPFvvE",
            old_start as *const () as usize,
        ),
        (
            "_ZNSt6thread15_M_start_threadESt10shared_ptrINS_10_Impl_baseEE",
            old_start as *const () as usize,
        ),
        (
            "_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE",
            at_thread_exit as *const () as usize,
        ),
        (
            "_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj",
            tell_all as *const () as usize,
        ),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        (
            "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
            start as *const () as usize,
        ),
        ("_ZNSt6thread4joinEv", join as *const () as usize),
        ("_ZNSt6thread6detachEv", detach as *const () as usize),
        ("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", wait as *const () as usize),
        ("_ZNSt18condition_variable10notify_oneEv", condition::signal as *const () as usize),
        ("_ZNSt18condition_variable10notify_allEv", condition::broadcast as *const () as usize),
        (
            "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE",
            wait_until as *const () as usize,
        ),
        (
            "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE",
            wait_until_steady as *const () as usize,
        ),
        (
            "_ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE",
            sleep as *const () as usize,
        ),
    ]
}
