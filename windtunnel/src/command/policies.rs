//! The command `windtunnel list policies`: points where editions of the standard and textbooks
//! disagree, or where MPI libraries continue after an error, and the chosen behaviour.

use serde::{Deserialize, Serialize};

const TABLE: &str = include_str!("../../data/policies.json");

/// One point of disagreement.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Policy {
    /// Name of the policy, as `--policy` takes it.
    pub(super) name: String,
    /// Subject of the disagreement.
    pub(super) topic: String,
    /// Default behaviour.
    pub(super) default: String,
    /// Alternative behaviour.
    pub(super) other: String,
    /// Option that selects the alternative.
    pub(super) switch: String,
    /// Section of the standard.
    pub(super) standard: String,
    /// Whether MPI libraries follow the alternative, and so do `run` and `mpiexec` (`--strictness
    /// library`).
    #[serde(default)]
    pub(super) library: bool,
}

/// Returns all policies.
pub(super) fn all() -> Vec<Policy> {
    serde_json::from_str(TABLE).expect("a table of ours is well-formed")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use mpi_api::policy::Policy;

    use super::*;

    #[test]
    fn every_disagreement_has_a_name_and_two_sides() {
        let policies = all();
        let names: BTreeSet<&str> = policies.iter().map(|policy| policy.name.as_str()).collect();
        assert_eq!((policies.len(), names.len()), (Policy::ALL.len(), Policy::ALL.len()));
        for policy in &policies {
            assert!(
                !policy.default.is_empty() && policy.default != policy.other,
                "{}",
                policy.name
            );
        }
    }

    #[test]
    fn what_libraries_do_is_told() {
        let told: Vec<String> =
            all().into_iter().filter(|policy| policy.library).map(|policy| policy.name).collect();
        assert_eq!(told, Policy::OF_LIBRARIES.map(Policy::name));
    }

    #[test]
    fn every_switch_is_listed_as_it_is_written() {
        let switches: Vec<String> = all().into_iter().map(|policy| policy.switch).collect();
        let expected: Vec<String> = Policy::ALL
            .iter()
            .map(|policy| format!("--policy {}={}", policy.name(), policy.values().join("|")))
            .collect();
        assert_eq!(switches, expected);
    }
}
