//! Faults are called by their right names, and what nearly matched is told.

use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, object, windtunnel};

/// The functions of `c/names.c`, the verdict on three ranks, how a race ends, and what a note or a label
/// says.
const CASES: [(&str, &str, Option<&str>, &str); 32] = [
    (
        "message_in_another_communicator",
        "parameter-matching",
        None,
        "rank 1 receives in MPI_COMM_WORLD",
    ),
    ("reply_in_another_communicator", "parameter-matching", None, "names.c:406"),
    (
        "synchronous_in_another_communicator",
        "parameter-matching",
        None,
        "rank 1 receives in MPI_COMM_WORLD",
    ),
    ("barrier_on_another_communicator", "parameter-matching", None, "rank 1: MPI_COMM_WORLD"),
    ("broadcast_on_another_communicator", "parameter-matching", None, "rank 1: MPI_COMM_WORLD"),
    ("reduction_on_another_communicator", "parameter-matching", None, "rank 0: MPI_COMM_WORLD"),
    ("another_tag", "deadlock", None, "nearest miss: rank 0 sends tag 1, rank 1 receives tag 2"),
    (
        "another_tag_beside_other_data",
        "deadlock",
        None,
        "nearest miss: rank 0 sends tag 5, rank 1 receives tag 2",
    ),
    (
        "another_receiver",
        "deadlock",
        None,
        "nearest miss: rank 0 sends to rank 2, rank 1 receives from rank 0",
    ),
    (
        "destination_and_tag_exchanged",
        "deadlock",
        None,
        "nearest miss: rank 1 sends to rank 1 with tag 0, rank 0 receives from rank 1 with tag 1",
    ),
    (
        "another_source",
        "deadlock",
        None,
        "nearest miss: rank 0 sends to rank 1, rank 1 receives from rank 2",
    ),
    ("no_message_at_all", "deadlock", None, "a source of -1 is MPI_ANY_SOURCE here"),
    ("send_never_started", "request-lifecycle", None, "this request is never started"),
    ("receive_never_started", "request-lifecycle", None, "this request is never started"),
    ("one_of_a_ring_never_started", "request-lifecycle", None, "this request is never started"),
    ("started_late", "ok", None, ""),
    ("deadlock_in_one_order", "message-race", Some("deadlock"), "this takes whichever comes first"),
    ("deadlock_after_a_test", "message-race", Some("deadlock"), "deadlock: MPI_Recv on rank 0"),
    (
        "room_for_the_data_only",
        "invalid-argument",
        None,
        "16 bytes of data into a buffer of 16 bytes",
    ),
    ("less_room_than_data", "invalid-argument", None, "16 bytes do not fit"),
    ("a_library_beside_the_program", "ok", None, ""),
    ("two_communicators_beside_a_lost_message", "deadlock", None, ""),
    ("two_manners_beside_a_lost_message", "deadlock", None, ""),
    ("commutative_by_mistake", "invalid-argument", None, "created as commutative and is not"),
    ("not_commutative", "ok", None, ""),
    ("not_associative", "invalid-argument", None, "an operation that is not associative"),
    ("combines_one_element", "invalid-argument", None, "combines the first element only"),
    (
        "combines_into_the_first",
        "invalid-argument",
        None,
        "stores its result in its first argument",
    ),
    (
        "combines_means",
        "invalid-argument",
        None,
        "combines by an operation that is not associative",
    ),
    ("combines_pairs", "ok", None, ""),
    ("reads_performance_variables", "ok", None, ""),
    ("commutative_but_for_rounding", "ok", None, ""),
];

#[test]
fn faults_have_their_right_names() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("names.c", &folder);
    for (case, verdict, outcome, told) in CASES {
        let words = ["check", &program, "-n", "3", "--json", "--", case];
        let (_, text) = windtunnel(&words, folder.path());
        let report: Value =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{case}: {text}"));
        assert_eq!(report["verdict"], verdict, "{case}: {text}");
        let first = &report["findings"][0];
        assert_eq!(first["outcome"].as_str(), outcome, "{case}: {text}");
        assert!(first.to_string().contains(told), "{case}: {text}");
    }
}

#[test]
fn only_the_overhead_missing_is_a_warning() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("names.c", &folder);
    for (case, severity) in [
        ("room_for_the_data_only", "warning"),
        ("less_room_than_data", "error"),
        // A warning of the same line comes first.
        ("room_for_one_of_three", "error"),
    ] {
        let report = report(&[&program, "-n", "3", "--", case], &folder);
        assert_eq!(report["findings"][0]["severity"], severity, "{case}: {report}");
    }
}

