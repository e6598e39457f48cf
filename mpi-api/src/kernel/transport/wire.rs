//! Bytes on the wire: the network, and the events that follow when it has carried them.
//!
//! A state machine without a clock: it takes the present time and says which event is to happen when.

use network_models::{Arrival, Network, NodeId, Transfer, TransferId};
use rustc_hash::FxHashMap;
use sim_core::SimTime;

use crate::kernel::Event;

/// The network of a run and the transfers that are under way in it.
pub(crate) struct Wire {
    network: Box<dyn Network>,
    /// Transfers whose arrival the network tells later.
    in_flight: FxHashMap<u64, Event>,
    /// Transfers so far.
    transfers: u64,
    /// Time of the earliest tick that was asked for and has not come.
    armed: Option<SimTime>,
    /// Memory for the arrivals of one tick.
    arrivals: Vec<Arrival>,
}

/// A transfer that has begun.
pub(crate) struct Sent {
    /// When the sender's processor is free.
    pub(crate) accepted: SimTime,
    /// When the sender's buffer is free, if the network knows already.
    pub(crate) released: Option<SimTime>,
    /// An event to schedule: the arrival, or a tick.
    pub(crate) follows: Option<(SimTime, Event)>,
}

impl Wire {
    pub(crate) fn new(network: Box<dyn Network>) -> Self {
        Self {
            network,
            in_flight: FxHashMap::default(),
            transfers: 0,
            armed: None,
            arrivals: Vec::new(),
        }
    }

    /// The network.
    pub(crate) fn network(&self) -> &dyn Network {
        &*self.network
    }

    /// The network, at the end of a run.
    pub(crate) fn into_network(self) -> Box<dyn Network> {
        self.network
    }

    /// Puts bytes on the wire; `event` is to happen when they arrive.
    #[inline]
    pub(crate) fn send(
        &mut self,
        now: SimTime,
        (source, target): (NodeId, NodeId),
        bytes: u64,
        event: Event,
    ) -> Sent {
        let id = self.transfers;
        self.transfers += 1;
        let transfer = Transfer { id: TransferId(id), source, target, bytes };
        let delivery = self.network.inject(now, transfer);
        let accepted = delivery.accepted;
        match delivery.flight {
            Some(flight) => {
                let follows = Some((flight.arrival, event));
                Sent { accepted, released: Some(flight.released), follows }
            }
            None => {
                self.in_flight.insert(id, event);
                Sent { accepted, released: None, follows: self.arm() }
            }
        }
    }

    /// A tick at the network's next time, unless one is armed that is not later.
    fn arm(&mut self) -> Option<(SimTime, Event)> {
        let next = self.network.next_time()?;
        if self.armed.is_some_and(|armed| armed <= next) {
            return None;
        }
        self.armed = Some(next);
        Some((next, Event::Tick))
    }

    /// A tick is due: gives the events of the transfers whose arrival is known now to `schedule`, and
    /// the next tick.
    pub(crate) fn tick(&mut self, now: SimTime, mut schedule: impl FnMut(SimTime, Event)) {
        if self.armed.is_some_and(|armed| armed <= now) {
            self.armed = None;
        }
        let mut arrivals = std::mem::take(&mut self.arrivals);
        self.network.advance(now, &mut arrivals);
        for arrival in arrivals.drain(..) {
            if let Some(event) = self.in_flight.remove(&arrival.id.0) {
                schedule(arrival.time, event);
            }
        }
        self.arrivals = arrivals;
        if let Some((time, tick)) = self.arm() {
            schedule(time, tick);
        }
    }
}

#[cfg(test)]
mod tests {
    use network_models::{Delivery, Flight};
    use sim_core::SimDuration;

    use super::*;

    /// Carries one transfer after the other, each for as many nanoseconds as it has bytes. Tells of
    /// arrivals at once, or when they happen.
    struct Queue {
        tells_at_once: bool,
        free: SimTime,
        carried: Vec<(TransferId, SimTime)>,
    }

    impl Network for Queue {
        fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
            let end = now.max(self.free) + SimDuration::from_ns(transfer.bytes);
            self.free = end;
            self.carried.push((transfer.id, end));
            let flight = Flight { released: end, arrival: end };
            Delivery { accepted: now, flight: self.tells_at_once.then_some(flight) }
        }

        fn next_time(&self) -> Option<SimTime> {
            self.carried.first().map(|(_, end)| *end)
        }

        fn advance(&mut self, now: SimTime, arrivals: &mut Vec<Arrival>) {
            while let Some((id, end)) = self.carried.first().copied().filter(|(_, end)| *end <= now)
            {
                self.carried.remove(0);
                arrivals.push(Arrival { id, released: end, time: end });
            }
        }
    }

    fn wire(tells_at_once: bool) -> Wire {
        Wire::new(Box::new(Queue { tells_at_once, free: SimTime::ZERO, carried: Vec::new() }))
    }

    fn ns(ns: u64) -> SimTime {
        SimTime::ZERO + SimDuration::from_ns(ns)
    }

    const ENDS: (NodeId, NodeId) = (NodeId(0), NodeId(1));

    #[test]
    fn an_arrival_that_is_known_follows_at_once() {
        let sent = wire(true).send(ns(5), ENDS, 10, Event::Arrive(7));
        assert_eq!((sent.accepted, sent.released), (ns(5), Some(ns(15))));
        assert!(matches!(sent.follows, Some((at, Event::Arrive(7))) if at == ns(15)));
    }

    #[test]
    fn one_tick_is_armed_at_a_time_and_brings_the_arrivals() {
        let mut wire = wire(false);
        let first = wire.send(ns(0), ENDS, 10, Event::Arrive(1));
        assert_eq!(first.released, None);
        assert!(matches!(first.follows, Some((at, Event::Tick)) if at == ns(10)));
        let second = wire.send(ns(2), ENDS, 10, Event::Data(2));
        assert!(second.follows.is_none(), "the tick for the first one is armed");
        let mut told = Vec::new();
        wire.tick(ns(10), |at, event| told.push((at, event)));
        assert!(matches!(
            told[..],
            [(a, Event::Arrive(1)), (b, Event::Tick)] if a == ns(10) && b == ns(20)
        ));
        told.clear();
        wire.tick(ns(20), |at, event| told.push((at, event)));
        assert!(matches!(told[..], [(at, Event::Data(2))] if at == ns(20)));
    }
}
