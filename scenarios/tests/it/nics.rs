//! Nodes with several NICs: what shares a port, and what an end on another socket costs.

use std::sync::Arc;

use mpi_api::{
    api::{initialize, traits::*},
    outcome::Ending,
};
use network_models::Catalog;
use scenarios::{
    error::Error,
    machine::Machine,
    scenario::{Request, Scenario},
};
use serde_json::{Value, json};

/// The ideal machine (1 us, 50 ns a hop, 1 GB/s) with two sockets a node and these further keys.
fn read(further: &Value) -> Result<Machine, Error> {
    let ideal = Machine::load("ideal").expect("a machine of ours");
    let mut file = serde_json::to_value(&ideal).expect("it is plain data");
    let number = |value: f64| json!({ "value": value, "provenance": "defined" });
    let mut node = json!({
        "sockets": number(2.0),
        "other_socket_latency_ns": number(200.0),
        "other_socket_bandwidth_bytes_per_s": number(5e9),
    });
    for (key, value) in further.as_object().expect("keys") {
        node[key] = value.as_f64().map_or(value.clone(), number);
    }
    file["node"] = node;
    Machine::from_json(&file.to_string(), "m.json", &Catalog::standard())
}

fn machine(further: &Value) -> Machine {
    read(further).expect("it is allowed")
}

/// Sends 100 kB from each rank of the lower half to one of the upper half.
fn halves() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (half, rank) = (world.size() / 2, world.rank());
    let mut data = vec![0u8; 100_000];
    if rank < half {
        world.process_at_rank(rank + half).send(&data[..]);
    } else {
        world.process_at_rank(rank - half).receive_into(&mut data[..]);
    }
}

fn request(ranks: u32, ranks_per_node: u32, network: &str) -> Request {
    Request { ranks_per_node, network: Some(network.into()), ..Request::new("its own", ranks) }
}

fn resolved(machine: Machine, request: Request) -> Result<Scenario, Error> {
    request.resolve_on(machine, Arc::new(halves))
}

/// Returns the nanoseconds that the program takes.
fn time(machine: Machine, request: Request) -> u64 {
    let scenario = resolved(machine, request).unwrap_or_else(|error| panic!("{error}"));
    let result = scenario.run(None).expect("nothing is measured").result;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result.makespan.as_ps() / 1000
}

#[test]
fn messages_share_the_nics_of_their_sockets() {
    // Four ranks of node 0, two on each socket, send to four of node 1: 100 us of a port for each.
    for network in ["loggp", "link", "fluid", "packet"] {
        for (nics, together) in [(1, 4), (2, 2), (4, 1)] {
            let found = time(machine(&json!({ "nics": nics })), request(8, 4, network));
            // `loggp` knows no hops.
            let hop = if network == "loggp" { 0 } else { 100 };
            assert_eq!(found, together * 100_000 + 1000 + hop, "{network}, {nics} NICs");
        }
    }
    for (nics, together) in [(1, 4), (2, 2), (4, 1)] {
        let found = time(machine(&json!({ "nics": nics })), request(8, 4, "flit")) as f64;
        let ports = f64::from(together) * 100_000.0;
        assert!((ports..1.05 * ports + 1100.0).contains(&found), "{nics} NICs: {found}");
    }
}

#[test]
fn the_socket_decides_which_nic_a_rank_uses() {
    let both = |sockets: [u32; 2]| machine(&json!({ "nics": 2, "nic_sockets": sockets }));
    let two = |network| request(4, 2, network);
    let on_one = |network| Request { ranks_per_socket: Some(2), ..two(network) };
    for network in ["link", "fluid", "packet"] {
        // One rank on each socket, each with a NIC, and both on a socket with one or two of them.
        assert_eq!(time(both([0, 1]), two(network)), 101_100, "{network}");
        assert_eq!(time(both([0, 1]), on_one(network)), 201_100, "{network}");
        assert_eq!(time(both([0, 0]), on_one(network)), 101_100, "{network}");
        // Both NICs on the other socket: they are used in turn.
        assert_eq!(time(both([1, 1]), on_one(network)), 101_100, "{network}");
    }
}

#[test]
fn a_nic_on_another_socket_costs_time_at_each_end() {
    let across = |sockets: &[u32]| {
        let nics = sockets.len();
        machine(
            &json!({ "nics": nics, "nic_sockets": sockets, "other_socket_nic_latency_ns": 150 }),
        )
    };
    for network in ["constant", "loggp", "link", "fluid", "packet"] {
        let hop = if matches!(network, "constant" | "loggp") { 0 } else { 100 };
        let one_each = |sockets: &[u32]| time(across(sockets), request(2, 1, network));
        assert_eq!(one_each(&[0]), 101_000 + hop, "{network}");
        assert_eq!(one_each(&[1]), 101_300 + hop, "{network}");
    }
    // The second message waits for the first one at the only NIC, and then crosses twice.
    assert_eq!(time(across(&[0]), request(4, 2, "link")), 201_400);
    assert_eq!(time(across(&[0, 1]), request(4, 2, "link")), 101_100);
}

#[test]
fn nics_are_places_of_the_topology() {
    let two = || machine(&json!({ "nics": 2 }));
    let on = |topology: &str, ranks| Request {
        topology: Some(topology.into()),
        ..request(ranks, 2, "link")
    };
    // Four nodes fit on the eight places of the tree.
    let scenario = resolved(two(), on("fat-tree:2x3", 8)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((scenario.topology.nodes(), scenario.topology.machine_nodes()), (8, 4));
    let error = |topology: &str, ranks| match resolved(two(), on(topology, ranks)) {
        Ok(_) => panic!("{topology} is allowed"),
        Err(error) => error.to_string(),
    };
    let text = error("fat-tree:2x3", 10);
    assert!(text.contains("has 8 places, and 5 nodes with 2 NICs each need 10"), "{text}");
    let text = error("planes:2*fat-tree:2x3", 8);
    assert!(text.contains("one port each, and here they have 2"), "{text}");
    let gray = Request { placement: "gray".into(), ..on("hypercube:3", 8) };
    let text = resolved(two(), gray).map(|_| ()).expect_err("several places a node").to_string();
    assert!(text.contains("one NIC"), "{text}");
}

#[test]
fn wrong_nics_are_refused_with_their_place() {
    let wrong = [
        (json!({ "nics": 0 }), "/node/nics/value", "a whole number from 1 to 64"),
        (json!({ "nics": 1.5 }), "/node/nics/value", "is 1.5; allowed is a whole number"),
        (json!({ "nics": 65 }), "/node/nics/value", "is 65"),
        (json!({ "nics": 2, "nic_sockets": [0] }), "/node/nic_sockets", "a node has 2 NICs"),
        (json!({ "nic_sockets": [0, 1] }), "/node/nic_sockets", "lists 2, and a node has 1"),
        (json!({ "nics": 2, "nic_sockets": [0, 2] }), "/node/nic_sockets", "allowed is 0 to 1"),
    ];
    for (keys, place, words) in wrong {
        match read(&keys) {
            Err(Error::Json { pointer, reason, .. }) => {
                assert_eq!(pointer, place, "{keys}");
                assert!(reason.contains(words), "{keys}: {reason}");
            }
            other => panic!("{keys}: {other:?}"),
        }
    }
}
