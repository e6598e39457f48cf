//! The heat of the links over time: the picture of the whole run, and in a browser each part of it.
//!
//! The page holds how long each link was busy in each of many equal parts of the run, and a script colours
//! the lines of the picture by it. Where the script cannot run, and on paper, the picture of the whole run
//! remains.
//!
//! Format of the numbers, before compression (zlib) and Base64: a byte for each part of the run and each link
//! that was busy at all, link after link; 255 is a link that is busy throughout the part.

use std::collections::BTreeMap;

use maud::{Markup, html};
use mpi_api::trace::Record;
use network_models::{LinkId, Topology};
use serde::Serialize;
use sim_core::SimTime;

use super::{
    embedded::{Compressor, data},
    figure,
};
use crate::{
    comparison::Detail,
    format::counted,
    records::Records,
    render::svg::{LinkHeat, link_heat, scale},
};

/// Number of equal parts of a run; a short run has one for each picosecond.
const PARTS: u64 = 200;

/// Most bytes of a page before compression; with more links, the run has fewer parts.
const BYTES_MAX: u64 = 4 << 20;

/// Least number of parts; runs with more links have a picture only.
const PARTS_MIN: u64 = 8;

/// The names in a page.
#[derive(Serialize)]
struct Names {
    makespan: u64,
    parts: u64,
    /// The links that were busy.
    links: Vec<String>,
    /// The link among these that each line of the picture shows; -1 for one that was never busy, and -2
    /// for a mark.
    lines: Vec<i64>,
    /// The colours of the picture, from no to all the time.
    scale: Vec<String>,
}

/// Returns the picture, with the controls for its moments if the run was traced.
pub(super) fn heat(detail: &Detail) -> Markup {
    let result = &detail.result;
    let LinkHeat { svg, lines, nodes_twice } =
        link_heat(&detail.topology, &result.links, result.makespan);
    let picture = figure(&svg, &caption(&detail.topology, nodes_twice));
    let makespan = result.makespan.as_ps();
    let Some(parts) = Parts::of(&detail.records, makespan).filter(|_| !lines.is_empty()) else {
        return picture;
    };
    let places: BTreeMap<LinkId, i64> = parts.busy.keys().copied().zip(0..).collect();
    let place =
        |line: &Option<LinkId>| line.map_or(-2, |link| places.get(&link).copied().unwrap_or(-1));
    let names = Names {
        makespan,
        parts: parts.count,
        links: parts.busy.keys().map(|link| detail.topology.describe_link(*link)).collect(),
        lines: lines.iter().map(place).collect(),
        scale: scale(),
    };
    html! {
        div.heat {
            div.picture { (picture) }
            div.tools {
                button.play type="button" title="Move through the run (space)" { "Play" }
                label { "Time " input type="range" min="0" max=(parts.count) value="0" step="1"; }
                button.all type="button" title="The whole run (0)" { "Whole run" }
            }
            p.status aria-live="polite" {}
            div.screen {}
            p.help {
                "The colours of the whole run end at its busiest link, those of a step at a link which is busy \
                 all the time. Arrow keys on the slider: one step of " (parts.count) "; space: play or stop; 0: the whole run. The address of a page with one \
                 diagram keeps the moment."
            }
            (data(&names, &parts.text()))
        }
    }
}

/// Returns what the lines of a picture are.
fn caption(topology: &Topology, nodes_twice: bool) -> String {
    let lines = match topology.has_one_way_cables() {
        true => "Each line is a cable, which carries one direction.",
        false => "Each cable is drawn as two lines, one for each direction.",
    };
    let nodes = match nodes_twice {
        true => " Each node is drawn twice: it sends at the left and receives at the right.",
        false => "",
    };
    let nics = match topology.nics() {
        1 => String::new(),
        _ => format!(
            " The {} of each node are drawn one by one: 1.0 is node 1 nic 0.",
            counted(topology.nics().into(), "NIC")
        ),
    };
    format!("{lines}{nodes}{nics}")
}

/// How long each link was busy in each part of a run.
struct Parts {
    count: u64,
    makespan: u64,
    /// Picoseconds in each part, of the links that were busy at all.
    busy: BTreeMap<LinkId, Vec<u64>>,
}

