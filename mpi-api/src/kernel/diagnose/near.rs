//! The nearest miss of a stall: a receive and a message that would have met but for one argument.

use crate::{
    call::{CommId, Site},
    check::{
        near_miss::{Differs, NearMiss},
        waiting::Awaits,
    },
    finding::{CallPlace, CallSite, Finding},
    kernel::{
        MpiKernel,
        request::{
            books::{Cancelled, Idle},
            completion::Blocked,
            table::{ANY_SOURCE, ANY_TAG, Kind, Owner, Pattern, State},
        },
        transport::message::{Message, NONE, Sender},
    },
    object::signature::Signature,
};

/// Most pairs of messages and receives that are compared; a stall with more is explained without.
const PAIRS_MAX: usize = 1 << 22;

/// A receive or probe that no message has matched.
struct Posted {
    rank: u32,
    pattern: Pattern,
    call: &'static str,
    site: Site,
    /// Size of its buffer in bytes; a probe has none.
    bytes: Option<u64>,
    /// Types of its buffer.
    types: Option<Signature>,
    /// Whether its rank is blocked until it is complete.
    awaited: bool,
    /// Position in the posting order of its rank.
    order: u64,
}

/// Reports whether a receive or probe takes every message of its communicator.
fn takes_any(pattern: &Pattern) -> bool {
    pattern.source == ANY_SOURCE && pattern.tag == ANY_TAG
}

impl MpiKernel {
    /// Returns the receive and the message that nearly match, one of them of a rank in `blamed`;
    /// of several such pairs, the one that tells most. The ranks of `polling` poll for ever.
    pub(super) fn near_miss(&self, blamed: &[u32], polling: &[u32]) -> Option<NearMiss> {
        let posted = self.posted(polling);
        let mut sent: Vec<&Message> = self.messages.iter().map(|(_, message)| message).collect();
        sent.retain(|m| m.context % 2 == 0 && !m.cancelled && m.receive_request == NONE);
        // Slots are in an order that says nothing.
        sent.sort_unstable_by_key(|message| message.id);
        let taken = self.taken(&posted, &sent, blamed);
        sent.retain(|m| self.books.taker(m.id).is_none());
        if posted.len().saturating_mul(sent.len()) > PAIRS_MAX {
            return None;
        }
        let is_blamed = |rank: u32| blamed.contains(&rank);
        let mut best: Option<(u8, &Posted, &Message)> = None;
        for receive in posted.iter().filter(|receive| self.may_be_meant(receive)) {
            for message in &sent {
                if !(is_blamed(receive.rank) || is_blamed(message.source)) {
                    continue;
                }
                if !self.would_fit(receive, message) {
                    continue;
                }
                let Some(distance) = self.distance(receive, message) else { continue };
                if best.is_none_or(|(least, ..)| distance < least) {
                    best = Some((distance, receive, message));
                }
            }
        }
        let unstarted = self.unstarted(&posted, &sent, is_blamed);
        let cancelled = || self.cancelled(&posted, is_blamed);
        taken
            .or(unstarted)
            .or_else(cancelled)
            .or_else(|| best.map(|(_, receive, message)| self.missed(receive, message)))
            .or_else(|| self.near_channels(blamed))
    }

    /// Reports whether the rank of a receive waits for it, or for anything but the receive of its own message: behind a send
    /// that waits, the rank may make the receive that is meant.
    fn may_be_meant(&self, receive: &Posted) -> bool {
        let sends = |rank: u32| self.waiting(rank).iter().any(|w| w.awaits == Awaits::Receive);
        receive.awaited || !sends(receive.rank)
    }

    /// Returns the first message that a matched probe has taken and that its sender waits with or, if there is none, that a receive of
    /// the same rank waits for; who waits is one of `blamed`.
    fn taken(&self, posted: &[Posted], sent: &[&Message], blamed: &[u32]) -> Option<NearMiss> {
        let is_kept = |m: &Message| self.sender_waits(m) && blamed.contains(&m.source);
        let is_wanted = |m: &Message| {
            posted.iter().any(|receive| {
                receive.awaited
                    && blamed.contains(&receive.rank)
                    && receive.rank == m.target
                    && receive.pattern.accepts(m.context, m.source_rank, m.tag)
            })
        };
        let taken = || sent.iter().filter_map(|m| Some((m, self.books.taker(m.id)?)));
        let kept = taken().find(|(m, _)| is_kept(m));
        let (message, CallPlace { call, site }) =
            kept.or_else(|| taken().find(|(m, _)| is_wanted(m)))?;
        let receive = CallSite::at(message.target, site, call, String::new());
        Some(NearMiss { send: message.place(), receive, differs: Differs::Taken })
    }

