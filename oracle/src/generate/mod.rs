//! Generation of random well-formed programs. A seed first decides which features are enabled, so
//! that small combinations of features occur as often as large ones (swarm testing).

mod collective;
mod communicator;
mod fault;
mod layout;
mod many;
mod matching;
mod message;
mod window;

use rand::RngExt;
use sim_core::{ChaCha8Rng, stream};

use super::plan::{Comm, Fault, How, Id, Kind, Look, Null, Part, Plan, Step, Style};

/// A feature that can be enabled or disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feature {
    Halves,
    Modes,
    Ready,
    Forgotten,
    Immediate,
    Persistent,
    Looks,
    Polling,
    Derived,
    Wildcards,
    Bursts,
    Services,
    Exchanges,
    Nulls,
    SelfMessages,
    Collectives,
    Vectors,
    UserOperations,
    ImmediateCollectives,
    Neighborhoods,
    Communicators,
    Intercommunicators,
    Compute,
}

/// A message of which only one half is in the plan so far.
#[derive(Clone, Copy)]
struct Half {
    id: Id,
    /// Whether the send is the half that is missing.
    send: bool,
}

/// A burst whose receives are posted.
#[derive(Clone, Copy)]
struct Spread {
    id: Id,
    /// Whether its messages are sent as well.
    sent: bool,
}

/// A plan under construction.
struct Builder {
    random: ChaCha8Rng,
    features: u64,
    plan: Plan,
    halves: Vec<Half>,
    spread: Vec<Spread>,
    /// Started operations that are not complete, each with its world rank.
    open: Vec<(u32, Part)>,
    /// Communicators that can be used.
    live: Vec<Id>,
    theme: Theme,
}

/// The kind of plan that a seed produces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// A plan without a fault.
    Safe,
    /// A plan with the fault of this number.
    Faulty(u64),
}

/// What the plans of a seed are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Messages, collectives and communicators.
    Messages,
    /// The same with one-sided communication between them.
    Windows,
}

/// Returns the plan of a seed; every fourth one has a fault, and of those with windows every second one.
pub fn generate(seed: u64, theme: Theme) -> Plan {
    let (name, nth) = match theme {
        Theme::Messages => ("oracle", 4),
        Theme::Windows => ("oracle of windows", 2),
    };
    let faulty = seed % nth == nth - 1;
    let intent = if faulty { Intent::Faulty(seed / nth) } else { Intent::Safe };
    let mut random = stream(seed, name, 0);
    let ranks = if intent == Intent::Safe && random.random_bool(0.05) {
        1
    } else {
        random.random_range(2..7)
    };
    let world = Comm { group: (0..ranks).collect(), other: None };
    let own = (0..ranks).map(|rank| Comm { group: vec![rank], other: None });
    let comms: Vec<Comm> = std::iter::once(world).chain(own).collect();
    let features = random.random::<u64>() | random.random::<u64>() & random.random::<u64>();
    let plan = Plan {
        seed,
        ranks,
        comms,
        messages: Vec::new(),
        collectives: Vec::new(),
        bursts: Vec::new(),
        steps: Vec::new(),
        fault: None,
        planted: Vec::new(),
        planted_collectives: Vec::new(),
    };
    let mut builder = Builder {
        random,
        features,
        plan,
        halves: Vec::new(),
        spread: Vec::new(),
        open: Vec::new(),
        live: (0..=ranks as usize).collect(),
        theme,
    };
    builder.build(intent);
    builder.plan
}

impl Builder {
    fn build(&mut self, intent: Intent) {
        if let Intent::Faulty(_) = intent {
            // A poll that never succeeds costs half a million calls before the run is ended.
            self.switch_off(Feature::Polling);
        }
        let steps = match self.theme {
            Theme::Messages => self.range(5, 26),
            Theme::Windows => self.range(2, 9),
        };
        let planted = match intent {
            Intent::Safe => None,
            Intent::Faulty(number) => Some((self.below(steps), number)),
        };
        for step in 0..steps {
            match planted {
                Some((place, number)) if place == step => match self.theme {
                    Theme::Messages => self.plant(number),
                    Theme::Windows => self.wrong_window(number),
                },
                _ if self.theme == Theme::Windows && self.one_in(2) => self.window(),
                _ => self.act(),
            }
        }
        while let Some(half) = self.halves.pop() {
            self.second_half(half);
        }
        while !self.spread.is_empty() {
            self.go_on(0);
        }
        while !self.open.is_empty() {
            self.complete_some();
        }
        if self.on(Feature::Forgotten) {
            // Before the end, nothing else proves that a send whose request was freed is complete.
            let barrier = self.plain_collective(0, Kind::Barrier, Style::Blocking);
            self.push(Step::Collective(barrier));
        }
        self.settle_matching();
    }

