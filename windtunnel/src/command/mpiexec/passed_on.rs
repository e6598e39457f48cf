//! The options of `windtunnel run` that launchers take.

use clap::CommandFactory;

use crate::args::Cli;

/// Options of `windtunnel run` that no launcher takes: each program has its own number of ranks, and a
/// launcher runs the programs once and prints what they print.
const NOT_TAKEN: [&str; 9] =
    ["ranks", "repeat", "profile", "what-if", "gdb", "schedule", "keep-files", "json", "quiet"];

/// Longest line of a help text.
const WIDTH: usize = 96;

/// Returns the names of the options that `mpiexec` passes on to `windtunnel run`, each of which has a value.
pub(super) fn of_run() -> Vec<String> {
    let cli = Cli::command();
    let run = cli.find_subcommand("run").expect("there is a command of this name");
    let names = run.get_arguments().filter_map(|argument| argument.get_long());
    names.filter(|name| !NOT_TAKEN.contains(name)).map(str::to_owned).collect()
}

/// Returns indented lines of a help text that list options; `dashes` precede each name.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>, dashes: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("{dashes}{name}")).collect();
    let mut lines = vec![String::new()];
    for name in names.join(", ").split(' ') {
        let last = lines.last_mut().expect("there is one");
        if last.is_empty() {
            *last = format!("  {name}");
        } else if last.len() + 1 + name.len() <= WIDTH {
            last.push_str(&format!(" {name}"));
        } else {
            lines.push(format!("  {name}"));
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_are_passed_on_have_a_value_behind_them() {
        let cli = Cli::command();
        let run = cli.find_subcommand("run").expect("there is a command of this name");
        for name in of_run() {
            let option = run.get_arguments().find(|argument| argument.get_long() == Some(&name));
            let option = option.expect("it is an option of run");
            assert!(option.get_action().takes_values(), "{name}");
            assert!(!option.is_require_equals_set(), "{name}");
        }
        for name in NOT_TAKEN {
            let known = |argument: &clap::Arg| argument.get_long() == Some(name);
            assert!(run.get_arguments().any(known), "{name} is no option of run");
        }
    }

    #[test]
    fn lists_of_options_are_wrapped() {
        let names = ["one", "two", "a-long-name"].repeat(8);
        let lines = listed(names, "-");
        assert!(lines.lines().all(|line| line.len() <= WIDTH && line.starts_with("  -")));
        assert_eq!(lines.matches(", ").count() + lines.matches(",\n").count(), 23);
    }
}
