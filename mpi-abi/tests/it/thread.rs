//! Programs whose ranks have several threads.

use std::{path::PathBuf, sync::Arc};

use mpi_abi::launch::{Compiled, Output};
use mpi_api::{
    finding::{Code, Finding},
    outcome::{Ending, RunResult},
    run::Program,
    settings::Buffering,
};
use sim_core::SimDuration;
use tempfile::TempDir;

use crate::mpi::{compile, holds, program, simulate};

#[test]
fn threads_call_mpi() {
    holds("threads");
}

#[test]
fn threads_wait_for_each_other() {
    holds("locks");
}

#[test]
fn threads_have_their_own_data() {
    holds("thread_data");
}

#[test]
fn threads_of_cxx() {
    holds("threads_of_cxx");
}

#[test]
fn a_run_with_threads_gives_the_same_digest_again() {
    let folder = TempDir::new().expect("a folder");
    for name in ["threads", "threads_of_cxx", "thread_data"] {
        let program = program(name, &folder);
        let one = simulate(&program, 3, Buffering::infinite());
        let two = simulate(&program, 3, Buffering::infinite());
        assert_eq!((one.digest, one.events), (two.digest, two.events), "{name}");
        assert_eq!(one.makespan, two.makespan, "{name}");
    }
}

/// The programs that go wrong, compiled once.
struct Wrong {
    _folder: TempDir,
    path: PathBuf,
}

impl Wrong {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let path = compile("thread_verdicts", folder.path());
        Self { _folder: folder, path }
    }

    fn run(&self, how: &str) -> RunResult {
        let mut compiled = Compiled::new(Output::Discard);
        compiled.add(&self.path, &[how.to_string()], 1).expect("a program");
        let program: Program = Arc::new(compiled);
        simulate(&program, 2, Buffering::infinite())
    }

    /// Code, message, and the line and label of each site of the first finding.
    fn first(&self, how: &str) -> (Code, String, Vec<(u32, String)>) {
        let result = self.run(how);
        assert_ne!(result.ending, Ending::Completed, "{how}");
        let Finding { code, message, sites, .. } = result.findings[0].clone();
        let sites = sites.into_iter().map(|site| (site.site.map_or(0, |s| s.line), site.label));
        (code, message, sites.collect())
    }
}

#[test]
fn threads_that_wait_for_ever_are_a_deadlock() {
    let wrong = Wrong::new();
    let (code, message, sites) = wrong.first("condition");
    assert_eq!(code, Code::DeadlockCycle);
    assert!(
        message.contains("thread 0 of rank 0 and thread 1 of rank 0 wait for each"),
        "{message}"
    );
    let expected = [
        "thread 0 of rank 0 waits in pthread_join for thread 1 of rank 0",
        "thread 1 of rank 0 waits in pthread_cond_wait for another thread",
    ];
    for (site, expected) in sites.iter().zip(expected) {
        assert_eq!(site.1, expected);
    }
    assert_eq!((sites[0].0, sites[1].0), (67, 12));

    let (code, message, sites) = wrong.first("alone");
    assert_eq!(code, Code::NeverMatched);
    assert!(message.contains("pthread_cond_wait on rank 0 waits for what no thread"), "{message}");
    assert_eq!(sites[0].0, 12);

    let (code, _, sites) = wrong.first("locks");
    assert_eq!(code, Code::DeadlockCycle);
    assert_eq!((sites[0].0, sites[1].0), (74, 19), "{sites:?}");
    assert!(sites[1].1.contains("in pthread_mutex_lock for thread 0 of rank 0"), "{sites:?}");

    let (code, message, _) = wrong.first("again");
    assert_eq!(code, Code::DeadlockCycle);
    assert!(message.contains("rank 0 waits for itself"), "{message}");

    let (code, message, _) = wrong.first("ranks");
    assert_eq!(code, Code::DeadlockCycle);
    assert!(message.contains("thread 1 of rank 0 and thread 1 of rank 1"), "{message}");

    let (code, _, sites) = wrong.first("held");
    assert_eq!(code, Code::DeadlockCycle);
    let waits = "thread 1 of rank 0 waits in pthread_mutex_lock for thread 0 of rank 0";
    assert!(sites.iter().any(|site| site.1 == waits), "{sites:?}");

    let (code, message, _) = wrong.first("look");
    assert_eq!(code, Code::Livelock, "{message}");
}

#[test]
fn threads_that_call_what_they_must_not_are_found() {
    let wrong = Wrong::new();
    let (code, message, sites) = wrong.first("funneled");
    assert_eq!(code, Code::ThreadMisuse);
    assert!(message.contains("thread 1 calls MPI: the level is MPI_THREAD_FUNNELED"), "{message}");
    assert_eq!(sites[0].0, 24);
    let (code, message, sites) = wrong.first("finalize");
    assert_eq!(code, Code::ThreadMisuse);
    assert!(message.contains("MPI_Finalize is called while thread 1 is in MPI_Recv"), "{message}");
    assert_eq!(sites[1].0, 29);
    let (_, message, _) = wrong.first("cancel");
    assert!(message.contains("pthread_cancel"), "{message}");
}

#[test]
fn a_thread_may_end_the_program_of_its_rank() {
    let wrong = Wrong::new();
    let result = wrong.run("exit");
    assert_eq!((result.ending, result.exit_code), (Ending::Failed, Some(3)));
    assert!(result.findings.iter().any(|f| f.message == "rank 1 ended with exit code 3"));
    let result = wrong.run("leave");
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
    // A sleep takes a nanosecond more than it is asked to.
    assert_eq!(result.makespan.as_ps(), SimDuration::from_us(10).as_ps() + 1000);
    let (_, message, sites) = wrong.first("assertion");
    assert!(message.contains("rank 1: the assertion"), "{message}");
    assert_eq!(sites[0].0, 39);
    let (code, message, _) = wrong.first("overflow");
    assert_eq!(code, Code::StackOverflow);
    assert!(message.contains("thread 1 of rank 0"), "{message}");
}
