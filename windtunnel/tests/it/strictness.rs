//! `run` and `mpiexec` go on where common MPI libraries go on; `check` says what the standard says.

use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

/// Each case, and the verdict of the standard.
const CASES: [(&str, &str); 12] = [
    ("characters", "invalid-argument"),
    ("status", "invalid-argument"),
    ("addresses", "invalid-argument"),
    ("freed", "request-lifecycle"),
    ("entries", "invalid-argument"),
    ("blocks", "invalid-argument"),
    ("keyval", "invalid-argument"),
    ("nothing", "invalid-argument"),
    ("names", "parameter-matching"),
    ("returned", "parameter-matching"),
    ("returned-by-all", "parameter-matching"),
    ("buffered", "invalid-argument"),
];

fn verdict(program: &str, options: &[&str], case: &str, folder: &TempDir) -> Value {
    let mut words = vec!["check", program, "-n", "2", "--json"];
    words.extend(options);
    words.extend(["--", case]);
    let (_, text) = windtunnel(&words, folder.path());
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{case}: {text}"))
}

#[test]
fn runs_go_on_where_libraries_do_and_check_tells_it() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("strictness.c", &folder);
    for (case, expected) in CASES {
        let start = |options: &[&str]| {
            let mut words = vec!["mpiexec", "-n", "2"];
            words.extend(options);
            words.extend([&*program, case]);
            windtunnel(&words, folder.path()).0
        };
        assert_eq!(start(&[]), Some(0), "{case}");
        let warned = case == "buffered";
        assert_eq!(start(&["-strictness", "standard"]) == Some(0), warned, "{case}");
        let run = ["run", &program, "-n", "2", "--quiet", "--", case];
        assert_eq!(windtunnel(&run, folder.path()).0, Some(0), "{case}");

        let report = verdict(&program, &[], case, &folder);
        assert_eq!(report["verdict"], expected, "{case}: {report:#}");
        let severity = if warned { "warning" } else { "error" };
        assert_eq!(report["findings"][0]["severity"], severity, "{case}: {report:#}");
        let lenient = verdict(&program, &["--strictness", "library"], case, &folder);
        assert_eq!(lenient["verdict"], "ok", "{case}: {lenient:#}");
    }
}

#[test]
fn what_no_library_takes_is_wrong_everywhere() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("strictness.c", &folder);
    for case in ["under-way", "unlike"] {
        let (code, _) = windtunnel(&["mpiexec", "-n", "2", &program, case], folder.path());
        assert_eq!(code, Some(1), "{case}");
    }
}

#[test]
fn one_policy_overrides_the_strictness() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("strictness.c", &folder);
    let lenient = ["--policy", "characters-in-reductions=numbers"];
    assert_eq!(verdict(&program, &lenient, "characters", &folder)["verdict"], "ok");
    let strict = ["--strictness", "library", "--policy", "characters-in-reductions=refused"];
    let report = verdict(&program, &strict, "characters", &folder);
    assert_eq!(report["verdict"], "invalid-argument");
}

#[test]
fn a_scenario_says_how_strict_it_is() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("strictness.c", &folder);
    let scenario = |word: &str| {
        let text = format!(r#"{{"program": {program:?}, "ranks": 2, "strictness": "{word}"}}"#);
        let path = folder.path().join("s.json").display().to_string();
        std::fs::write(&path, text).expect("a file");
        let words = ["run", &path, "--quiet", "--", "characters"];
        windtunnel(&words, folder.path()).0
    };
    assert_eq!(scenario("library"), Some(0));
    assert_eq!(scenario("standard"), Some(1));
    assert_eq!(scenario("lenient"), Some(2));
    let words = ["run", &program, "--strictness", "lax"];
    assert_eq!(windtunnel(&words, folder.path()).0, Some(2));
}
