//! What callers of the model see: injection, events, links and deadlocks.

use sim_core::{SimDuration, SimTime};

use super::{Flits, Message};
use crate::{
    network::{
        Delivery, EventDriven, LinkLog, LinkView, Network, NetworkDeadlock, Report, Standstill,
        Transfer, TransferId,
    },
    topology::{ChannelCycle, LinkId},
};

impl Network for Flits {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        if transfer.source == transfer.target {
            return self.local.carry(now, transfer.bytes);
        }
        self.inject_through_port(now, transfer)
    }

    fn inject_through_port(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let cycle = now.as_ps().div_ceil(self.period).max(self.first);
        let left = Some(transfer.bytes);
        let sent = self.changing.as_mut().map(|paths| paths.send(now, &transfer));
        let message = Message { transfer, left, packets: 0, born: cycle, sent };
        let number = self.messages.insert(message) as u32;
        let node = transfer.source.0;
        self.sources[node as usize].waiting.push_back(number);
        self.sending.insert(node);
        self.due = Some(self.due.map_or(cycle, |due| due.min(cycle)));
        Delivery { accepted: now, flight: None }
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        Some(self)
    }

    fn deadlock(&self) -> Option<NetworkDeadlock> {
        if self.due.is_some() || self.messages.is_empty() {
            return None;
        }
        let channels = self.parameters.channels.get();
        let link = |lane: u32| (LinkId(lane / channels), lane % channels);
        let waits = self.routers.waits().map(|wait| wait.map(link));
        let cycle = ChannelCycle::of_waits(&self.topology, channels, waits);
        let mut transfers: Vec<TransferId> =
            self.messages.iter().map(|(_, message)| message.transfer.id).collect();
        transfers.sort_unstable();
        Some(NetworkDeadlock { reason: Standstill::Cycle(cycle), transfers })
    }

    fn cycle(&self) -> Option<SimDuration> {
        Some(SimDuration::from_ps(self.period))
    }

    fn links(&self) -> Option<LinkView<'_>> {
        Some(LinkView { topology: &self.topology, usage: &self.usage })
    }

    fn link_log(&mut self) -> Option<&mut LinkLog> {
        Some(&mut self.log)
    }
}

impl EventDriven for Flits {
    fn next_time(&self) -> Option<SimTime> {
        self.due.map(|cycle| self.time(cycle))
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        let from = reports.len();
        while let Some(cycle) = self.due.filter(|cycle| self.time(*cycle) <= now) {
            self.simulate(cycle, reports);
        }
        reports[from..].sort_by_key(|report| (report.time, report.id));
    }
}
