//! [`Heard`]: the events that are kept for a rank which listens to some.

use crate::call::{EventKind, MatchEvent, MatchEvents};

/// The events of one rank since it took them last.
#[derive(Default)]
pub(in crate::kernel) struct Heard {
    /// How many events of each type are kept.
    room: [u32; EventKind::ALL.len()],
    /// How many are kept now.
    held: [u32; EventKind::ALL.len()],
    events: MatchEvents,
}

impl Heard {
    /// Sets how many events of each type are kept. Events of a type that nobody listens to any more are
    /// forgotten.
    pub(super) fn listen(&mut self, room: [u32; EventKind::ALL.len()]) {
        self.room = room;
        self.events.kept.retain(|event| room[event.kind.index()] > 0);
        for (index, room) in room.into_iter().enumerate() {
            if room == 0 {
                (self.held[index], self.events.lost[index]) = (0, 0);
            }
        }
    }

    /// Keeps an event, or counts it if there is no room.
    pub(super) fn add(&mut self, event: MatchEvent) {
        let index = event.kind.index();
        if self.held[index] < self.room[index] {
            self.held[index] += 1;
            self.events.kept.push(event);
        } else if self.room[index] > 0 {
            self.events.lost[index] += 1;
        }
    }

    /// Takes all events.
    pub(super) fn take(&mut self) -> MatchEvents {
        self.held = Default::default();
        std::mem::take(&mut self.events)
    }
}

#[cfg(test)]
mod tests {
    use sim_core::SimTime;

    use super::*;
    use crate::call::CommId;

    fn event(kind: EventKind, tag: i32) -> MatchEvent {
        MatchEvent { kind, time: SimTime::ZERO, comm: CommId::WORLD, source: 0, tag, bytes: 0 }
    }

    #[test]
    fn events_beyond_the_room_of_their_type_are_counted() {
        let mut heard = Heard::default();
        heard.add(event(EventKind::Unexpected, 0));
        assert_eq!(heard.take(), MatchEvents::default(), "nobody listens");
        heard.listen([0, 2, 1]);
        for tag in 1..=3 {
            heard.add(event(EventKind::Unexpected, tag));
            heard.add(event(EventKind::MatchedUnexpected, tag));
            heard.add(event(EventKind::MatchedPosted, tag));
        }
        let taken = heard.take();
        let kept: Vec<i32> = taken.kept.iter().map(|event| event.tag).collect();
        assert_eq!((kept, taken.lost), (vec![1, 1, 2], [0, 1, 2]));
        heard.add(event(EventKind::Unexpected, 4));
        assert_eq!(heard.take().kept.len(), 1, "there is room again");
    }

    #[test]
    fn events_of_a_type_without_a_listener_are_forgotten() {
        let mut heard = Heard::default();
        heard.listen([1, 1, 0]);
        heard.add(event(EventKind::MatchedPosted, 0));
        heard.add(event(EventKind::MatchedPosted, 1));
        heard.add(event(EventKind::Unexpected, 2));
        heard.listen([0, 1, 0]);
        let taken = heard.take();
        assert_eq!((taken.kept[0].tag, taken.kept.len(), taken.lost), (2, 1, [0; 3]));
    }
}
