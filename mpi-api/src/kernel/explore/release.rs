//! Senders that wait for their receives and are released, where the system may buffer messages or not
//! (MPI section 3.5).
//!
//! A send that ends early lets its rank go on to another send, which may compete for a wildcard. So whenever a
//! wildcard is about to be resolved, each rank that waits in standard sends may be released first. This is worth
//! exploring only if a message arrives later that the wildcard could have matched, and only for waits that ended
//! because of the match: with few buffers, "slack inelastic" programs have more matches than with none
//! (Vakkalanka et al., EuroMPI 2010).

use super::watch::Waiting;
use crate::{
    call::Mode,
    kernel::{MpiKernel, Sched, request::completion::Blocked, transport::message::NONE},
    settings::Pool,
};

impl MpiKernel {
    /// Chooses whether a rank that waits in standard sends is released, and releases it. If none is, returns
    /// those that could have been.
    pub(super) fn choose_buffered(&mut self, s: &mut Sched) -> Option<Vec<Waiting>> {
        let mut offered = Vec::new();
        if self.settings.buffering.pool != Pool::ByChoice {
            return Some(offered);
        }
        for rank in 0..self.ranks.len() as u32 {
            let waiting = self.waiting_sends(rank);
            if waiting.is_empty() {
                continue;
            }
            let call = self.ranks[rank as usize].chooses(rank);
            let event = self.history.as_ref().map(|history| history.present(rank));
            let planned = event.is_some_and(|event| self.exploration.is_to_release(event));
            let (position, buffers) = self.exploration.chooser.buffers(call, planned);
            if buffers {
                event.into_iter().for_each(|event| self.exploration.waits.buffered(event));
                for message in waiting {
                    let bytes = self.messages[message].bytes();
                    self.ranks[rank as usize].pool.take(bytes);
                    self.buffer_late(message, s);
                }
                return None;
            }
            offered.push(Waiting { position, event });
        }
        Some(offered)
    }

    /// Returns the messages of standard sends that no receive has taken and that a rank waits for.
    fn waiting_sends(&self, rank: u32) -> Vec<u32> {
        let requests: Vec<u32> = match &self.ranks[rank as usize].blocked {
            Some(Blocked::Call(requests)) => requests.to_vec(),
            Some(Blocked::Wait(list, _)) => list.iter().filter_map(|id| self.live(*id)).collect(),
            _ => Vec::new(),
        };
        let message = |request: &u32| {
            let m = self.untaken_message(*request)?;
            let may_be_buffered = m.mode == Mode::Standard && m.context.is_multiple_of(2);
            may_be_buffered.then_some(self.requests[*request].message)
        };
        requests.iter().filter(|request| **request != NONE).filter_map(message).collect()
    }
}
