//! What findings say, how often they are told, and which of them decide the exit code.

use std::{fs, path::Path, process::Command};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, object, windtunnel};

/// The program of `c/told.c` in a folder of its own.
struct Told(TempDir, String);

/// What a command has printed.
struct Said {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Told {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let program = compile("told.c", &folder);
        Self(folder, program)
    }

    /// Runs a command on the program, which stands for `@`; the program does what `how` says.
    fn run(&self, command: &str, how: &str) -> Said {
        let command = command.replace('@', &self.1);
        let mut words: Vec<&str> = command.split(' ').collect();
        if words[0] != "mpiexec" {
            words.push("--");
        }
        words.push(how);
        said(&words, self.0.path())
    }

    fn report(&self, command: &str, how: &str) -> Value {
        let said = self.run(&format!("{command} --json"), how);
        serde_json::from_str(&said.out)
            .unwrap_or_else(|_| panic!("{how}: {}{}", said.out, said.err))
    }
}

fn said(words: &[&str], folder: &Path) -> Said {
    let mut command = Command::new(cargo_bin("windtunnel"));
    command.args(words).env("WINDTUNNEL_CACHE", folder.join("cache")).current_dir(folder);
    let output = command.output().expect("windtunnel runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn codes(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().filter_map(|finding| finding["code"].as_str()).collect()
}

/// The functions and lines that led to the first call of a finding.
fn callers(finding: &Value) -> Vec<(&str, u64)> {
    let callers = finding["sites"][0]["callers"].as_array().expect("callers");
    callers
        .iter()
        .map(|frame| {
            let function = frame["function"].as_str().expect("a name");
            (function, frame["line"].as_u64().expect("a line"))
        })
        .collect()
}

#[test]
fn a_line_is_told_once_however_often_it_goes_wrong() {
    let told = Told::new();
    for command in ["run @ -n 2", "check @ -n 2"] {
        let report = told.report(command, "one buffer");
        assert_eq!(codes(&report), ["WT0024"], "{command}");
        let finding = &report["findings"][0];
        assert_eq!(finding["count"], 6300);
        assert_eq!(finding["ranks"], serde_json::json!([0]));
    }
    let said = told.run("mpiexec -n 2 @", "one buffer");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.lines().count() < 20 && said.err.contains("6300"), "{}", said.err);
    assert!(!said.err.contains("error"), "a launcher that ends with 0 tells of no error");
}

#[test]
fn ranks_that_end_alike_are_one_finding() {
    let told = Told::new();
    let report = told.report("run @ -n 64", "exits");
    assert_eq!(codes(&report), ["WT0027"]);
    let finding = &report["findings"][0];
    assert_eq!(finding["message"], "ranks 0 to 63 ended with exit code 1");
    assert_eq!(
        (finding["count"].as_u64(), finding["ranks"].as_array().map(Vec::len)),
        (Some(64), Some(64))
    );
    let report = told.report("run @ -n 8", "sends");
    assert_eq!(codes(&report), ["WT0016"]);
    assert_eq!(report["findings"][0]["count"], 800);
    assert_eq!(report["findings"][0]["ranks"], serde_json::json!([0, 1, 2, 3, 4, 5, 6, 7]));
}

#[test]
fn exit_codes_are_told_with_the_place_of_the_exit() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("leaves.c", &folder);
    for (arguments, code, line) in [("", 3, 9), (" -- now", 4, 8)] {
        let words = format!("run {program} -n 2 --json{arguments}");
        let words: Vec<&str> = words.split_whitespace().collect();
        let (exited, report) = object(&words, folder.path());
        assert_eq!(exited, Some(1), "{report}");
        let finding = &report["findings"][0];
        assert_eq!(finding["message"], format!("ranks 0 and 1 ended with exit code {code}"));
        assert_eq!(finding["sites"][0]["line"], line, "{finding}");
    }
    let words = ["run", &program, "-n", "2", "--json", "--", "a", "b", "c"];
    let finding = &object(&words, folder.path()).1["findings"][0];
    assert_eq!((&finding["code"], &finding["sites"][0]["line"]), (&"WT0023".into(), &17.into()));
    // The value of `main`, whose beginning is known.
    let (exited, report) =
        object(&["run", &program, "-n", "2", "--json", "--", "a", "b"], folder.path());
    let finding = &report["findings"][0];
    let site = &finding["sites"][0];
    assert_eq!((exited, site["line"].as_u64()), (Some(1), Some(12)), "{report}");
    assert_eq!(site["label"], "`main`, which returns the code, begins here", "{report}");
    let program = compile("returns_early.c", &folder);
    let (_, report) = object(&["check", &program, "-n", "2", "--json"], folder.path());
    let findings = report["findings"].as_array().expect("an array");
    let early = findings.iter().find(|one| one["code"] == "WT0023").expect("it is told");
    assert_eq!(early["sites"][0]["line"], 5, "{report}");
    assert_eq!(
        early["sites"][0]["label"], "`main`, which returns too early, begins here",
        "{report}"
    );
}

