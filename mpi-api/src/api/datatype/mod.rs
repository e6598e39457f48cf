//! Datatypes and buffers of programs (MPI chapter 5).
//!
//! A *buffer* is an address, a count and a datatype. Scalars, arrays, tuples, slices and vectors
//! are buffers; any other memory becomes one by a [`View`]. Data are packed when they leave a rank,
//! and received data are unpacked when the call or the request completes, so that nothing outside
//! the rank keeps a pointer.
#![allow(unsafe_code, reason = "buffers are known by address, as in rsmpi")]

#[cfg(feature = "complex")]
pub mod complex_datatype;
mod dynamic;
mod equivalence;
mod handle;
mod moving;
mod partition;
mod shape;
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
pub(crate) use moving::{Packed, Room, contents, described, fill, receivable, room};
pub use partition::{Partition, PartitionMut};
pub(crate) use partition::{distinct, fill_parts, pack_parts, part_bytes};
pub(crate) use shape::{Shape, class_of_difference};
pub use view::{MutView, View};

use super::{Address, Count};
use crate::{finding::CallPlace, object::signature::Primitive};

/// The traits of this module.
pub mod traits {
    pub use super::{
        AsDatatype, Buffer, BufferMut, Collection, Datatype, Equivalence, Partitioned,
        PartitionedBuffer, PartitionedBufferMut, Pointer, PointerMut, UncommittedDatatype,
    };
}

/// A datatype that may have to be committed before it is used in communication.
pub trait UncommittedDatatype {
    /// Returns the description of the datatype.
    #[doc(hidden)]
    fn kind(&self) -> Kind;

    /// Duplicates the datatype (`MPI_Type_dup`).
    #[track_caller]
    fn dup(&self) -> UncommittedUserDatatype {
        let layout = self.kind().layout().dup();
        UncommittedUserDatatype::made(
            CallPlace { call: "dup", site: crate::call::Site::here() },
            Ok(layout),
        )
    }

    /// Returns the bytes of data in one element, without gaps (`MPI_Type_size`).
    fn size(&self) -> usize {
        self.kind().size() as usize
    }

    /// Returns lower bound and extent in bytes (`MPI_Type_get_extent`).
    fn extent(&self) -> (Address, Address) {
        let layout = self.kind().layout();
        (layout.lb() as Address, layout.extent() as Address)
    }

    /// Returns the type map: the basic types of one element and their displacements in bytes, in
    /// order (MPI section 5.1.1).
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
    /// The type of the datatype's handle.
    type Out: Datatype;
    /// Returns the equivalent MPI datatype.
    fn equivalent_datatype() -> Self::Out;
}

/// A value with an MPI datatype.
///
/// # Safety
/// The datatype describes memory that belongs to the value.
pub unsafe trait AsDatatype {
    /// The type of the datatype's handle.
    type Out: Datatype;
    /// Returns the MPI datatype of the value.
    fn as_datatype(&self) -> Self::Out;
}

/// A value with a number of elements.
///
/// # Safety
/// The number of elements returned is really there.
pub unsafe trait Collection {
    /// Returns the number of elements.
    fn count(&self) -> Count;
}

/// Memory that can be read.
///
/// # Safety
/// The elements of the collection may be read from the returned address on.
pub unsafe trait Pointer {
    /// Returns the address of the first element.
    fn pointer(&self) -> *const c_void;
}

/// Memory that can be written.
///
/// # Safety
/// The elements of the collection may be written from the returned address on.
pub unsafe trait PointerMut {
    /// Returns the address of the first element.
    fn pointer_mut(&mut self) -> *mut c_void;
}

/// A buffer that can be sent.
///
/// # Safety
/// The requirements of the supertraits hold together.
pub unsafe trait Buffer: Pointer + Collection + AsDatatype {}

/// A buffer that can be received into.
///
/// # Safety
/// The requirements of the supertraits hold together.
pub unsafe trait BufferMut: PointerMut + Collection + AsDatatype {}

/// A buffer in parts, one for each rank.
///
/// # Safety
/// The elements counted are really there at each displacement.
pub unsafe trait Partitioned {
    /// Returns the number of elements of each part.
    fn counts(&self) -> &[Count];
    /// Returns the displacement of each part, in elements.
    fn displs(&self) -> &[Count];
}

/// A partitioned buffer that can be sent.
///
/// # Safety
/// The requirements of the supertraits hold together.
pub unsafe trait PartitionedBuffer: Partitioned + Pointer + AsDatatype {}

/// A partitioned buffer that can be received into.
///
/// # Safety
/// The requirements of the supertraits hold together.
pub unsafe trait PartitionedBufferMut: Partitioned + PointerMut + AsDatatype {}

macro_rules! buffers {
    ($([$($generics:tt)*] $t:ty: $element:ty, $value:ident => $count:expr, $pointer:expr, $mutable:expr;)*) => {$(
        // SAFETY: the datatype is that of the elements, whose number is the count.
        unsafe impl<$($generics)*> AsDatatype for $t {
            type Out = <$element as Equivalence>::Out;
            fn as_datatype(&self) -> Self::Out {
                <$element>::equivalent_datatype()
            }
        }
        // SAFETY: this is the length of the collection.
        unsafe impl<$($generics)*> Collection for $t {
            fn count(&self) -> Count {
                let $value = self;
                Count::try_from($count).expect("a count fits 32 bits, as in MPI")
            }
        }
        // SAFETY: this is the address of the first element.
        unsafe impl<$($generics)*> Pointer for $t {
            fn pointer(&self) -> *const c_void {
                let $value = self;
                $pointer
            }
        }
        // SAFETY: this is the address of the first element.
        unsafe impl<$($generics)*> PointerMut for $t {
            fn pointer_mut(&mut self) -> *mut c_void {
                let $value = self;
                $mutable
            }
        }
        // SAFETY: address, count and datatype belong together.
        unsafe impl<$($generics)*> Buffer for $t {}
        // SAFETY: address, count and datatype belong together.
        unsafe impl<$($generics)*> BufferMut for $t {}
    )*};
}

buffers! {
    [T: Equivalence] T: T, v => { let _ = v; 1 }, std::ptr::from_ref(v).cast(), std::ptr::from_mut(v).cast();
    [T: Equivalence] [T]: T, v => v.len(), v.as_ptr().cast(), v.as_mut_ptr().cast();
    [T: Equivalence] Vec<T>: T, v => v.len(), v.as_ptr().cast(), v.as_mut_ptr().cast();
}

/// Returns the address of a value (`MPI_Get_address`).
pub fn address_of<T>(value: *const T) -> Address {
    value.addr() as Address
}
