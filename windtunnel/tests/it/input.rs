//! Bad input: an error of one screen at most that says what, where and what is allowed; exit 2.

use std::fs;

use super::windtunnel;

/// The message of `arguments`, which has to hold every part.
pub(super) fn refused(arguments: &str, parts: &[&str]) {
    let (code, out, err) = windtunnel(arguments);
    assert_eq!(code, 2, "{arguments}: {err}");
    for part in parts {
        assert!(err.contains(part), "{arguments}: `{part}` is not in {err}");
    }
    assert!(out.is_empty(), "{arguments}: {out}");
    assert!(err.lines().count() <= 24 && err.len() < 2000, "{arguments}: more than a screen");
}

#[test]
fn unknown_names_are_told_with_the_nearest_one() {
    for command in ["run", "check", "compare"] {
        refused(&format!("{command} allgather-rin"), &["did you mean `allgather-ring`"]);
        refused(&format!("{command} allgather-ring --machine paragn"), &["mean `paragon`"]);
    }
    refused("run allgather-ring --topology mech:3x3", &["`mech`", "mean `mesh`"]);
    refused("run allgather-ring --topology donut", &["there are ring, linear"]);
    refused("compare allgather-ring --topologies ring,mech", &["mean `mesh`"]);
    refused("compare allgather-ring --machines sp2,paragn", &["mean `paragon`"]);
    refused("run allgather-ring --network lnk", &["mean `link`", "loggp"]);
    refused("run allgather-ring --placement inorder", &["mean `in-order`"]);
    refused("run allgather-ring --placement cylcic", &["mean `cyclic`"]);
    refused("run allgather-ring --collectives allgather=rng", &["mean `ring`"]);
    refused("run allgather-ring --collectives algather=ring", &["mean `allgather`"]);
    refused(
        "compare bcast --axis collectives.brodcast=binomial,linear",
        &["(did you mean `collectives.broadcast`?)"],
    );
    refused(
        "run bcast --background unifrom:0.3",
        &["no traffic pattern is called `unifrom` (did you mean `uniform`?)", "transpose"],
    );
    refused("run allgather-ring -p blocksie=2", &["mean `blocksize`"]);
    refused("explain WT9999", &["no code is called `WT9999`", "WT0001"]);
    refused("list functons", &["a similar value exists: 'functions'"]);
    refused("frobnicate", &["frobnicate"]);
    refused("run", &["no program is named"]);
}

#[test]
fn impossible_sizes_are_refused() {
    for command in ["run", "check", "compare"] {
        refused(&format!("{command} allgather-cube -n 6"), &["`6`", "a power of two"]);
        refused(&format!("{command} allgather-ring -n 0"), &["'0'", "1 to 4194304"]);
        refused(&format!("{command} allgather-ring -n -3"), &["'-3'", "1 to 4194304"]);
    }
    refused("run allgather-ring -n 99999999999", &["1 to 4194304"]);
    refused("run allgather-ring -n 10 --topology mesh:3x3", &["9 nodes", "--ranks-per-node"]);
    refused("run allgather-ring -n 19 --topology mesh:3x3 --ranks-per-node 2", &["9 nodes"]);
    refused("run allgather-ring --ranks-per-node 0", &["1 to 4194304"]);
    refused("run allgather-ring --ranks-per-socket 0", &["1 to 4194304"]);
    refused("run allgather-ring --background uniform:2", &["a load of 0.001 to 1"]);
    refused(
        "run allgather-ring -n 6 --topology ring:6 --background shuffle:0.1",
        &["power of two"],
    );
    refused(
        "run allgather-ring --network constant --background uniform:0.1",
        &["under network model `constant`", "loggp, "],
    );
    refused("run allgather-ring --ranks-per-socket 2", &["`2`", "no section `node`"]);
    let sockets = "run allgather-ring -n 8 --machine infiniband-hdr";
    refused(&format!("{sockets} --ranks-per-socket 2"), &["`2`", "1 to 1, the ranks on a node"]);
    let four = "--ranks-per-node 4 --ranks-per-socket 9";
    refused(&format!("{sockets} {four}"), &["`9`", "1 to 4, the ranks on a node"]);
    refused("run allgather-ring --topology torus:0x4", &["`0x4`", "AxBx.."]);
    refused("run allgather-ring --topology mesh:-3x3", &["`-3x3`"]);
    refused("run allgather-ring --topology mesh:100000x100000", &["more than 4194304 nodes"]);
    refused("run allgather-ring --placement gray", &["needs a hypercube"]);
    refused("compare allgather-ring --ranks-list 4,0", &["'0'"]);
    assert_eq!(windtunnel("run allgather-ring -n 18 --topology mesh:3x3 --ranks-per-node 2").0, 0);
}

