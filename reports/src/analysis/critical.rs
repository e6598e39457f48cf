//! The critical path: the chain of activities that determines the end of a run.

use std::collections::{BTreeMap, BTreeSet};

use mpi_api::{
    call::Site,
    trace::{Activity, Protocol, Record},
};
use sim_core::{SimDuration, SimTime};

use crate::records::{Numbers, Records};

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
    pub fn of(ranks: u32, records: &Records) -> Self {
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

/// What a rank does in an interval: activity, call and place.
type Doing = (Activity, &'static str, Option<Site>);

/// An interval of a rank, of which a long run has many millions.
#[derive(Clone, Copy)]
struct Interval {
    start: SimTime,
    end: SimTime,
    /// Number of what the rank does.
    doing: u32,
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

/// The handshake that announced a rendezvous message.
#[derive(Clone, Copy)]
struct Handshake {
    sent: SimTime,
    arrived: SimTime,
    ready: SimTime,
}

struct Walk {
    doing: Numbers<Doing>,
    /// Intervals of each rank, by start time.
    intervals: Vec<Vec<Interval>>,
    /// Messages to each receiver, by arrival time.
    incoming: Vec<Vec<Message>>,
    /// Rendezvous messages of each sender, by injection time; only these can block their sender.
    outgoing: Vec<Vec<Message>>,
    handshakes: BTreeMap<u64, Handshake>,
    used_in: BTreeSet<u64>,
    used_out: BTreeSet<u64>,
    rank: u32,
    now: SimTime,
    found: Vec<Segment>,
}

impl Walk {
    fn new(ranks: u32, records: &Records) -> Self {
        let empty = ranks as usize;
        let mut doing = Numbers::default();
        let mut intervals = vec![Vec::new(); empty];
        let (mut incoming, mut outgoing) = (vec![Vec::new(); empty], vec![Vec::new(); empty]);
        for record in records.intervals() {
            if let Record::Interval { rank, activity, call, site, start, end } = record
                && rank < ranks
                && start < end
            {
                let doing = doing.of((activity, call, site));
                intervals[rank as usize].push(Interval { start, end, doing });
            }
        }
        for record in records.messages() {
            if let Record::Message { id, source, target, protocol, injected, arrived, .. } = record
                && source < ranks
                && target < ranks
            {
                let message = Message { id, source, target, injected, arrived };
                incoming[target as usize].push(message);
                if protocol == Protocol::Rendezvous {
                    outgoing[source as usize].push(message);
                }
            }
        }
        let handshake = |record: Record| match record {
            Record::Handshake { id, sent, arrived, ready } => {
                Some((id, Handshake { sent, arrived, ready }))
            }
            _ => None,
        };
        let handshakes = records.handshakes().filter_map(handshake).collect();
        let times = |interval: &Interval| (interval.start, interval.end);
        intervals.iter_mut().for_each(|list| list.sort_by_key(times));
        let arrived = |message: &Message| (message.arrived, message.id);
        incoming.iter_mut().for_each(|list| list.sort_by_key(arrived));
        let injected = |message: &Message| (message.injected, message.id);
        outgoing.iter_mut().for_each(|list| list.sort_by_key(injected));
        let last = |list: &Vec<Interval>| list.iter().map(|it| it.end).max().unwrap_or_default();
        let ends: Vec<SimTime> = intervals.iter().map(last).collect();
        let now = ends.iter().copied().max().unwrap_or_default();
        let rank = ends.iter().position(|end| *end == now).unwrap_or_default() as u32;
        let (used_in, used_out) = (BTreeSet::new(), BTreeSet::new());
        let found = Vec::new();
        Self {
            doing,
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
        let after = list.partition_point(|interval| interval.start < time);
        after.checked_sub(1).map(|index| list[index])
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
        let (activity, ..) = self.doing.values()[interval.doing as usize];
        match activity {
            Activity::Compute => self.push(interval.start, Part::Compute, None, Some(interval)),
            Activity::Overhead => self.push(interval.start, Part::Overhead, None, Some(interval)),
            Activity::Waiting => self.explain(interval),
        }
        true
    }

    /// Follows the message that ended a wait.
    fn explain(&mut self, wait: Interval) {
        let fits = |time: SimTime| wait.start < time && time <= self.now;
        let latest = |list: &[Message], used: &BTreeSet<u64>, key: fn(&Message) -> SimTime| {
            let until = list.partition_point(|message| key(message) <= self.now);
            let back = list[..until].iter().rev().copied();
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
            let doing = |interval: Interval| self.doing.values()[interval.doing as usize];
            let (_, call, site) = of.map_or((Activity::Waiting, "", None), doing);
            let (rank, end) = (self.rank, self.now);
            self.found.push(Segment { rank, peer, start, end, what, call, site });
            self.now = start;
        }
    }
}
