//! [`CommandLine`]: the command line with the user's own program, topologies and network models.

use std::{env, ffi::OsString, process::ExitCode};

use clap::Parser;
use guest::wrapper::Language;
use mpi_api::{api::topology::SimpleCommunicator, run::Program};
use network_models::{Catalog, CatalogError, ModelKind, TopologyKind};
use scenarios::{error::Error, options::RankCount};

use crate::{
    args::{Cli, Command},
    command::{
        self,
        program::{Own, OwnProgram},
    },
    diagnostic, execution, output,
    testing::over_world,
};

/// The command line of Windtunnel with your own parts added.
///
/// The commands `run`, `check`, `compare`, `tune` and `mpiexec` accept the names of these parts, besides
/// the standard ones, in `--topology`, `--network`, scenario files and machine files; `list` shows
/// them.
///
/// ```no_run
/// use windtunnel::{
///     CommandLine,
///     mpi::traits::*,
///     network::{BadSizes, Plan, Shape, Sizes, TopologyDescription, TopologyKind},
/// };
///
/// /// Nodes that are all joined to each other.
/// #[derive(Debug)]
/// struct Clique;
///
/// impl TopologyKind for Clique {
///     fn description(&self) -> TopologyDescription {
///         TopologyDescription {
///             name: "clique",
///             syntax: "clique[:NODES]",
///             sizes: "NODES",
///             summary: "a cable between any two nodes",
///         }
///     }
///
///     fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
///         let nodes = sizes.one()?.unwrap_or(needed);
///         Ok(Plan::new(nodes, nodes.into(), move || Graph(nodes)))
///     }
/// }
///
/// #[derive(Debug)]
/// struct Graph(u32);
///
/// impl Shape for Graph {
///     fn nodes(&self) -> u32 {
///         self.0
///     }
///
///     fn neighbours(&self, vertex: u32) -> Vec<u32> {
///         (0..self.0).filter(|other| *other != vertex).collect()
///     }
///
///     fn next_hop(&self, _: u32, target: u32) -> u32 {
///         target
///     }
/// }
///
/// fn main() -> std::process::ExitCode {
///     CommandLine::new().program("hello", |world| world.barrier()).topology(Clique).main()
/// }
/// ```
#[derive(Default)]
#[must_use = "nothing happens before `main` is called"]
pub struct CommandLine {
    own: Own,
    error: Option<CatalogError>,
}

impl CommandLine {
    /// Creates a command line with the standard parts only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a program called `name`, which also runs if the command line names none. Every rank
    /// calls `program` with the communicator of all ranks (`MPI_COMM_WORLD`). A second program
    /// replaces the first.
    ///
    /// The function may not share state between ranks: each is a process of its own in the model.
    pub fn program(
        self,
        name: &str,
        program: impl Fn(&SimpleCommunicator) + Send + Sync + 'static,
    ) -> Self {
        self.program_of(name, over_world(program))
    }

    /// Like [`CommandLine::program`], for a program that calls [`initialize`] itself.
    ///
    /// [`initialize`]: crate::mpi::initialize
    pub fn program_of(mut self, name: &str, program: Program) -> Self {
        self.own.program = Some(OwnProgram { name: name.into(), program });
        self
    }

    /// Adds a topology. [`CommandLine::main`] rejects a name that is already taken.
    pub fn topology(self, kind: impl TopologyKind + 'static) -> Self {
        self.add(|catalog| catalog.add_topology(kind))
    }

    /// Adds a network model. [`CommandLine::main`] rejects a name that is already taken.
    pub fn network(self, kind: impl ModelKind + 'static) -> Self {
        self.add(|catalog| catalog.add_model(kind))
    }

    fn add(mut self, add: impl FnOnce(&mut Catalog) -> Result<(), CatalogError>) -> Self {
        let added = add(&mut self.own.catalog);
        self.error = self.error.or(added.err());
        self
    }

    /// Runs the command line of this process. Exit codes: 0 no findings, 1 findings, 2 bad input.
    pub fn main(self) -> ExitCode {
        if let Some(error) = self.error {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
        start(&self.own)
    }
}

/// Runs the command line of this process. Exit codes: 0 no findings, 1 findings, 2 bad input.
pub fn main() -> ExitCode {
    CommandLine::new().main()
}

/// Runs the command line of this process with one more program; see [`CommandLine::program`].
pub fn main_with(
    name: &str,
    program: impl Fn(&SimpleCommunicator) + Send + Sync + 'static,
) -> ExitCode {
    CommandLine::new().program(name, program).main()
}

/// Like [`main_with`], for a program that calls [`initialize`](crate::mpi::initialize) itself.
pub fn main_of(name: &str, program: Program) -> ExitCode {
    CommandLine::new().program_of(name, program).main()
}

fn start(own: &Own) -> ExitCode {
    output::end_quietly_when_nobody_reads();
    let cli = match Cli::try_parse_from(words(own.program.is_none())) {
        Ok(cli) => cli,
        Err(told) => {
            let code = if told.use_stderr() { 2 } else { 0 };
            return told.print().map_or_else(|error| output::full(&error), |()| code.into());
        }
    };
    let simulates = simulates(&cli.command);
    if simulates {
        // For programs in Rust; others provide them when they open a file.
        mpi_abi::host_file::provide();
        execution::fix_addresses();
    }
    match perform(cli.command, own) {
        // The memory of the C library may be damaged by a program that ran here.
        Ok(code) if simulates && own.program.is_none() => execution::leave(code),
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {}", diagnostic::printable(&error.to_string()));
            ExitCode::from(2)
        }
    }
}

