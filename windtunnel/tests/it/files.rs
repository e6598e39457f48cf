//! Scenario files, and the files that commands write.

use std::fs;

use serde_json::Value;

use super::windtunnel;

pub(super) fn json(arguments: &str) -> Value {
    let (_, out, err) = windtunnel(&format!("{arguments} --json"));
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{arguments}: {error}: {err}"))
}

const RING: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/library/003_ring-on-paragon/scenario.json");
const CUBE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/library/003_cube-on-mesh/scenario.json");

#[test]
fn a_run_tells_what_reordering_gained() {
    let jacobi = "run jacobi-neighbor -n 64 --topology hypercube:6";
    let run = json(jacobi);
    let one = &run["reorderings"][0];
    assert_eq!((&one["topology"], &one["method"]), (&"torus 8x8".into(), &"gray code".into()));
    assert_eq!(
        (&one["before"]["weighted_hops"], &one["before"]["longest_edge"]),
        (&448.into(), &3.into())
    );
    assert_eq!(
        (&one["after"]["weighted_hops"], &one["after"]["longest_edge"]),
        (&256.into(), &1.into())
    );
    assert_eq!(one["after"]["largest_link_load"], 1);
    let (_, text, _) = windtunnel(jacobi);
    assert!(text.contains("hops 448 -> 256 (-43 %)"), "{text}");
    let (_, text, _) = windtunnel("run allgather-ring -n 8 --topology hypercube:3");
    assert!(!text.contains("reordering"), "{text}");
}

#[test]
fn a_scenario_file_is_a_program_and_options_override_it() {
    let run = json(&format!("run {RING}"));
    assert_eq!(run["program"], "allgather-ring-nonblocking");
    assert_eq!(run["ranks"], 32);
    assert_eq!(run["machine"], "paragon");
    assert_eq!(run["topology"], "mesh:4x8");
    let other = json(&format!("run {RING} -n 8 --machine sp2 --topology ring -p blocksize=2"));
    assert_eq!(other["ranks"], 8);
    assert_eq!(other["machine"], "sp2");
    assert_eq!(other["topology"], "ring:8");
    assert_eq!(other["network"], "loggp", "what is not overridden stays");
    assert_eq!(other["bytes"], 8 * 7 * 2 * 4);
}

#[test]
fn the_cube_stalls_under_a_small_eager_limit() {
    let (code, out, _) = windtunnel(&format!("run {CUBE}"));
    assert_eq!(code, 1);
    assert!(out.contains("then stalled"), "{out}");
    let (code, ..) = windtunnel(&format!("run {CUBE} --eager-limit 2097152"));
    assert_eq!(code, 0);
    assert_eq!(json(&format!("check {CUBE}"))["verdict"], "buffering");
}

#[test]
fn machines_and_edge_lists_of_one_name_are_rows_that_can_be_told_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ideal = include_str!("../../../scenarios/machines/ideal.json");
    let mine = ideal.replacen("\"ideal\"", "\"mine\"", 1);
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
        fs::write(&path, text).expect("writable");
        path.display().to_string()
    };
    let machines = [write("a/mine.json", &mine), write("b/mine.json", &mine)];
    let lists = [write("a/ring", "0 1\n1 2\n2 3\n3 0\n"), write("b/star", "0 1\n0 2\n0 3\n")];
    let compared = json(&format!(
        "compare jacobi-sendrecv -n 4 --machines {},{} --topologies file:{},file:{}",
        machines[0], machines[1], lists[0], lists[1]
    ));
    let rows = compared["rows"].as_array().expect("rows");
    let named: std::collections::BTreeSet<String> =
        rows.iter().map(|row| format!("{} {}", row["machine"], row["topology"])).collect();
    assert_eq!((rows.len(), named.len()), (4, 4), "{named:?}");
    for path in machines.iter().chain(&lists) {
        assert_eq!(named.iter().filter(|name| name.contains(path)).count(), 2, "{path}: {named:?}");
    }
}

