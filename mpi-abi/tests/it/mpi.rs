//! The functions of MPI, called from C: programs of `ctest/mpi` that check their own results.

use std::{collections::BTreeSet, ffi::OsString, path::Path, process::Command, sync::Arc};

use guest::wrapper::{Kit, Language, Request};
use mpi_abi::{
    function,
    launch::{Compiled, HEADER, Output, function_names},
};
use mpi_api::{
    finding::{Code, are_clean},
    outcome::{Ending, Reordering, RunResult},
    run::{Program, run},
    settings::{Buffering, Environment, Settings},
};
use network_models::{
    Bandwidth, Constant, LinkParameters, Links, LocalPath, Method, Network, NodeId, Switching,
    TopologySpec,
};
use sim_core::{Limits, SimDuration};
use tempfile::TempDir;

use crate::{coverage::declared, harness::kits};

/// Compiles a program of `ctest/mpi` into `folder`.
pub(crate) fn compile(name: &str, folder: &Path) -> std::path::PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("ctest/mpi");
    let (c, cxx) = (sources.join(format!("{name}.c")), sources.join(format!("{name}.cpp")));
    let path = folder.join(name);
    if c.exists() {
        compile_file(&c, &path, &[]);
    } else {
        compile_file(&cxx, &path, &["-std=c++20"]);
    }
    path
}

/// Compiles a source of C or C++ to `path`.
pub(crate) fn compile_file(source: &Path, path: &Path, flags: &[&str]) {
    let names = function_names().expect("executable memory");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let headers = [("mpi.h", HEADER)];
    let kit = Kit { headers: &headers, functions: &names, launcher: Path::new("/bin/true") };
    let places = kit.install_below(&kits()).expect("a kit");
    let is_cxx = source.extension().is_some_and(|kind| kind == "cpp");
    let language = if is_cxx { Language::Cxx } else { Language::C };
    let mut words: Vec<OsString> = vec!["-Wall".into(), "-Werror".into(), "-O1".into()];
    words.extend([source.into(), "-o".into(), path.into()]);
    words.extend(flags.iter().map(OsString::from));
    let arguments = Request::of(&words).command(language, &places).all();
    let output = Command::new(language.compiler()).args(arguments).output().expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

pub(crate) fn simulate(program: &Program, ranks: u32, buffering: Buffering) -> RunResult {
    simulate_in(program, ranks, buffering, Environment::default())
}

pub(crate) fn simulate_in(
    program: &Program,
    ranks: u32,
    buffering: Buffering,
    environment: Environment,
) -> RunResult {
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = Constant::new(SimDuration::from_us(1), None, local);
    let nodes = (0..ranks).map(NodeId).collect();
    let settings = Settings { environment, ..settings(nodes, buffering) };
    run(settings, Box::new(network), program, None).0
}

fn simulate_on(
    program: &Program,
    nodes: Vec<NodeId>,
    network: Box<dyn Network>,
    buffering: Buffering,
) -> RunResult {
    run(settings(nodes, buffering), network, program, None).0
}

pub(crate) fn settings(nodes: Vec<NodeId>, buffering: Buffering) -> Settings {
    Settings {
        limits: Limits { events: 1_000_000, ..Limits::standard() },
        ..Settings::free(nodes, buffering)
    }
}

pub(crate) fn program(name: &str, folder: &TempDir) -> Program {
    let mut compiled = Compiled::new(Output::Print);
    compiled.add(&compile(name, folder.path()), &[], 1).expect("a program");
    Arc::new(compiled)
}

/// The program ends well on any number of ranks, without buffering too.
pub(crate) fn holds(name: &str) {
    holds_in(name, &Environment::default());
}

/// As [`holds`], with other things around the ranks.
fn holds_in(name: &str, environment: &Environment) {
    let folder = TempDir::new().expect("a folder");
    let program = program(name, &folder);
    for ranks in [1, 2, 3, 4, 6] {
        for buffering in [Buffering::zero(), Buffering::infinite()] {
            let result = simulate_in(&program, ranks, buffering, environment.clone());
            assert_eq!(result.ending, Ending::Completed, "{name} {ranks}: {:?}", result.findings);
            assert!(are_clean(&result.findings), "{name} on {ranks}: {:?}", result.findings);
        }
    }
}

#[test]
fn point_to_point() {
    holds("point_to_point");
}

#[test]
fn collectives() {
    holds("collective");
}

#[test]
fn objects() {
    holds("object");
}

#[test]
fn intercommunicators() {
    holds("intercommunicator");
}

#[test]
fn errors() {
    holds("error");
}

#[test]
fn topologies_agree_when_ranks_are_numbered_anew() {
    holds("reorder");
    let folder = TempDir::new().expect("a folder");
    let program = program("reorder", &folder);
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    for (name, ranks, shuffle) in [("hypercube:4", 16, 7), ("mesh:4x5", 20, 3), ("tree:2x4", 11, 4)]
    {
        let topology: TopologySpec = name.parse().expect("a topology");
        let topology = Arc::new(topology.build(ranks).expect("it fits"));
        let nodes = (0..ranks).map(|rank| NodeId(rank * shuffle % topology.nodes())).collect();
        let parameters = LinkParameters {
            latency: SimDuration::from_us(1),
            hop: SimDuration::from_ns(50),
            bandwidth: Bandwidth::from_bytes_per_sec(1_000_000_000),
            injection: None,
            switching: Switching::CutThrough,
        };
        let network = Links::new(topology, parameters, local);
        let result = simulate_on(&program, nodes, Box::new(network), Buffering::zero());
        assert_eq!(result.ending, Ending::Completed, "{name}: {:?}", result.findings);
        assert!(are_clean(&result.findings), "{name}: {:?}", result.findings);
        let moved = |one: &Reordering| one.method != Method::Identity && one.after < one.before;
        assert_eq!(result.reorderings.len(), 4, "{:?}", result.reorderings);
        assert!(result.reorderings.iter().all(moved), "{name}: {:?}", result.reorderings);
        assert!(result.reorderings.iter().all(|one| one.site.file.ends_with("reorder.c")));
    }
}

#[test]
fn waiting_for_a_time() {
    holds("deadline");
}

#[test]
fn all_forms_of_collectives() {
    holds("forms_of_collectives");
}

#[test]
fn all_forms_of_messages() {
    holds("forms_of_messages");
}

#[test]
fn arrays_and_odd_datatypes() {
    holds("array");
}

#[test]
fn requests() {
    holds("request");
}

#[test]
fn rows_and_columns_are_completed_in_every_way() {
    holds("strips");
}

#[test]
fn a_column_that_a_send_owns_may_not_change() {
    let folder = TempDir::new().expect("a folder");
    let program = program("strips_changed", &folder);
    let result = simulate(&program, 1, Buffering::infinite());
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    let codes: Vec<Code> = result.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::BufferConflict], "{:?}", result.findings);
}

