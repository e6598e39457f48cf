//! Compiles C programs and runs them on the coroutines of `sim-core`.
#![allow(unsafe_code, reason = "offers functions to C programs")]

use std::{
    cell::RefCell,
    collections::BTreeMap,
    ffi::{OsString, c_int},
    path::{Path, PathBuf},
    process::Command,
    rc::Rc,
    sync::{Arc, LazyLock},
    time::Duration,
};

use guest::{
    libc::{Ending, Host, Stream, Wait, surroundings, suspend},
    loader::{Exports, Images, LoadError, Program, Text},
    site::{self, Site},
    wrapper::{Kit, Language, Request},
};
use sim_core::{
    Kernel, Limits, Outcome, Pending, Port, ProcessId, Scheduler, SimDuration, SimTime, Simulation,
    TieBreak,
};
use tempfile::TempDir;

/// A rank asks for this much time to pass.
struct Pass(u64);

struct Clockwork;

impl Kernel for Clockwork {
    type Call = Pass;
    type Reply = SimTime;
    type Event = ();

    fn call(
        &mut self,
        process: ProcessId,
        call: Pending<'_, Pass>,
        scheduler: &mut Scheduler<(), SimTime>,
    ) {
        let at = scheduler.now() + SimDuration::from_ns(call.0);
        scheduler.reply(process, at, at);
    }

    fn event(&mut self, _: (), _: &mut Scheduler<(), SimTime>) {}
    fn finished(&mut self, _: ProcessId, _: &mut Scheduler<(), SimTime>) {}
    fn quiescent(&mut self, _: &mut Scheduler<(), SimTime>) -> bool {
        false
    }
}

/// What the functions of the tests see of the run.
#[derive(Default)]
struct World {
    ranks: u32,
    current: u32,
    ports: BTreeMap<u32, Port<Pass, SimTime>>,
    now: Duration,
    written: BTreeMap<(u32, bool), Vec<u8>>,
    lines: Vec<(u32, String)>,
    sites: Vec<Vec<Site>>,
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::default();
}

fn pass(nanoseconds: u64) {
    let (rank, port) =
        WORLD.with_borrow(|world| (world.current, world.ports.get(&world.current).cloned()));
    let Some(port) = port else { return };
    let now = suspend(|| port.call(Pass(nanoseconds)));
    WORLD.with_borrow_mut(|world| {
        world.current = rank;
        world.now = now.map_or(world.now, |now| Duration::from_nanos(now.as_ps() / 1000));
    });
}

struct Recorder;

impl Host for Recorder {
    fn now(&self, _: u32) -> Option<Duration> {
        Some(WORLD.with_borrow(|world| world.now))
    }

    fn sleep(&self, _: u32, time: Duration) {
        pass(time.as_nanos() as u64);
    }

    fn park(&self, _: u32, wait: Wait) -> bool {
        guest::libc::end(Ending::Refused(format!("it waits for a thread in {}", wait.call)))
    }

    fn write(&self, rank: u32, stream: Stream, lines: &[u8]) {
        WORLD.with_borrow_mut(|world| {
            let error = stream == Stream::Error;
            world.written.entry((rank, error)).or_default().extend_from_slice(lines);
            world.lines.push((rank, String::from_utf8_lossy(lines).into_owned()));
        });
    }
}

extern "C" fn rank(_: usize, place: *mut c_int) -> c_int {
    let rank = WORLD.with_borrow(|world| world.current);
    // SAFETY: the programs of the tests pass a variable.
    unsafe { place.write(rank as c_int) };
    0
}

extern "C" fn size(_: usize, place: *mut c_int) -> c_int {
    let ranks = WORLD.with_borrow(|world| world.ranks);
    // SAFETY: as above.
    unsafe { place.write(ranks as c_int) };
    0
}

extern "C" fn barrier(_: usize) -> c_int {
    let sites = site::backtrace(8);
    let caller = site::caller();
    assert_eq!(
        sites.first().map(|site| (site.line, site.function)),
        Some((caller.line, caller.function()))
    );
    WORLD.with_borrow_mut(|world| world.sites.push(sites));
    pass(1);
    0
}

/// Like `barrier`, but notes nothing: for measurements.
extern "C" fn probe(_: usize) -> c_int {
    pass(1);
    0
}

