//! Helpers for the tests of all topologies: structural numbers compared with closed forms (Dally
//! and Towles, chapters 3 to 5), and the agreement of graph and routes.

use super::{Structure, Topology, TopologySpec};
use crate::network::NodeId;

pub(super) fn build(name: &str) -> Topology {
    let spec: TopologySpec = name.parse().expect("a topology");
    spec.build(1).expect("it fits")
}

pub(super) fn structure(name: &str) -> Structure {
    build(name).structure()
}

/// Checks graph and routes of each named topology.
pub(super) fn verify(names: &[&str]) {
    for name in names {
        build(name).verify().unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Checks graph and routes of each named topology, that its routes are the shortest, and that its
/// virtual channels make it free from deadlock.
pub(super) fn sound(names: &[&str]) {
    verify(names);
    for name in names {
        let topology = build(name);
        for source in 0..topology.nodes() {
            let hops = (0..).map(|target| topology.hops(NodeId(source), NodeId(target)));
            assert!(topology.distances(source).eq(hops.take(topology.nodes() as usize)), "{name}");
        }
        assert_eq!(topology.deadlock(), None, "{name}");
    }
}

pub(super) fn check(
    name: &str,
    links: u64,
    degree: u32,
    diameter: u32,
    mean_hops: f64,
    bisection: u64,
) {
    let s = structure(name);
    assert_eq!(
        (s.links, s.degree, s.diameter, s.bisection),
        (links, degree, diameter, bisection),
        "{name}"
    );
    assert!((s.mean_hops - mean_hops).abs() < 1e-9, "{name}: {} and {mean_hops}", s.mean_hops);
}

/// Converts a mean over all pairs to one over pairs of different nodes.
pub(super) fn different(mean: f64, nodes: u32) -> f64 {
    mean * f64::from(nodes) / f64::from(nodes - 1)
}

/// Returns the mean distance of two places on a ring, including equal ones.
pub(super) fn around(size: u32) -> f64 {
    let n = f64::from(size);
    if size.is_multiple_of(2) { n / 4.0 } else { (n * n - 1.0) / (4.0 * n) }
}

/// Returns the mean distance of two places on a line, including equal ones.
pub(super) fn along(size: u32) -> f64 {
    let n = f64::from(size);
    (n * n - 1.0) / (3.0 * n)
}