#[test]
fn races_of_locks_do_not_speak_of_messages() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("names.c", &folder);
    let report = report(&[&program, "-n", "3", "--", "locks_in_opposite_order"], &folder);
    let findings = report["findings"].as_array().expect("a list");
    let race = findings.iter().find(|finding| finding["code"] == "WT0004").expect("a race");
    let text = race.to_string();
    assert!(text.contains("one order of locks and atomic accesses leads to a deadlock"), "{text}");
    assert!(!text.contains("receive"), "{text}");
}

/// Returns the report of a check.
pub(crate) fn report(words: &[&str], folder: &TempDir) -> Value {
    object(&[&["check", "--json"], words].concat(), folder.path()).1
}

#[test]
fn sends_without_end_are_told_with_both_lines() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("endless.c", &folder);
    let report = report(&[&program, "-n", "2"], &folder);
    let findings = report["findings"].as_array().expect("a list");
    let flood = findings.iter().find(|finding| finding["code"] == "WT0021").expect("it is told");
    let text = flood["message"].as_str().expect("a text");
    assert!(text.contains("rank 1 has sent") && text.contains("rank 0 has not"), "{text}");
    let lines: Vec<_> =
        flood["sites"].as_array().expect("a list").iter().map(|site| &site["line"]).collect();
    assert_eq!(lines, [11, 13], "{flood}");
    assert!(
        findings.iter().all(|finding| finding["code"] != "WT0003"),
        "no buffer is enough: {report}"
    );
    assert_ne!(report["verdict"], "ok");
}

#[test]
fn every_order_is_followed_once_and_the_schedule_of_a_failing_one_runs_again() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("orders.c", &folder);
    // Managers of w workers and t tasks have w^(t-w) w! orders; n senders of k messages (nk)!/(k!)^n.
    for (ranks, case, orders) in [
        ("3", "manager", 16),
        ("4", "senders", 90),
        ("5", "pairs", 4),
        ("4", "any", 6),
        ("4", "all", 1),
        // The ordered partitions of the requests: each wait for some may report any of them.
        ("3", "some", 3),
        ("5", "some", 75),
    ] {
        let found = report(&[&program, "-n", ranks, "--budget", "1000", "--", case], &folder);
        assert_eq!(found["explored"]["orders"], serde_json::json!([orders, orders]), "{case}");
        assert_eq!(found["explored"]["exhaustive"], true, "{case}");
        assert_eq!(found["verdict"], "ok", "{case}: {found}");
    }

    let some = report(&[&program, "-n", "4", "--", "some"], &folder);
    assert_eq!(some["verdict"], "message-race", "{some}");

    let found = report(&[&program, "-n", "4", "--", "fault"], &folder);
    assert_eq!(found["verdict"], "message-race", "{found}");
    let finding = &found["findings"][0];
    assert!(finding.to_string().contains("at its choice number"), "{finding}");
    let schedule = finding["schedule"].as_str().expect("an order led there");
    let again = report(&[&program, "-n", "4", "--schedule", schedule, "--", "fault"], &folder);
    assert_eq!(again["verdict"], "error", "{again}");
    assert_eq!(again["runs"][0]["digest"].as_str().map(str::len), Some(16));
    let other =
        report(&[&program, "-n", "4", "--schedule", "infinite+order=", "--", "fault"], &folder);
    assert_eq!(other["verdict"], "ok", "{other}");
    let run = ["run", &program, "-n", "4", "--schedule", schedule, "--", "fault"];
    let (code, text) = windtunnel(&run, folder.path());
    assert!(code == Some(1) && text.contains("a fault"), "{text}");
}

#[test]
fn each_class_of_equivalent_executions_is_made_once() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("classes.c", &folder);
    for (ranks, case, orders) in [
        ("5", "two", 36),
        ("5", "late", 4),
        ("6", "hidden", 4),
        ("5", "after", 2),
        ("4", "philosophers", 3),
        ("6", "philosophers", 7),
        ("8", "philosophers", 15),
        ("4", "ring-any", 16),
        ("5", "ring-all", 1),
        ("5", "token", 24),
        ("7", "reduction", 8),
        ("15", "reduction", 128),
        ("5", "probes", 24),
        ("5", "polls", 24),
        ("5", "posted", 24),
    ] {
        let found = report(&[&program, "-n", ranks, "--budget", "1000", "--", case], &folder);
        assert_eq!(found["explored"]["orders"], serde_json::json!([orders, orders]), "{case}");
        assert_eq!(found["explored"]["exhaustive"], true, "{case}");
        let verdict = if case == "philosophers" { "message-race" } else { "ok" };
        assert_eq!(found["verdict"], verdict, "{case} on {ranks}: {found}");
    }
}

