//! Files (MPI chapter 14).
//!
//! A [`File`] is opened by all ranks of a communicator and owns a duplicate of it, so that its collective
//! calls match no others. Dropping it closes it, which is collective, too. Offsets and file pointers count
//! elementary types of the [view](File::set_view), which are bytes at first. Errors come back as values.
//!
//! ```no_run
//! use mpi_api::api::{file::OpenOptions, initialize, traits::*};
//!
//! # fn main() -> Result<(), mpi_api::api::MpiError> {
//! let universe = initialize().expect("once");
//! let world = universe.world();
//! let file = OpenOptions::new().write(true).create(true).open(&world, "ranks.bin")?;
//! file.write_at_all(8 * i64::from(world.rank()), &[f64::from(world.rank())][..])?;
//! file.close()
//! # }
//! ```

mod access;
mod options;

pub use self::options::OpenOptions;
use super::{
    MpiError,
    datatype::Datatype,
    topology::{Communicator, SimpleCommunicator},
};
pub use crate::call::Whence;
use crate::{
    call::{Brought, CommCall, FileCall, FileId, FileMeeting, FileMode, Pointer, Reply, Site},
    error::ErrorClass,
    file_system,
    object::{hints::FileHints, view::View},
};

/// An open file.
pub struct File {
    comm: SimpleCommunicator,
    /// Whether it is open for writing.
    writes: bool,
    /// Whether the ranks know that it is closed.
    closed: bool,
}

/// Deletes a file (`MPI_File_delete`).
///
/// # Errors
/// Returns an error if the file cannot be deleted, or the run has no files.
#[track_caller]
pub fn delete(comm: &impl Communicator, name: &str) -> Result<(), MpiError> {
    let comm = comm.as_simple();
    let name = resolved(comm, name)?;
    ask(comm, Site::here(), FileCall::Delete(name)).map(|_| ())
}

/// Returns the name of a file as the provider of files knows it.
fn resolved(comm: &SimpleCommunicator, name: &str) -> Result<String, MpiError> {
    let files = file_system::provided()
        .ok_or_else(|| MpiError::new(ErrorClass::UnsupportedOperation, "this run has no files"))?;
    files.resolve(name, comm.context.environment().files.as_deref())
}

/// Makes a call about a file; an error is returned, not kept.
fn ask(comm: &SimpleCommunicator, site: Site, call: FileCall) -> Result<Reply, MpiError> {
    let unwound = || MpiError::new(ErrorClass::Other, "the rank is ending");
    let reply = comm.context.call(site, call);
    reply.ok_or_else(|| comm.context.take_error().unwrap_or_else(unwound))
}

impl File {
    fn open(
        parent: &SimpleCommunicator,
        name: &str,
        (mode, hints): (FileMode, FileHints),
        site: Site,
    ) -> Result<Self, MpiError> {
        let name = resolved(parent, name)?;
        let unwound = || MpiError::new(ErrorClass::Other, "the rank is ending");
        let comm = parent.make(site, CommCall::Duplicate(parent.info.id));
        let comm = comm.ok_or_else(|| parent.context.take_error().unwrap_or_else(unwound))?;
        // It is closed until the ranks have opened it together.
        let mut file = Self { comm, writes: mode.writes, closed: true };
        file.meet(FileMeeting::Open(name, mode), Brought::Hints(Box::new(hints)), site)?;
        file.closed = false;
        file.comm.context.open_files().borrow_mut().insert(file.comm.info.id, site);
        Ok(file)
    }

    fn id(&self) -> FileId {
        FileId(self.comm.info.id)
    }

    fn ask(&self, call: FileCall, site: Site) -> Result<Reply, MpiError> {
        ask(&self.comm, site, call)
    }

    /// Meets the other ranks and waits until the meeting has taken effect.
    fn meet(&self, what: FileMeeting, brought: Brought, site: Site) -> Result<(), MpiError> {
        self.ask(FileCall::Meet(self.id(), Box::new(what), brought), site)?;
        self.ask(FileCall::Outcome(self.id()), site).map(|_| ())
    }

    fn number(&self, call: FileCall, site: Site) -> Result<i64, MpiError> {
        match self.ask(call, site)? {
            Reply::Offset(offset) => Ok(offset),
            _ => Ok(0),
        }
    }

    /// Closes the file (`MPI_File_close`): collective. Dropping it does the same and ignores errors.
    ///
    /// # Errors
    /// Returns an error if the file was opened with [`OpenOptions::delete_on_close`] and cannot be deleted.
    #[track_caller]
    pub fn close(mut self) -> Result<(), MpiError> {
        self.end(Site::here())
    }

    fn end(&mut self, site: Site) -> Result<(), MpiError> {
        self.closed = true;
        self.comm.context.open_files().borrow_mut().remove(&self.comm.info.id);
        self.meet(FileMeeting::Close, Brought::Nothing, site)
    }

