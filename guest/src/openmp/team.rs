//! Teams of threads and their members.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use super::{
    settings::Controls,
    share::{Share, Work},
    task::{Task, queue::Queue},
};
use crate::libc::rank::Rank;

/// The threads that execute a parallel region.
pub(super) struct Team {
    pub(super) size: u32,
    /// Number of nested regions, and of those that have several threads.
    pub(super) level: u32,
    pub(super) active: u32,
    /// The member of the surrounding team that began it; `None` for the team of a thread outside any
    /// region.
    pub(super) above: Option<Rc<Member>>,
    /// What its tasks begin with.
    pub(super) controls: Controls,
    /// Number of its league's teams, and which one it is.
    pub(super) league: (u32, u32),
    /// Threads that wait in the present barrier.
    pub(super) arrived: Cell<u32>,
    /// Number of barriers that are complete. Its address is where threads wait for work.
    pub(super) rounds: Cell<u64>,
    /// Threads that have finished the region. Its address is where the first thread waits for the end.
    pub(super) ended: Cell<u32>,
    /// Explicit tasks that are not complete.
    pub(super) open: Cell<usize>,
    pub(super) ready: RefCell<Queue>,
    /// Whether tasks and sections that can begin do so in reverse order.
    pub(super) reversed: bool,
    shares: RefCell<BTreeMap<u64, Rc<Share>>>,
    pub(super) cancelled: Cell<bool>,
    /// Address of the description of the reductions of its tasks; 0 if there are none.
    pub(super) reductions: Cell<usize>,
}

/// A thread as a member of a team.
pub(super) struct Member {
    pub(super) team: Rc<Team>,
    pub(super) number: u32,
    /// Number of worksharing constructs that it has reached.
    reached: Cell<u64>,
    /// The one that it is in, or was in last.
    pub(super) share: RefCell<Option<Rc<Share>>>,
    /// Number of chunks that it has had of a loop, and the present one.
    pub(super) trip: Cell<u64>,
    pub(super) chunk: Cell<(u64, u64)>,
}

impl Team {
    /// Creates a team without work.
    pub(super) fn new(size: u32, above: Option<Rc<Member>>, controls: Controls) -> Self {
        let (level, active, league) = above.as_ref().map_or((0, 0, (1, 0)), |above| {
            let team = &above.team;
            (team.level + 1, team.active + u32::from(size > 1), team.league)
        });
        let reversed =
            Rank::current().is_some_and(|rank| rank.host().reverses_tasks(rank.number()));
        Self {
            size,
            level,
            active,
            above,
            controls,
            league,
            arrived: Cell::new(0),
            rounds: Cell::new(0),
            ended: Cell::new(0),
            open: Cell::new(0),
            ready: RefCell::default(),
            reversed,
            shares: RefCell::default(),
            cancelled: Cell::new(false),
            reductions: Cell::new(0),
        }
    }

    /// Creates a team of one thread, as one of a league: their number, and which one it is.
    pub(super) fn of_league(league: (u32, u32), controls: Controls) -> Self {
        Self { league, ..Self::new(1, None, controls) }
    }

    /// Returns the key at which its threads wait in barriers and for tasks.
    pub(super) fn work_key(&self) -> usize {
        (&raw const self.rounds) as usize
    }

    /// Returns the key at which its first thread waits for the end of the region.
    pub(super) fn end_key(&self) -> usize {
        (&raw const self.ended) as usize
    }

    /// Creates the implicit task of one of its threads.
    pub(super) fn implicit_task(&self) -> Rc<Task> {
        let task = Task::new(self.controls);
        if self.reductions.get() != 0 {
            task.enter_group(Some(self.reductions.get()));
        }
        Rc::new(task)
    }

    /// Reports whether all threads and tasks of the region have ended.
    pub(super) fn is_finished(&self) -> bool {
        self.ended.get() == self.size && self.open.get() == 0
    }
}

impl Member {
    pub(super) fn new(team: Rc<Team>, number: u32) -> Self {
        Self {
            team,
            number,
            reached: Cell::new(0),
            share: RefCell::new(None),
            trip: Cell::new(0),
            chunk: Cell::new((0, 0)),
        }
    }

    /// Enters the next worksharing construct. The first thread of the team to do so creates it; true
    /// is returned to that one.
    pub(super) fn enter(&self, make: impl FnOnce() -> Work) -> (Rc<Share>, bool) {
        let at = self.reached.get();
        self.reached.set(at + 1);
        self.trip.set(0);
        self.chunk.set((0, 0));
        let mut shares = self.team.shares.borrow_mut();
        let found = shares.get(&at).cloned();
        let first = found.is_none();
        let share = found.unwrap_or_else(|| Rc::new(Share::new(make())));
        share.entered.set(share.entered.get() + 1);
        if share.entered.get() == self.team.size {
            shares.remove(&at);
        } else if first {
            shares.insert(at, Rc::clone(&share));
        }
        drop(shares);
        self.share.replace(Some(Rc::clone(&share)));
        (share, first)
    }

    /// Returns the worksharing construct that it is in.
    pub(super) fn present_share(&self) -> Option<Rc<Share>> {
        self.share.borrow().clone()
    }

    /// Returns the member that is `level` regions from the outermost, counted from this one upwards.
    pub(super) fn at_level(self: &Rc<Self>, level: u32) -> Option<Rc<Self>> {
        let mut member = Rc::clone(self);
        while member.team.level > level {
            let above = member.team.above.clone()?;
            member = above;
        }
        (member.team.level == level).then_some(member)
    }
}
