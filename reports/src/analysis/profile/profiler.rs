//! [`Profiler`]: a sink that computes the [`Profile`] of a run while it goes on.

use std::{cell::RefCell, collections::BTreeMap, mem, rc::Rc};

use mpi_api::{
    call::{CollectiveKind, Site},
    collective::{algorithm::Algorithm, select::Selector},
    observation::{Needs, Observation, OperationId, WindowDelay},
    outcome::{Ending, RunResult},
    trace::{Activity, Record, SentMessage, TraceSink},
};
use sim_core::{SimDuration, SimTime};

use super::{
    super::size_class,
    Accesses, Algorithms, CallSite, CollectiveTime, OneSided, Profile, SizeClass, Synchronizing,
    WaitState, Waits,
    operations::Operations,
    ranks::{Current, Late, RankState},
};

/// A sink that computes a profile, and passes the records of the run on to another sink.
pub struct Profiler {
    state: Rc<RefCell<State>>,
    next: Option<Box<dyn TraceSink>>,
}

/// What gives the profile when the run is over.
pub struct ProfilerHandle(Rc<RefCell<State>>);

impl Profiler {
    /// Creates a profiler and the handle that gives its profile. `next` gets all records.
    pub fn new(next: Option<Box<dyn TraceSink>>) -> (Self, ProfilerHandle) {
        let state = Rc::new(RefCell::new(State::default()));
        (Self { state: Rc::clone(&state), next }, ProfilerHandle(state))
    }
}

impl ProfilerHandle {
    /// Returns the profile of the run that has this result.
    pub fn finish(self, result: &RunResult) -> Profile {
        mem::take(&mut *self.0.borrow_mut()).finish(result)
    }
}

impl TraceSink for Profiler {
    fn record(&mut self, record: Record) {
        self.state.borrow_mut().record(&record);
        if let Some(next) = &mut self.next {
            next.record(record);
        }
    }

    fn observe(&mut self, observation: Observation) {
        self.state.borrow_mut().observe(observation);
    }

    fn finish(self: Box<Self>) -> Vec<Record> {
        self.next.map(TraceSink::finish).unwrap_or_default()
    }
}

#[derive(Default)]
struct State {
    ranks: Vec<RankState>,
    sites: Vec<CallSite>,
    places: BTreeMap<(&'static str, Option<Site>), usize>,
    operations: Operations,
    collectives: BTreeMap<&'static str, CollectiveTime>,
    /// Messages of no byte, of one byte, of 2 to 3, of 4 to 7 and so on.
    sizes: Vec<SizeClass>,
    /// One-sided accesses by origin and target.
    accesses: BTreeMap<(u32, u32), Accesses>,
}

/// Returns the name of a collective operation as `--collectives` has it, and whether that option
/// chooses its algorithm.
fn operation_name(kind: CollectiveKind) -> (&'static str, bool) {
    let plain = |name: &str| name.replace('_', "").replace("exclusive", "ex");
    let table = Selector::table();
    let known = table.iter().find(|(name, _)| plain(name) == plain(kind.name()));
    known.map_or((kind.name(), false), |(name, _)| (name, true))
}

/// Returns the cause of blocked time that a delay is.
fn state_of(delay: WindowDelay) -> WaitState {
    match delay {
        WindowDelay::Fence => WaitState::WaitAtFence,
        WindowDelay::Free => WaitState::WaitAtNxN,
        WindowDelay::Post => WaitState::LatePost,
        WindowDelay::Complete => WaitState::EarlyWait,
        WindowDelay::Lock => WaitState::LockContention,
        WindowDelay::Progress => WaitState::WaitForProgress,
    }
}

impl State {
    fn rank(&mut self, rank: u32) -> &mut RankState {
        let index = rank as usize;
        if self.ranks.len() <= index {
            self.ranks.resize_with(index + 1, RankState::default);
        }
        &mut self.ranks[index]
    }

