//! The kernel: answers every [`Call`] in strict order of simulated time.
//!
//! One `match` dispatches calls by family and one dispatches events; each arm is a single call into
//! the part that implements it, which matches the calls of the family. Everything a rank does
//! happens at the engine's present time: a call that costs processor time is answered later, so no
//! rank ever runs ahead of the others and order-sensitive operations (wildcards, probes, shared
//! links) need no special case.
//!
//! Each part has files of two kinds. Files of *state* define what the part keeps, with fields that only
//! the part sees; they know nothing of the kernel as a whole and are named by nouns. Files of *steps*
//! implement what happens, as methods of [`MpiKernel`]; no file of state imports them.

mod causality;
mod charge;
mod clock;
mod clock_reads;
mod collective;
mod communicator;
mod delay;
mod diagnose;
mod error;
mod event;
mod explore;
mod file;
mod first_map;
mod journal;
mod observe;
pub(crate) mod process;
mod rank;
mod request;
mod shortcuts;
pub(crate) mod thread;
mod timer;
mod timers;
mod tool;
mod transport;
mod window;

use network_models::{Network, NodeMemory};
use sim_core::{Kernel, Pending, ProcessId, SimDuration, SimTime};

pub(crate) use self::event::Sched;
use self::{
    causality::History,
    collective::collectives::Collectives,
    communicator::table::Communicators,
    diagnose::lookout::Lookout,
    explore::{choice::Choices, exploration::Exploration},
    file::table::Files,
    journal::Journal,
    process::{exit::Exit, population::Population},
    rank::Rank,
    request::{books::Books, polling::Polling, table::Request},
    shortcuts::{Sent, Shortcuts},
    thread::alarms::Alarms,
    timers::Timers,
    tool::Selections,
    transport::{
        message::{Message, Slab},
        wire::Wire,
    },
    window::table::Windows,
};
pub use self::{event::Event, transport::buffer};
use crate::{
    call::{Call, Operation, Reply, Site, WindowCall},
    check::leaks::Leaks,
    finding::Findings,
    noise::Detours,
    outcome::{Choice, Chosen, Late, RankTotals, Reordering, ServerLoads, Started},
    settings::Settings,
    trace::{Record, TraceSink},
};

/// The state of one simulated MPI program.
pub struct MpiKernel {
    pub(crate) settings: Settings,
    shortcuts: Shortcuts,
    pub(crate) ranks: Vec<Rank>,
    pub(crate) messages: Slab<Message>,
    pub(crate) requests: Slab<Request>,
    books: Books,
    polling: Polling,
    comms: Communicators,
    collectives: Collectives,
    selections: Selections,
    windows: Windows,
    /// What happened before what, if the run follows it.
    history: Option<Box<History>>,
    files: Files,
    wire: Wire,
    sent: Sent,
    exploration: Exploration,
    population: Population,
    alarms: Alarms,
    timers: Timers,
    detours: Option<Box<Detours>>,
    pub(crate) journal: Journal,
    lookout: Lookout,
    /// Whether calls are looked at before they begin: in traced runs, in runs that leave data out or follow
    /// what happened before what, with further threads or ranks, where orders of matches are chosen, once a rank listens to
    /// events, and while ranks that were ended by the abort of their communicator share
    /// the run with others.
    attentive: bool,
}

