//! Schedules against times by hand.

use std::sync::Arc;

use mpi_api::{
    outcome::{Ending, RunResult},
    run::{Program, run},
    settings::{Buffering, Settings},
};
use network_models::{Constant, LocalPath, NodeId};
use proptest::prelude::*;
use sim_core::{Limits, SimDuration};

use super::*;

fn go(text: &str) -> RunResult {
    let schedule = Schedule::parse("test.goal", text).expect("a schedule");
    let settings = Settings {
        limits: Limits { events: 1_000_000, ..Limits::standard() },
        ..Settings::free((0..schedule.ranks()).map(NodeId).collect(), Buffering::infinite())
    };
    let local = LocalPath { latency: SimDuration::from_ns(1), bandwidth: None };
    let network = Constant::new(SimDuration::from_ns(1000), None, local);
    run(settings, Box::new(network), &(Arc::new(schedule) as Program), None).0
}

/// Returns the makespan in nanoseconds of a run without findings.
fn time(text: &str) -> u64 {
    let result = go(text);
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    assert!(result.findings.is_empty(), "{:?}", result.findings);
    result.makespan.as_ps() / 1000
}

#[test]
fn operations_start_when_what_they_depend_on_has_ended() {
    let chain = "num_ranks 2
        rank 0 {
            l1: calc 500   # comes first
            l2: send 8b to 1 tag 3 cpu 0 nic 1
            l2 requires l1
        }
        rank 1 {
            a: recv 8b from 0 tag 3
            b: calc 200
            b requires a
        }";
    assert_eq!(time(chain), 500 + 1000 + 200);
}

#[test]
fn operations_need_no_label() {
    let some = "num_ranks 2\nrank 0 {\ncalc 5000\ncalc: calc 300 cpu 0\nsend 8b to 1 tag 3\nsend: send 8b to 1\n
        send requires calc\n}\nrank 1 {\nrecv 8b from 0 tag 3\nlast: recv 8b from 0\nl3: calc 200\nl3 requires last\n}";
    let all = some.replace("\ncalc 5000", "\na: calc 5000").replace("\nsend 8b", "\nb: send 8b");
    let all = all.replace("\nrecv 8b", "\na: recv 8b");
    assert_eq!(time(some), time(&all));
    assert_eq!(time(some), 5000 + 300 + 1000 + 200);
    let problem = Schedule::parse("x", "num_ranks 2\nrank 1 {\nsend 8b to 9\n}");
    let problem = problem.expect_err("there is no rank 9");
    assert_eq!(problem.to_string(), "line 3: `9` is not one of the ranks 0 to 1");
}

#[test]
fn what_txt2bin_reads_is_read() {
    let usual = "num_ranks 2\nrank 0 {\nl1: calc 500\nl2: send 8b to 1 tag 3 cpu 1 nic 2\nl2 requires l1\n}\n
        rank 1 {\nl1: recv 8b from any tag -1\nl2: calc 200\nl2 requires l1\n}";
    assert_eq!(time(usual), 1700);
    for same in [
        // Comments of several lines, which hide braces and all else.
        "/* of\nrank 0 {\n} */ num_ranks 2\nrank 0 {\nl1: calc 500 /* } */\nl2: send 8b /* x */ to 1 tag 3\n
            l2 requires l1 // /*\n}\nrank 1 {\nl1: recv 8b from -1 tag -1\nl2: calc 200\nl2 requires l1\n}",
        // Ranks that begin and end inside of lines.
        "num_ranks 2 rank 0 { l1: calc 500\nl2: send 8b to 1 tag 3\nl2 requires l1 } rank 1{
            l1: recv 8b from 0 tag 3\nl2: calc 200\nl2 requires l1 }",
        // Spaces that mean nothing, and the numbers that LogGOPSim has for any source and any tag.
        "num_ranks 2\nrank 0{\nl1 :calc500\nl2:send 8 b to1 tag3cpu 1\nl2 requires l1\n}\nrank 1 {\n
            l1: recv 8b from 4294967295 tag 4294967295\nl2: calc200 cpu0\nl2 requires l1\n}",
    ] {
        assert_eq!(time(same), 1700, "{same}");
    }
}

#[test]
fn operations_without_dependencies_go_side_by_side() {
    // The message leaves at once, though the calculation stands before it.
    let aside = "num_ranks 2\nrank 0 {\nl1: calc 5000\nl2: send 8b to 1\n}\n
        rank 1 {\nl1: recv 8b from any\nl2: calc 3000\n}";
    assert_eq!(time(aside), 5000);
    let started = "num_ranks 2\nrank 0 {\nl1: recv 4b from 1\nl2: calc 700\nl2 irequires l1\n}
        rank 1 {\nl1: calc 100\nl2: send 4b to 0\nl2 requires l1\n}";
    assert_eq!(time(started), 1100, "the calculation does not wait for the message");
}

