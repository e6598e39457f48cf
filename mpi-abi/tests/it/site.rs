//! Lines of calls from debug information.

use crate::harness::compile;

#[test]
fn calls_have_lines_and_callers() {
    for flags in [&[][..], &["-O0"], &["-O2"]] {
        check(flags);
    }
}

fn check(flags: &[&str]) {
    let run = compile("sites.c", flags).run(2, &[]);
    assert_eq!(run.sites.len(), 4);
    let places = |trace: &[guest::site::Site]| -> Vec<(u32, &str)> {
        trace.iter().map(|site| (site.line, site.function)).collect()
    };
    assert_eq!(places(&run.sites[0]), [(5, "inner"), (9, "outer"), (13, "main")]);
    assert_eq!(places(&run.sites[2]), [(14, "main")]);
    assert!(run.sites.iter().flatten().all(|site| site.file.ends_with("ctest/sites.c")));
}
