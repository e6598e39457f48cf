//! What a program sees: the shape of rsmpi (the `mpi` crate), so that a program written for it
//! moves over by changing its import and entry point. No state, no decisions: every function
//! builds a [`Call`] and hands it to the kernel.

mod buffer;
mod collective;
mod communicator;
mod point_to_point;
mod request;

use std::{cell::RefCell, rc::Rc};

pub use buffer::{Buffer, BufferMut, Equivalence, View, ViewMut};
pub use collective::{CommunicatorCollectives, Root, SystemOperation, UserOperation};
pub use communicator::{CartesianCommunicator, Communicator, DatatypeHandle, SimpleCommunicator};
pub use point_to_point::{
    AnyProcess, Destination, Process, Source, Status, send_receive_into, send_receive_replace_into,
};
pub use request::{Request, wait_all, wait_any};
use sim_core::{Port, SimDuration};

use crate::{
    call::{Call, CommInfo, Operation, Reply, Site},
    error::MpiError,
};

/// Everything a program imports.
pub mod traits {
    pub use super::{
        Buffer, BufferMut, Communicator, CommunicatorCollectives, Destination, Equivalence, Root,
        Source,
    };
}

/// A rank's way to the kernel, shared by all its communicators.
#[derive(Clone)]
pub(crate) struct Context {
    port: Rc<Port<Call, Reply>>,
    last_error: Rc<RefCell<Option<MpiError>>>,
}

impl Context {
    /// Makes a call. `None` while the rank is unwound, and when the call failed under
    /// `MPI_ERRORS_RETURN`.
    pub(crate) fn call(&self, site: Site, operation: Operation) -> Option<Reply> {
        match self.port.call(Call { site, operation })? {
            Reply::Failed(error) => {
                *self.last_error.borrow_mut() = Some(*error);
                None
            }
            reply => Some(reply),
        }
    }

    pub(crate) fn take_error(&self) -> Option<MpiError> {
        self.last_error.borrow_mut().take()
    }
}

thread_local! {
    static ENTERING: RefCell<Option<(Port<Call, Reply>, CommInfo)>> = const { RefCell::new(None) };
}

/// Prepares [`initialize`] for the rank whose body begins.
pub(crate) fn enter(port: Port<Call, Reply>, world: CommInfo) {
    ENTERING.set(Some((port, world)));
}

/// What [`enter`] left, once.
pub(crate) fn entering() -> Option<(Port<Call, Reply>, CommInfo)> {
    ENTERING.take()
}

/// `MPI_Init` (MPI section 11.2): the first thing a program does. `None` the second time.
pub fn initialize() -> Option<Universe> {
    let (port, world) = entering()?;
    let context = Context { port: Rc::new(port), last_error: Rc::new(RefCell::new(None)) };
    Some(Universe { context, world })
}

/// A rank between `MPI_Init` and `MPI_Finalize`; dropping it finalizes.
pub struct Universe {
    context: Context,
    world: CommInfo,
}

impl Universe {
    /// `MPI_COMM_WORLD`.
    pub fn world(&self) -> SimpleCommunicator {
        SimpleCommunicator::new(self.context.clone(), self.world.clone())
    }

    /// `MPI_Buffer_attach` of `bytes` bytes (MPI section 3.6).
    #[track_caller]
    pub fn attach_buffer(&self, bytes: usize) {
        self.context.call(Site::here(), Operation::AttachBuffer(bytes as u64));
    }

    /// `MPI_Buffer_detach`: waits for buffered sends and gives the size back.
    #[track_caller]
    pub fn detach_buffer(&self) -> usize {
        match self.context.call(Site::here(), Operation::DetachBuffer) {
            Some(Reply::Detached(bytes)) => bytes as usize,
            _ => 0,
        }
    }
}

impl Drop for Universe {
    #[track_caller]
    fn drop(&mut self) {
        self.context.call(Site::here(), Operation::Finalize);
    }
}

/// A length of simulated time from seconds; negative and absurd values are clamped.
pub(crate) fn duration(seconds: f64) -> SimDuration {
    SimDuration::from_ps((seconds.max(0.0) * 1e12) as u64)
}

pub use crate::kernel::buffer::BSEND_OVERHEAD;
