//! Explains a stall: which ranks wait for which, the shortest cycle, or the partner that never
//! comes.
//!
//! A stall is a fact (no event left, ranks blocked); the wait-for graph only explains it. An edge
//! of a rank that needs *all* of its partners (a wait for all, a receive from one source) can prove
//! a cycle by itself; a rank that needs *one of several* (any source, wait for any) is stuck only
//! because every one of them is.

mod attached;
mod awaits;
mod channels;
mod cycle;
mod lasting;
pub(in crate::kernel) mod lookout;
mod near;
mod shared;
mod unjoined;
mod unlike;

use std::collections::BTreeSet;

use sim_core::ProcessId;

use crate::{
    call::{CommId, Completing, Incoming, Source, WindowId},
    check::{
        deadlock_cycle::deadlock,
        network_deadlock::inside_the_network,
        never_matched::{Whereabouts, never},
        peer_finished::{deserted, stillborn},
        waiting::{Awaits, Stall, Waiting, describe, is_alone},
    },
    finding::{CallSite, Finding},
    kernel::{
        MpiKernel,
        diagnose::cycle::shortest_cycle,
        request::{
            completion::Blocked,
            table::{ANY_SOURCE, Kind, Pattern, State},
        },
        thread::threads::ThreadCall,
        window::awaited::Awaited,
    },
    outcome::{self, BLOCKED_MAX},
};

/// Most ranks that are followed from one that waits in a collective to those that are not in it.
const FOLLOWED_MAX: usize = 1024;

impl MpiKernel {
    /// Returns the finding that explains a stall: of all ranks, or of those that wait for ever while others go on.
    pub(crate) fn explain_stall(&self) -> Finding {
        let stuck = &self.lookout.stuck;
        if stuck.is_empty() {
            return self.explain_rest();
        }
        let left = self.ranks.iter().filter(|rank| !rank.finished).count();
        let going_on = left - stuck.len();
        let waiting = stuck.iter().flat_map(|rank| self.waiting(*rank)).collect();
        self.explain(&Stall { waiting, going_on })
    }

    /// Returns the finding that explains a stall of all ranks.
    fn explain_rest(&self) -> Finding {
        let unlike = self.mixed_manners().or_else(|| self.unlike_makings());
        if let Some(finding) = unlike.or_else(|| self.unlike_communicators()) {
            return finding;
        }
        let stall = self.blocked_beside(&[]);
        match self.wire.deadlock() {
            Some(deadlock) => inside_the_network(&stall, &deadlock),
            None => self.explain(&stall),
        }
    }

    /// Returns the finding about ranks that wait for each other, or for partners that never come.
    fn explain(&self, stall: &Stall) -> Finding {
        if let Some(race) = self.taken_by_another(stall) {
            return race;
        }
        let waiting = &stall.waiting;
        if let Some(cycle) = shortest_cycle(waiting, true) {
            return self.with_near_miss(deadlock(stall, &cycle));
        }
        let finished = |rank: &u32| self.ranks[*rank as usize].finished;
        let lost = waiting.iter().find(|w| match w.awaits.is_outside_mpi() {
            true => w.joined.is_none() && is_alone(waiting, w),
            false => w.joined.is_none() && w.partners.iter().all(finished),
        });
        if let Some(lost) = lost {
            return match lost.awaits {
                Awaits::Collective(entered) if !lost.partners.is_empty() => {
                    deserted(stall, lost, entered)
                }
                Awaits::Births => stillborn(stall, lost),
                Awaits::Message
                | Awaits::Receive
                | Awaits::Buffered
                | Awaits::Collective(_)
                | Awaits::Connection
                | Awaits::Posts
                | Awaits::PostsToIt
                | Awaits::Starts
                | Awaits::StartsForIt
                | Awaits::Completes
                | Awaits::Unlock
                | Awaits::Partitions(_)
                | Awaits::Start
                | Awaits::Completion
                | Awaits::Thread
                | Awaits::AnyThread
                | Awaits::Other => {
                    self.with_any_source(self.with_near_miss(self.never(stall, lost)))
                }
            };
        }
        self.with_near_miss(match shortest_cycle(waiting, false) {
            Some(cycle) => deadlock(stall, &cycle),
            None => self.never(stall, &waiting[0]),
        })
    }

