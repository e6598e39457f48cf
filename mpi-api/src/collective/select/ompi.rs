//! The fixed decisions of Open MPI 5.0, from its `ompi/mca/coll/tuned/coll_tuned_decision_fixed.c`
//! (version 5.0.2 as in the BullSequana fork of Open MPI 5.0).
//!
//! Closest equivalents: recursive doubling and Bruck barriers are dissemination; its pairwise
//! all-to-all is the ring here, and linear_sync is linear; segmented ring allreduce is ring;
//! binary, split binary and k-nomial broadcasts are binomial, chains and pipelines the pipelined
//! chain; chain, pipeline and binary reductions are binomial; reduce-scatter by ring is pairwise
//! and by butterfly recursive halving; allgatherv's default is gather and broadcast. Both
//! reduce-scatters use the table of the one with counts. A ring allreduce of fewer elements than ranks is
//! recursive doubling there.

use super::{
    Algorithm::{self, *},
    table::{ANY, KIB, MIB, REST, Table, look_up},
};
use crate::{
    call::{CollectiveKind as K, Counts},
    collective::{
        Shape,
        algorithm::choosable,
        blocks::{Blocks, single},
        broadcast,
    },
};

const ALLREDUCE_ORDERED: Table = &[
    (4, &[(128 * KIB, RecursiveDoubling), (REST, Linear)]),
    (8, &[(REST, RecursiveDoubling)]),
    (16, &[(MIB, RecursiveDoubling), (REST, ReduceBroadcast)]),
    (128, &[(REST, RecursiveDoubling)]),
    (256, &[(128 * KIB, ReduceBroadcast), (512 * KIB, RecursiveDoubling), (REST, ReduceBroadcast)]),
    (512, &[(4 * KIB, ReduceBroadcast), (512 * KIB, RecursiveDoubling), (REST, ReduceBroadcast)]),
    (ANY, &[(2 * KIB, ReduceBroadcast), (REST, RecursiveDoubling)]),
];
const ALLREDUCE: Table = &[
    (
        4,
        &[
            (8, Ring),
            (4 * KIB, RecursiveDoubling),
            (8 * KIB, Ring),
            (16 * KIB, RecursiveDoubling),
            (256 * KIB, Ring),
            (REST, Rabenseifner),
        ],
    ),
    (8, &[(16, Ring), (8 * KIB, RecursiveDoubling), (REST, Rabenseifner)]),
    (16, &[(8 * KIB, RecursiveDoubling), (REST, Rabenseifner)]),
    (32, &[(64, Ring), (4 * KIB, RecursiveDoubling), (REST, Rabenseifner)]),
    (64, &[(128, Ring), (REST, Rabenseifner)]),
    (128, &[(256 * KIB, RecursiveDoubling), (REST, Rabenseifner)]),
    (256, &[(128 * KIB, ReduceBroadcast), (256 * KIB, RecursiveDoubling), (REST, Rabenseifner)]),
    (512, &[(4 * KIB, ReduceBroadcast), (REST, Rabenseifner)]),
    (2048, &[(2 * KIB, ReduceBroadcast), (16 * KIB, RecursiveDoubling), (REST, Rabenseifner)]),
    (
        4096,
        &[
            (2 * KIB, ReduceBroadcast),
            (4 * KIB, Ring),
            (16 * KIB, RecursiveDoubling),
            (REST, Rabenseifner),
        ],
    ),
    (
        ANY,
        &[
            (2 * KIB, ReduceBroadcast),
            (16 * KIB, Ring),
            (32 * KIB, RecursiveDoubling),
            (REST, Rabenseifner),
        ],
    ),
];
/// Selection by the bytes of a block, like all tables below that have blocks.
const ALLTOALL: Table = &[
    (3, &[(32 * KIB, Ring), (256 * KIB, Linear), (REST, Ring)]),
    (8, &[(512 * KIB, Linear), (MIB, Ring), (REST, Linear)]),
    (16, &[(REST, Linear)]),
    (32, &[(4, Linear), (512, Bruck), (REST, Linear)]),
    (64, &[(512, Bruck), (REST, Linear)]),
    (512, &[(KIB, Bruck), (256 * KIB, Linear), (REST, Ring)]),
    (1024, &[(512, Bruck), (256 * KIB, Linear), (REST, Ring)]),
    (2048, &[(512, Bruck), (REST, Linear)]),
    (4096, &[(KIB, Bruck), (REST, Linear)]),
    (ANY, &[(2 * KIB, Bruck), (REST, Linear)]),
];
const ALLTOALLV: Table = &[
    (4, &[(REST, Ring)]),
    (64, &[(REST, Linear)]),
    (128, &[(REST, Ring)]),
    (256, &[(REST, Linear)]),
    (1024, &[(REST, Ring)]),
    (ANY, &[(REST, Linear)]),
];
const BARRIER: Table = &[
    (4, &[(REST, Dissemination)]),
    (8, &[(REST, Linear)]),
    (256, &[(REST, Dissemination)]),
    (512, &[(REST, Tree)]),
    (1024, &[(REST, Dissemination)]),
    (4096, &[(REST, Tree)]),
    (ANY, &[(REST, Dissemination)]),
];
const BROADCAST: Table = &[
    (
        4,
        &[
            (32, PipelinedChain),
            (256, Binomial),
            (512, PipelinedChain),
            (KIB, Binomial),
            (32 * KIB, Linear),
            (128 * KIB, Binomial),
            (256 * KIB, PipelinedChain),
            (512 * KIB, Linear),
            (REST, Binomial),
        ],
    ),
    (8, &[(8 * KIB, Binomial), (MIB, Linear), (REST, PipelinedChain)]),
    (16, &[(32 * KIB, Binomial), (REST, Linear)]),
    (32, &[(MIB, Binomial), (REST, ScatterRecursiveDoubling)]),
    (128, &[(REST, Binomial)]),
    (256, &[(16 * KIB, Binomial), (32 * KIB, Linear), (REST, Binomial)]),
    (1024, &[(REST, Binomial)]),
    (2048, &[(512 * KIB, Binomial), (REST, ScatterRecursiveDoubling)]),
    (ANY, &[(256 * KIB, Binomial), (REST, ScatterRecursiveDoubling)]),
];
const REDUCE_ORDERED: Table = &[
    (4, &[(8, Binomial), (REST, Linear)]),
    (8, &[(REST, Linear)]),
    (
        16,
        &[
            (KIB, Binomial),
            (8 * KIB, Linear),
            (16 * KIB, Binomial),
            (256 * KIB, Linear),
            (REST, Binomial),
        ],
    ),
    (128, &[(REST, Binomial)]),
    (256, &[(512, Binomial), (KIB, Linear), (REST, Binomial)]),
    (ANY, &[(REST, Binomial)]),
];
const REDUCE: Table = &[
    (4, &[(8, Rabenseifner), (32, Binomial), (256 * KIB, Linear), (REST, Binomial)]),
    (8, &[(256 * KIB, Binomial), (512 * KIB, Linear), (MIB, Binomial), (REST, Linear)]),
    (ANY, &[(REST, Binomial)]),
];
/// Selection by the bytes of the whole operand.
const REDUCE_SCATTER: Table = &[
    (4, &[(64 * KIB, Pairwise), (128 * KIB, RecursiveHalving), (REST, Pairwise)]),
    (8, &[(8, ReduceThenScatter), (256 * KIB, RecursiveHalving), (REST, Pairwise)]),
    (32, &[(256 * KIB, RecursiveHalving), (REST, Pairwise)]),
    (64, &[(64, ReduceThenScatter), (512 * KIB, RecursiveHalving), (REST, Pairwise)]),
    (512, &[(256, ReduceThenScatter), (REST, RecursiveHalving)]),
    (4096, &[(512, ReduceThenScatter), (REST, RecursiveHalving)]),
    (ANY, &[(KIB, ReduceThenScatter), (REST, RecursiveHalving)]),
];
const ALLGATHER: Table = &[
    (32, &[(REST, RecursiveDoubling)]),
    (64, &[(KIB, RecursiveDoubling), (64 * KIB, NeighborExchange), (REST, Ring)]),
    (128, &[(512, RecursiveDoubling), (64 * KIB, NeighborExchange), (REST, Ring)]),
    (
        256,
        &[
            (512, RecursiveDoubling),
            (128 * KIB, NeighborExchange),
            (512 * KIB, Ring),
            (MIB, NeighborExchange),
            (REST, Ring),
        ],
    ),
    (
        512,
        &[
            (32, RecursiveDoubling),
            (128, Bruck),
            (KIB, RecursiveDoubling),
            (128 * KIB, NeighborExchange),
            (512 * KIB, Ring),
            (MIB, NeighborExchange),
            (REST, Ring),
        ],
    ),
    (
        1024,
        &[
            (64, RecursiveDoubling),
            (256, Bruck),
            (2 * KIB, RecursiveDoubling),
            (REST, NeighborExchange),
        ],
    ),
    (
        2048,
        &[
            (4, RecursiveDoubling),
            (8, Bruck),
            (16, RecursiveDoubling),
            (32, Bruck),
            (256, RecursiveDoubling),
            (512, Bruck),
            (4 * KIB, RecursiveDoubling),
            (REST, NeighborExchange),
        ],
    ),
    (
        4096,
        &[
            (32, Bruck),
            (128, RecursiveDoubling),
            (512, Bruck),
            (4 * KIB, RecursiveDoubling),
            (REST, NeighborExchange),
        ],
    ),
    (
        ANY,
        &[
            (2, RecursiveDoubling),
            (8, Bruck),
            (16, RecursiveDoubling),
            (512, Bruck),
            (4 * KIB, RecursiveDoubling),
            (REST, NeighborExchange),
        ],
    ),
];
/// Selection by the mean bytes of a block. Between two ranks all algorithms are one exchange.
const ALLGATHERV: Table = &[
    (3, &[(REST, Ring)]),
    (
        8,
        &[
            (256, GatherBroadcast),
            (4 * KIB, NeighborExchange),
            (8 * KIB, Ring),
            (16 * KIB, NeighborExchange),
            (256 * KIB, Bruck),
            (REST, NeighborExchange),
        ],
    ),
    (16, &[(KIB, GatherBroadcast), (REST, Bruck)]),
    (32, &[(128, GatherBroadcast), (256 * KIB, Bruck), (REST, Ring)]),
    (64, &[(256, GatherBroadcast), (8 * KIB, Bruck), (REST, Ring)]),
    (128, &[(256, GatherBroadcast), (4 * KIB, Bruck), (REST, Ring)]),
    (256, &[(KIB, Bruck), (64 * KIB, NeighborExchange), (REST, Ring)]),
    (512, &[(KIB, Bruck), (REST, Ring)]),
    (
        1024,
        &[
            (512, Bruck),
            (KIB, GatherBroadcast),
            (4 * KIB, Bruck),
            (MIB, NeighborExchange),
            (REST, Ring),
        ],
    ),
    (ANY, &[(4 * KIB, Bruck), (REST, NeighborExchange)]),
];
const GATHER: Table = &[
    (
        4,
        &[
            (4, Linear),
            (32 * KIB, Binomial),
            (64 * KIB, Linear),
            (128 * KIB, Binomial),
            (REST, Linear),
        ],
    ),
    (8, &[(KIB, Binomial), (8 * KIB, Linear), (32 * KIB, Binomial), (REST, Linear)]),
    (256, &[(REST, Binomial)]),
    (512, &[(2 * KIB, Binomial), (8 * KIB, Linear), (REST, Binomial)]),
    (ANY, &[(REST, Binomial)]),
];
const SCATTER: Table = &[
    (4, &[(REST, Linear)]),
    (8, &[(2 * KIB, Binomial), (4 * KIB, Linear), (8 * KIB, Binomial), (REST, Linear)]),
    (32, &[(16 * KIB, Binomial), (REST, Linear)]),
    (64, &[(512, Binomial), (8 * KIB, Linear), (16 * KIB, Binomial), (REST, Linear)]),
    (ANY, &[(512, Binomial), (REST, Linear)]),
];

