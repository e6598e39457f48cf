//! [`Servers`]: when the servers of the modelled file system have done what they are asked.

use sim_core::SimTime;

use crate::{
    call::Direction,
    object::hints::FileHints,
    outcome::{ServerLoad, ServerLoads},
    settings::Filesystem,
};

/// How a file is striped over the servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Striping {
    /// Bytes of a stripe.
    pub(super) unit: u64,
    /// Number of servers that hold the file.
    pub(super) count: u32,
    /// The server of the first stripe.
    pub(super) first: u32,
}

/// The servers of a file system, each of which does one thing after the other.
#[derive(Default)]
pub(super) struct Servers {
    /// Times at which the servers of data have done all that they were asked.
    free: Vec<SimTime>,
    /// The same of the server of metadata.
    metadata: SimTime,
    loads: ServerLoads,
}

impl Striping {
    /// Returns how the bytes of the file of this number among those that the run has opened are striped: as `hints`
    /// say, else as usual for the file system. The first stripes of files that are opened one after the other are on
    /// servers one after the other.
    pub(super) fn of(model: &Filesystem, hints: FileHints, number: u32) -> Self {
        let count = hints.stripe_count.or(model.stripe_count).unwrap_or(model.servers);
        Self {
            unit: hints.stripe.unwrap_or(model.stripe),
            count: count.min(model.servers),
            first: hints.first_server.unwrap_or(number) % model.servers,
        }
    }

    /// Returns how many bytes in front of byte `end` a server has, by its distance from the file's first.
    fn bytes_before(&self, server: u64, end: u64) -> u64 {
        let row = self.unit.saturating_mul(u64::from(self.count));
        let inside = (end % row).saturating_sub(server.saturating_mul(self.unit));
        end / row * self.unit + inside.min(self.unit)
    }

    /// Returns the servers that hold bytes of this run, and how many.
    pub(super) fn shares(
        self,
        model: &Filesystem,
        (at, bytes): (i64, u64),
    ) -> impl Iterator<Item = (u32, u64)> {
        let (start, end) = (at as u64, at as u64 + bytes);
        let servers = u64::from(model.servers);
        (0..u64::from(self.count)).filter_map(move |server| {
            let share = self.bytes_before(server, end) - self.bytes_before(server, start);
            let place = (u64::from(self.first) + server) % servers;
            (share > 0).then_some((place as u32, share))
        })
    }
}

impl Servers {
    /// Books an operation on names and attributes; returns when it is done.
    pub(super) fn administer(&mut self, model: &Filesystem, now: SimTime) -> SimTime {
        self.metadata = self.metadata.max(now) + model.metadata;
        self.loads.metadata.requests += 1;
        self.loads.metadata.busy += model.metadata;
        self.metadata
    }

    /// Books the transfer of a number of bytes by one server; returns when it is done.
    pub(super) fn serve(
        &mut self,
        model: &Filesystem,
        (server, bytes): (u32, u64),
        direction: Direction,
        now: SimTime,
    ) -> SimTime {
        self.free.resize(model.servers as usize, SimTime::ZERO);
        self.loads.data.resize(model.servers as usize, ServerLoad::default());
        let takes = model.byte_time.time_for(bytes);
        let load = &mut self.loads.data[server as usize];
        load.requests += 1;
        load.busy += takes;
        match direction {
            Direction::Read => load.read += bytes,
            Direction::Write => load.written += bytes,
        }
        let free = &mut self.free[server as usize];
        *free = (*free).max(now + model.latency) + takes;
        *free
    }

    /// Returns what the servers have done; `None` if they were never asked.
    pub(super) fn into_loads(self) -> Option<ServerLoads> {
        let asked = self.loads.metadata.requests > 0 || !self.loads.data.is_empty();
        asked.then_some(self.loads)
    }
}

#[cfg(test)]
mod tests {
    use network_models::ByteTime;
    use sim_core::SimDuration;

    use super::*;

    /// Three servers; a byte takes 1 ns, a request 100 ns.
    fn model() -> Filesystem {
        Filesystem {
            servers: 3,
            latency: SimDuration::from_ns(100),
            byte_time: ByteTime::from_fs(1_000_000),
            metadata: SimDuration::from_ns(500),
            ..Filesystem::default()
        }
    }

    fn striping(first: u32) -> Striping {
        Striping { unit: 10, count: 3, first }
    }

    fn ns(time: SimTime) -> u64 {
        time.as_ps() / 1000
    }

    /// Books a write of a file whose first stripe is on this server.
    fn write(servers: &mut Servers, first: u32, run: (i64, u64), now: SimTime) -> u64 {
        let model = model();
        let shares = striping(first).shares(&model, run);
        let done = shares.map(|share| servers.serve(&model, share, Direction::Write, now)).max();
        ns(done.unwrap_or(now))
    }

    #[test]
    fn stripes_are_dealt_out_in_turn() {
        let shares = |end| (0..3).map(|server| striping(0).bytes_before(server, end)).collect();
        let all: Vec<Vec<u64>> = [0, 7, 10, 25, 30, 41].into_iter().map(shares).collect();
        let expected: [[u64; 3]; 6] =
            [[0, 0, 0], [7, 0, 0], [10, 0, 0], [10, 10, 5], [10, 10, 10], [20, 11, 10]];
        assert_eq!(all, expected);
        let two = Striping { count: 2, ..striping(2) };
        let shares: Vec<_> = two.shares(&model(), (5, 20)).collect();
        assert_eq!(shares, [(2, 10), (0, 10)]);
        let huge = Striping { unit: u64::MAX, ..striping(0) };
        assert_eq!(huge.shares(&model(), (5, 20)).collect::<Vec<_>>(), [(0, 20)]);
    }

    #[test]
    fn one_writer_has_all_servers() {
        let mut servers = Servers::default();
        assert_eq!(write(&mut servers, 0, (0, 10), SimTime::ZERO), 100 + 10);
        let later = SimTime::from_ps(1_000_000);
        assert_eq!(write(&mut servers, 0, (0, 300), later), 1000 + 100 + 100);
        assert_eq!(write(&mut servers, 0, (0, 0), later), 1000);
        let loads = servers.into_loads().expect("they were asked");
        let written: Vec<u64> = loads.data.iter().map(|load| load.written).collect();
        assert_eq!(written, [110, 100, 100]);
        assert_eq!(loads.data[0].busy, SimDuration::from_ns(110));
    }

    #[test]
    fn writers_share_the_servers() {
        let mut servers = Servers::default();
        let ends: Vec<u64> =
            (0..4).map(|n| write(&mut servers, 0, (n * 30, 30), SimTime::ZERO)).collect();
        assert_eq!(ends, [110, 120, 130, 140]);
        // Files whose first stripes are on different servers do not meet.
        let mut servers = Servers::default();
        let mut first = |server| write(&mut servers, server, (0, 10), SimTime::ZERO);
        assert_eq!((first(0), first(1), first(2), first(0)), (110, 110, 110, 120));
    }

    #[test]
    fn names_have_one_server() {
        let mut servers = Servers::default();
        let mut next = || ns(servers.administer(&model(), SimTime::ZERO));
        assert_eq!((next(), next()), (500, 1000));
        assert_eq!(Servers::default().into_loads(), None);
    }
}
