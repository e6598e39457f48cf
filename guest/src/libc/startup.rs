//! Initialisation of the process before programs run.
#![allow(unsafe_code, reason = "sets variables of the process")]

use std::sync::Once;

use super::{cxx, signal, stdio};

/// Takes over the standard streams. Fortran's units for them are unbuffered, so that lines appear
/// in the order of simulated time, even if the run ends in a deadlock.
pub(crate) fn once() {
    static ONCE: Once = Once::new();
    stdio::install();
    signal::strike::install();
    ONCE.call_once(|| {
        // SAFETY: the simulator has no other thread that reads the environment meanwhile.
        unsafe { libc::setenv(c"GFORTRAN_UNBUFFERED_PRECONNECTED".as_ptr(), c"y".as_ptr(), 0) };
    });
}

/// Prepares for loading a library of the host.
pub(crate) fn prepare(name: &str) {
    if name.starts_with("libomp") || name.starts_with("libiomp") {
        static ONCE: Once = Once::new();
        // The threads of these libraries would run outside the simulation, so that only one is allowed.
        ONCE.call_once(|| {
            for name in [c"OMP_NUM_THREADS", c"OMP_THREAD_LIMIT"] {
                // SAFETY: the simulator has no other thread that reads the environment meanwhile.
                unsafe { libc::setenv(name.as_ptr(), c"1".as_ptr(), 1) };
            }
        });
    }
}

/// Completes the loading of a library of the host.
pub(crate) fn loaded(name: &str) {
    if name.starts_with("libstdc++") || name.starts_with("libc++") {
        cxx::loaded();
    }
}
