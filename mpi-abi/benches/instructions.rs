//! Instructions a message takes in the program `windtunnel`, counted by callgrind: exact, and the same on a busy machine.
//!
//! Each row is the difference of two sizes of one program, divided by the messages that the larger one
//! sends more, so that start-up cancels. `cargo bench -p mpi-abi --bench instructions` prints the table;
//! it needs `valgrind` and a C compiler.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;

/// One row of the table.
struct Case {
    name: &'static str,
    work: Work,
    /// The two sizes that are compared.
    sizes: [u64; 2],
    /// Messages that a size sends.
    messages: fn(u64) -> u64,
    /// Most instructions a message may take on the ideal machine.
    target: u64,
}

/// A program.
enum Work {
    /// One in C, whose argument is the size.
    Compiled { name: &'static str, source: &'static str, ranks: u64 },
    /// One in Rust that is part of `windtunnel`; the size is the number of ranks.
    BuiltIn(&'static str),
}

macro_rules! compiled {
    ($name:literal, $ranks:literal) => {
        Work::Compiled {
            name: $name,
            source: include_str!(concat!("programs/", $name, ".c")),
            ranks: $ranks,
        }
    };
}

const CASES: [Case; 8] = [
    Case {
        name: "C ping-pong, 8 bytes",
        work: compiled!("ping_pong", 2),
        sizes: [500, 1500],
        messages: |size| 2 * size,
        target: 1500,
    },
    Case {
        name: "C ring, 64 ranks, 1 float",
        work: compiled!("ring", 64),
        sizes: [1, 3],
        messages: |size| 64 * 64 * size,
        target: 1500,
    },
    Case {
        name: "C Jacobi, 64 ranks, 16 x 16",
        work: compiled!("jacobi", 64),
        sizes: [10, 30],
        // Four sides of 8 by 8 ranks, without those at the edge.
        messages: |size| 224 * size,
        target: 6000,
    },
    Case {
        name: "C allreduce, 64 ranks, 16 doubles",
        work: compiled!("allreduce", 64),
        sizes: [5, 15],
        // Recursive doubling.
        messages: |size| 64 * 6 * size,
        target: 1200,
    },
    Case {
        name: "C put and flush, 8 bytes",
        work: compiled!("put", 2),
        sizes: [500, 1500],
        messages: |size| size,
        // No more than an eager send.
        target: 1700,
    },
    Case {
        name: "C fetch and op, 64 ranks",
        work: compiled!("fetch_and_op", 64),
        sizes: [10, 30],
        messages: |size| 64 * size,
        // A million in a second.
        target: 3000,
    },
    Case {
        name: "C fences around a put, 2 ranks",
        work: compiled!("fence", 2),
        sizes: [500, 1500],
        // Two messages of the barrier of each fence, and the put.
        messages: |size| 3 * size,
        target: 2000,
    },
    Case {
        name: "Rust ring, 256 ranks, 1 float",
        work: Work::BuiltIn("allgather-ring-sendrecv"),
        sizes: [128, 256],
        messages: |ranks| ranks * (ranks - 1),
        target: 1200,
    },
];

/// The machines that runs are counted on: their names, and the options that choose them.
const MACHINES: [(&str, [&str; 4]); 3] = [
    // The processor costs nothing, and messages are in nobody's way.
    ("ideal", ["--machine", "ideal", "--network", "loggp"]),
    // Calls cost what they do on a cluster with a fast network.
    ("costly", ["--machine", "infiniband-hdr", "--network", "loggp"]),
    // The processor costs nothing; messages share the links of a switch, as without `--network`.
    ("switched", ["--machine", "ideal", "--network", "link"]),
];

/// Builds the program as users do, with the profile of releases, and returns its path.
fn windtunnel() -> PathBuf {
    let cargo = env::var_os("CARGO").expect("cargo runs this benchmark");
    let status =
        Command::new(cargo).args(["build", "--release", "--package", "windtunnel"]).status();
    assert!(status.is_ok_and(|status| status.success()), "windtunnel is built");
    let own = env::current_exe().expect("the path of this benchmark");
    let folder = own.parent().and_then(Path::parent).expect("it is in `release/deps`");
    folder.join("windtunnel")
}

/// A program, ready to be run.
struct Prepared<'a> {
    windtunnel: &'a Path,
    program: PathBuf,
    /// Ranks of a program in C.
    ranks: Option<u64>,
}

impl<'a> Prepared<'a> {
    fn new(work: &Work, windtunnel: &'a Path, folder: &Path) -> Self {
        match *work {
            Work::BuiltIn(name) => Self { windtunnel, program: name.into(), ranks: None },
            Work::Compiled { name, source, ranks } => {
                let (path, program) = (folder.join(format!("{name}.c")), folder.join(name));
                fs::write(&path, source).expect("a file in a temporary folder");
                let mut command = Command::new(windtunnel);
                command.arg("cc").arg("-O2").arg(path).arg("-o").arg(&program);
                assert!(
                    command.status().is_ok_and(|status| status.success()),
                    "{name} is compiled"
                );
                Self { windtunnel, program, ranks: Some(ranks) }
            }
        }
    }

    /// Returns the instructions of a run.
    fn count(&self, machine: [&str; 4], size: u64) -> u64 {
        // Without randomised addresses, so that tables of addresses are the same each time.
        let mut command = Command::new("setarch");
        command.args(["-R", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(self.windtunnel).arg("run").arg(&self.program).args(machine);
        match self.ranks {
            Some(ranks) => command.args(["-n", &ranks.to_string(), "--", &size.to_string()]),
            None => command.args(["-n", &size.to_string()]),
        };
        let output = command.output().expect("valgrind is installed");
        let text = String::from_utf8_lossy(&output.stderr);
        let collected = text.lines().find_map(|line| line.split("Collected : ").nth(1));
        let count = collected.and_then(|count| count.trim().parse().ok());
        count.unwrap_or_else(|| panic!("callgrind says no count: {text}"))
    }
}

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let folder = TempDir::new().expect("a temporary folder");
    let windtunnel = windtunnel();
    let [one, two, three] = MACHINES.map(|(name, _)| name);
    let title = "instructions a message";
    println!("{title:36} {one:>8} {two:>8} {three:>8} {:>8}", "at most");
    for case in &CASES {
        if !words.is_empty() && !words.iter().any(|word| case.name.contains(word.as_str())) {
            continue;
        }
        let program = Prepared::new(&case.work, &windtunnel, folder.path());
        let [small, large] = case.sizes.map(case.messages);
        let [one, two, three] = MACHINES.map(|(_, machine)| {
            let [less, more] = case.sizes.map(|size| program.count(machine, size));
            (more - less) / (large - small)
        });
        println!("{:36} {one:>8} {two:>8} {three:>8} {:>8}", case.name, case.target);
    }
}
