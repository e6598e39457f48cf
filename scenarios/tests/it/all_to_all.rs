//! An all-to-all whose messages go in all directions at any time keeps the busiest link or port of a network busy.

use std::collections::BTreeMap;

use mpi_api::outcome::Ending;
use network_models::{NodeId, Topology};
use scenarios::{options::Data, scenario::Request};

/// Bytes of a block: a nanosecond each on a link or port of the ideal machine.
const BYTES: u64 = 100_000;

/// Returns how many blocks the busiest link or port carries.
fn busiest(topology: &Topology, ranks: u32) -> u64 {
    let mut carried = BTreeMap::new();
    let mut route = Vec::new();
    for (from, to) in (0..ranks).flat_map(|from| (0..ranks).map(move |to| (from, to))) {
        route.clear();
        topology.route(NodeId(from), NodeId(to), &mut route);
        route.iter().for_each(|link| *carried.entry(*link).or_default() += 1);
    }
    carried.into_values().max().unwrap_or(0).max(u64::from(ranks - 1))
}

/// Returns the time of the built-in all-to-all under `link`, as a multiple of what the busiest link or port needs.
fn ratio(topology: &str, ranks: u32, algorithm: &str) -> f64 {
    let mut request = Request {
        topology: Some(topology.into()),
        network: Some("link".into()),
        collectives: vec![format!("alltoall={algorithm}")],
        data: Data::UpTo(Data::NONE),
        ..Request::new("alltoall", ranks)
    };
    request.parameters.insert("bytes".into(), BYTES.to_string());
    let scenario = request.resolve().expect("a scenario");
    let result = scenario.run(None).expect("nothing is measured").result;
    assert_eq!(result.ending, Ending::Completed, "{topology}");
    let least = busiest(&scenario.topology, ranks) * BYTES * 1000;
    result.makespan.as_ps() as f64 / least as f64
}

#[test]
fn a_strided_all_to_all_comes_close_to_the_busiest_link() {
    for (topology, ranks) in [
        ("torus:8x8", 64),
        ("mesh:8x8", 64),
        ("torus:4x4x4", 64),
        ("mesh:4x4x4", 64),
        ("hypercube:6", 64),
        ("ring:64", 64),
        ("torus:10x10", 100),
        ("torus:6x6x6", 216),
    ] {
        let strided = ratio(topology, ranks, "strided");
        assert!((1.0..1.15).contains(&strided), "{topology}: {strided}");
    }
    // The order decides, not the network: all ranks begin with links to one side.
    assert!(ratio("torus:8x8", 64, "linear") > 1.45);
}
