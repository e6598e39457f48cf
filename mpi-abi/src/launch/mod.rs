//! Runs compiled programs in a simulation.

mod console;
mod contained;
mod ending;
pub(crate) mod origin;
mod part;
mod redirect;
mod spawn;
mod stretch;

use std::{
    cell::RefCell,
    io,
    path::Path,
    rc::Rc,
    sync::{Arc, LazyLock},
};

use mpi_api::{
    check::{leaks::Leaks, raised, signal, stack_overflow},
    finding::{CallSite, Code, Finding, Findings, Leak},
    outcome::{Ending as RunEnding, RunResult},
    raw::Raw,
    run::{Body, Struck},
};
use sim_core::Limits;

pub use self::{
    console::{ends_within_line, lost_output},
    origin::Origin,
    redirect::{OutputFiles, Pattern},
    stretch::tell_stretch,
};
use self::{
    ending::{Alike, exit_code, unfinished},
    part::{Begun, Common, Part, RUN, Run},
};
pub(crate) use self::{origin::Start, spawn::Wanted};
use crate::{
    function::{
        self,
        fortran::missing::{self, Accessed},
        packed,
    },
    memory::{forget_pages, freed_window, look_with},
    state::{Left, Stage},
};
use guest::{
    libc::{begin_simulation, end_simulation, stack_bytes, surroundings::Variables},
    loader::{Exports, Images, LoadError, Program},
    memory,
    site::{self, Data},
    watch,
};

pub use crate::header::HEADER;

/// What happens to the output of the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The output is discarded.
    Discard,
    /// The output is printed as it arrives.
    Print,
    /// The output is printed, each line prefixed with the number of its rank.
    Label,
}

/// The compiled programs of a simulation, with their arguments and numbers of ranks.
pub struct Compiled {
    /// The programs in order of ranks; the last one gets all remaining ranks.
    pieces: Vec<Piece>,
    common: Common,
}

/// One of the programs, with its arguments and number of ranks.
struct Piece {
    program: Arc<Program>,
    arguments: Vec<String>,
    ranks: u32,
    origin: Origin,
}

