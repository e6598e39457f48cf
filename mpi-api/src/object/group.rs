//! Groups: ordered sets of processes (MPI section 7.3).

use std::rc::Rc;

use serde::{Deserialize, Serialize};

/// An ordered set of world ranks; cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Group {
    /// Consecutive world ranks; takes constant memory, however large.
    Range {
        /// First world rank.
        first: u32,
        /// Number of ranks.
        count: u32,
    },
    /// An arbitrary list of world ranks.
    List(Rc<Listed>),
}

/// An explicit list with its index.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    world: Vec<u32>,
    /// Pairs (world rank, rank) sorted by world rank.
    index: Vec<(u32, u32)>,
}

impl Group {
    /// Creates a group of `count` consecutive world ranks.
    pub fn range(first: u32, count: u32) -> Self {
        Self::Range { first, count }
    }

    /// Creates a group of world ranks in the given order. Consecutive ranks are stored as a range.
    pub fn list(world: Vec<u32>) -> Self {
        if let Some(first) = world.first().copied()
            && world.iter().zip(first..).all(|(rank, expected)| *rank == expected)
        {
            return Self::range(first, world.len() as u32);
        }
        let mut index: Vec<(u32, u32)> = world.iter().copied().zip(0..).collect();
        index.sort_unstable();
        Self::List(Rc::new(Listed { world, index }))
    }

    /// Returns the number of members.
    pub fn size(&self) -> u32 {
        match self {
            Self::Range { count, .. } => *count,
            Self::List(list) => list.world.len() as u32,
        }
    }

    /// Returns the world rank of a member.
    ///
    /// # Panics
    /// If there is no such member.
    pub fn world_rank(&self, rank: u32) -> u32 {
        match self {
            Self::Range { first, count } => {
                assert!(rank < *count, "a rank of the group");
                first + rank
            }
            Self::List(list) => list.world[rank as usize],
        }
    }

    /// Returns the world ranks of the members, in order.
    pub fn to_vec(&self) -> Vec<u32> {
        (0..self.size()).map(|rank| self.world_rank(rank)).collect()
    }

    /// Returns the rank of a process in the group, if it is a member.
    pub fn rank_of(&self, world: u32) -> Option<u32> {
        match self {
            Self::Range { first, count } => world.checked_sub(*first).filter(|rank| rank < count),
            Self::List(list) => {
                let found = list.index.binary_search_by_key(&world, |(world, _)| *world);
                found.ok().map(|at| list.index[at].1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_world_ranks_are_inverse() {
        for group in [Group::range(3, 4), Group::list(vec![5, 0, 7])] {
            for rank in 0..group.size() {
                assert_eq!(group.rank_of(group.world_rank(rank)), Some(rank));
            }
            assert_eq!(group.rank_of(99), None);
        }
    }
}