    fn act(&mut self) {
        match self.below(18) {
            0..3 => self.meet(),
            3..5 if self.on(Feature::Halves) => self.first_half(),
            5 if self.on(Feature::Ready) => self.ready(),
            6 if !self.halves.is_empty() => {
                let at = self.below(self.halves.len() as u64) as usize;
                let half = self.halves.swap_remove(at);
                self.second_half(half);
            }
            7 => self.complete_some(),
            8 if self.on(Feature::Exchanges) => self.exchange(),
            9 if self.on(Feature::Bursts) => self.burst(),
            10 if self.on(Feature::Nulls) => self.null(),
            11..14 if self.on(Feature::Collectives) => self.collective(),
            16 if !self.spread.is_empty() => {
                let at = self.below(self.spread.len() as u64) as usize;
                self.go_on(at);
            }
            17 if self.on(Feature::Services) => self.service(),
            14 if self.on(Feature::Communicators) => self.communicator(),
            15 if self.on(Feature::Compute) => {
                let rank = self.rank();
                let time = self.below(20_000);
                self.push(Step::Compute(rank, time));
            }
            _ => self.meet(),
        }
    }

    fn on(&self, feature: Feature) -> bool {
        self.features >> feature as u32 & 1 == 1
    }

    fn switch_off(&mut self, feature: Feature) {
        self.features &= !(1 << feature as u32);
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.random.random_range(0..bound.max(1))
    }

    /// Returns a random number from `low` up to, but not including, `high`.
    fn range(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low)
    }

    fn one_in(&mut self, chances: u64) -> bool {
        self.below(chances) == 0
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    /// Shuffles a list.
    fn shuffle<T>(&mut self, list: &mut [T]) {
        sim_core::shuffle(list, |last| self.below(last as u64 + 1) as usize);
    }

    fn rank(&mut self) -> u32 {
        self.below(u64::from(self.plan.ranks)) as u32
    }

    fn push(&mut self, step: Step) {
        self.plan.steps.push(step);
    }

    /// Returns whether the other side has done what this part waits for.
    fn can_end(&self, part: Part) -> bool {
        self.halves.iter().all(|half| match part {
            Part::Sent(id) => half.id != id || half.send,
            Part::Received(id) => half.id != id || !half.send,
            Part::Taken(_) => true,
        })
    }

    /// Adds a step in which some rank completes some of its pending operations.
    fn complete_some(&mut self) {
        let ready: Vec<(u32, Part)> =
            self.open.iter().copied().filter(|(_, part)| self.can_end(*part)).collect();
        if ready.is_empty() {
            return;
        }
        let rank = self.pick(&ready).0;
        let mut parts: Vec<Part> =
            ready.iter().filter(|(owner, _)| *owner == rank).map(|(_, part)| *part).collect();
        self.shuffle(&mut parts);
        let count = self.range(1, parts.len() as u64 + 1) as usize;
        parts.truncate(count);
        self.open.retain(|(owner, part)| *owner != rank || !parts.contains(part));
        let how = self.how();
        self.push(Step::Complete(rank, parts, how));
    }

    fn how(&mut self) -> How {
        if self.on(Feature::Polling) {
            self.pick(&[
                How::Each,
                How::All,
                How::Any,
                How::Some,
                How::TestAll,
                How::TestAny,
                How::TestSome,
                How::Status,
            ])
        } else {
            self.pick(&[How::Each, How::All, How::Any, How::Some])
        }
    }

    fn null(&mut self) {
        let null = self.pick(&[
            Null::Send,
            Null::Receive,
            Null::Immediate,
            Null::Persistent,
            Null::Probe,
            Null::SendReceive,
            Null::Cancel,
        ]);
        let rank = self.rank();
        self.push(Step::Null(rank, null));
    }

    fn look(&mut self) -> Look {
        match (self.on(Feature::Looks), self.on(Feature::Polling)) {
            (false, _) => Look::Straight,
            (true, false) => self.pick(&[Look::Straight, Look::Probe, Look::Matched]),
            (true, true) => self.pick(&[
                Look::Straight,
                Look::Probe,
                Look::Poll,
                Look::Matched,
                Look::PollMatched,
            ]),
        }
    }

    /// Records the fault that was added, and the messages it consists of.
    fn blame(&mut self, fault: Fault, messages: Vec<Id>) {
        (self.plan.fault, self.plan.planted) = (Some(fault), messages);
    }
}
