//! [`Wire`]: the network model, and the events of transfers that are under way on it.

use network_models::{
    Copying, Delivery, LinkLog, LinkUsage, Network, NetworkDeadlock, NodeId, NodeMemory,
    PacketLosses, Progress, RankSockets, Report, Topology, Transfer, TransferId,
};
use rustc_hash::FxHashMap;
use sim_core::{SimDuration, SimTime};

use crate::{
    kernel::{Event, Sched},
    settings::Settings,
};

/// The network model and the transfers under way on it.
pub(crate) struct Wire {
    network: Box<dyn Network>,
    /// Carries transfers within nodes that have sockets.
    memory: Option<NodeMemory>,
    copying: Copying,
    transfers: u64,
    /// Transfers whose arrival, and maybe release, the model reports later.
    pending: FxHashMap<u64, Pending>,
    /// What the transfer injected last takes between NICs and ranks, if the model reports its arrival
    /// later.
    late: SimDuration,
    /// The time for which the alarm of an event-driven model is set.
    alarm: Option<SimTime>,
    reports: Vec<Report>,
    logs_links: bool,
    /// When all ranks had ended, and how much the links had been used by then.
    at_end: Option<(SimTime, Vec<LinkUsage>)>,
}

/// The events of a transfer that the model reports on later.
struct Pending {
    released: Option<Event>,
    arrived: Option<Event>,
    /// Time from the arrival of the network to that at the rank.
    late: SimDuration,
}

impl Wire {
    /// Creates a wire for a network on which nothing is under way, and for nodes with sockets the
    /// memory within them. `traced` switches the network's log of links on.
    pub(crate) fn new(
        mut network: Box<dyn Network>,
        memory: Option<NodeMemory>,
        traced: bool,
    ) -> Self {
        let log = network.link_log().filter(|_| traced);
        let logs_links = log.map(LinkLog::switch_on).is_some();
        Self {
            network,
            memory,
            copying: Copying::default(),
            transfers: 0,
            pending: FxHashMap::default(),
            late: SimDuration::ZERO,
            alarm: None,
            reports: Vec::new(),
            logs_links,
            at_end: None,
        }
    }

    /// Injects a transfer between two places of the network.
    #[inline(always)]
    fn inject(&mut self, now: SimTime, (source, target): (NodeId, NodeId), bytes: u64) -> Delivery {
        let id = TransferId(self.transfers);
        self.transfers += 1;
        let delivery = self.network.inject(now, Transfer { id, source, target, bytes });
        // The author of a model learns of a mistake in builds for development.
        debug_assert!(
            delivery.is_after(now),
            "the network model delivers before {now}: {delivery:?}"
        );
        delivery
    }

    /// Injects a transfer between two ranks on nodes with sockets: within a node into its memory, else
    /// into the network between their NICs.
    #[inline(never)]
    fn inject_from_sockets(
        &mut self,
        now: SimTime,
        sockets: &RankSockets,
        (from, to): (u32, u32),
        (source, target): (NodeId, NodeId),
        bytes: u64,
    ) -> Delivery {
        if let Some(memory) = self.memory.as_mut().filter(|_| source == target) {
            self.transfers += 1;
            let at = (sockets.of(from), sockets.of(to));
            let time = memory.copies(at, bytes);
            let copy = |begins| memory.carry((now, begins), source, at, bytes);
            return self.copying.carry(now, (from, to), time, copy);
        }
        let Some(ports) = &sockets.ports else { return self.inject(now, (source, target), bytes) };
        let ((source, out), (target, into)) = (ports.of(from, source), ports.of(to, target));
        let mut delivery = self.inject(now, (source, target), bytes);
        match delivery.flight.as_mut().and_then(|flight| flight.arrival.as_mut()) {
            Some(arrival) => *arrival += out + into,
            None => self.late = out + into,
        }
        delivery
    }

    /// Injects a transfer between two ranks of a node without sockets.
    #[inline(never)]
    fn inject_within(
        &mut self,
        now: SimTime,
        ranks: (u32, u32),
        node: NodeId,
        bytes: u64,
    ) -> Delivery {
        let delivery = self.inject(now, (node, node), bytes);
        // Within a node the models let nothing wait.
        let later = |begins: SimTime| {
            let (wait, mut delivery) = (begins.since(now), delivery);
            if let Some(flight) = &mut delivery.flight {
                flight.released += wait;
                flight.arrival.iter_mut().for_each(|arrival| *arrival += wait);
            }
            delivery
        };
        let time = delivery.flight.map_or(SimDuration::ZERO, |flight| flight.released.since(now));
        self.copying.carry(now, ranks, time, later)
    }

