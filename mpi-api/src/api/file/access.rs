//! Reads and writes files (MPI section 14.4).

use super::File;
use crate::{
    api::{
        MpiError,
        datatype::{Buffer, BufferMut, Packed, UncommittedDatatype, described, fill, room},
    },
    call::{Brought, FileAccess, FileCall, FileMeeting, Manner, Moved, Position, Reply, Site},
    error::ErrorClass,
};

impl File {
    /// Makes an access; returns the number of bytes, and the data of a read.
    fn access(
        &self,
        (position, together): (Position, bool),
        moved: Moved,
        site: Site,
    ) -> Result<(u64, Option<Vec<u8>>), MpiError> {
        if together {
            let (direction, part) = (moved.direction(), Brought::Part(position, moved.bytes()));
            match position {
                Position::At(_) => {
                    self.come(FileMeeting::AccessAt(direction, Manner::Blocking), part, site)?;
                }
                Position::Individual => {
                    let what = FileMeeting::AccessIndividual(direction, Manner::Blocking);
                    self.come(what, part, site)?;
                }
                Position::Shared | Position::Ordered => {
                    let what = FileMeeting::AccessOrdered(direction, Manner::Blocking);
                    self.meet(what, part, site)?;
                }
            }
        }
        let access = Box::new(FileAccess {
            position,
            moved,
            together: together.then_some(Manner::Blocking),
        });
        let Reply::Completed(done) = self.ask(FileCall::Access(self.id(), access), site)? else {
            return Err(MpiError::new(ErrorClass::Intern, "no completion"));
        };
        if let Some(failure) = done.error {
            return Err(failure.error);
        }
        let data = done.payload.map(|data| data.as_slice().to_vec());
        Ok((done.status.bytes, data))
    }

    /// Comes to a meeting that is not waited for.
    fn come(&self, what: FileMeeting, brought: Brought, site: Site) -> Result<(), MpiError> {
        self.ask(FileCall::Meet(self.id(), Box::new(what), brought), site).map(|_| ())
    }

    fn read_from<B: BufferMut + ?Sized>(
        &self,
        place: (Position, bool),
        into: &mut B,
        site: Site,
    ) -> Result<usize, MpiError> {
        let size = into.as_datatype().kind().size();
        let (bytes, data) = self.access(place, Moved::Read(room(into)?.bytes), site)?;
        if let Some(data) = data {
            fill(into, &data);
        }
        Ok((bytes / size.max(1)) as usize)
    }

    fn write_to<B: Buffer + ?Sized>(
        &self,
        place: (Position, bool),
        from: &B,
        site: Site,
    ) -> Result<usize, MpiError> {
        let size = described(from)?.0.size();
        let (bytes, _) = self.access(place, Moved::Write(Packed::of(from)?.bytes), site)?;
        Ok((bytes / size.max(1)) as usize)
    }
}

/// Defines the accesses: with or without an offset, by one rank or by all together.
macro_rules! accesses {
    ($($(#[$doc:meta])* $read:ident $read_name:literal, $write:ident $write_name:literal,
        ($($offset:ident)?) $position:expr, $together:literal;)*) => {
        impl File {$(
            #[doc = concat!("Reads a buffer (`", $read_name, "`)")]
            $(#[$doc])*
            /// Returns the number of elements that were there: fewer than the buffer has at the end of the
            /// file.
            ///
            /// # Errors
            /// Returns an error if the file is not open for reading, the view has no such bytes, or the
            /// host cannot read.
            #[track_caller]
            pub fn $read<B: BufferMut + ?Sized>(
                &self,
                $($offset: i64,)?
                into: &mut B,
            ) -> Result<usize, MpiError> {
                self.read_from(($position, $together), into, Site::here())
            }

            #[doc = concat!("Writes a buffer (`", $write_name, "`)")]
            $(#[$doc])*
            /// Returns the number of elements that were written.
            ///
            /// # Errors
            /// Returns an error if the file is not open for writing, the view has no such bytes, or the
            /// host cannot write.
            #[track_caller]
            pub fn $write<B: Buffer + ?Sized>(
                &self,
                $($offset: i64,)?
                from: &B,
            ) -> Result<usize, MpiError> {
                self.write_to(($position, $together), from, Site::here())
            }
        )*}
    };
}

accesses! {
    /// at an offset.
    read_at "MPI_File_read_at", write_at "MPI_File_write_at", (offset) Position::At(offset), false;
    /// at an offset: collective.
    read_at_all "MPI_File_read_at_all", write_at_all "MPI_File_write_at_all",
        (offset) Position::At(offset), true;
    /// at the file pointer of this rank, which moves past it.
    read "MPI_File_read", write "MPI_File_write", () Position::Individual, false;
    /// at the file pointer of this rank, which moves past it: collective.
    read_all "MPI_File_read_all", write_all "MPI_File_write_all", () Position::Individual, true;
    /// at the shared file pointer, which moves past it.
    read_shared "MPI_File_read_shared", write_shared "MPI_File_write_shared",
        () Position::Shared, false;
    /// at the shared file pointer, in order of rank: collective.
    read_ordered "MPI_File_read_ordered", write_ordered "MPI_File_write_ordered",
        () Position::Ordered, true;
}
