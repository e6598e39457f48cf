//! [`Receives`]: the receives from any source that a rank has posted and that could take a message now.

use crate::kernel::{
    request::table::{ANY_SOURCE, Pattern, Request},
    transport::{
        matching::Queues,
        message::{Message, Slab},
    },
};

/// The receives from any source of one rank for which there are messages, in the order posted. They are looked for again
/// only after its queues have changed.
#[derive(Default)]
pub(crate) struct Receives {
    /// [`Queues::changes`] when they were looked for.
    changes: u64,
    list: Vec<Ready>,
    /// The same of the probe that the rank was last blocked in.
    probe: Probed,
}

/// The first message of each sender that a probe sees.
#[derive(Default)]
struct Probed {
    changes: u64,
    pattern: Option<Pattern>,
    heads: Vec<u32>,
}

/// A receive that could take a message.
pub(super) struct Ready {
    pub(super) request: u32,
    pub(super) pattern: Pattern,
    /// The first message of each sender, in order of arrival, unless another receive comes first for it.
    pub(super) heads: Vec<u32>,
}

impl Receives {
    /// Returns the receives; `queues` are those of the rank, always the same ones.
    pub(super) fn look(
        &mut self,
        queues: &Queues,
        messages: &Slab<Message>,
        requests: &Slab<Request>,
    ) -> &[Ready] {
        if self.changes != queues.changes() {
            self.changes = queues.changes();
            self.list = find(queues, messages, requests);
        }
        &self.list
    }

    /// Looks for the messages that a probe sees, and returns them.
    pub(super) fn look_for_probe(
        &mut self,
        pattern: Pattern,
        queues: &Queues,
        messages: &Slab<Message>,
        requests: &Slab<Request>,
    ) -> &[u32] {
        let Probed { changes, pattern: known, heads } = &mut self.probe;
        if *changes != queues.changes() || *known != Some(pattern) {
            (*changes, *known) = (queues.changes(), Some(pattern));
            *heads = unclaimed(pattern, queues, messages, requests);
        }
        heads
    }

    /// Returns the messages that a probe sees, as they were found last.
    pub(super) fn heads_of_probe(&self) -> &[u32] {
        &self.probe.heads
    }

    /// Returns the messages that a receive could take, as they were found last.
    pub(super) fn heads(&self, request: u32) -> &[u32] {
        let ready = self.list.iter().find(|ready| ready.request == request);
        ready.map_or(&[], |ready| &ready.heads)
    }
}

/// Returns the first message of each sender that a probe sees: not those that a posted receive will take, though that receive
/// has not chosen yet.
pub(super) fn unclaimed(
    pattern: Pattern,
    queues: &Queues,
    messages: &Slab<Message>,
    requests: &Slab<Request>,
) -> Vec<u32> {
    queues.heads(pattern, messages, |m| queues.first_posted(m, requests).is_none())
}

fn find(queues: &Queues, messages: &Slab<Message>, requests: &Slab<Request>) -> Vec<Ready> {
    let first = |message: u32| queues.first_posted(&messages[message], requests);
    let mut receives: Vec<(u32, Pattern)> = queues
        .firsts()
        .filter_map(first)
        .filter(|(_, pattern)| pattern.source == ANY_SOURCE)
        .collect();
    receives.sort_unstable_by_key(|(request, _)| requests[*request].order);
    receives.dedup();
    let ready = |(request, pattern): (u32, Pattern)| {
        let mut heads = queues.heads(pattern, messages, |_| true);
        heads.retain(|head| first(*head).is_some_and(|(first, _)| first == request));
        Ready { request, pattern, heads }
    };
    receives.into_iter().map(ready).collect()
}
