//! The signal handlers of the watch. They run on the alternate stack of their thread.
//!
//! The handlers are unsafe: the kernel calls them with a valid signal description and the context that
//! was struck, and nobody else may.
#![allow(unsafe_code, reason = "handles signals and changes the struck context")]

use std::{
    arch::{asm, naked_asm},
    ffi::{c_int, c_long, c_void},
    mem::MaybeUninit,
    ops::Range,
    ptr,
    sync::{OnceLock, atomic::Ordering},
};

use sim_core::interrupt::GROWTH_SIGNAL;

use super::{
    ARMED, CLOSED, OPEN, OPENING, Opened, PAGE, STATE, STEPS_BETWEEN_CALLS_MAX, STEPS_MAX, STUBS,
    Watch, instruction, me, mine, reading, system_call,
};
use crate::{
    libc::signal::spin::{self, TRAP_FLAG},
    site,
};

/// The bit of a page fault's error code that marks a write.
const WRITE: i64 = 2;
/// Length of the `syscall` instruction in bytes.
const SYSCALL_BYTES: i64 = 2;
/// `si_code` of a signal that Syscall User Dispatch sends.
const SYS_USER_DISPATCH: c_int = 2;
/// Bytes that stay accessible from the thread pointer on: the C library's thread descriptor.
const THREAD_BYTES: usize = 0x1000;

/// A signal action in the kernel's layout.
#[derive(Clone, Copy)]
#[repr(C)]
struct Action {
    handler: usize,
    flags: u64,
    restorer: usize,
    mask: u64,
}

const SA_RESTORER: u64 = 0x0400_0000;
const NO_ACTION: Action = Action { handler: libc::SIG_DFL, flags: 0, restorer: 0, mask: 0 };

type Handler = unsafe extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

/// The handled signals: the first three implement the watch, the others only reopen the pages
/// before they are passed on.
const SIGNALS: [(c_int, Handler); 7] = [
    (libc::SIGSEGV, on_fault),
    (libc::SIGTRAP, on_trap),
    (libc::SIGSYS, on_system_call),
    (libc::SIGBUS, on_other),
    (libc::SIGFPE, on_other),
    (libc::SIGILL, on_other),
    (libc::SIGABRT, on_other),
];

static PREVIOUS: OnceLock<[Action; SIGNALS.len()]> = OnceLock::new();

/// Sets an action, if there is one, and returns the previous one.
fn set(signal: c_int, action: Option<&Action>) -> Action {
    let mut previous = NO_ACTION;
    // SAFETY: both structures are the kernel's, with a mask of eight bytes.
    unsafe {
        let (new, old) = (action.map_or(ptr::null(), ptr::from_ref), &raw mut previous);
        libc::syscall(libc::SYS_rt_sigaction, c_long::from(signal), new, old, size_of::<u64>());
    }
    previous
}

/// Lets the handler of a signal return through a system call that is not intercepted: that would open all pages.
fn let_return(signal: c_int) {
    let mut action = set(signal, None);
    if action.handler != libc::SIG_DFL && action.handler != libc::SIG_IGN {
        action.flags |= SA_RESTORER;
        action.restorer = system_call::restorer as *const () as usize;
    }
    set(signal, Some(&action));
}

/// Installs the handlers in front of the existing ones.
pub(super) fn install() {
    reading::prepare();
    instruction::prepare();
    // The timer of long stretches looks at registers only.
    let_return(libc::SIGVTALRM);
    PREVIOUS.get_or_init(|| {
        // A handler of another signal that came meanwhile, such as that of a timer, would open all pages by its system
        // calls, and the handler that it had interrupted might close some of them after that.
        let bit = |signal: c_int| 1_u64 << (signal - 1);
        let mask = SIGNALS.iter().fold(u64::MAX, |mask, (signal, _)| mask & !bit(*signal));
        SIGNALS.map(|(signal, handler)| {
            let flags = (libc::SA_SIGINFO | libc::SA_ONSTACK) as u64 | SA_RESTORER;
            let restorer = system_call::restorer as *const () as usize;
            set(signal, Some(&Action { handler: handler as usize, flags, restorer, mask }))
        })
    });
}

/// Lets a timer look at the memory of this process, or not: its handler would open all pages, and nobody closes
/// them before the next call.
pub(super) fn look_at_memory(may: bool) {
    mask(if may { libc::SIG_UNBLOCK } else { libc::SIG_BLOCK }, &[GROWTH_SIGNAL]);
}

