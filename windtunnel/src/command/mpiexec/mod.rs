//! The command `windtunnel mpiexec`: the launcher of MPI section 11.5, on a simulated machine.

mod foreign;
mod passed_on;
mod request;
mod srun;
mod words;

use std::{
    collections::VecDeque,
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::{CommandFactory, Parser};
use mpi_abi::launch::{Compiled, Origin, Output, OutputFiles, Pattern};
use mpi_api::{
    finding::{Finding, Severity},
    spawn::Soft,
};
use network_models::Catalog;
use scenarios::{computing::Clocks, error::Error};

use self::request::{Piece, Question, Request, help, read};
use crate::{
    args::{self, Cli, Command},
    command::{
        described::{caution, warn_of_overload},
        program::load,
        recording::RecordedRun,
        run::Files,
    },
    diagnostic,
    execution::{bound, unbound},
    output::Claim,
};

/// Runs the programs. The exit code is that of a rank that ended abnormally, or 1 if no rank has
/// chosen one.
///
/// # Errors
/// Returns an error if the command line is wrong or a program cannot be loaded.
pub(crate) fn mpiexec(words: &[OsString], catalog: &Catalog) -> Result<u8, Error> {
    answer(read(texts(words))?, help, catalog)
}

/// Like [`mpiexec`], with the options of Slurm's `srun`.
///
/// # Errors
/// The same as [`mpiexec`].
pub(crate) fn srun(words: &[OsString], catalog: &Catalog) -> Result<u8, Error> {
    let (words, ignored) = srun::read(texts(words))?;
    let mut request = read(words.into())?;
    request.ignored.extend(ignored);
    answer(request, srun::help, catalog)
}

fn texts(words: &[OsString]) -> VecDeque<String> {
    words.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

fn answer(request: Request, help: fn() -> String, catalog: &Catalog) -> Result<u8, Error> {
    match request.question {
        Some(Question::Help) => print!("{}", help()),
        Some(Question::Version) => println!("{}", Cli::command().render_version().trim_end()),
        None => return start(request, catalog),
    }
    Ok(0)
}

fn start(request: Request, catalog: &Catalog) -> Result<u8, Error> {
    let mut ranks = 0;
    for piece in &request.pieces {
        ranks += count(piece)?;
    }
    if let Some(note) = foreign::note(&request.ignored) {
        eprintln!("{}", diagnostic::printable(&note));
    }
    let args::Judged { options, acceptance, schedule: _ } = options(&request.simulation, ranks)?;
    let gate = acceptance.open(Severity::Error)?;
    let mut simulated = options.request("mpiexec", None);
    simulated.catalog = catalog.clone();
    let output = if request.label { Output::Label } else { Output::Print };
    let host_clocks = simulated.clocks == Clocks::Host;
    let mut shared: Vec<_> =
        request.patterns.iter().flatten().filter_map(Pattern::common).collect();
    shared.dedup();
    let _claims = shared.iter().map(|path| Claim::of(path)).collect::<Result<Vec<_>, _>>()?;
    let [out, err] = request.patterns;
    let files = OutputFiles::new(out, err);
    let mut compiled = Compiled::new(output).with_host_clocks(host_clocks).with_output_files(files);
    for piece in request.pieces {
        let folder = folder(&piece)?;
        let path = locate(&piece, folder.as_deref())?;
        let ranks = count(&piece)?;
        compiled.add(&path, &piece.arguments, ranks).map_err(|error| load(&error))?;
        compiled.started_as(Origin { folder, ..piece.origin });
    }
    let scenario = simulated.resolve_program(Arc::new(compiled))?;
    warn_of_overload(&scenario);
    let files = Files::claim(&options, &scenario)?;
    let (recorded, scenario) = RecordedRun::begin(&options, scenario)?;
    bound(&options);
    let finished = files.run(&scenario);
    unbound();
    let finished = finished?;
    let result = &finished.result;
    let judged = gate.judge(&result.findings)?;
    let code = judged.exit_code_of(result, acceptance.decides());
    // Only errors by default: output of the program must stay as it is under other launchers.
    let told = |finding: &Finding| request.warnings || finding.severity == Severity::Error;
    for finding in judged.findings().filter(told) {
        // A run that completed successfully contained no error.
        let finding = if code == 0 { finding.at_most(Severity::Warning) } else { finding };
        eprintln!("{}\n", diagnostic::render(&finding));
    }
    if let Some(note) = diagnostic::without_lines(&result.findings).filter(|_| code > 0) {
        eprintln!("{note}");
    }
    caution(&scenario.request);
    // What can be written is written before it is told that the run could not be recorded.
    let recorded = recorded.map_or(Ok(()), |recorded| recorded.end(&scenario, result));
    files.write(&scenario, finished)?;
    recorded?;
    Ok(code)
}

/// Parses the words that are options of `windtunnel run`.
fn options(words: &[String], ranks: u32) -> Result<args::Judged, Error> {
    let mut command: Vec<String> = ["windtunnel", "run", "mpiexec", "-n"].map(Into::into).into();
    command.push(ranks.to_string());
    command.extend_from_slice(words);
    match Cli::try_parse_from(&command) {
        Ok(Cli {
            command: Command::Run(args::Repeated { judged, repeat, profile, what_if, gdb }),
        }) => {
            let given = [
                ("--repeat", repeat.is_some()),
                ("--profile", profile.is_some()),
                ("--what-if", !what_if.is_empty()),
                ("--gdb", gdb.is_some()),
                ("--schedule", judged.schedule.is_some()),
            ];
            match given.into_iter().find(|(_, given)| *given) {
                None => Ok(args::Judged { options: judged.options.as_libraries(), ..judged }),
                Some((name, _)) => {
                    let allowed = "given to `windtunnel run`: a launcher runs a program once";
                    Err(wrong(name, allowed))
                }
            }
        }
        Ok(_) => Err(wrong(&words.join(" "), "options of `windtunnel run`")),
        Err(error) => {
            let text = error.render().to_string();
            let reason = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            Err(wrong(&words.join(" "), &format!("options of `windtunnel run` ({reason})")))
        }
    }
}

fn wrong(value: &str, allowed: &str) -> Error {
    Error::BadValue {
        what: "mpiexec: the word".into(),
        value: value.into(),
        allowed: allowed.into(),
    }
}

/// Returns the number of ranks of one program.
fn count(piece: &Piece) -> Result<u32, Error> {
    let Some(soft) = &piece.soft else { return Ok(piece.ranks) };
    Soft::parse(soft).and_then(|soft| soft.largest(piece.ranks)).ok_or_else(|| {
        let allowed = "a list of a, a:b and a:b:c that holds a number from 1 to that of -n";
        wrong(soft, allowed)
    })
}

/// Returns the working folder of a program's ranks as an absolute path, or `None` if it is the
/// current one.
fn folder(piece: &Piece) -> Result<Option<PathBuf>, Error> {
    let Some(folder) = &piece.origin.folder else { return Ok(None) };
    let bad = |reason: String| Error::BadFile { path: folder.display().to_string(), reason };
    let real = folder.canonicalize().map_err(|error| bad(error.to_string()))?;
    if !real.is_dir() {
        return Err(bad("ranks cannot work there: it is no folder".into()));
    }
    Ok(Some(real))
}

/// Finds the program's file: as written, in the working folder of its ranks or in the current one,
/// or on a search path.
fn locate(piece: &Piece, folder: Option<&Path>) -> Result<PathBuf, Error> {
    let Some(program) = &piece.program else {
        let allowed = "options and then the name of a program, as in `-n 4 ./solver`";
        return Err(match &piece.count {
            Some(count) => wrong(count, allowed),
            None => Error::BadFile {
                path: "mpiexec".into(),
                reason: format!("no program is named; allowed is {allowed}"),
            },
        });
    };
    let search = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&search).map(|folder| folder.join(program));
    let named = piece.folders.iter().map(|folder| folder.join(program));
    let there = folder.map(|folder| folder.join(program)).into_iter();
    let here = [PathBuf::from(program)];
    let has_folder = program.components().count() > 1 || Path::new(program).exists();
    let found = if has_folder {
        named.chain(there).chain(here).find(|path| path.exists())
    } else {
        named.chain(there).chain(on_path).find(|path| path.is_file())
    };
    let found = found.ok_or_else(|| Error::BadFile {
        path: program.display().to_string(),
        reason: "there is no such program".into(),
    })?;
    // A relative path would be wrong in the working folder of the ranks.
    Ok(if folder.is_some() { found.canonicalize().unwrap_or(found) } else { found })
}
