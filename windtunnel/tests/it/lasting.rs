//! Ranks that wait for ever while others go on.

use tempfile::TempDir;

use super::{
    c_programs::{compile, compile_by, object, windtunnel},
    right_names::report,
};

/// Lines of `memory_loops.c`.
const LOOP: u64 = 107;
const TESTS: u64 = 99;

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

/// Nothing else is under way in all executions. Those that count what they do are taken to work for sixteen times as long.
#[test]
fn who_works_between_many_looks_is_not_said_to_wait_for_ever() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_by("", &["-O2"], "looks.c", &folder);
    for (case, looks) in [("probes", "400000"), ("gets", "300000")] {
        let (code, text) =
            windtunnel(&["mpiexec", "-n", "2", &program, case, looks], folder.path());
        assert_eq!(code, Some(0), "{case}: {text}");
    }
    let (_, report) =
        object(&["check", &program, "-n", "2", "--json", "--", "probes", "300000"], folder.path());
    assert_eq!(report["verdict"], "ok", "{report}");
    let (_, report) =
        object(&["check", &program, "-n", "2", "--json", "--", "waits"], folder.path());
    assert_eq!(report["verdict"], "deadlock", "{report}");
    assert_eq!(report["findings"][0]["code"], "WT0025", "{report}");
}

/// A probe that finds what it found before brings nobody further: other threads need the time that passes meanwhile.
#[test]
fn who_probes_for_the_same_message_again_and_again_lets_time_pass() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("probed_again.c", &folder);
    for (how, verdict) in [("threads", "ok"), ("waits", "deadlock"), ("polls", "deadlock")] {
        let found = report(&[&program, "-n", "2", "--max-wall", "100s", "--", how], &folder);
        assert_eq!(found["verdict"], verdict, "{how}: {found}");
        assert_eq!(found["explored"]["stopped_by"], serde_json::Value::Null, "{how}: {found}");
        if verdict == "deadlock" {
            assert_eq!(found["findings"][0]["code"], "WT0025", "{how}: {found}");
        }
        let (code, text) = windtunnel(&["run", &program, "-n", "2", "--", how], folder.path());
        assert_eq!(code, Some(i32::from(verdict != "ok")), "{how}: {text}");
    }
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
    for part in ["4,194,304 events", "with another amount of buffering it ends"] {
        assert!(notes.contains(part), "{found}");
    }
    assert_eq!(found["explored"]["stopped_by"], serde_json::Value::Null, "{found}");
}

/// Calls at one moment of simulated time are no events, and end all the same. That an execution has no end is one fault, wherever
/// it is ended.
#[test]
fn loops_in_which_no_time_passes_end_like_others() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("circling.c", &folder);
    let limit = ["--max-events", "100000"];
    for (case, limit, code, note) in [
        ("round", &limit[..], "WT0021", "the last ones that the ranks made"),
        ("nowhere", &[], "WT0004", "executions that end by themselves have at most"),
    ] {
        let words = [&[&program, "-n", "3", "--max-wall", "200s"], limit, &["--", case]].concat();
        let found = report(&words, &folder);
        assert_ne!(found["verdict"], "ok", "{case}: {found}");
        let findings = found["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), 1, "{case}: {found}");
        assert_eq!(findings[0]["code"], code, "{case}: {found}");
        assert!(findings[0]["notes"].to_string().contains(note), "{case}: {found}");
        assert_eq!(found["explored"]["stopped_by"], serde_json::Value::Null, "{case}: {found}");
    }
}

/// Each of many ranks has looked less often when all together have looked for long.
#[test]
fn many_ranks_that_look_at_a_window_for_ever_are_found() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("looks_for_ever.c", &folder);
    for how in ["fetches", "gets", "locks"] {
        let words = ["run", &program, "-n", "80", "--json", "--max-wall", "100s", "--", how];
        let (code, ran) = object(&words, folder.path());
        assert_eq!(code, Some(1), "{how}: {ran}");
        assert_eq!(ran["findings"][0]["code"], "WT0025", "{how}: {ran}");
        assert_eq!(ran["findings"][0]["ranks"].as_array().map(Vec::len), Some(80), "{how}: {ran}");
        // A loop that counts nothing is known before it has looked for very long.
        let messages = ran["messages"].as_u64().expect("a number");
        assert!(messages < 1_500_000, "{how}: {messages}");
    }
}

