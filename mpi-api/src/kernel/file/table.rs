//! [`Files`]: the open files of a run, and what each of their ranks has under way.

use std::collections::BTreeMap;

use sim_core::SimTime;

use super::{
    across::Across,
    cache::Caches,
    errand::{Errand, Way},
    exchange::{Exchange, Gathering},
    order::Accesses,
    progress::AllInProgress,
    servers::{Servers, Striping},
};
use crate::{
    call::{Brought, FileAccess, FileId, FileMeeting, FileMode, RequestId},
    error::MpiError,
    file_system::OpenFile,
    finding::CallPlace,
    kernel::transport::message::Table,
    object::{group::Group, hints::FileHints, view::View},
    outcome::ServerLoads,
    settings::Filesystem,
};

/// This many bytes are read without asking the host for the size of the file before.
const READ_UNASKED: u64 = 64 << 10;

/// The open files of a run.
pub(crate) struct Files {
    pub(super) files: BTreeMap<FileId, File>,
    /// Accesses under way.
    pub(super) pending: Table<PendingAccess>,
    pub(super) errands: Table<Errand>,
    pub(super) ways: Table<Way>,
    pub(super) exchanges: Table<Exchange>,
    pub(super) servers: Servers,
    pub(super) caches: Caches,
    /// Calls that wait until the servers have what caches hold.
    pub(super) drained_later: Vec<(u32, FileId, FileMeeting, Brought)>,
    /// Files that programs use by their language: the number of the name, and that among the files that
    /// the run has opened.
    pub(super) plain: BTreeMap<u32, u32>,
    /// Ranks that wait for the file system outside MPI have these numbers.
    pub(super) tickets: u32,
    /// Those that wait until the servers have what their node has written to a file.
    pub(super) plain_later: Vec<Draining>,
    /// Accesses through different handles, by the number of the name, while any handle is open.
    pub(super) across: BTreeMap<u32, Across>,
    /// Number of calls that have begun or ended a sequence of accesses.
    moments: u64,
    /// Numbers of the names of files.
    names: BTreeMap<String, u32>,
    /// Number of files that were opened.
    opened: u32,
}

/// One open file.
pub(crate) struct File {
    /// The ranks that have opened it; ranks of the file are places in this group.
    pub(super) group: Group,
    pub(super) members: Vec<Member>,
    pub(super) name: String,
    /// The same for files of one name.
    pub(super) name_number: u32,
    pub(super) mode: FileMode,
    /// The bytes; `None` if it could not be opened.
    pub(super) host: Option<Box<dyn OpenFile>>,
    /// Its number among the files that the run has opened, from 0.
    number: u32,
    /// The first rank of the run that came to open it, and its call.
    opened_by: (u32, CallPlace),
    /// Whether it has been opened, and no rank has closed it.
    pub(super) is_open: bool,
    /// Collective accesses for which ranks gather, by the number of the meeting.
    pub(super) gatherings: BTreeMap<u64, Gathering>,
    /// The shared file pointer, in elementary types.
    pub(super) shared: i64,
    /// Whether conflicting accesses are atomic (`MPI_File_set_atomicity`).
    pub(super) atomic: bool,
    /// Accesses that may be concurrent with others.
    pub(super) accesses: Accesses,
    /// Meetings at which not all ranks have arrived, by number.
    pub(super) meetings: BTreeMap<u64, Meeting>,
    /// Number of ranks that know that it is closed, or that it could not be opened.
    pub(super) left: u32,
}

/// What one rank has of a file.
#[derive(Default)]
pub(super) struct Member {
    pub(super) view: View,
    pub(super) hints: FileHints,
    /// The individual file pointer, in elementary types.
    pub(super) position: i64,
    /// Number of meetings with the other ranks.
    pub(super) meetings: u64,
    /// The result of the last meeting.
    pub(super) outcome: Option<Outcome>,
    /// Where its next ordered access begins, in elementary types.
    pub(super) ordered: Option<i64>,
    /// When its present sequence of accesses has begun: when it opened the file or last synchronised it.
    pub(super) begun: u64,
    /// Number of accesses that have not taken effect.
    pub(super) pending: u32,
    /// Accesses that the program has begun and not completed.
    pub(super) in_progress: AllInProgress,
}

/// A call in which all ranks of a file meet.
pub(super) struct Meeting {
    /// What the first rank asks for.
    pub(super) what: FileMeeting,
    /// The first rank, and its call.
    pub(super) first: u32,
    pub(super) by: CallPlace,
    /// What each rank brings; `None` of those that have not come.
    pub(super) brought: Vec<Option<Brought>>,
}

