//! What distinguishes the executions of a check.

use std::{fmt, str::FromStr};

use mpi_api::settings::{Buffering, Pool};

/// The buffering of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// No message is buffered.
    Zero,
    /// Every standard send is buffered.
    Infinite,
    /// A standard send is buffered where the choices of the execution say so, after it has begun to wait.
    Partial,
}

impl Space {
    /// The extremes, in the order in which a check tries them.
    pub const BOTH: [Self; 2] = [Self::Zero, Self::Infinite];

    /// Returns the settings.
    pub fn buffering(self) -> Buffering {
        match self {
            Self::Zero => Buffering::zero(),
            Self::Infinite => Buffering::infinite(),
            Self::Partial => Buffering { eager_limit: u64::MAX, pool: Pool::ByChoice },
        }
    }
}

impl FromStr for Space {
    type Err = ();

    /// Reads a word as it is written.
    fn from_str(word: &str) -> Result<Self, ()> {
        let all = [Self::Zero, Self::Infinite, Self::Partial];
        all.into_iter().find(|space| space.to_string() == word).ok_or(())
    }
}

/// What an execution varies besides its buffering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variation {
    /// Nothing.
    Plain,
    /// Collective operations synchronise all ranks.
    Synchronising,
    /// The order of simultaneous events and of matches; the number of the seed.
    Seeded(u64),
    /// The first test or probe that could succeed is unsuccessful.
    Polls,
    /// One-sided accesses depart when a synchronisation completes them.
    LateAccesses,
    /// One-sided accesses are served while their target is in a call of MPI.
    WeakProgress,
    /// This rank starts late.
    Late(u32),
    /// What a given schedule says.
    Scheduled,
    /// The match order, by its number in the exploration.
    Order(usize),
    /// A drawn match order, by its number in the exploration.
    Drawn(usize),
}

/// The policy of an execution. Its text is the name in results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// An execution that counts for the verdict.
    Varied(Space, Variation),
    /// An execution that only looks for accesses of the program to memory that pending operations own, or to that of
    /// windows.
    Watched(Space, Variation),
    /// An execution of the search for the smallest buffering.
    Search,
}

impl Policy {
    /// The execution most similar to an ordinary run: the user sees its output.
    pub const ORDINARY: Self = Self::Varied(Space::Infinite, Variation::Plain);

    /// Reports whether this is what it varies besides its buffering.
    pub fn varies(self, what: Variation) -> bool {
        matches!(self, Self::Varied(_, variation) if variation == what)
    }

    /// Returns the buffering of an execution that counts for the verdict.
    pub fn space(self) -> Option<Space> {
        match self {
            Self::Varied(space, _) => Some(space),
            Self::Watched(..) | Self::Search => None,
        }
    }

    /// Returns the buffering with which the execution is made again; `None` if it is one of a search.
    pub(super) fn again(self) -> Option<Space> {
        match self {
            Self::Varied(space, _) | Self::Watched(space, _) => Some(space),
            Self::Search => None,
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zero => "zero",
            Self::Infinite => "infinite",
            Self::Partial => "partial",
        })
    }
}

impl fmt::Display for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain => Ok(()),
            Self::Synchronising => f.write_str("+synchronising"),
            Self::Seeded(number) => write!(f, "+seeded{number}"),
            Self::Polls => f.write_str("+polls"),
            Self::LateAccesses => f.write_str("+late-accesses"),
            Self::WeakProgress => f.write_str("+weak-progress"),
            Self::Late(rank) => write!(f, "+late{rank}"),
            Self::Scheduled => f.write_str("+scheduled"),
            Self::Order(number) => write!(f, "+order{number}"),
            Self::Drawn(number) => write!(f, "+drawn{number}"),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Varied(space, variation) => write!(f, "{space}{variation}"),
            Self::Watched(_, variation) => write!(f, "watched{variation}"),
            Self::Search => f.write_str("buffering"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_what_varies() {
        let name = |space, variation| Policy::Varied(space, variation).to_string();
        assert_eq!(Policy::ORDINARY.to_string(), "infinite");
        assert_eq!(name(Space::Zero, Variation::Late(3)), "zero+late3");
        assert_eq!(name(Space::Infinite, Variation::Order(12)), "infinite+order12");
        assert_eq!(name(Space::Zero, Variation::Seeded(1)), "zero+seeded1");
        assert_eq!(name(Space::Partial, Variation::Order(2)), "partial+order2");
    }
}