    /// Reports whether the sender of a message waits until it is received.
    fn sender_waits(&self, message: &Message) -> bool {
        match message.sender {
            Sender::Rank => true,
            Sender::Request(request) => {
                let request = &self.requests[request];
                request.awaited || matches!(request.owner, Owner::Blocking | Owner::Part(_))
            }
            Sender::Gone | Sender::Execution(_) => false,
        }
    }

    /// Returns that a receive wants the message of another rank, `wanted`.
    pub(super) fn differs_in_source(&self, wanted: u32) -> Differs {
        let has_ended = self.ranks[wanted as usize].rest.finalized;
        Differs::Source { wanted, has_ended }
    }

    /// Returns the receives and probes that no message has matched, in order of their ranks; of a
    /// rank's, those that it is blocked in first, then in the order of posting. A rank of `polling` waits for what
    /// it has posted and for what it probes.
    fn posted(&self, polling: &[u32]) -> Vec<Posted> {
        let mut posted: Vec<Posted> = Vec::new();
        for (number, rank) in (0..).zip(&self.ranks).filter(|(_, rank)| !rank.finished) {
            let polls = polling.contains(&number);
            posted.extend(rank.rest.probed.filter(|_| polls).map(|pattern| Posted {
                rank: number,
                pattern,
                call: rank.call,
                site: rank.site,
                bytes: None,
                types: None,
                awaited: true,
                order: u64::MAX,
            }));
            for call in rank.calls() {
                let open = match call.blocked {
                    Some(Blocked::Direct) => {
                        rank.direct.posted().map(|(pattern, bytes, at)| (pattern, Some(bytes), at))
                    }
                    // A probe is the last that its thread did.
                    Some(Blocked::Probe { pattern, .. }) => Some((*pattern, None, u64::MAX)),
                    _ => None,
                };
                posted.extend(open.map(|(pattern, bytes, order)| Posted {
                    rank: number,
                    pattern,
                    call: call.call,
                    site: call.site,
                    bytes,
                    types: bytes.and_then(|_| rank.direct.posted_types().cloned()),
                    awaited: true,
                    order,
                }));
            }
        }
        for (_, request) in self.requests.iter() {
            let is_open = request.state == State::Active
                && request.message == NONE
                && !matches!(request.owner, Owner::Collective(_));
            if let (true, Kind::Receive(incoming)) = (is_open, &request.kind) {
                posted.push(Posted {
                    rank: request.rank,
                    pattern: Pattern::of(incoming.comm, incoming.source, incoming.tag),
                    call: request.call,
                    site: request.site,
                    bytes: Some(incoming.capacity),
                    types: Some(incoming.signature.clone()),
                    awaited: request.awaited
                        || polling.contains(&request.rank)
                        || matches!(request.owner, Owner::Blocking | Owner::Part(_)),
                    order: request.order,
                });
            }
        }
        posted.sort_by_key(|receive| (receive.rank, !receive.awaited, receive.order));
        posted
    }

    /// Reports whether a receive would take the data of a message: one that is too long or of other types is not what
    /// it is meant for.
    fn would_fit(&self, receive: &Posted, message: &Message) -> bool {
        let is_short = receive.bytes.is_none_or(|room| message.bytes() <= room);
        let is_alike = |wanted: &Signature| {
            wanted.takes(&message.signature) || self.represents_alike(wanted, &message.signature)
        };
        is_short && receive.types.as_ref().is_none_or(is_alike)
    }

    /// Reports whether the sender of a message that a receive waits for has given the tag as destination and the
    /// destination as tag.
    fn is_exchanged(&self, receive: &Posted, message: &Message) -> bool {
        let Pattern { context, source: _, tag } = receive.pattern;
        let comm = CommId(context / 2);
        let is_rank = |number: i32, rank: u32| {
            let place =
                u32::try_from(number).ok().filter(|p| *p < self.comms.peers(comm, message.source));
            place.is_some_and(|place| self.comms.world_rank(comm, place, message.source) == rank)
        };
        tag != message.tag
            && message.target != receive.rank
            && is_rank(message.tag, receive.rank)
            && is_rank(tag, message.target)
    }

    /// Returns how far a message is from a receive if they differ in one argument, or in two that are exchanged: less if
    /// that tells more.
    fn distance(&self, receive: &Posted, message: &Message) -> Option<u8> {
        let Pattern { context, source, tag } = receive.pattern;
        let comm = CommId(context / 2);
        let is_same_comm = message.context == context;
        let is_same_tag = tag == ANY_TAG || tag == message.tag;
        let is_here = message.target == receive.rank;
        let is_wanted = source == ANY_SOURCE
            || message.source == self.comms.world_rank(comm, source, receive.rank);
        match (is_same_comm, is_same_tag, is_here, is_wanted) {
            // What takes any message of its communicator says nothing about this one.
            (false, true, true, true) if receive.awaited && takes_any(&receive.pattern) => Some(5),
            // What is merely posted may still get the message that it is for.
            (false, true, true, true) if receive.awaited => Some(0),
            (true, false, true, true) => Some(1),
            (true, true, false, true) if source != ANY_SOURCE => Some(2),
            (true, false, false, true) if self.is_exchanged(receive, message) => Some(3),
            (true, true, true, false) => Some(4),
            _ => None,
        }
    }

