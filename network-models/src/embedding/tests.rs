//! Tests of mappings: on machines where the optimum is known, and on others.

use proptest::prelude::*;

use super::*;
use crate::{
    placement::PlacementSpec,
    topology::{GraphFile, TopologySpec},
};

fn built(topology: &str) -> Topology {
    topology.parse::<TopologySpec>().expect("a topology").build(1).expect("it fits")
}

/// Returns the mapping after checking that every slot is taken once, that nothing is worse than
/// before, and that the costs are those of the mapping.
fn sound(pattern: &Pattern, nodes: &[NodeId], topology: Option<&Topology>) -> Embedding {
    let embedding = embed(pattern, nodes, topology, 7);
    let mut slots = embedding.slots.clone();
    slots.sort_unstable();
    assert!(slots.iter().copied().eq(0..pattern.places()), "a permutation: {slots:?}");
    let (before, after) = (embedding.before, embedding.after);
    assert!(after <= before && after.load <= before.load, "{before:?} to {after:?}");
    let moved: Vec<NodeId> = embedding.slots.iter().map(|slot| nodes[*slot as usize]).collect();
    let machine = Machine::new(&moved, topology);
    let identity: Vec<u32> = (0..pattern.places()).collect();
    assert_eq!(machine.cost(&pattern.edges, &identity), after);
    assert_eq!(embedding.method == Method::Identity, embedding.slots == identity);
    embedding
}

/// Asserts that a grid, such as `8x8`, gets these hops, load and longest edge, however ranks are
/// placed.
fn best(grid: &str, closed: bool, machine: &str, expected: (u64, u64, u32), method: Method) {
    let dims: Vec<u32> = grid.split('x').map(|size| size.parse().expect("a size")).collect();
    let pattern = Pattern::grid(&dims, &vec![closed; dims.len()]);
    let topology = built(machine);
    let each = pattern.places().div_ceil(topology.nodes());
    let shuffled = [PlacementSpec::Random(1), PlacementSpec::Random(2)];
    for placement in [PlacementSpec::InOrder].iter().chain(&shuffled) {
        let nodes = placement.place(pattern.places(), each, &topology).expect("it fits");
        let Embedding { after, method: found, .. } = sound(&pattern, &nodes, Some(&topology));
        let got = (after.hops, after.load.expect("links"), after.longest);
        assert_eq!((got, found), (expected, method), "{grid} on {machine} {placement:?}");
    }
}

/// Asserts that every edge has one hop and every link carries one edge.
fn direct(grid: &str, closed: bool, machine: &str) {
    let dims = grid.split('x').map(|size| size.parse::<u64>().expect("a size"));
    let places: u64 = dims.clone().product();
    let edges = dims.map(|size| 2 * if closed { places } else { places / size * (size - 1) });
    best(grid, closed, machine, (edges.sum(), 1, 1), Method::GrayCode);
}

#[test]
fn grids_on_hypercubes_follow_gray_codes() {
    direct("8x8", true, "hypercube:6");
    direct("4x16", true, "hypercube:6");
    direct("64", true, "hypercube:6");
    direct("4x4x4", false, "hypercube:6");
    direct("8x8", true, "torus:4x4x4");
}

#[test]
fn rings_run_through_meshes_and_tori() {
    direct("64", true, "mesh:8x8");
    direct("30", true, "mesh:3x5x2");
    best("15", true, "mesh:3x5", (32, 2, 2), Method::GrayCode);
}

#[test]
fn grids_are_turned_to_fit() {
    direct("4x6", false, "mesh:6x4");
    direct("3x4x5", false, "mesh:5x3x4");
    direct("3x5", true, "torus:5x3");
    direct("12x5", false, "mesh:3x4x5");
    direct("15x6", true, "torus:3x6x5");
}

#[test]
fn closed_grids_are_folded_into_open_ones() {
    best("16", true, "linear:16", (60, 2, 2), Method::Folding);
    best("8x8", true, "mesh:8x8", (448, 2, 2), Method::Folding);
    best("4x4x4", false, "mesh:8x8", (480, 3, 2), Method::Folding);
}

#[test]
fn nodes_get_blocks_of_a_grid() {
    best("8x8", true, "mesh:4x4", (192, 4, 2), Method::Blocks);
    best("8x8", true, "crossbar:16", (256, 8, 2), Method::Blocks);
    best("8x8", true, "fat-tree:4x3", (896, 4, 6), Method::Blocks);
    best("16x16", false, "hypercube:4", (192, 4, 1), Method::Blocks);
}

#[test]
fn without_distances_only_nodes_count() {
    let pattern = Pattern::grid(&[8, 8], &[true; 2]);
    let nodes = |each: u32| (0..64).map(|slot| NodeId(slot / each)).collect::<Vec<_>>();
    let alone = sound(&pattern, &nodes(1), None);
    assert_eq!((alone.method, alone.after.hops, alone.matters), (Method::Identity, 256, false));
    let four = sound(&pattern, &nodes(4), None);
    assert_eq!((four.method, four.before.hops, four.after.hops), (Method::Blocks, 160, 128));
    assert_eq!(four.after.load, None);
}

