//! The program of a command line: a built-in one, a scenario file, a compiled file or the user's
//! own.

use std::{path::Path, sync::Arc};

use mpi_abi::launch::{Compiled, Output};
use mpi_api::run::Program;
use network_models::Catalog;
use replay::Trace;
use scenarios::{
    computing::Clocks,
    error::Error,
    json,
    options::{self, Data},
    program::needs_sizes_only,
    scenario::{Request, Scenario},
};
use sim_core::words::counted;

use super::{origin::Origin, trace_file};
use crate::args::Options;

/// Parts that the user's own `main` adds to the command line.
#[derive(Default)]
pub(crate) struct Own {
    /// Program that runs if the command line names none.
    pub(crate) program: Option<OwnProgram>,
    /// Topologies and network models, including the standard ones.
    pub(crate) catalog: Catalog,
}

/// A program that is linked into this executable.
pub(crate) struct OwnProgram {
    pub(crate) name: String,
    pub(crate) program: Program,
}

/// A program and the request for its runs.
pub(super) struct Job {
    /// Everything the request says except the program itself.
    pub(super) request: Request,
    source: Source,
    /// The file in which the request stands, if there is one.
    origin: Option<Origin>,
}

enum Source {
    BuiltIn,
    Own(Program),
    Compiled,
    Trace(Trace),
}

impl Job {
    /// Reads the job from the options of a command.
    ///
    /// # Errors
    /// Returns an error if no program is named, or its scenario file is invalid.
    pub(super) fn read(options: &Options, own: &Own) -> Result<Self, Error> {
        let name = match (&options.program, &own.program) {
            (Some(name), _) => name.clone(),
            (None, Some(own)) => own.name.clone(),
            (None, None) => return Err(Error::NoProgram),
        };
        let is_scenario = json::is_file_name(&name);
        let file = is_scenario.then(|| options::Options::load(&name)).transpose()?;
        let ranks_given =
            options.asked.ranks.is_some() || file.as_ref().is_some_and(|file| file.ranks.is_some());
        let data_given =
            options.asked.data.is_some() || file.as_ref().is_some_and(|file| file.data.is_some());
        let origin = file.clone().map(|file| {
            let without = options.request(file.program.as_deref().unwrap_or(&name), None);
            Origin::new(&name, "", file, without)
        });
        let mut request = options.request(&name, file);
        request.catalog = own.catalog.clone();
        let opened = |request: &Request| trace_file::open(&request.program, &request.parameters);
        let trace = opened(&request).map_err(|error| match &origin {
            Some(origin) => {
                origin.located(error, (&request, &request), |request| opened(&request).map(drop))
            }
            None => error,
        })?;
        if let Some(trace) = trace.as_ref().filter(|_| !ranks_given) {
            request.ranks = trace.ranks;
        }
        let program = &request.program;
        let source = match (&own.program, trace) {
            (Some(own), _) if own.name == *program => Source::Own(Arc::clone(&own.program)),
            (_, Some(trace)) => Source::Trace(trace),
            _ if program.contains('/') || Path::new(program).is_file() => Source::Compiled,
            _ => Source::BuiltIn,
        };
        if matches!(source, Source::BuiltIn) && !data_given && needs_sizes_only(&request.program) {
            request.data = Data::UpTo(Data::NONE);
        }
        let no_arguments = match source {
            Source::BuiltIn => Some("a built-in program takes parameters, -p key=value"),
            Source::Trace(_) => Some("a recording or trace makes the calls that it holds"),
            Source::Own(_) | Source::Compiled => None,
        };
        if let (Some(why), Some(word)) = (no_arguments, request.arguments.first()) {
            let error = Error::BadValue {
                what: "an argument".into(),
                value: word.clone(),
                allowed: format!("nothing: {why}"),
            };
            let of_file = origin.filter(|_| options.arguments.is_empty());
            return Err(match of_file {
                Some(origin) => origin.placed("arguments", error),
                None => error,
            });
        }
        if let (Source::BuiltIn, Some(ranks)) = (&source, conformance::ranks_of(program))
            && !ranks.contains(&request.ranks)
        {
            let list: Vec<String> = ranks.iter().map(u32::to_string).collect();
            eprintln!(
                "note: {program} is written for {} ranks: on {} it may do something else",
                list.join(", "),
                counted(request.ranks.into(), "rank")
            );
        }
        Ok(Self { request, source, origin })
    }

