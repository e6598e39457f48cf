//! Signals raised by a process: its stack overflowed, or foreign code faulted.
//!
//! The handler runs on the thread's alternate stack, reads only the cells of [`Running`], and
//! resumes the thread at the root of the coroutine, which then ends. What the process owned leaks,
//! and an overflow inside the allocator may leave the allocator locked: the outcome ends the run.
//! All other signals are passed to the handler that was installed before.
#![allow(unsafe_code, reason = "installs a signal handler and changes the struck context")]

use std::{cell::Cell, mem::MaybeUninit, ptr, sync::OnceLock};

use corosensei::trap::CoroutineTrapHandler;

use super::{
    end::{End, Trap},
    handler, registers,
    running::{Running, running},
};
use crate::outcome::{Access, AccessKind};

/// `si_code` of an access to an unmapped address, and of one that the page does not permit. Other
/// codes, such as that of an address that no memory can have, come without the address.
const REFUSED: [libc::c_int; 2] = [1, 2];
/// `si_code` of a fault of the processor that is none of a page (`SI_KERNEL`).
const BY_PROCESSOR: libc::c_int = 0x80;

const SIGNALS: [libc::c_int; 9] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGPIPE,
    libc::SIGXFSZ,
    libc::SIGXCPU,
];

/// The decision about a signal raised by a process of foreign code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strike {
    /// The process continues, perhaps in its own signal handler.
    GoesOn,
    /// The run ends with [`Outcome::Signal`](crate::Outcome::Signal).
    Ends,
    /// The signal was not raised by the process.
    IsNotItsOwn,
}

/// A function that decides about a signal; gets the three arguments of a signal handler. It is
/// called on the alternate stack and may use only what is allowed in a signal handler.
pub type StrikeHook = unsafe fn(libc::c_int, *mut libc::c_void, *mut libc::c_void) -> Strike;

static HOOK: OnceLock<StrikeHook> = OnceLock::new();

/// Installs `hook`, which decides about signals raised by processes of foreign code. Only the first
/// hook is kept.
pub fn ask_when_struck(hook: StrikeHook) {
    HOOK.get_or_init(|| hook);
}

static ON_FAULT: OnceLock<fn(i32)> = OnceLock::new();

/// Sets a function that is told, before the system ends the whole process, that a signal of the processor struck the
/// simulator itself: foreign code has most likely overwritten its memory. Only the first one counts, and it may do only
/// what a signal handler may.
pub fn on_fault(tell: fn(i32)) {
    ON_FAULT.get_or_init(|| tell);
}

/// Returns the name of a signal that may end a process, as in `signal.h`.
pub fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGSTOP => "SIGSTOP",
        libc::SIGTSTP => "SIGTSTP",
        libc::SIGTTIN => "SIGTTIN",
        libc::SIGTTOU => "SIGTTOU",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGVTALRM => "SIGVTALRM",
        libc::SIGPROF => "SIGPROF",
        libc::SIGIO => "SIGIO",
        libc::SIGSYS => "SIGSYS",
        _ => return None,
    })
}

/// Describes the cause of a signal where that says more than the signal's name; `access` as in
/// [`Outcome::Signal`](crate::Outcome::Signal).
pub fn signal_cause(signal: i32, access: Option<Access>) -> Option<&'static str> {
    match signal {
        libc::SIGPIPE => Some("it wrote to a pipe that nobody reads"),
        libc::SIGXFSZ => Some("a file is longer than the system's limit allows (`ulimit -f`)"),
        libc::SIGFPE => Some(
            "it divided an integer by zero, or a floating-point exception occurred that it traps",
        ),
        _ => {
            let access = access?;
            match access.kind {
                Some(AccessKind::Return) => Some(
                    "the return address of a function is overwritten, as by an array on the stack that is written \
                     beyond its end",
                ),
                Some(AccessKind::Execute) if access.is_null() => {
                    Some("it called a function through a null pointer")
                }
                Some(AccessKind::Read | AccessKind::Write) | None if access.is_null() => {
                    Some("it used a null pointer")
                }
                Some(AccessKind::Read) => Some("it read memory that it has not got"),
                Some(AccessKind::Write) => Some("it wrote to memory that it may not write to"),
                Some(AccessKind::Execute) => Some("it called a function where there is no code"),
                None => None,
            }
        }
    }
}

