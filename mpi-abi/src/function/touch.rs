//! Memory of a rank's own windows that its other calls use: others may access it meanwhile.

use std::rc::Rc;

use mpi_api::{
    call::{Runs, Site, Use, WindowCall},
    object::datatype::Datatype,
};

use super::{guard::Memory, transfer::Part};
use crate::state::{Mpi, State, Window};

/// Tells the kernel which bytes of the rank's windows a call reads or writes; `writes` says until when.
pub(super) fn touch(state: &State, site: Site, memory: Memory, writes: Use) -> Mpi {
    if !state.has_windows() {
        return Ok(());
    }
    let uses = || {
        let reads = memory.reads.iter().map(|part| (part, Use::Read));
        reads.chain(memory.writes.iter().map(|part| (part, writes)))
    };
    // Few calls use memory of windows.
    let inside = |window: &Window, part: &Part| {
        let span = part.datatype.span(part.count as usize);
        let at = part.address as i64;
        window.provides(at.wrapping_add(span.start), at.wrapping_add(span.end))
    };
    let used = |window: &&Rc<Window>| uses().any(|(part, _)| inside(window, part));
    let windows: Vec<_> = state.windows.borrow().iter().filter(used).cloned().collect();
    for window in windows {
        for (part, used) in uses().filter(|(part, _)| inside(&window, part)) {
            let runs = runs(&part.datatype, part.count);
            let (window, owner, base) = (window.id(), window.info.rank, part.address as i64);
            state.kernel(site, WindowCall::Touch { window, owner, base, runs, used })?;
        }
    }
    Ok(())
}

/// Returns the bytes of elements of a type, in the order in which they are packed.
pub(super) fn runs(datatype: &Datatype, count: i64) -> Runs {
    let bytes = datatype.size() * count as u64;
    if datatype.is_contiguous() || bytes == 0 {
        return Runs::One(0, bytes);
    }
    let blocks = datatype.blocks();
    let mut list: Vec<(i64, u64)> = Vec::new();
    for element in 0..count {
        for (at, length) in &blocks {
            let at = at + element * datatype.extent();
            match list.last_mut() {
                Some((before, sum)) if *before + *sum as i64 == at => *sum += length,
                _ => list.push((at, *length)),
            }
        }
    }
    match list[..] {
        [(at, bytes)] => Runs::One(at, bytes),
        _ => Runs::Many(list.into()),
    }
}
