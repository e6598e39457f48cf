//! What programs do with files by their language, where that takes simulated time: the same requests to
//! the same servers as those of MPI, through the same caches and network. The bytes are moved by the program.

use sim_core::SimTime;

use super::{
    errand::{Door, Errand, Then},
    plan::Step,
    servers::Striping,
    table::Draining,
};
use crate::{
    call::{Direction, PlainCall, Reply},
    kernel::{MpiKernel, Sched, request::completion::Blocked, transport::receive::FREE},
    object::hints::FileHints,
};

impl MpiKernel {
    /// Executes what a program does with a file by its language.
    pub(super) fn plain_call(&mut self, rank: u32, call: PlainCall, s: &mut Sched) {
        match call {
            PlainCall::Number(name) => {
                let number = self.files.use_plainly(&name);
                let now = s.now();
                self.answer(rank, now, FREE, Reply::Object(number), s);
            }
            PlainCall::Administer(_) => {
                let done = self.files.servers.administer(&self.settings.filesystem, s.now());
                self.return_from_storage(rank, done, s);
            }
            PlainCall::Access(file, direction, at, bytes) => {
                self.access_plainly(rank, file, (direction, at, bytes), s);
            }
            PlainCall::Sync(file) => self.drain_plainly((rank, file), false, s),
            PlainCall::Close(file) => self.drain_plainly((rank, file), true, s),
        }
    }

    /// Lets a rank go on at a time, until when it has waited for the file system.
    fn return_from_storage(&mut self, rank: u32, at: SimTime, s: &mut Sched) {
        self.note_file_wait(rank, at);
        self.answer(rank, at, FREE, Reply::Done, s);
    }

    /// Lets a rank wait until the servers have what its node has written to a file, and close it if it `closes` it.
    fn drain_plainly(&mut self, (rank, file): (u32, u32), closes: bool, s: &mut Sched) {
        let node = self.node_of(rank).0;
        if self.files.caches.is_draining(node, Door::Plain(file)) {
            let ticket = self.wait_for_storage(rank);
            return self.files.plain_later.push(Draining { rank, file, ticket, closes });
        }
        let at = self.drained(closes, s.now());
        self.return_from_storage(rank, at, s);
    }

    /// Returns when a rank goes on whose file is stored.
    fn drained(&mut self, closes: bool, now: SimTime) -> SimTime {
        if closes { self.files.servers.administer(&self.settings.filesystem, now) } else { now }
    }

    /// Lets a rank wait for the file system; returns the number under which it does.
    fn wait_for_storage(&mut self, rank: u32) -> u32 {
        let ticket = self.files.tickets;
        self.files.tickets = ticket.wrapping_add(1);
        self.ranks[rank as usize].blocked = Some(Blocked::Storage(ticket));
        ticket
    }

    fn access_plainly(
        &mut self,
        rank: u32,
        file: u32,
        (direction, at, bytes): (Direction, u64, u64),
        s: &mut Sched,
    ) {
        let Some(number) = self.files.plain.get(&file).copied().filter(|_| bytes > 0) else {
            return self.done(rank, s);
        };
        let striping = Striping::of(&self.settings.filesystem, FileHints::default(), number);
        let step = Step { direction, at: at as i64, bytes };
        let ticket = self.wait_for_storage(rank);
        let (door, then) = (Door::Plain(file), Then::Plain(ticket));
        let errand =
            Errand { door, name: file, striping, rank, steps: [step].into(), open: 0, then };
        let now = s.now();
        self.begin_errand(errand, now, s);
    }

    /// Lets the rank go on that waits for the file system under this number, at a time.
    pub(super) fn end_plain(&mut self, rank: u32, ticket: u32, at: SimTime, s: &mut Sched) {
        let waits = |blocked: &Blocked| matches!(blocked, Blocked::Storage(of) if *of == ticket);
        let before = self.wake_whom(rank, waits);
        let ended = self.ranks[rank as usize].blocked.take_if(|blocked| waits(blocked)).is_some();
        if ended {
            self.return_from_storage(rank, at, s);
        }
        self.switch_back(rank, before);
    }

    /// Lets those go on that have waited until the servers have what this node had written to a file.
    pub(super) fn resume_plain(&mut self, node: u32, file: u32, s: &mut Sched) {
        let waiting = std::mem::take(&mut self.files.plain_later);
        let (free, still): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|one| one.file == file && self.node_of(one.rank).0 == node);
        self.files.plain_later = still;
        for Draining { rank, ticket, closes, .. } in free {
            let at = self.drained(closes, s.now());
            self.end_plain(rank, ticket, at, s);
        }
    }
}
