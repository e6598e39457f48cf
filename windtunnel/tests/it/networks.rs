//! Networks that files describe: topologies and routes.

use std::{fs, path::Path};

use tempfile::TempDir;

use super::{files::json, windtunnel};

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("writable");
    }
    folder
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

/// Two leaves with two nodes each, and two spines.
const LEAVES: &str = "switch l0 l1 s0 s1\n0 l0\n1 l0\n2 l1\n3 l1\nl0 s0\nl0 s1\nl1 s0\nl1 s1\n";

#[test]
fn a_file_with_a_mistake_is_refused_with_its_line() {
    let files = [
        ("speed", "a b bandwidth=fast\n", "speed: line 1: the bandwidth `fast` is not a rate"),
        ("empty", "", "empty: the file has no cables; allowed are an edge list"),
        ("apart", "0 1\n2 3\n", "apart: line 2: the graph is not connected"),
        ("few", "switch s\n0 s\n1 s\n", "has 2 nodes (those that the file does not declare"),
        ("a.dot", "graph {\n a -- b -- }", "a.dot: line 2: `}` is not expected here"),
        ("a.xml", "<graphml>\n</graph>", "a.xml: line 2: the XML is malformed"),
    ];
    let folder = folder(&files.map(|(name, text, _)| (name, text)));
    for (name, _, expected) in files {
        let topology = format!("file:{}", path(&folder, name));
        let (code, out, err) =
            windtunnel(&format!("run allgather-ring -n 3 --topology {topology}"));
        assert_eq!((code, out.as_str()), (2, ""), "{name}: {err}");
        assert!(err.contains(expected), "{name}: {err}");
    }
    for topology in ["file", "file:"] {
        let (code, _, err) = windtunnel(&format!("run allgather-ring --topology {topology}"));
        assert!(code == 2 && err.contains("allowed is file:PATH"), "{err}");
    }
}

#[test]
fn routes_come_from_a_table() {
    let slow = LEAVES.replacen("l0 s0\n", "l0 s0 latency=1ms\n", 1);
    let table = |spine: &str| {
        let mut lines = String::new();
        for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b) {
            let via = match (a / 2, b / 2) {
                (one, other) if one == other => format!("l{one}"),
                (one, other) => format!("l{one} {spine} l{other}"),
            };
            lines.push_str(&format!("{a} {b} {via}\n"));
        }
        lines
    };
    let (slower, faster) = (table("s0"), table("s1"));
    let scenario = "{\"program\": \"allgather-ring\", \"ranks\": 4, \"topology\": \"file:net\", \
                    \"network\": \"link:routing=table:by this way\"}";
    let folder = folder(&[
        ("net", &slow),
        ("by s0", &slower),
        ("by s1", &faster),
        ("short", "0 1 l0\n"),
        ("s0.json", &scenario.replace("this way", "s0")),
        ("s1.json", &scenario.replace("this way", "s1")),
    ]);
    let time = |file: &str| json(&format!("run {}", path(&folder, file)))["makespan_ns"].as_f64();
    assert!(time("s0.json") > Some(1e6) && time("s1.json") < Some(1e5));
    let topology = format!("--topology file:{}", path(&folder, "net"));
    let table = path(&folder, "short");
    let (code, _, err) = windtunnel(&format!(
        "run allgather-ring -n 4 {topology} --network flit:routing=table:{table}"
    ));
    let expected =
        format!("routing `table` has no route from `0` to `2` in {table}, and none for 11");
    assert!(code == 2 && err.contains(&expected), "{err}");
    let missing = path(&folder, "missing");
    let (code, _, err) = windtunnel(&format!(
        "run allgather-ring -n 4 {topology} --network link:routing=table:{missing}"
    ));
    assert!(code == 2 && err.contains("missing: No such file"), "{err}");
}

#[test]
fn machines_name_a_topology_beside_them() {
    let ideal = include_str!("../../../scenarios/machines/ideal.json");
    let mine = ideal.replacen("\"crossbar\"", "\"file:net\"", 1);
    let folder = folder(&[("net", LEAVES), ("mine.json", &mine)]);
    let run = json(&format!("run allgather-ring -n 4 --machine {}", path(&folder, "mine.json")));
    let topology = run["topology"].as_str().expect("a name");
    assert!(topology.starts_with("file:") && Path::new(&topology[5..]).exists(), "{topology}");
    fs::remove_file(folder.path().join("net")).expect("there");
    let (code, _, err) =
        windtunnel(&format!("run allgather-ring -n 4 --machine {}", path(&folder, "mine.json")));
    assert!(code == 2 && err.contains("at /default_topology") && err.contains("No such"), "{err}");
}

