//! The C library as each rank sees it.

use guest::libc::Ending;

use crate::harness::compile;

#[test]
fn exit_handlers_run_in_reverse_order() {
    let program = compile("lifecycle.c", &[]);
    let run = program.run(3, &["main"]);
    for rank in 0..3 {
        let code = rank as i32 + 1;
        assert_eq!(run.endings[rank], Ending::Exited(code));
        let expected = format!("third {code}\nsecond\nlate\nfirst\ndestructor\n");
        assert_eq!(run.output[rank], expected);
    }
}

#[test]
fn exit_works_from_any_depth() {
    let run = compile("lifecycle.c", &[]).run(3, &["deep"]);
    assert_eq!(run.endings, [Ending::Exited(0), Ending::Exited(1), Ending::Exited(2)]);
    assert!(run.output[2].ends_with("destructor\n"));
}

#[test]
fn exit_at_once_runs_nothing() {
    let run = compile("lifecycle.c", &[]).run(2, &["quick"]);
    assert_eq!(run.endings, [Ending::Exited(0), Ending::Exited(1)]);
    assert_eq!(run.output, ["", ""]);
}

#[test]
fn an_exit_inside_the_library_ends_the_rank_only() {
    let run = compile("lifecycle.c", &[]).run(2, &["err"]);
    assert_eq!(run.endings, [Ending::Exited(2), Ending::Exited(3)]);
    assert!(run.errors[1].ends_with("given up\n"), "{:?}", run.errors);
}

#[test]
fn an_unfinished_line_is_written_at_the_end() {
    let run = compile("lifecycle.c", &[]).run(2, &["f"]);
    assert_eq!(run.endings, [Ending::Exited(1), Ending::Exited(1)]);
    // What exit handlers print goes nowhere: the stream is closed.
    assert_eq!(run.output[0], "unfinished");
}

#[test]
fn lines_are_never_mixed() {
    let run = compile("output.c", &[]).run(8, &[]);
    let mut lines: Vec<String> = (0..5).map(|line| format!("rank 3 line = {line}\n")).collect();
    lines.push("fileno 1 2, end".to_string());
    assert_eq!(run.output[3], lines.concat());
    assert_eq!(run.errors[3], "error 0\nerror 1\nerror 2\nerror 3\nerror 4\n");
    for (rank, text) in &run.lines {
        assert!(text.ends_with('\n') || text.ends_with("end"), "rank {rank} wrote {text:?}");
    }
}

#[test]
fn options_numbers_and_words_belong_to_a_rank() {
    let program = compile("library_state.c", &["-lm"]);
    let run = program.run(6, &["-v", "-n", "name", "-v", "rest"]);
    // The first numbers of `rand` after srand(0), the same as after srand(1).
    let numbers = "1804289383 846930886 1681692777";
    for rank in 0..6 {
        assert_eq!(run.endings[rank], Ending::Exited(0));
        let lines: Vec<&str> = run.output[rank].lines().collect();
        assert_eq!(lines[0], "options 2 name rest");
        assert!(lines[1].starts_with(numbers), "rank {rank}: {}", lines[1]);
        assert_eq!(lines[1], run.output[0].lines().nth(1).expect("two lines"));
        assert_eq!(lines[2], "one.two.three.");
        assert_eq!(lines[3], format!("{} 4", rank + 2));
    }
}

#[test]
fn clocks_tell_simulated_time() {
    let run = compile("clocks.c", &[]).run(2, &[]);
    // 1 January 2000, and 103.75 s of sleep.
    assert_eq!(run.output[0], "103.750 103.750 103 946684800 103.75\n");
    assert_eq!(run.output[1], run.output[0]);
}

#[test]
fn a_failing_rank_says_how() {
    let program = compile("failures.c", &[]);
    let ending = |how: &str| {
        let mut run = program.run(3, &[how]);
        assert_eq!(run.endings[0], Ending::Exited(0));
        assert_eq!(run.endings[2], Ending::Exited(0));
        run.endings.swap_remove(1)
    };
    assert_eq!(ending("abort"), Ending::Signalled(6));
    assert_eq!(ending("raise"), Ending::Signalled(15));
    let Ending::Assertion { condition, file, line, function } = ending("condition") else {
        panic!("no assertion failed")
    };
    assert_eq!(condition, "rank == 0 && \"rank zero\"");
    assert!(file.ends_with("failures.c"));
    assert_eq!((line, function.as_str()), (22, "main"));
    let Ending::Refused(reason) = ending("fork") else { panic!("fork was not refused") };
    assert!(reason.contains("fork"), "{reason}");
}

#[test]
#[allow(unsafe_code, reason = "gives the process another standard input")]
fn the_first_rank_reads_after_its_prompt() {
    let program = compile("input.c", &["-w"]);
    let file = program.folder().join("numbers");
    std::fs::write(&file, "12\n34\n").expect("a file");
    let file = std::fs::File::open(&file).expect("the file");
    // SAFETY: no other test reads standard input.
    let taken = unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&file), 0) };
    assert_eq!(taken, 0);
    let run = program.run(2, &[]);
    assert_eq!(run.output[0], "n? 2 12 34 0\n");
    assert_eq!(run.output[1], "n? -1 -1 -1 0\n");
    assert_eq!(run.lines[0], (0, "n? ".to_string()));
}
