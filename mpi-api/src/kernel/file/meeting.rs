//! Calls in which all ranks of a file meet (MPI sections 14.2, 14.3, 14.4.4 and 14.6).

use super::{
    agreement::{Difference, difference},
    closed,
    errand::Door,
    failed, no_files, no_offset, sought,
    table::{Files, Outcome},
};
use crate::{
    call::{
        Brought, CollectiveCall, CollectiveKind, FileId, FileMeeting, FileMode, Manner, Reply,
        Whence,
    },
    check::{
        argument_mismatch,
        disagreement::{Side, in_collective},
        file_race, request_misuse,
    },
    error::{ErrorClass, MpiError},
    file_system,
    finding::{CallPlace, CallSite, Code},
    kernel::{
        MpiKernel, Sched,
        collective::{construction::CommConstruction, template::EntryMode},
        transport::receive::FREE,
    },
    settings::CollectiveSynchronization,
};

/// What waits for all ranks to come to a meeting.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    /// The ranks, as in a barrier.
    Ranks,
    /// The data of their accesses, which the ranks only begin.
    Data,
}

impl MpiKernel {
    /// Brings a rank to a meeting. The last one makes it take effect.
    pub(super) fn meet_at_file(
        &mut self,
        rank: u32,
        id: FileId,
        what: FileMeeting,
        brought: Brought,
        s: &mut Sched,
    ) {
        if matches!(what, FileMeeting::Sync | FileMeeting::Close) {
            let node = self.settings.nodes[rank as usize].0;
            if self.files.caches.is_draining(node, Door::Mpi(id)) {
                return self.files.drained_later.push((rank, id, what, brought));
            }
        }
        let by = self.ranks[rank as usize].call_place();
        if let FileMeeting::Open(..) = what {
            let group = self.comms.group(id.0, rank);
            // The communicator belongs to the file: its leak is reported as the file's, and errors
            // that the file's own handler declares fatal end the run.
            self.forget_comm(rank, id.0);
            self.ranks[rank as usize].rest.handlers.remove(&id.0);
            self.files.enter(id, (rank, by), || group);
        }
        let me = self.files.get(id).and_then(|file| file.rank_of(rank));
        let (Some(me), Some(file)) = (me, self.files.get_mut(id)) else {
            return self.answer_file(rank, Err(closed()), s);
        };
        if what == FileMeeting::Close {
            file.is_open = false;
        }
        if what == FileMeeting::Sync {
            let size = file.members.len();
            file.accesses.sync(me, size);
        }
        if matches!(what, FileMeeting::Open(..) | FileMeeting::Sync | FileMeeting::Close) {
            self.files.mark(id, me);
        }
        if let Some((done, section)) = needs_completion(&what)
            && let Some(by) = self.first_in_progress((id, me))
        {
            let place = self.present_site(rank, request_misuse::label_of_file(done));
            let access = request_misuse::label_of_access();
            let sites = [place, CallSite::of(rank, by, access)];
            self.journal.findings.add(request_misuse::of_file(sites, done, section));
            if let Some(file) = self.files.get(id) {
                self.books.unended.extend(file.members[me as usize].in_progress.split());
            }
        }
        let waits = self.waits(&what);
        let Some(file) = self.files.get_mut(id) else { return };
        let (meeting, all) = file.come(me, (what.clone(), by), brought);
        if let Some(found) = difference(&what, &meeting.what) {
            let (first, theirs) = (meeting.first, meeting.by);
            let first = file.group.world_rank(first);
            return self.report_difference(&found, (rank, by), (first, theirs), s);
        }
        let number = file.members[me as usize].meetings;
        if all {
            self.hold_meeting(id, number, s);
        }
        match waits {
            Some(Waits::Ranks) => {}
            Some(Waits::Data) => {
                self.expect_accesses((id, number));
                return self.done(rank, s);
            }
            None => return self.done(rank, s),
        }
        let now = s.now();
        self.wait_until(rank, now);
        let barrier = Box::new(CollectiveCall::new(id.0, CollectiveKind::Barrier));
        self.enter_collective(rank, barrier, CommConstruction::Nothing, EntryMode::Blocking, s);
    }

