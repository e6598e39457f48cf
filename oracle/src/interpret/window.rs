//! One-sided communication.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use mpi_api::{
    call::{
        Access as AccessCall, AccessCompletion, Action, Assertions, CollectiveCall,
        CollectiveEntry, CollectiveKind, CommCall, Counts, Flavor as FlavorName, Incoming,
        Layout as Cost, LockType, MemoryId, MessageCall, Payload, Reply, RequestId, Runs,
        SameParts, Source, Use, WindowCall, WindowId, WindowPart,
    },
    object::{
        op::Op,
        signature::{Primitive, Signature},
    },
    window_memory::{self, WindowMemory},
};

use super::{Rank, datatype};
use crate::{
    plan::window::{Deed, Flavor, Kind, Promise, TAG, Turn, Update, Window},
    values::{Record, Slot},
};

/// The part of a rank.
struct Memory {
    /// Where it begins: parts that ranks share follow each other, any others begin at 0.
    base: u64,
    bytes: RefCell<Vec<u8>>,
}

impl Memory {
    /// Returns the index of the byte at a place.
    fn index(&self, at: i64) -> usize {
        (at - self.base as i64) as usize
    }
}

impl WindowMemory for Memory {
    fn read(&self, at: i64, into: &mut [u8]) {
        into.copy_from_slice(&self.bytes.borrow()[self.index(at)..][..into.len()]);
    }

    fn write(&self, at: i64, bytes: &[u8]) {
        self.bytes.borrow_mut()[self.index(at)..][..bytes.len()].copy_from_slice(bytes);
    }
}

/// An access whose result has not arrived.
struct Pending {
    id: usize,
    target: u32,
    by: By,
}

/// How the result of an access is told from others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Ticket(u32),
    Request(RequestId),
}

/// A rank's side of a window.
struct Side<'a> {
    window: &'a Window,
    /// The rank in the window.
    rank: u32,
    id: WindowId,
    number: MemoryId,
    memory: Rc<Memory>,
    pending: Vec<Pending>,
    /// Results by ticket.
    results: BTreeMap<u32, Payload>,
    /// Requests by access.
    requests: BTreeMap<usize, RequestId>,
    tickets: u32,
}

const NONE: Assertions = Assertions {
    no_check: false,
    no_store: false,
    no_put: false,
    no_precede: false,
    no_succeed: false,
};