#[test]
fn an_empty_buffer_is_attached_and_detached() {
    let folder = TempDir::new().expect("a folder");
    let (code, text) = windtunnel(&["check", "allgather-ring-buffered", "-n", "1"], folder.path());
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn memory_of_mpi_that_is_freed_wrongly_is_told_where_it_is_freed() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("allocated.c", &folder);
    for (how, code, line, message) in [
        ("free", "WT0011", 16, "free on ranks 0 and 1 is given memory of MPI_Alloc_mem"),
        ("realloc", "WT0011", 18, "realloc on ranks 0 and 1 is given memory of MPI_Alloc_mem"),
        ("receive", "WT0024", 22, "rank 0 frees a buffer that MPI_Irecv still owns"),
        ("send", "WT0024", 26, "rank 1 frees a buffer that MPI_Isend still owns"),
    ] {
        for command in ["run", "check"] {
            let words = [command, &program, "-n", "2", "--json", "--", how];
            let (_, report) = object(&words, folder.path());
            assert_eq!(codes(&report), [code], "{how}: {report}");
            let finding = &report["findings"][0];
            let lines: Vec<u64> = finding["sites"]
                .as_array()
                .expect("sites")
                .iter()
                .filter_map(|site| site["line"].as_u64())
                .collect();
            assert!(lines.contains(&line), "{how}: {report}");
            let told = finding["message"].as_str().expect("a message");
            let (verb, rest) = message.split_once("ranks 0 and 1").unwrap_or((message, ""));
            assert!(told.starts_with(verb) && told.ends_with(rest), "{how}: {told}");
        }
    }
    let (code, report) = object(&["check", &program, "-n", "2", "--json"], folder.path());
    assert_eq!((code, &report["verdict"]), (Some(0), &"ok".into()), "{report}");
}

/// The codes of the findings of a check, and the lines of their first sites.
fn found(program: &str, how: &str, folder: &TempDir) -> (Value, Vec<(String, u64)>) {
    let (_, report) = object(&["check", program, "-n", "2", "--json", "--", how], folder.path());
    let findings = report["findings"].as_array().expect("a list").iter();
    let place = |finding: &Value| {
        let code = finding["code"].as_str().expect("a code").to_owned();
        (code, finding["sites"][0]["line"].as_u64().expect("a line"))
    };
    let all = findings.map(place).collect();
    (report, all)
}

#[test]
fn who_waits_for_a_send_that_is_never_received_does_not_depend_on_buffering_besides() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("told.c", &folder);
    let (report, all) = found(&program, "one too many", &folder);
    assert_eq!(all, [("WT0016".to_owned(), 73)], "{report}");
    let told = report["findings"][0]["notes"].to_string();
    assert!(told.contains("waits in MPI_Waitall for ever"), "{told}");
}

#[test]
fn data_are_unpacked_in_the_types_in_which_they_were_packed() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("packed.cpp", &folder);
    for (how, what) in [
        ("sent", None),
        ("broadcast", None),
        ("floats", Some("MPI_DOUBLE against MPI_FLOAT")),
        ("long", Some("MPI_INT against MPI_LONG")),
        ("order", Some("MPI_INT against MPI_CHAR")),
    ] {
        let (report, all) = found(&program, how, &folder);
        let expected: Vec<_> = what.iter().map(|_| ("WT0009".to_owned(), 26)).collect();
        assert_eq!(all, expected, "{how}: {report}");
        if let Some(what) = what {
            let first = &report["findings"][0];
            assert!(first["message"].as_str().is_some_and(|text| text.ends_with(what)), "{first}");
            assert_eq!(first["sites"][1]["line"], 18, "{first}");
        }
    }
}

