//! The posted-receive and unexpected-message queues of one rank, and the non-overtaking rule (MPI
//! section 3.5): messages of one sender match in the order sent, receives in the order posted.
//!
//! Cost: posting and matching a receive are O(1) whatever the depth, except that a wildcard receive
//! walks the unexpected messages in order of arrival until one matches.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::kernel::{
    first_map::FirstMap,
    request::table::{ANY_SOURCE, ANY_TAG, Pattern, Request},
    transport::message::{Message, NONE, Slab},
};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    context: u32,
    source: u32,
    tag: i32,
}

#[derive(Clone, Copy)]
struct Ends {
    head: u32,
    tail: u32,
}

/// The queues of one rank.
#[derive(Default)]
pub(crate) struct Queues {
    posted: FirstMap<Key, Ends>,
    /// Number of posted receives without wildcards.
    exact: u32,
    /// Numbers of posted receives with a wildcard source, a wildcard tag, and both.
    wild: [u32; 3],
    unexpected: FirstMap<Key, Ends>,
    log: VecDeque<u32>,
    log_base: u64,
    /// Number of messages of the program, not of collectives, that have been in this log.
    kept: u64,
    /// Number of times that a receive or message came or went.
    changes: u64,
}

fn key(pattern: Pattern) -> Key {
    Key { context: pattern.context, source: pattern.source, tag: pattern.tag }
}

fn class(pattern: Pattern) -> Option<usize> {
    match (pattern.source == ANY_SOURCE, pattern.tag == ANY_TAG) {
        (false, false) => None,
        (true, false) => Some(0),
        (false, true) => Some(1),
        (true, true) => Some(2),
    }
}

impl Queues {
    /// Reports whether no receive is posted.
    #[inline]
    pub(crate) fn awaits_none(&self) -> bool {
        self.exact == 0 && self.wild == [0; 3]
    }

    /// Reports whether a message waits for its receive.
    #[inline]
    pub(crate) fn has_unexpected(&self) -> bool {
        !self.log.is_empty()
    }

    /// Returns the number of posted receives.
    pub(in crate::kernel) fn posted(&self) -> u32 {
        self.exact + self.wild.iter().sum::<u32>()
    }

    /// Returns the number of messages of the program that have had to wait so far.
    pub(in crate::kernel) fn kept(&self) -> u64 {
        self.kept
    }

    /// Returns a number that differs whenever the queues do.
    pub(in crate::kernel) fn changes(&self) -> u64 {
        self.changes
    }

    /// Appends a receive.
    pub(crate) fn post(&mut self, pattern: Pattern, request: u32, requests: &mut Slab<Request>) {
        self.changes += 1;
        requests[request].next = NONE;
        match self.posted.get_mut(&key(pattern)) {
            Some(ends) => {
                requests[ends.tail].next = request;
                ends.tail = request;
            }
            None => self.posted.insert_new(key(pattern), Ends { head: request, tail: request }),
        }
        match class(pattern) {
            Some(class) => self.wild[class] += 1,
            None => self.exact += 1,
        }
    }

    /// Returns the earliest posted receive that accepts the message, without removing it.
    pub(crate) fn first_posted(
        &self,
        message: &Message,
        requests: &Slab<Request>,
    ) -> Option<(u32, Pattern)> {
        let exact =
            Pattern { context: message.context, source: message.source_rank, tag: message.tag };
        // Usually only one kind of pattern is posted: then one look-up is enough.
        let only = |pattern: Pattern| self.posted.get(&key(pattern)).map(|e| (e.head, pattern));
        match (self.exact, self.wild) {
            (_, [0, 0, 0]) => return only(exact),
            (0, [0, _, 0]) => return only(Pattern { tag: ANY_TAG, ..exact }),
            (0, [_, 0, 0]) => return only(Pattern { source: ANY_SOURCE, ..exact }),
            _ => {}
        }
        let candidates = [
            Some(exact),
            (self.wild[0] > 0).then_some(Pattern { source: ANY_SOURCE, ..exact }),
            (self.wild[1] > 0).then_some(Pattern { tag: ANY_TAG, ..exact }),
            (self.wild[2] > 0).then_some(Pattern { source: ANY_SOURCE, tag: ANY_TAG, ..exact }),
        ];
        candidates
            .into_iter()
            .flatten()
            .filter_map(|pattern| {
                let ends = self.posted.get(&key(pattern))?;
                Some((requests[ends.head].order, ends.head, pattern))
            })
            .min_by_key(|(order, ..)| *order)
            .map(|(_, request, pattern)| (request, pattern))
    }

