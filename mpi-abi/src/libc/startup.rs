//! What is done once per process before programs run.
#![allow(unsafe_code, reason = "sets variables of the process")]

use std::sync::Once;

use super::{cxx, signal, stdio};

/// Takes over the standard streams. Fortran's units for them hold nothing back, so that lines come
/// in the order of simulated time and are seen even if the run ends in a deadlock.
pub(crate) fn once() {
    static ONCE: Once = Once::new();
    stdio::install();
    signal::strike::install();
    ONCE.call_once(|| {
        // SAFETY: the simulator starts no thread that reads the environment meanwhile.
        unsafe { libc::setenv(c"GFORTRAN_UNBUFFERED_PRECONNECTED".as_ptr(), c"y".as_ptr(), 0) };
    });
}

/// A library of the host is about to be loaded.
pub(crate) fn prepare(name: &str) {
    if name.starts_with("libgomp") || name.starts_with("libomp") {
        static ONCE: Once = Once::new();
        // Threads of OpenMP would run beside the simulation, whatever the program asks for.
        ONCE.call_once(|| {
            for name in [c"OMP_NUM_THREADS", c"OMP_THREAD_LIMIT"] {
                // SAFETY: the simulator starts no thread that reads the environment meanwhile.
                unsafe { libc::setenv(name.as_ptr(), c"1".as_ptr(), 1) };
            }
        });
    }
}

/// A library of the host was loaded.
pub(crate) fn loaded(name: &str) {
    if name.starts_with("libstdc++") || name.starts_with("libc++") {
        cxx::loaded();
    }
}
