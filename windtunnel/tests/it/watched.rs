//! What `check` sees of memory that operations own, and leaves alone beside it.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::c_programs::{compile_at, object, windtunnel};

fn verdict(program: &str, folder: &TempDir, words: &[&str]) -> String {
    let words = [&["check", program, "-n", "3", "--json", "--"], words].concat();
    let (_, report) = object(&words, folder.path());
    report["verdict"].as_str().expect("a verdict").to_string()
}

/// Looks at a program compiled with and without optimisation.
fn at_each_level(source: &str, look: impl Fn(&str, &TempDir)) {
    at_levels(&["-O0", "-O2"], source, look);
}

/// Looks at a program compiled at these levels, which is right.
fn at_levels(levels: &[&str], source: &str, look: impl Fn(&str, &TempDir)) {
    for level in levels {
        let folder = TempDir::new().expect("a folder");
        let program = compile_at(level, source, &folder);
        assert_eq!(verdict(&program, &folder, &[]), "ok", "{level}");
        look(&program, &folder);
    }
}

fn must_not_read(program: &str, folder: &TempDir) {
    assert_eq!(verdict(program, folder, &["read"]), "local-concurrency", "{program}");
}

#[test]
fn containers_beside_what_operations_own_are_the_programs() {
    at_each_level("watched.cpp", must_not_read);
}

#[test]
fn an_instruction_may_access_several_pages_beside_what_operations_own() {
    at_each_level("straddles.c", |program, folder| {
        must_not_read(program, folder);
        let (code, watched) = windtunnel(&["check", program, "-n", "3"], folder.path());
        let (_, plain) = windtunnel(&["mpiexec", "-n", "3", program], folder.path());
        assert_eq!(code, Some(0), "{watched}");
        assert!(watched.contains(plain.trim()), "{watched} {plain}");
    });
}

#[test]
fn optimised_code_may_load_elements_between_those_that_it_uses() {
    at_levels(&["-O0", "-O2", "-O3"], "columns.c", must_not_read);
}

#[test]
fn optimised_code_may_load_elements_of_windows_between_those_that_it_uses() {
    at_levels(&["-O1", "-O3", "-Ofast"], "elements.c", |program, folder| {
        for case in ["puts", "stores"] {
            assert_eq!(verdict(program, folder, &[case]), "global-concurrency", "{program} {case}");
        }
    });
}

#[test]
fn a_stop_while_accesses_are_looked_at_is_no_signal_of_the_program() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_at("-O2", "many_accesses.c", &folder);
    for time in ["500ms", "600ms", "700ms", "800ms", "900ms", "1s"] {
        let words = ["check", &program, "-n", "8", "--max-wall", time];
        let (_, text) = windtunnel(&words, folder.path());
        assert!(!text.contains("SIGSEGV"), "{time}: {text}");
    }
}

#[test]
fn clocks_may_be_read_while_variables_on_the_stack_receive() {
    at_each_level("timed.c", |_, _| {});
}

#[test]
fn threads_communicate_beside_operations_of_others() {
    at_each_level("helpers.c", |program, folder| {
        assert_eq!(verdict(program, folder, &["early"]), "global-concurrency", "{program}");
    });
}

#[test]
fn threads_that_a_condition_wakes_run_in_both_orders() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_at("-O0", "woken_threads.c", &folder);
    for case in [&["0"][..], &["1"], &["0", "inside"], &["1", "inside"]] {
        let words = [&["check", "-n", "2", "--json", &program, "--"], case].concat();
        let (_, report) = object(&words, folder.path());
        assert_eq!(report["verdict"], "local-concurrency", "{case:?}: {report}");
    }
}

#[test]
fn an_operation_owns_its_buffer_after_its_request_has_been_freed() {
    at_each_level("freed_requests.c", |program, folder| {
        for case in ["written", "read", "read_late", "passed"] {
            assert_eq!(verdict(program, folder, &[case]), "local-concurrency", "{program} {case}");
        }
        let (_, text) = windtunnel(&["check", program, "-n", "3", "--", "used"], folder.path());
        assert!(
            text.contains("rank 0: MPI_Recv uses a buffer that MPI_Isend still owns"),
            "{text}"
        );
    });
}

