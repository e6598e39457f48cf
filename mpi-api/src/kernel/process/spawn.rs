//! Ranks that a program starts (MPI section 11.8).
//!
//! New ranks are numbered after the last rank of the run, and numbers are never reused; their
//! `MPI_COMM_WORLD` is a communicator like others, so that nothing about messages depends on when a
//! rank began. The parents' call is a collective whose gate opens when all new ranks have
//! initialized MPI.

use std::rc::Rc;

use network_models::NodeId;

use crate::{
    call::{CollectiveKind, CommId, Management, Reply},
    error::{ErrorClass, MpiError},
    kernel::{
        MpiKernel, Rank, Sched,
        collective::key::Key,
        process::birth::{Newcomer, Origin},
        request::completion::Blocked,
        thread::threads::Further,
        transport::receive::FREE,
    },
    object::group::Group,
    outcome::Started,
    settings::RANKS_MAX,
    spawn::{AddressSpace, Launch, Spawned},
};

impl MpiKernel {
    /// Starts the new ranks once all parents have entered, or makes the call fail on all parents.
    #[cold]
    pub(crate) fn give_birth(&mut self, key: Key, s: &mut Sched) {
        let birth = self.collectives.instance_mut(key).and_then(|shared| shared.birth.as_mut());
        let birth = birth.expect("the root of a spawn has entered");
        let (root, site) = (birth.root, birth.site);
        let launches = std::mem::take(&mut birth.launches);
        let counts = match self.how_many(&launches) {
            Ok(counts) => counts,
            Err(error) => return self.fail_all(key, &error, s),
        };
        let (first, ranks) = (self.ranks.len() as u32, counts.iter().sum());
        let family = Group::range(first, ranks);
        let world = self.comms.add(family.clone(), None);
        let parents = self.comms.group(CommId(key.comm), root);
        let inter = self.comms.add_inter(parents, family.clone());
        self.population.processes.note(Started { first, ranks, by: root, site, time: s.now() });
        for (application, (launch, count)) in (0..).zip(launches.iter().zip(&counts)) {
            self.begin_ranks(launch, (application, *count), (world, inter, key), s);
        }
        let shared = self.collectives.instance_mut(key).expect("an instance that was entered");
        shared.made.push((Some(0), Some(inter)));
        if let Some(birth) = &mut shared.birth {
            birth.awaited = family.to_vec();
            birth.counts.iter_mut().zip(counts).for_each(|((_, started), count)| *started = count);
        }
    }

    /// Returns the number of ranks for each command: as many as there is room for, if a command
    /// accepts fewer.
    fn how_many(&self, launches: &[Launch]) -> Result<Vec<u32>, MpiError> {
        let living = self.ranks.iter().filter(|rank| !rank.finished).count() as u32;
        let universe = self.settings.environment.universe;
        let most = RANKS_MAX - self.ranks.len() as u32;
        let mut room = universe.map_or(most, |size| size.saturating_sub(living).min(most));
        let failed = |text| MpiError::new(ErrorClass::Spawn, text);
        let nodes = self.nodes();
        let mut counts = Vec::new();
        for launch in launches {
            launch.body.as_ref().map_err(Clone::clone)?;
            if let Some(node) = launch.node.filter(|node| *node >= nodes) {
                return Err(failed(format!("there is no node {node}: the machine has {nodes}")));
            }
            let count = match &launch.soft {
                Some(soft) => soft.largest(launch.most.min(room)),
                None => Some(launch.most).filter(|count| (1..=room).contains(count)),
            };
            let count = count.ok_or_else(|| {
                let asked = format!("{} processes are asked for", launch.most);
                let limit = universe.map(|_| format!(", and there is room for {room}"));
                failed(asked + &limit.unwrap_or_default())
            })?;
            room -= count;
            counts.push(count);
        }
        Ok(counts)
    }

    /// Returns the number of nodes.
    fn nodes(&self) -> u32 {
        let used = self.settings.nodes.iter().map(|node| node.0 + 1).max();
        self.settings.environment.nodes.max(used.unwrap_or(1))
    }

