//! The test API, as a test of a user's own has it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::Command,
    time::Duration,
};

use serde_json::Value;
use windtunnel::{
    Buffering, Code, Ending, Run, RunError, Severity, Verdict,
    mpi::{collective::SystemOperation, topology::SimpleCommunicator, traits::*},
    to_csv,
};

fn ring(world: &SimpleCommunicator) -> i32 {
    let (rank, size) = (world.rank(), world.size());
    let next = world.process_at_rank((rank + 1) % size);
    let previous = world.process_at_rank((rank + size - 1) % size);
    next.send(&rank);
    previous.receive::<i32>().0
}

#[test]
fn a_run_gives_values_times_and_messages() {
    let run = Run::new(8).machine("infiniband-edr").topology("torus:4x2").network("link");
    let finished = run.run(ring);
    assert_eq!(finished.values, [7, 0, 1, 2, 3, 4, 5, 6]);
    assert_eq!((finished.messages, finished.bytes, finished.ranks.len()), (8, 32, 8));
    assert!(finished.makespan.as_ps() > 0);
    finished.assert_clean();
    assert_eq!(run.run(ring).digest, finished.digest, "equal runs are equal");
    assert_ne!(run.machine("sp2").run(ring).makespan, finished.makespan, "another machine");
}

#[test]
fn values_may_be_anything_that_can_be_sent() {
    let finished = Run::new(3).run(|world| vec![world.rank().to_string(); 2]);
    assert_eq!(finished.values[2], ["2", "2"]);
}

#[test]
fn a_run_without_an_end_says_why() {
    let zero = Run::new(4).buffering(Buffering::Zero);
    let Err(RunError::Unfinished(unfinished)) = zero.try_run(ring) else { panic!("it stalls") };
    assert_eq!(unfinished.ending, Ending::Stalled);
    assert_eq!(unfinished.findings[0].code, Code::DeadlockCycle);
    let panicked = catch_unwind(AssertUnwindSafe(|| zero.run(ring))).expect_err("it panics");
    let text = panicked.downcast_ref::<String>().expect("a text");
    assert!(text.contains("error[WT0001]") && text.contains("next.send(&rank);"), "{text}");
    assert_eq!(Run::new(4).buffering(Buffering::Bytes(4)).run(ring).values[0], 3);
}

#[test]
#[should_panic = "on purpose"]
fn a_run_that_fails() {
    Run::new(1).run(|_| panic!("on purpose"));
}

#[test]
fn a_run_that_fails_panics_at_the_line_that_calls_it() {
    let this = std::env::current_exe().expect("it runs");
    let out = Command::new(this)
        .args(["--exact", "testing::a_run_that_fails", "--nocapture"])
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(text.contains("panicked at windtunnel/tests/it/testing.rs:"), "{text}");
}

/// Returns what is printed about a function that panics on one rank.
fn panic_text(function: fn()) -> String {
    let Err(RunError::Unfinished(unfinished)) = Run::new(1).try_run(move |_| function()) else {
        panic!("it panics")
    };
    unfinished.to_string()
}

#[test]
fn a_panic_of_several_lines_stays_within_its_frame() {
    let text = panic_text(|| assert_eq!([1, 2], [1, 3], "vectors"));
    let title = "rank 0 panicked: assertion `left == right` failed: vectors\n";
    assert!(text.contains(title), "{text}");
    assert!(text.contains("^ assertion `left == right` failed: vectors\n"), "{text}");
    let left = text.lines().find(|line| line.contains("left: [1, 2]")).expect("the values");
    let right = text.lines().find(|line| line.contains("right: [1, 3]")).expect("the values");
    assert!(left.contains(" = note:  left: [1, 2]"), "{text}");
    assert_eq!(left.find("left:"), right.find("right:").map(|at| at + 1), "{text}");
    assert_eq!(text.matches("left: [1, 2]").count(), 1, "{text}");
}

#[test]
fn a_panic_without_a_text_says_so() {
    let text = panic_text(|| std::panic::panic_any(42));
    assert!(text.contains("rank 0 panicked: the panic's value is not a string\n"), "{text}");
    let text = panic_text(|| panic!(""));
    assert!(text.contains("rank 0 panicked: the panic's message is empty\n"), "{text}");
}

#[test]
fn limits_and_bad_words_are_errors() {
    let Err(error) = Run::new(2).topology("torsu:2").try_run(ring) else { panic!("it is wrong") };
    assert!(matches!(error, RunError::Input(_)), "{error}");
    assert!(error.to_string().contains("did you mean `torus`"), "{error}");
    assert!(Run::new(0).try_check(ring).is_err());
    assert!(Run::new(2).stack_size(1).try_check(ring).is_err());
    let polls =
        |world: &SimpleCommunicator| while world.any_process().immediate_probe().is_none() {};
    let Err(error) = Run::new(1).max_time(Duration::from_micros(5)).try_run(polls) else {
        panic!("it polls for ever")
    };
    assert!(error.to_string().contains("WT"), "{error}");
}

#[test]
fn a_report_is_read_asserted_and_serialized() {
    let report = Run::new(4).check(ring);
    assert_eq!(report.verdict, Verdict::Buffering);
    assert_eq!(report.findings[0].severity, Severity::Error);
    assert_eq!(report.minimum.map(|minimum| minimum.bytes_per_rank), Some(4));
    assert!(report.to_string().ends_with("VERDICT: buffering"), "{report}");
    assert!(format!("{report:?}").starts_with("Report { ranks: 4, verdict: Buffering"));
    let panicked = catch_unwind(AssertUnwindSafe(|| report.assert_clean())).expect_err("it panics");
    let text = panicked.downcast_ref::<String>().expect("a text");
    assert!(text.contains("error[WT0003]") && text.contains("next.send(&rank);"), "{text}");
    let json: Value = serde_json::to_value(&report).expect("JSON");
    assert_eq!(
        (&json["schema"], &json["verdict"]),
        (&"windtunnel.check/1".into(), &"buffering".into())
    );
    Run::new(4).check(|world| world.barrier()).assert_clean();
}

#[test]
fn results_serialize_and_make_tables() {
    let sum = |world: &SimpleCommunicator| {
        let mut sum = 0;
        world.all_reduce_into(&world.rank(), &mut sum, SystemOperation::sum());
        sum
    };
    let finished = Run::new(4).run(sum);
    let json: Value = serde_json::to_value(&finished).expect("JSON");
    assert_eq!(json["values"], serde_json::json!([6, 6, 6, 6]));
    assert_eq!(json["per_rank"].as_array().map(Vec::len), Some(4));
    assert_eq!(json["digest"], format!("{:016x}", finished.digest));
    let table = to_csv(&finished.rank_rows()).expect("flat rows");
    assert!(
        table.starts_with("rank,busy_ns,communicating_ns,waiting_ns,finish_ns,messages,bytes\n0,")
    );
    assert_eq!(table.lines().count(), 5);
    let rows = to_csv(&[finished.row().clone()]).expect("flat rows");
    assert!(rows.contains("\n4,1,ideal,"), "{rows}");
}

#[test]
fn large_arrays_fit_on_the_stack() {
    let finished = Run::new(4).run(|world| {
        let array = [world.rank() as u8; 3 << 20];
        std::hint::black_box(&array).iter().map(|&byte| u64::from(byte)).sum::<u64>()
    });
    assert_eq!(finished.values[3], 3 * (3 << 20));
    let finished = Run::new(2).stack_size(40 << 20).run(|_| {
        let array = [1u8; 30 << 20];
        std::hint::black_box(&array).len()
    });
    assert_eq!(finished.values, [30 << 20; 2]);
}
