//! Signals caused by instructions of a rank, such as SIGSEGV: the rank's own handler runs on its
//! own stack.
//!
//! The same way leads to the end of a loop that waits for memory to change (`spin`).
//!
//! The simulator's handler is called on a separate stack. If the rank has a handler, the
//! interrupted context is copied to the rank's stack, as the system would have put it there, and
//! the rank continues in `run`, which calls the handler and then lets the system restore that
//! context, including the handler's changes.
#![allow(unsafe_code, reason = "changes the state of a program that was struck")]

use std::{
    arch::naked_asm,
    ffi::{c_int, c_void},
    mem::size_of,
    ptr,
};

use sim_core::Strike;

use super::{
    super::{ending::Ending, rank::Rank},
    send::call,
    spin,
    state::{DEFAULT, IGNORE, bit},
};
use crate::{site, watch};

/// Bytes below the stack pointer that a function may use (psABI red zone).
const RED_ZONE: usize = 128;
/// Bytes of the context that the system saves.
const CONTEXT_BYTES: usize = 304;
/// Bytes of the legacy floating-point state, after which its total length is found.
const FLOAT_BYTES: usize = 512;
const FLOAT_MARK: (usize, u32) = (464, 0x4650_5853);
/// An instruction that causes this many signals in a row is assumed to do so forever.
const STRIKES_MAX: u32 = 100_000;
/// Flags that are clear at a function call: trap, direction, alignment.
const FLAGS: i64 = spin::TRAP_FLAG | 0x400 | 0x4_0000;

/// Installs the function that decides about signals caused by instructions of ranks.
pub(in crate::libc) fn install() {
    sim_core::ask_when_struck(struck);
    spin::install();
}

/// Decides about a signal that an instruction of the running rank has caused.
///
/// # Safety
/// The arguments are those of a signal handler that runs on another stack than the rank's.
unsafe fn struck(signal: c_int, info: *mut c_void, context: *mut c_void) -> Strike {
    // SAFETY: guaranteed by the caller.
    if signal == libc::SIGTRAP && unsafe { spin::takes(info.cast(), context.cast()) } {
        return Strike::GoesOn;
    }
    let Some(rank) = Rank::current() else { return Strike::Ends };
    if rank.writes_for_host() {
        return Strike::IsNotItsOwn;
    }
    let action = rank.signals.action(signal);
    let asynchronous = matches!(signal, libc::SIGPIPE | libc::SIGXFSZ);
    if asynchronous && action.handler == IGNORE {
        return Strike::GoesOn;
    }
    let blocked = rank.threads.present().blocked.get() & bit(signal) != 0;
    if asynchronous && blocked {
        let pending = &rank.signals.pending;
        pending.set(pending.get() | bit(signal));
        return Strike::GoesOn;
    }
    let context = context.cast::<libc::ucontext_t>();
    // SAFETY: guaranteed by the caller.
    let registers = unsafe { &(*context).uc_mcontext.gregs };
    let [place, frame, stack] =
        [libc::REG_RIP, libc::REG_RBP, libc::REG_RSP].map(|name| registers[name as usize] as usize);
    // SAFETY: guaranteed by the caller.
    let keep = || unsafe { keep_place(rank, (place, frame), (stack, context)) };
    if blocked || action.handler == DEFAULT || action.handler == IGNORE {
        keep();
        return Strike::Ends;
    }
    let (last, times) = rank.signals.struck.get();
    let times = if last == place { times + 1 } else { 1 };
    rank.signals.struck.set((place, times));
    if times > STRIKES_MAX && !asynchronous {
        keep();
        return Strike::Ends;
    }
    // SAFETY: guaranteed by the caller; the rank's stack extends below its stack pointer.
    unsafe { enter(handle, signal, info.cast(), context) };
    Strike::GoesOn
}

/// Keeps where a signal has struck: in the program, or in a function of a library that it has called.
///
/// # Safety
/// `context` is that of a signal handler that runs on another stack than the rank's.
unsafe fn keep_place(
    rank: &Rank,
    (place, frame): (usize, usize),
    (stack, context): (usize, *const libc::ucontext_t),
) {
    if site::object_start(place) == Some(rank.base()) {
        site::keep_struck(rank, (place, frame), stack);
    } else {
        // Libraries keep no frame pointers.
        // SAFETY: guaranteed by the caller.
        let addresses = unsafe { watch::addresses_at(context) };
        site::keep_struck_path(place, &addresses);
    }
}

/// A function that runs on the stack of a rank that was struck, before the context that was struck is restored.
pub(super) type Entry = unsafe extern "C-unwind" fn(c_int, *mut libc::siginfo_t, *mut c_void);

/// Resumes the rank in `run`, which calls `entry` with copies of these structures on its stack.
///
/// # Safety
/// The arguments are those of [`struck`].
pub(super) unsafe fn enter(
    entry: Entry,
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut libc::ucontext_t,
) {
    // SAFETY: guaranteed by the caller. The copies are placed below everything on the rank's stack.
    unsafe {
        let registers = &mut (*context).uc_mcontext.gregs;
        let float = (*context).uc_mcontext.fpregs.cast::<u8>();
        let mut stack = registers[libc::REG_RSP as usize] as usize - RED_ZONE;
        let mut float_copy = ptr::null_mut::<u8>();
        if !float.is_null() {
            let words = float.add(FLOAT_MARK.0).cast::<u32>();
            let marked = words.read() == FLOAT_MARK.1;
            let bytes = if marked { words.add(1).read() as usize } else { FLOAT_BYTES };
            stack = (stack - bytes) & !63;
            float_copy = stack as *mut u8;
            ptr::copy_nonoverlapping(float, float_copy, bytes);
        }
        stack = (stack - size_of::<libc::siginfo_t>()) & !15;
        let info_copy = stack as *mut libc::siginfo_t;
        ptr::copy_nonoverlapping(info, info_copy, 1);
        stack = (stack - size_of::<libc::ucontext_t>()) & !15;
        let copy = stack as *mut libc::ucontext_t;
        copy.write_bytes(0, 1);
        ptr::copy_nonoverlapping(context.cast::<u8>(), copy.cast::<u8>(), CONTEXT_BYTES);
        (*copy).uc_mcontext.fpregs = float_copy.cast();
        if let Some(float) = (*context).uc_mcontext.fpregs.as_mut() {
            (float.mxcsr, float.cwd, float.swd, float.ftw) = (0x1f80, 0x037f, 0, 0);
        }
        registers[libc::REG_RIP as usize] = run as *const () as i64;
        registers[libc::REG_RSP as usize] = stack as i64;
        registers[libc::REG_RDI as usize] = i64::from(signal);
        registers[libc::REG_RSI as usize] = info_copy as i64;
        registers[libc::REG_RDX as usize] = copy as i64;
        registers[libc::REG_RCX as usize] = entry as usize as i64;
        registers[libc::REG_EFL as usize] &= !FLAGS;
    }
}

/// Calls the function in `rcx`, and lets the system restore the context at the stack pointer
/// (`rt_sigreturn`).
#[unsafe(naked)]
unsafe extern "C" fn run() {
    naked_asm!("mov rbx, rdx", "call rcx", "mov rsp, rbx", "mov eax, 15", "syscall", "ud2",)
}

unsafe extern "C-unwind" fn handle(
    signal: c_int,
    info: *mut libc::siginfo_t,
    context: *mut c_void,
) {
    let rank = Rank::running();
    call(rank, rank.signals.action(signal), signal, info, context);
    if signal == libc::SIGABRT {
        // `abort` of the C library ends the process if the handler returns.
        rank.finish(Ending::Signalled(signal));
    }
}
