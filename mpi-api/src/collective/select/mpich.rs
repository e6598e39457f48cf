//! The decisions of MPICH 4, from its `maint/tuning/coll/mpir/generic.json` at commit 7e03fe85 ("up
//! to" is inclusive there, hence the odd thresholds).
//!
//! Closest equivalents: its "scattered" all-to-all, which limits pending messages to 32, is linear;
//! its reduce-scatter for operations that are not commutative is recursive doubling. Its variants
//! for several ranks per node are left out. It distinguishes built-in operations: here all
//! commutative ones count as built in.

use super::{
    Algorithm::{self, *},
    table::{ANY, KIB, REST, Table, look_up},
    textbook,
};
use crate::{
    call::{CollectiveKind as K, Counts},
    collective::{
        Shape,
        blocks::{Blocks, single},
        broadcast,
    },
};

/// Selection by the bytes broadcast, for 2^k ranks.
const BROADCAST_POWER: Table = &[
    (8, &[(REST, Binomial)]),
    (
        ANY,
        &[(12 * KIB + 1, Binomial), (512 * KIB + 1, ScatterRecursiveDoubling), (REST, ScatterRing)],
    ),
];
/// Selection by the bytes broadcast, for other numbers of ranks.
const BROADCAST: Table =
    &[(8, &[(REST, Binomial)]), (ANY, &[(12 * KIB + 1, Binomial), (REST, ScatterRing)])];
/// Selection by the bytes of the whole result, for 2^k ranks.
const ALLGATHER_POWER: Table = &[(ANY, &[(512 * KIB, RecursiveDoubling), (REST, Ring)])];
/// Selection by the bytes of the whole result, for other numbers of ranks.
const ALLGATHER: Table = &[(ANY, &[(80 * KIB, Bruck), (REST, Ring)])];
/// Selection by the bytes of a block.
const ALLTOALL: Table = &[
    (8, &[(32 * KIB + 1, Linear), (REST, Pairwise)]),
    (ANY, &[(257, Bruck), (32 * KIB + 1, Linear), (REST, Pairwise)]),
];
/// Selection by the bytes of an operand that has at least as many elements as the power of two
/// below p.
const REDUCE: Table = &[(ANY, &[(2 * KIB + 1, Binomial), (REST, Rabenseifner)])];
/// Selection by the bytes of an operand, under the same condition.
const ALLREDUCE: Table = &[(ANY, &[(9, RecursiveDoubling), (REST, Rabenseifner)])];
/// Selection by the bytes of the whole operand, for commutative operations.
const REDUCE_SCATTER: Table = &[(ANY, &[(512 * KIB, RecursiveHalving), (REST, Pairwise)])];

/// Reports whether an operand can be divided among the power of two below p, and its operation
/// allows it.
fn cuts(shape: &Shape) -> bool {
    let power = shape.size.next_power_of_two() >> u32::from(!shape.size.is_power_of_two());
    shape.commutative && single(&shape.send) / shape.element_bytes.max(1) >= u64::from(power)
}

pub(super) fn choose(shape: &Shape) -> Algorithm {
    let size = shape.size;
    let power = size.is_power_of_two();
    let operand = single(&shape.send);
    let cut = cuts(shape);
    let found = match shape.kind {
        K::Broadcast => {
            let table = if power { BROADCAST_POWER } else { BROADCAST };
            look_up(table, size, broadcast::bytes(shape))
        }
        K::Allgather => {
            let table = if power { ALLGATHER_POWER } else { ALLGATHER };
            look_up(table, size, Blocks::new(&shape.receive).start(size))
        }
        K::Alltoall => match shape.send {
            Counts::Uniform(block) => look_up(ALLTOALL, size, block),
            _ => Some(Linear),
        },
        K::Reduce if cut => look_up(REDUCE, size, operand),
        K::Allreduce if cut => look_up(ALLREDUCE, size, operand),
        K::ReduceScatter if shape.commutative => look_up(REDUCE_SCATTER, size, operand),
        K::ReduceScatter => Some(RecursiveDoubling),
        _ => None,
    };
    // The other collectives do not depend on sizes and use the textbook algorithm.
    found.unwrap_or_else(|| textbook::choose(shape.kind))
}
