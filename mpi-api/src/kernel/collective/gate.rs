//! The gate of a collective operation, at which its ranks wait for each other.

use crate::{
    call::{CollectiveCall, CollectiveKind, CommId, Management, Site},
    kernel::{
        MpiKernel, Sched,
        collective::{
            agreement::ConstructionArguments,
            blocks::common_block,
            construction::CommConstruction,
            instance::{First, Instance, Manner},
            key::Key,
        },
        request::table::internal_context,
    },
};

impl MpiKernel {
    /// Records that a rank enters. Returns the tag of the operation's messages, or `None` when the
    /// call disagrees with the first one's and the run has ended.
    pub(crate) fn enter_instance(
        &mut self,
        rank: u32,
        key: Key,
        call: &CollectiveCall,
        (making, manner, site): (&CommConstruction, Manner, Site),
        s: &mut Sched,
    ) -> Option<i32> {
        let between = self.comms.is_inter(call.comm);
        let op = call.reduction.as_ref().map(|reduction| reduction.op.operator());
        let me = First {
            rank,
            site,
            kind: call.kind,
            root: call.root,
            op,
            signature: call.signature.clone(),
            block: common_block(call).filter(|_| !between),
            form: call.declared.as_ref().map(|_| call.form),
            in_place: call.in_place && call.kind.is_in_place_everywhere(call.form),
            manner,
        };
        let plain =
            !between && call.declared.is_none() && matches!(making, CommConstruction::Nothing);
        match self.collectives.instances.get_mut(&key) {
            // The usual case, in which there is nothing to compare or to report.
            Some(shared) if plain && shared.first.is_same_call(&me) => {
                shared.enter((rank, site));
                return Some(shared.tag);
            }
            Some(shared) => {
                let first = shared.first.clone();
                if first.rank != rank && self.disagree(&me, &first, (key, call.comm), s) {
                    return None;
                }
            }
            None => {
                let open = &self.collectives.instances;
                let tag =
                    self.collectives.tags.next(|tag| open.values().any(|shared| shared.tag == tag));
                self.collectives.instances.insert(key, Instance::new(me.clone(), tag));
            }
        }
        if between && self.enter_between_groups(&me, key, call.comm, s) {
            return None;
        }
        let shared = self.collectives.instances.get_mut(&key).expect("just entered");
        shared.enter((rank, site));
        shared.bring((rank, site), making);
        let tag = Some(shared.tag);
        if let CommConstruction::Place { given, .. } = making
            && *given != ConstructionArguments::Nothing
        {
            let ended = self.enter_agreement((rank, site), (key, call.comm), given, s);
            return tag.filter(|_| !ended);
        }
        if let Some(declared) = &call.declared
            && !between
        {
            let ended = self.enter_types((rank, site), key, call, declared, s);
            return tag.filter(|_| !ended);
        }
        tag
    }

    /// Holds an execution until all ranks have entered, or lets all of them continue.
    pub(crate) fn pass_gate(&mut self, index: u32, all_needed: bool, s: &mut Sched) {
        if !all_needed {
            return self.let_in(index, s);
        }
        let e = &mut self.collectives.executions[index];
        let (key, size, kind) = (e.instance, e.members.size(), e.kind);
        e.gated = true;
        let shared =
            self.collectives.instances.get_mut(&key).expect("an instance that was entered");
        shared.gate.push(index);
        if shared.entered < size {
            return;
        }
        // Of some, the group meets others, which may not have come yet.
        let CollectiveKind::Management(call) = kind else { return self.open(key, s) };
        match call {
            Management::Spawn => self.give_birth(key, s),
            Management::Accept | Management::Connect => self.dock(key, s),
            Management::IntercommCreate => {
                if self.meet(key, s) {
                    self.open(key, s);
                }
            }
            Management::CommDup
            | Management::CommSplit
            | Management::CommCreate
            | Management::CommCreateGroup
            | Management::IntercommMerge
            | Management::CommDisconnect
            | Management::SetInfo => self.open(key, s),
        }
    }

    pub(crate) fn open(&mut self, key: Key, s: &mut Sched) {
        let shared =
            self.collectives.instances.get_mut(&key).expect("an instance that was entered");
        for execution in std::mem::take(&mut shared.gate) {
            self.let_in(execution, s);
        }
    }

    /// Starts the first round of an execution.
    fn let_in(&mut self, index: u32, s: &mut Sched) {
        let e = &mut self.collectives.executions[index];
        e.gated = false;
        e.busy_until = e.busy_until.max(s.now());
        let context = internal_context(e.comm);
        self.ranks[e.rank as usize].executing.insert_new((context, e.tag), index);
        self.next_round(index, s);
    }

    /// Records that one half of an intercommunicator is complete. True when the other one is too:
    /// then the communicator is constructed and the other half's gate is open.
    fn meet(&mut self, key: Key, s: &mut Sched) -> bool {
        let shared = &self.collectives.instances[&key];
        if shared.made.iter().any(|(_, id)| id.is_some()) {
            return true;
        }
        let Some((leader, peer, remote, tag)) = shared.bridge else { return false };
        let other = self.comms.world_rank(peer, remote, leader);
        let meeting = (peer.0, tag, leader.min(other), leader.max(other));
        let Some(half) = self.collectives.meetings.remove(&meeting) else {
            self.collectives.meetings.insert(meeting, key);
            return false;
        };
        let side = |key: Key, leader: u32| self.comms.group(CommId(key.comm), leader);
        let id = self.comms.add_inter(side(half, other), side(key, leader));
        for key in [half, key] {
            let shared = self.collectives.instances.get_mut(&key).expect("a half that waits");
            shared.made.push((Some(0), Some(id)));
        }
        self.open(half, s);
        true
    }
}