type Previous = [libc::sigaction; SIGNALS.len()];

static PREVIOUS: OnceLock<Previous> = OnceLock::new();

/// Installs the signal handler once per process, and an alternate stack for this thread if it has none that is large
/// enough.
pub(crate) fn prepare() {
    ALTERNATE.with(|stack| {
        if stack.memory.get().is_null() {
            stack.install();
        }
    });
    PREVIOUS.get_or_init(|| {
        // The previous handlers are read first: ours must find them as soon as it is called.
        // SAFETY: reads the present actions into memory of ours.
        let action = |signal: libc::c_int| unsafe {
            let mut action = MaybeUninit::<libc::sigaction>::zeroed();
            libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
            action.assume_init()
        };
        SIGNALS.map(action)
    });
    static INSTALLED: std::sync::Once = std::sync::Once::new();
    INSTALLED.call_once(|| {
        for signal in SIGNALS {
            // SAFETY: `on_signal` does only what a signal handler may.
            unsafe { handler::install(signal, on_signal, 0, &[]) };
        }
    });
}

extern "C" fn on_signal(
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::c_void,
) {
    if signal == libc::SIGXCPU {
        out_of_processor_time();
    }
    if let Some(running) = running() {
        // SAFETY: alive while the pointer is set, and only this thread writes it. `info` and
        // `context` are the system's.
        let taken = unsafe { take(running.as_ref(), signal, info, context.cast()) };
        if taken {
            return;
        }
    }
    pass_on(signal, info, context);
}

/// Returns the word at the end of the running coroutine's stack through which it finds its caller.
fn link(running: &Running) -> *mut usize {
    /// Where it is below the end.
    const OFFSET: usize = 16;
    (running.top.get() - OFFSET) as *mut usize
}

/// Keeps what leads to the caller of the running coroutine, which has just begun.
pub(super) fn keep_link(running: &Running) {
    // SAFETY: the coroutine runs, so that the last words of its stack are there, and lead to those of its caller.
    unsafe {
        let link = link(running).read();
        running.link.set(link);
        // Above the frame pointer.
        running.back.set((link as *const usize).add(1).read());
    }
}

/// Puts back what leads to the caller of the running coroutine: the program may have written beyond its part of the
/// stack.
pub(super) fn restore_link(running: &Running) {
    // SAFETY: as in `keep_link`, and the word is the same for all processes.
    unsafe { link(running).write(running.link.get()) };
}

/// Lets the running coroutine go on to its caller if the signal struck on the way, because the program has overwritten
/// what leads there; reports whether it did. The program then ends where it would without the simulator, which nobody
/// has to explain.
///
/// # Safety
/// `context` is the third argument of a signal handler that has interrupted the coroutine, and `handler` is that of the
/// coroutine.
unsafe fn leads_back(
    running: &Running,
    handler: &CoroutineTrapHandler<End>,
    context: *mut libc::ucontext_t,
) -> bool {
    // SAFETY: guaranteed by the caller. The switch has set nothing but the stack pointer.
    unsafe {
        let (right, taken) = (running.link.get(), registers::stack_pointer(context));
        let is_wrong = taken != right && taken == link(running).read();
        if !is_wrong || handler.stack_ptr_in_bounds(taken) {
            return false;
        }
        restore_link(running);
        registers::set_stack_pointer(context, right);
    }
    true
}

/// Makes the thread continue where the running coroutine was resumed, as if that had ended.
///
/// # Safety
/// `context` is the third argument of a signal handler that has interrupted the coroutine, and `handler` is that of the
/// coroutine.
unsafe fn cut_short(
    running: &Running,
    handler: &CoroutineTrapHandler<End>,
    trap: Trap,
    context: *mut libc::ucontext_t,
) {
    // SAFETY: guaranteed by the caller. The coroutine is suspended nowhere else, so its stack may be reset.
    unsafe {
        if running.foreign {
            restore_link(running);
            registers::complete_switch(context, running.link.get(), running.back.get());
        }
        let entry = handler.setup_trap_handler(move || End::Trapped(trap));
        registers::enter(context, &entry);
    }
}

