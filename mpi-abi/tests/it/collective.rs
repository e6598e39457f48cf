//! Collectives and operations from C, in every form.

use std::sync::Arc;

use mpi_abi::launch::{Compiled, Output};
use mpi_api::{finding::Code, run::Program, settings::Buffering};

use crate::mpi::{compile, holds, simulate};

#[test]
fn predefined_operations_on_all_types() {
    holds("reductions");
}

#[test]
fn operations_of_the_program() {
    holds("operations");
}

#[test]
fn wrong_arguments() {
    holds("collective_errors");
}

#[test]
fn types_places_and_many_at_once() {
    holds("collective_shapes");
}

#[test]
fn types_with_gaps() {
    holds("gaps");
}

#[test]
fn among_neighbors() {
    holds("neighbors");
}

#[test]
fn between_two_groups() {
    holds("between_groups");
}

#[test]
fn both_paths_give_the_same() {
    holds("short_collectives");
}

#[test]
fn a_reduction_into_the_buffer_of_a_receive_is_found() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let mut compiled = Compiled::new(Output::Discard);
    let path = compile("short_collectives", folder.path());
    compiled.add(&path, &["owned".to_string()], 1).expect("a program");
    let program: Program = Arc::new(compiled);
    let findings = simulate(&program, 2, Buffering::infinite()).findings;
    let conflicts = findings.iter().filter(|finding| finding.code == Code::BufferConflict).count();
    assert!(conflicts > 0, "{findings:?}");
}

#[test]
fn a_function_that_fails_ends_its_rank_and_not_the_simulator() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let path = compile("operation_faults", folder.path());
    let first = |how: &str| {
        let mut compiled = Compiled::new(Output::Discard);
        compiled.add(&path, &[how.to_string()], 1).expect("a program");
        let program: Program = Arc::new(compiled);
        simulate(&program, 4, Buffering::zero()).findings.into_iter().next()
    };
    let code = |how: &str| first(how).map(|finding| finding.code);
    assert_eq!(code("time"), None);
    assert_eq!(code("exit"), Some(Code::ExitCode));
    assert_eq!(code("abort"), Some(Code::Aborted));
    let struck = first("strike").expect("a finding");
    assert_eq!(struck.code, Code::Signal);
    let lines: Vec<u32> =
        struck.sites.iter().filter_map(|site| site.site.map(|site| site.line)).collect();
    assert!(lines.contains(&17), "{struck:?}");
    assert_eq!(code("error"), Some(Code::InvalidArgument));
    assert_eq!(code("communicate"), Some(Code::InvalidArgument));
}
