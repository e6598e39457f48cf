//! [`Birth`], [`Newcomer`] and [`Origin`]: ranks that are started during a run.

use std::rc::Rc;

use crate::{
    call::{CommId, CommInfo, Site},
    kernel::collective::key::Key,
    spawn::{AddressSpace, Launch},
};

/// The state of a spawn that its parents share.
pub(crate) struct Birth {
    pub(super) root: u32,
    pub(super) site: Site,
    pub(super) launches: Vec<Launch>,
    /// For each command: number of ranks asked for, and number started.
    pub(super) counts: Vec<(u32, u32)>,
    /// New ranks that have not initialized MPI.
    pub(crate) awaited: Vec<u32>,
}

/// The origin of a rank that others have started.
pub(crate) struct Origin {
    /// Its `MPI_COMM_WORLD`.
    pub(crate) world: CommId,
    /// The spawn that waits for it.
    pub(super) spawn: Key,
}

/// A rank that has not begun.
pub(crate) struct Newcomer {
    pub(crate) number: u32,
    pub(crate) world: CommInfo,
    pub(crate) parent: CommInfo,
    pub(crate) application: u32,
    pub(crate) node: u32,
    pub(crate) space: AddressSpace,
    pub(crate) body: Rc<dyn Fn()>,
}

impl Birth {
    pub(crate) fn of(root: u32, site: Site, launches: Vec<Launch>) -> Self {
        let counts = launches.iter().map(|launch| (launch.most, 0)).collect();
        Self { root, site, launches, counts, awaited: Vec::new() }
    }
}
