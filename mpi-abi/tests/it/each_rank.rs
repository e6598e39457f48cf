//! What each rank has for itself: the cases of `ctest/each_rank.c`, twice in one process.

use guest::libc::Ending;

use crate::harness::{Run, compile};

/// Cases that say nothing but what is wrong.
const SILENT: [&str; 24] = [
    "short_options",
    "different_options",
    "thread_local_zeros",
    "tables",
    "unknown_errors",
    "unknown_signals",
    "addresses",
    "temporary_names",
    "base_64",
    "digits",
    "characters_given_back",
    "masks",
    "locales",
    "zones",
    "generators",
    "characters_in_parts",
    "limits",
    "environment",
    "assigned_input",
    "reopened_input",
    "redirected_input",
    "questions",
    "files_of_others",
    "unflushed",
];

/// Runs a case on four ranks twice, and gives the second run.
fn twice(program: &crate::harness::Compiled, case: &str) -> Run {
    let folder = program.folder().display().to_string();
    let run = || {
        let run = program.run(4, &[&folder, case]);
        let well = run.endings.iter().all(|ending| *ending == Ending::Exited(0));
        assert!(well, "{case}: {:?} {:?}", run.endings, run.errors);
        run
    };
    run();
    run()
}

#[test]
fn what_the_library_keeps_belongs_to_a_rank() {
    let program = compile("each_rank.c", &["-w"]);
    for case in SILENT {
        let run = twice(&program, case);
        assert_eq!(run.output, [""; 4], "{case}");
        assert_eq!(run.errors, [""; 4], "{case}");
    }
    for rank in 0..4 {
        let file = program.folder().join(format!("unflushed-{rank}"));
        let text = std::fs::read_to_string(file).expect("the file");
        assert_eq!(text, format!("at exit {rank}\n"));
    }
}

#[test]
fn faulty_options_are_named_as_by_the_library() {
    let program = compile("each_rank.c", &["-w"]);
    let run = twice(&program, "faulty_options");
    assert_eq!(run.errors[0], "");
    let first = "program: invalid option -- 'z'\n";
    let errors = format!("{first}program: option requires an argument -- 'n'\n");
    assert_eq!(run.errors[1], errors);
    let run = twice(&program, "long_options");
    let expected = "program: option '--ver' is ambiguous; possibilities: '--verbose' '--verify'\n\
                    program: unrecognized option '--none'\n\
                    program: option '--verify' doesn't allow an argument\n\
                    program: option '--size' requires an argument\n";
    assert_eq!(run.errors, [expected; 4]);
}

#[test]
fn descriptors_0_to_2_belong_to_a_rank() {
    let program = compile("each_rank.c", &["-w"]);
    let output = |case: &str| twice(&program, case).output;
    assert_eq!(output("assigned_output"), ["back\n"; 4]);
    assert_eq!(output("reopened_output"), ["before\n"; 4]);
    assert_eq!(output("quiet"), ["quiet 0\nloud\n", "loud\n", "loud\n", "loud\n"]);
    let lines = ["still here\n", "", "still here\n", "still here\n"];
    assert_eq!(output("closed_output"), lines);
    assert_eq!(output("lowest_number"), ["kept\n", "", "", ""]);
    for (rank, text) in output("output_into_errors").into_iter().enumerate() {
        assert_eq!(text, format!("to the output {rank}\ndirect {rank}\n"));
    }
    assert_eq!(output("streams_on_descriptors"), ["first\nsecond\n"; 4]);
}
