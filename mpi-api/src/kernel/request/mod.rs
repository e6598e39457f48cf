//! Requests and the calls that wait for them.
//!
//! State: `table` holds the requests, `completion` says why a rank is blocked, `channel` joins
//! partitioned sends and receives, `polling` knows the ranks that poll. Steps: `make` makes
//! requests and `complete` completes them, `waiting` has the wait and test families, `lifecycle` all
//! other calls on requests; `cancel`, `pair` (a send and a receive with one request), `partitioned`,
//! `probe`, and `poll` for tests that fail.

use super::{MpiKernel, Sched};
use crate::call::RequestCall;

pub(in crate::kernel) mod books;
pub(in crate::kernel) mod cancel;
pub(in crate::kernel) mod channel;
mod complete;
pub(in crate::kernel) mod completion;
pub(in crate::kernel) mod lifecycle;
mod make;
pub(in crate::kernel) mod pair;
pub(in crate::kernel) mod partitioned;
pub(in crate::kernel) mod poll;
pub(in crate::kernel) mod polling;
pub(in crate::kernel) mod probe;
pub(in crate::kernel) mod recurrence;
pub(in crate::kernel) mod table;
pub(in crate::kernel) mod waiting;

impl MpiKernel {
    /// Executes a call on requests.
    #[inline]
    pub(super) fn request_call(&mut self, rank: u32, call: &mut RequestCall, s: &mut Sched) {
        match call {
            RequestCall::Wait(list, how) => self.wait(rank, std::mem::take(list), *how, s),
            RequestCall::Test(list, how) => self.test(rank, list, *how, s),
            RequestCall::Start(list) => self.start(rank, std::mem::take(list), s),
            RequestCall::IsActive(request) => self.tell_active(rank, *request, s),
            RequestCall::Cancel(request) => self.cancel(rank, *request, s),
            RequestCall::Free(request) => self.free_request(rank, *request, s),
            RequestCall::GetStatus(request) => self.get_status(rank, *request, s),
            RequestCall::GetStatusAndData(request) => self.get_status_and_data(rank, *request, s),
            RequestCall::TakeLate => self.take_late(rank, s),
            RequestCall::StartGeneralized => self.start_generalized(rank, s),
            RequestCall::CompleteGeneralized(request) => {
                self.complete_generalized(rank, *request, s);
            }
        }
    }
}
