//! The environment of a program (MPI chapters 9 and 11).

use std::string::FromUtf8Error;

use sim_core::with_caller_state;

use super::{
    ANY_SOURCE, Context, PROC_NULL, Rank, Tag, entering, has_entered, surroundings,
    topology::{SimpleCommunicator, delete_all},
};
pub use crate::call::Threading;
use crate::{
    call::{Buffer, BufferCall, BufferOwner, ClockCall, CommId, ProcessCall, Reply, Site},
    policy::{Policies, Policy},
};

/// The panic message of an initialization outside a rank.
const OUTSIDE: &str = "MPI is initialized outside of a simulated run. A program becomes a rank when \
     Windtunnel calls it: rename `main` to `program` and let a new `main` return \
     `windtunnel::main_of(\"name\", std::sync::Arc::new(program))`; in a test, call \
     `windtunnel::Run::new(ranks).run(|world| ...)`. A thread of `std::thread` is no rank either: \
     `mpi::thread::spawn` starts one that may call MPI";

/// Initializes MPI on the calling rank (`MPI_Init`, MPI section 11.2); returns `None` the second
/// time.
///
/// # Panics
/// If the caller is not a rank; the message explains how a program becomes one.
#[track_caller]
pub fn initialize() -> Option<Universe> {
    let Some(entry) = entering().filter(|entry| entry.port.is_current()) else {
        assert!(Context::current().is_some_and(|context| context.is_running()), "{OUTSIDE}");
        return None;
    };
    let context = Context::new(entry);
    if context.parent().is_some() {
        context.call(Site::here(), ProcessCall::Initialize);
    }
    Some(Universe { context })
}

/// Initializes MPI with a thread level (`MPI_Init_thread`, MPI section 11.6.2). The level provided
/// is the one requested, unless the policy excludes threads.
#[track_caller]
pub fn initialize_with_threading(threading: Threading) -> Option<(Universe, Threading)> {
    let universe = initialize()?;
    let none = universe.context.environment().policies.differs(Policy::ThreadLevels);
    let provided = if none { Threading::Single } else { threading };
    universe.context.level().set(provided);
    Some((universe, provided))
}

/// A rank between `MPI_Init` and `MPI_Finalize`; dropping it detaches its buffer and finalizes.
pub struct Universe {
    context: Context,
}

impl Universe {
    /// Returns `MPI_COMM_WORLD`.
    pub fn world(&self) -> SimpleCommunicator {
        SimpleCommunicator::new(self.context.clone(), self.context.world().clone())
    }

    /// Returns the thread level provided (`MPI_Query_thread`), which is `MPI_THREAD_SINGLE` after
    /// [`initialize`].
    pub fn threading_support(&self) -> Threading {
        self.context.level().get()
    }

    /// Returns how many ranks there may be at the same time (`MPI_UNIVERSE_SIZE`); by default the
    /// number that the run started with.
    pub fn size(&self) -> Option<usize> {
        self.context.environment().universe.map(|size| size as usize)
    }

    /// Returns the index of this rank's program among those started together (`MPI_APPNUM`).
    pub fn appnum(&self) -> Option<isize> {
        Some(application_number() as isize)
    }

    /// Disconnects from the ranks that spawned this one: `MPI_Comm_disconnect` of the
    /// [parent](super::topology::Communicator::parent), which is collective. Does nothing on a rank
    /// without a parent.
    #[track_caller]
    pub fn disconnect_parent(&mut self) {
        if let Some(parent) = self.context.leave_parent() {
            SimpleCommunicator::lent(self.context.clone(), parent).leave(Site::here());
        }
    }

    /// Returns the size of the attached buffer in bytes; 0 without one.
    pub fn buffer_size(&self) -> usize {
        self.context.attached().get().unwrap_or(0)
    }

    /// Attaches a buffer of `bytes` bytes, after detaching the current one.
    #[track_caller]
    pub fn set_buffer_size(&mut self, bytes: usize) {
        self.detach_buffer();
        self.attach_buffer(bytes);
    }

    /// Attaches a buffer of `bytes` bytes (`MPI_Buffer_attach`, MPI section 3.6).
    #[track_caller]
    pub fn attach_buffer(&self, bytes: usize) {
        let operation = BufferCall::Attach(Buffer::of_process(bytes as u64));
        if self.context.call(Site::here(), operation).is_some() {
            self.context.attached().set(Some(bytes));
        }
    }

    /// Waits for buffered sends, detaches the buffer and returns its size in bytes
    /// (`MPI_Buffer_detach`); returns 0 at once if there is none.
    #[track_caller]
    pub fn detach_buffer(&self) -> usize {
        self.detach_at(Site::here())
    }

    fn detach_at(&self, site: Site) -> usize {
        if self.context.attached().take().is_none() {
            return 0;
        }
        match self.context.call(site, BufferCall::Detach(BufferOwner::Process)) {
            Some(Reply::Detached(bytes)) => bytes as usize,
            _ => 0,
        }
    }
}