    /// Starts the ranks of one command.
    fn begin_ranks(
        &mut self,
        launch: &Launch,
        (application, count): (u32, u32),
        (world, inter, spawn): (CommId, CommId, Key),
        s: &mut Sched,
    ) {
        let Some(body) = launch.body.as_ref().ok().and_then(|body| body.take()) else { return };
        let each = launch.ranks_per_process.max(1);
        let mut held = self.ranks_by_node();
        for place in 0..count {
            let node = launch.node.unwrap_or_else(|| emptiest(&held));
            held[node as usize] += 1;
            let rank = self.add_rank(NodeId(node), Origin { world, spawn }, s);
            let number = self.population.processes.next_space() + place / each;
            let ranks = each.min(count - place / each * each);
            let newcomer = Newcomer {
                number: rank,
                world: self.comms.info(world, rank),
                parent: self.comms.info(inter, rank),
                application,
                node,
                space: AddressSpace { number, ranks },
                body: Rc::clone(&body),
            };
            let process = self.ranks[rank as usize].process;
            self.population.processes.give_body(process, Further::Rank(Box::new(newcomer)));
        }
        self.population.processes.take_spaces(count.div_ceil(each));
    }

    fn add_rank(&mut self, node: NodeId, origin: Origin, s: &mut Sched) -> u32 {
        let rank = self.ranks.len() as u32;
        let process = s.spawn();
        self.add_process(rank, 0);
        self.settings.nodes.push(node);
        let mut state = Rank::new(rank);
        state.process = process;
        state.busy_until = s.now();
        state.rest.origin = Some(origin);
        self.ranks.push(state);
        rank
    }

    /// Returns the number of ranks on each node that have not ended.
    fn ranks_by_node(&self) -> Vec<u32> {
        let mut held = vec![0; self.nodes() as usize];
        for (rank, node) in self.ranks.iter().zip(&self.settings.nodes) {
            held[node.0 as usize] += u32::from(!rank.finished);
        }
        held
    }

    /// Executes `MPI_Init` of a rank: its parents may continue when it was the last of its
    /// siblings.
    pub(crate) fn initialize(&mut self, rank: u32, s: &mut Sched) {
        let origin = &self.ranks[rank as usize].rest.origin;
        let late = self.settings.late.filter(|(late, _)| *late == rank && origin.is_some());
        let spawn = origin.as_ref().map(|origin| origin.spawn);
        // Its parents and siblings continue during a delay of its answer: they wait only for its
        // initialization.
        self.answer(rank, s.now(), late.map_or(FREE, |(_, delay)| delay), Reply::Done, s);
        let Some(key) = spawn else { return };
        let shared = self.collectives.instance_mut(key);
        let Some(birth) = shared.and_then(|shared| shared.birth.as_mut()) else { return };
        birth.awaited.retain(|awaited| *awaited != rank);
        if birth.awaited.is_empty() {
            self.open(key, s);
        }
    }

    /// Returns the numbers of ranks asked for and started by a spawn.
    pub(crate) fn counts_of(&self, kind: CollectiveKind, key: Key) -> Option<Vec<(u32, u32)>> {
        if kind != Management::Spawn.into() {
            return None;
        }
        Some(self.collectives.instance(key)?.birth.as_ref()?.counts.clone())
    }

    /// Returns the ranks that have not initialized MPI and for which an execution of a spawn waits.
    pub(crate) fn unborn(&self, key: Key) -> Vec<u32> {
        let birth = self.collectives.instance(key).and_then(|shared| shared.birth.as_ref());
        birth.map_or(Vec::new(), |birth| birth.awaited.clone())
    }

    /// Makes a collective whose ranks wait at its gate fail on all of them.
    pub(crate) fn fail_all(&mut self, key: Key, error: &MpiError, s: &mut Sched) {
        let Some(shared) = self.collectives.remove_instance(key) else { return };
        let counts = shared.birth.map_or(Vec::new(), |birth| birth.counts);
        for index in shared.gate {
            let e = self.collectives.remove_execution(index);
            let waits =
                |blocked: &Blocked| matches!(blocked, Blocked::Collective(i) if *i == index);
            let before = self.wake_whom(e.rank, waits);
            if self.ranks[e.rank as usize].blocked.take_if(|blocked| waits(blocked)).is_none() {
                self.switch_back(e.rank, before);
                continue;
            }
            let Ok(failure) = self.failure(e.rank, e.comm, error.clone()) else {
                self.raise(e.rank, e.comm, error.clone(), s);
                return;
            };
            let reply = if e.kind == Management::Spawn.into() {
                let failed = Spawned { made: Err(error.clone()), counts: counts.clone() };
                Reply::Spawned(Box::new(failed))
            } else {
                Reply::Failed(failure)
            };
            self.answer(e.rank, s.now(), FREE, reply, s);
            self.switch_back(e.rank, before);
        }
    }
}

/// Returns the node that holds the fewest ranks, the first one if there are several.
fn emptiest(held: &[u32]) -> u32 {
    let all = (0..).zip(held);
    all.min_by_key(|(_, ranks)| **ranks).map_or(0, |(node, _)| node)
}
