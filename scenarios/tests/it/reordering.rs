//! `reorder` numbers ranks to suit the network, and the program is faster for it.

use std::sync::Arc;

use mpi_api::{
    api::{
        collective::NeighborhoodCollectives,
        initialize,
        topology::{Adjacency, CartesianCommunicator, Edge, Rank},
        traits::*,
    },
    finding::Code,
    outcome::{Ending, RunResult},
    trace::Recording,
};
use network_models::Method;
use scenarios::scenario::{Request, Scenario};

fn on(ranks: u32, topology: &str, placement: &str, body: fn()) -> Scenario {
    let mut request = Request::new("its own", ranks);
    request.topology = Some(topology.into());
    request.network = Some("link".into());
    request.placement = placement.into();
    request.resolve_program(Arc::new(body)).expect("a scenario")
}

fn completed(scenario: &Scenario) -> RunResult {
    let result = scenario.run(None).expect("nothing is measured").result;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    result
}

/// Shifts blocks along both dimensions of a torus, after a check that the grid is one.
fn jacobi(reorder: bool) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mut dims = [0; 2];
    CartesianCommunicator::balance(&world, &mut dims);
    let planned = world.cartesian_map(&dims, &[true; 2]);
    let torus = world.create_cartesian_communicator(&dims, &[true; 2], reorder);
    let torus = torus.expect("every rank has a place");
    let expected = if reorder { planned } else { Some(world.rank()) };
    assert_eq!(Some(torus.rank()), expected, "the map functions tell what creation does");
    assert_eq!(torus.coordinates_to_rank(&torus.get_layout().coords), torus.rank());
    let row = torus.subgroup(&[false, true]);
    assert_eq!(row.rank(), torus.get_layout().coords[1]);
    for _ in 0..5 {
        for dimension in 0..2 {
            for by in [-1, 1] {
                let (source, target) = torus.shift(dimension, by);
                let (source, target) = (source.expect("closed"), target.expect("closed"));
                let mut got = [0; 256];
                let (to, from) = (torus.process_at_rank(target), torus.process_at_rank(source));
                let sent = [torus.rank(); 256];
                mpi_api::api::point_to_point::send_receive_into(&sent, &to, &mut got, &from);
                assert_eq!(got, [source; 256]);
            }
        }
    }
    let mut sides = [0; 4];
    torus.neighbor_all_gather_into(&torus.rank(), &mut sides[..]);
    let neighbors = [0, 1].map(|dimension| torus.shift(dimension, 1));
    let around: Vec<Rank> =
        neighbors.into_iter().flat_map(|(low, high)| [low, high]).flatten().collect();
    assert_eq!(sides[..], around);
}

#[test]
fn a_jacobi_iteration_is_faster() {
    for (topology, placement) in [
        ("hypercube:6", "in-order"),
        ("hypercube:6", "random"),
        ("torus:8x8", "random:5"),
        ("mesh:8x8", "random"),
    ] {
        let kept = completed(&on(64, topology, placement, || jacobi(false)));
        let numbered = completed(&on(64, topology, placement, || jacobi(true)));
        let times = (numbered.makespan, kept.makespan);
        assert!(times.0 < times.1, "{topology} {placement}: {times:?}");
        assert!(kept.reorderings.is_empty());
        let [one] = &numbered.reorderings[..] else { panic!("{:?}", numbered.reorderings) };
        assert_eq!((one.topology.as_str(), one.ranks), ("torus 8x8", 64));
        assert!(one.after < one.before, "{one:?}");
        assert!(one.site.file.ends_with("reordering.rs"), "{:?}", one.site);
    }
}

#[test]
fn a_hypercube_gets_the_gray_code_and_nodes_get_blocks() {
    let cube = completed(&on(64, "hypercube:6", "in-order", || jacobi(true)));
    assert_eq!(
        (cube.reorderings[0].method, cube.reorderings[0].after.longest),
        (Method::GrayCode, 1)
    );
    let mut request = Request::new("its own", 64);
    request.ranks_per_node = 4;
    let program: fn() = || jacobi(true);
    let nodes = request.resolve_program(Arc::new(program)).expect("a scenario");
    assert_eq!(completed(&nodes).reorderings[0].method, Method::Blocks);
}