#[test]
fn generalized_requests() {
    holds("generalized");
}

#[test]
fn statuses() {
    holds("status");
}

#[test]
fn handles() {
    holds("handle");
}

#[test]
fn predefined_datatypes() {
    holds("predefined");
}

#[test]
fn constructors_of_datatypes() {
    holds("constructors");
}

#[test]
fn datatypes_made_again_from_their_contents() {
    holds("rebuilt");
}

#[test]
fn bounds_of_datatypes() {
    holds("bounds");
}

#[test]
fn attributes_of_datatypes() {
    holds("type_attribute");
}

#[test]
fn portable_datatypes() {
    holds("portable");
}

#[test]
fn large_counts() {
    holds("large");
}

#[test]
fn partitioned_communication() {
    holds("partitioned");
}

#[test]
fn the_environment() {
    holds("environment");
}

#[test]
fn results_that_are_wanted_nowhere() {
    holds("null_result");
}

#[test]
fn packing() {
    holds("packing");
}

#[test]
fn buffered_mode() {
    let mut environment = Environment::default();
    environment.policies.set("buffered-send-overhead=ignored").expect("a policy");
    holds_in("buffered", &environment);
}

#[test]
fn probes() {
    holds("probing");
}

#[test]
fn exchanges() {
    holds("exchange");
}

#[test]
fn the_null_process() {
    holds("null_process");
}

#[test]
fn errors_of_messages() {
    holds("message_errors");
}

#[test]
fn a_run_gives_the_same_digest_again_and_the_sites_of_a_fault() {
    let folder = TempDir::new().expect("a folder");
    let program = program("faulty", &folder);
    let one = simulate(&program, 2, Buffering::infinite());
    let two = simulate(&program, 2, Buffering::infinite());
    assert_eq!(one.digest, two.digest);
    let finding = one.findings.first().expect("a fault");
    assert_eq!(finding.code, Code::Truncation);
    let lines: Vec<u32> =
        finding.sites.iter().filter_map(|site| site.site.map(|site| site.line)).collect();
    assert_eq!(lines, [9, 7], "the receive, then the send");
}

#[test]
fn the_header_declares_what_there_is() {
    let declared = declared();
    let exported: BTreeSet<&str> = function::exports()
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("MPI_"))
        .collect();
    let missing: Vec<_> = declared.difference(&exported).collect();
    let hidden: Vec<_> = exported.difference(&declared).collect();
    assert!(missing.is_empty(), "declared and not there: {missing:?}");
    assert!(hidden.is_empty(), "there and not declared: {hidden:?}");
}