pub(super) fn choose(shape: &Shape) -> Algorithm {
    let size = shape.size;
    let operand = single(&shape.send);
    let ordered = !shape.commutative;
    let (table, bytes) = match choosable(shape.kind) {
        K::Broadcast => (BROADCAST, broadcast::bytes(shape)),
        K::Gather => (GATHER, operand),
        K::Scatter => (SCATTER, single(&shape.receive)),
        K::Allgather => match shape.receive {
            Counts::Uniform(block) => (ALLGATHER, block),
            _ => (ALLGATHERV, Blocks::new(&shape.receive).start(size) / u64::from(size)),
        },
        K::Alltoall => match shape.send {
            Counts::Uniform(block) => (ALLTOALL, block),
            _ => (ALLTOALLV, 0),
        },
        K::Reduce => (if ordered { REDUCE_ORDERED } else { REDUCE }, operand),
        K::Allreduce => (if ordered { ALLREDUCE_ORDERED } else { ALLREDUCE }, operand),
        K::ReduceScatter if ordered => return ReduceThenScatter,
        K::ReduceScatter => (REDUCE_SCATTER, operand),
        K::Scan | K::Exscan => return Linear,
        _ => (BARRIER, 0),
    };
    match look_up(table, size, bytes).unwrap_or(Linear) {
        Ring if shape.kind == K::Allreduce
            && operand / shape.element_bytes.max(1) < u64::from(size) =>
        {
            RecursiveDoubling
        }
        found => found,
    }
}
