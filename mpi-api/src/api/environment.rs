//! The environment of a program (MPI chapters 9 and 11).

use std::string::FromUtf8Error;

use super::{
    ANY_SOURCE, Context, PROC_NULL, Rank, Tag, entering, has_entered, surroundings,
    topology::{SimpleCommunicator, delete_all},
};
pub use crate::call::Threading;
use crate::{
    call::{Buffer, BufferOwner, CommId, Operation, Reply, Site},
    policy::{Policies, Policy},
};

/// Said when MPI is initialized where there is no rank.
const OUTSIDE: &str = "MPI is initialized outside of a simulated run. A program becomes a rank when \
     Windtunnel calls it: rename `main` to `program` and let a new `main` return \
     `windtunnel::main_of(\"name\", std::sync::Arc::new(program))`; in a test, call \
     `windtunnel::Run::new(ranks).run(|world| ...)`. A thread of `std::thread` is no rank either: \
     `mpi::thread::spawn` starts one that may call MPI";

/// `MPI_Init` (MPI section 11.2): the first thing a program does. `None` the second time.
///
/// # Panics
/// If it is not called by a rank: the message says how a program becomes one.
#[track_caller]
pub fn initialize() -> Option<Universe> {
    let Some(entry) = entering().filter(|entry| entry.port.is_current()) else {
        assert!(Context::current().is_some_and(|context| context.is_running()), "{OUTSIDE}");
        return None;
    };
    let context = Context::new(entry);
    if context.parent().is_some() {
        context.call(Site::here(), Operation::Initialize);
    }
    Some(Universe { context })
}

/// `MPI_Init_thread` (MPI section 11.6.2): the level provided is the one asked for, unless the
/// policy is to have no threads.
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
    /// `MPI_COMM_WORLD`.
    pub fn world(&self) -> SimpleCommunicator {
        SimpleCommunicator::new(self.context.clone(), self.context.world().clone())
    }

    /// `MPI_Query_thread`: the level provided, which is `MPI_THREAD_SINGLE` after
    /// [`initialize`].
    pub fn threading_support(&self) -> Threading {
        self.context.level().get()
    }

    /// `MPI_UNIVERSE_SIZE`: how many ranks there may be at the same time; as many as the run began
    /// with if nothing was said about it.
    pub fn size(&self) -> Option<usize> {
        self.context.environment().universe.map(|size| size as usize)
    }

    /// `MPI_APPNUM`: which of the programs started together this is.
    pub fn appnum(&self) -> Option<isize> {
        Some(application_number() as isize)
    }

    /// Leaves those who have started this rank: `MPI_Comm_disconnect` of the
    /// [parent](super::topology::Communicator::parent), which is collective. Nothing happens on a
    /// rank that has none.
    #[track_caller]
    pub fn disconnect_parent(&mut self) {
        if let Some(parent) = self.context.leave_parent() {
            SimpleCommunicator::lent(self.context.clone(), parent).leave(Site::here());
        }
    }

    /// Size of the attached buffer in bytes; 0 without one.
    pub fn buffer_size(&self) -> usize {
        self.context.attached().get()
    }

    /// Attaches a buffer of `bytes` bytes in place of the present one.
    #[track_caller]
    pub fn set_buffer_size(&mut self, bytes: usize) {
        self.detach_buffer();
        self.attach_buffer(bytes);
    }

    /// `MPI_Buffer_attach` of `bytes` bytes (MPI section 3.6).
    #[track_caller]
    pub fn attach_buffer(&self, bytes: usize) {
        let operation = Operation::AttachBuffer(Buffer::of_process(bytes as u64));
        if self.context.call(Site::here(), operation).is_some() {
            self.context.attached().set(bytes);
        }
    }

    /// `MPI_Buffer_detach`: waits for buffered sends and gives the size back; 0, at once, if
    /// there is no buffer.
    #[track_caller]
    pub fn detach_buffer(&self) -> usize {
        if self.context.attached().replace(0) == 0 {
            return 0;
        }
        match self.context.call(Site::here(), Operation::DetachBuffer(BufferOwner::Process)) {
            Some(Reply::Detached(bytes)) => bytes as usize,
            _ => 0,
        }
    }
}

