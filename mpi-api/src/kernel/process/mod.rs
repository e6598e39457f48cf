//! Ranks that begin and end during a run. State: `table` maps processes to ranks and threads, `birth`
//! describes ranks that are started, `ports` where groups meet, `aborts` and `exit` how ranks ended.
//! Steps: `spawn` starts ranks, `port` lets groups of them meet, `ending` and `end_early` end them.

use super::{MpiKernel, Sched};
use crate::call::ProcessCall;

pub(in crate::kernel) mod aborts;
pub(in crate::kernel) mod birth;
mod end_early;
pub(in crate::kernel) mod ending;
pub(crate) mod exit;
pub(in crate::kernel) mod population;
pub(in crate::kernel) mod port;
pub(in crate::kernel) mod ports;
pub(in crate::kernel) mod spawn;
pub(crate) mod table;

impl MpiKernel {
    /// Executes a call about the beginning, meeting and end of processes.
    pub(super) fn process_call(&mut self, rank: u32, call: ProcessCall, s: &mut Sched) {
        match call {
            ProcessCall::Initialize => self.initialize(rank, s),
            ProcessCall::Finalize => self.finalize(rank, s),
            ProcessCall::EndSessions => self.end_mpi(rank, s),
            ProcessCall::Abort(comm, code) => self.abort(rank, comm, code, s),
            ProcessCall::Exit { code, unfinished } => self.exit(rank, (code, unfinished), s),
            ProcessCall::Spawn { comm, root, launches } => {
                self.spawn(rank, (comm, root), launches, s);
            }
            ProcessCall::MeetAtPort { comm, root, port, accepts, timeout } => {
                self.meet_at_port(rank, (comm, root), (port.zip(Some(timeout)), accepts), s);
            }
        }
    }
}
