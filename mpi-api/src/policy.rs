//! Policies: switches for points on which editions of the standard, drafts and books disagree, or
//! on which MPI libraries continue though the standard does not allow it. A run can follow either;
//! the default is the newest standard. [`Strictness::Library`] sets all policies of the second kind
//! at once.

use std::str::FromStr;

/// A point of disagreement that can be switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is described by `windtunnel list policies`")]
pub enum Policy {
    FreedRequest,
    AttachedBuffer,
    SecondInit,
    CallsBeforeInit,
    CallsAfterFinalize,
    ThreadLevels,
    MapFunctions,
    GraphSymmetry,
    ShuffleNames,
    DimsOrder,
    ZeroDimensionalGrids,
    Scan,
    BufferedMode,
    IndexedDisplacements,
    NonblockingCollectives,
    SplitIntercommunicator,
    ConstantNames,
    AttributeDeleteOrder,
    AbortScope,
    AddressSpaceKey,
    BufferReleaseName,
    HintsOfDuplicates,
    CharactersInReductions,
    LogicalOfAddresses,
    FreedCollective,
    OverlappingReceives,
    KeyvalFreedTwice,
    NullTypeWithoutData,
    EqualRepresentations,
    TypesUnderErrorsReturn,
    BufferedOverhead,
    UndefinedStatuses,
    MixedSessions,
    CallsOfOtherThreads,
}

/// Whether a run follows the standard or common MPI libraries where they differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// A violation of the standard is a finding.
    #[default]
    Standard,
    /// The run continues wherever common MPI libraries continue.
    Library,
}

impl Strictness {
    /// Returns the value's name in options.
    pub fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Library => "library",
        }
    }
}

impl FromStr for Strictness {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Standard, Self::Library];
        let found = all.into_iter().find(|one| one.word() == text);
        found.ok_or_else(|| format!("`{text}` is neither `library` nor `standard`"))
    }
}

/// Number of policies.
const COUNT: usize = Policy::ALL.len();

impl Policy {
    /// All policies.
    pub const ALL: [Self; 34] = [
        Self::FreedRequest,
        Self::AttachedBuffer,
        Self::SecondInit,
        Self::CallsBeforeInit,
        Self::CallsAfterFinalize,
        Self::ThreadLevels,
        Self::MapFunctions,
        Self::GraphSymmetry,
        Self::ShuffleNames,
        Self::DimsOrder,
        Self::ZeroDimensionalGrids,
        Self::Scan,
        Self::BufferedMode,
        Self::IndexedDisplacements,
        Self::NonblockingCollectives,
        Self::SplitIntercommunicator,
        Self::ConstantNames,
        Self::AttributeDeleteOrder,
        Self::AbortScope,
        Self::AddressSpaceKey,
        Self::BufferReleaseName,
        Self::HintsOfDuplicates,
        Self::CharactersInReductions,
        Self::LogicalOfAddresses,
        Self::FreedCollective,
        Self::OverlappingReceives,
        Self::KeyvalFreedTwice,
        Self::NullTypeWithoutData,
        Self::EqualRepresentations,
        Self::TypesUnderErrorsReturn,
        Self::BufferedOverhead,
        Self::UndefinedStatuses,
        Self::MixedSessions,
        Self::CallsOfOtherThreads,
    ];

    /// The policies for which [`Strictness::Library`] chooses the second value.
    pub const OF_LIBRARIES: [Self; 12] = [
        Self::CharactersInReductions,
        Self::LogicalOfAddresses,
        Self::FreedCollective,
        Self::OverlappingReceives,
        Self::KeyvalFreedTwice,
        Self::NullTypeWithoutData,
        Self::EqualRepresentations,
        Self::TypesUnderErrorsReturn,
        Self::BufferedOverhead,
        Self::UndefinedStatuses,
        Self::MixedSessions,
        Self::CallsOfOtherThreads,
    ];

