//! What the kernel knows of one rank.

use std::collections::BTreeMap;

use sim_core::{ProcessId, SimTime};

use super::{
    clock,
    collective::{Prepared, key::Numbering},
    first_map::FirstMap,
    process::spawn,
    request::completion::Blocked,
    thread::Threads,
    transport::buffer::SystemPool,
    transport::buffered::Buffers,
    transport::direct::Direct,
    transport::matching::Queues,
};
use crate::{
    call::{CommId, Payload, RequestId, Site},
    collective::Shape,
    error::ErrorHandler,
    outcome::{Chosen, RankTotals},
};

/// One rank as the kernel sees it.
pub(crate) struct Rank {
    /// The thread whose call is in progress; what follows about a call is this thread's.
    pub(crate) process: ProcessId,
    /// All its threads, if it has more than one.
    pub(crate) threads: Option<Box<Threads>>,
    pub(crate) queues: Queues,
    /// Collectives under way, by context and tag of their messages.
    pub(crate) executing: FirstMap<(u32, i32), u32>,
    pub(crate) blocked: Option<Blocked>,
    /// The blocking call it is in, if that needs no request.
    pub(crate) direct: Direct,
    /// Requests the program holds.
    pub(crate) open_requests: u32,
    /// Active requests that the wait in progress is about.
    pub(crate) missing: u32,
    /// Name and place of the call in progress, or of the last one.
    pub(crate) call: &'static str,
    pub(crate) site: Site,
    /// Until when its processor is busy with the call in progress.
    pub(crate) busy_until: SimTime,
    pub(crate) totals: RankTotals,
    pub(crate) pool: SystemPool,
    pub(crate) first_use_paid: bool,
    pub(crate) posted: u64,
    /// Messages its program has sent.
    pub(crate) sends: u32,
    /// Its last call was a poll that failed.
    pub(crate) polling: bool,
    /// Polls that have failed in a row.
    pub(crate) failed_polls: u32,
    /// Next sequence number towards each rank.
    pub(super) sent: FirstMap<u32, u32>,
    /// Next sequence number expected from each rank.
    pub(super) expected: FirstMap<u32, u32>,
    /// Envelopes that overtook an earlier one in the network.
    pub(super) early: Vec<u32>,
    pub(crate) rest: Box<Rest>,
    pub(crate) finished: bool,
    /// Ended by an abort of a communicator it is in.
    pub(crate) aborted: bool,
}

/// What the kernel knows of a rank and seldom needs.
#[derive(Default)]
pub(crate) struct Rest {
    /// Buffers of buffered mode.
    pub(crate) buffers: Buffers,
    /// Failed polls.
    pub(crate) polls: u64,
    /// Times its threads have computed in a row without anything else but polls.
    pub(crate) naps: u32,
    /// The steps of the last collective, and what they are for.
    pub(crate) last_schedule: Option<Box<(Shape, Prepared)>>,
    /// Memory for the steps of collectives.
    pub(crate) spare: Vec<u8>,
    pub(super) reading: clock::Reading,
    /// Collective operations begun.
    pub(crate) numbering: Numbering,
    /// Derived datatypes and communicators it has made and not freed, with their places.
    pub(crate) types: BTreeMap<u32, Site>,
    pub(crate) comms: BTreeMap<u32, Site>,
    /// Who hears of errors, by communicator, where they do not end the run.
    pub(crate) handlers: BTreeMap<CommId, ErrorHandler>,
    /// Requests it freed instead of completing them: numbers and calls.
    pub(crate) freed: Vec<(RequestId, &'static str, Site)>,
    /// What receives brought whose requests had been freed.
    pub(crate) late: Vec<(RequestId, Payload)>,
    /// Of a rank that others have started.
    pub(crate) origin: Option<spawn::Origin>,
}

impl Rank {
    /// The call of the rank that this is, as one that has a free choice.
    pub(crate) fn chooses(&self, rank: u32) -> Chosen {
        Chosen { rank, call: self.call, site: self.site, at_port: false }
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
            call: "start",
            site: Site::NOWHERE,
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
