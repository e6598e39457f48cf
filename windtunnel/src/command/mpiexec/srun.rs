//! Translation of the command line of Slurm's `srun` into that of `mpiexec`.

use std::collections::VecDeque;

use network_models::{nearest, suggested};
use scenarios::{error::Error, options::RankCount};

use super::{passed_on::listed, wrong};

/// Returns the text that `--help` prints.
pub(super) fn help() -> String {
    let of_run = listed(OURS, "--");
    format!(
        "\
Usage: srun [-n TASKS] [OPTIONS] PROGRAM [ARGUMENTS]

Starts a compiled program on a simulated machine, by the options of Slurm's srun:
  -n TASKS, --ntasks=TASKS       how many ranks run it [1, or one for each place on the nodes]
  -N NODES, --nodes=NODES        how many nodes they share
  --ntasks-per-node=TASKS        ranks on each node
  -D FOLDER, --chdir=FOLDER      where they work
  -l, --label                    the number of its rank before each line of output
  --export=ALL|NONE|NAME=TEXT    environment variables
{of_run}
                                 as options of `windtunnel run`
Other options of srun mean nothing in a simulation and are ignored with a note; names that are like
one of these are refused.
"
    )
}

/// Ignored one-letter options with a value.
const LETTERS: &str = "ABCDGJKMNOSTVWabcdeijnopqtwx";
/// Ignored long options with a value.
const VALUES: [&str; 61] = [
    "account",
    "accel-bind",
    "acctg-freq",
    "bcast",
    "begin",
    "cluster-constraint",
    "clusters",
    "comment",
    "compress",
    "constraint",
    "container",
    "core-spec",
    "cores-per-socket",
    "cpu-bind",
    "cpu-freq",
    "cpus-per-gpu",
    "cpus-per-task",
    "cpu_bind",
    "deadline",
    "delay-boot",
    "dependency",
    "epilog",
    "error",
    "exclude",
    "extra-node-info",
    "gpu-bind",
    "gpu-freq",
    "gpus",
    "gpus-per-node",
    "gpus-per-socket",
    "gpus-per-task",
    "gres",
    "gres-flags",
    "hint",
    "immediate",
    "input",
    "jobid",
    "job-name",
    "kill-on-bad-exit",
    "licenses",
    "mem",
    "mem-bind",
    "mem-per-cpu",
    "mem-per-gpu",
    "mincpus",
    "mpi",
    "nodelist",
    "ntasks-per-core",
    "ntasks-per-socket",
    "output",
    "partition",
    "priority",
    "profile",
    "prolog",
    "qos",
    "reservation",
    "signal",
    "slurmd-debug",
    "threads-per-core",
    "time",
    "wait",
];
/// Ignored flags with names like those of other options.
const FLAGS: [&str; 17] = [
    "contiguous",
    "exact",
    "exclusive",
    "get-user-env",
    "hold",
    "no-allocate",
    "no-kill",
    "overcommit",
    "overlap",
    "preserve-env",
    "pty",
    "quiet",
    "spread-job",
    "test-only",
    "unbuffered",
    "use-min-nodes",
    "verbose",
];
/// Options of srun that have a meaning here.
const MEANT: [&str; 8] = [
    "chdir",
    "distribution",
    "export",
    "label",
    "multi-prog",
    "nodes",
    "ntasks",
    "ntasks-per-node",
];
/// Options of Windtunnel that `srun` accepts too: others, such as `network`, have a meaning there.
const OURS: [&str; 17] = [
    "machine",
    "topology",
    "placement",
    "buffering",
    "eager-limit",
    "collectives",
    "seed",
    "policy",
    "compute",
    "trace",
    "trace-window",
    "trace-ranks",
    "record",
    "report",
    "allow",
    "fail-on",
    "baseline",
];

/// The parsed request of a command line.
#[derive(Default)]
struct Asked {
    tasks: Option<u32>,
    nodes: Option<u32>,
    per_node: Option<u32>,
    words: Vec<String>,
    ignored: Vec<String>,
}

