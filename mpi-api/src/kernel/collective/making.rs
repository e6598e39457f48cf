//! Construction of communicators: each rank's arguments and the results (MPI sections 7.4 and 7.6).

use sim_core::SimDuration;

use crate::{
    call::{CollectiveCall, CommId, CommInfo, GroupTag, Management, RequestId, Site},
    check::request_misuse,
    error::{ErrorClass, MpiError},
    finding::CallSite,
    kernel::{
        MpiKernel, Sched,
        collective::{
            agreement::ConstructionArguments, construction::CommConstruction, key::Key,
            template::EntryMode,
        },
    },
    object::{blueprint::Blueprint, cart::Cart, graph::Reorder, group::Group},
    policy::Policy,
    spawn::Launch,
};

impl MpiKernel {
    pub(crate) fn duplicate(&mut self, rank: u32, comm: CommId, how: EntryMode, s: &mut Sched) {
        let key = i64::from(self.comms.rank_in(comm, rank));
        let call = synchronising(comm, Management::CommDup);
        self.enter_collective(rank, call, CommConstruction::together(key), how, s);
    }

    pub(crate) fn split(
        &mut self,
        rank: u32,
        comm: CommId,
        (color, key): (Option<u32>, i32),
        (cart, blueprint): (Option<Cart>, Option<Box<Blueprint>>),
        s: &mut Sched,
    ) {
        let refused = self.settings.environment.policies.differs(Policy::SplitIntercommunicator);
        if refused && self.comms.is_inter(comm) {
            let text = "the policy does not split intercommunicators";
            self.raise(rank, comm, MpiError::new(ErrorClass::Comm, text), s);
            return;
        }
        let call = synchronising(comm, Management::CommSplit);
        let given = ConstructionArguments::Parts(blueprint);
        let making =
            CommConstruction::Place { color, key: i64::from(key), cart, reorder: None, given };
        self.enter_collective(rank, call, making, EntryMode::Blocking, s);
    }

    pub(crate) fn reorder_comm(
        &mut self,
        rank: u32,
        comm: CommId,
        reorder: Reorder,
        (cart, blueprint): (Option<Cart>, Option<Box<Blueprint>>),
        s: &mut Sched,
    ) {
        let place = self.comms.rank_in(comm, rank);
        let places = reorder.places(self.comms.group(comm, rank).size());
        let color = (place < places).then_some(0);
        let call = synchronising(comm, Management::CommSplit);
        let (reorder, given) = (Some(reorder), ConstructionArguments::Parts(blueprint));
        let making = CommConstruction::Place { color, key: place.into(), cart, reorder, given };
        self.enter_collective(rank, call, making, EntryMode::Blocking, s);
    }

    pub(crate) fn create_comm(&mut self, rank: u32, comm: CommId, group: &Group, s: &mut Sched) {
        let call = synchronising(comm, Management::CommCreate);
        let place = group.rank_of(rank);
        let between = self.comms.is_inter(comm);
        let color = place.map(|_| if between { 0 } else { group.world_rank(0) });
        let key = place.map_or(0, i64::from);
        let making = CommConstruction::at(color, key, ConstructionArguments::Group(group.clone()));
        self.enter_collective(rank, call, making, EntryMode::Blocking, s);
    }

    pub(crate) fn create_group_comm(
        &mut self,
        rank: u32,
        comm: CommId,
        group: Group,
        tag: GroupTag,
        s: &mut Sched,
    ) {
        let key = group.rank_of(rank).map_or(0, i64::from);
        let call = synchronising(comm, Management::CommCreateGroup);
        self.enter_collective(
            rank,
            call,
            CommConstruction::together(key),
            EntryMode::Group(group, tag),
            s,
        );
    }

    pub(crate) fn create_intercomm(
        &mut self,
        rank: u32,
        (comm, leader): (CommId, u32),
        peer: Option<(CommId, u32)>,
        tag: i32,
        s: &mut Sched,
    ) {
        let mut call = synchronising(comm, Management::IntercommCreate);
        call.root = leader;
        let peer = peer.filter(|_| self.comms.rank_in(comm, rank) == leader);
        if let Some((bridge, remote)) = peer
            && !self.has_rank(rank, bridge, ("remote leader", remote), s)
        {
            return;
        }
        self.enter_collective(
            rank,
            call,
            CommConstruction::Bridge(peer, tag),
            EntryMode::Blocking,
            s,
        );
    }

    pub(crate) fn merge_intercomm(&mut self, rank: u32, comm: CommId, high: bool, s: &mut Sched) {
        let members = self.comms.members(comm, rank);
        let place = members.rank_of(rank).map_or(0, i64::from);
        let key = place + if high { i64::from(members.size()) } else { 0 };
        let call = synchronising(comm, Management::IntercommMerge);
        let making = CommConstruction::at(Some(0), key, ConstructionArguments::High(high));
        self.enter_collective(rank, call, making, EntryMode::Blocking, s);
    }

