//! Deferred wildcards, for exploration. A receive or probe for any source and a wait for any or
//! some are held back, and a poll fails, until nothing else can happen, so that every message that
//! could match is there; then one of them is chosen.
//!
//! Where several wildcards wait at the same time, the one of the lowest rank goes first, unless another one was passed
//! over very often: a message that is there is taken at last, as a library does. Letting
//! another one go first is worth exploring only if a message arrives later that the first could
//! also have matched (dynamic partial-order reduction, Flanagan and Godefroid 2005). The same holds for senders
//! that wait where the system may buffer their messages ([`Pool::ByChoice`](crate::settings::Pool)): see
//! `release`.

use std::borrow::Cow;

use super::{
    asleep::Key,
    exploration::Exploration,
    passed::Name,
    past::{Needed, Resolved},
    receives::{Ready, Receives, unclaimed},
    watch::{Place, Waiting, Watch},
};
use crate::kernel::{
    MpiKernel, Sched,
    causality::{Clock, Point},
    request::completion::Blocked,
    request::table::{ANY_SOURCE, Kind, Pattern, State},
    transport::message::Phase,
};
use crate::{
    call::{Completing, Source},
    settings::{Pool, WildcardId, WildcardKind},
};

/// A wildcard that can be resolved.
#[derive(Clone, Copy)]
struct Wildcard {
    rank: u32,
    pattern: Pattern,
    taker: Taker,
}

impl Wildcard {
    fn name(&self) -> Name {
        (self.rank, self.pattern.context, self.pattern.tag)
    }
}

/// The call that takes the message of a wildcard.
#[derive(Clone, Copy)]
enum Taker {
    /// The probe that the rank is blocked in.
    Probe,
    /// The next poll.
    Poll,
    /// A posted receive.
    Receive(u32),
    /// The wait for any or some that the rank is in, which takes completed requests.
    Wait,
}

impl MpiKernel {
    /// Resolves one wildcard when nothing else can happen: it takes one of the messages that could
    /// match. False when there is none.
    pub(crate) fn resolve_wildcard(&mut self, s: &mut Sched) -> bool {
        if !self.exploration.chooser.defers() {
            return false;
        }
        let all: Vec<Wildcard> =
            (0..self.ranks.len() as u32).flat_map(|rank| self.wildcards(rank)).collect();
        if all.is_empty() {
            return self.resolve_port(s);
        }
        let Some(senders) = self.choose_buffered(s) else { return true };
        let mut ready: Vec<Wildcard> =
            all.iter().copied().filter(|wildcard| self.has_untried(*wildcard)).collect();
        if ready.is_empty() && self.exploration.asleep.clear() {
            self.exploration.repeats();
            ready = all;
        }
        let names: Vec<Name> = ready.iter().map(|wildcard| wildcard.name()).collect();
        if let Some(at) = self.exploration.passed.starved(&names) {
            ready[..=at].rotate_right(1);
        }
        let Some((last, others)) = ready.split_last() else { return self.resolve_port(s) };
        for wildcard in others {
            let (position, waits) = match self.awaits_planned(*wildcard) {
                true => self.exploration.chooser.awaits(),
                false => self.exploration.chooser.lets_go_first(),
            };
            if !waits {
                self.exploration.passed.goes(wildcard.name(), &names);
                self.resolve(*wildcard, Some(position), &senders, s);
                return true;
            }
            let sleeps = self.put_to_sleep(*wildcard);
            // A plan may say that a sender goes first.
            if sleeps && !senders.is_empty() {
                return self.resolve_wildcard(s);
            }
        }
        let mut position = None;
        let awaits = self.awaits_planned(*last);
        let may_sleep = !senders.is_empty() && self.key_of_wildcard(*last).is_some();
        let awaits_sender = awaits && may_sleep && !self.exploration.releases.is_empty();
        if awaits && !awaits_sender {
            self.exploration.repeats();
        }
        if may_sleep {
            let (number, waits) = match awaits_sender {
                true => self.exploration.chooser.awaits(),
                false => self.exploration.chooser.lets_senders_go_first(),
            };
            if waits {
                self.put_to_sleep(*last);
                return self.resolve_wildcard(s);
            }
            position = Some(number);
        }
        self.exploration.passed.goes(last.name(), &names);
        self.resolve(*last, position, &senders, s);
        true
    }

