//! [`Levels`]: the profiling layers of a rank.

use std::{cell::RefCell, rc::Rc};

use sim_core::ProcessId;

use super::layer::Layer;

/// The layers of a rank.
#[derive(Default)]
pub(crate) struct Levels {
    /// The layers from bottom to top.
    pub(super) layers: RefCell<Vec<Rc<dyn Layer>>>,
    /// Threads that are in a hook or inside a composite function, with the number of layers below
    /// that.
    pub(super) hooks: RefCell<Vec<(ProcessId, usize)>>,
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
}
