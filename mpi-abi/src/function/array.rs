//! Constants of array datatypes (MPI sections 5.1.3 and 5.1.4).

use std::ffi::c_int;

use mpi_api::object::datatype::{Combiner, Datatype, Dimension, Distribution, Order};

use super::datatype;
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Mpi, Number, array, creating},
};

const ORDER_C: c_int = 12;
const ORDER_FORTRAN: c_int = 15;
const DISTRIBUTE_NONE: c_int = 16;
const DISTRIBUTE_BLOCK: c_int = 17;
const DISTRIBUTE_CYCLIC: c_int = 18;
const DEFAULT_ARGUMENT: i64 = 19;

pub(super) fn order(order: c_int) -> Mpi<Order> {
    match order {
        ORDER_C => Ok(Order::C),
        ORDER_FORTRAN => Ok(Order::Fortran),
        _ => Err(Fault::new(class::ARG, format!("there is no array order {order}"))),
    }
}

/// Converts an integer of a type's contents to the program's constant: the engine numbers orders
/// and distributions differently.
pub(super) fn constant(combiner: Combiner, place: usize, value: i64, length: usize) -> i64 {
    let is_order = place + 1 == length;
    let translate_order = |value| if value == 0 { ORDER_C } else { ORDER_FORTRAN };
    match combiner {
        Combiner::Subarray | Combiner::Darray if is_order => i64::from(translate_order(value)),
        Combiner::Darray => {
            // The integers are size, rank, dimensions, then sizes, distributions, arguments and
            // grid sizes.
            let dims = (length - 4) / 4;
            let distributions = 3 + dims..3 + 2 * dims;
            let arguments = 3 + 2 * dims..3 + 3 * dims;
            match value {
                value if distributions.contains(&place) => i64::from(DISTRIBUTE_NONE) + value,
                // The engine writes 0 for a default block size.
                0 if arguments.contains(&place) => DEFAULT_ARGUMENT,
                value => value,
            }
        }
        _ => value,
    }
}

fn distribution(kind: c_int) -> Mpi<Distribution> {
    match kind {
        DISTRIBUTE_NONE => Ok(Distribution::None),
        DISTRIBUTE_BLOCK => Ok(Distribution::Block),
        DISTRIBUTE_CYCLIC => Ok(Distribution::Cyclic),
        _ => Err(Fault::new(class::ARG, format!("there is no distribution {kind}"))),
    }
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn darray<N: Number>(
    size: c_int,
    rank: c_int,
    dims: c_int,
    sizes: *const N,
    distributions: *const c_int,
    arguments: *const c_int,
    processes: *const c_int,
    array_order: c_int,
    old: Handle,
    new: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (new, handle::DATATYPE_NULL), |state, site| {
        let count = i64::from(dims);
        let (sizes, kinds) = (array(sizes, count)?, array(distributions, count)?);
        let (arguments, grid) = (array(arguments, count)?, array(processes, count)?);
        let mut along = Vec::with_capacity(sizes.len());
        for at in 0..sizes.len() {
            let argument = i64::from(arguments[at]);
            along.push(Dimension {
                size: sizes[at].wide(),
                distribution: distribution(kinds[at])?,
                block: (argument != DEFAULT_ARGUMENT).then_some(argument),
                processes: i64::from(grid[at]),
            });
        }
        let order = order(array_order)?;
        let part = state.any_type(old)?;
        if rank < 0 || rank >= size {
            let text = format!("there is no rank {rank} among {size} processes");
            return Err(Fault::new(class::RANK, text));
        }
        let (size, rank) = (i64::from(size), i64::from(rank));
        let made = Datatype::darray(size, rank, &along, order, &part.datatype)?;
        let made = datatype::Made::of::<N>(made, vec![(old, part)]);
        datatype::add(state, site, made, new).map(|_| ())
    })
}
