//! Checks that ranks of both groups of an intercommunicator call the same operation (MPI section
//! 6.2.3).
//!
//! One rank of one group gives `MPI_ROOT`, the others of that group give `MPI_PROC_NULL`, and all
//! ranks of the other group give the root's rank. The ranks that give `MPI_PROC_NULL` describe no
//! data.

use crate::{
    call::CommId,
    check::root_mismatch,
    kernel::{
        MpiKernel, Sched,
        collective::{
            instance::First,
            key::Key,
            roles::{Role, has_root},
        },
    },
};

impl MpiKernel {
    /// Records that a rank enters. True when it disagrees with another one; then the run has ended.
    pub(super) fn enter_between_groups(
        &mut self,
        me: &First,
        key: Key,
        comm: CommId,
        s: &mut Sched,
    ) -> bool {
        let role = Role {
            rank: me.rank,
            site: me.site,
            kind: me.kind,
            side: usize::from(self.is_first(comm, me.rank)),
            place: self.comms.rank_in(comm, me.rank),
            root: me.root,
        };
        let alike = self.matches_representations();
        let shared =
            self.collectives.instances.get_mut(&key).expect("an instance that was entered");
        let roles = shared.roles.get_or_insert_default();
        let other = if has_root(me.kind) { roles.enter(role) } else { None };
        if let Some((other, how)) = other {
            self.fail(root_mismatch::between_groups(role.told(), other.told(), how), s);
            return true;
        }
        let Some((first, what)) = roles.compare(me, alike) else { return false };
        self.report_disagreement(me, &first, what, s);
        true
    }
}
