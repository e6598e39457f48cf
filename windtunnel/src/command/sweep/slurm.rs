//! `sweep --slurm`: the shares of a study as the tasks of a job array.

use std::{
    env,
    path::{Path, PathBuf, absolute},
    process::Command,
};

use scenarios::error::Error;

use crate::{args::Sweep, command::line::shell_line};

/// Submits a study: an array of jobs, each with a share of the configurations, and a job after them
/// that gathers their results.
///
/// # Errors
/// Returns an error if there is no Slurm here, or it refuses.
pub(super) fn submit(asked: &Sweep, tasks: u32, out: &Path) -> Result<u8, Error> {
    let path = |path: &Path| absolute(path).unwrap_or_else(|_| path.to_owned());
    let program = env::current_exe().unwrap_or_else(|_| PathBuf::from("windtunnel"));
    let study = path(Path::new(&asked.study));
    let mut words = vec![
        program.display().to_string(),
        "sweep".into(),
        study.display().to_string(),
        "--quiet".into(),
        "--out".into(),
        path(out).display().to_string(),
    ];
    words.extend(asked.max_memory.map(|bytes| format!("--max-memory={bytes}")));
    let name = study.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let table = |option: &str, file: &Option<String>| {
        let file = file.as_ref().map(|file| path(Path::new(file)).display().to_string());
        file.map_or(Vec::new(), |file| vec![option.to_owned(), file])
    };
    let tables = [table("--csv", &asked.csv), table("--parquet", &asked.parquet)].concat();
    let gathers = shell_line(words.iter().cloned().chain(tables));
    // The shell of the job fills in its number.
    let share = format!("--share \"$SLURM_ARRAY_TASK_ID/{tasks}\"");
    let runs = format!("{} {share}", shell_line(words));

    let array = vec![format!("--array=0-{}", tasks - 1)];
    let first = sbatch(asked, &name, array, &runs)?;
    let after = vec![format!("--dependency=afterany:{first}")];
    let last = sbatch(asked, &format!("{name}-gather"), after, &gathers)?;
    if !asked.quiet {
        println!("submitted    {tasks} tasks as job {first}; job {last} gathers their results");
        println!("             into {}", out.display());
    }
    Ok(0)
}

/// Submits one job and returns its number.
fn sbatch(asked: &Sweep, name: &str, own: Vec<String>, command: &str) -> Result<String, Error> {
    let refuse = |reason: String| Error::BadValue {
        what: "--slurm".into(),
        value: asked.slurm.unwrap_or_default().to_string(),
        allowed: format!("what the command sbatch of this machine accepts: {reason}"),
    };
    let done = Command::new("sbatch")
        .args(["--parsable", "--job-name", name])
        .args(own)
        .args(&asked.slurm_options)
        .args(["--wrap", command])
        .output()
        .map_err(|error| refuse(format!("it cannot be run: {error}")))?;
    if !done.status.success() {
        return Err(refuse(String::from_utf8_lossy(&done.stderr).trim().to_owned()));
    }
    // The number, and the name of the cluster if there are several.
    let told = String::from_utf8_lossy(&done.stdout);
    let number = told.trim().split(';').next().unwrap_or_default();
    match number.chars().all(|digit| digit.is_ascii_digit()) && !number.is_empty() {
        true => Ok(number.to_owned()),
        false => Err(refuse(format!("it printed `{}` instead of a job number", told.trim()))),
    }
}
