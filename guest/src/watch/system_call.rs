//! Handles system calls while pages are closed.
//!
//! The kernel returns EFAULT for pointers into closed pages. It is therefore asked to send a signal
//! instead of executing a system call (Syscall User Dispatch, Linux 5.11): the handler opens the
//! pages and repeats the call. A byte selects whether the kernel does so, so that calls cost
//! nothing extra while pages are open. On kernels without this feature, calls with pointers into
//! closed pages fail.
#![allow(unsafe_code, reason = "asks the kernel for signals and holds code of its own")]

use std::{
    arch::naked_asm,
    ffi::c_long,
    ptr,
    sync::atomic::{AtomicU8, Ordering},
};

/// Selector value: the kernel executes calls.
const PASS: u8 = 0;
/// Selector value: the kernel sends SIGSYS instead.
const INTERCEPT: u8 = 1;

/// The selector that the kernel reads before each system call of the watched thread.
static SELECTOR: AtomicU8 = AtomicU8::new(PASS);

const PR_SET_SYSCALL_USER_DISPATCH: libc::c_int = 59;
const PR_SYS_DISPATCH_OFF: c_long = 0;
const PR_SYS_DISPATCH_ON: c_long = 1;

/// Length of [`restorer`] in bytes.
const RESTORER: usize = 16;

/// Returns from the handlers of the watch: the only system call that is never intercepted.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn restorer() -> ! {
    naked_asm!(
        "mov eax, {number}",
        "syscall",
        "ud2",
        "ud2",
        "ud2",
        "ud2",
        "ud2",
        number = const libc::SYS_rt_sigreturn,
    )
}

/// Makes the calling thread the one whose calls are intercepted.
pub(super) fn begin() {
    let selector: *mut u8 = SELECTOR.as_ptr();
    // SAFETY: the selector lives as long as the process. A kernel without this feature returns an
    // error, and then calls pass.
    unsafe {
        libc::prctl(
            PR_SET_SYSCALL_USER_DISPATCH,
            PR_SYS_DISPATCH_ON,
            restorer as *const () as usize,
            RESTORER,
            selector,
        );
    }
}

/// Stops intercepting calls of this thread.
pub(super) fn end() {
    let_pass();
    let none: *mut u8 = ptr::null_mut();
    // SAFETY: as in `begin`.
    unsafe {
        libc::prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0_usize, 0_usize, none)
    };
}

/// Intercepts calls, because pages are closed.
pub(super) fn intercept() {
    SELECTOR.store(INTERCEPT, Ordering::Relaxed);
}

/// Lets calls pass, because pages are open.
pub(super) fn let_pass() {
    SELECTOR.store(PASS, Ordering::Relaxed);
}

/// Reports whether a call with this second argument may not return here, may return twice, unmap pages, or block signals;
/// pages stay open across such a call.
pub(super) fn changes_the_process(number: c_long, second: usize) -> bool {
    if number == libc::SYS_rt_sigprocmask {
        // Without a set it only asks for the mask, as `sigsetjmp` does.
        return second != 0;
    }
    matches!(
        number,
        libc::SYS_rt_sigreturn
            | libc::SYS_clone
            | libc::SYS_clone3
            | libc::SYS_fork
            | libc::SYS_vfork
            | libc::SYS_execve
            | libc::SYS_execveat
            | libc::SYS_exit
            | libc::SYS_exit_group
            | libc::SYS_munmap
            | libc::SYS_mremap
            | libc::SYS_mprotect
            | libc::SYS_rt_sigsuspend
            | libc::SYS_ppoll
            | libc::SYS_pselect6
            | libc::SYS_epoll_pwait
    )
}

/// A buffer argument of a system call.
pub(super) struct Buffer {
    pub(super) start: usize,
    pub(super) bytes: usize,
    /// Whether the kernel writes to the buffer.
    pub(super) written: bool,
}

/// Returns the buffers of a call that moves data, by its number and its arguments.
///
/// # Safety
/// The arguments are those of a system call, and the pages they point to are open.
pub(super) unsafe fn buffers(
    number: c_long,
    arguments: [usize; 3],
) -> impl Iterator<Item = Buffer> {
    let [_, place, count] = arguments;
    let written = matches!(
        number,
        libc::SYS_read
            | libc::SYS_pread64
            | libc::SYS_readv
            | libc::SYS_preadv
            | libc::SYS_recvfrom
    );
    let parts =
        matches!(number, libc::SYS_readv | libc::SYS_writev | libc::SYS_preadv | libc::SYS_pwritev);
    let plain = written && !parts
        || matches!(number, libc::SYS_write | libc::SYS_pwrite64 | libc::SYS_sendto);
    let whole = plain.then_some(Buffer { start: place, bytes: count, written });
    let list = if parts && place != 0 { count.min(libc::UIO_MAXIOV as usize) } else { 0 };
    let part = move |index: usize| {
        // SAFETY: guaranteed by the caller: such a call takes a list of that many parts.
        let part = unsafe { (place as *const libc::iovec).add(index).read() };
        Buffer { start: part.iov_base as usize, bytes: part.iov_len, written }
    };
    whole.into_iter().chain((0..list).map(part))
}