    /// Returns this job, whose request stands at a JSON pointer of a file.
    #[must_use]
    pub(super) fn of_file(self, origin: Origin) -> Self {
        Self { origin: Some(origin), ..self }
    }

    /// Returns an error of a request with the place in the file of the setting that it is about, if there is one.
    pub(super) fn located(&self, request: &Request, error: Error) -> Error {
        let Some(origin) = &self.origin else { return error };
        let resolve = |request| self.scenario(request, Output::Discard).map(drop);
        origin.located(error, (request, &self.request), resolve)
    }

    /// Returns the scenario of this job, checked and resolved.
    ///
    /// # Errors
    /// Returns an error if the input is bad, with its place if it stands in a file.
    pub(super) fn resolved(&self, output: Output) -> Result<Scenario, Error> {
        let scenario = self.scenario(self.request.clone(), output);
        scenario.map_err(|error| self.located(&self.request, error))
    }

    /// Returns whether the program is not a built-in one, so that it may read input and write
    /// files.
    pub(super) fn is_foreign(&self) -> bool {
        match self.source {
            Source::BuiltIn | Source::Trace(_) => false,
            Source::Own(_) | Source::Compiled => true,
        }
    }

    /// Returns whether the program is a file that a compiler has made.
    pub(super) fn is_compiled(&self) -> bool {
        match self.source {
            Source::BuiltIn | Source::Trace(_) | Source::Own(_) => false,
            Source::Compiled => true,
        }
    }

    /// Returns the scenario of this job with another request, checked and resolved.
    ///
    /// # Errors
    /// Returns an error if the input is bad.
    pub(super) fn scenario(&self, request: Request, output: Output) -> Result<Scenario, Error> {
        let built_in = matches!(self.source, Source::BuiltIn);
        if built_in && request.clocks == Clocks::Host {
            return Err(Error::BadValue {
                what: "the clocks".into(),
                value: request.clocks.word().into(),
                allowed: "simulated: a built-in program reads no clocks".into(),
            });
        }
        match &self.source {
            Source::BuiltIn => match conformance::resolve(&request)? {
                Some(scenario) => Ok(scenario),
                None => request.resolve(),
            },
            Source::Own(program) => {
                without_parameters(&request, "it takes none")?;
                request.resolve_program(Arc::clone(program))
            }
            Source::Trace(trace) => {
                trace_file::suits(trace, &request)?;
                let scenario = request.resolve_program(Arc::clone(&trace.program))?;
                // A message is a send and a receive, most of which are calls.
                Ok(scenario.with_messages(trace.calls / 2))
            }
            Source::Compiled => {
                without_parameters(&request, "a compiled program takes arguments, after --")?;
                let path = Path::new(&request.program).to_path_buf();
                let host_clocks = request.clocks == Clocks::Host;
                let mut compiled = Compiled::new(output).with_host_clocks(host_clocks);
                let added = compiled.add(&path, &request.arguments, request.ranks);
                added.map_err(|error| load(&error))?;
                request.resolve_program(Arc::new(compiled))
            }
        }
    }
}

/// Refuses parameters for a program that takes none.
fn without_parameters(request: &Request, why: &str) -> Result<(), Error> {
    let Some(key) = request.parameters.keys().next() else { return Ok(()) };
    Err(Error::BadValue {
        what: "a parameter".into(),
        value: key.clone(),
        allowed: format!("nothing for {}: {why}", request.program),
    })
}

/// Converts the error of a program that cannot be loaded to bad input.
pub(super) fn load(error: &guest::loader::LoadError) -> Error {
    Error::BadProgram { reason: error.to_string() }
}