#[test]
fn a_shared_file_pointer_with_different_views_is_told() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("told.c", &folder);
    let (report, all) = found(&program, "views", &folder);
    assert_eq!(all, [("WT0030".to_owned(), 83)], "{report}");
}

#[test]
fn a_rank_that_made_no_call_has_no_last_call() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("early.c", &folder);
    let (code, report) = object(&["run", &program, "-n", "1", "--json"], folder.path());
    let sites = report["findings"][0]["sites"].as_array().expect("sites");
    assert_eq!((code, sites.len(), &sites[0]["line"]), (Some(1), 1, &6.into()), "{report}");
}

#[test]
fn calls_are_named_as_the_program_names_them() {
    let told = Told::new();
    let calls = |how: &str| -> Vec<String> {
        let report = told.report("check @ -n 2", how);
        let sites = report["findings"][0]["sites"].as_array().expect("sites").clone();
        sites.iter().map(|site| site["call"].as_str().expect("a name").to_string()).collect()
    };
    assert_eq!(calls("waits"), ["MPI_Wait", "MPI_Wait", "MPI_Irecv", "MPI_Irecv"]);
    assert_eq!(calls("leaks"), ["MPI_Comm_dup"]);
    assert_eq!(calls("sends"), ["MPI_Send"]);
    assert_eq!(calls("disagrees"), ["MPI_Barrier", "MPI_Allreduce"]);
    let message = told.report("run @ -n 2", "disagrees")["findings"][0]["message"].clone();
    let message = message.as_str().expect("a text");
    assert!(message.contains("MPI_Barrier") && message.contains("MPI_Allreduce"), "{message}");
}

#[test]
fn the_functions_around_a_call_are_told() {
    let folder = TempDir::new().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/told.c").display().to_string();
    for level in ["-O0", "-O2"] {
        let program = folder.path().join("program").display().to_string();
        let compiled = said(&["cc", "-w", level, &source, "-o", &program], folder.path());
        assert_eq!(compiled.code, Some(0), "{}", compiled.err);
        let told = |how: &str| -> Value {
            let said = said(&["check", &program, "-n", "2", "--json", "--", how], folder.path());
            serde_json::from_str(&said.out).expect("one object")
        };
        let waits = told("waits");
        let finding = &waits["findings"][0];
        assert_eq!(callers(finding), [("solve", 19), ("main", 48)], "{level}");
        assert_eq!(finding["sites"][2]["callers"][0]["line"], 18, "{level}: where it was made");
        let leaks = told("leaks");
        let finding = &leaks["findings"][0];
        assert_eq!(callers(finding), [("leak", 39), ("main", 49)], "{level}");
        assert_eq!(finding["sites"][0]["function"], "make");
    }
    let text = said(&["check", "./program", "-n", "2", "--", "leaks"], folder.path()).out;
    assert!(text.contains("MPI_Comm_dup is called from leak at "), "{text}");
}

#[test]
fn without_debug_information_the_call_is_told() {
    let told = Told::new();
    let stripped = Command::new("strip").args(["-g", &told.1]).status();
    if stripped.is_err() {
        eprintln!("skipped: strip is not installed");
        return;
    }
    let said = told.run("check @ -n 2", "waits");
    for part in [
        "MPI_Wait in finish: rank 0 waits in MPI_Wait",
        "for rank 1",
        "MPI_Irecv in post",
        "MPI_Wait is called from solve, from main",
    ] {
        assert!(said.out.contains(part), "{part} is not in\n{}", said.out);
    }
    assert_eq!(said.out.matches("no debug information").count(), 1, "{}", said.out);
    let report = told.report("check @ -n 2", "both");
    let lines: Vec<&Value> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|f| &f["sites"][0]["line"])
        .collect();
    assert_eq!(lines, [&Value::Null; 2], "two places without lines are two findings");
}

