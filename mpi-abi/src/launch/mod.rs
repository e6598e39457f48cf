//! A compiled program as something that can be simulated.

mod console;

use std::{
    cell::RefCell,
    io,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, LazyLock},
};

use mpi_api::{
    call::Site,
    finding::{CallSite, Code, Finding, Leak, Leaks},
    outcome::{Ending as RunEnding, RunResult},
    raw::Raw,
    run::Body,
};
use sim_core::Limits;

use self::console::Console;
use crate::{
    function,
    libc::{
        Ending,
        surroundings::{self, Variables},
    },
    loader::{Exports, Images, LoadError, Program},
    site,
    state::{Stage, State},
    watch,
};

/// The C header that programs include.
pub const HEADER: &str = include_str!("../../include/mpi.h");

/// What becomes of the output of the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Nobody sees it.
    Discard,
    /// It is printed as it comes.
    Print,
    /// It is printed, each line after the number of its rank.
    Label,
}

/// Compiled programs with their arguments: what the ranks of a simulation run.
pub struct Compiled {
    /// The programs in order of ranks; the last has all ranks that are left.
    pieces: Vec<Piece>,
    output: Output,
    host_clocks: bool,
}

/// One program of several, with its arguments and number of ranks.
struct Piece {
    program: Arc<Program>,
    arguments: Vec<String>,
    ranks: u32,
    origin: Origin,
}

/// What the launcher was told of where a program is to run; programs can ask for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The host.
    pub host: Option<String>,
    /// The architecture.
    pub arch: Option<String>,
    /// The file with more.
    pub file: Option<String>,
    /// The folder it works in, if not that of the simulator.
    pub folder: Option<PathBuf>,
    /// Environment variables that differ from the simulator's; `None` takes one away.
    pub variables: Vec<(String, Option<String>)>,
}

/// One program of the run, as its ranks see it.
#[derive(Clone)]
pub(crate) struct Start {
    /// Position among the programs.
    pub(crate) number: i32,
    pub(crate) command: String,
    pub(crate) origin: Origin,
}

/// The run on this thread.
struct Run {
    /// Images of each piece.
    images: Vec<Rc<Images>>,
    ranks: Vec<Rank>,
    /// The programs, each with the number of the rank after its last.
    starts: Vec<(u32, Start)>,
    /// Variables of each piece that has its own.
    variables: Vec<Option<Rc<RefCell<Variables>>>>,
}

