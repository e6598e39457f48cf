//! Arrays as the descriptors of Fortran describe them (`CFI_cdesc_t`, Fortran 2018, 18.5.3): their elements may have gaps
//! between them.

use std::{cell::RefCell, ffi::c_int};

use mpi_api::{error::MpiError, object::datatype::Datatype};
use smallvec::SmallVec;

use super::transfer::Part;
use crate::{
    constant::class,
    memory::read_made,
    state::{Fault, Mpi},
};

/// Most dimensions of an array (Fortran 2018, 5.4.6).
const MOST: usize = 15;

/// The descriptor of an array as the language lays it out; only `rank` dimensions are there.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Head {
    base: usize,
    element: usize,
    version: c_int,
    rank: i8,
    attribute: i8,
    kind: i16,
}

/// One dimension of a descriptor.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Dimension {
    lower: isize,
    /// Number of elements; -1 where the array does not say.
    extent: isize,
    /// Bytes from one element to the next.
    stride: isize,
}

/// An actual argument: elements of the same length at regular distances.
#[derive(Debug)]
pub(super) struct Array {
    pub(super) base: usize,
    /// Length of an element in bytes.
    element: i64,
    /// Extent and stride in bytes of each dimension, the fastest first.
    dimensions: SmallVec<[(i64, i64); MOST]>,
}

impl Array {
    /// Reads the descriptor at an address.
    pub(super) fn at(descriptor: usize) -> Self {
        let head: Head = read_made(descriptor as *const Head);
        let first = (descriptor + size_of::<Head>()) as *const Dimension;
        let rank = usize::try_from(head.rank).unwrap_or(0).min(MOST);
        let dimensions = (0..rank).map(|at| {
            let found = read_made(first.wrapping_add(at));
            (found.extent as i64, found.stride as i64)
        });
        Self { base: head.base, element: head.element as i64, dimensions: dimensions.collect() }
    }

    /// Reports whether the elements follow each other without gaps.
    pub(super) fn is_contiguous(&self) -> bool {
        if self.dimensions.iter().any(|(extent, _)| *extent == 0) {
            return true;
        }
        let mut expected = self.element;
        for &(extent, stride) in &self.dimensions {
            if extent != 1 && stride != expected {
                return false;
            }
            expected = expected.saturating_mul(extent);
        }
        true
    }

    /// Returns the number of elements.
    fn count(&self) -> i64 {
        self.dimensions.iter().fold(1, |all, (extent, _)| all.saturating_mul(*extent))
    }

    /// Returns the displacement of an element, which is counted in the order of the language.
    fn place(&self, mut at: i64) -> i64 {
        let mut place = 0;
        for &(extent, stride) in &self.dimensions {
            place += at % extent * stride;
            at /= extent;
        }
        place
    }

    /// Returns a type of the first `count` elements, each of which is one `part`.
    fn first(&self, count: i64, part: &Datatype) -> Result<Vec<(i64, Datatype)>, MpiError> {
        // The type of all dimensions below each, and its number of elements.
        let mut whole = vec![(1, part.clone())];
        for &(extent, stride) in &self.dimensions {
            let (elements, below) = &whole[whole.len() - 1];
            whole.push((elements * extent, Datatype::hvector(extent, 1, stride, below)?));
        }
        let (mut left, mut blocks) = (count, Vec::new());
        for (at, (elements, datatype)) in whole.iter().enumerate().rev() {
            let (full, stride) = match self.dimensions.get(at) {
                Some((_, stride)) => (left / elements, *stride),
                None => (left / elements, 0),
            };
            if full > 0 {
                let place = self.place(count - left);
                blocks.push((place, Datatype::hvector(full, 1, stride, datatype)?));
                left -= full * elements;
            }
        }
        Ok(blocks)
    }

    /// Returns a type of `count` elements of `datatype`, which lie in this array as if it were
    /// contiguous.
    ///
    /// # Errors
    ///
    /// The array has fewer elements.
    pub(super) fn described(&self, count: i64, datatype: &Datatype) -> Mpi<Datatype> {
        let (size, extent) = (datatype.size() as i64, datatype.extent());
        let needed = datatype.true_lb() + datatype.true_extent() + (count - 1) * extent;
        let bytes = self.count().saturating_mul(self.element);
        if datatype.true_lb() < 0 || count > 0 && needed > bytes {
            let text = format!(
                "the section of an array has {bytes} bytes, and the buffer is {needed} bytes long"
            );
            return Err(Fault::new(class::COUNT, text));
        }
        let mut blocks = Vec::new();
        if size > 0 && datatype.is_contiguous() && self.element % size == 0 {
            let each = self.element / size;
            blocks = self.first(count / each, &Datatype::contiguous(each, datatype)?)?;
            if count % each > 0 {
                blocks.push((
                    self.place(count / each),
                    Datatype::contiguous(count % each, datatype)?,
                ));
            }
        } else {
            let map = datatype.type_map();
            for (primitive, inside) in
                (0..count).flat_map(|at| map.iter().map(move |(p, d)| (*p, at * extent + d)))
            {
                let place = self.place(inside / self.element) + inside % self.element;
                blocks.push((place, Datatype::predefined(primitive)));
            }
        }
        let (places, types): (Vec<i64>, Vec<Datatype>) = blocks.into_iter().unzip();
        Ok(Datatype::structure(&vec![1; places.len()], &places, &types)?)
    }

