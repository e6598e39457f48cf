//! What would make a run faster: `run --what-if` and `tune`, through the command line.

use std::fs;

use serde_json::Value;

use super::windtunnel;

const PROGRAM: &str =
    "allreduce -n 8 --machine infiniband-hdr --topology fat-tree -p bytes=65536 --network link";

fn object(words: &str) -> Value {
    let (code, out, err) = windtunnel(words);
    assert_eq!(code, 0, "{words}: {out}{err}");
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words}: {out}{err}"))
}

fn refused(words: &str) -> String {
    let (code, out, err) = windtunnel(words);
    assert_eq!(code, 2, "{words}: {out}{err}");
    err
}

fn answer<'a>(run: &'a Value, setting: &str, value: &str) -> &'a Value {
    let answers = run["what_if"]["answers"].as_array().expect("a list");
    let found = answers.iter().find(|one| one["setting"] == setting && one["value"] == value);
    found.unwrap_or_else(|| panic!("{setting}={value} is asked: {answers:?}"))
}

#[test]
fn answers_are_those_of_runs_with_the_setting_changed() {
    let run = object(&format!("run {PROGRAM} --what-if --json"));
    assert_eq!(run["what_if"]["base_makespan_ns"], run["makespan_ns"]);
    let halved = answer(&run, "latency", "x0.5");
    let doubled = answer(&run, "latency", "x2");
    assert!(halved["change_percent"].as_f64() < Some(0.0), "{halved}");
    assert!(doubled["change_percent"].as_f64() > Some(0.0), "{doubled}");
    // Every gap of this machine is shorter than the time of a call.
    assert_eq!(answer(&run, "gap", "x0.5")["change_percent"], 0.0);
    for (value, options) in
        [("ring", "--collectives allreduce=ring"), ("linear", "--collectives allreduce=linear")]
    {
        let alone = object(&format!("run {PROGRAM} {options} --json"));
        assert_eq!(answer(&run, "allreduce", value)["makespan_ns"], alone["makespan_ns"]);
    }
    let placed = object(&format!("run {PROGRAM} --placement random --json"));
    assert_eq!(answer(&run, "placement", "random")["makespan_ns"], placed["makespan_ns"]);
    let slow = object(&format!("run {PROGRAM} --fault link:0-s0=0.5 --json"));
    assert_eq!(answer(&run, "link:0-s0", "x0.5")["makespan_ns"], slow["makespan_ns"]);
    // Without the option nothing is asked, and the run is the same.
    let alone = object(&format!("run {PROGRAM} --json"));
    assert_eq!(alone["what_if"], Value::Null);
    assert_eq!(alone["digest"], run["digest"]);
}

#[test]
fn values_are_compared_with_today_where_that_is_not_offered() {
    let torus = "-n 16 --machine infiniband-hdr --topology torus:4x4";
    let program = format!("allgather {torus} -p bytes=8192");
    let setting = |tuned: &Value, name: &str| -> Value {
        let settings = tuned["settings"].as_array().expect("a list");
        settings.iter().find(|one| one["setting"] == name).expect("it is tuned").clone()
    };
    // What is the same as today's, by another name.
    let today = object(&format!("run {program} --json"))["makespan_ns"].clone();
    let tuned =
        object(&format!("tune {program} --json --axis placement=block --axis eager-limit=64K,1M"));
    let placement = setting(&tuned, "placement");
    assert_eq!(placement["alone"][0]["makespan_ns"], today, "{placement}");
    assert_eq!(placement["changed"], false, "{placement}");
    let limit = object(&format!("run {program} --eager-limit 64K --json"))["makespan_ns"].clone();
    let eager = setting(&tuned, "eager-limit");
    assert_eq!(eager["alone"][0]["makespan_ns"], limit, "{eager}");
    assert_eq!(
        eager["changed"], false,
        "today's limit is as good with the best algorithm: {eager}"
    );
    // What is slower than today's is kept if nothing else is offered.
    let tuned = object(&format!(
        "tune bcast {torus} --json --axis ranks-per-node=2 --axis placement=random"
    ));
    let placement = setting(&tuned, "placement");
    assert_eq!(placement["best"], "random", "{placement}");
    assert!(
        placement["without_makespan_ns"].as_f64() <= tuned["best_makespan_ns"].as_f64(),
        "{tuned}"
    );
}

#[test]
fn named_questions_have_the_syntax_of_axes() {
    let words = format!("run {PROGRAM} --what-if eager-limit=0,64K --what-if=placement=gray,block");
    let (code, out, err) = windtunnel(&words);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("left out: placement=gray: gray placement needs a hypercube"), "{out}");
    assert!(out.contains("no effect: placement=block"), "{out}");
    assert!(!out.contains("latency  "), "only what is named is asked: {out}");
    let lines: Vec<&str> = out.lines().filter(|line| line.starts_with("eager-limit=")).collect();
    assert!(lines[0].starts_with("eager-limit=64K"), "the faster one comes first: {out}");
    for (question, told) in [
        ("latncy=x2", "did you mean `latency`"),
        ("latency=2", "a factor above 0"),
        ("latency", "NAME=VALUE"),
        ("placement=blok", "did you mean `block`"),
        ("link:0=x2", "a link is A-B"),
        ("link:0-99=x2", "there is no vertex `99` in"),
    ] {
        let err = refused(&format!("run {PROGRAM} --what-if {question}"));
        assert!(err.contains(told), "{question}: {err}");
    }
    let err = refused(&format!("run {PROGRAM} --what-if --compute measured"));
    assert!(err.contains("so that all runs compute alike"), "{err}");
}

