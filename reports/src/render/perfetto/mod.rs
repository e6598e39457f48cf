//! Traces as Chrome trace events, the format that `ui.perfetto.dev` and `chrome://tracing` open.
//!
//! Process 1 has one track per rank, process 2 one track per directed link that was used. Times are
//! microseconds with six decimals, converted from integer picoseconds without rounding.

mod kept;
mod selection;

use std::{collections::BTreeSet, io};

use mpi_api::{
    call::Site,
    trace::{Activity, Protocol, Record},
};
use network_models::{LinkId, Topology};
use sim_core::SimTime;

pub use self::{
    kept::{Keeper, KeeperHandle, Kept},
    selection::Selection,
};

/// Number of the first link's track, above those of ranks.
const FIRST_LINK: u64 = 1_000_000_000;

/// Writes the trace of a run with `ranks` ranks. Links are named after `topology`, or numbered
/// without it.
///
/// # Errors
/// Returns an error if `out` takes no more.
pub fn write(
    ranks: u32,
    kept: &Kept,
    topology: Option<&Topology>,
    out: &mut impl io::Write,
) -> io::Result<()> {
    out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n")?;
    write!(out, "{}", name_event("process_name", 1, 0, "ranks"))?;
    for rank in (0..ranks).filter(|rank| kept.selection.has_rank(*rank)) {
        let name = format!("rank {rank}");
        write!(out, ",\n{}", name_event("thread_name", 1, u64::from(rank) + 1, &name))?;
        write!(out, ",\n{}", order_event(1, u64::from(rank) + 1, rank))?;
    }
    write_link_tracks(&kept.links, topology, out)?;
    // The slices of links follow those of ranks.
    for links in [false, true] {
        for record in kept.records() {
            if matches!(record, Record::Link { .. }) == links {
                write_record(&record, kept, out)?;
            }
        }
    }
    out.write_all(b"\n]}\n")
}

fn write_link_tracks(
    used: &BTreeSet<LinkId>,
    topology: Option<&Topology>,
    out: &mut impl io::Write,
) -> io::Result<()> {
    if !used.is_empty() {
        write!(out, ",\n{}", name_event("process_name", 2, 0, "links"))?;
    }
    for link in used {
        let track = FIRST_LINK + u64::from(link.0);
        let name = match topology.filter(|topology| link.0 < topology.link_count()) {
            Some(topology) => topology.describe_link(*link),
            None => format!("link {}", link.0),
        };
        write!(out, ",\n{}", name_event("thread_name", 2, track, &name))?;
        write!(out, ",\n{}", order_event(2, track, link.0))?;
    }
    Ok(())
}

fn name_event(kind: &str, process: u32, track: u64, name: &str) -> String {
    format!(
        "{{\"ph\":\"M\",\"name\":\"{kind}\",\"pid\":{process},\"tid\":{track},\
         \"args\":{{\"name\":{}}}}}",
        quoted(name)
    )
}

fn order_event(process: u32, track: u64, place: u32) -> String {
    format!(
        "{{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":{process},\"tid\":{track},\
         \"args\":{{\"sort_index\":{place}}}}}"
    )
}

fn write_record(record: &Record, kept: &Kept, out: &mut impl io::Write) -> io::Result<()> {
    match record {
        Record::Pair { .. } | Record::Handshake { .. } | Record::Undelivered { .. } => Ok(()),
        Record::Interval { rank, activity, call, site, start, end } => write!(
            out,
            ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{},\"name\":{},\"cat\":\"{}\",\"ts\":{},\
             \"dur\":{},\"args\":{{\"activity\":\"{}\",\"site\":{}}}}}",
            u64::from(*rank) + 1,
            quoted(call),
            word(*activity),
            microseconds(start.as_ps()),
            microseconds(end.since(*start).as_ps()),
            word(*activity),
            site_text(*site),
        ),
        Record::Message { id, source, target, tag, bytes, protocol, posted, matched, .. } => {
            let protocol = match protocol {
                Protocol::Eager => "eager",
                Protocol::Rendezvous => "rendezvous",
            };
            let args = format!(
                "{{\"from\":{source},\"to\":{target},\"tag\":{tag},\"bytes\":{bytes},\
                 \"protocol\":\"{protocol}\"}}"
            );
            let ends = [("s", "", source, posted), ("f", ",\"bp\":\"e\"", target, matched)];
            for (phase, binding, rank, time) in ends {
                write!(
                    out,
                    ",\n{{\"ph\":\"{phase}\"{binding},\"pid\":1,\"tid\":{},\"name\":\"message\",\
                     \"cat\":\"message\",\"id\":{id},\"ts\":{},\"args\":{args}}}",
                    u64::from(*rank) + 1,
                    microseconds(inside(kept.slices.get(rank), *time).as_ps()),
                )?;
            }
            Ok(())
        }
        Record::Link { link, start, end } => write!(
            out,
            ",\n{{\"ph\":\"X\",\"pid\":2,\"tid\":{},\"name\":\"busy\",\"cat\":\"link\",\"ts\":{},\
             \"dur\":{},\"args\":{{}}}}",
            FIRST_LINK + u64::from(link.0),
            microseconds(start.as_ps()),
            microseconds(end.since(*start).as_ps()),
        ),
    }
}

/// Returns `time`, or the last moment before it if a slice ends at `time` and none begins there: an
/// arrow attaches only to a slice that contains its endpoint. The slices of a rank are in order of
/// time.
fn inside(slices: Option<&Vec<(SimTime, SimTime)>>, time: SimTime) -> SimTime {
    let Some(slices) = slices else { return time };
    let after = slices.partition_point(|(start, _)| *start <= time);
    match after.checked_sub(1).map(|index| slices[index]) {
        Some((start, end)) if end == time && start < time => SimTime::from_ps(time.as_ps() - 1),
        _ => time,
    }
}

fn word(activity: Activity) -> &'static str {
    match activity {
        Activity::Compute => "compute",
        Activity::Overhead => "overhead",
        Activity::Waiting => "waiting",
    }
}

fn site_text(site: Option<Site>) -> String {
    site.map_or("null".to_owned(), |site| quoted(&format!("{site:?}")))
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Formats picoseconds as microseconds, without rounding.
fn microseconds(ps: u64) -> String {
    format!("{}.{:06}", ps / 1_000_000, ps % 1_000_000)
}
