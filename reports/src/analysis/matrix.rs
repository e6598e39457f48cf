//! The communication matrix: how much each rank sends to each other one.

use mpi_api::trace::SentMessage;

use crate::records::Records;

/// Largest side of a matrix; with more ranks, several of them share a row and a column.
const SIDE: u32 = 64;

/// Messages and bytes from each block of ranks to each other block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommunicationMatrix {
    /// Number of ranks.
    pub ranks: u32,
    /// Consecutive ranks that share a row and a column; 1 up to 64 ranks.
    pub block: u32,
    /// Number of rows, and of columns.
    pub side: u32,
    /// Number of messages, row by row; a row belongs to a sender.
    pub messages: Vec<u64>,
    /// Bytes of data, row by row; a row belongs to a sender.
    pub bytes: Vec<u64>,
}

impl CommunicationMatrix {
    /// Counts the messages of a trace that were sent.
    pub fn of(ranks: u32, records: &Records) -> Self {
        let block = ranks.div_ceil(SIDE).max(1);
        let side = ranks.div_ceil(block);
        let cells = (side * side) as usize;
        let mut matrix =
            Self { ranks, block, side, messages: vec![0; cells], bytes: vec![0; cells] };
        for SentMessage { source, target, bytes, .. } in records.sent() {
            if source < ranks && target < ranks {
                let cell = matrix.cell(source / block, target / block);
                matrix.messages[cell] += 1;
                matrix.bytes[cell] += bytes;
            }
        }
        matrix
    }

    /// Returns the index in the vectors of row `from`, column `to`.
    pub fn cell(&self, from: u32, to: u32) -> usize {
        (from * self.side + to) as usize
    }

    /// Returns the number of all messages.
    pub fn total_messages(&self) -> u64 {
        self.messages.iter().sum()
    }

    /// Returns the bytes of all messages.
    pub fn total_bytes(&self) -> u64 {
        self.bytes.iter().sum()
    }

    /// Returns the first and the last rank of a row.
    pub fn span(&self, row: u32) -> (u32, u32) {
        (row * self.block, ((row + 1) * self.block).min(self.ranks) - 1)
    }
}
