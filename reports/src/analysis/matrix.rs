//! Who sends how much to whom.

use mpi_api::trace::Record;

/// The largest side of a matrix; more ranks share rows and columns.
const SIDE: u32 = 64;

/// Messages and bytes from each block of ranks to each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommunicationMatrix {
    /// Number of ranks.
    pub ranks: u32,
    /// Neighbouring ranks that share a row and a column; 1 up to 64 ranks.
    pub block: u32,
    /// Rows, and columns.
    pub side: u32,
    /// Messages, row of the sender after row.
    pub messages: Vec<u64>,
    /// Bytes, row of the sender after row.
    pub bytes: Vec<u64>,
}

impl CommunicationMatrix {
    /// Counts the messages of a trace, also those that were never delivered.
    pub fn of(ranks: u32, records: &[Record]) -> Self {
        let block = ranks.div_ceil(SIDE).max(1);
        let side = ranks.div_ceil(block);
        let cells = (side * side) as usize;
        let mut matrix =
            Self { ranks, block, side, messages: vec![0; cells], bytes: vec![0; cells] };
        for record in records {
            if let Record::Message { source, target, bytes, .. }
            | Record::Undelivered { source, target, bytes } = record
                && *source < ranks
                && *target < ranks
            {
                let cell = matrix.cell(source / block, target / block);
                matrix.messages[cell] += 1;
                matrix.bytes[cell] += bytes;
            }
        }
        matrix
    }

    /// Where row `from` and column `to` are in the vectors.
    pub fn cell(&self, from: u32, to: u32) -> usize {
        (from * self.side + to) as usize
    }

    /// All messages.
    pub fn total_messages(&self) -> u64 {
        self.messages.iter().sum()
    }

    /// All bytes.
    pub fn total_bytes(&self) -> u64 {
        self.bytes.iter().sum()
    }

    /// The first and last rank of a row.
    pub fn span(&self, row: u32) -> (u32, u32) {
        (row * self.block, ((row + 1) * self.block).min(self.ranks) - 1)
    }
}
