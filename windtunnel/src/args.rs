//! The command line as written.

use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use mpi_api::policy::Strictness;
use scenarios::{
    computing::{Choice, Clocks},
    conformance,
    file::ScenarioFile,
    scenario::Request,
};
use sim_core::SimTime;

use crate::acceptance::Acceptance;

/// A wind tunnel for MPI programs: is it safe, how fast will it be, on which network?
#[derive(Debug, Parser)]
// The last of two equal options counts, as in every launcher: a wrapper script adds its own.
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
    Run(Judged),
    /// The safety verdict: deadlocks, reliance on buffering, mismatches, leaks.
    Check(Judged),
    /// The same program over a grid of topologies, ranks, machines and more, ranked.
    Compare(Grid),
    /// Compile C as `windtunnel` needs it; arguments are the compiler's.
    #[command(disable_help_flag = true)]
    Cc(Words),
    /// Compile C++.
    #[command(disable_help_flag = true)]
    Cxx(Words),
    /// Compile Fortran with gfortran: `mpif.h`, `use mpi` and `use mpi_f08` are there.
    #[command(disable_help_flag = true)]
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
    /// The textbook's Tables 13.2 to 13.4 beside what the simulator gives.
    Validate {
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
    },
    /// What there is.
    List {
        /// programs, examples, machines, topologies, networks, collectives, functions, policies or
        /// codes; all but examples and functions when left out.
        what: Option<String>,
        /// One JSON object instead of text.
        #[arg(long)]
        json: bool,
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
    #[command(hide = true)]
    Man {
        /// Write completions for this shell instead.
        #[arg(long, value_name = "SHELL")]
        completions: Option<clap_complete::Shell>,
    },
}

/// Words that are not ours to read.
#[derive(Debug, Clone, Args)]
pub struct Words {
    /// All of them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<std::ffi::OsString>,
}

