//! Error handling, and the findings that a rank reports about itself.

use std::rc::Rc;

use mpi_api::{
    call::{CommId, ErrorCall, Operation, ReportCall, Site},
    check::{
        not_finalized::{self, Outside},
        raised,
    },
    error::{ErrorClass, MpiError},
    finding::{CallSite, Finding, Leak, Object},
};

use super::{
    cached::made_once,
    fault::{Fault, Mpi},
    left,
    object::Comm,
    rank::State,
};
use crate::constant::{Handle, class, handle};

/// Reports whether a call communicates with other ranks or waits for them. A program that gives up frees what it has, which
/// does not.
fn communicates(operation: &Operation) -> bool {
    match operation {
        Operation::Message(_)
        | Operation::Request(_)
        | Operation::Probe(_)
        | Operation::Partitioned(_)
        | Operation::Collective(_)
        | Operation::Window(_)
        | Operation::File(_) => true,
        Operation::Buffer(_)
        | Operation::Comm(_)
        | Operation::Process(_)
        | Operation::Port(_)
        | Operation::Type(_)
        | Operation::Error(_)
        | Operation::Report(_)
        | Operation::Clock(_)
        | Operation::Thread(_)
        | Operation::Tool(_) => false,
    }
}

impl State {
    /// Reports whether an error was left to the program.
    pub(super) fn has_left_error(&self) -> bool {
        self.rare_if_any().is_some_and(|rare| rare.first_left.get().is_some())
    }

    /// Notes that the program goes on after an error that was left to it, if there was one.
    pub(super) fn note_going_on(&self, operation: &Operation) {
        if self.has_left_error() && communicates(operation) {
            left::note_going_on(self.number());
        }
    }

    /// Reports groups and operations that were never freed; the kernel reports other objects.
    pub(crate) fn report_leaks(&self, site: Site) -> Mpi {
        self.report_cached_types(site)?;
        let windows: Vec<Site> = self.windows.borrow().iter().map(|window| window.site).collect();
        for made in windows {
            self.kernel(site, ReportCall::Leak(Leak::Object(Object::Window), made))?;
        }
        let files = self.files.get().map_or(Vec::new(), |files| {
            files.borrow().iter().map(|file| file.site).collect::<Vec<Site>>()
        });
        for opened in files {
            self.kernel(site, ReportCall::Leak(Leak::Object(Object::File), opened))?;
        }
        let Some(rare) = self.rare_if_any() else { return Ok(()) };
        let groups = rare.groups.borrow();
        let mut leaks: Vec<(Leak, Site)> =
            groups.iter().map(|kept| (Leak::Object(Object::Group), kept.site)).collect();
        drop(groups);
        let ops: Vec<(Handle, Site)> =
            rare.ops.borrow().entries().map(|(handle, (_, site))| (handle, *site)).collect();
        let cached = self.cached(&ops);
        leaks.extend(ops.iter().map(|(handle, site)| match cached.contains(handle) {
            true => (Leak::Cached(Object::Operation), *site),
            false => (Leak::Object(Object::Operation), *site),
        }));
        for (leak, made) in leaks {
            self.kernel(site, ReportCall::Leak(leak, made))?;
        }
        Ok(())
    }

    /// Returns objects that may be freed even after MPI has been finalized, and had not been when
    /// the program ended.
    pub(crate) fn kept(&self) -> Vec<(Object, Site)> {
        let Some(rare) = self.rare_if_any() else { return Vec::new() };
        let infos = rare.infos.borrow();
        let infos = infos.iter().map(|(_, site)| (Object::InfoObject, *site));
        let handlers = rare.handlers.borrow();
        let held = handlers.iter().filter(|handler| handler.handles.get() > 0);
        let memory = rare.memory.borrow();
        let memory = memory.values().map(|(_, site)| (Object::MemoryBlock, *site));
        let held = held.map(|handler| (Object::ErrorHandler, handler.site));
        let keys = rare.keyvals.borrow();
        let keys = keys.iter().filter(|(_, key)| !key.freed);
        let keys: Vec<_> = keys.map(|(number, key)| (*number as Handle, key.site)).collect();
        // A key that a place has made once is one for the whole run, as in the example of the standard (MPI 7.7.6).
        let lasting = made_once(&keys);
        let keys = keys.iter().filter(|(number, _)| !lasting.contains(number));
        let keys = keys.map(|(_, made)| (Object::AttributeKey, *made));
        infos.chain(held).chain(memory).chain(keys).collect()
    }

    /// Reports a call of MPI before initialization or after finalization: the run ends.
    pub(crate) fn outside(&self, site: Site, what: Outside) -> i32 {
        let rank = self.number();
        let finding = not_finalized::outside(rank, site, what);
        // The run ends here: there is no reply.
        let _ = self.kernel(site, ReportCall::Fatal(Box::new(finding)));
        class::OTHER
    }

    /// Returns the communicator whose error handler is called, and its handle. An error that
    /// concerns no communicator is raised on `MPI_COMM_SELF` (MPI 9.3), and up to MPI 4.0 on
    /// `MPI_COMM_WORLD`; so it is raised there if the program has set a handler on the world alone.
    fn hearing(&self, comm: Handle) -> Option<(Handle, Rc<Comm>)> {
        let comms = self.comms.borrow();
        let of = |comm| comms.get(comm).map(|found| (comm, Rc::clone(found)));
        let own = of(comm).filter(|_| comm != handle::COMM_SELF);
        let set = |(_, comm): &(Handle, Rc<Comm>)| comm.handler.get() != handle::ERRORS_ARE_FATAL;
        own.or_else(|| of(handle::COMM_SELF).filter(set)).or_else(|| of(handle::COMM_WORLD))
    }

