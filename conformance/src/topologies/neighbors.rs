//! Neighbourhood collectives and the equivalent sends and receives.

use mpi_api::{
    api::{
        datatype::{Partition, PartitionMut},
        initialize,
        point_to_point::send_receive_into_with_tags,
        request::multiple_scope,
        topology::{CartesianCommunicator, GraphCommunicator},
        traits::*,
    },
    finding::Code,
};

use super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = gathers();
    rows.extend(exchanges());
    rows
}

fn gathers() -> Vec<Row> {
    vec![
        Row::safe(
            "T7.na",
            "MPI draft, section 7.6.1",
            "a gather from neighbours, and the sends and receives it stands for",
            &[4],
            "slot l holds the block of source l, with equal or other counts",
            || {
                as_messages();
            },
        ),
        Row::new(
            "T7.9",
            "MPI draft, example 7.9",
            "a gather on grids of three and of one",
            vec![
                Case::safe(&[3, 1], "two slots for a dimension, filled from both sides", || {
                    line(true, |line, got| {
                        let size = line.size();
                        let sides = [line.rank() + size - 1, line.rank() + 1];
                        assert_eq!(got, sides.map(|rank| rank % size));
                    });
                }),
                Case::safe(&[3, 1], "slots at the ends are not touched", || {
                    line(false, |line, got| {
                        let last = line.rank() == line.size() - 1;
                        let low = if line.rank() == 0 { -1 } else { line.rank() - 1 };
                        assert_eq!(got, [low, if last { -1 } else { line.rank() + 1 }]);
                    });
                })
                .named("open"),
            ],
        ),
        Row::new(
            "T7.sig",
            "MPI draft, section 7.6.1",
            "different counts on ranks that are not connected",
            vec![Case::new(
                &[4],
                |_| Expect::wrong(Code::CountMismatch),
                "all ranks have to give the same amount, also where none is exchanged",
                different_counts,
            )],
        ),
    ]
}

fn exchanges() -> Vec<Row> {
    vec![
        Row::safe(
            "T7.nt",
            "MPI draft, section 7.6.2",
            "an exchange with neighbours, and the sendrecvs it stands for",
            &[1, 2, 3, 6],
            "what goes to the lower neighbour arrives in its upper slot",
            as_sendrecvs,
        ),
        Row::safe(
            "T7.10",
            "MPI draft, example 7.10",
            "an exchange of halos on grids of three and of one",
            &[3, 1],
            "alone on a ring, a rank's lower block comes back from above",
            || {
                let universe = initialize().expect("once");
                let size = universe.world().size();
                let ring = universe.world().create_cartesian_communicator(&[size], &[true], false);
                let ring = ring.expect("every rank has a place");
                let mut got = [-1; 2];
                let mine = [10 * ring.rank(), 10 * ring.rank() + 1];
                ring.neighbor_all_to_all_into(&mine[..], &mut got[..]);
                let (low, high) = ((ring.rank() + size - 1) % size, (ring.rank() + 1) % size);
                assert_eq!(got, [10 * low + 1, 10 * high]);
            },
        ),
        Row::safe(
            "T7.ntv",
            "MPI draft, section 7.6.2",
            "an exchange of blocks of different lengths",
            &[4],
            "each side says how much it sends and takes",
            different_lengths,
        ),
    ]
}

const INDEX: [i32; 4] = [2, 3, 4, 6];
const EDGES: [i32; 6] = [1, 3, 0, 3, 0, 2];

fn in_graph(check: impl FnOnce(&GraphCommunicator)) {
    let universe = initialize().expect("once");
    let graph = universe.world().create_graph_communicator(&INDEX, &EDGES, false);
    check(&graph.expect("every rank has a place"));
}