    fn missed(&self, receive: &Posted, message: &Message) -> NearMiss {
        let Pattern { context, source, tag } = receive.pattern;
        let comm = CommId(context / 2);
        let wanted = |source| self.comms.world_rank(comm, source, receive.rank);
        let differs = if message.context != context {
            let sent_in = CommId(message.context / 2);
            let both = [(sent_in, message.source), (comm, receive.rank)];
            let names = self.communicators(both);
            match takes_any(&receive.pattern) {
                true => Differs::PerhapsCommunicator(names),
                false => Differs::Communicator(names),
            }
        } else if self.is_exchanged(receive, message) {
            Differs::Exchanged { destination: tag, tag: message.tag }
        } else if tag != ANY_TAG && tag != message.tag {
            Differs::Tag { sent: message.tag, wanted: tag, waits: self.sender_waits(message) }
        } else if message.target != receive.rank {
            Differs::Target
        } else {
            self.differs_in_source(wanted(source))
        };
        NearMiss { send: message.place(), receive: self.posted_at(receive), differs }
    }

    /// Returns the call that posted a receive or probes.
    fn posted_at(&self, receive: &Posted) -> CallSite {
        let Posted { rank, pattern, call, site, bytes, types: _, awaited: _, order: _ } = *receive;
        let comm = CommId(pattern.context / 2);
        let wanted = || self.comms.world_rank(comm, pattern.source, rank);
        CallSite {
            peer: (pattern.source != ANY_SOURCE).then(wanted),
            tag: (pattern.tag != ANY_TAG).then_some(pattern.tag),
            bytes,
            ..CallSite::new(rank, call, site.known(), String::new())
        }
    }

    /// Returns a persistent send or receive that was never started and that a receive or a message
    /// waits for.
    fn unstarted(
        &self,
        posted: &[Posted],
        sent: &[&Message],
        is_blamed: impl Fn(u32) -> bool,
    ) -> Option<NearMiss> {
        self.unstarted_requests().into_iter().find_map(|idle| match idle.operation {
            Idle::Send { target, context, source, tag } => {
                let receive = posted.iter().find(|receive| {
                    receive.rank == target
                        && is_blamed(target)
                        && receive.pattern.accepts(context, source, tag)
                })?;
                let receive = self.posted_at(receive);
                Some(NearMiss { send: idle.place, receive, differs: Differs::SendNotStarted })
            }
            Idle::Receive(pattern) => {
                let message = sent.iter().find(|m| {
                    m.target == idle.place.rank
                        && is_blamed(m.source)
                        && pattern.accepts(m.context, m.source_rank, m.tag)
                })?;
                let (receive, send) = (idle.place, message.place());
                Some(NearMiss { send, receive, differs: Differs::ReceiveNotStarted })
            }
        })
    }

    /// Returns a receive whose message was cancelled by its sender, one of the two of a rank in question.
    fn cancelled(&self, posted: &[Posted], is_blamed: impl Fn(u32) -> bool) -> Option<NearMiss> {
        posted.iter().filter(|receive| receive.awaited).find_map(|receive| {
            let is_meant = |send: &&Cancelled| {
                send.target == receive.rank
                    && (is_blamed(receive.rank) || is_blamed(send.send.rank))
                    && receive.pattern.accepts(send.context, send.source, send.tag)
            };
            let Cancelled { send, .. } = self.books.cancelled.iter().find(is_meant)?;
            let receive = self.posted_at(receive);
            Some(NearMiss { send: send.clone(), receive, differs: Differs::Cancelled })
        })
    }

    /// Adds to a finding about a receive from any source that nobody answers which number that is: a
    /// program may mean an invalid rank.
    pub(super) fn with_any_source(&self, finding: Finding) -> Finding {
        let site = finding.sites.first().filter(|site| site.peer.is_none());
        let is_any = site.is_some_and(|site| {
            let compiled = site.site.is_some_and(|site| site.call().is_some());
            compiled
                && self.posted(&[]).iter().any(|receive| {
                    receive.rank == site.rank && receive.pattern.source == ANY_SOURCE
                })
        });
        match is_any {
            true => finding.note("a source of -1 is MPI_ANY_SOURCE here (MPI 5.0, 20.3)"),
            false => finding,
        }
    }
}