    /// Returns the index of a call site.
    fn site(&mut self, call: &'static str, site: Option<Site>) -> usize {
        let call = site.map_or(call, |site| site.call_or(call));
        if let Some(index) = self.places.get(&(call, site)) {
            return *index;
        }
        let index = self.sites.len();
        self.places.insert((call, site), index);
        self.sites.push(CallSite {
            call,
            site,
            calls: 0,
            sent: 0,
            received: 0,
            overhead: SimDuration::ZERO,
            waits: Waits::default(),
            ranks: 0,
            longest: (0, SimDuration::ZERO),
            algorithms: Algorithms::default(),
        });
        index
    }

    fn collective(&mut self, kind: CollectiveKind) -> &mut CollectiveTime {
        self.collectives.entry(kind.name()).or_insert_with(|| {
            let (operation, choosable) = operation_name(kind);
            CollectiveTime {
                operation,
                choosable,
                calls: 0,
                bytes: 0,
                overhead: SimDuration::ZERO,
                waits: Waits::default(),
                algorithms: Algorithms::default(),
            }
        })
    }

    fn record(&mut self, record: &Record) {
        if let Record::Interval { rank, activity, start, end, .. } = *record {
            self.interval(rank, activity, start, end);
        }
        if let Some(SentMessage { tag, bytes, .. }) = record.sent() {
            self.message(tag < 0, bytes);
        }
    }

    fn interval(&mut self, rank: u32, activity: Activity, start: SimTime, end: SimTime) {
        let state = self.rank(rank);
        let Some(current) = &mut state.current else { return };
        match activity {
            Activity::Compute => {}
            Activity::Waiting => current.waited(start, end),
            Activity::Overhead => {
                let (time, site) = (end.since(start), current.site);
                let kind = current.collective.as_ref().map(|part| part.kind);
                if let Some(how) = current.synchronizes {
                    state.synchronizing.add(how, time);
                }
                *state.sites.entry(site).or_default() += time;
                self.sites[site].overhead += time;
                if let Some(kind) = kind {
                    self.collective(kind).overhead += time;
                }
            }
        }
    }

    /// Returns the class of messages of this size.
    fn class(&mut self, bytes: u64) -> &mut SizeClass {
        let class = size_class::of(bytes);
        while self.sizes.len() <= class {
            let from = size_class::smallest(self.sizes.len());
            self.sizes.push(SizeClass { from, ..SizeClass::default() });
        }
        &mut self.sizes[class]
    }

    fn message(&mut self, inside: bool, bytes: u64) {
        let class = self.class(bytes);
        let (messages, data) = match inside {
            true => (&mut class.inside, &mut class.inside_bytes),
            false => (&mut class.messages, &mut class.bytes),
        };
        *messages += 1;
        *data += bytes;
    }

    /// Counts a one-sided access. Its message, which a trace does not tell from those inside of collective
    /// operations, has been counted as one of them.
    fn accessed(&mut self, (origin, target): (u32, u32), (out, back): (u64, u64)) {
        let none = Accesses { origin, target, ..Accesses::default() };
        let pair = self.accesses.entry((origin, target)).or_insert(none);
        pair.accesses += 1;
        pair.out += out;
        pair.back += back;
        let bytes = out + back;
        let class = self.class(bytes);
        class.inside -= 1;
        class.inside_bytes -= bytes;
        class.accesses += 1;
        class.accessed_bytes += bytes;
    }

