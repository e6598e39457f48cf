//! Rules for the threads of a rank: each violation ends the run.

use sim_core::{ProcessId, SimTime};

use crate::{
    call::{Call, CommId, FileCall, Operation, ReportCall, RequestId, ThreadCall, Threading},
    check,
    finding::{CallSite, Severity},
    kernel::{
        MpiKernel, Sched, collective::template::EntryMode, request::completion::Blocked,
        thread::threads::Thread,
    },
    policy::Policy,
};

impl MpiKernel {
    /// Makes the thread of a calling process the current one. False when the call is not allowed
    /// and the run has ended, and when the program has ended in another thread.
    #[cold]
    pub(crate) fn enter_thread(&mut self, process: ProcessId, call: &Call, s: &mut Sched) -> bool {
        let (rank, thread) = self.thread_of(process);
        self.switch(rank, thread);
        self.end_naps(rank, &call.operation);
        let Some(threads) = &mut self.ranks[rank as usize].threads else { return true };
        if threads.ended_in.is_some_and(|ended_in| ended_in != thread) {
            return false;
        }
        let calls_mpi = is_mpi(&call.operation);
        threads.all[thread as usize].calls_mpi = calls_mpi;
        if !calls_mpi {
            return true;
        }
        let others = (0..).zip(&threads.all).filter(|(number, _)| *number != thread);
        let busy = others.clone().find(|(_, other)| other.in_mpi(s.now()));
        let multiple =
            "ask for MPI_THREAD_MULTIPLE where MPI is initialised, and look whether it is provided";
        let (text, other, instead) = match (threads.level, busy) {
            (Threading::Multiple, _) | (Threading::Serialized, None) => return true,
            (Threading::Serialized, Some((number, other))) => (
                format!("calls MPI while thread {number} is in {}", other.parked.call),
                Some((number, other)),
                "let a lock keep the calls of threads apart",
            ),
            (Threading::Single | Threading::Funneled, _) if thread == threads.main => return true,
            (Threading::Single | Threading::Funneled, _) => {
                ("calls MPI".into(), None, "leave all calls to the thread that initialised MPI")
            }
        };
        let is_warned = busy.is_none()
            && self.settings.environment.policies.differs(Policy::CallsOfOtherThreads);
        if is_warned && std::mem::replace(&mut threads.is_warned, true) {
            return true;
        }
        let help = format!("{multiple}, or {instead}");
        let text = format!("thread {thread} {text}: the level is {}", threads.level.name());
        let other = other.map(|(number, other)| other.beside(rank, number, true));
        let state = &mut self.ranks[rank as usize];
        (state.call, state.site) = (call.name(), call.site);
        if is_warned {
            let place = self.present_site(rank, text);
            let finding = check::thread_misuse::of_rank(place, other).help(help);
            self.journal.findings.add(finding.at_most(Severity::Warning));
        } else {
            self.misuse(rank, (text, help), other, s);
        }
        is_warned
    }

    /// Ends the run with a finding about threads that break a rule.
    fn misuse(
        &mut self,
        rank: u32,
        (text, help): (String, String),
        other: Option<CallSite>,
        s: &mut Sched,
    ) {
        let place = self.present_site(rank, text);
        self.fail(check::thread_misuse::of_rank(place, other).help(help), s);
    }