    /// Sets the view of this rank (`MPI_File_set_view`): collective. From byte `displacement` on the file is
    /// made of elements of `filetype` one behind the other, and the rank sees their data only. Offsets
    /// count elements of `etype`, of which `filetype` must consist; all file pointers are set to 0.
    ///
    /// # Errors
    /// Returns an error if `filetype` is not made of `etype`, has displacements that are negative or decrease, or,
    /// in a file that is written, has parts that overlap. Writing more elements than one is an error if they overlap.
    #[track_caller]
    pub fn set_view(
        &self,
        displacement: u64,
        etype: &impl Datatype,
        filetype: &impl Datatype,
    ) -> Result<(), MpiError> {
        let (unit, layout) = (etype.kind().size(), filetype.kind().layout());
        let tile = (layout.blocks(), layout.extent());
        let view = View::of(displacement, (unit, layout.size()), tile, self.writes)?;
        let what = FileMeeting::SetView(unit, "native".into());
        let brought = Brought::View(Box::new(view), Box::default());
        self.meet(what, brought, Site::here())
    }

    /// Moves the file pointer of this rank (`MPI_File_seek`).
    ///
    /// # Errors
    /// Returns an error if the new place lies in front of the view.
    #[track_caller]
    pub fn seek(&self, offset: i64, from: Whence) -> Result<(), MpiError> {
        self.ask(FileCall::Seek(self.id(), offset, from), Site::here()).map(|_| ())
    }

    /// Moves the shared file pointer (`MPI_File_seek_shared`): collective.
    ///
    /// # Errors
    /// Returns an error if the new place lies in front of the view.
    #[track_caller]
    pub fn seek_shared(&self, offset: i64, from: Whence) -> Result<(), MpiError> {
        self.meet(FileMeeting::SeekShared(offset, from), Brought::Nothing, Site::here())
    }

    /// Returns the file pointer of this rank (`MPI_File_get_position`).
    ///
    /// # Errors
    /// Returns an error if the file is closed.
    #[track_caller]
    pub fn position(&self) -> Result<i64, MpiError> {
        self.number(FileCall::Position(self.id(), Pointer::Individual), Site::here())
    }

    /// Returns the shared file pointer (`MPI_File_get_position_shared`).
    ///
    /// # Errors
    /// Returns an error if the file is closed.
    #[track_caller]
    pub fn position_shared(&self) -> Result<i64, MpiError> {
        self.number(FileCall::Position(self.id(), Pointer::Shared), Site::here())
    }

    /// Returns the place in the file of an offset of the view, in bytes (`MPI_File_get_byte_offset`).
    ///
    /// # Errors
    /// Returns an error if the view has no such offset.
    #[track_caller]
    pub fn byte_offset(&self, offset: i64) -> Result<i64, MpiError> {
        self.number(FileCall::Byte(self.id(), offset), Site::here())
    }

    /// Returns the size in bytes (`MPI_File_get_size`).
    ///
    /// # Errors
    /// Returns an error if the host cannot tell.
    #[track_caller]
    pub fn size(&self) -> Result<u64, MpiError> {
        self.number(FileCall::Size(self.id()), Site::here()).map(|size| size as u64)
    }

    /// Changes the size in bytes (`MPI_File_set_size`): collective.
    ///
    /// # Errors
    /// Returns an error if the file is open for reading only, or the host refuses.
    #[track_caller]
    pub fn set_size(&self, bytes: u64) -> Result<(), MpiError> {
        let bytes = i64::try_from(bytes).unwrap_or(-1);
        self.meet(FileMeeting::Resize(bytes), Brought::Nothing, Site::here())
    }

    /// Makes the file at least `bytes` long (`MPI_File_preallocate`): collective.
    ///
    /// # Errors
    /// Returns an error if the file is open for reading only, or the host refuses.
    #[track_caller]
    pub fn preallocate(&self, bytes: u64) -> Result<(), MpiError> {
        let bytes = i64::try_from(bytes).unwrap_or(-1);
        self.meet(FileMeeting::Reserve(bytes), Brought::Nothing, Site::here())
    }

    /// Makes what this rank has written visible to others, and the other way round (`MPI_File_sync`):
    /// collective.
    ///
    /// # Errors
    /// Returns an error if the file is closed.
    #[track_caller]
    pub fn sync(&self) -> Result<(), MpiError> {
        let call = FileCall::Meet(self.id(), Box::new(FileMeeting::Sync), Brought::Nothing);
        self.ask(call, Site::here()).map(|_| ())
    }

    /// Says whether conflicting accesses of different ranks are atomic (`MPI_File_set_atomicity`):
    /// collective.
    ///
    /// # Errors
    /// Returns an error if the file is closed.
    #[track_caller]
    pub fn set_atomicity(&self, atomic: bool) -> Result<(), MpiError> {
        self.meet(FileMeeting::SetAtomicity(atomic), Brought::Nothing, Site::here())
    }

    /// Returns names and values of the hints in use (`MPI_File_get_info`).
    ///
    /// # Errors
    /// Returns an error if the file is closed.
    #[track_caller]
    pub fn hints(&self) -> Result<Vec<(&'static str, String)>, MpiError> {
        match self.ask(FileCall::Hints(self.id()), Site::here())? {
            Reply::Hints(hints) => Ok(hints.pairs().to_vec()),
            _ => Ok(Vec::new()),
        }
    }
}

impl Drop for File {
    #[track_caller]
    fn drop(&mut self) {
        if !self.closed {
            // Nobody is there to hear of an error.
            let _ = self.end(Site::here());
        }
    }
}
