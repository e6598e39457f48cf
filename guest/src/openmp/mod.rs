//! OpenMP for C, C++ and Fortran programs that gcc compiles with `-fopenmp`: the functions of its
//! run-time library, whose place these take.
//!
//! The threads of a parallel region are threads of the rank (`crate::libc::thread`) that wait for each
//! other in simulated time. `parallel` begins regions and ends them, `pool` keeps their threads between
//! them, `work` executes tasks while a thread waits. `team`, `share` and `task` hold what a region, a
//! worksharing construct and a task need; `schedule` and `task::depend` decide without state.
//!
//! Threads run in a fixed order and change only where they wait, so that what follows between two waits
//! is atomic. A function whose name begins with `GOMP_` is called by compiled code only, with
//! arguments as gcc passes them; functions with other names are those of the specification.
//!
//! # Safety
//!
//! A function that takes pointers from programs is an `unsafe extern "C" fn`. Each pointer is valid, as
//! long and as aligned, as the specification or the compiler requires for that argument.

mod affinity;
mod block;
mod doacross;
mod environment;
mod lock;
mod loop_entry;
mod loops;
mod memory;
mod pace;
mod parallel;
mod pool;
mod present;
mod query;
mod reduction;
mod schedule;
mod settings;
mod share;
mod show;
mod single;
mod target;
mod task;
mod task_entry;
mod taskloop;
mod team;
mod work;

pub(crate) use present::begin;
pub(crate) use show::begin_simulation;

/// A function of ours: its name and its address.
type Function = (&'static str, usize);

/// Returns the functions that need the place of their caller, because a thread may wait in them.
pub(crate) fn waiting() -> Vec<Function> {
    let tables = [
        doacross::waiting,
        lock::waiting,
        loop_entry::waiting,
        loops::waiting,
        parallel::waiting,
        query::waiting,
        reduction::waiting,
        single::waiting,
        target::waiting,
        task_entry::waiting,
        taskloop::waiting,
    ];
    tables.iter().flat_map(|table| table()).collect()
}

/// Returns the address of our function of that name that does not wait.
pub(crate) fn replacement(name: &str) -> Option<usize> {
    if !is_of_openmp(name) {
        return None;
    }
    replacements().find(|(candidate, _)| *candidate == name).map(|(_, address)| address)
}

fn replacements() -> impl Iterator<Item = Function> {
    let tables = [
        affinity::replacements,
        memory::replacements,
        query::replacements,
        reduction::replacements,
        single::replacements,
        target::replacements,
    ];
    tables.into_iter().flat_map(|table| table())
}

/// Reports whether a function belongs to a run-time library of OpenMP.
pub(crate) fn is_of_openmp(name: &str) -> bool {
    name.starts_with("GOMP_") || name.starts_with("omp_")
}

/// Beginnings of the names that compiled code calls, and the constructs that they stand for.
const CONSTRUCTS: [(&str, &str); 17] = [
    ("GOMP_parallel_loop", "omp parallel for"),
    ("GOMP_parallel_sections", "omp parallel sections"),
    ("GOMP_parallel", "omp parallel"),
    ("GOMP_loop", "omp for"),
    ("GOMP_sections", "omp sections"),
    ("GOMP_single", "omp single"),
    ("GOMP_critical", "omp critical"),
    ("GOMP_atomic", "omp atomic"),
    ("GOMP_barrier", "omp barrier"),
    ("GOMP_ordered", "omp ordered"),
    ("GOMP_doacross", "omp ordered"),
    ("GOMP_cancel", "omp cancel"),
    ("GOMP_taskgroup", "omp taskgroup"),
    ("GOMP_taskwait", "omp taskwait"),
    ("GOMP_task", "omp task"),
    ("GOMP_target", "omp target"),
    ("GOMP_teams", "omp teams"),
];

/// Returns the name of a function as the user knows it: the construct that it stands for, or the
/// function of the specification.
pub(crate) fn shown(name: &'static str) -> &'static str {
    let known = CONSTRUCTS.iter().find(|(start, _)| name.starts_with(start));
    match known {
        Some((_, construct)) => construct,
        None if name.starts_with("omp_") => name.trim_end_matches('_'),
        None => name,
    }
}

/// Reports whether a function belongs to the run-time library of OpenACC, which is part of gcc's library
/// and executes regions on the thread that reaches them.
pub(crate) fn is_of_openacc(name: &str) -> bool {
    name.starts_with("GOACC_") || name.starts_with("acc_")
}

/// Reports whether a library is the run-time library of OpenMP whose place we take.
pub(crate) fn is_library(name: &str) -> bool {
    name.starts_with("libgomp.so")
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, process::Command};

    use super::*;

    #[test]
    fn no_function_is_there_twice() {
        let mut known = BTreeSet::new();
        for (name, _) in waiting().into_iter().chain(replacements()) {
            assert!(known.insert(name), "{name}");
            assert!(is_of_openmp(name), "{name}");
        }
    }

    /// Every function of the compiler's run-time library that programs call is one of ours.
    #[test]
    fn all_functions_of_the_compiler_are_there() {
        let path = Command::new("gcc").arg("-print-file-name=libgomp.so.1").output();
        let path = path.map(|found| String::from_utf8_lossy(&found.stdout).trim().to_string());
        let Some(path) = path.ok().filter(|path| path.contains('/')) else {
            eprintln!("skipped: gcc or its library is not installed");
            return;
        };
        let symbols = Command::new("nm").args(["-D", "--defined-only", &path]).output();
        let symbols = String::from_utf8(symbols.expect("binutils").stdout).expect("text");
        let known: BTreeSet<&str> =
            waiting().into_iter().chain(replacements()).map(|(name, _)| name).collect();
        let names = symbols.lines().filter_map(|line| line.split_whitespace().nth(2));
        let names = names.filter_map(|name| name.split('@').next());
        let ours = names.filter(|name| is_of_openmp(name) && !name.starts_with("GOMP_PLUGIN_"));
        let missing: Vec<&str> = ours
            .filter(|name| {
                !known.contains(name) && name.contains(|letter: char| letter.is_lowercase())
            })
            .collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn functions_are_shown_as_the_user_knows_them() {
        for (name, text) in [
            ("GOMP_parallel", "omp parallel"),
            ("GOMP_parallel_loop_dynamic", "omp parallel for"),
            ("GOMP_loop_ull_guided_start", "omp for"),
            ("GOMP_taskwait_depend", "omp taskwait"),
            ("omp_set_lock_", "omp_set_lock"),
            ("pthread_mutex_lock", "pthread_mutex_lock"),
        ] {
            assert_eq!(shown(name), text);
        }
    }
}