fn exports() -> io::Result<Arc<Exports>> {
    static EXPORTS: LazyLock<io::Result<Arc<Exports>>> = LazyLock::new(|| {
        let all = function::exports();
        Exports::new(&all, guest::replacements(), contained::reaches_out).map(Arc::new)
    });
    match &*EXPORTS {
        Ok(exports) => Ok(Arc::clone(exports)),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

/// Returns the names of all functions that programs may call, including `PMPI_` names.
///
/// # Errors
/// If the system refuses executable memory.
pub fn function_names() -> io::Result<Vec<String>> {
    Ok(exports()?.names().map(str::to_string).collect())
}

impl Compiled {
    /// Creates a simulation without programs.
    pub fn new(output: Output) -> Self {
        let programs = Arc::default();
        let files = Arc::default();
        let common = Common { programs, output, files, host_clocks: false, runs_on_stack: false };
        Self { pieces: Vec::new(), common }
    }

    /// Sends output to files instead of printing it.
    pub fn with_output_files(mut self, files: OutputFiles) -> Self {
        self.common.files = Arc::new(files);
        self
    }

    /// Gives the programs the host's clocks and sleeps instead of simulated time. `MPI_Wtime` still
    /// returns simulated time.
    pub fn with_host_clocks(mut self, host_clocks: bool) -> Self {
        self.common.host_clocks = host_clocks;
        self
    }

    /// Loads a program for the next `ranks` ranks; `arguments` are those after its name.
    ///
    /// # Errors
    /// If the file cannot be simulated; the error says why.
    pub fn add(&mut self, path: &Path, arguments: &[String], ranks: u32) -> Result<(), LoadError> {
        let program = self.common.programs.open(path)?;
        let mut words = vec![path.display().to_string()];
        words.extend_from_slice(arguments);
        let origin = Origin::default();
        self.pieces.push(Piece { program, arguments: words, ranks, origin });
        Ok(())
    }

    /// Sets how the launcher was asked to start the program added last.
    pub fn started_as(&mut self, origin: Origin) {
        if let Some(piece) = self.pieces.last_mut() {
            piece.origin = origin;
        }
    }

    fn runs_on_stack(&self) -> bool {
        self.pieces.iter().any(|piece| piece.program.runs_on_stack())
    }

    /// Returns the index of the program that a rank runs.
    fn piece_of(&self, rank: u32) -> usize {
        let mut first = 0;
        let found = self.pieces.iter().position(|piece| {
            first += piece.ranks;
            rank < first
        });
        found.unwrap_or(self.pieces.len() - 1)
    }

    /// Prepares a rank that has just started for its program.
    fn begin_rank(&self, raw: Raw) -> Option<Box<Begun>> {
        let piece = self.piece_of(raw.number());
        let part = RUN.with_borrow(|run| run.as_ref()?.parts.get(piece).cloned())?;
        Some(Box::new(part.begin(raw)))
    }
}

impl Body for Compiled {
    fn start(&self, ranks: u32) {
        let mut counts = vec![0; self.pieces.len()];
        (0..ranks).for_each(|rank| counts[self.piece_of(rank)] += 1);
        let images: Result<Vec<_>, _> = (self.pieces.iter().zip(counts))
            .map(|(piece, count)| Images::new(&piece.program, count, None))
            .collect();
        self.common.files.begin();
        begin_simulation(self.pieces.iter().all(|piece| piece.program.is_always_contained()));
        // Used now, since the first use of a thread's variable allocates memory of the system's heap, which programs
        // may damage.
        memory::forget();
        forget_pages();
        Left::take();
        packed::forget();
        let runs_on_stack = self.runs_on_stack();
        watch::begin(runs_on_stack);
        let common = Common { runs_on_stack, ..self.common.clone() };
        let part = |number: usize, images| {
            let piece = &self.pieces[number];
            let changes = &piece.origin.variables;
            let own = !changes.is_empty();
            Rc::new(Part {
                images,
                arguments: piece.arguments.clone(),
                start: Start {
                    number: number as i32,
                    command: piece.arguments[0].clone(),
                    asked: None,
                    group: 0,
                    origin: piece.origin.clone(),
                },
                variables: own.then(|| Rc::new(RefCell::new(Variables::changed(changes)))),
                common: common.clone(),
            })
        };
        RUN.set(images.ok().map(|images| Run {
            parts: (0..).zip(images).map(|(number, images)| part(number, images)).collect(),
            ranks: Vec::new(),
        }));
    }

    fn rank(&self) {
        // Aside: else the frames of the start took each rank a page of its stack, for good.
        if let Some(begun) = Raw::take_aside(|raw| self.begin_rank(raw)).flatten() {
            begun.run();
        }
    }

    fn finish(&self, result: &mut RunResult, struck: Option<Struck>) {
        let examined = watch::end();
        (result.accesses, result.watched_in_part) = (examined.accesses, !examined.in_full);
        memory::forget();
        look_with(None);
        let left_errors = Left::take();
        packed::forget();
        let Some(run) = RUN.take() else { return };
        result.comparable = true;
        result.owns = run.ranks.iter().any(|rank| rank.owns);
        let refers_to = |function: &str| {
            let mut programs = run.parts.iter().map(|part| part.images.program());
            programs.any(|program| program.refers_to(|name| contained::is_of(name, function)))
        };
        result.syncs = result.one_sided && refers_to("MPI_Win_sync");
        result.shares = result.one_sided && refers_to("MPI_Win_allocate_shared");
        if let Some(struck) = struck {
            tell_struck(result, &run.parts, struck);
        }
        forget_pages();
        run.parts.iter().for_each(|part| part.images.close());
        end_simulation();
        let (mut failed, mut deserted) = (Alike::default(), false);
        let (mut not_finalized, mut sessions) = (Vec::new(), Vec::new());
        let mut leaks = Leaks::default();
        let mut left = Findings::default();
        for (number, rank) in (0..).zip(&run.ranks) {
            let Some(ending) = &rank.ending else { continue };
            result.exit_code = result.exit_code.or(exit_code(ending));
            if exit_code(ending).is_some() {
                failed.add(number, ending, rank.left_at);
                left.extend(rank.left.as_deref().cloned());
                deserted |= rank.stage != Some(Stage::Finalized);
            } else if rank.stage == Some(Stage::Running) {
                not_finalized.push((number, rank.left_at));
            } else if rank.in_session {
                sessions.push((number, rank.left_at));
            } else {
                for (what, made) in &rank.kept {
                    leaks.note(number, Leak::Object(*what), *made);
                }
            }
        }
        let before = result.findings.len();
        result.findings.extend(failed.findings());
        if result.findings.len() > before {
            result.ending = RunEnding::Failed;
        }
        result.findings.extend(left.into_vec());
        result.findings.extend(unfinished(not_finalized, "MPI_Finalize"));
        result.findings.extend(unfinished(sessions, "MPI_Session_finalize"));
        result.findings.extend(leaks.findings());
        if deserted {
            result.findings.retain(|finding| !finding.code.follows_from_an_early_end());
        }
        raised::point_at_left(&mut result.findings);
        raised::explain_ends(&mut result.findings, &left_errors.gone_on);
        raised::point_at_missed(&mut result.findings, left_errors.into_findings());
    }

    fn irreproducible(&self) -> Option<&'static str> {
        let draws = self.pieces.iter().any(|piece| piece.program.draws_from_processor());
        draws
            .then_some("the program contains an instruction that draws from the processor (rdrand)")
    }

    fn is_contained(&self) -> bool {
        self.pieces.iter().all(|piece| piece.program.is_contained())
    }

    fn image_bytes(&self) -> u64 {
        let bytes = self.pieces.iter().map(|piece| piece.program.image_bytes() as u64);
        bytes.max().unwrap_or(0)
    }

    fn limits(&self, asked: Limits) -> Limits {
        let foreign = Limits::foreign();
        Limits {
            stack_bytes: stack_bytes(asked.stack_bytes, asked.stack_is_asked),
            events: asked.events,
            time: asked.time,
            executable_stacks: self.runs_on_stack(),
            ..foreign
        }
    }
}

/// Adds to the result where a rank received a signal, or where it was when the run was stopped, and
/// the variable near the memory that it accessed.
fn tell_struck(result: &mut RunResult, parts: &[Rc<Part>], struck: Struck) {
    let accessed = struck.access.and_then(|access| missing::take(access.address));
    let found = |address| parts.iter().find_map(|part| part.images.struck(address));
    let direct = found(struck.address).map(|found| (found, signal::HERE));
    let called = || Some((found(site::struck_call(struck.address)?)?, signal::IN_CALL));
    let Some(((rank, site), label)) = direct.or_else(called) else { return };
    let at = |label: String| CallSite::new(rank, "program", site.known(), label);
    let ends = |finding: &Finding| matches!(finding.code, Code::Signal | Code::StackOverflow);
    if result.interrupted {
        let stopped = result.findings.iter_mut().find(|f| f.code == Code::LimitReached);
        if let Some(finding) = stopped {
            finding.sites.retain(|place| place.rank != rank);
            finding.sites.insert(0, at(format!("rank {rank} was running here")));
            finding.notes.push(format!("rank {rank} made no further call of MPI"));
        }
    } else if let Some(finding) = result.findings.iter_mut().find(|f| ends(f) && f.ranks == [rank])
    {
        let overflown = finding.code == Code::StackOverflow;
        let label = if overflown { stack_overflow::HERE } else { label };
        finding.sites.insert(0, at(label.into()));
        if struck.signal == Some(libc::SIGABRT) {
            finding.notes.push(signal::DAMAGED.into());
        }
        let access = struck.access.filter(|access| !access.is_null());
        let freed = access.and_then(|access| freed_window(access.address));
        if let Some((by, site)) = freed {
            let label = signal::freed_window(by);
            finding.sites.push(CallSite::new(by, "MPI_Win_free", site.known(), label));
        }
        let near = access.filter(|_| freed.is_none()).and_then(|access| {
            parts.iter().find_map(|part| part.images.data(rank, access.address))
        });
        let at_constant = matches!(near, Some(Data::Constant));
        finding.notes.extend(near.map(|near| match near {
            Data::Constant => signal::AT_CONSTANT.to_string(),
            Data::Variable { name, bytes, beyond } => signal::near(&name, bytes, beyond),
        }));
        let help = accessed.and_then(|accessed| match accessed {
            Accessed::Error => Some(signal::NO_ERROR_CODE),
            Accessed::Argument => (!at_constant).then_some(signal::NO_ARGUMENT),
        });
        finding.help = help.map(Into::into).or(finding.help.take());
    }
}
