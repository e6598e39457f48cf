//! The selection of an algorithm for each collective.

use std::collections::BTreeMap;

mod mpich;
mod ompi;
mod table;
mod textbook;

pub use super::algorithm::Algorithm;
use super::{
    Schedule, Shape,
    algorithm::{CHOOSABLE, algorithms, applicable, build, choosable},
    blocks::{Blocks, single},
    broadcast, inter, neighbor,
};
use crate::{
    call::{CollectiveKind, Counts},
    settings::CollectiveSynchronization,
};

/// A rule that selects algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorName {
    /// The decisions of MPICH 4, but recursive doubling for each allreduce of up to 2 KiB, and no rings for
    /// shares of up to 8 KiB.
    Auto,
    /// One textbook algorithm for each collective.
    Textbook,
    /// The decisions of MPICH 4.
    Mpich,
    /// The fixed decisions of Open MPI 5.0.
    Ompi,
}

impl SelectorName {
    /// All rules, in the order of declaration.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Textbook, Self::Mpich, Self::Ompi];

    /// Returns its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Textbook => "textbook",
            Self::Mpich => "mpich-4",
            Self::Ompi => "ompi-5.0",
        }
    }

    /// Returns what decides, in a line.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Auto => {
                "as mpich-4, but allreduces of up to 2 KiB are not halved, and shares of up to 8 KiB do not go round a ring"
            }
            Self::Textbook => "one algorithm for each collective",
            Self::Mpich => "the decisions of MPICH 4, by size, ranks and operation",
            Self::Ompi => "the fixed decisions of Open MPI 5.0, by size, ranks and operation",
        }
    }

    fn choose(self, shape: &Shape) -> Algorithm {
        match self {
            Self::Auto => auto(shape),
            Self::Textbook => textbook::choose(shape.kind),
            Self::Mpich => mpich::choose(shape),
            Self::Ompi => ompi::choose(shape),
        }
    }
}

/// The rule and the explicit choices that select the algorithm of each collective.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    name: SelectorName,
    explicit: BTreeMap<CollectiveKind, Algorithm>,
}

impl Default for Selector {
    fn default() -> Self {
        Self::default_choice()
    }
}

/// An error of [`Selector::set`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// The text is neither `COLLECTIVE=ALGORITHM` nor the name of a rule.
    #[error("no selector is called '{given}': use one of {}, or COLLECTIVE=ALGORITHM", allowed.join(", "))]
    Selector {
        /// Text that was given.
        given: String,
        /// The names that are allowed.
        allowed: Vec<&'static str>,
    },
    /// There is no such collective.
    #[error("no collective is called '{given}': use one of {}", allowed.join(", "))]
    Collective {
        /// Name that was given.
        given: String,
        /// The names that are allowed.
        allowed: Vec<&'static str>,
    },
    /// The collective has no such algorithm.
    #[error("{collective} has no algorithm '{given}': use one of {}", allowed.join(", "))]
    Algorithm {
        /// Name of the collective.
        collective: &'static str,
        /// Name that was given.
        given: String,
        /// The names that are allowed.
        allowed: Vec<&'static str>,
    },
}

impl Selector {
    /// Returns the selector with the rule "auto".
    pub fn default_choice() -> Self {
        Self { name: SelectorName::Auto, explicit: BTreeMap::new() }
    }

    /// Returns the selector with the rule "textbook".
    pub fn textbook() -> Self {
        Self { name: SelectorName::Textbook, explicit: BTreeMap::new() }
    }

    /// Returns the rule for collectives without an explicit choice.
    pub fn name(&self) -> SelectorName {
        self.name
    }

    /// Sets `COLLECTIVE=ALGORITHM`, or the rule for all collectives without an explicit choice.
    ///
    /// # Errors
    /// A name that does not exist; the error lists the allowed ones.
    pub fn set(&mut self, choice: &str) -> Result<(), SelectorError> {
        let Some((collective, algorithm)) = choice.split_once('=') else {
            let given = plain(choice);
            let found = SelectorName::ALL.into_iter().find(|rule| plain(rule.name()) == given);
            self.name = found.ok_or_else(|| SelectorError::Selector {
                given: choice.trim().to_owned(),
                allowed: SelectorName::ALL.map(SelectorName::name).into(),
            })?;
            return Ok(());
        };
        let given = plain(collective);
        let found = CHOOSABLE.into_iter().find(|(_, name)| plain(name) == given);
        let (kind, collective) = found.ok_or_else(|| SelectorError::Collective {
            given: collective.trim().to_owned(),
            allowed: CHOOSABLE.map(|(_, name)| name).into(),
        })?;
        let given = plain(algorithm);
        let names = algorithms(kind);
        let found = names.iter().find(|one| plain(one.name()) == given);
        let chosen = found.ok_or_else(|| SelectorError::Algorithm {
            collective,
            given: algorithm.trim().to_owned(),
            allowed: names.iter().map(|one| one.name()).collect(),
        })?;
        self.explicit.insert(kind, *chosen);
        Ok(())
    }

    /// Returns the collectives whose algorithm can be chosen, each with its algorithms.
    pub fn table() -> Vec<(&'static str, Vec<&'static str>)> {
        let row = |(kind, name)| (name, algorithms(kind).iter().map(|one| one.name()).collect());
        CHOOSABLE.into_iter().map(row).collect()
    }

