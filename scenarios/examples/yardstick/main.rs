//! A yardstick for the safety check: programs right and wrong, drawn from tables of functions and
//! faults, compiled, checked, and counted in a confusion matrix.
//!
//! `cargo run --release -p scenarios --example yardstick [-- --windtunnel PATH] [--list] [--mutants] [--optimised] [--language NAME] [FAMILY]`
//!
//! `--windtunnel` is the program under test (default: the one in the folder of this program's build),
//! `--list` prints each program that does not get its verdict, `--mutants` takes mutations of sound programs
//! instead ([`mutants`]), `--optimised` compiles C and Fortran with `-O2` instead of `-O0`, `--language` (`c`, `fortran` or
//! `rust`) leaves out the others, and `FAMILY` restricts the programs to families whose names contain it. Fortran is left
//! out where there is no gfortran. The programs in Rust are those of the package `yardstick-programs`, which has to be
//! built before.

mod collectives;
mod memory;
mod messages;
mod mutants;
mod objects;
mod program;
mod rust;
mod sound;

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use serde_json::Value;

use crate::program::{BATCH, FORTRAN_HEAD, Language, Program, file};

/// What a check has said of a program.
struct Outcome {
    verdict: String,
    /// Whether the first finding names the marked line, if there is one.
    at_line: Option<bool>,
    milliseconds: u128,
}

/// Counts of one row of the matrix: of the programs with this fault, those with each verdict.
type Matrix = BTreeMap<String, BTreeMap<String, u32>>;

/// The verdicts that are right for a program; the first is the usual one.
#[derive(Clone, Copy)]
struct Expectation<'a>(&'a [&'a str]);

impl Expectation<'_> {
    fn is_sound(self) -> bool {
        self.0 == ["ok"]
    }
}

/// A program that is checked: one that windtunnel loads, or one with windtunnel's command line.
enum Checked<'a> {
    Loaded(&'a Settings, &'a Path),
    Own(&'a Path),
}

/// What was counted so far.
#[derive(Default)]
struct Totals {
    matrix: Matrix,
    sound: u32,
    false_alarms: u32,
    wrong: u32,
    found: u32,
    named: u32,
    marked: u32,
    at_line: u32,
    times: Vec<u128>,
}

struct Settings {
    windtunnel: PathBuf,
    list: bool,
    mutants: bool,
    /// How C and Fortran are compiled: `-O0` or `-O2`.
    optimisation: &'static str,
    /// The only language, in small letters; empty for all.
    language: String,
    family: String,
}

fn settings() -> Result<Settings, String> {
    let own = env::current_exe().map_err(|error| error.to_string())?;
    let built = own.ancestors().nth(2).unwrap_or(Path::new(".")).join("windtunnel");
    let mut settings = Settings {
        windtunnel: built,
        list: false,
        mutants: false,
        optimisation: "-O0",
        language: String::new(),
        family: String::new(),
    };
    let mut words = env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--windtunnel" => {
                let path = words.next().ok_or("--windtunnel needs a path")?;
                settings.windtunnel = path.into();
            }
            "--list" => settings.list = true,
            "--mutants" => settings.mutants = true,
            "--optimised" => settings.optimisation = "-O2",
            "--language" => settings.language = language(words.next().as_deref())?,
            option if option.starts_with('-') => {
                return Err(format!(
                    "there is no option {option}: --windtunnel PATH, --list, --mutants, --optimised, \
                     --language NAME"
                ));
            }
            family => settings.family = family.into(),
        }
    }
    if !settings.windtunnel.is_file() {
        let path = settings.windtunnel.display();
        return Err(format!("there is no {path}: build windtunnel first, or give --windtunnel"));
    }
    settings.windtunnel = settings.windtunnel.canonicalize().map_err(|error| error.to_string())?;
    Ok(settings)
}

fn language(word: Option<&str>) -> Result<String, String> {
    match word {
        Some("c" | "fortran" | "rust") => Ok(word.unwrap_or_default().into()),
        _ => Err("--language needs c, fortran or rust".into()),
    }
}

impl Settings {
    /// Reports whether programs in this language are measured.
    fn takes(&self, language: &str) -> bool {
        self.language.is_empty() || self.language == language
    }
}

fn main() -> ExitCode {
    let measured = settings().and_then(|settings| match settings.mutants {
        true => mutants::measure(&settings),
        false => measure(&settings),
    });
    match measured {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("yardstick: {error}");
            ExitCode::from(2)
        }
    }
}

fn measure(settings: &Settings) -> Result<(), String> {
    let mut programs = collectives::programs();
    programs.extend(messages::programs());
    programs.extend(objects::programs());
    programs.extend(sound::programs());
    programs.extend(memory::programs());
    programs.retain(|program| program.family.contains(&settings.family));
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut totals = Totals::default();
    for language in [Language::C, Language::Fortran] {
        if !settings.takes(language.name()) {
            continue;
        }
        if language == Language::Fortran
            && Command::new("gfortran").arg("--version").output().is_err()
        {
            eprintln!("yardstick: there is no gfortran, so that Fortran is left out");
            continue;
        }
        let possible: Vec<Program> =
            programs.iter().filter(|program| program.can_be(language)).cloned().collect();
        for batch in possible.chunks(BATCH) {
            let (path, marks) = compile(settings, folder.path(), batch, language)?;
            for (number, program) in batch.iter().enumerate() {
                let words = [number.to_string()];
                let checked = Checked::Loaded(settings, &path);
                let outcome = check(&checked, program.ranks, &words, marks[number])?;
                let title = format!("{language:?} / {}", program.name());
                totals.count(settings, &title, Expectation(&program.expected), &outcome);
            }
        }
    }
    if settings.takes("rust") {
        rust::measure(settings, &mut totals)?;
    }
    totals.print();
    Ok(())
}

