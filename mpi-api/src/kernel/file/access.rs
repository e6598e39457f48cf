//! Reads and writes files (MPI section 14.4).

use sim_core::SimTime;

use super::{
    across::Access,
    closed,
    errand::{Door, Errand, Then},
    failure, no_offset, plan,
    progress::InProgress,
    table::PendingAccess,
};
use crate::{
    call::{Direction, FileAccess, FileId, Manner, Moved, Payload, Position, Reply},
    check::{argument_mismatch, file_race},
    error::{ErrorClass, MpiError},
    finding::{CallPlace, CallSite},
    kernel::{
        MpiKernel, Sched,
        request::table::{Kind, Owner},
        transport::message::NONE,
    },
};

impl MpiKernel {
    /// Starts an access; the rank waits for it if it is a blocking one.
    pub(super) fn access_file(
        &mut self,
        rank: u32,
        id: FileId,
        access: FileAccess,
        blocking: bool,
        s: &mut Sched,
    ) {
        let found = self.files.get(id).and_then(|file| {
            let me = file.rank_of(rank)?;
            Some((me, file.members[me as usize].meetings))
        });
        let Some((me, meeting)) = found else { return self.answer_file(rank, Err(closed()), s) };
        let runs = match self.files.take_place((id, me), &access, blocking) {
            Ok(runs) => runs,
            Err(error) => {
                self.answer_file(rank, Err(error), s);
                if access.together.is_some() {
                    self.gather((id, meeting), None, s);
                }
                return;
            }
        };
        if matches!(access.position, Position::Shared | Position::Ordered) {
            self.compare_views(rank, (id, me));
        }
        let bytes = (access.moved.direction(), &runs[..]);
        self.look_for_race(rank, (id, me), bytes);
        self.look_for_own(rank, (id, me), bytes);
        let model = &self.settings.filesystem;
        // The shared file pointer is kept by the server of metadata.
        let begins = match access.position {
            Position::Shared => self.files.servers.administer(model, s.now()),
            Position::At(_) | Position::Individual | Position::Ordered => s.now(),
        };
        let Some(file) = self.files.get_mut(id) else { return };
        file.member(me).pending += 1;
        let gathers = access.together.is_some() && file.gatherings.contains_key(&meeting);
        let owner = if blocking { Owner::Blocking } else { Owner::Program };
        let request = self.new_request(rank, owner, Kind::File);
        if !blocking {
            let is_split = access.together == Some(Manner::Split);
            self.note_progress((id, me), (request, is_split), (access.moved.direction(), &runs));
        }
        let pending = PendingAccess { file: id, member: me, access, runs, request, blocking };
        let pending = self.files.pending.insert(pending);
        if blocking {
            self.block_on(rank, [request, NONE], s);
        }
        if gathers {
            self.gather((id, meeting), Some(pending), s);
        } else {
            self.begin_access(pending, begins, s);
        }
        if blocking {
            return;
        }
        let at = self.charge(rank, self.settings.costs.post_send);
        let reply = Reply::Request(self.request_id(request));
        s.reply(self.ranks[rank as usize].process, at, reply);
    }

    /// Records that a rank was blocked for the file system until this time.
    pub(in crate::kernel) fn note_file_wait(&mut self, rank: u32, until: SimTime) {
        let state = &mut self.ranks[rank as usize];
        if until > state.busy_until {
            state.totals.files += until.since(state.busy_until);
        }
    }

    /// Reports that a rank uses the shared file pointer with another view than the first rank.
    fn compare_views(&mut self, rank: u32, (id, me): (FileId, u32)) {
        let Some(file) = self.files.get(id) else { return };
        let (mine, first) = (&file.members[me as usize], &file.members[0]);
        if mine.view != first.view {
            let other = file.group.world_rank(0);
            let place =
                self.present_site(rank, "the shared file pointer counts in this view".into());
            self.journal.findings.add(argument_mismatch::of_views(place, other));
        }
    }

    /// Reports an access through another handle, or of another rank through the same one, to the same bytes that nothing
    /// orders with this one.
    fn look_for_race(
        &mut self,
        rank: u32,
        (id, me): (FileId, u32),
        (direction, runs): (Direction, &[(i64, u64)]),
    ) {
        let by = self.ranks[rank as usize].call_place();
        let Some(file) = self.files.files.get_mut(&id) else { return };
        if let Some(across) = self.files.across.get_mut(&file.name_number) {
            let begun = file.member(me).begun;
            let access = Access { user: (id, me), rank, by, direction, begun, runs };
            if let Some((met, at)) = across.record(&access) {
                let sites = [place(rank, by, direction), place(met.rank, met.by, met.direction)];
                self.journal.findings.add(file_race::through_handles(sites, &file.name, at));
            }
        }
        if file.atomic {
            return;
        }
        let Some((met, at)) = file.accesses.record((me, by), direction, runs) else { return };
        let other = file.group.world_rank(met.member);
        let name = file.name.clone();
        let sites = [place(rank, by, direction), place(other, met.by, met.direction)];
        self.journal.findings.add(file_race::of_accesses(sites, &name, at));
    }

    /// Records that an access has begun.
    fn note_progress(
        &mut self,
        (id, me): (FileId, u32),
        (request, is_split): (u32, bool),
        (direction, runs): (Direction, &[(i64, u64)]),
    ) {
        let by = self.ranks[self.requests[request].rank as usize].call_place();
        let begun = InProgress::new((self.request_id(request), is_split), by, direction, runs);
        let Some(file) = self.files.get_mut(id) else { return };
        let mut all = std::mem::take(&mut file.member(me).in_progress);
        all.add(begun, |request| self.live(request).is_some());
        if let Some(file) = self.files.get_mut(id) {
            file.member(me).in_progress = all;
        }
    }

