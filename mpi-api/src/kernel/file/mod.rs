//! Input and output (MPI chapter 14). State: `table` has the open files, `servers` the modelled file
//! system, `cache` what nodes hold in memory, `plan` says which requests an access makes, `errand` where they are, `exchange` how a
//! collective access is divided among aggregators, `order` which accesses of different ranks through one handle are concurrent
//! and `across` which of different handles, by `pieces` of the file, `progress` which of a rank have begun and not ended, and `agreement` in what two ranks of a
//! meeting differ. Steps: `meeting` has the calls in which all ranks of a file meet, `access` begins and ends accesses, `travel`
//! leads their requests to the servers and back, `together` makes accesses in two phases, and `plain` has what programs do
//! with files without MPI.
//!
//! An access takes effect in one event, when the servers are done with it; the bytes are those of
//! the files that the run was provided with ([`file_system`](crate::file_system)).

mod access;
mod across;
mod agreement;
mod cache;
mod errand;
mod exchange;
mod meeting;
mod order;
mod pieces;
mod plain;
mod plan;
mod progress;
mod servers;
pub(super) mod table;
mod together;
mod travel;

use super::{MpiKernel, Sched, transport::receive::FREE};
use crate::{
    call::{CommId, FileCall, FileId, Pointer, Reply, Whence},
    error::{ErrorClass, ErrorHandler, Failure, MpiError},
    file_system,
};

/// Returns the error of a run that was provided with no files.
fn no_files() -> MpiError {
    MpiError::new(ErrorClass::UnsupportedOperation, "this run has no files")
}

fn closed() -> MpiError {
    MpiError::new(ErrorClass::File, "the file is closed")
}

impl MpiKernel {
    /// Executes a call about a file.
    pub(super) fn file_call(&mut self, rank: u32, call: FileCall, s: &mut Sched) {
        match call {
            FileCall::Meet(id, what, brought) => self.meet_at_file(rank, id, *what, brought, s),
            FileCall::Outcome(id) => self.file_outcome(rank, id, s),
            FileCall::Access(id, access) => self.access_file(rank, id, *access, true, s),
            FileCall::StartAccess(id, access) => self.access_file(rank, id, *access, false, s),
            FileCall::Seek(id, offset, whence) => {
                let moved = self.seek_individual(rank, id, offset, whence);
                self.answer_file(rank, moved.map(|()| Reply::Done), s);
            }
            FileCall::Position(id, pointer) => {
                let position = self.pointer(rank, id, pointer);
                self.answer_file(rank, position.map(Reply::Offset), s);
            }
            FileCall::Byte(id, offset) => {
                let place = self.byte_of(rank, id, offset);
                self.answer_file(rank, place.map(Reply::Offset), s);
            }
            FileCall::Size(id) => {
                let size = self.file_size(id);
                self.answer_file(rank, size.map(|size| Reply::Offset(size as i64)), s);
            }
            FileCall::Hints(id) => {
                let hints = self.files.get(id).and_then(|file| {
                    file.rank_of(rank).map(|member| self.hints_in_use(file, member))
                });
                let reply = hints.map(|hints| Reply::Hints(Box::new(hints)));
                self.answer_file(rank, reply.ok_or_else(closed), s);
            }
            FileCall::Delete(name) => self.delete_file(rank, &name, s),
            FileCall::Plain(call) => self.plain_call(rank, call, s),
        }
    }

    /// Answers a call that takes no time. Errors are returned: a file's own error handler is called
    /// where its rank runs.
    fn answer_file(&mut self, rank: u32, result: Result<Reply, MpiError>, s: &mut Sched) {
        let now = s.now();
        let reply = result.unwrap_or_else(failed);
        self.answer(rank, now, FREE, reply, s);
    }

    fn delete_file(&mut self, rank: u32, name: &str, s: &mut Sched) {
        let files = file_system::provided().ok_or_else(no_files);
        let deleted = files.and_then(|files| files.delete(name));
        let done = self.files.servers.administer(&self.settings.filesystem, s.now());
        let reply = deleted.map_or_else(failed, |()| Reply::Done);
        self.answer(rank, done, FREE, reply, s);
    }

    fn file_size(&self, id: FileId) -> Result<u64, MpiError> {
        let file = self.files.get(id).ok_or_else(closed)?;
        file.host.as_ref().ok_or_else(closed)?.size()
    }

    fn pointer(&self, rank: u32, id: FileId, pointer: Pointer) -> Result<i64, MpiError> {
        let file = self.files.get(id).ok_or_else(closed)?;
        let me = file.rank_of(rank).ok_or_else(closed)?;
        Ok(match pointer {
            Pointer::Individual => file.members[me as usize].position,
            Pointer::Shared => file.shared,
        })
    }

    fn byte_of(&self, rank: u32, id: FileId, offset: i64) -> Result<i64, MpiError> {
        let file = self.files.get(id).ok_or_else(closed)?;
        let me = file.rank_of(rank).ok_or_else(closed)?;
        let view = &file.members[me as usize].view;
        let first = u64::try_from(offset).ok().and_then(|offset| offset.checked_mul(view.etype));
        first.and_then(|first| view.byte(first)).ok_or_else(|| no_offset(offset))
    }

    fn seek_individual(
        &mut self,
        rank: u32,
        id: FileId,
        offset: i64,
        whence: Whence,
    ) -> Result<(), MpiError> {
        let file = self.files.get_mut(id).ok_or_else(closed)?;
        let me = file.rank_of(rank).ok_or_else(closed)?;
        let (host, member) =
            (file.host.as_ref().ok_or_else(closed)?, &mut file.members[me as usize]);
        let end = || Ok(member.view.end(host.size()?));
        member.position = sought(offset, whence, member.position, end)?;
        Ok(())
    }
}

/// Returns the reply to a call about a file that has failed.
fn failed(error: MpiError) -> Reply {
    Reply::Failed(failure(error))
}

fn failure(error: MpiError) -> Box<Failure> {
    Box::new(Failure { error, comm: CommId::SELF, handler: ErrorHandler::Return })
}

fn no_offset(offset: i64) -> MpiError {
    MpiError::new(ErrorClass::Arg, format!("there is no offset {offset} in the view"))
}

/// Returns the new value of a file pointer. The end of the file is asked for only where it counts: programs move their
/// pointers as often as they read.
fn sought(
    offset: i64,
    whence: Whence,
    present: i64,
    end: impl FnOnce() -> Result<i64, MpiError>,
) -> Result<i64, MpiError> {
    let base = match whence {
        Whence::Start => 0,
        Whence::Current => present,
        Whence::End => end()?,
    };
    let sought = base.checked_add(offset).filter(|sought| *sought >= 0);
    sought.ok_or_else(|| {
        let text = format!("offset {offset} from {base} lies in front of the view");
        MpiError::new(ErrorClass::Arg, text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_move_from_three_places() {
        let place =
            |offset, whence| sought(offset, whence, 10, || Ok(100)).map_err(|error| error.class);
        assert_eq!(place(7, Whence::Start), Ok(7));
        assert_eq!(place(-3, Whence::Current), Ok(7));
        assert_eq!(place(5, Whence::End), Ok(105));
        assert_eq!(place(-1, Whence::Start), Err(ErrorClass::Arg));
        assert_eq!(place(i64::MAX, Whence::End), Err(ErrorClass::Arg));
    }
}
