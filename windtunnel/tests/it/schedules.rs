//! What a finding says of the execution behind it, and the command that makes it again.

use std::process::Command;

use super::{
    c_programs::{compile, object, windtunnel},
    right_names::report,
};
use tempfile::TempDir;

/// Returns the command between backticks that runs an execution again.
fn command(text: &str) -> &str {
    let line = text.lines().find(|line| line.contains("runs this execution again"));
    line.and_then(|line| line.split('`').nth(1)).unwrap_or_else(|| panic!("no command in {text}"))
}

#[test]
fn a_finding_prints_the_command_that_makes_its_execution_again() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("orders.c", &folder);
    let words = ["check", &program, "-n", "3,4", "--budget", "100", "--", "fault", "it's"];
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(1), "{text}");
    let again = command(&text);
    assert!(again.contains("-n 4 --schedule ") && again.ends_with("-- fault \"it's\""), "{again}");
    let made = Command::new("sh").args(["-c", again]).current_dir(folder.path()).output();
    let made = made.expect("a shell");
    let told = String::from_utf8_lossy(&made.stdout);
    assert_eq!(made.status.code(), Some(1), "{told}");
    assert!(told.contains("this is one order of several"), "{told}");
    assert!(told.ends_with("VERDICT: error\n"), "{told}");
}

#[test]
fn an_execution_that_is_as_it_should_be_has_no_remark_on_other_orders() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("orders.c", &folder);
    let words = ["check", &program, "-n", "4", "--schedule", "zero+order=", "--", "fault"];
    let (code, text) = windtunnel(&words, folder.path());
    assert!(code == Some(0) && !text.contains("one order of several"), "{text}");
}

#[test]
fn the_requests_that_a_wait_reported_are_named() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("orders.c", &folder);
    for (case, answer) in [
        ("last-any", "MPI_Waitany on rank 0"),
        ("last-some", "MPI_Waitsome on rank 0"),
        ("some", "reported requests 0 and 1 of its list, where 7 answers were possible"),
    ] {
        let found = report(&[&program, "-n", "4", "--", case], &folder);
        assert_eq!(found["verdict"], "message-race", "{case}: {found}");
        let finding = &found["findings"][0];
        let notes = finding["notes"].to_string();
        assert!(notes.contains(answer) && notes.contains("reported request"), "{case}: {notes}");
        assert!(notes.contains("report any of the requests that are complete"), "{case}: {notes}");
        let help = finding["help"].as_str().expect("a help");
        assert!(!help.contains("named sources"), "its receives name their sources: {help}");
    }
}

#[test]
fn every_execution_tells_its_schedule() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("orders.c", &folder);
    let found = report(&[&program, "-n", "3", "--", "any"], &folder);
    let runs = found["runs"].as_array().expect("a list");
    for run in runs.iter().filter(|run| run["policy"] != "watched") {
        let schedule = run["schedule"].as_str().expect("a schedule");
        let again = report(&[&program, "-n", "3", "--schedule", schedule, "--", "any"], &folder);
        assert_eq!(again["runs"][0]["digest"], run["digest"], "{run}");
    }
    assert!(runs.len() > 6, "{found}");
}

#[test]
fn drawn_orders_miss_a_fault_with_a_bounded_probability() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("orders.c", &folder);
    let missed = |budget: &str| {
        let words = [&program, "-n", "4", "--budget", budget, "--", "manager"];
        let found = report(&words, &folder)["explored"]["missed_at_most"].clone();
        (found["one_choice"].as_f64(), found["two_choices"].as_f64())
    };
    let (one, two) = missed("80");
    let (fewer, _) = missed("40");
    let bounds = one.zip(two).zip(fewer);
    assert!(
        bounds.is_some_and(|((one, two), fewer)| 0.0 < one && one < fewer && one < two),
        "{bounds:?}"
    );
    assert_eq!(missed("5000"), (None, None), "all orders are followed");
    let words = ["check", &program, "-n", "4", "--budget", "80", "--", "manager"];
    let (_, text) = windtunnel(&words, folder.path());
    assert!(
        text.contains("they miss a fault that one choice decides with a probability of"),
        "{text}"
    );
}

#[test]
fn a_schedule_that_is_no_file_either_says_so() {
    let folder = TempDir::new().expect("a folder");
    let words = ["check", "allgather-ring", "--schedule", "order.txt"];
    let (code, text) = windtunnel(&words, folder.path());
    assert!(code == Some(2) && text.contains("there is no file of that name"), "{text}");
}

#[test]
fn ranks_that_go_on_without_end_do_not_keep_others_from_their_messages() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("unfair.c", &folder);
    let found = report(&[&program, "-n", "4", "--max-wall", "60s"], &folder);
    assert_eq!(found["verdict"], "ok", "{found}");
    assert_eq!(found["explored"]["stopped_by"], serde_json::Value::Null, "{found}");
}