/// Ends the running process if the signal was raised by it; reports whether the signal was handled.
///
/// # Safety
/// The arguments are those of a signal handler, and `running` belongs to this thread.
unsafe fn take(
    running: &Running,
    signal: libc::c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::ucontext_t,
) -> bool {
    let (Some(_), Some(handler)) = (running.process.get(), running.trap.get()) else {
        return false;
    };
    // SAFETY: guaranteed by the caller.
    let (place, address) = unsafe { ((*info).si_addr() as usize, registers::address(context)) };
    let overflow = (signal == libc::SIGSEGV || signal == libc::SIGBUS)
        && place.wrapping_sub(running.bottom.get()) < running.guard_bytes;
    // SAFETY: guaranteed by the caller.
    if running.foreign && unsafe { leads_back(running, &handler, context) } {
        return true;
    }
    let trap = if overflow {
        Trap::Overflow { address }
    } else if running.foreign {
        // SAFETY: guaranteed by the caller.
        let hook = HOOK.get().map(|hook| unsafe { hook(signal, info.cast(), context.cast()) });
        match hook.unwrap_or(Strike::Ends) {
            Strike::GoesOn => return true,
            Strike::Ends => {}
            Strike::IsNotItsOwn => return false,
        }
        let fault = signal == libc::SIGSEGV || signal == libc::SIGBUS;
        // SAFETY: guaranteed by the caller.
        let access = fault.then(|| unsafe { access(&handler, info, context) }).flatten();
        Trap::Signal { signal, address, access }
    } else {
        return false;
    };
    // What leads back to the engine leads nowhere, if there is another signal on the way.
    let stretch = running.stretch.get();
    if running.cut.replace(stretch) == stretch {
        return false;
    }
    // SAFETY: guaranteed by the caller.
    unsafe { cut_short(running, &handler, trap, context) };
    true
}

/// Returns the access to memory for which `SIGSEGV` or `SIGBUS` was raised, if it was.
///
/// # Safety
/// The arguments are those of a signal handler that has interrupted the coroutine of `handler`.
unsafe fn access(
    handler: &CoroutineTrapHandler<End>,
    info: *mut libc::siginfo_t,
    context: *mut libc::ucontext_t,
) -> Option<Access> {
    // SAFETY: guaranteed by the caller.
    let (code, place, instruction, stack) = unsafe {
        let stack = registers::stack_pointer(context);
        ((*info).si_code, (*info).si_addr() as usize, registers::address(context), stack)
    };
    let has_stack = handler.stack_ptr_in_bounds(stack);
    if REFUSED.contains(&code) && place == instruction {
        // SAFETY: the coroutine has a word below its stack pointer, which nothing has changed since it returned.
        let returned = has_stack && unsafe { registers::has_returned(context) };
        let kind = if returned { AccessKind::Return } else { AccessKind::Execute };
        return Some(Access { address: place, kind: Some(kind) });
    }
    if REFUSED.contains(&code) {
        // SAFETY: guaranteed by the caller.
        return Some(Access { address: place, kind: unsafe { registers::kind(context) } });
    }
    if code != BY_PROCESSOR || !has_stack {
        return None;
    }
    // SAFETY: the instruction was executed, and the coroutine's stack is there.
    let target = unsafe { registers::returns_to(context) }?;
    Some(Access { address: target, kind: Some(AccessKind::Return) })
}

/// Abandons the process that runs on this thread, if there is one.
///
/// # Safety
/// `context` is a signal handler's third argument.
pub(super) unsafe fn abandon(context: *mut libc::ucontext_t) {
    let Some(running) = running() else { return };
    // SAFETY: alive while the pointer is set, and only this thread writes it.
    let running = unsafe { running.as_ref() };
    let (Some(_), Some(handler)) = (running.process.get(), running.trap.get()) else { return };
    // SAFETY: guaranteed by the caller; a switch to or from the process may be half done.
    if !handler.stack_ptr_in_bounds(unsafe { registers::stack_pointer(context) }) {
        return;
    }
    // SAFETY: as in `take`.
    unsafe {
        let trap = Trap::Interrupted { address: registers::address(context) };
        cut_short(running, &handler, trap, context);
    }
}

