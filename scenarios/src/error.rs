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
    /// A file that cannot be read.
    #[error("{path}: {reason}")]
    BadFile {
        /// Which file.
        path: String,
        /// What is wrong, with line and column.
        reason: String,
    },
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
    /// A placement that does not fit.
    #[error(transparent)]
    Placement(#[from] network_models::PlacementError),
}

fn near(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!(" (did you mean `{name}`?)"))
}

impl Error {
    /// An unknown name among `allowed`, with the nearest one.
    pub fn unknown<'a>(
        kind: &'static str,
        name: &str,
        allowed: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let names: Vec<&str> = allowed.into_iter().collect();
        let nearest = names
            .iter()
            .map(|known| (strsim::damerau_levenshtein(known, name), *known))
            .filter(|(distance, known)| *distance <= known.len().max(4) / 2)
            .min()
            .map(|(_, known)| known.to_string());
        Self::UnknownName { kind, name: name.into(), allowed: names.join(", "), nearest }
    }
}
