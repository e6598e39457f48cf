//! [`Servers`]: when the servers of the modelled file system have done what they are asked.

use sim_core::SimTime;

use crate::settings::Filesystem;

/// The servers of a file system, each of which does one thing after the other.
#[derive(Default)]
pub(super) struct Servers {
    /// Times at which the servers of data have done all that they were asked.
    free: Vec<SimTime>,
    /// The same of the server of metadata.
    metadata: SimTime,
}

/// Returns how many bytes in front of byte `end` a server has, by its distance from the file's first.
fn bytes_before(model: &Filesystem, server: u64, end: u64) -> u64 {
    let row = model.stripe * u64::from(model.servers);
    let inside = (end % row).saturating_sub(server * model.stripe);
    end / row * model.stripe + inside.min(model.stripe)
}

impl Servers {
    /// Books an operation on names and attributes; returns when it is done.
    pub(super) fn administer(&mut self, model: &Filesystem, now: SimTime) -> SimTime {
        self.metadata = self.metadata.max(now) + model.metadata;
        self.metadata
    }

    /// Books the transfer of these runs of bytes of a file whose first stripe is on server `first`;
    /// returns when it is done.
    pub(super) fn serve(
        &mut self,
        model: &Filesystem,
        (first, runs): (u32, &[(i64, u64)]),
        now: SimTime,
    ) -> SimTime {
        self.free.resize(model.servers as usize, SimTime::ZERO);
        let mut done = now;
        for server in 0..u64::from(model.servers) {
            let share = |(at, bytes): &(i64, u64)| {
                let (start, end) = (*at as u64, *at as u64 + bytes);
                bytes_before(model, server, end) - bytes_before(model, server, start)
            };
            let bytes: u64 = runs.iter().map(share).sum();
            if bytes > 0 {
                let place = (u64::from(first) + server) % u64::from(model.servers);
                let free = &mut self.free[place as usize];
                *free = (*free).max(now + model.latency) + model.byte_time.time_for(bytes);
                done = done.max(*free);
            }
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use network_models::ByteTime;
    use sim_core::SimDuration;

    use super::*;

    /// Three servers with stripes of 10 bytes; a byte takes 1 ns, a request 100 ns.
    fn model() -> Filesystem {
        Filesystem {
            servers: 3,
            stripe: 10,
            latency: SimDuration::from_ns(100),
            byte_time: ByteTime::from_fs(1_000_000),
            metadata: SimDuration::from_ns(500),
        }
    }

    fn ns(time: SimTime) -> u64 {
        time.as_ps() / 1000
    }

    #[test]
    fn stripes_are_dealt_out_in_turn() {
        let shares = |end| (0..3).map(|server| bytes_before(&model(), server, end)).collect();
        let all: Vec<Vec<u64>> = [0, 7, 10, 25, 30, 41].into_iter().map(shares).collect();
        let expected: [[u64; 3]; 6] =
            [[0, 0, 0], [7, 0, 0], [10, 0, 0], [10, 10, 5], [10, 10, 10], [20, 11, 10]];
        assert_eq!(all, expected);
    }

    #[test]
    fn one_writer_has_all_servers() {
        let mut servers = Servers::default();
        assert_eq!(ns(servers.serve(&model(), (0, &[(0, 10)]), SimTime::ZERO)), 100 + 10);
        let later = SimTime::from_ps(1_000_000);
        assert_eq!(ns(servers.serve(&model(), (0, &[(0, 300)]), later)), 1000 + 100 + 100);
        assert_eq!(ns(servers.serve(&model(), (0, &[]), later)), 1000);
    }

    #[test]
    fn writers_share_the_servers() {
        let mut servers = Servers::default();
        let writer = |n: i64| (0, [(n * 30, 30)]);
        let ends: Vec<u64> =
            (0..4).map(|n| ns(servers.serve(&model(), (0, &writer(n).1), SimTime::ZERO))).collect();
        assert_eq!(ends, [110, 120, 130, 140]);
        // Files whose first stripes are on different servers do not meet.
        let mut servers = Servers::default();
        let mut first = |server| ns(servers.serve(&model(), (server, &[(0, 10)]), SimTime::ZERO));
        assert_eq!((first(0), first(1), first(2), first(3)), (110, 110, 110, 120));
    }

    #[test]
    fn names_have_one_server() {
        let mut servers = Servers::default();
        let mut next = || ns(servers.administer(&model(), SimTime::ZERO));
        assert_eq!((next(), next()), (500, 1000));
    }
}
