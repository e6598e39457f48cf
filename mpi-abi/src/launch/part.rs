//! The parts of a run: each is some ranks that run one program with the same arguments.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io, mem,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
};

use mpi_api::{call::Site, raw::Raw};

use super::{Output, OutputFiles, console::Console, exports};
use crate::{
    libc::{
        Ending,
        surroundings::{self, Variables},
    },
    loader::{Images, LoadError, Program},
    state::{Stage, State},
};

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
#[derive(Clone, Default)]
pub(crate) struct Start {
    /// Position among the programs started together.
    pub(crate) number: i32,
    pub(crate) command: String,
    /// Most ranks that were asked for, and the numbers that would have done, where a program has
    /// asked.
    pub(crate) asked: Option<(u32, String)>,
    /// The number of its `MPI_COMM_WORLD`: 0 is that of the launcher.
    pub(crate) group: u32,
    pub(crate) origin: Origin,
}

/// The programs that a simulation has read, by file. Simulations of one program share them.
#[derive(Default)]
pub(super) struct Programs(Mutex<BTreeMap<PathBuf, Arc<Program>>>);

impl Programs {
    /// The program of a file, read once.
    pub(super) fn open(&self, path: &Path) -> Result<Arc<Program>, LoadError> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = known.get(&real) {
            return Ok(Arc::clone(program));
        }
        let exports =
            exports().map_err(|source| LoadError::Memory { ranks: 0, bytes: 0, source })?;
        let program = Arc::new(Program::open(path, &exports)?);
        known.insert(real, Arc::clone(&program));
        Ok(program)
    }
}

/// What all parts of a simulation have in common.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) programs: Arc<Programs>,
    pub(super) output: Output,
    pub(super) files: Arc<OutputFiles>,
    pub(super) host_clocks: bool,
    /// Whether code may lie on the stacks of ranks.
    pub(super) runs_on_stack: bool,
}

/// Some ranks of the run on this thread.
pub(super) struct Part {
    pub(super) images: Rc<Images>,
    /// The program's name first.
    pub(super) arguments: Vec<String>,
    pub(super) start: Start,
    /// Environment variables, if it has its own.
    pub(super) variables: Option<Rc<RefCell<Variables>>>,
    pub(super) common: Common,
}

/// The run on this thread.
pub(super) struct Run {
    pub(super) parts: Vec<Rc<Part>>,
    pub(super) ranks: Vec<Rank>,
}

/// One rank of it.
#[derive(Default)]
pub(super) struct Rank {
    pub(super) ending: Option<Ending>,
    pub(super) stage: Option<Stage>,
    pub(super) part: Option<Rc<Part>>,
    /// Operations owned its memory at times.
    pub(super) owns: bool,
    /// A session was not ended.
    pub(super) in_session: bool,
    /// Objects that were not given back.
    pub(super) kept: Vec<(&'static str, Site)>,
}

thread_local! {
    pub(super) static RUN: RefCell<Option<Run>> = const { RefCell::new(None) };
}

impl Run {
    fn rank(&mut self, number: u32) -> &mut Rank {
        let at = number as usize;
        if self.ranks.len() <= at {
            self.ranks.resize_with(at + 1, Rank::default);
        }
        &mut self.ranks[at]
    }
}

impl Part {
    /// Environment and folder as its ranks find them.
    fn enter_surroundings(&self) -> io::Result<()> {
        let mut variables = self.variables.as_ref().map(|variables| variables.borrow_mut());
        surroundings::enter(variables.as_deref_mut(), self.start.origin.folder.as_deref())
    }

    /// Runs the program on a rank that has just begun, to its end.
    pub(super) fn run(self: &Rc<Self>, raw: Raw) {
        let number = raw.number();
        RUN.with_borrow_mut(|run| {
            if let Some(run) = run {
                run.rank(number).part = Some(Rc::clone(self));
            }
        });
        let entered = self.enter_surroundings();
        let state = State::new(raw, self.start.clone());
        let running = state.enter();
        let Common { output, host_clocks, .. } = self.common;
        let files = Arc::clone(&self.common.files);
        let host = Rc::new(Console { output, files, host_clocks });
        let mut left = false;
        let ending = match self.images.create(number, &self.arguments, host) {
            _ if entered.is_err() => {
                let folder = self.start.origin.folder.clone().unwrap_or_default();
                Ending::Refused(format!("it cannot work in {}", folder.display()))
            }
            Ok(image) => {
                // To make the image was not the program's work.
                if let Some(computing) = &state.environment().computing {
                    computing.0.restart();
                }
                let ending = image.run();
                if image.is_in_use() {
                    // Threads that go no further may still look at it and at the state.
                    (left, _) = (true, mem::ManuallyDrop::new(image));
                }
                ending
            }
            Err(error) => Ending::Refused(error.to_string()),
        };
        state.stop_watching();
        surroundings::end();
        record(&state, ending);
        drop(running);
        if left {
            mem::forget(state);
        }
    }
}

/// Notes how the program of a rank has ended.
pub(super) fn record(state: &State, ending: Ending) {
    let stage = state.stage.get();
    let (in_session, kept) = (state.has_session(), state.kept());
    let owns = state.claims.borrow().were_made();
    RUN.with_borrow_mut(|run| {
        if let Some(run) = run {
            let rank = run.rank(state.number());
            (rank.ending, rank.stage) = (Some(ending), Some(stage));
            (rank.owns, rank.in_session, rank.kept) = (owns, in_session, kept);
        }
    });
}

/// The part of the run on this thread that a rank belongs to.
pub(super) fn part_of(rank: u32) -> Option<Rc<Part>> {
    RUN.with_borrow(|run| run.as_ref()?.ranks.get(rank as usize)?.part.clone())
}
