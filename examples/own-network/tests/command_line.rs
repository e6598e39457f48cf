//! Tests that the commands accept the example's topology and network models by name.

use std::{fs, process::Command};

use own_network::{bus::BusKind, prism::Prism, shared::SharedKind};
use windtunnel::{CommandLine, Run, mpi::traits::*};

fn command(words: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_own-network")).args(words).output();
    let output = output.expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn list_shows_them() {
    let (code, topologies, _) = command(&["list", "topologies"]);
    assert_eq!(code, Some(0));
    assert!(topologies.contains("prism[:SIDES]"), "{topologies}");
    assert!(topologies.contains("torus[:AxBx..]"), "{topologies}");
    let (_, networks, _) = command(&["list", "networks"]);
    assert!(networks.contains("bus") && networks.contains("shared"), "{networks}");
}

#[test]
fn run_takes_them() {
    let words = ["run", "allgather-ring", "-n", "9", "--topology", "prism", "--network", "link"];
    let (code, text, error) = command(&words);
    assert_eq!(code, Some(0), "{error}");
    assert!(text.contains("prism:5"), "{text}");
    assert!(text.contains("(0,") && text.contains("->"), "the hottest link by name: {text}");
}

#[test]
fn check_gives_the_same_verdicts_on_them() {
    for (program, network, code) in [
        ("allgather-ring", "bus", 1),
        ("allgather-ring-sendrecv", "shared", 0),
        ("crossed-receives", "shared", 1),
        ("jacobi-waitall", "shared", 0),
    ] {
        let words =
            ["check", program, "-n", "4", "--network", network, "--topology", "prism", "--quiet"];
        let (got, text, error) = command(&words);
        assert_eq!(got, Some(code), "{program} {network}: {text}{error}");
    }
}

#[test]
fn compare_ranks_them_and_draws_them() {
    let page = std::env::temp_dir().join(format!("own-network-{}.html", std::process::id()));
    let words = [
        "compare",
        "alltoall-cube",
        "-n",
        "8",
        "--topologies",
        "prism,ring",
        "--report",
        page.to_str().expect("a plain path"),
    ];
    let (code, text, error) = command(&words);
    assert_eq!(code, Some(0), "{error}");
    let [prism, ring] = ["prism:4", "ring:8"].map(|name| text.find(name).expect("a row"));
    assert!(prism < ring, "a prism is faster: {text}");
    let html = fs::read_to_string(&page).expect("it was written");
    fs::remove_file(&page).expect("it was written");
    assert!(html.contains("How busy the links of prism:4 were"));
}

#[test]
fn wrong_names_and_sizes_are_refused_with_the_names_of_all() {
    let (code, _, error) = command(&["run", "allgather-ring", "--topology", "prisma"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("did you mean `prism`?"), "{error}");
    let (code, _, error) = command(&["run", "allgather-ring", "--network", "buss"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("did you mean `bus`?"), "{error}");
    let (code, _, error) = command(&["run", "allgather-ring", "--topology", "prism:2"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("SIDES, at least 3"), "{error}");
}

fn run(network: &str) -> Run {
    Run::new(6)
        .add_topology(Prism)
        .add_network(BusKind)
        .add_network(SharedKind)
        .topology("prism")
        .network(network)
}

/// Returns the time at which rank 0 has received a message of a million bytes from each other rank.
fn gathered(network: &str) -> f64 {
    let finished = run(network).run(|world| {
        let mut all = vec![0u8; 6_000_000];
        let own = vec![1u8; 1_000_000];
        if world.rank() == 0 {
            world.this_process().gather_into_root(&own, &mut all);
        } else {
            world.process_at_rank(0).gather_into(&own);
        }
        world.wtime()
    });
    finished.values[0]
}

#[test]
fn whoever_shares_the_cable_it_is_busy_as_long() {
    let [bus, shared] = ["bus", "shared"].map(gathered);
    assert!(bus > 4e-3, "five megabytes at a gigabyte a second: {bus}");
    assert!((shared / bus - 1.0).abs() < 0.01, "{bus} and {shared}");
}

#[test]
fn a_run_in_a_test_takes_them() {
    run("shared").check(|world| world.barrier()).assert_clean();
    let twice = run("bus").add_network(BusKind).try_run(|world| world.barrier());
    let Err(error) = twice else { panic!("the name is taken") };
    assert_eq!(error.to_string(), "there is already a network model called `bus`");
    let _: CommandLine = CommandLine::new().topology(Prism);
}
