//! Initialisation and finalisation, timers, and queries about the library (MPI chapters 9 and 11).

use std::ffi::{c_char, c_int, c_void};

use mpi_api::{
    call::{ClockCall, ProcessCall, Reply, ReportCall, Site},
    check::{not_finalized::Outside, raised},
    finding::CallPlace,
    policy::Policy,
};

use super::{guard, info, text};
use crate::{
    constant::{Handle, class, handle, number},
    memory::{allocate, release},
    state::{
        Fault, Heritage, Info, Mpi, Stage, State, always, argument, call, here, in_any_thread,
        local, put, wanted,
    },
};

/// Like [`always`], for functions that older editions allow between init and finalize only.
fn anytime(body: impl FnOnce(&State, Site) -> Mpi) -> c_int {
    always(|state, site| {
        let (policy, outside) = match state.stage.get() {
            Stage::Fresh => (Policy::CallsBeforeInit, Outside::BeforeInit),
            Stage::Finalized => (Policy::CallsAfterFinalize, Outside::AfterFinalize),
            Stage::Running => return body(state, site),
        };
        if state.policies().differs(policy) {
            state.outside(site, outside);
        }
        body(state, site)
    })
}

fn begin(state: &State, site: Site, level: c_int) -> Mpi {
    if state.stage.get() == Stage::Running && state.policies().differs(Policy::SecondInit) {
        return Ok(());
    }
    if state.stage.get() != Stage::Fresh {
        state.outside(site, Outside::SecondInit);
        return Err(Fault::new(class::OTHER, Outside::SecondInit.text()));
    }
    state.set_stage(Stage::Running);
    if let Some(parents) = state.parents() {
        state.kernel(site, ProcessCall::Initialize)?;
        let heritage = Heritage::handler(handle::ERRORS_ARE_FATAL);
        let made = state.add_comm(site, parents, heritage)?;
        state.comm(made)?.name.replace("MPI_COMM_PARENT".into());
        state.parent.set(made);
    }
    let none = state.policies().differs(Policy::ThreadLevels);
    state.thread_level.set(if none { number::THREAD_SINGLE } else { level });
    state.begin_threads(site)
}

/// The levels of thread support.
pub(super) const LEVELS: [c_int; 4] = [
    number::THREAD_SINGLE,
    number::THREAD_FUNNELED,
    number::THREAD_SERIALIZED,
    number::THREAD_MULTIPLE,
];

pub(super) extern "C-unwind" fn init(
    _count: *mut c_int,
    _arguments: *mut *mut *mut c_char,
) -> c_int {
    always(|state, site| begin(state, site, number::THREAD_SINGLE))
}

pub(super) extern "C-unwind" fn init_thread(
    _count: *mut c_int,
    _arguments: *mut *mut *mut c_char,
    required: c_int,
    provided: *mut c_int,
) -> c_int {
    always(|state, site| {
        if !LEVELS.contains(&required) {
            return Err(Fault::new(class::ARG, format!("there is no thread level {required}")));
        }
        begin(state, site, required)?;
        put(provided, state.thread_level.get())
    })
}

pub(super) extern "C-unwind" fn finalize() -> c_int {
    local(|state, site| {
        // Attributes of MPI_COMM_SELF are deleted first (MPI 11.2.4), those of the world last.
        for object in [handle::COMM_SELF, handle::COMM_WORLD] {
            super::attribute::delete_all(state, object, &*state.comm(object)?)?;
        }
        // Objects of a session may be used until it ends (MPI 11.3), whose finalization does the rest.
        if !state.has_session() {
            state.report_leaks(site)?;
            state.kernel(site, ProcessCall::Finalize)?;
        }
        state.set_stage(Stage::Finalized);
        Ok(())
    })
}

pub(super) extern "C-unwind" fn initialized(flag: *mut c_int) -> c_int {
    always(|state, _| put(flag, c_int::from(state.stage.get() >= Stage::Running)))
}

pub(super) extern "C-unwind" fn finalized(flag: *mut c_int) -> c_int {
    anytime(|state, _| put(flag, c_int::from(state.stage.get() == Stage::Finalized)))
}

pub(super) extern "C-unwind" fn query_thread(level: *mut c_int) -> c_int {
    in_any_thread(handle::COMM_NULL, |state, _| put(level, state.thread_level.get()))
}

pub(super) extern "C-unwind" fn is_thread_main(flag: *mut c_int) -> c_int {
    in_any_thread(handle::COMM_NULL, |state, _| put(flag, c_int::from(state.is_main_thread())))
}

pub(super) extern "C-unwind" fn abort(comm: Handle, code: c_int) -> c_int {
    call(comm, |state, site| {
        let comm = state.comm(comm)?.info.id;
        state.tell_last_left(site);
        state.kernel(site, ProcessCall::Abort(comm, code)).map(|_| ())
    })
}