    fn observe(&mut self, observation: Observation) {
        match observation {
            Observation::Called { rank, call, site, bytes, continues, .. } => {
                let index = self.site(call, site);
                self.called(rank, index, (bytes, continues));
            }
            Observation::Entered {
                rank,
                operation,
                kind,
                size,
                member,
                needs,
                blocking,
                bytes,
                time,
            } => {
                let of = ((member, size), needs, time);
                self.enter(rank, (operation, kind), of, (blocking, bytes));
            }
            Observation::Carried { rank, operation, algorithm, bytes } => {
                self.carried((rank, operation), algorithm, bytes);
            }
            Observation::Awaits { rank, operation } => {
                if let Some(current) = &mut self.rank(rank).current {
                    current.awaited.push(operation);
                }
            }
            Observation::Synchronizes { rank, how } => {
                let state = self.rank(rank);
                state.synchronizing.count(how);
                if let Some(current) = &mut state.current {
                    current.synchronizes = Some(how);
                }
            }
            Observation::DelayEnded { rank, delay, time } => {
                if let Some(current) = &mut self.rank(rank).current {
                    current.causes.push((state_of(delay), time));
                }
            }
            Observation::Accessed { origin, target, out, back } => {
                self.accessed((origin, target), (out, back));
            }
            Observation::Received { rank, call, site, bytes, sent, awaited, .. } => {
                let index = self.site(call, site);
                self.sites[index].received += bytes;
                let state = self.rank(rank);
                if let (true, Some(current)) = (awaited, &mut state.current) {
                    current.causes.push((WaitState::LateSender, sent));
                }
                for late in state.overtaken_by(sent) {
                    self.rank(rank).waits.wrong_order += late.time;
                    self.sites[late.site].waits.wrong_order += late.time;
                }
            }
            Observation::Probed { rank, sent } => {
                if let Some(current) = &mut self.rank(rank).current {
                    current.causes.push((WaitState::LateSender, sent));
                }
            }
            Observation::Released { rank, time, awaited } => {
                if let (true, Some(current)) = (awaited, &mut self.rank(rank).current) {
                    current.causes.push((WaitState::LateReceiver, time));
                }
            }
        }
    }

    /// Notes that a rank begins a call at a site, which sends these bytes; `continues` says that it is a step of one before.
    fn called(&mut self, rank: u32, index: usize, (bytes, continues): (u64, bool)) {
        let before = self.rank(rank).current.as_ref().map(|current| current.site);
        self.leave(rank, false);
        // Where the steps have names of their own, each has a row.
        if !continues || before != Some(index) {
            self.sites[index].calls += 1;
        }
        self.sites[index].sent += bytes;
        let state = self.rank(rank);
        state.sites.entry(index).or_default();
        state.current = Some(Current::new(index));
    }

    fn enter(
        &mut self,
        rank: u32,
        (operation, kind): (OperationId, CollectiveKind),
        (place, needs, time): ((u32, u32), Needs, SimTime),
        (blocking, bytes): (bool, u64),
    ) {
        let part = self.operations.enter(operation, kind, place, needs, time);
        let total = self.collective(kind);
        total.calls += 1;
        total.bytes += bytes;
        let state = self.rank(rank);
        match &mut state.current {
            Some(current) if blocking => current.collective = Some(part),
            _ => drop(state.pending.insert(operation, part)),
        }
    }

    /// Counts what carries out a rank's part in an operation. Operations that its call has not entered in the sight of
    /// the program, as the barrier of a fence, are no collectives of the profile.
    fn carried(&mut self, (rank, operation): (u32, OperationId), algorithm: Algorithm, bytes: u64) {
        let state = self.rank(rank);
        let Some(current) = &state.current else { return };
        let blocking = current.collective.as_ref().filter(|part| part.operation == operation);
        let Some(part) = blocking.or_else(|| state.pending.get(&operation)) else { return };
        let (kind, site) = (part.kind, current.site);
        self.collective(kind).algorithms.count(algorithm, bytes);
        self.sites[site].algorithms.count(algorithm, bytes);
    }

