//! Links that are cut or slow.

use std::fs;

use serde_json::Value;

use super::windtunnel;

const PROGRAM: &str = "run allgather-ring-nonblocking -n 8 -p blocksize=4096 --topology ring:8 \
                       --machine infiniband-hdr --json";

fn object(words: &str) -> Value {
    let (code, out, err) = windtunnel(words);
    assert_eq!(code, 0, "{words}: {err}");
    serde_json::from_str(&out).expect("an object")
}

fn makespan(words: &str) -> f64 {
    object(words)["makespan_ns"].as_f64().expect("a number")
}

#[test]
fn a_run_goes_on_around_a_cut_link() {
    for network in ["link", "fluid", "packet", "flit"] {
        let program = format!("{PROGRAM} --network {network}");
        let whole = makespan(&program);
        let slow = makespan(&format!("{program} --fault link:2-3=0.5"));
        let cut = makespan(&format!("{program} --fault link:2-3@0=cut"));
        let late = makespan(&format!("{program} --fault link:2-3@5us=cut"));
        let never = makespan(&format!("{program} --fault link:3-2@1s=cut"));
        assert!(
            whole < slow && whole < late && late <= cut,
            "{network}: {whole} {slow} {late} {cut}"
        );
        // Under `flit` the link that is cut one day costs virtual channels from the begin on.
        assert!(never == whole || network == "flit", "{network}: {never} {whole}");
    }
    let told = object(&format!("{PROGRAM} --fault link:2-3@5us=cut --fault link:0-1=0.9"));
    assert_eq!(told["faults"], serde_json::json!(["link:2-3@5us=cut", "link:0-1=0.9"]));
    let again = object(&format!("{PROGRAM} --fault link:2-3@5us=cut --fault link:0-1=0.9"));
    assert_eq!(told, again);
}

#[test]
fn a_run_without_a_path_is_explained() {
    let words = "run allgather-ring-nonblocking -n 8 --topology linear:8 --machine infiniband-hdr \
                 --fault link:2-3@3us=cut";
    let (code, out, err) = windtunnel(words);
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("WT0032") && out.contains("the network is cut"), "{out}");
    assert!(out.contains("the cut links leave no path from node 7 to node 0"), "{out}");
    assert!(out.contains("disturbed by  fault link:2-3@3us=cut"), "{out}");
}

#[test]
fn packets_on_a_cut_link_are_lost_and_sent_again() {
    let drop_tail =
        "run allgather-ring -n 8 --machine ethernet-1g --network packet:loss=drop-tail:rto=1ms";
    let (code, out, err) =
        windtunnel(&format!("{drop_tail} --topology ring:8 --fault link:0-1@100us=cut"));
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("1 of 57 packets dropped (1 on cut links), 1 sent again, 1 time-out"),
        "{out}"
    );
    let repaired = "--fault link:3-4@100us=cut --fault link:3-4@50ms=1";
    let (code, out, _) = windtunnel(&format!("{drop_tail} --topology linear:8 {repaired} --json"));
    assert!(code == 0 && out.contains("\"cut\": "), "{out}");
    let (code, out, err) =
        windtunnel(&format!("{drop_tail} --topology linear:8 --fault link:3-4@100us=cut"));
    assert_eq!(code, 1, "{err}");
    assert!(out.contains("the cut links leave no path from node 7 to node 0"), "{out}");
}

#[test]
fn a_switch_of_a_plane_is_named_as_in_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("two.edges");
    fs::write(&path, "switch leaf0 leaf1\n0 leaf0\n1 leaf0\n2 leaf1\n3 leaf1\nleaf0 leaf1\n")
        .expect("it is written");
    let program = format!(
        "run alltoall -n 4 --machine infiniband-hdr -p bytes=64K --topology planes:2*file:{} --json",
        path.display()
    );
    let whole = makespan(&program);
    let slow = makespan(&format!("{program} --fault link:0-leaf0@1=0.1"));
    assert!(slow > whole, "{slow} {whole}");
    for same in ["link:leaf0@1-0=0.1", "link:0-leaf0@1@0=0.1", "link:0-leaf0@1@0ns=0.1"] {
        assert_eq!(slow, makespan(&format!("{program} --fault {same}")), "{same}");
    }
    assert_eq!(whole, makespan(&format!("{program} --fault link:0-leaf0@1@1s=0.1")));
    for wrong in ["link:0-leaf0=0.1", "link:0-leaf0@0ns=0.1", "link:0-leaf0@2=0.1"] {
        let (code, _, err) = windtunnel(&format!("{program} --fault {wrong}"));
        assert!(code == 2 && err.contains("there is no vertex `leaf0"), "{wrong}: {err}");
    }
}

#[test]
fn faults_are_in_scenario_files_and_wrong_ones_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cut.json").display().to_string();
    let scenario = r#"{"program": "allgather-ring-nonblocking", "ranks": 8, "topology": "ring:8",
        "machine": "infiniband-hdr", "parameters": {"blocksize": 4096}, "faults": ["link:2-3=cut"]}"#;
    fs::write(&path, scenario).expect("it is written");
    let from_file = makespan(&format!("run {path} --json"));
    assert_eq!(from_file, makespan(&format!("{PROGRAM} --fault link:2-3=cut")));
    fs::write(&path, scenario.replace("=cut", "=out")).expect("it is written");
    let (code, _, err) = windtunnel(&format!("run {path}"));
    assert!(code == 2 && err.contains("/faults/0") && err.contains("a fault is link:A-B"), "{err}");
    for (fault, told) in [
        ("link:2-4=cut", "there is no link between node 2 and node 4 in ring:8"),
        ("link:2-4@5=cut", "TIME has a unit"),
        ("link:2-99@0s=cut", "there is no vertex `99` in ring:8; allowed are 0 to 7"),
        ("link:2-3@2=cut", "allowed is link:A-B@TIME=cut"),
        ("link:2-99=cut --topology crossbar:8", "`99` in crossbar:8; allowed are 0 to 7 and s0"),
        ("link:2-s0=cut", "there is no vertex `s0` in ring:8; allowed are 0 to 7"),
        ("link:2-3=0", "a fault is link:A-B@TIME=cut"),
        ("link:2-3=cut --network loggp", "`loggp` does not follow faults"),
        ("link:2-3=cut --network flit:routing=valiant", "`flit` does not follow faults"),
        (
            "link:2-3=cut --network flit:channels=2",
            "needs 7 virtual channels on ring:8, and the model has 2",
        ),
    ] {
        let (code, out, err) = windtunnel(&format!("{PROGRAM} --fault {fault}"));
        assert!(code == 2 && err.contains(told) && out.is_empty(), "{fault}: {err}");
    }
    // A comparison has the fault in each row that has the link.
    let words = "compare allgather-ring-nonblocking -n 8 --topologies ring:8,torus:2x4 --fault link:0-1=0.5";
    let (code, _, err) = windtunnel(words);
    assert_eq!(code, 0, "{err}");
}
