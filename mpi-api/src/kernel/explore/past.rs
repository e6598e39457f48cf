//! [`Past`]: the wildcards that were resolved, and which of them a late message depends on (wake-up sequences:
//! Abdulla, Aronis, Jonsson and Sagonas, "Source sets", JACM 64, 2017).

use rustc_hash::FxHashMap;

use crate::{
    call::RequestId,
    kernel::{
        causality::{Clock, Point},
        request::table::Pattern,
    },
    settings::WildcardId,
};

/// A wildcard that was resolved.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    /// `None` if what it took has no name that holds in other executions.
    pub(super) id: Option<WildcardId>,
    pub(super) rank: u32,
    /// What it accepts.
    pub(super) pattern: Pattern,
    /// Context, sender and tag of the message that it took, if it took one.
    pub(super) message: Option<Pattern>,
    /// The event of its rank that depends on the match; `None` as long as the rank has not learnt of it.
    pub(super) after: Option<Point>,
    /// The event of the sender that depends on the match, if the sender waited for it.
    pub(super) sender: Option<Point>,
    /// The request by which the rank learns of the match, if it does not wait for it.
    pub(super) request: Option<RequestId>,
    /// The request by which the sender does, in the same case.
    pub(super) sent_by: Option<RequestId>,
}

impl Resolved {
    /// Reports whether what was sent at this moment depends on the match.
    fn is_known_at(&self, sent: &Clock) -> bool {
        let known = |point: &Point| sent.knows(*point);
        self.after.as_ref().is_some_and(known) || self.sender.as_ref().is_some_and(known)
    }

    /// Reports whether this wildcard comes before another one of its rank and accepts the message that it took.
    fn precedes(&self, later: &Self) -> bool {
        let is_first = self.id.zip(later.id).is_some_and(|(own, other)| own.event <= other.event);
        let accepts = |m: Pattern| self.pattern.accepts(m.context, m.source, m.tag);
        self.rank == later.rank && is_first && later.message.is_some_and(accepts)
    }
}

/// What a message needs to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Needed {
    /// The match of the wildcard that it came too late for.
    Match,
    /// That these wildcards take messages of these senders. The first name is that of the wildcard itself.
    Matches(WildcardId, Vec<(WildcardId, u32)>),
    /// This is not known.
    Unknown,
}

/// Most wildcards that are kept; of the matches of a longer execution nothing is known.
const KEPT_MAX: usize = 1 << 16;

/// The wildcards that were resolved, in order.
#[derive(Debug, Default)]
pub(crate) struct Past {
    all: Vec<Resolved>,
    /// The numbers of those of which a rank learns when it collects a request.
    open: FxHashMap<RequestId, usize>,
}

impl Past {
    /// Adds a wildcard, and returns its number. Returns `None` if there are too many.
    pub(super) fn add(&mut self, resolved: Resolved) -> Option<usize> {
        let number = self.all.len();
        if number == KEPT_MAX {
            return None;
        }
        let receive = resolved.request.filter(|_| resolved.after.is_none());
        let send = resolved.sent_by.filter(|_| resolved.sender.is_none());
        self.open.extend(receive.into_iter().chain(send).map(|request| (request, number)));
        self.all.push(resolved);
        Some(number)
    }

    /// Reports whether nothing was resolved.
    pub(in crate::kernel) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Records that a rank collects a request: this event of it and all later ones depend on the match.
    pub(in crate::kernel) fn collected(&mut self, request: RequestId, event: Point) {
        let Some(number) = self.open.remove(&request) else { return };
        let resolved = &mut self.all[number];
        if resolved.request == Some(request) {
            resolved.after = Some(event);
        } else {
            resolved.sender = Some(event);
        }
    }

