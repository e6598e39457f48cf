//! The profiling interface (MPI chapter 15): layers that a program puts between itself and MPI.
//!
//! A C library intercepts `MPI_Send` by defining it and calling `PMPI_Send`. Here a [`Layer`] is
//! [pushed](push) and is shown each call, before and after. Layers stack: the one pushed last sees
//! a call first and its return last. A call made by a layer is seen only by the layers below it,
//! like a call of `PMPI_Send`.
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
//! Layers see all calls that reach the simulator: those that communicate, wait, read the time, or
//! create and free communicators, including [`finalize`](super::environment::Universe). They do not
//! see what is done within the rank: groups, statuses, packing, datatype constructors, attributes,
//! queries about a communicator. A function that makes several calls, such as
//! `MPI_Dist_graph_create`, is shown as one. A collective is one call: its inner messages are not
//! shown, so that nothing counts twice.
//!
//! A layer costs no simulated time, and a run with layers that only observe has the same digest as
//! one without them. A program without layers has no overhead.

mod call;
mod levels;
mod name;

use std::rc::Rc;

pub use sim_core::{SimDuration, SimTime};

pub use self::call::{Answer, Call};
pub(crate) use self::levels::Levels;
use super::Context;

/// A profiling layer between a program and MPI. Each hook may call MPI; the layers below see that
/// call.
///
/// Threads of a rank share its layers, and while one waits in a hook another may enter it.
pub trait Layer {
    /// Called before a call goes down to the next layer.
    fn before(&self, call: &Call) {
        let _ = call;
    }

    /// Called after a call has returned; not called if the call ends the run.
    fn after(&self, call: &Call, answer: &Answer<'_>) {
        let _ = (call, answer);
    }

    /// Called when the program sets a level of detail with [`control`].
    fn control(&self, level: i32) {
        let _ = level;
    }
}

/// Pushes a layer on top of those of the calling rank; the returned reference gives access to it
/// later.
///
/// Layers belong to a rank and are dropped when it finalizes, after they have seen that call.
///
/// # Panics
/// Outside of a program, or before it has initialized MPI.
pub fn push<L: Layer + 'static>(layer: L) -> Rc<L> {
    let context = Context::current().expect("layers are pushed between init and finalize");
    let layer = Rc::new(layer);
    context.grow_levels().push(layer.clone());
    layer
}

/// Removes the layer that was pushed last; `None` if there is none.
pub fn pop() -> Option<Rc<dyn Layer>> {
    Context::current()?.levels()?.pop()
}

/// Passes a level to every layer below the caller, from the top (`MPI_Pcontrol`, MPI section
/// 15.2.4); has no effect without layers.
///
/// Each layer defines the meaning of a level. By convention 0 is off, 1 is on with the usual
/// detail, which is the state after init, and 2 asks to write out the collected data.
pub fn control(level: i32) {
    if let Some(context) = Context::current()
        && let Some(levels) = context.levels()
    {
        levels.control(&context, level);
    }
}