#[test]
fn values_of_lists_have_quotes() {
    let folder = folder(&[("a, b.edges", "0 1\n1 2\n2 3\n3 0\n"), ("1, 2.txt", "3\n2\n1\n0\n")]);
    let graph = format!("file:{}", path(&folder, "a, b.edges"));
    let order = format!("file:{}", path(&folder, "1, 2.txt"));
    let compare = |words: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("windtunnel").expect("it is built");
        let words = [&["compare", "allreduce", "-n", "4", "--json"], words].concat();
        let out = command.args(&words).output().expect("it runs");
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(0), "{words:?}: {err}");
        let object: serde_json::Value = serde_json::from_slice(&out.stdout).expect("an object");
        let rows = object["rows"].as_array().expect("a list").clone();
        let of = |key: &str| -> Vec<String> {
            rows.iter().map(|row| row[key].as_str().expect("text").to_owned()).collect()
        };
        (of("topology"), of("placement"))
    };
    let (topologies, placements) = compare(&[
        "--topologies",
        &format!("ring,\"{graph}\""),
        "--placements",
        &format!("\"{order}\",block"),
    ]);
    assert_eq!(topologies.len(), 4, "{topologies:?}");
    assert!(topologies.iter().any(|topology| topology.contains("a, b.edges")), "{topologies:?}");
    assert!(placements.iter().any(|placement| placement.contains("1, 2.txt")), "{placements:?}");
    // Sizes with commas need none, and an option may still be given several times.
    let (topologies, _) =
        compare(&["--topologies", "ring,fat-tree:4,4:2,1", "--topologies", "crossbar"]);
    assert_eq!(topologies.len(), 3, "{topologies:?}");
}

#[test]
fn links_are_named_as_in_messages() {
    let folder = folder(&[
        ("net", LEAVES),
        ("other", "switch leaf-0 leaf-1\na-b leaf-0\nc leaf-0\nleaf-0 leaf-1\nd leaf-1\n"),
    ]);
    let run = |name: &str, fault: &str| {
        let topology = format!("file:{}", path(&folder, name));
        let mut command = assert_cmd::Command::cargo_bin("windtunnel").expect("it is built");
        let words = ["run", "bcast", "-n", "3", "--network", "link", "--topology", &topology];
        let out = command.args(words).args(["--json", "--fault", fault]).output().expect("it runs");
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        let object: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap_or_default();
        (out.status.code(), object["makespan_ns"].clone(), err)
    };
    // The third switch is called `s0`, and `s2` is its number.
    let (code, slow, err) = run("net", "link:0-l0=0.01");
    assert_eq!(code, Some(0), "{err}");
    for same in ["link:node 0 -> switch l0=0.01", "link:l0-0@0=0.01", "link:0 - l0=0.01"] {
        let (code, makespan, err) = run("net", same);
        assert_eq!((code, &makespan), (Some(0), &slow), "{same}: {err}");
    }
    for spine in ["link:l0-s0=cut", "link:l0-s2=cut"] {
        assert_eq!(run("net", spine).0, Some(0), "{spine}");
    }
    for name in ["link:a-b-leaf-0=0.5", "link:leaf-0-leaf-1=0.5"] {
        assert_eq!(run("other", name).0, Some(0), "{name}");
    }
    for (net, wrong, told) in [
        ("net", "link:0-l9=cut", "there is no vertex `l9`"),
        ("net", "link:0-l9=cut", "allowed are 0 to 3 and s0 to s3, or the names l0, l1, s0, s1"),
        ("net", "link:0-s0=cut", "node 0"),
        ("other", "link:a-b-leaf-2=cut", "did you mean `leaf-0`"),
    ] {
        let (code, _, err) = run(net, wrong);
        assert_eq!(code, Some(2), "{wrong}: {err}");
        assert!(err.contains(told), "{wrong}: {err}");
    }
}

/// All at once or in pairs, within a node each rank copies one message after the other. Between the sockets of a node copies
/// take longer, so that those of several lengths meet.
#[test]
fn ranks_of_a_node_copy_one_message_at_a_time() {
    for model in ["constant", "loggp", "link", "fluid", "packet", "flit"] {
        for (machine, most) in [("slingshot", 1.01), ("infiniband-hdr", 1.4)] {
            let time = |algorithm: &str| {
                let words = format!(
                    "run alltoall -n 4 --ranks-per-node 4 -p bytes=1M --machine {machine} --network {model} \
                     --collectives alltoall={algorithm}"
                );
                json(&words)["makespan_ns"].as_f64().expect("a time")
            };
            let (at_once, in_pairs) = (time("linear"), time("pairwise"));
            let ratio = at_once / in_pairs;
            assert!((0.9..most).contains(&ratio), "{model} {machine}: {at_once} {in_pairs}");
        }
    }
}
