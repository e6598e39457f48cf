//! The end of a thread by `pthread_exit`, with its cleanup handlers.
#![allow(unsafe_code, reason = "is called by programs and goes back into their frames")]

use std::ffi::{c_char, c_int};

use super::{
    caller::{caller, find},
    life,
    parking::refuse,
};
use crate::replacement::Replacement;

unsafe extern "C" {
    #[link_name = "_longjmp"]
    fn go_back_to(place: usize, value: c_int) -> !;
}

/// Continues in the innermost frame with a cleanup handler, or ends the thread.
fn unwind(result: usize) -> ! {
    let (_, thread) = caller();
    thread.result.set(result);
    let frame = thread.cleanups.borrow_mut().pop();
    match frame {
        // SAFETY: the program filled the `jmp_buf` with `setjmp`, in a frame that still exists.
        Some(frame) => unsafe { go_back_to(frame, 1) },
        None => life::end_with(result),
    }
}

pub(super) extern "C" fn exit(result: usize) -> ! {
    unwind(result)
}

/// Registers a frame with a cleanup handler (`pthread_cleanup_push`), whose `jmp_buf` the program
/// has filled.
extern "C" fn enter_frame(frame: usize) {
    caller().1.cleanups.borrow_mut().push(frame);
}

extern "C" fn leave_frame(frame: usize) {
    caller().1.cleanups.borrow_mut().retain(|known| *known != frame);
}

/// Continues after a frame has run its cleanup handler.
extern "C" fn frame_done(_frame: usize) -> ! {
    unwind(caller().1.result.get())
}

extern "C" fn cancel(_thread: usize) -> c_int {
    refuse("it cancels a thread (pthread_cancel)")
}

extern "C" fn no_cancellation() {}

/// Sets cancellation state or type; threads are never cancelled, so that it has no effect.
unsafe extern "C" fn set_cancellation(_wanted: c_int, old: *mut c_int) -> c_int {
    if !old.is_null() {
        // SAFETY: the program passes a variable or null.
        unsafe { old.write(0) };
    }
    0
}

unsafe extern "C" fn set_name(handle: usize, name: *const c_char) -> c_int {
    let Some(thread) = find(handle) else { return libc::ESRCH };
    // SAFETY: the program passes a C string.
    let bytes = unsafe { std::ffi::CStr::from_ptr(name) }.to_bytes();
    let mut kept = [0; 16];
    if bytes.len() >= kept.len() {
        return libc::ERANGE;
    }
    kept[..bytes.len()].copy_from_slice(bytes);
    thread.name.set(kept);
    0
}

unsafe extern "C" fn get_name(handle: usize, place: *mut u8, room: usize) -> c_int {
    let Some(thread) = find(handle) else { return libc::ESRCH };
    if room < 16 {
        return libc::ERANGE;
    }
    // SAFETY: the program passes a buffer of that size.
    unsafe { place.cast::<[u8; 16]>().write(thread.name.get()) };
    0
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("__pthread_register_cancel", enter_frame as *const () as usize),
        ("__pthread_unregister_cancel", leave_frame as *const () as usize),
        ("__pthread_unwind_next", frame_done as *const () as usize),
        ("pthread_cancel", cancel as *const () as usize),
        ("pthread_testcancel", no_cancellation as *const () as usize),
        ("pthread_setcancelstate", set_cancellation as *const () as usize),
        ("pthread_setcanceltype", set_cancellation as *const () as usize),
        ("pthread_setname_np", set_name as *const () as usize),
        ("pthread_getname_np", get_name as *const () as usize),
    ]
}
