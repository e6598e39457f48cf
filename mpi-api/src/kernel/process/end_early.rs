//! Ranks that end in the middle of their program, with an exit code.

use crate::kernel::process::exit::Exit;
use crate::kernel::{MpiKernel, Sched};

impl MpiKernel {
    /// Ends a rank: its call is not answered.
    pub(crate) fn exit(&mut self, rank: u32, (code, unfinished): (i32, bool), s: &Sched) {
        let site = self.ranks[rank as usize].site;
        // A process returns the lowest 8 bits of its code.
        self.population.exits.push(Exit { rank, code: code & 0xff, unfinished, site });
        self.finish_in_thread(rank, s);
    }
}
