//! Start and end of a program: `__libc_start_main`, `exit` and similar functions, assertions.
#![allow(unsafe_code, reason = "calls functions of the program by address")]

use std::{
    cell::{Cell, RefCell},
    ffi::{CStr, c_char, c_int, c_uint, c_void},
};

use super::{
    ending::{Ending, ExitHandler},
    rank::Rank,
    signal::send::send_abort,
    stdio,
};
use crate::{replacement::Replacement, site, watch};

/// The functions of a program that run before and after `main`, those of libraries first and the
/// program's own last.
#[derive(Default)]
pub(crate) struct Routines {
    /// Functions to call before `main`.
    pub(crate) libraries: Vec<usize>,
    pub(crate) program: Vec<usize>,
    /// Functions to call at exit.
    pub(crate) finalisers: Vec<usize>,
    /// The function `main` of a shared object.
    pub(crate) main: usize,
}

/// What is left to be called in a rank's program.
#[derive(Default)]
struct Pending {
    initialisers: RefCell<Option<(Vec<usize>, Vec<usize>)>>,
    main: Cell<usize>,
    /// The next one is last.
    finalisers: RefCell<Vec<usize>>,
    exits: RefCell<Vec<ExitHandler>>,
    quick_exits: RefCell<Vec<ExitHandler>>,
}

/// Sets what runs before and after the `main` of a rank that begins.
pub(super) fn begin_rank(rank: &Rank, routines: Routines) {
    let Routines { libraries, program, finalisers, main } = routines;
    let pending = rank.state::<Pending>();
    pending.initialisers.replace(Some((libraries, program)));
    pending.finalisers.replace(finalisers.into_iter().rev().collect());
    pending.main.set(main);
}

/// Adds functions to call at exit, before those that are known.
pub(super) fn add_finalisers(rank: &Rank, finalisers: impl IntoIterator<Item = usize>) {
    rank.state::<Pending>().finalisers.borrow_mut().extend(finalisers);
}

type Main = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
type Initialiser = unsafe extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char);

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

unsafe extern "C" fn start_main(
    main: usize,
    argc: c_int,
    argv: *mut *mut c_char,
    init: usize,
    _fini: usize,
    _loader: usize,
) -> c_int {
    // SAFETY: the environment of the process.
    let environment = unsafe { environ };
    initialise(argc, argv, init);
    // SAFETY: the program passes this address as its `main`.
    let main: Main = unsafe { std::mem::transmute(main) };
    // SAFETY: the arguments are those of the initial stack.
    let code = unsafe { main(argc, argv, environment) };
    if is_early(code) {
        note_main(main as usize);
    }
    exit(code)
}

/// Calls the initialisers of the program and its libraries.
// Apart, so that this frame is gone while the program runs.
#[inline(never)]
fn initialise(argc: c_int, argv: *mut *mut c_char, init: usize) {
    // SAFETY: the environment of the process.
    let environment = unsafe { environ };
    let initialisers = Rank::running().state::<Pending>().initialisers.borrow_mut().take();
    if let Some((libraries, program)) = initialisers {
        // Programs for glibc before 2.34 pass a function that calls their own initialisers.
        let own = if init == 0 { program } else { vec![init] };
        for address in libraries.into_iter().chain(own) {
            // SAFETY: the object's dynamic section lists it.
            let function: Initialiser = unsafe { std::mem::transmute(address) };
            // SAFETY: initialisers take the arguments of `main`.
            unsafe { function(argc, argv, environment) };
        }
    }
}

/// The entry point for a shared object, in place of the C run-time system's code.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn enter_main() -> ! {
    std::arch::naked_asm!(
        "mov rdi, [rsp]",
        "lea rsi, [rsp + 8]",
        "and rsp, -16",
        "call {}",
        "ud2",
        sym start_object,
    )
}

unsafe extern "C" fn start_object(argc: c_int, argv: *mut *mut c_char) -> c_int {
    // SAFETY: the program vouches for the arguments, which are passed on.
    unsafe { start_main(Rank::running().state::<Pending>().main.get(), argc, argv, 0, 0, 0) }
}

pub(super) extern "C" fn exit(code: c_int) -> ! {
    let rank = Rank::running();
    let (thread, pending) = (rank.threads.present(), rank.state::<Pending>());
    run_handlers(code, || thread.exits.borrow_mut().pop());
    run_handlers(code, || pending.exits.borrow_mut().pop());
    let next_finaliser = || pending.finalisers.borrow_mut().pop();
    while let Some(address) = next_finaliser() {
        // SAFETY: the object's dynamic section lists it.
        let function: extern "C" fn() = unsafe { std::mem::transmute(address) };
        function();
    }
    stdio::close_files(rank);
    rank.finish(Ending::Exited(code))
}

/// Records where the program's `main` is defined, which has returned an error code or too early: which of its statements has
/// done so nothing tells.
#[cold]
fn note_main(main: usize) {
    if let Some(rank) = Rank::current() {
        rank.host().returns(rank.number(), site::definition(rank, main));
    }
}

/// Records where the program ends itself. Must be called first.
pub(super) fn note_place() {
    if let Some(rank) = Rank::current() {
        let place = site::in_program();
        // The library of Fortran ends a program for `stop`.
        let own = if site::is_own(place) { place } else { watch::calling_line() };
        rank.host().leaves(rank.number(), if own.line > 0 { own } else { place });
    }
}

