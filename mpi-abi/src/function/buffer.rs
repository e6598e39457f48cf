//! Buffers of the buffered send mode: of the process, of a communicator, of a session (MPI section
//! 3.6).

use std::ffi::{c_int, c_void};

use mpi_api::{
    call::{Buffer, BufferCall, BufferOwner, Completing, Reply, RequestCall, Site},
    finding::CallPlace,
};

use super::{
    bounds,
    guard::{self, Memory},
    request::{self, Work},
    session,
    transfer::Part,
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Fault, Given, Mpi, Number, State, call, creating, fitting, put, wanted},
};

/// The address `MPI_BUFFER_AUTOMATIC`.
const AUTOMATIC: usize = 2;

/// Size in bytes of an automatic buffer: larger than any message.
const ENOUGH: u64 = 1 << 62;

/// The object that a buffer is attached to.
#[derive(Clone, Copy)]
enum Whose {
    Process,
    Comm(Handle),
    Session(Handle),
}

impl Whose {
    /// Returns the communicator whose error handler handles errors of the call.
    fn comm(self) -> Handle {
        match self {
            Self::Comm(comm) => comm,
            Self::Process | Self::Session(_) => handle::COMM_NULL,
        }
    }

    fn owner(self, state: &State) -> Mpi<BufferOwner> {
        Ok(match self {
            Self::Process => BufferOwner::Process,
            Self::Comm(comm) => BufferOwner::Comm(state.comm(comm)?.info.id),
            Self::Session(session) => BufferOwner::Session(session::number(state, session)?),
        })
    }
}

fn attach(whose: Whose, address: usize, bytes: i64) -> c_int {
    call(whose.comm(), |state, site| {
        let owner = whose.owner(state)?;
        let automatic = address == AUTOMATIC;
        if bytes < 0 && !automatic {
            return Err(Fault::new(class::ARG, format!("a buffer of {bytes} bytes")));
        }
        if address == 0 && bytes > 0 {
            return Err(Fault::new(class::BUFFER, "the buffer is null"));
        }
        if state.rare().attached.borrow().iter().any(|given| given.owner == owner) {
            return Err(Fault::new(class::BUFFER, "a buffer is attached already"));
        }
        let overhead = if automatic { 0 } else { number::BSEND_OVERHEAD as u64 };
        let room = if automatic { ENOUGH } else { bytes as u64 };
        state.kernel(site, BufferCall::Attach(Buffer { owner, bytes: room, overhead }))?;
        let bytes = if automatic { 0 } else { bytes };
        let origin = CallPlace::at(site, "MPI_Buffer_attach");
        bounds::look_at_memory(state, origin, address, bytes as u64);
        let memory = Part::of_bytes(address, bytes);
        let owned = guard::keep(state, origin, Memory::written(&memory))?;
        state.rare().attached.borrow_mut().push(Given {
            owner,
            address,
            bytes,
            owned: Some(owned),
        });
        Ok(())
    })
}

fn detach<N: Number>(whose: Whose, address: *mut c_void, bytes: *mut N) -> c_int {
    call(whose.comm(), |state, site| {
        wanted(address)?;
        wanted(bytes)?;
        let owner = whose.owner(state)?;
        state.kernel(site, BufferCall::Detach(owner))?;
        let mut attached = state.rare().attached.borrow_mut();
        let Some(at) = attached.iter().position(|given| given.owner == owner) else {
            put(address.cast::<usize>(), 0)?;
            return fitting(bytes, 0);
        };
        let mut given = attached.remove(at);
        given.give_back(state);
        let origin = CallPlace::at(site, "MPI_Buffer_detach");
        bounds::look_at_end(state, origin, given.address, given.bytes as u64);
        put(address.cast::<usize>(), given.address)?;
        fitting(bytes, given.bytes)
    })
}

fn start_flush(state: &State, site: Site, whose: Whose) -> Mpi<Reply> {
    state.kernel(site, BufferCall::StartFlush(whose.owner(state)?))
}

fn flush(whose: Whose) -> c_int {
    call(whose.comm(), |state, site| {
        if let Reply::Request(id) = start_flush(state, site, whose)? {
            state.kernel(site, RequestCall::Wait(vec![id], Completing::All))?;
        }
        Ok(())
    })
}

fn iflush(whose: Whose, request: *mut Handle) -> c_int {
    creating(whose.comm(), (request, handle::REQUEST_NULL), |state, site| {
        wanted(request)?;
        let reply = start_flush(state, site, whose)?;
        let at = (whose.comm(), CallPlace { call: "MPI_Buffer_iflush", site });
        request::started(state, reply, at, Work::Nothing, request)
    })
}

pub(super) extern "C-unwind" fn buffer_attach<N: Number>(buffer: *mut c_void, size: N) -> c_int {
    attach(Whose::Process, buffer as usize, size.wide())
}

pub(super) extern "C-unwind" fn buffer_detach<N: Number>(
    buffer: *mut c_void,
    size: *mut N,
) -> c_int {
    detach(Whose::Process, buffer, size)
}

pub(super) extern "C-unwind" fn buffer_flush() -> c_int {
    flush(Whose::Process)
}

pub(super) extern "C-unwind" fn buffer_iflush(request: *mut Handle) -> c_int {
    iflush(Whose::Process, request)
}

macro_rules! of_objects {
    ($($whose:ident: $attach:ident $detach:ident $flush:ident $iflush:ident;)*) => {$(
        pub(super) extern "C-unwind" fn $attach<N: Number>(
            object: Handle,
            buffer: *mut c_void,
            size: N,
        ) -> c_int {
            attach(Whose::$whose(object), buffer as usize, size.wide())
        }

        pub(super) extern "C-unwind" fn $detach<N: Number>(
            object: Handle,
            buffer: *mut c_void,
            size: *mut N,
        ) -> c_int {
            detach(Whose::$whose(object), buffer, size)
        }

        pub(super) extern "C-unwind" fn $flush(object: Handle) -> c_int {
            flush(Whose::$whose(object))
        }

        pub(super) extern "C-unwind" fn $iflush(object: Handle, request: *mut Handle) -> c_int {
            iflush(Whose::$whose(object), request)
        }
    )*};
}

of_objects! {
    Comm: comm_attach comm_detach comm_flush comm_iflush;
    Session: session_attach session_detach session_flush session_iflush;
}
