//! Turns a C function into the procedure that Fortran calls.
#![allow(unsafe_code, reason = "makes the only value of a function item, and clears registers")]

use std::{arch::asm, ffi::c_int};

use super::{
    argument::{Argument, Call, Shape},
    missing::{self, Accessed},
    section::Sections,
};
use crate::{
    memory,
    state::{Fault, local},
};
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
        missing::note(error as usize, Accessed::Error);
        memory::write(error, code);
    }
}

/// Raises the error of a call that is not made.
#[cold]
fn refuse(fault: Fault) -> c_int {
    local(|_, _| Err(fault))
}

/// Returns the address of the common block of special variables of the calling rank.
pub(super) fn block() -> usize {
    running::fortran_block()
}

/// Clears the registers for arguments before a procedure returns: the next one may be called with fewer arguments than it has,
/// and would take what is left there for addresses of its own memory.
#[inline(always)]
fn clear_registers() {
    // SAFETY: the registers belong to nobody at the end of a function.
    unsafe {
        asm!(
            "xor edi, edi",
            "xor esi, esi",
            "xor edx, edx",
            "xor ecx, ecx",
            "xor r8d, r8d",
            "xor r9d, r9d",
            out("rdi") _,
            out("rsi") _,
            out("rdx") _,
            out("rcx") _,
            out("r8") _,
            out("r9") _,
            options(nomem, nostack),
        );
    }
}

/// What Fortran calls of a procedure.
pub(super) struct Entry {
    /// The address for buffers that are passed by address.
    pub(super) address: usize,
    /// The address for buffers that are passed by descriptor; `None` without buffers.
    pub(super) described: Option<usize>,
    pub(super) shapes: &'static [Shape],
}

/// Reports whether there is a buffer among the arguments.
const fn has_buffer(shapes: &[Shape]) -> bool {
    let mut at = 0;
    while at < shapes.len() {
        if shapes[at].is_buffer() {
            return true;
        }
        at += 1;
    }
    false
}

/// A C function with arguments of the kinds `K`.
pub(super) trait Wrap<K> {
    fn entry(self) -> Entry;
}

macro_rules! entries {
    ($($entry:ident $described:ident($($kind:ident $given:ident),*);)*) => {$(
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
            {
                let given: &[usize] = &[$($given),*];
                missing::look(given, const { &[$($kind::SHAPE),*] }, error);
                let mut call = Call::new(given, [first, second], block());
                $(let mut $given = $kind::take($given, &mut call);)*
                let code = match call.unfit() {
                    Some(fault) => refuse(fault),
                    None => the::<F>()($($given.pass()),*),
                };
                call.finish(code);
                $($given.give_back(&call);)*
                answer(error, code);
            }
            clear_registers();
        }

        /// Like the function above, with descriptors in place of the addresses of buffers.
        #[allow(clippy::too_many_arguments, reason = "the standard's")]
        extern "C-unwind" fn $described<F, $($kind),*>($($given: usize,)* error: *mut c_int)
        where
            F: Fn($($kind::Taken),*) -> c_int + Copy,
            $($kind: Argument),*
        {
            let own: extern "C-unwind" fn($(entries!(@usize $kind),)* *mut c_int) =
                $described::<F, $($kind),*>;
            let mut given = [$($given),*];
            let mut sections = Sections::new();
            let shapes = const { &[$($kind::SHAPE),*] };
            if let Err(code) = sections.replace(shapes, &mut given, own as *const () as usize) {
                return answer(error, code);
            }
            let [$($given),*] = given;
            $entry::<F, $($kind),*>($($given,)* error, 0, 0);
        }

        impl<F, $($kind),*> Wrap<($($kind,)*)> for F
        where
            F: Fn($($kind::Taken),*) -> c_int + Copy,
            $($kind: Argument),*
        {
            fn entry(self) -> Entry {
                let function: extern "C-unwind" fn($(entries!(@usize $kind),)* *mut c_int, usize, usize) =
                    $entry::<F, $($kind),*>;
                let described: extern "C-unwind" fn($(entries!(@usize $kind),)* *mut c_int) =
                    $described::<F, $($kind),*>;
                let shapes: &[Shape] = const { &[$($kind::SHAPE),*] };
                Entry {
                    address: function as *const () as usize,
                    described: has_buffer(shapes).then_some(described as *const () as usize),
                    shapes,
                }
            }
        }
    )*};
    (@usize $kind:ident) => { usize };
}

entries! {
    entry0 described0();
    entry1 described1(A a);
    entry2 described2(A a, B b);
    entry3 described3(A a, B b, C c);
    entry4 described4(A a, B b, C c, D d);
    entry5 described5(A a, B b, C c, D d, E e);
    entry6 described6(A a, B b, C c, D d, E e, G g);
    entry7 described7(A a, B b, C c, D d, E e, G g, H h);
    entry8 described8(A a, B b, C c, D d, E e, G g, H h, I i);
    entry9 described9(A a, B b, C c, D d, E e, G g, H h, I i, J j);
    entry10 described10(A a, B b, C c, D d, E e, G g, H h, I i, J j, K k);
    entry11 described11(A a, B b, C c, D d, E e, G g, H h, I i, J j, K k, L l);
    entry12 described12(A a, B b, C c, D d, E e, G g, H h, I i, J j, K k, L l, M m);
    entry13 described13(A a, B b, C c, D d, E e, G g, H h, I i, J j, K k, L l, M m, N n);
}