#[test]
fn accepted_findings_are_listed_and_do_not_decide() {
    let told = Told::new();
    assert_eq!(told.run("check @ -n 2", "leaks").code, Some(1));
    for allow in ["resource-leak", "WT0017", "error --allow wt17"] {
        let said = told.run(&format!("check @ -n 2 --allow {allow}"), "leaks");
        assert_eq!(said.code, Some(0), "{}", said.out);
        assert!(said.out.contains("accepted by --allow"), "{}", said.out);
        assert!(said.out.ends_with("VERDICT: resource-leak\n"), "{}", said.out);
        assert_eq!(told.run(&format!("run @ -n 2 --allow {allow}"), "leaks").code, Some(0));
    }
    let said = told.run("check @ -n 2 --allow deadlock", "leaks");
    assert_eq!(said.code, Some(1), "another verdict");
    assert_eq!(told.run("check @ -n 2 --fail-on error", "leaks").code, Some(0));
    assert_eq!(told.run("check @ -n 2 --fail-on warning", "leaks").code, Some(1));
    assert_eq!(told.run("mpiexec -n 2 @", "leaks").code, Some(0));
    assert_eq!(told.run("mpiexec -n 2 -fail-on warning @", "leaks").code, Some(1));
    assert_eq!(told.run("mpiexec -n 2 @", "waits").code, Some(1));
    assert_eq!(told.run("mpiexec -n 2 --allow deadlock @", "waits").code, Some(0));
    assert_eq!(told.run("mpiexec -n 2 --allow deadlock @", "exits").code, Some(1));
    let said = told.run("check @ --allow resource-leek", "leaks");
    assert!(said.code == Some(2) && said.err.contains("mean `resource-leak`"), "{}", said.err);
}

#[test]
fn a_baseline_accepts_what_is_known_and_nothing_else() {
    let told = Told::new();
    let command = "check @ -n 2 --baseline known.json";
    let first = told.run(command, "leaks");
    assert_eq!(first.code, Some(0), "{}", first.err);
    let file = told.0.path().join("known.json");
    let written: Value =
        serde_json::from_str(&fs::read_to_string(&file).expect("written")).expect("JSON");
    let entry = &written["findings"][0];
    assert_eq!((entry["code"].as_str(), entry["line"].as_u64()), (Some("WT0017"), Some(34)));
    assert_eq!(told.run(command, "leaks").code, Some(0));
    let said = told.run(command, "both");
    assert_eq!(said.code, Some(1), "one more leak at another line: {}", said.out);
    assert_eq!(said.out.matches("accepted by --baseline").count(), 1, "{}", said.out);
    // Lines move.
    let moved = written.to_string().replace("\"line\":34", "\"line\":30");
    fs::write(&file, moved).expect("writable");
    assert_eq!(told.run(command, "leaks").code, Some(0));
    assert_eq!(told.run("mpiexec -n 2 -baseline known.json @", "leaks").code, Some(0));
    let said = told.run(command, "");
    assert!(said.code == Some(0) && said.err.contains("not found any more"), "{}", said.err);
    fs::write(&file, "{}").expect("writable");
    let said = told.run(command, "leaks");
    assert!(
        said.code == Some(2) && said.err.contains("known.json: is no baseline"),
        "{}",
        said.err
    );
    let said = told.run("check @ -n 2 --baseline no/such/folder.json", "leaks");
    assert_eq!(said.code, Some(2), "{}", said.err);
}

#[test]
fn quiet_says_why_the_exit_code_is_1() {
    let told = Told::new();
    let said = told.run("check @ -n 2 --quiet", "waits");
    assert_eq!((said.code, &*said.out), (Some(1), "VERDICT: deadlock\n"));
    assert_eq!(said.err, "error[WT0001]: deadlock: 2 ranks wait for each other in a cycle\n");
    let said = told.run("run @ -n 2 --quiet", "exits");
    assert_eq!((said.code, said.out.lines().count()), (Some(1), 1));
    assert_eq!(said.err, "error[WT0027]: ranks 0 and 1 ended with exit code 1\n");
    let said = told.run("check @ -n 2 --quiet --allow deadlock", "waits");
    assert_eq!((said.code, &*said.err), (Some(0), ""));
}

