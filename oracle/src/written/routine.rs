//! Translation of one rank's part of a plan to statements.

use std::collections::BTreeMap;

use super::{
    Language,
    collective::Memory,
    statement::{Arg, Array, Buffer, Kind, List, Routine, Statement, Store},
};
use crate::{
    plan::{Id, Operator, Part, Plan, Share, Step},
    reference::Expected,
};

/// `MPI_BSEND_OVERHEAD` of the C header.
const BSEND_OVERHEAD: u64 = 512;

/// The statements of one rank, with the entries and buffers that they use.
pub(super) struct Writer<'a> {
    pub(super) plan: &'a Plan,
    pub(super) expected: &'a Expected,
    pub(super) me: u32,
    language: Language,
    /// Number of the current step.
    pub(super) step: usize,
    pub(super) routine: Routine,
    /// Entries that hold the requests of started parts.
    pub(super) requests: BTreeMap<Part, usize>,
    /// Number of request entries in use.
    next_request: usize,
    next_type: usize,
    /// Datatypes that are not freed yet.
    pub(super) types: Vec<usize>,
    /// Datatypes of parts.
    pub(super) known: BTreeMap<Part, Arg>,
    /// First entry of the requests of a burst's receives.
    pub(super) posted: BTreeMap<Id, usize>,
    /// Buffers of the results of collectives.
    pub(super) results: BTreeMap<Id, Memory>,
    /// Request entries of the accesses to the present window.
    pub(super) one_sided: BTreeMap<usize, usize>,
    /// The list of the addresses of the parts of the present window, if it is dynamic.
    pub(super) bases: String,
    /// Communicators that this rank has constructed.
    pub(super) comms: Vec<Id>,
    /// Heap buffers that are not freed yet.
    heap: Vec<String>,
}

/// Returns the program of one rank.
pub(super) fn routine(plan: &Plan, expected: &Expected, me: u32, language: Language) -> Routine {
    let mut writer = Writer {
        plan,
        expected,
        me,
        language,
        step: 0,
        routine: Routine::default(),
        requests: BTreeMap::new(),
        next_request: 0,
        next_type: 0,
        types: Vec::new(),
        known: BTreeMap::new(),
        posted: BTreeMap::new(),
        results: BTreeMap::new(),
        one_sided: BTreeMap::new(),
        bases: String::new(),
        comms: Vec::new(),
        heap: Vec::new(),
    };
    writer.run();
    writer.routine
}