/// What `compare` varies. Each list is separated by commas or given several times.
#[derive(Debug, Clone, Args)]
pub struct Grid {
    /// Topologies [default: ring,mesh,torus,hypercube,crossbar, or that of --topology].
    #[arg(long, value_delimiter = ',', conflicts_with = "topology")]
    pub topologies: Vec<String>,
    /// Numbers of ranks; -n alone when left out. Speed-up is counted from the smallest.
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true, value_parser = ranks())]
    pub ranks_list: Vec<u32>,
    /// Machines; --machine alone when left out.
    #[arg(long, value_delimiter = ',', conflicts_with = "machine")]
    pub machines: Vec<String>,
    /// Placements; --placement alone when left out.
    #[arg(long, value_delimiter = ',', conflicts_with = "placement")]
    pub placements: Vec<String>,
    /// Choices of collective algorithms, each NAME=ALGORITHM or a selector, several joined by +;
    /// --collectives alone when left out.
    #[arg(long, value_delimiter = ',')]
    pub algorithms: Vec<String>,
    /// The rest.
    #[command(flatten)]
    pub options: Options,
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
    /// Number of ranks [default: 4; of an example, the one it is written for].
    #[arg(short = 'n', long, allow_negative_numbers = true, value_parser = ranks())]
    pub ranks: Option<u32>,
    /// Machine: a name or a JSON file [default: ideal].
    #[arg(long)]
    pub machine: Option<String>,
    /// Topology such as mesh:8x8; sizes may be left out [default: the machine's].
    #[arg(long)]
    pub topology: Option<String>,
    /// Network model: constant, loggp or link [default: the machine's; link for compare].
    #[arg(long)]
    pub network: Option<String>,
    /// Placement of ranks on nodes: in-order, random, random:SEED, gray or file:PATH [default:
    /// in-order].
    #[arg(long)]
    pub placement: Option<String>,
    /// Ranks on each node [default: 1].
    #[arg(long, allow_negative_numbers = true, value_parser = ranks())]
    pub ranks_per_node: Option<u32>,
    /// Buffering of standard sends: system, infinite, zero, or bytes for each rank [default:
    /// system].
    #[arg(long, allow_negative_numbers = true)]
    pub buffering: Option<String>,
    /// Longest message that is sent eagerly, bytes [default: the machine's].
    #[arg(long, allow_negative_numbers = true)]
    pub eager_limit: Option<u64>,
    /// Algorithm of a collective (allgather=ring) or a selector (auto, textbook).
    #[arg(long, value_delimiter = ',')]
    pub collectives: Vec<String>,
    /// What holds where editions of the standard disagree, NAME=VALUE (see `windtunnel list
    /// policies`).
    #[arg(long = "policy", value_name = "NAME=VALUE", value_delimiter = ',')]
    pub policies: Vec<String>,
    /// Where common MPI libraries go on though the standard does not allow it: library goes on too,
    /// standard tells it (see `windtunnel list policies`) [default: standard for check, else library].
    #[arg(long, value_name = "WHICH")]
    pub strictness: Option<Strictness>,
    /// What holds if neither the options nor the scenario say how strict to be.
    #[arg(skip)]
    pub default_strictness: Strictness,
    /// Ranks that share an address space [default: 1].
    #[arg(long, allow_negative_numbers = true, value_parser = ranks())]
    pub ranks_per_process: Option<u32>,
    /// Ranks there may be at once when a program starts others [default: any number].
    #[arg(long, allow_negative_numbers = true, value_parser = ranks())]
    pub universe: Option<u32>,
    /// Seed of everything random [default: 0].
    #[arg(long, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Program parameter, key=value.
    #[arg(short = 'p', value_parser = key_value)]
    pub parameters: Vec<(String, String)>,
    /// Stack of each rank, such as 64M; units K, M, G, or none for bytes [default: 8M, less for more
    /// than 256 ranks].
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub stack_size: Option<u64>,
    /// Most events a run may have [default: 2000000000].
    #[arg(long, allow_negative_numbers = true)]
    pub max_events: Option<u64>,
    /// Most simulated time a run may take, such as 10ms; units s, ms, us, ns.
    #[arg(long, allow_hyphen_values = true, value_parser = duration)]
    pub max_time: Option<SimTime>,
    /// How long programs compute between calls: modelled (as they declare), measured or
    /// measured:FACTOR (the processor time it takes here, multiplied; no two runs are alike), or
    /// recorded:FILE (as in the file, which is measured and written if it is not there) [default:
    /// modelled].
    #[arg(long, value_name = "HOW")]
    pub compute: Option<Choice>,
    /// Clocks that a program sees, sleeping included: simulated or host (no two runs are
    /// alike) [default: simulated].
    #[arg(long, value_name = "WHICH")]
    pub clocks: Option<Clocks>,
    /// Most time that the command may take on this machine, such as 30s or 5min; then it ends with
    /// what is known by then.
    #[arg(long, value_name = "TIME", value_parser = wall_time)]
    pub max_wall: Option<Duration>,
    /// Of check and compare: keep the files that each execution has written, in a folder each
    /// below this one [default: windtunnel-files].
    #[arg(
        long, value_name = "FOLDER", num_args = 0..=1, require_equals = true,
        default_missing_value = "windtunnel-files"
    )]
    pub keep_files: Option<String>,
    /// Write a trace that ui.perfetto.dev opens (JSON); of check, the run with zero buffering.
    #[arg(long, value_name = "FILE")]
    pub trace: Option<String>,
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

/// Processor time that this thread has used.
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

fn ranks() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1 << 22)
}

fn key_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key.into(), value.into())),
        None => Err("a parameter is written key=value".into()),
    }
}

/// A time with its unit, to the picosecond.
fn duration(text: &str) -> Result<SimTime, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &text[digits.len()..] {
        "s" => 1e12,
        "ms" => 1e9,
        "us" => 1e6,
        "ns" => 1e3,
        _ => return Err("a time is written with its unit: 2s, 10ms, 5us or 100ns".into()),
    };
    match digits.parse::<f64>() {
        Ok(value) if value > 0.0 && value * scale < 1.8e19 => {
            Ok(SimTime::from_ps((value * scale).round() as u64))
        }
        _ => Err("a time is more than 0 and at most 18000000s".into()),
    }
}

