//! [`Sharing`]: weighted max-min fair shares of resources among flows.

use std::{cmp::Reverse, collections::BinaryHeap};

/// The number of a flow in [`Sharing`]; numbers of removed flows are used again.
pub(super) type FlowId = u32;

/// Relative width within which two levels count as equal: rounding moves equal levels apart by less.
const NEARLY: f64 = 1e-9;

/// A flow's membership of a resource.
#[derive(Clone, Copy, Debug)]
struct Member {
    flow: FlowId,
    /// Index of the resource in the flow's list.
    place: u32,
}

/// A resource that flows share.
#[derive(Clone, Debug)]
struct Resource {
    /// Rate that its flows have together, at most. Units: bytes per picosecond.
    capacity: f64,
    members: Vec<Member>,
    /// The solution that visited the resource last.
    visit: u64,
    /// The solution before which flows were added or removed last.
    touch: u64,
    /// In a solution: the rate that no flow has yet.
    left: f64,
    /// In a solution: the weights of the flows that have no rate yet.
    weight: f64,
    /// In a solution: the number of flows that have no rate yet.
    waiting: u32,
}

/// What is read of a flow for each of its resources, apart from the rest, which is larger than a
/// processor's caches if there are many flows.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    weight: f64,
    /// Rate divided by weight; infinite until the first solution.
    level: f64,
    /// Twice the solution that visited the flow last, and 1 more once that has given it a rate.
    visit: u64,
}

#[derive(Clone, Debug, Default)]
struct Flow {
    /// Its resources, and its index among the members of each.
    places: Vec<(u32, u32)>,
    bound: f64,
    /// In a solution: the lowest level at which a resource that it shares with no flow without a
    /// rate is used up, or infinite.
    alone: f64,
    rate: f64,
}

/// Flows that share resources.
///
/// The rates are max-min fair: the rate of a flow is its weight times a level, and the level of a
/// flow is raised until one of its resources is used up or its bound is reached (progressive
/// filling, Bertsekas and Gallager, Data Networks, section 6.5.2).
///
/// A solution determines only rates that can have changed. If flows whose levels are at least L are
/// removed, filling is the same as before up to L, since no resource of these flows was used up
/// below; if a flow is added to a resource of capacity C whose flows have the weight W together,
/// that resource is not used up below C / W. So flows with lower levels keep their rates, and of
/// the others only those are visited that a chain of shared resources joins to a change.
///
/// Determinism: the same calls give the same rates on every machine, since only the four basic
/// operations of IEEE 754 are used, in a fixed order.
#[derive(Clone, Debug)]
pub(super) struct Sharing {
    resources: Vec<Resource>,
    flows: Vec<Flow>,
    standings: Vec<Standing>,
    unused: Vec<FlowId>,
    /// Resources of flows that were added or removed since the last solution.
    touched: Vec<u32>,
    /// Level below which rates have not changed since the last solution.
    threshold: f64,
    solution: u64,
    /// Resources that a solution visits.
    queue: Vec<u32>,
    /// In a solution: limits and the levels at which they were found, descending.
    limits: Vec<(u64, Limit)>,
    /// Limits whose levels have risen since.
    risen: BinaryHeap<Reverse<(u64, Limit)>>,
}

/// What ends the rise of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Limit {
    /// A resource of several flows without rates is used up.
    Resource(u32),
    /// The bound of a flow is reached, or a resource that it has alone is used up.
    Flow(FlowId),
}

impl Sharing {
    /// Creates resources without flows. Units of the capacities: bytes per picosecond.
    pub(super) fn new(capacities: impl IntoIterator<Item = f64>) -> Self {
        let resource = |capacity| Resource {
            capacity,
            members: Vec::new(),
            visit: 0,
            touch: 0,
            left: 0.0,
            weight: 0.0,
            waiting: 0,
        };
        Self {
            resources: capacities.into_iter().map(resource).collect(),
            flows: Vec::new(),
            standings: Vec::new(),
            unused: Vec::new(),
            touched: Vec::new(),
            threshold: f64::INFINITY,
            solution: 0,
            queue: Vec::new(),
            limits: Vec::new(),
            risen: BinaryHeap::new(),
        }
    }

