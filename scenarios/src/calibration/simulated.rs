//! The benchmarks as programs of the simulator, so that measured and simulated times are times of
//! the same calls.

use std::sync::{Arc, Mutex};

use mpi_api::api::{
    collective::SystemOperation, initialize, point_to_point::send_receive_into,
    request::multiple_scope, topology::SimpleCommunicator, traits::*,
};

use super::measurement::{Benchmark, Collective};
use crate::{error::Error, machine::Machine, scenario::Request};

/// Repetitions before the measured ones.
const WARM_UP: u32 = 1;
/// Measured windows of streams, in which pairs begin at the same time; the first of them differs a
/// little from others. Other benchmarks are measured once: runs are deterministic.
const WINDOWS: u32 = 4;
/// Most bytes in a window between two ranks. The time of a window of more bytes is extrapolated from
/// two shorter ones: it is a constant and a time for each message.
const WINDOW_BYTES: u64 = 16 << 20;
/// Most bytes in the windows of several pairs, whose times are not so simple.
const WINDOWS_BYTES: u64 = 64 << 20;
/// Fewest messages in the longer of these two windows.
const SHORTENED: u32 = 4;
/// Most bytes of data in one call of a collective, all ranks together.
const COLLECTIVE_BYTES: u64 = 256 << 20;

/// The platform on which benchmarks are simulated.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Topology; `None` for the machine's.
    pub topology: Option<String>,
    /// Network model; `None` for the machine's.
    pub network: Option<String>,
    /// Number of ranks on each node.
    pub ranks_per_node: u32,
}

/// Simulates a benchmark and returns the time for each size, nanoseconds; `None` for sizes that
/// are too large to be simulated.
///
/// Determinism: depends on the arguments only.
///
/// # Errors
/// Returns an error if the platform does not fit the number of ranks.
pub fn times(
    machine: &Machine,
    platform: &Platform,
    benchmark: Benchmark,
    sizes: &[u64],
) -> Result<Vec<Option<f64>>, Error> {
    let ranks = benchmark.ranks();
    let fits = |bytes: u64| is_simulated(benchmark, bytes);
    let simulated: Vec<u64> = sizes.iter().copied().filter(|bytes| fits(*bytes)).collect();
    let sums = Arc::new(Mutex::new(vec![0.0; simulated.len()]));
    let mut request = Request::new("a benchmark", ranks);
    request.topology.clone_from(&platform.topology);
    request.network.clone_from(&platform.network);
    request.ranks_per_node = platform.ranks_per_node;
    let (program_sizes, program_sums) = (simulated.clone(), Arc::clone(&sums));
    let program = move || run(benchmark, &program_sizes, &program_sums);
    request.resolve_on(machine.clone(), Arc::new(program))?.run(None)?;
    let sums = sums.lock().expect("no rank panics").clone();
    let mut found = simulated.into_iter().zip(sums);
    let time = |bytes: &u64| {
        if !fits(*bytes) {
            return None;
        }
        found.next().map(|(_, sum)| sum * 1e9)
    };
    Ok(sizes.iter().map(time).collect())
}

/// Returns whether a size is small enough to be simulated.
pub fn is_simulated(benchmark: Benchmark, bytes: u64) -> bool {
    let (count, most) = match benchmark {
        Benchmark::Collective {
            operation: Collective::AllToAll | Collective::AllGather,
            ranks,
        } => (u64::from(ranks).pow(2), COLLECTIVE_BYTES),
        Benchmark::Stream { pairs, window } if pairs > 1 => {
            (u64::from(pairs) * u64::from(window), WINDOWS_BYTES)
        }
        Benchmark::PingPong { .. }
        | Benchmark::Stream { .. }
        | Benchmark::BothWays { .. }
        | Benchmark::Chain { .. }
        | Benchmark::Neighbours { .. }
        | Benchmark::Collective { .. } => (u64::from(benchmark.ranks()), COLLECTIVE_BYTES),
    };
    bytes.saturating_mul(count) <= most
}

