//! Groups of ranks that meet at a port (MPI section 11.9), and the service names under which ports
//! are published.
//!
//! Groups that wait at a port are served in the order in which all their ranks had entered, unless
//! orders are explored: then all wait until nothing else can happen.

use sim_core::SimDuration;

use crate::kernel::{Event, MpiKernel, Sched, collective::key::Key, transport::receive::FREE};
use crate::{
    call::{CommId, Management, PortCall, Reply},
    error::{ErrorClass, Failure, MpiError},
    outcome::{Among, Chosen},
};

/// Timeout of a group that connects without giving one, once nothing else can happen.
const PATIENCE: SimDuration = SimDuration::from_secs(60);

/// Time that it takes to ask for a service that is not published.
const ASKED_IN_VAIN: SimDuration = SimDuration::from_us(1);

impl MpiKernel {
    /// Executes the local calls about ports and services.
    pub(crate) fn port_call(&mut self, rank: u32, call: PortCall, s: &mut Sched) {
        if let PortCall::Close(port) = &call {
            // Groups that can meet at the port do so before it closes.
            while self.serve(port, None, s) {}
        }
        let asks = matches!(call, PortCall::Lookup(_));
        let by = (rank, self.ranks[rank as usize].site);
        let (reply, cost) = match self.population.ports.answer(call, by) {
            Ok(Some(name)) => (Reply::Name(name), FREE),
            Ok(None) => (Reply::Done, FREE),
            Err(error) => {
                let (comm, handler) = (CommId::WORLD, self.handler(rank, CommId::WORLD));
                let failed = Reply::Failed(Box::new(Failure { error, comm, handler }));
                // A rank may ask again and again until another one has published the service.
                (failed, if asks { ASKED_IN_VAIN } else { FREE })
            }
        };
        self.answer(rank, s.now(), cost, reply, s);
    }

    /// Handles a group all of whose ranks have entered: it meets the other group, waits for it, or
    /// fails because there is no such port.
    #[cold]
    pub(crate) fn dock(&mut self, key: Key, s: &mut Sched) {
        let shared = self.collectives.entered(key);
        let accepts = shared.first.kind == Management::Accept.into();
        let (_, port, timeout) = shared.port.clone().expect("the root has entered");
        if let Err(error) = self.population.ports.arrive(&port, key, accepts) {
            self.fail_all(key, &error, s);
            return;
        }
        let met = !self.exploration.chooser.defers() && self.serve(&port, Some(key), s);
        if let Some(timeout) = timeout
            && !met
        {
            self.limit_docking(key, timeout, s);
        }
    }

    /// Reports whether a group waits at a port for others to connect.
    pub(crate) fn accepts_at_port(&self, key: Key) -> bool {
        self.population.ports.accepts(key)
    }

    fn limit_docking(&mut self, key: Key, timeout: SimDuration, s: &mut Sched) {
        let number = self.population.ports.limited;
        self.population.ports.limited += 1;
        self.population.ports.deadlines.insert(number, key);
        s.schedule(s.now() + timeout, Event::Deadline(number));
    }

    /// Sets a timeout for a group that connects where none accepts, once nothing else can happen.
    /// False when there is no such group, or other ranks wait for each other for ever: that is the fault.
    #[cold]
    pub(crate) fn expire_at_port(&mut self, s: &mut Sched) -> bool {
        let lonely =
            self.population.ports.open.values().find_map(|port| port.connecting.front().copied());
        match lonely {
            Some(key) if self.lasting_stall().is_empty() => {
                self.limit_docking(key, PATIENCE, s);
                true
            }
            Some(_) | None => false,
        }
    }

    /// Handles a group's deadline at a port: if it still waits, its call fails.
    pub(crate) fn end_docking(&mut self, number: u32, s: &mut Sched) {
        let Some(key) = self.population.ports.deadlines.remove(&number) else { return };
        let port = self.collectives.instance(key).and_then(|shared| shared.port.clone());
        let Some((_, port, _)) = port else { return };
        // Where orders are explored, groups that can meet do so only now.
        while self.serve(&port, None, s) {}
        let Some(place) = self.population.ports.open.get_mut(&port) else { return };
        let before = place.accepting.len() + place.connecting.len();
        place.accepting.retain(|waiting| *waiting != key);
        place.connecting.retain(|waiting| *waiting != key);
        if place.accepting.len() + place.connecting.len() < before {
            let text = format!("nobody has come to meet the group at port {port:?} in time");
            self.fail_all(key, &MpiError::new(ErrorClass::Port, text), s);
        }
    }

    /// Lets two groups meet at some port, if they can, once nothing else can happen.
    #[cold]
    pub(crate) fn resolve_port(&mut self, s: &mut Sched) -> bool {
        let ready = self
            .population
            .ports
            .open
            .keys()
            .find(|port| self.population.ports.ready(port).is_some());
        ready.cloned().is_some_and(|port| self.serve(&port, None, s))
    }

    /// Lets two of the groups at a port meet, if they can; `last` is the group that arrived last.
    fn serve(&mut self, port: &str, last: Option<Key>, s: &mut Sched) -> bool {
        let Some((first, accepting, connecting)) = self.population.ports.ready(port) else {
            return false;
        };
        let leader = self.leader_at_port(first);
        let by = Chosen { among: Among::Groups, ..self.ranks[leader as usize].chooses(leader) };
        let accepting = self.exploration.chooser.choose(accepting, by);
        let connecting = self.exploration.chooser.choose(connecting, by);
        let met = self.population.ports.take(port, accepting, connecting);
        let (accepting, connecting) = met.expect("both are there");
        let both =
            if last == Some(accepting) { [connecting, accepting] } else { [accepting, connecting] };
        let [one, other] =
            both.map(|key| self.comms.group(CommId(key.comm), self.leader_at_port(key)));
        let inter = self.comms.add_inter(one, other);
        for key in both {
            let shared = self.collectives.instance_mut(key).expect("a group that waits");
            shared.made.push((Some(0), Some(inter)));
            self.open(key, s);
        }
        true
    }

    /// Returns the world rank of the root of a group that waits at a port.
    fn leader_at_port(&self, key: Key) -> u32 {
        let port = self.collectives.entered(key).port.as_ref();
        port.expect("the root has entered").0
    }

    /// Reports whether all ranks of a group have entered and it waits at a port.
    pub(crate) fn is_docked(&self, key: Key, members: u32) -> bool {
        let shared = self.collectives.instance(key);
        shared.is_some_and(|shared| shared.port.is_some() && shared.entered == members)
    }
}
