//! The command line of a run with the best settings.

use std::ffi::OsString;

use crate::command::{
    compare::axes::Written,
    line::{shell_line, without},
};

/// Options of `tune` that `run` does not have, or that say what is printed.
const OF_SEARCH: [&str; 6] = ["axes", "budget", "report", "keep_files", "json", "quiet"];

/// Returns the command line `windtunnel run` for the words of `windtunnel tune`, with the options of the
/// best settings. `words` begins with the path of the program and the name of the command.
pub(super) fn run_command(words: impl IntoIterator<Item = OsString>, best: &[Written]) -> String {
    let words = without(words, "tune", &OF_SEARCH);
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let name = words.first().map_or("windtunnel", |word| word.rsplit('/').next().unwrap_or(word));
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let mut line = vec![name.to_owned(), "run".to_owned()];
    line.extend(words[..end].iter().skip(2).cloned());
    let mut arguments: Vec<String> = words.get(end + 1..).unwrap_or_default().to_vec();
    for one in best {
        match one {
            Written::Options(options) => line.extend(options.iter().cloned()),
            Written::Arguments(more) => arguments.extend(more.iter().cloned()),
            Written::Machine(_) => {}
        }
    }
    if !arguments.is_empty() {
        line.push("--".into());
        line.extend(arguments);
    }
    shell_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: &str, best: &[Written]) -> String {
        run_command(line.split(' ').map(OsString::from), best)
    }

    #[test]
    fn what_only_the_search_needs_is_left_out() {
        let line = "/usr/bin/windtunnel tune --budget 20 a.json -n 8 --axis bytes=8,9 --axis=seed=1 --json \
                    --report x.html --machine sp2 -- --budget 7";
        let best = [
            Written::Options(vec!["--collectives".into(), "allreduce=ring".into()]),
            Written::Machine("latency=x0.5".into()),
            Written::Arguments(vec!["a b".into(), "it's".into()]),
        ];
        assert_eq!(
            run(line, &best),
            "windtunnel run a.json -n 8 --machine sp2 --collectives allreduce=ring -- --budget 7 'a b' \
             \"it's\""
        );
        assert_eq!(run("mine tune", &[]), "mine run");
    }
}
