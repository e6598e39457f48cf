//! The command line of a run with the best settings.

use crate::command::{compare::axes::Written, described::shell_line};

/// Options of `tune` that `run` does not have, or that say what is printed; all of those with a value.
const WITH_VALUE: [&str; 4] = ["--axis", "--budget", "--report", "--keep-files"];

/// The same without a value.
const PLAIN: [&str; 2] = ["--json", "--quiet"];

/// Returns the command line `windtunnel run` for the words of `windtunnel tune`, with the options of the
/// best settings. `words` begins with the path of the program.
pub(super) fn run_command(words: &[String], best: &[Written]) -> String {
    let name = words.first().map_or("windtunnel", |word| word.rsplit('/').next().unwrap_or(word));
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let mut line = vec![name.to_owned(), "run".to_owned()];
    let mut before = words[..end].iter().skip(1).peekable();
    let mut is_command = true;
    while let Some(word) = before.next() {
        let option = word.split_once('=').map_or(word.as_str(), |(option, _)| option);
        if std::mem::take(&mut is_command) || PLAIN.contains(&word.as_str()) {
            continue;
        }
        if WITH_VALUE.contains(&option) {
            // A folder to keep files in is optional and follows `=`.
            if !word.contains('=') && option != "--keep-files" {
                before.next();
            }
            continue;
        }
        line.push(word.clone());
    }
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
    shell_line(line.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(ToString::to_string).collect()
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
            run_command(&words(line), &best),
            "windtunnel run a.json -n 8 --machine sp2 --collectives allreduce=ring -- --budget 7 'a b' \
             'it'\\''s'"
        );
        assert_eq!(run_command(&words("mine tune"), &[]), "mine run");
    }
}