    /// Returns the policy's name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::FreedRequest => "freed-request-before-finalize",
            Self::AttachedBuffer => "attached-buffer-at-finalize",
            Self::SecondInit => "second-init",
            Self::CallsBeforeInit => "calls-before-init",
            Self::CallsAfterFinalize => "calls-after-finalize",
            Self::ThreadLevels => "thread-levels",
            Self::MapFunctions => "map-functions",
            Self::GraphSymmetry => "graph-symmetry",
            Self::ZeroDimensionalGrids => "zero-dimensional-grids",
            Self::Scan => "scan",
            Self::IndexedDisplacements => "indexed-displacements",
            Self::AttributeDeleteOrder => "attribute-delete-order",
            Self::BufferedMode => "buffered-mode",
            Self::NonblockingCollectives => "nonblocking-collectives",
            Self::SplitIntercommunicator => "split-intercommunicator",
            Self::AbortScope => "abort-scope",
            Self::AddressSpaceKey => "address-space-key",
            Self::ShuffleNames => "shuffle-names",
            Self::DimsOrder => "dims-order",
            Self::ConstantNames => "constant-names",
            Self::BufferReleaseName => "buffer-release-name",
            Self::HintsOfDuplicates => "hints-of-duplicates",
            Self::CharactersInReductions => "characters-in-reductions",
            Self::LogicalOfAddresses => "logical-operations-on-addresses",
            Self::FreedCollective => "freed-collective-request",
            Self::OverlappingReceives => "overlapping-receive-blocks",
            Self::KeyvalFreedTwice => "keyval-freed-twice",
            Self::NullTypeWithoutData => "null-datatype-with-count-0",
            Self::EqualRepresentations => "equal-representations",
            Self::TypesUnderErrorsReturn => "different-types-under-errors-return",
            Self::BufferedOverhead => "buffered-send-overhead",
            Self::UndefinedStatuses => "undefined-statuses",
            Self::MixedSessions => "mixed-sessions",
            Self::CallsOfOtherThreads => "calls-of-other-threads",
        }
    }

    /// Returns the values of the policy; the first is what the newest standard says.
    pub fn values(self) -> &'static [&'static str] {
        match self {
            Self::FreedRequest => &["correct", "erroneous"],
            Self::AttachedBuffer => &["leak", "detached"],
            Self::SecondInit => &["erroneous", "ignored"],
            Self::CallsBeforeInit => &["several", "initialized"],
            Self::CallsAfterFinalize => &["several", "none"],
            Self::ThreadLevels => &["four", "none"],
            Self::Scan => &["inclusive", "exclusive"],
            Self::BufferedMode | Self::NonblockingCollectives => &["present", "absent"],
            Self::MapFunctions => &["local", "collective"],
            Self::GraphSymmetry => &["any", "symmetric"],
            Self::ZeroDimensionalGrids | Self::SplitIntercommunicator => &["allowed", "refused"],
            Self::IndexedDisplacements => &["items", "bytes"],
            Self::AttributeDeleteOrder => &["last-first", "first-first"],
            Self::AbortScope => &["run", "communicator"],
            Self::AddressSpaceKey => &["none", "MPI_ENV_ASP", "asp"],
            Self::ShuffleNames => &["by-data", "swapped"],
            Self::DimsOrder => &["not-increasing", "decreasing"],
            Self::ConstantNames => &["MPI_ERR_PENDING", "MPI_PENDING"],
            Self::BufferReleaseName => &["MPI_Buffer_detach", "MPI_Buffer_free"],
            Self::HintsOfDuplicates => &["dropped", "copied"],
            Self::CharactersInReductions => &["refused", "numbers"],
            Self::LogicalOfAddresses => &["refused", "allowed"],
            Self::FreedCollective => &["erroneous", "freed-when-complete"],
            Self::OverlappingReceives => &["erroneous", "allowed"],
            Self::KeyvalFreedTwice | Self::NullTypeWithoutData => &["erroneous", "ignored"],
            Self::EqualRepresentations => &["differ", "match"],
            Self::TypesUnderErrorsReturn => &["end-the-run", "return-the-class"],
            Self::BufferedOverhead => &["warned", "ignored"],
            Self::UndefinedStatuses => &["overwritten", "kept"],
            Self::MixedSessions => &["erroneous", "allowed"],
            Self::CallsOfOtherThreads => &["end-the-run", "warned"],
        }
    }
}