/// Returns the words for `mpiexec`, and the ignored options.
///
/// # Errors
/// Returns an error if a number is wrong, or more than one program is given.
pub(super) fn read(mut given: VecDeque<String>) -> Result<(Vec<String>, Vec<String>), Error> {
    let mut asked = Asked::default();
    while let Some(word) = given.pop_front() {
        if word == "--" {
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            asked.long(long, &mut given)?;
        } else if let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.is_empty()) {
            asked.short(letters, &mut given)?;
        } else {
            given.push_front(word);
            break;
        }
    }
    let mut words = asked.ranks();
    words.append(&mut asked.words);
    words.extend(given);
    Ok((words, asked.ignored))
}

/// Returns the option with a meaning that an unknown name is most similar to. Names that are more like one without a meaning
/// may be flags, or options of a later Slurm.
fn misspelt(name: &str) -> Option<String> {
    if FLAGS.contains(&name) {
        return None;
    }
    let all = MEANT.iter().chain(&OURS).chain(&VALUES).chain(&FLAGS);
    let found = nearest(name, all.copied())?;
    let is_meant = MEANT.iter().chain(&OURS).any(|meant| *meant == found);
    is_meant.then(|| format!("--{found}"))
}

fn number(name: &str, value: &str) -> Result<u32, Error> {
    // Of a range of nodes, the smallest number is used.
    let first = value.split('-').next().unwrap_or_default();
    let allowed = || format!("a number, 1 to {}", RankCount::MAX);
    let number: Option<RankCount> = first.parse().ok();
    number.map(RankCount::get).ok_or_else(|| wrong(&format!("{name} {value}"), &allowed()))
}

impl Asked {
    /// Returns the options for the number of ranks and of ranks per node.
    fn ranks(&self) -> Vec<String> {
        let by_node = || Some(self.nodes? * self.per_node.unwrap_or(1));
        let tasks = self.tasks.or_else(by_node).unwrap_or(1);
        let spread = self.nodes.map(|nodes| tasks.div_ceil(nodes));
        let mut words = vec!["-n".to_string(), tasks.to_string()];
        if let Some(count) = self.per_node.or(spread) {
            words.extend(["-ranks-per-node".to_string(), count.to_string()]);
        }
        words
    }