#[test]
fn messages_that_nobody_sends_are_a_deadlock() {
    let lost = go("num_ranks 2\nrank 0 {\nl1: recv 8b from 1\n}\nrank 1 {\n}");
    assert_eq!(lost.ending, Ending::Stalled);
    let site = lost.findings[0].sites[0].site.expect("a line");
    assert_eq!((site.file, site.line), ("test.goal", 3));
}

#[test]
fn mistakes_are_told_with_their_lines() {
    for (text, line, what) in [
        ("", 1, "`num_ranks N` comes first"),
        ("num_ranks 0", 1, "with N from 1 to"),
        ("num_ranks 2\nrank 2 {\n}", 2, "rank 2 is not one of 0 to 1"),
        ("num_ranks 2\nrank 1 {\n}\nrank 1 {\n}", 4, "rank 1 is there already"),
        ("num_ranks 2\nrank 1 {\nl1: sned 8b to 0\n}", 3, "`sned` is no operation"),
        ("num_ranks 2\nrank 1 {\nl1: send 8b to 9\n}", 3, "`9` is not one of the ranks 0 to 1"),
        ("num_ranks 2\nrank 1 {\nl1: send x to 0\n}", 3, "`x` is no size"),
        ("num_ranks 2\nrank 1 {\nl1: send 1b to any\n}", 3, "`any` is not one"),
        ("num_ranks 2\nrank 1 {\nl1: calc -5\n}", 3, "`-5` is no time"),
        ("num_ranks 2\nrank 1 {\nl1: calc 5 gpu 0\n}", 3, "`gpu` is none of"),
        ("num_ranks 2\nrank 1 {\nl1: calc 5\nl1: calc 5\n}", 4, "the label l1 is there already"),
        ("num_ranks 2\nrank 1 {\nl1: calc 5\nl1 requires l9\n}", 4, "rank 1 has no label l9"),
        ("num_ranks 2\nrank 1 {\nl1: calc 5\nl1 needs l1\n}", 4, "is neither an operation"),
        ("num_ranks 2\nrank 1 {\nl1: calc 5\nl1 requires l1\n}", 3, "depends on itself"),
        ("num_ranks 2\nrank 1 {\nl1: send 1b to 0 tag x\n}", 3, "`tag` takes a whole number"),
        ("num_ranks 2\nrank 1 {\nl1: send 1b to 4294967295\n}", 3, "is not one of the ranks"),
        ("num_ranks 2 rank 1 {\n} rank 1 {\n}", 2, "rank 1 is there already"),
        ("num_ranks 2\nrank 1 { /*\n}\n", 3, "does not end with `*/`"),
        ("num_ranks 2\nrank 1 {\nl1: calc 5", 3, "do not end with `}`"),
    ] {
        let problem = Schedule::parse("x", text).expect_err(text);
        assert_eq!(problem.line, line, "{text}: {problem}");
        assert!(problem.what.contains(what), "{text}: {problem}");
    }
}

proptest! {
    #[test]
    fn no_text_does_harm(lines in prop::collection::vec(
        "(num_ranks|rank|l1:|l2|requires|irequires|send|recv|calc|8b|to|from|0|1|\\{|\\}|tag|#| |\n){0,12}",
        0..8,
    )) {
        let _ = Schedule::parse("x", &lines.join("\n"));
        let _ = Schedule::parse("x", &format!("num_ranks 2\nrank 0 {{\n{}", lines.join("\n")));
    }
}

#[test]
fn large_files_are_read_in_pieces() {
    // 3 MB, so that several threads read it where there are several processors.
    let rank = |rank: u32| {
        let operations = (0..100).map(|at| format!("o{at}: calc 1 # {:20}\n", ""));
        format!("rank {rank} {{\n{}}}\n", operations.collect::<String>())
    };
    let text = (0..1000).map(rank).collect::<String>();
    let text = format!("# a comment\nnum_ranks 1000\n{text}");
    let schedule = Schedule::parse("x", &text).expect("a schedule");
    assert_eq!(schedule.operations(), 100_000);
    assert_eq!(schedule.ranks[999].operations[99].line, 2 + 1000 * 102 - 1);
    let wrong = format!("{text}rank 3 {{\n}}\n}}\n");
    let problem = Schedule::parse("x", &wrong).expect_err("rank 3 is there twice");
    assert_eq!(problem.to_string(), format!("line {}: rank 3 is there already", 2 + 102_000 + 1));
    let wrong = text.replacen("o99: calc 1", "o98: calc 1", 1);
    let wrong = format!("{wrong}rank 3 {{\n}}\n");
    let problem = Schedule::parse("x", &wrong).expect_err("a label is there twice");
    assert_eq!(problem.to_string(), "line 103: the label o98 is there already");
}
