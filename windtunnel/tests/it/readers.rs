//! Commands whose standard output or error nobody reads any more, as under `head`.

use std::{
    fs, io,
    os::unix::process::ExitStatusExt,
    process::{Command, Output, Stdio},
};

use crate::c_programs::compile;

/// Runs a command whose standard output, and standard error if `both`, is a pipe that has been closed.
fn unread(arguments: &str, both: bool) -> Output {
    let closed = || io::pipe().map(|(_, writer)| Stdio::from(writer)).expect("a pipe");
    let mut command = Command::new(env!("CARGO_BIN_EXE_windtunnel"));
    command.args(arguments.split_whitespace()).stdin(Stdio::null()).stdout(closed());
    command.stderr(if both { closed() } else { Stdio::piped() });
    command.spawn().and_then(std::process::Child::wait_with_output).expect("it runs")
}

#[test]
fn files_are_written_though_nobody_reads_the_output() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let in_folder = |name: &str| folder.path().join(name).display().to_string();
    let talks = compile("talks.c", &folder);
    let (page, trace, record) = (in_folder("r.html"), in_folder("t.json"), in_folder("x"));
    let run = format!("--report {page} --trace {trace} --record {record}");
    let check = format!("--report {page}");
    let page = || page.as_str();
    let cases = [
        (format!("run allgather-ring -n 4 --profile {run}"), 0, vec![page(), &trace, &record]),
        (format!("run {talks} -n 2 {run}"), 0, vec![page(), &trace, &record]),
        (format!("run {talks} -n 2 --json {run}"), 0, vec![page(), &trace, &record]),
        (format!("check allgather-ring -n 4 {check}"), 1, vec![page()]),
        (format!("compare allgather-ring -n 4 --axis eager-limit=1K,2K {check}"), 0, vec![page()]),
        (
            format!("tune allgather-ring -n 4 --axis eager-limit=1K,2K --budget 9 {check}"),
            0,
            vec![page()],
        ),
    ];
    for (line, code, files) in cases {
        for both in [false, true] {
            let output = unread(&line, both);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(code), "{line}: {told}");
            assert!(!told.contains("panicked") && !told.contains("pipe"), "{line}: {told}");
            for file in &files {
                assert!(fs::metadata(file).is_ok_and(|there| there.len() > 0), "{line}: {file}");
                fs::remove_file(file).expect("it is there");
            }
        }
    }
}

#[test]
fn a_command_without_files_ends_when_nobody_reads_it() {
    for line in ["run allgather-ring -n 4", "list", "check allgather-ring -n 4", "--help"] {
        let output = unread(line, false);
        let signal = output.status.signal() == Some(libc::SIGPIPE);
        assert!(signal || output.status.code() == Some(128 + libc::SIGPIPE), "{line}: {output:?}");
        assert!(output.stderr.is_empty(), "{line}: {output:?}");
    }
}