#[test]
fn a_check_takes_no_buffering_from_a_scenario_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.json");
    for (buffering, shown) in [("\"zero\"", "zero"), ("64", "64")] {
        let text = format!("{{\"program\": \"jacobi-naive\", \"buffering\": {buffering}}}");
        fs::write(&path, text).expect("writable");
        let (code, out, err) = windtunnel(&format!("check {} -n 4", path.display()));
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains("buffering of the scenario file") && err.contains(shown), "{err}");
        assert_ne!(windtunnel(&format!("run {} -n 4", path.display())).0, 2);
    }
    let (code, _, err) = windtunnel(&format!("check {CUBE}"));
    assert_eq!(code, 1);
    assert!(err.contains("eager_limit_bytes of the scenario file plays no part"), "{err}");
}

#[test]
fn a_machine_beside_a_scenario_file_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ideal = include_str!("../../../scenarios/machines/ideal.json");
    let mine = ideal.replacen("\"ideal\"", "\"mine\"", 1);
    fs::write(folder.path().join("mine.json"), mine).expect("writable");
    let path = folder.path().join("s.json");
    fs::write(&path, "{\"program\": \"allgather-ring\", \"machine\": \"mine.json\"}")
        .expect("writable");
    assert_eq!(json(&format!("run {}", path.display()))["machine"], "mine");
}

#[test]
fn a_trace_has_ranks_links_and_arrows() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("out.json");
    let arguments = "run jacobi-sendrecv -n 4 --topology ring --network link --trace";
    let (code, ..) = windtunnel(&format!("{arguments} {}", path.display()));
    assert_eq!(code, 0);
    let text = fs::read_to_string(&path).expect("the trace");
    let trace: Value = serde_json::from_str(&text).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let count = |phase: &str, process: u32| {
        events.iter().filter(|e| e["ph"] == phase && e["pid"] == process).count()
    };
    assert!(count("X", 1) > 0, "what ranks did");
    assert!(count("X", 2) > 0, "when links were busy");
    assert!(count("s", 1) > 0 && count("s", 1) == count("f", 1), "arrows have two ends");
    let named = |name: &str| events.iter().any(|event| event["args"]["name"] == name);
    assert!(named("rank 0") && named("rank 3") && named("node 0 -> node 1"));
    // Slices of one link follow each other.
    let mut ends = std::collections::BTreeMap::new();
    for event in events.iter().filter(|event| event["ph"] == "X" && event["pid"] == 2) {
        let (at, long) = (event["ts"].as_f64().unwrap_or(-1.0), event["dur"].as_f64());
        let end = ends.entry(event["tid"].to_string()).or_insert(0.0);
        assert!(at + 1e-6 >= *end, "{event}");
        *end = at + long.unwrap_or(0.0);
    }
}

