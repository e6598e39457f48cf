//! [`Template`]: the arguments of a persistent collective, and [`EntryMode`]: how a collective is called.

use crate::{
    call::{CollectiveCall, GroupTag},
    object::{group::Group, op::UserFunction},
};

/// The way a rank enters a collective.
pub(crate) enum EntryMode {
    /// The call returns when the rank's part is done.
    Blocking,
    /// The call returns at once; this request completes when the rank's part is done.
    Request(u32),
    /// One start of a persistent operation: its request, its channel and the number of earlier
    /// starts.
    Start(u32, u32, u32),
    /// A blocking call in which only the members of a group take part, with its tag.
    Group(Group, GroupTag),
}

/// The arguments of a persistent collective, used at each start.
pub(crate) struct Template {
    pub(in crate::kernel) call: Box<CollectiveCall>,
    /// The function of an operation of the program: every start brings it to its call.
    pub(super) function: Option<UserFunction>,
    pub(super) channel: u32,
    pub(super) starts: u32,
}
