use sim_core::SimDuration;

use super::*;
use crate::{catalog::Catalog, model::test_hardware, network::Progress};

fn hardware() -> Hardware {
    test_hardware(100, 10)
}

fn topology(text: &str) -> Arc<Topology> {
    let spec = Catalog::standard().topology(text).expect("a topology");
    Arc::new(spec.build(1).expect("it can be built"))
}

fn fault(from: u32, to: u32, at_ns: u64, change: LinkChange) -> LinkFault {
    let at = SimTime::ZERO + SimDuration::from_ns(at_ns);
    LinkFault { from: VertexId(from), to: VertexId(to), at, change }
}

/// Sends messages of 1,000 bytes and returns when each arrives, nanoseconds.
fn arrivals(
    model: &str,
    name: &str,
    faults: &[LinkFault],
    sent: &[(u64, u32, u32)],
) -> (Vec<Option<u64>>, Option<NetworkDeadlock>) {
    let (kind, topology) = (Catalog::standard().model(model).expect("a model"), topology(name));
    Faulty::check(&*kind, &topology, faults).expect("they fit");
    let mut network = Faulty::new(&*kind, &hardware(), &topology, faults);
    let mut found = vec![None; sent.len()];
    let mut reports = Vec::new();
    for (number, (at, source, target)) in sent.iter().enumerate() {
        let now = SimTime::ZERO + SimDuration::from_ns(*at);
        while let Some(next) = network.next_time().filter(|next| *next <= now) {
            network.advance(next, &mut reports);
        }
        let id = TransferId(number as u64);
        let (source, target) = (NodeId(*source), NodeId(*target));
        let delivery = network.inject(now, Transfer { id, source, target, bytes: 1000 });
        found[number] = delivery.arrival().map(|time| time.as_ps() / 1000);
    }
    while let Some(next) = network.next_time() {
        network.advance(next, &mut reports);
    }
    for report in reports.iter().filter(|report| report.progress == Progress::Arrived) {
        found[report.id.0 as usize] = Some(report.time.as_ps() / 1000);
    }
    (found, network.deadlock())
}

#[test]
fn messages_go_round_a_cut_link_from_its_time_on() {
    let cut = [fault(0, 1, 5000, LinkChange::Cut)];
    for model in ["link", "fluid", "packet"] {
        let sent = [(0, 0, 1), (5000, 0, 1), (10_000, 1, 0), (20_000, 4, 5)];
        let (found, deadlock) = arrivals(model, "ring:8", &cut, &sent);
        // 100 ns, 10 ns for each of 1 or 7 hops, 1,000 ns for the bytes.
        let expected = [1110, 6170, 11_170, 21_110].map(Some);
        assert_eq!((found.as_slice(), deadlock), (&expected[..], None), "{model}");
    }
}

#[test]
fn slow_links_carry_less_and_can_be_repaired() {
    let faults =
        [fault(0, 1, 1000, LinkChange::Rate(0.5)), fault(1, 0, 9000, LinkChange::Rate(1.0))];
    for model in ["link", "fluid", "packet"] {
        let sent = [(0, 0, 1), (2000, 0, 1), (5000, 1, 0), (9000, 0, 1)];
        let (found, _) = arrivals(model, "linear:3", &faults, &sent);
        let expected = [1110, 4110, 7110, 10_110].map(Some);
        assert_eq!(found, expected, "{model}");
    }
}

#[test]
fn a_message_without_a_path_is_told_and_others_arrive() {
    let cut = [fault(1, 2, 0, LinkChange::Cut)];
    let (found, deadlock) = arrivals("link", "linear:4", &cut, &[(0, 0, 1), (0, 0, 3), (0, 3, 2)]);
    assert_eq!(found, [Some(1110), None, Some(1110)]);
    let deadlock = deadlock.expect("no path");
    assert_eq!(deadlock.transfers, [TransferId(1)]);
    assert_eq!(deadlock.to_string(), "the cut links leave no path from node 0 to node 3");
    // A host behind a switch has one cable only: switch 0 of this fat tree is vertex 16.
    let cut = [fault(0, 16, 0, LinkChange::Cut)];
    for model in ["link", "fluid", "packet"] {
        let sent = [(0, 0, 1), (0, 5, 1), (0, 1, 0), (0, 15, 0)];
        let (found, deadlock) = arrivals(model, "fat-tree:4x2", &cut, &sent);
        assert_eq!(
            found.iter().map(Option::is_some).collect::<Vec<_>>(),
            [false, true, false, false]
        );
        assert_eq!(deadlock.expect("no path").transfers.len(), 3, "{model}");
    }
}

#[test]
fn every_pair_is_joined_as_long_as_a_path_is_left() {
    for name in ["torus:4x4", "hypercube:4", "dragonfly:2x4x2x9", "hyperx:3x3:2", "mesh:4x4"] {
        let topology = topology(name);
        let link = topology.link_ends(LinkId(topology.link_count() / 2));
        let second = topology.link_ends(LinkId(topology.link_count() / 3));
        let cut = [link, second].map(|(from, to)| fault(from.0, to.0, 0, LinkChange::Cut));
        let mut epochs = Faulty::new(
            &*Catalog::standard().model("link").expect("a model"),
            &hardware(),
            &topology,
            &cut,
        )
        .epochs;
        let epoch = epochs.pop().expect("there is one");
        let shape = epoch.shape.expect("links are cut");
        for source in 0..topology.nodes() {
            for target in (0..topology.nodes()).filter(|target| *target != source) {
                if !shape.reaches(source, target) {
                    continue;
                }
                let mut route = Vec::new();
                epoch.topology.route(NodeId(source), NodeId(target), &mut route);
                let mut at = VertexId(source);
                for link in route {
                    let (from, to) = epoch.topology.link_ends(link);
                    assert_eq!(from, at, "{name}");
                    assert!(
                        !cut.iter()
                            .any(|f| (f.from, f.to) == (from, to) || (f.to, f.from) == (from, to))
                    );
                    at = to;
                }
                assert_eq!(at.0, target, "{name}");
            }
        }
    }
}

#[test]
fn faults_that_cannot_happen_are_told() {
    let check = |model: &str, name: &str, from, to| {
        let kind = Catalog::standard().model(model).expect("a model");
        let faults = [fault(from, to, 0, LinkChange::Cut)];
        Faulty::check(&*kind, &topology(name), &faults).map_err(|error| error.to_string())
    };
    assert_eq!(check("link", "ring:4", 3, 0), Ok(()));
    assert_eq!(
        check("link", "ring:4", 0, 2),
        Err("there is no link between node 0 and node 2 in ring:4; node 0 is joined to node 1, node 3".into())
    );
    assert!(
        check("link", "ring:4", 0, 9).is_err_and(|told| told.contains("4 nodes and 0 switches"))
    );
    assert!(check("loggp", "ring:4", 0, 1).is_err_and(|told| told.contains("`loggp`")));
    assert!(check("flit", "ring:4", 0, 1).is_err_and(|told| told.contains("`flit`")));
}
