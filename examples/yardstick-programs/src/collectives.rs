//! Collective operations: blocking, nonblocking and persistent, right and wrong.

use windtunnel::mpi::{
    collective::{PersistentCollectives, PersistentRoot, SystemOperation},
    datatype::{Partition, PartitionMut},
    request::{PersistentRequest, StaticScope},
    topology::SimpleCommunicator,
    traits::*,
};

use crate::cases::{Cases, Element, with_each_type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Collective {
    Barrier,
    Broadcast,
    Gather,
    GatherVarcount,
    Scatter,
    ScatterVarcount,
    AllGather,
    AllGatherVarcount,
    AllToAll,
    AllToAllVarcount,
    Reduce,
    AllReduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    ExclusiveScan,
}

const ALL: [Collective; 16] = [
    Collective::Barrier,
    Collective::Broadcast,
    Collective::Gather,
    Collective::GatherVarcount,
    Collective::Scatter,
    Collective::ScatterVarcount,
    Collective::AllGather,
    Collective::AllGatherVarcount,
    Collective::AllToAll,
    Collective::AllToAllVarcount,
    Collective::Reduce,
    Collective::AllReduce,
    Collective::ReduceScatter,
    Collective::ReduceScatterBlock,
    Collective::Scan,
    Collective::ExclusiveScan,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Blocking,
    Immediate,
    Persistent,
}

/// What happens to the request of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Completed,
    /// It is neither waited for nor freed.
    Forgotten,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduction {
    Sum,
    Max,
}

/// The arguments of a call.
#[derive(Clone, Copy)]
struct Arguments {
    root: i32,
    count: usize,
    operation: Reduction,
    end: End,
}

const SOUND: Arguments =
    Arguments { root: 0, count: 4, operation: Reduction::Sum, end: End::Completed };
/// The rank that is wrong, and never the root.
const ODD: i32 = 1;

impl Collective {
    fn has_root(self) -> bool {
        matches!(
            self,
            Self::Broadcast
                | Self::Gather
                | Self::GatherVarcount
                | Self::Scatter
                | Self::ScatterVarcount
                | Self::Reduce
        )
    }

    fn has_operation(self) -> bool {
        matches!(
            self,
            Self::Reduce
                | Self::AllReduce
                | Self::ReduceScatter
                | Self::ReduceScatterBlock
                | Self::Scan
                | Self::ExclusiveScan
        )
    }
}

/// The memory of one rank in a call. It is leaked, so that requests of any lifetime can borrow it.
struct Memory<T: Element> {
    /// A block.
    part: &'static mut [T],
    /// A block for each rank.
    parts: &'static mut [T],
    results: &'static mut [T],
    result: &'static mut [T],
    counts: Vec<i32>,
    places: Vec<i32>,
}

impl<T: Element> Memory<T> {
    fn new(ranks: usize, count: usize) -> Self {
        let memory = |length: usize| vec![T::of(1); length].leak();
        Self {
            part: memory(count),
            parts: memory(count * ranks),
            results: memory(count * ranks),
            result: memory(count),
            counts: vec![count as i32; ranks],
            places: (0..ranks).map(|rank| (rank * count) as i32).collect(),
        }
    }
}

fn operation(reduction: Reduction) -> SystemOperation {
    match reduction {
        Reduction::Sum => SystemOperation::sum(),
        Reduction::Max => SystemOperation::max(),
    }
}

/// Calls a collective operation.
#[track_caller]
fn call<T: Element>(
    collective: Collective,
    form: Form,
    comm: &SimpleCommunicator,
    arguments: Arguments,
) {
    match form {
        Form::Blocking => blocking::<T>(collective, comm, arguments),
        Form::Immediate => immediate::<T>(collective, comm, arguments),
        Form::Persistent => persistent::<T>(collective, comm, arguments),
    }
}

#[track_caller]
fn blocking<T: Element>(collective: Collective, comm: &SimpleCommunicator, arguments: Arguments) {
    let Memory { part, parts, results, result, counts, places } =
        Memory::<T>::new(comm.size() as usize, arguments.count);
    let is_root = comm.rank() == arguments.root;
    let root = comm.process_at_rank(arguments.root);
    let op = operation(arguments.operation);
    match collective {
        Collective::Barrier => comm.barrier(),
        Collective::Broadcast => root.broadcast_into(part),
        Collective::Gather if is_root => root.gather_into_root(part, parts),
        Collective::Gather => root.gather_into(part),
        Collective::GatherVarcount if is_root => {
            root.gather_varcount_into_root(part, &mut PartitionMut::new(parts, counts, places));
        }
        Collective::GatherVarcount => root.gather_varcount_into(part),
        Collective::Scatter if is_root => root.scatter_into_root(parts, part),
        Collective::Scatter => root.scatter_into(part),
        Collective::ScatterVarcount if is_root => {
            root.scatter_varcount_into_root(&Partition::new(parts, counts, places), part);
        }
        Collective::ScatterVarcount => root.scatter_varcount_into(part),
        Collective::AllGather => comm.all_gather_into(part, parts),
        Collective::AllGatherVarcount => {
            comm.all_gather_varcount_into(part, &mut PartitionMut::new(parts, counts, places));
        }
        Collective::AllToAll => comm.all_to_all_into(parts, results),
        Collective::AllToAllVarcount => comm.all_to_all_varcount_into(
            &Partition::new(parts, &counts[..], &places[..]),
            &mut PartitionMut::new(results, &counts[..], &places[..]),
        ),
        Collective::Reduce if is_root => root.reduce_into_root(part, result, op),
        Collective::Reduce => root.reduce_into(part, op),
        Collective::AllReduce => comm.all_reduce_into(part, result, op),
        Collective::ReduceScatter => comm.reduce_scatter_into(parts, &counts, result, op),
        Collective::ReduceScatterBlock => comm.reduce_scatter_block_into(parts, result, op),
        Collective::Scan => comm.scan_into(part, result, op),
        Collective::ExclusiveScan => comm.exclusive_scan_into(part, result, op),
    }
}

/// Waits for a request, or forgets it.
macro_rules! ended {
    ($request:expr, $end:expr) => {
        match $end {
            End::Completed => drop($request.wait()),
            End::Forgotten => drop($request),
        }
    };
}

#[track_caller]
fn immediate<T: Element>(collective: Collective, comm: &SimpleCommunicator, arguments: Arguments) {
    let Memory { part, parts, results, result, counts, places } =
        Memory::<T>::new(comm.size() as usize, arguments.count);
    let is_root = comm.rank() == arguments.root;
    let root = comm.process_at_rank(arguments.root);
    let op = operation(arguments.operation);
    let (s, end) = (StaticScope, arguments.end);
    match collective {
        Collective::Barrier => ended!(comm.immediate_barrier(), end),
        Collective::Broadcast => ended!(root.immediate_broadcast_into(s, part), end),
        Collective::Gather if is_root => {
            ended!(root.immediate_gather_into_root(s, part, parts), end);
        }
        Collective::Gather => ended!(root.immediate_gather_into(s, part), end),
        Collective::GatherVarcount if is_root => {
            let into = Box::leak(Box::new(PartitionMut::new(parts, counts, places)));
            ended!(root.immediate_gather_varcount_into_root(s, part, into), end);
        }
        Collective::GatherVarcount => ended!(root.immediate_gather_varcount_into(s, part), end),
        Collective::Scatter if is_root => {
            ended!(root.immediate_scatter_into_root(s, parts, part), end);
        }
        Collective::Scatter => ended!(root.immediate_scatter_into(s, part), end),
        Collective::ScatterVarcount if is_root => {
            let from = Box::leak(Box::new(Partition::new(parts, counts, places)));
            ended!(root.immediate_scatter_varcount_into_root(s, from, part), end);
        }
        Collective::ScatterVarcount => ended!(root.immediate_scatter_varcount_into(s, part), end),
        Collective::AllGather => ended!(comm.immediate_all_gather_into(s, part, parts), end),
        Collective::AllGatherVarcount => {
            let into = Box::leak(Box::new(PartitionMut::new(parts, counts, places)));
            ended!(comm.immediate_all_gather_varcount_into(s, part, into), end);
        }
        Collective::AllToAll => ended!(comm.immediate_all_to_all_into(s, parts, results), end),
        Collective::AllToAllVarcount => {
            let from = Box::leak(Box::new(Partition::new(parts, counts.clone(), places.clone())));
            let into = Box::leak(Box::new(PartitionMut::new(results, counts, places)));
            ended!(comm.immediate_all_to_all_varcount_into(s, from, into), end);
        }
        Collective::Reduce if is_root => {
            ended!(root.immediate_reduce_into_root(s, part, result, op), end);
        }
        Collective::Reduce => ended!(root.immediate_reduce_into(s, part, op), end),
        Collective::AllReduce => {
            ended!(comm.immediate_all_reduce_into(s, part, result, op), end);
        }
        Collective::ReduceScatter => {
            let counts = counts.leak();
            ended!(comm.immediate_reduce_scatter_into(s, parts, counts, result, op), end);
        }
        Collective::ReduceScatterBlock => {
            ended!(comm.immediate_reduce_scatter_block_into(s, parts, result, op), end);
        }
        Collective::Scan => ended!(comm.immediate_scan_into(s, part, result, op), end),
        Collective::ExclusiveScan => {
            ended!(comm.immediate_exclusive_scan_into(s, part, result, op), end);
        }
    }
}

/// Frees a persistent request, or forgets it.
#[track_caller]
fn freed(request: PersistentRequest, end: End) {
    match end {
        End::Completed => request.free(),
        End::Forgotten => drop(request),
    }
}

#[track_caller]
fn persistent<T: Element>(collective: Collective, comm: &SimpleCommunicator, arguments: Arguments) {
    let Memory { part, parts, results, result, counts, places } =
        Memory::<T>::new(comm.size() as usize, arguments.count);
    let is_root = comm.rank() == arguments.root;
    let root = comm.process_at_rank(arguments.root);
    let op = operation(arguments.operation);
    let mut request = match collective {
        Collective::Barrier => comm.barrier_init(),
        Collective::Broadcast => root.broadcast_init(part),
        Collective::Gather if is_root => root.gather_root_init(part, parts),
        Collective::Gather => root.gather_init(part),
        Collective::GatherVarcount if is_root => root
            .gather_varcount_root_init(part, &PartitionMut::new(parts, &counts[..], &places[..])),
        Collective::GatherVarcount => root.gather_varcount_init(part),
        Collective::Scatter if is_root => root.scatter_root_init(parts, part),
        Collective::Scatter => root.scatter_init(part),
        Collective::ScatterVarcount if is_root => {
            root.scatter_varcount_root_init(&Partition::new(parts, &counts[..], &places[..]), part)
        }
        Collective::ScatterVarcount => root.scatter_varcount_init(part),
        Collective::AllGather => comm.all_gather_init(part, parts),
        Collective::AllGatherVarcount => {
            comm.all_gather_varcount_init(part, &PartitionMut::new(parts, &counts[..], &places[..]))
        }
        Collective::AllToAll => comm.all_to_all_init(parts, results),
        Collective::AllToAllVarcount => comm.all_to_all_varcount_init(
            &Partition::new(parts, &counts[..], &places[..]),
            &PartitionMut::new(results, &counts[..], &places[..]),
        ),
        Collective::Reduce if is_root => root.reduce_root_init(part, result, op),
        Collective::Reduce => root.reduce_init(part, op),
        Collective::AllReduce => comm.all_reduce_init(part, result, op),
        Collective::ReduceScatter => comm.reduce_scatter_init(parts, &counts, result, op),
        Collective::ReduceScatterBlock => comm.reduce_scatter_block_init(parts, result, op),
        Collective::Scan => comm.scan_init(part, result, op),
        Collective::ExclusiveScan => comm.exclusive_scan_init(part, result, op),
    };
    match collective {
        Collective::Barrier => request.start(),
        Collective::Broadcast | Collective::Scatter | Collective::ScatterVarcount if !is_root => {
            request.start();
        }
        Collective::ScatterVarcount | Collective::AllToAllVarcount => {
            request.start_with_parts(&Partition::new(parts, &counts[..], &places[..]));
        }
        Collective::Scatter
        | Collective::AllToAll
        | Collective::ReduceScatter
        | Collective::ReduceScatterBlock => request.start_with(parts),
        Collective::Broadcast
        | Collective::Gather
        | Collective::GatherVarcount
        | Collective::AllGather
        | Collective::AllGatherVarcount
        | Collective::Reduce
        | Collective::AllReduce
        | Collective::Scan
        | Collective::ExclusiveScan => request.start_with(part),
    }
    // The result is discarded: a wait that names no buffer is allowed for every operation.
    request.wait_active();
    freed(request, arguments.end);
}

/// Adds all programs about collective operations.
pub(crate) fn add(cases: &mut Cases) {
    for collective in ALL {
        for form in [Form::Blocking, Form::Immediate, Form::Persistent] {
            with_each_type!(sound(cases, collective, form));
            wrong::<i32, f64>(cases, collective, form);
            wrong::<f64, i64>(cases, collective, form);
        }
    }
}

fn sound<T: Element>(cases: &mut Cases, collective: Collective, form: Form) {
    let family = format!("{collective:?} {form:?}");
    for ranks in [2, 3, 4] {
        let name = format!("sound {}", std::any::type_name::<T>());
        cases.add((&family, &name), ranks, &["ok"], move |world| {
            let root = world.size() - 1;
            call::<T>(collective, form, world, Arguments { root, ..SOUND });
            call::<T>(collective, form, &world.duplicate(), Arguments { count: 3, ..SOUND });
        });
    }
}

/// Adds wrong programs about elements `T`; where types differ, the odd rank has elements `U`.
fn wrong<T: Element, U: Element>(cases: &mut Cases, collective: Collective, form: Form) {
    let family = format!("{collective:?} {form:?} {}", std::any::type_name::<T>());
    let differs: &[&'static str] = &["parameter-matching"];
    if collective.has_root() {
        cases.add((&family, "another root"), 3, differs, move |world| {
            if world.rank() == ODD {
                call::<T>(collective, form, world, Arguments { root: ODD, ..SOUND }); // here
            } else {
                call::<T>(collective, form, world, SOUND);
            }
        });
        cases.add((&family, "root out of range"), 3, &["invalid-argument"], move |world| {
            call::<T>(collective, form, world, Arguments { root: world.size(), ..SOUND }); // here
        });
    }
    if collective.has_operation() {
        cases.add((&family, "another operation"), 3, differs, move |world| {
            if world.rank() == ODD {
                let operation = Reduction::Max;
                call::<T>(collective, form, world, Arguments { operation, ..SOUND }); // here
            } else {
                call::<T>(collective, form, world, SOUND);
            }
        });
    }
    if collective != Collective::Barrier {
        cases.add((&family, "another datatype"), 3, differs, move |world| {
            if world.rank() == ODD {
                call::<U>(collective, form, world, SOUND); // here
            } else {
                call::<T>(collective, form, world, SOUND);
            }
        });
        cases.add((&family, "another count"), 3, differs, move |world| {
            if world.rank() == ODD {
                call::<T>(collective, form, world, Arguments { count: 3, ..SOUND }); // here
            } else {
                call::<T>(collective, form, world, SOUND);
            }
        });
    }
    order::<T>(cases, (&family, collective, form));
}

/// Adds programs whose ranks do not call the same operations in the same order.
fn order<T: Element>(cases: &mut Cases, (family, collective, form): (&str, Collective, Form)) {
    let differs: &[&'static str] = &["parameter-matching"];
    cases.add((family, "another communicator"), 3, differs, move |world| {
        let copy = world.duplicate();
        let comm = if world.rank() == ODD { &copy } else { world };
        call::<T>(collective, form, comm, SOUND);
    });
    cases.add((family, "missing on one rank"), 3, &["call-ordering"], move |world| {
        if world.rank() != ODD {
            call::<T>(collective, form, world, SOUND);
        }
    });
    cases.add((family, "in another order on one rank"), 3, &["call-ordering"], move |world| {
        let other = match collective {
            Collective::Barrier => Collective::Broadcast,
            _ => Collective::Barrier,
        };
        let pair = match world.rank() {
            ODD => [other, collective],
            _ => [collective, other],
        };
        pair.into_iter().for_each(|of| call::<T>(of, Form::Blocking, world, SOUND));
    });
    let forgotten = Arguments { end: End::Forgotten, ..SOUND };
    match form {
        Form::Blocking => {}
        Form::Immediate => {
            cases.add((family, "never completed"), 3, &["request-lifecycle"], move |world| {
                call::<T>(collective, form, world, forgotten); // here
            });
        }
        Form::Persistent => {
            let leak = &["request-lifecycle", "resource-leak"];
            cases.add((family, "never freed"), 3, leak, move |world| {
                call::<T>(collective, form, world, forgotten); // here
            });
        }
    }
}