#[test]
fn those_that_wait_for_a_rank_that_polls_for_ever_are_told() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("crossed.c", &folder);
    let (code, text) = windtunnel(&["check", &program, "-n", "6"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    for expected in [
        "1 rank polls for ever",
        "crossed.c:11",
        "rank 0 polls here",
        "crossed.c:14",
        "rank 1 waits in MPI_Recv (4 bytes) for rank 0",
        "5 ranks are blocked for ever",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // Each place once, though four ranks wait there.
    assert_eq!(text.matches("waits in MPI_Barrier").count(), 1, "{text}");
}

#[test]
fn ranks_that_look_for_ever_at_a_window_in_which_nothing_changes_are_a_deadlock() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("spin.c", &folder);
    // One rank computes so long that the other looks more often than a rank may that waits for nothing.
    let (code, run) = object(&["run", &program, "-n", "2", "--json"], folder.path());
    assert_eq!(code, Some(0), "{run}");
    assert!(run["messages"].as_u64().is_some_and(|looks| looks > 50_000), "{run}");
    let (code, text) = windtunnel(&["run", &program, "-n", "2", "--", "keep"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("WT0025") && text.contains("rank 1 looks at a window"), "{text}");
    assert!(text.contains("no other rank goes on"), "{text}");
}

#[test]
fn ranks_that_wait_for_a_result_without_a_flush_do_not_go_on_for_ever() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("unseen.c", &folder);
    let (code, text) = windtunnel(&["check", &program, "-n", "3"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    for expected in ["calls MPI_Fetch_and_op for ever", "unseen.c:18", "VERDICT: local-concurrency"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let (code, text) = windtunnel(&["check", &program, "-n", "3", "--", "flush"], folder.path());
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_partition_that_is_polled_for_and_never_ready_is_told() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("never_ready.c", &folder);
    let (code, text) = windtunnel(&["check", &program, "-n", "2"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    for expected in ["error[WT0025]", "1 partition of the send is not declared ready", "MPI_Pready"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_flag_that_overtakes_its_data_is_found() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("flag_first.c", &folder);
    let (code, text) = windtunnel(&["check", &program, "-n", "2"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    for expected in ["error[WT0034]", "flag_first.c:17", "flag_first.c:27"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let (code, text) = windtunnel(&["check", &program, "-n", "2", "--", "flush"], folder.path());
    assert_eq!(code, Some(0), "{text}");
}

/// No match is free in these programs: only the order in which threads run differs.
#[test]
fn faults_that_depend_on_the_order_of_threads_are_found() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("thread_orders.c", &folder);
    let check = |words: &[&str]| {
        object(&[&["check", &program, "-n", "2", "--json"], words].concat(), folder.path())
    };
    let (code, report) = check(&[]);
    assert_eq!((code, &report["verdict"]), (Some(0), &"ok".into()), "{report}");
    for (how, message) in [
        ("receive", "the program goes wrong when threads run in another order"),
        ("lock", "one order of threads leads to a deadlock"),
        ("collective", "the program goes wrong when threads run in another order"),
    ] {
        let (_, report) = check(&["--", how]);
        let findings = report["findings"].as_array().expect("an array");
        assert_eq!(findings.len(), 1, "{how}: {report}");
        assert_eq!(findings[0]["message"], message, "{how}: {report}");
        assert_eq!(findings[0]["code"], "WT0004", "{how}: {report}");
        let schedule = findings[0]["schedule"].as_str().expect("a schedule");
        let (code, again) = check(&["--schedule", schedule, "--", how]);
        assert_eq!(code, Some(1), "{how}: {again}");
    }
    // Two threads may find the same message, unless they take it or keep each other out.
    for (how, codes, verdict) in [
        ("probe", &["WT0004"][..], "message-race"),
        ("matched probe", &[], "ok"),
        ("locked probe", &[], "ok"),
    ] {
        let words = ["check", &program, "-n", "3", "--json", "--", how];
        let (_, report) = object(&words, folder.path());
        let findings = report["findings"].as_array().expect("an array");
        let told: Vec<_> = findings.iter().map(|finding| &finding["code"]).collect();
        assert_eq!(told, codes, "{how}: {report}");
        assert_eq!(report["verdict"], verdict, "{how}: {report}");
        for finding in findings {
            let message = finding["message"].as_str().expect("a message");
            assert!(
                message.ends_with("its probe has found and another thread received"),
                "{report}"
            );
            assert!(finding["help"].to_string().contains("MPI_Mprobe"), "{report}");
            let lines: Vec<_> = finding["sites"]
                .as_array()
                .expect("sites")
                .iter()
                .map(|site| &site["line"])
                .collect();
            assert_eq!(lines.len(), 3, "{report}");
        }
    }
    // That ranks then disagree follows from it.
    let (_, report) = check(&["--", "unlocked"]);
    let findings = report["findings"].as_array().expect("an array");
    let codes: Vec<_> = findings.iter().map(|finding| &finding["code"]).collect();
    assert_eq!(codes, ["WT0028"], "{report}");
}

/// Whether a thread that has woken another one waits before that one continues is a matter of time.
#[test]
fn wake_ups_that_a_thread_misses_are_found() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("lost_wakeup.c", &folder);
    for ranks in ["1", "2"] {
        let (code, text) = windtunnel(&["check", &program, "-n", ranks], folder.path());
        assert_eq!(code, Some(1), "{text}");
        for expected in [
            "error[WT0004]: one order of threads leads to a deadlock",
            "lost_wakeup.c:17:13",
            "waits in pthread_cond_wait for another thread",
            "notify the condition",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
        let right = ["check", &program, "-n", ranks, "--", "notify"];
        let (code, text) = windtunnel(&right, folder.path());
        assert_eq!(code, Some(0), "{text}");
    }
}

/// All orders of messages go wrong: what a probe finds decides.
#[test]
fn what_polls_find_is_not_blamed_on_receives_from_any_source() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("leaves_early.c", &folder);
    let (code, text) = windtunnel(&["check", &program, "-n", "3"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("when a test or probe ends otherwise"), "{text}");
    assert!(!text.contains("receive from named sources"), "{text}");
    let right = ["check", &program, "-n", "3", "--", "synchronous"];
    let (code, text) = windtunnel(&right, folder.path());
    assert_eq!(code, Some(0), "{text}");
}
