//! Pages in a real browser: what their script shows.

use std::{path::Path, process::Command};

use super::{
    c_programs::{self, compile},
    windtunnel,
};

/// Opens a page in Chromium and returns its elements as they are after its script has run; `None` if
/// there is no Chromium.
fn opened(page: &Path, view: &str) -> Option<String> {
    let home = tempfile::tempdir().expect("a folder");
    let address = format!("file://{}{view}", page.display());
    let out = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000"])
        .arg(format!("--user-data-dir={}", home.path().display()))
        .args(["--dump-dom", &address])
        .output();
    match out {
        Ok(out) => Some(String::from_utf8(out.stdout).expect("UTF-8")),
        Err(_) => {
            eprintln!("skipped: chromium is not installed");
            None
        }
    }
}

/// Returns what the diagram says that it shows.
fn shown(dom: &str) -> &str {
    assert!(!dom.contains("data-failed"), "the script failed: {dom}");
    let rest = dom.split("data-shown=\"").nth(1).expect("the script has drawn");
    rest.split('"').next().expect("an end")
}

#[test]
fn the_space_time_diagram_is_zoomed_and_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let run = "run allgather-ring -n 8 --network link --quiet --report";
    let (code, _, err) = windtunnel(&format!("{run} {}", page.display()));
    assert_eq!(code, 0, "{err}");
    let Some(dom) = opened(&page, "") else { return };
    // Eight ranks send seven messages each.
    let text = shown(&dom);
    assert!(text.starts_with("0 to ") && text.ends_with("ranks 0 to 7, 56 messages"), "{text}");
    assert!(dom.contains("class=\"explorer live\""), "the picture gives way to the diagram");

    let dom = opened(&page, "#t=1ns..2us&r=2..3&find=rank 3").expect("it is there");
    let text = shown(&dom);
    assert!(text.contains("to 2.000 us, ranks 2 to 3") && text.contains("calls found"), "{text}");
    let dom = opened(&page, "#find=no such call").expect("it is there");
    assert!(shown(&dom).ends_with("; 0 calls found"), "{dom}");
    let dom = opened(&page, "#t=nonsense&r=9..1").expect("it is there");
    assert!(shown(&dom).ends_with("ranks 0 to 7, 56 messages"), "what is no view shows the run");
}

#[test]
fn a_deadlock_and_a_run_without_messages_are_shown_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    for (run, told) in [
        ("check jacobi-naive -n 4", "ranks 0 to 3"),
        ("run jacobi-sendrecv -n 1", "ranks 0 to 0, 0 messages"),
    ] {
        let (code, _, err) = windtunnel(&format!("{run} --quiet --report {}", page.display()));
        assert_ne!(code, 2, "{err}");
        let Some(dom) = opened(&page, "") else { return };
        assert!(shown(&dom).contains(told), "{run}: {}", shown(&dom));
    }
}

#[test]
fn a_run_without_time_says_why_it_has_no_timeline() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let (code, _, err) = windtunnel(&format!("run bcast -n 1 --quiet --report {}", page.display()));
    assert_eq!(code, 0, "{err}");
    let page = std::fs::read_to_string(page).expect("it is written");
    assert!(page.contains("crossbar:1, 1 rank<"), "{page}");
    assert!(page.contains("No simulated time passed, so there is no timeline"), "{page}");
    assert!(
        page.contains("No call took any time.") && !page.contains("class=\"explorer\""),
        "{page}"
    );
}

#[test]
fn every_diagram_of_a_comparison_is_drawn_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let run =
        "compare allgather-ring -n 8 --topologies ring:8,mesh:2x4,hypercube:3 --quiet --report";
    let (code, _, err) = windtunnel(&format!("{run} {}", page.display()));
    assert_eq!(code, 0, "{err}");
    let html = std::fs::read_to_string(&page).expect("a page");
    assert_eq!(
        html.matches("'use strict'").count(),
        1,
        "the script once: a second would listen, too"
    );
    let Some(dom) = opened(&page, "#r=2..3") else { return };
    let drawn: Vec<&str> =
        dom.match_indices("data-shown=\"").map(|(at, _)| shown(&dom[at..])).collect();
    assert_eq!(drawn.len(), 3, "{drawn:?}");
    assert!(
        drawn.iter().all(|text| text.contains("ranks 0 to 7")),
        "an address is of one diagram: {drawn:?}"
    );
}

