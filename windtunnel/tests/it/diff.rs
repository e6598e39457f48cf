//! Two results compared (`windtunnel diff`), through the command line.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::windtunnel;

/// Saves what a command prints in a file, and returns its path.
fn saved(folder: &TempDir, name: &str, words: &str) -> String {
    let (_, out, err) = windtunnel(&format!("{words} --json"));
    assert!(out.starts_with('{'), "{words}: {err}");
    kept(folder, name, &out)
}

fn kept(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    fs::write(&path, text).expect("writable");
    path.display().to_string()
}

fn told(words: &str) -> String {
    let (code, out, err) = windtunnel(words);
    assert_eq!(code, 0, "{words}: {out}{err}");
    out
}

fn object(words: &str) -> Value {
    serde_json::from_str(&told(&format!("{words} --json"))).expect("one JSON object")
}

const RUN: &str = "run allreduce -n 8 --machine infiniband-hdr -p bytes=65536";

#[test]
fn two_runs_are_compared() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let a = saved(&folder, "a.json", &format!("{RUN} --profile"));
    let b = saved(
        &folder,
        "b.json",
        &format!("{RUN} --collectives allreduce=ring --eager-limit 65536 --profile"),
    );
    let out = told(&format!("diff {a} {b}"));
    let set_up: Vec<&str> = out.lines().filter(|line| line.contains("allreduce=ring")).collect();
    assert!(set_up.len() == 1 && set_up[0].starts_with("collectives"), "{out}");
    assert!(out.contains("eager limit, bytes"), "{out}");
    assert!(out.lines().any(|line| line.starts_with("run time") && line.ends_with('%')), "{out}");
    assert!(out.contains("all_reduce") && out.contains("collective"), "{out}");
    let both = object(&format!("diff {a} {b}"));
    let (first, second): (Value, Value) = (
        serde_json::from_str(&fs::read_to_string(&a).expect("text")).expect("JSON"),
        serde_json::from_str(&fs::read_to_string(&b).expect("text")).expect("JSON"),
    );
    assert_eq!(both["schema"], "windtunnel.diff/1");
    assert_eq!(both["run"]["makespan_a_ns"], first["makespan_ns"]);
    assert_eq!(both["run"]["makespan_b_ns"], second["makespan_ns"]);
    assert_eq!(both["run"]["messages_b"], second["messages"]);
    assert_eq!(both["run"]["ranks"].as_array().map(Vec::len), Some(8));
    assert_eq!(both["run"]["ranks"][3]["b"]["finish_ns"], second["per_rank"][3]["finish_ns"]);
    let sites = both["run"]["call_sites"].as_array().expect("both have profiles");
    assert!(sites.iter().any(|site| site["name"] == "all_reduce"), "{sites:?}");
    // In the other order the change has the other sign.
    let back = object(&format!("diff {b} {a}"));
    let change = |both: &Value| both["run"]["change_percent"].as_f64().expect("both completed");
    assert!(change(&both) * change(&back) < 0.0);
}

#[test]
fn every_setting_that_changes_a_run_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = "run allreduce -n 4";
    let a = saved(&folder, "a.json", run);
    for (options, row) in [
        ("--progress weak", ["progress", "strong", "weak"]),
        ("--strictness standard", ["strictness", "library", "standard"]),
        ("--policy mixed-sessions=allowed", ["policies", "-", "mixed-sessions=allowed"]),
        ("--ranks-per-process 2", ["ranks per process", "1", "2"]),
    ] {
        let b = saved(&folder, "b.json", &format!("{run} {options}"));
        let text = told(&format!("diff {a} {b}"));
        let words = row.join(" ");
        let rows =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<&str>>().join(" "));
        assert!(rows.into_iter().any(|line| line == words), "{options}: {text}");
    }
}

#[test]
fn files_of_one_name_that_say_other_things_differ() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |machine: &str, edges: &str, name: &str| {
        let machine = kept(&folder, "machine.json", machine);
        let edges = kept(&folder, "ring.edges", edges);
        let words = format!(
            "run allreduce -n 4 --machine {machine} --topology file:{edges} --network link"
        );
        saved(&folder, name, &words)
    };
    let machine = told("machine show infiniband-hdr");
    let slower = machine.replacen("\"value\": 650", "\"value\": 1650", 1);
    assert_ne!(machine, slower);
    let (ring, chord) = ("a b\nb c\nc d\nd a\n", "a b\nb c\nc d\nd a\na c\n");
    let a = run(&machine, ring, "a.json");
    let b = run(&slower, ring, "b.json");
    let c = run(&machine, chord, "c.json");
    for (other, only, same) in [
        (&b, "figures of the machine", "links of the topology"),
        (&c, "links of the topology", "figures of the machine"),
    ] {
        let text = told(&format!("diff {a} {other}"));
        assert!(text.contains(only) && !text.contains(same), "{text}");
    }
    // Where the names differ, they say it.
    let ideal = saved(&folder, "d.json", "run allreduce -n 4");
    let text = told(&format!("diff {a} {ideal}"));
    assert!(text.contains("infiniband-hdr") && !text.contains("figures of the machine"), "{text}");
}

