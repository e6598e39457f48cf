//! Memory of a program: private where it can be written, shared where it cannot.

use guest::{libc::Ending, loader::Text};

use crate::harness::{compile, compile_into, compile_library, run_one_after_another, simulate};

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

/// Each level has every barrier done twice: three calls are six and then twelve.
fn a_program_with_levels(low: &[&str], high: &[&str], link: &[&str]) {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let objects = [("low", low), ("high", high)].map(|(level, names)| {
        let object = folder.path().join(format!("{level}.o"));
        let own = format!("-DLEVEL={level}");
        let flags = [&["-c", own.as_str()], names].concat();
        compile_into("level.c", &flags, folder.path(), &object);
        object.to_str().expect("a plain name").to_owned()
    });
    let flags = [&[objects[0].as_str(), objects[1].as_str()], link].concat();
    let run = compile("levels.c", &flags).run(2, &[]);
    assert_eq!(run.output, ["3 6\n"; 2]);
    assert_eq!(run.sites.len(), 2 * 12);
}

#[test]
fn a_profiling_library_may_lie_over_another() {
    let below = "-DMPI_Barrier=low_Barrier";
    let over = "-DPMPI_Barrier=low_Barrier";
    a_program_with_levels(&[below], &[over], &[]);
}

#[test]
fn the_linker_may_put_a_level_over_another() {
    let over = ["-DMPI_Barrier=__wrap_MPI_Barrier", "-DPMPI_Barrier=__real_MPI_Barrier"];
    a_program_with_levels(&[], &over, &["-Wl,--wrap=MPI_Barrier"]);
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

#[test]
fn flags_of_the_compiler_make_no_difference() {
    let flags: [&[&str]; 10] = [
        &["-O0"],
        &["-O2", "-D_FORTIFY_SOURCE=2"],
        &["-O3", "-funroll-loops"],
        &["-Os", "-s"],
        &["-fPIC"],
        &["-flto"],
        &["-Wl,-z,pack-relative-relocs"],
        &["-Wl,-z,noseparate-code", "-Wl,-z,norelro"],
        &["-Wl,-z,lazy", "-rdynamic"],
        &["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-fstack-protector-all"],
    ];
    for flags in flags {
        for text in [Text::Shared, Text::Copied] {
            let run = compile("globals.c", flags).run_with(3, &["word"], Some(text));
            assert_eq!(run.endings, [const { Ending::Exited(0) }; 3], "{flags:?}");
            assert_eq!(run.output[2], "6 13 12 8 14 last 4 3.5 2 word\n", "{flags:?}");
        }
    }
}

#[test]
fn sources_may_be_compiled_one_by_one() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let object = folder.path().join("counter.o");
    compile_into("counter.c", &["-c"], folder.path(), &object);
    let program = compile("with_library.c", &[object.to_str().expect("a plain name")]);
    let run = program.run(3, &[]);
    assert_eq!(run.output, ["104 4 108\n", "105 4 109\n", "106 4 110\n"]);
}

#[test]
fn programs_are_shared_by_threads() {
    fn shared<T: Send + Sync>(value: T) -> T {
        value
    }
    let program = shared(compile("globals.c", &[]).open());
    let runs: Vec<_> = (0..16)
        .map(|_| {
            let program = std::sync::Arc::clone(&program);
            std::thread::spawn(move || simulate(&program, 50, &["word"], None).output)
        })
        .collect();
    let mut outputs = runs.into_iter().map(|run| run.join().expect("the run ends"));
    let first = outputs.next().expect("a run");
    outputs.for_each(|output| assert_eq!(output, first));
}

#[test]
fn a_slot_is_as_new_for_the_next_rank() {
    let program = compile("fresh.c", &[]);
    for text in [Text::Shared, Text::Copied] {
        let images = guest::loader::Images::new(&program.open(), 1, Some(text)).expect("memory");
        assert_eq!(run_one_after_another(&images, 3), [const { Ending::Exited(0) }; 3]);
    }
}
