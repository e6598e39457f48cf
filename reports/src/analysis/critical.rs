//! The critical path: the chain of activities that determines the end of a run.

use std::collections::{BTreeMap, BTreeSet};

use mpi_api::{
    call::Site,
    trace::{Activity, Protocol, Record},
};
use sim_core::{SimDuration, SimTime};

/// The kind of one segment of the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Computation outside MPI.
    Compute,
    /// Processor time inside MPI.
    Overhead,
    /// Transfer of a message through the network.
    Transfer,
    /// Blocked time whose cause the trace does not contain.
    Wait,
}

impl Part {
    /// All kinds in order.
    pub const ALL: [Self; 4] = [Self::Compute, Self::Overhead, Self::Transfer, Self::Wait];

    /// Returns the kind as one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Overhead => "overhead",
            Self::Transfer => "transfer",
            Self::Wait => "wait",
        }
    }
}

/// One segment of the critical path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Rank of the segment; of a transfer, the rank that waits for it.
    pub rank: u32,
    /// Other rank of a transfer.
    pub peer: Option<u32>,
    /// Simulated time at which the segment starts.
    pub start: SimTime,
    /// Simulated time at which the segment ends.
    pub end: SimTime,
    /// Kind of the segment.
    pub what: Part,
    /// MPI call that the rank was in.
    pub call: &'static str,
    /// Call site in the program.
    pub site: Option<Site>,
}

/// The segments of the critical path in order of time, and the total time of each kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CriticalPath {
    /// Segments; each starts where the previous one ends.
    pub segments: Vec<Segment>,
    /// Total time of each of [`Part::ALL`].
    pub totals: [SimDuration; 4],
}

impl CriticalPath {
    /// Computes the critical path: walks back from the last rank to finish, following the message
    /// that ended each wait.
    ///
    /// Ties: the lowest rank, then the message with the highest id.
    pub fn of(ranks: u32, records: &[Record]) -> Self {
        let mut walk = Walk::new(ranks, records);
        while walk.step() {}
        let mut path = Self::default();
        for segment in walk.found.into_iter().rev() {
            path.totals[segment.what as usize] += segment.end.since(segment.start);
            match path.segments.last_mut() {
                Some(last) if same_activity(last, &segment) => last.end = segment.end,
                _ => path.segments.push(segment),
            }
        }
        path
    }

    /// Returns the total time of one kind of segment.
    pub fn total(&self, part: Part) -> SimDuration {
        self.totals[part as usize]
    }
}

fn same_activity(a: &Segment, b: &Segment) -> bool {
    (a.rank, a.peer, a.what, a.call, a.site) == (b.rank, b.peer, b.what, b.call, b.site)
        && a.what != Part::Transfer
}

#[derive(Clone, Copy)]
struct Interval {
    activity: Activity,
    call: &'static str,
    site: Option<Site>,
    start: SimTime,
    end: SimTime,
}

impl Interval {
    /// Returns the interval of a record, of which its place is known.
    fn of(records: &[Record], place: u32) -> Self {
        match records[place as usize] {
            Record::Interval { activity, call, site, start, end, .. } => {
                Self { activity, call, site, start, end }
            }
            Record::Message { .. }
            | Record::Undelivered { .. }
            | Record::Handshake { .. }
            | Record::Pair { .. }
            | Record::Link { .. } => unreachable!("it is the place of an interval"),
        }
    }
}

#[derive(Clone, Copy)]
struct Message {
    id: u64,
    source: u32,
    target: u32,
    /// Time at which the data entered the network.
    injected: SimTime,
    arrived: SimTime,
}

impl Message {
    /// Returns the message of a record, of which its place is known.
    fn of(records: &[Record], place: u32) -> Self {
        match records[place as usize] {
            Record::Message { id, source, target, injected, arrived, .. } => {
                Self { id, source, target, injected, arrived }
            }
            Record::Interval { .. }
            | Record::Undelivered { .. }
            | Record::Handshake { .. }
            | Record::Pair { .. }
            | Record::Link { .. } => unreachable!("it is the place of a message"),
        }
    }
}

/// The handshake that announced a rendezvous message.
#[derive(Clone, Copy)]
struct Handshake {
    sent: SimTime,
    arrived: SimTime,
    ready: SimTime,
}

/// Intervals and messages are places of their records, of which a long run has many millions.
struct Walk<'a> {
    records: &'a [Record],
    /// Intervals of each rank, by start time.
    intervals: Vec<Vec<u32>>,
    /// Messages to each receiver, by arrival time.
    incoming: Vec<Vec<u32>>,
    /// Rendezvous messages of each sender, by injection time; only these can block their sender.
    outgoing: Vec<Vec<u32>>,
    handshakes: BTreeMap<u64, Handshake>,
    used_in: BTreeSet<u64>,
    used_out: BTreeSet<u64>,
    rank: u32,
    now: SimTime,
    found: Vec<Segment>,
}

