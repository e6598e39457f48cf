//! Collective accesses in two phases: who takes part, and how data travel between ranks, aggregators and
//! servers.

use super::{
    errand::{Door, Errand, Then, Way},
    exchange::{Aggregator, Exchange, Gathering, are_interleaved, rounds},
    servers::Striping,
    table::File,
};
use crate::{
    call::{Brought, Direction, FileId, Position},
    kernel::{MpiKernel, Sched},
    object::hints::{HintsInUse, Technique},
};

/// Bytes of an aggregator's buffer, and of buffers of data sieving for reads and writes, unless hints say
/// otherwise.
const COLLECTIVE_BUFFER: u64 = 16 << 20;
const SIEVE_BUFFERS: [u64; 2] = [4 << 20, 512 << 10];

impl MpiKernel {
    /// Returns the hints in use for a rank of a file.
    pub(super) fn hints_in_use(&self, file: &File, member: u32) -> HintsInUse {
        let hints = &file.members[member as usize].hints;
        let technique = |given: Option<Technique>| given.unwrap_or(Technique::Automatic);
        let all = file.group.size();
        let nodes = || self.aggregators(file, all).1;
        let Striping { unit, count, first } = file.striping(&self.settings.filesystem);
        HintsInUse {
            aggregators: hints.aggregators.unwrap_or_else(nodes).min(all).max(1),
            collective_buffer: hints.collective_buffer.unwrap_or(COLLECTIVE_BUFFER),
            collective: [technique(hints.collective_read), technique(hints.collective_write)],
            sieve: [technique(hints.sieve_read), technique(hints.sieve_write)],
            sieve_buffer: [
                hints.read_buffer.unwrap_or(SIEVE_BUFFERS[0]),
                hints.write_buffer.unwrap_or(SIEVE_BUFFERS[1]),
            ],
            stripe_count: count,
            stripe: unit,
            first_server: first,
        }
    }

    /// Returns the given number of ranks of the run that access a file for all: one on each node, in order of rank, then
    /// a second one, and so on. Returns the number of nodes, too.
    fn aggregators(&self, file: &File, wanted: u32) -> (Vec<u32>, u32) {
        let mut seen = std::collections::BTreeMap::<u32, u32>::new();
        let mut ranks: Vec<(u32, u32)> = (0..file.group.size())
            .map(|member| {
                let rank = file.group.world_rank(member);
                let before = seen.entry(self.settings.nodes[rank as usize].0).or_default();
                *before += 1;
                (*before - 1, rank)
            })
            .collect();
        ranks.sort_by_key(|(before, _)| *before);
        let ranks = ranks.into_iter().map(|(_, rank)| rank).take(wanted as usize).collect();
        (ranks, seen.len() as u32)
    }

    /// Reports whether ranks make accesses with these bounds in two phases.
    fn helps(&self, file: &File, direction: Direction, bounds: Vec<(i64, i64)>) -> bool {
        match self.hints_in_use(file, 0).collective[direction as usize] {
            Technique::Enable => true,
            Technique::Disable => false,
            Technique::Automatic => are_interleaved(bounds),
        }
    }

    /// Decides whether the ranks that have met make their accesses in two phases.
    pub(super) fn decide_together(
        &mut self,
        (id, meeting): (FileId, u64),
        direction: Direction,
        brought: &[Brought],
    ) {
        let Some(file) = self.files.get(id) else { return };
        if !self.helps(file, direction, bounds(file, brought)) {
            return;
        }
        let Some(file) = self.files.get_mut(id) else { return };
        let gathering = Gathering::new(file.group.size(), true);
        file.gatherings.insert(meeting, gathering);
    }

    /// Prepares for the accesses of ranks that begin them without waiting for each other.
    pub(super) fn expect_accesses(&mut self, (id, meeting): (FileId, u64)) {
        let Some(file) = self.files.get_mut(id) else { return };
        let ranks = file.group.size();
        file.gatherings.entry(meeting).or_insert_with(|| Gathering::new(ranks, false));
    }

    /// Brings a rank, with its access unless that is wrong, to a collective access for which ranks gather. When the last
    /// one has come, the access begins.
    pub(super) fn gather(
        &mut self,
        (id, meeting): (FileId, u64),
        access: Option<u32>,
        s: &mut Sched,
    ) {
        let Some(file) = self.files.get_mut(id) else { return };
        let Some(gathering) = file.gatherings.get_mut(&meeting) else { return };
        gathering.accesses.extend(access);
        gathering.missing -= 1;
        if gathering.missing > 0 {
            return;
        }
        let Some(Gathering { accesses, is_decided, .. }) = file.gatherings.remove(&meeting) else {
            return;
        };
        if is_decided || self.help_each_other(id, &accesses) {
            return self.begin_exchange(id, accesses, s);
        }
        for access in accesses {
            self.begin_access(access, s.now(), s);
        }
    }

    /// Reports whether ranks make these accesses in two phases.
    fn help_each_other(&self, id: FileId, accesses: &[u32]) -> bool {
        let pending = &self.files.pending;
        let (Some(file), Some(first)) = (self.files.get(id), accesses.first()) else {
            return false;
        };
        let bounds = accesses.iter().filter_map(|access| {
            let runs = &pending[*access].runs;
            let (last, bytes) = runs.last()?;
            Some((runs.first()?.0, last.saturating_add_unsigned(*bytes)))
        });
        self.helps(file, pending[*first].access.moved.direction(), bounds.collect())
    }

