//! Which program is meant: a built-in one, a scenario file, a compiled file or the user's own.

use std::{path::Path, sync::Arc};

use mpi_abi::launch::{Compiled, Output};
use mpi_api::run::Program;
use network_models::Catalog;
use scenarios::{
    computing::Clocks,
    conformance,
    error::Error,
    file::ScenarioFile,
    scenario::{Request, Scenario},
};

use crate::args::Options;

/// What a command line has beside the parts that come with Windtunnel.
#[derive(Default)]
pub(crate) struct Own {
    /// The program that is meant when none is named.
    pub(crate) program: Option<OwnProgram>,
    /// Topologies and network models, the standard ones included.
    pub(crate) catalog: Catalog,
}

/// The program that a command line was built around.
pub(crate) struct OwnProgram {
    pub(crate) name: String,
    pub(crate) program: Program,
}

/// A program and what is asked of it.
pub(super) struct Job {
    /// Everything but the program itself.
    pub(super) request: Request,
    source: Source,
}

enum Source {
    BuiltIn,
    Own(Program),
    Compiled(Vec<String>),
}

impl Job {
    /// The job of a command's options.
    ///
    /// # Errors
    /// If no program is named, or its scenario file is wrong.
    pub(super) fn read(options: &Options, own: &Own) -> Result<Self, Error> {
        let name = match (&options.program, &own.program) {
            (Some(name), _) => name.clone(),
            (None, Some(own)) => own.name.clone(),
            (None, None) => return Err(Error::NoProgram),
        };
        let is_scenario = name.ends_with(".json");
        let file = is_scenario.then(|| ScenarioFile::load(&name)).transpose()?;
        let mut request = options.request(&name, file);
        request.catalog = own.catalog.clone();
        let program = &request.program;
        let source = match &own.program {
            Some(own) if own.name == *program => Source::Own(Arc::clone(&own.program)),
            _ if program.contains('/') || Path::new(program).is_file() => {
                Source::Compiled(options.arguments.clone())
            }
            _ => Source::BuiltIn,
        };
        if let (Source::BuiltIn, Some(word)) = (&source, options.arguments.first()) {
            return Err(Error::BadValue {
                what: "an argument".into(),
                value: word.clone(),
                allowed: "nothing: a built-in program takes parameters, -p key=value".into(),
            });
        }
        if let (Source::BuiltIn, Some(ranks)) = (&source, conformance::ranks_of(program))
            && !ranks.contains(&request.ranks)
        {
            let list: Vec<String> = ranks.iter().map(u32::to_string).collect();
            eprintln!(
                "note: {program} is written for {} ranks: on {} it may do something else",
                list.join(", "),
                request.ranks
            );
        }
        Ok(Self { request, source })
    }

    /// Whether the program is not one of ours: it may read input and write files.
    pub(super) fn is_foreign(&self) -> bool {
        match self.source {
            Source::BuiltIn => false,
            Source::Own(_) | Source::Compiled(_) => true,
        }
    }

    /// The job with another request, checked and resolved.
    ///
    /// # Errors
    /// If the input is bad.
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
            Source::BuiltIn => request.resolve(),
            Source::Own(program) => {
                without_parameters(&request, "it takes none")?;
                request.resolve_program(Arc::clone(program))
            }
            Source::Compiled(arguments) => {
                without_parameters(&request, "a compiled program takes arguments, after --")?;
                let path = Path::new(&request.program).to_path_buf();
                let host_clocks = request.clocks == Clocks::Host;
                let mut compiled = Compiled::new(output).with_host_clocks(host_clocks);
                let added = compiled.add(&path, arguments, request.ranks);
                added.map_err(|error| load(&error))?;
                request.resolve_program(Arc::new(compiled))
            }
        }
    }
}

/// Refuses parameters where the program has none.
fn without_parameters(request: &Request, why: &str) -> Result<(), Error> {
    let Some(key) = request.parameters.keys().next() else { return Ok(()) };
    Err(Error::BadValue {
        what: "a parameter".into(),
        value: key.clone(),
        allowed: format!("nothing for {}: {why}", request.program),
    })
}

/// The scenario of a command's options.
///
/// # Errors
/// If the input is bad.
pub(super) fn resolve(options: &Options, own: &Own, output: Output) -> Result<Scenario, Error> {
    let job = Job::read(options, own)?;
    job.scenario(job.request.clone(), output)
}

/// A program that cannot be loaded, as bad input.
pub(super) fn load(error: &mpi_abi::loader::LoadError) -> Error {
    Error::BadProgram { reason: error.to_string() }
}
