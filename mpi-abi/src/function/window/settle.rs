//! What accesses leave to be done at their origin when a synchronisation completes them.

use std::mem;

use mpi_api::call::{Payload, Reply, Site, WindowCall};

use super::{
    super::{
        guard::{self, Memory},
        owned::Owned,
        request,
    },
    buffers::Buffers,
};
use crate::state::{Mpi, PendingAccess, RequestedAccess, State, Window};

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
    if let Reply::Fetched(list) = state.kernel(site, call)? {
        if let [(ticket, result)] = &list[..]
            && let Some(access) = take_only(window, *ticket)
        {
            end_access(state, site, &access, Some(result))?;
        } else {
            window.results.borrow_mut().add(list);
        }
    }
    settle(state, site, window, (target, next))?;
    // Another thread may have a number already.
    if state.has_one_thread() {
        window.count_again();
    }
    Ok(())
}

/// Ends the accesses to a target or to all whose numbers are below `next`.
fn settle(state: &State, site: Site, window: &Window, (target, next): (Option<u32>, u32)) -> Mpi {
    if window.pending.borrow().is_empty() && window.requested.borrow().is_empty() {
        return Ok(());
    }
    let is_over = |ticket: u32, of: u32| {
        let earlier = (ticket.wrapping_sub(next) as i32) < 0;
        earlier && target.is_none_or(|target| target == of)
    };
    let ended = |access: &PendingAccess| is_over(access.ticket, access.target);
    // The reply does not always have them; and another thread may have taken them and not have stored them yet.
    while lacks_results(window, ended) {
        let call = WindowCall::TakeFetched(window.id(), target);
        if let Reply::Fetched(list) = state.kernel(site, call)? {
            window.results.borrow_mut().add(list);
        }
    }
    let mut done = take_ended(window, ended);
    for access in &done {
        let fetches = access.buffers.fetches();
        let result = if fetches { window.results.borrow_mut().take(access.ticket) } else { None };
        end_access(state, site, access, result.as_ref())?;
    }
    // The memory of the list is used again.
    done.clear();
    let mut pending = window.pending.borrow_mut();
    if pending.capacity() == 0 {
        *pending = done;
    }
    drop(pending);
    if window.requested.borrow().is_empty() {
        return Ok(());
    }
    // The accesses with requests are complete as well; the program waits for those only to free them (MPI
    // section 12.3.5).
    let is_over = |access: &mut RequestedAccess| is_over(access.ticket, access.target);
    let done: Vec<_> = window.requested.borrow_mut().extract_if(.., is_over).collect();
    done.into_iter().try_for_each(|access| {
        request::finish_access(state, site, (access.request, access.id), window.id())
    })
}

/// Takes the access with this number if it is the only one that no synchronisation had completed.
fn take_only(window: &Window, ticket: u32) -> Option<PendingAccess> {
    let mut pending = window.pending.borrow_mut();
    matches!(&pending[..], [only] if only.ticket == ticket).then(|| pending.pop()).flatten()
}

/// Stores the result of an access, if it has one, and gives its memory back to the program.
fn end_access(
    state: &State,
    site: Site,
    PendingAccess { buffers, owned, .. }: &PendingAccess,
    result: Option<&Payload>,
) -> Mpi {
    let changed = give_back(state, owned, buffers);
    if let Some(result) = result {
        buffers.store(result.as_slice());
    }
    if changed { guard::changed(state, site, owned) } else { Ok(()) }
}

/// Gives the memory of an access back to the program; returns whether it was changed meanwhile.
fn give_back(state: &State, owned: &Owned, buffers: &Buffers) -> bool {
    match buffers {
        Buffers::Parts { into, from } => {
            let changed = guard::end(state, owned, Memory { writes: into, reads: from });
            owned.give_back(state, into.len() + from.len());
            changed
        }
        Buffers::Blocks(blocks) => owned.release_blocks(state, blocks.all(), blocks.fills),
    }
}

/// Takes the accesses that have ended out of the list of a window, in order; most often that is the whole list.
fn take_ended(window: &Window, ended: impl Fn(&PendingAccess) -> bool) -> Vec<PendingAccess> {
    let mut pending = window.pending.borrow_mut();
    if pending.iter().all(&ended) {
        return mem::take(&mut *pending);
    }
    pending.extract_if(.., |access| ended(access)).collect()
}

/// Reports whether an access that has ended has a result that is not there yet.
fn lacks_results(window: &Window, ended: impl Fn(&PendingAccess) -> bool) -> bool {
    let (pending, results) = (window.pending.borrow(), window.results.borrow());
    let mut fetches = pending.iter().filter(|access| access.buffers.fetches() && ended(access));
    fetches.any(|access| !results.has(access.ticket))
}
