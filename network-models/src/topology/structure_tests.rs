//! Structural numbers against closed forms (Dally and Towles, chapters 3 to 5).

use super::{Structure, Topology, TopologySpec};

fn structure(name: &str) -> Structure {
    let spec: TopologySpec = name.parse().expect("a topology");
    let topology: Topology = spec.build(1).expect("it fits");
    topology.structure()
}

fn check(name: &str, links: u64, degree: u32, diameter: u32, mean_hops: f64, bisection: u64) {
    let s = structure(name);
    assert_eq!(
        (s.links, s.degree, s.diameter, s.bisection),
        (links, degree, diameter, bisection),
        "{name}"
    );
    assert!((s.mean_hops - mean_hops).abs() < 1e-9, "{name}: {} and {mean_hops}", s.mean_hops);
}

/// From a mean over all pairs to one over pairs of different nodes.
fn different(mean: f64, nodes: u32) -> f64 {
    mean * f64::from(nodes) / f64::from(nodes - 1)
}

/// Mean distance of two places on a ring, the same place included.
fn around(size: u32) -> f64 {
    let n = f64::from(size);
    if size.is_multiple_of(2) { n / 4.0 } else { (n * n - 1.0) / (4.0 * n) }
}

/// The same on a line.
fn along(size: u32) -> f64 {
    let n = f64::from(size);
    (n * n - 1.0) / (3.0 * n)
}

#[test]
fn rings_and_lines() {
    for p in [3u32, 4, 7, 8, 33, 64] {
        check(&format!("ring:{p}"), p.into(), 2, p / 2, different(around(p), p), 2);
        let degree = if p > 2 { 2 } else { 1 };
        let links = u64::from(p) - 1;
        check(&format!("linear:{p}"), links, degree, p - 1, different(along(p), p), 1);
    }
}

#[test]
fn meshes_and_tori() {
    for k in [3u32, 4, 5, 8] {
        let (nodes, side) = (k * k, u64::from(k));
        let mean = different(2.0 * along(k), nodes);
        check(&format!("mesh:{k}x{k}"), 2 * side * (side - 1), 4, 2 * (k - 1), mean, side);
        let mean = different(2.0 * around(k), nodes);
        check(&format!("torus:{k}x{k}"), 2 * side * side, 4, 2 * (k / 2), mean, 2 * side);
        let (nodes, mean) = (k * k * k, different(3.0 * around(k), k * k * k));
        let bisection = 2 * side * side;
        check(&format!("torus:{k}x{k}x{k}"), 3 * u64::from(nodes), 6, 3 * (k / 2), mean, bisection);
    }
    let mean = different(along(2) + along(3) + along(4), 24);
    check("mesh:2x3x4", 12 + 16 + 18, 5, 1 + 2 + 3, mean, 6);
}

#[test]
fn hypercubes() {
    for d in [1u32, 2, 3, 6, 10] {
        let nodes = 1u32 << d;
        let links = u64::from(nodes / 2 * d);
        let mean = different(f64::from(d) / 2.0, nodes);
        check(&format!("hypercube:{d}"), links, d, d, mean, u64::from(nodes / 2));
    }
}

#[test]
fn crossbars_and_stars() {
    for p in [2u32, 5, 16] {
        check(&format!("crossbar:{p}"), p.into(), p, 2, 2.0, u64::from(p / 2));
        let mean = 2.0 * f64::from(p - 1) / f64::from(p);
        let diameter = if p > 2 { 2 } else { 1 };
        check(&format!("star:{p}"), u64::from(p) - 1, p - 1, diameter, mean, u64::from(p / 2));
    }
}

#[test]
fn trees() {
    for (k, levels) in [(2u32, 2u32), (2, 5), (3, 3), (5, 2)] {
        let below = |levels: u32| (0..levels).map(|level| k.pow(level)).sum::<u32>();
        let p = below(levels);
        // A cable below level l separates the subtree under it from the rest.
        let crossings: f64 = (1..levels)
            .map(|level| {
                let under = f64::from(below(levels - level));
                f64::from(k.pow(level)) * 2.0 * under * (f64::from(p) - under)
            })
            .sum();
        let mean = crossings / (f64::from(p) * f64::from(p - 1));
        let degree = if levels > 2 { k + 1 } else { k };
        let name = format!("tree:{k}x{levels}");
        check(&name, u64::from(p) - 1, degree, 2 * (levels - 1), mean, 1);
    }
}

#[test]
fn fat_trees_with_and_without_taper() {
    for (k, n, taper) in
        [(2u32, 3u32, 1u32), (4, 2, 1), (4, 3, 1), (4, 3, 2), (4, 3, 4), (8, 2, 2), (6, 1, 1)]
    {
        let (p, up) = (k.pow(n), k / taper);
        let name = format!("fat-tree:{k}x{n}:{taper}");
        let cables = u64::from(p) + u64::from(n - 1) * u64::from(up * k.pow(n - 1));
        let degree = match n {
            1 => k,
            2 => k + up,
            _ => 2 * k,
        };
        let hops: f64 = (0..n).map(|l| f64::from(2 * (l + 1) * (k - 1) * k.pow(l))).sum();
        let bisection = u64::from(p / 2) / if n > 1 { u64::from(taper) } else { 1 };
        check(&name, cables, degree, 2 * n, hops / f64::from(p - 1), bisection);
        let switches = k.pow(n - 1) + (n - 1) * if n > 1 { up * k.pow(n - 2) } else { 0 };
        assert_eq!(structure(&name).switches, switches, "{name}");
    }
}

#[test]
fn edge_lists() {
    // The Petersen graph: 3-regular, diameter 2, 6 of 9 others at distance 2.
    let list = "0 1\n1 2\n2 3\n3 4\n4 0\n0 5\n1 6\n2 7\n3 8\n4 9\n5 7\n7 9\n9 6\n6 8\n8 5\n";
    let spec = TopologySpec::from_edge_list(list).expect("an edge list");
    let s = spec.build(10).expect("connected").structure();
    assert_eq!((s.nodes, s.links, s.degree, s.diameter), (10, 15, 3, 2));
    assert!((s.mean_hops - 15.0 / 9.0).abs() < 1e-9);
}
