//! Operands of a user's reduction: slices whose type is known at run time.

use super::{Equivalence, Kind, UncommittedDatatype};

/// Memory that any Rust type of MPI data may be read from: aligned for all of them.
pub(crate) struct Aligned {
    words: Vec<u128>,
    kind: Kind,
    count: usize,
    /// Where displacement 0 is.
    origin: usize,
}

impl Aligned {
    /// Lays packed elements out as the program has them.
    pub(crate) fn unpacked(kind: &Kind, bytes: &[u8]) -> Self {
        let count = if kind.size() == 0 { 0 } else { bytes.len() / kind.size() as usize };
        let span = match kind {
            Kind::Basic(..) => 0..kind.size() as i64 * count as i64,
            Kind::Derived(layout) => layout.span(count),
        };
        let origin = (-span.start).max(0) as usize;
        let origin = origin.next_multiple_of(16);
        let full = span.end.max(kind.extent() * count as i64).max(0) as usize;
        let words = vec![0u128; (origin + full).div_ceil(16)];
        let mut aligned = Self { words, kind: kind.clone(), count, origin };
        let base = aligned.base();
        // SAFETY: the span of the elements was allocated.
        unsafe { kind.place(bytes, base, count) };
        aligned
    }

    fn base(&mut self) -> *mut u8 {
        self.words.as_mut_ptr().cast::<u8>().wrapping_add(self.origin)
    }

    /// Packs the elements into as many bytes.
    pub(crate) fn pack_into(&mut self, bytes: &mut [u8]) {
        let (base, count) = (self.base(), self.count);
        // SAFETY: the elements were laid out here.
        let packed = unsafe { self.kind.payload(base.cast_const(), count) };
        bytes.copy_from_slice(packed.as_slice());
    }

    pub(crate) fn shared(&self) -> DynBuffer<'_> {
        DynBuffer(self)
    }

    pub(crate) fn exclusive(&mut self) -> DynBufferMut<'_> {
        DynBufferMut(self)
    }

    /// The address of the elements and their number, for a function of C.
    pub(crate) fn raw(&mut self) -> (*mut u8, usize) {
        (self.base(), self.count)
    }

    fn holds<T: Equivalence>(&self) -> bool {
        let kind = T::equivalent_datatype().kind();
        kind.extent() == size_of::<T>() as i64
            && self.kind.extent() == kind.extent()
            && self.kind.signature(1).same(&kind.signature(1))
    }
}

/// Elements of a type known at run time.
#[derive(Clone, Copy)]
pub struct DynBuffer<'a>(&'a Aligned);

/// Elements of a type known at run time, to be changed.
pub struct DynBufferMut<'a>(&'a mut Aligned);

impl<'a> DynBuffer<'a> {
    /// How many.
    pub fn len(&self) -> usize {
        self.0.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether they are of that Rust type.
    pub fn is<T: Equivalence>(&self) -> bool {
        self.0.holds::<T>()
    }

    /// The elements, if they are of that Rust type.
    pub fn downcast<T: Equivalence>(self) -> Option<&'a [T]> {
        let base = self.0.words.as_ptr().cast::<u8>().wrapping_add(self.0.origin);
        // SAFETY: the type is right, the memory is aligned for it and holds so many elements,
        // which were packed from values of that datatype.
        self.is::<T>().then(|| unsafe { std::slice::from_raw_parts(base.cast(), self.0.count) })
    }
}

impl<'a> DynBufferMut<'a> {
    /// How many.
    pub fn len(&self) -> usize {
        self.0.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether they are of that Rust type.
    pub fn is<T: Equivalence>(&self) -> bool {
        self.0.holds::<T>()
    }

    /// The elements, if they are of that Rust type.
    pub fn downcast<T: Equivalence>(self) -> Option<&'a mut [T]> {
        let right = self.is::<T>();
        let (base, count) = (self.0.base(), self.0.count);
        // SAFETY: as for `DynBuffer::downcast`; the borrow is exclusive.
        right.then(|| unsafe { std::slice::from_raw_parts_mut(base.cast(), count) })
    }
}