    /// Injects a transfer between two ranks and schedules the event of its arrival.
    #[inline(always)]
    pub(crate) fn transfer(
        &mut self,
        settings: &Settings,
        (from, to): (u32, u32),
        bytes: u64,
        event: Event,
        s: &mut Sched,
    ) -> Delivery {
        let Settings { nodes, sockets, .. } = settings;
        let ends = (nodes[from as usize], nodes[to as usize]);
        let delivery = match sockets {
            None if ends.0 == ends.1 => self.inject_within(s.now(), (from, to), ends.0, bytes),
            None => self.inject(s.now(), ends, bytes),
            Some(sockets) => self.inject_from_sockets(s.now(), sockets, (from, to), ends, bytes),
        };
        s.record(u64::from(from) << 32 | u64::from(to));
        s.record(bytes);
        self.on_arrival(delivery, event, s);
        delivery
    }

    /// Injects a transfer between two nodes, past their sockets, and schedules the event of its arrival.
    pub(crate) fn carry(
        &mut self,
        ends: (NodeId, NodeId),
        bytes: u64,
        event: Event,
        s: &mut Sched,
    ) {
        let delivery = self.inject(s.now(), ends, bytes);
        self.on_arrival(delivery, event, s);
    }

    /// Schedules the event of the arrival of the transfer injected last.
    #[inline(always)]
    fn on_arrival(&mut self, delivery: Delivery, event: Event, s: &mut Sched) {
        match delivery.arrival() {
            Some(arrival) => s.schedule_here(arrival, event),
            None => self.await_arrival(event, s),
        }
    }

    /// Stores the event of the arrival of the transfer injected last, which the model reports later.
    #[inline(never)]
    fn await_arrival(&mut self, event: Event, s: &mut Sched) {
        let late = std::mem::take(&mut self.late);
        let pending = Pending { released: None, arrived: Some(event), late };
        self.pending.insert(self.transfers - 1, pending);
        self.set_alarm(s);
    }

    /// Stores the event of the release of the transfer injected last, if the model reports that
    /// later.
    pub(crate) fn on_release(&mut self, event: Event) {
        if let Some(pending) = self.pending.get_mut(&(self.transfers - 1)) {
            pending.released = Some(event);
        }
    }

    /// Advances an event-driven model and schedules what its reports set off.
    pub(crate) fn advance(&mut self, s: &mut Sched) {
        if self.alarm.is_some_and(|alarm| alarm <= s.now()) {
            self.alarm = None;
        }
        let Some(model) = self.network.event_driven() else { return };
        model.advance(s.now(), &mut self.reports);
        for Report { id, progress, time } in self.reports.drain(..) {
            let (event, time) = match progress {
                Progress::Released => {
                    (self.pending.get_mut(&id.0).and_then(|pending| pending.released.take()), time)
                }
                Progress::Arrived => match self.pending.remove(&id.0) {
                    Some(pending) => (pending.arrived, time + pending.late),
                    None => (None, time),
                },
            };
            if let Some(event) = event {
                s.schedule(time, event);
            }
        }
        self.set_alarm(s);
    }

    /// Keeps one alarm set to the model's next time. An outdated alarm still goes off but does
    /// nothing.
    fn set_alarm(&mut self, s: &mut Sched) {
        let next = self.network.event_driven().and_then(|model| model.next_time());
        if let Some(next) = next
            && self.alarm.is_none_or(|alarm| next < alarm)
        {
            self.alarm = Some(next);
            s.schedule(next, Event::Tick);
        }
    }

    /// Reports whether the run is traced and the model keeps a log of its links.
    #[inline]
    pub(crate) fn logs_links(&self) -> bool {
        self.logs_links
    }

    /// Returns the log of links of a traced run, if the model keeps one.
    pub(crate) fn link_log(&mut self) -> Option<&mut LinkLog> {
        if self.logs_links { self.network.link_log() } else { None }
    }

    /// Returns the topology whose distances count; `None` for models without links.
    pub(crate) fn topology(&self) -> Option<&Topology> {
        self.network.links().map(|links| links.topology)
    }

    /// Returns why messages under way never arrive, if they wait for each other inside the network.
    pub(crate) fn deadlock(&self) -> Option<NetworkDeadlock> {
        self.network.deadlock()
    }

    /// Notes that all ranks have ended. What is under way goes on, but no longer belongs to the run: messages that
    /// nobody receives.
    pub(crate) fn note_end(&mut self, end: SimTime) {
        self.at_end = Some((end, self.network.usage_until(end)));
    }

    /// Returns how much each link was used in a run that ended at `end`; nothing for models without links.
    pub(crate) fn link_usage(&mut self, end: SimTime) -> Vec<LinkUsage> {
        match self.at_end.take() {
            Some((noted, usage)) if noted == end => usage,
            Some(_) | None => self.network.usage_until(end),
        }
    }

