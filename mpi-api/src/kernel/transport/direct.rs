//! [`Direct`]: the blocking call that a rank is in, if that call needs no request.

use crate::kernel::{request::table::Pattern, transport::message::Message};
use crate::{
    call::{Incoming, Layout, Received},
    object::signature::Signature,
};

/// The blocking send, receive or both that a rank is in.
#[derive(Debug, Default)]
pub(crate) struct Direct {
    pub(super) receive: Receiving,
    /// Whether its message has not entered the network yet.
    pub(super) sending: bool,
}

/// The progress of a blocking call's receive.
#[derive(Debug, Default)]
pub(super) enum Receiving {
    /// The call receives nothing, or there is no call.
    #[default]
    Nothing,
    /// The receive is posted; no message has matched it.
    Posted(Awaited),
    /// The message has arrived; the send of the same call is not done.
    Held(Received, Taking),
    /// The receive has become this request.
    Request(u32),
}

/// A posted receive without a request.
#[derive(Debug)]
pub(super) struct Awaited {
    pub(super) pattern: Pattern,
    pub(super) capacity: u64,
    pub(super) signature: Signature,
    pub(super) layout: Layout,
    /// Its position in the posting order of its rank.
    pub(super) order: u64,
}

/// The handling of a message's data at its receiver, which determines the price of taking them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taking {
    pub(super) layout: Layout,
    /// Whether the receiver copies the data, because they arrived before the receive was posted.
    pub(super) copies: bool,
}

impl Receiving {
    /// Reports whether the value certainly owns no heap memory.
    #[inline(always)]
    fn owns_nothing(&self) -> bool {
        // Comparisons take fewer instructions than the table of a `match` over four.
        matches!(self, Self::Nothing | Self::Request(_))
            || matches!(self, Self::Posted(awaited) if awaited.signature.owns_nothing())
    }
}

impl Awaited {
    #[inline]
    pub(super) fn accepts(&self, m: &Message) -> bool {
        self.pattern.accepts(m.context, m.source_rank, m.tag)
    }

    pub(super) fn incoming(self) -> Incoming {
        let Self { pattern, capacity, signature, layout, .. } = self;
        let (comm, source, tag) = pattern.wanted();
        Incoming { comm, source, tag, capacity, signature, layout }
    }
}

impl Direct {
    /// Sets the receive of the call.
    // Whatever owns no memory is overwritten without being dropped, which would be a call.
    #[inline(always)]
    pub(super) fn set(&mut self, receive: Receiving) {
        if self.receive.owns_nothing() {
            std::mem::forget(std::mem::replace(&mut self.receive, receive));
        } else {
            self.receive = receive;
        }
    }

    /// Returns the pattern of the receive, its size in bytes and its position in the posting order
    /// of its rank, while no message has matched it.
    pub(crate) fn posted(&self) -> Option<(Pattern, u64, u64)> {
        match &self.receive {
            Receiving::Posted(awaited) => Some((awaited.pattern, awaited.capacity, awaited.order)),
            Receiving::Nothing | Receiving::Held(..) | Receiving::Request(_) => None,
        }
    }

    /// Returns the types of the receive, while no message has matched it.
    pub(in crate::kernel) fn posted_types(&self) -> Option<&Signature> {
        match &self.receive {
            Receiving::Posted(awaited) => Some(&awaited.signature),
            Receiving::Nothing | Receiving::Held(..) | Receiving::Request(_) => None,
        }
    }

    /// Reports whether its message has not entered the network yet.
    pub(in crate::kernel) fn is_sending(&self) -> bool {
        self.sending
    }

    /// Returns the request that the receive has become.
    pub(crate) fn request(&self) -> Option<u32> {
        match &self.receive {
            Receiving::Request(request) => Some(*request),
            Receiving::Nothing | Receiving::Posted(_) | Receiving::Held(..) => None,
        }
    }

    /// Reports whether a receive is posted that would take this message.
    pub(crate) fn awaits(&self, m: &Message) -> bool {
        matches!(&self.receive, Receiving::Posted(awaited) if awaited.accepts(m))
    }
}