    /// Tells the kernel the error handler of a communicator; C functions are called by this crate.
    pub(crate) fn tell_handler(&self, site: Site, comm: &Comm) -> Mpi {
        let handler = handle::told(comm.handler.get());
        self.kernel(site, ErrorCall::SetHandler(comm.info.id, handler)).map(|_| ())
    }

    /// Returns the place and the error of a call that failed, for findings; `unknown` is its name if none is known.
    pub(crate) fn failed_call(
        &self,
        site: Site,
        fault: &Fault,
        unknown: &'static str,
    ) -> (CallSite, MpiError) {
        let call = site.call_or(unknown);
        let place = CallSite::new(self.number(), call, site.known(), fault.text.clone());
        (place, self.error_of(fault.within.unwrap_or(fault.code), fault))
    }

    /// Converts an error for the kernel, as one of this code.
    fn error_of(&self, code: i32, fault: &Fault) -> MpiError {
        let class = self.rare().codes.borrow().class_of(code).ok().flatten();
        let error = MpiError::new(class.unwrap_or(ErrorClass::Other), fault.text.clone());
        MpiError { code, origin: fault.origin, ..error }
    }

    /// Reports whether an error on the communicator ends the run.
    pub(crate) fn is_fatal(&self, comm: Handle) -> bool {
        self.hearing(comm).is_none_or(|(_, heard)| heard.is_fatal())
    }

    /// Raises an error on a communicator; returns the code that the MPI call returns.
    pub(crate) fn fail(&self, site: Site, comm: Handle, fault: Fault) -> i32 {
        if fault.heard {
            return fault.code;
        }
        let Some((comm, heard)) = self.hearing(comm) else { return fault.code };
        self.tell_left(site, heard.handler.get(), &fault);
        self.handle(site, heard.handler.get(), (comm, heard.info.id), fault)
    }

    /// Passes an error to the error handler of an object that is not a communicator, unless a handler
    /// has had it; `id` is the communicator that fails with the object.
    pub(crate) fn hear(
        &self,
        site: Site,
        handler: Handle,
        object: (Handle, CommId),
        fault: Fault,
    ) -> Fault {
        if !fault.heard {
            self.tell_left(site, handler, &fault);
        }
        self.pass_on(site, handler, object, fault)
    }

    /// Like [`Self::hear`], for an error that was told.
    pub(crate) fn pass_on(
        &self,
        site: Site,
        handler: Handle,
        object: (Handle, CommId),
        fault: Fault,
    ) -> Fault {
        if fault.heard {
            return fault;
        }
        let code = self.handle(site, handler, object, fault);
        Fault { heard: true, ..Fault::new(code, String::new()) }
    }

    /// Tells of a wrong call whose error the program is to handle, if it is the first one, and keeps it otherwise: a program
    /// that handles errors may make many.
    fn tell_left(&self, site: Site, handler: Handle, fault: &Fault) {
        if handle::is_fatal(handler) || self.combining.get() {
            return;
        }
        let (place, error) = self.failed_call(site, fault, "a call");
        if !(fault.is_wrong || raised::is_of_call(error.class)) {
            return;
        }
        let finding = raised::left_to_program(place, &error);
        let first = &self.rare().first_left;
        match first.get() {
            Some(known) => left::note_error(self.number(), (known != site).then_some(finding)),
            None => {
                left::note_error(self.number(), None);
                first.set(Some(site));
                self.note_quiet();
                // A finding has no reply that could be an error.
                let _ = self.kernel(site, ReportCall::Finding(Box::new(finding)));
            }
        }
    }

    /// Tells of the last error that was left to the program, which now ends itself.
    pub(crate) fn tell_last_left(&self, site: Site) {
        if let Some(finding) = self.last_left() {
            let _ = self.kernel(site, ReportCall::Finding(finding));
        }
    }

    /// Takes what is to be told of the last error that was left to the program.
    pub(crate) fn last_left(&self) -> Option<Box<Finding>> {
        left::take_last(self.number())
    }

    /// Calls the error handler of an object as the program asks for; no call is wrong.
    pub(crate) fn call_handler(
        &self,
        site: Site,
        handler: Handle,
        object: (Handle, CommId),
        code: i32,
    ) {
        self.handle(site, handler, object, Fault::new(code, "raised by the program"));
    }

    /// Passes an error on an object to an error handler; `id` is the communicator that fails with
    /// it.
    fn handle(
        &self,
        site: Site,
        handler: Handle,
        (object, id): (Handle, CommId),
        fault: Fault,
    ) -> i32 {
        match handler {
            handle::ERRORS_RETURN => {}
            handle::ERRORS_ARE_FATAL | handle::ERRORS_ABORT => {
                let error = self.error_of(fault.code, &fault);
                // The kernel ends the run: the call does not return.
                let call = site.call_or("a call");
                let _ = self.kernel(site, ErrorCall::Raise { comm: id, call, error });
            }
            own => {
                let function =
                    self.rare().handlers.borrow().get(own).map(|handler| handler.function);
                if let Some(function) = function {
                    let (mut object, mut code) = (object, fault.code);
                    function(&raw mut object, &raw mut code);
                }
            }
        }
        fault.code
    }
}