/// Ends the simulator at the system's limit of processor time (`RLIMIT_CPU`): nothing can be saved.
fn out_of_processor_time() {
    const TEXT: &[u8] = b"windtunnel: error: the system's limit of processor time is used up\n  \
        help: raise it with `ulimit -t`, or make the run smaller\n";
    // SAFETY: both may be called in a signal handler.
    unsafe {
        libc::write(libc::STDERR_FILENO, TEXT.as_ptr().cast(), TEXT.len());
        libc::_exit(128 + libc::SIGXCPU);
    }
}

/// Signals that the processor raises.
const FAULTS: [libc::c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// Signals that the system raises for a system call that also returns an error.
const CALLS: [libc::c_int; 2] = [libc::SIGPIPE, libc::SIGXFSZ];

/// Passes a signal to the handler that was installed before.
fn pass_on(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut libc::c_void) {
    let place = SIGNALS.iter().position(|known| *known == signal);
    let Some((previous, place)) = PREVIOUS.get().zip(place) else { return };
    let action = &previous[place];
    // SAFETY: either the system's own action is put back, and takes effect when the instruction
    // strikes again, or a handler is called as the system would have.
    unsafe {
        // A code of 0 or less says that another process has sent it.
        if FAULTS.contains(&signal)
            && (*info).si_code > 0
            && let Some(tell) = ON_FAULT.get()
        {
            tell(signal);
        }
        let ignored = action.sa_sigaction == libc::SIG_IGN;
        // A file above the size limit is an error of the system call, which reports it.
        if CALLS.contains(&signal) && (ignored || signal == libc::SIGXFSZ) {
            return;
        }
        if action.sa_sigaction == libc::SIG_DFL && signal == libc::SIGPIPE {
            libc::sigaction(signal, action, ptr::null_mut());
            libc::raise(signal);
        } else if action.sa_sigaction == libc::SIG_DFL || ignored {
            libc::sigaction(signal, action, ptr::null_mut());
        } else if action.sa_flags & libc::SA_SIGINFO != 0 {
            type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
            let handler: Handler = std::mem::transmute(action.sa_sigaction);
            handler(signal, info, context);
        } else {
            let handler: extern "C" fn(libc::c_int) = std::mem::transmute(action.sa_sigaction);
            handler(signal);
        }
    }
}

/// An alternate signal stack for a thread that had none, or a small one, as those of Rust's library are.
struct Alternate {
    memory: Cell<*mut libc::c_void>,
}

/// Enough for the hook, which may look for the functions around the instruction.
const ALTERNATE_BYTES: usize = 64 << 10;

thread_local! {
    static ALTERNATE: Alternate = const { Alternate { memory: Cell::new(ptr::null_mut()) } };
}

impl Alternate {
    fn install(&self) {
        // SAFETY: reads the thread's present alternate stack; maps memory and makes it one.
        unsafe {
            let mut present = MaybeUninit::<libc::stack_t>::zeroed().assume_init();
            libc::sigaltstack(ptr::null(), &raw mut present);
            if present.ss_flags & libc::SS_DISABLE == 0 && present.ss_size >= ALTERNATE_BYTES {
                return;
            }
            let access = libc::PROT_READ | libc::PROT_WRITE;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let memory = libc::mmap(ptr::null_mut(), ALTERNATE_BYTES, access, flags, -1, 0);
            if memory == libc::MAP_FAILED {
                return;
            }
            let stack = libc::stack_t { ss_sp: memory, ss_flags: 0, ss_size: ALTERNATE_BYTES };
            libc::sigaltstack(&raw const stack, ptr::null_mut());
            self.memory.set(memory);
        }
    }
}

impl Drop for Alternate {
    fn drop(&mut self) {
        let memory = self.memory.get();
        if memory.is_null() {
            return;
        }
        // SAFETY: takes the stack that `install` set back from the system, then unmaps it.
        unsafe {
            let none = libc::stack_t {
                ss_sp: ptr::null_mut(),
                ss_flags: libc::SS_DISABLE,
                ss_size: ALTERNATE_BYTES,
            };
            libc::sigaltstack(&raw const none, ptr::null_mut());
            libc::munmap(memory, ALTERNATE_BYTES);
        }
    }
}