#[test]
fn a_jump_out_of_an_error_handler_ends_its_call() {
    at_each_level("jumps.c", |program, folder| {
        for (case, expected) in [
            ("read", "local-concurrency"),
            ("freed", "local-concurrency"),
            ("loads", "global-concurrency"),
            ("saved", "local-concurrency"),
        ] {
            assert_eq!(verdict(program, folder, &[case]), expected, "{program} {case}");
        }
        let (_, text) = windtunnel(&["check", program, "-n", "3", "--", "freed"], folder.path());
        assert!(text.contains("frees a buffer that MPI_Irecv still owns"), "{text}");
    });
}

/// The program fails in all executions, so that nothing is known of what it owned at its end.
#[test]
fn an_early_read_that_makes_a_call_fail_is_told() {
    at_each_level("early_count.c", |program, folder| {
        let (_, report) =
            object(&["check", program, "-n", "3", "--json", "--", "e"], folder.path());
        let findings = report["findings"].as_array().expect("findings");
        let codes: Vec<_> = findings.iter().map(|finding| &finding["code"]).collect();
        assert_eq!(codes, ["WT0011", "WT0024"], "{report}");
        let (_, printed) = windtunnel(&["mpiexec", "-n", "3", program], folder.path());
        assert_eq!(printed, "part 0, part 1, part 2\n");
    });
}

#[test]
fn a_request_that_is_never_completed_is_one_finding() {
    for level in ["-O0", "-O2"] {
        let folder = TempDir::new().expect("a folder");
        let program = compile_at(level, "lost.c", &folder);
        for (case, codes) in
            [("send", &["WT0012"][..]), ("written", &["WT0012"]), ("file", &["WT0013", "WT0012"])]
        {
            let (code, report) =
                object(&["check", &program, "-n", "3", "--json", "--", case], folder.path());
            let findings = report["findings"].as_array().expect("an array");
            let found = findings.iter().map(|finding| finding["code"].as_str());
            assert_eq!(
                found.collect::<Option<Vec<_>>>().as_deref(),
                Some(codes),
                "{case}: {report}"
            );
            assert_eq!((code, &report["verdict"]), (Some(1), &"request-lifecycle".into()));
            // A request is as wrong as an access to the buffer of its operation.
            let severity = if case == "written" { "error" } else { "warning" };
            let lost = findings.last().expect("it was looked at");
            assert_eq!(lost["severity"], severity, "{case}: {report}");
            assert_eq!(
                lost["sites"].to_string().contains("it is written to here"),
                case == "written",
                "{case}: {report}"
            );
            if case == "file" {
                let sites = findings[0]["sites"].as_array().expect("an array");
                let calls = sites.iter().map(|site| site["call"].as_str());
                let expected = ["MPI_File_close", "MPI_File_iwrite_at"].map(Some);
                assert_eq!(calls.collect::<Vec<_>>(), expected, "{report}");
            }
        }
    }
}

/// Checks a program with a conflict, and returns its findings and the line of its source that contains a text.
fn conflict(source: &str, text: &str, level: &str, words: &[&str]) -> (Value, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(source);
    let lines = fs::read_to_string(path).expect("the source");
    let line = lines.lines().position(|line| line.contains(text)).expect("a line") + 1;
    let folder = TempDir::new().expect("a folder");
    let program = compile_at(level, source, &folder);
    let words = [&["check", &program, "-n", "2", "--json", "--"], words].concat();
    let (_, report) = object(&words, folder.path());
    assert_eq!(report["verdict"], "local-concurrency", "{report}");
    (report["findings"].clone(), line)
}