#[test]
fn graphs_are_searched() {
    let ring = |count: u32, step: u32| {
        (0..count).map(move |at| (at * step % count, (at + 1) * step % count, 3))
    };
    let topology = built("ring:16");
    let nodes: Vec<NodeId> = (0..16).map(NodeId).collect();
    let scattered = sound(&Pattern::graph(16, ring(16, 7)), &nodes, Some(&topology));
    assert_eq!((scattered.method, scattered.before.hops), (Method::Search, 16 * 3 * 7));
    assert!(scattered.after.hops <= 2 * 16 * 3, "{:?}", scattered.after);
    // The heavy edges take precedence: pairs share a node.
    let pairs = (0..8).flat_map(|at| [(at, at + 8, 100), (at, (at + 1) % 8, 1)]);
    let halves: Vec<NodeId> = (0..16).map(|slot| NodeId(slot / 2)).collect();
    let paired = sound(&Pattern::graph(16, pairs), &halves, Some(&built("linear:8")));
    assert!(paired.after.hops < 100, "{:?}", paired.after);
}

#[test]
fn a_part_of_a_machine_is_enough() {
    let topology = built("torus:8x8");
    let rows: Vec<NodeId> = (0..16).map(NodeId).collect();
    let ring = sound(&Pattern::grid(&[16], &[true]), &rows, Some(&topology));
    assert_eq!((ring.method, ring.after.longest), (Method::GrayCode, 1));
    let ragged = [0, 35, 1, 30, 8, 27, 9, 34, 2, 28, 16, 29, 3].map(NodeId);
    let line = sound(&Pattern::grid(&[13], &[false]), &ragged, Some(&topology));
    assert!(line.after.hops < line.before.hops);
}

#[test]
fn a_grid_that_fits_no_box_is_halved_with_the_machine() {
    let topology = built("torus:20x20");
    let pattern = Pattern::grid(&[19, 20], &[true; 2]);
    let nodes = PlacementSpec::Random(1).place(380, 1, &topology).expect("it fits");
    let machine = Machine::new(&nodes, Some(&topology));
    let halved = machine.hops(&pattern.edges, &bisect::map(&pattern, &machine).expect("a grid"));
    let Embedding { before, after, .. } = sound(&pattern, &nodes, Some(&topology));
    assert!(
        halved.0 < before.hops / 4 && after.hops <= halved.0,
        "{before:?} {halved:?} {after:?}"
    );
    // On a box the halves are those of the mesh itself.
    let whole: Vec<NodeId> = (0..20).rev().map(NodeId).collect();
    let mesh = built("mesh:4x5");
    let machine = Machine::new(&whole, Some(&mesh));
    let grid = Pattern::grid(&[4, 5], &[false; 2]);
    assert_eq!(bisect::map(&grid, &machine), Some((0..20).rev().collect()));
}

#[test]
fn the_same_seed_finds_the_same() {
    let topology = built("tree:3x3");
    let nodes: Vec<NodeId> = (0..13).map(NodeId).collect();
    let pattern = Pattern::grid(&[13], &[true]);
    let found = |seed| embed(&pattern, &nodes, Some(&topology), seed);
    assert_eq!(found(1), found(1));
    assert_eq!(found(1).method, Method::Search);
}

const MACHINES: [&str; 9] = [
    "mesh:4x5",
    "torus:4x3x2",
    "torus:5x5",
    "hypercube:4",
    "tree:2x4",
    "fat-tree:4x2",
    "star:20",
    "linear:17",
    "crossbar:16",
];

fn patterns() -> impl Strategy<Value = Pattern> {
    let edge = |places: u32| (0..places, 0..places, prop_oneof![0..9u32, Just(u32::MAX)]);
    let graph = (1..24u32).prop_flat_map(move |places| {
        prop::collection::vec(edge(places), 0..60)
            .prop_map(move |edges| Pattern::graph(places, edges))
    });
    let grid = prop::collection::vec((1..5u32, any::<bool>()), 0..4).prop_map(|dims| {
        let (dims, periods): (Vec<u32>, Vec<bool>) = dims.into_iter().unzip();
        Pattern::grid(&dims, &periods)
    });
    prop_oneof![graph, grid]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_mapping_is_sound(
        pattern in patterns(),
        machine in prop::option::of(prop::sample::select(&MACHINES[..])),
        nodes in prop::collection::vec(0..15u32, 64),
        spread in any::<bool>(),
    ) {
        let topology = machine.map(built);
        let count = topology.as_ref().map_or(15, Topology::nodes);
        let each = pattern.places().div_ceil(count);
        let node = |slot: u32| if spread { slot / each } else { nodes[slot as usize] };
        let nodes: Vec<NodeId> = (0..pattern.places()).map(|slot| NodeId(node(slot))).collect();
        sound(&pattern, &nodes, topology.as_ref());
    }
}

#[test]
fn edge_lists_have_distances_too() {
    let list = "0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n";
    let topology = TopologySpec::from(GraphFile::parse(list, "ring").expect("a ring"))
        .build(6)
        .expect("it fits");
    let nodes: Vec<NodeId> = [0, 3, 1, 4, 2, 5].map(NodeId).to_vec();
    let ring = sound(&Pattern::grid(&[6], &[true]), &nodes, Some(&topology));
    assert_eq!((ring.after.hops, ring.after.longest), (12, 1));
}
