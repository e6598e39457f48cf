//! The profiling interface (MPI chapter 15): layers that a program puts between itself and MPI.
//!
//! A C library gets in between by defining `MPI_Send` and calling `PMPI_Send`. Here a [`Layer`] is
//! [pushed](push) and has each call shown to it, before and after. Layers stack: the one pushed
//! last sees a call first and its return last. What a layer calls itself goes to the levels below
//! it alone, as a call of `PMPI_Send` would.
//!
//! ```
//! use std::cell::Cell;
//!
//! use mpi_api::api::{
//!     self as mpi,
//!     profile::{Answer, Call, Layer},
//!     traits::*,
//! };
//!
//! /// Bytes sent, and seconds spent in sending them.
//! #[derive(Default)]
//! struct Sends {
//!     bytes: Cell<u64>,
//!     seconds: Cell<f64>,
//! }
//!
//! impl Layer for Sends {
//!     fn after(&self, call: &Call, answer: &Answer<'_>) {
//!         if call.function == "MPI_Send" {
//!             self.bytes.set(self.bytes.get() + call.bytes);
//!             self.seconds.set(self.seconds.get() + answer.took.as_secs_f64());
//!         }
//!     }
//! }
//!
//! fn program() {
//!     let universe = mpi::initialize().unwrap();
//!     let world = universe.world();
//!     let sends = mpi::profile::push(Sends::default());
//!     world.this_process().buffered_send(&[1, 2, 3]);
//!     world.process_at_rank((world.rank() + 1) % world.size()).send(&[0.5; 8]);
//!     println!("{} bytes in {} s", sends.bytes.get(), sends.seconds.get());
//! }
//! ```
//!
//! Layers see what goes to the simulator: all that communicates, waits, asks for the time or makes
//! and frees communicators, [`finalize`](super::environment::Universe) included. They do not see
//! what is done within the rank: groups, statuses, packing, datatype constructors, attributes,
//! questions about a communicator. A function that takes several calls, such as
//! `MPI_Dist_graph_create`, is shown as one. A collective is one call: what it sends inside is not shown, so nothing counts twice.
//!
//! A layer costs no simulated time of its own, and a run with layers that only look has the digest
//! of the run without. A program without layers pays nothing.

mod call;
mod levels;
mod name;

use std::rc::Rc;

pub use sim_core::{SimDuration, SimTime};

pub use self::call::{Answer, Call};
pub(crate) use self::levels::Levels;
use super::Context;

/// One level between a program and MPI. Each hook may call MPI: the levels below see it.
///
/// Threads of a rank share its layers, and while one waits in a hook another may enter it.
pub trait Layer {
    /// A call is about to go down to the next level.
    fn before(&self, call: &Call) {
        let _ = call;
    }

    /// A call has come back. Not reached where the call ends the run.
    fn after(&self, call: &Call, answer: &Answer<'_>) {
        let _ = (call, answer);
    }

    /// The program asks with [`control`] for a level of detail.
    fn control(&self, level: i32) {
        let _ = level;
    }
}

/// Puts a layer on top of those that the calling rank has; what is returned reads it later.
///
/// Layers are a rank's own and are gone when it finalizes, after they have seen that call.
///
/// # Panics
/// Outside of a program, or before it has initialized MPI.
pub fn push<L: Layer + 'static>(layer: L) -> Rc<L> {
    let context = Context::current().expect("layers are pushed between init and finalize");
    let layer = Rc::new(layer);
    context.grow_levels().push(layer.clone());
    layer
}

/// Takes off the layer that was pushed last; `None` if there is none.
pub fn pop() -> Option<Rc<dyn Layer>> {
    Context::current()?.levels()?.pop()
}

/// `MPI_Pcontrol` (MPI section 15.2.4): tells every layer below the caller, from the top; nothing
/// happens without layers.
///
/// What a level means is up to the layer. By custom 0 is off, 1 is on with the usual detail, which
/// is the state after init, and 2 asks to write out what has been gathered.
pub fn control(level: i32) {
    if let Some(context) = Context::current()
        && let Some(levels) = context.levels()
    {
        levels.control(&context, level);
    }
}
