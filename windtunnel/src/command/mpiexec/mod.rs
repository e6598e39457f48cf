//! `windtunnel mpiexec`: the launcher of MPI section 11.5, on a simulated machine.

mod soft;
mod words;

use std::{
    collections::VecDeque,
    env,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Parser;
use mpi_abi::launch::{Compiled, Origin, Output};
use mpi_api::outcome::Ending;
use scenarios::{computing::Clocks, error::Error};

use crate::{
    args::{Cli, Command, Options},
    command::{
        program::load,
        run::{Files, caution},
    },
    diagnostic,
};

/// One program of the command line.
#[derive(Debug, Default)]
struct Piece {
    ranks: u32,
    program: Option<PathBuf>,
    arguments: Vec<String>,
    folders: Vec<PathBuf>,
    /// Numbers of ranks that are allowed, of those up to `ranks`.
    soft: Option<String>,
    origin: Origin,
}

/// All of the command line.
#[derive(Debug, Default)]
struct Request {
    pieces: Vec<Piece>,
    label: bool,
    /// Options of `windtunnel run`, such as the machine.
    simulation: Vec<String>,
}

/// Runs the programs; the exit code is that of a rank that did not end well, or 1 where none has
/// chosen one.
///
/// # Errors
/// If the command line is wrong or a program cannot be loaded.
pub(crate) fn mpiexec(words: &[OsString]) -> Result<u8, Error> {
    let words = words.iter().map(|word| word.to_string_lossy().into_owned());
    let request = read(words.collect())?;
    let mut ranks = 0;
    for piece in &request.pieces {
        ranks += count(piece)?;
    }
    let options = options(&request.simulation, ranks)?;
    let simulated = options.request("mpiexec", None);
    let output = if request.label { Output::Label } else { Output::Print };
    let host_clocks = simulated.clocks == Clocks::Host;
    let mut compiled = Compiled::new(output).with_host_clocks(host_clocks);
    for piece in &request.pieces {
        let path = locate(piece)?;
        compiled
            .add(&path, &piece.arguments, count(piece)?)
            .map_err(|error| load(&path, &error))?;
        compiled.started_as(piece.origin.clone());
    }
    let scenario = simulated.resolve_program(Arc::new(compiled))?;
    let files = Files::claim(&options, &scenario)?;
    let finished = files.run(&scenario)?;
    let result = &finished.result;
    for finding in &result.findings {
        eprintln!("{}\n", diagnostic::render(finding));
    }
    caution(&scenario.request);
    let failed = result.ending != Ending::Completed;
    let own = result.exit_code.map_or(0, |code| code as u8);
    files.write(&scenario, finished)?;
    Ok(if own > 0 { own } else { u8::from(failed) })
}

/// The options of `windtunnel run` among ours, as it reads them.
fn options(words: &[String], ranks: u32) -> Result<Options, Error> {
    let mut command: Vec<String> = ["windtunnel", "run", "mpiexec", "-n"].map(Into::into).into();
    command.push(ranks.to_string());
    command.extend_from_slice(words);
    match Cli::try_parse_from(&command) {
        Ok(Cli { command: Command::Run(options) }) => Ok(options),
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

/// How many ranks a program gets.
fn count(piece: &Piece) -> Result<u32, Error> {
    let Some(soft) = &piece.soft else { return Ok(piece.ranks) };
    soft::largest(soft, piece.ranks).ok_or_else(|| {
        let allowed = "a list of a, a:b and a:b:c that holds a number from 1 to that of -n";
        wrong(soft, allowed)
    })
}

/// Takes the words apart.
fn read(mut words: VecDeque<String>) -> Result<Request, Error> {
    let mut request = Request::default();
    let mut piece = Piece { ranks: 1, ..Piece::default() };
    while let Some(word) = words.pop_front() {
        let mut value = || {
            let given = words.pop_front();
            given.ok_or_else(|| wrong(&word, "followed by its value"))
        };
        match word.trim_start_matches('-') {
            _ if word == ":" => {
                request.pieces.push(std::mem::take(&mut piece));
                piece.ranks = 1;
            }
            _ if !word.starts_with('-') => {
                piece.program = Some(word.into());
                while words.front().is_some_and(|next| next != ":") {
                    piece.arguments.extend(words.pop_front());
                }
            }
            "n" | "np" => {
                let given = value()?;
                let ranks = given.parse().ok().filter(|ranks| (1..=1 << 22).contains(ranks));
                piece.ranks =
                    ranks.ok_or_else(|| wrong(&given, "a number of ranks, 1 to 4194304"))?;
            }
            "wdir" | "wd" => change_folder(&value()?)?,
            "path" => piece.folders.extend(value()?.split(':').map(PathBuf::from)),
            "configfile" => {
                let path = value()?;
                let text = fs::read_to_string(&path)
                    .map_err(|error| Error::BadFile { path, reason: error.to_string() })?;
                for word in words::of(&text).into_iter().rev() {
                    words.push_front(word);
                }
            }
            "env" | "genv" => {
                let (name, text) = (value()?, value()?);
                set_variable(&name, &text);
            }
            "soft" => piece.soft = Some(value()?),
            "host" => piece.origin.host = Some(value()?),
            "arch" => piece.origin.arch = Some(value()?),
            "file" => piece.origin.file = Some(value()?),
            "hosts" | "initial-errhandler" => drop(value()?),
            "l" | "label" | "prepend-rank" => request.label = true,
            "asp" => request.simulation.extend(["--ranks-per-process".into(), value()?]),
            "machine" | "topology" | "network" | "placement" | "buffering" | "eager-limit"
            | "collectives" | "seed" | "ranks-per-node" | "max-events" | "policy" | "compute"
            | "clocks" | "max-time" | "trace" | "report" => {
                request.simulation.push(format!("--{}", word.trim_start_matches('-')));
                request.simulation.push(value()?);
            }
            _ => return Err(wrong(&word, "-n, -wdir, -path, -env, -configfile, -label, -machine")),
        }
    }
    request.pieces.push(piece);
    Ok(request)
}

fn change_folder(folder: &str) -> Result<(), Error> {
    env::set_current_dir(folder)
        .map_err(|error| Error::BadFile { path: folder.into(), reason: error.to_string() })
}

#[allow(unsafe_code, reason = "the environment of programs is this process's")]
fn set_variable(name: &str, text: &str) {
    // SAFETY: no other thread has been started yet.
    unsafe { env::set_var(name, text) };
}

/// The program's file: as written, or on the search path.
fn locate(piece: &Piece) -> Result<PathBuf, Error> {
    let Some(program) = &piece.program else {
        return Err(wrong("", "the name of a program"));
    };
    let search = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&search).map(|folder| folder.join(program));
    let named = piece.folders.iter().map(|folder| folder.join(program));
    let plain = [PathBuf::from(program)].into_iter();
    let has_folder = program.components().count() > 1 || Path::new(program).is_file();
    let found = if has_folder {
        named.chain(plain).find(|path| path.is_file())
    } else {
        named.chain(on_path).find(|path| path.is_file())
    };
    found.ok_or_else(|| Error::BadFile {
        path: program.display().to_string(),
        reason: "there is no such program".into(),
    })
}
