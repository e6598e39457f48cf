//! The options of the command line, as clap parses them.

use std::{ops::RangeInclusive, path::PathBuf, time::Duration};

use clap::{Args, Parser, Subcommand};
use mpi_api::policy::Strictness;
use scenarios::{
    calibration::reading::TimeUnit,
    computing::Clock,
    error::Error,
    options::{self, RankCount, size_of_any, whole_number},
    safety::{Budget, Schedule},
    scenario::Request,
    traffic::{MEASURED, MESSAGE_BYTES, WARM_UP},
};

use crate::{
    acceptance::Acceptance,
    formats::Format,
    lines::Lines,
    memory,
    ranges::{descending, multiples, shown},
    scheduling,
    spans::{Ranks, Share, Window},
};

/// A wind tunnel for MPI programs: is it safe, how fast will it be, on which network?
#[derive(Debug, Parser)]
// The last of two equal options counts, as in other launchers: wrapper scripts append their own.
#[command(version, about, args_override_self = true)]
#[command(after_help = "Example: windtunnel check allgather-ring -n 8")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a program once: how long it takes and where the time goes.
    Run(Repeated),
    /// Run a recording (run --record), a schedule in GOAL or a time-independent trace of SimGrid on
    /// any machine.
    #[command(
        after_help = "Example: windtunnel run allgather-ring -n 64 --record ring.rec\n         \
                      windtunnel replay ring.rec --machine aries",
        mut_arg("program", |argument| {
            argument.value_name("FILE").required(true).help(
                "A recording, a schedule in GOAL, or a time-independent trace (or a list of its \
                 files); of traces, -p flops_per_s=RATE is the speed of a processor [default: 1e9]",
            )
        }),
        // Positional arguments have the order in which they were last changed.
        mut_arg("arguments", |argument| argument.hide(true)),
        mut_arg("ranks", |argument| argument.help("Number of ranks: that of the file, and no other")),
        mut_arg("keep_files", |argument| argument.hide(true))
    )]
    Replay(Repeated),
    /// The safety verdict: deadlocks, reliance on buffering, mismatches, leaks.
    // The check tries all buffering itself, and refuses options that choose one.
    #[command(
        mut_arg("buffering", |argument| argument.hide(true)),
        mut_arg("eager_limit", |argument| argument.hide(true))
    )]
    Check(Checked),
    /// The same program over a grid of topologies, ranks, machines and more, ranked.
    Compare(Grid),
    /// The best settings of a program: algorithms of collectives, eager limit and placement, found by
    /// running it.
    #[command(
        after_help = "Example: windtunnel tune allreduce -n 64 --machine infiniband-hdr -p bytes=65536"
    )]
    Tune(Tune),
    /// A study (FILE.json): one program in many configurations, over all processors or as jobs of Slurm;
    /// each result is kept, and a study that was stopped goes on.
    #[command(after_help = "Example: windtunnel sweep study.json --csv results.csv")]
    Sweep(Sweep),
    /// Two results of `run --json`, or of `compare --json`, compared: what was set up differently, and what
    /// came of it.
    #[command(after_help = "Example: windtunnel run allreduce --json > a.json\n         \
                      windtunnel run allreduce --machine aries --json > b.json\n         \
                      windtunnel diff a.json b.json")]
    Diff(Diff),
    /// Compile C as `windtunnel` needs it; arguments are the compiler's.
    #[command(disable_help_flag = true)]
    Cc(Words),
    /// Compile C++.
    #[command(disable_help_flag = true, visible_alias = "c++")]
    Cxx(Words),
    /// Compile Fortran with gfortran: `mpif.h`, `use mpi` and `use mpi_f08` are there.
    #[command(disable_help_flag = true, visible_aliases = ["fortran", "f90"])]
    Fc(Words),
    /// Start a compiled program as mpiexec does: -n RANKS PROGRAM ARGUMENTS [: -n ...].
    #[command(disable_help_flag = true)]
    Mpiexec(Words),
    /// As mpiexec, with the options of Slurm's srun.
    #[command(disable_help_flag = true)]
    Srun(Words),
    /// Link this program as mpicc, mpicxx, mpifort, mpiexec, srun and so on in a folder, for build
    /// systems: called by such a name it acts as cc, cxx, fc, mpiexec or srun.
    Wrappers {
        /// Where; it is made if it is not there.
        folder: std::path::PathBuf,
    },
    /// Networks under synthetic traffic: latency and throughput by offered load.
    #[command(after_help = "Example: windtunnel traffic --topology torus:8x8 --pattern tornado")]
    Traffic(Traffic),
    /// A machine file from the output of benchmarks: OSU, Intel MPI Benchmarks, NetPIPE, or tables
    /// of size and time.
    ///
    /// Each fitted value is printed with its 95 % interval. Warnings name those that the measurements do not determine,
    /// and measurements that say nothing end the command with exit code 2.
    #[command(
        after_help = "Example: windtunnel calibrate osu_latency.txt osu_bw.txt --name mycluster"
    )]
    Calibrate(Calibrate),
    /// The textbook's Tables 13.2 to 13.4 and other published measurements beside what the simulator
    /// gives, with errors.
    Validate {
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
    /// What there is.
    List {
        /// Which list; all when left out, of examples and functions the number only.
        #[arg(value_enum)]
        what: Option<List>,
        /// Of functions: those that this edition of the standard has, such as 3.1, with the ones that
        /// it deprecates.
        #[arg(long, value_name = "EDITION")]
        edition: Option<String>,
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
    /// Machine files: the names of the built-in ones, or one of them to start a file of one's own.
    #[command(after_help = "Example: windtunnel machine show infiniband-hdr > my.json")]
    Machine {
        /// What to print.
        #[command(subcommand)]
        what: MachineCommand,
    },
    /// The JSON Schema of what `--json` prints and of the files that are read.
    Schema {
        /// run, check, checks, compare, tune, diff, sweep, results, traffic, calibrate, validate, study, scenario, machine or
        /// prices. Without a name: the names.
        name: Option<String>,
    },
    /// What a finding's code means, with a wrong and a right program.
    Explain {
        /// Such as WT0003.
        code: String,
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
    /// The manual page (roff), or completions for a shell.
    #[command(after_help = "Example: windtunnel man --completions bash > windtunnel.bash")]
    Man {
        /// Write completions for this shell instead.
        #[arg(long, value_name = "SHELL")]
        completions: Option<clap_complete::Shell>,
    },
}

/// The commands of `machine`.
#[derive(Debug, Subcommand)]
pub enum MachineCommand {
    /// Print the file of a machine, which --machine FILE.json accepts.
    Show {
        /// Name of a built-in machine.
        name: String,
    },
    /// The built-in machines.
    List {
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
}

/// Words that are not ours to read.
#[derive(Debug, Clone, Args)]
pub struct Words {
    /// All of them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<std::ffi::OsString>,
}

/// What `compare` varies. Each list is separated by commas or given several times; a value that contains a comma is
/// in double quotes.
#[derive(Debug, Clone, Args)]
pub struct Grid {
    /// Topologies [default: ring,mesh,torus,hypercube,crossbar, or that of --topology].
    /// A value that contains a comma is in double quotes, here and in the lists below.
    #[arg(long, conflicts_with = "topology")]
    pub topologies: Vec<String>,
    /// Numbers of ranks, or ranges such as 4..64 (4, 8, 16, 32 and 64); -n alone when left out. Speed-up is
    /// counted from the smallest.
    #[arg(long, value_delimiter = ',', value_parser = rank_counts, allow_negative_numbers = true)]
    pub ranks_list: Vec<RankCounts>,
    /// Machines; --machine alone when left out.
    #[arg(long, conflicts_with = "machine")]
    pub machines: Vec<String>,
    /// Network models, such as loggp,link,fluid,packet; --network alone when left out. What they differ
    /// by is shown as the spread of each configuration.
    #[arg(long, conflicts_with = "network")]
    pub networks: Vec<String>,
    /// Placements; --placement alone when left out.
    #[arg(long, conflicts_with = "placement")]
    pub placements: Vec<String>,
    /// Choices of collective algorithms, each NAME=ALGORITHM or a selector, several joined by +;
    /// --collectives alone when left out.
    #[arg(long)]
    pub algorithms: Vec<String>,
    /// Any other axis, NAME=VALUE,VALUE...; may be given several times, and two that vary make a table
    /// of two axes. Names: ranks, topology, machine, network, placement, collectives,
    /// collectives.NAME (`all` for every algorithm), eager-limit, buffering, ranks-per-node,
    /// ranks-per-socket, seed, noise, background, args (quoted if they contain a comma), p.NAME or NAME
    /// for a parameter, and any number of the machine such as network.latency_ns, absolute or as a
    /// factor (x0.5); latency, bandwidth, gap, overhead and link:A-B by factors. Sizes have units (8K), and
    /// 8..64K doubles, 8..64Kx4 quadruples, up to 64 values.
    #[arg(long = "axis", value_name = "NAME=VALUES")]
    pub axes: Vec<String>,
    /// The work grows with the ranks: efficiency is the run time with the fewest ranks over the run time.
    #[arg(long)]
    pub weak: bool,
    /// Unit prices of switches, adapters and cables (see `windtunnel schema prices`); without them
    /// networks cost relative units.
    #[arg(long, value_name = "FILE.json")]
    pub prices: Option<String>,
    /// The rest.
    #[command(flatten)]
    pub options: Options,
}

/// Options of `tune`.
#[derive(Debug, Clone, Args)]
pub struct Tune {
    /// A setting to tune besides the usual ones, or instead of the one of the same name,
    /// NAME=VALUE,VALUE... as for `compare --axis`; may be given several times.
    #[arg(long = "axis", value_name = "NAME=VALUES")]
    pub axes: Vec<String>,
    /// Most combinations that are tried; all are if there are no more.
    #[arg(
        long, value_name = "N", default_value_t = 200, allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    pub budget: u32,
    /// The rest.
    #[command(flatten)]
    pub options: Options,
}

/// Options of `sweep`.
#[derive(Debug, Clone, Args)]
pub struct Sweep {
    /// The study: a scenario, the axes on which configurations differ, and which of them are run.
    #[arg(value_name = "STUDY.json")]
    pub study: String,
    /// File to which each result is appended, a line of JSON each [default: STUDY.results.jsonl].
    #[arg(long, value_name = "FILE")]
    pub out: Option<String>,
    /// Write all results as a table, in order of their numbers.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<String>,
    /// Write the same table as Parquet, with typed columns; only in builds with the feature `parquet`.
    #[arg(long, value_name = "FILE")]
    pub parquet: Option<String>,
    /// Run one share of the study, the K-th of N from 0 on, into a file of its own beside the results;
    /// a run without a share takes over what the shares have done.
    #[arg(long, value_name = "K/N", value_parser = Share::parse)]
    pub share: Option<Share>,
    /// Submit the study to Slurm, as an array of this many jobs and one that gathers their results.
    #[arg(
        long, value_name = "JOBS", allow_negative_numbers = true, conflicts_with = "share",
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub slurm: Option<u32>,
    /// An option for sbatch, such as --slurm-option=--time=1:00:00; may be given several times.
    #[arg(
        long = "slurm-option",
        value_name = "OPTION",
        requires = "slurm",
        allow_hyphen_values = true
    )]
    pub slurm_options: Vec<String>,
    /// Most time that the command may take on this machine, such as 30s or 5min; the same command
    /// then goes on.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = scheduling::wall_time)]
    pub max_wall: Option<Duration>,
    /// Most memory that a run may take, such as 512MB or 4GiB; configurations that take more are left for
    /// another time [default: an equal share of what this machine has left].
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = memory::size)]
    pub max_memory: Option<u64>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    /// No text.
    #[arg(long)]
    pub quiet: bool,
}