/// The program of every rank: combines the rank's time or its share of a mean with those of the
/// others in `sums`, in seconds.
fn run(benchmark: Benchmark, sizes: &[u64], sums: &Mutex<Vec<f64>>) {
    let universe = initialize().expect("once");
    let world = universe.world();
    for (place, bytes) in sizes.iter().enumerate() {
        let share = match benchmark {
            Benchmark::PingPong { pairs } => ping_pong(&world, pairs, *bytes),
            Benchmark::Stream { pairs: 1, window } => stream(&world, window, *bytes),
            Benchmark::Stream { pairs, window } => streams(&world, pairs, window, *bytes),
            Benchmark::BothWays { window } => both_ways(&world, window, *bytes),
            Benchmark::Chain { .. } => chain(&world, *bytes),
            Benchmark::Neighbours { .. } => neighbours(&world, *bytes),
            Benchmark::Collective { operation, .. } => collective(&world, operation, *bytes),
        };
        let so_far = &mut sums.lock().expect("no rank panics")[place];
        *so_far = match benchmark {
            Benchmark::PingPong { .. }
            | Benchmark::Stream { .. }
            | Benchmark::BothWays { .. }
            | Benchmark::Chain { .. }
            | Benchmark::Neighbours { .. }
            | Benchmark::Collective { .. } => *so_far + share,
        };
    }
}

/// Returns the time of `work` after a barrier and warm-up, seconds.
fn timed(world: &SimpleCommunicator, mut work: impl FnMut()) -> f64 {
    world.barrier();
    (0..WARM_UP).for_each(|_| work());
    let start = world.wtime();
    work();
    world.wtime() - start
}

/// Returns the mean time of some windows that all ranks begin at the same time, seconds.
fn repeated(world: &SimpleCommunicator, mut window: impl FnMut()) -> f64 {
    window();
    world.barrier();
    let start = world.wtime();
    (0..WINDOWS).for_each(|_| window());
    (world.wtime() - start) / f64::from(WINDOWS)
}

fn ping_pong(world: &SimpleCommunicator, pairs: u32, bytes: u64) -> f64 {
    let (rank, pairs) = (world.rank(), pairs as i32);
    let mut buffer = vec![0u8; bytes as usize];
    if rank < pairs {
        let partner = world.process_at_rank(rank + pairs);
        let round = timed(world, || {
            partner.send(&buffer[..]);
            partner.receive_into(&mut buffer[..]);
        });
        round / 2.0 / f64::from(pairs)
    } else {
        let partner = world.process_at_rank(rank - pairs);
        timed(world, || {
            partner.receive_into(&mut buffer[..]);
            partner.send(&buffer[..]);
        });
        0.0
    }
}

/// Returns the time per message in a window, from `time_of` a whole window of some messages.
fn windowed(window: u32, bytes: u64, mut time_of: impl FnMut(usize) -> f64) -> f64 {
    let most = WINDOW_BYTES / bytes.max(1);
    let count = u64::from(window).min(most.max(SHORTENED.into())) as u32;
    let whole = time_of(count as usize);
    if count == window {
        return whole / f64::from(window);
    }
    let half = time_of(count as usize / 2);
    let each = (whole - half) / f64::from(count - count / 2);
    each + (whole - each * f64::from(count)) / f64::from(window)
}

fn stream(world: &SimpleCommunicator, window: u32, bytes: u64) -> f64 {
    windowed(window, bytes, |count| stream_of(world, 1, count, bytes))
}

/// Returns, on rank 0, the time per message of several pairs, which together take as long as the slowest; 0
/// on the others.
///
/// The slowest is found with MPI, as the benchmarks do: the ranks leave the reduction one after the other, and
/// pairs that share a port take their turns there in the order in which they have begun.
fn streams(world: &SimpleCommunicator, pairs: u32, window: u32, bytes: u64) -> f64 {
    let time = stream_of(world, pairs, window as usize, bytes) / f64::from(window);
    let (root, mut slowest) = (world.process_at_rank(0), 0.0);
    if world.rank() == 0 {
        root.reduce_into_root(&time, &mut slowest, SystemOperation::max());
    } else {
        root.reduce_into(&time, SystemOperation::max());
    }
    slowest
}

/// Returns the time of a window of a stream on its sender, and 0 on its receiver.
fn stream_of(world: &SimpleCommunicator, pairs: u32, count: usize, bytes: u64) -> f64 {
    let rank = world.rank();
    let first = pairs as i32;
    let mut acknowledgement = [0u8; 4];
    if rank < first {
        let partner = world.process_at_rank(rank + first);
        let buffer = vec![0u8; bytes as usize];
        repeated(world, || {
            multiple_scope(count, |scope, requests| {
                (0..count).for_each(|_| {
                    requests.add(partner.immediate_send(scope, &buffer[..]));
                });
                requests.wait_all(&mut Vec::new());
            });
            partner.receive_into(&mut acknowledgement[..]);
        })
    } else {
        let partner = world.process_at_rank(rank - first);
        let mut buffer = vec![0u8; bytes as usize * count];
        repeated(world, || {
            multiple_scope(count, |scope, requests| {
                for part in buffer.chunks_mut(bytes.max(1) as usize) {
                    requests.add(partner.immediate_receive_into(scope, part));
                }
                requests.wait_all(&mut Vec::new());
            });
            partner.send(&acknowledgement[..]);
        });
        0.0
    }
}

