//! Topologies and network models by name, with the files that they name.

use std::sync::Arc;

use network_models::{
    Catalog, GraphFile, Hardware, ModelError, ModelKind, ModelOption, PlacementSpec, Topology,
    TopologyError, TopologySpec,
};

use crate::{
    error::{Error, nearest},
    json,
};

/// Returns a topology, a placement or a network model with the path in it, if there is one, changed by `beside`.
pub(crate) fn with_path(text: &str, catalog: &Catalog, beside: impl Fn(&str) -> String) -> String {
    match catalog.path_in(text) {
        Some(path) => {
            format!("{}{}{}", &text[..path.start], beside(&text[path.clone()]), &text[path.end..])
        }
        None => text.to_owned(),
    }
}

/// Reads a network model with its options.
pub(crate) fn network_model(text: &str, catalog: &Catalog) -> Result<Arc<dyn ModelKind>, Error> {
    let read = |path: &str| json::text_of(path).map_err(|error| error.to_string());
    catalog.model_with_files(text, &read).map_err(|error| match error {
        ModelError::File(reason) => Error::BadRoutes { reason },
        ModelError::Unknown { name, allowed } => {
            Error::unknown("network model", &name, allowed).or_several("--networks", &name)
        }
        ModelError::Twice { model, option } => Error::BadValue {
            what: format!("network model `{model}`"),
            value: text.to_owned(),
            allowed: format!("the option `{option}` once"),
        },
        ModelError::Option { model, option, allowed } => bad_option(model, &option, allowed),
    })
}

/// Returns the error of an option that a network model does not have, or whose value is not of the
/// option's form.
fn bad_option(model: &str, option: &str, options: &[ModelOption]) -> Error {
    let (name, value) = option.split_once('=').unwrap_or((option, ""));
    let bad = |what: String, value: &str, allowed: String| Error::BadValue {
        what,
        value: value.to_owned(),
        allowed,
    };
    match options.iter().find(|known| known.name == name) {
        Some(ModelOption { form, summary, .. }) => {
            let near = nearest(value, form.split('|').filter(|_| form.contains('|')));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let what = format!("the option `{name}` of network model `{model}`");
            bad(what, value, format!("{form}: {summary}{near}"))
        }
        None => {
            let near = nearest(name, options.iter().map(|known| known.name));
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let forms: Vec<String> = options.iter().map(ToString::to_string).collect();
            let none = || format!("none, since `{model}` has no options");
            let allowed = if forms.is_empty() { none() } else { forms.join(", ") };
            bad(format!("an option of network model `{model}`"), option, allowed + &near)
        }
    }
}

/// Returns the error of a name that no topology has. That of a placement, which is another choice of a comparison,
/// is told as such.
fn unknown_topology(name: &str, allowed: &[&'static str]) -> Error {
    let error = Error::unknown("topology", name, allowed.iter().copied());
    match error {
        Error::UnknownName { kind, name, allowed, .. }
            if PlacementSpec::parse(&name, 0).is_ok() =>
        {
            let nearest = Some(format!("--placement {name}"));
            Error::UnknownName { kind, name, allowed, nearest }
        }
        other => other,
    }
}

/// Reads a network model that fits a machine and a topology. What it draws is drawn from the seed of the run, unless its own
/// option says from which.
pub(crate) fn fitting_model(
    text: &str,
    (catalog, seed): (&Catalog, u64),
    hardware: &Hardware,
    topology: &Topology,
) -> Result<Arc<dyn ModelKind>, Error> {
    let model = network_model(text, catalog)?;
    match model.check(hardware, topology) {
        Ok(()) => Ok(model.with_seed(seed).unwrap_or(model)),
        Err(misfit) => Err(Error::Misfit { network: text.to_owned(), misfit }),
    }
}

/// Reads a topology with its sizes, or the graph in a file.
pub(crate) fn topology(text: &str, catalog: &Catalog) -> Result<TopologySpec, Error> {
    let Some((planes, path)) = GraphFile::named_in(text) else {
        return catalog.topology(text).map_err(|error| match error {
            TopologyError::Unknown { name, allowed } => {
                unknown_topology(&name, &allowed).or_several("--topologies", text)
            }
            other => other.into(),
        });
    };
    if path.is_empty() {
        return Err(Error::BadValue {
            what: "the topology".into(),
            value: text.into(),
            allowed:
                "file:PATH, with the path of an edge list, of GraphML, of DOT or of the output \
                      of ibnetdiscover"
                    .into(),
        });
    }
    let file = GraphFile::parse(&json::text_of(path)?, path)
        .map_err(|error| Error::BadFile { path: path.into(), reason: error.to_string() })?;
    let spec = TopologySpec::from(file);
    Ok(match planes {
        Some(planes) => spec.in_planes(planes),
        None => spec,
    })
}