    /// Continues the calls that have waited until the servers have what a node had written to a file.
    pub(super) fn resume_after_drain(&mut self, id: FileId, s: &mut Sched) {
        let waiting = std::mem::take(&mut self.files.drained_later);
        let (now_free, still): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|waits| {
            let node = self.settings.nodes[waits.0 as usize].0;
            waits.1 == id && !self.files.caches.is_draining(node, Door::Mpi(id))
        });
        self.files.drained_later = still;
        for (rank, id, what, brought) in now_free {
            self.note_file_wait(rank, s.now());
            self.meet_at_file(rank, id, what, brought, s);
        }
    }

    /// Returns what waits for all ranks to come to a meeting. Blocking accesses need not, nor does the transfer of data to
    /// the storage device (MPI 14.6.1 asks for a barrier between two of those), nor the data of other accesses.
    fn waits(&self, what: &FileMeeting) -> Option<Waits> {
        let needs_not = self.settings.synchronisation == CollectiveSynchronization::Minimal;
        match what {
            FileMeeting::Open(..)
            | FileMeeting::Close
            | FileMeeting::Resize(_)
            | FileMeeting::Reserve(_)
            | FileMeeting::SetView(..)
            | FileMeeting::SetInfo
            | FileMeeting::SetAtomicity(_)
            | FileMeeting::SeekShared(..)
            | FileMeeting::AccessOrdered(..) => Some(Waits::Ranks),
            FileMeeting::Sync
            | FileMeeting::AccessAt(_, Manner::Blocking)
            | FileMeeting::AccessIndividual(_, Manner::Blocking) => {
                (!needs_not).then_some(Waits::Ranks)
            }
            FileMeeting::AccessAt(_, Manner::Nonblocking | Manner::Split)
            | FileMeeting::AccessIndividual(_, Manner::Nonblocking | Manner::Split) => {
                (!needs_not).then_some(Waits::Data)
            }
        }
    }

    fn report_difference(
        &mut self,
        found: &Difference,
        (rank, mine): (u32, CallPlace),
        (first, theirs): (u32, CallPlace),
        s: &mut Sched,
    ) {
        let side = |rank, CallPlace { call, site }: CallPlace, has| Side { rank, site, call, has };
        let finding = match found {
            Difference::Operation => {
                let (mine, theirs) =
                    (side(rank, mine, mine.call.into()), side(first, theirs, theirs.call.into()));
                in_collective(mine, theirs, Code::CollectiveMismatch)
            }
            Difference::Argument(has, others) => argument_mismatch::of_file(
                side(rank, mine, has.clone()),
                side(first, theirs, others.clone()),
            ),
        };
        self.fail(finding, s);
    }

    /// Makes a meeting take effect at which all ranks have arrived.
    fn hold_meeting(&mut self, id: FileId, number: u64, s: &mut Sched) {
        let Some(file) = self.files.get_mut(id) else { return };
        let Some(meeting) = file.meetings.remove(&number) else { return };
        let brought: Vec<Brought> = meeting.brought.into_iter().flatten().collect();
        let synchronises = self.waits(&meeting.what) == Some(Waits::Ranks);
        let result = match &meeting.what {
            FileMeeting::Open(name, mode) => {
                self.files.set_hints(id, &brought);
                let opened = self.files.open(id, name, *mode);
                if let Some([(rank, by), (other, again)]) = self.files.opened_against_mode(id) {
                    let [unique, label] = file_race::unique_labels();
                    let sites = [CallSite::of(rank, by, unique), CallSite::of(other, again, label)];
                    self.journal.findings.add(file_race::of_unique(sites, name));
                }
                opened
            }
            FileMeeting::Close => self.files.close(id),
            FileMeeting::Resize(size) => self.files.resize(id, *size, true),
            FileMeeting::Reserve(size) => self.files.resize(id, *size, false),
            FileMeeting::SetView(..) => self.files.set_views(id, brought),
            FileMeeting::SeekShared(offset, whence) => self.files.seek_shared(id, *offset, *whence),
            FileMeeting::AccessOrdered(direction, _) => {
                let placed = self.files.order(id, &brought);
                if placed.is_ok() {
                    self.decide_together((id, number), *direction, &brought);
                }
                placed
            }
            FileMeeting::SetAtomicity(flag) => self.files.set_atomic(id, *flag),
            FileMeeting::SetInfo => {
                self.files.set_hints(id, &brought);
                Ok(())
            }
            FileMeeting::AccessAt(direction, Manner::Blocking)
            | FileMeeting::AccessIndividual(direction, Manner::Blocking) => {
                if synchronises {
                    self.decide_together((id, number), *direction, &brought);
                }
                return;
            }
            FileMeeting::Sync | FileMeeting::AccessAt(..) | FileMeeting::AccessIndividual(..) => {
                return;
            }
        };
        let administers = match &meeting.what {
            FileMeeting::Open(..)
            | FileMeeting::Close
            | FileMeeting::Resize(_)
            | FileMeeting::Reserve(_) => true,
            FileMeeting::SetView(..)
            | FileMeeting::SetInfo
            | FileMeeting::SetAtomicity(_)
            | FileMeeting::SeekShared(..)
            | FileMeeting::Sync
            | FileMeeting::AccessAt(..)
            | FileMeeting::AccessIndividual(..)
            | FileMeeting::AccessOrdered(..) => false,
        };
        let at = match administers {
            true => self.files.servers.administer(&self.settings.filesystem, s.now()),
            false => s.now(),
        };
        let ends = match &meeting.what {
            FileMeeting::Open(..) => result.is_err(),
            other => *other == FileMeeting::Close,
        };
        if let Some(file) = self.files.get_mut(id) {
            file.conclude(&Outcome { result, at, ends });
        }
    }

    /// Answers with the result of the last meeting, when it has taken effect.
    pub(super) fn file_outcome(&mut self, rank: u32, id: FileId, s: &mut Sched) {
        let me = self.files.get(id).and_then(|file| file.rank_of(rank));
        let (Some(me), Some(file)) = (me, self.files.get_mut(id)) else {
            return self.answer_file(rank, Err(closed()), s);
        };
        let Some(outcome) = file.member(me).outcome.take() else { return self.done(rank, s) };
        if outcome.ends {
            file.left += 1;
            self.files.forget_if_left(id);
        }
        let reply = outcome.result.map_or_else(failed, |()| Reply::Done);
        let at = outcome.at.max(s.now());
        self.note_file_wait(rank, at);
        self.answer(rank, at, FREE, reply, s);
    }
}

