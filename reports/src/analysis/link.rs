//! The busiest link.

use network_models::{LinkId, LinkUsage, Topology};
use sim_core::SimTime;

use crate::format::percent_of;

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
    /// Finds the link that was busy longest. Returns `None` if there are no links or none was used.
    ///
    /// Ties: the link with the lowest number.
    pub fn of(usage: &[LinkUsage], topology: &Topology, makespan: SimTime) -> Option<Self> {
        let known = usage.iter().take(topology.link_count() as usize).enumerate();
        let (index, most) =
            known.reduce(|best, next| if next.1.busy > best.1.busy { next } else { best })?;
        if most.messages == 0 {
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
