//! The types of the data of all ranks in one collective operation.

use std::rc::Rc;

use crate::{
    call::{CollectiveCall, CollectiveKind, Counts, Declared, Neighbors, Site, Types},
    object::signature::{Primitive, Signature},
};

/// The types of all ranks of one operation.
#[derive(Default)]
pub(crate) struct Blocks {
    /// The types of each rank, in order of entry.
    pub(super) sides: Vec<Sides>,
    /// The only primitive type used so far, if there is exactly one.
    only: Option<Primitive>,
    /// Whether a second primitive type is used.
    pub(super) mixed: bool,
}

/// The types and counts that one rank sends and receives.
pub(super) struct Sides {
    pub(super) rank: u32,
    pub(super) site: Site,
    pub(super) sent: (Types, Counts),
    pub(super) taken: (Types, Counts),
    pub(super) neighbors: Option<Rc<Neighbors>>,
}

/// Returns the types and the number of bytes of the block for or from a member.
pub(super) fn block((types, counts): &(Types, Counts), member: usize) -> Option<(&Signature, u64)> {
    let types = match types {
        Types::None => return None,
        Types::One(types) => types,
        Types::Each(list) => list.get(member)?,
    };
    let bytes = match counts {
        Counts::None => return None,
        Counts::Uniform(bytes) => *bytes,
        Counts::Each(list) => *list.get(member)?,
    };
    Some((types, bytes))
}

/// Returns the signature of a whole block, or `None` if the block ends inside an element.
pub(super) fn whole((element, bytes): (&Signature, u64)) -> Option<Signature> {
    match element.bytes() {
        0 => Some(Signature::EMPTY),
        size => bytes.is_multiple_of(size).then(|| element.repeat(bytes / size)),
    }
}

impl Blocks {
    pub(super) fn enter(
        &mut self,
        (rank, site): (u32, Site),
        call: &CollectiveCall,
        own: &Declared,
    ) -> &Sides {
        for side in [&own.send, &own.receive] {
            match side {
                Types::None => {}
                Types::One(Signature::One(primitive, _)) => {
                    let known = *self.only.get_or_insert(*primitive);
                    self.mixed |= known != *primitive;
                }
                Types::One(_) | Types::Each(_) => self.mixed = true,
            }
        }
        let sent = (own.send.clone(), call.send.clone());
        let taken = (own.receive.clone(), call.receive.clone());
        let neighbors = call.neighbors.clone();
        self.sides.push(Sides { rank, site, sent, taken, neighbors });
        &self.sides[self.sides.len() - 1]
    }
}

/// Returns the bytes that a member sends to itself and those it receives from itself, if it does
/// both.
pub(super) fn own_block(kind: CollectiveKind, side: &Sides, me: usize) -> Option<(u64, u64)> {
    use CollectiveKind as K;
    if !matches!(kind, K::Gather | K::Scatter | K::Allgather | K::Alltoall) {
        return None;
    }
    Some((block(&side.sent, me)?.1, block(&side.taken, me)?.1))
}

/// Returns the bytes of every block of a call of `MPI_Allgather` or `MPI_Alltoall`, on which all ranks have to agree
/// (MPI sections 6.7 and 6.8). `None` for other calls, and for one that does not agree with itself.
pub(super) fn common_block(call: &CollectiveCall) -> Option<u64> {
    match (call.kind, &call.send, &call.receive) {
        (
            CollectiveKind::Allgather | CollectiveKind::Alltoall,
            Counts::Uniform(sent),
            Counts::Uniform(taken),
        ) => (sent == taken).then_some(*taken),
        _ => None,
    }
}
