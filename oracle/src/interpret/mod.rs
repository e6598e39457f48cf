//! The interpreter: runs a plan on the simulated machine through the untyped interface.

pub(crate) mod collective;
mod complete;
mod datatype;
mod exchange;
mod making;
mod many;
mod message;
mod window;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use mpi_api::{
    call::{
        Buffer, BufferCall, BufferOwner, ClockCall, CommCall, CommId, Completion, Operation,
        ProcessCall, Reply, RequestId, Site, TypeCall,
    },
    kernel::buffer::BSEND_OVERHEAD,
    outcome::{Ending, RunResult},
    raw::Raw,
    run::{Body, Struck},
};

use super::{
    layout::Layout,
    plan::{Id, Part, Plan, Share},
    reference::Expected,
    values::{Place, Record, Records},
};

/// A plan as a program. Its results state in which order wildcard receives took their messages,
/// followed by every difference from the reference.
pub(crate) struct Interpreted {
    plan: Arc<Plan>,
    expected: Arc<Expected>,
    found: Mutex<Records>,
    watched: bool,
}

impl Interpreted {
    /// Creates the program of a plan with its expected results.
    pub(crate) fn new(plan: Arc<Plan>, expected: Arc<Expected>) -> Self {
        Self { plan, expected, found: Mutex::default(), watched: false }
    }

    /// Tells the simulator what ranks do with their own parts of windows, which it sees in some executions of
    /// compiled programs only.
    pub(crate) fn watched(self) -> Self {
        Self { watched: true, ..self }
    }
}

impl Body for Interpreted {
    fn start(&self, _: u32) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn rank(&self) {
        let Some(raw) = Raw::take() else { return };
        Rank::new(raw, self).run();
    }

    fn finish(&self, result: &mut RunResult, _: Option<Struck>) {
        let found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if result.ending == Ending::Completed {
            result.declared = vec![self.expected.order(&found)];
            result.declared.extend(self.expected.differences(&found));
        }
    }
}

/// The state of one rank while it runs the plan.
struct Rank<'a> {
    raw: Raw,
    plan: &'a Plan,
    found: &'a Mutex<Records>,
    me: u32,
    step: usize,
    /// Communicators by number in the plan.
    comms: BTreeMap<Id, CommId>,
    requests: BTreeMap<Part, RequestId>,
    /// Requests of the receives of bursts.
    posted: BTreeMap<Id, Vec<RequestId>>,
    /// Datatypes that are not freed yet, each with the part that uses it.
    types: RefCell<Vec<(Option<Part>, u32)>>,
    /// Parts whose datatypes were constructed.
    typed: RefCell<BTreeSet<Part>>,
    /// Whether uses of the rank's own parts of windows are told.
    watched: bool,
}

impl<'a> Rank<'a> {
    fn new(raw: Raw, program: &'a Interpreted) -> Self {
        let Interpreted { plan, found, watched, .. } = program;
        let me = raw.world().rank;
        let comms = [(0, CommId::WORLD), (1 + me as usize, CommId::SELF)].into();
        Self {
            raw,
            plan,
            found,
            me,
            step: 0,
            comms,
            requests: BTreeMap::new(),
            posted: BTreeMap::new(),
            types: RefCell::default(),
            typed: RefCell::default(),
            watched: *watched,
        }
    }

    fn run(&mut self) {
        let plan = self.plan;
        if plan.composes() {
            self.make_pair();
        }
        let attached = plan.buffered_bytes(self.me, BSEND_OVERHEAD);
        if attached > 0 {
            self.call(BufferCall::Attach(Buffer::of_process(attached)));
        }
        for (number, step) in plan.steps.iter().enumerate() {
            self.step = number;
            if let Some(share) = plan.share(step, self.me) {
                self.act(share);
            }
        }
        self.step = plan.steps.len();
        if attached > 0 {
            let Reply::Detached(size) = self.call(BufferCall::Detach(BufferOwner::Process)) else {
                panic!("a buffer")
            };
            assert_eq!(size, attached);
        }
        let made: Vec<CommId> = self.comms.values().copied().filter(|id| id.0 > 1).collect();
        for comm in made {
            self.call(CommCall::Free(comm));
        }
        for (_, id) in self.types.take() {
            self.call(TypeCall::Free(id));
        }
        self.call(ProcessCall::Finalize);
    }

    fn act(&mut self, share: Share) {
        match share {
            Share::Compute(time) => self.compute(time),
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
                if let Some(comm) = self.comms.remove(&id) {
                    self.call(CommCall::Free(comm));
                }
            }
        }
    }

    /// Computes for this many nanoseconds.
    fn compute(&self, time: u64) {
        // The C library reads the clock before it sleeps, and sleeps a nanosecond more than it is asked to.
        self.call(ClockCall::Now(0));
        let time = if time > 0 { time + 1 } else { time };
        self.call(ClockCall::Compute(sim_core::SimDuration::from_ns(time)));
    }

    fn call(&self, operation: impl Into<Operation>) -> Reply {
        let site = Site::at("plan", self.step as u32 + 1, 1);
        self.raw.call(site, operation).expect("not unwound")
    }

    fn request(&self, operation: impl Into<Operation>) -> RequestId {
        match self.call(operation) {
            Reply::Request(request) => request,
            other => panic!("{other:?} instead of a request"),
        }
    }

    fn completed(&self, operation: impl Into<Operation>) -> Completion {
        match self.call(operation) {
            Reply::Received(received) => received.into(),
            Reply::Completed(completion) => *completion,
            other => panic!("{other:?} instead of a completion"),
        }
    }

    fn comm(&self, id: Id) -> CommId {
        *self.comms.get(&id).expect("a member")
    }

    fn record(&self, place: Place, record: Record) {
        let mut found = self.found.lock().expect("nobody panicked while writing");
        assert!(found.insert(place, record).is_none(), "{place:?} is there twice");
    }

    /// Records the data received into `memory`.
    fn store(&self, place: Place, layout: &Layout, memory: Vec<u8>, completion: &Completion) {
        let mut bytes = memory;
        if let Some(payload) = &completion.payload {
            datatype::unpack(layout, payload.as_slice(), &mut bytes);
        }
        let status = &completion.status;
        assert!(!status.cancelled && completion.error.is_none(), "{completion:?}");
        let status = Some((status.source, status.tag, status.bytes));
        self.record(place, Record { bytes, status });
    }
}
