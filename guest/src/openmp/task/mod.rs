//! Tasks (OpenMP 5.2, chapter 12): implicit ones, which are the threads of a region, and explicit ones.

pub(super) mod depend;
pub(super) mod queue;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use self::depend::Dependences;
use super::{block::Block, settings::Controls};

/// A task that runs or will run.
pub(super) struct Task {
    pub(super) controls: Cell<Controls>,
    /// The task that created it, until it is complete.
    pub(super) above: RefCell<Option<Rc<Self>>>,
    /// Tasks that it has created and that are not complete.
    pub(super) children: Cell<usize>,
    /// The group to which it belongs.
    pub(super) group: Option<Rc<Group>>,
    /// The group to which its new tasks belong.
    pub(super) inner: RefCell<Option<Rc<Group>>>,
    /// Whether all tasks that it creates are executed at once.
    pub(super) is_final: bool,
    pub(super) priority: u32,
    /// What it executes, until it begins; none for an implicit task.
    pub(super) body: RefCell<Option<Body>>,
    /// Tasks that must be complete before it begins, and those that wait for it.
    pub(super) missing: Cell<usize>,
    pub(super) followers: RefCell<Vec<Rc<Self>>>,
    /// The dependences of the tasks that it has created.
    pub(super) depends: RefCell<Dependences<Rc<Self>>>,
    pub(super) event: Cell<Event>,
    pub(super) is_complete: Cell<bool>,
}

/// The event of a task with a `detach` clause, which is complete after it only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// There is none, or it is fulfilled.
    Settled,
    Open,
    /// Still open, and the task has returned.
    Awaited,
}

/// A function of the program with its data.
pub(super) struct Body {
    pub(super) function: usize,
    pub(super) data: usize,
    /// The data, if they are a copy.
    pub(super) _block: Option<Block>,
}

/// Tasks that are waited for together (`taskgroup`).
pub(super) struct Group {
    pub(super) above: Option<Rc<Self>>,
    /// Tasks that are not complete.
    pub(super) open: Cell<usize>,
    pub(super) cancelled: Cell<bool>,
    /// Addresses of the descriptions of its reductions.
    pub(super) reductions: RefCell<Vec<usize>>,
}

impl Task {
    pub(super) fn new(controls: Controls) -> Self {
        Self {
            controls: Cell::new(controls),
            above: RefCell::new(None),
            children: Cell::new(0),
            group: None,
            inner: RefCell::new(None),
            is_final: false,
            priority: 0,
            body: RefCell::new(None),
            missing: Cell::new(0),
            followers: RefCell::default(),
            depends: RefCell::default(),
            event: Cell::new(Event::Settled),
            is_complete: Cell::new(false),
        }
    }

    /// Returns the key at which threads wait for its children, or for what it depends on.
    pub(super) fn key(&self) -> usize {
        (&raw const self.children) as usize
    }

    /// Reports whether it was created by that task.
    pub(super) fn is_child_of(&self, other: &Rc<Self>) -> bool {
        self.above.borrow().as_ref().is_some_and(|above| Rc::ptr_eq(above, other))
    }

    /// Lets the tasks that it creates from now on belong to a new group inside the present one, with the
    /// description of reductions at this address.
    pub(super) fn enter_group(&self, reductions: Option<usize>) -> Rc<Group> {
        let group = Rc::new(Group::new(self.inner.take()));
        group.reductions.borrow_mut().extend(reductions);
        self.inner.replace(Some(Rc::clone(&group)));
        group
    }

    /// Ends the innermost group.
    pub(super) fn leave_group(&self) {
        let above = self.inner.take().and_then(|group| group.above.clone());
        self.inner.replace(above);
    }

    /// Changes its control variables.
    pub(super) fn change(&self, change: impl FnOnce(&mut Controls)) {
        let mut controls = self.controls.get();
        change(&mut controls);
        self.controls.set(controls);
    }
}

impl Group {
    pub(super) fn new(above: Option<Rc<Self>>) -> Self {
        Self {
            above,
            open: Cell::new(0),
            cancelled: Cell::new(false),
            reductions: RefCell::default(),
        }
    }

    /// Returns the key at which a thread waits for its tasks.
    pub(super) fn key(&self) -> usize {
        (&raw const self.open) as usize
    }

    /// Returns a group and those around it, innermost first.
    pub(super) fn chain(first: Option<&Rc<Self>>) -> impl Iterator<Item = &Rc<Self>> {
        std::iter::successors(first, |group| group.above.as_ref())
    }
}
