//! Computing between calls, measured and recorded, and the clocks of the host.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use super::{
    c_programs::{compile, object, windtunnel},
    input::refused,
};

/// A folder with the compiled program.
struct Computes(TempDir, String);

impl Computes {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let program = compile("computes.c", &folder);
        Self(folder, program)
    }

    /// The words of a command; `@` stands for the program, `%` for its folder.
    fn filled(&self, words: &str) -> String {
        words.replace('@', &self.1).replace('%', &self.0.path().display().to_string())
    }

    /// The exit code and all output of a command.
    fn command(&self, words: &str) -> (i32, String) {
        let words = self.filled(words);
        let words: Vec<&str> = words.split_whitespace().collect();
        let (code, text) = windtunnel(&words, self.0.path());
        (code.unwrap_or(-1), text)
    }

    /// The one object that a command prints.
    fn json(&self, words: &str) -> Value {
        let words = self.filled(&format!("{words} --json"));
        let words: Vec<&str> = words.split_whitespace().collect();
        object(&words, self.0.path()).1
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).expect("it was written")
    }
}

fn makespan(run: &Value) -> f64 {
    run["makespan_ns"].as_f64().expect("a number")
}

#[test]
fn measured_computing_takes_time_and_says_that_it_cannot_be_repeated() {
    let program = Computes::new();
    let modelled = program.json("run @ -n 2");
    assert_eq!(modelled["per_rank"][0]["busy_ns"], 0.0);
    assert_eq!(modelled["compute"], "modelled");
    assert_eq!(modelled["reproducible"], true);
    assert_eq!(modelled["not_reproducible_because"], Value::Null);
    let measured = program.json("run @ -n 2 --compute measured");
    assert!(makespan(&measured) > 1e6 + makespan(&modelled), "{measured}");
    let busy = |rank: usize| measured["per_rank"][rank]["busy_ns"].as_f64().expect("a number");
    assert!(busy(0) > 2.0 * busy(1) && busy(1) > 0.0, "rank 0 has ten times the work: {measured}");
    assert_eq!(measured["reproducible"], false);
    assert_eq!(measured["compute"], "measured");
    let (code, text) = program.command("run @ -n 2 --compute measured --report %/page.html");
    assert!(code == 0 && text.contains("reproducible  no: computing was measured"), "{text}");
    assert!(text.contains("mostly uneven computation") || text.contains("computation"), "{text}");
    assert!(program.file("page.html").contains("Not reproducible: computing was measured"));
    let (code, text) = program.command("mpiexec -n 2 -compute measured @");
    assert!(code == 0 && text.contains("not reproducible"), "{text}");
}

#[test]
fn the_factor_scales_what_was_measured() {
    let program = Computes::new();
    let once = makespan(&program.json("run @ -n 2 --compute measured"));
    let thousand = program.json("run @ -n 2 --compute measured:1000");
    let ratio = makespan(&thousand) / once;
    assert!((100.0..10_000.0).contains(&ratio), "{ratio}");
    assert_eq!(thousand["compute"], "measured:1000");
}

#[test]
fn recorded_computing_is_the_same_ever_after() {
    let program = Computes::new();
    let command = "run @ -n 2 --compute recorded:%/computing.json";
    let first = program.json(command);
    assert!(makespan(&first) > 1e6, "{first}");
    assert_eq!(first["reproducible"], true);
    let kept = program.file("computing.json");
    assert_eq!(program.json(command), first, "what was recorded in the first run is replayed");
    assert_eq!(program.json(command)["digest"], first["digest"]);
    assert_eq!(program.file("computing.json"), kept, "and the file stays");
    let recording: Value = serde_json::from_str(&kept).expect("JSON");
    assert_eq!(recording["schema"], "windtunnel.computing/1");
    assert_eq!(
        (&recording["ranks"], &recording["processes"][1]["calls"]),
        (&Value::from(2), &recording["processes"][0]["calls"],)
    );
    // Another machine: other times, the same computing.
    let other = program.json(&format!("{command} --machine paragon"));
    assert!(other["digest"] != first["digest"] && makespan(&other) > makespan(&first));
    assert_eq!(other["per_rank"][0]["busy_ns"], first["per_rank"][0]["busy_ns"]);
    let rows = program.json("compare @ -n 2 --compute recorded:%/computing.json");
    assert!(rows["rows"].as_array().is_some_and(|rows| rows.len() > 2), "{rows}");
    assert_eq!(rows["rows"][0]["per_rank"][1]["busy_ns"], first["per_rank"][1]["busy_ns"]);
}

