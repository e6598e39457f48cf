//! Input and output (MPI chapter 14).

use serde::{Deserialize, Serialize};

use super::{CommId, Payload};
use crate::object::{hints::FileHints, view::View};

/// The identifier of an open file: the communicator of its group, which belongs to the file alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub CommId);

/// How a file is opened (MPI section 14.2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMode {
    /// `MPI_MODE_RDONLY` or `MPI_MODE_RDWR`.
    pub reads: bool,
    /// `MPI_MODE_WRONLY` or `MPI_MODE_RDWR`.
    pub writes: bool,
    /// `MPI_MODE_CREATE`.
    pub create: bool,
    /// `MPI_MODE_EXCL`.
    pub exclusive: bool,
    /// `MPI_MODE_DELETE_ON_CLOSE`.
    pub delete_on_close: bool,
    /// `MPI_MODE_UNIQUE_OPEN`.
    pub unique: bool,
    /// `MPI_MODE_SEQUENTIAL`.
    pub sequential: bool,
    /// `MPI_MODE_APPEND`.
    pub append: bool,
}

/// The direction of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// From the file.
    Read,
    /// To the file.
    Write,
}

/// Which file pointer is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pointer {
    /// That of the rank.
    Individual,
    /// That of all ranks.
    Shared,
}

/// Where an access begins, in elementary types of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Position {
    /// At this offset.
    At(i64),
    /// At the rank's own file pointer.
    Individual,
    /// At the shared file pointer.
    Shared,
    /// At the place that the ordered access gives to this rank.
    Ordered,
}

/// What an offset is relative to (`MPI_SEEK_SET`, `MPI_SEEK_CUR`, `MPI_SEEK_END`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Whence {
    /// The beginning of the view.
    Start,
    /// The file pointer.
    Current,
    /// The end of the file.
    End,
}

impl Whence {
    /// Returns the constant of MPI that means this.
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "MPI_SEEK_SET",
            Self::Current => "MPI_SEEK_CUR",
            Self::End => "MPI_SEEK_END",
        }
    }
}

/// The data of an access.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Moved {
    /// Reads this number of bytes.
    Read(u64),
    /// Writes these bytes.
    Write(Payload),
}

impl Moved {
    /// Returns the direction.
    pub fn direction(&self) -> Direction {
        match self {
            Self::Read(_) => Direction::Read,
            Self::Write(_) => Direction::Write,
        }
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Read(bytes) => *bytes,
            Self::Write(payload) => payload.bytes(),
        }
    }
}

/// One access of a rank to a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileAccess {
    /// Where it begins.
    pub position: Position,
    /// What it moves.
    pub moved: Moved,
    /// The form of a collective access. Its rank has come to the meeting of all ranks of the file for it just before.
    pub together: Option<Manner>,
}

/// The forms of collective accesses; different forms do not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Manner {
    /// It returns when the rank's data are moved.
    Blocking,
    /// It returns a request.
    Nonblocking,
    /// It begins here and ends in another call.
    Split,
}

/// A call in which all ranks of a file meet, with the arguments that they must agree on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileMeeting {
    /// `MPI_File_open`: the name and the mode.
    Open(String, FileMode),
    /// `MPI_File_close`.
    Close,
    /// `MPI_File_set_size`, in bytes.
    Resize(i64),
    /// `MPI_File_preallocate`, in bytes.
    Reserve(i64),
    /// `MPI_File_set_view`: size of the elementary type and extent of it in the file, and the name of
    /// the data representation. The view itself may differ.
    SetView(u64, String),
    /// `MPI_File_set_info`.
    SetInfo,
    /// `MPI_File_set_atomicity`.
    SetAtomicity(bool),
    /// `MPI_File_seek_shared`.
    SeekShared(i64, Whence),
    /// `MPI_File_sync`.
    Sync,
    /// A collective access at explicit offsets.
    AccessAt(Direction, Manner),
    /// A collective access at individual file pointers.
    AccessIndividual(Direction, Manner),
    /// An access in order of rank; the manner is `Blocking` or `Split`.
    AccessOrdered(Direction, Manner),
}

/// What a rank brings to a meeting besides the arguments that must agree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Brought {
    /// Nothing.
    Nothing,
    /// Hints of its `MPI_File_open` or `MPI_File_set_info`.
    Hints(Box<FileHints>),
    /// Its new view, and hints.
    View(Box<View>, Box<FileHints>),
    /// The place and the number of bytes of its part of a blocking or ordered access.
    Part(Position, u64),
}

/// An operation on the name or the attributes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Administration {
    /// It is opened.
    Open,
    /// Its size is set.
    Resize,
}

/// What a program does with a file of the host by its language, not by MPI, where that takes simulated time
/// ([`Environment::models_io`](crate::settings::Environment::models_io)). The bytes are moved by the program itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlainCall {
    /// Asks for the number of a file by its absolute name; replies `Object`. It takes no time.
    Number(String),
    /// Occupies the server of metadata.
    Administer(Administration),
    /// Reads or writes consecutive bytes of the file of this number, from a place on.
    Access(u32, Direction, u64, u64),
    /// Waits until the servers have what the node of the rank has written to the file of this number.
    Sync(u32),
    /// The same, and then occupies the server of metadata.
    Close(u32),
}

/// A call about a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum FileCall {
    /// Comes to a meeting of all ranks; replies `Data` when they are there, or at once if the meeting
    /// need not synchronise.
    Meet(FileId, Box<FileMeeting>, Brought),
    /// Asks for the result of the last meeting and waits until it has taken effect; replies `Done`.
    Outcome(FileId),
    /// Accesses the file; replies `Completed`.
    Access(FileId, Box<FileAccess>),
    /// Starts an access; replies `Request`.
    StartAccess(FileId, Box<FileAccess>),
    /// Moves the rank's own file pointer.
    Seek(FileId, i64, Whence),
    /// Asks for a file pointer; replies `Offset`.
    Position(FileId, Pointer),
    /// Asks for the place in the file of an offset of the view; replies `Offset`.
    Byte(FileId, i64),
    /// Asks for the size in bytes; replies `Offset`.
    Size(FileId),
    /// Asks for the hints in use; replies `Hints`.
    Hints(FileId),
    /// Deletes the file of this name, which need not be open.
    Delete(String),
    /// Does something with a file by the language of the program.
    Plain(PlainCall),
}

impl FileCall {
    /// Returns the file that the call is about; `None` if it names one that need not be open.
    pub fn file(&self) -> Option<FileId> {
        match self {
            Self::Meet(file, ..)
            | Self::Outcome(file)
            | Self::Access(file, _)
            | Self::StartAccess(file, _)
            | Self::Seek(file, ..)
            | Self::Position(file, _)
            | Self::Byte(file, _)
            | Self::Size(file)
            | Self::Hints(file) => Some(*file),
            Self::Delete(_) | Self::Plain(_) => None,
        }
    }
}
