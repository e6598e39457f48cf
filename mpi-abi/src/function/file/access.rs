//! Reads and writes files (MPI section 14.4).
#![allow(clippy::too_many_arguments, reason = "the standard's")]

use std::ffi::{c_int, c_void};

use mpi_api::{
    call::{
        Brought, Completion, Direction, FileAccess, FileCall, FileMeeting, Manner, Moved, Position,
        Reply, Site,
    },
    check::type_mismatch::Typed,
    finding::CallPlace,
};
use smallvec::smallvec;

use super::{
    super::{
        external,
        guard::{self, Memory},
        request,
        status::Status,
        transfer::{Part, Parts},
    },
    come, on_file, view, with_all,
};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, File, Filling, Mpi, Number, Representation, State, Work, put, wanted},
};

/// The arguments of an access.
pub(super) struct Given {
    pub(super) direction: Direction,
    pub(super) position: Position,
    pub(super) part: Part,
}

impl Given {
    pub(super) fn new<N: Number>(
        state: &State,
        (direction, position): (Direction, Position),
        (address, count, datatype): (*const c_void, N, Handle),
    ) -> Mpi<Self> {
        let part = Part::new(state, address as usize, count.wide(), datatype)?;
        part.check_message()?;
        if direction == Direction::Read && part.datatype.overlaps(part.count as u64) {
            return Err(Fault::new(class::TYPE, "entries of the datatype overlap"));
        }
        Ok(Self { direction, position, part })
    }

    pub(super) fn memory(&self) -> Memory<'_> {
        match self.direction {
            Direction::Read => Memory::written(&self.part),
            Direction::Write => Memory::read(&self.part),
        }
    }

    /// Returns the parts that the access fills, and those that it reads.
    pub(super) fn parts(&self) -> (Parts, Parts) {
        match self.direction {
            Direction::Read => (smallvec![self.part.clone()], Parts::new()),
            Direction::Write => (Parts::new(), smallvec![self.part.clone()]),
        }
    }

    /// Returns the access for the kernel.
    pub(super) fn access(
        &self,
        state: &State,
        origin: CallPlace,
        file: &File,
    ) -> Mpi<Box<FileAccess>> {
        let representation = file.seen.borrow().representation;
        let part = &self.part;
        if let Some(compared) = &state.compared {
            let types = (&file.seen.borrow().etype.1.datatype, part.signature());
            view::look_at_types((state, compared), origin, types, Typed::Data);
        }
        guard::compare(state, origin, self.memory())?;
        let bytes = external::size_in(representation, &part.datatype) * part.count as u64;
        let moved = match (self.direction, representation) {
            (Direction::Read, _) => Moved::Read(bytes),
            (Direction::Write, Representation::External32) => {
                Moved::Write(external::encoded(part)?.into())
            }
            (Direction::Write, Representation::Native | Representation::Internal) => {
                Moved::Write(part.payload())
            }
        };
        Ok(Box::new(FileAccess { position: self.position, moved, together: None }))
    }
}

/// Returns the meeting of a collective access.
pub(super) fn meeting(position: Position, direction: Direction, manner: Manner) -> FileMeeting {
    match position {
        Position::At(_) => FileMeeting::AccessAt(direction, manner),
        Position::Individual => FileMeeting::AccessIndividual(direction, manner),
        Position::Shared | Position::Ordered => FileMeeting::AccessOrdered(direction, manner),
    }
}

/// Comes to the meeting of an access, which is collective; an ordered one learns its place there.
pub(super) fn come_to_access(
    state: &State,
    site: Site,
    file: &File,
    access: &mut FileAccess,
    manner: Manner,
) -> Mpi {
    access.together = Some(manner);
    let what = meeting(access.position, access.moved.direction(), manner);
    let part = Brought::Part(access.position, access.moved.bytes());
    if access.position == Position::Ordered {
        return super::meet(state, site, file, what, part);
    }
    come(state, site, file, what, part)
}