#[test]
fn compare_records_once_for_all() {
    let program = Computes::new();
    let command = "compare @ -n 2 --topologies ring,mesh --compute recorded:%/new.json";
    let first = program.json(command);
    assert!(program.file("new.json").contains("durations_ps"));
    assert_eq!(program.json(command), first);
}

#[test]
fn a_program_that_does_not_fit_its_recording_is_told_where() {
    let program = Computes::new();
    assert_eq!(program.command("run @ -n 2 --compute recorded:%/r.json").0, 0);
    for (words, parts) in [
        (
            "-- more",
            &["call 2 of rank 1 is MPI_Gather at ", "computes.c:26", "is MPI_Barrier", "no longer"]
                [..],
        ),
        ("-- less", &["of rank 0 is MPI_Finalize", "in the recording it is MPI_Barrier"]),
        ("-- clocks", &["of rank 0 is time", "in the recording it is MPI_Barrier"]),
        ("-n 3", &["on 2 ranks, not on 3"]),
    ] {
        let n = if words.starts_with("-n") { "" } else { "-n 2" };
        let (code, text) =
            program.command(&format!("run @ {n} --compute recorded:%/r.json {words}"));
        assert_eq!(code, 2, "{words}: {text}");
        for part in parts {
            assert!(text.contains(part), "{words}: {part} is not in {text}");
        }
    }
    let (code, text) = program.command("mpiexec -n 2 -compute recorded:%/r.json @ less");
    assert!(code == 2 && text.contains("no longer fits"), "{text}");
    // A run that breaks off has nothing to record.
    let (code, text) = program.command("run @ -n 2 --compute recorded:%/no.json -- fails");
    assert!(code == 1 && text.contains("computing was not recorded"), "{text}");
    assert!(!Path::new(&format!("{}/no.json", program.0.path().display())).exists());
}

#[test]
fn what_is_no_recording_is_refused() {
    let program = Computes::new();
    assert_eq!(program.command("run @ -n 2 --compute recorded:%/r.json").0, 0);
    let good = program.file("r.json");
    for (text, part) in [
        (String::new(), "EOF"),
        (good.replace("computing/1", "computing/2"), "no recording of this version"),
        (good.replacen("\"ranks\": 2", "\"ranks\": 9", 1), "fewer processes than ranks"),
        (good.replacen("\"durations_ps\":[", "\"durations_ps\":[1,", 1), "as many durations_ps"),
        (good.replacen("\"calls\":[", "\"calls\":[99,", 1), "as many durations_ps"),
        (good.replacen("\"calls\":[0", "\"calls\":[99", 1), "not in the list of calls"),
        (good.replacen("durations_ps", "duration_ps", 1), "did you mean `durations_ps`"),
    ] {
        assert_ne!(text, good, "{part}");
        fs::write(program.0.path().join("r.json"), text).expect("writable");
        let (code, told) = program.command("run @ -n 2 --compute recorded:%/r.json");
        assert!(code == 2 && told.contains(part), "{part}: {told}");
    }
    let (code, text) = program.command("run @ -n 2 --compute recorded:%/no/such/r.json");
    assert!(code == 2 && text.contains("cannot be written"), "{text}");
}