/// A time of the host with its unit.
fn wall_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &text[digits.len()..] {
        "h" => 3600.0,
        "min" | "m" => 60.0,
        "s" | "" => 1.0,
        "ms" => 1e-3,
        _ => return Err("a time is written with its unit: 2h, 5min, 30s or 500ms".into()),
    };
    match digits.parse::<f64>() {
        Ok(value) if value > 0.0 && value * scale <= 1e9 => {
            Ok(Duration::from_secs_f64(value * scale))
        }
        _ => Err("a time is more than 0 and at most 1000000000s".into()),
    }
}

/// A number of bytes, with or without a unit.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match &text[digits.len()..] {
        "" | "B" => 1,
        "K" | "KiB" => 1 << 10,
        "M" | "MiB" => 1 << 20,
        "G" | "GiB" => 1 << 30,
        _ => 0,
    };
    let bytes = digits.parse::<u64>().ok().and_then(|count| count.checked_mul(unit));
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "a size is a number with K, M, G or no unit: 64M, 512K, 1048576".into())
}

/// Number of ranks when nothing is said.
const RANKS: u32 = 4;

impl Options {
    /// With the strictness of MPI libraries if nothing else is said.
    #[must_use]
    pub fn as_libraries(self) -> Self {
        Self { default_strictness: Strictness::Library, ..self }
    }

    /// As the library takes it: a scenario file gives what the options leave open.
    pub fn request(&self, program: &str, file: Option<ScenarioFile>) -> Request {
        let name = file.as_ref().map_or(program, |file| &file.program);
        let usual = conformance::ranks_of(name).and_then(|ranks| ranks.first().copied());
        let ranks = usual.unwrap_or(RANKS);
        let mut request = match file {
            Some(file) => file.request(ranks),
            None => Request::new(program, ranks),
        };
        request.ranks = self.ranks.unwrap_or(request.ranks);
        request.parameters.extend(self.parameters.iter().cloned());
        set(&mut request.machine, &self.machine);
        request.topology = self.topology.clone().or(request.topology);
        request.network = self.network.clone().or(request.network);
        set(&mut request.placement, &self.placement);
        set(&mut request.ranks_per_node, &self.ranks_per_node);
        set(&mut request.buffering, &self.buffering);
        request.eager_limit = self.eager_limit.or(request.eager_limit);
        // Later choices win, so what stands on the command line comes last.
        request.collectives.extend(self.collectives.iter().cloned());
        request.policies.extend(self.policies.iter().cloned());
        let strictness = self.strictness.or(request.strictness);
        request.strictness = Some(strictness.unwrap_or(self.default_strictness));
        set(&mut request.ranks_per_process, &self.ranks_per_process);
        request.universe = self.universe.or(request.universe);
        set(&mut request.seed, &self.seed);
        request.stack_size = self.stack_size.or(request.stack_size);
        request.arguments.clone_from(&self.arguments);
        set(&mut request.max_events, &self.max_events);
        set(&mut request.max_time, &self.max_time);
        set(&mut request.compute, &self.compute);
        set(&mut request.clocks, &self.clocks);
        request.clock = Some(thread_time);
        request
    }
}

fn set<T: Clone>(place: &mut T, given: &Option<T>) {
    if let Some(value) = given {
        *place = value.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!((size("64M"), size("2KiB"), size("3")), (Ok(64 << 20), Ok(2048), Ok(3)));
        for wrong in ["", "M", "1T", "-1", "0", "1.5M", "99999999999G", "1 M"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_have_units() {
        assert_eq!(duration("10ms"), Ok(SimTime::from_ps(10_000_000_000)));
        assert_eq!(duration("1.5us"), Ok(SimTime::from_ps(1_500_000)));
        for wrong in ["10", "ms", "-1ms", "0s", "1h", "1e30s", "", "NaNs", "infs"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
