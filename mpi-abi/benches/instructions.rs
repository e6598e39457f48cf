//! Instructions a message takes, counted by callgrind: exact, and the same on a busy machine.
//!
//! Each row is the difference of two sizes of one program, divided by the messages that the larger one
//! sends more, so that start-up cancels. `cargo bench -p mpi-abi --bench instructions` prints the table;
//! it needs `valgrind`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, exit},
    sync::Arc,
};

#[path = "../../mpi-api/benches/common/mod.rs"]
mod common;

use guest::wrapper::{Kit, Language, Request};
use mpi_abi::launch::{Compiled, HEADER, Output, function_names};
use mpi_api::{
    cost::Costs,
    outcome::Ending,
    run::{Program, run},
    settings::Settings,
};
use network_models::{
    Bandwidth, ByteTime, LinkParameters, Links, LocalPath, LogGp, LogGpParameters, Network,
    Switching, TopologySpec,
};
use sim_core::SimDuration;
use tempfile::TempDir;

/// One row of the table.
struct Case {
    name: &'static str,
    /// Source of a C program; none for the ring in Rust.
    source: Option<(&'static str, &'static str)>,
    ranks: u32,
    /// The two sizes that are compared.
    sizes: [u32; 2],
    /// Messages that one more of the size sends.
    messages: fn(u64) -> u64,
    /// Most instructions a message may take on the ideal machine.
    target: u64,
}

macro_rules! source {
    ($name:literal) => {
        Some(($name, include_str!(concat!("programs/", $name, ".c"))))
    };
}

const CASES: [Case; 8] = [
    Case {
        name: "C ping-pong, 8 bytes",
        source: source!("ping_pong"),
        ranks: 2,
        sizes: [500, 1500],
        messages: |_| 2,
        target: 1500,
    },
    Case {
        name: "C ring, 64 ranks, 1 float",
        source: source!("ring"),
        ranks: 64,
        sizes: [1, 3],
        messages: |ranks| ranks * ranks,
        target: 1500,
    },
    Case {
        name: "C Jacobi, 64 ranks, 16 x 16",
        source: source!("jacobi"),
        ranks: 64,
        sizes: [10, 30],
        // Four sides of 8 by 8 ranks, without those at the edge.
        messages: |_| 224,
        target: 6000,
    },
    Case {
        name: "C allreduce, 64 ranks, 16 doubles",
        source: source!("allreduce"),
        ranks: 64,
        sizes: [5, 15],
        // Recursive doubling.
        messages: |ranks| ranks * ranks.ilog2() as u64,
        target: 1200,
    },
    Case {
        name: "C put and flush, 8 bytes",
        source: source!("put"),
        ranks: 2,
        sizes: [500, 1500],
        messages: |_| 1,
        // No more than an eager send.
        target: 1700,
    },
    Case {
        name: "C fetch and op, 64 ranks",
        source: source!("fetch_and_op"),
        ranks: 64,
        sizes: [10, 30],
        messages: |ranks| ranks,
        // A million in a second.
        target: 3000,
    },
    Case {
        name: "C fences around a put, 2 ranks",
        source: source!("fence"),
        ranks: 2,
        sizes: [500, 1500],
        // Two messages of the barrier of each fence, and the put.
        messages: |_| 3,
        target: 2000,
    },
    Case {
        name: "Rust ring, 256 ranks, 1 float",
        source: None,
        ranks: 256,
        sizes: [50, 150],
        messages: |ranks| ranks,
        target: 1200,
    },
];

/// A machine that runs are counted on.
#[derive(Clone, Copy)]
enum Machine {
    /// The processor costs nothing, and messages are in nobody's way.
    Ideal,
    /// The same network; calls cost about what they do on a cluster with a fast network.
    Costly,
    /// The processor costs nothing; messages share the links of a switch, as without `--network`.
    Switched,
}

impl Machine {
    const ALL: [Self; 3] = [Self::Ideal, Self::Costly, Self::Switched];