#[test]
fn quiet_says_that_a_check_was_cut_off() {
    let folder = TempDir::new().expect("a folder");
    let words = "check allgather-cube-any -n 64 --max-wall 200ms --quiet";
    let words: Vec<&str> = words.split(' ').collect();
    let Said { out, err, .. } = said(&words, folder.path());
    assert!(out.starts_with("VERDICT: ") && out.lines().count() == 1, "{out}");
    let told =
        "not finished: the time of --max-wall is over; the verdict is that of these executions\n";
    assert!(err.ends_with(told), "{err}");
}

#[test]
fn options_that_a_command_would_ignore_are_refused() {
    let told = Told::new();
    for (command, part) in [
        ("check @ -n 2 --buffering zero", "the check tries zero"),
        ("check @ -n 2 --eager-limit 5", "the check tries zero"),
        ("run @ -n 2 -p a=b", "arguments, after --"),
        ("run @ -n 2 --keep-files=kept", "is `kept`; allowed is given to check, compare and tune"),
        ("run @ -n 2 --keep-files --repeat 3", "a run writes into the working folder"),
        ("run @ -n 2 --stack-size 20000", "is `20000`; allowed is 262144 to"),
        ("check @ -n 2 --stack-size 255K", "is `261120`; allowed is 262144 to"),
        ("mpiexec -np 2 -keep-files=kept @", "no option of mpiexec is called `-keep-files"),
        ("compare @ -n 2 --ranks-list 4,8", "--ranks-list"),
        ("compare @ -n 2 --topology ring --topologies mesh", "--topolog"),
        ("compare @ -n 2 --allow error", "--allow"),
    ] {
        let said = told.run(command, "");
        assert_eq!(said.code, Some(2), "{command}: {}", said.out);
        assert!(said.err.contains(part), "{command}: {}", said.err);
    }
    let said = told.run("compare @ -n 2 --topology ring --json", "");
    let report: Value = serde_json::from_str(&said.out).expect("one object");
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!((rows.len(), rows[0]["topology"].as_str()), (1, Some("ring:2")));
}

#[test]
fn a_finding_that_two_executions_tell_the_other_way_round_is_told_once() {
    let report = Told::new().report("check @ -n 3", "amounts");
    assert_eq!(report["verdict"], "parameter-matching", "{report:#}");
    assert_eq!(codes(&report), ["WT0007"], "{report:#}");
    let sites = report["findings"][0]["sites"].as_array().expect("places");
    let mut lines: Vec<u64> = sites.iter().filter_map(|site| site["line"].as_u64()).collect();
    lines.sort_unstable();
    assert_eq!(lines, [61, 62]);
}

#[test]
fn blocks_of_unlike_sizes_are_told_as_given() {
    // Eight ranks exchange short blocks by an algorithm that packs several of them into a message.
    for command in ["run @ -n 8", "check @ -n 8"] {
        let report = Told::new().report(command, "blocks");
        assert_eq!(codes(&report), ["WT0007"], "{report:#}");
        let told = report["findings"][0]["message"].as_str().expect("a text");
        assert!(told.contains("rank 3 sends 4 bytes where rank"), "{told}");
        assert!(told.ends_with("expects 8"), "{told}");
        assert_eq!(report["findings"][0]["sites"][0]["line"], 88, "{report:#}");
    }
}

#[test]
fn the_order_behind_a_deadlock_of_one_order_is_told() {
    let report = Told::new().report("check @ -n 3", "any");
    assert_ne!(report["verdict"], "ok", "{report:#}");
    let findings = report["findings"].as_array().expect("findings");
    let notes = findings.iter().flat_map(|finding| finding["notes"].as_array().cloned());
    let told: Vec<String> = notes.flatten().filter_map(|n| Some(n.as_str()?.into())).collect();
    let order = told.iter().find(|note: &&String| note.contains("in this order"));
    let order = order.unwrap_or_else(|| panic!("{report:#}"));
    for part in ["MPI_Recv on rank 0", "told.c:67", "took the message of rank 1", "told.c:66"] {
        assert!(order.contains(part), "{part}: {order}");
    }
}