impl MpiKernel {
    /// Creates a kernel for all ranks that the settings place.
    pub fn new(
        settings: Settings,
        network: Box<dyn Network>,
        sink: Option<Box<dyn TraceSink>>,
    ) -> Self {
        let size = settings.nodes.len() as u32;
        let memory = settings.sockets.as_ref().map(|sockets| NodeMemory::new(sockets.shape));
        let mut kernel = Self {
            shortcuts: Shortcuts::new(&settings, sink.is_some()),
            ranks: (0..size).map(Rank::new).collect(),
            messages: Slab::new(),
            requests: Slab::new(),
            books: Books::default(),
            polling: Polling::default(),
            comms: Communicators::new(size),
            collectives: Collectives::new(),
            selections: Selections::default(),
            windows: Windows::new(&settings.matching, settings.idle_polls_max),
            history: None,
            files: Files::new(),
            wire: Wire::new(network, memory, sink.is_some()),
            sent: Sent::default(),
            exploration: Exploration::new(&settings),
            population: Population::new(size, settings.environment.ranks_per_process),
            alarms: Alarms::default(),
            timers: Timers::default(),
            detours: settings.noise.clone().map(|noise| Box::new(Detours::new(noise))),
            attentive: sink.is_some() || settings.environment.carried.is_some(),
            journal: Journal::new(sink),
            lookout: Lookout::new(size),
            settings,
        };
        if kernel.exploration.chooser.defers() {
            kernel.attentive = true;
            kernel.begin_history();
        }
        kernel
    }

    /// Returns what outlives the run: the network, the findings, the choices, the ranks.
    pub(crate) fn into_parts(mut self) -> Remains {
        self.record_undelivered();
        let polled = self.exploration.has_polled();
        let reverses_threads = self.has_reversed_threads();
        let Choices { made, matched, late } = self.exploration.chooser.into_choices();
        Remains {
            wire: self.wire,
            sink: self.journal.sink,
            findings: self.journal.findings,
            leaks: self.journal.leaks,
            repeats: self.exploration.repeats,
            unmet: self.exploration.unmet,
            choices: made,
            matched,
            late,
            reorderings: self.comms.mappings.into_reorderings(),
            started: self.population.processes.into_started(),
            totals: self
                .ranks
                .into_iter()
                .map(|rank| RankTotals { peak_buffered: rank.pool.peak, ..rank.totals })
                .collect(),
            messages: self.sent.messages,
            bytes: self.sent.bytes,
            exit_code: self.population.aborts.code(),
            exits: self.population.exits,
            polled,
            one_sided: self.windows.were_made(),
            competes: self.windows.has_competition(),
            servers: self.files.into_loads(),
            freed: self.books.freed_active,
            cancels: self.books.cancels,
            reverses_threads,
        }
    }

    /// Puts bytes on the wire; `event` happens when they arrive. Returns when the wire begins to take
    /// them.
    pub(crate) fn transfer(
        &mut self,
        from: u32,
        to: u32,
        bytes: u64,
        event: Event,
        s: &mut Sched,
    ) -> SimTime {
        self.transfer_here(from, to, bytes, event, s)
    }

    /// Like [`Self::transfer`], inlined: for blocking sends.
    #[inline(always)]
    pub(crate) fn transfer_here(
        &mut self,
        from: u32,
        to: u32,
        bytes: u64,
        event: Event,
        s: &mut Sched,
    ) -> SimTime {
        let delivery = self.wire.transfer(&self.settings, (from, to), bytes, event, s);
        self.record_links();
        delivery.accepted
    }

    fn tick(&mut self, s: &mut Sched) {
        self.wire.advance(s);
        self.record_links();
    }

    /// Passes the reservations of links to the sink of a traced run.
    #[inline(always)]
    pub(crate) fn record_links(&mut self) {
        if self.wire.logs_links() {
            self.record_logged_links();
        }
    }

    #[inline(never)]
    fn record_logged_links(&mut self) {
        let Some(log) = self.wire.link_log() else { return };
        let Some(sink) = &mut self.journal.sink else { return };
        for busy in log.drain() {
            sink.record(Record::Link { link: busy.link, start: busy.start, end: busy.end });
        }
    }
}