    fn key_of_wildcard(&self, Wildcard { rank, taker, .. }: Wildcard) -> Option<Key> {
        match taker {
            Taker::Probe => Some(Key::Probe(rank)),
            Taker::Poll => None,
            Taker::Receive(request) => Some(Key::Receive(rank, self.requests[request].order)),
            Taker::Wait => Some(Key::Wait(rank)),
        }
    }

    /// Returns the name of a wildcard in other executions, if it has one.
    fn id_of_wildcard(&self, Wildcard { rank, taker, .. }: Wildcard) -> Option<WildcardId> {
        let history = self.history.as_ref()?;
        match taker {
            Taker::Probe => {
                let event = history.present(rank).count;
                Some(WildcardId { rank, event, kind: WildcardKind::Probe })
            }
            Taker::Receive(request) => {
                let event = history.begun(rank, self.request_id(request))?;
                Some(WildcardId { rank, event, kind: WildcardKind::Receive })
            }
            Taker::Wait if self.waits_for_any(rank) => {
                let event = history.present(rank).count;
                Some(WildcardId { rank, event, kind: WildcardKind::Wait })
            }
            // A poll may come at any time, and a wait for some take several requests.
            Taker::Poll | Taker::Wait => None,
        }
    }

    fn waits_for_any(&self, rank: u32) -> bool {
        matches!(self.ranks[rank as usize].blocked, Some(Blocked::Wait(_, Completing::Any)))
    }

    /// Returns the rank whose message a wildcard is to take, or the position of the request, if the plan of the
    /// execution says so.
    fn planned(&self, wildcard: Wildcard) -> Option<u32> {
        if self.exploration.plan.is_empty() {
            return None;
        }
        self.exploration.plan.get(&self.id_of_wildcard(wildcard)?).copied()
    }

    /// Reports whether a wildcard is to take a message that is not there yet.
    fn awaits_planned(&self, wildcard: Wildcard) -> bool {
        let is_of =
            |source| move |message: u32| self.name_of_alternative(wildcard, message) == source;
        let planned = self.planned(wildcard);
        planned.is_some_and(|source| !self.untried(wildcard).into_iter().any(is_of(source)))
    }

