//! C++ and Fortran.

use guest::{libc::Ending, loader::Text};

use crate::harness::{compile, has_fortran};

#[test]
fn objects_exceptions_and_streams_belong_to_a_rank() {
    let run = compile("objects.cpp", &[]).run(100, &[]);
    for rank in 0..100 {
        assert_eq!(run.endings[rank], Ending::Exited(0), "{:?}", run.errors[rank]);
        let number = if rank % 2 == 0 { "1.50" } else { "1.5" };
        let expected = format!(
            "rank {rank} rank {rank}\n{number} {} {}\n~own{rank}\n~local{rank}\n~global\n",
            rank + 1,
            rank + 5,
        );
        assert_eq!(run.output[rank], expected);
        assert_eq!(run.errors[rank], "end\n");
    }
}

#[test]
fn an_uncaught_exception_ends_its_rank() {
    let run = compile("objects.cpp", &[]).run(3, &["fail"]);
    let Ending::Uncaught { what, site } = &run.endings[2] else { panic!("{:?}", run.endings) };
    assert_eq!(what, "std::runtime_error: rank 2");
    assert_eq!((site.line, site.function), (28, "fail"));
}

#[test]
fn fortran_variables_belong_to_a_rank() {
    if !has_fortran() {
        eprintln!("skipped: gfortran is not installed");
        return;
    }
    let program = compile("variables.f90", &[]);
    for text in [Text::Shared, Text::LargeShared, Text::Copied] {
        let run = program.run_with(40, &[], Some(text));
        for rank in 0..40 {
            let ended = Ending::Exited(rank as i32 % 7);
            assert_eq!(run.endings[rank], ended, "{:?}", run.errors[rank]);
            let expected = format!("{} {} {} {}", 3 * rank, 3 * rank + 1, 2 + 3 * rank, rank);
            let words = run.output[rank].split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(words, expected);
        }
    }
}

#[test]
fn openmp_has_one_thread_unless_more_are_asked_for() {
    let run = compile("threads.c", &["-fopenmp"]).run(5, &[]);
    for rank in 0..5 {
        assert_eq!(run.output[rank], format!("{} 1\n", 10 * rank));
    }
}

#[test]
fn what_the_library_keeps_for_a_thread_is_found() {
    let run = compile("threads.cpp", &[]).run(5, &[]);
    for rank in 0..5 {
        assert_eq!(run.endings[rank], Ending::Exited(0), "{:?}", run.errors[rank]);
        assert_eq!(run.output[rank], format!("{} {}\n", rank + 1, 10 * rank));
    }
}

#[test]
fn threads_need_a_host_that_begins_them() {
    let run = compile("threads.cpp", &["-pthread"]).run(2, &["one"]);
    let Ending::Refused(why) = &run.endings[1] else { panic!("{:?}", run.endings) };
    assert!(why.contains("starts a thread"), "{why}");
}
