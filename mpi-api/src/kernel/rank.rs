//! The kernel's state of one rank.

use std::collections::BTreeMap;

use sim_core::{ProcessId, SimTime};

use crate::{
    call::{CommId, Completing, Payload, RequestId, Site},
    collective::Shape,
    error::ErrorHandler,
    finding::CallPlace,
    kernel::{
        clock_reads,
        collective::{execution::Prepared, key::Numbering},
        first_map::FirstMap,
        process::birth,
        request::{completion::Blocked, table::Pattern},
        thread::threads::Threads,
        tool::Heard,
        transport::{attached::Buffers, buffer::SystemPool, direct::Direct, matching::Queues},
        window::IdleRow,
    },
    outcome::{Among, Chosen, RankTotals},
};

/// The kernel's state of one rank.
pub(crate) struct Rank {
    /// The thread whose call is in progress; the fields about a call belong to this thread.
    pub(crate) process: ProcessId,
    /// All threads of the rank, if it has more than one.
    pub(crate) threads: Option<Box<Threads>>,
    pub(crate) queues: Queues,
    /// Collectives under way, by context and tag of their messages.
    pub(crate) executing: FirstMap<(u32, i32), u32>,
    pub(crate) blocked: Option<Blocked>,
    /// The blocking call the rank is in, if that call needs no request.
    pub(crate) direct: Direct,
    /// Number of requests that the program holds.
    pub(crate) open_requests: u32,
    /// Number of active requests that the wait in progress still needs.
    pub(crate) missing: u32,
    /// Name of the call in progress, or of the last one; empty before the first.
    pub(crate) call: &'static str,
    pub(crate) site: Site,
    /// Number of calls that it has made other than computing, with overflow.
    pub(crate) calls: u32,
    /// Time until which the processor is busy with the call in progress.
    pub(crate) busy_until: SimTime,
    pub(crate) totals: RankTotals,
    pub(crate) pool: SystemPool,
    pub(crate) first_use_paid: bool,
    pub(crate) posted: u64,
    /// Number of messages that the program has sent.
    pub(crate) sends: u32,
    /// Whether the last call was an unsuccessful poll.
    pub(crate) polling: bool,
    /// Number of unsuccessful polls in a row.
    pub(crate) failed_polls: u32,
    /// Next sequence number towards each rank.
    pub(super) sent: FirstMap<u32, u32>,
    /// Next sequence number expected from each rank.
    pub(super) expected: FirstMap<u32, u32>,
    /// Messages whose envelopes overtook an earlier one in the network.
    pub(super) early: Vec<u32>,
    pub(crate) rest: Box<ColdState>,
    pub(crate) finished: bool,
    /// Whether the rank was ended by an abort of a communicator it belongs to.
    pub(crate) aborted: bool,
}