#[test]
fn a_leak_beside_a_send_that_nobody_receives_is_told_as_a_leak_alone() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("unreceived_and_leaked.c", &folder);
    let (code, report) = object(&["check", &program, "-n", "2", "--json"], folder.path());
    assert_eq!((code, &report["verdict"]), (Some(1), &"call-ordering".into()), "{report}");
    let findings = report["findings"].as_array().expect("a list").iter();
    let told: Vec<(&str, u64)> = findings
        .filter_map(|f| Some((f["code"].as_str()?, f["sites"][0]["line"].as_u64()?)))
        .collect();
    assert_eq!(told, [("WT0016", 11), ("WT0017", 9)], "{report}");
    let waits = "without buffering rank 1 waits in MPI_Send for ever";
    assert!(report["findings"][0]["notes"].to_string().contains(waits), "{report}");
}

#[test]
fn the_help_fits_who_waits_for_whom() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("to_oneself.c", &folder);
    let told = [
        ("send", "WT0003", "start the receive first (MPI_Irecv)"),
        ("synchronous", "WT0001", "start the call that would complete this one first"),
        ("receive", "WT0001", "start the call that would complete this one first"),
        ("never", "WT0016", "add the receive"),
    ];
    for (how, code, help) in told {
        let words = ["check", &program, "-n", "2", "--json", "--", how];
        let (status, report) = object(&words, folder.path());
        assert_eq!(status, Some(1), "{how}: {report}");
        let mut findings = report["findings"].as_array().expect("a list").iter();
        let found = findings.find(|finding| finding["code"] == code).expect(how);
        assert!(found["help"].to_string().contains(help), "{how}: {found}");
    }
}

/// The C library keeps lists of its own in the heap that the program damages.
#[test]
fn a_program_that_damages_its_heap_does_not_end_the_tool() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("freed_while_received.c", &folder);
    for ranks in ["2", "4", "8"] {
        for command in ["run", "check"] {
            let (code, report) = object(&[command, &program, "-n", ranks, "--json"], folder.path());
            assert_eq!(code, Some(1), "{command} on {ranks}: {report}");
            let findings = report["findings"].as_array().expect("a list");
            assert!(findings.iter().any(|f| f["code"] == "WT0024"), "{command}: {report}");
        }
    }
}

/// The simulator keeps words of its own at the end of each stack.
#[test]
fn a_program_that_overwrites_its_stack_is_told_to_be_struck() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("stack_overrun.c", &folder);
    for (how, checked) in [("receive", "WT0037"), ("loop", "WT0026")] {
        for bytes in ["2000", "8000", "100000"] {
            for (command, code) in [("run", "WT0026"), ("check", checked)] {
                let words =
                    [command, &program, "-n", "2", "--json", "--max-wall", "60s", "--", how, bytes];
                let (status, report) = object(&words, folder.path());
                assert_eq!(status, Some(1), "{command} {how} {bytes}: {report}");
                assert_eq!(report["findings"][0]["code"], code, "{command} {how}: {report}");
            }
        }
    }
    // Above the program's own words there is as much room as the texts of a process take.
    let words = |command| [command, program.as_str(), "-n", "2", "--json", "--", "own", "256"];
    let (_, report) = object(&words("check"), folder.path());
    assert_eq!(report["findings"][0]["code"], "WT0037", "{report}");
    let (_, report) = object(&words("run"), folder.path());
    let findings = report["findings"].as_array().expect("a list");
    assert!(findings.iter().all(|finding| finding["code"] != "WT0018"), "{report}");
}

#[test]
fn writes_far_beyond_a_stack_are_told() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("far_writes.c", &folder);
    for command in ["run", "check"] {
        let words = [command, &program, "-n", "2", "--json", "--", "nowhere"];
        let (status, report) = object(&words, folder.path());
        assert_eq!(status, Some(1), "{command}: {report}");
        assert_eq!(report["findings"][0]["code"], "WT0026", "{command}: {report}");
        assert_eq!(report["findings"][0]["sites"][0]["line"], 8, "{command}: {report}");
    }
    // The stack of another rank is overwritten, so that a switch to it leads nowhere.
    let words = ["run", &program, "-n", "2", "--json", "--max-wall", "60s", "--", "neighbour"];
    let (status, report) = object(&words, folder.path());
    assert_eq!(status, Some(1), "{report}");
    assert_eq!(report["findings"][0]["code"], "WT0026", "{report}");
    let said = said(&["mpiexec", "-n", "2", &program, "neighbour"], folder.path());
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("error[WT0026]"), "{}", said.err);
}

