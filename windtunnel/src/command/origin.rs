//! [`Origin`]: the file in which the settings of a job stand, for messages about them.

use scenarios::{
    error::Error,
    json::Document,
    options,
    program::{self, Parameters},
    scenario::Request,
};

/// A scenario in a file, and what holds without it.
pub(super) struct Origin {
    path: String,
    /// JSON pointer of the scenario.
    scenario: &'static str,
    file: options::Options,
    /// The request of the command line alone.
    without: Request,
}

/// Takes one setting from another request.
type Take = fn(&mut Request, &Request);

/// The settings with one value, by their keys in files. One comes before those on which it depends: a placement
/// that does not fit a topology is wrong, not the topology.
const SETTINGS: [(&str, Take); 17] = [
    ("background", |request, other| request.background = other.background),
    ("noise", |request, other| request.noise.clone_from(&other.noise)),
    ("compute", |request, other| request.compute.clone_from(&other.compute)),
    ("clocks", |request, other| request.clocks = other.clocks),
    ("arguments", |request, other| request.arguments.clone_from(&other.arguments)),
    ("files", |request, other| request.files.clone_from(&other.files)),
    ("filesystem", |request, other| request.filesystem.clone_from(&other.filesystem)),
    ("placement", |request, other| request.placement.clone_from(&other.placement)),
    ("network", |request, other| request.network.clone_from(&other.network)),
    ("ranks_per_process", |request, other| request.ranks_per_process = other.ranks_per_process),
    ("ranks_per_socket", |request, other| request.ranks_per_socket = other.ranks_per_socket),
    ("ranks_per_node", |request, other| {
        request.ranks_per_node = other.ranks_per_node;
        request.shares_across_nodes = other.shares_across_nodes;
    }),
    ("universe", |request, other| request.universe = other.universe),
    ("stack_size_bytes", |request, other| request.stack_size = other.stack_size),
    ("topology", |request, other| request.topology.clone_from(&other.topology)),
    ("ranks", |request, other| request.ranks = other.ranks),
    ("machine", |request, other| request.machine.clone_from(&other.machine)),
];

impl Origin {
    /// Creates the origin of the settings in `file`, the scenario at a JSON pointer of the file with this path.
    /// `without` is the request that holds without it.
    pub(super) fn new(
        path: &str,
        scenario: &'static str,
        file: options::Options,
        without: Request,
    ) -> Self {
        Self { path: path.to_owned(), scenario, file, without }
    }

    /// Returns an error with the place of a setting in the file, if it is about that.
    pub(super) fn placed(&self, key: &str, error: Error) -> Error {
        match Document::read(&self.path) {
            Ok(document) => document.placed(&format!("{}/{key}", self.scenario), error),
            Err(_) => error,
        }
    }

    /// Returns the error of a request with the place of the setting of the file without which `resolve` gives no
    /// error, or another one. `base` is the request before axes changed it: what they change is not the file's.
    pub(super) fn located(
        &self,
        error: Error,
        (request, base): (&Request, &Request),
        resolve: impl Fn(Request) -> Result<(), Error>,
    ) -> Error {
        let Ok(document) = Document::read(&self.path) else { return error };
        if !error.lacks_place() {
            return error;
        }
        let told = error.to_string();
        let is_gone =
            |request: Request| resolve(request).err().is_none_or(|other| other.to_string() != told);
        // A fault may be one of the command line: then the topology of the file is not wrong.
        let is_fault = matches!(error, Error::Fault(_));
        let settings = if is_fault { Vec::new() } else { self.settings(request, base) };
        let candidates = self.elements(request).into_iter().chain(settings);
        for (key, changed) in candidates {
            let pointer = format!("{}/{key}", self.scenario);
            if changed != *request && document.has(&pointer) && is_gone(changed) {
                return document.placed(&pointer, error);
            }
        }
        if is_of_program(&error, request) { self.placed("program", error) } else { error }
    }

    /// Returns requests that each have one setting as it is without the file.
    fn settings(&self, request: &Request, base: &Request) -> Vec<(String, Request)> {
        let mut changed = Vec::new();
        for (key, take) in SETTINGS {
            let [mut own, mut other] = [request.clone(), request.clone()];
            take(&mut own, base);
            take(&mut other, &self.without);
            if own == *request {
                changed.push((key.to_owned(), other));
            }
        }
        changed
    }

    /// Returns requests that each lack one element of a list of the file, or one of its parameters.
    fn elements(&self, request: &Request) -> Vec<(String, Request)> {
        let mut changed = Vec::new();
        let mut push = |key: String, remove: &dyn Fn(&mut Request)| {
            let mut request = request.clone();
            remove(&mut request);
            changed.push((key, request));
        };
        for (at, fault) in self.file.faults.iter().enumerate() {
            if request.faults.get(at) == Some(fault) {
                push(format!("faults/{at}"), &|request| drop(request.faults.remove(at)));
            }
        }
        for (at, choice) in self.file.collectives.iter().enumerate() {
            if request.collectives.get(at) == Some(choice) {
                push(format!("collectives/{at}"), &|request| drop(request.collectives.remove(at)));
            }
        }
        for (at, policy) in self.file.policies.iter().enumerate() {
            if request.policies.get(at) == Some(policy) {
                push(format!("policies/{at}"), &|request| drop(request.policies.remove(at)));
            }
        }
        for (key, value) in &self.file.parameters {
            if request.parameters.get(key) == Some(value) {
                push(format!("parameters/{key}"), &|request| drop(request.parameters.remove(key)));
            }
        }
        changed
    }
}

/// Returns whether an error says that there is no such program, or that it cannot be loaded.
fn is_of_program(error: &Error, request: &Request) -> bool {
    let is_unknown = || {
        let found = program::find(&request.program, request.ranks, &Parameters::new());
        found.err().is_some_and(|missing| missing.to_string() == error.to_string())
    };
    matches!(error, Error::BadProgram { .. })
        || matches!(error, Error::BadFile { path, .. } if *path == request.program)
        || matches!(error, Error::UnknownName { .. }) && is_unknown()
}
