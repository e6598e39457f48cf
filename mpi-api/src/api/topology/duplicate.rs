//! Duplication of communicators, and their hints (MPI sections 7.4.2 and 7.4.4).

use super::{SimpleCommunicator, attribute};
use crate::{
    call::{CommCall, Site},
    object::info::Info,
    policy::Policy,
};

/// Duplicates a communicator (`MPI_Comm_dup`, with hints `MPI_Comm_dup_with_info`). Without given
/// hints the duplicate has none since MPI 4.0, and those of its parent before.
pub(super) fn duplicate(
    comm: &SimpleCommunicator,
    hints: Option<Info>,
    site: Site,
) -> Option<SimpleCommunicator> {
    let context = &comm.context;
    let name = if hints.is_some() { "MPI_Comm_dup_with_info" } else { "MPI_Comm_dup" };
    let copied = context.environment().policies.differs(Policy::HintsOfDuplicates);
    let of_parent = || context.hints().borrow().get(&comm.info.id).cloned();
    let hints = hints.or_else(|| of_parent().filter(|_| copied));
    let made = context.as_one((site, name, comm.info.id), || {
        comm.make(site, CommCall::Duplicate(comm.info.id))
    })?;
    attribute::copy_all(context, comm.info.id, made.info.id);
    if let Some(hints) = hints {
        context.hints().borrow_mut().insert(made.info.id, hints);
    }
    Some(made)
}