    pub(crate) fn meet_at_port(
        &mut self,
        rank: u32,
        (comm, root): (CommId, u32),
        (port, accepts): (Option<(String, Option<SimDuration>)>, bool),
        s: &mut Sched,
    ) {
        let which = if accepts { Management::Accept } else { Management::Connect };
        let mut call = synchronising(comm, which);
        call.root = root;
        self.enter_collective(rank, call, CommConstruction::Port(port), EntryMode::Blocking, s);
    }

    /// Enters the collective that marks the communicator as freed by this rank.
    pub(crate) fn disconnect(
        &mut self,
        rank: u32,
        comm: CommId,
        pending: &[RequestId],
        s: &mut Sched,
    ) {
        if let Some(first) = pending.iter().find_map(|id| self.live_request(*id)) {
            let [here, label] = request_misuse::disconnect_labels();
            let made = CallSite::new(rank, first.call, first.site.known(), label);
            let sites = [self.present_site(rank, here), made];
            self.journal.findings.add(request_misuse::of_disconnect(sites));
            self.books.unended.extend(pending);
        }
        self.forget_comm(rank, comm);
        let call = synchronising(comm, Management::CommDisconnect);
        self.enter_collective(rank, call, CommConstruction::Nothing, EntryMode::Blocking, s);
    }

    pub(crate) fn spawn(
        &mut self,
        rank: u32,
        (comm, root): (CommId, u32),
        launches: Option<Vec<Launch>>,
        s: &mut Sched,
    ) {
        let mut call = synchronising(comm, Management::Spawn);
        call.root = root;
        self.enter_collective(
            rank,
            call,
            CommConstruction::Spawn(launches),
            EntryMode::Blocking,
            s,
        );
    }

    /// Returns the communicator that a rank receives from a collective that has run, which it called at this place.
    pub(crate) fn made_comm(
        &mut self,
        comm: CommId,
        (instance, site): (Key, Site),
        rank: u32,
        color: Option<u32>,
    ) -> Option<CommInfo> {
        color?;
        let shared =
            self.collectives.instances.get(&instance).expect("the instance lives until all left");
        let known = shared.made.iter().find(|(c, _)| *c == color).map(|(_, id)| *id);
        let id = match known {
            Some(id) => id,
            None => {
                let id = self.make_comm(comm, instance, rank, color);
                let shared = self.collectives.instances.get_mut(&instance);
                shared.expect("the instance lives until all left").made.push((color, id));
                id
            }
        }?;
        self.ranks[rank as usize].rest.comms.insert(id.0, site);
        self.inherit_handler(rank, comm, id);
        let mut info = self.comms.info(id, rank);
        info.neighbors = self.new_neighbors(comm, instance, rank, info.rank);
        Some(info)
    }

    fn make_comm(
        &mut self,
        comm: CommId,
        instance: Key,
        rank: u32,
        color: Option<u32>,
    ) -> Option<CommId> {
        let shared = &self.collectives.instances[&instance];
        let kind = shared.first.kind;
        if kind == Management::CommDup.into() {
            // Some members may not have entered yet, so the group is the parent's.
            let group = self.comms.group(comm, rank);
            return Some(match self.comms.remote(comm, rank) {
                Some(other) => self.comms.add_inter(group, other),
                None => self.comms.add(group, self.comms.cart(comm)),
            });
        }
        let cart = shared.cart.clone();
        let mut chosen: Vec<(i64, u32)> = shared
            .places
            .iter()
            .filter(|(_, c, _)| *c == color)
            .map(|(world, _, key)| (*key, *world))
            .collect();
        chosen.sort_by_key(|(key, world)| (*key, self.order_in(comm, *world)));
        let world: Vec<u32> = chosen.into_iter().map(|(_, world)| world).collect();
        let world = self.numbered(comm, instance, world);
        if kind == Management::IntercommMerge.into() || !self.comms.is_inter(comm) {
            return Some(self.comms.add(Group::list(world), cart));
        }
        let mine = self.comms.group(comm, rank);
        let (near, far): (Vec<u32>, Vec<u32>) =
            world.into_iter().partition(|world| mine.rank_of(*world).is_some());
        if near.is_empty() || far.is_empty() {
            return None;
        }
        Some(self.comms.add_inter(Group::list(near), Group::list(far)))
    }

    fn order_in(&self, comm: CommId, world: u32) -> u32 {
        self.comms.members(comm, world).rank_of(world).unwrap_or(u32::MAX)
    }
}

fn synchronising(comm: CommId, call: Management) -> Box<CollectiveCall> {
    CollectiveCall::boxed(comm, call.into())
}