impl Universe {
    /// `MPI_Finalize` alone: an attached buffer stays attached, where dropping the universe
    /// detaches it first (MPI 5.0, 11.2.2).
    #[track_caller]
    pub fn finalize(self) {
        std::mem::ManuallyDrop::new(self).end();
    }

    #[track_caller]
    fn end(&self) {
        delete_all(&self.context, CommId::SELF);
        self.context.functions().clear();
        self.context.call(Site::here(), Operation::Finalize);
        self.context.set_finalized();
    }
}

impl Drop for Universe {
    #[track_caller]
    fn drop(&mut self) {
        self.detach_buffer();
        self.end();
    }
}

/// `MPI_Query_thread`: the level provided; `MPI_THREAD_SINGLE` outside of a program.
pub fn threading_support() -> Threading {
    Context::current().map_or(Threading::Single, |context| context.level().get())
}

/// `MPI_Initialized`: whether the rank has initialized MPI, be it that it has finalized since.
pub fn initialized() -> bool {
    has_entered() && Context::current().is_some()
}

/// `MPI_Finalized`: whether the rank has finalized MPI.
pub fn finalized() -> bool {
    has_entered() && Context::current().is_some_and(|context| context.is_finalized())
}

/// `MPI_Initialized`, under rsmpi's name.
pub fn is_initialized() -> bool {
    initialized()
}

/// `MPI_Finalized`, under rsmpi's name.
pub fn is_finalized() -> bool {
    finalized()
}

/// `MPI_INFO_ENV`: keys and values that describe how the program was started (MPI section
/// 11.2.1; the key of the address space is a draft's and there by policy alone).
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

/// The arguments of the program that runs, those that follow its name. `None` outside of a run.
pub fn arguments() -> Option<Vec<String>> {
    surroundings().map(|environment| environment.arguments.to_vec())
}

/// What holds in this run where editions of the standard disagree; the newest one's rules outside
/// of a program.
pub fn policies() -> Policies {
    Context::current().map_or(Policies::default(), |context| context.environment().policies)
}

/// `MPI_Wtime`: simulated seconds since the start of the program; 0 outside one.
#[track_caller]
pub fn time() -> f64 {
    let now = Context::current().and_then(|rank| rank.call(Site::here(), Operation::Now));
    match now {
        Some(Reply::Time(time)) => time.as_secs_f64(),
        _ => 0.0,
    }
}

/// `MPI_Wtick`: a picosecond.
pub fn time_resolution() -> f64 {
    1e-12
}

/// `MPI_Get_processor_name`: the node, so that ranks on one node have one name.
///
/// # Errors
/// Never; the type is rsmpi's.
pub fn processor_name() -> Result<String, FromUtf8Error> {
    let node = Context::current().map_or(0, |context| context.node());
    Ok(format!("node{node}"))
}

/// `MPI_APPNUM`: which of the commands started together the rank runs. Those that a run begins
/// with are started alone.
pub fn application_number() -> u32 {
    Context::current().map_or(0, |context| context.application())
}

/// `MPI_Get_version`: the edition of the standard.
pub fn version() -> (i32, i32) {
    (5, 0)
}

/// `MPI_TAG_UB`: the largest tag.
pub fn tag_upper_bound() -> Tag {
    Tag::MAX
}

/// `MPI_WTIME_IS_GLOBAL`: all ranks read the same clock.
pub fn time_is_global() -> bool {
    true
}

/// `MPI_IO`: a rank that can use files; [`ANY_SOURCE`] since all can.
pub fn io_rank() -> Rank {
    ANY_SOURCE
}

/// `MPI_HOST`: the rank that is the host; [`PROC_NULL`] since none is.
pub fn host_rank() -> Rank {
    PROC_NULL
}

/// `MPI_Get_library_version`.
///
/// # Errors
/// Never; the type is rsmpi's.
pub fn library_version() -> Result<String, FromUtf8Error> {
    Ok(format!("Windtunnel {}", env!("CARGO_PKG_VERSION")))
}
