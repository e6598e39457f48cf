//! Nodes that represent data differently, given in the machine file.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::c_programs::{compile, object, windtunnel};

/// The ideal machine with other nodes.
fn machine(folder: &TempDir, representations: &Value) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/machines/ideal.json");
    let text = fs::read_to_string(path).expect("the machine");
    let mut machine: Value = serde_json::from_str(&text).expect("JSON");
    machine["representations"] = representations.clone();
    let path = folder.path().join("machine.json");
    fs::write(&path, machine.to_string()).expect("a file");
    path.display().to_string()
}

#[test]
fn values_are_converted_and_bytes_are_not() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("widths.c", &folder);
    let old = json!([{
        "nodes": [1, 1], "byte_order": "big", "long_bytes": 4, "long_double": "binary64"
    }]);
    let unlike = machine(&folder, &old);
    let cases = [
        ("small", "ok", ""),
        ("large", "parameter-matching", "3000000000 does not fit into 4 bytes"),
        ("fixed", "ok", ""),
        ("bytes", "ok", ""),
        ("third", "ok", ""),
        ("huge", "parameter-matching", "too large for a long double of 8 bytes"),
        ("broadcast", "parameter-matching", "3000000000 does not fit into 4 bytes"),
    ];
    for (case, verdict, message) in cases {
        let check = |machine: &str| {
            let words = ["check", &program, "-n", "2", "--machine", machine, "--json", "--", case];
            object(&words, folder.path()).1
        };
        let report = check(&unlike);
        assert_eq!(report["verdict"], verdict, "{case}: {report}");
        assert!(report.to_string().contains(message), "{case}: {report}");
        // On equal nodes a third is received as it was sent, which the program calls wrong.
        let alike = if case == "third" { "error" } else { "ok" };
        let report = check("ideal");
        assert_eq!(report["verdict"], alike, "{case}: {report}");
    }
}

#[test]
fn a_wrong_representation_is_told_with_its_place() {
    let folder = TempDir::new().expect("a folder");
    let wrong = [
        (json!([{ "nodes": [0, 1], "long_bytes": 5 }]), "/representations/0/long_bytes"),
        (json!([{ "nodes": [3, 1] }]), "/representations/0/nodes"),
        (json!([{ "nodes": [0, 0] }, { "nodes": [1, 1], "longbytes": 4 }]), "long_bytes"),
    ];
    for (representations, place) in wrong {
        let machine = machine(&folder, &representations);
        let words = ["run", "allgather-ring", "-n", "2", "--machine", &machine];
        let (code, text) = windtunnel(&words, folder.path());
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(place), "{text}");
    }
}
