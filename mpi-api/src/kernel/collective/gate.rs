//! What the ranks of one collective operation share, and the gate at its door.

use rustc_hash::FxHashMap;

use super::{
    agreement::{Agreement, Given},
    between_groups::Roles,
    blocks::Blocks,
    making::Making,
};
use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, Form, Site},
    kernel::{MpiKernel, Sched, reorder::note, request::internal_context, spawn::Birth},
    object::{cart::Cart, graph::Reorder, group::Group, signature::Signature},
};

/// Identity of one collective operation: the same on all ranks that take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    /// Communicator.
    pub(crate) comm: u32,
    /// Distinguishes the operations of a communicator: see [`Numbering`].
    code: u64,
}

impl Key {
    /// Tag of its messages: operations under way at the same time never share one.
    pub(crate) fn tag(self) -> i32 {
        let class = (self.code >> 62) as u32;
        let id = (self.code >> 32) as u32 & 0xfff;
        let low = self.code as u32;
        let tag = if class == 0 { low & 0x0fff_ffff } else { id << 16 | low & 0xffff };
        (class << 28 | tag) as i32
    }
}

/// Numbers of one rank's collective operations.
///
/// Operations are counted on each communicator, since all ranks call them in the same order.
/// Persistent ones are counted where they are initialised and again at each start, so that the
/// order of starting is free; creations over a group only are counted by group and tag.
#[derive(Default)]
pub(crate) struct Numbering {
    ordered: Vec<(u32, u32)>,
    persistent: Vec<(u32, u32)>,
    group: Vec<(u32, u32)>,
}

fn count(counters: &mut Vec<(u32, u32)>, id: u32) -> u32 {
    match counters.iter_mut().find(|(known, _)| *known == id) {
        Some((_, count)) => {
            *count += 1;
            *count
        }
        None => {
            counters.push((id, 0));
            0
        }
    }
}

/// The ranks of a creation over a group only, with its communicator and tag, by number.
#[derive(Default)]
pub(crate) struct GroupNames(Vec<(u32, i32, Group)>);

impl MpiKernel {
    /// The next operation on a communicator.
    pub(crate) fn ordered_key(&mut self, rank: u32, comm: CommId) -> Key {
        let number = count(&mut self.ranks[rank as usize].rest.numbering.ordered, comm.0);
        let own =
            if comm == CommId::SELF { u64::from(rank) << 32 & 0x3fff_ffff_0000_0000 } else { 0 };
        Key { comm: comm.0, code: own | u64::from(number) }
    }

    /// The next persistent operation on a communicator; its starts are numbered by the caller.
    pub(crate) fn persistent_channel(&mut self, rank: u32, comm: CommId) -> u32 {
        count(&mut self.ranks[rank as usize].rest.numbering.persistent, comm.0)
    }

    /// One start of a persistent operation.
    pub(crate) fn persistent_key(&self, rank: u32, comm: CommId, channel: u32, start: u32) -> Key {
        let channel = if comm == CommId::SELF { channel << 20 | rank } else { channel };
        Key {
            comm: comm.0,
            code: 1 << 62 | u64::from(channel & 0x3fff_ffff) << 32 | u64::from(start),
        }
    }

    /// The tag and the members of a creation over a group only.
    pub(super) fn group_of_key(&self, key: Key) -> (i32, &Group) {
        let (_, tag, group) = &self.group_names.0[(key.code >> 32 & 0x3fff_ffff) as usize];
        (*tag, group)
    }

    /// The next creation over a group only.
    pub(crate) fn group_key(&mut self, rank: u32, comm: CommId, tag: i32, group: &Group) -> Key {
        let names = &mut self.group_names.0;
        let known = names.iter().position(|(c, t, g)| (*c, *t) == (comm.0, tag) && g == group);
        let id = known.unwrap_or_else(|| {
            names.push((comm.0, tag, group.clone()));
            names.len() - 1
        }) as u32;
        let number = count(&mut self.ranks[rank as usize].rest.numbering.group, id);
        Key { comm: comm.0, code: 2 << 62 | u64::from(id) << 32 | u64::from(number) }
    }
}

/// The call of the first rank to enter: what the others are compared with.
#[derive(Clone)]
pub(crate) struct First {
    pub(crate) rank: u32,
    pub(crate) site: Site,
    pub(crate) kind: CollectiveKind,
    pub(crate) root: u32,
    pub(crate) op: Option<&'static str>,
    pub(crate) signature: Signature,
    /// Of ranks that have told of what their data consist: some have none and need no form.
    pub(crate) form: Option<Form>,
    pub(crate) manner: Manner,
}