/// The part of a rank's state that is seldom needed.
#[derive(Default)]
pub(crate) struct ColdState {
    /// Attached buffers of buffered mode.
    pub(crate) buffers: Buffers,
    /// Number of unsuccessful polls.
    pub(crate) polls: u64,
    /// The last unsuccessful poll: name of the call and place.
    pub(crate) polled_at: Option<CallPlace>,
    /// What the last unsuccessful poll looked for, if it was a probe.
    pub(crate) probed: Option<Pattern>,
    /// Number of times in a row that the rank's threads have computed with nothing but polls in
    /// between.
    pub(crate) naps: u32,
    /// Number of times that the rank has computed since its last unsuccessful poll.
    pub(crate) steps: u32,
    /// Numbers of unsuccessful polls, and of other calls, before the last time that it has computed.
    pub(crate) before: (u64, u32),
    /// The calls with which it waits for accesses of others to its windows.
    pub(crate) idle: IdleRow,
    /// The steps of the last collective, and the shape of the call they belong to.
    pub(crate) last_schedule: Option<Box<(Shape, Prepared)>>,
    /// Memory for the steps of collectives, reused from one to the next.
    pub(crate) spare: Vec<u8>,
    pub(super) clock: Option<Box<clock_reads::ClockReads>>,
    /// Time at which the next timer expires that the kernel looks after.
    pub(super) timer: Option<SimTime>,
    /// Whether it has called `MPI_Finalize`.
    pub(super) finalized: bool,
    /// Numbers of the collective operations begun.
    pub(crate) numbering: Numbering,
    /// Derived datatypes that the rank has made and not freed, with the places of their calls.
    pub(crate) types: BTreeMap<u32, Site>,
    pub(crate) comms: BTreeMap<u32, Site>,
    /// Error handlers by communicator, where errors do not end the run.
    pub(crate) handlers: BTreeMap<CommId, ErrorHandler>,
    /// Requests that were freed instead of completed: identities, names and places of their calls.
    pub(crate) freed: Vec<(RequestId, &'static str, Site)>,
    /// The last message that a probe has found and left there, and how often in a row.
    pub(crate) found: (u64, u32),
    /// Data of receives whose requests had been freed.
    pub(crate) late: Vec<(RequestId, Payload)>,
    /// The events of the tools interface that it listens to.
    pub(super) heard: Option<Box<Heard>>,
    /// Origin of a rank that others have spawned.
    pub(crate) origin: Option<birth::Origin>,
}

impl Rank {
    /// Returns the call in progress.
    pub(crate) fn call_place(&self) -> CallPlace {
        CallPlace { call: self.call, site: self.site }
    }

    /// Returns the call of this rank, as the maker of a free choice.
    pub(crate) fn chooses(&self, rank: u32) -> Chosen {
        Chosen { rank, call: self.call, site: self.site, among: Among::Messages }
    }

    /// Reports whether the completion of a request may let the rank continue: not while it runs, is in a
    /// call without requests, or waits for other requests, too.
    #[inline(always)]
    pub(super) fn may_wake(&self) -> bool {
        match &self.blocked {
            None | Some(Blocked::Direct) => false,
            Some(Blocked::Wait(_, Completing::All)) => self.missing == 0,
            Some(_) => true,
        }
    }

    /// Records that the rank waits in a blocking call without a request.
    // Neither value owns anything, and dropping the old one would be a call.
    #[inline(always)]
    pub(super) fn block_directly(&mut self) {
        debug_assert!(matches!(self.blocked, None | Some(Blocked::Direct)), "the rank was running");
        std::mem::forget(self.blocked.replace(Blocked::Direct));
    }

    /// Ends what [`Rank::block_directly`] has recorded.
    #[inline(always)]
    pub(super) fn unblock_directly(&mut self) {
        if let Some(Blocked::Direct) = self.blocked {
            std::mem::forget(self.blocked.take());
        }
    }

    /// Makes the processor wait until `time`. Returns since when it has been waiting, unless it is busy
    /// until then.
    #[inline(always)]
    pub(super) fn wait_until(&mut self, time: SimTime) -> Option<SimTime> {
        let start = self.busy_until;
        if time <= start {
            return None;
        }
        self.busy_until = time;
        self.totals.waiting += time.since(start);
        Some(start)
    }

    pub(super) fn new(rank: u32) -> Self {
        Self {
            process: ProcessId(rank),
            threads: None,
            queues: Queues::default(),
            executing: FirstMap::default(),
            blocked: None,
            direct: Direct::default(),
            missing: 0,
            open_requests: 0,
            call: "",
            site: Site::NOWHERE,
            calls: 0,
            busy_until: SimTime::ZERO,
            totals: RankTotals::default(),
            pool: SystemPool::default(),
            first_use_paid: false,
            posted: 0,
            sends: 0,
            polling: false,
            failed_polls: 0,
            sent: FirstMap::default(),
            expected: FirstMap::default(),
            early: Vec::new(),
            rest: Box::default(),
            finished: false,
            aborted: false,
        }
    }
}
