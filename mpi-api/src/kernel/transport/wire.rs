//! [`Wire`]: the network model, and the events of transfers that are under way on it.

use network_models::{
    Delivery, LinkLog, LinkUsage, Network, NodeId, Progress, Report, Topology, Transfer, TransferId,
};
use rustc_hash::FxHashMap;
use sim_core::SimTime;

use crate::kernel::{Event, Sched};

/// The network model and the transfers under way on it.
pub(crate) struct Wire {
    network: Box<dyn Network>,
    transfers: u64,
    /// Transfers whose release or arrival the model reports later.
    pending: FxHashMap<u64, Pending>,
    /// The time for which the alarm of an event-driven model is set.
    alarm: Option<SimTime>,
    reports: Vec<Report>,
    logs_links: bool,
}

/// The events of a transfer that the model reports on later.
struct Pending {
    released: Option<Event>,
    arrived: Option<Event>,
}

impl Wire {
    /// Creates a wire for a network on which nothing is under way. `traced` switches its log of
    /// links on.
    pub(crate) fn new(mut network: Box<dyn Network>, traced: bool) -> Self {
        let log = network.link_log().filter(|_| traced);
        let logs_links = log.map(LinkLog::switch_on).is_some();
        Self {
            network,
            transfers: 0,
            pending: FxHashMap::default(),
            alarm: None,
            reports: Vec::new(),
            logs_links,
        }
    }

    /// Injects a transfer between two nodes.
    #[inline]
    pub(crate) fn inject(
        &mut self,
        now: SimTime,
        (source, target): (NodeId, NodeId),
        bytes: u64,
    ) -> Delivery {
        let id = TransferId(self.transfers);
        self.transfers += 1;
        self.network.inject(now, Transfer { id, source, target, bytes })
    }

    /// Schedules the event of the arrival of the transfer injected last.
    #[inline]
    pub(crate) fn on_arrival(&mut self, delivery: Delivery, event: Event, s: &mut Sched) {
        match delivery.flight {
            Some(flight) => s.schedule(flight.arrival, event),
            None => {
                let pending = Pending { released: None, arrived: Some(event) };
                self.pending.insert(self.transfers - 1, pending);
                self.set_alarm(s);
            }
        }
    }

    /// Stores the event of the release of the transfer injected last, if the model reports that
    /// later.
    pub(crate) fn on_release(&mut self, event: Event) {
        if let Some(pending) = self.pending.get_mut(&(self.transfers - 1)) {
            pending.released = Some(event);
        }
    }

    /// Advances an event-driven model and schedules what its reports set off.
    pub(crate) fn advance(&mut self, s: &mut Sched) {
        if self.alarm.is_some_and(|alarm| alarm <= s.now()) {
            self.alarm = None;
        }
        let Some(model) = self.network.event_driven() else { return };
        model.advance(s.now(), &mut self.reports);
        for Report { id, progress, time } in self.reports.drain(..) {
            let event = match progress {
                Progress::Released => {
                    self.pending.get_mut(&id.0).and_then(|pending| pending.released.take())
                }
                Progress::Arrived => self.pending.remove(&id.0).and_then(|pending| pending.arrived),
            };
            if let Some(event) = event {
                s.schedule(time, event);
            }
        }
        self.set_alarm(s);
    }

    /// Keeps one alarm set to the model's next time. An outdated alarm still goes off but does
    /// nothing.
    fn set_alarm(&mut self, s: &mut Sched) {
        let next = self.network.event_driven().and_then(|model| model.next_time());
        if let Some(next) = next
            && self.alarm.is_none_or(|alarm| next < alarm)
        {
            self.alarm = Some(next);
            s.schedule(next, Event::Tick);
        }
    }

    /// Returns the log of links of a traced run, if the model keeps one.
    #[inline]
    pub(crate) fn link_log(&mut self) -> Option<&mut LinkLog> {
        if self.logs_links { self.network.link_log() } else { None }
    }

    /// Returns the topology whose distances count; `None` for models without links.
    pub(crate) fn topology(&self) -> Option<&Topology> {
        self.network.links().map(|links| links.topology)
    }

    /// Returns how much each link was used; nothing for models without links.
    pub(crate) fn link_usage(&self) -> Vec<LinkUsage> {
        self.network.links().map_or(Vec::new(), |links| links.usage.to_vec())
    }
}
