//! What accesses leave to be done at their origin when a synchronisation completes them.

use mpi_api::call::{Reply, Site, WindowCall};

use super::super::{
    guard::{self, Memory},
    request,
    transfer::unpack_all,
};
use crate::state::{Mpi, PendingAccess, State, Window};

/// Makes a call that completes accesses to a target or to all, stores their results and gives the
/// memory of their origin back. Accesses that other threads have started meanwhile are left to them.
pub(super) fn complete(
    state: &State,
    site: Site,
    window: &Window,
    target: Option<u32>,
    call: WindowCall,
) -> Mpi {
    let next = window.tickets.get();
    state.kernel(site, call)?;
    settle(state, site, window, (target, next))
}

/// Ends the accesses to a target or to all whose numbers are below `next`.
fn settle(state: &State, site: Site, window: &Window, (target, next): (Option<u32>, u32)) -> Mpi {
    let is_over = |ticket: u32, of: u32| {
        let earlier = (ticket.wrapping_sub(next) as i32) < 0;
        earlier && target.is_none_or(|target| target == of)
    };
    let ended = |access: &PendingAccess| is_over(access.ticket, access.target);
    // Another thread may have taken the results and not have stored them yet.
    while lacks_results(window, ended) {
        let call = WindowCall::TakeFetched(window.id(), target);
        if let Reply::Fetched(list) = state.kernel(site, call)? {
            window.results.borrow_mut().extend(list);
        }
    }
    let (done, left): (Vec<_>, Vec<_>) = window.pending.take().into_iter().partition(ended);
    window.pending.replace(left);
    for PendingAccess { ticket, into, from, owned, .. } in &done {
        let memory = Memory { writes: into, reads: from };
        let changed = guard::end(state, owned, memory);
        let result = window.results.borrow_mut().remove(ticket);
        if let Some(result) = result {
            unpack_all(into, result.as_slice());
        }
        if changed {
            guard::changed(state, site, owned)?;
        }
    }
    // The accesses with requests are complete as well; the program waits for those only to free them (MPI
    // section 12.3.5).
    let (done, left): (Vec<_>, Vec<_>) = window
        .requested
        .take()
        .into_iter()
        .partition(|access| is_over(access.ticket, access.target));
    window.requested.replace(left);
    done.into_iter().try_for_each(|access| {
        request::finish_access(state, site, (access.request, access.id), window.id())
    })
}

/// Reports whether an access that has ended has a result that is not there yet.
fn lacks_results(window: &Window, ended: impl Fn(&PendingAccess) -> bool) -> bool {
    let (pending, results) = (window.pending.borrow(), window.results.borrow());
    let fetches = pending.iter().filter(|access| !access.into.is_empty() && ended(access));
    fetches.into_iter().any(|access| !results.contains_key(&access.ticket))
}
