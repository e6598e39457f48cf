//! What the output of a benchmark contains, whatever program printed it.

use sim_core::words::counted;

/// A collective operation that benchmarks measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// `MPI_Barrier`.
    Barrier,
    /// `MPI_Bcast`.
    Broadcast,
    /// `MPI_Reduce`.
    Reduce,
    /// `MPI_Allreduce`.
    AllReduce,
    /// `MPI_Allgather`.
    AllGather,
    /// `MPI_Alltoall`.
    AllToAll,
    /// `MPI_Gather`.
    Gather,
    /// `MPI_Scatter`.
    Scatter,
}

impl Collective {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Barrier,
        Self::Broadcast,
        Self::Reduce,
        Self::AllReduce,
        Self::AllGather,
        Self::AllToAll,
        Self::Gather,
        Self::Scatter,
    ];

    /// Returns the word for the operation in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Barrier => "barrier",
            Self::Broadcast => "bcast",
            Self::Reduce => "reduce",
            Self::AllReduce => "allreduce",
            Self::AllGather => "allgather",
            Self::AllToAll => "alltoall",
            Self::Gather => "gather",
            Self::Scatter => "scatter",
        }
    }
}

/// What a benchmark does, and what its times mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Benchmark {
    /// Blocking messages back and forth in each of some pairs of ranks: half of a round trip.
    PingPong {
        /// Number of pairs.
        pairs: u32,
    },
    /// Windows of nonblocking messages from one half of the ranks to the other, each window
    /// acknowledged: time per message of a pair.
    Stream {
        /// Number of pairs.
        pairs: u32,
        /// Messages in a window.
        window: u32,
    },
    /// The same in both directions at once between two ranks: time per message of a rank.
    BothWays {
        /// Messages in a window.
        window: u32,
    },
    /// Every rank sends to the next one and receives from the one before: time of a call.
    Chain {
        /// Number of ranks.
        ranks: u32,
    },
    /// Every rank exchanges messages with both neighbours: time of an exchange.
    Neighbours {
        /// Number of ranks.
        ranks: u32,
    },
    /// A collective: mean time of a call.
    Collective {
        /// The operation.
        operation: Collective,
        /// Number of ranks; 0 if the output does not name it.
        ranks: u32,
    },
}

impl Benchmark {
    /// Returns the name for tables, with its numbers.
    pub fn name(self) -> String {
        match self {
            Self::PingPong { pairs: 1 } => "ping-pong".into(),
            Self::PingPong { pairs } => format!("ping-pong, {pairs} pairs"),
            Self::Stream { pairs: 1, window } => format!("stream, window {window}"),
            Self::Stream { pairs, window } => format!("stream, {pairs} pairs, window {window}"),
            Self::BothWays { window } => format!("stream both ways, window {window}"),
            Self::Chain { ranks } => format!("sendrecv, {}", counted(ranks.into(), "rank")),
            Self::Neighbours { ranks } => format!("exchange, {}", counted(ranks.into(), "rank")),
            Self::Collective { operation, ranks } => {
                format!("{}, {}", operation.word(), counted(ranks.into(), "rank"))
            }
        }
    }

    /// Returns the number of ranks that take part; 0 if it is not known.
    pub fn ranks(self) -> u32 {
        match self {
            Self::PingPong { pairs } | Self::Stream { pairs, .. } => 2 * pairs,
            Self::BothWays { .. } => 2,
            Self::Chain { ranks } | Self::Neighbours { ranks } => ranks,
            Self::Collective { ranks, .. } => ranks,
        }
    }
}

/// One line of a benchmark's output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Size of a message, bytes.
    pub bytes: u64,
    /// Time, nanoseconds; what it is the time of depends on the benchmark.
    pub time_ns: f64,
    /// Half of the last printed digit, nanoseconds.
    pub rounding_ns: f64,
}

/// One table of a benchmark's output.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The benchmark.
    pub benchmark: Benchmark,
    /// Path of the file.
    pub source: String,
    /// The lines of the table, in order of size.
    pub points: Vec<Point>,
}
