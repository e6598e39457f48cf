//! The parts of a run: each part is a set of ranks that run one program with the same arguments.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io, mem,
    path::{Path, PathBuf},
    rc::Rc,
    sync::{Arc, Mutex, PoisonError},
};

use mpi_api::{
    call::Site,
    finding::{Finding, Object},
    raw::Raw,
};

use super::{Output, OutputFiles, console::Console, exports, origin::Start};
use crate::state::{Running, Stage, State};
use guest::{
    libc::{
        Ending,
        surroundings::{self, Variables},
    },
    loader::{Image, Images, LoadError, Program},
};

/// The programs that a simulation has read, by file; shared by simulations of the same program.
#[derive(Default)]
pub(super) struct Programs(Mutex<BTreeMap<PathBuf, Arc<Program>>>);

impl Programs {
    /// Returns the program in a file, reading it the first time.
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

/// The settings that all parts of a simulation share.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) programs: Arc<Programs>,
    pub(super) output: Output,
    pub(super) files: Arc<OutputFiles>,
    pub(super) host_clocks: bool,
    /// Whether ranks may execute code on their stacks.
    pub(super) runs_on_stack: bool,
}

/// One part of the run on this thread.
pub(super) struct Part {
    pub(super) images: Rc<Images>,
    /// The arguments, with the program's name first.
    pub(super) arguments: Vec<String>,
    pub(super) start: Start,
    /// The environment variables, if this part has its own.
    pub(super) variables: Option<Rc<RefCell<Variables>>>,
    pub(super) common: Common,
}

/// The state of the run on this thread.
pub(super) struct Run {
    pub(super) parts: Vec<Rc<Part>>,
    pub(super) ranks: Vec<Rank>,
}

/// How a program ends itself with an error code.
#[derive(Clone, Copy)]
pub(super) enum Left {
    /// By a call of `exit` or a similar function, at this place.
    By(guest::site::Site),
    /// By the value of `main`, which begins at this place.
    Main(guest::site::Site),
}

/// What is recorded about one rank.
#[derive(Default)]
pub(super) struct Rank {
    pub(super) ending: Option<Ending>,
    /// How it ended itself with an error code.
    pub(super) left_at: Option<Left>,
    pub(super) stage: Option<Stage>,
    pub(super) part: Option<Rc<Part>>,
    /// Whether operations ever owned memory of the rank, such as a send buffer.
    pub(super) owns: bool,
    /// Whether the rank ended with an MPI session that it had not finalized.
    pub(super) in_session: bool,
    /// What is told of the last error that a call left to the program, if it ended itself.
    pub(super) left: Option<Box<Finding>>,
    /// Objects that were not freed: their kind and where they were created.
    pub(super) kept: Vec<(Object, Site)>,
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
    /// Sets up the environment and working folder that the ranks of this part see.
    fn enter_surroundings(&self) -> io::Result<()> {
        let mut variables = self.variables.as_ref().map(|variables| variables.borrow_mut());
        surroundings::enter(variables.as_deref_mut(), self.start.origin.folder.as_deref())
    }

    /// Prepares a rank that has just started for its program.
    pub(super) fn begin(self: &Rc<Self>, raw: Raw) -> Begun {
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
        let image = self.images.create(number, &self.arguments, host).map_err(|e| e.to_string());
        let image = image.and_then(|image| match entered {
            Ok(()) => Ok(image),
            Err(_) => {
                let folder = self.start.origin.folder.clone().unwrap_or_default();
                Err(format!("it cannot work in {}", folder.display()))
            }
        });
        // Creating the image must not count as computing time of the program.
        if let (Ok(_), Some(computing)) = (&image, &state.environment().computing) {
            computing.0.restart();
        }
        Begun { state, running, image }
    }
}

/// A rank that is ready to run its program.
pub(super) struct Begun {
    state: Box<State>,
    running: Running,
    /// Its memory, or why it has none.
    image: Result<Image, String>,
}

impl Begun {
    /// Runs the program on the rank, until it ends.
    pub(super) fn run(self: Box<Self>) {
        let ending = match &self.image {
            Ok(image) => image.run(),
            Err(reason) => Ending::Refused(reason.clone()),
        };
        self.end(ending);
    }

    /// Ends a rank whose program has ended.
    #[inline(never)]
    #[allow(clippy::boxed_local, reason = "by value it would lie in the frame of `run`, too")]
    fn end(self: Box<Self>, ending: Ending) {
        let Self { state, running, image } = *self;
        let used = image.is_ok_and(|image| {
            let used = image.is_in_use();
            if used {
                // Threads that will not resume may still refer to the image and the state.
                mem::forget(image);
            }
            used
        });
        state.stop_watching();
        surroundings::end();
        record(&state, ending);
        drop(running);
        if used {
            mem::forget(state);
        }
    }
}

/// Records how the program of a rank ended.
pub(super) fn record(state: &State, ending: Ending) {
    let stage = state.stage.get();
    let (in_session, kept) = (state.has_session(), state.kept());
    let owns = state.claims.read().were_made();
    let left = if ending.code() == 0 { None } else { state.last_left() };
    RUN.with_borrow_mut(|run| {
        if let Some(run) = run {
            let rank = run.rank(state.number());
            (rank.ending, rank.stage) = (Some(ending), Some(stage));
            (rank.owns, rank.in_session, rank.kept, rank.left) = (owns, in_session, kept, left);
        }
    });
}

/// Records how the program of a rank ends itself with an error code.
pub(super) fn record_exit(rank: u32, left: Left) {
    RUN.with_borrow_mut(|run| {
        if let Some(run) = run {
            run.rank(rank).left_at = Some(left);
        }
    });
}

/// Returns the part of the run on this thread that a rank belongs to.
pub(super) fn part_of(rank: u32) -> Option<Rc<Part>> {
    RUN.with_borrow(|run| run.as_ref()?.ranks.get(rank as usize)?.part.clone())
}
