//! Split collective accesses: one call begins them, another one ends them (MPI section 14.4.5).

use std::ffi::{c_int, c_void};

use mpi_api::{
    call::{
        Completing, Direction, FileCall, FileMeeting, Manner, Position, Reply, RequestCall, Site,
    },
    finding::CallPlace,
};

use super::{
    super::{
        guard::{self, Memory},
        status::Status,
    },
    access::{Given, come_to_access, meeting, settle},
    on_file, with_all,
};
use crate::{
    constant::{Handle, class},
    state::{Fault, File, Mpi, Number, Split, State},
};

/// The functions of a split access: the one that begins it, and the one that ends it.
type Pair = (&'static str, &'static str);

fn begin(state: &State, site: Site, file: &File, given: &Given, (name, end): Pair) -> Mpi {
    let what = meeting(given.position, given.direction, Manner::Split);
    let representation = file.seen.borrow().representation;
    let mut access = given.access(state, CallPlace { call: name, site }, file)?;
    come_to_access(state, site, file, &mut access, Manner::Split)?;
    let reply = state.kernel(site, FileCall::StartAccess(file.id(), access))?;
    let Reply::Request(id) = reply else {
        return Err(Fault::new(class::INTERN, "no request"));
    };
    let owned = guard::begin(state, CallPlace { call: name, site }, given.memory())?;
    let (into, from) = given.parts();
    let address = given.part.address;
    let split = Split { id, what, end, address, into, from, owned, representation, call: name };
    file.split.replace(Some(split));
    Ok(())
}

fn end(
    state: &State,
    site: Site,
    file: &File,
    what: &FileMeeting,
    (address, status): (usize, *mut Status),
) -> Mpi {
    let fault = |text: String| Err(Fault::new(class::REQUEST, text));
    match &*file.split.borrow() {
        None => return fault("no split access has begun that could end".into()),
        Some(split) if split.what != *what => {
            return fault(format!("{} has begun, which {} ends", split.call, split.end));
        }
        Some(split) if split.address != address => {
            return fault(format!("{} was given another buffer", split.call));
        }
        Some(_) => {}
    }
    let Some(split) = file.split.take() else { return Ok(()) };
    let reply = state.kernel(site, RequestCall::Wait(vec![split.id], Completing::All))?;
    let done = match reply {
        Reply::Completions(mut list) => list.pop().map(|(_, done)| done),
        _ => None,
    };
    let Some(done) = done else { return Err(Fault::new(class::INTERN, "no completion")) };
    if guard::end(state, &split.owned, Memory { writes: &split.into, reads: &split.from }) {
        guard::changed(state, site, &split.owned)?;
    }
    let parts = if split.into.is_empty() { &split.from } else { &split.into };
    settle(done, (split.representation, parts), status)
}

/// Defines the two functions of split accesses.
macro_rules! splits {
    ($($direction:ident $buffer:ty, $begin:ident $begin_name:literal $end:ident $end_name:literal
        ($($argument:ident: $kind:ty),*) $position:expr, $meeting:ident;)*) => {$(
        pub(in super::super) extern "C-unwind" fn $begin<N: Number>(
            file: Handle,
            $($argument: $kind,)*
            address: $buffer,
            count: N,
            datatype: Handle,
        ) -> c_int {
            with_all(file, |state, site, file| {
                let what = (Direction::$direction, $position);
                let given = Given::new(state, what, (address as *const c_void, count, datatype))?;
                begin(state, site, file, &given, ($begin_name, $end_name))
            })
        }

        pub(in super::super) extern "C-unwind" fn $end(
            file: Handle,
            address: $buffer,
            status: *mut Status,
        ) -> c_int {
            on_file(file, |state, site, file| {
                let what = FileMeeting::$meeting(Direction::$direction, Manner::Split);
                end(state, site, file, &what, (address as usize, status))
            })
        }
    )*};
}

splits! {
    Read *mut c_void, read_all_begin "MPI_File_read_all_begin"
        read_all_end "MPI_File_read_all_end" () Position::Individual, AccessIndividual;
    Write *const c_void, write_all_begin "MPI_File_write_all_begin"
        write_all_end "MPI_File_write_all_end" () Position::Individual, AccessIndividual;
    Read *mut c_void, read_at_all_begin "MPI_File_read_at_all_begin"
        read_at_all_end "MPI_File_read_at_all_end" (offset: i64) Position::At(offset), AccessAt;
    Write *const c_void, write_at_all_begin "MPI_File_write_at_all_begin"
        write_at_all_end "MPI_File_write_at_all_end" (offset: i64) Position::At(offset), AccessAt;
    Read *mut c_void, read_ordered_begin "MPI_File_read_ordered_begin"
        read_ordered_end "MPI_File_read_ordered_end" () Position::Ordered, AccessOrdered;
    Write *const c_void, write_ordered_begin "MPI_File_write_ordered_begin"
        write_ordered_end "MPI_File_write_ordered_end" () Position::Ordered, AccessOrdered;
}