#[test]
fn absurd_numbers_are_refused() {
    for (option, allowed) in [
        ("--seed -1", "'-1'"),
        ("--seed 1.5", "'1.5'"),
        ("--eager-limit -1", "'-1'"),
        ("--max-events many", "'many'"),
        ("--max-time 5", "a time is written with its unit"),
        ("--max-time -5ms", "more than 0"),
        ("--max-time 1e30s", "at most"),
        ("--buffering -1", "system, infinite, zero"),
        ("--buffering lots", "system, infinite, zero"),
        ("-p blocksize=x", "a whole number from 1"),
        ("-p blocksize=-1", "a whole number from 1"),
        ("-p blocksize=1X", "such as 4096 or 4K"),
        ("-p blocksize=0", "a whole number from 1"),
        ("-p blocksize=99999999999999999999", "a whole number from 1"),
        ("-p blocksize", "key=value"),
        ("-- word", "takes parameters"),
    ] {
        refused(&format!("run allgather-ring {option}"), &[allowed]);
    }
}

#[test]
fn malformed_files_are_told_with_line_and_pointer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("bad.json");
    let name = path.to_str().expect("text");
    let ideal = include_str!("../../../scenarios/machines/ideal.json");
    for (text, parts) in [
        (&ideal[..900], &["bad.json:", "at /costs/", "EOF"][..]),
        (&ideal.replacen("\"value\": 1000", "\"value\": -5", 1), &[":8:", "latency_ns", "-5"]),
        (&ideal.replacen("gap_ns", "gaps_ns", 1), &["/network/gaps_ns", "mean `gap_ns`"]),
        (&ideal.replacen("1000", "\"fast\"", 1), &["latency_ns/value", "expected a number"]),
        (&ideal.replacen("defined", "guessed", 1), &["provenance", "guessed", "unverified"]),
        ("", &["EOF"]),
        ("[]", &["bad.json:1:"]),
        (
            "num_ranks 2\n",
            &[
                "bad.json:1:",
                "not JSON: it begins with `num_ranks`, and an object that describes a machine",
            ],
        ),
    ] {
        fs::write(&path, text).expect("writable");
        refused(&format!("run allgather-ring --machine {name}"), parts);
    }
    for (text, parts) in [
        ("{\"program\": \"allgather-ring\",\n \"rank\": 4}", &[":2:", "/rank", "mean `ranks`"][..]),
        ("{\"program\": \"allgather-ring\",\n \"ranks\": \"4\"}", &[":2:", "at /ranks"]),
        ("{\"program\": \"allgather-ring\", \"ranks\": -4}", &["at /ranks"]),
        ("{\"program\": \"allgather-ring\", \"ranks\": 0}", &["at /ranks", "1 to 4194304"]),
        ("{\"program\": \"allgather-ring\", \"buffering\": true}", &["at /buffering", "zero"]),
        ("{\"program\": \"allgather-ring\",", &["EOF"]),
        ("{}", &["missing field `program`"]),
        ("{\"program\": \"allgather-rin\"}", &["mean `allgather-ring`"]),
    ] {
        fs::write(&path, text).expect("writable");
        refused(&format!("check {name}"), parts);
    }
    refused("run nosuch.json", &["nosuch.json: No such file"]);
    refused("run allgather-ring --machine nosuch.json", &["nosuch.json: No such file"]);
}

#[test]
fn a_path_that_cannot_be_written_is_told_before_the_work() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let inside = folder.path().display();
    // Work that would take days: only an error at once ends this test.
    let long = "-n 4096 -p blocksize=60000000";
    for option in ["--report", "--trace"] {
        refused(
            &format!("run allgather-ring {long} {option} {inside}/no/such/file"),
            &["/no/such/file: cannot be written"],
        );
        refused(&format!("check allgather-ring {long} {option} {inside}"), &["cannot be written"]);
    }
    refused(
        &format!("compare allgather-ring {long} --report {inside}/no/such/file"),
        &["/no/such/file: cannot be written"],
    );
    refused(
        &format!("run allgather-rin --report {inside}/page.html"),
        &["did you mean `allgather-ring`"],
    );
    let left = fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(left, 0, "nothing is left half-written");
}

#[test]
fn a_wrong_list_of_numbers_of_ranks_is_told_with_its_option() {
    for words in ["-n 2,", "--ranks=2,x", "-n2,0"] {
        let (code, _, err) = windtunnel(&format!("check allgather-ring {words}"));
        assert_eq!(code, 2, "{words}: {err}");
        assert!(err.contains("'--ranks <RANKS>'") && !err.contains("--sizes"), "{words}: {err}");
        assert!(err.contains("or several, as in 2,4, for `check -n`"), "{words}: {err}");
    }
    let (code, _, err) = windtunnel("check allgather-ring -n 2,3 --quiet");
    assert_eq!(code, 1, "{err}");
}

