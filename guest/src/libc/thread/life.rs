//! Start, join and end of threads.
#![allow(unsafe_code, reason = "is called by programs and calls their functions")]

use std::{ffi::c_int, rc::Rc, time::Duration};

use super::{
    super::{
        life, process,
        rank::Rank,
        surroundings,
        suspend::{Seen, forget_current},
    },
    attribute::Attributes,
    caller::{caller, find},
    key, leave,
    parking::{self, Why},
    stack::Stack,
    table::Thread,
};
use crate::{
    loader::enter::{RETURNED, call, call_thread},
    replacement::Replacement,
};

/// The code passed to `leave` when a thread ends, and not the program.
pub(super) const THREAD_ENDS: i32 = i32::MIN + 1;

/// Starts a thread that runs `function` with a word; writes its handle to `place`.
pub(super) fn begin(
    place: *mut usize,
    attributes: Option<&Attributes>,
    (function, word): (usize, usize),
) -> c_int {
    let (rank, _) = caller();
    let threads = &rank.threads;
    let number = threads.begun.get();
    let Ok(stack) = Stack::of(attributes) else { return libc::EAGAIN };
    let Some(block) = threads.locals.block() else { return libc::EAGAIN };
    let thread = Thread::new(number, block.pointer, Some(block));
    thread.blocked.set(threads.present().blocked.get());
    thread.detached.set(attributes.is_some_and(Attributes::is_detached));
    threads.begun.set(number + 1);
    set_single_threaded(rank, false);
    threads.live.set(threads.live.get() + 1);
    threads.running.set(threads.running.get() + 1);
    threads.all.borrow_mut().insert(thread.handle, Rc::clone(&thread));
    if !place.is_null() {
        // SAFETY: the program passes a variable; the new thread may read it.
        unsafe { place.write(thread.handle) };
    }
    let own: *const Rank = rank;
    // SAFETY: a rank outlives its threads.
    let body = move || run(unsafe { &*own }, &thread, stack, (function, word));
    if rank.host().spawn(rank.number(), Box::new(body)) != Some(number) {
        parking::refuse("it starts a thread");
    }
    0
}

/// Sets the variable by which libraries see whether a rank has one thread only: the C++ library then does without atomic
/// operations, and without waking anybody.
fn set_single_threaded(rank: &Rank, is_single: bool) {
    let place = rank.c_variables.single_threaded as *mut bool;
    // SAFETY: the variable is the rank's own.
    unsafe { place.write(is_single) };
}

/// Begins a rank, which has one thread.
pub(crate) fn begin_rank(rank: &Rank) {
    set_single_threaded(rank, true);
}

/// Starts a detached thread with a stack of at least `stack` bytes that runs `function` with a word.
/// Returns its number; `None` if there is no memory for it.
pub(crate) fn begin_worker(function: usize, word: usize, stack: usize) -> Option<u32> {
    let number = caller().0.threads.begun.get();
    let attributes = Attributes::detached_with(stack);
    (begin(std::ptr::null_mut(), Some(&attributes), (function, word)) == 0).then_some(number)
}

/// Runs an additional thread from start to end.
fn run(rank: &Rank, thread: &Rc<Thread>, stack: Stack, (function, word): (usize, usize)) {
    Seen::of_thread(rank, thread).restore();
    let (escape, result) = (thread.escape.as_ptr(), thread.result.as_ptr());
    thread.own_top.set(stack.end());
    // SAFETY: the program passes the function with its argument, and possibly a stack.
    let code = unsafe { call_thread(function, word, escape, stack.end(), result) };
    thread.own_top.set(0);
    let ends = matches!(code, RETURNED | THREAD_ENDS) && {
        let mut words = [0; 4];
        // SAFETY: a function of ours without arguments.
        unsafe { call(end_objects as *const () as usize, &raw mut words, escape) == RETURNED }
    };
    if ends {
        end(rank, thread);
    } else {
        end_rank(rank);
    }
    rank.host().thread_ends(rank.number());
    rank.threads.keep(surroundings::present(), surroundings::folder());
    rank.threads.running.set(rank.threads.running.get() - 1);
    forget_current();
}

/// Destroys the thread-local objects and values of the calling thread.
extern "C" fn end_objects() {
    let (_, thread) = caller();
    process::run_handlers(0, || thread.exits.borrow_mut().pop());
    key::destroy_values();
}

/// Records the end of a thread and resumes the threads that wait for it.
fn end(rank: &Rank, thread: &Rc<Thread>) {
    let threads = &rank.threads;
    thread.ended.set(true);
    threads.live.set(threads.live.get() - 1);
    if thread.detached.get() {
        threads.all.borrow_mut().remove(&thread.handle);
    }
    let mut waiting = parking::take(Rc::as_ptr(thread) as usize, usize::MAX);
    if threads.live.get() == 0 {
        waiting.extend(parking::take(last_key(rank), usize::MAX));
    }
    parking::let_go(waiting);
}

/// Starts a detached thread.
pub(crate) fn begin_detached(function: usize, value: usize) {
    let mut handle = 0;
    if begin(&raw mut handle, None, (function, value)) == 0 {
        detach_handle(handle);
    }
}