/// Options of `diff`.
#[derive(Debug, Clone, Args)]
pub struct Diff {
    /// The first result.
    #[arg(value_name = "A.json")]
    pub first: String,
    /// The second result.
    #[arg(value_name = "B.json")]
    pub second: String,
    /// Write one self-contained HTML page.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<String>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Options of `traffic`. Lists are separated by commas or given several times; a value that contains a comma is in
/// double quotes.
#[derive(Debug, Clone, Args)]
pub struct Traffic {
    /// Topologies, such as torus:8x8; one that contains a comma is in double quotes.
    #[arg(long, default_value = "torus")]
    pub topology: Vec<String>,
    /// Network models (see `windtunnel list networks`).
    #[arg(long, default_value = "packet")]
    pub network: Vec<String>,
    /// Machine: a name or a JSON file.
    #[arg(long, default_value = "infiniband-hdr")]
    pub machine: String,
    /// Number of nodes of topologies without sizes [default: 64].
    #[arg(long, allow_negative_numbers = true, value_parser = nodes)]
    pub nodes: Option<RankCount>,
    /// Who sends to whom: uniform, transpose, bit-complement, bit-reverse, shuffle, tornado,
    /// neighbor, hotspot, permutation or next-group.
    #[arg(long, default_value = "uniform")]
    pub pattern: String,
    /// Let nodes send to themselves, too, where the pattern says so: through their own routers under
    /// `flit`, past the network under the other models.
    #[arg(long)]
    pub include_self: bool,
    /// Offered loads, as shares of the rate of a port: a number, or a range A..B of ten loads.
    #[arg(
        long, value_delimiter = ',', default_value = "0.1..1.0", value_parser = loads,
        allow_hyphen_values = true
    )]
    pub load: Vec<Loads>,
    /// Size of each message: bytes, or with a unit as in 64K.
    #[arg(
        long, value_name = "SIZE", default_value = "4096", value_parser = message_bytes,
        allow_negative_numbers = true
    )]
    pub bytes: u64,
    /// Length of the time before messages are measured, in times of a message.
    #[arg(long, default_value_t = 500, allow_negative_numbers = true, value_parser = warm_up)]
    pub warm_up: u32,
    /// Length of the time in which messages are measured, in times of a message.
    #[arg(long, default_value_t = 1000, allow_negative_numbers = true, value_parser = measured)]
    pub measured: u32,
    /// Seed of everything random.
    #[arg(long, default_value_t = 0, allow_negative_numbers = true, value_parser = whole_number)]
    pub seed: u64,
    /// Draw latency and throughput (SVG).
    #[arg(long, value_name = "FILE.svg")]
    pub picture: Option<String>,
    /// Most time that the command may take on this machine, such as 30s or 5min; then it ends with
    /// what is known by then.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = scheduling::wall_time)]
    pub max_wall: Option<Duration>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Options of `calibrate`.