fn both_ways(world: &SimpleCommunicator, window: u32, bytes: u64) -> f64 {
    windowed(window, bytes, |count| both_ways_of(world, count, bytes)) / 2.0
}

/// Returns the time of a window in both directions.
fn both_ways_of(world: &SimpleCommunicator, count: usize, bytes: u64) -> f64 {
    let partner = world.process_at_rank(1 - world.rank());
    let out = vec![0u8; bytes as usize];
    let mut into = vec![0u8; bytes as usize * count];
    timed(world, || {
        multiple_scope(count, |scope, receives| {
            for part in into.chunks_mut(bytes.max(1) as usize) {
                receives.add(partner.immediate_receive_into(scope, part));
            }
            multiple_scope(count, |scope, sends| {
                (0..count).for_each(|_| {
                    sends.add(partner.immediate_send(scope, &out[..]));
                });
                sends.wait_all(&mut Vec::new());
            });
            receives.wait_all(&mut Vec::new());
        });
    })
}

/// Returns the neighbours of a rank on the ring of all ranks.
fn around(world: &SimpleCommunicator) -> (i32, i32) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + 1) % size, (rank + size - 1) % size)
}

fn chain(world: &SimpleCommunicator, bytes: u64) -> f64 {
    let (next, before) = around(world);
    let (next, before) = (world.process_at_rank(next), world.process_at_rank(before));
    let out = vec![0u8; bytes as usize];
    let mut into = vec![0u8; bytes as usize];
    let time = timed(world, || {
        send_receive_into(&out[..], &next, &mut into[..], &before);
    });
    time / f64::from(world.size())
}

fn neighbours(world: &SimpleCommunicator, bytes: u64) -> f64 {
    let (next, before) = around(world);
    let (next, before) = (world.process_at_rank(next), world.process_at_rank(before));
    let out = vec![0u8; bytes as usize];
    let mut into = vec![0u8; bytes as usize];
    let time = timed(world, || {
        multiple_scope(2, |scope, sends| {
            sends.add(before.immediate_send_with_tag(scope, &out[..], 0));
            sends.add(next.immediate_send_with_tag(scope, &out[..], 1));
            before.receive_into_with_tag(&mut into[..], 1);
            next.receive_into_with_tag(&mut into[..], 0);
            sends.wait_all(&mut Vec::new());
        });
    });
    time / f64::from(world.size())
}

/// Returns the rank's share of the mean time of a call after a barrier.
fn collective(world: &SimpleCommunicator, operation: Collective, bytes: u64) -> f64 {
    let (bytes, ranks) = (bytes as usize, world.size() as usize);
    // Reductions add floats, as the benchmarks do.
    let floats = vec![0f32; bytes.div_ceil(4)];
    let mut float_sums = floats.clone();
    let out = vec![0u8; bytes];
    let all = match operation {
        Collective::AllGather | Collective::Gather | Collective::AllToAll | Collective::Scatter => {
            bytes * ranks
        }
        Collective::Barrier
        | Collective::Broadcast
        | Collective::Reduce
        | Collective::AllReduce => bytes,
    };
    let (mut one, blocks) = (out.clone(), vec![0u8; all]);
    let mut into = blocks.clone();
    let root = world.process_at_rank(0);
    let is_root = world.rank() == 0;
    let mut call = || match operation {
        Collective::Barrier => world.barrier(),
        Collective::Broadcast => root.broadcast_into(&mut one[..]),
        Collective::Reduce if is_root => {
            root.reduce_into_root(&floats[..], &mut float_sums[..], SystemOperation::sum());
        }
        Collective::Reduce => root.reduce_into(&floats[..], SystemOperation::sum()),
        Collective::AllReduce => {
            world.all_reduce_into(&floats[..], &mut float_sums[..], SystemOperation::sum());
        }
        Collective::AllGather => world.all_gather_into(&out[..], &mut into[..]),
        Collective::AllToAll => world.all_to_all_into(&blocks[..], &mut into[..]),
        Collective::Gather if is_root => root.gather_into_root(&out[..], &mut into[..]),
        Collective::Gather => root.gather_into(&out[..]),
        Collective::Scatter if is_root => root.scatter_into_root(&blocks[..], &mut one[..]),
        Collective::Scatter => root.scatter_into(&mut one[..]),
    };
    let mut last = 0.0;
    for _ in 0..=WARM_UP {
        world.barrier();
        let start = world.wtime();
        call();
        last = world.wtime() - start;
    }
    last / ranks as f64
}
