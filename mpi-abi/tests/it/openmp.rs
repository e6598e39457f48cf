//! Programs compiled with `-fopenmp`, whose regions have several threads.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use guest::wrapper::Language;
use mpi_abi::launch::{Compiled, Output};
use mpi_api::{
    call::Call,
    finding::{Code, Finding},
    outcome::{Ending, RunResult},
    run::Program,
    settings::{Buffering, Computing, Environment},
};
use sim_core::{Meter, ProcessId, SimDuration};
use tempfile::TempDir;

use crate::{
    fortran,
    harness::has_fortran,
    mpi::{self, compile_file, simulate, simulate_in},
};

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("ctest/openmp").join(name)
}

/// Compiles a program of `ctest/openmp` into a folder.
fn compile(name: &str, folder: &Path) -> PathBuf {
    let path = folder.join("program");
    if name.ends_with(".f90") {
        let text = source(name).display().to_string();
        let words = ["-Wall", "-O1", "-g", "-fopenmp", &text, "-o", "program"];
        fortran::compiler(Language::Fortran, folder, &words);
    } else {
        let standard = if name.ends_with(".cpp") { "-std=c++20" } else { "-std=gnu11" };
        compile_file(&source(name), &path, &["-fopenmp", "-lm", standard]);
    }
    path
}

/// The program with its arguments. No environment is set: that of the process belongs to all tests.
fn with(path: &Path, arguments: &str) -> Program {
    let mut compiled = Compiled::new(Output::Print);
    let arguments: Vec<String> = arguments.split_whitespace().map(str::to_string).collect();
    compiled.add(path, &arguments, 1).expect("a program");
    Arc::new(compiled)
}

fn well(result: &RunResult, what: &str) {
    assert_eq!(result.ending, Ending::Completed, "{what}: {:?}", result.findings);
    assert!(result.findings.is_empty(), "{what}: {:?}", result.findings);
}

/// The program ends well with any number of threads and ranks, and a second run gives the same digest.
fn holds(name: &str) {
    let folder = TempDir::new().expect("a folder");
    let path = compile(name, folder.path());
    for threads in ["1", "2", "3", "8", "64"] {
        for ranks in [1, 3] {
            let program = with(&path, threads);
            let what = format!("{name}, {threads} threads, {ranks} ranks");
            let one = simulate(&program, ranks, Buffering::infinite());
            well(&one, &what);
            let two = simulate(&program, ranks, Buffering::infinite());
            assert_eq!((one.digest, one.events), (two.digest, two.events), "{what}");
            assert_eq!(one.makespan, two.makespan, "{what}");
        }
    }
}

#[test]
fn regions_loops_and_locks() {
    holds("regions.c");
}

#[test]
fn tasks() {
    holds("tasks.c");
}

#[test]
fn objects_of_cxx() {
    holds("objects.cpp");
}

#[test]
fn fortran_and_its_module() {
    if !has_fortran() {
        eprintln!("skipped: gfortran is not installed");
        return;
    }
    holds("library.f90");
}

#[test]
fn heat_is_the_same_on_all_threads_and_ranks() {
    holds("heat.c");
    let folder = TempDir::new().expect("a folder");
    let path = compile("heat.c", folder.path());
    for schedule in ["1", "1 3", "2 2", "3 1", "4"] {
        for buffering in [Buffering::zero(), Buffering::infinite()] {
            let program = with(&path, &format!("4 {schedule}"));
            well(&simulate(&program, 4, buffering), schedule);
        }
    }
}

#[test]
fn threads_compute_at_the_same_time() {
    let folder = TempDir::new().expect("a folder");
    let path = compile("heat.c", folder.path());
    let time = |threads| {
        let program = with(&path, threads);
        simulate(&program, 1, Buffering::infinite()).makespan.as_ps()
    };
    // 20 steps of 48 rows, 1 us each; without the variable there is one thread.
    assert_eq!(time("1"), 20 * 48 * 1_000_000);
    assert_eq!(time("8"), 20 * 6 * 1_000_000);
    assert_eq!(time(""), time("1"));
}

/// Code, message, and the line and label of each site of the first finding.
type First = (Code, String, Vec<(u32, String)>);

fn first(path: &Path, how: &str) -> First {
    let result = simulate(&with(path, how), 2, Buffering::infinite());
    assert_ne!(result.ending, Ending::Completed, "{how}");
    let Finding { code, message, sites, .. } = result.findings[0].clone();
    let sites = sites.into_iter().map(|site| (site.site.map_or(0, |s| s.line), site.label));
    (code, message, sites.collect())
}

