//! `compare` as somebody uses it who has to decide: sweeps, tables, costs, ranges.

use std::fs;

use serde_json::Value;

use super::windtunnel;

fn told(words: &str) -> String {
    let (code, out, err) = windtunnel(words);
    assert_eq!(code, 0, "{words}: {err}");
    out
}

fn object(words: &str) -> Value {
    serde_json::from_str(&told(&format!("{words} --json"))).expect("one JSON object")
}

#[test]
fn which_allreduce_for_which_size_is_one_table() {
    let words = "compare allreduce -n 16 --machine infiniband-hdr --topology fat-tree --axis bytes=8..512Kx256 \
                 --axis collectives.allreduce=ring,recursive-doubling";
    let out = told(words);
    let lines: Vec<&str> = out.lines().collect();
    assert!(
        lines[0].starts_with("bytes \\ allreduce") && lines[0].ends_with("recursive_doubling"),
        "{out}"
    );
    assert_eq!(lines[1..4].iter().filter(|line| line.contains('*')).count(), 3, "{out}");
    assert!(out.contains("By bytes: allreduce=recursive_doubling is fastest"), "{out}");
    let told = object(words);
    assert_eq!(told["rows"].as_array().map(Vec::len), Some(6));
    assert_eq!(told["axes"][0]["name"], "topology");
    assert_eq!(told["rows"][0]["settings"][0]["axis"], "bytes");
    assert_eq!(told["ranges"][0]["axis"], "bytes");
    // Every cell is what `run` gives by itself.
    for row in told["rows"].as_array().expect("rows") {
        let (size, algorithm) = (&row["settings"][0]["value"], &row["settings"][1]["value"]);
        let bytes = match size.as_str() {
            Some("8") => 8,
            Some("2K") => 2048,
            _ => 512 << 10,
        };
        let algorithm = algorithm.as_str().expect("text");
        let alone = object(&format!(
            "run allreduce -n 16 --machine infiniband-hdr --topology fat-tree --network link -p bytes={bytes} \
             --collectives allreduce={algorithm}"
        ));
        assert_eq!(alone["digest"], row["digest"], "{size} {algorithm}");
    }
}

#[test]
fn numbers_of_the_machine_are_an_axis() {
    let words = "compare allreduce -n 4 --machine infiniband-hdr --topology ring --axis network.latency_ns=x0.5,x1,x2";
    let rows = object(words);
    let alone =
        object("run allreduce -n 4 --machine infiniband-hdr --topology ring --network link");
    let row = |value: &str| {
        let rows = rows["rows"].as_array().expect("rows");
        rows.iter().find(|row| row["settings"][0]["value"] == value).expect("it is there").clone()
    };
    assert_eq!(row("x1")["digest"], alone["digest"]);
    let time = |value| row(value)["makespan_ns"].as_f64().expect("a number");
    assert!(time("x0.5") < time("x1") && time("x1") < time("x2"));
}

#[test]
fn what_one_topology_cannot_do_is_left_out_with_its_reason() {
    let words = "compare allgather-ring-nonblocking -n 8 --topologies ring,hypercube --placements block,gray";
    let out = told(words);
    assert!(
        out.contains(
            "left out: ring, placement=gray with 8 ranks: gray placement needs a hypercube"
        ),
        "{out}"
    );
    let told = object(words);
    assert_eq!(told["rows"].as_array().map(Vec::len), Some(3));
    assert_eq!(told["skipped"][0]["ranks"], 8);
    let (code, _, err) =
        windtunnel("compare allgather-ring -n 8 --topologies ring,mesh --placement gray");
    assert!(code == 2 && err.contains("gray placement needs a hypercube"), "{err}");
    // A placement is another choice than a topology.
    let (code, _, err) = windtunnel("compare allgather-ring -n 8 --topologies ring,gray");
    assert!(code == 2 && err.contains("(did you mean `--placement gray`?)"), "{err}");
}