/// Accesses a file and waits for it.
fn blocking(
    state: &State,
    site: Site,
    (file, collective): (&File, bool),
    (given, name): (&Given, &'static str),
    status: *mut Status,
) -> Mpi {
    let representation = file.seen.borrow().representation;
    let reply = guard::during(state, CallPlace { call: name, site }, given.memory(), || {
        let mut access = given.access(state, CallPlace { call: name, site }, file)?;
        if collective {
            come_to_access(state, site, file, &mut access, Manner::Blocking)?;
        }
        state.kernel(site, FileCall::Access(file.id(), access))
    })?;
    let Reply::Completed(done) = reply else {
        return Err(Fault::new(class::INTERN, "no completion"));
    };
    settle(*done, (representation, std::slice::from_ref(&given.part)), status)
}

/// Stores what a complete access has read, and its status.
pub(super) fn settle(
    done: Completion,
    (representation, parts): (Representation, &[Part]),
    status: *mut Status,
) -> Mpi {
    if let Some(failure) = done.error {
        return Err(failure.into());
    }
    if let Some(data) = &done.payload {
        external::store(representation, parts, data.as_slice());
    }
    let mut seen = Status::empty();
    seen.set_bytes(external::bytes_here(representation, parts, done.status.bytes));
    seen.store(status);
    Ok(())
}

/// Starts an access with a request.
fn nonblocking(
    state: &State,
    site: Site,
    (file, collective): (&File, bool),
    (given, name): (&Given, &'static str),
    place: *mut Handle,
) -> Mpi {
    wanted(place)?;
    put(place, handle::REQUEST_NULL)?;
    let representation = file.seen.borrow().representation;
    let mut access = given.access(state, CallPlace { call: name, site }, file)?;
    if collective {
        come_to_access(state, site, file, &mut access, Manner::Nonblocking)?;
    }
    let reply = state.kernel(site, FileCall::StartAccess(file.id(), access))?;
    let (into, from) = given.parts();
    let by = Filling::File(representation);
    let work = Work::Fill { into, from, in_place: false, by };
    request::started(state, reply, (handle::COMM_NULL, CallPlace { call: name, site }), work, place)
}

/// Defines accesses. `$enter` says who takes part, `$all` whether the access is collective, and `$form`
/// whether it is blocking, with what it leaves behind.
macro_rules! accesses {
    ($($form:ident($place:ty) {$(
        $enter:ident $all:literal $direction:ident $buffer:ty,
        $function:ident $name:literal ($($argument:ident: $kind:ty)?) $position:expr;
    )*})*) => {$($(
        pub(in super::super) extern "C-unwind" fn $function<N: Number>(
            file: Handle,
            $($argument: $kind,)?
            address: $buffer,
            count: N,
            datatype: Handle,
            place: $place,
        ) -> c_int {
            $enter(file, |state, site, file| {
                let what = (Direction::$direction, $position);
                let given = Given::new(state, what, (address as *const c_void, count, datatype))?;
                $form(state, site, (file, $all), (&given, $name), place)
            })
        }
    )*)*};
}

accesses! {
    blocking(*mut Status) {
        on_file false Read *mut c_void, read_at "MPI_File_read_at" (offset: i64) Position::At(offset);
        on_file false Write *const c_void, write_at "MPI_File_write_at" (offset: i64) Position::At(offset);
        with_all true Read *mut c_void, read_at_all "MPI_File_read_at_all" (offset: i64) Position::At(offset);
        with_all true Write *const c_void, write_at_all "MPI_File_write_at_all" (offset: i64) Position::At(offset);
        on_file false Read *mut c_void, read "MPI_File_read" () Position::Individual;
        on_file false Write *const c_void, write "MPI_File_write" () Position::Individual;
        with_all true Read *mut c_void, read_all "MPI_File_read_all" () Position::Individual;
        with_all true Write *const c_void, write_all "MPI_File_write_all" () Position::Individual;
        on_file false Read *mut c_void, read_shared "MPI_File_read_shared" () Position::Shared;
        on_file false Write *const c_void, write_shared "MPI_File_write_shared" () Position::Shared;
        with_all true Read *mut c_void, read_ordered "MPI_File_read_ordered" () Position::Ordered;
        with_all true Write *const c_void, write_ordered "MPI_File_write_ordered" () Position::Ordered;
    }
    nonblocking(*mut Handle) {
        on_file false Read *mut c_void, iread_at "MPI_File_iread_at" (offset: i64) Position::At(offset);
        on_file false Write *const c_void, iwrite_at "MPI_File_iwrite_at" (offset: i64) Position::At(offset);
        with_all true Read *mut c_void, iread_at_all "MPI_File_iread_at_all" (offset: i64) Position::At(offset);
        with_all true Write *const c_void, iwrite_at_all "MPI_File_iwrite_at_all" (offset: i64) Position::At(offset);
        on_file false Read *mut c_void, iread "MPI_File_iread" () Position::Individual;
        on_file false Write *const c_void, iwrite "MPI_File_iwrite" () Position::Individual;
        with_all true Read *mut c_void, iread_all "MPI_File_iread_all" () Position::Individual;
        with_all true Write *const c_void, iwrite_all "MPI_File_iwrite_all" () Position::Individual;
        on_file false Read *mut c_void, iread_shared "MPI_File_iread_shared" () Position::Shared;
        on_file false Write *const c_void, iwrite_shared "MPI_File_iwrite_shared" () Position::Shared;
    }
}
