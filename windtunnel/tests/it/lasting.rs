//! Ranks that wait for ever while others go on.

use tempfile::TempDir;

use super::{
    c_programs::{compile, object, windtunnel},
    right_names::report,
};

#[test]
fn ranks_that_wait_for_ever_are_found_though_others_go_on() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("lasting.c", &folder);
    for (case, verdict, code, sites) in [
        ("sends", "buffering", "WT0003", vec![17, 17]),
        ("receives", "deadlock", "WT0001", vec![12, 12]),
        ("barrier", "deadlock", "WT0001", vec![23, 12]),
        ("any", "deadlock", "WT0001", vec![37, 37]),
        ("finished", "deadlock", "WT0002", vec![]),
    ] {
        let found = report(&[&program, "-n", "4", "--max-wall", "100s", "--", case], &folder);
        assert_eq!(found["verdict"], verdict, "{case}: {found}");
        let finding = &found["findings"][0];
        assert_eq!(finding["code"], code, "{case}: {found}");
        let lines = finding["sites"].as_array().expect("a list").iter().map(|site| &site["line"]);
        let lines: Vec<u64> = lines.filter_map(serde_json::Value::as_u64).collect();
        assert!(lines.starts_with(&sites), "{case}: {lines:?}");
        assert_eq!(found["explored"]["stopped_by"], serde_json::Value::Null, "{case}: {found}");
    }
    let (code, text) = windtunnel(&["run", &program, "-n", "4", "--", "receives"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("2 ranks are blocked for ever; 2 others go on"), "{text}");
    assert!(text.contains("ranks wait for ever"), "{text}");
}

#[test]
fn an_execution_without_an_end_does_not_keep_a_check_from_its_own() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("lasting.c", &folder);
    let found = report(&[&program, "-n", "4", "--", "unsure"], &folder);
    assert_eq!(found["verdict"], "error", "{found}");
    let finding = &found["findings"][0];
    assert_eq!(finding["code"], "WT0021", "{found}");
    let notes = finding["notes"].to_string();
    for part in ["262,144 events", "with another amount of buffering it ends"] {
        assert!(notes.contains(part), "{found}");
    }
    assert_eq!(found["explored"]["stopped_by"], serde_json::Value::Null, "{found}");
}

#[test]
fn who_waits_long_does_not_wait_for_ever() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("lasting.c", &folder);
    let (code, text) = windtunnel(&["run", &program, "-n", "4", "--", "waits"], folder.path());
    assert_eq!(code, Some(0), "{text}");
}

/// Simulated time does not stand still meanwhile, so that the other rank comes to make it.
#[test]
fn who_asks_for_a_file_or_a_service_gets_it_once_it_is_there() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("asks.c", &folder);
    for what in ["access", "stat", "fopen", "locked", "service", "tested", "queried"] {
        let found = report(&[&program, "-n", "3", "--max-wall", "100s", "--", what], &folder);
        assert_eq!(found["verdict"], "ok", "{what}: {found}");
        let words = ["run", &program, "-n", "3", "--json", "--max-wall", "100s", "--", what];
        let (code, ran) = object(&words, folder.path());
        assert_eq!(code, Some(0), "{what}: {ran}");
        let makespan = ran["makespan_ns"].as_f64().expect("a number");
        assert!((1e5..1.2e5).contains(&makespan), "{what}: {makespan}");
    }
}
