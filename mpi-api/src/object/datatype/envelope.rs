//! The envelope of a datatype: its constructor and arguments (MPI section 5.1.13).

use super::Datatype;
use crate::object::signature::Primitive;

/// The constructor that made a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is the MPI_COMBINER constant of that name")]
pub enum Combiner {
    Named,
    Dup,
    Contiguous,
    Vector,
    Hvector,
    Indexed,
    Hindexed,
    IndexedBlock,
    HindexedBlock,
    Struct,
    Subarray,
    Darray,
    Resized,
}

/// The arguments of the constructor, in the order of `MPI_Type_get_contents`.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// The constructor that made the type.
    pub combiner: Combiner,
    /// The predefined type, if it is one.
    pub named: Option<Named>,
    /// Integer arguments; [`super::Order`] and [`super::Distribution`] by the numbers of their
    /// variants.
    pub integers: Vec<i64>,
    /// Address arguments of the constructor.
    pub addresses: Vec<i64>,
    /// Datatype arguments of the constructor.
    pub datatypes: Vec<Datatype>,
}

/// A predefined type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A type with data.
    Primitive(Primitive),
    /// `MPI_LB` of MPI-1, which sets the lower bound of a struct and has no data.
    LowerBound,
    /// `MPI_UB` of MPI-1, which sets the upper bound of a struct and has no data.
    UpperBound,
}

impl Envelope {
    pub(super) fn named(named: Named) -> Self {
        Self { named: Some(named), ..Self::made(Combiner::Named, vec![], vec![], vec![]) }
    }

    pub(super) fn made(
        combiner: Combiner,
        integers: Vec<i64>,
        addresses: Vec<i64>,
        datatypes: Vec<Datatype>,
    ) -> Self {
        Self { combiner, named: None, integers, addresses, datatypes }
    }
}
