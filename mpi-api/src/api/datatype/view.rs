//! Views: memory described by any datatype.

use std::os::raw::c_void;

use super::{
    AsDatatype, Buffer, BufferMut, Collection, Datatype, Equivalence, Kind, Pointer, PointerMut,
    SystemDatatype, UncommittedDatatype,
};
use crate::{
    api::Count,
    error::{ErrorClass, MpiError},
    object::signature::Kind as Class,
};

/// A send buffer described by another datatype.
pub struct View<'d, 'b, D, B: ?Sized> {
    datatype: &'d D,
    count: Count,
    buffer: &'b B,
}

/// A receive buffer described by another datatype.
pub struct MutView<'d, 'b, D, B: ?Sized> {
    datatype: &'d D,
    count: Count,
    buffer: &'b mut B,
}

/// Checks that `count` elements of a datatype lie inside `length` values of `T` and cover only
/// whole values.
fn fits<T: Equivalence<Out = SystemDatatype>>(
    kind: &Kind,
    count: Count,
    length: usize,
) -> Result<(), MpiError> {
    let layout = kind.layout();
    let own = T::equivalent_datatype().kind().primitive();
    if own.is_none() || layout.signature().uniform() != own {
        let text = format!("{} seen as {layout:?}", own.map_or("a pair", |p| p.name()));
        return Err(MpiError::new(ErrorClass::Type, text));
    }
    let count = usize::try_from(count)
        .map_err(|_| MpiError::new(ErrorClass::Count, format!("count {count} is negative")))?;
    layout.inside(length * size_of::<T>(), 0, count)
}

impl<'d, 'b, D: Datatype, B: Pointer + ?Sized> View<'d, 'b, D, B> {
    /// Creates a view of `count` elements of `datatype` from the start of `buffer`.
    ///
    /// # Safety
    /// The elements are initialised memory that may be read.
    pub unsafe fn with_count_and_datatype(buffer: &'b B, count: Count, datatype: &'d D) -> Self {
        Self { datatype, count, buffer }
    }
}

impl<'d, 'b, D: Datatype, T: Equivalence<Out = SystemDatatype>> View<'d, 'b, D, [T]> {
    /// Creates a view with all checks: the datatype covers only values of `T`, inside the slice.
    ///
    /// # Errors
    /// `MPI_ERR_TYPE`, `MPI_ERR_COUNT` or `MPI_ERR_BUFFER` if not.
    pub fn checked(buffer: &'b [T], count: Count, datatype: &'d D) -> Result<Self, MpiError> {
        fits::<T>(&datatype.kind(), count, buffer.len())?;
        Ok(Self { datatype, count, buffer })
    }
}

impl<'d, 'b, D: Datatype, B: PointerMut + ?Sized> MutView<'d, 'b, D, B> {
    /// Creates a view of `count` elements of `datatype` from the start of `buffer`.
    ///
    /// # Safety
    /// The elements are memory that may be written, with any bytes.
    pub unsafe fn with_count_and_datatype(
        buffer: &'b mut B,
        count: Count,
        datatype: &'d D,
    ) -> Self {
        Self { datatype, count, buffer }
    }
}

impl<'d, 'b, D: Datatype, T: Equivalence<Out = SystemDatatype>> MutView<'d, 'b, D, [T]> {
    /// Creates a view with all checks: the datatype covers only values of `T`, inside the slice.
    ///
    /// # Errors
    /// `MPI_ERR_TYPE`, `MPI_ERR_COUNT` or `MPI_ERR_BUFFER` if not; `bool` is rejected.
    pub fn checked(buffer: &'b mut [T], count: Count, datatype: &'d D) -> Result<Self, MpiError> {
        let kind = datatype.kind();
        fits::<T>(&kind, count, buffer.len())?;
        if kind.layout().signature().uniform().is_some_and(|p| p.kind() == Class::Logical) {
            return Err(MpiError::new(ErrorClass::Type, "truth values through a datatype"));
        }
        Ok(Self { datatype, count, buffer })
    }
}

macro_rules! views {
    ($($name:ident),*) => {$(
        // SAFETY: guaranteed by the creator of the view.
        unsafe impl<'d, D: Datatype, B: ?Sized> AsDatatype for $name<'d, '_, D, B> {
            type Out = &'d D;
            fn as_datatype(&self) -> Self::Out {
                self.datatype
            }
        }
        // SAFETY: guaranteed by the creator of the view.
        unsafe impl<D, B: ?Sized> Collection for $name<'_, '_, D, B> {
            fn count(&self) -> Count {
                self.count
            }
        }
    )*};
}
views!(View, MutView);

// SAFETY: guaranteed by the creator of the view.
unsafe impl<D, B: Pointer + ?Sized> Pointer for View<'_, '_, D, B> {
    fn pointer(&self) -> *const c_void {
        self.buffer.pointer()
    }
}

// SAFETY: guaranteed by the creator of the view.
unsafe impl<D, B: PointerMut + ?Sized> PointerMut for MutView<'_, '_, D, B> {
    fn pointer_mut(&mut self) -> *mut c_void {
        self.buffer.pointer_mut()
    }
}

// SAFETY: guaranteed by the creator of the view.
unsafe impl<D: Datatype, B: Pointer + ?Sized> Buffer for View<'_, '_, D, B> {}

// SAFETY: guaranteed by the creator of the view.
unsafe impl<D: Datatype, B: PointerMut + ?Sized> BufferMut for MutView<'_, '_, D, B> {}
