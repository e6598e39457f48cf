//! [`History`]: what happened before what, as far as the program's own synchronisation says.
//!
//! Order is given by data flow alone: a message is sent before its receive is complete, a synchronous send
//! ends after its receive has begun, and a member of a collective leaves after those have entered
//! whose data it needs. What a run happens to do first orders nothing.

use std::collections::BTreeMap;

use super::clock::{Clock, Point};
use crate::{call::RequestId, kernel::collective::key::Key, observation::Needs};

/// A thread of a rank: number of the rank in the run, and of the thread in the rank.
pub(super) type Caller = (u32, u32);

/// What a rank learns when a call returns.
#[derive(Debug, Default)]
struct Lesson {
    clock: Clock,
    collectives: Vec<Part>,
    channels: Vec<u32>,
}

/// The part of a member in a collective.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) key: Key,
    /// The members whose data it needs.
    pub(super) needs: Needs,
    pub(super) member: u32,
    /// Number of members.
    pub(super) size: u32,
}

/// A collective that not all members have left.
#[derive(Debug, Default)]
struct Meeting {
    all: Clock,
    /// The clock of each member, where members need the data of some only.
    members: BTreeMap<u32, Clock>,
    left: u32,
}

/// The moments of all ranks, and what is on its way between them.
#[derive(Debug)]
pub(in crate::kernel) struct History {
    clocks: Vec<Clock>,
    /// What each rank learns when the present call of its first thread returns.
    returning: Vec<Lesson>,
    /// What ranks learn when the present calls of their other threads return.
    beside: BTreeMap<Caller, Lesson>,
    /// Messages that no receive has taken, by number.
    sent: BTreeMap<u64, Clock>,
    /// Beginnings of receives that no message has matched, some of which were cancelled.
    posted: BTreeMap<RequestId, Clock>,
    /// What is learnt when a request is collected.
    requests: BTreeMap<RequestId, Lesson>,
    meetings: BTreeMap<Key, Meeting>,
    /// The partitions that were declared ready, by channel.
    channels: BTreeMap<u32, Clock>,
}

impl History {
    /// Begins the history of this many ranks.
    pub(in crate::kernel) fn new(ranks: u32) -> Self {
        let mut history = Self {
            clocks: Vec::new(),
            returning: Vec::new(),
            beside: BTreeMap::new(),
            sent: BTreeMap::new(),
            posted: BTreeMap::new(),
            requests: BTreeMap::new(),
            meetings: BTreeMap::new(),
            channels: BTreeMap::new(),
        };
        history.make_room(ranks);
        history
    }

    /// Adds ranks that have begun since.
    pub(super) fn make_room(&mut self, ranks: u32) {
        let known = self.clocks.len() as u32;
        self.clocks.extend((known..ranks).map(Clock::of_rank));
        self.returning.resize_with(self.clocks.len(), Lesson::default);
    }

    /// Returns the present moment of a rank.
    pub(in crate::kernel) fn clock(&self, rank: u32) -> &Clock {
        &self.clocks[rank as usize]
    }

    /// Returns the event that a rank is in.
    pub(in crate::kernel) fn present(&self, rank: u32) -> Point {
        self.clock(rank).event_of(rank)
    }

    /// Returns the present moment of a rank, for others to learn of; what follows is a new event.
    pub(in crate::kernel) fn release(&mut self, rank: u32) -> Clock {
        let moment = self.clock(rank).clone();
        self.clocks[rank as usize].advance(rank);
        moment
    }

    /// Lets a rank know what happened before another moment.
    pub(in crate::kernel) fn learn(&mut self, rank: u32, moment: &Clock) {
        self.clocks[rank as usize].join(moment);
    }

    /// Returns what all of these ranks know.
    pub(in crate::kernel) fn known_to_all(&self, ranks: impl Iterator<Item = u32>) -> Clock {
        let clocks = ranks.map(|rank| self.clock(rank).clone());
        clocks
            .reduce(|mut all, clock| {
                all.meet(&clock);
                all
            })
            .unwrap_or_default()
    }

