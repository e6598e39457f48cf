//! Turns a C function into the procedure that Fortran calls.
#![allow(unsafe_code, reason = "makes the only value of a function item")]

use std::ffi::c_int;

use super::argument::{Argument, Call, Shape};
use crate::memory;
use guest::running;

/// Returns the only value of a function item type.
fn the<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "a function's own type has no contents") };
    // SAFETY: a zero-sized type has one value, which has no bytes to read.
    unsafe { std::ptr::NonNull::<F>::dangling().read() }
}

/// Writes the error code to Fortran's last argument.
pub(super) fn answer(error: *mut c_int, code: c_int) {
    if !error.is_null() {
        memory::write(error, code);
    }
}

/// Returns the address of the common block of special variables of the calling rank.
pub(super) fn block() -> usize {
    running::fortran_block()
}

/// A C function with arguments of the kinds `K`.
pub(super) trait Wrap<K> {
    /// Returns the address that Fortran calls, and the shapes of the arguments.
    fn entry(self) -> (usize, &'static [Shape]);
}

macro_rules! entries {
    ($($entry:ident($($kind:ident $given:ident),*);)*) => {$(
        /// `first` and `second` are the lengths of character arguments, which gfortran passes last.
        #[allow(clippy::too_many_arguments, reason = "the standard's")]
        extern "C-unwind" fn $entry<F, $($kind),*>(
            $($given: usize,)*
            error: *mut c_int,
            first: usize,
            second: usize,
        ) where
            F: Fn($($kind::Taken),*) -> c_int + Copy,
            $($kind: Argument),*
        {
            let given: &[usize] = &[$($given),*];
            let mut call = Call::new(given, [first, second], block());
            $(let mut $given = $kind::take($given, &mut call);)*
            let code = the::<F>()($($given.pass()),*);
            call.finish(code);
            $($given.give_back(&call);)*
            answer(error, code);
        }

        impl<F, $($kind),*> Wrap<($($kind,)*)> for F
        where
            F: Fn($($kind::Taken),*) -> c_int + Copy,
            $($kind: Argument),*
        {
            fn entry(self) -> (usize, &'static [Shape]) {
                let function: extern "C-unwind" fn($(entries!(@usize $kind),)* *mut c_int, usize, usize) =
                    $entry::<F, $($kind),*>;
                (function as *const () as usize, const { &[$($kind::SHAPE),*] })
            }
        }
    )*};
    (@usize $kind:ident) => { usize };
}

entries! {
    entry0();
    entry1(A a);
    entry2(A a, B b);
    entry3(A a, B b, C c);
    entry4(A a, B b, C c, D d);
    entry5(A a, B b, C c, D d, E e);
    entry6(A a, B b, C c, D d, E e, G g);
    entry7(A a, B b, C c, D d, E e, G g, H h);
    entry8(A a, B b, C c, D d, E e, G g, H h, I i);
    entry9(A a, B b, C c, D d, E e, G g, H h, I i, J j);
    entry10(A a, B b, C c, D d, E e, G g, H h, I i, J j, K k);
    entry11(A a, B b, C c, D d, E e, G g, H h, I i, J j, K k, L l);
    entry12(A a, B b, C c, D d, E e, G g, H h, I i, J j, K k, L l, M m);
    entry13(A a, B b, C c, D d, E e, G g, H h, I i, J j, K k, L l, M m, N n);
}