#[derive(Debug, Clone, Args)]
pub struct Calibrate {
    /// Files with the output of benchmarks, in any order: osu_latency, osu_bw, osu_mbw_mr,
    /// osu_bibw, osu_multi_lat and collectives; IMB-MPI1; NetPIPE; size,time.
    #[arg(required = true)]
    pub files: Vec<String>,
    /// Name of the machine.
    #[arg(long)]
    pub name: String,
    /// The machine file to write [default: NAME.json].
    #[arg(short = 'o', long, value_name = "FILE.json")]
    pub output: Option<String>,
    /// Topology between the nodes on which was measured, and the machine's own.
    #[arg(long, default_value = "crossbar")]
    pub topology: String,
    /// Network model with which measurements are compared, and the machine's own.
    #[arg(long, default_value = "link")]
    pub network: String,
    /// Ranks of collectives, of which OSU prints nothing.
    #[arg(long, allow_negative_numbers = true)]
    pub ranks: Option<RankCount>,
    /// Pairs of osu_multi_lat, which does not print them.
    #[arg(long, allow_negative_numbers = true)]
    pub pairs: Option<RankCount>,
    /// Ranks on each node in benchmarks of more than two ranks [default: each half of several pairs
    /// on one node; collectives one rank on each].
    #[arg(long, allow_negative_numbers = true)]
    pub ranks_per_node: Option<RankCount>,
    /// Eager limit of the MPI library, if it is known: bytes, or with a unit as in 16K [default: found as
    /// a break of the ping-pong].
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = eager_limit)]
    pub eager_limit: Option<u64>,
    /// Unit of the times in tables of size and time whose header names none: s, ms, us or ns.
    #[arg(long, value_name = "UNIT", value_parser = time_unit)]
    pub time_unit: Option<TimeUnit>,
    /// Write one self-contained HTML page with measured and fitted curves.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<String>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

