//! Arguments that are addresses in both languages.

use std::{
    ffi::{c_int, c_void},
    marker::PhantomData,
};

use super::{super::super::status::Status, Argument, Call, Shape};

/// An element type with a declaration in Fortran.
pub(in super::super) trait Element: Copy {
    const SCALAR: &'static str;
    const ARRAY: &'static str;
}

impl Element for c_int {
    const SCALAR: &'static str = "integer";
    const ARRAY: &'static str = "integer, dimension(*)";
}

impl Element for i64 {
    const SCALAR: &'static str = "integer(8)";
    const ARRAY: &'static str = "integer(8), dimension(*)";
}

impl Element for [c_int; 3] {
    const SCALAR: &'static str = "integer, dimension(3)";
    const ARRAY: &'static str = "integer, dimension(3, *)";
}

/// Defines an argument kind that passes an address on: name, type in C, shape, and how the address is translated.
macro_rules! address {
    ($(#[$doc:meta])* $name:ident, $taken:ty, $shape:expr, |$given:ident, $call:ident| $translated:expr) => {
        $(#[$doc])*
        pub(in super::super) struct $name(usize);

        impl Argument for $name {
            type Taken = $taken;
            const SHAPE: Shape = $shape;
            fn take($given: usize, $call: &mut Call<'_>) -> Self {
                Self($translated)
            }
            fn pass(&mut self) -> Self::Taken {
                self.0 as $taken
            }
        }
    };
}

/// Defines argument kinds that pass an address on: name, type in C, shape.
macro_rules! addresses {
    ($($(#[$doc:meta])* $name:ident => $taken:ty, $shape:expr;)*) => {$(
        address!($(#[$doc])* $name, $taken, $shape, |given, call| call.address(given));
    )*};
}

/// Defines argument kinds of statuses that are written or ignored: name, shape, and the variables that ignore statuses,
/// of which only the first one has a meaning for them.
macro_rules! ignorable {
    ($($(#[$doc:meta])* $name:ident => $shape:expr, $ignored:expr;)*) => {$(
        address!($(#[$doc])* $name, *mut Status, $shape, |given, call| call.statuses(given, $ignored));
    )*};
}

addresses! {
    /// A buffer that is read.
    Input => *const c_void, Shape::Source;
    /// A buffer that is written.
    Output => *mut c_void, Shape::Buffer;
    /// A status that is read.
    StatusIn => *const Status, Shape::Status;
    /// Weights of edges, or `MPI_UNWEIGHTED` or `MPI_WEIGHTS_EMPTY`.
    Weights => *const c_int, Shape::Plain("integer, dimension(*)");
    /// Room for weights of edges, or `MPI_UNWEIGHTED`.
    WeightsOut => *mut c_int, Shape::Plain("integer, dimension(*)");
    /// Room for error codes, or `MPI_ERRCODES_IGNORE`.
    CodesOut => *mut c_int, Shape::Plain("integer, dimension(*)");
    /// An array of logical values that is read: gfortran's are 0 and 1, as in C.
    Flags => *const c_int, Shape::Plain("logical, dimension(*)");
    /// An array of logical values that is written.
    FlagsOut => *mut c_int, Shape::Plain("logical, dimension(*)");
    /// A logical result.
    FlagOut => *mut c_int, Shape::Plain("logical");
    /// The variable that a handle is written to when a request completes.
    Later => *mut c_int, Shape::Handle;
    /// A procedure of the program.
    Procedure => usize, Shape::Plain("external");
}

ignorable! {
    /// A status that is written, or `MPI_STATUS_IGNORE`.
    StatusOut => Shape::Status, ["MPI_STATUS_IGNORE", "MPI_STATUSES_IGNORE"];
    /// An array of statuses that is written, or `MPI_STATUSES_IGNORE`.
    Statuses => Shape::Statuses, ["MPI_STATUSES_IGNORE", "MPI_STATUS_IGNORE"];
}

/// A variable of the program that is written, passed by address.
pub(in super::super) struct Give<T>(usize, PhantomData<T>);

impl<T: Element> Argument for Give<T> {
    type Taken = *mut T;
    const SHAPE: Shape = Shape::Plain(T::SCALAR);
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self(given, PhantomData)
    }
    fn pass(&mut self) -> *mut T {
        self.0 as *mut T
    }
}

/// An array that is written, passed by address.
pub(in super::super) struct GiveMany<T>(usize, PhantomData<T>);

impl<T: Element> Argument for GiveMany<T> {
    type Taken = *mut T;
    const SHAPE: Shape = Shape::Plain(T::ARRAY);
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self(given, PhantomData)
    }
    fn pass(&mut self) -> *mut T {
        self.0 as *mut T
    }
}

/// An array that is read, passed by address.
pub(in super::super) struct Take<T>(usize, PhantomData<T>);

impl<T: Element> Argument for Take<T> {
    type Taken = *const T;
    const SHAPE: Shape = Shape::Plain(T::ARRAY);
    fn take(given: usize, _: &mut Call<'_>) -> Self {
        Self(given, PhantomData)
    }
    fn pass(&mut self) -> *const T {
        self.0 as *const T
    }
}
