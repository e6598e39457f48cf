//! Which algorithm a collective uses.

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
    inter, neighbor,
};
use crate::{
    call::{CollectiveKind, Counts},
    settings::Synchronisation,
};

/// A rule that picks algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorName {
    /// By size, number of ranks and operation, with bounds as in MPICH.
    Auto,
    /// One algorithm for each collective, the textbook's.
    Textbook,
    /// The decisions of MPICH 4.
    Mpich,
    /// The fixed decisions of Open MPI 5.0.
    Ompi,
}

impl SelectorName {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Textbook, Self::Mpich, Self::Ompi];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Textbook => "textbook",
            Self::Mpich => "mpich-4",
            Self::Ompi => "ompi-5.0",
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

/// Picks the algorithm of each collective.
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

/// A choice that [`Selector::set`] does not understand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// Neither `COLLECTIVE=ALGORITHM` nor the name of a selector.
    #[error("no selector is called '{given}': use one of {allowed}, or COLLECTIVE=ALGORITHM")]
    Selector {
        /// What was given.
        given: String,
        /// The names there are.
        allowed: String,
    },
    /// No such collective.
    #[error("no collective is called '{given}': use one of {allowed}")]
    Collective {
        /// What was given.
        given: String,
        /// The names there are.
        allowed: String,
    },
    /// The collective has no such algorithm.
    #[error("{collective} has no algorithm '{given}': use one of {allowed}")]
    Algorithm {
        /// The collective.
        collective: &'static str,
        /// What was given.
        given: String,
        /// The names there are.
        allowed: String,
    },
}

impl Selector {
    /// The rule "auto".
    pub fn default_choice() -> Self {
        Self { name: SelectorName::Auto, explicit: BTreeMap::new() }
    }

    /// The rule "textbook".
    pub fn textbook() -> Self {
        Self { name: SelectorName::Textbook, explicit: BTreeMap::new() }
    }

    /// The rule for what is not chosen explicitly.
    pub fn name(&self) -> SelectorName {
        self.name
    }

    /// Takes `COLLECTIVE=ALGORITHM`, or the name of a rule for all that is not chosen so.
    ///
    /// # Errors
    ///
    /// A name that does not exist; the error lists those that do.
    pub fn set(&mut self, choice: &str) -> Result<(), SelectorError> {
        let Some((collective, algorithm)) = choice.split_once('=') else {
            let given = plain(choice);
            let found = SelectorName::ALL.into_iter().find(|rule| plain(rule.name()) == given);
            self.name = found.ok_or_else(|| SelectorError::Selector {
                given: choice.trim().to_owned(),
                allowed: list(SelectorName::ALL.iter().map(|rule| rule.name())),
            })?;
            return Ok(());
        };
        let given = plain(collective);
        let found = CHOOSABLE.into_iter().find(|(_, name)| plain(name) == given);
        let (kind, collective) = found.ok_or_else(|| SelectorError::Collective {
            given: collective.trim().to_owned(),
            allowed: list(CHOOSABLE.iter().map(|(_, name)| *name)),
        })?;
        let given = plain(algorithm);
        let names = algorithms(kind);
        let found = names.iter().find(|one| plain(one.name()) == given);
        let chosen = found.ok_or_else(|| SelectorError::Algorithm {
            collective,
            given: algorithm.trim().to_owned(),
            allowed: list(names.iter().map(|one| one.name())),
        })?;
        self.explicit.insert(kind, *chosen);
        Ok(())
    }

    /// The collectives whose algorithm can be chosen, each with its algorithms.
    pub fn table() -> Vec<(&'static str, Vec<&'static str>)> {
        let row = |(kind, name)| (name, algorithms(kind).iter().map(|one| one.name()).collect());
        CHOOSABLE.into_iter().map(row).collect()
    }

    /// The algorithm for `shape` and this rank's schedule.
    ///
    /// Under [`Synchronisation::Least`] it is the direct one whatever was chosen. A choice that
    /// cannot do the shape, for its number of ranks, unequal blocks or an operation that is not
    /// commutative, is replaced by the nearest one that can.
    pub fn schedule(
        &self,
        shape: &Shape,
        synchronisation: Synchronisation,
    ) -> (Algorithm, Schedule) {
        if let Some(remote) = shape.remote {
            return (Algorithm::Linear, inter::schedule(shape, remote));
        }
        if let Some(neighbors) = &shape.neighbors {
            return (Algorithm::Direct, neighbor::schedule(shape, neighbors));
        }
        let algorithm = match (synchronisation, self.explicit.get(&choosable(shape.kind))) {
            (Synchronisation::Least, _) => least(shape.kind),
            (_, Some(explicit)) => *explicit,
            _ => self.name.choose(shape),
        };
        let algorithm = applicable(algorithm, shape);
        (algorithm, build(algorithm, shape))
    }
}

/// Direct messages only; who need not hear from the others does not wait for them.
fn least(kind: CollectiveKind) -> Algorithm {
    match kind {
        CollectiveKind::Barrier
        | CollectiveKind::CommSplit
        | CollectiveKind::CommCreate
        | CollectiveKind::CommCreateGroup
        | CollectiveKind::IntercommCreate
        | CollectiveKind::IntercommMerge
        | CollectiveKind::Spawn
        | CollectiveKind::Accept
        | CollectiveKind::Connect => Algorithm::Dissemination,
        CollectiveKind::CommDup | CollectiveKind::CommDisconnect | CollectiveKind::Finalize => {
            Algorithm::Nothing
        }
        CollectiveKind::Scan | CollectiveKind::Exscan => Algorithm::Direct,
        _ => Algorithm::Linear,
    }
}

fn auto(shape: &Shape) -> Algorithm {
    const KIB: u64 = 1024;
    match shape.kind {
        CollectiveKind::Allgather => match Blocks::new(&shape.receive).start(shape.size) {
            total if shape.size.is_power_of_two() && total < 512 * KIB => {
                Algorithm::RecursiveDoubling
            }
            total if total < 80 * KIB => Algorithm::Bruck,
            _ => Algorithm::Ring,
        },
        CollectiveKind::Alltoall => match shape.send {
            Counts::Uniform(bytes) if bytes > 32 * KIB => Algorithm::Pairwise,
            _ => Algorithm::Linear,
        },
        CollectiveKind::Allreduce if mpich::cuts(shape) && single(&shape.send) > 2 * KIB => {
            Algorithm::Rabenseifner
        }
        kind => textbook::choose(kind),
    }
}

/// Case, `_` and `-` do not matter in names.
fn plain(name: &str) -> String {
    let kept = name.trim().chars().filter(|c| !matches!(c, '_' | '-'));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