#[test]
fn a_buffer_that_is_freed_too_early_is_told_with_the_line_of_the_free() {
    for level in ["-O0", "-O2"] {
        let (findings, line) = conflict("lost.c", "free(heap);", level, &["free"]);
        // Not that of a call of MPI before, whose return address is still on the stack.
        assert_eq!(findings[0]["sites"][1]["line"], line, "{findings}");
        assert_eq!(findings[0]["sites"][1]["label"], "its memory is released here", "{findings}");
        // The system moves a block of this size, so that there is no memory at its old address.
        let (findings, line) = conflict("lost.c", "= realloc(", level, &["grow"]);
        assert_eq!(findings[0]["sites"][1]["line"], line, "{findings}");
        // Not that of a function of the library, nor of one that filled the container. The allocator writes to small
        // blocks, leaves others as they are, and gives large ones back to the system: a signal then strikes the program.
        for count in ["100", "1000", "200000"] {
            let (findings, line) = conflict("gone.cpp", "// here", level, &[count]);
            assert_eq!(findings[0]["sites"][1]["line"], line, "{findings}");
            assert_eq!(findings[0]["sites"][1]["label"], "its memory is released here");
            assert_eq!(findings.as_array().map(Vec::len), Some(1), "{findings}");
        }
        // The memory of a string is released by the library.
        for length in ["100", "3000"] {
            let (findings, line) = conflict("outlived.cpp", "// here", level, &[length]);
            assert_eq!(findings[0]["sites"][1]["line"], line, "{findings}");
            assert_eq!(findings[0]["sites"][1]["label"], "its memory is released here");
        }
    }
}

/// Each element of a column is a piece of its own, and a window may be read word by word.
#[test]
fn early_reads_of_long_columns_and_windows_are_found() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_at("-O0", "long_reads.c", &folder);
    for (what, code, line) in [("column", "WT0024", 19), ("window", "WT0034", 29)] {
        let (_, report) =
            object(&["check", &program, "-n", "2", "--json", "--", what], folder.path());
        let finding = &report["findings"][0];
        assert_eq!(finding["code"], code, "{what}: {report}");
        let sites = finding["sites"].as_array().expect("sites").iter();
        assert!(sites.map(|site| &site["line"]).any(|told| *told == line), "{what}: {report}");
    }
}

/// The ordinary execution makes none of these mistakes.
#[test]
fn buffers_that_are_wrong_in_some_executions_only_are_found() {
    for level in ["-O0", "-O2"] {
        let folder = TempDir::new().expect("a folder");
        let program = compile_at(level, "early_uses.c", &folder);
        let check = |words: &[&str]| {
            let words = [&["check", &program, "-n", "4", "--json"], words].concat();
            object(&words, folder.path())
        };
        let (code, report) = check(&[]);
        assert_eq!((code, &report["verdict"]), (Some(0), &"ok".into()), "{level}: {report}");
        assert_eq!(report["explored"]["watched"]["in_full"], true, "{report}");
        for (wrong, code, site, line, schedule) in [
            ("index", "WT0024", 1, 29, "infinite+order="),
            ("flag", "WT0024", 1, 39, "infinite+polls"),
            ("count", "WT0037", 0, 33, "infinite+order="),
        ] {
            let (_, report) = check(&["--", wrong]);
            let findings = report["findings"].as_array().expect("an array");
            assert_eq!(findings.len(), 1, "{wrong}: {report}");
            assert_eq!(findings[0]["code"], code, "{wrong}: {report}");
            assert_eq!(findings[0]["sites"][site]["line"], line, "{wrong}: {report}");
            let told = findings[0]["schedule"].as_str().expect("a schedule");
            assert!(told.starts_with(schedule), "{wrong}: {told}");
            let (_, again) = check(&["--schedule", told, "--", wrong]);
            assert_eq!(again["findings"][0]["code"], code, "{wrong}: {again}");
            assert_eq!(again["findings"].as_array().map(Vec::len), Some(1), "{wrong}: {again}");
        }
    }
}

/// Functions on strings read whole blocks, which may begin in the buffer although the string does not.
#[test]
fn reads_by_other_threads_the_library_and_mpi_are_found() {
    for level in ["-O0", "-O2"] {
        let folder = TempDir::new().expect("a folder");
        let program = compile_at(level, "reads_elsewhere.c", &folder);
        let check = |words: &[&str]| {
            let words = [&["check", &program, "-n", "2", "--json"], words].concat();
            object(&words, folder.path())
        };
        let (code, report) = check(&[]);
        assert_eq!((code, &report["verdict"]), (Some(0), &"ok".into()), "{level}: {report}");
        for how in ["thread", "length", "equal", "number", "print", "pack"] {
            let (_, report) = check(&["--", how]);
            let findings = report["findings"].as_array().expect("an array");
            assert_eq!(findings.len(), 1, "{level} {how}: {report}");
            assert_eq!(findings[0]["code"], "WT0024", "{level} {how}: {report}");
        }
    }
}