/// Returns whether a command runs programs in this process or in forks of it.
fn simulates(command: &Command) -> bool {
    match command {
        Command::Run(_)
        | Command::Replay(_)
        | Command::Check(_)
        | Command::Compare(_)
        | Command::Tune(_)
        | Command::Sweep(_)
        | Command::Mpiexec(_)
        | Command::Srun(_) => true,
        Command::Diff(_)
        | Command::Cc(_)
        | Command::Cxx(_)
        | Command::Fc(_)
        | Command::Wrappers { .. }
        | Command::Traffic(_)
        | Command::Calibrate(_)
        | Command::Validate { .. }
        | Command::List { .. }
        | Command::Schema { .. }
        | Command::Machine { .. }
        | Command::Explain { .. }
        | Command::Man { .. } => false,
    }
}

/// Performs a command, and returns its exit code.
fn perform(command: Command, own: &Own) -> Result<u8, Error> {
    match command {
        Command::Run(repeated) => {
            let mut repeated = repeated.with_program();
            let options = &mut repeated.judged.options;
            *options = options.clone().as_libraries();
            command::run(&repeated, own)
        }
        Command::Replay(mut repeated) => {
            let options = &mut repeated.judged.options;
            *options = options.clone().as_libraries();
            command::replay(&repeated, own)
        }
        Command::Check(judged) => command::check(&judged, own),
        Command::Compare(mut grid) => {
            grid.options = grid.options.as_libraries();
            command::compare(&grid, own)
        }
        Command::Tune(mut asked) => {
            asked.options = asked.options.as_libraries();
            command::tune(&asked, own)
        }
        Command::Sweep(asked) => command::sweep(&asked, own),
        Command::Diff(asked) => command::diff(&asked),
        Command::Cc(words) => command::compile(Language::C, &words.words),
        Command::Cxx(words) => command::compile(Language::Cxx, &words.words),
        Command::Fc(words) => command::compile(Language::Fortran, &words.words),
        Command::Mpiexec(words) => command::mpiexec(&words.words, &own.catalog),
        Command::Srun(words) => command::srun(&words.words, &own.catalog),
        Command::Wrappers { folder } => command::wrappers(&folder),
        Command::Traffic(asked) => command::traffic(&asked, &own.catalog),
        Command::Calibrate(asked) => command::calibrate(&asked),
        Command::Validate { json } => command::validate(json),
        Command::List { what, edition, json } => command::list(what, edition.as_deref(), json, own),
        Command::Machine { what } => command::machine(&what, own),
        Command::Schema { name } => command::schema(name.as_deref()),
        Command::Explain { code, json } => command::explain(&code, json),
        Command::Man { completions } => command::man(completions),
    }
}

/// Returns the words of this process's command line. Called by a name such as `mpicc`, the first
/// word is the command that it stands for.
fn words(linked: bool) -> Vec<OsString> {
    let mut words: Vec<OsString> = env::args_os().collect();
    let command = words.first().filter(|_| linked).and_then(|name| command::command_of(name));
    if let Some(command) = command {
        words.insert(1, command.into());
        // The words that follow are the compiler's or the program's, including `--help` and
        // `--version`.
        words.insert(2, "--".into());
    }
    let runs = ["check", "compare", "run"];
    if words.get(1).is_some_and(|word| runs.iter().any(|command| word == command)) {
        // As launchers of MPI write it.
        let own = words.iter_mut().take_while(|word| *word != "--");
        own.filter(|word| *word == "-np").for_each(|word| *word = "-n".into());
    }
    if words.get(1).is_some_and(|word| word == "check") {
        words = with_sizes(words);
    }
    words
}

/// Returns the words of a check in which several numbers of ranks are `--sizes`: `-n` has one. A list that is wrong
/// stays, so that its error names the option that was given.
fn with_sizes(words: Vec<OsString>) -> Vec<OsString> {
    let mut sizes = false;
    let mut over = false;
    let mut told: Vec<OsString> = Vec::with_capacity(words.len());
    for word in words {
        let text = word.to_str().unwrap_or_default();
        over |= text == "--";
        let several = |list: &str| {
            let list = list.trim_start_matches('=');
            list.contains(',') && list.split(',').all(|count| count.parse::<RankCount>().is_ok())
        };
        let attached = ["--ranks=", "-n"].into_iter().find_map(|name| text.strip_prefix(name));
        let names = |last: &OsString| last == "-n" || last == "--ranks";
        if over || sizes {
            told.push(word);
        } else if several(text) && told.last().is_some_and(names) {
            told.pop();
            told.extend(["--sizes".into(), word]);
            sizes = true;
        } else if let Some(list) = attached.filter(|list| several(list)) {
            told.extend(["--sizes".into(), list.trim_start_matches('=').into()]);
            sizes = true;
        } else {
            told.push(word);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_numbers_of_ranks_are_sizes() {
        let read = |line: &str| {
            let told = with_sizes(line.split(' ').map(OsString::from).collect());
            told.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        for line in
            ["w check p -n 2,4", "w check p -n2,4", "w check p --ranks=2,4", "w check p -n=2,4"]
        {
            assert_eq!(read(line), "w check p --sizes 2,4");
        }
        for line in [
            "w check p -n 4",
            "w check p -- -n 2,4",
            "w check a,b",
            "w check p -n 2,",
            "w check p -n2,0",
        ] {
            assert_eq!(read(line), line);
        }
    }
}