    /// Adds a flow that uses each of `resources`, which are different and at least one.
    /// `bound` is the largest rate, or infinite.
    pub(super) fn add(&mut self, resources: &[u32], weight: f64, bound: f64) -> FlowId {
        let id = self.unused.pop().unwrap_or_else(|| {
            self.flows.push(Flow::default());
            self.standings.push(Standing::default());
            self.flows.len() as FlowId - 1
        });
        let flow = &mut self.flows[id as usize];
        (flow.bound, flow.rate) = (bound, 0.0);
        self.standings[id as usize] = Standing { weight, level: f64::INFINITY, visit: 0 };
        flow.places.clear();
        for (place, resource) in (0..).zip(resources) {
            let members = &mut self.resources[*resource as usize].members;
            flow.places.push((*resource, members.len() as u32));
            members.push(Member { flow: id, place });
        }
        self.touch(id);
        id
    }

    /// Removes a flow.
    pub(super) fn remove(&mut self, id: FlowId) {
        self.threshold = self.threshold.min(self.standings[id as usize].level);
        let flow = &mut self.flows[id as usize];
        let places = std::mem::take(&mut flow.places);
        for (resource, index) in &places {
            let members = &mut self.resources[*resource as usize].members;
            members.swap_remove(*index as usize);
            if let Some(moved) = members.get(*index as usize) {
                self.flows[moved.flow as usize].places[moved.place as usize].1 = *index;
            }
        }
        // The list is kept for the next flow of this number.
        self.flows[id as usize].places = places;
        self.touch(id);
        self.unused.push(id);
    }

    /// Notes the resources of a flow for the next solution.
    fn touch(&mut self, id: FlowId) {
        for (number, _) in &self.flows[id as usize].places {
            let resource = &mut self.resources[*number as usize];
            if resource.touch <= self.solution {
                resource.touch = self.solution + 1;
                self.touched.push(*number);
            }
        }
    }

    /// Returns the rate of a flow in bytes per picosecond, as of the last solution.
    pub(super) fn rate(&self, id: FlowId) -> f64 {
        self.flows[id as usize].rate
    }

    /// Determines the rates after additions and removals, and appends the flows whose rates may
    /// have changed to `changed`, each once.
    pub(super) fn solve(&mut self, changed: &mut Vec<FlowId>) {
        self.solution += 1;
        let from = changed.len();
        self.lower_threshold();
        self.visit(changed);
        self.fill(&changed[from..]);
    }

    /// Lowers the threshold for the flows that were added.
    fn lower_threshold(&mut self) {
        for resource in &self.touched {
            let resource = &self.resources[*resource as usize];
            let members = resource.members.iter();
            let flows = || members.clone().map(|member| self.standings[member.flow as usize]);
            if flows().any(|flow| flow.level == f64::INFINITY) {
                let weight: f64 = flows().map(|flow| flow.weight).sum();
                self.threshold = self.threshold.min(resource.capacity / weight);
            }
        }
        self.threshold *= 1.0 - NEARLY;
    }

