//! The command `windtunnel traffic`.

use assert_cmd::Command;
use serde_json::Value;

fn traffic(words: &[&str]) -> std::process::Output {
    let short = ["--warm-up", "100", "--measured", "300"];
    let mut command = Command::cargo_bin("windtunnel").expect("it is built");
    command.arg("traffic").args(words).args(short).output().expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn loads_are_measured_on_every_network() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("traffic.svg");
    let words =
        ["--topology", "torus:4x4,ring:16", "--network", "packet,fluid", "--load", "0.1,0.6"];
    let drawn = ["--pattern", "tornado", "--json", "--picture", picture.to_str().expect("a path")];
    let output = traffic(&[&words[..], &drawn].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!(value["schema"], "windtunnel.traffic/1");
    let networks = value["networks"].as_array().expect("a list");
    let names: Vec<String> = networks
        .iter()
        .map(|network| format!("{} {}", network["topology"], network["network"]))
        .collect();
    let expected = [
        ("torus:4x4", "packet"),
        ("torus:4x4", "fluid"),
        ("ring:16", "packet"),
        ("ring:16", "fluid"),
    ];
    assert_eq!(names, expected.map(|(topology, network)| format!("\"{topology}\" \"{network}\"")));
    for network in networks {
        let loads = network["loads"].as_array().expect("a list");
        assert_eq!(loads.len(), 2);
        assert!(loads[0]["mean_latency_ns"].as_f64() < loads[1]["mean_latency_ns"].as_f64());
    }
    // A tornado on a ring of 16 crosses 7 links: each link is full at a seventh of the load.
    assert_eq!(networks[2]["loads"][1]["saturated"], true);
    let picture = std::fs::read_to_string(picture).expect("it is written");
    assert!(picture.starts_with("<svg") && picture.contains("ring:16, fluid"));
}

#[test]
fn pictures_are_svg_and_seeds_whole_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("traffic.PNG");
    let output = traffic(&["--picture", picture.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("ends in .svg"), "{}", text(&output.stderr));
    assert!(!picture.exists());
    let output = traffic(&["--seed", "-1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("a whole number from 0"), "{}", text(&output.stderr));
}

/// Checks that an option is refused with an error that has these texts in it.
fn refused(words: &[&str], told: &[&str]) {
    let output = traffic(words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    let error = text(&output.stderr);
    assert!(told.iter().all(|text| error.contains(text)), "{words:?}: {error}");
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    for (option, values, told) in [
        ("--measured", ["-5", "0", "1000001", "x"], "allowed is 1 to 1000000 message times"),
        ("--warm-up", ["-5", "-1", "1000001", "x"], "allowed is 0 to 1000000 message times"),
        ("--bytes", ["-5", "0", "2G", "x"], "allowed is 1 to 1073741824 bytes"),
        ("--nodes", ["-5", "0", "4194305", "x"], "allowed is 1 to 4194304 nodes"),
    ] {
        for value in values {
            refused(&[option, value], &[told]);
        }
    }
}

#[test]
fn sizes_and_a_number_of_nodes_must_agree() {
    refused(&["--topology", "torus:8", "--nodes", "100"], &["`100`", "8, the nodes of torus:8"]);
    for (topology, nodes) in [("torus:8", "8"), ("torus", "8")] {
        let words = ["--topology", topology, "--nodes", nodes, "--load", "0.1", "--measured", "50"];
        let output = traffic(&words);
        assert!(output.status.success(), "{topology} {nodes}: {}", text(&output.stderr));
    }
}

#[test]
fn a_taper_too_few_is_refused() {
    let words = ["--topology", "fat-tree:4,4,2:2,2", "--load", "0.1"];
    refused(&words, &["`4,4,2:2,2`", "as many as arities"]);
}

#[test]
fn the_same_seed_gives_the_same_text() {
    let words = ["--topology", "hypercube:4", "--load", "0.5", "--seed", "3"];
    let (one, two) = (traffic(&words), traffic(&words));
    assert_eq!(text(&one.stdout), text(&two.stdout));
    assert!(text(&one.stdout).contains("hypercube:4, packet"), "{}", text(&one.stdout));
    let other = traffic(&["--topology", "hypercube:4", "--load", "0.5", "--seed", "4"]);
    assert_ne!(text(&one.stdout), text(&other.stdout));
}

#[test]
fn the_document_says_what_flooded_networks_accept() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/networks.md");
    let page = std::fs::read_to_string(page).expect("it is there");
    let accepted = |words: &str| {
        let words = format!("traffic --network packet --json {words}");
        let (code, out, err) = super::windtunnel(&words);
        assert_eq!(code, 0, "{err}");
        let value: Value = serde_json::from_str(&out).expect("an object");
        let loads = value["networks"][0]["loads"].as_array().expect("a list").clone();
        loads.iter().map(|load| load["accepted"].as_f64().expect("a share")).collect::<Vec<f64>>()
    };
    let percent = |share: f64| (100.0 * share).round();
    let mesh = accepted("--topology mesh:8x8 --pattern bit-complement --load 0.24,0.5,1");
    let [most, half, full] = mesh[..] else { panic!("{mesh:?}") };
    assert_eq!(percent(half), percent(full), "{mesh:?}");
    let sentence =
        format!("falls from {} to {} % under `bit-complement`", percent(most), percent(full));
    assert!(page.contains(&sentence), "{sentence}");
    let torus = accepted("--topology torus:8x8 --pattern tornado --load 0.4..1");
    let mean = torus.iter().sum::<f64>() / torus.len() as f64;
    let sentence = format!("accepts {} % of the load of a tornado", percent(mean));
    assert!(page.contains(&sentence), "{sentence}");
}

#[test]
fn commas_separate_topologies_and_levels_of_a_fat_tree() {
    let output = traffic(&["--topology", "fat-tree:4,2:2,1,ring:4,star:5", "--load", "0.1"]);
    let told = text(&output.stdout);
    for name in ["\nfat-tree:4,2:2,1, packet", "\nring:4, packet", "\nstar:5, packet"] {
        assert!(told.contains(name), "{name}: {told} {}", text(&output.stderr));
    }
    let words = "compare allgather-ring -n 8 --topologies fat-tree:4,2:2,1,ring:8";
    let (code, out, err) = super::windtunnel(words);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("fat-tree:4,2:2,1") && out.contains("ring:8"), "{out}");
}

#[test]
fn the_time_on_this_machine_is_limited() {
    let long = ["--topology", "torus:8x8", "--load", "0.5,0.6", "--max-wall", "300ms"];
    let mut command = Command::cargo_bin("windtunnel").expect("it is built");
    command.arg("traffic").args(long).args(["--measured", "1000000", "--json"]);
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let value: Value = serde_json::from_slice(&output.stdout).expect("an object");
    assert_eq!(value["networks"][0]["not_measured"], serde_json::json!([0.5, 0.6]));
    assert_eq!(value["networks"][0]["loads"], serde_json::json!([]));
    let output = traffic(&["--load", "0.5", "--max-wall", "5min", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(!text(&output.stdout).contains("not_measured"));
}

#[test]
fn wrong_options_are_told() {
    for (words, told) in [
        (&["--pattern", "tornadoo"][..], "no pattern is called `tornadoo`"),
        (
            &["--topology", "ring:6", "--pattern", "shuffle"],
            "is a power of two, and the topology has 6",
        ),
        (
            &["--topology", "hypercube:4", "--pattern", "tornado"],
            "one that sends something on hypercube:4",
        ),
        (
            &["--pattern", "next-group"],
            "is defined for several groups, which `torus` does not have",
        ),
        (&["--network", "flit:routing=magic"], "dimension-order|random-ties|valiant"),
        (
            &["--network", "flit:channels=1", "--topology", "ring:8"],
            "needs 2 virtual channels on ring:8, and the model has 1",
        ),
        (
            &["--network", "flit:routing=valiant", "--topology", "omega:2x3"],
            "needs switches that a packet can leave by the cable by which it came, which omega:2x3 does not have",
        ),
        (
            &["--network", "flit:classes=no:channels=1:buffer=2", "--topology", "ring:8"],
            "no packet can move: node 0 -> node 1, waits for node 1 -> node 2",
        ),
        (&["--load", "1.5"], "a load is more than 0 and at most 1"),
        (&["--load", "0.9..0.1"], "begins with its smaller end, as in 0.1..0.9"),
        (&["--bytes", "0"], "allowed is 1 to 1073741824"),
        (&["--network", "packt"], "no network model is called `packt`"),
        (&["--topology", "torus:0x3"], "the size `0x3`"),
        (&["--picture", "/nowhere/at/all.svg"], "/nowhere/at/all.svg"),
    ] {
        let output = traffic(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let stderr = text(&output.stderr);
        assert!(stderr.contains(told), "{words:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
}

#[test]
fn a_run_on_a_network_that_deadlocks_ends_with_the_circle() {
    let program =
        "run allgather-ring -n 8 --topology ring:8 --placement file:PLACES --network flit";
    let folder = tempfile::tempdir().expect("a folder");
    let places = folder.path().join("places");
    // Neighbours of the program are three places apart.
    std::fs::write(&places, "0 3 6 1 4 7 2 5".replace(' ', "\n")).expect("it is written");
    let program = program.replace("PLACES", places.to_str().expect("a path"));
    let (code, out, err) =
        super::windtunnel(&format!("{program}:classes=no:channels=1:buffer=1:packet=4096"));
    assert_eq!(code, 1, "{out}{err}");
    assert!(out.contains("WT0032") && out.contains("no packet can move: node"), "{out}{err}");
    let (code, out, err) = super::windtunnel(&program);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn routings_are_listed_with_their_virtual_channels() {
    let (code, out, _) = super::windtunnel("list routings");
    assert_eq!(code, 0);
    for told in [
        "dimension-order ",
        "random-ties ",
        "ugal-l ",
        "virtual channels: twice those of the topology",
    ] {
        assert!(out.contains(told), "{told}: {out}");
    }
}
