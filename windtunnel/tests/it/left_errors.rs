//! Errors that a program has chosen to handle are told, and are the cause where it ends itself.

use tempfile::TempDir;

use super::{
    c_programs::{compile, windtunnel},
    right_names::report,
};

/// Lines of `left_errors.c`.
const RECEIVE: u64 = 38;
const COUNTED: u64 = 45;
const WAIT: u64 = 49;
const SEND: u64 = 52;
const EXPECTED: u64 = 53;
const HANDLED: u64 = 56;
const LEAVES: u64 = 58;
const ABORTS: u64 = 59;
const SPLIT: u64 = 63;
const RANK: u64 = 66;
const READ: u64 = 74;
const BROADCAST: u64 = 76;

#[test]
fn an_error_that_is_left_to_the_program_is_told_and_explains_its_end() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("left_errors.c", &folder);
    for (what, verdict, told) in [
        ("asks", "ok", vec![]),
        ("ignores", "ok", vec![("WT0010", "note", RECEIVE)]),
        ("counts", "ok", vec![("WT0010", "note", COUNTED)]),
        ("aborts", "parameter-matching", vec![("WT0010", "error", WAIT)]),
        (
            "exits",
            "parameter-matching",
            vec![("WT0010", "error", EXPECTED), ("WT0011", "note", SEND)],
        ),
        ("goes_on", "error", vec![("WT0027", "error", LEAVES), ("WT0011", "note", HANDLED)]),
        (
            "goes_on_to_abort",
            "error",
            vec![("WT0019", "error", ABORTS), ("WT0011", "note", HANDLED)],
        ),
        ("follows", "invalid-argument", vec![("WT0011", "error", RANK)]),
        ("reads", "invalid-argument", vec![("WT0011", "error", READ)]),
        ("fails_alone", "invalid-argument", vec![("WT0011", "error", BROADCAST)]),
    ] {
        let found = report(&[&program, "-n", "2", "--", what], &folder);
        assert_eq!(found["verdict"], verdict, "{what}: {found}");
        let findings = found["findings"].as_array().expect("a list");
        let all: Vec<(&str, &str, u64)> = findings
            .iter()
            .map(|finding| {
                let word = |name: &str| finding[name].as_str().expect("a word");
                let line = finding["sites"][0]["line"].as_u64().expect("a line");
                (word("code"), word("severity"), line)
            })
            .collect();
        assert_eq!(all, told, "{what}: {found}");
    }
    let (_, text) = windtunnel(&["check", &program, "-n", "2", "--", "aborts"], folder.path());
    for part in
        ["a message of 32 bytes for a buffer of 24 bytes", "rank 1 called MPI_Abort with code 3"]
    {
        assert!(text.contains(part), "{text}");
    }
    let (_, text) = windtunnel(&["check", &program, "-n", "2", "--", "follows"], folder.path());
    let cause = format!("left_errors.c:{SPLIT}:");
    for part in [cause.as_str(), "returned an error before that: the colour -5 is negative"] {
        assert!(text.contains(part), "{text}");
    }
    let (_, text) = windtunnel(&["check", &program, "-n", "2", "--", "fails_alone"], folder.path());
    for part in ["the count is -1", "rank 0 waits in MPI_Bcast for rank 1"] {
        assert!(text.contains(part), "{text}");
    }
    let (code, text) = windtunnel(&["run", &program, "-n", "2", "--", "exits"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("exit code 5") && text.contains("error[WT0010]"), "{text}");
    let (code, text) = windtunnel(&["mpiexec", "-n", "2", &program, "aborts"], folder.path());
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("error[WT0010]") && !text.contains("WT0019"), "{text}");
}

#[test]
fn collectives_that_fail_on_one_rank_are_named_where_the_others_wait_in_them() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("left_collectives.c", &folder);
    for (what, code, verdict) in [
        ("next", "WT0005", "call-ordering"),
        ("between", "WT0005", "call-ordering"),
        ("again", "WT0007", "parameter-matching"),
    ] {
        let found = report(&[&program, "-n", "2", "--", what], &folder);
        let finding = &found["findings"][0];
        assert_eq!(
            (&finding["code"], &found["verdict"]),
            (&code.into(), &verdict.into()),
            "{found}"
        );
        let label = "rank 1: returned an error before that: the count is -1";
        assert!(finding["sites"].to_string().contains(label), "{what}: {found}");
    }
    let found = report(&[&program, "-n", "3", "--", "duplicates"], &folder);
    let findings = found["findings"].as_array().expect("a list");
    assert_eq!((findings.len(), &found["verdict"]), (1, &"invalid-argument".into()), "{found}");
    let message =
        "MPI_Comm_dup on rank 1 failed with MPI_ERR_OTHER: a copy function of an attribute failed";
    assert_eq!(findings[0]["message"], message, "{found}");
    assert!(
        findings[0]["sites"].to_string().contains("rank 0 waits in MPI_Comm_dup for rank 1"),
        "{found}"
    );
}

/// A file that is null because nothing was opened is told with the call that has opened nothing.
#[test]
fn a_file_that_was_not_opened_is_told_with_the_reason() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("unopened_file.c", &folder);
    let (code, text) = windtunnel(&["check", &program, "-n", "2"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    for expected in [
        "unopened_file.c:11:5",
        "the file is null or was closed",
        "unopened_file.c:10:5",
        "no file is opened here: MPI_ERR_NO_SUCH_FILE: ",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}