impl MpiKernel {
    /// Dispatches the calls of all families. The arguments are moved out of the call.
    fn dispatch(&mut self, rank: u32, operation: Operation, s: &mut Sched) {
        match operation {
            Operation::Message(mut call) => {
                self.message_call(rank, &mut call, s);
            }
            Operation::Request(mut call) => self.request_call(rank, &mut call, s),
            Operation::Probe(call) => self.probe_call(rank, call, s),
            Operation::Partitioned(call) => self.partitioned_call(rank, call, s),
            Operation::Buffer(call) => self.buffer_call(rank, call, s),
            Operation::Collective(call) => self.collective_call(rank, call, s),
            Operation::Comm(call) => self.comm_call(rank, call, s),
            Operation::Window(call) => self.window_call(rank, call, s),
            Operation::File(call) => self.file_call(rank, call, s),
            Operation::Process(call) => self.process_call(rank, call, s),
            Operation::Port(call) => self.port_call(rank, call, s),
            Operation::Type(call) => self.type_call(rank, call, s),
            Operation::Error(call) => self.error_call(rank, call, s),
            Operation::Report(call) => self.report_call(rank, call, s),
            Operation::Clock(call) => self.clock_call(rank, call, s),
            Operation::Thread(call) => self.thread_call(rank, call, s),
            Operation::Tool(call) => self.tool_call(rank, call, s),
        }
    }
}

/// The parts of a kernel that outlive its run.
pub(crate) struct Remains {
    pub(crate) wire: Wire,
    pub(crate) sink: Option<Box<dyn TraceSink>>,
    pub(crate) findings: Findings,
    pub(crate) leaks: Leaks,
    pub(crate) repeats: Option<usize>,
    pub(crate) matched: Vec<(Site, u32)>,
    pub(crate) late: Vec<Late>,
    pub(crate) unmet: bool,
    pub(crate) choices: Vec<Choice>,
    pub(crate) reorderings: Vec<Reordering>,
    pub(crate) started: Vec<Started>,
    pub(crate) totals: Vec<RankTotals>,
    pub(crate) messages: u64,
    pub(crate) bytes: u64,
    pub(crate) exit_code: Option<i32>,
    pub(crate) exits: Vec<Exit>,
    pub(crate) polled: bool,
    pub(crate) one_sided: bool,
    pub(crate) competes: bool,
    pub(crate) servers: Option<ServerLoads>,
    pub(crate) freed: bool,
    pub(crate) reverses_threads: bool,
    pub(crate) cancels: Option<Chosen>,
}

impl Kernel for MpiKernel {
    type Call = Call;
    type Reply = Reply;
    type Event = Event;

    fn call(&mut self, process: ProcessId, mut call: Pending<'_, Call>, s: &mut Sched) {
        let rank = if self.attentive {
            let Some(rank) = self.look_at(process, &mut call, s) else { return };
            rank
        } else {
            debug_assert!(!self.has_threads(), "calls of threads are looked at");
            process.0
        };
        self.begin(rank, &call, s.now());
        if self.attentive {
            self.make_progress(rank, &call.operation, s);
        }
        if self.polling.has_sleepers() && !self.only_looks(rank, &call.operation) {
            self.wake_sleepers(s);
        }
        // The families of which each message needs some calls are read where they lie.
        match &mut call.operation {
            Operation::Message(message) => {
                if self.message_call(rank, message, s) {
                    call.forget();
                }
            }
            Operation::Request(request) => self.request_call(rank, request, s),
            Operation::Window(window) => {
                let nothing = WindowCall::Sync(window.window());
                let window = std::mem::replace(window, nothing);
                call.forget();
                self.window_call(rank, window, s);
            }
            _ => self.dispatch(rank, call.take().operation, s),
        }
    }

