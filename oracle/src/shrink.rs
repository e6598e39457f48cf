//! Reduction of a failing plan: steps are removed together with everything that depends on them.

use std::collections::BTreeSet;

use super::{
    plan::{Fault, Id, Maker, Part, Plan, Step},
    reference::window::{Judgement, judge},
    sweep::Complaint,
};

/// Removes steps as long as the plan still fails. Returns the smallest plan with its complaint.
pub fn shrink(
    plan: &Plan,
    complaint: Complaint,
    examine: impl Fn(&Plan) -> Result<(), Complaint>,
) -> (Plan, Complaint) {
    let (mut plan, mut complaint) = (plan.clone(), complaint);
    loop {
        let fails = |smaller: Plan| {
            let complaint = examine(&smaller).err()?;
            Some((smaller, complaint))
        };
        let steps = (0..plan.steps.len()).rev();
        let smaller = steps
            .clone()
            .find_map(|at| fails(without(&plan, at)?))
            .or_else(|| steps.flat_map(|at| with_less(&plan, at)).find_map(fails));
        let Some(found) = smaller else { return (plan, complaint) };
        (plan, complaint) = found;
    }
}

/// Returns the plan without one of the turns of the window of a step, for each turn that leaves it as right or as
/// wrong as it is.
fn with_less(plan: &Plan, at: usize) -> Vec<Plan> {
    let Step::Window(window) = &plan.steps[at] else { return Vec::new() };
    let one = |turn: usize| {
        let mut smaller = window.clone();
        smaller.turns.remove(turn);
        (judge(&smaller) == judge(window)).then(|| {
            let mut plan = plan.clone();
            plan.steps[at] = Step::Window(smaller);
            plan
        })
    };
    (0..window.turns.len()).rev().filter_map(one).collect()
}

/// The parts of a plan that are removed together with a step.
#[derive(Default)]
struct Gone {
    messages: BTreeSet<Id>,
    collectives: BTreeSet<Id>,
    comms: BTreeSet<Id>,
    bursts: BTreeSet<Id>,
    step: Option<usize>,
}

fn without(plan: &Plan, at: usize) -> Option<Plan> {
    let mut gone = Gone::default();
    match &plan.steps[at] {
        Step::Send(id) | Step::Receive(id) | Step::Meet(id) => {
            gone.messages.insert(*id);
        }
        Step::Exchange(list, _) => gone.messages.extend(list),
        Step::Collective(id) => {
            gone.collectives.insert(*id);
        }
        Step::Crossed(one, two, _) => gone.collectives.extend([one, two]),
        Step::Make(_, made) => gone.comms.extend(made),
        // Steps that complete or free are removed together with what they complete or free.
        Step::Complete(..) | Step::Free(_) | Step::Flood(_) | Step::Drain(..) => return None,
        Step::Burst(id) | Step::Post(id) => {
            gone.bursts.insert(*id);
        }
        Step::Window(window) if judge(window) != Judgement::Right => return None,
        Step::Compute(..) | Step::Serve(_) | Step::Null(..) | Step::Window(_) => {
            gone.step = Some(at);
        }
    }
    gone.close(plan);
    let planted = plan.planted.iter().any(|id| gone.messages.contains(id));
    let collective = plan.planted_collectives.iter().any(|id| gone.collectives.contains(id));
    let stolen = plan.fault == Some(Fault::Stolen) && matches!(plan.steps[at], Step::Burst(_));
    let wrong = plan.steps.iter().any(|step| match step {
        Step::Window(window) => {
            gone.comms.contains(&window.comm) && judge(window) != Judgement::Right
        }
        _ => false,
    });
    (!planted && !collective && !stolen && !wrong).then(|| gone.leave_out(plan))
}

impl Gone {
    /// Adds everything that depends on removed parts.
    fn close(&mut self, plan: &Plan) {
        for step in &plan.steps {
            if let Step::Make(maker, made) = step
                && parents(maker).iter().any(|parent| self.comms.contains(parent))
            {
                self.comms.extend(made);
            }
        }
        for (id, message) in plan.messages.iter().enumerate() {
            let proof = message.proof.is_some_and(|proof| self.messages.contains(&proof));
            if proof || self.comms.contains(&message.comm) {
                self.messages.insert(id);
            }
        }
        for (id, burst) in plan.bursts.iter().enumerate() {
            if self.comms.contains(&burst.comm) {
                self.bursts.insert(id);
            }
        }
        // A token whose message was removed is an ordinary message and stays.
        for (id, collective) in plan.collectives.iter().enumerate() {
            if self.comms.contains(&collective.comm) {
                self.collectives.insert(id);
            }
        }
        for step in &plan.steps {
            if let Step::Crossed(one, two, _) = step
                && [one, two].iter().any(|id| self.collectives.contains(id))
            {
                self.collectives.extend([one, two]);
            }
        }
    }

    fn leave_out(&self, plan: &Plan) -> Plan {
        let kept = |(at, step): (usize, &Step)| {
            let message = |id: &Id| !self.messages.contains(id);
            match step {
                _ if self.step == Some(at) => None,
                Step::Send(id) | Step::Receive(id) | Step::Meet(id) if !message(id) => None,
                Step::Exchange(list, how) => {
                    let list: Vec<Id> = list.iter().copied().filter(message).collect();
                    (!list.is_empty()).then_some(Step::Exchange(list, *how))
                }
                Step::Collective(id) if self.collectives.contains(id) => None,
                Step::Crossed(one, _, _) if self.collectives.contains(one) => None,
                Step::Burst(id) | Step::Post(id) | Step::Flood(id) | Step::Drain(id, _)
                    if self.bursts.contains(id) =>
                {
                    None
                }
                Step::Serve(service) if self.comms.contains(&service.comm) => None,
                Step::Window(window) if self.comms.contains(&window.comm) => None,
                Step::Make(_, made) if made.iter().any(|id| self.comms.contains(id)) => None,
                Step::Free(id) if self.comms.contains(id) => None,
                Step::Complete(rank, parts, how) => {
                    let parts: Vec<Part> =
                        parts.iter().copied().filter(|part| self.keeps(*part)).collect();
                    (!parts.is_empty()).then_some(Step::Complete(*rank, parts, *how))
                }
                other => Some(other.clone()),
            }
        };
        let steps = plan.steps.iter().enumerate().filter_map(kept).collect();
        Plan { steps, ..plan.clone() }
    }

    fn keeps(&self, part: Part) -> bool {
        match part {
            Part::Sent(id) | Part::Received(id) => !self.messages.contains(&id),
            Part::Taken(id) => !self.collectives.contains(&id),
        }
    }
}

fn parents(maker: &Maker) -> Vec<Id> {
    match maker {
        Maker::Duplicate(parent)
        | Maker::ImmediateDuplicate(parent)
        | Maker::Split(parent, _)
        | Maker::Create(parent, _)
        | Maker::CreateGroup(parent, ..)
        | Maker::Topology(parent, _)
        | Maker::Merge(parent, _) => vec![*parent],
        Maker::Bridge(locals, _, peer) => vec![locals[0], locals[1], *peer],
    }
}
