//! The division of a dense buffer into blocks.

use super::{Buffer, Region};
use crate::call::Counts;

/// The blocks of one side of a collective, in rank order.
#[derive(Clone, Debug)]
pub(super) enum Blocks {
    /// Equal blocks of this many bytes; costs no work per rank.
    Uniform(u64),
    /// First byte of each block, and the end of the last block.
    Each(Vec<u64>),
    /// A buffer divided into nearly equal parts at element boundaries.
    Parts {
        /// Number of elements in the buffer.
        elements: u64,
        /// Number of parts.
        parts: u64,
        /// Bytes of one element.
        element_bytes: u64,
    },
}

impl Blocks {
    pub(super) fn new(counts: &Counts) -> Self {
        match counts {
            Counts::None => Self::Uniform(0),
            Counts::Uniform(bytes) => Self::Uniform(*bytes),
            Counts::Each(each) => {
                let mut ends = Vec::with_capacity(each.len() + 1);
                let mut end = 0;
                ends.push(0);
                for bytes in each.iter() {
                    end += bytes;
                    ends.push(end);
                }
                Self::Each(ends)
            }
        }
    }

    /// Divides `bytes` into `parts`; an incomplete element at the end stays with the last part.
    pub(super) fn parts(bytes: u64, parts: u32, element_bytes: u64) -> Self {
        let element_bytes = if element_bytes > 0 && bytes.is_multiple_of(element_bytes) {
            element_bytes
        } else {
            1
        };
        Self::Parts { elements: bytes / element_bytes, parts: u64::from(parts), element_bytes }
    }

    /// Returns the first byte of block `index`, or the end of the buffer for `index` equal to the
    /// number of blocks.
    pub(super) fn start(&self, index: u32) -> u64 {
        let index = u64::from(index);
        match self {
            Self::Uniform(bytes) => bytes * index,
            Self::Each(ends) => ends[index as usize],
            Self::Parts { elements, parts, element_bytes } => {
                let longer = elements % parts;
                (elements / parts * index + index.min(longer)) * element_bytes
            }
        }
    }

    /// Returns the size of block `index` in bytes.
    pub(super) fn bytes(&self, index: u32) -> u64 {
        self.start(index + 1) - self.start(index)
    }

    /// Returns block `index` in `buffer`.
    pub(super) fn of(&self, buffer: Buffer, index: u32) -> Region {
        self.range(buffer, index, index + 1)
    }

    /// Returns blocks `first..end` in `buffer`.
    pub(super) fn range(&self, buffer: Buffer, first: u32, end: u32) -> Region {
        let start = self.start(first);
        Region { buffer, offset: start, bytes: self.start(end) - start }
    }
}

/// Returns the bytes of a side that has a single block.
pub(super) fn single(counts: &Counts) -> u64 {
    match counts {
        Counts::None => 0,
        Counts::Uniform(bytes) => *bytes,
        Counts::Each(each) => each.iter().sum(),
    }
}