impl<'a> Walk<'a> {
    fn new(ranks: u32, records: &'a [Record]) -> Self {
        let empty = ranks as usize;
        let mut intervals = vec![Vec::new(); empty];
        let (mut incoming, mut outgoing) = (vec![Vec::new(); empty], vec![Vec::new(); empty]);
        let mut handshakes = BTreeMap::new();
        for (place, record) in (0u32..).zip(records) {
            match *record {
                Record::Interval { rank, start, end, .. } if rank < ranks && start < end => {
                    intervals[rank as usize].push(place);
                }
                Record::Message { source, target, protocol, .. }
                    if source < ranks && target < ranks =>
                {
                    incoming[target as usize].push(place);
                    if protocol == Protocol::Rendezvous {
                        outgoing[source as usize].push(place);
                    }
                }
                Record::Handshake { id, sent, arrived, ready } => {
                    handshakes.insert(id, Handshake { sent, arrived, ready });
                }
                Record::Interval { .. }
                | Record::Message { .. }
                | Record::Undelivered { .. }
                | Record::Pair { .. }
                | Record::Link { .. } => {}
            }
        }
        let interval = |place: &u32| Interval::of(records, *place);
        let message = |place: &u32| Message::of(records, *place);
        let times = |place: &u32| (interval(place).start, interval(place).end);
        intervals.iter_mut().for_each(|list| list.sort_by_key(times));
        let arrived = |place: &u32| (message(place).arrived, message(place).id);
        incoming.iter_mut().for_each(|list| list.sort_by_key(arrived));
        let injected = |place: &u32| (message(place).injected, message(place).id);
        outgoing.iter_mut().for_each(|list| list.sort_by_key(injected));
        let end = |place: &u32| interval(place).end;
        let last = |list: &Vec<u32>| list.iter().map(end).max().unwrap_or_default();
        let ends: Vec<SimTime> = intervals.iter().map(last).collect();
        let now = ends.iter().copied().max().unwrap_or_default();
        let rank = ends.iter().position(|end| *end == now).unwrap_or_default() as u32;
        let (used_in, used_out) = (BTreeSet::new(), BTreeSet::new());
        let found = Vec::new();
        Self {
            records,
            intervals,
            incoming,
            outgoing,
            handshakes,
            used_in,
            used_out,
            rank,
            now,
            found,
        }
    }

    /// Returns the last interval of `rank` that starts before `time`.
    fn before(&self, rank: u32, time: SimTime) -> Option<Interval> {
        let list = self.intervals.get(rank as usize)?;
        let interval = |place: &u32| Interval::of(self.records, *place);
        let after = list.partition_point(|place| interval(place).start < time);
        after.checked_sub(1).map(|index| interval(&list[index]))
    }

    /// Moves back by one segment. Returns false at the start of the run.
    fn step(&mut self) -> bool {
        if self.now == SimTime::ZERO || self.intervals.is_empty() {
            return false;
        }
        let Some(interval) = self.before(self.rank, self.now) else {
            self.push(SimTime::ZERO, Part::Wait, None, None);
            return false;
        };
        if interval.end < self.now {
            self.push(interval.end, Part::Wait, None, None);
            return true;
        }
        match interval.activity {
            Activity::Compute => self.push(interval.start, Part::Compute, None, Some(interval)),
            Activity::Overhead => self.push(interval.start, Part::Overhead, None, Some(interval)),
            Activity::Waiting => self.explain(interval),
        }
        true
    }

    /// Follows the message that ended a wait.
    fn explain(&mut self, wait: Interval) {
        let fits = |time: SimTime| wait.start < time && time <= self.now;
        let message = |place: &u32| Message::of(self.records, *place);
        let latest = |list: &[u32], used: &BTreeSet<u64>, key: fn(&Message) -> SimTime| {
            let until = list.partition_point(|place| key(&message(place)) <= self.now);
            let back = list[..until].iter().rev().map(message);
            back.take_while(|message| fits(key(message)))
                .find(|message| !used.contains(&message.id))
        };
        let rank = self.rank as usize;
        let incoming = latest(&self.incoming[rank], &self.used_in, |m| m.arrived);
        let outgoing = latest(&self.outgoing[rank], &self.used_out, |m| m.injected);
        match (incoming, outgoing) {
            (Some(message), other) if other.is_none_or(|o| o.injected <= message.arrived) => {
                self.used_in.insert(message.id);
                self.push(message.arrived, Part::Wait, None, Some(wait));
                self.follow(wait, message);
            }
            (_, Some(message)) => {
                self.used_out.insert(message.id);
                self.follow(wait, message);
            }
            _ => self.push(wait.start, Part::Wait, None, Some(wait)),
        }
    }

    /// Moves from the data of a message back to the event that released them: the send or, by
    /// rendezvous, the later one of send and receive.
    fn follow(&mut self, wait: Interval, message: Message) {
        let peer = if self.rank == message.target { message.source } else { message.target };
        self.push(message.injected, Part::Transfer, Some(peer), Some(wait));
        let Some(Handshake { sent, arrived, ready }) = self.handshakes.get(&message.id).copied()
        else {
            self.rank = message.source;
            return;
        };
        self.used_in.insert(message.id);
        self.used_out.insert(message.id);
        self.push(ready, Part::Transfer, Some(peer), Some(wait));
        if arrived < ready {
            self.rank = message.target;
        } else {
            self.push(sent, Part::Transfer, Some(peer), Some(wait));
            self.rank = message.source;
        }
    }

    fn push(&mut self, start: SimTime, what: Part, peer: Option<u32>, of: Option<Interval>) {
        if start < self.now {
            let (call, site) = of.map_or(("", None), |interval| (interval.call, interval.site));
            let (rank, end) = (self.rank, self.now);
            self.found.push(Segment { rank, peer, start, end, what, call, site });
            self.now = start;
        }
    }
}
