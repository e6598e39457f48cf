//! Functions of the standard that are not modelled: rows of the table without an implementation, and
//! null functions of Fortran. Programs that refer to them compile and link; a call ends the run with a
//! finding that names the function.

use std::ffi::c_int;

use mpi_api::{call::ReportCall, check::not_modelled};

use crate::state::always;

/// Ends the run; called in place of every unmodelled function. No error handler is called, because
/// the program would continue with results that nobody computed.
pub(super) extern "C-unwind" fn stop() -> c_int {
    always(|state, site| {
        let name = site.call_or("a function of MPI");
        let known = mpi_functions::absent().find(|known| known.name.eq_ignore_ascii_case(name));
        let (what, section) = match known {
            Some(known) => ("such functions", known.section.as_str()),
            None => ("conversions of programs", "14.5.3"),
        };
        let finding = not_modelled::function((state.number(), site), name, what, section);
        state.kernel(site, ReportCall::Fatal(Box::new(finding))).map(|_| ())
    })
}
