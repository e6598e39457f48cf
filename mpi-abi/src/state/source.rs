//! [`Source`]: what communicators and groups are derived from (MPI sections 11.2 and 11.3).

use mpi_api::policy::{Policies, Policy};

use super::fault::{Fault, Mpi};
use crate::constant::class;

/// What an object is derived from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Source {
    /// `MPI_COMM_WORLD`, `MPI_COMM_SELF` or a parent communicator.
    #[default]
    World,
    /// The session of this number.
    Session(u32),
}

impl Source {
    /// Returns the number of its session.
    pub(crate) fn session(self) -> Option<u32> {
        match self {
            Self::World => None,
            Self::Session(number) => Some(number),
        }
    }
}

/// Refuses a call with objects of different sources, unless the policies allow it: those of a session must not be mixed with
/// others (MPI 5.0, 11.3). `None` is an object that goes with all, or whose source is not known.
pub(crate) fn must_agree(
    policies: &Policies,
    sources: impl IntoIterator<Item = Option<Source>>,
) -> Mpi {
    let mut sources = sources.into_iter().flatten();
    let Some(first) = sources.next() else { return Ok(()) };
    let Some(other) = sources.find(|other| *other != first) else { return Ok(()) };
    if policies.differs(Policy::MixedSessions) {
        return Ok(());
    }
    let text = match (first, other) {
        (Source::Session(_), Source::Session(_)) => "objects of two sessions",
        (Source::World, _) | (_, Source::World) => "objects of a session and of the world model",
    };
    let text = format!("{text} must not be used in one call (MPI 5.0, 11.3)");
    Err(Fault::new(class::ARG, text))
}

#[cfg(test)]
mod tests {
    use mpi_api::policy::Strictness;

    use super::*;

    #[test]
    fn objects_of_a_session_are_not_mixed_with_others() {
        let (world, one, two) = (Source::World, Source::Session(1), Source::Session(2));
        let standard = Policies::default();
        let agree =
            |sources: &[Option<Source>]| must_agree(&standard, sources.iter().copied()).is_ok();
        assert!(
            agree(&[]) && agree(&[None, Some(one), None, Some(one)]) && agree(&[Some(world); 2])
        );
        assert!(!agree(&[Some(one), None, Some(two)]) && !agree(&[Some(world), Some(one)]));
        let library = Policies::of(Strictness::Library);
        assert!(must_agree(&library, [Some(world), Some(one)]).is_ok());
    }
}