impl Writer<'_> {
    fn run(&mut self) {
        let plan = self.plan;
        self.set_up();
        let attached = plan.buffered_bytes(self.me, BSEND_OVERHEAD);
        if attached > 0 {
            let place = self.buffer("attached", attached as usize);
            self.call("Buffer_attach", vec![place, Arg::Int(attached as i64)]);
        }
        for (number, step) in plan.steps.iter().enumerate() {
            self.step = number;
            let before = self.routine.statements.len();
            if let Some(share) = plan.share(step, self.me) {
                self.act(share);
            }
            if self.routine.statements.len() > before {
                let text = match step {
                    Step::Window(window) => window.heading(),
                    other => format!("{other:?}"),
                };
                self.routine.statements.insert(before, Statement::Step(number, text));
            }
        }
        self.step = plan.steps.len();
        if attached > 0 {
            self.helper("detach", vec![Arg::Int(attached as i64)]);
        }
        self.comms.sort_unstable();
        for id in std::mem::take(&mut self.comms) {
            self.call("Comm_free", vec![Arg::Place(Array::Comms, id)]);
        }
        self.clear_up();
    }

    /// Adds the construction of the operations and types that the plan's reductions use.
    fn set_up(&mut self) {
        let uses = |operator| {
            let collectives = &self.plan.collectives;
            collectives.iter().any(|one| one.operator == operator)
        };
        let (modular, compose) = (uses(Operator::Modular), uses(Operator::Compose));
        if modular {
            let function = Arg::Function("modular");
            self.call("Op_create", vec![function, Arg::Truth(true), Arg::Place(Array::Ops, 0)]);
        }
        if compose {
            let function = Arg::Function("compose");
            self.call("Op_create", vec![function, Arg::Truth(false), Arg::Place(Array::Ops, 1)]);
            let pair = self.new_type();
            let place = Arg::Place(Array::Types, pair);
            self.call("Type_contiguous", vec![Arg::Int(2), Arg::Word("MPI_BYTE"), place.clone()]);
            self.call("Type_commit", vec![place]);
        }
    }

    fn clear_up(&mut self) {
        let plan = self.plan;
        for (at, operator) in [Operator::Modular, Operator::Compose].into_iter().enumerate() {
            if plan.collectives.iter().any(|one| one.operator == operator) {
                self.call("Op_free", vec![Arg::Place(Array::Ops, at)]);
            }
        }
        for at in std::mem::take(&mut self.types) {
            self.call("Type_free", vec![Arg::Place(Array::Types, at)]);
        }
        for name in std::mem::take(&mut self.heap) {
            self.push(Statement::Give(name));
        }
    }

    fn act(&mut self, share: Share) {
        match share {
            Share::Compute(time) => self.helper("compute", vec![Arg::Int(time as i64)]),
            Share::BeginSend(id) => self.begin_send(id, 0),
            Share::BeginReceive(id) => self.begin_receive(id, 0),
            Share::Send(id) => self.whole_send(id),
            Share::Receive(id) => self.whole_receive(id),
            Share::Complete(parts, how) => self.complete(parts, how),
            Share::Exchange(exchanged) => self.exchange(&exchanged),
            Share::Burst(id) => self.burst(id),
            Share::Post(id) => self.post(id),
            Share::Flood(id) => self.flood(id),
            Share::Drain(id, how) => self.drain(id, how),
            Share::Serve(service) => self.serve(service),
            Share::Null(null) => self.null(null),
            Share::Collective(id) => self.collective(id),
            Share::Crossed(both) => both.into_iter().for_each(|id| self.collective(id)),
            Share::Make(maker, made) => self.make(maker, made),
            Share::Window(window) => self.window(window),
            Share::Free(id) => {
                if self.comms.contains(&id) {
                    self.comms.retain(|other| *other != id);
                    self.call("Comm_free", vec![Arg::Place(Array::Comms, id)]);
                }
            }
        }
    }

    pub(super) fn push(&mut self, statement: Statement) {
        self.routine.statements.push(statement);
    }

    /// Adds a call of an MPI function that takes no counts.
    pub(super) fn call(&mut self, name: &str, args: Vec<Arg>) {
        self.push(Statement::Call(name.into(), args));
    }

    /// Adds a call of a helper function of the program.
    pub(super) fn helper(&mut self, name: &'static str, args: Vec<Arg>) {
        self.push(Statement::Helper(name, args));
    }

    /// Returns a number below `bound` that depends on this rank and `what` only, so that it does
    /// not change when other steps are removed.
    pub(super) fn taste(&self, what: &[u64], bound: u64) -> u64 {
        self.plan.lot(&[&[u64::from(self.me), 99], what].concat(), bound)
    }

    /// Returns whether the large count form of a function is called.
    pub(super) fn wide(&self, what: &[u64]) -> bool {
        // The Fortran module that the programs use does not contain these forms.
        self.language == Language::C && self.taste(&[what, &[7]].concat(), 4) == 0
    }

    /// Declares a new buffer, and returns its address.
    pub(super) fn buffer(&mut self, name: &str, bytes: usize) -> Arg {
        if !self.routine.buffers.iter().any(|known| known.name == name) {
            let letters: Vec<u64> = name.bytes().map(u64::from).collect();
            let store = match self.taste(&letters, 4) {
                0 => Store::Stack,
                1 => Store::Static,
                2 => Store::ThreadLocal,
                _ => Store::Heap,
            };
            if store == Store::Heap {
                self.push(Statement::Take(name.into(), bytes));
                self.heap.push(name.into());
            }
            self.routine.buffers.push(Buffer { name: name.into(), bytes, store });
        }
        Arg::Buffer(name.into(), 0)
    }

    /// Declares a buffer that MPI allocates, and returns the place for its address.
    pub(super) fn given(&mut self, name: &str, bytes: usize) -> Arg {
        self.routine.buffers.push(Buffer { name: name.into(), bytes, store: Store::Given });
        Arg::Base(name.into())
    }

    /// Declares a list of numbers, and returns its name.
    pub(super) fn list(&mut self, kind: Kind, values: impl IntoIterator<Item = i64>) -> Arg {
        let name = format!("list_{}", self.routine.lists.len());
        let values = values.into_iter().collect();
        self.routine.lists.push(List { name: name.clone(), kind, values, types: Vec::new() });
        Arg::List(name)
    }

    /// Declares a list of datatypes.
    pub(super) fn list_of_types(&mut self, types: Vec<&'static str>) -> Arg {
        let name = format!("list_{}", self.routine.lists.len());
        let list = List { name: name.clone(), kind: Kind::Type, values: Vec::new(), types };
        self.routine.lists.push(list);
        Arg::List(name)
    }

    /// Reserves consecutive request entries, and returns the first.
    pub(super) fn new_requests(&mut self, count: usize) -> usize {
        self.next_request += count;
        self.routine.needs.push((Array::Requests, self.next_request));
        self.next_request - count
    }

    /// Reserves an entry for a datatype.
    pub(super) fn new_type(&mut self) -> usize {
        self.types.push(self.next_type);
        self.next_type += 1;
        self.next_type - 1
    }

    pub(super) fn free_type(&mut self, at: usize) {
        self.types.retain(|other| *other != at);
        self.call("Type_free", vec![Arg::Place(Array::Types, at)]);
    }

    /// Adds a statement that writes the bytes of `key` to a buffer.
    pub(super) fn fill(&mut self, buffer: &Arg, bytes: usize, key: [u64; 4]) {
        let mut args = vec![buffer.clone(), Arg::Int(bytes as i64)];
        args.extend(key.map(|part| Arg::Int(part as i64)));
        self.helper("fill", args);
    }

    /// Adds the comparison of a whole buffer.
    pub(super) fn check(&mut self, buffer: &Arg, expected: &[u8]) {
        let length = Arg::Int(expected.len() as i64);
        let step = Arg::Int(self.step as i64);
        self.helper("check", vec![step, buffer.clone(), length, Arg::Hash(hash(expected))]);
    }
}

/// Returns the FNV-1a hash, which the generated programs compute too.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
