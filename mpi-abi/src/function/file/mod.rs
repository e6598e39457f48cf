//! Input and output (MPI chapter 14). `open` opens, closes and resizes files, `object` has what files
//! have in common with other objects, `view` says which bytes a rank sees, `access` reads and writes
//! them, `split` in two calls, and `pointer` has the file pointers.

mod access;
mod object;
mod open;
mod pointer;
mod split;
mod view;

use std::{ffi::c_int, rc::Rc};

use mpi_api::{
    call::{Brought, CommId, FileCall, FileMeeting, ReportCall, Site},
    check::raised,
    error::ErrorClass,
    finding::CallSite,
};

use self::pointer::offset;
pub(super) use self::{access::*, object::*, open::*, pointer::*, split::*, view::*};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, File, Mpi, State, call},
};

/// Runs the body of a function about a file, whose error handler handles the errors.
fn on_file(file: Handle, body: impl FnOnce(&State, Site, &Rc<File>) -> Mpi) -> c_int {
    call(handle::COMM_NULL, |state, site| {
        let found = match state.file(file) {
            Ok(found) => found,
            Err(fault) => return Err(hear_without_file(state, site, fault)),
        };
        body(state, site, &found).map_err(|fault| hear(state, site, (file, &found), fault))
    })
}

/// Like [`on_file`], for a collective call, which may not be made while a split access is under way.
fn with_all(file: Handle, body: impl FnOnce(&State, Site, &Rc<File>) -> Mpi) -> c_int {
    on_file(file, |state, site, found| {
        found.no_split()?;
        body(state, site, found)
    })
}

/// Reports whether an error may occur in a correct program: it depends on the host's files.
fn depends_on_host(code: i32, opening: bool) -> bool {
    match code {
        class::IO
        | class::NO_SPACE
        | class::QUOTA
        | class::CONVERSION
        | class::UNSUPPORTED_DATAREP => true,
        class::FILE | class::AMODE | class::ARG | class::COMM | class::INFO => false,
        _ => opening,
    }
}

/// Reports a call that is wrong in itself if the program has not said what is done with errors: by
/// default they are returned, and most programs do not look.
fn report(state: &State, site: Site, fault: &Fault) {
    let (place, error) = state.failed_call(site, fault, "a call about a file");
    let mut finding = raised::returned(place, &error);
    if error.class == ErrorClass::File {
        finding.sites.extend(state.rare().unopened.borrow().clone());
    }
    // A finding has no reply that could be an error.
    let _ = state.kernel(site, ReportCall::Finding(Box::new(finding)));
}

/// Passes an error to an error handler of files, which the program may have `chosen`.
fn hear_by(
    state: &State,
    site: Site,
    (handler, chosen): (Handle, bool),
    (object, opening): ((Handle, CommId), bool),
    fault: Fault,
) -> Fault {
    let is_wrong = !depends_on_host(fault.code, opening);
    if chosen {
        let is_wrong = is_wrong || fault.is_wrong;
        return state.hear(site, handler, object, Fault { is_wrong, ..fault });
    }
    if !fault.heard && is_wrong {
        report(state, site, &fault);
    }
    state.pass_on(site, handler, object, fault)
}

/// Keeps the call that has opened no file: later ones are given none because of it.
fn note_unopened(state: &State, site: Site, fault: &Fault) {
    if !fault.heard {
        let (place, error) = state.failed_call(site, fault, "a call about a file");
        let label = format!("no file is opened here: {error}");
        state.rare().unopened.replace(Some(CallSite { label, ..place }));
    }
}

/// Passes an error to the error handler of a file.
fn hear(state: &State, site: Site, (handle, file): (Handle, &File), fault: Fault) -> Fault {
    let by = (file.handler.get(), file.chosen.get());
    hear_by(state, site, by, ((handle, file.info.id), false), fault)
}

/// Passes an error of a call without a file to the error handler of `MPI_FILE_NULL`.
fn hear_without_file(state: &State, site: Site, fault: Fault) -> Fault {
    let by = state.rare().file_handler.get();
    hear_by(state, site, by, ((handle::FILE_NULL, CommId::WORLD), true), fault)
}

/// Comes to a meeting of the ranks of a file, which brings this rank nothing and is not waited for.
fn come(state: &State, site: Site, file: &File, what: FileMeeting, brought: Brought) -> Mpi {
    let call = FileCall::Meet(file.id(), Box::new(what), brought);
    state.kernel(site, call).map(|_| ())
}

/// Meets the other ranks of a file and waits until the meeting has taken effect.
fn meet(state: &State, site: Site, file: &File, what: FileMeeting, brought: Brought) -> Mpi {
    state.kernel(site, FileCall::Meet(file.id(), Box::new(what), brought))?;
    state.kernel(site, FileCall::Outcome(file.id())).map(|_| ())
}