#[test]
fn a_communicator_made_by_a_thread_is_told_at_the_line_of_its_call() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_at("-O0", "made_in_thread.c", &folder);
    let (_, report) = object(&["check", &program, "-n", "2", "--json"], folder.path());
    let findings = report["findings"].as_array().expect("an array");
    assert_eq!(findings.len(), 1, "{report}");
    assert_eq!(
        (&findings[0]["code"], &findings[0]["sites"][0]["line"]),
        (&"WT0017".into(), &9.into())
    );
}

/// The level is about every call, also about those in which no other rank takes part.
#[test]
fn the_thread_level_holds_for_local_calls() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_at("-O0", "thread_level.c", &folder);
    let check = |level: &str, what: &str| {
        object(&["check", &program, "-n", "2", "--json", "--", level, what], folder.path()).1
    };
    for (level, name) in [("0", "MPI_THREAD_SINGLE"), ("1", "MPI_THREAD_FUNNELED")] {
        for (what, call) in [
            ("rank", "MPI_Comm_rank"),
            ("size", "MPI_Comm_size"),
            ("pack", "MPI_Pack"),
            ("group", "MPI_Comm_group"),
            ("attribute", "MPI_Comm_get_attr"),
            ("reduce", "MPI_Reduce_local"),
            ("wait", "MPI_Wait"),
        ] {
            let report = check(level, what);
            let first = &report["findings"][0];
            assert_eq!(first["code"], "WT0028", "{level} {what}: {report}");
            assert_eq!(first["sites"][0]["call"], call, "{level} {what}: {report}");
            let message = first["message"].as_str().unwrap_or_default();
            assert!(message.ends_with(&format!("calls MPI: the level is {name}")), "{message}");
        }
        assert_eq!(check(level, "free")["verdict"], "ok", "{level}");
    }
    assert_eq!(check("2", "rank")["verdict"], "ok");
    // Libraries take such calls while no other thread makes one.
    let run = |more: &[&str]| {
        let words = [&["run", &program, "-n", "2", "--json"], more, &["--", "0", "rank"]].concat();
        let (code, report) = object(&words, folder.path());
        let findings = report["findings"].as_array().map_or(0, Vec::len);
        (code, report["outcome"].clone(), findings, report["findings"][0]["severity"].clone())
    };
    assert_eq!(run(&[]), (Some(1), "completed".into(), 1, "warning".into()));
    let mpiexec = ["mpiexec", "-n", "2", &program, "0", "rank"];
    assert_eq!(windtunnel(&mpiexec, folder.path()).0, Some(0));
    let failed = (Some(1), "failed".into(), 1, "error".into());
    assert_eq!(run(&["--strictness", "standard"]), failed);
    assert_eq!(run(&["--policy", "calls-of-other-threads=end-the-run"]), failed);
}

#[test]
fn a_check_says_if_accesses_are_too_many() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_at("-O0", "early_uses.c", &folder);
    let words = ["check", &program, "-n", "2", "--json", "--", "beside"];
    let (_, report) = object(&words, folder.path());
    assert_eq!(report["explored"]["watched"]["in_full"], false, "{report}");
    let (code, text) = windtunnel(&["check", &program, "-n", "2", "--", "beside"], folder.path());
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("not every access to memory of pending operations"), "{text}");
}

/// A timer looks at a rank that computes for long. The memory that is watched stays closed meanwhile.
#[test]
fn an_access_after_long_computing_is_found() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_at("-O1", "late_read.c", &folder);
    let (_, report) = object(&["check", &program, "-n", "2", "--json"], folder.path());
    let finding = &report["findings"][0];
    assert_eq!(finding["code"], "WT0024", "{report}");
    let sites = finding["sites"].as_array().expect("sites").iter();
    assert!(sites.map(|site| &site["line"]).any(|line| *line == 17), "{report}");
}

#[test]
fn buffers_of_operations_with_the_null_process_are_the_programs() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_at("-O1", "null_process.c", &folder);
    for ranks in ["1", "2", "3"] {
        let (_, report) = object(&["check", &program, "-n", ranks, "--json"], folder.path());
        assert_eq!(report["verdict"], "ok", "{report}");
    }
}
