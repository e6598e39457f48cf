//! Groups of ranks that meet at a port (MPI section 11.9), and the names that ports are published
//! under.
//!
//! Who waits at a port is served in the order in which groups were complete.

use std::collections::{BTreeMap, VecDeque};

use super::{MpiKernel, Sched, collective::gate::Key, receive::FREE};
use crate::{
    call::{CollectiveKind, CommId, PortCall, Reply},
    error::{ErrorClass, Failure, MpiError},
};

/// The ports of a run.
#[derive(Default)]
pub(crate) struct Ports {
    /// How many have been opened.
    opened: u32,
    /// Those that are open, by name.
    open: BTreeMap<String, Port>,
    /// Ports by the names of services.
    services: BTreeMap<String, String>,
}

/// Groups that wait for another one; never both kinds at once.
#[derive(Default)]
struct Port {
    accepting: VecDeque<Key>,
    connecting: VecDeque<Key>,
}

fn unknown(port: &str) -> MpiError {
    MpiError::new(ErrorClass::Port, format!("no port {port:?} is open"))
}

impl Ports {
    /// Opens a port, or says or changes something about one. What is asked for is a name.
    fn answer(&mut self, call: PortCall) -> Result<Option<String>, MpiError> {
        match call {
            PortCall::Open => {
                let name = format!("windtunnel:port:{}", self.opened);
                self.opened += 1;
                self.open.insert(name.clone(), Port::default());
                Ok(Some(name))
            }
            PortCall::Close(port) => match self.open.remove(&port) {
                Some(_) => Ok(None),
                None => Err(unknown(&port)),
            },
            PortCall::Publish(service, port) => {
                if let Some(known) = self.services.get(&service) {
                    let text = format!("service {service:?} is published at {known:?}");
                    return Err(MpiError::new(ErrorClass::Service, text));
                }
                self.services.insert(service, port);
                Ok(None)
            }
            PortCall::Unpublish(service, port) => {
                if self.services.get(&service) != Some(&port) {
                    let text = format!("service {service:?} is not published at {port:?}");
                    return Err(MpiError::new(ErrorClass::Service, text));
                }
                self.services.remove(&service);
                Ok(None)
            }
            PortCall::Lookup(service) => {
                let found = self.services.get(&service).cloned();
                let text = || format!("there is no service {service:?}");
                found.map(Some).ok_or_else(|| MpiError::new(ErrorClass::Name, text()))
            }
        }
    }

    /// The group that one side meets at a port, if it is there; else that side waits.
    fn meet(&mut self, port: &str, key: Key, accepts: bool) -> Result<Option<Key>, MpiError> {
        let place = self.open.get_mut(port).ok_or_else(|| unknown(port))?;
        let (own, other) = if accepts {
            (&mut place.accepting, &mut place.connecting)
        } else {
            (&mut place.connecting, &mut place.accepting)
        };
        let met = other.pop_front();
        if met.is_none() {
            own.push_back(key);
        }
        Ok(met)
    }
}

impl MpiKernel {
    /// Local calls about ports and services.
    pub(crate) fn port_call(&mut self, rank: u32, call: PortCall, s: &mut Sched) {
        let reply = match self.ports.answer(call) {
            Ok(Some(name)) => Reply::Name(name),
            Ok(None) => Reply::Done,
            Err(error) => {
                let (comm, handler) = (CommId::WORLD, self.handler(rank, CommId::WORLD));
                Reply::Failed(Box::new(Failure { error, comm, handler }))
            }
        };
        self.answer(rank, s.now(), FREE, reply, s);
    }

    /// All of a group have entered: it meets the other group, waits for it, or finds no port.
    #[cold]
    pub(crate) fn dock(&mut self, key: Key, s: &mut Sched) {
        let shared = &self.instances[&key];
        let accepts = shared.first.kind == CollectiveKind::Accept;
        let (leader, port) = shared.port.clone().expect("the root has entered");
        let met = match self.ports.meet(&port, key, accepts) {
            Ok(met) => met,
            Err(error) => return self.fail_all(key, &error, s),
        };
        let Some(other) = met else { return };
        let far = self.instances[&other].port.as_ref().map_or(leader, |(leader, _)| *leader);
        let side = |key: Key, leader: u32| self.comms.group(CommId(key.comm), leader);
        let inter = self.comms.add_inter(side(other, far), side(key, leader));
        for key in [other, key] {
            let shared = self.instances.get_mut(&key).expect("a group that waits");
            shared.made.push((Some(0), Some(inter)));
            self.open(key, s);
        }
    }

    /// Whether all of a group have entered and wait at a port.
    pub(crate) fn is_docked(&self, key: Key, members: u32) -> bool {
        let shared = self.instances.get(&key);
        shared.is_some_and(|shared| shared.port.is_some() && shared.entered == members)
    }
}
