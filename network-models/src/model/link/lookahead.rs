//! [`Lookahead`]: how far ahead of the present what happens on a link is known.

use sim_core::{SimDuration, SimTime};

use crate::{
    network::NodeId,
    topology::{LinkId, Timeline, Topology, VertexId, steps_from},
};

/// The time before which no message that is sent later can reach a link, from the number of hops
/// between the link and the nearest node.
///
/// Heads that reach a link until then are served in an order that nothing can change any more. Where
/// the only messages on a link are those of one port, their order is that in which they are sent.
///
/// This is the lookahead of conservative parallel simulation (Chandy and Misra 1979), for each link.
#[derive(Debug)]
pub(super) struct Lookahead {
    /// Fixed time before the first link.
    latency: SimDuration,
    /// The shortest delay of a link at any time.
    hop: SimDuration,
    /// Of each link, the fewest links that a message passes before it, no more than [`FARTHEST`];
    /// [`OF_ONE_PORT`] where only the messages of one port pass it. Behind the links, the same of the
    /// ports that receive.
    steps: Box<[u8]>,
}

/// Links that are farther away from all nodes are taken to be this far.
const FARTHEST: u8 = u8::MAX - 1;

const OF_ONE_PORT: u8 = u8::MAX;

impl Lookahead {
    /// Determines the lookahead of a network whose messages take `latency` to their first link, and
    /// `hop` over each link without a delay of its own.
    pub(super) fn new(timeline: &Timeline, latency: SimDuration, hop: SimDuration) -> Self {
        let topology = timeline.base();
        let graph = topology.graph();
        let vertices = topology.vertices() as usize;
        let next = |vertex| graph.neighbours(vertex);
        let steps = steps_from(0..topology.nodes(), vertices, next, |_| true);
        let of_link = |(from, _): (u32, u32)| {
            if from < topology.nodes() && !passes_on(timeline, from) {
                OF_ONE_PORT
            } else {
                steps[from as usize].min(u32::from(FARTHEST)) as u8
            }
        };
        let links = || (0..topology.link_count()).map(LinkId);
        // A port is behind the link over which a message reaches its node.
        let mut to_ports = vec![FARTHEST; topology.ports() as usize];
        for (link, port) in topology.links_to_ports() {
            let from = topology.link_ends(link).0;
            let before = steps[from.0 as usize].saturating_add(1).min(u32::from(FARTHEST));
            let known = &mut to_ports[port as usize];
            *known = (*known).min(before as u8);
        }
        let delays = timeline
            .topologies()
            .filter(|topology| !topology.is_uniform())
            .flat_map(|topology| links().map(|link| topology.link_delay(link, hop)));
        Self {
            latency,
            hop: delays.fold(hop, SimDuration::min),
            steps: graph.pairs().map(of_link).chain(to_ports).collect(),
        }
    }

    /// Returns the time until which the order of heads at `link` is known at `now`. At that time
    /// itself, messages that are sent later come after those sent before.
    #[inline]
    pub(super) fn until(&self, now: SimTime, link: LinkId) -> SimTime {
        match self.steps[link.0 as usize] {
            OF_ONE_PORT => SimTime::MAX,
            steps => now + self.latency + self.hop * u64::from(steps),
        }
    }
}

/// Returns whether a node may pass on messages of others.
fn passes_on(timeline: &Timeline, node: u32) -> bool {
    let passes =
        |topology: &Topology| topology.forwards(VertexId(node)) && !topology.is_host(NodeId(node));
    timeline.topologies().any(|topology| passes(topology))
}
