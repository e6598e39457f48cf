//! `shared`: a network model of one cable for all nodes, whose bandwidth is divided equally among
//! the messages on it.
//!
//! A newly injected message slows down all others, so that no arrival is known in advance: the
//! model is event-driven.

use std::sync::Arc;

use windtunnel::{
    SimTime,
    network::{
        Delivery, EventDriven, Flight, Hardware, ModelDescription, ModelKind, Network, Progress,
        Report, Topology, Transfer, TransferId,
    },
};

/// The network model `shared`: one cable for all nodes, divided equally.
#[derive(Debug)]
pub struct SharedKind;

impl ModelKind for SharedKind {
    fn description(&self) -> ModelDescription {
        ModelDescription {
            name: "shared",
            summary: "one cable for all nodes, shared equally by the messages on it",
            source: "processor sharing, Kleinrock 1967",
        }
    }

    fn build(&self, hardware: &Hardware, _: &Arc<Topology>) -> Box<dyn Network> {
        Box::new(Shared { hardware: *hardware, now: SimTime::ZERO, moving: Vec::new() })
    }
}

/// The state of the cable: the messages on it.
struct Shared {
    hardware: Hardware,
    /// Time up to which `moving` is computed.
    now: SimTime,
    /// Messages on the cable in order of injection, which is that of their numbers.
    moving: Vec<Moving>,
}

struct Moving {
    id: TransferId,
    /// Time that the message would still take if it had the cable alone, in picoseconds.
    left: u64,
}

impl Shared {
    /// Advances the messages to `now`; none of them ends before.
    fn settle(&mut self, now: SimTime) {
        let share = now.since(self.now).as_ps() / (self.moving.len() as u64).max(1);
        self.moving.iter_mut().for_each(|message| message.left -= share.min(message.left));
        self.now = now;
    }
}

impl Network for Shared {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        if transfer.source == transfer.target {
            return self.hardware.local.carry(now, transfer.bytes);
        }
        if transfer.bytes == 0 {
            let flight = Flight { released: now, arrival: Some(now + self.hardware.latency) };
            return Delivery { accepted: now, flight: Some(flight) };
        }
        self.settle(now);
        let left = self.hardware.link_bandwidth.time_for(transfer.bytes).as_ps();
        self.moving.push(Moving { id: transfer.id, left });
        Delivery { accepted: now, flight: None }
    }

    fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
        Some(self)
    }
}

impl EventDriven for Shared {
    /// Returns the end of the message with the least remaining time, if no other one is injected.
    fn next_time(&self) -> Option<SimTime> {
        let least = self.moving.iter().map(|message| message.left).min()?;
        Some(SimTime::from_ps(self.now.as_ps() + least * self.moving.len() as u64))
    }

    fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
        if self.next_time().is_none_or(|next| now < next) {
            return;
        }
        self.settle(now);
        // Reports are in order of time: all are released before the first one arrives, since the
        // latency is the same for all.
        let ended: Vec<TransferId> =
            self.moving.extract_if(.., |message| message.left == 0).map(|ended| ended.id).collect();
        let arrival = now + self.hardware.latency;
        for (progress, time) in [(Progress::Released, now), (Progress::Arrived, arrival)] {
            reports.extend(ended.iter().map(|id| Report { id: *id, progress, time }));
        }
    }
}

#[cfg(test)]
mod tests {
    use windtunnel::{
        SimDuration,
        network::{Bandwidth, ByteTime, LocalPath, NodeId, Switching},
    };

    use super::*;

    /// Returns a cable on which a byte takes one picosecond, with a latency of 10 ps.
    fn cable() -> Shared {
        let bandwidth = Bandwidth::from_bytes_per_sec(1_000_000_000_000);
        let hardware = Hardware {
            latency: SimDuration::from_ps(10),
            gap: SimDuration::ZERO,
            byte_time: ByteTime::from_fs(1000),
            injection: bandwidth,
            duplex_factor: 1,
            hop: SimDuration::ZERO,
            link_bandwidth: bandwidth,
            switching: Switching::CutThrough,
            local: LocalPath { latency: SimDuration::ZERO, bandwidth: None },
        };
        Shared { hardware, now: SimTime::ZERO, moving: Vec::new() }
    }

    fn inject(cable: &mut Shared, id: u64, now: u64, bytes: u64) {
        let (source, target) = (NodeId(0), NodeId(1));
        let transfer = Transfer { id: TransferId(id), source, target, bytes };
        let delivery = cable.inject(SimTime::from_ps(now), transfer);
        assert_eq!(delivery, Delivery { accepted: SimTime::from_ps(now), flight: None });
    }

    /// Returns number and time of each arrival until the cable is empty.
    fn arrivals(cable: &mut Shared) -> Vec<(u64, u64)> {
        let mut reports = Vec::new();
        while let Some(next) = cable.next_time() {
            cable.advance(next, &mut reports);
        }
        let arrived = reports.iter().filter(|report| report.progress == Progress::Arrived);
        arrived.map(|report| (report.id.0, report.time.as_ps())).collect()
    }

    #[test]
    fn a_message_alone_takes_latency_and_bytes() {
        let mut cable = cable();
        inject(&mut cable, 0, 5, 100);
        assert_eq!(arrivals(&mut cable), [(0, 115)]);
    }

    #[test]
    fn messages_share_the_cable() {
        let mut cable = cable();
        inject(&mut cable, 0, 0, 100);
        inject(&mut cable, 1, 40, 20);
        // From 40 on each message has half of the bandwidth: the second one ends at 80, when the
        // first one has 40 left.
        assert_eq!(arrivals(&mut cable), [(1, 90), (0, 130)]);
    }

    #[test]
    fn a_stale_alarm_changes_nothing() {
        let mut cable = cable();
        inject(&mut cable, 0, 0, 100);
        inject(&mut cable, 1, 40, 20);
        let mut reports = Vec::new();
        cable.advance(SimTime::from_ps(60), &mut reports);
        assert_eq!(reports, []);
        assert_eq!(arrivals(&mut cable), [(1, 90), (0, 130)]);
    }
}
