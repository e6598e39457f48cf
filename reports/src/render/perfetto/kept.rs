//! [`Keeper`]: keeps the records that a trace shows, about 15 bytes each.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use mpi_api::{
    call::Site,
    observation::Observation,
    trace::{Activity, Protocol, Record, TraceSink},
};
use network_models::LinkId;
use serde::{Deserialize, Serialize};
use sim_core::{SimTime, text::Text};

use super::Selection;

/// Size of a block of packed records, bytes.
const BLOCK: usize = 1 << 20;

/// A sink that keeps what a trace shows, and passes every record on.
pub struct Keeper {
    kept: Rc<RefCell<Kept>>,
    next: Option<Box<dyn TraceSink>>,
}

/// Gives the records of a [`Keeper`] after the run.
pub struct KeeperHandle(Rc<RefCell<Kept>>);

impl Keeper {
    /// Creates a keeper of the records in `selection`, and the handle that gives them. `next` gets
    /// all records.
    pub fn new(selection: Selection, next: Option<Box<dyn TraceSink>>) -> (Self, KeeperHandle) {
        let kept = Rc::new(RefCell::new(Kept { selection, ..Kept::default() }));
        (Self { kept: Rc::clone(&kept), next }, KeeperHandle(kept))
    }
}

impl KeeperHandle {
    /// Returns what was kept. The keeper starts again with nothing.
    pub fn finish(self) -> Kept {
        let mut kept = self.0.take();
        // The threads of a rank end their intervals in any order.
        kept.slices.values_mut().for_each(|list| list.sort_unstable());
        kept
    }
}

impl TraceSink for Keeper {
    fn record(&mut self, record: Record) {
        self.kept.borrow_mut().push(&record);
        if let Some(next) = &mut self.next {
            next.record(record);
        }
    }

    fn observe(&mut self, observation: Observation) {
        if let Some(next) = &mut self.next {
            next.observe(observation);
        }
    }

    fn finish(self: Box<Self>) -> Vec<Record> {
        self.next.map(TraceSink::finish).unwrap_or_default()
    }
}

/// A [`Record`] with small numbers: times relative to times nearby, numbers of texts and places.
#[derive(Serialize, Deserialize)]
enum Packed {
    /// `gap` is the time since the last interval of the rank.
    Interval { rank: u32, activity: Activity, call: u32, site: u32, gap: i64, length: u64 },
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
    Link { link: u32, gap: i64, length: u64 },
}

/// The records that a trace shows, packed.
#[derive(Default)]
pub struct Kept {
    pub(super) selection: Selection,
    blocks: Vec<Vec<u8>>,
    calls: Numbers<Text>,
    sites: Numbers<Option<Site>>,
    last: Last,
    /// The links that were busy.
    pub(super) links: BTreeSet<LinkId>,
    /// Start and end of the intervals of each rank that are not empty.
    pub(super) slices: BTreeMap<u32, Vec<(SimTime, SimTime)>>,
}

/// Values by numbers in order of appearance.
struct Numbers<T> {
    numbers: BTreeMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { numbers: BTreeMap::new(), values: Vec::new() }
    }
}

impl<T: Copy + Ord> Numbers<T> {
    fn of(&mut self, value: T) -> u32 {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() as u32 - 1
        })
    }
}

/// Times to which the times of the next record are relative.
#[derive(Default)]
struct Last {
    ranks: BTreeMap<u32, SimTime>,
    message: SimTime,
    link: SimTime,
}

impl Last {
    fn of_rank(&mut self, rank: u32) -> &mut SimTime {
        self.ranks.entry(rank).or_default()
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

impl Kept {
    /// Keeps a record if it is selected.
    fn push(&mut self, record: &Record) {
        if !self.selection.has(record) {
            return;
        }
        let packed = match *record {
            Record::Interval { rank, activity, call, site, start, end } => {
                if start < end {
                    self.slices.entry(rank).or_default().push((start, end));
                }
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
                self.links.insert(link);
                let gap = step(&mut self.last.link, start, end);
                Packed::Link { link: link.0, gap, length: end.since(start).as_ps() }
            }
            Record::Pair { .. } | Record::Handshake { .. } | Record::Undelivered { .. } => return,
        };
        if self.blocks.last().is_none_or(|block| block.len() > BLOCK - 128) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let block = self.blocks.pop().expect("one was added");
        let block = postcard::to_extend(&packed, block).expect("memory takes all");
        self.blocks.push(block);
    }

    /// Passes every kept record to `take`, in order.
    ///
    /// # Errors
    /// Returns the first error of `take`.
    pub(super) fn each<E>(&self, mut take: impl FnMut(&Record) -> Result<(), E>) -> Result<(), E> {
        let mut last = Last::default();
        for block in &self.blocks {
            let mut rest = &block[..];
            while !rest.is_empty() {
                let (packed, after) = postcard::take_from_bytes(rest).expect("packed above");
                rest = after;
                take(&self.unpacked(packed, &mut last))?;
            }
        }
        Ok(())
    }

    fn unpacked(&self, packed: Packed, last: &mut Last) -> Record {
        match packed {
            Packed::Interval { rank, activity, call, site, gap, length } => {
                let (start, end) = walk(last.of_rank(rank), gap, length);
                let call = self.calls.values[call as usize];
                let site = self.sites.values[site as usize];
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
        }
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
        let all = [
            interval(1, 500, 600, None),
            interval(0, 0, 10, Some(Site::at("a.c", 3, 1))),
            interval(1, 100, 100, Some(Site::at("b.c", 3, 1))),
            message(7, u64::MAX / 4),
            message(8, 0),
            link(50),
            link(10),
            interval(0, 20, 30, None),
        ];
        let (mut keeper, handle) = Keeper::new(Selection::default(), None);
        // More than one block.
        for _ in 0..20_000 {
            all.iter().for_each(|record| keeper.record(record.clone()));
        }
        let kept = handle.finish();
        assert!(kept.blocks.len() > 1);
        let mut expected = all.iter().cycle();
        let mut count = 0;
        let Ok(()) = kept.each(|record| {
            count += 1;
            assert_eq!(Some(record), expected.next());
            Ok::<(), std::convert::Infallible>(())
        });
        assert_eq!(count, 20_000 * all.len());
    }

    #[test]
    fn a_window_shows_what_overlaps_with_it() {
        let at = SimTime::from_ps;
        let selection =
            Selection { window: Some((at(100), at(200))), ranks: Some(vec![(0, 1), (5, 5)]) };
        let shown = |rank, start, end| {
            selection.has(&Record::Interval {
                rank,
                activity: Activity::Compute,
                call: "compute",
                site: None,
                start: at(start),
                end: at(end),
            })
        };
        assert!(shown(0, 0, 101) && shown(5, 199, 300) && shown(1, 0, 900) && shown(0, 100, 100));
        assert!(!shown(0, 0, 100) && !shown(0, 200, 300) && !shown(2, 120, 130));
    }
}