    /// Returns the call that has begun the first access of a rank to a file that it has not completed.
    pub(super) fn first_in_progress(&self, (id, me): (FileId, u32)) -> Option<CallPlace> {
        let all = &self.files.get(id)?.members[me as usize].in_progress;
        all.first(|request| self.live(request).is_some())
    }

    /// Reports an access of the same rank to the same bytes that is in progress.
    fn look_for_own(
        &mut self,
        rank: u32,
        (id, me): (FileId, u32),
        (direction, runs): (Direction, &[(i64, u64)]),
    ) {
        let by = self.ranks[rank as usize].call_place();
        let Some(file) = self.files.get(id).filter(|file| !file.atomic) else { return };
        let all = &file.members[me as usize].in_progress;
        let goes_on = |request| self.live(request).is_some();
        let Some((met, at)) = all.conflict(direction, runs, goes_on) else { return };
        let sites = [place(rank, by, direction), place(rank, met.by, met.direction)];
        let finding = file_race::of_own(sites, &file.name, at);
        self.journal.findings.add(finding);
    }

    /// Asks the servers for what a rank accesses alone.
    pub(super) fn begin_access(&mut self, pending: u32, begins: SimTime, s: &mut Sched) {
        let model = &self.settings.filesystem;
        let PendingAccess { file: id, member, access, runs, .. } = &self.files.pending[pending];
        let Some(file) = self.files.get(*id) else { return };
        let hints = self.hints_in_use(file, *member);
        let errand = Errand {
            door: Door::Mpi(*id),
            name: file.name_number,
            striping: file.striping(model),
            rank: file.group.world_rank(*member),
            steps: plan::steps(access.moved.direction(), runs, &hints, model).into(),
            open: 0,
            then: Then::Access(pending),
        };
        self.begin_errand(errand, begins, s);
    }

    /// Lets an access take effect and completes its request.
    pub(super) fn access_done(&mut self, pending: u32, s: &mut Sched) {
        let PendingAccess { file: id, member, access, runs, request, blocking } =
            *self.files.pending.remove(pending);
        let Some(file) = self.files.get_mut(id) else { return };
        file.member(member).pending -= 1;
        let result = match &access.moved {
            Moved::Read(_) => file.read(&runs).map(|data| (data.len() as u64, Some(data))),
            Moved::Write(payload) => {
                file.write(&runs, &payload.contents()).map(|()| (payload.bytes(), None))
            }
        };
        let bytes = result.as_ref().map_or(0, |(bytes, _)| *bytes);
        if blocking && access.position == Position::Individual {
            let member = file.member(member);
            member.position += (bytes / member.view.etype.max(1)) as i64;
        }
        self.files.forget_if_left(id);
        let made = &mut self.requests[request];
        made.status.bytes = bytes;
        match result {
            Ok((_, data)) => made.payload = data.map(Payload::from),
            Err(error) => made.error = Some(failure(error)),
        }
        self.complete(request, s);
    }
}

/// Returns the place of an access for a finding.
fn place(rank: u32, by: CallPlace, direction: Direction) -> CallSite {
    let does = match direction {
        Direction::Read => "reads",
        Direction::Write => "writes",
    };
    CallSite::of(rank, by, file_race::label(rank, does))
}

impl super::table::Files {
    /// Checks an access, moves the file pointer that it uses, and returns the bytes of the file.
    /// A blocking access moves the rank's own pointer when it knows how much there was.
    fn take_place(
        &mut self,
        (id, me): (FileId, u32),
        access: &FileAccess,
        blocking: bool,
    ) -> Result<Vec<(i64, u64)>, MpiError> {
        let file = self.get_mut(id).ok_or_else(closed)?;
        let error = |class, text: &str| Err(MpiError::new(class, text));
        match access.moved.direction() {
            Direction::Read if !file.mode.reads => {
                return error(ErrorClass::Access, "the file is open for writing only");
            }
            Direction::Write if !file.mode.writes => {
                return error(ErrorClass::ReadOnly, "the file is open for reading only");
            }
            Direction::Read | Direction::Write => {}
        }
        let own = matches!(access.position, Position::At(_) | Position::Individual);
        if file.mode.sequential && own {
            let text = "a file opened with MPI_MODE_SEQUENTIAL has a shared file pointer only";
            return error(ErrorClass::UnsupportedOperation, text);
        }
        let shared = file.shared;
        let member = file.member(me);
        let bytes = access.moved.bytes();
        let etype = member.view.etype.max(1);
        if !bytes.is_multiple_of(etype) {
            let text = format!("{bytes} bytes are no whole number of elementary types of {etype}");
            return Err(MpiError::new(ErrorClass::Arg, text));
        }
        let offset = match access.position {
            Position::At(offset) => offset,
            Position::Individual => member.position,
            Position::Shared => shared,
            Position::Ordered => member.ordered.take().unwrap_or(shared),
        };
        let first = u64::try_from(offset).ok().and_then(|offset| offset.checked_mul(etype));
        let runs = first.and_then(|first| member.view.runs(first, bytes));
        let runs = runs.ok_or_else(|| no_offset(offset))?;
        if access.moved.direction() == Direction::Write && member.view.writes_twice(&runs) {
            let text = "elements of the file type overlap, and the access writes some bytes twice";
            return error(ErrorClass::Type, text);
        }
        let past = offset + (bytes / etype) as i64;
        match access.position {
            Position::Individual if !blocking => member.position = past,
            Position::Shared => file.shared = past,
            Position::At(_) | Position::Individual | Position::Ordered => {}
        }
        Ok(runs)
    }
}
