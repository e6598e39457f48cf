//! Random one-sided communication. A use of memory is kept if the model of the reference finds the program so
//! far right; a program is made wrong by changes until the model says so.

mod access;
mod fault;
mod phase;

use mpi_api::object::signature::Primitive;

use super::Builder;
use crate::{
    plan::{
        Id, Step, Window,
        window::{BYTES_MAX, Deed, Flavor, Promise, Turn, Update},
    },
    reference::window::{Judgement, judge, judge_so_far},
};

/// A window under construction.
struct Draft {
    window: Window,
    /// The type of atomic accesses: those to one place have one type.
    primitive: Primitive,
    /// The usual operation of atomic accesses.
    update: Update,
}

impl Draft {
    fn push(&mut self, turn: Turn) {
        self.window.turns.push(turn);
    }

    fn deed(&mut self, rank: u32, deed: Deed) {
        self.push(Turn::Deed(rank, deed));
    }

    /// Returns whether the program is right so far.
    fn is_right(&self) -> bool {
        judge_so_far(&self.window) == Judgement::Right
    }

    /// Adds an entry if the program stays right.
    fn try_deed(&mut self, rank: u32, deed: Deed) -> bool {
        self.deed(rank, deed);
        let right = self.is_right();
        if !right {
            self.window.turns.pop();
        }
        right
    }

    /// Returns a number for the data of a store.
    fn next_store(&self) -> u64 {
        500 + self.window.turns.len() as u64
    }

    /// Returns the accesses of a rank whose requests it has not waited for.
    fn unfinished(&self, rank: u32) -> Vec<usize> {
        let turns = &self.window.turns;
        let started = turns.iter().filter_map(|turn| match turn {
            Turn::Deed(of, Deed::Access(id)) if *of == rank => Some(*id),
            _ => None,
        });
        let finished = |id: usize| turns.contains(&Turn::Deed(rank, Deed::Finish(id)));
        let requested = |id: &usize| self.window.accesses[*id].request && !finished(*id);
        started.filter(requested).collect()
    }
}

impl Builder {
    /// Adds the right use of a window.
    pub(super) fn window(&mut self) {
        let window = self.right_window();
        self.push(Step::Window(Box::new(window)));
    }

    fn right_window(&mut self) -> Window {
        let comm = self.window_comm();
        let mut draft = self.draft(comm);
        let size = draft.window.size();
        for rank in 0..size {
            let bytes = draft.window.bytes[rank as usize];
            if bytes > 0 {
                let key = draft.next_store();
                draft.deed(rank, Deed::Store(0, bytes, key));
            }
        }
        let fence = Turn::fence(self.one_in(2), false);
        draft.push(if self.one_in(2) { Turn::Barrier } else { fence });
        for _ in 0..self.range(1, 4) {
            self.phase(&mut draft);
        }
        if !matches!(draft.window.turns.last(), Some(Turn::Fence { .. } | Turn::Barrier)) {
            draft.push(Turn::Barrier);
        }
        for rank in 0..size {
            let bytes = draft.window.bytes[rank as usize];
            if bytes > 0 {
                draft.deed(rank, Deed::Load(0, bytes));
            }
        }
        self.promises(&mut draft.window);
        let judged = judge(&draft.window);
        assert_eq!(judged, Judgement::Right, "seed {}: {:?}", self.plan.seed, draft.window);
        draft.window
    }

    /// Adds assertions of ranks about their own memory that are true.
    fn promises(&mut self, window: &mut Window) {
        for turn in 0..window.turns.len() {
            for rank in 0..window.size() {
                for more in [Promise::no_store, Promise::no_put] {
                    let Some(before) = window.turns[turn].promise(rank) else { break };
                    if !self.one_in(4) {
                        continue;
                    }
                    window.turns[turn].assert(rank, more(before));
                    if judge(window) != Judgement::Right {
                        window.turns[turn].assert(rank, before);
                    }
                }
            }
        }
    }

    /// Returns an intracommunicator, usually of several ranks.
    fn window_comm(&mut self) -> Id {
        let intra = |id: &Id| self.plan.comms[*id].other.is_none();
        let live: Vec<Id> = self.live.iter().copied().filter(intra).collect();
        if self.one_in(3) { self.pick(&live) } else { 0 }
    }

    fn draft(&mut self, comm: Id) -> Draft {
        let size = self.plan.comms[comm].group.len();
        let part = |builder: &mut Self| {
            if builder.one_in(10) { 0 } else { 8 * builder.range(3, BYTES_MAX / 8 + 1) }
        };
        let mut bytes: Vec<u64> = (0..size).map(|_| part(self)).collect();
        bytes[0] = bytes[0].max(32);
        let flavor =
            self.pick(&[Flavor::Create, Flavor::Allocate, Flavor::Shared, Flavor::Dynamic]);
        // Displacements in dynamic windows are addresses.
        let unit = if flavor == Flavor::Dynamic { 1 } else { self.pick(&[1, 1, 4, 8]) };
        let key = self.plan.steps.len() as u64;
        let unchecked = self.one_in(4);
        let (accesses, turns) = (Vec::new(), Vec::new());
        let types = [Primitive::UInt8, Primitive::Int16, Primitive::Int32, Primitive::Int64];
        Draft {
            window: Window { key, comm, flavor, bytes, unit, unchecked, accesses, turns },
            primitive: self.pick(&types),
            update: self.pick(&[
                Update::Sum,
                Update::Max,
                Update::Xor,
                Update::Replace,
                Update::NoOp,
            ]),
        }
    }
}
