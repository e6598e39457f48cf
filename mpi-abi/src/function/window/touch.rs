//! Memory of a rank's own windows that its other calls use: others may access it meanwhile.

use mpi_api::call::{Flavor, Runs, Site, WindowCall};

use super::super::{guard::Memory, transfer::Part};
use crate::state::{Mpi, State};

/// Tells the kernel which bytes of the rank's windows a call reads or writes.
pub(in super::super) fn touch(state: &State, site: Site, memory: Memory) -> Mpi {
    if !state.has_windows() {
        return Ok(());
    }
    let windows: Vec<_> = state.rare().windows.borrow().iter().cloned().collect();
    for window in windows.iter().filter(|window| window.flavor != Flavor::Dynamic) {
        let (low, high) = (window.base as i64, window.base as i64 + window.size);
        let inside = |part: &Part| {
            let span = part.datatype.span(part.count as usize);
            let at = part.address as i64;
            at.wrapping_add(span.start) < high && at.wrapping_add(span.end) > low
        };
        let reads = memory.reads.iter().map(|part| (part, false));
        let writes = memory.writes.iter().map(|part| (part, true));
        for (part, writes) in reads.chain(writes).filter(|(part, _)| inside(part)) {
            let runs: Runs = super::access::runs(&part.datatype, part.count);
            state
                .kernel(site, WindowCall::Touch(window.id(), part.address as i64, runs, writes))?;
        }
    }
    Ok(())
}