/// How an operation is called: the three do not match each other (MPI sections 6.12 and 6.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Blocking,
    Nonblocking,
    Persistent,
}

impl Manner {
    /// As an attribute.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Blocking => "blocking",
            Self::Nonblocking => "nonblocking",
            Self::Persistent => "persistent",
        }
    }
}

/// What the ranks of one collective operation share.
pub(crate) struct Instance {
    pub(crate) first: First,
    pub(crate) entered: u32,
    pub(crate) left: u32,
    /// Executions held at the gate until everybody has entered.
    pub(crate) gate: Vec<u32>,
    /// World rank, colour and key of each that entered the making of a communicator.
    pub(crate) places: Vec<(u32, Option<u32>, i64)>,
    /// Topology of the result.
    pub(crate) cart: Option<Cart>,
    /// What the ranks will say to each other: by world rank, if they may be numbered by that.
    pub(crate) reorder: Vec<(u32, Reorder)>,
    /// At an intercommunicator: the leader's world rank and what it knows of the other leader.
    pub(crate) bridge: Option<(u32, CommId, u32, i32)>,
    /// Of a spawn.
    pub(crate) birth: Option<Box<Birth>>,
    /// Of a group that meets another one: its root's world rank, and the port.
    pub(crate) port: Option<(u32, String)>,
    /// Communicator of each colour, once made.
    pub(crate) made: Vec<(Option<u32>, Option<CommId>)>,
    /// Types of the data of each rank.
    pub(crate) types: Blocks,
    /// Who has which part in an operation of two groups.
    pub(crate) roles: Option<Box<Roles>>,
    /// What all that make a communicator give alike.
    pub(crate) agreement: Agreement,
}

impl Instance {
    /// What a rank brings to the making of a communicator.
    fn bring(&mut self, (rank, site): (u32, Site), making: &Making) {
        match making {
            Making::Place { color, key, cart, reorder, .. } => {
                self.places.push((rank, *color, *key));
                self.cart = cart.clone().or(self.cart.take());
                if let Some(reorder) = reorder {
                    note(&mut self.reorder, rank, reorder);
                }
            }
            Making::Bridge(Some((peer, remote)), tag) => {
                self.bridge = Some((rank, *peer, *remote, *tag));
            }
            Making::Spawn(Some(launches)) => {
                self.birth = Some(Box::new(Birth::of(rank, site, launches.clone())));
            }
            Making::Port(Some(port)) => self.port = Some((rank, port.clone())),
            Making::Port(None)
            | Making::Spawn(None)
            | Making::Bridge(None, _)
            | Making::Nothing => {}
        }
    }
}

/// Halves of intercommunicators that wait for the other half, by the communicator of the
/// leaders, the tag and the leaders' world ranks in order.
pub(crate) type Meetings = FxHashMap<(u32, i32, u32, u32), Key>;

impl MpiKernel {
    /// One rank enters. True when its call disagrees with the first one's and the run has ended.
    pub(crate) fn enter_instance(
        &mut self,
        rank: u32,
        key: Key,
        call: &CollectiveCall,
        (making, manner): (&Making, Manner),
        s: &mut Sched,
    ) -> bool {
        let site = self.ranks[rank as usize].site;
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
        let shared = self.instances.entry(key).or_insert_with(|| Instance {
            first: me.clone(),
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
        });
        if shared.first.rank != rank {
            let first = shared.first.clone();
            if self.disagree(&me, &first, between, s) {
                return true;
            }
        }
        if between && self.enter_between_groups(&me, key, call.comm, s) {
            return true;
        }
        let shared = self.instances.get_mut(&key).expect("just entered");
        shared.entered += 1;
        shared.bring((rank, site), making);
        if let Making::Place { given, .. } = making
            && *given != Given::Nothing
        {
            return self.enter_agreement((rank, site), (key, call.comm), given, s);
        }
        if let Some(declared) = &call.declared
            && !between
        {
            return self.enter_types((rank, site), key, call, declared, s);
        }
        false
    }

    /// Holds an execution until everybody has entered, or lets all go on.
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

    /// All of a group have entered, and have to do with others, who may not be there.
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
            self.ranks[e.rank as usize]
                .executing
                .insert_new((context, e.instance.tag()), execution);
            self.next_round(execution, s);
        }
    }

    /// One half of an intercommunicator is complete. True when the other one is too: then the
    /// communicator is made and the other half's gate is open.
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
