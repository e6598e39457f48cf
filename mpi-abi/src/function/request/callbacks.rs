//! The program's functions of a generalized request.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
};

use super::super::status::layout::Status;
use crate::state::fault::{Fault, Mpi};

/// The callback type `MPI_Grequest_query_function`.
pub(super) type Query = extern "C-unwind" fn(*mut c_void, *mut Status) -> c_int;
/// The callback type `MPI_Grequest_free_function`.
pub(super) type Free = extern "C-unwind" fn(*mut c_void) -> c_int;
/// The callback type `MPI_Grequest_cancel_function`.
pub(super) type Cancel = extern "C-unwind" fn(*mut c_void, c_int) -> c_int;

/// The program's functions, and the state of the request.
pub(crate) struct Generalized {
    pub(super) query: Query,
    pub(super) free: Free,
    pub(super) cancel: Cancel,
    pub(super) extra: *mut c_void,
    pub(super) completed: Cell<bool>,
    /// Whether the request was freed before completion; the free function is then called at
    /// completion.
    pub(super) freed: Cell<bool>,
}

fn told(code: c_int, which: &str) -> Mpi {
    match code {
        0 => Ok(()),
        code => Err(Fault::new(code, format!("the {which} function of a generalized request"))),
    }
}

impl Generalized {
    /// Calls the program's query function, which fills in the status.
    pub(super) fn query(&self, status: &mut Status) -> Mpi {
        told((self.query)(self.extra, std::ptr::from_mut(status)), "query")
    }

    /// Ends a request after a wait: queries its status and frees it.
    pub(super) fn end(&self, status: &mut Status) -> Mpi {
        let asked = self.query(status);
        let freed = self.free();
        asked.and(freed)
    }

    pub(super) fn cancel(&self) -> Mpi {
        told((self.cancel)(self.extra, c_int::from(self.completed.get())), "cancel")
    }

    /// Calls the program's free function.
    pub(super) fn free(&self) -> Mpi {
        told((self.free)(self.extra), "free")
    }
}
