//! The Fortran bindings (MPI section 19.1) for gfortran: `mpif.h` and the modules `mpi` and
//! `mpi_f08`.
//!
//! Fortran passes addresses and takes the error code as its last argument; C passes values and
//! returns the code. A row of `table` names a procedure, its arguments and the C function that
//! implements it (`table` is generated); `entry` creates the function that Fortran calls, `argument` converts each kind of
//! argument, and `module` and `modern` generate the interfaces of the modules from the same rows.
//! The constants of `header` are read from `mpi.h`, so that the languages cannot differ.
//!
//! Only gfortran's default symbols are provided (lower case, one trailing `_`).

/// Defines the list of procedures. A modelled one has kinds of arguments and a function, which takes
/// what the kinds give; one that is not modelled has the declarations of its arguments. `kept` is the word for a
/// procedure whose buffers MPI keeps beyond the call.
macro_rules! procedures {
    ($($name:literal $arguments:tt $($kept:ident)? $(= $path:path)?;)*) => {
        /// Returns all procedures.
        pub(super) fn rows() -> Vec<Row> {
            vec![$(procedures!(@row $name [$($kept)?] $arguments $(= $path)?)),*]
        }
    };
    (@row $name:literal $kept:tt ($($argument:ident: $kind:ty),*) = $path:path) => {
        Row::new(
            $name,
            &[$(stringify!($argument)),*],
            Wrap::<($($kind,)*)>::entry(
                // Only a function with the Rust calling convention can be passed directly.
                |$($argument: <$kind as Argument>::Taken),*| $path($($argument),*),
            ),
            procedures!(@is_kept $kept),
        )
    };
    (@row $name:literal $kept:tt [$($argument:ident: $shape:ident $(($text:literal))?),*]) => {
        Row::new(
            $name,
            &[$(stringify!($argument)),*],
            entry::Entry {
                address: crate::function::unmodelled::stop as *const () as usize,
                described: None,
                shapes: &[$(Shape::$shape $(($text))?),*],
            },
            procedures!(@is_kept $kept),
        )
    };
    (@is_kept []) => { false };
    (@is_kept [kept]) => { true };
}

mod adapt;
mod argument;
mod attribute;
mod callback;
mod entry;
mod header;
pub(crate) mod missing;
mod modern;
mod module;
mod own;
mod section;
mod sentinel;
#[rustfmt::skip]
mod table;

use std::{ffi::c_int, sync::LazyLock};

use self::argument::Shape;
use super::Export;

pub use header::text as header;
pub use modern::text as modern_module;
pub use module::text as module;

/// Returns the address `MPI_F_STATUS_IGNORE` for C (MPI 19.3.5).
pub(super) extern "C-unwind" fn status_ignore() -> *mut c_int {
    sentinel::address_of(entry::block(), "MPI_STATUS_IGNORE") as *mut c_int
}

/// Returns the address `MPI_F_STATUSES_IGNORE` for C.
pub(super) extern "C-unwind" fn statuses_ignore() -> *mut c_int {
    sentinel::address_of(entry::block(), "MPI_STATUSES_IGNORE") as *mut c_int
}

/// A procedure of the Fortran interface. The names of large-count forms end in `_c`.
struct Row {
    /// Name as the standard spells it.
    name: &'static str,
    /// Names of the arguments except the error code.
    names: &'static [&'static str],
    /// Declarations of the arguments in the modules.
    shapes: &'static [Shape],
    /// Address of the function that Fortran calls.
    address: usize,
    /// Address of the function that `mpi_f08` calls instead, with descriptors of the buffers, if MPI keeps them.
    described: Option<usize>,
    /// Whether MPI keeps a buffer beyond the call. Such buffers are passed by descriptor, so that they may be sections of
    /// arrays. For other buffers a copy that the compiler makes of a section does as well.
    is_kept: bool,
}

impl Row {
    fn new(
        name: &'static str,
        names: &'static [&'static str],
        entry: entry::Entry,
        is_kept: bool,
    ) -> Self {
        let entry::Entry { address, described, shapes } = entry;
        Self { name, names, shapes, address, described: described.filter(|_| is_kept), is_kept }
    }

    /// Returns the procedure of which this is the large-count form, which only `mpi_f08` has (MPI
    /// 19.1.5).
    fn small(&self) -> Option<&'static str> {
        self.name.strip_suffix("_c")
    }
}

/// All procedures of the table.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(table::rows);

/// The linker symbols of the procedures.
static SYMBOLS: LazyLock<Vec<String>> = LazyLock::new(|| {
    ROWS.iter().map(|row| format!("{}_", row.name.to_ascii_lowercase())).collect()
});

/// Returns every symbol that Fortran programs may call, without the profiling names.
pub(super) fn exports() -> Vec<Export> {
    let mut list: Vec<Export> =
        SYMBOLS.iter().zip(&*ROWS).map(|(symbol, row)| (&**symbol, row.address)).collect();
    list.extend(own::exports());
    list.extend(modern::exports());
    list
}