/// A rank that waits, outside MPI, until the servers have what its node has written to a file.
pub(super) struct Draining {
    pub(super) rank: u32,
    /// The number of the file's name.
    pub(super) file: u32,
    pub(super) ticket: u32,
    /// Whether it closes the file then.
    pub(super) closes: bool,
}

/// The result of a meeting.
#[derive(Clone)]
pub(super) struct Outcome {
    pub(super) result: Result<(), MpiError>,
    /// When it is there.
    pub(super) at: SimTime,
    /// Whether the file does not exist any more for the ranks that know it.
    pub(super) ends: bool,
}

/// An access that has not taken effect.
pub(super) struct PendingAccess {
    pub(super) file: FileId,
    /// The rank in the file.
    pub(super) member: u32,
    pub(super) access: FileAccess,
    /// The bytes of the file.
    pub(super) runs: Vec<(i64, u64)>,
    /// The request that it completes.
    pub(super) request: u32,
    /// Whether the rank waits for it.
    pub(super) blocking: bool,
}

impl Files {
    pub(crate) fn new() -> Self {
        Self {
            files: BTreeMap::new(),
            pending: Table::new(),
            errands: Table::new(),
            ways: Table::new(),
            exchanges: Table::new(),
            servers: Servers::default(),
            caches: Caches::default(),
            drained_later: Vec::new(),
            plain: BTreeMap::new(),
            tickets: 0,
            plain_later: Vec::new(),
            across: BTreeMap::new(),
            moments: 0,
            names: BTreeMap::new(),
            opened: 0,
        }
    }

    /// Returns a file, which begins to exist when its first rank comes to open it.
    pub(super) fn enter(
        &mut self,
        id: FileId,
        opened_by: (u32, CallPlace),
        group: impl FnOnce() -> Group,
    ) -> &mut File {
        let opened = &mut self.opened;
        self.files.entry(id).or_insert_with(|| {
            let group = group();
            let members = (0..group.size()).map(|_| Member::default()).collect();
            *opened += 1;
            File {
                group,
                members,
                name: String::new(),
                name_number: 0,
                mode: FileMode::default(),
                host: None,
                number: *opened - 1,
                opened_by,
                is_open: false,
                gatherings: BTreeMap::new(),
                shared: 0,
                atomic: false,
                accesses: Accesses::default(),
                meetings: BTreeMap::new(),
                left: 0,
            }
        })
    }

    /// Returns the call that opened a file, if it is open.
    pub(crate) fn opened_by(&self, id: FileId) -> Option<CallPlace> {
        self.get(id).map(|file| file.opened_by.1)
    }

    /// Returns the calls by which a file and another one of its name that is open were opened, if one of the modes
    /// excludes that (`MPI_MODE_UNIQUE_OPEN`): the excluding one first.
    pub(super) fn opened_against_mode(&self, id: FileId) -> Option<[(u32, CallPlace); 2]> {
        let file = self.get(id)?;
        if !self.across.get(&file.name_number)?.has_many() {
            return None;
        }
        let others = self.files.iter().filter(|(known, _)| **known != id).map(|(_, other)| other);
        let mut others =
            others.filter(|other| other.is_open && other.name_number == file.name_number);
        let other = others.find(|other| other.mode.unique || file.mode.unique)?;
        let [first, second] = if other.mode.unique { [other, file] } else { [file, other] };
        Some([first.opened_by, second.opened_by])
    }

    pub(super) fn get(&self, id: FileId) -> Option<&File> {
        self.files.get(&id)
    }

    /// Removes a file that all ranks have closed, when their last access has taken effect: a program
    /// may have closed it too early.
    pub(super) fn forget_if_left(&mut self, id: FileId) {
        let is_over = |file: &File| {
            file.left == file.group.size() && file.members.iter().all(|one| one.pending == 0)
        };
        if self.files.get(&id).is_some_and(is_over) {
            self.files.remove(&id);
        }
    }

    /// Records that the program knows an access of a rank to be complete, though its request stays.
    pub(crate) fn told_complete(&mut self, rank: u32, request: RequestId) {
        for file in self.files.values_mut() {
            if let Some(me) = file.rank_of(rank) {
                file.member(me).in_progress.remove(request);
            }
        }
    }

    /// Records that a rank of a file synchronises it, opens it or closes it.
    pub(super) fn mark(&mut self, id: FileId, me: u32) {
        self.moments += 1;
        let now = self.moments;
        let Some(file) = self.files.get_mut(&id) else { return };
        file.member(me).begun = now;
        if let Some(across) = self.across.get_mut(&file.name_number) {
            across.end((id, me), now);
        }
    }

