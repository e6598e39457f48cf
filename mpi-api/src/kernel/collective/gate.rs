//! The state that the ranks of one collective operation share, and the gate at which they wait for
//! each other.

use rustc_hash::FxHashMap;
use sim_core::SimDuration;

use super::{
    agreement::{Agreement, ConstructionArguments},
    between_groups::Roles,
    blocks::Blocks,
    key::Key,
    making::CommConstruction,
};
use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, Form, Site},
    error::Failure,
    kernel::{
        MpiKernel, Sched, communicator::reorder::note, process::spawn::Birth,
        request::table::internal_context,
    },
    object::{cart::Cart, graph::Reorder, signature::Signature},
};

/// The call of the first rank to enter, with which the others are compared.
#[derive(Clone)]
pub(crate) struct First {
    pub(crate) rank: u32,
    pub(crate) site: Site,
    pub(crate) kind: CollectiveKind,
    pub(crate) root: u32,
    pub(crate) op: Option<&'static str>,
    pub(crate) signature: Signature,
    /// The function called; `None` for ranks that do not describe their data.
    pub(crate) form: Option<Form>,
    pub(crate) manner: Manner,
}

impl First {
    /// Returns the name of the call, as the program's language spells it.
    pub(crate) fn call(&self) -> &'static str {
        self.site.call_or(self.kind.name())
    }
}

/// The way an operation is called; the three do not match each other (MPI sections 6.12 and 6.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Blocking,
    Nonblocking,
    Persistent,
}

impl Manner {
    /// Returns the adjective for texts.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Blocking => "blocking",
            Self::Nonblocking => "nonblocking",
            Self::Persistent => "persistent",
        }
    }
}

/// The state that the ranks of one collective operation share.
pub(crate) struct Instance {
    pub(crate) first: First,
    /// Tag of the operation's messages.
    pub(crate) tag: i32,
    pub(crate) entered: u32,
    pub(crate) left: u32,
    /// Executions held at the gate until all ranks have entered.
    pub(crate) gate: Vec<u32>,
    /// World rank, colour and key of each rank that entered a communicator construction.
    pub(crate) places: Vec<(u32, Option<u32>, i64)>,
    /// Topology of the result.
    pub(crate) cart: Option<Cart>,
    /// The communication pattern that each rank gave, by world rank, if ranks may be reordered by
    /// it.
    pub(crate) reorder: Vec<(u32, Reorder)>,
    /// For an intercommunicator: the local leader's world rank, and the communicator, rank and tag
    /// with which it names the other leader.
    pub(crate) bridge: Option<(u32, CommId, u32, i32)>,
    /// State of a spawn.
    pub(crate) birth: Option<Box<Birth>>,
    /// For a group that meets another one: its root's world rank, the port, and the timeout.
    pub(crate) port: Option<(u32, String, Option<SimDuration>)>,
    /// The communicator of each colour, once constructed.
    pub(crate) made: Vec<(Option<u32>, Option<CommId>)>,
    /// Types of the data of each rank.
    pub(crate) types: Blocks,
    /// Roles of the ranks in an operation on an intercommunicator.
    pub(crate) roles: Option<Box<Roles>>,
    /// The arguments that all ranks of a communicator construction have to give alike.
    pub(crate) agreement: Agreement,
    /// Ranks whose calls return an error to the program when they leave.
    pub(crate) failing: Vec<(u32, Box<Failure>)>,
}

impl Instance {
    fn new(first: First, tag: i32) -> Self {
        Self {
            first,
            tag,
            entered: 0,
            left: 0,
            gate: Vec::new(),
            places: Vec::new(),
            cart: None,
            reorder: Vec::new(),
            bridge: None,
            birth: None,
            port: None,
            made: Vec::new(),
            types: Blocks::default(),
            roles: None,
            agreement: Agreement::default(),
            failing: Vec::new(),
        }
    }

    /// Records a rank's arguments of a communicator construction.
    fn bring(&mut self, (rank, site): (u32, Site), making: &CommConstruction) {
        match making {
            CommConstruction::Place { color, key, cart, reorder, .. } => {
                self.places.push((rank, *color, *key));
                self.cart = cart.clone().or(self.cart.take());
                if let Some(reorder) = reorder {
                    note(&mut self.reorder, rank, reorder);
                }
            }
            CommConstruction::Bridge(Some((peer, remote)), tag) => {
                self.bridge = Some((rank, *peer, *remote, *tag));
            }
            CommConstruction::Spawn(Some(launches)) => {
                self.birth = Some(Box::new(Birth::of(rank, site, launches.clone())));
            }
            CommConstruction::Port(Some((port, timeout))) => {
                self.port = Some((rank, port.clone(), *timeout));
            }
            CommConstruction::Port(None)
            | CommConstruction::Spawn(None)
            | CommConstruction::Bridge(None, _)
            | CommConstruction::Nothing => {}
        }
    }
}

