//! What ranks share in collective operations, as texts tell it: a communicator, a window or a file.

use sim_core::words::counted;

use crate::{
    call::{CommId, FileId, WindowId},
    check::communicator_mismatch::Shared,
    finding::{CallPlace, CallSite},
    kernel::MpiKernel,
};

impl MpiKernel {
    /// Returns what the operations of a communicator are operations of: the communicator belongs to it.
    pub(super) fn shared(&self, comm: CommId) -> Shared {
        if self.windows.get(WindowId(comm)).is_some() {
            Shared::Window
        } else if self.files.opened_by(FileId(comm)).is_some() {
            Shared::File
        } else {
            Shared::Communicator
        }
    }

    /// Returns the names of two different communicators, windows or files, each as a rank knows it. Of two that one line
    /// has made, the name says which was made first.
    pub(super) fn communicators(&self, both: [(CommId, u32); 2]) -> [String; 2] {
        let names = both.map(|(comm, rank)| self.communicator(comm, rank));
        let [(one, _), (other, _)] = both;
        if names[0] != names[1] || one == other {
            return names;
        }
        // Numbers of communicators are given in the order in which these are made, and never again.
        let made = if one.0 < other.0 { ["first", "later"] } else { ["later", "first"] };
        let [mine, theirs] = names;
        [format!("{mine} (made {})", made[0]), format!("{theirs} (made {})", made[1])]
    }

    /// Returns the name of what is shared: that of a predefined communicator, else the place of the call that made it,
    /// or its size where that is not known or this rank has freed it.
    fn communicator(&self, comm: CommId, rank: u32) -> String {
        if comm == CommId::WORLD {
            return "MPI_COMM_WORLD".into();
        }
        if comm == CommId::SELF {
            return "MPI_COMM_SELF".into();
        }
        let what = self.shared(comm).word();
        match self.made_at(comm, rank).and_then(|made| made.site.with_line()) {
            Some(site) => format!("the {what} of {}:{}", site.file, site.line),
            None => {
                let size = self.comms.members(comm, rank).size();
                format!("another {what} of {}", counted(size.into(), "rank"))
            }
        }
    }

    /// Returns the call by which a rank has made a window or opened a file, for a finding.
    pub(super) fn maker(&self, comm: CommId, rank: u32) -> Option<CallSite> {
        let what = self.shared(comm);
        let CallPlace { call, site } = match what {
            Shared::Communicator => return None,
            Shared::Window | Shared::File => self.made_at(comm, rank)?,
        };
        Some(CallSite::at(rank, site, call, format!("the {} of rank {rank}", what.word())))
    }

    fn made_at(&self, comm: CommId, rank: u32) -> Option<CallPlace> {
        match self.shared(comm) {
            Shared::Communicator => {
                let made = self.ranks[rank as usize].rest.comms.get(&comm.0);
                made.map(|site| CallPlace { call: "create", site: *site })
            }
            Shared::Window => self.windows.get(WindowId(comm))?.made_by(rank),
            Shared::File => self.files.opened_by(FileId(comm)),
        }
    }
}
