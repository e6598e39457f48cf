//! Data of programs: which types they have and where they lie (MPI chapter 5).
//!
//! A *buffer* is a place, a count and a datatype. Scalars, arrays, tuples, slices and vectors are
//! buffers; anything else is made one by [`View`]. Data leave a rank packed, and received data are
//! unpacked when the call or the request completes: nothing outside the rank keeps a pointer.
#![allow(unsafe_code, reason = "buffers are known by address, as in rsmpi")]

#[cfg(feature = "complex")]
pub mod complex_datatype;
mod dynamic;
mod equivalence;
mod handle;
mod moving;
mod partition;
mod view;

use std::os::raw::c_void;

pub(crate) use dynamic::Aligned;
pub use dynamic::{DynBuffer, DynBufferMut};
pub use equivalence::{ArrayDatatype, Field, Located, TupleDatatype};
#[doc(hidden)]
pub use handle::Kind;
pub use handle::{
    DatatypeRef, DynDatatype, SystemDatatype, UncommittedDatatypeRef, UncommittedUserDatatype,
    UserDatatype,
};
pub(crate) use moving::{Packed, contents, described, fill, room};
pub use partition::{Partition, PartitionMut};
pub(crate) use partition::{distinct, fill_parts, pack_parts, part_bytes};
pub use view::{MutView, View};

use super::{Address, Count};
use crate::object::signature::Primitive;

/// The traits of this module.
pub mod traits {
    pub use super::{
        AsDatatype, Buffer, BufferMut, Collection, Datatype, Equivalence, Partitioned,
        PartitionedBuffer, PartitionedBufferMut, Pointer, PointerMut, UncommittedDatatype,
    };
}

/// A datatype that may have to be committed before it is used in communication.
pub trait UncommittedDatatype {
    /// What it is.
    #[doc(hidden)]
    fn kind(&self) -> Kind;

    /// `MPI_Type_dup`.
    #[track_caller]
    fn dup(&self) -> UncommittedUserDatatype {
        UncommittedUserDatatype::made(crate::call::Site::here(), Ok(self.kind().layout().dup()))
    }

    /// `MPI_Type_size`: bytes of data.
    fn size(&self) -> usize {
        self.kind().size() as usize
    }

    /// `MPI_Type_get_extent`: lower bound and extent in bytes.
    fn extent(&self) -> (Address, Address) {
        let layout = self.kind().layout();
        (layout.lb() as Address, layout.extent() as Address)
    }

    /// The basic types of one element and their displacements in bytes, in order: what MPI calls
    /// the type map (section 4.1.1).
    fn type_map(&self) -> Vec<(Primitive, Address)> {
        let map = self.kind().layout().type_map();
        map.into_iter().map(|(primitive, at)| (primitive, at as Address)).collect()
    }
}

/// A datatype that can be used in communication.
pub trait Datatype: UncommittedDatatype {}

impl<D: UncommittedDatatype + ?Sized> UncommittedDatatype for &D {
    fn kind(&self) -> Kind {
        (**self).kind()
    }
}

impl<D: Datatype + ?Sized> Datatype for &D {}

/// A Rust type with an equivalent MPI datatype (MPI section 3.2.2).
///
/// # Safety
/// The datatype describes initialised bytes of every value of the type and nothing else, its
/// extent is the size of the type, and any bytes received as that datatype make a valid value.
pub unsafe trait Equivalence {
    /// The datatype's type.
    type Out: Datatype;
    /// The MPI datatype.
    fn equivalent_datatype() -> Self::Out;
}

/// Something with an MPI datatype.
///
/// # Safety
/// The datatype describes memory that belongs to the value.
pub unsafe trait AsDatatype {
    /// The datatype's type.
    type Out: Datatype;
    /// The MPI datatype.
    fn as_datatype(&self) -> Self::Out;
}

/// Something with a number of elements.
///
/// # Safety
/// As many elements are there.
pub unsafe trait Collection {
    /// How many.
    fn count(&self) -> Count;
}

/// Something that can be read from.
///
/// # Safety
/// The elements of the collection may be read from there on.
pub unsafe trait Pointer {
    /// Where it begins.
    fn pointer(&self) -> *const c_void;
}

/// Something that can be written to.
///
/// # Safety
/// The elements of the collection may be written from there on.
pub unsafe trait PointerMut {
    /// Where it begins.
    fn pointer_mut(&mut self) -> *mut c_void;
}

/// Something that can be sent.
///
/// # Safety
/// As its parts demand.
pub unsafe trait Buffer: Pointer + Collection + AsDatatype {}

/// Something that can be received into.
///
/// # Safety
/// As its parts demand.
pub unsafe trait BufferMut: PointerMut + Collection + AsDatatype {}

/// A buffer in parts, one for each rank.
///
/// # Safety
/// As many elements are at each displacement.
pub unsafe trait Partitioned {
    /// Elements of each part.
    fn counts(&self) -> &[Count];
    /// Where each part begins, in elements.
    fn displs(&self) -> &[Count];
}

/// A buffer in parts that can be sent.
///
/// # Safety
/// As its parts demand.
pub unsafe trait PartitionedBuffer: Partitioned + Pointer + AsDatatype {}

/// A buffer in parts that can be received into.
///
/// # Safety
/// As its parts demand.
pub unsafe trait PartitionedBufferMut: Partitioned + PointerMut + AsDatatype {}

macro_rules! buffers {
    ($([$($generics:tt)*] $t:ty: $element:ty, $value:ident => $count:expr, $pointer:expr, $mutable:expr;)*) => {$(
        // SAFETY: the datatype is that of the elements, as many as the count says.
        unsafe impl<$($generics)*> AsDatatype for $t {
            type Out = <$element as Equivalence>::Out;
            fn as_datatype(&self) -> Self::Out {
                <$element>::equivalent_datatype()
            }
        }
        // SAFETY: the length of the collection.
        unsafe impl<$($generics)*> Collection for $t {
            fn count(&self) -> Count {
                let $value = self;
                Count::try_from($count).expect("a count fits 32 bits, as in MPI")
            }
        }
        // SAFETY: the address of the first element.
        unsafe impl<$($generics)*> Pointer for $t {
            fn pointer(&self) -> *const c_void {
                let $value = self;
                $pointer
            }
        }
        // SAFETY: the address of the first element.
        unsafe impl<$($generics)*> PointerMut for $t {
            fn pointer_mut(&mut self) -> *mut c_void {
                let $value = self;
                $mutable
            }
        }
        // SAFETY: place, count and datatype go together.
        unsafe impl<$($generics)*> Buffer for $t {}
        // SAFETY: place, count and datatype go together.
        unsafe impl<$($generics)*> BufferMut for $t {}
    )*};
}

buffers! {
    [T: Equivalence] T: T, v => { let _ = v; 1 }, std::ptr::from_ref(v).cast(), std::ptr::from_mut(v).cast();
    [T: Equivalence] [T]: T, v => v.len(), v.as_ptr().cast(), v.as_mut_ptr().cast();
    [T: Equivalence] Vec<T>: T, v => v.len(), v.as_ptr().cast(), v.as_mut_ptr().cast();
}

/// `MPI_Get_address`.
pub fn address_of<T>(value: *const T) -> Address {
    value.addr() as Address
}
