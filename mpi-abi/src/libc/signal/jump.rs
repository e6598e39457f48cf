//! Jumps out of handlers: the mask that is saved and restored with a place is the rank's.
#![allow(unsafe_code, reason = "stands between a program and functions that return twice")]

use std::arch::naked_asm;

use super::{super::Replacement, Set, rank};

/// In a place to jump to (`jmp_buf`): whether the mask was saved, and where. The C library keeps the
/// mask of the process there, which is one word long; ours lies behind it, in the same field.
const SAVED: usize = 64;
const MASK: usize = 80;

extern "C" fn save_mask(place: usize) {
    // SAFETY: the program passes a place of 200 bytes.
    unsafe { ((place + MASK) as *mut Set).write(rank().threads.present().blocked.get()) };
}

extern "C" fn restore_mask(place: usize) {
    // SAFETY: the program passes a place that `sigsetjmp` has filled.
    unsafe {
        if ((place + SAVED) as *const i32).read() != 0 {
            rank().threads.present().blocked.set(((place + MASK) as *const Set).read());
        }
    }
}

unsafe extern "C" {
    fn __sigsetjmp();
    fn siglongjmp();
}

/// `sigsetjmp(place, saves)`. It goes on in the C library's, which returns to the program each time.
#[unsafe(naked)]
unsafe extern "C" fn set() {
    naked_asm!(
        "test esi, esi",
        "jz 2f",
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {save}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "2:",
        "jmp qword ptr [rip + {set}@GOTPCREL]",
        save = sym save_mask,
        set = sym __sigsetjmp,
    )
}

/// `setjmp(place)` as a function: it saves the mask.
#[unsafe(naked)]
unsafe extern "C" fn set_saving() {
    naked_asm!("mov esi, 1", "jmp {set}", set = sym set)
}

#[unsafe(naked)]
unsafe extern "C" fn jump() {
    naked_asm!(
        "push rdi",
        "push rsi",
        "sub rsp, 8",
        "call {restore}",
        "add rsp, 8",
        "pop rsi",
        "pop rdi",
        "jmp qword ptr [rip + {jump}@GOTPCREL]",
        restore = sym restore_mask,
        jump = sym siglongjmp,
    )
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("__sigsetjmp", set as *const () as usize),
        ("setjmp", set_saving as *const () as usize),
        ("longjmp", jump as *const () as usize),
        ("_longjmp", jump as *const () as usize),
        ("siglongjmp", jump as *const () as usize),
        ("__longjmp_chk", jump as *const () as usize),
    ]
}