/// One rank of it.
#[derive(Default)]
struct Rank {
    ending: Option<Ending>,
    stage: Option<Stage>,
    /// Operations owned its memory at times.
    owns: bool,
    /// A session was not ended.
    in_session: bool,
    /// Objects that were not given back.
    kept: Vec<(&'static str, Site)>,
}

thread_local! {
    static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

fn exports() -> io::Result<Arc<Exports>> {
    static EXPORTS: LazyLock<io::Result<Arc<Exports>>> =
        LazyLock::new(|| Exports::new(&function::exports()).map(Arc::new));
    match &*EXPORTS {
        Ok(exports) => Ok(Arc::clone(exports)),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

/// Names of all functions that programs may call, `PMPI_` names too.
///
/// # Errors
/// If the system refuses executable memory.
pub fn function_names() -> io::Result<Vec<String>> {
    Ok(exports()?.names().map(str::to_string).collect())
}

/// The program that a rank of the run on this thread runs.
pub(crate) fn start_of(rank: u32) -> Option<Start> {
    RUN.with_borrow(|run| {
        let starts = &run.as_ref()?.starts;
        let found = starts.iter().find(|(end, _)| rank < *end).or(starts.last());
        found.map(|(_, start)| start.clone())
    })
}

impl Compiled {
    /// A simulation without programs yet.
    pub fn new(output: Output) -> Self {
        Self { pieces: Vec::new(), output, host_clocks: false }
    }

    /// Gives the programs the clocks of the host instead of simulated time, sleeping included.
    /// `MPI_Wtime` tells simulated time all the same.
    pub fn with_host_clocks(mut self, host_clocks: bool) -> Self {
        self.host_clocks = host_clocks;
        self
    }

    /// Loads a program for the next `ranks` ranks; `arguments` are those after its name.
    ///
    /// # Errors
    /// If the file cannot be simulated; the error says why.
    pub fn add(&mut self, path: &Path, arguments: &[String], ranks: u32) -> Result<(), LoadError> {
        let exports = exports().map_err(|source| LoadError::Memory { ranks, bytes: 0, source })?;
        let program = Arc::new(Program::open(path, &exports)?);
        let mut words = vec![path.display().to_string()];
        words.extend_from_slice(arguments);
        self.pieces.push(Piece { program, arguments: words, ranks, origin: Origin::default() });
        Ok(())
    }

    /// What the launcher was told of the program added last.
    pub fn started_as(&mut self, origin: Origin) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.origin = origin;
        }
    }

    fn starts(&self) -> Vec<(u32, Start)> {
        let mut end = 0;
        let numbered = (0..).zip(&self.pieces);
        numbered
            .map(|(number, piece)| {
                end += piece.ranks;
                let command = piece.arguments[0].clone();
                (end, Start { number, command, origin: piece.origin.clone() })
            })
            .collect()
    }

    /// Environment and folder as a rank of a piece finds them.
    fn enter_surroundings(&self, piece: usize) -> io::Result<()> {
        let own = RUN.with_borrow(|run| Some(run.as_ref()?.variables[piece].clone()));
        let Some(variables) = own else { return Ok(()) };
        let mut variables = variables.as_ref().map(|variables| variables.borrow_mut());
        let folder = self.pieces[piece].origin.folder.as_deref();
        surroundings::enter(variables.as_deref_mut(), folder)
    }

    /// Which program a rank runs.
    fn piece_of(&self, rank: u32) -> usize {
        let mut first = 0;
        let found = self.pieces.iter().position(|piece| {
            first += piece.ranks;
            rank < first
        });
        found.unwrap_or(self.pieces.len() - 1)
    }
}

impl Body for Compiled {
    fn start(&self, ranks: u32) {
        let mut counts = vec![0; self.pieces.len()];
        (0..ranks).for_each(|rank| counts[self.piece_of(rank)] += 1);
        let images: Result<Vec<_>, _> = (self.pieces.iter().zip(counts))
            .map(|(piece, count)| Images::new(&piece.program, count, None))
            .collect();
        surroundings::begin();
        let variables = self.pieces.iter().map(|piece| {
            let changes = &piece.origin.variables;
            let own = !changes.is_empty();
            own.then(|| Rc::new(RefCell::new(Variables::changed(changes))))
        });
        let variables = variables.collect();
        RUN.set(images.ok().map(|images| Run {
            variables,
            images,
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            starts: self.starts(),
        }));
    }

    fn rank(&self) {
        let Some(raw) = Raw::take() else { return };
        let number = raw.world().rank;
        let piece = self.piece_of(number);
        let images = RUN.with_borrow(|run| Some(Rc::clone(&run.as_ref()?.images[piece])));
        let entered = self.enter_surroundings(piece);
        let state = State::new(raw);
        let running = state.enter();
        let host = Rc::new(Console { output: self.output, host_clocks: self.host_clocks });
        let arguments = &self.pieces[piece].arguments;
        let ending = match images.map(|images| images.create(number, arguments, host)) {
            _ if entered.is_err() => {
                let folder = self.pieces[piece].origin.folder.clone().unwrap_or_default();
                Ending::Refused(format!("it cannot work in {}", folder.display()))
            }
            Some(Ok(image)) => {
                // To make the image was not the program's work.
                if let Some(computing) = &state.environment().computing {
                    computing.0.restart();
                }
                image.run()
            }
            Some(Err(error)) => Ending::Refused(error.to_string()),
            None => Ending::Refused("there is no memory for images of the program".into()),
        };
        watch::open();
        surroundings::end();
        let stage = Some(state.stage.get());
        let (in_session, kept) = (state.has_session(), state.kept());
        let owns = state.claims.borrow().were_made();
        RUN.with_borrow_mut(|run| {
            if let Some(run) = run {
                run.ranks[number as usize] =
                    Rank { ending: Some(ending), stage, in_session, kept, owns };
            }
        });
        drop(running);
    }

    fn finish(&self, result: &mut RunResult, struck: Option<(u32, usize)>) {
        watch::end();
        let Some(run) = RUN.take() else { return };
        result.owns = run.ranks.iter().any(|rank| rank.owns);
        let place = struck
            .and_then(|(_, address)| run.images.iter().find_map(|images| images.locate(address)));
        if let Some((rank, site)) = place
            && let Some(finding) = result.findings.iter_mut().find(|f| f.ranks == [rank])
        {
            finding.sites.insert(0, at(rank, site, "the signal struck here"));
        }
        run.images.iter().for_each(|images| images.close());
        surroundings::end();
        let (mut failed, mut deserted) = (false, false);
        let mut leaks = Leaks::default();
        for (number, rank) in (0..).zip(&run.ranks) {
            let Some(ending) = &rank.ending else { continue };
            result.exit_code = result.exit_code.or(exit_code(ending));
            if let Some(finding) = failure(number, ending) {
                result.findings.push(finding);
                failed = true;
                deserted |= rank.stage != Some(Stage::Finalized);
            } else if rank.stage == Some(Stage::Running) {
                result.findings.push(unfinished(number, "MPI_Finalize"));
            } else if rank.in_session {
                result.findings.push(unfinished(number, "MPI_Session_finalize"));
            } else {
                for (what, made) in &rank.kept {
                    leaks.note(number, Leak::Object(what), *made);
                }
            }
        }
        result.findings.extend(leaks.findings());
        if failed {
            result.ending = RunEnding::Failed;
        }
        if deserted {
            result.findings.retain(|finding| !is_consequence(finding.code));
        }
    }

    fn limits(&self, asked: Limits) -> Limits {
        let foreign = Limits::foreign();
        Limits {
            stack_bytes: asked.stack_bytes.max(stack_of_a_process()),
            events: asked.events,
            time: asked.time,
            executable_stacks: self.pieces.iter().any(|piece| piece.program.runs_on_stack()),
            ..foreign
        }
    }
}

/// The stack a rank gets is the one that the system gives a process (`ulimit -s`), from 8 MiB to
/// 64 MiB: Fortran programs keep whole arrays there. What is not touched takes no memory.
#[allow(unsafe_code, reason = "asks the system for a limit")]
fn stack_of_a_process() -> usize {
    const RANGE: (usize, usize) = (8 << 20, 64 << 20);
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours.
    unsafe { libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) };
    usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX).clamp(RANGE.0, RANGE.1)
}

