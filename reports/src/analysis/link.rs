//! The busiest link.

use network_models::{LinkId, LinkUsage, PacketLosses, Topology};
use sim_core::{SimDuration, SimTime};

use crate::format::{count, counted, percent_of};

/// Returns what happened to packets in a sentence part, as in `36 of 1,200 packets dropped, 40 sent
/// again, 3 time-outs`; with `(4 on cut links)` behind the dropped ones if there are any.
pub fn losses(losses: &PacketLosses) -> String {
    let PacketLosses { sent, dropped, cut, retransmitted, timeouts, .. } = *losses;
    let packets = counted(sent, "packet");
    let timeouts = counted(timeouts, "time-out");
    let cut = if cut > 0 { format!(" ({} on cut links)", count(cut)) } else { String::new() };
    format!(
        "{} of {packets} dropped{cut}, {} sent again, {timeouts}",
        count(dropped),
        count(retransmitted)
    )
}

/// The directed link that was busy longest.
#[derive(Clone, Debug, PartialEq)]
pub struct HottestLink {
    /// Id of the link.
    pub link: LinkId,
    /// Endpoints, as in `node 1 (0,1) -> node 2 (0,2)`.
    pub name: String,
    /// Percentage of the run during which the link was busy.
    pub busy: f64,
    /// Bytes that crossed the link.
    pub bytes: u64,
    /// Messages that crossed the link.
    pub messages: u64,
}

impl HottestLink {
    /// Finds the link that was busy longest. Returns `None` if there are no links or no data
    /// crossed any.
    ///
    /// Ties: the link with the lowest number.
    pub fn of(usage: &[LinkUsage], topology: &Topology, makespan: SimTime) -> Option<Self> {
        let known = usage.iter().take(topology.link_count() as usize).enumerate();
        let (index, most) =
            known.reduce(|best, next| if next.1.busy > best.1.busy { next } else { best })?;
        if most.busy == SimDuration::ZERO {
            return None;
        }
        let link = LinkId(index as u32);
        Some(Self {
            link,
            name: topology.describe_link(link),
            busy: percent_of(most.busy.as_ps(), u128::from(makespan.as_ps())),
            bytes: most.bytes,
            messages: most.messages,
        })
    }
}
