//! The state of the code that runs, as far as a few instructions can see it.
#![allow(unsafe_code, reason = "reads registers and the stack of the running process")]

use std::{arch::naked_asm, ffi::c_void};

use super::running::running;

/// Words of the stack that are looked at, from the stack pointer upwards: the frames of the
/// functions that lead here, and those of the program that called them.
const WINDOW: usize = 128;
/// Number of frames of the frame-pointer chain whose variables are looked at, should they lie
/// above the window: without optimisation counters lie next to the frame pointer, below which
/// there may be large arrays.
const FRAMES: usize = 4;
/// Words looked at below each frame pointer.
const VARIABLES: usize = 16;

/// Passes to `body` a hash of the callee-saved registers and of the innermost part of the stack, 1
/// KiB and the variables of a few frames, and returns what `body` returns. The hash is 0 if no
/// process runs or if it runs on a stack that it has made itself.
///
/// A loop that only calls the same function again, which returns the same value, has the same hash
/// each time. A loop that counts, in a register or a local variable, has not. Hashes of different
/// processes or runs cannot be compared, since they contain addresses. `body` runs below the part
/// of the stack that was looked at, so that nothing it stores, the hash included, changes the next
/// one.
///
/// `frame` is the frame pointer of a function further out, if it is known: of the program that has
/// called a function of the simulator, which uses that register for other values. 0 stands for the
/// present frame pointer.
pub fn with_caller_state<T, F: FnOnce(u64) -> T>(frame: usize, body: F) -> T {
    let mut exchange = Exchange { frame, body: Some(body), value: None };
    capture((&raw mut exchange).cast(), run::<T, F>);
    exchange.value.expect("the function has run")
}

/// The arguments of [`with_caller_state`] and its result.
struct Exchange<T, F> {
    frame: usize,
    body: Option<F>,
    value: Option<T>,
}

/// Takes an [`Exchange`], the stack pointer, a combination of the callee-saved registers, and the
/// frame pointer.
type Run = extern "C-unwind" fn(*mut c_void, usize, u64, usize);

extern "C-unwind" fn run<T, F: FnOnce(u64) -> T>(
    exchange: *mut c_void,
    stack: usize,
    registers: u64,
    frame: usize,
) {
    // SAFETY: `with_caller_state` passes its variable, which nothing else uses meanwhile.
    let exchange = unsafe { &mut *exchange.cast::<Exchange<T, F>>() };
    let frame = if exchange.frame == 0 { frame } else { exchange.frame };
    let state = hash(stack, registers, frame);
    exchange.value = exchange.body.take().map(|body| body(state));
}

/// Calls a function with the registers of its caller.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
extern "C-unwind" fn capture(exchange: *mut c_void, run: Run) {
    naked_asm!(
        "mov rax, rsi",
        "lea rsi, [rsp + 8]",
        "mov rcx, rbp",
        "imul rdx, rbx, 0x2c9277b5",
        "add rdx, rbp",
        "imul rdx, rdx, 0x2c9277b5",
        "add rdx, r12",
        "imul rdx, rdx, 0x2c9277b5",
        "add rdx, r13",
        "imul rdx, rdx, 0x2c9277b5",
        "add rdx, r14",
        "imul rdx, rdx, 0x2c9277b5",
        "add rdx, r15",
        "jmp rax",
    )
}

/// Calls a function with the registers of its caller.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
extern "C-unwind" fn capture(exchange: *mut c_void, run: Run) {
    naked_asm!(
        "mov x4, x1",
        "mov x1, sp",
        "mov x3, x29",
        "movz x5, #0x77b5",
        "movk x5, #0x2c92, lsl #16",
        "madd x2, x19, x5, x20",
        "madd x2, x2, x5, x21",
        "madd x2, x2, x5, x22",
        "madd x2, x2, x5, x23",
        "madd x2, x2, x5, x24",
        "madd x2, x2, x5, x25",
        "madd x2, x2, x5, x26",
        "madd x2, x2, x5, x27",
        "madd x2, x2, x5, x28",
        "br x4",
    )
}

fn hash(stack: usize, registers: u64, frame: usize) -> u64 {
    let Some(running) = running() else { return 0 };
    // SAFETY: `Entered` keeps it alive while the pointer is set, on this thread alone.
    let running = unsafe { running.as_ref() };
    let (bottom, top) = (running.bottom.get(), running.top.get());
    if running.process.get().is_none() || !(bottom..top).contains(&stack) {
        return 0;
    }
    let mut mixed = registers;
    let mut low = stack;
    // SAFETY: between the stack pointer and the top of the present stack all is mapped.
    let mut take = |from: usize, to: usize| mixed = unsafe { mix(mixed, from, to.min(top)) };
    take(stack & !7, stack + 8 * WINDOW);
    let seen = stack + 8 * WINDOW;
    let mut frame = frame;
    for _ in 0..FRAMES {
        let inside = frame >= low && frame.saturating_add(16) <= top && frame.is_multiple_of(8);
        if !inside {
            break;
        }
        take(frame.saturating_sub(8 * VARIABLES).max(seen).max(low), frame);
        low = frame;
        // SAFETY: as above; where functions keep no frame pointers it holds any number.
        frame = unsafe { (frame as *const usize).read_volatile() };
    }
    // 0 says that nothing is known.
    mixed.max(1)
}

/// Adds the words from one address to another to a hash.
///
/// # Safety
/// The memory between the addresses, which are multiples of eight, is mapped.
unsafe fn mix(hash: u64, from: usize, to: usize) -> u64 {
    (from..to).step_by(8).fold(hash, |mixed, address| {
        // SAFETY: guaranteed by the caller. Nobody else writes the words meanwhile, and any content is a number.
        let word = unsafe { (address as *const u64).read_volatile() };
        (mixed.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
    })
}

/// Bytes below the reply slot of a suspended process that are looked at: registers are saved there.
const SAVED: usize = 256;
/// Most bytes of a stack that are looked at.
const STACK_MAX: usize = 1 << 20;

/// Returns a hash of the stack of the process that was suspended last, from a little below its reply slot at `place`; 0 if
/// the slot lies elsewhere.
pub(crate) fn suspended_state(place: usize) -> u64 {
    let Some(running) = running() else { return 0 };
    // SAFETY: `Entered` keeps it alive while the pointer is set, on this thread alone.
    let running = unsafe { running.as_ref() };
    let (bottom, top) = (running.bottom.get() + running.guard_bytes, running.top.get());
    if !(bottom..top).contains(&place) {
        return 0;
    }
    let from = (place & !7).saturating_sub(SAVED).max(bottom);
    // SAFETY: the slot lies on the stack, which is mapped from its guard to its top.
    unsafe { mix(0, from, top.min(from + STACK_MAX)) }.max(1)
}
