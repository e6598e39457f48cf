//! Changes that make the use of a window wrong.

use mpi_api::object::signature::Primitive;

use super::{Builder, Draft};
use crate::{
    plan::{
        Fault, Step, Window, Wrong,
        window::{Deed, Promise, Turn, Update},
    },
    reference::window::{Judgement, judge},
};

/// Most windows that changes are tried on.
const WINDOWS: u64 = 20;

/// Most changes that are tried on one window.
const TRIES: u64 = 60;

impl Builder {
    /// Adds a window whose use is wrong in the way that a number selects, or in another one if no change
    /// leads to that.
    pub(in crate::generate) fn wrong_window(&mut self, number: u64) {
        let kinds = [Wrong::Epochs, Wrong::Order, Wrong::Buffers, Wrong::Stored];
        let wanted = kinds[number as usize % kinds.len()];
        let mut other = None;
        for _ in 0..WINDOWS {
            let right = self.right_window();
            for _ in 0..TRIES {
                let mut changed = right.clone();
                self.change(&mut changed);
                match judge(&changed) {
                    Judgement::Wrong(wrong) if wrong == wanted => {
                        return self.blame_window(changed, wrong);
                    }
                    Judgement::Wrong(wrong) => {
                        other.get_or_insert((changed, wrong));
                    }
                    Judgement::Right | Judgement::Open | Judgement::Stuck => {}
                }
            }
        }
        if let Some((window, wrong)) = other {
            self.blame_window(window, wrong);
        }
    }

    fn blame_window(&mut self, window: Window, wrong: Wrong) {
        self.push(Step::Window(Box::new(window)));
        self.blame(Fault::Window(wrong), Vec::new());
    }

    fn change(&mut self, window: &mut Window) {
        let count = window.turns.len() as u64;
        // The first entries store to the parts, which nothing else does.
        let at = self.range(u64::from(window.size()), count + 1) as usize;
        match self.below(7) {
            0 if at < window.turns.len() => {
                window.turns.remove(at);
            }
            1 if at + 1 < window.turns.len() => window.turns.swap(at, at + 1),
            2 => self.insert_access(window, at),
            3 => {
                let rank = self.below(u64::from(window.size())) as u32;
                let bytes = window.bytes[rank as usize];
                if bytes < 20 {
                    return;
                }
                let count = self.range(17, bytes + 1);
                let first = self.below(bytes - count + 1);
                let key = 800 + window.turns.len() as u64;
                let store = Deed::Store(first, count, key);
                let deed = if self.one_in(2) { Deed::Load(first, count) } else { store };
                window.turns.insert(at, Turn::Deed(rank, deed));
            }
            4 => {
                let size = u64::from(window.size());
                let (rank, target) = (self.below(size) as u32, self.below(size) as u32);
                let deeds = [
                    Deed::Lock(target, true),
                    Deed::Lock(target, false),
                    Deed::Unlock(target),
                    Deed::LockAll,
                    Deed::UnlockAll,
                    Deed::Flush(Some(target)),
                    Deed::Flush(None),
                    Deed::FlushLocal(Some(target)),
                    Deed::Complete,
                    Deed::Wait { polls: false },
                    Deed::Post(vec![target], Promise::default()),
                ];
                let which = self.below(deeds.len() as u64) as usize;
                window.turns.insert(at, Turn::Deed(rank, deeds[which].clone()));
            }
            5 => {
                let rank = self.below(u64::from(window.size())) as u32;
                let offers = |turn: &&mut Turn| turn.promise(rank).is_some();
                if let Some(turn) =
                    window.turns[at.min(count as usize - 1)..].iter_mut().find(offers)
                {
                    let no_store = self.one_in(2);
                    turn.assert(rank, Promise { no_store, no_put: !no_store });
                }
            }
            _ => self.use_early(window),
        }
    }

    fn insert_access(&mut self, window: &mut Window, at: usize) {
        let atomic = window.accesses.iter().find(|access| access.kind.is_atomic());
        let draft = Draft {
            primitive: atomic.map_or(Primitive::Int32, |access| access.primitive),
            update: atomic.and_then(|access| access.kind.update()).unwrap_or(Update::Sum),
            window: window.clone(),
        };
        let (rank, target) = (self.member(&draft), self.member(&draft));
        let passive = self.one_in(4);
        let Some(access) = self.any_access(&draft, target, passive) else { return };
        let id = window.accesses.len();
        if access.request {
            window.turns.insert(at, Turn::Deed(rank, Deed::Finish(id)));
        }
        window.accesses.push(access);
        window.turns.insert(at, Turn::Deed(rank, Deed::Access(id)));
    }

    /// Adds a use of the buffer of an access, directly after the access or a little later.
    fn use_early(&mut self, window: &mut Window) {
        let started: Vec<(usize, u32, usize)> = window
            .turns
            .iter()
            .enumerate()
            .filter_map(|(at, turn)| match turn {
                Turn::Deed(rank, Deed::Access(id)) => Some((at, *rank, *id)),
                _ => None,
            })
            .filter(|(.., id)| window.accesses[*id].there.bytes() > 0)
            .collect();
        if started.is_empty() {
            return;
        }
        let (at, rank, id) = self.pick(&started);
        let later = (at + 1 + self.below(3) as usize).min(window.turns.len());
        let deed = if self.one_in(2) { Deed::Peek(id) } else { Deed::Spoil(id) };
        window.turns.insert(later, Turn::Deed(rank, deed));
    }
}