/// Records where the program ends itself if that is with an error code, or too early. Must be called first.
fn note_early(code: c_int) {
    if is_early(code) {
        note_place();
    }
}

/// Reports whether the program ends itself with an error code, or too early.
fn is_early(code: c_int) -> bool {
    let is_unfinished = |rank: &Rank| rank.host().is_unfinished(rank.number());
    code & 0xff != 0 || Rank::current().is_some_and(is_unfinished)
}

/// Implements `exit` as programs call it.
extern "C" fn exit_here(code: c_int) -> ! {
    note_early(code);
    exit(code)
}

extern "C-unwind" fn abort_here() -> ! {
    note_place();
    abort()
}

extern "C" fn exit_at_once_here(code: c_int) -> ! {
    note_early(code);
    exit_at_once(code)
}

extern "C" fn quick_exit_here(code: c_int) -> ! {
    note_early(code);
    quick_exit(code)
}

pub(super) fn run_handlers(code: c_int, mut next: impl FnMut() -> Option<ExitHandler>) {
    while let Some(handler) = next() {
        match handler {
            ExitHandler::Plain(address, argument) => {
                // SAFETY: the program registered a function of this type.
                let function: extern "C" fn(usize) = unsafe { std::mem::transmute(address) };
                function(argument);
            }
            ExitHandler::WithCode(address, argument) => {
                // SAFETY: as above.
                let function: extern "C" fn(c_int, usize) = unsafe { std::mem::transmute(address) };
                function(code, argument);
            }
        }
    }
}

pub(super) extern "C" fn exit_at_once(code: c_int) -> ! {
    Rank::running().finish(Ending::Exited(code))
}

extern "C" fn quick_exit(code: c_int) -> ! {
    let rank = Rank::running();
    let pending = rank.state::<Pending>();
    run_handlers(code, || pending.quick_exits.borrow_mut().pop());
    rank.finish(Ending::Exited(code))
}

/// Implements `abort`. Within a handler of `std::terminate`, the program ends with the exception
/// that was not caught.
pub(super) extern "C-unwind" fn abort() -> ! {
    let rank = Rank::running();
    send_abort(rank);
    let uncaught = rank.uncaught.borrow_mut().take();
    rank.finish(uncaught.map_or(Ending::Signalled(libc::SIGABRT), |ending| *ending))
}

extern "C" fn at_exit(function: usize, argument: usize, _object: usize) -> c_int {
    let handler = ExitHandler::Plain(function, argument);
    Rank::running().state::<Pending>().exits.borrow_mut().push(handler);
    0
}

/// Registers a destructor of a thread-local object; these run before all other handlers.
extern "C" fn at_thread_exit(function: usize, argument: usize, _object: usize) -> c_int {
    Rank::running()
        .threads
        .present()
        .exits
        .borrow_mut()
        .push(ExitHandler::Plain(function, argument));
    0
}

extern "C" fn on_exit(function: usize, argument: usize) -> c_int {
    let handler = ExitHandler::WithCode(function, argument);
    Rank::running().state::<Pending>().exits.borrow_mut().push(handler);
    0
}

extern "C" fn at_quick_exit(function: usize, _object: usize) -> c_int {
    let handler = ExitHandler::Plain(function, 0);
    Rank::running().state::<Pending>().quick_exits.borrow_mut().push(handler);
    0
}

/// Implements `__cxa_finalize` as an empty function: handlers run at `exit`.
unsafe extern "C" fn finalize(_object: *mut c_void) {}

unsafe extern "C" fn assert_fail(
    condition: *const c_char,
    file: *const c_char,
    line: c_uint,
    function: *const c_char,
) -> ! {
    let ending = Ending::Assertion {
        condition: text(condition),
        file: text(file),
        line,
        function: text(function),
    };
    Rank::running().finish(ending)
}

extern "C" fn stack_smashed() -> ! {
    Rank::running().finish(Ending::Refused("it overwrote its own stack frame".to_string()))
}

pub(super) extern "C" fn overflow_found() -> ! {
    Rank::running().finish(Ending::Refused("it overflowed a buffer".to_string()))
}

fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the program passes C strings.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("__libc_start_main", start_main as *const () as usize),
        ("__cxa_atexit", at_exit as *const () as usize),
        ("__cxa_thread_atexit", at_thread_exit as *const () as usize),
        ("__cxa_thread_atexit_impl", at_thread_exit as *const () as usize),
        ("__cxa_at_quick_exit", at_quick_exit as *const () as usize),
        ("__cxa_finalize", finalize as *const () as usize),
        ("on_exit", on_exit as *const () as usize),
        ("__assert_fail", assert_fail as *const () as usize),
        ("__stack_chk_fail", stack_smashed as *const () as usize),
        ("__chk_fail", overflow_found as *const () as usize),
    ]
}

/// Returns the functions that end the program: findings show where it has called them.
pub(super) fn waiting() -> Vec<Replacement> {
    vec![
        ("abort", abort_here as *const () as usize),
        ("exit", exit_here as *const () as usize),
        ("_exit", exit_at_once_here as *const () as usize),
        ("_Exit", exit_at_once_here as *const () as usize),
        ("quick_exit", quick_exit_here as *const () as usize),
    ]
}