#[test]
fn without_distances_ranks_keep_their_order() {
    let mut request = Request::new("its own", 16);
    request.network = Some("constant".into());
    let program: fn() = || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let line = world.create_cartesian_communicator(&[15], &[true], true);
        let me = Some(world.rank()).filter(|rank| *rank < 15);
        assert_eq!(line.map(|line| line.rank()), me);
    };
    let even = request.resolve_program(Arc::new(program)).expect("a scenario");
    assert!(completed(&even).reorderings.is_empty());
}

#[test]
fn a_traced_run_and_a_second_one_are_the_same() {
    let scenario = on(24, "tree:2x5", "random", || jacobi(true));
    let (plain, again) = (completed(&scenario), completed(&scenario));
    let ran = scenario.run(Some(Box::<Recording>::default()));
    let traced = ran.expect("nothing is measured").result;
    assert_eq!(plain.reorderings[0].method, Method::Search);
    for other in [again, traced] {
        assert_eq!((plain.digest, &plain.reorderings), (other.digest, &other.reorderings));
    }
}

/// Neighbours of a place on a ring whose places lie three apart, with their weights.
fn ring(place: Rank, size: Rank) -> Adjacency {
    Adjacency {
        sources: vec![(place + size - 3) % size],
        source_weights: Some(vec![(place + size - 3) % size + 1]),
        destinations: vec![(place + 3) % size],
        destination_weights: Some(vec![place + 1]),
    }
}

fn graphs() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (me, size) = (world.rank(), world.size());
    let adjacent = world.create_adjacent_graph_communicator(ring(me, size), true);
    let adjacent = adjacent.expect("every rank has a place");
    // The neighbours are those that the rank gave whose number this one has now.
    assert_eq!(adjacent.neighbors(), &ring(adjacent.rank(), size));
    let edges: Vec<Edge> = (0..size).map(|from| (from, (from + 3) % size, from + 1)).collect();
    let own = if me == 1 { &edges[..] } else { &[] };
    let spread = world.create_distributed_graph_communicator(own, true, true);
    let spread = spread.expect("every rank has a place");
    assert_eq!(spread.neighbors(), &ring(spread.rank(), size));
    assert_eq!(spread.rank(), adjacent.rank(), "the same graph, the same numbers");
    for graph in [&adjacent, &spread] {
        let mut got = -1;
        graph.neighbor_all_gather_into(&graph.rank(), &mut got);
        assert_eq!(got, (graph.rank() + size - 3) % size);
    }
    // One rank is left over.
    let places = size - 1;
    let index: Vec<Rank> = (1..=places).collect();
    let next: Vec<Rank> = (0..places).map(|place| (place + 3) % places).collect();
    let planned = world.graph_map(&index, &next);
    let graph = world.create_graph_communicator(&index, &next, true);
    assert_eq!(graph.as_ref().map(Communicator::rank), planned);
    assert_eq!(graph.is_none(), me == places);
    if let Some(graph) = graph {
        assert_eq!(graph.neighbors(graph.rank()), [(graph.rank() + 3) % places]);
    }
}

#[test]
fn graphs_are_numbered_too() {
    let result = completed(&on(16, "ring:16", "in-order", graphs));
    let kinds: Vec<&str> = result.reorderings.iter().map(|one| one.topology.as_str()).collect();
    assert_eq!(
        kinds,
        [
            "distributed graph of 16 with 16 edges",
            "distributed graph of 16 with 16 edges",
            "graph of 15 with 15 edges",
        ]
    );
    for one in &result.reorderings {
        assert!(one.method == Method::Search && one.after < one.before, "{one:?}");
    }
}

#[test]
fn ranks_that_disagree_on_a_grid_are_not_numbered_anew() {
    let program: fn() = || {
        let universe = initialize().expect("once");
        let world = universe.world();
        let places = if world.rank() == 0 { 4 } else { 6 };
        world.create_cartesian_communicator(&[places], &[true], true);
    };
    let scenario = on(6, "linear:6", "in-order", program);
    let result = scenario.run(None).expect("nothing is measured").result;
    assert_eq!(result.findings[0].code, Code::ArgumentMismatch);
    assert!(result.reorderings.is_empty());
}
