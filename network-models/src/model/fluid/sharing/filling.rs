//! Progressive filling: the rates of the flows that change in a solution.

use super::{FlowId, NEARLY, Sharing, Turn};
use crate::model::fluid::limits::Limit;

impl Sharing {
    /// Prepares the resources that are visited for the flows that change; the others keep their
    /// rates.
    pub(super) fn prepare(&mut self, changing: &[FlowId]) {
        let Self { resources, flows, standings, turns, limits, alone, .. } = self;
        limits.clear();
        alone.drain(..).for_each(|id| flows[id as usize].alone = f64::INFINITY);
        changing.iter().for_each(|id| turns[*id as usize] = Turn::Waits);
        for number in &self.queue {
            let resource = &mut resources[*number as usize];
            let (mut left, mut weight, mut last) = (resource.capacity, 0.0, 0);
            let mut kept = 0.0;
            if self.even && resource.joined as usize == resource.members.len() {
                weight = f64::from(resource.joined);
                last = resource.members.last().map_or(0, |member| member.flow);
            } else {
                // Which flows change is without a pattern: the loop has no branches to predict.
                for member in &resource.members {
                    let standing = standings[member.flow as usize];
                    let keeps = turns[member.flow as usize] == Turn::Kept;
                    let is_high = keeps & (standing.level >= self.threshold);
                    left -= if keeps { standing.rate } else { 0.0 };
                    weight += if keeps { 0.0 } else { standing.weight };
                    kept = if is_high & (standing.level > kept) { standing.level } else { kept };
                    last = if keeps { last } else { member.flow };
                }
            }
            resource.kept = kept;
            (resource.left, resource.weight) = (left, weight);
            resource.waiting = resource.joined;
            resource.is_full &= resource.waiting == 0;
            let level = resource.level();
            match resource.waiting {
                0 => {}
                1 => {
                    let flow = &mut flows[last as usize];
                    if flow.alone == f64::INFINITY {
                        alone.push(last);
                    }
                    if level < flow.alone {
                        (flow.alone, flow.alone_at) = (level, *number);
                    }
                }
                _ => limits.add(level, Limit::Resource(*number)),
            }
        }
    }

    /// Raises the level of the flows that are to get rates until each has one.
    ///
    /// # Errors
    /// Returns a resource that is used up while flows that keep their rates have higher levels, and
    /// the level from which on they must change.
    pub(super) fn fill(&mut self, changing: &[FlowId]) -> Result<(), (u32, f64)> {
        let limited = if self.bounded { changing } else { &self.alone };
        for id in limited {
            let flow = &self.flows[*id as usize];
            let level = (flow.bound / self.standings[*id as usize].weight).min(flow.alone);
            if level < f64::INFINITY {
                self.limits.add(level, Limit::Flow(*id));
            }
        }
        self.limits.sort();
        let mut level = if self.threshold < f64::INFINITY { self.threshold } else { 0.0 };
        while let Some((found, limit)) = self.limits.pop() {
            match limit {
                Limit::Flow(id) => {
                    if self.turns[id as usize] == Turn::Waits {
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
                        if self.turns[member.flow as usize] == Turn::Waits {
                            self.settle(member.flow, level);
                            if self.resources[number as usize].waiting == 0 {
                                break;
                            }
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
        (resource.is_full, resource.limit) = (true, level * (1.0 - NEARLY));
        let fair = (level * (1.0 + NEARLY)).max(self.threshold);
        if resource.kept > fair { Err((number, fair)) } else { Ok(()) }
    }

    /// Gives a flow its rate and takes it from the flow's resources.
    fn settle(&mut self, id: FlowId, level: f64) {
        let flow = &self.flows[id as usize];
        let standing = &mut self.standings[id as usize];
        self.turns[id as usize] = Turn::Settled;
        standing.level = level;
        standing.rate = (standing.weight * level).min(flow.bound);
        for number in self.places.resources(id) {
            let resource = &mut self.resources[*number as usize];
            resource.left -= standing.rate;
            resource.weight -= standing.weight;
            resource.waiting -= 1;
        }
    }
}
