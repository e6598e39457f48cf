//! The space-time diagram that one can explore in a browser: zoomed, searched, played.
//!
//! The page holds the intervals and messages of the run as numbers, and a script draws them. Where the
//! script cannot run, and on paper, the picture remains.
//!
//! Format of the numbers, before compression (zlib) and Base64: each is written with seven bits a
//! byte, the lowest first; signed ones as twice the number, or minus twice the number minus one. For each
//! rank: the number of its intervals, then of each the signed time since the end of the one before, its
//! length, three times its call plus its activity, and its site. Then of each message, in order of
//! departure: the time since the one before, its duration, source, target, signed tag and bytes. Times
//! are picoseconds.

use maud::{Markup, html};
use mpi_api::trace::{Activity, Record};
use serde::Serialize;
use sim_core::{SimTime, Site};

use super::embedded::{Compressor, data};
use crate::records::{Numbers, Records};

/// Most messages in a page; of more, every second or third and so on.
const MESSAGES_MAX: usize = 1_000_000;

/// Most intervals in a page; runs with more have a picture only.
const INTERVALS_MAX: usize = 8_000_000;

/// Most ranks in a page; runs with more have a picture only.
const RANKS_MAX: u32 = 16_384;

/// The names in a page.
#[derive(Serialize)]
struct Names {
    ranks: u32,
    makespan: u64,
    intervals: usize,
    messages: usize,
    /// Of how many messages the page holds one.
    every: usize,
    calls: Vec<&'static str>,
    /// Places of calls; the first stands for an unknown one.
    sites: Vec<String>,
}

/// An interval of a rank.
struct Interval {
    start: SimTime,
    end: SimTime,
    /// Three times the number of its call, plus that of its activity.
    what: u32,
    /// Number of its site.
    site: u32,
}

/// The intervals of a run.
struct Intervals {
    calls: Numbers<&'static str>,
    /// The first stands for an unknown place.
    sites: Numbers<Option<Site>>,
    /// Those of each rank, by time.
    ranks: Vec<Vec<Interval>>,
    count: usize,
}

/// A message.
#[derive(Clone, Copy, Default)]
struct Message {
    injected: SimTime,
    arrived: SimTime,
    source: u32,
    target: u32,
    tag: i32,
    bytes: u64,
}

/// Returns the diagram, in which `picture` is what remains without the script. Without room for the
/// run in a page, that is all.
pub(super) fn explorer(
    ranks: u32,
    records: &Records,
    makespan: SimTime,
    picture: &Markup,
) -> Markup {
    let Some((names, events)) = packed(ranks, records, makespan) else { return picture.clone() };
    html! {
        div.explorer {
            div.picture { (picture) }
            div.tools {
                button.in type="button" title="Zoom in (+)" { "Zoom in" }
                button.out type="button" title="Zoom out (-)" { "Zoom out" }
                button.all type="button" title="The whole run (0, or a double click)" { "Whole run" }
                button.play type="button" title="Move through the run (space)" { "Play" }
                label { "Find " input type="search" placeholder="call, file:line or rank 12"; }
                button.before type="button" title="The match before (p)" { "Previous" }
                button.after type="button" title="The next match (n)" { "Next" }
            }
            div.panes {
                div.wide {
                    canvas.time tabindex="0" role="img"
                        aria-label="What each rank did over time, and the messages between ranks" {}
                    p.key {
                        span.compute {} " compute " span.overhead {} " overhead in MPI "
                        span.waiting {} " waiting, and a line for each message"
                    }
                }
                div.narrow {
                    canvas.matrix role="img"
                        aria-label="Bytes sent in the time shown, from each rank to each" {}
                    p.key { "Sent in the time shown: rows send, columns receive." }
                }
            }
            p.status aria-live="polite" {}
            p.help {
                "Wheel or + and -: zoom in time; with shift: in ranks. Drag or arrow keys: move. 0: the whole run. \
                 n and p: next and previous match. The address of a page with one diagram keeps the view."
            }
            div.tip hidden {}
            (data(&names, &events))
        }
    }
}

/// Returns the names and the compressed numbers of a run; `None` if they are too many for a page.
fn packed(ranks: u32, records: &Records, makespan: SimTime) -> Option<(Names, String)> {
    if ranks > RANKS_MAX {
        return None;
    }
    let mut out = Varints(Compressor::new());
    let intervals = Intervals::of(ranks, records)?;
    let Intervals { calls, sites, ranks: lists, count } = intervals;
    // One kind after the other, so that a page never holds both.
    lists.into_iter().for_each(|list| out.put_intervals(&list));
    let (messages, every) = messages(records);
    out.put_messages(&messages);
    let names = Names {
        ranks,
        makespan: makespan.as_ps(),
        intervals: count,
        messages: messages.len(),
        every,
        calls: calls.values().to_vec(),
        sites: sites.values().iter().map(name).collect(),
    };
    Some((names, out.0.text()))
}