#[test]
fn a_run_and_itself_do_not_differ() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let a = saved(&folder, "with a space.json", RUN).replace(' ', "?");
    // `windtunnel` splits at spaces, so the file is named without one.
    let copy = kept(&folder, "copy.json", &fs::read_to_string(a.replace('?', " ")).expect("text"));
    let out = told(&format!("diff {copy} {copy}"));
    assert!(out.contains("Both are the same run"), "{out}");
    assert!(out.contains("No difference in the set-up"), "{out}");
    assert!(out.contains("No rank spends its time differently."), "{out}");
}

#[test]
fn a_stall_has_no_change_and_its_finding_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let a = saved(&folder, "a.json", "run allgather-ring -n 4");
    let b = saved(&folder, "b.json", "run allgather-ring -n 4 --buffering zero");
    let out = told(&format!("diff {a} {b}"));
    assert!(out.contains("outcome") && out.contains("stalled"), "{out}");
    assert!(out.contains("only in B: error[WT0001]: deadlock"), "{out}");
    assert_eq!(object(&format!("diff {a} {b}"))["run"]["change_percent"], Value::Null);
}

#[test]
fn two_comparisons_are_compared_by_configuration() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let base = "compare allreduce -n 8 --machine infiniband-hdr";
    let a = saved(&folder, "a.json", &format!("{base} --topologies ring,torus"));
    let b = saved(&folder, "b.json", &format!("{base} --topologies torus,mesh -p bytes=4096"));
    let out = told(&format!("diff {a} {b}"));
    for told in ["torus:2x4, ring:8", "mesh:2x4, torus:2x4", "bytes=4096"] {
        assert!(out.contains(told), "{out}");
    }
    let both = object(&format!("diff {a} {b}"));
    let rows = both["comparison"]["configurations"].as_array().expect("rows");
    let row = |kind: &str| {
        let found = rows
            .iter()
            .find(|row| row["configuration"].as_str().is_some_and(|name| name.starts_with(kind)));
        found.unwrap_or_else(|| panic!("{kind}: {rows:?}"))
    };
    assert_eq!(rows.len(), 3);
    assert_eq!(row("ring")["outcome_b"], "not there");
    assert_eq!(row("mesh")["makespan_a_ns"], Value::Null);
    assert!(row("torus")["change_percent"].as_f64() > Some(0.0));
    assert!(told(&format!("diff {a} {b}")).contains("not there"));
}

#[test]
fn what_distinguishes_the_comparisons_does_not_keep_rows_apart() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sweep = "compare allreduce -n 4 --topologies ring,crossbar";
    let a = saved(&folder, "a.json", sweep);
    let b = saved(&folder, "b.json", &format!("{sweep} --machine infiniband-hdr"));
    let text = told(&format!("diff {a} {b}"));
    assert!(text.contains("infiniband-hdr") && !text.contains("not there"), "{text}");
    let limits = |topology| {
        format!("compare allreduce -n 4 --topologies {topology} --axis eager-limit=0,1K")
    };
    let c = saved(&folder, "c.json", &limits("ring"));
    let d = saved(&folder, "d.json", &limits("crossbar"));
    let text = told(&format!("diff {c} {d}"));
    assert!(text.contains("4 ranks, eager-limit=0  ") && !text.contains("not there"), "{text}");
}

#[test]
fn files_that_are_no_results_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = saved(&folder, "run.json", RUN);
    let compare = saved(&folder, "compare.json", "compare allreduce -n 4 --topologies ring");
    let check = saved(&folder, "check.json", "check allgather-ring -n 4");
    let text = fs::read_to_string(&run).expect("text");
    for (name, other, told) in [
        ("empty.json", String::new(), "is empty"),
        ("text.json", "hello".into(), "not JSON: it begins with `hello`"),
        ("half.json", text[..text.len() / 2].into(), "EOF"),
        ("list.json", "[1]".into(), "no member `schema`"),
        ("new.json", text.replace("run/1", "run/2"), "has the schema `windtunnel.run/2`"),
        ("lost.json", text.replace("\"digest\"", "\"digits\""), "missing field `digest`"),
        ("check.json", fs::read_to_string(&check).expect("text"), "windtunnel.check/1"),
        ("compare.json", fs::read_to_string(&compare).expect("text"), "not the same kind"),
    ] {
        let path = kept(&folder, name, &other);
        let (code, out, err) = windtunnel(&format!("diff {run} {path}"));
        assert!(code == 2 && out.is_empty() && err.contains(told), "{name}: {out}{err}");
        assert!(err.contains(name), "{name}: {err}");
    }
    let (code, _, err) = windtunnel("diff nowhere.json nowhere.json");
    assert!(code == 2 && err.contains("nowhere.json: No such file"), "{err}");
}

#[test]
fn the_page_shows_both_run_times() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let a = saved(&folder, "a.json", RUN);
    let b = saved(&folder, "b.json", &format!("{RUN} --placement random"));
    let page = folder.path().join("page.html");
    told(&format!("diff {a} {b} --report {}", page.display()));
    let page = fs::read_to_string(page).expect("it is written");
    assert!(page.contains("Run time and where it went") && page.contains("placement"), "{page}");
}