#[test]
fn only_what_can_be_told_is_allowed() {
    for (how, allowed) in [
        ("guessed", "modelled, measured, measured:FACTOR or recorded:FILE"),
        ("measured:0", "a factor from 0.000001"),
        ("measured:-1", "a factor"),
        ("measured:NaN", "a factor"),
        ("measured:", "a factor"),
        ("recorded", "recorded:FILE"),
        ("recorded:", "recorded:FILE"),
        ("modelled:2", "modelled"),
    ] {
        refused(&format!("run allgather-ring --compute {how}"), &[allowed]);
    }
    refused("check allgather-ring --compute measured", &["modelled: the check repeats"]);
    refused("check allgather-ring --compute recorded:x", &["modelled: the check repeats"]);
    refused("check ./no --clocks host", &["simulated: the check repeats"]);
    refused("compare allgather-ring --compute measured", &["recorded:FILE, so that"]);
    refused("compare allgather-ring --ranks-list 2,4 --compute recorded:x", &["--ranks-list"]);
    refused("run allgather-ring --clocks guest", &["simulated, host"]);
    refused("run allgather-ring --clocks host", &["a built-in program reads no clocks"]);
}

#[test]
fn a_program_may_see_the_clocks_of_the_host() {
    let program = Computes::new();
    let (code, text) = program.command("run @ -n 2 -- clocks");
    assert!(code == 0 && text.contains("then, slept well, MPI did\n"), "{text}");
    let (code, text) = program.command("run @ -n 2 --clocks host -- clocks");
    assert!(code == 0 && text.contains("today"), "{text}");
    assert!(text.contains("slept well, MPI did not\n"), "{text}");
    assert!(text.contains("reproducible  no: the program sees the clocks"), "{text}");
    let run = program.json("run @ -n 2 --clocks host");
    assert_eq!((&run["clocks"], &run["reproducible"]), (&"host".into(), &false.into()));
    let (code, text) = program.command("mpiexec -n 2 -clocks host @ clocks");
    assert!(code == 0 && text.contains("MPI did not\n"), "{text}");
}

#[test]
fn a_scenario_file_says_the_same() {
    let program = Computes::new();
    let path = program.0.path().join("s.json");
    let name = path.display().to_string();
    let text = "{\"program\": \"./program\", \"ranks\": 2, \"compute\": \"recorded:beside.json\"}";
    fs::write(&path, text).expect("writable");
    let first = program.json(&format!("run {name}"));
    assert!(program.file("beside.json").contains("durations_ps"));
    assert_eq!(program.json(&format!("run {name}")), first);
    assert_eq!(program.json(&format!("run {name} --compute measured"))["compute"], "measured");
    for (wrong, part) in
        [("\"compute\": \"timed\"", "at /compute"), ("\"clocks\": \"guest\"", "at /clocks")]
    {
        fs::write(&path, format!("{{\"program\": \"./program\",\n {wrong}}}")).expect("writable");
        refused(&format!("run {name}"), &[part, "s.json:2:"]);
    }
    fs::write(&path, "{\"program\": \"./program\", \"clocks\": \"host\"}").expect("writable");
    assert_eq!(program.json(&format!("run {name}"))["clocks"], "host");
}

#[test]
fn programs_of_the_simulator_are_measured_too() {
    let (code, out, _) = super::windtunnel("run jacobi-sendrecv -n 4 --compute measured --json");
    let run: Value = serde_json::from_str(&out).expect("one object");
    assert_eq!((code, &run["reproducible"]), (0, &false.into()));
    let busy = run["per_rank"][3]["busy_ns"].as_f64();
    let declared = super::windtunnel("run jacobi-sendrecv -n 4 --json").1;
    let declared: Value = serde_json::from_str(&declared).expect("one object");
    assert!(busy > declared["per_rank"][3]["busy_ns"].as_f64(), "{run}");
    let (code, out, err) = super::windtunnel("run jacobi-sendrecv -n 4 --compute measured --quiet");
    assert!(code == 0 && out.lines().count() == 1 && err.contains("not reproducible"), "{err}");
}

#[test]
fn numbers_drawn_from_the_processor_cannot_be_repeated() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("processor_draws.c", &folder);
    let (code, run) = object(&["run", &program, "-n", "2", "--json"], folder.path());
    assert_eq!((code, &run["reproducible"]), (Some(0), &Value::Bool(false)), "{run}");
    let reason = run["not_reproducible_because"].as_str().expect("a reason");
    assert!(reason.contains("rdrand"), "{reason}");
    let others = compile("draws.c", &folder);
    let (_, run) = object(&["run", &others, "-n", "2", "--json"], folder.path());
    assert_eq!(run["reproducible"], true);
}