impl Intervals {
    /// Returns the intervals that are not empty; `None` if they are too many, or a rank is none of the run's.
    fn of(ranks: u32, records: &Records) -> Option<Self> {
        let mut all = Self {
            calls: Numbers::default(),
            sites: Numbers::default(),
            ranks: (0..ranks).map(|_| Vec::new()).collect(),
            count: 0,
        };
        all.sites.of(None);
        for record in records.intervals() {
            let Record::Interval { rank, activity, call, site, start, end } = record else {
                continue;
            };
            if start >= end {
                continue;
            }
            all.count += 1;
            if all.count > INTERVALS_MAX {
                return None;
            }
            let what = 3 * all.calls.of(call) + number(activity);
            let site = all.sites.of(site.and_then(Site::known));
            all.ranks.get_mut(rank as usize)?.push(Interval { start, end, what, site });
        }
        // Stable: equal ones stay in the order of the records.
        all.ranks.iter_mut().for_each(|list| list.sort_by_key(|interval| interval.start));
        Some(all)
    }
}

/// Returns the messages of a page by departure, equal ones in the order of delivery, and of how many messages it
/// holds one.
fn messages(records: &Records) -> (Vec<Message>, usize) {
    let delivered = || {
        records.messages().filter_map(|record| match record {
            Record::Message { source, target, tag, bytes, injected, arrived, .. } => {
                Some(Message { injected, arrived, source, target, tag, bytes })
            }
            _ => None,
        })
    };
    let mut order: Vec<(SimTime, u32)> =
        delivered().map(|message| message.injected).zip(0..).collect();
    order.sort_unstable();
    let every = order.len().div_ceil(MESSAGES_MAX).max(1);
    // The places of those that the page holds, by their numbers.
    let mut places: Vec<(u32, u32)> =
        order.iter().step_by(every).map(|(_, number)| *number).zip(0..).collect();
    drop(order);
    places.sort_unstable();
    let mut held = vec![Message::default(); places.len()];
    let mut all = (0..).zip(delivered());
    for (number, place) in places {
        let found = all.find(|(at, _)| *at == number);
        held[place as usize] = found.map(|(_, message)| message).unwrap_or_default();
    }
    (held, every)
}

fn name(site: &Option<Site>) -> String {
    site.map_or(String::new(), |site| format!("{site:?}"))
}

fn number(activity: Activity) -> u32 {
    match activity {
        Activity::Compute => 0,
        Activity::Overhead => 1,
        Activity::Waiting => 2,
    }
}

/// Writes numbers with seven bits a byte.
struct Varints(Compressor);

impl Varints {
    fn put(&mut self, mut number: u64) {
        let mut bytes = Vec::with_capacity(10);
        while number > 127 {
            bytes.push(number as u8 | 128);
            number >>= 7;
        }
        bytes.push(number as u8);
        self.0.write(&bytes);
    }

    fn put_signed(&mut self, number: i64) {
        self.put(((number << 1) ^ (number >> 63)) as u64);
    }

    /// Writes the intervals of a rank, which are in order of time.
    fn put_intervals(&mut self, list: &[Interval]) {
        self.put(list.len() as u64);
        let mut last = SimTime::ZERO;
        for Interval { start, end, what, site } in list {
            self.put_signed(start.as_ps().wrapping_sub(last.as_ps()) as i64);
            self.put(end.since(*start).as_ps());
            self.put((*what).into());
            self.put((*site).into());
            last = *end;
        }
    }

    /// Writes messages, which are in order of departure.
    fn put_messages(&mut self, list: &[Message]) {
        let mut last = SimTime::ZERO;
        for Message { injected, arrived, source, target, tag, bytes } in list {
            self.put(injected.since(last).as_ps());
            self.put(arrived.since(*injected).as_ps());
            self.put((*source).into());
            self.put((*target).into());
            self.put_signed((*tag).into());
            self.put(*bytes);
            last = *injected;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::embedded::plain, *};

    fn at(ps: u64) -> SimTime {
        SimTime::from_ps(ps)
    }

    #[test]
    fn numbers_are_written_as_described() {
        let interval = |rank, start, end, site| Record::Interval {
            rank,
            activity: Activity::Waiting,
            call: "MPI_Recv",
            site,
            start: at(start),
            end: at(end),
        };
        let message = Record::Message {
            id: 0,
            source: 0,
            target: 1,
            tag: -1,
            bytes: 300,
            protocol: mpi_api::trace::Protocol::Eager,
            posted: at(1),
            injected: at(2),
            arrived: at(130),
            matched: at(140),
        };
        let site = Some(Site::at("</script>.c", 3, 1));
        let records = [
            interval(1, 130, 140, site),
            message,
            interval(1, 100, 110, None),
            interval(0, 5, 5, None),
        ];
        let records: Records = records.into_iter().collect();
        let (names, text) = packed(2, &records, at(140)).expect("few");
        assert_eq!((names.intervals, names.messages, names.every), (2, 1, 1));
        assert_eq!((names.calls, names.sites.len()), (vec!["MPI_Recv"], 2));
        #[rustfmt::skip]
        let expected = [
            0, // rank 0
            2, 200, 1, 10, 2, 0, 40, 10, 2, 1, // rank 1: 100 as signed is 200, 20 is 40
            2, 128, 1, 0, 1, 1, 172, 2, // the message
        ];
        assert_eq!(plain(&text), expected);
        let page = explorer(2, &records, at(140), &html! {}).into_string();
        assert_eq!(page.matches("</script>").count(), 2, "no name ends a script");
    }

    #[test]
    fn a_run_that_no_page_can_hold_has_its_picture() {
        let picture = html! { p { "the picture" } };
        let page = explorer(RANKS_MAX + 1, &Records::default(), at(1), &picture).into_string();
        assert_eq!(page, picture.into_string());
    }
}
