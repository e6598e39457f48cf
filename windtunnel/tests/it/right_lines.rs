//! Findings name the lines that are at fault, even if the ranks have gone on since.

use std::{collections::BTreeSet, fs};

use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

/// The functions of `c/lines.c`, their numbers of ranks, and the verdicts.
const CASES: [(&str, &str, &str); 9] = [
    ("other_count_in_a_gather", "3", "parameter-matching"),
    ("other_count_in_a_scatter", "3", "parameter-matching"),
    ("persistent_collectives_differ", "3", "parameter-matching"),
    ("persistent_call_differs_from_itself", "2", "parameter-matching"),
    ("persistent_messages_differ", "2", "parameter-matching"),
    ("persistent_buffer_is_short", "2", "invalid-argument"),
    ("persistent_request_stays", "2", "resource-leak"),
    ("buffered_message_is_not_received", "2", "deadlock"),
    ("first_answer_decides", "4", "message-race"),
];

#[test]
fn findings_name_the_lines_at_fault() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("lines.c", &folder);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/lines.c");
    let source = fs::read_to_string(path).expect("the source");
    for (case, ranks, verdict) in CASES {
        let begin = source.find(&format!("static void {case}(void)")).expect("the case");
        let first = source[..begin].lines().count();
        let body = source[begin..].lines().take_while(|line| *line != "}");
        let marked = (first + 1..).zip(body).filter(|(_, line)| line.ends_with(" HERE"));
        let marked: BTreeSet<u64> = marked.map(|(number, _)| number as u64).collect();
        let options = ["check", "-n", ranks, "--json", &program, "--", case];
        let text = windtunnel(&options, folder.path()).1;
        let report: Value =
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{case}: {text}"));
        assert_eq!(report["verdict"], verdict, "{case}: {report}");
        let sites = report["findings"][0]["sites"].as_array().expect("sites");
        let in_functions = sites.iter().filter(|site| site["function"] == case);
        let named: BTreeSet<u64> = in_functions.filter_map(|site| site["line"].as_u64()).collect();
        assert_eq!(named, marked, "{case}: {report}");
    }
}