fn as_messages() {
    in_graph(|graph| {
        let neighbors = graph.neighbors(graph.rank()).to_vec();
        let mine = [graph.rank(); 3];
        let mut expected = vec![-1; 3 * neighbors.len()];
        multiple_scope(neighbors.len(), |scope, receives| {
            for (from, block) in neighbors.iter().zip(expected.chunks_mut(3)) {
                receives.add(graph.process_at_rank(*from).immediate_receive_into(scope, block));
            }
            for to in &neighbors {
                graph.process_at_rank(*to).send(&mine[..]);
            }
            receives.wait_all(&mut Vec::new());
        });
        let mut got = vec![-1; expected.len()];
        graph.neighbor_all_gather_into(&mine[..], &mut got);
        assert_eq!(got, expected);
        let lengths = vec![3; neighbors.len()];
        let places: Vec<i32> = (0..neighbors.len() as i32).map(|slot| 4 * slot).collect();
        let mut spread = vec![-1; 4 * neighbors.len()];
        let mut parts = PartitionMut::new(&mut spread, lengths, places);
        graph.neighbor_all_gather_varcount_into(&mine[..], &mut parts);
        for (slot, from) in neighbors.iter().enumerate() {
            assert_eq!(spread[4 * slot..][..4], [*from, *from, *from, -1]);
        }
    });
}

fn line(periodic: bool, check: fn(&CartesianCommunicator, [i32; 2])) {
    let universe = initialize().expect("once");
    let size = universe.world().size();
    let line = universe.world().create_cartesian_communicator(&[size], &[periodic], false);
    let line = line.expect("every rank has a place");
    let mut got = [-1; 2];
    line.neighbor_all_gather_into(&line.rank(), &mut got[..]);
    check(&line, got);
}

/// Two pairs; each agrees within itself.
fn different_counts() {
    let universe = initialize().expect("once");
    let pairs = [1, 0, 3, 2];
    let graph = universe.world().create_graph_communicator(&[1, 2, 3, 4], &pairs, false);
    let graph = graph.expect("every rank has a place");
    let count = if graph.rank() < 2 { 1 } else { 2 };
    let mut got = vec![-1; count];
    graph.neighbor_all_gather_into(&vec![graph.rank(); count], &mut got);
}

fn as_sendrecvs() {
    let universe = initialize().expect("once");
    let mut dims = [0; 2];
    CartesianCommunicator::balance(&universe.world(), &mut dims);
    let grid = universe.world().create_cartesian_communicator(&dims, &[true, false], false);
    let grid = grid.expect("every rank has a place");
    let mine: [i32; 4] = std::array::from_fn(|slot| 10 * grid.rank() + slot as i32);
    let mut expected = [-1; 4];
    for dimension in 0..2 {
        let (low, high) = grid.shift(dimension as i32, 1);
        let process =
            |rank: Option<i32>| rank.map_or(grid.null_process(), |rank| grid.process_at_rank(rank));
        let (at, tag) = (2 * dimension, 2 * dimension as i32);
        let (to, from) = (process(low), process(high));
        send_receive_into_with_tags(&mine[at], &to, tag, &mut expected[at + 1], &from, tag);
        let (to, from) = (process(high), process(low));
        let tag = tag + 1;
        send_receive_into_with_tags(&mine[at + 1], &to, tag, &mut expected[at], &from, tag);
    }
    let mut got = [-1; 4];
    grid.neighbor_all_to_all_into(&mine[..], &mut got[..]);
    assert_eq!(got, expected);
}

/// To rank r go r + 1 values.
fn different_lengths() {
    in_graph(|graph| {
        let neighbors = graph.neighbors(graph.rank()).to_vec();
        let lengths: Vec<i32> = neighbors.iter().map(|to| to + 1).collect();
        let starts = |lengths: &[i32]| -> Vec<i32> {
            (0..lengths.len()).map(|at| lengths[..at].iter().sum()).collect()
        };
        let out = vec![graph.rank(); lengths.iter().sum::<i32>() as usize];
        let own = graph.rank() + 1;
        let taken = vec![own; neighbors.len()];
        let mut got = vec![-1; own as usize * neighbors.len()];
        let places = starts(&lengths);
        graph.neighbor_all_to_all_varcount_into(
            &Partition::new(&out, lengths, places),
            &mut PartitionMut::new(&mut got, taken.clone(), starts(&taken)),
        );
        let expected: Vec<i32> =
            neighbors.iter().flat_map(|from| vec![*from; own as usize]).collect();
        assert_eq!(got, expected);
    });
}