/// It is the time of the other executions that says so: this one has no more events than they have.
#[test]
fn an_execution_that_computes_for_ever_is_named_when_the_check_is_stopped() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("computes_on.c", &folder);
    for (case, verdict, code) in
        [("late", "error", "WT0021"), ("falling", "message-race", "WT0004")]
    {
        let found = report(&[&program, "-n", "4", "--max-wall", "20s", "--", case], &folder);
        assert_eq!(found["verdict"], verdict, "{case}: {found}");
        assert_eq!(found["explored"]["stopped_by"], "max-wall", "{case}: {found}");
        let findings = found["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), 1, "{case}: {found}");
        assert_eq!(findings[0]["code"], code, "{case}: {found}");
        assert_eq!(findings[0]["sites"][0]["line"], 25, "{case}: {found}");
        let notes = findings[0]["notes"].to_string();
        assert!(notes.contains("of processor time without an end"), "{case}: {found}");
        assert!(findings[0]["schedule"].is_string(), "{case}: {found}");
    }
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

/// A loop that only looks at memory is found, and simulated time passes in it: the same in each run, and with each
/// optimisation of the compiler. A time limit by a signal takes effect there, and while requests are tested.
#[test]
fn loops_without_a_call_end_when_memory_changes() {
    let folders = ["-O0", "-O2"].map(|level| (level, TempDir::new().expect("a folder")));
    let programs = folders
        .each_ref()
        .map(|(level, folder)| compile_by("", &[level, "-pthread"], "memory_loops.c", folder));
    let folder = &folders[0].1;
    for (what, makespan) in [
        ("flag", 1e5..1.2e5),
        ("locks", 1e3..1e5),
        ("thread", 1e3..1e5),
        ("alarm", 1e9..1.1e9),
        ("timeout", 1e9..1.1e9),
    ] {
        let digests = [0, 1, 1].map(|program| {
            let program = &programs[program];
            let words = ["run", program, "-n", "3", "--json", "--max-wall", "100s", "--", what];
            let (code, ran) = object(&words, folder.path());
            assert_eq!(code, Some(0), "{what}: {ran}");
            let took = ran["makespan_ns"].as_f64().expect("a number");
            assert!(makespan.contains(&took), "{what}: {took}");
            ran["digest"].clone()
        });
        assert!(digests.iter().all(|digest| *digest == digests[0]), "{what}: {digests:?}");
        let found = report(&[&programs[1], "-n", "3", "--max-wall", "100s", "--", what], folder);
        assert_eq!(found["verdict"], "ok", "{what}: {found}");
    }
}

#[test]
fn loops_for_something_that_never_comes_are_a_deadlock() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_by("", &["-pthread"], "memory_loops.c", &folder);
    for (what, message, lines) in [
        ("never", "2 ranks loop for ever until memory changes", vec![LOOP, LOOP, LOOP + 3]),
        ("ticks", "3 ranks poll for ever", vec![TESTS; 3]),
    ] {
        let found = report(&[&program, "-n", "3", "--max-wall", "100s", "--", what], &folder);
        assert_eq!(found["verdict"], "deadlock", "{what}: {found}");
        assert_eq!(found["findings"].as_array().map(Vec::len), Some(1), "{what}: {found}");
        let finding = &found["findings"][0];
        assert_eq!(finding["code"], "WT0025", "{what}: {found}");
        assert!(finding["message"].as_str().expect("a text").contains(message), "{found}");
        let sites = finding["sites"].as_array().expect("a list").iter();
        let told: Vec<u64> = sites.filter_map(|site| site["line"].as_u64()).collect();
        assert_eq!(told, lines, "{what}: {found}");
    }
}
