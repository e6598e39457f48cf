//! The meaning of the names in a request, and the errors for unknown ones.

use mpi_api::{
    collective::select::SelectorError,
    policy::{Policy, PolicyError},
};
use network_models::PlacementSpec;

use crate::{error::Error, json};

pub(super) fn unknown_policy(error: PolicyError) -> Error {
    match error {
        PolicyError::Form(given) => Error::BadValue {
            what: "a policy".into(),
            value: given,
            allowed: "NAME=VALUE; see `windtunnel list policies`".into(),
        },
        PolicyError::Name(given) => {
            Error::unknown("policy", &given, Policy::ALL.iter().map(|policy| policy.name()))
        }
        PolicyError::Value { given, allowed, .. } => {
            Error::unknown("value of this policy", &given, allowed.iter().copied())
        }
    }
}

pub(super) fn unknown_choice(error: SelectorError) -> Error {
    match error {
        SelectorError::Selector { given, allowed } => {
            let others = ["COLLECTIVE=ALGORITHM"];
            Error::unknown("selector", &given, allowed.into_iter().chain(others))
        }
        SelectorError::Collective { given, allowed } => {
            Error::unknown("collective", &given, allowed)
        }
        SelectorError::Algorithm { given, allowed, .. } => {
            Error::unknown("algorithm of this collective", &given, allowed)
        }
    }
}

pub(super) fn placement(text: &str, seed: u64) -> Result<PlacementSpec, Error> {
    let Some(path) = text.strip_prefix("file:") else {
        return PlacementSpec::parse(text, seed)
            .map_err(|_| Error::unknown("placement", text, PlacementSpec::FORMS));
    };
    let bad = |reason: String| Error::BadFile { path: path.into(), reason };
    let lines = json::text_of(path)?;
    let parse = |(number, line): (usize, &str)| {
        let (number, text) = (number + 1, line.trim());
        let reason = || {
            format!(
                "line {number}: `{text}` is not a node number; allowed is a whole number from 0"
            )
        };
        text.parse().map_err(|_| bad(reason()))
    };
    lines.lines().enumerate().map(parse).collect::<Result<_, _>>().map(PlacementSpec::List)
}
