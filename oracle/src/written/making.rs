//! Construction and freeing of communicators as statements.

use super::{
    routine::Writer,
    statement::{Arg, Array, Kind},
};
use crate::plan::{Id, Maker, Neighbors, Topology};

impl Writer<'_> {
    pub(super) fn make(&mut self, maker: &Maker, made: &[Id]) {
        let plan = self.plan;
        let place = |id: &Id| plan.comms[*id].place(self.me);
        let mine = made.iter().copied().find(|id| place(id).is_some());
        // A rank that gets no communicator uses the entry of one that it is not in, or one more.
        let unused = made.first().copied().unwrap_or(plan.comms.len());
        let new = Arg::Place(Array::Comms, mine.unwrap_or(unused));
        match maker {
            Maker::Duplicate(parent) | Maker::ImmediateDuplicate(parent) => {
                if place(parent).is_none() {
                    return;
                }
                let parent = Arg::Entry(Array::Comms, *parent);
                if matches!(maker, Maker::Duplicate(_)) {
                    self.call("Comm_dup", vec![parent, new]);
                } else {
                    let request = Arg::Place(Array::Waiting, 0);
                    self.call("Comm_idup", vec![parent, new, request.clone()]);
                    self.call("Wait", vec![request, Arg::Word("MPI_STATUS_IGNORE")]);
                }
            }
            Maker::Split(parent, places) => {
                let Some((_, rank)) = place(parent) else { return };
                let (color, key) = places[rank as usize];
                let color =
                    color.map_or(Arg::Word("MPI_UNDEFINED"), |color| Arg::Int(color.into()));
                let parent = Arg::Entry(Array::Comms, *parent);
                self.call("Comm_split", vec![parent, color, Arg::Int(key.into()), new]);
            }
            Maker::Create(parent, group) => {
                if place(parent).is_none() {
                    return;
                }
                self.of_group(*parent, group, None, new);
            }
            Maker::CreateGroup(parent, group, tag) => {
                if !group.contains(&self.me) {
                    return;
                }
                self.of_group(*parent, group, Some(*tag), new);
            }
            Maker::Bridge(locals, leaders, peer) => {
                let Some(side) = locals.iter().position(|id| place(id).is_some()) else { return };
                let there = plan.comms[locals[1 - side]].group[leaders[1 - side] as usize];
                let (_, remote) = plan.comms[*peer].place(there).expect("both leaders are in it");
                let local = Arg::Entry(Array::Comms, locals[side]);
                let leader = Arg::Int(leaders[side].into());
                let peer = Arg::Entry(Array::Comms, *peer);
                let args = vec![local, leader, peer, Arg::Int(remote.into()), Arg::Int(9), new];
                self.call("Intercomm_create", args);
            }
            Maker::Merge(inter, high) => {
                let Some((side, _)) = place(inter) else { return };
                let parent = Arg::Entry(Array::Comms, *inter);
                self.call("Intercomm_merge", vec![parent, Arg::Truth(high[side]), new]);
            }
            Maker::Topology(parent, topology) => {
                let Some((_, rank)) = place(parent) else { return };
                self.topology(*parent, topology, rank as usize, new);
            }
        }
        self.note(mine);
    }

    fn of_group(&mut self, parent: Id, group: &[u32], tag: Option<i32>, new: Arg) {
        let members = &self.plan.comms[parent];
        let ranks = group.iter().map(|world| members.place(*world).map_or(0, |(_, rank)| rank));
        let ranks: Vec<i64> = ranks.map(i64::from).collect();
        let count = Arg::Int(ranks.len() as i64);
        let ranks = self.list(Kind::Int, ranks);
        let parent = Arg::Entry(Array::Comms, parent);
        let [all, some] = [0, 1].map(|at| Arg::Place(Array::Groups, at));
        self.call("Comm_group", vec![parent.clone(), all.clone()]);
        let from = Arg::Entry(Array::Groups, 0);
        self.call("Group_incl", vec![from, count, ranks, some.clone()]);
        let group = Arg::Entry(Array::Groups, 1);
        match tag {
            None => self.call("Comm_create", vec![parent, group, new]),
            Some(tag) => {
                self.call("Comm_create_group", vec![parent, group, Arg::Int(tag.into()), new]);
            }
        }
        self.call("Group_free", vec![all]);
        self.call("Group_free", vec![some]);
    }

    fn topology(&mut self, parent: Id, topology: &Topology, rank: usize, new: Arg) {
        let parent = Arg::Entry(Array::Comms, parent);
        match topology {
            Topology::Grid(sizes, closed) => {
                let sizes = self.list(Kind::Int, sizes.iter().map(|size| *size as i64));
                let closed = self.list(Kind::Truth, closed.iter().map(|closed| i64::from(*closed)));
                let args = vec![parent, Arg::Int(2), sizes, closed, Arg::Truth(false), new];
                self.call("Cart_create", args);
            }
            Topology::Graph(lists) => {
                let (targets, sources) = &lists[rank];
                let mut args = vec![parent];
                for list in [sources, targets] {
                    args.push(Arg::Int(list.len() as i64));
                    args.push(self.ranks(list));
                    args.push(Arg::Word("MPI_UNWEIGHTED"));
                }
                args.extend([Arg::Word("MPI_INFO_NULL"), Arg::Truth(false), new]);
                self.call("Dist_graph_create_adjacent", args);
            }
        }
    }

    fn ranks(&mut self, list: &Neighbors) -> Arg {
        self.list(Kind::Int, list.iter().map(|rank| rank.map_or(-1, i64::from)))
    }

    /// Adds the comparison of what MPI reports about the communicator that this rank is in.
    fn note(&mut self, mine: Option<Id>) {
        let Some(id) = mine else { return };
        self.comms.push(id);
        let comm = &self.plan.comms[id];
        let (side, rank) = comm.place(self.me).expect("a member");
        let group: Vec<i64> = comm.side(side).iter().copied().map(i64::from).collect();
        let facing: Vec<i64> = match &comm.other {
            Some(_) => comm.facing(side).iter().copied().map(i64::from).collect(),
            None => Vec::new(),
        };
        let mut args = vec![Arg::Int(self.step as i64), Arg::Entry(Array::Comms, id)];
        args.push(Arg::Int(rank.into()));
        for list in [group, facing] {
            args.push(Arg::Int(list.len() as i64));
            args.push(self.list(Kind::Int, list));
        }
        self.helper("check_comm", args);
    }
}