    /// Reports whether another thread waits for one of these requests; then the run has ended (MPI
    /// section 11.6.1).
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
        let help = "let one thread wait for a request, and the others for that thread".into();
        self.misuse(rank, (text, help), Some(site), s);
        true
    }

    /// Reports whether another thread is in a collective operation of the same communicator; then
    /// the run has ended (MPI section 6.14). Constructions over a group are told apart by their
    /// tags (section 7.4.2).
    #[cold]
    pub(crate) fn entered_twice(
        &mut self,
        rank: u32,
        comm: CommId,
        how: &EntryMode,
        s: &mut Sched,
    ) -> bool {
        let state = &self.ranks[rank as usize];
        let same = |blocked: Option<&Blocked>| {
            let Some(Blocked::Collective(execution)) = blocked else { return false };
            let e = self.collectives.execution(*execution);
            let other = self.group_of_key(e.instance);
            e.comm == comm
                && match (how, other) {
                    (EntryMode::Group(group, tag), Some(other)) => other == (tag, group),
                    (EntryMode::Group(..), None) => false,
                    (_, other) => other.is_none(),
                }
        };
        let Some(other) = state.calls().find(|call| same(call.blocked)) else { return false };
        let number = other.number.unwrap_or(0);
        let label = format!("thread {number} is in this one");
        let site = CallSite::new(rank, other.call, other.site.known(), label);
        let text = "two threads are in collective operations of one communicator".into();
        let help =
            "give each thread a communicator of its own, or let one thread make the calls".into();
        self.misuse(rank, (text, help), Some(site), s);
        true
    }

    /// Reports whether finalize is called by a thread other than the main one, or while another
    /// thread is in an MPI call or must not outlive MPI; then the run has ended.
    #[cold]
    pub(crate) fn finalized_too_early(&mut self, rank: u32, s: &mut Sched) -> bool {
        let Some(threads) = &self.ranks[rank as usize].threads else { return false };
        let (current, now) = (threads.current, s.now());
        let finalize = self.ranks[rank as usize].call;
        let hinders = |other: &Thread| !other.ended && (!other.outlives || other.in_mpi(now));
        let others = (0..).zip(&threads.all).filter(|(number, _)| *number != current);
        let (text, other) = match others.into_iter().find(|(_, other)| hinders(other)) {
            _ if current != threads.main => {
                (format!("thread {current} calls {finalize}, not the main thread"), None)
            }
            Some((number, other)) => {
                let is_in_mpi = other.in_mpi(now);
                let what = match is_in_mpi {
                    true => format!("is in {}", other.parked.call),
                    false => "runs".into(),
                };
                let text = format!("{finalize} is called while thread {number} {what}");
                (text, Some(other.beside(rank, number, is_in_mpi)))
            }
            None => return false,
        };
        let help = "let all threads end before the main thread finalizes MPI".into();
        self.misuse(rank, (text, help), other, s);
        true
    }
}

impl Thread {
    /// Reports whether the thread, which is not the current one, is in an MPI call.
    fn in_mpi(&self, now: SimTime) -> bool {
        self.calls_mpi && (self.parked.blocked.is_some() || self.parked.busy_until > now)
    }

    /// Returns the place of its call, which it is in or which was its last one, beside that of a thread which breaks a
    /// rule.
    fn beside(&self, rank: u32, number: u32, is_in_call: bool) -> CallSite {
        let label = match is_in_call {
            true => format!("thread {number} is in this call meanwhile"),
            false => format!("the last call of thread {number}"),
        };
        CallSite::new(rank, self.parked.call, self.parked.site.known(), label)
    }
}

/// Reports whether an operation stands for an MPI call. Other libraries read the time, too.
fn is_mpi(operation: &Operation) -> bool {
    match operation {
        Operation::Clock(_) | Operation::File(FileCall::Plain(_)) => false,
        Operation::Thread(call) => match call {
            ThreadCall::Announce => true,
            ThreadCall::Spawn(..)
            | ThreadCall::Join(_)
            | ThreadCall::Park(_)
            | ThreadCall::Unpark(..)
            | ThreadCall::Yield
            | ThreadCall::Spin { .. }
            | ThreadCall::SetLevel(_)
            | ThreadCall::EndRank => false,
        },
        Operation::Report(call) => match call {
            ReportCall::Finding(_) => false,
            ReportCall::Leak(..) | ReportCall::Fatal(_) => true,
        },
        Operation::Message(_)
        | Operation::Tool(_)
        | Operation::Request(_)
        | Operation::Probe(_)
        | Operation::Partitioned(_)
        | Operation::Buffer(_)
        | Operation::Collective(_)
        | Operation::Comm(_)
        | Operation::Window(_)
        | Operation::File(_)
        | Operation::Process(_)
        | Operation::Port(_)
        | Operation::Type(_)
        | Operation::Error(_) => true,
    }
}
