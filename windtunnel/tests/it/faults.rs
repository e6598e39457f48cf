//! Small C programs by kind of fault, each beside right ones of the same build: what each is worth
//! stands at its head, as `CASE(name, ranks, verdict)`.

use std::{fs, path::Path, thread};

use tempfile::TempDir;

use crate::c_programs::{compile, compile_at, object};

/// Name, ranks and verdict of each case of a source.
fn cases(source: &str) -> Vec<[String; 3]> {
    let case = |line: &str| {
        let (words, _) = line.strip_prefix("CASE(")?.split_once(')')?;
        let words: Vec<String> = words.split(", ").map(str::to_string).collect();
        Some(words.try_into().expect("a name, a number of ranks and a verdict"))
    };
    source.lines().filter_map(case).collect()
}

/// The verdict of one case, unless it is as expected.
fn wrong(program: &str, folder: &Path, [case, ranks, expected]: &[String; 3]) -> Option<String> {
    let words = ["check", program, "-n", ranks, "--json", "--", case];
    let (code, report) = object(&words, folder);
    let right = report["verdict"] == **expected && code == Some(i32::from(expected != "ok"));
    (!right).then(|| format!("{case} on {ranks} ranks should be {expected}: {report}"))
}

fn all_as_said(family: &str) {
    all_as_said_at("-O0", family);
}

fn all_as_said_at(level: &str, family: &str) {
    let folder = TempDir::new().expect("a folder");
    let name = format!("faults/{family}.c");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(&name);
    let cases = cases(&fs::read_to_string(path).expect("the source"));
    assert!(cases.len() > 10, "{family}: the cases are not found");
    let program = compile_at(level, &name, &folder);
    let (first, second) = cases.split_at(cases.len() / 2);
    let check = |half: &[[String; 3]]| -> Vec<String> {
        half.iter().filter_map(|case| wrong(&program, folder.path(), case)).collect()
    };
    let wrong = thread::scope(|scope| {
        let other = scope.spawn(|| check(second));
        let mut wrong = check(first);
        wrong.extend(other.join().expect("the checks end"));
        wrong
    });
    assert!(wrong.is_empty(), "{family}:\n{}", wrong.join("\n"));
}

#[test]
fn a_failed_call_has_its_name_and_place() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("faults/arguments.c", &folder);
    for (case, call) in [
        ("negative_count", "MPI_Sendrecv"),
        ("no_such_source", "MPI_Recv"),
        ("null_operation", "MPI_Iallreduce"),
        ("freed_group", "MPI_Group_size"),
    ] {
        let words = ["check", &program, "-n", "3", "--json", "--", case];
        let (_, report) = object(&words, folder.path());
        let finding = &report["findings"][0];
        let message = finding["message"].as_str().unwrap_or_default();
        assert!(
            message.starts_with(&format!("{call} on rank 0 failed with MPI_ERR_")),
            "{message}"
        );
        let site = &finding["sites"][0];
        assert!(site["call"] == call && site["line"].as_u64() > Some(1), "{finding}");
    }
}

#[test]
fn arguments_wrong_by_themselves() {
    all_as_said("arguments");
}

#[test]
fn arguments_that_do_not_fit_other_ranks() {
    all_as_said("matching");
}

#[test]
fn calls_in_the_wrong_order() {
    all_as_said("ordering");
}

#[test]
fn lives_of_requests_and_objects() {
    all_as_said("requests");
}

#[test]
fn what_is_used_beside_memory_of_operations() {
    all_as_said_at("-O0", "watched");
    all_as_said_at("-O2", "watched");
}

#[test]
fn memory_of_operations_under_way() {
    all_as_said("memory");
}

#[test]
fn waiting_for_ever_and_matters_of_time() {
    all_as_said("waiting");
}

#[test]
fn assertions_about_windows() {
    all_as_said_at("-O0", "promises");
    all_as_said_at("-O2", "promises");
}

#[test]
fn arguments_of_new_communicators() {
    all_as_said("making");
}