    /// Returns what a wildcard could take: messages, or places in the list of a wait.
    fn alternatives(&self, wildcard: Wildcard) -> Cow<'_, [u32]> {
        let Wildcard { rank, pattern, taker } = wildcard;
        match taker {
            Taker::Probe => self.exploration.receives[rank as usize].heads_of_probe().into(),
            Taker::Poll => self.unclaimed(rank, pattern).into(),
            Taker::Receive(request) => {
                self.exploration.receives[rank as usize].heads(request).into()
            }
            Taker::Wait => self.complete_in_wait(rank).into_iter().map(|at| at as u32).collect(),
        }
    }

    /// Returns what names an alternative of a wildcard in other executions, too.
    fn name_of_alternative(&self, Wildcard { taker, .. }: Wildcard, alternative: u32) -> u32 {
        match taker {
            Taker::Wait => alternative,
            Taker::Probe | Taker::Poll | Taker::Receive(_) => {
                self.messages[alternative].source_rank
            }
        }
    }

    /// Reports whether no other execution tries this alternative of a wildcard.
    fn is_untried(&self, wildcard: Wildcard, alternative: u32) -> bool {
        let asleep = self.key_of_wildcard(wildcard).map(|key| self.exploration.asleep.of(key));
        asleep.is_none_or(|all| !all.contains(&self.name_of_alternative(wildcard, alternative)))
    }

    /// Reports whether a wildcard has alternatives that no other execution tries.
    fn has_untried(&self, wildcard: Wildcard) -> bool {
        let all = self.alternatives(wildcard);
        all.iter().any(|alternative| self.is_untried(wildcard, *alternative))
    }

    /// Returns the alternatives of a wildcard that no other execution tries.
    fn untried(&self, wildcard: Wildcard) -> Vec<u32> {
        let mut all = self.alternatives(wildcard).into_owned();
        all.retain(|alternative| self.is_untried(wildcard, *alternative));
        all
    }

    /// Lets a wildcard wait: from now on it takes only what is not there yet. Returns `false` for a poll, which goes on.
    fn put_to_sleep(&mut self, wildcard: Wildcard) -> bool {
        let Some(key) = self.key_of_wildcard(wildcard) else { return false };
        let all = self.alternatives(wildcard);
        let names: Vec<u32> =
            all.iter().map(|at| self.name_of_alternative(wildcard, *at)).collect();
        self.exploration.asleep.add(key, names.into_iter());
        true
    }

    /// Returns the wildcards of a rank for which there is a message: a probe, and receives in the
    /// order posted.
    fn wildcards(&mut self, rank: u32) -> Vec<Wildcard> {
        let mut found = Vec::new();
        let all = &mut self.exploration.receives;
        all.resize_with(all.len().max(rank as usize + 1), Receives::default);
        let queues = &self.ranks[rank as usize].queues;
        if let Some(Blocked::Probe { pattern, .. }) = self.ranks[rank as usize].blocked
            && !all[rank as usize]
                .look_for_probe(pattern, queues, &self.messages, &self.requests)
                .is_empty()
        {
            found.push(Wildcard { rank, pattern, taker: Taker::Probe });
        }
        found.extend(self.polled(rank));
        if !self.complete_in_wait(rank).is_empty() {
            let pattern = Pattern { context: u32::MAX, source: ANY_SOURCE, tag: 0 };
            found.push(Wildcard { rank, pattern, taker: Taker::Wait });
        }
        let queues = &self.ranks[rank as usize].queues;
        let receives =
            self.exploration.receives[rank as usize].look(queues, &self.messages, &self.requests);
        found.extend(receives.iter().map(|Ready { request, pattern, .. }| Wildcard {
            rank,
            pattern: *pattern,
            taker: Taker::Receive(*request),
        }));
        found
    }

    /// Returns the polls of a rank for which there is a message and none has been chosen yet.
    fn polled(&self, rank: u32) -> Vec<Wildcard> {
        if !self.ranks[rank as usize].polling {
            return Vec::new();
        }
        let range = (rank, 0, i32::MIN)..=(rank, u32::MAX, i32::MAX);
        let open = self.exploration.held_polls.range(range).filter(|(_, chosen)| chosen.is_none());
        let patterns = open.map(|((_, context, tag), _)| Pattern {
            context: *context,
            source: ANY_SOURCE,
            tag: *tag,
        });
        patterns
            .filter(|pattern| !self.unclaimed(rank, *pattern).is_empty())
            .map(|pattern| Wildcard { rank, pattern, taker: Taker::Poll })
            .collect()
    }

    /// Returns the message chosen for a poll for any source, if there is one; otherwise records the
    /// poll.
    pub(crate) fn chosen_for_poll(&mut self, rank: u32, pattern: Pattern) -> Option<u32> {
        let key = (rank, pattern.context, pattern.tag);
        if let Some((message, id)) = self.exploration.held_polls.get(&key).copied().flatten() {
            let m = self.messages.get(message);
            if m.is_some_and(|m| m.id == id && m.phase == Phase::Unexpected) {
                self.exploration.held_polls.retain(|(other, ..), _| *other != rank);
                return Some(message);
            }
        }
        self.exploration.held_polls.insert(key, None);
        None
    }

    /// Returns the positions of completed requests in the list of a wait for any or some.
    fn complete_in_wait(&self, rank: u32) -> Vec<usize> {
        match &self.ranks[rank as usize].blocked {
            Some(Blocked::Wait(list, Completing::Any | Completing::Some)) => self.survey(list).1,
            _ => Vec::new(),
        }
    }

    /// Resolves a wildcard. `position` is the number of its choice to go before others or before `senders`, if there are
    /// any.
    fn resolve(
        &mut self,
        wildcard: Wildcard,
        position: Option<usize>,
        senders: &[Waiting],
        s: &mut Sched,
    ) {
        let Wildcard { rank, pattern, taker } = wildcard;
        let open = self.untried(wildcard);
        if let Some(key) = self.key_of_wildcard(wildcard) {
            self.exploration.asleep.resolved(key);
        }
        match taker {
            Taker::Probe => {
                let taken = self.pick(wildcard, position, open);
                self.end_probe_with(rank, taken, s);
            }
            Taker::Poll => {
                let sources = self.possible_sources(wildcard);
                let taken = self.pick(wildcard, position, open);
                self.watch_senders(wildcard, &sources, senders);
                let key = (rank, pattern.context, pattern.tag);
                self.exploration.held_polls.insert(key, Some((taken, self.messages[taken].id)));
                self.resume_polls(rank, s);
            }
            Taker::Receive(request) => {
                let taken = self.pick(wildcard, position, open);
                self.pair_up(rank, taken, request, pattern, s);
                self.rematch(rank, s);
                // A message that the receive left may be one that a probe waits for.
                self.answer_probe(rank, s);
            }
            Taker::Wait => {
                let planned = self.planned(wildcard).filter(|planned| open.contains(planned));
                let taken = self.choose_in_wait(rank, &open, planned);
                let resolved = self.remember(wildcard, None, taken.first().map(|at| *at as u32));
                if planned.is_none() {
                    self.watch_list(wildcard, position, senders, resolved);
                }
                self.end_wait_with(rank, taken, s);
            }
        }
    }

    /// Watches for what completes further requests of the wait that a rank is in. If that may be anything but the
    /// arrival of a message, it counts as if it had happened.
    fn watch_list(
        &mut self,
        wildcard: Wildcard,
        position: Option<usize>,
        senders: &[Waiting],
        resolved: Option<usize>,
    ) {
        let rank = wildcard.rank;
        let Some(Blocked::Wait(list, _)) = &self.ranks[rank as usize].blocked else { return };
        let mut patterns: Vec<(usize, Pattern)> = Vec::new();
        let mut is_known = true;
        for (at, id) in list.iter().enumerate() {
            let Some(request) = self.live_request(*id) else { continue };
            match &request.kind {
                _ if request.state != State::Active => {}
                Kind::Receive(incoming) if matches!(incoming.source, Source::Rank(_)) => {
                    patterns.push((at, Pattern::of(incoming.comm, incoming.source, incoming.tag)));
                }
                _ => is_known = false,
            }
        }
        if !is_known {
            let all = position.into_iter().chain(senders.iter().map(|sender| sender.position));
            let chooser = &mut self.exploration.chooser;
            return all.for_each(|position| chooser.mattered(position, None, Vec::new()));
        }
        let Some(position) = position else { return };
        // Of a wait for some it is not known what it takes.
        let resolved = resolved.filter(|_| self.waits_for_any(rank));
        for (number, (at, pattern)) in patterns.iter().enumerate() {
            let earlier = patterns[..number].iter().filter(|(_, other)| other == pattern).count();
            let place = Some(Place { position: *at as u32, earlier: earlier as u32 });
            let watch = self.watch(wildcard, position);
            let watch = Watch { pattern: *pattern, place, resolved, ..watch };
            self.exploration.watches.push(watch);
        }
    }

    /// Watches for what a poll could have seen had a sender been released: the poll itself cannot wait for it.
    fn watch_senders(&mut self, wildcard: Wildcard, sources: &[u32], senders: &[Waiting]) {
        for Waiting { position, event } in senders.iter().copied() {
            let watch = self.watch(wildcard, position);
            let watch = Watch { sources: sources.to_vec(), sender: event, ..watch };
            self.exploration.watches.push(watch);
        }
    }

    /// Returns a watch for all that a wildcard accepts, whose choice has this number.
    fn watch(&self, wildcard: Wildcard, position: usize) -> Watch {
        let Wildcard { rank, pattern, .. } = wildcard;
        Watch {
            rank,
            pattern,
            sources: Vec::new(),
            position,
            sender: None,
            after: self.holds(wildcard),
            place: None,
            resolved: None,
            waits: self.exploration.waits.count(),
        }
    }

    /// Returns the ranks whose messages a wildcard could take.
    fn possible_sources(&self, wildcard: Wildcard) -> Vec<u32> {
        let all = self.alternatives(wildcard);
        all.iter().map(|head| self.messages[*head].source_rank).collect()
    }

    /// Returns the event that a rank cannot leave before this wildcard is resolved, if it is in such a one.
    fn holds(&self, Wildcard { rank, taker, .. }: Wildcard) -> Option<Point> {
        let is_held = match taker {
            Taker::Probe | Taker::Wait => true,
            Taker::Receive(request) => self.waits_for(rank, request),
            Taker::Poll => false,
        };
        let history = self.history.as_ref().filter(|_| is_held)?;
        Some(history.present(rank))
    }

    /// Reports whether a rank can do nothing before this request is complete.
    fn waits_for(&self, rank: u32, request: u32) -> bool {
        match &self.ranks[rank as usize].blocked {
            Some(Blocked::Call(all)) => all.contains(&request),
            Some(Blocked::Wait(list, Completing::All)) => {
                list.iter().any(|id| self.live(*id) == Some(request))
            }
            _ => false,
        }
    }

    /// Chooses one of the messages that a wildcard could take. If it went before other wildcards, or before
    /// a sender was released, later messages are watched for: not if a plan says what it takes.
    fn pick(&mut self, wildcard: Wildcard, position: Option<usize>, heads: Vec<u32>) -> u32 {
        let Wildcard { rank, taker, .. } = wildcard;
        let by = match taker {
            Taker::Receive(request) => self.requests[request].chooses(),
            Taker::Probe | Taker::Poll | Taker::Wait => self.ranks[rank as usize].chooses(rank),
        };
        let planned = self.planned(wildcard).and_then(|source| {
            heads.iter().position(|head| self.messages[*head].source_rank == source)
        });
        let chooser = &mut self.exploration.chooser;
        let taken = match planned {
            Some(at) => chooser.take_planned(&heads, at, &self.messages, by),
            None => chooser.choose_message(&heads, &self.messages, by),
        };
        let resolved =
            self.remember(wildcard, Some(taken), Some(self.name_of_alternative(wildcard, taken)));
        if let Some(position) = position.filter(|_| planned.is_none()) {
            let sources = self.possible_sources(wildcard);
            let watch = Watch { sources, resolved, ..self.watch(wildcard, position) };
            self.exploration.watches.push(watch);
        }
        taken
    }

    /// Reports whether the search asks what a late message needs.
    pub(in crate::kernel) fn remembers(&self) -> bool {
        self.exploration.chooser.follows_orders()
    }

    /// Keeps what is known of a wildcard that is resolved, of the message that it takes, and of what names that in other
    /// executions. Returns its number, if the search asks for it.
    fn remember(
        &mut self,
        wildcard: Wildcard,
        taken: Option<u32>,
        took: Option<u32>,
    ) -> Option<usize> {
        if !self.remembers() {
            return None;
        }
        let Wildcard { rank, pattern, taker } = wildcard;
        let id = self.id_of_wildcard(wildcard);
        if let Some(id) = id {
            self.exploration.plan.remove(&id);
        }
        let message = taken.map(|taken| {
            let m = &self.messages[taken];
            Pattern { context: m.context, source: m.source_rank, tag: m.tag }
        });
        let request = match taker {
            Taker::Receive(request) => Some(self.request_id(request)),
            Taker::Probe | Taker::Poll | Taker::Wait => None,
        };
        let after = self.holds(wildcard);
        let resolved = Resolved { id, rank, pattern, message, took, after, request };
        self.exploration.past.add(resolved)
    }

    /// Returns the messages that a probe or poll sees.
    fn unclaimed(&self, rank: u32, pattern: Pattern) -> Vec<u32> {
        let queues = &self.ranks[rank as usize].queues;
        unclaimed(pattern, queues, &self.messages, &self.requests)
    }

    /// Returns the message that a probe takes among those that no posted receive will take.
    pub(crate) fn pick_unclaimed(&mut self, rank: u32, pattern: Pattern) -> Option<u32> {
        let heads = self.unclaimed(rank, pattern);
        if heads.is_empty() {
            return None;
        }
        let by = self.ranks[rank as usize].chooses(rank);
        Some(self.exploration.chooser.choose_message(&heads, &self.messages, by))
    }

    /// Checks whether a message that has arrived could have matched a wildcard that went before
    /// others, had it waited; if so, going first has made a difference.
    pub(crate) fn notice_late(&mut self, message: u32) {
        let m = &self.messages[message];
        let (target, source) = (m.target, m.source_rank);
        let (context, tag) = (m.context, m.tag);
        let sent = self.history.as_ref().and_then(|history| history.sent(m.id)).cloned();
        let by_choice = self.settings.buffering.pool == Pool::ByChoice;
        let Exploration { chooser, past, waits, watches, .. } = &mut self.exploration;
        for watch in watches {
            let matches = watch.rank == target
                && watch.pattern.accepts(context, source, tag)
                && !watch.sources.contains(&source);
            if !matches {
                continue;
            }
            if let Some(place) = watch.place.as_mut().filter(|place| place.earlier > 0) {
                place.earlier -= 1;
                continue;
            }
            // Of a choice that matters in any case nothing more is to be learnt.
            if !by_choice && chooser.matters(watch.position) {
                continue;
            }
            let Some(sent) = &sent else {
                watch.sources.push(source);
                chooser.mattered(watch.position, None, Vec::new());
                continue;
            };
            if let Some(event) = watch.sender {
                if sent.knows(event) {
                    watch.sources.push(source);
                    chooser.mattered(watch.position, None, Vec::new());
                }
                continue;
            }
            let after = watch.resolved.map_or(watch.after, |resolved| past.after(resolved));
            let depends = |moment: &Clock| after.is_some_and(|after| moment.knows(after));
            if depends(sent) {
                continue;
            }
            // A wait that ended because of the match has to end otherwise, if that is possible.
            let is_cause = |begun: &Clock, wildcard: Option<usize>| {
                wildcard.is_some() && wildcard == watch.resolved || depends(begun)
            };
            let mut is_late = false;
            for origin in waits.origins((watch.waits, by_choice), sent, is_cause) {
                // What was sent because of the match could not have been there before.
                let needed = match watch.resolved {
                    Some(resolved) => {
                        let wanted = chooser.wants_matches(watch.position) && !waits.is_full();
                        past.needed(resolved, &origin, wanted)
                    }
                    None if depends(&origin.moment) => Needed::Match,
                    None => Needed::Unknown,
                };
                let needed = match needed {
                    Needed::Match => continue,
                    Needed::Matches(own, mut others) => {
                        others.push((own, watch.place.map_or(source, |place| place.position)));
                        others.sort_unstable();
                        Some(others)
                    }
                    Needed::Unknown => None,
                };
                is_late = true;
                let releases = origin.buffered.into_iter().collect();
                chooser.mattered(watch.position, needed, releases);
            }
            if is_late {
                watch.sources.push(source);
            }
        }
    }

    /// Matches waiting messages with receives that no wildcard precedes.
    pub(crate) fn rematch(&mut self, rank: u32, s: &mut Sched) {
        loop {
            let queues = &self.ranks[rank as usize].queues;
            let pairs = queues.firsts().filter_map(|message| {
                let m = &self.messages[message];
                let (request, pattern) = queues.first_posted(m, &self.requests)?;
                (pattern.source != ANY_SOURCE).then_some((message, request, pattern))
            });
            let pair = pairs.min_by_key(|(message, ..)| self.messages[*message].log);
            let Some((message, request, pattern)) = pair else { return };
            self.pair_up(rank, message, request, pattern, s);
        }
    }

    fn pair_up(&mut self, rank: u32, message: u32, request: u32, pattern: Pattern, s: &mut Sched) {
        let queues = &mut self.ranks[rank as usize].queues;
        queues.take(message, &mut self.messages);
        queues.unpost(pattern, request, &mut self.requests);
        self.match_pair(message, request, s);
    }
}
