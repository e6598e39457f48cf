//! Reductions and what they are made of.

use mpi_api::api::{
    collective::{SystemOperation, UserOperation, reduce_local_into},
    datatype::Partition,
    topology::SimpleCommunicator,
    traits::*,
};
use proptest::prelude::*;

use super::{agree_by, programs, rules};

/// Elements of every rank.
fn operands() -> impl Strategy<Value = Vec<Vec<i64>>> {
    (1..7_usize, 0..6_usize).prop_flat_map(|(ranks, count)| {
        prop::collection::vec(prop::collection::vec(-1000..1000_i64, count), ranks)
    })
}

/// An associative operation for which the order of the operands matters: of two functions of the
/// form a x + b, one after the other. Elements are `a` and `b` in one number.
fn after() -> UserOperation<'static> {
    UserOperation::associative(|x, y| {
        let (x, y) = (x.downcast::<i64>().expect("numbers"), y.downcast::<i64>().expect("numbers"));
        for (x, y) in x.iter().zip(y) {
            *y = composed(*x, *y);
        }
    })
}

const MODULUS: i64 = 10_007;

fn composed(x: i64, y: i64) -> i64 {
    let part = |z: i64| (z.rem_euclid(MODULUS * MODULUS) / MODULUS, z.rem_euclid(MODULUS));
    let ((a, b), (c, d)) = (part(x), part(y));
    (a * c).rem_euclid(MODULUS) * MODULUS + (b * c + d).rem_euclid(MODULUS)
}

/// The fold of the first `ranks` ranks' elements.
fn folded(operands: &[Vec<i64>], ranks: usize) -> Vec<i64> {
    let first = operands[0].clone();
    operands[1..ranks]
        .iter()
        .fold(first, |sum, next| sum.iter().zip(next).map(|(x, y)| composed(*x, *y)).collect())
}

/// The result of a reduction at the root; zeros elsewhere.
fn reduced(world: &SimpleCommunicator, root: i32, mine: &[i64]) -> Vec<i64> {
    let (root, mut result) = (world.process_at_rank(root), vec![0; mine.len()]);
    if root.is_self() {
        root.reduce_into_root(mine, &mut result[..], after());
    } else {
        root.reduce_into(mine, after());
    }
    result
}

proptest! {
    #![proptest_config(programs())]

    /// A reduction to everywhere is one to a root, broadcast; both fold in the order of ranks.
    #[test]
    fn an_allreduce_is_a_reduce_and_a_broadcast(
        operands in operands(), root in any::<prop::sample::Index>(), rule in rules()
    ) {
        let root = root.index(operands.len()) as i32;
        agree_by(rule, operands.len(), move |world| {
            let mine = &operands[world.rank() as usize];
            let mut everywhere = vec![0; mine.len()];
            world.all_reduce_into(&mine[..], &mut everywhere[..], after());
            let mut told = reduced(world, root, mine);
            world.process_at_rank(root).broadcast_into(&mut told[..]);
            assert_eq!(told, everywhere);
            if operands.len() > 1 {
                assert_eq!(everywhere, folded(&operands, operands.len()));
            }
        })?;
    }

    /// An allreduce is an allgather and a fold at each rank.
    #[test]
    fn an_allreduce_is_an_allgather_and_a_fold(operands in operands(), rule in rules()) {
        agree_by(rule, operands.len(), move |world| {
            let mine = &operands[world.rank() as usize];
            let (mut sum, mut all) = (mine.clone(), vec![0i64; mine.len() * operands.len()]);
            world.all_reduce_into(&mine[..], &mut sum[..], SystemOperation::max());
            world.all_gather_into(&mine[..], &mut all[..]);
            let mut local = mine.clone();
            for part in all.chunks(mine.len().max(1)) {
                reduce_local_into(part, &mut local[..], SystemOperation::max());
            }
            assert_eq!(sum, local);
        })?;
    }

    /// Q.12.
    #[test]
    fn a_reduce_scatter_is_a_reduce_and_a_scatter(
        counts in prop::collection::vec(0..4_i32, 1..7), rule in rules()
    ) {
        agree_by(rule, counts.len(), move |world| {
            let rank = world.rank() as usize;
            let total: i32 = counts.iter().sum();
            let starts: Vec<i32> = (0..counts.len()).map(|at| counts[..at].iter().sum()).collect();
            let mine: Vec<i64> = (0..total).map(|at| (rank as i64 + 2) * i64::from(at + 3)).collect();
            let mut at_once = vec![0i64; counts[rank] as usize];
            let mut in_steps = vec![-1i64; counts[rank] as usize];
            world.reduce_scatter_into(&mine[..], &counts, &mut at_once[..], after());
            let sum = reduced(world, 0, &mine);
            let root = world.process_at_rank(0);
            if root.is_self() {
                let parts = Partition::new(&sum[..], &counts[..], starts);
                root.scatter_varcount_into_root(&parts, &mut in_steps[..]);
            } else {
                root.scatter_varcount_into(&mut in_steps[..]);
            }
            assert_eq!(at_once, in_steps);
        })?;
    }

    /// The definition of the prefix: a fold of the ranks up to one's own.
    #[test]
    fn a_scan_is_a_fold_of_the_first_ranks(operands in operands(), rule in rules()) {
        prop_assume!(operands.len() > 1);
        agree_by(rule, operands.len(), move |world| {
            let rank = world.rank() as usize;
            let mine = &operands[rank];
            let mut prefix = vec![0; mine.len()];
            world.scan_into(&mine[..], &mut prefix[..], after());
            assert_eq!(prefix, folded(&operands, rank + 1));
        })?;
    }

    /// Q.13.
    #[test]
    fn an_inclusive_prefix_is_the_exclusive_one_and_the_own_value(
        operands in operands(), rule in rules()
    ) {
        agree_by(rule, operands.len(), move |world| {
            let rank = world.rank() as usize;
            let (mut inclusive, mut local) = (vec![0; operands[0].len()], operands[rank].clone());
            let mut exclusive = inclusive.clone();
            world.scan_into(&local[..], &mut inclusive[..], after());
            world.exclusive_scan_into(&local[..], &mut exclusive[..], after());
            if rank > 0 {
                reduce_local_into(&exclusive[..], &mut local[..], after());
            }
            assert_eq!(local, inclusive);
        })?;
    }
}
