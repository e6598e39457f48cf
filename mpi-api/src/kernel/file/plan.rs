//! What an access asks of the servers: [`Step`]s, one after the other, with data sieving where it helps.
//!
//! Data sieving moves one large piece of the file instead of many small ones: a read takes everything
//! between the first and the last byte that is wanted, a write reads that, changes it and writes it
//! back. After R. Thakur, W. Gropp and E. Lusk, "Data Sieving and Collective I/O in ROMIO", 1999.

use sim_core::SimDuration;

use crate::{
    call::Direction,
    object::hints::{HintsInUse, Technique},
    settings::Filesystem,
};

/// One request: consecutive bytes of a file, which may be on several servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) direction: Direction,
    pub(super) at: i64,
    pub(super) bytes: u64,
}

/// Runs that one buffer of data sieving holds.
struct Sieve {
    first: i64,
    end: i64,
    data: u64,
    runs: Vec<(i64, u64)>,
}

impl Sieve {
    fn of((at, bytes): (i64, u64)) -> Self {
        Self { first: at, end: at + bytes as i64, data: bytes, runs: vec![(at, bytes)] }
    }

    fn add(&mut self, (at, bytes): (i64, u64)) {
        self.end = self.end.max(at + bytes as i64);
        self.data += bytes;
        self.runs.push((at, bytes));
    }

    fn extent(&self) -> u64 {
        (self.end - self.first) as u64
    }

    /// Reports whether one large access is shorter than many small ones, if one server does them.
    fn helps(&self, model: &Filesystem, passes: u64) -> bool {
        let time = |requests: u64, bytes| -> SimDuration {
            let latency = SimDuration::from_ps(model.latency.as_ps().saturating_mul(requests));
            latency + model.byte_time.time_for(bytes)
        };
        time(passes, passes.saturating_mul(self.extent())) < time(self.runs.len() as u64, self.data)
    }

    fn steps(self, direction: Direction, sieves: bool, steps: &mut Vec<Step>) {
        let whole = |direction| Step { direction, at: self.first, bytes: self.extent() };
        if !sieves || self.runs.len() == 1 {
            let each = |(at, bytes)| Step { direction, at, bytes };
            return steps.extend(self.runs.into_iter().map(each));
        }
        if direction == Direction::Write {
            steps.push(whole(Direction::Read));
        }
        steps.push(whole(direction));
    }
}

/// Returns the requests of an access to these runs of bytes, which are in ascending order.
pub(super) fn steps(
    direction: Direction,
    runs: &[(i64, u64)],
    hints: &HintsInUse,
    model: &Filesystem,
) -> Vec<Step> {
    if let [] | [_] = runs {
        return runs.iter().map(|&(at, bytes)| Step { direction, at, bytes }).collect();
    }
    let (place, passes) = match direction {
        Direction::Read => (0, 1),
        Direction::Write => (1, 2),
    };
    let buffer = hints.sieve_buffer[place].min(i64::MAX as u64) as i64;
    let sieves = |sieve: &Sieve| match hints.sieve[place] {
        Technique::Enable => true,
        Technique::Disable => false,
        Technique::Automatic => sieve.helps(model, passes),
    };
    let mut steps = Vec::new();
    let mut present: Option<Sieve> = None;
    for &run in runs {
        let fits = |sieve: &&mut Sieve| run.0 + run.1 as i64 - sieve.first <= buffer;
        if let Some(sieve) = present.as_mut().filter(fits) {
            sieve.add(run);
            continue;
        }
        if let Some(full) = present.replace(Sieve::of(run)) {
            let helps = sieves(&full);
            full.steps(direction, helps, &mut steps);
        }
    }
    if let Some(last) = present {
        let helps = sieves(&last);
        last.steps(direction, helps, &mut steps);
    }
    steps
}

#[cfg(test)]
mod tests {
    use network_models::ByteTime;

    use super::*;

    /// A byte takes 1 ns, a request 100 ns.
    fn planned(direction: Direction, runs: &[(i64, u64)], technique: Technique) -> Vec<Step> {
        let model = Filesystem {
            latency: SimDuration::from_ns(100),
            byte_time: ByteTime::from_fs(1_000_000),
            ..Filesystem::default()
        };
        let hints = HintsInUse {
            aggregators: 1,
            collective_buffer: 1,
            collective: [technique; 2],
            sieve: [technique; 2],
            sieve_buffer: [100, 100],
            stripe_count: 1,
            stripe: 1,
            first_server: 0,
        };
        steps(direction, runs, &hints, &model)
    }

    fn read(at: i64, bytes: u64) -> Step {
        Step { direction: Direction::Read, at, bytes }
    }

    fn write(at: i64, bytes: u64) -> Step {
        Step { direction: Direction::Write, at, bytes }
    }

    #[test]
    fn one_run_is_one_request() {
        assert_eq!(planned(Direction::Read, &[(5, 500)], Technique::Enable), [read(5, 500)]);
        assert_eq!(planned(Direction::Read, &[], Technique::Enable), []);
    }

    #[test]
    fn a_buffer_holds_what_lies_in_between() {
        let comb: Vec<_> = (0..12).map(|n| (10 * n, 5)).collect();
        let sieved = planned(Direction::Read, &comb, Technique::Enable);
        assert_eq!(sieved, [read(0, 95), read(100, 15)]);
        let sieved = planned(Direction::Write, &comb, Technique::Enable);
        assert_eq!(sieved, [read(0, 95), write(0, 95), read(100, 15), write(100, 15)]);
        let each = planned(Direction::Write, &comb[..2], Technique::Disable);
        assert_eq!(each, [write(0, 5), write(10, 5)]);
        let large = planned(Direction::Read, &[(0, 500), (600, 1)], Technique::Enable);
        assert_eq!(large, [read(0, 500), read(600, 1)]);
    }

    #[test]
    fn the_shorter_way_is_taken() {
        use Technique::Automatic;
        // 100 + 95 against 2 * 100 + 10; written back it takes twice as long.
        let far = [(0, 5), (90, 5)];
        assert_eq!(planned(Direction::Read, &far, Automatic), [read(0, 95)]);
        assert_eq!(planned(Direction::Write, &far, Automatic), [write(0, 5), write(90, 5)]);
        let near: Vec<_> = (0..4).map(|n| (10 * n, 5)).collect();
        assert_eq!(planned(Direction::Write, &near, Automatic), [read(0, 35), write(0, 35)]);
    }
}
