//! The meaning of the names in a request, and the errors for unknown ones.

use std::sync::Arc;

use mpi_api::{
    collective::select::SelectorError,
    policy::{Policy, PolicyError},
};
use network_models::{
    Catalog, GraphFile, Hardware, ModelError, ModelKind, PlacementSpec, Topology, TopologyError,
    TopologySpec,
};

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

/// Reads a network model with its options.
fn network_model(text: &str, catalog: &Catalog) -> Result<Arc<dyn ModelKind>, Error> {
    catalog.model(text).map_err(|error| match error {
        ModelError::Unknown { name, allowed } => Error::unknown("network model", &name, allowed),
        ModelError::Option { model, option, allowed } => Error::BadValue {
            what: format!("an option of network model `{model}`"),
            value: option,
            allowed: if allowed.is_empty() { "nothing".into() } else { allowed.join(", ") },
        },
    })
}

/// Reads a network model that fits a machine and a topology.
pub(crate) fn fitting_model(
    text: &str,
    catalog: &Catalog,
    hardware: &Hardware,
    topology: &Topology,
) -> Result<Arc<dyn ModelKind>, Error> {
    let model = network_model(text, catalog)?;
    match model.check(hardware, topology) {
        Ok(()) => Ok(model),
        Err(misfit) => Err(Error::Misfit { network: text.to_owned(), misfit }),
    }
}

/// Reads a topology with its sizes, or the graph in a file.
pub(crate) fn topology(text: &str, catalog: &Catalog) -> Result<TopologySpec, Error> {
    let Some(path) = text.strip_prefix("file:") else {
        return catalog.topology(text).map_err(|error| match error {
            TopologyError::Unknown { name, allowed } => Error::unknown("topology", &name, allowed),
            other => other.into(),
        });
    };
    match GraphFile::parse(&json::text_of(path)?, path) {
        Ok(file) => Ok(file.into()),
        Err(error) => Err(Error::BadFile { path: path.into(), reason: error.to_string() }),
    }
}

pub(super) fn placement(text: &str, seed: u64) -> Result<PlacementSpec, Error> {
    let Some(path) = text.strip_prefix("file:") else {
        return PlacementSpec::parse(text, seed).map_err(|_| {
            Error::unknown(
                "placement",
                text,
                ["in-order", "block", "cyclic", "random", "random:SEED", "gray", "file:PATH"],
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