/// Blocks or unblocks signals for this thread.
fn mask(how: c_int, signals: &[c_int]) {
    // SAFETY: changes the thread's mask.
    unsafe {
        let mut mask = MaybeUninit::<libc::sigset_t>::zeroed().assume_init();
        for signal in signals {
            libc::sigaddset(&raw mut mask, *signal);
        }
        libc::pthread_sigmask(how, &raw const mask, ptr::null_mut());
    }
}

/// Unblocks the signals; returns the memory of this thread that must stay accessible for the
/// handlers.
pub(super) fn prepare() -> [Range<usize>; 2] {
    mask(libc::SIG_UNBLOCK, &SIGNALS.map(|(signal, _)| signal));
    // SAFETY: reads the alternate stack of the thread and its thread pointer.
    unsafe {
        let mut stack = MaybeUninit::<libc::stack_t>::zeroed().assume_init();
        libc::sigaltstack(ptr::null(), &raw mut stack);
        let thread: usize;
        asm!("mov {}, fs:0", out(reg) thread, options(nostack, readonly, pure));
        let first = me().min(libc::__errno_location() as usize).min(thread) & !(PAGE - 1);
        [first..thread + THREAD_BYTES, stack.ss_sp as usize..stack.ss_sp as usize + stack.ss_size]
    }
}

/// The return target of an MPI function that closes pages; the handler continues from there.
#[unsafe(naked)]
unsafe extern "C" fn land() -> ! {
    naked_asm!("int3", "ud2")
}

/// Returns the address of [`land`].
pub(super) fn landing() -> usize {
    land as *const () as usize
}

/// Makes the handler close the pages.
#[inline(never)]
pub(super) fn close_now() {
    // SAFETY: the handler recognises this trap by the state and continues after the instruction.
    unsafe { asm!("int3") };
}

fn pass_on(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    if let Some(watch) = mine().filter(|_| STATE.load(Ordering::Relaxed) != OPEN) {
        // SAFETY: the watch is the thread's own, and nothing closes pages meanwhile.
        unsafe { (*watch).release() };
    }
    let place = SIGNALS.iter().position(|(known, _)| *known == signal);
    let Some((previous, place)) = PREVIOUS.get().zip(place) else { return };
    let previous = &previous[place];
    if previous.handler == libc::SIG_DFL || previous.handler == libc::SIG_IGN {
        // The system's own action takes effect when the instruction faults again.
        set(signal, Some(previous));
        return;
    }
    // SAFETY: the call is the one that the system would have made.
    unsafe {
        let handler: Handler = std::mem::transmute(previous.handler);
        handler(signal, info, context);
    }
}

unsafe extern "C" fn on_other(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    pass_on(signal, info, context);
}

/// Opens the page with this address for one instruction, or all pages, unless that has happened too often.
///
/// # Safety
/// `context` is a handler's, and the watch its thread's.
unsafe fn step(watch: &mut Watch, address: Option<usize>, context: *mut libc::ucontext_t) {
    watch.examined.accesses += 1;
    watch.steps_since_call += 1;
    if watch.examined.accesses > STEPS_MAX || watch.steps_since_call > STEPS_BETWEEN_CALLS_MAX {
        watch.examined.in_full = false;
        watch.release();
        return;
    }
    watch.opened = Opened::NONE;
    match address {
        Some(address) => _ = watch.open_page(address),
        None => watch.open_all(),
    }
    watch.stepping = true;
    // SAFETY: guaranteed by the caller.
    unsafe { (*context).uc_mcontext.gregs[libc::REG_EFL as usize] |= TRAP_FLAG };
}

