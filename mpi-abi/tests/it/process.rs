//! What a rank may do to its process: no other rank notices, and neither does the simulator.

use std::{collections::BTreeSet, path::Path};

use guest::libc::Ending;
use sim_core::{Access, Outcome, ProcessId};

use crate::{
    harness::{compile, compile_library, run_in_own_process},
    mpi::holds,
};

#[test]
fn exceptions_of_callbacks_reach_the_program() {
    holds("throws");
}

#[test]
fn every_rank_has_its_floating_point_modes() {
    for level in ["-O0", "-O2"] {
        let run = compile("float.c", &[level, "-lm"]).run(9, &[]);
        for rank in 0..9 {
            assert_eq!(run.endings[rank], Ending::Exited(0), "rank {rank}");
            assert_eq!(run.output[rank], "1\n");
        }
    }
}

#[test]
fn every_rank_has_its_own_end_of_an_exception() {
    let program = compile("terminates.cpp", &[]);
    let uncaught = |how: &str| {
        let run = program.run(3, &[how]);
        assert_eq!(run.endings[0], Ending::Exited(0));
        assert_eq!(run.endings[1], Ending::Exited(7), "its own handler ends it");
        match &run.endings[2] {
            Ending::Uncaught { what, site } => (what.clone(), site.line),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(uncaught("text"), ("char const*: plain".to_string(), 15));
    assert_eq!(uncaught("int"), ("int".to_string(), 17));
    let (what, line) = uncaught("range");
    assert!(what.starts_with("std::out_of_range: vector::_M_range_check"), "{what}");
    assert_eq!(line, 19);
    assert_eq!(uncaught("none"), ("std::terminate was called without one".to_string(), 21));
    assert_eq!(uncaught("base"), ("Own: own words".to_string(), 23));
}

#[test]
fn every_rank_has_its_signals() {
    holds("signals");
}

#[test]
fn signals_end_their_rank() {
    let program = compile("signalled.c", &["-w"]);
    let outcome = |how: &str| {
        let mut run = program.run(3, &[how]);
        let struck = match run.outcome {
            Outcome::Signal { process: ProcessId(1), signal, access, .. } => {
                Some((signal, access.is_some_and(Access::is_null)))
            }
            Outcome::Completed => None,
            other => panic!("{how}: {other:?}"),
        };
        (struck, run.endings.swap_remove(1))
    };
    assert_eq!(outcome("blocked").0, Some((libc::SIGSEGV, true)));
    assert_eq!(outcome("abort"), (None, Ending::Signalled(libc::SIGABRT)));
    assert_eq!(outcome("leaves in a handler"), (None, Ending::Exited(libc::SIGABRT)));
    assert_eq!(outcome("pipe").0, Some((libc::SIGPIPE, false)));
    assert_eq!(outcome("strikes again").0, Some((libc::SIGSEGV, true)));
    assert_eq!(outcome("term"), (None, Ending::Signalled(libc::SIGTERM)));
    assert_eq!(outcome("exits in a handler"), (None, Ending::Exited(libc::SIGTERM)));
    assert_eq!(outcome("kill"), (None, Ending::Signalled(libc::SIGKILL)));
}

#[test]
fn randomness_and_host_are_the_same_in_every_run() {
    let program = compile("random.cpp", &[]);
    let runs = [program.run(3, &[]), program.run(3, &[])];
    for rank in 0..3 {
        assert_eq!(runs[0].endings[rank], Ending::Exited(0));
        assert_eq!(runs[0].output[rank], runs[1].output[rank]);
        let lines: BTreeSet<&str> = runs[0].output[rank].lines().collect();
        assert_eq!(lines.len(), 10, "{lines:?}");
        assert!(lines.contains("host node0 node0 2130706688 999"), "{lines:?}");
    }
    let drawn = |rank: usize| runs[0].output[rank].lines().take(9).collect::<Vec<_>>();
    assert!(drawn(0).iter().zip(drawn(1)).all(|(one, other)| *one != other));
}

/// The compilers that other tests start inherit the ends of pipes that ranks have open: as long as one of them runs, a reader
/// of the pipe does not meet its end.
#[test]
fn ranks_wait_for_each_other_in_the_system() {
    run_in_own_process("process::waits_in_a_process_of_its_own");
}

#[test]
#[ignore = "ranks_wait_for_each_other_in_the_system runs it"]
fn waits_in_a_process_of_its_own() {
    for program in ["waits_in_system", "waits_in_streams", "waits_for_one_of_several"] {
        holds(program);
    }
}

#[test]
fn ranks_wait_for_each_other_in_memory_that_they_share() {
    holds("shared_memory");
}

#[test]
fn opened_libraries_belong_to_a_rank() {
    let program = compile("opens.c", &["-rdynamic", "-ldl"]);
    let library = compile_library("plugin.c", program.folder(), "libplugin.so");
    let run = program.run(5, &[&library.display().to_string()]);
    for rank in 0..5 {
        assert_eq!(run.endings[rank], Ending::Exited(0), "{}", run.output[rank]);
    }
}

#[test]
fn the_library_of_a_program_is_not_loaded_a_second_time() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let library = compile_library("counter.c", folder.path(), "libcounter.so");
    let library = library.to_str().expect("a plain name");
    let path = format!("-Wl,-rpath,{}", folder.path().display());
    let program = compile("opens_own.c", &["-rdynamic", "-ldl", library, &path]);
    let run = program.run(3, &[library]);
    for rank in 0..3 {
        assert_eq!(run.endings[rank], Ending::Exited(0), "{}", run.output[rank]);
        assert_eq!(run.output[rank], format!("{}\n", 101 + rank));
    }
}

#[test]
fn plugins_in_cxx_throw_and_catch_across_their_boundary() {
    let program = compile("plugins.cpp", &["-std=c++20", "-rdynamic", "-ldl"]);
    let library = compile_library("plugin.cpp", program.folder(), "libshapes.so");
    for ranks in [1, 3] {
        let run = program.run(ranks, &[&library.display().to_string()]);
        for rank in 0..ranks as usize {
            assert_eq!(run.endings[rank], Ending::Exited(0), "{}", run.output[rank]);
            assert_eq!(run.output[rank], "ended 3\n");
        }
    }
}

#[test]
fn a_program_is_told_in_which_of_its_calls_it_is() {
    for flags in [&["-rdynamic", "-ldl"][..], &["-ldl"]] {
        let run = compile("traces.c", flags).run(3, &[]);
        for rank in 0..3 {
            assert_eq!(run.endings[rank], Ending::Exited(0), "{}", run.output[rank]);
            let lines: Vec<&str> = run.output[rank].lines().collect();
            assert_eq!(lines.len(), 3, "{lines:?}");
            for (line, name) in
                lines.iter().zip(["/program(inner", "/program(outer", "/program(main"])
            {
                assert!(line.contains(name), "{line}");
            }
        }
    }
}

#[test]
fn names_of_nodes_lead_to_their_ranks() {
    holds("node_names");
}

/// Whatever a program calls may call it back, error handlers at least, and those may throw.
#[test]
fn every_entry_point_lets_exceptions_pass() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/function")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a text");
            assert!(!text.contains("extern \"C\" fn"), "{} ends exceptions", path.display());
            seen += text.matches("extern \"C-unwind\" fn").count();
        }
    }
    assert!(seen > 200, "{seen}");
}
