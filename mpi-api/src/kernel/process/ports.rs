//! [`Ports`]: the open ports, and the groups that wait at them.

use std::collections::{BTreeMap, VecDeque};

use crate::kernel::collective::key::Key;
use crate::{
    call::{PortCall, Site},
    error::{ErrorClass, MpiError},
};

/// The ports of a run.
#[derive(Default)]
pub(crate) struct Ports {
    /// Number of ports opened so far.
    opened: u32,
    /// Open ports by name.
    pub(super) open: BTreeMap<String, Port>,
    /// Published ports by the names of services.
    services: BTreeMap<String, Service>,
    /// Groups that wait with a timeout, by the number of their deadline.
    pub(super) deadlines: BTreeMap<u32, Key>,
    /// Number of deadlines so far.
    pub(super) limited: u32,
}

/// A port that a rank has published, and where.
struct Service {
    port: String,
    rank: u32,
    site: Site,
}

/// An open port: who has opened it, and the groups that wait there for another one; both kinds at once only where orders are
/// explored.
pub(super) struct Port {
    rank: u32,
    site: Site,
    pub(super) accepting: VecDeque<Key>,
    pub(super) connecting: VecDeque<Key>,
}

fn unknown(port: &str) -> MpiError {
    MpiError::new(ErrorClass::Port, format!("no port {port:?} is open"))
}

impl Ports {
    /// Opens or closes a port, or publishes or looks up a service, as a rank asks for at a place. Returns the name of a
    /// port where the call asks for one.
    pub(super) fn answer(
        &mut self,
        call: PortCall,
        (rank, site): (u32, Site),
    ) -> Result<Option<String>, MpiError> {
        match call {
            PortCall::Open => {
                let name = format!("windtunnel:port:{}", self.opened);
                self.opened += 1;
                let (accepting, connecting) = Default::default();
                self.open.insert(name.clone(), Port { rank, site, accepting, connecting });
                Ok(Some(name))
            }
            PortCall::Close(port) => match self.open.remove(&port) {
                Some(_) => Ok(None),
                None => Err(unknown(&port)),
            },
            PortCall::Publish(service, port) => {
                if let Some(known) = self.services.get(&service) {
                    let text = format!("service {service:?} is published at {:?}", known.port);
                    return Err(MpiError::new(ErrorClass::Service, text));
                }
                self.services.insert(service, Service { port, rank, site });
                Ok(None)
            }
            PortCall::Unpublish(service, port) => {
                if self.services.get(&service).is_none_or(|known| known.port != port) {
                    let text = format!("service {service:?} is not published at {port:?}");
                    return Err(MpiError::new(ErrorClass::Service, text));
                }
                self.services.remove(&service);
                Ok(None)
            }
            PortCall::Lookup(service) => {
                let found = self.services.get(&service).map(|known| known.port.clone());
                let text = || format!("there is no service {service:?}");
                found.map(Some).ok_or_else(|| MpiError::new(ErrorClass::Name, text()))
            }
        }
    }

    /// Returns where a rank has opened the ports that are still open.
    pub(super) fn opened_by(&self, rank: u32) -> impl Iterator<Item = Site> {
        self.open.values().filter(move |port| port.rank == rank).map(|port| port.site)
    }

    /// Returns where a rank has published the names that are still published.
    pub(super) fn published_by(&self, rank: u32) -> impl Iterator<Item = Site> {
        self.services.values().filter(move |known| known.rank == rank).map(|known| known.site)
    }

    /// Reports whether a group waits at a port for others to connect.
    pub(super) fn accepts(&self, key: Key) -> bool {
        self.open.values().any(|port| port.accepting.contains(&key))
    }

    /// Adds a group to a port.
    pub(super) fn arrive(&mut self, port: &str, key: Key, accepts: bool) -> Result<(), MpiError> {
        let place = self.open.get_mut(port).ok_or_else(|| unknown(port))?;
        if accepts {
            place.accepting.push_back(key);
        } else {
            place.connecting.push_back(key);
        }
        Ok(())
    }

    /// Returns the first accepting group of a port where two groups can meet, and the numbers of
    /// groups that accept and connect.
    pub(super) fn ready(&self, port: &str) -> Option<(Key, usize, usize)> {
        let place = self.open.get(port)?;
        let first = place.accepting.front().filter(|_| !place.connecting.is_empty())?;
        Some((*first, place.accepting.len(), place.connecting.len()))
    }

    /// Removes and returns the groups at two positions of a port's queues, which meet.
    pub(super) fn take(
        &mut self,
        port: &str,
        accepting: usize,
        connecting: usize,
    ) -> Option<(Key, Key)> {
        let place = self.open.get_mut(port)?;
        Some((place.accepting.remove(accepting)?, place.connecting.remove(connecting)?))
    }
}
