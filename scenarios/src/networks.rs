//! Topologies and network models by name, with the files that they name.

use std::sync::Arc;

use network_models::{
    Catalog, GraphFile, Hardware, ModelError, ModelKind, PlaneSet, Topology, TopologyError,
    TopologySpec,
};

use crate::{error::Error, json};

/// Returns a topology or a network model with the path in it, if there is one, changed by `beside`.
pub(crate) fn with_path(text: &str, beside: impl Fn(&str) -> String) -> String {
    const TABLE: &str = ":routing=table:";
    if let Some((planes, inner)) = text.split_once('*')
        && planes.starts_with("planes:")
    {
        return format!("{planes}*{}", with_path(inner, beside));
    }
    match (text.strip_prefix("file:"), text.split_once(TABLE)) {
        (Some(path), _) if !path.is_empty() => format!("file:{}", beside(path)),
        (_, Some((model, path))) => format!("{model}{TABLE}{}", beside(path)),
        _ => text.to_owned(),
    }
}

/// Reads a network model with its options.
pub(crate) fn network_model(text: &str, catalog: &Catalog) -> Result<Arc<dyn ModelKind>, Error> {
    let read = |path: &str| json::text_of(path).map_err(|error| error.to_string());
    catalog.model_with_files(text, &read).map_err(|error| match error {
        ModelError::File(reason) => Error::BadRoutes { reason },
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
    if let Some((planes, inner)) = text.strip_prefix("planes:").and_then(PlaneSet::split)
        && (inner == "file" || inner.starts_with("file:"))
    {
        return Ok(topology(inner, catalog)?.in_planes(planes));
    }
    let path = if text == "file" { Some("") } else { text.strip_prefix("file:") };
    if path == Some("") {
        return Err(Error::BadValue {
            what: "the topology".into(),
            value: text.into(),
            allowed:
                "file:PATH, with the path of an edge list, of GraphML, of DOT or of the output \
                      of ibnetdiscover"
                    .into(),
        });
    }
    let Some(path) = path else {
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
