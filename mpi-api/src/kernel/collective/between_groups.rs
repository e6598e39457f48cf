//! Checks that ranks of both groups of an intercommunicator call the same operation (MPI section
//! 6.2.3).
//!
//! One rank of one group gives `MPI_ROOT`, the others of that group give `MPI_PROC_NULL`, and all
//! ranks of the other group give the root's rank. The ranks that give `MPI_PROC_NULL` describe no
//! data.

use super::{
    agreement::{Side, disagreement},
    gate::First,
    key::Key,
    kind_name,
};
use crate::{
    call::{CollectiveKind, CommId, ROOT_ELSEWHERE, ROOT_SELF, Site},
    finding::{Code, Finding},
    kernel::{MpiKernel, Sched, error::amounts_or_types},
};

/// The arguments of the ranks of both groups that have entered one operation.
#[derive(Default)]
pub(crate) struct Roles {
    /// The first rank of each group that entered.
    first: [Option<Role>; 2],
    /// The rank that gives `MPI_ROOT`.
    root: Option<Role>,
    /// The ranks that give `MPI_PROC_NULL`.
    idle: Vec<Role>,
    /// The first rank that describes its data.
    speaker: Option<First>,
}

/// The root argument of one rank.
#[derive(Clone, Copy)]
struct Role {
    rank: u32,
    site: Site,
    kind: CollectiveKind,
    /// The rank's group.
    side: usize,
    place: u32,
    root: u32,
}

impl Role {
    /// Reports whether it says that the root is in its own group.
    fn is_near(&self) -> bool {
        self.root >= ROOT_SELF
    }

    /// Reports whether this rank and another one contradict each other.
    fn contradicts(&self, other: &Self) -> bool {
        if self.side == other.side {
            return self.is_near() != other.is_near()
                || self.root != other.root && !self.is_near()
                || self.root == ROOT_SELF && other.root == ROOT_SELF;
        }
        match (self.is_near(), other.is_near()) {
            (true, false) => other.misnames(self),
            (false, true) => self.misnames(other),
            _ => true,
        }
    }

    /// Reports whether it names another rank although `near` is the root, or names `near` although
    /// that is not the root.
    fn misnames(&self, near: &Self) -> bool {
        (near.root == ROOT_SELF) != (self.root == near.place)
    }

    fn told(&self) -> Side {
        let has = match self.root {
            ROOT_SELF => format!("MPI_ROOT at rank {} of its group", self.place),
            ROOT_ELSEWHERE => {
                format!("MPI_PROC_NULL as the root at rank {} of its group", self.place)
            }
            root => format!("root {root} of the other group"),
        };
        Side {
            rank: self.rank,
            site: self.site,
            call: self.site.call_or(kind_name(self.kind)),
            has,
        }
    }
}

impl Roles {
    /// Records that a rank enters; returns a rank that it contradicts, if there is one.
    fn enter(&mut self, me: Role) -> Option<Role> {
        let known = self.first.iter().flatten().chain(&self.root);
        // Of the ranks that give `MPI_PROC_NULL`, only the one that is named as root can
        // contradict.
        let named = self.idle.iter().filter(|idle| !me.is_near() && idle.place == me.root);
        let found = known.chain(named).find(|other| me.contradicts(other)).copied();
        self.first[me.side].get_or_insert(me);
        match me.root {
            ROOT_SELF => self.root = Some(me),
            ROOT_ELSEWHERE => self.idle.push(me),
            _ => {}
        }
        found
    }

    /// Compares the data of a rank that enters with those of the first rank that described its
    /// data; returns the difference. Types with the same representation may have different names if
    /// `alike`.
    fn compare(&mut self, me: &First, alike: bool) -> Option<(First, (String, String, Code))> {
        if me.root == ROOT_ELSEWHERE {
            return None;
        }
        let Some(first) = &self.speaker else {
            self.speaker = Some(me.clone());
            return None;
        };
        let what = if me.op != first.op {
            let name = |one: &First| one.op.unwrap_or_default().to_string();
            (name(me), name(first), Code::OperatorMismatch)
        } else if is_alike(me.kind)
            && !first.signature.same(&me.signature)
            && !(alike && first.signature.representation().same(&me.signature.representation()))
        {
            let code = amounts_or_types(&me.signature, &first.signature);
            (me.signature.to_string(), first.signature.to_string(), code)
        } else {
            return None;
        };
        Some((first.clone(), what))
    }
}

/// Reports whether both groups give the same types and amounts.
fn is_alike(kind: CollectiveKind) -> bool {
    matches!(kind, CollectiveKind::Broadcast | CollectiveKind::Reduce | CollectiveKind::Allreduce)
}

fn has_root(kind: CollectiveKind) -> bool {
    matches!(
        kind,
        CollectiveKind::Broadcast
            | CollectiveKind::Gather
            | CollectiveKind::Scatter
            | CollectiveKind::Reduce
    )
}

impl MpiKernel {
    /// Records that a rank enters. True when it disagrees with another one; then the run has ended.
    pub(super) fn enter_between_groups(
        &mut self,
        me: &First,
        key: Key,
        comm: CommId,
        s: &mut Sched,
    ) -> bool {
        let role = Role {
            rank: me.rank,
            site: me.site,
            kind: me.kind,
            side: usize::from(self.is_first(comm, me.rank)),
            place: self.comms.rank_in(comm, me.rank),
            root: me.root,
        };
        let alike = self.matches_representations();
        let shared = self.instances.get_mut(&key).expect("an instance that was entered");
        let roles = shared.roles.get_or_insert_default();
        let other = if has_root(me.kind) { roles.enter(role) } else { None };
        if let Some(other) = other {
            self.fail(unlike_roots(role, other), s);
            return true;
        }
        let Some((first, what)) = roles.compare(me, alike) else { return false };
        self.report_disagreement(me, &first, what, s);
        true
    }
}

fn unlike_roots(me: Role, other: Role) -> Finding {
    disagreement(me.told(), other.told(), Code::RootMismatch)
        .note(
            "over an intercommunicator the root gives MPI_ROOT, the others of its group give \
             MPI_PROC_NULL, and all of the other group give the root's rank (MPI 5.0, 6.2.3)",
        )
        .help("let one rank of one group give MPI_ROOT, and all of the other group name that rank")
}
