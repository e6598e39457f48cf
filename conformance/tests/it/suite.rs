//! Every example of the documents gives the verdict and the values it must.

use std::collections::BTreeSet;

use conformance::{Case, Expect, Form, IDS, resolve, rows};
use mpi_api::outcome::Ending;
use scenarios::{
    safety::{self, Report},
    scenario::Request,
};

#[test]
fn every_example_gives_what_it_must() {
    let mut wrong = Vec::new();
    for row in rows() {
        let Form::Programs(cases) = &row.form else { continue };
        for case in cases {
            for ranks in case.ranks {
                let name = match case.name {
                    "" => row.id.to_string(),
                    variant => format!("{}:{variant}", row.id),
                };
                let report = check(&name, *ranks);
                for complaint in compare(&(case.expect)(*ranks), &report, case) {
                    wrong.push(format!("{name} on {ranks} ranks: {complaint}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(name: &str, ranks: u32) -> Report {
    let scenario = resolve(&Request::new(name, ranks));
    let scenario = scenario.unwrap_or_else(|error| panic!("{name}: {error}"));
    safety::check(&scenario.expect("an example"))
}

fn compare(expect: &Expect, report: &Report, case: &Case) -> Vec<String> {
    let mut complaints = Vec::new();
    let said: Vec<String> =
        report.findings.iter().map(|f| format!("{}: {}", f.code.name(), f.message)).collect();
    if report.verdict != expect.verdict {
        let (is, should) = (report.verdict.word(), expect.verdict.word());
        complaints.push(format!("{is} instead of {should} ({}): {said:?}", case.reason));
    }
    let code = report.findings.first().map(|finding| finding.code);
    if expect.code.is_some() && code != expect.code {
        complaints.push(format!("{code:?} instead of {:?}: {said:?}", expect.code));
    }
    let minimum = report.minimum.map(|minimum| (minimum.total_bytes, minimum.ranks));
    if expect.minimum.is_some() && minimum != expect.minimum {
        complaints.push(format!("needs {minimum:?} instead of {:?}", expect.minimum));
    }
    let outcomes: BTreeSet<String> = report
        .runs
        .iter()
        .filter(|run| run.result.ending == Ending::Completed)
        .map(|run| run.result.declared.join("; "))
        .collect();
    if !expect.outcomes.is_empty() && outcomes != expect.outcomes.iter().cloned().collect() {
        complaints.push(format!("ends as {outcomes:?} instead of {:?}", expect.outcomes));
    }
    complaints
}

/// The policy changes what the columns are called, and nothing else.
#[test]
fn the_names_of_the_shuffle_follow_the_policy() {
    for (policy, columns) in [("by-data", "2, 4"), ("swapped", "4, 2")] {
        let mut request = Request::new("B6.5", 8);
        request.policies = vec![format!("shuffle-names={policy}")];
        let ran = resolve(&request).expect("a valid request").expect("an example").run(None);
        let result = ran.expect("nothing is measured").result;
        assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
        assert_eq!(result.declared, [columns]);
    }
}

#[test]
fn every_id_has_exactly_one_row() {
    let mut ids: Vec<&str> = IDS.lines().collect();
    let all = rows();
    let mut found: Vec<&str> = all.iter().map(|row| row.id).collect();
    ids.sort_unstable();
    found.sort_unstable();
    let missing: Vec<_> = ids.iter().filter(|id| !found.contains(id)).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
    assert_eq!(found, ids);
}
