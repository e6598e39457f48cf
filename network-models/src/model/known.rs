//! [`KnownRoutes`]: routes that messages have taken before.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::{
    network::NodeId,
    topology::{LinkId, Topology},
};

/// Most links of routes that are kept: 4 MiB.
const KEPT: usize = 1 << 20;

/// The routes between pairs of nodes, each computed once: most programs send to the same few ranks again
/// and again.
///
/// Routes that do not fit any more are computed each time.
#[derive(Debug, Default)]
pub(super) struct KnownRoutes {
    places: FxHashMap<(NodeId, NodeId), Range<u32>>,
    links: Vec<LinkId>,
}

impl KnownRoutes {
    /// Appends the links from one node to another to `route`, in order. The topology is that of all
    /// calls.
    pub(super) fn append(
        &mut self,
        topology: &Topology,
        (source, target): (NodeId, NodeId),
        route: &mut Vec<LinkId>,
    ) {
        if let Some(Range { start, end }) = self.places.get(&(source, target)) {
            return route.extend_from_slice(&self.links[*start as usize..*end as usize]);
        }
        let begin = route.len();
        topology.route(source, target, route);
        let links = &route[begin..];
        if self.links.len() + links.len() <= KEPT {
            let start = self.links.len() as u32;
            self.links.extend_from_slice(links);
            self.places.insert((source, target), start..self.links.len() as u32);
        }
    }
}