    /// Returns what a message needs that was sent at this moment and came too late for a wildcard; which
    /// matches is left out unless they are `wanted`.
    pub(super) fn needed(&self, wildcard: usize, sent: &Clock, wanted: bool) -> Needed {
        let Some((own, later)) = self.all[wildcard..].split_first() else { return Needed::Unknown };
        if own.is_known_at(sent) {
            return Needed::Match;
        }
        if !wanted || self.all.len() == KEPT_MAX {
            return Needed::Unknown;
        }
        let mut matches = Vec::new();
        for (at, resolved) in later.iter().enumerate().filter(|(_, other)| other.is_known_at(sent))
        {
            if own.precedes(resolved) {
                return Needed::Match;
            }
            let is_open = |other: &Resolved| !other.is_known_at(sent) && other.precedes(resolved);
            match resolved.id.zip(resolved.message) {
                Some((id, took)) if !later[..at].iter().any(is_open) => {
                    matches.push((id, took.source));
                }
                Some(_) | None => return Needed::Unknown,
            }
        }
        let Some(id) = own.id else { return Needed::Unknown };
        matches.sort_unstable();
        matches.dedup();
        let is_twice = matches.windows(2).any(|pair| pair[0].0 == pair[1].0);
        if is_twice || matches.iter().any(|(other, _)| *other == id) {
            return Needed::Unknown;
        }
        Needed::Matches(id, matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{causality::History, request::table::ANY_SOURCE};

    /// A wildcard of a rank that began in this event and took a message of rank 0 with the tag that it asks for.
    fn taken(rank: u32, event: u32, tag: i32, after: Option<Point>) -> Resolved {
        Resolved {
            id: Some(WildcardId { rank, event, probe: false }),
            rank,
            pattern: Pattern { context: 0, source: ANY_SOURCE, tag },
            message: Some(Pattern { context: 0, source: 0, tag }),
            after,
            sender: None,
            request: None,
            sent_by: None,
        }
    }

    fn request(index: u32) -> RequestId {
        RequestId { index, generation: 1 }
    }

    #[test]
    fn a_message_needs_the_matches_that_its_sender_knows() {
        let mut history = History::new(4);
        let mut past = Past::default();
        let own = past.add(taken(1, 1, 0, Some(history.present(1)))).expect("it is kept");
        past.add(taken(2, 1, 0, Some(history.present(2)))).expect("it is kept");
        past.add(taken(3, 1, 0, Some(history.present(3)))).expect("it is kept");
        let id = |rank| WildcardId { rank, event: 1, probe: false };
        let before = history.release(3);
        assert_eq!(past.needed(own, &before, true), Needed::Matches(id(1), vec![(id(3), 0)]));
        history.learn(2, &before);
        let both = Needed::Matches(id(1), vec![(id(2), 0), (id(3), 0)]);
        assert_eq!(past.needed(own, history.clock(2), true), both);
        let after = history.release(1);
        assert_eq!(past.needed(own, &after, true), Needed::Match);
    }

    #[test]
    fn a_match_is_known_once_its_request_is_collected_on_either_side() {
        let mut history = History::new(3);
        let mut past = Past::default();
        let resolved = taken(1, 1, 0, None);
        let own = past
            .add(Resolved { request: Some(request(4)), sent_by: Some(request(5)), ..resolved })
            .expect("it is kept");
        let before = history.release(1);
        assert!(matches!(past.needed(own, &before, true), Needed::Matches(..)));
        past.collected(request(4), history.present(1));
        past.collected(request(5), history.present(0));
        assert!(matches!(past.needed(own, &before, true), Needed::Matches(..)));
        assert_eq!(past.needed(own, history.clock(1), true), Needed::Match);
        assert_eq!(past.needed(own, history.clock(0), true), Needed::Match);
        assert!(matches!(past.needed(own, history.clock(2), true), Needed::Matches(..)));
    }

    #[test]
    fn what_a_later_receive_of_the_rank_took_depends_on_an_earlier_one_that_accepts_it() {
        let mut history = History::new(3);
        let mut past = Past::default();
        let own = past.add(taken(1, 1, 7, None)).expect("it is kept");
        past.add(taken(1, 2, 7, Some(history.present(1)))).expect("it is kept");
        let known = history.release(1);
        assert_eq!(past.needed(own, &known, true), Needed::Match);

        let mut past = Past::default();
        let own = past.add(taken(1, 1, 7, None)).expect("it is kept");
        past.add(taken(1, 2, 3, Some(history.present(1)))).expect("it is kept");
        assert!(
            matches!(past.needed(own, history.clock(1), true), Needed::Matches(_, all) if all.len() == 1)
        );

        // A third one is between them, of which nobody has learnt: that it comes first has no name.
        let mut past = Past::default();
        let own = past.add(taken(2, 1, 7, None)).expect("it is kept");
        past.add(taken(1, 1, 3, None)).expect("it is kept");
        past.add(taken(1, 2, 3, Some(history.present(1)))).expect("it is kept");
        assert_eq!(past.needed(own, history.clock(1), true), Needed::Unknown);
    }
}
