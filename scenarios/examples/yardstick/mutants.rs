//! Mutations of sound programs: calls left out, doubled, exchanged or left out on one rank, and
//! arguments changed on all ranks or on one.
//!
//! A mutant is found, or prints what the original prints, or prints something else without breaking a
//! rule of MPI: a smaller count, another operation. Only the last kind may hide a fault that was missed.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use crate::{Checked, Settings, check};

/// Number of ranks of every program.
const RANKS: u32 = 4;

const PROGRAMS: &[(&str, &str)] = &[
    ("ring", include_str!("programs/ring.c")),
    ("heat", include_str!("programs/heat.c")),
    ("matrix", include_str!("programs/matrix.c")),
    ("columns", include_str!("programs/columns.c")),
    ("farm", include_str!("programs/farm.c")),
    ("window", include_str!("programs/window.c")),
    ("probe", include_str!("programs/probe.c")),
];

/// Calls that are the same in all programs, and are left as they are.
const FRAME: [&str; 3] = ["MPI_Init", "MPI_Comm_rank", "MPI_Comm_size"];

/// A call that is a line by itself.
struct Line<'a> {
    indent: &'a str,
    name: &'a str,
    arguments: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let text = line.trim_start();
        let indent = &line[..line.len() - text.len()];
        let (name, rest) = text.strip_suffix(");")?.split_once('(')?;
        let is_call = name.starts_with("MPI_") && !name.contains(|c: char| c.is_whitespace());
        is_call.then(|| Self { indent, name, arguments: arguments(rest) })
    }

    fn with(&self, place: usize, argument: &str) -> String {
        let mut list = self.arguments.clone();
        list[place] = argument;
        format!("{}({});", self.name, list.join(", "))
    }
}

/// Splits a list of arguments at the commas outside of brackets.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut first, mut list) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                list.push(text[first..at].trim());
                first = at + 1;
            }
            _ => {}
        }
    }
    list.push(text[first..].trim());
    list
}

/// Returns what may stand in the place of an argument.
fn instead(argument: &str) -> Vec<String> {
    let words = |list: &[&str]| list.iter().map(|word| word.to_string()).collect();
    match argument {
        "MPI_COMM_WORLD" => words(&["MPI_COMM_SELF"]),
        "copy" | "row" => words(&["MPI_COMM_WORLD"]),
        "MPI_FLOAT" => words(&["MPI_INT", "MPI_DOUBLE"]),
        "MPI_DOUBLE" => words(&["MPI_FLOAT", "MPI_CHAR"]),
        "MPI_INT" | "MPI_LONG" => words(&["MPI_FLOAT", "MPI_DOUBLE"]),
        "MPI_SUM" => words(&["MPI_MAX"]),
        _ if is_number(argument) => vec![format!("({argument}) + 1"), format!("({argument}) - 1")],
        _ => Vec::new(),
    }
}

/// Reports whether an argument is an expression of whole numbers, as far as these programs go.
fn is_number(argument: &str) -> bool {
    let names = ["rank", "size", "position", "half", "rows", "up", "down", "count", "w", "N"];
    let marks = ["WORK", "RESULT", "STOP", "status.MPI_SOURCE", "sizeof"];
    let parts = argument.split(|c: char| " +-*/%()?:".contains(c)).filter(|part| !part.is_empty());
    let is_part =
        |part: &str| part.parse::<u32>().is_ok() || names.contains(&part) || marks.contains(&part);
    !argument.is_empty() && parts.into_iter().all(is_part)
}

/// A changed program: the kind of the change, where, and the text.
struct Mutant {
    kind: &'static str,
    place: String,
    text: String,
}

fn mutants(name: &str, text: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(call) = Line::of(line).filter(|call| !FRAME.contains(&call.name)) else {
            continue;
        };
        let mut push = |kind, what: &str, new: &[&str]| {
            let place = format!("{name}:{} {} {what}", at + 1, call.name);
            let text = [&lines[..at], new, &lines[at + 1..]].concat().join("\n");
            all.push(Mutant { kind, place, text });
        };
        let bare = line.trim_start();
        push("left out", "", &[";"]);
        push("called twice", "", &[line, line]);
        for rank in [0, 1] {
            let only = format!("if (rank != {rank}) {bare}");
            push("left out on one rank", &format!("on rank {rank}"), &[&only]);
        }
        for (place, argument) in call.arguments.iter().enumerate() {
            for other in instead(argument) {
                let changed = call.with(place, &other);
                push("another argument", &other, &[&changed]);
                let once = format!("{}if (rank == 1) {changed} else {bare}", call.indent);
                push("another argument on one rank", &format!("{other} on rank 1"), &[&once]);
            }
        }
        if let Some(next) = lines.get(at + 1).filter(|next| Line::of(next).is_some()) {
            let text = [&lines[..at], &[next, line], &lines[at + 2..]].concat().join("\n");
            let place = format!("{name}:{} {} and the next", at + 1, call.name);
            all.push(Mutant { kind: "exchanged", place, text });
        }
    }
    all
}

/// Found, with the same output, with another output.
type Counts = [u32; 3];

/// Checks all mutants and prints how many of each kind were found.
pub(crate) fn measure(settings: &Settings) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut table: BTreeMap<&'static str, Counts> = BTreeMap::new();
    for (name, text) in PROGRAMS {
        let original = compiled(settings, folder.path(), text)?;
        if !original || verdict(settings, folder.path())? != "ok" {
            return Err(format!("{name}.c itself is not sound"));
        }
        let expected = output(settings, folder.path())?;
        for mutant in mutants(name, text) {
            // The compiler has found it.
            if !compiled(settings, folder.path(), &mutant.text)? {
                continue;
            }
            let verdict = verdict(settings, folder.path())?;
            let column = match verdict.as_str() {
                "ok" if output(settings, folder.path())? == expected => 1,
                "ok" => 2,
                _ => 0,
            };
            table.entry(mutant.kind).or_default()[column] += 1;
            if settings.list && column > 0 {
                println!("{}: {}", mutant.place, ["", "the same output", "another output"][column]);
            }
        }
    }
    println!("| mutation | found | same output | another output |\n|---|---:|---:|---:|");
    for (kind, [found, same, other]) in &table {
        println!("| {kind} | {found} | {same} | {other} |");
    }
    let sum = |column: usize| table.values().map(|counts| counts[column]).sum::<u32>();
    println!(
        "\n{} mutants: {} found, {} with the same output",
        sum(0) + sum(1) + sum(2),
        sum(0),
        sum(1)
    );
    Ok(())
}

/// Compiles a text; `false` if the compiler refuses it.
fn compiled(settings: &Settings, folder: &Path, text: &str) -> Result<bool, String> {
    fs::write(folder.join("mutant.c"), text).map_err(|error| error.to_string())?;
    let mut command = Command::new(&settings.windtunnel);
    let words = ["cc", "-w", settings.optimisation, "mutant.c", "-o", "mutant"];
    command.current_dir(folder).args(words);
    Ok(command.output().map_err(|error| error.to_string())?.status.success())
}

fn verdict(settings: &Settings, folder: &Path) -> Result<String, String> {
    let path = folder.join("mutant");
    check(&Checked::Loaded(settings, &path), RANKS, &[], 0).map(|outcome| outcome.verdict)
}

/// Returns what a run of the program prints.
fn output(settings: &Settings, folder: &Path) -> Result<Vec<u8>, String> {
    let mut command = Command::new(&settings.windtunnel);
    command.current_dir(folder).args(["mpiexec", "-n", &RANKS.to_string(), "./mutant"]);
    Ok(command.output().map_err(|error| error.to_string())?.stdout)
}
