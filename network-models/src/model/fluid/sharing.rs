//! [`Sharing`]: weighted max-min fair shares of resources among flows.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

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

#[derive(Clone, Debug, Default)]
struct Flow {
    /// Its resources, and its index among the members of each.
    places: Vec<(u32, u32)>,
    weight: f64,
    bound: f64,
    /// Rate divided by weight; infinite until the first solution.
    level: f64,
    rate: f64,
    /// The solution that gave or gives it a rate.
    visit: u64,
    has_rate: bool,
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
    unused: Vec<FlowId>,
    /// Resources of flows that were added or removed since the last solution.
    touched: Vec<u32>,
    /// Level below which rates have not changed since the last solution.
    threshold: f64,
    solution: u64,
    queue: VecDeque<u32>,
    levels: BinaryHeap<Reverse<(u64, Limit)>>,
}

/// What ends the rise of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Limit {
    Resource(u32),
    Bound(FlowId),
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
            unused: Vec::new(),
            touched: Vec::new(),
            threshold: f64::INFINITY,
            solution: 0,
            queue: VecDeque::new(),
            levels: BinaryHeap::new(),
        }
    }

    /// Adds a flow that uses each of `resources`, which are different and at least one.
    /// `bound` is the largest rate, or infinite.
    pub(super) fn add(&mut self, resources: &[u32], weight: f64, bound: f64) -> FlowId {
        let id = self.unused.pop().unwrap_or_else(|| {
            self.flows.push(Flow::default());
            self.flows.len() as FlowId - 1
        });
        let flow = &mut self.flows[id as usize];
        (flow.weight, flow.bound, flow.level, flow.rate) = (weight, bound, f64::INFINITY, 0.0);
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
        let flow = &mut self.flows[id as usize];
        self.threshold = self.threshold.min(flow.level);
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
            let flows = || resource.members.iter().map(|member| &self.flows[member.flow as usize]);
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
        let Self { resources, flows, touched, queue, solution, threshold, .. } = self;
        let reach = |resources: &mut [Resource], queue: &mut VecDeque<u32>, number: u32| {
            let resource = &mut resources[number as usize];
            if resource.visit != *solution {
                resource.visit = *solution;
                queue.push_back(number);
            }
        };
        touched.drain(..).for_each(|number| reach(resources, queue, number));
        while let Some(number) = queue.pop_front() {
            let (mut left, mut weight, mut waiting) = (0.0, 0.0, 0);
            for index in 0..resources[number as usize].members.len() {
                let id = resources[number as usize].members[index].flow;
                let flow = &mut flows[id as usize];
                if flow.level < *threshold {
                    left -= flow.rate;
                    continue;
                }
                weight += flow.weight;
                waiting += 1;
                if flow.visit != *solution {
                    (flow.visit, flow.has_rate) = (*solution, false);
                    changed.push(id);
                    flow.places.iter().for_each(|place| reach(resources, queue, place.0));
                }
            }
            let resource = &mut resources[number as usize];
            (resource.left, resource.weight) = (resource.capacity + left, weight);
            resource.waiting = waiting;
            if waiting > 0 {
                let level = Reverse((resource.level().to_bits(), Limit::Resource(number)));
                self.levels.push(level);
            }
        }
    }

    /// Raises the level of the flows that are to get rates until each has one.
    fn fill(&mut self, flows: &[FlowId]) {
        for id in flows {
            let flow = &self.flows[*id as usize];
            if flow.bound < f64::INFINITY {
                let level = flow.bound / flow.weight;
                self.levels.push(Reverse((level.to_bits(), Limit::Bound(*id))));
            }
        }
        let mut level = if self.threshold < f64::INFINITY { self.threshold } else { 0.0 };
        self.threshold = f64::INFINITY;
        // Positive numbers are in the order of their bits.
        while let Some(Reverse((bits, limit))) = self.levels.pop() {
            match limit {
                Limit::Bound(id) => {
                    if !self.flows[id as usize].has_rate {
                        level = f64::from_bits(bits).max(level);
                        self.settle(id, level);
                    }
                }
                Limit::Resource(number) => {
                    let resource = &self.resources[number as usize];
                    if resource.waiting == 0 {
                        continue;
                    }
                    let present = resource.level();
                    if present.to_bits() > bits {
                        self.levels.push(Reverse((present.to_bits(), limit)));
                        continue;
                    }
                    level = present.max(level);
                    for index in 0..self.resources[number as usize].members.len() {
                        let id = self.resources[number as usize].members[index].flow;
                        let flow = &self.flows[id as usize];
                        if flow.visit == self.solution && !flow.has_rate {
                            self.settle(id, level);
                        }
                    }
                }
            }
        }
    }

    /// Gives a flow its rate and takes it from the flow's resources.
    fn settle(&mut self, id: FlowId, level: f64) {
        let flow = &mut self.flows[id as usize];
        flow.has_rate = true;
        flow.level = level;
        flow.rate = (flow.weight * level).min(flow.bound);
        for (number, _) in &flow.places {
            let resource = &mut self.resources[*number as usize];
            resource.left -= flow.rate;
            resource.weight -= flow.weight;
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
