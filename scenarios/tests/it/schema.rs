//! The committed schemas are the ones of today's types, and everything shipped fits them.

use std::{fs, path::PathBuf};

use network_models::{Catalog, PlacementSpec};
use scenarios::{
    machine::Machine,
    options::{COMPARED_MODEL, Options},
    prices::PriceList,
    study::Study,
};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn json(path: PathBuf) -> Value {
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

fn schema_of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>().to_value()
}

/// With WINDTUNNEL_BLESS set the files are written instead.
fn committed<T: JsonSchema>(name: &str) -> Value {
    let path = folder("schema").join(name);
    let today = schema_of::<T>();
    if std::env::var_os("WINDTUNNEL_BLESS").is_some() {
        fs::write(&path, format!("{today:#}\n")).expect("the folder is there");
    }
    let kept = json(path);
    assert_eq!(kept, today, "{name} is not of today: run the test with WINDTUNNEL_BLESS=1");
    kept
}

/// The text of an option, which is its help on the command line, too.
fn help(option: &str) -> String {
    let text = schema_of::<Options>()["properties"][option]["description"].clone();
    text.as_str().expect("it is described").to_owned()
}

#[test]
fn the_help_names_the_network_models_that_there_are() {
    let help = help("network");
    for model in Catalog::standard().models() {
        let name = model.description().name;
        assert!(help.contains(name), "{name} is not in: {help}");
    }
    assert!(help.contains(&format!("{COMPARED_MODEL} for compare")), "{help}");
}

#[test]
fn the_help_names_the_placements_that_there_are() {
    let help = help("placement");
    for form in PlacementSpec::FORMS {
        assert!(help.contains(form), "{form} is not in: {help}");
    }
}

#[test]
fn every_machine_fits_its_schema() {
    let validator = jsonschema::validator_for(&committed::<Machine>("machine.schema.json"))
        .expect("a schema of ours is a schema");
    let mut count = 0;
    for entry in fs::read_dir(folder("machines")).expect("it is there") {
        let path = entry.expect("readable").path();
        let value = json(path.clone());
        assert!(validator.is_valid(&value), "{path:?}: {:?}", validator.validate(&value));
        count += 1;
    }
    assert_eq!(count, Machine::names().count(), "every file is built in");
}

#[test]
fn the_schema_refuses_what_the_program_refuses() {
    let schema = committed::<Machine>("machine.schema.json");
    let validator = jsonschema::validator_for(&schema).expect("a schema of ours is a schema");
    let good = json(folder("machines/ideal.json"));
    let mut cases = [good.clone(), good.clone(), good.clone(), good];
    cases[0]["network"]["latency_ns"]["value"] = (-1).into();
    cases[1]["network"]["latencies"] = 1.into();
    cases[2]["costs"]["send_ns"]["provenance"] = "guessed".into();
    cases[3].as_object_mut().expect("an object").remove("summary");
    for case in cases {
        assert!(!validator.is_valid(&case));
        assert!(Machine::from_json(&case.to_string(), "case.json", &Catalog::standard()).is_err());
    }
}

#[test]
fn every_scenario_fits_its_schema() {
    let validator = jsonschema::validator_for(&committed::<Options>("scenario.schema.json"))
        .expect("a schema of ours is a schema");
    for entry in fs::read_dir(folder("library")).expect("it is there") {
        let path = entry.expect("readable").path().join("scenario.json");
        let value = json(path.clone());
        assert!(validator.is_valid(&value), "{path:?}: {:?}", validator.validate(&value));
    }
    assert!(!validator.is_valid(&serde_json::json!({ "program": "a", "rank": 4 })));
}

#[test]
fn studies_are_read_as_their_schema_says() {
    let validator = jsonschema::validator_for(&committed::<Study>("study.schema.json"))
        .expect("a schema of ours is a schema");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.json");
    let load = |value: &Value| {
        fs::write(&path, value.to_string()).expect("it is written");
        Study::load(&path.display().to_string())
    };
    let good = serde_json::json!({
        "scenario": { "program": "./solver", "ranks": 16, "arguments": ["-n", "8"] },
        "axes": ["topology=ring,mesh", "latency=x0.5,x1,x2"],
        "design": { "latin-hypercube": 5 },
        "repetitions": 3
    });
    assert!(validator.is_valid(&good));
    let study = load(&good).expect("it is well-formed");
    let program = study.scenario.program.expect("it is named");
    assert_eq!(program, folder.path().join("./solver").display().to_string());
    let mut cases = vec![good.clone(); 5];
    cases[0]["axes"] = serde_json::json!([]);
    cases[1]["repetitions"] = 0.into();
    cases[2]["design"] = "latin".into();
    cases[3]["scenario"]["machin"] = "ideal".into();
    cases[4]["scenario"].as_object_mut().expect("an object").remove("program");
    for case in cases {
        assert!(!validator.is_valid(&case) && load(&case).is_err(), "{case}");
    }
    let mut none = good;
    none["design"] = serde_json::json!({ "random": 0 });
    assert!(load(&none).is_err());
}

#[test]
fn prices_are_read_as_their_schema_says() {
    let validator = jsonschema::validator_for(&committed::<PriceList>("prices.schema.json"))
        .expect("a schema of ours is a schema");
    let good = serde_json::json!({
        "unit": "EUR",
        "switches": [{ "ports": 8, "price": 500, "watts": 40 }, { "ports": 36, "price": 9000 }],
        "adapters": [{ "ports": 1, "price": 300 }],
        "cables": { "short": { "price": 50 }, "medium": { "price": 90 }, "long": { "price": 400 } }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("prices.json");
    let load = |value: &Value| {
        fs::write(&path, value.to_string()).expect("it is written");
        PriceList::load(&path.display().to_string())
    };
    assert!(validator.is_valid(&good));
    let list = load(&good).expect("it is well-formed");
    assert_eq!((list.nodes_per_rack, list.near_racks), (32, 2));
    let mut cases = vec![good.clone(); 5];
    cases[0]["switches"][0]["price"] = (-1).into();
    cases[1]["adapters"][0]["ports"] = 0.into();
    cases[2]["nodes_per_rack"] = 0.into();
    cases[3]["cable"] = 1.into();
    cases[4].as_object_mut().expect("an object").remove("switches");
    for case in cases {
        assert!(!validator.is_valid(&case) && load(&case).is_err(), "{case}");
    }
    let mut without = good.clone();
    without.as_object_mut().expect("an object").remove("adapters");
    assert!(validator.is_valid(&without) && load(&without).is_ok(), "they come with the nodes");
    let mut unpriced = good.clone();
    unpriced["cables"]["long"] = serde_json::json!({ "watts": 4 });
    let error = load(&unpriced).expect_err("the others have one").to_string();
    assert!(error.contains("/cables/long: has no price"), "{error}");
    let mut twice = good;
    twice["switches"][1]["ports"] = 8.into();
    let error = load(&twice).expect_err("8 ports twice").to_string();
    assert!(error.contains("/switches/1/ports: is in the list twice"), "{error}");
}
