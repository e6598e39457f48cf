//! Objects that a C program keeps in static variables for its whole run; and the link to itself.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, object, windtunnel};

fn check(program: &str, what: &str, folder: &TempDir) -> (Option<i32>, Value) {
    let words = ["check", program, "-n", "2", "--json", "--", what];
    object(&words, folder.path())
}

#[test]
fn what_is_kept_for_the_whole_run_is_a_note() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("keeps.c", &folder);
    let (code, kept) = check(&program, "static", &folder);
    assert_eq!((code, &kept["verdict"]), (Some(0), &"ok".into()), "{kept}");
    let notes = kept["findings"].as_array().expect("a list");
    assert!(notes.len() == 2 && notes.iter().all(|note| note["severity"] == "note"), "{kept}");
    for what in ["local", "often"] {
        let (code, left) = check(&program, what, &folder);
        assert_eq!((code, &left["verdict"]), (Some(1), &"resource-leak".into()), "{what}: {left}");
    }
}

#[test]
fn a_rank_finds_its_own_program() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("keeps.c", &folder);
    let (code, text) = windtunnel(&["mpiexec", "-n", "1", &program, "self"], folder.path());
    let real = fs::canonicalize(&program).expect("it is there");
    assert_eq!((code, text), (Some(0), format!("{}\n", real.display())));
}
