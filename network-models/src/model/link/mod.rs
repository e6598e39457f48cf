//! `link`: a message reserves each directed link of its route.

use std::sync::Arc;

use sim_core::{SimDuration, SimTime};

use super::{Hardware, ModelDescription, ModelKind};
use crate::{
    network::{
        Delivery, Flight, LinkLog, LinkUsage, LinkView, LocalPath, Network, Occupancy, Transfer,
    },
    topology::{LinkId, Topology},
    units::Bandwidth,
};

/// The model `link`.
#[derive(Debug)]
pub(super) struct LinksKind;

impl ModelKind for LinksKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "link",
            summary: "messages reserve each directed link along the route",
            source: "virtual cut-through",
        }
    }

    fn build(&self, hardware: &Hardware, topology: &Arc<Topology>) -> Box<dyn Network> {
        let parameters = LinkParameters {
            latency: hardware.latency,
            hop: hardware.hop,
            bandwidth: hardware.link_bandwidth,
            injection: Some(hardware.injection),
            switching: hardware.switching,
        };
        Box::new(Links::new(Arc::clone(topology), parameters, hardware.local))
    }
}

/// The way switches forward a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switching {
    /// The head is forwarded at once (virtual cut-through): latency + H hop + n / bandwidth.
    CutThrough,
    /// Each switch receives the whole message first: latency + H (hop + n / bandwidth).
    StoreAndForward,
}

/// The parameters of the model `link`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkParameters {
    /// Fixed time before the first link.
    pub latency: SimDuration,
    /// Time of a switch and its wire, for each hop.
    pub hop: SimDuration,
    /// Rate of each link in each direction.
    pub bandwidth: Bandwidth,
    /// Rate at which a node sends, if it is lower than the links' rate.
    pub injection: Option<Bandwidth>,
    /// The way switches forward a message.
    pub switching: Switching,
}

/// Carries messages over the links of their routes; messages wait for links in order of injection.
/// On an idle network a message of n bytes over H hops takes, with s = n / the slower of injection
/// and link rate and w = n / link rate, latency + H hop + s in cut-through and latency + H hop + s
/// + (H - 1) w in store-and-forward.
///
/// # Validity
/// A blocked message holds no link behind it and buffers in switches are infinite; a link serves
/// whole messages one after the other. Totals are right, the fairness of sharing is coarse.
#[derive(Debug)]
pub struct Links {
    topology: Arc<Topology>,
    parameters: LinkParameters,
    local: LocalPath,
    free: Vec<SimTime>,
    sending: Vec<SimTime>,
    usage: Vec<LinkUsage>,
    route: Vec<LinkId>,
    log: LinkLog,
}

impl Links {
    /// Creates a network in which all links of `topology` are free.
    pub fn new(topology: Arc<Topology>, parameters: LinkParameters, local: LocalPath) -> Self {
        let links = topology.link_count() as usize;
        let nodes = topology.nodes() as usize;
        Self {
            topology,
            parameters,
            local,
            free: vec![SimTime::ZERO; links],
            sending: vec![SimTime::ZERO; nodes],
            usage: vec![LinkUsage::default(); links],
            route: Vec::new(),
            log: LinkLog::default(),
        }
    }

    /// Reserves a link for `time`, starting at `head` or when the link becomes free, and returns
    /// the start.
    fn reserve(&mut self, link: LinkId, head: SimTime, time: SimDuration, bytes: u64) -> SimTime {
        let index = link.0 as usize;
        let start = head.max(self.free[index]);
        let end = start + time;
        self.free[index] = end;
        let usage = &mut self.usage[index];
        usage.busy += time;
        usage.bytes += bytes;
        usage.messages += 1;
        self.log.add(Occupancy { link, start, end });
        start
    }
}

impl Network for Links {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        if transfer.source == transfer.target {
            return self.local.carry(now, transfer.bytes);
        }
        let p = self.parameters;
        let wire = p.bandwidth.time_for(transfer.bytes);
        let sending = p.injection.map_or(wire, |rate| rate.time_for(transfer.bytes).max(wire));
        let port = &mut self.sending[transfer.source.0 as usize];
        let accepted = now.max(*port);
        *port = accepted + sending;
        let mut route = std::mem::take(&mut self.route);
        route.clear();
        self.topology.route(transfer.source, transfer.target, &mut route);
        // Head and tail at the entrance of the next link. The tail follows the head at the
        // slower of the sender's and the links' rate, until the message has waited so long for
        // a link that all of it is in the switch: then it follows at the link's rate.
        let mut head = accepted + p.latency;
        let mut tail = head + sending;
        for link in &route {
            let start = self.reserve(*link, head, wire, transfer.bytes);
            tail = (start + wire).max(tail) + p.hop;
            head = match p.switching {
                Switching::CutThrough => start + p.hop,
                Switching::StoreAndForward => tail,
            };
        }
        self.route = route;
        let flight = Flight { released: accepted + sending, arrival: tail };
        Delivery { accepted, flight: Some(flight) }
    }

    fn links(&self) -> Option<LinkView<'_>> {
        Some(LinkView { topology: &self.topology, usage: &self.usage })
    }

    fn link_log(&mut self) -> Option<&mut LinkLog> {
        Some(&mut self.log)
    }
}

#[cfg(test)]
mod tests;