/// Returns what a call does to a file if all nonblocking accesses of its rank have to be complete before, and the
/// section that says so.
fn needs_completion(what: &FileMeeting) -> Option<(&'static str, &'static str)> {
    match what {
        FileMeeting::Close => Some(("closed", "14.2.2")),
        FileMeeting::Resize(_) => Some(("resized", "14.2.4")),
        FileMeeting::SetView(..) => Some(("given another view", "14.3")),
        FileMeeting::Sync => Some(("synchronised", "14.6.1")),
        FileMeeting::Open(..)
        | FileMeeting::Reserve(_)
        | FileMeeting::SetInfo
        | FileMeeting::SetAtomicity(_)
        | FileMeeting::SeekShared(..)
        | FileMeeting::AccessAt(..)
        | FileMeeting::AccessIndividual(..)
        | FileMeeting::AccessOrdered(..) => None,
    }
}

impl Files {
    fn open(&mut self, id: FileId, name: &str, mode: FileMode) -> Result<(), MpiError> {
        let files = file_system::provided().ok_or_else(no_files)?;
        let host = files.open(name, mode)?;
        let size = host.size()?;
        let number = self.number_of_name(name);
        let file = self.get_mut(id).ok_or_else(closed)?;
        file.name_number = number;
        file.name = name.to_owned();
        file.mode = mode;
        file.is_open = true;
        file.host = Some(host);
        if mode.append {
            file.shared = size as i64;
            file.members.iter_mut().for_each(|member| member.position = size as i64);
        }
        self.count_in(id, number);
        Ok(())
    }

