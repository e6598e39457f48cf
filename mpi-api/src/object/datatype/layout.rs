//! Derived datatypes: where the elements of a message lie in memory (MPI section 4.1).

/// A layout of elements of one basic type, in units of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// (displacement, length) of each block, in order.
    blocks: Vec<(usize, usize)>,
}

impl Layout {
    /// `count` elements in a row (`MPI_Type_contiguous`).
    pub fn contiguous(count: usize) -> Self {
        Self { blocks: vec![(0, count)] }
    }

    /// `count` blocks of `block_length`, `stride` elements apart (`MPI_Type_vector`).
    pub fn vector(count: usize, block_length: usize, stride: usize) -> Self {
        Self { blocks: (0..count).map(|block| (block * stride, block_length)).collect() }
    }

    /// Blocks of given lengths at given displacements (`MPI_Type_indexed`).
    pub fn indexed(lengths: &[usize], displacements: &[usize]) -> Self {
        Self { blocks: displacements.iter().copied().zip(lengths.iter().copied()).collect() }
    }

    /// Elements of data.
    pub fn elements(&self) -> usize {
        self.blocks.iter().map(|(_, length)| length).sum()
    }

    /// Elements from the first to past the last.
    pub fn span(&self) -> usize {
        self.blocks.iter().map(|(at, length)| at + length).max().unwrap_or(0)
    }

    /// The positions of the elements, in order.
    pub fn positions(&self) -> impl Iterator<Item = usize> + '_ {
        self.blocks.iter().flat_map(|(at, length)| *at..at + length)
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> &[(usize, usize)] {
        &self.blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_an_indexed_layout() {
        let vector = Layout::vector(2, 3, 4);
        assert_eq!(vector, Layout::indexed(&[3, 3], &[0, 4]));
        assert_eq!(vector.positions().collect::<Vec<_>>(), [0, 1, 2, 4, 5, 6]);
        assert_eq!((vector.elements(), vector.span()), (6, 7));
    }
}
