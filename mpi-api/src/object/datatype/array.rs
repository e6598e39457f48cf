//! Parts of multidimensional arrays: `MPI_Type_create_subarray` and `MPI_Type_create_darray`
//! (MPI section 5.1.3 and 5.1.4).

use super::{Combiner, Datatype, Envelope, draft::Draft, draft::too_large};
use crate::error::{ErrorClass, MpiError};

/// The storage order of an array: which index varies fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The last index varies fastest, as in C.
    C = 0,
    /// The first index varies fastest, as in Fortran.
    Fortran = 1,
}

/// The distribution of one dimension over processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Not distributed (`MPI_DISTRIBUTE_NONE`).
    None = 0,
    /// One block for each process (`MPI_DISTRIBUTE_BLOCK`).
    Block = 1,
    /// Blocks assigned in turn (`MPI_DISTRIBUTE_CYCLIC`).
    Cyclic = 2,
}

/// One dimension of a distributed array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Number of elements in the whole array.
    pub size: i64,
    /// Distribution of the dimension.
    pub distribution: Distribution,
    /// Block size in elements; `None` is `MPI_DISTRIBUTE_DFLT_DARG`.
    pub block: Option<i64>,
    /// Number of processes along the dimension.
    pub processes: i64,
}

fn argument(text: String) -> MpiError {
    MpiError::new(ErrorClass::Arg, text)
}

/// Returns the indices of the dimensions from the fastest to the slowest.
fn fastest_first(dimensions: usize, order: Order) -> Vec<usize> {
    match order {
        Order::C => (0..dimensions).rev().collect(),
        Order::Fortran => (0..dimensions).collect(),
    }
}

impl Datatype {
    /// Describes a box within an array (`MPI_Type_create_subarray`); the extent is the whole
    /// array's.
    ///
    /// # Errors
    /// No dimensions, lists of different lengths, or a box that is not inside.
    pub fn subarray(
        sizes: &[i64],
        subsizes: &[i64],
        starts: &[i64],
        order: Order,
        old: &Self,
    ) -> Result<Self, MpiError> {
        let dimensions = sizes.len();
        if dimensions == 0 || subsizes.len() != dimensions || starts.len() != dimensions {
            return Err(argument(format!("an array of {dimensions} dimensions")));
        }
        let (mut draft, mut stride, mut offset) = (Draft::of(old), old.extent(), 0i64);
        for at in fastest_first(dimensions, order) {
            let (size, subsize, start) = (sizes[at], subsizes[at], starts[at]);
            if size < 1 || subsize < 1 || subsize > size || start < 0 || start > size - subsize {
                let text = format!("dimension {at}: {subsize} from {start} of {size} elements");
                return Err(argument(text));
            }
            draft = draft.repeat(subsize as u64, stride)?;
            offset = start
                .checked_mul(stride)
                .and_then(|by| offset.checked_add(by))
                .ok_or_else(too_large)?;
            stride = stride.checked_mul(size).ok_or_else(too_large)?;
        }
        let integers = [&[dimensions as i64], sizes, subsizes, starts, &[order as i64]].concat();
        let envelope = Envelope::made(Combiner::Subarray, integers, vec![], vec![old.clone()]);
        draft.shift(offset)?.resized(0, stride).finish(envelope)
    }

    /// `MPI_Type_create_darray`: the part of a distributed array that process `rank` of a
    /// row-major grid holds; the extent is the whole array's.
    ///
    /// # Errors
    /// A grid that is not of `processes` processes, a rank outside it, a block too small.
    pub fn darray(
        processes: i64,
        rank: i64,
        array: &[Dimension],
        order: Order,
        old: &Self,
    ) -> Result<Self, MpiError> {
        let grid = array.iter().try_fold(1i64, |n, along| n.checked_mul(along.processes));
        if array.is_empty() || grid != Some(processes) || !(0..processes).contains(&rank) {
            return Err(argument(format!("rank {rank} of {processes} processes in the grid")));
        }
        let mut rest = rank;
        let mut places = vec![0; array.len()];
        for (place, along) in places.iter_mut().zip(array).rev() {
            *place = rest % along.processes;
            rest /= along.processes;
        }
        let (mut draft, mut stride) = (Draft::of(old), old.extent());
        for at in fastest_first(array.len(), order) {
            draft = share(&draft, &array[at], places[at], stride)?;
            stride = stride.checked_mul(array[at].size).ok_or_else(too_large)?;
        }
        let envelope = darray_envelope(processes, rank, array, order, old);
        draft.resized(0, stride).finish(envelope)
    }
}

/// Describes the part of one dimension that process `place` along it holds.
fn share(inner: &Draft, along: &Dimension, place: i64, stride: i64) -> Result<Draft, MpiError> {
    let Dimension { size, distribution, block, processes } = *along;
    if size < 1 || processes < 1 || block.is_some_and(|block| block < 1) {
        return Err(argument(format!("a dimension of {size} elements on {processes} processes")));
    }
    let block = match distribution {
        Distribution::None if processes > 1 => {
            return Err(argument(format!("an undistributed dimension on {processes} processes")));
        }
        Distribution::None => size,
        Distribution::Block => block.unwrap_or((size + processes - 1) / processes),
        Distribution::Cyclic => block.unwrap_or(1),
    };
    if distribution == Distribution::Block
        && i128::from(block) * i128::from(processes) < size.into()
    {
        return Err(argument(format!("blocks of {block} for {size} elements on {processes}")));
    }
    let first = (block * place).min(size);
    let round = block * processes;
    let full = ((size - first - block).div_euclid(round) + 1).max(0);
    let after = first + full * round;
    let last = (size - after).clamp(0, block);
    let far = |elements: i64| elements.checked_mul(stride).ok_or_else(too_large);
    let dealt = inner.repeat(block as u64, stride)?.repeat(full as u64, far(round)?)?;
    let parts =
        vec![dealt.shift(far(first)?)?, inner.repeat(last as u64, stride)?.shift(far(after)?)?];
    Draft::sequence(parts)
}

fn darray_envelope(
    processes: i64,
    rank: i64,
    array: &[Dimension],
    order: Order,
    old: &Datatype,
) -> Envelope {
    let mut integers = vec![processes, rank, array.len() as i64];
    integers.extend(array.iter().map(|along| along.size));
    integers.extend(array.iter().map(|along| along.distribution as i64));
    integers.extend(array.iter().map(|along| along.block.unwrap_or(0)));
    integers.extend(array.iter().map(|along| along.processes));
    integers.push(order as i64);
    Envelope::made(Combiner::Darray, integers, vec![], vec![old.clone()])
}
