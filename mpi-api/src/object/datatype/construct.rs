//! The constructors of MPI section 5.1.2. Counts and lengths are signed, as programs give them.

use std::cell::RefCell;

use super::{Combiner, Datatype, Envelope, Named, draft::Draft, draft::too_large};
use crate::{
    error::{ErrorClass, MpiError},
    object::signature::Primitive,
};

fn natural(what: &str, value: i64) -> Result<u64, MpiError> {
    let negative = || MpiError::new(ErrorClass::Count, format!("{what} {value} is negative"));
    u64::try_from(value).map_err(|_| negative())
}

fn same_length(what: &str, lengths: usize, others: usize) -> Result<(), MpiError> {
    if lengths == others {
        return Ok(());
    }
    Err(MpiError::new(ErrorClass::Arg, format!("{lengths} block lengths but {others} {what}")))
}

fn in_extents(displacement: i64, old: &Datatype) -> Result<i64, MpiError> {
    displacement.checked_mul(old.extent()).ok_or_else(too_large)
}

fn one(old: &Datatype) -> Vec<Datatype> {
    vec![old.clone()]
}

/// Describes blocks of one type at displacements in bytes.
fn blocks(
    old: &Datatype,
    lengths: impl Iterator<Item = i64>,
    places: impl Iterator<Item = Result<i64, MpiError>>,
) -> Result<Draft, MpiError> {
    let (draft, extent) = (Draft::of(old), old.extent());
    let mut parts = Vec::new();
    for (length, place) in lengths.zip(places) {
        let length = natural("block length", length)?;
        parts.push(draft.repeat(length, extent)?.shift(place?)?);
    }
    Draft::sequence(parts)
}

impl Datatype {
    /// Returns a predefined type. All ranks of a thread share it: at 65,536 ranks that takes half a
    /// kilobyte less for each, and a page less of the stacks on which they would make it.
    pub fn predefined(primitive: Primitive) -> Self {
        thread_local! {
            static KNOWN: RefCell<Vec<(Primitive, Datatype)>> = const { RefCell::new(Vec::new()) };
        }
        KNOWN.with_borrow_mut(|known| {
            if let Some((_, found)) = known.iter().find(|(other, _)| *other == primitive) {
                return found.clone();
            }
            let envelope = Envelope::named(Named::Primitive(primitive));
            let made = Draft::primitive(primitive).finish(envelope).expect("a basic type is small");
            known.push((primitive, made.clone()));
            made
        })
    }

    /// Creates `MPI_LB`: an entry without data that sets the lower bound of a struct.
    pub fn lower_bound() -> Self {
        let draft = Draft { lb_marker: Some(0), ..Draft::empty() };
        draft.finish(Envelope::named(Named::LowerBound)).expect("a marker is small")
    }

    /// Creates `MPI_UB`: an entry without data that sets the upper bound of a struct.
    pub fn upper_bound() -> Self {
        let draft = Draft { ub_marker: Some(0), ..Draft::empty() };
        draft.finish(Envelope::named(Named::UpperBound)).expect("a marker is small")
    }

    /// Duplicates a type (`MPI_Type_dup`).
    #[must_use]
    pub fn dup(&self) -> Self {
        let envelope = Envelope::made(Combiner::Dup, vec![], vec![], one(self));
        Draft::of(self).finish(envelope).expect("as large as its original")
    }

    /// Describes `count` consecutive elements (`MPI_Type_contiguous`).
    ///
    /// # Errors
    /// A negative count.
    pub fn contiguous(count: i64, old: &Self) -> Result<Self, MpiError> {
        let draft = Draft::of(old).repeat(natural("count", count)?, old.extent())?;
        draft.finish(Envelope::made(Combiner::Contiguous, vec![count], vec![], one(old)))
    }

    /// Describes `count` blocks, `stride` extents apart (`MPI_Type_vector`).
    ///
    /// # Errors
    /// A negative count or block length.
    pub fn vector(count: i64, length: i64, stride: i64, old: &Self) -> Result<Self, MpiError> {
        let draft = strided(count, length, in_extents(stride, old)?, old)?;
        draft.finish(Envelope::made(
            Combiner::Vector,
            vec![count, length, stride],
            vec![],
            one(old),
        ))
    }

    /// Describes `count` blocks, `stride` bytes apart (`MPI_Type_create_hvector`).
    ///
    /// # Errors
    /// A negative count or block length.
    pub fn hvector(count: i64, length: i64, stride: i64, old: &Self) -> Result<Self, MpiError> {
        let draft = strided(count, length, stride, old)?;
        draft.finish(Envelope::made(Combiner::Hvector, vec![count, length], vec![stride], one(old)))
    }

