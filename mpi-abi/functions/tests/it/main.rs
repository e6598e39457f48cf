//! Writes what follows from the descriptions, and checks that the written files are fresh.

mod exports;
mod header;
mod procedures;

use std::{env, fs, path::Path};

/// Wraps `parts` with `, ` between them: lines after the first begin with four spaces.
fn wrapped(start: String, parts: impl Iterator<Item = String>, end: &str, width: usize) -> String {
    let parts: Vec<String> = parts.collect();
    let last = parts.len().saturating_sub(1);
    let (mut text, mut length) = (start.clone(), start.len());
    for (at, part) in parts.iter().enumerate() {
        let word = format!("{part}{}", if at == last { end } else { "," });
        if at > 0 && length + 1 + word.len() > width {
            text.push_str("\n    ");
            length = 4;
        } else if at > 0 {
            text.push(' ');
            length += 1;
        }
        length += word.len();
        text.push_str(&word);
    }
    if parts.is_empty() { text + end } else { text }
}

/// Compares a file of `mpi-abi` with what it should hold, or writes it if `WINDTUNNEL_BLESS` is set.
fn fresh(file: &str, write: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let today = write(&kept);
    if env::var_os("WINDTUNNEL_BLESS").is_some() {
        if kept != today {
            fs::write(&path, today).expect("the file can be written");
        }
        return;
    }
    let same = kept.lines().zip(today.lines()).take_while(|(one, other)| one == other).count();
    let line = today.lines().nth(same).unwrap_or("the end");
    assert!(
        kept == today,
        "mpi-abi/{file} is stale from line {} on, which should be `{line}`: \
         run `WINDTUNNEL_BLESS=1 cargo test -p mpi-functions`",
        same + 1
    );
}

#[test]
fn lines_are_wrapped_between_parts() {
    let parts = ["one", "two", "three"].map(str::to_string);
    let text = wrapped("f(".to_string(), parts.clone().into_iter(), ");", 12);
    assert_eq!(text, "f(one, two,\n    three);");
    assert_eq!(wrapped("f(".to_string(), parts.into_iter(), ");", 99), "f(one, two, three);");
    assert_eq!(wrapped("f(".to_string(), std::iter::empty(), ");", 99), "f();");
}
