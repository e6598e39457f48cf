//! Collectives that move data, and the messages or simpler collectives they stand for.

use mpi_api::api::{
    datatype::{Partition, PartitionMut},
    request::scope,
    topology::{Adjacency, SimpleCommunicator},
    traits::*,
};
use proptest::prelude::*;

use super::{agree_by, programs, rules, values};

/// A count for each rank, a root, and places left free between the blocks.
#[derive(Clone, Debug)]
struct Blocks {
    counts: Vec<usize>,
    root: i32,
    gap: usize,
}

fn blocks() -> impl Strategy<Value = Blocks> {
    prop::collection::vec(0..5_usize, 1..7)
        .prop_flat_map(|counts| (0..counts.len() as i32, Just(counts), 0..3_usize))
        .prop_map(|(root, counts, gap)| Blocks { counts, root, gap })
}

impl Blocks {
    fn ranks(&self) -> usize {
        self.counts.len()
    }

    fn mine(&self, world: &SimpleCommunicator) -> Vec<i32> {
        let rank = world.rank() as usize;
        values(rank, 0, self.counts[rank])
    }

    /// Where each rank's block begins, and how many elements there are with the gaps.
    fn places(&self) -> (Vec<i32>, usize) {
        let mut end = 0;
        let starts = self.counts.iter().map(|count| {
            let start = end;
            end += count + self.gap;
            start as i32
        });
        (starts.collect(), end)
    }

    fn lengths(&self) -> Vec<i32> {
        self.counts.iter().map(|count| *count as i32).collect()
    }

    /// The part of a buffer that is a rank's.
    fn of<'b>(&self, buffer: &'b mut [i32], rank: usize) -> &'b mut [i32] {
        let start = self.places().0[rank] as usize;
        &mut buffer[start..start + self.counts[rank]]
    }

    /// The definition of a gather: every rank sends, the root receives in turn.
    fn gathered_by_messages(&self, world: &SimpleCommunicator, root: i32) -> Vec<i32> {
        let mut all = vec![-1; self.places().1];
        let mine = self.mine(world);
        scope(|scope| {
            let send = world.process_at_rank(root).immediate_send(scope, &mine[..]);
            for rank in (0..self.ranks()).filter(|_| world.rank() == root) {
                world.process_at_rank(rank as i32).receive_into(self.of(&mut all, rank));
            }
            send.wait();
        });
        all
    }

    fn gathered(&self, world: &SimpleCommunicator, root: i32) -> Vec<i32> {
        let mut all = vec![-1; self.places().1];
        let (mine, root) = (self.mine(world), world.process_at_rank(root));
        if root.is_self() {
            let (lengths, starts) = (self.lengths(), self.places().0);
            let mut parts = PartitionMut::new(&mut all[..], lengths, starts);
            root.gather_varcount_into_root(&mine[..], &mut parts);
        } else {
            root.gather_varcount_into(&mine[..]);
        }
        all
    }
}

/// What goes from each rank to each.
fn matrix() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1..6_usize).prop_flat_map(|ranks| {
        prop::collection::vec(prop::collection::vec(0..4_usize, ranks), ranks)
    })
}

fn starts(counts: &[i32]) -> Vec<i32> {
    (0..counts.len()).map(|at| counts[..at].iter().sum()).collect()
}

