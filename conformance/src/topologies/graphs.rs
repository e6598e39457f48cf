//! Graph topologies, given as a whole and in distributed form.

use mpi_api::{
    api::{
        initialize,
        topology::{Adjacency, DistributedGraphCommunicator, Edge},
        traits::*,
    },
    finding::Code,
};

use super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = whole();
    rows.extend(distributed());
    rows
}

fn whole() -> Vec<Row> {
    let four =
        || vec![Case::safe(&[4, 5], "the index says where each place's edges end", four_places)];
    vec![
        Row::new("B6.4", "MPI: The Complete Reference, example 6.4", "a graph of four", four()),
        Row::new("T7.2", "MPI draft, example 7.2", "a graph of four", four()),
        Row::safe(
            "T7.5",
            "MPI draft, example 7.5",
            "a graph with several edges between two places",
            &[4],
            "an edge that is given twice counts twice",
            multiple_edges,
        ),
    ]
}

fn distributed() -> Vec<Row> {
    vec![
        Row::safe(
            "T7.3",
            "MPI draft, example 7.3",
            "the graph of four in three ways",
            &[4],
            "whoever gives an edge, its ends know it",
            three_ways,
        ),
        Row::safe(
            "T7.4",
            "MPI draft, example 7.4",
            "a torus with diagonals, weighted",
            &[1, 4, 6, 9],
            "eight edges in and out of each, several between two places on a narrow torus; \
                 the original needs exactly as many ranks as places",
            diagonals,
        ),
        Row::new(
            "T7.mix",
            "MPI draft, section 7.5.4",
            "weights on some ranks only",
            vec![Case::new(
                &[4],
                |_| Expect::wrong(Code::InvalidArgument),
                "all ranks give weights or none does",
                || {
                    let universe = initialize().expect("once");
                    let world = universe.world();
                    let edges: [Edge; 1] = [(world.rank(), 0, 1)];
                    let weighted = world.rank() == 2;
                    _ = world.create_distributed_graph_communicator(&edges, weighted, false);
                },
            )],
        ),
    ]
}

const NEIGHBORS: [&[i32]; 4] = [&[1, 3], &[0], &[3], &[0, 2]];

fn four_places() {
    let universe = initialize().expect("once");
    let (index, edges) = ([2, 3, 4, 6], [1, 3, 0, 3, 0, 2]);
    let made = universe.world().create_graph_communicator(&index, &edges, false);
    let Some(graph) = made else { return };
    assert_eq!(graph.num_places_and_edges(), (4, 6));
    assert_eq!(graph.get_layout(), (&index[..], &edges[..]));
    for (rank, neighbors) in (0..).zip(NEIGHBORS) {
        assert_eq!(graph.neighbors(rank), neighbors);
    }
}

fn multiple_edges() {
    let universe = initialize().expect("once");
    let (index, edges) = ([3, 5, 6, 9], [1, 1, 3, 0, 0, 3, 0, 2, 2]);
    let made = universe.world().create_graph_communicator(&index, &edges, false);
    let graph = made.expect("every rank has a place");
    let expected: [&[i32]; 4] = [&[1, 1, 3], &[0, 0], &[3], &[0, 2, 2]];
    for (rank, neighbors) in (0..).zip(expected) {
        assert_eq!(graph.neighbors(rank), neighbors);
    }
}

fn three_ways() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let rank = world.rank();
    let of = |from: i32| NEIGHBORS[from as usize].iter().map(move |to| (from, *to, 0));
    let own: Vec<Edge> = of(rank).collect();
    let all: Vec<Edge> = if rank == 0 { (0..4).flat_map(of).collect() } else { Vec::new() };
    let neighbors = NEIGHBORS[rank as usize].to_vec();
    let adjacency =
        Adjacency { sources: neighbors.clone(), destinations: neighbors, ..Adjacency::default() };
    let graphs: [Option<DistributedGraphCommunicator>; 3] = [
        world.create_distributed_graph_communicator(&own, false, false),
        world.create_distributed_graph_communicator(&all, false, false),
        world.create_adjacent_graph_communicator(adjacency.clone(), false),
    ];
    for graph in graphs {
        let graph = graph.expect("every rank has a place");
        let mut known = graph.neighbors().clone();
        known.sources.sort_unstable();
        known.destinations.sort_unstable();
        assert_eq!(known, adjacency);
    }
}

/// As square a torus as the number of ranks allows.
fn diagonals() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let rows = (1..=size).rev().find(|rows| size % rows == 0 && rows * rows <= size);
    let rows = rows.expect("one row at least");
    let columns = size / rows;
    let (row, column) = (rank / columns, rank % columns);
    let at = |r: i32, c: i32| r.rem_euclid(rows) * columns + c.rem_euclid(columns);
    let mut edges = Vec::new();
    for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let weight = if down == 0 || right == 0 { 2 } else { 1 };
        edges.push((rank, at(row + down, column + right), weight));
    }
    let graph = world.create_distributed_graph_communicator(&edges, true, false);
    let graph = graph.expect("every rank has a place");
    let known = graph.neighbors();
    assert_eq!((known.sources.len(), known.destinations.len()), (8, 8));
    let weights = known.source_weights.as_ref().expect("weights were given");
    assert_eq!(weights.iter().sum::<i32>(), 12);
}
