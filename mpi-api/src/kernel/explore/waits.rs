//! [`Waits`]: the waits of senders for their receives that have ended, and why: they order what follows in this
//! execution, though a program must not rely on it.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::{
    call::RequestId,
    kernel::causality::{Clock, Point},
};

/// A wait of a rank in standard sends that has ended.
struct Ended {
    /// The event in which the rank waited: what it does next happens after that. `None` as long as the rank has not
    /// collected the request.
    event: Option<Point>,
    how: How,
}

enum How {
    /// A receive that began at this moment took a message; with its number in [`Past`](super::past::Past), if it was a
    /// wildcard.
    Taken(Clock, Option<usize>),
    /// The system buffered the messages.
    Buffered,
}

/// How a sender learns that its message was taken.
pub(in crate::kernel) enum Learns {
    /// It waits in this event.
    In(Point),
    /// It collects this request later.
    With(RequestId),
}

/// A rank and the event in which it waited.
pub(super) type Wait = (u32, u32);

/// What a message needs to be sent.
pub(super) struct Origin {
    /// All events that happened before, those included that another rank waited for in a send.
    pub(super) moment: Clock,
    /// The numbers of the wildcards whose senders have learnt of the match, in ascending order.
    pub(super) wildcards: Vec<usize>,
    /// The waits that the system has to end.
    pub(super) buffered: BTreeSet<Wait>,
}

/// Most waits that are kept; what depends on later ones is not known.
const KEPT_MAX: usize = 1 << 16;

/// Most waits that depend on a match and are looked at.
const DEPENDENT_MAX: usize = 64;

/// Most sets of waits that are returned for one message.
const CUTS_MAX: usize = 16;

/// Most steps in which they are looked for.
const CUT_STEPS_MAX: usize = 1024;

/// The waits that have ended, in order.
#[derive(Default)]
pub(crate) struct Waits {
    all: Vec<Ended>,
    /// The numbers of those that a rank learns of when it collects a request.
    open: FxHashMap<RequestId, usize>,
}

impl Waits {
    /// Returns how many waits have ended.
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Reports whether some are missing.
    pub(super) fn is_full(&self) -> bool {
        self.all.len() == KEPT_MAX
    }

    fn add(&mut self, ended: Ended) -> Option<usize> {
        let number = self.all.len();
        if self.is_full() {
            return None;
        }
        self.all.push(ended);
        Some(number)
    }

    /// Records that a receive which began at this moment took the message of a sender.
    pub(in crate::kernel) fn taken(
        &mut self,
        learns: Learns,
        begun: &Clock,
        wildcard: Option<usize>,
    ) {
        let (event, request) = match learns {
            Learns::In(event) => (Some(event), None),
            Learns::With(request) => (None, Some(request)),
        };
        let number = self.add(Ended { event, how: How::Taken(begun.clone(), wildcard) });
        self.open.extend(request.zip(number));
    }

    /// Records that the system has ended a wait.
    pub(super) fn buffered(&mut self, event: Point) {
        self.add(Ended { event: Some(event), how: How::Buffered });
    }

    /// Records that a rank collects a request in this event.
    pub(in crate::kernel) fn collected(&mut self, request: RequestId, event: Point) {
        if let Some(number) = self.open.remove(&request) {
            self.all[number].event = Some(event);
        }
    }

    /// Returns what a message needs that was sent at this moment without a certain match, in all ways that there are,
    /// if only waits that have ended from number `first` on depend on the match. `is_cause` says which ends are those
    /// of the match itself: of a receive that began at some moment, with the number of its wildcard. If a wait before the
    /// message depends on the match, there is a way only where the system can end waits: `by_choice`.
    pub(super) fn origins(
        &self,
        (first, by_choice): (usize, bool),
        sent: &Clock,
        is_cause: impl Fn(&Clock, Option<usize>) -> bool,
    ) -> Vec<Origin> {
        let (origin, is_caused) = self.origin(first, sent, BTreeSet::new(), &is_cause);
        match (is_caused, by_choice) {
            (false, _) => vec![origin],
            (true, false) => Vec::new(),
            (true, true) => {
                let cuts = self.cuts(first, (sent, &origin.moment), &is_cause);
                cuts.into_iter().map(|cut| self.origin(first, sent, cut, |_, _| false).0).collect()
            }
        }
    }

    /// Returns what a message needs that was sent at this moment if the system ends these waits, and whether another
    /// wait before it was ended by the cause.
    fn origin(
        &self,
        first: usize,
        sent: &Clock,
        ended: BTreeSet<Wait>,
        is_cause: impl Fn(&Clock, Option<usize>) -> bool,
    ) -> (Origin, bool) {
        let mut origin = Origin { moment: sent.clone(), wildcards: Vec::new(), buffered: ended };
        let mut is_caused = false;
        // What ended a wait happened before it, so that it only needs what comes before in the list.
        for Ended { event, how } in self.all[first..].iter().rev() {
            let Some(event) = event.filter(|event| origin.moment.knows(*event)) else { continue };
            match how {
                _ if origin.buffered.contains(&name(event)) => {}
                How::Buffered => _ = origin.buffered.insert(name(event)),
                How::Taken(begun, wildcard) => {
                    is_caused |= is_cause(begun, *wildcard);
                    origin.moment.join(begun);
                    origin.wildcards.extend(wildcard);
                }
            }
        }
        origin.wildcards.sort_unstable();
        (origin, is_caused)
    }