extern "C" fn fortran_rank(comm: usize, place: *mut c_int, error: *mut c_int) {
    // SAFETY: Fortran passes variables.
    unsafe { error.write(rank(comm, place)) };
}

extern "C" fn fortran_barrier(comm: usize, error: *mut c_int) {
    // SAFETY: as above.
    unsafe { error.write(barrier(comm)) };
}

/// The functions of the tests: those of MPI with the same names and arguments.
pub(crate) static EXPORTS: LazyLock<Arc<Exports>> = LazyLock::new(|| {
    let functions = [
        ("MPI_Comm_rank", rank as *const () as usize),
        ("MPI_Comm_size", size as *const () as usize),
        ("MPI_Barrier", barrier as *const () as usize),
        ("mpi_comm_rank_", fortran_rank as *const () as usize),
        ("mpi_barrier_", fortran_barrier as *const () as usize),
        ("MPI_Probe_nothing", probe as *const () as usize),
    ];
    Arc::new(
        Exports::new(&functions, guest::replacements(), |_| false)
            .expect("the system gives executable memory"),
    )
});

/// What came of a run.
pub(crate) struct Run {
    pub(crate) outcome: Outcome,
    /// Where a signal struck, if in the program.
    pub(crate) struck: Option<(u32, Site)>,
    pub(crate) endings: Vec<Ending>,
    /// Standard output and standard error of each rank.
    pub(crate) output: Vec<String>,
    pub(crate) errors: Vec<String>,
    /// Pieces of output in the order they came.
    pub(crate) lines: Vec<(u32, String)>,
    pub(crate) sites: Vec<Vec<Site>>,
}

/// A program of `ctest`, compiled as the wrapper does.
pub(crate) struct Compiled {
    folder: TempDir,
    pub(crate) path: PathBuf,
}

/// The folder of the programs.
pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ctest")
}

/// Compiles one source as the wrapper does, with more flags.
pub(crate) fn compile(source: &str, flags: &[&str]) -> Compiled {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("program");
    wrapped(language_of(source), source, flags, folder.path(), &path);
    Compiled { folder, path }
}

/// The language of a source by its name.
fn language_of(source: &str) -> Language {
    match source.rsplit('.').next() {
        Some("cpp") => Language::Cxx,
        Some("f90") => Language::Fortran,
        _ => Language::C,
    }
}

/// Compiles a library into `folder`.
pub(crate) fn compile_library(source: &str, folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let soname = format!("-Wl,-soname,{name}");
    wrapped(language_of(source), source, &["-shared", "-fPIC", &soname], folder, &path);
    path
}

/// Compiles a C source to a file in `folder`, as the wrapper does.
pub(crate) fn compile_into(source: &str, flags: &[&str], folder: &Path, path: &Path) {
    wrapped(Language::C, source, flags, folder, path);
}

/// Compiles without the wrapper.
pub(crate) fn plain(source: &str, flags: &[&str]) -> Compiled {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("program");
    let mut command = Command::new("cc");
    build(command.arg(sources().join(source)).args(flags).arg("-o").arg(&path));
    Compiled { folder, path }
}

/// The folder of the kits that programs are compiled with. They are kept between runs of the tests: their names tell
/// what is in them.
pub(crate) fn kits() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("kit")
}

fn wrapped(language: Language, source: &str, flags: &[&str], folder: &Path, path: &Path) {
    let names: Vec<&str> = EXPORTS.names().collect();
    let kit = Kit { headers: &[], functions: &names, launcher: Path::new("/bin/true") };
    let places = kit.install_below(&kits()).unwrap_or_else(|error| panic!("{error}"));
    let mut words: Vec<OsString> = vec!["-Wall".into(), "-O1".into()];
    words.push(sources().join(source).into());
    if language == Language::Fortran {
        words.extend(["-J".into(), folder.into()]);
    }
    words.extend(flags.iter().map(OsString::from));
    words.extend(["-o".into(), path.into()]);
    let arguments = Request::of(&words).command(language, &places).all();
    build(Command::new(language.compiler()).args(arguments));
}

