//! Results of `check` in the formats of other tools, and with several numbers of ranks.

use serde_json::Value;

use super::windtunnel;

fn check(words: &str) -> (i32, String) {
    let (code, out, err) = windtunnel(&format!("check {words}"));
    assert!(!err.contains("panicked"), "{err}");
    (code, out)
}

#[test]
fn sarif_holds_the_findings_and_their_rules() {
    let (code, text) = check("jacobi-naive --format sarif -n 4");
    assert_eq!(code, 1);
    let log: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    let rule =
        &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("a number") as usize];
    assert_eq!(rule["id"], result["ruleId"]);
    assert_eq!(result["level"], "error");
    let place = &result["locations"][0]["physicalLocation"];
    assert!(
        place["artifactLocation"]["uri"].as_str().is_some_and(|uri| uri.ends_with(".rs")),
        "{result}"
    );
    assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line > 0), "{result}");
    assert_eq!(run["properties"]["verdict"], "buffering");
    assert_eq!(run["properties"]["ranks"], "4");
}

#[test]
fn github_annotates_the_line_of_a_finding() {
    let (code, text) = check("jacobi-naive --format github -n 4");
    assert_eq!(code, 1);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.starts_with("::error file=") && first.contains(",line="), "{text}");
    assert!(first.contains("title=WT0003::") && first.contains("%0A"), "{text}");
    assert_eq!(text.lines().last(), Some("jacobi-naive on 4 ranks: buffering"));
}

#[test]
fn junit_has_a_case_for_each_number_of_ranks() {
    let (code, text) = check("jacobi-naive --format junit -n 1,2,3");
    assert_eq!(code, 1);
    assert!(text.starts_with("<?xml version=\"1.0\""), "{text}");
    assert_eq!(text.matches("<testcase ").count(), 3, "{text}");
    assert_eq!(text.matches("<failure ").count(), 2, "one rank exchanges nothing: {text}");
    assert!(text.contains("tests=\"3\" failures=\"2\""), "{text}");
}

#[test]
fn several_numbers_of_ranks_are_checked_at_once() {
    let (code, text) = check("jacobi-naive -n 1,2,4");
    assert_eq!(code, 1);
    for told in ["1 rank: ok", "2 ranks: buffering", "4 ranks: buffering"] {
        assert!(text.lines().any(|line| line == told), "{text}");
    }
    assert!(text.ends_with("VERDICT: buffering\n"), "{text}");
    let (_, text) = check("jacobi-naive --ranks=1,2 --json");
    let found: Value = serde_json::from_str(&text).expect("one object");
    assert_eq!(found["schema"], "windtunnel.checks/1");
    assert_eq!(
        (&found["verdict"], &found["checks"][0]["verdict"]),
        (&"buffering".into(), &"ok".into())
    );
    let (code, _, err) = windtunnel("check jacobi-naive -n 2,x");
    assert!(code == 2 && err.contains("x"), "{err}");
    let (code, _, err) = windtunnel("check jacobi-naive -n 2,3 --report page.html");
    assert!(code == 2 && err.contains("one number of ranks"), "{err}");
}

/// Members that are left out where they are empty are not required.
#[test]
fn what_is_printed_is_valid_by_its_schema() {
    for (name, words) in [
        ("run", "run allgather-cube -n 8 --profile"),
        ("run", "run crossed-receives -n 2"),
        ("run", "run allreduce -n 4 --what-if"),
        ("check", "check allgather-ring -n 4"),
        ("checks", "check allgather-ring -n 2,4"),
        ("compare", "compare bcast -n 8 --topologies ring,crossbar"),
        ("tune", "tune bcast -n 4 --budget 4"),
        ("traffic", "traffic --topology ring:4 --load 0.1"),
    ] {
        let (_, schema, err) = windtunnel(&format!("schema {name}"));
        let schema: Value =
            serde_json::from_str(&schema).unwrap_or_else(|_| panic!("{name}: {err}"));
        let validator = jsonschema::validator_for(&schema).expect("a schema of ours is a schema");
        let (_, out, err) = windtunnel(&format!("{words} --json"));
        let object: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{words}: {err}"));
        let wrong: Vec<String> = validator.iter_errors(&object).map(|it| it.to_string()).collect();
        assert!(wrong.is_empty(), "{words}: {wrong:?}");
    }
}

#[test]
fn formats_have_paths_below_the_working_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = super::c_programs::compile("crossed.c", &folder);
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&sources, &link).expect("a link");
    for here in [&sources, &link] {
        for format in ["github", "junit", "sarif"] {
            let mut command = assert_cmd::Command::cargo_bin("windtunnel").expect("it is built");
            let words = ["check", &program, "-n", "2", "--format", format];
            let out = command.args(words).current_dir(here).output().expect("it runs");
            let text = String::from_utf8(out.stdout).expect("text");
            assert!(text.contains("c/crossed.c"), "{text}");
            let absolute = sources.join("c/crossed.c").display().to_string();
            assert!(!text.contains(&absolute), "{text}");
        }
    }
}
