//! One program under several network models.

use std::fs;

use serde_json::Value;

use super::windtunnel;

#[test]
fn the_spread_between_models_is_shown_and_decides_what_the_advice_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html").display().to_string();
    let words = "compare allgather-cube -n 16 --topologies torus:4x4,ring:16 --machine infiniband-hdr \
                 --networks loggp,link,fluid,packet";
    let (code, out, err) = windtunnel(&format!("{words} --report {page}"));
    assert_eq!(code, 0, "{err}");
    for told in ["configuration", "spread", "±", "Under packet: ", "Between the models"] {
        assert!(out.contains(told), "{told}: {out}");
    }
    let page = fs::read_to_string(page).expect("it is written");
    assert!(
        page.contains("Between the models") && page.contains("Run time under each network model")
    );
    let (_, out, _) = windtunnel(&format!("{words} --json"));
    let told: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(told["rows"].as_array().map(Vec::len), Some(8));
    let spreads = told["spreads"].as_array().expect("a list");
    assert_eq!(spreads.len(), 2);
    for spread in spreads {
        let times: Vec<f64> = spread["models"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|model| model["makespan_ns"].as_f64())
            .collect();
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = times.iter().copied().fold(0.0, f64::max);
        assert_eq!((times.len(), spread["least_ns"].as_f64()), (4, Some(least)));
        let half = spread["plus_minus_percent"].as_f64().expect("a number");
        assert!((half - 100.0 * (most - least) / (most + least)).abs() < 1e-9);
    }
    // The ring is slower where links count, and as fast where they do not.
    assert_eq!(told["models_agree"], true, "{}", told["winners"]);
}

#[test]
fn a_model_without_links_is_undecided() {
    // Long messages: the crossbar is fastest where links are shared, and nothing distinguishes
    // topologies under loggp; a machine with slow links turns the order of others round.
    let words = "compare alltoall-ring -n 8 -p blocksize=4096 --topologies ring:8,crossbar:8 \
                 --machine infiniband-hdr --networks constant,link --json";
    let (code, out, err) = windtunnel(words);
    assert_eq!(code, 0, "{err}");
    let told: Value = serde_json::from_str(&out).expect("an object");
    let winners = told["winners"].as_array().expect("a list");
    assert_eq!(winners.len(), 2);
    assert_eq!(winners[0]["configuration"], Value::Null, "constant sees no difference");
    assert_eq!(winners[0]["equally_fast"], serde_json::json!(["ring:8", "crossbar:8"]));
    let advice = told["advice"].as_str().expect("text");
    let (name, agree) = (winners[1]["configuration"].as_str(), &told["models_agree"]);
    match name {
        Some(name) => {
            assert_eq!(agree, &Value::Bool(true));
            assert!(
                advice
                    .contains(&format!("link says that {name} is fastest; constant is undecided"))
            );
        }
        None => {
            assert_eq!(agree, &Value::Null);
            assert!(advice.contains("No model has a winner"), "{advice}");
        }
    }
}

#[test]
fn one_model_has_no_spread_and_lists_are_checked() {
    let words = "compare allgather-ring-nonblocking -n 4 --topologies ring,mesh";
    let (_, out, _) = windtunnel(&format!("{words} --json"));
    let told: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(
        (told["spreads"].as_array().map(Vec::len), &told["models_agree"]),
        (Some(0), &Value::Null)
    );
    let (_, out, _) = windtunnel(words);
    assert!(!out.contains("spread"), "{out}");
    for (more, told) in [
        ("--networks link,lnk", "no network model is called `lnk`"),
        ("--networks link --network fluid", "cannot be used with"),
        ("--networks ,", "no network model is called"),
    ] {
        let (code, _, err) = windtunnel(&format!("{words} {more}"));
        assert!(code == 2 && err.contains(told), "{more}: {err}");
    }
}

#[test]
fn several_values_where_one_is_wanted_are_for_compare() {
    for (given, told) in [
        ("--network loggp,link", "did you mean `compare --networks loggp,link`?"),
        ("--topology ring,mesh:2x2", "did you mean `compare --topologies ring,mesh:2x2`?"),
        ("--machine paragon,sp2", "did you mean `compare --machines paragon,sp2`?"),
        // A comma of its sizes is none between topologies.
        ("--topology fat-tre:2,2", "did you mean `fat-tree`?"),
    ] {
        let (code, _, err) = windtunnel(&format!("run allgather-ring -n 4 {given}"));
        assert!(code == 2 && err.contains(told), "{given}: {err}");
    }
}

#[test]
fn published_measurements_say_whether_they_were_fitted() {
    let (code, out, _) = windtunnel("validate");
    assert_eq!(code, 0);
    for told in ["Tables 13.2 to 13.4", "aries: OSU", "us, fitted", "us, not fitted", "error"] {
        assert!(out.contains(told), "{told}: {out}");
    }
    let (_, out, _) = windtunnel("validate --json");
    let told: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(told["rows"].as_array().map(Vec::len), Some(30));
    let measurements = told["measurements"].as_array().expect("a list");
    assert!(measurements.iter().any(|row| row["used_in_fitting"] == false));
    assert!(measurements.iter().all(|row| row["source"].as_str().is_some_and(|s| !s.is_empty())));
    // Machines with several protocols meet their curves.
    for row in measurements {
        if ["aries", "infiniband-edr"].iter().any(|machine| row["machine"] == *machine) {
            let error = row["error_percent"].as_f64().expect("a number");
            assert!(error.abs() < 5.0, "{row}");
        }
    }
}
