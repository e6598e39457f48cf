//! The built-in programs, by name.

pub mod allgather_cube;
mod allgather_posted;
mod allgather_ring;
mod allgather_tree;
mod alltoall;
mod collectives;
mod faulty;
mod jacobi;
mod poisson;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use include_dir::{Dir, include_dir};
use mpi_api::run::Program;

use network_models::size;

use crate::error::Error;

/// Parameters of a program as given: name and value.
pub type Parameters = BTreeMap<String, String>;

/// A built-in program.
pub struct BuiltIn {
    /// Name of the program.
    pub name: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Names of the parameters with their defaults.
    pub parameters: &'static [(&'static str, usize)],
    /// Whether the number of ranks must be a power of two.
    pub power_of_two: bool,
    body: fn(&Values),
    /// Volume of a run with this many ranks.
    volume: fn(&Values, u64) -> Volume,
}

/// The amount of data and messages in a run of a program, estimated from its parameters. Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Bytes of arrays that all ranks hold at the same time, whatever data are carried.
    pub arrays: u64,
    /// Bytes of arrays that are touched only if messages carry their data.
    pub carried: u64,
    /// Number of messages.
    pub messages: u64,
    /// Elements of the largest buffer of one call, as far as it depends on the parameters and the ranks.
    pub largest: u64,
}

/// Returns the product of numbers; the largest number if it is larger.
fn product(factors: &[u64]) -> u64 {
    factors.iter().fold(1, |product: u64, factor| product.saturating_mul(*factor))
}

/// Returns the volume of an allgather that holds `copies` of its result on each rank, in `messages` messages.
fn of_allgather(values: &Values, ranks: u64, copies: u64, messages: u64) -> Volume {
    let block = values.get("blocksize") as u64;
    let carried = product(&[copies, ranks, ranks, block, 4]);
    Volume { carried, messages, ..Volume::default() }
}

/// Returns the number of messages in which each rank sends one to every other.
fn all_pairs(ranks: u64) -> u64 {
    product(&[ranks, ranks.saturating_sub(1)])
}

/// Returns the number of messages in which each rank sends one in each of log2(ranks) stages.
fn all_stages(ranks: u64) -> u64 {
    product(&[ranks, u64::from(ranks.max(2).next_power_of_two().ilog2())])
}

/// Checked parameters of a program, with defaults filled in.
#[derive(Clone, Debug)]
pub struct Values(BTreeMap<&'static str, usize>);

impl Values {
    pub(crate) fn get(&self, name: &str) -> usize {
        self.0[name]
    }
}

/// Returns all built-in programs, in the order of `windtunnel list programs`.
pub fn all() -> Vec<BuiltIn> {
    let mut programs = allgather_ring::programs();
    programs.extend(allgather_posted::programs());
    programs.extend(allgather_cube::programs());
    programs.extend(allgather_tree::programs());
    programs.extend(alltoall::programs());
    programs.extend(collectives::programs());
    programs.extend(jacobi::programs());
    programs.extend(poisson::programs());
    programs.extend(faulty::programs());
    programs
}

/// Returns the names of the parameters of a built-in program; none if there is no such program.
pub fn parameters_of(name: &str) -> Vec<&'static str> {
    let program = all().into_iter().find(|program| program.name == name);
    program.map_or(Vec::new(), |program| program.parameters.iter().map(|it| it.0).collect())
}

/// Returns whether a built-in program does nothing with the data that it receives, so that runs in which only
/// their sizes are simulated are the same.
pub fn needs_sizes_only(name: &str) -> bool {
    collectives::programs().iter().any(|program| program.name == name)
}

/// Runs a built-in program with its default parameters, as part of another program.
///
/// # Panics
/// Panics if no built-in program has this name.
pub fn by_name(name: &str) {
    let program = all().into_iter().find(|program| program.name == name);
    let program = program.expect("a built-in program");
    (program.body)(&Values(program.parameters.iter().copied().collect()));
}

/// Finds a program and checks its parameters and its number of ranks. Returns it with the volume of its run.
///
/// # Errors
/// Returns an error if there is no program of that name, or a parameter or the number of ranks does
/// not suit it.
pub fn find(name: &str, ranks: u32, parameters: &Parameters) -> Result<(Program, Volume), Error> {
    let programs = all();
    let names: Vec<&str> = programs.iter().map(|program| program.name).collect();
    let Some(program) = programs.iter().find(|program| program.name == name) else {
        if Path::new(name).is_dir() {
            return Err(Error::BadProgram {
                reason: format!("{name} is a folder, not a compiled program (no ELF file)"),
            });
        }
        return Err(Error::unknown("built-in program or file", name, names));
    };
    let mut values: BTreeMap<&'static str, usize> = program.parameters.iter().copied().collect();
    for (key, text) in parameters {
        let Some((known, _)) = program.parameters.iter().find(|(known, _)| known == key) else {
            return Err(Error::unknown("parameter", key, values.keys().copied()));
        };
        let value = size(text).and_then(|value| usize::try_from(value).ok());
        let value = value.filter(|value| (1..=1 << 26).contains(value));
        let value = value.ok_or_else(|| Error::BadValue {
            what: format!("parameter {key}"),
            value: text.clone(),
            allowed: format!("a whole number from 1 to {}, such as 4096 or 4K", 1 << 26),
        })?;
        values.insert(known, value);
    }
    if program.power_of_two && !ranks.is_power_of_two() {
        return Err(Error::RanksOfProgram {
            program: name.to_owned(),
            ranks,
            allowed: "a power of two: its algorithm pairs ranks by the bits of their numbers"
                .into(),
        });
    }
    let (values, body) = (Values(values), program.body);
    let volume = (program.volume)(&values, u64::from(ranks));
    if volume.largest > i32::MAX as u64 {
        return Err(Error::RanksOfProgram {
            program: name.to_owned(),
            ranks,
            allowed: format!(
                "fewer, or less data: a buffer of one call would have {} elements, and counts of MPI end at {}",
                volume.largest,
                i32::MAX
            ),
        });
    }
    Ok((Arc::new(move || body(&values)), volume))
}

static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/src");

/// Returns the source text of a built-in program, so that findings can show it on any computer.
pub fn source(file: &str) -> Option<&'static str> {
    let (_, inside) = file.rsplit_once("scenarios/src/").or_else(|| file.rsplit_once("src/"))?;
    SOURCES.get_file(inside)?.contents_utf8()
}
