//! Operands of a user's reduction: slices whose type is known at run time.

use std::os::raw::c_void;

use super::{
    AsDatatype, Buffer, BufferMut, Collection, DatatypeRef, Equivalence, Kind, Pointer, PointerMut,
    UncommittedDatatype,
};
use crate::api::Count;

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
        let place = self.words.as_ptr().cast::<u8>().wrapping_add(self.origin).cast();
        DynBuffer { place, count: self.count, datatype: DatatypeRef::known(&self.kind) }
    }

    pub(crate) fn exclusive(&mut self) -> DynBufferMut<'_> {
        let (place, count) = (self.base().cast(), self.count);
        DynBufferMut { place, count, datatype: DatatypeRef::known(&self.kind) }
    }

    /// The address of the elements and their number, for a function of C.
    pub(crate) fn raw(&mut self) -> (*mut u8, usize) {
        (self.base(), self.count)
    }
}

/// Elements of a type known at run time.
#[derive(Clone, Copy)]
pub struct DynBuffer<'a> {
    place: *const c_void,
    count: usize,
    datatype: DatatypeRef<'a>,
}

/// Elements of a type known at run time, to be changed.
pub struct DynBufferMut<'a> {
    place: *mut c_void,
    count: usize,
    datatype: DatatypeRef<'a>,
}

fn holds<T: Equivalence>(datatype: DatatypeRef<'_>) -> bool {
    let (here, there) = (datatype.kind(), T::equivalent_datatype().kind());
    there.extent() == size_of::<T>() as i64
        && here.extent() == there.extent()
        && here.signature(1).same(&there.signature(1))
}

fn length(count: Count) -> usize {
    usize::try_from(count).expect("a number of elements is not negative")
}

macro_rules! common {
    ($name:ident) => {
        impl<'a> $name<'a> {
            /// How many.
            pub fn len(&self) -> usize {
                self.count
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Whether they are of that Rust type.
            pub fn is<T: Equivalence>(&self) -> bool {
                holds::<T>(self.datatype)
            }

            /// Where they begin.
            pub fn as_ptr(&self) -> *const c_void {
                self.place as *const c_void
            }
        }

        // SAFETY: the datatype that the buffer was made with.
        unsafe impl<'a> AsDatatype for $name<'a> {
            type Out = DatatypeRef<'a>;
            fn as_datatype(&self) -> Self::Out {
                self.datatype
            }
        }

        // SAFETY: the count that the buffer was made with.
        unsafe impl Collection for $name<'_> {
            fn count(&self) -> Count {
                Count::try_from(self.count).expect("a count fits 32 bits, as in MPI")
            }
        }

        // SAFETY: the place that the buffer was made with.
        unsafe impl Pointer for $name<'_> {
            fn pointer(&self) -> *const c_void {
                self.as_ptr()
            }
        }

        // SAFETY: place, count and datatype go together.
        unsafe impl Buffer for $name<'_> {}
    };
}

common!(DynBuffer);
common!(DynBufferMut);

// SAFETY: the place that the buffer was made with, which is borrowed exclusively.
unsafe impl PointerMut for DynBufferMut<'_> {
    fn pointer_mut(&mut self) -> *mut c_void {
        self.place
    }
}

// SAFETY: place, count and datatype go together.
unsafe impl BufferMut for DynBufferMut<'_> {}

impl<'a> DynBuffer<'a> {
    /// The elements of a slice.
    pub fn new<T>(buffer: &'a [T]) -> Self
    where
        T: Equivalence,
        T::Out: Into<DatatypeRef<'static>>,
    {
        let datatype = T::equivalent_datatype().into();
        Self { place: buffer.as_ptr().cast(), count: buffer.len(), datatype }
    }

    /// `len` elements of `datatype` at `place`.
    ///
    /// # Safety
    /// They are initialised memory that may be read, and not written by others, for the lifetime
    /// of the buffer, aligned for the type that [`downcast`](Self::downcast) asks for.
    ///
    /// # Panics
    /// If `len` is negative.
    pub unsafe fn from_raw<T>(place: *const T, len: Count, datatype: DatatypeRef<'a>) -> Self {
        Self { place: place.cast(), count: length(len), datatype }
    }

    /// The elements, if they are of that Rust type.
    pub fn downcast<T: Equivalence>(self) -> Option<&'a [T]> {
        let right = self.is::<T>() && self.place.cast::<T>().is_aligned();
        // SAFETY: the type is right, and so many elements of its datatype are there.
        right.then(|| unsafe { std::slice::from_raw_parts(self.place.cast(), self.count) })
    }
}

impl<'a> DynBufferMut<'a> {
    /// The elements of a slice.
    pub fn new<T>(buffer: &'a mut [T]) -> Self
    where
        T: Equivalence,
        T::Out: Into<DatatypeRef<'static>>,
    {
        let datatype = T::equivalent_datatype().into();
        Self { place: buffer.as_mut_ptr().cast(), count: buffer.len(), datatype }
    }

    /// `len` elements of `datatype` at `place`.
    ///
    /// # Safety
    /// They are initialised memory that is not used otherwise for the lifetime of the buffer,
    /// aligned for the type that [`downcast`](Self::downcast) asks for; any bytes received as the
    /// datatype may be written there.
    ///
    /// # Panics
    /// If `len` is negative.
    pub unsafe fn from_raw<T>(place: *mut T, len: Count, datatype: DatatypeRef<'a>) -> Self {
        Self { place: place.cast(), count: length(len), datatype }
    }

    /// Where they begin.
    pub fn as_mut_ptr(&mut self) -> *mut c_void {
        self.place
    }

    /// The same elements, lent to be read.
    pub fn reborrow(&self) -> DynBuffer<'_> {
        DynBuffer { place: self.place, count: self.count, datatype: self.datatype }
    }

    /// The same elements, lent to be changed.
    pub fn reborrow_mut(&mut self) -> DynBufferMut<'_> {
        DynBufferMut { place: self.place, count: self.count, datatype: self.datatype }
    }

    /// The same elements, to be read from now on.
    pub fn downgrade(self) -> DynBuffer<'a> {
        DynBuffer { place: self.place, count: self.count, datatype: self.datatype }
    }

    /// The elements, if they are of that Rust type.
    pub fn downcast<T: Equivalence>(self) -> Option<&'a mut [T]> {
        let right = self.is::<T>() && self.place.cast::<T>().is_aligned();
        // SAFETY: as for `DynBuffer::downcast`; the borrow is exclusive.
        right.then(|| unsafe { std::slice::from_raw_parts_mut(self.place.cast(), self.count) })
    }
}
