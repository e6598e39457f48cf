//! The expected results of a plan, computed sequentially from the plan alone.

mod collective;
pub(crate) mod window;

use std::collections::BTreeSet;

pub(crate) use collective::combine;

use super::{
    plan::{
        Comm, Id, Plan, Service, Step, Together, Window,
        window::{Deed, Turn},
    },
    values::{Place, Record, Records, Slot},
};

/// The expected results of a plan.
pub(crate) struct Expected {
    /// Results that the standard determines completely.
    exact: Records,
    /// Results of which only the order of one source's messages is determined.
    gathered: Vec<Gathered>,
}

/// The messages of one burst, or the questions to one server.
struct Gathered {
    to: u32,
    slot: Slot,
    /// Source, tag and data of each message in the order sent.
    messages: Vec<(u32, i32, Vec<u8>)>,
}

impl Expected {
    /// Computes the expected results of a plan.
    pub(crate) fn of(plan: &Plan) -> Self {
        let mut expected = Self { exact: Records::new(), gathered: Vec::new() };
        for (number, step) in plan.steps.iter().enumerate() {
            match step {
                Step::Receive(id) | Step::Meet(id) => expected.message(plan, *id, None),
                Step::Exchange(list, how) => expected.exchange(plan, list, *how),
                Step::Burst(id) | Step::Post(id) => expected.burst(plan, *id),
                Step::Serve(service) => expected.service(plan, number, service),
                Step::Null(rank, null) if null.tells() => {
                    let status = Some((None, None, 0));
                    let place = (*rank, Slot::Null(number), 0);
                    expected.exact.insert(place, Record { bytes: Vec::new(), status });
                }
                Step::Collective(id) => {
                    expected.exact.extend(collective::results(plan, *id));
                }
                Step::Crossed(one, two, _) => {
                    expected.exact.extend(collective::results(plan, *one));
                    expected.exact.extend(collective::results(plan, *two));
                }
                Step::Make(_, made) => made.iter().for_each(|id| expected.comm(plan, *id)),
                Step::Window(window) => expected.window(plan, number, window),
                _ => {}
            }
        }
        expected
    }

    /// Returns the contents that one place must have, or `None` if the standard leaves them open.
    pub(crate) fn record(&self, place: Place) -> Option<&Record> {
        self.exact.get(&place)
    }

    /// Returns source, tag and data of the messages of a burst or of questions, in the order sent.
    pub(crate) fn gathered(&self, slot: Slot) -> &[(u32, i32, Vec<u8>)] {
        let found = self.gathered.iter().find(|gathered| gathered.slot == slot);
        found.map_or(&[], |gathered| &gathered.messages)
    }

    /// Adds the results of a message. `replaced` is the message whose memory is the receive buffer.
    fn message(&mut self, plan: &Plan, id: Id, replaced: Option<Id>) {
        let message = &plan.messages[id];
        let (_, to) = plan.ends(message);
        for round in 0..message.rounds {
            let data = message.sent_from.gather(&plan.sent_memory(id, round));
            let mut bytes = match replaced {
                Some(other) => plan.sent_memory(other, round),
                None => plan.fresh_memory(id, round, &message.received_into),
            };
            message.received_into.scatter(&data, &mut bytes);
            let status = Some((Some(message.from), Some(message.tag), data.len() as u64));
            self.exact.insert((to, Slot::Message(id), round), Record { bytes, status });
        }
    }

    fn exchange(&mut self, plan: &Plan, list: &[Id], how: Together) {
        for id in list {
            let to = plan.ends(&plan.messages[*id]).1;
            let sends = |other: &&Id| plan.ends(&plan.messages[**other]).0 == to;
            let own = list.iter().find(sends).filter(|_| how == Together::Replace);
            self.message(plan, *id, own.copied());
        }
    }

    fn burst(&mut self, plan: &Plan, id: Id) {
        let burst = &plan.bursts[id];
        let message = |at: usize| (burst.from[at], burst.tags[at], plan.burst_data(id, at));
        let messages = (0..burst.from.len()).map(message).collect();
        let to = plan.comms[burst.comm].group[burst.to as usize];
        self.gathered.push(Gathered { to, slot: Slot::Burst(id), messages });
    }

    fn service(&mut self, plan: &Plan, step: usize, service: &Service) {
        let group = &plan.comms[service.comm].group;
        let mut messages = Vec::new();
        for (client, world) in (0..).zip(group) {
            let asked = service.clients.iter().filter(|one| **one == client).count();
            for before in 0..asked {
                let question = plan.question(service, client, before);
                let bytes = Plan::answer(&question);
                let status = Some((Some(service.server), Some(service.tag + 1), service.bytes));
                let place = (*world, Slot::Answer(step), before as u32);
                self.exact.insert(place, Record { bytes, status });
                messages.push((client, service.tag, question));
            }
        }
        let to = group[service.server as usize];
        self.gathered.push(Gathered { to, slot: Slot::Question(step), messages });
    }

