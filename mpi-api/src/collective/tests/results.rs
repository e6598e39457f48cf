//! Tests of results, for all small numbers of ranks, roots and random counts.

use std::rc::Rc;

use super::{
    by_rank,
    interpreter::{Combine, run},
};
use crate::{
    call::{CollectiveKind as K, Counts, Management},
    collective::{
        Schedule, Shape,
        algorithm::{Algorithm, CHOOSABLE, algorithms, applicable, build},
        select::{Selector, SelectorName},
    },
    settings::CollectiveSynchronization,
};

/// A function that creates the schedule for a shape.
type Make = Box<dyn Fn(&Shape) -> Schedule>;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
        (self.0 >> 33) % bound
    }

    fn bytes(&mut self, count: u64) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
}

fn sum(left: &[u8], right: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let pairs = left.chunks(4).zip(right.chunks(4));
    pairs.flat_map(|(l, r)| number(l).wrapping_add(number(r)).to_le_bytes()).collect()
}

/// Composes maps x -> a x + b modulo 256: an associative operation that is not commutative.
fn compose(left: &[u8], right: &[u8]) -> Vec<u8> {
    let pairs = left.chunks(2).zip(right.chunks(2));
    let one = |(l, r): (&[u8], &[u8])| {
        [l[0].wrapping_mul(r[0]), l[0].wrapping_mul(r[1]).wrapping_add(l[1])]
    };
    pairs.flat_map(one).collect()
}

fn makers(kind: K) -> Vec<(String, Make)> {
    let mut makers: Vec<(String, Make)> = Vec::new();
    for algorithm in algorithms(kind) {
        let make = |shape: &Shape| by_rank(build(applicable(*algorithm, shape), shape), shape);
        makers.push((format!("{kind:?} {algorithm}"), Box::new(make)));
    }
    for rule in SelectorName::ALL {
        let mut selector = Selector::default_choice();
        selector.set(rule.name()).expect("its own name");
        for how in [CollectiveSynchronization::Algorithm, CollectiveSynchronization::Minimal] {
            let name = format!("{kind:?} {selector:?} {how:?}");
            let selector = selector.clone();
            makers.push((
                name,
                Box::new(move |shape| by_rank(selector.schedule(shape, how).1, shape)),
            ));
        }
    }
    makers
}

fn each(counts: &[u64]) -> Counts {
    Counts::Each(Rc::from(counts))
}

/// Returns shapes, inputs and expected outputs of one case: `table[i][j]` bytes go from i to j.
fn case(
    base: &Shape,
    table: &[Vec<u64>],
    vector: bool,
    random: &mut Random,
    op: Combine,
) -> Vec<(Shape, Vec<u8>, Vec<u8>)> {
    let (p, root) = (base.size as usize, base.root as usize);
    let kind = base.kind;
    let n = table[0][0];
    let total: u64 = table[0].iter().sum();
    let length = |rank: usize| match kind {
        K::Broadcast => n * u64::from(rank == root),
        K::Gather | K::Allgather => table[0][rank],
        K::Scatter => total * u64::from(rank == root),
        K::Alltoall => table[rank].iter().sum(),
        K::ReduceScatter => total,
        K::Reduce | K::Allreduce | K::Scan | K::Exscan => n,
        _ => 0,
    };
    let inputs: Vec<Vec<u8>> = (0..p).map(|rank| random.bytes(length(rank))).collect();
    let fold = |end: usize| inputs[..end].iter().cloned().reduce(|l, r| op(&l, &r));
    let block = |data: &[u8], counts: &[u64], index: usize| {
        let start = counts[..index].iter().sum::<u64>() as usize;
        data[start..start + counts[index] as usize].to_vec()
    };
    let side = |counts: &[u64]| if vector { each(counts) } else { Counts::Uniform(n) };
    let part = |rank: usize| {
        let at_root = rank == root;
        let here = |counts: Counts| if at_root || !vector { counts } else { Counts::None };
        let column: Vec<u64> = table.iter().map(|row| row[rank]).collect();
        let mine = Counts::Uniform(table[0][rank]);
        let whole = Counts::Uniform(n);
        let (send, receive, expected) = match kind {
            K::Broadcast if at_root => (whole, Counts::None, inputs[root].clone()),
            K::Broadcast => (Counts::None, whole, inputs[root].clone()),
            K::Gather if at_root => (mine, side(&table[0]), inputs.concat()),
            K::Gather => (mine, here(side(&table[0])), vec![]),
            K::Scatter => (here(side(&table[0])), mine, block(&inputs[root], &table[0], rank)),
            K::Allgather => (mine, side(&table[0]), inputs.concat()),
            K::Alltoall => {
                let got = (0..p).flat_map(|from| block(&inputs[from], &table[from], rank));
                (side(&table[rank]), side(&column), got.collect())
            }
            K::Reduce if !at_root => (whole.clone(), whole, vec![]),
            K::Reduce | K::Allreduce => (whole.clone(), whole, fold(p).unwrap()),
            K::Scan => (whole.clone(), whole, fold(rank + 1).unwrap()),
            K::Exscan => (whole.clone(), whole, fold(rank).unwrap_or_default()),
            K::ReduceScatter => {
                let mine = block(&fold(p).unwrap(), &table[0], rank);
                (Counts::Uniform(total), side(&table[0]), mine)
            }
            _ => (Counts::None, Counts::None, vec![]),
        };
        let shape = Shape { rank: rank as u32, send, receive, ..base.clone() };
        (shape, inputs[rank].clone(), expected)
    };
    (0..p).map(part).collect()
}