    fn long(&mut self, long: &str, given: &mut VecDeque<String>) -> Result<(), Error> {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (long, None),
        };
        let mut value = || {
            let value = value.clone().or_else(|| given.pop_front());
            value.ok_or_else(|| wrong(&format!("--{name}"), "followed by its value"))
        };
        match name {
            "ntasks" => self.tasks = Some(number("--ntasks", &value()?)?),
            "nodes" => self.nodes = Some(number("--nodes", &value()?)?),
            "ntasks-per-node" | "tasks-per-node" => {
                self.per_node = Some(number("--ntasks-per-node", &value()?)?);
            }
            "distribution" => {
                let value = value()?;
                self.distribution("--distribution", &value);
            }
            "label" => self.words.push("-label".into()),
            "chdir" => self.words.extend(["-wdir".into(), value()?]),
            "export" => self.export(&value()?),
            "multi-prog" => {
                return Err(wrong("--multi-prog", "a single program, or mpiexec with :"));
            }
            "help" | "version" => self.words.push(format!("-{name}")),
            name if OURS.contains(&name) => {
                let value = value()?;
                self.words.extend([format!("-{name}"), value]);
            }
            name if VALUES.contains(&name) => {
                value()?;
                self.ignored.push(format!("--{name}"));
            }
            name => match misspelt(name) {
                Some(meant) => {
                    let allowed = format!("an option of srun{}", suggested(Some(&meant)));
                    return Err(wrong(&format!("--{name}"), &allowed));
                }
                None => self.ignored.push(format!("--{name}")),
            },
        }
        Ok(())
    }

    fn short(&mut self, letters: &str, given: &mut VecDeque<String>) -> Result<(), Error> {
        let (letter, rest) = letters.split_at(letters.chars().next().map_or(0, char::len_utf8));
        let mut value = || {
            let own = Some(rest).filter(|rest| !rest.is_empty()).map(ToString::to_string);
            own.or_else(|| given.pop_front())
                .ok_or_else(|| wrong(&format!("-{letter}"), "followed by its value"))
        };
        match letter {
            "n" => self.tasks = Some(number("-n", &value()?)?),
            "N" => self.nodes = Some(number("-N", &value()?)?),
            "D" => self.words.extend(["-wdir".into(), value()?]),
            "l" => self.words.push("-label".into()),
            "m" => {
                let value = value()?;
                self.distribution("-m", &value);
            }
            letter if LETTERS.contains(letter) => {
                value()?;
                self.ignored.push(format!("-{letter}"));
            }
            _ => self.ignored.push(format!("-{letters}")),
        }
        Ok(())
    }

    /// Handles the value of `--distribution`: its first part is that over nodes.
    fn distribution(&mut self, name: &str, value: &str) {
        let placement = match value.split([':', ',']).next() {
            Some("block") => "in-order",
            Some("cyclic") => "cyclic",
            _ => return self.ignored.push(name.into()),
        };
        self.words.extend(["-placement".into(), placement.into()]);
    }

    /// Handles the value of `--export`: `ALL`, `NONE`, and `NAME=TEXT`.
    fn export(&mut self, list: &str) {
        for item in list.split(',') {
            match item.split_once('=') {
                Some((name, text)) => {
                    self.words.extend(["-genv", name, text].map(ToString::to_string));
                }
                None if item == "NONE" => self.words.push("-genvnone".into()),
                // Programs inherit existing variables in any case.
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> (String, String) {
        let words = line.split(' ').map(ToString::to_string).collect();
        let (words, ignored) = read(words).expect("it is right");
        (words.join(" "), ignored.join(" "))
    }

    #[test]
    fn scripts_for_slurm_start_as_many_ranks() {
        let none = String::new();
        assert_eq!(told("-n 8 ./a -n 3"), ("-n 8 ./a -n 3".into(), none.clone()));
        assert_eq!(told("-N2 -n8 a"), ("-n 8 -ranks-per-node 4 a".into(), none.clone()));
        assert_eq!(
            told("--nodes=2 --ntasks-per-node 3 --cpu-bind=cores -c 4 --exclusive -l a b"),
            ("-n 6 -ranks-per-node 3 -label a b".into(), "--cpu-bind -c --exclusive".into())
        );
        assert_eq!(
            told("-m cyclic -n 8 -N 2 a"),
            ("-n 8 -ranks-per-node 4 -placement cyclic a".into(), none.clone())
        );
        assert_eq!(
            told("--distribution=block:cyclic -n 8 a"),
            ("-n 8 -placement in-order a".into(), none.clone())
        );
        assert_eq!(told("-m plane=2 -n 8 a"), ("-n 8 a".into(), "-m".into()));
        assert_eq!(
            told("--mpi=pmix --export=ALL,A=1 --machine sp2 -D /tmp -- a"),
            ("-n 1 -genv A 1 -machine sp2 -wdir /tmp a".into(), "--mpi".into())
        );
    }

    #[test]
    fn our_options_are_those_of_mpiexec() {
        let known = super::super::passed_on::of_run();
        for name in OURS {
            assert!(known.iter().any(|known| known == name), "{name}");
        }
    }

    #[test]
    fn misspelt_options_are_refused() {
        let fails = |line: &str| {
            let given = line.split_whitespace().map(ToString::to_string).collect();
            read(given).err().map(|error| error.to_string()).unwrap_or_default()
        };
        assert!(fails("--ntask=5 ./prog").contains("did you mean `--ntasks`?"));
        assert!(fails("--node=5 ./prog").contains("did you mean `--nodes`?"));
        assert!(fails("--machin sp2 ./prog").contains("did you mean `--machine`?"));
        for ignored in FLAGS.iter().chain(&["network-of-tomorrow", "tres-per-task=1", "x11"]) {
            assert_eq!(fails(&format!("--{ignored} ./prog")), "");
        }
    }

    #[test]
    fn a_wrong_number_is_refused() {
        for line in ["-n x a", "--ntasks=0 a", "-n", "--multi-prog a"] {
            let words = line.split(' ').map(ToString::to_string).collect();
            assert!(read(words).is_err(), "{line}");
        }
    }
}
