//! Buffers as the arguments of a function give them.

use mpi_api::{object::datatype::Datatype, policy::Policy};
use sim_core::words::counted;

use super::transfer::{IN_PLACE, Part};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Mpi, State, argument},
};

/// Returns `MPI_BYTE` if the program passes the null type with count 0 and the policy allows it.
#[cold]
fn nothing_of(state: &State, count: i64, datatype: Handle) -> Option<Datatype> {
    let ignored = count == 0
        && datatype == handle::DATATYPE_NULL
        && state.policies().differs(Policy::NullTypeWithoutData);
    if ignored { state.datatype(handle::BYTE).ok() } else { None }
}

impl Part {
    /// Checks the buffer, count and datatype arguments of a function.
    pub(crate) fn new(state: &State, address: usize, count: i64, datatype: Handle) -> Mpi<Self> {
        let part = Self { address, ..Self::anywhere(state, count, datatype)? };
        if count > 0 && address == IN_PLACE {
            return Err(Fault::new(class::BUFFER, "MPI_IN_PLACE is not allowed here"));
        }
        if address == 0 && part.is_nowhere() {
            return Err(Fault::new(
                class::BUFFER,
                format!("a null buffer for {}", counted(count as u64, "element")),
            ));
        }
        Ok(part)
    }

    /// Like [`Part::new`], with an address that is set later.
    pub(crate) fn anywhere(state: &State, count: i64, datatype: Handle) -> Mpi<Self> {
        argument::count(count)?;
        let datatype = state
            .datatype(datatype)
            .or_else(|fault| nothing_of(state, count, datatype).ok_or(fault))?;
        if datatype.size().checked_mul(count as u64).is_none_or(|bytes| bytes > i64::MAX as u64) {
            return Err(Fault::new(class::COUNT, format!("{count} elements are no message")));
        }
        Ok(Self { address: 0, count, datatype })
    }
}
