//! Messages that go straight to their receive: eager ones that fit, in a run that looks at no single
//! message. Whatever is unusual takes the general path of `receive.rs`, before it has had any effect.

use crate::{
    call::{Payload, Received},
    kernel::{
        MpiKernel, Sched,
        request::table::Kind,
        transport::{
            direct::{Direct, Receiving, Taking},
            message::{Message, NONE, Vacate},
            protocol::receiver_copies,
        },
    },
    object::signature::Signature,
    trace::Protocol,
};

/// Reports whether a message goes straight to a receive that accepts its envelope.
#[inline(always)]
pub(super) fn fits(m: &Message, capacity: u64, signature: &Signature) -> bool {
    m.protocol == Protocol::Eager && m.bytes() <= capacity && signature.takes(&m.signature)
}

/// What a receive takes out of a message, and what the sender gets back.
pub(super) struct Taken {
    received: Received,
    id: u64,
    source: u32,
    bytes: u64,
    pooled: bool,
    attached: bool,
}

impl Taken {
    /// Moves the data out of a message, whose record is vacant then.
    #[inline(always)]
    pub(super) fn out_of(m: &mut Message) -> Self {
        let (id, source, bytes) = (m.id, m.source, m.bytes());
        let payload = std::mem::replace(&mut m.payload, Payload::EMPTY);
        let received = Received { source: m.source_rank, tag: m.tag, payload };
        let (pooled, attached) = (m.pooled, m.attached);
        m.vacate();
        Self { received, id, source, bytes, pooled, attached }
    }

    /// Moves the data out of a message for which its receiver waits in a blocking call, if the message
    /// fits the receive.
    #[inline(always)]
    pub(super) fn straight(m: &mut Message, direct: &mut Direct) -> Option<(Self, Taking)> {
        let Receiving::Posted(awaited) = &direct.receive else { return None };
        let fits =
            !m.cancelled && awaited.accepts(m) && fits(m, awaited.capacity, &awaited.signature);
        if !fits {
            return None;
        }
        let taking = Taking { layout: awaited.layout, copies: receiver_copies(m.protocol, false) };
        direct.set(Receiving::Nothing);
        Some((Self::out_of(m), taking))
    }
}

impl MpiKernel {
    /// Admits an envelope if it is the next one of its sender, and keeps it for later if not. Returns
    /// its sender and its receiver if others are kept there that may be next.
    // Message and rank are looked up once for the usual case, a receive that waits for the message.
    #[inline(always)]
    pub(super) fn admit_in_turn(&mut self, message: u32, s: &mut Sched) -> Option<(u32, u32)> {
        let m = &mut self.messages[message];
        let (source, target) = (m.source, m.target);
        let state = &mut self.ranks[target as usize];
        let expected = state.expected.or_default(source);
        if *expected != m.sequence {
            state.early.push(message);
            return None;
        }
        *expected += 1;
        let others = !state.early.is_empty();
        match Taken::straight(m, &mut state.direct) {
            Some(straight) => self.end_straight((message, target), straight, s),
            None => self.admit(message, s),
        }
        others.then_some((source, target))
    }

    /// Removes a message whose data its receive has taken, and gives its sender back what it held.
    #[inline(always)]
    pub(super) fn settle(&mut self, message: u32, taken: Taken, s: &mut Sched) -> Received {
        s.record(taken.id);
        if taken.attached {
            self.leave_attached(taken.source, taken.id, s);
        }
        self.messages.give_back(message);
        if taken.pooled {
            self.release_room(taken.source, taken.bytes, s);
        }
        taken.received
    }

    /// Gives an eager message to the posted receive that it fits: what [`MpiKernel::match_pair`] comes to
    /// in a run that looks at no single message, with one look at each record. False, without any
    /// effect, if more is to be done.
    #[inline(always)]
    pub(super) fn fill_posted(&mut self, message: u32, request: u32, s: &mut Sched) -> bool {
        let (m, r) = (&mut self.messages[message], &mut self.requests[request]);
        let Kind::Receive(incoming) = &r.kind else { return false };
        if !self.shortcuts.direct || !fits(m, incoming.capacity, &incoming.signature) {
            return false;
        }
        let copies = r.copies;
        let taken = Taken::out_of(m);
        let received = self.settle(message, taken, s);
        let r = &mut self.requests[request];
        r.message = NONE;
        r.fill(received, copies);
        self.complete(request, s);
        true
    }

    /// Ends the receive of a rank that waits for this message in a blocking call.
    #[inline(always)]
    pub(super) fn end_straight(
        &mut self,
        (message, target): (u32, u32),
        (taken, taking): (Taken, Taking),
        s: &mut Sched,
    ) {
        let received = self.settle(message, taken, s);
        let state = &mut self.ranks[target as usize];
        if state.direct.sending {
            state.direct.set(Receiving::Held(received, taking));
            return;
        }
        state.unblock_directly();
        self.end_direct_receive(target, received, taking, s);
    }
}
