//! Files from C: right programs end well, wrong ones are found out, with their lines.

use std::sync::Arc;

use mpi_abi::launch::{Compiled, Output};
use mpi_api::{
    finding::Code,
    outcome::{Ending, RunResult},
    run::{Program, run},
    settings::{Buffering, Environment, Filesystem, Settings, Synchronisation},
};
use network_models::{ByteTime, Constant, LocalPath, NodeId};
use sim_core::{SimDuration, TieBreak};
use tempfile::TempDir;

use crate::mpi::{compile, settings};

/// A program of `ctest/mpi` whose first argument is a folder for its files.
struct Files {
    /// The folder of the program and its files.
    folder: TempDir,
    name: &'static str,
}

impl Files {
    fn new(name: &'static str) -> Self {
        let folder = TempDir::new().expect("a folder");
        compile(name, folder.path());
        Self { folder, name }
    }

    /// The program with a fresh folder and further arguments.
    fn program(&self, further: &[&str]) -> Program {
        let files = self.folder.path().join("data");
        let _ = std::fs::remove_dir_all(&files);
        std::fs::create_dir(&files).expect("a folder for the files");
        let mut arguments = vec![files.display().to_string()];
        arguments.extend(further.iter().map(ToString::to_string));
        let mut compiled = Compiled::new(Output::Print);
        compiled.add(&self.folder.path().join(self.name), &arguments, 1).expect("a program");
        Arc::new(compiled)
    }

    fn run(&self, further: &[&str], settings: Settings) -> RunResult {
        let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
        let network = Constant::new(SimDuration::from_us(1), None, local);
        run(settings, Box::new(network), &self.program(further), None).0
    }
}

fn on(ranks: u32) -> Settings {
    settings((0..ranks).map(NodeId).collect(), Buffering::zero())
}

#[test]
fn programs_with_files_end_well() {
    let files = Files::new("files");
    for ranks in [1, 2, 3, 5] {
        for synchronisation in [Synchronisation::Full, Synchronisation::Least] {
            for tie_break in [TieBreak::InsertionOrder, TieBreak::Seeded(3)] {
                let settings = Settings { synchronisation, tie_break, ..on(ranks) };
                let result = files.run(&[], settings);
                let told = &result.findings;
                assert_eq!(result.ending, Ending::Completed, "{ranks}: {told:?}");
                assert!(told.is_empty(), "{ranks}, {synchronisation:?}: {told:?}");
            }
        }
    }
}

#[test]
fn errors_come_back() {
    let result = Files::new("files_errors").run(&[], on(2));
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
}

#[test]
fn a_run_with_files_has_one_digest() {
    let files = Files::new("files");
    let digest = || files.run(&[], on(3)).digest;
    assert_eq!(digest(), digest());
}

#[test]
fn each_misuse_is_found() {
    use Code::*;
    let files = Files::new("files_misused");
    let cases: &[(&str, Option<Code>, &[u32])] = &[
        ("none", None, &[]),
        ("null", Some(InvalidArgument), &[24]),
        ("modes", Some(ArgumentMismatch), &[17, 17]),
        ("names", Some(ArgumentMismatch), &[25, 25]),
        ("never opened", Some(CollectiveMismatch), &[]),
        ("left open", Some(ResourceLeak), &[25]),
        ("one does not write", Some(CollectiveMismatch), &[]),
        ("sync or close", Some(CollectiveMismatch), &[]),
        ("all or at", Some(CollectiveMismatch), &[]),
        ("sizes", Some(ArgumentMismatch), &[39, 39]),
        ("write crossed", Some(DeadlockCycle), &[]),
        ("offset", Some(InvalidArgument), &[45]),
        ("end alone", Some(RequestMisuse), &[46]),
        ("begun twice", Some(RequestMisuse), &[49]),
        ("closed begun", Some(RequestMisuse), &[75]),
        ("closed early", Some(RequestMisuse), &[55]),
        ("request lost", Some(RequestMisuse), &[75]),
        ("buffer written", Some(BufferConflict), &[]),
        ("buffer shared", Some(BufferConflict), &[]),
        ("both write", Some(FileRace), &[69, 69]),
        ("read too early", Some(FileRace), &[73, 71]),
        ("closed twice", Some(InvalidArgument), &[76]),
    ];
    for (how, code, lines) in cases {
        let result = files.run(&[how], on(2));
        let told = &result.findings;
        assert_eq!(told.first().map(|finding| finding.code), *code, "{how}: {told:?}");
        let Some(finding) = told.first().filter(|_| !lines.is_empty()) else { continue };
        let sites = finding.sites.iter().filter_map(|place| place.site);
        let found: Vec<u32> = sites.map(|site| site.line).collect();
        assert_eq!(found, *lines, "{how}: {finding:?}");
    }
}

/// A file system whose metadata take 1 s, requests 10 ms and bytes 1 ms, with stripes of 100 bytes.
fn slow(servers: u32) -> Filesystem {
    Filesystem {
        servers,
        stripe: 100,
        latency: SimDuration::from_us(10_000),
        byte_time: ByteTime::from_fs(1_000_000_000_000),
        metadata: SimDuration::from_us(1_000_000),
    }
}

#[test]
fn times_are_those_of_closed_forms() {
    let files = Files::new("files_timed");
    // Ranks write 1,200 bytes each at their own offsets; the program prints nothing and takes the time
    // of opening, of the barriers (microseconds), of the writes, and of closing.
    for (ranks, servers, how, milliseconds) in [
        (1, 1, "once", 10 + 1200),
        (1, 4, "once", 10 + 300),
        (1, 4, "twice", 2 * (10 + 300)),
        (1, 4, "nonblocking", 10 + 600),
        (4, 1, "once", 10 + 4 * 1200),
        (4, 4, "once", 10 + 1200),
        (4, 4, "nothing", 0),
    ] {
        let settings = Settings { filesystem: slow(servers), ..on(ranks) };
        let result = files.run(&[how], settings);
        assert!(result.findings.is_empty(), "{how}: {:?}", result.findings);
        let end = result.makespan.as_ps() / 1_000_000_000;
        assert_eq!(end, 2000 + milliseconds, "{how}, {ranks} ranks, {servers} servers");
    }
}

#[test]
fn a_folder_for_files_holds_all_of_them() {
    let files = Files::new("files_named");
    let room = TempDir::new().expect("a folder");
    let root = room.path().display().to_string();
    let environment = Environment { files: Some(root.into()), ..Environment::default() };
    let result = files.run(&[], Settings { environment, ..on(2) });
    assert!(result.findings.is_empty(), "{:?}", result.findings);
    let written = std::fs::read(room.path().join("inside")).expect("a file");
    assert_eq!(written, b"01");
    assert_eq!(std::fs::read_dir(room.path()).expect("the folder").count(), 1);
}
