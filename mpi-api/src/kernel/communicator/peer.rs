//! Checks of the ranks that a program names: each has to exist in its communicator (MPI sections
//! 3.2.4, 6.2).

use sim_core::words::out_of_range;

use crate::kernel::{MpiKernel, Sched};
use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, Management, ROOT_SELF, Source},
    error::{ErrorClass, MpiError},
};

impl MpiKernel {
    /// Reports whether a member of the communicator can send to this rank; if not, raises the
    /// error.
    pub(crate) fn has_target(
        &mut self,
        rank: u32,
        comm: CommId,
        target: u32,
        s: &mut Sched,
    ) -> bool {
        self.has_rank(rank, comm, ("destination rank", target), s)
    }

    /// Reports whether a member of the communicator can receive from this source; if not, raises
    /// the error.
    pub(crate) fn has_source(
        &mut self,
        rank: u32,
        comm: CommId,
        source: Source,
        s: &mut Sched,
    ) -> bool {
        match source {
            Source::Rank(source) => self.has_rank(rank, comm, ("source rank", source), s),
            Source::Any | Source::Null => true,
        }
    }

    pub(crate) fn has_rank(
        &mut self,
        rank: u32,
        comm: CommId,
        (what, named): (&str, u32),
        s: &mut Sched,
    ) -> bool {
        let size = self.comms.peers(comm, rank);
        if named < size {
            return true;
        }
        let text = out_of_range(format_args!("{what} {}", named.cast_signed()), size);
        self.raise(rank, comm, MpiError::new(ErrorClass::Rank, text), s);
        false
    }

    /// Reports whether a rank is the root of a collective operation that has one.
    pub(crate) fn is_root(&self, rank: u32, call: &CollectiveCall) -> bool {
        match self.comms.is_inter(call.comm) {
            true => call.root == ROOT_SELF,
            false => self.comms.rank_in(call.comm, rank) == call.root,
        }
    }

    /// Reports whether the root of a collective operation exists; if not, raises the error.
    pub(crate) fn has_root(&mut self, rank: u32, call: &CollectiveCall, s: &mut Sched) -> bool {
        use CollectiveKind as K;
        use Management as M;
        let size = match call.kind {
            K::Broadcast | K::Gather | K::Scatter | K::Reduce => {
                if self.comms.is_inter(call.comm) && call.root >= ROOT_SELF {
                    return true;
                }
                self.comms.peers(call.comm, rank)
            }
            K::Management(M::IntercommCreate | M::Spawn | M::Accept | M::Connect) => {
                self.comms.group(call.comm, rank).size()
            }
            K::Barrier
            | K::Allgather
            | K::Alltoall
            | K::Allreduce
            | K::ReduceScatter
            | K::Scan
            | K::Exscan
            | K::NeighborAllgather
            | K::NeighborAlltoall
            | K::Management(_) => return true,
        };
        if call.root < size {
            return true;
        }
        let text = out_of_range(format_args!("root {}", call.root.cast_signed()), size);
        self.raise(rank, call.comm, MpiError::new(ErrorClass::Root, text), s);
        false
    }
}
