//! The Fortran bindings (MPI section 19.1) for gfortran: `mpif.h` and the modules `mpi` and
//! `mpi_f08`.
//!
//! Fortran passes addresses and takes the error code as its last argument; C passes values and
//! returns the code. A row of `table` names a procedure, its arguments and the C function that
//! implements it; `entry` creates the function that Fortran calls, `argument` converts each kind of
//! argument, and `module` and `modern` generate the interfaces of the modules from the same rows.
//! The constants of `header` are read from `mpi.h`, so that the languages cannot differ.
//!
//! Only gfortran's default symbols are provided (lower case, one trailing `_`).
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

/// Returns the address `MPI_F_STATUS_IGNORE` for C (MPI 19.3.5).
pub(super) extern "C-unwind" fn status_ignore() -> usize {
    sentinel::address_of(entry::block(), "MPI_STATUS_IGNORE")
}

/// Returns the address `MPI_F_STATUSES_IGNORE` for C.
pub(super) extern "C-unwind" fn statuses_ignore() -> usize {
    sentinel::address_of(entry::block(), "MPI_STATUSES_IGNORE")
}

/// A procedure of the Fortran interface. The names of large-count forms end in `_c`.
struct Row {
    /// Name as the standard spells it.
    name: &'static str,
    /// Linker symbol.
    symbol: String,
    /// Names of the arguments except the error code.
    names: Vec<&'static str>,
    /// Declarations of the arguments in the modules.
    shapes: Vec<Shape>,
    /// Address of the function that Fortran calls.
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

    /// Returns the procedure of which this is the large-count form, which only `mpi_f08` has (MPI
    /// 19.1.5).
    fn small(&self) -> Option<&'static str> {
        self.name.strip_suffix("_c")
    }
}

/// All procedures of the table.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(table::all);

/// Returns every symbol that Fortran programs may call, without the profiling names.
pub(super) fn exports() -> Vec<Export> {
    let mut list: Vec<Export> = ROWS.iter().map(|row| (&*row.symbol, row.address)).collect();
    list.extend(own::exports());
    list.extend(modern::exports());
    list
}