unsafe extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let registers = context.cast::<libc::ucontext_t>();
    // SAFETY: the watch is the thread's own, `info` and `context` are the system's.
    unsafe {
        let (state, address) = (STATE.load(Ordering::Relaxed), (*info).si_addr() as usize);
        let Some(watch) = mine().filter(|watch| state != OPEN && (**watch).covers(address)) else {
            return pass_on(signal, info, context);
        };
        let watch = &mut *watch;
        if state == OPENING {
            watch.unlock();
            return;
        }
        if watch.stepping && state == CLOSED && watch.open_page(address) {
            // The instruction accesses several pages.
            return;
        }
        if state == ARMED || watch.stepping {
            // The pages are open, so the memory is not mapped at all.
            return pass_on(signal, info, context);
        }
        let instruction = (*registers).uc_mcontext.gregs[libc::REG_RIP as usize] as usize;
        let [first, last] = [&STUBS[0], &STUBS[1]].map(|edge| edge.load(Ordering::Relaxed));
        if (first..last).contains(&instruction) {
            watch.release();
            return;
        }
        let wrote = (*registers).uc_mcontext.gregs[libc::REG_ERR as usize] & WRITE != 0;
        let touched = watch
            .pieces()
            .find(|piece| (piece.start..piece.end).contains(&address) && piece.forbids(wrote));
        let Some(piece) = touched.copied() else {
            // Its neighbours are the program's: of these accesses there are many.
            return step(watch, Some(address), registers);
        };
        // What follows reads memory that may lie in closed pages, unless the instruction is known.
        let known = piece.listed && watch.list.place_of(instruction).is_some();
        step(watch, known.then_some(address), registers);
        let arguments = [libc::REG_RDI, libc::REG_RSI]
            .map(|register| (*registers).uc_mcontext.gregs[register as usize] as usize);
        let flags = (*registers).uc_mcontext.gregs[libc::REG_EFL as usize];
        let means = || match site::is_of_program(instruction) {
            true => watch.uses(&piece, address, (instruction, flags)),
            false => reading::means((instruction, arguments), address, &piece),
        };
        if wrote || means() {
            watch.note(piece, ((address, 1), wrote), instruction, |at| at.copy(registers));
        }
    }
}

unsafe extern "C" fn on_trap(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let registers = context.cast::<libc::ucontext_t>();
    // SAFETY: as in `on_fault`.
    unsafe {
        let Some(watch) = mine() else { return pass_on(signal, info, context) };
        let watch = &mut *watch;
        let next = &raw mut (*registers).uc_mcontext.gregs[libc::REG_RIP as usize];
        match STATE.load(Ordering::Relaxed) {
            ARMED => {
                if *next as usize == landing() + 1
                    && let Some((_, address)) = watch.hook.take()
                {
                    *next = address as i64;
                }
                STATE.store(CLOSED, Ordering::Relaxed);
                watch.shut();
            }
            state
                if watch.stepping
                    || (*registers).uc_mcontext.gregs[libc::REG_EFL as usize] & TRAP_FLAG != 0 =>
            {
                watch.stepping = false;
                if state == CLOSED {
                    watch.shut_opened();
                }
                // The program may be executed in steps for another reason.
                if !spin::takes(info.cast(), registers) {
                    (*registers).uc_mcontext.gregs[libc::REG_EFL as usize] &= !TRAP_FLAG;
                }
            }
            _ => pass_on(signal, info, context),
        }
    }
}

unsafe extern "C" fn on_system_call(
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    system_call::let_pass();
    let registers = context.cast::<libc::ucontext_t>();
    // SAFETY: as in `on_fault`. The call is repeated and then let through.
    unsafe {
        let Some(watch) = mine().filter(|_| (*info).si_code == SYS_USER_DISPATCH) else {
            return pass_on(signal, info, context);
        };
        let watch = &mut *watch;
        let gregs = &raw mut (*registers).uc_mcontext.gregs;
        let registers_before = *gregs;
        let register = |number: c_int| registers_before[number as usize];
        let number = register(libc::REG_RAX);
        (*gregs)[libc::REG_RIP as usize] -= SYSCALL_BYTES;
        let arguments =
            [libc::REG_RDI, libc::REG_RSI, libc::REG_RDX].map(|at| register(at) as usize);
        let changes = system_call::changes_the_process(number, arguments[1]);
        if STATE.load(Ordering::Relaxed) != CLOSED || changes {
            watch.release();
            return;
        }
        step(watch, None, registers);
        let mut buffers = system_call::buffers(number, arguments);
        let used = buffers.find_map(|buffer| {
            let end = buffer.start.saturating_add(buffer.bytes);
            let meets = |piece: &&super::Piece| {
                piece.start < end && buffer.start < piece.end && piece.forbids(buffer.written)
            };
            watch.pieces().find(meets).map(|piece| {
                let first = piece.start.max(buffer.start);
                (*piece, (first, piece.end.min(end) - first), buffer.written)
            })
        });
        if let Some((piece, bytes, written)) = used {
            let instruction = register(libc::REG_RIP) as usize;
            watch.note(piece, (bytes, written), instruction, |at| at.copy(registers));
        }
    }
}
