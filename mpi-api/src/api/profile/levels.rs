//! The layers of a rank, and the way of a call through them.

use std::{cell::RefCell, rc::Rc};

use sim_core::ProcessId;

use super::{Answer, Call, Layer};
use crate::{
    api::Context,
    call::{Operation, Reply, Site},
};

/// The layers of a rank.
#[derive(Default)]
pub(crate) struct Levels {
    /// The last one is on top.
    layers: RefCell<Vec<Rc<dyn Layer>>>,
    /// Threads that are in a hook, and how many layers lie below that.
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
            Some(mut call) => self.descend(rank, &self.below(rank), &mut call, (site, operation)),
            None => rank.call_below(site, operation),
        }
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

    fn descend(
        &self,
        rank: &Context,
        layers: &[Rc<dyn Layer>],
        call: &mut Call,
        (site, operation): (Site, Operation),
    ) -> Option<Reply> {
        let Some((layer, below)) = layers.split_last() else {
            return rank.call_below(site, operation);
        };
        let now = || rank.port().now();
        call.time = now();
        self.inside(rank, below.len(), || layer.before(call));
        let begin = now();
        let reply = self.descend(rank, below, call, (site, operation))?;
        call.time = begin;
        let answer = Answer::of(&reply, now(), now().since(begin));
        self.inside(rank, below.len(), || layer.after(call, &answer));
        Some(reply)
    }

    /// Runs a hook with so many layers below it.
    fn inside(&self, rank: &Context, below: usize, hook: impl FnOnce()) {
        let thread = rank.port().process();
        self.hooks.borrow_mut().push((thread, below));
        let _inside = Inside { levels: self, thread };
        hook();
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
