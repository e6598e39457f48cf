//! Process creation by a running program (MPI section 11.8).
//!
//! A simulated program is a function, and so is the command of a spawn: [`Command`] replaces the
//! standard library's type. A new rank begins with [`initialize`](super::initialize), its world
//! contains the ranks started with it, and
//! [`Communicator::parent`](super::topology::Communicator::parent) connects it to the ranks that
//! started it. New ranks get the next free numbers of the run, which findings, traces and tables
//! use.

use std::rc::Rc;

use sim_core::words::too_small;

use super::{
    Rank,
    topology::{InterCommunicator, SimpleCommunicator},
};
use crate::{
    call::{ProcessCall, Reply, Site},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    run::Program,
    spawn::{Launch, Soft},
};

/// The function that new ranks run, and their placement.
#[derive(Clone)]
pub struct Command {
    body: Rc<dyn Fn()>,
    soft: Option<String>,
    node: Option<u32>,
    ranks_per_process: u32,
}

impl Command {
    /// Creates a command for a function that every new rank runs.
    pub fn new(body: impl Fn() + 'static) -> Self {
        Self { body: Rc::new(body), soft: None, node: None, ranks_per_process: 1 }
    }

    /// Creates a command for a program, of the kind that a run can start with.
    pub fn program(program: Program) -> Self {
        Self::new(move || program.rank())
    }

    /// Sets the key `soft`: acceptable numbers of ranks, such as `2:10:2`, of which the largest
    /// possible is started (MPI section 11.8.4).
    pub fn soft(&mut self, numbers: &str) -> &mut Self {
        self.soft = Some(numbers.into());
        self
    }

    /// Sets the key `host`: the node of the new ranks. Without it each rank goes to the node with
    /// the fewest ranks.
    pub fn node(&mut self, node: u32) -> &mut Self {
        self.node = Some(node);
        self
    }

    /// Sets the key `asp`: how many of the new ranks share an address space; by default one.
    pub fn ranks_per_process(&mut self, ranks: u32) -> &mut Self {
        self.ranks_per_process = ranks;
        self
    }

    fn launch(&self, most: Rank) -> Launch {
        let Ok(count) = u32::try_from(most) else {
            let text = too_small("the number of processes", most, 0);
            return Launch::refused(0, MpiError::new(ErrorClass::Arg, text));
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

/// Starts the root's commands, each with at most the given number of ranks; arguments of other
/// ranks are not significant.
pub(super) fn spawn(
    (comm, root): (&SimpleCommunicator, Rank),
    site: Site,
    commands: &[Command],
    maxprocs: &[Rank],
) -> Result<InterCommunicator, MpiError> {
    let over = || MpiError::new(ErrorClass::Other, "the run is over");
    let Some(root) = u32::try_from(root).ok().filter(|root| *root < comm.info.group.size()) else {
        let error = MpiError::new(ErrorClass::Root, format!("root {root} is not a rank"));
        comm.context.raise(CallPlace { call: "spawn", site }, comm.info.id, error.clone());
        return Err(error);
    };
    let launches = (comm.info.rank == root).then(|| {
        if commands.len() != maxprocs.len() || commands.is_empty() {
            let text = format!("{} commands and {} numbers", commands.len(), maxprocs.len());
            return vec![Launch::refused(0, MpiError::new(ErrorClass::Arg, text))];
        }
        commands.iter().zip(maxprocs).map(|(command, most)| command.launch(*most)).collect()
    });
    let operation = ProcessCall::Spawn { comm: comm.info.id, root, launches };
    match comm.context.call(site, operation) {
        Some(Reply::Spawned(spawned)) => {
            let made = spawned.made?;
            Ok(InterCommunicator::of(SimpleCommunicator::new(comm.context.clone(), made)))
        }
        _ => Err(comm.context.take_error().unwrap_or_else(over)),
    }
}