    /// Describes blocks of given lengths at displacements in extents (`MPI_Type_indexed`).
    ///
    /// # Errors
    /// A negative block length; lists of different lengths.
    pub fn indexed(lengths: &[i64], displacements: &[i64], old: &Self) -> Result<Self, MpiError> {
        same_length("displacements", lengths.len(), displacements.len())?;
        let places = displacements.iter().map(|at| in_extents(*at, old));
        let draft = blocks(old, lengths.iter().copied(), places)?;
        let integers = [&[lengths.len() as i64], lengths, displacements].concat();
        draft.finish(Envelope::made(Combiner::Indexed, integers, vec![], one(old)))
    }

    /// Describes blocks of given lengths at displacements in bytes (`MPI_Type_create_hindexed`).
    ///
    /// # Errors
    /// A negative block length; lists of different lengths.
    pub fn hindexed(lengths: &[i64], displacements: &[i64], old: &Self) -> Result<Self, MpiError> {
        same_length("displacements", lengths.len(), displacements.len())?;
        let draft = blocks(old, lengths.iter().copied(), displacements.iter().copied().map(Ok))?;
        let integers = [&[lengths.len() as i64], lengths].concat();
        draft.finish(Envelope::made(Combiner::Hindexed, integers, displacements.to_vec(), one(old)))
    }

    /// Describes equal blocks at displacements in extents (`MPI_Type_create_indexed_block`).
    ///
    /// # Errors
    /// A negative block length.
    pub fn indexed_block(length: i64, displacements: &[i64], old: &Self) -> Result<Self, MpiError> {
        natural("block length", length)?;
        let places = displacements.iter().map(|at| in_extents(*at, old));
        let draft = blocks(old, std::iter::repeat(length), places)?;
        let integers = [&[displacements.len() as i64, length], displacements].concat();
        draft.finish(Envelope::made(Combiner::IndexedBlock, integers, vec![], one(old)))
    }

    /// Describes equal blocks at displacements in bytes (`MPI_Type_create_hindexed_block`).
    ///
    /// # Errors
    /// A negative block length.
    pub fn hindexed_block(
        length: i64,
        displacements: &[i64],
        old: &Self,
    ) -> Result<Self, MpiError> {
        natural("block length", length)?;
        let draft = blocks(old, std::iter::repeat(length), displacements.iter().copied().map(Ok))?;
        let integers = vec![displacements.len() as i64, length];
        draft.finish(Envelope::made(
            Combiner::HindexedBlock,
            integers,
            displacements.to_vec(),
            one(old),
        ))
    }

    /// Describes blocks of different types at displacements in bytes (`MPI_Type_create_struct`).
    ///
    /// # Errors
    /// A negative block length; lists of different lengths.
    pub fn structure(
        lengths: &[i64],
        displacements: &[i64],
        types: &[Self],
    ) -> Result<Self, MpiError> {
        same_length("displacements", lengths.len(), displacements.len())?;
        same_length("types", lengths.len(), types.len())?;
        let mut parts = Vec::with_capacity(lengths.len());
        for ((length, at), old) in lengths.iter().zip(displacements).zip(types) {
            let length = natural("block length", *length)?;
            parts.push(Draft::of(old).repeat(length, old.extent())?.shift(*at)?);
        }
        let integers = [&[lengths.len() as i64], lengths].concat();
        Draft::sequence(parts)?.finish(Envelope::made(
            Combiner::Struct,
            integers,
            displacements.to_vec(),
            types.to_vec(),
        ))
    }

    /// Describes the same data with another lower bound and extent (`MPI_Type_create_resized`).
    ///
    /// # Errors
    /// If the upper bound is not a valid address.
    pub fn resized(&self, lb: i64, extent: i64) -> Result<Self, MpiError> {
        let ub = lb.checked_add(extent).ok_or_else(too_large)?;
        let envelope = Envelope::made(Combiner::Resized, vec![], vec![lb, extent], one(self));
        Draft::of(self).resized(lb, ub).finish(envelope)
    }
}

fn strided(count: i64, length: i64, stride: i64, old: &Datatype) -> Result<Draft, MpiError> {
    let count = natural("count", count)?;
    let length = natural("block length", length)?;
    Draft::of(old).repeat(length, old.extent())?.repeat(count, stride)
}
