//! [`Touches`]: what ranks have done directly with memory of windows and nobody has compared yet.
//!
//! Buffers of a call are read when it begins and written when it returns; so what is read is compared
//! with the next call, and what is written with the one after.

use super::direct::Used;
use crate::{
    call::{Runs, Site, Use, WindowId},
    check::window_race::Does,
    finding::CallPlace,
};

/// Most bytes that a program reads to see whether others have written: a word, or a flag and a word.
pub(super) const POLLED_MAX: u64 = 16;

/// Most bytes that an instruction loads before a call to see whether others have written: a few words.
pub(super) const LOADED_MAX: u64 = 64;

/// Number of the latest uses that a further one is compared with: a program that only computes between
/// two calls repeats them.
const REPEATED: usize = 8;

/// A direct use of memory of a window.
#[derive(PartialEq)]
pub(super) struct Touched {
    pub(super) window: WindowId,
    /// The rank of the window whose part it is.
    pub(super) owner: u32,
    pub(super) by: CallPlace,
    /// Base and runs.
    pub(super) place: (i64, Runs),
    pub(super) used: Use,
    /// For a load of a word: a put to it that had been called, but had not taken effect.
    pub(super) awaits: Option<UnderWay>,
}

/// A put that has been called, but has not taken effect.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct UnderWay {
    pub(super) write: Write,
    /// Whether a rank that uses the bytes may know of the call, by a message for instance.
    pub(super) announced: bool,
}

/// An access that writes: the rank of the run that makes it, its call and what that does.
pub(super) type Write = (u32, CallPlace, Does);

/// The direct uses of a rank that are to be compared.
#[derive(Default)]
pub(super) struct Touches {
    /// Those since the last call.
    pub(super) present: Vec<Touched>,
    /// Those of memory that is shared, which have not been compared.
    pub(super) direct: Vec<(WindowId, Used)>,
    /// Number of calls that do more than to let others proceed.
    pub(super) round: u32,
    /// Those that are over when the present call returns.
    pub(super) returning: Vec<Touched>,
    /// What the last call was, and where.
    last: (Look, Option<Site>),
    /// The places in which the program polls its memory.
    polling: Vec<Site>,
}

/// What a call does for a program that waits until others have written to its memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing.
    #[default]
    No,
    /// It is a test, which lets others proceed.
    Polls,
    /// It is `MPI_Win_sync`, which makes their writes visible.
    Syncs,
}

/// What a rank has done since its last call.
#[derive(Default)]
pub(super) struct Since {
    /// The uses of its memory that are compared with others.
    pub(super) compared: Vec<Touched>,
    /// The loads by which it looks whether others have written.
    pub(super) polled: Vec<Touched>,
    /// The places of those loads that have polled before an earlier call.
    pub(super) again: Vec<Site>,
    /// Whether it synchronises in a loop or unobserved: loads of it are not known.
    pub(super) unseen: bool,
}

impl Touches {
    /// Notes a use since the last call.
    pub(super) fn note(&mut self, touched: Touched) {
        if !self.present.iter().rev().take(REPEATED).any(|known| *known == touched) {
            self.present.push(touched);
        }
    }

    /// Notes a use of memory that is shared.
    pub(super) fn note_direct(&mut self, window: WindowId, used: Used) {
        let mut last = self.direct.iter().rev().take(REPEATED);
        if !last.any(|(of, known)| *of == window && known.is_like(&used)) {
            self.direct.push((window, used));
        }
    }

    /// Takes the uses before a call at a place. Loads of words before `MPI_Win_sync`, or between two tests,
    /// poll; after the last `MPI_Win_sync` so do those in the places that have polled before, or the first
    /// one.
    pub(super) fn take(&mut self, look: Look, site: Site, watched: bool) -> Since {
        let (before, place) = std::mem::replace(&mut self.last, (look, Some(site)));
        let is_word =
            |touched: &Touched| touched.used.is_load() && touched.place.1.bytes() <= LOADED_MAX;
        let mut since = Since::default();
        let all = std::mem::take(&mut self.present);
        let loads = all.iter().any(|touched| touched.used.is_load());
        let syncs = (before, look) == (Look::Syncs, Look::Syncs);
        since.unseen = match before {
            Look::Syncs => !loads && (!watched || syncs && place == Some(site)),
            Look::No | Look::Polls => false,
        };
        let loops = match (before, look) {
            (_, Look::Syncs) | (Look::Polls, Look::Polls) => true,
            (_, Look::No) | (Look::No | Look::Syncs, Look::Polls) => false,
        };
        let known = all.iter().any(|t| is_word(t) && self.polling.contains(&t.by.site));
        let mut first = before == Look::Syncs && !known;
        let earlier = self.polling.len();
        for touched in all {
            let place = touched.by.site;
            let polls = is_word(&touched)
                && (loops
                    || before == Look::Syncs && self.polling.contains(&place)
                    || std::mem::take(&mut first));
            if polls {
                match self.polling.iter().position(|known| *known == place) {
                    Some(at) if at < earlier => since.again.push(place),
                    Some(_) => {}
                    None => self.polling.push(place),
                }
            }
            if polls { &mut since.polled } else { &mut since.compared }.push(touched);
        }
        since
    }
}