/// Returns the key at which the main thread waits for all others.
fn last_key(rank: &Rank) -> usize {
    (&raw const rank.threads.live) as usize
}

/// Handles the end of the program in the calling thread: the other threads do not resume.
pub(crate) fn end_rank(rank: &Rank) {
    let threads = &rank.threads;
    let present = threads.present();
    while present.number == 0 && threads.running.get() > threads.live.get() {
        // A thread that has just woken this one may still have to end.
        rank.host().sleep(rank.number(), Duration::ZERO);
    }
    let others = if present.number == 0 { threads.live.get() } else { 1 };
    if others > 0 && !threads.over.get() {
        rank.host().desert(rank.number());
        threads.over.set(true);
    }
    if present.number > 0 {
        let ending = life::end(rank, 0);
        rank.host().ended(rank.number(), ending);
    }
}

/// Ends the calling thread with a result, after its cleanup handlers have run.
pub(super) fn end_with(result: usize) -> ! {
    let (rank, thread) = caller();
    if thread.number > 0 {
        thread.result.set(result);
        // SAFETY: `call_thread` of this thread is further down the stack, and our frames here own
        // nothing.
        unsafe { crate::loader::enter::leave(thread.escape.get(), THREAD_ENDS) }
    }
    end_objects();
    thread.result.set(result);
    thread.ended.set(true);
    let waiting = parking::take(std::ptr::from_ref(thread) as usize, usize::MAX);
    let why = Why::here("pthread_exit");
    parking::let_go(waiting);
    while rank.threads.live.get() > 0 {
        parking::wait(last_key(rank), &why);
    }
    process::exit(0)
}

/// Waits for the end of a thread, within the limit of `why`; writes its result to `place`.
pub(super) fn join_as(handle: usize, place: *mut usize, why: Why) -> c_int {
    let (rank, me) = caller();
    let Some(thread) = find(handle) else { return libc::ESRCH };
    if thread.handle == me.handle {
        return libc::EDEADLK;
    }
    if thread.detached.get() || thread.joined.replace(true) {
        return libc::EINVAL;
    }
    let why = why.held_by(thread.number);
    if !thread.ended.get() && !parking::wait(Rc::as_ptr(&thread) as usize, &why) {
        thread.joined.set(false);
        return libc::ETIMEDOUT;
    }
    rank.threads.all.borrow_mut().remove(&handle);
    if !place.is_null() {
        // SAFETY: the program passes a variable or null.
        unsafe { place.write(thread.result.get()) };
    }
    0
}

pub(super) fn detach_handle(handle: usize) -> c_int {
    let (rank, _) = caller();
    let Some(thread) = find(handle) else { return libc::ESRCH };
    if thread.joined.get() || thread.detached.replace(true) {
        return libc::EINVAL;
    }
    if thread.ended.get() {
        rank.threads.all.borrow_mut().remove(&handle);
    }
    0
}

unsafe extern "C" fn create(
    place: *mut usize,
    attributes: *const Attributes,
    function: usize,
    argument: usize,
) -> c_int {
    // SAFETY: the program passes attributes or null.
    begin(place, unsafe { attributes.as_ref() }, (function, argument))
}

unsafe extern "C" fn join(handle: usize, place: *mut usize) -> c_int {
    join_as(handle, place, Why::here("pthread_join"))
}

unsafe extern "C" fn join_until(
    handle: usize,
    place: *mut usize,
    time: *const libc::timespec,
) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { join_until_on(handle, place, libc::CLOCK_REALTIME, time) }
}

unsafe extern "C" fn join_until_on(
    handle: usize,
    place: *mut usize,
    clock: libc::clockid_t,
    time: *const libc::timespec,
) -> c_int {
    let why = Why::here("pthread_timedjoin_np");
    match super::super::clock::left(clock, time) {
        Some(left) => join_as(handle, place, why.within(Some(left))),
        None => libc::EINVAL,
    }
}

unsafe extern "C" fn try_join(handle: usize, place: *mut usize) -> c_int {
    match find(handle) {
        Some(thread) if !thread.ended.get() => libc::EBUSY,
        // SAFETY: the program vouches for the arguments, which are passed on.
        _ => unsafe { join(handle, place) },
    }
}

extern "C" fn detach(handle: usize) -> c_int {
    detach_handle(handle)
}

pub(super) extern "C" fn this() -> usize {
    caller().1.handle
}

extern "C" fn equal(one: usize, other: usize) -> c_int {
    c_int::from(one == other)
}

extern "C" fn give_way() -> c_int {
    parking::give_way();
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_detach", detach as *const () as usize),
        ("pthread_self", this as *const () as usize),
        ("pthread_equal", equal as *const () as usize),
    ]
}

pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("pthread_create", create as *const () as usize),
        ("pthread_join", join as *const () as usize),
        ("pthread_timedjoin_np", join_until as *const () as usize),
        ("pthread_clockjoin_np", join_until_on as *const () as usize),
        ("pthread_tryjoin_np", try_join as *const () as usize),
        ("pthread_exit", leave::exit as *const () as usize),
        ("sched_yield", give_way as *const () as usize),
        ("pthread_yield", give_way as *const () as usize),
        ("thrd_yield", give_way as *const () as usize),
    ]
}
