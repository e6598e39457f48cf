//! [`Sharing`]: weighted max-min fair shares of resources among flows.

use super::limits::{Limit, Limits};

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
    /// Whether it has limited a flow in the last solution that visited it.
    is_full: bool,
    /// In a solution: the highest level of a flow that keeps its rate.
    kept: f64,
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
    /// That resource.
    alone_at: u32,
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
/// that resource is not used up below C / W. So flows with lower levels keep their rates. Of the
/// others, those can gain that share a resource which limits flows with one that changes; those that
/// would have more than a fair share of a resource that the changing flows use up are found by
/// filling, which then begins again with them among the changing ones.
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
    limits: Limits,
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
            is_full: false,
            kept: 0.0,
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
            limits: Limits::default(),
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

    /// Changes the capacity of a resource, in bytes per picosecond. The next solution gives all flows
    /// new rates that the change can affect.
    pub(super) fn set_capacity(&mut self, number: u32, capacity: f64) {
        let resource = &mut self.resources[number as usize];
        if resource.capacity.to_bits() == capacity.to_bits() {
            return;
        }
        resource.capacity = capacity;
        // As if it limited its flows, so that all of them take part.
        resource.is_full = true;
        self.threshold = 0.0;
        if resource.touch <= self.solution {
            resource.touch = self.solution + 1;
            self.touched.push(number);
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
        self.queue.clear();
        let (from, mut next) = (changed.len(), changed.len());
        let touched = std::mem::take(&mut self.touched);
        self.lower_threshold(&touched);
        for number in &touched {
            let level = self.resources[*number as usize].left;
            let all = self.reach(*number);
            self.join(*number, if all { self.threshold } else { level }, changed);
        }
        self.touched = touched;
        self.touched.clear();
        loop {
            while let Some(id) = changed.get(next).copied() {
                next += 1;
                for place in 0..self.flows[id as usize].places.len() {
                    let (number, _) = self.flows[id as usize].places[place];
                    if self.reach(number) {
                        self.join(number, self.threshold, changed);
                    }
                }
            }
            self.prepare(&changed[from..]);
            match self.fill(&changed[from..]) {
                Ok(()) => break,
                Err((number, level)) => self.join(number, level, changed),
            }
        }
        self.threshold = f64::INFINITY;
    }

    /// Lowers the threshold for the flows that were added to touched resources, and sets `left` of
    /// these to the level above which other flows may lose, or to infinity.
    fn lower_threshold(&mut self, touched: &[u32]) {
        for number in touched {
            let resource = &mut self.resources[*number as usize];
            let (mut weight, mut added) = (0.0, false);
            for member in &resource.members {
                let standing = self.standings[member.flow as usize];
                weight += standing.weight;
                added |= standing.level == f64::INFINITY;
            }
            let level = if added { resource.capacity / weight } else { f64::INFINITY };
            resource.left = level * (1.0 - NEARLY);
            self.threshold = self.threshold.min(level);
        }
        self.threshold *= 1.0 - NEARLY;
    }

    /// Visits a resource. Returns whether it is the first time in this solution and the resource
    /// is full, so that all of its flows may change.
    fn reach(&mut self, number: u32) -> bool {
        let resource = &mut self.resources[number as usize];
        let first = resource.visit != self.solution;
        if first {
            resource.visit = self.solution;
            self.queue.push(number);
        }
        first && resource.is_full
    }

    /// Appends the flows of a resource from a level on to those that change.
    fn join(&mut self, number: u32, level: f64, changed: &mut Vec<FlowId>) {
        for member in &self.resources[number as usize].members {
            let standing = &mut self.standings[member.flow as usize];
            if standing.level >= level && standing.visit < 2 * self.solution {
                standing.visit = 2 * self.solution;
                changed.push(member.flow);
            }
        }
    }

    /// Prepares the resources that are visited for the flows that change; the others keep their
    /// rates.
    fn prepare(&mut self, changing: &[FlowId]) {
        let Self { resources, flows, standings, queue, solution, threshold, limits, .. } = self;
        limits.clear();
        for id in changing {
            standings[*id as usize].visit = 2 * *solution;
            flows[*id as usize].alone = f64::INFINITY;
        }
        for number in queue {
            let resource = &mut resources[*number as usize];
            let (mut left, mut weight, mut waiting, mut last) = (resource.capacity, 0.0, 0, 0);
            resource.kept = 0.0;
            for member in &resource.members {
                let standing = standings[member.flow as usize];
                if standing.visit < 2 * *solution {
                    left -= flows[member.flow as usize].rate;
                    if standing.level >= *threshold {
                        resource.kept = resource.kept.max(standing.level);
                    }
                } else {
                    weight += standing.weight;
                    (waiting, last) = (waiting + 1, member.flow);
                }
            }
            (resource.left, resource.weight) = (left, weight);
            resource.waiting = waiting;
            resource.is_full &= waiting == 0;
            let level = resource.level();
            let flow = &mut flows[last as usize];
            match waiting {
                0 => {}
                1 if level < flow.alone => (flow.alone, flow.alone_at) = (level, *number),
                1 => {}
                _ => limits.add(level, Limit::Resource(*number)),
            }
        }
    }

    /// Raises the level of the flows that are to get rates until each has one.
    ///
    /// # Errors
    /// Returns a resource that is used up while flows that keep their rates have higher levels, and
    /// the level from which on they must change.
    fn fill(&mut self, changing: &[FlowId]) -> Result<(), (u32, f64)> {
        for id in changing {
            let flow = &self.flows[*id as usize];
            let level = (flow.bound / self.standings[*id as usize].weight).min(flow.alone);
            if level < f64::INFINITY {
                self.limits.add(level, Limit::Flow(*id));
            }
        }
        self.limits.sort();
        let unsettled = 2 * self.solution;
        let mut level = if self.threshold < f64::INFINITY { self.threshold } else { 0.0 };
        while let Some((found, limit)) = self.limits.pop() {
            match limit {
                Limit::Flow(id) => {
                    if self.standings[id as usize].visit == unsettled {
                        let flow = &self.flows[id as usize];
                        if flow.alone <= found {
                            self.use_up(flow.alone_at, found)?;
                        }
                        level = found.max(level);
                        self.settle(id, level);
                    }
                }
                Limit::Resource(number) => {
                    let resource = &self.resources[number as usize];
                    if resource.waiting == 0 {
                        continue;
                    }
                    let present = resource.level();
                    if present > found {
                        self.limits.raise(present, limit);
                        continue;
                    }
                    self.use_up(number, present)?;
                    level = present.max(level);
                    let resource = &mut self.resources[number as usize];
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
        Ok(())
    }

    /// Notes that a resource is used up at a level.
    ///
    /// # Errors
    /// Returns the resource and the level if flows with higher levels keep their rates on it.
    fn use_up(&mut self, number: u32, level: f64) -> Result<(), (u32, f64)> {
        let resource = &mut self.resources[number as usize];
        resource.is_full = true;
        let fair = (level * (1.0 + NEARLY)).max(self.threshold);
        if resource.kept > fair { Err((number, fair)) } else { Ok(()) }
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
