//! The functions of MPI as Fortran programs call them (MPI section 19.1): `mpif.h` and the
//! module `mpi`, for gfortran.
//!
//! Fortran passes addresses and wants the error code last; C passes values and returns it. A row
//! of `table` names a procedure, its arguments and the C function that does the work; `entry`
//! makes the function that Fortran calls, `argument` knows how each kind of argument crosses, and
//! `module` and `modern` write the
//! interfaces of the modules from the same rows. The constants of `header` are
//! read from `mpi.h`, so that the languages cannot differ.
//!
//! Not here: symbols other than gfortran's default ones (lower case, one `_`).
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

mod adapt;
mod argument;
mod attribute;
mod callback;
mod entry;
mod header;
mod modern;
mod module;
mod own;
mod sentinel;
mod table;

use std::sync::LazyLock;

use self::argument::Shape;
use super::Export;

pub use header::text as header;
pub use modern::text as modern_module;
pub use module::text as module;

/// `MPI_F_STATUS_IGNORE` of C (MPI 19.3.5).
pub(super) extern "C-unwind" fn status_ignore() -> usize {
    sentinel::address_of(entry::block(), "MPI_STATUS_IGNORE")
}

/// `MPI_F_STATUSES_IGNORE` of C.
pub(super) extern "C-unwind" fn statuses_ignore() -> usize {
    sentinel::address_of(entry::block(), "MPI_STATUSES_IGNORE")
}

/// A procedure of the Fortran interface. Those with large counts have names that end in `_c`.
struct Row {
    /// As the standard spells it.
    name: &'static str,
    /// Its symbol.
    symbol: String,
    /// Names of the arguments but the error code.
    names: Vec<&'static str>,
    /// How modules declare them.
    shapes: Vec<Shape>,
    /// What Fortran calls.
    address: usize,
}

impl Row {
    fn new(
        name: &'static str,
        names: Vec<&'static str>,
        (address, shapes): (usize, Vec<Shape>),
    ) -> Self {
        let symbol = format!("{}_", name.to_ascii_lowercase());
        Self { name, symbol, names, shapes, address }
    }

    /// The procedure of which this one is the form with large counts, which only `mpi_f08` has
    /// (MPI 19.1.5).
    fn small(&self) -> Option<&'static str> {
        self.name.strip_suffix("_c")
    }
}

/// All procedures that the table describes.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(table::all);

/// Every symbol that Fortran programs may call, without the profiling names.
pub(super) fn exports() -> Vec<Export> {
    let mut list: Vec<Export> = ROWS.iter().map(|row| (&*row.symbol, row.address)).collect();
    list.extend(own::exports());
    list.extend(modern::exports());
    list
}