    fn name(self) -> &'static str {
        match self {
            Self::Ideal => "ideal",
            Self::Costly => "costly",
            Self::Switched => "switched",
        }
    }

    fn costs(self) -> Costs {
        match self {
            Self::Ideal | Self::Switched => Costs::free(),
            Self::Costly => Costs {
                send: SimDuration::from_ns(250),
                receive: SimDuration::from_ns(250),
                post_send: SimDuration::from_ns(200),
                post_receive: SimDuration::from_ns(100),
                wait_send: SimDuration::from_ns(50),
                wait_receive: SimDuration::from_ns(150),
                copy: ByteTime::from_fs(100_000),
                pack: ByteTime::from_fs(200_000),
                reduce: ByteTime::from_fs(300_000),
                ..Costs::free()
            },
        }
    }

    fn network(self, ranks: u32) -> Box<dyn Network> {
        let latency = SimDuration::from_us(1);
        let bandwidth = Bandwidth::from_bytes_per_sec(10_000_000_000);
        let local = LocalPath { latency: SimDuration::from_ns(100), bandwidth: Some(bandwidth) };
        match self {
            Self::Ideal | Self::Costly => {
                let parameters = LogGpParameters {
                    latency,
                    gap: SimDuration::from_ns(10),
                    byte_time: ByteTime::from_fs(1_000_000),
                    duplex_factor: 1,
                };
                Box::new(LogGp::new(parameters, ranks, local))
            }
            Self::Switched => {
                let parameters = LinkParameters {
                    latency,
                    hop: SimDuration::from_ns(100),
                    bandwidth,
                    injection: None,
                    switching: Switching::CutThrough,
                };
                let spec: TopologySpec = "crossbar".parse().expect("a topology");
                let topology = Arc::new(spec.build(ranks).expect("it has a switch"));
                Box::new(Links::new(topology, parameters, local))
            }
        }
    }
}

/// Runs a program once.
fn simulate(ranks: u32, machine: Machine, program: &Program) {
    let settings = Settings { costs: machine.costs(), ..common::settings(ranks) };
    let result = run(settings, machine.network(ranks), program, None).0;
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}

/// A source as the compiler wrapper compiles it.
fn compile((name, text): (&str, &str), folder: &Path) -> PathBuf {
    let (source, program) = (folder.join(format!("{name}.c")), folder.join(name));
    fs::write(&source, text).expect("a file in a temporary folder");
    let names = function_names().expect("executable memory");
    let functions: Vec<&str> = names.iter().map(String::as_str).collect();
    let headers = [("mpi.h", HEADER)];
    let kit = Kit { headers: &headers, functions: &functions, launcher: Path::new("/bin/true") };
    let places = kit.install_below(&folder.join("kit")).expect("files in a temporary folder");
    let words = ["-O2".into(), source.into(), "-o".into(), program.clone().into()];
    let arguments = Request::of(&words).command(Language::C, &places).all();
    let status = Command::new(Language::C.compiler()).args(arguments).status();
    assert!(status.is_ok_and(|status| status.success()), "{name} is compiled");
    program
}

/// The run of one case, in a process of its own.
fn run_case(case: &Case, machine: Machine, size: u32, program: &str) {
    if case.source.is_none() {
        simulate(case.ranks, machine, &common::ring(size));
        return;
    }
    let mut compiled = Compiled::new(Output::Discard);
    let arguments = [size.to_string()];
    compiled.add(Path::new(program), &arguments, case.ranks).expect("the program is loaded");
    simulate(case.ranks, machine, &(Arc::new(compiled) as Program));
}

/// Instructions of the run of one case.
fn count(number: usize, machine: Machine, size: u32, program: &Path) -> u64 {
    let own = env::current_exe().expect("the path of this benchmark");
    // Without randomised addresses, so that tables of addresses are the same each time.
    let output = Command::new("setarch")
        .args(["-R", "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(own)
        .args(["run", &number.to_string(), machine.name(), &size.to_string()])
        .arg(program)
        .output()
        .expect("valgrind is installed");
    let text = String::from_utf8_lossy(&output.stderr);
    let collected = text.lines().find_map(|line| line.split("Collected : ").nth(1));
    let count = collected.and_then(|count| count.trim().parse().ok());
    count.unwrap_or_else(|| panic!("callgrind says no count: {text}"))
}

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [verb, number, machine, size, program] = &words[..]
        && verb == "run"
    {
        let case = &CASES[number.parse::<usize>().expect("a case")];
        let named = Machine::ALL.into_iter().find(|known| known.name() == machine);
        let size = size.parse().expect("a size");
        run_case(case, named.expect("a machine"), size, program);
        exit(0);
    }
    let folder = TempDir::new().expect("a temporary folder");
    let [one, two, three] = Machine::ALL.map(Machine::name);
    let title = "instructions a message";
    println!("{title:36} {one:>8} {two:>8} {three:>8} {:>8}", "at most");
    for (number, case) in CASES.iter().enumerate() {
        if !words.is_empty() && !words.iter().any(|word| case.name.contains(word.as_str())) {
            continue;
        }
        let program = case.source.map(|source| compile(source, folder.path()));
        let program = program.unwrap_or_default();
        let [small, large] = case.sizes;
        let messages = u64::from(large - small) * (case.messages)(u64::from(case.ranks));
        let [one, two, three] = Machine::ALL.map(|machine| {
            let counted = [small, large].map(|size| count(number, machine, size, &program));
            (counted[1] - counted[0]) / messages
        });
        println!("{:36} {one:>8} {two:>8} {three:>8} {:>8}", case.name, case.target);
    }
}