    /// Returns the smallest sets of waits that the system has to end before a message can be sent at this moment
    /// without a certain match. `known` are all events that happened before.
    fn cuts(
        &self,
        first: usize,
        (sent, known): (&Clock, &Clock),
        is_cause: impl Fn(&Clock, Option<usize>) -> bool,
    ) -> Vec<BTreeSet<Wait>> {
        // The waits that depend on the match, in the order of their ends: each with whether the match itself ended it,
        // and with those that have to end before it can end.
        let mut dependent: Vec<(Point, bool, BTreeSet<usize>)> = Vec::new();
        for Ended { event, how } in &self.all[first..] {
            let (Some(event), How::Taken(begun, wildcard)) = (event, how) else { continue };
            if !known.knows(*event) {
                continue;
            }
            let is_direct = is_cause(begun, *wildcard);
            let before: BTreeSet<usize> = needed(&dependent, begun);
            if !is_direct && before.is_empty() {
                continue;
            }
            match dependent.iter_mut().find(|(other, ..)| other == event) {
                Some((_, direct, others)) => {
                    *direct |= is_direct;
                    others.extend(before);
                }
                None => dependent.push((*event, is_direct, before)),
            }
            if dependent.len() > DEPENDENT_MAX {
                break;
            }
        }
        let mut found: Vec<BTreeSet<Wait>> = Vec::new();
        let mut open = vec![(needed(&dependent, sent), BTreeSet::new())];
        for _ in 0..CUT_STEPS_MAX {
            let Some((mut todo, cut)) = open.pop() else { break };
            let Some(last) = todo.pop_last() else {
                if !found.iter().any(|other| other.is_subset(&cut)) {
                    found.retain(|other| !cut.is_subset(other));
                    found.push(cut);
                }
                if found.len() == CUTS_MAX {
                    break;
                }
                continue;
            };
            let (event, is_direct, before) = &dependent[last];
            // Either the system ends the wait, or what it depends on comes without the match.
            let mut ended = cut.clone();
            ended.insert(name(*event));
            open.push((todo.clone(), ended));
            if !is_direct {
                todo.extend(before);
                open.push((todo, cut));
            }
        }
        found
    }
}

fn name(event: Point) -> Wait {
    (event.rank, event.count)
}

/// Returns the numbers of the dependent waits that have to end before this moment.
fn needed(dependent: &[(Point, bool, BTreeSet<usize>)], moment: &Clock) -> BTreeSet<usize> {
    (0..dependent.len()).filter(|at| moment.knows(dependent[*at].0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::causality::History;

    #[test]
    fn a_message_needs_what_ended_the_waits_before_it() {
        let mut history = History::new(4);
        let mut waits = Waits::default();
        // Rank 1 waits for rank 0, rank 2 for rank 1, and rank 3 sends a message after a wait for rank 2.
        let cause = history.present(0);
        let mut begun = history.release(0);
        for rank in 1..4 {
            waits.taken(Learns::In(history.present(rank)), &begun, Some(rank as usize));
            begun = history.release(rank);
        }
        let sent = begun;
        let origins = |first, is_cause: &dyn Fn(&Clock, Option<usize>) -> bool| {
            waits.origins((first, true), &sent, is_cause)
        };
        let [all] = &origins(0, &|_, _| false)[..] else { panic!("nothing has to be ended") };
        assert!(all.moment.knows(cause) && all.buffered.is_empty());
        assert_eq!(all.wildcards, [1, 2, 3]);
        assert_eq!(origins(2, &|_, _| false)[0].wildcards, [3]);

        // Without the match of rank 0 each of the waits may be ended by the system.
        let is_cause = |begun: &Clock, _: Option<usize>| begun.knows(cause);
        let cut = origins(0, &is_cause);
        let buffered: Vec<_> = cut.iter().map(|origin| origin.buffered.clone()).collect();
        assert_eq!(buffered, [[(1, 1)].into(), [(2, 1)].into(), [(3, 1)].into()]);
        assert!(!cut[1].moment.knows(cause) && cut[1].moment.knows(Point { rank: 2, count: 1 }));
        assert_eq!(cut[1].wildcards, [3]);
        assert!(waits.origins((0, false), &sent, is_cause).is_empty());
        let cut = origins(0, &|_, wildcard| wildcard == Some(3));
        assert_eq!(cut.len(), 1);
        assert_eq!(cut[0].buffered, [(3, 1)].into());
    }

    #[test]
    fn a_wait_ends_when_its_request_is_collected_or_the_system_buffers() {
        let mut history = History::new(3);
        let mut waits = Waits::default();
        let id = RequestId { index: 4, generation: 1 };
        waits.taken(Learns::With(id), &history.release(0), None);
        let early = history.release(1);
        waits.collected(id, history.present(1));
        waits.buffered(history.present(2));
        let buffered =
            |sent: &Clock| waits.origins((0, true), sent, |_, _| true)[0].buffered.clone();
        assert_eq!(buffered(&early), BTreeSet::new());
        assert_eq!(buffered(history.clock(1)), [(1, 2)].into());
        assert_eq!(buffered(history.clock(2)), [(2, 1)].into());
    }
}