#[test]
fn settings_of_a_scenario_are_told_with_line_and_pointer() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("it.json");
    let name = path.to_str().expect("text");
    fs::write(folder.path().join("one.edges"), "Switch a\n0 a\n").expect("writable");
    for (settings, parts) in [
        ("\"topology\": \"rnig\"", &["it.json:2:1: at /topology: no topology", "mean `ring`"][..]),
        ("\"topology\": \"file:one.edges\"", &["at /topology: ", "one.edges: line 1: `Switch`"]),
        ("\"network\": \"lnk\"", &["it.json:2:1: at /network: no network model"]),
        ("\"placement\": \"blok\"", &["at /placement: ", "mean `block`"]),
        ("\"machine\": \"paragn\"", &["it.json:2:1: at /machine: no machine"]),
        ("\"parameters\": {\n\"blocksie\": 2}", &["it.json:3:1: at /parameters/blocksie: no"]),
        ("\"parameters\": {\"blocksize\": 0}", &["at /parameters/blocksize: ", "from 1 to"]),
        (
            "\"collectives\": [\"auto\",\n\"allgather=rng\"]",
            &["it.json:3:1: at /collectives/1: no"],
        ),
        ("\"policies\": [\"x=1\"]", &["it.json:2:14: at /policies/0: "]),
        ("\"faults\": [\"link:0-9=cut\"]", &["it.json:2:12: at /faults/0: there is no vertex `9`"]),
        ("\"universe\": 2", &["it.json:2:1: at /universe: the size of the universe is `2`"]),
        ("\"topology\": \"ring:2\"", &["it.json:2:1: at /topology: ", "has 2 nodes"]),
        ("\"placement\": \"gray\", \"topology\": \"ring:4\"", &["at /placement: "]),
        ("\"arguments\": [\"x\"]", &["it.json:2:1: at /arguments: an argument is `x`"]),
    ] {
        let text = format!("{{\"program\": \"allgather-ring\",\n{settings}}}");
        fs::write(&path, text).expect("writable");
        refused(&format!("run {name}"), parts);
        refused(&format!("check {name}"), parts);
    }
    for program in ["allgather-rin", "./gone"] {
        fs::write(&path, format!("{{\n\"program\": \"{program}\"}}")).expect("writable");
        refused(&format!("run {name}"), &["it.json:2:1: at /program: "]);
    }
    // What the command line asks for is not the file's.
    let text = "{\"program\": \"allgather-ring\", \"topology\": \"ring\", \"ranks\": 4}";
    fs::write(&path, text).expect("writable");
    refused(&format!("run {name} --topology rnig"), &["error: no topology is called `rnig`"]);
    refused(&format!("run {name} -p blocksie=2"), &["error: no parameter is called"]);
    refused(&format!("run {name} --fault link:0-9=cut"), &["error: there is no vertex `9`"]);
    refused(&format!("compare {name} --axis topology=rnig"), &["error: no topology is called"]);
    let text = "{\"program\": \"allgather-ring\",\n\"collectives\": [\"allgather=rng\"]}";
    fs::write(&path, text).expect("writable");
    refused(&format!("compare {name}"), &["it.json:2:17: at /collectives/0: no algorithm"]);
}

#[test]
fn sizes_and_counts_of_files_are_whole_numbers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("it.json");
    let name = path.to_str().expect("text");
    for key in [
        "eager_limit_bytes",
        "stack_size_bytes",
        "max_events",
        "max_time_ns",
        "ranks",
        "ranks_per_node",
        "ranks_per_socket",
        "ranks_per_process",
        "universe",
        "seed",
        "buffering",
    ] {
        fs::write(&path, format!("{{\"program\": \"bcast\",\n\"{key}\": 1.5}}")).expect("writable");
        refused(&format!("run {name}"), &["it.json:2:", &format!("at /{key}: ")]);
    }
    fs::write(&path, "{\"program\": \"bcast\",\n\"parameters\": {\"bytes\": 1.5}}")
        .expect("writable");
    refused(&format!("run {name}"), &["it.json:2:", "at /parameters/bytes", "1.5"]);
    let aries = include_str!("../../../scenarios/machines/aries.json");
    let begin = aries.find("\"eager_limit_bytes\"").expect("it has one");
    let (before, behind) = aries.split_at(begin);
    let value = behind.split("\"value\": ").nth(1).and_then(|rest| rest.split(',').next());
    let behind = behind.replacen(value.expect("a number"), "1.5", 1);
    fs::write(&path, format!("{before}{behind}")).expect("writable");
    let line = before.lines().count() + 1;
    let place = format!("it.json:{line}:7: at /buffering/eager_limit_bytes/value: is 1.5");
    refused(&format!("run bcast --machine {name}"), &[&place, "a whole number from 0 to"]);
}

#[test]
fn ranges_begin_with_their_smaller_end() {
    let smaller = "a range that begins with its smaller end, as in 2..8";
    for words in [
        "compare allgather-ring --ranks-list 8..2",
        "compare allgather-ring --axis ranks=8..2",
        "compare allgather-ring --axis seed=8..2",
        "run allgather-ring --what-if eager-limit=8..2",
        "run allgather-ring --trace x.json --trace-ranks 0,8..2",
    ] {
        refused(words, &[smaller]);
    }
    let told = ["a range that begins with its smaller end, as in 1ms..2ms"];
    refused("run allgather-ring --trace x.json --trace-window 2ms..1ms", &told);
}