    /// Returns the number of the event in which a receive of a rank began that no message has matched.
    pub(in crate::kernel) fn begun(&self, rank: u32, request: RequestId) -> Option<u32> {
        self.posted.get(&request).map(|moment| moment.count(rank))
    }

    /// Records a message.
    pub(super) fn send(&mut self, rank: u32, message: u64) {
        let moment = self.release(rank);
        self.sent.insert(message, moment);
    }

    /// Records that a receive begins.
    pub(super) fn post(&mut self, rank: u32, request: RequestId) {
        let moment = self.release(rank);
        self.posted.insert(request, moment);
    }

    /// Returns the moment in which a message was sent that no receive has taken.
    pub(in crate::kernel) fn sent(&self, message: u64) -> Option<&Clock> {
        self.sent.get(&message)
    }

    /// Returns the moment in which a message was sent, and forgets it.
    pub(super) fn take_sent(&mut self, message: u64) -> Option<Clock> {
        self.sent.remove(&message)
    }

    /// Returns the moment in which a receive of a rank began, and forgets it.
    pub(super) fn take_posted(&mut self, rank: u32, request: RequestId) -> Clock {
        match self.posted.remove(&request) {
            Some(moment) => moment,
            None => self.release(rank),
        }
    }

    /// Lets a rank know of a message whose envelope a probe has found.
    pub(super) fn probe(&mut self, caller: Caller, message: u64) {
        if let Some(moment) = self.sent.get(&message).cloned() {
            self.learn_on_return(caller, &moment);
        }
    }

    /// What is learnt when the present call of a thread returns.
    fn returning(&mut self, (rank, thread): Caller) -> &mut Lesson {
        match thread {
            0 => &mut self.returning[rank as usize],
            _ => self.beside.entry((rank, thread)).or_default(),
        }
    }

    fn lesson(&mut self, caller: Caller, request: Option<RequestId>) -> &mut Lesson {
        match request {
            Some(request) => self.requests.entry(request).or_default(),
            None => self.returning(caller),
        }
    }

    /// Lets a rank know of a moment when the present call of a thread returns.
    pub(super) fn learn_on_return(&mut self, caller: Caller, moment: &Clock) {
        self.returning(caller).clock.join(moment);
    }

    /// Lets a rank know of a moment when it collects a request.
    pub(in crate::kernel) fn learn_with(&mut self, request: RequestId, moment: &Clock) {
        self.requests.entry(request).or_default().clock.join(moment);
    }

    /// Records that a rank enters a collective, whose part ends when it collects a request, or when its
    /// present call returns.
    pub(super) fn enter(
        &mut self,
        caller: Caller,
        part: Part,
        singly: bool,
        request: Option<RequestId>,
    ) {
        let moment = self.release(caller.0);
        let meeting = self.meetings.entry(part.key).or_default();
        meeting.all.join(&moment);
        if singly {
            meeting.members.insert(part.member, moment);
        }
        self.lesson(caller, request).collectives.push(part);
    }

    /// Records that a rank declares partitions of a channel ready.
    pub(super) fn declare(&mut self, rank: u32, channel: u32) {
        let moment = self.release(rank);
        self.channels.entry(channel).or_default().join(&moment);
    }

    /// Lets a rank know of the partitions of a channel when its present call returns.
    pub(super) fn ask(&mut self, caller: Caller, channel: u32) {
        self.returning(caller).channels.push(channel);
    }

    /// Lets a rank know what the call of a thread that has returned has told it.
    pub(super) fn settle(&mut self, (rank, thread): Caller) {
        let lesson = match thread {
            0 => std::mem::take(&mut self.returning[rank as usize]),
            _ => self.beside.remove(&(rank, thread)).unwrap_or_default(),
        };
        self.apply(rank, lesson);
    }

    /// Lets a rank know what a request has brought that it has collected.
    pub(super) fn collect(&mut self, rank: u32, request: RequestId) {
        if let Some(lesson) = self.requests.remove(&request) {
            self.apply(rank, lesson);
        }
    }

    fn apply(&mut self, rank: u32, lesson: Lesson) {
        self.learn(rank, &lesson.clock);
        lesson.collectives.into_iter().for_each(|part| self.leave(rank, &part));
        for channel in lesson.channels {
            if let Some(moment) = self.channels.get(&channel) {
                self.clocks[rank as usize].join(moment);
            }
        }
    }

