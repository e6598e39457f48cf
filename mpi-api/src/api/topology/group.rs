//! Groups of processes (MPI section 7.3): values without communication.

use std::collections::BTreeSet;

use sim_core::words::out_of_range;

use super::Rank;
use crate::object::group::Group as Members;

/// The result of comparing two groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupRelation {
    /// The same processes in the same order.
    Identical,
    /// The same processes in another order.
    Similar,
    /// The groups have different processes.
    Unequal,
}

/// A group, as one process sees it.
#[derive(Clone, Debug)]
pub struct UserGroup {
    members: Members,
    /// World rank of the calling process.
    me: u32,
}

/// A predefined group.
#[derive(Clone, Debug)]
pub struct SystemGroup(Members);

impl SystemGroup {
    /// Returns `MPI_GROUP_EMPTY`.
    pub fn empty() -> Self {
        Self(Members::list(Vec::new()))
    }
}

impl UserGroup {
    pub(super) fn new(members: Members, me: u32) -> Self {
        Self { members, me }
    }
}

impl Group for UserGroup {
    fn members(&self) -> &Members {
        &self.members
    }

    fn me(&self) -> Option<u32> {
        Some(self.me)
    }
}

impl Group for SystemGroup {
    fn members(&self) -> &Members {
        &self.0
    }

    fn me(&self) -> Option<u32> {
        None
    }
}

/// The operations of every group.
pub trait Group {
    /// Returns the world ranks of the members.
    fn members(&self) -> &Members;

    /// Returns the world rank of the calling process, if known.
    fn me(&self) -> Option<u32>;

    /// Returns the number of members (`MPI_Group_size`).
    fn size(&self) -> Rank {
        self.members().size() as Rank
    }

    /// Returns the rank of the calling process; `None` if it is not a member (`MPI_Group_rank`).
    fn rank(&self) -> Option<Rank> {
        self.members().rank_of(self.me()?).map(|rank| rank as Rank)
    }

    /// Returns the members of this group, followed by those only in the other (`MPI_Group_union`).
    fn union(&self, other: &dyn Group) -> UserGroup {
        let mut world = self.members().to_vec();
        let mine = self.members();
        world.extend(other.members().to_vec().into_iter().filter(|w| mine.rank_of(*w).is_none()));
        made(self.me().or(other.me()), world)
    }

    /// Returns the members of both groups, in the order of this one (`MPI_Group_intersection`).
    fn intersection(&self, other: &dyn Group) -> UserGroup {
        let world = self.members().to_vec().into_iter();
        let kept = world.filter(|w| other.members().rank_of(*w).is_some()).collect();
        made(self.me().or(other.me()), kept)
    }

    /// Returns the members not in the other group, in the order of this one
    /// (`MPI_Group_difference`).
    fn difference(&self, other: &dyn Group) -> UserGroup {
        let world = self.members().to_vec().into_iter();
        let kept = world.filter(|w| other.members().rank_of(*w).is_none()).collect();
        made(self.me().or(other.me()), kept)
    }

    /// Returns the group of the given members, in that order (`MPI_Group_incl`).
    ///
    /// # Panics
    /// If there is no such member, or one is listed twice.
    #[track_caller]
    fn include(&self, ranks: &[Rank]) -> UserGroup {
        let (mut world, mut seen) = (Vec::with_capacity(ranks.len()), BTreeSet::new());
        for rank in ranks {
            world.push(world_rank(self.members(), *rank));
            assert!(seen.insert(*rank), "rank {rank} is listed twice");
        }
        made(self.me(), world)
    }

    /// Returns the group of all other members (`MPI_Group_excl`).
    fn exclude(&self, ranks: &[Rank]) -> UserGroup {
        let named = |rank: &u32| !ranks.contains(&(*rank as Rank));
        let kept = (0..self.members().size()).filter(named);
        made(self.me(), kept.map(|rank| self.members().world_rank(rank)).collect())
    }

    /// Returns the members of ranges of first, last and stride, in that order
    /// (`MPI_Group_range_incl`).
    ///
    /// # Panics
    /// If there is no such member, or a stride is zero.
    #[track_caller]
    fn include_ranges(&self, ranges: &[(Rank, Rank, i32)]) -> UserGroup {
        self.include(&expanded(ranges))
    }

    /// Returns the members outside ranges of first, last and stride (`MPI_Group_range_excl`).
    ///
    /// # Panics
    /// If a stride is zero.
    #[track_caller]
    fn exclude_ranges(&self, ranges: &[(Rank, Rank, i32)]) -> UserGroup {
        self.exclude(&expanded(ranges))
    }

    /// Translates one rank; `None` if it is not in the other group (`MPI_Group_translate_ranks`).
    ///
    /// # Panics
    /// If there is no such member of this group.
    #[track_caller]
    fn translate_rank(&self, rank: Rank, other: &dyn Group) -> Option<Rank> {
        let world = world_rank(self.members(), rank);
        other.members().rank_of(world).map(|rank| rank as Rank)
    }

    /// Translates ranks to those in the other group (`MPI_Group_translate_ranks`).
    ///
    /// # Panics
    /// If there is no such member of this group.
    #[track_caller]
    fn translate_ranks(&self, ranks: &[Rank], other: &dyn Group) -> Vec<Option<Rank>> {
        // Not by a closure, from which a panic would name this line.
        let mut translated = Vec::with_capacity(ranks.len());
        for rank in ranks {
            translated.push(self.translate_rank(*rank, other));
        }
        translated
    }

    /// Compares two groups (`MPI_Group_compare`).
    fn compare(&self, other: &dyn Group) -> GroupRelation {
        let (mine, theirs) = (self.members(), other.members());
        if mine == theirs || mine.to_vec() == theirs.to_vec() {
            return GroupRelation::Identical;
        }
        let same = mine.size() == theirs.size();
        if same && mine.to_vec().iter().all(|world| theirs.rank_of(*world).is_some()) {
            return GroupRelation::Similar;
        }
        GroupRelation::Unequal
    }
}

/// Returns the world rank of a member.
#[track_caller]
fn world_rank(members: &Members, rank: Rank) -> u32 {
    let size = members.size();
    match u32::try_from(rank).ok().filter(|rank| *rank < size) {
        Some(rank) => members.world_rank(rank),
        None => panic!("{} of the group", out_of_range(format_args!("rank {rank}"), size)),
    }
}

fn made(me: Option<u32>, world: Vec<u32>) -> UserGroup {
    UserGroup { members: Members::list(world), me: me.unwrap_or(u32::MAX) }
}

/// Returns the ranks of ranges of first, last and stride.
#[track_caller]
fn expanded(ranges: &[(Rank, Rank, i32)]) -> Vec<Rank> {
    for (_, _, stride) in ranges {
        assert!(*stride != 0, "a range with a stride of zero");
    }
    let one = |(first, last, stride): &(Rank, Rank, i32)| {
        let (first, last) = (i64::from(*first), i64::from(*last));
        let step = i64::from(*stride);
        let length = ((last - first) / step + 1).max(0);
        (0..length).map(move |place| (first + place * step) as Rank)
    };
    ranges.iter().flat_map(one).collect()
}