impl Universe {
    /// Finalizes MPI (`MPI_Finalize`) and leaves an attached buffer attached, whereas dropping the
    /// universe detaches it first (MPI 5.0, 11.2.2).
    #[track_caller]
    pub fn finalize(self) {
        std::mem::ManuallyDrop::new(self).end(Site::here());
    }

    fn end(&self, site: Site) {
        delete_all(&self.context, CommId::SELF);
        self.context.functions().clear();
        self.context.report_open_files();
        self.context.call(site, ProcessCall::Finalize);
        self.context.set_finalized();
    }
}

impl Drop for Universe {
    /// Detaches an attached buffer and finalizes MPI. No line of the program makes these calls.
    fn drop(&mut self) {
        self.detach_at(Site::NOWHERE);
        self.end(Site::NOWHERE);
    }
}

/// Returns the thread level provided (`MPI_Query_thread`); `MPI_THREAD_SINGLE` outside a program.
pub fn threading_support() -> Threading {
    Context::current().map_or(Threading::Single, |context| context.level().get())
}

/// Reports whether the rank has initialized MPI, even if it has finalized it since
/// (`MPI_Initialized`).
pub fn initialized() -> bool {
    has_entered() && Context::current().is_some()
}

/// Reports whether the rank has finalized MPI (`MPI_Finalized`).
pub fn finalized() -> bool {
    has_entered() && Context::current().is_some_and(|context| context.is_finalized())
}

/// Does the same as [`initialized`], under rsmpi's name.
pub fn is_initialized() -> bool {
    initialized()
}

/// Does the same as [`finalized`], under rsmpi's name.
pub fn is_finalized() -> bool {
    finalized()
}

/// Returns the keys and values of `MPI_INFO_ENV`, which describe how the program was started (MPI
/// section 11.2.1). The key of the address space comes from a draft and is present only by policy.
pub fn info() -> Vec<(&'static str, String)> {
    let Some(context) = Context::current() else { return Vec::new() };
    let size = context.world().group.size();
    let environment = context.environment();
    let mut info = vec![
        ("maxprocs", size.to_string()),
        ("soft", size.to_string()),
        ("thread_level", context.level().get().name().into()),
    ];
    if environment.policies.differs(Policy::AddressSpaceKey) {
        let key = environment.policies.value(Policy::AddressSpaceKey);
        info.push((key, context.address_space().ranks.to_string()));
    }
    info
}

/// Returns the arguments of the running program, without its name; `None` outside a run.
pub fn arguments() -> Option<Vec<String>> {
    surroundings().map(|environment| environment.arguments.to_vec())
}

/// Returns the rules of this run where editions of the standard differ; those of the newest edition
/// outside a program.
pub fn policies() -> Policies {
    Context::current().map_or(Policies::default(), |context| context.environment().policies)
}

/// Reports whether this run carries all data. If it does not, buffers that receive large messages
/// stay as they are, and a program has nothing to compare its results with.
pub fn carries_all_data() -> bool {
    surroundings().is_none_or(|environment| environment.carried.is_none())
}

/// Returns simulated seconds since the start of the program (`MPI_Wtime`); 0 outside one.
#[track_caller]
pub fn time() -> f64 {
    let site = Site::here();
    let read = |state| Context::current()?.call(site, ClockCall::Now(state));
    let now = with_caller_state(0, read);
    match now {
        Some(Reply::Time(time)) => time.as_secs_f64(),
        _ => 0.0,
    }
}

/// Returns the resolution of [`time`] in seconds, a picosecond (`MPI_Wtick`).
pub fn time_resolution() -> f64 {
    1e-12
}

/// Returns the name of the rank's node (`MPI_Get_processor_name`).
///
/// # Errors
/// Never; the type is rsmpi's.
pub fn processor_name() -> Result<String, FromUtf8Error> {
    let node = Context::current().map_or(0, |context| context.node());
    Ok(format!("node{node}"))
}

/// Returns the index of the rank's program among those started together (`MPI_APPNUM`); 0 for the
/// initial program of a run.
pub fn application_number() -> u32 {
    Context::current().map_or(0, |context| context.application())
}

/// Returns version and subversion of the standard (`MPI_Get_version`).
pub fn version() -> (i32, i32) {
    (5, 0)
}

/// Returns the largest tag (`MPI_TAG_UB`).
pub fn tag_upper_bound() -> Tag {
    Tag::MAX
}

/// Returns true: all ranks read the same clock (`MPI_WTIME_IS_GLOBAL`).
pub fn time_is_global() -> bool {
    true
}

/// Returns the rank that can use files (`MPI_IO`): [`ANY_SOURCE`], since all can.
pub fn io_rank() -> Rank {
    ANY_SOURCE
}

/// Returns the rank that is the host (`MPI_HOST`): [`PROC_NULL`], since none is.
pub fn host_rank() -> Rank {
    PROC_NULL
}

/// Returns the name and version of the library (`MPI_Get_library_version`).
///
/// # Errors
/// Never; the type is rsmpi's.
pub fn library_version() -> Result<String, FromUtf8Error> {
    Ok(format!("Windtunnel {}", env!("CARGO_PKG_VERSION")))
}
