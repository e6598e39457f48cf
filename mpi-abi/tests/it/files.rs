//! Files from C: right programs end well, wrong ones are found out, with their lines.

use std::sync::Arc;

use mpi_abi::launch::{Compiled, Output};
use mpi_api::{
    finding::{Code, are_clean},
    outcome::{Ending, RunResult},
    run::{Program, run},
    settings::{
        Buffering, ClientCache, CollectiveSynchronization, Environment, Filesystem, Settings,
    },
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
        for synchronisation in [CollectiveSynchronization::Full, CollectiveSynchronization::Minimal]
        {
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
    assert!(are_clean(&result.findings), "{:?}", result.findings);
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
        ("closed begun", Some(RequestMisuse), &[75, 52]),
        ("closed early", Some(RequestMisuse), &[55, 54]),
        ("request lost", Some(RequestMisuse), &[75, 58]),
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

#[test]
fn accesses_are_in_progress_until_they_are_completed() {
    let files = Files::new("files_in_progress");
    for how in ["split", "waited for", "tested", "known", "apart", "combs", "atomic", "shared"] {
        for synchronisation in [CollectiveSynchronization::Full, CollectiveSynchronization::Minimal]
        {
            for tie_break in [TieBreak::InsertionOrder, TieBreak::Seeded(3)] {
                let settings = Settings { synchronisation, tie_break, ..on(2) };
                let result = files.run(&[how], settings);
                assert_eq!(result.ending, Ending::Completed, "{how}: {:?}", result.findings);
                assert!(result.findings.is_empty(), "{how}: {:?}", result.findings);
            }
        }
    }
    let cases: &[(&str, Code, &[u32])] = &[
        ("twice", Code::FileRace, &[88, 87]),
        ("read meanwhile", Code::FileRace, &[92, 91]),
        ("split meanwhile", Code::FileRace, &[96, 95]),
        ("both split", Code::FileRace, &[100, 100]),
        ("both nonblocking", Code::FileRace, &[103, 103]),
        ("synchronised", Code::RequestMisuse, &[11, 105]),
        ("resized", Code::RequestMisuse, &[110, 109]),
        ("viewed", Code::RequestMisuse, &[114, 113]),
        ("closed late", Code::RequestMisuse, &[120, 118]),
    ];
    for (how, code, lines) in cases {
        let result = files.run(&[how], Settings { filesystem: slow(1), ..on(2) });
        let told = &result.findings;
        assert!(told.iter().all(|finding| finding.code == *code), "{how}: {told:?}");
        let finding = told.first().unwrap_or_else(|| panic!("{how} is wrong"));
        let sites = finding.sites.iter().filter_map(|place| place.site);
        let found: Vec<u32> = sites.map(|site| site.line).collect();
        assert_eq!(found, *lines, "{how}: {finding:?}");
    }
}

#[test]
fn accesses_through_different_handles_need_order() {
    let files = Files::new("files_across");
    for how in ["one after the other", "synchronised", "opened later", "apart", "only read"] {
        for tie_break in [TieBreak::InsertionOrder, TieBreak::Seeded(3)] {
            let result = files.run(&[how], Settings { tie_break, ..on(2) });
            assert_eq!(result.ending, Ending::Completed, "{how}: {:?}", result.findings);
            assert!(result.findings.is_empty(), "{how}: {:?}", result.findings);
        }
    }
    let cases = [
        ("barrier alone", [81, 79]),
        ("atomic", [89, 87]),
        ("reader did not", [99, 95]),
        ("writer closed", [110, 105]),
        ("own two", [118, 116]),
    ];
    for (how, lines) in cases {
        let told = files.run(&[how], on(2)).findings;
        let codes: Vec<Code> = told.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::FileRace], "{how}: {told:?}");
        let sites = told[0].sites.iter().filter_map(|place| place.site);
        assert_eq!(sites.map(|site| site.line).collect::<Vec<_>>(), lines, "{how}: {told:?}");
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
        ..Filesystem::default()
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

/// Runs `files_plain` with files of the language that take time.
fn plainly((files, ranks): (&Files, u32), how: &str, filesystem: Filesystem) -> RunResult {
    let environment = Environment { models_io: true, ..Environment::default() };
    let result = files.run(&[how], Settings { environment, filesystem, ..on(ranks) });
    assert_eq!(result.ending, Ending::Completed, "{how}: {:?}", result.findings);
    assert!(result.findings.is_empty(), "{how}: {:?}", result.findings);
    result
}

fn milliseconds(result: &RunResult) -> u64 {
    result.makespan.as_ps() / 1_000_000_000
}

#[test]
fn plain_files_take_the_time_of_their_servers() {
    let files = Files::new("files_plain");
    // Opening and closing take a second each, one rank after the other; a request takes 10 ms, a byte 1 ms.
    for (ranks, servers, how, took) in [
        (1, 1, "pwrite", 10 + 1200),
        (1, 4, "pwrite", 10 + 300),
        (1, 4, "twice", 2 * (10 + 300)),
        (1, 1, "write", 10 + 1200),
        (1, 1, "append", 10 + 1200),
        (1, 1, "vector", 10 + 1200),
        (1, 1, "copied", 10 + 1200 + 1000),
        (1, 1, "small", 12 * (10 + 100)),
        (1, 1, "sync", 2 * (10 + 1200)),
        (1, 1, "read", 2 * (10 + 1200)),
        (1, 1, "past", 10 + 1200 + 10 + 200),
        (1, 1, "truncate", 1000),
        (1, 1, "stream", 10 + 1200),
        (1, 1, "stream read", 2 * (10 + 1200)),
        (1, 1, "without MPI", 10 + 1200),
    ] {
        let result = plainly((&files, ranks), how, slow(servers));
        assert_eq!(milliseconds(&result), 2000 + took, "{how}, {ranks} ranks, {servers} servers");
        let free = files.run(&[how], on(ranks));
        assert!(free.findings.is_empty(), "{how}: {:?}", free.findings);
        assert!(
            free.servers.is_none() && milliseconds(&free) == 0,
            "{how} takes no time otherwise"
        );
    }
    // One rank opens after one second and has the server of data for 1,210 ms; the other opens a second later, and
    // its 1,200 ms begin where those of the first one end.
    let two = plainly((&files, 2), "pwrite", slow(1));
    assert_eq!(milliseconds(&two), 1000 + 1210 + 1200 + 1000, "{:?}", two.servers);
    let none = plainly((&files, 1), "no files", slow(1));
    assert_eq!((milliseconds(&none), none.servers), (0, None));
}

#[test]
fn servers_do_not_tell_plain_files_from_those_of_mpi() {
    let files = Files::new("files_plain");
    // Both open and close; the two accesses follow each other.
    let result = plainly((&files, 1), "by MPI", slow(1));
    assert_eq!(milliseconds(&result), 4000 + 2 * (10 + 1200));
    let loads = result.servers.expect("they were asked");
    assert_eq!((loads.data[0].written, loads.data[0].read), (1200, 1200));
    assert_eq!((loads.data[0].requests, loads.metadata.requests), (2, 4));
    assert_eq!(result.ranks[0].files, SimDuration::from_us(4_000_000 + 2 * 1_210_000));
    // What the node has written is in its memory, for MPI too. It is stored when the file is closed.
    let cache = Some(ClientCache { bytes: 2000, byte_time: ByteTime::from_fs(10_000_000_000) });
    let cached = || Filesystem { cache, ..slow(1) };
    assert_eq!(milliseconds(&plainly((&files, 1), "by MPI", cached())), 4000 + 2 * 12);
    assert_eq!(milliseconds(&plainly((&files, 1), "pwrite", cached())), 2000 + 10 + 1200);
    assert_eq!(milliseconds(&plainly((&files, 1), "sync", cached())), 2000 + 10 + 1200 + 12);
    let there = Filesystem { server_nodes: [NodeId(1)].into(), ..slow(1) };
    let far = plainly((&files, 1), "pwrite", there).makespan;
    // The network takes 1 us each way.
    assert_eq!(
        far.since(plainly((&files, 1), "pwrite", slow(1)).makespan),
        SimDuration::from_us(2)
    );
}

#[test]
fn streams_of_other_languages_take_time_too() {
    let files = Files::new("files_streamed");
    // Opening and closing, twice; 1,200 bytes are written and read, both in one request.
    let result = plainly((&files, 1), "", slow(1));
    assert_eq!(milliseconds(&result), 2 * 2000 + 2 * (10 + 1200), "{:?}", result.servers);
    let free = files.run(&[""], on(1));
    assert!(free.findings.is_empty() && milliseconds(&free) == 0, "{:?}", free.findings);
}

#[test]
fn streams_do_the_same_whether_they_take_time_or_not() {
    let files = Files::new("files_plain");
    let end = |modelled| {
        match modelled {
            true => drop(plainly((&files, 2), "every stream", slow(2))),
            false => {
                let result = files.run(&["every stream"], on(2));
                assert!(result.findings.is_empty(), "{:?}", result.findings);
            }
        }
        let left = |rank| std::fs::read(files.folder.path().join(format!("data/plain.{rank}")));
        [left(0).expect("a file"), left(1).expect("a file")]
    };
    assert_eq!(end(true), end(false));
    assert_eq!(end(true)[0], b"17 Ap12!");
}

/// The milliseconds of a run of `files_hinted` besides opening and closing, and what its servers did.
fn hinted(
    (files, ranks): (&Files, u32),
    model: Filesystem,
    further: &[&str],
) -> (u64, mpi_api::outcome::ServerLoads) {
    let settings = Settings { filesystem: model, ..on(ranks) };
    let result = files.run(further, settings);
    assert!(result.findings.is_empty(), "{further:?}: {:?}", result.findings);
    let loads = result.servers.expect("files were used");
    (result.makespan.as_ps() / 1_000_000_000 - 2000, loads)
}

#[test]
fn combs_take_the_time_of_their_technique() {
    let files = Files::new("files_hinted");
    // Each rank has 8 teeth of 100 bytes; a request takes 10 ms and a byte 1 ms, one server.
    let alone = ["romio_cb_write=disable", "romio_cb_read=disable"];
    let two_phases = ["romio_cb_write=enable", "romio_cb_read=enable"];
    for (ranks, steps, hints, milliseconds) in [
        // The comb of one rank has no gaps.
        (1, "w", &[][..], 10 + 800),
        // Each tooth by itself; the server is busy with the other rank meanwhile.
        (2, "w", &["romio_ds_write=disable"][..], 10 + 1600),
        (2, "W", &[&alone[..], &["romio_ds_write=disable"]].concat()[..], 10 + 1600),
        // 1,500 bytes are read and written, by both ranks one after the other.
        (2, "w", &["romio_ds_write=enable"][..], 10 + 4 * 1500),
        (2, "Wr", &["romio_ds_read=enable"][..], 10 + 1600 + 10 + 2 * 1500),
        // One aggregator moves all bytes, in one round or in four.
        (2, "W", &["cb_nodes=1"][..], 10 + 1600),
        (2, "W", &["cb_nodes=1", "cb_buffer_size=400"][..], 4 * 10 + 1600),
        (2, "W", &["romio_cb_write=enable", "cb_nodes=2"][..], 10 + 1600),
        (2, "WR", &[&two_phases[..], &["cb_nodes=1"]].concat()[..], 2 * (10 + 1600)),
        // Nonblocking and split ones likewise; of two at once, the server takes the second while the first one's answer
        // is under way.
        (2, "NM", &["cb_nodes=1"][..], 2 * (10 + 1600)),
        (2, "BC", &["cb_nodes=1"][..], 2 * (10 + 1600)),
        (2, "N", &["cb_nodes=1", "cb_buffer_size=400"][..], 4 * 10 + 1600),
        (2, "P", &["cb_nodes=1"][..], 10 + 1600),
        (2, "NM", &[&alone[..], &["romio_ds_write=disable"]].concat()[..], 2 * (10 + 1600)),
    ] {
        let further: Vec<&str> = [steps].iter().chain(hints).copied().collect();
        let (took, loads) = hinted((&files, ranks), slow(1), &further);
        assert_eq!(took, milliseconds, "{further:?}, {ranks} ranks: {loads:?}");
    }
}

#[test]
fn aggregators_share_the_servers() {
    let files = Files::new("files_hinted");
    // 3,200 bytes in stripes of 100: two aggregators have 16 stripes each, on two servers.
    let (took, loads) = hinted((&files, 4), slow(2), &["W", "cb_nodes=2"]);
    assert_eq!(took, 10 + 1600);
    let written: Vec<u64> = loads.data.iter().map(|load| load.written).collect();
    assert_eq!(written, [1600, 1600]);
    assert_eq!(loads.data[0].requests, 2);
    // The file is on one of four servers, the third.
    let hints = ["W", "striping_factor=1", "start_iodevice=2", "striping_unit=50"];
    let (took, loads) = hinted((&files, 4), slow(4), &hints);
    assert_eq!(took, 10 + 3200);
    let written: Vec<u64> = loads.data.iter().map(|load| load.written).collect();
    assert_eq!(written, [0, 0, 3200, 0]);
}

#[test]
fn ranks_that_need_not_wait_do_not_gather() {
    let files = Files::new("files_hinted");
    let settings = Settings { synchronisation: CollectiveSynchronization::Minimal, ..on(3) };
    let result = files.run(&["WssRNMBC"], Settings { filesystem: slow(2), ..settings.clone() });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    let result = Files::new("files_relies")
        .run(&[], Settings { synchronisation: CollectiveSynchronization::Minimal, ..on(2) });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}

#[test]
fn an_access_that_others_do_not_begin_stalls() {
    let result = Files::new("files_relies").run(&[], on(2));
    assert_eq!(result.ending, Ending::Stalled, "{:?}", result.findings);
    let sites = &result.findings[0].sites;
    let calls: Vec<(u32, &str, Option<u32>)> =
        sites.iter().map(|site| (site.rank, site.call, site.peer)).collect();
    let begun = (0, "MPI_File_iwrite_at_all", None);
    assert_eq!(calls, [(0, "MPI_Wait", None), (1, "MPI_Recv", Some(0)), begun]);
}

#[test]
fn servers_in_the_network_are_reached_through_it() {
    let files = Files::new("files_timed");
    let model = Filesystem { server_nodes: [NodeId(1)].into(), ..slow(1) };
    let time = |model: Filesystem| {
        let result = files.run(&["once"], Settings { filesystem: model, ..on(1) });
        assert!(result.findings.is_empty(), "{:?}", result.findings);
        result.makespan.as_ps()
    };
    // The network takes 1 us each way, whatever the size.
    assert_eq!(time(model) - time(slow(1)), 2_000_000);
}

#[test]
fn a_cache_takes_what_it_can_hold() {
    let files = Files::new("files_hinted");
    let cached = |bytes| Filesystem {
        // A byte of memory takes 10 us.
        cache: Some(ClientCache { bytes, byte_time: ByteTime::from_fs(10_000_000_000) }),
        ..slow(1)
    };
    // Closing waits for the server; what was written is read from memory, in 8 ms.
    assert_eq!(hinted((&files, 1), cached(1000), &["w"]).0, 10 + 800);
    assert_eq!(hinted((&files, 1), cached(1000), &["wr"]).0, 10 + 800);
    assert_eq!(hinted((&files, 1), cached(1000), &["wsr"]).0, 10 + 800 + 8);
    // Without room the write waits, and half of it is read from the server.
    assert_eq!(hinted((&files, 1), cached(400), &["wr"]).0, 10 + 800 + 10 + 400);
    assert_eq!(hinted((&files, 1), slow(1), &["wr"]).0, 2 * (10 + 800));
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
