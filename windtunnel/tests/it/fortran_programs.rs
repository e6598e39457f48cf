//! Fortran programs through the command line: compiled, run, checked.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::c_programs::windtunnel;

/// The cases of `fortran/verdicts.f90` and the verdict on three ranks.
const CASES: [(&str, &str); 10] = [
    ("all_receive_first", "deadlock"),
    ("all_send_first", "buffering"),
    ("wrong_type", "parameter-matching"),
    ("different_roots", "parameter-matching"),
    ("request_forgotten", "request-lifecycle"),
    ("type_kept", "resource-leak"),
    ("buffer_changed", "local-concurrency"),
    ("no_such_rank", "invalid-argument"),
    ("race", "message-race"),
    ("exchange", "ok"),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran/verdicts.f90")
}

/// Whether a test can run; says why not.
fn can_run() -> bool {
    let there = std::process::Command::new("gfortran").arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: gfortran is not installed");
    }
    there
}

/// The line of the source with the mark of a case.
fn marked(case: &str) -> Option<u64> {
    let text = std::fs::read_to_string(source()).expect("the source");
    let place = text.lines().position(|line| line.ends_with(&format!("! {case}")))?;
    Some(place as u64 + 1)
}

#[test]
fn every_mistake_gets_its_verdict_and_its_line() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("program").display().to_string();
    let words = ["fc", "-w", &source().display().to_string(), "-o", &program];
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(0), "{text}");
    for (case, expected) in CASES {
        let words = ["check", &program, "-n", "3", "--json", "--", case];
        let (code, text) = windtunnel(&words, folder.path());
        let start = text.find('{').unwrap_or(0);
        let mut reports = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let report =
            reports.next().and_then(Result::ok).unwrap_or_else(|| panic!("{case}: {text}"));
        assert_eq!(report["verdict"], expected, "{case}: {text}");
        assert_eq!(code, Some(i32::from(expected != "ok")), "{case}");
        let line = report["findings"][0]["sites"][0]["line"].as_u64();
        assert_eq!(line, marked(case), "{case}: {text}");
        if let Some(call) = report["findings"][0]["sites"][0]["call"].as_str() {
            let rest = call.strip_prefix("MPI_").unwrap_or_else(|| panic!("{case}: {call}"));
            let (first, others) = rest.split_at(1);
            let as_written = first.to_uppercase() == first && others.to_lowercase() == others;
            assert!(as_written, "{case}: {call} is spelled as in the standard");
        }
    }
}

#[test]
fn the_command_shows_what_it_would_do() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let (code, text) = windtunnel(&["fc", "-show", "p.f90"], folder.path());
    assert!(code == Some(0) && text.starts_with("gfortran "), "{text}");
    assert!(
        text.contains(" -I") && text.contains(" -lmpi_abi") && text.contains(" p.f90 "),
        "{text}"
    );
    let (_, text) = windtunnel(&["fc", "-compile-info"], folder.path());
    assert!(text.contains(" -I") && !text.contains("-lmpi_abi"), "{text}");
    let (_, text) = windtunnel(&["fc", "-link-info"], folder.path());
    assert!(text.contains("-lmpi_abi"), "{text}");
}