#[test]
fn stalls_that_need_some_messages_buffered_and_others_not_are_found() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("slack.c", &folder);
    for (ranks, case, buffered) in [("4", "one", 1), ("4", "own", 1), ("5", "two", 2)] {
        let found = report(&[&program, "-n", ranks, "--", case], &folder);
        assert_eq!(found["verdict"], "message-race", "{case}: {found}");
        assert_eq!(found["explored"]["orders"], serde_json::json!([1, 2, 2]), "{case}");
        let finding = &found["findings"][0];
        let notes = finding.to_string();
        assert_eq!(finding["outcome"], "deadlock", "{case}: {finding}");
        assert_eq!(notes.matches("the system buffers the data of").count(), buffered, "{finding}");
        assert!(notes.contains("only if the system buffers some messages"), "{finding}");
        let schedule = finding["schedule"].as_str().expect("an order led there");
        assert!(schedule.starts_with("partial+order="), "{schedule}");
        let again = report(&[&program, "-n", ranks, "--schedule", schedule, "--", case], &folder);
        assert_eq!(again["verdict"], "deadlock", "{case}: {again}");
        let nothing = ["--schedule", "partial+order=", "--", case];
        let other = report(&[&[&program, "-n", ranks], &nothing[..]].concat(), &folder);
        assert_eq!(other["verdict"], "ok", "{case}: {other}");
    }
    let safe = report(&[&program, "-n", "4", "--", "safe"], &folder);
    assert_eq!(safe["verdict"], "ok", "{safe}");
    assert_eq!(safe["explored"]["orders"], serde_json::json!([1, 2, 2]), "{safe}");
    // What is buffered is chosen only where it makes other matches possible.
    let senders = compile("orders.c", &folder);
    let found = report(&[&senders, "-n", "4", "--", "senders"], &folder);
    assert_eq!(found["explored"]["orders"].as_array().map(Vec::len), Some(2), "{found}");
}

#[test]
fn beyond_the_budget_orders_are_drawn_and_the_same_ones_each_time() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("orders.c", &folder);
    let words = [program.as_str(), "-n", "4", "--budget", "40", "--", "manager"];
    let found = report(&words, &folder);
    assert_eq!(found["explored"]["exhaustive"], false, "{found}");
    assert!(found["explored"]["drawn"].as_u64().is_some_and(|drawn| drawn >= 10), "{found}");
    assert_eq!(report(&words, &folder), found);
    let (_, text) = windtunnel(&[&["check"], &words[..]].concat(), folder.path());
    assert!(text.contains("not all match orders: ") && text.contains("drawn at random"), "{text}");
}

#[test]
fn budgets_and_schedules_that_are_none_are_refused() {
    let folder = TempDir::new().expect("a folder");
    for (words, told) in [
        (["check", "allgather-ring", "--budget", "ten"], "such as 10000, or a time"),
        (
            ["check", "allgather-ring", "--schedule", "infinite+order"],
            "such as infinite+order=0.2.1",
        ),
        (
            ["run", "allgather-ring", "--schedule", "no-such-file"],
            "a schedule as a finding tells it",
        ),
    ] {
        let (code, text) = windtunnel(&words, folder.path());
        assert!(code == Some(2) && text.contains(told), "{text}");
    }
}

#[test]
fn a_schedule_of_another_program_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("orders.c", &folder);
    for (schedule, told) in [
        ("infinite+order=9", "its choice 1 is 9, and the execution has 0 to 2 there"),
        ("infinite+order=0.0.0.0.0.0.0.0.0.0.0.0", "it lists 12 choices, and the execution has"),
        ("infinite+late=99:5", "it delays rank 99, and there are 4 ranks"),
    ] {
        for command in ["run", "check"] {
            let words = [command, &program, "-n", "4", "--schedule", schedule, "--", "any"];
            let (code, text) = windtunnel(&words, folder.path());
            assert!(code == Some(2) && text.contains(told), "{command} {schedule}: {text}");
        }
    }
}

#[test]
fn a_load_from_memory_of_a_window_is_found_at_its_line() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("verdicts.c", &folder);
    let source = include_str!("../c/verdicts.c");
    let line = |text: &str| source.lines().position(|line| line.contains(text)).map(|at| at + 1);
    for (case, used) in [
        ("loaded_while_put", "b[0] = memory[element]"),
        ("stored_while_put", "memory[element] = 9"),
    ] {
        let found = report(&[&program, "-n", "3", "--", case], &folder);
        let findings = found["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), 1, "each fault is told once: {found}");
        let lines: Vec<Option<u64>> = findings[0]["sites"]
            .as_array()
            .map(|sites| sites.iter().map(|site| site["line"].as_u64()).collect())
            .unwrap_or_default();
        let wanted = [line("used_by, 0, 1, MPI_INT"), line(used)].map(|at| at.map(|at| at as u64));
        assert!(wanted.iter().all(|at| lines.contains(at)), "{case}: {lines:?} {wanted:?}");
    }
}
