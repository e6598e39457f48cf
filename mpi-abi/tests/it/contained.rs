//! Whether executions of a program may follow each other in one process.

use guest::libc::Ending;

use crate::harness::{compile, has_fortran, simulate};

#[test]
fn a_program_is_contained_until_it_calls_what_reaches_out() {
    for (source, output, reaching) in [
        ("contained.c", "1 1.414\n", vec!["opens", "asks"]),
        ("contained.cpp", "1 3\n", vec!["opens"]),
        ("contained.f90", "the largest is  3.0\n", vec!["opens"]),
    ] {
        if source.ends_with("f90") && !has_fortran() {
            continue;
        }
        let compiled = compile(source, &["-lm"]);
        for word in reaching {
            let program = compiled.open();
            for execution in 1..=2 {
                let run = simulate(&program, 2, &[], None);
                assert_eq!(run.endings, [Ending::Exited(0), Ending::Exited(0)]);
                assert_eq!(run.output[0], output, "{source}, execution {execution}");
                assert!(program.is_contained(), "{source}, execution {execution}");
                assert!(!program.is_always_contained(), "{source}");
            }
            let run = simulate(&program, 2, &[word], None);
            assert_eq!(run.endings, [Ending::Exited(0), Ending::Exited(0)]);
            assert!(!program.is_contained(), "{source} {word}");
        }
    }
}

#[test]
fn a_program_that_reads_the_input_is_never_contained() {
    assert!(!compile("reads.cpp", &[]).open().is_contained());
}

#[test]
fn code_is_told_from_constants_beside_it() {
    // The segment of the code also holds constants with the bytes of a call of the system.
    let constants = r#"-DBYTES="\x0f\x05\x90""#;
    let program = compile("constants.c", &["-Wl,-z,noseparate-code", constants]).open();
    assert!(program.is_always_contained());
    assert!(!compile("calls.c", &[]).open().is_contained());
}
