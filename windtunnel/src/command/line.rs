//! The words of command lines: options are left out, and words are written as a shell reads them.

use std::{borrow::Cow, ffi::OsString};

use clap::{Arg, CommandFactory};

use crate::args::Cli;

/// Returns the words of a command line of `windtunnel NAME` without some options and their values. `options`
/// has their names in the command's type, such as `keep_files`. What follows `--` belongs to the program
/// and is kept.
///
/// # Panics
/// Panics if there is no such command, or it does not have one of the options.
pub(super) fn without(
    words: impl IntoIterator<Item = OsString>,
    name: &str,
    options: &[&str],
) -> Vec<OsString> {
    let left_out = arguments(name, options);
    let (mut kept, mut words) = (Vec::new(), words.into_iter());
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word);
            break;
        }
        let written = word.to_string_lossy();
        match left_out.iter().find_map(|argument| form(&written, argument)) {
            Some(Form::Whole) => {}
            Some(Form::BeforeValue) => {
                words.next();
            }
            None => kept.push(word),
        }
    }
    kept.extend(words);
    kept
}

/// Returns the arguments of these names that a command has.
fn arguments(name: &str, options: &[&str]) -> Vec<Arg> {
    let cli = Cli::command();
    let command = cli.find_subcommand(name).expect("the name is that of a command");
    let of = |option: &&str| {
        let found = command.get_arguments().find(|argument| argument.get_id() == *option);
        found.cloned().expect("the command has the option")
    };
    options.iter().map(of).collect()
}

/// How a word gives an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The word is all of it: `--json`, `--budget=9`, `-n4`.
    Whole,
    /// The value is the next word.
    BeforeValue,
}

/// Returns how a word gives an option, if it does.
fn form(word: &str, option: &Arg) -> Option<Form> {
    let alone = match option.get_action().takes_values() && !option.is_require_equals_set() {
        true => Form::BeforeValue,
        false => Form::Whole,
    };
    let rest = |beginning: String| word.strip_prefix(&beginning);
    let long = option.get_long().and_then(|long| rest(format!("--{long}")));
    let short = option.get_short().and_then(|short| rest(format!("-{short}")));
    match (long, short) {
        (Some(""), _) | (_, Some("")) => Some(alone),
        (Some(rest), _) if rest.starts_with('=') => Some(Form::Whole),
        (_, Some(_)) => Some(Form::Whole),
        (Some(_) | None, None) => None,
    }
}

/// Returns words as a line that a shell splits into the same words.
pub(super) fn shell_line(words: impl IntoIterator<Item = String>) -> String {
    let quoted = words.into_iter().map(|word| quoted(&word).into_owned());
    quoted.collect::<Vec<String>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(line: &str, command: &str, options: &[&str]) -> String {
        let words = without(line.split(' ').map(OsString::from), command, options);
        shell_line(words.iter().map(|word| word.to_string_lossy().into_owned()))
    }

    #[test]
    fn an_option_is_left_out_with_its_value() {
        for (given, expected) in [
            ("check a.out --watch build -n 4", "check a.out -n 4"),
            ("check --watch=build a.out", "check a.out"),
            ("check a.out --watch . -- --watch x", "check a.out -- --watch x"),
            ("check a.out --watched", "check a.out --watched"),
        ] {
            assert_eq!(kept(given, "check", &["watch"]), expected, "{given}");
        }
        assert_eq!(kept("run --gdb 2 ring -n 4", "run", &["gdb"]), "run ring -n 4");
        let given = "run ring --gdb=2 -n 4 -- --gdb 1";
        assert_eq!(kept(given, "run", &["gdb"]), "run ring -n 4 -- --gdb 1");
    }

    #[test]
    fn options_have_short_forms_optional_values_or_none() {
        let given = "tune -n4 --json --keep-files p -n 2 --keep-files=x --ranks=3 --ranks 2";
        assert_eq!(kept(given, "tune", &["ranks", "json", "keep_files"]), "tune p");
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["check", "my program", "", "it's", "$HOME", "a=b,c"].map(str::to_owned);
        assert_eq!(shell_line(words), "check 'my program' '' \"it's\" '$HOME' a=b,c");
    }
}
