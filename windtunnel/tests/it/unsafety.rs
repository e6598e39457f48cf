//! Unsafe code stays in the rooms that need it.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Folders with the reason for unsafe code there, and the files that have some.
const ROOMS: [(&str, &str, &[&str]); 14] = [
    (
        "sim-core/src",
        "stacks, coroutines, signal handlers, and a prefetch instruction",
        &[
            "metering.rs",
            "prefetch.rs",
            "process/caller.rs",
            "process/entropy.rs",
            "process/growth.rs",
            "process/guest.rs",
            "process/handler.rs",
            "process/mailbox.rs",
            "process/mod.rs",
            "process/registers.rs",
            "process/running.rs",
            "process/script.rs",
            "process/stack.rs",
            "process/stop.rs",
            "process/stretch.rs",
            "process/table.rs",
            "process/trap.rs",
            "tests.rs",
        ],
    ),
    (
        "mpi-api/src",
        "buffers of programs known by address, as in the API of rsmpi",
        &[
            "api/collective/neighborhood/exchange.rs",
            "api/collective/neighborhood/mod.rs",
            "api/collective/neighborhood/persistent.rs",
            "api/collective/operation.rs",
            "api/datatype/complex_datatype.rs",
            "api/datatype/dynamic.rs",
            "api/datatype/equivalence.rs",
            "api/datatype/mod.rs",
            "api/datatype/moving.rs",
            "api/datatype/partition.rs",
            "api/datatype/view.rs",
            "api/point_to_point/source.rs",
            "api/topology/communicator.rs",
            "object/datatype/copy.rs",
        ],
    ),
    ("mpi-api/derive/src", "generates implementations of an unsafe trait", &["lib.rs"]),
    (
        "guest/src/loader",
        "maps programs, writes their words and machine code, jumps into them",
        &[
            "arena.rs",
            "contents.rs",
            "enter.rs",
            "guard.rs",
            "image.rs",
            "library.rs",
            "plugin.rs",
            "symbol.rs",
            "thread.rs",
        ],
    ),
    ("guest/src/memory", "reads pointers in the frames of programs", &["mod.rs"]),
    (
        "guest/src/libc",
        "replaces functions of the C library: called by programs with the arguments that C or POSIX define",
        &[
            "answer.rs",
            "backtrace.rs",
            "clock.rs",
            "cxx.rs",
            "cxx_globals.rs",
            "descriptor_timers.rs",
            "device.rs",
            "dynamic.rs",
            "entropy.rs",
            "errno.rs",
            "float.rs",
            "folder.rs",
            "gamma.rs",
            "getopt/long.rs",
            "getopt/mod.rs",
            "getopt/scan.rs",
            "heap.rs",
            "hosts.rs",
            "identity.rs",
            "itself.rs",
            "lent.rs",
            "limits.rs",
            "locale.rs",
            "multibyte.rs",
            "process.rs",
            "program_name.rs",
            "random.rs",
            "rank.rs",
            "report.rs",
            "shared_name.rs",
            "signal/action.rs",
            "signal/jump.rs",
            "signal/lap.rs",
            "signal/mask.rs",
            "signal/send.rs",
            "signal/spin.rs",
            "signal/strike.rs",
            "signal/timer.rs",
            "startup.rs",
            "stdio/cxx_library.rs",
            "stdio/descriptor.rs",
            "stdio/duplicate.rs",
            "stdio/implicit.rs",
            "stdio/kept.rs",
            "stdio/modelled.rs",
            "stdio/mod.rs",
            "stdio/open.rs",
            "stdio/ready.rs",
            "stdio/system.rs",
            "stdio/timer.rs",
            "stdio/wide/reading.rs",
            "stdio/wide/writing.rs",
            "string.rs",
            "surroundings.rs",
            "suspend.rs",
            "system/file.rs",
            "system/lock.rs",
            "system/queue.rs",
            "system/ready.rs",
            "system/socket.rs",
            "thread/affinity.rs",
            "thread/attribute.rs",
            "thread/barrier.rs",
            "thread/c11.rs",
            "thread/condition.rs",
            "thread/cxx.rs",
            "thread/futex.rs",
            "thread/guard.rs",
            "thread/key.rs",
            "thread/leave.rs",
            "thread/life.rs",
            "thread/mutex.rs",
            "thread/once.rs",
            "thread/rwlock.rs",
            "thread/semaphore.rs",
            "thread/spin.rs",
            "thread/stack.rs",
            "thread/table.rs",
            "thread_local.rs",
            "usage.rs",
            "zone.rs",
        ],
    ),
    (
        "guest/src/openmp",
        "stands in for the run-time library of OpenMP: called by compiled code, calls its functions",
        &[
            "affinity.rs",
            "block.rs",
            "doacross.rs",
            "lock.rs",
            "loop_entry.rs",
            "loops.rs",
            "memory.rs",
            "pool.rs",
            "query.rs",
            "reduction.rs",
            "single.rs",
            "target.rs",
            "task_entry.rs",
            "taskloop.rs",
            "work.rs",
        ],
    ),
    (
        "guest/src/watch",
        "closes pages of programs and handles the signals that follow",
        &["interrupted.rs", "mod.rs", "signal.rs", "system_call.rs"],
    ),
    (
        "guest/src",
        "walks frames and static variables of programs, stands in for clock functions, is known by a name",
        &["debugger.rs", "running.rs", "site/mod.rs", "std_clock.rs"],
    ),
    (
        "mpi-abi/src",
        "memory and functions of programs, as arguments of MPI calls give them",
        &[
            "function/attribute.rs",
            "function/block.rs",
            "function/fortran/attribute.rs",
            "function/fortran/callback.rs",
            "function/fortran/entry.rs",
            "function/operation.rs",
            "function/request/complete.rs",
            "function/short.rs",
            "function/transfer.rs",
            "memory.rs",
            "state/rank.rs",
            "state/thread.rs",
            "state/timer.rs",
            "state/watching.rs",
            "std_process.rs",
        ],
    ),
    (
        "scenarios/src",
        "a program whose sections of an array are known by address",
        &["program/poisson.rs"],
    ),
    (
        "conformance/src",
        "programs of the documents that use unsafe functions of rsmpi",
        &[
            "collectives/location.rs",
            "datatypes/maps.rs",
            "datatypes/packing.rs",
            "datatypes/particle.rs",
            "datatypes/particles.rs",
            "equivalences/datatypes.rs",
            "paper/migration.rs",
            "point_to_point/typed.rs",
            "textbook/freed.rs",
            "textbook/layouts.rs",
            "textbook/ring.rs",
        ],
    ),
    (
        "workers/src",
        "forks processes and handles their signals",
        &["child.rs", "overlay.rs", "process.rs", "supervise.rs"],
    ),
    (
        "windtunnel/src",
        "allocator, signals, time limits",
        &["allocator.rs", "execution.rs", "output.rs"],
    ),
];