    /// Returns the ranks that the access of a request waits for: those that have not come to it.
    pub(in crate::kernel) fn awaited_at_file(&self, request: u32) -> Vec<u32> {
        let of_request = |access: &u32| self.files.pending[*access].request == request;
        for file in self.files.files.values() {
            let mut all = file.gatherings.iter();
            let found = all.find(|(_, gathering)| gathering.accesses.iter().any(of_request));
            if let Some((meeting, _)) = found {
                let members = (0..).zip(&file.members);
                let missing = members.filter(|(_, member)| member.meetings < *meeting);
                return missing.map(|(member, _)| file.group.world_rank(member)).collect();
            }
        }
        Vec::new()
    }

    fn begin_exchange(&mut self, id: FileId, mut accesses: Vec<u32>, s: &mut Sched) {
        let Some(file) = self.files.get(id) else { return };
        let pending = &self.files.pending;
        accesses.sort_by_key(|access| pending[*access].member);
        let Some(first) = accesses.first() else { return };
        let direction = pending[*first].access.moved.direction();
        let hints = self.hints_in_use(file, 0);
        let (ranks, _) = self.aggregators(file, hints.aggregators);
        let parts: Vec<(u32, &[(i64, u64)])> = accesses
            .iter()
            .map(|access| {
                let access = &pending[*access];
                (file.group.world_rank(access.member), &*access.runs)
            })
            .collect();
        let aggregators: Vec<Aggregator> = rounds(&parts, &hints)
            .into_iter()
            .map(|(number, rounds)| Aggregator { rank: ranks[number], rounds, waits_for: 0 })
            .collect();
        let left = aggregators.len() as u32;
        let exchange = Exchange { file: id, direction, accesses, aggregators, left };
        let exchange = self.files.exchanges.insert(exchange);
        if left == 0 {
            return self.end_exchange(exchange, s);
        }
        for aggregator in 0..left {
            self.begin_file_round(exchange, aggregator, s);
        }
    }

    /// Begins the next round of an aggregator: the data of a write travel to it, those of a read are
    /// read.
    fn begin_file_round(&mut self, exchange: u32, number: u32, s: &mut Sched) {
        let present = &mut self.files.exchanges[exchange];
        let aggregator = &mut present.aggregators[number as usize];
        let rank = aggregator.rank;
        let Some(round) = aggregator.rounds.front() else {
            present.left -= 1;
            if present.left == 0 {
                self.end_exchange(exchange, s);
            }
            return;
        };
        if present.direction == Direction::Read {
            return self.access_round(exchange, number, s);
        }
        let pieces = round.pieces.clone();
        aggregator.waits_for = pieces.len() as u32;
        for (from, bytes) in pieces {
            self.send_piece((from, rank), bytes, Way::Piece(exchange, number), s);
        }
    }

    /// Makes the requests of an aggregator's round.
    fn access_round(&mut self, exchange: u32, number: u32, s: &mut Sched) {
        let Exchange { file, direction, aggregators, .. } = &self.files.exchanges[exchange];
        let Aggregator { rank, rounds, .. } = &aggregators[number as usize];
        let (Some(round), Some(open)) = (rounds.front(), self.files.get(*file)) else { return };
        let errand = Errand {
            door: Door::Mpi(*file),
            name: open.name_number,
            striping: open.striping(&self.settings.filesystem),
            rank: *rank,
            steps: round.steps(*direction),
            open: 0,
            then: Then::Round(exchange, number),
        };
        let now = s.now();
        self.begin_errand(errand, now, s);
    }

    /// Continues when the servers are done with an aggregator's round.
    pub(super) fn round_done(&mut self, exchange: u32, number: u32, s: &mut Sched) {
        let present = &mut self.files.exchanges[exchange];
        let (direction, aggregator) =
            (present.direction, &mut present.aggregators[number as usize]);
        let round = aggregator.rounds.pop_front();
        let Some(round) = round.filter(|_| direction == Direction::Read) else {
            return self.begin_file_round(exchange, number, s);
        };
        let rank = aggregator.rank;
        aggregator.waits_for = round.pieces.len() as u32;
        for (to, bytes) in round.pieces {
            self.send_piece((rank, to), bytes, Way::Piece(exchange, number), s);
        }
    }

    /// Continues when data have arrived: at the aggregator for a write, at a rank for a read.
    pub(super) fn piece_arrived(&mut self, exchange: u32, number: u32, s: &mut Sched) {
        let present = &mut self.files.exchanges[exchange];
        let aggregator = &mut present.aggregators[number as usize];
        aggregator.waits_for -= 1;
        if aggregator.waits_for > 0 {
            return;
        }
        match present.direction {
            Direction::Write => self.access_round(exchange, number, s),
            Direction::Read => self.begin_file_round(exchange, number, s),
        }
    }

    /// Lets the accesses of all ranks take effect: they tell each other of errors at the end.
    fn end_exchange(&mut self, exchange: u32, s: &mut Sched) {
        for access in self.files.exchanges.remove(exchange).accesses {
            self.access_done(access, s);
        }
    }
}

/// Returns first byte and end of the part of each rank, without empty parts.
fn bounds(file: &File, brought: &[Brought]) -> Vec<(i64, i64)> {
    let part = |(member, brought): (&super::table::Member, &Brought)| {
        let Brought::Part(position, bytes) = brought else { return None };
        let offset = match position {
            Position::At(offset) => *offset,
            Position::Individual => member.position,
            Position::Shared => file.shared,
            Position::Ordered => member.ordered?,
        };
        let last = bytes.checked_sub(1)?;
        let first = u64::try_from(offset).ok()?.checked_mul(member.view.etype.max(1))?;
        let end = member.view.byte(first.checked_add(last)?)?;
        Some((member.view.byte(first)?, end.checked_add(1)?))
    };
    file.members.iter().zip(brought).filter_map(part).collect()
}
