//! Requests to the servers on their way: through the cache of their node, through the network if the servers
//! are nodes of it, and through the queues of the servers.

use network_models::NodeId;
use sim_core::SimTime;

use super::{
    errand::{Door, Errand, Part, Then, Way},
    plan::Step,
};
use crate::{
    call::Direction,
    kernel::{Event, MpiKernel, Sched},
};

impl MpiKernel {
    /// Begins an errand at a time, which is now or later.
    pub(super) fn begin_errand(&mut self, errand: Errand, at: SimTime, s: &mut Sched) {
        let errand = self.files.errands.insert(errand);
        if at > s.now() && self.travels() {
            return self.file_way(Way::Done(errand), at, s);
        }
        let Some(step) = self.files.errands[errand].steps.pop_front() else {
            return self.file_way(Way::Done(errand), at, s);
        };
        self.ask(errand, step, at, s);
    }

    /// Reports whether requests pass the network or a cache, so that their times follow from events.
    fn travels(&self) -> bool {
        let model = &self.settings.filesystem;
        !model.server_nodes.is_empty() || model.cache.is_some()
    }

    /// Schedules the next stage of something.
    fn file_way(&mut self, way: Way, at: SimTime, s: &mut Sched) {
        let way = self.files.ways.insert(way);
        s.schedule(at, Event::File(way));
    }

    /// Lets something reach the next stage of its way.
    pub(in crate::kernel) fn file_event(&mut self, way: u32, s: &mut Sched) {
        match *self.files.ways.remove(way) {
            Way::Done(errand) => self.next_step(errand, s),
            Way::ToServer(errand, part) => {
                let model = &self.settings.filesystem;
                let share = (part.server, part.bytes);
                let done = self.files.servers.serve(model, share, part.direction, s.now());
                self.file_way(Way::AtServer(errand, part), done, s);
            }
            Way::AtServer(errand, part) => self.answer_of_server(errand, part, s),
            Way::Back(errand) => {
                let open = &mut self.files.errands[errand].open;
                *open -= 1;
                if *open == 0 {
                    self.next_step(errand, s);
                }
            }
            Way::Piece(exchange, aggregator) => self.piece_arrived(exchange, aggregator, s),
        }
    }

    fn next_step(&mut self, errand: u32, s: &mut Sched) {
        if let Some(step) = self.files.errands[errand].steps.pop_front() {
            let now = s.now();
            return self.ask(errand, step, now, s);
        }
        let done = *self.files.errands.remove(errand);
        match done.then {
            Then::Access(access) => self.access_done(access, s),
            Then::Plain(ticket) => {
                let now = s.now();
                self.end_plain(done.rank, ticket, now, s);
            }
            Then::Round(exchange, aggregator) => self.round_done(exchange, aggregator, s),
            Then::Drained(bytes) => {
                let node = self.node_of(done.rank).0;
                if self.files.caches.drained(node, done.door, bytes) {
                    match done.door {
                        Door::Mpi(file) => self.resume_after_drain(file, s),
                        Door::Plain(file) => self.resume_plain(node, file, s),
                    }
                }
            }
        }
    }

    pub(super) fn node_of(&self, rank: u32) -> NodeId {
        self.settings.nodes[rank as usize]
    }

    /// Makes a request: of the cache first, then of the servers.
    fn ask(&mut self, errand: u32, mut step: Step, now: SimTime, s: &mut Sched) {
        let Some(cache) = self.settings.filesystem.cache else {
            return self.ask_servers(errand, step, now, s);
        };
        let present = &self.files.errands[errand];
        if matches!(present.then, Then::Drained(_)) {
            return self.ask_servers(errand, step, now, s);
        }
        let (node, name, door) = (self.node_of(present.rank).0, present.name, present.door);
        let copied = now + cache.byte_time.time_for(step.bytes);
        let run = (step.at, step.bytes);
        let most = cache.bytes;
        match step.direction {
            Direction::Read => match self.files.caches.read(node, name, run, most) {
                None => return self.file_way(Way::Done(errand), copied, s),
                Some((at, bytes)) => (step.at, step.bytes) = (at, bytes),
            },
            Direction::Write => {
                if self.files.caches.write((node, name), door, run, most) {
                    self.file_way(Way::Done(errand), copied, s);
                    let present = &self.files.errands[errand];
                    let (striping, rank) = (present.striping, present.rank);
                    let (steps, then) = ([step].into(), Then::Drained(step.bytes));
                    let drain = Errand { door, name, striping, rank, steps, open: 0, then };
                    return self.begin_errand(drain, now, s);
                }
            }
        }
        self.ask_servers(errand, step, now, s);
    }

    /// Sends a request to the servers that hold its bytes.
    fn ask_servers(&mut self, errand: u32, step: Step, now: SimTime, s: &mut Sched) {
        let model = &self.settings.filesystem;
        let (striping, rank) = {
            let errand = &self.files.errands[errand];
            (errand.striping, errand.rank)
        };
        let shares = striping.shares(model, (step.at, step.bytes));
        if model.server_nodes.is_empty() {
            let servers = &mut self.files.servers;
            let booked = shares.map(|share| servers.serve(model, share, step.direction, now));
            let done = booked.max().unwrap_or(now);
            return self.file_way(Way::Done(errand), done, s);
        }
        let parts: Vec<Part> = shares
            .map(|(server, bytes)| Part { server, bytes, direction: step.direction })
            .collect();
        if parts.is_empty() {
            return self.file_way(Way::Done(errand), now, s);
        }
        self.files.errands[errand].open = parts.len() as u32;
        for part in parts {
            let ends = (self.node_of(rank), self.node_of_server(part.server));
            let bytes = match part.direction {
                Direction::Read => 0,
                Direction::Write => part.bytes,
            };
            self.carry(ends, bytes, Way::ToServer(errand, part), s);
        }
    }

    /// Sends the answer of a server, with the data of a read.
    fn answer_of_server(&mut self, errand: u32, part: Part, s: &mut Sched) {
        let rank = self.files.errands[errand].rank;
        let ends = (self.node_of_server(part.server), self.node_of(rank));
        let bytes = match part.direction {
            Direction::Read => part.bytes,
            Direction::Write => 0,
        };
        self.carry(ends, bytes, Way::Back(errand), s);
    }

    fn node_of_server(&self, server: u32) -> NodeId {
        let nodes = &self.settings.filesystem.server_nodes;
        nodes[server as usize % nodes.len()]
    }

    fn carry(&mut self, ends: (NodeId, NodeId), bytes: u64, way: Way, s: &mut Sched) {
        let way = self.files.ways.insert(way);
        self.wire.carry(ends, bytes, Event::File(way), s);
        self.record_links();
    }

    /// Sends data between a rank and an aggregator.
    pub(super) fn send_piece(&mut self, ends: (u32, u32), bytes: u64, way: Way, s: &mut Sched) {
        let way = self.files.ways.insert(way);
        self.transfer(ends.0, ends.1, bytes, Event::File(way), s);
    }
}
