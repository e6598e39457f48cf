//! Traces as SimGrid 3.32 writes them.

use std::sync::Arc;

use mpi_api::{
    outcome::{Ending, RunResult},
    run::{Program, run},
    settings::{Buffering, Settings},
};
use network_models::{Constant, LocalPath, NodeId};
use sim_core::{Limits, SimDuration};

use super::*;
use crate::{Kind, Recorded, kind_of};

fn read_text(text: &str) -> Result<Recording, TraceError> {
    let mut reader = Reader { flops_per_s: 1e9, ..Reader::default() };
    reader.file("test.trace", text)?;
    reader.recording()
}

fn go(text: &str) -> RunResult {
    let recording = read_text(text).expect("a trace");
    let settings = Settings {
        limits: Limits { events: 1_000_000, ..Limits::standard() },
        ..Settings::free((0..recording.ranks()).map(NodeId).collect(), Buffering::infinite())
    };
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = Constant::new(SimDuration::from_ns(1000), None, local);
    let result =
        run(settings, Box::new(network), &(Arc::new(Recorded::new(recording)) as Program), None).0;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
    result
}

/// A line for each of `ranks` ranks, with `{left}` and `{right}` filled in.
fn ring(ranks: u32, lines: &[&str]) -> String {
    let mut text = String::new();
    for rank in 0..ranks {
        for line in lines {
            let line = line
                .replace("{left}", &((rank + ranks - 1) % ranks).to_string())
                .replace("{right}", &((rank + 1) % ranks).to_string())
                .replace("{me}", &rank.to_string());
            text.push_str(&format!("{rank} {line}\n"));
        }
    }
    text
}

#[test]
fn computing_takes_operations_at_the_given_rate() {
    let result = go(
        "0 init\n0 compute 5000\n0 send 1 3 10 1\n0 finalize\n1 init\n1 recv 0 3 10 1\n1 finalize\n",
    );
    assert_eq!(result.makespan.as_ps(), 6_000_000, "5 us of computing and 1 us of latency");
    assert_eq!((result.messages, result.bytes), (1, 40));
}

#[test]
fn every_way_to_complete_requests() {
    let text = ring(
        4,
        &[
            "init",
            "irecv {left} 5 1000 0",
            "isend {right} 5 1000 0",
            "waitall 2",
            "irecv {left} 6 1000 0",
            "send {right} 6 10 0",
            "wait {left} {me} 6",
            "sendRecv 1 {right} 1 -333 1 1",
            "irecv {left} 8 1 1",
            "isend {right} 8 1 1",
            "waitAny 2",
            "waitAny 2",
            "irecv {left} 9 1 1",
            "Ssend -333 8 0 1",
            "send {right} 9 1 1",
            "test {left} {me} 9",
            "test {left} {me} 9",
            "finalize",
        ],
    );
    let result = go(&text);
    assert_eq!((result.messages, result.bytes), (20, 4 * (8000 + 80 + 4 + 4 + 4)));
}

#[test]
fn every_collective() {
    let mut text = ring(
        4,
        &[
            "init",
            "bcast 1000 1 0",
            "allreduce 1000 0 0",
            "reduce 10 0 0 0",
            "alltoall 10 10 1 1",
            "allgather 10 10 1 1",
            "gather 10 10 0 1 1",
            "scatter 10 10 0 1 1",
            "reducescatter 1 2 3 4 0 1",
            "scan 10 0 1",
            "exscan 10 0 1",
            "barrier",
            "alltoallv 100 1 1 1 1 100 1 1 1 1 1 1",
        ],
    );
    for rank in 0..4 {
        let counts = if rank == 0 { "1 2 3 4" } else { "0 0 0 0" };
        text.push_str(&format!("{rank} allgatherv {} 1 2 3 4 1 1\n", rank + 1));
        text.push_str(&format!("{rank} gatherv {} {counts} 0 1 1\n", rank + 1));
        text.push_str(&format!("{rank} scatterv {counts} {} 0 1 1\n", rank + 1));
        text.push_str(&format!("{rank} finalize\n"));
    }
    go(&text);
}

#[test]
fn mistakes_are_told_with_their_lines() {
    for (text, line, what) in [
        ("x init", 1, "`x` is no number of a rank"),
        ("0 init\n0 sned 1 0 5", 2, "`sned` is no action"),
        ("0 send 1 0", 1, "`send` needs a number of elements"),
        ("0 send 1 0 -7", 1, "`-7` is not a number of elements"),
        ("0 send one 0 7", 1, "`one` is no rank"),
        ("0 send 1 0 7 MPI_INT", 1, "`MPI_INT` is no datatype"),
        ("0 wait 1 0 3", 1, "names a request that was not started"),
        ("0 init\n0 send 2 0 3\n1 init", 2, "there is no rank 2: the trace has 2"),
        ("0 init\n1 gatherv 1 1 2 3 1 1 1", 2, "one number for each of 2 ranks has 3"),
        ("0 compute lots", 1, "`lots` is not a number of operations"),
    ] {
        let error = read_text(text).expect_err(text);
        let TraceError::Line { problem, .. } = &error else { panic!("{error}") };
        assert_eq!(problem.line, line, "{text}: {error}");
        assert!(problem.what.contains(what), "{text}: {error}");
    }
}

#[test]
fn traces_are_recognised() {
    assert!(is_one(b"# made by us\n0 init\n0 finalize\n"));
    assert!(!is_one(b"0 1\n1 2\n"), "an edge list");
    assert!(!is_one(b"\x7fELF") && !is_one(b""));
}

#[test]
fn a_list_of_many_traces_is_read_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = |rank| format!("a_folder_with_a_long_name_{rank}.txt");
    let mut list = String::from("# traces\n");
    for rank in 0..200 {
        let trace = format!("{rank} init\n{rank} barrier\n{rank} finalize\n");
        std::fs::write(folder.path().join(name(rank)), trace).expect("written");
        list.push_str(&format!("{}\n", name(rank)));
    }
    let path = folder.path().join("all.txt");
    std::fs::write(&path, &list).expect("written");
    assert_eq!(kind_of(&path).expect("a file"), Some(Kind::TimeIndependent));
    assert_eq!(read(&path, 1e9).expect("traces").ranks(), 200);

    std::fs::remove_file(folder.path().join(name(150))).expect("removed");
    let error = read(&path, 1e9).expect_err("a file is missing").to_string();
    assert!(error.contains("all.txt: line 152: there is no file `a_folder"), "{error}");
}
