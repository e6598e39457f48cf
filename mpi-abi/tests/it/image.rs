//! Memory of a program: private where it can be written, shared where it cannot.

use mpi_abi::{libc::Ending, loader::Text};

use crate::harness::{compile, compile_library, simulate};

#[test]
fn globals_are_private_over_a_thousand_images() {
    let program = compile("globals.c", &[]);
    for text in [Text::Shared, Text::Copied] {
        let run = program.run_with(1000, &["last word"], Some(text));
        for rank in 0..1000 {
            assert_eq!(run.endings[rank], Ending::Exited(0), "rank {rank}");
            let expected = format!(
                "{} {} {} {} 14 last {} {} 2 last word\n",
                3 * rank,
                7 + 3 * rank,
                6 * rank,
                2 + 3 * rank,
                2 * rank,
                1.5 + rank as f64,
            );
            assert_eq!(run.output[rank], expected);
        }
    }
}

#[test]
fn libraries_of_a_program_are_private() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let library = compile_library("counter.c", folder.path(), "libcounter.so");
    let path = format!("-Wl,-rpath,{}", folder.path().display());
    let program = compile("with_library.c", &[library.to_str().expect("a plain name"), &path]);
    let run = program.run(50, &[]);
    for rank in 0..50 {
        assert_eq!(run.endings[rank], Ending::Exited(0));
        // The call is evaluated before the variables are read, as gcc does.
        assert_eq!(run.output[rank], format!("{} 4 {}\n", 104 + rank, 108 + rank));
    }
}

#[test]
fn a_program_may_intercept_functions() {
    let run = compile("profile.c", &[]).run(3, &[]);
    assert_eq!(run.output, ["2\n"; 3]);
    assert_eq!(run.sites.len(), 6);
}

#[test]
fn shared_objects_with_a_main_run_too() {
    let run = compile("lifecycle.c", &["-shared", "-fPIC"]).run(2, &[]);
    assert_eq!(run.endings, [Ending::Exited(1), Ending::Exited(2)]);
}

#[test]
fn a_megabyte_of_globals_per_rank() {
    let run = compile("large.c", &[]).run(64, &[]);
    assert!(run.endings.iter().all(|ending| *ending == Ending::Exited(0)));
}

#[test]
fn one_program_runs_many_times_in_one_process() {
    let program = compile("globals.c", &[]);
    let opened = program.open();
    for _ in 0..3 {
        let run = simulate(&opened, 20, &["x"], None);
        assert!(run.endings.iter().all(|ending| *ending == Ending::Exited(0)));
    }
}
