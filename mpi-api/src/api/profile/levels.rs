//! The profiling layers of a rank, and how a call passes through them.

use std::{cell::RefCell, rc::Rc};

use sim_core::ProcessId;

use super::{Answer, Call, Layer, SimDuration, SimTime};
use crate::{
    api::Context,
    call::{CommId, Operation, Reply, Site},
    error::MpiError,
};

/// Builds the answer that layers see from the result, start and duration of a call.
type Tell<T> = fn(&T, SimTime, SimDuration) -> Answer<'_>;

/// The layers of a rank.
#[derive(Default)]
pub(crate) struct Levels {
    /// The layers from bottom to top.
    layers: RefCell<Vec<Rc<dyn Layer>>>,
    /// Threads that are in a hook or inside a composite function, with the number of layers below
    /// that.
    hooks: RefCell<Vec<(ProcessId, usize)>>,
}

impl Levels {
    pub(super) fn push(&self, layer: Rc<dyn Layer>) {
        self.layers.borrow_mut().push(layer);
    }

    pub(super) fn pop(&self) -> Option<Rc<dyn Layer>> {
        self.layers.borrow_mut().pop()
    }

    pub(crate) fn clear(&self) {
        // The list is emptied first, because dropping a layer may be an MPI call.
        let layers = self.layers.take();
        drop(layers);
    }

    /// Shows a call to the layers below the caller, and makes it.
    pub(crate) fn call(&self, rank: &Context, site: Site, operation: Operation) -> Option<Reply> {
        match Call::of(rank, site, &operation) {
            Some(mut call) => {
                let bottom = || rank.call_below(site, operation);
                self.descend(rank, &self.below(rank), &mut call, bottom, |reply, time, took| {
                    Answer::of(reply, time, took)
                })
            }
            None => rank.call_below(site, operation),
        }
    }

    /// Shows one function that makes several calls to the layers below the caller, which do not see
    /// the inner calls.
    pub(crate) fn call_as_one<T>(
        &self,
        rank: &Context,
        (site, function, comm): (Site, &'static str, CommId),
        body: impl FnOnce() -> (T, Option<MpiError>),
    ) -> T {
        let mut call = Call::named(rank, site, function, comm);
        let bottom = || Some(self.inside(rank, 0, body));
        let done = self.descend(rank, &self.below(rank), &mut call, bottom, |made, time, took| {
            Answer::of_one(made, time, took)
        });
        done.expect("the function has returned").0
    }

    /// Passes `MPI_Pcontrol` to the layers below the caller.
    pub(super) fn control(&self, rank: &Context, level: i32) {
        for (below, layer) in self.below(rank).iter().enumerate().rev() {
            self.inside(rank, below, || layer.control(level));
        }
    }

    /// Returns a copy of the layers below the caller, because hooks may push and pop layers.
    fn below(&self, rank: &Context) -> Vec<Rc<dyn Layer>> {
        let (layers, thread) = (self.layers.borrow(), rank.port().process());
        let hooks = self.hooks.borrow();
        let inside = hooks.iter().rev().find(|(other, _)| *other == thread);
        let count = inside.map_or(layers.len(), |(_, below)| layers.len().min(*below));
        layers[..count].to_vec()
    }

    /// Passes a call down through the layers and makes it at the bottom.
    fn descend<T>(
        &self,
        rank: &Context,
        layers: &[Rc<dyn Layer>],
        call: &mut Call,
        bottom: impl FnOnce() -> Option<T>,
        tell: Tell<T>,
    ) -> Option<T> {
        let Some((layer, below)) = layers.split_last() else { return bottom() };
        let now = || rank.port().now();
        call.time = now();
        self.inside(rank, below.len(), || layer.before(call));
        let begin = now();
        let done = self.descend(rank, below, call, bottom, tell)?;
        call.time = begin;
        let answer = tell(&done, now(), now().since(begin));
        self.inside(rank, below.len(), || layer.after(call, &answer));
        Some(done)
    }

    /// Runs a hook, or the inside of a composite function, with `below` layers below it.
    fn inside<T>(&self, rank: &Context, below: usize, hook: impl FnOnce() -> T) -> T {
        let thread = rank.port().process();
        self.hooks.borrow_mut().push((thread, below));
        let _inside = Inside { levels: self, thread };
        hook()
    }
}

/// Marks its thread as being in a hook while it lives.
struct Inside<'a> {
    levels: &'a Levels,
    thread: ProcessId,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let mut hooks = self.levels.hooks.borrow_mut();
        if let Some(last) = hooks.iter().rposition(|(thread, _)| *thread == self.thread) {
            hooks.remove(last);
        }
    }
}
