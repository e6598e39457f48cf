//! The command that makes one execution of a check again.

use std::{borrow::Cow, env, ffi::OsString};

/// Options, each with a value, that a single execution does not take, or with which it would replace the file of the
/// check.
const OF_MANY: [&str; 5] = ["--budget", "--sizes", "-W", "--report", "--trace"];
/// The options for the number of ranks.
const OF_RANKS: [&str; 2] = ["--ranks", "-n"];

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
    let words: Vec<String> =
        words.into_iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let (options, arguments) = words.split_at(end);
    let replaced = || OF_MANY.iter().chain(OF_RANKS.iter().filter(|_| ranks.is_some()));
    let mut kept: Vec<String> = Vec::with_capacity(words.len() + 4);
    let mut options = options.iter();
    while let Some(word) = options.next() {
        if replaced().any(|option| word == option) {
            options.next();
        } else if !replaced().any(|option| is_with_value(word, option)) {
            kept.push(word.clone());
        }
    }
    if let Some(ranks) = ranks {
        kept.extend(["-n".into(), ranks.to_string()]);
    }
    kept.extend_from_slice(further);
    kept.extend(["--schedule".into(), schedule.into()]);
    kept.extend_from_slice(arguments);
    kept.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Returns a word as a shell reads it. Schedules and options stay as they are written everywhere else.
fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "+-=.,:/_@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    // Only a zero byte cannot be quoted, and no word of a command line has one.
    shlex::try_quote(word).unwrap_or(word.into())
}

/// Returns whether a word is this option with its value attached: `--budget=9`, `-n4`.
fn is_with_value(word: &str, option: &str) -> bool {
    let rest = word.strip_prefix(option);
    rest.is_some_and(|rest| rest.starts_with('=') || !option.starts_with("--"))
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
