//! [`Past`]: the wildcards that were resolved, and which of them a late message depends on (wake-up sequences:
//! Abdulla, Aronis, Jonsson and Sagonas, "Source sets", JACM 64, 2017).

use rustc_hash::FxHashMap;

use super::waits::Origin;
use crate::{
    call::RequestId,
    kernel::{causality::Point, request::table::Pattern},
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
    /// What it took: the sender in its communicator, or the position of a request in the list of a wait.
    pub(super) took: Option<u32>,
    /// The event of its rank that depends on the match; `None` as long as the rank has not learnt of it.
    pub(super) after: Option<Point>,
    /// The request by which the rank learns of the match, if it does not wait for it.
    pub(super) request: Option<RequestId>,
}

impl Resolved {
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
    /// That these wildcards take what these names mean. The first name is that of the wildcard itself.
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
        let open = resolved.request.filter(|_| resolved.after.is_none());
        self.open.extend(open.map(|request| (request, number)));
        self.all.push(resolved);
        Some(number)
    }

    /// Returns the number of the last wildcard, if this request is its receive.
    pub(in crate::kernel) fn last_of(&self, request: RequestId) -> Option<usize> {
        let (number, last) = self.all.iter().enumerate().next_back()?;
        (last.request == Some(request)).then_some(number)
    }

    /// Reports whether nothing was resolved.
    pub(in crate::kernel) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the event of the rank of a wildcard that depends on the match.
    pub(super) fn after(&self, wildcard: usize) -> Option<Point> {
        self.all.get(wildcard)?.after
    }

    /// Records that a rank collects a request: this event of it and all later ones depend on the match.
    pub(in crate::kernel) fn collected(&mut self, request: RequestId, event: Point) {
        let Some(number) = self.open.remove(&request) else { return };
        self.all[number].after = Some(event);
    }

    /// Returns what a message needs that has this origin and came too late for a wildcard; which
    /// matches is left out unless they are `wanted`.
    pub(super) fn needed(&self, wildcard: usize, origin: &Origin, wanted: bool) -> Needed {
        let Some((own, later)) = self.all[wildcard..].split_first() else { return Needed::Unknown };
        let knows = |event: Option<Point>| event.is_some_and(|event| origin.moment.knows(event));
        if knows(own.after) || origin.wildcards.binary_search(&wildcard).is_ok() {
            return Needed::Match;
        }
        if !wanted || self.all.len() == KEPT_MAX {
            return Needed::Unknown;
        }
        let is_known = |at: usize| {
            knows(later[at].after) || origin.wildcards.binary_search(&(wildcard + 1 + at)).is_ok()
        };
        let mut matches = Vec::new();
        for (at, resolved) in later.iter().enumerate().filter(|(at, _)| is_known(*at)) {
            if own.precedes(resolved) {
                return Needed::Match;
            }
            let is_open = |before: usize| !is_known(before) && later[before].precedes(resolved);
            match resolved.id.zip(resolved.took) {
                Some((id, took)) if !(0..at).any(is_open) => {
                    matches.push((id, took));
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
    use std::collections::BTreeSet;

    use super::*;
    use crate::kernel::{
        causality::{Clock, History},
        request::table::ANY_SOURCE,
    };
    use crate::settings::WildcardKind;

    /// The origin of what was sent at this moment, where no sender waited.
    fn origin(sent: &Clock) -> Origin {
        Origin { moment: sent.clone(), wildcards: Vec::new(), buffered: BTreeSet::new() }
    }

    /// A wildcard of a rank that began in this event and took a message of rank 0 with the tag that it asks for.
    fn taken(rank: u32, event: u32, tag: i32, after: Option<Point>) -> Resolved {
        Resolved {
            id: Some(WildcardId { rank, event, kind: WildcardKind::Receive }),
            rank,
            pattern: Pattern { context: 0, source: ANY_SOURCE, tag },
            message: Some(Pattern { context: 0, source: 0, tag }),
            took: Some(0),
            after,
            request: None,
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
        let id = |rank| WildcardId { rank, event: 1, kind: WildcardKind::Receive };
        let before = history.release(3);
        assert_eq!(
            past.needed(own, &origin(&before), true),
            Needed::Matches(id(1), vec![(id(3), 0)])
        );
        history.learn(2, &before);
        let both = Needed::Matches(id(1), vec![(id(2), 0), (id(3), 0)]);
        assert_eq!(past.needed(own, &origin(history.clock(2)), true), both);
        let after = history.release(1);
        assert_eq!(past.needed(own, &origin(&after), true), Needed::Match);
    }

    #[test]
    fn a_match_is_known_once_its_request_is_collected_or_its_sender_has_waited() {
        let mut history = History::new(3);
        let mut past = Past::default();
        let resolved = Resolved { request: Some(request(4)), ..taken(1, 1, 0, None) };
        let own = past.add(resolved.clone()).expect("it is kept");
        assert_eq!((past.last_of(request(4)), past.last_of(request(5))), (Some(own), None));
        let before = history.release(1);
        assert!(matches!(past.needed(own, &origin(&before), true), Needed::Matches(..)));
        past.collected(request(4), history.present(1));
        assert!(matches!(past.needed(own, &origin(&before), true), Needed::Matches(..)));
        assert_eq!(past.needed(own, &origin(history.clock(1)), true), Needed::Match);

        let other =
            past.add(Resolved { request: None, ..taken(2, 1, 0, None) }).expect("it is kept");
        let mut sent = origin(history.clock(0));
        sent.wildcards.push(other);
        let id = |rank| WildcardId { rank, event: 1, kind: WildcardKind::Receive };
        assert_eq!(past.needed(own, &sent, true), Needed::Matches(id(1), vec![(id(2), 0)]));
    }

    #[test]
    fn what_a_later_receive_of_the_rank_took_depends_on_an_earlier_one_that_accepts_it() {
        let mut history = History::new(3);
        let mut past = Past::default();
        let own = past.add(taken(1, 1, 7, None)).expect("it is kept");
        past.add(taken(1, 2, 7, Some(history.present(1)))).expect("it is kept");
        let known = history.release(1);
        assert_eq!(past.needed(own, &origin(&known), true), Needed::Match);

        let mut past = Past::default();
        let own = past.add(taken(1, 1, 7, None)).expect("it is kept");
        past.add(taken(1, 2, 3, Some(history.present(1)))).expect("it is kept");
        assert!(
            matches!(past.needed(own, &origin(history.clock(1)), true), Needed::Matches(_, all) if all.len() == 1)
        );

        // A third one is between them, of which nobody has learnt: that it comes first has no name.
        let mut past = Past::default();
        let own = past.add(taken(2, 1, 7, None)).expect("it is kept");
        past.add(taken(1, 1, 3, None)).expect("it is kept");
        past.add(taken(1, 2, 3, Some(history.present(1)))).expect("it is kept");
        assert_eq!(past.needed(own, &origin(history.clock(1)), true), Needed::Unknown);
    }
}
