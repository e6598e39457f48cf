//! [`EarlyLoads`]: loads of a rank that look like polls, but came before the put that they are to see.
//!
//! A program may wait for the data of others by loading its memory again and again, with `MPI_Win_sync` or tests between
//! the loads (MPI 5.0, section 12.7). One that loads once and goes on has not waited: if a put to these bytes was under way
//! then, it is a race.

use super::{
    recorded::meet,
    touches::{Look, Since, Touched, UnderWay},
};
use crate::{
    call::{Runs, WindowId},
    finding::CallPlace,
};

/// Most loads that are remembered.
const EARLY_MAX: usize = 1024;

/// A load of a word that came too early.
pub(super) struct Early {
    pub(super) window: WindowId,
    pub(super) by: CallPlace,
    pub(super) put: UnderWay,
    /// Base and runs.
    place: (i64, Runs),
}

impl Early {
    fn of(touched: &Touched) -> Option<Self> {
        let Touched { window, by, place, awaits, .. } = touched;
        Some(Self { window: *window, by: *by, put: (*awaits)?, place: place.clone() })
    }

    /// Reports whether a load at the same place in the program, which has been reached before, waits for the same data:
    /// the program looks again. Once the put has been announced, it has to find that none is under way any more.
    fn is_repeated_by(&self, load: &Touched) -> bool {
        self.window == load.window
            && self.by.site == load.by.site
            && (!self.put.announced || load.awaits.is_none() && self.shares(load))
    }

    fn shares(&self, load: &Touched) -> bool {
        let bounds = |(base, runs): &(i64, Runs)| {
            runs.bounds().map(|(first, end)| (base + first, base + end))
        };
        let (Some(one), Some(other)) = (bounds(&self.place), bounds(&load.place)) else {
            return false;
        };
        let (place, other_place) = ((self.place.0, &self.place.1), (load.place.0, &load.place.1));
        one.0 < other.1 && other.0 < one.1 && meet(place, other_place)
    }
}

/// The early loads of a rank.
#[derive(Default)]
pub(super) struct EarlyLoads {
    /// Those after which the program has gone on. They are no polls unless it looks again.
    list: Vec<Early>,
    /// Those after the last call that was no look, if the program has not gone on yet.
    looking: Vec<Early>,
}

impl EarlyLoads {
    /// Follows what a rank has polled since its last call, when it begins one that is this look.
    pub(super) fn follow(&mut self, look: Look, since: &Since) {
        let is_again = |load: &&Touched| since.again.contains(&load.by.site);
        for load in since.polled.iter().filter(is_again) {
            self.list.retain(|early| !early.is_repeated_by(load));
        }
        let is_repeated = |early: &Early| {
            since.polled.iter().any(|load| early.by.site == load.by.site && early.shares(load))
        };
        self.looking.retain(|early| !is_repeated(early));
        let early = since.polled.iter().filter_map(|load| {
            // The first look may be the only one, also at a put that the rank cannot know of.
            let is_only = look == Look::No && !is_again(&load);
            Early::of(load).filter(|early| early.put.announced || is_only)
        });
        self.looking.extend(early);
        if look == Look::No {
            let room = EARLY_MAX.saturating_sub(self.list.len());
            self.list.extend(self.looking.drain(..).take(room));
        }
    }

    /// Takes the early loads of a window.
    pub(super) fn take(&mut self, window: WindowId) -> Vec<Early> {
        self.looking.retain(|early| early.window != window);
        self.list.extract_if(.., |early| early.window == window).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        call::{CommId, Site, Use},
        check::window_race::Does,
    };

    const WINDOW: WindowId = WindowId(CommId(7));

    /// A load of the eight bytes at a place, before a put that is under way or not.
    fn load(at: i64, put: Option<bool>) -> Touched {
        let write = (1, CallPlace { call: "MPI_Put", site: Site::NOWHERE }, Does::Write);
        Touched {
            window: WINDOW,
            owner: 0,
            by: CallPlace { call: "memory", site: Site::NOWHERE },
            place: (at, Runs::One(0, 8)),
            used: Use::Load { vectors: false },
            awaits: put.map(|announced| UnderWay { write, announced }),
        }
    }

    /// What the loads of a program come to, each with the look that follows it; all but the first look again.
    fn early(loads: &[(Look, Option<bool>)]) -> usize {
        let mut early = EarlyLoads::default();
        for (turn, (look, put)) in loads.iter().enumerate() {
            let again = if turn > 0 { vec![Site::NOWHERE] } else { Vec::new() };
            let since = Since { polled: vec![load(0, *put)], again, ..Since::default() };
            early.follow(*look, &since);
        }
        early.follow(Look::No, &Since::default());
        early.take(WINDOW).len()
    }

    #[test]
    fn a_program_that_loads_once_and_goes_on_has_not_waited() {
        for announced in [true, false] {
            assert_eq!(early(&[(Look::No, Some(announced))]), 1);
        }
        assert_eq!(early(&[(Look::No, None)]), 0);
    }

    #[test]
    fn a_look_may_find_nothing_of_a_put_that_nobody_has_announced() {
        assert_eq!(early(&[(Look::Syncs, Some(false))]), 0);
        assert_eq!(early(&[(Look::No, Some(false)), (Look::No, Some(false))]), 0);
        assert_eq!(early(&[(Look::Syncs, Some(true))]), 1);
    }

    #[test]
    fn looks_end_once_no_put_is_under_way() {
        let waits = [(Look::Syncs, Some(true)), (Look::Syncs, Some(true)), (Look::No, None)];
        assert_eq!(early(&waits), 0);
        let works = [(Look::No, Some(true)), (Look::No, Some(true)), (Look::No, None)];
        assert_eq!(early(&works), 0, "with other calls between the looks");
        let rounds = [(Look::Syncs, Some(true)), (Look::No, Some(true)), (Look::No, Some(true))];
        assert_eq!(early(&rounds), 2, "no load finds all complete");
    }

    #[test]
    fn other_bytes_are_no_look_at_the_same_put() {
        let mut early = EarlyLoads::default();
        let looks = |loads, again| Since { polled: loads, again, ..Since::default() };
        early.follow(Look::No, &looks(vec![load(0, Some(true)), load(8, None)], Vec::new()));
        early.follow(Look::No, &looks(vec![load(8, None)], vec![Site::NOWHERE]));
        assert!(early.take(WindowId(CommId(8))).is_empty());
        assert_eq!(early.take(WINDOW).len(), 1);
    }
}
