//! Jumps out of handlers: `sigsetjmp` and `siglongjmp` save and restore the mask of the rank.
#![allow(unsafe_code, reason = "stands between a program and functions that return twice")]

use std::arch::naked_asm;

use super::{super::rank::Rank, state::Set};
use crate::replacement::Replacement;

/// Offset in a `jmp_buf` of the flag that the mask was saved, followed by that of the mask. The C
/// library stores the process's mask there, which is one word; ours is stored after it in the same
/// field.
const SAVED: usize = 64;
const MASK: usize = 80;

extern "C" fn save_mask(place: usize) {
    // SAFETY: the program passes a `jmp_buf` of 200 bytes.
    unsafe { ((place + MASK) as *mut Set).write(Rank::running().threads.present().blocked.get()) };
}

extern "C" fn restore_mask(place: usize) {
    // SAFETY: the program passes a `jmp_buf` that `sigsetjmp` has filled.
    unsafe {
        if ((place + SAVED) as *const i32).read() != 0 {
            Rank::running().threads.present().blocked.set(((place + MASK) as *const Set).read());
        }
    }
}

unsafe extern "C" {
    fn __sigsetjmp();
    fn siglongjmp();
}

/// Implements `sigsetjmp(place, saves)`, and continues in the C library's, which returns to the
/// program.
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

/// Implements the function `setjmp(place)`, which saves the mask.
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
