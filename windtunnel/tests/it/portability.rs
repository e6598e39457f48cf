//! `check -W portability`: what is right here and need not be with every library.

use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

/// Programs of `portable.c`, the verdict, and what their note says; nothing for those that rely on nothing.
const PROGRAMS: [(&str, &str, &str); 17] = [
    ("large_tag", "ok", "the tag 32768 is larger than every library allows"),
    ("sound_tag", "ok", ""),
    ("starts", "ok", "which of two messages is received first depends on the order"),
    ("sound_starts_with_tags", "ok", ""),
    ("sound_starts_in_order", "ok", ""),
    ("reads", "ok", "rank 0 reads from a buffer that MPI_Isend still owns"),
    ("sends_twice", "ok", "rank 0: MPI_Isend uses a buffer that MPI_Isend still owns"),
    ("sound_send", "ok", ""),
    ("ready", "request-lifecycle", "right only if collective operations synchronise all ranks"),
    ("sound_ready", "ok", ""),
    ("scatters", "ok", "MPI_Scatterv sends some bytes of the root to several ranks"),
    ("sound_scatter", "ok", ""),
    ("sound_detach", "ok", ""),
    ("pairs", "ok", "combines by an operation whose elements depend on each other"),
    ("sound_pairs", "ok", ""),
    ("level", "ok", "calls MPI in threads whatever level the library provides"),
    ("sound_level", "ok", ""),
];

#[test]
fn what_other_libraries_lack_is_noted_and_no_fault() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("portable.c", &folder);
    for (name, verdict, note) in PROGRAMS {
        let options = ["check", "-W", "portability", &program, "-n", "2", "--", name];
        let (code, text) = windtunnel(&options, folder.path());
        assert!(text.contains(&format!("VERDICT: {verdict}")), "{name}: {text}");
        assert_eq!(code, Some(i32::from(verdict != "ok")), "{name}: {text}");
        let notes = text.matches("note[WT0039]").count();
        assert_eq!(notes, usize::from(!note.is_empty()), "{name}: {text}");
        assert!(text.contains(note), "{name}: {text}");
    }
}

#[test]
fn portability_is_noted_only_if_it_is_asked_for() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("portable.c", &folder);
    for name in ["large_tag", "scatters"] {
        let (code, text) = windtunnel(&["check", &program, "-n", "2", "--", name], folder.path());
        assert_eq!((code, text.contains("WT0039")), (Some(0), false), "{text}");
    }
    let (code, text) = windtunnel(&["check", &program, "-n", "2", "-W", "all"], folder.path());
    assert_eq!((code, text.contains("portability")), (Some(2), true), "{text}");
}