    fn leave(&mut self, rank: u32, part: &Part) {
        let Some(meeting) = self.meetings.get_mut(&part.key) else { return };
        let clock = &mut self.clocks[rank as usize];
        let mut learn = |member: u32| {
            if let Some(moment) = meeting.members.get(&member) {
                clock.join(moment);
            }
        };
        match &part.needs {
            Needs::All => clock.join(&meeting.all),
            Needs::Nothing => {}
            Needs::Root(root) => learn(*root),
            Needs::Lower => (0..part.member).for_each(learn),
            Needs::These(members) => members.iter().copied().for_each(learn),
        }
        meeting.left += 1;
        if meeting.left == part.size {
            self.meetings.remove(&part.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::CommId;

    fn entered(history: &mut History, member: u32, needs: Needs, number: u32) {
        let key = Key::ordered_for_tests(CommId::WORLD, number);
        history.enter((member, 0), Part { key, needs, member, size: 3 }, true, None);
    }

    #[test]
    fn messages_are_known_when_their_call_returns_or_their_request_is_collected() {
        let mut history = History::new(2);
        let event = history.present(0);
        history.send(0, 7);
        let later = history.present(0);
        let sent = history.take_sent(7).expect("it was sent");
        let request = RequestId { index: 3, generation: 1 };
        history.learn_with(request, &sent);
        history.settle((1, 0));
        assert!(!history.clock(1).knows(event), "the request is not collected");
        history.collect(1, request);
        assert!(history.clock(1).knows(event) && !history.clock(1).knows(later));
    }

    #[test]
    fn a_cancelled_receive_is_not_taken_for_another_one_with_its_slot() {
        let mut history = History::new(2);
        let request = |generation| RequestId { index: 3, generation };
        history.post(0, request(1));
        assert_eq!(history.begun(0, request(1)), Some(1));
        let begun = history.take_posted(1, request(2));
        assert_eq!((begun.count(0), begun.count(1)), (0, 1));
    }

    #[test]
    fn a_member_knows_of_those_whose_data_it_needs() {
        let mut history = History::new(3);
        let events: Vec<Point> = (0..3).map(|rank| history.present(rank)).collect();
        for rank in 0..3 {
            let needs = if rank == 0 { Needs::Nothing } else { Needs::Root(0) };
            entered(&mut history, rank, needs, 0);
        }
        (0..3).for_each(|rank| history.settle((rank, 0)));
        assert!(history.clock(1).knows(events[0]) && !history.clock(1).knows(events[2]));
        assert!(!history.clock(0).knows(events[1]));
        (0..3).for_each(|rank| entered(&mut history, rank, Needs::All, 1));
        history.settle((0, 0));
        assert!(events.iter().all(|event| history.clock(0).knows(*event)));
        assert!(history.known_to_all(0..3).knows(events[0]), "by both collectives");
        assert!(!history.known_to_all(0..3).knows(events[1]), "rank 2 has not left");
        assert_eq!(history.meetings.len(), 1, "the broadcast is over");
    }

    #[test]
    fn a_thread_that_returns_tells_nothing_of_what_another_waits_for() {
        let mut history = History::new(3);
        let enter = |history: &mut History, caller: Caller| {
            let key = Key::ordered_for_tests(CommId::WORLD, 0);
            let part = Part { key, needs: Needs::All, member: caller.0, size: 3 };
            history.enter(caller, part, false, None);
        };
        enter(&mut history, (0, 0));
        history.settle((0, 1));
        let event = history.present(2);
        enter(&mut history, (1, 2));
        enter(&mut history, (2, 0));
        history.settle((0, 0));
        history.settle((1, 2));
        assert!(history.clock(0).knows(event) && history.clock(1).knows(event));
    }

    #[test]
    fn partitions_are_known_that_were_declared_before() {
        let mut history = History::new(2);
        let event = history.present(0);
        history.declare(0, 4);
        history.ask((1, 0), 4);
        history.settle((1, 0));
        assert!(history.clock(1).knows(event));
    }
}