fn nodes(text: &str) -> Result<RankCount, String> {
    let most = RankCount::MAX;
    text.parse().map_err(|_| format!("allowed is 1 to {most} nodes"))
}

fn message_bytes(text: &str) -> Result<u64, String> {
    let (least, most) = MESSAGE_BYTES.into_inner();
    let size = size_of_any(text).ok().filter(|bytes| MESSAGE_BYTES.contains(bytes));
    size.ok_or_else(|| format!("allowed is {least} to {most} bytes, with a unit or none: 64K, 1MB"))
}

fn warm_up(text: &str) -> Result<u32, String> {
    message_times(text, WARM_UP)
}

fn measured(text: &str) -> Result<u32, String> {
    message_times(text, MEASURED)
}

fn message_times(text: &str, allowed: RangeInclusive<u32>) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| allowed.contains(count));
    let told = || format!("allowed is {} to {} message times", allowed.start(), allowed.end());
    count.ok_or_else(told)
}

/// Largest eager limit that can be given to `calibrate`, in bytes.
const EAGER_LIMIT_MAX: u64 = 1_000_000_000_000;

fn eager_limit(text: &str) -> Result<u64, String> {
    let bytes = size_of_any(text)?;
    let most = || format!("an eager limit is at most {EAGER_LIMIT_MAX} bytes");
    Some(bytes).filter(|bytes| *bytes <= EAGER_LIMIT_MAX).ok_or_else(most)
}

