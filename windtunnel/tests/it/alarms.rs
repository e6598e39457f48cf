//! Timers that expire while a rank waits in an MPI call: their handlers run at their simulated
//! time, and the call goes on.

use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, object, windtunnel};

struct Alarms(TempDir, String);

impl Alarms {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let program = compile("alarms.c", &folder);
        Self(folder, program)
    }

    fn mpiexec(&self, part: &str) -> (i32, String) {
        let (code, text) = windtunnel(&["mpiexec", "-n", "2", &self.1, part], self.0.path());
        (code.unwrap_or(-1), text)
    }

    fn check(&self, part: &str, ranks: &str) -> Value {
        let words = ["check", &self.1, "-n", ranks, "--json", "--", part];
        object(&words, self.0.path()).1
    }
}

#[test]
fn handlers_run_at_their_time_while_a_receive_waits() {
    let program = Alarms::new();
    let printed = |part| {
        let (code, text) = program.mpiexec(part);
        assert_eq!(code, 0, "{text}");
        text
    };
    assert_eq!(printed("once"), "1 ticks 2.000; 1 at 5.5\n");
    assert_eq!(printed("periodic"), "5 ticks 1.000 2.000 3.000 4.000 5.000; 5 at 5.5\n");
    assert_eq!(printed("created"), "5 ticks 4.500 4.750 5.000 5.250 5.500; 5 at 5.5\n");
    assert_eq!(printed("cancelled"), "0 ticks; 0 at 5.5\n");
    let words = ["run", &program.1, "-n", "2", "--json", "--", "cancelled"];
    let (_, run) = object(&words, program.0.path());
    let seconds = run["makespan_ns"].as_f64().expect("a number") * 1e-9;
    assert!((5.5..5.6).contains(&seconds), "{seconds}");
}

#[test]
fn timers_do_not_hide_a_deadlock() {
    let program = Alarms::new();
    for part in ["deadlock", "endless"] {
        let (code, text) = program.mpiexec(part);
        assert_ne!(code, 0);
        assert!(text.contains("deadlock"), "{text}");
        assert_eq!(program.check(part, "2")["verdict"], "deadlock", "{part}");
    }
}

#[test]
fn a_handler_may_end_the_program() {
    let program = Alarms::new();
    let (code, text) = program.mpiexec("leaves");
    assert!(code == 7 && text.contains("gives up at 3.000"), "{code}: {text}");
    let (code, text) = program.mpiexec("stops");
    assert!(code == 9 && text.contains("timeout at 3.000"), "{code}: {text}");
    let (code, text) = program.mpiexec("leaves_barrier");
    assert!(code != 101 && !text.contains("panicked"), "{code}: {text}");
    let (code, text) = program.mpiexec("talks");
    assert!(code != 0 && text.contains("a signal handler communicates"), "{code}: {text}");
}

#[test]
fn limits_that_are_far_away_change_no_verdict() {
    let program = Alarms::new();
    assert_eq!(program.check("guarded", "3")["verdict"], "ok");
    assert_eq!(program.check("once", "2")["verdict"], "ok");
}

#[test]
fn timers_that_are_descriptors_show_simulated_time() {
    let (code, text) = Alarms::new().mpiexec("descriptor");
    assert_eq!((code, text.as_str()), (0, "2.5 0 8 1 2.000 8 4 4.000 1 4.500 1 there\n"));
}

/// Timers count simulated time with any clocks, and it passes where a rank sleeps on the host.
#[test]
fn timers_fire_while_a_rank_sleeps_by_the_clocks_of_the_host() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("sleeps.c", &folder);
    for (clocks, part) in
        [("host", ""), ("host", "until"), ("simulated", ""), ("simulated", "until")]
    {
        let words = ["mpiexec", "--clocks", clocks, "-n", "1", &program, part];
        let (code, text) = windtunnel(&words, folder.path());
        assert!(code == Some(0) && text.starts_with("1 tick"), "{clocks} {part}: {text}");
    }
}
