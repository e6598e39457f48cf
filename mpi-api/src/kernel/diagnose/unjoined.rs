//! Collectives that one rank alone has called while another waits for a message of that rank.

use crate::{
    call::CollectiveKind,
    check::{
        never_matched,
        waiting::{Awaits, Waiting},
    },
    finding::{CallSite, Finding},
    kernel::MpiKernel,
};

impl MpiKernel {
    /// Adds to the finding about a rank that waits for a message of ranks which never send it that one of these has called
    /// a collective and nobody has joined it.
    pub(super) fn with_unjoined(&self, finding: Finding, lost: &Waiting) -> Finding {
        if lost.awaits != Awaits::Message {
            return finding;
        }
        let alone = self.collectives.instances().filter(|(_, shared)| {
            let is_internal = matches!(shared.first.kind, CollectiveKind::Management(_));
            shared.entered == 1 && !is_internal && lost.partners.contains(&shared.first.rank)
        });
        // Instances are in no particular order.
        match alone.min_by_key(|(key, shared)| (shared.first.rank, *key)) {
            Some((_, shared)) => {
                let first = &shared.first;
                let place = CallSite::at(first.rank, first.site, first.kind.name(), String::new());
                never_matched::unjoined(finding, place)
            }
            None => finding,
        }
    }
}
