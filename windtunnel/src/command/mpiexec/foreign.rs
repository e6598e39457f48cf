//! Options of other launchers that scripts pass. Each one has a meaning here or is ignored.

/// Meaning of another launcher's option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Number of ranks of the program.
    Ranks,
    /// Number of ranks on each node, given as the option's value.
    PerNode,
    /// One rank on each node.
    OnePerNode,
    /// Mapping of ranks to nodes; `ppr:N:node` places N ranks on each node.
    MapBy,
    /// Each output line is prefixed with the number of its rank.
    Label,
    /// Ignored, since a simulation has no such thing. Holds the number of words that follow the
    /// option.
    Nothing(usize),
}

/// Ignored options without a value.
const FLAGS: [&str; 36] = [
    "allow-run-as-root",
    "bind-to-core",
    "bind-to-none",
    "bind-to-socket",
    "bycore",
    "bynode",
    "byslot",
    "bysocket",
    "disable-auto-cleanup",
    "display-allocation",
    "display-devel-map",
    "display-map",
    "do-not-launch",
    "enable-recovery",
    "enable-x",
    "forward-signals",
    "leave-session-attached",
    "merge-stderr-to-stdout",
    "no-oversubscribe",
    "nolocal",
    "nooversubscribe",
    "nouse-hwthread-cpus",
    "overload-allowed",
    "oversubscribe",
    "print-all-exitcodes",
    "print-rank-map",
    "q",
    "quiet",
    "report-bindings",
    "stream-buffering",
    "timestamp-output",
    "usage",
    "use-hwthread-cpus",
    "v",
    "verbose",
    "xml",
];

/// Ignored options with a value.
const VALUES: [&str; 45] = [
    "H",
    "am",
    "bind-to",
    "bootstrap",
    "bootstrap-exec",
    "bootstrap-exec-args",
    "ckpoint-interval",
    "ckpointlib",
    "cpu-list",
    "cpu-set",
    "cpus-per-proc",
    "cpus-per-rank",
    "default-hostfile",
    "demux",
    "exitcode",
    "f",
    "hostfile",
    "hosts",
    "iface",
    "initial-errhandler",
    "launch-agent",
    "launcher",
    "launcher-exec",
    "localhost",
    "machinefile",
    "max-restarts",
    "membind",
    "num-proc",
    "order-nodes",
    "output",
    "output-filename",
    "personality",
    "pmi-port",
    "preload-files",
    "prefix",
    "profile",
    "ranks-per-proc",
    "rank-by",
    "report-pid",
    "rmk",
    "stdin",
    "timeout",
    "topolib",
    "tune",
    "wait",
];

/// Ignored options with a name and a value.
const PAIRS: [&str; 4] = ["gmca", "mca", "omca", "prtemca"];

/// Returns the meaning of an option, or `None` if no known launcher has it.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    Some(match name {
        "c" => Meaning::Ranks,
        "ppn" | "perhost" | "N" | "npernode" | "grr" => Meaning::PerNode,
        "pernode" => Meaning::OnePerNode,
        "map-by" => Meaning::MapBy,
        "tag-output" => Meaning::Label,
        name if FLAGS.contains(&name) => Meaning::Nothing(0),
        name if VALUES.contains(&name) => Meaning::Nothing(1),
        name if PAIRS.contains(&name) => Meaning::Nothing(2),
        _ => return None,
    })
}

/// Returns the words for what a mapping such as `ppr:4:node` or `node` says of nodes, or `None` if it says
/// nothing of them.
pub(super) fn mapping(map: &str) -> Option<[String; 2]> {
    let words = match map.split(':').collect::<Vec<&str>>()[..] {
        ["ppr", count, "node", ..] => ["--ranks-per-node", count],
        ["node", ..] => ["--placement", "cyclic"],
        _ => return None,
    };
    Some(words.map(ToString::to_string))
}

/// Returns one line that names the ignored options, or `None` if there are none.
pub(super) fn note(ignored: &[String]) -> Option<String> {
    let mut each: Vec<&str> = Vec::new();
    for word in ignored {
        if !each.contains(&word.as_str()) {
            each.push(word);
        }
    }
    let list = each.join(", ");
    (!each.is_empty()).then(|| format!("note: ignored, as a simulation has none of it: {list}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_stands_once() {
        let mut all: Vec<&str> = FLAGS.into_iter().chain(VALUES).chain(PAIRS).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn what_is_passed_over_is_told_once() {
        let words = ["--mca", "-f", "--mca"].map(String::from);
        let expected = "note: ignored, as a simulation has none of it: --mca, -f";
        assert_eq!(note(&words).as_deref(), Some(expected));
        assert_eq!(note(&[]), None);
        let words = |map| mapping(map).map(|words| words.join(" "));
        assert_eq!(words("ppr:4:node:pe=2").as_deref(), Some("--ranks-per-node 4"));
        assert_eq!(words("node:pe=2").as_deref(), Some("--placement cyclic"));
        for silent in ["socket", "ppr:2:socket", "ppr:2", "nodes"] {
            assert_eq!(words(silent), None, "{silent}");
        }
    }
}
