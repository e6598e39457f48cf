//! Thread-specific values by key (`pthread_key_t`).
#![allow(unsafe_code, reason = "is called by programs and calls their functions")]

use std::ffi::c_int;

use super::caller::caller;
use crate::replacement::Replacement;

/// Largest number of keys of one rank.
const KEYS_MAX: usize = 1024;
/// Number of rounds of destructor calls while destructors set new values.
const ROUNDS: usize = 4;

pub(super) unsafe extern "C" fn create(place: *mut u32, destructor: usize) -> c_int {
    let (rank, _) = caller();
    let mut keys = rank.threads.keys.borrow_mut();
    if keys.len() == KEYS_MAX {
        return libc::EAGAIN;
    }
    // SAFETY: the program passes a variable.
    unsafe { place.write(keys.len() as u32) };
    keys.push(Some(destructor));
    0
}

/// Implements `pthread_key_delete`: the destructor is not called any more, and the number is not
/// reused.
pub(super) extern "C" fn delete(key: u32) -> c_int {
    let (rank, _) = caller();
    match rank.threads.keys.borrow_mut().get_mut(key as usize) {
        Some(known @ Some(_)) => {
            *known = None;
            0
        }
        _ => libc::EINVAL,
    }
}

fn destructor(key: u32) -> Option<usize> {
    let (rank, _) = caller();
    rank.threads.keys.borrow().get(key as usize).copied().flatten()
}

pub(super) extern "C" fn set(key: u32, value: usize) -> c_int {
    if destructor(key).is_none() {
        return libc::EINVAL;
    }
    caller().1.values.borrow_mut().insert(key, value);
    0
}

pub(super) extern "C" fn get(key: u32) -> usize {
    let known = caller().1.values.borrow().get(&key).copied();
    known.filter(|_| destructor(key).is_some()).unwrap_or(0)
}

/// Destroys the values of a thread that ends.
pub(super) fn destroy_values() {
    let (_, thread) = caller();
    for _ in 0..ROUNDS {
        let values = std::mem::take(&mut *thread.values.borrow_mut());
        if values.is_empty() {
            return;
        }
        for (key, value) in values {
            let function = destructor(key).filter(|function| *function != 0 && value != 0);
            if let Some(function) = function {
                // SAFETY: the program registered a function of this type.
                let function: extern "C" fn(usize) = unsafe { std::mem::transmute(function) };
                function(value);
            }
        }
    }
}

pub(super) fn replacements() -> Vec<Replacement> {
    vec![
        ("pthread_key_create", create as *const () as usize),
        ("__pthread_key_create", create as *const () as usize),
        ("pthread_key_delete", delete as *const () as usize),
        ("pthread_setspecific", set as *const () as usize),
        ("pthread_getspecific", get as *const () as usize),
    ]
}
