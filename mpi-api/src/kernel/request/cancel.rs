//! Cancelling communication (MPI section 3.8.4).

use crate::call::{Reply, RequestId};
use crate::kernel::{
    MpiKernel, Sched,
    request::{
        books::Cancelled,
        table::{Kind, Pattern, State},
    },
    transport::message::{NONE, Phase, Sender},
    transport::receive::FREE,
};
use crate::outcome::{Among, Chosen};

impl MpiKernel {
    /// Executes `MPI_Cancel`: the call succeeds; the operation is cancelled unless its message has
    /// been matched. A send whose data the system has taken can still be cancelled (MPI section
    /// 3.8.4).
    pub(crate) fn cancel(&mut self, rank: u32, id: RequestId, s: &mut Sched) {
        if let Some(index) = self.live(id) {
            if self.requests[index].state != State::Inactive {
                let by = self.ranks[rank as usize].chooses(rank);
                let by = Chosen { among: Among::Cancellation, ..by };
                self.books.cancels.get_or_insert(by);
            }
            match (&self.requests[index].kind, self.requests[index].state) {
                (_, State::Inactive) => {}
                (Kind::Send(_), _) => self.cancel_send(index, s),
                (Kind::Receive(_), State::Active) => self.cancel_receive(rank, index, s),
                _ => {}
            }
        }
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Done, s);
    }

    fn cancel_receive(&mut self, rank: u32, index: u32, s: &mut Sched) {
        if self.parts(index).is_some() {
            return;
        }
        let request = &self.requests[index];
        let Some(incoming) = request.incoming().filter(|_| request.message == NONE) else { return };
        let pattern = Pattern::of(incoming.comm, incoming.source, incoming.tag);
        self.ranks[rank as usize].queues.unpost(pattern, index, &mut self.requests);
        self.requests[index].status.cancelled = true;
        self.complete(index, s);
    }

    /// Withdraws a message that nothing has matched.
    fn cancel_send(&mut self, index: u32, s: &mut Sched) {
        let (message, number) = (self.requests[index].message, self.requests[index].sent);
        let Some(m) = self.messages.get_mut(message) else { return };
        if m.id != number || m.phase == Phase::Matched || m.cancelled {
            return;
        }
        // A send whose data have been taken completes by itself.
        let waits = std::mem::replace(&mut m.sender, Sender::Gone) != Sender::Gone;
        m.in_line = false;
        let (phase, target) = (m.phase, m.target as usize);
        let cancelled = Cancelled {
            send: m.place(),
            target: m.target,
            context: m.context,
            source: m.source_rank,
            tag: m.tag,
        };
        self.books.note_cancelled(cancelled);
        self.release_pool(message, s);
        self.release_attached(message, s);
        if phase == Phase::Unexpected {
            self.ranks[target].queues.take(message, &mut self.messages);
            self.drop_message(message);
        } else {
            self.messages[message].cancelled = true;
        }
        self.requests[index].status.cancelled = true;
        if waits {
            self.complete(index, s);
        }
    }
}