fn check(kind: K, size: u32, root: u32, commutative: bool, random: &mut Random) {
    let (element_bytes, op): (u64, Combine) = if commutative { (4, sum) } else { (2, compose) };
    let base = Shape {
        kind,
        size,
        rank: 0,
        root,
        remote: None,
        neighbors: None,
        send: Counts::None,
        receive: Counts::None,
        element_bytes,
        commutative,
    };
    let p = size as usize;
    for vector in [false, true] {
        let same = random.below(9) * element_bytes;
        let mut draw = || if vector { random.below(7) * element_bytes } else { same };
        let mut table: Vec<Vec<u64>> = (0..p).map(|_| (0..p).map(|_| draw()).collect()).collect();
        if kind != K::Alltoall {
            let row = table[0].clone();
            table.iter_mut().for_each(|other| other.clone_from(&row));
        }
        for (name, make) in makers(kind) {
            let case = case(&base, &table, vector, random, op);
            let parts = case.iter().map(|(shape, input, _)| (make(shape), input.clone()));
            let outputs = run(parts.collect(), op);
            for (rank, (output, (.., expected))) in outputs.iter().zip(&case).enumerate() {
                assert_eq!(output, expected, "{name}, rank {rank} of {size}, root {root}");
            }
        }
    }
}

#[test]
fn every_algorithm_gives_the_result_of_the_direct_computation() {
    let mut random = Random(7);
    let others =
        [Management::CommDup, Management::CommSplit, Management::CommDisconnect].map(K::from);
    for kind in CHOOSABLE.into_iter().map(|(kind, _)| kind).chain(others) {
        let rooted = matches!(kind, K::Broadcast | K::Gather | K::Scatter | K::Reduce);
        for size in (1..=9).chain([16, 17]) {
            for root in 0..if rooted { size } else { 1 } {
                check(kind, size, root, true, &mut random);
                check(kind, size, root, false, &mut random);
            }
        }
    }
}

#[test]
fn names_are_parsed_and_errors_name_what_is_allowed() {
    let mut selector = Selector::default_choice();
    selector.set("allgather=ring").unwrap();
    selector.set("all_to_all = Pairwise").unwrap();
    selector.set("textbook").unwrap();
    let error = selector.set("allgather=star").unwrap_err().to_string();
    let expected = "allgather has no algorithm 'star': use one of bruck, gather_broadcast, \
                    linear, neighbor_exchange, recursive_doubling, ring";
    assert_eq!(error, expected);
    assert!(selector.set("gossip=ring").unwrap_err().to_string().contains("reduce_scatter"));
    assert!(
        selector.set("best").unwrap_err().to_string().contains("auto, textbook, mpich-4, ompi-5.0")
    );
    assert_eq!(Algorithm::RecursiveDoubling.to_string(), "recursive_doubling");
    assert_eq!(Selector::table().len(), 11);
}

fn sum_of_floats(left: &[u8], right: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let pairs = left.chunks(8).zip(right.chunks(8));
    pairs.flat_map(|(l, r)| (number(l) + number(r)).to_le_bytes()).collect()
}

/// Returns the outputs of a reduction of floating-point numbers of very different magnitudes.
fn reduce_floats(kind: K, algorithm: Algorithm, size: u32, root: u32) -> Vec<Vec<u8>> {
    let mut random = Random(11);
    let n = 8 * 5;
    let mut part = |rank| {
        let send = Counts::Uniform(n);
        let receive = send.clone();
        let (remote, neighbors, element_bytes, commutative) = (None, None, 8, true);
        let shape = Shape {
            kind,
            size,
            rank,
            root,
            remote,
            neighbors,
            send,
            receive,
            element_bytes,
            commutative,
        };
        let mut number = || random.below(1000) as f64 * 10_f64.powi(random.below(30) as i32);
        let input: Vec<u8> = (0..5).flat_map(|_| number().to_le_bytes()).collect();
        (by_rank(build(algorithm, &shape), &shape), input)
    };
    run((0..size).map(&mut part).collect(), sum_of_floats)
}

#[test]
fn floating_point_results_follow_the_documented_order() {
    for size in 1..=17 {
        let doubling = reduce_floats(K::Allreduce, Algorithm::RecursiveDoubling, size, 0);
        assert!(doubling.iter().all(|one| *one == doubling[0]), "the same on all {size} ranks");
        assert_eq!(reduce_floats(K::Allreduce, Algorithm::Rabenseifner, size, 0), doubling);
        let linear = reduce_floats(K::Allreduce, Algorithm::Linear, size, 0);
        for root in 0..size {
            let at_root = |algorithm| {
                reduce_floats(K::Reduce, algorithm, size, root).swap_remove(root as usize)
            };
            assert_eq!(at_root(Algorithm::Rabenseifner), doubling[0], "{size} ranks, root {root}");
            assert_eq!(at_root(Algorithm::Linear), linear[0], "{size} ranks, root {root}");
        }
    }
}