    /// Books the blocked time of the call that a rank leaves. `cut_short`: the run ended before the
    /// call did.
    fn leave(&mut self, rank: u32, cut_short: bool) {
        let Some(mut current) = self.rank(rank).current.take() else { return };
        let kind = self.collective_causes(rank, &mut current);
        if let Some(part) = &current.collective {
            self.operations.leave(part.operation);
        }
        let (mut waits, cause) = current.divide();
        if cut_short {
            waits.end_early();
        }
        let is_message = |(state, _): &(WaitState, SimTime)| {
            matches!(state, WaitState::LateSender | WaitState::LateReceiver)
        };
        if let Some(kind) = kind.filter(|_| !cause.as_ref().is_some_and(is_message)) {
            self.collective(kind).waits.add_all(&waits);
        }
        let site = current.site;
        self.sites[site].waits.add_all(&waits);
        let state = self.rank(rank);
        if let Some(how) = current.synchronizes {
            state.synchronizing.add(how, waits.total());
        }
        *state.sites.entry(site).or_default() += waits.total();
        state.waits.add_all(&waits);
        if let Some((WaitState::LateSender, sent)) = cause {
            state.remember(Late { sent, site, time: waits.get(WaitState::LateSender) });
        }
    }

    /// Adds the lateness of members of collective operations to the causes of a wait, and returns the
    /// kind of the operation that it is a wait for.
    fn collective_causes(&mut self, rank: u32, current: &mut Current) -> Option<CollectiveKind> {
        if let Some(part) = &current.collective {
            current.causes.extend(self.operations.lateness(part));
            return Some(part.kind);
        }
        let end = current.end()?;
        let mut latest = None;
        for operation in mem::take(&mut current.awaited) {
            let Some(part) = self.rank(rank).pending.get(&operation).cloned() else { continue };
            let found = self.operations.lateness(&part).filter(|(_, until)| *until <= end);
            let until = found.map_or(SimTime::ZERO, |(_, until)| until);
            current.causes.extend(found);
            if latest.is_none_or(|(last, _)| until > last) {
                latest = Some((until, part.kind));
            }
        }
        latest.map(|(_, kind)| kind)
    }

    fn finish(mut self, result: &RunResult) -> Profile {
        self.rank(result.ranks.len().saturating_sub(1) as u32);
        for (rank, totals) in (0..).zip(&result.ranks) {
            let current = self.rank(rank).current.as_ref();
            let until = current.and_then(Current::end);
            let cut_short =
                result.ending != Ending::Completed && until.is_some_and(|end| end >= totals.finish);
            self.leave(rank, cut_short);
        }
        let mut profile = Profile::default();
        for (rank, state) in (0..).zip(&self.ranks) {
            profile.ranks.push(state.waits);
            profile.total.add_all(&state.waits);
            for (site, time) in &state.sites {
                let site = &mut self.sites[*site];
                site.ranks += 1;
                if site.ranks == 1 || *time > site.longest.1 {
                    site.longest = (rank, *time);
                }
            }
        }
        profile.sites = self.sites.into_iter().filter(|site| site.calls > 0).collect();
        profile.sites.sort_by_key(|site| {
            (std::cmp::Reverse(site.time()), site.call, site.place(), site.site)
        });
        profile.collectives = self.collectives.into_values().collect();
        profile.collectives.sort_by_key(|one| (std::cmp::Reverse(one.time()), one.operation));
        let used = self.sizes.iter().position(SizeClass::is_used);
        profile.sizes = self.sizes.split_off(used.unwrap_or(self.sizes.len()));
        profile.one_sided = one_sided(self.accesses, &self.ranks);
        profile
    }
}

/// Returns the one-sided communication of these ranks; `None` if there was none.
fn one_sided(accesses: BTreeMap<(u32, u32), Accesses>, ranks: &[RankState]) -> Option<OneSided> {
    let ranks: Vec<Synchronizing> = ranks.iter().map(|state| state.synchronizing).collect();
    let mut total = Synchronizing::default();
    ranks.iter().for_each(|rank| total.add_all(rank));
    let is_any = !accesses.is_empty() || total.used().next().is_some();
    is_any.then(|| OneSided { pairs: accesses.into_values().collect(), ranks, total })
}