    /// Like [`Self::described`], for a buffer of many such blocks, one after the other: gives the
    /// type the extent from one block to the next.
    ///
    /// # Errors
    ///
    /// The blocks do not lie at regular distances.
    pub(super) fn repeated(&self, count: i64, datatype: &Datatype) -> Mpi<Datatype> {
        let made = self.described(count, datatype)?;
        let bytes = count.saturating_mul(datatype.extent());
        if bytes == 0 {
            return Ok(made);
        }
        if bytes % self.element != 0 {
            return Err(irregular());
        }
        let each = bytes / self.element;
        let places: Vec<i64> = (0..self.count() / each).map(|at| self.place(at * each)).collect();
        let Some(&distance) = places.get(1) else { return Ok(made) };
        if !(0..).zip(&places).all(|(at, place)| *place == at * distance) {
            return Err(irregular());
        }
        Ok(made.resized(0, distance)?)
    }
}

fn irregular() -> Fault {
    let text = "the blocks of a section of an array do not lie at regular distances; pass an array \
                without gaps";
    Fault::new(class::BUFFER, text)
}

thread_local! {
    static REDUCED: RefCell<SmallVec<[Array; 2]>> = RefCell::default();
}

/// Adds a section that the reduction which is about to begin has for a buffer: its one datatype cannot describe both.
pub(super) fn add_reduced(section: Array) {
    REDUCED.with_borrow_mut(|sections| sections.push(section));
}

/// Forgets the section at an address; other ranks may be about to begin reductions of their own.
pub(super) fn forget_reduced(base: usize) {
    REDUCED.with_borrow_mut(|sections| sections.retain(|section| section.base != base));
}

/// Returns a buffer of a reduction where its elements lie: in the section that begins at its address, if there is one.
///
/// # Errors
///
/// The section has fewer elements.
pub(super) fn spread(part: Part) -> Mpi<Part> {
    REDUCED.with_borrow(|sections| {
        let Some(array) = sections.iter().find(|array| array.base == part.address) else {
            return Ok(part);
        };
        let datatype = array.described(part.count, &part.datatype)?;
        Ok(Part { address: part.address, count: 1, datatype })
    })
}

#[cfg(test)]
mod tests {
    use mpi_api::object::primitive::Primitive;
    use smallvec::smallvec;

    use super::*;

    fn array() -> Array {
        Array { base: 0, element: 4, dimensions: smallvec![(3, 12), (2, -40), (2, 200)] }
    }

    /// The displacements of the basic types of a type.
    fn places(datatype: &Datatype) -> Vec<i64> {
        datatype.type_map().iter().map(|(_, place)| *place).collect()
    }

    #[test]
    fn a_type_has_the_first_elements_in_order() {
        let number = Datatype::predefined(Primitive::Int32);
        let all = [0, 12, 24, -40, -28, -16, 200, 212, 224, 160, 172, 184];
        for count in 0..=12 {
            let made = array().described(count as i64, &number).expect("a type");
            assert_eq!(places(&made), all[..count]);
        }
        assert!(array().described(13, &number).is_err());
    }

    #[test]
    fn types_smaller_and_larger_than_elements_lie_as_if_there_were_no_gaps() {
        let half = Datatype::predefined(Primitive::Int16);
        let made = array().described(5, &half).expect("a type");
        assert_eq!(places(&made), [0, 2, 12, 14, 24]);
        let number = Datatype::predefined(Primitive::Int32);
        let gapped = Datatype::vector(2, 1, 2, &number).expect("a type");
        let made = array().described(2, &gapped).expect("a type");
        assert_eq!(places(&made), [0, 24, -40, -16]);
    }

    #[test]
    fn blocks_are_at_regular_distances_or_refused() {
        let number = Datatype::predefined(Primitive::Int32);
        let extent = |count| array().repeated(count, &number).map(|made| made.extent());
        assert_eq!(extent(6).expect("planes"), 200);
        assert!(extent(3).is_err() && extent(2).is_err());
    }

    #[test]
    fn gaps_are_seen() {
        let contiguous = |dimensions: &[(i64, i64)]| {
            Array { base: 0, element: 4, dimensions: dimensions.into() }.is_contiguous()
        };
        assert!(contiguous(&[]));
        assert!(contiguous(&[(3, 4), (2, 12)]));
        assert!(contiguous(&[(3, 4), (-1, 12)]));
        assert!(contiguous(&[(1, 99), (5, 4)]));
        assert!(contiguous(&[(3, 8), (0, 0)]));
        assert!(!contiguous(&[(3, 8)]) && !contiguous(&[(3, 4), (2, 16)]));
    }
}