    /// Returns the finding about a rank that waits for ranks which never come.
    fn never(&self, stall: &Stall, lost: &Waiting) -> Finding {
        let does = |rank: u32| {
            let state = &self.ranks[rank as usize];
            let waits = stall.waiting.iter().find(|w| w.rank == rank);
            match waits {
                _ if state.rest.finalized => Whereabouts::Finalized,
                _ if state.finished => Whereabouts::Finished,
                Some(waits) => Whereabouts::Waits(waits.site.call),
                None => Whereabouts::GoesOn,
            }
        };
        let partners: Vec<_> = lost.partners.iter().map(|rank| (*rank, does(*rank))).collect();
        self.with_unjoined(never(stall, lost, &partners), lost)
    }

    /// Returns the ranks and threads that are blocked while these, in ascending order, go on.
    pub(in crate::kernel) fn blocked_beside(&self, going_on: &[u32]) -> Stall {
        let others =
            (0..self.ranks.len() as u32).filter(|rank| going_on.binary_search(rank).is_err());
        let waiting = others.flat_map(|rank| self.waiting(rank)).collect();
        Stall { waiting, going_on: going_on.len() }
    }

    /// Returns the calls in which ranks are blocked at a stall.
    pub(crate) fn blocked_calls(&self) -> Vec<outcome::Blocked> {
        let ranks = match &self.lookout.stuck[..] {
            [] => (0..self.ranks.len() as u32).collect(),
            stuck => stuck.to_vec(),
        };
        let waiting = ranks.into_iter().flat_map(|rank| self.waiting(rank)).take(BLOCKED_MAX);
        let blocked = |Waiting { site, partners, all, name, threaded, .. }| outcome::Blocked {
            site,
            thread: threaded.then_some(name),
            partners,
            all,
        };
        waiting.map(blocked).collect()
    }

    /// Adds the nearest miss of the ranks that a finding about a stall names.
    fn with_near_miss(&self, finding: Finding) -> Finding {
        self.with_near_miss_of_polls(finding, &[])
    }

    /// Like [`with_near_miss`](Self::with_near_miss), where the ranks of `polling` poll for ever.
    pub(in crate::kernel) fn with_near_miss_of_polls(
        &self,
        finding: Finding,
        polling: &[u32],
    ) -> Finding {
        match self.near_miss(&finding.ranks, polling) {
            Some(miss) => miss.explain(finding),
            None => finding,
        }
    }

    /// Returns the nodes of the threads of a rank.
    fn waiting(&self, rank: u32) -> Vec<Waiting> {
        let state = &self.ranks[rank as usize];
        let calls = state.calls().filter(|_| !state.finished);
        calls.filter_map(|call| self.waiting_call(rank, &call)).collect()
    }

    fn waiting_call(&self, rank: u32, call: &ThreadCall<'_>) -> Option<Waiting> {
        let idle =
            |blocked: &&Blocked| matches!(blocked, Blocked::Parked(parking, _) if parking.idle);
        let blocked = call.blocked.filter(|blocked| !idle(blocked))?;
        let mut site = CallSite::new(rank, call.call, call.site.known(), String::new());
        let (all, partners) = match blocked {
            Blocked::Call(requests) => self.request_partners(rank, requests, true, &mut site),
            Blocked::Direct => self.direct_partners(rank, &mut site),
            Blocked::Posting(request) => self.request_partners(rank, &[*request], true, &mut site),
            Blocked::Wait(list, how) => {
                let list: Vec<u32> = list.iter().filter_map(|id| self.live(*id)).collect();
                self.request_partners(rank, &list, *how == Completing::All, &mut site)
            }
            Blocked::Probe { pattern, .. } => (false, self.sources(rank, *pattern, &mut site)),
            Blocked::Collective(execution) => self.awaited(*execution),
            Blocked::Detach(_) => (true, self.attached_partners(rank)),
            Blocked::Window(id, awaited) => (true, self.window_partners(rank, *id, awaited)),
            Blocked::Join(_) => (true, vec![rank]),
            // The file system answers always.
            Blocked::Storage(_) => return None,
            Blocked::Parked(parking, _) => (parking.holder.is_some(), vec![rank]),
        };
        let partners = each_once(partners);
        let name = self.name_of(call.process);
        let joined = match blocked {
            Blocked::Join(thread) => self.process_of(rank, *thread),
            Blocked::Parked(parking, _) => parking.holder.and_then(|t| self.process_of(rank, t)),
            _ => None,
        };
        let parked = matches!(blocked, Blocked::Parked(..));
        let held = parked && joined.is_some();
        let thread = match joined {
            Some(process) => Some(self.name_of(ProcessId(process))),
            None => (parked && call.number.is_some()).then(|| "another thread".into()),
        };
        let awaits = self.awaits(rank, call, blocked);
        site.label = describe(&name, &site, (awaits, all, &partners), thread);
        let shown = self.shown(rank, blocked, awaits);
        let (process, threaded) = (call.process.0, call.number.is_some());
        Some(Waiting {
            rank,
            process,
            name,
            joined,
            held,
            awaits,
            threaded,
            all,
            partners,
            site,
            shown,
        })
    }