/// Compiles programs into one file. Returns its path and the marked lines.
fn compile(
    settings: &Settings,
    folder: &Path,
    batch: &[Program],
    language: Language,
) -> Result<(PathBuf, Vec<u32>), String> {
    let (text, marks) = file(batch, language);
    let (compiler, name) = match language {
        Language::C => ("cc", "batch.c"),
        Language::Fortran => ("fc", "batch.f90"),
    };
    let (source, path) = (folder.join(name), folder.join("batch"));
    let write = |path: &Path, text: &str| fs::write(path, text).map_err(|error| error.to_string());
    write(&source, &text)?;
    let mut command = Command::new(&settings.windtunnel);
    command.current_dir(folder).args([compiler, "-w", settings.optimisation, "-o"]).arg(&path);
    if language == Language::Fortran {
        write(&folder.join("head.f90"), FORTRAN_HEAD)?;
        command.args(["-ffree-line-length-none", "head.f90"]);
    }
    let output = command.arg(&source).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok((path, marks));
    }
    Err(format!("{}\n{}", source.display(), String::from_utf8_lossy(&output.stderr)))
}

/// Checks a program on this many ranks with these arguments; `mark` is the line that a finding must name, or 0.
fn check(
    checked: &Checked<'_>,
    ranks: u32,
    words: &[String],
    mark: u32,
) -> Result<Outcome, String> {
    #[expect(clippy::disallowed_types, reason = "the time of a check is measured, not simulated")]
    let began = std::time::Instant::now();
    let (program, loaded) = match checked {
        Checked::Loaded(settings, path) => (settings.windtunnel.as_path(), Some(path)),
        Checked::Own(path) => (*path, None),
    };
    let output = Command::new(program)
        .arg("check")
        .args(loaded)
        .args(["-n", &ranks.to_string(), "--json", "--"])
        .args(words)
        .output()
        .map_err(|error| error.to_string())?;
    let milliseconds = began.elapsed().as_millis();
    let text = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let verdict = report["verdict"].as_str().unwrap_or("no verdict").to_string();
    let sites = report["findings"][0]["sites"].as_array().cloned().unwrap_or_default();
    let named = sites.iter().any(|site| site["line"].as_u64() == Some(u64::from(mark)));
    Ok(Outcome { verdict, at_line: (mark > 0).then_some(named), milliseconds })
}

impl Totals {
    fn count(
        &mut self,
        settings: &Settings,
        title: &str,
        expected: Expectation<'_>,
        outcome: &Outcome,
    ) {
        let verdict = outcome.verdict.as_str();
        let is_right = expected.0.contains(&verdict);
        let row = self.matrix.entry(expected.0[0].into()).or_default();
        let column = if is_right { expected.0[0] } else { verdict };
        *row.entry(column.into()).or_default() += 1;
        self.times.push(outcome.milliseconds);
        if expected.is_sound() {
            self.sound += 1;
            self.false_alarms += u32::from(!is_right);
        } else {
            self.wrong += 1;
            self.found += u32::from(verdict != "ok");
            self.named += u32::from(is_right);
            if let Some(at_line) = outcome.at_line.filter(|_| is_right) {
                self.marked += 1;
                self.at_line += u32::from(at_line);
            }
        }
        let elsewhere = outcome.at_line == Some(false) && !expected.is_sound();
        if settings.list && (!is_right || elsewhere) {
            let line = if is_right { " at another line" } else { "" };
            println!("{title}: {verdict}{line}, not {}", expected.0.join(" or "));
        }
    }

    fn print(&mut self) {
        let matrix = &self.matrix;
        let mut columns: Vec<&String> = matrix.values().flat_map(BTreeMap::keys).collect();
        columns.sort();
        columns.dedup();
        let heads: Vec<String> = columns.iter().map(|column| format!(" {column} |")).collect();
        println!("| program is |{}", heads.concat());
        println!("|---|{}", "---:|".repeat(columns.len()));
        for (expected, row) in matrix {
            let cell = |column: &&String| match row.get(*column) {
                Some(count) => format!(" {count} |"),
                None => " |".to_string(),
            };
            println!("| {expected} |{}", columns.iter().map(cell).collect::<String>());
        }
        self.times.sort_unstable();
        let median = self.times.get(self.times.len() / 2).copied().unwrap_or(0);
        let share = |part: u32, whole: u32| 100.0 * f64::from(part) / f64::from(whole.max(1));
        let Totals { sound, false_alarms, wrong, found, named, marked, at_line, .. } = *self;
        println!();
        println!("{sound} sound programs, {false_alarms} false alarms");
        println!(
            "{wrong} wrong programs: {found} found ({:.1} %), {named} by their right name ({:.1} %)",
            share(found, wrong),
            share(named, wrong)
        );
        println!(
            "{at_line} of {marked} findings at the marked line ({:.1} %)",
            share(at_line, marked)
        );
        println!("median of the time for one check: {median} ms");
    }
}
