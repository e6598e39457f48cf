//! [`Stream`]: records in few bytes, one after the other.

use std::fmt;

use mpi_api::{
    call::Site,
    trace::{Activity, Protocol, Record},
};
use network_models::LinkId;
use serde::{Deserialize, Serialize};
use sim_core::{
    SimTime,
    text::{Text, interned},
};

use super::numbers::Numbers;

/// Size of a block of packed records, bytes.
const BLOCK: usize = 1 << 20;

/// Most bytes of a packed record.
const RECORD: usize = 128;

/// A [`Record`] with small numbers: times relative to times nearby, numbers of texts and places.
#[derive(Serialize, Deserialize)]
enum Packed {
    /// `gap` is the time since the last interval of the rank.
    Interval {
        rank: u32,
        activity: Activity,
        call: u32,
        site: u32,
        gap: i64,
        length: u64,
    },
    /// `back` is the time since the message before, and the others the times since `posted`.
    Message {
        id: u64,
        ends: [u32; 2],
        tag: i32,
        bytes: u64,
        protocol: Protocol,
        back: i64,
        times: [u64; 3],
    },
    /// `gap` is the time since the last interval of a link.
    Link {
        link: u32,
        gap: i64,
        length: u64,
    },
    Undelivered {
        ends: [u32; 2],
        tag: i32,
        bytes: u64,
        protocol: Protocol,
    },
    /// `back` is the time since the handshake before, and the others the times since `sent`.
    Handshake {
        id: u64,
        back: i64,
        times: [u64; 2],
    },
    Pair {
        ends: [u32; 2],
        ordinal: u32,
        call: u32,
        sites: [u32; 2],
    },
}

/// Records in order, about 15 bytes each.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(from = "Finished", into = "Finished")]
pub(crate) struct Stream {
    blocks: Vec<Vec<u8>>,
    calls: Numbers<Text>,
    sites: Numbers<Option<Site>>,
    last: Last,
    count: usize,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} records", self.count)
    }
}

/// A stream as it passes from process to process.
#[derive(Serialize, Deserialize)]
struct Finished {
    blocks: Vec<Vec<u8>>,
    calls: Vec<Name>,
    sites: Vec<Option<Site>>,
    last: Last,
    count: usize,
}

/// The name of a call.
#[derive(Serialize, Deserialize)]
struct Name(#[serde(deserialize_with = "interned")] Text);

impl From<Stream> for Finished {
    fn from(stream: Stream) -> Self {
        let calls = stream.calls.values().iter().map(|call| Name(call)).collect();
        let sites = stream.sites.values().to_vec();
        let Stream { blocks, last, count, .. } = stream;
        Self { blocks, calls, sites, last, count }
    }
}

impl From<Finished> for Stream {
    fn from(finished: Finished) -> Self {
        let Finished { blocks, calls, sites, last, count } = finished;
        let mut stream = Self { blocks, last, count, ..Self::default() };
        calls.iter().for_each(|Name(call)| {
            stream.calls.of(call);
        });
        sites.into_iter().for_each(|site| {
            stream.sites.of(site);
        });
        stream
    }
}

/// Times to which the times of the next record are relative.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Last {
    ranks: Vec<SimTime>,
    message: SimTime,
    handshake: SimTime,
    link: SimTime,
}

impl Last {
    fn of_rank(&mut self, rank: u32) -> &mut SimTime {
        let place = rank as usize;
        if place >= self.ranks.len() {
            self.ranks.resize(place + 1, SimTime::ZERO);
        }
        &mut self.ranks[place]
    }
}

/// Returns `time` as picoseconds since `last`, which becomes `new`.
fn step(last: &mut SimTime, time: SimTime, new: SimTime) -> i64 {
    let gap = time.as_ps().wrapping_sub(last.as_ps()) as i64;
    *last = new;
    gap
}

/// The inverse of [`step`]. Returns the time and the end of an interval of this length.
fn walk(last: &mut SimTime, gap: i64, length: u64) -> (SimTime, SimTime) {
    let start = last.as_ps().wrapping_add(gap as u64);
    let end = start + length;
    *last = SimTime::from_ps(end);
    (SimTime::from_ps(start), *last)
}

impl Stream {
    /// Appends a record.
    pub(crate) fn push(&mut self, record: &Record) {
        let packed = self.packed(record);
        if self.blocks.last().is_none_or(|block| block.len() > BLOCK - RECORD) {
            // A run of a few events takes little, and one of many gives no memory back while it grows.
            let room = if self.blocks.is_empty() { RECORD } else { BLOCK };
            self.blocks.push(Vec::with_capacity(room));
        }
        let block = self.blocks.pop().expect("one was added");
        let block = postcard::to_extend(&packed, block).expect("memory takes all");
        self.blocks.push(block);
        self.count += 1;
    }

