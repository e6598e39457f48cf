//! What `mpiexec` passes on to ranks: folders, search paths, variables, input; and its errors.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

/// A folder with the program and two folders `one` and `two`.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        compile("surroundings.c", &folder);
        for name in ["one", "two"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        Self(folder)
    }

    /// Exit code, output and errors of `mpiexec` in the folder; `@` stands for its path.
    fn mpiexec(&self, words: &str, input: &str) -> (Option<i32>, String, String) {
        let words = words.replace('@', &self.0.path().display().to_string());
        let mut running = Command::new(cargo_bin("windtunnel"))
            .arg("mpiexec")
            .args(words.split_whitespace())
            .current_dir(self.0.path())
            .env("A", "shell")
            .env_remove("B")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("windtunnel runs");
        let mut pipe = running.stdin.take().expect("a pipe");
        // A program that does not read may be gone already.
        let _ = pipe.write_all(input.as_bytes());
        drop(pipe);
        let output = running.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// What the ranks say, in order.
    fn lines(&self, words: &str) -> Vec<String> {
        let (code, out, err) = self.mpiexec(words, "");
        assert_eq!(code, Some(0), "{words}: {err}");
        let mut lines: Vec<String> = out.lines().map(Into::into).collect();
        lines.sort_unstable();
        lines
    }

    /// The variables A and B of each rank.
    fn variables(&self, words: &str) -> Vec<String> {
        let two = |line: &String| line.split(' ').skip(2).take(2).collect::<Vec<_>>().join(" ");
        self.lines(words).iter().map(two).collect()
    }
}

#[test]
fn each_program_works_in_its_folder() {
    let place = Place::new();
    let words =
        "-n 1 -wdir one ../program : -n 1 -wd two ../program : ./program : -wdir=@/one program";
    let lines = place.lines(words);
    let folders: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    let own = format!("/{}", place.0.path().file_name().expect("a name").display());
    assert_eq!(folders, ["/one", "/two", &own, "/one"]);
    let (code, _, err) = place.mpiexec("-wdir nosuch ./program", "");
    assert!(code == Some(2) && err.contains("nosuch"), "{err}");
    let (code, _, err) = place.mpiexec("-wdir program ./program", "");
    assert!(code == Some(2) && err.contains("it is no folder"), "{err}");
}

#[test]
fn a_program_is_looked_for_on_the_path_that_is_given() {
    let place = Place::new();
    fs::copy(place.0.path().join("program"), place.0.path().join("two/other")).expect("copied");
    assert_eq!(place.lines("-n 2 -path /no/such:@/two other").len(), 2);
    assert_eq!(place.lines("--path=@/two other").len(), 1);
    let (code, _, err) = place.mpiexec("-path @/one other", "");
    assert!(code == Some(2) && err.contains("other: there is no such program"), "{err}");
}

#[test]
fn variables_are_passed_on_as_asked() {
    let place = Place::new();
    for (words, expected) in [
        ("./program", &["A=shell B=-"][..]),
        ("-env A 1 ./program : -env B 2 ./program", &["A=1 B=-", "A=shell B=2"]),
        ("./program : -genv B all ./program", &["A=shell B=all", "A=shell B=all"]),
        ("-genv A all -env A mine ./program : ./program", &["A=mine B=-", "A=all B=-"]),
        ("-env B 1 -envnone ./program : -env B=2 3 ./program", &[]),
        ("-x B=x -x A ./program", &["A=shell B=x"]),
        ("-envlist B,PATH ./program : -envlist A ./program", &["A=- B=-", "A=shell B=-"]),
        ("-envnone -env B only ./program : -envall ./program", &["A=- B=only", "A=shell B=-"]),
    ] {
        if expected.is_empty() {
            let (code, _, err) = place.mpiexec(words, "");
            assert!(code == Some(2) && err.contains("name of an environment variable"), "{err}");
            continue;
        }
        assert_eq!(place.variables(words), expected, "{words}");
    }
    let lines = place.lines("-genvnone ./program");
    assert!(lines[0].contains("A=- B=-"), "{lines:?}");
}

#[test]
fn a_process_finds_itself_by_its_number() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("process.cpp", &folder);
    let (code, text) = windtunnel(&["mpiexec", "-n", "2", &program], folder.path());
    assert_eq!((code, &*text), (Some(0), "1/program10-1\n1/program10-1\n"));
}

#[test]
fn libraries_lock_mutexes_that_the_program_locks_too() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("debug_mode.cpp", &folder);
    let (code, text) = windtunnel(&["mpiexec", "-n", "2", &program], folder.path());
    assert_eq!((code, &*text), (Some(0), "16\n16\n"));
}

