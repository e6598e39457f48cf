//! [`Roles`]: who is root, in which group, in a collective on an intercommunicator.

use crate::{
    call::{CollectiveKind, ROOT_ELSEWHERE, ROOT_SELF, Site},
    check::{
        disagreement::{Side, amounts_or_types},
        operator_mismatch::operators,
        root_mismatch::Contradiction,
    },
    finding::Code,
    kernel::collective::instance::First,
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
pub(super) struct Role {
    pub(super) rank: u32,
    pub(super) site: Site,
    pub(super) kind: CollectiveKind,
    /// The rank's group.
    pub(super) side: usize,
    pub(super) place: u32,
    pub(super) root: u32,
}

impl Role {
    /// Reports whether it says that the root is in its own group.
    fn is_near(&self) -> bool {
        self.root >= ROOT_SELF
    }

    /// Returns how this rank and another one contradict each other, if they do.
    fn contradicts(&self, other: &Self) -> Option<Contradiction> {
        let unlike = |is: bool| is.then_some(Contradiction::Unlike);
        if self.root == ROOT_SELF && other.root == ROOT_SELF {
            return Some(Contradiction::TwoRoots);
        }
        let same_side = self.side == other.side;
        match (self.is_near(), other.is_near()) {
            (true, true) if same_side => None,
            (false, false) if same_side => unlike(self.root != other.root),
            (true, false) | (false, true) if same_side => unlike(true),
            (true, false) => unlike(other.misnames(self)),
            (false, true) => unlike(self.misnames(other)),
            (true, true) => Some(Contradiction::BothGroups),
            (false, false) => Some(Contradiction::NoRoot),
        }
    }

    /// Reports whether it names another rank although `near` is the root, or names `near` although
    /// that is not the root.
    fn misnames(&self, near: &Self) -> bool {
        (near.root == ROOT_SELF) != (self.root == near.place)
    }

    pub(super) fn told(&self) -> Side {
        let has = match self.root {
            ROOT_SELF => format!("MPI_ROOT at rank {} of its group", self.place),
            ROOT_ELSEWHERE => {
                format!("MPI_PROC_NULL as the root at rank {} of its group", self.place)
            }
            root => format!("root {root} of the other group"),
        };
        Side { rank: self.rank, site: self.site, call: self.site.call_or(self.kind.name()), has }
    }
}

impl Roles {
    /// Records that a rank enters; returns a rank that it contradicts, and how, if there is one.
    pub(super) fn enter(&mut self, me: Role) -> Option<(Role, Contradiction)> {
        let known = self.root.iter().chain(self.first.iter().flatten());
        // Of the ranks that give `MPI_PROC_NULL`, only the one that is named as root can
        // contradict.
        let named = self.idle.iter().filter(|idle| !me.is_near() && idle.place == me.root);
        let clash = |other: &Role| me.contradicts(other).map(|how| (*other, how));
        let found = known.chain(named).find_map(clash);
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
    pub(super) fn compare(
        &mut self,
        me: &First,
        alike: bool,
    ) -> Option<(First, (String, String, Code))> {
        if me.root == ROOT_ELSEWHERE {
            return None;
        }
        let Some(first) = &self.speaker else {
            self.speaker = Some(me.clone());
            return None;
        };
        let what = if !me.has_operation_of(first) {
            let [mine, theirs] = operators(me.op, first.op);
            (mine, theirs, Code::OperatorMismatch)
        } else if is_alike(me.kind) && !first.signature.describes_the_same(&me.signature, alike) {
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

pub(super) fn has_root(kind: CollectiveKind) -> bool {
    matches!(
        kind,
        CollectiveKind::Broadcast
            | CollectiveKind::Gather
            | CollectiveKind::Scatter
            | CollectiveKind::Reduce
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rank of group `side` at this place in it, which gives this root.
    fn role(side: usize, place: u32, root: u32) -> Role {
        let (rank, kind) = (10 * side as u32 + place, CollectiveKind::Broadcast);
        Role { rank, site: Site::NOWHERE, kind, side, place, root }
    }

    /// Returns the ranks that contradict each other first.
    fn clash(roles: &[Role]) -> Option<(u32, u32)> {
        let mut entered = Roles::default();
        roles.iter().find_map(|me| entered.enter(*me).map(|(other, _)| (me.rank, other.rank)))
    }

    /// Returns how two ranks contradict each other.
    fn how(one: Role, other: Role) -> Option<Contradiction> {
        let mut entered = Roles::default();
        assert!(entered.enter(one).is_none());
        entered.enter(other).map(|(_, how)| how)
    }

    #[test]
    fn what_is_wrong_with_two_roots_is_told_apart() {
        let near = |side| role(side, 0, ROOT_SELF);
        assert_eq!(how(near(0), role(0, 1, ROOT_SELF)), Some(Contradiction::TwoRoots));
        assert_eq!(how(near(0), near(1)), Some(Contradiction::TwoRoots));
        assert_eq!(how(role(0, 0, 0), role(1, 0, 0)), Some(Contradiction::NoRoot));
        assert_eq!(how(near(0), role(1, 0, ROOT_ELSEWHERE)), Some(Contradiction::BothGroups));
        assert_eq!(how(role(0, 0, 0), role(0, 1, 1)), Some(Contradiction::Unlike));
        let mut entered = Roles::default();
        assert!(entered.enter(role(0, 0, 0)).is_none() && entered.enter(near(1)).is_none());
        let second = entered.enter(role(1, 1, ROOT_SELF)).map(|(other, how)| (other.rank, how));
        assert_eq!(second, Some((10, Contradiction::TwoRoots)));
    }

    #[test]
    fn the_other_group_names_the_root() {
        let idle = |place| role(0, place, ROOT_ELSEWHERE);
        let far = |place| role(1, place, 2);
        let agreed = [far(0), idle(0), role(0, 2, ROOT_SELF), far(1), idle(1)];
        assert_eq!(clash(&agreed), None);
        assert_eq!(clash(&[role(0, 2, ROOT_SELF), role(1, 0, 1)]), Some((10, 2)));
        // The rank that is named must be the root.
        assert_eq!(clash(&[far(0), idle(2)]), Some((2, 10)));
    }

    #[test]
    fn a_group_has_the_root_or_names_it_and_has_but_one() {
        assert_eq!(clash(&[role(0, 0, 1), role(0, 1, ROOT_ELSEWHERE)]), Some((1, 0)));
        assert_eq!(clash(&[role(0, 0, 1), role(0, 1, 2)]), Some((1, 0)));
        assert_eq!(clash(&[role(0, 0, ROOT_SELF), role(0, 1, ROOT_SELF)]), Some((1, 0)));
        assert_eq!(clash(&[role(0, 0, ROOT_SELF), role(1, 0, ROOT_SELF)]), Some((10, 0)));
        assert_eq!(clash(&[role(0, 0, 1), role(1, 0, 0)]), Some((10, 0)));
    }
}
