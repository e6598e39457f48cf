//! The untyped door to the kernel: calls as data, for layers that bring their own vocabulary.

use std::rc::Rc;

use sim_core::{Port, SimTime};

use crate::{
    api,
    call::{Call, CommInfo, Operation, Reply, Site, ThreadBody, Threading},
    settings::Environment,
    spawn::AddressSpace,
};

/// One rank between the start of its body and its end.
pub struct Raw {
    port: Port<Call, Reply>,
    number: u32,
    world: CommInfo,
    parent: Option<CommInfo>,
    application: u32,
    node: u32,
    space: AddressSpace,
    environment: Rc<Environment>,
}

impl Raw {
    /// The rank whose body runs, as [`api::initialize`] takes it: whoever asks first has it.
    pub fn take() -> Option<Self> {
        let api::Entry { port, number, world, parent, application, node, space, environment } =
            api::entering()?;
        Some(Self { port, number, world, parent, application, node, space, environment })
    }

    /// Number of this rank in the run: its rank in the world, but for ranks that others have
    /// started. Groups hold these numbers.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The communicator with those who have started this rank, if it did not begin with the run.
    /// Such a rank is to initialize by [`Operation::Initialize`].
    pub fn parent(&self) -> Option<&CommInfo> {
        self.parent.as_ref()
    }

    /// `MPI_COMM_WORLD` as this rank sees it.
    pub fn world(&self) -> &CommInfo {
        &self.world
    }

    /// Number of the node this rank is on.
    pub fn node(&self) -> u32 {
        self.node
    }

    /// Of a rank that others have started: which of their commands it runs.
    pub fn application(&self) -> u32 {
        self.application
    }

    /// The address space of this rank.
    pub fn address_space(&self) -> AddressSpace {
        self.space
    }

    /// What is around this rank.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Begins a further thread of control of this rank, which gets its own door; its number.
    /// `None` only while the rank is unwound.
    pub fn spawn(
        &self,
        site: Site,
        level: Threading,
        body: impl FnOnce(Self) + 'static,
    ) -> Option<u32> {
        match self.call(site, Operation::SpawnThread(level, self.thread(body)))? {
            Reply::Object(thread) => Some(thread),
            _ => None,
        }
    }

    /// What a further thread of this rank runs, with its own door. It may outlive MPI.
    pub fn thread(&self, body: impl FnOnce(Self) + 'static) -> ThreadBody {
        let (world, parent) = (self.world.clone(), self.parent.clone());
        let (number, application) = (self.number, self.application);
        let (node, space) = (self.node, self.space);
        let environment = Rc::clone(&self.environment);
        let body = move |port| {
            body(Self { port, number, world, parent, application, node, space, environment });
        };
        ThreadBody(Box::new(body), true)
    }

    /// Whether the thread of this door runs now.
    #[inline]
    pub fn is_current(&self) -> bool {
        self.port.is_current()
    }

    /// The present simulated time, read without a call: also in the function of an operation, which
    /// the kernel runs while the rank is suspended.
    pub fn now(&self) -> SimTime {
        self.port.now()
    }

    /// Makes a call and waits for its answer. `None` only while the rank is unwound.
    #[inline(always)]
    pub fn call(&self, site: Site, operation: Operation) -> Option<Reply> {
        self.port.call(Call { site, operation })
    }
}
