//! What the words of a request mean, and what is said about those that mean nothing.

use mpi_api::{
    collective::select::SelectorError,
    policy::{Policy, PolicyError},
    settings::{Buffering, Pool},
};
use network_models::{Catalog, EdgeList, PlacementSpec, TopologyError, TopologySpec, UnknownModel};

use super::RANKS_MAX;
use crate::{error::Error, json, machine::Machine};

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
            Error::unknown("selector", &given, allowed.split(", ").chain(others))
        }
        SelectorError::Collective { given, allowed } => {
            Error::unknown("collective", &given, allowed.split(", "))
        }
        SelectorError::Algorithm { given, allowed, .. } => {
            Error::unknown("algorithm of this collective", &given, allowed.split(", "))
        }
    }
}

pub(super) fn number(what: &str, value: u32) -> Error {
    let allowed = format!("1 to {RANKS_MAX}");
    Error::BadValue { what: what.into(), value: value.to_string(), allowed }
}

pub(super) fn unknown_model(UnknownModel { name, allowed }: UnknownModel) -> Error {
    Error::unknown("network model", &name, allowed)
}

pub(super) fn topology(text: &str, catalog: &Catalog) -> Result<TopologySpec, Error> {
    let Some(path) = text.strip_prefix("file:") else {
        return catalog.topology(text).map_err(|error| match error {
            TopologyError::Unknown { name, allowed } => Error::unknown("topology", &name, allowed),
            other => other.into(),
        });
    };
    match EdgeList::parse(&json::text_of(path)?) {
        Ok(list) => Ok(list.into()),
        Err(error) => Err(Error::BadFile { path: path.into(), reason: error.to_string() }),
    }
}

pub(super) fn placement(text: &str, seed: u64) -> Result<PlacementSpec, Error> {
    let Some(path) = text.strip_prefix("file:") else {
        return PlacementSpec::parse(text, seed).map_err(|_| {
            Error::unknown(
                "placement",
                text,
                ["in-order", "random", "random:SEED", "gray", "file:PATH"],
            )
        });
    };
    let bad = |reason: String| Error::BadFile { path: path.into(), reason };
    let lines = json::text_of(path)?;
    let parse = |(number, line): (usize, &str)| {
        line.trim().parse().map_err(|_| bad(format!("line {}: expected a node number", number + 1)))
    };
    lines.lines().enumerate().map(parse).collect::<Result<_, _>>().map(PlacementSpec::List)
}

pub(super) fn buffering(text: &str, machine: &Machine) -> Result<Buffering, Error> {
    match text {
        "system" => Ok(machine.buffering()),
        "infinite" => Ok(Buffering::infinite()),
        "zero" => Ok(Buffering::zero()),
        _ => match text.parse() {
            Ok(bytes) => Ok(Buffering { eager_limit: u64::MAX, pool: Pool::Bytes(bytes) }),
            Err(_) => Err(Error::BadValue {
                what: "the buffering".into(),
                value: text.into(),
                allowed: "system, infinite, zero, or a number of bytes for each rank".into(),
            }),
        },
    }
}