    /// Appends the flows at or above the threshold that shared resources join to a change to
    /// `changed`, and prepares their resources.
    fn visit(&mut self, changed: &mut Vec<FlowId>) {
        let Self { resources, flows, standings, touched, queue, solution, threshold, .. } = self;
        let reach = |resources: &mut [Resource], queue: &mut Vec<u32>, number: u32| {
            let resource = &mut resources[number as usize];
            if resource.visit != *solution {
                resource.visit = *solution;
                queue.push(number);
            }
        };
        queue.clear();
        touched.drain(..).for_each(|number| reach(resources, queue, number));
        let mut next = 0;
        while let Some(number) = queue.get(next).copied() {
            next += 1;
            let (mut left, mut weight, mut waiting, mut last) = (0.0, 0.0, 0, 0);
            let members = std::mem::take(&mut resources[number as usize].members);
            for member in &members {
                let id = member.flow;
                let standing = &mut standings[id as usize];
                if standing.level < *threshold {
                    left -= flows[id as usize].rate;
                    continue;
                }
                weight += standing.weight;
                (waiting, last) = (waiting + 1, id);
                if standing.visit != 2 * *solution {
                    standing.visit = 2 * *solution;
                    changed.push(id);
                    let flow = &mut flows[id as usize];
                    flow.alone = f64::INFINITY;
                    flow.places.iter().for_each(|place| reach(resources, queue, place.0));
                }
            }
            let resource = &mut resources[number as usize];
            resource.members = members;
            (resource.left, resource.weight) = (resource.capacity + left, weight);
            resource.waiting = waiting;
            match waiting {
                0 => {}
                1 => {
                    let flow = &mut flows[last as usize];
                    flow.alone = flow.alone.min(resource.level());
                }
                _ => {
                    let level = resource.level().to_bits();
                    self.limits.push((level, Limit::Resource(number)));
                }
            }
        }
    }

    /// Raises the level of the flows that are to get rates until each has one.
    fn fill(&mut self, flows: &[FlowId]) {
        for id in flows {
            let flow = &self.flows[*id as usize];
            let level = (flow.bound / self.standings[*id as usize].weight).min(flow.alone);
            if level < f64::INFINITY {
                self.limits.push((level.to_bits(), Limit::Flow(*id)));
            }
        }
        self.limits.sort_unstable_by(|one, other| other.cmp(one));
        let unsettled = 2 * self.solution;
        let mut level = if self.threshold < f64::INFINITY { self.threshold } else { 0.0 };
        self.threshold = f64::INFINITY;
        // Positive numbers are in the order of their bits.
        while let Some((bits, limit)) = self.next_limit() {
            match limit {
                Limit::Flow(id) => {
                    if self.standings[id as usize].visit == unsettled {
                        level = f64::from_bits(bits).max(level);
                        self.settle(id, level);
                    }
                }
                Limit::Resource(number) => {
                    let resource = &mut self.resources[number as usize];
                    if resource.waiting == 0 {
                        continue;
                    }
                    let present = resource.level();
                    if present.to_bits() > bits {
                        self.risen.push(Reverse((present.to_bits(), limit)));
                        continue;
                    }
                    level = present.max(level);
                    let members = std::mem::take(&mut resource.members);
                    for member in &members {
                        if self.standings[member.flow as usize].visit == unsettled {
                            self.settle(member.flow, level);
                        }
                    }
                    self.resources[number as usize].members = members;
                }
            }
        }
    }

    /// Removes the limit with the lowest level.
    fn next_limit(&mut self) -> Option<(u64, Limit)> {
        let found = self.limits.last().copied();
        match (found, self.risen.peek().copied()) {
            (Some(found), Some(Reverse(risen))) if risen < found => {
                self.risen.pop().map(|Reverse(risen)| risen)
            }
            (None, _) => self.risen.pop().map(|Reverse(risen)| risen),
            (Some(_), _) => self.limits.pop(),
        }
    }

    /// Gives a flow its rate and takes it from the flow's resources.
    fn settle(&mut self, id: FlowId, level: f64) {
        let flow = &mut self.flows[id as usize];
        let standing = &mut self.standings[id as usize];
        standing.visit += 1;
        standing.level = level;
        flow.rate = (standing.weight * level).min(flow.bound);
        for (number, _) in &flow.places {
            let resource = &mut self.resources[*number as usize];
            resource.left -= flow.rate;
            resource.weight -= standing.weight;
            resource.waiting -= 1;
        }
    }
}

impl Resource {
    /// Returns the level at which the resource is used up; rounding must not make it negative.
    fn level(&self) -> f64 {
        (self.left / self.weight).max(0.0)
    }
}