proptest! {
    #![proptest_config(programs())]

    /// Q.11: a gather, of equal blocks and of any.
    #[test]
    fn a_gather_is_messages_to_the_root(blocks in blocks(), rule in rules(), each in 0..5_usize) {
        agree_by(rule, blocks.ranks(), move |world| {
            let root = world.process_at_rank(blocks.root);
            assert_eq!(
                blocks.gathered(world, blocks.root),
                blocks.gathered_by_messages(world, blocks.root)
            );
            let equal = Blocks { counts: vec![each; blocks.ranks()], gap: 0, ..blocks.clone() };
            let mut all = vec![-1; each * blocks.ranks()];
            if root.is_self() {
                root.gather_into_root(&equal.mine(world)[..], &mut all[..]);
            } else {
                root.gather_into(&equal.mine(world)[..]);
            }
            assert_eq!(all, equal.gathered_by_messages(world, blocks.root));
            assert_eq!(all, equal.gathered(world, blocks.root));
        })?;
    }

    /// Q.11: a scatter is messages from the root.
    #[test]
    fn a_scatter_is_messages_from_the_root(blocks in blocks(), rule in rules()) {
        agree_by(rule, blocks.ranks(), move |world| {
            let (starts, total) = blocks.places();
            let mut all = values(9, 0, total);
            let mut at_once = vec![-1; blocks.mine(world).len()];
            let root = world.process_at_rank(blocks.root);
            if root.is_self() {
                let parts = Partition::new(&all[..], blocks.lengths(), starts);
                root.scatter_varcount_into_root(&parts, &mut at_once[..]);
            } else {
                root.scatter_varcount_into(&mut at_once[..]);
            }
            let mut by_messages = at_once.clone();
            by_messages.fill(-2);
            let blocks_out: Vec<Vec<i32>> = (0..blocks.ranks())
                .filter(|_| root.is_self())
                .map(|rank| blocks.of(&mut all, rank).to_vec())
                .collect();
            scope(|scope| {
                let sends: Vec<_> = (0..)
                    .zip(&blocks_out)
                    .map(|(to, data)| {
                        world.process_at_rank(to).immediate_send(scope, &data[..])
                    })
                    .collect();
                root.receive_into(&mut by_messages[..]);
                sends.into_iter().for_each(|send| _ = send.wait());
            });
            assert_eq!(at_once, by_messages);
        })?;
    }

    /// Q.11: an allgather is a gather at every rank, and a gather whose result is broadcast.
    #[test]
    fn an_allgather_is_many_gathers(blocks in blocks(), rule in rules()) {
        agree_by(rule, blocks.ranks(), move |world| {
            let mut all = vec![-1; blocks.places().1];
            let mut parts = PartitionMut::new(&mut all[..], blocks.lengths(), blocks.places().0);
            world.all_gather_varcount_into(&blocks.mine(world)[..], &mut parts);
            for root in 0..world.size() {
                let gathered = blocks.gathered(world, root);
                assert!(root != world.rank() || gathered == all);
            }
            let mut told = blocks.gathered(world, blocks.root);
            world.process_at_rank(blocks.root).broadcast_into(&mut told[..]);
            assert_eq!(told, all);
        })?;
    }

    /// A broadcast is a message to each rank, and a scatter whose parts are gathered everywhere.
    #[test]
    fn a_broadcast_is_messages(blocks in blocks(), rule in rules(), count in 0..40_usize) {
        agree_by(rule, blocks.ranks(), move |world| {
            let root = world.process_at_rank(blocks.root);
            let data = values(3, 0, count);
            let mut told = if root.is_self() { data.clone() } else { vec![-1; count] };
            let mut sent = told.clone();
            root.broadcast_into(&mut told[..]);
            if root.is_self() {
                for rank in (0..world.size()).filter(|rank| *rank != blocks.root) {
                    world.process_at_rank(rank).send(&data[..]);
                }
            } else {
                root.receive_into(&mut sent[..]);
            }
            assert_eq!(told, data);
            assert_eq!(sent, told);
        })?;
    }

    /// Q.11: an all-to-all is a message from each rank to each, and a scatter from every rank.
    #[test]
    fn an_alltoall_is_messages(matrix in matrix(), rule in rules()) {
        agree_by(rule, matrix.len(), move |world| {
            let rank = world.rank() as usize;
            let sends: Vec<i32> = matrix[rank].iter().map(|count| *count as i32).collect();
            let gets: Vec<i32> = matrix.iter().map(|row| row[rank] as i32).collect();
            let out = values(rank, 0, sends.iter().sum::<i32>() as usize);
            let room = vec![-1; gets.iter().sum::<i32>() as usize];
            let [mut at_once, mut by_messages, mut scattered] = [room.clone(), room.clone(), room];
            world.all_to_all_varcount_into(
                &Partition::new(&out[..], &sends[..], starts(&sends)),
                &mut PartitionMut::new(&mut at_once[..], &gets[..], starts(&gets)),
            );
            let block = |buffer_starts: &[i32], counts: &[i32], rank: usize| {
                let start = buffer_starts[rank] as usize;
                start..start + counts[rank] as usize
            };
            scope(|scope| {
                let pending: Vec<_> = (0..matrix.len())
                    .map(|to| {
                        let data = &out[block(&starts(&sends), &sends, to)];
                        world.process_at_rank(to as i32).immediate_send(scope, data)
                    })
                    .collect();
                for from in 0..matrix.len() {
                    let room = &mut by_messages[block(&starts(&gets), &gets, from)];
                    world.process_at_rank(from as i32).receive_into(room);
                }
                pending.into_iter().for_each(|send| _ = send.wait());
            });
            for from in 0..matrix.len() {
                let room = &mut scattered[block(&starts(&gets), &gets, from)];
                let root = world.process_at_rank(from as i32);
                if root.is_self() {
                    let parts = Partition::new(&out[..], &sends[..], starts(&sends));
                    root.scatter_varcount_into_root(&parts, room);
                } else {
                    root.scatter_varcount_into(room);
                }
            }
            assert_eq!(at_once, by_messages);
            assert_eq!(at_once, scattered);
        })?;
    }

    /// Q.19: on the complete graph with loops the neighbours are everybody.
    #[test]
    fn neighbors_on_the_complete_graph_are_everybody(matrix in matrix(), each in 0..4_usize) {
        agree_by("auto", matrix.len(), move |world| {
            let (rank, ranks) = (world.rank() as usize, matrix.len());
            let everybody: Vec<i32> = (0..ranks as i32).collect();
            let neighbors = Adjacency {
                sources: everybody.clone(),
                destinations: everybody,
                ..Adjacency::default()
            };
            let graph = world.create_adjacent_graph_communicator(neighbors, false);
            let graph = graph.expect("every rank has a place");
            let mine = values(rank, 1, each);
            let (mut dense, mut near) = (vec![-1; each * ranks], vec![-2; each * ranks]);
            world.all_gather_into(&mine[..], &mut dense[..]);
            graph.neighbor_all_gather_into(&mine[..], &mut near[..]);
            assert_eq!(dense, near);
            let sends: Vec<i32> = matrix[rank].iter().map(|count| *count as i32).collect();
            let gets: Vec<i32> = matrix.iter().map(|row| row[rank] as i32).collect();
            let out = values(rank, 2, sends.iter().sum::<i32>() as usize);
            let total = gets.iter().sum::<i32>() as usize;
            let (mut dense, mut near) = (vec![-1; total], vec![-2; total]);
            let parts = Partition::new(&out[..], &sends[..], starts(&sends));
            let mut into = PartitionMut::new(&mut dense[..], &gets[..], starts(&gets));
            world.all_to_all_varcount_into(&parts, &mut into);
            let mut into = PartitionMut::new(&mut near[..], &gets[..], starts(&gets));
            graph.neighbor_all_to_all_varcount_into(&parts, &mut into);
            assert_eq!(dense, near);
        })?;
    }
}
