//! Notes when each link of a network was busy, for a trace.

use std::{cell::RefCell, rc::Rc};

use network_models::{Arrival, Delivery, LinkUsage, Network, Occupancy, Topology, Transfer};
use sim_core::SimTime;

/// Where the notes are kept: the run owns the network, its caller wants the notes.
pub(crate) type Occupied = Rc<RefCell<Vec<Occupancy>>>;

/// A network whose reservations of links are noted.
pub(crate) struct Watched {
    network: Box<dyn Network>,
    occupied: Occupied,
}

impl Watched {
    pub(crate) fn new(network: Box<dyn Network>, occupied: Occupied) -> Self {
        Self { network, occupied }
    }

    fn note(&mut self) {
        self.network.drain_occupancy(&mut self.occupied.borrow_mut());
    }
}

impl Network for Watched {
    fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
        let delivery = self.network.inject(now, transfer);
        self.note();
        delivery
    }

    fn next_time(&self) -> Option<SimTime> {
        self.network.next_time()
    }

    fn advance(&mut self, now: SimTime, arrivals: &mut Vec<Arrival>) {
        self.network.advance(now, arrivals);
        self.note();
    }

    fn topology(&self) -> Option<&Topology> {
        self.network.topology()
    }

    fn link_usage(&self) -> &[LinkUsage] {
        self.network.link_usage()
    }
}
