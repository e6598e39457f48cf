//! Functions that use `stdin`, `stdout` or `stderr` implicitly, such as `printf`: before each of
//! them the library's variables are set to those of the calling program.
#![allow(unsafe_code, reason = "writes machine code and variables of the library")]

use std::{arch::naked_asm, ptr, sync::OnceLock};

use crate::{
    libc::{program_name, rank::Rank},
    loader::symbol::host_symbol,
    replacement::Replacement,
    site,
};

const FUNCTIONS: [&str; 27] = [
    "printf",
    "vprintf",
    "puts",
    "putchar",
    "putchar_unlocked",
    "__printf_chk",
    "__vprintf_chk",
    "scanf",
    "vscanf",
    "__isoc99_scanf",
    "__isoc99_vscanf",
    "__isoc23_scanf",
    "__isoc23_vscanf",
    "getchar",
    "getchar_unlocked",
    "gets",
    "__gets_chk",
    "perror",
    "psignal",
    "psiginfo",
    "herror",
    "warn",
    "warnx",
    "vwarn",
    "vwarnx",
    "error_at_line",
    "getpass",
];

/// Size of one stub in bytes.
const STUB: usize = 32;

/// Addresses of the library's variables, in the order of a rank's.
static VARIABLES: OnceLock<Option<[usize; 3]>> = OnceLock::new();

/// Sets the library's variables to those of the running program.
pub(in crate::libc) extern "C" fn follow() {
    let variables = VARIABLES.get_or_init(|| {
        let address = |name| host_symbol(name);
        Some([address("stdin")?, address("stdout")?, address("stderr")?])
    });
    let (Some(variables), Some(rank)) = (variables, Rank::current()) else { return };
    site::forget_caller();
    program_name::follow(rank);
    for (own, shown) in rank.c_variables.streams.iter().zip(variables) {
        // SAFETY: the cells of the rank, and variables of the library of the same type.
        unsafe { *(*shown as *mut usize) = *(*own as *const usize) };
    }
}

/// Calls [`follow`], then continues at the address in `r11` with all arguments unchanged.
#[unsafe(naked)]
unsafe extern "C" fn pass() -> ! {
    naked_asm!(
        "push rax; push rdi; push rsi; push rdx; push rcx; push r8; push r9; push r11",
        "sub rsp, 136",
        "movaps [rsp], xmm0",
        "movaps [rsp + 16], xmm1",
        "movaps [rsp + 32], xmm2",
        "movaps [rsp + 48], xmm3",
        "movaps [rsp + 64], xmm4",
        "movaps [rsp + 80], xmm5",
        "movaps [rsp + 96], xmm6",
        "movaps [rsp + 112], xmm7",
        "call {follow}",
        "movaps xmm0, [rsp]",
        "movaps xmm1, [rsp + 16]",
        "movaps xmm2, [rsp + 32]",
        "movaps xmm3, [rsp + 48]",
        "movaps xmm4, [rsp + 64]",
        "movaps xmm5, [rsp + 80]",
        "movaps xmm6, [rsp + 96]",
        "movaps xmm7, [rsp + 112]",
        "add rsp, 136",
        "pop r11; pop r9; pop r8; pop rcx; pop rdx; pop rsi; pop rdi; pop rax",
        "jmp r11",
        follow = sym follow,
    )
}

/// Assembles `mov r11, target; mov r10, pass; jmp r10`.
fn stub(target: usize) -> Vec<u8> {
    let mut code = vec![0x49, 0xbb];
    code.extend(target.to_le_bytes());
    code.extend([0x49, 0xba]);
    code.extend((pass as *const () as usize).to_le_bytes());
    code.extend([0x41, 0xff, 0xe2]);
    code
}

/// Returns a stub for each function that the library has.
fn stubs() -> Vec<Replacement> {
    let bytes = (FUNCTIONS.len() * STUB).next_multiple_of(4096);
    let (access, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new anonymous mapping overlaps no existing memory.
    let code = unsafe { libc::mmap(ptr::null_mut(), bytes, access, flags, -1, 0) };
    if code == libc::MAP_FAILED {
        return Vec::new();
    }
    let mut stubs = Vec::new();
    for (index, name) in FUNCTIONS.iter().enumerate() {
        let Some(target) = host_symbol(name) else { continue };
        let stub = stub(target);
        // SAFETY: the mapping holds a stub of `STUB` bytes for each function.
        let place = unsafe {
            let place = code.cast::<u8>().add(index * STUB);
            ptr::copy_nonoverlapping(stub.as_ptr(), place, stub.len());
            place as usize
        };
        stubs.push((*name, place));
    }
    // SAFETY: the range is the mapping made above.
    unsafe { libc::mprotect(code, bytes, libc::PROT_READ | libc::PROT_EXEC) };
    stubs
}

pub(super) fn replacements() -> Vec<Replacement> {
    static STUBS: OnceLock<Vec<Replacement>> = OnceLock::new();
    STUBS.get_or_init(stubs).clone()
}
