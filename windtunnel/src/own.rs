//! A user's own program behind the same command line.
#![allow(unsafe_code, reason = "sets the disposition of a signal")]

use std::{
    process::ExitCode,
    sync::{Arc, OnceLock},
};

use mpi_api::{
    api::{initialize, topology::SimpleCommunicator},
    run::Program,
};

/// Name and body of the program.
static OWN: OnceLock<(&'static str, fn())> = OnceLock::new();
static OVER_WORLD: OnceLock<fn(&SimpleCommunicator)> = OnceLock::new();

/// The command line for a program of the caller's: a function over `MPI_COMM_WORLD`, run between
/// init and finalize on every rank. PROGRAM may be left out.
pub fn main_with(name: &'static str, program: fn(&SimpleCommunicator)) -> ExitCode {
    let _ = OVER_WORLD.set(program);
    main_of(name, || {
        let Some(universe) = initialize() else { return };
        if let Some(program) = OVER_WORLD.get() {
            program(&universe.world());
        }
    })
}

/// As [`main_with`], for a program that calls `initialize` itself, as programs for rsmpi do.
pub fn main_of(name: &'static str, program: fn()) -> ExitCode {
    let _ = OWN.set((name, program));
    crate::main()
}

/// The name of the caller's program, if there is one.
pub(crate) fn name() -> Option<&'static str> {
    OWN.get().map(|(name, _)| *name)
}

/// The caller's program, if that is what the name means.
pub(crate) fn program(name: &str) -> Option<Program> {
    let (own, body) = OWN.get()?;
    (*own == name).then(|| Arc::new(*body) as Program)
}

/// A reader that goes away, such as `head`, ends this process as it does any other.
pub(crate) fn end_quietly_when_nobody_reads() {
    // SAFETY: no other thread runs yet.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}