impl Rank<'_> {
    pub(super) fn window(&self, window: &Window) {
        let Some((_, rank)) = self.plan.comms[window.comm].place(self.me) else { return };
        let mut side = self.create(window, rank);
        for (number, turn) in window.turns.iter().enumerate() {
            match turn {
                Turn::Fence { first, last, .. } => {
                    let Promise { no_store, no_put } = turn.promise(rank).unwrap_or_default();
                    let (no_precede, no_succeed) = (*first, *last);
                    let asserts =
                        Assertions { no_precede, no_succeed, no_store, no_put, no_check: false };
                    let fence = WindowCall::Fence(side.id, asserts);
                    self.complete_all(&mut side, None, fence);
                    self.call(WindowCall::Settled(side.id));
                }
                Turn::Barrier => self.barrier(window),
                Turn::Tell(from, to) => self.tell(window, rank, (*from, *to)),
                Turn::Deed(of, deed) if *of == rank => self.deed(&mut side, number, deed),
                Turn::Deed(..) => {}
            }
        }
        if window.flavor == Flavor::Dynamic {
            // An access outside an epoch is not to find memory that is gone.
            self.barrier(window);
            if window.bytes[rank as usize] > 0 {
                self.call(WindowCall::Detach(side.id, 0));
            }
        }
        self.call(WindowCall::Free(side.id));
        self.call(CommCall::Free(side.id.0));
        window_memory::withdraw(side.number);
    }

    fn barrier(&self, window: &Window) {
        let barrier = CollectiveCall::new(self.comm(window.comm), CollectiveKind::Barrier);
        self.call(CollectiveEntry::Blocking(Box::new(barrier)));
    }

    fn create<'a>(&self, window: &'a Window, rank: u32) -> Side<'a> {
        let Reply::Comm(Some(info)) = self.call(CommCall::Duplicate(self.comm(window.comm))) else {
            panic!("a communicator for the window")
        };
        let flavor = match window.flavor {
            Flavor::Create => FlavorName::Create,
            Flavor::Allocate => FlavorName::Allocate,
            Flavor::Shared => {
                let barrier = CollectiveCall::new(info.id, CollectiveKind::Barrier);
                self.call(CollectiveEntry::Blocking(Box::new(barrier)));
                FlavorName::Shared
            }
            Flavor::Dynamic => FlavorName::Dynamic,
        };
        let bytes = window.bytes[rank as usize];
        let base = match window.flavor {
            Flavor::Shared => window.bytes[..rank as usize].iter().sum(),
            Flavor::Create | Flavor::Allocate | Flavor::Dynamic => 0,
        };
        let memory = Rc::new(Memory { base, bytes: RefCell::new(vec![0; bytes as usize]) });
        let number = window_memory::register(Rc::clone(&memory) as _);
        let unit = window.unit as i64;
        let own = if window.flavor == Flavor::Dynamic { 0 } else { bytes };
        let same = SameParts::default();
        let part = WindowPart { flavor, memory: number, base: base as i64, bytes: own, unit, same };
        let id = WindowId(info.id);
        self.call(WindowCall::Create(id, Box::new(part)));
        if window.flavor == Flavor::Dynamic {
            if bytes > 0 {
                self.call(WindowCall::Attach(id, 0, bytes));
            }
            self.tell_addresses(window);
        }
        Side {
            window,
            rank,
            id,
            number,
            memory,
            pending: Vec::new(),
            results: BTreeMap::new(),
            requests: BTreeMap::new(),
            tickets: 0,
        }
    }

    /// Makes the collective call in which compiled programs exchange the addresses of their parts. Here each part
    /// begins at 0.
    fn tell_addresses(&self, window: &Window) {
        self.call(CollectiveEntry::Blocking(Box::new(CollectiveCall {
            input: vec![0; 8],
            send: Counts::Uniform(8),
            receive: Counts::Uniform(8),
            signature: Signature::of(Primitive::Byte, 8),
            ..CollectiveCall::new(self.comm(window.comm), CollectiveKind::Allgather)
        })));
    }

    /// Sends or receives an empty message.
    fn tell(&self, window: &Window, rank: u32, (from, to): (u32, u32)) {
        if rank == from {
            self.call(MessageCall::Send(self.bytes_to(window.comm, to, TAG, Vec::new())));
        } else if rank == to {
            self.completed(MessageCall::Receive(Incoming {
                comm: self.comm(window.comm),
                source: Source::Rank(from),
                tag: Some(TAG),
                capacity: 0,
                signature: Signature::of(Primitive::Byte, 0),
                layout: Cost::Dense,
            }));
        }
    }

    fn deed(&self, side: &mut Side, turn: usize, deed: &Deed) {
        let window = side.id;
        let unchecked = Assertions { no_check: side.window.unchecked, ..NONE };
        match deed {
            Deed::Access(id) => self.access(side, *id),
            Deed::Finish(id) => {
                let request = side.requests.remove(id).expect("the access has a request");
                let completion = self.wait(request);
                // A synchronisation may have completed the access before.
                if let Some(at) = side.pending.iter().position(|one| one.id == *id) {
                    side.pending.remove(at);
                    self.fetched(side, *id, completion.payload);
                }
            }
            Deed::Lock(target, exclusive) => {
                let kind = if *exclusive { LockType::Exclusive } else { LockType::Shared };
                let (target, assertions) = (Some(*target), NONE);
                self.call(WindowCall::Lock { window, target, kind, assertions });
            }
            Deed::LockAll => {
                let (target, kind, assertions) = (None, LockType::Shared, unchecked);
                self.call(WindowCall::Lock { window, target, kind, assertions });
            }
            Deed::Unlock(target) => {
                let call = WindowCall::Unlock(window, Some(*target));
                self.complete_all(side, Some(*target), call);
            }
            Deed::UnlockAll => self.complete_all(side, None, WindowCall::Unlock(window, None)),
            Deed::Flush(target) | Deed::FlushLocal(target) => {
                let is_local = matches!(deed, Deed::FlushLocal(_));
                let completion =
                    if is_local { AccessCompletion::Local } else { AccessCompletion::Remote };
                let call = WindowCall::Flush { window, target: *target, completion };
                self.complete_all(side, *target, call);
            }
            Deed::Post(group, Promise { no_store, no_put }) => {
                let asserts = Assertions { no_store: *no_store, no_put: *no_put, ..unchecked };
                self.call(WindowCall::Post(window, group.clone(), asserts));
            }
            Deed::Start(group) => {
                self.call(WindowCall::Start(window, group.clone(), unchecked));
            }
            Deed::Complete => self.complete_all(side, None, WindowCall::Complete(window)),
            Deed::Wait { polls: false } => {
                self.call(WindowCall::Wait(window));
            }
            Deed::Wait { polls: true } => {
                while matches!(self.call(WindowCall::Test(window)), Reply::NotYet) {}
            }
            Deed::Sync => {
                self.call(WindowCall::Sync(window));
            }
            Deed::Compute(time) => self.compute(*time),
            Deed::Load(first, count) => {
                self.touch(side, (*first, *count), Use::Load { vectors: false });
                let bytes =
                    side.memory.bytes.borrow()[*first as usize..][..*count as usize].to_vec();
                let place = (self.me, Slot::Loaded(self.step), turn as u32);
                self.record(place, Record { bytes, status: None });
            }
            Deed::Store(first, count, key) => {
                self.touch(side, (*first, *count), Use::Store);
                let bytes = self.plan.stored(side.window, side.rank, *key, *count);
                side.memory.bytes.borrow_mut()[*first as usize..][..bytes.len()]
                    .copy_from_slice(&bytes);
            }
            // Operations own copies of their data here.
            Deed::Peek(_) | Deed::Spoil(_) => {}
        }
    }

    /// Tells the simulator that the rank uses its own part, if uses are told.
    fn touch(&self, side: &Side, (first, count): (u64, u64), used: Use) {
        if self.watched {
            let place = side.memory.base + first;
            let (window, owner, base) = (side.id, side.rank, place as i64);
            let runs = Runs::One(0, count);
            self.call(WindowCall::Touch { window, owner, base, runs, used });
        }
    }

    fn access(&self, side: &mut Side, id: usize) {
        let access = &side.window.accesses[id];
        let memory = self.plan.origin_data(side.window, id);
        let (data, cost) = if access.kind.writes() {
            let (data, _, cost) = datatype::pack(&access.from, &memory);
            (data, cost)
        } else {
            (Vec::new(), Cost::Dense)
        };
        let update = |update: Update, fetch| {
            let op = match update {
                Update::Sum => Op::Sum,
                Update::Max => Op::Max,
                Update::Xor => Op::BitXor,
                Update::Replace => Op::Replace,
                Update::NoOp => Op::NoOp,
            };
            Action::Update { op, primitive: access.primitive, fetch }
        };
        let (action, data, cost) = match access.kind {
            Kind::Put => (Action::Put, data, cost),
            Kind::Get => (Action::Get, data, cost),
            Kind::Accumulate(op) => (update(op, false), data, cost),
            Kind::GetAccumulate(op) | Kind::FetchAndOp(op) => (update(op, true), data, cost),
            Kind::CompareAndSwap(wanted) => {
                let wanted = &wanted.to_le_bytes()[..access.primitive.size()];
                (Action::Swap(access.primitive), [wanted, &data].concat(), Cost::Dense)
            }
        };
        let ticket = side.tickets;
        side.tickets += 1;
        let call = Box::new(AccessCall {
            target: access.target,
            at: (access.at / side.window.unit) as i64,
            runs: datatype::runs(&access.there),
            action,
            payload: data.into(),
            ticket,
            strided: cost == Cost::Strided,
        });
        self.with_types(&access.typed(), || {
            let by = if access.request {
                let request = self.request(WindowCall::StartAccess(side.id, call));
                side.requests.insert(id, request);
                By::Request(request)
            } else {
                self.call(WindowCall::Access(side.id, call));
                By::Ticket(ticket)
            };
            side.pending.push(Pending { id, target: access.target, by });
        });
    }

    /// Makes a call that completes accesses to a target or to all, and takes their results.
    fn complete_all(&self, side: &mut Side, target: Option<u32>, call: WindowCall) {
        if let Reply::Fetched(list) = self.call(call) {
            side.results.extend(list);
        }
        let ends = |one: &Pending| target.is_none_or(|target| target == one.target);
        let fetches = |one: &Pending| side.window.accesses[one.id].kind.fetches();
        let lacks = |side: &Side| {
            side.pending.iter().filter(|one| ends(one) && fetches(one)).any(|one| match one.by {
                By::Ticket(ticket) => !side.results.contains_key(&ticket),
                By::Request(_) => false,
            })
        };
        while lacks(side) {
            if let Reply::Fetched(list) = self.call(WindowCall::TakeFetched(side.id, target)) {
                side.results.extend(list);
            }
        }
        let (done, left): (Vec<Pending>, Vec<Pending>) = side.pending.drain(..).partition(ends);
        side.pending = left;
        for one in done {
            let payload = match one.by {
                By::Ticket(ticket) => side.results.remove(&ticket),
                By::Request(request) => self.requested(side, request),
            };
            self.fetched(side, one.id, payload);
        }
    }

    /// Takes the result of an access that is complete, but whose request is not waited for yet.
    fn requested(&self, side: &Side, request: RequestId) -> Option<Payload> {
        match self.call(WindowCall::TakeRequested(side.id, request)) {
            Reply::Fetched(list) => list.into_iter().next().map(|(_, payload)| payload),
            other => panic!("{other:?} instead of a result"),
        }
    }

    /// Records the result of an access.
    fn fetched(&self, side: &Side, id: usize, payload: Option<Payload>) {
        let access = &side.window.accesses[id];
        if !access.kind.fetches() {
            return;
        }
        let mut bytes = self.plan.result_memory(side.window, id);
        if let Some(payload) = payload {
            datatype::unpack(&access.into, payload.as_slice(), &mut bytes);
        }
        let place = (self.me, Slot::Fetched(self.step), id as u32);
        self.record(place, Record { bytes, status: None });
    }
}
