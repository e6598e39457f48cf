//! The program's view of MPI, in the shape of rsmpi (the `mpi` crate), so that a program written
//! for rsmpi needs only another import and entry point. Functions build a
//! [`Call`](crate::call::Call) and pass it to the kernel; what MPI keeps locally (names, hints,
//! attributes, the last error) is kept here.

pub mod address_space;
pub mod attribute;
mod clock;
pub mod collective;
mod context;
pub mod datatype;
pub mod ending;
pub mod environment;
pub mod error;
pub mod file;
pub mod point_to_point;
mod process_clock;
pub mod profile;
pub mod request;
pub mod spawn;
pub mod thread;
pub mod topology;
pub mod window;

pub(crate) use context::{Context, Entry, entering, entering_port, has_entered, surroundings};
pub use environment::{
    Threading, initialize, initialize_with_threading, is_finalized, is_initialized, time,
    time_resolution,
};
pub use error::{ErrorHandler, MpiError};
pub use topology::Rank;

pub use crate::call::BSEND_OVERHEAD;

/// An error class or code.
pub type Error = error::ErrorCode;

/// A number of elements.
pub type Count = i32;

/// A message tag; not negative.
pub type Tag = i32;

/// A displacement in bytes, or an address.
pub type Address = isize;

/// The wildcard `MPI_ANY_SOURCE`, as a rank.
pub const ANY_SOURCE: Rank = -1;

/// The wildcard `MPI_ANY_TAG`.
pub const ANY_TAG: Tag = -2;

/// The null process `MPI_PROC_NULL`, as a rank.
pub const PROC_NULL: Rank = -3;

/// The value `MPI_UNDEFINED`, as a count.
pub const UNDEFINED: Count = -32766;

/// Prepares `initialize`, and the clocks of the standard library, for a rank whose body is about to
/// start.
pub(crate) fn enter(entry: Entry) {
    process_clock::PROCESS_CLOCK.install();
    context::enter(entry);
}

/// C types in the signatures of user-defined reduction functions.
pub mod ffi {
    pub use super::collective::RawDatatype as MPI_Datatype;
}

/// The traits of all modules; programs import them together.
pub mod traits {
    pub use super::{
        collective::traits::*, datatype::traits::*, point_to_point::traits::*, topology::traits::*,
        window::CommunicatorWindows,
    };
}
