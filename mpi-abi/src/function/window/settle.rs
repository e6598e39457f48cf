//! What accesses leave to be done at their origin when a synchronisation completes them.

use std::collections::BTreeMap;

use mpi_api::call::{Payload, Reply, Site, WindowCall};

use super::super::{
    guard::{self, Memory},
    transfer::unpack_all,
};
use crate::state::{Mpi, PendingAccess, State, Window};

/// Stores the results of complete accesses to a target or to all, and gives the memory of their
/// origin back.
pub(super) fn settle(state: &State, site: Site, window: &Window, target: Option<u32>) -> Mpi {
    let mut pending = window.pending.borrow_mut();
    if pending.is_empty() {
        return Ok(());
    }
    let ended = |access: &PendingAccess| target.is_none_or(|target| target == access.target);
    let (done, left): (Vec<_>, Vec<_>) = pending.drain(..).partition(ended);
    *pending = left;
    drop(pending);
    let mut results: BTreeMap<u32, Payload> = BTreeMap::new();
    if done.iter().any(|access| !access.into.is_empty())
        && let Reply::Fetched(list) =
            state.kernel(site, WindowCall::TakeFetched(window.id(), target))?
    {
        results.extend(list);
    }
    for PendingAccess { ticket, into, from, owned, .. } in &done {
        let memory = Memory { writes: into, reads: from };
        let changed = guard::end(state, owned, memory);
        if let Some(result) = results.get(ticket) {
            unpack_all(into, result.as_slice());
        }
        if changed {
            guard::changed(state, site, owned)?;
        }
    }
    Ok(())
}