    /// Returns the number of records.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns the records in order.
    pub(crate) fn iter(&self) -> Unpacked<'_> {
        Unpacked { stream: self, next: 0, rest: &[], last: Last::default() }
    }

    fn packed(&mut self, record: &Record) -> Packed {
        match *record {
            Record::Interval { rank, activity, call, site, start, end } => {
                let gap = step(self.last.of_rank(rank), start, end);
                let length = end.since(start).as_ps();
                let (call, site) = (self.calls.of(call), self.sites.of(site));
                Packed::Interval { rank, activity, call, site, gap, length }
            }
            Record::Message {
                id,
                source,
                target,
                tag,
                bytes,
                protocol,
                posted,
                injected,
                arrived,
                matched,
            } => {
                let back = step(&mut self.last.message, posted, posted);
                let times = [injected, arrived, matched].map(|time| time.since(posted).as_ps());
                Packed::Message { id, ends: [source, target], tag, bytes, protocol, back, times }
            }
            Record::Link { link, start, end } => {
                let gap = step(&mut self.last.link, start, end);
                Packed::Link { link: link.0, gap, length: end.since(start).as_ps() }
            }
            Record::Undelivered { source, target, tag, bytes, protocol } => {
                Packed::Undelivered { ends: [source, target], tag, bytes, protocol }
            }
            Record::Handshake { id, sent, arrived, ready } => {
                let back = step(&mut self.last.handshake, sent, sent);
                let times = [arrived, ready].map(|time| time.since(sent).as_ps());
                Packed::Handshake { id, back, times }
            }
            Record::Pair { source, target, ordinal, send, call, receive } => {
                let call = self.calls.of(call);
                let sites = [send, receive].map(|site| self.sites.of(Some(site)));
                Packed::Pair { ends: [source, target], ordinal, call, sites }
            }
        }
    }

    fn unpacked(&self, packed: Packed, last: &mut Last) -> Record {
        let call = |number: u32| self.calls.values()[number as usize];
        let site = |number: u32| self.sites.values()[number as usize];
        match packed {
            Packed::Interval { rank, activity, call: number, site: place, gap, length } => {
                let (start, end) = walk(last.of_rank(rank), gap, length);
                let (call, site) = (call(number), site(place));
                Record::Interval { rank, activity, call, site, start, end }
            }
            Packed::Message { id, ends: [source, target], tag, bytes, protocol, back, times } => {
                let (posted, _) = walk(&mut last.message, back, 0);
                let after = |time| SimTime::from_ps(posted.as_ps() + time);
                let [injected, arrived, matched] = times.map(after);
                Record::Message {
                    id,
                    source,
                    target,
                    tag,
                    bytes,
                    protocol,
                    posted,
                    injected,
                    arrived,
                    matched,
                }
            }
            Packed::Link { link, gap, length } => {
                let (start, end) = walk(&mut last.link, gap, length);
                Record::Link { link: LinkId(link), start, end }
            }
            Packed::Undelivered { ends: [source, target], tag, bytes, protocol } => {
                Record::Undelivered { source, target, tag, bytes, protocol }
            }
            Packed::Handshake { id, back, times } => {
                let (sent, _) = walk(&mut last.handshake, back, 0);
                let [arrived, ready] = times.map(|time| SimTime::from_ps(sent.as_ps() + time));
                Record::Handshake { id, sent, arrived, ready }
            }
            Packed::Pair { ends: [source, target], ordinal, call: number, sites } => {
                let [send, receive] = sites.map(|place| site(place).expect("a pair has both"));
                Record::Pair { source, target, ordinal, send, call: call(number), receive }
            }
        }
    }
}

/// The records of a [`Stream`], in order.
pub(crate) struct Unpacked<'a> {
    stream: &'a Stream,
    /// The block after the present one.
    next: usize,
    /// What is left of the present block.
    rest: &'a [u8],
    last: Last,
}

impl Iterator for Unpacked<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        while self.rest.is_empty() {
            self.rest = self.stream.blocks.get(self.next)?;
            self.next += 1;
        }
        let (packed, after) = postcard::take_from_bytes(self.rest).expect("packed above");
        self.rest = after;
        Some(self.stream.unpacked(packed, &mut self.last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_as_they_were() {
        let at = SimTime::from_ps;
        let interval = |rank, start, end, site| Record::Interval {
            rank,
            activity: Activity::Waiting,
            call: "MPI_Recv",
            site,
            start: at(start),
            end: at(end),
        };
        let message = |id, posted| Record::Message {
            id,
            source: 3,
            target: 70_000,
            tag: -1,
            bytes: 1 << 40,
            protocol: Protocol::Rendezvous,
            posted: at(posted),
            injected: at(posted + 5),
            arrived: at(posted + 6),
            matched: at(posted + 7_000_000_000_000),
        };
        let link = |start| Record::Link { link: LinkId(9), start: at(start), end: at(start + 1) };
        let handshake = |id, sent| Record::Handshake {
            id,
            sent: at(sent),
            arrived: at(sent + 3),
            ready: at(sent + 900),
        };
        let pair = Record::Pair {
            source: 1,
            target: 2,
            ordinal: 3,
            send: Site::at("a.c", 3, 1),
            call: "MPI_Irecv",
            receive: Site::at("c.c", 3, 1),
        };
        let all = [
            interval(1, 500, 600, None),
            interval(0, 0, 10, Some(Site::at("a.c", 3, 1))),
            interval(1, 100, 100, Some(Site::at("b.c", 3, 1))),
            message(7, u64::MAX / 4),
            message(8, 0),
            handshake(8, 70),
            handshake(7, 60),
            link(50),
            link(10),
            Record::Undelivered {
                source: 9,
                target: 8,
                tag: -1,
                bytes: 7,
                protocol: Protocol::Rendezvous,
            },
            pair,
            interval(0, 20, 30, None),
        ];
        let mut stream = Stream::default();
        // More than one block.
        for _ in 0..20_000 {
            all.iter().for_each(|record| stream.push(record));
        }
        assert!(stream.blocks.len() > 1);
        assert_eq!(stream.len(), 20_000 * all.len());
        let expected = || (0..20_000).flat_map(|_| all.iter().cloned());
        assert!(stream.iter().eq(expected()));
        // A worker hands its records over, and another one may add to them.
        let bytes = postcard::to_stdvec(&stream).expect("plain data");
        let mut other: Stream = postcard::from_bytes(&bytes).expect("what was written");
        all.iter().for_each(|record| other.push(record));
        assert!(other.iter().eq(expected().chain(all.iter().cloned())));
    }
}
