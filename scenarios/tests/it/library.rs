//! Each scenario of the library gives what stands beside it.

use std::{fs, path::PathBuf};

use scenarios::{options::Options, safety};
use serde_json::{Value, json};

fn outcome(folder: &std::path::Path) -> Value {
    let path = folder.join("scenario.json").display().to_string();
    let file = Options::load(&path).expect("a scenario of ours is well-formed");
    let scenario = file.request("", 4).resolve().expect("a scenario of ours can be run");
    let result = scenario.run(None).expect("nothing was recorded").result;
    json!({
        "outcome": result.ending.word(),
        "makespan_ns": result.makespan.as_ns_f64(),
        "messages": result.messages,
        "bytes": result.bytes,
        "verdict": safety::check(&scenario).verdict.word(),
    })
}

#[test]
fn every_scenario_gives_what_is_expected() {
    let library = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("library");
    let mut count = 0;
    for entry in fs::read_dir(library).expect("it is there") {
        let folder = entry.expect("readable").path();
        let expected = folder.join("expected.json");
        let today = outcome(&folder);
        if std::env::var_os("WINDTUNNEL_BLESS").is_some() {
            fs::write(&expected, format!("{today:#}\n")).expect("the folder is there");
        }
        let text = fs::read_to_string(&expected).expect("expected.json stands beside");
        let kept: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(kept, today, "{folder:?}");
        assert!(folder.join("README.md").exists(), "{folder:?} has no README.md");
        count += 1;
    }
    assert!(count >= 2);
}
