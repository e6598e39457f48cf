//! One-sided programs whose order is their own are right, and their wrong twins are found, however far apart
//! in time the accesses are.

use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, compile_by, object, windtunnel};

/// The functions of `c/ordered.c` that are right.
const RIGHT: [&str; 41] = [
    "ticket_lock",
    "spin_lock",
    "spin_lock_by_accumulate",
    "queue_lock",
    "queue_lock_with_loads",
    "queue_lock_with_stores",
    "queue_lock_with_loads_and_stores",
    "update_seen_and_told",
    "flag_polled",
    "flag_loaded",
    "work_stealing",
    "list_of_ranks",
    "double_buffered_halo",
    "exposure_waited_for",
    "exposure_elsewhere",
    "put_then_flushes_of_all",
    "two_windows_by_syncs",
    "two_windows_by_flushes",
    "put_then_message",
    "put_then_message_and_get",
    "put_then_broadcast",
    "put_then_reduction",
    "put_then_sum",
    "synchronous_send_ended",
    "put_then_barrier",
    "message_probed",
    "exclusive_locks",
    "target_locks_its_own",
    "request_of_a_read",
    "received_into_window",
    "hand_over",
    "unchecked_after_barrier",
    "waits_with_calls",
    "attached_and_told",
    "flushed_and_synced",
    "told_after_flush_and_synced",
    "flag_flushed_locally",
    "read_then_written",
    "rounds_told_after_flush",
    "exchange_told_after_flush",
    "looked_at_beside_work",
];

