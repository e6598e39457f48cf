//! Programs that start others.

use mpi_api::{
    finding::{Code, are_clean},
    outcome::{Ending, RunResult},
    run::Program,
    settings::{Buffering, Environment},
};
use tempfile::TempDir;

use crate::mpi::{compile, holds, program, simulate, simulate_in};

/// The manager, beside its worker.
fn manager(folder: &TempDir) -> Program {
    compile("worker", folder.path());
    program("manager", folder)
}

fn in_universe(program: &Program, ranks: u32, universe: u32) -> RunResult {
    let environment = Environment { universe: Some(universe), ..Environment::default() };
    simulate_in(program, ranks, Buffering::zero(), environment)
}

#[test]
fn a_program_starts_itself() {
    holds("spawn");
}

#[test]
fn other_programs_are_found_and_started() {
    let folder = TempDir::new().expect("a folder");
    let program = manager(&folder);
    for ranks in [1, 4] {
        let result = in_universe(&program, ranks, 7);
        assert_eq!(result.ending, Ending::Completed, "{ranks}: {:?}", result.findings);
        assert!(are_clean(&result.findings), "{ranks}: {:?}", result.findings);
        assert_eq!(result.ranks.len() as u32, ranks + 3 + 3 + 3);
        assert_eq!(result.digest, in_universe(&program, ranks, 7).digest);
    }
}

#[test]
fn parents_and_children_that_wait_for_each_other_are_found() {
    let folder = TempDir::new().expect("a folder");
    let result = simulate(&program("family_deadlock", &folder), 1, Buffering::infinite());
    assert_eq!(result.ending, Ending::Stalled);
    let finding = &result.findings[0];
    assert_eq!((finding.code, &finding.cycle[..]), (Code::DeadlockCycle, &[0, 1][..]));
    assert_eq!(finding.sites[1].site.map(|site| site.line), Some(12), "{finding:?}");
    let from = |note: &String| {
        note.starts_with("rank 1 was started by rank 0") && note.ends_with("family_deadlock.c:10")
    };
    assert!(finding.notes.iter().any(from), "{finding:?}");
}

#[test]
fn families_meet_at_a_port() {
    holds("siblings");
}

#[test]
fn a_port_that_nobody_comes_to_is_told() {
    let folder = TempDir::new().expect("a folder");
    let result = simulate(&program("nobody_connects", &folder), 2, Buffering::infinite());
    assert_eq!(result.ending, Ending::Stalled);
    let finding = &result.findings[0];
    assert_eq!(finding.code, Code::NeverMatched, "{finding:?}");
    let said = "deadlock: MPI_Comm_accept on rank 0 waits for a partner that never comes";
    assert_eq!(finding.message, said);
    assert_eq!(finding.sites[0].site.map(|site| site.line), Some(12));
}

#[test]
fn a_deadlock_behind_a_port_is_not_taken_for_a_port_without_service() {
    let folder = TempDir::new().expect("a folder");
    let program = program("crossed_behind_port", &folder);
    for ranks in [2, 3] {
        let result = simulate(&program, ranks, Buffering::infinite());
        assert_eq!(result.ending, Ending::Stalled, "{ranks}: {:?}", result.findings);
        let finding = &result.findings[0];
        assert_eq!(finding.code, Code::DeadlockCycle, "{ranks}: {finding:?}");
        let lines = finding.sites.iter().filter_map(|site| site.site.map(|site| site.line));
        assert!([15, 20].iter().all(|line| lines.clone().any(|of| of == *line)), "{finding:?}");
    }
}

#[test]
fn a_program_that_is_not_there_ends_the_run() {
    let folder = TempDir::new().expect("a folder");
    let result = simulate(&program("missing", &folder), 2, Buffering::zero());
    assert_eq!(result.ending, Ending::Failed);
    let message = &result.findings[0].message;
    assert!(message.contains("MPI_ERR_SPAWN: there is no program nowhere"), "{message}");
}