/// Halves of intercommunicators that wait for the other half, by the communicator of the leaders,
/// the tag and the leaders' world ranks in order.
pub(crate) type Meetings = FxHashMap<(u32, i32, u32, u32), Key>;

impl MpiKernel {
    /// Records that a rank enters. Returns the tag of the operation's messages, or `None` when the
    /// call disagrees with the first one's and the run has ended.
    pub(crate) fn enter_instance(
        &mut self,
        rank: u32,
        key: Key,
        call: &CollectiveCall,
        (making, manner, site): (&CommConstruction, Manner, Site),
        s: &mut Sched,
    ) -> Option<i32> {
        let between = self.comms.is_inter(call.comm);
        let op = call.reduction.as_ref().map(|reduction| reduction.op.name());
        let me = First {
            rank,
            site,
            kind: call.kind,
            root: call.root,
            op,
            signature: call.signature.clone(),
            form: call.declared.as_ref().map(|_| call.form),
            manner,
        };
        match self.instances.get(&key) {
            Some(shared) => {
                let first = shared.first.clone();
                if first.rank != rank && self.disagree(&me, &first, (key, call.comm), s) {
                    return None;
                }
            }
            None => {
                let open = &self.instances;
                let tag = self.tags.next(|tag| open.values().any(|shared| shared.tag == tag));
                self.instances.insert(key, Instance::new(me.clone(), tag));
            }
        }
        if between && self.enter_between_groups(&me, key, call.comm, s) {
            return None;
        }
        let shared = self.instances.get_mut(&key).expect("just entered");
        shared.entered += 1;
        shared.bring((rank, site), making);
        let tag = Some(shared.tag);
        if let CommConstruction::Place { given, .. } = making
            && *given != ConstructionArguments::Nothing
        {
            let ended = self.enter_agreement((rank, site), (key, call.comm), given, s);
            return tag.filter(|_| !ended);
        }
        if let Some(declared) = &call.declared
            && !between
        {
            let ended = self.enter_types((rank, site), key, call, declared, s);
            return tag.filter(|_| !ended);
        }
        tag
    }

    /// Holds an execution until all ranks have entered, or lets all of them continue.
    pub(crate) fn pass_gate(&mut self, index: u32, all_needed: bool, s: &mut Sched) {
        let e = &self.executions[index];
        let (key, size) = (e.instance, e.members.size());
        let kind = e.kind;
        let shared = self.instances.get_mut(&key).expect("an instance that was entered");
        shared.gate.push(index);
        if all_needed && shared.entered < size {
            self.executions[index].gated = true;
            return;
        }
        match kind {
            CollectiveKind::IntercommCreate
            | CollectiveKind::Spawn
            | CollectiveKind::Accept
            | CollectiveKind::Connect => {
                self.executions[index].gated = true;
                self.begin_meeting(kind, key, s);
            }
            _ => self.open(key, s),
        }
    }

    /// Begins the meeting of a group with others, which may not have come yet, once all its ranks
    /// have entered.
    fn begin_meeting(&mut self, kind: CollectiveKind, key: Key, s: &mut Sched) {
        match kind {
            CollectiveKind::Spawn => self.give_birth(key, s),
            CollectiveKind::Accept | CollectiveKind::Connect => self.dock(key, s),
            _ => {
                if self.meet(key, s) {
                    self.open(key, s);
                }
            }
        }
    }

    pub(crate) fn open(&mut self, key: Key, s: &mut Sched) {
        let shared = self.instances.get_mut(&key).expect("an instance that was entered");
        for execution in std::mem::take(&mut shared.gate) {
            let now = s.now();
            let e = &mut self.executions[execution];
            e.gated = false;
            e.busy_until = e.busy_until.max(now);
            let context = internal_context(e.comm);
            self.ranks[e.rank as usize].executing.insert_new((context, e.tag), execution);
            self.next_round(execution, s);
        }
    }

    /// Records that one half of an intercommunicator is complete. True when the other one is too:
    /// then the communicator is constructed and the other half's gate is open.
    fn meet(&mut self, key: Key, s: &mut Sched) -> bool {
        let shared = &self.instances[&key];
        if shared.made.iter().any(|(_, id)| id.is_some()) {
            return true;
        }
        let Some((leader, peer, remote, tag)) = shared.bridge else { return false };
        let other = self.comms.world_rank(peer, remote, leader);
        let meeting = (peer.0, tag, leader.min(other), leader.max(other));
        let Some(half) = self.meetings.remove(&meeting) else {
            self.meetings.insert(meeting, key);
            return false;
        };
        let side = |key: Key, leader: u32| self.comms.group(CommId(key.comm), leader);
        let id = self.comms.add_inter(side(half, other), side(key, leader));
        for key in [half, key] {
            let shared = self.instances.get_mut(&key).expect("a half that waits");
            shared.made.push((Some(0), Some(id)));
        }
        self.open(half, s);
        true
    }
}
