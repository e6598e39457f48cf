//! Tests that the document on moving from rsmpi shows this program and its real output.

use std::process::Command;

const DOCUMENT: &str = include_str!("../../../docs/moving-from-rsmpi.md");
const PROGRAM: &str = include_str!("../src/main.rs");

/// Returns the code blocks of a language in the document.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    let parts = DOCUMENT.split(&*begin).skip(1);
    parts.filter_map(|rest| rest.split("```").next()).collect()
}

/// Returns exit code and output of the program, run as in the document: from the workspace's
/// folder.
fn printed(words: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_moved-program"));
    command.args(words.split(' ')).current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let output = command.output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_document_shows_this_program() {
    let [before, added] = blocks("rust,ignore")[..] else { panic!("a program and what is added") };
    let (_, moved) = PROGRAM.split_once("use windtunnel::mpi;\n\n").expect("its second step");
    let (uses, main) = added.split_once("fn main()").expect("the new one");
    assert_eq!(moved, format!("{}\nfn main(){main}", before.replace("fn main()", "fn program()")));
    assert!(PROGRAM.contains(uses.trim_end()));
}

#[test]
fn the_document_shows_what_is_printed() {
    let shown = blocks("text");
    let (code, text) = printed("run -n 4 --machine infiniband-hdr");
    assert_eq!((code, text.as_str()), (Some(0), shown[0]));
    let (code, text) = printed("check -n 4");
    let finding = text.find("error[").map_or("", |at| &text[at..]);
    assert_eq!((code, finding), (Some(1), shown[1]));
}
