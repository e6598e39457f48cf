//! How an MPI function begins and ends: what is done around its body.

use mpi_api::{call::Site, check::not_finalized::Outside};

use super::{
    fault::Mpi,
    rank::{Stage, State},
};
use crate::{
    constant::{Handle, class, handle},
    memory::put,
};
use guest::{site, watch};

impl State {
    /// Converts the result of a call into the code that the MPI function returns.
    fn answer(&self, site: Site, comm: Handle, done: Mpi) -> i32 {
        let code = done.map_or_else(|fault| self.fail(site, comm, fault), |()| 0);
        if self.ends_busily.get() {
            self.end_busily(site);
        }
        code
    }

    /// Delivers what came during a call: signals of timers, events of the tools interface, and what was found about
    /// arguments.
    #[cold]
    fn end_busily(&self, site: Site) {
        self.tell_findings(site);
        self.attend_to_signals();
        if let Some(tell) = self.listener.get() {
            tell(self, site);
        }
    }
}

/// Returns the site of the running MPI call, in the kernel's form. Must be called first.
#[inline(never)]
pub(crate) fn here() -> Site {
    site::caller()
}

/// Runs the body of an MPI function that reports errors through a communicator.
pub(crate) fn call(comm: Handle, body: impl FnOnce(&State, Site) -> Mpi) -> i32 {
    in_any_thread(comm, |state, site| {
        // A rank with several threads is not quiet.
        if !state.is_quiet() {
            state.announce_call(site);
        }
        body(state, site)
    })
}

/// Like [`call`], for functions that every thread may call whatever the thread level is.
pub(crate) fn in_any_thread(comm: Handle, body: impl FnOnce(&State, Site) -> Mpi) -> i32 {
    watch::open();
    let site = here();
    let Some(state) = State::current() else { return class::OTHER };
    let inside = state.begin_call(site);
    if state.stage.get() != Stage::Running && (is_of_world(comm, site) || !state.has_session()) {
        let outside = match state.stage.get() {
            Stage::Finalized => Outside::AfterFinalize,
            Stage::Fresh | Stage::Running if !state.has_session() && state.had_session() => {
                Outside::AfterSession
            }
            Stage::Fresh | Stage::Running => Outside::BeforeInit,
        };
        return state.outside(site, outside);
    }
    let done = body(state, site);
    state.receive_forgotten(site);
    let code = state.answer(site, comm, done);
    inside.end();
    code
}

/// Reports whether a call uses a communicator that is there between `MPI_Init` and `MPI_Finalize` only, and not in a session
/// (MPI 5.0, 11.3). Errors of sessions without an object of their own are raised on `MPI_COMM_SELF`, so that programs set its
/// handler.
#[cold]
fn is_of_world(comm: Handle, site: Site) -> bool {
    let is_of_handlers = || {
        let section = site.call().and_then(mpi_functions::section_of);
        section.is_some_and(|section| section.starts_with("9."))
    };
    comm == handle::COMM_WORLD || comm == handle::COMM_SELF && !is_of_handlers()
}

/// Like [`call`], for a function that creates an object: on failure the program's handle is set to
/// null.
pub(crate) fn creating(
    comm: Handle,
    (place, null): (*mut Handle, Handle),
    body: impl FnOnce(&State, Site) -> Mpi,
) -> i32 {
    call(comm, |state, site| {
        let done = body(state, site);
        if done.is_err() && !place.is_null() {
            put(place, null)?;
        }
        done
    })
}

/// Like [`call`], for functions that are not about a communicator.
pub(crate) fn local(body: impl FnOnce(&State, Site) -> Mpi) -> i32 {
    call(handle::COMM_NULL, body)
}

/// Runs the body of a function that may be called at any time and returns its code. `None` outside of ranks.
pub(crate) fn with_own_codes(body: impl FnOnce(&State, Site) -> i32) -> Option<i32> {
    watch::open();
    let site = here();
    let state = State::current()?;
    let inside = state.begin_call(site);
    let code = body(state, site);
    inside.end();
    Some(code)
}

/// Like [`local`], for functions that may be called at any time.
pub(crate) fn always(body: impl FnOnce(&State, Site) -> Mpi) -> i32 {
    let code = with_own_codes(|state, site| {
        let done = body(state, site);
        state.answer(site, handle::COMM_NULL, done)
    });
    code.unwrap_or(class::OTHER)
}