#[test]
fn a_stalled_configuration_shows_its_finding() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html").display().to_string();
    let words = "compare allgather-ring -n 8 --buffering zero --topologies ring,mesh";
    let (code, out, _) = windtunnel(&format!("{words} --report {page}"));
    assert_eq!(code, 1);
    assert!(out.contains("ring:8, 8 ranks; mesh:2x4, 8 ranks: error[WT0001]"), "{out}");
    let page = fs::read_to_string(page).expect("it is written");
    for text in ["WT0001", "No run completed, so there is no run time.", "neither speed-up nor"] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn weak_scaling_divides_no_time_by_ranks() {
    let words =
        "compare jacobi-sendrecv --machine infiniband-hdr --ranks-list 16,4 --topologies ring";
    let (strong, weak) = (object(words), object(&format!("{words} --weak")));
    let of = |told: &Value, field: &str| {
        let rows = told["rows"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["ranks"] == 16).expect("it is there");
        row[field].as_f64().expect("a number")
    };
    assert!((of(&strong, "speedup") - of(&weak, "parallel_efficiency")).abs() < 1e-12);
    assert!((of(&strong, "parallel_efficiency") * 4.0 - of(&strong, "speedup")).abs() < 1e-12);
    assert!((of(&weak, "parallel_efficiency") * 4.0 - of(&weak, "speedup")).abs() < 1e-12);
    assert!(told(&format!("{words} --weak")).contains("weak efficiency"));
    let one = told("compare jacobi-sendrecv -n 4 --topologies ring,mesh");
    assert!(!one.contains("speed-up") && !one.contains("efficiency"), "{one}");
}

#[test]
fn prices_decide_what_is_for_sale() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("prices.json");
    let list = r#"{"unit": "EUR",
        "switches": [{"ports": 8, "price": 500, "watts": 40}, {"ports": 36, "price": 9000, "watts": 200}],
        "adapters": [{"ports": 1, "price": 300, "watts": 15}, {"ports": 4, "price": 900, "watts": 25}],
        "cables": {"short": {"price": 50}, "medium": {"price": 90}, "long": {"price": 400}}}"#;
    fs::write(&path, list).expect("it is written");
    let path = path.display();
    let words = "compare alltoall-ring -n 16 --machine infiniband-hdr --topologies torus,crossbar,hypercube:5";
    let rows = object(&format!("{words} --prices {path}"));
    let cost = |told: &Value, name: &str| {
        let rows = told["rows"].as_array().expect("rows").clone();
        rows.into_iter().find(|row| row["topology"] == name).expect("it is there")["cost"].clone()
    };
    // A switch of 36 ports, 16 adapters and 16 short cables.
    assert_eq!(cost(&rows, "crossbar:16")["price"], 9000.0 + 16.0 * 350.0);
    assert_eq!(cost(&rows, "crossbar:16")["watts"], 200.0 + 16.0 * 15.0);
    assert_eq!(cost(&rows, "torus:4x4")["price"], 16.0 * 900.0 + 32.0 * 50.0);
    assert_eq!(cost(&rows, "hypercube:5")["for_sale"], false, "no adapter has five ports");
    assert_eq!(rows["cost_unit"], "EUR");
    let without = object(words);
    assert_eq!(cost(&without, "crossbar:16")["for_sale"], false, "one switch is a yardstick");
    let advice = without["advice"].as_str().expect("text");
    assert!(!advice.contains("choose crossbar"), "{advice}");
    fs::write(folder.path().join("prices.json"), list.replace("cables", "cabels"))
        .expect("it is written");
    let (code, _, err) = windtunnel(&format!("{words} --prices {path}"));
    assert!(code == 2 && err.contains("did you mean `cables`"), "{err}");
}

#[test]
fn a_machine_that_is_shown_is_the_same_machine() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("my machine.json");
    fs::write(&path, told("machine show infiniband-hdr")).expect("it is written");
    let run = |machine: &str| {
        let mut command =
            assert_cmd::Command::cargo_bin("windtunnel").expect("the program is built");
        let words = ["run", "allreduce", "-n", "4", "--json", "--machine", machine];
        let output = command.args(words).output().expect("it runs");
        let told: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
        told["digest"].clone()
    };
    assert_eq!(run("infiniband-hdr"), run(&path.display().to_string()));
    assert!(told("machine list").contains("infiniband-hdr"));
    let (code, _, err) = windtunnel("machine show infiniband-hrd");
    assert!(code == 2 && err.contains("did you mean `infiniband-hdr`"), "{err}");
}