fn at(rank: u32, site: site::Site, label: &str) -> CallSite {
    let known = Site { file: site.file, line: site.line, column: site.column.max(1) };
    CallSite::new(rank, "program", known.known(), label.into())
}

/// Whether this follows from the end of a rank in the middle of its program: a launcher would have
/// ended the others with it.
fn is_consequence(code: Code) -> bool {
    matches!(
        code,
        Code::DeadlockCycle
            | Code::NeverMatched
            | Code::PeerFinished
            | Code::UnreceivedMessage
            | Code::Livelock
    )
}

/// What is wrong with the end of a rank's program.
fn failure(rank: u32, ending: &Ending) -> Option<Finding> {
    let mut sites = Vec::new();
    let message = match ending {
        Ending::Exited(0) => return None,
        Ending::Exited(code) => format!("rank {rank} ended with exit code {}", code & 0xff),
        Ending::Signalled(signal) => format!("rank {rank} ended itself with signal {signal}"),
        Ending::Assertion { condition, file, line, .. } => {
            let file: &'static str = Box::leak(file.clone().into_boxed_str());
            let place = site::Site { file, line: *line, column: 1, function: "" };
            sites.push(at(rank, place, "this assertion"));
            format!("rank {rank}: the assertion `{condition}` does not hold")
        }
        Ending::Uncaught(what) => format!("rank {rank}: an exception was not caught: {what}"),
        Ending::Refused(why) => format!("rank {rank}: {why}"),
    };
    let code = match ending {
        Ending::Signalled(_) => Code::Signal,
        Ending::Exited(_) => Code::ExitCode,
        _ => Code::Panicked,
    };
    Some(Finding::error(code, message, vec![rank], sites))
}

/// What a shell would tell of an end that was not well.
fn exit_code(ending: &Ending) -> Option<i32> {
    match ending {
        Ending::Exited(0) => None,
        Ending::Exited(code) => Some(code & 0xff),
        Ending::Signalled(signal) => Some(128 + signal),
        Ending::Assertion { .. } | Ending::Uncaught(_) => Some(128 + libc::SIGABRT),
        Ending::Refused(_) => Some(1),
    }
}

fn unfinished(rank: u32, missing: &str) -> Finding {
    let message = format!("rank {rank} ended without {missing}");
    Finding::error(Code::NotFinalized, message, vec![rank], Vec::new())
        .help(format!("call {missing} on every rank before it ends"))
}
