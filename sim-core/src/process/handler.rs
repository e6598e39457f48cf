//! Installs signal handlers.
#![allow(unsafe_code, reason = "installs signal handlers")]

use std::{mem::MaybeUninit, ptr};

/// A signal handler, with the description of the signal and the interrupted context.
pub(super) type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);

/// Installs a handler that runs on the alternate stack of its thread. The signals `held` wait while it runs.
/// `flags` are added to those that this needs, such as `SA_RESTART`.
///
/// # Safety
/// The handler does only what a signal handler may.
pub(super) unsafe fn install(
    signal: libc::c_int,
    handler: Handler,
    flags: libc::c_int,
    held: &[libc::c_int],
) {
    // SAFETY: the structure is ours, and the handler has the signature that SA_SIGINFO asks for.
    unsafe {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | flags;
        libc::sigemptyset(&raw mut action.sa_mask);
        for other in held {
            libc::sigaddset(&raw mut action.sa_mask, *other);
        }
        libc::sigaction(signal, &raw const action, ptr::null_mut());
    }
}
