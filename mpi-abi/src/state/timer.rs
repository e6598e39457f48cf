//! Timers of a program that expire while its rank waits in an MPI call: the kernel calls us back,
//! and the program's signal handlers run while the call goes on.
#![allow(unsafe_code, reason = "finds the state of a rank that waits, and calls its handlers")]

use std::{cell::RefCell, collections::BTreeMap, ptr, time::Duration};

use mpi_api::{
    call::{ClockCall, Operation, ReportCall, RequestCall, Site, ThreadCall},
    raw::{AfterTimer, on_timer},
};
use sim_core::SimTime;

use super::rank::{CURRENT, State};
use guest::libc::{Lent, Returned, attend, next_timer, suspend};

thread_local! {
    /// The state and the program of each rank that has told the kernel about a timer.
    static TIMED: RefCell<BTreeMap<u32, (*const State, Lent)>> = const { RefCell::new(BTreeMap::new()) };
}

/// Reports whether a rank may wait in a call, or in a series of such calls, until a message comes or another rank
/// does something.
fn may_wait(operation: &Operation) -> bool {
    match operation {
        Operation::Request(call) => matches!(
            call,
            RequestCall::Wait(..)
                | RequestCall::Test(..)
                | RequestCall::GetStatus(_)
                | RequestCall::GetStatusAndData(_)
        ),
        Operation::Thread(call) => {
            matches!(call, ThreadCall::Join(_) | ThreadCall::Yield | ThreadCall::Spin { .. })
        }
        Operation::Clock(ClockCall::Compute(_) | ClockCall::Now(_) | ClockCall::SetTimer(_))
        | Operation::Report(ReportCall::Finding(_) | ReportCall::Leak(..) | ReportCall::Fatal(_))
        | Operation::Tool(_)
        | Operation::Port(_)
        | Operation::Type(_)
        | Operation::Error(_) => false,
        Operation::Message(_)
        | Operation::Probe(_)
        | Operation::Partitioned(_)
        | Operation::Buffer(_)
        | Operation::Collective(_)
        | Operation::Comm(_)
        | Operation::Window(_)
        | Operation::File(_)
        | Operation::Process(_) => true,
    }
}

impl State {
    /// Tells the kernel when the next timer expires, if that has changed, before a call in which
    /// the rank may wait.
    #[cold]
    pub(super) fn prepare_timer(&self, site: Site, operation: &Operation) {
        let Some(due) = next_timer().filter(|due| self.timer.get() != Some(*due)) else { return };
        let Some(program) = Lent::current().filter(|_| may_wait(operation)) else { return };
        self.timer.set(Some(due));
        on_timer(expired);
        TIMED.with_borrow_mut(|all| all.insert(self.number(), (ptr::from_ref(self), program)));
        let at = ClockCall::SetTimer(time(due));
        suspend(|| self.call_out(site, at.into()));
        CURRENT.set(self);
    }
}

fn time(due: Duration) -> SimTime {
    SimTime::from_ps(u64::try_from(due.as_nanos().saturating_mul(1000)).unwrap_or(u64::MAX))
}

/// Runs the handlers of a rank whose timer has expired while it waits.
fn expired(rank: u32) -> AfterTimer {
    let known = TIMED.with_borrow(|all| all.get(&rank).copied());
    let Some((state, program)) = known else { return AfterTimer::Waits(None) };
    // SAFETY: the rank waits in the call before which it has told us, and its state outlives that.
    let state = unsafe { &*state };
    state.timer.set(None);
    let running = state.enter();
    state.set_combining(true);
    state.handling.set(true);
    // SAFETY: the rank lives, and the function takes no arguments.
    let returned = unsafe { program.call(look_after as *const () as usize, [0; 4]) };
    state.handling.set(false);
    state.set_combining(false);
    drop(running);
    match returned {
        Returned::Well => return AfterTimer::Waits(state.timer.get().map(time)),
        Returned::Threw(exception) => state.threw_combining(exception),
        Returned::Never => state.ended_combining(),
    }
    AfterTimer::Ends
}

/// Sends the signals of expired timers, in the program's name.
extern "C-unwind" fn look_after() {
    attend();
    if let Some(state) = State::current() {
        state.timer.set(next_timer());
    }
}
