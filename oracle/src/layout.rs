//! The positions of a message's units in memory, computed independently of the simulator's
//! datatypes.

use mpi_api::object::signature::Primitive;

/// Bytes on either side of the data that no call may change.
const MARGIN: i64 = 8;

/// The positions of the units of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A single unit.
    One,
    /// Consecutive units (`MPI_Type_contiguous`).
    Row(u64),
    /// Blocks of equal length at a constant stride in units (`MPI_Type_vector`).
    Vector { count: u64, length: u64, stride: i64 },
    /// Blocks of equal length at a constant stride in bytes (`MPI_Type_create_hvector`).
    Hvector { count: u64, length: u64, stride: i64 },
    /// Lengths and displacements in units (`MPI_Type_indexed`).
    Indexed(Vec<(u64, i64)>),
    /// Lengths and displacements in bytes (`MPI_Type_create_hindexed`).
    Hindexed(Vec<(u64, i64)>),
    /// Blocks of equal length at displacements in units (`MPI_Type_create_indexed_block`).
    Block(u64, Vec<i64>),
    /// A rectangular part of a matrix in row-major or column-major order
    /// (`MPI_Type_create_subarray`): sizes, subsizes and starts.
    Box { sizes: [u64; 2], subsizes: [u64; 2], starts: [u64; 2], fortran: bool },
}

/// The buffer, count and datatype of one side of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Basic types of a unit with their displacements.
    pub(crate) fields: Vec<(Primitive, i64)>,
    /// Extent of a unit in bytes.
    pub(crate) extent: i64,
    /// Positions of the units of one element.
    pub(crate) shape: Shape,
    /// Number of elements.
    pub(crate) elements: u64,
}

fn blocks(blocks: impl Iterator<Item = (u64, i64)>, extent: i64) -> Vec<i64> {
    blocks.flat_map(|(length, at)| (0..length as i64).map(move |n| at + n * extent)).collect()
}

impl Layout {
    /// Returns the byte offset of each unit of one element, in type map order.
    fn places(&self) -> Vec<i64> {
        let e = self.extent;
        match &self.shape {
            Shape::One => vec![0],
            Shape::Row(units) => (0..*units as i64).map(|n| n * e).collect(),
            Shape::Vector { count, length, stride } => {
                blocks((0..*count as i64).map(|n| (*length, n * stride * e)), e)
            }
            Shape::Hvector { count, length, stride } => {
                blocks((0..*count as i64).map(|n| (*length, n * stride)), e)
            }
            Shape::Indexed(list) => blocks(list.iter().map(|(length, at)| (*length, at * e)), e),
            Shape::Hindexed(list) => blocks(list.iter().copied(), e),
            Shape::Block(length, list) => blocks(list.iter().map(|at| (*length, at * e)), e),
            Shape::Box { sizes, subsizes, starts, fortran } => {
                let (slow, fast) = if *fortran { (1, 0) } else { (0, 1) };
                let row = |i: u64| {
                    let first = (starts[slow] + i) * sizes[fast] + starts[fast];
                    (subsizes[fast], first as i64 * e)
                };
                blocks((0..subsizes[slow]).map(row), e)
            }
        }
    }

    /// Returns whether a unit is a single basic type, so that extents are padded to its alignment.
    pub(crate) fn is_basic(&self) -> bool {
        let size = |primitive: Primitive| primitive.size() as i64;
        matches!(self.fields[..], [(primitive, 0)] if size(primitive) == self.extent)
    }

    /// Returns the distance between elements in bytes.
    fn stride(&self) -> i64 {
        if let Shape::Box { sizes, .. } = &self.shape {
            return (sizes[0] * sizes[1]) as i64 * self.extent;
        }
        let places = self.places();
        let (first, last) = (places.iter().min(), places.iter().max());
        let extent = first.zip(last).map_or(0, |(first, last)| last + self.extent - first);
        let alignment = if self.is_basic() { self.extent } else { 1 };
        (extent + alignment - 1) / alignment * alignment
    }

    /// Returns displacement and size of every field of all elements.
    pub(crate) fn map(&self) -> Vec<(i64, usize)> {
        let (places, stride) = (self.places(), self.stride());
        let mut map = Vec::new();
        for element in 0..self.elements as i64 {
            for place in &places {
                for (primitive, at) in &self.fields {
                    map.push((element * stride + place + at, primitive.size()));
                }
            }
        }
        map
    }

    /// Returns the offset of displacement 0 within the memory of a buffer, and the length of that
    /// memory.
    pub(crate) fn memory(&self) -> (usize, usize) {
        let map = self.map();
        let low = map.iter().map(|(at, _)| *at).min().unwrap_or(0);
        let high = map.iter().map(|(at, size)| at + *size as i64).max().unwrap_or(0);
        ((MARGIN - low) as usize, (high - low + 2 * MARGIN) as usize)
    }

    /// Returns the packed data of a buffer.
    pub(crate) fn gather(&self, memory: &[u8]) -> Vec<u8> {
        let origin = self.memory().0 as i64;
        let field = |(at, size): (i64, usize)| {
            let start = (origin + at) as usize;
            memory[start..start + size].to_vec()
        };
        self.map().into_iter().flat_map(field).collect()
    }

    /// Unpacks data into a buffer; if there are fewer bytes than space, the rest is unchanged.
    pub(crate) fn scatter(&self, data: &[u8], memory: &mut [u8]) {
        let origin = self.memory().0 as i64;
        let mut left = data;
        for (at, size) in self.map() {
            if left.is_empty() {
                return;
            }
            let (now, rest) = left.split_at(size);
            let start = (origin + at) as usize;
            memory[start..start + size].copy_from_slice(now);
            left = rest;
        }
    }

    /// Returns the bytes of data in the buffer.
    pub(crate) fn bytes(&self) -> u64 {
        self.map().iter().map(|(_, size)| *size as u64).sum()
    }
}

/// Returns `length` bytes that depend on `what` only, so that every caller gets the same.
pub(crate) fn fill(what: &[u64], length: usize) -> Vec<u8> {
    let mix = |hash: u64, value: u64| {
        let hash = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ hash >> 29
    };
    let key = what.iter().fold(0x51_7c_c1_b7, |hash, value| mix(hash, *value));
    let word = |at: u64| mix(mix(key, at), 7).to_le_bytes();
    (0..length.div_ceil(8) as u64).flat_map(word).take(length).collect()
}
