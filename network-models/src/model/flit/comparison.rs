//! The model `flit` against BookSim 2 (Jiang et al., "A detailed and flexible cycle-accurate
//! network-on-chip simulator", ISPASS 2013) on the same configurations.
//!
//! The figures are results of BookSim 2 with its defaults, but for 4 or 8 virtual channels, and with
//! `sample_period = 3000` and `max_samples = 20`. Its uniform traffic includes messages of nodes to
//! themselves, and its tori have links of two cycles.

use std::thread;

use super::{
    Allocation, Classes, FlitParameters,
    testing::{measured_with, number, parameters, routing, topology},
};
use crate::traffic::TrafficPattern::{
    self, BitComplement, BitReverse, Neighbor, NextGroup, Shuffle, Tornado, Transpose, Uniform,
};

/// A configuration and what BookSim measures.
struct Case {
    topology: &'static str,
    pattern: TrafficPattern,
    parameters: FlitParameters,
    /// Offered load in flits per node and cycle, and mean latency in cycles.
    latencies: [(f64, f64); 2],
    /// Offered load above saturation, and the accepted load. The throughput of some networks falls
    /// beyond saturation, so that it depends on the measured time: of these it is not compared.
    saturated: Option<(f64, f64)>,
}

#[allow(clippy::too_many_lines, reason = "a table of measurements")]
fn cases() -> Vec<Case> {
    let four = FlitParameters { allocation: Allocation::Islip, ..parameters() };
    let eight = FlitParameters { channels: number(8), ..four.clone() };
    let long_links =
        |parameters: &FlitParameters| FlitParameters { wire: number(2), ..parameters.clone() };
    let (long_four, long_eight) = (long_links(&four), long_links(&eight));
    let speculative = FlitParameters { speculation: true, ..four.clone() };
    let input_first = FlitParameters { allocation: Allocation::InputFirst, ..speculative.clone() };
    let spray = FlitParameters { routing: routing("spray"), ..four.clone() };
    let ties = FlitParameters { routing: routing("random-ties"), ..eight.clone() };
    let packets = FlitParameters { packet: number(8), ..four.clone() };
    // BookSim's dragonfly has cables of 10 and 100 cycles, and virtual channels by class down to the
    // nodes. Four stages come before a cable.
    let groups = "dragonfly:2x4x2x9:local=14ns:global=104ns";
    let (channels, buffer) = (number(2), number(256));
    let classes = Classes::Everywhere;
    let far = FlitParameters { channels, buffer, classes, ..four.clone() };
    let far_packets = FlitParameters { packet: number(8), ..far.clone() };
    let ugal =
        FlitParameters { routing: routing("ugal-threshold"), channels: number(4), ..far.clone() };
    let ugal_packets = FlitParameters { packet: number(8), ..ugal.clone() };
    // BookSim's own dragonflies have 2p²(2p² + 1) nodes, never a power of two, for which it has no
    // transpose: this one is given to it as a graph, whose shortest paths use any virtual channel.
    let eight_groups = "dragonfly:2x4x2x8:local=14ns:global=104ns";
    let any = FlitParameters { channels: number(4), classes: Classes::Ignored, ..far.clone() };
    let any_packets = FlitParameters { packet: number(8), ..any.clone() };
    let case = |topology, pattern, parameters: &FlitParameters, latencies, saturated| Case {
        topology,
        pattern,
        parameters: parameters.clone(),
        latencies,
        saturated,
    };
    vec![
        case("mesh:8x8", Uniform, &four, [(0.2, 35.13), (0.34, 40.45)], Some((0.5, 0.4178))),
        case("mesh:8x8", Uniform, &eight, [(0.1, 33.82), (0.3, 36.72)], Some((0.46, 0.4278))),
        case("mesh:8x8", Uniform, &packets, [(0.2, 49.05), (0.3, 60.67)], Some((0.5, 0.3946))),
        case("mesh:8x8", Uniform, &speculative, [(0.3, 31.41), (0.35, 34.72)], Some((0.5, 0.405))),
        case("mesh:8x8", Uniform, &input_first, [(0.3, 31.23), (0.35, 33.88)], Some((0.5, 0.4262))),
        case("mesh:8x8", Transpose, &four, [(0.05, 33.80), (0.1, 34.98)], Some((0.17, 0.1635))),
        case("mesh:8x8", BitComplement, &four, [(0.1, 48.43), (0.15, 50.24)], None),
        case("mesh:8x8", BitReverse, &four, [(0.05, 33.85), (0.1, 35.20)], Some((0.17, 0.1596))),
        case("mesh:8x8", Shuffle, &four, [(0.1, 27.63), (0.2, 31.13)], Some((0.25, 0.2214))),
        case("mesh:8x8", Tornado, &four, [(0.1, 45.67), (0.2, 49.22)], None),
        case("hypercube:6", Uniform, &four, [(0.4, 23.01), (0.7, 25.70)], Some((0.95, 0.8917))),
        case("hypercube:6", Uniform, &eight, [(0.4, 22.97), (0.7, 25.45)], Some((0.95, 0.9085))),
        case("hypercube:6", Transpose, &four, [(0.1, 22.67), (0.17, 24.73)], Some((0.25, 0.2151))),
        // Of tori the highest throughput: above it, it falls.
        case("torus:8x8", Uniform, &long_four, [(0.3, 33.21), (0.4, 35.62)], Some((0.52, 0.5174))),
        case("torus:8x8", Uniform, &long_eight, [(0.5, 36.11), (0.6, 42.69)], Some((0.68, 0.6791))),
        case("torus:8x8", Tornado, &long_eight, [(0.1, 44.33), (0.2, 49.77)], None),
        case(
            "torus:8x8",
            Transpose,
            &long_links(&ties),
            [(0.2, 33.62), (0.22, 34.60)],
            Some((0.28, 0.2704)),
        ),
        case("torus:8x8", Neighbor, &long_eight, [(0.1, 19.02), (0.9, 22.98)], None),
        case("fat-tree:4x3", Uniform, &spray, [(0.3, 25.79), (0.5, 31.03)], Some((0.8, 0.6627))),
        case("fat-tree:4x3", Transpose, &spray, [(0.2, 24.02), (0.5, 28.19)], Some((0.7, 0.6877))),
        case(
            "fat-tree:4x3",
            BitComplement,
            &spray,
            [(0.2, 27.91), (0.5, 35.19)],
            Some((0.7, 0.6530)),
        ),
        case("hyperx:4x4:4", Uniform, &four, [(0.3, 15.76), (0.5, 21.03)], Some((0.8, 0.6285))),
        case("butterfly:4x3", Uniform, &four, [(0.3, 18.51), (0.5, 24.09)], Some((0.7, 0.6412))),
        case(groups, Uniform, &far, [(0.1, 120.81), (0.25, 126.04)], Some((0.34, 0.3291))),
        case(groups, Uniform, &far_packets, [(0.3, 139.00), (0.44, 162.72)], Some((0.58, 0.5530))),
        case(groups, NextGroup, &far, [(0.02, 133.35), (0.03, 135.80)], Some((0.045, 0.0416))),
        case(
            groups,
            NextGroup,
            &far_packets,
            [(0.05, 144.28), (0.08, 161.65)],
            Some((0.1, 0.0965)),
        ),
        // UGAL of BookSim with three virtual channels.
        case(groups, Uniform, &ugal, [(0.1, 120.51), (0.25, 143.78)], Some((0.4, 0.3120))),
        case(groups, Uniform, &ugal_packets, [(0.3, 155.49), (0.4, 183.47)], Some((0.5, 0.4962))),
        case(groups, NextGroup, &ugal, [(0.03, 158.09), (0.04, 162.48)], None),
        case(
            groups,
            NextGroup,
            &ugal_packets,
            [(0.1, 189.63), (0.15, 374.32)],
            Some((0.25, 0.2155)),
        ),
        // `traffic = tornado({72,1})`: of all nodes. The throughput of UGAL falls beyond saturation.
        case(groups, Tornado, &far, [(0.05, 134.67), (0.06, 139.90)], Some((0.1, 0.0780))),
        case(groups, Tornado, &far_packets, [(0.05, 140.52), (0.12, 151.21)], Some((0.2, 0.1702))),
        case(groups, Tornado, &ugal, [(0.05, 149.80), (0.06, 155.84)], None),
        case(groups, Tornado, &ugal_packets, [(0.15, 197.02), (0.2, 267.81)], Some((0.26, 0.2553))),
        case(eight_groups, Transpose, &any, [(0.3, 103.32), (0.7, 103.54)], Some((0.9, 0.9000))),
        case(
            eight_groups,
            Transpose,
            &any_packets,
            [(0.3, 111.65), (0.7, 118.35)],
            Some((0.9, 0.9006)),
        ),
    ]
}

#[test]
fn latencies_are_within_5_percent_and_saturation_within_3_percent() {
    // No other test of the crate takes nearly as long, so that another processor would stand idle.
    let cases = cases();
    let (first, second) = cases.split_at(cases.len() / 2);
    thread::scope(|scope| {
        scope.spawn(|| first.iter().for_each(compare));
        second.iter().for_each(compare);
    });
}

/// Measures a case and compares it with BookSim.
fn compare(case: &Case) {
    let Case { topology: text, pattern, parameters, latencies, saturated } = case;
    let topology = topology(text);
    let targets = pattern.on(&topology, 1).expect("it fits").including_self();
    let found = |load| measured_with(&topology, parameters.clone(), &targets, load);
    for &(load, expected) in latencies {
        let cycles = found(load).mean_latency.as_ns_f64();
        let error = (cycles / expected - 1.0).abs();
        assert!(error < 0.05, "{text} {pattern} at {load}: {cycles} and {expected}");
    }
    if let Some((load, expected)) = *saturated {
        let accepted = found(load).accepted;
        let error = (accepted / expected - 1.0).abs();
        assert!(error < 0.03, "{text} {pattern} at {load}: {accepted} and {expected}");
    }
}
