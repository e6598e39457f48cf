//! One-sided communication from C: right programs end well whenever accesses take effect, wrong ones are
//! found out, with both lines.

use std::sync::Arc;

use mpi_abi::launch::{Compiled, Output};
use mpi_api::{
    finding::{Code, are_clean},
    outcome::{Ending, RunResult},
    run::{Program, run},
    settings::{Buffering, OneSided, Progress, Races, Settings},
};
use network_models::{Constant, LocalPath, NodeId};
use sim_core::{SimDuration, TieBreak};
use tempfile::TempDir;

use crate::mpi::{compile, program, settings};

fn simulate(
    program: &Program,
    nodes: Vec<NodeId>,
    one_sided: OneSided,
    ties: TieBreak,
) -> RunResult {
    simulate_with(program, nodes, (one_sided, Races::Overlapping, Progress::Strong), ties)
}

fn simulate_with(
    program: &Program,
    nodes: Vec<NodeId>,
    (one_sided, races, progress): (OneSided, Races, Progress),
    ties: TieBreak,
) -> RunResult {
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = Constant::new(SimDuration::from_us(1), None, local);
    let base = settings(nodes, Buffering::zero());
    let settings = Settings { one_sided, races, progress, tie_break: ties, ..base };
    run(settings, Box::new(network), program, None).0
}

/// The program ends well with accesses that take effect early and late, and in several orders, on nodes
/// of one rank and of two.
fn holds(name: &str) {
    let folder = TempDir::new().expect("a folder");
    let program = program(name, &folder);
    for (ranks, each) in [(1, 1), (2, 1), (3, 1), (4, 2), (7, 1)] {
        for one_sided in [OneSided::Prompt, OneSided::Late] {
            for ties in [TieBreak::InsertionOrder, TieBreak::Seeded(3)] {
                let nodes: Vec<NodeId> = (0..ranks).map(|rank| NodeId(rank / each)).collect();
                let run = |races, progress| {
                    let way = (one_sided, races, progress);
                    let result = simulate_with(&program, nodes.clone(), way, ties);
                    let told = &result.findings;
                    assert_eq!(result.ending, Ending::Completed, "{name} on {ranks}: {told:?}");
                    assert!(are_clean(told), "{name} on {ranks}, {one_sided:?}: {told:?}");
                    result.digest
                };
                // What is compared, and how, changes nothing else.
                let compared = |races| run(races, Progress::Strong);
                let digests = [compared(Races::Overlapping), compared(Races::Causal)];
                run(Races::Causal, Progress::Weak);
                assert_eq!(digests[0], digests[1], "{name} on {ranks}");
            }
        }
    }
}

#[test]
fn windows_as_objects() {
    holds("windows");
}

#[test]
fn accesses_of_every_kind() {
    holds("accesses");
}

#[test]
fn epochs_locks_queues_tables_and_lists() {
    holds("epochs");
}

#[test]
fn threads_flush_each_others_accesses() {
    holds("window_threads");
}