fn time_unit(word: &str) -> Result<TimeUnit, String> {
    let found = TimeUnit::ALL.into_iter().find(|(known, _)| *known == word);
    found.map(|(_, unit)| unit).ok_or_else(|| "a unit of time is s, ms, us or ns".to_owned())
}

impl Grid {
    /// Returns the numbers of ranks of `--ranks-list`.
    pub fn ranks(&self) -> impl Iterator<Item = RankCount> {
        self.ranks_list.iter().flat_map(|counts| counts.0.iter().copied())
    }
}

/// Numbers of ranks: one, or those of a range.
#[derive(Debug, Clone)]
pub struct RankCounts(Vec<RankCount>);

/// Parses a number of ranks, or a range of them.
fn rank_counts(text: &str) -> Result<RankCounts, Error> {
    let Some(numbers) = multiples("ranks", text)? else {
        return Ok(RankCounts(vec![text.parse()?]));
    };
    let count = |number: u64| match u32::try_from(number) {
        Ok(number) => RankCount::try_from(number),
        Err(_) => shown(number).parse(),
    };
    Ok(RankCounts(numbers.into_iter().map(count).collect::<Result<_, _>>()?))
}

/// Offered loads.
#[derive(Debug, Clone)]
pub struct Loads(pub Vec<f64>);

/// Parses a load, or a range of ten of them.
fn loads(text: &str) -> Result<Loads, String> {
    let number = |text: &str| match text.parse::<f64>() {
        Ok(load) if load > 0.0 && load <= 1.0 => Ok(load),
        _ => Err("a load is more than 0 and at most 1; a range of them is 0.1..1.0".to_owned()),
    };
    let Some((first, last)) = text.split_once("..") else {
        return Ok(Loads(vec![number(text)?]));
    };
    let (first, last) = (number(first)?, number(last)?);
    if last <= first {
        return Err(descending(&last.to_string(), &first.to_string()));
    }
    // Rounded, so that 0.1..1.0 contains 0.3 and not 0.30000000000000004.
    let step = |step: u32| first + (last - first) * f64::from(step) / 9.0;
    Ok(Loads((0..10).map(|number| (step(number) * 1e6).round() / 1e6).collect()))
}