/// The value of each policy in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policies([u8; COUNT]);

impl Default for Policies {
    /// Returns the values of the newest standard.
    fn default() -> Self {
        Self([0; COUNT])
    }
}

/// The error of setting a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// The text does not have the form `NAME=VALUE`.
    #[error("`{0}` is not written NAME=VALUE")]
    Form(String),
    /// No policy has this name.
    #[error("no policy is called `{0}`")]
    Name(String),
    /// The policy has no such value.
    #[error("`{given}` is no value of {policy}; there are {}", allowed.join(", "))]
    Value {
        /// Name of the policy.
        policy: &'static str,
        /// The value that was given.
        given: String,
        /// The values of the policy.
        allowed: &'static [&'static str],
    },
}

impl Policies {
    /// Returns the default values for a strictness.
    pub fn of(strictness: Strictness) -> Self {
        let mut policies = Self::default();
        if strictness == Strictness::Library {
            for policy in Policy::OF_LIBRARIES {
                policies.0[policy as usize] = 1;
            }
        }
        policies
    }

    /// Sets a policy from a text `NAME=VALUE`.
    ///
    /// # Errors
    /// Returns an error if no policy has the name, or the policy does not have the value.
    pub fn set(&mut self, text: &str) -> Result<(), PolicyError> {
        let (name, value) = text.split_once('=').ok_or_else(|| PolicyError::Form(text.into()))?;
        let place = Policy::ALL.iter().position(|policy| policy.name() == name);
        let place = place.ok_or_else(|| PolicyError::Name(name.into()))?;
        let policy = Policy::ALL[place];
        let found = policy.values().iter().position(|known| *known == value);
        let wrong = || PolicyError::Value {
            policy: policy.name(),
            given: value.into(),
            allowed: policy.values(),
        };
        self.0[place] = found.ok_or_else(wrong)? as u8;
        Ok(())
    }

    /// Sets a policy to the first of its other values.
    pub fn differ_in(&mut self, policy: Policy) {
        self.0[policy as usize] = 1;
    }

    /// Returns the value of a policy.
    pub fn value(&self, policy: Policy) -> &'static str {
        policy.values()[usize::from(self.0[policy as usize])]
    }

    /// Reports whether a policy has another value than that of the newest standard.
    pub fn differs(&self, policy: Policy) -> bool {
        self.0[policy as usize] != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_every_policy_can_be_set() {
        for policy in Policy::ALL {
            for (place, value) in policy.values().iter().enumerate() {
                let mut policies = Policies::default();
                policies.set(&format!("{}={value}", policy.name())).expect("it is listed");
                assert_eq!(policies.value(policy), *value);
                assert_eq!(policies.differs(policy), place > 0);
                let others = Policy::ALL.into_iter().filter(|other| *other != policy);
                assert!(others.into_iter().all(|other| !policies.differs(other)));
            }
        }
    }

    #[test]
    fn libraries_are_followed_where_they_go_on() {
        let library = Policies::of("library".parse().expect("a word"));
        for policy in Policy::ALL {
            assert_eq!(library.differs(policy), Policy::OF_LIBRARIES.contains(&policy));
        }
        assert_eq!(Policies::of("standard".parse().expect("a word")), Policies::default());
        assert!("strict".parse::<Strictness>().is_err());
    }

    #[test]
    fn what_is_not_there_is_refused() {
        let mut policies = Policies::default();
        assert_eq!(policies.set("scan"), Err(PolicyError::Form("scan".into())));
        assert_eq!(policies.set("skan=inclusive"), Err(PolicyError::Name("skan".into())));
        let error = policies.set("scan=both").expect_err("there is no such value");
        assert_eq!(error.to_string(), "`both` is no value of scan; there are inclusive, exclusive");
        assert_eq!(policies, Policies::default());
    }
}