#[test]
fn a_page_is_written_whole_and_loads_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("page.html");
    let name = path.display().to_string();
    for (arguments, parts) in [
        ("run jacobi-naive -n 4", &["Link heat map", "Space-time diagram", "Settings"][..]),
        ("check jacobi-naive -n 4", &["WT0003", "Blocked ranks", "Space-time diagram"]),
        (
            "compare allgather-cube -n 4 --ranks-list 4,8,16",
            &["Ranking", "Run time", "Speed-up", "Breakdown", "Communication matrix", "Critical"],
        ),
    ] {
        let (code, _, err) = windtunnel(&format!("{arguments} --report {name}"));
        assert_ne!(code, 2, "{arguments}: {err}");
        let page = fs::read_to_string(&path).expect("the page");
        assert!(page.ends_with("</html>"), "{arguments}");
        for part in parts {
            assert!(page.contains(part), "{arguments}: {part}");
        }
        for load in ["http:", "https:", "src=", "fetch("] {
            assert!(!page.contains(load), "{arguments}: {load}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1, "and nothing else");
}

#[test]
fn a_grid_is_the_same_however_many_threads_run_it() {
    let arguments = "compare jacobi-sendrecv --topologies ring,mesh,fat-tree --ranks-list 4,16 \
                     --machines ideal,sp2 --placements in-order,random \
                     --algorithms auto,textbook+barrier=tree --json";
    let first = windtunnel(arguments);
    let rows: Value = serde_json::from_str(&first.1).expect("one object");
    let rows = rows["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3 * 2 * 2 * 2 * 2);
    let times: Vec<f64> = rows.iter().filter_map(|row| row["makespan_ns"].as_f64()).collect();
    assert!(times.is_sorted(), "ranked");
    assert!(rows.iter().all(|row| row["ranks"] != 4 || row["speedup"] == 1.0));
    let mut command = assert_cmd::Command::cargo_bin("windtunnel").expect("it is built");
    let alone = command.env("RAYON_NUM_THREADS", "1").args(arguments.split_whitespace()).output();
    assert_eq!(first.1.as_bytes(), alone.expect("it runs").stdout);
}

#[test]
fn a_run_ends_at_its_limit_of_time() {
    let (code, out, _) = windtunnel("run jacobi-sendrecv -n 16 --machine paragon --max-time 1ms");
    assert_eq!(code, 1);
    assert!(out.contains("WT0021"), "{out}");
    assert_eq!(windtunnel("run jacobi-sendrecv -n 16 --machine paragon --max-time 1s").0, 0);
}

#[test]
fn the_size_a_topology_took_is_told() {
    let (_, out, _) = windtunnel("run jacobi-sendrecv -n 10 --topology mesh");
    assert!(out.contains("the smallest that holds the ranks"), "{out}");
    let (_, out, _) = windtunnel("run jacobi-sendrecv -n 10 --topology mesh:4x4");
    assert!(out.contains("mesh:4x4; 6 of 16 nodes idle"), "{out}");
    // The same tree in another form.
    let (_, out, _) = windtunnel("run jacobi-sendrecv -n 10 --topology fat-tree:4,4:1,1");
    assert!(out.contains("fat-tree:4x2; 6 of 16 nodes idle"), "{out}");
}

#[test]
fn the_manual_and_completions_name_every_command() {
    for arguments in ["man", "man --completions bash", "man --completions zsh"] {
        let (code, out, _) = windtunnel(arguments);
        assert_eq!(code, 0);
        for command in ["run", "check", "compare", "validate", "list", "explain", "mpiexec"] {
            assert!(out.contains(command), "{arguments}: {command}");
        }
    }
    assert_eq!(windtunnel("explain 3").1, windtunnel("explain WT0003").1);
}

#[test]
fn ranks_that_are_blocked_at_the_end_have_waited() {
    let run = json("run jacobi-naive -n 4 --machine infiniband-edr --buffering zero");
    assert_eq!(run["outcome"], "stalled");
    let number = |value: &Value| value.as_f64().expect("a number");
    for rank in run["per_rank"].as_array().expect("ranks") {
        let parts = ["busy_ns", "communicating_ns", "waiting_ns"];
        let sum: f64 = parts.iter().map(|part| number(&rank[part])).sum();
        assert!(number(&rank["waiting_ns"]) > 0.0);
        assert!((sum - number(&run["makespan_ns"])).abs() < 1e-6, "{rank}");
        assert_eq!(rank["finish_ns"], run["makespan_ns"]);
    }
}

#[test]
fn the_documented_scenario_can_be_run() {
    let page = include_str!("../../../docs/scenario-format.md");
    let text = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("s.json");
    fs::write(&path, text.expect("an example")).expect("writable");
    let run = json(&format!("run {}", path.display()));
    assert_eq!((&run["program"], &run["ranks"]), (&"allgather-cube".into(), &16.into()));
}
