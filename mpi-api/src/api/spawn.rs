//! Ranks that a running program starts (MPI section 11.8).
//!
//! A simulated program is a function, and so is what a spawn starts: [`Command`] takes the place
//! of the standard library's. A new rank begins with [`initialize`](super::initialize), its world
//! holds those started with it, and [`Communicator::parent`](super::topology::Communicator::parent)
//! leads to those who started it. The run numbers new ranks on from its last: findings, traces
//! and tables name them so.

use std::rc::Rc;

use super::{
    Rank,
    topology::{InterCommunicator, SimpleCommunicator},
};
use crate::{
    call::{Operation, Reply, Site},
    error::{ErrorClass, MpiError},
    run::Program,
    spawn::{Launch, Soft},
};

/// What some new ranks run, and where.
#[derive(Clone)]
pub struct Command {
    body: Rc<dyn Fn()>,
    soft: Option<String>,
    node: Option<u32>,
    ranks_per_process: u32,
}

impl Command {
    /// A function that every new rank runs.
    pub fn new(body: impl Fn() + 'static) -> Self {
        Self { body: Rc::new(body), soft: None, node: None, ranks_per_process: 1 }
    }

    /// A program, such as one that a run could begin with.
    pub fn program(program: Program) -> Self {
        Self::new(move || program.rank())
    }

    /// The key `soft`: numbers of ranks that will do, such as `2:10:2`, of which the largest
    /// possible is started (MPI section 11.8.4).
    pub fn soft(&mut self, numbers: &str) -> &mut Self {
        self.soft = Some(numbers.into());
        self
    }

    /// The key `host`: the node that the new ranks are to be on. Without it each goes to the node
    /// that holds the fewest.
    pub fn node(&mut self, node: u32) -> &mut Self {
        self.node = Some(node);
        self
    }

    /// The key `asp`: how many of the new ranks share an address space; each is alone without it.
    pub fn ranks_per_process(&mut self, ranks: u32) -> &mut Self {
        self.ranks_per_process = ranks;
        self
    }

    fn launch(&self, most: Rank) -> Launch {
        let Ok(count) = u32::try_from(most) else {
            return Launch::refused(0, MpiError::new(ErrorClass::Arg, format!("{most} processes")));
        };
        let soft = self.soft.as_ref().map(|text| (text, Soft::parse(text)));
        if let Some((text, None)) = soft {
            let text = format!("soft is {text:?}, not a list of a, a:b and a:b:c");
            return Launch::refused(count, MpiError::new(ErrorClass::InfoValue, text));
        }
        Launch {
            soft: soft.and_then(|(_, soft)| soft),
            node: self.node,
            ranks_per_process: self.ranks_per_process,
            ..Launch::new(count, Rc::clone(&self.body))
        }
    }
}

/// The root's commands, and how many ranks each gets at most; the others' do not count.
pub(super) fn spawn(
    (comm, root): (&SimpleCommunicator, Rank),
    site: Site,
    commands: &[Command],
    maxprocs: &[Rank],
) -> Result<InterCommunicator, MpiError> {
    let over = || MpiError::new(ErrorClass::Other, "the run is over");
    let Some(root) = u32::try_from(root).ok().filter(|root| *root < comm.info.group.size()) else {
        let error = MpiError::new(ErrorClass::Root, format!("root {root} is not a rank"));
        comm.context.call(site, Operation::Raise(comm.info.id, error.clone()));
        return Err(error);
    };
    let launches = (comm.info.rank == root).then(|| {
        if commands.len() != maxprocs.len() || commands.is_empty() {
            let text = format!("{} commands and {} numbers", commands.len(), maxprocs.len());
            return vec![Launch::refused(0, MpiError::new(ErrorClass::Arg, text))];
        }
        commands.iter().zip(maxprocs).map(|(command, most)| command.launch(*most)).collect()
    });
    let operation = Operation::Spawn { comm: comm.info.id, root, launches };
    match comm.context.call(site, operation) {
        Some(Reply::Spawned(spawned)) => {
            let made = spawned.made?;
            Ok(InterCommunicator::of(SimpleCommunicator::new(comm.context.clone(), made)))
        }
        _ => Err(comm.context.take_error().unwrap_or_else(over)),
    }
}
