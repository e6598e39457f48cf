//! Nodes with sockets: what the ranks of a node share, and where placements put them.

use std::sync::Arc;

use mpi_api::{
    api::{initialize, traits::*},
    outcome::Ending,
};
use network_models::Catalog;
use scenarios::{
    machine::Machine,
    scenario::{Request, Scenario},
};
use serde_json::{Value, json};

/// The ideal machine with two sockets a node. Two ranks of a socket have 100 ns and 10 GB/s, two
/// sockets 200 ns and 5 GB/s.
fn machine(further: &[(&str, f64)]) -> Machine {
    let ideal = Machine::load("ideal").expect("a machine of ours");
    let mut file = serde_json::to_value(&ideal).expect("it is plain data");
    let number = |value: f64| json!({ "value": value, "provenance": "defined" });
    let numbers = [
        ("sockets", 2.0),
        ("other_socket_latency_ns", 200.0),
        ("other_socket_bandwidth_bytes_per_s", 5e9),
    ];
    let section =
        numbers.iter().chain(further).map(|(key, value)| (String::from(*key), number(*value)));
    file["node"] = Value::Object(section.collect());
    Machine::from_json(&file.to_string(), "m.json", &Catalog::standard()).expect("it is allowed")
}

fn request(ranks: u32, ranks_per_node: u32) -> Request {
    let mut request = Request::new("its own", ranks);
    request.ranks_per_node = ranks_per_node;
    request
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

fn scenario(machine: Machine, request: Request) -> Scenario {
    request.resolve_on(machine, Arc::new(halves)).expect("it fits")
}

/// Returns the nanoseconds that the program takes.
fn time(machine: Machine, request: Request) -> u64 {
    let result = scenario(machine, request).run(None).expect("nothing is measured").result;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result.makespan.as_ps() / 1000
}

#[test]
fn ranks_of_a_socket_are_nearer_than_those_of_two() {
    // One rank on each socket, both on one, and none at all.
    assert_eq!(time(machine(&[]), request(2, 2)), 20_200);
    let both = Request { ranks_per_socket: Some(2), ..request(2, 2) };
    assert_eq!(time(machine(&[]), both), 10_100);
    let ideal = Machine::load("ideal").expect("a machine of ours");
    assert_eq!(time(ideal, request(2, 2)), 10_100);
}

#[test]
fn messages_of_a_node_share_its_memory() {
    let memory = [("memory_bandwidth_bytes_per_s", 10e9)];
    // Four messages from socket 0 to socket 1, which takes 10 us of both memories for each.
    assert_eq!(time(machine(&memory), request(8, 8)), 40_200);
    // On four nodes they do not meet.
    let cyclic = Request { placement: "cyclic".into(), ..request(8, 2) };
    assert_eq!(time(machine(&memory), cyclic), 20_200);
}

#[test]
fn placements_deal_ranks_to_nodes() {
    // In blocks partners are on different nodes, which takes at least 1 us and 100 us.
    assert!(time(machine(&[]), request(8, 4)) > 101_000);
    let cyclic = Request { placement: "cyclic".into(), ..request(8, 4) };
    assert_eq!(time(machine(&[]), cyclic), 20_200);
    let refused = |request: Request| match request
        .resolve_on(machine(&[("cores_per_socket", 2.0)]), Arc::new(halves))
    {
        Ok(_) => panic!("it is allowed"),
        Err(error) => error.to_string(),
    };
    let text = refused(request(5, 5));
    assert!(text.contains("1 to 4, the cores of a node"), "{text}");
    let text = refused(Request { ranks_per_socket: Some(3), ..request(4, 4) });
    assert!(text.contains("1 to 2"), "{text}");
}