    #[inline(always)]
    fn event(&mut self, event: Event, s: &mut Sched) {
        self.polling.interrupt();
        if self.polling.has_resting() {
            self.wake_for(event, s);
        }
        match event {
            Event::Inject(message) => self.inject(message, s),
            Event::Arrive(message) => self.arrive(message, s),
            Event::Clear(message) => self.clear_to_send(message, s),
            Event::Data(message) => self.data_arrived(message, s),
            Event::Complete(request) => self.complete(request, s),
            Event::Sent(rank) => self.sent(rank, s),
            Event::Round(execution) => self.next_round(execution, s),
            Event::PacketLeaves(packet) => self.packet_leaves(packet, s),
            Event::Packet(packet) => self.packet_arrives(packet, s),
            Event::Open(channel) => self.open_channel(channel, s),
            Event::Part(parcel) => self.part_arrived(parcel, s),
            Event::Alarm(number) => self.alarm(number, s),
            Event::Timer(rank) => self.timer(rank, s),
            Event::Deadline(number) => self.end_docking(number, s),
            Event::Window(flight) => self.window_event(flight, s),
            Event::File(access) => self.file_event(access, s),
            Event::Tick => self.tick(s),
        }
    }

    fn finished(&mut self, process: ProcessId, s: &mut Sched) {
        if self.polling.has_sleepers() {
            self.wake_sleepers(s);
        }
        if self.has_threads() && !self.end_thread(process, s) {
            return;
        }
        self.end_rank(self.rank_of(process), s.now());
    }

    fn computed(&mut self, process: ProcessId, time: SimDuration, s: &mut Sched) {
        self.metered(process, time, s);
    }

    fn stretched(&mut self, process: ProcessId, now: SimTime, time: SimDuration) -> SimDuration {
        let rank = self.rank_of(process);
        self.with_noise(rank, now, time)
    }

    fn foresee(&self, event: &Event) {
        match event {
            Event::Inject(message) | Event::Arrive(message) => self.messages.prefetch(*message),
            Event::PacketLeaves(packet) | Event::Packet(packet) => {
                self.collectives.prefetch(*packet)
            }
            Event::Clear(_)
            | Event::Data(_)
            | Event::Complete(_)
            | Event::Sent(_)
            | Event::Round(_)
            | Event::Open(_)
            | Event::Part(_)
            | Event::Alarm(_)
            | Event::Deadline(_)
            | Event::Timer(_)
            | Event::Window(_)
            | Event::File(_)
            | Event::Tick => {}
        }
    }

    fn process_of(&self, event: &Event) -> Option<ProcessId> {
        match event {
            Event::Arrive(message) | Event::Data(message) => {
                self.messages.get(*message).map(|message| ProcessId(message.target))
            }
            Event::Packet(packet) => self.collectives.receiver(*packet),
            Event::Inject(_)
            | Event::Clear(_)
            | Event::Complete(_)
            | Event::Sent(_)
            | Event::Round(_)
            | Event::PacketLeaves(_)
            | Event::Open(_)
            | Event::Part(_)
            | Event::Alarm(_)
            | Event::Timer(_)
            | Event::Deadline(_)
            | Event::Window(_)
            | Event::File(_)
            | Event::Tick => None,
        }
    }

    fn foresee_related(&self, event: &Event) {
        if let Event::Packet(packet) = event {
            self.foresee_part(*packet);
        }
    }

    fn resumed_by(&self, event: &Event) -> Option<ProcessId> {
        match event {
            Event::Packet(packet) => self.foresee_operands(*packet),
            other => Kernel::process_of(self, other),
        }
    }

    fn foresee_process(&self, process: ProcessId) {
        if let Some(rank) = self.ranks.get(process.0 as usize) {
            sim_core::prefetch(rank);
        }
    }

    fn look(&mut self, s: &mut Sched) {
        self.look_for_flood(s);
        self.look_for_lasting_stall(s);
    }

    fn quiescent(&mut self, s: &mut Sched) -> bool {
        if self.polling.has_sleepers() {
            self.wake_sleepers(s);
            return true;
        }
        self.take_turns(s)
            || self.resolve_wildcard(s)
            || self.resume_timer(s)
            || self.expire_at_port(s)
            || self.poll_on(s)
    }
}