    /// Returns what happened to packets; `None` for models that drop none.
    pub(crate) fn losses(&self) -> Option<PacketLosses> {
        self.network.losses()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use network_models::{EventDriven, Flight};
    use sim_core::{
        Kernel, Limits, Outcome, Pending as Made, ProcessId, SimDuration, Simulation, TieBreak,
    };

    use super::*;
    use crate::call::Reply;

    fn at(ns: u64) -> SimTime {
        SimTime::ZERO + SimDuration::from_ns(ns)
    }

    /// A network on which a byte takes 1 ns to leave and the whole message another 5 ns to arrive.
    struct Slow {
        /// Whether flights are known at once.
        foresees: bool,
        reports: Vec<Report>,
    }

    impl Network for Slow {
        fn inject(&mut self, now: SimTime, transfer: Transfer) -> Delivery {
            let released = now + SimDuration::from_ns(transfer.bytes);
            let arrival = released + SimDuration::from_ns(5);
            if self.foresees {
                let flight = Some(Flight { released, arrival: Some(arrival) });
                return Delivery { accepted: now, flight };
            }
            let id = transfer.id;
            self.reports.push(Report { id, progress: Progress::Released, time: released });
            self.reports.push(Report { id, progress: Progress::Arrived, time: arrival });
            Delivery { accepted: now, flight: None }
        }

        fn event_driven(&mut self) -> Option<&mut dyn EventDriven> {
            if self.foresees { None } else { Some(self) }
        }
    }

    impl EventDriven for Slow {
        fn next_time(&self) -> Option<SimTime> {
            self.reports.iter().map(|report| report.time).min()
        }

        fn advance(&mut self, now: SimTime, reports: &mut Vec<Report>) {
            self.reports.sort_by_key(|report| (report.time, report.id));
            let known = self.reports.partition_point(|report| report.time <= now);
            reports.extend(self.reports.drain(..known));
        }
    }

    /// A kernel that only puts messages of this many bytes on the wire.
    struct Post {
        wire: Wire,
        posted: u32,
        /// Times and names of events, with the number of the message.
        seen: Vec<(SimTime, &'static str, u32)>,
    }

    impl Kernel for Post {
        type Call = u64;
        type Reply = Reply;
        type Event = Event;

        fn call(&mut self, process: ProcessId, bytes: Made<'_, u64>, s: &mut Sched) {
            let delivery = self.wire.inject(s.now(), (NodeId(0), NodeId(1)), *bytes);
            self.wire.on_arrival(delivery, Event::Arrive(self.posted), s);
            self.wire.on_release(Event::Sent(self.posted));
            self.posted += 1;
            let now = s.now();
            s.reply(process, now, Reply::Done);
        }

        fn event(&mut self, event: Event, s: &mut Sched) {
            match event {
                Event::Arrive(message) => self.seen.push((s.now(), "arrives", message)),
                Event::Sent(message) => self.seen.push((s.now(), "has left", message)),
                Event::Tick => self.wire.advance(s),
                other => panic!("{other:?} was never scheduled"),
            }
        }

        fn finished(&mut self, _process: ProcessId, _s: &mut Sched) {}

        fn quiescent(&mut self, _s: &mut Sched) -> bool {
            false
        }
    }

    /// Puts two messages on the wire, the longer one first, and returns what happens.
    fn events(foresees: bool) -> Vec<(SimTime, &'static str, u32)> {
        let network = Box::new(Slow { foresees, reports: Vec::new() });
        let post = Post { wire: Wire::new(network, None, false), posted: 0, seen: Vec::new() };
        let mut simulation = Simulation::new(post, Limits::standard(), TieBreak::InsertionOrder);
        simulation.spawn(Rc::new(|port| {
            port.call(10);
            port.call(3);
        }));
        let (outcome, post, _) = simulation.run();
        assert!(matches!(outcome, Outcome::Completed), "{outcome:?}");
        post.seen
    }

    #[test]
    fn an_earlier_report_moves_the_alarm() {
        let expected = [
            (at(3), "has left", 1),
            (at(8), "arrives", 1),
            (at(10), "has left", 0),
            (at(15), "arrives", 0),
        ];
        assert_eq!(events(false), expected);
    }

    #[test]
    fn arrivals_do_not_depend_on_when_they_are_known() {
        let arrivals = |mut seen: Vec<(SimTime, &'static str, u32)>| {
            seen.retain(|(_, what, _)| *what == "arrives");
            seen
        };
        assert_eq!(arrivals(events(true)), arrivals(events(false)));
    }
}
