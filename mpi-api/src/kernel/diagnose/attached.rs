//! Messages in the attached buffer of a rank that keep it from detaching the buffer (MPI section 3.6).

use crate::{
    finding::CallSite,
    kernel::{MpiKernel, transport::message::Message},
};

impl MpiKernel {
    /// Returns the messages that the buffer of a rank holds, in no particular order.
    fn attached_messages(&self, rank: u32) -> impl Iterator<Item = &Message> {
        let all = self.messages.iter().map(|(_, message)| message);
        all.filter(move |message| message.source == rank && message.attached)
    }

    /// Returns the receivers of the messages that the buffer of a rank holds.
    pub(super) fn attached_partners(&self, rank: u32) -> Vec<u32> {
        self.attached_messages(rank).map(|message| message.target).collect()
    }

    /// Returns the call that sent the first message that the buffer of a rank holds.
    pub(super) fn attached_message(&self, rank: u32) -> Option<CallSite> {
        let first = self.attached_messages(rank).min_by_key(|message| message.id)?;
        Some(CallSite { label: "the buffer holds this message".into(), ..first.place() })
    }
}
