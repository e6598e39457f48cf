//! Numbers the collective operations of each rank, so that the calls of one operation have one key.

use crate::kernel::collective::key::Key;
use crate::{
    call::{CommId, GroupTag},
    kernel::{
        MpiKernel,
        collective::{
            execution::Execution,
            key::{Number, count},
            template::Template,
        },
        request::table::{Kind, internal_context},
    },
    object::group::Group,
    observation::OperationId,
};

impl MpiKernel {
    /// Reports whether a rank has begun an operation, or may have: only those that all ranks call in order are counted.
    pub(in crate::kernel) fn has_begun(&self, rank: u32, key: Key) -> bool {
        let counts = &self.ranks[rank as usize].rest.numbering.ordered;
        match key.number {
            Number::Ordered(number) => counts.get(&key.comm).is_some_and(|begun| *begun > number),
            Number::Persistent { .. } | Number::Group { .. } => true,
        }
    }

    /// Returns the part of a rank in the operation that this is another rank's part in, if it has one now.
    pub(in crate::kernel) fn part_in(&self, rank: u32, other: &Execution) -> Option<u32> {
        let key = (internal_context(other.comm), other.tag);
        self.ranks[rank as usize].executing.get(&key).copied()
    }

    /// Returns the key of the next operation on a communicator.
    pub(crate) fn ordered_key(&mut self, rank: u32, comm: CommId) -> Key {
        let number = count(&mut self.ranks[rank as usize].rest.numbering.ordered, comm.0);
        Key::new(rank, comm, Number::Ordered(number))
    }

    /// Returns the identity of the next operation on a communicator, without counting it.
    pub(in crate::kernel) fn next_ordered(&self, rank: u32, comm: CommId) -> OperationId {
        let counted = &self.ranks[rank as usize].rest.numbering.ordered;
        let number = counted.get(&comm.0).copied().unwrap_or_default();
        Key::new(rank, comm, Number::Ordered(number)).ordered(number)
    }

    /// Returns the identity of the next start of a persistent operation, without counting it.
    pub(in crate::kernel) fn next_start(&self, rank: u32, template: &Template) -> OperationId {
        let key = self.persistent_key(rank, template.call.comm, template.channel, template.starts);
        key.started(template.channel, template.starts)
    }

    /// Returns whether a rank has entered an operation, which it may have left since. A persistent operation
    /// whose request was freed counts as entered at every start.
    pub(in crate::kernel) fn has_entered(&self, rank: u32, key: Key) -> bool {
        match key.number {
            Number::Ordered(number) => {
                let counted = &self.ranks[rank as usize].rest.numbering.ordered;
                counted.get(&key.comm).is_some_and(|count| *count > number)
            }
            Number::Persistent { channel, start } => {
                let starts = self.requests.iter().find_map(|(_, request)| {
                    let Kind::Collective(Some(it)) = &request.kind else { return None };
                    let is_it =
                        (request.rank, it.call.comm.0, it.channel) == (rank, key.comm, channel);
                    is_it.then_some(it.starts)
                });
                let made = &self.ranks[rank as usize].rest.numbering.persistent;
                let is_freed = || made.get(&key.comm).is_some_and(|count| *count > channel);
                starts.map_or_else(is_freed, |starts| starts > start)
            }
            Number::Group { .. } => false,
        }
    }

    /// Returns the channel of the next persistent operation on a communicator; the caller numbers
    /// its starts.
    pub(crate) fn persistent_channel(&mut self, rank: u32, comm: CommId) -> u32 {
        count(&mut self.ranks[rank as usize].rest.numbering.persistent, comm.0)
    }

    /// Returns the key of one start of a persistent operation.
    pub(crate) fn persistent_key(&self, rank: u32, comm: CommId, channel: u32, start: u32) -> Key {
        Key::new(rank, comm, Number::Persistent { channel, start })
    }

    /// Returns the tag and the members of a construction over a group only; `None` for other
    /// operations.
    pub(crate) fn group_of_key(&self, key: Key) -> Option<(&GroupTag, &Group)> {
        let Number::Group { name, .. } = key.number else { return None };
        let (_, tag, group) = &self.collectives.group_names.0[name as usize];
        Some((tag, group))
    }

    /// Returns the key of the next construction over a group only.
    pub(crate) fn group_key(
        &mut self,
        rank: u32,
        comm: CommId,
        tag: &GroupTag,
        group: &Group,
    ) -> Key {
        let names = &mut self.collectives.group_names.0;
        let known = names.iter().position(|(c, t, g)| (*c, t, g) == (comm.0, tag, group));
        let name = known.unwrap_or_else(|| {
            names.push((comm.0, tag.clone(), group.clone()));
            names.len() - 1
        }) as u32;
        let count = count(&mut self.ranks[rank as usize].rest.numbering.group, name);
        Key::new(rank, comm, Number::Group { name, count })
    }
}
