//! The communicator handle of a rank.

use super::Communicator;
use crate::{
    api::Context,
    call::{CommCall, CommId, CommInfo, Operation, Reply, Site},
};

/// A value that belongs to a communicator.
pub trait AsCommunicator {
    /// The communicator's type.
    type Out: Communicator;
    /// Returns the communicator.
    fn as_communicator(&self) -> &Self::Out;
}

/// A communicator, as one rank sees it. Dropping one that the program created frees it.
pub struct SimpleCommunicator {
    pub(crate) context: Context,
    pub(crate) info: CommInfo,
    owned: bool,
}

/// A communicator of any kind.
pub type AnyCommunicator = SimpleCommunicator;

/// A predefined communicator, under the name that older programs use.
pub type SystemCommunicator = SimpleCommunicator;

/// A user-defined communicator, under the name that older programs use.
pub type UserCommunicator = SimpleCommunicator;

impl SimpleCommunicator {
    pub(crate) fn new(context: Context, info: CommInfo) -> Self {
        let owned = info.id.0 > CommId::SELF.0 && info.id != context.world().id;
        Self { context, info, owned }
    }

    pub(crate) fn lent(context: Context, info: CommInfo) -> Self {
        Self { context, info, owned: false }
    }

    /// Returns `MPI_COMM_WORLD` of the running rank.
    ///
    /// # Panics
    /// If called before `initialize`.
    pub fn world() -> Self {
        let context = Context::current().expect("the rank has been initialised");
        let info = context.world().clone();
        Self::new(context, info)
    }

    /// Returns `MPI_COMM_SELF` of the running rank.
    ///
    /// # Panics
    /// If called before `initialize`.
    pub fn self_comm() -> Self {
        let context = Context::current().expect("the rank has been initialised");
        let group = crate::object::group::Group::range(context.number(), 1);
        let info = CommInfo {
            id: CommId::SELF,
            rank: 0,
            group,
            remote: None,
            cart: None,
            neighbors: None,
        };
        Self::new(context, info)
    }

    /// Disconnects the communicator (`MPI_Comm_disconnect`): like dropping it, but collective, and
    /// only after all pending communication is complete.
    #[track_caller]
    pub fn disconnect(mut self) {
        self.owned = false;
        self.leave(Site::here());
    }

    pub(crate) fn leave(&self, site: Site) {
        super::delete_all(&self.context, self.info.id);
        self.context.hints().borrow_mut().remove(&self.info.id);
        self.context.call(site, CommCall::Disconnect(self.info.id, Vec::new()));
    }

    pub(in crate::api) fn make(&self, site: Site, operation: impl Into<Operation>) -> Option<Self> {
        match self.context.call(site, operation) {
            Some(Reply::Comm(Some(info))) => Some(Self::new(self.context.clone(), *info)),
            _ => None,
        }
    }
}

impl Drop for SimpleCommunicator {
    #[track_caller]
    fn drop(&mut self) {
        if self.owned {
            super::delete_all(&self.context, self.info.id);
            self.context.hints().borrow_mut().remove(&self.info.id);
            self.context.call(Site::here(), CommCall::Free(self.info.id));
        }
    }
}

impl AsCommunicator for SimpleCommunicator {
    type Out = Self;
    fn as_communicator(&self) -> &Self {
        self
    }
}

impl Communicator for SimpleCommunicator {
    fn as_simple(&self) -> &SimpleCommunicator {
        self
    }
}

impl<C: Communicator + ?Sized> Communicator for &C {
    fn as_simple(&self) -> &SimpleCommunicator {
        (**self).as_simple()
    }
}
