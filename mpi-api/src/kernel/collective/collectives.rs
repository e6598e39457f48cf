//! [`Collectives`]: all collective operations that are under way.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use sim_core::ProcessId;

use super::{
    execution::{Execution, Schedules},
    instance::{Instance, Meetings},
    key::{GroupNames, Key, Tags},
    packet::Packet,
    trial::{Made, TRIALS},
};
use crate::kernel::transport::message::{Slab, Table};

/// The collective operations of a run that are under way.
pub(crate) struct Collectives {
    /// The parts of the ranks.
    pub(super) executions: Table<Execution>,
    /// The messages on the short path.
    pub(super) packets: Slab<Packet>,
    /// What the ranks of an operation share.
    pub(super) instances: FxHashMap<Key, Instance>,
    pub(super) meetings: Meetings,
    pub(super) group_names: GroupNames,
    pub(super) tags: Tags,
    /// Memory in which operands are reduced, kept from one reduction to the next.
    pub(super) operand: Vec<u8>,
    pub(super) schedules: Schedules,
    /// The communicators on whose edges all ranks were found to agree or not.
    pub(super) compared: BTreeSet<u32>,
    /// How often functions of the program may still be called in other ways.
    pub(super) trials: u32,
    /// What they have made last, by rank and operation; as many as were tried.
    pub(super) made: FxHashMap<(u32, Key), Made>,
}

impl Collectives {
    pub(in crate::kernel) fn new() -> Self {
        Self {
            executions: Table::new(),
            packets: Slab::new(),
            instances: FxHashMap::default(),
            meetings: Meetings::default(),
            group_names: GroupNames::default(),
            tags: Tags::default(),
            operand: Vec::new(),
            schedules: Schedules::default(),
            compared: BTreeSet::new(),
            trials: TRIALS,
            made: FxHashMap::default(),
        }
    }

    /// Returns the tag of the operation that begins next.
    pub(in crate::kernel) fn next_tag(&self) -> i32 {
        self.tags.upcoming()
    }

    /// Forgets the schedules that are kept: another algorithm was chosen.
    pub(in crate::kernel) fn forget_schedules(&mut self) {
        self.schedules = Schedules::default();
    }

    /// Returns the part of a rank in an operation.
    pub(in crate::kernel) fn execution(&self, index: u32) -> &Execution {
        &self.executions[index]
    }

    /// Returns the parts of all ranks, by slot.
    pub(in crate::kernel) fn executions(&self) -> impl Iterator<Item = (u32, &Execution)> {
        self.executions.iter()
    }

    /// Returns what the ranks of an operation share, while it is under way.
    pub(in crate::kernel) fn instance(&self, key: Key) -> Option<&Instance> {
        self.instances.get(&key)
    }

    /// Like [`Collectives::instance`], to be changed.
    pub(in crate::kernel) fn instance_mut(&mut self, key: Key) -> Option<&mut Instance> {
        self.instances.get_mut(&key)
    }

    /// Returns what the ranks share of an operation that is under way.
    ///
    /// # Panics
    /// Panics if no rank has entered it.
    pub(in crate::kernel) fn entered(&self, key: Key) -> &Instance {
        &self.instances[&key]
    }

    /// Returns all operations that are under way, in no particular order.
    pub(in crate::kernel) fn instances(&self) -> impl Iterator<Item = (Key, &Instance)> {
        self.instances.iter().map(|(key, shared)| (*key, shared))
    }

    /// Ends an operation.
    pub(in crate::kernel) fn remove_instance(&mut self, key: Key) -> Option<Instance> {
        self.instances.remove(&key)
    }

    /// Ends the part of a rank in an operation.
    pub(in crate::kernel) fn remove_execution(&mut self, index: u32) -> Box<Execution> {
        self.executions.remove(index)
    }

    /// Returns the ranks to which messages on the short path are under way.
    pub(in crate::kernel) fn receivers(&self) -> impl Iterator<Item = u32> {
        self.packets.iter().map(|(_, packet)| packet.target())
    }

    /// Fetches the record of a message on the short path into the processor's caches.
    pub(in crate::kernel) fn prefetch(&self, packet: u32) {
        self.packets.prefetch(packet);
    }

    /// Returns the process that receives a message on the short path.
    pub(in crate::kernel) fn receiver(&self, packet: u32) -> Option<ProcessId> {
        self.packets.get(packet).map(|packet| ProcessId(packet.target()))
    }
}
