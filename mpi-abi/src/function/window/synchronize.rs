//! Synchronisation of windows (MPI section 12.5).

use std::ffi::c_int;

use mpi_api::{
    call::{AccessCompletion, Assertions, LockType, Reply, WindowCall},
    check::info_assertion::InfoAssertion,
    finding::CallPlace,
};
use sim_core::words::out_of_range;

use super::{
    super::{asserted::breaks, group},
    on_window_without_callbacks,
    settle::complete,
};
use crate::{
    constant::{Handle, class, number},
    state::{Fault, Mpi, State, Window, put},
};

/// Returns the assertions of a call, of which it may have those in `allowed`.
fn assertions(given: c_int, allowed: c_int) -> Mpi<Assertions> {
    if given & !allowed != 0 {
        let text = format!("assertion {given} is none that this function knows");
        return Err(Fault::new(class::ASSERT, text));
    }
    let has = |bit: c_int| given & bit != 0;
    Ok(Assertions {
        no_check: has(number::MODE_NOCHECK),
        no_store: has(number::MODE_NOSTORE),
        no_put: has(number::MODE_NOPUT),
        no_precede: has(number::MODE_NOPRECEDE),
        no_succeed: has(number::MODE_NOSUCCEED),
    })
}

/// Returns a rank of the window.
fn rank_of(window: &Window, rank: c_int) -> Mpi<u32> {
    let size = window.size();
    u32::try_from(rank).ok().filter(|rank| *rank < size).ok_or_else(|| {
        Fault::new(class::RANK, out_of_range(format_args!("rank {rank}"), size) + " of the window")
    })
}

/// Returns the ranks in the window of a group.
fn ranks_of(state: &State, window: &Window, given: Handle) -> Mpi<Vec<u32>> {
    let group = group::of(state, given)?.to_vec();
    let inside = group.into_iter().map(|number| window.info.group.rank_of(number));
    inside
        .collect::<Option<Vec<u32>>>()
        .ok_or_else(|| Fault::new(class::GROUP, "a rank of the group is not a rank of the window"))
}

pub(in super::super) extern "C-unwind" fn fence(assert: c_int, window: Handle) -> c_int {
    const ALLOWED: c_int =
        number::MODE_NOSTORE | number::MODE_NOPUT | number::MODE_NOPRECEDE | number::MODE_NOSUCCEED;
    on_window_without_callbacks(window, |state, site, window| {
        let assertions = assertions(assert, ALLOWED)?;
        complete(state, site, window, None, WindowCall::Fence(window.id(), assertions))?;
        state.kernel(site, WindowCall::Settled(window.id())).map(|_| ())
    })
}

pub(in super::super) extern "C-unwind" fn start(
    given: Handle,
    assert: c_int,
    window: Handle,
) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        let assertions = assertions(assert, number::MODE_NOCHECK)?;
        let group = ranks_of(state, window, given)?;
        state.kernel(site, WindowCall::Start(window.id(), group, assertions)).map(|_| ())
    })
}

pub(in super::super) extern "C-unwind" fn complete_epoch(window: Handle) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        complete(state, site, window, None, WindowCall::Complete(window.id()))
    })
}

pub(in super::super) extern "C-unwind" fn post(
    given: Handle,
    assert: c_int,
    window: Handle,
) -> c_int {
    const ALLOWED: c_int = number::MODE_NOCHECK | number::MODE_NOSTORE | number::MODE_NOPUT;
    on_window_without_callbacks(window, |state, site, window| {
        let assertions = assertions(assert, ALLOWED)?;
        let group = ranks_of(state, window, given)?;
        state.kernel(site, WindowCall::Post(window.id(), group, assertions)).map(|_| ())
    })
}

pub(in super::super) extern "C-unwind" fn wait(window: Handle) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        state.kernel(site, WindowCall::Wait(window.id())).map(|_| ())
    })
}

pub(in super::super) extern "C-unwind" fn test(window: Handle, flag: *mut c_int) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        let reply = state.kernel(site, WindowCall::Test(window.id()))?;
        put(flag, c_int::from(!matches!(reply, Reply::NotYet)))
    })
}

pub(in super::super) extern "C-unwind" fn lock(
    kind: c_int,
    rank: c_int,
    assert: c_int,
    window: Handle,
) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        let kind = match kind {
            number::LOCK_EXCLUSIVE => LockType::Exclusive,
            number::LOCK_SHARED => LockType::Shared,
            _ => {
                return Err(Fault::new(class::LOCKTYPE, format!("there is no lock type {kind}")));
            }
        };
        let assertions = assertions(assert, number::MODE_NOCHECK)?;
        if rank == number::PROC_NULL {
            return Ok(());
        }
        let target = Some(rank_of(window, rank)?);
        breaks(
            state,
            &window.asserted,
            InfoAssertion::NoLocks,
            CallPlace::at(site, "MPI_Win_lock"),
        )?;
        let window = window.id();
        let call = WindowCall::Lock { window, target, kind, assertions };
        state.kernel(site, call).map(|_| ())
    })
}

pub(in super::super) extern "C-unwind" fn lock_all(assert: c_int, window: Handle) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        let assertions = assertions(assert, number::MODE_NOCHECK)?;
        breaks(
            state,
            &window.asserted,
            InfoAssertion::NoLocks,
            CallPlace::at(site, "MPI_Win_lock_all"),
        )?;
        let window = window.id();
        let call = WindowCall::Lock { window, target: None, kind: LockType::Shared, assertions };
        state.kernel(site, call).map(|_| ())
    })
}

pub(in super::super) extern "C-unwind" fn unlock(rank: c_int, window: Handle) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        if rank == number::PROC_NULL {
            return Ok(());
        }
        let target = Some(rank_of(window, rank)?);
        complete(state, site, window, target, WindowCall::Unlock(window.id(), target))
    })
}

pub(in super::super) extern "C-unwind" fn unlock_all(window: Handle) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        complete(state, site, window, None, WindowCall::Unlock(window.id(), None))
    })
}

/// Completes accesses to a rank or to all.
fn complete_accesses(window: Handle, rank: Option<c_int>, completion: AccessCompletion) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        if rank == Some(number::PROC_NULL) {
            return Ok(());
        }
        let target = rank.map(|rank| rank_of(window, rank)).transpose()?;
        let call = WindowCall::Flush { window: window.id(), target, completion };
        complete(state, site, window, target, call)
    })
}

pub(in super::super) extern "C-unwind" fn flush(rank: c_int, window: Handle) -> c_int {
    complete_accesses(window, Some(rank), AccessCompletion::Remote)
}

pub(in super::super) extern "C-unwind" fn flush_all(window: Handle) -> c_int {
    complete_accesses(window, None, AccessCompletion::Remote)
}

pub(in super::super) extern "C-unwind" fn flush_local(rank: c_int, window: Handle) -> c_int {
    complete_accesses(window, Some(rank), AccessCompletion::Local)
}

pub(in super::super) extern "C-unwind" fn flush_local_all(window: Handle) -> c_int {
    complete_accesses(window, None, AccessCompletion::Local)
}

pub(in super::super) extern "C-unwind" fn sync(window: Handle) -> c_int {
    on_window_without_callbacks(window, |state, site, window| {
        state.kernel(site, WindowCall::Sync(window.id())).map(|_| ())
    })
}