    fn comm(&mut self, plan: &Plan, id: Id) {
        let comm = &plan.comms[id];
        for world in comm.everybody() {
            let place = (world, Slot::Comm(id), 0);
            self.exact.insert(place, Record { bytes: description(comm, world), status: None });
        }
    }

    /// Adds the data that ranks get from a window, as far as they do not depend on the execution.
    fn window(&mut self, plan: &Plan, step: usize, window: &Window) {
        if window::judge(window) != window::Judgement::Right {
            return;
        }
        let contents = window::contents(plan, window);
        let group = &plan.comms[window.comm].group;
        for (number, turn) in window.turns.iter().enumerate() {
            let (rank, place, bytes) = match turn {
                Turn::Deed(rank, Deed::Access(id)) => {
                    (*rank, (Slot::Fetched(step), *id), &contents.results[*id])
                }
                Turn::Deed(rank, Deed::Load(..)) => {
                    (*rank, (Slot::Loaded(step), number), &contents.loads[number])
                }
                _ => continue,
            };
            if let Some(bytes) = bytes {
                let place = (group[rank as usize], place.0, place.1 as u32);
                self.exact.insert(place, Record { bytes: bytes.clone(), status: None });
            }
        }
    }

    /// Returns a description of every difference from the results found.
    pub(crate) fn differences(&self, found: &Records) -> Vec<String> {
        let mut differences = Vec::new();
        let others =
            |(place, _): &(&Place, &Record)| !matches!(place.1, Slot::Burst(_) | Slot::Question(_));
        for (place, record) in found.iter().filter(others) {
            let expected = self.exact.get(place);
            // What ranks read from a window may depend on the execution.
            if expected.is_none() && matches!(place.1, Slot::Fetched(_) | Slot::Loaded(_)) {
                continue;
            }
            if expected != Some(record) {
                differences.push(format!("{place:?} has {record:?} instead of {expected:?}"));
            }
        }
        let missing = self.exact.keys().filter(|place| !found.contains_key(place));
        differences.extend(missing.map(|place| format!("{place:?} is missing")));
        differences.extend(self.gathered.iter().filter_map(|burst| burst.difference(found)));
        differences
    }
}

impl Expected {
    /// Returns the order in which the messages of each burst and service arrived, by source.
    pub(crate) fn order(&self, found: &Records) -> String {
        let one = |gathered: &Gathered| {
            let source = |record: &Record| record.status.as_ref().and_then(|status| status.0);
            let sources: Vec<Option<u32>> =
                gathered.among(found).map(|(_, record)| source(record)).collect();
            format!("{:?} {sources:?}", gathered.slot)
        };
        self.gathered.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Returns the number of possible orders: the messages of one source stay in order, everything
    /// else is free, because no sender waits for the receiver meanwhile.
    pub(crate) fn orders(&self) -> u64 {
        self.gathered.iter().map(Gathered::orders).product()
    }
}

impl Gathered {
    fn among<'a>(&self, found: &'a Records) -> impl Iterator<Item = (&'a Place, &'a Record)> {
        found.range((self.to, self.slot, 0)..(self.to, self.slot, u32::MAX))
    }

    fn orders(&self) -> u64 {
        let factorial = |n: u64| (1..=n).product::<u64>();
        let sources: BTreeSet<u32> = self.messages.iter().map(|message| message.0).collect();
        let of = |source: &u32| self.messages.iter().filter(|one| one.0 == *source).count() as u64;
        let within: u64 = sources.iter().map(|source| factorial(of(source))).product();
        factorial(self.messages.len() as u64) / within
    }

    /// Compares the messages of each source in the order sent, however the sources are interleaved.
    fn difference(&self, found: &Records) -> Option<String> {
        let mut got: Vec<(u32, i32, Vec<u8>)> = Vec::new();
        for (place, record) in self.among(found) {
            match record.status {
                Some((Some(source), Some(tag), bytes)) if bytes == record.bytes.len() as u64 => {
                    got.push((source, tag, record.bytes.clone()));
                }
                _ => return Some(format!("{place:?} has {record:?}")),
            }
        }
        let mut expected = self.messages.clone();
        // Stable sorting keeps the order within one source.
        got.sort_by_key(|message| message.0);
        expected.sort_by_key(|message| message.0);
        let (to, slot) = (self.to, self.slot);
        (got != expected).then(|| format!("rank {to}, {slot:?}: {got:?} instead of {expected:?}"))
    }
}

/// Returns what MPI reports to a member of a communicator: its rank, the group, and the remote
/// group.
fn description(comm: &Comm, world: u32) -> Vec<u8> {
    let (side, rank) = comm.place(world).expect("a member");
    let mut told = vec![rank];
    told.extend(comm.side(side));
    if comm.other.is_some() {
        told.push(u32::MAX);
        told.extend(comm.facing(side));
    }
    told.into_iter().flat_map(u32::to_le_bytes).collect()
}