    /// Returns the algorithm that is chosen for a collective of [`Selector::table`]: 0 if the rule decides, 1
    /// for the first of its algorithms.
    pub fn chosen(&self, collective: u32) -> u32 {
        let Some((kind, _)) = CHOOSABLE.get(collective as usize) else { return 0 };
        let chosen = self.explicit.get(kind);
        let place = chosen.and_then(|one| algorithms(*kind).iter().position(|it| it == one));
        place.map_or(0, |place| place as u32 + 1)
    }

    /// Chooses an algorithm as [`Selector::chosen`] returns it. A number that stands for none leaves the choice to
    /// the rule.
    pub fn choose(&mut self, collective: u32, algorithm: u32) {
        let Some((kind, _)) = CHOOSABLE.get(collective as usize) else { return };
        let place = (algorithm as usize).checked_sub(1);
        match place.and_then(|place| algorithms(*kind).get(place)) {
            Some(algorithm) => self.explicit.insert(*kind, *algorithm),
            None => self.explicit.remove(kind),
        };
    }

    /// Returns the algorithm for `shape` and this rank's schedule.
    ///
    /// Under [`CollectiveSynchronization::Minimal`] it is one in which a rank waits only for the ranks whose data it needs. A
    /// chosen algorithm that does not support the number of ranks, unequal blocks or an operation that is not commutative
    /// is replaced by the closest one that does.
    pub fn schedule(
        &self,
        shape: &Shape,
        synchronisation: CollectiveSynchronization,
    ) -> (Algorithm, Schedule) {
        if let Some(remote) = shape.remote {
            return (Algorithm::Linear, inter::schedule(shape, remote));
        }
        if let Some(neighbors) = &shape.neighbors {
            return (Algorithm::Direct, neighbor::schedule(shape, neighbors));
        }
        let algorithm = match (synchronisation, self.explicit.get(&choosable(shape.kind))) {
            (CollectiveSynchronization::Minimal, _) => least(shape),
            (_, Some(explicit)) => *explicit,
            _ => self.name.choose(shape),
        };
        let algorithm = applicable(algorithm, shape);
        (algorithm, build(algorithm, shape))
    }
}

/// Number of ranks above which a direct algorithm, in which each rank sends to each, is replaced by one that
/// sends less and in which a rank waits for the same ranks: all whose data are in its result.
const DIRECT_MAX: u32 = 32;

/// Returns an algorithm in which a rank waits only for the ranks whose data it needs.
fn least(shape: &Shape) -> Algorithm {
    let are_many = shape.size > DIRECT_MAX;
    let combines_many = are_many && single(&shape.send) > 0;
    let shares_many = are_many && matches!(shape.receive, Counts::Uniform(bytes) if bytes > 0);
    match shape.kind {
        CollectiveKind::Allreduce if combines_many => Algorithm::RecursiveDoubling,
        CollectiveKind::Scan | CollectiveKind::Exscan if combines_many => Algorithm::Linear,
        CollectiveKind::Allgather if shares_many => Algorithm::Bruck,
        CollectiveKind::ReduceScatter if shares_many => Algorithm::RecursiveHalving,
        CollectiveKind::Management(call) if !call.needs_all() => Algorithm::Nothing,
        CollectiveKind::Barrier | CollectiveKind::Management(_) => Algorithm::Dissemination,
        CollectiveKind::Scan
        | CollectiveKind::Exscan
        | CollectiveKind::NeighborAllgather
        | CollectiveKind::NeighborAlltoall => Algorithm::Direct,
        CollectiveKind::Broadcast
        | CollectiveKind::Gather
        | CollectiveKind::Scatter
        | CollectiveKind::Allgather
        | CollectiveKind::Alltoall
        | CollectiveKind::Reduce
        | CollectiveKind::Allreduce
        | CollectiveKind::ReduceScatter => Algorithm::Linear,
    }
}

/// Longest operand of an allreduce that is not halved, in bytes (Thakur, Rabenseifner and Gropp, "Optimization of
/// Collective Communication Operations in MPICH", 2005, section 4.5).
const WHOLE_MAX: u64 = 2048;

/// Longest share of a rank for which data do not go round a ring, in bytes: its time grows with the number of ranks,
/// that of the others with its logarithm.
const SHARE_MAX: u64 = 8 * table::KIB;

/// Decides as MPICH 4 does, except where its table for machines it does not know is far from the best: it halves
/// operands of an allreduce of more than 8 bytes, and lets short shares of many ranks go round a ring.
fn auto(shape: &Shape) -> Algorithm {
    let size = shape.size;
    let is_short = |all: u64| all <= SHARE_MAX * u64::from(size);
    match (shape.kind, mpich::choose(shape)) {
        (CollectiveKind::Allreduce, _) if single(&shape.send) <= WHOLE_MAX => {
            Algorithm::RecursiveDoubling
        }
        (CollectiveKind::Broadcast, Algorithm::ScatterRing)
            if is_short(broadcast::bytes(shape)) =>
        {
            match size.is_power_of_two() {
                true => Algorithm::ScatterRecursiveDoubling,
                false => Algorithm::Binomial,
            }
        }
        // Off a power of two it is replaced by Bruck's.
        (CollectiveKind::Allgather, Algorithm::Ring)
            if is_short(Blocks::new(&shape.receive).start(size)) =>
        {
            Algorithm::RecursiveDoubling
        }
        (_, chosen) => chosen,
    }
}

/// Normalises a name: case, `_` and `-` are ignored.
fn plain(name: &str) -> String {
    let kept = name.trim().chars().filter(|c| !matches!(c, '_' | '-'));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}
