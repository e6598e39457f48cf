//! Operands of a user-defined reduction: slices whose type is known at run time.

use std::os::raw::c_void;

use super::{
    AsDatatype, Buffer, BufferMut, Collection, DatatypeRef, Equivalence, Kind, Pointer, PointerMut,
    UncommittedDatatype,
};
use crate::api::Count;

/// Memory that is aligned for every Rust type with an MPI datatype.
pub(crate) struct Aligned {
    words: Vec<u128>,
    kind: Kind,
    count: usize,
    /// Index of the byte at displacement 0.
    origin: usize,
}

impl Aligned {
    /// Unpacks elements into the layout of the program.
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

    /// Packs the elements into `bytes`, which they fill.
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

    /// Returns the address and the number of the elements, for a C function.
    pub(crate) fn raw(&mut self) -> (*mut u8, usize) {
        (self.base(), self.count)
    }
}

/// A shared slice of elements whose type is known at run time.
#[derive(Clone, Copy)]
pub struct DynBuffer<'a> {
    place: *const c_void,
    count: usize,
    datatype: DatatypeRef<'a>,
}

/// A mutable slice of elements whose type is known at run time.
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
            /// Returns the number of elements.
            pub fn len(&self) -> usize {
                self.count
            }

            /// Reports whether there are no elements.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Reports whether the elements are of the Rust type `T`.
            pub fn is<T: Equivalence>(&self) -> bool {
                holds::<T>(self.datatype)
            }

            /// Returns the address of the first element.
            pub fn as_ptr(&self) -> *const c_void {
                self.place as *const c_void
            }
        }

        // SAFETY: this is the datatype that the buffer was created with.
        unsafe impl<'a> AsDatatype for $name<'a> {
            type Out = DatatypeRef<'a>;
            fn as_datatype(&self) -> Self::Out {
                self.datatype
            }
        }

        // SAFETY: this is the count that the buffer was created with.
        unsafe impl Collection for $name<'_> {
            fn count(&self) -> Count {
                Count::try_from(self.count).expect("a count fits 32 bits, as in MPI")
            }
        }

        // SAFETY: this is the address that the buffer was created with.
        unsafe impl Pointer for $name<'_> {
            fn pointer(&self) -> *const c_void {
                self.as_ptr()
            }
        }

        // SAFETY: address, count and datatype belong together.
        unsafe impl Buffer for $name<'_> {}
    };
}

common!(DynBuffer);
common!(DynBufferMut);

// SAFETY: this is the address that the buffer was created with, borrowed exclusively.
unsafe impl PointerMut for DynBufferMut<'_> {
    fn pointer_mut(&mut self) -> *mut c_void {
        self.place
    }
}

// SAFETY: address, count and datatype belong together.
unsafe impl BufferMut for DynBufferMut<'_> {}

impl<'a> DynBuffer<'a> {
    /// Creates a buffer of the elements of a slice.
    pub fn new<T>(buffer: &'a [T]) -> Self
    where
        T: Equivalence,
        T::Out: Into<DatatypeRef<'static>>,
    {
        let datatype = T::equivalent_datatype().into();
        Self { place: buffer.as_ptr().cast(), count: buffer.len(), datatype }
    }

    /// Creates a buffer of `len` elements of `datatype` at `place`.
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

    /// Returns the elements as a slice, if they are of the Rust type `T`.
    pub fn downcast<T: Equivalence>(self) -> Option<&'a [T]> {
        let right = self.is::<T>() && self.place.cast::<T>().is_aligned();
        // SAFETY: the type matches, and `count` elements of its datatype are there.
        right.then(|| unsafe { std::slice::from_raw_parts(self.place.cast(), self.count) })
    }
}

impl<'a> DynBufferMut<'a> {
    /// Creates a buffer of the elements of a slice.
    pub fn new<T>(buffer: &'a mut [T]) -> Self
    where
        T: Equivalence,
        T::Out: Into<DatatypeRef<'static>>,
    {
        let datatype = T::equivalent_datatype().into();
        Self { place: buffer.as_mut_ptr().cast(), count: buffer.len(), datatype }
    }

    /// Creates a buffer of `len` elements of `datatype` at `place`.
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

    /// Returns the address of the first element.
    pub fn as_mut_ptr(&mut self) -> *mut c_void {
        self.place
    }

    /// Borrows the elements for reading.
    pub fn reborrow(&self) -> DynBuffer<'_> {
        DynBuffer { place: self.place, count: self.count, datatype: self.datatype }
    }

    /// Borrows the elements for writing.
    pub fn reborrow_mut(&mut self) -> DynBufferMut<'_> {
        DynBufferMut { place: self.place, count: self.count, datatype: self.datatype }
    }

    /// Converts the buffer to a shared one.
    pub fn downgrade(self) -> DynBuffer<'a> {
        DynBuffer { place: self.place, count: self.count, datatype: self.datatype }
    }

    /// Returns the elements as a slice, if they are of the Rust type `T`.
    pub fn downcast<T: Equivalence>(self) -> Option<&'a mut [T]> {
        let right = self.is::<T>() && self.place.cast::<T>().is_aligned();
        // SAFETY: as for `DynBuffer::downcast`; the borrow is exclusive.
        right.then(|| unsafe { std::slice::from_raw_parts_mut(self.place.cast(), self.count) })
    }
}
