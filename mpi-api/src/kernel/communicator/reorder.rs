//! Numbers the ranks of a new communicator so that ranks that communicate are close on the network
//! (`reorder`, MPI section 8.5).

use std::rc::Rc;

use network_models::{Embedding, NodeId, embed};

use crate::kernel::communicator::mapping::Plan;
use crate::kernel::communicator::mapping::REMEMBERED;
use crate::kernel::{MpiKernel, Sched, collective::key::Key, transport::receive::FREE};
use crate::{
    call::{CommId, Reply, Site},
    object::graph::{Adjacency, Reorder},
    outcome::Reordering,
};

impl MpiKernel {
    /// Returns the mapping for the patterns that all ranks have given.
    fn plan<'a>(
        &self,
        comm: CommId,
        all: impl IntoIterator<Item = &'a (u32, Reorder)>,
    ) -> Option<(Plan, &'static str)> {
        let (mut edges, mut kind) = (Vec::new(), None);
        for (world, reorder) in all {
            kind = Some(reorder.kind());
            match reorder {
                Reorder::Grid(cart) => return Some((Plan::Grid(cart.clone()), reorder.kind())),
                Reorder::Graph(_, own) | Reorder::Distributed(own) => edges.extend(own),
                Reorder::Adjacent(own) => {
                    edges.extend(own.edges(self.comms.rank_in(comm, *world)));
                }
            }
        }
        edges.sort_unstable();
        Some((Plan::Graph(edges), kind?))
    }

    /// Returns the world ranks in their new order, given those in the old order.
    pub(in crate::kernel) fn numbered(
        &mut self,
        comm: CommId,
        instance: Key,
        world: Vec<u32>,
    ) -> Vec<u32> {
        let shared = self.collectives.entered(instance);
        if self.comms.is_inter(comm) {
            return world;
        }
        let Some((plan, kind)) = self.plan(comm, &shared.reorder) else { return world };
        let (site, places) = (shared.first.site, world.len() as u32);
        let topology = plan.describe(kind, places);
        let mapping = self.mapping(&world, plan);
        self.report_mapping(site, topology, &mapping);
        mapping.slots.iter().map(|slot| world[*slot as usize]).collect()
    }

    fn report_mapping(&mut self, site: Site, topology: String, mapping: &Embedding) {
        if !mapping.matters {
            return;
        }
        let ranks = mapping.slots.len() as u32;
        let Embedding { method, before, after, .. } = *mapping;
        let reordering = Reordering { site, topology, ranks, method, before, after };
        self.comms.mappings.reorderings.push(reordering);
    }

    fn mapping(&mut self, world: &[u32], plan: Plan) -> Rc<Embedding> {
        let node = |rank: &u32| self.settings.nodes[*rank as usize];
        let ports = self.settings.sockets.as_ref().and_then(|sockets| sockets.ports.as_ref());
        // All ranks of a node are where its first NIC is: messages between them take no link.
        let place = |rank: &u32| ports.map_or(node(rank), |ports| ports.first_of(node(rank)));
        let nodes: Vec<NodeId> = world.iter().map(place).collect();
        let known = &mut self.comms.mappings.known;
        let same = known.iter().find(|(at, other, _)| *other == plan && *at == nodes);
        if let Some((.., mapping)) = same {
            return Rc::clone(mapping);
        }
        let pattern = plan.pattern(world.len() as u32);
        let seed = self.settings.environment.seed;
        let mapping = Rc::new(embed(&pattern, &nodes, self.wire.topology(), seed));
        known.truncate(REMEMBERED - 1);
        known.insert(0, (nodes, plan, Rc::clone(&mapping)));
        mapping
    }

    /// Returns the neighbours of the place that a rank has now, as given by the rank that had this
    /// place before.
    pub(in crate::kernel) fn new_neighbors(
        &self,
        comm: CommId,
        instance: Key,
        rank: u32,
        place: u32,
    ) -> Option<Rc<Adjacency>> {
        let given = &self.collectives.entered(instance).reorder;
        if given.is_empty() {
            return None;
        }
        let before = self.comms.group(comm, rank).world_rank(place);
        let at = given.binary_search_by_key(&before, |(world, _)| *world).ok()?;
        match &given[at].1 {
            Reorder::Adjacent(own) => Some(Rc::clone(own)),
            _ => None,
        }
    }

    /// Executes `MPI_Cart_map` and `MPI_Graph_map` (MPI section 8.5.8), which are local.
    pub(in crate::kernel) fn map_rank(
        &mut self,
        rank: u32,
        comm: CommId,
        reorder: Reorder,
        s: &mut Sched,
    ) {
        let group = self.comms.group(comm, rank);
        let me = self.comms.rank_in(comm, rank);
        let places = reorder.places(group.size());
        let world: Vec<u32> = (0..places).map(|place| group.world_rank(place)).collect();
        let inside = me < places;
        let plan = self.plan(comm, [&(rank, reorder)]).filter(|_| inside);
        let place = plan.and_then(|(plan, _)| {
            let mapping = self.mapping(&world, plan);
            mapping.slots.iter().position(|slot| *slot == me).map(|place| place as u32)
        });
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Place(place), s);
    }
}