    /// Records that a handle is open.
    pub(super) fn count_in(&mut self, id: FileId, name: u32) {
        let across = self.across.entry(name).or_default();
        if let Some(first) = across.open(id)
            && let Some(file) = self.files.get(&first)
        {
            across.take_over(first, &file.accesses, |member| file.group.world_rank(member));
        }
    }

    /// Records that a handle is closed.
    pub(super) fn count_out(&mut self, name: u32) {
        if self.across.get_mut(&name).is_some_and(Across::close) {
            self.across.remove(&name);
        }
    }

    /// Returns what the servers have done; `None` if they were never asked.
    pub(crate) fn into_loads(self) -> Option<ServerLoads> {
        self.servers.into_loads()
    }

    /// Returns the number of the name of a file.
    pub(super) fn number_of_name(&mut self, name: &str) -> u32 {
        let next = self.names.len() as u32;
        *self.names.entry(name.to_owned()).or_insert(next)
    }

    /// Returns the number of the name of a file that a program uses by its language.
    pub(super) fn use_plainly(&mut self, name: &str) -> u32 {
        let number = self.number_of_name(name);
        let opened = &mut self.opened;
        self.plain.entry(number).or_insert_with(|| {
            *opened += 1;
            *opened - 1
        });
        number
    }

    pub(super) fn get_mut(&mut self, id: FileId) -> Option<&mut File> {
        self.files.get_mut(&id)
    }
}

impl Member {
    /// Takes over hints. How a file is striped over the servers is decided when a file is opened.
    pub(super) fn take_hints(&mut self, hints: &FileHints, is_open: bool) {
        let dealt = FileHints { stripe_count: None, stripe: None, first_server: None, ..*hints };
        self.hints.update(if is_open { &dealt } else { hints });
    }
}

impl File {
    /// Returns the rank in the file of a rank of the run.
    pub(super) fn rank_of(&self, number: u32) -> Option<u32> {
        self.group.rank_of(number)
    }

    /// Returns how it is striped over the servers; the hints of the first rank count.
    pub(super) fn striping(&self, model: &Filesystem) -> Striping {
        let hints = self.members.first().map(|member| member.hints).unwrap_or_default();
        Striping::of(model, hints, self.number)
    }

    pub(super) fn member(&mut self, rank: u32) -> &mut Member {
        &mut self.members[rank as usize]
    }

    /// Records that a rank comes to its next meeting. Returns the meeting, and whether all ranks have come.
    pub(super) fn come(
        &mut self,
        me: u32,
        (what, by): (FileMeeting, CallPlace),
        brought: Brought,
    ) -> (&Meeting, bool) {
        let size = self.members.len();
        let member = &mut self.members[me as usize];
        member.meetings += 1;
        let number = member.meetings;
        let meeting = self.meetings.entry(number).or_insert_with(|| Meeting {
            what,
            first: me,
            by,
            brought: vec![None; size],
        });
        meeting.brought[me as usize] = Some(brought);
        let all = meeting.brought.iter().all(Option::is_some);
        (meeting, all)
    }

    /// Gives all ranks the result of a meeting.
    pub(super) fn conclude(&mut self, outcome: &Outcome) {
        for member in &mut self.members {
            member.outcome = Some(outcome.clone());
        }
    }

    /// Reads the bytes of an access, up to the end of the file.
    pub(super) fn read(&self, runs: &[(i64, u64)]) -> Result<Vec<u8>, MpiError> {
        let Some(host) = &self.host else { return Ok(Vec::new()) };
        let is_large = runs.iter().any(|(_, bytes)| *bytes > READ_UNASKED);
        let size = if is_large { host.size()? } else { u64::MAX };
        let mut data = Vec::new();
        for (at, bytes) in runs {
            // Little memory is taken for what lies beyond the end of the file.
            let there = size.saturating_sub(*at as u64).min(*bytes);
            let start = data.len();
            data.resize(start + there as usize, 0);
            let read = host.read(*at as u64, &mut data[start..])?;
            data.truncate(start + read);
            if (read as u64) < *bytes {
                break;
            }
        }
        Ok(data)
    }

    /// Writes the bytes of an access.
    pub(super) fn write(&self, runs: &[(i64, u64)], mut data: &[u8]) -> Result<(), MpiError> {
        let Some(host) = &self.host else { return Ok(()) };
        for (at, bytes) in runs {
            let (now, rest) = data.split_at((*bytes as usize).min(data.len()));
            host.write(*at as u64, now)?;
            data = rest;
        }
        Ok(())
    }
}
