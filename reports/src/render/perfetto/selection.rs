//! [`Selection`]: the part of a run that a trace shows.

use mpi_api::trace::Record;
use sim_core::SimTime;

/// The part of a run that a trace shows. The default is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Beginning and end of the time window. What overlaps with it is shown, and is not cut.
    pub window: Option<(SimTime, SimTime)>,
    /// The ranks, as inclusive ranges of world ranks. Messages are shown if both ranks are.
    pub ranks: Option<Vec<(u32, u32)>>,
}

impl Selection {
    /// Reports whether the track of a rank is shown.
    pub fn has_rank(&self, rank: u32) -> bool {
        let among = |ranks: &Vec<(u32, u32)>| {
            ranks.iter().any(|(first, last)| (*first..=*last).contains(&rank))
        };
        self.ranks.as_ref().is_none_or(among)
    }

    /// Reports whether a record is shown.
    pub(super) fn has(&self, record: &Record) -> bool {
        match record {
            Record::Interval { rank, start, end, .. } => {
                self.has_rank(*rank) && self.overlaps(*start, *end)
            }
            Record::Message { source, target, posted, matched, .. } => {
                self.has_rank(*source) && self.has_rank(*target) && self.overlaps(*posted, *matched)
            }
            Record::Link { start, end, .. } => self.overlaps(*start, *end),
            Record::Pair { .. } | Record::Handshake { .. } | Record::Undelivered { .. } => false,
        }
    }

    fn overlaps(&self, start: SimTime, end: SimTime) -> bool {
        self.window.is_none_or(|(from, to)| start < to && (end > from || start >= from))
    }
}