/// Options of commands whose exit code tells of findings.
#[derive(Debug, Clone, Args)]
pub struct Judged {
    /// What is run.
    #[command(flatten)]
    pub options: Options,
    /// Which findings count.
    #[command(flatten)]
    pub acceptance: Acceptance,
    /// Run one execution of a check again, as the schedule of a finding describes it; or the name of a
    /// file that holds it.
    #[arg(long, value_name = "SCHEDULE", value_parser = scheduling::schedule)]
    pub schedule: Option<Schedule>,
}

/// The lists that `list` prints.
// A comment of a value would make clap print the values one a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[expect(missing_docs, reason = "each holds what its name says")]
pub enum List {
    Programs,
    Examples,
    Machines,
    Topologies,
    Networks,
    Routings,
    Collectives,
    Selectors,
    Functions,
    Policies,
    Codes,
}

/// What `check` tells only if it is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Extra {
    /// Tags above 32767, the order of starts in MPI_Startall, levels of threads that are not compared, reading
    /// what is being sent, and collectives that must synchronise.
    Portability,
}

/// Options of `check`.
#[derive(Debug, Clone, Args)]
pub struct Checked {
    /// What is checked, and which findings count.
    #[command(flatten)]
    pub judged: Judged,
    /// How far the orders of matches are followed: a number of executions, or a time on this machine
    /// such as 60s [default: 256, fewer if there are very many events].
    #[arg(
        long, value_name = "N|TIME", allow_negative_numbers = true, value_parser = scheduling::budget,
        conflicts_with = "schedule"
    )]
    pub budget: Option<Budget>,
    /// Format of the results.
    #[arg(long, value_enum, conflicts_with_all = ["json", "quiet"])]
    pub format: Option<Format>,
    /// Also tell, as notes, what is right here and need not be with every library of MPI.
    #[arg(short = 'W', value_name = "WHICH", value_enum, conflicts_with = "schedule")]
    pub warn: Vec<Extra>,
    /// Check with each of these numbers of ranks; `-n 2,4,8` is the same.
    #[arg(
        long, value_name = "RANKS", allow_negative_numbers = true, value_delimiter = ',',
        conflicts_with_all = ["ranks", "schedule"]
    )]
    pub sizes: Vec<RankCount>,
    /// Check again whenever a program or a library has been built in this folder or below it, until
    /// Ctrl-C.
    #[arg(long, value_name = "FOLDER")]
    pub watch: Option<PathBuf>,
}

/// Options of `run`.
#[derive(Debug, Clone, Args)]
pub struct Repeated {
    /// What is run, and which findings count.
    #[command(flatten)]
    pub judged: Judged,
    /// Run this many times, with consecutive seeds from --seed on: mean, median and confidence of the
    /// makespan.
    #[arg(
        long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub repeat: Option<u32>,
    /// Where the time went: wait states, the N call sites that take longest (all: each), collectives,
    /// message sizes; and what the network alone costs, by a second run on an ideal network.
    #[arg(
        long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "10",
        value_parser = Lines::parse
    )]
    pub(crate) profile: Option<Lines>,
    /// What would change the run time: the run again with each of latency, bandwidth, overheads, the eager
    /// limit and the busiest link halved and doubled, with every algorithm of its collectives, and with
    /// other placements. With SETTING=VALUE,VALUE... only these, as for `compare --axis`; may be given
    /// several times.
    #[arg(
        long, value_name = "SETTING=VALUES", num_args = 0..=1, default_missing_value = "",
        allow_negative_numbers = false
    )]
    pub(crate) what_if: Vec<String>,
    /// Start gdb, which stops at the first finding's call of this rank, with the symbols of the program; at
    /// `main` if nothing is found.
    #[arg(
        long, value_name = "RANK", allow_negative_numbers = true, value_parser = clap::value_parser!(u32),
        conflicts_with_all = [
            "json", "quiet", "report", "trace", "record", "repeat", "profile", "what_if",
        ]
    )]
    pub(crate) gdb: Option<u32>,
}