impl Parts {
    /// Adds up the records of links; `None` if there are none, or too many links.
    fn of(records: &Records, makespan: u64) -> Option<Self> {
        let intervals = || {
            records.links().filter_map(|record| match record {
                Record::Link { link, start, end } if start < end => Some((link, start, end)),
                _ => None,
            })
        };
        let mut busy: BTreeMap<LinkId, Vec<u64>> =
            intervals().map(|(link, ..)| (link, Vec::new())).collect();
        let count = PARTS.min(makespan).min(BYTES_MAX / (busy.len() as u64).max(1));
        if busy.is_empty() || count < PARTS_MIN.min(makespan) {
            return None;
        }
        busy.values_mut().for_each(|parts| parts.resize(count as usize, 0));
        let mut parts = Self { count, makespan, busy };
        for (link, start, end) in intervals() {
            parts.add(link, start, end);
        }
        Some(parts)
    }

    /// Returns the beginning of a part, or the end of the one before.
    fn begin(&self, part: u64) -> u64 {
        (u128::from(part) * u128::from(self.makespan) / u128::from(self.count)) as u64
    }

    fn add(&mut self, link: LinkId, start: SimTime, end: SimTime) {
        let (mut from, end) = (start.as_ps(), end.as_ps().min(self.makespan));
        while from < end {
            let at = u128::from(from) * u128::from(self.count) / u128::from(self.makespan);
            let mut part = at as u64;
            // Beginnings are rounded down.
            while self.begin(part + 1) <= from {
                part += 1;
            }
            let to = self.begin(part + 1).min(end);
            if let Some(parts) = self.busy.get_mut(&link) {
                parts[part as usize] += to - from;
            }
            from = to;
        }
    }

    /// Returns the numbers as the page holds them.
    fn text(&self) -> String {
        let mut out = Compressor::new();
        for parts in self.busy.values() {
            let share = |(part, busy): (u64, &u64)| {
                let whole = u128::from(self.begin(part + 1) - self.begin(part)).max(1);
                // What is busy at all is more than nothing.
                (u128::from(*busy) * 255).div_ceil(whole).min(255) as u8
            };
            let line: Vec<u8> = (0..).zip(parts).map(share).collect();
            out.write(&line);
        }
        out.text()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::embedded::plain, *};

    fn busy(link: u32, start: u64, end: u64) -> Record {
        let at = SimTime::from_ps;
        Record::Link { link: LinkId(link), start: at(start), end: at(end) }
    }

    #[test]
    fn intervals_are_divided_among_the_parts_of_a_run() {
        let records = [busy(7, 995, 2020), busy(3, 0, 1), busy(3, 199_000, 200_000)];
        let parts = Parts::of(&records.into_iter().collect(), 200_000).expect("links were busy");
        let plain = plain(&parts.text());
        assert_eq!((parts.count, plain.len()), (200, 400));
        let (low, high) = plain.split_at(200);
        assert_eq!((low[0], low[199]), (1, 255), "a picosecond is more than nothing");
        assert_eq!(high[..4], [2, 255, 6, 0], "5, 1000 and 20 of 1000");
        assert_eq!(low[1..199].iter().map(|share| u32::from(*share)).sum::<u32>(), 0);
    }

    #[test]
    fn no_time_is_lost_where_parts_are_unequal() {
        for makespan in [1, 7, 199, 201, 1234, u64::MAX / 2] {
            let step = (makespan / 9).max(1);
            let records = [busy(0, makespan / 3, makespan / 3 + step), busy(0, 0, makespan / 5)];
            let sum: u64 = records.iter().map(length).sum();
            let Some(parts) = Parts::of(&records.into_iter().collect(), makespan) else { continue };
            let told: u64 = parts.busy[&LinkId(0)].iter().sum();
            assert_eq!(told, sum, "{makespan}");
        }
    }

    fn length(record: &Record) -> u64 {
        match record {
            Record::Link { start, end, .. } => end.since(*start).as_ps(),
            _ => 0,
        }
    }

    #[test]
    fn runs_without_busy_links_have_none() {
        assert!(Parts::of(&Records::default(), 100).is_none());
        assert!(Parts::of(&[busy(0, 5, 5)].into_iter().collect(), 100).is_none());
    }
}
