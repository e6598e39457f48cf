//! Objects and the environment from C: communicators, groups, attributes, topologies, info objects,
//! error handlers, sessions, beginning and end.

use std::sync::Arc;

use mpi_abi::launch::{Compiled, Output};
use mpi_api::{finding::Code, outcome::Ending, run::Program, settings::Buffering};

use crate::mpi::{compile, holds, program, simulate};

#[test]
fn communicators() {
    holds("communicators");
}

#[test]
fn groups() {
    holds("groups");
}

#[test]
fn sets_of_ranks() {
    holds("sets");
}

#[test]
fn attributes() {
    holds("attributes");
}

#[test]
fn topologies() {
    holds("topologies");
}

#[test]
fn info_objects() {
    holds("infos");
}

#[test]
fn error_handlers_and_texts() {
    holds("handlers");
}

#[test]
fn sessions() {
    holds("sessions");
}

#[test]
fn details_of_the_standard() {
    holds("details");
}

#[test]
fn starting_and_ending() {
    holds("starting");
}

#[test]
fn groups_that_meet_at_a_port() {
    holds("ports");
}

#[test]
fn a_group_that_nobody_meets_gives_up() {
    holds("lonely_connect");
}

#[test]
fn the_tools_interface() {
    holds("tools");
}

#[test]
fn variables_of_the_tools_interface_count_and_change_what_happens() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let program = program("tools_measured", &folder);
    let run = || {
        let result = simulate(&program, 2, Buffering::infinite());
        assert!(result.findings.is_empty(), "{:?}", result.findings);
        (result.digest, result.makespan)
    };
    assert_eq!(run(), run());
}

#[test]
fn events_of_matches_are_told_and_change_no_times() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = compile("events", folder.path());
    let run = |arguments: &[&str], buffering: Buffering| {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let mut compiled = Compiled::new(Output::Print);
        compiled.add(&path, &arguments, 1).expect("a program");
        let result = simulate(&(Arc::new(compiled) as Program), 2, buffering);
        assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
        assert!(result.findings.is_empty(), "{:?}", result.findings);
        let finished: Vec<_> = result.ranks.iter().map(|rank| rank.finish).collect();
        (result.digest, (result.makespan, finished, result.messages))
    };
    let few = Buffering { eager_limit: 8, ..Buffering::infinite() };
    for buffering in [Buffering::infinite(), few] {
        let told = run(&[], buffering.clone());
        assert_eq!(told, run(&[], buffering.clone()));
        // The calls of the tool are calls, so that the digest differs; nothing else does.
        assert_eq!(told.1, run(&["quietly"], buffering).1, "nobody listens");
    }
}

#[test]
fn a_fatal_error_tells_its_class_and_function() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let result = simulate(&program("fatal", &folder), 1, Buffering::zero());
    let finding = result.findings.first().expect("the error");
    assert_eq!(finding.code, Code::InvalidArgument);
    assert!(
        finding.message.contains("MPI_ERR_UNSUPPORTED_OPERATION: MPI_Comm_join"),
        "{}",
        finding.message
    );
    assert_eq!(finding.sites[0].site.map(|site| site.line), Some(7));
}