#[test]
fn a_failing_execution_is_shown_beside_one_that_finishes_step_by_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let program = super::c_programs::compile("slack.c", &folder);
    let check = format!("check {program} -n 4 --quiet --report {} -- own", page.display());
    let (code, _, err) = windtunnel(&check);
    assert_eq!(code, 1, "{err}");
    let html = std::fs::read_to_string(&page).expect("a page");
    for told in [
        "Beside one that finishes",
        "Both are alike up to a choice that only this one makes: the system buffers the data of MPI_Send on rank 0",
        "--schedule partial+order=0.0.1.1 leads here, partial+order= there",
        "This one: stalled at ",
        "One that finishes: completed at ",
        "Then nothing can happen any more: 4 calls blocked.",
        "rank 3 waits in MPI_Wait",
        "static void out(int to, int tag)",
    ] {
        assert!(html.contains(told), "no `{told}`");
    }
    assert_eq!(html.matches("<li class=\"differs\">").count(), 1, "they part once");
    // Nothing differs but the buffering.
    let (_, _, err) =
        windtunnel(&format!("check jacobi-naive -n 4 --quiet --report {}", page.display()));
    let html = std::fs::read_to_string(&page).expect("a page");
    assert!(html.contains("--schedule zero leads here, infinite there"), "{err}");
    assert!(html.contains("Nothing is left to choice"), "{err}");
    let Some(dom) = opened(&page, "") else { return };
    assert!(!dom.contains("class=\"stepping\""), "one entry is not stepped through");
    windtunnel(&check);
    let dom = opened(&page, "").expect("it is there");
    assert!(dom.contains("Where they part") && !dom.contains("data-failed"), "{dom}");
}

#[test]
fn the_page_of_a_check_has_the_verdict_and_the_blocked_ranks() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    for (program, told) in [
        (
            "jacobi-naive -n 4",
            ["Verdict: <strong>buffering</strong>", "Blocked ranks", "Who waits for whom"],
        ),
        (
            "jacobi-sendrecv -n 3",
            ["Verdict: <strong>ok</strong>", "Nothing was found", "infinite+late"],
        ),
    ] {
        windtunnel(&format!("check {program} --quiet --report {}", page.display()));
        let html = std::fs::read_to_string(&page).expect("a page");
        for text in told {
            assert!(html.contains(text), "{program}: no `{text}`");
        }
        assert_eq!(
            html.contains("Blocked ranks"),
            program.starts_with("jacobi-naive"),
            "{program}"
        );
    }
}

#[test]
fn the_blocked_threads_of_a_rank_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile("advice.c", &folder);
    let page = folder.path().join("page.html").display().to_string();
    let words =
        ["check", &program, "-n", "2", "--quiet", "--report", &page, "--", "nobody_signals"];
    let (code, text) = c_programs::windtunnel(&words, folder.path());
    assert_eq!(code, Some(1), "{text}");
    let html = std::fs::read_to_string(&page).expect("a page");
    for thread in ["<th>thread 0 of rank 0</th>", "<th>thread 1 of rank 0</th>"] {
        assert!(html.contains(thread), "no {thread}");
    }
}

/// Returns what the heat of the links says that it shows.
fn moment(dom: &str) -> &str {
    assert!(!dom.contains("data-failed"), "the script failed: {dom}");
    let rest = dom.split("data-moment=\"").nth(1).expect("the script has coloured the links");
    rest.split('"').next().expect("an end")
}

#[test]
fn the_heat_of_the_links_is_shown_at_each_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let run = "run allgather-ring-nonblocking -n 4 --topology ring:4 --network link --machine infiniband-hdr \
               -p blocksize=65536 --quiet --report";
    let (code, _, err) = windtunnel(&format!("{run} {}", page.display()));
    assert_eq!(code, 0, "{err}");
    let Some(dom) = opened(&page, "") else { return };
    assert!(moment(&dom).starts_with("Whole run, 0 to "), "{}", moment(&dom));
    assert!(dom.contains("class=\"heat live\""), "the picture can be moved in time");
    let dom = opened(&page, "#heat=100").expect("it is there");
    assert!(moment(&dom).contains("; hottest: node "), "{}", moment(&dom));
    assert!(moment(&dom).contains("busy 100 %"), "{}", moment(&dom));
    // Nothing has reached a link when the run begins.
    let dom = opened(&page, "#t=0us..5us&heat=1").expect("it is there");
    assert!(moment(&dom).starts_with("0 to "), "{}", moment(&dom));
    assert!(moment(&dom).ends_with("; no link is busy"), "{}", moment(&dom));
    assert!(shown(&dom).starts_with("0 to 5"), "one address tells both views: {}", shown(&dom));
    let dom = opened(&page, "#heat=4000").expect("it is there");
    assert!(moment(&dom).contains("ms") || moment(&dom).contains("us"), "the last moment");
}

#[test]
fn a_long_name_stays_on_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let long = folder.path().join("name".repeat(50));
    std::fs::rename(super::c_programs::compile("slack.c", &folder), &long).expect("it is renamed");
    let (program, page_name) = (long.display(), page.display());
    for command in [
        format!("run {program} -n 4 --quiet --report {page_name} -- safe"),
        format!(
            "compare {program} -n 4 --topologies ring:4,mesh:2x2 --quiet --report {page_name} -- safe"
        ),
    ] {
        let (code, _, err) = windtunnel(&command);
        assert_ne!(code, 2, "{err}");
        let html = std::fs::read_to_string(&page).expect("a page");
        // The heading is compared with the room it has, which only a browser knows.
        let measure = "<script>const h=document.querySelector('h1');\
                       h.dataset.fits=h.scrollWidth<=h.clientWidth</script></body>";
        std::fs::write(&page, html.replace("</body>", measure)).expect("it is written");
        let Some(dom) = opened(&page, "") else { return };
        assert!(dom.contains("data-fits=\"true\""), "{command}");
    }
}