fn build(command: &mut Command) {
    let output = command.output().expect("a compiler is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs an ignored test of this crate, named with its module, in a process of its own, and fails if it does.
pub(crate) fn run_in_own_process(test: &str) {
    let this = std::env::current_exe().expect("the path of the tests");
    let words = ["--exact", "--ignored", "--nocapture", test];
    let output = Command::new(this).args(words).output().expect("it runs");
    let text =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success() && text[0].contains("1 passed"), "{}", text.concat());
}

/// True if Fortran programs can be compiled here.
pub(crate) fn has_fortran() -> bool {
    let compiler = Language::Fortran.compiler();
    Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success())
}

impl Compiled {
    /// A folder that lives as long as the program.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program with these arguments on this many ranks.
    pub(crate) fn run(&self, ranks: u32, arguments: &[&str]) -> Run {
        self.run_with(ranks, arguments, None)
    }

    /// As `run`, with a choice of how code comes into the images.
    pub(crate) fn run_with(&self, ranks: u32, arguments: &[&str], text: Option<Text>) -> Run {
        simulate(&self.open(), ranks, arguments, text)
    }

    /// The program, loaded.
    pub(crate) fn open(&self) -> Arc<Program> {
        let program = Program::open(&self.path, &EXPORTS).unwrap_or_else(|error| panic!("{error}"));
        Arc::new(program)
    }

    /// Why the program cannot be loaded.
    pub(crate) fn refusal(&self) -> LoadError {
        Program::open(&self.path, &EXPORTS).map(|_| ()).expect_err("the program is refused")
    }
}

/// Rust functions instead of a program: what the engine and this harness take by themselves.
#[allow(dead_code, reason = "only the benchmark asks for it")]
pub(crate) fn simulate_nothing(ranks: u32, rounds: u32) {
    WORLD.set(World { ranks, ..World::default() });
    let mut simulation = Simulation::new(Clockwork, Limits::foreign(), TieBreak::InsertionOrder);
    for _ in 0..ranks {
        simulation.spawn(Rc::new(move |port| {
            enter(port);
            for _ in 0..rounds {
                pass(1);
            }
        }));
    }
    assert_eq!(simulation.run().0, Outcome::Completed);
    WORLD.take();
}

/// The process of this port runs now.
fn enter(port: Port<Pass, SimTime>) -> u32 {
    let rank = port.process().0;
    WORLD.with_borrow_mut(|world| {
        world.current = rank;
        world.ports.insert(rank, port);
    });
    rank
}

/// Runs images on the present stack, each when the one before is gone.
pub(crate) fn run_one_after_another(images: &Rc<Images>, ranks: u32) -> Vec<Ending> {
    let words = ["program".to_string()];
    let run = |rank| images.create(rank, &words, Rc::new(Recorder)).expect("an image").run();
    (0..ranks).map(run).collect()
}

/// Runs a program once.
pub(crate) fn simulate(
    program: &Arc<Program>,
    ranks: u32,
    arguments: &[&str],
    text: Option<Text>,
) -> Run {
    WORLD.set(World { ranks, ..World::default() });
    let images = Images::new(program, ranks, text).expect("memory for the images");
    surroundings::begin();
    let endings = Rc::new(RefCell::new(vec![Ending::Exited(-1); ranks as usize]));
    let mut simulation = Simulation::new(Clockwork, Limits::foreign(), TieBreak::InsertionOrder);
    let mut words = vec!["program".to_string()];
    words.extend(arguments.iter().map(ToString::to_string));
    for _ in 0..ranks {
        let (images, endings, words) = (Rc::clone(&images), Rc::clone(&endings), words.clone());
        simulation.spawn(Rc::new(move |port| {
            let rank = enter(port);
            surroundings::end();
            let image = images.create(rank, &words, Rc::new(Recorder)).expect("an image");
            endings.borrow_mut()[rank as usize] = image.run();
        }));
    }
    let (outcome, ..) = simulation.run();
    let struck = match outcome {
        Outcome::Signal { address, .. } | Outcome::StackOverflow { address: Some(address), .. } => {
            images.locate(address)
        }
        _ => None,
    };
    images.close();
    surroundings::end();
    let world = WORLD.take();
    let text = |error: bool| {
        (0..ranks)
            .map(|rank| world.written.get(&(rank, error)).cloned().unwrap_or_default())
            .map(|bytes| String::from_utf8(bytes).expect("programs write text"))
            .collect()
    };
    let endings = endings.take();
    Run {
        outcome,
        struck,
        endings,
        output: text(false),
        errors: text(true),
        lines: world.lines,
        sites: world.sites,
    }
}
