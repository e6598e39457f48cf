//! The layers of a rank, and the way of a call through them.

use std::{cell::RefCell, rc::Rc};

use sim_core::ProcessId;

use super::{Answer, Call, Layer, SimDuration, SimTime};
use crate::{
    api::Context,
    call::{CommId, Operation, Reply, Site},
    error::MpiError,
};

/// What layers are told of the value a call has given.
type Tell<T> = fn(&T, SimTime, SimDuration) -> Answer<'_>;

/// The layers of a rank.
#[derive(Default)]
pub(crate) struct Levels {
    /// The last one is on top.
    layers: RefCell<Vec<Rc<dyn Layer>>>,
    /// Threads that are in a hook or inside a function, and how many layers lie below that.
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
        // Emptied first: to drop a layer may be a call.
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

    /// Shows the layers below the caller one function that takes several calls, which they do not
    /// see.
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

    /// Tells the layers below the caller.
    pub(super) fn control(&self, rank: &Context, level: i32) {
        for (below, layer) in self.below(rank).iter().enumerate().rev() {
            self.inside(rank, below, || layer.control(level));
        }
    }

    /// A copy, since hooks may push and pop.
    fn below(&self, rank: &Context) -> Vec<Rc<dyn Layer>> {
        let (layers, thread) = (self.layers.borrow(), rank.port().process());
        let hooks = self.hooks.borrow();
        let inside = hooks.iter().rev().find(|(other, _)| *other == thread);
        let count = inside.map_or(layers.len(), |(_, below)| layers.len().min(*below));
        layers[..count].to_vec()
    }

    /// Takes a call down through the layers; at the bottom it is made.
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

    /// Runs a hook, or what a function does inside, with so many layers below it.
    fn inside<T>(&self, rank: &Context, below: usize, hook: impl FnOnce() -> T) -> T {
        let thread = rank.port().process();
        self.hooks.borrow_mut().push((thread, below));
        let _inside = Inside { levels: self, thread };
        hook()
    }
}

/// While it lives its thread is in a hook.
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
