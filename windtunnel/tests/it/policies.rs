//! Where editions of the standard disagree: what an option changes, and what it refuses.

use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

#[test]
fn early_and_late_calls_are_judged_by_policy() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("stages.c", &folder);
    let cases = [
        ("", "scan=inclusive", "ok"),
        ("finalized-before-init", "calls-before-init=several", "ok"),
        ("finalized-before-init", "calls-before-init=initialized", "call-ordering"),
        ("finalized-after-finalize", "calls-after-finalize=several", "ok"),
        ("finalized-after-finalize", "calls-after-finalize=none", "call-ordering"),
        ("init-again", "second-init=erroneous", "call-ordering"),
        ("init-again", "second-init=ignored", "ok"),
    ];
    for (case, policy, verdict) in cases {
        let words = ["check", &program, "-n", "2", "--policy", policy, "--json", "--", case];
        let (_, text) = windtunnel(&words, folder.path());
        let report: Value =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{case}: {text}"));
        assert_eq!(report["verdict"], verdict, "{case} under {policy}: {text}");
    }
}

#[test]
fn what_is_no_policy_is_bad_input_with_the_nearest_name() {
    let (code, _, error) = super::windtunnel("run allgather-ring --policy second-int=ignored");
    assert_eq!(code, 2);
    assert!(error.contains("did you mean `second-init`"), "{error}");
    let (code, _, error) = super::windtunnel("run allgather-ring --policy second-init=ignore");
    assert_eq!(code, 2);
    assert!(error.contains("did you mean `ignored`"), "{error}");
    let (code, _, error) = super::windtunnel("run allgather-ring --policy scan");
    assert_eq!(code, 2);
    assert!(error.contains("NAME=VALUE"), "{error}");
}

#[test]
fn policies_about_objects_reach_programs() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("policies.c", &folder);
    // A program that sees nothing changed calls it an error of its own.
    let cases = [
        ("map-functions", "ok", "collective", "call-ordering"),
        ("graph-symmetry", "error", "symmetric", "invalid-argument"),
        ("zero-dimensional-grids", "error", "refused", "invalid-argument"),
        ("indexed-displacements", "error", "bytes", "ok"),
        ("attribute-delete-order", "error", "first-first", "ok"),
        ("hints-of-duplicates", "error", "copied", "ok"),
        ("dims-order", "error", "decreasing", "ok"),
        ("constant-names", "error", "MPI_PENDING", "ok"),
        ("characters-in-reductions", "invalid-argument", "numbers", "ok"),
    ];
    for (name, default, value, verdict) in cases {
        let check = |options: &[&str]| {
            let words = [&["check", &program, "-n", "2", "--quiet"], options, &["--", name]];
            windtunnel(&words.concat(), folder.path()).1
        };
        let usual = check(&[]);
        assert!(usual.contains(&format!("VERDICT: {default}")), "{name}: {usual}");
        let other = check(&["--policy", &format!("{name}={value}")]);
        assert!(other.contains(&format!("VERDICT: {verdict}")), "{name}: {other}");
    }
}
