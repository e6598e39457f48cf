//! Programs struck by signals: the rank is named, and the process lives.

use mpi_abi::launch::{Compiled, Output};
use mpi_api::run::Body;
use sim_core::{Limits, Outcome};

use crate::harness::{Run, compile};

fn strike(how: &str) -> Run {
    compile("faults.c", &["-w"]).run(3, &[how])
}

fn signal(run: &Run) -> Option<i32> {
    match run.outcome {
        Outcome::Signal { signal, .. } => Some(signal),
        _ => None,
    }
}

#[test]
fn a_bad_address_has_a_line() {
    let run = strike("store");
    assert_eq!(signal(&run), Some(libc::SIGSEGV));
    let (rank, site) = run.struck.expect("the instruction is the program's");
    assert_eq!((rank, site.line, site.function), (1, 10, "store"));
    assert_eq!(run.output, ["begun\nunfinished"; 3]);
}

#[test]
fn a_division_by_zero_has_a_line() {
    let run = strike("zero");
    assert_eq!(signal(&run), Some(libc::SIGFPE));
    let (rank, site) = run.struck.expect("the instruction is the program's");
    assert_eq!((rank, site.line, site.function), (1, 14, "divide"));
}

#[test]
fn an_overflow_is_caught_whatever_the_frame() {
    for how in ["deep", "wide"] {
        let run = strike(how);
        let Outcome::StackOverflow { process, .. } = run.outcome else {
            panic!("{how}: {:?}", run.outcome)
        };
        assert_eq!(process.0, 1);
        let (rank, site) = run.struck.expect("the instruction is the program's");
        assert_eq!((rank, site.function), (1, how));
    }
}

#[test]
fn an_abort_inside_the_library_strikes_the_rank() {
    let run = strike("free what was never allocated");
    assert_eq!(signal(&run), Some(libc::SIGABRT));
}

#[test]
fn a_stack_that_is_asked_for_is_taken() {
    let given = |stack_bytes, stack_is_asked| {
        let asked = Limits { stack_bytes, stack_is_asked, ..Limits::standard() };
        Compiled::new(Output::Discard).limits(asked).stack_bytes
    };
    assert!(given(64 << 10, false) >= 8 << 20, "as large as a process usually has");
    assert_eq!(given(1 << 20, true), 1 << 20);
    assert_eq!(given(16 << 10, true), 256 << 10, "the least");
}