    /// Returns the partners of the blocking receive that is stored in a rank, and whether all of
    /// them are needed.
    fn direct_partners(&self, rank: u32, site: &mut CallSite) -> (bool, Vec<u32>) {
        let direct = &self.ranks[rank as usize].direct;
        let Some((pattern, capacity, _)) = direct.posted() else {
            return self.request_partners(rank, direct.request().as_slice(), true, site);
        };
        site.bytes.get_or_insert(capacity);
        let sources = self.sources(rank, pattern, site);
        (sources.len() == 1, sources)
    }

    fn request_partners(
        &self,
        rank: u32,
        list: &[u32],
        all: bool,
        site: &mut CallSite,
    ) -> (bool, Vec<u32>) {
        let mut partners = Vec::new();
        let mut every = all;
        for index in list {
            let Some(request) = self.requests.get(*index) else { continue };
            if request.state != State::Active {
                continue;
            }
            if let Some(parts) = self.parts(*index) {
                let (both, more) = self.request_partners(rank, &parts, true, site);
                every &= both;
                partners.extend(more);
                continue;
            }
            match &request.kind {
                Kind::Receive(incoming) => {
                    let pattern = Pattern::of(incoming.comm, incoming.source, incoming.tag);
                    site.bytes.get_or_insert(incoming.capacity);
                    let sources = self.sources(rank, pattern, site);
                    every &= sources.len() == 1;
                    partners.extend(sources);
                }
                Kind::Send(_) => {
                    let Some(m) = self.messages.get(request.message) else { continue };
                    if site.peer.is_none() {
                        site.peer = Some(m.target);
                        site.tag = Some(m.tag);
                        site.bytes = Some(m.bytes());
                        site.message = Some(m.ordinal);
                    }
                    partners.push(m.target);
                }
                Kind::Collective(_) => partners.extend(self.awaited_in_collective(*index)),
                Kind::OneSided { window, target, .. } => {
                    let peer = self.windows.get(*window).map(|window| window.number(*target));
                    site.peer = site.peer.or(peer);
                    partners.extend(peer);
                }
                Kind::File => partners.extend(self.awaited_at_file(*index)),
                // The rank's own program completes it.
                Kind::Generalized => {}
                Kind::Partitioned { .. } => {
                    let peer = self.partitioned_peer(*index);
                    site.peer = site.peer.or(peer);
                    partners.extend(peer);
                }
                Kind::Flush => partners.extend(self.attached_partners(rank)),
            }
        }
        (every, partners)
    }

    fn sources(&self, rank: u32, pattern: Pattern, site: &mut CallSite) -> Vec<u32> {
        let comm = CommId(pattern.context / 2);
        if pattern.tag >= 0 {
            site.tag.get_or_insert(pattern.tag);
        }
        if pattern.source != ANY_SOURCE {
            site.peer.get_or_insert(self.comms.world_rank(comm, pattern.source, rank));
        }
        self.senders(rank, pattern)
    }

    /// Returns the ranks one of which has to send what a receive or probe waits for.
    fn senders(&self, rank: u32, pattern: Pattern) -> Vec<u32> {
        let comm = CommId(pattern.context / 2);
        if pattern.source != ANY_SOURCE {
            return vec![self.comms.world_rank(comm, pattern.source, rank)];
        }
        (0..self.comms.peers(comm, rank))
            .map(|source| self.comms.world_rank(comm, source, rank))
            .filter(|peer| {
                (*peer != rank || self.ranks[rank as usize].threads.is_some())
                    && !self.ranks[*peer as usize].finished
            })
            .collect()
    }