    fn close(&mut self, id: FileId) -> Result<(), MpiError> {
        let file = self.get(id).filter(|file| file.host.is_some()).ok_or_else(closed)?;
        let (number, name) =
            (file.name_number, file.mode.delete_on_close.then(|| file.name.clone()));
        self.count_out(number);
        match name {
            Some(name) => file_system::provided().ok_or_else(no_files)?.delete(&name),
            None => Ok(()),
        }
    }

    /// Takes over the hints that the ranks bring.
    fn set_hints(&mut self, id: FileId, brought: &[Brought]) {
        let Some(file) = self.get_mut(id) else { return };
        let is_open = file.host.is_some();
        for (member, brought) in file.members.iter_mut().zip(brought) {
            if let Brought::Hints(hints) = brought {
                member.take_hints(hints, is_open);
            }
        }
    }

    /// Changes the size; a file is made shorter only if `cuts` says so.
    fn resize(&mut self, id: FileId, size: i64, cuts: bool) -> Result<(), MpiError> {
        let file = self.get_mut(id).ok_or_else(closed)?;
        let host = file.host.as_ref().ok_or_else(closed)?;
        let wanted = u64::try_from(size)
            .map_err(|_| MpiError::new(ErrorClass::Arg, format!("a file of {size} bytes")))?;
        if !file.mode.writes {
            let text = "the size of a file is changed that is open for reading only";
            return Err(MpiError::new(ErrorClass::ReadOnly, text));
        }
        if cuts || wanted > host.size()? { host.resize(wanted) } else { Ok(()) }
    }

    /// Gives all ranks their new views and sets all file pointers to their beginning.
    fn set_views(&mut self, id: FileId, brought: Vec<Brought>) -> Result<(), MpiError> {
        let file = self.get_mut(id).ok_or_else(closed)?;
        for (member, brought) in file.members.iter_mut().zip(brought) {
            if let Brought::View(view, hints) = brought {
                member.view = *view;
                member.take_hints(&hints, true);
                member.position = 0;
            }
        }
        file.shared = 0;
        Ok(())
    }

    fn set_atomic(&mut self, id: FileId, flag: bool) -> Result<(), MpiError> {
        self.get_mut(id).ok_or_else(closed)?.atomic = flag;
        Ok(())
    }

    fn seek_shared(&mut self, id: FileId, offset: i64, whence: Whence) -> Result<(), MpiError> {
        let file = self.get_mut(id).ok_or_else(closed)?;
        let host = file.host.as_ref().ok_or_else(closed)?;
        // The views of all ranks are the same where shared file pointers are used (MPI 14.4.4).
        let end = || {
            let size = host.size()?;
            Ok(file.members.first().map_or(0, |member| member.view.end(size)))
        };
        file.shared = sought(offset, whence, file.shared, end)?;
        Ok(())
    }

    /// Deals out the places of an ordered access, in order of rank, and moves the shared file pointer
    /// past them.
    fn order(&mut self, id: FileId, brought: &[Brought]) -> Result<(), MpiError> {
        let file = self.get_mut(id).ok_or_else(closed)?;
        let mut next = file.shared;
        for (member, brought) in file.members.iter_mut().zip(brought) {
            member.ordered = Some(next);
            if let Brought::Part(_, bytes) = brought {
                let elements = bytes.div_ceil(member.view.etype.max(1));
                let end = i64::try_from(elements).ok().and_then(|n| next.checked_add(n));
                next = end.ok_or_else(|| no_offset(next))?;
            }
        }
        file.shared = next;
        Ok(())
    }
}
