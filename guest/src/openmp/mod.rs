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
pub(crate) mod names;
mod pace;
mod parallel;
mod pool;
pub(crate) mod present;
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

pub(crate) use show::begin_simulation;

use crate::replacement::Replacement;

/// Returns the functions that need the place of their caller, because a thread may wait in them.
pub(crate) fn waiting() -> Vec<Replacement> {
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

/// Returns the other functions.
pub(crate) fn replacements() -> impl Iterator<Item = Replacement> {
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

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, process::Command};

    use super::{names::is_of_openmp, *};

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
}
