//! What threads of a rank must not do: each rule that is broken ends the run.

use sim_core::{ProcessId, SimTime};

use super::{Parked, Thread};
use crate::{
    call::{Call, CommId, Operation, RequestId, Threading},
    finding::{CallSite, Code, Finding},
    kernel::{MpiKernel, Sched, collective::Entering, request::completion::Blocked},
};

impl MpiKernel {
    /// A process calls: makes its thread the present one. False when the call is not allowed and
    /// the run has ended, and when the program has ended in another thread.
    #[cold]
    pub(crate) fn enter_thread(&mut self, process: ProcessId, call: &Call, s: &mut Sched) -> bool {
        let (rank, thread) = self.thread_of(process);
        self.switch(rank, thread);
        self.end_naps(rank, &call.operation);
        let Some(threads) = &self.ranks[rank as usize].threads else { return true };
        if threads.ended_in.is_some_and(|ended_in| ended_in != thread) {
            return false;
        }
        if !is_mpi(&call.operation) {
            return true;
        }
        let others = (0..).zip(&threads.all).filter(|(number, _)| *number != thread);
        let busy = others.clone().find(|(_, other)| other.parked.in_mpi(s.now()));
        let (text, other) = match (threads.level, busy) {
            (Threading::Multiple, _) | (Threading::Serialized, None) => return true,
            (Threading::Serialized, Some((number, other))) => (
                format!("calls MPI while thread {number} is in {}", other.parked.call),
                Some(other),
            ),
            (Threading::Single | Threading::Funneled, _) if thread == threads.main => return true,
            (Threading::Single | Threading::Funneled, _) => ("calls MPI".into(), None),
        };
        let text = format!("thread {thread} {text}: the level is {}", threads.level.name());
        let other = other.map(|other| {
            CallSite::new(rank, other.parked.call, other.parked.site.known(), "meanwhile".into())
        });
        let state = &mut self.ranks[rank as usize];
        (state.call, state.site) = (call.name(), call.site);
        self.misuse(rank, text, other, s);
        false
    }

    /// Ends the run: threads of a rank do what they must not.
    fn misuse(&mut self, rank: u32, text: String, other: Option<CallSite>, s: &mut Sched) {
        let mut sites = vec![self.present_site(rank, text.clone())];
        sites.extend(other);
        let finding =
            Finding::error(Code::ThreadMisuse, format!("rank {rank}: {text}"), vec![rank], sites)
                .note("what threads may do is in MPI 5.0, 11.6");
        self.fail(finding, s);
    }

    /// Whether another thread waits for one of these requests, which ends the run
    /// (MPI section 11.6.1).
    #[cold]
    pub(crate) fn awaited_twice(&mut self, rank: u32, list: &[RequestId], s: &mut Sched) -> bool {
        let state = &self.ranks[rank as usize];
        let shared = |blocked: Option<&Blocked>| match blocked {
            Some(Blocked::Wait(other, _)) => list.iter().any(|id| other.contains(id)),
            _ => false,
        };
        let Some(other) = state.calls().find(|call| shared(call.blocked)) else { return false };
        let number = other.number.unwrap_or(0);
        let label = format!("thread {number} waits for it here");
        let site = CallSite::new(rank, other.call, other.site.known(), label);
        let text = format!("two threads wait for one request, thread {number} among them");
        self.misuse(rank, text, Some(site), s);
        true
    }

    /// Whether another thread is in a collective operation of the same communicator, which ends
    /// the run (MPI section 6.14). Creations over a group are told apart by their tags (7.4.2).
    #[cold]
    pub(crate) fn entered_twice(
        &mut self,
        rank: u32,
        comm: CommId,
        how: &Entering,
        s: &mut Sched,
    ) -> bool {
        let state = &self.ranks[rank as usize];
        let same = |blocked: Option<&Blocked>| {
            let Some(Blocked::Collective(execution)) = blocked else { return false };
            let e = &self.executions[*execution];
            let other = self.group_of_key(e.instance);
            e.comm == comm
                && match (how, other) {
                    (Entering::Group(group, tag), Some(other)) => other == (*tag, group),
                    (Entering::Group(..), None) => false,
                    (_, other) => other.is_none(),
                }
        };
        let Some(other) = state.calls().find(|call| same(call.blocked)) else { return false };
        let number = other.number.unwrap_or(0);
        let label = format!("thread {number} is in this one");
        let site = CallSite::new(rank, other.call, other.site.known(), label);
        let text = "two threads are in collective operations of one communicator".into();
        self.misuse(rank, text, Some(site), s);
        true
    }

    /// Whether finalize is called by another than the main thread, or while another thread runs that
    /// is inside of a call of MPI or must not outlive it; that ends the run.
    #[cold]
    pub(crate) fn finalized_too_early(&mut self, rank: u32, s: &mut Sched) -> bool {
        let Some(threads) = &self.ranks[rank as usize].threads else { return false };
        let (current, now) = (threads.current, s.now());
        let finalize = self.ranks[rank as usize].call;
        let hinders =
            |other: &Thread| !other.ended && (!other.outlives || other.parked.in_mpi(now));
        let others = (0..).zip(&threads.all).filter(|(number, _)| *number != current);
        let (text, other) = match others.into_iter().find(|(_, other)| hinders(other)) {
            _ if current != threads.main => {
                (format!("thread {current} calls {finalize}, not the main thread"), None)
            }
            Some((number, Thread { parked, .. })) => {
                let what = if parked.in_mpi(now) {
                    format!("is in {}", parked.call)
                } else {
                    "runs".into()
                };
                let site =
                    CallSite::new(rank, parked.call, parked.site.known(), "meanwhile".into());
                (format!("{finalize} is called while thread {number} {what}"), Some(site))
            }
            None => return false,
        };
        self.misuse(rank, text, other, s);
        true
    }
}

impl Parked {
    /// Whether it is inside a call of MPI.
    fn in_mpi(&self, now: SimTime) -> bool {
        match &self.blocked {
            Some(Blocked::Join(_) | Blocked::Parked(..)) => false,
            Some(_) => true,
            None => self.busy_until > now,
        }
    }
}

/// Whether an operation stands for a call of MPI. The time is also asked for by other libraries.
fn is_mpi(operation: &Operation) -> bool {
    !matches!(
        operation,
        Operation::Compute(_)
            | Operation::Now
            | Operation::Report(_)
            | Operation::SpawnThread(..)
            | Operation::JoinThread(_)
            | Operation::Park(_)
            | Operation::Unpark(..)
            | Operation::Yield
            | Operation::ThreadLevel(_)
            | Operation::EndThreads
    )
}
