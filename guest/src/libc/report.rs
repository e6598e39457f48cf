//! Variadic functions: `err`, `error` and similar ones, which end the process from inside libc, and
//! `dprintf`, which writes from inside it.
#![allow(unsafe_code, reason = "takes variable arguments from the registers of a call")]

use std::ffi::{c_char, c_int, c_uint, c_void};

use super::{process, program_name, rank::Rank, stdio};
use crate::replacement::Replacement;

unsafe extern "C" {
    fn vwarn(format: *const c_char, arguments: *mut c_void);
    fn vwarnx(format: *const c_char, arguments: *mut c_void);
}

/// Defines a function with variable arguments after the first `$named` ones, which calls `$target` with the named ones and a
/// `va_list` of the others.
macro_rules! variadic {
    ($name:ident, 1, $target:path) => {
        variadic!(@ $name, 1, "rsi", $target);
    };
    ($name:ident, 2, $target:path) => {
        variadic!(@ $name, 2, "rdx", $target);
    };
    ($name:ident, 3, $target:path) => {
        variadic!(@ $name, 3, "rcx", $target);
    };
    (@ $name:ident, $named:literal, $list:literal, $target:path) => {
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            std::arch::naked_asm!(
                "sub rsp, 216",
                "mov [rsp + 32], rdi",
                "mov [rsp + 40], rsi",
                "mov [rsp + 48], rdx",
                "mov [rsp + 56], rcx",
                "mov [rsp + 64], r8",
                "mov [rsp + 72], r9",
                "movaps [rsp + 80], xmm0",
                "movaps [rsp + 96], xmm1",
                "movaps [rsp + 112], xmm2",
                "movaps [rsp + 128], xmm3",
                "movaps [rsp + 144], xmm4",
                "movaps [rsp + 160], xmm5",
                "movaps [rsp + 176], xmm6",
                "movaps [rsp + 192], xmm7",
                "mov dword ptr [rsp], {named}",
                "mov dword ptr [rsp + 4], 48",
                "lea rax, [rsp + 224]",
                "mov [rsp + 8], rax",
                "lea rax, [rsp + 32]",
                "mov [rsp + 16], rax",
                concat!("mov ", $list, ", rsp"),
                "call {target}",
                "add rsp, 216",
                "ret",
                named = const 8 * $named,
                target = sym $target,
            )
        }
    };
}

pub(super) use variadic;

variadic!(err, 2, verr);
variadic!(errx, 2, verrx);
variadic!(error, 3, error_list);
variadic!(dprintf, 2, stdio::vdprintf);
variadic!(dprintf_checked, 3, stdio::vdprintf_checked);

unsafe extern "C" fn error_list(
    code: c_int,
    number: c_int,
    format: *const c_char,
    list: *mut c_void,
) {
    stdio::follow();
    if let Some(rank) = Rank::current() {
        program_name::follow_whole(rank);
        // SAFETY: the rank's cell.
        unsafe { *(rank.c_variables.errors as *mut c_uint) += 1 };
    }
    // SAFETY: the program passes a format and matching arguments; `errno` is the thread's own.
    unsafe {
        if number == 0 {
            vwarnx(format, list);
        } else {
            *libc::__errno_location() = number;
            vwarn(format, list);
        }
    }
    if code != 0 {
        process::exit(code);
    }
}

unsafe extern "C" fn verr(code: c_int, format: *const c_char, list: *mut c_void) -> ! {
    stdio::follow();
    // SAFETY: the program passes a format and matching arguments.
    unsafe { vwarn(format, list) };
    process::exit(code)
}

unsafe extern "C" fn verrx(code: c_int, format: *const c_char, list: *mut c_void) -> ! {
    stdio::follow();
    // SAFETY: as above.
    unsafe { vwarnx(format, list) };
    process::exit(code)
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("err", err as *const () as usize),
        ("errx", errx as *const () as usize),
        ("verr", verr as *const () as usize),
        ("verrx", verrx as *const () as usize),
        ("error", error as *const () as usize),
        ("dprintf", dprintf as *const () as usize),
        ("__dprintf_chk", dprintf_checked as *const () as usize),
    ]
}
