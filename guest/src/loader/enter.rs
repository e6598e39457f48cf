//! Enters a program and leaves it, on the stack of its rank.
//!
//! `enter` saves the callee-saved registers, puts the program's arguments on the stack as the
//! system does and jumps to the entry point. `leave` returns to that point from any depth, as
//! `exit` does in a process; frames in between are not unwound. `call` is a second entry, for a
//! function that is called while the rank itself is suspended; an exception that the function
//! throws unwinds its frames and ends there.
#![allow(unsafe_code, reason = "switches between our frames and those of the program")]

use std::{
    arch::naked_asm,
    ffi::{c_int, c_void},
};

/// Pushes the callee-saved registers.
macro_rules! keep {
    () => {
        "push rbp; push rbx; push r12; push r13; push r14; push r15; \
         sub rsp, 8; stmxcsr [rsp]; fnstcw [rsp + 4]"
    };
}

/// Pops the registers that `keep` pushed, and returns.
macro_rules! go_back {
    () => {
        "add rsp, 8; pop r15; pop r14; pop r13; pop r12; pop rbx; pop rbp; ret"
    };
}

/// Runs a program from `entry` with `words` words of arguments at `block`; writes the stack pointer
/// to return to into `escape`. Returns the code passed to `leave`.
///
/// # Safety
/// `entry` must be the entry point of a loaded image and `block` an argument block with an even
/// number of words, as the x86-64 psABI describes the initial stack.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn enter(
    entry: usize,
    block: *const usize,
    words: usize,
    escape: *mut usize,
) -> i32 {
    naked_asm!(
        keep!(),
        "mov [rcx], rsp",
        "mov rax, rdi",
        "mov rcx, rdx",
        "shl rdx, 3",
        "lea rdx, [rdx + {strings}]",
        "sub rsp, rdx",
        "and rsp, -16",
        "mov rdi, rsp",
        "cld",
        "rep movsq",
        "xor edx, edx",
        "xor ebp, ebp",
        "jmp rax",
        strings = const STRINGS,
    )
}

/// Bytes above the arguments of a program, where a process has their texts and those of the environment: a program
/// that writes a little too far behind an array on its stack overwrites nothing else there either.
const STRINGS: usize = 1024;

/// The value of `call` when the function has returned normally.
pub(crate) const RETURNED: i32 = i32::MIN;

/// The value of `call` when the function has thrown an exception.
pub(crate) const THREW: i32 = i32::MIN + 2;

unsafe extern "C" {
    #[link_name = "_Unwind_GetGR"]
    fn register(context: *mut c_void, number: c_int) -> usize;
    #[link_name = "_Unwind_SetGR"]
    fn set_register(context: *mut c_void, number: c_int, value: usize);
    #[link_name = "_Unwind_SetIP"]
    fn set_next(context: *mut c_void, address: usize);
}

/// Personality routine of the frame of `call` (Itanium C++ ABI, Exception Handling 1.6): stops
/// exceptions of every language and leaves them to the caller.
unsafe extern "C" fn stop(
    _version: c_int,
    actions: c_int,
    _class: u64,
    exception: usize,
    context: *mut c_void,
) -> c_int {
    const SEARCH: c_int = 1;
    const FORCED: c_int = 8;
    const HANDLER_FOUND: c_int = 6;
    const INSTALL: c_int = 7;
    const GO_ON: c_int = 8;
    const RAX: c_int = 0;
    const RBX: c_int = 3;
    if actions & FORCED != 0 {
        return GO_ON;
    }
    if actions & SEARCH != 0 {
        return HANDLER_FOUND;
    }
    // SAFETY: the unwinder passes the frame of `call`, which keeps its landing place in `rbx`.
    unsafe {
        set_register(context, RAX, exception);
        set_next(context, register(context, RBX));
    }
    INSTALL
}

/// Calls a function of a program on the current stack with four words; writes the stack pointer to
/// return to into `escape`. Returns [`RETURNED`], the code passed to `leave`, or [`THREW`]; then
/// the first word is the address of the exception.
///
/// # Safety
/// `function` must be such a function of a loaded image.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn call(
    function: usize,
    words: *mut [usize; 4],
    escape: *mut usize,
) -> i32 {
    naked_asm!(
        ".cfi_startproc",
        ".cfi_personality 0x1b, {stop}",
        keep!(),
        ".cfi_def_cfa rsp, 64",
        "mov [rdx], rsp",
        "mov rax, rdi",
        "mov r12, rsi",
        "lea rbx, [rip + 2f]",
        "mov rdi, [r12]",
        "mov rsi, [r12 + 8]",
        "mov rdx, [r12 + 16]",
        "mov rcx, [r12 + 24]",
        "call rax",
        "mov eax, {returned}",
        "3:",
        go_back!(),
        "2:",
        "mov [r12], rax",
        "mov eax, {threw}",
        "jmp 3b",
        ".cfi_endproc",
        returned = const RETURNED,
        threw = const THREW,
        stop = sym stop,
    )
}

/// Like `call` with one word, for the start function of a thread: on the stack that ends at
/// `stack`, or on the current one if that is 0. Writes the function's return value to `result`.
///
/// # Safety
/// As for `call`, and the stack must belong to the thread; it ends at a multiple of 16.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn call_thread(
    function: usize,
    word: usize,
    escape: *mut usize,
    stack: usize,
    result: *mut usize,
) -> i32 {
    naked_asm!(
        keep!(),
        "mov [rdx], rsp",
        "mov rbx, rsp",
        "mov r12, r8",
        "mov rax, rdi",
        "mov rdi, rsi",
        "test rcx, rcx",
        "cmovnz rsp, rcx",
        "xor ebp, ebp",
        "call rax",
        "mov [r12], rax",
        "mov rsp, rbx",
        "mov eax, {returned}",
        go_back!(),
        returned = const RETURNED,
    )
}

/// Returns to the `enter` or the `call` that wrote `escape`.
///
/// # Safety
/// It must not have returned, and the call must be made on its stack. The frames given
/// up must own nothing.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn leave(escape: usize, code: i32) -> ! {
    naked_asm!(
        "mov rsp, rdi",
        "mov eax, esi",
        "fninit",
        "ldmxcsr [rsp]",
        "fldcw [rsp + 4]",
        "cld",
        go_back!(),
    )
}