#[test]
fn threads_that_wait_for_ever_are_a_deadlock() {
    let folder = TempDir::new().expect("a folder");
    let path = compile("wrong.c", folder.path());

    let (code, _, sites) = first(&path, "barrier");
    assert_eq!(code, Code::DeadlockCycle);
    let waits = "thread 1 of rank 0 waits in omp barrier for another thread";
    assert_eq!((sites[1].0, sites[1].1.as_str()), (8, waits));
    assert!(sites[0].1.contains("thread 0 of rank 0 waits in omp parallel"), "{sites:?}");

    let (code, message, sites) = first(&path, "first");
    assert_eq!((code, sites[0].0), (Code::NeverMatched, 15));
    assert!(message.contains("omp barrier on thread 0 of rank 0 waits for what no"), "{message}");

    let (code, _, sites) = first(&path, "critical");
    assert_eq!((code, sites[0].0, sites[1].0), (Code::DeadlockCycle, 34, 41));
    assert!(sites[0].1.contains("in omp critical for thread 1 of rank 0"), "{sites:?}");

    let (code, _, sites) = first(&path, "lock");
    assert_eq!((code, sites[0].0), (Code::NeverMatched, 51));
    assert!(sites[0].1.contains("in omp_set_lock for thread 1"), "{sites:?}");

    let (code, _, sites) = first(&path, "event");
    assert_eq!((code, sites[1].0), (Code::DeadlockCycle, 61));
    assert!(sites[1].1.contains("waits in omp taskwait"), "{sites:?}");

    let (code, _, sites) = first(&path, "poll");
    assert_eq!((code, sites[0].0), (Code::Livelock, 105));

    // The cycle is that of the messages, whatever the other threads are doing.
    for (how, line) in [("message", 76), ("after", 84)] {
        let (code, message, sites) = first(&path, how);
        assert_eq!((code, sites[0].0), (Code::DeadlockCycle, line), "{how}");
        assert!(message.contains("thread 0 of rank 0 and thread 0 of rank 1"), "{message}");
    }
}

#[test]
fn calls_of_mpi_by_other_threads_are_found() {
    let folder = TempDir::new().expect("a folder");
    let path = compile("wrong.c", folder.path());
    let (code, message, sites) = first(&path, "funneled");
    assert_eq!((code, sites[0].0), (Code::ThreadMisuse, 69));
    assert!(message.contains("thread 1 calls MPI: the level is MPI_THREAD_FUNNELED"), "{message}");
}

#[test]
fn a_thread_of_a_region_may_end_its_rank() {
    let folder = TempDir::new().expect("a folder");
    let path = compile("wrong.c", folder.path());
    let (_, message, sites) = first(&path, "exit");
    assert!(message.contains("rank 1 ended with exit code 3"), "{message}");
    assert_eq!(sites[0].0, 130);
    let (code, message, sites) = first(&path, "stack");
    assert_eq!(code, Code::StackOverflow);
    assert!(message.contains("thread 1 of rank 0"), "{message}");
    // Waking threads is no call of the program.
    let places: Vec<(u32, &str)> =
        sites.iter().map(|(line, label)| (*line, label.as_str())).collect();
    assert_eq!(places, [(87, "the stack ended here")]);
}

#[test]
fn no_library_of_the_compiler_is_loaded() {
    let folder = TempDir::new().expect("a folder");
    let path = compile("heat.c", folder.path());
    well(&simulate(&with(&path, "2"), 2, Buffering::zero()), "heat");
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the maps of this process");
    assert!(!maps.contains("libgomp"), "{maps}");
}

/// A meter for which steps take different times.
#[derive(Default)]
struct Uneven(Cell<u64>);

impl Meter<Call> for Uneven {
    fn begin(&self, _process: ProcessId) {}

    fn end(&self, process: ProcessId, _call: Option<&Call>) -> Option<SimDuration> {
        self.0.set(self.0.get() + 1);
        let steps = self.0.get() * 7919 + u64::from(process.0) * 104_729;
        Some(SimDuration::from_ns(steps % 2_003))
    }
}

#[test]
fn threads_wait_for_each_other_where_computing_is_measured() {
    let folder = TempDir::new().expect("a folder");
    let measured = |path: &Path| {
        let program = with(path, "5");
        let computing = Some(Computing(Rc::new(Uneven::default())));
        let environment = Environment { computing, ..Environment::default() };
        let result = simulate_in(&program, 2, Buffering::infinite(), environment);
        well(&result, &path.display().to_string());
        assert!(result.makespan.as_ps() > 0);
        result.digest
    };
    let paths = [
        compile("heat.c", folder.path()),
        compile("objects.cpp", TempDir::new_in(folder.path()).expect("a folder").keep().as_path()),
        mpi::compile("threads_of_cxx", folder.path()),
    ];
    for path in paths {
        assert_eq!(measured(&path), measured(&path), "{}", path.display());
    }
}
