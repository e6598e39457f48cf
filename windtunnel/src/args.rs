//! The command line as written.

use clap::{Args, Parser, Subcommand};

/// A wind tunnel for MPI programs: is it safe, how fast will it be, on which network?
#[derive(Debug, Parser)]
#[command(version, about, after_help = "Example: windtunnel check allgather-ring -n 8")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a program once: how long it takes and where the time goes.
    Run(Options),
    /// The safety verdict: deadlocks, reliance on buffering, mismatches, leaks.
    Check(Options),
    /// The same program on several topologies, ranked.
    Compare {
        /// Topologies, separated by commas.
        #[arg(long, default_value = "ring,mesh,torus,hypercube,crossbar", value_delimiter = ',')]
        topologies: Vec<String>,
        /// Numbers of ranks, separated by commas; -n alone when left out. Speed-up is counted
        /// from the smallest.
        #[arg(long, value_delimiter = ',')]
        ranks_list: Vec<u32>,
        /// Write one self-contained HTML page with the pictures.
        #[arg(long)]
        report: Option<String>,
        /// The rest.
        #[command(flatten)]
        options: Options,
    },
    /// Compile C as `windtunnel` needs it; arguments are the compiler's.
    #[command(disable_help_flag = true)]
    Cc(Words),
    /// Compile C++.
    #[command(disable_help_flag = true)]
    Cxx(Words),
    /// Compile Fortran.
    #[command(disable_help_flag = true)]
    Fc(Words),
    /// Start a compiled program as mpiexec does: -n RANKS PROGRAM ARGUMENTS [: -n ...].
    #[command(disable_help_flag = true)]
    Mpiexec(Words),
    /// The textbook's Tables 13.2 to 13.4 beside what the simulator gives.
    Validate {
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
    /// What there is.
    List {
        /// programs, machines, topologies, networks, collectives, functions or codes; all when left
        /// out.
        what: Option<String>,
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
    /// What a finding's code means.
    Explain {
        /// Such as WT0003.
        code: String,
    },
}

/// Words that are not ours to read.
#[derive(Debug, Clone, Args)]
pub struct Words {
    /// All of them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<std::ffi::OsString>,
}

/// Options of everything that simulates.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// A built-in program (see `windtunnel list programs`), or a file that `windtunnel cc`, `cxx`
    /// or `fc` has made.
    pub program: String,
    /// Arguments of a compiled program, after `--`.
    #[arg(last = true)]
    pub arguments: Vec<String>,
    /// Number of ranks.
    #[arg(short = 'n', long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1 << 22))]
    pub ranks: u32,
    /// Machine: a name or a JSON file.
    #[arg(long, default_value = "ideal")]
    pub machine: String,
    /// Topology such as mesh:8x8; sizes may be left out.
    #[arg(long)]
    pub topology: Option<String>,
    /// Network model: constant, loggp or link.
    #[arg(long)]
    pub network: Option<String>,
    /// Placement of ranks on nodes: in-order, random, random:SEED, gray or file:PATH.
    #[arg(long, default_value = "in-order")]
    pub placement: String,
    /// Ranks on each node.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub ranks_per_node: u32,
    /// Buffering of standard sends: system, infinite, zero, or bytes for each rank.
    #[arg(long, default_value = "system")]
    pub buffering: String,
    /// Longest message that is sent eagerly, bytes; the machine's when left out.
    #[arg(long)]
    pub eager_limit: Option<u64>,
    /// Algorithm of a collective (allgather=ring) or a selector (auto, textbook).
    #[arg(long)]
    pub collectives: Vec<String>,
    /// Seed of everything random.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Program parameter, key=value.
    #[arg(short = 'p', value_parser = key_value)]
    pub parameters: Vec<(String, String)>,
    /// Most events a run may have.
    #[arg(long, default_value_t = 2_000_000_000)]
    pub max_events: u64,
    /// With run: write a trace that ui.perfetto.dev opens (JSON).
    #[arg(long)]
    pub trace: Option<String>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    /// Only the verdict.
    #[arg(long)]
    pub quiet: bool,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key.into(), value.into())),
        None => Err("a parameter is written key=value".into()),
    }
}

impl Options {
    /// As the library takes it.
    pub fn request(&self) -> scenarios::scenario::Request {
        scenarios::scenario::Request {
            program: self.program.clone(),
            ranks: self.ranks,
            parameters: self.parameters.iter().cloned().collect(),
            machine: self.machine.clone(),
            topology: self.topology.clone(),
            network: self.network.clone(),
            placement: self.placement.clone(),
            ranks_per_node: self.ranks_per_node,
            buffering: self.buffering.clone(),
            eager_limit: self.eager_limit,
            collectives: self.collectives.clone(),
            seed: self.seed,
            max_events: self.max_events,
        }
    }
}