impl Repeated {
    /// Returns these options with the program that follows `--what-if`, if a word without a value does and
    /// no other program is named.
    #[must_use]
    pub(crate) fn with_program(mut self) -> Self {
        let program = &mut self.judged.options.program;
        for word in &mut self.what_if {
            if program.is_none() && !word.is_empty() && !word.contains('=') {
                *program = Some(std::mem::take(word));
            }
        }
        self
    }
}

/// Options of everything that simulates.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// A built-in program (see `windtunnel list programs`), a scenario (FILE.json), or a file that
    /// `windtunnel cc`, `cxx` or `fc` has made.
    pub program: Option<String>,
    /// Arguments of the program, after `--`: of a compiled one, or of a function that asks for
    /// `windtunnel::arguments()`.
    #[arg(last = true)]
    pub arguments: Vec<String>,
    /// What is asked of the simulation.
    #[command(flatten)]
    pub asked: options::Options,
    /// What holds if neither the options nor the scenario say how strict to be.
    #[arg(skip)]
    pub default_strictness: Strictness,
    /// Most time that the command may take on this machine, such as 30s or 5min; then it ends with
    /// what is known by then.
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, value_parser = scheduling::wall_time)]
    pub max_wall: Option<Duration>,
    /// Most memory that a run may take on this machine, such as 512MB or 4GiB: a run that would take more is
    /// not started, and one that does is stopped [default: what this machine has left].
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = memory::size)]
    pub max_memory: Option<u64>,
    /// Of check, compare and tune: keep the files that each execution has written, in a folder each
    /// below this one [default: windtunnel-files].
    #[arg(
        long, value_name = "FOLDER", num_args = 0..=1, require_equals = true,
        default_missing_value = "windtunnel-files"
    )]
    pub keep_files: Option<String>,
    /// Write a trace that ui.perfetto.dev opens (JSON; compressed if the name ends in .gz); of check,
    /// the execution of the first finding, or the one without buffering.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<String>,
    /// Trace only what overlaps with this window of simulated time, such as 1ms..2.5ms.
    #[arg(
        long, value_name = "FROM..TO", requires = "trace", allow_negative_numbers = true,
        value_parser = Window::parse
    )]
    pub trace_window: Option<Window>,
    /// Trace only these ranks and the messages between them, such as 0,4..7.
    #[arg(long, value_name = "RANKS", requires = "trace", allow_negative_numbers = true, value_parser = Ranks::parse)]
    pub trace_ranks: Option<Ranks>,
    /// Of run, replay and mpiexec: record the calls of the run, for `windtunnel replay`.
    #[arg(long, value_name = "FILE")]
    pub record: Option<String>,
    /// Write one self-contained HTML page with the pictures.
    #[arg(long, value_name = "FILE")]
    pub report: Option<String>,
    /// One JSON object instead of text.
    #[arg(long)]
    pub json: bool,
    /// Only the verdict, the makespan or the ranking; what makes the exit code 1 is told in one line
    /// each on standard error.
    #[arg(long)]
    pub quiet: bool,
}

/// Returns the processor time that the calling thread has used.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Number of ranks if neither the options nor the scenario give one.
pub(crate) const RANKS: u32 = 4;

impl Options {
    /// Returns these options with `--strictness library` as the default.
    #[must_use]
    pub fn as_libraries(self) -> Self {
        Self { default_strictness: Strictness::Library, ..self }
    }

    /// Returns the request for the library. Options of `file`, a scenario file, apply where the
    /// command line leaves them open.
    pub fn request(&self, program: &str, file: Option<options::Options>) -> Request {
        let asked = self.asked.clone().or(file.unwrap_or_default());
        let name = asked.program.as_deref().unwrap_or(program);
        let usual = conformance::ranks_of(name).and_then(|ranks| ranks.first().copied());
        let mut request = asked.request(program, usual.unwrap_or(RANKS));
        request.strictness = Some(request.strictness.unwrap_or(self.default_strictness));
        if !self.arguments.is_empty() {
            request.arguments.clone_from(&self.arguments);
        }
        request.clock = Some(Clock(thread_time));
        request
    }
}
