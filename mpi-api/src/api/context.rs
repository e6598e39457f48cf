//! A rank's way to the kernel.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use sim_core::Port;

use crate::{
    call::{Call, CommId, CommInfo, Operation, Reply, Site, Threading},
    error::{ErrorClass, MpiError},
};

/// A rank's way to the kernel, shared by all its objects.
#[derive(Clone)]
pub(crate) struct Context(Rc<Shared>);

struct Shared {
    port: Port<Call, Reply>,
    world: CommInfo,
    last_error: RefCell<Option<MpiError>>,
    names: RefCell<BTreeMap<CommId, String>>,
    attached: Cell<usize>,
    level: Cell<Threading>,
    /// The ways of further threads of the rank.
    threads: RefCell<Vec<Port<Call, Reply>>>,
}

thread_local! {
    static ENTERING: RefCell<Option<(Port<Call, Reply>, CommInfo, u32)>> =
        const { RefCell::new(None) };

    /// The rank that runs now: set whenever the kernel hands control to one, so that functions
    /// without a communicator find their rank.
    static CURRENT: RefCell<Option<Context>> = const { RefCell::new(None) };
}

/// Prepares `initialize` for the rank whose body begins, on a node.
pub(crate) fn enter(port: Port<Call, Reply>, world: CommInfo, node: u32) {
    CURRENT.set(None);
    ENTERING.set(Some((port, world, node)));
}

/// What [`enter`] left, once.
pub(crate) fn entering() -> Option<(Port<Call, Reply>, CommInfo, u32)> {
    ENTERING.take()
}

impl Context {
    pub(crate) fn new(port: Port<Call, Reply>, world: CommInfo) -> Self {
        let names = [(CommId::WORLD, "MPI_COMM_WORLD"), (CommId::SELF, "MPI_COMM_SELF")];
        let context = Self(Rc::new(Shared {
            port,
            world,
            last_error: RefCell::default(),
            names: RefCell::new(names.map(|(id, name)| (id, name.to_owned())).into()),
            attached: Cell::new(0),
            level: Cell::new(Threading::Single),
            threads: RefCell::default(),
        }));
        CURRENT.set(Some(context.clone()));
        context
    }

    /// The rank that runs now, between its `initialize` and the end of its body.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Makes a call. `None` while the rank is unwound, and when the call failed under
    /// `MPI_ERRORS_RETURN`.
    pub(crate) fn call(&self, site: Site, operation: Operation) -> Option<Reply> {
        let reply = self.0.port.call_or(Call { site, operation }, || self.port_of_thread())?;
        CURRENT.with_borrow_mut(|current| match current {
            Some(current) if Rc::ptr_eq(&current.0, &self.0) => {}
            _ => *current = Some(self.clone()),
        });
        match reply {
            Reply::Failed(error) => {
                *self.0.last_error.borrow_mut() = Some(*error);
                None
            }
            reply => Some(reply),
        }
    }

    /// The way of the further thread that runs.
    ///
    /// # Panics
    /// If it is none of this rank's.
    #[cold]
    fn port_of_thread(&self) -> Port<Call, Reply> {
        let threads = self.0.threads.borrow();
        let mine = threads.iter().find(|port| port.is_current());
        mine.expect("a communicator is used outside the rank it belongs to").clone()
    }

    /// A further thread of the rank begins.
    pub(crate) fn enter_thread(&self, port: Port<Call, Reply>) {
        self.0.threads.borrow_mut().push(port);
        CURRENT.set(Some(self.clone()));
    }

    /// The thread that runs now ends.
    pub(crate) fn leave_thread(&self) {
        self.0.threads.borrow_mut().retain(|port| !port.is_current());
    }

    /// Whether the main thread of the rank runs now.
    pub(crate) fn is_main_thread(&self) -> bool {
        self.0.port.is_current()
    }

    pub(crate) fn level(&self) -> &Cell<Threading> {
        &self.0.level
    }

    /// Raises an error found in the arguments.
    pub(crate) fn raise(
        &self,
        site: Site,
        comm: CommId,
        class: ErrorClass,
        text: impl Into<String>,
    ) {
        self.call(site, Operation::Raise(comm, MpiError::new(class, text)));
    }

    pub(crate) fn note_error(&self, error: MpiError) {
        *self.0.last_error.borrow_mut() = Some(error);
    }

    pub(crate) fn take_error(&self) -> Option<MpiError> {
        self.0.last_error.borrow_mut().take()
    }

    pub(crate) fn world(&self) -> &CommInfo {
        &self.0.world
    }

    pub(crate) fn attached(&self) -> &Cell<usize> {
        &self.0.attached
    }

    pub(crate) fn name(&self, comm: CommId) -> String {
        self.0.names.borrow().get(&comm).cloned().unwrap_or_default()
    }

    pub(crate) fn set_name(&self, comm: CommId, name: &str) {
        self.0.names.borrow_mut().insert(comm, name.to_owned());
    }
}