#[test]
fn a_network_model_is_nothing_to_choose() {
    let base = "compare allreduce -n 8 --machine infiniband-hdr --axis network=link,loggp";
    let out = told(&format!("{base} --axis bytes=8,64K"));
    assert!(out.starts_with("bytes \\ network"), "{out}");
    assert!(!out.contains('*') && !out.contains("agree on the winner"), "{out}");
    assert!(out.contains("nothing to choose between"), "{out}");
    // With something to choose the models go down, and the best of each is marked.
    let out = told(&format!("{base} --axis collectives.allreduce=ring,linear --axis bytes=8,64K"));
    assert!(out.contains("network=loggp:") && out.contains("bytes \\ allreduce"), "{out}");
    assert!(out.contains("* shortest run time of its row"), "{out}");
}

#[test]
fn algorithms_are_advised_on_a_network_that_nobody_sells() {
    let words =
        "compare allreduce -n 16 --topology crossbar --axis collectives.allreduce=ring,linear";
    let out = told(words);
    assert!(out.contains("With 16 ranks choose allreduce=linear"), "{out}");
    assert!(out.contains("one switch of 16 ports is a yardstick"), "{out}");
    let out = told(&format!("{words} --axis bytes=8,64K"));
    assert!(
        out.contains("allreduce=linear is fastest at 8; allreduce=ring is fastest at 64K"),
        "{out}"
    );
}

#[test]
fn a_number_of_ranks_that_a_program_cannot_have_is_left_out() {
    let out = told("compare allgather-cube --ranks-list 4,6,8 --topologies ring");
    assert!(
        out.contains("left out: ring with 6 ranks: the number of ranks of allgather-cube"),
        "{out}"
    );
    assert!(out.contains("ring:4") && out.contains("ring:8"), "{out}");
    let (code, _, err) = windtunnel("run allgather-cube -n 6");
    assert!(code == 2 && err.contains("a power of two"), "{err}");
}

#[test]
fn a_part_without_a_price_is_refused_and_adapters_may_come_with_the_nodes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("prices.json");
    let list = |more: &str| {
        let text = format!(
            "{{\"unit\": \"EUR\", \"switches\": [{{\"ports\": 36, \"price\": 9000}}{more}],
              \"cables\": {{\"short\": {{\"price\": 90}}, \"medium\": {{\"price\": 180}}, \"long\": {{\"price\": 700}}}}}}"
        );
        fs::write(&file, text).expect("writable");
        windtunnel(&format!(
            "compare allreduce -n 8 --topologies torus,fat-tree --prices {}",
            file.display()
        ))
    };
    let (code, out, err) = list("");
    assert!(code == 0 && out.contains("EUR"), "{out}{err}");
    // Twelve cables and nothing else.
    assert!(
        out.lines().any(|line| line.starts_with("torus") && line.contains("1,080 EUR")),
        "{out}"
    );
    let (code, _, err) = list(", {\"ports\": 64, \"watts\": 450}");
    assert!(code == 2 && err.contains("at /switches/1: has no price"), "{err}");
    let (code, _, err) = list(", {\"ports\": 64, \"price\": 0}");
    assert_eq!(code, 0, "a part may be free: {err}");
}

#[test]
fn collectives_alone_need_no_memory_for_their_data() {
    let run = |data: &str| {
        object(&format!("run allreduce -n 4 -p bytes=1000000 --machine infiniband-hdr {data}"))
    };
    let (sizes, all) = (run(""), run("--data all"));
    assert_eq!((&sizes["data"], &all["data"]), (&"none".into(), &"all".into()));
    assert_eq!(sizes["digest"], all["digest"]);
    // 4 GiB of buffers, which nobody touches.
    let huge = object("run allreduce -n 16 -p bytes=67108864 --machine infiniband-hdr");
    assert_eq!(huge["outcome"], "completed");
}