#[test]
fn each_misuse_is_found() {
    use Code::*;
    let plain: &[(&str, Option<Code>, &[u32])] = &[
        ("none", None, &[]),
        ("no epoch", Some(EpochMisuse), &[10]),
        ("not locked", Some(EpochMisuse), &[55]),
        ("locked twice", Some(EpochMisuse), &[57, 57]),
        ("freed locked", Some(EpochMisuse), &[100, 58]),
        ("not started", Some(EpochMisuse), &[59]),
        ("not posted", Some(EpochMisuse), &[60]),
        ("never waited", Some(EpochMisuse), &[100, 63]),
        ("never completed", Some(DeadlockCycle), &[]),
        ("never posted", Some(DeadlockCycle), &[]),
        ("locked exposed", Some(EpochMisuse), &[73, 71]),
        ("lock not free", Some(EpochMisuse), &[78, 76]),
        ("crossed locks", Some(DeadlockCycle), &[83, 83, 81, 81]),
        ("shared locks", Some(WindowRace), &[10, 10]),
        ("fence or free", Some(CollectiveMismatch), &[]),
        ("outside", Some(InvalidArgument), &[10]),
        ("nowhere", Some(InvalidArgument), &[10]),
        ("leaked", Some(ResourceLeak), &[51]),
    ];
    let with_fences: &[(&str, Option<Code>, &[u32])] = &[
        ("none", None, &[]),
        ("promised none", Some(EpochMisuse), &[10, 13]),
        ("promised before", Some(EpochMisuse), &[37, 10]),
        ("promised no put", Some(EpochMisuse), &[10, 37]),
        ("promised no store", Some(EpochMisuse), &[42, 40]),
        ("some promise", Some(EpochMisuse), &[]),
        ("two puts", Some(WindowRace), &[10, 10]),
        ("put and get", Some(WindowRace), &[]),
        ("put and sum", Some(WindowRace), &[]),
        ("two operations", Some(WindowRace), &[20, 20]),
        ("request", Some(EpochMisuse), &[23, 13]),
        ("buffer sent", Some(BufferConflict), &[27, 26]),
        ("buffer changed", Some(BufferConflict), &[10, 37]),
        ("own memory sent", Some(WindowRace), &[33, 10]),
        ("lock inside", Some(EpochMisuse), &[36, 13]),
    ];
    let folder = TempDir::new().expect("a folder");
    let path = compile("windows_misused", folder.path());
    let cases = plain.iter().map(|case| (case, false));
    for ((how, code, lines), fences) in cases.chain(with_fences.iter().map(|case| (case, true))) {
        let words = [*how, "fences"];
        let words = words.iter().take(1 + usize::from(fences));
        let arguments: Vec<String> = words.map(ToString::to_string).collect();
        let mut compiled = Compiled::new(Output::Print);
        compiled.add(&path, &arguments, 1).expect("a program");
        let nodes: Vec<NodeId> = (0..3).map(NodeId).collect();
        let program: Program = Arc::new(compiled);
        for races in [Races::Overlapping, Races::Causal] {
            let way = (OneSided::Prompt, races, Progress::Strong);
            let result = simulate_with(&program, nodes.clone(), way, TieBreak::InsertionOrder);
            let first = result.findings.first();
            assert_eq!(first.map(|finding| finding.code), *code, "{how}: {:?}", result.findings);
            let Some(finding) = first.filter(|_| !lines.is_empty()) else { continue };
            let told: Vec<u32> =
                finding.sites.iter().filter_map(|site| site.site.map(|site| site.line)).collect();
            assert_eq!(told, *lines, "{how}: {finding:?}");
        }
    }
}

/// A program that reads before the fence: its data depend on when accesses take effect.
#[test]
fn accesses_may_take_effect_late() {
    let folder = TempDir::new().expect("a folder");
    let program = program("window_read_early", &folder);
    let ends = |one_sided| {
        let nodes = (0..2).map(NodeId).collect();
        simulate(&program, nodes, one_sided, TieBreak::InsertionOrder).ending
    };
    assert_eq!(ends(OneSided::Prompt), Ending::Completed);
    assert_eq!(ends(OneSided::Late), Ending::Failed);
}

/// Stores are no calls: they are found by what they change.
#[test]
fn stores_to_accessed_memory_are_found() {
    let folder = TempDir::new().expect("a folder");
    let path = compile("windows_stored", folder.path());
    for (how, is_found) in [
        ("put over a store", true),
        ("get of a store", true),
        ("store while exposed", true),
        ("neighbouring bytes", false),
        ("stores between", false),
        ("store after exposure", false),
        ("halos", false),
    ] {
        let mut compiled = Compiled::new(Output::Print);
        compiled.add(&path, &[how.to_owned()], 1).expect("a program");
        let nodes = (0..2).map(NodeId).collect();
        let program: Program = Arc::new(compiled);
        let result = simulate(&program, nodes, OneSided::Late, TieBreak::InsertionOrder);
        let found = result.findings.iter().any(|finding| finding.code == Code::WindowRace);
        assert_eq!(found, is_found, "{how}: {:?}", result.findings);
        assert_eq!(result.ending, Ending::Completed, "{how}: {:?}", result.findings);
    }
}