pub(super) extern "C-unwind" fn wtime() -> f64 {
    let (site, frame) = (here(), guest::site::frame());
    let Some(state) = State::current() else { return 0.0 };
    let time = match state.read_clock(site, frame) {
        Ok(Reply::Time(time)) => time.as_ps() as f64 * 1e-12,
        _ => 0.0,
    };
    state.attend_to_signals();
    time
}

pub(super) extern "C-unwind" fn wtick() -> f64 {
    1e-12
}

pub(super) extern "C-unwind" fn get_processor_name(name: *mut c_char, length: *mut c_int) -> c_int {
    always(|state, _| {
        text::write(&format!("node{}", state.node()), text::PROCESSOR_NAME, name, length)
    })
}

pub(super) extern "C-unwind" fn get_library_version(
    place: *mut c_char,
    length: *mut c_int,
) -> c_int {
    anytime(|_, _| {
        let version = concat!("Windtunnel ", env!("CARGO_PKG_VERSION"), " (simulated MPI)");
        text::write(version, text::LIBRARY_VERSION, place, length)
    })
}

/// Hardware resource types for splitting communicators: a node, under the standard's name and our
/// own.
pub(super) const RESOURCES: [&str; 2] = ["mpi_shared_memory", "windtunnel://node"];

/// Implements `MPI_Get_hw_resource_info`: every rank runs on one node (MPI 11.2.3).
pub(super) extern "C-unwind" fn get_hw_resource_info(place: *mut Handle) -> c_int {
    always(|state, _| {
        let node = (RESOURCES[1].to_string(), "true".to_string());
        put(place, info::add(state, Info(vec![node])))
    })
}

pub(super) extern "C-unwind" fn pcontrol(_level: c_int) -> c_int {
    always(|_, _| Ok(()))
}

/// Returns the alignment that the hints ask for (MPI 9.2): a power of two, by default that of
/// `malloc`.
fn alignment(state: &State, hints: Handle) -> Mpi<usize> {
    let hints = info::of(state, hints)?;
    let wanted = hints.0.iter().find(|(key, _)| key == "mpi_minimum_memory_alignment");
    let wanted = wanted.and_then(|(_, value)| value.parse().ok());
    let least = align_of::<libc::max_align_t>();
    Ok(wanted.filter(|bytes: &usize| bytes.is_power_of_two()).unwrap_or(least).max(least))
}

pub(super) extern "C-unwind" fn alloc_mem(size: i64, hints: Handle, place: *mut c_void) -> c_int {
    always(|state, site| {
        argument::at_least(0, class::ARG, "the size of the memory", size)?;
        wanted(place)?;
        let found = allocate(size as usize, alignment(state, hints)?);
        if found.is_null() {
            return Err(Fault::new(class::NO_MEM, format!("there are no {size} bytes of memory")));
        }
        let given = (size as usize, site);
        state.rare().memory.borrow_mut().insert(found as usize, given);
        put(place.cast::<*mut c_void>(), found)
    })
}

pub(super) extern "C-unwind" fn free_mem(memory: *mut c_void) -> c_int {
    always(|state, site| {
        if memory.is_null() {
            return Ok(());
        }
        let given = state.rare().memory.borrow_mut().remove(&(memory as usize));
        let (bytes, _) = given.ok_or_else(|| {
            Fault::new(class::BASE, "the memory is not what MPI_Alloc_mem gave, or was freed")
        })?;
        guard::freed(state, site, (memory as usize, bytes))?;
        release(memory);
        Ok(())
    })
}

/// Reports that the program has freed memory of `MPI_Alloc_mem` by a function of the C library.
pub(crate) fn freed_otherwise(state: &State, site: Site, start: usize) {
    let given = state.rare().memory.borrow_mut().remove(&start);
    if let Some((_, made)) = given {
        let freed = CallPlace::at(site, "free");
        let finding =
            raised::freed_otherwise(state.number(), freed, CallPlace::at(made, "MPI_Alloc_mem"));
        // A finding has no reply that could be an error.
        let _ = state.kernel(site, ReportCall::Finding(Box::new(finding)));
    }
}

/// Implements `windtunnel_compute`: processor time of the program, in seconds.
pub(super) extern "C-unwind" fn compute(seconds: f64) {
    let site = here();
    let Some(state) = State::current() else { return };
    // The conversion saturates; a time that is negative or no number is 0.
    let time = sim_core::SimDuration::from_ps((seconds * 1e12) as u64);
    // An error is ignored: the run may already be over.
    let _ = state.kernel(site, ClockCall::Compute(time));
}
