//! Bad input: what, where, what is allowed.

/// Why a scenario cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A name nobody has.
    #[error("no {kind} is called `{name}`{}; there are {allowed}", near(.nearest))]
    UnknownName {
        /// Kind of thing.
        kind: &'static str,
        /// As given.
        name: String,
        /// All names.
        allowed: String,
        /// The most similar one.
        nearest: Option<String>,
    },
    /// Nothing says what to run.
    #[error(
        "no program is named; give the name of one (see `windtunnel list programs`), a \
             scenario (FILE.json) or a compiled file"
    )]
    NoProgram,
    /// A file that cannot be read.
    #[error("{path}: {reason}")]
    BadFile {
        /// Which file.
        path: String,
        /// What is wrong, with line and column.
        reason: String,
    },
    /// A compiled program that cannot be loaded.
    #[error("{reason}")]
    BadProgram {
        /// Which file, what is wrong with it and what to do.
        reason: String,
    },
    /// A JSON file that says something that cannot be.
    #[error(
        "{path}:{line}:{column}: {}: {reason}{}", pointed(.pointer), near(.nearest)
    )]
    Json {
        /// Which file.
        path: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// JSON pointer (RFC 6901) of the place; empty is the whole.
        pointer: String,
        /// What is wrong and what is allowed.
        reason: String,
        /// The most similar name that is allowed.
        nearest: Option<String>,
    },
    /// The work was broken off before there was a result.
    #[error("stopped before there was a result")]
    Stopped,
    /// A value out of range.
    #[error("{what} is `{value}`; allowed is {allowed}")]
    BadValue {
        /// Which value.
        what: String,
        /// As given.
        value: String,
        /// What it may be.
        allowed: String,
    },
    /// A topology that cannot be had.
    #[error(transparent)]
    Topology(#[from] network_models::TopologyError),
    /// A topology or network model of the user's that cannot be added.
    #[error(transparent)]
    Catalog(#[from] network_models::CatalogError),
    /// A placement that does not fit.
    #[error(transparent)]
    Placement(#[from] network_models::PlacementError),
}

fn near(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

fn pointed(pointer: &str) -> String {
    if pointer.is_empty() { "the whole file".into() } else { format!("at {pointer}") }
}

/// The name most like `name` among `allowed`, if any is like it at all.
///
/// Order: of equally similar names the first in the alphabet.
pub fn nearest<'a>(name: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let name = name.to_lowercase();
    allowed
        .into_iter()
        .map(|known| {
            let distance = strsim::damerau_levenshtein(&known.to_lowercase(), &name);
            // What was cut short is meant rather than what is as many letters away.
            (distance, !known.to_lowercase().starts_with(&name), known)
        })
        .filter(|(distance, cut, known)| {
            *distance <= known.len().max(4) / 2 || (!cut && name.len() > 2)
        })
        .min()
        .map(|(_, _, known)| known.to_string())
}

impl Error {
    /// An unknown name among `allowed`, with the nearest one.
    pub fn unknown<'a>(
        kind: &'static str,
        name: &str,
        allowed: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let names: Vec<&str> = allowed.into_iter().collect();
        let nearest = nearest(name, names.iter().copied());
        Self::UnknownName { kind, name: name.into(), allowed: names.join(", "), nearest }
    }
}
