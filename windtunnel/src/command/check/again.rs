//! The command that makes one execution of a check again.

use std::{env, ffi::OsString};

use crate::command::line::{shell_line, without};

/// Options that a single execution does not take, or with which it would replace the file of the check.
const OF_MANY: [&str; 5] = ["budget", "sizes", "warn", "report", "trace"];
/// The option for the number of ranks.
const OF_RANKS: &str = "ranks";

/// Returns this process's command line as the one that makes the execution of `schedule` again, quoted for a shell. If
/// the check has several numbers of ranks, `ranks` is that of the execution. `further` are options that the check has set itself.
pub(super) fn command(ranks: Option<u32>, further: &[String], schedule: &str) -> String {
    of(env::args_os(), ranks, further, schedule)
}

fn of(
    words: impl IntoIterator<Item = OsString>,
    ranks: Option<u32>,
    further: &[String],
    schedule: &str,
) -> String {
    let replaced: Vec<&str> =
        OF_MANY.into_iter().chain(ranks.is_some().then_some(OF_RANKS)).collect();
    let words = without(words, "check", &replaced);
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let (options, arguments) = words.split_at(end);
    let ranks = ranks.iter().flat_map(|ranks| ["-n".to_owned(), ranks.to_string()]);
    let added = ranks.chain(further.iter().cloned()).chain(["--schedule".into(), schedule.into()]);
    let text = |word: &OsString| word.to_string_lossy().into_owned();
    shell_line(options.iter().map(text).chain(added).chain(arguments.iter().map(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(words: &str, ranks: Option<u32>) -> String {
        of(words.split(' ').map(OsString::from), ranks, &[], "zero+order=1")
    }

    #[test]
    fn a_command_keeps_what_makes_the_execution() {
        assert_eq!(
            again("windtunnel check ./p -n 4 --budget 9 -p a=1 --report x -- -n 3 --budget", None),
            "windtunnel check ./p -n 4 -p a=1 --schedule zero+order=1 -- -n 3 --budget"
        );
        assert_eq!(
            again("windtunnel check --budget=1min -Wportability -n4 ./p", None),
            "windtunnel check -n4 ./p --schedule zero+order=1"
        );
    }

    #[test]
    fn one_of_several_sizes_is_named() {
        for sizes in ["-n 2,4", "-n2,4", "--ranks=2,4", "--ranks 2,4", "--sizes 2,4", "--sizes=2,4"]
        {
            assert_eq!(
                again(&format!("wt check p {sizes}"), Some(4)),
                "wt check p -n 4 --schedule zero+order=1",
                "{sizes}"
            );
        }
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["wt", "check", "my program", "--", "it's", "$HOME"].map(OsString::from);
        let told = of(words, None, &["--ranks-per-node".into(), "4".into()], "zero+polls");
        assert_eq!(
            told,
            "wt check 'my program' --ranks-per-node 4 --schedule zero+polls -- \"it's\" '$HOME'"
        );
    }
}