#[test]
fn a_change_that_stalls_says_so() {
    let (_, out, err) = windtunnel("run --what-if eager-limit=0 allgather-ring -n 4");
    assert!(out.contains("eager-limit=0   stalled"), "{out}{err}");
    assert!(out.contains("eager-limit=0: error[WT0001]: deadlock"), "{out}");
    // The word after the bare option is the program.
    let (code, out, err) = windtunnel("run --what-if allgather-ring -n 4");
    assert!(code == 0 && out.contains("what if"), "{out}{err}");
}

#[test]
fn a_scenario_file_and_a_page_work_as_for_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, page) = (folder.path().join("a.json"), folder.path().join("a.html"));
    let text = r#"{"program": "allreduce", "ranks": 4, "machine": "infiniband-hdr"}"#;
    fs::write(&file, text).expect("writable");
    let words = format!("run {} --what-if --report {}", file.display(), page.display());
    let (code, out, err) = windtunnel(&words);
    assert!(code == 0 && out.contains("run time if halved"), "{out}{err}");
    let page = fs::read_to_string(&page).expect("it is written");
    assert!(page.contains("What halving and doubling changes") && page.contains("latency"));
}

#[test]
fn the_command_that_tune_prints_gives_its_best_run_time() {
    let found = object(&format!("tune {PROGRAM} --json"));
    assert_eq!(found["schema"], "windtunnel.tune/1");
    assert_eq!((&found["exhaustive"], &found["tried"]), (&true.into(), &found["combinations"]));
    assert!(found["best_makespan_ns"].as_f64() < found["today_makespan_ns"].as_f64(), "{found}");
    let today = object(&format!("run {PROGRAM} --json"));
    assert_eq!(found["today_makespan_ns"], today["makespan_ns"]);
    let command = found["command"].as_str().expect("text");
    let words = command.strip_prefix("windtunnel ").expect("its own command");
    let best = object(&format!("{words} --json"));
    assert_eq!(best["makespan_ns"], found["best_makespan_ns"]);
    assert_eq!(best["digest"], found["best_digest"]);
}

#[test]
fn a_space_beyond_the_budget_claims_no_optimum() {
    let words = format!(
        "tune {PROGRAM} --budget 30 --axis network.latency_ns=x0.5,x1,x2 --axis buffering=system,infinite --seed 3"
    );
    let (code, out, err) = windtunnel(&words);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("combinations; another may be better"), "{out}");
    assert!(out.contains("on a machine with network.latency_ns=x0.5"), "{out}");
    let found = object(&format!("{words} --json"));
    assert_eq!(found["exhaustive"], false);
    // Those that show what each setting is worth come in addition.
    assert!((30..36).contains(&found["tried"].as_u64().expect("a number")), "{found}");
    assert_eq!(found, object(&format!("{words} --json")));
}

#[test]
fn only_what_was_tried_is_told() {
    let words = "tune allgather-ring -n 8 --budget 3";
    let (_, out, _) = windtunnel(words);
    let row = |name: &str| {
        let line = out.lines().find(|line| line.starts_with(name)).expect("a row");
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(row("placement"), "placement 1 of 2 - - - in-order -");
    assert!(row("eager-limit").starts_with("eager-limit 3 of 7 as today 7.73 us"), "{out}");
    let tried = |found: &Value, number: usize| -> Vec<bool> {
        let alone = found["settings"][number]["alone"].as_array().expect("a list");
        alone.iter().map(|one| one["tried"] == true).collect()
    };
    let found = object(&format!("{words} --json"));
    assert_eq!((&found["tried"], &found["simulated"]), (&3.into(), &3.into()));
    assert_eq!(tried(&found, 0), [true, true, true, false, false, false, false]);
    assert_eq!(tried(&found, 1), [true, false]);
    // Today's placement is not one to choose from: what is run for comparison with it is counted by itself.
    let words = format!("tune {PROGRAM} --budget 5 --axis placement=random");
    let (_, out, _) = windtunnel(&words);
    assert!(out.contains("the best of 2 of 42 combinations"), "{out}");
    assert!(out.contains("simulated     14 combinations, 12 for comparison"), "{out}");
    let found = object(&format!("{words} --json"));
    assert_eq!((&found["tried"], &found["simulated"]), (&2.into(), &14.into()));
}

#[test]
fn what_stalls_is_never_recommended() {
    let (code, out, err) = windtunnel("tune allgather-ring -n 4");
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("eager-limit=0: error[WT0001]: deadlock"), "{out}");
    assert!(out.contains("2 of those tried cannot be run"), "{out}");
    // Nothing else changes the run on this machine.
    assert!(out.contains("None of the combinations to choose from that were tried is faster than today's settings."), "{out}");
    let words =
        "tune allgather-ring -n 4 --eager-limit 0 --axis eager-limit=0 --axis placement=block";
    let (code, out, _) = windtunnel(words);
    assert!(code == 1 && out.contains("There is nothing to recommend."), "{out}");
}

#[test]
fn axes_of_tune_are_checked() {
    for (axis, told) in [
        ("--axis seed=1,2", "chance is none"),
        ("--axis eager-limti=0", "did you mean `eager-limit`"),
        ("--axis placement=block --axis placement=cyclic", "each setting once"),
        ("--budget 0", "1..=1000000"),
        ("--compute measured", "so that all runs compute alike"),
        ("--trace x.json", "use `windtunnel run`"),
    ] {
        let err = refused(&format!("tune {PROGRAM} {axis}"));
        assert!(err.contains(told), "{axis}: {err}");
    }
}
