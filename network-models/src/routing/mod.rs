//! Routings: which links a packet crosses, and by which classes of virtual channels.
//!
//! A topology has a routing rule of its own, which is minimal. A routing is chosen apart from the
//! topology; it may send packets of one pair of nodes along different paths. [`routings`] lists the
//! routings that come with the library.

mod adaptive;
mod deadlock;
mod ecmp;
mod minimal;
mod par;
mod random_ties;
mod spray;
mod table;
#[cfg(test)]
mod tests;
mod ugal;
mod ugal_threshold;
mod up_down;
mod valiant;

use std::{fmt::Debug, sync::Arc};

use crate::{
    network::NodeId,
    topology::{LinkId, Topology, VertexId},
};

pub(crate) use self::deadlock::cycle_of_one;
pub use self::table::{RouteTable, RouteTableError};

/// Returns the routings that come with the library and need no file.
///
/// Order: as they are listed to users; the first one is the default.
pub fn routings() -> Vec<Arc<dyn RoutingKind>> {
    vec![
        Arc::new(minimal::DimensionOrder),
        Arc::new(random_ties::RandomTies),
        Arc::new(valiant::Valiant),
        Arc::new(ugal::UgalKind::Local),
        Arc::new(ugal::UgalKind::Global),
        Arc::new(ugal_threshold::UgalThreshold),
        Arc::new(par::Par),
        Arc::new(adaptive::MinimalAdaptive),
        Arc::new(ecmp::Ecmp),
        Arc::new(spray::Spray),
        Arc::new(up_down::UpDown),
    ]
}

/// Returns the routing with a name.
pub(crate) fn named(name: &str) -> Option<Arc<dyn RoutingKind>> {
    routings().into_iter().find(|kind| kind.description().name == name)
}

/// A routing as users name it.
pub trait RoutingKind: Debug + Send + Sync {
    /// Returns name, summary and source.
    fn description(&self) -> RoutingDescription;

    /// Returns the number of classes of virtual channels that the routing needs on a topology.
    fn classes(&self, topology: &Topology) -> u32;

    /// Checks that the routing is defined for a topology.
    ///
    /// # Errors
    /// Returns why it is not, as the predicate of a sentence about the routing.
    fn fits(&self, topology: &Topology) -> Result<(), String> {
        let _ = topology;
        Ok(())
    }

    /// Returns how paths are chosen.
    fn decides(&self) -> Decision;

    /// Returns whether its paths are the topology's own routes, which change when links fail. The
    /// default is `false`.
    fn is_own(&self) -> bool {
        false
    }

    /// Prepares the routing for a topology. The seed decides what is random.
    fn on(&self, topology: &Arc<Topology>, seed: u64) -> Box<dyn Routing>;
}

/// When and by what a routing chooses the path of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// All packets of a pair of nodes take the same path.
    ByPair,
    /// A path is chosen when a packet enters the network.
    AtEntry,
    /// A path is chosen when a packet enters the network, and may change at the second router.
    Twice,
    /// Each router decides about the next link.
    PerHop,
}

/// Name, summary and source of a routing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoutingDescription {
    /// The name, as in `--network flit:routing=valiant`.
    pub name: &'static str,
    /// One line about the paths.
    pub summary: &'static str,
    /// Virtual channels that it needs.
    pub channels: &'static str,
    /// The source: a paper, or an author.
    pub source: &'static str,
}

/// One link of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hop {
    /// The link.
    pub link: LinkId,
    /// The class of virtual channels in which the packet crosses it, below
    /// [`RoutingKind::classes`].
    pub class: u32,
}

/// The queues of a network, which adaptive routings compare.
pub trait Queues {
    /// Returns how much waits for a link where it begins, in the unit of the model: flits or packets.
    fn waiting(&self, link: LinkId) -> u64;

    /// Returns how much waits for a link or has been sent over it without being forwarded yet, in
    /// the unit of the model.
    fn queue(&self, link: LinkId) -> u64;
}

/// A routing on one topology. The whole path of a packet is chosen when it enters the network,
/// unless the routing decides at each router.
///
/// Determinism: equal calls give equal paths.
pub trait Routing: Debug {
    /// Returns the decisions at each router, if paths are not chosen ahead: a model that can follow
    /// them does not call [`Routing::path`]. The default is `None`.
    fn per_hop(&self) -> Option<Box<dyn PerHop>> {
        None
    }

    /// Returns what decides again on the way, if a path may change. The rest of a path is open where a
    /// link ends that the path crosses in class 0. The default is `None`.
    fn progressive(&self) -> Option<Box<dyn Progressive>> {
        None
    }

    /// Appends the path of the next packet from `source` to `target`.
    ///
    /// They may be the same node, whose messages to itself cross the network if traffic includes
    /// them. Of a host such a packet goes to its switch and back, whatever is appended.
    fn path(&mut self, source: NodeId, target: NodeId, queues: &dyn Queues, path: &mut Vec<Hop>);

    /// Calls `visit` with every path between two different nodes that [`Routing::path`] may choose.
    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop]));
}

/// A routing that decides about the rest of a path when a packet is where it is open.
pub trait Progressive: Debug {
    /// Appends the rest of a path from a vertex.
    fn revise(&mut self, at: VertexId, target: NodeId, queues: &dyn Queues, rest: &mut Vec<Hop>);
}

/// A routing that decides at each router.
///
/// A packet waits for any of the links of [`PerHop::choices`] and for that of [`PerHop::escape`].
/// Once it has taken an escape channel it uses no others.
pub trait PerHop: Debug {
    /// Returns the next hop of a packet at `at` that took to the escape channels at `entered`.
    fn escape(&self, entered: VertexId, at: VertexId, target: NodeId) -> Hop;

    /// Appends the links that lead from a vertex to a node, and returns the class of virtual
    /// channels in which packets cross them.
    fn choices(&mut self, at: VertexId, target: NodeId, choices: &mut Vec<LinkId>) -> u32;
}

/// Appends the topology's own route, whose classes begin with `first`.
fn minimal_route(
    topology: &Topology,
    (source, target): (NodeId, NodeId),
    first: u32,
    links: &mut Vec<LinkId>,
    path: &mut Vec<Hop>,
) {
    links.clear();
    topology.route(source, target, links);
    path.extend(links.iter().map(|link| {
        let (at, _) = topology.link_ends(*link);
        Hop { link: *link, class: first + topology.channel(source, at, target) }
    }));
}