/// Words that begin unsafe code.
const WORDS: [&str; 5] = ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "unsafe("];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Adds the Rust files below a folder.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            into.push(path);
        }
    }
}

/// Returns the files of the crates that have unsafe code.
fn found() -> BTreeSet<String> {
    let mut files = Vec::new();
    let crates = fs::read_dir(root()).expect("the workspace").flatten();
    let inner = ["mpi-api/derive", "mpi-abi/functions"].map(|name| root().join(name));
    let folders = crates.map(|entry| entry.path()).chain(inner).map(|path| path.join("src"));
    folders.filter(|path| path.is_dir()).for_each(|path| sources(&path, &mut files));
    let is_unsafe = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a source");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.into_iter().any(|line| WORDS.iter().any(|word| line.contains(word)))
    };
    let name = |path: &PathBuf| {
        let path = path.strip_prefix(root()).expect("a file of the workspace");
        path.display().to_string()
    };
    files.iter().filter(|path| is_unsafe(path)).map(name).collect()
}

#[test]
fn unsafe_code_is_where_the_list_says() {
    let files = |(folder, _, files): &(&str, &str, &[&str])| {
        files.iter().map(|file| format!("{folder}/{file}")).collect::<Vec<_>>()
    };
    let listed: BTreeSet<String> = ROOMS.iter().flat_map(files).collect();
    let found = found();
    let new: Vec<_> = found.difference(&listed).collect();
    assert!(new.is_empty(), "unsafe code outside of its rooms (or list the file): {new:?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "these files have no unsafe code any more: {gone:?}");
}

#[test]
fn every_room_allows_it_with_a_reason() {
    let mut files = Vec::new();
    let crates = fs::read_dir(root()).expect("the workspace").flatten();
    let folders = crates.map(|entry| entry.path().join("src"));
    folders.filter(|path| path.is_dir()).for_each(|path| sources(&path, &mut files));
    for path in files {
        let text = fs::read_to_string(&path).expect("a source");
        let allows = text.split("allow(unsafe_code").skip(1);
        for rest in allows {
            let rest = rest.split(")]").next().unwrap_or_default();
            assert!(
                rest.contains("reason = "),
                "{} allows unsafe code without a reason",
                path.display()
            );
        }
    }
}