    /// Returns the partners that a nonblocking collective waits for.
    fn awaited_in_collective(&self, request: u32) -> Vec<u32> {
        let found = self.collectives.executions().find(|(_, e)| e.completes(request));
        found.map_or(Vec::new(), |(execution, _)| self.collective_partners(execution))
    }

    /// Returns the partners that an execution waits for, and whether all of them are needed; at a
    /// port, any other rank.
    fn awaited(&self, execution: u32) -> (bool, Vec<u32>) {
        let e = self.collectives.execution(execution);
        if !(e.gated && self.is_docked(e.instance, e.members.size())) {
            return (true, self.collective_partners(execution));
        }
        let others = (0..).zip(&self.ranks).filter(|(_, rank)| !rank.finished);
        let others = others.map(|(rank, _)| rank).filter(|rank| e.members.rank_of(*rank).is_none());
        (false, others.collect())
    }

    fn collective_partners(&self, execution: u32) -> Vec<u32> {
        let e = self.collectives.execution(execution);
        if e.gated {
            let unborn = self.unborn(e.instance);
            if !unborn.is_empty() {
                return unborn;
            }
            let together =
                self.collectives.executions().filter(|(_, other)| other.instance == e.instance);
            let entered: BTreeSet<u32> = together.map(|(_, other)| other.rank).collect();
            return e.members.to_vec().into_iter().filter(|peer| !entered.contains(peer)).collect();
        }
        self.missing_from(execution)
    }

    /// Returns the ranks outside of a collective that an execution waits for: of a partner which is in the collective, too,
    /// those that it waits for itself. If all are in it, or many, the partners.
    fn missing_from(&self, execution: u32) -> Vec<u32> {
        let e = self.collectives.execution(execution);
        let partners = self.peers_in_collective(execution);
        let (mut open, mut missing) = (partners.clone(), Vec::new());
        let mut seen = BTreeSet::from([e.rank]);
        while let Some(peer) = open.pop() {
            if !seen.insert(peer) {
                continue;
            }
            if seen.len() > FOLLOWED_MAX {
                return partners;
            }
            let is_same = |other: &u32| self.collectives.execution(*other).instance == e.instance;
            let blocked = self.ranks[peer as usize].calls().find_map(|call| {
                let Blocked::Collective(other) = call.blocked? else { return None };
                Some(*other).filter(is_same)
            });
            match blocked {
                Some(other) => open.extend(self.peers_in_collective(other)),
                None => missing.push(peer),
            }
        }
        missing.sort_unstable();
        if missing.is_empty() { partners } else { missing }
    }

    /// Returns the ranks whose messages an execution waits for.
    fn peers_in_collective(&self, execution: u32) -> Vec<u32> {
        let e = self.collectives.execution(execution);
        // The messages of a collective name ranks by their index among all members, not by their
        // rank in the communicator.
        let peer = |request: &u32| match &self.requests.get(*request)?.kind {
            Kind::Receive(Incoming { source: Source::Rank(place), .. }) => {
                Some(e.members.world_rank(*place))
            }
            _ => self.messages.get(self.requests[*request].message).map(|m| m.target),
        };
        let awaited = e.awaited().map(|place| e.members.world_rank(place));
        e.pending.iter().filter_map(peer).chain(awaited).collect()
    }

    /// Returns the ranks that a synchronisation of a window waits for.
    fn window_partners(&self, rank: u32, id: WindowId, awaited: &Awaited) -> Vec<u32> {
        let Some(window) = self.windows.get(id) else { return Vec::new() };
        let Some(me) = window.rank_of(rank) else { return Vec::new() };
        match awaited {
            Awaited::Accesses { target, .. } => window.unanswered(me, *target),
            Awaited::Lock(target) => window.in_the_way(me, *target),
            Awaited::Posts(group) => window.not_offered(me, group),
            Awaited::Ends => window.not_ended(me),
        }
    }
}

/// Returns the ranks without repetitions, each at its first position.
fn each_once(ranks: Vec<u32>) -> Vec<u32> {
    let mut known = BTreeSet::new();
    ranks.into_iter().filter(|rank| known.insert(*rank)).collect()
}