#[test]
fn what_a_rank_changes_is_its_own() {
    let place = Place::new();
    let lines =
        place.lines("-n 3 ./program changes : ./program thread : -wdir one ../program thread");
    let expected = [
        "0 /0 A=0 B=Put nothing full",
        "1 /1 A=- B=Put nothing full",
        "2 /2 A=- B=- nothing bare",
        "3 /3 A=3 B=Put nothing full",
        "4 /4 A=4 B=Put nothing full",
    ];
    assert_eq!(lines, expected);
    assert!(place.0.path().join("one/4").is_dir() && place.0.path().join("3").is_dir());
    assert_eq!(place.lines("-n 1 ./program")[0].split(' ').nth(2), Some("A=shell"));
}

#[test]
fn the_first_rank_reads_the_input() {
    let place = Place::new();
    let (code, out, err) = place.mpiexec("-label -n 3 ./program", "a line\nanother\n");
    assert_eq!(code, Some(0), "{err}");
    let mut lines: Vec<&str> = out.lines().collect();
    lines.sort_unstable();
    assert!(lines[0].starts_with("[0] 0 ") && lines[0].ends_with(" a line full"), "{out}");
    assert!(lines[2].starts_with("[2] 2 ") && lines[2].ends_with(" nothing full"), "{out}");
}

#[test]
fn a_file_may_hold_the_command_line() {
    let place = Place::new();
    let text = "# first\n-env B 1 ./program\n\n-n 2 \\\n -wdir one ../program\n";
    fs::write(place.0.path().join("list"), text).expect("writable");
    let lines = place.lines("-genv A g -configfile list");
    assert_eq!(lines.len(), 3);
    assert!(lines[0].contains("A=g B=1") && lines[2].contains("/one A=g B=-"), "{lines:?}");
    let (code, _, err) = place.mpiexec("-configfile nosuch", "");
    assert!(code == Some(2) && err.contains("nosuch"), "{err}");
    fs::write(place.0.path().join("list"), "# nothing\n").expect("writable");
    let (code, _, err) = place.mpiexec("-configfile list", "");
    assert!(code == Some(2) && err.contains("the name of a program"), "{err}");
}

#[test]
fn wrong_words_are_told() {
    let place = Place::new();
    for (words, part) in [
        ("", "the name of a program"),
        ("-n", "followed by its value"),
        ("-n 0 ./program", "1 to 4194304"),
        ("-n many ./program", "1 to 4194304"),
        ("-n 4194305 ./program", "1 to 4194304"),
        ("-n 4194304 ./program : -n 4194304 ./program", "4194304"),
        ("-n 2", "the name of a program"),
        ("-n 2 ./program :", "the name of a program"),
        (": ./program", "the name of a program"),
        ("-env A", "followed by its value"),
        ("-nn 2 ./program", "did you mean `-n`"),
        ("--machin ideal ./program", "did you mean `-machine`"),
        ("-machine nosuch ./program", "no machine is called `nosuch`"),
        ("-buffering lots ./program", "system, infinite, zero"),
        ("-compute guessed ./program", "recorded:FILE"),
        ("-max-time 5 ./program", "with its unit"),
        ("-n 2 nosuch", "nosuch: there is no such program"),
        ("-n 2 ./nosuch", "nosuch: there is no such program"),
        ("-n 2 ./one", "one"),
    ] {
        let (code, out, err) = place.mpiexec(words, "");
        assert_eq!(code, Some(2), "{words}: {err}");
        assert!(out.is_empty() && err.contains(part), "{words}: {part} is not in {err}");
    }
}

#[test]
fn it_tells_about_itself_and_writes_what_run_writes() {
    let place = Place::new();
    let (code, out, _) = place.mpiexec("--help", "");
    assert_eq!(code, Some(0));
    assert!(out.contains("-wdir FOLDER") && out.contains("-compute"), "{out}");
    let (code, out, _) = place.mpiexec("--version", "");
    assert_eq!(
        (code, out.as_str()),
        (Some(0), concat!("windtunnel ", env!("CARGO_PKG_VERSION"), "\n"))
    );
    assert_eq!(place.lines("-n 2 -trace t.json -report=p.html --machine=sp2 ./program").len(), 2);
    for name in ["t.json", "p.html"] {
        assert!(fs::metadata(place.0.path().join(name)).is_ok_and(|file| file.len() > 50));
    }
}
