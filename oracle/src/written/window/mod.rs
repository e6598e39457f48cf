//! One-sided communication as statements.

mod access;

use super::{
    message::front,
    routine::Writer,
    statement::{Arg, Array, Kind as Numbers, Statement},
};
use crate::{
    plan::window::{Deed, Flavor, Promise, TAG, Turn, Window},
    values::{Record, Slot},
};

/// The name of the part of a rank.
fn part(window: &Window) -> String {
    format!("part{}", window.key)
}

/// The assertions of a rank about its own memory, each with whether it makes it.
fn own_assertions(promise: Promise) -> [(bool, &'static str); 2] {
    [(promise.no_store, "MPI_MODE_NOSTORE"), (promise.no_put, "MPI_MODE_NOPUT")]
}

/// Returns the sum of the assertions that are made, which are different bits.
fn sum(assertions: impl Iterator<Item = (bool, &'static str)>) -> Arg {
    let made: Vec<&str> = assertions.filter(|(made, _)| *made).map(|(_, name)| name).collect();
    if made.is_empty() { Arg::Int(0) } else { Arg::Sum(made) }
}

fn this() -> Arg {
    Arg::Entry(Array::Windows, 0)
}

impl Writer<'_> {
    pub(super) fn window(&mut self, window: &Window) {
        let Some((_, rank)) = self.plan.comms[window.comm].place(self.me) else { return };
        self.create(window, rank);
        let completions = window.completions();
        for (number, turn) in window.turns.iter().enumerate() {
            match turn {
                Turn::Fence { first, last, .. } => {
                    let shared = [(*first, "MPI_MODE_NOPRECEDE"), (*last, "MPI_MODE_NOSUCCEED")];
                    let own = own_assertions(turn.promise(rank).unwrap_or_default());
                    let asserts = sum(shared.into_iter().chain(own));
                    self.call("Win_fence", vec![asserts, this()]);
                }
                Turn::Barrier => self.call("Barrier", vec![Arg::Entry(Array::Comms, window.comm)]),
                Turn::Tell(from, to) if *from == rank => {
                    let ends = [Arg::Int((*to).into()), Arg::Int(TAG.into())];
                    self.token("Send", window, ends, &[]);
                }
                Turn::Tell(from, to) if *to == rank => {
                    let ends = [Arg::Int((*from).into()), Arg::Int(TAG.into())];
                    self.token("Recv", window, ends, &[Arg::Place(Array::Statuses, 0)]);
                }
                Turn::Tell(..) => {}
                Turn::Deed(of, deed) if *of == rank => self.deed(window, rank, number, deed),
                Turn::Deed(..) => {}
            }
            for (of, id) in &completions[number] {
                if *of == rank {
                    self.fetched(window, *id);
                }
            }
        }
        if window.flavor == Flavor::Dynamic {
            self.call("Barrier", vec![Arg::Entry(Array::Comms, window.comm)]);
            if window.bytes[rank as usize] > 0 {
                self.call("Win_detach", vec![this(), Arg::Buffer(part(window), 0)]);
            }
        }
        self.call("Win_free", vec![Arg::Place(Array::Windows, 0)]);
    }

    /// Adds the call of one side of an empty message.
    fn token(&mut self, name: &str, window: &Window, ends: [Arg; 2], rest: &[Arg]) {
        let data = [Arg::Nothing, Arg::Int(0), Arg::Word("MPI_BYTE")];
        let comm = [Arg::Entry(Array::Comms, window.comm)];
        self.call(name, [&data[..], &ends, &comm, rest].concat());
    }

    fn create(&mut self, window: &Window, rank: u32) {
        let (name, bytes) = (part(window), window.bytes[rank as usize]);
        let [size, unit] = [bytes, window.unit].map(|number| Arg::Int(number as i64));
        let comm = Arg::Entry(Array::Comms, window.comm);
        let (hints, place) = (Arg::Word("MPI_INFO_NULL"), Arg::Place(Array::Windows, 0));
        let constructor = match window.flavor {
            Flavor::Create => {
                let memory = self.buffer(&name, bytes as usize);
                let args = vec![memory, size, unit, hints, comm, place];
                return self.counted("Win_create", args, &[20, window.key]);
            }
            Flavor::Dynamic => return self.create_dynamic(&name, bytes, [hints, comm, place]),
            Flavor::Allocate => "Win_allocate",
            Flavor::Shared => "Win_allocate_shared",
        };
        let base = self.given(&name, bytes as usize);
        let args = vec![size, unit, hints, comm, base, place];
        self.counted(constructor, args, &[20, window.key]);
        self.push(Statement::Bind(name, bytes as usize));
    }

    /// Adds the construction of a window to which the rank attaches its part, and the exchange of addresses.
    fn create_dynamic(&mut self, name: &str, bytes: u64, [hints, comm, place]: [Arg; 3]) {
        let memory = self.buffer(name, bytes as usize);
        self.call("Win_create_dynamic", vec![hints, comm.clone(), place]);
        if bytes > 0 {
            self.call("Win_attach", vec![this(), memory.clone(), Arg::Int(bytes as i64)]);
        }
        let own = self.list(Numbers::Address, [0]);
        let all = self.list(Numbers::Address, vec![0; 16]);
        let (Arg::List(own), Arg::List(all)) = (own, all) else { unreachable!("they are lists") };
        let [size, byte] = [Arg::Int(8), Arg::Word("MPI_BYTE")];
        self.call("Get_address", vec![memory, Arg::Item(own.clone(), 0)]);
        let args = vec![
            Arg::Item(own, 0),
            size.clone(),
            byte.clone(),
            Arg::Item(all.clone(), 0),
            size,
            byte,
            comm,
        ];
        self.call("Allgather", args);
        self.bases = all;
    }

    fn deed(&mut self, window: &Window, rank: u32, turn: usize, deed: &Deed) {
        let number = |value: &u32| Arg::Int(i64::from(*value));
        let asserts = if window.unchecked { Arg::Word("MPI_MODE_NOCHECK") } else { Arg::Int(0) };
        match deed {
            Deed::Access(id) => self.access(window, *id),
            Deed::Finish(id) => {
                let request = Arg::Place(Array::Requests, self.one_sided[id]);
                self.call("Wait", vec![request, Arg::Place(Array::Statuses, 0)]);
            }
            Deed::Lock(target, exclusive) => {
                let name = if *exclusive { "MPI_LOCK_EXCLUSIVE" } else { "MPI_LOCK_SHARED" };
                let args = vec![Arg::Word(name), number(target), Arg::Int(0), this()];
                self.call("Win_lock", args);
            }
            Deed::Unlock(target) => self.call("Win_unlock", vec![number(target), this()]),
            Deed::LockAll => self.call("Win_lock_all", vec![asserts, this()]),
            Deed::UnlockAll => self.call("Win_unlock_all", vec![this()]),
            Deed::Flush(None) => self.call("Win_flush_all", vec![this()]),
            Deed::Flush(Some(target)) => self.call("Win_flush", vec![number(target), this()]),
            Deed::FlushLocal(None) => self.call("Win_flush_local_all", vec![this()]),
            Deed::FlushLocal(Some(target)) => {
                self.call("Win_flush_local", vec![number(target), this()]);
            }
            Deed::Post(group, promise) => {
                let unchecked = (window.unchecked, "MPI_MODE_NOCHECK");
                let asserts = sum(own_assertions(*promise).into_iter().chain([unchecked]));
                self.with_group(window, "Win_post", group, asserts);
            }
            Deed::Start(group) => self.with_group(window, "Win_start", group, asserts),
            Deed::Complete => self.call("Win_complete", vec![this()]),
            Deed::Wait { polls: false } => self.call("Win_wait", vec![this()]),
            Deed::Wait { polls: true } => {
                self.push(Statement::Until("Win_test".into(), vec![this(), Arg::Flag]));
            }
            Deed::Sync => self.call("Win_sync", vec![this()]),
            Deed::Compute(time) => self.helper("compute", vec![Arg::Int(*time as i64)]),
            Deed::Load(first, count) => {
                let memory = Arg::Buffer(part(window), *first as usize);
                let place = (self.me, Slot::Loaded(self.step), turn as u32);
                match self.expected.record(place).cloned() {
                    Some(Record { bytes, .. }) => self.check(&memory, &bytes),
                    None => self.look(memory, *count as usize),
                }
            }
            Deed::Store(first, count, key) => {
                let memory = Arg::Buffer(part(window), *first as usize);
                let key = [self.plan.seed, window.key * 1000 + key, u64::from(rank), 13];
                self.fill(&memory, *count as usize, key);
            }
            Deed::Peek(id) => {
                let (memory, bytes) = own_buffer(window, *id);
                self.look(memory, bytes);
            }
            Deed::Spoil(id) => {
                let (memory, bytes) = own_buffer(window, *id);
                let key = [self.plan.seed, window.key * 1000 + *id as u64, 1, 14];
                self.fill(&memory, bytes, key);
            }
        }
    }

    /// Adds reads of memory whose contents nobody knows.
    fn look(&mut self, memory: Arg, bytes: usize) {
        self.helper("look", vec![memory, Arg::Int(bytes as i64)]);
    }

    fn with_group(&mut self, window: &Window, name: &str, group: &[u32], asserts: Arg) {
        let count = Arg::Int(group.len() as i64);
        let ranks = self.list(Numbers::Int, group.iter().map(|rank| i64::from(*rank)));
        let [all, some] = [0, 1].map(|at| Arg::Place(Array::Groups, at));
        self.call("Comm_group", vec![Arg::Entry(Array::Comms, window.comm), all.clone()]);
        let from = Arg::Entry(Array::Groups, 0);
        self.call("Group_incl", vec![from, count, ranks, some.clone()]);
        self.call(name, vec![Arg::Entry(Array::Groups, 1), asserts, this()]);
        self.call("Group_free", vec![all]);
        self.call("Group_free", vec![some]);
    }

    /// Adds the check of an access's result, if it is known.
    fn fetched(&mut self, window: &Window, id: usize) {
        let place = (self.me, Slot::Fetched(self.step), id as u32);
        if let Some(Record { bytes, .. }) = self.expected.record(place).cloned() {
            let at = front(window.accesses[id].into.memory().0);
            self.check(&Arg::Buffer(in_name(window, id), at), &bytes);
        }
    }
}

/// The name of the buffer with the data of an access.
fn out_name(window: &Window, id: usize) -> String {
    format!("given{}_{id}", window.key)
}

/// The name of the buffer for its result.
fn in_name(window: &Window, id: usize) -> String {
    format!("got{}_{id}", window.key)
}

/// Returns the memory of the buffer that a program may use too early, and its length.
fn own_buffer(window: &Window, id: usize) -> (Arg, usize) {
    let access = &window.accesses[id];
    let fetches = access.kind.fetches();
    let name = if fetches { in_name(window, id) } else { out_name(window, id) };
    let (origin, length) = access.own_buffer().memory();
    (Arg::Buffer(name, front(origin)), length)
}