/// Those that are wrong, with what both accesses of a finding do, by the labels of its sites.
const WRONG: [(&str, [&str; 2]); 31] = [
    ("ticket_lock_without_flush", ["reads", "writes to"]),
    ("ticket_lock_not_awaited", ["reads", "writes to"]),
    ("spin_lock_released_by_put", ["updates", "writes to"]),
    ("flag_without_flush", ["reads memory of rank 0", "rank 1 writes to memory of rank 0"]),
    ("flag_raised_by_put", ["rank 1 writes to memory of rank 0", "rank 2 updates"]),
    ("flag_not_awaited", ["rank 2 reads", "rank 1 writes to"]),
    ("flag_loaded_without_flush", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("data_loaded_much_later", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("tasks_not_published", ["its own memory", "reads memory of"]),
    ("list_linked_too_early", ["rank 0 reads", "its own memory"]),
    ("single_buffered_halo", ["reads its own memory", "writes to memory of"]),
    ("exposure_not_waited_for", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("message_before_flush", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("load_much_later", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("get_much_later", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("message_not_waited_for", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("reduction_to_another", ["rank 2 reads memory of rank 0", "rank 1 writes to"]),
    ("barrier_not_waited_for", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("shared_locks_far_apart", ["writes to", "rank 0"]),
    ("target_does_not_lock", ["rank 0", "rank 1"]),
    ("attached_but_not_told", ["attaches its own memory", "writes to memory of"]),
    ("attached_and_loaded", ["reads its own memory", "writes to memory of"]),
    ("detached_by_luck_afterwards", ["rank 0 detaches its own memory", "rank 1 writes to"]),
    ("request_of_a_write", ["rank 1 writes to", "rank 2 writes to"]),
    ("told_before_flush_and_synced", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("synced_without_flush", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("synced_after_local_flush", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("update_told_but_not_seen", ["rank 1 updates memory of rank 0", "rank 2 writes to"]),
    ("synced_after_request", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("rounds_told_before_flush", ["rank 0 reads its own memory", "rank 1 writes to"]),
    ("exchange_told_before_flush", ["rank 0 reads its own memory", "rank 2 writes to"]),
];

/// Returns the report of a check on this many ranks.
fn check(program: &str, (case, ranks): (&str, &str), folder: &TempDir) -> Value {
    let words = ["check", program, "-n", ranks, "--json", "--", case];
    object(&words, folder.path()).1
}

#[test]
fn locks_queues_and_flags_of_atomic_accesses_order_what_they_protect() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("ordered.c", &folder);
    for case in RIGHT {
        for ranks in ["3", "5"] {
            let report = check(&program, (case, ranks), &folder);
            assert_eq!(report["verdict"], "ok", "{case} on {ranks}: {report}");
        }
    }
}

/// Checks that each case of a program on three ranks has this race: what both accesses of a finding do, by the labels of
/// its sites.
fn each_has_a_race(file: &str, cases: &[(&str, [&str; 2])]) {
    let folder = TempDir::new().expect("a folder");
    let program = compile(file, &folder);
    for (case, told) in cases {
        let report = check(&program, (case, "3"), &folder);
        assert_eq!(report["verdict"], "global-concurrency", "{case}: {report}");
        let fits = |finding: &Value| {
            let sites = finding["sites"].as_array().map_or(&[][..], Vec::as_slice);
            let labels: Vec<&str> =
                sites.iter().filter_map(|site| site["label"].as_str()).collect();
            sites.len() == 2
                && sites.iter().all(|site| site["line"].as_u64().is_some())
                && told.iter().all(|words| labels.iter().any(|label| label.contains(words)))
        };
        let findings = report["findings"].as_array().map_or(&[][..], Vec::as_slice);
        assert!(findings.iter().any(fits), "{case}: {report}");
    }
}

#[test]
fn accesses_that_only_luck_orders_are_found_with_both_lines() {
    each_has_a_race("ordered.c", &WRONG);
}

#[test]
fn atomic_accesses_and_locks_are_tried_in_every_order_of_three_ranks() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("turns.c", &folder);
    for way in ["atomic", "locked"] {
        for (rank, number) in (0..9).map(|case| (case / 3, case % 3)) {
            let (rank, number) = (rank.to_string(), number.to_string());
            let words = ["check", &program, "-n", "3", "--json", "--", way, &rank, &number];
            let (_, report) = object(&words, folder.path());
            let found = &report["findings"][0];
            assert_eq!(found["code"], "WT0027", "{way}, rank {rank}, {number}: {report}");
            assert!(found["sites"][0]["rank"] == rank.parse::<u32>().expect("a number"));
        }
    }
}

#[test]
fn loads_and_stores_of_shared_memory_are_ordered_by_fences() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("shared.c", &folder);
    for case in ["halo", "barrier", "flags", "put", "stores_apart"] {
        for ranks in ["3", "5"] {
            let report = check(&program, (case, ranks), &folder);
            assert_eq!(report["verdict"], "ok", "{case} on {ranks}: {report}");
        }
    }
    each_has_a_race(
        "shared.c",
        &[
            ("halo_without_fence", ["writes to its own memory", "reads memory of rank"]),
            ("put_and_load", ["reads its own memory", "writes to memory of rank"]),
            ("stores", ["rank 1 writes to memory of rank 0", "rank 2 writes to memory of rank 0"]),
        ],
    );
}

#[test]
fn loads_and_stores_without_fences_are_ordered_by_calls_and_by_words_of_the_memory() {
    let folder = TempDir::new().expect("a folder");
    for level in ["-O0", "-O2"] {
        let program = compile_by("", &[level, "-pthread"], "node_memory.c", &folder);
        for case in [
            "barrier",
            "barrier_without_epoch",
            "words",
            "plain_barrier",
            "flag",
            "token",
            "yields",
            "sleeps",
            "spins",
            "counter",
            "own_barrier",
            "spin_lock",
            "mutex",
            "exclusive",
            "peterson",
            "ring_buffer",
            "message_loop",
            "leader",
            "halo",
            "flag_after_sleep",
        ] {
            let report = check(&program, (case, "3"), &folder);
            assert_eq!(report["verdict"], "ok", "{case} at {level}: {report}");
        }
    }
}

#[test]
fn loads_and_stores_that_nothing_orders_are_found_in_memory_that_ranks_share() {
    let (stores, reads) = ("writes to its own memory", "reads memory of rank");
    each_has_a_race(
        "node_memory.c",
        &[
            ("no_barrier", [stores, reads]),
            ("no_barrier_words", [stores, reads]),
            ("no_barrier_without_epoch", [stores, reads]),
            ("barrier_too_early", [stores, reads]),
            ("second_barrier", [stores, reads]),
            ("second_barrier_words", [stores, reads]),
            ("all_store", ["writes to memory of rank 0", "rank 0 writes to its own memory"]),
            ("plain_counter", ["writes to memory of rank 0", "rank 0 writes to its own memory"]),
            ("flag_first", [stores, reads]),
            ("token_first", [stores, reads]),
            ("received", [stores, reads]),
            ("halo_not_apart", [stores, reads]),
        ],
    );
}

#[test]
fn a_flag_in_a_window_is_polled_with_calls_that_do_nothing_else() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("polled.c", &folder);
    for case in [
        "flush",
        "flush_all",
        "flush_local",
        "flush_each",
        "sync_and_flush",
        "sleep_and_flush",
        "probe",
        "lock",
        "lock_unchecked",
    ] {
        let report = check(&program, (case, "2"), &folder);
        assert_eq!(report["verdict"], "ok", "{case}: {report}");
    }
    let words = ["check", &program, "-n", "2", "--json", "--", "flush_each", "never"];
    let (_, report) = object(&words, folder.path());
    assert_eq!(report["verdict"], "deadlock", "{report}");
    assert_eq!(report["findings"][0]["code"], "WT0025", "{report}");
}

#[test]
fn a_lock_that_another_rank_asserts_not_to_be_asked_for_is_misuse() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("ordered.c", &folder);
    for case in ["lock_denied_by_assertion", "lock_asserted_too_early"] {
        let report = check(&program, (case, "3"), &folder);
        assert_eq!(report["verdict"], "epoch-lifecycle", "{case}: {report}");
        let sites = report["findings"][0]["sites"].as_array().expect("a list");
        assert_eq!(sites.len(), 2, "{case}: {report}");
    }
}

#[test]
fn memory_that_is_not_attached_is_told_from_memory_that_was() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("ordered.c", &folder);
    for (case, told) in [
        ("used_after_detach", "memory that rank 0 has detached from the window (MPI_Win_detach at"),
        (
            "used_beyond",
            "bytes 12 to 19 of memory that rank 0 has attached to the window, which has 16 bytes",
        ),
    ] {
        let report = check(&program, (case, "3"), &folder);
        assert_eq!(report["verdict"], "invalid-argument", "{case}: {report}");
        let text = report["findings"][0].to_string();
        assert!(text.contains(told), "{case}: {report}");
    }
}

#[test]
fn a_counter_is_loaded_after_a_barrier() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("counts.c", &folder);
    for (words, verdict) in [(&[][..], "ok"), (&["--", "late"][..], "global-concurrency")] {
        let words = [&["check", &program, "-n", "3", "--json"][..], words].concat();
        let (_, report) = object(&words, folder.path());
        assert_eq!(report["verdict"], verdict, "{report}");
    }
}

/// With weak progress it always stalls, in other executions by the order in which locks are granted.
#[test]
fn locks_that_are_taken_in_two_orders_are_told_once() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("lock_order.c", &folder);
    let (_, report) = object(&["check", &program, "-n", "3", "--json"], folder.path());
    assert_eq!(report["verdict"], "message-race", "{report}");
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1), "{report}");
}

#[test]
fn a_program_that_needs_progress_without_calls_is_told() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("ordered.c", &folder);
    let case = "waits_without_calls";
    let report = check(&program, (case, "3"), &folder);
    assert_eq!(report["verdict"], "deadlock", "{report}");
    assert_eq!(report["findings"][0]["schedule"], "infinite+weak-progress", "{report}");
    let text = report["findings"][0].to_string();
    assert!(text.contains("computes for ever while accesses to its memory wait"), "{text}");
    for (progress, code) in [("strong", 0), ("weak", 1)] {
        let words = ["run", &program, "-n", "3", "--progress", progress, "--", case];
        assert_eq!(windtunnel(&words, folder.path()).0, Some(code), "{progress}");
    }
    let (code, text) =
        windtunnel(&["run", &program, "--progress", "medium", "--", case], folder.path());
    assert_eq!(code, Some(2), "{text}");
}

/// Who does not say how many ranks a node has starts such a program where there is shared memory.
#[test]
fn all_ranks_share_memory_unless_nodes_are_given() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("shared_board.c", &folder);
    let verdict = |words: &[&str]| {
        let words = [&["check", &program, "-n", "4", "--quiet"], words].concat();
        windtunnel(&words, folder.path()).1
    };
    assert!(verdict(&[]).contains("VERDICT: ok"));
    assert!(verdict(&["--ranks-per-node", "4"]).contains("VERDICT: ok"));
    let apart = verdict(&["--ranks-per-node", "2"]);
    assert!(apart.contains("VERDICT: invalid-argument"), "{apart}");
}