    /// Reports whether a receive is posted.
    pub(in crate::kernel) fn is_posted(
        &self,
        pattern: Pattern,
        request: u32,
        requests: &Slab<Request>,
    ) -> bool {
        let first = self.posted.get(&key(pattern)).map(|ends| ends.head);
        let next = |at: &u32| Some(requests[*at].next).filter(|next| *next != NONE);
        std::iter::successors(first, next).any(|at| at == request)
    }

    /// Removes a posted receive; cheap for the first of its key.
    pub(crate) fn unpost(&mut self, pattern: Pattern, request: u32, requests: &mut Slab<Request>) {
        let mut found = false;
        self.posted.remove_if(&key(pattern), |ends| {
            found = true;
            let next = requests[request].next;
            if ends.head == request {
                ends.head = next;
                return next == NONE;
            }
            let mut before = ends.head;
            while requests[before].next != request {
                before = requests[before].next;
            }
            requests[before].next = next;
            if ends.tail == request {
                ends.tail = before;
            }
            false
        });
        if !found {
            return;
        }
        self.changes += 1;
        match class(pattern) {
            Some(class) => self.wild[class] -= 1,
            None => self.exact -= 1,
        }
    }

    /// Appends a message that found no receive.
    pub(crate) fn keep(&mut self, message: u32, messages: &mut Slab<Message>) {
        let (context, source, tag) = {
            let m = &mut messages[message];
            m.next = NONE;
            m.log = self.log_base + self.log.len() as u64;
            (m.context, m.source_rank, m.tag)
        };
        self.changes += 1;
        self.log.push_back(message);
        self.kept += u64::from(context.is_multiple_of(2));
        let key = Key { context, source, tag };
        match self.unexpected.get_mut(&key) {
            Some(ends) => {
                messages[ends.tail].next = message;
                ends.tail = message;
            }
            None => self.unexpected.insert_new(key, Ends { head: message, tail: message }),
        }
    }

    /// Returns the earliest message that a receive could take, without removing it.
    pub(crate) fn first_unexpected(
        &self,
        pattern: Pattern,
        messages: &Slab<Message>,
    ) -> Option<u32> {
        if class(pattern).is_none() {
            return self.unexpected.get(&key(pattern)).map(|ends| ends.head);
        }
        self.waiting().find(|index| {
            let m = &messages[*index];
            pattern.accepts(m.context, m.source_rank, m.tag)
        })
    }

    /// Returns the earliest message of each sender that a pattern accepts and that is `visible`, in
    /// order of arrival. That must not differ among messages of one sender, context and tag.
    pub(crate) fn heads(
        &self,
        pattern: Pattern,
        messages: &Slab<Message>,
        visible: impl Fn(&Message) -> bool,
    ) -> Vec<u32> {
        let is_accepted = |index: &u32| {
            let m = &messages[*index];
            pattern.accepts(m.context, m.source_rank, m.tag) && visible(m)
        };
        let mut heads: Vec<u32> = self.firsts().filter(is_accepted).collect();
        heads.sort_unstable_by_key(|index| messages[*index].log);
        let mut senders = FxHashSet::default();
        heads.retain(|index| senders.insert(messages[*index].source));
        heads
    }

    /// Returns the first unexpected message of each context, sender and tag, in no order that means anything: with many
    /// messages there are far fewer of these.
    pub(crate) fn firsts(&self) -> impl Iterator<Item = u32> + '_ {
        self.unexpected.values().map(|ends| ends.head)
    }

    /// Returns the unexpected messages in order of arrival.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = u32> + '_ {
        self.log.iter().copied().filter(|index| *index != NONE)
    }

    /// Removes an unexpected message.
    pub(crate) fn take(&mut self, message: u32, messages: &mut Slab<Message>) {
        let (key, next, log) = {
            let m = &messages[message];
            (Key { context: m.context, source: m.source_rank, tag: m.tag }, m.next, m.log)
        };
        let ends = self.unexpected.get_mut(&key).expect("a kept message has its queue");
        if ends.head == message {
            if next == NONE {
                self.unexpected.remove(&key);
            } else {
                ends.head = next;
            }
        } else {
            let mut before = ends.head;
            while messages[before].next != message {
                before = messages[before].next;
            }
            messages[before].next = next;
            if ends.tail == message {
                ends.tail = before;
            }
        }
        self.changes += 1;
        self.log[(log - self.log_base) as usize] = NONE;
        while self.log.front() == Some(&NONE) {
            self.log.pop_front();
            self.log_base += 1;
        }
    }
}