#[test]
fn memory_of_freed_windows_is_told() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("windows_gone.c", &folder);
    for kind in ["own", "shared"] {
        for (how, line) in [("load", 25), ("store", 27)] {
            for command in ["run", "check"] {
                let words = [command, &program, "-n", "3", "--json", "--", kind, how];
                let (status, report) = object(&words, folder.path());
                assert_eq!(status, Some(1), "{command} {kind} {how}: {report}");
                let finding = &report["findings"][0];
                assert_eq!(finding["code"], "WT0026", "{command} {kind} {how}: {report}");
                assert_eq!(finding["sites"][0]["line"], line, "{report}");
                let sites = finding["sites"].as_array().expect("a list");
                let freed = |site: &&Value| {
                    site["label"]
                        .as_str()
                        .is_some_and(|label| label.contains("belonged to a window"))
                };
                let freed = sites.iter().find(freed).expect("where it was freed");
                assert_eq!(freed["line"], 22, "{report}");
            }
        }
        let words = ["check", &program, "-n", "3", "--json", "--", kind, "send"];
        let (status, report) = object(&words, folder.path());
        assert_eq!(status, Some(1), "{kind}: {report}");
        let words = ["check", &program, "-n", "3", "--json", "--", kind, "nothing"];
        let (_, report) = object(&words, folder.path());
        assert_eq!(report["verdict"], "ok", "{kind}: {report}");
    }
}

#[test]
fn a_signal_in_the_function_of_an_operation_strikes_its_rank() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("struck_operation.c", &folder);
    for how in ["null", "beyond"] {
        for command in ["run", "check"] {
            let words = [command, &program, "-n", "4", "--json", "--max-wall", "60s", "--", how];
            let (status, report) = object(&words, folder.path());
            assert_eq!(status, Some(1), "{command} {how}: {report}");
            assert_eq!(report["findings"][0]["code"], "WT0026", "{command} {how}: {report}");
        }
    }
}

#[test]
fn requests_that_are_completed_again_and_again_though_none_is_active_are_a_livelock() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("nothing_active.c", &folder);
    for way in ["wait", "test", "any", "some", "testsome"] {
        let words = ["check", "-n", "2", &program, "--json", "--", way];
        let (_, report) = object(&words, folder.path());
        assert_eq!(report["verdict"], "deadlock", "{way}: {report}");
        let found = &report["findings"][0];
        assert_eq!(found["code"], "WT0025", "{way}: {report}");
        let call = found["sites"][0]["call"].as_str().unwrap_or_default();
        assert!(call.to_lowercase().ends_with(way), "{way}: {report}");
    }
}

#[test]
fn tests_that_succeed_late_are_tried() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("rounds.c", &folder);
    for ranks in ["2", "3", "4"] {
        let check =
            |case| object(&["check", "-n", ranks, &program, "--json", "--", case], folder.path()).1;
        let report = check("apart");
        assert_eq!(report["verdict"], "ok", "{ranks}: {report}");
        let report = check("same");
        assert_eq!(report["verdict"], "message-race", "{ranks}: {report}");
    }
}

/// Ranks that wait for each other within a collective wait for those that are not in it.
#[test]
fn a_collective_waits_for_the_ranks_that_are_not_in_it() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("missing_from_collective.c", &folder);
    for what in ["barrier", "allreduce"] {
        for command in ["check", "run"] {
            let words = [command, &program, "-n", "40", "--json", "--", what];
            let (_, report) = object(&words, folder.path());
            let finding = &report["findings"][0];
            assert_eq!(finding["code"], "WT0001", "{what}: {report}");
            assert_eq!(finding["cycle"], serde_json::json!([0, 5]), "{what}: {report}");
        }
    }
}
