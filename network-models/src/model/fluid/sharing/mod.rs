//! [`Sharing`]: weighted max-min fair shares of resources among flows.

mod filling;

use super::{
    limits::Limits,
    places::Places,
    resource::{Member, Resource},
};

/// The number of a flow in [`Sharing`]; numbers of removed flows are used again.
pub(super) type FlowId = u32;

/// Relative width within which two levels count as equal: rounding moves equal levels apart by less.
const NEARLY: f64 = 1e-9;

/// What is read of a flow for each of its resources, apart from the rest, which is larger than a
/// processor's caches if there are many flows.
#[derive(Clone, Copy, Debug, Default)]
struct Standing {
    weight: f64,
    /// Rate divided by weight; infinite until the first solution, and below 0 after the removal.
    level: f64,
    rate: f64,
}

/// What a solution does with a flow. One byte for each, since it is read most often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Turn {
    /// It keeps its rate.
    #[default]
    Kept,
    /// It has no rate yet.
    Waits,
    /// It has been given a rate.
    Settled,
}

#[derive(Clone, Copy, Debug)]
struct Flow {
    bound: f64,
    /// In a solution: the lowest level at which a resource that it shares with no flow without a
    /// rate is used up, or infinite.
    alone: f64,
    /// That resource.
    alone_at: u32,
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
/// others, those can gain that share the resource which limits them with one that changes: a resource
/// that is used up limits the flows with the highest level on it, and the others are limited elsewhere.
/// Those that would have more than a fair share of a resource that the changing flows use up are found
/// by filling, which then begins again with them among the changing ones.
///
/// Determinism: the same calls give the same rates on every machine, since only the four basic
/// operations of IEEE 754 are used, in a fixed order.
#[derive(Clone, Debug)]
pub(super) struct Sharing {
    resources: Vec<Resource>,
    flows: Vec<Flow>,
    places: Places,
    standings: Vec<Standing>,
    turns: Vec<Turn>,
    /// Whether all flows have had the weight 1, so that sums of weights are exact in any order.
    even: bool,
    /// Whether a flow has had a bound.
    bounded: bool,
    unused: Vec<FlowId>,
    /// Resources of flows that were added or removed since the last solution.
    touched: Vec<u32>,
    /// Level below which rates have not changed since the last solution.
    threshold: f64,
    solution: u64,
    /// Resources that a solution visits.
    queue: Vec<u32>,
    /// In a solution: the flows for which [`Flow::alone`] is not infinite.
    alone: Vec<FlowId>,
    limits: Limits,
}

impl Sharing {
    /// Creates resources without flows. Units of the capacities: bytes per picosecond.
    pub(super) fn new(capacities: impl IntoIterator<Item = f64>) -> Self {
        Self {
            resources: capacities.into_iter().map(Resource::new).collect(),
            flows: Vec::new(),
            places: Places::default(),
            standings: Vec::new(),
            turns: Vec::new(),
            even: true,
            bounded: false,
            unused: Vec::new(),
            touched: Vec::new(),
            threshold: f64::INFINITY,
            solution: 0,
            queue: Vec::new(),
            alone: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Adds a flow that uses each of `resources`, which are different and at least one.
    /// `bound` is the largest rate, or infinite.
    pub(super) fn add(&mut self, resources: &[u32], weight: f64, bound: f64) -> FlowId {
        let id = self.unused.pop().unwrap_or_else(|| {
            self.flows.push(Flow { bound, alone: f64::INFINITY, alone_at: 0 });
            self.standings.push(Standing::default());
            self.turns.push(Turn::default());
            self.flows.len() as FlowId - 1
        });
        self.flows[id as usize].bound = bound;
        self.even &= weight == 1.0;
        self.bounded |= bound < f64::INFINITY;
        self.standings[id as usize] = Standing { weight, level: f64::INFINITY, rate: 0.0 };
        self.places.set(id, resources);
        for (place, number) in (0..).zip(resources) {
            let resource = &mut self.resources[*number as usize];
            self.places.set_index(id, place, resource.members.len() as u32);
            resource.members.push(Member { flow: id, place });
            resource.addition = self.solution + 1;
        }
        self.touch(id);
        id
    }

    /// Removes a flow.
    pub(super) fn remove(&mut self, id: FlowId) {
        let standing = &mut self.standings[id as usize];
        self.threshold = self.threshold.min(standing.level);
        standing.level = f64::NEG_INFINITY;
        for place in 0..self.places.resources(id).len() {
            let number = self.places.resources(id)[place];
            let index = self.places.indices(id)[place];
            let members = &mut self.resources[number as usize].members;
            members.swap_remove(index as usize);
            if let Some(moved) = members.get(index as usize) {
                self.places.set_index(moved.flow, moved.place, index);
            }
        }
        self.touch(id);
        self.unused.push(id);
    }

    /// Notes the resources of a flow for the next solution.
    fn touch(&mut self, id: FlowId) {
        for number in self.places.resources(id) {
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
        (resource.is_full, resource.limit) = (true, 0.0);
        self.threshold = 0.0;
        if resource.touch <= self.solution {
            resource.touch = self.solution + 1;
            self.touched.push(number);
        }
    }

    /// Returns the resources of a flow.
    pub(super) fn resources(&self, id: FlowId) -> &[u32] {
        self.places.resources(id)
    }

    /// Returns the rate of a flow in bytes per picosecond, as of the last solution.
    pub(super) fn rate(&self, id: FlowId) -> f64 {
        self.standings[id as usize].rate
    }

    /// Determines the rates after additions and removals, and appends the flows whose rates may
    /// have changed to `changed`, each once.
    pub(super) fn solve(&mut self, changed: &mut Vec<FlowId>) {
        self.solution += 1;
        self.queue.clear();
        let (from, mut next) = (changed.len(), 0);
        let mut touched = std::mem::take(&mut self.touched);
        self.lower_threshold(&touched);
        for number in &touched {
            let resource = &mut self.resources[*number as usize];
            resource.reach(*number, self.solution, &mut self.queue);
        }
        self.join_in_order(changed);
        loop {
            while let Some(number) = self.queue.get(next).copied() {
                next += 1;
                let resource = &self.resources[number as usize];
                if let Some(level) = resource.joining(self.solution, self.threshold) {
                    self.join(number, level, changed);
                }
            }
            self.prepare(&changed[from..]);
            match self.fill(&changed[from..]) {
                Ok(()) => break,
                Err((number, level)) => self.join(number, level, changed),
            }
        }
        for id in &changed[from..] {
            self.turns[*id as usize] = Turn::Kept;
        }
        touched.clear();
        self.touched = touched;
        self.threshold = f64::INFINITY;
    }

    /// Lowers the threshold for the flows that were added to touched resources, and sets `left` of
    /// these to the level above which other flows may lose, or to infinity.
    fn lower_threshold(&mut self, touched: &[u32]) {
        for number in touched {
            let resource = &mut self.resources[*number as usize];
            let mut level = f64::INFINITY;
            if resource.addition == self.solution {
                let weight = |member: &Member| self.standings[member.flow as usize].weight;
                let weight = if self.even {
                    resource.members.len() as f64
                } else {
                    resource.members.iter().map(weight).fold(0.0, |sum, weight| sum + weight)
                };
                level = resource.capacity / weight;
            }
            resource.left = level * (1.0 - NEARLY);
            self.threshold = self.threshold.min(level);
        }
        self.threshold *= 1.0 - NEARLY;
    }

    /// Appends flows that change at once, one after the other, if that is less work than to look at
    /// the members of all touched resources. Those that it leaves are found by their resources.
    fn join_in_order(&mut self, changed: &mut Vec<FlowId>) {
        let members = |number: &u32| self.resources[*number as usize].members.len();
        if self.queue.iter().map(members).sum::<usize>() <= 2 * self.flows.len() {
            return;
        }
        let (solution, threshold) = (self.solution, self.threshold);
        let joining = |resource: &Resource| resource.joining(solution, threshold);
        let visited = self.queue.iter().map(|number| &self.resources[*number as usize]);
        let lowest = visited.filter_map(joining).fold(f64::INFINITY, f64::min);
        for id in 0..self.flows.len() as FlowId {
            let level = self.standings[id as usize].level;
            let joins = |number: &u32| {
                joining(&self.resources[*number as usize]).is_some_and(|joining| level >= joining)
            };
            if level >= lowest && self.places.resources(id).iter().any(joins) {
                self.change(id, changed);
            }
        }
    }

    /// Appends the flows of a resource from a level on to those that change, and visits their
    /// resources.
    fn join(&mut self, number: u32, level: f64, changed: &mut Vec<FlowId>) {
        let resource = &mut self.resources[number as usize];
        let members = std::mem::take(&mut resource.members);
        // Mostly they have come along by other resources.
        let mut missing = members.len() - resource.joined as usize;
        for member in &members {
            if missing == 0 {
                break;
            }
            let standing = self.standings[member.flow as usize];
            if self.turns[member.flow as usize] == Turn::Kept && standing.level >= level {
                missing -= 1;
                self.change(member.flow, changed);
            }
        }
        self.resources[number as usize].members = members;
    }

    /// Appends a flow to those that change, and visits its resources.
    fn change(&mut self, id: FlowId, changed: &mut Vec<FlowId>) {
        self.turns[id as usize] = Turn::Waits;
        changed.push(id);
        for number in self.places.resources(id) {
            let resource = &mut self.resources[*number as usize];
            resource.reach(*number, self.solution, &mut self.queue);
            resource.joined += 1;
        }
    }
}
