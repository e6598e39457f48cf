//! The MPI functions as programs call them: they check and translate the arguments; the kernel of
//! `mpi-api` does the rest. One file per chapter of the standard; `table` is generated.
//!
//! # Safety
//!
//! Programs call these functions with the arguments that the standard defines: null, or the address
//! of a variable, array or string of the type in `mpi.h`. Only [`exports`] and the table of Fortran
//! hand out their addresses, and nothing else calls them with pointers of its own making. They are not
//! marked unsafe, because Fortran's table passes them as closures; what reads and writes through their
//! pointers is `crate::memory`.

/// Defines the list of exported functions from rows of a name, a function and its type. The cast
/// to that type is the check that the function takes what `mpi.h` says.
macro_rules! exports {
    ($($name:literal = $path:path: ($($kind:ty),*) $(-> $returns:ty)?;)*) => {
        /// Returns every function of C, under its `MPI_` name.
        pub(super) fn exports() -> Vec<Export> {
            vec![$(
                ($name, $path as extern "C-unwind" fn($($kind),*) $(-> $returns)? as usize),
            )*]
        }
    };
}

mod abi;
mod array;
mod asserted;
mod attribute;
mod block;
pub(crate) mod bounds;
pub(crate) mod buffer;
mod claim;
pub(crate) mod claims;
mod collective;
mod communicator;
mod contents;
mod datatype;
pub(crate) mod environment;
mod error;
pub(crate) mod external;
mod file;
mod fingerprint;
mod finish;
pub mod fortran;
mod free;
mod graph;
mod group;
pub(crate) mod guard;
pub(crate) mod held;
mod info;
mod neighborhood;
mod operation;
pub(crate) mod owned;
mod pack;
pub(crate) mod packed;
mod part;
mod partitioned;
pub(crate) mod partitions;
mod point_to_point;
mod port;
mod portable;
mod probe;
mod process;
pub(crate) mod request;
mod runs;
mod sectioned;
mod session;
mod short;
mod split_type;
pub(crate) mod status;
#[rustfmt::skip]
mod table;
mod text;
mod tool;
mod topology;
mod touch;
pub(crate) mod transfer;
mod unmodelled;
pub(crate) mod window;

/// An exported function: its name and address.
pub type Export = (&'static str, usize);

/// Returns every function that programs may call, under its `MPI_` name (the `PMPI_` names are
/// derived from it).
pub fn exports() -> Vec<Export> {
    let mut list = table::exports();
    list.extend(fortran::exports());
    list
}
